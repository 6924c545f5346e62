"""A rotation about an axis and a translation along it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from freebody.model.element import Given, field
from freebody.model.joints import measured, resisted
from freebody.model.joints.axes import direction, turn_about
from freebody.model.joints.base import Joint, Measurement, Placement, Resisted, scaled, zero_vector
from freebody.model.kinds import Direction, DirectionValue
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame
from freebody.spatial.vector import Vector, dot, vector


@dataclass(frozen=True)
class Cylindrical(Joint):
    """q = (angle about the axis, distance along it); u = q̇."""

    axis: Given[DirectionValue] = field(Direction(), "fixed in both bodies", default="z")
    kind: ClassVar[str] = "cylindrical"
    coordinates: ClassVar = ("angle", "slide")
    units: ClassVar = ("rad", "m"), ("rad/s", "m/s")

    def resists(self, axes: Frame) -> list[Resisted]:
        g = axes.graph
        first, second, axis = resisted.triad(g, direction(axes, self.axis, "a closing joint"))
        return [*resisted.translations(g, first, second), *resisted.tilts(g, axis)]

    def measure(self, parent: Frame, child: Frame, position: Vector, u: Sequence[Node]) -> Measurement:
        axis = direction(parent, self.axis, "a closing joint")
        angle, e = measured.angle_about(parent, child, axis), vector(parent, axis)
        return measured.measurement([angle, dot(position, e)], child, position, [(e, None), (None, e)], u)

    def place(self, parent: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        none = zero_vector(parent.graph)
        frame, axis = turn_about(parent, name, direction(parent, self.axis, f"joint of '{name}'"), q[0])
        return Placement(frame, scaled(axis, q[1]), [axis, none], [none, axis], none, none, list(u))
