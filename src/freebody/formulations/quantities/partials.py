"""∂τ/∂q along q̇ = N δ and ∂τ/∂u of the inertia forces τ, by composite bodies: for a few times the cost of M.

Let a speed j turn and slide all outboard of its link by δ. A mass point's acceleration, seen in axes that turn along,
changes by c + e″ × r + 2 e′ × ṙ with e′ = ω_A × e, e″ = U_A e, U = [α]× + ωωᵀ − |ω|² of the parent A, r from the link's
origin O (the rates are those of the ground), and

    c = U_A l − e × ā_O                     where slides are directions fixed in the parent,
    c = U_A l − e × ā_A + 2 e′ × v          where they are fixed in the child, v the velocity of O on A,

ā felt accelerations of O and of the point of A at O. A change of u_j changes it by d + E × r + 2 e × ṙ, with
E = (ω_A + ω_B) × e and d = 2 ω_A × l, or (ω_A + ω_B) × l + e × v. Integrated with J_pᵀ over the composite bodies
(``flows``), these are the columns. Rows further in also feel the forces of the outboard bodies turn with them.
"""

from dataclasses import dataclass
from functools import cached_property

from freebody.formulations.inwards import Inwards, Push
from freebody.formulations.quantities.coriolis import fixed, parent_turning
from freebody.formulations.quantities.flows import Column, Effect, Entries, Flow, Flows, sum_of
from freebody.formulations.quantities.newton import Unloaded
from freebody.formulations.quantities.places import parent_frame
from freebody.scalar.graph import Graph
from freebody.spatial.triples import Triple, add3, cross3, scale3, sub3, times3
from freebody.spatial.vector import components, vector
from freebody.tree.forest import Link
from freebody.tree.inertia import Inertia
from freebody.tree.motion import Motion, down


def known(links: list[Link]) -> bool:
    """Whether every joint turns about axes fixed in the child and slides along directions fixed in one of the two."""
    return all(_turns_in_child(link) and (_slides_in_parent(link) or _slides_in_child(link)) for link in links)


def _turns_in_child(link: Link) -> bool:
    return all(fixed(link.graph, components(t, link.frame)) for t in link.body.placement.turns)


def _slides_in_child(link: Link) -> bool:
    return all(fixed(link.graph, components(s, link.frame)) for s in link.body.placement.slides)


def _slides_in_parent(link: Link) -> bool:
    return all(fixed(link.graph, components(s, parent_frame(link))) for s in link.body.placement.slides)


@dataclass(frozen=True)
class Change:
    """a + b × r + 2 c × ṙ of a column."""

    a: Triple
    b: Triple
    c: Triple

    def push(self, g: Graph, flow: Flow) -> Push:
        return sum_of(g, flow.push(g, self.a, self.b), flow.swept(g, double(g, self.c)))

    def effect(self, g: Graph, own: Push, inward: Push) -> Effect:
        return Effect(own, inward, self.a, self.b, double(g, self.c))


class Partials:
    """The derivatives of the inertia forces (weight included) of a motion whose u̇ are given."""

    def __init__(self, motion: Motion, inertias: list[Inertia]) -> None:
        self.motion, self.graph = motion, motion.graph
        self.flows = Flows(motion, inertias)
        self.inwards: Inwards = Unloaded(motion, inertias)

    # Along q

    @cached_property
    def by_q(self) -> Entries:
        """∂τ/∂δ."""

        def effect(link: Link, column: Column) -> Effect:
            change = self._shifted(link, column)
            own, inward = self._turned(link, column, change.push(self.graph, self.flows.all[link.index]))
            return change.effect(self.graph, own, inward)

        return self.flows.matrix(effect)

    def _turned(self, link: Link, column: Column, push: Push) -> tuple[Push, Push]:
        """Own rows turn along with the bodies, but for slides fixed in the parent; rows further in stay behind and feel
        the forces of all outboard bodies turn and move."""
        g, total, e = self.graph, self.inwards.pushes[link.index], column.e
        force = add3(g, push.f, cross3(g, e, total.f))
        swung = add3(g, cross3(g, e, total.n), cross3(g, column.l, total.f))
        return Push(force if _slides_in_parent(link) else push.f, push.n), Push(force, add3(g, push.n, swung))

    def _shifted(self, link: Link, column: Column) -> Change:
        """c, e″ and e′."""
        g, e, w = self.graph, column.e, parent_turning(self.motion, link)
        e1 = cross3(g, w, e)
        if _slides_in_parent(link):
            felt, more = self.motion.acceleration(link), None
        else:
            felt, more = self._beneath(link), cross3(g, double(g, e1), self._sliding(link))
        c = sub3(g, self._carried_along(link, w, column.l), cross3(g, e, felt))
        e2 = add3(g, cross3(g, self._alpha(link), e), cross3(g, w, e1))
        return Change(c if more is None else add3(g, c, more), e2, e1)

    def _carried_along(self, link: Link, w: Triple, v: Triple) -> Triple:
        """U_A v."""
        g = self.graph
        return add3(g, cross3(g, self._alpha(link), v), cross3(g, w, cross3(g, w, v)))

    def _alpha(self, link: Link) -> Triple:
        """α of the parent, in the link's frame."""
        if link.parent is None:
            z = self.graph.zero
            return z, z, z
        return down(link.parent.frame, link.frame, self.motion.turning(link.parent).alpha)

    def _beneath(self, link: Link) -> Triple:
        """ā of the point of the parent at the link's origin."""
        if link.parent is None:
            return components(self.motion.fall, link.frame)
        g, parent = self.graph, link.parent
        felt = add3(g, self.motion.acceleration(parent), times3(g, self.motion.turning(parent).U, link.arm))
        return components(vector(parent.frame, felt), link.frame)

    def _sliding(self, link: Link) -> Triple:
        return components(self.motion.relative_velocity(link), link.frame)

    # Along u

    @cached_property
    def by_u(self) -> Entries:
        """∂τ/∂u, whatever u̇ are."""

        def effect(link: Link, column: Column) -> Effect:
            change = self._quickened(link, column)
            push = change.push(self.graph, self.flows.all[link.index])
            return change.effect(self.graph, push, push)

        return self.flows.matrix(effect)

    def _quickened(self, link: Link, column: Column) -> Change:
        """d, E and e."""
        g, e, l = self.graph, column.e, column.l
        w = parent_turning(self.motion, link)
        both = add3(g, w, self.motion.turning(link).w)
        if _slides_in_parent(link):
            d = cross3(g, double(g, w), l)
        else:
            d = add3(g, cross3(g, both, l), cross3(g, e, self._sliding(link)))
        return Change(d, cross3(g, both, e), e)


def double(g: Graph, v: Triple) -> Triple:
    return scale3(g, g.const(2), v)
