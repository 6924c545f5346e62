"""Shapes that users gave to bodies, as items of a scene: ``given_items(run.about.elements, folders)``."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import cos, isfinite, sin
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.drawing import DrawnBody
from freebody.errors import FileWarning, warn
from freebody.extras import install_command
from freebody.mesh_files import MeshError, MeshFile, MissingMesh, OutsideMesh, find_mesh, last_name, read_mesh
from freebody.mesh_reading import MissingReader
from freebody.results.about import BodyInfo
from freebody.viewer import geometry
from freebody.viewer.geometry import mirrored
from freebody.viewer.meshes import MeshPart, mesh_parts
from freebody.viewer.scene import Colour, Geometry, Item
from freebody.viewer.skeleton import inertia_shape

Array = NDArray[np.float64]
THIN = 1e-4  # the smallest edge of a shape in the viewer, as a part of its largest
HEIGHTS = 40_000  # points of a heightfield in the viewer
NAME = 200  # characters of a name
SHOWN = 4  # reasons in a note
SCENE = 200_000  # triangles of all meshes in a picture
LIMITS = (20_000, 10_000, 5_000, 2_500, 1_000, 300)  # triangles of a mesh: the first with which a picture has not more


class ShapeError(ValueError):
    """Facts that do not describe a shape. The message completes "the shape of body 'arm'"."""


@dataclass(frozen=True, eq=False)
class ShapePiece:
    """A geometry, and how its points are mapped to the frame of a shape: turned after they are scaled."""

    geometry: Geometry
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)
    turn: Array | None = None


def given_items(
    bodies: Sequence[BodyInfo], folders: Sequence[Path] = (), drawn: Sequence[DrawnBody] = ()
) -> tuple[list[Item], list[str]]:
    """The items of all shapes of bodies, whose indices are those in the list, and notes on what could not be drawn as
    it was given. Meshes are searched for in the folders, and in those that shapes have; a warning says which could not
    be drawn. ``drawn`` are the inertias of boxes that stand in for them."""
    items, notes, meshes = list[Item](), list[str](), _Meshes(folders)
    placed = list[tuple[int, Mapping[str, Any], MeshPlace]]()
    for index, body in enumerate(bodies):
        for shape in _parts(body.shape):
            try:
                if shape.get("kind") == "mesh":
                    placed.append((index, shape, meshes.place(shape)))
                else:
                    items += shape_items(shape, index)
            except ShapeError as error:
                notes.append(f"the shape of body '{body.name[:NAME]}' {error}")
    lost = set[int]()
    for limit in LIMITS:
        meshes.load(limit)
        if sum(meshes.triangles(at.path) for _, _, at in placed) <= SCENE:
            break
    for index, shape, at in placed:
        items += meshes.items(shape, index, at)
        lost |= set() if at.path in meshes.parts else {index}
    items += [stand_in(bodies[k], k, drawn) for k in sorted(lost - {item.body for item in items})]
    problem = meshes.problem()
    if problem:
        warn(problem, FileWarning)
    return items, notes + [problem] * bool(problem)


def _parts(shape: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """The single shapes of a group."""
    if not isinstance(shape, Mapping):
        return []
    if shape.get("kind") != "group":
        return [shape]
    parts = shape.get("parts")
    return [part for part in parts if isinstance(part, Mapping)] if isinstance(parts, list | tuple) else []


def shape_items(shape: Mapping[str, Any], body: int) -> list[Item]:
    """The items of one shape."""
    kind = shape.get("kind")
    build = KINDS.get(kind) if isinstance(kind, str) else None
    if build is None:
        raise ShapeError(f"is of the unknown kind {str(kind)[:40]!r}")
    piece = build(shape)
    turn = np.eye(3) if piece.turn is None else piece.turn
    transform = place(shape) @ np.vstack([np.column_stack([turn * piece.scale, np.zeros(3)]), [0, 0, 0, 1]])
    return [Item(piece.geometry, body, transform, *look(shape))]


def place(shape: Mapping[str, Any]) -> Array:
    """The frame of a shape in its body (3, 4): R = Rz(yaw) Ry(pitch) Rx(roll), and its position."""
    roll, pitch, yaw = numbers(shape, "rpy", 3)
    (cr, sr), (cp, sp), (cy, sy) = ((cos(a), sin(a)) for a in (roll, pitch, yaw))
    R = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
    return np.column_stack([R, numbers(shape, "at", 3)])


def look(shape: Mapping[str, Any]) -> tuple[Colour | None, float, str, str]:
    """Colour, opacity, layer and name of a shape."""
    color: Colour | None = None
    if shape.get("color") is not None:
        r, g, b = (min(max(v, 0.0), 1.0) for v in numbers(shape, "color", 3))
        color = r, g, b
    opacity = number(shape, "opacity") if "opacity" in shape else 1.0
    return color, min(max(opacity, 0.0), 1.0), "bodies", str(shape.get("name", ""))[:NAME]


# Meshes


@dataclass(frozen=True)
class MeshPlace:
    """The file of a mesh, None if there is none that can be read, and the signs of its scale."""

    path: Path | None
    scale: tuple[float, float, float]


class _Meshes:
    """The meshes of one picture: each file is searched for and read once."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = [Path(folder) for folder in folders]
        self.files = dict[Path, MeshFile]()
        self.parts = dict[Path | None, list[MeshPart]]()
        self.mirrored = dict[tuple[Path, tuple[bool, ...]], list[MeshPart]]()
        self.problems = dict[str, MeshError]()

    def place(self, shape: Mapping[str, Any]) -> MeshPlace:
        """Search for the file of a shape, and read it."""
        name, own, scale = shape.get("file"), shape.get("folders") or (), shape.get("scale", 1.0)
        if not isinstance(name, str) or not isinstance(own, list | tuple) or not all(isinstance(f, str) for f in own):
            raise ShapeError("has no file")
        x, y, z = numbers({"scale": scale if isinstance(scale, list | tuple) else [scale] * 3}, "scale", 3)
        if 0 in (x, y, z):
            raise ShapeError("has the scale 0")
        path: Path | None = None
        try:
            folders = [*map(Path, own), *self.folders]
            path = find_mesh(name, folders)
            if path not in self.files:
                self.files[path] = read_mesh(path, folders)
        except MeshError as error:
            self.problems[name] = error
        return MeshPlace(path if path in self.files else None, (x, y, z))

    def load(self, limit: int) -> None:
        """Read all files, with at most this number of triangles each."""
        for path, file in list(self.files.items()):
            try:
                self.parts[path] = mesh_parts(file, limit)
            except MeshError as error:
                self.problems[path.name] = error
                del self.files[path]
                self.parts.pop(path, None)

    def triangles(self, path: Path | None) -> int:
        return sum(len(part.geometry.triangles) for part in self.parts.get(path, ()))

    def items(self, shape: Mapping[str, Any], body: int, at: MeshPlace) -> list[Item]:
        if at.path is None or at.path not in self.parts:
            return []
        signs = tuple(s < 0 for s in at.scale)
        key = at.path, signs
        if key not in self.mirrored:
            self.mirrored[key] = [
                replace(part, geometry=mirrored(part.geometry, signs)) for part in self.parts[at.path]
            ]
        transform = place(shape)
        transform[:, :3] *= np.abs(at.scale)
        color, opacity, layer, name = look(shape)
        return [
            Item(part.geometry, body, transform, color or part.color, opacity * part.opacity, layer, name)
            for part in self.mirrored[key]
        ]

    def problem(self) -> str:
        """One note on all meshes that could not be drawn."""
        if not self.problems:
            return ""
        reasons, missing = list[str](), list[str]()
        readers = {str(e): last_name(name) for name, e in self.problems.items() if isinstance(e, MissingReader)}
        for name, error in self.problems.items():
            if isinstance(error, MissingMesh):
                missing.append(last_name(name))
            elif isinstance(error, OutsideMesh):
                reasons.append(f"'{last_name(name)}' {error}; give the folder that contains it: meshes=['folder']")
            elif not isinstance(error, MissingReader):
                reasons.append(f"'{last_name(name)}' {error}")
        if missing:
            reasons.insert(
                0,
                f"{_listed(missing)} not found in the folders of meshes; give the folder that contains"
                " them: meshes=['folder']",
            )
        reasons += [f"'{name}' {error}: {install_command('viewer')}" for error, name in readers.items()]
        return (
            f"boxes stand in for {len(self.problems)} mesh{'es' * (len(self.problems) > 1)}:"
            f" {'; '.join(reasons[:SHOWN])}{'; …' * (len(reasons) > SHOWN)}"
        )


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:3])
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{shown}{more} {'were' if len(names) > 1 else 'was'}"


def stand_in(body: BodyInfo, index: int, drawn: Sequence[DrawnBody]) -> Item:
    """A box in place of a mesh: with the inertia of the body if it is known, else a cube of water with its mass."""
    edge = (max(body.mass, 0.0) / 1000) ** (1 / 3) or 0.1
    transform = np.column_stack([edge * np.eye(3), np.zeros(3)])
    info = next((one for one in drawn if one.name == body.name), None)
    if info is not None:
        transform[:, 3] = info.com
        shape = inertia_shape(body.mass, np.array(info.com), info.inertia)
        if shape is not None:
            transform[:, :3] = shape.axes * np.maximum(shape.edges, THIN * shape.edges.max())
    return Item(geometry.unit_box(), index, transform, name="stands in for a mesh", made=True)


# Numbers of shapes


def number(shape: Mapping[str, Any], field: str) -> float:
    """A field that is a number."""
    value = shape.get(field)
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ShapeError(f"has no {field} that is a number, but {str(value)[:40]!r}")
    return float(value)


def numbers(shape: Mapping[str, Any], field: str, count: int) -> list[float]:
    """A field that is a list of numbers; without it, zeros."""
    values = shape.get(field, (0.0,) * count)
    if not isinstance(values, list | tuple) or len(values) != count:
        raise ShapeError(f"needs {count} numbers as {field}, not {str(values)[:40]!r}")
    return [number({field: value}, field) for value in values]


def sizes(shape: Mapping[str, Any], *fields: str) -> list[float]:
    """Fields that are lengths, of which one at least is not 0. Those that are 0 are a little larger."""
    values = [number(shape, field) for field in fields]
    for field, value in zip(fields, values, strict=True):
        if value < 0:
            raise ShapeError(f"has a negative {field}: {value:g}")
    largest = max(values)
    if largest == 0:
        raise ShapeError("has no size: all of its sizes are 0")
    return [max(value, THIN * largest) for value in values]


def table(shape: Mapping[str, Any], field: str) -> Array:
    """A field that is a list of rows of numbers."""
    try:
        rows = np.array(shape.get(field), dtype=np.float64)
    except (TypeError, ValueError):
        rows = np.empty(0)
    if rows.ndim != 2 or not np.isfinite(rows).all():
        raise ShapeError(f"needs rows of numbers as {field}")
    return rows


def along_axis(shape: Mapping[str, Any]) -> Array:
    """The rotation that maps z to the axis of a shape; the axes before it are in cyclic order."""
    text = shape.get("axis", "z")
    axis = {"x": 0, "y": 1, "z": 2}.get(text[-1:] if isinstance(text, str) else "")
    if axis is None or text not in ("x", "y", "z", "-x", "-y", "-z"):
        raise ShapeError(f"has no axis that is a direction, but {str(text)[:40]!r}")
    e = np.eye(3)
    first, second, third = e[(axis + 1) % 3], e[(axis + 2) % 3], e[axis]
    columns = [second, first, -third] if text[0] == "-" else [first, second, third]
    return np.column_stack(columns)


# The kinds


def _box(shape: Mapping[str, Any]) -> ShapePiece:
    x, y, z = sizes(shape, "x", "y", "z")
    return ShapePiece(geometry.unit_box(), (x, y, z))


def _plate(shape: Mapping[str, Any]) -> ShapePiece:
    x, y, z = sizes(shape, "x", "y", "thickness")
    return ShapePiece(geometry.unit_box(), (x, y, z))


def _sphere(shape: Mapping[str, Any]) -> ShapePiece:
    (r,) = sizes(shape, "radius")
    return ShapePiece(geometry.unit_sphere(), (r, r, r))


def _cylinder(shape: Mapping[str, Any]) -> ShapePiece:
    r, length = sizes(shape, "radius", "length")
    return ShapePiece(geometry.unit_cylinder(), (r, r, length), along_axis(shape))


def _tube(shape: Mapping[str, Any]) -> ShapePiece:
    inner, (r, length) = number(shape, "inner_radius"), sizes(shape, "radius", "length")
    if not 0 <= inner <= r:
        raise ShapeError(f"has an inner radius {inner:g} that is not between 0 and its outer radius {r:g}")
    if inner == 0:
        return _cylinder(shape)
    return ShapePiece(geometry.unit_tube(min(inner / r, 1 - THIN)), (r, r, length), along_axis(shape))


def _capsule(shape: Mapping[str, Any]) -> ShapePiece:
    length, (r,) = number(shape, "length"), sizes(shape, "radius")
    if length < 0:
        raise ShapeError(f"has a negative length: {length:g}")
    return ShapePiece(geometry.unit_capsule(length / r), (r, r, r), along_axis(shape))


def _cone(shape: Mapping[str, Any]) -> ShapePiece:
    base, top = number(shape, "radius"), number(shape, "top_radius")
    if min(base, top) < 0:
        raise ShapeError(f"has a negative radius: {min(base, top):g}")
    widest, length = sizes({"radius": max(base, top), "length": shape.get("length")}, "radius", "length")
    turn = along_axis(shape)
    if top > base:
        base, top, turn = top, base, turn @ np.diag([1.0, -1.0, -1.0])
    return ShapePiece(geometry.unit_cone(top / base if base else 0.0), (widest, widest, length), turn)


def _extrusion(shape: Mapping[str, Any]) -> ShapePiece:
    points = table(shape, "points")
    if points.shape[1:] != (2,) or len(np.unique(points, axis=0)) < 3:
        raise ShapeError("needs at least three different points with two numbers each")
    width = float(np.ptp(points, axis=0).max())
    length, _ = sizes({"length": shape.get("length"), "width": width}, "length", "width")
    return ShapePiece(geometry.extrusion(points, length), turn=along_axis(shape))


def _heightfield(shape: Mapping[str, Any]) -> ShapePiece:
    heights, spacing = table(shape, "heights"), shape.get("spacing")
    if min(heights.shape) < 2:
        raise ShapeError("needs at least 2 × 2 heights")
    steps = spacing if isinstance(spacing, list | tuple) else (spacing, spacing)
    if len(steps) != 2:
        raise ShapeError("needs one or two numbers as spacing")
    dx, dy = sizes({"along x": steps[0], "along y": steps[1]}, "along x", "along y")
    every = max(1, int(np.ceil(np.sqrt(heights.size / HEIGHTS))))  # a coarser grid with the same corners
    i, j = (np.unique([*range(0, n, every), n - 1]) for n in heights.shape)
    return ShapePiece(geometry.heightfield(heights[np.ix_(i, j)], i * dx, j * dy))


def _surface(shape: Mapping[str, Any]) -> ShapePiece:
    points, triangles = table(shape, "points"), table(shape, "triangles")
    fits = points.shape[1:] == (3,) and triangles.shape[1:] == (3,) and triangles.min() >= 0
    if not fits or triangles.max() >= len(points) or np.any(triangles != np.floor(triangles)):
        raise ShapeError("needs points with three numbers each, and triangles of three of their indices each")
    return ShapePiece(geometry.with_normals(points, triangles.astype(np.int64)))


KINDS: dict[str, Callable[[Mapping[str, Any]], ShapePiece]] = {
    "box": _box, "plate": _plate, "sphere": _sphere, "cylinder": _cylinder, "tube": _tube, "capsule": _capsule,
    "cone": _cone, "extrusion": _extrusion, "heightfield": _heightfield,
    "surface": _surface,
}  # fmt: skip
