"""The change of energy in a run equals the work of its loads, drives and joints to the tolerance of the integration."""

import pickle
import warnings
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError, SimulationWarning
from freebody.results.files import arrays, facts, read_facts, rebuild
from freebody.run import loop


def arm() -> fb.System:
    """Two swinging bodies and one with a prescribed motion, with a motor, springs and dampers."""
    s = fb.System("arm")
    motor = s.input("motor")
    a = s.body("a", joint=fb.Revolute("y", damping=0.3, armature=0.2), mass=2, com=(0, 0, -0.5))
    b = s.body("b", on=a, at=(0, 0, -1), joint=fb.Revolute("y", stiffness=2), mass=1, com=(0, 0, -0.5))
    s.body("c", on=b, at=(0, 0, -1), joint=fb.Revolute("x", motion="0.5*sin(3*t)"), mass=1, com=(0, 0.1, -0.5))
    s.joint_force(a, motor, name="drive")
    s.spring(b.point((0, 0, -1)), s.ground.point((1, 0, 0)), stiffness=5, free_length=1, damping=0.2, name="strut")
    return s


GIVEN = {"q": {"a": 1.0}, "inputs": {"motor": "5*sin(t)"}}


@pytest.fixture(scope="module")
def eq() -> fb.Equations:
    return arm().derive()


@pytest.mark.parametrize("method", ["dop853", "dopri5", "rk4", "radau", "bdf", "lsoda"])
def test_energy_error_follows_the_tolerance(eq: fb.Equations, method: str) -> None:
    """The error is of the size of the tolerance and decreases with it; the energy itself changes by much more."""
    found = []
    for tolerance in (1e-5, 1e-8):
        step = {"step": 0.3 * tolerance**0.25} if method == "rk4" else {"rtol": tolerance, "atol": tolerance / 100}
        run = eq.simulate(5.0, method=method, **GIVEN, **step)
        assert run.energy_error < 50 * tolerance
        found.append(run.energy_error)
    assert found[1] < found[0] / 30
    assert np.ptp(run["energy.total"]) > 1e3 * run.energy_error * run.energy_balance.scale


def test_works_are_named_and_sum_to_the_energy_change(eq: fb.Equations) -> None:
    run = eq.simulate(5.0, **GIVEN)
    assert list(run.works) == list(run.powers) == ["load.drive", "load.strut", "joints", "drive.c"]
    near = run["energy.total"] - run["energy.total"][0]
    assert np.allclose(sum(run.works.values()), run["energy.supplied"], atol=1e-12)
    assert np.allclose(run["energy.supplied"], near, atol=1e-6)
    assert np.all(np.diff(run.works["joints"]) <= 0) and np.all(np.diff(run.works["load.strut"]) <= 1e-12)
    assert np.allclose(run.powers["load.drive"], run["input.motor"] * run["u.a"])


def test_works_do_not_depend_on_saved_times(eq: fb.Equations) -> None:
    few, many = (eq.simulate(np.linspace(0, 5, n), **GIVEN) for n in (2, 400))
    for name, work in few.works.items():
        assert abs(work[-1] - many.works[name][-1]) < 1e-7
    seen = many.at([0.0, 1.234, 5.0])
    assert seen.works["joints"][-1] == pytest.approx(many.works["joints"][-1], abs=1e-8)


def test_wrong_power_is_detected(eq: fb.Equations, monkeypatch: pytest.MonkeyPatch) -> None:
    run = eq.simulate(5.0, **GIVEN)
    powers = run._recorder.powers  # type: ignore[union-attr]
    monkeypatch.setattr(run._recorder, "powers", lambda *at: {k: 1.01 * v for k, v in powers(*at).items()})
    assert run.energy_error > 1e-3


def test_resets_and_discontinuous_laws_keep_the_balance() -> None:
    s = fb.System("ball")
    ball = s.body("ball", joint=fb.Prismatic("z", damping=0.05), mass=1.0)
    s.force(s.ground.z * s.input("fan"), at=ball)
    bounce = fb.Event("q.ball", direction=-1, reset={"u.ball": "-0.8*u.ball"}, name="floor")
    laws = {"fan": "where(t < 0.731, 2.0, -1.0)"}
    run = s.simulate(3.0, q={"ball": 1.0}, inputs=laws, events=[bounce])
    assert len(run.events) > 2 and run.energy_error < 1e-7
    back = s.simulate([3.0, 0.5], q={"ball": 50.0}, inputs=laws)
    assert back.energy_error < 1e-7


def test_run_without_loads_has_no_works_and_conserves_energy() -> None:
    s = fb.System("pendulum")
    s.body("arm", joint=fb.Revolute("x", armature=0.5), mass=1.0, com=(0, 0, -1))
    run = s.simulate(10.0, q={"arm": 1.0})
    assert run.works == {} and not np.any(run["energy.supplied"]) and run.energy_error < 1e-7


def test_files_copies_and_pickles_keep_the_works(eq: fb.Equations, tmp_path: Path) -> None:
    run = eq.simulate(2.0, **GIVEN)
    run.save(tmp_path / "run.nc")
    for other in (fb.Trajectory.load(tmp_path / "run.nc"), deepcopy(run), pickle.loads(pickle.dumps(run))):
        assert other.energy_error == run.energy_error
        assert np.array_equal(other["work.drive.c"], run["work.drive.c"])


def test_file_without_works_raises(eq: fb.Equations) -> None:
    """Files of earlier versions contain no works."""
    run = eq.simulate(1.0, **GIVEN)
    known, held = read_facts(facts(run)), arrays(run)
    old = [v for v in run.about.variables if v.group not in ("work", "power") and v.key != "energy.supplied"]
    about = replace(run.about, variables=tuple(old))
    loaded = rebuild(fb.Trajectory, replace(known, about=about), held)
    assert np.isnan(loaded.energy_error) and loaded.energy_balance is None
    assert "energy error  not known: the run does not hold the work" in loaded.summary()


def test_summary_states_that_steps_are_not_stored(eq: fb.Equations, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("freebody.results.interpolation.KNOTS", 10)
    run = eq.simulate(5.0, **GIVEN)
    assert run.energy_balance.known_until == run.knots.t[-1] < 5.0  # type: ignore[union-attr]
    assert f"work after t = {run.knots.t[-1]:g} s from saved times only" in run.summary()


def test_sweeps_refuse_to_record_works() -> None:
    how = {"q.a": [0.1, 0.2]}, {"inputs": {"motor": 0.0}}
    with pytest.raises(ArgumentError, match=r"'work\.joints' is computed for single runs only; in a sweep record "):
        arm().sweep([0.0, 0.1], how[0], record=["work.joints"], **how[1])
    assert "power.joints" in arm().sweep([0.0, 0.1], how[0], record=["power.joints"], **how[1])


def test_a_system_at_rest_has_no_energy_error() -> None:
    """Rounding of the energies is not compared with itself."""
    s = fb.System("hanging", gravity=(0, 0, -9.81))
    upper = s.body("upper", joint=fb.Revolute("y"), mass=1.3, com=(0.1, 0, -0.7), inertia=(0.1, 0.1, 0.1))
    s.body("lower", on=upper, at=(0.05, 0, -1.1), joint=fb.Revolute("y"), mass=0.9, com=(0, 0, -0.4), inertia=(1, 1, 1))
    rest = s.equilibrium(q={"upper": 0.1, "lower": -0.1}).q
    run = s.simulate(1.0, q={name: value + 1e-9 for name, value in rest.items()})
    assert 0 < np.max(run["energy.kinetic"]) < 1e-16
    assert run.energy_error < 1e-6


def test_structures_at_rest_have_no_energy_error() -> None:
    """Also where all energies are zero but for rounding, and one divided by another would be anything."""
    ends = ((1, 2, 0.3), (1, 0, 0)), ((-0.4, 0.2, 1.5), (0, 1, 0)), ((0.7, -1, 0.2), (0, 0.3, 1))
    s = fb.System("truss")
    a = s.body("a", joint=fb.Spherical("123"), mass=1, com=(0.3, 0.1, 0), inertia=(0.1, 0.1, 0.1))
    for k, (g, p) in enumerate(ends):
        s.rod(s.ground.point(g), a.point(p), float(np.linalg.norm(np.subtract(g, p))), name=f"r{k}")
    run = s.simulate(1.0)
    assert run.energy_error == 0.0 and run.energy_balance.scale < 1e-12


def test_failed_runs_have_an_energy_error() -> None:
    """Rates are not finite where they end."""
    s = fb.System("reach")
    a = s.body("a", joint=fb.Revolute("y"), mass=1.0, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1))
    b = s.body("b", on=a, at=(1, 0, 0), joint=fb.Revolute("y"), mass=1.0, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1))
    s.rod(s.ground, b.point((1, 0, 0)), "1.5 - 2*t")
    with pytest.warns(SimulationWarning, match="could not go on"):
        run = s.simulate(2.0, progress=False)
    assert run.status == -1 and isinstance(run.energy_error, float) and "energy error" in run.summary()


# Warnings

OFF = "energy and work do not balance"


def swings(damping: float) -> fb.System:
    """Two cranks with a bar between them, and a hanging body."""
    s = fb.System("swings")
    joint = fb.Revolute("y", damping=damping)
    cranks = [s.body(f"b{k}", at=(k, 0, 0), joint=joint, mass=1, com=(0, 0, 0.5), inertia=(0.1,) * 3) for k in range(2)]
    bar = s.body("c", on=cranks[0], at=(0, 0, 1), joint=fb.Revolute("y"), mass=1, com=(0.5, 0, 0), inertia=(0.1,) * 3)
    s.body("d", on=bar, at=(0.5, 0, 0), joint=fb.Revolute("y"), mass=0.3, com=(0, 0, -0.3), inertia=(0.01,) * 3)
    s.close(bar.point((1, 0, 0)), cranks[1].point((0, 0, 1)), fb.Revolute("y"), name="pin")
    return s


def run_with_warnings(
    s: fb.System | fb.Equations, *arguments: object, **options: object
) -> tuple[fb.Trajectory, list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run = s.simulate(*arguments, **options)
    return run, [str(w.message) for w in caught if OFF in str(w.message)]


@pytest.mark.parametrize("method", ["dop853", "dopri5", "rk4", "radau", "bdf", "lsoda", "cvode", "ida"])
def test_runs_warn_if_and_only_if_their_balance_is_off(method: str) -> None:
    if method in ("cvode", "ida"):
        pytest.importorskip("sksundae")
    seen = set()
    for damping in (0.0, 0.05):
        eq = swings(damping).derive()
        for constraints in ("projection", "baumgarte", "none"):
            for rtol, speed in ((1e-2, 5.0), (1e-5, 4.0), (1e-6, 0.1)):
                options = {"step": 0.4 * rtol**0.25} if method == "rk4" else {"rtol": rtol, "atol": rtol / 100}
                u = {"b0": speed, "c": -speed, "b1": speed}
                run, texts = run_with_warnings(
                    eq, np.linspace(0, 1.5, 301), u=u, method=method, constraints=constraints, **options
                )
                if run.status < 0:  # warns of its failure
                    continue
                assert bool(texts) == (run.energy_error > 1e-3), (damping, constraints, rtol, run.energy_error, texts)
                assert not texts or ("constraints=" in texts[0]) == (constraints != "projection")
                seen.add(bool(texts))
    assert seen == {True, False}


@pytest.mark.paper("001", "22")
def test_stabilised_runs_through_singular_positions_warn() -> None:
    """Two cranks and the bar between them are a parallelogram that becomes flat; projection passes it."""
    eq, errors = swings(0.0).derive(), []
    for speed in (2.0, 3.0, 4.0):
        given = {"u": {"b0": speed, "c": -speed, "b1": speed}}
        bad, texts = run_with_warnings(eq, np.linspace(0, 5, 501), constraints="baumgarte", **given)
        assert bool(texts) == (bad.energy_error > 1e-3)
        assert all("Leave constraints='baumgarte' out" in text for text in texts)
        good, texts = run_with_warnings(eq, np.linspace(0, 5, 501), **given)
        assert good.status == 0 and good.energy_error < 1e-6 and not texts
        errors.append(bad.energy_error)
    assert max(errors) > 0.01


def test_events_and_motion_within_the_tolerances_do_not_warn() -> None:
    s = fb.System("ball")
    s.body("ball", joint=fb.Prismatic("z", stiffness=1e3), mass=1.0)
    bounce = fb.Event("q.ball", direction=-1, reset={"u.ball": "-0.5*u.ball"}, name="floor")
    run, texts = run_with_warnings(s, 0.5, q={"ball": 0.1}, events=[bounce])
    assert len(run.events) > 2 and not texts
    run, texts = run_with_warnings(s, 3.0, q={"ball": -9.81e-3 + 1e-11}, rtol=1e-6, atol=1e-8)
    assert not texts


@pytest.mark.parametrize("order", ["full", "ruthless"])
def test_flexible_bodies_whose_energy_does_not_balance_do_not_warn(order: str) -> None:
    s = fb.System("crane")
    beam = fb.Beam(length=1.0, EI=(50.0, 50.0), GJ=10.0, density=0.5, polar_inertia=0.01)
    arm = s.body("arm", joint=fb.Revolute("z"), flexible=beam, modes=2, order=order)
    s.body("load", on=arm.node("tip"), joint=fb.Revolute("y"), mass=0.3, com=(0, 0, -0.3), inertia=(0.01,) * 3)
    run, texts = run_with_warnings(s, 0.5, u={"arm": 4.0})
    assert run.status == 0 and not texts
    assert run.energy_error < 1e-6 if order == "full" else run.energy_error > 1e-3


def test_the_check_does_not_call_functions_of_users(monkeypatch: pytest.MonkeyPatch) -> None:
    s, calls = fb.System("cart"), list[float]()
    s.joint_force(s.body("cart", joint=fb.Prismatic("x"), mass=1.0), s.input("push"))
    check = loop.warn_of_energy

    def checked(*arguments: Any) -> None:
        before = len(calls)
        check(*arguments)
        assert before and len(calls) == before

    monkeypatch.setattr(loop, "warn_of_energy", checked)
    law = {"push": lambda t: calls.append(t) or np.sin(20 * t)}
    run, texts = run_with_warnings(s, 3.0, inputs=law, method="rk4", step=0.3)
    assert run.energy_error > 1e-3 and not texts


def test_summaries_name_wheels_that_are_pulled_and_rods_that_push() -> None:
    s = fb.System("cart")
    lift = s.input("lift")
    wheel = s.body("wheel", joint=fb.Free(), mass=1.0, inertia=(0.1, 0.1, 0.1))
    s.roll(wheel, radius=0.5, axis="y", name="tyre")
    s.force(lift * s.ground.z, at=wheel)
    start = {"q": {"wheel.z": 0.5}}
    assert "pulled wheels" not in s.simulate(1.0, inputs={"lift": 9.0}, **start).summary()
    run = s.simulate(1.0, inputs={"lift": "20*t"}, **start)
    assert "pulled wheels  'tyre' is held down by up to 10.2 N" in run.summary()

    s = fb.System("weight")
    weight = s.body("weight", joint=fb.Prismatic("z"), mass=2.0)
    s.rod(s.ground.point((0, 0, -1)), weight, 1.0, name="rope")
    text = s.simulate(1.0).summary()
    assert "rod 'rope' pushes with up to 19.6 N: a rope or cable would be slack" in text
    s = fb.System("weight")
    weight = s.body("weight", joint=fb.Prismatic("z"), mass=2.0)
    s.rod(s.ground.point((0, 0, 1)), weight, 1.0, name="rope")
    assert "pushes" not in s.simulate(1.0).summary()
