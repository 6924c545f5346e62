"""Integration in lanes gives the same motions as single runs; lanes are independent of each other and of their
number."""

import numpy as np
import pytest

from freebody.backends import Bound, compile
from freebody.errors import ArgumentError, BackendError, FunctionError
from freebody.integrate import lanes
from freebody.integrate.compiled import StateFunction
from freebody.integrate.integrator import Integrator, Status
from freebody.integrate.lanes import integrate_lanes
from freebody.integrate.tableaus import TABLEAUS
from freebody.program.assemble import Assembly
from freebody.scalar.functions import callback
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from tests.run.ode_cases import FALL, PENDULUM, TOP, TOP_MOMENTS, TOP_START, bound, compiled, program

METHODS = tuple(TABLEAUS)
DRIVEN = ("x1", "a*b*x0 - x1/b + u*sin(3*t)")
"""With something to hoist, and an input."""


def single_run(
    method: str, f: Bound, x0: np.ndarray, times: np.ndarray, inputs: object = (), **given: object
) -> Integrator:
    i = Integrator(method, StateFunction(f, inputs), times[0], x0, **given)  # type: ignore[arg-type]
    i.save_at(times)
    i.advance(times[-1])
    return i


def sizes(method: str, **control: object) -> dict:
    return {"step": 0.02} if method == "rk4" else control


def close(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether both are equal up to rounding, which grows along the motion."""
    return np.allclose(a, b, rtol=1e-11, atol=1e-11, equal_nan=True)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("cases", [1, 8, 29])
def test_lanes_equal_single_runs(method: str, cases: int) -> None:
    """Steps and evaluations are also equal, although lanes finish at different times and continue with other cases."""
    rng = np.random.default_rng(cases)
    x0, times = rng.uniform(-2, 2, (cases, 2)), np.linspace(0.5, 4.0, 17)
    f = bound(PENDULUM, k=9.81)
    x, status, steps, evaluations, *_ = integrate_lanes(method, f, x0, times, **sizes(method), threads=1)
    assert x.shape == (cases, 17, 2) and not status.any()
    for k in range(cases):
        i = single_run(method, f, x0[k], times, **sizes(method))
        assert close(x[k], i.saved)
        assert (steps[k], evaluations[k]) == (i.steps, i.evaluations)
    assert method == "rk4" or cases == 1 or len(set(steps)) > 1


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("many", [(), ("parameters",), ("inputs",), ("parameters", "inputs")])
def test_parameters_and_inputs_may_be_shared_or_per_case(method: str, many: tuple[str, ...]) -> None:
    rng, cases, times = np.random.default_rng(3), 11, np.linspace(0, 2, 5)
    f = compiled(DRIVEN, None, ("a", "b"), ("u",))
    assert f.setup is not None
    rows = {"parameters": rng.uniform(0.5, 1.5, (cases, 2)), "inputs": rng.uniform(-1, 1, (cases, 1))}
    given = {name: a if name in many else a[0] for name, a in rows.items()}
    x0 = rng.normal(size=(cases, 2))
    x, status, *_ = integrate_lanes(method, f, x0, times, **given, **sizes(method, rtol=1e-6))
    assert not status.any()
    for k in range(cases):
        p, u = (np.atleast_2d(given[name])[k if name in many else 0] for name in ("parameters", "inputs"))
        i = single_run(method, f.bind(p), x0[k], times, u, **sizes(method, rtol=1e-6))
        assert close(x[k], i.saved)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("width", [2, 4])
def test_results_do_not_depend_on_the_lane_width(method: str, width: int) -> None:
    f = compile(program(TOP, None, tuple(TOP_MOMENTS)), width=width).bind(TOP_MOMENTS)
    x0 = np.array(TOP_START) + 0.1 * np.random.default_rng(0).normal(size=(5, 7))
    times = np.linspace(0, 3, 4)
    x, status, *_ = integrate_lanes(method, f, x0, times, **sizes(method), quaternions=[0], threads=2)
    assert not status.any()
    assert np.abs(np.linalg.norm(x[:, :, :4], axis=2) - 1).max() < 1e-15
    for k in range(5):
        assert close(x[k], single_run(method, f, x0[k], times, **sizes(method), quaternions=[0]).saved)


@pytest.mark.parametrize("method", METHODS)
def test_failing_cases_do_not_affect_others(method: str) -> None:
    """ẋ = −1 − √x is undefined below 0: some cases get there during the run, one starts there, one is NaN."""
    f, times = bound(("-1 - sqrt(x0)",)), np.linspace(0, 1.0, 11)
    x0 = np.array([9.0, 0.5, -1.0, 7.0, np.nan, 6.0, 0.1, *(v for k in range(12) for v in (0.2 + k / 50, 5 + k))])[
        :, None
    ]
    x, status, steps, *_ = integrate_lanes(method, f, x0, times, **sizes(method), threads=1)
    assert np.array_equal(status, np.where(x0[:, 0] > 4, 0, -1))
    for k in range(len(x0)):
        i = Integrator(method, StateFunction(f), 0.0, x0[k], **sizes(method))
        i.save_at(times)
        assert (i.advance(1.0) is Status.DONE) == (status[k] == 0)
        assert close(x[k], i.saved) and (steps[k] == i.steps or status[k])
        assert np.isnan(x[k, i.count :]).all()


@pytest.mark.parametrize("method", METHODS)
def test_lanes_that_cannot_start_fail_at_once(method: str) -> None:
    """√(a − t) is undefined after a, which is the start time of some cases."""
    f, a = compiled(("sqrt(a - t) + 0*x0",), None, ("a",), ()), np.array([[0.0], [9.0], [0.0], [8.0]] * 5)
    x, status, steps, *_ = integrate_lanes(method, f, np.zeros((20, 1)), [0.0, 5.0], parameters=a, **sizes(method))
    assert np.array_equal(status, np.where(a[:, 0] > 0, 0, -1)) and not steps[status < 0].any()
    exact = (a[:, 0] ** 1.5 - (a[:, 0].clip(5) - 5) ** 1.5) / 1.5
    assert np.allclose(x[status == 0, 1, 0], exact[status == 0], atol=1e-7)


def test_lanes_whose_time_does_not_advance_fail() -> None:
    _, status, steps, *_ = integrate_lanes("rk4", bound(FALL), [[1.0, 0.0]] * 9, [1.0, 2.0], step=1e-17)
    assert np.all(status == -1) and not steps.any()


@pytest.mark.parametrize("method", METHODS)
def test_lanes_run_backwards_and_on_all_cores(method: str) -> None:
    f, times = bound(FALL), np.linspace(1.0, -1.0, 5)
    x0 = np.random.default_rng(1).normal(size=(100, 2))
    x, status, *_ = integrate_lanes(method, f, x0, times, **sizes(method), max_step=0.3)
    t = times - 1.0
    exact = np.stack([x0[:, :1] + x0[:, 1:] * t - 4.905 * t**2, x0[:, 1:] - 9.81 * t], -1)
    assert not status.any() and np.abs(x - exact).max() < 1e-12


def test_single_time_returns_the_start() -> None:
    x, status, *_ = integrate_lanes("dopri5", bound(FALL), [[1.0, 2.0]], [3.0])
    assert np.array_equal(x, [[[1.0, 2.0]]]) and not status.any()
    nothing = integrate_lanes("dopri5", bound(FALL), np.empty((0, 2)), [0.0, 1.0])
    assert nothing[0].shape == (0, 2, 2)


@pytest.mark.parametrize("threads", [1, 2])
def test_lanes_report_progress_and_can_be_stopped(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "TURN", 1e-3)
    x0, seen = np.random.default_rng(0).normal(size=(64, 2)), []
    integrate_lanes("rk4", bound(FALL), x0, [0.0, 5.0], step=1e-4, threads=threads, poll=seen.append)
    assert seen == sorted(seen) and seen[-1] == 64 and len(seen) > 2

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    cut = integrate_lanes("rk4", bound(FALL), x0, [0.0, 1e7], step=1e-4, threads=threads, poll=stop)
    assert np.all(cut.status == -2) and np.isnan(cut.x[:, 1]).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_exceptions_of_user_functions_are_raised(threads: int) -> None:
    def angry(x: float) -> float:
        if x > 1.5:
            raise ZeroDivisionError("too steep")
        return 1.0

    g = Graph()
    x = g.symbol("x0", Kind.COORDINATE)
    a = Assembly("rates", g, {"parameters": [], "t": [g.symbol("t", Kind.TIME)], "x": [x], "inputs": []})
    a.output("x_dot", [g.call(callback("angry", angry), [x])])
    f = Bound(compile(a.program()), {})
    x0 = np.linspace(0.0, 1.0, 20)[:, None]
    assert np.allclose(integrate_lanes("dopri5", f, x0, [0.0, 0.4], threads=threads)[0][:, 1], x0 + 0.4)
    with pytest.raises(FunctionError, match="too steep"):
        integrate_lanes("dopri5", f, x0, [0.0, 0.7], threads=threads)


def test_wrong_arguments_are_refused() -> None:
    f = bound(FALL)
    with pytest.raises(ArgumentError, match=r"rates: x0 has shape \(1, 3\), not \(cases, 2\)"):
        integrate_lanes("dopri5", f, [1.0, 2.0, 3.0], [0.0, 1.0])
    with pytest.raises(ArgumentError, match=r"times must increase or decrease"):
        integrate_lanes("dopri5", f, [[1.0, 2.0]], [0.0, 1.0, 0.5])
    with pytest.raises(ArgumentError, match=r"rates: inputs have shape \(1,\), not \(0,\) or \(1, 0\)"):
        integrate_lanes("dopri5", f, [[1.0, 2.0]], [0.0, 1.0], inputs=[1.0])
    with pytest.raises(ArgumentError, match=r"rates: parameters have shape \(2,\), not \(1,\) or \(1, 1\)"):
        integrate_lanes("dopri5", compiled(PENDULUM, None, ("k",), ()), [[1.0, 2.0]], [0.0, 1.0], parameters=[1.0, 2.0])
    with pytest.raises(ArgumentError, match=r"max_step = -1.0, step = 0.0: give positive numbers"):
        integrate_lanes("dopri5", f, [[1.0, 2.0]], [0.0, 1.0], max_step=-1.0)
    with pytest.raises(BackendError, match=r"needs the LLVM backend"):
        integrate_lanes("dopri5", Bound(compile(program(FALL), "numpy"), {}), [[1.0, 2.0]], [0.0, 1.0])
