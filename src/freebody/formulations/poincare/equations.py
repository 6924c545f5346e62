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

from freebody.formulations.columns import Columns
from freebody.formulations.efforts import armatures, efforts
from freebody.formulations.inwards import Inwards, Push
from freebody.formulations.poincare.momenta import Momenta, Twist
from freebody.scalar.graph import Graph
from freebody.spatial.triples import add3, cross3
from freebody.spatial.vector import components
from freebody.tree.forest import Forest, Link
from freebody.tree.inertia import Inertia, base
from freebody.tree.motion import Motion


class Poincare:
    """M, f, q̇ of a forest: M ṗ = f + tau with the momenta of composite bodies."""

    def __init__(self, forest: Forest) -> None:
        self.forest, self.motion = forest, Motion(forest)
        self.graph: Graph = forest.graph

    @cached_property
    def inertias(self) -> list[Inertia]:
        return base(self.forest)

    @cached_property
    def columns(self) -> Columns:
        return Columns(Inwards(self.motion, self.inertias), self.inertias)

    @cached_property
    def mass(self) -> dict[tuple[int, int], int]:
        """𝓜 = Hᵀ Φᵀ M Φ H (Eq 52b), by composite bodies; lower triangle."""
        return self.columns.mass

    @cached_property
    def force(self) -> list[int]:
        """f: loads and weight, less what momenta ask for while p is constant."""
        return [self.graph.neg(x) for x in self._needed()]

    def inverse(self, accelerations: Sequence[int]) -> list[int]:
        """The generalised forces that make these ṗ happen."""
        g, rotors, needed = self.graph, armatures(self.forest), self._needed(accelerations)
        return [g.add(x, g.mul(rotors[k], accelerations[k])) if k in rotors else x for k, x in enumerate(needed)]

    def _needed(self, accelerations: Sequence[int] = ()) -> list[int]:
        """What stands left of tau on each speed."""
        g = self.graph
        momenta = Momenta(self.motion, self.inertias, accelerations)
        return [g.sub(x, Q) for x, Q in zip(self._along_columns(momenta), self.loads, strict=True)]

    def _along_columns(self, m: Momenta) -> list[int]:
        """h_k · (ġ + V ×* g)."""
        g, found = self.graph, [self.graph.zero] * len(self.forest.layout.u)
        for link, change in zip(self.forest.links, m.changes, strict=True):
            felt = self.columns.inwards.along(link, Push(change.P, change.L))
            for place, x in zip(link.u, felt, strict=True):
                found[place] = g.add(found[place], x)
        return found

    @cached_property
    def loads(self) -> list[int]:
        """Q: what loads do through partial velocities, and joints' own efforts."""
        g, z = self.graph, self.graph.zero
        nothing = Inertia(z, (z, z, z), (z,) * 6, z)
        needed = Inwards(self.motion, [nothing for _ in self.forest.links]).generalised()
        return [g.sub(q, n) for q, n in zip(efforts(self.forest), needed, strict=True)]


def columns_of(link: Link) -> list[Twist]:
    """h of each free speed."""
    pairs = zip(link.turns, link.slides, strict=True)
    return [Twist(components(e, link.frame), components(l, link.frame)) for e, l in pairs]


def crossed(g: Graph, h: Twist, V: Twist) -> Twist:
    """h × V, the bracket of two velocities."""
    return Twist(cross3(g, h.w, V.w), add3(g, cross3(g, h.w, V.v), cross3(g, h.v, V.w)))
