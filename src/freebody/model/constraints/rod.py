"""A rod: a given distance between two points."""

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
from freebody.model.constraints.point_motion import acceleration_of, own_velocity
from freebody.model.element import Given, field
from freebody.model.kinds import Scalar, ScalarValue, Scope
from freebody.model.loads.base import LoadWrench, require_positive
from freebody.model.picture import Picture
from freebody.model.vectors import PointField, PointValue
from freebody.scalar.expr import sqrt


@dataclass(frozen=True, eq=False)
class Rod(Constraint):
    """A massless rod between two points: their distance is its length. The length may depend on parameters, time and
    coordinates: the cable of a winch has the length l − r q, and pulls on the drum with its tension. The points may
    move on their bodies.

    The multiplier is the tension in N. With p from the first point to the second and l the length, the equation is
    φ = (l² − p·p)/(2 l) = 0, which needs no root, and whose gradient where φ = 0 is that of l − |p|."""

    start: Given[PointValue] = field(PointField(), "first point", key="from")
    end: Given[PointValue] = field(PointField(), "second point", key="to")
    length: Given[ScalarValue] = field(Scalar(), "distance between the points", unit="m")
    kind: ClassVar[str] = "rod"

    def finalise(self, scope: Scope) -> "Rod":
        require_two_bodies(self.start, self.end, "a rod between two of its points changes nothing")
        require_kinds(self, GEOMETRY)
        require_positive(self.length, scope, "the length", "For points that coincide, close the loop by fb.Spherical()")
        return self

    def bodies(self) -> tuple[str, ...]:
        return self.start.body, self.end.body

    def drawn(self, picture: Picture) -> DrawnConstraint:
        start, end = picture.ends(self.start, self.end, f"constraint '{self.name}'") or (None, None)
        return replace(super().drawn(picture), symbol="rod", start=start, end=end)

    def rows(self, motion: ConstraintMotionView, form: RowForm) -> list[ConstraintRow]:
        """φ̇ = l̇ − p·v/l and φ̈ = l̈ − (v·v + p·a)/l + l̇²/l where φ = 0, φ̇ = 0."""
        P, Q, l = motion.point(self.start), motion.point(self.end), motion.scalar(self.length)
        p, v = motion.position(P, Q), motion.velocity(Q) - motion.velocity(P)
        a, l_rate = acceleration_of(motion, Q) - acceleration_of(motion, P), motion.rate(l)
        pull = p / l
        explicit = l_rate - pull.dot(own_velocity(motion, Q) - own_velocity(motion, P))
        wrenches = LoadWrench(P.body, P, pull, None), LoadWrench(Q.body, Q, -pull, None)
        acceleration = motion.rate(l_rate) - (v.dot(v) + p.dot(a) - l_rate * l_rate) / l
        residual = (l * l - p.dot(p)) / (2 * l)
        return [
            ConstraintRow(
                "",
                wrenches,
                residual,
                acceleration,
                "m",
                motion.speed_gradient(explicit),
                motion.at_rest(explicit),
                l - sqrt(p.dot(p)),
            )
        ]
