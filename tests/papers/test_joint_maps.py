"""Joints from their geometry: Kwatny & Blankenship's tables and equations term by term, which maps are joints, and
the order of columns."""

from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.transform import Rotation

import freebody as fb
from freebody.errors import ModelError
from freebody.program import evaluate, program
from freebody.scalar import Expr
from freebody.scalar.symbol import Kind

E = np.eye(6)
UNIVERSAL = [[0, 0], [1, 0], [0, 1], [0, 0], [0, 0], [0, 0]]
UNIVERSAL_SCREW = [[0, 1], [0, 0], [1, 0], [0, 0.3], [0, 0], [0, 0]]
X_35b = [
    ["cos(t2)*cos(t3)", "cos(t3)*sin(t1)*sin(t2) - cos(t1)*sin(t3)", "cos(t1)*cos(t3)*sin(t2) + sin(t1)*sin(t3)", "0"],
    ["cos(t2)*sin(t3)", "cos(t1)*cos(t3) + sin(t1)*sin(t2)*sin(t3)", "cos(t1)*sin(t2)*sin(t3) - cos(t3)*sin(t1)", "0"],
    ["-sin(t2)", "cos(t2)*sin(t1)", "cos(t1)*cos(t2)", "0"],
    ["0", "0", "0", "1"],
]  # fmt: skip
TABLE_II = [
    ["1", "sin(y1)*tan(y2)", "cos(y1)*tan(y2)"],
    ["0", "cos(y1)", "-sin(y1)"],
    ["0", "sin(y1)/cos(y2)", "cos(y1)/cos(y2)"],
]  # fmt: skip


def texts(matrix: list[list[Expr]]) -> list[list[str]]:
    return [[str(x) for x in row] for row in matrix]


def numbers(matrix: list[list[Expr]], values: dict[str, float]) -> np.ndarray:
    g = matrix[0][0].graph
    symbols = {n: h if (h := g.named(n)) is not None else g.symbol(n, Kind.COORDINATE) for n in values}
    made = program("m", g, {"q": list(symbols.values())}, {"m": [[x.handle for x in row] for row in matrix]})
    return np.asarray(evaluate(made, {"q": np.array(list(values.values()))}).values["m"])


def renamed(rows: list[list[str]], names: dict[str, str]) -> list[list[str]]:
    for old, new in names.items():
        rows = [[x.replace(old, new) for x in row] for row in rows]
    return rows


# Results of the paper


@pytest.mark.paper("002", "2")
def test_table_2_one_freedom() -> None:
    for H in ([0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [1, 0, 0, "s", 0, 0]):
        assert texts(fb.kinematic_matrix(H, ["e"])) == [["1"]]
    turned = [["1", "0", "0", "s*e"], ["0", "cos(e)", "-sin(e)", "0"], ["0", "sin(e)", "cos(e)", "0"]]
    assert texts(fb.joint_configuration([1, 0, 0, "s", 0, 0], ["e"]))[:3] == turned


@pytest.mark.paper("002", "1", "2")
def test_table_2_spherical() -> None:
    names = ["y1", "y2", "y3"]
    assert texts(fb.kinematic_matrix(E[:, :3], names)) == TABLE_II
    assert texts(fb.joint_configuration(E[:, :3], names)) == renamed(X_35b, {"t": "y", "coy": "cot", "yan": "tan"})


@pytest.mark.paper("002", "9")
def test_equations_35_of_the_universal_joint_of_three_parts() -> None:
    joint, names = fb.Compound.of(E[:, :3], r=(1, 1, 1)), ["t1", "t2", "t3"]
    H = [["1", "0", "-sin(t2)"], ["0", "cos(t1)", "cos(t2)*sin(t1)"], ["0", "-sin(t1)", "cos(t1)*cos(t2)"]]
    assert texts(fb.joint_map(joint, names)) == [*H, *[["0"] * 3] * 3]
    assert texts(fb.joint_configuration(joint, names)) == X_35b
    assert texts(fb.kinematic_matrix(joint, names)) == [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]]


@pytest.mark.paper("002", "10")
def test_equations_36_of_six_freedoms() -> None:
    found = texts(fb.kinematic_matrix(E, ["ax", "ay", "az", "x", "y", "z"]))
    assert [row[:3] for row in found[:3]] == renamed(TABLE_II, {"y1": "ax", "y2": "ay"})
    wanted = renamed(X_35b, {"t1": "ax", "t2": "ay", "t3": "az"})[:3]
    assert [row[3:] for row in found[3:]] == [row[:3] for row in wanted]
    assert all(x == "0" for row in found[:3] for x in row[3:]) and all(x == "0" for row in found[3:] for x in row[:3])


# Order of columns (II.F)


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.paper("002", "11")
def test_order_of_rotations_is_the_euler_convention(order: tuple[int, ...]) -> None:
    q = dict(zip("abc", (0.3, -0.4, 0.7), strict=True))
    X = numbers(fb.joint_configuration(E[:, [*order, 3, 4, 5]], [*"abc", "x", "y", "z"]), q | dict.fromkeys("xyz", 0))
    axes = "".join("XYZ"[k] for k in reversed(order))
    assert np.allclose(X[:3, :3], Rotation.from_euler(axes, list(q.values())[::-1]).as_matrix(), atol=1e-14)


@pytest.mark.paper("002", "11")
def test_translations_before_rotations_use_body_axes_and_after_them_space_axes() -> None:
    q = {"ax": 0.3, "ay": -0.4, "az": 0.7, "x": 1.0, "y": 2.0, "z": 3.0}
    space = numbers(fb.joint_configuration(E, list(q)), q)
    names = ["x", "y", "z", "ax", "ay", "az"]
    body = numbers(fb.joint_configuration(E[:, [3, 4, 5, 0, 1, 2]], names), {n: q[n] for n in names})
    assert np.allclose(space[:3, :3], body[:3, :3]) and np.allclose(space[:3, 3], [1, 2, 3])
    assert np.allclose(body[:3, 3], body[:3, :3] @ [1, 2, 3])


@pytest.mark.paper("002", "1", "6")
def test_skew_columns_of_any_length_follow_the_matrix_exponential() -> None:
    from scipy.linalg import expm

    h = np.array([0.4, -1.3, 0.8, 0.2, 0.9, -0.5])
    W = np.zeros((4, 4))
    W[:3, :3] = [[0, -h[2], h[1]], [h[2], 0, -h[0]], [-h[1], h[0], 0]]
    W[:3, 3] = h[3:]
    assert np.allclose(numbers(fb.joint_configuration(h, ["e"]), {"e": 0.7}), expm(W * 0.7), atol=1e-14)


# Which maps are joints


@pytest.mark.parametrize("H", [UNIVERSAL, UNIVERSAL_SCREW], ids=["universal", "universal-screw"])
@pytest.mark.paper("002", "4", "8")
def test_maps_that_do_not_close_are_refused_with_both_remedies(H: Any) -> None:
    with pytest.raises(
        ModelError,
        match=r"bracket of columns 1 and 2, .* outside.*Compound\.of\(H, r=\(1, 1\)\)"
        r".*holonomic=False",
    ):
        fb.Simple(H)
    assert len(fb.Compound.of(H, r=(1, 1)).coordinates) == 2
    assert len(fb.Simple(H, holonomic=False).speeds) == 2


def test_error_names_the_bracket() -> None:
    with pytest.raises(ModelError, match=r"\(1, 0, 0; 0, 0, 0\)"):
        fb.Simple(UNIVERSAL)


def test_closure_does_not_depend_on_parameter_values() -> None:
    s = fb.System()
    a, b = s.parameters(a=1.0, b=2.0)
    fb.Simple([[0, 0, 0], [0, 0, 0], [a, 0, 0], [b, a, -b], [0, b, a], [0, 0, 0]])
    with pytest.raises(ModelError, match="columns 1 and 2"):
        fb.Simple([[0, 0], [0, 0], [1, 0], [0, a], [0, b], [0, 0]])
    s.body("plate", joint=fb.Simple([[0] * 3, [0] * 3, ["a", 0, 0], [0, "a", "-b"], [0, "b", "a"], [0] * 3]), mass=1)
    with pytest.raises(ModelError, match=r"^bodies.x.joint: .*columns 1 and 2"):
        s.body("x", joint=fb.Simple([[0, 0], ["a", 0], [0, "b"], [0, 0], [0, 0], [0, 0]]), mass=1)


def test_planes_with_rounded_numbers_close() -> None:
    n = np.array([0.3, -0.5, 0.8]) / np.linalg.norm([0.3, -0.5, 0.8])
    t = np.cross(n, [1, 0, 0]) / np.linalg.norm(np.cross(n, [1, 0, 0]))
    zero = np.zeros(3)
    H = np.array([np.concatenate(p) for p in ((n, zero), (zero, t), (zero, np.cross(n, t)))]).T
    assert fb.Simple(H).holonomic and len(fb.Simple(H).coordinates) == 3


def test_brackets_of_the_size_of_rounding_are_zero() -> None:
    n = np.array([0.3, -0.5, 0.8]) / np.linalg.norm([0.3, -0.5, 0.8])
    along = n * 0.1 / 0.3
    assert np.any(np.cross(n, along) != 0)
    assert fb.Simple(np.array([[*n, 0, 0, 0], [0, 0, 0, *along]]).T).rates


def test_wrong_maps_are_refused() -> None:
    with pytest.raises(ModelError, match="2 columns are not linearly independent"):
        fb.Simple([[0, 0], [0, 0], [1, 2], [0, 0], [0, 0], [0, 0]])
    with pytest.raises(ModelError, match=r"6 rows .* not 3 rows of 1, 1, 1"):
        fb.Simple([0, 0, 1])
    with pytest.raises(ModelError, match=r"6 rows .* not 'z'"):
        fb.Simple("z")
    with pytest.raises(ModelError, match="numbers, texts and expressions, not None"):
        fb.Simple([0, 0, None, 0, 0, 0])
    with pytest.raises(ModelError, match="names of coordinates: 3 are needed, not 2"):
        fb.Simple(E[:, :3], coordinates=("a", "b"))
    with pytest.raises(ModelError, match="names of speeds must be different identifiers; 'w' is not"):
        fb.Simple(E[:, :3], speeds=("w", "v", "w"))
    with pytest.raises(ModelError, match="names of coordinates must be different identifiers; 'a b' is not"):
        fb.Compound(fb.Revolute(), coordinates="a b")
    with pytest.raises(ModelError, match=r"3 columns, but r = \(1, 1\) has the sum 2"):
        fb.Compound.of(E[:, :3], r=(1, 1))
    with pytest.raises(ModelError, match="cannot have damping; give damping to the compound"):
        fb.Compound(fb.Revolute("x", damping=1))
    with pytest.raises(ModelError, match="at least one part"):
        fb.Compound()
    with pytest.raises(ModelError, match="3 coordinates, but there are 1 names"):
        fb.joint_map(E[:, :3], ["a"])
    flat = fb.System()
    flat.parameter("p", 0.0)
    with pytest.raises(ModelError, match="not linearly independent for the default values of the parameters"):
        flat.body("x", joint=fb.Simple([0, 0, "p", 0, 0, 0]))
    s = fb.System()
    with pytest.raises(ModelError, match=r"joint\.H.*may depend on numbers and parameters only, not on t"):
        s.body("x", joint=fb.Simple([0, 0, "t", 0, 0, 0]))
    with pytest.raises(ModelError, match="stiffness, because its speeds are not the rates"):
        s.body("y", joint=fb.Simple(E[:, :3], stiffness=1), mass=1, inertia=(1, 1, 1))
        s.derive().operations["forward_dynamics"]
    with pytest.raises(ModelError, match="cannot be prescribed: its speeds are not the rates of its coordinates"):
        fb.System().body("z", joint=fb.Simple(E[:, :3], motion=("t", None, None)))


def test_coordinate_names_of_maps_and_compound_joints() -> None:
    s = fb.System()
    alone = s.body("hinge", joint=fb.Simple([0, 0, 1, 0, 0, 0], coordinates="angle"), mass=1, inertia=(1, 1, 1))
    assert alone.spec is not None and alone.spec.names == (("hinge.angle",),) * 2
    rail = fb.Custom(("s", 0, 0))
    many = s.body("many", joint=fb.Compound(E[0], rail, fb.Cylindrical(), rail), mass=1, inertia=(1, 1, 1))
    wanted = tuple(f"many.{n}" for n in ("a1", "s2", "angle", "slide", "s5"))
    assert many.spec is not None and many.spec.names == (wanted, wanted)
    ball = fb.Simple(E[:, :3], coordinates=("yaw", "pitch", "roll"))
    assert ball.coordinates == ("yaw", "pitch", "roll") and ball.speeds == ("w1", "w2", "w3") and not ball.rates


# Costs and equivalences


def behind(joint: Any, method: str = "kane") -> Any:
    s = fb.System()
    base = s.body("base", joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.3), inertia=(1, 2, 2.5))
    arm = s.body("arm", on=base, at=(0.1, 0.2, 0.3), joint=joint, mass=2, com=(0.1, 0.2, 0.3), inertia=(1, 2, 2.5))
    s.body("tip", on=arm, at=(0.1, 0, 0.3), joint=fb.Revolute("x"), mass=2, com=(0.1, 0.2, 0), inertia=(1, 2, 2.5))
    return s.derive(method)


SAME: list[tuple[Any, Any]] = [
    (fb.Simple([0, 0, 1, 0, 0, 0]), fb.Revolute("z")), (fb.Simple([0, -1, 0, 0, 0, 0]), fb.Revolute("-y")),
    (fb.Simple([0, 0, 0, 1, 0, 0]), fb.Prismatic("x")), (fb.Simple([1, 0, 0, 0.2, 0, 0]), fb.Screw("x", 0.2)),
    (fb.Simple([[0, 0], [0, 0], [1, 0], [0, 0], [0, 0], [0, 1]]), fb.Cylindrical("z")),
    (fb.Simple(E[:, :3]), fb.Spherical("321")), (fb.Simple(E), fb.Free("321")),
]  # fmt: skip


@pytest.mark.parametrize(("made", "known"), SAME, ids=lambda j: j.kind)
def test_standard_joints_by_their_map_cost_the_same(made: Any, known: Any) -> None:
    for method in ("kane", "crba", "aba"):
        assert (
            behind(made, method).operations["forward_dynamics"].total
            == behind(known, method).operations["forward_dynamics"].total
        )


def test_planar_joint_in_stages_costs_less_than_its_map() -> None:
    for method in ("kane", "crba", "aba"):
        made, known = (behind(j, method) for j in (fb.Compound.of(E[:, [2, 3, 4]], r=(1, 2)), fb.Planar("z")))
        assert made.operations["forward_dynamics"].total > known.operations["forward_dynamics"].total
        swap = [0, 2, 3, 1, 4]
        q, u = np.array([0.2, 0.5, -0.7, 0.3, 0.4]), np.array([1.0, -0.4, 0.8, 0.6, -0.3])
        one, other = made.compile("numpy"), known.compile("numpy")
        assert np.allclose(one.forward_dynamics(q, u)[swap], other.forward_dynamics(q[swap], u[swap]), rtol=1e-12)


def test_hinge_by_its_map_has_the_listing_of_a_hinge() -> None:
    for method in ("kane", "cheapest"):
        assert str(behind(fb.Simple([0, 0, 1, 0, 0, 0]), method)) == str(behind(fb.Revolute("z"), method))


def test_compound_joints_equal_their_parts_with_massless_bodies() -> None:
    one, two = (behind(j).compile("numpy") for j in (fb.Compound([0, 1, 0, 0, 0, 0], fb.Revolute("x")), fb.Universal()))
    q, u = np.array([0.2, 0.5, -0.7, 0.3]), np.array([1.0, -0.4, 0.8, 0.6])
    swap = [0, 2, 1, 3]
    assert np.allclose(one.forward_dynamics(q, u)[swap], two.forward_dynamics(q[swap], u[swap]), rtol=1e-12)


HINGES = [
    fb.BuildingBlock((), (3,), (0.3, -0.5, 0.8), "x"),
    fb.BuildingBlock((), (1,), "z", "x"),
    fb.Simple([0, 0, 2, 0, 0, 0]),
    fb.Simple([1, 2, 3, 0, 0, 0]),
    fb.Custom(turns=[("z", "s + 0.3")]),
    fb.Custom(turns=[("x", 0.4), ("z", "s")]),
]


@pytest.mark.parametrize("joint", HINGES, ids=lambda j: j.kind)
def test_cheapest_program_does_not_treat_other_joints_as_hinges(joint: Any) -> None:
    """Frames of hinges are moved there; these joints do not rotate by q from the joint's frame."""
    q, u = np.array([0.2, 0.5, -0.7]), np.array([1.0, -0.4, 0.8])
    a, b = (behind(joint, method).compile("numpy").forward_dynamics(q, u) for method in ("kane", "cheapest"))
    assert np.allclose(a, b, rtol=1e-11)


# Nonholonomic joints


def hung(joint: Any) -> fb.System:
    s = fb.System()
    s.body("top", joint=joint, mass=2, com=(0.3, 0.1, -0.4), inertia=(0.3, 0.5, 0.7))
    return s


def test_nonholonomic_joint_is_the_constrained_holonomic_joint() -> None:
    """ω lies in the span of H's columns; d'Alembert's principle combines the rows of the spherical joint's
    equations."""
    held = hung(fb.Simple(UNIVERSAL, holonomic=False)).derive().compile("numpy")
    wide = hung(fb.Simple(np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0], *[[0] * 3] * 3]))).derive().compile("numpy")
    q, u = np.array([0.3, -0.5, 0.4]), np.array([1.2, -0.7])
    P = np.array([[1, 0], [0, 1], [0, 0]])
    M, f = wide.mass_matrix(q), -wide.inverse_dynamics(q, P @ u, np.zeros(3))
    assert np.allclose(held.forward_dynamics(q, u), np.linalg.solve(P.T @ M @ P, P.T @ f), rtol=1e-12)


@pytest.mark.paper("002", "4", "8")
def test_nonholonomic_joints_conserve_energy_and_satisfy_the_constraint() -> None:
    s = hung(fb.Simple(UNIVERSAL_SCREW, holonomic=False))
    eq = s.derive()
    assert len(eq.q) == 6 and len(eq.u) == 2
    f = eq.compile("numpy")
    run = s.simulate(1.0, u={"top.w1": 2.0, "top.w2": -1.0}, rtol=1e-11, atol=1e-12)
    q, u = np.array([run[n] for n in eq.q]).T, np.array([run[n] for n in eq.u]).T
    names = [*"abcdef"]
    X = fb.joint_configuration(fb.Simple(UNIVERSAL_SCREW, holonomic=False), names)
    h, k = 1e-6, len(q) // 2
    rate = f.q_dot(q[k], u[k])
    X0, ahead, behind_ = (numbers(X, dict(zip(names, q[k] + d * rate, strict=True))) for d in (0, h, -h))
    twist = np.linalg.solve(X0, (ahead - behind_) / (2 * h))
    found = np.array([twist[2, 1], twist[0, 2], twist[1, 0], *twist[:3, 3]])
    assert np.allclose(found, np.array(UNIVERSAL_SCREW) @ u[k], atol=1e-8)
    assert np.linalg.norm(q[-1]) > 0.5
    energies = f.energies(q, u)
    assert np.ptp(energies["kinetic"]) > 1 and np.ptp(sum(energies.values())) < 1e-8


def test_names_may_be_one_string() -> None:
    turns = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0] * 3, [0] * 3, [0] * 3]
    assert str(fb.kinematic_matrix(turns, "t1 t2 t3")) == str(fb.kinematic_matrix(turns, ("t1", "t2", "t3")))


@pytest.mark.parametrize("r", [2, "11", (1.0, 1.0)])
def test_counts_of_columns_must_be_integers(r: Any) -> None:
    with pytest.raises(ModelError, match="number of columns"):
        fb.Compound.of([[1, 0], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0]], r)


@pytest.mark.parametrize(("joint", "reason"), [
    (lambda: fb.Compound(fb.Revolute("x"), fb.Revolute("x")), "its 2 speeds move it in 1 way only"),
    (lambda: fb.Compound(fb.Free(), fb.Revolute("x")), "its 7 speeds move it in 6 ways only"),
    (lambda: fb.Custom(("a + b", 0, 0), coordinates=("a", "b")), "its 2 speeds move it in 1 way only"),
])  # fmt: skip
@pytest.mark.parametrize("formulation", ["kane", "aba", "poincare"])
def test_dependent_speeds_are_refused(joint: Any, reason: str, formulation: str) -> None:
    s = fb.System("s")
    s.body("b", joint=joint(), mass=1, com=(0.1, 0.2, 0.3), inertia=(1, 2, 2.5))
    with pytest.raises(ModelError, match=rf"joint 'b' \(b on ground\): {reason}.*Leave out what repeats"):
        s.derive(formulation).compile("numpy").forward_dynamics(s.bodies["b"].spec.joint.zero, np.zeros(0))


def test_dependent_speeds_with_rotors_are_accepted() -> None:
    s = fb.System("s")
    s.body("b", joint=fb.Compound(fb.Revolute("x"), fb.Revolute("x"), armature=0.1), mass=1, com=(0, 0, 1))
    rates = s.derive().compile("numpy").forward_dynamics([0.3, 0.2], [0, 0])
    assert np.isfinite(rates).all() and rates[0] == pytest.approx(rates[1])


def test_joints_that_are_undefined_somewhere_are_accepted() -> None:
    s = fb.System("s")
    joint = fb.Custom(("sqrt(0.1 - a*a)", "log(0.2 - b)", 0), coordinates=("a", "b"))
    s.body("b", joint=joint, mass=1)
    assert np.isfinite(s.derive().compile("numpy").forward_dynamics([0.1, 0.05], [0.2, 0.3])).all()


def test_universal_joint_equals_two_hinges() -> None:
    hinges = fb.Compound(fb.Revolute("y"), fb.Revolute("x"))
    names = ["a1", "a2"], ["a2", "a1"]
    for matrix in (fb.joint_configuration, fb.joint_map):
        found, wanted = (matrix(j, n) for j, n in zip((fb.Universal("x", "y"), hinges), names, strict=True))
        columns = slice(None, None, -1) if matrix is fb.joint_map else slice(None)
        assert [[str(x) for x in row] for row in found] == [[str(x) for x in row[columns]] for row in wanted]


def test_maps_may_be_arrays_of_other_libraries() -> None:
    """Iterating over a DataFrame gives the names of its columns, not the map."""
    rng = np.random.default_rng(4)
    for H in (E[:, 2], E[:, [2, 5]], rng.normal(size=(6, 6))):
        other = (pd.Series if H.ndim == 1 else pd.DataFrame)(H)
        assert fb.Simple(other).H == fb.Simple(np.ma.masked_array(H)).H == fb.Simple(H).H == fb.Simple(H.tolist()).H
    with pytest.raises(ModelError, match="masked values"):
        fb.Simple(np.ma.masked_array(E[:, 2], E[:, 2] == 0))
