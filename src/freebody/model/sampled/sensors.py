"""Kinds of sensors: of any quantity, of joints, of inertial motion, forces, strains, positions and distances."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import pi
from typing import Any, ClassVar

import numpy as np

from freebody.drawing import DrawnSensor
from freebody.errors import FieldError
from freebody.model.body import Body, BodyValue
from freebody.model.constraints import Constraint
from freebody.model.element import Family, Given, MemberOf, field, fields_of, from_data, schema_of, to_data
from freebody.model.kinds import UNPARSED, FieldKind, ListOf, Number, OptionalNumber, Scalar, ScalarValue, Scope, Text
from freebody.model.orientation import Orientation, OrientationValue
from freebody.model.picture import Picture
from freebody.model.sampled.base import SampleView
from freebody.model.sampled.by_name import EVERY, ByName, pairs_of
from freebody.model.sampled.sensor import Channel, Sensor, along, three
from freebody.model.sensors import beam_strain, strain
from freebody.model.units import OutputUnit, unit_of
from freebody.model.vectors import UNITS, BodyField, PointField, PointValue
from freebody.names import Q, U, VariableGroup
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph


class JointName(FieldKind):
    """A body, for its joint, or a constraint; by name in the normal form."""

    late = True
    type_name = "body or constraint"
    json_schema: ClassVar[dict[str, Any]] = {"type": "string", "description": "the name of a body or a constraint"}

    def read(self, value: Any, scope: Scope) -> Any:
        return Text().read(value, scope) if scope is UNPARSED else scope.reaction(value, "force")[0]


@dataclass(frozen=True)
class JointVariable(FieldKind):
    """A coordinate or a speed of a joint: a body whose joint has one, its name, or ``body.coordinate``. The normal form
    is the name of the coordinate or speed."""

    group: VariableGroup
    what: str
    late = True
    json_schema: ClassVar[dict[str, Any]] = {"type": "string", "description": "the name of a body, or body.coordinate"}

    @property
    def type_name(self) -> str:  # type: ignore[override]
        return f"{self.what} of a joint"

    def read(self, value: Any, scope: Scope) -> Any:
        if scope is UNPARSED:
            return Text().read(value, scope)
        if isinstance(value, str) and scope.graph.named(self.group(value)) is not None:
            return value
        body = scope.body(value)
        if not isinstance(body, Body):
            raise FieldError(f"the ground has no joint, and so no {self.what}; name a body")
        names = body.spec.names[0 if self.group is Q else 1]
        if not names:
            raise FieldError(f"the joint of '{body.name}' has no {self.what}: there is nothing to measure")
        if len(names) > 1:
            raise FieldError(f"the joint of '{body.name}' has several; choose from {', '.join(map(repr, names))}")
        return names[0]


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

    @property
    def path(self) -> tuple[str, ...]:
        return self.section, self.name

    def finalise(self, scope: Scope) -> Any:
        given = pairs_of(self.of)
        for name in given:
            if name != EVERY and not name.isidentifier():
                raise FieldError(f"{name!r} cannot be a name here: use letters, digits and underscores", "of")
        if not given:
            raise FieldError("it measures nothing: give a quantity, or several by name", "of")
        return super().finalise(scope)

    @property
    def channels(self) -> tuple[Channel, ...]:
        given = pairs_of(self.of)
        units = [unit_of(x) if self.unit is None else self.unit for x in given.values()]
        return tuple(Channel(f".{name}" if name else "", unit) for name, unit in zip(given, units, strict=True))

    def quantities(self, view: SampleView) -> Sequence[Expr]:
        return [view.scalar(x) for x in pairs_of(self.of).values()]


@dataclass(frozen=True, eq=False)
class JointSensor(Sensor, ABC):
    """Measures a coordinate or a speed of a joint."""

    @property
    @abstractmethod
    def variable(self) -> str:
        """The full name of the coordinate or speed."""

    @property
    def channels(self) -> tuple[Channel, ...]:
        return (Channel(),)

    def units(self, graph: Graph) -> Mapping[str, str]:
        return {**super().units(graph), self.name: graph.symbol_named(self.variable).unit}

    def quantities(self, view: SampleView) -> Sequence[Expr]:
        return [view.joint_variable(self.variable)]


@dataclass(frozen=True, eq=False)
class Encoder(JointSensor):
    """Measures a coordinate of a joint. With ``counts`` per revolution it is rounded to multiples of 2π/counts.
    Revolutions are counted: the angle is not limited to one of them."""

    on: Given[BodyValue] = field(JointVariable(Q, "coordinate"), "body whose joint is measured, or body.coordinate")
    counts: Given[float | None] = field(OptionalNumber(), "counts per revolution", default=None)
    kind: ClassVar[str] = "encoder"

    @property
    def variable(self) -> str:
        return Q(self.on)

    def finalise(self, scope: Scope) -> Any:
        if self.counts is not None and not isinstance(self.counts, str):
            if pairs_of(self.resolution):
                raise FieldError("counts and resolution are both given; leave one out", "counts")
            if self.counts <= 0:
                raise FieldError(f"it is {self.counts:g}; it must be positive", "counts")
        return super().finalise(scope)

    def error(self, name: str, channel: Channel) -> Any:
        if name == "resolution" and self.counts is not None:
            return 2 * pi / self.counts
        return super().error(name, channel)


@dataclass(frozen=True, eq=False)
class Tachometer(JointSensor):
    """Measures a speed of a joint."""

    on: Given[BodyValue] = field(JointVariable(U, "speed"), "body whose joint is measured, or body.speed")
    kind: ClassVar[str] = "tachometer"

    @property
    def variable(self) -> str:
        return U(self.on)


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

    def quantities(self, view: SampleView) -> Sequence[Expr]:
        point, motion = view.motion.point(self.at), view.motion
        specific_force = motion.acceleration_of(point) - view.gravity
        vectors = motion.angular_velocity(point.body), specific_force
        return [x for v in vectors for x in along(view, v, point.body, self.orient)]

    def drawn(self, picture: Picture) -> DrawnSensor | None:
        place = picture.anchor(self.at, f"sensor '{self.name}'")
        rows = [picture.numbers(row) for row in self.orient] if self.orient is not None else np.eye(3).tolist()
        axes = tuple((x, y, z) for x, y, z in zip(*rows, strict=True))
        return None if place is None else DrawnSensor(self.name, self.kind, place, axes=axes)


@dataclass(frozen=True, eq=False)
class ForceTorqueSensor(Sensor):
    """Measures the force and the torque that the joint of a body, a weld too, applies to it at the joint's origin; or
    those of a closure on its second body; along the axes of that body, or of an orientation in it."""

    joint: Given[BodyValue | Constraint] = field(JointName(), "body whose joint is measured, or a closure")
    orient: Given[OrientationValue | None] = field(Orientation(), "orientation of its axes in the body", default=None)
    kind: ClassVar[str] = "force_torque"

    @property
    def channels(self) -> tuple[Channel, ...]:
        return (*three("force", "N"), *three("torque", "N·m"))

    def quantities(self, view: SampleView) -> Sequence[Expr]:
        wrench = [view.reaction(self.joint, kind) for kind in ("force", "torque")]
        return [x for v, body in wrench for x in along(view, v, body, self.orient)]

    def drawn(self, picture: Picture) -> DrawnSensor | None:
        point = picture.reaction_point(self.joint)
        place = None if point is None else picture.anchor(point, f"sensor '{self.name}'")
        return None if place is None else DrawnSensor(self.name, self.kind, place)


@dataclass(frozen=True, eq=False)
class StrainGauge(Sensor):
    """Measures the normal strain along x of a beam, at a position on it and at distances y and z from its axis."""

    beam: Given[BodyValue] = field(BodyField(), "flexible body")
    at: Given[float] = field(Number(), "position along x", unit="m")
    off_axis: Given[Sequence[float]] = field(
        ListOf(Number(), 2), "distances y and z from the axis", default=(0.0, 0.0), unit="m"
    )
    kind: ClassVar[str] = "strain_gauge"

    @property
    def channels(self) -> tuple[Channel, ...]:
        return (Channel(),)

    def check_in_system(self, scope: Scope) -> None:
        strain(self.beam, scope, self.at, self.off_axis)

    def quantities(self, view: SampleView) -> Sequence[Expr]:
        body = view.motion.body(self.beam)
        assert isinstance(body, Body)
        return [beam_strain(body, self.at, self.off_axis)]


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

    def quantities(self, view: SampleView) -> Sequence[Expr]:
        start, end = view.motion.point(self.origin), view.motion.point(self.of)
        return along(view, view.motion.position(start, end), start.body)

    def drawn(self, picture: Picture) -> DrawnSensor | None:
        place = picture.anchor(self.of, f"sensor '{self.name}'")
        return None if place is None else DrawnSensor(self.name, self.kind, place)


@dataclass(frozen=True, eq=False)
class DistanceSensor(Sensor):
    """Measures the distance between two points, as a draw-wire or a laser with a reflector does."""

    start: Given[PointValue] = field(PointField(), "first point", key="from")
    end: Given[PointValue] = field(PointField(), "second point", key="to")
    kind: ClassVar[str] = "distance"

    @property
    def channels(self) -> tuple[Channel, ...]:
        return (Channel("", "m"),)

    def quantities(self, view: SampleView) -> Sequence[Expr]:
        start, end = view.motion.point(self.start), view.motion.point(self.end)
        return [view.motion.position(start, end).norm()]

    def drawn(self, picture: Picture) -> DrawnSensor | None:
        ends = picture.ends(self.start, self.end, f"sensor '{self.name}'")
        return None if ends is None else DrawnSensor(self.name, self.kind, *ends)


SENSORS = Family(
    "sensor", QuantitySensor, Encoder, Tachometer, IMU, ForceTorqueSensor, StrainGauge, PositionSensor, DistanceSensor
)
"""The kinds of sensors, by their names in files."""


COMMON = frozenset(f.key for f in fields_of(Sensor))
"""The keys that all sensors have."""


class SensorEntry(MemberOf):
    """A sensor in a file: {imu: {…}}, or the keys of one that measures a quantity: {of: q.arm, rate: 1000}."""

    def read(self, value: Any, scope: Scope) -> Any:
        keys = value if scope is UNPARSED and isinstance(value, Mapping) else {}
        if "of" in keys:
            return from_data(QuantitySensor, keys)
        if "rate" in keys or "period" in keys:
            raise FieldError(
                "it measures nothing: give of: q.arm, or a kind of sensor with its keys, imu: {at: arm, …}"
            )
        return super().read(value, scope)

    def write(self, value: Any, out: Any) -> Any:
        """What it measures comes first, then times and errors."""
        is_quantity = type(value) is QuantitySensor
        data = to_data(value, out) if is_quantity else super().write(value, out)[value.kind]
        ordered = {key: data[key] for key in sorted(data, key=COMMON.__contains__)}
        return ordered if is_quantity else {value.kind: ordered}

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [schema_of(QuantitySensor), self.family.schema()]}
