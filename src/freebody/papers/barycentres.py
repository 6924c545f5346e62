"""Augmented bodies of a system at a position, in numbers: the matrices L, D and K of Mufti (1983, Eqs 6, 28, 35).

All vectors are along the ground's axes. A tree whose root moves freely has its barycentres; one that is attached has S
in place of C (Remark 3), and each barycentre is at the point of the body's joint.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from freebody.model.model import Model
from freebody.quantities.regressor import Q as ENTRIES
from freebody.tables import ShortRepr
from freebody.tree.barycentres import Hinges
from freebody.tree.topology import GROUND, Topology, topology
from freebody.tree.tree import span

Array = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Barycentres(ShortRepr):
    """Bodies at a position, in the order of ``topology.bodies``: ``mass`` (n), ``inertia`` about mass centres
    (n × 3 × 3), ``centres`` of mass and points of ``joints`` (n × 3). ``free`` are the names of roots that move
    freely."""

    topology: Topology
    mass: Array
    inertia: Array
    centres: Array
    joints: Array
    free: frozenset[str]

    @cached_property
    def L(self) -> Array:
        """n × n × 3, bodies × joints: the vector from a mass centre to the point of a joint, times its entry of S."""
        return self.topology.S[:, :, None] * (self.joints[None] - self.centres[:, None])

    @cached_property
    def B(self) -> Array:
        """n × n, joints × bodies: T₂ μ for free trees (Eq 26), with zeros for the joint of the root; T for others."""
        B, roots = self.topology.path.astype(float), [arc.start == GROUND for arc in self.topology.joints]
        for k in np.flatnonzero(roots):
            if self.topology.joints[k].end in self.free:
                hinged = self.topology.path[k] != 0
                B[k, hinged] = 0.0
                B[:, hinged] -= (
                    np.outer(B[:, hinged] @ self.mass[hinged], np.ones(hinged.sum())) / self.mass[hinged].sum()
                )
        return B

    @cached_property
    def D(self) -> Array:
        """n × n × 3: d_ik from the barycentre of body i to its mass centre (k = i), or to its joint on the side of body
        k; zero where no motion of k depends on the rotation of i."""
        D: Array = -np.einsum("ijx,jk->ikx", self.L, self.B)
        return D

    @cached_property
    def K(self) -> Array:
        """n × n × 3 × 3: the blocks of K = I + D̃ M D̃ᵀ, of K ω̇ = … for bodies on ball joints (Eqs 28, 35)."""
        skew = np.cross(self.D[..., None, :], np.eye(3))  # rows of d̃
        K: Array = np.einsum("k,ikab,jkcb->ijac", self.mass, skew, skew)
        K[np.diag_indices(len(K))] += self.inertia
        return K

    @property
    def positions(self) -> Array:
        """The barycentres, n × 3."""
        return np.asarray(self.centres - np.einsum("iix->ix", self.D))


def barycentres(model: Model, R: Array, p: Array, parameters: Array) -> Barycentres:
    """Augmented bodies from the orientations and the origins of all bodies, and their inertial parameters (m, h, J
    about the origin; a row for each body)."""
    trees = Hinges(span(model, staged=False), "barycentres", "K is defined for such joints only").trees
    m, h, moments = parameters[:, 0], parameters[:, 1:4], parameters[:, 4:]
    c, J = h / np.where(m == 0, 1, m)[:, None], np.zeros((len(m), 3, 3))
    for k, (i, j) in enumerate(ENTRIES):
        J[:, i, j] = J[:, j, i] = moments[:, k]
    J -= m[:, None, None] * (np.einsum("ix,ix->i", c, c)[:, None, None] * np.eye(3) - np.einsum("ix,iy->ixy", c, c))
    free = frozenset(hinged.root.name for hinged in trees if hinged.free)
    centres = p + np.einsum("ixy,iy->ix", R, c)
    return Barycentres(topology(model), m, np.einsum("ixa,iab,iyb->ixy", R, J, R), centres, p, free)
