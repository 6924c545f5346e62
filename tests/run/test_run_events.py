"""Events of whole runs with every method: simultaneous events, backward runs, saved times, resets, resting contacts,
restarts."""

import warnings

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, SimulationWarning
from freebody.integrate.integrator import Integrator, Status
from tests.run.ode_cases import SPRING, field
from tests.run.systems import ball, oscillator

METHODS = ("dop853", "dopri5", "rodas5p", "esdirk54", "radau", "bdf", "lsoda", "cvode", "ida")
FREE = {"inputs": {"push": 0.0}, "parameters": {"k": 0.0}}
"""The oscillator without its spring: a cart that goes on as it is."""


# Simultaneous events


def sliders() -> fb.System:
    s = fb.System("sliders", gravity=(0, 0, 0))
    for name in ("a", "b"):
        s.body(name, joint=fb.Prismatic("x"), mass=1.0)
    return s


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_simultaneous_impacts_are_both_reset(method: str, sign: float) -> None:
    walls = [fb.Event(f"q.{n} - {sign}/2", reset={f"u.{n}": f"-u.{n}"}, name=n) for n in ("a", "b")]
    run = sliders().simulate(
        1.5, u={"a": sign, "b": sign}, events=[*walls, fb.Event(f"3*q.a - {sign}*1.5", name="seen")], method=method
    )
    assert sorted(name for _, name in run.events) == ["a", "b", "seen"]
    assert len({t for t, _ in run.events}) == 1 and run.events.t[0] == pytest.approx(0.5, abs=1e-12)
    assert np.allclose(run.x[-1], [-sign / 2, -sign / 2, -sign, -sign], atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_events_separated_by_rounding_are_both_detected(method: str) -> None:
    walls = [fb.Event(f"q.{n} - 0.5", reset={f"u.{n}": f"-u.{n}"}, name=n) for n in ("a", "b")]
    run = sliders().simulate(1.0, q={"b": 1e-14}, u={"a": 1.0, "b": 1.0}, events=walls, method=method)
    assert sorted(name for _, name in run.events) == ["a", "b"]
    assert np.allclose(run.x[-1], [0, 0, -1, -1], atol=1e-12)


# Backwards, and at saved times


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("back", [False, True])
def test_row_saved_at_a_reset_is_the_state_before(method: str, back: bool) -> None:
    """The speed is 1 before t = 1 and 2 afterwards; the other events are recorded on their own side of the reset."""
    times = np.linspace(0, 2, 9)[::-1] if back else np.linspace(0, 2, 9)
    run = oscillator().simulate(
        times,
        u={"cart": 1.0},
        **FREE,
        method=method,
        events=[
            fb.Event("t - 1", reset={"u.cart": "2*u.cart"}, name="double"),
            fb.Event("t - 0.9", name="low"),
            fb.Event("t - 1.1", name="high"),
        ],
    )
    order = ["high", "double", "low"] if back else ["low", "double", "high"]
    assert [name for _, name in run.events] == order and run.t_events[0].tolist() == [1.0]
    assert np.allclose(run["u.cart"], [1] * 5 + [2] * 4, atol=1e-12)
    gone = np.abs(times - times[0])
    assert np.allclose(np.abs(run["cart"]), np.maximum(gone, 2 * gone - 1), atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_last_row_is_the_final_state(method: str) -> None:
    """Also if it is a saved time at which an event changes the state; another run continues from it."""
    turn = fb.Event("t - 0.5", terminal=True, reset={"u.cart": "-u.cart"}, name="turn")
    run = oscillator().simulate([0.0, 0.25, 0.5, 0.75], u={"cart": 1.0}, **FREE, events=[turn], method=method)
    assert run.status == 1 and run.t.tolist() == [0.0, 0.25, 0.5]
    assert np.allclose(run["u.cart"], [1, 1, -1]) and np.array_equal(run.events.after[0], run.x[-1])
    more = oscillator().simulate(1.0, start=run, inputs={"push": 0.0}, events=[turn], method=method)
    assert more.status == 0 and np.allclose(more.x[-1], [0, -1], atol=1e-12)


def test_reset_at_the_end_is_in_the_last_row() -> None:
    turn = fb.Event("t - 0.5", reset={"u.cart": "-u.cart"})
    run = oscillator().simulate([0.0, 0.5], u={"cart": 1.0}, **FREE, events=[turn])
    assert run.x[-1, 1] == -1 and run.sol(0.25)[1] == pytest.approx(1.0)


# Resets


@pytest.mark.parametrize("method", ["dop853", "rodas5p", "esdirk54", "radau"])
def test_contact_that_comes_to_rest_warns(method: str) -> None:
    floor = fb.Event("q.ball", direction=-1, reset={"u.ball": 0.0}, name="floor")
    with pytest.warns(
        SimulationWarning, match=r"at t = 0\.451524 s event 'floor' stops the motion at its zero, and.*ter"
    ):
        run = ball().simulate(2.0, q={"ball": 1.0}, events=[floor], method=method)
    assert len(run.events) == 1 and run["ball"][-1] < -1


@pytest.mark.parametrize(
    "event",
    [
        fb.Event("q.ball - 0.5", direction=-1, reset={"u.ball": "u.ball/2"}, name="membrane"),
        fb.Event("q.ball", direction=-1, reset={"u.ball": "-0.9*u.ball"}, name="floor"),
        fb.Event("t - 0.25", direction=1, reset={"u.ball": 0.0}, name="clock"),
        fb.Event("q.ball", direction=-1, reset={"u.ball": 0.0}, terminal=True, name="floor"),
        fb.Event("u.ball + 1", reset={"q.ball": 2.0}, name="lift"),
    ],
    ids=lambda event: f"{event.name} {event.when}",
)
def test_other_resets_do_not_warn(event: fb.Event) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = ball().simulate(0.7, q={"ball": 1.0}, events=[event])
    assert len(run.events) == 1


def test_resting_contact_without_force_does_not_warn() -> None:
    """No force pushes the cart through its wall."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wall = fb.Event("q.cart - 0.5", reset={"u.cart": 0.0})
        assert len(oscillator().simulate(2.0, u={"cart": 1.0}, **FREE, events=[wall]).events) == 1


def top() -> fb.System:
    s = fb.System("top", gravity=(0, 0, 0))
    s.body("top", joint=fb.Spherical(), mass=1.0, inertia=(1, 2, 3))
    return s


@pytest.mark.parametrize("method", ["dop853", "rodas5p", "esdirk54", "radau"])
def test_reset_quaternions_are_normalised(method: str) -> None:
    """The recorded state after the event is the one from which the motion continues."""
    turned = {"q.top.qw": 0.0, "q.top.qx": 0.0, "q.top.qy": 0.0, "q.top.qz": 1.0005}
    flip = fb.Event("t - 0.5", reset=turned, name="flip")
    run = top().simulate([0.0, 0.5, 1.0], u={"top": (1, 1, 1)}, events=[flip], method=method)
    assert np.array_equal(run.events.after[0, :4], [0, 0, 0, 1])
    more = top().simulate([0.5, 1.0], q=run.events.after[0, :4], u=run.events.after[0, 4:], method=method)
    assert np.allclose(more.x[-1], run.x[-1], atol=1e-7)


@pytest.mark.parametrize(
    ("reset", "length"),
    [(dict.fromkeys(("q.top.qw", "q.top.qx", "q.top.qy", "q.top.qz"), 0.0), "0"), ({"q.top.qw": 3.0}, "3")],
)
def test_reset_to_a_zero_quaternion_is_refused(reset: dict[str, float], length: str) -> None:
    text = rf"event 'flip' at t = 0\.5 s resets: the quaternion \(top\.qw, .*has length {length}, not 1"
    with pytest.raises(ArgumentError, match=text):
        top().simulate(1.0, events=[fb.Event("t - 0.5", reset=reset, name="flip")])


# Restarts


@pytest.mark.parametrize("method", METHODS)
def test_runs_continue_after_the_event_that_ended_them(method: str) -> None:
    """A bouncing ball with one run per flight, independent of rounding at the floor."""
    bounce = [fb.Event("q.ball", direction=-1, terminal=True, reset={"u.ball": "-0.8*u.ball"}, name="floor")]
    run = ball().simulate(10.0, q={"ball": 1.0}, events=bounce, method=method)
    flight = 2 * 0.8 * np.sqrt(2 / 9.81)
    for k in range(8):
        start = run.t[-1]
        run = ball().simulate(10.0, start=run, events=bounce, method=method)
        assert run.t[-1] - start == pytest.approx(flight * 0.8**k, rel=1e-4)


def test_events_with_another_name_are_other_events() -> None:
    half = oscillator().simulate(
        1.0, u={"cart": 1.0}, **FREE, events=[fb.Event("q.cart - 0.5", terminal=True, name="a")]
    )
    behind = {"q": {"cart": 0.5 - 1e-12}, "inputs": {"push": 0.0}}
    for name, count in (("a", 0), ("b", 1)):
        run = oscillator().simulate(1.0, start=half, events=[fb.Event("q.cart - 0.5", name=name)], **behind)
        assert len(run.events) == count


# Several zeros within a step


@pytest.mark.parametrize("method", ["rk4", "dopri5", "dop853"])
def test_two_zero_crossings_within_one_step_are_detected(method: str) -> None:
    """g = (t − 1.3)(t − 1.9) in steps of 3: both zeros lie inside the first step."""
    given = {"step": 3.0} if method == "rk4" else {"first_step": 3.0, "rtol": 1e-3}
    i = Integrator(
        method,
        field("1.0"),
        0.0,
        [0.0],
        events=field("(x0 - 1.3)*(x0 - 1.9)"),
        directions=[0],
        stopping=[False],
        **given,
    )
    assert i.advance(3.0) is Status.DONE and i.steps == 1
    assert [t for t, _, _ in i.take_log()] == pytest.approx([1.3, 1.9], rel=1e-14)


def test_first_of_several_zeros_stops_the_run() -> None:
    i = Integrator(
        "dop853",
        field("1.0"),
        0.0,
        [0.0],
        events=field("(x0 - 0.5)*(x0 - 1.1)", "x0 - 0.7", n=1),
        directions=[1, 0],
        stopping=[True, False],
        first_step=3.0,
        rtol=1e-3,
    )
    assert i.advance(3.0) is Status.EVENT and i.t == pytest.approx(1.1, rel=1e-14)
    assert [(k, t) for t, k, _ in i.take_log()] == [(1, pytest.approx(0.7, rel=1e-14))]


@pytest.mark.parametrize("method", METHODS)
def test_grazing_zeros_are_detected_by_every_method(method: str) -> None:
    """A ball thrown up at 4.43 m/s reaches 1.0003 m: it is above 1 m for 16 ms of its 0.9 s."""
    g, v = 9.81, np.sqrt(2 * 9.81 * 1.0003)
    run = ball().simulate(0.9, u={"ball": v}, events=[fb.Event("q.ball - 1", name="top")], method=method, max_step=0.06)
    expected = [(v - s * np.sqrt(v * v - 2 * g)) / g for s in (1, -1)]
    assert run.t_events[0] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("method", ["dop853", "rodas5p", "esdirk54", "radau"])
def test_fast_events_need_small_steps(method: str) -> None:
    """sin 20 t has 63 zeros in 10 s; steps of half a second, sampled five times, detect all of them."""
    run = oscillator().simulate(10.0, inputs={"push": 0.0}, events=[fb.Event("sin(20*t)")], max_step=0.5, method=method)
    assert np.allclose(run.t_events[0], np.pi / 20 * np.arange(1, 64), atol=1e-12)


def test_runs_without_events_do_not_interpolate() -> None:
    """Interpolation is computed only for events and saved times."""
    plain = Integrator("dop853", field(*SPRING), 0.0, [1.0, 0.0])
    plain.advance(10.0)
    assert plain.evaluations == 12 * plain.steps + 11 * plain.rejected + 2
