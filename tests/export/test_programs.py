"""Simulation programs in C and Fortran: the same motions as our own runs, parameter files, files of runs, refusals."""

import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError
from freebody.export.units import unit_set
from tests.backends.compiler import COMPILER
from tests.export.programs import (
    BOUNCES,
    CASES,
    FORTRAN,
    LANGUAGES,
    ProgramCase,
    ball,
    build,
    execute,
    pendulum,
    result,
)

EXACT = 1e-12
"""The largest difference of fixed steps, as a fraction of the largest number of a variable and of 1."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES, ids=repr)
def test_programs_compute_the_motions_of_our_runs(case: ProgramCase, language: str, tmp_path: Path) -> None:
    equations, folder = case.system().derive(), tmp_path / "program"
    rtol = 1e-8
    equations.to_program(folder, language, case.end, method="rk4", step=0.005, **case.arguments)
    build(folder, language)
    done = execute(folder)
    assert done.returncode == 0, done.stderr
    run, found = equations.simulate(case.end, method="rk4", step=0.005, **case.arguments), result(folder)
    assert np.array_equal(found.t, run.t) and found.message == run.message and found.status == run.status
    for name in found:
        assert np.allclose(found[name], run[name], rtol=0, atol=EXACT * (1 + np.abs(run[name]).max())), name
    assert [v for v in run.variables if v not in found.variables and not v.startswith(("work.", "energy."))] == []
    assert found.events.names == run.events.names and np.array_equal(found.events.index, run.events.index)
    assert np.allclose(found.events.t, run.events.t, rtol=0, atol=1e-12)
    assert np.allclose(found.events.after, run.events.after, rtol=0, atol=1e-11)
    # the same program by the adaptive method, chosen in its parameter file
    parameters = next(folder.glob("*.par"))
    text = parameters.read_text().replace("run.method = rk4", "run.method = dopri5")
    parameters.write_text(text)
    assert execute(folder).returncode == 0
    run, found = equations.simulate(run_times(found, case), method="dopri5", **case.arguments), result(folder)
    assert np.allclose(found.x, run.x, rtol=10 * rtol, atol=10 * rtol) and found.message == run.message
    assert np.array_equal(found.events.index, run.events.index) and np.allclose(
        found.events.t, run.events.t, atol=10 * rtol
    )
    assert abs(found.statistics.steps - run.statistics.steps) <= 0.02 * run.statistics.steps + 2
    assert found.statistics.method == "dopri5" and (not found.about.constraints) == (found.statistics.drift == 0)


def run_times(found: fb.Trajectory, case: ProgramCase) -> np.ndarray:
    """The times that the program saves, without where an event ended it."""
    even = np.linspace(0, case.end, round(case.end / found.t[1]) + 1)
    return even
