"""Elimination with stiffness added to the mass matrix: on its diagonal, on links, and between two links.

(M + diag(D) + Σ JᵀSJ) δ = right side. D are numbers by speed; a stiffness between a link and the ground is a symmetric
6 × 6 matrix, added to the link's articulated inertia; one between two links, S = L Lᵀ, is a pending column for each
column of L, as a multiplier is, with −1 instead of 0 on the diagonal: its pivot is −(1 + LᵀWL), which never vanishes,
and where L is zero the column changes nothing.
"""

from collections.abc import Mapping, Sequence

from freebody.spatial.inertia import ArticulatedInertia, RigidInertia
from freebody.spatial.resolved import Wrench
from freebody.spatial.scalars import Scalar
from freebody.tree.elimination import Elimination, LinkTotals, Multiplier
from freebody.tree.tree import Link, Tree


class StiffElimination(Elimination):
    """``diagonal`` by speed; ``stiffness`` by the index of the link; ``columns`` between two links, numbered behind
    the speeds and the ``multipliers`` of constraints."""

    def __init__(
        self,
        tree: Tree,
        inertias: Sequence[RigidInertia],
        diagonal: Mapping[int, Scalar],
        stiffness: Mapping[int, ArticulatedInertia],
        multipliers: Sequence[Multiplier] = (),
        columns: Sequence[Multiplier] = (),
    ) -> None:
        super().__init__(tree, inertias, multipliers=[*multipliers, *columns])
        self.diagonal, self.stiffness, self.columns = diagonal, stiffness, [row.speed for row in columns]

    def begin(self, tau: Sequence[Scalar], own_forces: Mapping[int, Scalar]) -> None:
        super().begin(tau, own_forces)
        for k, value in self.diagonal.items():
            self.rows[k, k] = self.S.add(self.rows[k, k], value) if (k, k) in self.rows else value
        for k in self.columns:
            self.rows[k, k] = self.S.const(-1)
            del self.scale[k]  # needs no guard

    def axes(self, link: Link) -> dict[int, tuple[int, int]]:
        """Without speeds whose rows have more than their link's inertia."""
        return {speed: axis for speed, axis in super().axes(link).items() if speed not in self.diagonal}

    def own_totals(self, link: Link, inertia: RigidInertia, force: Wrench) -> LinkTotals:
        return LinkTotals(inertia, self.stiffness.get(link.index), force, self.pending(link))
