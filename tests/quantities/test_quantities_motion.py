"""Poses, velocities, accelerations, Jacobians and wrenches of points of bodies compared with the reference and finite
differences."""

import numpy as np
import pytest

import freebody as fb
from tests.mechanisms.numeric_equations import error
from tests.mechanisms.quantity_cases import DIFFERENCED, EXACT, SEEDS, Case, case, slope

FRAMES = ("ground", "body", "b0")


def axes(made: Case, frame: str, body: int) -> np.ndarray:
    """R of the selected frame."""
    return {"ground": np.eye(3), "body": made.bodies[body].R, "b0": made.bodies[0].R}[frame]


def point(seed: int) -> np.ndarray:
    return np.random.default_rng([seed, 3]).normal(size=3)


@pytest.mark.parametrize("seed", SEEDS)
def test_poses_match_the_reference(seed: int) -> None:
    made, at = case(seed), point(seed)
    for name, B in zip(made.names, made.bodies, strict=True):
        pose = made.f.pose(made.state.q, name, at=at, **made.time)
        assert error(pose.R, B.R) < EXACT and error(pose.p, B.point(at)) < EXACT


@pytest.mark.parametrize("seed", SEEDS)
def test_velocities_and_accelerations_of_points_match_the_reference(seed: int) -> None:
    """True velocities and accelerations along any axes."""
    made, at, s = case(seed), point(seed), case(seed).state
    for i, (name, B) in enumerate(zip(made.names, made.bodies, strict=True)):
        frame = FRAMES[(seed + i) % 3]
        arm, R = B.R @ at, axes(made, frame, i)
        v, a = B.v + np.cross(B.w, arm), B.a + np.cross(B.alpha, arm) + np.cross(B.w, np.cross(B.w, arm))
        assert error(made.f.spatial_velocity(s.q, s.u, name, at, frame, **made.time), np.r_[B.w @ R, v @ R]) < EXACT
        got = made.f.spatial_acceleration(s.q, s.u, made.u_dot, name, at, frame, **made.time)
        assert error(got, np.r_[B.alpha @ R, a @ R]) < EXACT


@pytest.mark.parametrize("seed", SEEDS)
def test_jacobians_match_the_partial_velocities_of_the_reference(seed: int) -> None:
    made, at, s = case(seed), point(seed), case(seed).state
    for i, (name, B) in enumerate(zip(made.names, made.bodies, strict=True)):
        frame = FRAMES[(seed + i) % 3]
        R = axes(made, frame, i)
        J = made.f.jacobian(s.q, name, at, frame, **made.time)
        assert error(J, np.vstack([R.T @ part for part in made.referee.partials(i, B.point(at))])) < EXACT
        offset = made.f.jacobian_offset(s.q, name, at, frame, **made.time)
        assert error(J @ s.u + offset, made.f.spatial_velocity(s.q, s.u, name, at, frame, **made.time)) < EXACT


@pytest.mark.parametrize("seed", SEEDS)
def test_jacobian_rates_match_finite_differences(seed: int) -> None:
    """Entry by entry along the motion; in axes of the ground J u̇ + J̇ u + ȯ is the true acceleration."""
    made, at, s, f = case(seed), point(seed), case(seed).state, case(seed).f
    name, frame = made.names[-1], FRAMES[seed % 3]
    q_dot = f.q_dot(s.q, s.u, **made.time)
    rate = f.jacobian_rate(s.q, s.u, name, at, frame, **made.time)
    along = slope(lambda h: f.jacobian(s.q + h * q_dot, name, at, frame, t=s.t + h))
    assert error(rate, along) < DIFFERENCED
    offset = f.jacobian_offset_rate(s.q, s.u, name, at, frame, **made.time)
    assert error(offset, slope(lambda h: f.jacobian_offset(s.q + h * q_dot, name, at, frame, t=s.t + h))) < DIFFERENCED
    J, J_dot = f.jacobian(s.q, name, at, **made.time), f.jacobian_rate(s.q, s.u, name, at, **made.time)
    total = J @ made.u_dot + J_dot @ s.u + f.jacobian_offset_rate(s.q, s.u, name, at, **made.time)
    assert error(total, f.spatial_acceleration(s.q, s.u, made.u_dot, name, at, **made.time)) < EXACT


@pytest.mark.parametrize("seed", SEEDS)
def test_wrenches_and_generalised_forces_have_equal_power(seed: int) -> None:
    made, at, s = case(seed), point(seed), case(seed).state
    w = np.random.default_rng(seed).normal(size=6)
    for i, name in enumerate(made.names):
        frame = FRAMES[(seed + i) % 3]
        tau = made.f.generalised_force(s.q, {name: (w[:3], w[3:], at)}, frame, **made.time)
        v, offset = (
            g(s.q, *more, name, at, frame, **made.time)
            for g, more in ((made.f.spatial_velocity, [s.u]), (made.f.jacobian_offset, []))
        )
        assert abs(tau @ s.u + w @ offset - w @ v) < EXACT * max(1.0, abs(w @ v), np.abs(tau * s.u).sum())


def arm(loaded: bool) -> fb.System:
    """Two links, optionally with a force and torques as loads of the model."""
    s = fb.System("arm")
    upper = s.body("upper", on=s.ground, joint=fb.Revolute("y"), mass=1, com=(0, 0, -0.4), inertia=(0.1, 0.2, 0.1))
    hand = s.body("hand", on=upper, at=(0, 0, -1), joint=fb.Spherical(), mass=2, com=(0.1, 0, 0), inertia=(1, 2, 2.5))
    if loaded:
        s.force(s.ground.vector((1, 2, 3)), at=hand.point((0.3, 0, 0.2)))
        s.torque(s.ground.vector((-1, 0.5, 2)), on=hand)
        s.torque(s.ground.vector((0, 3, 1)), on=upper)
    return s


def test_wrenches_in_a_call_equal_loads_of_the_model() -> None:
    bare, loaded = (arm(x).derive().compile() for x in (False, True))
    rng = np.random.default_rng(0)
    q, u, tau = rng.normal(size=5), rng.normal(size=4), rng.normal(size=4)
    q[1:] /= np.linalg.norm(q[1:])
    wrenches = {"hand": ((-1, 0.5, 2), (1, 2, 3), (0.3, 0, 0.2)), "upper": ((0, 3, 1), (0, 0, 0))}
    u_dot = bare.forward_dynamics(q, u, tau, wrenches=wrenches)
    torque = np.array([-1, 0.5, 2]) + np.cross(bare.pose(q, "hand").R @ (0.3, 0, 0.2), (1, 2, 3))
    assert error(u_dot, loaded.forward_dynamics(q, u, tau)) < EXACT
    assert error(bare.inverse_dynamics(q, u, u_dot, wrenches=wrenches), tau) < EXACT
    at_origin = {"hand": (torque, (1, 2, 3)), "upper": ((0, 3, 1), (0, 0, 0))}
    assert error(bare.generalised_force(q, at_origin), bare.generalised_force(q, wrenches)) < EXACT
    several = {"hand": ((0, 0, 0), rng.normal(size=(3, 3)))}
    u_dots = bare.forward_dynamics(q, u, tau, wrenches=several)
    assert u_dots.shape == (3, 4) and error(bare.inverse_dynamics(q, u, u_dots, wrenches=several), [tau] * 3) < EXACT
    assert bare.inverse_dynamics(q, u, u_dot, wrenches=several).shape == (3, 4)
    alone = bare.forward_dynamics(q, u, wrenches=wrenches)
    assert error(alone, loaded.forward_dynamics(q, u)) < EXACT
