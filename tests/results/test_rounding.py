"""Rounding errors are shown as 0, and real small numbers as they are."""

from dataclasses import replace

import numpy as np
import pytest

import freebody as fb
from freebody.model.flexible.mode_table import masses_and_inertias
from freebody.results import About, RunResult, Variable
from freebody.results.run_rounding import RunRounding
from freebody.rounding import ROUNDING, limit, rounded, rounded_by_unit, rounded_together

NOISE = 1e-15


@pytest.mark.parametrize("size", [1e-200, 1e-9, 1.0, 1e12])
def test_what_is_shown_does_not_depend_on_the_size_of_all_numbers(size: float) -> None:
    values = [size, -0.5 * size, 1e-9 * size, NOISE * size, 0.0, np.nan, np.inf]
    shown = rounded_together(values)
    assert shown[:3] == values[:3] and shown[3] == 0.0 == shown[4] and np.isnan(shown[5]) and shown[6] == np.inf


def test_numbers_are_compared_with_those_of_the_same_unit() -> None:
    values, units = {"a": 1.0, "b": 1e-20, "c": 1e-40, "d": 3e-15}, {"a": "N", "b": "m", "c": "m", "d": "rad"}
    assert rounded_by_unit(values, units) == {"a": 1.0, "b": 1e-20, "c": 0.0, "d": 0.0}
    assert rounded_by_unit({**values, "c": 1e-30}, units)["c"] == 1e-30


def test_slow_rotations_of_long_runs_are_no_rounding_errors() -> None:
    assert rounded(1e-13, limit([1e-13], "rad/s")) == 0.0
    assert rounded(1e-13, limit([1e-13], "rad/s", seconds=1e6)) == 1e-13
    assert limit([], "rad", seconds=1e6) == ROUNDING and limit([], "rad/s²", seconds=1e3) == pytest.approx(1e-18)


def test_outputs_are_no_scale_for_the_variables_of_a_system() -> None:
    t = np.linspace(0, 1, 5)
    pose = Variable("pose", "b", "", "", ("x", "y", "z", "qw", "qx", "qy", "qz"))
    variables = (
        Variable("q", "x", "m"),
        Variable("q", "y", "m"),
        Variable("q", "b.qx"),
        Variable("u", "x", "m/s"),
        Variable("output", "far", "m"),
        Variable("output", "ratio"),
        pose,
    )
    recorded = {"output.far": 1e9 * t, "output.ratio": 1e-30 * t, "pose.b": np.tile([4.0, 0, 0, 1, 0, 0, 0], (5, 1))}
    x = np.stack([2.0 * t, 1e-15 * t, 0 * t, np.full(5, np.nan)], axis=1)
    rounding = RunRounding(
        RunResult(About("", "", (), variables, ("q.x", "q.y", "q.b.qx", "u.x")), t, x, recorded=recorded)
    )
    limits = [rounding.limit(v) for v in variables[:-1]]
    assert limits == pytest.approx([8e-12, 8e-12, 4e-12, 0.0, 4e-3, 4e-42], rel=1e-6, abs=0)
    assert [rounding.limit(pose, k) for k in (0, 2, 3)] == pytest.approx([1.6e-11, 1.6e-11, 4e-12], abs=0)


def test_lengths_are_compared_with_the_size_of_the_system() -> None:
    """A hub that rounding errors shake by 1e-17 m, with arms of 3 m and for 10 s."""
    t = np.linspace(0, 10, 5)
    poses = tuple(Variable("pose", n, "", "", ("x", "y", "z", "qw", "qx", "qy", "qz")) for n in ("hub", "tip"))
    variables = (Variable("q", "x", "m"), Variable("u", "x", "m/s"), *poses)
    recorded = {f"pose.{n}": np.tile([x, 0, 0, 1, 0, 0, 0], (5, 1)) for n, x in (("hub", 7e6), ("tip", 7e6 + 3.0))}
    x = np.full((5, 2), 1e-17)
    rounding = RunRounding(RunResult(About("", "", (), variables, ("q.x", "u.x")), t, x, recorded=recorded))
    assert [rounding.limit(v) for v in variables[:2]] == pytest.approx([1.2e-11, 1.2e-12], rel=1e-9, abs=0)


def test_a_small_signal_of_a_system_far_away_is_no_rounding_error() -> None:
    """A panel bends by 0.1 µm in an orbit of 7000 km, where the position of the satellite is rounded to 1 nm."""
    s = fb.System("orbit", gravity=(0, 0, 0))
    bus = s.body("bus", joint=fb.Free(), mass=100.0, inertia=(10, 20, 30))
    s.body("panel", on=bus, at=(1, 0, 0), joint=fb.Prismatic("z", stiffness=5.0), mass=5.0)
    s.body("mast", on=bus, at=(-1, 0, 0), joint=fb.Prismatic("y", stiffness=5.0), mass=5.0)
    start = {"bus": (7e6, 0, 0, 1, 0, 0, 0), "panel": 1e-7}
    run = s.simulate(np.linspace(0, 20, 101), q=start, u={"bus": (0, 0, 0, 0, 7.5e3, 0)})
    rounding = RunRounding(run)
    limits = {key: rounding.limit(run.variables[f"q.{key}"]) for key in ("bus.x", "bus.z", "panel", "mast")}
    assert limits["bus.x"] == limits["bus.z"] > 2e-5 and 1e-9 < limits["panel"] < 1e-7 and limits["panel"] < 1e-3
    assert np.max(np.abs(run["q.panel"])) > limits["panel"] and np.max(np.abs(run["q.mast"])) < limits["mast"]


def test_forces_and_torques_are_compared_with_those_that_the_motion_needs() -> None:
    """A flat four-bar in space: what holds it in its plane is rounding, whatever else has its unit."""
    s = fb.System("four-bar")
    bar = {"joint": fb.Revolute("y"), "mass": 1, "com": (0.1, 0, 0), "inertia": fb.rod(1, 0.25, "x")}
    crank, ball = s.body("crank", **bar), {"joint": fb.Spherical(), "mass": 2, "inertia": (1e-3, 0.01, 0.01)}
    link, rocker = s.body("link", on=crank, at=(0.1, 0, 0), **ball), s.body("rocker", at=(0.28, 0, 0), **bar)
    s.close(link.point((0.3, 0, 0)), rocker.point((0.25, 0, 0)), fb.Universal("y", "z"), name="pin")
    q, u = s.assemble({"crank": 0.3}, u={"crank": 10.0})
    run = s.simulate(0.2, q=q, u=u)
    rounding = RunRounding(run)
    noisy = ["multiplier.pin.torque", "multiplier.pin.force.y", "residual.pin.torque", "residual_rate.pin.torque"]
    for key in (*noisy, "residual.pin.force.x", "residual_rate.pin.force.z"):
        assert np.max(np.abs(run[key])) <= rounding.limit(run.variables[key]), key
    assert np.max(np.abs(run["multiplier.pin.force.x"])) > 1e6 * rounding.limit(run.variables["multiplier.pin.force.x"])


def test_runs_without_times_have_limits() -> None:
    about = About("", "", (), (Variable("q", "x", "m"),), ("q.x",))
    assert RunRounding(RunResult(about, np.empty(0), np.empty((0, 1)))).limit(about.variables[0]) == 0.0


def test_printed_equilibria_are_without_rounding_errors() -> None:
    """Of a pendulum with a slider of a metre, and of a nanometre."""
    for size in (1.0, 1e-9):
        s = fb.System("pendulum")
        arm = s.body("arm", joint=fb.Revolute("y"), mass=1, com=(0, 0, -size))
        s.body("slider", on=arm, at=(0, 0, -size), joint=fb.Prismatic("z", stiffness=1e3), mass=1e3 * size)
        rest = s.equilibrium(q={"arm": 0.1})
        slider = rest.q["slider"]
        noisy = replace(rest, q={"arm": 4e-27, "slider": slider}, u={"arm": 1e-28, "slider": 0.0})
        assert f": q.arm = 0, q.slider = {slider:.6g}" in str(noisy) and abs(slider) > 1e-9 * size
        assert noisy.shown == {"q.arm": 0.0, "q.slider": slider}
        assert noisy.q["arm"] == 4e-27


def test_effective_masses_are_without_rounding_errors() -> None:
    rows = masses_and_inertias([(3e-9, 1e-25, 0, 5.0, 1e-17, 2.0), (0, 0, 1e-9, 1e-3, 0, 0)])
    assert rows == [(5.0, 0.0, 2.0, 3e-9, 0.0, 0.0), (1e-3, 0.0, 0.0, 0.0, 0.0, 1e-9)]
