"""The rows of candidates of contact: where two shapes meet, along the axes of their links."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from freebody.formulations.spring_law import SpringLaw
from freebody.model.contact.candidate import Candidate, Meeting, RelativePose, Three
from freebody.model.contact.slots import Slot, fill
from freebody.model.contact.triples import cross, dot, minus, plus
from freebody.scalar.expr import Expr
from freebody.scalar.node import Node
from freebody.spatial.resolved import Twist, Vec
from freebody.spatial.vector import components, vector
from freebody.tree.passes import LinkPose
from freebody.tree.tree import Link, Tree


class LawfulPair(NamedTuple):
    """The candidates of two shapes on two bodies by name, their law, and of each the deflection of its bristles at the
    start of the step. Forces are computed at so many of them as there are ``slots``, if any; else at all."""

    first: str
    second: str
    candidates: Sequence[Candidate]
    law: SpringLaw
    bristles: Sequence[tuple[Expr, Expr]]
    slots: int | None


@dataclass(frozen=True)
class ContactEnd:
    """One end of a candidate: its link; normal and tangents, and the place of contact from the link's origin, in the
    link's frame."""

    link: Link
    axes: tuple[Vec, Vec, Vec]
    arm: Vec


@dataclass(frozen=True)
class CandidateRows:
    """The rows of one candidate: its ends, which are on the ground where they are None."""

    first: ContactEnd | None
    second: ContactEnd | None
    penetration: Expr
    law: SpringLaw


Axes = tuple[Three, Three, Three]
Placed = tuple[Link | None, Axes, Three]
"""A link, its axes, and its origin."""


def _placement(tree: Tree, poses: Mapping[int, LinkPose], name: str) -> Placed:
    """A body's link, axes, and origin, along the ground's axes."""
    g, link = tree.graph, tree.by_name.get(name)
    if link is None:
        one, zero = Expr(g, g.one), Expr(g, g.zero)
        return None, ((one, zero, zero), (zero, one, zero), (zero, zero, one)), (zero, zero, zero)
    P = poses[link.index]

    def out(v: Vec) -> Three:
        x, y, z = (Expr(g, c) for c in P.to_root(v).c)
        return x, y, z

    units = [[g.one if i == k else g.zero for i in range(3)] for k in range(3)]
    a, b, c = (out(_in_link(link, unit)) for unit in units)
    shift = Vec(link.frame, components(-link.shift, link.frame))
    x, y, z = (Expr(g, o) + s for o, s in zip(P.origin.c, out(shift), strict=True))
    return link, (a, b, c), (x, y, z)


def _in_link(link: Link, v: Sequence[Node]) -> Vec:
    """A vector given along a body's axes, along those of its link."""
    return Vec(link.frame, components(vector(link.body.frame, tuple(v)), link.frame))


class PlacedPair:
    """Where the candidates of a pair are, and the rows at one of them."""

    def __init__(self, tree: Tree, poses: Mapping[int, LinkPose], pair: LawfulPair) -> None:
        self.tree, self.poses, self.pair = tree, poses, pair
        self.first, axes, self.origin = _placement(tree, poses, pair.first)
        self.second, self._others, base = _placement(tree, poses, pair.second)
        place = RelativePose(axes, self.origin)
        if self.second is not None:
            a, b, c = map(self._along, axes)
            place = RelativePose((a, b, c), self._along(minus(self.origin, base)))
        self.place = place

    def _along(self, v: Sequence[Expr]) -> Three:
        """A vector along the axes of the ground, along those of the second body."""
        g = self.tree.graph
        x, y, z = (sum((a * b for a, b in zip(axis, v, strict=True)), Expr(g, g.zero)) for axis in self._others)
        return x, y, z

    def velocity(self, twist: Callable[[Link], Twist]) -> tuple[Three, Three]:
        """The angular velocity of the first body relative to the second, and the velocity at its origin."""
        g, parts = self.tree.graph, list[tuple[Three, Three]]()
        for link in (self.first, self.second):
            if link is None:
                continue
            P, V = self.poses[link.index], twist(link)
            w, v, o = ([Expr(g, c) for c in x.c] for x in (P.to_root(V.angular), P.to_root(V.linear), P.origin))
            parts.append(((w[0], w[1], w[2]), plus(v, cross(w, minus(self.origin, o)))))
        angular, linear = parts[0]
        if len(parts) == 2:
            angular, linear = minus(angular, parts[1][0]), minus(linear, parts[1][1])
        return self._along(angular), self._along(linear)

    def rows(self, meeting: Meeting) -> CandidateRows:
        """The rows of a candidate, along the axes of the links."""
        g, place, ends = self.tree.graph, self.place, list[ContactEnd | None]()
        directions = (meeting.normal, *meeting.tangents)

        def handles(v: Sequence[Expr | float]) -> list[Node]:
            return [(x if isinstance(x, Expr) else Expr(g, g.const(x))).handle for x in v]

        for link in (self.first, self.second):
            if link is None:
                ends.append(None)
                continue
            if link is self.first:
                arm = place.local(minus(meeting.point, place.origin))
                each = [place.local(d) for d in directions]
            else:
                arm, each = meeting.point, list(directions)
            shift = Vec(link.frame, components(link.shift, link.frame))
            n, s, t = (_in_link(link, handles(d)) for d in each)
            ends.append(ContactEnd(link, (n, s, t), _in_link(link, handles(arm)) - shift))
        return CandidateRows(ends[0], ends[1], meeting.penetration, self.pair.law)

    def slots(self, h: Expr, twist: Callable[[Link], Twist]) -> list[Slot]:
        """The slots of a pair that has them, by where its candidates are after a step of the size h with these
        twists of links."""
        assert self.pair.slots is not None
        (angular, linear), meetings = self.velocity(twist), [c.meet(self.place) for c in self.pair.candidates]
        arms = [minus(m.point, self.place.origin) for m in meetings]
        later = [
            m.penetration - h * dot(m.normal, plus(linear, cross(angular, arm)))
            for m, arm in zip(meetings, arms, strict=True)
        ]
        return fill(self.pair.slots, self.pair.candidates, self.place, meetings, later, self.pair.bristles)
