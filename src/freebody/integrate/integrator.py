"""Integration methods in machine code, called from Python for one state."""

import ctypes
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.errors import ArgumentError
from freebody.integrate import emit_stiffness
from freebody.integrate.breaks import segment
from freebody.integrate.compiled import StageFunctions, StateFunction, StepFunctions, library, width
from freebody.integrate.contact_method import COMPILED, STAGED, Method
from freebody.integrate.emit_drive import NODES, ONE
from freebody.integrate.emit_events import MARKS, PARTS
from freebody.integrate.emit_step import HOPELESS, PATIENCE
from freebody.integrate.esdirk import CLOSE, Esdirk
from freebody.integrate.manifold import FAR, FAR_STAGEWISE, SINGULAR_ERROR, Manifold, normalised
from freebody.integrate.record import ROWS, Record, Status, aligned, view
from freebody.integrate.rosenbrock import RODAS5P, Rosenbrock

__all__ = ["Integrator", "Status", "Tolerance"]

Array = NDArray[np.float64]
Tolerance = float | ArrayLike
STRIDE = 1000
"""The most steps of a stride, during which Ctrl-C waits."""

NEGLIGIBLE = 1e-21
"""The smallest step, as a fraction of the largest time of a run: far below what matters, and never 0."""


class StiffMethod(NamedTuple):
    """What an integrator needs to change to rodas5p and back: the functions of its stages, or why there are none, and
    the cost of its attempts over that of an explicit method's. Both are called when it first changes, where ``enough``
    steps are limited by stability."""

    stages: Callable[[], StageFunctions | str]
    cost: Callable[[], float]
    enough: float = emit_stiffness.ENOUGH


class Integrator:
    """One state x at time t, and the means to move it. ``entry`` is the address of the compiled method.

    Methods: "rk4" with a fixed ``step``; "dopri5" and "dop853" with steps such that the root mean square of error_i /
    (atol_i + rtol_i |x_i|) is about 1. ``quaternions`` are the indices in x at which unit quaternions begin; they stay
    normalised. ``events`` are functions g(t, x) whose zeros are searched; ``directions`` are the crossings that count
    (1 upwards, −1 downwards, 0 both) in the order of the motion; those that are ``stopping`` end a call of ``advance``,
    the others are logged. Steps of controlled size end at the ``breaks``, where f may jump. ``knots`` is the number of
    step ends to store. Every state is projected to the ``manifold`` of its constraints: at a start, at the end of a
    step, where a step that cannot return to them is rejected, and between. With a ``stiff`` method it changes to that
    where stability limits the steps, and back (``emit_stiffness``); ``methods`` are the times from which methods were
    used, with their names, ``compiling`` the seconds that the first change took, ``refusal`` why it was not possible.

    Attributes: t, x; h, the next step's size; size, the last one (signed); saved and count, the
    rows requested by ``save_at`` and how many of them are written; fired, the event that stopped; steps, rejected,
    evaluations, projections (calls of the manifold's function); knots, rows of t, x and f(t, x) at every start and
    every step's end.
    """

    def __init__(
        self,
        method: str,
        field: StateFunction,
        t0: float,
        x0: ArrayLike,
        *,
        rtol: Tolerance = 1e-8,
        atol: Tolerance = 1e-10,
        step: float | None = None,
        first_step: float | None = None,
        max_step: float | None = None,
        min_step: float | None = None,
        quaternions: Sequence[int] = (),
        events: StateFunction | None = None,
        directions: Sequence[int] = (),
        stopping: Sequence[bool] = (),
        log: int = 1024,
        breaks: Sequence[float] = (),
        knots: int = 0,
        manifold: Manifold | None = None,
        stages: StageFunctions | StepFunctions | None = None,
        near: tuple[Tolerance, Tolerance] | None = None,
        stiff: StiffMethod | None = None,
    ) -> None:
        self.tableau, self.n = tableau_of(method, step), field.size
        sizes = {"step": step, "first_step": first_step, "max_step": max_step, "min_step": min_step}
        for name, value in sizes.items():
            if value is not None and (not 0 <= value < np.inf or (value == 0 and name == "max_step")):
                raise ArgumentError(f"{name} = {value} is not a step size: give a positive number, or leave it out")
        lanes, s = width(), Record(ONE)
        stride = -(-self.n // lanes) * lanes  # rows are padded to whole vectors; padding stays 0 and never counts
        self._rows = aligned(len(ROWS) * stride).reshape(len(ROWS), stride)
        self._rows[ROWS["atol"]] = 1.0
        for name, tolerances in (("atol", atol), ("rtol", rtol)):
            self._rows[ROWS[name], : self.n] = tolerance(name, tolerances, self.n)
        self._record, self._arrays, self._first = s, dict[str, NDArray[np.generic]](), self.tableau
        self._settings = FAR if manifold is None else manifold.far, rtol, atol
        self._rows[ROWS["probe"], : self.n] = emit_stiffness.probe(self.n)
        self._load(self.tableau)
        s["work"], s["n"], s["stride"], s["vectors"] = self._rows, self.n, stride, stride // lanes
        s["inverse_n"], s["low"], s["high"] = 1 / max(self.n, 1), -np.inf, np.inf
        s["step"], s["first"], s["max_step"] = step or 0.0, first_step or 0.0, np.inf if max_step is None else max_step
        self._fixed, self._min_step = bool(step), min_step or 0.0
        self._point("quaternions", quaternion_indices(quaternions, self.n))
        self._quaternions = tuple(quaternions)
        s["quaternion_count"], s["knot_room"] = len(quaternions), knots
        self._watch(0 if events is None else events.results, directions, stopping, log)
        self._knots = np.empty((knots, 2 * self.n + 1))
        self._point("knots", self._knots)
        self._inner = np.empty((0, len(NODES), self.n))
        if isinstance(self.tableau, Rosenbrock) and knots:
            self.keep_inner()
        if manifold is not None:
            self._rows[ROWS["near"], : self.n] = manifold.absolute
            self._rows[ROWS["near_rel"], : self.n] = manifold.relative
        elif isinstance(self.tableau, Esdirk):
            relative, absolute = (np.multiply(CLOSE, rtol), np.multiply(CLOSE, atol)) if near is None else near
            self._rows[ROWS["near"]] = 1.0
            self._rows[ROWS["near"], : self.n], self._rows[ROWS["near_rel"], : self.n] = absolute, relative
        self.clear()
        self._blank = s.numbers.copy(), self._marks.copy()
        self.begin(t0, x0, field, events, breaks, None if manifold is None else manifold.function, stages, stiff)

    def _load(self, tableau: Method) -> None:
        """Let this be the method."""
        self.tableau = tableau
        self.entry = library().address(tableau.name)
        self._entry = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(self.entry)
        set_control(self._record, tableau, *self._settings)

    def begin(
        self,
        t0: float,
        x0: ArrayLike,
        field: StateFunction,
        events: StateFunction | None = None,
        breaks: Sequence[float] = (),
        project: StateFunction | None = None,
        stages: StageFunctions | StepFunctions | None = None,
        stiff: StiffMethod | None = None,
    ) -> None:
        """Start anew, at another time and state, with functions of the same sizes as before; ``project`` is that of the
        manifold, ``stages`` are those of implicit methods. No rows are saved until they are requested."""
        s = self._record
        if len(self.times):
            self.clear()
        s.numbers[:], self._marks[:] = self._blank
        if self.tableau is not self._first:
            self._load(self._first)
        self._stiff, self.compiling, self.refusal, self.methods = stiff, 0.0, "", [(float(t0), self.tableau.name)]
        if stiff is not None:
            s["watching"], s["horizon"], s["enough"] = emit_stiffness.EXPLICIT, np.nan, stiff.enough
            s["due"] = s["spacing"] = emit_stiffness.FIRST
        self.field, self._functions = field, [f for f in (field, events, project) if f is not None]
        if (field.size, field.results) != (self.n, self.n):
            raise ArgumentError(f"{field.name} returns {field.results} numbers for a state of {field.size}")
        s["field"], s["context"] = field.address, field.context
        for name, function in (("watch", events), ("manifold", project)):
            if function is None:
                continue
            if function.size != self.n:
                raise ArgumentError(f"{function.name} takes {function.size} numbers for x, {field.name} {self.n}")
            s[name], s[f"{name}_context"] = function.address, function.context
        if (stages is not None) != (self.tableau.name in STAGED):
            raise ArgumentError(f"{self.tableau.name} needs functions of its stages, or has none")
        self._stages: StageFunctions | StepFunctions | None = None
        if stages is not None:
            self._set_stages(stages)
        self.breaks = () if self._fixed else tuple(sorted(breaks))
        s["t"], s["fired"], self._halted = float(t0), -1, False
        self._measure_pace()
        self.restart(x0)

    def _set_stages(self, stages: StageFunctions | StepFunctions) -> None:
        """The functions of the linear system of stages, or of steps with contact."""
        s, self._stages = self._record, stages
        for name, function in stages.functions.items():
            s[name], s[f"{name}_context"] = function.address, function.context
            self._functions.append(function)
        self._memory = stages.set(s)

    def _point(self, name: str, array: NDArray[np.generic]) -> None:
        """Let the record point to an array, and keep that alive."""
        self._arrays[name] = array
        self._record[name] = array

    def _watch(self, m: int, directions: Sequence[int], stopping: Sequence[bool], log: int) -> None:
        """The marks of m events, and room for the log: at least for those of one step."""
        s = self._record
        if (len(directions), len(stopping)) != (m, m):
            raise ArgumentError(f"{m} events need as many directions and flags, not {len(directions)}, {len(stopping)}")
        room = max(log, PARTS * m) if m else 0
        self._marks = np.zeros((len(MARKS), m))
        self._marks[MARKS["when"]] = np.nan
        self._marks[MARKS["direction"]] = np.sign(directions)
        self._marks[MARKS["stopping"]] = stopping
        s["event_count"], s["log_capacity"], s["marks"] = m, room, self._marks
        self._point("log_times", np.empty(room))
        self._point("log_index", np.empty(room, np.int64))
        self._point("log_rows", np.empty((room, self.n)))

    def clear(self) -> None:
        """Save no more rows, and release those that were saved."""
        self._set_rows(np.empty(0), np.empty((0, self.n)))

    def _set_rows(self, times: Array, saved: Array) -> None:
        self.times, self.saved = times, saved
        self._point("times", times)
        self._point("saved", saved)
        self._record["time_count"], self._record["count"] = len(times), 0

    def save_at(self, times: ArrayLike) -> None:
        """Write the state at these times, in order from t on, into the rows of ``saved`` as they are passed."""
        wanted = np.array(times, dtype=np.float64).reshape(-1)
        first, steps = (wanted[0] - self.t if len(wanted) else 0.0), wanted[1:] - wanted[:-1]
        if not ((first >= 0 and (steps >= 0).all()) or (first <= 0 and (steps <= 0).all())):
            raise ArgumentError(f"saved times must increase, or decrease, from t = {self.t:g} on: sort them")
        self._set_rows(wanted, np.full((len(wanted), self.n), np.nan))
        self._record["horizon"] = wanted[-1] if len(wanted) else np.nan

    def set_breaks(self, breaks: Sequence[float]) -> None:
        """Let steps end at these times instead of those before."""
        self.breaks = () if self._fixed else tuple(sorted(breaks))

    def end_steps_at(self, times: Sequence[float]) -> None:
        """Let steps end at these times too, also those of a fixed size; f may jump there."""
        self.breaks = tuple(sorted({*self.breaks, *times}))

    @property
    def record_address(self) -> int:
        """The address of what the compiled method reads and writes."""
        return self._record.address

    @property
    def clock(self) -> Array:
        """The time as an array of one number, a view of what the compiled method writes."""
        return self._record.lanes("t")

    def advance(
        self, t_end: float, max_steps: int = 1_000_000, samples: Callable[[float], int] | None = None
    ) -> Status:
        """Step towards t_end, at most so many times, accepted or not. Called again, it continues as if never
        interrupted. ``samples`` moves to a time by the compiled method, through samples on the way."""
        s, end = self._record, float(t_end)
        if not np.isfinite(end):
            raise ArgumentError(f"t_end = {end} is not a finite time")
        direction = 1.0 if end >= self.t else -1.0
        if self.count < len(self.times) and (self.times[-1] - self.t) * direction < 0:
            raise ArgumentError(f"t_end = {end:g} and the times to save are on opposite sides of t = {self.t:g}")
        if direction != s["direction"]:
            s["base"], s["ticks"] = self.t, 0
            self._measure_pace()
        s["direction"] = direction
        s["min_step"] = max(self._min_step, NEGLIGIBLE * max(abs(end), abs(self.t)), np.finfo(float).tiny)
        s["budget"] = max_steps
        if self._halted:
            s["budget"] = 0
        status, goal = Status.DONE, np.nan
        while status is Status.DONE and goal != end:
            low, high, ahead = segment(self.breaks, self.t, direction)
            if (low, high) != (s["low"], s["high"]):  # f begins anew after a break point
                s["low"], s["high"], s["fresh"] = low, high, 1
                self._measure_pace()
            goal = s["t_end"] = end if (ahead - end) * direction >= 0 else ahead
            status = Status(self._entry(s.address) if samples is None else samples(goal))
            for function in self._functions:
                function.reraise()
            if status is Status.CHANGE:
                self._change_method()
                status, goal = Status.DONE, np.nan
        self._halted = False
        return status

    def stride(self) -> Callable[[float], int]:
        """A function that does what ``begin_anew`` and ``advance`` do, for times up to ``reach`` and forwards, with
        little overhead and at most ``STRIDE`` steps; it returns a ``Status`` as a number. Not for functions of users,
        whose errors it does not raise."""
        s, at, address = self._record, self._record.layout.offsets, self._record.address
        numbers, words, end, budget = view(s.numbers), view(s.words), at["t_end"], at["budget"]
        fresh, stagewise = at["fresh"], at["stagewise"]

        def go(t_end: float) -> int:
            numbers[end], words[fresh], words[budget] = t_end, 1, STRIDE
            status: int = self._entry(address)
            return status

        def go_on_manifold(t_end: float) -> int:
            numbers[stagewise] = 0.0
            return go(t_end)

        return go if s.whole("manifold") == 0 else go_on_manifold

    @property
    def reach(self) -> float:
        """The time up to which ``stride`` may go on from here: before the next break point; −∞ where it may not."""
        s = self._record
        forwards, calls = s["direction"] > 0, any(f.calls_users for f in self._functions)
        inside = forwards and not calls and not self._halted and s["low"] <= self.t < s["high"]
        return segment(self.breaks, self.t, 1.0)[2] if inside else -np.inf

    def begin_anew(self) -> None:
        """Let the next step begin as after a restart from the present state: f is evaluated there, at inputs that may
        have changed, and the state is projected."""
        self._record["fresh"], self._record["stagewise"] = 1, 0.0

    def _change_method(self) -> None:
        """Let the other of both methods go on from the present state, with the size that was planned."""
        s, stiff = self._record, self._stiff
        assert stiff is not None, "only methods that may change are watched"
        s["verdict"] = 0.0
        if self.tableau is not self._first:
            self._load(self._first)
            s["watching"] = emit_stiffness.EXPLICIT
        else:
            if self._stages is None:
                start = time.perf_counter()
                stages = stiff.stages()
                if isinstance(stages, str):
                    self.refusal, s["watching"] = stages, 0
                    return
                self._set_stages(stages)
                s["relative_cost"] = stiff.cost()
                self.compiling += time.perf_counter() - start
            self._load(RODAS5P)
            s["watching"] = emit_stiffness.IMPLICIT
        self.methods.append((self.t, self.tableau.name))
        self.begin_anew()
        self._measure_pace()

    @property
    def stiffness(self) -> Array:
        """What is remembered of the stiffness, and which method is in use: on this the future depends too."""
        s = self._record
        return np.array([s["watching"], *(s[name] for name in emit_stiffness.MEMORY)])

    @stiffness.setter
    def stiffness(self, known: Array) -> None:
        watching, *memory = known.tolist()
        s = self._record
        if watching == emit_stiffness.IMPLICIT and self.tableau is self._first:
            self._change_method()
            self.methods = self.methods[-1:] if self.tableau is not self._first else self.methods
        for name, value in zip(emit_stiffness.MEMORY, memory, strict=True):
            s[name] = value

    def _measure_pace(self) -> None:
        """Begin the first window of steps (see ``emit_step.PATIENCE``)."""
        s = self._record
        s["pace_t"], s["pace_steps"], s["pace_left"], s["pace"] = self.t, PATIENCE, PATIENCE, 0.0

    def halt(self) -> None:
        """End a call of ``advance`` that is under way (or the next one), after the step it is in."""
        self._halted = True
        self._record["budget"] = 0

    @property
    def t(self) -> float:
        return self._record["t"]

    @property
    def x(self) -> Array:
        """The state, a copy."""
        return self.state.copy()

    @property
    def state(self) -> Array:
        """The state in the memory of the compiled code."""
        return self._rows[ROWS["x"], : self.n]

    @property
    def h(self) -> float:
        return self._record["h"]

    @property
    def size(self) -> float:
        return self._record["size"]

    @property
    def steps(self) -> int:
        return self._record.whole("steps")

    @property
    def rejected(self) -> int:
        return self._record.whole("rejected")

    @property
    def jacobians(self) -> int:
        return self._record.whole("jacobians")

    @property
    def factorisations(self) -> int:
        return self._record.whole("factorisations")

    @property
    def evaluations(self) -> int:
        return self._record.whole("evaluations")

    @property
    def count(self) -> int:
        return self._record.whole("count")

    @property
    def fired(self) -> int:
        return self._record.whole("fired")

    @property
    def projections(self) -> int:
        return int(self._record["projections"])

    @property
    def unconverged(self) -> int:
        """Steps with contact whose impulses have not converged."""
        return int(self._record["unconverged"])

    @property
    def mismatch(self) -> float:
        """How far the impulses of these differ at most from those of the law, as a fraction of the largest."""
        return self._record["mismatch"]

    @property
    def cannot_finish(self) -> bool:
        """After ``advance`` returned STALLED: whether the end is out of reach."""
        s = self._record
        return s["pace_steps"] / 2 * abs(s["t_end"] - s["t"]) > HOPELESS * s["pace"]

    @property
    def together(self) -> list[int]:
        """The stopping events that happened at this very time, ``fired`` among them."""
        now = (self._marks[MARKS["when"]] == self.t) & (self._marks[MARKS["stopping"]] != 0)
        return [int(k) for k in np.flatnonzero(now)]

    @property
    def waiting(self) -> list[int]:
        """The events that have just happened, here and now."""
        return [int(k) for k in np.flatnonzero(self._marks[MARKS["when"]] == self.t)]

    @property
    def planned(self) -> float:
        """The size that is planned for the next step."""
        return self._record["h"]

    @property
    def knots(self) -> Array:
        """Rows of t, x and f(t, x) at every start and every step's end, as long as there was room."""
        return self._knots[: self._record.whole("knot_count")]

    def keep_inner(self) -> None:
        """Keep the states at the Gauss points of steps until the next start too. Rodas5P, which interpolates without
        further evaluations, always does."""
        if not len(self._inner):
            self._inner = np.zeros((self._record.whole("knot_room") + 1, len(NODES), self.n))
        self._point("inner", self._inner)
        self._record["has_inner"] = 1

    @property
    def inner(self) -> Array | None:
        """The states at the Gauss points of the steps that end at the knots, and at the one that may follow, where
        they are kept."""
        s = self._record
        return self._inner[: s.whole("knot_count") + 1] if s.whole("has_inner") else None

    @property
    def knots_full(self) -> bool:
        """Whether knots were omitted, or will be from now on."""
        return self._record.whole("knot_count") >= self._record.whole("knot_room")

    def mark_events(self, events: Sequence[int]) -> None:
        """These events have just happened, here and now: they do not happen again for being at zero."""
        self._marks[MARKS["when"], list(events)] = self.t

    def restart(self, x: ArrayLike, t: float | None = None, h: float | None = None, stagewise: bool = False) -> None:
        """Another state, at the same time or another, and another size for the next step; quaternions are normalised.
        The next call of ``advance`` projects it to the constraints. Events that have just happened do not happen again
        for being at zero. ``stagewise``: in the next step the states of all stages are projected."""
        state = np.array(x, dtype=np.float64).reshape(-1)
        if len(state) != self.n:
            raise ArgumentError(f"{self.field.name}: x has {self.n} numbers, not {len(state)}")
        state = normalised(state, self._quaternions)
        self._rows[ROWS["x"], : self.n] = state
        self._record["fresh"], self._record["stagewise"] = 1, float(stagewise)
        if t is not None:
            self._record["t"] = float(t)
        if h is not None:
            self._record["h"] = h

    def resume(self, x: Array, h: float) -> None:
        """Go on from a state in which a call of ``advance`` has ended, as it is, with the size that was planned."""
        self.state[:] = x
        self._record["h"] = h
        self.begin_anew()

    def take_log(self) -> list[tuple[float, int, Array]]:
        """Time, index and state of the events that were logged since the last call."""
        count = self._record.whole("log_count")
        self._record["log_count"] = 0
        times, index, rows = (self._arrays[f"log_{name}"][:count] for name in ("times", "index", "rows"))
        return [(float(t), int(k), np.array(x)) for t, k, x in zip(times, index, rows, strict=True)]


def tableau_of(method: str, step: float | None) -> Method:
    """The method's table; a step belongs to methods without error control, and only to them."""
    if method not in COMPILED:
        raise ArgumentError(f"there is no method '{method}'; choose from {', '.join(COMPILED)}")
    tableau = COMPILED[method]
    if tableau.control is None and not step:
        raise ArgumentError(f"{method} has a fixed step: give step, in seconds")
    if tableau.control is not None and step is not None:
        raise ArgumentError(f"{method} chooses its steps by their error: leave step out, or give max_step")
    return tableau


def set_control(record: Record, tableau: Method, far: float, rtol: ArrayLike, atol: ArrayLike) -> None:
    """The constants of the step size controller, and those of the method's table. How ``far`` a step may end from the
    constraints is limited by the tolerances, which steps of one size do not have."""
    record["terms"], record["inverse_order"] = tableau.terms, 1 / tableau.order
    control = tableau.control
    record["far"] = record["far_stagewise"] = np.inf if control is None else far
    record["relax"] = 1.0
    if control is not None:
        record["exponent"], record["beta"] = control.exponent, control.beta
        record["predicts"] = float(control.predicts)
        record["safety"], record["largest"], record["smallest"] = control.safety, control.most, control.least
        tight = float(np.min(np.add(rtol, atol)))
        record["far_stagewise"] = max(far, FAR_STAGEWISE / tight)
        record["relax"] = min(1.0, tight / SINGULAR_ERROR) ** 2
        record["nudge"] = emit_stiffness.nudge(tight)


def tolerance(name: str, value: Tolerance, n: int) -> Array:
    """One tolerance for all components, or one for each."""
    numbers = np.asarray(value, dtype=np.float64)
    if numbers.shape not in ((), (n,)):
        raise ArgumentError(f"{name} is one number or {n} of them, not an array of shape {numbers.shape}")
    large_enough, kind = (numbers > 0, "positive") if name == "atol" else (numbers >= 0, "not negative")
    if not (np.isfinite(numbers).all() and large_enough.all()):
        raise ArgumentError(f"{name} must be finite and {kind}, not {numbers}")
    return numbers


def quaternion_indices(quaternions: Sequence[int], n: int) -> NDArray[np.int64]:
    for k in quaternions:
        if not 0 <= k <= n - 4:
            raise ArgumentError(f"no quaternion can begin at index {k} of a state of {n} numbers")
    return np.array(quaternions, np.int64)
