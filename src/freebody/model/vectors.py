"""Bodies, points and vectors as fields of elements. In Python they are objects; in a file they are data, sums of terms
such as {in: arm, xyz: [0, 0, 1]} or {velocity: arm}, with bodies by their names."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from freebody.errors import FieldError, ModelError, within
from freebody.model.accelerations import reaction, reactions_of
from freebody.model.body import Body, Point, Reference
from freebody.model.element import Element, field, made, schema
from freebody.model.kinds import SCALAR_SCHEMA, SHARED, UNREAD, Kind, ListOf, Scalar, Scope, Symbolic, Text, described
from freebody.scalar.expr import Expr
from freebody.spatial.vector import Vector, vector

NO_FRAME = "say along which axes: {in: ground, xyz: [0, 0, 1]}, or a list of such"
THREE = ListOf(Scalar(whole=True), 3)  # loads refuse accelerations when all is read


def _own(scope: Scope, graph: Any, value: Any) -> None:
    if scope is not UNREAD and graph is not scope.graph:
        raise FieldError(f"{value!r} belongs to another system")


class BodyField(Kind):
    """A body or the ground."""

    word = "body"
    late = True

    def read(self, given: Any, scope: Scope) -> Any:
        if isinstance(given, Reference):
            _own(scope, given.graph, given)
            return given
        if scope is UNREAD:
            return Text().read(given, scope)
        return scope.body(given)

    def write(self, value: Any, out: Any) -> Any:
        return value.name

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "description": "the name of a body, or ground"}


class PointField(Kind):
    """A point of a body: the body's origin, {body: arm, at: [0, 0, 1]}, {body: arm, at: com}."""

    word = "point"
    late = True

    def read(self, given: Any, scope: Scope) -> Any:
        if isinstance(given, Point):
            _own(scope, given.body.graph, given)
            _own(scope, given.offset.graph, given)
            return given
        if isinstance(given, Reference):
            _own(scope, given.graph, given)
            return given.origin
        if not isinstance(given, Place | Mapping | str):
            raise FieldError(f"a point such as body.point((0, 0, 1)) or a body is needed, not {described(given)}")
        place = given if isinstance(given, Place) else made(Place, {"body": given} if isinstance(given, str) else given)
        return place if scope is UNREAD else place.point(scope)

    def write(self, value: Any, out: Any) -> Any:
        return out.point(value)

    def schema(self) -> dict[str, Any]:
        return {SHARED: "point"}


class VectorField(Kind):
    """A sum of terms; ``arm.z`` and ``-arm.z`` are axes."""

    word = "vector"
    late = True

    def read(self, given: Any, scope: Scope) -> Any:
        if isinstance(given, Vector):
            _own(scope, given.graph, given)
            return given
        if isinstance(given, str):
            return given if scope is UNREAD else _axis(given, scope)
        if isinstance(given, list | tuple):
            if not all(isinstance(one, Mapping | Term) for one in given):
                raise FieldError(NO_FRAME)
            terms = [self._term(k, one, scope) for k, one in enumerate(given)]
            return tuple(terms) if scope is UNREAD else sum(terms, start=Vector(scope.graph, {}))
        if not isinstance(given, Mapping | Term):
            raise FieldError(f"a vector such as 3*body.x is needed, not {described(given)}")
        return _term(given, scope)

    def _term(self, k: int, given: Any, scope: Scope) -> Any:
        with within(k):
            return _term(given, scope)

    def write(self, value: Any, out: Any) -> Any:
        return out.vector(value)

    def schema(self) -> dict[str, Any]:
        return {SHARED: "vector"}


class Offset(VectorField):
    """From a body's origin: three components along its axes, a vector, or ``com``, the mass centre."""

    word = "place"

    def read(self, given: Any, scope: Scope) -> Any:
        if given == "com" and isinstance(given, str):
            return given
        if isinstance(given, list | tuple) and not all(isinstance(one, Mapping | Term) for one in given):
            return THREE.read(given, scope)
        return super().read(given, scope)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [THREE.schema(), super().schema()]}


@dataclass(frozen=True, eq=False)
class Place(Element):
    """A point of a body as a file says it."""

    body: Any = field(BodyField(), "the body it belongs to")
    at: Any = field(Offset(), "from the body's origin", default=(0, 0, 0), unit="m")
    name: Any = field(Text(), "what it is called", default=None)

    def point(self, scope: Scope) -> Point:
        with within("body"):
            body = BodyField().read(self.body, scope)
        if self.at is Place.at:
            point = body.origin
        else:
            with within("at"):
                at = Offset().read(self.at, scope)
                point = body.centre if isinstance(at, str) else body.point(at)
        return point if self.name is None else Point(body, point.offset, self.name)


class Term(Element, ABC):
    """A term of a vector as a file says it."""

    @abstractmethod
    def vector(self, scope: Scope) -> Vector:
        """The vector, its bodies and texts read in this scope."""


@dataclass(frozen=True, eq=False)
class Along(Term):
    """Components along the axes of a frame: a body's, or ``body@k``, the one k turns before."""

    frame: Any = field(BodyField(), "along whose axes", key="in")
    xyz: Any = field(THREE, "components")

    def vector(self, scope: Scope) -> Vector:
        with within("in"):
            frame = scope.frame(self.frame)
        with within("xyz"):
            xyz = THREE.read(self.xyz, scope)
        return vector(frame, [x.handle if isinstance(x, Expr) else scope.graph.const(x) for x in xyz])


@dataclass(frozen=True, eq=False)
class Position(Term):
    position: Any = field(PointField(), "where to")
    of: Any = field(PointField(), "where from (left out: the ground's origin)", default=None)
    kind: ClassVar[str] = "position"

    def vector(self, scope: Scope) -> Vector:
        start = scope.body("ground").origin if self.of is None else _point(self.of, scope, "of")
        made: Vector = scope.motion.position(start, _point(self.position, scope, "position"))
        return made


@dataclass(frozen=True, eq=False)
class Velocity(Term):
    velocity: Any = field(PointField(), "of which point")
    kind: ClassVar[str] = "velocity"

    def vector(self, scope: Scope) -> Vector:
        made: Vector = scope.motion.velocity(_point(self.velocity, scope, "velocity"))
        return made


@dataclass(frozen=True, eq=False)
class Acceleration(Term):
    acceleration: Any = field(PointField(), "of which point")
    kind: ClassVar[str] = "acceleration"

    def vector(self, scope: Scope) -> Vector:
        made: Vector = scope.motion.acceleration_of(_point(self.acceleration, scope, "acceleration"))
        return made


@dataclass(frozen=True, eq=False)
class AngularVelocity(Term):
    body: Any = field(BodyField(), "of which body", key="angular velocity")
    kind: ClassVar[str] = "angular velocity"

    def vector(self, scope: Scope) -> Vector:
        with within("angular velocity"):
            body = BodyField().read(self.body, scope)
        made: Vector = scope.motion.angular_velocity(body)
        return made


@dataclass(frozen=True, eq=False)
class AngularAcceleration(Term):
    body: Any = field(BodyField(), "of which body", key="angular acceleration")
    kind: ClassVar[str] = "angular acceleration"

    def vector(self, scope: Scope) -> Vector:
        with within("angular acceleration"):
            body = BodyField().read(self.body, scope)
        made: Vector = scope.motion.angular_acceleration(body)
        return made


@dataclass(frozen=True, eq=False)
class ReactionForce(Term):
    body: Any = field(BodyField(), "at whose joint", key="reaction force")
    kind: ClassVar[str] = "reaction force"

    def vector(self, scope: Scope) -> Vector:
        with within("reaction force"):
            return reaction_vector(BodyField().read(self.body, scope), "force")


@dataclass(frozen=True, eq=False)
class ReactionTorque(Term):
    body: Any = field(BodyField(), "at whose joint", key="reaction torque")
    kind: ClassVar[str] = "reaction torque"

    def vector(self, scope: Scope) -> Vector:
        with within("reaction torque"):
            return reaction_vector(BodyField().read(self.body, scope), "torque")


def reaction_vector(body: Reference, kind: str) -> Vector:
    """The force or the torque that a body's joint puts on it, as symbols that are known after u̇ is."""
    if not isinstance(body, Body):
        raise ModelError(f"a reaction {kind} is that of a body's joint, and the ground has none; name a body")
    g = body.graph
    return body.vector([Expr(g, reaction(g, body.name, part)) for part in reactions_of(body)[kind]])


TERMS: dict[str, type[Term]] = {
    "in": Along, "position": Position, "velocity": Velocity, "acceleration": Acceleration,
    "angular velocity": AngularVelocity, "angular acceleration": AngularAcceleration, "reaction force": ReactionForce,
    "reaction torque": ReactionTorque,
}  # fmt: skip
"""The terms of a vector, each known by a key that it has."""


def _point(given: Any, scope: Scope, key: str) -> Point:
    with within(key):
        point: Point = PointField().read(given, scope)
        return point


def _term(given: Any, scope: Scope) -> Any:
    term = given if isinstance(given, Term) else made(next((t for k, t in TERMS.items() if k in given), Along), given)
    return term if scope is UNREAD else term.vector(scope)


def _axis(given: str, scope: Scope) -> Vector:
    """lower.y is the second axis of lower, -lower.y its negative."""
    frame, dot, axis = given.removeprefix("-").rpartition(".")
    if not dot or axis not in ("x", "y", "z"):
        raise FieldError(f"'{given}' is no vector: write body.x, or {{in: body, xyz: [1, 0, 0]}}")
    g = scope.graph
    whole = vector(scope.frame(frame), [g.one if k == axis else g.zero for k in "xyz"])
    return -whole if given.startswith("-") else whole


class OutputField(Kind):
    """A scalar, a vector, or {norm: vector}."""

    word = "scalar or vector"
    late = True

    def read(self, given: Any, scope: Scope) -> Any:
        if isinstance(given, Mapping) and "norm" in given:
            unknown = [key for key in given if key != "norm"]
            if unknown:
                raise FieldError(f"there is no key '{unknown[0]}' here. There are norm.", unknown[0], of_key=True)
            with within("norm"):
                v = VectorField().read(given["norm"], scope)
            return given if scope is UNREAD else v.norm()
        if isinstance(given, Mapping | list | tuple | Term | Vector):
            return VectorField().read(given, scope)
        return Symbolic(whole=True).read(given, scope)

    def write(self, value: Any, out: Any) -> Any:
        return out.vector(value) if isinstance(value, Vector) else out.scalar(value)

    def schema(self) -> dict[str, Any]:
        norm = {"type": "object", "properties": {"norm": VectorField().schema()}, "required": ["norm"],
                "additionalProperties": False}  # fmt: skip
        term = {SHARED: "term"}
        return {"anyOf": [SCALAR_SCHEMA, term, {"type": "array", "items": term}, norm]}


def shared_schemas() -> dict[str, Any]:
    """The schemas that fields share."""
    term = {SHARED: "term"}
    return {
        "point": {"anyOf": [{"type": "string"}, schema(Place)]},
        "term": {"anyOf": [schema(one) for one in TERMS.values()]},
        "vector": {"anyOf": [{"type": "string"}, term, {"type": "array", "items": term}]},
    }


