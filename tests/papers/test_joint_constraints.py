"""Simple joints given by their constraint, A p = 0 (Kwatny & Blankenship Eqs 5–8): the null space is exact, all motions
satisfy the constraint, and the joint equals the one with the map of the same span."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ModelError

E = np.eye(6, dtype=int)
RNG = np.random.default_rng(2)
OBLIQUE = np.linalg.svd(RNG.normal(size=(6, 6)))[0]
PLANE = np.array([[0.6, 0, 0.8, 0, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0.8, 0, -0.6]]).T
"""A plane that is inclined: its normal and two directions in it."""


def complement(H: Any) -> Any:
    """Rows A with A H = 0 in general position: combinations of the left null space, one more than needed."""
    H = np.asarray(H, float).reshape(6, -1)
    rows = np.linalg.svd(H)[0][:, H.shape[1] :].T
    return np.random.default_rng(len(rows)).normal(size=(len(rows) + 1, len(rows))) @ rows


JOINTS = {
    "hinge": fb.Simple(constraint=E[[0, 1, 3, 4, 5]]),
    "ball": fb.Simple(constraint=E[3:]),
    "screw": fb.Simple(constraint=[*E[[0, 1, 3, 4]], (0, 0, Fraction(-1, 5), 0, 0, 1)]),
    "slider with repeated rows": fb.Simple(constraint=[*E[:5], E[0] + 3 * E[2], 2 * E[3]]),
    "inclined plane": fb.Simple(constraint=complement(PLANE)),
    "oblique screw": fb.Simple(constraint=complement(OBLIQUE[:, 0])),
    "one row": fb.Simple(constraint=(1, 2, 0, 0, 0, 0), holonomic=False),
}


@pytest.mark.paper("002", "5", "7")
@pytest.mark.parametrize("joint", JOINTS.values(), ids=JOINTS)
def test_every_motion_of_the_joint_satisfies_its_constraint(joint: fb.Simple) -> None:
    """A p = 0 for the twist p = H(q) β of random states, and for X⁻¹Ẋ by differences of the poses (Eq 7)."""
    A = np.array(joint.constraint, float)
    names = [f"e{k}" for k in range(len(joint.coordinates))]
    free = fb.Simple(joint.H, holonomic=joint.holonomic)
    H, X, gamma = (f(free, names) for f in (fb.joint_map, fb.joint_configuration, fb.kinematic_matrix))
    assert np.linalg.matrix_rank(A) + len(joint.speeds) == 6

    def at(rows: Any, q: Any) -> Any:
        known = dict(zip(names, map(float, q), strict=True))
        named = {n: v for n, v in known.items() if rows[0][0].graph.named(n) is not None}
        return np.array([[float(x.subs(named)) for x in row] for row in rows])

    for _ in range(3):
        q, u, h = RNG.uniform(-1, 1, len(names)), RNG.normal(size=len(joint.speeds)), 1e-6
        rate = at(gamma, q) @ u
        ahead, behind, here = (at(X, q + d * rate) for d in (h, -h, 0))
        p = np.linalg.solve(here, (ahead - behind) / (2 * h))
        twist = np.array([p[2, 1], p[0, 2], p[1, 0], *p[:3, 3]])
        assert np.allclose(twist, at(H, q) @ u, atol=1e-8)
        assert np.allclose(A @ at(H, q) @ u, 0, atol=1e-13 * np.abs(A).max()) and np.allclose(A @ twist, 0, atol=1e-7)


@pytest.mark.paper("002", "5")
def test_null_space_is_exact_where_the_numbers_are() -> None:
    assert JOINTS["hinge"].H == ((0,), (0,), (1,), (0,), (0,), (0,))
    assert tuple(map(tuple, E[:, :3].tolist())) == JOINTS["ball"].H
    assert ((0,), (0,), (1,), (0,), (0,), (Fraction(1, 5),)) == JOINTS["screw"].H
    third = fb.Simple(constraint=[*E[[0, 1, 3, 4]], (0, 0, 1, 0, 0, 3)])
    assert third.H == ((0,), (0,), (-3,), (0,), (0,), (1,))
    assert fb.Simple(constraint=[*E[[0, 1, 3, 4]], (0, 0, 7, 0, 0, 3)]).H[5] == (Fraction(-7, 3),)
    assert np.allclose(
        np.array(JOINTS["oblique screw"].constraint) @ np.array(JOINTS["oblique screw"].H), 0, atol=1e-14
    )


def carried(joint: fb.Simple) -> fb.System:
    s = fb.System("carried")
    s.parameter("p", 0.3)
    base = s.body("base", joint=fb.Revolute("y"), mass=1, com=(0, 0, 0.3), inertia=(1, 2, 2.5))
    arm = s.body("arm", on=base, at=(0.1, 0.2, 0.3), joint=joint, mass=2, com=(0.1, 0.2, 0.3), inertia=(1, 2, 2.5))
    s.body("tip", on=arm, at=(0.1, 0, 0.3), joint=fb.Revolute("x"), mass=2, com=(0.1, 0.2, 0), inertia=(1, 2, 2.5))
    return s


@pytest.mark.paper("002", "5")
@pytest.mark.parametrize("formulation", ["kane", "crba", "aba", "poincare", "sayers", "cheapest", "gauss"])
@pytest.mark.parametrize("name", ["ball", "oblique screw", "inclined plane"])
def test_joint_equals_the_map_of_the_same_span_in_every_formulation(name: str, formulation: str) -> None:
    """The map has other columns, H T; u = T⁻¹ v there. At q = 0 both have one pose."""
    joint = JOINTS[name]
    n = len(joint.speeds)
    T = np.eye(n) + 0.15 * np.random.default_rng(n).normal(size=(n, n))
    other = fb.Simple(np.array(joint.H, float) @ T)
    one, two = (carried(j).derive(formulation).compile("numpy") for j in (joint, other))
    full = np.eye(n + 2)
    full[1 : n + 1, 1 : n + 1] = T
    q = np.array([0.4, *[0.0] * n, -0.7])
    for _ in range(3):
        v, tau = RNG.normal(size=(2, n + 2))
        wanted = full @ two.forward_dynamics(q, v, full.T @ tau)
        assert np.allclose(one.forward_dynamics(q, full @ v, tau), wanted, rtol=1e-9, atol=1e-9)


@pytest.mark.paper("002", "5")
def test_run_equals_that_of_the_joint_of_the_library() -> None:
    """A screw of pitch p given by v_z = p ω_z; parameters stay in A, H, files and digests."""
    A = [*E[[0, 1, 3, 4]].tolist(), [0, 0, "-p", 0, 0, 1]]
    s, screw = carried(fb.Simple(constraint=A)), carried(fb.Screw("z", "p"))
    assert str(s.bodies["arm"].spec.joint.H[5][0]) == "p"
    ends = [x.simulate(1.0, q={"base": 0.4}, parameters={"p": 0.2}, rtol=1e-10, atol=1e-12) for x in (s, screw)]
    assert np.allclose(*([run[f"q.{name}"][-1] for name in ("base", "arm", "tip")] for run in ends), rtol=1e-8)
    assert s.digest() == carried(fb.Simple([0, 0, 1, 0, 0, "p"])).digest()


def test_files_hold_the_constraint(tmp_path: Any) -> None:
    for joint in (*JOINTS.values(), fb.Simple(constraint=[*E[[0, 1, 3, 4]].tolist(), [0, 0, "-p", 0, 0, 1]])):
        s = carried(joint)
        file = s.save(tmp_path / "model.yaml")
        assert "constraint:" in file.read_text() and "H:" not in file.read_text()
        again = fb.load(file)
        assert again.digest() == s.digest() and again.to_yaml() == s.to_yaml()


@pytest.mark.paper("002", "5")
def test_joint_closes_a_loop() -> None:
    """A four-bar whose last pin is given by its constraint moves as with a revolute joint."""
    ends = []
    for pin in (fb.Revolute("y"), fb.Simple(constraint=E[[0, 2, 3, 4, 5]])):
        s = fb.System("four-bar")
        bar = {"mass": 1.0, "inertia": (0.1, 0.1, 0.1)}
        crank = s.body("crank", joint=fb.Revolute("y"), com=(0, 0, 0.15), **bar)
        coupler = s.body(
            "coupler", on=crank, at=(0, 0, 0.3), joint=fb.Revolute("y", initial=-0.5), com=(0.4, 0, 0), **bar
        )
        rocker = s.body("rocker", at=(0.8, 0, 0), joint=fb.Revolute("y"), com=(0, 0, 0.25), **bar)
        s.close(coupler.point((0.8, 0, 0)), rocker.point((0, 0, 0.5)), joint=pin, name="pin")
        run = s.simulate(0.7, q={"crank": 0.3}, rtol=1e-10, atol=1e-12)
        ends.append([run[n][-1] for n in ("q.crank", "q.coupler", "q.rocker", "u.crank")])
    assert np.allclose(*ends, rtol=1e-7)


@pytest.mark.parametrize(
    ("A", "message"),
    [
        (np.zeros((2, 6)), r"all its entries are 0 \(rank 0\).*use Free"),
        (E, r"rank 6, so that no motion is left; use Weld"),
        ([1, 2, 3], "rows of 6 entries .* not rows of 3"),
        ([[1, 2, 3, 4, 5, 6], [1, 2]], "not rows of 6, 2"),
        ("z", "rows of 6 entries .* not 'z'"),
        ([[None] * 6], "numbers, texts and expressions, not None"),
        ((1, 0, 0, 0, 0, 0), r"the null space of its constraint\) is not a simple joint: the bracket of columns"),
    ],
)
def test_wrong_constraints_are_refused(A: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        fb.Simple(constraint=A)


def test_joint_is_given_in_one_way_and_its_rank_does_not_change() -> None:
    with pytest.raises(ModelError, match="by its map H or by its constraint A, not by both"):
        fb.Simple([0, 0, 1, 0, 0, 0], constraint=E[3:])
    ball = fb.Simple(constraint=E[3:])
    assert replace(ball, stiffness=0.0).H == ball.H and replace(ball, constraint=E[[0, 1, 5]]).H[2] == (1, 0, 0)
    for changed in ({"H": [0, 0, 1, 0, 0, 0]}, {"H": ball.H[::-1]}):
        with pytest.raises(ModelError, match="not by both"):
            replace(ball, **changed)
    with pytest.raises(ModelError, match="not by both"):
        replace(fb.Simple([0, 0, 1, 0, 0, 0]), constraint=E[3:])
    s = fb.System()
    s.parameters(a=0.0, b=1.0)
    rows = [*E[[0, 1, 3, 4]].tolist()]
    with pytest.raises(
        ModelError, match="its rank is 4 for the default values of the parameters and 5 for most others"
    ):
        s.body("x", joint=fb.Simple(constraint=[*rows, [0, 0, "a", 0, 0, "a*b"]]), mass=1)
    with pytest.raises(ModelError, match=r"quotients by an expression that is 0 .* Simple\(H\)"):
        s.body("y", joint=fb.Simple(constraint=[*rows, [0, 0, "b", 0, 0, "a"]]), mass=1)
