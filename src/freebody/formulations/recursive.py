"""Recursive forward dynamics: from the tips inwards each joint's speeds are eliminated or their columns passed on.

Let u̇ = u̇₀ + δ, with u̇₀ chosen so that Newton and Euler's pass outwards is short (see ``ReferenceMotion``). Then
M δ = tau − f₀ with f₀ the forces that u̇₀ requires, and M is never formed as a whole (see ``tree.elimination``).
Condensing everywhere or nowhere are the two classical ways; a choice between them is often shorter.
"""

from collections.abc import Callable, Collection, Sequence

from freebody.formulations.formulation import Formulation, Solution
from freebody.scalar.node import Node
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Twist, Vec
from freebody.spatial.scalars import Triple, cross3, scale3
from freebody.spatial.vector import components
from freebody.tree.constraints import CANONICAL, ClosureForms, ConstraintEquations
from freebody.tree.elimination import Elimination, Multiplier
from freebody.tree.joint_forces import joint_forces, less_joint_forces
from freebody.tree.motion import LinkMotion, Motion, refer
from freebody.tree.newton_euler import NewtonEuler
from freebody.tree.ports import resting_links
from freebody.tree.tree import Link, Tree


class Recursive(Formulation):
    """M, f, u̇ and tau of a tree. ``condensing`` names the links that eliminate what is pending (by default all: the
    articulated-body algorithm; none: composite bodies); ``inertias`` are by default those of the base rewrite; ``unit``
    is the length that the tree counts as 1; ``forms`` are those of closures.

    The columns of a free body may belong to other speeds than its u: (ω, (v + ω × s)/L), with the origin shifted by s
    and L the unit of length. Generalised forces and accelerations are converted on the way in and out.
    """

    recursive = True

    def __init__(
        self,
        tree: Tree,
        condensing: Collection[str] | None = None,
        inertias: Sequence[RigidInertia] | None = None,
        unit: float = 1.0,
        forms: ClosureForms = CANONICAL,
    ) -> None:
        super().__init__(tree)
        self.unit, self.forms = unit, forms
        self.condensing = {k.index for k in self.links if condensing is None or k.name in condensing}
        if inertias is not None:
            self.inertias = inertias

    def forward(self, tau: Sequence[Node] = ()) -> Solution:
        """u̇ = u̇₀ + δ under generalised forces tau, and multipliers. For a free body's other speeds tau is
        (τ_ω − s × τ_v, L τ_v), and its u̇ is (ω̇, L v̇ − ω̇ × s)."""
        resting = resting_links(self.links) if not self.tree.model.constraints else set[int]()
        resting &= self.condensing  # with constraints, their accelerations at u̇₀ are needed
        g, motion = self.graph, ReferenceMotion(self.tree, self._to_user, resting)
        newton, own = NewtonEuler(motion, self.inertias), joint_forces(self.tree)
        right = [g.add(t, e) for t, e in zip(tau, own, strict=True)] if tau else own
        equations = self.equations_of(motion)
        elimination = Elimination(
            self.tree, self.inertias, self.condensing, self._multipliers(equations), motion.jumps, ports=True
        )
        right = [*self._to_columns(right), *equations.accelerations]
        delta = elimination.solve(right, newton.wrenches, newton.own_forces)
        n = len(self.tree.layout.u)
        rates = [g.add(d, motion.reference.get(k, g.zero)) for k, d in enumerate(delta[:n])]
        return Solution(self._to_user(rates), delta[n:])

    def correction(self, right: Sequence[Node]) -> list[Node]:
        """The δ of least kinetic energy with G δ = −right."""
        g, n = self.graph, len(self.tree.layout.u)
        elimination = Elimination(self.tree, self.inertias, self.condensing, self._multipliers(self.constraints))
        return self._to_user(elimination.solve([*[g.zero] * n, *right])[:n])

    def _multipliers(self, equations: ConstraintEquations) -> list[Multiplier]:
        """The columns of multipliers, with their forces on the speeds of the columns."""
        columns, g, n = equations.multipliers(self.tree), self.graph, len(self.tree.layout.u)
        if not any(column.forces for column in columns) or not self._shifted():
            return columns
        result = list[Multiplier]()
        for column in columns:
            forces = self._to_columns([column.forces.get(k, g.zero) for k in range(n)])
            result.append(column._replace(forces={k: f for k, f in enumerate(forces) if f != g.zero}))
        return result

    def _to_columns(self, forces: Sequence[Node]) -> list[Node]:
        """Generalised forces on the speeds of the columns, from those on u."""
        g, shifted = self.graph, list(forces)
        for link, s, unit in self._shifted():
            turning, sliding = ([forces[k] for k in link.u[i : i + 3]] for i in (0, 3))
            around = cross3(g, s, sliding)
            for k in range(3):
                shifted[link.u[k]] = g.sub(turning[k], around[k])
                shifted[link.u[k + 3]] = g.mul(unit, sliding[k])
        return shifted

    def _to_user(self, rates: Sequence[Node]) -> list[Node]:
        """u̇, from the rates of the speeds of the columns."""
        g, result = self.graph, list(rates)
        for link, s, unit in self._shifted():
            around = cross3(g, [result[k] for k in link.u[:3]], s)
            for n, k in enumerate(link.u[3:]):
                result[k] = g.sub(g.mul(unit, result[k]), around[n])
        return result

    def inverse(self, accelerations: Sequence[Node]) -> list[Node]:
        """tau by Newton and Euler, with the conversions of ``forward`` the other way."""
        g, rates = self.graph, list(accelerations)
        for link, s, unit in self._shifted():
            around = cross3(g, [rates[k] for k in link.u[:3]], s)
            for n, k in enumerate(link.u[3:]):
                rates[k] = g.div(g.add(rates[k], around[n]), unit)
        required = NewtonEuler(Motion(self.tree, rates), self.inertias).generalised()
        for link, s, unit in self._shifted():
            sliding = [g.div(required[k], unit) for k in link.u[3:]]
            around = cross3(g, s, sliding)
            for n in range(3):
                required[link.u[n]], required[link.u[n + 3]] = g.add(required[link.u[n]], around[n]), sliding[n]
        return less_joint_forces(self.tree, required, accelerations)

    def _shifted(self) -> list[tuple[Link, Triple, Node]]:
        """The links whose columns belong to other speeds, their s (in the user's unit) and L."""
        g, L = self.graph, self.graph.const(self.unit if self.unit != 1 else 1)
        links = [link for link in self.links if link.body.column_speeds and link.u]
        return [(link, scale3(g, L, components(link.shift, link.frame)), L) for link in links]


class ReferenceMotion(Motion):
    """The motion at u̇₀, which leaves no acceleration along the joints' axes (``Link.axes``). ``reference`` holds u̇₀ by
    index in u, once the motion of all links was computed; ``to_user`` converts it from the speeds of the columns. The
    ``resting`` links have no acceleration at all; by how much that differs from what their parents' motion gives them
    is in ``jumps``."""

    def __init__(
        self, tree: Tree, to_user: Callable[[Sequence[Node]], list[Node]] = list, resting: Collection[int] = ()
    ) -> None:
        super().__init__(tree)
        self.reference: dict[int, Node] = {}
        self.jumps: dict[int, Twist] = {}
        self.to_user, self.resting = to_user, resting

    def step(self, link: Link, P: LinkMotion) -> LinkMotion:
        motion, rates = refer(link, P)
        self.reference |= rates
        if link.index not in self.resting:
            return motion
        self.jumps[link.index] = Twist.of(motion.alpha, motion.a)
        return LinkMotion(motion.w, Vec.zero(link.frame), Vec.zero(link.frame))

    @property
    def speed_rates(self) -> list[Node]:
        for link in self.tree.links:
            self.of(link)
        return self.to_user([self.reference.get(k, self.graph.zero) for k in range(len(self.tree.layout.u))])
