"""Paths of coordinates along which targets are followed, by continuation from one position to the next."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.transform import Rotation

from freebody.analysis.inverse_kinematics import InverseKinematics
from freebody.analysis.inverse_kinematics_result import InverseKinematicsResult
from freebody.analysis.inverse_kinematics_solvers import solver_of
from freebody.analysis.targets import read_targets, read_weights
from freebody.errors import AnalysisWarning, ArgumentError, warn
from freebody.formulations.derivation import Derivation
from freebody.run import arguments
from freebody.run.initial import InitialValues
from freebody.tables import TableRepr, TextTable, counted, listed

Array = NDArray[np.float64]
FAR = 0.3
"""A change of a coordinate (rad, m) between neighbouring times beyond which the step is divided."""

DIVISIONS = 8
"""How often a step is halved before a change is taken for a jump."""

LARGER = 3.0
"""A change is no jump where it is at most so many times what the speeds before it give."""


class Jump(NamedTuple):
    """A change of a coordinate at a time that does not become smaller with the steps: another branch is taken."""

    t: float
    coordinate: str
    change: float

    def __str__(self) -> str:
        return f"'{self.coordinate}' jumps by {self.change:.3g} at t = {self.t:.6g}"


class InverseKinematicsPath(TableRepr):
    """Coordinates ``q`` at the times ``t``, a row each; ``converged``: where the targets are reached; ``results``,
    those of each time; ``jumps`` between branches."""

    def __init__(
        self, system: str, t: Array, results: list[InverseKinematicsResult], jumps: list[Jump], one: Mapping[str, int]
    ) -> None:
        self.t, self.results, self.jumps = t, tuple(results), tuple(jumps)
        self.q = np.array([result.q for result in results])
        self.names = results[0].names
        self._system, self._single = system, dict(one)

    @cached_property
    def converged(self) -> NDArray[np.bool_]:
        return np.array([result.converged for result in self.results])

    def __getitem__(self, name: str) -> Array:
        """The values of a coordinate."""
        if name not in self.names:
            raise KeyError(f"there is no coordinate '{name}'; choose from {', '.join(self.names)}")
        return self.q[:, self.names.index(name)]

    def motion(self, name: str) -> tuple[Array, Array]:
        """(times, values) of the coordinate of a joint, as its prescribed ``motion`` takes them: a smooth curve goes
        through them."""
        if name in self.names and name not in self._single:
            raise ArgumentError(
                f"{self._system}: the motion of '{name}' cannot be prescribed on its own: its rate is no speed of the"
                " joint; path['…'] has its values"
            )
        return self.t, self[name].copy()

    @property
    def message(self) -> str:
        missed = np.flatnonzero(~self.converged)
        parts = [str(jump) for jump in self.jumps]
        if len(missed):
            k = int(missed[0])
            several = counted(len(missed), "time")
            parts.append(f"not reached at {several}, first at t = {self.t[k]:.6g}: {self.results[k].message}")
        return "; ".join(parts) or "followed"

    def _table(self) -> TextTable:
        rows = []
        for k, name in enumerate(self.names):
            column = self.q[:, k]
            rows.append((name, *(f"{x:.6g}" for x in (column[0], column[-1], column.min(), column.max()))))
        title = f"path of {self._system} at {counted(len(self.t), 'time')}: {self.message}"
        return TextTable(title, ("coordinate", "first", "last", "lowest", "highest"), tuple(rows))


Sampled = Callable[[float], Any]
"""The value of a target at a time."""


def follow(
    e: Derivation,
    defaults: Mapping[str, float],
    times: ArrayLike,
    targets: Any,
    q: InitialValues,
    limits: Any,
    weights: Any,
    hold: Any,
    posture: Any,
    parameters: Mapping[str, float] | None,
    engaged: Any,
    tolerance: float,
    steps: int,
    restarts: int,
    seed: int,
) -> InverseKinematicsPath:
    """The path along targets that are functions of time or arrays."""
    name = e.tree.model.name
    t = np.atleast_1d(arguments.numbers(times, f"{name}: times"))
    if t.ndim != 1 or len(t) < 2 or (np.diff(t) <= 0).any():
        raise ArgumentError(f"{name}: times are at least two increasing numbers, not {arguments.shorten(times)}")
    if not isinstance(targets, Mapping) or not targets:
        raise ArgumentError(f"{name}: targets are a mapping of bodies, points or names to paths, not {targets!r}")
    sampled = {key: _sampled(value, t, f"{name}: target {arguments.shorten(key)}") for key, value in targets.items()}
    at_start = {key: of(float(t[0])) for key, of in sampled.items()}
    read = read_targets(e, at_start, {})
    solver = solver_of(e, defaults, read)
    options = (limits, weights, hold, posture, float(t[0]), parameters, engaged, tolerance, steps, restarts, seed)
    first = solver.solve(read, at_start, q, *options)
    solver.set_options(limits, hold, read_weights(read, list(targets), weights, name), None)
    path = _Continuation(solver, sampled, first.q, tolerance, steps)
    results, jumps = [first], list[Jump]()
    for start, end in zip(t[:-1].tolist(), t[1:].tolist(), strict=True):
        result, jump = path.step(start, end)
        results.append(result)
        jumps += [jump] if jump is not None else []
    one = {e.layout.q[k]: k for k in solver.problem.index.tolist() if k >= 0}
    found = InverseKinematicsPath(name, t, results, jumps, one)
    if jumps:
        text = listed([str(jump) for jump in jumps], 3)
        warn(f"{name}: {text}; begin at another q, or lead the targets around this place", AnalysisWarning)
    return found


class _Continuation:
    """The present position on a path and the way that led to it."""

    def __init__(
        self, solver: InverseKinematics, sampled: Mapping[Any, Sampled], q: Array, tolerance: float, steps: int
    ) -> None:
        self.solver, self.sampled, self.q = solver, sampled, q
        self.tolerance, self.steps = float(tolerance), steps
        self.rates = np.zeros(len(q))
        self.quaternions = solver.about.quaternions

    def solve(self, t: float, start: Array) -> InverseKinematicsResult:
        s = self.solver
        read = read_targets(s.e, {key: of(t) for key, of in self.sampled.items()}, s.places)
        s.time[0] = t
        s.aim(read)
        return s.search(start, self.tolerance, self.steps)

    def guess(self, h: float) -> Array:
        """q a time h ahead at the present rates."""
        q = self.q + h * self.rates
        for k in self.quaternions:
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
        return q

    def step(self, start: float, end: float) -> tuple[InverseKinematicsResult, Jump | None]:
        """The position at the end, in as many parts as it needs."""
        t, h, least, jump = start, end - start, (end - start) / 2**DIVISIONS, None
        while True:
            ahead = min(t + h, end) if end - t > 1.5 * least else end
            before, expected = self.q, np.abs(self.rates * (ahead - t))
            result = self.solve(ahead, self.guess(ahead - t))
            change = result.q - before
            smooth = np.abs(change) <= np.maximum(FAR, LARGER * expected)
            smallest = ahead - t <= 1.001 * least
            if not (smooth.all() and result.converged) and not smallest:
                h = max((ahead - t) / 2, least)
                if result.converged or not self._hopeless(result, change):
                    continue
            if not smooth.all():
                k = int(np.argmax(np.abs(change)))
                jump = jump or Jump(ahead, result.names[k], float(change[k]))
            self.rates = change / (ahead - t) if smooth.all() else np.zeros(len(change))
            self.q, t = result.q, ahead
            if t >= end:
                return result, jump
            h = min(2 * h, end - t)

    def _hopeless(self, result: InverseKinematicsResult, change: Array) -> bool:
        """Whether smaller steps would not help: the closest pose is near the position before."""
        return result.reason == "unreachable" and bool((np.abs(change) <= FAR).all())


def _sampled(value: Any, t: Array, context: str) -> Sampled:
    """The value of a target as a function of time: rows of arrays are joined by straight lines and rotations about
    fixed axes."""
    if callable(value):
        return lambda time: value(time)
    if isinstance(value, Mapping):
        parts = {name: _of_part(part, t, f"{context}, '{name}'", name) for name, part in value.items()}
        return lambda time: {name: of(time) for name, of in parts.items()}
    if isinstance(value, tuple | list) and len(value) == 2:
        first, second = value
        if np.shape(first)[-2:] == (3, 3) and np.shape(second)[-1:] == (3,) and np.ndim(second) <= 2:
            first, second = (second, first) if np.ndim(first) == 3 or np.ndim(second) == 1 else (first, second)
        p, R = _of_part(first, t, context, "position"), _of_part(second, t, context, "rotation")
        return lambda time: (p(time), R(time))
    array = arguments.real(value, context)
    if array.shape == (len(t), 7):
        p, R = (
            _of_part(part, t, context, kind) for part, kind in ((array[:, :3], "position"), (array[:, 3:], "rotation"))
        )
        return lambda time: (p(time), R(time))
    if array.shape == (len(t), 4, 4):
        p, R = _of_part(array[:, :3, 3], t, context, "position"), _of_part(array[:, :3, :3], t, context, "rotation")
        return lambda time: (p(time), R(time))
    kind = "rotation" if array.shape[-1:] == (4,) or array.ndim == 3 else "position"
    return _of_part(array, t, context, kind)


def _of_part(value: Any, t: Array, context: str, kind: str) -> Sampled:
    """A part of a target as a function of time; one without rows is constant."""
    if callable(value):
        return lambda time: value(time)
    if kind not in ("position", "rotation"):
        if kind != "axis" or not isinstance(value, Mapping):
            return lambda time: value  # what is wrong with it is said where targets are read
        axes = {axis: _of_part(way, t, context, "position") for axis, way in value.items()}
        return lambda time: {axis: of(time) for axis, of in axes.items()}
    array = arguments.real(value, context)
    single = ((3, 3), (4,)) if kind == "rotation" else ((3,),)
    if array.shape in single:
        return lambda time: array
    if array.ndim < 2 or len(array) != len(t) or array.shape[1:] not in single:
        shapes = " or ".join(str((len(t), *shape)) for shape in single)
        raise ArgumentError(f"{context}: the path of a {kind} has the shape {shapes}, not {array.shape}")
    if kind == "rotation":
        turns = Rotation.from_matrix(array) if array.ndim == 3 else Rotation.from_quat(array[:, [1, 2, 3, 0]])

        def turned(time: float) -> Array:
            k = int(np.clip(np.searchsorted(t, time, side="right") - 1, 0, len(t) - 2))
            part = (time - t[k]) / (t[k + 1] - t[k])
            between = (turns[k + 1] * turns[k].inv()).as_rotvec()
            return np.asarray((Rotation.from_rotvec(part * between) * turns[k]).as_matrix())

        return turned
    return lambda time: np.array([np.interp(time, t, column) for column in array.T])
