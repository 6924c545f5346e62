"""Simple solids on bodies: bars, boxes, spheres, rings, placed by points and directions. All solids of a kind share one
geometry, so that the viewer can draw thousands of them at once."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from math import cos, pi, sin, sqrt

import numpy as np

from freebody.viewer.geometry import extrusion, merged, solid_of_revolution, unit_box
from freebody.viewer.scene import Array, Colour, Geometry, Item, Polyline, SceneLink

STEEL: Colour = (0.54, 0.57, 0.62)
"""The colour of joint symbols."""
CONSTRAINT: Colour = (0.76, 0.27, 0.42)
"""The colour of constraints and of joints that close loops."""


@dataclass(frozen=True)
class Style:
    """What the items of one part of a picture have in common."""

    layer: str
    color: Colour | None = None
    opacity: float = 1.0
    made: bool = False
    engaged: str = ""


@dataclass
class Sketch:
    """Items, lines and links that are collected one by one. ``around`` is the number of sides of its round solids. Bars
    that are thinner than ``thinnest`` have a line inside, which is seen from afar."""

    around: int = 16
    thinnest: float = 0.0
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
            Item(
                geometry,
                body,
                transform,
                style.color,
                style.opacity,
                style.layer,
                made=style.made,
                engaged=style.engaged,
            )
        )

    def between(self, geometry: Geometry, body: int, start: Array, end: Array, radius: float, style: Style) -> None:
        """A geometry of length 1 and radius 1 about z, stretched from one point to another."""
        step = end - start
        self.solid(geometry, body, (start + end) / 2, frame_along(step), (radius, radius, norm(step)), style)

    def along(
        self, geometry: Geometry, body: int, at: Array, axis: Array, radius: float, length: float, style: Style
    ) -> None:
        """A geometry of length 1 and radius 1 about z, with its centre at a point and its axis along a direction."""
        self.solid(geometry, body, at, frame_along(axis), (radius, radius, length), style)

    def ball(self, body: int, at: Array, radius: float, style: Style, geometry: Geometry | None = None) -> None:
        """A sphere, or another geometry of radius 1."""
        self.solid(geometry or ball(self.around), body, at, np.eye(3), (radius,) * 3, style)

    def box(self, body: int, at: Array, axes: Array, edges: Sequence[float], style: Style) -> None:
        self.solid(unit_box(), body, at, axes, edges, style)

    def line(self, body: int, points: Array, style: Style, dashed: bool = False) -> None:
        self.lines.append(Polyline(points, body, style.color, style.layer, dashed, style.engaged))


def norm(v: Array) -> float:
    """The length of a vector; 0 for one that is too short to divide by."""
    length = sqrt(v @ v)
    return length if length > 1e-150 else 0.0


def frame_along(direction: Array) -> Array:
    """The rotation matrix whose third column has the direction."""
    length = norm(direction)
    if length == 0.0:
        return np.eye(3)
    x, y, z = (direction / length).tolist()
    if abs(z) < 0.9:  # the second column is as far upwards as it can be
        s = sqrt(x * x + y * y)
        return np.array([[-y / s, -x * z / s, x], [x / s, -y * z / s, y], [0.0, s, z]])
    s = sqrt(y * y + z * z)
    return np.array([[s, 0.0, x], [-x * y / s, z / s, y], [-x * z / s, -y / s, z]])


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


def quaternion(R: Array) -> list[float]:
    """The unit quaternion of a rotation matrix."""
    K = np.array(
        [
            [R[0, 0] + R[1, 1] + R[2, 2], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
            [0, R[0, 0] - R[1, 1] - R[2, 2], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
            [0, 0, R[1, 1] - R[0, 0] - R[2, 2], R[1, 2] + R[2, 1]],
            [0, 0, 0, R[2, 2] - R[0, 0] - R[1, 1]],
        ]
    )
    best: list[float] = np.linalg.eigh(K, UPLO="U").eigenvectors[:, -1].tolist()
    return best


# Geometries of radius 1 and length 1 about z, centred at the origin. They have few triangles, because a picture may
# have thousands of them.


def turned(profile: Sequence[tuple[float, float]], around: int) -> Geometry:
    """A solid of revolution with an edge at each point of its profile (radius, height)."""
    return solid_of_revolution([[a, b] for a, b in pairwise(profile)], around)


@cache
def cylinder(around: int) -> Geometry:
    return turned([(0, -0.5), (1, -0.5), (1, 0.5), (0, 0.5)], around)


@cache
def bar(around: int) -> Geometry:
    """A tapered bar."""
    return turned([(0, -0.5), (0.8, -0.5), (1, -0.38), (0.62, 0.5), (0, 0.5)], around)


@cache
def hinge(around: int) -> Geometry:
    """A drum with a pin, which is 0.4 of the length longer."""
    return turned([(0, -0.7), (0.5, -0.7), (0.5, -0.5), (1, -0.5), (1, 0.5), (0.5, 0.5), (0.5, 0.7), (0, 0.7)], around)


@cache
def nut() -> Geometry:
    """A hexagonal prism around a circle of radius 1."""
    angles = np.arange(6) * pi / 3
    return extrusion(np.column_stack((np.cos(angles), np.sin(angles))) * 2 / np.sqrt(3), 1.0)


@cache
def pedestal() -> Geometry:
    """A truncated cone with a rim at its wide end, which is up."""
    return turned([(0, -0.5), (0.45, -0.5), (0.8, 0.3), (1, 0.3), (1, 0.5), (0, 0.5)], 24)


@cache
def ring() -> Geometry:
    """A ring with the inner radius 0.72."""
    return turned([(0.72, 0.5), (0.72, -0.5), (1, -0.5), (1, 0.5), (0.72, 0.5)], 24)


@cache
def rim() -> Geometry:
    """A ring with the inner radius 1."""
    return turned([(1, 0.5), (1, -0.5), (1.12, -0.5), (1.12, 0.5), (1, 0.5)], 48)


@cache
def ball(around: int) -> Geometry:
    """A sphere."""
    return solid_of_revolution([_arc(1.0, pi / 2, around // 2)], around)


@cache
def cup(around: int) -> Geometry:
    """The lower half of a hollow sphere with the inner radius 0.85."""
    outer, inner = _arc(1.0, 0.0, around // 4), _arc(0.85, 0.0, around // 4)[::-1]
    return solid_of_revolution([outer, [outer[-1], inner[0]], inner], around)


def _arc(radius: float, end: float, steps: int) -> list[tuple[float, float]]:
    """Points (r, z) of a circle from its lowest point to an angle."""
    angles = np.linspace(-pi / 2, end, steps + 1).tolist()
    return [(radius * (cos(a) if abs(a) < 1.57 else 0.0), radius * sin(a)) for a in angles]


@cache
def wheel() -> Geometry:
    """A wheel with six spokes."""
    rim = turned([(0.86, 0.5), (0.86, -0.5), (1, -0.5), (1, 0.5), (0.86, 0.5)], 48)
    hub = turned([(0, -0.5), (0.16, -0.5), (0.16, 0.5), (0, 0.5)], 24)
    spoke, spokes = unit_box(), list[Geometry]()
    assert spoke.normals is not None
    for angle in np.arange(6) * pi / 3:
        turn = rotation((cos(angle / 2), 0.0, 0.0, sin(angle / 2)))
        vertices = spoke.vertices * np.array([0.76, 0.07, 0.6]) + np.array([0.5, 0.0, 0.0])
        spokes.append(Geometry(vertices @ turn.T, spoke.triangles, spoke.normals @ turn.T))
    return merged([rim, hub, *spokes])
