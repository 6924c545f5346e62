"""The spatial operators of Rodriguez, Jain and Kreutz: every equation and lemma of the tree part of their paper on
random chains and trees over every joint; misprints are tested in their corrected form."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.model.joints import JOINTS
from freebody.papers.operators import Operator, Operators
from freebody.papers.operators.function import OperatorFunction
from freebody.papers.operators.linear_maps import OperatorProduct
from tests.mechanisms.build_system import Builder, system
from tests.mechanisms.newton_euler_reference import motions
from tests.mechanisms.numeric_equations import Equations, Numbers, error
from tests.mechanisms.random_trees import State, Tree, state, tree

ROUNDING = 1e-12  # relative to the largest entry; measured: below 2e-14
CASES = [(shape, seed) for seed in range(12) for shape in ("chain", "tree")]
FEW = CASES[:8]
Array = np.ndarray


def chain(seed: int) -> Tree:
    """A random tree whose bodies form one chain."""
    made = tree(seed, bodies=5)
    return replace(made, twigs=tuple(replace(twig, parent=i - 1) for i, twig in enumerate(made.twigs)))


@cache
def drawn(case: tuple[str, int]) -> Tree:
    return chain(case[1]) if case[0] == "chain" else tree(case[1], bodies=6)


def described(case: tuple[str, int]) -> fb.System:
    made = Builder(drawn(case), fb.System).system
    assert isinstance(made, fb.System)
    return made


@cache
def numbers(case: tuple[str, int]) -> tuple[State, Operators, Numbers]:
    """A state, the operators there, and Kane's equations there."""
    s, made = state(drawn(case)), described(case)
    model = made.freeze()
    o = made.derive().operators(s.q, s.u, s.t, [s.z][: len(model.states)], [s.motor][: len(model.inputs)])
    return s, o, Equations(made)(s)


@pytest.fixture
def at(case: tuple[str, int]) -> Operators:
    return numbers(case)[1]


def every(o: Operators) -> list[Operator]:
    """All operators of the tree part of the paper."""
    named = [o.E_phi, o.phi, o.H, o.M, o.P, o.D, o.G, o.K, o.tau_bar, o.E_psi, o.psi, o.Upsilon, o.Omega]
    return [*named, o.A, o.B([(o.names[-1], (0.1, 0.2, 0.3)), (o.names[0], (0.0, 1.0, 0.0))])]


everywhere = pytest.mark.parametrize("case", CASES, ids=[f"{shape} {seed}" for shape, seed in CASES])
somewhere = pytest.mark.parametrize("case", FEW, ids=[f"{shape} {seed}" for shape, seed in FEW])
in_chains = pytest.mark.parametrize("case", [c for c in CASES if c[0] == "chain"], ids=str)


def same(a: Any, b: Any) -> None:
    assert error(np.asarray(a), np.asarray(b)) < ROUNDING


def test_cases_contain_every_joint_and_branch() -> None:
    made = [drawn(case) for case in CASES]
    hinges = [twig.hinge for t in made for twig in t.twigs]
    assert set.union(*(t.kinds() for t in made)) == set(JOINTS)
    assert any(h.armature for h in hinges) and any(any(h.motions) for h in hinges)
    parents = [[twig.parent for twig in drawn(case).twigs] for case in CASES if case[0] == "tree"]
    assert any(p.count(-1) > 1 for p in parents)
    assert any(p.count(k) > 1 for p in parents for k in range(len(p)))


# Sweeps and matrices


@everywhere
def test_sweeps_multiply_like_their_matrices(at: Operators) -> None:
    rng = np.random.default_rng(1)
    for o in every(at):
        for op in (o, o.T):
            x, X = rng.normal(size=op.shape[1]), rng.normal(size=(op.shape[1], 3))
            same(op @ x, op.matrix @ x)
            same(op @ X, op.matrix @ X)
            same((op.T @ op) @ x, op.matrix.T @ op.matrix @ x)
        y = rng.normal(size=(2, o.shape[0]))
        same(y @ o, y @ o.matrix)
        same(o.T.matrix, o.matrix.T)


@somewhere
def test_blocks_are_parts_of_the_matrix(at: Operators) -> None:
    for op in (at.E_phi, at.phi, at.M, at.P, at.E_psi, at.psi, at.Upsilon, at.Omega):
        n = len(at.names)
        same(np.block([[op.block(i, j) for j in range(n)] for i in range(n)]), op)


@somewhere
def test_products_and_sums_are_lazy_and_go_from_right_to_left(at: Operators) -> None:
    product = at.H @ at.phi @ at.M @ at.phi.T @ at.H.T
    assert repr(product) == f"<H φ M φ* H*: {len(at.speeds)} × {len(at.speeds)}>"
    assert isinstance(product, OperatorProduct) and len(product.factors) == 5
    assert repr(at.mass_inverse).startswith("<[I - K* ψ* H*] D⁻¹ [I - H ψ K]: ")
    x = np.random.default_rng(2).normal(size=product.shape[1])
    same(product @ x, at.H @ (at.phi @ (at.M @ (at.phi.T @ (at.H.T @ x)))))
    both = 2 - (product - 3 - product)
    same(both @ x, 5 * x)
    same(both.T.matrix, 5 * np.eye(len(x)))
    same(at.P - at.M, at.P.matrix - at.M.matrix)


# Section 2: equations of motion


@everywhere
@pytest.mark.paper("003", "6", "8")
def test_mass_matrix_of_eq_2_11_equals_kane(case: tuple[str, int], at: Operators) -> None:
    kane = numbers(case)[2]
    same(at.mass, kane.M)
    same(at.mass @ np.eye(len(kane.M)), kane.M)


@everywhere
@pytest.mark.paper("003", "2", "6")
def test_bias_forces_of_eq_2_11_equal_kane(case: tuple[str, int], at: Operators) -> None:
    """𝓒 = H φ (M φ* a + b) with weight, loads and joint forces, including prescribed motions."""
    same(-at.C, numbers(case)[2].f)


@everywhere
@pytest.mark.paper("003", "1")
def test_inertias_are_those_about_the_mass_centre_moved_to_the_joint(case: tuple[str, int], at: Operators) -> None:
    """M(O) = φ(p) M(C) φ*(p) = [J(O), m p̃; −m p̃, m], with p from O to C."""
    for k, twig in enumerate(drawn(case).twigs):
        i, p = at.names.index(f"b{k}"), np.cross(np.array(twig.com), np.eye(3), axisb=0, axisc=0)
        J = np.array(twig.inertia) - twig.mass * p @ p
        same(at.M.block(i, i), np.block([[J, twig.mass * p], [-twig.mass * p, twig.mass * np.eye(3)]]))


def arm() -> tuple[fb.Equations, Array, Array, Array]:
    """An arm of two bodies on a base that moves freely, without loads: q, u, and forces on the arm's joints."""
    s = fb.System("arm", gravity=(0, 0, 0))
    solid: Any = {"mass": 1.3, "com": (0.1, 0.2, 0.3), "inertia": (1.0, 1.1, 1.2)}
    base = s.body("base", joint=fb.Free(), **solid)
    upper = s.body("upper", on=base, at=(0.3, 0, 0.2), joint=fb.Spherical(), **solid)
    s.body("fore", on=upper, at=(0, 0.2, 0.5), joint=fb.Revolute((1, 2, 2)), **solid)
    eq, rng = s.derive(), np.random.default_rng(2)
    q, u, tau = rng.normal(size=len(eq.q)), rng.normal(size=len(eq.u)), rng.normal(size=len(eq.u))
    for k in (k for k, name in enumerate(eq.q) if name.endswith(".qw")):
        q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    tau[:6] = 0.0
    return eq, q, u, tau


@pytest.mark.paper("003", "3")
def test_joints_of_several_freedoms_have_as_many_columns_as_speeds() -> None:
    """θ of a free and of a ball joint has one number more than β (a quaternion); H* β is Δ_V across the joint."""
    eq, q, u, _ = arm()
    assert (len(eq.q), len(eq.u)) == (7 + 4 + 1, 6 + 3 + 1)
    o, f = eq.operators(q, u), eq.compile("numpy")
    assert [block.shape for block in o.H.blocks] == [(6, 6), (3, 6), (1, 6)]
    V = [np.reshape(f.spatial_velocity(q, u, name), (2, 3)) @ f.pose(q, name).R for name in o.names]
    for k in (1, 2):
        delta = V[k].ravel() - o.E_phi.block(k - 1, k).T @ V[k - 1].ravel()
        same(o.H.blocks[k].T @ u[o.bodies.rows[k]], delta)
        assert np.abs(delta[3:]).max() < ROUNDING


@pytest.mark.paper("003", "2", "4")
def test_a_mobile_base_moves_by_the_forces_on_the_arm() -> None:
    """Six freedoms between base and ground, without forces: the mass centre of the whole does not accelerate."""
    eq, q, u, tau = arm()
    o, f = eq.operators(q, u), eq.compile("numpy")
    u_dot = o.forward_dynamics(tau)
    same(u_dot, f.forward_dynamics(q, u, tau))
    same(f.inverse_dynamics(q, u, u_dot), tau)
    alpha = o.phi.T @ (o.H.T @ u_dot + o.a)
    same(o.H @ (o.phi @ (o.M @ alpha + o.b)), tau)  # f = 𝓔_φ f + M α + b and T = H f
    com = [f.spatial_acceleration(q, u, u_dot, name, at=(0.1, 0.2, 0.3))[3:] for name in o.names]
    assert np.abs(u_dot[:6]).max() > 0.1
    assert np.abs(np.sum(com, axis=0)).max() < ROUNDING * np.abs(com).max()


@everywhere
@pytest.mark.paper("003", "2")
def test_joint_forces_of_eq_2_1_are_those_of_inverse_dynamics(case: tuple[str, int], at: Operators) -> None:
    """T = 𝓜 β̇ + 𝓒 and f.inverse_dynamics, with weight, loads and joint forces."""
    s, made = numbers(case)[0], described(case)
    rates, model = np.random.default_rng(3).normal(size=len(s.u)), made.freeze()
    T = (
        made.derive("kane")
        .compile("numpy")
        .inverse_dynamics(s.q, s.u, rates, s.t, [s.z][: len(model.states)], [s.motor][: len(model.inputs)])
    )
    same(at.mass @ rates + at.C, T)


def along(R: Array, *vectors: Array) -> Array:
    return np.concatenate([R.T @ v for v in vectors])


@everywhere
@pytest.mark.paper("003", "2")
def test_velocities_and_accelerations_of_eq_2_1_match_the_poses(case: tuple[str, int], at: Operators) -> None:
    """V = φ* H* β and α = φ* (H* β̇ + a), compared with Taylor series of the poses."""
    s, made = numbers(case)[0], drawn(case)
    rates = np.random.default_rng(3).normal(size=len(s.u))
    alpha = at.phi.T @ (at.H.T @ rates + at.a)
    for k, body in enumerate(motions(made, s, s.u, rates)):
        place = slice(6 * (i := at.names.index(f"b{k}")), 6 * i + 6)
        same(at.V[place], along(body.R, body.w, body.v))
        same(alpha[place], along(body.R, body.alpha, body.a))


@everywhere
@pytest.mark.paper("003", "1", "8")
def test_phi_is_the_rigid_transformation_along_a_path(case: tuple[str, int], at: Operators) -> None:
    """φ(i, j) = [R, l̃R; 0, R] with R and l from the poses if i is on the path from j to the ground (Eq 2.10), else
    0."""
    s, made = numbers(case)[0], drawn(case)
    poses = motions(made, s, s.u, 0 * s.u)
    for j in range(len(poses)):
        way = [j]
        while made.twigs[way[-1]].parent >= 0:
            way.append(made.twigs[way[-1]].parent)
        for i in range(len(poses)):
            block = at.phi.block(at.names.index(f"b{i}"), at.names.index(f"b{j}"))
            R, l = poses[i].R.T @ poses[j].R, poses[i].R.T @ (poses[j].p - poses[i].p)
            rigid = np.block([[R, np.cross(l, R, axisb=0, axisc=0)], [np.zeros((3, 3)), R]])
            same(block, rigid if i in way else np.zeros((6, 6)))


@everywhere
@pytest.mark.paper("003", "5")
def test_transitions_are_the_sums_of_powers_of_eqs_2_4_and_3_3(at: Operators) -> None:
    """(I − 𝓔)⁻¹ = I + 𝓔 + … + 𝓔ⁿ⁻¹, 𝓔ⁿ = 0; upper triangular with parents first."""
    for transition in (at.phi, at.psi):
        E, n = transition.shift.matrix, len(at.names)
        same(sum(np.linalg.matrix_power(E, k) for k in range(n)), transition)
        assert not np.linalg.matrix_power(E, n).any() and not np.tril(E).any()
        same(transition.inverse @ transition, np.eye(6 * n))
        same(transition.block(0, n - 1), transition.matrix[:6, -6:])


# Section 3: articulated inertias and the lemmas


@everywhere
@pytest.mark.paper("003", "14")
def test_articulated_inertias_solve_the_riccati_equation_3_1(at: Operators) -> None:
    P, H, E = at.P.matrix, at.H.matrix, at.E_phi.matrix
    same(P - E @ (P - P @ H.T @ np.linalg.inv(H @ P @ H.T + at.A.matrix) @ H @ P) @ E.T, at.M)


@somewhere
def test_articulated_inertias_are_schur_complements(at: Operators) -> None:
    """P(k) is the Schur complement of the outboard bodies on a free body k after elimination of their joint
    accelerations."""
    M, phi, H = at.M.matrix, at.phi.matrix, at.H.matrix
    for k in range(len(at.names)):
        outboard = [j for j in range(len(at.names)) if j != k and at.phi.block(k, j).any()]
        rows = [r for j in outboard for r in range(*at.bodies.rows[j].indices(len(at.speeds)))]
        X = phi[6 * k : 6 * k + 6].T
        Y = (phi.T @ H.T)[:, rows]
        inner = Y.T @ M @ Y + at.A.matrix[np.ix_(rows, rows)]
        same(at.P.blocks[k], X.T @ M @ X - X.T @ M @ Y @ np.linalg.solve(inner, Y.T @ M @ X))


@everywhere
@pytest.mark.paper("003", "14")
def test_hinge_inertias_and_gains_match_eq_3_2(at: Operators) -> None:
    same(at.D, (at.H @ at.P @ at.H.T + at.A).matrix)
    same(at.G, (at.P @ at.H.T @ at.D.inverse).matrix)
    same(at.K, (at.E_phi @ at.G).matrix)
    same(at.tau_bar, (1 - at.G @ at.H).matrix)
    same(at.E_psi, (at.E_phi @ at.tau_bar).matrix)


@pytest.mark.parametrize("seed", range(4))
def test_without_armature_the_recursion_is_a_1_as_printed(seed: int) -> None:
    """P = ψ P ψ* + M over the children."""
    made = tree(seed, extras=False)
    s, built = state(made), system(made)
    o = OperatorFunction(built.freeze(), built.values, [0.0])(s.q, s.u)
    assert not o.A.matrix.any()
    same(o.P, (o.E_psi @ o.P @ o.E_psi.T + o.M).matrix)
    assert o.mass.name == "H φ M φ* H*"


@everywhere
@pytest.mark.paper("003", "15")
def test_lemma_1_factors_the_mass_matrix(case: tuple[str, int], at: Operators) -> None:
    """𝓜 = [I + HφK] D [I + HφK]* (Eq 3.4)."""
    same(at.mass_factor @ at.D @ at.mass_factor.T, numbers(case)[2].M)


@everywhere
@pytest.mark.paper("003", "15")
def test_lemma_2_inverts_the_factor(at: Operators) -> None:
    """[I + HφK]⁻¹ = I − HψK (Eq 3.5), from both sides."""
    one = np.eye(len(at.speeds))
    same(at.mass_factor @ at.mass_factor_inverse, one)
    same(at.mass_factor_inverse @ at.mass_factor, one)


@everywhere
@pytest.mark.paper("003", "15")
def test_lemma_3_inverts_the_mass_matrix(case: tuple[str, int], at: Operators) -> None:
    """𝓜⁻¹ = [I − HψK]* D⁻¹ [I − HψK] (Eq 3.6), as a matrix and by sweeps."""
    M = numbers(case)[2].M
    inverse = np.linalg.inv(M)
    same(at.mass_inverse, inverse)
    same(at.mass_inverse @ np.eye(len(M)), inverse)


@everywhere
@pytest.mark.paper("003", "15")
def test_lemma_4_and_related_identities(at: Operators) -> None:
    """[I − HψK]Hφ = Hψ (Eq 3.9); ψ⁻¹ = φ⁻¹ + KH; ψKH = φKH − …: φK[I − HψK] = ψK; φ = ψ + φKHψ."""
    half = at.mass_factor_inverse
    same(half @ at.H @ at.phi, at.H @ at.psi)
    same(at.psi.inverse, at.phi.inverse + at.K @ at.H)
    same(at.phi @ at.K @ half, at.psi @ at.K)
    same(at.phi, at.psi + at.phi @ at.K @ at.H @ at.psi)


@everywhere
def test_decomposition_behind_lemma_1(at: Operators) -> None:
    """φ M φ* = P + φ̃ P + P φ̃* + φ K D K* φ*, φ̃ = φ − I."""
    over = at.phi - 1
    left = at.phi @ at.M @ at.phi.T
    same(left, at.P + over @ at.P + at.P @ over.T + at.phi @ at.K @ at.D @ at.K.T @ at.phi.T)


@everywhere
@pytest.mark.paper("003", "15", "16")
def test_forward_dynamics_of_eq_3_7_equals_kane(case: tuple[str, int], at: Operators) -> None:
    kane = numbers(case)[2]
    tau = np.random.default_rng(4).normal(size=len(kane.f))
    same(at.forward_dynamics(), kane.u_dot)
    same(at.forward_dynamics(tau), np.linalg.solve(kane.M, kane.f + tau))


@everywhere
def test_accelerations_are_a_by_product_of_forward_dynamics(at: Operators) -> None:
    """α̂ = φ* H* β̇ = ψ* H* D⁻¹ [I − HψK] T̂ (after Eq 3.9), and the corrected A.2: ε = T̂ − H z."""
    T = np.random.default_rng(5).normal(size=len(at.speeds))
    rates = at.mass_inverse @ T
    z = at.psi @ (at.K @ T)
    nu = at.D.inverse @ (T - at.H @ z)
    alpha = at.psi.T @ (at.H.T @ nu)
    same(alpha, at.phi.T @ (at.H.T @ rates))
    same(rates, nu - at.K.T @ alpha)


# Admittance


@everywhere
@pytest.mark.paper("003", "20")
def test_omega_by_nearest_common_ancestors_is_the_product_of_eq_3_10(at: Operators) -> None:
    same(at.Omega, (at.psi.T @ at.H.T @ at.D.inverse @ at.H @ at.psi).matrix)


@everywhere
@pytest.mark.paper("003", "20")
def test_upsilon_is_the_diagonal_of_omega(at: Operators) -> None:
    whole = (at.psi.T @ at.H.T @ at.D.inverse @ at.H @ at.psi).matrix
    for k, block in enumerate(at.Upsilon.blocks):
        same(block, whole[6 * k : 6 * k + 6, 6 * k : 6 * k + 6])


@in_chains
@pytest.mark.paper("003", "20")
def test_a_3_and_lemma_5_hold_on_chains(at: Operators) -> None:
    """H* D⁻¹ H = Υ − 𝓔_ψ* Υ 𝓔_ψ and Ω = Υ + ψ̃* Υ + Υ ψ̃."""
    over = at.psi - 1
    same(at.H.T @ at.D.inverse @ at.H, at.Upsilon - at.E_psi.T @ at.Upsilon @ at.E_psi)
    same(at.Omega, at.Upsilon + over.T @ at.Upsilon + at.Upsilon @ over)


def fork() -> Operators:
    s = fb.System("fork")
    stem = s.body("stem", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, 0.5), inertia=(0.1, 0.2, 0.1))
    for name, x in (("left", -0.3), ("right", 0.3)):
        solid = {"mass": 0.5, "com": (0, 0.1, 0.2), "inertia": (0.1, 0.1, 0.1)}
        s.body(name, on=stem, at=(x, 0, 1), joint=fb.Revolute("x"), **solid)
    return OperatorFunction(s.freeze(), {}, [])([0.3, 0.4, -0.2])


def test_omega_couples_siblings_unlike_a_3_to_a_5() -> None:
    o = fork()
    assert np.linalg.norm(o.Omega.block(1, 2)) > 0.5
    assert o.Omega.common(1, 2) == 0
    over, swept = o.psi - 1, o.Omega @ np.eye(18)
    printed = (o.Upsilon + over.T @ o.Upsilon + o.Upsilon @ over).matrix
    same(o.Omega.block(1, 2), swept[6:12, 12:18])
    assert not printed[6:12, 12:18].any()
    printed[6:12, 12:18], printed[12:18, 6:12] = o.Omega.block(1, 2), o.Omega.block(2, 1)
    same(printed, swept)


def test_omega_does_not_couple_separate_trees() -> None:
    s = fb.System()
    for name in "ab":
        s.body(name, joint=fb.Revolute("y"), mass=1.0, inertia=(1, 1, 1))
    o = OperatorFunction(s.freeze(), {}, [])([0.1, 0.2])
    assert o.Omega.common(0, 1) == -1 and not o.Omega.block(0, 1).any()


@everywhere
@pytest.mark.paper("003", "9")
def test_jacobians_of_eq_2_14_are_velocities_of_points(case: tuple[str, int], at: Operators) -> None:
    """J = B* φ* H*, compared with the poses column by column for unit speeds."""
    s, made = numbers(case)[0], drawn(case)
    spot, last = np.array([0.2, -0.5, 0.7]), len(made.twigs) - 1
    J = at.jacobian([(f"b{last}", spot), ("b0", (0, 0, 0))])

    def velocity(u: Array) -> Array:
        tip, root = (motions(made, s, u, 0 * u)[k] for k in (last, 0))
        v = tip.v + np.cross(tip.w, tip.R @ spot)
        return np.concatenate([along(tip.R, tip.w, v), along(root.R, root.w, root.v)])

    units = np.eye(len(s.u))
    same(J, np.array([velocity(e) - velocity(0 * s.u) for e in units]).T)


@everywhere
def test_admittance_is_j_m_inverse_j_transposed(case: tuple[str, int], at: Operators) -> None:
    """Λ = B* Ω B with few blocks of Ω, by sweeps, and J 𝓜⁻¹ J* with Kane's mass matrix."""
    points = [(at.names[-1], (0.2, -0.5, 0.7)), (at.names[len(at.names) // 2], (1, 0, 0)), (at.names[-1], (0, 0, 0))]
    B, J, M = at.B(points), at.jacobian(points), numbers(case)[2].M
    expected = J.matrix @ np.linalg.solve(M, J.matrix.T)
    same(at.admittance(points), expected)
    same((B.T @ at.Omega @ B) @ np.eye(18), expected)
    same((J @ at.mass_inverse @ J.T) @ np.eye(18), expected)
