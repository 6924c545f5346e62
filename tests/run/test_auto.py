"""Runs by ``method="auto"``: dop853 to the bit where nothing is stiff; changes to rodas5p and back where something is,
with events, samples, constraints, continued runs, simulators, snapshots, lanes and files; what it says of itself."""

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.api.live import live_simulation
from freebody.errors import RunEndedWarning
from freebody.integrate import costs
from freebody.integrate.emit_stiffness import IMPLICIT
from freebody.run import stage_system
from tests.mechanisms.mechanisms import mechanism
from tests.run.constrained_systems import slider_crank
from tests.run.systems import double_pendulum, oscillator, spinning

Array = np.ndarray
TIGHT = {"rtol": 1e-11, "atol": 1e-13}


def geared(until: float = np.inf) -> fb.System:
    """A motor that turns a light wheel and a heavy one, whose bearing damps 10⁴ times as fast as they move until a
    time."""
    s = fb.System("geared", gravity=(0, 0, 0))
    motor = s.input("motor")
    light = s.body("light", joint=fb.Revolute("z"), mass=1.0, inertia=(0.01, 0.01, 0.01))
    heavy = s.body("heavy", joint=fb.Revolute("z", damping=0.2, stiffness=3.0), mass=1.0, inertia=(1, 1, 1))
    slip = light.u[0] - heavy.u[0]
    damper = slip * (200.0 if until == np.inf else fb.where(s.t < until, 200.0, 0.002))
    s.torque(s.ground.vector((0, 0, motor)), light)
    s.joint_force(light, -1.0 * damper)
    s.joint_force(heavy, damper)
    return s


MOTION: dict[str, Any] = {"inputs": {"motor": "0.5*sin(3*t)"}, "q": {"heavy": 0.4}}


def stiff_run(end: Any = 2.0, **options: Any) -> fb.Trajectory:
    run: fb.Trajectory = geared().simulate(end, **{**MOTION, **options})
    return run


# Runs that stay explicit


PLAIN: dict[str, tuple[Callable[[], fb.System], dict[str, Any]]] = {
    "pendulum": (double_pendulum, {"q": {"upper": 1.0, "lower": 0.5}}),
    "quaternion": (spinning, {"u": {"body.wx": 0.1, "body.wy": 1.5}}),
    "loop": (slider_crank, {"q": {"slider": 1.3}, "u": {"crank": 1.0}}),
    "oscillator": (oscillator, {"q": {"cart": 1.0}}),
}


@pytest.mark.parametrize("name", PLAIN)
def test_runs_that_are_not_stiff_are_those_of_dop853_to_the_bit(name: str) -> None:
    make, start = PLAIN[name]
    e = make().derive()
    inputs = dict.fromkeys(e.derivation.layout.user_inputs, 0.0)
    runs = [e.simulate(5.0, method=method, inputs=inputs, **start) for method in ("auto", "dop853")]
    auto, plain = runs
    assert np.array_equal(auto.x, plain.x) and np.array_equal(auto.knots.t, plain.knots.t)
    assert np.array_equal(auto.sol(np.linspace(0, 5, 77)), plain.sol(np.linspace(0, 5, 77)))
    assert (auto.statistics.steps, auto.statistics.rejected) == (plain.statistics.steps, plain.statistics.rejected)
    assert auto.statistics.methods == ((0.0, "dop853"),) and auto.statistics.method == "dop853"
    assert auto.statistics.compiling == 0 and auto._recorder.compiled.system.stages["rodas5p"].derived is None


@pytest.mark.parametrize("seed", range(4))
def test_random_mechanisms_run_as_by_dop853_to_the_bit(seed: int) -> None:
    made = mechanism(seed)
    start = {"q": made.q, "u": made.u}
    auto, plain = (made.system.simulate(1.0, method=method, **start) for method in ("auto", "dop853"))
    assert auto.statistics.changes == 0
    assert np.array_equal(auto.x, plain.x) and np.array_equal(auto.knots.x, plain.knots.x)


def test_events_and_samples_of_runs_that_are_not_stiff_are_equal_to_the_bit() -> None:
    s = oscillator()
    s.controller("brake", period=0.05, law={"push": "-0.3*u.cart"})
    hit = fb.Event("q.cart + 0.5", name="hit", direction=-1, reset={"u.cart": "-0.9*u.cart"})
    near = fb.Event("u.cart", name="near")
    runs = [s.simulate(6.0, q={"cart": 1.0}, events=[hit, near], method=method) for method in ("auto", "dop853")]
    auto, plain = runs
    assert auto.events.t.tolist() == plain.events.t.tolist() and len(auto.events) >= 2
    assert np.array_equal(auto.x, plain.x) and np.array_equal(auto.held_rows, plain.held_rows)


def test_lanes_that_are_not_stiff_are_equal_to_the_bit() -> None:
    s, q = double_pendulum(), np.linspace(0.1, 3.0, 19)
    auto, plain = (s.sweep(4.0, {"q.upper": q}, method=method, progress=False) for method in ("auto", "dop853"))
    for name in ("q.upper", "u.lower", "steps"):
        assert np.array_equal(auto[name].values, plain[name].values)


def test_auto_is_the_default_everywhere() -> None:
    s = geared()
    assert s.simulate(2.0, **MOTION).statistics.changes == 1
    assert np.array_equal(s.simulate(2.0, **MOTION).x, s.simulate(2.0, method="auto", **MOTION).x)


# Runs that change


def test_a_stiff_run_changes_and_says_so(tmp_path: Path) -> None:
    run, explicit, exact = stiff_run(), stiff_run(method="dop853"), stiff_run(method="rodas5p", **TIGHT)
    s = run.statistics
    assert [name for _, name in s.methods] == ["dop853", "rodas5p"] and s.changes == 1
    assert 0 < s.methods[1][0] < 0.1 and s.method == "dop853 and rodas5p" and s.compiling > 0
    assert s.jacobians > 0 and s.steps < explicit.statistics.steps / 10
    assert np.abs(run.x - exact.x).max() < 1e-7
    assert "rodas5p from t = " in run.summary() and "dop853 and rodas5p" in run.summary()
    assert "compiling" in run.summary()
    path = tmp_path / "run.nc"
    run.save(path)
    assert fb.Trajectory.load(path).statistics == s
    run.report(tmp_path / "page.html")
    assert "dop853 and rodas5p" in (tmp_path / "page.html").read_text()


def test_a_second_run_compiles_nothing_and_is_equal() -> None:
    e = geared().derive()
    first, second = (e.simulate(2.0, **MOTION) for _ in range(2))
    assert np.array_equal(first.x, second.x) and first.statistics.methods == second.statistics.methods
    assert second.statistics.compiling < first.statistics.compiling / 5


def test_it_changes_back_where_nothing_is_stiff_any_more() -> None:
    s = geared(until=1.0)
    run = s.simulate(8.0, **MOTION)
    names = [name for _, name in run.statistics.methods]
    assert names == ["dop853", "rodas5p", "dop853"] and 1.0 < run.statistics.methods[2][0] < 6.0
    assert np.abs(run.x - s.simulate(8.0, method="rodas5p", **TIGHT, **MOTION).x).max() < 1e-6


def test_short_runs_stay_explicit() -> None:
    """The stiff programs are not derived for a few hundred steps."""
    run = stiff_run(0.01)
    assert run.statistics.changes == 0
    assert np.array_equal(run.x, stiff_run(0.01, method="dop853").x)


@pytest.mark.parametrize("lanes", [False, True])
def test_large_systems_change_where_many_steps_are_limited(lanes: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stiff linear system of two boxes on each other takes 20 s to derive and compile: more than their run."""
    monkeypatch.setattr(costs, "LARGE", 0.0)

    def changes(steps: float) -> int:
        monkeypatch.setattr(costs, "FOR_EACH_STATE", steps)
        if not lanes:
            return stiff_run().statistics.changes
        cases = geared().sweep([0.0, 2.0], {"q.heavy": [0.4, 0.5]}, inputs=MOTION["inputs"], progress=False)
        evaluations: int = np.max(cases["evaluations"].values)
        return int(evaluations < 20_000)

    assert changes(100.0) > 0 and changes(1e6) == 0


def test_states_between_steps_are_those_that_each_method_would_have_saved() -> None:
    run = stiff_run([0.0, 2.0])
    change = run.statistics.methods[1][0]
    times = np.sort(np.concatenate([np.linspace(0, 2, 41), change * np.linspace(0.5, 1.5, 9)]))
    saved = stiff_run(times)
    assert saved.statistics.methods == run.statistics.methods
    assert np.abs(run.sol(times) - saved.x.T).max() < 1e-13
    again = pickle.loads(pickle.dumps(run))
    assert np.array_equal(again.sol(times), run.sol(times))


def test_backwards_and_continued_runs() -> None:
    first = stiff_run(1.0)
    rest = geared().simulate(2.0, start=first, inputs=MOTION["inputs"])
    assert rest.statistics.methods[0] == (1.0, "dop853") and rest.statistics.changes == 1
    exact = stiff_run(method="rodas5p", **TIGHT)
    assert np.abs(rest.x[-1] - exact.x[-1]).max() < 1e-7
    s = fb.System("grows", gravity=(0, 0, 0))
    s.body("b", joint=fb.Prismatic("x"), mass=1.0)
    s.joint_force("b", "1e5*(u.b - cos(t))")  # dies out backwards
    back = s.simulate([1.0, 0.0], u={"b": np.cos(1.0)})
    assert back.statistics.changes == 1 and back.statistics.methods[1][0] < 1.0
    assert abs(back["u.b"][-1] - np.cos(0.0)) < 1e-4
    inner = np.linspace(0.98, 0.02, 7)
    assert np.abs(back.sol(inner)[1] - np.cos(inner)).max() < 1e-4


def test_events_samples_and_resets() -> None:
    """A controller acts at samples and a stop reverses the heavy wheel, while the damper is stiff."""
    s = geared()
    hit = fb.Event(
        "q.heavy - 0.1", name="hit", direction=-1, reset={"u.heavy": "-0.5*u.heavy", "u.light": "-0.5*u.light"}
    )
    near = fb.Event("q.heavy + 0.05", name="near")
    runs = [
        s.simulate(3.0, events=[hit, near], method=method, **MOTION, **options)
        for method, options in (("auto", {}), ("rodas5p", TIGHT))
    ]
    run, exact = runs
    assert run.statistics.changes >= 1 and len(run.events) == len(exact.events) >= 1
    for (t, name), (wanted, same) in zip(run.events, exact.events, strict=True):
        assert name == same and abs(t - wanted) < 1e-7
    assert np.abs(run.x[-1] - exact.x[-1]).max() < 1e-6


def controlled() -> fb.System:
    s = geared()
    s.controller("hold", period=0.01, law={"motor": "-2*q.heavy - 0.5*u.heavy"})
    return s


def test_sampled_controllers() -> None:
    s, start = controlled(), {"q": {"heavy": 0.4}}
    run, exact = s.simulate(2.0, **start), s.simulate(2.0, method="rodas5p", **TIGHT, **start)
    assert run.statistics.changes >= 1
    assert np.abs(run.x - exact.x).max() < 1e-7
    assert np.array_equal(run.held_rows, exact.held_rows) or np.abs(run.held_rows - exact.held_rows).max() < 1e-6


def test_loops_with_stiff_dampers() -> None:
    """Constraints stay satisfied, and quaternions of unit length, through the change."""
    s = slider_crank()
    s.joint_force("crank", "-1e5*(u.crank - 1 - 0.5*sin(2*t))", name="drive")
    start = {
        "q": {"slider": 1.3},
        "u": {"crank": 1.0},
        "inputs": dict.fromkeys(s.derive().derivation.layout.user_inputs, 0.0),
    }
    run, exact = s.simulate(2.0, **start), s.simulate(2.0, method="rodas5p", **TIGHT, **start)
    assert run.statistics.changes == 1
    assert np.abs(run.x - exact.x).max() < 1e-6 and run.statistics.drift < 1e-9


@pytest.mark.parametrize("seed", [0, 5])
def test_random_loops_with_a_stiff_damper(seed: int) -> None:
    """A free base, joints of all kinds and a loop; drift and quaternions as by either method."""
    made = mechanism.__wrapped__(seed)
    joint = made.system.derive().derivation.layout.u[6]
    made.system.joint_force(joint, f"-3e4*u.{joint}", name="damper")
    start = {"q": made.q, "u": made.u}
    run = made.system.simulate(1.0, **start)
    exact = made.system.simulate(1.0, method="rodas5p", **TIGHT, **start)
    assert run.statistics.changes == 1 and np.abs(run.x - exact.x).max() < 1e-7
    assert run.statistics.drift < 1e-12 and np.abs(np.linalg.norm(run.x[:, 3:7], axis=1) - 1).max() < 1e-14


def test_constraints_that_switch_while_it_is_stiff() -> None:
    """A brake holds the heavy wheel from its first passage of 0.2 rad to 1.5 s."""
    s = geared()
    s.close(s.ground, s.bodies["heavy"], name="brake", engaged=False, capture=True)
    events = [fb.Event("q.heavy - 0.2", engage="brake", direction=-1), fb.Event("t - 1.5", release="brake")]
    runs = [
        s.simulate(3.0, events=events, method=method, **MOTION, **how)
        for method, how in (("auto", {}), ("rodas5p", TIGHT))
    ]
    run, exact = runs
    assert run.statistics.changes >= 1 and len(run.events) == len(exact.events) >= 2
    assert np.abs(run.events.t - exact.events.t).max() < 1e-7
    assert np.abs(run.x - exact.x).max() < 1e-6
    assert np.array_equal(run.engaged["brake"], exact.engaged["brake"])


# Where a change is not possible


def test_python_functions_without_derivatives_keep_it_explicit() -> None:
    s = geared()
    run = s.simulate(0.3, inputs={"motor": lambda t, x: float(-1e-3 * x[0])}, q={"heavy": 0.4})
    assert run.statistics.method == "dop853" and run.statistics.changes == 0
    assert "method='auto' cannot change to 'rodas5p'" in run.statistics.limit
    assert "radau" in run.statistics.limit and run.statistics.limit in run.summary().replace("\n", " ")
    with pytest.warns(RunEndedWarning, match="cannot change to 'rodas5p'.*needs the exact Jacobian") as caught:
        s.simulate(3.0, inputs={"motor": lambda t, x: float(-1e-3 * x[0])}, q={"heavy": 0.4}, max_steps=3000)
    assert "It is stiff" in str(caught[0].message)


def test_rolled_equations_keep_it_explicit() -> None:
    row, on = fb.System("row"), None
    for k in range(150):
        joint = fb.Revolute("y", damping=50.0)
        on = row.body(f"b{k}", on=on or row.ground, at=(0.1, 0, 0), joint=joint, mass=1, inertia=(0.1, 0.1, 0.1))
    with pytest.warns(RunEndedWarning, match="It is stiff.*cannot change to 'rodas5p': row.*rolled"):
        run = row.simulate(5.0, max_steps=100)
    assert run.statistics.method == "dop853"
    assert "rolled equations of many bodies (150 speeds); use method='esdirk54'" in run.statistics.limit


def test_costly_derivatives_keep_it_explicit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is derived then; single runs and lanes agree."""
    monkeypatch.setattr(stage_system, "AFFORDABLE", 0)
    monkeypatch.setattr(stage_system, "derivatives", lambda run: pytest.fail("derived"))
    s = geared()
    run = s.simulate(2.0, **MOTION)
    assert run.statistics.changes == 0 and "choose method='rodas5p' for long or many runs" in run.statistics.limit
    assert "operations, more than 0" in run.statistics.limit and "method='contact'" not in run.statistics.limit
    sweep = s.sweep([0.0, 2.0], {"u.heavy": [0.0, 0.1]}, **MOTION)
    assert np.array_equal(np.asarray(sweep["q.light"])[0, -1], run["q.light"][-1])


def test_baumgarte_keeps_it_explicit() -> None:
    s = slider_crank()
    s.joint_force("crank", "-1e5*(u.crank - 1)", name="drive")
    inputs = dict.fromkeys(s.derive().derivation.layout.user_inputs, 0.0)
    run = s.simulate(0.5, q={"slider": 1.3}, u={"crank": 1.0}, inputs=inputs, constraints="baumgarte", baumgarte=10.0)
    assert run.statistics.changes == 0 and "choose method='rodas5p' by name" in run.statistics.limit


# Simulators


def stepped(sim: Any, count: int, dt: float = 0.01) -> Array:
    rows = []
    for _ in range(count):
        sim.step(dt)
        rows.append(sim.x)
    return np.array(rows)


def test_simulators_change_and_snapshots_continue_to_the_bit(tmp_path: Path) -> None:
    s, inputs = geared(), {"motor": 0.3}
    sim = s.simulator(inputs=inputs, q={"heavy": 0.4})
    stepped(sim, 10)
    early, middle = sim.save(), stepped(sim, 40)
    assert "rodas5p" in sim.trajectory().statistics.method
    late, end = sim.save(), stepped(sim, 40)
    for k, (saved, wanted) in enumerate([(early, middle), (late, end)]):
        other = s.simulator(inputs=inputs)
        other.restore(fb.Snapshot.load(saved.save(tmp_path / f"{k}.npz")))
        assert np.array_equal(stepped(other, 40), wanted)
    assert other.trajectory().statistics.methods[0][1] == "rodas5p"
    exact = s.simulate(sim.t, inputs=inputs, q={"heavy": 0.4}, method="rodas5p", **TIGHT)
    assert np.abs(sim.x - exact.x[-1]).max() < 1e-6
    sim.reset()
    assert sim.trajectory().statistics.method == "dop853"
    assert np.array_equal(stepped(sim, 50)[10:], middle)


def test_worlds_decide_for_themselves_as_single_simulators_to_the_bit() -> None:
    """Side by side: some damp much, others hardly."""
    s = fb.System("worlds", gravity=(0, 0, 0))
    s.parameter("c", 1.0)
    s.input("force")
    s.body("b", joint=fb.Prismatic("x"), mass=1.0)
    s.joint_force("b", "force - c*u.b - q.b")
    c = np.array([0.1, 1e5, 1.0, 2e5, 3e4, 0.5, 1e5, 2.0, 1e6, 0.2, 5e4])
    sims = s.simulators(len(c), parameters={"c": c}, q={"b": 1.0}, inputs={"force": 0.0})
    singles = [s.simulator(parameters={"c": float(value)}, q={"b": 1.0}, inputs={"force": 0.0}) for value in c]
    saved = None
    for n in range(60):
        force_now = np.cos(0.1 * n) * np.ones(len(c))
        sims.set(inputs={"force": force_now})
        sims.step(0.01)
        for single in singles:
            single.set(inputs={"force": float(force_now[0])})
            single.step(0.01)
        assert all(np.array_equal(sims.x[k], single.x) for k, single in enumerate(singles)), n
        if n == 30:
            saved = sims.save()
        if n == 31:
            after = sims.x
    used = [single.trajectory().statistics.changes > 0 for single in singles]
    assert used == [bool(value > 10) for value in c]
    assert saved is not None
    sims.restore(saved)
    sims.set(inputs={"force": np.cos(3.1)})
    sims.step(0.01)
    assert np.array_equal(sims.x, after)


def test_parameters_that_are_set_while_worlds_are_stiff() -> None:
    """Shared by all worlds, and then one for each; as in single simulators, to the bit."""
    s = fb.System("worlds", gravity=(0, 0, 0))
    s.parameter("c", 1e5)
    s.body("b", joint=fb.Prismatic("x"), mass=1.0)
    s.joint_force("b", "cos(t) - c*u.b - q.b")
    count = 9
    sims = s.simulators(count, q={"b": 1.0})
    singles = [s.simulator(q={"b": 1.0}) for _ in range(count)]
    for n in range(60):
        if n in (25, 40):
            c = np.full(count, 3e5) if n == 25 else np.where(np.arange(count) % 2, 0.1, 2e5)
            sims.set(parameters={"c": 3e5 if n == 25 else c})
            for k, single in enumerate(singles):
                single.set(parameters={"c": float(c[k])})
        sims.step(0.01)
        for single in singles:
            single.step(0.01)
        assert all(np.array_equal(sims.x[k], single.x) for k, single in enumerate(singles)), n
    sims.reset([0, 3])
    for k in (0, 3):
        again = s.simulator(q={"b": 1.0}, parameters={"c": float(c[k])})
        assert np.array_equal(sims.x[k], again.x)


# Lanes


@pytest.mark.parametrize("threads", [1, 2])
def test_cases_of_a_sweep_decide_for_themselves(threads: int) -> None:
    s = fb.System("cases", gravity=(0, 0, -9.81))
    s.parameter("c", 1.0)
    s.body("b", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -1), inertia=(0.1, 0.1, 0.1))
    s.joint_force("b", "c*(0.3*cos(t) - u.b)*(t < 2)")
    c = np.array([0.1, 1e5, 1.0, 2e5, 3e4, 0.5, 1e5, 2.0, 1e6, 0.2, 5e4])
    found = s.sweep(np.linspace(0, 4, 9), {"c": c}, q={"b": 0.5}, progress=False)
    for k, value in enumerate(c):
        run = s.simulate(np.linspace(0, 4, 9), parameters={"c": float(value)}, q={"b": 0.5})
        assert (run.statistics.changes > 0) == (value > 10)
        assert int(found["steps"][k]) == run.statistics.steps
        assert np.abs(found["q.b"][k].values - run["q.b"]).max() < 1e-12


def test_cases_with_samples_in_lanes() -> None:
    s, q = controlled(), np.linspace(0.2, 0.5, 9)
    found = s.sweep(np.linspace(0, 1, 5), {"q.heavy": q}, progress=False)
    for k, value in enumerate(q):
        run = s.simulate(np.linspace(0, 1, 5), q={"heavy": float(value)})
        assert run.statistics.changes >= 1 and int(found["steps"][k]) == run.statistics.steps
        assert np.abs(found["q.heavy"][k].values - run["q.heavy"]).max() < 1e-12


# Live views


def test_live_views_change_from_frame_to_frame() -> None:
    """A frame is too short for a change; what is known of the stiffness goes from one to the next."""
    live, exact = (
        live_simulation(geared().freeze(), inputs={"motor": 0.3}, q={"heavy": 0.4}, **options)
        for options in ({"rtol": 1e-8, "atol": 1e-10}, {"method": "rodas5p", **TIGHT})
    )
    for one in (live, exact):
        for _ in range(60):
            assert not one.advance(0.01)
    assert live._stiffness.stiffness is not None and live._stiffness.stiffness[0] == IMPLICIT
    assert np.abs(live.x - exact.x).max() < 1e-6
    live.reset()
    assert live._stiffness.stiffness is None
