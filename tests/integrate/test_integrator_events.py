"""Events of the compiled integrators: their times, their order, each occurrence once, and restarts."""

import numpy as np
import pytest

from freebody.integrate.integrator import Integrator, Status
from freebody.integrate.tableaus import TABLEAUS
from tests.run.ode_cases import FALL, SPRING, field

METHODS = tuple(TABLEAUS)
G = 9.81
ULP = np.finfo(float).eps


def made(method: str, f: object, x0: object, g: object, directions: list[int], stopping: list[bool], **given: object):
    if method == "rk4":
        given.setdefault("step", 0.01)
    else:
        given = {"rtol": 1e-12, "atol": 1e-13, **given}
    return Integrator(method, f, 0.0, x0, events=g, directions=directions, stopping=stopping, **given)


@pytest.mark.parametrize("method", METHODS)
def test_falling_body_lands_at_the_exact_time(method: str) -> None:
    i = made(method, field(*FALL), [5.0, 0.0], field("x0", n=2), [-1], [True])
    times = np.linspace(0, 2, 201)
    i.save_at(times)
    assert i.advance(2.0) is Status.EVENT
    end = np.sqrt(10 / G)
    assert i.t == pytest.approx(end, rel=20 * ULP) and i.fired == 0 and i.together == [0]
    assert np.allclose(i.x, [0.0, -G * end], rtol=0, atol=1e-13)
    assert i.count == np.searchsorted(times, end) and np.isnan(i.saved[i.count :]).all()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("direction", [-1, 0, 1])
def test_every_zero_of_an_oscillation_is_logged_once(method: str, direction: int) -> None:
    """x = cos t is zero at π/2 + kπ, decreasing for even k."""
    given = {"log": 4, "step": 0.005} if method == "rk4" else {"log": 4}
    i, log = made(method, field(*SPRING), [1.0, 0.0], field("x0", n=2), [direction], [False], **given), []
    while (status := i.advance(60.0)) is Status.LOG_FULL:
        log += i.take_log()
    log += i.take_log()
    zeros = np.arange(0.5, 60 / np.pi) * np.pi
    expected = {-1: zeros[::2], 0: zeros, 1: zeros[1::2]}[direction]
    assert status is Status.DONE and [k for _, k, _ in log] == [0] * len(expected)
    assert np.abs(np.array([t for t, _, _ in log]) - expected).max() < 1e-9
    assert max(abs(x[0]) for _, _, x in log) < 1e-13


def test_zeros_are_located_to_the_last_bits() -> None:
    """If the motion is exact, so is the time: x = t, g = x³ − 0.2, also where g is flat or steep."""
    for text, zero in (("x0**3 - 0.2", 0.2 ** (1 / 3)), ("tanh(300*(x0 - 0.7))", 0.7), ("(x0 - 0.6)**5", 0.6)):
        i = made("dopri5", field("1.0"), [0.0], field(text), [1], [True], first_step=1.0)
        assert i.advance(1.0) is Status.EVENT
        assert i.t == pytest.approx(zero, abs=4 * ULP if "5" not in text else 1e-3)


@pytest.mark.parametrize("method", METHODS)
def test_bounces_match_the_closed_form(method: str) -> None:
    """Bounces with restitution e occur at t_k = t_0 (1 + 2 Σ e^j), also those much shorter than a step."""
    e, first = 0.6, np.sqrt(2 / G)
    i = made(method, field(*FALL), [1.0, 0.0], field("x0", n=2), [-1], [True])
    for k in range(25):
        assert i.advance(10.0) is Status.EVENT
        expected = first * (1 + 2 * sum(e**j for j in range(1, k + 1)))
        assert i.t == pytest.approx(expected, rel=1e-11), k
        assert i.x[1] == pytest.approx(-G * first * e**k, rel=1e-7)
        i.restart([0.0, -e * i.x[1]])


@pytest.mark.parametrize("below", [0.0, 1e-12, -1e-12])
def test_resets_need_not_be_exactly_at_zero(below: float) -> None:
    """A ball is reset slightly below or above the floor that it has just hit; only the next landing counts."""
    i = made("dopri5", field(*FALL), [1.0, 0.0], field("x0", n=2), [0], [True])
    assert i.advance(10.0) is Status.EVENT
    flight = -2 * i.x[1] / G
    for k in range(1, 5):
        start = i.t
        i.restart([-below, -i.x[1]])
        assert i.advance(10.0) is Status.EVENT
        assert i.t - start == pytest.approx(flight, rel=1e-9), k


def test_restart_at_zero_does_not_repeat_the_event() -> None:
    """Restarted without a change of state, or continued without a restart, the motion passes the zero."""
    for restart in (True, False):
        i = made("dop853", field(*SPRING), [1.0, 0.0], field("x0", n=2), [0], [True])
        for k in range(8):
            assert i.advance(100.0) is Status.EVENT
            assert i.t == pytest.approx((k + 0.5) * np.pi, abs=1e-10)
            if restart:
                i.restart(i.x)


def test_events_within_a_step_are_ordered() -> None:
    """A fall past 4½, 4, 3, 2 and 1 m in one step stops at 2 m; later events are not reported yet."""
    g = field("x0 - 1", "x0 - 4", "x0 - 2", "x0 - 9/2", "x0 - 3", n=2)
    i = made("dopri5", field(*FALL), [5.0, 0.0], g, [0] * 5, [False, False, True, False, False], first_step=2.0)
    times = {h: np.sqrt(2 * (5 - h) / G) for h in (1, 2, 3, 4, 4.5)}
    i.save_at([times[3], 0.9 * times[1]])
    assert i.advance(2.0) is Status.EVENT
    assert i.steps == 1 and i.fired == 2 and i.count == 1 and i.t == pytest.approx(times[2], rel=8 * ULP)
    log = i.take_log()
    assert [k for _, k, _ in log] == [3, 1, 4]
    assert [t for t, _, _ in log] == pytest.approx([times[4.5], times[4], times[3]], rel=8 * ULP)
    assert [x[0] for _, _, x in log] == pytest.approx([4.5, 4.0, 3.0], rel=8 * ULP)
    i.advance(2.0)
    assert [(k, t) for t, k, _ in i.take_log()] == [(0, pytest.approx(times[1], rel=8 * ULP))]
    assert i.count == 2 and i.saved[1, 0] == pytest.approx(5 - G / 2 * (0.9 * times[1]) ** 2, rel=8 * ULP)


def test_simultaneous_events_are_reported_together() -> None:
    """Two functions with the same zero stop once; a passive one is logged; none of them is repeated."""
    g = field("x0 - 1", "3*x0 - 3", "x0 - 1", n=2)
    i = made("dopri5", field(*FALL), [5.0, 0.0], g, [0, -1, 0], [True, True, False])
    assert i.advance(2.0) is Status.EVENT
    assert i.together == [0, 1] and [k for _, k, _ in i.take_log()] == [2]
    i.restart([1.0, 3.0])
    assert i.advance(10.0) is Status.EVENT
    assert i.together == [0, 1] and i.x[1] == pytest.approx(-3.0, rel=1e-12)
    assert [k for _, k, _ in i.take_log()] == [2]


@pytest.mark.parametrize("stopping", [True, False])
def test_zero_at_the_end_of_a_step_counts_once(stopping: bool) -> None:
    """g = t − 1 on a grid of exact halves."""
    i = made("rk4", field("1.0"), [0.0], field("t - 1", n=1), [0], [stopping], step=0.5)
    seen = []
    while (status := i.advance(3.0)) is not Status.DONE:
        assert status is Status.EVENT
        seen.append(i.t)
    seen += [t for t, _, _ in i.take_log()]
    assert seen == [1.0] and i.t == 3.0


def test_zero_at_the_start_is_not_an_event() -> None:
    """x = sin t starts at 0; the first event is at π, although the first step may reach beyond it."""
    for first in (1e-3, 3.0, 3.5):
        i = made("dop853", field(*SPRING), [0.0, 1.0], field("x0", n=2), [0], [True], first_step=first, rtol=1e-3)
        assert i.advance(10.0) is Status.EVENT
        assert i.t == pytest.approx(np.pi, abs=3e-3)


def test_touching_zero_is_an_event_and_leaving_it_is_not() -> None:
    """g = (t − 1)² is 0 only at the end of one step, and positive before and after."""
    i = made("rk4", field("1.0"), [0.0], field("(t - 1)**2", n=1), [0], [False], step=0.5)
    assert i.advance(3.0) is Status.DONE
    assert [t for t, _, _ in i.take_log()] == [1.0]


@pytest.mark.parametrize("method", METHODS)
def test_events_backwards_in_time(method: str) -> None:
    """Directions follow the integration: backwards from t = 0, cos decreases to its zero at −π/2."""
    i = made(method, field(*SPRING), [1.0, 0.0], field("x0", n=2), [-1], [True])
    assert i.advance(-5.0) is Status.EVENT
    assert i.t == pytest.approx(-np.pi / 2, abs=1e-9)


def test_quaternions_are_unit_where_an_event_stops() -> None:
    f = field("-x1", "x0", "-x3", "x2", "1.0")
    i = made("dopri5", f, [0.6, 0.8, 0.0, 0.0, 0.0], field("x0", n=5), [0], [True], quaternions=[0], rtol=1e-4)
    assert i.advance(5.0) is Status.EVENT
    assert np.linalg.norm(i.x[:4]) == pytest.approx(1.0, abs=2 * ULP)
    assert i.t == pytest.approx(np.pi / 2 - np.arctan2(0.8, 0.6), abs=1e-3)


@pytest.mark.parametrize("method", METHODS)
def test_undefined_conditions_stop_where_they_are_not_numbers(method: str) -> None:
    """g = √(1 − t) − ½ is NaN from t = 1 on; its zero at ¾ is found, also where both fall into one step."""
    i = made(method, field("1.0"), [0.0], field("sqrt(1 - t) - 1/2", n=1), [0], [False])
    assert i.advance(3.0) is Status.UNDEFINED
    assert i.t == pytest.approx(1.0, abs=1e-12) and i.fired == 0
    assert [t for t, _, _ in i.take_log()] == pytest.approx([0.75])
