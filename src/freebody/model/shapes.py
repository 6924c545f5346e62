"""Shapes of bodies for display; the equations do not use them. A shape has its centre ``at`` a position in the body
and is rotated by ``rpy``: roll, pitch and yaw about the body's x, y and z axes (R = Rz Ry Rx)."""

from dataclasses import dataclass
from typing import Any, ClassVar

from freebody.errors import within
from freebody.model.element import Element, Family, field, normal_form
from freebody.model.kinds import SHARED, UNPARSED, FieldKind, ListOf, Scalar, Scope, Text

SIZE, THREE = Scalar(), ListOf(Scalar(), 3)


class Scale(FieldKind):
    """A scalar, or three for the axes."""

    type_name = "scale"
    late = True

    def read(self, value: Any, scope: Scope) -> Any:
        return (THREE if isinstance(value, list | tuple) else SIZE).read(value, scope)

    def write(self, value: Any, out: Any) -> Any:
        return (THREE if isinstance(value, tuple) else SIZE).write(value, out)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [THREE.schema(), SIZE.schema()]}


@dataclass(frozen=True)
class Box(Element):
    """A box."""

    x: Any = field(SIZE, "edge along x", unit="m")
    y: Any = field(SIZE, "edge along y", unit="m")
    z: Any = field(SIZE, "edge along z", unit="m")
    at: Any = field(THREE, "position of its centre in the body", default=(0, 0, 0), unit="m")
    rpy: Any = field(THREE, "roll, pitch and yaw in the body", default=(0, 0, 0), unit="rad")
    kind: ClassVar[str] = "box"


@dataclass(frozen=True)
class Cylinder(Element):
    """A cylinder."""

    radius: Any = field(SIZE, "radius", unit="m")
    length: Any = field(SIZE, "length", unit="m")
    axis: Any = field(Text(), "axis of the cylinder: x, y or z", default="z")
    at: Any = field(THREE, "position of its centre in the body", default=(0, 0, 0), unit="m")
    rpy: Any = field(THREE, "roll, pitch and yaw in the body", default=(0, 0, 0), unit="rad")
    kind: ClassVar[str] = "cylinder"


@dataclass(frozen=True)
class Sphere(Element):
    """A sphere."""

    radius: Any = field(SIZE, "radius", unit="m")
    at: Any = field(THREE, "position of its centre in the body", default=(0, 0, 0), unit="m")
    rpy: Any = field(THREE, "roll, pitch and yaw in the body", default=(0, 0, 0), unit="rad")
    kind: ClassVar[str] = "sphere"


@dataclass(frozen=True)
class Mesh(Element):
    """A mesh in a file, which is opened only for display."""

    file: Any = field(Text(), "name of the file")
    scale: Any = field(Scale(), "scale: one number, or one for each axis", default=1)
    at: Any = field(THREE, "position of its centre in the body", default=(0, 0, 0), unit="m")
    rpy: Any = field(THREE, "roll, pitch and yaw in the body", default=(0, 0, 0), unit="rad")
    kind: ClassVar[str] = "mesh"


SHAPES = Family("shape", Box, Cylinder, Sphere, Mesh)


class ShapeField(FieldKind):
    """A shape or several. Another Python object is accepted as it is, for other viewers."""

    type_name = "shape"
    late = True

    def read(self, value: Any, scope: Scope) -> Any:
        if isinstance(value, list | tuple):
            shapes = list[Any]()
            for k, one in enumerate(value):
                with within(k):
                    shapes.append(self.read(one, scope))
            return tuple(shapes)
        if scope is UNPARSED:
            return SHAPES.from_data(value)
        if type(value) not in SHAPES.values():
            return value
        with within(value.kind):
            return normal_form(normal_form(value, scope, late=False), scope, late=True)

    def write(self, value: Any, out: Any) -> Any:
        if isinstance(value, tuple):
            return [self.write(one, out.at(k)) for k, one in enumerate(value)]
        return SHAPES.to_data(value, out)

    def schema(self) -> dict[str, Any]:
        one = {SHARED: SHAPES.name}
        return {"anyOf": [{"type": "array", "items": one}, one]}
