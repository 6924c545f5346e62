"""The equations of motion in state form, ẋ of x = [q, u, z] under inputs, as nodes of one graph and as numbers; and a
test whether nodes are zero everywhere: by structure, else by values at random points within their error bounds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.backends import compile
from freebody.errors import ArgumentError
from freebody.formulations.derivation import UNROLLED, Derivation
from freebody.formulations.formulation import Entry
from freebody.formulations.omission import ADVICE
from freebody.formulations.solve import Factor
from freebody.names import TAU, Q, U
from freebody.program.assemble import Assembly
from freebody.program.evaluate import evaluate
from freebody.quantities.derivatives import coordinates_of_speeds
from freebody.quantities.mass_inverse import factored
from freebody.run.arguments import by_name, names, shorten
from freebody.run.inputs import RunScope
from freebody.scalar.derivative import Entries, jacobian
from freebody.scalar.expr import Expr
from freebody.scalar.node import Node
from freebody.scalar.ops import ABS, CALL, COMPARISONS, FLOOR, MAX, MIN, SIGN, TABLE, WHERE
from freebody.scalar.walk import live
from freebody.spatial.scalars import dot
from freebody.tables import CELL, counted
from freebody.tables import shorten as short_text
from freebody.tree.random_states import random_coordinates
from freebody.tree.tree import Tree, quaternions

Array = NDArray[np.float64]
Named = list[tuple[str, Node]]
"""Nodes by name, in order."""
Directions = list[tuple[str, int]]
Rows = list[list[Node]]
FORCES = TAU.letter
"""The name of all generalised forces among inputs; one of them is tau.‹speed›."""


@dataclass(frozen=True)
class OperatingPoint:
    """Values of everything that ẋ depends on; or rows of them, t then a column. Multipliers of constraints are among
    the unknowns of equilibria; elsewhere they follow from the others, and are 0 or not set."""

    parameters: Array
    t: float | Array
    q: Array
    u: Array
    z: Array
    inputs: Array
    tau: Array
    multipliers: Array = field(default_factory=lambda: np.zeros(0))

    @property
    def x(self) -> Array:
        return np.concatenate([self.q, self.u, self.z])

    def at_state(self, x: Array) -> "OperatingPoint":
        """The same point with another state."""
        n, m = len(self.q), len(self.u)
        return replace(self, q=x[:n], u=x[n : n + m], z=x[n + m :])

    @property
    def groups(self) -> dict[str, Array]:
        return {**vars(self), "t": np.atleast_1d(self.t)}


class StateEquations:
    """q̇, M u̇ = f + tau + Gᵀλ and ż of equations, and users' outputs, as nodes of a graph of their own, so that analyses
    leave nothing in the graph of the equations. ``keys`` are the names of x: q.…, u.…, and extra states by their own
    names; ``quaternions`` the indices in q where a unit quaternion begins."""

    def __repr__(self) -> str:
        return f"<state equations of {short_text(self.name, CELL)}: {counted(len(self.keys), 'state')}>"

    def __init__(self, e: Derivation) -> None:
        if not e.has_standard_speeds:
            raise ArgumentError("analyses use the standard speeds: derive again without speeds=…")
        if e.tree.model.omitted:
            raise ArgumentError(f"analyses use all coordinates: {ADVICE}")
        self.e, self.scope, self.layout, self.name = e, RunScope(e), e.layout, e.tree.model.name
        self.graph, self.quaternions = self.scope.graph, quaternions(e.tree)
        self.keys = [*Q.all(self.layout.q), *U.all(self.layout.u), *self.layout.z]
        self.forces = list(TAU.all(self.layout.u))

    # Nodes

    @cached_property
    def groups(self) -> dict[str, list[Node]]:
        return {n: self.scope.copy(h) for n, h in self.e.groups("tau", "u_dot", "multipliers").items()}

    @property
    def x(self) -> list[Node]:
        return [*self.groups["q"], *self.groups["u"], *self.groups["z"]]

    @cached_property
    def q_dot(self) -> list[Node]:
        return self.scope.copy(self.e.q_dot)

    @cached_property
    def z_dot(self) -> list[Node]:
        return self.scope.copy(self.e.in_own_speeds([s.rate.handle for s in self.e.tree.model.states.values()]))

    @cached_property
    def force(self) -> list[Node]:
        """f + tau."""
        g = self.graph
        return [g.add(f, t) for f, t in zip(self.scope.copy(self.e.force), self.groups["tau"], strict=True)]

    @cached_property
    def mass(self) -> dict[Entry, Node]:
        entries = self.e.mass
        return dict(zip(entries, self.scope.copy(list(entries.values())), strict=True))

    @property
    def mass_rows(self) -> Rows:
        n = len(self.layout.u)
        return self.dense(self.mass | {(j, i): h for (i, j), h in self.mass.items()}, n, n)

    @cached_property
    def factor(self) -> Factor:
        """M = L D Lᵀ as expressions."""
        n = len(self.layout.u)
        if n > UNROLLED:
            raise ArgumentError(
                f"system '{self.name}': {n} speeds are too many: M⁻¹ as expressions is available for up to"
                f" {UNROLLED}; equilibrium and linearize compute numbers for systems of any size"
            )
        return factored(self.graph, self.mass, n)

    @cached_property
    def u_dot(self) -> list[Node]:
        return self.factor.solve(self.force) if self.force else []

    @property
    def x_dot(self) -> list[Node]:
        return [*self.q_dot, *self.u_dot, *self.z_dot]

    @property
    def along_q(self) -> dict[Node, Node]:
        """The seeds of d/dt of nodes of q and t along the motion: q̇ and 1."""
        return dict(zip(self.groups["q"], self.q_dot, strict=True)) | {self.groups["t"][0]: self.graph.one}

    @cached_property
    def residual(self) -> list[Node]:
        """f + tau + Gᵀλ − M u̇ for symbols u̇ and λ: without constraints, its derivatives at constant u̇ are M times those
        of u̇."""
        g, residual = self.graph, list[Node]()
        for row, f, c in zip(self.mass_rows, self.force, self.constraint_forces, strict=True):
            f = g.add(f, c)
            for entry, rate in zip(row, self.groups["u_dot"], strict=True):
                f = g.sub(f, g.mul(entry, rate))
            residual.append(f)
        return residual

    # Constraints: φ = 0, G u + offset = 0, G u̇ = γ

    @cached_property
    def row_names(self) -> list[str]:
        """The constraint of each equation, and the label of the equation, for messages."""
        rows = self.e.constraints.rows.items()
        return [f"constraint '{key.constraint}'" + (f" ({row.label})" if row.label else "") for key, row in rows]

    @cached_property
    def holonomic_rows(self) -> list[int]:
        """The indices of the equations that restrict coordinates."""
        return [k for k, residual in enumerate(self.e.constraints.residuals) if residual is not None]

    @cached_property
    def residuals(self) -> list[Node]:
        """φ of the equations that restrict coordinates."""
        return self.scope.copy([self.e.residuals[k] for k in self.holonomic_rows])

    @cached_property
    def corrections(self) -> dict[int, Node]:
        """The extra states that follow the coordinates, by index in z: nodes that are zero where they do."""
        corrections, states = self.e.constraints.state_corrections, self.e.tree.model.states.values()
        handles = {k: corrections.get(state.symbol.handle) for k, state in enumerate(states)}
        return {k: self.scope.copy([h])[0] for k, h in handles.items() if h is not None}

    @cached_property
    def velocities(self) -> list[Node]:
        """G u + offset."""
        return self.scope.copy(self.e.velocities)

    @cached_property
    def constraint_matrix(self) -> Rows:
        """G."""
        nodes = iter(self.scope.copy([h for row in self.e.jacobian for h in row]))
        return [[next(nodes) for _ in row] for row in self.e.jacobian]

    @cached_property
    def gamma(self) -> list[Node]:
        return self.scope.copy(self.e.gamma)

    @cached_property
    def gamma_residual(self) -> list[Node]:
        """γ − G u̇ for symbols u̇."""
        g, rates = self.graph, self.groups["u_dot"]
        return [g.sub(a, dot(g, row, rates)) for a, row in zip(self.gamma, self.constraint_matrix, strict=True)]

    @cached_property
    def constraint_forces(self) -> list[Node]:
        """Gᵀλ for symbols λ."""
        rows, multipliers = self.constraint_matrix, self.groups["multipliers"]
        return [dot(self.graph, [row[j] for row in rows], multipliers) for j in range(len(self.layout.u))]

    # Directions of q

    @cached_property
    def tangent(self) -> Entries:
        """N = ∂q̇/∂u by (coordinate, speed)."""
        return jacobian(self.graph, self.q_dot, self.groups["u"])

    @cached_property
    def coordinates(self) -> dict[int, int]:
        """By each speed that is the rate of one coordinate, and of no other, this coordinate."""
        return coordinates_of_speeds(self.graph, self.tangent)

    @cached_property
    def directions(self) -> Directions:
        """The directions in which q can change, by name, with the index of the speed whose column of N it is, or
        −1 − the index of a coordinate. The coordinates of nonholonomic joints are directions themselves, for the
        speeds of such a joint lead to all of them in time."""
        q, directions, nonholonomic = self.layout.q, list[tuple[str, int]](), dict[int, list[int]]()
        for link in self.e.tree.links:
            spec, joint = link.body.spec, link.body.spec.joint
            if len(joint.coordinates) - len(joint.quaternions) > len(joint.speeds):
                nonholonomic |= {j: [] for j in link.u} | {min(link.u): [q.index(n) for n in spec.names[0]]}
        for j, speed in enumerate(self.layout.u):
            if j in nonholonomic:
                directions += [(Q(q[i]), -1 - i) for i in nonholonomic[j]]
            else:
                directions.append((Q(q[self.coordinates[j]]) if j in self.coordinates else f"along.{speed}", j))
        return directions

    @cached_property
    def magnitudes(self) -> dict[str, float]:
        return magnitudes(self.e.tree)

    @cached_property
    def speed_sizes(self) -> Array:
        """The magnitudes of the speeds."""
        return np.array([self.magnitudes.get(name, 1.0) for name in self.layout.u], float)

    @property
    def holonomic(self) -> bool:
        return all(j >= 0 for _, j in self.directions)

    @property
    def dimension(self) -> int:
        """The number of directions of q, speeds and extra states."""
        return len(self.directions) + len(self.layout.u) + len(self.layout.z)

    def dense(self, entries: Entries, rows: int, columns: int) -> Rows:
        return [[entries.get((i, j), self.graph.zero) for j in range(columns)] for i in range(rows)]

    # Inputs and outputs by name

    def inputs(self, chosen: Sequence[str] | str | None) -> Named:
        """Inputs by name; "tau" stands for all generalised forces. None: all named ones, else tau."""
        known = dict(zip(self.layout.user_inputs, self.groups["inputs"], strict=False))
        forces = dict(zip(self.forces, self.groups["tau"], strict=True))
        if chosen is None:
            return list((known or forces).items())
        inputs: Named = []
        for name in names(chosen, "inputs"):
            if name not in known and name not in forces and name != FORCES:
                there = ", ".join([*known, FORCES, *forces])
                raise ArgumentError(f"system '{self.name}' has no input '{name}'; choose from {there}")
            inputs += forces.items() if name == FORCES else [(name, (known | forces)[name])]
        return inputs

    def outputs(self, chosen: Any) -> Named:
        """Scalar outputs: outputs of the model by name (vectors by all their parts), texts, expressions, or a mapping
        from names to these. None: the model's outputs, else all states. Accelerations in them are symbols
        (``groups["u_dot"]``)."""
        known, of_model = self.scope.names, self.e.tree.model.outputs
        if chosen is None and not of_model:
            return list(zip(self.keys, self.x, strict=True))
        if isinstance(chosen, Mapping):
            named = by_name(chosen, "outputs", "{'y': 'q.arm'}")
            return [(n, self.scope.node(v, f"output '{n}'", accelerations=True)) for n, v in named.items()]
        listed = list(of_model) if chosen is None else [chosen] if isinstance(chosen, str | Expr) else chosen
        if not isinstance(listed, list | tuple) or not all(isinstance(one, str | Expr) for one in listed):
            raise ArgumentError(
                "outputs must be names, texts or expressions, in a list or by name such as {'y': 'q.arm'}, not"
                f" {shorten(chosen)}"
            )
        outputs: Named = []
        for one in listed:
            if isinstance(one, str) and one in of_model and of_model[one].is_vector:
                outputs += [(f"{one}.{c}", known[f"{one}.{c}"]) for c in "xyz"]
            elif isinstance(one, str) and one in known:
                outputs.append((one, known[one]))
            else:
                outputs.append((str(one), self.scope.node(one, f"output '{one}'", accelerations=True)))
        return outputs

    # Numbers

    def function(self, name: str, outputs: Mapping[str, Any]) -> Callable[..., dict[str, Array]]:
        """Nodes, in nested lists by name, as a function of a point and, where they use it, u̇. Multipliers that a point
        does not have are 0."""
        shapes = {key: np.shape(nodes) for key, nodes in outputs.items()}
        a = Assembly(name, self.graph, self.groups)
        for key, nodes in outputs.items():
            if 0 not in shapes[key]:
                a.user_output(key, nodes)
        program = a.program()
        f, computed = compile(program, "numpy"), [o.key for o in program.outputs]
        multipliers = len(self.groups["multipliers"])

        def call(point: OperatingPoint, u_dot: Array | None = None) -> dict[str, Array]:
            groups = {**point.groups, "u_dot": np.zeros(point.u.shape[-1]) if u_dot is None else u_dot}
            groups["multipliers"] = point.multipliers if point.multipliers.size else np.zeros(multipliers)
            result = f(*(groups[g.name] for g in f.groups)) if computed else {}
            values = result if isinstance(result, dict) else {computed[0]: result}
            return {key: values[key] if key in values else np.zeros(shape) for key, shape in shapes.items()}

        return call


# Zeros

POINTS, TRIES = 3, 12
PIECES = 10
"""Factor on the number of points where functions have pieces: tables, ``where``, smallest and largest."""
PIECEWISE = frozenset((ABS, SIGN, MIN, MAX, FLOOR, WHERE, TABLE, CALL)) | COMPARISONS
WIDE = 10.0, 100.0
"""Scales of larger points, where terms may appear that are absent near zero: stops, forces that begin later."""
SLACK = 32.0
"""A value of at most this many rounding bounds counts as zero."""


def magnitudes(tree: Tree) -> dict[str, float]:
    """A large change of each coordinate, and of each speed that is the rate of one, by name (``Joint.magnitudes``).
    States are compared in these units: those of modes differ by many orders from rad and m."""
    result = dict[str, float]()
    for link in tree.links:
        joint = link.body.spec.joint
        for names_of_joint in link.body.spec.names if joint.rates else link.body.spec.names[:1]:
            result |= zip(names_of_joint, joint.magnitudes, strict=True)
    return result


def vanishing(
    state: StateEquations, nodes: Sequence[Node], point: OperatingPoint, inputs: bool = True, seed: int = 7
) -> list[bool]:
    """For each node whether it is zero for all states, times and inputs (``inputs=False``: where inputs and tau are
    0), with the parameters of the point. Nodes that are not structural zeros are evaluated at random points: a node
    whose value is within its running error bound at all of them counts as zero."""
    zero, random = state.graph.zero, np.random.default_rng(seed)
    doubtful = sorted({n for n in nodes if n != zero})
    if not doubtful:
        return [True] * len(nodes)
    factor = PIECES if any(state.graph.op[i] in PIECEWISE for i in live(state.graph, doubtful)) else 1
    needed, tries = POINTS * factor, TRIES * factor
    a = Assembly("zero_test", state.graph, state.groups)
    a.output("values", doubtful)
    program, possible, seen = a.program(), np.ones(len(doubtful), bool), np.zeros(len(doubtful), int)

    def trial(where: OperatingPoint, far: bool) -> None:
        nonlocal seen, possible
        if not (possible & ((seen >= needed) if far else (seen < needed))).any():
            return
        result = evaluate(program, {**where.groups, "u_dot": random.normal(size=len(point.u))})
        value, bound = result.values["values"], result.bounds["values"]
        known = np.isfinite(value) & np.isfinite(bound)
        seen = seen + known
        possible = possible & (~known | (np.abs(value) <= SLACK * bound + np.finfo(float).tiny))

    for _ in range(tries):
        trial(random_point(state, point, random, inputs), far=False)
    for scale in WIDE:
        far = random_point(state, point, random, inputs, scale)
        trial(far, far=True)
        trial(replace(far, q=-far.q), far=True)
    zeros = {n for n, p, k in zip(doubtful, possible, seen, strict=True) if p and k >= needed}
    return [n == zero or n in zeros for n in nodes]


def certain_values(state: StateEquations, rows: Sequence[Sequence[Node]], point: OperatingPoint) -> Array:
    """Rows of nodes at a point; values that may be rounding alone are 0, that of the coordinates included: cos(q) at
    the float nearest to π/2."""
    a = Assembly("certain_values", state.graph, state.groups)
    a.output("values", [list(row) for row in rows])
    program, none = a.program(), np.zeros(len(point.u))
    result = evaluate(program, {**point.groups, "u_dot": none})
    value, bound = result.values["values"], result.bounds["values"]
    near = np.nextafter(point.q, point.q + np.random.default_rng(3).choice((-1.0, 1.0), len(point.q)))
    change = np.abs(evaluate(program, {**replace(point, q=near).groups, "u_dot": none}).values["values"] - value)
    return np.where(np.abs(value) <= SLACK * bound + 2 * np.nan_to_num(change), 0.0, value)


def random_point(
    state: StateEquations, point: OperatingPoint, random: np.random.Generator, inputs: bool = True, scale: float = 1.0
) -> OperatingPoint:
    """A random state, time and inputs, with the parameters and held values of a point; ``scale`` multiplies coordinates
    and time."""
    q, factor = random_coordinates(state.e.tree, random, 1.5 * scale), 1.0 if inputs else 0.0
    u, z, w, tau = (random.normal(size=len(v)) for v in (point.u, point.z, point.inputs, point.tau))
    t, own = float(random.uniform(0.1, 1.0)) * scale, len(state.layout.user_inputs)
    w = np.concatenate([w[:own] * factor, point.inputs[own:]])
    return OperatingPoint(point.parameters, t, q, u, z, w, tau * factor)
