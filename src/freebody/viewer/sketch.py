"""Simple solids on bodies: bars, boxes, spheres, rings, placed by points and directions. All solids of a kind share one
geometry, so that the viewer can draw thousands of them at once."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from math import cos, pi, sin

import numpy as np

from freebody.viewer.scene import Array, Colour, Geometry, Item, Polyline, SceneLink

STEEL: Colour = (0.60, 0.63, 0.68)
"""The colour of joint symbols."""
CONSTRAINT: Colour = (0.76, 0.27, 0.42)
"""The colour of constraints and of joints that close loops."""


@dataclass(frozen=True)
class Style:
    """What the items of one part of a picture have in common."""

    layer: str
    name: str = ""
    color: Colour | None = None
    opacity: float = 1.0
    made: bool = False
    engaged: str = ""


@dataclass
class Sketch:
    """Items, lines and links that are collected one by one."""

    items: list[Item] = field(default_factory=list)
    lines: list[Polyline] = field(default_factory=list)
    links: list[SceneLink] = field(default_factory=list)

    def solid(
        self, geometry: Geometry, body: int, at: Array, axes: Array, scale: Sequence[float], style: Style
    ) -> None:
        """A geometry with its origin at a point, its axes along the columns of ``axes``, scaled along each of them."""
        transform = np.empty((3, 4))
        transform[:, :3] = axes * np.asarray(scale, float)
        transform[:, 3] = at
        self.items.append(
            Item(geometry, body, transform, style.color, style.opacity, style.layer, style.name, style.made,
                 style.engaged)
        )  # fmt: skip

    def between(self, geometry: Geometry, body: int, start: Array, end: Array, radius: float, style: Style) -> None:
        """A geometry of height 1 and radius 1 about z, stretched from one point to another."""
        step = end - start
        length = norm(step)
        self.solid(geometry, body, start, frame_along(step), (radius, radius, length), style)

    def centred(
        self, geometry: Geometry, body: int, at: Array, axis: Array, radius: float, length: float, style: Style
    ) -> None:
        """The same with its middle at a point."""
        half = axis * (length / (2 * norm(axis)))
        self.between(geometry, body, at - half, at + half, radius, style)

    def sphere(self, body: int, at: Array, radius: float, style: Style) -> None:
        self.solid(sphere(), body, at, np.eye(3), (radius,) * 3, style)

    def box(self, body: int, at: Array, axes: Array, edges: Sequence[float], style: Style) -> None:
        self.solid(box(), body, at, axes, edges, style)

    def line(self, body: int, points: Array, style: Style, dashed: bool = False) -> None:
        self.lines.append(Polyline(points, body, style.color, style.layer, style.name, dashed, style.engaged))


def norm(v: Array) -> float:
    """The length of a vector; 0 for one that is too short to divide by."""
    length = float(np.sqrt(v @ v))
    return length if length > 1e-150 else 0.0


def frame_along(direction: Array, up: Array | None = None) -> Array:
    """The matrix whose third column has the direction. The second is in the plane of it and ``up``."""
    length = norm(direction)
    if length == 0.0:
        return np.eye(3)
    z = direction / length
    for candidate in ([up] if up is not None else []) + [np.eye(3)[k] for k in np.argsort(np.abs(z), kind="stable")]:
        y = candidate - z * (candidate @ z)
        if norm(y) > 0.05 * norm(candidate):
            y = y / norm(y)
            return np.column_stack((np.cross(y, z), y, z))
    return np.eye(3)


def rotations(quaternions: Array) -> Array:
    """The rotation matrices (n, 3, 3) of quaternions (n, 4)."""
    w, x, y, z = (quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def rotation(quaternion: Sequence[float]) -> Array:
    """The rotation matrix of a quaternion (w, x, y, z)."""
    matrix: Array = rotations(np.array([quaternion], float))[0]
    return matrix


def revolved(profile: Sequence[tuple[float, float]], segments: int) -> Geometry:
    """The surface of a polygon (radius, height) that is turned about z. It is smooth around and has edges along the
    profile. The profile runs so that the outside is at its right, for example upwards along an outer wall."""
    vertices, normals, triangles = list[list[float]](), list[list[float]](), list[list[int]]()
    for (r0, z0), (r1, z1) in pairwise(profile):
        slope, first = np.hypot(r1 - r0, z1 - z0), len(vertices)
        for k in range(segments + 1):
            c, s = cos(2 * pi * k / segments), sin(2 * pi * k / segments)
            vertices += [[r0 * c, r0 * s, z0], [r1 * c, r1 * s, z1]]
            normals += [[(z1 - z0) / slope * c, (z1 - z0) / slope * s, (r0 - r1) / slope]] * 2
        for k in range(first, first + 2 * segments, 2):
            triangles += [[k, k + 2, k + 3]] * (r0 > 0) + [[k, k + 3, k + 1]] * (r1 > 0)
    return Geometry(np.array(vertices), np.array(triangles), np.array(normals))


def extruded(outline: Array, thickness: float) -> Geometry:
    """A plate: a convex polygon (n, 2) in the plane of x and y, counter-clockwise, with its middle plane at z = 0."""
    n, h = len(outline), thickness / 2
    layers = [np.column_stack((outline, np.full(n, z))) for z in (-h, h)]
    step = np.roll(outline, -1, axis=0) - outline
    wall = np.column_stack((step[:, 1], -step[:, 0], np.zeros(n)))
    wall = wall / np.maximum(np.linalg.norm(wall, axis=1, keepdims=True), 1e-300)
    vertices, normals = [*layers], [np.tile([0.0, 0.0, z], (n, 1)) for z in (-1.0, 1.0)]
    triangles = [[0, k + 1, k] for k in range(1, n - 1)] + [[n, n + k, n + k + 1] for k in range(1, n - 1)]
    for k in range(n):
        j, a = (k + 1) % n, 2 * n + 4 * k
        vertices.append(np.array([layers[0][k], layers[0][j], layers[1][j], layers[1][k]]))
        normals.append(np.tile(wall[k], (4, 1)))
        triangles += [[a, a + 1, a + 2], [a, a + 2, a + 3]]
    return Geometry(np.vstack(vertices), np.array(triangles), np.vstack(normals))


def joined(parts: Sequence[Geometry]) -> Geometry:
    """Geometries with normals as one."""
    offsets = np.cumsum([0, *(len(part.vertices) for part in parts)])
    return Geometry(
        np.vstack([part.vertices for part in parts]),
        np.vstack([part.triangles + k for part, k in zip(parts, offsets, strict=False)]),
        np.vstack([part.normals for part in parts if part.normals is not None]),
    )


@cache
def box() -> Geometry:
    """A cube with edges of length 1, centred at the origin."""
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    return extruded(corners, 1.0)


@cache
def sphere() -> Geometry:
    """A sphere of radius 1."""
    segments, bands = 20, 10
    angles = [pi * (k / bands - 0.5) for k in range(bands + 1)]
    smooth = revolved([(max(cos(a), 0.0) if 0 < k < bands else 0.0, sin(a)) for k, a in enumerate(angles)], segments)
    return Geometry(smooth.vertices, smooth.triangles, smooth.vertices)


@cache
def cylinder() -> Geometry:
    """A cylinder of radius 1 from z = 0 to z = 1."""
    return revolved([(0, 0), (1, 0), (1, 1), (0, 1)], 24)


@cache
def nut() -> Geometry:
    """A hexagonal prism around a circle of radius 1, from z = 0 to z = 1."""
    angles = np.arange(6) * pi / 3
    plate = extruded(np.column_stack((np.cos(angles), np.sin(angles))) * 2 / np.sqrt(3), 1.0)
    return Geometry(plate.vertices + np.array([0.0, 0.0, 0.5]), plate.triangles, plate.normals)


@cache
def bar() -> Geometry:
    """A tapered bar from z = 0 to z = 1: its radius is 1 at the first fifth and 0.62 at the end."""
    return revolved([(0, 0), (0.8, 0), (1, 0.12), (0.62, 1), (0, 1)], 14)


@cache
def pedestal() -> Geometry:
    """A truncated cone from z = 0, with radius 0.45, to z = 1, with radius 1 and a rim."""
    return revolved([(0, 0), (0.45, 0), (0.8, 0.8), (1, 0.8), (1, 1), (0, 1)], 24)


@cache
def ring() -> Geometry:
    """A ring from z = 0 to z = 1, with outer radius 1 and inner radius 0.72."""
    return revolved([(0.72, 1), (0.72, 0), (1, 0), (1, 1), (0.72, 1)], 28)


@cache
def cup() -> Geometry:
    """The lower half of a hollow sphere with outer radius 1 and inner radius 0.85."""
    bands = 7
    angles = [pi / 2 * (k / bands - 1) for k in range(bands + 1)]
    outer = [(cos(a) if k else 0.0, sin(a)) for k, a in enumerate(angles)]
    inner = [(0.85 * r, 0.85 * z) for r, z in reversed(outer)]
    return revolved([*outer, *inner], 24)


@cache
def wheel() -> Geometry:
    """A wheel with six spokes from z = 0 to z = 1, with radius 1."""
    rim = revolved([(0.86, 1), (0.86, 0), (1, 0), (1, 1), (0.86, 1)], 48)
    hub = revolved([(0, 0), (0.16, 0), (0.16, 1), (0, 1)], 24)
    spokes = list[Geometry]()
    for k in range(6):
        c, s = cos(k * pi / 3), sin(k * pi / 3)
        turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        spoke = box()
        vertices = spoke.vertices * np.array([0.76, 0.07, 0.6]) + np.array([0.5, 0.0, 0.5])
        assert spoke.normals is not None
        spokes.append(Geometry(vertices @ turn.T, spoke.triangles, spoke.normals @ turn.T))
    return joined([rim, hub, *spokes])
