"""Momenta of links and of all that hangs on them, from the tips inwards, and how they change.

A link's velocity V = (ω, v) is that of its origin, in its frame (Kwatny & Blankenship Eqs 44–47); its momentum is
g = (L, P) with P = m v + ω × h and L = J ω + h × v. Rates are those of the components in this frame; as the frame
moves, momentum changes at ġ + V ×* g, with V ×* g = (ω × L + v × P, ω × P).
"""

from collections.abc import Sequence
from functools import cached_property

from freebody.scalar.graph import Graph
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Twist, Vec, Wrench
from freebody.spatial.scalars import Scalar
from freebody.spatial.terms import collected
from freebody.tree.energy import momentum
from freebody.tree.forest import Link
from freebody.tree.motion import Motion
from freebody.tree.passes import handed, inwards, outwards


class Momenta:
    """Velocities outwards, momenta inwards, and the rates of both for given u̇ (0 where none are given)."""

    def __init__(self, motion: Motion, inertias: Sequence[RigidInertia], accelerations: Sequence[int] = ()) -> None:
        self.motion, self.inertias, self.accelerations = motion, inertias, accelerations
        self.graph: Graph = motion.graph
        self.links = motion.forest.links

    # Outwards

    @cached_property
    def across(self) -> list[Twist]:
        """ξ of each joint."""
        return [Twist.of(link.turning, collected(link.frame, link.sliding)) for link in self.links]

    @cached_property
    def velocities(self) -> dict[int, Twist]:
        """V of each link (Eq 47): the parent's at its origin, and ξ."""

        def step(link: Link, V: Twist) -> Twist:
            return V.out(link.X) + self.across[link.index]

        return outwards(self.links, step, Twist.zero(self.motion.forest.root))

    @cached_property
    def rates(self) -> dict[int, Twist]:
        """V̇ of each link, component by component. The ground's is −g, which stands for weight."""
        return outwards(self.links, self._rate, Twist.of(Vec.zero(self.motion.forest.root), self.motion.ground.a))

    def _rate(self, link: Link, before: Twist) -> Twist:
        """(Φ V_P)˙ + ξ̇ with (Φ V_P)˙ = Φ V̇_P − ξ × (Φ V_P) = Φ V̇_P + V × ξ, ξ the velocity across the joint; ξ̇ is
        what the columns' changes and known accelerations make of it, seen from the parent, less e × l."""
        alpha, a = list(link.turning_bias), list(link.sliding_bias)
        for c in link.columns if self.accelerations else ():
            alpha += [e.times(self.accelerations[c.speed]) for e in c.angular]
            a += [l.times(self.accelerations[c.speed]) for l in c.linear]
        xi = self.across[link.index]
        own = Twist.of(collected(link.frame, alpha), collected(link.frame, a) - xi.angular.cross(xi.linear))
        before = before.out(link.X)
        return (before if link.parent is None else before + self.velocities[link.index].cross(xi)) + own

    # Inwards

    @cached_property
    def momenta(self) -> list[Wrench]:
        """g of each link with all that hangs on it."""
        both = zip(self.links, self.inertias, strict=True)
        return inwards(self.links, [momentum(link, self.velocities[link.index], i) for link, i in both], handed)

    def change(self, link: Link) -> Wrench:
        """ġ + V ×* g of one link: how its momentum changes, seen from the ground."""
        V, inertia = self.velocities[link.index], self.inertias[link.index]
        total = inertia.apply(self.rates[link.index]) + V.cross_dual(inertia.apply(V))
        return total if link.inside is None else total + self._within(link)[1]

    def _within(self, link: Link) -> tuple[Sequence[Scalar], Wrench]:
        """Of a body with speeds of its own: what they feel, and the change beside that of its rigid part."""
        V, rate = self.velocities[link.index], self.rates[link.index]
        if link.inside is None:
            return (), Wrench.zero(link.frame)
        given = [self.accelerations[k] if self.accelerations else self.graph.zero for k in link.u]
        return link.inside.needs(V.angular, rate.angular, rate.linear + V.angular.cross(V.linear), given)

    @cached_property
    def modal(self) -> dict[int, Scalar]:
        """By own speed of a body, what it needs."""
        found: dict[int, Scalar] = {}
        for link in self.links:
            if link.inside is not None:
                found |= dict(zip(link.u, self._within(link)[0], strict=True))
        return found
