"""Two rotations about intersecting axes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from freebody.model.element import Given, field
from freebody.model.joints import measured, resisted
from freebody.model.joints.axes import direction
from freebody.model.joints.base import Joint, Measurement, Placement, Resisted
from freebody.model.joints.revolute import Revolute
from freebody.model.kinds import Direction, DirectionValue
from freebody.scalar.expr import Expr
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame
from freebody.spatial.scalars import cross3
from freebody.spatial.vector import Vector, vector


@dataclass(frozen=True)
class Universal(Joint):
    """q = (angle about the first axis, fixed in the parent; angle about the second, fixed in the child); u = q̇.

    Equations are derived with two revolute joints with a massless link between them, which needs fewer operations
    (``stages``).
    """

    first: Given[DirectionValue] = field(Direction(), "first axis, fixed in the parent", default="x")
    second: Given[DirectionValue] = field(Direction(), "second axis, fixed in the child", default="y")
    kind: ClassVar[str] = "universal"
    aliases: ClassVar = ("cardan", "hooke")
    coordinates: ClassVar = ("a1", "a2")

    @property
    def stages(self) -> tuple[Joint, ...]:
        """The two rotations."""
        return Revolute(self.first, **self.options(0, 1)), Revolute(self.second, **self.options(1, 2))

    def resists(self, axes: Frame) -> list[Resisted]:
        g = axes.graph
        first, second = (direction(axes, axis, "a closing joint") for axis in (self.first, self.second))
        return [*resisted.translations(g), Resisted("torque", None, first, second, turning=True)]

    def measure(self, parent: Frame, child: Frame, position: Vector, u: Sequence[Node]) -> Measurement:
        """The second axis turns about the first by the first angle; seen from the child, the first axis turns about the
        second by minus the second angle."""
        g = parent.graph
        first, second = (direction(parent, axis, "a closing joint") for axis in (self.first, self.second))
        angles = list[Node]()
        for v, frame, about, start in (
            (vector(child, second), parent, first, second),
            (vector(parent, first), child, second, first),
        ):
            x, y, e = vector(frame, start), vector(frame, cross3(g, about, start)), vector(frame, about)
            angles.append(measured.angle_in(v, x - e * x.dot(e), y))
        a, b = vector(parent, first), vector(child, second)
        remainder = a.cross(b) * Expr(g, g.mul(u[0], u[1]))
        columns = [(a, None), (b, None)]
        return measured.measurement([angles[0], g.neg(angles[1])], child, position, columns, u, remainder)

    def place(self, parent: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        outer = Revolute(self.first).place(parent, f"{name}.yoke", q[:1], u[:1])
        return outer.then(Revolute(self.second).place(outer.frame, name, q[1:], u[1:]), u)
