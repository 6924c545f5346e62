"""Closed loops compared with Pinocchio's constraintDynamics: a planar four-bar, and random trees with bodies that are
welded together, or connected at a point."""

import numpy as np
import pytest

import freebody as fb
from tests.formulations.test_constraints import four_bar
from tests.mechanisms.build_system import Builder
from tests.mechanisms.random_trees import state

pin = pytest.importorskip("pinocchio", reason="the referee Pinocchio is not installed (pip install pin)")

from tests.formulations.test_pinocchio import drawn, layout, model  # noqa: E402

AGREE = 1e-9
CASES = [(1, "weld"), (3, "weld"), (7, "weld"), (2, "spherical"), (5, "spherical"), (6, "spherical")]


def constraint_dynamics(m, q, v, tau, contact) -> tuple[np.ndarray, "pin.Force"]:
    """u̇, and the force of the contact in the first frame. Proximal iterations solve also dependent equations."""
    contacts, data = pin.StdVec_RigidConstraintModel(), m.createData()
    contacts.append(contact)
    datas = pin.StdVec_RigidConstraintData()
    datas.append(contact.createData())
    pin.initConstraintDynamics(m, data, contacts, datas)
    settings = pin.ProximalSettings(1e-14, 1e-10, 20)
    u_dot = pin.constraintDynamics(m, data, q, v, tau, contacts, datas, settings).copy()
    return u_dot, datas[0].contact_force


@pytest.mark.parametrize(("seed", "kind"), CASES)
def test_loops_of_random_trees_match_pinocchio(seed: int, kind: str) -> None:
    made = drawn(seed)
    s, m, at = Builder(made, fb.System).system, model(made), state(made)
    iq, iu = layout(made)
    q, data, rng = at.q[iq], m.createData(), np.random.default_rng(seed)
    pin.forwardKinematics(m, data, q)
    one, other = (f"b{k}" for k in rng.choice(len(made.twigs), 2, replace=False))
    A, n = pin.SE3(pin.exp3(rng.normal(size=3)), rng.normal(size=3) / 3), len(iu)
    B = data.oMi[m.getJointId(other)].inverse() * data.oMi[m.getJointId(one)] * A
    joint = fb.Weld() if kind == "weld" else fb.Spherical()
    s.close(
        s.bodies[one].point(A.translation),
        s.bodies[other].point(B.translation),
        joint,
        orient=A.rotation,
        orient_to=B.rotation,
        name="loop",
    )
    e = s.derive("aba")
    f, inputs = e.compile("numpy"), {"inputs": np.zeros(1), "z": np.zeros(1)}
    rows = f.constraint(at.q, at.u)
    G = rows["G"]
    assert len(G) == (6 if kind == "weld" else 3) and np.linalg.cond(G) < 1e3 and n > len(G)
    assert np.abs(rows["phi"]).max() < 1e-14
    u, tau = at.u - np.linalg.pinv(G) @ G @ at.u, rng.normal(size=n)
    kinds = {"weld": pin.ContactType.CONTACT_6D, "spherical": pin.ContactType.CONTACT_3D}
    ends = m.getJointId(one), A, m.getJointId(other), B
    contact = pin.RigidConstraintModel(kinds[kind], m, *ends, pin.ReferenceFrame.LOCAL)
    expected, force = constraint_dynamics(m, q, u[iu], tau[iu], contact)
    u_dot, multipliers = f.forward_dynamics(at.q, u, tau, **inputs), f.multipliers(at.q, u, tau, **inputs)
    assert np.abs(u_dot[iu] - expected).max() < AGREE * np.abs(expected).max()
    theirs = -np.concatenate([force.linear, force.angular])[: len(G)]
    assert np.abs(multipliers - theirs).max() < AGREE * np.abs(theirs).max()


def test_a_four_bar_matches_pinocchio() -> None:
    s, q = four_bar()
    m, rod = pin.Model(), pin.Inertia(1.0, np.array([0, 0, 0.5]), np.diag([1 / 12, 1 / 12, 0]))
    lying = pin.Inertia(1.0, np.array([0.5, 0, 0]), np.diag([0, 1 / 12, 1 / 12]))

    def body(on: int, at: tuple[float, float, float], inertia: "pin.Inertia", name: str) -> int:
        k = m.addJoint(on, pin.JointModelRY(), pin.SE3(np.eye(3), np.array(at, float)), name)
        m.appendBodyToJoint(k, inertia, pin.SE3.Identity())
        return k

    coupler = body(body(0, (0, 0, 0), rod, "crank"), (0, 0, 1), lying, "coupler")
    rocker = body(0, (1, 0, 0), rod, "rocker")
    places = (pin.SE3(np.eye(3), np.array(p, float)) for p in ((1, 0, 0), (0, 0, 1)))
    A, B = places
    contact = pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, m, coupler, A, rocker, B, pin.ReferenceFrame.LOCAL)
    f, u, tau = s.derive("cheapest").compile(), np.array([1.3, -1.3, 1.3]), np.array([0.3, -2.0, 1.0])
    expected, force = constraint_dynamics(m, q, u, tau, contact)
    assert np.abs(f.forward_dynamics(q, u, tau) - expected).max() < AGREE * np.abs(expected).max()
    multipliers = s.derive("kane").compile().multipliers(q, u, tau)
    assert np.abs(multipliers + force.linear[[0, 2]]).max() < AGREE * np.abs(multipliers).max()
