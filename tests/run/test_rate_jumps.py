"""Prescribed motions and constraints whose rate jumps: impulses of the drives, work, and what is refused."""

import re
from pathlib import Path

import numpy as np
import pytest

import freebody as fb
from freebody.api.live import live_simulation
from freebody.errors import ArgumentError, FreebodyError, SimulationWarning
from freebody.integrate import steppers

METHODS = [m for m in steppers.METHODS if m != "contact"]  # whose steps are of one size, for contact

SLOPES = 0.4, 1.7, 0.8  # of KINKED before 0.5 s, until 1 s, and after
KINKED = "0.4*t + 1.3*max(0, t - 0.5) - 0.9*max(0, t - 1)"
END = 1.2
BAR = {"mass": 1.0, "com": (0.1, 0.2, 0.5), "inertia": (0.1, 0.2, 0.3)}


def arm(motion: object) -> fb.System:
    s = fb.System("arm")
    crank = s.body("crank", joint=fb.Revolute("y", motion=motion, armature=0.3), **BAR)
    fore = s.body("fore", on=crank, at=(0, 0, 1), joint=fb.Revolute("x"), **BAR)
    s.body("hand", on=fore, at=(0, 0.1, 1), joint=fb.Revolute("y"), **BAR)
    return s


def oblique() -> fb.System:
    """Two driven coordinates in one joint, a quaternion, coupled joints and a rotor."""
    s = fb.System("oblique")
    a = s.body("a", joint=fb.Cylindrical((1, 2, 2), motion=[KINKED, "0.2*max(0, t - 0.5)"]), **BAR)
    b = s.body("b", on=a, at=(0.3, 0.4, 0.2), joint=fb.Spherical(), **BAR)
    c = s.body("c", on=b, at=(0, 0.1, 1), joint=fb.Universal(), **BAR)
    d = s.body("d", on=c, at=(0.2, 0.1, 0.3), joint=fb.Revolute((1, 1, 0)), **BAR)
    e = s.body("e", on=d, at=(0.2, 0.1, 0.3), joint=fb.Revolute("x", armature=0.2), **BAR)
    s.gear(e, d, 2.0)
    return s


def four_bar(driven: str) -> fb.System:
    """The crank of a four-bar driven by its joint in the tree, or by one that closes a loop."""
    s, rod = fb.System("four-bar"), {"mass": 1.0, "com": (0, 0, 0.5), "inertia": fb.rod(1, 1, "z")}
    left = s.body("left", joint=fb.Revolute("y", motion=KINKED if driven == "tree" else None), **rod)
    coupler = s.body(
        "coupler", on=left, at=(0, 0, 1), joint=fb.Revolute("y"), mass=1, com=(0.5, 0, 0), inertia=fb.rod(1, 1, "x")
    )
    right = s.body("right", at=(1.3, 0, 0), joint=fb.Revolute("y"), **rod)
    s.close(coupler.point((1.4, 0, 0)), right.point((0, 0, 1)), fb.Revolute("y"), name="pin")
    if driven != "tree":
        s.close(s.ground, left, fb.Revolute("y", motion=KINKED), name="drive")
    return s


def beam() -> fb.System:
    s = fb.System("beam")
    hub = s.body("hub", joint=fb.Revolute("z", motion=KINKED), mass=1.0, inertia=(1, 1, 1))
    boom = s.body("boom", on=hub, flexible=fb.Beam(length=1, EI=100.0, density=1), modes=3)
    s.body("tip", on=boom.node("tip"), joint=fb.Revolute("z"), mass=0.1, com=(0.1, 0, 0), inertia=(0.01, 0.01, 0.01))
    return s


def rod() -> fb.System:
    s = fb.System("rod")
    mass = s.body("mass", joint=fb.BuildingBlock(translations=("x", "z")), mass=1.0)
    s.rod(s.ground, mass, "1.5 - 0.3*t + 0.8*max(0, t - 0.5)")
    return s


SYSTEMS = {
    "arm": (arm(KINKED), {"fore": 0.4, "hand": 0.3}), "oblique": (oblique(), {}), "tree": (four_bar("tree"), {}),
    "loop": (four_bar("loop"), {}), "beam": (beam(), {}), "rod": (rod(), {"mass.s1": 1.5}),
}  # fmt: skip


@pytest.mark.parametrize("name", SYSTEMS)
def test_kinetic_energy_that_appears_is_the_work_of_drives_and_constraints(name: str) -> None:
    """ΔT = Σ J (u⁻ + u⁺)/2 in the instant of a jump, to rounding: T and J are computed in different ways."""
    system, q = SYSTEMS[name]
    run = system.simulate(END, q=q)
    assert run.status == 0 and len(run.events) == (1 if name == "rod" else 2) and run.energy_error < 1e-7
    kinetic, supplied = (run.sides[f"energy.{key}"].reshape(-1, 2) for key in ("kinetic", "supplied"))
    change = np.diff(kinetic)[:, 0]
    assert np.abs(np.diff(supplied)[:, 0] - change).max() < 1e-11 * (1 + np.abs(kinetic).max())
    assert np.abs(change).max() > 1e-3
    assert sum(run[key] for key in run if key.startswith("work.")) == pytest.approx(run["energy.supplied"])


def test_impulses_are_the_limit_of_short_strong_forces() -> None:
    """A rate that changes within a few time constants w: the states afterwards differ in proportion to w."""
    times, q, step = [0.0, 0.45, 0.5, 0.55], {"fore": 0.4, "hand": 0.3}, SLOPES[1] - SLOPES[0]
    run, differences = arm(KINKED).simulate(times, q=q), list[np.ndarray]()
    for w in (2e-3, 1e-3):
        z = f"((t - 0.5)/{w})"
        smooth = f"0.4*t + {step}*{w}*(max(0, {z}) + log(1 + exp(-abs({z}))))"
        quick = arm(smooth).simulate(times, q=q, max_step=w / 2)
        assert quick["u.crank"][2] == pytest.approx(0.4 + step / 2) and quick.energy_error < 1e-6
        differences.append(quick.x[-1] - run.x[-1])
    assert np.abs(differences[1]).max() < 0.01 * np.abs(run.x[-1]).max()
    assert np.linalg.norm(differences[0]) == pytest.approx(2 * np.linalg.norm(differences[1]), rel=0.2)


def test_a_drive_in_the_tree_and_one_that_closes_a_loop_give_the_same_impulses() -> None:
    tree, loop = (SYSTEMS[name][0].simulate(END) for name in ("tree", "loop"))
    assert tree.impulses["motion.left"] == pytest.approx(loop.impulses["drive.motion"], rel=1e-9)
    assert tree.impulses["pin.force.x"] == pytest.approx(loop.impulses["pin.force.x"], rel=1e-9)
    assert np.abs(tree["coupler"] - loop["coupler"]).max() < 1e-9


def test_a_free_body_keeps_its_momentum_while_a_drive_on_it_jumps() -> None:
    s = fb.System("free", gravity=(0, 0, 0))
    s.body("wheel", on=s.body("bus", joint=fb.Free(), **BAR), joint=fb.Revolute((1, 1, 2), motion=KINKED), **BAR)
    run = s.simulate(END)
    for key in ("momentum.linear", "momentum.angular"):
        assert np.abs(run[key] - run[key][0]).max() < 1e-9
        assert np.abs(run.sides[key] - run[key][0]).max() < 1e-9


@pytest.mark.parametrize("method", [m for m in METHODS if m != "esdirk54"])  # which is for trees
def test_every_method_stops_at_jumps_of_rates(method: str) -> None:
    if method in ("cvode", "ida"):
        pytest.importorskip("sksundae")
    how = {"method": method} | ({"step": 1e-3} if method == "rk4" else {})
    run, exact = (SYSTEMS["tree"][0].simulate(END, **options) for options in (how, {}))
    assert run["coupler"][-1] == pytest.approx(exact["coupler"][-1], abs=1e-5)
    assert run.impulses["motion.left"] == pytest.approx(exact.impulses["motion.left"], rel=1e-4)


def test_sweeps_and_runs_backwards_jump_too() -> None:
    system, q = SYSTEMS["arm"]
    run = system.simulate(END, q=q)
    cases = system.sweep(END, {"q.fore": [0.4, 0.5]}, q=q)
    assert np.array_equal(cases["q.hand"].values[0], run["hand"])
    times = [0.0, 0.5, 0.7, 1.0]  # at and between jumps; the last is where the run ends
    one = system.simulate(times, q=q)
    keys = ["u.crank", "energy.kinetic", "energy.total"]
    for over in ({"q.fore": [0.4, 0.5]}, {"q.fore": [0.4]}):
        cases = system.sweep(times, over, q=q, record=keys)
        for key in keys:
            assert cases[key].values[0] == pytest.approx(one[key], rel=1e-12)
    back = system.derive().simulate([END, 0.0], q=run.x[-1, :2], u=run.x[-1, 2:])
    assert back.x[-1][:2] == pytest.approx([0.4, 0.3], abs=1e-6) and np.abs(back.x[-1][2:]).max() < 1e-6
    assert back.impulses["motion.crank"] == pytest.approx(-run.impulses["motion.crank"][::-1], rel=1e-6)


def test_runs_in_parts_jump_where_one_ends_and_the_next_begins() -> None:
    system, q = SYSTEMS["arm"]
    whole, first = system.simulate(END, q=q), system.simulate(0.5, q=q)
    assert not len(first.events)
    second = system.simulate(END, start=first)
    assert second.x[-1] == pytest.approx(whole.x[-1], abs=1e-6) and len(second.events) == 2
    view = live_simulation(system.freeze(), q=q)
    for _ in range(12):
        assert not view.advance(0.1)
    assert view.x == pytest.approx(whole.x[-1], abs=1e-6)


@pytest.mark.filterwarnings("error::freebody.errors.SimulationWarning")
@pytest.mark.parametrize("name", SYSTEMS)
def test_runs_that_begin_or_end_at_a_jump_have_the_values_on_their_side(name: str) -> None:
    system, q = SYSTEMS[name]
    start = system.assemble(q)
    whole = system.simulate(np.linspace(0, END, 13), q=start.q, u=start.u)
    kinetic = whole.sides["energy.kinetic"][:2]
    for end in (0.5, [0.0, 0.2, 0.5]):
        ended = system.simulate(end, q=start.q, u=start.u)
        assert ended["energy.kinetic"][-1] == pytest.approx(kinetic[0], abs=1e-8)
        assert ended.energy_error < 1e-6 and ended.drift[1] < 1e-9
    back = system.simulate([0.6, 0.55, 0.5], q=whole.x[6, : len(start.q)], u=whole.x[6, len(start.q) :][: len(start.u)])
    assert back["energy.kinetic"][-1] == pytest.approx(kinetic[1], abs=1e-6)
    assert back.energy_error < 1e-6 and max(whole.drift[1], back.drift[1]) < 1e-9


def test_rows_at_a_jump_have_the_rates_before_it_and_files_hold_the_jump(tmp_path: Path) -> None:
    run = arm(KINKED).simulate([0.0, 0.5, 1.0, END])
    assert run["u.crank"].tolist() == pytest.approx([SLOPES[0], SLOPES[0], SLOPES[1], SLOPES[2]])
    assert run.sides["u.crank"].tolist() == pytest.approx([SLOPES[0], SLOPES[1], SLOPES[1], SLOPES[2]])
    loaded = fb.Trajectory.load(run.save(tmp_path / "run.nc"))
    assert loaded.impulses["motion.crank"] == pytest.approx(run.impulses["motion.crank"])
    assert loaded.energy_error == pytest.approx(run.energy_error, rel=1e-6, abs=1e-12)
    assert [name for _, name in loaded.events] == ["jump of a prescribed rate"] * 2


def test_runs_of_constrained_systems_with_events_can_be_loaded(tmp_path: Path) -> None:
    run = rod().simulate(0.4, q={"mass.s1": 1.5}, events=[fb.Event("t - 0.2")])
    assert list(fb.Trajectory.load(run.save(tmp_path / "run.nc")).events) == list(run.events)


def test_smooth_motions_have_no_jumps() -> None:
    """Break points of cubics do not stop a run, and it is the same to the bit as before they were looked at."""
    run = arm(([0, 0.5, 1, 2], [0, 0.3, -0.1, 0.2])).simulate(END)
    assert not len(run.events) and run.energy_error < 1e-7


CURVED = {
    "abs(sin(3*t))": [np.pi / 3, 2 * np.pi / 3], "max(0, t**2 - 1)": [1.0],
    "min(sin(3*t), 0.5)": [np.pi / 18, 5 * np.pi / 18, 13 * np.pi / 18],
    "where(sin(7*t)/7 + exp(-t)/2 > 0.3, 0.3, sin(7*t)/7 + exp(-t)/2)": None,
}  # fmt: skip


@pytest.mark.parametrize(("law", "expected"), CURVED.items())
def test_kinks_of_any_function_of_time_give_impulses(law: str, expected: list[float] | None) -> None:
    """Where a law is not affine in t its kinks are found by changes of sign, to rounding."""
    system = arm(law)
    run = system.simulate(2.5, q={"fore": 0.4}, rtol=1e-9, atol=1e-11)
    assert run.status == 0 and run.energy_error < 1e-8
    assert len(run.events) and (expected is None or run.events.t == pytest.approx(expected, rel=1e-14))
    kinetic, supplied = (run.sides[f"energy.{key}"].reshape(-1, 2) for key in ("kinetic", "supplied"))
    assert np.abs(np.diff(supplied) - np.diff(kinetic)).max() < 1e-10 * (1 + kinetic.max())
    assert np.abs(run.impulses["motion.crank"]).min() > 0.1


def test_constraints_with_kinks_may_begin_at_one() -> None:
    s = fb.System("rod")
    mass = s.body("mass", joint=fb.BuildingBlock(translations=("x", "z")), mass=1.0)
    s.rod(s.ground, mass, "1.5 + 0.2*abs(sin(3*t))")
    run = s.simulate(3.0, q={"mass.s1": 1.5}, rtol=1e-10, atol=1e-12)
    assert run.status == 0 and len(run.events) == 2 and run.energy_error < 1e-8 and max(run.drift) < 1e-12


def test_all_kinks_of_fast_laws_are_found() -> None:
    run = arm("0.01*abs(sin(200*t))").simulate(8.0, rtol=1e-5)
    assert len(run.events) == int(8 * 200 / np.pi)
    assert run.events.t == pytest.approx(np.arange(1, len(run.events) + 1) * np.pi / 200, rel=1e-13)


def test_positions_that_jump_are_refused_with_the_time() -> None:
    with pytest.raises(ArgumentError, match=re.escape("at t = 1 s the prescribed motion of 'crank' jumps by 0.5 rad")):
        arm("where(t > 1, 0.5, 0)").simulate(2.0)
    assert arm("where(t > 1, 0.5, 0)").simulate(0.9).status == 0
    for law in ("floor(t)", "t - floor(t)", "floor(3 - 2*t)", "where(sin(3*t) > 0.5, 0.5, 0)"):
        with pytest.raises(ArgumentError, match=r"the prescribed motion of 'crank' jumps by \S+ rad"):
            arm(law).simulate(2.0)
    assert arm("floor(t)").simulate(0.9).status == 0
    s = fb.System("rod")
    mass = s.body("mass", joint=fb.BuildingBlock(translations=("x", "z")), mass=1.0)
    s.rod(s.ground, mass, "where(t < 0.5, 1.5, 1)", name="r")
    with pytest.warns(SimulationWarning, match="at t = 0.5 s the constraint equation 'r' asks for other positions"):
        run = s.simulate(1.0, q={"mass.s1": 1.5, "mass.s2": 0.0})
    assert run.status == -1 and run.t[-1] == 0.5


# (times, values)


def test_curves_through_times_and_values_are_smooth_and_begin_and_end_at_rest(tmp_path: Path) -> None:
    times, values = [0.0, 0.5, 1.0, 2.0], [0.1, 0.3, -0.1, 0.2]
    s = arm((times, np.array(values)))
    run = s.simulate(np.linspace(0.0, 2.5, 2501))
    q, u = run["q.crank"], run["u.crank"]
    assert q[[0, 500, 1000, 2000, 2500]] == pytest.approx([*values, values[-1]])
    assert u[[0, 2000, 2500]] == pytest.approx([0, 0, 0], abs=1e-12) and q.max() <= 0.3 + 1e-12
    assert np.abs(np.diff(u)).max() < 0.02  # no jump of the rate between neighbouring rows
    s.save(tmp_path / "arm.yaml")
    assert np.array_equal(fb.load(tmp_path / "arm.yaml").simulate(2.0)["fore"], s.simulate(2.0)["fore"])


@pytest.mark.parametrize(
    ("motion", "message"),
    [(([0, 1], [0]), "as many y as x"), (([0, 0], [1, 2]), "x must increase"), (([0, "a"], [1, 2]), "row of numbers")],
)
def test_wrong_curves_are_refused(motion: object, message: str) -> None:
    with pytest.raises(FreebodyError, match=message) as error:
        arm(motion)
    assert str(error.value).startswith("Revolute.motion: ")
