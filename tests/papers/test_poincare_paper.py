"""Kwatny & Blankenship's examples term by term: the thin disk (Eqs 54, 55) and the arm of section IV, with misprinted
signs corrected."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.algebra import is_zero
from freebody.backends import compile
from freebody.errors import ArgumentError, ModelError
from freebody.scalar.expr import Expr
from freebody.scalar.parse import parse

HALF = Fraction(1, 2)
DISK = fb.ChainBody((0, 0, 0), (1, 0, 0), 5, (5, 5, 10))  # m = 5, R = 2: m R²/4, m R²/2
BAR = fb.ChainBody((0, 0, Fraction(3, 2)), (0, 0, 3), 1, (Fraction(3, 4), Fraction(3, 4), 0))
ACROSS = HALF * (Fraction(49, 100) + 3 * Fraction(49, 400)) / 12
GRIPPER = fb.ChainBody((0, 0, Fraction(7, 20)), (0, 0, Fraction(7, 10)), HALF, (ACROSS, ACROSS, Fraction(49, 9600)))
BODIES = [BAR, BAR, GRIPPER]
BALL = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0), (0, 0, 0), (0, 0, 0))
H1 = ((0, 0), (1, 0), (0, 1), (0, 0), (0, 0), (0, 0))
H2 = ((0,), (1,), (0,), (0,), (0,), (0,))
H3 = ((0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0))
COORDINATES, SPEEDS = "s1 s2 e t1 t2 t3", "w1 w2 u1 v1 v2 v3"


def same(a: fb.Matrix | Sequence[Any], b: Sequence[Sequence[Any]]) -> bool:
    """Whether all entries are equal for all values of their symbols."""
    pairs = [(x, y) for r, s in zip(a, b, strict=True) for x, y in zip(r, s, strict=True)]
    return all(is_zero(x.graph, (x - y).handle) for x, y in pairs)


# The thin disk


@pytest.mark.paper("002", "19")
def test_disk_on_a_simple_spherical_joint() -> None:
    """Eqs 54a, 54b: Γ, M, and C p = ω × J ω (printed with the other sign)."""
    V, X, M, q = fb.chain_inertia([((3,), BALL)], [DISK], "t1 t2 t3")
    gamma = [
        ["1", "sin(t1)*tan(t2)", "cos(t1)*tan(t2)"],
        ["0", "cos(t1)", "-sin(t1)"],
        ["0", "sin(t1)/cos(t2)", "cos(t1)/cos(t2)"],
    ]
    assert same(V[0], gamma) and same(M, [[5, 0, 0], [0, 5, 0], [0, 0, 10]])
    for skew in (False, True):
        C = fb.coriolis_matrix(M, V, q, "w1 w2 w3", skew=skew)
        assert same([product(C, "w1 w2 w3")], [["5*w2*w3", "-5*w1*w3", "0"]])
    assert X[0].shape == (4, 4) and str(X[0][2, 0]) == "-sin(t2)"


def product(A: fb.Matrix, names: str) -> list[Expr]:
    return [sum((x * n for x, n in zip(row, names.split(), strict=True)), start=row[0] * 0) for row in A]


M55 = [
    ["5", "0", "-5*sin(t2)"],
    ["0", "5/2*(3 - cos(2*t1))", "-5/2*cos(t2)*sin(2*t1)"],
    ["-5*sin(t2)", "-5/2*cos(t2)*sin(2*t1)", "10*cos(t1)**2*cos(t2)**2 + 5*cos(t2)**2*sin(t1)**2 + 5*sin(t2)**2"],
]
F55 = [
    "u3*(-5*u2*cos(2*t1)*cos(t2) - 5*u3*cos(t2)**2*sin(2*t1))/2"
    " + u2*(5*u3*cos(t2) + (-5*u3*cos(2*t1)*cos(t2) + 5*u2*sin(2*t1))/2)",
    "u1*(-5*u3*cos(t2)/2 + 5*u3*cos(2*t1)*cos(t2) - 5*u2*sin(2*t1)) - 5*u2*u3*sin(2*t1)*sin(t2)/4"
    " + (u3*(-5*u1*cos(t2) + 5*u2*sin(2*t1)*sin(t2)/2 - 5*u3*cos(t1)**2*sin(2*t2)))/2",
    "u1*(5*u2*cos(2*t1)*cos(t2) + 5*u3*cos(t2)**2*sin(2*t1))"
    " + u2*(5*u1*cos(t2) - 5*u2*sin(2*t1)*sin(t2)/2 + 5*u3*cos(t1)**2*sin(2*t2))",
]
"""As printed, but sin² t2 in M; C p is minus F."""


@pytest.mark.paper("002", "12", "20")
def test_disk_on_a_compound_joint() -> None:
    """Eqs 55a, 55b: a joint of three parts has Lagrange's equations, V = 1; its pose equals that of the simple
    joint."""
    V, X, M, q = fb.chain_inertia([((1, 1, 1), BALL)], [DISK], "t1 t2 t3")
    assert same(V[0], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]) and same(M, M55)
    found = product(fb.coriolis_matrix(M, V, q, "u1 u2 u3"), "u1 u2 u3")
    assert all(is_zero(x.graph, (x + printed).handle) for x, printed in zip(found, F55, strict=True))
    simple = fb.chain_inertia([BALL], [DISK], "t1 t2 t3")
    assert X[0].text() == simple.X[0].text()


# The arm of section IV

LOWER = "(cos(e)*cos(s1) - sin(e)*sin(s1))"
FAR = [
    "(cos(e)*cos(s1)*cos(s2) - cos(s2)*sin(e)*sin(s1))",
    "(cos(e)*cos(s1)*sin(s2) - sin(e)*sin(s1)*sin(s2))",
    "(-cos(s1)*sin(e) - cos(e)*sin(s1))",
]
UP = ["(cos(s1)*cos(s2)*sin(e) + cos(e)*cos(s2)*sin(s1))", "(cos(s1)*sin(e)*sin(s2) + cos(e)*sin(s1)*sin(s2))", LOWER]
SIDE = ["-sin(s2)", "cos(s2)", "0"]
ARM = ["3*cos(s2)*sin(s1)", "3*sin(s1)*sin(s2)", "3*cos(s1)"]


def printed_pose() -> list[list[str]]:
    """XEnd of section IV with the missing parentheses added."""
    rows = []
    for far, up, side, arm in zip(FAR, UP, SIDE, ARM, strict=True):
        third = (
            f"(cos(t2)*{far}*sin(t1) + {side}*(cos(t3)*sin(t1)*sin(t2) - cos(t1)*sin(t3))"
            f" + {up}*(cos(t1)*cos(t3) + sin(t1)*sin(t2)*sin(t3)))"
        )
        rows.append(
            [
                f"cos(t1)*cos(t2)*{far} + {side}*(cos(t1)*cos(t3)*sin(t2) + sin(t1)*sin(t3))"
                f" + {up}*(-(cos(t3)*sin(t1)) + cos(t1)*sin(t2)*sin(t3))",
                f"{side}*cos(t2)*cos(t3) - {far}*sin(t2) + cos(t2)*{up}*sin(t3)",
                third,
                f"{arm} + 3*{up} + 7/10*{third}",
            ]
        )
    return [*rows, ["0", "0", "0", "1"]]


@cache
def compound() -> fb.ChainMatrices:
    return fb.chain_inertia([((1, 1), H1), ((1,), H2), ((1, 1, 1), H3)], BODIES, COORDINATES)


@cache
def simple() -> fb.ChainMatrices:
    """The shoulder's two columns span no subalgebra, so it stays compound. The wrist is a simple joint."""
    return fb.chain_inertia([((1, 1), H1), ((1,), H2), ((3,), H3)], BODIES, COORDINATES)


@pytest.mark.paper("002", "22")
def test_pose_of_the_arm_matches_the_paper() -> None:
    """The end effector's pose entry by entry for all angles, with both kinds of joints."""
    pose, other = (fb.end_effector_pose(BODIES, way().X) for way in (simple, compound))
    assert same(pose, printed_pose()) and pose.text() == other.text()


def system(wrist: fb.Simple | fb.Compound, shoulder: fb.Simple | fb.Compound) -> fb.System:
    s = fb.System("arm", gravity=(0, 0, -1))
    bar = {"mass": 1, "com": BAR.com, "inertia": BAR.inertia}
    upper = s.body("upper", joint=shoulder, **bar)
    lower = s.body("lower", on=upper, at=BAR.end, joint=fb.Revolute("y"), **bar)
    s.body("gripper", on=lower, at=BAR.end, joint=wrist, mass=HALF, com=GRIPPER.com, inertia=GRIPPER.inertia)
    return s


@pytest.mark.paper("002", "18", "24")
def test_arm_agrees_with_recursive_algorithms() -> None:
    """M and C p + F − Q of the chain compared with composite and articulated bodies at random states."""
    V, X, M, q = simple()
    potential = fb.gravity_potential(BODIES, X, gravity=(0, 0, -1))
    needed = fb.poincare_function(M, V, potential, "T1 T2 T3 T4 T5 T6", SPEEDS, q)
    f = system(fb.Simple(H3), fb.Compound.of(H1, (1, 1))).derive("aba").compile("numpy")
    rng = np.random.default_rng(0)
    for _ in range(3):
        angles, speeds, torques = rng.uniform(-1, 1, (3, 6))
        at = dict(zip([*COORDINATES.split(), *SPEEDS.split()], [*angles, *speeds], strict=True))
        at |= {f"T{k + 1}": float(x) for k, x in enumerate(torques)}
        mass = np.array([[value(x, at) for x in row] for row in M])
        left = np.array([value(x, at) for x in needed])
        assert np.allclose(mass, f.mass_matrix(angles), rtol=1e-12, atol=1e-12)
        u_dot = f.forward_dynamics(angles, speeds, torques)
        assert np.allclose(mass @ u_dot, -left, rtol=1e-10, atol=1e-10)


def value(x: Any, at: dict[str, float]) -> float:
    known: dict[Any, Any] = {name: float(v) for name, v in at.items() if x.graph.named(name) is not None}
    return float(x.subs(known))


@pytest.mark.paper("002", "23")
def test_potential_includes_offsets_and_masses() -> None:
    """The paper's potential lacks the joints' offsets and the gripper's mass; the correct one is each weight times
    its height."""
    X = simple().X
    third = printed_pose()[2][2]
    right = f"3/2*cos(s1) + (3*cos(s1) + 3/2*{LOWER}) + 1/2*(3*cos(s1) + 3*{LOWER} + 7/20*{third})"
    assert is_zero(X[0][0, 0].graph, (fb.gravity_potential(BODIES, X, (0, 0, -1)) - right).handle)


@pytest.mark.paper("002", "26")
def test_simple_joints_give_a_smaller_inertia_matrix() -> None:
    """A simple wrist saves little; with a spherical shoulder, M does not depend on its angles and is less than half
    as long as with hinges. (The paper's 25 % and its last rows match no arm with these bodies.)"""
    few, many = simple().M, compound().M
    assert len(few.text()) < 0.9 * len(many.text()) and few.operations < 0.9 * many.operations
    names, ball = "s1 s2 s3 e t1 t2 t3", tuple(zip(*((0, 1, 0), (0, 0, 1), (1, 0, 0)), strict=True)) + ((0, 0, 0),) * 3
    short, long = (fb.chain_inertia([(r, ball), ((1,), H2), (r, H3)], BODIES, names).M for r in ((3,), (1, 1, 1)))
    assert len(short.text()) < 0.45 * len(long.text()) and short.operations < 0.45 * long.operations
    assert not any(f"s{k})" in short.text() for k in (1, 2, 3))


@pytest.mark.paper("002", "8")
def test_shoulder_with_two_columns_is_nonholonomic() -> None:
    """It is refused as a holonomic simple joint; as a nonholonomic one, its matrices and program agree with
    articulated bodies, and M does not depend on its angles."""
    with pytest.raises(ModelError, match="is not a simple joint"):
        fb.chain_inertia([((2,), H1)], [BAR], "s1 s2")
    s = system(fb.Simple(H3), fb.Simple(H1, holonomic=False))
    eq, f = s.derive("poincare"), s.derive("aba").compile("numpy")
    rng = np.random.default_rng(2)
    q, u = rng.uniform(-1, 1, len(eq.q)), rng.uniform(-1, 1, len(eq.u))
    u_dot = f.forward_dynamics(q, u)
    assert np.allclose(eq.compile("numpy").forward_dynamics(q, u), u_dot, rtol=1e-10)
    x = eq.matrices(simplify=False)
    held = {"q": q, "u": u, "t": np.zeros(1)}
    function = compile(x.program(), "numpy")
    terms = function(*(held.get(g.name, np.zeros(g.size)) for g in function.groups))
    assert isinstance(terms, dict)
    assert np.allclose(terms["M"] @ u_dot + terms["C"] @ u + terms["F"], terms["Q"], atol=1e-10)
    assert "q.upper" not in eq.matrices().M.text()


@pytest.mark.paper("002", "17")
def test_mass_rate_of_the_arm_is_c_plus_its_transpose() -> None:
    """Ṁ = C + Cᵀ numerically along random directions."""
    V, _, M, q = simple()
    C = fb.coriolis_matrix(M, V, q, SPEEDS, skew=True)
    rng, h = np.random.default_rng(1), 1e-6
    angles, speeds = rng.uniform(-1, 1, (2, 6))
    names = COORDINATES.split()
    at = dict(zip([*names, *SPEEDS.split()], [*angles, *speeds], strict=True))
    rates = np.concatenate(
        [
            np.array([[value(x, at) for x in row] for row in block]) @ part
            for block, part in zip(V, np.split(speeds, [2, 3]), strict=True)
        ]
    )

    def mass(step: float) -> np.ndarray:
        moved = dict(zip(names, angles + step * rates, strict=True))
        return np.array([[value(x, moved) for x in row] for row in M])

    found = np.array([[value(x, at) for x in row] for row in C])
    assert np.allclose((mass(h) - mass(-h)) / (2 * h), found + found.T, atol=1e-7)


# Parameters and refused arguments


def test_bodies_may_have_parameters() -> None:
    bar = (("0", 0, "L/2"), (0, 0, "L"), "m", ("m*L**2/12", "m*L**2/12", 0))
    _, X, M, _ = fb.chain_inertia([fb.Revolute("y"), fb.Revolute("y")], [bar, bar], "a b")
    assert same([M[1]], [["m*L**2*(1/3 + cos(b)/2)", "m*L**2/3"]])
    assert str(fb.gravity_potential([bar, bar], X, (0, 0, "-m"))).count("cos") == 2


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: fb.chain_inertia([fb.Revolute()], [], "a"), "not 0 bodies for 1 joints"),
        (lambda: fb.chain_inertia([], [], ""), "not 0 bodies for 0 joints"),
        (lambda: fb.chain_inertia([fb.Revolute()], [BAR], "a b"), "have 1 coordinates, but 2 different names"),
        (lambda: fb.chain_inertia([fb.Revolute()] * 2, [BAR] * 2, "a a"), "2 coordinates, but 1 different names"),
        (lambda: fb.chain_inertia([fb.Revolute(damping=1)], [BAR], "a"), "joint 1 has a damping.*build a System"),
        (lambda: fb.chain_inertia([fb.Revolute()], [(1, 2, 3)], "a"), "a body must be .com, end, mass, inertia."),
        (lambda: fb.chain_inertia([fb.Revolute()], [BAR._replace(mass="2*a")], "a"), "a mass may depend on numbers"),
        (lambda: fb.chain_inertia([fb.Universal()], [BAR], "a b"), "two hinges with a body between"),
        (lambda: fb.chain_inertia([fb.Revolute()], [(0, (0, 0, 0), 1, (1, 1, 1))], "a"), "com must be three numbers"),
        (lambda: fb.chain_inertia([fb.Revolute()], [((0, 0, 0), (0, 0, 0), 1, (1, 1))], "a"), "3 × 3 matrix"),
        (lambda: fb.coriolis_matrix([[1]], [[1]], "a", "b"), "no entry of M, V or the potential is an expression"),
        (lambda: fb.end_effector_pose([BAR], []), "no entry|not 0 for 1 bodies"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_refused(call: Any, complaint: str) -> None:
    with pytest.raises(ArgumentError, match=complaint):
        call()


def test_matrices_must_match_their_names_and_close() -> None:
    V, X, M, q = fb.chain_inertia([fb.Spherical("321")], [DISK], "a b c")
    with pytest.raises(ArgumentError, match="3 names in q and 2 in p"):
        fb.coriolis_matrix(M, V, q, "w1 w2")
    with pytest.raises(ArgumentError, match="Q has 2 generalised forces, but there are 3 speeds"):
        fb.poincare_function(M, V, 0, "T1 T2", "w1 w2 w3", q)
    with pytest.raises(ArgumentError, match="a configuration matrix for each body"):
        fb.end_effector_pose([DISK, DISK], X)
    with pytest.raises(ArgumentError, match="rows have 1, 2 entries"):
        fb.coriolis_matrix([[1], [q[0], 1]], V, q, "w1 w2 w3")
    with pytest.raises(ArgumentError, match=r"nonholonomic.*matrices"):
        fb.coriolis_matrix([[1, 0], [0, 1]], [[1, 0], [0, 1], [0, q[0]]], q, "p1 p2")


@pytest.mark.paper("002", "17")
def test_forces_on_coordinates_are_multiplied_by_v_transposed() -> None:
    """The disk's Poincaré function with forces along its angles: Γᵀ times them (Eqs 53c, 54a)."""
    V, _, M, q = fb.chain_inertia([((3,), [*np.eye(3, dtype=int).tolist(), *[[0] * 3] * 3])], [DISK], "t1 t2 t3")
    found = fb.poincare_function(M, V, 0, "T1 T2 T3", "w1 w2 w3", q, on="coordinates")
    rest = fb.poincare_function(M, V, 0, [0, 0, 0], "w1 w2 w3", q)
    work = [
        "T1",
        "T1*sin(t1)*tan(t2) + T2*cos(t1) + T3*sin(t1)/cos(t2)",
        "T1*cos(t1)*tan(t2) - T2*sin(t1) + T3*cos(t1)/cos(t2)",
    ]
    for one, other, text in zip(found, rest, work, strict=True):
        g = one.graph
        names = {n: g.named(n) for n in ["t1", "t2", "T1", "T2", "T3"]}
        assert is_zero(g, g.add(g.sub(one.handle, other.handle), parse(g, text, names)))
    with pytest.raises(ArgumentError, match="forces act on 'speeds' or on 'coordinates', not on 'bodies'"):
        fb.poincare_function(M, V, 0, "T1 T2 T3", "w1 w2 w3", q, on="bodies")


@pytest.mark.parametrize(("r", "message"), [((2,), "has the sum 2"), (3, "number of columns")])
def test_counts_of_columns_must_match_the_map(r: Any, message: str) -> None:
    turns = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0), (0, 0, 0), (0, 0, 0))
    with pytest.raises(ModelError, match=message):
        fb.chain_inertia([(r, turns)], [DISK], "a b c")


def test_scalar_inertias_are_refused() -> None:
    with pytest.raises(ArgumentError, match="three moments"):
        fb.chain_inertia([fb.Revolute("z")], [((0, 0, 0), (1, 0, 0), 1, 3)], "a")


def test_speeds_need_their_own_names_and_poses_are_square() -> None:
    V, _, M, q = fb.chain_inertia([fb.Revolute("z"), fb.Revolute("z")], [DISK, DISK], "a b")
    for p in ("a b", "c c"):
        with pytest.raises(ArgumentError, match="a name of its own"):
            fb.coriolis_matrix(M, V, q, p)
    with pytest.raises(ArgumentError, match="4 × 4"):
        fb.end_effector_pose([DISK], [[[1, 0], [0, 1]]])
    assert (
        str(fb.gravity_potential([DISK], [[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 2], [0, 0, 0, 1]]], (0, 0, -1)))
        == "10"
    )


# Brackets


@pytest.mark.paper("002", "13")
def test_brackets_of_the_ball_joint() -> None:
    """Γ of Table II has [v_1, v_2] = v_3 and so on (so(3)), and X_j are differences of the derivatives of V."""
    V, _, _, q = fb.chain_inertia([((3,), BALL)], [DISK], "t1 t2 t3")
    c, X = fb.structure_coefficients(V, q), fb.bracket_matrices(V, q)
    for i in range(3):
        for j in range(3):
            for k in range(3):
                assert float(c[i][j, k]) == (i - j) * (j - k) * (k - i) / 2
    rng, h = np.random.default_rng(4), 1e-6
    names, at = ["t1", "t2", "t3"], rng.uniform(-1, 1, 3)

    def fields(q: np.ndarray) -> np.ndarray:
        return np.array([[value(x, dict(zip(names, q, strict=True))) for x in row] for row in V[0]])

    columns = fields(at).T
    for j, rows in enumerate(X):
        for i in range(3):
            v, w = columns[j], columns[i]
            expected = (fields(at + h * v)[:, i] - fields(at - h * v)[:, i]) / (2 * h)
            expected -= (fields(at + h * w)[:, j] - fields(at - h * w)[:, j]) / (2 * h)
            found = [value(row[i], dict(zip(names, at, strict=True))) for row in rows]
            assert np.allclose(found, expected, atol=1e-8)


@pytest.mark.paper("002", "13", "17")
def test_coriolis_matrix_follows_from_the_brackets() -> None:
    """Eq 53b with its signs corrected: C = A − ½ Aᵀ − Σ p_j X_jᵀ V⁻ᵀ M, numerically for the arm."""
    V, _, M, q = simple()
    C, X = fb.coriolis_matrix(M, V, q, SPEEDS), fb.bracket_matrices(V, q)
    rng, h, names = np.random.default_rng(5), 1e-6, COORDINATES.split()
    angles, p = rng.uniform(-1, 1, (2, 6))
    at = dict(zip([*names, *SPEEDS.split()], [*angles, *p], strict=True))

    def numbers(A: Any, known: dict[str, float]) -> np.ndarray:
        return np.array([[value(x, known) for x in row] for row in A])

    whole = np.zeros((6, 6))
    for start, block in zip((0, 2, 3), V, strict=True):
        whole[start : start + len(block), start : start + len(block)] = numbers(block, at)
    columns = []
    for k in range(6):
        ahead, behind = (dict(zip(names, angles + s * h * whole[:, k], strict=True)) for s in (1, -1))
        columns.append((numbers(M, ahead) - numbers(M, behind)) @ p / (2 * h))
    A, mass = np.array(columns).T, numbers(M, at)
    brackets = sum(p[j] * numbers(X[j], at).T for j in range(6))
    assert np.allclose(numbers(C, at), A - A.T / 2 - brackets @ np.linalg.inv(whole).T @ mass, atol=1e-7)


def test_brackets_outside_of_the_span_have_no_coefficients() -> None:
    universal = fb.kinematic_matrix(fb.Simple(H1, holonomic=False), "a b c")
    assert [X.shape for X in fb.bracket_matrices(universal, "a b c")] == [(3, 2), (3, 2)]
    with pytest.raises(ArgumentError, match=r"nonholonomic joint, .*bracket_matrices\(V, q\)"):
        fb.structure_coefficients(universal, "a b c")
    with pytest.raises(ArgumentError, match="V has 3 rows, but 2 different names"):
        fb.structure_coefficients(universal, "a b")
    with pytest.raises(ArgumentError, match="no entry of V is an expression"):
        fb.bracket_matrices([[1]], "a")
