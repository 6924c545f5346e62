"""Accelerations and reactions in runs: they are recorded, may be used in events, and are refused in input laws."""

from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError

G = 9.81
METHODS = ("rk4", "dopri5", "dop853", "rodas5p", "esdirk54", "radau", "bdf", "lsoda", "cvode", "ida")
STEP, SLOPE = 1e-4, 1e-6  # error of central differences over STEP; measured: below 2e-7
LAWS = (0.0, "-2*u.b0 + sin(3*t)")


def chain(n: int) -> fb.System:
    """Rods in a plane with a motor at the first joint; the tip is an output."""
    s = fb.System("chain")
    motor, on = s.input("motor"), s.ground
    for k in range(n):
        at = (0, 0, -0.5 * (k > 0))
        on = s.body(f"b{k}", on, fb.Revolute("y"), at=at, mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))  # type: ignore[assignment]
    s.joint_force(s.bodies["b0"], motor)
    tip = s.bodies[f"b{n - 1}"].point((0, 0, -1))
    s.output("v", s.velocity(tip))
    s.output("a", s.acceleration(tip))
    s.output("held", s.reaction_force(s.bodies["b0"]))
    return s


def times() -> Any:
    return np.sort(np.concatenate([[0.0], *(np.linspace(0.1, 1, 5) + d for d in (-STEP, 0, STEP))]))


def require_rates(run: fb.Trajectory) -> None:
    """Assert that the recorded accelerations are the rates of the recorded velocities."""
    v, a = run["v"][1:].reshape(-1, 3, 3), run["a"][2::3]
    assert np.abs((v[:, 2] - v[:, 0]) / (2 * STEP) - a).max() < SLOPE * np.abs(a).max()


def options(method: str) -> dict[str, Any]:
    return {"method": method, "rtol": 1e-10, "atol": 1e-12} | ({"step": 1e-3} if method == "rk4" else {})


def test_pendulum_released_level_accelerates_with_g() -> None:
    s = fb.System("pendulum")
    arm = s.body("arm", joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
    s.output("a", s.acceleration(arm.point((0, 0, -1))))
    s.output("size", s.acceleration(arm.centre).norm())
    s.output("hold", "reaction.arm.force.x")
    run = s.simulate(0.5, q={"arm": np.pi / 2})
    assert np.allclose(run["a"][0], [0, 0, -G], atol=1e-14) and run["size"][0] == pytest.approx(G)
    assert run["u_dot.arm"][0] == pytest.approx(G * -1) and run["hold"][0] == pytest.approx(0, abs=1e-14)
    w = run["u.arm"]
    assert np.allclose(run["size"], np.hypot(run["u_dot.arm"], w**2), rtol=1e-13)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_records_accelerations_and_detects_their_zeros(method: str) -> None:
    if method in ("cvode", "ida"):
        pytest.importorskip("sksundae", reason="SUNDIALS is not installed")
    s = chain(2)
    eq = s.derive()
    events = [
        fb.Event("a.z - 3", name="text"),
        fb.Event(s.acceleration(s.bodies["b0"].centre).dot(s.ground.x)),
        fb.Event("u_dot.b0 - u_dot.b1/2"),
        fb.Event("reaction.b0.force.z - 20"),
    ]
    for law in LAWS:
        run = eq.simulate(times(), q={"b0": 1.0}, inputs={"motor": law}, events=events, **options(method))
        require_rates(run)
        f = eq.compile("numpy")
        for k, event in enumerate((lambda o, u: o["a"][2] - 3, None, lambda o, u: u[0] - u[1] / 2)):
            for t, x in zip(run.t_events[k], run.y_events[k], strict=True):
                motor = 0.0 if law == 0 else -2 * x[2] + np.sin(3 * t)
                o, u_dot = (g(x[:2], x[2:], t=t, inputs=[motor]) for g in (f.outputs, f.forward_dynamics))
                assert event is None or abs(event(o, u_dot)) < 1e-7
        assert [len(found) > 0 for found in run.t_events] == [True, True, True, True]


@pytest.mark.parametrize("formulation", ("crba", "aba", "cheapest", "sayers", "poincare"))
def test_every_formulation_records_the_same_values(formulation: str) -> None:
    kane, eq = (chain(3).derive(f) for f in ("kane", formulation))
    arguments: dict[str, Any] = {"q": {"b0": 1.0, "b2": -0.4}, "inputs": {"motor": LAWS[1]}, "rtol": 1e-10}
    event = fb.Event("a.x + held.z - 12", name="mix")
    one, other = (e.simulate(times(), events=event, **arguments) for e in (kane, eq))
    require_rates(other)
    assert np.allclose(one["held"], other["held"], atol=1e-7) and np.allclose(one["a"], other["a"], atol=1e-7)
    assert len(one.t_events[0]) and np.allclose(one.t_events[0], other.t_events[0], atol=1e-9)


@pytest.mark.parametrize(("n", "formulation", "kind"), ((34, "kane", "Derivation"), (52, "aba", "Rolled")))
def test_accelerations_of_large_systems(n: int, formulation: str, kind: str) -> None:
    """Above 32 speeds M is factored in a region of its own; above 50 bodies of a kind the program has loops."""
    eq = chain(n).derive(formulation)
    assert type(eq.derivation).__name__ == kind
    arguments: dict[str, Any] = {"q": {"b0": 0.5}, "inputs": {"motor": LAWS[1]}, "rtol": 1e-9}
    run = eq.simulate(times()[:7], **arguments)
    v, a = run["v"][1:].reshape(-1, 3, 3), run["a"][2::3]
    assert np.abs((v[:, 2] - v[:, 0]) / (2 * STEP) - a).max() < SLOPE * np.abs(a).max()
    rate = run["u_dot.b0"][[0, -1]].mean()
    run = eq.simulate(times()[:7], events=fb.Event(f"u_dot.b0 - ({rate})"), **arguments)
    f, (x, *_), (t, *_) = eq.compile("numpy"), run.y_events[0], run.t_events[0]
    found = f.forward_dynamics(x[:n], x[n:], inputs=[np.sin(3 * t) - 2 * x[n]])[0]
    assert found == pytest.approx(rate, abs=1e-7 * abs(rate))


def test_accelerations_of_prescribed_and_coupled_joints() -> None:
    s = fb.System("gears")
    drum = s.body("drum", joint=fb.Revolute("y", motion="sin(2*t)"), mass=1, inertia=(1, 1, 1))
    one = s.body("one", drum, fb.Revolute("y"), at=(1, 0, 0), mass=1, com=(0, 0, -1), inertia=(0.2, 0.2, 0.2))
    other = s.body("other", one, fb.Revolute("y"), at=(0, 0, -1), mass=1, com=(0, 0, -1), inertia=(0.2, 0.2, 0.2))
    s.couple(other, one, ratio=-2)
    s.output("v", s.velocity(other.centre))
    s.output("a", s.acceleration(other.centre))
    s.output("sum", "u_dot.drum + 10*u_dot.one + 100*u_dot.other")
    run = s.simulate(times(), q={"one": 0.5}, rtol=1e-10, events=[fb.Event("u_dot.other"), fb.Event("u_dot.drum + 2")])
    require_rates(run)
    assert np.allclose(run["sum"], run["u_dot.drum"] + 10 * run["u_dot.one"] + 100 * run["u_dot.other"], atol=1e-11)
    assert np.allclose(run["u_dot.other"], -2 * run["u_dot.one"], atol=1e-12)
    assert np.allclose(run.t_events[1], np.arcsin(0.5) / 2, atol=1e-8) and len(run.t_events[0])


def test_resets_may_use_accelerations() -> None:
    """A reset uses the acceleration before the event."""
    s = fb.System("ball")
    s.body("ball", joint=fb.Prismatic("z", damping=0.5), mass=1.0)
    s.state("peak", 0)
    run = s.simulate(1.0, q={"ball": 0.3}, events=fb.Event("q.ball", -1, reset={"u.ball": 1.0, "peak": "u_dot.ball"}))
    before = run.y_events[0][-1]
    assert run["peak"][-1] == pytest.approx(-G - 0.5 * before[1]) and run["peak"][-1] > -G


def test_sweeps_record_the_same_accelerations_as_single_runs() -> None:
    s = chain(2)
    starts = np.linspace(-1, 1, 5)
    grid = s.sweep(times(), {"q.b0": starts}, inputs={"motor": LAWS[1]}, record=["output.a", "output.held"])
    one = s.simulate(times(), q={"b0": starts[1]}, inputs={"motor": LAWS[1]})
    row = grid.isel({"q.b0.initial": 1})
    assert np.allclose(row["output.a"], one["a"], atol=1e-6) and np.allclose(row["output.held"], one["held"], atol=1e-6)


def test_input_laws_may_not_use_accelerations() -> None:
    s = chain(2)
    centre = s.acceleration(s.bodies["b0"].centre).norm()
    for law in ("-u_dot.b0", "a.z", "reaction.b0.force.x", "2*held.x", centre):
        with pytest.raises(ArgumentError, match=r"input 'motor' uses accelerations or reactions .*known only after"):
            s.simulate(1.0, inputs={"motor": law})
    with pytest.raises(ArgumentError, match=r"event 'x': 'u_dot\.b7' is not declared"):
        s.simulate(1.0, inputs={"motor": 0}, events=fb.Event("u_dot.b7", name="x"))
    other = fb.System()
    away = other.body("else", joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
    with pytest.raises(ArgumentError, match="which this system does not have"):
        s.simulate(1.0, inputs={"motor": 0}, events=fb.Event(other.acceleration(away.centre).norm()))


# Forces that act in a short part of the way, which long steps could go past

WALL, DEPTH = 1e4, 0.02  # N, m


@pytest.fixture(scope="module")
def wall() -> fb.Equations:
    """A mass of 1 kg, without gravity, and a wall at x = 3 that pushes back over 4 cm."""
    s = fb.System("wall")
    mass = s.body("mass", joint=fb.Prismatic("x"), mass=1.0)
    s.joint_force(mass, f"where(abs(q.mass - 3) < {DEPTH}, -{WALL:g}, 0)")
    return s.derive()


@pytest.mark.parametrize("rtol", [1e-3, 1e-8])
@pytest.mark.parametrize("method", METHODS[1:])
def test_no_step_goes_past_a_force_that_the_run_records(wall: fb.Equations, method: str, rtol: float) -> None:
    """The mass rebounds with the opposite speed at x = 3 − DEPTH + v²/2a, whatever the speed with which it comes."""
    if method in ("cvode", "ida"):
        pytest.importorskip("sksundae")
    v = 1.0
    run = wall.simulate(10.0, u={"mass": v}, method=method, rtol=rtol, atol=rtol / 100)
    turn = (3 - DEPTH) / v
    back = 3 - DEPTH - v * (10.0 - turn - 2 * v / WALL)
    assert run["u.mass"][-1] < 0 and run["mass"].max() < 3
    assert rtol > 1e-6 or run["mass"][-1] == pytest.approx(back, abs=0.02)
    assert run.statistics.rejected > 0


@pytest.mark.parametrize("method", ["dopri5", "dop853"])
def test_lanes_repeat_the_steps_that_single_runs_repeat(wall: fb.Equations, method: str) -> None:
    speeds = np.linspace(0.5, 1.5, 11)
    cases = wall.sweep(10.0, {"u.mass": speeds}, method=method)
    for k, v in enumerate(speeds.tolist()):
        run = wall.simulate(10.0, u={"mass": v}, method=method)
        assert np.array_equal(cases["q.mass"].values[k], run["q.mass"])
        assert int(cases["steps"].values[k]) == run.statistics.steps
        assert int(cases["evaluations"].values[k]) == run.statistics.evaluations


def test_events_found_in_a_step_that_is_repeated_are_logged_once(wall: fb.Equations) -> None:
    run = wall.simulate(10.0, u={"mass": 1.0}, events=[fb.Event("q.mass - 1"), fb.Event("q.mass - 2.9")])
    assert [name for _, name in run.events] == ["event1", "event2", "event2", "event1"]
    assert run.t_events[0] == pytest.approx([1.0, 4.96], abs=1e-3)
