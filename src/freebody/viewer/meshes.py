"""Meshes of files as geometries: grouped by colour, simplified where they are too large, with normals.

The result of a file is stored on disk by the digest of its contents, so that a second picture does not read it again.
"""

import json
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from freebody.disk_cache import Cache, object_key
from freebody.mesh_files import MeshError, MeshFile
from freebody.mesh_reading import MATERIALS, Look, MissingReader, read_triangles
from freebody.viewer.geometry import with_normals
from freebody.viewer.scene import Colour, Geometry
from freebody.viewer.surface import turned_alike

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
RULES = 2  # counted up when the same file gives another result
FEWEST = 4  # triangles of a colour that remain when a mesh is simplified
FARTHEST = 1e9  # m


@dataclass(frozen=True, eq=False)
class MeshPart:
    """The triangles of a mesh that have one colour; None is that of the body."""

    geometry: Geometry
    color: Colour | None
    opacity: float


def mesh_parts(file: MeshFile, limit: int) -> list[MeshPart]:
    """The parts of a mesh with at most about ``limit`` triangles together."""
    from hashlib import blake2b

    contents = [blake2b(part).hexdigest() for part in (file.data, *file.extra.values())]
    key = object_key("mesh", RULES, limit, file.format, *file.extra, *contents)
    cache = Cache()
    stored = cache.get(key)
    parts = None if stored is None else _from_bytes(stored)
    if parts is None:
        groups = _by_look(read_triangles(file))
        parts = _simplified(groups, limit)
        cache.put(key, _to_bytes(parts))
    return parts


# Triangles


def _by_look(parts: Iterable[tuple[Array, Look]]) -> dict[Look, tuple[Array, Indices]]:
    """The vertices and triangles of each look, with equal corners as one vertex."""
    corners = dict[Look, list[Array]]()
    for part, look in parts:
        corners.setdefault(look, []).append(part)
        if len(corners) > MATERIALS:
            raise MeshError(f"has more than {MATERIALS} colours; simplify it")
    groups = dict[Look, tuple[Array, Indices]]()
    for look, several in corners.items():
        points = np.concatenate(several).reshape(-1, 3)
        wrong = int((~np.isfinite(points).all(axis=1)).sum())
        if wrong:
            raise MeshError(f"has corners that are not finite numbers ({wrong}); export it again")
        if len(points) and np.abs(points).max() > FARTHEST:
            raise MeshError(f"has points {np.abs(points).max():.1e} away from its origin; check its units and scale")
        rows = np.ascontiguousarray(points.astype(np.float32) + np.float32(0)).view("V12").ravel()
        _, one, which = np.unique(rows, return_index=True, return_inverse=True)
        triangles = which.reshape(-1, 3)
        a, b, c = triangles.T
        triangles = triangles[(a != b) & (b != c) & (c != a)]
        if len(triangles):
            groups[look] = points[one], triangles.astype(np.int64)
    if not groups:
        raise MeshError("has no triangles")
    return groups


def _simplified(groups: Mapping[Look, tuple[Array, Indices]], limit: int) -> list[MeshPart]:
    total, parts = sum(len(triangles) for _, triangles in groups.values()), list[MeshPart]()
    for (color, opacity), (vertices, triangles) in groups.items():
        target = max(limit * len(triangles) // total, FEWEST)
        if total > limit and len(triangles) > target:
            vertices, triangles = _reduced(vertices, triangles, target)
        geometry = with_normals(vertices, turned_alike(triangles))
        if len(geometry.triangles):
            parts.append(MeshPart(_rounded(geometry), color, opacity))
    if not parts:
        raise MeshError("has no triangles with an area")
    return parts


def _reduced(vertices: Array, triangles: Indices, target: int) -> tuple[Array, Indices]:
    """About ``target`` triangles of nearly the same shape (quadric edge collapses)."""
    try:
        from fast_simplification import simplify
    except ImportError:
        raise MissingReader(
            f"has {len(triangles)} triangles; with so many it needs the library fast-simplification"
        ) from None
    centre = vertices.mean(axis=0)
    size = float(np.ptp(vertices, axis=0).max()) or 1.0
    points, faces = simplify(
        np.ascontiguousarray((vertices - centre) / size, np.float32),
        np.ascontiguousarray(triangles, np.int32),
        target_count=target,
    )
    return np.asarray(points, float) * size + centre, np.asarray(faces, np.int64)


def _rounded(shape: Geometry) -> Geometry:
    """The geometry with as many binary digits as are seen, 1/65536 of its size, so that files are smaller."""
    assert shape.normals is not None
    step = 2.0 ** np.floor(np.log2(np.ptp(shape.vertices, axis=0).max() / 65536))
    return Geometry(np.round(shape.vertices / step) * step, shape.triangles, np.round(shape.normals * 512) / 512)


# The cache


def _to_bytes(parts: list[MeshPart]) -> bytes:
    """A header in JSON with its length before it, then the arrays of each part."""
    header = [[p.color, p.opacity, len(p.geometry.vertices), len(p.geometry.triangles)] for p in parts]
    text = json.dumps(header).encode()
    arrays = [
        np.asarray(a, kind).tobytes()
        for p in parts
        for a, kind in ((p.geometry.vertices, "<f4"), (p.geometry.normals, "<f4"), (p.geometry.triangles, "<u4"))
    ]
    return struct.pack("<I", len(text)) + text + b"".join(arrays)


def _from_bytes(data: bytes) -> list[MeshPart]:
    (length,) = struct.unpack_from("<I", data)
    at, parts = 4 + length, list[MeshPart]()
    for color, opacity, n, m in json.loads(data[4:at]):
        vertices = np.frombuffer(data, "<f4", 3 * n, at).reshape(n, 3).astype(np.float64)
        normals = np.frombuffer(data, "<f4", 3 * n, at + 12 * n).reshape(n, 3).astype(np.float64)
        triangles = np.frombuffer(data, "<u4", 3 * m, at + 24 * n).reshape(m, 3).astype(np.int64)
        at += 24 * n + 12 * m
        parts.append(MeshPart(Geometry(vertices, triangles, normals), None if color is None else tuple(color), opacity))
    return parts
