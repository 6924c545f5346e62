"""Pictures of constraints, of loads between points and of sensors: rods, guides, closing joints, blades, springs,
bushings."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from freebody.drawing import Anchor, ConstraintSymbol, DrawnConstraint, DrawnLoad, DrawnSensor
from freebody.names import ENGAGED
from freebody.viewer.joint_symbols import JointPlace, draw_joint
from freebody.viewer.scene import Array, Colour, SceneLink
from freebody.viewer.skeleton import Skeleton
from freebody.viewer.sketch import CONSTRAINT, STEEL, Sketch, Style, cylinder, frame_along, ring

MARK = 0.2
"""The length of the mark on a pitch circle, by its radius."""
SENSOR: Colour = (0.13, 0.55, 0.42)
"""The colour of sensors."""
AXES: tuple[Colour, ...] = ((0.80, 0.20, 0.20), (0.20, 0.60, 0.20), (0.20, 0.30, 0.80))
"""The colours of x, y and z."""
GUIDE = 1.5
"""Half the length of a guide, by the typical length around the body on it."""


def draw_constraint(sketch: Sketch, skeleton: Skeleton, constraint: DrawnConstraint) -> bool:
    """Draw a constraint; whether there was something to draw."""
    engaged = ENGAGED(constraint.name) if constraint.switched else ""
    style = Style("constraints", CONSTRAINT, engaged=engaged)
    if constraint.wheels:
        draw_wheels(sketch, skeleton, constraint, style)
        return True
    draw = SYMBOLS.get(constraint.symbol)
    if draw is None or (constraint.start is None and constraint.joint is None):
        return False
    draw(sketch, skeleton, constraint, style)
    return True


def draw_load(sketch: Sketch, skeleton: Skeleton, load: DrawnLoad) -> None:
    """A spring, damper or line between the ends of a load; a bushing as a ring around a cube; gears and belts as lines.
    Arrows are drawn by the viewer."""
    draw_wheels(sketch, skeleton, load, Style("links", STEEL))
    if load.ends is None:
        return
    if load.style == "bushing":
        (base, at), (mount, point) = (_place(skeleton, end) for end in load.ends)
        r, style = _radius(skeleton, *load.ends), Style("links", STEEL)
        for axis in np.eye(3):
            sketch.along(ring(), base, at, axis, 1.5 * r, 0.45 * r, style)
        sketch.box(mount, point, np.eye(3), (1.3 * r,) * 3, style)
        return
    _link(sketch, skeleton, load.style, load.ends, Style("links"))


def draw_sensor(sketch: Sketch, skeleton: Skeleton, sensor: DrawnSensor) -> None:
    """A small box with its axes (red, green, blue) for a sensor with axes of its own, a bead for others; a line to the
    other end."""
    style, (body, at), r = Style("links", SENSOR), _place(skeleton, sensor.place), _radius(skeleton, sensor.place)
    if sensor.end is not None:
        for end in (sensor.place, sensor.end):
            _bead(sketch, skeleton, end, style, 0.7)
        _link(sketch, skeleton, "line", (sensor.place, sensor.end), style)
    elif sensor.axes:
        axes = np.array(sensor.axes).T
        sketch.box(body, at, axes, (1.6 * r, 1.6 * r, 0.8 * r), style)
        for axis, color in zip(axes.T, AXES, strict=True):
            sketch.line(body, at + np.outer((0, 2.5 * r), axis), Style("links", color))
    else:
        _bead(sketch, skeleton, sensor.place, style)


def draw_wheels(sketch: Sketch, skeleton: Skeleton, drawn: DrawnConstraint | DrawnLoad, style: Style) -> None:
    """The pitch circles of gears, with marks that show how they turn, the pitch lines of racks, and belts."""
    angles = np.linspace(0, 2 * np.pi, 73)
    circle = np.column_stack((np.cos(angles), np.sin(angles), np.zeros(73)))
    for wheel in drawn.wheels:
        (body, at), r = _place(skeleton, wheel.centre), abs(wheel.radius)
        axes = frame_along(np.array(wheel.along, float)).T
        sketch.line(body, at + r * circle @ axes, style)
        sketch.line(body, at + np.array([[r, 0, 0], [(1 - MARK) * r, 0, 0]]) @ axes, style)
    for line in drawn.lines:
        sketch.line(skeleton.index(line.body), np.array(line.points, float), style)


def _link(sketch: Sketch, skeleton: Skeleton, kind: str, ends: tuple[Anchor, Anchor], style: Style) -> None:
    one, other = (skeleton.index(end.body) for end in ends)
    radius = _radius(skeleton, *ends) * {"spring": 1.0, "damper": 0.8, "rod": 0.45}.get(kind, 0.25)
    points = ends[0].at, ends[1].at
    sketch.links.append(SceneLink(kind, (one, other), points, radius, style.color, style.layer, style.engaged))


def closing_joint(sketch: Sketch, skeleton: Skeleton, c: DrawnConstraint, style: Style) -> None:
    if c.joint is not None:
        draw_joint(sketch, JointPlace(c.joint, skeleton, style))


def rod(sketch: Sketch, skeleton: Skeleton, c: DrawnConstraint, style: Style) -> None:
    """A rod with balls at its ends."""
    if c.start is None or c.end is None:
        return
    _link(sketch, skeleton, "rod", (c.start, c.end), style)
    for end in (c.start, c.end):
        _bead(sketch, skeleton, end, style, 0.7)


def guide_line(sketch: Sketch, skeleton: Skeleton, c: DrawnConstraint, style: Style) -> None:
    """A thin rail with a bead on it."""
    _bead(sketch, skeleton, c.start, style)
    if c.end is None or c.direction is None:
        return
    (body, at), r = _place(skeleton, c.end), _radius(skeleton, c.start, c.end)
    along = frame_along(np.array(c.direction, float))[:, 2]
    low, high = _reach(skeleton, c, along)
    sketch.between(cylinder(sketch.around), body, at + along * low, at + along * high, 0.35 * r, style)


def guide_plane(sketch: Sketch, skeleton: Skeleton, c: DrawnConstraint, style: Style) -> None:
    """A translucent rectangle with its outline, and a bead on it."""
    _bead(sketch, skeleton, c.start, style)
    if c.end is None or c.direction is None:
        return
    (body, at), axes = _place(skeleton, c.end), frame_along(np.array(c.direction, float))
    (left, right), (low, high) = (_reach(skeleton, c, axes[:, k]) for k in range(2))
    corners = np.array([[left, low, 0], [right, low, 0], [right, high, 0], [left, high, 0], [left, low, 0]])
    thin = 1e-3 * (right - left)
    sketch.box(
        body,
        at + axes @ ((corners[0] + corners[2]) / 2),
        axes,
        (right - left, high - low, thin),
        replace(style, opacity=0.15),
    )
    sketch.line(body, at + corners @ axes.T, style)


def _reach(skeleton: Skeleton, c: DrawnConstraint, along: Array) -> tuple[float, float]:
    """The range of a guide along a direction of its body: where the point goes, and a little more; without a known
    motion some lengths of the bodies to both sides."""
    assert c.end is not None
    scale = _scale(skeleton, c.start, c.end)
    path = None if c.start is None else skeleton.path(c.start, c.end.body)
    x = np.zeros(1) if path is None else (path - np.array(c.end.at, float)) @ along
    more = (GUIDE if len(x) == 1 else 0.5 * GUIDE) * scale
    return float(x.min()) - more, float(x.max()) + more


def guide_curve(sketch: Sketch, skeleton: Skeleton, c: DrawnConstraint, style: Style) -> None:
    """The curve, and a bead on it."""
    _bead(sketch, skeleton, c.start, style)
    points = np.array(c.curve, float).reshape(-1, 3)
    points = points[np.isfinite(points).all(axis=1)]
    if c.end is not None and len(points) > 1:
        sketch.line(skeleton.index(c.end.body), points, style)


def guide_point(sketch: Sketch, skeleton: Skeleton, c: DrawnConstraint, style: Style) -> None:
    """A bead alone, as on a surface whose shape is not known."""
    _bead(sketch, skeleton, c.start, style)


def blade(sketch: Sketch, skeleton: Skeleton, c: DrawnConstraint, style: Style) -> None:
    """A thin disc whose axis is the direction in which it does not slip."""
    if c.start is None or c.direction is None:
        return
    (body, at), r = _place(skeleton, c.start), _radius(skeleton, c.start)
    sketch.along(cylinder(sketch.around), body, at, np.array(c.direction, float), 2.8 * r, 0.15 * r, style)


def contact(sketch: Sketch, skeleton: Skeleton, c: DrawnConstraint, style: Style) -> None:
    """The wheel is the picture of its body; where that has a shape, a circle shows which radius rolls."""
    if c.start is None or not c.radius > 0:
        return
    body, at = _place(skeleton, c.start)
    normals = [np.array(c.direction, float)] if c.direction is not None else list(np.eye(3))
    angles = np.linspace(0, 2 * np.pi, 65)
    circle = c.radius * np.column_stack((np.cos(angles), np.sin(angles), np.zeros(65)))
    for normal in normals:
        sketch.line(body, at + circle @ frame_along(normal).T, style)


def _bead(sketch: Sketch, skeleton: Skeleton, anchor: Anchor | None, style: Style, size: float = 1.0) -> None:
    if anchor is not None:
        body, at = _place(skeleton, anchor)
        sketch.ball(body, at, size * _radius(skeleton, anchor), style)


def _place(skeleton: Skeleton, anchor: Anchor) -> tuple[int, Array]:
    return skeleton.index(anchor.body), np.array(anchor.at, float)


def _radius(skeleton: Skeleton, *anchors: Anchor | None) -> float:
    return skeleton.radius(*(anchor.body for anchor in anchors if anchor is not None))


def _scale(skeleton: Skeleton, *anchors: Anchor | None) -> float:
    return skeleton.scale(*(anchor.body for anchor in anchors if anchor is not None))


SYMBOLS: dict[ConstraintSymbol, Callable[[Sketch, Skeleton, DrawnConstraint, Style], None]] = {
    "joint": closing_joint,
    "rod": rod,
    "line": guide_line,
    "plane": guide_plane,
    "curve": guide_curve,
    "bead": guide_point,
    "blade": blade,
    "wheel": contact,
}
