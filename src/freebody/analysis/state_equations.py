"""The equations of motion in state form, ẋ of x = [q, u, z] under inputs, as nodes of one graph and as numbers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.backends import compile
from freebody.errors import ArgumentError
from freebody.formulations.equations import UNROLLED, Equations
from freebody.formulations.formulation import Entry
from freebody.formulations.solve import Factor, dot
from freebody.names import Q, U
from freebody.program.assemble import Assembly
from freebody.quantities.derivatives import coordinates_of_speeds
from freebody.quantities.mass_inverse import factored
from freebody.run.numbers import by_name, names, shown
from freebody.run.words import Words
from freebody.scalar.derivative import Entries, jacobian
from freebody.scalar.expr import Expr
from freebody.tree.forest import quaternions

Array = NDArray[np.float64]
Named = list[tuple[str, int]]
"""Nodes by name, in order."""
Rows = list[list[int]]
FORCES = "tau"
"""The name of all generalised forces among inputs; one of them is tau.‹speed›."""


@dataclass(frozen=True)
class OperatingPoint:
    """Values of everything that ẋ depends on; or rows of them, t then a column."""

    parameters: Array
    t: float | Array
    q: Array
    u: Array
    z: Array
    inputs: Array
    tau: Array

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
    """q̇, M u̇ = f + tau and ż of equations, and users' outputs, as nodes of a graph of their own, so that analyses leave
    nothing in the graph of the equations."""

    def __init__(self, e: Equations) -> None:
        if e.standard != list(e.layout.u_handles):
            raise ArgumentError("analyses use the standard speeds: derive once more without speeds=…")
        self.e, self.words = e, Words(e)
        self.graph, self.layout = self.words.graph, e.layout

    @property
    def name(self) -> str:
        return self.e.forest.model.name

    # Symbols

    @cached_property
    def groups(self) -> dict[str, list[int]]:
        return {n: self.words.bring(h) for n, h in self.e.groups("tau", "u_dot").items()}

    @property
    def x(self) -> list[int]:
        return [*self.groups["q"], *self.groups["u"], *self.groups["z"]]

    @property
    def keys(self) -> list[str]:
        """The names of x: q.…, u.…, and extra states by their own names."""
        layout = self.layout
        return [*Q.all(layout.q), *U.all(layout.u), *layout.z]

    @property
    def forces(self) -> list[str]:
        return [f"{FORCES}.{n}" for n in self.layout.u]

    @cached_property
    def quaternions(self) -> tuple[int, ...]:
        """The indices in q where a unit quaternion begins."""
        return quaternions(self.e.forest)

    # Nodes

    @cached_property
    def q_dot(self) -> list[int]:
        return self.words.bring(self.e.q_dot)

    @cached_property
    def z_dot(self) -> list[int]:
        return self.words.bring(self.e.spoken([s.rate.handle for s in self.e.forest.model.states.values()]))

    @cached_property
    def force(self) -> list[int]:
        """f + tau."""
        g = self.graph
        return [g.add(f, t) for f, t in zip(self.words.bring(self.e.force), self.groups["tau"], strict=True)]

    @cached_property
    def mass(self) -> dict[Entry, int]:
        entries = self.e.mass
        return dict(zip(entries, self.words.bring(list(entries.values())), strict=True))

    @property
    def mass_rows(self) -> Rows:
        n, zero = len(self.layout.u), self.graph.zero
        return [[self.mass.get((max(i, j), min(i, j)), zero) for j in range(n)] for i in range(n)]

    @cached_property
    def factor(self) -> Factor:
        """M = L D Lᵀ as expressions."""
        n = len(self.layout.u)
        if n > UNROLLED:
            raise ArgumentError(
                f"system '{self.name}': {n} speeds are too many for M⁻¹ as expressions, which is available for up to"
                f" {UNROLLED}; the numbers of equilibrium and linearize are there for any size"
            )
        return factored(self.graph, self.mass, n)

    @cached_property
    def u_dot(self) -> list[int]:
        return self.factor.solve(self.force) if self.force else []

    @property
    def x_dot(self) -> list[int]:
        return [*self.q_dot, *self.u_dot, *self.z_dot]

    @property
    def along_q(self) -> dict[int, int]:
        """The seeds of d/dt of nodes of q and t along the motion: q̇ and 1."""
        return dict(zip(self.groups["q"], self.q_dot, strict=True)) | {self.groups["t"][0]: self.graph.one}

    @cached_property
    def residual(self) -> list[int]:
        """f + tau − M u̇ for symbols u̇: its derivatives at constant u̇ are M times those of u̇."""
        g, rates = self.graph, self.groups["u_dot"]
        residual = []
        for row, f in zip(self.mass_rows, self.force, strict=True):
            for entry, rate in zip(row, rates, strict=True):
                f = g.sub(f, g.mul(entry, rate))
            residual.append(f)
        return residual

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
    def directions(self) -> Named:
        """The directions in which q can change, by name, with the index of the speed whose column of N it is, or
        −1 − the index of a coordinate. The coordinates of nonholonomic joints are directions themselves, for the
        speeds of such a joint lead to all of them in time."""
        q, directions = self.layout.q, list[tuple[str, int]]()
        for j, speed in enumerate(self.layout.u):
            if j in self._nonholonomic:
                directions += [(Q(q[i]), -1 - i) for i in self._nonholonomic[j]]
            else:
                name = Q(q[self.coordinates[j]]) if j in self.coordinates else f"along.{speed}"
                directions.append((name, j))
        return directions

    @cached_property
    def _nonholonomic(self) -> dict[int, list[int]]:
        """By each speed of nonholonomic joints, the indices of the joint's coordinates at its first speed."""
        indices: dict[int, list[int]] = {}
        for link in self.e.forest.links:
            recipe = link.body.recipe
            joint = recipe.joint
            if len(joint.coordinates) - len(joint.quaternions) > len(joint.speeds):
                own = [self.layout.q.index(n) for n in recipe.names[0]]
                indices |= {j: [] for j in link.u} | {min(link.u): own}
        return indices

    @property
    def holonomic(self) -> bool:
        return not self._nonholonomic

    @property
    def dimension(self) -> int:
        """The number of directions of q, speeds and extra states."""
        return len(self.directions) + len(self.layout.u) + len(self.layout.z)

    @cached_property
    def displacements(self) -> Entries:
        """δq along the directions, by (coordinate, direction)."""
        index = {j: k for k, (_, j) in enumerate(self.directions)}
        alone = {(-1 - j, k): self.graph.one for j, k in index.items() if j < 0}
        return {(i, index[j]): h for (i, j), h in self.tangent.items() if j in index} | alone

    def dense(self, entries: Entries, rows: int, columns: int) -> Rows:
        return [[entries.get((i, j), self.graph.zero) for j in range(columns)] for i in range(rows)]

    def times(self, left: Rows, right: Rows) -> Rows:
        """The product of two matrices."""
        columns = [list(c) for c in zip(*right, strict=True)]
        return [[dot(self.graph, row, column) for column in columns] for row in left]

    # Inputs and outputs by name

    def inputs(self, chosen: Sequence[str] | str | None) -> Named:
        """Inputs by name; "tau" stands for all generalised forces. None: all named ones, else tau."""
        known = dict(zip(self.layout.inputs, self.groups["inputs"], strict=True))
        forces = dict(zip(self.forces, self.groups["tau"], strict=True))
        if chosen is None:
            return list((known or forces).items())
        inputs: Named = []
        for name in names(chosen, "inputs"):
            if name not in known and name not in forces and name != FORCES:
                there = ", ".join([*known, FORCES, *forces])
                raise ArgumentError(f"system '{self.name}' has no input '{name}'; there are {there}")
            inputs += forces.items() if name == FORCES else [(name, (known | forces)[name])]
        return inputs

    def outputs(self, chosen: Any) -> Named:
        """Scalar outputs: outputs of the model by name (vectors by all their parts), texts, expressions, or a mapping
        from names to these. None: the model's outputs, else all states. Accelerations in them are symbols
        (``groups["u_dot"]``)."""
        if chosen is None:
            own = list(self.e.forest.model.outputs)
            return self.outputs(own) if own else list(zip(self.keys, self.x, strict=True))
        if isinstance(chosen, Mapping):
            named = by_name(chosen, "outputs", "{'y': 'q.arm'}")
            return [(n, self.words.node(v, f"output '{n}'", accelerations=True)) for n, v in named.items()]
        listed = [chosen] if isinstance(chosen, str | Expr) else chosen
        if not isinstance(listed, list | tuple) or not all(isinstance(one, str | Expr) for one in listed):
            raise ArgumentError(
                "outputs must be names, texts or expressions, in a list or by name such as {'y': 'q.arm'}, not"
                f" {shown(chosen)}"
            )
        return [pair for one in listed for pair in self._output(one)]

    def _output(self, output: str | Expr) -> Named:
        known = self.words.known
        if isinstance(output, str) and isinstance(self.e.forest.model.outputs.get(output), tuple):
            return [(f"{output}.{c}", known[f"{output}.{c}"]) for c in "xyz"]
        if isinstance(output, str) and output in known:
            return [(output, known[output])]
        return [(str(output), self.words.node(output, f"output '{output}'", accelerations=True))]

    # Numbers

    def function(self, name: str, outputs: Mapping[str, Any]) -> Callable[..., dict[str, Array]]:
        """Nodes, in nested lists by name, as a function of a point and, where they use it, u̇."""
        shapes = {key: np.shape(nodes) for key, nodes in outputs.items()}
        a = Assembly(name, self.graph, self.groups)
        for key, nodes in outputs.items():
            if 0 not in shapes[key]:
                a.output(key, nodes)
        program = a.program()
        f, computed = compile(program, "numpy"), [o.name for o in program.outputs]

        def call(point: OperatingPoint, u_dot: Array | None = None) -> dict[str, Array]:
            groups = {**point.groups, "u_dot": np.zeros(point.u.shape[-1]) if u_dot is None else u_dot}
            result = f(*(groups[g.name] for g in f.groups)) if computed else {}
            values = result if isinstance(result, dict) else {computed[0]: result}
            return {key: values[key] if key in values else np.zeros(shape) for key, shape in shapes.items()}

        return call
