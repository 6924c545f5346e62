"""The extended Kalman filter: the linear filter where the system is linear, consistent where it is not, also with
quaternions and accelerations; derivatives are exact."""

import numpy as np
import pytest
from scipy.linalg import solve_discrete_are
from scipy.spatial.transform import Rotation

import freebody as fb
from freebody.errors import ArgumentError


def pendulum() -> fb.System:
    s = fb.System("pendulum")
    arm = s.body("arm", joint=fb.Revolute("y", damping=0.1), mass=1.0, com=(0, 0, -0.5), inertia=(0.02, 0.02, 0.01))
    s.joint_force(arm, s.input("motor"))
    s.output("height", s.position(arm.point((0, 0, -1))).dot(s.ground.z))
    return s


def test_of_a_linear_system_it_is_the_linear_filter() -> None:
    """A mass on a spring, its position measured: estimates and covariances of each sample."""
    s, T, r = fb.System("oscillator"), 0.02, 1e-4
    cart = s.body("cart", joint=fb.Prismatic("x", stiffness=20.0, damping=0.3), mass=2.0)
    s.joint_force(cart, s.input("F"))
    ekf = fb.ExtendedKalmanFilter(
        s, T, ["q.cart"], noise=r, process={"F": 0.05}, spread={"q.cart": 0.1, "u.cart": 0.5}, steps=4
    )
    lin = s.linearize(outputs=["q.cart"])
    d, random = lin.discretize(T), np.random.default_rng(0)
    x, P, q = np.zeros(2), np.diag([0.01, 0.25]), 0.05 * lin.B @ lin.B.T
    noise = T / 2 * (q + d.A @ q @ d.A.T)
    for k in range(300):
        y, w = random.normal(size=1) * 0.01, np.array([np.sin(0.1 * k)])
        K = P @ d.C.T / (d.C @ P @ d.C.T + r)
        x, P = x + (K * (y - d.C @ x)).ravel(), (np.eye(2) - K @ d.C) @ P
        ekf.update(y)
        assert np.allclose(ekf.x, x, atol=1e-9) and np.allclose(ekf.P, P, rtol=1e-6)
        x, P = d.A @ x + d.B @ w, d.A @ P @ d.A.T + noise
        ekf.predict(w)
        assert np.allclose(ekf.x, x, atol=1e-9) and np.allclose(ekf.P, P, rtol=1e-6)
    assert np.allclose(P, solve_discrete_are(d.A.T, d.C.T, noise, [[r]]), rtol=1e-3) and ekf.t == pytest.approx(300 * T)


def test_derivatives_of_a_step_are_exact() -> None:
    """Of the state after a step, and of measurements with accelerations, by differences along the minimal states."""
    s = fb.System("satellite")
    body = s.body("b", joint=fb.Free(), mass=3.0, inertia=(0.1, 0.2, 0.25))
    s.body(
        "arm", on=body, joint=fb.Revolute("y", stiffness=2.0), mass=1.0, com=(0.3, 0, 0.1), inertia=(0.01, 0.02, 0.02)
    )
    s.output("a", s.acceleration(body.point((0.1, 0.2, 0))))
    w, x, y, z = Rotation.from_rotvec([0.4, -0.8, 0.3]).as_quat()[[3, 0, 1, 2]]
    at = {"q.b.qw": w, "q.b.qx": x, "q.b.qy": y, "q.b.qz": z, "u.b.wx": 1.0, "u.b.wz": -2.0, "u.arm": 0.7, "q.arm": 0.3}
    ekf = fb.ExtendedKalmanFilter(s, 0.05, ["a"], noise=1.0, process=0.0, at=at)
    start, T0 = ekf.x.copy(), ekf._tangent()
    P0 = ekf.P.copy()
    ekf.predict()
    T1, columns, eps = ekf._tangent(), [], 1e-6

    def moved(k: int, step: float) -> np.ndarray:
        ekf.reset()
        ekf._move(start + step * T0[:, k])
        ekf.predict()
        return ekf.x

    for k in range(len(ekf.states)):
        columns.append(np.linalg.pinv(T1) @ (moved(k, eps) - moved(k, -eps)) / (2 * eps))
    Phi = np.array(columns).T
    ekf.reset()
    ekf.predict()
    assert np.allclose(ekf.P, Phi @ P0 @ Phi.T, atol=1e-7)
    ekf.reset()
    _, H = ekf._measurement()
    for k in range(len(ekf.states)):
        ends = []
        for sign in (1, -1):
            ekf.reset()
            ekf._move(start + sign * eps * T0[:, k])
            ends.append(ekf._measurement()[0])
        assert np.allclose(H[:, k], (ends[0] - ends[1]) / (2 * eps), atol=1e-7)


def test_errors_of_a_pendulum_are_those_that_the_covariance_says() -> None:
    """Mean εᵀP⁻¹ε over 60 runs with random starts, disturbances and noise of the height alone: between the bounds of
    χ² with two degrees each."""
    s, T, sigma, density = pendulum(), 0.02, 0.01, 0.04
    random, totals = np.random.default_rng(4), []
    eq = s.derive()
    for _ in range(60):
        start = np.array([0.9, 0.0]) + random.normal(size=2) * [0.1, 0.2]
        ekf = fb.ExtendedKalmanFilter(
            eq, T, ["height"], noise=sigma**2, process={"motor": density}, spread=[0.1, 0.2], at={"q.arm": 0.9}
        )
        sim = eq.simulator(q={"arm": start[0]}, u={"arm": start[1]}, method="rk4", step=T)
        for _ in range(50):
            ekf.update([sim["height"] + sigma * random.normal()])
            sim.inputs["motor"] = np.sqrt(density / T) * random.normal()
            sim.step(T)
            ekf.predict()
        gap = np.array([sim["q.arm"], sim["u.arm"]]) - ekf.x
        totals.append(gap @ np.linalg.solve(ekf.P, gap))
    assert 1.5 < np.mean(totals) < 2.6  # 2 ± 3·√(2·2/60) is 1.2 to 2.8


def test_an_attitude_is_found_from_two_directions() -> None:
    """A tumbling body whose axes' positions are measured: from 2 rad away the orientation and speeds converge."""
    s = fb.System("body")
    body = s.body("b", joint=fb.Spherical(), mass=1.0, inertia=(0.1, 0.2, 0.3))
    for name, at in (("p", (1, 0, 0)), ("r", (0, 1, 0))):
        s.output(name, s.position(body.point(at)))
    random, T = np.random.default_rng(1), 0.02
    ekf = fb.ExtendedKalmanFilter(s, T, ["p", "r"], noise=1e-4, process={f"u.b.w{c}": 1e-6 for c in "xyz"}, spread=2.0)
    w, x, y, z = Rotation.from_rotvec([1.2, -1.2, 1.0]).as_quat()[[3, 0, 1, 2]]
    start = {"b.qw": w, "b.qx": x, "b.qy": y, "b.qz": z}
    run = s.simulate(np.arange(400) * T, q=start, u={"b.wx": 0.5, "b.wy": 2.0, "b.wz": -0.3})
    for p, r in zip(run["p"], run["r"], strict=True):
        ekf.update(np.concatenate([p, r]) + 0.01 * random.normal(size=6))
        last = ekf.x.copy()
        ekf.predict()
    q = np.array([run[f"q.b.q{c}"][-1] for c in "wxyz"])
    assert abs(last[:4] @ q) > 1 - 1e-5 and abs(last[5] - run["u.b.wy"][-1]) < 0.02
    assert np.linalg.norm(ekf.x[:4]) == pytest.approx(1, abs=1e-14) and "standard deviation" in repr(ekf)


def test_missing_values_and_controllers() -> None:
    """NaN is what was not measured; a controller from a law of the estimates balances a pendulum, from noisy angles."""
    s = pendulum()
    lin = s.linearize(at=s.equilibrium(q={"arm": 3.0}))
    K, T = fb.lqr(lin, 1.0, 0.1, period=0.02), 0.02
    up = {"q.arm": np.pi}

    def law(t: float, ekf: fb.ExtendedKalmanFilter) -> list[float]:
        return list(-K @ [ekf["q.arm"] - np.pi, ekf["u.arm"]])

    ekf = fb.ExtendedKalmanFilter(s, T, ["q.arm"], noise=1e-4, process={"motor": 1e-3}, spread=0.5, at=up)
    sample, random = ekf.controller(law), np.random.default_rng(2)
    finals = []
    for _ in range(2):  # the second run begins again
        sim = s.simulator(q={"arm": np.pi + 0.3})
        for k in range(200):
            y = sim["q.arm"] + 0.01 * random.normal() if k % 3 else np.nan
            (sim.inputs["motor"],) = sample(sim.t, [y])
            sim.step(T)
        finals.append(sim["q.arm"])
    assert np.allclose(finals, np.pi, atol=0.02)
    before = ekf.P.copy()
    ekf.update([np.nan])
    assert np.allclose(ekf.P, before)


def test_wrong_arguments_are_refused() -> None:
    s = pendulum()
    given = {"noise": 1.0, "process": 0.0}
    ekf = fb.ExtendedKalmanFilter(s, 0.1, "height", **given)
    for make, text in (
        (lambda: fb.ExtendedKalmanFilter(s, 0.0, "height", **given), "time in seconds above 0"),
        (lambda: fb.ExtendedKalmanFilter(s, 0.1, "height", noise=0.0, process=0.0), "noise has the eigenvalue 0"),
        (lambda: fb.ExtendedKalmanFilter(s, 0.1, "height", noise=1.0, process={"F": 1}), "no state or input 'F'"),
        (lambda: fb.ExtendedKalmanFilter(s, 0.1, "height", **given, steps=0), "1 or more"),
        (lambda: fb.ExtendedKalmanFilter(s, 0.1, "height", **given, spread=[1, 2, 3]), "2 standard deviations"),
        (lambda: ekf.update([1, 2]), "1 values are needed"),
        (lambda: ekf.predict([1, 2]), "1 values are needed"),
        (lambda: ekf.predict({"F": 1}), "no input 'F'"),
        (lambda: ekf["q.leg"], "there is no state 'q.leg'"),
    ):
        with pytest.raises(ArgumentError, match=text):
            make()
