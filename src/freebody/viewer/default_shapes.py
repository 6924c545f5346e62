"""Shapes for bodies that were given none, and symbols for joints, constraints and loads between points: every system
has a picture.

Bars lead from the joint of a body to the joints and constraints on it, plates cover three and more of them in a plane.
A body without bars is the uniform box, or cylinder, with its mass and inertia. A mass away from the bars is a sphere.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from freebody.drawing import GROUND, Drawing, DrawnConstraint, DrawnWheel
from freebody.results.about import About
from freebody.viewer.constraint_symbols import draw_constraint, draw_load, draw_sensor
from freebody.viewer.geometry import extrusion, unit_cylinder, unit_sphere
from freebody.viewer.joint_symbols import JointPlace, draw_base, draw_joint
from freebody.viewer.scene import Array, Colour, Item, Polyline, SceneLink
from freebody.viewer.skeleton import InertiaShape, Outline, fixed_base, largest_wheels, skeleton
from freebody.viewer.sketch import (
    STEEL,
    Sketch,
    Style,
    bar,
    cylinder,
    frame_along,
    norm,
    rim,
    rotation,
    wheel,
)

OPACITY = 0.5
"""Of shapes that are made up."""
THIN = 0.06
"""The thinnest edge of a box of inertia, by its longest."""
MANY = 300
"""Pictures of so many bodies have simpler solids."""
THINNEST = 0.0015
"""The radius below which a bar is hardly seen, by the size of the space in which the bodies move."""
FLAT = 0.05
"""Points are in a plane, or on a line, if they are so close to it, by the spread of all of them."""
BULKY = 1.2
"""A body is drawn by its inertia, not by bars, if that is larger than the distances of its joints by this factor."""
BALANCED = 0.02
"""How far from its axis the mass centre of a rotor may be, by the size of its inertia."""
PALETTE: tuple[Colour, ...] = (
    (0.30, 0.50, 0.72), (0.90, 0.55, 0.24), (0.33, 0.63, 0.44), (0.60, 0.47, 0.74), (0.80, 0.38, 0.36),
    (0.24, 0.64, 0.66), (0.79, 0.64, 0.20), (0.77, 0.44, 0.62), (0.45, 0.55, 0.64), (0.64, 0.46, 0.35),
)  # fmt: skip
"""Colours of bodies, readable on light and on dark."""
BASES = ("revolute", "spherical", "universal", "custom", "compound", "simple", "building block")
"""Joints that stand on a foot if their parent is the ground."""


@dataclass(frozen=True, eq=False)
class MadeUp:
    """The part of a scene that follows from the model without given shapes. ``trails`` are the points whose paths are
    drawn; ``size`` is a typical length; ``notes`` say for the legend what was made up."""

    items: Sequence[Item]
    lines: Sequence[Polyline]
    links: Sequence[SceneLink]
    colors: Mapping[str, Colour]
    trails: Mapping[str, tuple[float, float, float]]
    size: float
    notes: Sequence[str]


def made_up(
    about: About, drawing: Drawing, shaped: Collection[str] = (), poses: Mapping[str, Array] | None = None
) -> MadeUp:
    """Pictures of everything that has no shape. ``shaped`` are the bodies that have shapes already; flexible bodies
    with a mesh count as such. ``poses`` are those of bodies by name over time, (n, 7): they give rails and guides their
    lengths, and say where bodies are at the start."""
    shaped = {*shaped, *(name for name, mesh in drawing.meshes.items() if len(mesh.points))}
    frame = skeleton(about, drawing, shaped, poses or {})
    sketch = Sketch(16 if len(about.elements) < MANY else 8, THINNEST * frame.extent)
    wheels = {
        c.start.body: c for c in drawing.constraints if c.symbol == "wheel" and c.start is not None and c.radius > 0
    }
    gears = largest_wheels(drawing)
    trails, count = dict[str, tuple[float, float, float]](), 0
    for name, outline in frame.outlines.items():
        tip = outline.com
        if name not in shaped and not outline.info.is_node:
            before = len(sketch.items)
            if name in gears:
                tip = draw_gear(sketch, outline, gears[name])
            else:
                tip = draw_body(sketch, outline, wheels.get(name))
            count += len(sketch.items) > before
        x, y, z = np.nan_to_num(tip).tolist()
        trails[name] = x, y, z
    up, loose, base = -np.array(drawing.gravity, float), frame.loosely_placed(), fixed_base(frame.outlines)
    for name, outline in frame.outlines.items():
        joint, info = outline.body.joint, outline.info
        place = JointPlace(joint, frame, Style("joints", STEEL), info.limits)
        drawn = draw_joint(sketch, place, name not in loose)
        if drawn and joint.anchor.body == GROUND and joint.kind in BASES and base is None:
            draw_base(sketch, place, up)
    undrawn, round_bodies = list[str](), {c.name for body, c in wheels.items() if body not in shaped and c.direction}
    for constraint in drawing.constraints:
        if constraint.name not in round_bodies and not draw_constraint(sketch, frame, constraint):
            undrawn.append(constraint.name)
    for load in drawing.loads:
        draw_load(sketch, frame, load)
    for sensor in drawing.sensors:
        draw_sensor(sketch, frame, sensor)
    return MadeUp(
        sketch.items,
        sketch.lines,
        sketch.links,
        body_colors(about),
        trails,
        frame.size,
        _notes(count, undrawn),
    )


def body_colors(about: About) -> dict[str, Colour]:
    """A colour for each body, by its index; a child never has that of its parent. Nodes have that of their body."""
    chosen = dict[str, int]()
    for k, element in enumerate(about.elements):
        if element.is_node and element.parent in chosen:
            chosen[element.name] = chosen[element.parent]
            continue
        color = k % len(PALETTE)
        chosen[element.name] = (color + 1) % len(PALETTE) if chosen.get(element.parent) == color else color
    return {name: PALETTE[k] for name, k in chosen.items()}


def draw_body(sketch: Sketch, outline: Outline, wheel_of: DrawnConstraint | None) -> Array:
    """The shape of a body; the result is the point whose path is interesting."""
    style = Style("bodies", None, OPACITY, made=True)
    shape, points = outline.inertia, outline.points
    if wheel_of is not None:
        draw_wheel(sketch, outline, wheel_of, style)
        return outline.com
    tip = rod_tip(outline)
    if tip is not None:
        draw_bar(sketch, outline, points[0], tip, style)
        return tip
    span = norm(np.ptp(points, axis=0)) if len(points) > 1 else 0.0
    if shape is not None and (outline.floating or (shape.edges.max() > BULKY * span and not is_link(outline, shape))):
        draw_inertia(sketch, outline, shape, style)
        for point in points:
            if not shape.contains(point, 0.5 * outline.radius):
                draw_bar(sketch, outline, shape.centre, point, style)
        return outline.com
    if len(points) > 1:
        return draw_frame(sketch, outline, style)
    return draw_point_mass(sketch, outline, style)


def rod_tip(outline: Outline) -> Array | None:
    """The end of a body that is held at one point and whose mass is spread evenly from there, like a pendulum's."""
    if outline.inertia is None or outline.floating or len(outline.points) != 1:
        return None
    arm = outline.com - outline.points[0]
    distance = norm(arm)
    if distance == 0.0:
        return None
    along = arm / distance
    half = outline.inertia.half_extent(along)
    across = frame_along(along)[:, :2].T
    wide = max(outline.inertia.half_extent(e) for e in across)
    return outline.com + along * half if 0.5 < half / distance < 1.6 and wide < 0.6 * half else None


def is_link(outline: Outline, shape: InertiaShape) -> bool:
    """Whether a body turns in its joint, carries others, and is no balanced rotor: bars say more than inertia."""
    joint = outline.body.joint
    if joint.kind not in ("revolute", "spherical", "universal") or not outline.carries:
        return False
    arm = outline.com - np.array(joint.child.at, float)
    if joint.kind == "revolute" and joint.axes:
        axis = joint.axes[0]
        along = np.array(axis.along, float)
        along = along if axis.anchor.body == joint.child.body else rotation(joint.turn).T @ along
        arm = arm - along * (arm @ along)
    return norm(arm) > BALANCED * float(shape.edges.max())


def draw_bar(
    sketch: Sketch, outline: Outline, start: Array, end: Array, style: Style, radius: float | None = None
) -> None:
    """A tapered bar."""
    length = norm(end - start)
    if length > 0.0:
        radius = radius or min(outline.radius, 0.22 * length)
        sketch.between(bar(sketch.around), outline.index, start, end, radius, style)
        if radius < sketch.thinnest:
            sketch.line(outline.index, np.array([start, end]), style)


def draw_inertia(sketch: Sketch, outline: Outline, shape: InertiaShape, style: Style) -> None:
    """The uniform box of an inertia; a cylinder, with a stripe that shows its rotation, if two edges are equal."""
    edges = np.maximum(shape.edges, THIN * shape.edges.max())
    k = shape.axis_of_symmetry
    if k is None:
        sketch.box(outline.index, shape.centre, shape.axes, edges, style)
        return
    axes = np.roll(shape.axes, 2 - k, axis=1)  # a cyclic change of the columns, so that the axis is the third
    radius = float(edges[(k + 1) % 3]) / np.sqrt(3)  # m r²/4 = m e²/12
    sketch.solid(unit_cylinder(), outline.index, shape.centre, axes, (radius, radius, edges[k]), style)
    stripe = replace(style, opacity=min(1.0, 1.6 * style.opacity))
    if edges[k] < 8 * radius:
        sketch.box(outline.index, shape.centre, axes, (2.004 * radius, 0.12 * radius, 1.02 * edges[k]), stripe)


def draw_frame(sketch: Sketch, outline: Outline, style: Style) -> Array:
    """Bars from the first point of a body to its others, or a plate if they are in one plane and not in a line; a
    sphere at the mass centre, if that is elsewhere."""
    points, com = np.array(outline.points), outline.com
    rows, flat, straight = np.eye(3), False, False
    if len(points) > 2:
        _, sizes, rows = np.linalg.svd(points - points.mean(axis=0))
        rows = rows * np.sign(rows[range(3), np.abs(rows).argmax(axis=1)])[:, None]
        straight, flat = sizes[1] <= FLAT * sizes[0], len(points) == 3 or sizes[2] <= FLAT * sizes[0]
    if flat and not straight:
        draw_plate(sketch, outline, points, rows, style)
        nearest = com - rows[2] * ((com - points[0]) @ rows[2])
    else:
        order = points[np.argsort(points @ rows[0], kind="stable")]
        order = order if norm(order[0] - points[0]) <= norm(order[-1] - points[0]) else order[::-1]
        bars = [(order[0], order[-1])] if straight else [(points[0], point) for point in points[1:]]
        for start, end in bars:
            draw_bar(sketch, outline, start, end, style)
        nearest = min((_nearest(start, end, com) for start, end in bars), key=lambda point: norm(com - point))
    if outline.info.mass > 0 and norm(com - nearest) > max(2 * outline.radius, 0.2 * outline.length):
        draw_bar(sketch, outline, nearest, com, style, 0.5 * outline.radius)
        sketch.ball(outline.index, com, 1.5 * outline.radius, style)
    return com


def draw_plate(sketch: Sketch, outline: Outline, points: Array, rows: Array, style: Style) -> None:
    """A plate with round corners around points in a plane, whose directions are the first two rows."""
    centre, width = points.mean(axis=0), 1.3 * outline.radius
    angles = np.arange(16) * (np.pi / 8)
    circle = width * np.column_stack((np.cos(angles), np.sin(angles)))
    flat = ((points - centre) @ rows[:2].T)[:, None, :] + circle
    axes = np.column_stack((rows[0], rows[1], np.cross(rows[0], rows[1])))
    plate = extrusion(convex_hull(flat.reshape(-1, 2)), 0.8 * outline.radius)
    sketch.solid(plate, outline.index, centre, axes, (1.0, 1.0, 1.0), style)


def draw_point_mass(sketch: Sketch, outline: Outline, style: Style) -> Array:
    """A sphere for a mass without inertia and bars, with a bar to it if it is away from the joint; a block if it
    slides. A body without mass has its joint's symbol alone."""
    joint, com, r = outline.body.joint, outline.com, outline.radius
    origin = outline.points[0] if outline.points else com
    if norm(com - origin) > 1e-3 * outline.scale and outline.info.mass > 0:
        draw_bar(sketch, outline, origin, com, style)
        sketch.ball(outline.index, com, 2.2 * r, style)
        return com
    if joint.kind == "prismatic" and joint.axes and outline.info.mass > 0:
        along = rotation(joint.turn).T @ np.array(joint.axes[0].along, float)
        sketch.box(outline.index, origin, frame_along(along), (5 * r, 4 * r, 8 * r), style)
    elif outline.info.mass > 0:
        sketch.ball(outline.index, com, 2.2 * r, style)
    return origin


def draw_wheel(sketch: Sketch, outline: Outline, c: DrawnConstraint, style: Style) -> None:
    """A wheel with spokes, or a ball with its mass centre's circles drawn by the constraint."""
    assert c.start is not None
    at = np.array(c.start.at, float)
    if c.direction is None:
        sketch.ball(outline.index, at, c.radius, style, unit_sphere())
    else:
        sketch.along(wheel(), outline.index, at, np.array(c.direction, float), c.radius, 0.12 * c.radius, style)
    for point in outline.points:
        if norm(point - at) > 1.05 * c.radius:
            draw_bar(sketch, outline, at, point, style)


def draw_gear(sketch: Sketch, outline: Outline, gear: DrawnWheel) -> Array:
    """A flat disc with the pitch radius, or a ring outside of it, with bars to joints that are not at its centre; the
    result is a point on its edge."""
    at, along, r = np.array(gear.centre.at, float), np.array(gear.along, float), abs(gear.radius)
    style = Style("bodies", None, OPACITY, made=True)
    shape, width = (cylinder(2 * sketch.around), 0.2 * r) if gear.radius > 0 else (rim(), 0.1 * r)
    sketch.along(shape, outline.index, at, along, r, width, style)
    for point in outline.points:
        if norm(np.cross(point - at, along)) > 1.05 * r or abs((point - at) @ along) > 0.3 * r:
            draw_bar(sketch, outline, at, point, style)
    return at + r * frame_along(along)[:, 0]


def convex_hull(points: Array) -> Array:
    """The corners of the convex hull of points (n, 2), counter-clockwise (Andrew's monotone chain)."""
    ordered = points[np.lexsort((points[:, 1], points[:, 0]))]

    def half(candidates: Array) -> list[Array]:
        chain = list[Array]()
        for p in candidates:
            while len(chain) > 1 and _cross(chain[-1] - chain[-2], p - chain[-1]) <= 0:
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return np.array([*half(ordered), *half(ordered[::-1])])


def _cross(a: Array, b: Array) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def _nearest(start: Array, end: Array, point: Array) -> Array:
    """The point of a segment that is nearest to a point."""
    step = end - start
    return start + step * float(np.clip((point - start) @ step / (step @ step or 1.0), 0.0, 1.0))


def _notes(count: int, undrawn: Sequence[str]) -> list[str]:
    """What the legend says."""
    notes = list[str]()
    if count:
        bodies = "1 body" if count == 1 else f"{count} bodies"
        notes.append(
            f"Translucent: {bodies} without given shapes, drawn as bars between joints, or boxes and cylinders with the"
            " inertia."
        )
    if undrawn:
        names = ", ".join(undrawn[:5]) + (f" and {len(undrawn) - 5} more" if len(undrawn) > 5 else "")
        notes.append(f"Constraints without a picture: {names}.")
    return notes
