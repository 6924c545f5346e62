"""Bodies, points and vectors as fields of elements.

Users give objects (``arm``, ``arm.point((0, 0, 1))``, ``3*arm.x``), files give data: sums of terms such as
{in: arm, xyz: [0, 0, 1]} or {velocity: arm}. An element holds neither: a body is its name, a vector is a tuple of
``Components`` along the axes of frames by their addresses, and a point is a ``PointSpec``, a body's name with the
vector from its origin. A derivation places the bodies in a graph of its own and says there what the names stand for
(``PlacedBodies``).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, make_dataclass
from typing import Any, ClassVar, TypeGuard

from freebody.errors import FieldError, ModelError, within
from freebody.model.accelerations import reaction_components, reaction_symbol
from freebody.model.body import Body, Point, Reference
from freebody.model.element import Element, field, from_data, schema_of
from freebody.model.kinds import (
    SCALAR_SCHEMA,
    SHARED,
    UNPARSED,
    FieldKind,
    ListOf,
    Scalar,
    Scope,
    Symbolic,
    Text,
    describe,
)
from freebody.model.placed import FrameAddress
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.spatial.vector import Vector, handle, vector

NO_FRAME = "say along which axes: {in: ground, xyz: [0, 0, 1]}, or a list of such"
THREE = ListOf(Scalar(whole=True), 3)  # loads refuse accelerations when all is read


class BodyField(FieldKind):
    """A body or the ground, by its name."""

    type_name = "body"
    late = True

    def read(self, given: Any, scope: Scope) -> Any:
        return Text().read(given, scope) if scope is UNPARSED else scope.body(given).name

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "description": "the name of a body, or ground"}


class PointField(FieldKind):
    """A point of a body: the body's origin, {body: arm, at: [0, 0, 1]}, {body: arm, at: com}."""

    type_name = "point"
    late = True

    def read(self, given: Any, scope: Scope) -> Any:
        if isinstance(given, PointSpec) and given.is_read:
            return given
        if scope is UNPARSED:
            return _place(given)
        point = read_point(given, scope)
        return PointSpec(point.body.name, components_of(point.offset, scope), point.name)

    def write(self, value: Any, out: Any) -> Any:
        return out.point(value)

    def schema(self) -> dict[str, Any]:
        return {SHARED: "point"}


class VectorField(FieldKind):
    """A sum of terms; ``arm.z`` and ``-arm.z`` are axes."""

    type_name = "vector"
    late = True

    def read(self, given: Any, scope: Scope) -> Any:
        if is_normal_vector(given):
            return given
        if scope is not UNPARSED:
            return components_of(read_vector(given, scope), scope)
        if isinstance(given, str):
            return given
        if isinstance(given, list | tuple):
            return tuple(_each(given, _term))
        return _term(given)

    def write(self, value: Any, out: Any) -> Any:
        return out.vector(value)

    def schema(self) -> dict[str, Any]:
        return {SHARED: "vector"}


class Offset(VectorField):
    """From a body's origin: three components along its axes, a vector, or ``com``, the mass centre."""

    type_name = "place"

    def read(self, given: Any, scope: Scope) -> Any:
        if given == "com" and isinstance(given, str):
            return given
        return THREE.read(given, scope) if _are_components(given) else super().read(given, scope)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [THREE.schema(), super().schema()]}


@dataclass(frozen=True, eq=False)
class PointSpec(Element):
    """A point of a body. While a file is read, ``at`` is what the file says; else it is the vector from the body's
    origin."""

    body: Any = field(BodyField(), "the body it belongs to")
    at: Any = field(Offset(), "from the body's origin", default=(0, 0, 0), unit="m")
    name: Any = field(Text(), "what it is called", default=None)
    digest_name: ClassVar[str] = "Place"

    @property
    def is_read(self) -> bool:
        """Whether this is the normal form."""
        return self.name is not None and is_normal_vector(self.at)

    def point(self, scope: Scope) -> Point:
        """The point, its body and texts read in this scope."""
        with within("body"):
            body: Reference = scope.body(self.body)
        if self.at is PointSpec.at:
            point = body.origin
        else:
            with within("at"):
                point = _at(body, self.at, scope)
        return point if self.name is None else Point(body, point.offset, self.name)


def _at(body: Reference, at: Any, scope: Scope) -> Point:
    if isinstance(at, str) and at == "com":
        return body.centre
    return body.point(THREE.read(at, scope) if _are_components(at) else read_vector(at, scope))


class Term(Element, ABC):
    """A term of a vector as a file says it."""

    @abstractmethod
    def vector(self, scope: Scope) -> Vector:
        """The vector, its bodies and texts read in this scope."""


@dataclass(frozen=True, eq=False)
class Components(Term):
    """Components along the axes of a frame: a body's, or ``body@k``, the one k turns before. In the normal form the
    frame is an ``FrameAddress``."""

    frame: Any = field(BodyField(), "along whose axes", key="in")
    xyz: Any = field(THREE, "components")
    digest_name: ClassVar[str] = "Along"

    def vector(self, scope: Scope) -> Vector:
        with within("in"):
            frame = scope.frame(self.frame)
        with within("xyz"):
            xyz = THREE.read(self.xyz, scope)
        return vector(frame, [handle(scope.graph, x, "a scalar is needed here") for x in xyz])


@dataclass(frozen=True, eq=False)
class Position(Term):
    """From one point to another."""

    position: Any = field(PointField(), "where to")
    of: Any = field(PointField(), "where from (left out: the ground's origin)", default=None)
    kind: ClassVar[str] = "position"

    def vector(self, scope: Scope) -> Vector:
        with within("of"):
            start = read_point("ground" if self.of is None else self.of, scope)
        with within("position"):
            end = read_point(self.position, scope)
        made: Vector = scope.motion.position(start, end)
        return made


def _term_of_point(word: str, law: Callable[[Any, Point], Vector]) -> type[Term]:
    """A term {word: point}: ``law`` gives the vector of a motion and a point."""

    def read(self: Any, scope: Scope) -> Vector:
        with within(word):
            point = read_point(self.point, scope)
        return law(scope.motion, point)

    return _term_class(word, "point", field(PointField(), "of which point", key=word), read)


def _term_of_body(word: str, text: str, law: Callable[[Scope, Reference], Vector]) -> type[Term]:
    """A term {word: body}: ``law`` gives the vector of a scope and a body."""

    def read(self: Any, scope: Scope) -> Vector:
        with within(word):
            return law(scope, scope.body(self.body))

    return _term_class(word, "body", field(BodyField(), text, key=word), read)


def _term_class(word: str, name: str, given: Any, read: Callable[[Any, Scope], Vector]) -> type[Term]:
    members = {"vector": read, "kind": word, "__doc__": f"The {word} of a {name}."}
    return make_dataclass(
        word.title().replace(" ", ""), [(name, Any, given)], bases=(Term,), namespace=members, frozen=True, eq=False
    )


def reaction_vector(body: Reference, kind: str) -> Vector:
    """The force or the torque that a body's joint puts on it, as symbols that are known after u̇ is."""
    if not isinstance(body, Body):
        raise ModelError(f"a reaction {kind} is that of a body's joint, and the ground has none; name a body")
    g = body.graph
    parts = reaction_components(body.recipe)[kind]
    return body.vector([Expr(g, reaction_symbol(g, body.name, part)) for part in parts])


TERMS: dict[str, type[Term]] = {
    "in": Components,
    "position": Position,
    "velocity": _term_of_point("velocity", lambda motion, point: motion.velocity(point)),
    "acceleration": _term_of_point("acceleration", lambda motion, point: motion.acceleration_of(point)),
    "angular velocity": _term_of_body(
        "angular velocity", "of which body", lambda scope, body: scope.motion.angular_velocity(body)
    ),
    "angular acceleration": _term_of_body(
        "angular acceleration", "of which body", lambda scope, body: scope.motion.angular_acceleration(body)
    ),
    "reaction force": _term_of_body(
        "reaction force", "at whose joint", lambda scope, body: reaction_vector(body, "force")
    ),
    "reaction torque": _term_of_body(
        "reaction torque", "at whose joint", lambda scope, body: reaction_vector(body, "torque")
    ),
}
"""The terms of a vector, each known by a key that it has."""


# Objects from what is given


def read_body(given: Any, scope: Scope) -> Reference:
    """The body that is meant by itself or by its name."""
    body: Reference = scope.body(given)
    return body


def read_point(given: Any, scope: Scope) -> Point:
    """The point that is meant by a point, a body (its origin), a name or a file's data."""
    if isinstance(given, Point):
        scope.body(given.body)
        _require_same(given.offset.graph, scope, given)
        return given
    if isinstance(given, Reference):
        origin: Point = scope.body(given).origin
        return origin
    return _place(given).point(scope)


def read_vector(given: Any, scope: Scope) -> Vector:
    """The vector that is meant by a vector, the name of an axis, a term or a list of terms."""
    if isinstance(given, Vector):
        _require_same(given.graph, scope, given)
        return given
    if isinstance(given, str):
        return _axis(given, scope)
    if isinstance(given, list | tuple):
        return sum(_each(given, lambda one: _term(one).vector(scope)), start=Vector(scope.graph, {}))
    return _term(given).vector(scope)


def _require_same(graph: Graph, scope: Scope, value: Any) -> None:
    if graph is not scope.graph:
        raise FieldError(f"{value!r} belongs to another system")


def _place(given: Any) -> "PointSpec":
    if isinstance(given, PointSpec):
        return given
    if not isinstance(given, Mapping | str):
        raise FieldError(f"a point such as body.point((0, 0, 1)) or a body is needed, not {describe(given)}")
    return from_data(PointSpec, {"body": given} if isinstance(given, str) else given)


def _each(given: Any, read: Callable[[Any], Any]) -> list[Any]:
    if not all(isinstance(one, Mapping | Term) for one in given):
        raise FieldError(NO_FRAME)
    found = []
    for k, one in enumerate(given):
        with within(k):
            found.append(read(one))
    return found


def _term(given: Any) -> Term:
    if isinstance(given, Term):
        return given
    if not isinstance(given, Mapping):
        raise FieldError(f"a vector such as 3*body.x is needed, not {describe(given)}")
    return from_data(next((term for key, term in TERMS.items() if key in given), Components), given)


def _are_components(given: Any) -> bool:
    """Whether these are three scalars, not terms."""
    return isinstance(given, list | tuple) and not all(isinstance(one, Mapping | Term) for one in given)


def _axis(given: str, scope: Scope) -> Vector:
    """lower.y is the second axis of lower, -lower.y its negative."""
    frame, dot, axis = given.removeprefix("-").rpartition(".")
    if not dot or axis not in ("x", "y", "z"):
        raise FieldError(f"'{given}' is not a vector: write body.x, or {{in: body, xyz: [1, 0, 0]}}")
    g = scope.graph
    whole = vector(scope.frame(frame), [g.one if k == axis else g.zero for k in "xyz"])
    return -whole if given.startswith("-") else whole


# Normal forms


def components_of(v: Vector, scope: Scope) -> tuple[Components, ...]:
    """A vector as components along the axes of frames by their addresses."""
    found: dict[FrameAddress, list[Any]] = {}
    for unit, s in v.parts.items():
        found.setdefault(scope.address(unit.frame), [0, 0, 0])[unit.index] = Expr(v.graph, s)
    return tuple(Components(address, tuple(xyz)) for address, xyz in found.items())


def is_normal_vector(value: Any) -> TypeGuard[tuple[Components, ...]]:
    """Whether this is the normal form of a vector."""
    return isinstance(value, tuple) and all(
        isinstance(t, Components) and isinstance(t.frame, FrameAddress) for t in value
    )


def scale_vector(terms: tuple[Components, ...], factor: Any, scope: Scope) -> tuple[Components, ...]:
    """A vector in its normal form times a scalar."""
    g = scope.graph
    s = handle(g, factor, "a vector can be multiplied by a scalar only")

    def product(x: Any) -> Any:
        return Expr(g, g.mul(s, x.handle)) if isinstance(x, Expr) else 0

    return tuple(Components(term.frame, tuple(product(x) for x in term.xyz)) for term in terms)


class OutputField(FieldKind):
    """A scalar, a vector, or {norm: vector}."""

    type_name = "scalar or vector"
    late = True

    def read(self, given: Any, scope: Scope) -> Any:
        if isinstance(given, Mapping) and "norm" in given:
            unknown = [key for key in given if key != "norm"]
            if unknown:
                raise FieldError(f"there is no key '{unknown[0]}' here. There are norm.", unknown[0], of_key=True)
            with within("norm"):
                if scope is not UNPARSED:
                    return read_vector(given["norm"], scope).norm()
                VectorField().read(given["norm"], scope)
            return given
        if isinstance(given, Mapping | list | tuple | Term | Vector):
            return VectorField().read(given, scope)
        return Symbolic(whole=True).read(given, scope)

    def write(self, value: Any, out: Any) -> Any:
        return out.vector(value) if isinstance(value, tuple) else out.scalar(value)

    def schema(self) -> dict[str, Any]:
        norm = {"type": "object", "properties": {"norm": VectorField().schema()}, "required": ["norm"],
                "additionalProperties": False}  # fmt: skip
        term = {SHARED: "term"}
        return {"anyOf": [SCALAR_SCHEMA, term, {"type": "array", "items": term}, norm]}


def shared_schemas() -> dict[str, Any]:
    """The schemas that fields share."""
    term = {SHARED: "term"}
    return {
        "point": {"anyOf": [{"type": "string"}, schema_of(PointSpec)]},
        "term": {"anyOf": [schema_of(one) for one in TERMS.values()]},
        "vector": {"anyOf": [{"type": "string"}, term, {"type": "array", "items": term}]},
    }
