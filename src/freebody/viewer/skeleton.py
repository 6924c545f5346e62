"""Lengths of a system for its picture: where each body is attached, how long it is, how thick its bars are drawn.

Everything follows from the distances and masses of the model, so that a picture scales with it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from freebody.drawing import GROUND, Anchor, Drawing, DrawnBody, DrawnWheel
from freebody.results.about import About, BodyInfo
from freebody.viewer.scene import Array
from freebody.viewer.sketch import norm, rotation, rotations

SLENDER = 0.045
"""The radius of a bar of ordinary mass, by the length of bars around it."""
FLEXIBLE = 0.6
"""Flexible bodies are drawn thinner than others by this factor."""
GIVEN = 0.5
"""Joint symbols on given shapes are smaller by this factor."""
SAME = 1e-3
"""Points are at one place if they are closer than this, by the length of the body."""
CREDIBLE = 3.5
"""An inertia of a link whose box is longer than the distances around it by this factor says nothing of its shape."""
SAMPLES = 200
"""The most times at which the motion is looked at."""
UNGUIDED = ("free",)
"""Joints whose place in the child is no point of interest."""


@dataclass
class InertiaShape:
    """The uniform box with the mass and inertia of a body: its centre, its axes as columns, its edges. An edge that the
    inertia leaves no room for is 0."""

    centre: Array
    axes: Array
    edges: Array

    @property
    def axis_of_symmetry(self) -> int | None:
        """The axis about which the other two edges are equal, if only one is."""
        a, b, c = self.edges
        pairs = [abs(x - y) < 1e-4 * max(self.edges) for x, y in ((b, c), (a, c), (a, b))]
        return pairs.index(True) if sum(pairs) == 1 else None

    @property
    def rod_radius(self) -> float | None:
        """The radius of a round rod with this inertia; None if it is not long."""
        small, middle, large = np.sort(self.edges).tolist()
        return float(np.sqrt(small * middle / 3)) if large > 2 * middle else None

    def contains(self, point: Array, margin: float = 0.0) -> bool:
        """Whether a point is inside, or closer to it than the margin."""
        return bool(np.all(np.abs(self.axes.T @ (point - self.centre)) <= self.edges / 2 + margin))

    def half_extent(self, direction: Array) -> float:
        """√3 times the standard deviation of the mass along a unit vector: half the edge of the box along its axes."""
        return float(np.linalg.norm(self.edges / 2 * (self.axes.T @ direction)))


@dataclass
class Outline:
    """A body of the picture. ``inertia`` is None if it has none, or if it is a link with one that is much larger than
    all distances around it. ``carries`` counts the joints and constraints on it, without its own joint; ``points`` are
    where these are, its own first. ``length`` is its size, ``scale`` a length that is typical around it, ``radius``
    that of its bars."""

    index: int
    parent: int
    info: BodyInfo
    body: DrawnBody
    com: Array
    inertia: InertiaShape | None
    carries: int = 0
    points: list[Array] = field(default_factory=list)
    length: float = 0.0
    scale: float = 0.0
    radius: float = 0.0

    @property
    def floating(self) -> bool:
        """Whether its first point is not that of its own joint."""
        return self.body.joint.kind in UNGUIDED


@dataclass
class Skeleton:
    """The bodies of the picture by name, a typical length of all of them, and their poses (n, 7) over time, where these
    are known: position and quaternion (w, x, y, z). ``extent`` is the size of the space in which they move. ``shaped``
    are the bodies with given shapes."""

    outlines: dict[str, Outline]
    size: float
    extent: float
    poses: Mapping[str, Array]
    shaped: Collection[str]

    def loosely_placed(self) -> set[str]:
        """Bodies whose joints together let a body go anywhere, with massless bodies at one place between them: two and
        more slides, as for a vehicle on the ground. Their joints are coordinates rather than parts of a machine."""
        result, chains = set[str](), dict[str, list[str]]()
        for name, outline in self.outlines.items():
            chain = [*chains.pop(outline.info.parent, []), name]
            if outline.info.mass == 0 and outline.inertia is None and len(outline.points) == 1:
                chains[name] = chain
            elif sum(self.outlines[link].body.joint.kind == "prismatic" for link in chain) > 1:
                result.update(chain)
        return result

    def index(self, name: str) -> int:
        """The number of a body; −1 for the ground."""
        return -1 if name == GROUND else self.outlines[name].index

    def radius(self, *names: str) -> float:
        """The radius of a joint symbol between bodies: somewhat more than that of their bars, but no monster beside a
        small body. It is smaller on given shapes, which are often thinner than bars."""
        radii = [
            self.outlines[name].radius * (GIVEN if name in self.shaped else 1.0) for name in names if name != GROUND
        ] or [SLENDER * self.size]
        return min(1.3 * sqrt(min(radii) * max(radii)), 1.8 * min(radii))

    def scale(self, *names: str) -> float:
        """The largest typical length around bodies."""
        return max((self.outlines[name].scale for name in names if name != GROUND), default=self.size)

    def path(self, point: Anchor, frame: str, count: int = SAMPLES + 1) -> Array | None:
        """The first positions (n, 3) over time of a point along the axes of another body, from its origin; None if the
        motion is not known."""
        names = [name for name in (point.body, frame) if name != GROUND]
        if not names or not all(name in self.poses for name in names):
            return None
        n = min(count, len(self.poses[names[0]]))
        x = np.broadcast_to(np.array(point.at, float), (n, 3))
        if point.body != GROUND:
            table = self.poses[point.body][:n]
            x = table[:, :3] + np.einsum("nij,nj->ni", rotations(table[:, 3:]), x)
        if frame != GROUND:
            table = self.poses[frame][:n]
            x = np.einsum("nji,nj->ni", rotations(table[:, 3:]), x - table[:, :3])
        x = x[np.isfinite(x).all(axis=1)]
        return x if len(x) else None


def skeleton(about: About, drawing: Drawing, shaped: Collection[str], poses: Mapping[str, Array]) -> Skeleton:
    """The skeleton of a system, with the poses of its bodies over time, if they are known."""
    drawn = {body.name: body for body in drawing.bodies}
    numbers = {element.name: k for k, element in enumerate(about.elements)}
    outlines = dict[str, Outline]()
    for info in about.elements:
        if (body := drawn.get(info.name)) is not None:
            com = np.array(body.com, float)
            shape = inertia_shape(info.mass, com, body.inertia)
            outlines[info.name] = Outline(numbers[info.name], numbers.get(info.parent, -1), info, body, com, shape)
    _attach(drawing, outlines)
    _measure(drawing, outlines)
    poses = {name: table[:: len(table) // SAMPLES + 1] for name, table in poses.items()}
    extent = _extent(poses)
    return Skeleton(outlines, _smooth(list(outlines.values()), extent), extent, poses, shaped)


def inertia_shape(mass: float, com: Array, inertia: Sequence[float]) -> InertiaShape | None:
    """The uniform box of a mass and an inertia about its centre; None without either. With the second moments
    Jᵢ = (I₁ + I₂ + I₃)/2 − Iᵢ = m eᵢ²/12; a negative one, which no body can have, counts as zero."""
    xx, yy, zz, xy, xz, yz = inertia
    matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if not (np.isfinite(matrix).all() and np.isfinite(com).all() and mass > 0 and np.trace(matrix) > 0):
        return None
    if max(abs(xy), abs(xz), abs(yz)) <= 1e-9 * max(abs(xx), abs(yy), abs(zz)):
        moments, axes = np.diag(matrix), np.eye(3)
    else:
        moments, axes = np.linalg.eigh(matrix)
        axes *= np.sign(axes[np.abs(axes).argmax(axis=0), range(3)])  # the same for any scale
        axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
    second = np.maximum(moments.sum() / 2 - moments, 0.0)
    second[second < 1e-9 * second.max()] = 0.0
    return InertiaShape(com, axes, np.sqrt(12 * second / mass)) if second.max() > 0 else None


def _attach(drawing: Drawing, outlines: Mapping[str, Outline]) -> None:
    """Collect the points where joints and constraints are attached to bodies; where there are none but its own joint,
    those of loads."""
    joints, loads = list[Anchor](), list[Anchor]()
    for outline in outlines.values():
        if not outline.floating:
            outline.points.append(np.array(outline.body.joint.child.at, float))
    joints += [outline.body.joint.anchor for outline in outlines.values() if not outline.floating]
    for constraint in drawing.constraints:
        joints += [anchor for anchor in (constraint.start, constraint.end) if anchor is not None]
    for load in drawing.loads:
        loads += load.ends or ()
        loads += [arrow.anchor for arrow in load.arrows if arrow.kind == "force"]
    if (base := fixed_base(outlines)) is not None:
        place = base.body.joint
        for anchor in joints:
            if anchor.body == GROUND and anchor is not place.anchor:
                point = rotation(place.turn).T @ (np.array(anchor.at, float) - np.array(place.anchor.at, float))
                base.points.append(point + np.array(place.child.at, float))
                base.carries += 1
    for anchors in (joints, loads):
        busy = {name for name, outline in outlines.items() if len(_distinct(outline.points)) > 1}
        for anchor in anchors:
            if anchor.body in outlines and (anchors is joints or anchor.body not in busy):
                outlines[anchor.body].points.append(np.array(anchor.at, float))
                outlines[anchor.body].carries += anchors is joints
    for outline in outlines.values():
        outline.points = _distinct([p for p in outline.points if np.isfinite(p).all()])


def largest_wheels(drawing: Drawing) -> dict[str, DrawnWheel]:
    """The largest gear or pulley of each body."""
    largest = dict[str, DrawnWheel]()
    for wheel in drawing.wheels:
        known = largest.get(wheel.centre.body)
        if known is None or abs(wheel.radius) > abs(known.radius):
            largest[wheel.centre.body] = wheel
    return largest


def fixed_base(outlines: Mapping[str, Outline]) -> Outline | None:
    """The first body, if it alone is welded to the ground: the base of a robot. What is on the ground is then on it."""
    fixed = [o for o in outlines.values() if o.body.joint.kind == "weld" and o.body.joint.anchor.body == GROUND]
    return fixed[0] if len(fixed) == 1 and fixed[0].index == 0 and len(outlines) > 1 else None


def _distinct(points: Sequence[Array]) -> list[Array]:
    """Points without those that are at the place of an earlier one."""
    if len(points) < 2:
        return list(points)
    table = np.array(points)
    closest = SAME * float(np.ptp(table, axis=0).max())
    result = [table[0]]
    for point in table[1:]:
        if np.sqrt(((np.array(result) - point) ** 2).sum(axis=1)).min() > closest:
            result.append(point)
    return result


def _measure(drawing: Drawing, outlines: Mapping[str, Outline]) -> None:
    """The length of each body: of its points and its mass centre, of its inertia, or of its mesh. Wheels have a
    diameter."""
    for name, outline in outlines.items():
        points = [*outline.points, *([outline.com] if outline.info.mass else [])]
        outline.length = norm(np.ptp(points, axis=0)) if points else 0.0
        if (mesh := drawing.meshes.get(name)) is not None and len(mesh.points):
            outline.length = max(outline.length, norm(np.ptp(mesh.points, axis=0)))
    for constraint in drawing.constraints:
        if constraint.radius > 0 and constraint.start is not None and constraint.start.body in outlines:
            wheel = outlines[constraint.start.body]
            wheel.length = max(wheel.length, 2 * constraint.radius)
    for name, gear in largest_wheels(drawing).items():
        if name in outlines:
            outlines[name].length, outlines[name].inertia = 2 * abs(gear.radius), None
    lengths = {outline.index: outline.length for outline in outlines.values()}
    around = dict(lengths)
    for outline in outlines.values():
        if outline.parent in around:
            around[outline.index] = max(around[outline.index], lengths[outline.parent])
            around[outline.parent] = max(around[outline.parent], lengths[outline.index])
    for outline in outlines.values():
        if outline.inertia is not None:
            edge, room = float(outline.inertia.edges.max()), around[outline.index]
            if outline.carries and not outline.floating and edge > CREDIBLE * room > 0:
                outline.inertia = None
            else:
                outline.length = max(outline.length, edge)


def _extent(poses: Mapping[str, Array]) -> float:
    """The size of the space in which the bodies move."""
    positions = np.concatenate([table[:, :3] for table in poses.values()]) if poses else np.zeros((0, 3))
    positions = positions[np.isfinite(positions).all(axis=1)]
    return float(np.ptp(positions, axis=0).max()) if len(positions) else 0.0


def _smooth(outlines: Sequence[Outline], extent: float) -> float:
    """Set the scale of each body, a mean of its length and of those of its neighbours, and the radius of its bars; the
    result is the typical length. Bodies without length take the mean of their neighbours, or the typical length."""
    by_index = {outline.index: outline for outline in outlines}
    lengths = np.array([outline.length for outline in outlines])
    known = lengths[lengths > 1e-3 * lengths.max(initial=0.0)]
    size = float(np.median(known)) if len(known) else extent / 10 or 1.0
    around = {k: list[float]() for k in by_index}
    for outline in outlines:
        parent = by_index.get(outline.parent)
        if parent is not None and parent.length > 0 and outline.length > 0:
            around[outline.index].append(parent.length)
            around[parent.index].append(outline.length)
    for outline in outlines:
        if outline.length > 0:
            near = [outline.length, outline.length, *around[outline.index]]
            outline.scale = float(np.exp(np.mean(np.log(near))))
    for order in (reversed(outlines), outlines):  # from children to parents, then back
        for outline in order:
            parent = by_index.get(outline.parent)
            if parent is not None and outline.scale and not parent.scale:
                parent.scale = outline.scale
            elif parent is not None and parent.scale and not outline.scale:
                outline.scale = parent.scale
    for outline in outlines:
        outline.scale = outline.scale or size
    density = _typical_density(outlines)
    for outline in outlines:
        mass = outline.info.mass / (outline.length or outline.scale)
        thickness = np.clip((mass / density) ** 0.25, 0.7, 1.4) if density and mass > 0 else 1.0
        radius = SLENDER * outline.scale * thickness
        if outline.inertia is not None and (width := outline.inertia.rod_radius) is not None:
            radius = np.clip(width, radius, 1.4 * radius)
        outline.radius = float(radius if outline.info.flexible is None else FLEXIBLE * radius)
    return size


def _typical_density(outlines: Collection[Outline]) -> float:
    """The median mass by length."""
    values = [o.info.mass / o.length for o in outlines if o.info.mass > 0 and o.length > 0]
    return float(np.median(values)) if values else 0.0
