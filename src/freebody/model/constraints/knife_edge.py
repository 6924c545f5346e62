"""A knife edge, skate or blade: a point that does not slip along a direction of its body."""

from dataclasses import dataclass, replace
from typing import ClassVar

from freebody.drawing import Anchor, DrawnConstraint
from freebody.errors import FieldError
from freebody.model.body import BodyValue
from freebody.model.constraints.base import Constraint, ConstraintMotionView, ConstraintRow, RowForm, require_fixed
from freebody.model.element import Given, field
from freebody.model.joints.axes import direction
from freebody.model.kinds import Direction, DirectionValue, Scope
from freebody.model.loads.base import LoadWrench, coinciding_point
from freebody.model.picture import Picture
from freebody.model.vectors import BodyField, PointField, PointSpec, PointValue
from freebody.spatial.vector import vector


@dataclass(frozen=True, eq=False)
class KnifeEdge(Constraint):
    """The velocity of a point of a body, relative to another body, has no component along a direction that is fixed in
    the first body: a skate does not slip sideways. The equation restricts speeds alone.

    The multiplier is the force along the direction on the first body, in N."""

    point: Given[PointValue] = field(PointField(), "point that does not slip, fixed in its body")
    direction: Given[DirectionValue] = field(
        Direction(), "direction in which it does not slip, along the axes of its body", default="y"
    )
    on: Given[BodyValue] = field(BodyField(), "body on which it does not slip", default="ground")
    kind: ClassVar[str] = "knife_edge"

    def finalise(self, scope: Scope) -> "KnifeEdge":
        if isinstance(self.point, PointSpec) and self.point.is_read and self.point.body == self.on:
            raise FieldError(f"the point belongs to '{self.on}' itself, on which it cannot slip; name another body")
        require_fixed(self.point, scope)
        return self

    def bodies(self) -> tuple[str, ...]:
        return self.point.body, self.on

    def drawn(self, picture: Picture) -> DrawnConstraint:
        context = f"constraint '{self.name}'"
        along, start = picture.unit(self.point.body, self.direction, context), picture.anchor(self.point, context)
        end = Anchor(self.on, (0, 0, 0))
        return replace(super().drawn(picture), symbol="blade", start=start, end=end, direction=along)

    def rows(self, motion: ConstraintMotionView, form: RowForm) -> list[ConstraintRow]:
        """e · (v_P − v_S) with S the point of the other body A where P is; its rate is
        e · (a_P − a_S − ω_A × v) + (ω_B × e) · v, v = v_P − v_S."""
        point, body = motion.point(self.point), motion.body(self.on)
        frame, S = point.body.frame, coinciding_point(point, body, motion)
        e = vector(frame, direction(frame, self.direction, f"constraint '{self.name}'"))
        v = motion.carried_velocity(point) - motion.carried_velocity(S)
        a = motion.carried_acceleration(point) - motion.carried_acceleration(S)
        a = a - motion.angular_velocity(body).cross(v)
        acceleration = e.dot(a) + motion.angular_velocity(point.body).cross(e).dot(v)
        wrenches = LoadWrench(point.body, point, e, None), LoadWrench(body, S, -e, None)
        return [ConstraintRow("", wrenches, None, acceleration, "m/s")]
