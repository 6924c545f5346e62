"""A point that stays on a straight line of another body."""

from dataclasses import dataclass, replace
from typing import ClassVar

from freebody.drawing import DrawnConstraint
from freebody.model.constraints.base import (
    GEOMETRY,
    Constraint,
    ConstraintMotionView,
    ConstraintRow,
    RowForm,
    require_kinds,
    require_two_bodies,
)
from freebody.model.constraints.point_motion import rows_along
from freebody.model.element import Given, field
from freebody.model.joints.axes import direction
from freebody.model.joints.resisted import axis_label, triad
from freebody.model.kinds import Direction, DirectionValue, Scope
from freebody.model.picture import Picture
from freebody.model.vectors import PointField, PointValue


@dataclass(frozen=True, eq=False)
class PointOnLine(Constraint):
    """A point of one body stays on a straight line of another. The line is given by one of its points, which may move
    on its body, and by its direction, which is fixed there.

    The multipliers are forces on the first body, in N, along two directions that are perpendicular to the line: the two
    other axes of the body if the line is parallel to one."""

    point: Given[PointValue] = field(PointField(), "point that stays on the line")
    on: Given[PointValue] = field(PointField(), "a point of the line; its body carries the line", default="ground")
    direction: Given[DirectionValue] = field(
        Direction(), "direction of the line, along the axes of its body", default="x"
    )
    kind: ClassVar[str] = "point_on_line"

    def finalise(self, scope: Scope) -> "PointOnLine":
        require_two_bodies(self.point, self.on, "it would hold by itself or never")
        require_kinds(self, GEOMETRY)
        return self

    def bodies(self) -> tuple[str, ...]:
        return self.point.body, self.on.body

    def drawn(self, picture: Picture) -> DrawnConstraint:
        context = f"constraint '{self.name}'"
        start, end = (picture.anchor(point, context) for point in (self.point, self.on))
        along = picture.unit(self.on.body, self.direction, context)
        return replace(super().drawn(picture), symbol="line", start=start, end=end, direction=along)

    def rows(self, motion: ConstraintMotionView, form: RowForm) -> list[ConstraintRow]:
        origin, g = motion.point(self.on), motion.graph
        *normals, _ = triad(g, direction(origin.body.frame, self.direction, "the line"))
        directions = {f"force.{axis_label(g, e, k)}": e for k, e in enumerate(normals)}
        return rows_along(motion, origin, motion.point(self.point), directions)
