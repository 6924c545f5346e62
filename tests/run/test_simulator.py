"""Simulations that are moved on step by step: equal to runs, exact after a restore, with inputs that are held."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, FunctionError, SimulationError
from freebody.results import RunResult
from freebody.results.trajectory import UnknownNameError
from freebody.run.options import RunOptions
from freebody.run.simulator import Simulator
from freebody.run.simulator_model import SimulatorModel
from tests.hybrid.test_samples import START, by_hand, controller
from tests.run.constrained_systems import slider_crank
from tests.run.systems import ball, double_pendulum, oscillator, spinning

BOUNCE = fb.Event("q.ball", direction=-1, reset={"u.ball": "-0.8*u.ball"}, name="bounce")
METHODS: dict[str, dict[str, Any]] = {
    "dop853": {}, "dopri5": {"method": "dopri5"}, "rk4": {"method": "rk4", "step": 0.01}, "radau": {"method": "radau"},
    "rodas5p": {"method": "rodas5p"},
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
    sim.run_until(1.2)
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
    sim.run_until(0.47)
    saved = sim.save()
    ends = [[sim.x for t in (0.6, 0.93, 1.4) if not sim.run_until(t)]]
    sim.restore(saved)
    ends.append([sim.x for t in (0.6, 0.93, 1.4) if not sim.run_until(t)])
    other = make().simulator(**start, **METHODS[method])
    other.restore(pickle.loads(pickle.dumps(saved)))
    ends.append([other.x for t in (0.6, 0.93, 1.4) if not other.run_until(t)])
    assert np.array_equal(ends[0], ends[1]) and np.array_equal(ends[0], ends[2])
    assert len(sim.trajectory().events) == len(other.trajectory().events)


def test_inputs_are_held_between_steps_and_recorded_as_steps() -> None:
    sim = oscillator().simulator(u={"cart": 1.0}, rtol=1e-11, atol=1e-12)
    levels = [0.0, 0.5, -0.3, -0.3, 1.0]
    for level in levels:
        sim.set(inputs={"push": level})
        sim.step(0.4)
    law = "0.5*(t >= 0.4) - 0.8*(t >= 0.8) + 1.3*(t >= 1.6)"
    run = oscillator().simulate([0, 2.0], u={"cart": 1.0}, inputs={"push": law}, rtol=1e-11, atol=1e-12)
    assert np.abs(sim.x - run.x[-1]).max() < 1e-10
    trajectory = sim.trajectory()
    assert trajectory.at([0.1, 0.5, 1.0, 1.5, 1.9])["input.push"].tolist() == levels
    assert trajectory.energy_error < 1e-8
    assert sim["push"] == 1.0 and sim["cart"] == sim["q.cart"] == sim.x[0] and sim["u.cart"] == sim.x[1]
    assert sim["energy.kinetic"] == pytest.approx(sim.x[1] ** 2 / 2)


def test_timed_rules_are_applied_and_restored() -> None:
    compiled = controller()
    options = RunOptions(rtol=1e-12, atol=1e-13).for_run(np.zeros(1), compiled.about)
    sim = Simulator(compiled, np.array(START), SimulatorModel(options, RunResult, ("push",), ("push",)))
    states = [sim.x]
    for k in range(1, 41):
        if k == 13:
            saved = sim.save()
            sim.step(0.33)
            sim.restore(saved)
        sim.run_until(k / 20)
        states.append(sim.x)
    assert np.abs(np.array(states) - by_hand(np.arange(41) / 20)[0]).max() < 1e-10


def test_a_terminal_event_ends_the_motion() -> None:
    sim = ball().simulator(q={"ball": 1.0}, events=[fb.Event("q.ball", terminal=True, name="floor")])
    sim.step(2.0)
    t = float(np.sqrt(2 / 9.81))
    assert sim.t == pytest.approx(t) and "event 'floor' ended the run" in sim.message
    sim.step(1.0)
    assert sim.t == pytest.approx(t) and sim.trajectory().status == 1
    with pytest.raises(
        ArgumentError, match="the motion cannot continue, so that its state cannot be saved: event 'floor' ended"
    ):
        sim.save()


def test_a_motion_that_cannot_go_on_raises() -> None:
    sim = oscillator().simulator(q={"cart": 1.0}, inputs={"push": "1/(t - 1)**2"})
    with pytest.raises(SimulationError, match=r"oscillator: at t = 1 s"):
        sim.run_until(2.0)


def test_states_are_set_and_projected() -> None:
    sim = slider_crank().simulator(q={"slider": 1.3}, u={"crank": 1.0})
    sim.set(q={"crank": 0.05})
    assert sim["crank"] == pytest.approx(0.05, abs=1e-12) and max(sim.trajectory().drift) < 1e-9
    sim.step(0.1)
    assert max(sim.trajectory().at([sim.t]).drift) < 1e-8


def test_wrong_arguments_are_refused_by_name() -> None:
    sim = oscillator().simulator(inputs={"push": "sin(t)"})
    with pytest.raises(ArgumentError, match="input 'push' follows a law; give it a number in inputs=… to set it"):
        sim.set(inputs={"push": 1.0})
    sim = oscillator().simulator()
    with pytest.raises(ArgumentError, match=r"'pull'.*push"):
        sim.set(inputs={"pull": 1.0})
    with pytest.raises(ArgumentError, match=r"input 'push': .*not"):
        sim.set(inputs={"push": "fast"})  # type: ignore[assignment]
    sim.step(0.5)
    assert "push" in sim and "pull" not in sim
    with pytest.raises(ArgumentError, match=r"is at t = 0.5 s and moves forward only; restore a snapshot"):
        sim.run_until(0.2)
    with pytest.raises(ArgumentError, match="the snapshot was taken from another system"):
        sim.restore(ball().simulator().save())
    law = oscillator().simulator(inputs={"push": "sin(t)"})
    with pytest.raises(ArgumentError, match=r"'push' is a number in the snapshot and law sin\(t\) in this simulator"):
        law.restore(sim.save())
    with pytest.raises(ArgumentError, match=r"restore needs a snapshot that sim.save\(\) returned, not 3"):
        sim.restore(3)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="a simulator shows no progress bar: leave progress out"):
        oscillator().simulator(progress=True)
    wrong = {-0.1: "moves forward only", np.nan: "dt: nan is not finite", "a": "dt: 'a' is not a number"}
    for value, why in wrong.items():
        with pytest.raises(ArgumentError, match=why):
            sim.step(value)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"initial coordinate 'cart': nan is not finite"):
        sim.set(q={"cart": np.nan})
    with pytest.raises(ArgumentError, match=r"has no coordinate 'crat' \(did you mean 'cart'\?\)"):
        sim.set(q={"crat": 0.1})
    with pytest.raises(ArgumentError, match=r"has no parameter 'kk'; choose from k"):
        sim.set(parameters={"kk": 1.0})
    with pytest.raises(ArgumentError, match=r"has 1 inputs that can be set \(push\): .*, not an array of shape \(2,\)"):
        sim.set(inputs=[1.0, 2.0])
    with pytest.raises(ArgumentError, match=r"inputs of oscillator: .* is not finite"):
        sim.set(inputs=np.array([np.inf]))
    with pytest.raises(ArgumentError, match="input 'push': nan is not finite"):
        sim.set(inputs={"push": np.nan})
    with pytest.raises(UnknownNameError, match="nothing is called 'crat'"):
        sim["crat"]
    with pytest.raises(ArgumentError, match="a simulator cannot choose α and β"):
        slider_crank().simulator(constraints="baumgarte")
    with pytest.raises(ArgumentError, match="no argument 'tol'"):
        oscillator().simulator(tol=1e-6)
    with pytest.raises(ArgumentError, match=r"'energy.supplied' is integrated along the motion: read it from"):
        sim["energy.supplied"]
    with pytest.raises(ArgumentError, match=r"the time 1e\+300 s is too large"):
        sim.run_until(1e300)
    with pytest.raises(TypeError, match="a simulator cannot be copied"):
        copy.copy(sim)
    with pytest.raises(ArgumentError, match="the snapshot was taken with other events"):
        ball().simulator(events=[BOUNCE]).restore(ball().simulator().save())


def test_setting_an_input_or_a_state_causes_events() -> None:
    """A condition that this carries across zero happens at that time, as it does in a run with a law."""
    s = fb.System("brake", gravity=(0, 0, 0))
    s.input("on")
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    s.close(s.ground, cart, name="brake", engaged=False, capture=True)
    event = fb.Event("on - 0.5", direction=1, engage="brake", name="pull")
    sim = s.simulator(u={"cart": 1.0}, events=[event])
    sim.run_until(1.0)
    sim.set(inputs={"on": 1.0})
    sim.run_until(2.0)
    assert sim["cart"] == pytest.approx(1.0) and [name for _, name in sim.trajectory().events] == ["pull"]
    law = s.simulate([0.0, 2.0], u={"cart": 1.0}, inputs={"on": "(t >= 1)"}, events=[event])
    assert law["cart"][-1] == pytest.approx(1.0)
    end = fb.Event("q.cart - 0.5", terminal=True, name="far")
    sim = oscillator().simulator(events=[end])
    sim.step(0.1)
    sim.set(q={"cart": 0.7})
    sim.step(0.1)
    assert "event 'far' ended the run at t = 0.1 s" in sim.message


@pytest.mark.parametrize("method", METHODS)
def test_what_is_set_before_a_save_causes_events_after_a_restore(method: str) -> None:
    """And integration continues in the same way, also in a loop, where each start projects the state."""
    s = fb.System("brake", gravity=(0, 0, 0))
    s.input("on")
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    s.close(s.ground, cart, name="brake", engaged=False, capture=True)
    sim = s.simulator(u={"cart": 1.0}, events=[fb.Event("on - 0.5", engage="brake", name="pull")], **METHODS[method])
    sim.step(0.5)
    sim.set(inputs={"on": 1.0})
    saved = sim.save()
    for _ in range(2):
        sim.step(0.5)
        assert sim["cart"] == pytest.approx(0.5) and [n for _, n in sim.trajectory().events] == ["pull"]
        sim.restore(saved)
    make, start = CASES["loop"]
    sim, ends = make().simulator(**start, **METHODS[method]), []
    for dt in (0.17, 0.12, 0.27):
        sim.step(dt)
    sim.set(inputs={"motor": 0.9})
    saved = sim.save()
    for _ in range(2):
        sim.step(0.19)
        ends.append(sim.x)
        sim.restore(saved)
    assert np.array_equal(*ends)


def test_break_points_follow_the_inputs() -> None:
    """A pulse that is short against the steps, at a time that an input says."""
    s = fb.System("pulse", gravity=(0, 0, 0))
    s.input("start")
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    s.joint_force(cart, "5000*(t > start)*(t < start + 0.001)")
    for method in ("dop853", "radau"):
        sim = s.simulator(inputs={"start": 100.0}, method=method)
        sim.step(0.1)
        sim.set(inputs={"start": 1.0})
        sim.run_until(2.0)
        assert sim["u.cart"] == pytest.approx(5.0, rel=1e-6), method


def test_times_that_sum_up_are_reached() -> None:
    for method in METHODS:
        sim = oscillator().simulator(u={"cart": 1.0}, **METHODS[method])
        for k in range(1, 31):
            sim.step(0.1)
            sim.run_until(k / 10)
        assert sim.t == pytest.approx(3.0, abs=1e-14)


def test_limits_of_steps_and_failures_are_reported_again() -> None:
    sim = oscillator().simulator(u={"cart": 1.0}, max_steps=5)
    for _ in range(2):
        with pytest.raises(SimulationError, match="the run has taken max_steps = 5 steps"):
            sim.run_until(100.0)


def test_a_rate_that_jumps_does_so_once() -> None:
    """Also where a function of the user raises after the jump, and the motion is continued."""
    calls = {"raise": True}

    def law(t: float) -> float:
        if t > 0.5 and calls.pop("raise", False):
            raise ValueError("once")
        return 0.0

    def system() -> fb.System:
        s = fb.System("kink", gravity=(0, 0, 0))
        crank = s.body("crank", joint=fb.Revolute("y", motion="2*max(0, t - 0.5)"), mass=1.0, com=(0.3, 0, 0.1))
        rod = s.body("rod", on=crank, at=(0.5, 0, 0), joint=fb.Revolute("y"), mass=1.0, com=(0.2, 0, 0))
        s.joint_force(rod, s.input("push"))
        return s

    sim = system().simulator(inputs={"push": law})
    with pytest.raises(FunctionError, match="once"):
        sim.run_until(1.0)
    sim.run_until(1.0)
    run = system().simulate([0.0, 1.0], inputs={"push": 0.0})
    assert np.abs(sim.x - run.x[-1]).max() < 1e-8
    assert sim["energy.kinetic"] == pytest.approx(run["energy.kinetic"][-1], rel=1e-6)


def test_reading_between_the_steps_from_several_threads() -> None:
    sim = oscillator().simulator()
    for k in range(60):
        sim.set(inputs={"push": float(k % 7)})
        sim.step(0.02)
    run, times = sim.trajectory(), np.linspace(0, 1.2, 50)
    expected = run.sol(times)
    with ThreadPoolExecutor(4) as pool:
        assert all(np.array_equal(x, expected) for x in pool.map(lambda _: run.sol(times), range(12)))


def test_trajectories_are_shown(tmp_path: Any) -> None:
    sim = slider_crank().simulator(q={"slider": 1.3}, u={"crank": 2.0})
    sim.step(0.3)
    assert sim.trajectory().animate(tmp_path / "sim.html").exists() and "Simulator of slider-crank" in repr(sim)


def test_a_run_continues_a_trajectory_and_knows_its_reactions() -> None:
    """Also where constraints can be switched: held values are known by name."""
    make, start = CASES["switching"]
    sim = make().simulator(**start)
    sim.run_until(0.7)
    trajectory = sim.trajectory()
    run = make().simulate([0.0, 0.7, 1.2], **start)
    more = make().simulate([1.2], start=trajectory, events=start["events"])
    assert np.abs(more.x[-1] - run.x[-1]).max() < 1e-9 and more.engaged["grip"][-1] == 1
    assert np.allclose(trajectory.reactions["grip.force"][-1], run.reactions["grip.force"][1], atol=1e-9)
    assert trajectory.engaged["grip"][-1] == 1 and len(trajectory.impulses["grip.force.x"]) == 1


@pytest.mark.parametrize("suffix", ["nc", "parquet"])
def test_trajectories_are_stored(tmp_path: Any, suffix: str) -> None:
    sim = oscillator().simulator(u={"cart": 1.0})
    for level in (0.0, 0.5, -0.3):
        sim.set(inputs={"push": level})
        sim.step(0.4)
    trajectory = sim.trajectory()
    loaded = fb.Trajectory.load(trajectory.save(tmp_path / f"sim.{suffix}"))
    times = [0.1, 0.5, 1.0]
    assert loaded.at(times)["input.push"].tolist() == [0.0, 0.5, -0.3]
    assert np.abs(loaded.at(times).x - trajectory.at(times).x).max() < 1e-8


def arm() -> fb.System:
    """A driven arm with parameters, an output and a bracket that flexes."""
    s = fb.System("arm")
    s.parameters(l=0.5, m=1.2, lag=0.1)
    link = s.body("link", joint=fb.Revolute("y", damping=0.1), mass="m", com=(0, 0, "-l"), inertia=(0.01, 0.02, 0.03))
    hand = s.body(
        "hand", on=link, at=(0, 0, -1), joint=fb.Spherical(), mass=0.3, com=(0.1, 0, -0.1), inertia=(0.01,) * 3
    )
    s.joint_force(link, s.input("motor", unit="N*m"))
    s.input("other")
    s.output("tip", s.position(hand.point((0.3, 0, 0))))
    s.output("height", s.position(hand).dot(s.ground.z) + link.q[0])
    return s


def drive(sim: Any, steps: int, dt: float = 0.01) -> None:
    """A controller in Python."""
    for _ in range(steps):
        sim.set(inputs={"motor": 3 * (0.8 - sim["link"]) - 0.5 * sim["u.link"]})
        sim.step(dt)


LAWS: dict[str, tuple[Any, dict[str, Any]]] = {
    "numbers": (arm, {"q": {"link": 0.4}, "u": {"hand": (0.3, -0.2, 1.0)}}),
    "law": (arm, {"u": {"hand": (0.3, -0.2, 1.0)}, "inputs": {"other": "sin(3*t) + 0.1*u.link"}}),
    "loop": (slider_crank, {"q": {"slider": 1.3}, "u": {"crank": 2.0}}),
    "switching": CASES["switching"],
}


@pytest.mark.parametrize("name", LAWS)
def test_every_variable_that_is_read_is_that_of_the_record(name: str) -> None:
    """Each by a program of its own, several and texts together in one row; after steps, which move the state in
    place."""
    make, start = LAWS[name]
    sim = make().simulator(**start)
    for _ in range(3):
        sim.step(0.11)
        run = sim.trajectory()
        assert len(run.variables) > 10
        for key, variable in run.variables.items():
            if not (key.startswith("work") or key in ("energy.supplied", "energy.lost")):
                assert np.allclose(sim[key], run[key][-1], rtol=1e-9, atol=1e-11), key
                assert np.shape(sim[key]) == run[key].shape[1:], variable
        names = [run.about.state[0], "energy.total", "momentum.linear"]
        row = sim.reader([*names, "2*t"])()
        assert np.allclose(row, [*(float(run[n][-1]) for n in names[:2]), *run["momentum.linear"][-1], 2 * sim.t])
    assert np.array_equal(np.concatenate([sim.q, sim.u]), sim.x[: len(sim.q) + len(sim.u)])


@pytest.mark.parametrize("method", ["dop853", "rk4"])
def test_a_sequence_of_steps_is_one_run(method: str) -> None:
    sim = double_pendulum().simulator(q={"upper": 1.0}, **METHODS[method])
    run = double_pendulum().simulate(np.arange(101) / 100, q={"upper": 1.0}, **METHODS[method])
    for x in run.x[1:]:
        sim.step(0.01)
        assert np.abs(sim.x - x).max() < (1e-7 if method == "dop853" else 1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_snapshots_in_files_are_equal_to_the_bit(tmp_path: Any, method: str) -> None:
    """Between inputs that were set and the next step; read by another simulator that had other parameters."""
    sim = arm().simulator(q={"link": 0.4}, u={"hand": (0.3, -0.2, 1.0)}, **METHODS[method])
    drive(sim, 20)
    sim.set(parameters={"l": 0.7})
    drive(sim, 3)
    sim.set(inputs=[0.4, 0.1])
    saved = sim.save()
    read = fb.Snapshot.load(saved.save(tmp_path / "now.npz"))
    assert read == saved
    other = arm().simulator(**METHODS[method])
    other.restore(read)
    for s in (sim, other):
        s.step(0.03)
        drive(s, 10)
    assert np.array_equal(sim.x, other.x) and sim.t == other.t and sim["energy.total"] == other["energy.total"]


def test_files_that_are_no_snapshots_are_refused(tmp_path: Any) -> None:
    wrong = tmp_path / "wrong.npz"
    np.savez(wrong, facts=np.array([{"format": 1}], object))
    for path, why in ((wrong, "it is not a snapshot"), (tmp_path / "none.npz", "No such file")):
        with pytest.raises(fb.FreebodyError, match=why):
            fb.Snapshot.load(path)
    with pytest.raises(fb.FreebodyError, match=r"a snapshot is written as .npz"):
        arm().simulator().save().save(tmp_path / "x.txt")


@pytest.mark.parametrize("name", ["tree", "loop"])
def test_parameters_that_are_set_are_those_of_a_new_simulator(name: str) -> None:
    """To the bit; in a loop, the state follows the new lengths."""
    make, start = CASES[name]
    other = {"tree": {"m": 1.7, "l": 0.8}, "loop": {"r": 0.3}}[name]
    sim = make().simulator(**start)
    sim.run_until(0.4)
    sim.set(parameters=other)
    new = make().simulator(parameters=other)
    new.restore(sim.save())
    assert sim.compiled.parameters == new.compiled.parameters
    for s in (sim, new):
        s.run_until(1.0)
    assert np.array_equal(sim.x, new.x) and sim["energy.total"] == new["energy.total"]
    assert max(sim.trajectory().drift) < 1e-8 and sim.trajectory().t[0] == 0.4
    assert abs(sim.trajectory().energy_error) < 1e-7


def test_a_reset_is_the_start() -> None:
    sim = slider_crank().simulator(q={"slider": 1.3}, u={"crank": 2.0}, inputs={"motor": 0.3})
    start = sim.x
    sim.run_until(0.5)
    end = sim.x
    sim.set(inputs={"motor": 1.0})
    sim.reset()
    assert sim.t == 0 and np.array_equal(sim.x, start) and sim["motor"] == 0.3
    sim.run_until(0.5)
    assert np.array_equal(sim.x, end) and sim.trajectory().t[0] == 0.0
    sim.reset(u={"crank": -1.0})
    assert sim["u.crank"] == pytest.approx(-1.0, abs=1e-12) and max(sim.trajectory().drift) < 1e-9
    sim = ball().simulator(q={"ball": 1.0}, events=[fb.Event("q.ball", terminal=True, name="floor")])
    sim.step(2.0)
    sim.reset(q={"ball": 2.0})
    assert sim.message == "" and sim["ball"] == 2.0
    sim.step(2.0)
    assert sim.t == pytest.approx(np.sqrt(4 / 9.81))


def test_events_that_change_nothing_are_recorded_in_many_short_steps() -> None:
    sim = oscillator().simulator(u={"cart": 1.0}, events=[fb.Event("u.cart", name="turn")])
    run = oscillator().simulate(10.0, u={"cart": 1.0}, inputs=[0.0], events=[fb.Event("u.cart", name="turn")])
    for _ in range(1000):
        sim.step(0.01)
    found, expected = list(sim.trajectory().events), list(run.events)
    assert [n for _, n in found] == [n for _, n in expected] == ["turn"] * 3
    assert np.allclose([t for t, _ in found], [t for t, _ in expected], atol=1e-7)


def test_rows_of_inputs_leave_out_those_that_controllers_write() -> None:
    """The inputs that can be set are in the order of the model, also behind one that is written at samples."""
    s = fb.System("arm")
    for name in ("auto", "a", "b"):
        s.input(name)
    s.body("arm", joint=fb.Revolute("y"), mass=1, com=(0, 0, -0.3), inertia=(0.1, 0.1, 0.1))
    s.joint_force("arm", "auto + a + 10*b")
    s.controller("hold", period=0.1, law={"auto": "-q.arm"})
    sim, sims = s.simulator(), s.simulators(2)
    sim.set(inputs=[1.0, 2.0])
    assert (sim["auto"], sim["a"], sim["b"]) == (0.0, 1.0, 2.0)
    sims.set(inputs=[[1.0, 2.0], [3.0, 4.0]])
    sims.set(worlds=[1], inputs=[[5.0, 6.0]])
    assert np.array_equal([sims[name] for name in ("auto", "a", "b")], [[0, 0], [1, 5], [2, 6]])
