"""Shapes for display: kept with the body, never used in its equations. A shape lies ``at`` a place in the body, turned
by ``rpy``: roll, pitch and yaw about the body's x, y and z (R = Rz Ry Rx)."""

from dataclasses import dataclass
from typing import Any, ClassVar

from freebody.errors import within
from freebody.model.element import Element, Family, field, normal_form
from freebody.model.kinds import SHARED, UNPARSED, FieldKind, ListOf, Scalar, Scope, Text

SIZE, THREE = Scalar(), ListOf(Scalar(), 3)


class Scale(FieldKind):
    """One number, or one for each axis."""

    type_name = "scale"
    late = True

    def read(self, given: Any, scope: Scope) -> Any:
        return THREE.read(given, scope) if isinstance(given, list | tuple) else SIZE.read(given, scope)

    def write(self, value: Any, out: Any) -> Any:
        return THREE.write(value, out) if isinstance(value, tuple) else SIZE.write(value, out)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [THREE.schema(), SIZE.schema()]}


@dataclass(frozen=True)
class Box(Element):
    """A box around its centre."""

    x: Any = field(SIZE, "edge along x", unit="m")
    y: Any = field(SIZE, "edge along y", unit="m")
    z: Any = field(SIZE, "edge along z", unit="m")
    at: Any = field(THREE, "where it lies in the body", default=(0, 0, 0), unit="m")
    rpy: Any = field(THREE, "roll, pitch and yaw", default=(0, 0, 0), unit="rad")
    kind: ClassVar[str] = "box"


@dataclass(frozen=True)
class Cylinder(Element):
    """A cylinder around its centre."""

    radius: Any = field(SIZE, "", unit="m")
    length: Any = field(SIZE, "", unit="m")
    axis: Any = field(Text(), "x, y or z", default="z")
    at: Any = field(THREE, "where it lies in the body", default=(0, 0, 0), unit="m")
    rpy: Any = field(THREE, "roll, pitch and yaw", default=(0, 0, 0), unit="rad")
    kind: ClassVar[str] = "cylinder"


@dataclass(frozen=True)
class Sphere(Element):
    """A sphere around its centre."""

    radius: Any = field(SIZE, "", unit="m")
    at: Any = field(THREE, "where it lies in the body", default=(0, 0, 0), unit="m")
    rpy: Any = field(THREE, "roll, pitch and yaw", default=(0, 0, 0), unit="rad")
    kind: ClassVar[str] = "sphere"


@dataclass(frozen=True)
class Mesh(Element):
    """A file, which is never opened here."""

    file: Any = field(Text(), "its name")
    scale: Any = field(Scale(), "one number, or one for each axis", default=1)
    at: Any = field(THREE, "where it lies in the body", default=(0, 0, 0), unit="m")
    rpy: Any = field(THREE, "roll, pitch and yaw", default=(0, 0, 0), unit="rad")
    kind: ClassVar[str] = "mesh"


SHAPES = Family("shape", Box, Cylinder, Sphere, Mesh)


class ShapeField(FieldKind):
    """A shape or several. What Python gives and is none is kept as it is, for other viewers."""

    type_name = "shape"
    late = True

    def read(self, given: Any, scope: Scope) -> Any:
        if isinstance(given, list | tuple):
            return tuple(self._one(k, one, scope) for k, one in enumerate(given))
        if scope is UNPARSED:
            return SHAPES.from_data(given)
        if type(given) not in SHAPES.values():
            return given
        with within(given.kind):
            return normal_form(normal_form(given, scope, late=False), scope, late=True)

    def _one(self, k: int, given: Any, scope: Scope) -> Any:
        with within(k):
            return self.read(given, scope)

    def write(self, value: Any, out: Any) -> Any:
        if isinstance(value, tuple):
            return [self.write(one, out.at(k)) for k, one in enumerate(value)]
        return SHAPES.to_data(value, out)

    def schema(self) -> dict[str, Any]:
        one = {SHARED: SHAPES.name}
        return {"anyOf": [{"type": "array", "items": one}, one]}
