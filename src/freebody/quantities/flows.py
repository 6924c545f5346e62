"""Composite bodies with the rates of their moments: ḣ and K = ∫ r ṙᵀ dm beside m, h and Σ.

With J_p the velocity of a mass point per unit of a speed, M = ∫ J_pᵀ J_p dm, and all that the Coriolis matrix and the
derivatives of M u̇ + … need has the form ∫ J_pᵀ (a + b × r + c × ṙ) dm, over a link and all that hangs on it, with r
from the link's origin and ṙ its rate relative to the ground. A link's origin, axes and inertia are those of the `base`
rewrite: mass that it moves to a parent lies where both bodies move alike, so these integrals are the same.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from freebody.scalar.graph import Graph
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Twist, Vec, Wrench
from freebody.spatial.scalars import Matrix, Scalar, add3, full, times3, transpose
from freebody.spatial.vector import components
from freebody.tree.forest import Column, Link
from freebody.tree.joint_forces import armatures
from freebody.tree.mass import composites, gather
from freebody.tree.motion import Motion
from freebody.tree.newton import felt
from freebody.tree.passes import inwards

Entries = dict[tuple[int, int], int]


@dataclass(frozen=True)
class MomentRates:
    """ḣ and K of a link and all that hangs on it, about its origin."""

    h_dot: Vec
    K: Matrix

    def __add__(self, more: "MomentRates") -> "MomentRates":
        S = self.h_dot.frame.S
        x, y, z = (add3(S, a, b) for a, b in zip(self.K, more.K, strict=True))
        return MomentRates(self.h_dot + more.h_dot, (x, y, z))


@dataclass(frozen=True)
class Flow:
    """The inertia and moment rates of a link and all that hangs on it, about its origin in its frame."""

    body: RigidInertia
    rates: MomentRates

    def wrench(self, a: Vec, b: Vec) -> Wrench:
        """∫ [r×; 1] (a + b × r) dm."""
        return self.body.apply(Twist.of(b, a))

    def swept(self, c: Vec) -> Wrench:
        """∫ [r×; 1] (c × ṙ) dm: force c × ḣ, torque (tr K − Kᵀ) c."""
        return Wrench.of(self._trace_less(transpose(self.rates.K), c), c.cross(self.rates.h_dot))

    def twist(self, e: Vec, l: Vec) -> Vec:
        """∫ ṙ × (l + e × r) dm = ḣ × l + (tr K − K) e."""
        return self.rates.h_dot.cross(l) + self._trace_less(self.rates.K, e)

    def _trace_less(self, K: Matrix, v: Vec) -> Vec:
        """(tr K − K) v."""
        S = v.frame.S
        return v.times(S.add(S.add(K[0][0], K[1][1]), K[2][2])) - Vec(v.frame, times3(S, K, v.c))


@dataclass(frozen=True)
class Carrier:
    """The unit motion by a speed of everything that it moves, as integrals at a link further in, about its origin in
    its frame: the wrench ∫ [ρ×; 1] J_p dm and the twist ∫ ρ̇ × J_p dm."""

    speed: int
    wrench: Wrench
    twist: Vec
    link: Link  # whose speed it is


@dataclass(frozen=True)
class Effect:
    """A column at the rows of its own link and of links further in (wrenches), and of links further out:
    ∫ J_pᵀ (a + b × ρ + c × ρ̇) dm over everything that their speeds move."""

    own: Wrench
    inward: Wrench
    a: Vec
    b: Vec
    c: Vec


class Flows:
    """The composite bodies of a motion with their moment rates, and the matrices that they give."""

    def __init__(self, motion: Motion, inertias: Sequence[RigidInertia]) -> None:
        self.motion, self.inertias = motion, inertias
        self.graph: Graph = motion.graph
        self.links = motion.forest.links

    @cached_property
    def all(self) -> list[Flow]:
        bodies = composites(self.motion.forest, self.inertias)

        def step(link: Link, rates: MomentRates) -> MomentRates | None:
            return None if link.parent is None else self._at_parent(link, bodies[link.index], rates)

        rates = inwards(self.links, [self._own(link) for link in self.links], step)
        return [Flow(body, rate) for body, rate in zip(bodies, rates, strict=True)]

    def _own(self, link: Link) -> MomentRates:
        """ḣ = ω × h, and row a of K is ω × row a of Σ."""
        c, w = self.inertias[link.index], self.motion.of(link).w
        x, y, z = (w.cross(Vec(link.frame, row)).xyz for row in full(c.second))
        return MomentRates(w.cross(Vec(link.frame, c.h)), (x, y, z))

    def _at_parent(self, link: Link, body: RigidInertia, rates: MomentRates) -> MomentRates:
        """About the parent's origin r becomes p + r: K gains p (ḣ + m ṗ)ᵀ + h ṗᵀ."""
        g, base, p = self.graph, link.X.base, link.X.arm
        h, p_dot, K = Vec(link.frame, body.h).in_(base).c, self.drift(link), rates.K
        h_dot = rates.h_dot.in_(base) + p_dot.times(body.m)
        for turn in link.X.turns_back:
            K = turn.matrix(K)
        gains = [[g.add(g.mul(p[i], h_dot.c[j]), g.mul(h[i], p_dot.c[j])) for j in range(3)] for i in range(3)]
        x, y, z = (add3(g, a, (b[0], b[1], b[2])) for a, b in zip(K, gains, strict=True))
        return MomentRates(h_dot, (x, y, z))

    def drift(self, link: Link) -> Vec:
        """ṗ of the arm from the parent's origin, in the parent's frame: ω_A × p + the slides."""
        base, motion = link.X.base, self.motion
        above = motion.ground if link.parent is None else motion.of(link.parent)
        sliding = Vec(base, components(link.relative_velocity, base))
        return above.w.cross(Vec(base, link.X.arm)) + sliding

    # Columns

    def sweep(self) -> Iterator[tuple[Link, list[Carrier]]]:
        """The links from the tips inwards, each with the carriers of its own speeds and of those further out."""
        waiting = [list[Carrier]() for _ in self.links]
        for link in reversed(self.links):
            flow, here = self.all[link.index], waiting[link.index]
            for c in link.columns:
                e, l = c.twist.angular, c.twist.linear
                here.append(Carrier(c.speed, flow.wrench(l, e), flow.twist(e, l), link))
            yield link, here
            if link.parent is not None:
                waiting[link.parent.index] += [self._carried(link, one) for one in here]

    def _carried(self, link: Link, one: Carrier) -> Carrier:
        """To the parent: ρ̇ gains ṗ, so the twist gains ṗ × F."""
        wrench = one.wrench.back(link.X)
        return Carrier(one.speed, wrench, one.twist.in_(link.X.base) + self.drift(link).cross(wrench.linear), one.link)

    def matrix(self, effect: Callable[[Link, Column], Effect]) -> Entries:
        """The matrix whose columns have these effects; structural zeros are absent."""
        g, entries, waiting = self.graph, Entries(), [list[tuple[int, Wrench]]() for _ in self.links]
        for link, carriers in self.sweep():
            here = waiting[link.index]
            for speed, wrench in here:
                self._rows(link, speed, wrench, entries)
            for column in link.columns:
                of_column = effect(link, column)
                self._rows(link, column.speed, of_column.own, entries)
                for one in carriers:
                    if one.link is not link:
                        value = g.add(of_column.a.dot(one.wrench.linear), of_column.b.dot(one.wrench.angular))
                        self._add(entries, one.speed, column.speed, g.add(value, of_column.c.dot(one.twist)))
                here.append((column.speed, of_column.inward))
            if link.parent is not None:
                waiting[link.parent.index] += [(speed, wrench.back(link.X)) for speed, wrench in here]
        return {key: value for key, value in sorted(entries.items()) if value != g.zero}

    def _rows(self, link: Link, speed: int, wrench: Wrench, entries: Entries) -> None:
        for row, H, *_ in link.columns:
            self._add(entries, row, speed, H.dot(wrench))

    def _add(self, entries: Entries, i: int, j: int, value: Scalar) -> None:
        entries[i, j] = self.graph.add(entries[i, j], value) if (i, j) in entries else value

    @cached_property
    def mass(self) -> Entries:
        """M's lower triangle, armatures included; entries that are structurally zero are absent."""
        g, entries = self.graph, Entries()
        for link, carriers in self.sweep():
            for one in carriers:
                for row, value in felt(link, one.wrench):
                    if one.link is not link:
                        both = row == one.speed
                        gather(g, entries, one.speed, row, g.mul(g.const(2), value) if both else value)
                    elif row <= one.speed:
                        gather(g, entries, one.speed, row, value)
        for speed, value in armatures(self.motion.forest).items():
            gather(g, entries, speed, speed, value)
        return {key: value for key, value in sorted(entries.items()) if value != g.zero}
