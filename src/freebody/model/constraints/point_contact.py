"""A point that can touch a plane of another body: exact impacts, and Coulomb's friction that sticks or slides."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from freebody.drawing import DrawnConstraint
from freebody.errors import FieldError
from freebody.model.accelerations import multiplier_symbol
from freebody.model.body import Point
from freebody.model.constraints.base import (
    GEOMETRY,
    Constraint,
    ConstraintMotionView,
    ConstraintRow,
    RowForm,
    require_kinds,
    require_two_bodies,
)
from freebody.model.constraints.point_motion import force_row, own_velocity, relative_motion
from freebody.model.element import Given, field
from freebody.model.joints.axes import direction
from freebody.model.kinds import Direction, DirectionValue, Number, Scalar, ScalarValue, Scope
from freebody.model.loads.base import LoadWrench, coinciding_point
from freebody.model.picture import Picture
from freebody.model.vectors import PointField, PointValue
from freebody.names import ENGAGED, GRIPPING, SLIPPING
from freebody.scalar.expr import Expr, equals_number, sqrt, where
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind
from freebody.spatial.vector import Vector, vector

STILL = 1e-8
"""The speed of slip (m/s) below which friction opposes the direction in which slip has begun."""

TINY = 1e-40
"""Added to squares of speeds (m²/s²), so that a slip without any direction has no friction."""

TANGENTS = "t1", "t2"
"""The labels of the equations along the plane, which hold while the point sticks."""


class PlaneFrame(NamedTuple):
    """The point, the point of the other body where it is, and normal and tangents of the plane."""

    origin: Point
    point: Point
    normal: Vector
    tangents: tuple[Vector, Vector]


@dataclass(frozen=True, eq=False)
class PointContact(Constraint):
    """A point of one body that can touch a plane of another, on the side to which its normal points. A run engages and
    releases it by events of its own: at touch by an impulse with ``friction`` (Routh's model: Coulomb's law at every
    instant of the impact) and ``restitution`` (Stronge's: of the energy of the normal direction), and while it touches
    the point sticks, or slides with the friction μ λ against its slip. It lifts off where the normal force λ vanishes.

    Multipliers are the force along the ``normal`` on the first body, and while it sticks those along the tangents, in
    N."""

    point: Given[PointValue] = field(PointField(), "point that can touch the plane")
    on: Given[PointValue] = field(PointField(), "a point of the plane; its body carries the plane", default="ground")
    normal: Given[DirectionValue] = field(
        Direction(), "normal of the plane, along the axes of its body, to the side of the point", default="z"
    )
    friction: Given[ScalarValue] = field(
        Scalar(PARAMETERS_ONLY, magnitude=True), "coefficient μ of friction", default=0
    )
    restitution: Given[float] = field(Number(), "coefficient e of restitution, 0 … 1", default=0.0)
    rest_speed: Given[float] = field(
        Number(), "the point rebounds no more where it would be slower", default=1e-3, unit="m/s"
    )
    kind: ClassVar[str] = "point_contact"

    def finalise(self, scope: Scope) -> "PointContact":
        require_two_bodies(self.point, self.on, "it would hold by itself or never")
        require_kinds(self, GEOMETRY)
        for key, most in (("restitution", 1.0), ("rest_speed", float("inf"))):
            value: Any = self.__dict__[key]
            if isinstance(value, float) and not 0 <= value <= most:
                raise FieldError(f"it is {value:g}; it must be between 0 and {most:g}", key)
        return self if self.engaged is not None else replace(self, engaged=False)

    @property
    def rubs(self) -> bool:
        """Whether it has friction."""
        return not equals_number(self.friction, 0)

    def bodies(self) -> tuple[str, ...]:
        return self.point.body, self.on.body

    def drawn(self, picture: Picture) -> DrawnConstraint:
        context = f"constraint '{self.name}'"
        start, end = (picture.anchor(point, context) for point in (self.point, self.on))
        along = picture.unit(self.on.body, self.normal, context)
        return replace(super().drawn(picture), symbol="plane", start=start, end=end, direction=along)

    # Flags

    def held(self) -> dict[str, float]:
        own = GRIPPING(self.name), *self.slip_names
        return super().held() | (dict.fromkeys(own, 0.0) if self.rubs else {})

    @property
    def slip_names(self) -> tuple[str, str]:
        """The inputs that hold the direction in which slip has begun."""
        return SLIPPING(f"{self.name}.{TANGENTS[0]}"), SLIPPING(f"{self.name}.{TANGENTS[1]}")

    @property
    def friction_names(self) -> tuple[str, tuple[str, str]]:
        """The inputs that hold whether it sticks, and the direction in which slip has begun."""
        return GRIPPING(self.name), self.slip_names

    def row_flag(self, graph: Graph, row: int) -> Expr | None:
        if row == 0:
            return self.flag(graph)
        return Expr(graph, graph.symbol(GRIPPING(self.name), Kind.INPUT))

    # Equations

    def _tangents(self, motion: ConstraintMotionView) -> PlaneFrame:
        origin, point = motion.point(self.on), motion.point(self.point)
        frame = origin.body.frame
        n = vector(frame, direction(frame, self.normal, "the normal"))
        number = [motion.graph.number(x) for x in direction(frame, self.normal, "the normal")]
        sizes = [1.0 if x is None else abs(float(x)) for x in number]
        axis = vector(frame, tuple(motion.graph.const(float(k == sizes.index(min(sizes)))) for k in range(3)))
        first = axis - n * n.dot(axis)
        first = first / first.norm()
        return PlaneFrame(origin, point, n, (first, n.cross(first)))

    def rows(self, motion: ConstraintMotionView, form: RowForm) -> list[ConstraintRow]:
        """φ = n · p, and the slip t · ṗ along both tangents, as seen from the body of the plane."""
        at = self._tangents(motion)
        p, _, a = relative_motion(motion, at.origin, at.point)
        rows = [force_row(motion, at.origin, at.point, at.normal, "normal", at.normal.dot(p), at.normal.dot(a))]
        for label, t in zip(TANGENTS, at.tangents, strict=True) if self.rubs else ():
            row = force_row(motion, at.origin, at.point, t, label, t.dot(p), t.dot(a))
            rows.append(replace(row, residual=None, unit="m/s"))
        return rows

    # Friction

    def loads(self, motion: ConstraintMotionView) -> Iterator[LoadWrench]:
        """−μ λ ŝ at the point while it slides; ŝ is the direction of its slip, at rest that in which slip has begun.
        λ is the multiplier, for whose values equations are solved (``Derivation.solution``)."""
        if not self.rubs:
            return
        g, at = motion.graph, self._tangents(motion)
        S = coinciding_point(at.point, at.origin.body, motion)
        moves = own_velocity(motion, at.point) - own_velocity(motion, at.origin)
        v = motion.carried_velocity(at.point) - motion.carried_velocity(S) + moves
        begun = [Expr(g, g.symbol(name, Kind.INPUT)) for name in self.slip_names]
        slip = [t.dot(v) + STILL * s for t, s in zip(at.tangents, begun, strict=True)]
        size = sqrt(slip[0] * slip[0] + slip[1] * slip[1] + TINY)
        engaged, grips = (Expr(g, g.symbol(name, Kind.INPUT)) for name in (ENGAGED(self.name), GRIPPING(self.name)))
        mu = where(engaged, where(grips, 0, motion.scalar(self.friction)), 0)
        strength = mu * Expr(g, multiplier_symbol(g, f"{self.name}.normal")) / size
        force = -(at.tangents[0] * (slip[0] * strength) + at.tangents[1] * (slip[1] * strength))
        yield LoadWrench(at.point.body, at.point, force, None)
        yield LoadWrench(at.origin.body, S, -force, None)

    def losses(self, motion: ConstraintMotionView) -> Iterator[LoadWrench]:
        return self.loads(motion)
