"""Where shapes meet: against support functions and projections, in general position and in special ones."""

from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator
from scipy.spatial.transform import Rotation

import freebody as fb
from freebody.mesh_reading import STL
from freebody.model.contact.hull import extreme
from freebody.model.contact.pairs import candidates_of, least_points
from freebody.model.kinds import ARGUMENT
from freebody.program.count import operations
from freebody.scalar.walk import symbols_of
from tests.contact.separation import Traced, directions, distances, separation, support, turns

HERE = {"at": (0.1, -0.2, 0.15), "rpy": (0.4, -0.7, 1.1)}
THERE = {"at": (-0.05, 0.12, 0.2), "rpy": (-1.0, 0.3, 0.5)}
ROUND = ("sphere", "capsule")
SOLID = (*ROUND, "box", "cylinder")
EXACT = [*product(ROUND, ROUND), ("sphere", "box"), ("box", "sphere"), ("sphere", "cylinder"), ("cylinder", "sphere")]
"""Pairs with one candidate, whose distance is exact inside and outside."""


def shape(kind: str, place: Any) -> Any:
    return {
        "sphere": lambda: fb.Sphere(0.2, **place),
        "capsule": lambda: fb.Capsule(0.1, 0.5, axis="y", **place),
        "box": lambda: fb.Box(0.3, 0.4, 0.5, **place),
        "plate": lambda: fb.Plate(0.5, 0.4, 0.1, **place),
        "cylinder": lambda: fb.Cylinder(0.25, 0.5, axis="-x", **place),
    }[kind]()


def placements(seed: int, count: int, least: float, most: float) -> Any:
    rng = np.random.default_rng(seed)
    return turns(rng, count), directions(rng, count) * rng.uniform(least, most, (count, 1))


def apart(first: Any, second: Any, count: int, gap: float) -> Any:
    """Random placements with this distance, and the normals."""
    R, origin = placements(3, count, 1.5, 1.5)
    for _ in range(4):
        distance, n = distances(first, second, R, origin, 300)
        origin = origin + n * (gap - distance)[:, None]
    distance, n = distances(first, second, R, origin, 3000)
    return R, origin, distance, n


@pytest.mark.parametrize(("one", "other"), EXACT)
def test_round_shapes_meet_along_the_direction_of_largest_separation(one: str, other: str) -> None:
    first, second = shape(one, HERE), shape(other, THERE)
    traced = Traced.of(first, second)
    R, origin = placements(1, 2000, 0.2, 0.9)
    met = traced.evaluate(R, origin)
    x, n = met["x"][:, 0], met["n"][:, 0]
    assert 300 < (x > 0).sum() < 1700 or {one, other} == {"sphere"}  # overlapping and apart
    np.testing.assert_allclose(separation(first, second, R, origin, n), -x, atol=5e-9)
    for d in directions(np.random.default_rng(2), 1000):
        assert (separation(first, second, R, origin, np.broadcast_to(d, n.shape)) <= -x + 1e-12).all()


@pytest.mark.parametrize(("one", "other"), [*EXACT, ("capsule", "box"), ("box", "capsule")])
def test_distances_are_those_of_projections(one: str, other: str) -> None:
    first, second = shape(one, HERE), shape(other, THERE)
    R, origin, distance, normal = apart(first, second, 100, 0.005)
    met = Traced.of(first, second).evaluate(R, origin)
    nearest = met["x"].argmax(1)
    row = np.arange(len(nearest))
    np.testing.assert_allclose(-met["x"][row, nearest], distance, atol=2e-7)
    assert (np.einsum("ni,ni->n", met["n"][row, nearest], normal) > 1 - 1e-4).all()


@pytest.mark.parametrize(("one", "other"), [("capsule", "cylinder"), ("box", "cylinder"), ("cylinder", "cylinder")])
def test_rims_are_near_the_nearest_point_of_a_solid(one: str, other: str) -> None:
    """Rims against edges and rims are found by a few corrections: nine of ten exactly."""
    first, second = shape(one, HERE), shape(other, THERE)
    R, origin, distance, _ = apart(first, second, 100, 0.005)
    for pair, (rotation, place) in {
        (first, second): (R, origin),
        (second, first): (np.swapaxes(R, 1, 2), -np.einsum("nij,ni->nj", R, origin)),
    }.items():
        error = -Traced.of(*pair).evaluate(rotation, place)["x"].max(1) - distance
        assert np.quantile(error, 0.75) < 2e-4
        assert np.quantile(error, 0.9) < 5e-3
        assert (error + distance > 0)[distance > 4e-3].all()  # none touches that does not


def test_boxes_overlap_as_their_separating_axes_say() -> None:
    """Of 15 axes that can separate two boxes, the one with the least overlap: corners and edges find it."""
    first, second = shape("box", HERE), shape("box", THERE)
    R, origin = placements(5, 1000, 0.8, 0.8)
    ours = R @ Rotation.from_euler("xyz", first.rpy).as_matrix()
    theirs = np.broadcast_to(Rotation.from_euler("xyz", second.rpy).as_matrix(), ours.shape)
    a, b = ([m[:, :, k] for k in range(3)] for m in (ours, theirs))
    axes = [*a, *b, *(np.cross(u, v) for u, v in product(a, b))]
    axes = [sign * v / np.linalg.norm(v, axis=1, keepdims=True) for v in axes for sign in (1, -1)]
    for _ in range(20):
        values = np.stack([separation(first, second, R, origin, v) for v in axes])
        best = values.argmax(0)
        origin = origin - np.stack(axes)[best, np.arange(1000)] * (values.max(0) + 0.005)[:, None]
    values = np.stack([separation(first, second, R, origin, v) for v in axes])
    met = Traced.of(first, second).evaluate(R, origin)
    x = met["x"].max(1)
    of_face = values.argmax(0) < 12
    true = -values.max(0)
    assert np.quantile(np.abs(x - true)[of_face], 0.9) < 1e-12
    assert np.quantile(np.abs(x - true)[~of_face], 0.8) < 1e-12
    assert (x > 1e-3).mean() > 0.99
    assert (x < 2 * true).all()  # where an edge meets an edge, a point may be deeper below a face
    opened = origin + np.stack(axes)[values.argmax(0), np.arange(1000)] * 0.006
    clear = Traced.of(first, second).evaluate(R, opened)["x"].max(1)
    assert (clear[of_face] < 0).all()
    assert (clear < 2.5e-3).all()  # the border of faces
    assert np.quantile(clear, 0.98) < 0


GROUNDS = {"tilted": {"normal": (0.3, -0.5, 0.8), "at": (0.1, 0.2, 0.3), "rpy": (0.2, 0.1, -0.4)}, "level": {}}


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("kind", [*SOLID, "plate"])
def test_shapes_on_a_plane(kind: str, ground: str) -> None:
    plane, first = fb.Plane(**GROUNDS[ground]), shape(kind, HERE)
    traced = Traced.of(first, plane)
    R, origin = placements(7, 2000, 0.1, 0.6)
    met = traced.evaluate(R, origin)
    n = Rotation.from_euler("xyz", plane.rpy).as_matrix() @ (
        np.array((0, 0, 1) if plane.normal == "z" else plane.normal)
    )
    n = n / np.linalg.norm(n)
    lowest = (origin - plane.at) @ n - support(first, -np.einsum("nij,i->nj", R, n))
    np.testing.assert_allclose(met["n"], np.broadcast_to(n, met["n"].shape), atol=1e-14)
    error = met["x"].max(1) + lowest
    assert np.quantile(np.abs(error), 0.95) < 1e-7 if kind == "cylinder" else np.abs(error).max() < 1e-14
    between = np.einsum("nci,i->nc", met["k"] - plane.at, n)  # half way between the surfaces
    np.testing.assert_allclose(between, -met["x"] / 2, atol=1e-14)
    assert candidates_of(plane, first).swapped
    assert not traced.swapped


def test_cones_and_extrusions_on_a_plane() -> None:
    cone, bar = fb.Cone(0.2, 0.5, 0.1, axis="-y"), fb.Extrusion([(0, 0), (0.3, 0.1), (0.1, 0.4)], 0.2, axis="x")
    R, origin = placements(8, 500, 0.1, 0.6)
    a = np.linspace(0, 2 * np.pi, 2001)[:, None]
    rims = [np.hstack([r * np.cos(a), 0 * a + y, r * np.sin(a)]) for r, y in ((0.2, 0.25), (0.1, -0.25))]
    corners = [[x, y, z] for y, z in bar.points for x in (-0.1, 0.1)]
    for first, points in ((cone, np.vstack(rims)), (bar, np.array(corners))):
        heights = np.einsum("nij,pj->npi", R, points)[..., 2].min(1) + origin[:, 2]
        np.testing.assert_allclose(Traced.of(first, fb.Plane()).evaluate(R, origin)["x"].max(1), -heights, atol=1e-6)


@pytest.mark.parametrize(("one", "other"), [*product(SOLID, SOLID), ("plate", "box"), ("box", "plate")])
def test_normals_tangents_and_points(one: str, other: str) -> None:
    first, second = shape(one, HERE), shape(other, THERE)
    traced = Traced.of(first, second)
    R, origin = placements(1, 300, 0.2, 0.9)
    met = traced.evaluate(R, origin)
    assert all(np.isfinite(values).all() for values in met.values())
    frame = np.stack([met["t1"], met["t2"], met["n"]], -1)
    np.testing.assert_allclose(frame @ np.swapaxes(frame, -1, -2), np.broadcast_to(np.eye(3), frame.shape), atol=1e-9)
    np.testing.assert_allclose(np.linalg.det(frame), 1, atol=1e-9)
    assert len(set(traced.labels)) == len(traced.labels)
    if (one, other) in EXACT:  # moving the first along the normal opens the contact at the same rate
        np.testing.assert_allclose(traced.slopes(R, origin), -met["n"], atol=1e-6)
        still = np.broadcast_to(np.eye(3), R.shape)
        moved = met["n"][:, 0] * met["x"] / 2
        on_first = np.einsum("nij,ni->nj", R, met["k"][:, 0] - moved - origin)
        on_second = met["k"][:, 0] + moved
        for solid, points in ((first, on_first), (second, on_second)):  # the point is half way between the surfaces
            depth = Traced.of(fb.Sphere(0.0), solid).evaluate(still, points)["x"]
            np.testing.assert_allclose(depth, 0, atol=1e-7)


@pytest.mark.parametrize(("one", "other"), [*EXACT, ("capsule", "box"), ("box", "box"), ("plate", "box")])
def test_swapping_the_shapes_reverses_the_meeting(one: str, other: str) -> None:
    first, second = shape(one, HERE), shape(other, THERE)
    R, origin = placements(4, 500, 0.2, 0.7)
    back, place = np.swapaxes(R, 1, 2), -np.einsum("nij,ni->nj", R, origin)
    met, swapped = Traced.of(first, second).evaluate(R, origin), Traced.of(second, first).evaluate(back, place)
    best, row = met["x"].argmax(1), np.arange(500)
    there = np.abs(swapped["x"] - met["x"][row, best][:, None]).argmin(1)
    np.testing.assert_allclose(swapped["x"][row, there], met["x"][row, best], atol=1e-8)
    if (one, other) in EXACT:
        n, k = met["n"][row, best], met["k"][row, best]
        np.testing.assert_allclose(np.einsum("nij,nj->ni", R, swapped["n"][row, there]), -n, atol=1e-6)
        np.testing.assert_allclose(np.einsum("nij,nj->ni", R, swapped["k"][row, there]) + origin, k, atol=1e-6)


@pytest.mark.parametrize(("one", "other"), [*combinations_with_replacement(SOLID, 2)])
def test_small_motion_changes_little(one: str, other: str) -> None:
    """Along paths in steps of up to 0.4 mm the penetration of every candidate follows where it is not deep, and the
    tangents turn with the normal. Rims jump where another point of them becomes nearest to an edge."""
    first, second = shape(one, HERE), shape(other, THERE)
    traced, rng = Traced.of(first, second), np.random.default_rng(11)
    s = np.linspace(0, 1, 4001)
    jumps = []
    for _ in range(8):
        R = Rotation.from_rotvec(np.outer(s, rng.normal(size=3))) * Rotation.from_matrix(turns(rng, 1)[0])
        start, end = directions(rng, 2) * 0.6
        met = traced.evaluate(R.as_matrix(), start + np.outer(s, end - start))
        x = met["x"]
        shallow = np.maximum(x[1:].max(1), x[:-1].max(1)) < 0.02
        jumps.append(np.abs(np.diff(np.maximum(x, 0), axis=0))[shallow].max(initial=0))
        if one in ROUND and other in ROUND:
            clear = x[1:, 0] > -0.3
            turn = np.linalg.norm(np.diff(met["n"][:, 0], axis=0), axis=1)
            for t in ("t1", "t2"):
                assert (np.linalg.norm(np.diff(met[t][:, 0], axis=0), axis=1) < 30 * turn + 1e-9)[clear].all()
    rims = other == "cylinder" and one != "sphere"
    assert np.median(jumps) < 6e-4
    assert max(jumps) < (2e-2 if rims else 2e-3)


SPECIAL = [np.eye(3), Rotation.from_euler("x", 90, degrees=True).as_matrix(), np.diag([1.0, -1.0, -1.0])]


@pytest.mark.parametrize(("one", "other"), [*product(SOLID, (*SOLID, "plane", "heightfield"))])
def test_special_positions_have_finite_meetings_and_derivatives(one: str, other: str) -> None:
    """Centres in one place, parallel and vertical axes, faces on faces, points on edges."""
    if other == "plane":
        second: Any = fb.Plane()
    elif other == "heightfield":
        second = fb.Heightfield([[0.0, 0.1, 0.0], [0.0, 0.0, 0.2]], 0.5)
    else:
        second = shape(other, {})
    traced = Traced.of(shape(one, {}), second)
    places = [
        np.zeros(3),
        *(0.5 * np.array(v) for v in product((0, 1, -1), repeat=3) if any(v)),
        np.array([0.2, 0, 0.15]),
    ]
    R, origin = (np.array(rows) for rows in zip(*product(SPECIAL, places), strict=True))
    met = traced.evaluate(R, origin)
    assert all(np.isfinite(values).all() for values in met.values())
    np.testing.assert_allclose(np.linalg.norm(met["n"], axis=-1), 1, atol=1e-12)
    for t in ("t1", "t2"):
        np.testing.assert_allclose(np.linalg.norm(met[t], axis=-1), 1, atol=1e-9)
    assert np.isfinite(traced.slopes(R, origin)).all()


def test_heightfields_are_bilinear_and_end_level() -> None:
    rng = np.random.default_rng(9)
    heights, spacing = rng.normal(size=(6, 4)) * 0.2, (0.3, 0.5)
    field = fb.Heightfield(heights, spacing, at=(0.2, -0.1, 0.4), rpy=(0, 0, 0.3))
    traced = Traced.of(fb.Sphere(0.0), field)
    p = rng.uniform(-1.5, 1.5, (2000, 3))
    met = traced.evaluate(np.broadcast_to(np.eye(3), (2000, 3, 3)), p)
    local = (p - field.at) @ Rotation.from_euler("z", 0.3).as_matrix()
    x, y = (np.arange(n) * d - (n - 1) * d / 2 for n, d in zip(heights.shape, spacing, strict=True))
    known = RegularGridInterpolator((x, y), heights)
    xy = np.column_stack([np.clip(local[:, 0], x[0], x[-1]), np.clip(local[:, 1], y[0], y[-1])])
    steep = met["n"][:, 0, 2]
    np.testing.assert_allclose(met["x"][:, 0], (known(xy) - local[:, 2]) * steep, atol=1e-12)
    inside = (np.abs(local[:, 0]) < x[-1] - 1e-3) & (np.abs(local[:, 1]) < y[-1] - 1e-3)
    h = 1e-6
    slopes = np.stack([(known(xy[inside] + d) - known(xy[inside] - d)) / (2 * h) for d in h * np.eye(2)], -1)
    n = met["n"][inside, 0] @ Rotation.from_euler("z", 0.3).as_matrix()
    rows = np.abs(-n[:, :2] / n[:, 2:] - slopes).max(1)
    assert np.quantile(rows, 0.99) < 1e-8  # all but those at the border of a cell
    outside = (np.abs(local[:, 0]) > x[-1]) & (np.abs(local[:, 1]) > y[-1])
    np.testing.assert_allclose(met["n"][outside, 0, 2], 1)


@pytest.mark.parametrize("kind", SOLID)
def test_an_even_slope_of_a_heightfield_is_a_plane(kind: str) -> None:
    i, j = np.mgrid[0:9, 0:9]
    field = fb.Heightfield(0.3 * (i - 4) - 0.2 * (j - 4), 1.0)
    plane = fb.Plane(normal=(-0.3, 0.2, 1.0))
    R, origin = placements(2, 500, 0.1, 0.6)
    solid = shape(kind, HERE)
    met, like = (
        Traced.of(solid, ground, 2 if 0 < least_points(solid, ground) <= 2 else None).evaluate(R, origin)
        for ground in (field, plane)
    )
    for key in ("x", "n", "k"):
        np.testing.assert_allclose(met[key], like[key], atol=1e-7 if kind == "cylinder" else 1e-12)


def test_a_ball_on_a_curved_heightfield() -> None:
    """One correction finds the distance from smooth ground; the rest is the grid."""
    x = np.linspace(-2, 2, 201)
    field = fb.Heightfield(0.1 * np.cos(2 * x)[:, None] + 0.1 * np.sin(1.5 * x)[None, :], 0.02)
    p = np.random.default_rng(3).uniform((-1, -1, 0.3), (1, 1, 0.5), (300, 3))
    met = Traced.of(fb.Sphere(0.2), field).evaluate(np.broadcast_to(np.eye(3), (300, 3, 3)), p)
    u = np.linspace(-0.5, 0.5, 401)
    for k, centre in enumerate(p):
        a, b = np.meshgrid(centre[0] + u, centre[1] + u, indexing="ij")
        z = 0.1 * np.cos(2 * a) + 0.1 * np.sin(1.5 * b)
        distance = np.sqrt((a - centre[0]) ** 2 + (b - centre[1]) ** 2 + (z - centre[2]) ** 2).min()
        assert met["x"][k, 0] == pytest.approx(0.2 - distance, abs=3e-3)


COUNTS = {
    ("sphere", "plane"): (1, 4), ("capsule", "plane"): (2, 20), ("box", "plane"): (8, 70),
    ("cylinder", "plane"): (2, 30),
    ("sphere", "heightfield"): (1, 110), ("sphere", "sphere"): (1, 60), ("sphere", "capsule"): (1, 60),
    ("sphere", "box"): (1, 60), ("sphere", "cylinder"): (1, 60), ("capsule", "capsule"): (1, 80),
    ("capsule", "box"): (3, 300), ("box", "box"): (61, 2900), ("cylinder", "sphere"): (1, 140),
}  # fmt: skip
"""Candidates, and additions, multiplications and divisions for them, of shapes whose frames are those of bodies."""


@pytest.mark.parametrize(("one", "other"), COUNTS)
def test_few_operations(one: str, other: str) -> None:
    grounds = {"plane": fb.Plane(), "heightfield": fb.Heightfield([[0, 1], [1, 3]], 0.5)}
    second = grounds.get(other) or shape(other, {})
    traced = Traced.of(shape(one, {}), second)
    count, limit = COUNTS[one, other]
    assert len(traced.labels) == count
    assert operations(traced.graph, traced.roots) <= limit


def test_sizes_may_be_parameters() -> None:
    s = fb.System()
    sizes = [s.parameter(name, 0.2) for name in ("r", "w", "l")]
    r, w, l = sizes
    for first in (fb.Sphere(r), fb.Capsule(r, l), fb.Box(r, w, l), fb.Cylinder(r, l)):
        for second in (fb.Plane(), fb.Sphere(w), fb.Box(w, l, r)):
            traced = Traced.of(first, second, graph=r.graph)
            assert {"r", "l"} & {
                traced.graph.symbols[traced.graph.a[k]].name for k in symbols_of(r.graph, traced.roots)
            }


def test_what_is_not_offered_is_refused_by_name() -> None:
    with pytest.raises(
        fb.FreebodyError, match=r"contact of tube and sphere is not offered; tube can touch plane, height"
    ):
        candidates_of(fb.Tube(0.2, 0.1, 0.3), fb.Sphere(0.1))
    with pytest.raises(fb.FreebodyError, match="points must be from 2 to 20, not 1"):
        candidates_of(fb.Box(1, 1, 1), fb.Plane(), 1)


def test_points_make_grids_and_rings() -> None:
    box, wheel, rod = fb.Box(1, 2, 3), fb.Cylinder(0.5, 0.2), fb.Capsule(0.1, 1)
    field = fb.Heightfield([[0, 0], [0, 0]], 1)
    counts = {
        (box, None): 8, (box, 3): 26, (box, 4): 56, (wheel, None): 2, (wheel, 5): 12, (rod, None): 2,
    }  # fmt: skip
    for (first, points), count in counts.items():
        assert len(candidates_of(first, fb.Plane(), points).candidates) == count
    assert len(candidates_of(box, field).candidates) == 26
    assert len(candidates_of(rod, field, 5).candidates) == 5
    assert len(candidates_of(box, box, 2).candidates) == 8 + 8 + 9


def stl(path: Path, corners: Any) -> Path:
    """A binary STL file of triangles (n, 3, 3)."""
    rows = np.zeros(len(corners), STL)
    rows["corners"] = corners
    path.write_bytes(bytes(80) + np.uint32(len(rows)).tobytes() + rows.tobytes())
    return path


def test_the_hull_of_a_mesh_on_a_plane(tmp_path: Path) -> None:
    """The points of a mesh inside of its hull are left out; of a large hull those are kept that change it most."""
    rng = np.random.default_rng(6)
    cloud = rng.normal(size=(40, 3)) * (0.3, 0.2, 0.1)
    file = stl(tmp_path / "rock.stl", cloud[rng.integers(0, 40, (60, 3))])
    used = np.unique(cloud.astype(np.float32), axis=0)
    rock = fb.Mesh(file, scale=(2, 2, 3), **HERE).finalise(ARGUMENT)
    R, origin = placements(5, 500, 0.5, 1.5)
    here = Rotation.from_euler("xyz", rock.rpy).as_matrix()
    points = used * (2, 2, 3) @ here.T + rock.at
    lowest = np.einsum("nij,pj->npi", R, points)[..., 2].min(1) + origin[:, 2]
    traced = Traced.of(rock, fb.Plane(), 200)
    np.testing.assert_allclose(traced.evaluate(R, origin)["x"].max(1), -lowest, atol=1e-12)
    assert 8 < len(traced.labels) < 40
    fewer = Traced.of(rock, fb.Plane(), 12)
    assert len(fewer.labels) == 12
    missing = -lowest - fewer.evaluate(R, origin)["x"].max(1)
    assert missing.min() > -1e-12
    assert missing.max() < 0.25
    assert np.median(missing) < 0.03
    ball = directions(rng, 3000)
    assert np.linalg.norm(extreme(ball, 50), axis=1) == pytest.approx(1)
    assert (directions(rng, 500) @ extreme(ball, 50).T).max(1).min() > 0.85


def test_meshes_that_cannot_touch(tmp_path: Path) -> None:
    with pytest.raises(fb.FreebodyError, match=r"mesh 'no\.stl' was not found, so that it cannot touch anything"):
        candidates_of(fb.Mesh(tmp_path / "no.stl").finalise(ARGUMENT), fb.Plane())
    with pytest.raises(fb.FreebodyError, match="contact of mesh and sphere is not offered; mesh can touch plane"):
        candidates_of(fb.Mesh("rock.stl"), fb.Sphere(1))
