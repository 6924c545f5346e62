"""Moving bodies and the components of their accelerations: which links move as one, which components no speed of the
tree changes, and wrenches on links as coefficients of the components."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from freebody.scalar.graph import Graph
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Terms
from freebody.spatial.scalars import PAIRS, Matrix, Six, Triple, add3, cross3, dot3
from freebody.spatial.turns import MatrixTurn
from freebody.spatial.vector import Vector, components, terms, vector
from freebody.tree.forest import Forest, Link
from freebody.tree.inertia import central_inertia, six, turn_symmetric

Coefficients = dict[int, int]
"""Nodes by the index of the unknown; those that are structurally zero are absent."""

ANGULAR, LINEAR = range(3), range(3, 6)
"""Components of accelerations and wrenches."""


@dataclass(eq=False)
class RigidPart:
    """A link, ``base``, and those that are welded to it: the mass, the mass centre from the origin of ``base``, and the
    second moment about the mass centre, in the frame of ``base``."""

    base: Link
    mass: int
    centre: Triple
    second: Six


@dataclass(eq=False)
class MovingBody:
    """A link that free speeds move relative to its parent, ``head``, and the parts that none moves relative to it:
    those welded to it, and those with a prescribed motion. Its acceleration is that of the mass centre of the part of
    ``head``, along ``axes``; ``unknowns`` are indices by component (0 to 5, angular first)."""

    head: Link
    axes: Frame
    parts: list[RigidPart] = field(default_factory=list)
    unknowns: dict[int, int] = field(default_factory=dict)

    def indices(self, half: range) -> list[int]:
        """The unknowns among the angular or the linear components."""
        return [index for k, index in self.unknowns.items() if k in half]


class Bodies:
    """The moving bodies of a forest, with accelerations along the axes of the ground (``in_ground``), or of each body.
    Bodies that no free speed moves at all have none: they belong to the ground (Mufti's Remark 3)."""

    def __init__(self, forest: Forest, in_ground: bool) -> None:
        self.forest, self.graph, self.root = forest, forest.graph, forest.root
        self.moving: list[MovingBody] = []
        self.body_of: list[MovingBody | None] = []  # of each link; None: no free speed moves it
        self.base_of: list[Link] = []  # the base of each link's part
        welded = dict[int, list[Link]]()
        for link in forest.links:
            parent = link.parent
            body = None if parent is None else self.body_of[parent.index]
            if link.u:
                body = MovingBody(link, self.root if in_ground else link.frame)
                self.moving.append(body)
            base = link if parent is None or link.body.u else self.base_of[parent.index]
            welded.setdefault(base.index, []).append(link)
            self.body_of.append(body)
            self.base_of.append(base)
        for links in welded.values():
            body = self.body_of[links[0].index]
            if body is not None:
                body.parts.append(self._part(links))
        self._rotations: dict[Frame, Matrix] = {}
        self._number_unknowns()

    @property
    def size(self) -> int:
        return sum(len(body.unknowns) for body in self.moving)

    # Geometry

    @cached_property
    def centres(self) -> list[Vector]:
        """From the origin of each link to the point of its body whose acceleration is unknown; zero if there is
        none."""
        result = list[Vector]()
        for link, body in zip(self.forest.links, self.body_of, strict=True):
            if body is None or link.parent is None or body.head is link:
                result.append(Vector(self.graph, {}) if body is None else vector(link.frame, body.parts[0].centre))
            else:
                result.append(result[link.parent.index] - link.position)
        return result

    def rotation(self, frame: Frame) -> Matrix:
        """R from components in a frame to those in the ground."""
        known, missing, at, (o, i) = self._rotations, list[Frame](), frame, (self.graph.zero, self.graph.one)
        while at.parent is not None and at not in known:
            missing.append(at)
            at = at.parent
        rows = known.setdefault(at, ((i, o, o), (o, i, o), (o, o, i)))
        for child in reversed(missing):
            x, y, z = (at.step(child, row) for row in rows)
            rows = known[child] = x, y, z
            at = child
        return rows

    def resolve(self, v: Vector, axes: Frame) -> Triple:
        """The components of a vector along the axes of a body, or of the ground by way of the matrices of frames."""
        if axes is not self.root:
            return components(v, axes)
        g = self.graph
        total: Triple = (g.zero, g.zero, g.zero)
        for part in terms(v, self.root):
            x, y, z = part.xyz if part.frame is self.root else (dot3(g, r, part.c) for r in self.rotation(part.frame))
            total = add3(g, total, (x, y, z))
        return total

    def coefficients(self, link: Link | None, force: Vector, torque: Vector, arm: Vector) -> Coefficients:
        """The power of a wrench on a link per unit of its body's unknowns; ``arm`` leads from the link's origin to the
        point of the force."""
        body = None if link is None else self.body_of[link.index]
        if link is None or body is None:
            return {}
        g, axes = self.graph, body.axes
        f, n = self.resolve(force, axes), self.resolve(torque, axes)
        if any(x != g.zero for x in f):
            n = add3(g, n, cross3(g, self.resolve(arm - self.centres[link.index], axes), f))
        wrench = (*n, *f)
        return {index: wrench[k] for k, index in body.unknowns.items() if wrench[k] != g.zero}

    # Inertia

    def _part(self, links: Sequence[Link]) -> RigidPart:
        """The inertia of links that are welded together."""
        g, base = self.graph, links[0]
        each, mass = list[tuple[int, Triple, Six]](), g.zero
        for link in links:
            m, c, second = central_inertia(link)
            if any(x != g.zero for x in (m, *second)):
                to_centre, one = vector(link.frame, c), link
                while one is not base and one.parent is not None:
                    to_centre, one = to_centre + one.position, one.parent
                second = turn_symmetric(link.frame, base.frame, second)
                each.append((m, components(to_centre, base.frame), second))
                mass = g.add(mass, m)
        centre: Triple = (g.zero, g.zero, g.zero)
        if mass != g.zero:
            heavy = [(m, c) for m, c, _ in each if m != g.zero]
            first: Triple = (g.zero, g.zero, g.zero)
            for m, c in heavy:
                first = add3(g, first, (g.mul(m, c[0]), g.mul(m, c[1]), g.mul(m, c[2])))
            mean = g.div(first[0], mass), g.div(first[1], mass), g.div(first[2], mass)
            centre = heavy[0][1] if len(heavy) == 1 else mean
        total = [g.zero] * 6
        for m, c, second in each:
            d = [g.sub(a, b) for a, b in zip(c, centre, strict=True)]
            shifted = [g.add(s, g.mul(g.mul(m, d[i]), d[j])) for s, (i, j) in zip(second, PAIRS, strict=True)]
            total = [g.add(a, b) for a, b in zip(total, shifted, strict=True)]
        return RigidPart(base, mass, centre, six(total))

    def second_moment(self, part: RigidPart, axes: Frame) -> Six:
        """About the part's mass centre, along some axes."""
        if axes is self.root and len(part.base.frame.route(axes)) > 1:
            return MatrixTurn(self.graph, self.rotation(part.base.frame)).symmetric(part.second)
        return turn_symmetric(part.base.frame, axes, part.second)

    def inertia(self, body: MovingBody) -> RigidInertia:
        """About the point whose acceleration is unknown, along the body's axes."""
        g, axes, total = self.graph, body.axes, RigidInertia.zero(body.axes)
        for part in body.parts:
            m, arm = part.mass, vector(part.base.frame, part.centre) - self.centres[part.base.index]
            d = self.resolve(arm, axes)
            h = g.mul(m, d[0]), g.mul(m, d[1]), g.mul(m, d[2])
            second = self.second_moment(part, axes)
            there = [g.add(s, g.mul(h[i], d[j])) for s, (i, j) in zip(second, PAIRS, strict=True)]
            total = total + RigidInertia.of(axes, m, h, six(there))
        return total

    # Unknowns

    def _number_unknowns(self) -> None:
        """Number the components in which some speed moves a body; in the others its acceleration is known."""
        g, size, columns = self.graph, 0, dict[int, dict[int, tuple[Triple, Triple]]]()
        for body in self.moving:
            link, axes, own = body.head, body.axes, dict[int, tuple[Triple, Triple]]()
            parent = None if link.parent is None else self.body_of[link.parent.index]
            if parent is not None and link.parent is not None:
                between = link.position + self.centres[link.index] - self.centres[link.parent.index]
                arm = self.resolve(between, parent.axes)
                for speed, (e, l) in columns[parent.head.index].items():
                    l = add3(g, l, cross3(g, e, arm))
                    own[speed] = self._turned(parent.axes, e, axes), self._turned(parent.axes, l, axes)
            arm = self.resolve(self.centres[link.index], axes)
            for column in link.columns:
                e, l = (self.resolve(written(g, some), axes) for some in (column.angular, column.linear))
                l = add3(g, l, cross3(g, e, arm))
                if column.speed in own:
                    e, l = add3(g, e, own[column.speed][0]), add3(g, l, own[column.speed][1])
                own[column.speed] = e, l
            columns[link.index] = own
            moving = [k for k in range(6) if any((*e, *l)[k] != g.zero for e, l in own.values())]
            body.unknowns = {k: size + n for n, k in enumerate(moving)}
            size += len(moving)

    def _turned(self, start: Frame, c: Triple, end: Frame) -> Triple:
        return c if start is end else components(vector(start, c), end)


def written(g: Graph, parts: Terms) -> Vector:
    """A sum of resolved vectors as a vector without a basis."""
    total = Vector(g, {})
    for part in parts:
        total = total + vector(part.frame, part.c)
    return total


def add_multiple(g: Graph, some: Coefficients, more: Mapping[int, int], factor: int) -> None:
    """Add a multiple of other coefficients."""
    for index, x in more.items():
        value = g.mul(factor, x)
        value = g.add(some.pop(index), value) if index in some else value
        if value != g.zero:
            some[index] = value
