"""Runs that cannot continue or are limited in steps, and systems with little or nothing to integrate."""

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, SimulationWarning
from tests.run.systems import oscillator

METHODS = ("dop853", "dopri5", "radau", "bdf", "lsoda", "cvode", "ida")


@pytest.mark.parametrize("method", METHODS)
def test_law_undefined_after_the_start_is_named(method: str) -> None:
    with pytest.warns(SimulationWarning, match="input 'push' has no finite value there"):
        run = oscillator().simulate(20.0, inputs={"push": "sqrt(-t)"}, method=method)
    assert run.status == -1 and run.t.tolist() == [0.0]
    assert (
        "at t = 0 s the run could not go on" in run.message and "The rate of speed 'cart' (joint 'cart'" in run.message
    )
    assert "is finite here but not a moment later" in run.message and "radau" not in run.message


def test_overflowing_speeds_are_reported() -> None:
    s = fb.System("top")
    s.body("top", joint=fb.Spherical(), mass=1.0, inertia=(1, 2, 3))
    with pytest.warns(SimulationWarning, match=r"speed 'top\.wx' .* is 1e\+200, whose square no number holds"):
        assert s.simulate(1.0, u={"top": (1e200, 1, 1)}).status == -1
    with pytest.warns(SimulationWarning, match="1 of 2 cases failed"):
        many = s.sweep([0.0, 1.0], {"u.top.wx": [1e200, 1.0]})
    assert many.status.values.tolist() == [-1, 0]


@pytest.mark.parametrize("method", ["radau", "bdf"])
def test_suggested_method_differs_from_the_one_used(method: str) -> None:
    s = fb.System("blow-up", gravity=(0, 0, 0))
    s.joint_force(s.body("cart", joint=fb.Prismatic("x"), mass=1.0), "u.cart**2")
    with pytest.warns(SimulationWarning, match="could not go on") as caught:
        s.simulate(2.0, u={"cart": 1.0}, method=method)
    assert "'radau'" not in str(caught[0].message) and "joint 'cart'" in str(caught[0].message)


@pytest.mark.parametrize("method", ["dop853", "rk4", "radau", "cvode"])
def test_max_steps_ends_a_run(method: str) -> None:
    step = {"step": 0.01} if method == "rk4" else {}
    with pytest.warns(SimulationWarning, match=r"at t = \S+ s the run has taken max_steps = 7 steps\. Allow more"):
        run = oscillator().simulate(100.0, u={"cart": 1.0}, inputs={"push": 0.0}, method=method, max_steps=7, **step)
    assert (run.status, run.statistics.steps, run.success) == (-1, 7, False)
    assert 0 < run.t[-1] < 100 and run["cart"][-1] == pytest.approx(np.sin(run.t[-1]), abs=1e-5)
    assert ("radau" in run.message) == (method in ("dop853", "rk4"))


def test_sufficient_max_steps_changes_nothing() -> None:
    run = oscillator().simulate(1.0, u={"cart": 1.0}, inputs={"push": 0.0}, method="rk4", step=0.1, max_steps=10)
    assert run.status == 0 and run.statistics.steps == 10
    for wrong in (0, 2.5, True, "many"):
        with pytest.raises(ArgumentError, match="max_steps must be a positive integer, or left out"):
            oscillator().simulate(1.0, inputs={"push": 0.0}, max_steps=wrong)


@pytest.mark.parametrize("method", METHODS)
def test_systems_without_speeds_or_states_run(method: str) -> None:
    s = fb.System("filter")
    s.body("box", joint=fb.Weld(), mass=1.0)
    s.state("z", rate="1 - z", initial=0.0)
    assert s.simulate(2.0, method=method)["z"][-1] == pytest.approx(1 - np.exp(-2.0), abs=1e-6)
    led = fb.System("led")
    led.body("crank", joint=fb.Revolute("z", motion="0.5*t**2"), mass=1.0, com=(1, 0, 0))
    run = led.simulate(2.0, method=method, events=[fb.Event("t - 1.3", name="late")])
    assert run["q.crank"][-1] == pytest.approx(2.0) and list(run.events) == [(pytest.approx(1.3), "late")]


def test_python_laws_of_the_state_run_without_an_exact_jacobian() -> None:
    run = oscillator().simulate(
        2.0, q={"cart": 1.0}, inputs={"push": lambda t, x: -3 * x[0] - 4 * x[1]}, method="radau"
    )
    assert run["cart"][-1] == pytest.approx(5 * np.exp(-4.0), abs=1e-7)
