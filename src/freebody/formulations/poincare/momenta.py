"""Momenta of links and of all that hangs on them, from the tips inwards, and how they change.

A link's velocity V = (ω, v) is that of its origin, in its working frame (Kwatny & Blankenship Eqs 44–47); its momentum
is g = (L, P) with P = m v + ω × h and L = J ω + h × v. Rates are those of the components in this frame; as the frame
moves, momentum changes at ġ + V ×* g, with V ×* g = (ω × L + v × P, ω × P).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from freebody.formulations.columns import rotated
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.spatial.triples import Triple, add3, cross3, scale3, sub3
from freebody.spatial.vector import Vector, components
from freebody.tree.forest import Link
from freebody.tree.inertia import Inertia
from freebody.tree.motion import Motion, down


@dataclass(frozen=True)
class Twist:
    """A velocity, or its rate: the angular part and that of a link's origin, in its working frame."""

    w: Triple
    v: Triple


@dataclass(frozen=True)
class Momentum:
    """Angular momentum about a link's origin and linear momentum, in its working frame; or their rates."""

    L: Triple
    P: Triple


class Momenta:
    """Velocities outwards, momenta inwards, and the rates of both for given u̇ (0 where none are given)."""

    def __init__(self, motion: Motion, inertias: Sequence[Inertia], accelerations: Sequence[int] = ()) -> None:
        self.motion, self.inertias, self.accelerations = motion, inertias, accelerations
        self.graph: Graph = motion.graph
        self.links = motion.forest.links

    # Outwards

    @cached_property
    def across(self) -> list[Twist]:
        """ξ of each joint."""
        return [self._twist(k, self.motion.relative_turning(k), self.motion.relative_velocity(k)) for k in self.links]

    def _twist(self, link: Link, turning: Vector, sliding: Vector) -> Twist:
        return Twist(components(turning, link.frame), components(sliding, link.frame))

    @cached_property
    def velocities(self) -> list[Twist]:
        """V of each link (Eq 47): the parent's at its origin, and ξ."""
        g, found = self.graph, list[Twist]()
        for link, own in zip(self.links, self.across, strict=True):
            if link.parent is not None:
                own = plus(g, self._carried(link, found[link.parent.index]), own)
            found.append(own)
        return found

    def _carried(self, link: Link, V: Twist) -> Twist:
        """The parent's motion at the link's origin, in its frame."""
        assert link.parent is not None
        g, start = self.graph, link.parent.frame
        there = add3(g, V.v, cross3(g, V.w, link.arm))
        return Twist(down(start, link.frame, V.w), down(start, link.frame, there))

    @cached_property
    def rates(self) -> list[Twist]:
        """V̇, component by component: that of ξ, and from the parent (Φ V)˙ = Φ V̇ − ξ × (Φ V) = Φ V̇ − ξ × V. The
        ground's is −g, which stands for weight."""
        g, found = self.graph, list[Twist]()
        for link, own, V in zip(self.links, self.across, self.velocities, strict=True):
            rate = self._own_rate(link, own)
            if link.parent is None:
                rate = Twist(rate.w, add3(g, rate.v, components(self.motion.fall, link.frame)))
            else:
                swept = Twist(cross3(g, V.w, own.w), add3(g, cross3(g, V.w, own.v), cross3(g, V.v, own.w)))
                rate = plus(g, plus(g, self._carried(link, found[link.parent.index]), swept), rate)
            found.append(rate)
        return found

    def _own_rate(self, link: Link, own: Twist) -> Twist:
        """ξ̇ in the link's frame: what the columns' changes and known accelerations make of it, seen from the parent,
        less e × l."""
        placement = link.body.placement
        turning, sliding = placement.turn_rest, placement.slide_rest
        for e, l, rate in zip(placement.turns, placement.slides, self._known(link), strict=True):
            if rate is not None:
                turning, sliding = turning + e * rate, sliding + l * rate
        seen = self._twist(link, turning, sliding)
        return Twist(seen.w, sub3(self.graph, seen.v, cross3(self.graph, own.w, own.v)))

    def _known(self, link: Link) -> list[Expr | None]:
        g, known = self.graph, list(link.body.given)
        for k, place in zip(link.free, link.u, strict=True):
            known[k] = Expr(g, g.mul(link.gain, self.accelerations[place])) if self.accelerations else None
        return known

    # Inwards

    @cached_property
    def momenta(self) -> list[Momentum]:
        """g of each link with all that hangs on it."""
        return self._gathered([self._momentum(link, V) for link, V in zip(self.links, self.velocities, strict=True)])

    @cached_property
    def changes(self) -> list[Momentum]:
        """ġ + V ×* g of each link with all that hangs on it: how its momentum changes, seen from the ground."""
        own = []
        for link, V, rate in zip(self.links, self.velocities, self.rates, strict=True):
            own.append(self._sum(self._momentum(link, rate), self._swept(V, self._momentum(link, V))))
        return self._gathered(own)

    def _gathered(self, total: list[Momentum]) -> list[Momentum]:
        """Each link's own and that of all that hangs on it."""
        for link in reversed(self.links):
            if link.parent is not None:
                i = link.parent.index
                total[i] = self._sum(total[i], self._handed(link, total[link.index]))
        return total

    def _momentum(self, link: Link, V: Twist) -> Momentum:
        g, c = self.graph, self.inertias[link.index]
        P = add3(g, scale3(g, c.m, V.v), cross3(g, V.w, c.h))
        return Momentum(add3(g, rotated(g, c, V.w, False), cross3(g, c.h, V.v)), P)

    def _swept(self, V: Twist, m: Momentum) -> Momentum:
        """V ×* g."""
        g = self.graph
        return Momentum(add3(g, cross3(g, V.w, m.L), cross3(g, V.v, m.P)), cross3(g, V.w, m.P))

    def _handed(self, link: Link, m: Momentum) -> Momentum:
        """About the parent's origin, in its frame."""
        assert link.parent is not None
        g, end = self.graph, link.parent.frame
        P = down(link.frame, end, m.P)
        return Momentum(add3(g, down(link.frame, end, m.L), cross3(g, link.arm, P)), P)

    def _sum(self, a: Momentum, b: Momentum) -> Momentum:
        return Momentum(add3(self.graph, a.L, b.L), add3(self.graph, a.P, b.P))


def plus(g: Graph, a: Twist, b: Twist) -> Twist:
    return Twist(add3(g, a.w, b.w), add3(g, a.v, b.v))
