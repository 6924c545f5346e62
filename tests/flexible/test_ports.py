"""Modes eliminated with ports: the same accelerations as by a dense solve, with fewer operations."""

import numpy as np
import pytest

import freebody as fb
from freebody.formulations.recursive import Recursive
from freebody.model.joints.flexible import NodeAttachment
from freebody.model.joints.modal import Modal
from freebody.tree import elimination, ports
from freebody.tree.tree import span
from tests.flexible.random_modal_data import chain, random_modal_data

SOLID = {"mass": 1.3, "com": (0.1, 0.2, -0.1), "inertia": (0.4, 0.5, 0.6)}
TILT = ("y", 0.4)


def forward(eq: fb.Equations, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """u̇ at a random state, and tau that inverse dynamics returns for it less the tau that was applied."""
    rng, c = np.random.default_rng(seed), eq.compile("numpy")
    q, u, tau = 0.2 * rng.normal(size=len(eq.q)), rng.normal(size=len(eq.u)), rng.normal(size=len(eq.u))
    for k, name in enumerate(eq.q):
        if name.endswith(".qw"):
            q[k : k + 4] = rng.normal(size=4)
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    u_dot = c.forward_dynamics(q, u, tau)
    return u_dot, c.inverse_dynamics(q, u, u_dot) - tau


def comes_back(s: fb.System) -> None:
    """Newton and Euler's forces at u̇ of the elimination are those that were applied."""
    u_dot, residual = forward(s.derive("aba", rolled=False))
    assert np.abs(residual).max() < 1e-10 * np.abs(u_dot).max()


def used_ports(s: fb.System) -> list[str]:
    """The class of each elimination with ports in the articulated-body equations."""
    tree, used = span(s.freeze()), list[str]()
    ask = elimination.port_method

    def note(*arguments):
        method = ask(*arguments)
        used.append("mode by mode" if method is None else method.func.__name__)
        return method

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(elimination, "port_method", note)
        Recursive(tree).forward()
    return used


def flexible(s: fb.System, name: str, n: int, order: str, rng: np.random.Generator, on=None, nodes: int = 1):
    hub = s.body(f"{name}_hub", on=s.ground if on is None else on, joint=fb.Revolute((0.2, 0.3, 1.0)), orient=TILT)
    return s.body(name, on=hub, joint=Modal(random_modal_data(rng, n, nodes), order))


def node(s: fb.System, body, name: str, k: int = 1):
    return s.body(name, on=body, joint=NodeAttachment(f"p{k}"))


JOINTS = {
    "revolute": fb.Revolute("z"), "about x": fb.Revolute("x"), "inclined": fb.Revolute((1.0, 2.0, 0.5)),
    "prismatic": fb.Prismatic("y"), "cylindrical": fb.Cylindrical("z"), "universal": fb.Universal(),
    "spherical": fb.Spherical(), "planar": fb.Planar(), "free": fb.Free(), "screw": fb.Screw("z", pitch=0.2),
    "weld": fb.Weld(), "prescribed": fb.Revolute("z", motion="sin(t)"), "rotor": fb.Revolute("z", armature=0.3),
}  # fmt: skip


@pytest.mark.parametrize("order", ["full", "ruthless"])
@pytest.mark.parametrize("kind", JOINTS)
@pytest.mark.paper("004", "21")
def test_every_joint_on_a_node(kind: str, order: str) -> None:
    rng = np.random.default_rng(4)
    s = fb.System("joint on a node")
    body = flexible(s, "arm", 8, order, rng)
    tool = s.body("tool", on=node(s, body, "tip"), joint=JOINTS[kind], orient=TILT, at=(0.1, 0.0, 0.2), **SOLID)
    s.body("wheel", on=tool, joint=fb.Revolute("y"), **SOLID)
    comes_back(s)
    if kind in ("revolute", "about x", "inclined", "prismatic", "cylindrical", "spherical", "weld", "prescribed"):
        attached = order == "full" or kind == "cylindrical"  # the node's columns at the hinge's origin, which slides
        assert used_ports(s) == ["AttachedPorts" if attached else "ConstantPorts"]


@pytest.mark.parametrize("order", ["full", "ruthless"])
def test_flexible_trees_equal_the_dense_solve(order: str) -> None:
    """A free base, two nodes with bodies, one of them flexible, a load on a third node and on one with a body."""
    rng = np.random.default_rng(5)
    s = fb.System("tree", gravity=(0.1, -9.81, 0.4))
    base = s.body("base", joint=fb.Free(), **SOLID)
    arm = flexible(s, "arm", 15, order, rng, base, nodes=3)
    one, two, three = (node(s, arm, f"n{k}", k) for k in (1, 2, 3))
    s.body("left", on=one, joint=fb.Revolute("y"), orient=TILT, at=(0.2, 0.1, 0.0), **SOLID)
    fore = flexible(s, "fore", 8, order, rng, two)
    s.body("end", on=node(s, fore, "m1"), joint=fb.Prismatic("z"), **SOLID)
    s.force(s.ground.vector((1.0, "sin(t)", 0.3)), three)
    s.force(s.ground.vector((0.5, 0.2, 0.1)), one)
    assert used_ports(s) == ["AttachedPorts" if order == "full" else "ConstantPorts"] * 2
    by_ports, residual = forward(s.derive("aba", rolled=False))
    dense, _ = forward(s.derive("crba"))
    assert np.abs(by_ports - dense).max() < 1e-10 * np.abs(dense).max()
    assert np.abs(residual).max() < 1e-9 * np.abs(dense).max()


@pytest.mark.parametrize("order", ["full", "ruthless"])
def test_mode_by_mode_where_ports_are_not_possible(order: str) -> None:
    """Several bodies on one node, coupled joints, point masses: the accelerations are right all the same."""
    rng = np.random.default_rng(6)
    s = fb.System("pending columns")
    arm = flexible(s, "arm", 8, order, rng, nodes=2)
    tip = node(s, arm, "tip")
    s.body("left", on=tip, joint=fb.Revolute("y"), **SOLID)
    s.body("right", on=tip, joint=fb.Revolute("x"), **SOLID)
    s.body("bob", on=node(s, arm, "side", 2), joint=fb.Revolute("z"), mass=0.7, com=(0.3, 0.0, 0.0))
    comes_back(s)
    gear = flexible(s, "gear", 8, order, rng)
    s.body("follower", on=node(s, gear, "hub"), joint=fb.Revolute("z"), **SOLID)
    s.couple("follower", "left", 2)
    comes_back(s)


def count(bodies: int, n: int, order: str) -> int:
    s = chain(bodies, n, order, np.random.default_rng(7))
    return s.derive("aba", rolled=False).operations["forward_dynamics"].total


@pytest.mark.paper("004", "18")
def test_operations_without_deformation() -> None:
    """Against Table 1 of Jain & Rodriguez (1992), and linear in bodies and modes."""
    table = {5: 35914, 10: 80743, 15: 133268}
    nine = {n: count(9, n, "ruthless") for n in (5, 10, 15, 40)}
    assert all(nine[n] / table[n] <= most for n, most in ((5, 0.28), (10, 0.16), (15, 0.115)))
    assert nine[40] <= 2.5 * nine[10]
    assert count(27, 5, "ruthless") <= 3.4 * nine[5]


@pytest.mark.paper("004", "18")
def test_operations_at_full_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shorter one of both ways is taken: ports for seven modes and more."""
    assert count(9, 10, "full") <= 76_500
    taken = {n: count(3, n, "full") for n in (6, 7)}
    monkeypatch.setattr(ports, "FEW_MODES", 0)
    assert taken[7] == count(3, 7, "full") and taken[6] < count(3, 6, "full")
    monkeypatch.setattr(ports, "FEW_MODES", 99)
    assert taken[6] == count(3, 6, "full") and taken[7] < count(3, 7, "full")


def test_the_default_derivation_eliminates_modes() -> None:
    """Ten speeds of two beams are already fewer operations by articulated bodies; few speeds stay Kane's."""
    counts = list[int]()
    for formulation in (None, "aba", "kane"):
        s = fb.System("two beams")
        one, two = (
            {"joint": fb.Revolute("z"), "flexible": fb.Beam(1.0, EI=(3.0, None), density=2.0), "modes": 4}
            for _ in range(2)
        )
        s.body("two", on=s.body("one", **one).node("tip"), **two)
        counts.append(s.derive(formulation).operations["forward_dynamics"].total)
    assert counts[0] == counts[1] < counts[2]
