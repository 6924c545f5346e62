"""Inverse kinematics: coordinates at which bodies and points reach targets, near a guess, with loops closed and joint
limits kept.

A solver is made once for targets of the same kind; its iteration is machine code (``integrate/least_squares``). Where
the steps end at a stationary point that is not a target, the second derivatives decide: at a minimum the target is
unreachable from there, else the search goes on along a direction in which the residual decreases to second order.
"""

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.analysis import inverse_kinematics_result as results
from freebody.analysis.inverse_kinematics_options import held_columns, limit_ranges, pulls
from freebody.analysis.inverse_kinematics_result import (
    InverseKinematicsResult,
    SolverFacts,
    tangent,
)
from freebody.analysis.stationary_points import OPEN, close, downwards
from freebody.analysis.target_equations import ROWS, TargetEquations, TargetPart
from freebody.analysis.targets import (
    EXACT,
    PoseTarget,
    fill,
    free_rows,
    plain_poses,
    read_targets,
    read_weights,
)
from freebody.backends import compile
from freebody.errors import ArgumentError
from freebody.formulations.derivation import Derivation
from freebody.formulations.memo import key_of
from freebody.integrate.least_squares import FREE, HELD, CompiledCall, LeastSquares
from freebody.integrate.least_squares_record import NOT_FINITE, REACHED, STATIONARY
from freebody.quantities.kinematics import Location
from freebody.results.about import About
from freebody.run import arguments
from freebody.run.assembly import assemble
from freebody.run.bodies import body_infos
from freebody.run.initial import InitialValues, default_state, initial_state, state_keys
from freebody.run.inputs import parameter_values
from freebody.run.switching import engaged_at_start
from freebody.scalar.walk import symbols_of
from freebody.tree.joint_forces import driven_coordinates
from freebody.tree.tree import quaternions

Array = NDArray[np.float64]
CLOSED = 1e-13
"""The largest residual of constraints of a result, times 1 + |q|."""

ESCAPE, ESCAPES = 0.2, 6
"""The way (rad or m) from a stationary point that is no minimum at which the search goes on; and how often."""

UNIT = 1e-12
"""Quaternions of a guess are taken as they are where their squares differ from 1 by less."""

DAMPING = 0.1
SETTLED = 1e-6
"""Steps shorter than this end the search for the posture."""

SPREAD = np.pi
"""Random starts of coordinates without limits are within this of the guess."""

SAMPLES = 3


def require_own_positions(e: Derivation) -> None:
    """Refuse joints and constraints that inputs or extra states move: their values are not known here."""
    nodes = [link.body.q[k].handle for link in e.tree.links for k in driven_coordinates(link)]
    symbols = [e.graph.symbols[e.graph.a[h]] for h in symbols_of(e.graph, [*nodes, *e.residuals])]
    moving = [s.name for s in symbols if s.name in e.layout.z or s.name in e.layout.user_inputs]
    if moving:
        raise ArgumentError(
            f"{e.tree.model.name}: positions depend on '{moving[0]}', and inverse kinematics knows no values of inputs"
            " and extra states: write the motion of the joint with a parameter or t in its place, motion='…'"
        )


class InverseKinematics:
    """A solver for targets of the same bodies and points, and of the same kind; call it with their values. One thread
    at a time may call it."""

    def __init__(
        self,
        e: Derivation,
        defaults: Mapping[str, float],
        names: Sequence[str],
        parts: Sequence[TargetPart],
        key: Hashable,
        places: dict[Any, tuple[str, Location]],
    ) -> None:
        require_own_positions(e)
        self.e, self.defaults, self.target_names, self.places = e, dict(defaults), tuple(names), places
        self.equations, self.key = TargetEquations(e, parts), key
        self.problem: LeastSquares = self.equations.problem()
        self.numbers, self.time = np.zeros(self.equations.starts[-1]), np.zeros(1)
        self.plain = set[tuple[Any, ...]]()
        """Bodies and points of which pairs of a position and a rotation are the targets of this solver."""
        self._off, self._ones = np.zeros(1), [1.0] * len(parts)
        self._check = CompiledCall(compile(self.equations.check).bind(), {"target": self.numbers, "off": self._off})
        self.inputs = np.array([*e.layout.default_inputs, 0.0], float)[: len(e.layout.inputs)]
        self._cosines = np.ones(len(self.equations.closures))
        self._closures: CompiledCall | None = None
        self._parameters: dict[str, float] | None = None
        self._options: Hashable = None
        self.weights = np.ones(self.problem.r)
        self._asked, self._free = self.weights, np.ones(self.problem.n, bool)
        self._limited: tuple[tuple[int, float, float], ...] = ()
        self._closed: dict[Hashable, Array] = {}
        self.facts: SolverFacts | None = None
        self._posture = np.zeros(self.problem.n)

    # Numbers that calls change

    def set_parameters(self, parameters: Mapping[str, float] | None) -> None:
        values = parameter_values(self.e, self.defaults, parameters) if parameters else self.defaults
        if values == self._parameters:
            return
        constants = {"t": self.time, "inputs": self.inputs, "target": self.numbers}
        self.problem.connect(*self.equations.bound(dict(values)), constants)
        if self.equations.closures:
            cosines = compile(self.equations.cosines).bind(values)
            arrays = {**constants, "q": self.problem.q, "cosines": self._cosines}
            self._closures = CompiledCall(cosines, arrays)
        self._parameters, self._options = dict(values), None

    def set_values(self, t: float, parameters: Mapping[str, float] | None, engaged: Any) -> None:
        """The time, parameters and switched constraints of the next searches."""
        self.set_parameters(parameters)
        self.time[0] = t if type(t) is float and isfinite(t) else arguments.number(t, "t")
        if engaged is not None or len(self.inputs):
            layout = self.e.layout
            flags = dict(zip(layout.inputs, layout.default_inputs, strict=True)) | engaged_at_start(self.e, engaged)
            self.inputs[:] = list(flags.values())

    @property
    def parameters(self) -> dict[str, float]:
        return self._parameters or {}

    @cached_property
    def about(self) -> About:
        e = self.e
        infos = body_infos(e, self.defaults)
        return About(e.tree.model.name, "", infos, (), state_keys(e), quaternions(e.tree))

    def set_options(self, limits: Any, hold: Any, weights: Sequence[float], posture: Any) -> None:
        plain = type(limits) is bool and type(hold) in (str, tuple) and posture is None
        key = (limits, hold, *weights) if plain else key_of(limits, hold, list(weights), posture)
        if key is not None and key == self._options:
            if self._asked is not self.weights:
                self.problem.weight[:] = self._asked = self.weights
            return
        p, values = self.problem, self.parameters
        p.low[:], p.high[:] = -np.inf, np.inf
        for k, (low, high) in limit_ranges(self.e, values, limits).items():
            columns = np.flatnonzero(p.index == k)
            p.low[columns], p.high[columns] = low, high
        self._limited = tuple(
            (int(k), float(low), float(high))
            for k, low, high in zip(p.index, p.low, p.high, strict=True)
            if k >= 0 and (np.isfinite(low) or np.isfinite(high))
        )
        p.start_status[:] = FREE
        p.start_status[: p.n][held_columns(self.e, self.about, self.equations.columns, p.index, hold)] = HELD
        self.weights = np.repeat(np.asarray(weights, float), ROWS)
        self._posture = pulls(self.e, self.about, p.index, posture)
        self._options, self.facts = key, None
        p.weight[:] = self._asked = self.weights

    def _is_state(self, q: Array) -> bool:
        """Whether coordinates are finite, with quaternions at unit length."""
        units = (q[k : k + 4] for k in self.about.quaternions)
        return isfinite(q.sum()) and all(abs(x @ x - 1) < UNIT for x in units)

    def guess(self, q: InitialValues, t: float, parameters: Any, engaged: Any) -> Array:
        """The start: values by name beside the default ones, or a vector; of systems with constraints assembled."""
        e, nq = self.e, len(self.e.layout.q)
        if isinstance(q, np.ndarray) and q.shape == (nq,) and q.dtype == np.float64 and self._is_state(q):
            start = q
        else:
            start = initial_state(self.about, default_state(e), q=q)[:nq]
        if not self.problem.m:
            return start
        self.problem.evaluate(start)
        if q is not None and np.abs(self.problem.phi).max(initial=0.0) <= OPEN:
            self.problem.q[:] = start
            if not self._half_turned():
                return start
        key = start.tobytes(), t, str(parameters), str(engaged)
        if key not in self._closed:
            self._closed.clear()
            result = assemble(e, self.defaults, None, None, t, parameters, (), engaged, "held", start)
            self._closed[key] = result.q
        return self._closed[key]

    # Solving

    def __call__(
        self,
        targets: Mapping[Any, Any],
        q: InitialValues = None,
        *,
        limits: Any = True,
        weights: Any = None,
        hold: Any = (),
        posture: Any = None,
        t: float = 0.0,
        parameters: Mapping[str, float] | None = None,
        engaged: Mapping[str, bool] | None = None,
        tolerance: float = 1e-10,
        steps: int = 1000,
        restarts: int = 0,
        seed: int = 0,
    ) -> InverseKinematicsResult:
        """The coordinates for values of the targets; the arguments are those of ``Equations.inverse_kinematics``."""
        read = None
        if weights is not None or not self.load(targets):
            read = read_targets(self.e, targets, self.places)
            if tuple((target.where, *target.parts) for target in read) != self.key:
                names = ", ".join(dict.fromkeys(self.target_names))
                raise ArgumentError(
                    f"{self.e.tree.model.name}: this solver is for targets of {names} of the kind that it was made"
                    " with; make another one by inverse_kinematics_solver(targets)"
                )
        return self.solve(
            read, targets, q, limits, weights, hold, posture, t, parameters, engaged, tolerance, steps, restarts, seed
        )

    def load(self, targets: Mapping[Any, Any]) -> bool:
        """Write the numbers of poses that are pairs of arrays for the next search; False if they are others, or not
        those of this solver, or if they have to be checked."""
        if tuple(targets) not in self.plain:
            return False
        arrays = plain_poses(targets)
        if arrays is None:
            return False
        np.concatenate(arrays, out=self.numbers)
        self._check()
        return bool(self._off[0] <= EXACT) and isfinite(self.numbers.sum())

    def solve(
        self,
        read: Sequence[PoseTarget] | None,
        targets: Mapping[Any, Any],
        q: InitialValues,
        limits: Any,
        weights: Any,
        hold: Any,
        posture: Any,
        t: float,
        parameters: Mapping[str, float] | None,
        engaged: Any,
        tolerance: float,
        steps: int,
        restarts: int,
        seed: int,
    ) -> InverseKinematicsResult:
        context = self.e.tree.model.name
        if not (isinstance(tolerance, float) and 0 < tolerance < np.inf):
            tolerance = arguments.number(tolerance, f"{context}: tolerance")
            if tolerance <= 0:
                raise ArgumentError(f"{context}: tolerance must be positive, in m and rad, not {tolerance:g}")
        if not ((type(steps) is int and steps > 0) or arguments.is_positive_integer(steps)):
            raise ArgumentError(f"{context}: steps must be a whole number from 1 on, not {arguments.shorten(steps)}")
        if restarts != 0 and not arguments.is_positive_integer(restarts):
            raise ArgumentError(
                f"{context}: restarts must be a whole number from 0 on, not {arguments.shorten(restarts)}"
            )
        self.set_values(t, parameters, engaged)
        own = self._ones if read is None else read_weights(read, list(targets), weights, context)
        self.set_options(limits, hold, own, posture)
        if read is not None:
            self.aim(read)
        start = self.guess(q, t, parameters, engaged)
        rng = arguments.generator(seed) if restarts else None
        return self.search(start, tolerance, steps, restarts, rng)

    def aim(self, targets: Sequence[PoseTarget]) -> None:
        """The numbers of targets for the next search; free rows of positions do not count."""
        if fill(self.numbers, targets):
            self._asked = np.where(free_rows(targets), 0.0, self.weights)
            self.problem.weight[:] = self._asked
        elif self._asked is not self.weights:
            self.problem.weight[:] = self._asked = self.weights

    def search(
        self, start: Array, tolerance: float, steps: int, restarts: int = 0, rng: np.random.Generator | None = None
    ) -> InverseKinematicsResult:
        """The search from a start, for the numbers of targets, weights and options that are set."""
        p = self.problem
        p.q[:] = start
        if self._posture.any():
            self._settle(start, steps)
        closed = CLOSED * (1 + float(np.abs(start).max())) if p.m else CLOSED
        why = p.solve(tolerance, closed, steps, damping=DAMPING)
        count, iterations = 1, p.iterations
        if why != REACHED:
            why, more = self._escape(why, tolerance, closed, steps)
            best, iterations = self._state(why), iterations + more
            while rng is not None and best.why != REACHED and count <= restarts:
                p.q[:] = self._random(start, rng)
                why = p.solve(tolerance, closed, steps, damping=DAMPING)
                count, iterations = count + 1, iterations + p.iterations
                if why != REACHED:
                    why, more = self._escape(why, tolerance, closed, steps)
                    iterations += more
                best = min(best, self._state(why), key=lambda state: state.rank)
            p.q[:], why = best.q, best.why
        if why == NOT_FINITE:
            raise ArgumentError(
                f"{self.e.tree.model.name}: the equations of the targets are not finite at this guess; give another"
                " q={…}"
            )
        reason = results.REACHED
        if why != REACHED:
            close(p, closed)
            reason = self._reason(why)
            p.evaluate(p.q)
        values, turned = p.values.copy(), self._half_turned()
        if self.facts is None:
            self.facts, self._free = self.new_facts(start), p.start_status[: p.n] == FREE
        return InverseKinematicsResult(
            self.facts, p.q.copy(), values, self._asked, self._free, reason, iterations, count, turned
        )

    def _half_turned(self) -> str:
        """The name of a closure that is closed half a turn away, at q; empty if there is none."""
        if self._closures is None:
            return ""
        self._closures()
        closures = zip(self.equations.closures, self._cosines, strict=True)
        return next((name for (name, _), cosine in closures if cosine < 0), "")

    def _settle(self, start: Array, steps: int) -> None:
        """A first search, in which the guess attracts coordinates."""
        p = self.problem
        own = p.index >= 0
        p.pull[:], p.centre[own] = self._posture, start[p.index[own]]
        p.solve(0.0, 0.0, steps, damping=DAMPING, shortest=SETTLED, settle=True)
        p.pull[:] = 0.0

    def _state(self, why: int) -> "SearchEnd":
        p = self.problem
        cost = p.record["cost"] if why != NOT_FINITE else np.inf
        return SearchEnd(p.q.copy(), why, (why != REACHED, p.far > OPEN, cost))

    def _random(self, start: Array, rng: np.random.Generator) -> Array:
        """A start within the limits."""
        p, q = self.problem, start.copy()
        for c in np.flatnonzero((p.index >= 0) & (p.start_status[: p.n] == FREE)):
            k, reach = p.index[c], SPREAD if p.arrays["angular"][c] else 1.0
            low, high = max(p.low[c], start[k] - reach), min(p.high[c], start[k] + reach)
            if np.isfinite([p.low[c], p.high[c]]).all() and p.high[c] - p.low[c] <= 2 * reach:
                low, high = p.low[c], p.high[c]
            q[k] = rng.uniform(min(low, high), max(low, high))
        return q

    # Stationary points

    def _escape(self, why: int, tolerance: float, closed: float, steps: int) -> tuple[int, int]:
        """Go on from stationary points that are no minima; why the search ended, and its iterations."""
        p, iterations = self.problem, 0
        for _ in range(ESCAPES):
            direction = downwards(self.problem) if why == STATIONARY and p.far <= OPEN else None
            if direction is None:
                break
            here = self._state(why)
            best = here
            for sign in (1.0, -1.0):
                p.q[:] = p.move(here.q, sign * ESCAPE * direction)
                why = p.solve(tolerance, closed, steps, damping=DAMPING)
                iterations += p.iterations
                if why == REACHED:
                    return why, iterations
                best = min(best, self._state(why), key=lambda state: state.rank)
            p.q[:], why = best.q, best.why
            if best is here:
                break
        return why, iterations

    def _reason(self, why: int) -> str:
        if why != STATIONARY:
            return results.STEPS
        self.problem.evaluate(self.problem.q)
        open_ = self.problem.m and np.abs(self.problem.phi).max() > OPEN
        return results.UNREACHABLE if open_ or downwards(self.problem) is None else results.SINGULAR

    def new_facts(self, start: Array) -> SolverFacts:
        """What results share; the rank that derivatives of targets have in general: at random coordinates, or of
        systems with constraints at the guess."""
        p, e = self.problem, self.e
        parts = [(name, part.kind) for name, part in zip(self.target_names, self.equations.parts, strict=True)]
        free, asked = p.start_status[: p.n] == FREE, p.weight > 0
        samples, rng = [start], np.random.default_rng(0)
        samples += [self._random(start, rng) for _ in range(0 if p.m else SAMPLES)]
        rank = 0
        for q in samples:
            p.evaluate(q)
            s = np.linalg.svd(p.J[asked][:, free] @ tangent(p.G[:, free]), compute_uv=False)
            rank = max(rank, int(np.count_nonzero(s > results.DEPENDENT * max(1e-300, s.max(initial=0.0)))))
        return SolverFacts(e.tree.model.name, e.layout.q, tuple(parts), self._limited, rank, p.parts)


class SearchEnd(NamedTuple):
    """Where a search ended, why, and its rank among others: the lowest is the best."""

    q: Array
    why: int
    rank: tuple[bool, bool, float]
