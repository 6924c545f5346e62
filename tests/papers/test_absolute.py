"""`eq.absolute(q, u)`: the matrices and right-hand sides of Mufti's report solved give the motion of Kane's equations,
for trees, trees on a moving platform and closed chains; and the appendix gives it by QR and by singular values."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.linalg import block_diag

import freebody as fb
from freebody.errors import ModelError
from freebody.papers.absolute import Factors, MuftiEquations
from freebody.papers.topology import Topology

Array = np.ndarray
PARENTS = (None, 0, 0, 1, 1, 1)
"""Of Fig 3a."""
ROOTS: dict[str, Any] = {
    "free": fb.Free(),
    "ball": fb.Spherical(),
    "pin": fb.Revolute((1, 2, 2), damping=0.3),
    "platform": fb.Spherical(),
}


def six(joints: str, root: str, cuts: tuple[Any, ...] = ()) -> tuple[fb.System, Array, Array]:
    """The tree of Fig 3a with springs, dampers and a force, closed at a state by cut hinges as in Fig 6."""
    s, rng = fb.System("report"), np.random.default_rng(4)
    on: Any = s.ground
    if root == "platform":
        motion = ["0.3*sin(t)", "0.2*t*t", "0.1*t", "0.4*sin(t)", "0.3*t", "0.2*cos(t)"]
        on = s.body("platform", joint=fb.Free("123", motion=motion), mass=1, inertia=(1, 1, 1))
    for k, parent in enumerate(PARENTS):
        points = rng.normal(size=(6, 3)) * 0.4
        joint: Any = ROOTS[root] if parent is None else fb.Spherical(damping=0.1)
        if joints == "mixed" and parent is not None:
            joint = (fb.Revolute((1, 2, k), damping=0.4, stiffness=2.0), fb.Universal("x", "y"), fb.Spherical())[k % 3]
        if joints == "welded" and k == 4:
            joint = fb.Weld()
        s.body(
            f"b{k + 1}",
            on=on if parent is None else f"b{parent + 1}",
            at=rng.normal(size=3),
            joint=joint,
            mass=float(rng.uniform(0.5, 3)),
            com=rng.normal(size=3) / 2,
            inertia=sum(np.eye(3) * (x @ x) - np.outer(x, x) for x in points),
        )
    s.force(s.ground.vector((1, 2, -1)), at=s.bodies["b4"].point((0.1, 0.2, 0.3)))
    s.torque(s.bodies["b6"].vector((1, 0, 2)), on=s.bodies["b6"], reaction=s.bodies["b3"])
    eq = s.derive()
    q, u = rng.uniform(-1, 1, len(eq.q)), rng.normal(size=len(eq.u))
    for k in (k for k, name in enumerate(eq.q) if name.endswith(".qw")):
        q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    f = eq.compile("numpy")
    for k, (joint, one, other) in enumerate(cuts):
        A, B = (None if name == "ground" else f.pose(q, name, 0.4) for name in (one, other))
        x, frames = rng.normal(size=3), list[Any]()
        for name, pose in ((one, A), (other, B)):
            body = s.ground if name == "ground" else s.bodies[name]
            R = np.eye(3) if pose is None else pose.R
            frames.append((body.point(tuple(x if pose is None else R.T @ (x - pose.p))), R.T))
        s.close(frames[0][0], frames[1][0], joint, orient=frames[0][1], orient_to=frames[1][1], name=f"cut{k}")
    if cuts:
        f = s.derive().compile("numpy")
        u = f.project(0.4, [*q, *u])[len(q) :]
    return s, q, u


class Kane(NamedTuple):
    """The motion by Kane's equations: u̇, r̈ of mass centres, ω̇, and minus the forces of joints on their bodies."""

    u_dot: Array
    r_ddot: Array
    omega_dot: Array
    f: Array


def motion(s: fb.System, graph: Topology, q: Array, u: Array, tau: Array) -> Kane:
    names, f = graph.bodies, s.derive("kane").compile("numpy")
    u_dot = f.forward_dynamics(q, u, tau, t=0.4)
    both = [f.spatial_acceleration(q, u, u_dot, n, at=s.bodies[n].spec.com, t=0.4) for n in names]
    force = {"multipliers": f.multipliers(q, u, tau, t=0.4)} if s.constraints else {}
    reactions = f.reactions(q, u, u_dot, t=0.4, **force)
    hinges = [n for n in names if not isinstance(s.bodies[n].spec.joint, fb.Free)]
    forces = [-f.pose(q, n, 0.4).R @ reactions[f"{n}.force"] for n in hinges]
    return Kane(u_dot, np.concatenate([x[3:] for x in both]), np.concatenate([x[:3] for x in both]), np.ravel(forces))


def close(one: Array, other: Array, scale: float = 1e-9) -> None:
    np.testing.assert_allclose(one, other, atol=scale * float(np.abs(other).max(initial=1.0)))


def at_state(joints: str, root: str, cuts: tuple[Any, ...] = ()) -> tuple[MuftiEquations, Kane]:
    s, q, u = six(joints, root, cuts)
    tau = np.random.default_rng(1).normal(size=len(u))
    a = s.derive().absolute(q, u, tau, t=0.4)
    return a, motion(s, a.topology, q, u, tau)


@pytest.mark.paper("001", "4", "5", "6", "9", "10", "11", "13", "17", "18")
@pytest.mark.parametrize("root", ROOTS)
def test_trees_of_ball_joints(root: str) -> None:
    """Eqs 10–40, on the ground, free, and on a platform that moves as prescribed (Remark 3)."""
    a, (_, r_ddot, omega_dot, f) = at_state("ball", root)
    if root != "pin":
        x = a.eq10.solve()
        close(x["r_ddot"], r_ddot)
        close(x["omega_dot"], omega_dot)
        close(x["f"], f)  # f acts on the initial vertex of an arc, and -f on its final vertex
        assert [name for name, _ in a.eq10.parts] == ["r_ddot", "omega_dot", "f", "lambda"]
        M_, I_, C, L = np.linalg.inv(a.M), np.linalg.inv(a.I), a.C, a.L_tilde
        close(-(C.T @ M_ @ C + L.T @ I_ @ L) @ x["f"], C.T @ M_ @ a.u1 + L.T @ I_ @ a.u2 + a.u3)  # Eq 14
        close((a.I + L @ a.A @ L.T) @ omega_dot, -L @ a.A @ (C.T @ M_ @ a.u1 + a.u3) + a.u2)  # Eq 16
        close(a.K @ omega_dot, a.u2_bar)  # Eq 28
        whole = np.block([[a.M, -C], [-C.T, np.zeros((C.shape[1],) * 2)]])
        T2, E, M = a.T2, a.E, a.M
        lower = T2 @ M @ E @ M @ T2.T - T2 @ M @ T2.T
        inverse = np.block([[E, E @ M @ T2.T - T2.T], [T2 @ M @ E - T2, lower]])
        close(whole @ inverse, np.eye(len(whole)))  # Eq 19
        close(np.block([[M_ - M_ @ C @ a.B, -M_ @ C @ a.A], [-a.B, -a.A]]), inverse)  # Eqs 18, 20, 21
        close(a.Z.T @ np.vstack([C, L]), np.zeros((a.Z.shape[1], C.shape[1])))  # Eq 40-d
        inertia = a.Z.T @ np.r_[a.M @ r_ddot - a.u1, a.I @ omega_dot - a.u2]
        close(inertia, np.zeros(a.Z.shape[1]))  # Eq 40-c
    mass = np.diag(a.M).reshape(-1, 3)[:, 0]
    if root == "free":
        mu = np.eye(6) - np.outer(mass, np.ones(6)) / mass.sum()
        close(a.E, np.kron(np.ones((6, 6)) / mass.sum(), np.eye(3)))  # Eq 26
        close(a.mu, np.kron(mu, np.eye(3)))
        close(a.B, a.T2 @ a.mu)
        close(a.A, a.T2 @ a.M @ a.mu.T @ a.T2.T)
    else:  # Remark 3
        close(a.B, np.kron(a.topology.path[a.kept], np.eye(3)))
        close(a.A, a.B @ a.M @ a.B.T)
    close(a.A, np.linalg.inv(a.C.T @ np.linalg.inv(a.M) @ a.C))
    close(a.K, a.I + a.D_tilde @ a.M @ a.D_tilde.T)
    n = len(a.w)
    diagonal = np.concatenate([np.cross(w, a.at.K[i, i] @ w) for i, w in enumerate(a.w)])
    if root != "platform":
        torque = a.torque.ravel()
        close(-diagonal + a.D_tilde @ a.u1 + torque + a.N.sum(axis=1).ravel(), a.u2_bar)  # Eq 38
    assert a.N.shape == (n, n, 3) and np.array_equal(a.mu, np.eye(3 * n) - a.M @ a.E)


@pytest.mark.paper("001", "6", "19", "20", "21")
@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("joints", ["mixed", "welded"])
def test_trees_with_pins_and_universal_joints(joints: str, root: str) -> None:
    """Eqs 43–61."""
    a, (_, r_ddot, omega_dot, f) = at_state(joints, root)
    close(a.eq49.solve()["f"], f)
    for x in (a.eq49.solve(), a.eq51.solve(), a.eq73.solve()):
        close(x["omega_dot"], omega_dot)
    close(a.eq49.solve()["r_ddot"], r_ddot)
    close(a.M @ r_ddot - a.C @ f, a.u1)
    close(-a.C.T @ r_ddot - a.L_tilde.T @ omega_dot, a.u3)  # Eq 8
    close(-a.Q.T @ a.C.T @ omega_dot, a.u4)  # Eq 48
    close(a.eq51.solve()["lambda"], a.eq49.solve()["lambda"], 1e-8)
    assert not np.abs(a.P.T @ a.Q).max(initial=0) > 1e-12
    if root != "platform":
        relative = -a.C.T @ a.w.ravel()
        close(relative, a.P @ a.relative_rates)  # Eqs 45, 58
        close(a.Q.T @ relative, np.zeros(a.Q.shape[1]))  # Eq 47
    with pytest.raises(ModelError, match="joints that resist rotations have torques; use eq49"):
        a.eq10  # noqa: B018


@pytest.mark.paper("001", "7", "8", "13", "14", "16", "17", "21", "31", "32")
@pytest.mark.parametrize("joints", ["ball", "mixed"])
@pytest.mark.parametrize("name", fb.solvers)
def test_solvers_have_the_motion_and_the_hinge_forces_of_the_report(name: str, joints: str) -> None:
    """The methods of the report, each as a solver, on its tree of six bodies: u̇ of Kane's equations, f of Eq 49."""
    s, q, u = six(joints, "free")
    a, kane = at_state(joints, "free")
    g = s.derive(solver=name).compile("numpy")
    u_dot = g.forward_dynamics(q, u, np.random.default_rng(1).normal(size=len(u)), t=0.4)
    close(u_dot, kane.u_dot)
    reactions = g.reactions(q, u, u_dot, t=0.4)
    force = [-g.pose(q, n, 0.4).R @ reactions[f"{n}.force"] for n in a.topology.bodies[1:]]
    close(np.ravel(force), a.eq49.solve()["f"])


@pytest.mark.paper("001", "15")
@pytest.mark.parametrize("joints", ["ball", "mixed"])
def test_accelerations_minimise_gauss_constraint(joints: str) -> None:
    """Eq 39: least for the accelerations by "gauss", and greater by ½ δᵀ J δ for others that the joints permit."""
    s, q, u = six(joints, "free")
    tau = np.random.default_rng(1).normal(size=len(u))
    a, graph = s.derive().absolute(q, u, tau, t=0.4), s.topology()
    f = s.derive("gauss", solver="sparse").compile("numpy")
    u_dot = f.forward_dynamics(q, u, tau, t=0.4)
    J, free = block_diag(a.M, a.I), np.linalg.solve(block_diag(a.M, a.I), np.r_[a.u1, a.u2])

    def accelerations(u_dot: Array) -> Array:
        both = [f.spatial_acceleration(q, u, u_dot, n, at=s.bodies[n].spec.com, t=0.4) for n in graph.bodies]
        return np.concatenate([x[3:] for x in both] + [x[:3] for x in both])

    def constraint(x: Array) -> float:
        return float(0.5 * (x - free) @ J @ (x - free))

    least, rng = accelerations(u_dot), np.random.default_rng(2)
    for _ in range(5):
        other = accelerations(u_dot + rng.normal(size=len(u)))
        delta = other - least
        assert constraint(other) == pytest.approx(constraint(least) + 0.5 * delta @ J @ delta, rel=1e-9)
        assert delta @ J @ delta > 0.1


CUTS: dict[str, tuple[Any, ...]] = {
    "balls": ((fb.Spherical(), "b1", "b5"), (fb.Spherical(), "b4", "b6")),
    "pin": ((fb.Revolute("z", damping=0.4), "b3", "b5"),),
    "universal": ((fb.Universal("x", "y"), "b6", "b4"),),
    "ground": ((fb.Spherical(), "b5", "ground"),),
    "ground first": ((fb.Universal("x", "y"), "ground", "b5"),),
}


@pytest.mark.paper("001", "6", "24", "25", "26", "27")
@pytest.mark.parametrize("root", ["free", "ball", "platform"])
@pytest.mark.parametrize("cuts", CUTS)
@pytest.mark.parametrize("joints", ["ball", "mixed"])
def test_closed_chains(joints: str, root: str, cuts: str) -> None:
    """Eqs 62–73, and d'Alembert's principle with Y and Z by QR and by singular values (Eq 40-c, A-2, A-6, A-10)."""
    a, (_, r_ddot, omega_dot, f) = at_state(joints, root, CUTS[cuts])
    s, *_ = six(joints, root, CUTS[cuts])
    assert np.linalg.matrix_rank(a.H) == a.H.shape[1] == len(a.H) - s.derive().degrees_of_freedom  # Eq 64
    x, y = a.eq63.solve(), a.eq73.solve()
    close(x["r_ddot"], r_ddot, 1e-8)
    close(x["f"][: len(f)], f, 1e-7)
    for solution in (x, y):
        close(solution["omega_dot"], omega_dot, 1e-8)
    close(y["f_cut"], x["f"][a.C.shape[1] :], 1e-7)
    system, m = a.eq63, a.H.shape[1]
    for factors in (a.qr, a.svd):
        both = factors.accelerations(system.right[:-m], -system.right[-m:])
        close(both, np.r_[r_ddot, omega_dot], 1e-8)
        forces = factors.solve(-system.right[-m:] - a.H.T @ np.linalg.solve(factors.J, system.right[:-m]))
        close(forces, np.r_[x["f"], x["lambda"]], 1e-7)  # Eq 14
    with pytest.raises(ModelError, match="cut hinges have forces"):
        a.eq51  # noqa: B018


@pytest.mark.paper("001", "26", "28", "29")
def test_dependent_constraints_by_singular_values() -> None:
    """Case 2: a flat four-bar of hinges in space has six rows, of which three depend on the others."""
    s, rod = fb.System("flat"), {"mass": 1.0, "com": (0, 0, 0.5), "inertia": (0.1, 0.1, 0.05)}
    left = s.body("left", joint=fb.Revolute("y"), **rod)
    coupler = s.body("coupler", on=left, at=(0, 0, 1), joint=fb.Revolute("y"), **rod)
    right = s.body("right", at=(0.8, 0, 0), joint=fb.Revolute("y"), **rod)
    s.close(coupler.point((0, 0, 1)), right.point((0, 0, 1)), fb.Revolute("y"))
    eq = s.derive()
    start = eq.assemble(q={"left": 0.3}, u={"left": 0.7}, guess={"coupler": 1.0, "right": 0.2})
    a = eq.absolute(start.q, start.u)
    assert a.svd.rank == a.H.shape[1] - 3 == len(a.H) - eq.degrees_of_freedom
    with pytest.raises(ModelError, match=r"H has rank .* the constraints depend on each other"):
        a.qr  # noqa: B018
    u_dot = eq.compile("numpy").forward_dynamics(start.q, start.u)
    system, m = a.eq63, a.H.shape[1]
    both = a.svd.accelerations(system.right[:-m], -system.right[-m:])
    omega_dot = both[len(a.M) :].reshape(-1, 3)[:, 1]
    close(omega_dot, np.array([u_dot[0], u_dot[0] + u_dot[1], u_dot[2]]), 1e-8)
    close(system.solve()["omega_dot"].reshape(-1, 3)[:, 1], omega_dot, 1e-8)


@pytest.mark.paper("001", "14", "29")
def test_factorisations_of_full_rank() -> None:
    """A-1 … A-6: of the 6-body tree's H and J, and of random ones."""
    a, *_ = at_state("mixed", "free")
    rng = np.random.default_rng(3)
    A = rng.normal(size=(9, 9))
    for one in (a.qr, Factors.qr(rng.normal(size=(9, 4)), A @ A.T + np.eye(9))):
        H, J, n = one.H, one.J, one.H.shape[1]
        assert one.rank == n and one.Z.shape == (len(H), len(H) - n)
        close(one.root.T @ one.root, H.T @ np.linalg.solve(J, H))
        assert np.array_equal(one.root, np.triu(one.root))
        close(one.Z.T @ H, np.zeros((len(H) - n, n)))
        close(H.T @ one.Y, np.eye(n))
        close(one.Y.T, np.linalg.pinv(H), 1e-8)
        b, free = rng.normal(size=n), rng.normal(size=len(H) - n)
        close(H.T @ one.solution(b, free), b, 1e-8)
        close(H.T @ np.linalg.solve(J, H) @ one.solve(b), b, 1e-8)
    assert np.array_equal(a.qr.J, block_diag(a.M, a.I))


@pytest.mark.paper("001", "29")
def test_factorisations_without_full_rank() -> None:
    """A-7 … A-12; the solution A-12 is the one of least norm."""
    rng = np.random.default_rng(3)
    H, A = rng.normal(size=(9, 3)) @ rng.normal(size=(3, 5)), rng.normal(size=(9, 9))
    one = Factors.svd(H, A @ A.T + np.eye(9))
    assert one.rank == 3 and one.Z.shape == (9, 6)
    whole = H.T @ np.linalg.solve(one.J, H)
    close(one.root.T @ one.root, whole)  # A-11, S squared
    close(one.Y, np.linalg.pinv(H.T))
    b = H.T @ rng.normal(size=9)
    close(H.T @ one.solution(b, rng.normal(size=6)), b)
    u = whole @ rng.normal(size=5)
    close(one.solve(u), np.linalg.pinv(whole) @ u)


@pytest.mark.parametrize(
    ("joint", "options", "text"),
    [
        (fb.Prismatic("x"), {}, "has speeds that slide"),
        (fb.Revolute("x", armature=0.2), {}, "the joint of 'arm' has an armature"),
        (fb.Prismatic("x", motion="t"), {}, "'arm' slides as prescribed on 'root'"),
    ],
)
def test_what_has_no_absolute_equations_is_refused_by_name(joint: Any, options: Any, text: str) -> None:
    s = fb.System("s")
    root = s.body("root", joint=fb.Spherical(), mass=1, inertia=(1, 1, 1))
    s.body("arm", on=root, joint=joint, mass=1, inertia=(1, 1, 1))
    eq = s.derive()
    with pytest.raises(ModelError, match=text):
        eq.absolute(np.zeros(len(eq.q)), np.zeros(len(eq.u)))
