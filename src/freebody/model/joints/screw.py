"""A rotation about an axis with a proportional translation along it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from freebody.model.element import Given, field
from freebody.model.joints import measured
from freebody.model.joints.axes import direction, move_along, rotation_about
from freebody.model.joints.base import Joint, Placement, constant
from freebody.model.kinds import Constant, Direction, DirectionValue, ScalarValue
from freebody.scalar.expr import Expr, atan2, cos, sin
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame
from freebody.spatial.vector import Vector, dot, vector


@dataclass(frozen=True)
class Screw(Joint):
    """q is the angle of the child about the axis, pitch·q its displacement along the axis; u = q̇."""

    axis: Given[DirectionValue] = field(Direction(), "fixed in both bodies", default="z")
    pitch: Given[ScalarValue] = field(Constant, "translation per radian", default=0, unit="m/rad")
    kind: ClassVar[str] = "screw"
    aliases: ClassVar = ("helical",)
    coordinates: ClassVar = ("",)

    def estimate(self, parent: Frame, child: Frame, position: Vector) -> list[Node] | None:
        """The angle in the turn to which the displacement belongs."""
        g, axis = parent.graph, direction(parent, self.axis, "a closing joint")
        pitch = constant(g, self.pitch, "a closing joint: the pitch")
        angle = Expr(g, measured.angle_about(parent, child, axis))
        if pitch == g.zero:
            return [angle.handle]
        turned = Expr(g, g.div(dot(position, vector(parent, axis)), pitch))
        return [(turned + atan2(sin(angle - turned), cos(angle - turned))).handle]

    def place(self, parent: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        g = parent.graph
        axis = direction(parent, self.axis, f"joint of '{name}'")
        pitch = constant(g, self.pitch, f"joint of '{name}': the pitch")
        return move_along(parent, name, rotation_about(g, axis, pitch), q[0], u[0])
