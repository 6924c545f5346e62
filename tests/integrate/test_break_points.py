"""Break points of laws in time: they are detected in programs, and every method takes a step to each of them."""

import numpy as np
import pytest

import freebody as fb
from freebody.integrate.breaks import breaks, corners, segment
from freebody.integrate.integrator import Integrator, Status
from freebody.integrate.lanes import integrate_lanes
from freebody.run.build import build
from freebody.scalar.functions import table
from tests.run.ode_cases import bound, field, program

PULSE = ([0, 5, 5.01, 5.02], [0, 0, 100, 0])
"""A triangle of area 1 in 20 s of nothing."""
METHODS = ("dop853", "dopri5", "radau", "bdf", "lsoda", "cvode", "ida")


def driven() -> fb.System:
    s = fb.System("driven", gravity=(0, 0, 0))
    s.parameters(on=5.0)
    s.joint_force(s.body("b", joint=fb.Prismatic("x"), mass=1.0), s.input("f"))
    return s


# Detection


@pytest.mark.parametrize(
    ("law", "expected"),
    [
        ("sin(t) + t**2", ()),
        ("where(t > 2, 1, 0)", (2.0,)),
        ("where(1 - 2*t <= -on, 1, 0)", (3.0,)),
        ("where(t/4 > sqrt(on*5), 1, 0)", (20.0,)),
        ("where(t > 1 and t < 1.5, 7, 0)", (1.0, 1.5)),
        ("abs(t - 3) + max(t, 4) + sign(2 - t)", (2.0, 3.0, 4.0)),
        ("where(sin(t) > 0, 1, 0) + where(q.b > t, 1, 0) + where(on > 2, 1, 0)", ()),
        (PULSE, (0.0, 5.0, 5.01, 5.02)),
    ],
)
def test_breaks_are_detected_where_an_argument_is_linear_in_time(law: object, expected: tuple[float, ...]) -> None:
    eq = driven().derive()
    assert build(eq.derivation, eq.values, {"f": law}).breaks == pytest.approx(expected, rel=1e-15)


def test_unknown_arguments_have_no_break() -> None:
    p = program(("where(t > a, 1, 0) + where(t > 2, 1, 0)",), 1, ("a",))
    assert breaks(p, parameters=[3.0]) == (2.0, 3.0) and breaks(p, parameters=[np.nan]) == (2.0,)


def test_table_breaks_follow_its_shape() -> None:
    """A pulse keeps its corners; a finely sampled wave keeps few points, whose polygon is within a thousandth of it."""
    assert corners(table("pulse", *PULSE)) == PULSE[0]
    x = np.linspace(0, 10, 20_001)
    for y in (np.sin(x), np.exp(-(((x - 7) / 0.01) ** 2))):
        kept = corners(table("fine", x, y))
        assert 10 < len(kept) < 100
        assert np.abs(np.interp(x, kept, np.interp(kept, x, y)) - y).max() <= 1e-3 * np.ptp(y)


def test_segments_stay_strictly_between_breaks() -> None:
    points = (0.0, 5.0, 5.01)
    ways = ((0.0, 1, (0, 5, 5)), (5.0, 1, (5, 5.01, 5.01)), (5.0, -1, (0, 5, 0)), (2.0, -1, (0, 5, 0)))
    for t, direction, expected in ways:
        low, high, goal = segment(points, t, direction)
        assert expected[0] < low < expected[0] + 1e-12 and expected[1] - 1e-12 < high < expected[1]
        assert goal == expected[2]
    assert segment(points, 6.0, 1)[1:] == (np.inf, np.inf) and segment((), 6.0, -1) == (-np.inf, np.inf, -np.inf)
    low, high, _ = segment((1.0, np.nextafter(1.0, 2)), 1.0, 1)
    assert low <= high


# Integration


@pytest.mark.parametrize("method", METHODS)
def test_short_pulses_are_not_missed(method: str) -> None:
    """The area of the pulse is 1, so the speed is 1 afterwards."""
    run = driven().simulate(20.0, inputs={"f": PULSE}, method=method)
    assert run["u.b"][-1] == pytest.approx(1.0, abs=2e-8)


@pytest.mark.parametrize("method", ["dop853", "dopri5", "radau"])
@pytest.mark.parametrize("law", ["where(t > on and t < 5.01, 100, 0)", "where(t >= on and t <= 5.01, 100, 0)"])
def test_steps_end_on_the_correct_side_of_a_jump(method: str, law: str) -> None:
    """A force of 100 N from 5 to 5.01 s gives a polynomial on every segment, so there is no error and no rejected
    step."""
    run = driven().simulate([0.0, 5.0, 5.005, 20.0], inputs={"f": law}, method=method)
    assert np.allclose(run["u.b"], [0, 0, 0.5, 1], rtol=0, atol=1e-12)
    assert np.allclose(run["b"], [0, 0, 0.00125, 0.005 + 14.99], rtol=0, atol=1e-11)
    assert run.statistics.rejected == 0


def test_breaks_are_used_backwards() -> None:
    run = driven().simulate(np.linspace(20.0, 0.0, 11), u={"b": 1.0}, inputs={"f": PULSE})
    assert run["u.b"][-1] == pytest.approx(0.0, abs=1e-10)


def test_results_at_a_break_do_not_depend_on_the_number_of_calls() -> None:
    """One call and a call per step give the same bits; after the break, k0 is evaluated on its far side."""
    f = field("where(t > 1, 5, -x0)")
    whole, parts = (Integrator("dop853", f, 0.0, [1.0], breaks=[1.0], knots=100) for _ in range(2))
    assert whole.advance(3.0) is Status.DONE
    while parts.advance(3.0, 1) is not Status.DONE:
        pass
    assert np.array_equal(whole.knots, parts.knots) and whole.evaluations == parts.evaluations
    there = whole.knots[whole.knots[:, 0] == 1.0]
    assert there[:, 2] == pytest.approx([-np.exp(-1), 5.0]) and there[0, 1] == there[1, 1]
    assert whole.x[0] == pytest.approx(np.exp(-1) + 10, rel=1e-9)


def test_fixed_steps_stay_on_their_grid() -> None:
    i = Integrator("rk4", field("where(t > 0.55, 1, 0)"), 0.0, [0.0], step=0.1, breaks=[0.55], knots=100)
    assert i.advance(1.0) is Status.DONE
    assert np.array_equal(i.knots[:, 0], 0.1 * np.arange(11)) and i.steps == 10


def test_event_at_a_break_is_recorded_once() -> None:
    for law in ("where(t > on, 1, 0)", "where(t >= on, 1, 0)"):
        for method in ("dop853", "radau"):
            run = driven().simulate(
                10.0,
                inputs={"f": law},
                method=method,
                events=[fb.Event("t - on", name="on"), fb.Event("t - 5", terminal=True, name="off")],
            )
            assert list(run.events) == [(5.0, "on"), (5.0, "off")] and run.t[-1] == 5.0


# Lanes


@pytest.mark.parametrize("method", ["dop853", "dopri5"])
@pytest.mark.parametrize("back", [False, True])
def test_lanes_use_breaks(method: str, back: bool) -> None:
    f, times = bound(("where(t > 5 and t < 5.01, 100, 0) + 0*x0",)), np.array([0.0, 2.0, 5.0, 5.005, 7.0, 20.0])
    x0 = np.arange(21.0)[:, None]
    x, status, steps, *_ = integrate_lanes(method, f, x0, times[::-1] if back else times)
    gained = np.interp(times, [5, 5.01], [0, 1])
    expected = (gained - 1)[::-1] if back else gained
    assert not status.any() and np.allclose(x[:, :, 0], x0 + expected, rtol=0, atol=1e-11)
    assert np.all(steps >= 3)


def test_failed_lanes_remain_failed_after_a_break() -> None:
    """ẋ = −1 − √x ends at x = 0; a break at 0.5 does not affect the other lanes."""
    f, times = bound(("-1 - sqrt(x0) + where(t > 0.5, 0, 1e-200*x0)",)), np.linspace(0, 1, 5)
    x, status, *_ = integrate_lanes("dop853", f, [[0.1], [9.0], [1.2], [np.nan]], times, threads=1)
    plain, same, *_ = integrate_lanes("dop853", bound(("-1 - sqrt(x0)",)), [[0.1], [9.0], [1.2], [np.nan]], times)
    assert np.array_equal(status, [-1, 0, -1, -1]) and np.array_equal(status, same)
    assert np.allclose(x, plain, rtol=1e-7, equal_nan=True)


def test_lanes_use_the_breaks_shared_by_all_cases() -> None:
    """A break that differs between cases is not used; its error is controlled by the step size."""
    f = bound(("where(t > a, 1, 0) + where(t > 5 and t < 5.01, 100, 0) + 0*x0",), a=0.0).function
    a = np.array([[1.0], [2.0], [15.0]])
    x, status, *_ = integrate_lanes("dop853", f, np.zeros((3, 1)), [0.0, 20.0], parameters=a, max_step=1.0)
    assert not status.any() and np.allclose(x[:, 1, 0], 21 - a[:, 0], atol=1e-6)


def test_progress_increases_over_all_segments() -> None:
    seen: list[int] = []
    f = bound(("where(t > 5, 100, 0) + where(t > 7, 3, 0) + 0*x0",))
    integrate_lanes("dop853", f, np.zeros((64, 1)), [0.0, 20.0], poll=seen.append)
    assert seen == sorted(seen) and seen[-1] == 64


def test_sweeps_do_not_miss_short_pulses() -> None:
    found = driven().sweep([0.0, 20.0], {"u.b": [0.0, 1.0, 2.0]}, inputs={"f": PULSE})
    assert np.allclose(found["u.b"].isel(time=-1), [1, 2, 3], atol=1e-10)
