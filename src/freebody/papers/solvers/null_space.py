"""d'Alembert's principle (Mufti 1983, Eq 40; Appendix, cases 1 and 2): the forces of constraints do no work on motions
that the constraints allow, Zᵀ(J a − u) = 0.

For the tree, the columns of Z are the velocities of all bodies at unit speeds, and ZᵀJ Z = M is a sum over the bodies.
Loops restrict u̇ to the null space of G: each row of G is made orthogonal to those before it and is removed along itself
(``projection``), so that what is left of M is the mass matrix on the null space, in the coordinates u̇.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property

from freebody.formulations.constrained import ConstrainedSystem
from freebody.formulations.entries import Solver
from freebody.formulations.formulation import Formulation, Solution
from freebody.papers.solvers.projection import RowDirection, Sparse, inner, solve_by_projection
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.spatial.resolved import Twist
from freebody.tree.joint_forces import armatures, joint_forces
from freebody.tree.mass_matrix import Entries, add_entry, guarded_inverse
from freebody.tree.newton_euler import NewtonEuler


class RowItself(RowDirection):
    """The direction of a row itself."""

    def __init__(self, S: Graph, d: Sparse) -> None:
        self.S, self.d = S, d

    def dot(self, x: Mapping[int, Node]) -> Node:
        return inner(self.S, self.d, x)

    def move(self, x: Sparse, distance: Node) -> None:
        for k, d in self.d.items():
            x[k] = self.S.add(x[k], self.S.mul(d, distance))


def orthogonal(S: Graph, g: Sparse, scale: Node) -> tuple[RowDirection, Node]:
    """The row itself."""
    d = RowItself(S, g)
    inverse = guarded_inverse(S, S.neg(d.dot(g)), S.neg(S.mul(scale, scale)))
    return d, S.neg(inverse)


def solve_null_space(system: ConstrainedSystem) -> tuple[list[Node], list[Node]]:
    """u̇ and λ by the null space of G."""
    return solve_by_projection(system, orthogonal)


class DAlembert(Formulation):
    """M = ZᵀJ Z and f = Zᵀ(u − J a₀) + joint forces as sums over the bodies, a₀ their accelerations at u̇ = 0."""

    recursive = True

    @cached_property
    def velocities(self) -> list[dict[int, Twist]]:
        """Z: the twist of each link at unit speeds, by the index of the speed."""
        Z = list[dict[int, Twist]]()
        for link in self.links:
            twists = {} if link.parent is None else {k: V.out(link.X) for k, V in Z[link.parent.index].items()}
            for c in link.columns:
                twists[c.speed] = twists[c.speed] + c.twist if c.speed in twists else c.twist
            Z.append(twists)
        return Z

    @cached_property
    def mass(self) -> Mapping[tuple[int, int], Node]:
        g, entries = self.graph, Entries()
        for link, inertia in zip(self.links, self.inertias, strict=True):
            twists = self.velocities[link.index]
            for k, V in twists.items():
                momentum = inertia.apply(V)
                for j in (j for j in twists if j <= k):
                    add_entry(g, entries, k, j, twists[j].dot(momentum))
            if link.internal_dynamics is not None:
                for speed, momentum in zip(link.u, link.internal_dynamics.fr, strict=True):
                    for j, V in twists.items():
                        add_entry(g, entries, speed, j, V.dot(momentum))
                for (i, j), value in link.internal_dynamics.ff.items():
                    add_entry(g, entries, link.u[i], link.u[j], value)
        for speed, value in armatures(self.tree).items():
            add_entry(g, entries, speed, speed, value)
        return {key: value for key, value in sorted(entries.items()) if not g.vanishes(value)}

    @cached_property
    def force(self) -> Sequence[Node]:
        g, forces = self.graph, joint_forces(self.tree)
        required = NewtonEuler(self.motion, self.inertias)
        for link, F in zip(self.links, required.wrenches, strict=True):
            for k, V in self.velocities[link.index].items():
                forces[k] = g.sub(forces[k], V.dot(F))
        return [g.sub(f, required.own_forces.get(k, g.zero)) for k, f in enumerate(forces)]

    def forward(self, tau: Sequence[Node] = ()) -> Solution:
        system, equations = self.system(tau), self.constraints
        held = system._replace(G=equations.held_rows(system.G), gamma=equations.held(system.gamma))
        return Solution(*solve_null_space(held))


SOLVER = Solver("null-space", "gauss", solve_null_space, DAlembert)
