"""Jain and Rodriguez, *Recursive dynamics for flexible multibody systems using spatial operators*: operators, lemmas
and algorithms on random trees of flexible and rigid bodies, against Kane's equations; misprints in their corrected
form."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, ModelError
from freebody.fem.nodal_data import NodalData, integrals
from freebody.model.joints.flexible import NodeAttachment
from freebody.model.joints.modal import Modal
from freebody.papers import flexible_costs as costs
from freebody.papers.flexible_algorithms import (
    CROSSOVER,
    FlexibleBody,
    FlexibleTree,
    articulated_bodies,
    articulated_forward_dynamics,
    composite_forward_dynamics,
    consistent_accelerations,
    innovations_forward_dynamics,
    inverse_dynamics,
    mass_matrix,
    velocities,
)
from freebody.papers.operators import Operators
from freebody.papers.structural_operators import StructuralOperators
from tests.flexible.flexible_trees import PUSH, flexible_tree, in_basis, modal_data, nodes_of, state_of
from tests.flexible.rigid_nodes import Array, tilde
from tests.flexible.test_bodies import JOINTS, branched
from tests.flexible.test_bodies import state as described_state
from tests.flexible.test_indefinite_mass import shrinking_rotor

ROUNDING = 1e-11  # relative; condition numbers of the mass matrices are below 1e4, measured errors below 3e-13
CASES = [("full", 0), ("ruthless", 1), ("paper", 2)]
everywhere = pytest.mark.parametrize("case", CASES, ids=[order for order, _ in CASES])
FORWARD = (composite_forward_dynamics, innovations_forward_dynamics, articulated_forward_dynamics)


def same(a: Any, b: Any, bound: float = ROUNDING) -> None:
    a, b = np.asarray(a), np.asarray(b)
    assert a.shape == b.shape and np.abs(a - b).max() <= bound * np.abs(b).max()


@cache
def solved(case: tuple[str, int]) -> tuple[Operators, dict[str, Array]]:
    """Operators at a state; M, f, forces and accelerations of Kane's equations there."""
    order, seed = case
    eq = flexible_tree(seed, order).derive("kane")
    q, u, tau = state_of(seed, len(eq.u))
    f = eq.compile("numpy")
    numbers = {"M": f.mass_matrix(q), "f": f.bias(q, u), "tau": tau, "u": u, "u_dot": f.forward_dynamics(q, u, tau)}
    for name in ("hand", "ball", "second.side"):
        R, V = f.pose(q, name).R, f.spatial_velocity(q, u, name)
        numbers[name] = np.concatenate([R.T @ V[:3], R.T @ V[3:]])
    return eq.operators(q, u), numbers


# Operators (sections 3, 5, 6, 7)


@everywhere
@pytest.mark.paper("004", "7", "10", "12")
def test_both_factorisations_of_the_mass_matrix(case: tuple[str, int]) -> None:
    """Newton–Euler (Eq 3.45), composite bodies (Eq 5.4), innovations (Eq 6.4) and the inverse (Eq 6.6)."""
    o, kane = solved(case)
    armature = np.diag(o.bodies.armature)
    H, R, over = o.H, o.R, o.phi - 1
    same(o.mass, kane["M"])
    same(o.mass @ np.eye(len(o.speeds)), kane["M"])
    same((H @ R @ H.T + H @ over @ R @ H.T + H @ R @ over.T @ H.T).matrix + armature, kane["M"])
    same(o.mass_factor @ o.D @ o.mass_factor.T, kane["M"])
    same(o.mass_inverse, np.linalg.inv(kane["M"]))
    same(o.C, -kane["f"])
    same(o.forward_dynamics(kane["tau"]), kane["u_dot"])


@everywhere
@pytest.mark.paper("004", "12")
def test_articulated_body_quantities(case: tuple[str, int]) -> None:
    """Eqs 6.1 to 6.3 with rotors A in D: P = M + 𝓔_Φ (τ̄ P τ̄* + G A G*) 𝓔_Φ*, D, G, K, τ̄, 𝓔_Ψ, Ψ."""
    o, _ = solved(case)
    one, A = np.eye(len(o.P.matrix)), np.diag(o.bodies.armature)
    H, P, D, G, K, tau_bar, E_phi, E_psi = (x.matrix for x in (o.H, o.P, o.D, o.G, o.K, o.tau_bar, o.E_phi, o.E_psi))
    same(P, o.M.matrix + E_phi @ (tau_bar @ P @ tau_bar.T + G @ A @ G.T) @ E_phi.T)
    same(D, H @ P @ H.T + A)
    same(G @ D, P @ H.T)
    same(K, E_phi @ G)
    same(tau_bar, one - G @ H)
    same(E_psi, E_phi @ tau_bar)
    same(o.psi.matrix, np.linalg.inv(one - E_psi))


@everywhere
@pytest.mark.paper("004", "11")
def test_lemmas_and_identities(case: tuple[str, int]) -> None:
    """Lemmas 5.1 to 7.1 and Eqs A.1 to A.10, with rotors in D."""
    o, kane = solved(case)
    H, phi, psi, K, P, D, M, R, E = o.H, o.phi, o.psi, o.K, o.P, o.D, o.M, o.R, o.E_phi
    one, over = np.eye(len(o.speeds)), o.phi - 1
    half = o.mass_factor_inverse
    same(M, R - E @ R @ E.T)  # A.1
    same(phi @ M @ phi.T, R + over @ R + R @ over.T)  # 5.3
    same(M, P - E @ P @ E.T + K @ D @ K.T)  # A.2
    same(o.mass_factor @ half, one)  # 6.5
    same(psi.inverse, phi.inverse + K @ H)  # A.4
    same(half @ H @ phi, H @ psi)  # A.6
    same(phi @ K @ half, psi @ K)
    same(psi @ M @ phi.T, psi @ P + P @ over.T)  # A.8
    same(half.T @ D.inverse @ H @ P @ over.T, K.T @ psi.T)  # A.10
    T = kane["tau"] + o.bodies.joint_force
    a, b = o.a + o.fall, o.b + o.elastic - o.bodies.stacked(o.bodies.wrench)
    inner = T - H @ (psi @ (K @ T + P @ a + b))
    same(half.T @ (D.inverse @ inner) - K.T @ (psi.T @ a), kane["u_dot"])  # 7.1


@everywhere
@pytest.mark.paper("004", "2", "5")
def test_velocities_of_nodes_and_bodies(case: tuple[str, int]) -> None:
    """V_m = Φ* 𝓗* χ (Eq 3.22) by the recursion of Eq 4.2; Φ(k+1, k) = 𝓐(k+1) 𝓑(k+1, k) (Eq 3.16)."""
    o, kane = solved(case)
    same(o.phi.T @ (o.H.T @ kane["u"]), o.V)
    parents = o.bodies.tree.parents
    on_nodes = [j for j, t in enumerate(parents) if t >= 0 and "." in o.names[t]]
    assert len(on_nodes) >= 3
    for j in on_nodes:
        t, k = parents[j], parents[parents[j]]
        same(o.E_phi.block(k, t) @ o.E_phi.block(t, j), o.phi.block(k, j))
    for name in ("hand", "ball", "second.side"):
        same(o.V[o.bodies.places[o.names.index(name)]], kane[name])
    tree = FlexibleTree.of(o)
    for k, V in zip(tree.bodies, velocities(tree, kane["u"]), strict=True):
        i = o.names.index(k.name)
        same(V, o.V[o.bodies.places[i]])
        if k.parent >= 0:
            same(k.Phi, o.phi.block(o.names.index(tree.bodies[k.parent].name), i))


@pytest.mark.parametrize(("joint", "order"), [("weld", "paper"), ("universal", "full"), ("free", "ruthless")])
@pytest.mark.paper("004", "21")
def test_operators_of_described_bodies(joint: str, order: str) -> None:
    """Beams with joints of their own: one block for joint and modes, (η̇, ω, v), and one for each node in use. M is
    nearly singular about the hinges of bare beams."""
    eq = branched(JOINTS[joint], order).derive("kane")
    q, u = described_state(eq)
    q = np.where([".m" in name for name in eq.q], 0.05 * q, q)
    f, o = eq.compile("numpy"), eq.operators(q, u, t=0.3)
    assert set(o.names) == {"hub", "arm", "arm.mid", "arm.tip", "panel", "panel.tip", "pendulum", "ball"}
    assert o.M.blocks[o.names.index("arm")].shape == (11, 11)
    M, u_dot = f.mass_matrix(q), f.forward_dynamics(q, u, t=0.3)
    same(o.mass, M)
    same(o.C, -f.bias(q, u, t=0.3))
    for found in (o.forward_dynamics(), *(forward(FlexibleTree.of(o)) for forward in FORWARD)):
        same(found, u_dot, 1e-15 * np.linalg.cond(M) + ROUNDING)


@pytest.mark.parametrize("order", ["full", "ruthless", "paper"])
@pytest.mark.paper("004", "20")
def test_operators_of_a_loop_through_a_node(order: str) -> None:
    """Section 9: a four-bar whose coupler bends, closed at its tip."""
    s = fb.System("four-bar")
    bar: dict[str, Any] = {"joint": fb.Revolute("y"), "mass": 1.0, "com": (0, 0, 0.5), "inertia": (0.1, 0.1, 0.01)}
    crank, rocker = s.body("crank", **bar), s.body("rocker", at=(1, 0, 0), **bar)
    beam = fb.Beam(length=1.0, EI=(40.0, 50.0), density=1.5, polar_inertia=0.02)
    coupler = s.body(
        "coupler",
        on=crank,
        at=(0, 0, 1),
        orient=("y", np.pi / 2),
        joint=fb.Revolute("y"),
        mass=0.3,
        inertia=(0.02, 0.02, 0.02),
        flexible=beam,
        modes=3,
        order=order,
    )
    s.close(coupler.node("tip").origin, rocker.point((0, 0, 1)), fb.Spherical(), name="pin")
    eq = s.derive()
    guess, held = [-0.4, -0.4, 0.4 - np.pi / 2, 0.01, 0, 0], ["q.crank", "q.coupler.m1"]
    q, u = eq.assemble(guess, {"crank": 1.0}, hold=held, modes="free")
    found = eq.operators(q, u).closures.steps(np.zeros(6))
    same(found.beta, eq.compile("numpy").forward_dynamics(q, u), 1e-10)


# Algorithms (sections 4, 5, 7 and 9)


@everywhere
@pytest.mark.paper("004", "8", "10", "13", "14")
def test_articulated_composite_and_inverse_dynamics_agree(case: tuple[str, int]) -> None:
    o, kane = solved(case)
    tree = FlexibleTree.of(o)
    same(mass_matrix(tree), kane["M"])
    for forward in FORWARD:
        u_dot = forward(tree, kane["tau"])
        same(u_dot, kane["u_dot"])
        same(inverse_dynamics(tree, u_dot), kane["tau"], 1e-10)
    for inversion in ("explicit", "indirect"):
        same(articulated_forward_dynamics(tree, kane["tau"], inversion=inversion), kane["u_dot"])


@pytest.mark.parametrize("formulation", ["crba", "aba", "poincare"])
@pytest.mark.paper("004", "8", "10", "14", "20")
def test_formulations_agree_with_the_algorithms_of_the_paper(formulation: str) -> None:
    """At full order on small trees: accelerations, and forces by Newton and Euler."""
    eq = flexible_tree(4, modes=(2, 3, 2)).derive(formulation)
    q, u, tau = state_of(4, len(eq.u))
    f, tree = eq.compile("numpy"), FlexibleTree.of(eq.operators(q, u))
    u_dot = articulated_forward_dynamics(tree, tau)
    same(f.forward_dynamics(q, u, tau), u_dot)
    same(f.inverse_dynamics(q, u, tau), inverse_dynamics(tree, tau))
    same(f.mass_matrix(q), mass_matrix(tree))


@pytest.mark.paper("004", "8")
def test_a_tip_force_is_minus_a_load() -> None:
    """f_m(0) of section 4 is the force that the body exerts on its surroundings."""
    s, other = flexible_tree(3), flexible_tree(3)
    del other.loads["push"]
    trees = []
    for one in (s, other):
        eq = one.derive()
        q, u, tau = state_of(3, len(eq.u))
        trees.append(FlexibleTree.of(eq.operators(q, u)))
    tip = {"second.side": (0, 0, 0, *(-x for x in PUSH))}
    for forward in FORWARD:
        u_dot = forward(trees[0], tau)
        same(forward(trees[1], tau, tip), u_dot)
    same(inverse_dynamics(trees[1], u_dot, tip), tau, 1e-10)
    with pytest.raises(ArgumentError, match="there is no node or body 'end'; choose from base, first, "):
        inverse_dynamics(trees[1], u_dot, {"end": np.zeros(6)})


@everywhere
@pytest.mark.paper("004", "9")
def test_consistent_accelerations_need_no_forces_on_modes(case: tuple[str, int]) -> None:
    """End of section 4: T of the modes is zero, and the forward dynamics under T returns the accelerations."""
    o, kane = solved(case)
    tree, tip = FlexibleTree.of(o), {"third.tip": np.arange(6.0)}
    u_dot = consistent_accelerations(tree, kane["tau"], tip)
    T = inverse_dynamics(tree, u_dot, tip)
    modes = [i for k in tree.bodies for i in k.modes]
    hinges = [i for k in tree.bodies for i in k.hinge]
    assert np.abs(T[modes]).max() < 1e-11 * np.abs(T[hinges]).max()
    same(u_dot[hinges], kane["tau"][hinges], 0)
    same(articulated_forward_dynamics(tree, T, tip), u_dot, 1e-10)


@pytest.mark.paper("004", "14")
def test_indirect_inverse_of_modes_and_the_singular_gamma() -> None:
    """D_f⁻¹ explicitly and by Eq 7.10 corrected; P_R⁺ H* = 0, so that Γ⁻¹ of the printed equation does not exist."""
    tree = FlexibleTree.of(solved(("ruthless", 1))[0])
    found = {way: articulated_bodies(tree, way) for way in ("explicit", "indirect")}
    chosen = articulated_bodies(tree)
    for k, a, b, c in zip(tree.bodies, found["explicit"], found["indirect"], chosen, strict=True):
        if k.n:
            same(a.D_f_inverse, b.D_f_inverse)
        if k.name in ("second", "third"):  # no other modes outboard
            assert np.array_equal(c.D_f_inverse, (a if k.n <= CROSSOVER else b).D_f_inverse)
        if k.n == 0 and not k.armature.any():
            assert np.abs(a.P_R_plus @ k.H.T).max() < 1e-12 * np.abs(a.P_R).max()
    ball = next(i for i, k in enumerate(tree.bodies) if k.name == "ball")
    assert np.linalg.matrix_rank(found["explicit"][ball].P_R_plus, tol=1e-10) == 5


def random_paper_body(rng: np.random.Generator, name: str, parent: int, n: int, above: int, first: int) -> FlexibleBody:
    """A body with random data of the paper, whose modes move the node of its hinge."""
    X = rng.normal(size=(n + 6, n + 9))
    hinge = range(first + n, first + n + 2)
    phi = np.eye(6)
    phi[:3, 3:] = tilde(rng.normal(size=3))
    return FlexibleBody(
        name,
        parent,
        range(first, first + n),
        hinge,
        X @ X.T,
        rng.normal(size=n + 6),
        rng.normal(size=n + 6),
        rng.normal(size=6),
        rng.normal(size=(2, 6)),
        rng.normal(size=(above + 6 if parent >= 0 else 0, 6)),
        phi,
        rng.normal(size=(6, n)),
        np.zeros(6),
        rng.normal(size=n + 2),
        rng.uniform(0, 0.1, n + 2),
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.paper("004", "4")
def test_modes_that_move_the_hinge(seed: int) -> None:
    """Free–free modes, Π^d ≠ 0, on trees: the recursions against Eqs 3.44 and 3.45 with whole matrices."""
    rng, modes, parents = np.random.default_rng(seed), [4, 9, 2, 0, 3], [-1, 0, 0, 1, 1]
    firsts = np.cumsum([0, *(n + 2 for n in modes)])
    tree = FlexibleTree(
        [
            random_paper_body(rng, str(i), p, n, modes[p], int(first))
            for i, (p, n, first) in enumerate(zip(parents, modes, firsts[:-1], strict=True))
        ],
        {},
    )
    places = np.cumsum([0, *(n + 6 for n in modes)])
    parts = [np.s_[a:b] for a, b in pairwise(places)]
    E, H, M = np.zeros((places[-1],) * 2), np.zeros((firsts[-1], places[-1])), np.zeros((places[-1],) * 2)
    a, b = np.zeros(places[-1]), np.zeros(places[-1])
    for k, part in zip(tree.bodies, parts, strict=True):
        H[k.speeds, part], M[part, part] = k.joint_map, k.M
        a[part][k.n :], b[part] = k.a, k.b + k.elastic
        if k.parent >= 0:
            E[parts[k.parent], part] = k.Phi
    Phi, armature = np.linalg.inv(np.eye(len(E)) - E), np.concatenate([k.armature for k in tree.bodies])
    whole = H @ Phi @ M @ Phi.T @ H.T + np.diag(armature)
    C = H @ Phi @ (M @ Phi.T @ a + b) - np.concatenate([k.force for k in tree.bodies])
    T = rng.normal(size=len(whole))
    same(mass_matrix(tree), whole)
    for forward in FORWARD:
        same(forward(tree, T), np.linalg.solve(whole, T - C), 1e-10)
    same(articulated_forward_dynamics(tree, T, inversion="indirect"), np.linalg.solve(whole, T - C), 1e-10)
    same(inverse_dynamics(tree, np.linalg.solve(whole, T - C)), T, 1e-10)
    consistent = consistent_accelerations(tree, T)
    assert np.abs(inverse_dynamics(tree, consistent)[[i for k in tree.bodies for i in k.modes]]).max() < 1e-9


@pytest.mark.paper("004", "4")
def test_free_modes_and_the_frame_moved_to_the_hinge() -> None:
    """Eq 3.11 corrected: with −φ*(d, k) Π^d η̇ the body has the mass matrix that it has in a frame at node d; as printed
    it has not."""
    rng = np.random.default_rng(5)
    free = nodes_of(rng, 4)
    d = list(free.names).index("n0")
    l, Pi = free.positions[d], np.vstack([free.slopes[d], free.translations[d]])
    inertias = [integrals(nodes, np.eye(4), np.zeros((4, 4)), np.zeros(4)) for nodes in (free, free.seen_from("n0"))]
    M, moved = (
        np.block([[x.M_ff, x.F0.T, x.E.T], [x.F0, x.J0, tilde(x.c0)], [x.E, -tilde(x.c0), x.m * np.eye(3)]])
        for x in inertias
    )
    back = np.eye(6)
    back[3:, :3] = tilde(l)  # φ*(d, k): from d to the frame, whose origin is at −l
    X = np.block([[np.eye(4), np.zeros((4, 6))], [-back @ Pi, back]])
    printed = np.block([[np.eye(4), np.zeros((4, 6))], [-Pi, back]])
    same(X.T @ M @ X, moved)
    assert np.abs(printed.T @ M @ printed - moved).max() > 0.01 * np.abs(moved).max()


# Limits


def arm(joint: Callable[[fb.System, str, Any], Any]) -> fb.System:
    """Two links on hinges, the first rigid, the second as ``joint`` makes it, and a ball on the second."""
    s = fb.System("arm")
    solid = {"mass": 1.0, "com": (0.1, 0.2, 0.3), "inertia": (0.2, 0.3, 0.25)}
    upper = s.body("upper", joint=fb.Revolute("y"), **solid)
    end = joint(s, "lower", s.body("hinge", on=upper, at=(0, 0, 1), joint=fb.Revolute((0.6, 0.8, 0)), **solid))
    s.body("ball", on=end, joint=fb.Spherical("123"), **solid)
    return s


def with_modes(nodes: NodalData, order: str, stiffness: float) -> Callable[[fb.System, str, Any], Any]:
    def joint(s: fb.System, name: str, on: Any) -> Any:
        data = modal_data(np.random.default_rng(1), nodes, stiffness)
        data = replace(data, preload=0 * data.preload, D=0 * data.D)
        return s.body(f"{name}.tip", on=s.body(name, on=on, joint=Modal(data, order)), joint=NodeAttachment("tip"))

    return joint


def rigidly(nodes: NodalData) -> Callable[[fb.System, str, Any], Any]:
    def joint(s: fb.System, name: str, on: Any) -> Any:
        data = integrals(nodes, *(np.zeros((nodes.n, nodes.n)),) * 2, np.zeros(nodes.n))
        body = s.body(name, on=on, mass=data.m, com=tuple(data.c0 / data.m), inertia=data.J0.tolist(), about=(0, 0, 0))
        return s.body(f"{name}.tip", on=body, at=tuple(nodes.positions[-1]))

    return joint


@pytest.mark.parametrize("order", ["full", "ruthless", "paper"])
@pytest.mark.parametrize("formulation", ["kane", "crba", "aba"])
def test_without_modes_the_body_is_rigid(order: str, formulation: str) -> None:
    nodes = nodes_of(np.random.default_rng(2), 3)
    none = in_basis(nodes, np.zeros((3, 0)))
    pair = [arm(with_modes(none, order, 1.0)), arm(rigidly(nodes))]
    eq = [s.derive(formulation) for s in pair]
    q, u, tau = state_of(2, len(eq[0].u))
    assert eq[0].u == eq[1].u
    a, b = (e.compile("numpy").forward_dynamics(q, u, tau) for e in eq)
    same(a, b, 1e-13)
    same(eq[0].operators(q, u).forward_dynamics(tau), b, 1e-13)


@pytest.mark.parametrize("order", ["full", "ruthless", "paper"])
def test_stiff_bodies_converge_to_rigid_ones(order: str) -> None:
    """With the deformation that the rigid motion requires, the difference falls with 1/K."""
    nodes = nodes_of(np.random.default_rng(2), 3)
    eq = arm(rigidly(nodes)).derive()
    q, u, tau = state_of(2, len(eq.u))
    rigid = eq.compile("numpy").forward_dynamics(q, u, tau)
    errors = []
    for stiffness in (1e4, 1e6, 1e8):
        e = arm(with_modes(nodes, order, stiffness)).derive("aba")
        f, modes = e.compile("numpy"), [i for i, name in enumerate(e.u) if name.startswith("lower.m")]
        rest = [i for i in range(len(e.u)) if i not in modes]
        at_q, at_u, at_tau, at_u_dot = np.zeros((4, len(e.u)))
        at_q[rest], at_u[rest], at_tau[rest], at_u_dot[rest] = q, u, tau, rigid
        K = np.diag(modal_data(np.random.default_rng(1), nodes, stiffness).K)
        at_q[modes] = -f.inverse_dynamics(at_q, at_u, at_u_dot)[modes] / K
        errors.append(np.abs(f.forward_dynamics(at_q, at_u, at_tau)[rest] - rigid).max() / np.abs(rigid).max())
    if order == "ruthless":  # nothing depends on the deformation
        assert max(errors) < 1e-13
    else:
        assert errors[0] < 1e-2 and errors[1] < 0.02 * errors[0] and errors[2] < 0.02 * errors[1]


# Structure: nodes as they are


def nodal_chain(coordinates: str, order: str = "full", modes: int | None = None, seed: int = 6) -> fb.System:
    """Two bodies of nodes, which carry a rigid body at their ends, and one with an armature in the middle. Nodes have
    inertias and offsets, and slopes about all axes."""
    rng, k = np.random.default_rng(seed), 4
    s, on = fb.System("nodal"), None
    for name in ("first", "second"):
        A, X = rng.normal(size=(k, 3, 3)), rng.normal(size=(6 * k, 6 * k))
        slopes = np.zeros((k, 3, k))
        slopes[1:] = 0.2 * rng.normal(size=(k - 1, 3, k))
        shapes = {"shapes": 0.2 * rng.normal(size=(k, 3, k)) * (np.arange(k) > 0)[:, None, None], "slopes": slopes}
        body = fb.FlexibleNodes(
            positions=rng.normal(size=(k, 3)) * (np.arange(k) > 0)[:, None],
            masses=rng.uniform(0.5, 2, k),
            inertias=A @ A.swapaxes(1, 2) + np.eye(3),
            offsets=0.2 * rng.normal(size=(k, 3)),
            stiffness=X @ X.T,
            frame="1",
            coordinates=coordinates,
            **(shapes if coordinates == "modal" else {}),
        )
        solid = {"mass": 0.5, "com": (0.1, 0.0, 0.2), "inertia": (0.2, 0.3, 0.4)}
        body = s.body(name, on=on, joint=fb.Revolute((0.6, 0, 0.8)), flexible=body, modes=modes, order=order, **solid)
        s.body(f"{name} side", on=body.node("2"), joint=fb.Revolute("y", armature=0.2), **solid)
        on = body.node(str(k))
    s.body("load", on=on, joint=fb.Revolute("x"), mass=1.0, com=(0.1, 0.2, 0.3), inertia=(0.2, 0.3, 0.4))
    return s


@pytest.mark.parametrize(
    ("coordinates", "order", "seed"),
    [
        ("nodal", "full", 6),
        ("nodal", "ruthless", 6),
        ("modal", "paper", 6),
        ("modal", "paper", 7),
        ("nodal", "paper", 8),
    ],
)
@pytest.mark.paper("004", "1", "2", "6", "29")
@pytest.mark.paper("003", "24")
def test_factored_mass_matrix_of_nodes(coordinates: str, order: str, seed: int) -> None:
    """Rodriguez, Jain and Kreutz, section 4: from the masses of all nodes, with their displacements as coordinates; and
    Eqs 3.23 to 3.25 for bodies of order "paper" in a deformed state, where every node has δ_ω = λ η̇."""
    s = nodal_chain(coordinates, order, seed=seed)
    eq = s.derive("crba")
    q, u, _ = state_of(6, len(eq.u))
    modes = {body: [i for i, name in enumerate(eq.u) if name.startswith(f"{body}.m")] for body in ("first", "second")}
    if order != "paper":
        q[modes["first"] + modes["second"]] = 0
    o = eq.operators(q, u)
    nodal = StructuralOperators(s.freeze(), o, {body: q[some] for body, some in modes.items()})
    B, C, phi = nodal.B, nodal.C, nodal.phi
    same(B @ C, phi.shift)
    same(B @ (1 + C @ phi @ B), phi @ B)
    same(nodal.mass, eq.compile("numpy").mass_matrix(q))
    same(nodal.mass @ u, o.mass @ u)
    assert repr(nodal.velocity_map).startswith("<[Π* + H B] [I + C φ B]: ")
    description = s.bodies["first"].spec.flexible  # M_s: the first of five points is the body's own mass
    for j in range(4):
        m, P, J = description.masses[j], tilde(description.offsets[j]), description.inertias[j]
        block = np.block([[J - m * P @ P, m * P], [-m * P, m * np.eye(3)]])
        same(nodal.m.blocks[0][6 * j + 6 : 6 * j + 12, 6 * j + 6 : 6 * j + 12], block)
    if order != "paper":  # V^f of Eq 4.3: the velocity of a node, along the axes of its body
        f = eq.compile("numpy")
        V, R = f.spatial_velocity(q, u, "first.2"), f.pose(q, "first").R
        same((nodal.velocity_map.T @ u)[12:18], [*(R.T @ V[:3]), *(R.T @ V[3:])])


def test_structural_operators_need_nodes() -> None:
    s = fb.System("boom")
    s.body("boom", joint=fb.Revolute("z"), flexible=fb.Beam(length=2.0, EI=(40.0, None), density=1.5), modes=3)
    with pytest.raises(ArgumentError, match="body 'boom' is not given by nodes with masses; describe it by"):
        StructuralOperators(s.freeze(), s.derive().operators(np.zeros(4)))
    slow, description = fb.System("slow"), nodal_chain("modal").bodies["first"].spec.flexible
    slow.body("first", joint=fb.Revolute("z"), flexible=description, quasi_static=1.0)
    with pytest.raises(ArgumentError, match="body 'first' has quasi-static modes, whose added inertia belongs to no"):
        StructuralOperators(slow.freeze(), slow.derive().operators(np.zeros(5)))


# Costs (section 8)

PRINTED = {  # Table 1; 19591 is misprinted for 19959
    3: ((5223, 4195), (11432, 9677), (18587, 16287)),
    6: ((12591, 10075), (27611, 23315), (44846, 39225)),
    9: ((19959, 15955), (43790, 36953), (71105, 62163)),
}


@pytest.mark.paper("004", "17")
def test_costs_of_table_1() -> None:
    for bodies, row in PRINTED.items():
        for n, (products, additions) in zip((5, 10, 15), row, strict=True):
            assert costs.articulated_forward_dynamics(bodies, n) == (products, additions)
            assert f"{products}m + {additions}a" in costs.table_1()
            assert costs.composite_forward_dynamics(bodies, n).total > products + additions


@pytest.mark.paper("004", "16")
def test_costs_that_the_paper_lists() -> None:
    """Sections 8.1 and 8.2 as they are printed, as (products, additions); the crossover at seven modes."""
    for n in (2, 4, 8, 14):
        for k in (1, 3):
            column = k * (12 * n**2 + 34 * n + 13), k * (11 * n**2 + 24 * n + 13)
            assert costs.mass_matrix_column(k, n) == column
        assert costs.composite_inertia(n) == (48 * n + 90, n**2 + 97 * n / 2 + 116)
        assert costs.inverse_dynamics(n) == (2 * n**2 + 54 * n + 206, 2 * n**2 + 50 * n + 143)
        size = 3 * (n + 1)
        solution = size**3 / 6 + 3 * size**2 / 2 - 2 * size / 3, size**3 / 6 + size**2 - 7 * size / 6 + size
        assert costs.linear_solution(size) == pytest.approx(solution, abs=1e-9)
        products = 5 * n**3 / 6 + 25 * n**2 / 2 + 764 * n / 3 + 180
        additions = 5 * n**3 / 6 + 21 * n**2 / 2 + 548 * n / 3 + 164
        assert costs.explicit_inertia(n) == pytest.approx((products, additions), abs=1e-9)
        assert costs.indirect_inertia(n) == (12 * n**2 + 255 * n + 572, 13 * n**2 + 182 * n + 445)
        assert costs.inward_sweep(n) == (n**2 + 25 * n + 49, n**2 + 24 * n + 50)
        assert costs.outward_sweep(n) == (18 * n + 52, 19 * n + 42)
        total = [
            sum(costs.composite_inertia(n)[i] + costs.inverse_dynamics(n)[i] for _ in range(3))
            + sum(costs.mass_matrix_column(k, n)[i] for k in (1, 2, 3))
            + costs.linear_solution(size)[i]
            for i in (0, 1)
        ]
        assert costs.composite_forward_dynamics(3, n) == tuple(total)
    cheaper = [n for n in range(1, 20) if costs.explicit_inertia(n).total <= costs.indirect_inertia(n).total]
    assert cheaper == list(range(1, CROSSOVER + 1))


@pytest.mark.paper("004", "19")
def test_articulated_bodies_are_cheaper_with_few_modes() -> None:
    """By the costs of the paper from three bodies on with five modes; and by the operations of our own programs for
    three ruthless links with two modes."""
    for bodies in range(3, 12):
        for n in range(5, 20):
            articulated = costs.articulated_forward_dynamics(bodies, n).total
            assert articulated < costs.composite_forward_dynamics(bodies, n).total
    s, on = fb.System("arm"), None
    for k in range(3):
        beam = fb.Beam(length=1.0, EI=(40.0, 30.0), density=1.0)
        link = {"joint": fb.Revolute("yzx"[k]), "mass": 1.0, "com": (0.1, 0.2, 0.3), "inertia": (0.1, 0.2, 0.3)}
        on = s.body(f"link{k}", on=on, flexible=beam, modes=2, order="ruthless", **link).node("tip")
    operations = {name: s.derive(name, rolled=False).operations["forward_dynamics"].total for name in ("aba", "crba")}
    assert operations["aba"] < operations["crba"]


# Other algorithms (section 10)


@everywhere
@pytest.mark.paper("004", "30")
def test_triangularisation(case: tuple[str, int]) -> None:
    """𝓜 = L D L* with L = I + 𝓗ΦK: a triangular matrix with unit blocks on the diagonal and one block of D for each
    body, solved by substitution; and the factorisation L D Lᵀ of the program for 𝓜."""
    o, kane = solved(case)
    tree, L, D = FlexibleTree.of(o), o.mass_factor.matrix, o.D.matrix
    for i, k in enumerate(tree.bodies):
        assert np.array_equal(L[np.ix_(k.speeds, k.speeds)], np.eye(len(k.speeds)))
        for j in tree.bodies[:i]:  # parents first: L is upper triangular by blocks
            assert not L[np.ix_(k.speeds, j.speeds)].any()
            assert not D[np.ix_(k.speeds, j.speeds)].any() and not D[np.ix_(j.speeds, k.speeds)].any()
    same(L @ D @ L.T, kane["M"])
    right = kane["tau"] - o.C
    for solve in (lambda x: np.linalg.solve(L, x), lambda x: np.linalg.solve(D, x), lambda x: np.linalg.solve(L.T, x)):
        right = solve(right)
    same(right, kane["u_dot"])
    order, seed = case
    eq = flexible_tree(seed, order).derive("crba")
    q, u, tau = state_of(seed, len(eq.u))
    same(eq.compile("numpy").forward_dynamics(q, u, tau), kane["u_dot"])


@pytest.mark.paper("004", "32")
def test_batches_and_threads_give_the_accelerations_of_each_state() -> None:
    """Parallel hardware: 100 states of a flexible tree in one call, by one thread and by two, against the recursions of
    the paper at some of them."""
    eq = flexible_tree(1, "ruthless", (2, 3, 2)).derive("aba")
    states = [state_of(seed, len(eq.u)) for seed in range(100)]
    q, u, tau = (np.array(x) for x in zip(*states, strict=True))
    f = eq.compile()
    together, shared = f.forward_dynamics(q, u, tau), f.forward_dynamics(q, u, tau, threads=2)
    assert np.array_equal(together, shared)
    for k in (0, 57, 99):
        same(f.forward_dynamics(*states[k]), together[k])
        same(articulated_forward_dynamics(FlexibleTree.of(eq.operators(q[k], u[k])), tau[k]), together[k])


def test_mass_matrices_that_are_not_positive_are_named() -> None:
    """A mode without mass, and a deformation for which equations of second order are not made."""
    nodes = nodes_of(np.random.default_rng(3), 2)
    data = modal_data(np.random.default_rng(3), nodes)
    still = replace(data, M_ff=np.diag([1.0, 0.0]), E=0 * data.E, C=0 * data.C, F0=0 * data.F0, F1=0 * data.F1)
    s = fb.System("still")
    s.body("boom", on=s.body("hub", joint=fb.Revolute("z"), mass=1.0, inertia=(1, 1, 1)), joint=Modal(still))
    for one, name, q in ((s, "boom", [0, 0, 0]), (shrinking_rotor(), "rotor", [0, 0.9])):
        o = one.derive().operators(q)
        with pytest.raises(ModelError, match=f"'{name}': its mass matrix is not positive for a motion that contains"):
            _ = o.P
