"""One translation along a direction fixed in both bodies."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from freebody.model.element import Given, field
from freebody.model.joints import measured, resisted
from freebody.model.joints.axes import direction, move_along, translation_along
from freebody.model.joints.base import Joint, Measurement, Placement, Resisted
from freebody.model.kinds import Direction, DirectionValue
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame
from freebody.spatial.vector import Vector, dot, vector


@dataclass(frozen=True)
class Prismatic(Joint):
    """q is the displacement of the child along the axis; u = q̇."""

    axis: Given[DirectionValue] = field(Direction(), "fixed in both bodies", default="z")
    kind: ClassVar[str] = "prismatic"
    aliases: ClassVar = ("slider", "translational")
    coordinates: ClassVar = ("",)
    units: ClassVar = ("m",), ("m/s",)

    def resists(self, axes: Frame) -> list[Resisted]:
        g = axes.graph
        first, second, _ = resisted.triad(g, direction(axes, self.axis, "a closing joint"))
        return [*resisted.translations(g, first, second), *resisted.rotations(g)]

    def measure(self, parent: Frame, child: Frame, position: Vector, u: Sequence[Node]) -> Measurement:
        e = vector(parent, direction(parent, self.axis, "a closing joint"))
        return measured.measurement([dot(position, e)], child, position, [(None, e)], u)

    def place(self, parent: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        axis = direction(parent, self.axis, f"joint of '{name}'")
        return move_along(parent, name, translation_along(parent.graph, axis), q[0], u[0])
