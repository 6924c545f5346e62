"""Two rotations about intersecting axes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from freebody.errors import FieldError
from freebody.model.element import Given, field
from freebody.model.joints import measured, resisted
from freebody.model.joints.axes import direction
from freebody.model.joints.base import Joint, Measurement, Placement, Resisted
from freebody.model.joints.revolute import Revolute
from freebody.model.kinds import AXES, Direction, DirectionValue, Scope
from freebody.scalar.expr import Expr
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame
from freebody.spatial.scalars import cross3
from freebody.spatial.vector import Vector, vector

PARALLEL = 1e-9
"""The sine of the angle between two axes that are the same."""


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

    def check(self) -> None:
        super().check()
        self._require_two_axes(type(self).__name__)

    def finalise(self, scope: Scope) -> Self:
        self._require_two_axes()
        return super().finalise(scope)

    def _require_two_axes(self, *path: str) -> None:
        first, second = (AXES.get(axis, axis) if isinstance(axis, str) else axis for axis in (self.first, self.second))
        if not any(isinstance(x, Expr | str) for x in (*first, *second)):
            a, b = (np.asarray(axis, float) for axis in (first, second))
            if np.linalg.norm(np.cross(a, b)) <= PARALLEL * np.linalg.norm(a) * np.linalg.norm(b):
                raise FieldError(
                    "it is parallel to the first axis; give two axes that differ, such as 'x' and 'y', or use Revolute",
                    *path,
                    "second",
                )

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
