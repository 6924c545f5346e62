"""Flexible bodies of order "paper" and "ruthless" (Jain and Rodriguez 1992, appendix B and Eq 8.1) against explicit
rigid nodes, formulations against each other, and Coriolis accelerations across hinges by order (Eq B.11)."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ModelError
from freebody.fem.nodal_data import NodalData
from freebody.model.joints.modal import ORDERS, Modal
from freebody.papers.flexible_algorithms import FlexibleTree, HingeMotion, hinge_acceleration
from freebody.papers.operators import Operators
from tests.flexible.flexible_trees import flexible_tree, modal_data, nodes_of, state_of
from tests.flexible.rigid_nodes import Array, RigidNodes, tilde

EXACT = 1e-12  # relative to the largest entry


def same(a: Any, b: Any, bound: float = EXACT) -> None:
    a, b = np.asarray(a), np.asarray(b)
    assert a.shape == b.shape and np.abs(a - b).max() <= bound * np.abs(b).max()


def operators(nodes: NodalData, order: str, eta: Array, eta_dot: Array, w: Array) -> tuple[Operators, Any]:
    """The operators of a body that turns freely, seen in axes of its own, and its data."""
    s = fb.System("body", gravity=(0, 0, 0))
    data = modal_data(np.random.default_rng(1), nodes)
    hub = s.body("hub", joint=fb.Spherical())
    s.body("boom", on=hub, orient=("x", 0.7), joint=Modal(data, order))
    R = np.array([[1, 0, 0], [0, np.cos(0.7), -np.sin(0.7)], [0, np.sin(0.7), np.cos(0.7)]])
    eq = s.derive()
    assert eq.u[:3] == ("hub.wx", "hub.wy", "hub.wz")
    return eq.operators([1, 0, 0, 0, *eta], [*(R @ w), *eta_dot]), data


@pytest.fixture
def body() -> tuple[NodalData, Array, Array, Array]:
    rng = np.random.default_rng(8)
    return nodes_of(rng, 4), *(0.3 * rng.normal(size=(2, 4))), rng.normal(size=3)


@pytest.mark.paper("004", "27", "29")
def test_mass_matrix_and_forces_of_the_paper(body: tuple[NodalData, Array, Array, Array]) -> None:
    """M of B.8 and b of B.50 against rigid nodes whose inertias and offsets keep their directions in the frame."""
    nodes, eta, eta_dot, w = body
    o, data = operators(nodes, "paper", eta, eta_dot, w)
    explicit = RigidNodes(replace(nodes, second=None), turning=False)
    same(o.M.blocks[1], explicit.mass(eta))
    same(o.b[-10:], explicit.bias(eta, eta_dot, w))
    same(o.elastic[-10:-6], data.K @ eta - data.preload)
    assert np.abs(operators(nodes, "full", eta, eta_dot, w)[0].b[-10:] - o.b[-10:]).max() > 1e-3 * np.abs(o.b).max()


@pytest.mark.paper("004", "15")
def test_ruthless_terms_are_those_without_deformation(body: tuple[NodalData, Array, Array, Array]) -> None:
    """Eq 8.1: M⁰ and b⁰, at any deformation."""
    nodes, eta, eta_dot, w = body
    o, data = operators(nodes, "ruthless", eta, eta_dot, w)
    rest = operators(nodes, "full", 0 * eta, 0 * eta, w)[0]
    same(o.M.blocks[1], rest.M.blocks[1])
    same(o.b, rest.b)
    explicit = RigidNodes(replace(nodes, second=None), turning=False)
    same(o.M.blocks[1], explicit.mass(0 * eta))
    same(o.b[-10:], explicit.bias(0 * eta, 0 * eta, w))
    same(o.b[-10:-6], operators(nodes, "paper", 0 * eta, 0 * eta, w)[0].b[-10:-6])
    same(o.elastic[-10:-6], data.K @ eta - data.preload)


@pytest.mark.parametrize("formulation", ["crba", "aba"])
def test_every_formulation_has_the_order_of_the_paper(formulation: str) -> None:
    eq = [flexible_tree(1, "paper", (2, 3, 2)).derive(name) for name in ("kane", formulation)]
    q, u, tau = state_of(1, len(eq[0].u))
    kane, other = (e.compile("numpy") for e in eq)
    u_dot = kane.forward_dynamics(q, u, tau)
    same(other.forward_dynamics(q, u, tau), u_dot, 1e-11)
    same(other.inverse_dynamics(q, u, u_dot), tau, 1e-10)


def test_loops_through_nodes_with_slopes_about_two_axes() -> None:
    """Loops over bodies have the accelerations of one long expression; a run stays on constraints at such a node,
    though its velocity is not the rate of its pose."""
    s, on = fb.System("chain"), None
    beam = fb.Beam(length=1.0, EI=(300.0, 200.0), density=1.0, polar_inertia=0.02)
    solid: dict[str, Any] = {"mass": 0.5, "com": (0.1, 0.1, 0.2), "inertia": (0.1, 0.2, 0.15)}
    for k in range(4):
        joint = fb.Revolute("zy"[k % 2], armature=0.1)
        on = s.body(f"link{k}", on=on, joint=joint, flexible=beam, modes=3, order="paper", **solid).node("tip")
    s.close(on.origin, s.ground.point((3.2, 0, 0)), fb.Spherical(), name="pin")
    rolled, single = s.derive("aba", rolled=True), s.derive("aba", rolled=False)
    q, u, _ = state_of(3, len(rolled.u), 0.1)
    same(*(e.compile("numpy").forward_dynamics(q, u) for e in (rolled, single)))
    guess = [[0.5, 0.3, -1.2, -0.6][int(x[4])] if "." not in x else 0.01 for x in single.q]
    q, u = single.assemble(guess, {"link0": 0.5})
    run = s.simulate(0.1, q=q, u=u)
    assert run.status == 0
    at = [run[f"q.{name}"] for name in single.q]
    tip = single.compile("numpy").pose(np.stack(at, axis=-1), "link3.tip").p
    assert np.abs(tip - [3.2, 0, 0]).max() < 1e-9


def test_poincare_and_bodies_without_nodes_refuse_the_order_of_the_paper() -> None:
    with pytest.raises(ModelError, match="the flexible body 'first' has the order 'paper', whose equations do"):
        flexible_tree(1, "paper").derive("poincare")
    given = modal_data(np.random.default_rng(1), nodes_of(np.random.default_rng(1), 2))
    integrals = fb.ModalIntegrals(**{key: getattr(given, key) for key in ("m", "c0", "E", "F0", "J0", "M_ff", "K")})
    with pytest.raises(ModelError, match=r"boom.*: order 'paper' needs the integrals of Jain and Rodriguez"):
        fb.System().body("boom", flexible=integrals, order="paper")


@pytest.mark.parametrize(
    ("point_masses", "order", "one_turn", "balances"),
    [
        (True, "paper", True, True),
        (True, "paper", False, False),
        (False, "paper", True, False),
        (False, "full", True, True),
        (False, "full", False, True),
    ],
)
def test_power_balances_for_point_masses_only(point_masses: bool, order: str, one_turn: bool, balances: bool) -> None:
    """At order "full" it always does; at order "paper" for hinges on nodes whose slopes are about one axis, because
    λ η̇ about several axes is not the rate of a rotation that depends on η."""
    s = flexible_tree(2, order, (2, 3, 2), point_masses, lossless=True, one_turn=one_turn)
    q, u, _ = state_of(2, len(s.derive().u))
    run = s.simulate(0.2, q=q, u=u, rtol=1e-11, atol=1e-12)
    energy = run["energy.total"]
    drift = np.abs(energy - energy[0]).max() / np.abs(run["energy.kinetic"]).max()
    assert drift < 1e-9 if balances else drift > 1e-5


# Coriolis accelerations across a hinge


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.paper("004", "26", "29")
def test_accelerations_across_hinges_by_order(order: str) -> None:
    """a_m of a body on a node is B.11 for the velocities (δ_ω, δ_v) = Π η̇ of the node, plus the rate of Π at order
    "full"; a ruthless body has the terms of order 0."""
    described = dict[str, NodalData]()
    s = flexible_tree(5, order, (2, 3, 2), described=described)
    s.gravity = (0, 0, 0)
    eq = s.derive()
    q, u, _ = state_of(5, len(eq.u))
    o = eq.operators(q, u)
    at, speeds, b = dict(zip(eq.q, q, strict=True)), dict(zip(eq.u, u, strict=True)), o.bodies
    for k in FlexibleTree.of(o).bodies:
        i = o.names.index(k.name)
        t = b.tree.parents[i]
        if t < 0 or not b.tree.modes.nodes[t]:
            continue
        carrier, node = o.names[t].split(".")
        nodes, j = described[carrier], {"tip": -1, "side": -2}[node]
        eta, eta_dot = (np.array([x[f"{carrier}.m{r + 1}"] for r in range(nodes.n)]) for x in (at, speeds))
        R = (k.A[-6:] @ k.phi)[:3, :3].T  # from the carrier's axes to those of the child
        in_node = b.R[i].T @ b.modes.Pi[t].reshape(2, 3, -1) @ eta_dot
        if order != "full":
            same(in_node, [R @ nodes.slopes[j] @ eta_dot, R @ nodes.translations[j] @ eta_dot])
        moved = R @ (nodes.translations[j] @ eta)
        if order == "full":
            moved += 0.5 * R @ (nodes.gamma2()[j] @ eta @ eta)
        m = HingeMotion(
            R @ b.w[b.tree.parents[t]],
            R @ nodes.positions[j],
            moved,
            *in_node,
            b.relative[i][:3],
            b.relative[i][3:],
            b.R[i].T @ b.p[i],
            *(np.zeros(3),) * 4,
        )
        orders = hinge_acceleration(m)
        if order == "ruthless":
            orders = hinge_acceleration(replace(m, turning_t=np.zeros(3)))[:1]
        same(k.a - b.remainder[i] - k.phi.T @ b.remainder[t], sum(orders))
        assert order == "full" or not b.remainder[t].any()


def series(rate: Array) -> list[Array]:
    """A rotation at a constant rate, to t²."""
    return [np.eye(3), tilde(rate), tilde(rate) @ tilde(rate) / 2]


def times(a: list[Array], b: list[Array]) -> list[Array]:
    return [a[0] @ b[0], a[0] @ b[1] + a[1] @ b[0], a[0] @ b[2] + a[1] @ b[1] + a[2] @ b[0]]


@pytest.mark.paper("004", "26")
def test_accelerations_across_a_hinge_on_nodes_that_move() -> None:
    """All orders of B.11 against poses as Taylor series in time: both nodes deform, and the hinge's axes are fixed in
    the outboard node."""
    rng = np.random.default_rng(9)
    m = HingeMotion(*rng.normal(size=(12, 3)))
    inner, hinge, outer = series(m.w), series(m.hinge_turning), [x.T for x in series(m.turning_d)]
    at_t = times(inner, series(m.turning_t))
    at_O = times(at_t, hinge)
    at_k = times(at_O, outer)
    l_t, l_d, none = m.l_t + m.displacement_t, m.l_d + m.displacement_d, np.zeros(3)
    paths = (
        (inner, (l_t, m.sliding_t, none), 1),
        (at_t, (m.hinge_arm, m.hinge_sliding, np.cross(m.hinge_turning, m.hinge_sliding) / 2), 1),
        (at_k, (l_d, m.sliding_d, none), -1),
    )
    second = sum(sign * times(R, [x[:, None] for x in path])[2][:, 0] for R, path, sign in paths)
    alpha = 2 * at_k[2] - at_k[1] @ at_k[1]
    same(sum(hinge_acceleration(m)), [alpha[2, 1], alpha[0, 2], alpha[1, 0], *(2 * second)])
