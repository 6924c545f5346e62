"""Triangles of shapes: boxes, solids of revolution, extruded polygons, heightfields; and normals with sharp edges.

Solids are centred at the origin with their axis along z. All triangles are counter-clockwise seen from outside. A
vertex on a sharp edge occurs once for each face, so that faces are shaded apart.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from math import cos, pi

import numpy as np
from numpy.typing import NDArray

from freebody.viewer.scene import Geometry
from freebody.viewer.surface import CREASE

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Profile = Sequence[tuple[float, float]]
AROUND = 32  # sides of a cylinder
SPHERE = (24, 16)  # sides of a sphere around and from pole to pole
CROWD = 200  # faces that meet at a vertex and share normals


# Shapes that are scaled to their sizes


@cache
def unit_box() -> Geometry:
    """A box with edges 1."""
    corner = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2
    vertices, normals = list[Array](), list[Array]()
    for axis in range(3):
        for side in (-0.5, 0.5):
            face = np.empty((4, 3))
            face[:, axis], face[:, (axis + 1) % 3], face[:, (axis + 2) % 3] = side, corner[:, 0], corner[:, 1]
            vertices.append(face if side > 0 else face[::-1])
            normals.append(np.tile(2 * side * np.eye(3)[axis], (4, 1)))
    triangles = (4 * np.arange(6)[:, None, None] + np.array([(0, 1, 2), (0, 2, 3)])).reshape(-1, 3)
    return Geometry(np.concatenate(vertices), triangles, np.concatenate(normals))


@cache
def unit_sphere() -> Geometry:
    """A sphere of radius 1."""
    around, along = SPHERE
    return solid_of_revolution([_arc(0.0, -pi / 2, pi / 2, along)], around)


@cache
def unit_cylinder() -> Geometry:
    """A cylinder of radius 1 and length 1."""
    return unit_cone(1.0)


@lru_cache(256)
def unit_cone(ratio: float) -> Geometry:
    """A cone of length 1 with radius 1 at its base and ``ratio`` at its top."""
    return solid_of_revolution([[(0, -0.5), (1, -0.5)], [(1, -0.5), (ratio, 0.5)], [(ratio, 0.5), (0, 0.5)]])


@lru_cache(256)
def unit_tube(ratio: float) -> Geometry:
    """A tube of length 1 with outer radius 1 and inner radius ``ratio``."""
    return solid_of_revolution(
        [
            [(ratio, -0.5), (1, -0.5)],
            [(1, -0.5), (1, 0.5)],
            [(1, 0.5), (ratio, 0.5)],
            [(ratio, 0.5), (ratio, -0.5)],
        ]
    )


@lru_cache(256)
def unit_capsule(length: float) -> Geometry:
    """A cylinder of radius 1 and this length, with a half sphere at each end."""
    around, along = SPHERE
    lower, upper = _arc(-length / 2, -pi / 2, 0.0, along // 2), _arc(length / 2, 0.0, pi / 2, along // 2)
    return solid_of_revolution([[*lower, *(upper[1:] if length == 0 else upper)]], around)


def _arc(z: float, start: float, end: float, steps: int) -> Profile:
    """Points (r, z) of the unit circle about (0, z); the poles are exactly on the axis."""
    angles = np.linspace(start, end, steps + 1)
    r = np.where(np.abs(np.abs(angles) - pi / 2) < 1e-12, 0.0, np.cos(angles))
    return list(zip(r.tolist(), (z + np.sin(angles)).tolist(), strict=True))


def solid_of_revolution(profile: Sequence[Profile], around: int = AROUND) -> Geometry:
    """The surface that curves of points (r, z) make when they turn about the z axis. Each curve is shaded smoothly;
    they follow each other with the solid to their left, seen with r to the right and z up."""
    angle = 2 * pi * np.arange(around) / around
    c, s = np.cos(angle), np.sin(angle)
    parts = list[Geometry]()
    for points in profile:
        r, z = np.array(points, float).T
        if not r.any():
            continue  # the tip of a cone
        outward = np.stack([np.diff(z), -np.diff(r)], 1)
        outward /= np.linalg.norm(outward, axis=1, keepdims=True) + 1e-300
        nr, nz = np.concatenate([outward[:1], outward[1:] + outward[:-1], outward[-1:]]).T
        nr, nz = np.where(r == 0, 0.0, nr) if len(r) > 2 else nr, nz  # poles of a smooth curve
        normals = np.stack([np.outer(nr, c), np.outer(nr, s), np.outer(nz, np.ones(around))], -1).reshape(-1, 3)
        vertices = np.stack([np.outer(r, c), np.outer(r, s), np.outer(z, np.ones(around))], -1).reshape(-1, 3)
        here = np.arange(around) + around * np.arange(len(r) - 1)[:, None]
        beside = (np.arange(around) + 1) % around + around * np.arange(len(r) - 1)[:, None]
        lower = np.stack([here, beside, beside + around], -1)[r[:-1] > 0]
        upper = np.stack([here, beside + around, here + around], -1)[r[1:] > 0]
        triangles = np.concatenate([lower.reshape(-1, 3), upper.reshape(-1, 3)])
        parts.append(Geometry(vertices, triangles, _unit(normals)))
    return merged(parts)


# Shapes of their own


def extrusion(points: Array, length: float) -> Geometry:
    """A polygon in the x y plane, extended along z by ``length``, half of it to each side. Sides that meet at a small
    angle are shaded smoothly."""
    points = _counter_clockwise(points)
    n, faces = len(points), triangulate(points)
    here = np.arange(n)
    beside = (here + 1) % n
    bottom = np.column_stack([points, np.full(n, -length / 2)])
    top = np.column_stack([points, np.full(n, length / 2)])
    sides = np.concatenate(
        [
            np.stack([here, beside, beside + n], 1),
            np.stack([here, beside + n, here + n], 1),
        ]
    )
    return merged(
        [
            with_normals(np.concatenate([bottom, top]), sides),
            Geometry(top, faces, np.tile([0.0, 0.0, 1.0], (n, 1))),
            Geometry(bottom, faces[:, ::-1], np.tile([0.0, 0.0, -1.0], (n, 1))),
        ]
    )


def triangulate(points: Array) -> Indices:
    """Triangles of a counter-clockwise polygon without holes, by clipping ears. Of a polygon that crosses itself the
    result is some triangles of it."""
    remaining, triangles = list(range(len(points))), list[tuple[int, int, int]]()
    before, after = points - np.roll(points, 1, axis=0), np.roll(points, -1, axis=0) - points
    reflex = {int(k) for k in np.flatnonzero(_cross(before, after) < 0)}  # only these can be inside of an ear
    scale = float(np.ptp(points, axis=0).max()) ** 2
    k = failures = 0
    while len(remaining) > 3:
        k %= len(remaining)
        a, b, c = remaining[k - 1], remaining[k], remaining[(k + 1) % len(remaining)]
        area = _cross(points[b] - points[a], points[c] - points[a])
        others = points[[i for i in reflex if i not in (a, b, c)]]
        is_ear = abs(area) <= 1e-14 * scale or (area > 0 and not _inside(others, points[[a, b, c]]).any())
        if is_ear or failures > len(remaining):  # no ear is left if sides cross
            triangles.append((a, b, c))
            reflex.discard(remaining.pop(k))
            failures, k = 0, k + 1
        else:
            failures, k = failures + 1, k + 1
    triangles.append((remaining[0], remaining[1], remaining[2]))
    return np.array(triangles, np.int64)


def _inside(points: Array, triangle: Array) -> "NDArray[np.bool_]":
    """Which points are in a counter-clockwise triangle or on its border, without its corners."""
    sides = [_cross(triangle[(k + 1) % 3] - triangle[k], points - triangle[k]) for k in range(3)]
    corners = (points[:, None] == triangle).all(-1).any(-1)
    return np.asarray((np.min(sides, axis=0) >= 0) & ~corners)


def _cross(a: Array, b: Array) -> Array:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def _counter_clockwise(points: Array) -> Array:
    """The polygon without repeated points, in the positive sense."""
    points = points[np.any(points != np.roll(points, 1, axis=0), axis=1)]
    area = _cross(points, np.roll(points, -1, axis=0)).sum()
    return points if area >= 0 else points[::-1]


def heightfield(heights: Array, x: Array, y: Array) -> Geometry:
    """A solid whose upper side has z = heights[i, j] at the points (x[i], y[j]) of a grid, centred in x and y, on a
    flat floor."""
    nx, ny = heights.shape
    x, y = x - (x[0] + x[-1]) / 2, y - (y[0] + y[-1]) / 2
    grid = np.stack([*np.meshgrid(x, y, indexing="ij"), heights], -1)
    slopes = np.gradient(heights, x, y)
    normals = _unit(np.stack([-slopes[0], -slopes[1], np.ones_like(heights)], -1).reshape(-1, 3))
    index = np.arange(nx * ny).reshape(nx, ny)
    a, b, c, d = (part.ravel() for part in (index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]))
    top = Geometry(grid.reshape(-1, 3), np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]), normals)

    border = np.concatenate([index[:-1, 0], index[-1, :-1], index[:0:-1, -1], index[0, :0:-1]])
    n, rim = len(border), top.vertices[border]
    floor = float(heights.min()) - 0.05 * max(np.ptp(x), np.ptp(y), np.ptp(heights))
    base = np.column_stack([rim[:, :2], np.full(n, floor)])
    here, beside = np.arange(n), (np.arange(n) + 1) % n
    walls = np.concatenate(
        [
            np.stack([here, here + n, beside + n], 1),
            np.stack([here, beside + n, beside], 1),
        ]
    )
    fan = np.stack([beside, here, np.full(n, n)], 1)
    ground = np.concatenate([base, [[0.0, 0.0, floor]]])
    return merged(
        [
            top,
            with_normals(np.concatenate([rim, base]), walls),
            Geometry(ground, fan, np.tile([0.0, 0.0, -1.0], (n + 1, 1))),
        ]
    )


# Triangles in general


def merged(parts: Sequence[Geometry]) -> Geometry:
    """Several geometries with normals as one."""
    starts = np.cumsum([0, *(len(part.vertices) for part in parts[:-1])])
    return Geometry(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([part.triangles + start for part, start in zip(parts, starts, strict=True)]),
        np.concatenate([part.normals for part in parts if part.normals is not None]),
    )


def mirrored(shape: Geometry, axes: Sequence[bool]) -> Geometry:
    """The geometry with x, y or z of all points reversed."""
    if not any(axes):
        return shape
    signs = np.where(axes, -1.0, 1.0)
    triangles = shape.triangles[:, ::-1] if sum(axes) % 2 else shape.triangles
    return Geometry(shape.vertices * signs, triangles, None if shape.normals is None else shape.normals * signs)


def with_normals(vertices: Array, triangles: Indices) -> Geometry:
    """A geometry with normals. At a vertex, faces whose normals are within the angle ``CREASE`` of each other share
    their normals, weighted by the angles of their corners; others are divided by a sharp edge. Faces without area are
    left out."""
    corners = vertices[triangles]
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(faces, axis=1)
    solid = area > 0
    triangles, corners, faces = triangles[solid], corners[solid], faces[solid] / area[solid, None]
    if not len(triangles):
        return Geometry(vertices[:0], triangles)
    out, back = (_unit(np.roll(corners, -k, axis=1) - corners) for k in (1, 2))
    weight = np.arccos(np.clip(np.sum(out * back, -1), -1, 1)).ravel()

    # pairs of corners at the same vertex; where very many faces meet, each is flat
    vertex, face = triangles.ravel(), np.repeat(np.arange(len(triangles)), 3)
    order = np.argsort(vertex, kind="stable")
    counts = np.unique(vertex, return_counts=True)[1]
    order = order[np.repeat(counts <= CROWD, counts)]
    counts = counts[counts <= CROWD]
    starts = np.cumsum(counts) - counts
    many = np.repeat(counts, counts)
    first = np.repeat(order, many)
    offset = np.arange(len(first)) - np.repeat(np.cumsum(many) - many, many)
    second = order[np.repeat(np.repeat(starts, counts), many) + offset]
    near = np.einsum("ij,ij->i", faces[face[first]], faces[face[second]]) >= cos(CREASE)
    first, second = first[near], second[near]
    normals = np.zeros((len(vertex), 3))
    for axis in range(3):
        normals[:, axis] = np.bincount(first, faces[face[second], axis] * weight[second], len(vertex))
    normals = np.where(normals.any(axis=1, keepdims=True), _unit(normals), faces[face])

    # equal corners become one vertex again
    key = np.column_stack([vertex, np.round(normals * 1e4).astype(np.int64)])
    _, one, which = np.unique(key, axis=0, return_index=True, return_inverse=True)
    return Geometry(vertices[vertex[one]], which.reshape(-1, 3).astype(np.int64), normals[one])


def _unit(vectors: Array) -> Array:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(length > 0, length, 1.0))
