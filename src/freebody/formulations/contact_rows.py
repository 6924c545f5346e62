"""The rows of candidates of contact: where two shapes meet, along the axes of their links."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from freebody.formulations.spring_law import SpringLaw
from freebody.model.contact.candidate import Candidate, RelativePose, Three
from freebody.scalar.expr import Expr
from freebody.scalar.node import Node
from freebody.spatial.resolved import Vec
from freebody.spatial.vector import components, vector
from freebody.tree.passes import LinkPose
from freebody.tree.tree import Link, Tree


class LawfulCandidate(NamedTuple):
    """A candidate between two bodies by name, its law, and the deflection of its bristles at the start of the step."""

    first: str
    second: str
    candidate: Candidate
    law: SpringLaw
    bristles: tuple[Expr, Expr]


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


def rows_of(tree: Tree, poses: Mapping[int, LinkPose], touch: LawfulCandidate) -> CandidateRows:
    """Where a candidate is, and its directions along the axes of the links."""
    g = tree.graph
    first, axes, origin = _placement(tree, poses, touch.first)
    second, others, base = _placement(tree, poses, touch.second)
    place = RelativePose(axes, origin)
    if second is not None:
        apart = tuple(a - b for a, b in zip(origin, base, strict=True))

        def along(v: Sequence[Expr]) -> Three:
            x, y, z = (sum((a * b for a, b in zip(axis, v, strict=True)), Expr(g, g.zero)) for axis in others)
            return x, y, z

        a, b, c = map(along, axes)
        place = RelativePose((a, b, c), along(apart))
    meeting = touch.candidate.meet(place)
    directions = (meeting.normal, *meeting.tangents)

    def handles(v: Sequence[Expr | float]) -> list[Node]:
        return [(x if isinstance(x, Expr) else Expr(g, g.const(x))).handle for x in v]

    ends = list[ContactEnd | None]()
    for link in (first, second):
        if link is None:
            ends.append(None)
            continue
        if link is first:
            arm = place.local([a - b for a, b in zip(meeting.point, place.origin, strict=True)])
            each = [place.local(d) for d in directions]
        else:
            arm, each = meeting.point, list(directions)
        shift = Vec(link.frame, components(link.shift, link.frame))
        n, s, t = (_in_link(link, handles(d)) for d in each)
        ends.append(ContactEnd(link, (n, s, t), _in_link(link, handles(arm)) - shift))
    return CandidateRows(ends[0], ends[1], meeting.penetration, touch.law)
