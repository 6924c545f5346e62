"""G of constraints at random states where they hold: near the initial coordinates, with the parameters' own values and
with others."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ExpressionError
from freebody.model.cut_coordinates import settled_states
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.walk import float_function, symbols_of
from freebody.spatial.quaternions import quaternions
from freebody.tree.assembly import (
    Mover,
    ResidualsAt,
    angular_speeds,
    assemble_coordinates,
    initial_coordinates,
    least_squares_step,
)
from freebody.tree.constraints import ConstraintEquations, RowKey
from freebody.tree.tree import Tree

Array = NDArray[np.float64]
SAMPLES = 3
SPREADS = (0.3, 0.1, 0.01)
"""Assembled states are looked for near the initial coordinates, so far from them (in rad, or in m), nearer if Newton's
method does not converge."""

INPUTS = (0.3, 1.0, 3.0)
"""How large the inputs are that move joints, in the same attempts."""

OTHER_VALUES, LATEST = 0.03, 2.0
"""The relative change of parameters from sample to sample (of those that are zero the absolute change), and the latest
time, in s."""

CLOSED, DEPENDENT = 1e-10, 1e-8
"""Residuals of an assembled state, relative to a row of G that is longer than 1; and what is left of a row (of length
1) that depends on others."""

FLAT, ROUNDING = 1e-6, 1e-12
"""The size of rows that vanish: relative to others, or their own beside the assembled state; and up to rounding."""

BESIDE, TRIES, DISTINCT = ((0.3, 0.0), (0.1, 0.1), (0.5, 0.5)), 4, 1e-3
"""Whether the parts can move from a singular position is found where a joint has moved so far (in rad, or in m), and
the others at most so far before all are assembled; how often each is tried; and what must be left there of a row (of
length 1) outside the span of the others."""


@dataclass(frozen=True)
class AssembledSample:
    """G in both forms at an assembled state, its ``rows`` as they are and ``G`` relative to others, the state, and a
    function that returns φ of the equations of coordinates, by their indices, where some of them hold again after a
    displacement from the state; None where these do not. ``escape`` returns a sample nearby where a row that depends on
    the others here does not, None if there is none; ``led`` one where a speed, by its index, has been moved from the
    initial coordinates and the others have followed."""

    rows: Mapping[bool, Array]
    G: Mapping[bool, Array]
    state: Mapping[Node, float]
    follow: Callable[[Array, Collection[int]], Mapping[int, float] | None]
    escape: "Callable[[int], AssembledSample | None]"
    led: "Callable[[int], AssembledSample | None]"

    @property
    def rank(self) -> int:
        """The number of singular values of G that are clearly not zero."""
        return int(np.linalg.matrix_rank(self.G[False], DISTINCT))


class Sampler:
    """Computes G in both forms of closures (``exchanged`` or not) at assembled states, along some ``speeds``; the rows
    that ``vanish`` are zero. Its rows are relative to the largest of the same constraint in the same unit, at this
    state or beside it. Speeds are in units of their magnitudes: those of modes differ by many orders from rad/s and
    m/s."""

    def __init__(
        self,
        tree: Tree,
        forms: Mapping[bool, ConstraintEquations],
        speeds: Sequence[int],
        vanish: Mapping[bool, Collection[RowKey]],
        step: Callable[[ResidualsAt], Array] = least_squares_step,
    ) -> None:
        g, magnitudes = tree.graph, dict[str, float]()
        self.step = step
        self.tree, self.forms, self.numbers, self.speeds = tree, forms, NodeValues(g), speeds
        for link in tree.links:
            if link.internal_dynamics is not None:
                magnitudes |= zip(link.body.spec.names[1], link.body.spec.joint.magnitudes, strict=True)
        self.sizes = np.array([magnitudes.get(tree.layout.u[k], 1.0) for k in speeds])
        columns, self.entries = {k: j for j, k in enumerate(speeds)}, dict[bool, list[dict[int, Node]]]()
        for form, equations in forms.items():
            forces = [{} if k in vanish[form] else equations.forces_of(row) for k, row in equations.rows.items()]
            self.entries[form] = [
                {columns[k]: x for k, x in one.items() if k in columns and not g.vanishes(x)} for one in forces
            ]
        rows = forms[False].rows
        self.unchanged = {k for k, key in enumerate(rows) if key in vanish[False]}
        self.on_bodies = np.array([bool(row.wrenches) for row in rows.values()], bool)
        self.residuals = {k: h for k, h in enumerate(forms[False].residuals) if h is not None}
        self.angles, self.moved = angular_speeds(tree)[list(speeds)], Mover(tree, speeds)
        entries = [x for G in self.entries.values() for row in G for x in row.values()]
        corrections = forms[False].corrections_by_constraint
        self.corrections = {h: node for own in corrections.values() for h, node in own.items()}
        named = {key.constraint for key in rows}
        self.capturing = {
            name: (pose, c.meeting_pose(forms[False].motion))
            for name, c in tree.model.constraints.items()
            if name in named and (pose := [h for n in c.pose_names if (h := g.named(n)) is not None])
        }
        poses = [h for _, pose in self.capturing.values() for h in pose]
        used = set(symbols_of(g, [*entries, *self.residuals.values(), *self.corrections.values(), *poses]))
        self.initial = initial_coordinates(tree)
        self.coordinates = [(k, h) for k, h in enumerate(tree.layout.q_handles) if h in used]
        self.times = [0.0, *(Random(seed).uniform(0, LATEST) for seed in range(1, SAMPLES) if tree.t in used)]
        handles = {name: g.named(name) for name in tree.model.parameters}
        self.parameter_handles = {name: h for name, h in handles.items() if h is not None and h in used}
        self.parameters = {name: float(tree.model.parameters[name]) for name in self.parameter_handles}
        symbols = {g.named(name): value for name, value in tree.model.held.items()}
        self.held = {h: value for h, value in symbols.items() if h is not None}
        moving = (h for name in tree.model.inputs if (h := g.named(name)) is not None)
        self.inputs = [h for h in moving if h in used and h not in self.held]

    def rows_of(self, name: str, form: bool) -> list[tuple[int, RowKey]]:
        """The rows of a constraint in a form, by index and key."""
        return [(k, key) for k, key in enumerate(self.forms[form].rows) if key.constraint == name]

    @property
    def varies(self) -> bool:
        return bool(self.parameters) or len(self.times) > 1

    def nominal(self, closed: Collection[str]) -> list[AssembledSample]:
        """Samples with the parameters' own values, where these constraints hold."""
        times = [self.times[k % len(self.times)] for k in range(SAMPLES)]
        samples = [self.sample(Random(k), self.parameters, t, closed) for k, t in enumerate(times)]
        return [sample for sample in samples if sample is not None]

    def varied(self, closed: Collection[str]) -> list[AssembledSample]:
        """Samples with other values of the parameters and at other times, where these constraints hold. Where
        parameters that are zero must stay so for the mechanism to close, each of them is changed alone. None where
        nothing varies."""
        samples = list[AssembledSample | None]()
        if not self.varies:
            return []
        zeros = [name for name, value in self.parameters.items() if value == 0]
        for seed in range(SAMPLES):
            random, t = Random(seed), self.times[seed % len(self.times)]
            samples.append(self.sample(random, self._other_values(random, zeros), t, closed))
            if samples[-1] is None and zeros:
                samples.append(self.sample(random, self._other_values(random, ()), t, closed))
            if samples[-1] is None and t:
                samples.append(self.sample(random, self._other_values(random, ()), 0.0, closed))
        if samples[0] is None and len(zeros) > 1:
            samples += [self.sample(Random(0), self._other_values(Random(0), [name]), 0.0, closed) for name in zeros]
        return [sample for sample in samples if sample is not None]

    def _other_values(self, random: Random, zeros: Collection[str]) -> dict[str, float]:
        """Other values of the parameters; of those that are zero only the named ones change."""
        values = dict[str, float]()
        for name, value in self.parameters.items():
            change = OTHER_VALUES * random.uniform(-1, 1)
            values[name] = value * (1 + change) if value else change if name in zeros else 0.0
        return values

    def sample(
        self, random: Random, parameters: Mapping[str, float], t: float, closed: Collection[str]
    ) -> AssembledSample | None:
        """A state near the initial coordinates where the ``closed`` constraints hold; those that capture a pose do so
        there. None if none was found."""
        tree, n, keys = self.tree, len(self.speeds), list(self.forms[False].rows)
        known = {tree.t: t} | {self.parameter_handles[name]: value for name, value in parameters.items()}
        known |= self.held
        capturing = [self.capturing[name] for name in closed if name in self.capturing]
        positioned = {name for name in closed if name not in self.capturing}
        residuals = {k: h for k, h in self.residuals.items() if keys[k].constraint in positioned}
        corrections, rows = self.corrections, [self.entries[False][k] for k in residuals]
        units = np.ones(len(rows))

        def state_at(q: Array) -> dict[Node, float]:
            """The values at q; extra states of constraints follow it."""
            state = known | {h: float(q[k]) for k, h in self.coordinates}

            def change(z: Array) -> Array:
                there = state | dict(zip(corrections, map(float, z), strict=True))
                return self.numbers(corrections.values(), there)

            z = settled_states(change, np.array([known[h] for h in corrections]))
            known.update(zip(corrections, map(float, z), strict=True))
            return state | known

        def matrix(rows: Sequence[Mapping[int, Node]], state: Mapping[Node, float]) -> Array:
            G = np.zeros((len(rows), n))
            at = [(i, j) for i, row in enumerate(rows) for j in row]
            if at:
                G[tuple(np.transpose(at))] = self.numbers((x for row in rows for x in row.values()), state)
            return np.asarray(G * self.sizes)

        def moved(q: Array, delta: Array) -> Array:
            return self.moved(q, delta * self.sizes)

        def evaluate(q: Array, held: int | None = None) -> ResidualsAt:
            free = np.eye(n) if held is None else np.delete(np.eye(n), held, axis=1)
            try:
                state = state_at(q)
                phi, G = self.numbers(residuals.values(), state), matrix(rows, state)
                return ResidualsAt(phi / units, G / units[:, None], free)
            except (ArithmeticError, ValueError, ExpressionError):
                return ResidualsAt(np.full(len(rows), np.inf), np.zeros((len(rows), n)), free)

        def is_closed(at: ResidualsAt) -> bool:
            return bool(np.all(np.abs(at.phi) <= CLOSED * np.maximum(1.0, np.linalg.norm(at.G, axis=1))))

        def follow(q: Array, delta: Array, equations: Collection[int]) -> dict[int, float] | None:
            some = [i for i, k in enumerate(residuals) if k in equations]

            def evaluate_some(q: Array) -> ResidualsAt:
                phi, G, free = evaluate(q)
                return ResidualsAt(phi[some], G[some], free)

            q, _ = assemble_coordinates(evaluate_some, moved, moved(q, delta), self.angles, self.step)
            phi, G, _ = evaluate(q)
            relative = phi / np.maximum(1.0, np.linalg.norm(G, axis=1))
            closed = np.isfinite(phi).all() and np.all(np.abs(relative[some]) <= CLOSED)
            return dict(zip(residuals, relative.tolist(), strict=True)) if closed else None

        def escape(q: Array, row: int) -> AssembledSample | None:
            """A state where one of the speeds that a row restricts has moved, and the row does not depend on the
            others; None if there is none: the parts cannot move from q."""
            sizes, beside = np.maximum(np.linalg.norm(evaluate(q).G, axis=1, keepdims=True), 1.0), Random(0)
            name = keys[row].constraint
            loop = sorted({j for k, _ in self.rows_of(name, False) for j in self.entries[False][k]})
            for distance, others in TRIES * BESIDE if loop else ():
                held = beside.choice(loop)
                delta = np.array([others * beside.uniform(-1, 1) for _ in range(n)])
                delta[held] = beside.choice([-1, 1]) * distance
                start = moved(q, delta)
                reached, there = closed_holding(start, held)
                if is_closed(there) and stands_out(there.G / sizes, list(residuals).index(row)):
                    return sample_at(reached, start)
            return None

        def led(k: int) -> AssembledSample | None:
            start = moved(self.initial, BESIDE[0][0] * np.eye(n)[k])
            reached, there = closed_holding(start, k)
            return sample_at(reached, start) if is_closed(there) else None

        def closed_holding(start: Array, held: int) -> tuple[Array, ResidualsAt]:
            return assemble_coordinates(partial(evaluate, held=held), moved, start, self.angles, self.step)

        def sample_at(q: Array, guess: Array) -> AssembledSample:
            beside = {form: matrix(G, state_at(guess)) for form, G in self.entries.items()}
            here = {form: matrix(G, state_at(q)) for form, G in self.entries.items()}
            relative = {form: self._relative(form, here[form], beside[form]) for form in here}
            return AssembledSample(here, relative, state_at(q), partial(follow, q), partial(escape, q), led)

        for spread, most in zip(SPREADS, INPUTS, strict=True):
            known |= {h: most * random.uniform(-1, 1) for h in self.inputs}
            known |= {state.symbol.handle: float(state.initial) for state in tree.model.states.values()}
            start = np.array([spread * random.uniform(-1, 1) for _ in range(n)])
            guess, units = moved(self.initial, start), np.ones(len(rows))
            units = self._units(list(residuals), evaluate(guess).G)
            q, there = assemble_coordinates(evaluate, moved, guess, self.angles, self.step)
            if is_closed(there):
                for symbols, pose in capturing:
                    known.update(zip(symbols, pose_numbers(self.numbers(pose, state_at(q))).tolist(), strict=True))
                return sample_at(q, guess)
        return None

    def _units(self, rows: Sequence[int], G: Array) -> Array:
        """The units in which residuals of expressions are measured: their largest derivatives beside the assembled
        state. Those of constraints on bodies are lengths and angles."""
        largest = np.abs(G).max(axis=1, initial=0.0)
        expressions = ~self.on_bodies[np.array(rows, np.intp)]
        return np.asarray(np.where(expressions & (largest > 0) & np.isfinite(largest), largest, 1.0))

    def _relative(self, form: bool, G: Array, beside: Array) -> Array:
        """Rows relative to the largest of the same constraint; expressions have no other scale than their terms."""
        units = np.maximum(*(np.abs(matrix).max(axis=1, initial=0.0) for matrix in (G, beside)))
        units = np.where(self.on_bodies | (units == 0), 1.0, units)  # squares of extreme numbers are not finite
        G, beside = G / units[:, None], beside / units[:, None]
        sizes = np.maximum(*(np.linalg.norm(matrix, axis=1) for matrix in (G, beside)))
        rounding = ROUNDING * np.where(self.on_bodies, max(1.0, float(sizes[self.on_bodies].max(initial=0.0))), 1.0)
        largest = np.array([max(sizes[i] for i in others) for others in self.forms[form].related])
        relative: Array = G / np.maximum(largest, rounding)[:, None]
        relative[(largest <= rounding) | (np.linalg.norm(relative, axis=1) <= FLAT)] = 0.0
        return relative


def stands_out(G: Array, k: int) -> bool:
    """Whether a row of G is clearly outside the span of the others."""
    others = np.delete(G, k, axis=0)
    _, sizes, V = np.linalg.svd(others / np.maximum(np.linalg.norm(others, axis=1, keepdims=True), DEPENDENT))
    base = V[: np.count_nonzero(sizes > DISTINCT)]
    return bool(np.linalg.norm(G[k] - (G[k] @ base.T) @ base) > DISTINCT)


def pose_numbers(pose: Array) -> Array:
    """The position and the quaternion of a pose that ``Closure.meeting_pose`` computes."""
    return np.concatenate([pose[:3], quaternions(pose[3:].reshape(1, 3, 3))[0]])


class NotFiniteError(ValueError):
    """An equation of constraints has no finite value."""


class NodeValues:
    """The values of nodes at states, as arrays; raises ``NotFiniteError`` where one is not finite."""

    def __init__(self, g: Graph) -> None:
        self.graph = g
        self._functions = dict[tuple[Node, ...], Callable[[Mapping[Node, float]], list[float]]]()

    def __call__(self, nodes: Iterable[Node], state: Mapping[Node, float]) -> Array:
        key = tuple(nodes)
        if key not in self._functions:
            self._functions[key] = float_function(self.graph, key)
        numbers = np.array(self._functions[key](state), float)
        if not np.isfinite(numbers).all():
            raise NotFiniteError
        return numbers
