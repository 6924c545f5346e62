"""The result of a run: times, states and recorded values by name."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.drawing import Drawing
from freebody.errors import ArgumentError, nearest, no_attribute
from freebody.hybrid.variables import Variable
from freebody.keywords import hint_keywords
from freebody.results.about import GROUPS, About, AssemblyInfo
from freebody.results.interpolation import HermiteCurve, Knots, Timeline, max_knots, normalised, spline, unwound
from freebody.results.joined import Joined, MomentaAndEnergies
from freebody.results.work import Balance, Recorded, Works, balance, integrate_powers, work_keys
from freebody.tables import TableRepr, TextTable, counted, listed

if TYPE_CHECKING:
    import pandas
    import xarray

Array = NDArray[np.float64]
FINE = 8
"""The number of parts into which files divide the steps of a run."""


TIMES = ("t", "time", "times", "ts")
ATTRIBUTES = {
    **dict.fromkeys(TIMES, "run.t for the times"),
    **dict.fromkeys(("X", "states", "state", "ys"), "run.x for the states, run.about.state for their names"),
    **dict.fromkeys(("positions", "qs", "q_", "coordinates"), 'run.q, a dict, or run["q.NAME"] for a coordinate'),
    **dict.fromkeys(("velocities", "qd", "v", "speeds", "us"), 'run.u, a dict, or run["u.NAME"] for a speed'),
    **dict.fromkeys(("accelerations", "a", "qdd"), 'run.u_dot, a dict, or run["u_dot.NAME"]'),
    **dict.fromkeys(("energy", "kinetic_energy", "potential_energy"), 'run.energies, a dict, or run["energy.total"]'),
    **dict.fromkeys(("df", "to_dataframe", "to_csv", "dataframe"), "run.to_pandas(), or run.save('run.csv')"),
    **dict.fromkeys(("show", "view", "draw"), "run.animate() for the motion, run.plot() for curves"),
}  # fmt: skip
"""Attributes of results of other programs, with what to write."""


class StateRecorder(ABC):
    """Computes the variables that follow from the states of a run."""

    @abstractmethod
    def __call__(self, t: Array, x: Array, *, held: Array | None = None) -> Mapping[str, Array]:
        """ẋ under "x_dot" and each variable by its key, for times (n,) and states (n, nx). ``held``, here and
        below, are rows of flags and captured poses for systems that have them."""

    def powers(self, t: Array, x: Array, held: Array | None = None) -> Mapping[str, Array]:
        """The powers by key, possibly among other variables."""
        return self(t, x, held=held)

    def retrace(self, knots: Knots, times: Array, held: Array | None = None) -> Array | None:
        """The states at times between the ends of a run's steps, as exact as the run; None where the method has
        nothing better than cubic interpolation."""
        return None

    def project(self, times: Array, x: Array, held: Array | None = None) -> Array:
        """Interpolated states moved to the constraints; those that cannot reach them as they are."""
        return x

    def drift(self, t: Array, x: Array, held: Array | None = None) -> tuple[float, float]:
        """The largest |φ| and |G u + offset| at these states; 0 without constraints."""
        return 0.0, 0.0

    def step_limit(self, t: Array, x: Array, knots: Knots) -> str:
        """What limits the steps, a mode of a flexible body by its stability or an iteration, and what to do;
        empty where none does."""
        return ""


class UnknownNameError(ArgumentError, KeyError):
    """A name under which nothing is recorded."""

    __str__ = Exception.__str__


@dataclass(frozen=True, repr=False)
class Events(TableRepr):
    """The events of a run in order: time, which one (an index into ``names``), the state before and after.

    Of systems with held values (flags of constraints, captured poses, inputs that are set) also these before and after,
    the ``impulses`` of the equations of constraints (``rows``), and the kinetic energy that was ``lost``, in J.

    Where a prescribed motion changes its rate at once, ``rows`` and ``impulses`` have its drive too. ``works`` are what
    drives and constraints did in that instant, by name, and ``instants`` the times on both sides of it at which laws of
    time are evaluated; ``beside`` are such times of other rows at break points. A run from a file does not need
    them."""

    names: tuple[str, ...] = ()
    t: Array = field(default_factory=lambda: np.empty(0))
    index: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    before: Array = field(default_factory=lambda: np.empty((0, 0)))
    after: Array = field(default_factory=lambda: np.empty((0, 0)))
    held_before: Array = field(default_factory=lambda: np.empty((0, 0)))
    held_after: Array = field(default_factory=lambda: np.empty((0, 0)))
    impulses: Array = field(default_factory=lambda: np.empty((0, 0)))
    lost: Array = field(default_factory=lambda: np.empty(0))
    rows: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    works: tuple[Mapping[str, float], ...] = ()
    instants: Array = field(default_factory=lambda: np.empty((0, 2)))
    beside: Mapping[float, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """A run without constraints that can be switched has no columns of them."""
        n = len(self.t)
        if len(self.instants) != n:
            object.__setattr__(self, "instants", np.stack([self.t, self.t], 1))
        columns = {"held_before": self.held_before, "held_after": self.held_after, "impulses": self.impulses}
        for name in (name for name, values in columns.items() if not values.size):
            object.__setattr__(self, name, np.empty((n, 0)))
        if len(self.lost) != n:
            object.__setattr__(self, "lost", np.zeros(n))

    def __len__(self) -> int:
        return len(self.t)

    def _table(self) -> TextTable:
        rows = tuple((f"{t:.9g}", name) for t, name in self)
        return TextTable(counted(len(self), "event"), ("time [s]", "event") if rows else (), rows)

    def __iter__(self) -> Iterator[tuple[float, str]]:
        return ((float(t), self.names[k]) for t, k in zip(self.t, self.index, strict=True))

    @cached_property
    def jumps(self) -> NDArray[np.intp]:
        """The indices of the events that change the state or switch constraints."""
        changed = np.any(self.before != self.after, axis=1)
        if self.held:
            changed |= np.any(self.held_before != self.held_after, axis=1)
        return np.flatnonzero(changed)

    def times_of_rows(self, t: Array, x: Array) -> Array:
        """The times at which laws are evaluated for saved rows: on the side of a jump of rates on which a row is."""
        times = t.copy()
        for point, side in self.beside.items():
            times[t == point] = side
        for k in np.flatnonzero(self.instants[:, 0] != self.instants[:, 1]):
            for row in np.flatnonzero(t == self.t[k]):
                times[row] = self.instants[k, int(np.array_equal(x[row], self.after[k]))]
        return times


@dataclass(frozen=True)
class HeldSteps:
    """The held values of a run by name, constant between its instants: the times at which they change, the first of
    them the start, and the values from there on."""

    names: tuple[str, ...]
    t: Array
    values: Array

    def at(self, times: Array, sign: float) -> Array:
        """The values at times, after what happens there; ``sign`` is −1 in runs that go back in time."""
        return np.asarray(self.values[np.searchsorted(self.t * sign, times * sign, side="right") - 1])


@dataclass(frozen=True)
class Statistics:
    """What a run cost, and how far it is from its constraints at the saved times: ``drift`` is the largest |φ|,
    ``speed_drift`` the largest |G u + offset|. ``limit`` says what limits the steps of an explicit method by stability,
    which mode of a flexible body, or why ``method="auto"`` could not change, or that an iteration limits the steps of
    esdirk54. ``method`` names what was used; ``methods`` are the times from which each method was, with its name;
    ``compiling`` are the seconds that the first change took to derive and compile."""

    method: str = ""
    steps: int = 0
    rejected: int = 0
    evaluations: int = 0
    jacobians: int = 0
    factorisations: int = 0
    seconds: float = 0.0
    projections: int = 0
    drift: float = 0.0
    speed_drift: float = 0.0
    limit: str = ""
    methods: tuple[tuple[float, str], ...] = ()
    compiling: float = 0.0

    @property
    def changes(self) -> int:
        """How often the method changed."""
        return max(0, len(self.methods) - 1)


@hint_keywords
class RunResult:
    """The motion of a system at the saved times.

    ``run["upper"]`` is a coordinate, ``run["u.upper"]`` a speed, ``run["energy.total"]``, ``run["tip"]`` an output;
    ``run.q``, ``run.u``, ``run.u_dot``, ``run.z``, ``run.inputs``, ``run.outputs``, ``run.energies``, ``run.momenta``,
    ``run.loads``, ``run.poses``, ``run.powers``, ``run.works``, ``run.multipliers``, ``run.residuals`` and
    ``run.residual_rates``, ``run.engaged`` are the groups by name; ``run.impulses`` are those at events. Iterating
    gives all full names. The attributes of the result of scipy's solve_ivp are here too: t, y, sol, t_events, y_events,
    nfev, njev, nlu, status, message, success.

    ``recorder`` computes the variables that follow from the state; a run without one (from a file) holds them in
    ``recorded`` and, for both sides of the jumps, in ``sides``. ``knots`` are the ends of the integrator's steps, up to
    ``max_knots``: ``sol`` and ``at`` interpolate between them. If ``measures_drift``, the recorder computes the drift
    in the statistics when these are first used. ``held`` are the held values (flags, captured poses) at the saved
    times, and ``held_steps`` those at all times; None for a system without. A run from a file has the former among its
    variables. ``drawing`` is what pictures need to know of the system; None if it is not known.
    """

    def __init__(
        self,
        about: About,
        t: Array,
        x: Array,
        *,
        status: int = 0,
        message: str = "",
        events: Events | None = None,
        statistics: Statistics | None = None,
        recorder: StateRecorder | None = None,
        recorded: Mapping[str, Array] | None = None,
        sides: Mapping[str, Array] | None = None,
        knots: Knots | None = None,
        measures_drift: bool = False,
        held: Array | None = None,
        held_steps: HeldSteps | None = None,
        drawing: Drawing | None = None,
    ) -> None:
        if x.shape != (len(t), len(about.state)):
            raise ArgumentError(
                f"run of {about.system}: {len(t)} times and {len(about.state)} states need x of shape"
                f" ({len(t)}, {len(about.state)}), not {x.shape}"
            )
        self.about, self.t, self.x = about, t, x
        self.status, self.message = status, message
        self.events = Events() if events is None else events
        self._counts, self._measures_drift = Statistics() if statistics is None else statistics, measures_drift
        self._recorder, self.held_rows, self.held_steps = recorder, held, held_steps
        self._recorded, self._sides = dict(recorded or {}), dict(sides or {})
        self.knots = Knots.none(len(about.state)) if knots is None else knots
        self._drawing = drawing

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            known = vars(self).get("about")
            hint = {} if known is None or name.startswith("_") else self._usual(name)
            raise no_attribute(self, name, hint)

    def _usual(self, name: str) -> dict[str, str]:
        """What to write for an attribute that results of other programs have, or that is the name of a variable."""
        key = next((one for one in (name, name.replace("_", ".", 1)) if one in self), None)
        return ATTRIBUTES if key is None else {name: f'run["{key}"]'}

    @cached_property
    def joined(self) -> "Joined | None":
        """What changed where this run continues that of another system, ``simulate(start=…)``; None of other runs."""
        info = self.about.joined
        if info is None or not len(self):
            return None
        kinetic, potential = (float(self[f"energy.{name}"][0]) for name in ("kinetic", "potential"))
        after = MomentaAndEnergies(self["momentum.linear"][0], self["momentum.angular"][0], kinetic, potential)
        before = MomentaAndEnergies(np.array(info.linear), np.array(info.angular), info.kinetic, info.potential)
        return Joined(info.system, info.taken, info.given, info.left, dict(info.parameters), before, after)

    @property
    def assembly(self) -> AssemblyInfo | None:
        """What was changed at the start so that it satisfies the constraints: what moved by how much, the energy that
        springs stored, singular positions on the way; None if nothing."""
        return self.about.assembly

    @property
    def drawing(self) -> Drawing | None:
        return self._drawing

    def __repr__(self) -> str:
        if not len(self.t):
            return f"<Trajectory of {self.about.system}: empty>"
        return (
            f"<Trajectory of {self.about.system}: {len(self.t)} times from {self.t[0]:g} to {self.t[-1]:g} s,"
            f" {self._counts.steps} steps; {self.message}>"
        )

    @cached_property
    def statistics(self) -> Statistics:
        """What the run cost, its drift, and what limits its steps."""
        if self._recorder is None or not self._measures_drift:
            return self._counts
        times = self.events.times_of_rows(self.t, self.x)
        drift, speed_drift = self._recorder.drift(times, self.x, self.held_rows)
        limit = self._counts.limit or self._recorder.step_limit(self.t, self.x, self.knots)
        return replace(self._counts, drift=drift, speed_drift=speed_drift, limit=limit)

    def _repr_html_(self) -> str:
        from freebody.results.summary import html

        return html(self)

    def summary(self) -> str:
        """What the run is, what it cost and how well its energy balance holds, as lines of text."""
        from freebody.results.summary import text

        return text(self)

    # By name

    @cached_property
    def recorded(self) -> Mapping[str, Array]:
        """ẋ and every variable at the saved times, computed when first asked for."""
        if self._recorder is None:
            return dict(self._recorded)
        times = self.events.times_of_rows(self.t, self.x)
        known = {**self._recorded, **self._recorder(times, self.x, held=self.held_rows)}
        return Recorded(known, work_keys(self), lambda: self._works.saved)

    @cached_property
    def sides(self) -> Mapping[str, Array]:
        """The same before and after each event that changes something, two rows for each."""
        jumps, e, held = self.events.jumps, self.events, None
        if self._recorder is None or not len(jumps):
            return self._sides
        if e.held:
            both = np.stack([e.held_before[jumps], e.held_after[jumps]], 1)
            held = both.reshape(2 * len(jumps), len(e.held))
        known = self._recorder(e.instants[jumps].reshape(-1), self._jump_states, held=held)
        return Recorded(known, work_keys(self), lambda: self._works.sides)

    @cached_property
    def _works(self) -> Works:
        if self._recorder is None:
            return Works({}, {})
        powers = self._recorder.powers

        def powers_at(t: Array, x: Array) -> Mapping[str, Array]:
            return powers(t, x, self._held_at(t))

        return integrate_powers(self, powers_at, np.repeat(self.events.t[self.events.jumps], 2))

    @cached_property
    def variables(self) -> dict[str, Variable]:
        """The recorded variables by key."""
        return {v.key: v for v in self.about.variables}

    def __len__(self) -> int:
        """The number of saved times."""
        return len(self.t)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[str]:
        """The full names of the recorded variables."""
        return iter(self.variables)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._find(name) is not None

    def __getitem__(self, name: str) -> Array:
        key = self.key(name)
        return self.x[:, self._column[key]] if key in self._column else self.recorded[key]

    def key(self, name: str) -> str:
        """The full name of a variable, from that name itself or from the name in the first group that has it."""
        if not isinstance(name, str):
            raise UnknownNameError(f"run of {self.about.system}: a name must be text, not {name!r}")
        key = self._find(name)
        if key is not None:
            return key
        known = list(self.variables)
        near = nearest(name, [*known, *(v.name for v in self.about.variables)])
        if name in TIMES:
            raise UnknownNameError(f"run of {self.about.system}: nothing is called '{name}'; the times are run.t")
        if name in ("x", "y", "state", "states"):
            raise UnknownNameError(
                f"run of {self.about.system}: nothing is called '{name}'; all states are run.x, with"
                " a column for each name in run.about.state"
            )
        some = f"{', '.join(known[:20])}{' …' if len(known) > 20 else ''}"
        hint = f"did you mean {' or '.join(near)}?" if near else f"its variables: {some or 'none'}"
        if self.about.omitted:
            hint += (
                f". Coordinates {listed(self.about.omitted)} are omitted, and what depends on them:"
                " run.integrate_omitted() computes them"
            )
        raise UnknownNameError(f"run of {self.about.system}: nothing is called '{name}'; {hint}")

    def _find(self, name: str) -> str | None:
        candidates = (name, *(f"{g}.{name}" for g in GROUPS))
        return next((k for k in candidates if k in self.variables), None)

    @cached_property
    def _column(self) -> dict[str, int]:
        return {key: k for k, key in enumerate(self.about.state)}

    def group(self, group: str) -> dict[str, Array]:
        """The variables of one group, by the names the user knows."""
        return {v.name: self[v.key] for v in self.about.variables if v.group == group}

    q = property(lambda self: self.group("q"), doc="Coordinates by name.")
    u = property(lambda self: self.group("u"), doc="Speeds by name.")
    u_dot = property(lambda self: self.group("u_dot"), doc="Accelerations by name.")
    z = property(lambda self: self.group("z"), doc="Extra states by name.")
    inputs = property(lambda self: self.group("input"), doc="Inputs by name.")
    outputs = property(lambda self: self.group("output"), doc="Outputs by name.")
    energies = property(lambda self: self.group("energy"), doc="Kinetic, potential, total, strain; the work supplied.")
    momenta = property(lambda self: self.group("momentum"), doc="Linear momentum, and angular about the origin.")
    loads = property(lambda self: self.group("load"), doc="Loads by name.")
    drive_forces = property(lambda self: self.group("drive_force"), doc="Forces of prescribed motions, by speed.")
    powers = property(lambda self: self.group("power"), doc="Powers of loads, drives and joints.")
    works = property(lambda self: self.group("work"), doc="The powers integrated since the start.")
    multipliers = property(lambda self: self.group("multiplier"), doc="λ of each equation of the constraints.")
    residuals = property(lambda self: self.group("residual"), doc="φ of each equation of the constraints.")
    residual_rates = property(lambda self: self.group("residual_rate"), doc="G u + offset of each of these equations.")
    engaged = property(lambda self: self.group("engaged"), doc="1 while a constraint that can be switched is engaged.")
    poses = property(lambda self: self.group("pose"), doc="x, y, z, qw, qx, qy, qz of each body in the ground.")

    @property
    def impulses(self) -> dict[str, Array]:
        """The impulse of each equation of the constraints at each event, by the name of its multiplier."""
        return {name: self.events.impulses[:, k] for k, name in enumerate(self.events.rows)}

    @property
    def final(self) -> dict[str, float]:
        """The last state, by full name; empty for an empty run."""
        return dict(zip(self.about.state, self.x[-1].tolist(), strict=True)) if len(self.t) else {}

    @property
    def drift(self) -> tuple[float, float]:
        """The largest residuals of coordinates and of speeds that the constraints leave at the saved times."""
        return self.statistics.drift, self.statistics.speed_drift

    @cached_property
    def energy_balance(self) -> Balance | None:
        """The error of the balance between the change of energy and the work of loads, drives and joints, with the
        scale it is relative to; None where the run does not hold the work (a file of an earlier version)."""
        return balance(self)

    @property
    def energy_error(self) -> float:
        """The error of the energy balance, relative to the largest energy or work in it; NaN where it is not known."""
        return float("nan") if self.energy_balance is None else self.energy_balance.error

    # As scipy's OdeResult

    y = property(lambda self: self.x.T, doc="The states, one column a time.")
    success = property(lambda self: self.status >= 0, doc="Whether the run reached its end or a terminal event.")
    nfev = property(lambda self: self.statistics.evaluations)
    njev = property(lambda self: self.statistics.jacobians)
    nlu = property(lambda self: self.statistics.factorisations)

    @property
    def t_events(self) -> list[Array]:
        return [self.events.t[self.events.index == k] for k in range(len(self.events.names))]

    @property
    def y_events(self) -> list[Array]:
        return [self.events.before[self.events.index == k] for k in range(len(self.events.names))]

    # Between the saved times

    def sol(self, t: ArrayLike) -> Array:
        """The state at any time, (nx,) for one time and (nx, n) for several, quaternions at unit length. Within a step
        of "dop853", "dopri5" and "rodas5p" it is the state that the method itself would have saved there; elsewhere it
        is interpolated by cubic Hermite splines between the ends of steps, the saved times and the jumps, and projected
        to the constraints unless the run was loaded from a file. At a jump it is the state after."""
        times = self._inside(t)
        if "x_dot" not in self.recorded:
            raise ArgumentError(f"run of {self.about.system}: it holds no rates 'x_dot', so nothing between its times")
        x = self._curve(times * self._timeline.sign)
        between = np.flatnonzero(~np.isin(times * self._timeline.sign, self._curve.t))
        exact = self._retraced(times[between])
        if exact is not None:
            x[between] = np.where(np.isfinite(exact), exact, x[between])
            between = between[~np.isfinite(exact).all(axis=1)]
        for k in self.about.quaternions:
            x[:, k : k + 4] = normalised(x[:, k : k + 4])
        if self._recorder is not None:
            x[between] = self._recorder.project(times[between], x[between], self._held_at(times[between]))
        return x[0] if np.ndim(t) == 0 else x.T

    def _retraced(self, times: Array) -> Array | None:
        """The states inside steps, by the method that integrated them; None where it is not available."""
        if self._recorder is None or not len(times) or not len(self.knots):
            return None
        return self._recorder.retrace(self.knots, times, self._held_at(times))

    def _held_at(self, times: Array) -> Array | None:
        """The held values at times inside the run; None for systems without."""
        if self.held_steps is None:
            return None
        return self.held_steps.at(times, -1.0 if len(self.t) and self.t[-1] < self.t[0] else 1.0)

    def refined(self) -> Knots:
        """The knots, with more of them inside each step where the method that integrated them is available: for a
        reader who has only cubic interpolation."""
        parts = min(FINE, max_knots(len(self.about.state)) // max(1, len(self.knots)))
        a, size = self.knots.t[:-1, None], np.diff(self.knots.t)[:, None]
        times = np.ravel(a + size * np.arange(1, parts) / parts)
        x = self._retraced(times)
        if x is None or self._recorder is None:
            return self.knots
        known = np.isfinite(x).all(axis=1)
        rates = self._recorder(times[known], x[known], held=self._held_at(times[known]))["x_dot"]
        more = Knots(times[known], x[known], rates)
        return self.knots.joined(more, self._timeline.sign)

    def at(self, t: ArrayLike) -> Self:
        """The run at other times inside it, in its own order. The variables that follow from the state are computed
        again where the system is available, and interpolated by splines in a run that was loaded from a file."""
        times = self._inside(t)
        if np.any(np.diff(times) * self._timeline.sign < 0):
            raise ArgumentError(f"run of {self.about.system}: the times are not in the order of the run; sort them")
        recorded = {} if self._recorder is not None else {k: self._between(k, times) for k in self.recorded}
        return type(self)(
            self.about,
            times,
            self.sol(times).T,
            status=self.status,
            message=self.message,
            events=self.events,
            statistics=self.statistics,
            recorder=self._recorder,
            recorded=recorded,
            sides=self._sides,
            knots=self.knots,
            held=self._held_at(times),
            held_steps=self.held_steps,
            drawing=self._drawing,
        )

    def series(self, name: str) -> tuple[Array, Array]:
        """Times and values to draw: the saved ones, and both sides of every jump, where a time occurs twice."""
        key = self.key(name)
        sides = self._jump_states[:, self._column[key]] if key in self._column else self.sides.get(key)
        return self._timeline.t, self._timeline.merge(self[key], sides)

    def staircase(self, name: str) -> tuple[Array, Array] | None:
        """Times and values to draw of a variable that is held between instants: both ends of each step. None of other
        variables, and of runs that do not have the times of the steps."""
        variable, steps = self.variables.get(self.key(name)), self.held_steps
        if variable is None or not variable.steps or steps is None or not set(variable.columns) <= set(steps.names):
            return None
        rows = steps.values[:, [steps.names.index(column) for column in variable.columns]]
        t = np.append(np.repeat(steps.t, 2)[1:], max(self.t[-1], steps.t[-1], key=lambda t: t * self._timeline.sign))
        values = np.repeat(rows, 2, axis=0)
        return t, values if variable.parts else values[:, 0]

    def _inside(self, t: ArrayLike) -> Array:
        try:
            asked = np.atleast_1d(np.asarray(t, float))
        except (TypeError, ValueError, OverflowError):
            asked = None
        if asked is None or asked.ndim > 1 or np.ma.is_masked(t):
            raise ArgumentError(f"run of {self.about.system}: times are a number or a row of numbers, not {t!r}"[:300])
        times = self._timeline.inside(asked)
        if times is not None:
            return times
        span = f"from {self.t[0]:g} to {self.t[-1]:g} s" if len(self.t) else "no time at all"
        raise ArgumentError(f"run of {self.about.system}: it covers {span}; other times need another run")

    def _between(self, key: str, times: Array) -> Array:
        """A recorded variable at other times."""
        line, is_pose = self._timeline, key in self.variables and self.variables[key].is_pose
        values = line.merge(self.recorded[key], self.sides.get(key))
        if key in self.variables and self.variables[key].steps:
            steps, columns = self.held_steps, self.variables[key].columns
            if steps is not None and set(columns) <= set(steps.names):
                rows = steps.at(times, line.sign)[:, [steps.names.index(name) for name in columns]]
                return rows if self.variables[key].parts else rows[:, 0]
            # a file of an earlier version: held since the last row
            return np.asarray(values[np.searchsorted(line.t * line.sign, times * line.sign, side="right") - 1])
        if is_pose:
            values = np.hstack([values[:, :-4], unwound(values[:, -4:])])
        result = spline(line.t * line.sign, values, times * line.sign)
        if is_pose:
            result[:, -4:] = normalised(result[:, -4:])
        return result

    @cached_property
    def _timeline(self) -> Timeline:
        """The saved rows and, where values for their sides are available, the jumps."""
        return Timeline(self.t, self.events.t[self.events.jumps] if "x_dot" in self.sides else self.t[:0])

    @cached_property
    def _curve(self) -> HermiteCurve:
        """The interpolated states over increasing time: between both sides of jumps, ends of steps and saved rows."""
        line, rates = self._timeline, self.recorded["x_dot"]
        saved = Knots(line.t, line.merge(self.x, self._jump_states), line.merge(rates, self.sides.get("x_dot")))
        at_jump = np.isin(line.t, line.jumps)
        ends = self.knots.joined(saved[np.flatnonzero(~at_jump)], line.sign)
        nodes = saved[np.flatnonzero(at_jump)].joined(ends, line.sign)
        return HermiteCurve(nodes.t * line.sign, nodes.x, nodes.x_dot * line.sign)

    @property
    def _jump_states(self) -> Array:
        """The state before and after each jump."""
        before, after = (side[self.events.jumps] for side in (self.events.before, self.events.after))
        return np.stack([before, after], 1).reshape(2 * len(before), len(self.about.state))

    # Files and tables

    def to_xarray(self) -> "xarray.Dataset":
        """A dataset over ``time``, with units and descriptions as attributes and everything that ``load`` needs."""
        from freebody.results import files

        return files.dataset(self)

    def to_pandas(self) -> "pandas.DataFrame":
        """A table with a column for each number, indexed by time."""
        from freebody.results import files

        return files.table(self)

    def save(self, path: str | Path) -> Path:
        """Write the run as NetCDF (.nc), Parquet (.parquet) or CSV (.csv)."""
        from freebody.results import files

        return files.save(self, path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """A run as it was saved to NetCDF or Parquet; the system is not needed."""
        from freebody.results import files

        return files.load(path, cls)
