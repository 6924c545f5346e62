"""Shapes of bodies, for display and for contacts. A shape has its centre ``at`` a position in the body
and is rotated by ``rpy``: roll, pitch and yaw about the body's x, y and z axes (R = Rz Ry Rx)."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from freebody.errors import FieldError, within
from freebody.model.css_colors import NAMES, rgb
from freebody.model.element import Element, Family, Given, check_fields, field, field_table, normal_form
from freebody.model.kinds import (
    ARGUMENT,
    AXES,
    SHARED,
    UNPARSED,
    Choice,
    Constant,
    Direction,
    DirectionValue,
    FieldKind,
    ListOf,
    Number,
    NumberArray,
    Scalar,
    ScalarsValue,
    ScalarValue,
    Scope,
    Text,
    as_list,
    describe,
    suggest,
)
from freebody.scalar.expr import Expr
from freebody.scalar.symbol import PARAMETERS_ONLY

GRID = 1_000_000  # heights of a heightfield
POINTS = 10_000  # corners of a polygon


class Size(Scalar):
    """A length that is not negative."""

    def read(self, value: Any, scope: Scope) -> Any:
        x = super().read(value, scope)
        if not isinstance(x, Expr | str) and x < 0:
            raise FieldError(f"a size cannot be negative; it is {x}")
        return x


class NumberOrList(FieldKind):
    """One constant, or one for each of several axes."""

    plain = True
    type_name = "constant or list of them"

    def __init__(self, count: int, item: Scalar = Constant) -> None:
        self.item, self.several = item, ListOf(item, count)

    def read(self, value: Any, scope: Scope) -> Any:
        is_list = isinstance(value, list | tuple)
        return self.several.read(value, scope) if is_list else self.item.read(value, scope)

    def write(self, value: Any, out: Any) -> Any:
        return self.several.write(value, out) if isinstance(value, tuple) else self.item.write(value, out)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [self.several.schema(), self.item.schema()]}


class Polygon(FieldKind):
    """At least three points, each given by two constants."""

    plain = True
    type_name = "list of points"
    points = ListOf(ListOf(Constant, 2))

    def read(self, value: Any, scope: Scope) -> Any:
        count = len(as_list(value))
        if not 3 <= count <= POINTS:
            raise FieldError(f"a polygon needs 3 to {POINTS} points, not {count}")
        return self.points.read(value, scope)

    def write(self, value: Any, out: Any) -> Any:
        return self.points.write(value, out)

    def schema(self) -> dict[str, Any]:
        return {**self.points.schema(), "minItems": 3}


class Heights(NumberArray):
    """Numbers on a grid of at least 2 × 2 points."""

    type_name = "rows of numbers"

    def __init__(self) -> None:
        super().__init__(2)

    def read(self, value: Any, scope: Scope) -> Any:
        grid = super().read(value, scope)
        if min(grid.shape) < 2 or grid.size > GRID:
            raise FieldError(f"a grid needs at least 2 × 2 and at most {GRID} heights, not {grid.shape}")
        return grid


ColorValue = str | Sequence[float]
"""What may be passed as a colour: a name as in CSS, "#rrggbb", or red, green and blue from 0 to 1."""


class ColorField(FieldKind):
    """The name of a colour as in CSS, "#rrggbb", or red, green and blue from 0 to 1."""

    plain = True
    type_name = "colour"
    json_schema: ClassVar[dict[str, Any]] = {
        "anyOf": [
            {"type": "string"},
            {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3},
        ]
    }

    def read(self, value: Any, scope: Scope) -> Any:
        if value is None:
            return None
        if isinstance(value, str):
            if rgb(value) is None:
                form = "a colour is a name as in CSS, '#rrggbb', or three numbers from 0 to 1"
                raise FieldError(f"'{value[:60]}' is not a colour: {form}. {suggest(value.strip().lower(), [*NAMES])}")
            return value
        parts = tuple(Number().read(v, scope) for v in as_list(value, 3))
        if any(isinstance(v, str) or not 0 <= v <= 1 for v in parts):
            hint = "; for numbers up to 255, divide by 255 or write '#rrggbb'"
            raise FieldError(f"red, green and blue are numbers from 0 to 1, not {parts}{hint}")
        return parts

    def write(self, value: Any, out: Any) -> Any:
        return list(value) if isinstance(value, tuple) else value


class Opacity(Number):
    """A number from 0 to 1."""

    def read(self, value: Any, scope: Scope) -> Any:
        x = super().read(value, scope)
        if not isinstance(x, str) and not 0 <= x <= 1:
            raise FieldError(f"opacity is a number from 0 (invisible) to 1 (opaque), not {x:g}")
        return x


class FileName(Text):
    """A text, or a path."""

    def read(self, value: Any, scope: Scope) -> Any:
        name = super().read(os.fspath(value) if isinstance(value, Path) else value, scope)
        if not name.strip() or "\0" in name:
            raise FieldError(f"the name of a file is needed, not {describe(name)}")
        return name


SIZE, THREE = Size(PARAMETERS_ONLY), ListOf(Constant, 3)
AXIS = Choice(tuple(AXES))
CENTRE, RPY, ALONG = "position of its centre in the body", "roll, pitch and yaw in the body", "direction of its axis"
COLOR = 'colour: a name as in CSS, "#rrggbb", or red, green and blue from 0 to 1; if not given, that of the'
OPACITY, NAME = "from 0 (invisible) to 1 (opaque)", "name in the viewer"


Facts = Mapping[str, Any]


class ShapeElement(Element):
    """The base of all shapes."""

    def check(self) -> None:
        check_fields(self)
        with within(type(self).__name__):
            self.finalise(ARGUMENT)

    @property
    def sizes(self) -> list[Any]:
        """Its lengths; of a shape that has no end, none."""
        return [self.__dict__[f.name] for f in field_table(type(self)).fields if isinstance(f.kind, Size)]

    @classmethod
    def drawn(cls, facts: Facts) -> Facts:
        """What the viewer needs to draw it. ``facts`` are its fields by name with numbers in place of expressions, and
        its ``kind``. By default they are returned: the viewer has a picture of this kind. A kind that it does not have
        returns a ``surface(facts, points, triangles)``."""
        return facts


def surface(facts: Facts, points: Sequence[Sequence[float]], triangles: Sequence[Sequence[int]]) -> Facts:
    """A surface of triangles, counter-clockwise seen from outside, with the place and the look of a shape: points in
    its frame, and three indices of points for each triangle."""
    place_and_look = {name: facts[name] for name in ("at", "rpy", "color", "opacity", "name")}
    rows = [[float(x) for x in point] for point in points], [[int(k) for k in corners] for corners in triangles]
    return {"kind": "surface", **place_and_look, "points": rows[0], "triangles": rows[1]}


@dataclass(frozen=True)
class Box(ShapeElement):
    """A box."""

    x: Given[ScalarValue] = field(SIZE, "edge along x", unit="m")
    y: Given[ScalarValue] = field(SIZE, "edge along y", unit="m")
    z: Given[ScalarValue] = field(SIZE, "edge along z", unit="m")
    at: Given[ScalarsValue] = field(THREE, CENTRE, default=(0, 0, 0), unit="m")
    rpy: Given[ScalarsValue] = field(THREE, RPY, default=(0, 0, 0), unit="rad")
    color: Given[ColorValue | None] = field(ColorField(), f"{COLOR} body", default=None)
    opacity: float = field(Opacity(), OPACITY, default=1.0)
    name: str = field(Text(), NAME, default="")
    kind: ClassVar[str] = "box"


@dataclass(frozen=True)
class Plate(ShapeElement):
    """A plate: a thin box."""

    x: Given[ScalarValue] = field(SIZE, "edge along x", unit="m")
    y: Given[ScalarValue] = field(SIZE, "edge along y", unit="m")
    thickness: Given[ScalarValue] = field(SIZE, "thickness, along z", unit="m")
    at: Given[ScalarsValue] = field(THREE, CENTRE, default=(0, 0, 0), unit="m")
    rpy: Given[ScalarsValue] = field(THREE, RPY, default=(0, 0, 0), unit="rad")
    color: Given[ColorValue | None] = field(ColorField(), f"{COLOR} body", default=None)
    opacity: float = field(Opacity(), OPACITY, default=1.0)
    name: str = field(Text(), NAME, default="")
    kind: ClassVar[str] = "plate"


@dataclass(frozen=True)
class Sphere(ShapeElement):
    """A sphere."""

    radius: Given[ScalarValue] = field(SIZE, "radius", unit="m")
    at: Given[ScalarsValue] = field(THREE, CENTRE, default=(0, 0, 0), unit="m")
    rpy: Given[ScalarsValue] = field(THREE, RPY, default=(0, 0, 0), unit="rad")
    color: Given[ColorValue | None] = field(ColorField(), f"{COLOR} body", default=None)
    opacity: float = field(Opacity(), OPACITY, default=1.0)
    name: str = field(Text(), NAME, default="")
    kind: ClassVar[str] = "sphere"


@dataclass(frozen=True)
class Cylinder(ShapeElement):
    """A cylinder."""

    radius: Given[ScalarValue] = field(SIZE, "radius", unit="m")
    length: Given[ScalarValue] = field(SIZE, "length", unit="m")
    axis: str = field(AXIS, ALONG, default="z")
    at: Given[ScalarsValue] = field(THREE, CENTRE, default=(0, 0, 0), unit="m")
    rpy: Given[ScalarsValue] = field(THREE, RPY, default=(0, 0, 0), unit="rad")
    color: Given[ColorValue | None] = field(ColorField(), f"{COLOR} body", default=None)
    opacity: float = field(Opacity(), OPACITY, default=1.0)
    name: str = field(Text(), NAME, default="")
    kind: ClassVar[str] = "cylinder"


@dataclass(frozen=True)
class Tube(ShapeElement):
    """A hollow cylinder."""

    radius: Given[ScalarValue] = field(SIZE, "outer radius", unit="m")
    inner_radius: Given[ScalarValue] = field(SIZE, "inner radius", unit="m")
    length: Given[ScalarValue] = field(SIZE, "length", unit="m")
    axis: str = field(AXIS, ALONG, default="z")
    at: Given[ScalarsValue] = field(THREE, CENTRE, default=(0, 0, 0), unit="m")
    rpy: Given[ScalarsValue] = field(THREE, RPY, default=(0, 0, 0), unit="rad")
    color: Given[ColorValue | None] = field(ColorField(), f"{COLOR} body", default=None)
    opacity: float = field(Opacity(), OPACITY, default=1.0)
    name: str = field(Text(), NAME, default="")
    kind: ClassVar[str] = "tube"

    def finalise(self, scope: Scope) -> Self:
        if _are_numbers(self.radius, self.inner_radius) and self.inner_radius > self.radius:
            raise FieldError(f"the inner radius {self.inner_radius} is larger than the outer radius {self.radius}")
        return self


@dataclass(frozen=True)
class Capsule(ShapeElement):
    """A cylinder with a half sphere at each end; the whole has the length ``length`` + 2 ``radius``."""

    radius: Given[ScalarValue] = field(SIZE, "radius", unit="m")
    length: Given[ScalarValue] = field(SIZE, "length of the cylinder between the half spheres", unit="m")
    axis: str = field(AXIS, ALONG, default="z")
    at: Given[ScalarsValue] = field(THREE, CENTRE, default=(0, 0, 0), unit="m")
    rpy: Given[ScalarsValue] = field(THREE, RPY, default=(0, 0, 0), unit="rad")
    color: Given[ColorValue | None] = field(ColorField(), f"{COLOR} body", default=None)
    opacity: float = field(Opacity(), OPACITY, default=1.0)
    name: str = field(Text(), NAME, default="")
    kind: ClassVar[str] = "capsule"


@dataclass(frozen=True)
class Cone(ShapeElement):
    """A cone along its axis, or a truncated one. Its centre is at half its height."""

    radius: Given[ScalarValue] = field(SIZE, "radius of its base", unit="m")
    length: Given[ScalarValue] = field(SIZE, "height", unit="m")
    top_radius: Given[ScalarValue] = field(SIZE, "radius at its top; 0 for a pointed cone", default=0, unit="m")
    axis: str = field(AXIS, ALONG, default="z")
    at: Given[ScalarsValue] = field(THREE, CENTRE, default=(0, 0, 0), unit="m")
    rpy: Given[ScalarsValue] = field(THREE, RPY, default=(0, 0, 0), unit="rad")
    color: Given[ColorValue | None] = field(ColorField(), f"{COLOR} body", default=None)
    opacity: float = field(Opacity(), OPACITY, default=1.0)
    name: str = field(Text(), NAME, default="")
    kind: ClassVar[str] = "cone"


@dataclass(frozen=True)
class Extrusion(ShapeElement):
    """A polygon that is extended along an axis by ``length``, half of it to each side. The points of the polygon have
    coordinates (x, y) for an extrusion along z, (y, z) along x, and (z, x) along y; with the axis reversed, the two are
    exchanged."""

    points: Given[Sequence[Sequence[ScalarValue]]] = field(Polygon(), "corners of the polygon in order", unit="m")
    length: Given[ScalarValue] = field(SIZE, "length", unit="m")
    axis: str = field(AXIS, ALONG, default="z")
    at: Given[ScalarsValue] = field(THREE, CENTRE, default=(0, 0, 0), unit="m")
    rpy: Given[ScalarsValue] = field(THREE, RPY, default=(0, 0, 0), unit="rad")
    color: Given[ColorValue | None] = field(ColorField(), f"{COLOR} body", default=None)
    opacity: float = field(Opacity(), OPACITY, default=1.0)
    name: str = field(Text(), NAME, default="")
    kind: ClassVar[str] = "extrusion"


@dataclass(frozen=True)
class Heightfield(ShapeElement):
    """Ground with heights on a grid: ``heights[i][j]`` is z at x = i · spacing, y = j · spacing, from the corner of a
    rectangle whose middle is ``at``. It is a solid with a floor below the lowest height."""

    heights: Given[ArrayLike] = field(Heights(), "z of the points of the grid; a row has the same x", unit="m")
    spacing: Given[ScalarValue | ScalarsValue] = field(
        NumberOrList(2, SIZE), "distance of the points; also one along x and one along y", unit="m"
    )
    at: Given[ScalarsValue] = field(THREE, CENTRE, default=(0, 0, 0), unit="m")
    rpy: Given[ScalarsValue] = field(THREE, RPY, default=(0, 0, 0), unit="rad")
    color: Given[ColorValue | None] = field(ColorField(), f"{COLOR} body", default=None)
    opacity: float = field(Opacity(), OPACITY, default=1.0)
    name: str = field(Text(), NAME, default="")
    kind: ClassVar[str] = "heightfield"


@dataclass(frozen=True)
class Plane(ShapeElement):
    """A half space that ends at a plane, drawn as a square. Bodies touch it from the side to which its normal points:
    ``s.ground.plane()`` is the floor of contacts."""

    normal: Given[DirectionValue] = field(Direction(), "direction of its normal", default="z")
    size: Given[ScalarValue] = field(SIZE, "edge of the square that is drawn", default=4, unit="m")
    at: Given[ScalarsValue] = field(THREE, "a point of it, the middle of the square", default=(0, 0, 0), unit="m")
    rpy: Given[ScalarsValue] = field(THREE, RPY, default=(0, 0, 0), unit="rad")
    color: Given[ColorValue | None] = field(ColorField(), f"{COLOR} body", default=None)
    opacity: float = field(Opacity(), OPACITY, default=1.0)
    name: str = field(Text(), NAME, default="")
    kind: ClassVar[str] = "plane"

    @property
    def sizes(self) -> list[Any]:
        return []

    @classmethod
    def drawn(cls, facts: Facts) -> Facts:
        """A square whose normal has the direction of the plane's."""
        given = AXES.get(facts["normal"], facts["normal"]) if isinstance(facts["normal"], str) else facts["normal"]
        n = np.array(given, float) / np.linalg.norm(given)
        across = np.cross(np.eye(3)[int(np.argmin(np.abs(n)))], n)
        across *= facts["size"] / 2 / np.linalg.norm(across)
        along = np.cross(n, across)
        corners = [-across - along, across - along, across + along, along - across]
        return surface(facts, [corner.tolist() for corner in corners], [(0, 1, 2), (0, 2, 3)])


@dataclass(frozen=True)
class Mesh(ShapeElement):
    """A mesh in a file (STL, OBJ, GLB, glTF or DAE), which is opened only for display. A relative name is searched for
    in the folder of the model file, or in the current folder if the mesh is defined in Python, and in the folders that
    are given to the viewer; ``package://robot/arm.stl`` also as ``robot/arm.stl`` in these."""

    file: Given[str | os.PathLike[str]] = field(FileName(), "name of the file")
    scale: Given[ScalarValue | ScalarsValue] = field(
        NumberOrList(3), "scale: one number, or one for each axis", default=1
    )
    at: Given[ScalarsValue] = field(THREE, CENTRE, default=(0, 0, 0), unit="m")
    rpy: Given[ScalarsValue] = field(THREE, RPY, default=(0, 0, 0), unit="rad")
    color: Given[ColorValue | None] = field(ColorField(), f"{COLOR} file", default=None)
    opacity: float = field(Opacity(), OPACITY, default=1.0)
    name: str = field(Text(), NAME, default="")
    folders: Any = field(FieldKind(), "folders in which it is searched for", default=None, derived=True, silent=True)
    kind: ClassVar[str] = "mesh"

    def finalise(self, scope: Scope) -> Self:
        """A mesh that Python code defines may be anywhere; one that a file names is in the folder of the file."""
        if self.folders is not None:
            return self
        if scope.reads_file:
            return replace(self, folders=() if scope.folder is None else (str(scope.folder.resolve()),))
        name = Path(self.file)
        return replace(self, folders=(str(name.parent) if name.is_absolute() else os.getcwd(),))


def _are_numbers(*values: Any) -> bool:
    return not any(isinstance(value, Expr | str) for value in values)


SHAPES = Family("shape", Box, Plate, Sphere, Cylinder, Tube, Capsule, Cone, Extrusion, Heightfield, Plane, Mesh)


class ShapeField(FieldKind):
    """A shape or several."""

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
            kinds = ", ".join(f"fb.{kind.__name__}" for kind in SHAPES.values())
            raise FieldError(
                f"a shape is needed, such as fb.Box(1, 2, 3), or a list of them, not {describe(value)};"
                f" the shapes are {kinds}"
            )
        with within(value.kind):
            return normal_form(value, scope, late=False)

    def write(self, value: Any, out: Any) -> Any:
        if isinstance(value, tuple):
            return [self.write(one, out.at(k)) for k, one in enumerate(value)]
        return SHAPES.to_data(value, out)

    def schema(self) -> dict[str, Any]:
        one = {SHARED: SHAPES.name}
        return {"anyOf": [{"type": "array", "items": one}, one]}
