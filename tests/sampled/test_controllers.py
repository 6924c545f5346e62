"""Sampled controllers against exact loops: the z-domain, matrix exponentials, limit cycles by hand; equal in lanes, in
single runs, in simulators and from files."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import expm

import freebody as fb
from freebody.integrate import samples
from freebody.io import loads

Array = NDArray[np.float64]
TIGHT: dict[str, Any] = {"rtol": 1e-13, "atol": 1e-15}
TAU, GAIN, PERIOD = 0.05, 4.0, 0.01


def motor() -> fb.System:
    """A motor as a plant of first order: ω̇ = (gain·voltage − ω)/τ."""
    s = fb.System("motor")
    s.input("voltage", unit="V")
    s.body("rotor", joint=fb.Revolute("z"), inertia=(1, 1, TAU))
    s.joint_force("rotor", f"{GAIN}*voltage - u.rotor")
    return s


def pi_controlled(kp: float = 0.2, ki: float = 5.0) -> fb.System:
    s = motor()
    s.parameters(ref=2.0, kp=kp, ki=ki)
    s.controller(
        "pi",
        period=PERIOD,
        reads={"e": "ref - u.rotor"},
        states={"i": "i + e*period"},
        law={"voltage": "kp*e + ki*i"},
    )
    return s


@pytest.mark.parametrize(
    ("method", "error"), [("dop853", 1e-12), ("dopri5", 1e-11), ("radau", 1e-8), ("bdf", 1e-8), ("cvode", 1e-8)]
)
def test_a_sampled_pi_equals_the_response_of_its_z_transform(method: str, error: float) -> None:
    """With a = exp(−T/τ), G(z) = K (1 − a)/(z − a) and C(z) = kp + ki T/(z − 1). The closed loop is
    Ω(z)/R(z) = CG/(1 + CG); its response to a step by the recursion of numerator and denominator."""
    if method == "cvode":
        pytest.importorskip("sksundae")
    kp, ki = 0.2, 5.0
    times = np.arange(101) * Fraction(1, 100)
    settings = TIGHT if method.startswith("dop") else {"rtol": 1e-11, "atol": 1e-13}
    run = pi_controlled().simulate(times.astype(float), method=method, **settings)
    a = np.exp(-PERIOD / TAU)
    b = GAIN * (1 - a)
    forward, back = np.array([kp, ki * PERIOD - kp]), np.array([1.0, -1.0])  # of C: (kp z + ki T − kp)/(z − 1)
    numerator = b * np.array([0.0, *forward])  # in powers of 1/z: z⁰, z⁻¹, z⁻²
    denominator = np.convolve(back, [1.0, -a]) + numerator
    speed = np.zeros(101)
    for n in range(101):
        given = sum(numerator[k] * 2.0 for k in range(3) if n >= k)
        speed[n] = given - sum(denominator[k] * speed[n - k] for k in (1, 2) if n >= k)
    assert np.abs(run["u.rotor"] - speed).max() < error
    errors = 2.0 - speed
    integral = np.concatenate([[0.0], np.cumsum(errors * PERIOD)[:-1]])
    assert np.abs(run["voltage"] - (kp * errors + ki * integral)).max() < 10 * error
    assert np.abs(run["pi.i"] - (integral + errors * PERIOD)).max() < 10 * error
    assert run.status == 0 and len(run.events) == 0


def two_rates(delay: Any = "0.0075") -> fb.System:
    """A carriage on a spring; a slow outer loop with an offset sets the target of a fast inner one, whose force acts
    after a delay that is no multiple of its period."""
    s = fb.System("carriage")
    s.parameters(k=30.0, c=0.4)
    s.input("force", unit="N")
    s.body("cart", joint=fb.Prismatic("x", stiffness="k", damping="c"), mass=1.5)
    s.joint_force("cart", "force")
    s.controller("outer", rate=50, offset="0.005", states={"target": "0.3*target + 0.1 - 0.2*q.cart"})
    s.controller(
        "inner",
        period="1/300",
        reads={"e": "outer.target - q.cart"},
        states={"last": "e"},
        law={"force": "40*e + 2*(e - last)/period"},
        delay=delay,
        initial={"force": 0.25},
    )
    return s


def by_hand(end: Fraction, delay: Fraction, k: float = 30.0, c: float = 0.4) -> tuple[list[Fraction], Array, Array]:
    """All instants of the loop above, the states there and the force after them, by matrix exponentials."""
    A = np.array([[0, 1, 0], [-k / 1.5, -c / 1.5, 1 / 1.5], [0, 0, 0]])
    inner, outer = Fraction(1, 300), Fraction(1, 50)
    times = {n * inner for n in range(int(end / inner) + 1)} | {
        Fraction(1, 200) + n * outer for n in range(int(end / outer))
    }
    times |= {t + delay for t in list(times) if (t / inner).denominator == 1}
    order = sorted(t for t in times if t <= end)
    x, target, last, force = np.array([0.2, 0.0]), 0.0, 0.0, 0.25
    waiting = dict[Fraction, float]()
    states, forces, now = [], [], Fraction(0)
    for t in order:
        x = (expm(A * float(t - now)) @ [*x, force])[:2]
        now = t
        if ((t - Fraction(1, 200)) / outer).denominator == 1 and t >= Fraction(1, 200):
            target = 0.3 * target + 0.1 - 0.2 * x[0]
        if (t / inner).denominator == 1:
            e = target - x[0]
            waiting[t + delay] = 40 * e + 2 * (e - last) / float(inner)
            last = e
        force = waiting.get(t, force)
        states.append(x)
        forces.append(force)
    return order, np.array(states), np.array(forces)


@pytest.mark.parametrize("delay", ["0.0075", "0", "1/300", "1/100", "0.0011"])
def test_two_rates_with_a_delay_equal_a_loop_of_matrix_exponentials(delay: str) -> None:
    times, states, forces = by_hand(Fraction(1), Fraction(delay), 30.0, 0.4)
    run = two_rates(delay).simulate([float(t) for t in times], q={"cart": 0.2}, **TIGHT)
    assert np.abs(run.x - states).max() < 1e-12
    assert np.abs(run["force"] - forces).max() < 1e-10  # the gain of the difference is 600


def test_delays_in_samples_are_those_in_seconds() -> None:
    t = np.linspace(0, 0.5, 77)
    one = two_rates("1/100").simulate(t, q={"cart": 0.2})
    s = two_rates("0")
    text = s.to_yaml().replace("delay: '0'", "delay_samples: 3").replace("delay: 0\n", "delay_samples: 3\n")
    assert "delay_samples: 3" in text
    two = loads(text, fb.System).simulate(t, q={"cart": 0.2})
    assert np.array_equal(one.x, two.x) and np.array_equal(one["force"], two["force"])


def test_a_quantised_loop_has_the_limit_cycle_of_a_map() -> None:
    """An integrator x⁺ = x + T·y with y rounded to 0.5, pulled to 0.3 by a gain of 1.8/T: the map alternates."""
    s = fb.System("axis")
    s.input("speed")
    s.state("x", rate="speed", initial=0.9)
    s.body("base", mass=1)
    s.controller("loop", period=0.1, law={"speed": "-18*(x - 0.3)"}, quantisation=0.5)
    run = s.simulate(np.arange(201) / 10, **TIGHT)
    x, seen = 0.9, []
    for _ in range(201):
        speed = np.floor(-18 * (x - 0.3) / 0.5 + 0.5) * 0.5
        seen.append((x, speed))
        x += 0.1 * speed
    assert np.abs(run.z["x"] - [one for one, _ in seen]).max() < 1e-12
    assert np.array_equal(run["speed"], [one for _, one in seen])
    tail = run["speed"][-50:]
    assert np.ptp(tail) > 0 and np.array_equal(tail[:-2], tail[2:])  # it never rests, and repeats after two samples
    plain = fb.System("axis")
    plain.input("speed")
    plain.state("x", rate="speed", initial=0.9)
    plain.body("base", mass=1)
    plain.controller("loop", period=0.1, law={"speed": "-18*(x - 0.3)"})
    assert abs(plain.simulate(20.0).z["x"][-1] - 0.3) < 1e-12


def saturated(**options: Any) -> fb.System:
    s = motor()
    s.parameters(ref=3.0)
    s.controller(
        "pi",
        period=PERIOD,
        reads={"e": "ref - u.rotor"},
        states={"i": "i + 8*e*period"},
        law={"voltage": "0.3*e + i"},
        **options,
    )
    return s


def limited_by_hand(step: Callable[[float, float, float], tuple[float, float]], count: int) -> tuple[Array, Array]:
    """Speeds and voltages of the motor; ``step`` returns the voltage and the next i from e, i and the last voltage."""
    a, speed, i, voltage, rows = np.exp(-PERIOD / TAU), 0.0, 0.0, 0.0, []
    for _ in range(count):
        voltage, i = step(3.0 - speed, i, voltage)
        rows.append((speed, voltage))
        speed = a * speed + (1 - a) * GAIN * voltage
    return tuple(np.array(rows).T)  # type: ignore[return-value]


def test_limits_and_anti_windup_equal_a_loop_by_hand() -> None:
    T, gain = PERIOD, 6.0

    def limit(v: float) -> float:
        return max(min(v, 0.9), -0.9)

    def back(e: float, i: float, last: float) -> tuple[float, float]:
        v = 0.3 * e + i
        return limit(v), i + 8 * e * T + gain * T * (limit(v) - v)

    def hold(e: float, i: float, last: float) -> tuple[float, float]:
        v, following = 0.3 * e + i, i + 8 * e * T
        return limit(v), i if (limit(v) - v) * (following - i) < 0 else following

    def rate(e: float, i: float, last: float) -> tuple[float, float]:
        return last + max(min(0.3 * e + i - last, 4.0 * T), -4.0 * T), i + 8 * e * T

    def wound(e: float, i: float, last: float) -> tuple[float, float]:
        return limit(0.3 * e + i), i + 8 * e * T

    cases: list[tuple[dict[str, Any], Any]] = [
        ({"saturation": (-0.9, 0.9), "anti_windup": gain}, back),
        ({"saturation": {"voltage": (-0.9, 0.9)}, "anti_windup": {"i": "hold"}}, hold),
        ({"rate_limit": 4.0}, rate),
        ({"saturation": (-0.9, 0.9)}, wound),
    ]
    overshoots = []
    for options, step in cases:
        run, (speed, voltage) = saturated(**options).simulate(np.arange(201) / 100, **TIGHT), limited_by_hand(step, 201)
        assert np.abs(run["u.rotor"] - speed).max() < 1e-10 and np.abs(run["voltage"] - voltage).max() < 1e-10
        overshoots.append(speed.max() - 3.0)
    assert max(overshoots[:2]) < overshoots[3]


def test_elements_see_what_those_before_them_wrote_and_their_own_old_values() -> None:
    s = motor()
    s.controller("a", period=1, states={"n": "n + 1", "m": "n"})
    s.controller("b", period=1, states={"seen": "a.n"}, law={"voltage": "b.seen"})
    run = s.simulate(np.arange(5.0))
    assert run["a.n"].tolist() == [1, 2, 3, 4, 5] and run["a.m"].tolist() == [0, 1, 2, 3, 4]
    assert run["b.seen"].tolist() == [1, 2, 3, 4, 5] and run["voltage"].tolist() == [0, 1, 2, 3, 4]


def test_accelerations_outputs_and_driven_inputs_can_be_read() -> None:
    s = motor()
    s.output("twice", "2*u.rotor")
    s.output("tip", s.position(s.bodies["rotor"].point((0.5, 0, 0))))
    reads = {"a": "u_dot.rotor", "w": "twice", "v": "voltage", "x": "tip.x"}
    s.controller("pi", period=0.1, reads=reads, law={"voltage": "1 + t"})
    run = s.simulate(np.arange(31) / 100, u={"rotor": 0.3}, **TIGHT)
    last = np.append(0.0, run["voltage"][:-1])  # what the motor had before the sample
    at = np.arange(0, 31, 10)
    assert np.abs(run["pi.a"][at] - (GAIN * last - run["u.rotor"])[at] / TAU).max() < 1e-10
    assert np.abs(run["pi.w"][at] - 2 * run["u.rotor"][at]).max() < 1e-14 and np.array_equal(run["pi.v"][at], last[at])
    assert np.abs(run["pi.x"][at] - run["tip"][at, 0]).max() < 1e-14
    assert np.array_equal(run["pi.w"], np.repeat(run["pi.w"][at], [10, 10, 10, 1]))  # held in between


def test_nothing_interpolates_what_is_held() -> None:
    run = two_rates().simulate([0.0, 1.0], q={"cart": 0.2}, **TIGHT)
    times, _, forces = by_hand(Fraction(1), Fraction("0.0075"))
    middle = np.array([float(a + b) / 2 for a, b in pairwise(times)])
    assert np.abs(run.at(middle)["force"] - forces[:-1]).max() < 1e-9
    assert run.energy_error < 1e-9


# Runs of all kinds


def test_samples_in_machine_code_are_those_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """With events that samples cause, events between them, and resets; each with what is held then."""
    s, t = two_rates(), np.linspace(0, 2, 333)
    events = [
        fb.Event("force - 1", name="strong"),
        fb.Event("q.cart", direction=-1, reset={"u.cart": "-0.7*u.cart"}, name="turn"),
        fb.Event("outer.target - 0.08", name="far"),
        fb.Event("u.cart", name="rest"),
    ]
    for some in ((), events):
        fast = s.simulate(t, q={"cart": 0.2}, events=some)
        with monkeypatch.context() as patch:
            patch.setattr(samples, "can_loop", lambda compiled: False)
            slow = s.simulate(t, q={"cart": 0.2}, events=some)
        assert np.array_equal(fast.x, slow.x) and list(fast.events) == list(slow.events)
        assert fast.held_steps is not None and slow.held_steps is not None and fast.held_rows is not None
        assert np.array_equal(fast.held_steps.t, slow.held_steps.t)
        assert np.array_equal(fast.held_steps.values, slow.held_steps.values)
        assert np.array_equal(fast.held_rows, slow.held_rows)
        assert np.array_equal(fast.events.held_before, slow.events.held_before)
        assert np.array_equal(fast.events.held_after, slow.events.held_after)
    assert {name for _, name in fast.events} == {"strong", "turn", "far", "rest"}


def test_cases_in_lanes_are_single_runs_to_the_bit() -> None:
    s, t, k = two_rates(), np.linspace(0, 1, 111), np.linspace(20, 40, 9)
    record = ["input.force", "controller.outer.target", "controller.inner.e"]
    swept = s.sweep(t, {"k": k}, q={"cart": 0.2}, record=record)
    assert (swept.status == 0).all()
    for n, stiffness in enumerate(k):
        one = s.simulate(t, q={"cart": 0.2}, parameters={"k": stiffness})
        assert np.array_equal(swept["q.cart"].values[n], one["cart"])
        for name in record:
            assert np.array_equal(swept[name].values[n], one[name]), name


def test_a_saved_simulator_goes_on_to_the_bit() -> None:
    """In the middle of a delay, of a switched constraint, after an event; in another simulator too."""

    def make() -> fb.System:
        s = two_rates()
        s.body("pusher", joint=fb.Prismatic("x"), mass=0.5)
        s.constrain("q.pusher - q.cart", name="latch", engaged=False)
        return s

    options: dict[str, Any] = {
        "q": {"cart": 0.2, "pusher": -0.02},
        "events": [fb.Event("q.cart - q.pusher", direction=-1, engage="latch", name="meet")],
    }
    one, other = make().simulator(**options), make().simulator(**options)
    one.run_until(0.4567)
    assert one["engaged.latch"] == 1.0 and one["force"] != 0
    saved = one.save()
    ends = []
    for sim in (one, other):
        sim.restore(saved)
        states = []
        for end in (0.4568, 0.5, 0.7512, 1.0):
            sim.run_until(end)
            states.append([*sim.x, sim["force"], sim["outer.target"], sim["inner.last"]])
        ends.append(states)
    one.restore(saved)
    one.run_until(1.0)
    assert np.array_equal(ends[0], ends[1])
    assert np.allclose([*one.x, one["force"]], ends[0][-1][:3] if len(one.x) == 2 else ends[0][-1][:5], rtol=1e-7)


def test_a_run_that_is_continued_is_the_whole_run() -> None:
    """Cut in the middle of a delay, and at a sample."""
    s, t = two_rates(), np.linspace(0, 1, 201)
    whole = s.simulate(t, q={"cart": 0.2}, **TIGHT)
    for cut in (61, 100):
        first = s.simulate(t[: cut + 1], q={"cart": 0.2}, **TIGHT)
        rest = s.simulate(t[cut:], start=first, **TIGHT)
        assert np.abs(rest.x - whole.x[cut:]).max() < 1e-12
        assert np.abs(rest["force"] - whole["force"][cut:]).max() < 1e-9


def test_constraints_hold_between_samples() -> None:
    """A slider-crank with a sampled speed controller, with an explicit and an implicit method."""
    s = fb.System("engine")
    s.input("torque")
    crank = s.body("crank", joint=fb.Revolute("y"), mass=1, inertia=(0.1, 0.1, 0.1))
    rod = s.body(
        "rod", on=crank, at=(0.1, 0, 0), joint=fb.Revolute("y"), mass=0.5, com=(0.15, 0, 0), inertia=(0.01,) * 3
    )
    slider = s.body("slider", joint=fb.Prismatic("x"), mass=0.4)
    s.close(rod.point((0.3, 0, 0)), slider, fb.Revolute("y"), name="pin")
    s.joint_force(crank, "torque")
    s.controller(
        "speed", rate=200, reads={"e": "5 - u.crank"}, states={"i": "i + e*period"}, law={"torque": "2*e + 9*i"}
    )
    start: dict[str, Any] = {"q": {"crank": 0.3}, "u": {"crank": 1.0}}
    runs = [s.simulate(1.0, **start, method=m, rtol=1e-10, atol=1e-12) for m in ("dop853", "radau", "ida")]
    assert runs[0].statistics.drift < 1e-9 and abs(runs[0]["u.crank"][-200:].mean() - 5) < 0.1
    for run in runs[1:]:
        assert np.abs(run.x - runs[0].x).max() < 1e-5
        assert np.abs(run["torque"] - runs[0]["torque"]).max() < 1e-4
    stabilised = s.simulate(1.0, **start, constraints="baumgarte", rtol=1e-10, atol=1e-12)
    assert np.abs(stabilised["u.crank"] - runs[0]["u.crank"]).max() < 1e-4


def test_files_give_the_same_system_and_the_same_motion() -> None:
    s, t = two_rates(), np.linspace(0, 0.5, 51)
    text = s.to_yaml()
    again = loads(text, fb.System)
    assert again.digest() == s.digest() and again.to_yaml() == text
    assert "reads: {e: outer.target - q.cart}" in text and "law: {force: 40*e + 2*(e - last)/period}" in text
    assert np.array_equal(again.simulate(t, q={"cart": 0.2}).x, s.simulate(t, q={"cart": 0.2}).x)
    options = {"saturation": (-0.9, 0.9), "anti_windup": {"i": "hold"}, "rate_limit": "2 + ref", "quantisation": 0.01}
    full = saturated(**options, initial={"i": 0.2, "voltage": 0.1})
    assert loads(full.to_yaml(), fb.System).digest() == full.digest() != saturated().digest()


def test_controllers_may_stand_before_what_they_read_in_files() -> None:
    text = """
    freebody: 3
    inputs: [push]
    bodies: {cart: {joint: {type: prismatic, axis: x}, mass: 1}}
    controllers:
      first: {period: 0.1, law: {push: -second.v - place}}
      second: {period: 0.2, states: {v: 0.5*v + q.cart}}
    outputs: {place: 2*q.cart}
    loads: {drive: {joint_force: {on: cart, value: push - 0.1*second.v}}}
    """
    run = loads(text, fb.System).simulate(1.0, q={"cart": 0.4})
    assert run["push"][0] == -0.8 and run["second.v"][0] == 0.4


def test_events_at_the_time_of_a_sample_happen_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reset at 0.5 s, where a sample is due, and one at 0.45 s: the velocity turns once, samples are taken once."""
    s = fb.System("cart")
    s.input("push")
    s.body("cart", joint=fb.Prismatic("x"), mass=1)
    s.joint_force("cart", "push")
    s.controller("count", period=0.1, states={"n": "n + 1"}, law={"push": "0*count.n"})
    for at in (0.5, 0.45):
        event = fb.Event(f"t - {at}", reset={"u.cart": "-2*u.cart"}, name="turn")
        for slow in (False, True):
            with monkeypatch.context() as patch:
                if slow:
                    patch.setattr(samples, "can_loop", lambda compiled: False)
                run = s.simulate(np.arange(11) / 10, u={"cart": 1.0}, events=[event])
            assert [t for t, _ in run.events] == [at] and run["count.n"].tolist() == list(range(1, 12))
            assert abs(run["u.cart"][-1] + 2) < 1e-12 and abs(run["cart"][-1] - (at - 2 * (1 - at))) < 1e-12


def test_every_formulation_and_rolled_equations_give_the_same_samples() -> None:
    """Also accelerations that a controller reads."""
    s = fb.System("chain")
    s.input("motor")
    last: Any = None
    for k in range(6):
        last = s.body(f"b{k}", on=last, at=(0.3, 0, 0) if k else (0, 0, 0), joint=fb.Revolute("y", damping=0.1), mass=1,
                      com=(0.15, 0, 0), inertia=(0.02,) * 3)  # fmt: skip
    s.joint_force("b0", "motor")
    reads = {"e": "0.5 - q.b0", "a": "u_dot.b5"}
    s.controller("pd", rate=100, reads=reads, law={"motor": "40*e - 6*u.b0 + 0.01*a"}, delay=0.003)
    reference = s.simulate(0.3, rtol=1e-10, atol=1e-12)
    for options in ({"formulation": "kane"}, {"formulation": "crba"}, {"rolled": True}, {"solver": "tree"}):
        run = s.derive(**options).simulate(0.3, rtol=1e-10, atol=1e-12)  # type: ignore[arg-type]
        assert np.abs(run.x - reference.x).max() < 1e-8 and np.abs(run["motor"] - reference["motor"]).max() < 1e-6


def test_analyses_say_that_they_are_of_the_open_loop() -> None:
    s = pi_controlled()
    with pytest.warns(fb.errors.AnalysisWarning, match=r"of the open loop: .*'voltage' \(by 'pi' in runs\)"):
        lin = s.linearize(at={"u.rotor": 2.0, "voltage": 0.5})
    assert lin.inputs == ("voltage",) and abs(lin.A[-1, -1] + 1 / TAU) < 1e-12


def test_coordinates_that_are_sampled_cannot_be_omitted() -> None:
    s = fb.System("bus", gravity=(0, 0, 0))
    s.body("bus", joint=fb.Planar("z"), mass=2, inertia=(1, 1, 1))
    assert s.derive().unused_coordinates == ("bus.x", "bus.y", "bus.angle")
    s.controller("c", rate=100, reads={"x": "q.bus.x"}, states={"sum": "sum + x + u.bus.y"})
    assert s.derive().unused_coordinates == ("bus.y", "bus.angle")
    with pytest.raises(fb.FreebodyError, match=r"coordinate 'bus\.x' cannot be omitted: controller 'c' depends on it"):
        s.derive(omit=["bus"])
    run = s.derive(omit=["bus.y"]).simulate(1.0, q={"bus.x": 0.5})
    assert run["c.x"][-1] == 0.5


# What is refused


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (
            {"law": {"voltage": 1}},
            "controllers.c: it needs a period in seconds, or a rate in samples per second: neither",
        ),
        ({"rate": 10, "period": 0.1, "law": {"voltage": 1}}, "both are given; leave one out"),
        ({"rate": 0, "law": {"voltage": 1}}, "rate is 0; it must be positive"),
        ({"rate": 10, "delay": -1, "law": {"voltage": 1}}, "delay is -1; it must be at least 0"),
        ({"rate": 10, "delay": 0.1, "delay_samples": 1, "law": {"voltage": 1}}, "both given; leave one out"),
        ({"rate": 1000, "delay": 2, "law": {"voltage": 1}}, "its delay lasts 2000 samples, and at most 1000"),
        ({"rate": 10}, "it does nothing: give a law for an input, or states"),
        ({"rate": 10, "law": {"volts": 1}}, "'volts' is not an input of the system. Did you mean voltage"),
        ({"rate": 10, "states": {"i": 1}, "reads": {"i": "t"}}, "'i' is the name of a state and of a reading"),
        ({"rate": 10, "states": {"period": 1}}, "'period' is the period"),
        ({"rate": 10, "states": {"i": "k"}}, "controllers.c.states.i: 'k' is not declared"),
        ({"rate": 10, "states": {"i": 1}, "initial": {"j": 1}}, "initial: 'j' is none of i"),
        ({"rate": 10, "states": {"i": 1}, "anti_windup": "hold"}, "nothing winds up without limits"),
        ({"rate": 10, "law": "1"}, "controllers.c.law: names with values are needed here, not the text '1'"),
        ({"rate": 10, "law": {"voltage": 1}, "saturation": (2, 1)}, "saturation: its lower limit 2 is above the upper"),
        ({"rate": 10, "law": {"voltage": 1}, "saturation": {"voltage": (2, 1)}}, "its lower limit 2 is above"),
        (
            {"rate": 10, "law": {"voltage": 1}, "rate_limit": 0},
            "controllers.c.rate_limit: it is 0; it must be positive",
        ),
        ({"rate": 10, "law": {"voltage": 1}, "quantisation": -1}, "quantisation: it is -1; it must be positive"),
        ({"period": 1e-30, "states": {"i": 1}}, "its samples are 1e-30 s apart; at least 1e-09 s are needed"),
        ({"period": "1/0", "states": {"i": 1}}, "'1/0' is not a number, or a quotient of two"),
    ],
)
def test_wrong_controllers_are_refused(options: dict[str, Any], text: str) -> None:
    s = motor()
    with pytest.raises(fb.FreebodyError) as error:
        s.controller("c", **options)
    assert text in str(error.value)
    s.controller("c", rate=10, law={"voltage": 1})  # nothing of it is left


def test_a_state_that_no_limited_law_uses_has_no_anti_windup() -> None:
    s = motor()
    s.controller("c", rate=10, law={"voltage": 1}, states={"i": "i + 1"}, saturation=(-1, 1), anti_windup={"i": "hold"})
    with pytest.raises(fb.FreebodyError, match=r"controller 'c': anti_windup: no law .* limited depends on state 'i'"):
        s.simulate(1.0)


def test_an_input_has_one_writer() -> None:
    s = pi_controlled()
    with pytest.raises(fb.FreebodyError, match="input 'voltage' is written by 'pi' already; an input has one writer"):
        s.controller("other", rate=10, law={"voltage": 1})
    for call in (s.simulate, lambda end, inputs: s.sweep(end, {"kp": [1.0]}, inputs=inputs)):
        with pytest.raises(fb.FreebodyError, match="input 'voltage' is written by controller 'pi'"):
            call(1.0, inputs={"voltage": 1.0})
    with pytest.raises(fb.FreebodyError, match="input 'voltage' is written by controller 'pi'"):
        s.sweep(1.0, {"voltage": [1.0]})
    sim = s.simulator()
    with pytest.raises(
        fb.FreebodyError, match=r"input 'voltage' is written by controller 'pi' every 0\.01 s, and cannot"
    ):
        sim.set(inputs={"voltage": 1.0})
    with pytest.raises(fb.FreebodyError, match="'pi' is the name of a sampled element"):
        s.body("pi")
    with pytest.raises(fb.FreebodyError, match="run forward in time only"):
        s.simulate([0.0, -1.0])
