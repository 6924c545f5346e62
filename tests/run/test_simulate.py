"""Runs of whole systems: published motions, inputs, recorded quantities, events, failures, Ctrl-C and restarts."""

import os
import signal
import threading
import time
import tracemalloc

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, FunctionError, SimulationWarning
from freebody.run.recorder import Recorder
from tests.mechanisms import build_system, random_trees
from tests.run.systems import PI, ball, double_pendulum, oscillator, pendulum, spinning

METHODS = ("dop853", "dopri5", "radau", "bdf", "lsoda", "cvode", "ida")
TIGHT = {"rtol": 1e-11, "atol": 1e-13}


# Published motions


@pytest.mark.parametrize("method", ["dop853", "dopri5"])
def test_planar_pendulum_matches_the_exact_solution(method: str) -> None:
    """IFToMM benchmark A01: m = 1, L = 1, g = 9.81, released at rest from (-1, 0)."""
    run = pendulum().simulate([0.0, 1.0, 10.0], q={"arm": PI / 2}, method=method, **TIGHT)
    x, y = -np.sin(run["arm"]), -np.cos(run["arm"])
    expected = [(0.9862917511318754, -0.165010853125541), (-0.275087462576117, -0.961419205099125)]
    assert np.allclose(np.stack([x, y], 1)[1:], expected, atol=2e-9)


def test_pendulum_swings_with_its_exact_period() -> None:
    down = fb.Event("u.arm", direction=1, terminal=True, name="turn")
    run = pendulum().simulate(3.0, q={"arm": PI / 2}, events=[fb.Event("u.arm", direction=-1, terminal=True)], **TIGHT)
    assert run.status == 1
    assert run.t[-1] == pytest.approx(2.3678419475762373, abs=1e-10)
    assert run.t_events[0][0] == run.t[-1]
    half = pendulum().simulate(3.0, q={"arm": PI / 2}, events=[down], **TIGHT)
    assert half.t[-1] == pytest.approx(2.3678419475762373 / 2, abs=1e-10)


def test_free_body_matches_the_exact_solution() -> None:
    """ω at t = 10 of a free body with I = (1, 2, 3) and ω0 = (.1, 1, .1)."""
    run = spinning().simulate([0.0, 10.0], u={"body": (0.1, 1.0, 0.1, 0, 0, 0)}, **TIGHT)
    w = [run[f"u.body.{k}"][-1] for k in ("wx", "wy", "wz")]
    assert np.allclose(w, (-0.304543316652, -0.957733453672, 0.193861317886), atol=1e-10)
    norms = sum(run[f"body.{k}"] ** 2 for k in ("qw", "qx", "qy", "qz"))
    assert np.max(np.abs(norms - 1)) < 1e-14
    assert np.ptp(run["momentum.angular"], axis=0).max() < 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_double_pendulum_matches_the_reference_solution(method: str) -> None:
    """State at t = 2, released at rest from (π/2, π/2); the angles are absolute."""
    run = double_pendulum().simulate([0.0, 2.0], q={"upper": PI / 2}, method=method, rtol=1e-10, atol=1e-12)
    q, u = (np.array([run[f"{k}.upper"][-1], run[f"{k}.lower"][-1]]) for k in "qu")
    expected = [-0.48297153425, -1.32404871230, 3.06528819207, 2.94927154757]
    tolerance = 1e-9 if method in ("dop853", "dopri5") else 1e-6
    assert np.allclose([q[0], q.sum(), u[0], u.sum()], expected, atol=tolerance)


def test_rk4_saves_at_step_ends() -> None:
    run = double_pendulum().simulate(2.0, q={"upper": PI / 2}, method="rk4", step=1e-3)
    assert (len(run.t), run.statistics.steps) == (1001, 2000)
    assert run["q.upper"][-1] == pytest.approx(-0.48297153425, abs=1e-8)


def test_energy_is_conserved() -> None:
    run = double_pendulum().simulate(20.0, q={"upper": 2.0, "lower": 1.0}, **TIGHT)
    assert run.energy_error < 1e-9
    assert run["energy.total"][0] == pytest.approx(-9.81 * (2 * np.cos(2.0) + np.cos(3.0)), rel=1e-12)


def test_springs_between_points_conserve_energy() -> None:
    s = double_pendulum()
    s.spring(s.ground.point((1, 0, 0)), s.bodies["lower"].point((0, 0, -1)), stiffness="20*m", free_length=0.4)
    s.force_between(s.ground.point((0, 1, 0)), s.bodies["upper"].point((0, 0, -1)), lambda length, rate: 3 + 0 * length)
    run = s.simulate(5.0, q={"upper": 1.0, "lower": 0.5}, **TIGHT)
    assert run.energy_error < 1e-9
    damped = double_pendulum()
    damped.spring(damped.ground.point((1, 0, 0)), damped.bodies["lower"].point(), stiffness=20, damping=2.0)
    loss = damped.simulate(5.0, q={"upper": 1.0}, **TIGHT)["energy.total"]
    assert np.all(np.diff(loss) <= 1e-9) and loss[-1] < loss[0] - 1


# Recorded quantities


@pytest.mark.parametrize("seed", range(12))
def test_recorded_quantities_match_their_programs(seed: int) -> None:
    """Energies, momenta, accelerations and outputs of a run, assembled body by body, match the programs of these
    quantities."""
    made = random_trees.tree(seed, bodies=5)
    draw = random_trees.Draw(np.random.default_rng(seed))
    s = build_system.system(random_trees.loaded(made, draw) if seed % 2 else made)
    system = fb.System(s.name)
    system.__dict__.update(s.__dict__)
    eq = system.derive()
    rest = eq.simulate([0.0], inputs={"motor": 0.3})
    q0 = rest.x[0, : len(eq.q)] + np.random.default_rng(seed).normal(size=len(eq.q)) * 0.3
    for k in rest.about.quaternions:
        q0[k : k + 4] /= np.linalg.norm(q0[k : k + 4])
    run = eq.simulate(np.linspace(0, 0.2, 5), q=q0, inputs={"motor": 0.3}, rtol=1e-6, atol=1e-6)
    assert run.success
    f = eq.compile("numpy")
    n, m = len(eq.q), len(eq.u)
    for k, t in enumerate(run.t):
        q, u, z = run.x[k, :n], run.x[k, n : n + m], run.x[k, n + m :]
        energies, momenta = f.energies(q, u, t), f.momenta(q, u, t)
        for name in ("kinetic", "potential"):
            assert run[f"energy.{name}"][k] == pytest.approx(float(energies[name]), rel=1e-9, abs=1e-9)
        for name in ("linear", "angular"):
            assert np.allclose(run[f"momentum.{name}"][k], momenta[name], rtol=1e-9, atol=1e-9)
        u_dot = f.forward_dynamics(q, u, t=t, z=z, inputs=[0.3])
        assert np.allclose([run[f"u_dot.{name}"][k] for name in eq.u], u_dot, rtol=1e-9, atol=1e-9)


def test_recorded_poses_match_the_bodies() -> None:
    s = double_pendulum()
    s.output("elbow", s.position(s.bodies["lower"]))
    s.output("ahead", s.bodies["lower"].x)
    run = s.simulate(1.0, q={"upper": 0.4, "lower": -0.3})
    pose = run["pose.lower"]
    assert np.allclose(pose[:, :3], run["elbow"], atol=1e-14)
    w, x, y, z = pose[:, 3:].T
    first = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], 1)
    assert np.allclose(first, run["ahead"], atol=1e-14)


def test_prescribed_coordinates_are_recorded() -> None:
    s = fb.System("crank")
    s.body("crank", joint=fb.Revolute("z", motion="0.5*t**2"), mass=1.0, com=(1, 0, 0))
    s.body("rider", on="crank", at=(1, 0, 0), joint=fb.Revolute("z"), mass=1.0, com=(1, 0, 0))
    run = s.simulate(1.0)
    assert np.allclose(run["q.crank"], run.t**2 / 2) and np.allclose(run["u.crank"], run.t)
    assert np.allclose(run["u_dot.crank"], 1.0)
    assert "q.crank" not in run.about.state
    with pytest.raises(ArgumentError, match="'crank' is prescribed as a function of time"):
        s.simulate(1.0, q={"crank": 1.0})


def test_loads_are_recorded_by_name() -> None:
    s = fb.System("hung", gravity=(0, 0, -9.81))
    s.body("mass", joint=fb.Prismatic("z"), mass=2.0)
    s.spring(s.ground.point((0, 0, 1)), s.bodies["mass"].point(), stiffness=100.0, free_length=0.5, name="coil")
    s.force(s.bodies["mass"].x * 3, at=s.bodies["mass"], name="side")
    run = s.simulate(1.0)
    assert np.allclose(run["load.coil"], 100 * (1 - run["mass"] - 0.5))
    assert np.allclose(run["side"], [3, 0, 0])
    assert np.allclose(run["u_dot.mass"], run["load.coil"] / 2 - 9.81)
    assert run.variables["load.coil"].unit == "N"


# Inputs


def test_all_kinds_of_inputs_give_the_same_motion() -> None:
    """x'' = -x + sin 2t has the solution x = (2 sin t - sin 2t)/3."""
    s = oscillator()
    grid = np.linspace(0, 5, 3001)
    ways = {
        "text": "sin(2*t)",
        "expression": fb.sin(2 * s.t),
        "function": lambda t: np.sin(2 * t),
        "function of the state": lambda t, x: np.sin(2 * t) + 0 * x[0],
        "table": fb.table("wave", grid, np.sin(2 * grid), "cubic"),
        "pair": (grid, np.sin(2 * grid)),
    }
    for name, way in ways.items():
        run = s.simulate(5.0, inputs={"push": way}, rtol=1e-9, atol=1e-11)
        exact = (2 * np.sin(run.t) - np.sin(2 * run.t)) / 3
        assert np.max(np.abs(run["cart"] - exact)) < (1e-8 if "table" not in name and name != "pair" else 1e-6), name
        assert np.allclose(run["input.push"], np.sin(2 * run.t), atol=1e-6), name
    assert "Python function" in s.simulate(0.1, inputs={"push": np.sin}).about.inputs["push"]


def test_feedback_laws_are_compiled() -> None:
    """x'' = -x - 3x - 4x' (critically damped) has the solution x = (1 + 2t) exp(-2t)."""
    run = oscillator().simulate(3.0, q={"cart": 1.0}, inputs={"push": "-3*q.cart - 4*u.cart"}, **TIGHT)
    assert np.allclose(run["cart"], (1 + 2 * run.t) * np.exp(-2 * run.t), atol=1e-10)
    assert np.allclose(run["push"], -3 * run["q.cart"] - 4 * run["u.cart"])


def test_input_laws_may_use_outputs_states_and_parameters() -> None:
    s = oscillator()
    s.state("filter", rate="q.cart - filter", initial=0.5)
    s.output("twice", 2 * s.bodies["cart"].q[0])
    run = s.simulate(1.0, q={"cart": 1.0}, inputs={"push": "-k*twice + filter"})
    assert np.allclose(run["push"], -2 * run["cart"] + run["z.filter"])


def test_exceptions_of_python_inputs_reach_the_caller() -> None:
    def broken(t: float) -> float:
        raise RuntimeError("no power")

    with pytest.raises(FunctionError, match="no power"):
        oscillator().simulate(1.0, inputs={"push": broken})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, r"input 'push' has no value\. Give inputs=\{'push': 0\.0\}"),
        ({"inputs": {"pull": 1.0}}, "has no input 'pull'; choose from push"),
        ({"inputs": {"push": float("nan")}}, "input 'push': nan is not finite"),
        ({"inputs": {"push": "sin(q.kart)"}}, "input 'push': .*Did you mean q.cart"),
        ({"inputs": {"push": [1, 2]}}, "input 'push': .* is not a number, text"),
        ({"inputs": {"push": lambda a, b, c: 0.0}}, "this one takes 3 arguments"),
        ({"inputs": {"push": "__import__('os')"}}, "input 'push'"),
        ({"inputs": {"push": 0.0}, "q": {"kart": 1.0}}, r"no coordinate 'kart' \(did you mean 'cart'\?\)"),
        ({"inputs": {"push": 0.0}, "u": {"x": 1.0}}, "no speed 'x'; choose from cart"),
        ({"inputs": {"push": 0.0}, "z": {"x": 1.0}}, "no state 'x'; there are none"),
        ({"inputs": {"push": 0.0}, "q": {"cart": "high"}}, "'high' is not a number"),
        ({"inputs": {"push": 0.0}, "q": {"cart": float("inf")}}, "is not finite"),
        ({"inputs": {"push": 0.0}, "q": [1.0, 2.0]}, "q has 1 numbers \\(cart\\), not 2"),
        ({"inputs": {"push": 0.0}, "parameters": {"kk": 1.0}}, "has no parameter 'kk'; choose from k"),
        ({"inputs": {"push": 0.0}, "method": "euler"}, "there is no method 'euler' .the nearest to it is 'rk4'"),
        ({"inputs": {"push": 0.0}, "method": "rk4"}, "give step"),
        ({"inputs": {"push": 0.0}, "atol": {"q.kart": 1.0}}, "'q.kart' is not a state"),
        ({"inputs": {"push": 0.0}, "rtol": -1.0}, "rtol must be a number ≥ 0"),
        ({"inputs": {"push": 0.0}, "events": ["q.cart"]}, r"must be an Event\(when"),
        ({"inputs": {"push": 0.0}, "events": [fb.Event("q.cart > 1")]}, "true or false and never crosses zero"),
        ({"inputs": {"push": 0.0}, "events": [fb.Event("q.cart", reset={"u.kart": 0})]}, "no state to reset 'u.kart'"),
        ({"inputs": {"push": 0.0}, "events": [fb.Event("1", direction=2)]}, "direction must be −1, 0 or 1"),
    ],
)  # fmt: skip
def test_wrong_options_are_refused(options: dict, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        oscillator().simulate(1.0, **options)


@pytest.mark.parametrize("end", ["soon", float("inf"), [], [0.0, 1.0, 0.5], [[0, 1]]])
def test_invalid_times_are_refused(end: object) -> None:
    with pytest.raises(ArgumentError, match=r"times|a run needs"):
        pendulum().simulate(end)


def test_initial_values_may_be_given_per_body() -> None:
    turn = np.array([0.5, 0.5, 0.5, 0.5])
    run = spinning().simulate([0.0], q={"body": (1, 2, 3, *turn)}, u={"body.vx": 4.0})
    assert np.allclose(run.x[0], [1, 2, 3, *turn, 0, 0, 0, 4, 0, 0])
    with pytest.raises(ArgumentError, match=r"takes 7 number\(s\)"):
        spinning().simulate(1.0, q={"body": (1, 2, 3)})
    with pytest.raises(ArgumentError, match=r"quaternion .* has length 2, not 1"):
        spinning().simulate(1.0, q={"body.qw": 2.0})


def test_joints_define_initial_values_and_limits() -> None:
    with pytest.warns(SimulationWarning, match=r"coordinate 'arm' leaves its limits -0\.5 … 0\.5 at t"):
        run = pendulum(initial=(0.4,), limits=(-0.5, 0.5)).simulate(1.0, u={"arm": 2.0})
    assert run["arm"][0] == 0.4


def gripper() -> fb.System:
    """A finger with limits, one coupled to it at half its angle, one with a prescribed motion, and one without
    limits."""
    s = fb.System("gripper")
    for name, joint in {
        "lead": fb.Revolute("y", limits=(-1.0, 0.5)),
        "follow": fb.Revolute("y", limits=(-0.2, 0.2)),
        "timed": fb.Revolute("y", limits=(-2.0, 0.3), motion="2*t"),
        "free": fb.Revolute("y"),
    }.items():
        s.body(name, joint=joint, mass=1.0, inertia=(1, 1, 1))
    s.couple("follow", to="lead", ratio=0.5)
    return s


def test_limits_of_coupled_and_prescribed_coordinates_are_monitored() -> None:
    """lead = t, so lead / 2 exceeds 0.2 at t = 0.4 and 2 t exceeds 0.3 at t = 0.15."""
    with pytest.warns(SimulationWarning) as caught:
        run = gripper().simulate([0.0, 0.1, 0.2, 0.3, 0.41, 0.49], u={"lead": 1.0, "free": 9.0})
    texts = [str(w.message) for w in caught]
    assert [t.split("'")[1] for t in texts] == ["follow", "timed"]
    assert "leaves its limits -0.2 … 0.2 at t = 0.41 s" in texts[0]
    assert "leaves its limits -2 … 0.3 at t = 0.2 s" in texts[1]
    assert np.allclose(run["follow"], run.t / 2) and np.allclose(run["timed"], 2 * run.t)


@pytest.mark.filterwarnings("ignore::freebody.errors.SimulationWarning")
def test_limits_do_not_derive_recorded_quantities() -> None:
    """Recorded quantities are derived when they are first read, with and without limits."""
    run = gripper().simulate([0.0, 0.4], u={"lead": 1.0})
    recorder = run._recorder
    assert isinstance(recorder, Recorder)
    system = recorder.compiled.system
    assert "value" in system.mechanics.followers.__dict__ and "value" not in system.record.__dict__


# Events


def test_bounce_times_match_the_closed_form() -> None:
    """Dropped from 1 m with restitution 0.8, the ball bounces at t1, t1 + 2 e v/g, …"""
    bounce = fb.Event("q.ball", direction=-1, reset={"u.ball": "-0.8*u.ball"}, name="bounce")
    run = ball().simulate(3.0, q={"ball": 1.0}, events=[bounce], **TIGHT)
    t1, v = np.sqrt(2 / 9.81), np.sqrt(2 * 9.81)
    flights = 2 * v * 0.8 ** np.arange(1, 12) / 9.81
    expected = t1 + np.concatenate([[0], np.cumsum(flights)])
    expected = expected[expected < 3.0]
    assert np.allclose(run.t_events[0], expected, atol=1e-10)
    assert run["ball"].min() > -1e-9
    assert np.allclose(run.events.after[:, 1], -0.8 * run.events.before[:, 1])
    assert [name for _, name in run.events] == ["bounce"] * len(expected)


def test_interpolation_uses_the_correct_side_of_a_bounce() -> None:
    bounce = fb.Event("q.ball", direction=-1, reset={"u.ball": "-u.ball"})
    run = ball().simulate(np.linspace(0, 1.0, 11), q={"ball": 1.0}, events=[bounce], **TIGHT)
    t1 = np.sqrt(2 / 9.81)
    for t in (t1 - 1e-3, t1 + 1e-3):
        assert run.sol(t)[0] == pytest.approx(1 - 9.81 * (t if t < t1 else 2 * t1 - t) ** 2 / 2, abs=1e-9)


def test_endless_bounces_end_the_run() -> None:
    bounce = fb.Event("q.ball", direction=-1, reset={"u.ball": "-0.5*u.ball"}, name="bounce")
    with pytest.warns(SimulationWarning, match="event 'bounce' happens again and again"):
        run = ball().simulate(10.0, q={"ball": 1.0}, events=[bounce])
    assert not run.success
    assert run.t[-1] == pytest.approx(3 * np.sqrt(2 / 9.81), abs=1e-3)


@pytest.mark.parametrize("method", METHODS)
def test_passive_events_are_recorded_by_every_method(method: str) -> None:
    run = oscillator().simulate(
        10.0,
        u={"cart": 1.0},
        inputs={"push": 0.0},
        events=[fb.Event("q.cart", name="zero")],
        method=method,
        rtol=1e-9,
        atol=1e-11,
    )
    assert np.allclose(run.t_events[0], PI * np.arange(1, 4), atol=1e-5)
    assert run.status == 0


@pytest.mark.parametrize("method", METHODS)
def test_events_reset_and_stop_with_every_method(method: str) -> None:
    bounce = fb.Event("q.ball", direction=-1, reset={"u.ball": "-u.ball"}, name="bounce")
    late = fb.Event("t - 1.2", terminal=True, name="late")
    run = ball().simulate(3.0, q={"ball": 1.0}, events=[bounce, late], method=method, rtol=1e-8, atol=1e-10)
    assert run.t_events[0] == pytest.approx([np.sqrt(2 / 9.81)], abs=1e-6)
    assert run.t[-1] == pytest.approx(1.2) and run.message == "event 'late' ended the run at t = 1.2 s"


def test_simultaneous_events_are_all_applied() -> None:
    s = fb.System("corner")
    s.body("ball", joint=fb.Planar("y"), mass=1.0, inertia=(1, 1, 1))
    names = s.derive().q
    run = s.simulate(
        0.5,
        q={names[0]: 0.3},
        u={},
        events=[
            fb.Event("t - 0.25", reset={f"u.{names[0]}": 1.0}, name="a"),
            fb.Event("t - 0.25", reset={f"u.{names[1]}": 2.0}, name="b"),
        ],
    )
    assert [name for _, name in run.events] == ["a", "b"]
    assert run[f"u_dot.{names[0]}"].shape == run.t.shape


# Failures


def test_a_singular_mass_matrix_names_the_joint() -> None:
    """A bead moves along a massless arm; where it passes the hinge, the arm has no inertia."""
    s = fb.System("slider", gravity=(0, 0, 0))
    arm = s.body("arm", joint=fb.Revolute("y"), mass=0.0)
    s.body("bead", on=arm, joint=fb.Prismatic("x", motion="1 - t"), mass=1.0)
    s.joint_force(arm, 0.1)
    with pytest.warns(SimulationWarning, match="singular"):
        run = s.simulate(2.0)
    assert not run.success and run.status == -1
    assert "joint 'arm'" in run.message and "at t = 1" in run.message
    assert run.t[-1] == pytest.approx(1.0, abs=1e-6) and np.all(np.isfinite(run.x))
    assert np.allclose(run["u.arm"][:500], (0.1 * run.t / (1 - run.t) ** 2)[:500], rtol=1e-6)


def test_unbounded_rates_end_the_run() -> None:
    s = fb.System("blow-up", gravity=(0, 0, 0))
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    s.joint_force(cart, "u.cart**2")
    with pytest.warns(SimulationWarning, match=r"at t = 0\.9999.* or |at t = 1 s .*|at t = 0\.99999"):
        run = s.simulate(2.0, u={"cart": 1.0})
    assert "joint 'cart'" in run.message
    assert run.t[-1] == pytest.approx(1.0, abs=1e-3)
    assert len(run.t) > 400 and run["u.cart"][100] == pytest.approx(1 / (1 - run.t[100]), rel=1e-6)


def test_ctrl_c_returns_the_partial_run() -> None:
    s = double_pendulum()
    eq = s.derive()
    eq.simulate(0.1, q={"upper": 1.0})
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    run = eq.simulate(np.linspace(0, 1e7, 10), q={"upper": 1.0})
    assert time.monotonic() - start < 20
    assert run.status == -2 and run.message.startswith("interrupted at t = ") and 0 < run.t[-1] < 1e7


def test_long_runs_use_little_memory() -> None:
    """A run of a million steps with a thousand saved times."""
    eq = pendulum().derive()
    eq.simulate(1.0, q={"arm": 1.0}, method="rk4", step=1e-3)
    tracemalloc.start()
    run = eq.simulate(np.linspace(0, 1000, 1001), q={"arm": 1.0}, method="rk4", step=1e-3)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert run.statistics.steps == 1_000_000 and len(run.t) == 1001
    assert peak < 20e6


# Restarts


def test_runs_can_be_continued() -> None:
    s = double_pendulum()
    whole = s.simulate([0.0, 1.0, 2.0], q={"upper": 1.0}, **TIGHT)
    first = s.simulate(1.0, q={"upper": 1.0}, parameters=None, **TIGHT)
    second = s.simulate(2.0, start=first, **TIGHT)
    assert second.t[0] == 1.0 and second.t[-1] == 2.0
    assert np.allclose(second.x[-1], whole.x[-1], atol=1e-9)
    with pytest.raises(ArgumentError, match=r"cannot be continued: it has no q\.arm"):
        pendulum().simulate(2.0, start=first)


def test_backward_integration_returns_to_the_start() -> None:
    s = double_pendulum()
    there = s.simulate(1.5, q={"upper": 1.0, "lower": 0.5}, **TIGHT)
    back = s.simulate(0.0, start=there, **TIGHT)
    assert np.allclose(back.x[-1], there.x[0], atol=1e-9)


# Jacobians


@pytest.mark.parametrize("seed", range(6))
def test_jacobian_matches_finite_differences(seed: int) -> None:
    """∂ẋ/∂x of random trees with a feedback law matches central differences."""
    from freebody.run.build import build

    s = build_system.system(random_trees.tree(seed, bodies=2))
    system = fb.System(s.name)
    system.__dict__.update(s.__dict__)
    eq = system.derive()
    compiled = build(eq.derivation, eq.values, {"motor": "sin(z) + 2*t"}, exact=True)
    rng = np.random.default_rng(seed)
    x = rng.normal(size=len(compiled.about.state)) * 0.5
    for k in compiled.about.quaternions:
        x[k : k + 4] /= np.linalg.norm(x[k : k + 4])
    J, h = compiled.jacobian(0.3, x), 1e-6
    steps = np.eye(len(x)) * h
    rates = compiled.raw_call(compiled.system.rates.value)
    for wrong in (x[:-1], np.append(x, 0.0), x[None]):
        with pytest.raises(ArgumentError, match=r"state_dot: x must have shape \(\d+,\), not"):
            rates(0.0, wrong)
    numeric = np.stack([(rates(0.3, x + d) - rates(0.3, x - d)) / (2 * h) for d in steps], 1)
    assert np.allclose(J, numeric, rtol=1e-5, atol=1e-5 * max(1.0, np.abs(numeric).max()))


def test_stiff_systems_take_few_steps_with_the_jacobian() -> None:
    s = fb.System("stiff", gravity=(0, 0, 0))
    s.body("cart", joint=fb.Prismatic("x", stiffness=1e6, damping=1e5), mass=1.0)
    run = s.simulate(10.0, q={"cart": 1.0}, method="bdf", rtol=1e-6, atol=1e-9)
    assert run.statistics.jacobians >= 1 and run.statistics.steps < 300
    assert run["cart"][-1] == pytest.approx(np.exp(-10 * 10.0), abs=1e-6)
