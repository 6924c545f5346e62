"""Kane's equations, referred to the links' origins, with inertia accumulated from the tips to the root.

M u̇ = f, with f_k = −Σ_B (N_B · ω_k + F_B · v_k) over the bodies: F and N are what is left of inertia force and torque
when u̇ = 0, less the loads (Sayers Eqs 40–46). Sums over bodies that share a partial velocity are formed once, on the
way inwards: a link hands its parent the force F and the torque N + p × F, and the column of the mass matrix of speed k
is the force and torque that u̇_k = 1 alone needs.
"""

from collections.abc import Sequence
from functools import cached_property

from freebody.formulations.formulation import Formulation
from freebody.program.count import operations
from freebody.scalar.graph import Graph
from freebody.spatial.inertia import RigidInertia
from freebody.tree.forest import span
from freebody.tree.inertia import base
from freebody.tree.joint_forces import joint_forces, required
from freebody.tree.mass import mass
from freebody.tree.motion import Motion, move
from freebody.tree.newton import Newton


class Kane(Formulation):
    """M, f and q̇ of a motion, as nodes of its graph."""

    def __init__(self, motion: Motion, by_trace: bool = False) -> None:
        self.motion, self.forest, self.by_trace = motion, motion.forest, by_trace
        self.graph: Graph = motion.graph
        self.links = motion.forest.links

    @cached_property
    def inertias(self) -> list[RigidInertia]:
        return base(self.forest)

    # The force array

    @cached_property
    def force(self) -> list[int]:
        """f: the generalised forces that remain when all u̇ are zero."""
        needed = Newton(self.motion, self.inertias).generalised()
        return [self.graph.sub(e, f) for f, e in zip(needed, joint_forces(self.forest), strict=True)]

    # The mass matrix

    @cached_property
    def mass(self) -> dict[tuple[int, int], int]:
        """M's lower triangle; entries that are structurally zero are absent."""
        return mass(self.forest, self.inertias, self.by_trace)

    def inverse(self, accelerations: Sequence[int]) -> list[int]:
        """The generalised forces that make these u̇ happen."""
        return required(self.forest, self.inertias, accelerations)


def derive(motion: Motion) -> Kane:
    """Kane's equations, with the cheaper of the two ways to the diagonal of the composites' inertia. The second is
    derived again in a graph of its own, lest its nodes stand in the order of the first's (they would live too long)."""
    plain = Kane(motion)
    both = plain.mass, mass(plain.forest, plain.inertias, by_trace=True)
    costs = [operations(plain.graph, list(entries.values())) for entries in both]
    return plain if costs[0] <= costs[1] else Kane(move(span(motion.forest.model)), by_trace=True)
