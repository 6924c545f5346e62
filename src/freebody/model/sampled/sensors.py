"""Kinds of sensors: of any quantity, of joints, of inertial motion, forces, strains, positions and distances."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import pi
from typing import Any, ClassVar

from freebody.errors import FieldError, within
from freebody.model.body import Body, BodyValue
from freebody.model.constraints import Constraint
from freebody.model.element import Family, Given, field
from freebody.model.kinds import UNPARSED, FieldKind, ListOf, Number, Scalar, ScalarValue, Scope, Text
from freebody.model.orientation import Orientation, OrientationValue
from freebody.model.sampled.by_name import EVERY, ByName, pairs_of
from freebody.model.sampled.sensor import Along, Channel, Sensor, along, three
from freebody.model.sensors import strain
from freebody.model.units import OutputUnit, unit_of
from freebody.model.vectors import (
    UNITS,
    BodyField,
    PointField,
    PointValue,
    components_of,
    reaction_vector,
    read_point,
)
from freebody.names import Q, U
from freebody.scalar.expr import Expr


class JointName(FieldKind):
    """A body, for its joint, or a constraint; by name in the normal form."""

    late = True
    type_name = "body or constraint"
    json_schema: ClassVar[dict[str, Any]] = {"type": "string"}

    def read(self, value: Any, scope: Scope) -> Any:
        return Text().read(value, scope) if scope is UNPARSED else scope.reaction(value, "force")[0]


@dataclass(frozen=True, eq=False)
class QuantitySensor(Sensor):
    """Measures any scalar: a text such as ``q.arm`` or the name of an output, or an expression, of accelerations and
    reactions too; or several, by names of its own (``sensor.name`` in texts)."""

    of: Given[ScalarValue | Mapping[str, ScalarValue]] = field(
        ByName(Scalar(whole=True), alone=True, arguments=False), "what it measures, or several by name"
    )
    unit: Given[str | None] = field(
        OutputUnit(), "unit; by default that of the quantity, where it is known", default=None
    )
    kind: ClassVar[str] = "quantity"

    def finalise(self, scope: Scope) -> Any:
        for name in pairs_of(self.of):
            if name != EVERY and not name.isidentifier():
                raise FieldError(f"{name!r} cannot be a name here: use letters, digits and underscores", "of")
        return super().finalise(scope)

    @property
    def channels(self) -> tuple[Channel, ...]:
        names, measured = list(pairs_of(self.of)), self.measured or [None] * len(pairs_of(self.of))
        units = [unit_of(x) if self.unit is None and x is not None else self.unit or "" for x in measured]
        return tuple(Channel(f".{name}" if name else "", unit) for name, unit in zip(names, units, strict=True))

    def quantities(self, scope: Scope) -> Sequence[Expr]:
        return [
            x if isinstance(x, Expr) else Expr(scope.graph, scope.graph.const(x)) for x in pairs_of(self.of).values()
        ]


@dataclass(frozen=True, eq=False)
class JointSensor(Sensor):
    """Measures a coordinate or a speed of a body's joint."""

    on: Given[BodyValue] = field(BodyField(), "body whose joint is measured")

    @property
    def channels(self) -> tuple[Channel, ...]:
        return (Channel("", unit_of(self.measured[0]) if self.measured else ""),)

    def symbol(self, names: Sequence[str], name: str, prefix: Any, scope: Scope) -> Expr:
        """The symbol of one of the names of a joint's coordinates or speeds."""
        with within("on"):
            body = scope.body(self.on)
        if not isinstance(body, Body):
            raise FieldError("the ground has no joint; name a body", "on")
        known = ", ".join(repr(one) for one in names)
        if name not in names:
            key = "coordinate" if prefix is Q else "speed"
            what = f"choose {key} from {known}" if names else "it is welded, so there is nothing to measure"
            raise FieldError(f"the joint of '{body.name}' has no {key} '{name}'; {what}", key if names else "on")
        full = f"{body.name}.{name}" if name else body.name
        handle = scope.graph.named(prefix(full))
        assert handle is not None, "bodies declare the symbols of their coordinates and speeds"
        return Expr(scope.graph, handle)


@dataclass(frozen=True, eq=False)
class Encoder(JointSensor):
    """Measures a coordinate of a joint. With ``counts`` per revolution it is rounded to multiples of 2π/counts.
    Revolutions are counted: the angle is not limited to one of them."""

    coordinate: str = field(Text(), "name of the coordinate, if the joint has several", default="")
    counts: Given[float | None] = field(Number(), "counts per revolution", default=None)
    kind: ClassVar[str] = "encoder"

    def finalise(self, scope: Scope) -> Any:
        if self.counts is not None:
            if pairs_of(self.resolution):
                raise FieldError("counts and resolution are both given; leave one out", "counts")
            if self.counts <= 0:
                raise FieldError(f"counts is {self.counts:g}; it must be positive", "counts")
        return super().finalise(scope)

    def quantities(self, scope: Scope) -> Sequence[Expr]:
        body = scope.body(self.on)
        names = body.spec.freedoms.coordinates if isinstance(body, Body) else ()
        return [self.symbol(names, self.coordinate, Q, scope)]

    def error(self, name: str, channel: Channel) -> Any:
        if name == "resolution" and self.counts is not None:
            return 2 * pi / self.counts
        return super().error(name, channel)


@dataclass(frozen=True, eq=False)
class Tachometer(JointSensor):
    """Measures a speed of a joint."""

    speed: str = field(Text(), "name of the speed, if the joint has several", default="")
    kind: ClassVar[str] = "tachometer"

    def quantities(self, scope: Scope) -> Sequence[Expr]:
        body = scope.body(self.on)
        names = body.spec.freedoms.speeds if isinstance(body, Body) else ()
        return [self.symbol(names, self.speed, U, scope)]


@dataclass(frozen=True, eq=False)
class IMU(Sensor):
    """An inertial measurement unit at a point of a body or at a node of a flexible one: the angular velocity
    (``gyro``) and the specific force (``accel``), acceleration less gravity, along the axes of the body, or of an
    orientation in it. At rest ``accel`` is 9.81 m/s² upwards. Errors may be given for ``gyro`` and ``accel``, or for
    each channel, such as ``accel.x``."""

    at: Given[PointValue] = field(PointField(), "point where it is mounted")
    orient: Given[OrientationValue | None] = field(Orientation(), "orientation of its axes in the body", default=None)
    kind: ClassVar[str] = "imu"

    @property
    def channels(self) -> tuple[Channel, ...]:
        return (*three("gyro", UNITS["angular velocity"]), *three("accel", UNITS["acceleration"]))

    def quantities(self, scope: Scope) -> Sequence[Along]:
        point = read_point(self.at, scope)
        turning, acceleration = scope.motion.angular_velocity(point.body), scope.motion.acceleration_of(point)
        return [
            along(turning, scope, point.body, self.orient),
            along(acceleration, scope, point.body, self.orient, less_gravity=True),
        ]


@dataclass(frozen=True, eq=False)
class ForceTorqueSensor(Sensor):
    """Measures the force and the torque that the joint of a body, a weld too, applies to it at the joint's origin; or
    those of a closure on its second body; along the axes of that body, or of an orientation in it."""

    joint: Given[BodyValue | Constraint] = field(JointName(), "body whose joint is measured, or a closure")
    orient: Given[OrientationValue | None] = field(Orientation(), "orientation of its axes in the body", default=None)
    kind: ClassVar[str] = "force torque"

    @property
    def channels(self) -> tuple[Channel, ...]:
        return (*three("force", "N"), *three("torque", "N·m"))

    def quantities(self, scope: Scope) -> Sequence[Along]:
        frame = scope.reaction(self.joint, "force")[1]
        address = scope.address(frame)
        vectors = [reaction_vector(self.joint, scope, kind) for kind in ("force", "torque")]
        return [Along(components_of(v, scope), address, self.orient) for v in vectors]


@dataclass(frozen=True, eq=False)
class StrainGauge(Sensor):
    """Measures the normal strain along x of a beam, at a position on it and at distances y and z from its axis."""

    beam: Given[BodyValue] = field(BodyField(), "flexible body")
    at: Given[float] = field(Number(), "position along x", unit="m")
    off_axis: Given[Sequence[float]] = field(
        ListOf(Number(), 2), "distances y and z from the axis", default=(0.0, 0.0), unit="m"
    )
    kind: ClassVar[str] = "strain gauge"

    @property
    def channels(self) -> tuple[Channel, ...]:
        return (Channel(),)

    def quantities(self, scope: Scope) -> Sequence[Expr]:
        return [strain(self.beam, scope, self.at, self.off_axis)]


@dataclass(frozen=True, eq=False)
class PositionSensor(Sensor):
    """Measures the position of a point from another one, by default the ground's origin, along the axes of the body of
    that point: as satellites or cameras do."""

    of: Given[PointValue] = field(PointField(), "point that is measured")
    origin: Given[PointValue] = field(PointField(), "point from which it is measured", default="ground", key="from")
    kind: ClassVar[str] = "position"

    @property
    def channels(self) -> tuple[Channel, ...]:
        return three("", "m")

    def quantities(self, scope: Scope) -> Sequence[Along]:
        start, end = read_point(self.origin, scope), read_point(self.of, scope)
        return [along(scope.motion.position(start, end), scope, start.body)]


@dataclass(frozen=True, eq=False)
class DistanceSensor(Sensor):
    """Measures the distance between two points, as a draw-wire or a laser with a reflector does."""

    start: Given[PointValue] = field(PointField(), "first point", key="from")
    end: Given[PointValue] = field(PointField(), "second point", key="to")
    kind: ClassVar[str] = "distance"

    @property
    def channels(self) -> tuple[Channel, ...]:
        return (Channel("", "m"),)

    def quantities(self, scope: Scope) -> Sequence[Expr]:
        start, end = read_point(self.start, scope), read_point(self.end, scope)
        distance: Expr = scope.motion.position(start, end).norm()
        return [distance]


SENSORS = Family(
    "sensor", QuantitySensor, Encoder, Tachometer, IMU, ForceTorqueSensor, StrainGauge, PositionSensor, DistanceSensor
)
"""The kinds of sensors, by their names in files."""
