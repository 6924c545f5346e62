"""Rolling without slip of a sphere, a thin disc or a wheel with a round tyre on a plane."""

from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar, NamedTuple

from freebody.drawing import DrawnConstraint
from freebody.errors import FieldError
from freebody.model.body import Point
from freebody.model.constraints.base import (
    Constraint,
    ConstraintMotionView,
    ConstraintRow,
    RowForm,
    require_fixed,
    require_two_bodies,
)
from freebody.model.element import Given, field
from freebody.model.joints.axes import direction
from freebody.model.joints.resisted import axis_label, triad
from freebody.model.kinds import Constant, Direction, DirectionValue, ScalarValue, Scope
from freebody.model.loads.base import LoadWrench, coinciding_point, require_positive
from freebody.model.picture import Picture
from freebody.model.vectors import PointField, PointValue
from freebody.scalar.expr import Expr, sqrt, where
from freebody.spatial.vector import Vector, vector


class RollingContact(NamedTuple):
    """The contact of a wheel with its plane: the height of the lowest point above the plane, the position of the
    contact from the centre, its velocity on the wheel as seen from the wheel, and the directions of the forces."""

    height: Expr
    arm: Vector
    drift: Vector
    directions: dict[str, Vector]


@dataclass(frozen=True, eq=False)
class Roll(Constraint):
    """A wheel or a sphere rolls on a plane of another body without slip: the point of the wheel at the contact and the
    point of the plane there have the same velocity. The plane is given by one of its points and by its normal, which
    points to the side of the wheel.

    Without ``axis`` the body is a sphere. With it, it is a wheel: a thin disc of the given radius, or with ``tyre`` a
    torus whose tube has this radius (the outer radius is still ``radius``). The contact of a wheel is its lowest point;
    a wheel that lies flat has none, and is a singular position.

    The multipliers are the forces on the wheel at the contact, in N: ``normal``, along the normal of the plane;
    ``longitudinal``, along a × n, the direction in which a wheel that turns about its axis a > 0 rolls; ``lateral``,
    along n × (a × n), the axis projected on the plane. Of a sphere they are ``normal``, and ``tangent.x``, … along two
    axes of the plane's body (or ``tangent.1`` and ``tangent.2``, if the normal is no axis of it)."""

    centre: Given[PointValue] = field(PointField(), "centre of the wheel or the sphere, fixed in its body")
    _: KW_ONLY
    on: Given[PointValue] = field(PointField(), "a point of the plane; its body carries the plane", default="ground")
    radius: Given[ScalarValue] = field(Constant, "radius", unit="m")
    axis: Given[DirectionValue | None] = field(
        Direction(), "axis of the wheel, along the axes of its body; a sphere has none", default=None
    )
    tyre: Given[ScalarValue] = field(Constant, "radius of the tyre's tube", default=0, unit="m")
    normal: Given[DirectionValue] = field(Direction(), "normal of the plane, along the axes of its body", default="z")
    kind: ClassVar[str] = "roll"

    def finalise(self, scope: Scope) -> "Roll":
        require_two_bodies(self.centre, self.on, "it cannot roll on itself")
        require_fixed(self.centre, scope)
        require_fixed(self.on, scope)
        require_positive(self.radius, scope, "the radius")
        if not isinstance(self.tyre, Expr | str) and self.tyre != 0:
            require_positive(self.tyre, scope, "the radius of the tyre")
            if self.axis is None:
                raise FieldError("a sphere has no tyre; give the axis of the wheel, or leave out the tyre")
            if not isinstance(self.radius, Expr | str) and self.tyre > self.radius:
                raise FieldError(
                    f"the tyre's tube has the radius {float(self.tyre):g}, more than the wheel's outer radius"
                    f" {float(self.radius):g}; a tube is at most as large as the wheel"
                )
        return self

    def bodies(self) -> tuple[str, ...]:
        return self.centre.body, self.on.body

    def drawn(self, picture: Picture) -> DrawnConstraint:
        context = f"constraint '{self.name}'"
        along = None if self.axis is None else picture.unit(self.centre.body, self.axis, context)
        (radius,) = picture.numbers([self.radius])
        start, end = (picture.anchor(point, context) for point in (self.centre, self.on))
        return replace(super().drawn(picture), symbol="wheel", start=start, end=end, direction=along, radius=radius)

    def rows(self, motion: ConstraintMotionView, form: RowForm) -> list[ConstraintRow]:
        """w = v_B − v_A of the points of wheel B and plane A at the contact K is zero. While it is, its rate is
        a_B − a_A + ω × ρ, with ω = ω_B − ω_A and ρ the velocity of K on the wheel."""
        centre, origin = motion.point(self.centre), motion.point(self.on)
        contact = self._contact(motion, centre, origin)
        at_wheel = Point(centre.body, centre.offset + contact.arm)
        at_plane = coinciding_point(at_wheel, origin.body, motion)
        a = motion.carried_acceleration(at_wheel) - motion.carried_acceleration(at_plane)
        a = a + self._turning(motion, centre, origin).cross(contact.drift)
        rows = list[ConstraintRow]()
        for label, e in contact.directions.items():
            wrenches = LoadWrench(centre.body, at_wheel, e, None), LoadWrench(origin.body, at_plane, -e, None)
            height, unit = (contact.height, "m") if label == "normal" else (None, "m/s")
            rows.append(ConstraintRow(label, wrenches, height, e.dot(a), unit))
        return rows

    @staticmethod
    def _turning(motion: ConstraintMotionView, centre: Point, origin: Point) -> Vector:
        """ω of the wheel relative to the plane."""
        return motion.angular_velocity(centre.body) - motion.angular_velocity(origin.body)

    def _contact(self, motion: ConstraintMotionView, centre: Point, origin: Point) -> RollingContact:
        """With n the normal, a the axis, c = a·n, s = √(1 − c²), l = a × n/s and m = n × l: the lowest point of the
        circle of radius R is at R (c a − n)/s, and moves on the wheel with R (ω·m/s) l. A sphere, or the tube of radius
        r around that circle, adds −r n, which moves on the wheel with r ω × n."""
        context, frame = f"constraint '{self.name}'", origin.body.frame
        g, xyz = frame.graph, direction(frame, self.normal, context)
        n, w, height = vector(frame, xyz), self._turning(motion, centre, origin), motion.position(origin, centre)
        radius, tube = motion.scalar(self.radius), motion.scalar(self.tyre)
        if self.axis is None:
            first, second, _ = triad(g, xyz)
            tangents = {f"tangent.{axis_label(g, e, k)}": vector(frame, e) for k, e in enumerate((first, second))}
            return RollingContact(height.dot(n) - radius, n * -radius, w.cross(n) * radius, {"normal": n, **tangents})
        a = vector(centre.body.frame, direction(centre.body.frame, self.axis, context))
        circle, c = radius - tube, a.dot(n)
        s = sqrt(1 - c * c)
        flag = self.flag(g)
        s = s if flag is None else where(flag, s, 1)  # a wheel that is released may lie flat
        along = a.cross(n) / s
        across = (a - n * c) / s
        return RollingContact(
            height.dot(n) - circle * s - tube,
            (a * c - n) * (circle / s) - n * tube,
            along * (circle * w.dot(across) / s) + w.cross(n) * tube,
            {"normal": n, "longitudinal": along, "lateral": across},
        )
