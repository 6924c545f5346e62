"""The equations of motion as a field: ẋ of x = [q, u, z] under inputs, in a graph of its own, and its numbers."""

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
from freebody.formulations.solve import Factor
from freebody.program.assemble import Assembly
from freebody.quantities.factor import factored
from freebody.run.numbers import by_name, names, shown
from freebody.run.words import Words
from freebody.scalar.derivative import Entries, jacobian
from freebody.scalar.expr import Expr
from freebody.spatial.vector import Vector
from freebody.tree.forest import quaternions

Array = NDArray[np.float64]
Named = list[tuple[str, int]]
"""Nodes by name, in order."""
Rows = list[list[int]]
FORCES = "tau"
"""What all generalised forces are called among inputs; one is tau.‹speed›."""


@dataclass(frozen=True)
class Point:
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

    def moved(self, x: Array) -> "Point":
        """The same with another state."""
        n, m = len(self.q), len(self.u)
        return replace(self, q=x[:n], u=x[n : n + m], z=x[n + m :])

    @property
    def groups(self) -> dict[str, Array]:
        return {
            "t": np.atleast_1d(self.t), "parameters": self.parameters, "q": self.q, "u": self.u, "z": self.z,
            "inputs": self.inputs, "tau": self.tau,
        }  # fmt: skip


class Field:
    """q̇, M u̇ = f + tau and ż of equations, and what users say of outputs, as nodes of one graph that belongs to
    nobody else: analyses leave nothing in the equations' graph."""

    def __init__(self, e: Equations) -> None:
        if e.standard != list(e.layout.u_handles):
            raise ArgumentError("analyses use the standard speeds: derive once more without speeds=…")
        self.e, self.words = e, Words(e)
        self.graph, self.layout = self.words.graph, e.layout

    @property
    def name(self) -> str:
        return self.e.forest.system.name

    # Symbols

    @cached_property
    def groups(self) -> dict[str, list[int]]:
        return {n: self.words.bring(h) for n, h in self.e.groups("tau", "u_dot").items()}

    @property
    def x(self) -> list[int]:
        return [*self.groups["q"], *self.groups["u"], *self.groups["z"]]

    @property
    def keys(self) -> list[str]:
        """The names of x: q.…, u.…, and extra states by their own."""
        layout = self.layout
        return [*(f"q.{n}" for n in layout.q), *(f"u.{n}" for n in layout.u), *layout.z]

    @property
    def forces(self) -> list[str]:
        return [f"{FORCES}.{n}" for n in self.layout.u]

    @cached_property
    def spheres(self) -> tuple[int, ...]:
        """Places in q where a unit quaternion begins."""
        return quaternions(self.e.forest)

    # Nodes

    @cached_property
    def q_dot(self) -> list[int]:
        return self.words.bring(self.e.q_dot)

    @cached_property
    def z_dot(self) -> list[int]:
        return self.words.bring(self.e.spoken([s.rate.handle for s in self.e.forest.system.states.values()]))

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
        """M = L D Lᵀ written out, for what is symbolic."""
        n = len(self.layout.u)
        if n > UNROLLED:
            raise ArgumentError(
                f"system '{self.name}': {n} speeds are too many for M⁻¹ as expressions, which is made for up to"
                f" {UNROLLED}; the numbers of equilibrium and linearize are there for any size"
            )
        return factored(self.graph, self.mass, n)

    @cached_property
    def u_dot(self) -> list[int]:
        return self.factor.solve(self.force) if self.force else []

    @property
    def x_dot(self) -> list[int]:
        return [*self.q_dot, *self.u_dot, *self.z_dot]

    @cached_property
    def rest(self) -> list[int]:
        """f + tau − M u̇ for symbols u̇: its derivatives at u̇ held are M times those of u̇."""
        g, found = self.graph, list[int]()
        for row, f in zip(self.mass_rows, self.force, strict=True):
            for entry, rate in zip(row, self.groups["u_dot"], strict=True):
                f = g.sub(f, g.mul(entry, rate))
            found.append(f)
        return found

    @cached_property
    def tangent(self) -> Entries:
        """N = ∂q̇/∂u by (coordinate, speed)."""
        return jacobian(self.graph, self.q_dot, self.groups["u"])

    @cached_property
    def plain(self) -> dict[int, int]:
        """For each speed that is the rate of one coordinate, and of no other, this coordinate."""
        N = self.tangent
        rows, columns = [i for i, _ in N], [j for _, j in N]
        single = [(i, j) for i, j in N if rows.count(i) == 1 == columns.count(j)]
        return {j: i for i, j in single if N[i, j] == self.graph.one}

    @cached_property
    def directions(self) -> Named:
        """How q can differ from what it is, by name, with the place of a speed, which leads along its column of N, or
        −1 − the place of a coordinate: those of joints that are not holonomic each by itself, for the speeds of such a
        joint lead to all of them in time."""
        q, found, wide = self.layout.q, list[tuple[str, int]](), self._wide
        for j, speed in enumerate(self.layout.u):
            if j in wide:
                found += [(f"q.{q[i]}", -1 - i) for i in wide[j]]
            else:
                found.append((f"q.{q[self.plain[j]]}" if j in self.plain else f"along.{speed}", j))
        return found

    @cached_property
    def _wide(self) -> dict[int, list[int]]:
        """By each speed of joints that are not holonomic, the places of the joint's coordinates, with its first."""
        found: dict[int, list[int]] = {}
        for link in self.e.forest.links:
            recipe = link.body.recipe
            joint = recipe.joint
            if len(joint.coordinates) - len(joint.quaternions) > len(joint.speeds):
                own = [self.layout.q.index(n) for n in recipe.names[0]]
                found |= {j: [] for j in link.u} | {min(link.u): own}
        return found

    @property
    def holonomic(self) -> bool:
        return not self._wide

    @property
    def dimension(self) -> int:
        """How many numbers tell the state: directions of q, speeds and extra states."""
        return len(self.directions) + len(self.layout.u) + len(self.layout.z)

    @cached_property
    def ways(self) -> Entries:
        """δq along the directions, by (coordinate, direction)."""
        places = {j: k for k, (_, j) in enumerate(self.directions)}
        alone = {(-1 - j, k): self.graph.one for j, k in places.items() if j < 0}
        return {(i, places[j]): h for (i, j), h in self.tangent.items() if j in places} | alone

    def dense(self, entries: Entries, rows: int, columns: int) -> Rows:
        return [[entries.get((i, j), self.graph.zero) for j in range(columns)] for i in range(rows)]

    # What users say

    def inputs(self, said: Sequence[str] | str | None) -> Named:
        """Inputs by name; "tau" stands for all generalised forces. Left out: all named ones, else tau."""
        known = dict(zip(self.layout.inputs, self.groups["inputs"], strict=True))
        forces = dict(zip(self.forces, self.groups["tau"], strict=True))
        if said is None:
            return list((known or forces).items())
        found: Named = []
        for name in names(said, "inputs"):
            if name not in known and name not in forces and name != FORCES:
                there = ", ".join([*known, FORCES, *forces])
                raise ArgumentError(f"system '{self.name}' has no input '{name}'; there are {there}")
            found += forces.items() if name == FORCES else [(name, (known | forces)[name])]
        return found

    def outputs(self, said: Any) -> Named:
        """Scalars to look at: outputs of the model by name (vectors by all their parts), texts, expressions, or a
        mapping from names to these. Left out: the model's outputs, else all states. Accelerations in them are symbols
        (``groups["u_dot"]``)."""
        if said is None:
            own = list(self.e.forest.system.outputs)
            return self.outputs(own) if own else list(zip(self.keys, self.x, strict=True))
        if isinstance(said, Mapping):
            said = by_name(said, "outputs", "{'y': 'q.arm'}")
            return [(n, self.words.node(v, f"output '{n}'", accelerations=True)) for n, v in said.items()]
        listed = [said] if isinstance(said, str | Expr) else said
        if not isinstance(listed, list | tuple) or not all(isinstance(one, str | Expr) for one in listed):
            raise ArgumentError(
                "outputs must be names, texts or expressions, in a list or by name such as {'y': 'q.arm'}, not"
                f" {shown(said)}"
            )
        return [pair for one in listed for pair in self._output(one)]

    def _output(self, said: Any) -> Named:
        known = self.words.known
        if isinstance(said, str) and isinstance(self.e.forest.system.outputs.get(said), Vector):
            return [(f"{said}.{c}", known[f"{said}.{c}"]) for c in "xyz"]
        if isinstance(said, str) and said in known:
            return [(said, known[said])]
        return [(str(said), self.words.node(said, f"output '{said}'", accelerations=True))]

    # Numbers

    def function(self, name: str, outputs: Mapping[str, Any]) -> Callable[..., dict[str, Array]]:
        """Nodes, in nested lists by name, as a function of a point and, where they use it, u̇."""
        shapes = {key: np.shape(nodes) for key, nodes in outputs.items()}
        a = Assembly(name, self.graph, self.groups)
        for key, nodes in outputs.items():
            if 0 not in shapes[key]:
                a.output(key, nodes)
        program = a.program()
        f, made = compile(program, "numpy"), [o.name for o in program.outputs]

        def call(point: Point, u_dot: Array | None = None) -> dict[str, Array]:
            held = {**point.groups, "u_dot": np.zeros(point.u.shape[-1]) if u_dot is None else u_dot}
            found = f(*(held[g.name] for g in f.groups)) if made else {}
            some = found if isinstance(found, dict) else {made[0]: found}
            return {key: some[key] if key in some else np.zeros(shape) for key, shape in shapes.items()}

        return call
