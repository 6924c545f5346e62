"""Sampled controllers and sensors in simulation programs: the same samples as in our own runs."""

import subprocess
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError
from freebody.export.refusals import require_exportable
from freebody.hybrid.triggers import At
from freebody.hybrid.updates import Rule
from freebody.run.build import build as compiled_system
from tests.backends.compiler import COMPILER
from tests.export.programs import LANGUAGES, build, execute, loop, regulated, result

EXACT, NOISE, RTOL = 1e-12, 2e-15, 1e-8


EVENTS = [
    fb.Event("q.ball", -1, reset={"u.ball": "-0.8*u.ball"}, name="bounce"),
    fb.Event("u.arm", 1, name="turns"),
    fb.Event("motor - 2.5", 0, reset={"u.ball": "0.9*u.ball"}, name="effort"),
    fb.Event("t - 1.9", 1, terminal=True, name="late"),
]
"""The motor's torque crosses 2.5 N·m at samples alone; the run ends at an instant of the sensor."""

KICK = "where(t < 0.5 + 0.1*angle, 0, where(t < 1 + 0.05*brake.slow, 2, 0))"
CASES: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "regulated": (regulated, 2.0, {"q": {"arm": 0.3, "ball": 0.5}, "events": EVENTS, "seed": 7}),
    "loop": (loop, (0.211, 1.5), {"q": {"crank": 0.6}, "u": {"crank": 3.0}, "inputs": {"kick": KICK}}),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_programs_take_the_samples_of_our_runs(case: str, language: str, tmp_path: Path) -> None:
    system, span, arguments = CASES[case]
    equations, times = system().derive(), np.linspace(*(0.0, span) if np.isscalar(span) else span, 301)
    equations.to_program(tmp_path, language, times, method="rk4", step=0.003, **arguments)
    build(tmp_path, language)
    assert execute(tmp_path).returncode == 0
    run, found = equations.simulate(times, method="rk4", step=0.003, **arguments), result(tmp_path)
    assert np.array_equal(found.t, run.t) and found.message == run.message and found.status == run.status
    for name in found:
        assert np.allclose(found[name], run[name], rtol=0, atol=EXACT * (1 + np.abs(run[name]).max())), name
    assert [v for v in run.variables if v not in found.variables and not v.startswith(("work.", "energy."))] == []
    steps, own = found.held_steps, run.held_steps
    assert steps is not None and own is not None and steps.names == own.names
    assert np.allclose(steps.t, own.t, rtol=0, atol=1e-15) and np.allclose(steps.values, own.values, EXACT, EXACT)
    if case == "regulated":
        noisy = steps.names.index("sensor.angle")
        assert np.abs(steps.values - own.values)[:, noisy].max() < NOISE
        assert {0, 1, 2, 3} == {*found.events.index.tolist()} and 1.9 in steps.t
    assert found.events.names == run.events.names and np.array_equal(found.events.index, run.events.index)
    assert np.allclose(found.events.t, run.events.t, rtol=0, atol=EXACT)
    assert np.allclose(found.events.after, run.events.after, rtol=0, atol=10 * EXACT)
    assert np.allclose(found.events.held_before, run.events.held_before, rtol=0, atol=10 * EXACT)
    assert np.allclose(found.events.held_after, run.events.held_after, rtol=0, atol=10 * EXACT)
    # the same program by the adaptive method, with another seed where there is one
    parameters = next(tmp_path.glob("*.par"))
    text = parameters.read_text().replace("run.method = rk4", "run.method = dopri5")
    parameters.write_text(text.replace("run.seed = 7", "run.seed = 281474976710655"))
    assert execute(tmp_path).returncode == 0
    arguments = {**arguments, "seed": 2**48 - 1} if "seed" in arguments else arguments
    run, found = equations.simulate(times, method="dopri5", **arguments), result(tmp_path)
    assert np.allclose(found.x, run.x, rtol=10 * RTOL, atol=10 * RTOL) and found.message == run.message
    assert found.held_steps is not None and run.held_steps is not None
    assert np.allclose(found.held_steps.values, run.held_steps.values, rtol=100 * RTOL, atol=100 * RTOL)
    assert abs(found.statistics.steps - run.statistics.steps) <= 0.02 * run.statistics.steps + 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_seed_is_a_whole_number(language: str, tmp_path: Path) -> None:
    regulated().to_program(tmp_path, language, 0.1)
    build(tmp_path, language)
    parameters = next(tmp_path.glob("*.par"))
    text = parameters.read_text()
    assert "\nrun.seed = 0 # of all random numbers" in text and "\nheld.pd.delayed.motor.1 = 0.5\n" in text
    for seed in ("0.5", "-1", "281474976710656"):
        parameters.write_text(text.replace("run.seed = 0", f"run.seed = {seed}"))
        done = execute(tmp_path)
        assert done.returncode == 2 and "run.seed must be a whole number from 0 to below 2^48" in done.stderr


@pytest.mark.skipif(not COMPILER, reason="no C compiler on this machine")
def test_programs_that_are_stepped_by_hand_take_each_sample_once(tmp_path: Path) -> None:
    """To times of samples and between them."""
    s = regulated()
    s.to_program(tmp_path, "c", 1.0, method="rk4", step=0.1)
    build(tmp_path, "c")
    (tmp_path / "by_hand.c").write_text(
        '#include <stdio.h>\n#include "regulated.h"\nstatic regulated_simulation s;\n'
        "int main(void) { regulated_defaults(&s); regulated_begin(&s);\n"
        "    for (int k = 1; k <= 40; ++k) regulated_advance(&s, k/40.0);\n"
        '    printf("%.17g %.17g", s.d[REGULATED_I_PD_SUM], s.x[REGULATED_X_Q_ARM]); }\n'
    )
    objects = [str(p) for p in tmp_path.glob("*.o") if not p.name.endswith("_main.o")]
    command = [*COMPILER, "-o", "by_hand", "by_hand.c", *objects, "-lm"]
    assert subprocess.run(command, cwd=tmp_path).returncode == 0
    printed = subprocess.run([tmp_path / "by_hand"], capture_output=True, text=True).stdout.split()
    run = s.simulate(1.0, method="rk4", step=0.1)
    assert np.allclose([float(x) for x in printed], [run["pd.sum"][-1], run["arm"][-1]], rtol=EXACT)


def test_samples_that_programs_cannot_take_are_refused_by_name() -> None:
    with pytest.raises(
        ArgumentError, match="random numbers of sampled elements where it computes with numbers of 32 bits"
    ):
        regulated().to_program("unused", float32=True)
    fine = regulated()
    for name, period in (("place", "1/999999937"), ("again", "1/999999929")):
        fine.sensor(name, of="q.ball", period=period)
    with pytest.raises(ArgumentError, match=r"samples whose times have no common divisor above 1/\d+ s \(angle, "):
        fine.to_program("unused")
    equations = regulated().derive()
    compiled = compiled_system(equations.derivation, equations.values, {})
    once = replace(compiled.system, rules=(Rule("once", At((Fraction(1),))),))
    with pytest.raises(ArgumentError, match=r"cannot contain rules at fixed times, or that change states .*\(once\)"):
        require_exportable(compiled.with_system(once), 0.0, 1.0, False)
