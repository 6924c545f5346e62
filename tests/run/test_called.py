"""Python functions of a run: they must not remember their calls, what is recorded is what acted, and looking at results
calls none of them."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, SimulationWarning
from freebody.integrate import steppers

METHODS = [m for m in steppers.METHODS if m != "contact"]  # whose steps are of one size, for contact

LAW = "-5*q.arm - u.arm + sin(3*t)"
START = {"q": {"arm": 0.5}}


@pytest.fixture(scope="module")
def arm() -> fb.Equations:
    s = fb.System("arm")
    m = s.input("motor")
    s.joint_force(s.body("arm", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -0.5), inertia=fb.rod(1, 1, "z")), m)
    return s.derive()


class Counted:
    """LAW as a function; it counts its calls, which changes nothing."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, t: float, x: np.ndarray) -> float:
        self.calls += 1
        return float(-5 * x[0] - x[1] + np.sin(3 * t))


class Integral:
    """A controller that integrates its error from call to call."""

    def __init__(self) -> None:
        self.t, self.i = 0.0, 0.0

    def __call__(self, t: float, x: np.ndarray) -> float:
        self.i, self.t = self.i + x[0] * (t - self.t), t
        return float(-5 * x[0] - 2 * self.i)


class Relay:
    """Switches at ±0.3 rad and stays: its memory does not show where a run begins."""

    def __init__(self) -> None:
        self.value, self.last = 0.1, dict[float, float]()

    def __call__(self, t: float, x: np.ndarray) -> float:
        self.value = -0.1 if x[0] > 0.3 else 0.1 if x[0] < -0.3 else self.value
        self.last[t] = self.value
        return self.value


class Sampled:
    """A controller that acts every tenth of a second."""

    def __init__(self) -> None:
        self.next, self.value = 0.0, 0.0

    def __call__(self, t: float, x: np.ndarray) -> float:
        if t >= self.next:
            self.next, self.value = t + 0.1, float(-5 * x[0])
        return self.value


def settings(method: str) -> dict[str, object]:
    if method in ("cvode", "ida"):
        pytest.importorskip("sksundae")
    return {"method": method, **START} | ({"step": 1e-2} if method == "rk4" else {})


@pytest.mark.parametrize("law", [Integral, Sampled, lambda: lambda t: float(np.random.default_rng().normal())])
def test_functions_with_memory_are_refused_before_the_run(
    arm: fb.Equations, law: Callable[[], Callable[..., float]]
) -> None:
    for run in (arm.simulate, lambda end, **given: arm.sweep(end, {"u.arm": [0.0, 1.0]}, **given)):
        with pytest.raises(ArgumentError, match=r"input 'motor': its function returns .* for the same time and state"):
            run(1.0, inputs={"motor": law()}, **START)


@pytest.mark.parametrize("times", [3.0, np.array([0.0, 1.0, 3.0])])
@pytest.mark.parametrize("method", [m for m in METHODS if m != "rodas5p"])
def test_recorded_values_are_those_of_the_same_law_as_text(arm: fb.Equations, method: str, times: object) -> None:
    law = Counted()
    run, text = (arm.simulate(times, inputs={"motor": f}, **settings(method)) for f in (law, LAW))
    tolerance = 1e-12 if method in ("dop853", "dopri5", "rk4") else 1e-6
    for key in ("input.motor", "u_dot.arm", "energy.total"):
        assert np.abs(run[key] - text[key]).max() < tolerance * (1 + np.abs(text[key]).max())
    assert abs(run.energy_error - text.energy_error) < 1e-3


def test_looking_at_results_calls_no_function(arm: fb.Equations, tmp_path: Path) -> None:
    law = Counted()
    run = arm.simulate(2.0, inputs={"motor": law}, events=[fb.Event("q.arm", reset={"u.arm": "0.5*u.arm"})], **START)
    assert len(run.events)
    calls = law.calls
    run.summary(), run.energy_error, run.to_xarray(), run.to_pandas(), run.at([0.33, 0.5]), run.sol(0.7)
    run.save(tmp_path / "run.nc"), run["energy.total"], run.sides
    assert law.calls == calls and run.energy_error < 1e-6


def test_values_on_both_sides_of_jumps_are_those_of_the_states_there(arm: fb.Equations) -> None:
    events = [fb.Event("q.arm", reset={"u.arm": "0.5*u.arm"}, direction=-1)]
    run, text = (arm.simulate(2.0, inputs={"motor": f}, events=events, **START) for f in (Counted(), LAW))
    assert run.sides["input.motor"] == pytest.approx(text.sides["input.motor"], abs=1e-9)
    assert abs(run.sides["input.motor"][0] - run.sides["input.motor"][1]) > 0.1


@pytest.mark.parametrize("method", ["dop853", "rk4", "radau"])
def test_what_acted_is_recorded_also_of_memory_that_no_check_finds(arm: fb.Equations, method: str) -> None:
    law = Relay()
    run = arm.simulate(4.0, inputs={"motor": law}, **settings(method))
    acted = np.array([law.last[t] for t in run.t.tolist() if t in law.last])
    assert len(acted) > 300
    assert np.array_equal(run["input.motor"][[t in law.last for t in run.t.tolist()]], acted)


def test_functions_that_return_no_number_later_are_named(arm: fb.Equations) -> None:
    with pytest.raises(ArgumentError, match="input 'motor': its function returns None at t = "):
        arm.simulate(1.0, inputs={"motor": lambda t: None if t > 0.3 else 0.0})


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_functions_that_draw_random_numbers_later_end_the_run_soon(arm: fb.Equations, method: str) -> None:
    """Steps become tiny there; two calls at one state show why."""
    random = np.random.default_rng(0)
    calls = 0

    def law(t: float) -> float:
        nonlocal calls
        calls += 1
        return 0.0 if t < 0.6 else random.normal()

    with pytest.warns(SimulationWarning, match=r"at t = 0\.6 s .* [iI]nput 'motor': its function .* draws random"):
        run = arm.simulate(1.0, inputs={"motor": law}, method=method)
    assert run.status == -1 and calls < 100_000
