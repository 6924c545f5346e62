"""Lyapunov functions: closed forms, decrease along runs, and what follows from them."""

from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, FreebodyError
from tests.analysis.test_continuation import toggle, ziegler

G = 9.81
SHARP = {"rtol": 1e-10, "atol": 1e-12}


def pendulum(damping: float) -> fb.System:
    s = fb.System("pendulum")
    s.input("m")
    arm = s.body("arm", joint=fb.Revolute("y", damping=damping), mass=2.0, com=(0, 0, -0.5))
    s.joint_force(arm, "m")
    return s


@pytest.mark.paper("002", "33")
@pytest.mark.parametrize(("damping", "verdict"), [(0.0, "stable"), (0.3, "asymptotically stable")])
def test_energy_of_a_pendulum(damping: float, verdict: str) -> None:
    """V = ½ m l² u² + m g l (1 − cos q), V̇ = −c u², and the level is that of the upper equilibrium, 2 m g l."""
    s = pendulum(damping)
    L = s.lyapunov()
    assert L.verdict == verdict and L.level == pytest.approx(2 * 2 * G * 0.5)
    assert np.allclose(L.matrix, np.diag([2 * G * 0.5, 0.5]))
    x = np.random.default_rng(0).normal(size=(20, 2))
    assert np.allclose(L.value(x), 0.25 * x[:, 1] ** 2 + 2 * G * 0.5 * (1 - np.cos(x[:, 0])))
    assert np.allclose(L.rate(x), -damping * x[:, 1] ** 2, atol=1e-12) and np.ndim(L.value(x[0])) == 0
    for state in L.samples(4):
        run = s.simulate(5.0, **state, **SHARP)
        assert L.value(run.x[0]) < L.level and L.largest_increase(run) < 1e-8
        assert np.abs(run["q.arm"]).max() < np.pi
        if damping:
            assert L.along(run)[-1] < 0.5 * L.along(run)[0]
    outside = s.simulate(5.0, q={"arm": 0.0}, u={"arm": 1.05 * np.sqrt(L.level / 0.25)}, inputs={"m": 0.0})
    assert np.abs(outside["q.arm"]).max() > np.pi or damping


@pytest.mark.paper("002", "33")
def test_energy_of_coupled_bodies_and_of_a_loop_decreases_along_runs() -> None:
    s = fb.System("ball")
    b = s.body("b", joint=fb.Spherical(damping=0.3), mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.2, 0.3))
    s.spring(b.point((0.3, 0, 0)), s.ground.point((1, 0, 0)), stiffness=3.0, free_length=0.1)
    ball, loop = s.lyapunov(), toggle(fb.Revolute("y"))
    assert ball.verdict == "asymptotically stable" and np.isfinite(ball.level)
    found = loop.equilibrium(q={"first": -0.6}, inputs={"P": 0.0})
    closed = loop.lyapunov(found, starts=3)
    assert closed.verdict == "asymptotically stable"
    for system, L, state in (
        (s, ball, ball.samples(1)[0]),
        (loop, closed, {"u": {"first": 0.6}, "q": {"first": -0.6}}),
    ):
        run = system.simulate(2.0, **({"inputs": {"P": 0.0}} if system is loop else {}), **state, **SHARP)
        assert L.largest_increase(run) < 1e-8 and L.along(run)[-1] < 0.9 * L.along(run)[0]


@pytest.mark.paper("002", "33")
def test_second_order_part_of_the_energy_is_its_hessian() -> None:
    """Of a loop: K = ∂²/∂θ² of ½ k (2 cos θ − 2 cos θ₀)², M the kinetic energy's coefficient."""
    loop = toggle(fb.Revolute("y"))
    L = loop.lyapunov(loop.equilibrium(q={"first": -0.6}, inputs={"P": 0.0}), starts=2)
    k = {name: i for i, name in enumerate(L.states)}
    assert len(k) == 2 and "q.first" in k
    assert L.matrix[k["q.first"], k["q.first"]] == pytest.approx(50 * 4 * np.sin(0.6) ** 2, rel=1e-6)


@pytest.mark.paper("002", "33")
def test_quadratic_form_and_its_region() -> None:
    """van der Pol's oscillator backwards: P = [1.5 0.5; 0.5 1] for Q = 1 (Khalil 2002, example 8.9, where the region
    V < 2.25 is read from a picture); the estimate is the minimum over the curve V̇ = 0, computed independently."""
    s = fb.System("van der Pol", gravity=(0, 0, 0))
    x = s.body("x", joint=fb.Prismatic("x"), mass=1.0)
    s.joint_force(x, "-q.x - (1 - q.x**2)*u.x")
    L = s.lyapunov(method="quadratic")
    assert np.allclose(L.matrix, [[1.5, 0.5], [0.5, 1.0]], atol=1e-12)
    angle = np.linspace(0, np.pi, 200_001)
    c, d = np.cos(angle), np.sin(angle)
    P = 1.5 * c * c + c * d + d * d
    with np.errstate(divide="ignore", invalid="ignore"):  # V̇ = −r² + r⁴ c² d (c + 2 d) along rays
        r2 = 1 / (c * c * d * (c + 2 * d))
    wanted = np.min((r2 * P)[r2 > 0])
    assert wanted > 2.25 and L.level == pytest.approx(wanted, rel=1e-3)
    for state in L.samples(12, level=0.99 * L.level):
        run = s.simulate(8.0, **state, **SHARP)
        assert L.largest_increase(run) < 1e-9 and L.along(run)[-1] < 0.01 * L.level
    far = s.simulate(0.3, q={"x": 2.2}, u={"x": 1.5})
    assert L.largest_increase(far) > 0


@pytest.mark.paper("002", "33")
def test_quadratic_form_with_quaternions_decreases_along_runs() -> None:
    s = fb.System("ball")
    b = s.body("b", joint=fb.Spherical(damping=0.3), mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.2, 0.3))
    s.spring(b.point((0.3, 0, 0)), s.ground.point((1, 0, 0)), stiffness=3.0, free_length=0.1)
    L = s.lyapunov(method="quadratic", rays=60, Q=[1, 1, 1, 0.1, 0.1, 0.1])
    A = s.linearize(L.equilibrium).A
    assert np.allclose(A.T @ L.matrix + L.matrix @ A, -np.diag([1, 1, 1, 0.1, 0.1, 0.1]), atol=1e-9)
    for state in L.samples(3):
        run = s.simulate(2.0, **state, **SHARP)
        V = L.along(run)
        assert V[0] == pytest.approx(0.9 * L.level, rel=1e-9) and L.largest_increase(run) < 1e-9
        middle = len(V) // 2
        slope = (V[middle + 1] - V[middle - 1]) / (run.t[middle + 1] - run.t[middle - 1])
        assert L.rate(run.x[middle]) == pytest.approx(slope, rel=0.05, abs=1e-3)


def test_no_conclusion_is_said() -> None:
    top = pendulum(0.2).lyapunov({"q.arm": 3.1})
    assert top.verdict == "no conclusion" and "no minimum" in top.why and top.level == 0
    flutter = ziegler(0.05).lyapunov(parameters={"P": 0.5})
    assert flutter.verdict == "no conclusion" and "the energy grows at" in flutter.why


def test_results_print_and_plot(tmp_path: Any) -> None:
    s = pendulum(0.4)
    L = s.lyapunov(method="quadratic", rays=50)
    run = s.simulate(3.0, **L.samples(1)[0])
    assert "Lyapunov function (quadratic): asymptotically stable" in str(L) and "level" in repr(L)
    figure = L.plot(path=tmp_path / "levels.png", runs=[run])
    assert (tmp_path / "levels.png").stat().st_size > 5000 and figure.axes[0].get_ylabel() == "u.arm"
    with pytest.raises(ArgumentError, match=r"there is no state 'x' to draw; choose from q\.arm, u\.arm"):
        L.plot("x")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pendulum(0.0).lyapunov(method="quadratic"), "needs eigenvalues to the left"),
        (lambda: pendulum(0.1).lyapunov({"m": 3.0}), "inputs or loads without a potential hold this equilibrium"),
        (lambda: pendulum(0.1).lyapunov(method="other"), "method must be 'energy' or 'quadratic'"),
        (
            lambda: pendulum(0.1).lyapunov(method="quadratic", Q=[1]),
            "Q must be a symmetric positive definite matrix of 2",
        ),
        (lambda: pendulum(0.1).lyapunov(Q=[1, 1]), "Q is used with method='quadratic' only"),
        (lambda: toggle(fb.Revolute("y")).lyapunov(method="quadratic"), "use method='energy'"),
    ],
)
def test_wrong_arguments_are_refused(call: Any, message: str) -> None:
    with pytest.raises(FreebodyError, match=message):
        call()
