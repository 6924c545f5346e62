"""Reduction of structures to flexible bodies, against their unreduced matrices, beam theory and nodes with masses."""

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.sparse import block_diag, csr_matrix

import freebody as fb
from freebody.errors import FileError, ModelError
from freebody.fem.flexibility import DeterminateSupport, flexibility
from freebody.fem.interfaces import interfaces_of, tied
from freebody.fem.sparse_cholesky import SparseCholesky
from freebody.fem.structure import Structure
from tests.fem.box_meshes import box

YOUNG, DENSITY, LENGTH, WIDTH, HEIGHT = 2.1e11, 7850.0, 1.0, 0.05, 0.04


@pytest.fixture(scope="module")
def bar() -> Structure:
    """A slender bar of quadratic hexahedra along x."""
    pytest.importorskip("skfem")
    return fb.solid_structure(
        box("hexahedron", (LENGTH, WIDTH, HEIGHT), (10, 1, 1)),
        young=YOUNG,
        poisson=0.3,
        density=DENSITY,
        sets={"left": lambda x: x[:, 0] < 1e-9, "right": lambda x: x[:, 0] > LENGTH - 1e-9},
    )


def frequencies(body: fb.ReducedBody) -> np.ndarray:
    return np.array([mode.frequency for mode in body.modal_data().modes])


def unreduced(structure: Structure, interfaces, held) -> np.ndarray:
    """All frequencies of a structure with its ties, with unknowns held, from dense matrices."""
    body = tied(structure, interfaces_of(structure, interfaces))
    W = np.vstack([body.rows[name].toarray() for name in held]) if held else np.zeros((0, body.size))
    basis = np.linalg.svd(W)[2][len(W) :].T if len(W) else np.eye(body.size)
    M, K = (basis.T @ A.toarray() @ basis for A in (body.mass, body.stiffness))
    inverse = eigh(M, K + 1e-3 * M, eigvals_only=True)[::-1]
    return np.sqrt(np.maximum(1 / inverse - 1e-3, 0))


TIES = {"rigid": "right", "average": fb.Tie("right", kind="average")}


@pytest.mark.parametrize("tie", ["rigid", "average"])
@pytest.mark.paper("004", "23")
def test_modes_of_vibration_are_those_of_the_unreduced_structure(bar: Structure, tie: str) -> None:
    interfaces = {"root": "left", "tip": TIES[tie]}
    clamped = bar.reduce(8, interfaces=interfaces, frame="root", method="modal", stiffening=False)
    assert frequencies(clamped) == pytest.approx(unreduced(bar, interfaces, ["root"])[:8], rel=1e-8)
    free = bar.reduce(8, interfaces=interfaces, method="modal", stiffening=False)
    whole = unreduced(bar, interfaces, [])
    assert whole[:6].max() < 1e-3 * whole[6]
    assert frequencies(free) == pytest.approx(whole[6:14], rel=1e-6)
    both = bar.reduce(8, interfaces=interfaces, held={"root": True, "tip": "x x y z rx ry rz"}, stiffening=False)
    assert frequencies(both) == pytest.approx(unreduced(bar, interfaces, ["root", "tip"])[:8], rel=1e-8)
    hinged = bar.reduce(8, interfaces=interfaces, frame="root", method="modal", held={"root": "x y z rx ry"})
    assert np.abs(hinged.modal_data().F0).max() > 0  # seen from the frame, which turns with the hinge
    for body, frame in ((clamped, "root"), (hinged, "root")):
        node = body.modal_data().nodes[frame]
        assert np.abs(node.translations).max() < 1e-9 and np.abs(node.slopes).max() < 1e-9


@pytest.mark.parametrize("method", ["craig-bampton", "craig-chang"])
@pytest.mark.parametrize("frame", ["root", ""])
@pytest.mark.parametrize("tie", ["rigid", "average"])
def test_reduced_bodies_have_exact_statics_and_accurate_frequencies(
    bar: Structure, method: str, frame: str, tie: str
) -> None:
    interfaces = {"root": "left", "tip": TIES[tie]}
    body = bar.reduce(6, interfaces=interfaces, frame=frame, method=method, stiffening=False)
    data = body.modal_data()
    # a unit load at the tip with the root held: the compliance of the whole structure
    whole = tied(bar, interfaces_of(bar, interfaces))
    G = flexibility(DeterminateSupport(whole, lambda done: None), whole.rows["root"])
    rows = whole.rows["tip"].toarray()
    exact = rows @ G.solve(rows.T)[0]
    tip, root = (np.vstack([data.nodes[k].translations, data.nodes[k].slopes]) for k in ("tip", "root"))
    lever = np.eye(6)
    lever[:3, 3:] = -np.cross(np.eye(3), data.nodes["tip"].position - data.nodes["root"].position)
    relative = tip - lever @ root  # seen from the root
    if method == "craig-bampton" or not frame:
        compliance = relative @ np.linalg.solve(data.K, relative.T)
        assert compliance == pytest.approx(exact, rel=1e-7, abs=1e-9 * np.abs(exact).max())
    # frequencies of the free structure, without its six rigid motions
    whole_free = unreduced(bar, interfaces, [])[6:]
    record = body.reduced.record
    assert record.elastic_frequency == pytest.approx(whole_free[0], rel=2e-3)
    assert max(record.rigid_frequencies) < 1e-4 * record.elastic_frequency
    if not frame:
        assert frequencies(body)[:4] == pytest.approx(whole_free[:4], rel=0.01)
        assert np.abs(data.E).max() < 1e-9 and np.abs(data.F0).max() < 1e-9  # the frame floats


def test_floating_bodies_have_no_rigid_motions_among_their_modes(bar: Structure) -> None:
    """The static shapes of a single interface are the rigid motions."""
    body = bar.reduce(12, interfaces={"root": "left"}, stiffening=False)
    assert frequencies(body)[:4] == pytest.approx(unreduced(bar, {"root": "left"}, [])[6:10], rel=0.02)
    few = bar.reduce(2, interfaces={"root": "left"}, stiffening=False)
    assert len(frequencies(few)) == 2 and frequencies(few)[0] > 0.9 * frequencies(body)[0]


def test_bodies_without_modes_are_rigid(bar: Structure, tmp_path) -> None:
    body = bar.reduce(0, interfaces={"root": "left"}, frame="root")
    assert fb.read_reduced(body.save(tmp_path / "rigid.npz")).modal_data().n == 0
    with pytest.raises(FileError, match="the body has no modes"):
        body.save(tmp_path / "rigid.SID")
    with pytest.raises(ModelError, match="is a structure with 384 unknowns; reduce it to a flexible body first"):
        fb.System().body("bar", flexible=bar)


def test_a_slender_bar_has_the_frequencies_of_beam_theory(bar: Structure) -> None:
    body = bar.reduce(4, interfaces={"root": "left"}, frame="root")
    line = DENSITY * WIDTH * HEIGHT
    expected = [
        k**2 * np.sqrt(YOUNG * a * b**3 / 12 / line)
        for k in (1.87510407, 4.69409113)
        for a, b in ((WIDTH, HEIGHT), (HEIGHT, WIDTH))
    ]
    assert frequencies(body) == pytest.approx(expected, rel=0.03)
    record = body.reduced.record
    assert record.mass == pytest.approx(line * LENGTH)
    assert record.mass_centre == pytest.approx((LENGTH / 2, WIDTH / 2, HEIGHT / 2))


def test_modal_integrals_of_point_masses_are_those_of_nodes() -> None:
    rng = np.random.default_rng(1)
    k = 6
    x, m = rng.normal(size=(k, 3)), rng.uniform(1, 2, k)
    springs = np.zeros((3 * k, 3 * k))
    for i in range(k):
        for j in range(i):
            d = (x[i] - x[j]) / np.linalg.norm(x[i] - x[j])
            b = np.zeros(3 * k)
            b[3 * i : 3 * i + 3], b[3 * j : 3 * j + 3] = d, -d
            springs += rng.uniform(1, 2) * np.outer(b, b)
    structure = Structure.from_nodes(x, block_diag([one * np.eye(3) for one in m]), csr_matrix(springs))
    with pytest.raises(ModelError, match="all 9 modes together move less"):
        structure.reduce(effective_mass=0.9, interfaces={"a": [0, 1, 2]}, frame="a")
    data = structure.reduce(5, interfaces={"a": 2, "b": fb.Tie([0, 1, 3], kind="average")}).modal_data()
    shapes = structure.reduce(5, interfaces={"a": 2}, method="modal").reduced
    free = shapes.data
    nodes = fb.FlexibleNodes(positions=x, masses=m, shapes=shapes.mesh.shapes, modal_stiffness=free.K).modal_data()
    for key in ("m", "c0", "E", "F0", "F1", "J0", "J1", "J2", "M_ff", "K"):
        assert np.abs(getattr(free, key) - getattr(nodes, key)).max() < 1e-10, key
    assert data.nodes["a"].slopes is None and data.nodes["b"].slopes is not None


@pytest.mark.parametrize("turns", [False, True])
def test_ties_reproduce_rigid_motions(turns: bool) -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(8, 3))
    n = (6 if turns else 3) * 8
    structure = Structure.from_nodes(x, csr_matrix(np.eye(n)), csr_matrix((n, n)))
    given = {"r": fb.Tie([0, 1, 2, 3], at=(1, 2, 3)), "a": fb.Tie([3, 4, 5, 6], kind="average", at=(0, 1, 0))}
    body = tied(structure, interfaces_of(structure, given))
    assert body.T @ body.rigid == pytest.approx(structure.rigid_motions)
    for i in body.interfaces:  # a rigid motion moves the point of an interface with it
        motion = body.rows[i.name] @ body.rigid_about(i.at)
        assert motion == pytest.approx(np.eye(6), abs=1e-12)
    # virtual work: forces at the averaging point have the same resultant on its nodes
    spread = body.rows["a"].T @ np.eye(6)
    assert body.rigid_about(np.array([0.0, 1, 0])).T @ spread == pytest.approx(np.eye(6), abs=1e-12)


def test_cholesky_factors_solve_with_dense_and_hub_rows(bar: Structure) -> None:
    hold = 1e-9 * abs(bar.stiffness).max()
    A = (bar.stiffness + hold * csr_matrix(np.eye(bar.size))).tocsr()
    factor = SparseCholesky(A, bar.node, bar.positions, np.array([0, 7]), lambda done: None)
    b = np.random.default_rng(3).normal(size=(bar.size, 2))
    assert A @ factor.solve(b) == pytest.approx(b, abs=1e-6)
    assert len(factor.parts) > 3


def test_sets_are_indices_or_truth_values(bar: Structure) -> None:
    left = bar.positions[:, 0] < 1e-9
    for chosen in (left, np.flatnonzero(left).tolist()):
        part = Structure.from_nodes(bar.positions, bar.mass, bar.stiffness, sets={"left": chosen})
        assert np.array_equal(part.sets["left"], bar.sets["left"])
    with pytest.raises(ModelError, match="the set 'left': it has no nodes"):
        Structure.from_nodes(bar.positions, bar.mass, bar.stiffness, sets={"left": ~left & left})


def test_modes_are_chosen_by_frequency_and_by_effective_mass(bar: Structure) -> None:
    many = frequencies(bar.reduce(12, interfaces={"root": "left"}, frame="root", stiffening=False))
    limit = (many[6] + many[7]) / 2
    assert len(frequencies(bar.reduce(frequency=limit, interfaces={"root": "left"}, frame="root"))) == 7
    heavy = bar.reduce(effective_mass=0.6, interfaces={"root": "left"}, frame="root", stiffening=False)
    moved = np.array([mode.effective_mass[3:] for mode in heavy.modal_data().modes]).sum(0)
    assert (moved > 0.6 * heavy.reduced.record.mass).all()
    fewer = bar.reduce(len(heavy.modal_data().modes) - 1, interfaces={"root": "left"}, frame="root", stiffening=False)
    assert (np.array([m.effective_mass[3:] for m in fewer.modal_data().modes]).sum(0) < 0.6 * bar.total_mass).any()


def test_solids_stiffen_when_they_rotate(bar: Structure) -> None:
    """Rotating cantilever: flap frequencies of Wright et al. (1982), 3.516, 4.797, 7.360 in √(EI/ρL⁴) at 0, 3, 6."""
    body = bar.reduce(10, interfaces={"root": "left"}, frame="root")
    unit = np.sqrt(YOUNG * WIDTH * HEIGHT**3 / 12 / (DENSITY * WIDTH * HEIGHT)) / LENGTH**2
    assert body.reduced.record.stiffening
    for spin, expected in ((3, 4.7973), (6, 7.3604)):
        s = fb.System("rotor", gravity=(0, 0, 0))
        s.body("blade", joint=fb.Revolute("z", motion=f"{spin * unit}*t"), flexible=body)
        omega = np.sort(np.abs(np.linalg.eigvals(s.linearize().A).imag))[::2]
        flap = omega[np.argmin(np.abs(omega - expected * unit))] / unit
        assert flap == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, "one of modes"),
        ({"modes": 4, "frequency": 3.0}, "one of modes"),
        ({"modes": -1}, "not negative"),
        ({"frequency": -1.0}, "positive frequency"),
        ({"effective_mass": 1.5}, "between 0 and 1"),
        ({"effective_mass": 0.9999, "interfaces": {"a": "left"}, "frame": "a"}, "200 modes, up to"),
        ({"modes": 4, "method": "guyan"}, "there is no reduction 'guyan'"),
        ({"modes": 4, "method": "craig-bampton"}, "needs interfaces"),
        ({"modes": 4, "interfaces": {"a": "left"}, "frame": "b"}, "there is no interface 'b'"),
        ({"modes": 4, "interfaces": {"a": "lef"}}, "there is no set of nodes 'lef'. Did you mean left"),
        ({"modes": 4, "interfaces": {"a": 3}, "frame": "a"}, "has no rotation"),
        ({"modes": 4, "interfaces": {"a": [0, 1]}}, "lie on a line"),
        ({"modes": 4, "interfaces": {"a": []}}, "nodes"),
        ({"modes": 4, "interfaces": {"a": 10**6}}, "indices from 0 to 127, not 1000000"),
        ({"modes": 4, "interfaces": {"a": [-1, 5]}}, "indices from 0 to 127, not -1"),
        ({"modes": 4, "interfaces": {"a": [True, False]}}, "nodes must be indices or 128 truth values, not a list"),
        ({"modes": 4, "interfaces": {"a": fb.Tie("left", at="centre")}}, r"'at' must be a point \(x, y, z\)"),
        ({"modes": 4, "interfaces": {"a": "left", "b": "left"}}, "share nodes"),
        ({"modes": 4, "interfaces": {"a": fb.Tie("left", kind="glue")}}, "'rigid' or 'average'"),
        ({"modes": 4, "interfaces": {"a": "left"}, "method": "modal", "held": {"a": "x w"}}, "no component 'w'"),
        ({"modes": 4, "interfaces": {"a": "left"}, "static": ["a"]}, "belongs to method='modal'"),
        ({"modes": 4, "interfaces": {"a": "left"}, "held": "x y"}, "held: components of interfaces are needed"),
        ({"modes": 4, "interfaces": {"a": "left", "b": fb.Tie("left", kind="average")}}, "'b' follows from"),
        ({"modes": 4, "interfaces": {"a": range(128)}}, "all its nodes are tied to one interface"),
        ({"modes": 999}, "more than 200"),
        ({"modes": 4, "check": -1.0}, "check: a positive frequency"),
        ({"modes": 4, "check": 1e3}, "without interfaces has no response"),
        ({"modes": 4, "dampng": 0.01}, "there is no option 'dampng'. Did you mean damping"),
        ({"effective_mass": 0.5}, "modes of vibration of a free part have no effective mass"),
    ],
)  # fmt: skip
def test_wrong_reductions_are_refused(bar: Structure, options, text: str) -> None:
    with pytest.raises(ModelError, match=text):
        bar.reduce(**options)


def test_the_checks_of_a_reduction_are_reported(bar: Structure, tmp_path) -> None:
    body = bar.reduce(6, interfaces={"root": "left", "tip": "right"}, frame="root", check=6000.0, stiffening=False)
    response = body.reduced.response
    # the response of the whole structure, from its matrices
    whole = tied(bar, interfaces_of(bar, {"root": "left", "tip": "right"}))
    free = np.flatnonzero(~(whole.rows["root"].toarray() != 0).any(0))
    M, K = (A.toarray()[np.ix_(free, free)] for A in (whole.mass, whole.stiffness))
    load = whole.rows["tip"].toarray()[:3, free]
    for k in (0, 60, 120, 199):
        x = np.linalg.solve(K * (1 + 0.02j) - response.frequencies[k] ** 2 * M, load.T)
        assert response.full[k] == pytest.approx(np.abs(np.diag(load @ x)), rel=1e-5)
    assert response.error[response.frequencies < 1000].max() < 0.01
    assert response.error.max() == pytest.approx(
        (np.abs(response.full - response.reduced).max(1) / response.full.max(1)).max()
    )
    more = bar.reduce(16, interfaces={"root": "left", "tip": "right"}, frame="root", check=6000.0, stiffening=False)
    assert more.reduced.response.error.max() < response.error.max() / 5
    again = fb.read_reduced(more.save(tmp_path / "more.npz"))
    assert again.summary == more.summary
    for text in ("384 unknowns to 12 modes (6 of vibration, 6 static)", "15.7 kg", "error of at most", "floating"):
        assert (text in body.summary) == (text != "floating"), text
    assert body.plot(tmp_path / "response.png").stat().st_size > 10_000
    with pytest.raises(ModelError, match="check=…"):
        bar.reduce(2, interfaces={"root": "left"}, frame="root").plot(tmp_path / "no.png")


def test_two_halves_with_a_weld_are_the_whole(bar: Structure) -> None:
    """Craig–Bampton bodies of two halves, joined by a weld closure, have the frequencies and motion of the whole."""
    half = fb.solid_structure(
        box("hexahedron", (LENGTH / 2, WIDTH, HEIGHT), (5, 1, 1)),
        young=YOUNG,
        poisson=0.3,
        density=DENSITY,
        sets={"left": lambda x: x[:, 0] < 1e-9, "right": lambda x: x[:, 0] > LENGTH / 2 - 1e-9},
    )
    middle = bar.nodes_where(lambda x: np.abs(x[:, 0] - LENGTH / 2) < 1e-9)
    whole = bar.reduce(10, interfaces={"root": "left", "middle": middle, "tip": "right"}, frame="root")
    part = half.reduce(5, interfaces={"root": "left", "tip": "right"}, frame="root")
    one, two = fb.System("whole", gravity=(0, 0, -9.81)), fb.System("halves", gravity=(0, 0, -9.81))
    one.body("bar", joint=fb.Weld(), flexible=whole)
    one.output("tip", one.deflection(one.bodies["bar"].node("tip")).dot(one.bodies["bar"].z))
    first = two.body("first", joint=fb.Weld(), flexible=part)
    second = two.body("second", joint=fb.Free(), flexible=part)
    two.close(first.node("tip"), second)
    two.output("tip", two.position(second.node("tip")).dot(first.z))
    exact = np.sort(np.abs(np.linalg.eigvals(one.linearize().A).imag))[::2][:6]
    joined = np.sort(np.abs(np.linalg.eigvals(two.linearize().A).imag))[::2][:6]
    assert joined == pytest.approx(exact, rel=1e-3)
    times = np.linspace(0, 0.03, 31)
    free, closed = (s.simulate(times, q=q) for s, q in ((one, {}), (two, {"second.x": LENGTH / 2})))
    assert free["tip"].min() < -5e-4
    assert closed["tip"] == pytest.approx(free["tip"], abs=5e-3 * np.abs(free["tip"]).max())


@pytest.mark.parametrize("tie", ["rigid", "average"])
@pytest.mark.paper("004", "23")
def test_a_slender_solid_has_the_modal_data_of_a_beam(tie: str) -> None:
    """All integrals and the second-order displacements (geometric stiffening) of fb.Beam, which has closed forms."""
    pytest.importorskip("skfem")
    mesh = box("hexahedron", (4.0, WIDTH, HEIGHT), (24, 1, 1))
    solid = fb.solid_structure(
        mesh,
        young=YOUNG,
        poisson=0.0,
        density=DENSITY,
        sets={"left": lambda x: x[:, 0] < 1e-9, "right": lambda x: x[:, 0] > 4 - 1e-9},
    )
    stiffness = (YOUNG * HEIGHT * WIDTH**3 / 12, YOUNG * WIDTH * HEIGHT**3 / 12)
    beam = fb.Beam(length=4.0, EI=stiffness, density=DENSITY * WIDTH * HEIGHT).modal_data(4)
    interfaces = {"root": "left", "tip": fb.Tie("right", kind=tie)}
    data = solid.reduce(4, interfaces=interfaces, frame="root", method="modal").modal_data()
    tip, expected = data.nodes["tip"], beam.nodes["tip"]
    data = data.in_basis(np.diag(np.sign(np.sum(tip.translations * expected.translations, axis=0))))
    for key in ("m", "c0", "E", "F0", "C", "F1", "J0", "J1", "J2", "M_ff", "K"):
        x = np.asarray(getattr(beam, key))
        assert np.asarray(getattr(data, key)) == pytest.approx(x, abs=3e-3 * np.abs(x).max()), key
    for key in ("position", "translations", "slopes", "second"):
        x = getattr(expected, key)
        assert getattr(data.nodes["tip"], key) == pytest.approx(x, abs=2e-3 * np.abs(x).max()), key


def test_a_plate_has_the_modal_data_of_solids() -> None:
    skfem = pytest.importorskip("skfem")
    x, y, z = np.linspace(0, 2, 13), np.linspace(-0.15, 0.15, 4), np.array([-0.005, 0.005])
    material = {"young": YOUNG, "poisson": 0.0, "density": DENSITY}
    sets = {"left": lambda x: x[:, 0] < 1e-9, "right": lambda x: x[:, 0] > 2 - 1e-9}
    plate = fb.plate_structure(skfem.MeshTri.init_tensor(x, y), thickness=0.01, sets=sets, **material)
    solid = fb.solid_structure(skfem.MeshHex.init_tensor(x, y, z), sets=sets, **material)
    thin, thick = (
        one.reduce(4, interfaces={"root": "left", "tip": "right"}, frame="root").modal_data(4) for one in (plate, solid)
    )
    a, b = (np.vstack([data.nodes["tip"].translations, data.nodes["tip"].slopes]) for data in (thin, thick))
    thick = thick.in_basis(np.diag(np.sign(np.sum(a * b, axis=0))))
    for key in ("m", "c0", "E", "F0", "C", "F1", "J0", "J1", "J2"):
        value = np.asarray(getattr(thin, key))
        assert np.asarray(getattr(thick, key)) == pytest.approx(value, abs=0.02 * np.abs(value).max()), key
    for key in ("translations", "slopes", "second"):
        value = getattr(thin.nodes["tip"], key)
        assert getattr(thick.nodes["tip"], key) == pytest.approx(value, abs=0.02 * np.abs(value).max()), key


def test_supports_in_the_stiffness_matrix_hold_the_body(bar: Structure) -> None:
    """Without the unknowns of the clamped face the matrices are grounded: the modes are those of the cantilever."""
    keep = np.flatnonzero(~np.isin(bar.node, bar.sets["left"]))
    clamped = Structure(
        bar.positions,
        bar.mass[keep][:, keep],
        bar.stiffness[keep][:, keep],
        bar.node[keep],
        bar.component[keep],
        sets={"right": bar.sets["right"]},
    )
    assert clamped.grounded
    body = clamped.reduce(4, interfaces={"tip": "right"}, method="modal")
    assert "origin, held by supports in the matrices" in body.summary
    rooted = bar.reduce(4, interfaces={"root": "left", "tip": "right"}, frame="root", method="modal")
    assert frequencies(body) == pytest.approx(frequencies(rooted), rel=1e-9)
    with pytest.raises(ModelError, match="held by supports"):
        clamped.reduce(4, interfaces={"tip": "right"}, frame="tip")


def test_loose_and_unconnected_structures_are_refused(bar: Structure) -> None:
    from scipy.sparse import bmat

    two = Structure(
        np.vstack([bar.positions, bar.positions + 5]),
        bmat([[bar.mass, None], [None, bar.mass]]),
        bmat([[bar.stiffness, None], [None, bar.stiffness]]),
        np.r_[bar.node, bar.node + len(bar.positions)],
        np.r_[bar.component, bar.component],
    )
    with pytest.raises(ModelError, match="2 pieces that are not connected"):
        two.reduce(2)
    lower = bar.mass.tolil()
    lower[np.ix_(np.flatnonzero(bar.component == 2), range(bar.size))] *= 0.5
    lower[np.ix_(range(bar.size), np.flatnonzero(bar.component == 2))] *= 0.5
    light = Structure(bar.positions, lower, bar.stiffness, bar.node, bar.component)
    with pytest.raises(ModelError, match="move different masses"):
        light.reduce(2)
    skew = bar.stiffness.tolil()
    skew[3, 0] += 0.1 * abs(bar.stiffness).max()
    with pytest.raises(ModelError, match="not symmetric"):
        Structure(bar.positions, bar.mass, skew, bar.node, bar.component)
    with pytest.raises(ModelError, match="the component 0 of node 0 belongs to two unknowns"):
        Structure(bar.positions, bar.mass, bar.stiffness, 0 * bar.node, bar.component)
    with pytest.raises(ModelError, match="components must be 0 to 2"):
        Structure(bar.positions, bar.mass, bar.stiffness, bar.node, bar.component + 5)
    truss = Structure.from_nodes(np.eye(3), csr_matrix(np.eye(9)), csr_matrix(_rods(np.eye(3))))
    with pytest.raises(ModelError, match="move without deformation"):
        truss.reduce(1)  # three masses on two rods


def _rods(x: np.ndarray) -> np.ndarray:
    K = np.zeros((9, 9))
    for i, j in ((0, 1), (1, 2)):
        b = np.zeros(9)
        b[3 * i : 3 * i + 3] = (x[i] - x[j]) / np.linalg.norm(x[i] - x[j])
        b[3 * j : 3 * j + 3] = -b[3 * i : 3 * i + 3]
        K += np.outer(b, b)
    return K


def _four_masses() -> dict:
    """Arguments of a structure: four unit masses, each pair on a spring."""
    x = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    K = np.zeros((12, 12))
    for i in range(4):
        for j in range(i):
            b = np.zeros(12)
            b[3 * i : 3 * i + 3] = (x[i] - x[j]) / np.linalg.norm(x[i] - x[j])
            b[3 * j : 3 * j + 3] = -b[3 * i : 3 * i + 3]
            K += np.outer(b, b)
    return {"positions": x, "mass": np.eye(12), "stiffness": K}


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"positions": "four"}, "'positions' is not an array of numbers"),
        ({"mass": 3.0}, "matrices of 4 nodes have 12 rows"),
        ({"mass": np.eye(12).tolist(), "stiffness": "soft"}, "the stiffness matrix (is not|has entries of)"),
        ({"mass": np.eye(11)}, "matrices of 4 nodes have 12 rows"),
        ({"mass": np.eye(12) * np.nan}, "mass matrix has entries that are not finite numbers"),
        ({"mass": -np.eye(12)}, "mass matrix has the negative entry -1"),
        ({"stiffness": -np.eye(12)}, "stiffness matrix has a negative entry"),
        ({"sets": {"a": [7]}}, "set 'a'"),
    ],
)  # fmt: skip
def test_wrong_structures_are_refused(changed, text: str) -> None:
    with pytest.raises(ModelError, match=text):
        Structure.from_nodes(**{**_four_masses(), **changed})


def test_structures_without_enough_modes_or_inertia_are_refused() -> None:
    structure = Structure.from_nodes(**_four_masses())
    with pytest.raises(ModelError, match="has 6 modes of vibration, not 7"):
        structure.reduce(7)
    line = {**_four_masses(), "mass": np.diag([1.0] * 6 + [0.0] * 6)}  # two masses: no inertia about their line
    with pytest.raises(ModelError, match="no inertia in some rigid motion"):
        Structure.from_nodes(**line).reduce(1)
    with pytest.raises(ModelError, match="'node' is not an array of numbers"):
        Structure(**_four_masses(), node="all", component=np.tile(range(3), 4))
