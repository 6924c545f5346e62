"""Symbols of joints: what a joint allows can be seen from its shape.

A symbol has the size of the bars beside it. What belongs to the parent moves with the parent, what belongs to the child
with the child: the rail of a slider with the one, its block with the other.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from freebody.drawing import Anchor, DrawnJoint
from freebody.viewer.scene import Array, Colour
from freebody.viewer.skeleton import Skeleton
from freebody.viewer.sketch import (
    Sketch,
    Style,
    cup,
    cylinder,
    frame_along,
    hinge,
    norm,
    nut,
    pedestal,
    ring,
    rotation,
)

AXES: Colour = (0.85, 0.55, 0.15)
LONGEST = 6.0
"""A rail is at most so long to each side, by the lengths around it, unless the motion needs more."""


@dataclass
class JointPlace:
    """A joint with what its symbol needs: the indices of its bodies, its place in each, the radius of the symbol."""

    joint: DrawnJoint
    skeleton: Skeleton
    style: Style
    limits: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        parent, child = self.joint.anchor.body, self.joint.child.body
        self.parent, self.child = self.skeleton.index(parent), self.skeleton.index(child)
        self.at, self.origin = np.array(self.joint.anchor.at, float), np.array(self.joint.child.at, float)
        self.radius = self.skeleton.radius(parent, child)

    def axis(self, k: int = 0) -> tuple[int, Array, Array]:
        """The body, the point and the direction of an axis."""
        axis = self.joint.axes[k]
        return self.skeleton.index(axis.anchor.body), np.array(axis.anchor.at, float), np.array(axis.along, float)

    def first(self, *kinds: str) -> Array | None:
        """The direction of the first axis of these kinds, in the parent."""
        for axis in self.joint.axes:
            if axis.kind in kinds:
                along = np.array(axis.along, float)
                return along if axis.anchor.body == self.joint.anchor.body else rotation(self.joint.turn) @ along
        return None

    def in_child(self, direction: Array) -> Array:
        """A direction of the parent, or several as columns, along the axes of the child, where the joint has not
        turned."""
        return rotation(self.joint.child_turn) @ rotation(self.joint.turn).T @ direction

    def toward(self) -> Array:
        """From the joint to the middle of the child, in the parent, at the start."""
        outline = self.skeleton.outlines.get(self.joint.child.body)
        if outline is None:
            return np.zeros(3)
        x, y, z = np.mean([*outline.points, outline.com], axis=0).tolist()
        path = self.skeleton.path(Anchor(outline.info.name, (x, y, z)), self.joint.anchor.body, 1)
        zero = rotation(self.joint.turn) @ rotation(self.joint.child_turn).T @ (np.array([x, y, z]) - self.origin)
        toward: Array = zero if path is None else path[0] - self.at
        return toward

    def travel(self, along: Array) -> tuple[float, float]:
        """How far the joint slides: in the motion that is shown; else between its limits, or somewhat more than the
        bodies around it are long."""
        scale = self.skeleton.scale(self.joint.child.body)
        path = self.skeleton.path(self.joint.child, self.joint.anchor.body)
        x = np.zeros(1) if path is None else (path - self.at) @ along
        low, high = float(x.min()), float(x.max())
        if len(x) == 1:
            limits = (-0.8 * scale, 0.8 * scale) if self.limits is None else self.limits
            low, high = min(low, max(limits[0], -LONGEST * scale)), max(high, min(limits[1], LONGEST * scale))
        extra = max(0.5 * scale - (high - low) / 2, 0.0)  # a rail is long enough to be seen
        return low - extra, high + extra


def draw_joint(sketch: Sketch, place: JointPlace, symbol: bool = True) -> bool:
    """The symbol of a joint, unless it shall have none, and its axes as dashed lines; whether there is a symbol."""
    kind, before = place.joint.kind, len(sketch.items)
    if symbol:
        SYMBOLS.get(kind, by_axes)(sketch, place)
    if kind not in ("free", "node", "weld"):
        for k in range(len(place.joint.axes)):
            draw_axis(sketch, place, k)
    return len(sketch.items) > before


def draw_axis(sketch: Sketch, place: JointPlace, k: int) -> None:
    """A dashed line along an axis, longer than the symbol."""
    body, at, along = place.axis(k)
    reach = along * (5 * place.radius / norm(along))
    style = replace(place.style, layer="axes", color=AXES if place.style.layer == "joints" else place.style.color)
    sketch.line(body, np.array([at - reach, at + reach]), style, True)


def draw_base(sketch: Sketch, place: JointPlace, up: Array) -> None:
    """A foot between the ground and a joint on it, on the side away from the body; ``up`` is against gravity."""
    side = up if norm(up) else np.array([0.0, 0.0, 1.0])
    toward = place.toward()
    if toward @ side >= -0.25 * norm(toward) * norm(side):
        side = -side
    side = side / norm(side)
    foot = place.at + side * (3.0 * place.radius)
    sketch.between(pedestal(), place.parent, place.at, foot, 2.2 * place.radius, place.style)


def revolute(sketch: Sketch, place: JointPlace) -> None:
    """A drum about the axis with a pin through it."""
    _drum(sketch, place, 0, 1.0)


def slider(sketch: Sketch, place: JointPlace) -> None:
    """A rail on the parent and a square block around it on the child."""
    along = place.first("slide")
    if along is None:
        return
    low, high = place.travel(along)
    r, axes = place.radius, frame_along(along)
    middle, length = place.at + along * ((low + high) / 2), high - low + 4 * r
    sketch.box(place.parent, middle, axes, (0.7 * r, 0.7 * r, length), place.style)
    sketch.box(place.child, place.origin, place.in_child(axes), (1.9 * r, 1.9 * r, 3.2 * r), place.style)


def cylindrical(sketch: Sketch, place: JointPlace) -> None:
    """A round rail on the parent and a sleeve around it on the child."""
    along = place.first("slide", "turn")
    if along is None:
        return
    _rail(sketch, place, along)
    sketch.along(
        cylinder(sketch.around),
        place.child,
        place.origin,
        place.in_child(along),
        place.radius,
        3.2 * place.radius,
        place.style,
    )


def screw(sketch: Sketch, place: JointPlace) -> None:
    """A round rail with rings as a thread on the parent, and a nut on the child."""
    along = place.first("screw", "turn", "slide")
    if along is None:
        return
    _rail(sketch, place, along)
    low, high = place.travel(along)
    for x in np.linspace(low, high, 12):
        sketch.along(
            cylinder(sketch.around),
            place.parent,
            place.at + along * x,
            along,
            0.5 * place.radius,
            0.3 * place.radius,
            place.style,
        )
    sketch.along(
        nut(), place.child, place.origin, place.in_child(along), 1.1 * place.radius, 1.6 * place.radius, place.style
    )


def ball(sketch: Sketch, place: JointPlace) -> None:
    """A ball on the child in a cup on the parent, which opens to the side of the child."""
    sketch.ball(place.child, place.origin, place.radius, place.style)
    sketch.solid(
        cup(sketch.around), place.parent, place.at, frame_along(place.toward()), (1.22 * place.radius,) * 3, place.style
    )


def universal(sketch: Sketch, place: JointPlace) -> None:
    """A cross with one bar on each body."""
    for k in range(len(place.joint.axes)):
        body, at, along = place.axis(k)
        sketch.along(cylinder(sketch.around), body, at, along, 0.45 * place.radius, 3.2 * place.radius, place.style)
        for side in (-1.0, 1.0):
            end = at + along * (side * 1.6 * place.radius / norm(along))
            sketch.along(cylinder(sketch.around), body, end, along, 0.7 * place.radius, 0.5 * place.radius, place.style)
    sketch.ball(place.child, place.origin, 0.75 * place.radius, place.style)


def planar(sketch: Sketch, place: JointPlace) -> None:
    """A translucent plate on the parent, and a puck on the child."""
    normal = place.first("turn")
    if normal is None:
        return
    axes = frame_along(normal)
    (left, right), (low, high) = (place.travel(axes[:, k]) for k in range(2))
    middle = place.at + axes @ np.array([(left + right) / 2, (low + high) / 2, -0.3 * place.radius])
    edge = 4 * place.radius
    sketch.box(
        place.parent,
        middle,
        axes,
        (right - left + edge, high - low + edge, 0.1 * place.radius),
        replace(place.style, opacity=0.25),
    )
    sketch.along(
        cylinder(sketch.around),
        place.child,
        place.origin,
        place.in_child(normal),
        place.radius,
        0.5 * place.radius,
        place.style,
    )


def weld(sketch: Sketch, place: JointPlace) -> None:
    """A small cube where a weld closes a loop; bodies that are welded in the tree need none."""
    if place.style.layer == "constraints":
        sketch.box(place.parent, place.at, rotation(place.joint.turn), (1.6 * place.radius,) * 3, place.style)


def by_axes(sketch: Sketch, place: JointPlace) -> None:
    """A drum for each turn and a short rail for each slide, the later ones smaller; nothing if it is almost free."""
    if len(place.joint.axes) > 4:
        return
    for k, axis in enumerate(place.joint.axes):
        size = max(1 - 0.18 * k, 0.4)
        if axis.kind == "slide":
            body, at, along = place.axis(k)
            width = 0.5 * size * place.radius
            sketch.box(body, at, frame_along(along), (width, width, 6 * place.radius), place.style)
        else:
            _drum(sketch, place, k, size)
            if axis.kind == "screw":
                body, at, along = place.axis(k)
                for x in (-0.8, 0.0, 0.8):
                    sketch.along(
                        ring(),
                        body,
                        at + along * (x * place.radius),
                        along,
                        1.25 * size * place.radius,
                        0.3 * place.radius,
                        place.style,
                    )
    if not place.joint.axes:
        sketch.ball(place.child, place.origin, 0.5 * place.radius, place.style)


def nothing(sketch: Sketch, place: JointPlace) -> None:
    """No symbol: the body is free, or a node of a flexible one."""


def _drum(sketch: Sketch, place: JointPlace, k: int, size: float) -> None:
    body, at, along = place.axis(k)
    sketch.along(hinge(sketch.around), body, at, along, size * place.radius, 2.1 * size * place.radius, place.style)


def _rail(sketch: Sketch, place: JointPlace, along: Array) -> None:
    low, high = place.travel(along)
    end = 2 * place.radius
    sketch.between(
        cylinder(sketch.around),
        place.parent,
        place.at + along * (low - end),
        place.at + along * (high + end),
        0.4 * place.radius,
        place.style,
    )


SYMBOLS: dict[str, Callable[[Sketch, JointPlace], None]] = {
    "revolute": revolute, "prismatic": slider, "cylindrical": cylindrical, "screw": screw, "spherical": ball,
    "universal": universal, "planar": planar, "weld": weld, "free": nothing, "node": nothing,
}  # fmt: skip
"""Symbols by the kind of the joint; other joints are drawn by their axes."""
