"""Poincaré's equations as a program (Kwatny & Blankenship 1995, section III, signs corrected).

With q̇ = Σ v_k p_k and [v_i, v_j] = Σ c^k_ij v_k they are, for T the kinetic and 𝒱 the potential energy,

    d/dt ∂T/∂p_k − Σ_ij c^i_jk p_j ∂T/∂p_i − v_k(T) + v_k(𝒱) = Q_k.

Let h_k be the column of speed k (the velocity (ω, v) that p_k = 1 alone gives its link relative to the parent, in the
link's frame), ξ the velocity across the joint, V the link's own, and g the momentum of the link with all that hangs on
it. Then ∂T/∂p_k = h_k · g. A displacement along v_k moves the link alone in its parent, which changes V by
(V − ξ) × h_k + v_k(ξ); hence v_k(T) = g · ((V − ξ) × h_k + v_k(ξ)). And Σ_i c^i_jk h_i is
h_j × h_k + v_j(h_k) − v_k(h_j), so that Σ_ij c^i_jk p_j ∂T/∂p_i = g · (ξ × h_k + ḣ_k − v_k(ξ)). What a column's changes
contribute cancels, and

    h_k · ġ + g · (h_k × V) + v_k(𝒱) = h_k · (ġ + V ×* g) + v_k(𝒱) = Q_k

is left, where ġ + V ×* g is the sum of what the bodies' own momenta change at: no bracket has to be formed, nor need
the columns' brackets be combinations of the columns. So it also holds for joints that are not holonomic (Hamel's
equations): the momenta beside their own columns are in g. Uniform gravity's v_k(𝒱) is what ġ gains when the ground
accelerates at −g.
"""

from collections.abc import Sequence
from functools import cached_property

from freebody.formulations.formulation import Formulation
from freebody.formulations.poincare.momenta import Momenta
from freebody.scalar.graph import Graph
from freebody.spatial.inertia import RigidInertia
from freebody.tree.efforts import armatures, efforts
from freebody.tree.forest import Forest
from freebody.tree.inertia import base
from freebody.tree.mass import mass
from freebody.tree.motion import Motion
from freebody.tree.newton import generalised, load_forces, load_wrenches
from freebody.tree.passes import handed, inwards


class Poincare(Formulation):
    """M, f, q̇ of a forest: M ṗ = f + tau with the momenta of composite bodies."""

    def __init__(self, forest: Forest) -> None:
        self.forest, self.motion = forest, Motion(forest)
        self.graph: Graph = forest.graph

    @cached_property
    def inertias(self) -> list[RigidInertia]:
        return base(self.forest)

    @cached_property
    def mass(self) -> dict[tuple[int, int], int]:
        """𝓜 = Hᵀ Φᵀ M Φ H (Eq 52b), by composite bodies; lower triangle."""
        return mass(self.forest, self.inertias)

    @cached_property
    def force(self) -> list[int]:
        """f: loads and weight, less what momenta ask for while p is constant."""
        return [self.graph.neg(x) for x in self._needed()]

    def inverse(self, accelerations: Sequence[int]) -> list[int]:
        """The generalised forces that make these ṗ happen."""
        g, rotors, needed = self.graph, armatures(self.forest), self._needed(accelerations)
        return [g.add(x, g.mul(rotors[k], accelerations[k])) if k in rotors else x for k, x in enumerate(needed)]

    def _needed(self, accelerations: Sequence[int] = ()) -> list[int]:
        """What stands left of tau on each speed: h_k · (ġ + V ×* g) − Q, with the loads taken off link by link."""
        m, links = Momenta(self.motion, self.inertias, accelerations), self.forest.links
        own = [m.change(link) - load for link, load in zip(links, load_wrenches(self.motion), strict=True)]
        needed = generalised(self.forest, inwards(links, own, handed), m.modal)
        return [self.graph.sub(x, Q) for x, Q in zip(needed, efforts(self.forest), strict=True)]

    @cached_property
    def loads(self) -> list[int]:
        """Q: what loads do through partial velocities, and joints' own efforts."""
        both = zip(efforts(self.forest), load_forces(self.motion), strict=True)
        return [self.graph.add(q, f) for q, f in both]
