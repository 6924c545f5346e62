"""Drawings as plain data for files: dicts, lists, texts and numbers, the arrays of meshes as packed texts."""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.drawing import (
    GROUND,
    Anchor,
    ConstraintSymbol,
    Drawing,
    DrawnBody,
    DrawnConstraint,
    DrawnJoint,
    DrawnLoad,
    DrawnSensor,
    FlexibleMesh,
    Triple,
)
from freebody.errors import ArgumentError
from freebody.names import Q
from freebody.results.about import About, validate

AXES = {"revolute": 1, "prismatic": 1, "cylindrical": 2, "screw": 1, "universal": 2, "planar": 3}
"""How many axes pictures of joints need."""
EARLIER_SYMBOLS: Mapping[str, ConstraintSymbol] = {
    "close": "joint",
    "rod": "rod",
    "point_on_line": "line",
    "point_on_plane": "plane",
    "point_on_surface": "bead",
    "point_on_curve": "curve",
    "knife_edge": "blade",
    "roll": "wheel",
}
"""The symbols of constraints by kind, for runs that were saved by version 0.1, which do not contain them."""
LARGEST = 2**28
"""The largest size of an array of a mesh that is read, in bytes."""


@dataclass(frozen=True)
class PackedArray:
    """An array, deflated."""

    kind: str
    shape: tuple[int, ...]
    data: str


@dataclass(frozen=True)
class PackedMesh:
    """The mesh of a flexible body."""

    coordinates: tuple[str, ...]
    points: PackedArray
    shapes: PackedArray
    lines: PackedArray
    triangles: PackedArray


@dataclass(frozen=True)
class DrawingFacts:
    """The fields of a drawing."""

    gravity: Triple
    bodies: tuple[DrawnBody, ...]
    loads: tuple[DrawnLoad, ...]
    constraints: tuple[DrawnConstraint, ...]
    meshes: dict[str, PackedMesh]
    left_out: tuple[str, ...]
    sensors: tuple[DrawnSensor, ...] = ()


def to_plain(drawing: Drawing) -> dict[str, Any]:
    """A drawing as plain data; positions of meshes are stored with seven digits."""
    meshes = {
        name: PackedMesh(
            m.coordinates,
            _pack(m.points, "<f4"),
            _pack(m.shapes, "<f4"),
            _pack(m.lines, "<u4"),
            _pack(m.triangles, "<u4"),
        )
        for name, m in drawing.meshes.items()
    }
    d = drawing
    return asdict(DrawingFacts(d.gravity, d.bodies, d.loads, d.constraints, meshes, d.left_out, d.sensors))


def from_plain(plain: Mapping[str, Any], about: About) -> Drawing:
    """The drawing of a system that ``to_plain`` returned, checked."""
    try:
        f = validate(DrawingFacts, plain, "its facts")
        meshes = {name: _mesh(name, packed) for name, packed in f.meshes.items()}
        constraints = tuple(
            c if c.symbol else replace(c, symbol=EARLIER_SYMBOLS.get(c.kind, "")) for c in f.constraints
        )
        drawing = Drawing(f.gravity, f.bodies, f.loads, constraints, meshes, f.left_out, f.sensors)
        _check_names(drawing, about)
        _check_numbers(drawing)
    except ArgumentError as error:
        raise ArgumentError(
            f"what pictures need is damaged: {error}; simulate again and save the result anew"
        ) from None
    return drawing


def _check_names(drawing: Drawing, about: About) -> None:
    """Refuse a drawing with other bodies or variables than those of the system."""
    names = [element.name for element in about.elements]
    known = {GROUND, *names}
    if [body.name for body in drawing.bodies] != names or len(known) != len(names) + 1:
        raise ArgumentError(f"its bodies are not those of the system '{about.system}'")
    used = {element.parent for element in about.elements} | {anchor.body for anchor in _anchors(drawing)}
    used |= {line.body for line in drawing.lines}
    used |= {shape.body for load in drawing.loads for shape in load.shapes}
    strangers = sorted((used | drawing.meshes.keys()) - known)
    if strangers:
        raise ArgumentError(f"the system '{about.system}' has no body '{strangers[0]}'")
    parts = {v.key: len(v.parts) for v in about.variables}
    scalars = [Q(name) for mesh in drawing.meshes.values() for name in mesh.coordinates]
    wrong = [key for key in scalars if parts.get(key) != 0]
    for load in drawing.loads:
        wrong += [load.variable] if parts.get(load.variable, 0) else []
        wrong += [shape.variable for shape in load.shapes if parts.get(shape.variable, 0)]
        for arrow in load.arrows:
            needed = 3 if arrow.along is None else 0
            wrong += [arrow.variable] if parts.get(arrow.variable, needed) != needed else []
    if wrong:
        raise ArgumentError(f"'{wrong[0]}' is not a variable of the kind that is needed")


def _check_numbers(drawing: Drawing) -> None:
    """Refuse bodies whose inertia is not finite, and joints without axes, or with axes or frames that have no
    direction."""
    for body in drawing.bodies:
        if not np.isfinite([*body.com, *body.inertia]).all():
            raise ArgumentError(f"the inertia of '{body.name}' is not finite")
    for joint in _joints(drawing):
        if len(joint.axes) < AXES.get(joint.kind, 0):
            raise ArgumentError(f"the {joint.kind} joint on '{joint.child.body}' has {len(joint.axes)} axes")
        for row in (joint.turn, joint.child_turn, *(axis.along for axis in joint.axes)):
            if not 1e-9 < float(np.linalg.norm(row)) < 1e9:
                raise ArgumentError(f"a joint on '{joint.child.body}' has no direction")


def _joints(drawing: Drawing) -> list[DrawnJoint]:
    return [*(b.joint for b in drawing.bodies), *(c.joint for c in drawing.constraints if c.joint is not None)]


def _anchors(drawing: Drawing) -> Iterator[Anchor]:
    """All points that are fixed in bodies."""
    for joint in _joints(drawing):
        yield from (joint.anchor, joint.child, *(axis.anchor for axis in joint.axes))
    for load in drawing.loads:
        yield from (*(arrow.anchor for arrow in load.arrows), *(load.ends or ()))
    for c in drawing.constraints:
        yield from (anchor for anchor in (c.start, c.end) if anchor is not None)
    yield from (wheel.centre for wheel in drawing.wheels)
    for sensor in drawing.sensors:
        yield from (anchor for anchor in (sensor.place, sensor.end) if anchor is not None)


def _mesh(name: str, m: PackedMesh) -> FlexibleMesh:
    points, shapes = (_unpack(a, "<f4").astype(float) for a in (m.points, m.shapes))
    lines, triangles = (_unpack(a, "<u4").astype(np.int64) for a in (m.lines, m.triangles))
    p, n = len(points), len(m.coordinates)
    fits = points.shape == (p, 3) and shapes.shape == (p, 3, n) and lines.shape[1:] == (2,)
    fits &= triangles.shape[1:] == (3,) and max(lines.max(initial=0), triangles.max(initial=0)) < max(p, 1)
    if not fits or not np.isfinite(points).all() or not np.isfinite(shapes).all():
        raise ArgumentError(f"the mesh of '{name}' is damaged")
    return FlexibleMesh(m.coordinates, points, shapes, lines, triangles)


def _pack(values: NDArray[Any], kind: str) -> PackedArray:
    data = np.ascontiguousarray(values, kind).tobytes()
    return PackedArray(kind, values.shape, b64encode(zlib.compress(data)).decode())


def _unpack(packed: PackedArray, kind: str) -> NDArray[Any]:
    """The array; raises for one of another type, or whose size differs from its shape."""
    size = 4
    for n in packed.shape:
        size *= max(n, 0)
    if packed.kind != kind or size > LARGEST:
        raise ArgumentError(f"an array of type {packed.kind[:8]} and {size} bytes cannot be read")
    try:
        data = zlib.decompressobj().decompress(b64decode(packed.data, validate=True), size + 1)
    except (ValueError, zlib.error) as error:
        raise ArgumentError(f"an array is damaged: {error}") from None
    if len(data) != size:
        raise ArgumentError("an array does not have the size that its shape says")
    return np.frombuffer(data, kind).reshape(packed.shape)
