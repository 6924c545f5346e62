"""Python functions as controllers of runs: called once at each sample, equal to laws of the model; what they raise
names them and the time."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import freebody as fb
from freebody.errors import SampleError
from freebody.integrate import samples

Array = NDArray[np.float64]
TIMES = np.linspace(0, 1, 333)


def arm(law: bool = False, delay: float = 0.0) -> fb.System:
    s = fb.System("arm")
    s.input("motor", unit="N*m")
    s.input("brake", unit="N*m")
    s.body("arm", joint=fb.Revolute("y"), mass=1, com=(0.2, 0, 0), inertia=(0.1,) * 3)
    s.joint_force("arm", "motor + brake")
    s.output("tip", s.position(s.bodies["arm"].point((0.4, 0, 0))))
    if law:
        s.controller(
            "pi",
            rate=100,
            delay=delay,
            reads={"e": "1 - q.arm"},
            states={"i": "i + e*period"},
            law={"motor": "3*e + 2*i", "brake": "-0.4*u.arm"},
        )
    return s


class PI:
    """The same law with a memory of its own."""

    def __init__(self) -> None:
        self.i, self.times = 0.0, list[float]()

    def __call__(self, t: float, y: Array) -> list[float]:
        self.times.append(t)
        e = 1 - y[0]
        motor, self.i = 3 * e + 2 * self.i, self.i + e * 0.01
        return [motor, -0.4 * y[1]]


def python(function: Any = PI, **options: Any) -> dict[str, fb.PythonController]:
    return {"pi": fb.PythonController(function, **{"rate": 100, "reads": ["q.arm", "u.arm"], **options})}


@pytest.mark.parametrize("delay", [0, 0.004, 0.01, 0.025])
@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_a_function_is_called_once_at_each_sample_and_equals_a_law(
    delay: float, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    law = arm(True, delay).simulate(TIMES, method=method)
    memory = PI()
    run = arm().simulate(TIMES, controllers=python(memory, delay=delay), method=method)
    assert memory.times == [k / 100 for k in range(101)]
    assert np.abs(run.x - law.x).max() < 1e-9 and np.abs(run["motor"] - law["motor"]).max() < 1e-9
    monkeypatch.setattr(samples, "can_loop", lambda compiled: False)
    slow = arm().simulate(TIMES, controllers=python(PI, delay=delay), method=method)
    assert np.array_equal(slow.x, run.x) and np.array_equal(slow["brake"], run["brake"])
    assert len(memory.times) == 101  # nothing that is read of a run calls it
    assert run.at([0.002])["motor"][0] == run["motor"][0] and "written by controller 'pi'" in run.about.inputs["motor"]


def test_a_class_has_a_memory_for_each_run_and_a_function_keeps_its_own() -> None:
    s = arm()
    one, two = (s.simulate(TIMES, controllers=python()) for _ in range(2))
    assert np.array_equal(one.x, two.x)
    memory = PI()
    first = s.simulate(TIMES[:150], controllers=python(memory, delay=0.025))
    rest = s.simulate(TIMES[149:], start=first, controllers=python(memory, delay=0.025))
    whole = s.simulate(TIMES, controllers=python(delay=0.025))
    assert np.abs(rest.x - whole.x[149:]).max() < 1e-9 and len(memory.times) == 101


def test_writes_all_and_vectors() -> None:
    seen = list[Array]()

    def law(t: float, y: Array) -> Array:
        seen.append(y)
        return np.array([1.0, 2.0])

    s = arm()
    run = s.simulate(0.1, controllers={"c": fb.PythonController(law, period=0.05, reads=["tip", "t", "u_dot.arm"])})
    assert run["motor"][-1] == 1 and run["brake"][-1] == 2
    assert np.abs([y[:3] for y in seen] - run["tip"][[0, 500, 1000]]).max() < 1e-14
    assert [y[3] for y in seen] == [0.0, 0.05, 0.1] and seen[0] is not seen[1] and len(seen[0]) == 5
    single = s.simulate(0.1, inputs={"brake": 0.5}, controllers={"c": fb.PythonController(lambda t, y: 3, period=0.05)})
    assert single["motor"][0] == 3 and single["brake"][0] == 0.5


def test_a_simulator_calls_functions_too() -> None:
    s, t = arm(), np.linspace(0, 1, 11)
    sim = s.simulator(controllers=python())
    states = []
    for time in t:
        sim.run_until(float(time))
        states.append(sim.x)
    assert np.abs(states - s.simulate(t, controllers=python()).x).max() < 1e-8
    with pytest.raises(fb.FreebodyError, match="controller 'pi' is a Python function, whose memory is not known"):
        sim.save()


def fails(t: float, y: Array) -> list[float]:
    if t > 0.3:
        raise ValueError("no power")
    return [1.0, 0.0]


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_a_function_that_raises_is_named_with_the_time_and_the_run_is_kept(method: str) -> None:
    text = r"^controller 'pi': its function raises ValueError at t = 0\.31 s: no power$"
    with pytest.raises(SampleError, match=text) as error:
        arm().simulate(TIMES, controllers=python(fails), method=method)
    run = error.value.run
    assert isinstance(error.value.__cause__, ValueError) and run.status == -1 and "no power" in run.message
    assert run.t[-1] == 0.31 and len(run) == np.sum(TIMES <= 0.31) + 1
    same = arm().simulate(TIMES, inputs={"motor": 1.0, "brake": 0.0}, method=method)
    assert np.abs(run.x[:-1] - same.x[: len(run) - 1]).max() < 1e-6 and (run["motor"] == 1).all()
    sim = arm().simulator(controllers=python(fails), method=method)
    with pytest.raises(SampleError, match=text):
        sim.run_until(1.0)
    assert sim.t == 0.31 and sim.trajectory().t[-1] == 0.31


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda t, y: 1.0, "returns '1.0' at t = 0 s, where 2 numbers are needed"),
        (lambda t, y: [np.nan, 1.0], r"returns \[nan, 1.0\] at t = 0 s; all must be finite"),
        (lambda t, y: np.array([1.0, np.inf]), r"returns \[1.0, inf\] at t = 0 s; all must be finite"),
        (lambda t, y: "x", "returns 'x' at t = 0 s, where 2 numbers are needed"),
        (lambda t, y: None, "returns 'None' at t = 0 s, where 2 numbers are needed"),
    ],
)
def test_wrong_values_are_refused(function: Any, text: str) -> None:
    with pytest.raises(SampleError, match="controller 'pi': its function " + text):
        arm().simulate(1.0, controllers=python(function))


def test_wrong_controllers_are_refused() -> None:
    s, options = arm(), {"inputs": {"brake": 0.0}}
    cases: list[tuple[Any, dict[str, Any], str]] = [
        ({"pi": PI}, {}, "'pi' must be an fb.PythonController"),
        (python(rate=None), {}, "needs a period in seconds, or a rate"),
        (python("law"), {}, "a function of t and what it reads is needed, not 'law'"),
        (python(writes="motr"), options, "writes has no input 'motr'"),
        (python(writes=["brake"]), options, "writes input 'brake', which inputs={'brake': …} drives too; keep one"),
        (python(writes="motor", initial={"brake": 1}), options, "initial names 'brake', which it does not write"),
        (python(reads=["q.am"]), {}, "controller 'pi': 'q.am' is not declared"),
        (python(writes="motor"), {}, "input 'brake' has no value"),
    ]
    for controllers, more, text in cases:
        with pytest.raises(fb.FreebodyError) as error:
            s.simulate(1.0, controllers=controllers, **more)
        assert text in str(error.value)
    with pytest.raises(fb.FreebodyError, match="has a 'pi' already; choose another name"):
        arm(True).simulate(1.0, controllers=python())
    with pytest.raises(fb.FreebodyError, match="sweep of arm: Python controllers may have a memory, which the cases"):
        s.sweep(1.0, {"q.arm": [0.1]}, controllers=python())
