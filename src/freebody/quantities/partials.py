"""∂τ/∂q along q̇ = N δ and ∂τ/∂u of the inertia forces τ, by composite bodies, for a few times the cost of M.

Let a speed j turn and slide all outboard of its link by δ. A mass point's acceleration, seen in axes that turn along,
changes by c + e″ × r + 2 e′ × ṙ with e′ = ω_A × e, e″ = U_A e, U = [α]× + ωωᵀ − |ω|² of the parent A, r from the link's
origin O (the rates are those of the ground), and

    c = U_A l − e × ā_O                     where slides are directions fixed in the parent,
    c = U_A l − e × ā_A + 2 e′ × v          where they are fixed in the child, v the velocity of O on A,

ā felt accelerations of O and of the point of A at O. A change of u_j changes it by d + E × r + 2 e × ṙ, with
E = (ω_A + ω_B) × e and d = 2 ω_A × l, or (ω_A + ω_B) × l + e × v. Integrated with J_pᵀ over the composite bodies
(``flows``), these are the columns. Rows further in also have the change of the outboard forces, which turn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from freebody.quantities.coriolis import fixed, parent_turning
from freebody.quantities.flows import Effect, Entries, Flow, Flows
from freebody.quantities.forces import without_loads
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Vec, Wrench, collected
from freebody.spatial.vector import Vector, components
from freebody.tree.forest import Column, Link
from freebody.tree.motion import Motion


def known(links: Sequence[Link]) -> bool:
    """Whether every joint turns about axes fixed in the child and slides along directions fixed in one of the two, and
    nothing moves inside a body."""
    return all(
        link.inside is None
        and _fixed_in(link.frame, link.body.placement.turns)
        and (_slides_in_parent(link) or _fixed_in(link.frame, link.body.placement.slides))
        for link in links
    )


def _slides_in_parent(link: Link) -> bool:
    return _fixed_in(link.base, link.body.placement.slides)


def _fixed_in(frame: Frame, vectors: Sequence[Vector]) -> bool:
    return all(fixed(Vec(frame, components(v, frame))) for v in vectors)


@dataclass(frozen=True)
class Change:
    """The change a + b × r + c × ṙ of a mass point's acceleration by a column."""

    a: Vec
    b: Vec
    c: Vec

    def wrench(self, flow: Flow) -> Wrench:
        return flow.wrench(self.a, self.b) + flow.swept(self.c)

    def effect(self, own: Wrench, inward: Wrench) -> Effect:
        return Effect(own, inward, self.a, self.b, self.c)


class Partials:
    """The derivatives of the inertia forces (weight included) of a motion whose u̇ are given."""

    def __init__(self, motion: Motion, inertias: Sequence[RigidInertia]) -> None:
        self.motion, self.graph = motion, motion.graph
        self.flows = Flows(motion, inertias)
        self._inertias = inertias

    @cached_property
    def _through_joints(self) -> list[Wrench]:
        return without_loads(self.motion, self._inertias).through_joints()

    @cached_property
    def by_q(self) -> Entries:
        """∂τ/∂δ."""

        def effect(link: Link, column: Column) -> Effect:
            change = self._change_by_q(link, column)
            own, inward = self._turned(link, column, change.wrench(self.flows.all[link.index]))
            return change.effect(own, inward)

        return self.flows.matrix(effect)

    def _turned(self, link: Link, column: Column, F: Wrench) -> tuple[Wrench, Wrench]:
        """The wrenches at the link's own rows and at rows further in. Own rows turn along with the bodies, except for
        slides fixed in the parent; rows further in do not, and the forces of all outboard bodies turn and move."""
        total, e, l = self._through_joints[link.index], column.twist.angular, column.twist.linear
        force = F.linear + e.cross(total.linear)
        swung = e.cross(total.angular) + l.cross(total.linear)
        own = Wrench.of(F.angular, force if _slides_in_parent(link) else F.linear)
        return own, Wrench.of(F.angular + swung, force)

    def _change_by_q(self, link: Link, column: Column) -> Change:
        """c, e″ and 2 e′."""
        e, l, w = column.twist.angular, column.twist.linear, parent_turning(self.motion, link)
        parent = self.motion.ground if link.parent is None else self.motion.of(link.parent)
        alpha = Vec.zero(link.frame) if link.parent is None else parent.alpha.in_(link.frame)
        e1 = w.cross(e)
        carried = alpha.cross(l) + w.cross(w.cross(l))  # U_A l
        if _slides_in_parent(link):
            c = carried - e.cross(self.motion.of(link).a)
        else:
            beneath = parent.at(link.X.arm).in_(link.frame)  # ā of the point of the parent at the link's origin
            c = carried - e.cross(beneath) + double(e1).cross(collected(link.frame, link.sliding))
        return Change(c, alpha.cross(e) + w.cross(e1), double(e1))

    @cached_property
    def by_u(self) -> Entries:
        """∂τ/∂u, whatever u̇ are."""

        def effect(link: Link, column: Column) -> Effect:
            change = self._change_by_u(link, column)
            wrench = change.wrench(self.flows.all[link.index])
            return change.effect(wrench, wrench)

        return self.flows.matrix(effect)

    def _change_by_u(self, link: Link, column: Column) -> Change:
        """d, E and 2 e."""
        e, l, w = column.twist.angular, column.twist.linear, parent_turning(self.motion, link)
        both = w + self.motion.of(link).w
        if _slides_in_parent(link):
            d = double(w).cross(l)
        else:
            d = both.cross(l) + e.cross(collected(link.frame, link.sliding))
        return Change(d, both.cross(e), double(e))


def double(v: Vec) -> Vec:
    return v.times(v.frame.S.const(2))
