"""Simulations that are moved on step by step: equal to runs, exact after a restore, with inputs that are held."""

import pickle
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, SimulationError
from freebody.results import RunResult
from freebody.run.options import RunOptions
from freebody.run.simulator import Simulator
from tests.simulation.constrained_systems import slider_crank
from tests.simulation.systems import ball, double_pendulum, oscillator, spinning
from tests.simulation.test_samples import START, by_hand, controller

BOUNCE = fb.Event("q.ball", direction=-1, reset={"u.ball": "-0.8*u.ball"}, name="bounce")
METHODS: dict[str, dict[str, Any]] = {
    "dop853": {}, "dopri5": {"method": "dopri5"}, "rk4": {"method": "rk4", "step": 0.01}, "radau": {"method": "radau"},
    "bdf": {"method": "bdf"},
}  # fmt: skip


def carts() -> fb.System:
    s = fb.System("carts", gravity=(0, 0, 0))
    a, b = (s.body(n, joint=fb.Prismatic("x"), mass=m) for n, m in (("a", 2.0), ("b", 1.0)))
    s.close(a, b, name="grip", engaged=False)
    return s


CASES: dict[str, tuple[Any, dict[str, Any]]] = {
    "tree": (double_pendulum, {"q": {"upper": 1.0}}),
    "quaternion": (spinning, {"u": {"body.wx": 0.1, "body.wy": 1.0}}),
    "loop": (slider_crank, {"q": {"slider": 1.3}, "u": {"crank": 2.0}, "inputs": {"motor": 0.3}}),
    "resets": (ball, {"q": {"ball": 1.0}, "events": [BOUNCE]}),
    "switching": (carts, {"q": {"b": 1.0}, "u": {"a": 1.0, "b": -1.0},
                          "events": [fb.Event("q.b - q.a", direction=-1, engage="grip", name="meet")]}),
}  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", CASES)
def test_moving_to_a_time_is_a_run(name: str, method: str) -> None:
    make, start = CASES[name]
    sim = make().simulator(**start, **METHODS[method])
    sim.run_to(1.2)
    run = make().simulate([0.0, 1.2], **start, **METHODS[method])
    assert np.array_equal(sim.x, run.x[-1]) and sim.t == 1.2 and sim.message == ""
    trajectory = sim.trajectory()
    assert list(trajectory.events) == list(run.events) and np.array_equal(trajectory.x[-1], run.x[-1])
    assert trajectory["energy.total"][-1] == pytest.approx(run["energy.total"][-1], abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", CASES)
def test_what_follows_a_restore_is_equal_to_the_bit(name: str, method: str) -> None:
    """In the same simulator, and in another one from a pickle."""
    make, start = CASES[name]
    sim = make().simulator(**start, **METHODS[method])
    sim.run_to(0.47)
    saved = sim.save()
    ends = [[sim.x for t in (0.6, 0.93, 1.4) if not sim.run_to(t)]]
    sim.restore(saved)
    ends.append([sim.x for t in (0.6, 0.93, 1.4) if not sim.run_to(t)])
    other = make().simulator(**start, **METHODS[method])
    other.restore(pickle.loads(pickle.dumps(saved)))
    ends.append([other.x for t in (0.6, 0.93, 1.4) if not other.run_to(t)])
    assert np.array_equal(ends[0], ends[1]) and np.array_equal(ends[0], ends[2])
    assert len(sim.trajectory().events) == len(other.trajectory().events)


def test_inputs_are_held_between_steps_and_recorded_as_steps() -> None:
    sim = oscillator().simulator(u={"cart": 1.0}, rtol=1e-11, atol=1e-12)
    levels = [0.0, 0.5, -0.3, -0.3, 1.0]
    for level in levels:
        sim.inputs["push"] = level
        sim.step(0.4)
    law = "0.5*(t >= 0.4) - 0.8*(t >= 0.8) + 1.3*(t >= 1.6)"
    run = oscillator().simulate([0, 2.0], u={"cart": 1.0}, inputs={"push": law}, rtol=1e-11, atol=1e-12)
    assert np.abs(sim.x - run.x[-1]).max() < 1e-10 and dict(sim.inputs) == {"push": 1.0}
    trajectory = sim.trajectory()
    assert trajectory.at([0.1, 0.5, 1.0, 1.5, 1.9])["input.push"].tolist() == levels
    assert trajectory.energy_error < 1e-8
    assert sim["push"] == 1.0 and sim["cart"] == sim["q.cart"] == sim.x[0] and sim["u.cart"] == sim.x[1]
    assert sim["energy.kinetic"] == pytest.approx(sim.x[1] ** 2 / 2)


def test_timed_rules_are_applied_and_restored() -> None:
    compiled = controller()
    options = RunOptions(rtol=1e-12, atol=1e-13).for_run(np.zeros(1), compiled.about)
    sim = Simulator(compiled, np.array(START), options, [], RunResult)
    states = [sim.x]
    for k in range(1, 41):
        if k == 13:
            saved = sim.save()
            sim.step(0.33)
            sim.restore(saved)
        sim.run_to(k / 20)
        states.append(sim.x)
    assert np.abs(np.array(states) - by_hand(np.arange(41) / 20)[0]).max() < 1e-10


def test_a_terminal_event_ends_the_motion() -> None:
    sim = ball().simulator(q={"ball": 1.0}, events=[fb.Event("q.ball", terminal=True, name="floor")])
    sim.step(2.0)
    t = float(np.sqrt(2 / 9.81))
    assert sim.t == pytest.approx(t) and "event 'floor' ended the run" in sim.message
    sim.step(1.0)
    assert sim.t == pytest.approx(t) and sim.trajectory().status == 1
    with pytest.raises(ArgumentError, match="the motion cannot go on, so nothing is saved: event 'floor' ended"):
        sim.save()


def test_a_motion_that_cannot_go_on_raises() -> None:
    sim = oscillator().simulator(q={"cart": 1.0}, inputs={"push": "1/(t - 1)**2"})
    with pytest.raises(SimulationError, match=r"oscillator: at t = 1 s"):
        sim.run_to(2.0)


def test_states_are_set_and_projected() -> None:
    sim = slider_crank().simulator(q={"slider": 1.3}, u={"crank": 1.0})
    sim.set_state({"q.crank": 0.05})
    assert 0.05 <= sim["crank"] < 0.2 and max(sim.trajectory().drift) < 1e-9
    sim.step(0.1)
    assert max(sim.trajectory().at([sim.t]).drift) < 1e-8


def test_wrong_arguments_are_refused_by_name() -> None:
    sim = oscillator().simulator(inputs={"push": "sin(t)"})
    with pytest.raises(ArgumentError, match="input 'push' follows a law; give it a number in inputs=… to set it"):
        sim.inputs["push"] = 1.0
    sim = oscillator().simulator()
    with pytest.raises(ArgumentError, match=r"'pull'.*push"):
        sim.inputs["pull"] = 1.0
    with pytest.raises(ArgumentError, match=r"input 'push': .*not"):
        sim.inputs["push"] = "fast"  # type: ignore[assignment]
    sim.step(0.5)
    with pytest.raises(ArgumentError, match=r"is at t = 0.5 s and moves forward only; restore a snapshot"):
        sim.run_to(0.2)
    with pytest.raises(ArgumentError, match="the snapshot is of another system"):
        sim.restore(ball().simulator().save())
    with pytest.raises(ArgumentError, match="the snapshot is of other values of the parameters"):
        oscillator().simulator(parameters={"k": 2.0}).restore(sim.save())
    with pytest.raises(ArgumentError, match="a simulator cannot choose α and β"):
        slider_crank().simulator(constraints="baumgarte")
    with pytest.raises(ArgumentError, match="no argument 'tol'"):
        oscillator().simulator(tol=1e-6)
