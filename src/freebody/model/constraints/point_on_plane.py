"""A point that stays on a plane of another body."""

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
from freebody.model.kinds import Direction, DirectionValue, Scope
from freebody.model.picture import Picture
from freebody.model.vectors import PointField, PointValue


@dataclass(frozen=True, eq=False)
class PointOnPlane(Constraint):
    """A point of one body stays on a plane of another. The plane is given by one of its points, which may move on its
    body, and by its normal, which is fixed there.

    The multiplier is the force along the normal on the first body, in N."""

    point: Given[PointValue] = field(PointField(), "point that stays on the plane")
    on: Given[PointValue] = field(PointField(), "a point of the plane; its body carries the plane", default="ground")
    normal: Given[DirectionValue] = field(Direction(), "normal of the plane, along the axes of its body", default="z")
    kind: ClassVar[str] = "point_on_plane"

    def finalise(self, scope: Scope) -> "PointOnPlane":
        require_two_bodies(self.point, self.on, "it would hold by itself or never")
        require_kinds(self, GEOMETRY)
        return self

    def bodies(self) -> tuple[str, ...]:
        return self.point.body, self.on.body

    def drawn(self, picture: Picture) -> DrawnConstraint:
        context = f"constraint '{self.name}'"
        start, end = (picture.anchor(point, context) for point in (self.point, self.on))
        along = picture.unit(self.on.body, self.normal, context)
        return replace(super().drawn(picture), symbol="plane", start=start, end=end, direction=along)

    def rows(self, motion: ConstraintMotionView, form: RowForm) -> list[ConstraintRow]:
        origin = motion.point(self.on)
        normal = direction(origin.body.frame, self.normal, "the normal")
        return rows_along(motion, origin, motion.point(self.point), {"": normal})
