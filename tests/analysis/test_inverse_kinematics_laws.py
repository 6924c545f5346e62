"""Laws of inverse kinematics over every kind of joint, in general position, and over random mechanisms with loops."""

import numpy as np
import pytest

import freebody as fb
from freebody.analysis.inverse_kinematics import InverseKinematics
from freebody.model.joints import Joint
from tests.mechanisms.general_position import JOINTS, chain
from tests.mechanisms.mechanisms import mechanism

STEP = 1e-6


def cost(ik: InverseKinematics, q: np.ndarray) -> float:
    ik.problem.evaluate(q)
    return 0.5 * float(ik.problem.weight @ ik.problem.residual**2)


@pytest.mark.parametrize("joint", JOINTS.values(), ids=JOINTS)
def test_poses_of_every_joint_are_found_again(joint: Joint) -> None:
    """The pose at a state that satisfies the constraints, from a state near it; and the gradient of the residual, which
    is exact also far from the target, with coordinates that are moved as the joints move them."""
    at = chain(joint, {})
    s, t, rng = at.system, at.t, np.random.default_rng(3)
    e, f = s.derive(), s.derive().compile()
    near = e.assemble(at.q, t=t).q
    ik = s.inverse_kinematics_solver({"tip": (np.zeros(3), np.eye(3))})
    ik.set_values(t, None, None)
    other = e.assemble(ik.problem.move(near, 0.02 * rng.normal(size=ik.problem.n)), t=t).q
    R, p = f.pose(other, "tip", t=t)
    result = ik({"tip": (p, R)}, near, t=t, tolerance=1e-12)
    assert result.converged
    R_, p_ = f.pose(result.q, "tip", t=t)
    assert np.abs(p - p_).max() < 1e-10 and np.abs(R - R_).max() < 1e-10
    assert np.abs(f.constraint(result.q, np.zeros(len(e.u)), t=t, inputs=None)["phi"]).max() < 1e-11
    problem, q = ik.problem, near
    problem.evaluate(q)
    gradient = problem.J.T @ (problem.weight * problem.residual)
    for k in range(problem.n):
        one = np.eye(problem.n)[k] * STEP
        change = (cost(ik, problem.move(q, one)) - cost(ik, problem.move(q, -one))) / (2 * STEP)
        assert abs(change - gradient[k]) < 1e-7 * (1 + np.abs(gradient).max())


@pytest.mark.parametrize("loops", [1, 2])
@pytest.mark.parametrize("prescribed", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_random_mechanisms_with_loops(seed: int, prescribed: bool, loops: int) -> None:
    m = mechanism(seed, loops, prescribed)
    f, rng = m.system.derive().compile(), np.random.default_rng(seed)
    start = m.system.assemble(m.q, t=m.t).q
    ik = m.system.inverse_kinematics_solver({"base": (np.zeros(3), np.eye(3))})
    ik.set_values(m.t, None, None)
    other = m.system.assemble(ik.problem.move(start, 0.1 * rng.normal(size=ik.problem.n)), t=m.t).q
    R, p = f.pose(other, "base", t=m.t)
    result = ik({"base": (p, R)}, start, t=m.t)
    R_, p_ = f.pose(result.q, "base", t=m.t)
    assert result.converged and np.abs(p - p_).max() < 1e-9 and np.abs(R - R_).max() < 1e-9
    assert result.gap < 1e-12
    end = f.pose(start, "b1", t=m.t)
    hand = m.system.inverse_kinematics({"b1": end.p + 0.05 * rng.normal(size=3)}, q=start, t=m.t, hold="base")
    assert (hand.q[:7] == start[:7]).all() and hand.gap < 1e-11
    assert hand.converged or hand.reason == "unreachable"


def test_the_closest_pose_is_a_minimum_on_the_constraints() -> None:
    """Where a loop cannot reach the target, no direction along the constraints brings it nearer."""
    s = fb.System("four-bar")
    bar = {"mass": 1.0, "com": (0.5, 0, 0), "inertia": fb.rod(1, 1, "x")}
    crank = s.body("crank", joint=fb.Revolute("z", initial=1.0), **bar)
    coupler = s.body("coupler", on=crank, at=(1, 0, 0), joint=fb.Revolute("z", initial=-0.8), **bar)
    rocker = s.body("rocker", at=(1.5, 0, 0), joint=fb.Revolute("z", initial=1.5), **bar)
    s.close(coupler.point((1.2, 0, 0)), rocker.point((1, 0, 0)), fb.Revolute("z"))
    point, f = coupler.point((0.6, 0.3, 0)), s.derive().compile()
    target = np.array([1.0, 2.0, 0.0])
    result = s.inverse_kinematics({point: target})
    assert result.reason == "unreachable" and result.gap < 1e-12

    def distance(crank_angle: float) -> float:
        q = s.assemble(result.q + (crank_angle - result.q[0]) * np.eye(3)[0], hold="crank").q
        return float(np.linalg.norm(f.pose(q, "coupler", at=(0.6, 0.3, 0)).p - target))

    here, steps = result.residual["coupler point"].position, (-1e-3, 1e-3)
    assert here is not None and abs(distance(result.q[0]) - here) < 1e-10
    around = [distance(result.q[0] + step) for step in steps]
    assert min(around) > here and abs(around[0] - around[1]) < 1e-2 * abs(around[0] - here) + 1e-9
