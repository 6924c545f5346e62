"""Poincaré's equations (Kwatny & Blankenship 1995, section III, signs corrected): Lagrange's equations in speeds that
need not be rates of coordinates.

With q̇ = Σ v_k p_k and [v_i, v_j] = Σ c^k_ij v_k they are, for T the kinetic and 𝒱 the potential energy,

    d/dt ∂T/∂p_k − Σ_ij c^i_jk p_j ∂T/∂p_i − v_k(T) + v_k(𝒱) = Q_k.

Let h_k be the column of speed k (the twist (ω, v) of its link relative to the parent for p_k = 1, in the link's frame),
ξ the twist across the joint, V that of the link, and g the momentum of the link's composite body. Then
∂T/∂p_k = h_k · g. A displacement along v_k moves the link alone in its parent, which changes V by
(V − ξ) × h_k + v_k(ξ); hence v_k(T) = g · ((V − ξ) × h_k + v_k(ξ)). And Σ_i c^i_jk h_i is
h_j × h_k + v_j(h_k) − v_k(h_j), so that Σ_ij c^i_jk p_j ∂T/∂p_i = g · (ξ × h_k + ḣ_k − v_k(ξ)). The terms of the
columns' changes cancel, which leaves

    h_k · ġ + g · (h_k × V) + v_k(𝒱) = h_k · (ġ + V ×* g) + v_k(𝒱) = Q_k

where ġ + V ×* g is the sum of the rates of the bodies' momenta: no bracket has to be formed, and the columns' brackets
need not be combinations of the columns. So it also holds for nonholonomic joints (Hamel's equations): the momenta
outside the span of the columns are in g. Uniform gravity's v_k(𝒱) is what ġ gains when the ground accelerates at −g.
"""

from collections.abc import Sequence
from functools import cached_property

from freebody.errors import ModelError
from freebody.formulations.derivation import Derivation
from freebody.formulations.entries import DeriveOptions, FormulationEntry, Growth
from freebody.formulations.formulation import Formulation
from freebody.model.model import Model
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Twist, Vec, Wrench, collected
from freebody.spatial.scalars import Scalar
from freebody.tree.energy import momentum
from freebody.tree.joint_forces import armatures, joint_forces
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import generalised, load_forces, load_wrenches
from freebody.tree.passes import inwards, outwards, to_parent
from freebody.tree.tree import Link, Tree, span


class Poincare(Formulation):
    """M = 𝓜 = Hᵀ Φᵀ M Φ H (Eq 52b) by composite bodies, and f from the momenta."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        for link in tree.links:
            if link.body.placement.undeformed is not None:
                raise ModelError(
                    f"derive('poincare'): node '{link.name}' belongs to a flexible body of order 'ruthless', whose"
                    " equations do not follow from an energy; use order='full', or another formulation"
                )
            if link.internal_dynamics is not None and not link.internal_dynamics.variational:
                raise ModelError(
                    f"derive('poincare'): the flexible body '{link.described.name}' has the order 'paper', whose"
                    " equations do not follow from an energy; use order='full', or another formulation"
                )

    @cached_property
    def force(self) -> list[Node]:
        """f = Q − h_k · (ġ + V ×* g) at ṗ = 0."""
        return [self.graph.neg(x) for x in self._required()]

    def inverse(self, accelerations: Sequence[Node]) -> list[Node]:
        """tau = h_k · (ġ + V ×* g) − Q at these ṗ."""
        g, rotors, required = self.graph, armatures(self.tree), self._required(accelerations)
        return [g.add(x, g.mul(rotors[k], accelerations[k])) if k in rotors else x for k, x in enumerate(required)]

    def _required(self, accelerations: Sequence[Node] = ()) -> list[Node]:
        """h_k · (ġ + V ×* g) − Q without the rotors; loads are subtracted link by link."""
        m, links = Momenta(self.motion, self.inertias, accelerations), self.tree.links
        wrenches, own_forces = list[Wrench](), dict[int, Scalar]()
        for link, load in zip(links, load_wrenches(self.motion), strict=True):
            change, forces = m.change(link)
            wrenches.append(change - load)
            own_forces |= forces
        required = generalised(self.tree, inwards(links, wrenches, to_parent), own_forces)
        return [self.graph.sub(x, Q) for x, Q in zip(required, joint_forces(self.tree), strict=True)]

    @cached_property
    def loads(self) -> list[Node]:
        """Q: the generalised forces of loads and joints."""
        both = zip(joint_forces(self.tree), load_forces(self.motion), strict=True)
        return [self.graph.add(q, f) for q, f in both]


class Momenta:
    """Twists V outwards, momenta inwards, and the rates of both at ``accelerations`` (u̇ = 0 without).

    V = (ω, v) is of the link's origin, in its frame (Kwatny & Blankenship Eqs 44–47); the momentum g = (L, P) has
    P = m v + ω × h and L = J ω + h × v. Rates are those of the components in this frame; as the frame moves, the
    momentum changes at ġ + V ×* g, with V ×* g = (ω × L + v × P, ω × P).
    """

    def __init__(self, motion: Motion, inertias: Sequence[RigidInertia], accelerations: Sequence[Node] = ()) -> None:
        self.motion, self.inertias, self.accelerations = motion, inertias, accelerations
        self.graph: Graph = motion.graph
        self.links = motion.tree.links

    @cached_property
    def across(self) -> list[Twist]:
        """ξ of each joint."""
        return [Twist.of(link.w_PB, collected(link.frame, link.v_PB)) for link in self.links]

    @cached_property
    def velocities(self) -> dict[int, Twist]:
        """V = φᵀ V_P + ξ of each link (Eq 47)."""

        def step(link: Link, V: Twist) -> Twist:
            return V.out(link.X) + self.across[link.index]

        return outwards(self.links, step, Twist.zero(self.motion.tree.root))

    @cached_property
    def rates(self) -> dict[int, Twist]:
        """V̇ of each link by components: (φᵀ V_P)˙ + ξ̇ with (φᵀ V_P)˙ = φᵀ V̇_P − ξ × (φᵀ V_P) = φᵀ V̇_P + V × ξ. The
        biases in ξ̇ are derivatives in the parent, hence less ω_PB × v_PB. The ground's rate is −g, for the weight."""

        def step(link: Link, rate: Twist) -> Twist:
            alpha, a = list(link.alpha_bias), list(link.a_bias)
            for c in link.columns if self.accelerations else ():
                alpha += [e.times(self.accelerations[c.speed]) for e in c.angular]
                a += [l.times(self.accelerations[c.speed]) for l in c.linear]
            xi = self.across[link.index]
            xi_dot = Twist.of(collected(link.frame, alpha), collected(link.frame, a) - xi.angular.cross(xi.linear))
            rate = rate.out(link.X)
            return (rate if link.parent is None else rate + self.velocities[link.index].cross(xi)) + xi_dot

        return outwards(self.links, step, Twist.of(Vec.zero(self.motion.tree.root), self.motion.ground.a))

    @cached_property
    def momenta(self) -> list[Wrench]:
        """g of each composite body."""
        both = zip(self.links, self.inertias, strict=True)
        return inwards(self.links, [momentum(link, self.velocities[link.index], i) for link, i in both], to_parent)

    def change(self, link: Link) -> tuple[Wrench, dict[int, Scalar]]:
        """ġ + V ×* g of one link, the rate of its momentum in the ground; and for each own speed of the body the force
        that it requires."""
        V, rate, inertia = self.velocities[link.index], self.rates[link.index], self.inertias[link.index]
        total = inertia.apply(rate) + V.cross_dual(inertia.apply(V))
        if link.internal_dynamics is None:
            return total, {}
        own_rates = [self.accelerations[k] if self.accelerations else self.graph.zero for k in link.u]
        a = rate.linear + V.angular.cross(V.linear)
        forces, wrench = link.internal_dynamics.required(V.angular, rate.angular, a, own_rates)
        return total + wrench, dict(zip(link.u, forces, strict=True))


def equations(model: Model, options: DeriveOptions) -> Derivation:
    """Poincaré's equations; u̇ from M and f by a solver."""
    matrices = None if options.solver is None else options.solver.matrices_of("poincare")
    return Derivation(Poincare(span(model)), options.small, matrices)


FORMULATION = FormulationEntry(
    "poincare", equations, frozenset({"small", "solver", "speeds"}), Growth(1, seconds=4.4e-4, bytes=2.0e4)
)
