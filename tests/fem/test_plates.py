"""Structures of flat plates: rigid motions, patch tests, closed forms of frequencies and buckling."""

import re

import meshio
import numpy as np
import pytest
import skfem
from scipy.linalg import eigh
from scipy.sparse.linalg import eigsh
from skfem.helpers import dd, ddot, trace

import freebody as fb
from freebody.errors import ModelError

STEEL = {"young": 2.1e11, "poisson": 0.3, "density": 7800.0}
A, B, H = 1.0, 0.8, 2e-3
D = STEEL["young"] * H**3 / 12 / (1 - STEEL["poisson"] ** 2)
PER_AREA = STEEL["density"] * H


def rectangle(n, distortion=0.0, a=A, b=B):
    mesh = skfem.MeshTri.init_tensor(np.linspace(0, a, n + 1), np.linspace(0, b, n + 1))
    inside = mesh.interior_nodes()
    points = mesh.p.copy()
    points[:, inside] += distortion / n * np.random.default_rng(0).uniform(-1, 1, (2, len(inside)))
    return skfem.MeshTri(points, mesh.t)


def plate(mesh, **changes):
    return fb.plate_structure(mesh, **{**STEEL, "thickness": H, **changes})


def unknowns_of(part, u, v, w, slopes):
    """The unknowns of a displacement field, given by functions of x and y; slopes returns w,x and w,y."""
    x, y, _ = part.positions[part.node].T
    dx, dy = slopes(x, y)
    normal_y, normal_x = part.rigid_motions[:, 3], -part.rigid_motions[:, 4]
    values = [u(x, y), v(x, y), w(x, y), dy, -dx, np.zeros_like(x), normal_x * dx + normal_y * dy]
    return np.choose(part.component, values)


def on_edges(part):
    """For each unknown, whether its node is on the left or right edge, and on the lower or upper one."""
    x, y, _ = part.positions[part.node].T
    return (x < 1e-9) | (x > x.max() - 1e-9), (y < 1e-9) | (y > y.max() - 1e-9)


def deflections(part, held):
    """Frequencies of the deflection."""
    free = np.flatnonzero((part.component >= 2) & ~held)
    K, M = (S[free][:, free].tocsc() for S in (part.stiffness, part.mass))
    return np.sqrt(np.abs(np.sort(eigsh(K, k=8, M=M, sigma=-1.0, return_eigenvectors=False))))


def simply_supported(part):
    left, low = on_edges(part)
    return ((left | low) & (part.component == 2)) | (left & (part.component == 3)) | (low & (part.component == 4))


def test_rigid_motions_give_no_strain_and_the_exact_inertia_of_a_plate():
    part = plate(rectangle(4, 0.2), thickness=0.05)
    m = STEEL["density"] * A * B * 0.05
    assert part.residuals.max() < 1e-14
    expected = np.diag([m / 3 * B**2 + m / 12 * 0.05**2, m / 3 * A**2 + m / 12 * 0.05**2, m / 3 * (A**2 + B**2)])
    expected[0, 1] = expected[1, 0] = -m * A * B / 4
    np.testing.assert_allclose(part.rigid_mass[3:, 3:], expected, rtol=1e-12, atol=1e-12 * m)
    assert part.total_mass == pytest.approx(m, rel=1e-13)


def test_constant_strains_and_curvatures_on_a_distorted_mesh():
    """Forces on unknowns inside vanish, and the energy is that of constant forces and moments (patch test)."""
    part = plate(rectangle(4, 0.2))
    left, low = on_edges(part)
    E, nu = STEEL["young"], STEEL["poisson"]
    C = E / (1 - nu**2) * np.array([[1, nu, 0], [nu, 1, 0], [0, 0, (1 - nu) / 2]])
    zero = lambda x, y: 0 * x  # noqa: E731
    stretched = unknowns_of(part, lambda x, y: 2 * x + y, lambda x, y: 0.5 * x - y, zero, lambda x, y: (0 * x, 0 * x))
    bent = unknowns_of(
        part, zero, zero, lambda x, y: x**2 - 0.3 * y**2 + 2 * x * y, lambda x, y: (2 * x + 2 * y, -0.6 * y + 2 * x)
    )
    for u, strain, factor in ((stretched, [2, -1, 1.5], H), (bent, [2, -0.6, 4], H**3 / 12)):
        strain = np.array(strain)
        assert u @ (part.stiffness @ u) == pytest.approx(A * B * factor * strain @ C @ strain, rel=1e-9)
        forces = part.stiffness @ u
        terms = abs(part.stiffness) @ np.abs(u)
        assert np.abs(forces[~(left | low)]).max() < 1e-11 * terms.max()


def test_matrices_are_those_of_scikit_fem():
    """By the frequencies of the free plate; the signs of some unknowns differ."""
    mesh = rectangle(2, 0.2)
    part = plate(mesh)
    basis = skfem.Basis(mesh, skfem.ElementTri15ParamPlate(), intorder=8)
    nu = STEEL["poisson"]
    bend = skfem.BilinearForm(lambda u, v, w: D * ((1 - nu) * ddot(dd(u), dd(v)) + nu * trace(dd(u)) * trace(dd(v))))
    inertia = skfem.BilinearForm(lambda u, v, w: PER_AREA * (u * v + H**2 / 12 * skfem.helpers.dot(u.grad, v.grad)))
    expected = eigh(bend.assemble(basis).toarray(), inertia.assemble(basis).toarray(), eigvals_only=True)
    at = part.component >= 2
    K, M = (S[at][:, at].toarray() for S in (part.stiffness, part.mass))
    np.testing.assert_allclose(eigh(K, M, eigvals_only=True)[3:], expected[3:], rtol=1e-7)


def test_a_simply_supported_plate_has_navier_frequencies():
    exact = np.sort([np.pi**2 * ((m / A) ** 2 + (n / B) ** 2) for m in range(1, 5) for n in range(1, 5)])[:4]
    errors = []
    for n in (4, 8):
        part = plate(rectangle(n))
        errors.append(np.abs(deflections(part, simply_supported(part))[:4] / exact / np.sqrt(D / PER_AREA) - 1).max())
    assert errors[1] < 4e-3
    assert errors[1] < errors[0] / 2.5


def test_clamped_and_free_square_plates():
    """Leissa, Vibration of plates (1969), Tables 4.29 and 4.68, for ν = 0.3."""
    part = plate(rectangle(10, b=A))
    unit = np.sqrt(D / PER_AREA) / A**2
    left, low = on_edges(part)
    np.testing.assert_allclose(deflections(part, left | low)[:3] / unit, [35.985, 73.394, 73.394], rtol=4e-3)
    free = deflections(part, left & False) / unit
    assert free[2] < 1e-3
    np.testing.assert_allclose(free[3:6], [13.468, 19.596, 24.270], rtol=2e-3)


def test_a_plate_buckles_at_four_times_pi_squared_d():
    """A square plate, simply supported, under a compressive force along x: N = 4 π² D / a²."""
    part = plate(rectangle(8, b=A))
    E, nu = STEEL["young"], STEEL["poisson"]
    x, y, _ = part.positions[part.node].T
    u = np.choose(part.component, [-x, nu * y, *5 * [0 * x]])
    free = np.flatnonzero((part.component >= 2) & ~simply_supported(part))
    K, G = (S[free][:, free].toarray() for S in (part.stiffness, part.geometric(u / (E * H))))
    assert 1 / eigh(-G, K, eigvals_only=True)[-1] == pytest.approx(4 * np.pi**2 * D / A**2, rel=4e-3)


def test_displacements_are_turned_with_the_body():
    """cross_a of a linear field is the field e_a × u, without an error."""
    part = plate(rectangle(3, 0.2))
    S = np.random.default_rng(3).normal(size=(3, 3))

    def field(S):
        return unknowns_of(
            part,
            *(lambda x, y, row=row: row[0] + row[1] * x + row[2] * y for row in S),
            lambda x, y: (S[2, 1] + 0 * x, S[2, 2] + 0 * x),
        )

    for a in range(3):
        e = np.zeros(3)
        e[a] = 1
        np.testing.assert_allclose(part.crosses[a] @ field(S), field(np.cross(e, S.T).T), atol=1e-12)


def test_meshes_of_quadrilaterals_with_several_thicknesses(tmp_path):
    mesh = skfem.MeshQuad.init_tensor(np.linspace(0, A, 5), np.linspace(0, B, 3))
    mesh = mesh.with_boundaries({"left": lambda x: x[0] == 0})
    mesh = mesh.with_subdomains({"thin": lambda x: x[0] < 0.5, "thick": lambda x: x[0] > 0.5})
    part = plate(mesh, thickness={"thin": 1e-3, "thick": 3e-3}, sets={"corner": lambda x: x[:, 0] * x[:, 1] == A * B})
    assert part.total_mass == pytest.approx(STEEL["density"] * A * B * 2e-3, rel=1e-12)
    assert part.rigid_mass[1, 5] == pytest.approx(STEEL["density"] * A / 2 * B * (0.25e-3 + 0.75 * 3e-3), rel=1e-12)
    np.testing.assert_array_equal(part.sets["left"], part.nodes_where(lambda x: x[:, 0] == 0))
    assert len(part.sets["corner"]) == 1
    corners = part.positions[part.triangles]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    assert areas.sum() / 2 == pytest.approx(A * B)
    ends = part.positions[part.lines]
    assert np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1).sum() == pytest.approx(2 * (A + B))


def test_a_single_node_of_a_plate_is_no_interface():
    with pytest.raises(ModelError, match="no unknowns for rz; give several nodes, which determine the motion together"):
        plate(rectangle(2)).reduce(2, interfaces={"tip": [0]})


SQUARE = np.array([(0.0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1)])


@pytest.mark.parametrize("points, kind, cells, changes, text", [
    (SQUARE, "tetra", [[0, 1, 2, 4]], {}, "the mesh has solid cells (tetra); use solid_structure"),
    (SQUARE, "line", [[0, 1]], {}, "the mesh has no triangles or quadrilaterals; its cells are: line"),
    (SQUARE, "triangle", [[0, 1, 4]], {}, "the plate is not flat: z is from 0 to 1"),
    (SQUARE, "triangle", [[0, 1, 1]], {}, "has no area"),
    (SQUARE, "quad", [[0, 1, 2, 3]], {"thickness": -1}, "thickness must be positive, not -1"),
])  # fmt: skip
def test_wrong_plates_are_refused(points, kind, cells, changes, text):
    with pytest.raises(ModelError, match=re.escape(text)):
        plate(meshio.Mesh(points, [(kind, cells)]), **changes)


def test_a_strip_clamped_at_its_edge_is_a_beam_also_when_it_rotates():
    """Flap frequencies of a rotating cantilever (Wright et al. 1982): 3.516, 4.797, 7.360 in √(EI/ρL⁴) at 0, 3, 6; with
    the axis along y, Ω² less under the root."""
    l, b = 1.0, 0.05
    mesh = skfem.MeshTri.init_tensor(np.linspace(0, l, 13), np.linspace(0, b, 2)).translated((0, -b / 2))
    strip = plate(mesh, poisson=0.0, sets={"root": lambda x: x[:, 0] < 1e-9})
    body = strip.reduce(8, interfaces={"root": "root"}, frame="root")
    unit = np.sqrt(STEEL["young"] * H**2 / 12 / STEEL["density"]) / l**2
    assert body.modal_data().modes[0].frequency == pytest.approx(3.51602 * unit, rel=1e-3)
    for spin, expected in ((3, 4.7973), (6, 7.3604)):
        for axis, flap in (("z", expected), ("y", np.sqrt(expected**2 - spin**2))):
            s = fb.System("rotor", gravity=(0, 0, 0))
            s.body("blade", joint=fb.Revolute(axis, motion=f"{spin * unit}*t"), flexible=body)
            omega = np.sort(np.abs(np.linalg.eigvals(s.linearize().A).imag))[::2] / unit
            assert omega[0] == pytest.approx(flap, rel=3e-3)
