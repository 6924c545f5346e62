"""Bodies, points and vectors as fields of elements.

Users pass objects (``arm``, ``arm.point((0, 0, 1))``, ``3*arm.x``); files contain data, sums of terms such as
{in: arm, xyz: [0, 0, 1]} or {velocity: arm}. An element stores neither: a body is its name, a vector a tuple of
``Components`` along the axes of frames, a point a ``PointSpec`` with the name of a body and the vector from its origin.
A derivation places the bodies in a graph of its own and looks the names up there (``PlacedBodies``).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, make_dataclass
from typing import Any, ClassVar, TypeGuard

from freebody.errors import FieldError, within
from freebody.model.accelerations import WRENCH, reaction_symbol
from freebody.model.body import BodyName, BodyValue, Point, Reference
from freebody.model.element import Element, Given, field, from_data, schema_of, values_of
from freebody.model.kinds import (
    SHARED,
    UNPARSED,
    FieldKind,
    ListOf,
    Scalar,
    ScalarsValue,
    Scope,
    Symbolic,
    Text,
    describe,
)
from freebody.model.placed import FrameAddress
from freebody.model.sensors import SCALAR_TERMS, ScalarTerm, deflection
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.spatial.frame import Frame
from freebody.spatial.vector import Vector, handle, vector

POINT, VECTOR, TERM, SENSOR = ({SHARED: name} for name in ("point", "vector", "term", "sensor"))  # schemas
THREE = ListOf(Scalar(whole=True), 3)  # loads refuse accelerations when all fields have been read


class BodyField(BodyName):
    """A body or the ground; the normal form is its name."""

    late = True

    def read(self, value: Any, scope: Scope) -> Any:
        return super().read(value, scope) if scope is UNPARSED else scope.body(value).name


def bodies_of(value: Any, kind: FieldKind | None = None) -> Iterator[str]:
    """The names of the bodies that an element in normal form is on, in its fields and those of its parts."""
    if isinstance(value, str):
        if isinstance(kind, BodyName):
            yield value
    elif isinstance(value, FrameAddress):
        yield value.body
    elif isinstance(value, Element):
        for f, inner in values_of(value):
            yield from bodies_of(inner, f.kind)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from bodies_of(one, kind.item if isinstance(kind, ListOf) else None)


class PointField(FieldKind):
    """A point of a body: the name of the body for its origin, {body: arm, at: [0, 0, 1]} or {body: arm, at: com}."""

    type_name = "point"
    late = True
    symbolic = True
    json_schema = POINT

    def read(self, value: Any, scope: Scope) -> Any:
        if isinstance(value, PointSpec) and value.is_read:
            return value
        if scope is UNPARSED:
            return _point_spec(value)
        point = read_point(value, scope)
        return PointSpec(point.body.name, components_of(point.offset, scope), point.name)

    def write(self, value: Any, out: Any) -> Any:
        return out.point(value)


class VectorField(FieldKind):
    """A term, a sum of terms in a list, or an axis: ``arm.z``, ``-arm.z``."""

    type_name = "vector"
    late = True
    json_schema = VECTOR

    def read(self, value: Any, scope: Scope) -> Any:
        if is_normal_vector(value):
            return value
        if scope is not UNPARSED:
            return components_of(read_vector(value, scope), scope)
        if isinstance(value, str):
            return value
        return tuple(_each(value, _term)) if isinstance(value, list | tuple) else _term(value)

    def write(self, value: Any, out: Any) -> Any:
        return out.vector(value)


class Offset(VectorField):
    """A vector from a body's origin: three components along its axes, a vector, or ``com`` for the mass centre."""

    type_name = "position"

    def read(self, value: Any, scope: Scope) -> Any:
        if value == "com" and isinstance(value, str):
            return value
        return THREE.read(value, scope) if _are_scalars(value) else super().read(value, scope)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [THREE.schema(), super().schema()]}


@dataclass(frozen=True, eq=False)
class PointSpec(Element):
    """A point of a body. ``at`` is the data of a file until it is read, then the vector from the body's origin."""

    body: Given[BodyValue] = field(BodyField(), "body of the point")
    at: "Given[str | ScalarsValue | VectorValue]" = field(
        Offset(), "position from the body's origin", default=(0, 0, 0), unit="m"
    )
    name: Given[str | None] = field(Text(), "name", default=None)

    @property
    def is_read(self) -> bool:
        """Whether this is the normal form."""
        return self.name is not None and is_normal_vector(self.at)

    def point(self, scope: Scope) -> Point:
        """The point, with its body and texts read in this scope."""
        with within("body"):
            body: Reference = scope.body(self.body)
        with within("at"):
            if self.at is PointSpec.at:
                point = body.origin
            elif isinstance(self.at, str) and self.at == "com":
                point = body.centre
            else:
                point = body.point((THREE.read if _are_scalars(self.at) else read_vector)(self.at, scope))
        return point if self.name is None else Point(body, point.offset, self.name)


# Terms of vectors


class Term(Element, ABC):
    """A term of a vector in a file."""

    @abstractmethod
    def vector(self, scope: Scope) -> Vector:
        """The vector, with its bodies and texts read in this scope."""


PointValue = Point | Reference | PointSpec | str | Mapping[str, Any]
"""What may be passed as a point: a point of a body, a body (its origin), its name, or the data of a file."""
VectorValue = Vector | Term | str | Mapping[str, Any] | Sequence[Term | Mapping[str, Any]]
"""What may be passed as a vector: a vector, an axis such as "arm.z", or the data of a file."""


@dataclass(frozen=True, eq=False)
class Components(Term):
    """Components along the axes of a frame: that of a body, or ``body@k``, the frame k rotations before it. In the
    normal form the frame is a ``FrameAddress``."""

    frame: Given[BodyValue | FrameAddress] = field(BodyField(), "body along whose axes the components are", key="in")
    xyz: Given[ScalarsValue] = field(THREE, "components")

    def vector(self, scope: Scope) -> Vector:
        with within("in"):
            frame = scope.frame(self.frame)
        with within("xyz"):
            xyz = THREE.read(self.xyz, scope)
        return vector(frame, [handle(scope.graph, x, "a scalar is needed here") for x in xyz])


@dataclass(frozen=True, eq=False)
class Position(Term):
    """The vector from one point to another."""

    position: Given[PointValue] = field(PointField(), "end point")
    of: Given[PointValue | None] = field(PointField(), "start point; the ground's origin by default", default=None)
    kind: ClassVar[str] = "position"

    def vector(self, scope: Scope) -> Vector:
        with within("of"):
            start = read_point("ground" if self.of is None else self.of, scope)
        with within("position"):
            end = read_point(self.position, scope)
        position: Vector = scope.motion.position(start, end)
        return position.in_unit("m")


def _term_class(name: str, of: str, law: Callable[[Scope, Any], Vector]) -> type[Term]:
    """The class of a term {name: point} or {name: body}; ``law`` returns its vector. A reaction is of a body's joint or
    of a closure, whose name ``law`` reads itself."""
    kind, read = (PointField(), read_point) if of == "point" else (BodyField(), read_body)

    def read_term(self: Any, scope: Scope) -> Vector:
        value = self.__dict__[of]
        with within(name):
            return law(scope, value if name.startswith("reaction") else read(value, scope)).in_unit(UNITS[name])

    members = {"vector": read_term, "kind": name, "__doc__": f"The {name} of a {of}."}
    fields, title = [(of, Any, field(kind, of, key=name))], name.title().replace(" ", "")
    return make_dataclass(title, fields, bases=(Term,), namespace=members, frozen=True, eq=False)


def read_body(value: Any, scope: Scope) -> Reference:
    """The body of a value: a body or its name."""
    body: Reference = scope.body(value)
    return body


def read_point(value: Any, scope: Scope) -> Point:
    """The point of a value: a point, a body or its name (for its origin), or the data of a file."""
    if isinstance(value, Point):
        scope.body(value.body)
        _require_same_system(value.offset.graph, scope, value)
        return value
    if isinstance(value, Reference):
        origin: Point = scope.body(value).origin
        return origin
    return _point_spec(value).point(scope)


def read_vector(value: Any, scope: Scope) -> Vector:
    """The vector of a value: a vector, the name of an axis, a term or a list of terms."""
    if isinstance(value, Vector):
        _require_same_system(value.graph, scope, value)
        return value
    if isinstance(value, list | tuple):
        return sum(_each(value, lambda one: _term(one).vector(scope)), start=Vector(scope.graph, {}))
    if not isinstance(value, str):
        return _term(value).vector(scope)
    body, dot, axis = value.removeprefix("-").rpartition(".")
    if not dot or axis not in ("x", "y", "z"):
        raise FieldError(f"'{value}' is not a vector: write body.x, or {{in: body, xyz: [1, 0, 0]}}")
    g = scope.graph
    unit = vector(scope.frame(body), [g.one if k == axis else g.zero for k in "xyz"])
    return -unit if value.startswith("-") else unit


def reaction_vector(value: Any, scope: Scope, kind: str) -> Vector:
    """The force or the torque of a body's joint on it, or of a closure on its second body, as symbols that are known
    after u̇ is solved."""
    name, frame = scope.reaction(value, kind)
    return reaction(frame, name, kind)


def reaction(frame: Frame, name: str, kind: str) -> Vector:
    """The same by the name of the body or of the closure, along the axes of its frame."""
    symbols = [reaction_symbol(frame.graph, name, part) for part in WRENCH[kind]]
    return vector(frame, symbols).in_unit(UNITS[f"reaction {kind}"])


UNITS = {
    "velocity": "m/s", "acceleration": "m/s²", "angular velocity": "rad/s", "angular acceleration": "rad/s²",
    "reaction force": "N", "reaction torque": "N·m", "deflection": "m",
}  # fmt: skip
"""The units of terms."""

TERMS: dict[str, type[Term]] = {"in": Components, "position": Position, **{
    cls.kind: cls for cls in (
        _term_class("velocity", "point", lambda scope, point: scope.motion.velocity(point)),
        _term_class("acceleration", "point", lambda scope, point: scope.motion.acceleration_of(point)),
        _term_class("angular velocity", "body", lambda scope, body: scope.motion.native_angular_velocity(body)),
        _term_class("angular acceleration", "body", lambda scope, body: scope.motion.angular_acceleration(body)),
        _term_class("reaction force", "body", lambda scope, name: reaction_vector(name, scope, "force")),
        _term_class("reaction torque", "body", lambda scope, name: reaction_vector(name, scope, "torque")),
        _term_class("deflection", "body", lambda scope, node: deflection(node, scope)),
    )
}}  # fmt: skip
"""The terms of a vector, each by a key that only its data has."""


def _require_same_system(graph: Graph, scope: Scope, value: Any) -> None:
    if graph is not scope.graph:
        raise FieldError(f"{value!r} belongs to another system")


def _point_spec(value: Any) -> PointSpec:
    if isinstance(value, PointSpec):
        return value
    if not isinstance(value, Mapping | str):
        raise FieldError(f"a point such as body.point((0, 0, 1)) or a body is needed, not {describe(value)}")
    return from_data(PointSpec, {"body": value} if isinstance(value, str) else value)


def _each(values: Any, read: Callable[[Any], Any]) -> list[Any]:
    if _are_scalars(values):
        raise FieldError(
            "name the axes of the components: {in: ground, xyz: [0, 0, 1]}, or a list of such terms; in"
            " Python s.ground.vector((0, 0, 1)) or body.vector((0, 0, 1))"
        )
    results = []
    for k, one in enumerate(values):
        with within(k):
            results.append(read(one))
    return results


def _term(value: Any) -> Term:
    if isinstance(value, Term):
        return value
    if not isinstance(value, Mapping):
        raise FieldError(f"a vector such as 3*body.x is needed, not {describe(value)}")
    return from_data(next((term for key, term in TERMS.items() if key in value), Components), value)


def _are_scalars(value: Any) -> bool:
    """Whether this is a list of scalars, not of terms."""
    return isinstance(value, list | tuple) and not all(isinstance(one, Mapping | Term) for one in value)


# Normal forms


def components_of(v: Vector, scope: Scope) -> tuple[Components, ...]:
    """The normal form of a vector: components along the axes of frames by their addresses."""
    terms: dict[FrameAddress, list[Any]] = {}
    for unit, s in v.parts.items():
        terms.setdefault(scope.address(unit.frame), [0, 0, 0])[unit.index] = Expr(v.graph, s)
    return tuple(Components(address, tuple(xyz)) for address, xyz in terms.items())


def is_normal_vector(value: Any) -> TypeGuard[tuple[Components, ...]]:
    """Whether this is the normal form of a vector."""
    return isinstance(value, tuple) and all(
        isinstance(term, Components) and isinstance(term.frame, FrameAddress) for term in value
    )


def scale_vector(terms: tuple[Components, ...], factor: Any, scope: Scope) -> tuple[Components, ...]:
    """A vector in normal form times a scalar."""
    g = scope.graph
    s = handle(g, factor, "a vector can be multiplied by a scalar only")

    def product(x: Any) -> Any:
        return Expr(g, g.mul(s, x.handle)) if isinstance(x, Expr) else 0

    return tuple(Components(term.frame, tuple(product(x) for x in term.xyz)) for term in terms)


class OutputField(FieldKind):
    """A scalar, a vector, {norm: vector}, or a strain or section force of a beam."""

    type_name = "scalar or vector"
    late = True

    def read(self, value: Any, scope: Scope) -> Any:
        return self.normal(self.evaluate(value, scope), scope)

    def evaluate(self, value: Any, scope: Scope) -> Any:
        """The expression or the vector; what a file contains is checked."""
        if isinstance(value, Mapping) and "norm" in value:
            unknown = [key for key in value if key != "norm"]
            if unknown:
                raise FieldError(
                    f"there is no key '{unknown[0]}' here; the only key is 'norm'", unknown[0], of_key=True
                )
            with within("norm"):
                if scope is not UNPARSED:
                    return read_vector(value["norm"], scope).norm()
                VectorField().read(value["norm"], scope)
            return value
        if isinstance(value, Mapping):
            term = next((cls for key, cls in SCALAR_TERMS.items() if key in value), None)
            value = value if term is None else from_data(term, value)
        if isinstance(value, ScalarTerm):
            return value if scope is UNPARSED else value.scalar(scope)
        if isinstance(value, Mapping | list | tuple | Term | Vector):
            as_read = scope is UNPARSED or is_normal_vector(value)
            return VectorField().read(value, scope) if as_read else read_vector(value, scope)
        return Symbolic(whole=True).read(value, scope)

    def normal(self, value: Any, scope: Scope) -> Any:
        """The normal form of an expression or a vector."""
        return components_of(value, scope) if isinstance(value, Vector) else value

    def write(self, value: Any, out: Any) -> Any:
        return out.vector(value) if isinstance(value, tuple) else out.scalar(value)

    def schema(self) -> dict[str, Any]:
        norm = {"type": "object", "properties": {"norm": VECTOR}, "required": ["norm"], "additionalProperties": False}
        return {"anyOf": [Scalar().schema(), TERM, {"type": "array", "items": TERM}, norm, SENSOR]}


def shared_schemas() -> dict[str, Any]:
    """The schemas of points and vectors, to which fields refer."""
    return {
        "point": {"anyOf": [{"type": "string"}, schema_of(PointSpec)]},
        "term": {"anyOf": [schema_of(one) for one in TERMS.values()]},
        "sensor": {"anyOf": [schema_of(one) for one in SCALAR_TERMS.values()]},
        "vector": {"anyOf": [{"type": "string"}, TERM, {"type": "array", "items": TERM}]},
    }
