"""Composite bodies with what flows in them: the first moment's rate ḣ and K = ∫ r ṙᵀ dm beside m, h and Σ.

With J_p the velocity of a mass point per unit of a speed, M = ∫ J_pᵀ J_p dm, and all that the Coriolis matrix and the
derivatives of M u̇ + … need is of the forms ∫ J_pᵀ (a + b × r + 2 c × ṙ) dm, over a link and all that hangs on it, with
r from the link's origin and ṙ its rate as seen from the ground. A link's origin, axes and inertia are those of the
`base` rewrite: mass that it moves to a parent lies where both bodies move alike, so these integrals are the same.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from freebody.formulations.articulated import Matrix, carried
from freebody.formulations.columns import Columns, gather, rotated, twice
from freebody.formulations.efforts import armatures
from freebody.formulations.inwards import Inwards, Push
from freebody.scalar.graph import Graph
from freebody.spatial.triples import Triple, add3, cross3, dot3, scale3, sub3, transpose
from freebody.spatial.vector import Vector, components
from freebody.tree.forest import Link
from freebody.tree.inertia import PLACE, Inertia
from freebody.tree.motion import Motion, down

Entries = dict[tuple[int, int], int]
Waiting = tuple[int, Push]


@dataclass(frozen=True)
class Flow:
    """Of a link and all that hangs on it, about its origin in its working frame."""

    body: Inertia
    h_dot: Triple
    K: Matrix

    def push(self, g: Graph, a: Triple, b: Triple) -> Push:
        """∫ [1; r×] (a + b × r) dm."""
        return needed(g, self.body, a, b)

    def swept(self, g: Graph, c: Triple) -> Push:
        """∫ [1; r×] (c × ṙ) dm: force c × ḣ, torque (tr K − Kᵀ) c."""
        return Push(cross3(g, c, self.h_dot), sub3(g, scale3(g, self._trace(g), c), _times(g, transpose(self.K), c)))

    def twist(self, g: Graph, e: Triple, l: Triple) -> Triple:
        """∫ ṙ × (l + e × r) dm = ḣ × l + (tr K − K) e."""
        return add3(g, cross3(g, self.h_dot, l), sub3(g, scale3(g, self._trace(g), e), _times(g, self.K, e)))

    def _trace(self, g: Graph) -> int:
        return g.add(g.add(self.K[0][0], self.K[1][1]), self.K[2][2])


def needed(g: Graph, c: Inertia, a: Triple, b: Triple) -> Push:
    """What the acceleration a + b × r needs: force m a + b × h, torque h × a + J b."""
    force = add3(g, scale3(g, c.m, a), cross3(g, b, c.h))
    return Push(force, add3(g, cross3(g, c.h, a), rotated(g, c, b, by_trace=False)))


def sum_of(g: Graph, a: Push, b: Push) -> Push:
    return Push(add3(g, a.f, b.f), add3(g, a.n, b.n))


def _times(g: Graph, A: Sequence[Sequence[int]], v: Triple) -> Triple:
    x, y, z = (dot3(g, row, v) for row in A)
    return x, y, z


@dataclass(frozen=True)
class Column:
    """A free speed of a link: its place in u, its turn and slide, and both in the working frame (e, l)."""

    place: int
    turn: Vector
    slide: Vector
    e: Triple
    l: Triple


@dataclass(frozen=True)
class Carrier:
    """What a speed's unit motion of all that it moves leaves at a link further in, about its origin in its frame: the
    push ∫ [1; ρ×] J_p dm and the twist ∫ ρ̇ × J_p dm."""

    place: int
    push: Push
    twist: Triple
    link: Link  # whose speed it is


@dataclass(frozen=True)
class Effect:
    """What a column is at rows of its own link (a push), of links further in (a push) and of links further out:
    ∫ J_pᵀ (a + b × ρ + c × ρ̇) dm over what their speeds move."""

    own: Push
    inward: Push
    a: Triple
    b: Triple
    c: Triple


class Flows:
    """The flows of a motion, and how columns meet them."""

    def __init__(self, motion: Motion, inertias: list[Inertia]) -> None:
        self.motion, self.inertias = motion, inertias
        self.graph: Graph = motion.graph
        self.links = motion.forest.links
        self.inwards = Inwards(motion, inertias)

    @cached_property
    def all(self) -> list[Flow]:
        bodies = Columns(self.inwards, self.inertias).composites
        rates = [self._own(link) for link in self.links]
        for link in reversed(self.links):
            if link.parent is not None:
                self._hand_on(link, bodies[link.index], rates)
        return [Flow(body, *rate) for body, rate in zip(bodies, rates, strict=True)]

    def _own(self, link: Link) -> tuple[Triple, Matrix]:
        """ḣ = ω × h, and row a of K is ω × row a of Σ."""
        g, c, w = self.graph, self.inertias[link.index], self.motion.turning(link).w
        rows = [[c.S[PLACE[i, j]] for j in range(3)] for i in range(3)]
        return cross3(g, w, c.h), [list(cross3(g, w, row)) for row in rows]

    def _hand_on(self, link: Link, body: Inertia, rates: list[tuple[Triple, Matrix]]) -> None:
        """About the parent's origin r becomes p + r: K gains p (ḣ + m ṗ)ᵀ + h ṗᵀ."""
        assert link.parent is not None
        g, parent, p = self.graph, link.parent, link.arm
        h = down(link.frame, parent.frame, body.h)
        h_dot, K = rates[link.index]
        p_dot = self.drift(link)
        moved = add3(g, down(link.frame, parent.frame, h_dot), scale3(g, body.m, p_dot))
        gains = [[g.add(g.mul(p[i], moved[j]), g.mul(h[i], p_dot[j])) for j in range(3)] for i in range(3)]
        before, kept = rates[parent.index]
        turned = carried(link.frame, parent.frame, K)
        total = [[g.add(kept[i][j], g.add(turned[i][j], gains[i][j])) for j in range(3)] for i in range(3)]
        rates[parent.index] = add3(g, before, moved), total

    def drift(self, link: Link) -> Triple:
        """ṗ of the arm from the parent's origin, in the parent's frame: ω_A × p + the slides."""
        assert link.parent is not None
        frame = link.parent.frame
        sliding = components(self.motion.relative_velocity(link), frame)
        return add3(self.graph, cross3(self.graph, self.motion.turning(link.parent).w, link.arm), sliding)

    # Columns

    def columns(self, link: Link) -> list[Column]:
        parts = zip(link.u, link.turns, link.slides, strict=True)
        return [Column(k, t, s, components(t, link.frame), components(s, link.frame)) for k, t, s in parts]

    def sweep(self) -> Iterator[tuple[Link, list[Carrier]]]:
        """The links from the tips inwards, each with the carriers of its own speeds and of those further out."""
        g, waiting = self.graph, [list[Carrier]() for _ in self.links]
        for link in reversed(self.links):
            flow, here = self.all[link.index], waiting[link.index]
            for c in self.columns(link):
                here.append(Carrier(c.place, flow.push(g, c.l, c.e), flow.twist(g, c.e, c.l), link))
            yield link, here
            if link.parent is not None:
                waiting[link.parent.index] += [self._carried(link, one) for one in here]

    def _carried(self, link: Link, one: Carrier) -> Carrier:
        """To the parent: ρ̇ gains ṗ, so the twist gains ṗ × F."""
        assert link.parent is not None
        g, push = self.graph, self.inwards.handed(link, one.push)
        twist = down(link.frame, link.parent.frame, one.twist)
        return Carrier(one.place, push, add3(g, twist, cross3(g, self.drift(link), push.f)), one.link)

    def matrix(self, effect: Callable[[Link, Column], Effect]) -> Entries:
        """The matrix whose columns have these effects; structural zeros are absent."""
        found, waiting = Entries(), [list[Waiting]() for _ in self.links]
        for link, carriers in self.sweep():
            here = waiting[link.index]
            for place, push in here:
                self._rows(link, place, push, found)
            for column in self.columns(link):
                made = effect(link, column)
                self._rows(link, column.place, made.own, found)
                self._outboard(link, column.place, carriers, made, found)
                here.append((column.place, made.inward))
            if link.parent is not None:
                waiting[link.parent.index] += [(place, self.inwards.handed(link, push)) for place, push in here]
        return {key: value for key, value in sorted(found.items()) if value != self.graph.zero}

    def _rows(self, link: Link, place: int, push: Push, entries: Entries) -> None:
        for row, value in zip(link.u, self.inwards.along(link, push), strict=True):
            self._add(entries, row, place, value)

    def _add(self, entries: Entries, i: int, j: int, value: int) -> None:
        entries[i, j] = self.graph.add(entries[i, j], value) if (i, j) in entries else value

    def _outboard(self, link: Link, place: int, carriers: Sequence[Carrier], effect: Effect, entries: Entries) -> None:
        g = self.graph
        for one in carriers:
            if one.link is not link:
                met = g.add(dot3(g, effect.a, one.push.f), dot3(g, effect.b, one.push.n))
                self._add(entries, one.place, place, g.add(met, dot3(g, effect.c, one.twist)))

    @cached_property
    def mass(self) -> Entries:
        """M's lower triangle, armatures included; entries that are structurally zero are absent."""
        g, found = self.graph, Entries()
        for link, carriers in self.sweep():
            for one in carriers:
                for row, value in zip(link.u, self.inwards.along(link, one.push), strict=True):
                    if one.link is not link:
                        gather(g, found, one.place, row, twice(g, value) if row == one.place else value)
                    elif row <= one.place:
                        gather(g, found, one.place, row, value)
        for place, value in armatures(self.motion.forest).items():
            gather(g, found, place, place, value)
        return {key: value for key, value in sorted(found.items()) if value != g.zero}
