"""Moving bodies and the components of their accelerations: which links move as one, which components no speed of the
tree changes, and wrenches on links as coefficients of the components.

The modes of a flexible body are further unknowns of the moving body that it is part of, 6 + n_m in all: a wrench at a
node, or on what is welded there, also acts on them."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from freebody.program.ldl import Entry
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Terms, Transform, Twist, Vec, Wrench
from freebody.spatial.scalars import PAIRS, Matrix, Six, Triple, add3, cross3, dot3
from freebody.spatial.turns import MatrixTurn
from freebody.spatial.vector import Vector, components, terms, vector
from freebody.tree.inertia import central_inertia, six, turn_symmetric
from freebody.tree.newton_euler import on_speeds
from freebody.tree.tree import Link, Tree

Key = TypeVar("Key", bound=Hashable)
Coefficients = dict[int, Node]
"""Nodes by the index of the unknown; those that are structurally zero are absent."""

ANGULAR, LINEAR = range(3), range(3, 6)
"""Components of accelerations and wrenches."""


class Freedoms(NamedTuple):
    """The axes about which a body may turn and along which a point of it may move."""

    turns: set[int]
    slides: set[int]


@dataclass(eq=False)
class RigidPart:
    """A link, ``base``, and those that are welded to it: the mass, the mass centre from the origin of ``base``, and the
    second moment about the mass centre, in the frame of ``base``."""

    base: Link
    mass: Node
    centre: Triple
    second: Six


@dataclass(eq=False)
class MovingBody:
    """A link that free speeds move relative to its parent, ``head``, and the parts that none moves relative to it:
    those welded to it, and those with a prescribed motion. Its acceleration is that of the mass centre of the part of
    ``head``, or of the origin of ``head`` if this moves in fewer directions, along ``axes``; ``unknowns`` are indices
    by component (0 to 5, angular first), ``modes`` those of the accelerations of modes, by speed. A flexible body that
    no free speed of a joint moves is the head of a body that has modes only."""

    head: Link
    axes: Frame
    parts: list[RigidPart] = field(default_factory=list)
    unknowns: dict[int, int] = field(default_factory=dict)
    modes: dict[int, int] = field(default_factory=dict)

    @property
    def every(self) -> list[int]:
        """All unknowns."""
        return [*self.unknowns.values(), *self.modes.values()]

    def indices(self, half: range) -> list[int]:
        """The unknowns among the angular or the linear components."""
        return [index for k, index in self.unknowns.items() if k in half]


class Bodies:
    """The moving bodies of a tree, with accelerations along the axes of the ground (``in_ground``), or of each body.
    Bodies that no free speed moves at all have none: they belong to the ground (Mufti's Remark 3)."""

    def __init__(self, tree: Tree, in_ground: bool) -> None:
        self.tree, self.graph, self.root = tree, tree.graph, tree.root
        self.moving: list[MovingBody] = []
        self.body_of: list[MovingBody | None] = []  # of each link; None: no free speed moves it
        self.base_of: list[Link] = []  # the base of each link's part
        self.nodes: list[list[Link]] = []  # the nodes between each link and the head of its body, the nearest first
        welded = dict[int, list[Link]]()
        for link in tree.links:
            parent = link.parent
            body = None if parent is None else self.body_of[parent.index]
            flexible, node = link.is_flexible, link.is_node
            new = bool(link.u) and (body is None or not flexible)
            if new:
                body = MovingBody(link, self.root if in_ground else link.frame)
                self.moving.append(body)
            base = link if parent is None or link.body.u or node else self.base_of[parent.index]
            welded.setdefault(base.index, []).append(link)
            self.body_of.append(body)
            self.base_of.append(base)
            self.nodes.append([link] * node + ([] if new or parent is None else self.nodes[parent.index]))
        for links in welded.values():
            body = self.body_of[links[0].index]
            if body is not None:
                body.parts.append(self._part(links))
        self._rotations: dict[Frame, Matrix] = {}
        self.points: list[Vector] = []
        """From the origin of each link to the point of its body whose acceleration is unknown; zero if there is
        none."""
        self.size = 0
        self.modes: dict[int, int] = {}  # unknowns of all modes, by speed
        freedoms = dict[int, Freedoms]()
        for link, body in zip(tree.links, self.body_of, strict=True):
            if body is not None and body.head is link:
                self.points.append(self._choose_point(body, freedoms))
            elif body is not None and link.parent is not None:
                self.points.append(self.points[link.parent.index] - link_arm(link))
            else:
                self.points.append(Vector(self.graph, {}))
            if body is not None and link.internal_dynamics is not None:
                own = {speed: self.size + n for n, speed in enumerate(link.u)}
                body.modes |= own
                self.modes |= own
                self.size += len(own)

    # Geometry

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
        total = self._on_modes(link, force, torque, arm)
        f, n = self.resolve(force, axes), self.resolve(torque, axes)
        if any(x != g.zero for x in f):
            n = add3(g, n, cross3(g, self.resolve(arm - self.points[link.index], axes), f))
        wrench = (*n, *f)
        return total | {index: wrench[k] for k, index in body.unknowns.items() if wrench[k] != g.zero}

    def _on_modes(self, link: Link, force: Vector, torque: Vector, arm: Vector) -> Coefficients:
        """The power of a wrench on a link per unit of the modes of its body."""
        total = Coefficients()
        for node, offset in self.offsets(link):
            n, f = (Vec(node.frame, components(v, node.frame)) for v in (torque + (offset + arm).cross(force), force))
            for speed, power in on_speeds(node, Wrench.of(n, f)):
                add_multiple(self.graph, total, {self.modes[speed]: power}, self.graph.one)
        return total

    def offsets(self, link: Link) -> list[tuple[Link, Vector]]:
        """The nodes between a link and the head of its body, with the way from each of them to the origin of the
        link."""
        result, offset, at = list[tuple[Link, Vector]](), Vector(self.graph, {}), link
        for node in self.nodes[link.index]:
            while at is not node and at.parent is not None:
                offset, at = offset + link_arm(at), at.parent
            result.append((node, offset))
        return result

    def partial_twists(self, link: Link) -> dict[int, Twist]:
        """The twist of a link per unit of each unknown of its body, about its origin in its frame."""
        g, body, frame, nothing = self.graph, self.body_of[link.index], link.frame, Vector(self.graph, {})
        assert body is not None
        twists, arm = dict[int, Twist](), nothing - self.points[link.index]
        for k, index in body.unknowns.items():
            unit = vector(body.axes, [g.one if i == k % 3 else g.zero for i in range(3)])
            turn, slide = (unit, unit.cross(arm)) if k in ANGULAR else (nothing, unit)
            twists[index] = Twist(frame, components(turn, frame) + components(slide, frame))
        for node, offset in self.offsets(link):
            for c in node.columns:
                turn, slide = written(g, c.angular), written(g, c.linear)
                twist = Twist(frame, components(turn, frame) + components(slide + turn.cross(offset), frame))
                index = self.modes[c.speed]
                twists[index] = twists[index] + twist if index in twists else twist
        return twists

    # Inertia

    def _part(self, links: Sequence[Link]) -> RigidPart:
        """The inertia of links that are welded together."""
        g, base = self.graph, links[0]
        each, mass = list[tuple[Node, Triple, Six]](), g.zero
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

    def _turned(self, frame: Frame, second: Six, axes: Frame) -> Six:
        if axes is self.root and len(frame.route(axes)) > 1:
            return MatrixTurn(self.graph, self.rotation(frame)).symmetric(second)
        return turn_symmetric(frame, axes, second)

    def part_inertia(self, part: RigidPart, arm: Vector, axes: Frame) -> RigidInertia:
        """The inertia of a part about a point, from which ``arm`` leads to its mass centre, along some axes. The trace
        of the second moment stays as it is."""
        g, m, frame = self.graph, part.mass, part.base.frame
        d = components(arm, frame)
        h = g.mul(m, d[0]), g.mul(m, d[1]), g.mul(m, d[2])
        second = six([g.add(s, g.mul(h[i], d[j])) for s, (i, j) in zip(part.second, PAIRS, strict=True)])
        trace = g.add(g.add(second[0], second[1]), second[2])
        first = self.resolve(vector(frame, h), axes)
        return RigidInertia(axes, (m, *first, *self._turned(frame, second, axes), trace))

    def arm(self, part: RigidPart) -> Vector:
        """From the point whose acceleration is unknown to the mass centre of a part."""
        return vector(part.base.frame, part.centre) - self.points[part.base.index]

    def inertia(self, body: MovingBody) -> RigidInertia:
        """Of the parts that deformation does not move: about the point whose acceleration is unknown, along the body's
        axes."""
        total = RigidInertia.zero(body.axes)
        for part in body.parts:
            if not self.nodes[part.base.index]:
                total = total + self.part_inertia(part, self.arm(part), body.axes)
                if part.base.internal_dynamics is not None:
                    total = total + self._moved(part.base.internal_dynamics.rr, part.base, body.axes)
        return total

    def _moved(self, inertia: RigidInertia, link: Link, axes: Frame) -> RigidInertia:
        """The inertia of what is inside a link, from its origin to the point whose acceleration is unknown."""
        tip = link.frame
        arm = Vec(tip, components(Vector(self.graph, {}) - self.points[link.index], tip))
        there = inertia.back(Transform(tip, tip, arm))
        first = self.resolve(vector(tip, there.h), axes)
        return RigidInertia(axes, (there.m, *first, *self._turned(tip, there.second, axes), there.trace))

    def modal_inertia(self, body: MovingBody) -> dict[Entry, Node]:
        """The entries of J of a body's modes, and of the parts that they move."""
        g, entries = self.graph, dict[Entry, Node]()
        for part in body.parts if body.modes else ():
            link = part.base
            if self.nodes[link.index]:
                inertia = self.part_inertia(part, vector(link.frame, part.centre), link.frame)
                inertia = inertia if link.internal_dynamics is None else inertia + link.internal_dynamics.rr
                twists = self.partial_twists(link)
                for i, V in twists.items():
                    momentum = inertia.apply(V)
                    row = {(i, j): other.dot(momentum) for j, other in twists.items() if j <= i}
                    add_multiple(g, entries, row, g.one)
            if link.internal_dynamics is None:
                continue
            own = [body.modes[speed] for speed in link.u]
            for i, momentum in zip(own, link.internal_dynamics.fr, strict=True):
                force, torque = (vector(link.frame, half) for half in reversed(momentum.halves))
                for j, x in self.coefficients(link, force, torque, Vector(g, {})).items():
                    add_multiple(g, entries, {(max(i, j), min(i, j)): x}, g.one)
            add_multiple(g, entries, {(own[i], own[j]): x for (i, j), x in link.internal_dynamics.ff.items()}, g.one)
        return entries

    # Unknowns

    def _choose_point(self, body: MovingBody, freedoms: dict[int, Freedoms]) -> Vector:
        """The point of a body whose acceleration is unknown, with the fewest components in which speeds of the tree may
        move the body; these are numbered. ``freedoms`` of moving bodies gain that of this one."""
        link, axes, turns, slides = body.head, body.axes, set[int](), set[int]()
        parent = None if link.parent is None else self.body_of[link.parent.index]
        if parent is not None and link.parent is not None:
            turning, sliding = self._freedoms_at(link, parent, freedoms[parent.head.index])
            units = [
                vector(parent.axes, [self.graph.one if i == k else self.graph.zero for i in range(3)]) for k in range(3)
            ]
            there = [self._parts(unit, axes) for unit in units]
            turns.update(i for k in turning for i in there[k])
            slides.update(i for k in sliding for i in there[k])
        for column in link.columns:
            turns.update(self._parts(written(self.graph, column.angular), axes))
            slides.update(self._parts(written(self.graph, column.linear), axes))
        centre = vector(link.frame, body.parts[0].centre)
        at_origin = Freedoms(turns, slides)
        at_centre = moved_freedoms(self.graph, at_origin, self.resolve(centre, axes))
        point, freedom = Vector(self.graph, {}), at_origin
        if len(at_centre.slides) <= len(slides):
            point, freedom = centre, at_centre
        moving = [*sorted(freedom.turns), *(k + 3 for k in sorted(freedom.slides))]
        body.unknowns = {k: self.size + n for n, k in enumerate(moving)}
        self.size += len(moving)
        freedoms[link.index] = freedom
        return point

    def _freedoms_at(self, link: Link, parent: MovingBody, freedom: Freedoms) -> Freedoms:
        """The freedoms of the point of a moving body, and of its nodes, where a link is attached to it."""
        assert link.parent is not None
        arm = self.resolve(link.position - self.points[link.parent.index], parent.axes)
        turns, slides = moved_freedoms(self.graph, freedom, arm)
        for node, offset in self.offsets(link.parent):
            own = Freedoms(set(), set())
            for c in node.columns:
                own.turns.update(self._parts(written(self.graph, c.angular), parent.axes))
                own.slides.update(self._parts(written(self.graph, c.linear), parent.axes))
            more = moved_freedoms(self.graph, own, self.resolve(offset + link.position, parent.axes))
            turns, slides = turns | more.turns, slides | more.slides
        return Freedoms(turns, slides)

    def _parts(self, v: Vector, axes: Frame) -> set[int]:
        """The axes along which a vector has components."""
        return {k for k, x in enumerate(self.resolve(v, axes)) if x != self.graph.zero}


def link_arm(link: Link) -> Vector:
    """From the origin of a link's parent to that of the link, as the equations use it (``Link.X``)."""
    undeformed = link.body.placement.undeformed
    return link.position if undeformed is None else undeformed


def moved_freedoms(g: Graph, freedoms: Freedoms, arm: Sequence[Node]) -> Freedoms:
    """The freedoms of another point of a body."""
    turns, parts = freedoms.turns, {k for k, x in enumerate(arm) if x != g.zero}
    around = {3 - i - j for i in turns for j in parts if i != j}
    return Freedoms(turns, freedoms.slides | around)


def written(g: Graph, parts: Terms) -> Vector:
    """A sum of resolved vectors as a vector without a basis."""
    total = Vector(g, {})
    for part in parts:
        total = total + vector(part.frame, part.c)
    return total


def add_multiple(g: Graph, some: dict[Key, Node], more: Mapping[Key, Node], factor: Node) -> None:
    """Add a multiple of other coefficients."""
    for index, x in more.items():
        value = g.mul(factor, x)
        value = g.add(some.pop(index), value) if index in some else value
        if value != g.zero:
            some[index] = value
