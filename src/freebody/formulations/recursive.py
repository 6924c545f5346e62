"""Recursive forward dynamics: from the tips inwards each joint's speeds are eliminated or their columns carried on.

Let u̇ = u̇₀ + δ, with u̇₀ chosen so that Newton and Euler's pass outwards is short (see ``ReferenceMotion``). Then
M δ = tau − f₀ with f₀ the forces that u̇₀ needs, and M is never formed as a whole (see ``elimination``). Condensing
everywhere or nowhere are the two classical ways; what is between them is often shorter.
"""

from collections.abc import Collection, Sequence
from functools import cached_property

from freebody.formulations.formulation import Formulation
from freebody.scalar.graph import Graph
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.scalars import Triple, cross3, scale3
from freebody.spatial.vector import components
from freebody.tree.elimination import Elimination
from freebody.tree.forest import Forest, Link
from freebody.tree.inertia import base
from freebody.tree.joint_forces import joint_forces, less_joint_forces
from freebody.tree.mass import mass
from freebody.tree.motion import Motion, Moving, referred
from freebody.tree.newton import Newton


class Recursive(Formulation):
    """M, f, u̇ and tau of a forest. ``condensing`` names the links that eliminate what is pending (all: the articulated
    body algorithm, none: composite bodies); ``inertias`` are those of the base rewrite if not given; ``unit`` is the
    length that the forest counts as 1."""

    recursive = True

    def __init__(
        self, forest: Forest, condensing: Collection[str] | None = None, inertias: Sequence[RigidInertia] | None = None,
        unit: float = 1.0,
    ) -> None:  # fmt: skip
        self.forest, self.motion, self.unit = forest, Motion(forest), unit
        self.graph: Graph = forest.graph
        links = forest.links
        self.condensing = {k.index for k in links if condensing is None or k.name in condensing}
        self._given = inertias

    @cached_property
    def inertias(self) -> list[RigidInertia]:
        return list(base(self.forest) if self._given is None else self._given)

    @cached_property
    def mass(self) -> dict[tuple[int, int], int]:
        return mass(self.forest, self.inertias)

    @cached_property
    def force(self) -> list[int]:
        needed = Newton(self.motion, self.inertias).generalised()
        return [self.graph.sub(e, f) for f, e in zip(needed, joint_forces(self.forest), strict=True)]

    def forward(self, tau: Sequence[int] = ()) -> list[int]:
        """u̇ under generalised forces tau."""
        g, reference = self.graph, ReferenceMotion(self.forest)
        newton, own = Newton(reference, self.inertias), joint_forces(self.forest)
        right = [g.add(t, e) for t, e in zip(tau, own, strict=True)] if tau else own
        elimination = Elimination(self.forest, self.inertias, self.condensing)
        delta = elimination.solve(self._referred(right), newton.own, newton.modal)
        return self._returned([g.add(d, reference.chosen.get(k, g.zero)) for k, d in enumerate(delta)])

    # Free bodies whose columns belong to other speeds than u: (ω, (v + ω × s)/L)

    def _referred(self, tau: Sequence[int]) -> list[int]:
        """Generalised forces on these speeds: (τ_ω − s × τ_v, L τ_v)."""
        g, made = self.graph, list(tau)
        for link, s, unit in self._elsewhere:
            turning, sliding = ([tau[k] for k in link.u[i : i + 3]] for i in (0, 3))
            felt = cross3(g, s, sliding)
            for k in range(3):
                made[link.u[k]] = g.sub(turning[k], felt[k])
                made[link.u[k + 3]] = g.mul(unit, sliding[k])
        return made

    def _returned(self, rates: list[int]) -> list[int]:
        """u̇ of theirs: (ω̇, L v̇ − ω̇ × s)."""
        g = self.graph
        for link, s, unit in self._elsewhere:
            around = cross3(g, [rates[k] for k in link.u[:3]], s)
            for k in range(3):
                place = link.u[k + 3]
                rates[place] = g.sub(g.mul(unit, rates[place]), around[k])
        return rates

    @property
    def _elsewhere(self) -> list[tuple[Link, Triple, int]]:
        """The links with such speeds, their s (in the user's unit) and L."""
        g, L = self.graph, self.graph.const(self.unit if self.unit != 1 else 1)
        found = [link for link in self.forest.links if link.body.column_speeds and link.u]
        return [(link, scale3(g, L, components(link.shift, link.frame)), L) for link in found]

    def inverse(self, accelerations: Sequence[int]) -> list[int]:
        """The generalised forces that make these u̇ happen: Newton and Euler, no mass matrix."""
        g, made = self.graph, list(accelerations)
        for link, s, unit in self._elsewhere:
            around = cross3(g, [made[k] for k in link.u[:3]], s)
            for k, place in enumerate(link.u[3:]):
                made[place] = g.div(g.add(made[place], around[k]), unit)
        needed = Newton(Motion(self.forest, made), self.inertias).generalised()
        for link, s, unit in self._elsewhere:
            sliding = [g.div(needed[k], unit) for k in link.u[3:]]
            felt = cross3(g, s, sliding)
            for k in range(3):
                needed[link.u[k]], needed[link.u[k + 3]] = g.add(needed[link.u[k]], felt[k]), sliding[k]
        return less_joint_forces(self.forest, needed, accelerations)


class ReferenceMotion(Motion):
    """The motion with u̇₀ in place of u̇: such that a link has no acceleration along the axes its own speeds move it
    along. ``chosen`` holds u̇₀ by index in u, once all links were asked for their motion."""

    def __init__(self, forest: Forest) -> None:
        super().__init__(forest)
        self.chosen: dict[int, int] = {}

    def step(self, link: Link, P: Moving) -> Moving:
        made, chosen = referred(link, P)
        self.chosen |= chosen
        return made
