"""Surfaces of finite elements and of files: neighbours have the same side up, and sharp edges divide normals."""

from pathlib import Path

import numpy as np
import pytest
from skfem import MeshHex, MeshTri

import freebody as fb
from freebody.mesh_files import read_mesh
from freebody.viewer.geometry import with_normals
from freebody.viewer.meshes import mesh_parts
from freebody.viewer.surface import drawn_surface, turned_alike


def normals_of(points, triangles):
    """Unit normals of triangles."""
    a, b, c = np.moveaxis(points[triangles], 1, 0)
    n = np.cross(b - a, c - a)
    return n / np.linalg.norm(n, axis=1, keepdims=True)


def vertex_normals(points, vertices, triangles):
    """As the viewer computes them: the sum of the normals of the triangles around a vertex, by their areas."""
    a, b, c = np.moveaxis(points[vertices][triangles], 1, 0)
    n = np.zeros((len(vertices), 3))
    for corner in range(3):
        np.add.at(n, triangles[:, corner], np.cross(b - a, c - a))
    return n / np.linalg.norm(n, axis=1, keepdims=True)


def shuffled(triangles, seed=0):
    """The triangles in another order, half of them reversed, with other first corners."""
    rng = np.random.default_rng(seed)
    rows = rng.permutation(triangles)
    rows = np.where(rng.random((len(rows), 1)) < 0.5, rows[:, ::-1], rows)
    return np.array([np.roll(row, k) for row, k in zip(rows, rng.integers(3, size=len(rows)), strict=True)])


def sheet(n=6):
    mesh = MeshTri.init_tensor(np.linspace(0, 1, n), np.linspace(0, 1, n))
    return np.column_stack([mesh.p.T, np.zeros(mesh.p.shape[1])]), mesh.t.T


def cube(n=4):
    mesh = MeshHex.init_tensor(*[np.linspace(0, 1, n)] * 3).to_meshtet()
    return mesh.p.T, mesh.facets[:, mesh.boundary_facets()].T


def test_a_flat_sheet_has_one_side_up_however_its_triangles_are_wound() -> None:
    points, triangles = sheet()
    z = normals_of(points, triangles)[:, 2]
    assert {-1.0, 1.0} == set(z)  # as the mesh library numbers them
    for seed in range(3):
        alike = turned_alike(shuffled(triangles, seed))
        z = normals_of(points, alike)[:, 2]
        assert abs(z.sum()) == len(z)
        assert np.array_equal(np.sort(np.sort(alike, 1), 0), np.sort(np.sort(triangles, 1), 0))


def test_the_first_triangle_of_each_part_decides() -> None:
    points, triangles = sheet()
    alike = shuffled(triangles)
    two = np.concatenate([alike, alike[:, ::-1] + len(points)])
    turned = turned_alike(two)
    assert np.array_equal(turned[0], two[0]) and np.array_equal(turned[len(alike)], two[len(alike)])
    z = normals_of(np.concatenate([points, points]), turned)[:, 2]
    assert z[: len(alike)].sum() == -z[len(alike) :].sum() != 0


def test_a_mobius_strip_and_nothing_stay_as_they_are() -> None:
    strip = np.array([(k, (k + 1) % 5, (k + 2) % 5) for k in range(5)])
    assert np.array_equal(turned_alike(strip), strip)
    vertices, triangles = drawn_surface(np.zeros((0, 3)), np.zeros((0, 3), int))
    assert len(vertices) == len(triangles) == 0


def test_a_sharp_edge_divides_vertices_and_a_smooth_one_does_not() -> None:
    points, triangles = cube()
    vertices, divided = drawn_surface(points, shuffled(triangles))
    assert len(vertices) == 6 * 16  # the points of each side for itself
    normals = vertex_normals(points, vertices, divided)
    assert np.allclose(np.sort(np.abs(normals), 1), (0, 0, 1))
    outward = np.einsum("ij,ij->i", normals, points[vertices] - 0.5)
    assert len(set(np.sign(outward))) == 1
    bent, flat = sheet()
    bent[:, 2] = 0.3 * bent[:, 0] ** 2
    assert len(drawn_surface(bent, flat)[0]) == len(bent)
    folded = bent.copy()
    folded[:, 2] = 2 * np.abs(bent[:, 0] - 0.4)  # along a line of nodes
    assert len(drawn_surface(folded, flat)[0]) == len(bent) + 6


def test_normals_of_a_bent_sheet_are_smooth() -> None:
    points, triangles = sheet(15)
    vertices, divided = drawn_surface(points, shuffled(triangles))
    points[:, 2] = 0.4 * points[:, 0] ** 2
    normals = vertex_normals(points, vertices, divided)
    slope = 0.8 * points[vertices, 0]
    exact = np.column_stack([-slope, 0 * slope, np.ones(len(slope))]) / np.hypot(1, slope)[:, None]
    assert (np.abs(np.einsum("ij,ij->i", normals, exact)) > np.cos(0.04)).all()


@pytest.mark.parametrize("name", ["box.stl", "box.obj"])
def test_meshes_of_files_have_sharp_edges_however_their_faces_are_wound(name: str, tmp_path: Path) -> None:
    points, triangles = cube()
    rows = shuffled(triangles)
    if name == "box.obj":
        lines = [f"v {x} {y} {z}" for x, y, z in points] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in rows]
    else:
        facets = ("".join(f"vertex {x} {y} {z}\n" for x, y, z in points[row]) for row in rows)
        each = (f"facet normal 0 0 0\nouter loop\n{facet}endloop\nendfacet" for facet in facets)
        lines = ["solid box", *each, "endsolid box"]
    (tmp_path / name).write_text("\n".join(lines))
    (part,) = mesh_parts(read_mesh(tmp_path / name, [tmp_path]), 10_000)
    assert part.geometry.normals is not None
    assert len(part.geometry.vertices) == 6 * 16
    assert np.allclose(np.sort(np.abs(part.geometry.normals), 1), (0, 0, 1), atol=0.01)
    direct = with_normals(points, turned_alike(rows))
    assert direct.normals is not None and len(direct.normals) == 6 * 16


def test_the_scene_of_a_plate_has_one_side_up_and_that_of_a_solid_sharp_edges() -> None:
    steel = {"young": 2e11, "poisson": 0.3, "density": 7800.0}
    panel = fb.plate_structure(
        MeshTri.init_tensor(np.linspace(0, 0.6, 5), np.linspace(0, 0.4, 4)),
        thickness=1e-3,
        **steel,
        sets={"edge": lambda x: x[:, 0] < 1e-9},
    )
    bar = fb.solid_structure(
        MeshHex.init_tensor(*(np.linspace(0, size, n) for size, n in ((0.4, 5), (0.04, 2), (0.02, 2)))).to_meshtet(),
        **steel,
        sets={"edge": lambda x: x[:, 0] < 1e-9},
    )
    for part, expected in ((panel, 1), (bar, 6)):
        mesh = part.reduce(2, interfaces={"root": "edge"}, frame="root").reduced.mesh
        vertices, triangles = drawn_surface(mesh.points, mesh.triangles)
        normals = vertex_normals(mesh.points, vertices, triangles)
        assert len(np.unique(normals.round(6) + 0.0, axis=0)) == expected
