"""The equations of Mufti's report (NRC 22797, 1983) in NumPy, on its tree of six bodies: each form of the equations of
motion gives the accelerations and hinge forces of Kane's equations, and K is that of the solvers. Misprints are
corrected: L̃ and ĥ in Eq 10, Ω = −Cᵀω in Eq 42, T₂ᵀ, ω̇₁, Ṗγ̇ and ū₂ in Eq 61, −L̃T₂u₁ + u₂ in Eq 68, L̃ in H of Eq 72."""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import pytest
from scipy.linalg import block_diag, null_space

import freebody as fb
from freebody.papers.barycentres import Barycentres
from freebody.papers.solvers.barycentric import Barycentric
from freebody.scalar.walk import values
from freebody.tree.tree import span

Array = np.ndarray
GRAVITY = np.array([0.0, 0.0, -9.81])
PARENTS = (None, 0, 0, 1, 1, 1)
"""Of Fig 3a."""


def skew(v: Array) -> Array:
    x, y, z = v
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def blocks(A: Array) -> Array:
    """A matrix whose entries are 3 × 3 blocks, n × m × 3 × 3, as one matrix."""
    return A.transpose(0, 2, 1, 3).reshape(3 * A.shape[0], 3 * A.shape[1])


def tilde(L: Array) -> Array:
    return blocks(np.array([[skew(v) for v in row] for row in L]).reshape(*L.shape[:2], 3, 3))


def times3(C: Array) -> Array:
    return np.kron(C, np.eye(3))


def six(joint: str, root: fb.Free | fb.Spherical) -> fb.System:
    s = fb.System("report")
    rng = np.random.default_rng(4)
    joints = {
        "ball": lambda k: fb.Spherical(),
        "mixed": lambda k: (fb.Revolute((1, 2, k)), fb.Universal("x", "y"), fb.Spherical())[k % 3],
    }
    for k, parent in enumerate(PARENTS):
        points = rng.normal(size=(6, 3)) * 0.4
        inertia = sum(np.eye(3) * (p @ p) - np.outer(p, p) for p in points)
        s.body(
            f"b{k + 1}",
            on="ground" if parent is None else f"b{parent + 1}",
            at=rng.normal(size=3),
            joint=root if parent is None else joints[joint](k),
            mass=float(rng.uniform(0.5, 3)),
            com=rng.normal(size=3) / 2,
            inertia=inertia,
        )
    return s


@dataclass(eq=False)
class Report:
    """A system at a state, in the report's symbols; ``u_dot`` and ``reactions`` are those of Kane's equations."""

    system: fb.System
    q: Array
    u: Array

    @cached_property
    def equations(self) -> fb.Equations:
        return self.system.derive()

    @cached_property
    def f(self) -> fb.Compiled:
        return self.equations.compile("numpy")

    @cached_property
    def at(self) -> Barycentres:
        return self.equations.barycentres(self.q)

    @cached_property
    def u_dot(self) -> Array:
        return np.asarray(self.f.forward_dynamics(self.q, self.u, np.zeros(len(self.u))))

    @cached_property
    def accelerations(self) -> tuple[Array, Array]:
        """r̈ of mass centres and ω̇, of all bodies one after another."""
        com = [self.system.bodies[n].spec.com for n in self.at.topology.bodies]
        both = [
            self.f.spatial_acceleration(self.q, self.u, self.u_dot, n, at=c)
            for n, c in zip(self.at.topology.bodies, com, strict=True)
        ]
        return np.concatenate([x[3:] for x in both]), np.concatenate([x[:3] for x in both])

    @cached_property
    def w(self) -> Array:
        """ω of each body."""
        return np.array([self.f.spatial_velocity(self.q, self.u, n)[:3] for n in self.at.topology.bodies])

    @property
    def free(self) -> bool:
        return bool(self.at.free)

    @cached_property
    def C(self) -> Array:
        """C of a free tree, S of one that is attached (Remark 3)."""
        return self.at.topology.incidence if self.free else self.at.topology.S

    @cached_property
    def L(self) -> Array:
        return self.at.L[:, 1:] if self.free else self.at.L

    @cached_property
    def T2(self) -> Array:
        return self.at.topology.T2 if self.free else self.at.topology.path

    @cached_property
    def M(self) -> Array:
        return np.kron(np.diag(self.at.mass), np.eye(3))

    @cached_property
    def inertia(self) -> Array:
        return block_diag(*self.at.inertia)

    def hat(self, L: Array) -> Array:
        """(L̂)ᵀ 1: Σ ω × (ω × L) over bodies, for each joint."""
        w = self.w[:, None]
        return np.cross(w, np.cross(w, L)).sum(axis=0).ravel()

    @cached_property
    def right(self) -> tuple[Array, Array, Array]:
        """u₁, u₂ and u₃ of Eq 10; ĥ = ω × Iω."""
        h = np.concatenate([np.cross(w, J @ w) for w, J in zip(self.w, self.at.inertia, strict=True)])
        return np.kron(self.at.mass, GRAVITY), -h, self.hat(self.L)

    @cached_property
    def B(self) -> Array:
        return self.at.B[1:] if self.free else self.at.B


@cache
def report(joint: str, free: bool) -> Report:
    s = six(joint, fb.Free() if free else fb.Spherical())
    eq, rng = s.derive(), np.random.default_rng(7)
    q = rng.uniform(-1, 1, len(eq.q))
    for k, name in enumerate(eq.q):
        if name.endswith("qw"):
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    return Report(s, q, rng.normal(size=len(eq.u)))


def close(one: Array, other: Array, scale: float = 1e-11) -> None:
    np.testing.assert_allclose(one, other, atol=scale * float(np.abs(other).max(initial=1.0)))


ROOTS = pytest.mark.parametrize("free", [True, False])


@ROOTS
@pytest.mark.paper("001", "4", "5")
def test_the_whole_system_and_its_reductions(free: bool) -> None:
    """Eqs 10, 12–16: r̈, ω̇ and hinge forces, which are minus the reactions on the outboard bodies."""
    r = report("ball", free)
    (a, alpha), (u1, u2, u3) = r.accelerations, r.right
    C, L, M, I = times3(r.C), tilde(r.L), r.M, r.inertia
    zero = np.zeros
    whole = np.block([[M, zero(I.shape), -C], [zero(I.shape), I, -L], [-C.T, -L.T, zero((C.shape[1],) * 2)]])
    x = np.linalg.solve(whole, np.concatenate([u1, u2, u3]))
    n, forces = len(a), x[2 * len(a) :]
    close(x[:n], a)
    close(x[n : 2 * n], alpha)
    reactions, names = r.f.reactions(r.q, r.u, r.u_dot), r.at.topology.bodies[1 if free else 0 :]
    close(forces, -np.concatenate([r.f.pose(r.q, k).R @ reactions[f"{k}.force"] for k in names]))
    M_, I_ = np.linalg.inv(M), np.linalg.inv(I)
    close(-(C.T @ M_ @ C + L.T @ I_ @ L) @ forces, C.T @ M_ @ u1 + L.T @ I_ @ u2 + u3)  # Eq 14
    close(a, M_ @ (u1 + C @ forces))
    close(alpha, I_ @ (u2 + L @ forces))
    mixed = np.block([[I, -L], [-L.T, -C.T @ M_ @ C]])  # Eq 15
    close(mixed @ np.concatenate([alpha, forces]), np.concatenate([u2, C.T @ M_ @ u1 + u3]))
    A = np.linalg.inv(C.T @ M_ @ C)  # Eq 16
    close((I + L @ A @ L.T) @ alpha, -L @ A @ (C.T @ M_ @ u1 + u3) + u2)


@ROOTS
@pytest.mark.paper("001", "11", "13")
def test_barycentres_and_the_equations_in_angular_accelerations(free: bool) -> None:
    """Eqs 28–38."""
    r = report("ball", free)
    (_, alpha), (u1, u2, u3), M, I = r.accelerations, r.right, r.M, r.inertia
    D, K, m, mass, n = r.at.D, blocks(r.at.K), r.at.mass.sum(), r.at.mass, 6
    close(K, I + tilde(D) @ M @ tilde(D).T)
    close(K @ alpha, tilde(D) @ u1 + u2 + tilde(D) @ M @ times3(r.B).T @ u3)  # Eq 28
    around = np.array([np.cross(w, np.cross(w, d)) for w, row in zip(r.w, D, strict=True) for d in row])
    close(K @ alpha, tilde(D) @ u1 - tilde(D) @ M @ around.reshape(n, n, 3).sum(axis=0).ravel() + u2)  # Eq 29
    d = [[skew(v) for v in row] for row in D]
    sums = [[-sum(mass[k] * d[i][k] @ d[j][k] for k in range(n)) for j in range(n)] for i in range(n)]
    h, N = np.zeros((n, 3)), np.zeros((n, n, 3))
    for i, w in enumerate(r.w):
        h[i] = np.cross(w, r.at.K[i, i] @ w)  # ĥ'
        around = -sum(mass[k] * d[i][k] @ np.cross(w, np.cross(w, D[i, k])) for k in range(n))  # Eqs 32, 33, 36
        close(around, np.cross(w, (r.at.inertia[i] - r.at.K[i, i]) @ w))
        for j in (j for j in range(n) if j != i):
            v = r.w[j]
            across = -sum(mass[k] * d[i][k] @ np.cross(v, np.cross(v, D[j, k])) for k in range(n))
            N[i, j] = across
            if free:  # Eqs 31, 34, 35, 37
                close(sums[i][j], m * d[i][j] @ d[j][i])
                close(r.at.K[i, j], m * d[i][j] @ d[j][i])
                close(across, -np.cross(v, r.at.K[j, i] @ v) + m * d[j][i] @ D[i, j] * (v @ v))
        close(r.at.K[i, i], r.at.inertia[i] + sums[i][i])  # Eqs 30, 35
    close(K @ alpha, -h.ravel() + tilde(D) @ u1 + N.sum(axis=1).ravel())  # Eq 38


@pytest.mark.paper("001", "12")
def test_barycentres_are_mass_centres_of_augmented_bodies() -> None:
    """d_ik is the same for all bodies at the same joint; body 2 has m₁ + m₃, m₄, m₅, m₆ at joints 1, 3, 4, 5."""
    at = report("ball", True).at
    points, m = at.joints, at.mass
    augmented = m[1] * at.centres[1] + (m[0] + m[2]) * points[1] + sum(m[k] * points[k] for k in (3, 4, 5))
    close(at.positions[1], augmented / m.sum())
    for k in (3, 4, 5):
        close(at.D[0, k], at.D[0, 1])
        close(at.D[1, k], points[k] - at.positions[1])
    close(at.D[1, 0], points[1] - at.positions[1])
    assert not np.isclose(at.D[0, 2], at.D[0, 1]).any()
    attached = report("ball", False).at
    close(attached.positions, attached.joints)


@ROOTS
@pytest.mark.paper("001", "13")
def test_k_of_the_solver_is_that_of_the_report(free: bool) -> None:
    r = report("ball", free)
    member = Barycentric(span(r.system.freeze(), staged=False))
    layout, g = member.tree.layout, member.graph
    known = dict(zip(layout.q_handles, r.q.tolist(), strict=True))
    numbers = values(g, list(member.entries.values()), known)
    K = np.zeros((member.count, member.count))
    for (i, j), x in zip(member.entries, numbers, strict=True):
        K[i, j] = K[j, i] = float(x)
    R = block_diag(*(r.f.pose(r.q, name).R for name in r.at.topology.bodies))
    start = 3 if free else 0
    close(R @ K[start:, start:] @ R.T, blocks(r.at.K))
    if free:
        close(K[:3, :3], r.at.mass.sum() * np.eye(3))
        assert not K[3:, :3].any()


def axes(r: Report) -> tuple[list[Array], Array]:
    """P of each joint between bodies (all joints of a tree that is attached), and their relative rates γ̇."""
    P, names = list[Array](), r.at.topology.bodies[1 if r.free else 0 :]
    for name in names:
        columns = [k for k, u in enumerate(r.equations.u) if u == name or u.startswith(f"{name}.")]
        parent = r.system.bodies[name].spec.parent
        outer, inner = (np.zeros((3, len(r.u))) if n == "ground" else r.f.jacobian(r.q, n)[:3] for n in (name, parent))
        P.append((outer - inner)[:, columns])
    return P, np.concatenate([[r.u[k] for k, u in enumerate(r.equations.u) if u.split(".")[0] == n] for n in names])


@ROOTS
@pytest.mark.paper("001", "19", "20", "21")
def test_pins_and_universal_joints(free: bool) -> None:
    """Eqs 43–61: K with torques of joints, and the equations in relative rotations."""
    r = report("mixed", free)
    (_, alpha), C, T2, K = r.accelerations, times3(r.C), times3(r.T2), blocks(r.at.K)
    P, rates = axes(r)
    whole, w = block_diag(*P), r.w.ravel()
    close(-C.T @ w, whole @ rates)  # Eqs 45, 58
    Q = block_diag(*(null_space(p.T) if p.shape[1] < 3 else np.zeros((3, 0)) for p in P))
    assert Q.shape[1] == sum(3 - p.shape[1] for p in P) and not np.abs(Q.T @ whole).max() > 1e-12
    close(Q.T @ C.T @ w, np.zeros(Q.shape[1]))  # Eq 47
    u2 = right_side(r)
    relative = -C.T @ alpha  # Ω̇ = P γ̈ + Ṗ γ̇
    names = r.at.topology.bodies[1 if free else 0 :]
    gamma = np.concatenate([[r.u_dot[k] for k, u in enumerate(r.equations.u) if u.split(".")[0] == n] for n in names])
    bias = relative - whole @ gamma  # Ṗ γ̇
    zero = np.zeros((Q.shape[1],) * 2)
    x = np.linalg.solve(np.block([[K, -C @ Q], [-Q.T @ C.T, zero]]), np.concatenate([u2, Q.T @ bias]))  # Eq 51
    close(x[: len(alpha)], alpha)
    torque = Q @ x[len(alpha) :]  # gᶜ, Eqs 52–56
    close(whole.T @ torque, np.zeros(whole.shape[1]))
    reactions = r.f.reactions(r.q, r.u, r.u_dot)
    close(torque, -np.concatenate([r.f.pose(r.q, n).R @ reactions[f"{n}.torque"] for n in names]), 1e-10)
    close(T2 @ K @ alpha, T2 @ u2 + torque)
    ones = np.kron(np.ones((6, 1)), np.eye(3)) if free else np.zeros((18, 0))
    close(ones.T @ K @ alpha, ones.T @ u2)  # Eq 55
    U = np.hstack([ones, -T2.T @ whole])  # ω̇ = 1 ω̇₁ − T₂ᵀ(P γ̈ + Ṗ γ̇), Eqs 59–61
    y = np.linalg.solve(U.T @ K @ U, U.T @ (u2 + K @ T2.T @ bias))
    close(y, np.concatenate([alpha[: ones.shape[1]], gamma]))


def right_side(r: Report) -> Array:
    """ū₂ of Eq 38."""
    (u1, u2, u3), D = r.right, tilde(r.at.D)
    return D @ u1 + u2 + D @ r.M @ times3(r.B).T @ u3


@cache
def closed(free: bool, ground: bool) -> tuple[Report, list[tuple[int, int, Array]]]:
    """The tree with two cut hinges, as in Fig 6, closed at the state; with ``ground`` one of them is on the ground."""
    r = report("ball", free)
    s, rng, cuts = six("ball", fb.Free() if free else fb.Spherical()), np.random.default_rng(8), []
    for i, j in ((0, 4), (3, -1) if ground else (3, 5)):
        x = rng.normal(size=3)
        poses = [None if k < 0 else r.f.pose(r.q, f"b{k + 1}") for k in (i, j)]
        ends = [s.ground if p is None else s.bodies[f"b{k + 1}"] for k, p in zip((i, j), poses, strict=True)]
        points = [e.point(x if p is None else p.R.T @ (x - p.p)) for e, p in zip(ends, poses, strict=True)]
        s.close(*points, fb.Spherical(), name=f"cut{i}")
        cuts.append((i, j, x))
    f = s.derive().compile("numpy")
    G = f.constraint(r.q, r.u)["G"]
    return Report(s, r.q, r.u - np.linalg.pinv(G) @ (G @ r.u)), cuts


@ROOTS
@pytest.mark.parametrize("ground", [False, True])
@pytest.mark.paper("001", "25", "27")
def test_closed_chains(free: bool, ground: bool) -> None:
    """Eqs 62–73. H has (L̃*)ᵀ − C*ᵀ(L̃T₂)ᵀ. With J of Eq 70 the forces of cut hinges on rotations are D̃C* + L̃*, which
    are those of H where cut hinges connect two bodies of the tree (1ᵀC* = 0), and others with the ground."""
    r, cuts = closed(free, ground)
    (a, alpha), (u1, u2, u3), M, I = r.accelerations, r.right, r.M, r.inertia
    cut = np.zeros((6, 2))
    L_cut = np.zeros((6, 2, 3))
    for k, (i, j, x) in enumerate(cuts):
        for body, sign in ((i, 1), (j, -1)):
            if body >= 0:
                cut[body, k], L_cut[body, k] = sign, sign * (x - r.at.centres[body])
    assert np.array_equal(cut, r.at.topology.cut_incidence)
    C, L, T2, C_, L_ = times3(r.C), tilde(r.L), times3(r.T2), times3(cut), tilde(L_cut)
    both, arms = np.hstack([C, C_]), np.hstack([L, L_])
    u3_ = np.concatenate([u3, r.hat(L_cut)])
    zero = np.zeros
    corner, empty = zero(M.shape), zero((both.shape[1],) * 2)
    whole = np.block([[M, corner, -both], [corner, I, -arms], [-both.T, -arms.T, empty]])
    x = np.linalg.solve(whole, np.concatenate([u1, u2, u3_]))  # Eq 63
    close(x[: len(a)], a, 1e-10)
    close(x[len(a) : 2 * len(a)], alpha, 1e-10)
    multipliers = x[-6:]
    ones = np.kron(np.ones((6, 1)), np.eye(3)) if free else zero((18, 0))
    Z = np.block([[ones, -(L @ T2).T], [zero((18, ones.shape[1])), np.eye(18)]])
    assert np.abs(Z.T @ np.vstack([C, L])).max() < 1e-12  # Remark 2, Eq 40-d
    J, H = Z.T @ block_diag(M, I) @ Z, Z.T @ np.vstack([C_, L_])
    drift = np.concatenate([-T2.T @ u3, zero(18)])  # r̈ = r̈₁ 1 − (L̃T₂)ᵀω̇ − (L̂T₂)ᵀ1
    u = Z.T @ (np.concatenate([u1, u2]) - block_diag(M, I) @ drift)
    u3_cut = -C_.T @ drift[:18] - r.hat(L_cut)
    y = np.linalg.solve(np.block([[J, -H], [-H.T, zero((6, 6))]]), np.concatenate([u, -u3_cut]))  # Eqs 68–73
    start = ones.shape[1]
    close(y[:start], a[:start], 1e-10)
    close(y[start:-6], alpha, 1e-10)
    close(y[-6:], multipliers, 1e-9)
    D, K = tilde(r.at.D), blocks(r.at.K)  # Eq 70: K in place of its block of J, and zeros beside it
    forces = D @ C_ + L_
    close(K @ alpha, right_side(r) + forces @ multipliers, 1e-10)
    assert np.allclose(forces, H[start:]) is not (free and ground)
