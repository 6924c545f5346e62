"""Given shapes as triangles: volumes by the divergence theorem, closed surfaces, outward normals; poses and looks."""

from collections.abc import Mapping
from math import pi, sin
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import freebody as fb
from freebody.model.shapes import SHAPES
from freebody.results.about import BodyInfo
from freebody.viewer import geometry
from freebody.viewer.scene import Geometry, Item
from freebody.viewer.user_shapes import KINDS, given_items
from tests.model.test_shapes import EXAMPLES, with_shape

Array = NDArray[np.float64]
ROUND = 16 * sin(pi / 16)  # area of a regular polygon with 32 corners in the unit circle
STAR = [((1 if k % 2 else 0.4) * np.cos(k * pi / 5), (1 if k % 2 else 0.4) * np.sin(k * pi / 5)) for k in range(10)]
CORNER = [(0, 0), (0, 2), (0.5, 2), (1, 2), (1, 1), (2, 1), (2, 0), (0, 0)]  # clockwise, a point on a side, one twice
COMB = [(x, y) for k in range(8) for x, y in ((2 * k, 0), (2 * k, 3 - k / 8), (2 * k + 1, 3), (2 * k + 1, 0))]
X, Y = np.meshgrid(np.linspace(-1, 1, 9), np.linspace(0, 1, 6), indexing="ij")
HILLS = (0.3 * X**2 - 0.2 * X * Y).tolist()


def ball(around: int, along: int) -> float:
    """The volume of a sphere of flat rings: frustums of regular polygons."""
    angles = np.linspace(-pi / 2, pi / 2, along + 1)
    r, z = np.cos(angles), np.sin(angles)
    area = around / 2 * sin(2 * pi / around)
    return float(area / 3 * np.sum(np.diff(z) * (r[1:] ** 2 + r[1:] * r[:-1] + r[:-1] ** 2)))


BALL, SLICE = ball(*geometry.SPHERE), geometry.SPHERE[0] / 2 * sin(2 * pi / geometry.SPHERE[0])
SOLIDS: list[tuple[dict[str, Any], float | None]] = [
    ({"kind": "box", "x": 1, "y": 2, "z": 3}, 6), ({"kind": "plate", "x": 1, "y": 2, "thickness": 0.01}, 0.02),
    ({"kind": "sphere", "radius": 2}, 8 * BALL),
    ({"kind": "cylinder", "radius": 2, "length": 3, "axis": "-y"}, 12 * ROUND),
    ({"kind": "tube", "radius": 2, "inner_radius": 1, "length": 3}, 9 * ROUND),
    ({"kind": "tube", "radius": 2, "inner_radius": 0, "length": 3}, 12 * ROUND),
    ({"kind": "capsule", "radius": 2, "length": 3, "axis": "x"}, 8 * BALL + 12 * SLICE),
    ({"kind": "capsule", "radius": 2, "length": 0}, 8 * BALL),
    ({"kind": "cone", "radius": 2, "length": 3, "top_radius": 0}, 4 * ROUND),
    ({"kind": "cone", "radius": 1, "length": 3, "top_radius": 2, "axis": "-z"}, 7 * ROUND),
    ({"kind": "cone", "radius": 0, "length": 3, "top_radius": 2}, 4 * ROUND),
    ({"kind": "extrusion", "points": STAR, "length": 2}, 2 * 10 * 0.4 * sin(pi / 5) / 2),
    ({"kind": "extrusion", "points": CORNER, "length": 2, "axis": "x"}, 6),
    ({"kind": "heightfield", "heights": HILLS, "spacing": [0.25, 0.2]}, None),
]  # fmt: skip


def drawn(shape: Mapping[str, Any]) -> Item:
    items, notes = given_items([BodyInfo("b", "ground", "free", shape=shape)])
    assert not notes
    return items[0]


def corners(item: Item) -> Array:
    """The corners of all triangles in the body's frame."""
    points = item.geometry.vertices @ item.transform[:, :3].T + item.transform[:, 3]
    return points[item.geometry.triangles]


def volume(triangles: Array) -> float:
    a, b, c = triangles.swapaxes(0, 1)
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def assert_closed(shape: Geometry) -> None:
    """Each edge belongs to two triangles, in opposite directions."""
    _, same = np.unique(np.round(shape.vertices, 9), axis=0, return_inverse=True)
    t = same.ravel()[shape.triangles]
    edges = np.concatenate([t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]])
    edges = edges[edges[:, 0] != edges[:, 1]]
    pairs, counts = np.unique(edges, axis=0, return_counts=True)
    assert (counts == 1).all() and {(a, b) for a, b in pairs.tolist()} == {(b, a) for a, b in pairs.tolist()}


@pytest.mark.parametrize(("shape", "expected"), SOLIDS)
def test_solids_are_closed_with_their_volumes_and_outward_normals(shape: dict[str, Any], expected: float) -> None:
    item = drawn(shape | {"at": [3, -1, 2], "rpy": [0.3, -0.5, 1.1]})
    triangles, normals = corners(item), item.geometry.normals
    assert expected is None or abs(volume(triangles) - expected) < 1e-9 * expected
    assert_closed(item.geometry)
    assert normals is not None and np.allclose(np.linalg.norm(normals, axis=1), 1)
    a, b, c = item.geometry.vertices[item.geometry.triangles].swapaxes(0, 1)
    faces = np.cross(b - a, c - a)
    solid = np.linalg.norm(faces, axis=1) > 1e-12
    faces = faces[solid] / np.linalg.norm(faces[solid], axis=1, keepdims=True)
    assert np.einsum("ij,ikj->ik", faces, normals[item.geometry.triangles[solid]]).min() > 0.9


def test_heights_are_those_of_the_grid() -> None:
    item = drawn({"kind": "heightfield", "heights": HILLS, "spacing": [0.25, 0.2]})
    top = item.geometry.vertices[: X.size].reshape(*X.shape, 3)
    assert np.allclose(top, np.stack([X, Y - 0.5, HILLS], -1))
    large = drawn({"kind": "heightfield", "heights": np.zeros((1000, 300)).tolist(), "spacing": 0.1})
    assert len(large.geometry.triangles) < 90_000 and np.allclose(np.ptp(corners(large), (0, 1))[:2], [99.9, 29.9])


def test_polygons_of_many_corners_are_triangulated() -> None:
    """Concave ones by the area of their triangles; of one that crosses itself something is drawn."""
    points = np.array(COMB[::-1], float)
    x, y = points.T
    area = np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) / 2
    a, b, c = points[geometry.triangulate(points)].transpose(1, 2, 0)
    parts = ((b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0]) / 2
    assert len(parts) == len(points) - 2 and (parts > -1e-12).all() and abs(parts.sum() - area) < 1e-9
    assert len(geometry.triangulate(np.array([(0, 0), (1, 1), (1, 0), (0, 1.0)]))) == 2


def test_axes_and_rotations_of_shapes() -> None:
    """A cone points along its axis; points of a polygon are along the two axes that follow."""
    for axis, tip in (("x", (1, 0, 0)), ("-y", (0, -1, 0)), ("-z", (0, 0, -1))):
        cone = corners(drawn({"kind": "cone", "radius": 1, "top_radius": 0, "length": 2, "axis": axis})).reshape(-1, 3)
        assert np.allclose(cone[np.argmax(cone @ tip)], tip)
    polygon = [(1, 2), (5, 2), (1, 3)]
    for axis, (u, v) in {"x": (1, 2), "y": (2, 0), "z": (0, 1), "-x": (2, 1)}.items():
        points = corners(drawn({"kind": "extrusion", "points": polygon, "length": 2, "axis": axis})).reshape(-1, 3)
        assert np.allclose((points[:, u].max(), points[:, v].max()), (5, 3)), axis
    yaw = drawn({"kind": "box", "x": 2, "y": 1, "z": 1, "rpy": [0, 0, pi / 2], "at": [1, 2, 3]})
    assert np.allclose(np.ptp(corners(yaw), (0, 1)), [1, 2, 1]) and np.allclose(yaw.transform[:, 3], [1, 2, 3])


def test_every_shape_of_a_model_is_drawn_with_its_look() -> None:
    shapes = [shape for kind, shape in EXAMPLES.items() if kind != "mesh"]
    by_kind = {kind for kind, one in SHAPES.items() if "drawn" not in vars(one)}  # others make surfaces
    assert {*KINDS, "mesh"} - {"surface"} == by_kind
    run = with_shape([*shapes, fb.Sphere(1), fb.Sphere(2)]).simulate(0.01)
    items, notes = given_items(run.about.elements)
    assert len(items) == len(shapes) + 2 and not notes
    for item in items[:-2]:
        assert item.color == (0, 128 / 255, 128 / 255) and item.opacity == 0.5 and item.name == "<b>"
        assert item.body == 0 and item.layer == "bodies" and not item.made
    assert items[-1].color is None and items[-1].geometry is items[-2].geometry, "geometries are shared"


WRONG: list[tuple[Any, str]] = [
    ({"kind": "torus"}, "the shape of body 'b' is of the unknown kind 'torus'"),
    ({"kind": "box", "x": 1, "y": -1, "z": 1}, "has a negative y: -1"),
    ({"kind": "box", "x": 0, "y": 0, "z": 0}, "has no size"),
    ({"kind": "sphere", "radius": float("nan")}, "has no radius that is a number, but 'nan'"),
    ({"kind": "sphere", "radius": 1, "at": [1, 2]}, "needs 3 numbers as at"),
    ({"kind": "extrusion", "points": [[1, 2], [3]], "length": 1}, "needs rows of numbers as points"),
    ({"kind": "heightfield", "heights": [[1, 2], [3, 4]], "spacing": [1, 2, 3]}, "one or two numbers as spacing"),
    ({"kind": "cylinder", "radius": 1, "length": 1, "axis": ["x"]}, "has no axis that is a direction"),
    ({"kind": "tube", "radius": 1, "inner_radius": 2, "length": 1}, "inner radius 2 that is not between 0"),
    ({"kind": ["box"]}, "is of the unknown kind"),
    ({"kind": "surface", "points": [[0, 0, 0], [1, 0, 0]], "triangles": [[0, 1, 2]]}, "three of their indices each"),
    ({"kind": "surface", "points": [[0, 0, 0], [1, 0, 0]], "triangles": [[0, 1, 0.5]]}, "three of their indices each"),
]


@pytest.mark.parametrize(("shape", "message"), WRONG)
def test_facts_that_are_not_shapes_are_noted(shape: Any, message: str) -> None:
    """Facts may come from files, and sizes may become negative with parameters."""
    good = {"kind": "sphere", "radius": 1}
    items, notes = given_items([BodyInfo("b", "ground", "free", shape={"kind": "group", "parts": [shape, good, 3]})])
    assert len(items) == 1 and len(notes) == 1 and message in notes[0]
