"""Items of Kwatny & Blankenship (1995) that no other test of the paper shows: Table I, energies, Lagrange's equations
from M and V, the arm's M and its C program, and equations that hold globally."""

import ctypes
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from tests.papers.test_poincare_paper import BALL, BODIES, DISK, H1, H2, H3, same, simple, system, value

TABLE_I = [
    ("revolute", [0, 0, 1, 0, 0, 0], fb.Revolute("z")),
    ("prismatic", [0, 0, 0, 0, 0, 1], fb.Prismatic("z")),
    ("screw", [0, 0, 1, 0, 0, 0.3], fb.Screw("z", 0.3)),
    ("cylindrical", [[0, 0], [0, 0], [1, 0], [0, 0], [0, 0], [0, 1]], fb.Cylindrical("z")),
    ("universal", fb.Compound.of([[0, 0], [1, 0], [0, 1], [0, 0], [0, 0], [0, 0]], (1, 1)), None),
]
"""The joints of Table I. The universal joint is compound: its columns span no subalgebra."""


def numbers(rows: Any, known: dict[str, float]) -> np.ndarray:
    return np.array([[value(x, known) for x in row] for row in rows])


@pytest.mark.paper("002", "3")
@pytest.mark.parametrize(("H", "joint"), [case[1:] for case in TABLE_I], ids=[case[0] for case in TABLE_I])
def test_maps_of_table_1_are_the_joints_of_the_library(H: Any, joint: Any) -> None:
    """Equal poses, twists and equations of motion; the universal joint turns about z of the parent after y of the
    child."""
    names = ["a", "b"][: np.array(H).reshape(6, -1).shape[1]] if joint is not None else ["a", "b"]
    at = dict(zip(names, (0.7, -0.4), strict=False))
    X = numbers(fb.joint_configuration(H, names), at)
    if joint is None:
        c, s, d, e = np.cos(0.7), np.sin(0.7), np.cos(-0.4), np.sin(-0.4)
        about_y, about_z = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]), np.array([[d, -e, 0], [e, d, 0], [0, 0, 1]])
        assert np.allclose(X[:3, :3], about_z @ about_y) and np.allclose(X[:3, 3], 0)
        map_ = numbers(fb.joint_map(H, names), at)
        assert np.allclose(map_[:3], np.column_stack([[0, 1, 0], about_y.T @ [0, 0, 1]]))
        return
    assert np.allclose(X, numbers(fb.joint_configuration(joint, names), at))
    assert np.allclose(numbers(fb.joint_map(H, names), at), np.array(H, float).reshape(6, -1))
    runs = []
    for one in (fb.Simple(H), joint):
        s = fb.System("one")
        s.body("b", joint=one, mass=2.0, com=(0.3, 0.1, 0.2), inertia=(0.4, 0.5, 0.6))
        f = s.derive().compile("numpy")
        q = np.array([0.7, -0.4][: len(names)])
        runs.append(f.forward_dynamics(q, 0.5 * q, q))
    assert np.allclose(*runs, rtol=1e-12)


@pytest.mark.paper("002", "15", "16")
def test_mass_matrix_is_the_kinetic_energy_of_moving_bodies() -> None:
    """½ pᵀ M p (Eq 52) equals Σ ½ m v² + ½ ω·I ω, with v and ω by differences of the bodies' poses along q̇ = V p, for
    the arm of section IV (Eqs 42–51)."""
    V, X, M, q = simple()
    names, rng, h = [x.text() if hasattr(x, "text") else str(x) for x in q], np.random.default_rng(8), 1e-6
    angles, p = rng.uniform(-1, 1, (2, 6))

    def poses(values: np.ndarray) -> list[np.ndarray]:
        at, here, found = dict(zip(names, values, strict=True)), np.eye(4), []
        for joint, body in zip(X, BODIES, strict=True):
            here = here @ numbers(joint, at)
            found.append(here)
            here = here @ np.block([[np.eye(3), np.array(body.end, float)[:, None]], [np.zeros((1, 3)), 1.0]])
        return found

    at = dict(zip(names, angles, strict=True))
    q_dot = np.concatenate([numbers(v, at) @ part for v, part in zip(V, np.split(p, [2, 3]), strict=True)])
    ahead, behind, here = (poses(angles + s * h * q_dot) for s in (1, -1, 0))
    energy = 0.0
    for a, b, X0, body in zip(ahead, behind, here, BODIES, strict=True):
        twist = np.linalg.solve(X0, (a - b) / (2 * h))
        w, v = np.array([twist[2, 1], twist[0, 2], twist[1, 0]]), twist[:3, 3]
        centre = v + np.cross(w, np.array(body.com, float))
        energy += 0.5 * float(body.mass) * centre @ centre + 0.5 * w @ (np.array(body.inertia, float) * w)
    assert 0.5 * p @ numbers(M, at) @ p == pytest.approx(energy, rel=1e-8)


@pytest.mark.paper("002", "21")
def test_lagranges_inertia_matrix_follows_from_m_and_v() -> None:
    """V⁻ᵀ M V⁻¹ of the simple joint is M of the compound one, in the same coordinates (Eqs 54, 55)."""
    V, _, M, _ = fb.chain_inertia([((3,), BALL)], [DISK], "t1 t2 t3")
    whole = fb.chain_inertia([((1, 1, 1), BALL)], [DISK], "t1 t2 t3").M
    for angles in np.random.default_rng(6).uniform(-1, 1, (3, 3)):
        at = dict(zip(("t1", "t2", "t3"), angles, strict=True))
        inverse = np.linalg.inv(numbers(V[0], at))
        assert np.allclose(inverse.T @ numbers(M, at) @ inverse, numbers(whole, at), rtol=1e-13)


@pytest.mark.paper("002", "25")
def test_last_row_of_the_arms_inertia_matrix() -> None:
    """Row 6 of M for the bodies as printed: with 931/9600 = I about the wrist's y and z, (49/100 + 3·49/400)/24 + m
    (7/20)². The printed rows belong to an arm with rotations shifted by one joint; M itself is compared with composite
    bodies in test_arm_agrees_with_recursive_algorithms."""
    M = simple().M
    across = Fraction(1, 24) * (Fraction(49, 100) + 3 * Fraction(49, 400)) + Fraction(1, 2) * Fraction(49, 400)
    assert across == Fraction(931, 9600)
    third = f"21*sin(t2)/40 + {across}*sin(t1)*sin(t3) + {across}*cos(t1)*sin(t2)*cos(t3)"
    assert same([M[5][2:]], [[third, "0", "0", str(across)]])


PRINTED = {
    (1, 1, 1): (
        "21/20*cos(s1/2)**2*cos(t1)*cos(t2)*sin(s2) + a*cos(e + s1)*cos(t1)*cos(t2)*sin(s2)"
        " + b*cos(t2)*sin(e + s1)*sin(s2)*sin(t1) - a*cos(s2)*sin(t2)"
        " - 21/20*cos(e + s1/2)*cos(s1/2)*cos(s2)*sin(t2)",
        "-7/40*cos(t1)*cos(t2)*(6*cos(s1/2)**2*cos(s2)*sin(s1) + 3/2*sin(2*s1))"
        " + a*cos(t1)*cos(t2)*(-cos(e + s1)*cos(s2)*sin(s1) - cos(s1)*sin(e + s1))"
        " + b*cos(t2)*(cos(s1)*cos(e + s1) - cos(s2)*sin(s1)*sin(e + s1))*sin(t1)"
        " - a*sin(s1)*sin(s2)*sin(t2) - 21/20*cos(e + s1/2)*cos(s1/2)*sin(s1)*sin(s2)*sin(t2)",
        "-a*sin(t2) - 21/40*cos(e)*sin(t2)",
        "-a*sin(t2)",
        "(b - a)*cos(t1)*cos(t2)*sin(t1)",
        "a*cos(t1)**2*cos(t2)**2 + b*cos(t2)**2*sin(t1)**2 + a*sin(t2)**2",
    ),
    (3,): ("21/20*cos(s1/2)**2*sin(s2) + a*cos(e + s1)*sin(s2)", "-21/40*sin(s1) - a*sin(e + s1)", *"000", "a"),
}
"""The last rows of M as printed, by the parts of the wrist; r in cos(r + s1/2) is e, and cos(s1/2) is squared in the
second entry as in the first one; a and b are printed as 0.0969792 and 0.00510417."""


@pytest.mark.paper("002", "25")
@pytest.mark.parametrize("parts", PRINTED, ids=["compound", "simple"])
def test_printed_rows_belong_to_rotations_shifted_by_one_joint(parts: tuple[int, ...]) -> None:
    """M = Hᵀ Φᵀ M Φ H (Eq 52b) from the maps and poses of the joints, where φ(k, k − 1) has the rotation of joint k − 1
    for that of joint k; with that of joint k it is M of chain_inertia. The simple arm has a simple shoulder."""
    rng = np.random.default_rng(5)
    at = dict(zip(("s1", "s2", "e", "t1", "t2", "t3"), rng.uniform(-1, 1, 6), strict=True))
    whole = parts == (1, 1, 1)
    wrist = fb.Compound.of(H3, parts) if whole else fb.Simple(H3)
    maps = [fb.joint_map(joint, names) for joint, names in ((fb.Revolute("y"), "e"), (wrist, "t1 t2 t3"))]
    H = [numbers(fb.joint_map(fb.Compound.of(H1, (1, 1)), "s1 s2"), at), *(numbers(x, at) for x in maps)]
    _, X, M, _ = fb.chain_inertia([((1, 1), H1), ((1,), H2), (parts, H3)], BODIES, list(at))
    turns = [numbers(x, at)[:3, :3] for x in X]

    def last_row(joints: tuple[int, int]) -> np.ndarray:
        velocity, rows = np.zeros((6, 6)), np.zeros((6, 6))
        for k, (body, columns) in enumerate(zip(BODIES, H, strict=True)):
            if k:
                R, r = turns[joints[k - 1]], np.array(BODIES[k - 1].end, float)
                velocity = np.vstack([R.T @ velocity[:3], R.T @ (velocity[3:] - np.cross(r, velocity[:3].T).T)])
            velocity[:, (0, 2, 3)[k] : (2, 3, 6)[k]] += columns
            centre = velocity[3:] - np.cross(np.array(body.com, float), velocity[:3].T).T
            rows += float(body.mass) * centre.T @ centre
            rows += velocity[:3].T @ np.diag(np.array(body.inertia, float)) @ velocity[:3]
        return np.asarray(rows[5])

    assert np.allclose(last_row((1, 2)), numbers(M, at)[5], rtol=0, atol=1e-13)
    if not whole:
        H[0] = np.array(H1, float)
    scope = {"sin": np.sin, "cos": np.cos, "a": 931 / 9600, "b": 49 / 9600, **at}
    printed = [eval(text, {"__builtins__": {}}, scope) for text in PRINTED[parts]]
    assert np.allclose(last_row((0, 1)), printed, rtol=0, atol=1e-13)


@pytest.mark.paper("002", "27")
def test_quasi_velocities_hold_where_angles_do_not() -> None:
    """A free disk turns through the singular attitude of its angles: with a quaternion, Euler's equations hold there
    (energy and angular momentum stay), and M is constant; with angles V is singular."""
    s = fb.System("disk", gravity=(0, 0, 0))
    s.body("disk", joint=fb.Spherical(), mass=5, inertia=(5, 5, 10))
    x = s.derive("poincare").matrices()
    assert np.allclose(numbers(x.M, {}), np.diag([5, 5, 10])) and "q." not in x.C.text()
    run = s.simulate(3.0, u={"disk": (0.1, 2.0, 0.3)}, rtol=1e-10, atol=1e-12)
    r = run["momentum.angular"]
    q = np.array([run[n] for n in ("q.disk.qw", "q.disk.qx", "q.disk.qy", "q.disk.qz")]).T
    pitch = 2 * (q[:, 0] * q[:, 2] - q[:, 3] * q[:, 1])
    assert np.abs(pitch).max() > 0.99
    assert np.ptp(r, axis=0).max() < 1e-7 and np.ptp(run["energy.kinetic"]) < 1e-7
    V = fb.kinematic_matrix(BALL, "t1 t2 t3")
    assert abs(value(V[0][1], {"t1": 0.4, "t2": np.pi / 2 - 1e-9, "t3": 0.0})) > 1e8


@pytest.mark.paper("002", "28")
def test_c_code_of_the_arm_computes_poincares_equations() -> None:
    """C p + F − Q by C equals the expressions of poincare_function, and a run conserves energy."""
    s = system(fb.Simple(H3), fb.Compound.of(H1, (1, 1)))
    eq = s.derive("poincare")
    V, X, M, q = simple()
    needed = fb.poincare_function(M, V, fb.gravity_potential(BODIES, X, (0, 0, -1)), [0] * 6, "w1 w2 u1 v1 v2 v3", q)
    rng = np.random.default_rng(3)
    angles, speeds = rng.uniform(-1, 1, (2, 6))
    at = dict(
        zip(["s1", "s2", "e", "t1", "t2", "t3", "w1", "w2", "u1", "v1", "v2", "v3"], [*angles, *speeds], strict=True)
    )
    for backend in ("numpy", "llvm", *(["c"] if shutil.which("cc") or shutil.which("gcc") else [])):
        f = eq.compile(backend)
        left = f.inverse_dynamics(angles, speeds, np.zeros(6))
        assert np.allclose(left, [value(x, at) for x in needed], rtol=1e-10, atol=1e-10)
    run = eq.simulate(1.0, q={"lower": 0.8, "gripper": (0.3, 0.4, 0.5)}, u={"lower": 1.0}, rtol=1e-10, atol=1e-12)
    assert np.ptp(run["energy.total"]) < 1e-7


@pytest.mark.paper("002", "29")
@pytest.mark.skipif(not shutil.which("gfortran"), reason="no gfortran on this machine; apt-get install gfortran")
def test_fortran_module_of_the_arm_computes_its_accelerations(tmp_path: Path) -> None:
    """A module of Fortran 2008 for u̇ by Poincaré's equations, called with arrays, equals the same by NumPy."""
    eq = system(fb.Simple(H3), fb.Compound.of(H1, (1, 1))).derive("poincare")
    (path,) = eq.to_fortran(tmp_path, "forward_dynamics", prefix="arm")
    build = ["gfortran", "-std=f2008", "-O1", "-fPIC", "-shared", "-o", "arm.so", path.name]
    done = subprocess.run(build, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    library, name = ctypes.CDLL(str(tmp_path / "arm.so")), "arm_forward_dynamics"
    program, rng = eq.program(), np.random.default_rng(5)
    given = {group.name: rng.uniform(-1, 1, group.size) for group in program.groups}
    u_dot = np.full(6, np.nan)
    arrays = [*given.values(), u_dot]
    library[f"__{name}_module_MOD_{name}"](*(ctypes.c_void_p(x.ctypes.data) for x in arrays))
    expected = eq.compile("numpy").forward_dynamics(given["q"], given["u"], given["tau"])
    assert np.allclose(u_dot, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.paper("002", "30")
def test_trees_with_flexible_links_and_a_vehicle_of_fifteen_freedoms() -> None:
    """A hull with six road arms, a sprocket and a flexible antenna with a mass: 15 freedoms, by Poincaré's equations
    and by articulated bodies."""
    s = fb.System("tracked vehicle")
    hull = s.body("hull", joint=fb.Free("321"), mass=900, com=(0.1, 0, 0.2), inertia=(150, 500, 600))
    for k in range(6):
        arm = {"mass": 20, "com": (0.15, 0, -0.05), "inertia": (0.3, 0.5, 0.5)}
        where = (1.0 - (k % 3), 0.8 if k < 3 else -0.8, -0.2)
        s.body(f"arm{k}", on=hull, at=where, joint=fb.Revolute("y", stiffness=4000, damping=200), **arm)
    s.body("sprocket", on=hull, at=(1.5, 0, 0), joint=fb.Revolute("y"), mass=30, inertia=(1, 2, 1))
    antenna = fb.Beam(length=2.0, density=1.0, EI=(40.0, 60.0))
    s.body(
        "antenna",
        on=hull,
        at=(-0.5, 0.3, 0.5),
        orient=("y", -1.5707963267948966),
        joint=fb.Weld(),
        flexible=antenna,
        modes=2,
    )
    one, two = (s.derive(name) for name in ("poincare", "aba"))
    assert len(one.u) == 15
    f, g = one.compile("numpy"), two.compile("numpy")
    rng = np.random.default_rng(4)
    q, u, tau = 0.3 * rng.normal(size=(3, 15))
    q[-2:] *= 0.01
    assert np.allclose(f.forward_dynamics(q, u, tau), g.forward_dynamics(q, u, tau), rtol=1e-8, atol=1e-8)
