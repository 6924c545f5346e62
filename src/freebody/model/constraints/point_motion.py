"""The motion of points as constraints need it: points that may move on their bodies, and points as seen from a body."""

from collections.abc import Mapping
from typing import NamedTuple

from freebody.model.body import Point, Reference
from freebody.model.constraints.base import ConstraintMotionView, ConstraintRow
from freebody.model.loads.base import LoadWrench, coinciding_point
from freebody.scalar.expr import Expr
from freebody.spatial.scalars import Triple
from freebody.spatial.vector import Vector, components, vector


class PointMotion(NamedTuple):
    """Position, velocity and acceleration of a point relative to another, as seen from the body of the other."""

    position: Vector
    velocity: Vector
    acceleration: Vector


def rate_on(motion: ConstraintMotionView, v: Vector, body: Reference) -> Vector:
    """dv/dt as seen from a body, for a vector of coordinates, speeds and time."""
    g = motion.graph
    return vector(body.frame, [motion.rate(Expr(g, s)).handle for s in components(v, body.frame)])


def own_velocity(motion: ConstraintMotionView, point: Point) -> Vector:
    """The velocity of a point on its body; zero if it is fixed there."""
    return Vector(motion.graph, {}) if point.fixed else rate_on(motion, point.offset, point.body)


def acceleration_of(motion: ConstraintMotionView, point: Point) -> Vector:
    """a + 2 ω × ṙ + r̈, minus gravity: a is that of the coinciding body-fixed point, r the position in the body."""
    a = motion.carried_acceleration(point)
    if point.fixed:
        return a
    rate = own_velocity(motion, point)
    return a + motion.angular_velocity(point.body).cross(rate) * 2 + rate_on(motion, rate, point.body)


def relative_motion(motion: ConstraintMotionView, origin: Point, point: Point) -> PointMotion:
    """The motion of a point relative to the origin, as seen from the origin's body A. With S the point of A where the
    point is: v = v_Q − v_S − ṙ and a = a_Q − a_S − 2 ω_A × (v_Q − v_S) − r̈, r the position of the origin in A."""
    body = origin.body
    S = coinciding_point(point, body, motion)
    v = motion.velocity(point) - motion.carried_velocity(S)
    a = acceleration_of(motion, point) - motion.carried_acceleration(S) - motion.angular_velocity(body).cross(v) * 2
    if not origin.fixed:
        rate = own_velocity(motion, origin)
        v, a = v - rate, a - rate_on(motion, rate, body)
    return PointMotion(motion.position(origin, point), v, a)


def force_row(
    motion: ConstraintMotionView,
    origin: Point,
    point: Point,
    force: Vector,
    label: str,
    residual: Expr,
    acceleration: Expr,
    explicit: Expr | None = None,
) -> ConstraintRow:
    """The row of λ = 1 as a force at a point, and its reaction on the body of the origin at the same point in space.
    ``explicit`` is what else the rate of the residual holds: what does not follow from the motion of the bodies."""
    wrenches = (
        LoadWrench(point.body, point, force, None),
        LoadWrench(origin.body, coinciding_point(point, origin.body, motion), -force, None),
    )
    extra = force.dot(own_velocity(motion, point) - own_velocity(motion, origin))
    extra = extra if explicit is None else extra + explicit
    return ConstraintRow(
        label, wrenches, residual, acceleration, "m", motion.speed_gradient(extra), motion.at_rest(extra)
    )


def rows_along(
    motion: ConstraintMotionView, origin: Point, point: Point, directions: Mapping[str, Triple]
) -> list[ConstraintRow]:
    """φ = e · p for each direction e by its label, fixed in the body of the origin, with p from the origin to the
    point."""
    p, _, a = relative_motion(motion, origin, point)
    axes = {label: vector(origin.body.frame, xyz) for label, xyz in directions.items()}
    return [force_row(motion, origin, point, e, label, e.dot(p), e.dot(a)) for label, e in axes.items()]
