"""Equations 2.13–2.17, 3.8–3.13 and A.2–A.6 of Rodriguez, Jain & Kreutz (1991) in numbers, on random trees with loops
closed by every kind of joint, with the corrections of docs/operators.md."""

from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError
from freebody.papers.operators import Closures, Operators
from tests.formulations.test_random_loops import drawn
from tests.mechanisms.random_loops import Mechanism
from tests.papers.test_secondary_systems import grasp, two_trees

Array = np.ndarray
UNCOUPLED = [3, 4, 9, 13]
CLOSE = 1e-9


class Case(NamedTuple):
    """A mechanism at its state, its operators, the quantities of Kane's equations, and generalised forces."""

    m: Mechanism
    o: Operators
    M: Array
    f: Array
    G: Array
    gamma: Array
    tau: Array

    @property
    def closed(self) -> Closures:
        return self.o.closures


@cache
def case(seed: int) -> Case:
    m = drawn(seed)
    eq, h = m.system.derive("kane"), m.held
    o = eq.operators(h["q"], h["u"], h["t"][0], m.z, h["inputs"])
    f = eq.compile("numpy")
    constraint = f.constraint(h["q"], h["u"], h["t"][0], m.z)
    tau = np.random.default_rng(seed).normal(size=len(h["u"]))
    return Case(m, o, m.tree["M"], m.tree["f"], constraint["G"], constraint["gamma"], tau)


@pytest.fixture(params=UNCOUPLED)
def at(request: Any) -> Case:
    return case(request.param)


def same(a: Any, b: Any) -> None:
    a, b = np.asarray(a, float), np.asarray(b, float)
    assert a.shape == b.shape and np.abs(a - b).max(initial=0.0) <= CLOSE * max(1.0, np.abs(b).max(initial=0.0))


@pytest.mark.paper("003", "10")
def test_points_and_forces_of_closures(at: Case) -> None:
    """2.13, 2.14 and 2.16: J = B* φ* H*, Ṽ = B* V; A J + A_β is G; A Ṽ + A_β β = Ũ where the closures hold."""
    c, o = at.closed, at.o
    same(c.J.matrix, c.B.matrix.T @ o.phi.matrix.T @ o.H.matrix.T)
    same(c.G.matrix, at.G)
    same(c.G @ np.eye(len(at.f)), at.G)
    same(c.V, c.B.matrix.T @ o.V)
    same(c.A @ c.V + c.A_beta @ at.m.held["u"], c.U_tilde)
    same(c.U, at.gamma)


@pytest.mark.paper("003", "10", "11")
def test_equations_of_motion_with_closures(at: Case) -> None:
    """2.17: 𝓜 β̇ + (A J)* f̃ = T̂ and A J β̇ = U, and the same with the multipliers eliminated."""
    c, step = at.closed, at.closed.steps(at.tau)
    T = at.tau + at.f
    same(at.o.mass @ step.beta + at.G.T @ step.f, T)
    same(at.G @ step.beta, at.gamma)
    same(-c.compliance @ step.f, c.U - c.G @ (at.o.mass_inverse @ T))
    same(step.beta, at.m.solution(at.tau))
    same(at.o.forward_dynamics(at.tau), step.beta)
    same(at.o.tree_dynamics(at.tau), np.linalg.solve(at.M, T))


@pytest.mark.paper("003", "11")
def test_accelerations_at_the_points_of_closure(at: Case) -> None:
    """3.8 and 3.9: α̂ᶠ = φ* H* β̇ᶠ = ψ* H* D⁻¹ [I − H ψ K] T̂ and α̃ᶠ = B* α̂ᶠ."""
    o, step = at.o, at.closed.steps(at.tau)
    half = o.mass_factor_inverse
    alpha = o.phi.T @ (o.H.T @ step.beta_f)
    same(half.matrix @ o.H.matrix @ o.phi.matrix, o.H.matrix @ o.psi.matrix)
    same(alpha, o.psi.T @ (o.H.T @ (o.D.inverse @ (half @ (at.tau - o.C)))))
    same(step.alpha_f, at.closed.B.T @ alpha)
    same(step.alpha_f, at.closed.J @ step.beta_f)


@pytest.mark.paper("003", "17")
def test_admittance_at_the_points_of_closure(at: Case) -> None:
    """3.10: Λ = J 𝓜⁻¹ J* = B* Ω B = B* ψ* H* D⁻¹ H ψ B, and A Λ A* with speeds is G 𝓜⁻¹ G*."""
    c, o, J = at.closed, at.o, at.closed.J.matrix
    same(c.Lambda, J @ np.linalg.solve(at.M, J.T))
    same(c.Lambda, c.B.matrix.T @ o.Omega.matrix @ c.B.matrix)
    H_psi_B = o.H.matrix @ o.psi.matrix @ c.B.matrix
    same(c.Lambda, H_psi_B.T @ np.linalg.solve(o.D.matrix, H_psi_B))
    same(c.compliance, at.G @ np.linalg.solve(at.M, at.G.T))


@pytest.mark.paper("003", "16")
def test_forces_and_correction(at: Case) -> None:
    """3.11 and 3.12: A Λ A* f̃ = A α̃ᶠ − U, β̇ᵉ = −[I − H ψ K]* D⁻¹ H ψ B A* f̃ = −𝓜⁻¹ (A J)* f̃."""
    c, step = at.closed, at.closed.steps(at.tau)
    same(c.compliance @ step.f, c.A @ step.alpha_f + c.A_beta @ step.beta_f - c.U)
    same(step.beta_e, -np.linalg.solve(at.M, at.G.T @ step.f))
    same(step.beta, step.beta_f + step.beta_e)
    forces = at.M @ step.beta - at.f - at.tau
    same(at.G.T @ step.f, -forces)


@pytest.mark.paper("003", "19")
def test_closed_form(at: Case) -> None:
    """3.13 with b = D^(−1/2) H ψ B A* and the part of U, which the paper leaves out: without it β̇ is that for U = 0."""
    c, o = at.closed, at.o
    half, b = o.mass_factor_inverse, c.b.matrix
    values, vectors = np.linalg.eigh(o.D.matrix)
    root = vectors @ np.diag(values**-0.5) @ vectors.T
    same(b.T @ b, c.compliance)
    inner = root @ (half @ (at.tau - o.C))
    inverse = np.linalg.pinv(c.compliance, rcond=1e-10, hermitian=True)
    without = half.T @ (root @ (inner - b @ (inverse @ (b.T @ inner))))
    same(without + half.T @ (root @ (b @ (inverse @ c.U))), c.steps(at.tau).beta)
    wrong = np.abs(without - c.steps(at.tau).beta).max()
    assert wrong > 1e-3 if np.abs(c.U).max() > 1e-3 else wrong < CLOSE


def test_some_of_the_mechanisms_have_velocities_at_closures() -> None:
    assert any(np.abs(case(seed).closed.U).max() > 1e-3 for seed in UNCOUPLED)
    assert any(case(seed).closed.A_beta.matrix.any() for seed in UNCOUPLED)


@pytest.mark.paper("003", "20")
def test_recursion_of_free_ends(at: Case) -> None:
    """A.2 with ε = T̂ − H z: inwards z and ν, outwards α̂ᶠ and β̇ᶠ."""
    o, T, parents = at.o, at.tau - at.o.C, at.o.bodies.tree.parents
    n, rows = len(parents), at.o.bodies.rows
    z, nu = [np.zeros(6) for _ in range(n)], [np.zeros(0)] * n
    for k in reversed(range(n)):
        nu[k] = np.linalg.solve(o.D.blocks[k], T[rows[k]] - o.H.blocks[k] @ z[k])
        if parents[k] >= 0:
            p = parents[k]
            z[p] += o.E_psi.block(p, k) @ z[k] + o.K.block(p, k) @ T[rows[k]]
    alpha, beta = outwards(at.o, nu)
    same(beta, at.closed.steps(at.tau).beta_f)
    same(np.concatenate(alpha), o.phi.T @ (o.H.T @ beta))


def outwards(o: Operators, nu: list[Array]) -> tuple[list[Array], Array]:
    """The passes outwards of A.2 and A.6: α = ψ* α(parent) + H* ν and β̇ = ν − K* α(parent)."""
    alpha, beta = list[Array](), np.zeros(len(o.speeds))
    for k, p in enumerate(o.bodies.tree.parents):
        alpha.append(o.H.blocks[k].T @ nu[k])
        beta[o.bodies.rows[k]] = nu[k]
        if p >= 0:
            alpha[k] = alpha[k] + o.E_psi.block(p, k).T @ alpha[p]
            beta[o.bodies.rows[k]] -= o.K.block(p, k).T @ alpha[p]
    return alpha, beta


@pytest.mark.paper("003", "20")
def test_omega_between_branches(at: Case) -> None:
    """A.3–A.5 for trees: Υ by recursion outwards; Ω(i, j) = ψ*(c, i) Υ(c) ψ(c, j), c the nearest common ancestor, for
    the pairs of bodies that constraints connect; and Ω = Υ + ψ̃* Υ + Υ ψ̃ of a serial chain on the path of one body."""
    o, index = at.o, [at.o.names.index(name) for name, _ in at.closed.points]
    whole = o.psi.matrix.T @ o.H.matrix.T @ np.linalg.solve(o.D.matrix, o.H.matrix @ o.psi.matrix)
    parents = o.bodies.tree.parents
    for i in index:
        for j in index:
            paths = [[i], [j]]
            for path in paths:
                while parents[path[-1]] >= 0:
                    path.append(parents[path[-1]])
            c = next((k for k in paths[0] if k in paths[1]), None)
            expected = whole[6 * i : 6 * i + 6, 6 * j : 6 * j + 6]
            mine = np.zeros((6, 6)) if c is None else o.psi.block(c, i).T @ o.Upsilon.block(c, c) @ o.psi.block(c, j)
            same(mine, expected)
        path = [k for k in range(len(parents)) if k in paths[0]]
        cells = [slice(6 * k, 6 * k + 6) for k in path]
        chain = np.block([[whole[a, b] for b in cells] for a in cells])
        upsilon = np.block([[o.Upsilon.block(a, b) for b in path] for a in path])
        above = np.block([[o.psi.block(a, b) if a != b else np.zeros((6, 6)) for b in path] for a in path])
        same(chain, upsilon + above.T @ upsilon + upsilon @ above)


@pytest.mark.paper("003", "20")
def test_recursion_of_the_correction(at: Case) -> None:
    """A.6 as corrected: z(k) = Σ ψ z + x̂(k), ε = H z, x̂ = −B A* f̃; for equations without speeds."""
    o, c, step = at.o, at.closed, at.closed.steps(at.tau)
    if c.A_beta.matrix.any():
        pytest.skip("the paper has no equations that contain speeds")
    parents, x = o.bodies.tree.parents, -(c.B @ (c.A.T @ step.f)).reshape(-1, 6)
    z, nu = [row.copy() for row in x], [np.zeros(0)] * len(parents)
    for k in reversed(range(len(parents))):
        nu[k] = np.linalg.solve(o.D.blocks[k], o.H.blocks[k] @ z[k])
        if parents[k] >= 0:
            z[parents[k]] += o.E_psi.block(parents[k], k) @ z[k]
    same(outwards(o, nu)[1], step.beta_e)


# Primary and secondary systems


def held(s: fb.System, secondary: list[str]) -> tuple[Operators, list[str], Array, Array, Array]:
    """Operators at a random state, the primary bodies, M, f and tau."""
    eq, rng = s.derive("kane"), np.random.default_rng(3)
    q, u, tau = (rng.uniform(-0.6, 0.6, len(names)) for names in (eq.q, eq.u, eq.u))
    for k in (k for k, name in enumerate(eq.q) if name.endswith(".qw")):
        q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    f, primary = eq.compile("numpy"), [n for n in s.bodies if n not in secondary]
    return eq.operators(q, u, 0.3), primary, f.mass_matrix(q, 0.3), f.bias(q, u, 0.3), tau


def arms(loose: bool) -> tuple[fb.System, list[str]]:
    return grasp(2, 6, fb.Universal() if loose else None), ["object"]


def trees() -> tuple[fb.System, list[str]]:
    """Internal loops in both systems, a coupling, and a rod to the ground."""
    s = two_trees()
    s.close("a2", "b2", fb.Spherical())
    s.rod("a0", "a2", 1.0)
    s.rod("b0", "b2", 1.0)
    s.rod("ground", "b1", 1.0)
    return s, ["b0", "b1", "b2"]


SYSTEMS = {"rigid coupling": lambda: arms(False), "loose coupling": lambda: arms(True), "internal loops": trees}


@pytest.mark.parametrize("make", SYSTEMS.values(), ids=list(SYSTEMS))
@pytest.mark.paper("003", "10", "12")
def test_primary_and_secondary_systems(make: Any) -> None:
    """2.15–2.17: A = [A_P A_S], 𝓜 and Λ have a block for each system, and A Λ A* is the sum of both; the reduced step
    (D) after 3.11, where A_P Λ_P A_P* is invertible."""
    s, names = make()
    o, primary, M, f, tau = held(s, names)
    whole = o.closures
    P, S = whole.part(primary), whole.part(names)
    assert sorted([*P.speeds, *S.speeds]) == list(range(len(o.speeds)))
    same(M[np.ix_(P.speeds, S.speeds)], np.zeros((len(P.speeds), len(S.speeds))))
    A_P_J_P, A_S_J_S = P.G.matrix[:, P.speeds], S.G.matrix[:, S.speeds]
    same(P.G.matrix + S.G.matrix, whole.G.matrix)
    assert not P.G.matrix[:, S.speeds].any() and not S.G.matrix[:, P.speeds].any()
    M_P, M_S = (M[np.ix_(part.speeds, part.speeds)] for part in (P, S))
    same(P.compliance, A_P_J_P @ np.linalg.solve(M_P, A_P_J_P.T))
    same(P.compliance + S.compliance, whole.compliance)
    T, step = tau + f, whole.steps(tau)
    alpha = P.G @ step.beta_f - P.U
    if names == ["object"]:
        inner = A_S_J_S.T @ np.linalg.solve(P.compliance, np.column_stack([A_S_J_S, alpha]))
        beta_S = np.linalg.solve(M_S + inner[:, :-1], T[S.speeds] - inner[:, -1])
        same(beta_S, step.beta[S.speeds])
        same(np.linalg.solve(P.compliance, alpha + A_S_J_S @ beta_S), step.f)


@pytest.mark.paper("003", "12")
def test_rigid_coupling_is_the_difference_of_the_velocities_at_the_closure() -> None:
    """Q̃_S = −Q̃_P up to the axes of the two bodies (the paper prints Q̃_S = I): A_P Ṽ_P + A_S Ṽ_S vanishes where both
    bodies have the same velocity, and only there."""
    s, names = arms(False)
    eq = s.derive()
    q, _ = eq.assemble({name: 0.3 for name in eq.q if name.startswith("arm0")})
    o, f, rng = eq.operators(q), eq.compile("numpy"), np.random.default_rng(0)
    whole = o.closures
    turns = [f.pose(q, body)[0] for body, _ in whole.points]
    P, S = (
        np.array([c for c, (body, _) in enumerate(whole.points) if (body in names) is secondary])
        for secondary in (False, True)
    )
    V = np.zeros((len(whole.points), 2, 3))
    for p, o_s in zip(P, S, strict=True):
        common = rng.normal(size=(2, 3))
        V[p], V[o_s] = common @ turns[p], common @ turns[o_s]
    same(whole.A @ V.reshape(-1), np.zeros(len(whole.names)))
    for part in (whole.part([n for n in s.bodies if n not in names]), whole.part(names)):
        assert np.linalg.matrix_rank(part.A.matrix) == 12


@pytest.mark.paper("003", "12")
def test_a_secondary_system_without_actuators_and_free_fall() -> None:
    """T_S = 0: the free body moves by its weight, gyroscopic forces and the forces of closures alone."""
    s, names = arms(False)
    o, _, M, f, tau = held(s, names)
    S = o.closures.part(names)
    tau[S.speeds] = 0
    step = o.closures.steps(tau)
    same(M[np.ix_(S.speeds, S.speeds)] @ step.beta[S.speeds], f[S.speeds] - S.G.matrix[:, S.speeds].T @ step.f)


def test_released_closures_are_left_out() -> None:
    s = grasp(2, 6, fb.Spherical())
    s.constraints["grip1"] = replace(s.constraints["grip1"], engaged=False)
    o, *_ = held(s, ["object"])
    assert len(o.closures.names) == 3 and all(name.startswith("grip0") for name in o.closures.names)
    eq = s.derive()
    both = eq.operators(np.array([0, 0, 0, 1.0, 0, 0, 0, *[0.1] * 12]), inputs=[1.0])
    assert len(both.closures.names) == 6


def test_trees_without_closures_have_none() -> None:
    o, *_ = held(two_trees(), ["b0"])
    assert o.closures.names == () and o.closures.steps().f.shape == (0,)
    same(o.closures.steps().beta, o.forward_dynamics())


def test_unknown_bodies_of_a_part() -> None:
    o, *_ = held(grasp(1), ["object"])
    with pytest.raises(ArgumentError, match=r"there is no body 'box'; choose from object, arm0\.0"):
        o.closures.part(["box"])
