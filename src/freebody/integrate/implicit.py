"""Implicit methods for stiff systems, with exact Jacobians: SciPy's Radau, BDF and LSODA, and those of SUNDIALS."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from freebody.integrate.breaks import segment
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.emit_events import PARTS, PROBE
from freebody.integrate.emit_step import CONTRADICTS, HOPELESS, PATIENCE, SHORTER, SLOW
from freebody.integrate.manifold import normalised
from freebody.integrate.record import Status
from freebody.integrate.sundials import CvodeSolver, DaeSystem, IdaSolver

Array = NDArray[np.float64]
Rates = Callable[[float, Array], Array]
Hit = tuple[float, int]
"""The time of an event, and its index."""

SLOWER = 100
"""Steps of a compiled method in the time of one of these."""

SLOPE, NEGLIGIBLE_STEP = 1e-4, 1e-14
"""Slopes of an interpolation are differences over this part of a step to both sides; steps that would be smaller than
this fraction of the time are not repeated."""

DRIFT = 10.0
"""How far a solver's state may be from the constraints, in tolerances. Off them ẋ is another function, near singular
states a very different one; but a start takes many short steps (BDF and LSODA begin at order 1)."""

SAME = 4e-15
"""Times that are the same moment, as a fraction of the time: the resolution of the search for zeros."""


class Implicit:
    """A stepper (see ``steppers.Stepper``) around an implicit solver. Where rows are saved, events are searched, and at
    starts and ends of steps, states are projected to the constraints and their quaternions normalised; the solver's own
    state stays there within the tolerances. Where it is off by more than DRIFT of them, the solver starts again from
    the projected state."""

    def __init__(self, compiled: CompiledSystem, options: Any, t0: float, x0: Array, knots: int = 0) -> None:
        self.compiled, self.options = compiled, options
        self.t, self.x, self.size = t0, x0.copy(), 0.0
        self._pace, self._low, self._high = Pace(t0), -np.inf, np.inf
        self._manifold, self._off = compiled.manifold(options.rtol, options.atol), False
        self._project_start()
        self.methods = [(t0, str(options.method))]
        self.steps = self.rejected = self.evaluations = self.jacobians = self.factorisations = self.count = 0
        self.saved, self._times = np.empty((0, len(x0))), np.empty(0)
        self._log: list[tuple[float, int, Array]] = []
        self._state_dot = compiled.raw_call(compiled.system.rates.value)
        self._watched = None if compiled.system.conditions is None else compiled.conditions()
        self._solver: ImplicitSolver | None = None
        self._goal, self._direction, self._halted = t0, 1.0, False
        self._unknown, self._now, self._now_time, self.fired = set[int](), set[int](), np.nan, -1
        self._shorter: float | None = None
        self._g = self._signs(t0, self.x)
        self._knots, self._room = list[Array](), knots

    compiling, refusal = 0.0, ""

    @property
    def projections(self) -> int:
        return 0 if self._manifold is None else self._manifold.calls

    @property
    def cannot_finish(self) -> bool:
        return self._pace.prospect > HOPELESS

    @property
    def together(self) -> list[int]:
        return sorted(k for k in self._now if self._stops(k))

    @property
    def waiting(self) -> list[int]:
        return sorted(self._unknown)

    @property
    def planned(self) -> float:
        return 0.0

    @property
    def knots(self) -> Array:
        return np.array(self._knots).reshape(len(self._knots), 2 * len(self.x) + 1)

    @property
    def inner(self) -> None:
        """Not known."""
        return None

    @property
    def knots_full(self) -> bool:
        return len(self._knots) >= self._room

    def save_at(self, times: Array) -> None:
        self._times, self.saved, self.count = times, np.empty((len(times), len(self.x))), 0
        while self.count < len(times) and times[self.count] == self.t:
            self._save(self.x)

    def set_breaks(self, breaks: Sequence[float]) -> None:
        """They are those of the system."""

    def end_steps_at(self, times: Sequence[float]) -> None:
        """They are break points of the system, where steps end in any case."""

    def take_log(self) -> list[tuple[float, int, Array]]:
        log, self._log = self._log, []
        return log

    def mark_events(self, events: Sequence[int]) -> None:
        self._unknown |= set(events)

    def restart(self, x: Array, t: float | None = None, h: float | None = None) -> None:
        """Continue from another state; the solver chooses the size of its first step itself."""
        self.t = self.t if t is None else t
        self.x = self._normalise(x)
        self._project_start()
        self._solver, self._unknown = None, set(self._now) if self._now_time == self.t else set()
        self._g = self._signs(self.t, self.x)

    def resume(self, x: Array, h: float) -> None:
        self.restart(x)

    def begin_anew(self) -> None:
        """The solver begins anew at every end in any case."""

    @property
    def reach(self) -> float:
        """Steps of a solver in Python take longer than all that a stride would save."""
        return -np.inf

    def stride(self) -> Callable[[float], int]:
        return lambda t_end: int(Status.BUDGET)

    def halt(self) -> None:
        self._halted = True

    def advance(self, t_end: float, max_steps: int) -> Status:
        for _ in range(max_steps):
            if self.t == t_end or self._halted:
                break
            if self._solver is None or self.t == self._goal or (self._goal - t_end) * self._direction > 0:
                self._solver = self._start(t_end)
            status = Status.OFF_MANIFOLD if self._off else self._step(self._solver)
            if status is None and self._pace.stalled(self.t, self._goal):
                status = Status.STALLED
            if status is not None:
                return status
        self._halted = False
        return Status.DONE if self.t == t_end else Status.BUDGET

    def _count(self) -> None:
        self.evaluations += 1

    def _rates(self, t: float, x: Array) -> Array:
        """ẋ, counted."""
        self._count()
        return self._state_dot(self._inside(t), x)

    def _inside(self, t: float) -> float:
        """The time nearest to t on this side of the break points."""
        return min(max(t, self._low), self._high)

    def _start(self, t_end: float) -> "ImplicitSolver":
        """A solver to the end, or to the break point before it."""
        self._direction = 1.0 if t_end >= self.t else -1.0
        low, high, ahead = segment(self.compiled.breaks, self.t, self._direction)
        if (low, high) != (self._low, self._high):
            self._pace = Pace(self.t)
        self._low, self._high = low, high
        self._goal = t_end if (ahead - t_end) * self._direction >= 0 else ahead
        self._project_start()
        options, self._shorter = self._first(self.options), None
        solver: ImplicitSolver
        if not np.all(np.isfinite(self._rates(self.t, self.x))):
            solver = NoSolver()
        elif not len(self.x):
            solver = TimeOnly()
        elif self.options.method == "ida":
            system = DaeSystem(self.compiled, self._rates, self._inside, self._count)
            solver = IdaSolver(system, self.t, self.x, self._goal, options)
        else:
            exact = self.compiled.jacobian
            jacobian = None if self.compiled.system.jacobian.value is None else lambda t, x: exact(self._inside(t), x)
            kind = CvodeSolver if self.options.method == "cvode" else ScipySolver
            solver = kind(self._rates, jacobian, self.t, self.x, self._goal, options)
        self.jacobians += solver.jacobians
        self.factorisations += solver.factorisations
        self._keep_knot()
        return solver

    def _first(self, options: Any) -> Any:
        """The options of a solver that starts here; its first step is short where a step is repeated."""
        if self._shorter is None:
            return options
        shorter = copy(options)
        shorter.first_step = self._shorter
        return shorter

    def _step(self, solver: "ImplicitSolver") -> Status | None:
        before = solver.jacobians, solver.factorisations
        reached = solver.step(self._goal)
        self.jacobians += solver.jacobians - before[0]
        self.factorisations += solver.factorisations - before[1]
        if reached is None:
            return Status.UNDERFLOW if np.all(np.isfinite(self._rates(self.t, self.x))) else Status.NOT_FINITE
        t, x = reached
        self.size, drifted = t - self.t, False
        if self._manifold is not None:
            end = self._manifold.project(self._inside(t), x)
            if end is None:
                return Status.OFF_MANIFOLD
            drifted = bool(np.any(np.abs(end - x) > DRIFT * (self.options.atol + self.options.rtol * np.abs(end))))
            x = end
        if self._contradicts(solver, t):
            self.rejected, self._solver, self._shorter = self.rejected + 1, None, abs(self.size) * SHORTER
            return None
        self.steps += 1
        stop = self._search(solver, t, x)
        if stop is not None:
            t, x = stop, self._between(solver, stop)
        while self.count < len(self._times) and (self._times[self.count] - t) * self._direction <= 0:
            at = self._times[self.count]
            self._save(x if at == t else self._between(solver, at))
        self.t, self.x = t, self._normalise(x)
        if stop is not None:
            return Status.EVENT if self._now else Status.UNDEFINED
        self._keep_knot()
        if drifted:
            self._solver = None
        return None

    def _contradicts(self, solver: "ImplicitSolver", t: float) -> bool:
        """Whether f at a time to save within the last step is far from the slope of the interpolation there: the step
        went past something that it did not see, and is repeated (``emit_step.CONTRADICTS``)."""
        times, start = self._times[self.count :], self.t
        times = times[: int(np.searchsorted(times * self._direction, t * self._direction))]
        if not (len(times) and self.compiled.system.consistent) or abs(self.size) * SHORTER <= NEGLIGIBLE_STEP * abs(t):
            return False
        low, high = sorted((start, t))
        ends = [np.clip(times + side * SLOPE * (high - low), low, high) for side in (-1, 1)]
        before, after = (solver.several(at) for at in ends)
        slopes = (after - before) / np.maximum(ends[1] - ends[0], np.spacing(high))[:, None]
        for at, slope in zip(times.tolist(), slopes, strict=True):
            x = self._between(solver, at)
            share = self.options.atol + self.options.rtol * np.abs(x)
            with np.errstate(all="ignore"):
                part = self.size * (self._rates(at, x) - slope) / share
            if len(x) and np.mean(part * part) > CONTRADICTS:
                return True
        return False

    def _between(self, solver: "ImplicitSolver", t: float) -> Array:
        """The state inside the last step, projected to the constraints; where that fails, as interpolated."""
        x = solver.between(t)
        state = None if self._manifold is None else self._manifold.project(self._inside(t), x)
        return x if state is None else state

    def _project_start(self) -> None:
        """Project the state to the constraints; where that fails, the next step does."""
        if self._manifold is not None:
            state = self._manifold.project(self._inside(self.t), self.x)
            self.x, self._off = self.x if state is None else state, state is None

    def _keep_knot(self) -> None:
        if not self.knots_full:
            rates = self._state_dot(self._inside(self.t), self.x)
            self._knots.append(np.concatenate([[self.t], self.x, rates]))

    def _save(self, x: Array) -> None:
        self.saved[self.count] = self._normalise(x)
        self.count += 1

    def _normalise(self, x: Array) -> Array:
        return normalised(x, self.compiled.about.quaternions)

    # Events, by the rules of the compiled methods (emit_events.py)

    def _stops(self, k: int) -> bool:
        return self.compiled.system.crossings[k].stops

    def _signs(self, t: float, x: Array) -> Array:
        return np.empty(0) if self._watched is None else self._watched(t, x)

    def _search(self, solver: "ImplicitSolver", t: float, x: Array) -> float | None:
        """Search the last step for events, part after part. Those that change nothing are logged; returns the time of
        the first that stops, with all that happens then in ``_now``."""
        if self._watched is None:
            return None
        a, size = self.t, t - self.t
        inside = self.t + size * np.arange(1, PARTS) / PARTS
        states = solver.several(inside) if self._manifold is None else [self._between(solver, b) for b in inside]
        for b, at in zip([*inside.tolist(), t], [*states, x], strict=True):
            ends = self._signs(b, at)
            hits, undefined = self._crossings(solver, a, b, ends, PROBE * size)
            stop = next((when for when, k in hits if self._stops(k)), None)
            if undefined is not None and (stop is None or (undefined[0] - stop) * self._direction < 0):
                stop, self.fired = undefined
                hits = [(when, k) for when, k in hits if not self._stops(k)]
            elif stop is not None:  # the same moment: what is a rounding error later, or already across at the stop
                g = self._signs(stop, self._between(solver, stop))
                with_it = {k for _, k in hits if g[k] * self._g[k] <= 0 and k not in self._unknown}
                with_it |= {k for when, k in hits if abs(when - stop) <= SAME * abs(stop)}
                later = {k for when, k in hits if (when - stop) * self._direction > 0}
                hits = [(stop if k in with_it & later else when, k) for when, k in hits]
            for when, k in hits:
                if not self._stops(k) and (stop is None or (when - stop) * self._direction <= 0):
                    self._log.append((when, k, self._normalise(self._between(solver, when))))
            if stop is not None:
                self._now, self._now_time = {k for when, k in hits if when == stop}, stop
                return stop
            a, self._g, self._unknown = b, ends, set()
        return None

    def _crossings(
        self, solver: "ImplicitSolver", start: float, end: float, ends: Array, probe: float
    ) -> tuple[list[Hit], Hit | None]:
        """The events inside a part of the last step, in order of time, and the first whose condition becomes undefined
        (not a number). If the sign at the start is unknown (the event has just happened, or g is 0), g is evaluated a
        little later."""
        hits, undefined = list[Hit](), list[Hit]()
        unknown = [k in self._unknown or g == 0 or g != g for k, g in enumerate(self._g)]
        later = self._signs(start + probe, self._between(solver, start + probe)) if any(unknown) else self._g
        for k, rule in enumerate(self.compiled.system.crossings):
            direction = rule.crossing.direction
            a, g0, b, g1 = start + probe if unknown[k] else start, later[k], end, ends[k]
            g0 = g0 if unknown[k] else self._g[k]
            if g0 != g0:
                undefined.append((start, k))
                continue
            lost = g1 != g1
            if lost:
                b, g1 = self._leave(solver, k, (a, g0), end)
            crosses = (g0 < 0 <= g1 and direction >= 0) or (g0 > 0 >= g1 and direction <= 0)
            if crosses:
                hits.append((self._zero(solver, k, (a, g0), (b, g1)), k))
            if lost:
                undefined.append((self._leave(solver, k, (b, g1), end, crossing=False)[0] if crosses else b, k))
        return sorted(hits, key=self._ahead), min(undefined, key=self._ahead, default=None)

    def _ahead(self, hit: Hit) -> float:
        """The order of events in the direction of the run."""
        return hit[0] * self._direction

    def _leave(
        self, solver: "ImplicitSolver", k: int, a: tuple[float, float], end: float, crossing: bool = True
    ) -> tuple[float, float]:
        """Where g of event k is not a number at the end: the last time at which it is a number; or, with ``crossing``,
        one at which it has crossed zero in the direction that counts, if there is one; and g there."""
        (low, g_low), high = a, end
        direction = self.compiled.system.crossings[k].crossing.direction
        while abs(high - low) > SAME * abs(high):
            middle = 0.5 * (low + high)
            if middle in (low, high):
                break
            g = float(self._signs(middle, self._between(solver, middle))[k])
            if g == g:
                low, g_low = middle, g
                if crossing and g * a[1] <= 0 and a[1] * direction <= 0:
                    break
            else:
                high = middle
        return low, g_low

    def _zero(self, solver: "ImplicitSolver", k: int, a: tuple[float, float], b: tuple[float, float]) -> float:
        """Where event k crosses zero between two times with g of different signs: about the first number after it."""
        from scipy.optimize import brentq

        if b[1] == 0:
            return b[0]
        known, small = dict([a, b]), 4e-16 * max(abs(a[0]), abs(b[0]))

        def g(t: float) -> float:
            return float(known[t] if t in known else self._signs(t, self._between(solver, t))[k])

        zero = float(brentq(g, a[0], b[0], xtol=max(small, 1e-300)))
        step = float(np.spacing(zero)) * self._direction
        while g(zero) * a[1] > 0 and (b[0] - zero) * self._direction > 0:
            zero, step = zero + step, 2 * step
        return zero if (b[0] - zero) * self._direction > 0 else b[0]


class Pace:
    """How fast a run advances, over windows of steps: the rule of ``emit_step.stalled``, for steps that take a hundred
    times as long. ``prospect`` is what is compared with SLOW and HOPELESS."""

    def __init__(self, t: float) -> None:
        self.t, self.steps, self.left, self.pace = t, PATIENCE / SLOWER, PATIENCE / SLOWER, 0.0
        self.prospect = 0.0

    def stalled(self, t: float, end: float) -> bool:
        """After one more step to t: whether the end is far away at the pace of a full window."""
        self.left -= 1
        if self.left > 0:
            return False
        before, self.pace = self.pace, abs(t - self.t) / self.steps
        self.prospect = SLOWER**2 * self.steps * abs(end - t) / self.pace
        self.t, self.steps, self.left = t, 2 * self.steps, 2 * self.steps
        return self.prospect > SLOW and self.pace <= 2 * before


class ImplicitSolver(Protocol):
    """``step`` returns the time reached, which differs from the last one, and the state there, or None if it failed;
    ``between`` returns the state inside the last step, ``several`` those at several times, a row each."""

    @property
    def jacobians(self) -> int: ...
    @property
    def factorisations(self) -> int: ...
    def step(self, t_end: float) -> tuple[float, Array] | None: ...
    def between(self, t: float) -> Array: ...
    def several(self, times: Array) -> Array: ...


class TimeOnly:
    """For a system without states: time passes."""

    jacobians = factorisations = 0

    def step(self, t_end: float) -> tuple[float, Array] | None:
        return t_end, np.empty(0)

    def between(self, t: float) -> Array:
        return np.empty(0)

    def several(self, times: Array) -> Array:
        return np.empty((len(times), 0))


class NoSolver(TimeOnly):
    """For a derivative that is not finite at the start: the first step fails."""

    def step(self, t_end: float) -> None:
        return None


@contextmanager
def _no_warnings() -> Iterator[None]:
    """Suppress the warnings of NumPy and SciPy about numbers that are not finite: the run's message is better."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def _first_step(options: Any, t: float, t_end: float) -> float | None:
    """The user's, but not beyond the end."""
    return None if options.first_step is None else min(options.first_step, abs(t_end - t))


class ScipySolver:
    """A solver class of SciPy."""

    def __init__(self, rates: Rates, jacobian: Any, t: float, x: Array, t_end: float, options: Any) -> None:
        from scipy import integrate

        kind = {"radau": integrate.Radau, "bdf": integrate.BDF, "lsoda": integrate.LSODA}[options.method]
        limits = {} if options.max_step is None else {"max_step": options.max_step}
        with _no_warnings():
            self._solver = kind(
                rates,
                t,
                x,
                t_end,
                rtol=options.rtol,
                atol=options.atol,
                jac=jacobian,
                first_step=_first_step(options, t, t_end),
                **limits,
            )
        self._dense: Any = None

    @property
    def jacobians(self) -> int:
        return int(self._solver.njev or 0)

    @property
    def factorisations(self) -> int:
        return int(self._solver.nlu or 0)

    def step(self, t_end: float) -> tuple[float, Array] | None:
        with _no_warnings():
            try:
                self._solver.step()
            except (ValueError, np.linalg.LinAlgError):  # a Jacobian that is not finite
                return None
        stuck = self._solver.t == self._solver.t_old  # LSODA continues with steps below the resolution of time
        if self._solver.status == "failed" or stuck or not np.all(np.isfinite(self._solver.y)):
            return None
        self._dense = None
        return float(self._solver.t), np.array(self._solver.y)

    def between(self, t: "float | Array") -> Array:
        if self._dense is None:
            self._dense = self._solver.dense_output()
        return np.asarray(self._dense(t))

    def several(self, times: Array) -> Array:
        return np.ascontiguousarray(self.between(times).T)
