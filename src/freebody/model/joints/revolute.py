"""One rotation about an axis fixed in both bodies."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from freebody.model.element import Given, field
from freebody.model.joints import measured, resisted
from freebody.model.joints.axes import direction, move_along, rotation_about
from freebody.model.joints.base import Joint, Measurement, Placement, Resisted
from freebody.model.kinds import Direction, DirectionValue
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame
from freebody.spatial.vector import Vector, vector


@dataclass(frozen=True)
class Revolute(Joint):
    """q is the angle of the child about the axis; u = q̇."""

    axis: Given[DirectionValue] = field(Direction(), "fixed in both bodies", default="z")
    kind: ClassVar[str] = "revolute"
    aliases: ClassVar = ("pin", "hinge", "continuous")
    coordinates: ClassVar = ("",)

    @property
    def hinge_axis(self) -> DirectionValue:
        axis: DirectionValue = self.axis
        return axis

    def resists(self, axes: Frame) -> list[Resisted]:
        g = axes.graph
        axis = direction(axes, self.axis, "a closing joint")
        return [*resisted.translations(g), *resisted.tilts(g, axis)]

    def measure(self, parent: Frame, child: Frame, position: Vector, u: Sequence[Node]) -> Measurement:
        axis = direction(parent, self.axis, "a closing joint")
        angle, e = measured.angle_about(parent, child, axis), vector(parent, axis)
        return measured.measurement([angle], child, position, [(e, None)], u)

    def place(self, parent: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        g = parent.graph
        axis = direction(parent, self.axis, f"joint of '{name}'")
        return move_along(parent, name, rotation_about(g, axis, g.zero), q[0], u[0])
