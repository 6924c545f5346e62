"""Constraints that events engage and release: momentum and energy across the switches, contacts that come to rest and
lift off, latches that break, captured poses, sweeps, files and continued runs, and what is refused."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, FreebodyError, SimulationWarning
from freebody.io import dumps, loads
from freebody.results.work import account as run_account

Array = np.ndarray
SMALL = 1e-8
"""Errors of runs at the default tolerances, relative to numbers near 1."""


def pair(engaged: bool | None = False, capture: bool = False, gravity: tuple[float, ...] = (0, 0, 0)) -> fb.System:
    """Two carts on a line and a weld between them."""
    s = fb.System("carts", gravity=gravity)
    s.parameter("t_grasp", 0.5)
    a, b = (s.body(n, joint=fb.Prismatic("x"), mass=m) for n, m in (("a", 2.0), ("b", 1.0)))
    s.close(a, b, name="grip", engaged=engaged, capture=capture)
    return s


AT_TIME = fb.Event("t - t_grasp", engage="grip", name="grasp")
MEET = fb.Event("q.b - q.a", direction=-1, engage="grip", name="meet")
TOWARDS = {"q": {"a": 0.0, "b": 1.0}, "u": {"a": 1.0, "b": -1.0}}


# Impulses


def test_plastic_impact_of_two_carts() -> None:
    """They go on with the velocity of their mass centre; impulse and lost energy in closed form."""
    run = pair().simulate(2.0, **TOWARDS, events=[MEET])
    assert [name for _, name in run.events] == ["meet"] and np.isclose(run.events.t[0], 0.5)
    after = (2.0 - 1.0) / 3.0
    assert np.allclose(run.x[-1], [0.5 + 1.5 * after] * 2 + [after] * 2)
    assert np.allclose(run.impulses["grip.force.x"], [-2.0 * (after - 1.0)])  # on the second body
    assert np.allclose(run.events.lost, [1.5 - 3 * after**2 / 2])
    assert np.array_equal(run.engaged["grip"], (run.t > 0.5).astype(float)) and run.energy_error < SMALL
    assert "1.33 J of kinetic energy, when constraints were engaged" in run.summary()


@pytest.mark.parametrize("restitution", [0.0, 0.3, 1.0])
def test_restitution(restitution: float) -> None:
    """Newton's rule for the relative velocity; momentum is conserved, and with e = 1 the energy."""
    event = fb.Event("q.b - q.a", direction=-1, engage="grip", restitution=restitution)
    run = pair().simulate(0.8, **TOWARDS, events=[event])
    a, b = run.events.after[0][2:]
    assert np.isclose(b - a, 2.0 * restitution) and np.isclose(2 * a + b, 1.0)
    assert np.isclose(run.events.lost[0], (1 - restitution**2) * 0.5 * (2 / 3) * 4.0)
    assert run.engaged["grip"][-1] == (restitution == 0)


def test_impulse_between_bodies_in_a_tree() -> None:
    """M Δu = GᵀΛ with M, G of the compiled functions, and the momenta of the whole system are those before."""
    s = fb.System("tree", gravity=(0, 0, 0))
    base = s.body("base", joint=fb.Free(), mass=3.0, inertia=(1.0, 1.2, 0.8))
    arm = s.body(
        "arm", on=base, at=(0.5, 0, 0), joint=fb.Spherical(), mass=1.0, com=(0.3, 0, 0), inertia=(0.1, 0.2, 0.2)
    )
    load = s.body("load", joint=fb.Free(), mass=2.0, inertia=(0.3, 0.2, 0.4))
    s.close(arm.point((0.6, 0, 0)), load, fb.Revolute("z"), name="grip", engaged=False, capture=True)
    q, u = {"load.x": 1.3, "load.y": 0.1}, {"load.vx": -1.0, "load.wz": 2.0, "base.wy": 0.5, "arm.wx": 0.7}
    run = s.simulate(1.0, q=q, u=u, events=[fb.Event("t - 0.4", engage="grip")])
    for name in ("momentum.linear", "momentum.angular"):
        before, after = run.sides[name]
        assert np.allclose(before, after, atol=1e-13) and np.ptp(run[name], axis=0).max() < 10 * SMALL
    f, n, e = s.derive().compile(), 18, run.events
    x, change = e.after[0], e.after[0][n:] - e.before[0][n:]
    G = f.constraint(x[:n], x[n:], inputs=e.held_after[0])["G"]
    assert np.allclose(f.mass_matrix(x[:n]) @ change, G.T @ e.impulses[0], atol=1e-10) and np.linalg.norm(change) > 0.1
    t, kinetic = run.series("energy.kinetic")
    assert np.isclose(kinetic[0] - kinetic[-1], e.lost[0]) and e.lost[0] > 0
    assert run.energy_error < 10 * SMALL and np.count_nonzero(np.diff(t) == 0) == 1


@pytest.mark.parametrize("method", ["dop853", "rk4", "rodas5p", "radau", "ida"])
def test_every_method_restarts(method: str) -> None:
    """Grasped and released: the same motion by each method."""
    if method == "ida":
        pytest.importorskip("sksundae")
    events = [AT_TIME, fb.Event("t - 1.2", release="grip", name="release")]
    options: dict[str, Any] = {"step": 0.01} if method == "rk4" else {}
    s = pair(capture=True)
    s.joint_force("a", "sin(3*t)")
    run = s.simulate(2.0, **TOWARDS, events=events, method=method, **options)
    t = run.t
    held = (t > 0.5) & (t <= 1.2)
    relative = run["u.a"] - run["u.b"]
    assert np.allclose(relative[held], 0, atol=1e-6) and np.all(np.abs(relative[t <= 0.5]) > 0.5)
    expected = 2 * 1.0 - 1.0 + (1 - np.cos(6.0)) / 3  # of the momentum
    assert np.isclose(2 * run["u.a"][-1] + run["u.b"][-1], expected, atol=1e-6)
    assert np.array_equal(run.engaged["grip"] > 0, held) and len(run.events) == 2


def test_stabilised_constraints_are_switched_too() -> None:
    events = [AT_TIME, fb.Event("t - 1.2", release="grip", name="release")]
    s = pair(capture=True)
    s.joint_force("a", "sin(3*t)")
    projected, stabilised = (
        s.simulate(2.0, **TOWARDS, events=events, constraints=how) for how in ("projection", "baumgarte")
    )
    assert np.allclose(projected.x, stabilised.x, atol=1e-9)
    assert np.array_equal(projected.engaged["grip"], stabilised.engaged["grip"])


# Captured poses


def test_captured_pose_is_held_and_released() -> None:
    s = pair(capture=True)
    run = s.simulate(2.0, **TOWARDS, events=[AT_TIME])
    assert np.ptp((run["q.b"] - run["q.a"])[run.t > 0.5]) < 1e-12
    early = s.simulate(2.0, **TOWARDS, events=[AT_TIME], parameters={"t_grasp": 0.2})
    distance = early["q.b"][-1] - early["q.a"][-1]
    assert np.isclose(distance, 1.0 - 2 * 0.2) and np.isclose(abs(early["captured.grip"][-1, 0]), distance)


def test_what_is_engaged_at_the_start_captures_the_initial_pose() -> None:
    s = pair(capture=True)
    run = s.simulate(1.0, q={"a": 0.2, "b": 0.9}, u={"a": 3.0}, engaged={"grip": True})
    assert np.allclose(run["q.b"] - run["q.a"], 0.7) and np.allclose(run["u.b"], run["u.a"])
    assert run.engaged["grip"].all()


# Multipliers


def test_contact_comes_to_rest_and_lifts_off() -> None:
    """A ball bounces, rests on the floor, and leaves it when the lift exceeds its weight."""
    s = fb.System("ball")
    ball = s.body("ball", joint=fb.Prismatic("z"), mass=2.0)
    s.joint_force(ball, s.input("lift"))
    s.point_on_plane(ball, name="contact", engaged=False)
    events = [
        fb.Event("q.ball", direction=-1, engage="contact", restitution=0.5, rest_speed=0.01, name="touch"),
        fb.Event("multiplier.contact", direction=-1, release="contact", name="lift off"),
    ]
    run = s.simulate(6.0, q={"ball": 1.0}, inputs={"lift": "10*max(t - 3, 0)"}, events=events)
    names = [name for _, name in run.events]
    first, fall = np.sqrt(2 / 9.81), np.sqrt(2 * 9.81)
    bounces = int(np.ceil(np.log(fall / 0.01) / np.log(2)))  # until 0.5**n times the first speed is below 0.01
    assert names == [*["touch"] * bounces, "lift off"] and np.isclose(run.events.t[0], first)
    assert np.isclose(run.events.t[-1], 3 + 2 * 9.81 / 10)
    rest = run.engaged["contact"] > 0
    assert np.all(run["q.ball"][rest] == 0) and np.all(run["q.ball"] > -1e-12)
    assert np.allclose(run["multiplier.contact"][rest], 2 * 9.81 - 10 * np.maximum(run.t[rest] - 3, 0))
    rise = run.t[-1] - run.events.t[-1]
    assert np.isclose(run["q.ball"][-1], 10 * rise**3 / 6 / 2) and run.energy_error < SMALL
    assert np.isclose(run.events.lost.sum(), 2 * 9.81)


def test_contact_that_would_pull_is_released_at_once() -> None:
    s = fb.System("ball", gravity=(0, 0, 3.0))
    ball = s.body("ball", joint=fb.Prismatic("z"), mass=1.0)
    s.point_on_plane(ball, name="contact", engaged=False)
    events = [
        fb.Event("q.ball", direction=-1, engage="contact", name="touch"),
        fb.Event("multiplier.contact", direction=-1, release="contact", name="leave"),
    ]
    run = s.simulate(2.0, q={"ball": 1.0}, u={"ball": -4.0}, events=events)
    assert [name for _, name in run.events] == ["touch", "leave"] and run.events.t[0] == run.events.t[1]
    assert not run.engaged["contact"].any() and run["q.ball"][-1] > 0


def test_loads_outputs_and_files_use_flags() -> None:
    """A brake that acts while the grip holds."""
    s = pair(capture=True)
    s.output("held", "engaged.grip")
    s.joint_force("a", "-3*u.a*engaged.grip")
    for system in (s, loads(dumps(s), fb.System)):
        run = system.simulate(1.5, **TOWARDS, events=[AT_TIME])
        assert np.array_equal(run["held"], run.engaged["grip"])
        assert np.isclose(run["u.a"][-1], np.exp(-1.0) / 3)  # two carts of 3 kg together, damped by 3 N·s/m
    with pytest.raises(FreebodyError, match=r"not on engaged\.grip"):
        s.constrain("q.a*engaged.grip")


@pytest.mark.parametrize("restitution", [0.3, 0.8, 1.0])
def test_both_ends_of_a_beam_meet_the_floor_at_the_same_instant(restitution: float) -> None:
    """An impact at one end turns the other towards the floor again, which it has just left."""
    s = fb.System("beam")
    plane = fb.BuildingBlock(translations=("z",), rotations=(2,))
    beam = s.body("beam", joint=plane, mass=2.0, inertia=fb.rod(2.0, 2.0, "x"))
    events = []
    for end in (-1, 1):
        s.point_on_plane(beam.point((end, 0, 0)), name=f"contact{end}", engaged=False)
        s.output(f"height{end}", s.position(beam.point((end, 0, 0))).dot(s.ground.z))
        events += [
            fb.Event(
                s.position(beam.point((end, 0, 0))).dot(s.ground.z),
                direction=-1,
                engage=f"contact{end}",
                restitution=restitution,
                rest_speed=0.02,
                name=f"touch{end}",
            )
        ]
    run = s.simulate(3.0, q=[1.0, 0.0], events=events)
    assert run.success and min(run["height-1"].min(), run["height1"].min()) > -1e-9
    first = run.events.t == run.events.t[0]
    assert np.count_nonzero(first) > 2 and np.all(run.events.lost[first] > -1e-9)
    if restitution == 1.0:
        assert np.isclose(run["energy.total"][-1], run["energy.total"][0])


FLOOR = fb.Event("q.lower", direction=-1, engage="floor", restitution=0.5, rest_speed=0.01, name="floor")
STACK = fb.Event("q.upper - q.lower", direction=-1, engage="stack", name="stack")
LIFT = fb.Event("multiplier.floor", direction=-1, release="floor", name="lift off")


def stacked() -> fb.System:
    """Two blocks on a floor, one on the other."""
    s = fb.System("blocks")
    lower, _ = (s.body(name, joint=fb.Prismatic("z"), mass=2.0) for name in ("lower", "upper"))
    s.joint_force(lower, s.input("lift"))
    s.point_on_plane(lower, name="floor", engaged=False)
    s.constrain("q.upper - q.lower", name="stack", engaged=False)
    return s


@pytest.mark.parametrize("method", ["dop853", "rk4", "rodas5p", "radau", "ida"])
def test_blocks_that_touch_at_the_start_rest_on_the_floor(method: str) -> None:
    """Exactly closed at the start, without speed. The upper block does not approach the lower one until the floor
    holds that. The first row is the initial state, before the events."""
    if method == "ida":
        pytest.importorskip("sksundae")
    options: dict[str, Any] = {"step": 0.01} if method == "rk4" else {}
    events = [STACK, FLOOR, LIFT]
    run = stacked().simulate(1.0, events=events, inputs={"lift": "100*max(t - 0.5, 0)"}, method=method, **options)
    assert [name for _, name in run.events] == ["floor", "stack", "lift off"] and not run.events.lost.any()
    assert np.allclose(run.events.t, [0, 0, 0.5 + 4 * 9.81 / 100], atol=1e-6)
    rest = (run.t > 0) & (run.t < run.events.t[-1])
    assert np.array_equal(run.engaged["floor"] > 0, rest) and not run["q.lower"][rest].any()
    weight = 4 * 9.81 - 100 * np.maximum(run.t - 0.5, 0)
    assert np.allclose(run["multiplier.floor"][rest], weight[rest], atol=1e-6)
    assert np.allclose(run["q.upper"], run["q.lower"]) and run["q.lower"][-1] > 0.005


@pytest.mark.parametrize(
    ("u", "lift", "names"),
    [(-1.0, 0.0, ["floor"]), (1.0, 0.0, []), (0.0, 30.0, []), (0.0, 2 * 9.81, [])],
    ids=["thrown down", "thrown up", "lifted", "weightless"],
)
def test_closed_contact_is_engaged_only_if_the_motion_goes_through(u: float, lift: float, names: list[str]) -> None:
    """Thrown at the floor, on which it lies, the block rebounds with half the speed; what leaves or stays is free."""
    run = stacked().simulate(0.08, q={"upper": 1.0}, u={"lower": u}, inputs={"lift": lift}, events=[FLOOR, LIFT])
    assert [name for _, name in run.events] == names and not run.engaged["floor"].any()
    speed = -0.5 * u if u < 0 else u
    assert np.isclose(run["u.lower"][-1], speed + 0.08 * (lift / 2 - 9.81)) and run["u.lower"][0] == u


def test_impact_pushes_a_body_against_a_wall_that_it_touches() -> None:
    """A cart at rest touches a wall; another one hits it, and both stop. Momentum goes into the wall."""
    s = pair()
    s.constrain("q.b - 1", name="wall", engaged=False)
    wall = fb.Event("q.b - 1", direction=1, engage="wall", name="wall")
    meet = fb.Event("q.b - q.a", direction=-1, engage="grip", name="meet")
    run = s.simulate(2.0, q={"b": 1.0}, u={"a": 1.0}, events=[wall, meet])
    assert run.events.t.tolist() == pytest.approx([1.0, 1.0]) and [name for _, name in run.events] == ["meet", "wall"]
    assert np.allclose(run.x[-1], [1.0, 1.0, 0.0, 0.0], atol=1e-12)
    assert np.isclose(run.events.lost.sum(), 1.0) and np.isclose(abs(run.impulses["wall"][-1]), 2.0)


def test_energy_that_impacts_take_closes_the_balance(tmp_path: Path) -> None:
    """total = total at the start + supplied − lost at every row and on both sides of every jump, also at rows at
    an impact, in a run at other times, and in a file; the account names the loss."""
    s = stacked()
    run = s.simulate(3.0, q={"lower": 1.0, "upper": 3.0}, inputs={"lift": "5*t"}, events=[FLOOR, STACK])
    times = np.sort(np.append(run.t, np.unique(run.events.t)))
    run.save(tmp_path / "run.nc")
    assert len(run.events) > 4 and run["energy.lost"][0] == 0 and run["energy.lost"][-1] > 20
    exact = s.simulate(times, q={"lower": 1.0, "upper": 3.0}, inputs={"lift": "5*t"}, events=[FLOOR, STACK])
    assert np.isin(exact.t, exact.events.t).any()
    for r in (run, run.at(times), exact, fb.Trajectory.load(tmp_path / "run.nc")):
        series = {name: r.series(f"energy.{name}")[1] for name in ("total", "supplied", "lost")}
        for total, supplied, lost in ([r[f"energy.{name}"] for name in series], series.values()):
            assert np.allclose(total - total[0], supplied - lost, rtol=0, atol=1e-5)
    account = dict(run_account(run))
    assert np.isclose(account["loss by impacts and switching"], -run.events.lost.sum())
    assert abs(account["difference"]) < 1e-5 and "change by resets and gaps that were closed" not in account


def test_continued_run_does_not_repeat_what_ended_the_last_one() -> None:
    """A block that is lifted off at the end of a run continues upwards, and one at rest stays."""
    s, events = stacked(), [FLOOR, fb.Event("multiplier.floor", direction=-1, release="floor", terminal=True)]
    first = s.simulate(1.0, q={"upper": 1.0}, inputs={"lift": "100*t"}, events=events)
    assert first.status == 1 and len(first.events) == 2
    then = s.simulate(1.0, start=first, inputs={"lift": "100*t"}, events=events)
    assert not len(then.events) and then["q.lower"][-1] > 1


def test_latch_breaks_and_a_stop_by_input() -> None:
    """A latch breaks at 50 N; an input that crosses zero engages a brake."""
    s = pair(engaged=True)
    s.joint_force("b", s.input("pull"))
    s.constrain("u.a", name="brake", engaged=False)
    events = [
        fb.Event("multiplier.grip.force.x + 10", direction=-1, release="grip", name="break"),
        fb.Event("pull - 40", engage="brake", name="brake"),
    ]
    run = s.simulate(3.0, inputs={"pull": "20*t"}, events=events)
    assert [name for _, name in run.events] == ["break", "brake"]
    assert np.isclose(run.events.t[0], 0.75) and np.isclose(run.events.t[1], 2.0)
    assert np.all(run["u.a"][run.t > 2.0] == 0) and run["u.b"][-1] > run["u.b"][500]


# Extra states and singular positions of constraints that are released


def test_screw_that_is_captured_counts_from_zero() -> None:
    s = fb.System("lift", gravity=(0, 0, 0))
    s.body("spindle", joint=fb.Revolute("z"), inertia=(1, 1, 0.5))
    s.body("nut", joint=fb.Prismatic("z"), mass=3.0)
    s.close("nut", "spindle", fb.Screw("z", pitch=0.1), name="thread", engaged=False, capture=True)
    run = s.simulate(20.0, u={"spindle": 2.0, "nut": 0.3}, events=[fb.Event("t - 15", engage="thread")])
    held = run.t > 15
    assert run.success and np.ptp((run["q.nut"] + 0.1 * run["q.spindle"])[held]) < 1e-12
    turned = run["q.spindle"][held] - (2.0 * 15)
    assert np.allclose(run["q.thread"][held], turned, atol=1e-9)


def test_curve_is_met_where_the_point_arrives() -> None:
    """The parameter follows at the moment of engaging, not while the point is far away."""
    s = fb.System("rail")
    bead = s.body("bead", joint=fb.BuildingBlock(translations=("x", "z")), mass=1.0)
    s.point_on_curve(bead, ("2*sin(s)", 0, "-2*cos(s)"), name="rail", engaged=False)
    landing = fb.Event("q.bead.s1**2 + q.bead.s2**2 - 4", direction=1, engage="rail", name="land")
    run = s.simulate(3.0, q={"bead.s1": 0.5, "bead.s2": 1.0}, u={"bead.s1": 1.0}, events=[landing])
    on = run.engaged["rail"] > 0
    assert run.success and on.any() and not on.all()
    assert np.allclose(np.hypot(run["q.bead.s1"], run["q.bead.s2"])[on], 2.0)
    assert np.allclose(2 * np.sin(run["z.rail.s"][on]), run["q.bead.s1"][on], atol=1e-9) and run.energy_error < SMALL


def test_wheel_that_is_released_may_lie_flat() -> None:
    s = fb.System("disc")
    disc = s.body("disc", joint=fb.Free(), mass=1.0, inertia=fb.ring(1.0, 0.3, "y"))
    s.roll(disc, radius=0.3, axis="y", name="contact", engaged=False)
    f, half = s.derive().compile(), np.sqrt(0.5)
    assert np.allclose(f.forward_dynamics([0, 0, 0.3, half, half, 0, 0], np.zeros(6)), [0, 0, 0, 0, -9.81, 0])


# Several runs


def test_sweep_whose_cases_grasp_at_different_times() -> None:
    s, times = pair(capture=True), [0.2, 0.5, 0.9]
    options: dict[str, Any] = {**TOWARDS, "events": [AT_TIME]}
    data = s.sweep(2.0, {"t_grasp": times}, record=["engaged.grip", "multiplier.grip.force.x"], **options)
    for k, t in enumerate(times):
        run = s.simulate(2.0, parameters={"t_grasp": t}, **options)
        for name in ("q.a", "q.b", "u.a", "engaged.grip", "multiplier.grip.force.x"):
            assert np.array_equal(data[name][k], run[name]), name


def test_a_case_that_cannot_be_engaged_does_not_end_a_sweep() -> None:
    s = pair()
    with pytest.warns(SimulationWarning, match=r"1 of 2 cases failed .* t_grasp = 0\.2: at t = 0\.2 s event 'grasp'"):
        data = s.sweep(1.0, {"t_grasp": [0.2, 0.5]}, **TOWARDS, events=[AT_TIME])
    assert data["status"].values.tolist() == [-1, 0] and np.isnan(data["q.a"][0, -1])
    assert np.isclose(data["q.a"][1, -1], data["q.b"][1, -1])


def test_lanes_may_differ_in_flags() -> None:
    s = pair(capture=True)
    data = s.sweep(1.0, {"engaged.grip": [0, 1], "u.a": [1.0, 2.0]}, q={"b": 0.5})
    for i, engaged in enumerate((False, True)):
        for j, speed in enumerate((1.0, 2.0)):
            run = s.simulate(1.0, q={"b": 0.5}, u={"a": speed}, engaged={"grip": engaged})
            assert np.allclose(data["q.a"][i, j], run["q.a"], atol=1e-12)
            assert np.allclose(data["q.b"][i, j], run["q.b"], atol=1e-12)


def test_continued_runs_keep_flags_and_poses(tmp_path: Path) -> None:
    s = pair(capture=True)
    whole = s.simulate(2.0, **TOWARDS, events=[AT_TIME])
    first = s.simulate(1.0, **TOWARDS, events=[AT_TIME])
    for suffix in (".nc", ".parquet"):
        loaded = fb.Trajectory.load(first.save(tmp_path / f"run{suffix}"))
        assert loaded.events.rows == first.events.rows and np.array_equal(loaded.events.lost, first.events.lost)
        assert np.array_equal(loaded.impulses["grip.force.x"], first.impulses["grip.force.x"])
        assert np.array_equal(loaded.events.held_after, first.events.held_after)
        for start in (first, loaded):
            rest = s.simulate(2.0, start=start)
            assert np.allclose(rest.x[-1], whole.x[-1], atol=1e-10) and rest.engaged["grip"].all()
    freed = s.simulate(2.0, start=first, engaged={"grip": False})
    assert not freed.engaged["grip"].any()


def test_interpolation_knows_the_topology() -> None:
    """Between saved times, on both sides of the switches."""
    s = pair(capture=True, gravity=(1.0, 0, 0))
    s.joint_force("a", "sin(5*t)")
    events = [AT_TIME, fb.Event("t - 1.1", release="grip", name="release")]
    fine = s.simulate(np.linspace(0, 2, 401), **TOWARDS, events=events)
    coarse = s.simulate([0, 2.0], **TOWARDS, events=events).at(fine.t)
    inside = (np.abs(fine.t - 0.5) > 1e-3) & (np.abs(fine.t - 1.1) > 1e-3)
    assert np.allclose(coarse.x[inside], fine.x[inside], atol=1e-9)
    assert np.array_equal(coarse.engaged["grip"][inside], fine.engaged["grip"][inside])
    assert np.allclose(coarse["multiplier.grip.force.x"][inside], fine["multiplier.grip.force.x"][inside], atol=1e-7)


# What is refused


def test_open_constraint_is_not_engaged() -> None:
    event = fb.Event("t - 0.25", engage="grip", name="grasp")
    with pytest.warns(
        SimulationWarning,
        match=r"at t = 0\.25 s event 'grasp': constraint 'grip' \(force\.x\) cannot be"
        r" engaged: it is open by 0\.5 m, more than the gap of 0\.001 that is closed\. Engage it where it"
        r" is closed, describe it with capture=True",
    ):
        run = pair().simulate(1.0, **TOWARDS, events=[event])
    assert run.status == -1 and np.isclose(run.t[-1], 0.25)
    near = fb.Event("q.b - q.a - 1e-4", engage="grip")
    assert np.isclose(np.diff(pair().simulate(1.0, **TOWARDS, events=[near]).x[-1][:2])[0], 0, atol=1e-12)
    with pytest.warns(SimulationWarning, match="more than the gap of 1e-06"):
        pair().simulate(1.0, **TOWARDS, events=[fb.Event("q.b - q.a - 1e-4", engage="grip", gap=1e-6)])


def test_weld_half_a_turn_away_is_not_engaged() -> None:
    s = fb.System("wheel")
    s.body("wheel", joint=fb.Revolute("z"), inertia=(1, 1, 1))
    s.close(s.ground, "wheel", name="stop", engaged=False)
    with pytest.warns(SimulationWarning, match="'stop' cannot be engaged: the axes of its joint in the two bodies are"):
        s.simulate(5.0, u={"wheel": 1.0}, events=[fb.Event("q.wheel - pi", engage="stop")])
    run = s.simulate(7.0, u={"wheel": 1.0}, events=[fb.Event("q.wheel - 2*pi", engage="stop")])
    assert run.success and np.isclose(run["q.wheel"][-1], 2 * np.pi)


def test_constraint_that_contradicts_others_is_not_engaged() -> None:
    """The motor keeps its speed, so that nothing can stop the cart."""
    s = pair()
    s.constrain("u.a - 1", name="motor")
    s.close(s.ground, "a", name="stop", engaged=False, capture=True)
    with pytest.warns(SimulationWarning, match="constraint 'stop' cannot be engaged: no state near this one satisfies"):
        run = s.simulate(1.0, events=[fb.Event("t - 0.5", engage="stop")])
    assert run.status == -1 and not run.engaged["stop"].any()


def test_zeno_switching_ends_with_the_reason() -> None:
    s = fb.System("ball")
    ball = s.body("ball", joint=fb.Prismatic("z"), mass=1.0)
    s.point_on_plane(ball, name="contact", engaged=False)
    bounce = fb.Event("q.ball", direction=-1, engage="contact", restitution=0.5, rest_speed=0.0, name="bounce")
    with pytest.warns(SimulationWarning, match=r"'bounce' happens again and again without time passing. Give a larger"):
        s.simulate(3.0, q={"ball": 1.0}, events=[bounce])
    s = pair()
    both = [fb.Event("q.b - q.a", engage="grip", name="on"), fb.Event("q.a - q.b - 1e-12", release="grip", name="off")]
    run = s.simulate(2.0, **TOWARDS, events=both)
    assert run.success  # engaged, the condition of the release stays where it is


@pytest.mark.parametrize(("options", "message"), [
    ({"engage": "grap"}, r"event 'event1': engage has no constraint 'grap'; choose from grip, always"),
    ({"engage": "always"}, r"engage: constraint 'always' always holds and cannot be switched; describe it with"),
    ({"release": "always"}, r"release: constraint 'always' always holds"),
    ({"engage": ["grip", "grip"]}, r"engage names 'grip' twice; name each constraint once"),
    ({"engage": "grip", "release": ["grip"]}, r"event 'event1' engages and releases 'grip' at once; use two events"),
    ({"engage": 3}, r"event 'event1': engage must be a name or a list of names, not 3"),
    ({"engage": "grip", "restitution": -0.1}, r"restitution is -0\.1; it must not be negative"),
    ({"engage": "grip", "restitution": 1.5}, r"restitution is 1\.5; more than 1 would add energy"),
    ({"engage": "grip", "restitution": "high"}, r"restitution: 'high' is not a number"),
    ({"release": "grip", "restitution": 0.5}, r"restitution needs a constraint that the event engages"),
    ({"engage": "grip", "gap": -1.0}, r"gap is -1; it must not be negative"),
    ({"engage": "grip", "rest_speed": float("nan")}, r"rest_speed: nan is not finite"),
])  # fmt: skip
def test_wrong_events_raise_errors(options: dict[str, Any], message: str) -> None:
    s = pair()
    s.constrain("q.a - q.b", name="always")
    with pytest.raises(ArgumentError, match=message):
        s.simulate(1.0, events=[fb.Event("t - 0.5", **options)])


@pytest.mark.parametrize(("options", "message"), [
    ({"engaged": {"grap": True}}, r"has no constraint 'grap'"),
    ({"engaged": {"grip": "yes"}}, r"engaged: 'grip' must be True or False, not 'yes'"),
    ({"engaged": {"grip": 1}}, r"engaged: 'grip' must be True or False, not 1"),
    ({"engaged": "grip"}, r"engaged must be values by name, such as \{'latch': True\}, not 'grip'"),
    ({"inputs": {"engaged.grip": 1.0}}, r"'engaged\.grip' changes at events only: engage or release the constraint by"),
])  # fmt: skip
def test_wrong_flags_raise_errors(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        pair().simulate(1.0, **options)


def test_flags_of_a_sweep_are_0_or_1() -> None:
    for name, values in (("engaged.grip", [0.5]), ("captured.grip.x", [1.0])):
        with pytest.raises(ArgumentError, match="vary flags of constraints, such as"):
            pair(capture=True).sweep(1.0, {name: values})


# Bodies that come and go


def test_parked_body_is_held_by_an_engaged_weld() -> None:
    """A body waits on its dock, is taken along, and is parked on another dock, as it arrives."""
    s = fb.System("docks", gravity=(0, 0, 0))
    ship = s.body("ship", joint=fb.Prismatic("x"), mass=10.0)
    box = s.body("box", joint=fb.Free(), mass=1.0, inertia=(0.1, 0.1, 0.1))
    s.close(s.ground.point((1, 0, 0)), box, name="dock", engaged=True)
    s.close(ship, box, name="grip", engaged=False, capture=True)
    s.close(s.ground, box, name="park", engaged=False, capture=True)
    events = [
        fb.Event("q.ship - 1", engage="grip", release="dock", name="take"),
        fb.Event("q.ship - 3", engage="park", release="grip", name="leave"),
    ]
    run = s.simulate(5.0, q={"box.x": 1.0}, u={"ship": 1.0}, events=events)
    assert [name for _, name in run.events] == ["take", "leave"]
    before, after = run.t < run.events.t[0], run.t > run.events.t[1]
    assert np.allclose(run["q.box.x"][before], 1.0) and np.allclose(run["q.box.x"][after], 3.0)
    between = (run.t > run.events.t[0]) & (run.t < run.events.t[1])
    assert np.allclose(run["q.box.x"][between], run["q.ship"][between])
    assert np.allclose(run["u.ship"][after], 10 / 11) and np.isclose(run.events.lost.sum(), 5 - 10 / 2 * (10 / 11) ** 2)


def test_conditions_that_were_crossed_before_do_not_release_again() -> None:
    """A box is picked up and put down where it waited: the cart is beyond the place of the first event then."""
    s = fb.System("pick and place", gravity=(0, 0, 0))
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    box = s.body("box", joint=fb.Prismatic("x"), mass=1.0)
    s.close(s.ground, box, name="park", engaged=True, capture=True)
    s.close(cart, box, name="grip", engaged=False, capture=True)
    events = [
        fb.Event("q.cart - 1", direction=1, engage="grip", release="park", name="pick"),
        fb.Event("q.cart - 2", direction=1, engage="park", release="grip", name="place"),
    ]
    run = s.simulate(5.0, q={"box": 1.0}, u={"cart": 1.0}, events=events)
    assert [name for _, name in run.events] == ["pick", "place"]
    assert np.isclose(run["q.box"][-1], 2.0) and np.isclose(run["q.cart"][-1], 2.0 + 0.5 * 2.0)


@pytest.mark.parametrize("when", ["u.b + 0.1", "multiplier.grip.force.x - 1"])
def test_conditions_that_an_impact_crosses_release_at_once(when: str) -> None:
    """One of speeds that jumps over its zero, and one of a force that is below its limit from the start."""
    direction = 1 if when.startswith("u") else -1
    let_go = fb.Event(when, direction=direction, release="grip", name="let go")
    run = pair().simulate(1.0, **TOWARDS, events=[MEET, let_go])
    assert [name for _, name in run.events] == ["meet", "let go"] and run.events.t[0] == run.events.t[1]


# Contacts that can neither hold nor let go


def leaning_rod(engaged: bool) -> tuple[fb.System, list[fb.Event]]:
    """A rod that leans with its foot on the floor, which sticks, and is pushed at its upper end. At 20° and with a push
    of 0.23 … 0.33 m g/(sin 20° cos 20°) the floor would have to pull the foot, which would go down without it."""
    s = fb.System("leaning")
    joint = fb.Compound(fb.Prismatic("x"), fb.Prismatic("z"), fb.Revolute("y"))
    rod = s.body("rod", joint=joint, mass=1.0, inertia=fb.rod(1, 1, "x"))
    foot = rod.point((-0.5, 0, 0))
    s.close(s.ground, foot, fb.Revolute("y"), name="stick", engaged=engaged)
    s.output("height", s.position(foot).dot(s.ground.z))
    s.force(s.input("push") * s.ground.x, at=rod.point((0.5, 0, 0)))
    touch = fb.Event("height", direction=-1, engage="stick", name="touch")
    return s, [touch, fb.Event("multiplier.stick.force.z", direction=-1, release="stick", name="lift")]


@pytest.mark.parametrize("engaged", [True, False])
def test_a_contact_that_can_neither_hold_nor_let_go_ends_the_run(engaged: bool) -> None:
    """Whether it has held before, or has just been reached."""
    s, events = leaning_rod(engaged)
    angle, g = np.radians(20), 9.81
    push = g / (np.sin(angle) * np.cos(angle))
    law = f"{0.1 * push} + {10 * push}*t" if engaged else f"{0.28 * push}"
    start = (0.5, 0.0 if engaged else 1e-5, -angle)
    refused = r"'stick' can neither hold nor let go: event 'lift' releases it .*'touch'"
    with pytest.warns(SimulationWarning, match=refused):
        run = s.simulate(np.linspace(0, 0.4, 41), q={"rod": start}, inputs={"push": law}, events=events)
    assert run.status == -1 and run.t[-1] < 0.02 and run["height"].min() > -1e-9


def test_a_tumbling_box_never_goes_through_the_floor() -> None:
    """Its corners stick where they strike. The run ends where that is impossible."""
    s, events = fb.System("box"), list[fb.Event]()
    box = s.body("box", joint=fb.Free(), mass=1.0, inertia=(1 / 6,) * 3)
    for k, corner in enumerate(np.ndindex(2, 2, 2)):
        point = box.point(tuple(np.array(corner) - 0.5))
        s.constrain(s.velocity(point), name=f"c{k}", engaged=False)
        s.output(f"h{k}", s.position(point).dot(s.ground.z))
        events.append(fb.Event(f"h{k}", direction=-1, engage=f"c{k}", name=f"touch{k}"))
        events.append(fb.Event(f"multiplier.c{k}.z", direction=-1, release=f"c{k}", name=f"lift{k}"))
    eq, rng, ends = s.derive(), np.random.default_rng(0), set[int]()
    for _ in range(12):
        turned = rng.normal(size=4)
        turned /= np.linalg.norm(turned)
        q = {"box.z": 1.5, **dict(zip([f"box.q{c}" for c in "wxyz"], turned.tolist(), strict=True))}
        u = dict(zip(("box.wx", "box.wy", "box.vx"), (rng.normal(size=3) * (3, 3, 1)).tolist(), strict=True))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SimulationWarning)
            run = eq.simulate(np.linspace(0, 3, 61), q=q, u=u, events=events)
        assert min(run[f"h{k}"].min() for k in range(8)) > -1e-6, run.message
        assert run.status == 0 or "can neither hold nor let go" in run.message
        ends.add(run.status)
    assert ends == {0, -1}
