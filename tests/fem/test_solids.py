"""Structures of solid elements: rigid motions, patch tests, beams, buckling, and scikit-fem's own assembly."""

import re
import sys
from functools import cache

import meshio
import numpy as np
import pytest
import skfem
from scipy.linalg import eigh
from skfem.models.elasticity import lame_parameters, linear_elasticity

import freebody as fb
from freebody.errors import BackendError, FileError, ModelError
from freebody.extras import install_command
from freebody.io import element_meshes
from tests.fem.box_meshes import KINDS, box, with_edge_nodes

STEEL = {"young": 2.1e11, "poisson": 0.3, "density": 7800.0}
SIZES = (0.4, 0.3, 0.2)


def free_of(structure, *sets):
    """The unknowns of nodes outside sets."""
    held = structure.unknown[np.concatenate([structure.sets[name] for name in sets]), :3]
    return np.setdiff1d(np.arange(structure.size), held)


def frequencies(structure, count, *held):
    free = free_of(structure, *held) if held else np.arange(structure.size)
    K, M = (A[free][:, free].toarray() for A in (structure.stiffness, structure.mass))
    return np.sqrt(np.abs(eigh(K, M, eigvals_only=True, subset_by_index=[0, count - 1])))


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("quadratic", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_rigid_motions_give_no_strain_and_the_exact_inertia_of_a_box(kind, quadratic):
    part = fb.solid_structure(box(kind, SIZES, (3, 3, 3), 0.2), **STEEL, quadratic=quadratic)
    m, (a, b, c) = 7800 * np.prod(SIZES), SIZES
    centre = np.array(SIZES) / 2
    assert part.residuals.max() < 1e-14
    assert part.total_mass == pytest.approx(m, rel=1e-13)
    J = part.rigid_mass[3:, 3:]
    expected = m / 12 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])
    expected += m * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    np.testing.assert_allclose(J, expected, rtol=1e-12)
    x, y, z = m * centre
    np.testing.assert_allclose(part.rigid_mass[:3, 3:], [[0, z, -y], [-z, 0, x], [y, -x, 0]], atol=1e-12 * m)


@pytest.mark.parametrize("quadratic", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_a_linear_displacement_gives_constant_stress_on_a_distorted_mesh(kind, quadratic):
    """The forces at nodes inside vanish, and the energy is that of the constant stress (patch test)."""
    part = fb.solid_structure(box(kind, SIZES, (3, 3, 3), 0.2), **STEEL, quadratic=quadratic)
    slopes = np.random.default_rng(1).normal(size=(3, 3)) * 1e-3
    u = (part.positions @ slopes.T).ravel()
    strain = (slopes + slopes.T) / 2
    lam, mu = lame_parameters(STEEL["young"], STEEL["poisson"])
    stress = lam * np.trace(strain) * np.eye(3) + 2 * mu * strain
    assert u @ (part.stiffness @ u) == pytest.approx(np.prod(SIZES) * np.sum(stress * strain), rel=1e-12)
    x = part.positions
    inside = ((x > 1e-9) & (x < np.array(SIZES) - 1e-9)).all(1)
    forces = (part.stiffness @ u).reshape(-1, 3)
    assert inside.sum() >= 8
    assert np.abs(forces[inside]).max() < 1e-12 * np.abs(forces).max()


@pytest.mark.parametrize("kind, element", [("tetra", skfem.ElementTetP2()), ("hexahedron", skfem.ElementHexS2())])
def test_matrices_are_those_of_scikit_fem(kind, element):
    mesh = box(kind, SIZES, (2, 2, 2), 0.2)
    part = fb.solid_structure(mesh, **STEEL)
    own = (skfem.MeshTet if kind == "tetra" else skfem.MeshHex)(*_skfem_arrays(mesh, kind))
    basis = skfem.Basis(own, skfem.ElementVector(element), intorder=5 if kind == "hexahedron" else 4)
    K = linear_elasticity(*lame_parameters(STEEL["young"], STEEL["poisson"])).assemble(basis)
    exact = skfem.Basis(own, skfem.ElementVector(element), intorder=8)
    M = skfem.BilinearForm(lambda u, v, w: 7800.0 * skfem.helpers.dot(u, v)).assemble(exact)
    order = _matching(part, basis.doflocs.T)
    for ours, theirs in ((part.stiffness, K), (part.mass, M)):
        difference = ours.toarray() - theirs.toarray()[np.ix_(order, order)]
        assert np.abs(difference).max() < 1e-12 * abs(theirs).max()


def _skfem_arrays(mesh, kind):
    nodes = mesh.cells[0].data
    return mesh.points.T, (nodes if kind == "tetra" else nodes[:, [0, 4, 3, 1, 7, 5, 2, 6]]).T


def _matching(part, places):
    """The unknown of scikit-fem at the position of each unknown: its components follow each other at a place."""
    order = np.empty(part.size, dtype=int)
    for i, x in enumerate(part.positions):
        order[3 * i : 3 * i + 3] = np.sort(np.flatnonzero(np.abs(places - x).max(1) < 1e-9))
    return order


def test_geometric_stiffness_of_a_constant_stress():
    """Rotations of a body under a constant stress σ: θᵀ G θ = V (tr(σ) 1 − σ), and G is linear in u."""
    part = fb.solid_structure(box("tetra", SIZES, (2, 2, 2), 0.2), **STEEL)
    slopes = np.random.default_rng(2).normal(size=(3, 3)) * 1e-3
    lam, mu = lame_parameters(STEEL["young"], STEEL["poisson"])
    stress = lam * np.trace(slopes) * np.eye(3) + mu * (slopes + slopes.T)
    u = (part.positions @ slopes.T).ravel()
    G, R = part.geometric(u), part.rigid_motions
    expected = np.prod(SIZES) * (np.trace(stress) * np.eye(3) - stress)
    np.testing.assert_allclose(R[:, 3:].T @ (G @ R[:, 3:]), expected, rtol=1e-11)
    assert abs(part.geometric(2 * u + 3) - 2 * G).max() < 1e-10 * abs(G).max()
    assert abs(part.geometric(R @ np.arange(6.0))).max() < 1e-12 * abs(G).max() / np.abs(slopes).max()


# ── beams ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@cache
def timoshenko(l, b, h, E, rho):
    """The frequencies of a cantilever without lateral contraction, for which the shear factor of a rectangle is 5/6."""
    beam = fb.Beam(
        length=l,
        EA=E * b * h,
        EI=[E * h * b**3 / 12, E * b * h**3 / 12],
        GA=5 / 6 * E / 2 * b * h,
        density=rho * b * h,
        rotary_inertia=[rho * h * b**3 / 12, rho * b * h**3 / 12],
        axial=1,
    )
    return np.sort([mode.frequency for mode in beam.modal_data(2).modes])


@pytest.mark.parametrize("kind", KINDS)
def test_a_cantilever_converges_to_timoshenkos_beam(kind):
    l, b, h, E, rho = 1.0, 0.06, 0.08, 2e11, 7800.0
    expected = timoshenko(l, b, h, E, rho)  # bending along y and z, axial
    errors = list[np.ndarray]()
    for n in (4, 8):
        part = fb.solid_structure(
            box(kind, (l, b, h), (n, 1, 1)), young=E, poisson=0.0, density=rho, sets={"root": lambda x: x[:, 0] < 1e-9}
        )
        computed = frequencies(part, 10, "root")
        nearest = np.abs(computed[:, None] - expected).argmin(0)
        errors.append(np.abs(computed[nearest] / expected - 1))
    assert (errors[1] < [2e-3, 2e-3, 1e-5]).all()
    assert (errors[1] < errors[0] / 4).all()


def test_a_free_body_has_six_zero_frequencies():
    computed = frequencies(fb.solid_structure(box("tetra", SIZES, (2, 2, 1), 0.1), **STEEL), 7)
    assert computed[5] < 1e-5 * computed[6]


@pytest.mark.parametrize("kind", ["tetra", "hexahedron"])
def test_a_column_buckles_at_eulers_load(kind):
    l, b, h, E = 1.0, 0.05, 0.04, 2e11
    part = fb.solid_structure(
        box(kind, (l, b, h), (10, 1, 1)),
        young=E,
        poisson=0.0,
        density=1.0,
        sets={"root": lambda x: x[:, 0] < 1e-9, "tip": lambda x: x[:, 0] > l - 1e-9},
    )
    free = free_of(part, "root")
    u = np.zeros(part.size)
    u[0::3] = -part.positions[:, 0] / (E * b * h)  # the displacement of a compressive load of 1 N
    K, G = (A[free][:, free].toarray() for A in (part.stiffness, part.geometric(u)))
    load = 1 / eigh(-G, K, eigvals_only=True)[-1]
    euler = np.pi**2 * E * b * h**3 / 12 / (4 * l**2)
    shear = 5 / 6 * E / 2 * b * h
    assert load == pytest.approx(euler / (1 + euler / shear), rel=2e-3)


# ── meshes ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ["tetra", "hexahedron"])
def test_edge_nodes_of_a_file_are_those_added_to_linear_cells(kind, tmp_path):
    mesh = box(kind, SIZES, (2, 1, 2))
    path = tmp_path / "box.vtu"
    with_edge_nodes(mesh).write(path)
    read, added = fb.solid_structure(path, **STEEL), fb.solid_structure(mesh, **STEEL)
    np.testing.assert_allclose(frequencies(read, 20)[6:], frequencies(added, 20)[6:], rtol=1e-9)


def test_cells_of_several_types_share_the_nodes_on_their_edges():
    """A box whose left half is of hexahedra and whose right half is of wedges, as one mesh and as hexahedra alone."""
    whole = box("hexahedron", SIZES, (4, 2, 2))
    cells = whole.cells[0].data
    left = whole.points[cells].mean(1)[:, 0] < SIZES[0] / 2
    wedges = np.vstack([cells[~left][:, [0, 1, 3, 4, 5, 7]], cells[~left][:, [1, 2, 3, 5, 6, 7]]])
    mixed = fb.solid_structure(meshio.Mesh(whole.points, [("hexahedron", cells[left]), ("wedge", wedges)]), **STEEL)
    assert mixed.residuals.max() < 1e-14
    assert mixed.total_mass == pytest.approx(7800 * np.prod(SIZES), rel=1e-12)
    alone = frequencies(fb.solid_structure(whole, **STEEL), 9)[6:]
    np.testing.assert_allclose(frequencies(mixed, 9)[6:], alone, rtol=0.01)


def test_curved_cells_have_the_volume_of_their_shape():
    """A quarter of a ring of 20-node cells: positions on edges are used."""
    mesh = with_edge_nodes(box("hexahedron", (1.0, 1.0, 0.1), (2, 8, 1)))
    r, angle = 1 + mesh.points[:, 0], mesh.points[:, 1] * np.pi / 2
    mesh.points[:, :2] = np.column_stack([r * np.cos(angle), r * np.sin(angle)])
    part = fb.solid_structure(mesh, **STEEL)
    assert part.total_mass == pytest.approx(7800 * np.pi / 4 * 3 * 0.1, rel=1e-5)
    assert part.residuals.max() < 1e-14


def test_meshes_of_scikit_fem_have_their_boundaries_and_subdomains():
    mesh = skfem.MeshHex.init_tensor(*(np.linspace(0, l, 3) for l in SIZES))
    mesh = mesh.with_boundaries({"left": lambda x: x[0] == 0})
    mesh = mesh.with_subdomains({"low": lambda x: x[2] < 0.1, "high": lambda x: x[2] > 0.1})
    part = fb.solid_structure(mesh, young=1e9, poisson=0.3, density={"low": 1000.0, "high": 3000.0})
    np.testing.assert_array_equal(part.sets["left"], part.nodes_where(lambda x: x[:, 0] < 1e-9))
    assert part.total_mass == pytest.approx(2000 * np.prod(SIZES), rel=1e-12)
    assert part.rigid_mass[1, 3] == pytest.approx(-2000 * np.prod(SIZES) * 0.125, rel=1e-12)
    quadratic = skfem.MeshHex2.from_mesh(skfem.MeshHex.init_tensor(*(np.linspace(0, l, 3) for l in SIZES)))
    assert fb.solid_structure(quadratic, **STEEL).size == part.size  # nodes on faces and inside are left out


def test_groups_of_gmsh_and_sets_of_abaqus_are_sets_of_nodes(tmp_path):
    mesh = box("tetra", SIZES, (2, 2, 2))
    x, cells = mesh.points, mesh.cells[0].data
    left = np.flatnonzero(x[:, 0] == 0)
    corners = [cell[np.isin(cell, left)] for cell in cells]
    faces = np.array([c for c in corners if len(c) == 3])
    centre = len(x)  # a node of no cell
    tags = [np.array([4]), np.full(len(faces), 7), np.full(len(cells), 2)]
    gmsh = meshio.Mesh(
        np.vstack([x, [[9, 9, 9]]]),
        [("vertex", [[centre]]), ("triangle", faces), ("tetra", cells)],
        cell_data={"gmsh:physical": tags, "gmsh:geometrical": [np.ones_like(tag) for tag in tags]},
        field_data={"left face": np.array([7, 2])},
    )
    meshio.write(tmp_path / "part.msh", gmsh, file_format="gmsh22", binary=False)
    part = fb.solid_structure(tmp_path / "part.msh", **{**STEEL, "density": {"physical volume 2": 7800.0}}, scale=2.0)
    expected = part.nodes_where(lambda x: x[:, 0] < 1e-9)
    np.testing.assert_array_equal(part.sets["left face"], expected)
    assert "physical point 4" not in part.sets
    assert part.total_mass == pytest.approx(8 * 7800 * np.prod(SIZES), rel=1e-12)

    abaqus = meshio.Mesh(x, [("tetra", cells)], point_sets={"left": left.astype("int32")})
    abaqus.write(tmp_path / "part.inp")
    part = fb.solid_structure(tmp_path / "part.inp", **STEEL, sets={"same": left})
    np.testing.assert_array_equal(part.sets["left"], part.sets["same"])
    assert len(part.sets["left"]) == len(expected)


def test_entities_of_gmsh_4_may_belong_to_several_groups(tmp_path):
    text = """$MeshFormat\n4.1 0 8\n$EndMeshFormat
$PhysicalNames\n3\n2 7 "base"\n3 2 "solid"\n3 3 "all"\n$EndPhysicalNames
$Entities\n0 0 1 1\n1 0 0 0 1 1 0 1 7 0\n1 0 0 0 1 1 1 2 2 3 1 1\n$EndEntities
$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes
$Elements\n2 2 1 2\n2 1 2 1\n1 1 2 3\n3 1 4 1\n2 1 2 3 4\n$EndElements\n"""
    (tmp_path / "tetra.msh").write_text(text)
    part = fb.solid_structure(tmp_path / "tetra.msh", **{**STEEL, "density": {"all": 6000.0}})
    assert {name: len(nodes) for name, nodes in part.sets.items()} == {"base": 6, "solid": 10, "all": 10}
    assert part.total_mass == pytest.approx(1000.0, rel=1e-12)


def test_surfaces_for_drawing_are_closed():
    for kind in KINDS:
        part = fb.solid_structure(box(kind, SIZES, (2, 2, 2)), **STEEL)
        corners = part.positions[part.triangles]
        area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum() / 2
        a, b, c = SIZES
        assert area == pytest.approx(2 * (a * b + b * c + c * a))
        ends = part.positions[part.lines]
        assert np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1).sum() == pytest.approx(4 * (a + b + c))


# ── bad input ────────────────────────────────────────────────────────────────────────────────────────────────────────

CUBE = np.array([(x, y, z) for z in (0.0, 1.0) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))])


def hexahedron(nodes=range(8), points=CUBE, **others):
    return meshio.Mesh(points, [("hexahedron", [list(nodes)])], **others)


@pytest.mark.parametrize("mesh, changes, text", [
    (meshio.Mesh(CUBE, [("quad", [[0, 1, 2, 3]])]), {},
     "the mesh has no solid cells (tetrahedra, hexahedra or wedges); its cells are: quad"),
    (meshio.Mesh(CUBE, [("pyramid", [[0, 1, 2, 3, 4]])]), {}, "cells of type pyramid are not supported"),
    (hexahedron([0, 1, 2, 3, 4, 5, 6, 9]), {}, "the nodes of 'hexahedron' cells are whole numbers from 0 to 7"),
    (hexahedron([0, 1, 2, 3, 4, 5]), {}, "'hexahedron' cells have 8 nodes each, not 6"),
    (hexahedron(points=CUBE * [1, 1, 0]), {}, "has no volume"),
    (hexahedron([0, 2, 1, 3, 4, 5, 6, 7]), {}, "is turned inside out somewhere"),
    (hexahedron(points=np.where(CUBE > 0.5, np.nan, CUBE)), {}, "positions of nodes are not finite numbers"),
    (meshio.Mesh(np.vstack([CUBE, CUBE + 3]), [("hexahedron", [list(range(8)), list(range(8, 16))])]), {},
     "the mesh has 2 parts without common nodes (of 20, 20 nodes)"),
    (hexahedron(), {"young": 0.0}, "young must be positive, not 0"),
    (hexahedron(), {"density": "steel"}, "density must be a number, not 'steel'"),
    (hexahedron(), {"poisson": 0.5}, "poisson must be between -1 and 0.5, not 0.5"),
    (hexahedron(), {"young": {"core": 1.0}}, "young: mesh has no set of cells 'core'; its sets of cells are: none"),
    (hexahedron(cell_sets={"core": [np.array([], dtype=int)]}), {"young": {"core": 1.0}},
     "1 cells of mesh belong to none of the sets core"),
    (hexahedron(), {"scale": 0.0}, "scale is a positive number, not 0.0"),
    (hexahedron(), {"sets": {"tip": lambda x: x[:, 0] > 2}},
     "the set 'tip' has no nodes; the nodes of cells are in [0, 1] × [0, 1] × [0, 1] m"),
    (hexahedron(), {"sets": {"tip": lambda x: x[:, 0]}}, "x[:, 0] < 1e-6, not float64 of shape (20,)"),
    (hexahedron(), {"scale": "mm"}, "scale is a positive number, not 'mm': 1e-3 for a mesh in millimetres"),
    (hexahedron(), {"sets": ["tip"]}, "sets must be a dictionary of names and indices of nodes"),
    (hexahedron(), {"sets": {"tip": [3, 40]}}, "the set 'tip' needs indices from 0 to 7; it has 3 to 40"),
    (hexahedron(), {"sets": {"tip": "left"}}, "the set 'tip' needs indices, or a function of positions; it is 'left'"),
    (42, {}, "a mesh is the path of a file, a meshio.Mesh or a mesh of scikit-fem, not 42"),
])  # fmt: skip
def test_wrong_meshes_and_constants_are_refused(mesh, changes, text):
    with pytest.raises(ModelError, match=re.escape(text)):
        fb.solid_structure(mesh, **{**STEEL, **changes})


def test_edge_nodes_in_another_order_are_refused():
    mesh = with_edge_nodes(box("hexahedron", SIZES, (1, 1, 1)))
    mesh.cells[0].data[:, [12, 16]] = mesh.cells[0].data[:, [16, 12]]
    with pytest.raises(ModelError, match="lengths away from the middle of its edge"):
        fb.solid_structure(mesh, **STEEL)


@pytest.mark.parametrize("name, content", [
    ("none.vtu", None), ("empty.msh", b""), ("noise.msh", b"$MeshFormat\n4.1 1 8\n\x00\xff"), ("part.mdpa", b"x"),
    ("count.msh", b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n99999999999999999\n1 0 0 0\n$EndNodes\n"),
    ("xml.vtu", b"<?xml version='1.0'?><VTKFile type='UnstructuredGrid'><!--"), ("text.inp", b"*NODE\n1, a, b, c\n"),
    ("ansys.msh", b"(1 "), ("other.vtu", b"$MeshFormat\n"), ("text.med", b"once upon a time"),
    ("old.vtk", b"# vtk DataFile Version 5.1\nx\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 9 float\n\x00"),
])  # fmt: skip
def test_unreadable_files_are_named(name, content, tmp_path, capfd):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FileError, match=re.escape(str(path))):
        fb.solid_structure(path, **STEEL)
    assert capfd.readouterr() == ("", "")


def test_files_that_a_mesh_names_are_in_its_folder_or_in_named_ones(tmp_path):
    folder, other = tmp_path / "folder", tmp_path / "other"
    folder.mkdir()
    other.mkdir()
    mesh = box("tetra", SIZES, (1, 1, 1))
    mesh.write(other / "whole.inp")
    nodes, cells = (other / "whole.inp").read_text().split("*ELEMENT", 1)
    (other / "nodes.inp").write_text(nodes)
    (folder / "part.inp").write_text(f"** a part\n*INCLUDE, INPUT=../other/nodes.inp\n*ELEMENT{cells}")
    with pytest.raises(FileError, match=r"part.inp:2: the included file '../other/nodes.inp' is outside of"):
        fb.solid_structure(folder / "part.inp", **STEEL)
    found = fb.solid_structure(folder / "part.inp", **STEEL, folders=[other], quadratic=False)
    assert found.size == fb.solid_structure(other / "whole.inp", **STEEL, quadratic=False).size
    (other / "nodes.inp").write_text("*INCLUDE, INPUT=nodes.inp\n")
    with pytest.raises(FileError, match="it includes more than 20 files"):
        fb.solid_structure(folder / "part.inp", **STEEL, folders=[other])
    pytest.importorskip("h5py")
    mesh.write(folder / "part.xdmf")
    assert fb.solid_structure(folder / "part.xdmf", **STEEL, quadratic=False).size == found.size
    (folder / "part.h5").rename(other / "part.h5")
    text = (folder / "part.xdmf").read_text()
    (folder / "part.xdmf").write_text(text.replace("part.h5", "../other/part.h5"))
    with pytest.raises(FileError, match=r"part.xdmf: its file of data '../other/part.h5' is outside of the folders"):
        fb.solid_structure(folder / "part.xdmf", **STEEL)
    import h5py

    with h5py.File(other / "part.h5") as file, h5py.File(folder / "part.h5", "w") as links:
        for key in file:
            links[key] = h5py.ExternalLink(str(other / "part.h5"), key)
    (folder / "part.xdmf").write_text(text)
    with pytest.raises(FileError, match="it has links to other files, which are not followed"):
        fb.solid_structure(folder / "part.xdmf", **STEEL)


def test_large_files_are_refused_before_they_are_read(tmp_path, monkeypatch):
    box("tetra", SIZES, (1, 1, 1)).write(tmp_path / "box.vtu")
    monkeypatch.setattr(element_meshes, "LARGEST_FILE", 100)
    with pytest.raises(FileError, match=r"box.vtu: the mesh has .* MiB are read"):
        fb.solid_structure(tmp_path / "box.vtu", **STEEL)


def test_missing_packages_are_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "meshio", None)
    with pytest.raises(BackendError, match="solid_structure needs .*: " + re.escape(install_command("fem"))):
        fb.solid_structure("part.msh", **STEEL)


def test_a_structure_prints_its_mass_and_sets():
    part = fb.solid_structure(hexahedron(), **STEEL, name="cube", sets={"low": lambda x: x[:, 2] == 0})
    assert repr(part) == "<Structure 'cube': 20 nodes, 60 unknowns, 7800 kg, sets: low>"
