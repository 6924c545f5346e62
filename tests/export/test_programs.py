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


@pytest.mark.paper("000", "37")
@pytest.mark.paper("002", "29")
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


def balls() -> fb.System:
    """So many ball joints that the linear system of the stages is a full matrix."""
    s = fb.System("balls")
    on: Any = s.ground
    for k in range(12):
        body = s.body(f"b{k}", on=on, at=(0, 0, -0.3 * bool(k)), joint=fb.Spherical(damping=5.0), **LINK)
        on = body
    return s


LINK: dict[str, Any] = {"mass": 1.0, "com": (0, 0, -0.15), "inertia": (0.02, 0.02, 0.002)}
STIFF = [
    *(c for c in CASES if c.name in ("pendulum", "four_bar", "ball")),
    pytest.param(ProgramCase("balls", balls, 0.5, {"u": {"b0": (1.0, 2.0, 3.0)}}), marks=pytest.mark.long),
]


@pytest.mark.skipif(not COMPILER, reason="no C compiler on this machine")
@pytest.mark.parametrize("case", STIFF, ids=repr)
def test_programs_in_c_integrate_stiff_systems(case: ProgramCase, tmp_path: Path) -> None:
    """By rodas5p, with the steps of our own runs; the parameter file selects another method."""
    equations = case.system().derive()
    equations.to_program(tmp_path, "c", case.end, method="rodas5p", **case.arguments)
    build(tmp_path, "c")
    assert execute(tmp_path).returncode == 0
    found = result(tmp_path)
    run = equations.simulate(run_times(found, case), method="rodas5p", **case.arguments)
    assert np.allclose(found.x, run.x, rtol=1e-7, atol=1e-7) and found.message == run.message
    assert found.statistics.method == "rodas5p" and abs(found.statistics.steps - run.statistics.steps) <= 2
    assert np.array_equal(found.events.index, run.events.index)
    source = max(tmp_path.glob("*.c"), key=lambda p: "attempt_rodas5p" in p.read_text()).read_text()
    assert ("factor_matrix" in source) == (case.name == "balls")
    parameters = next(tmp_path.glob("*.par"))
    text = parameters.read_text()
    assert "run.method = rodas5p # dopri5, rk4 or rodas5p" in text
    parameters.write_text(text.replace("run.method = rodas5p", "run.method = dopri5"))
    assert execute(tmp_path).returncode == 0
    assert np.allclose(result(tmp_path).x, found.x, rtol=1e-6, atol=1e-6)
    parameters.write_text(text.replace("run.method = rodas5p", "run.method = radau"))
    assert "run.method is dopri5, rk4 or rodas5p, not 'radau'" in execute(tmp_path).stderr


def run_times(found: fb.Trajectory, case: ProgramCase) -> np.ndarray:
    """The times that the program saves, without where an event ended it."""
    even = np.linspace(0, case.end, round(case.end / found.t[1]) + 1)
    return even


def program(folder: Path, language: str, system: fb.System | None = None, **options: Any) -> Path:
    """The folder of a program of the pendulum (or of another system), built."""
    arguments = {"end": 0.5, "inputs": {"motor": 0.4}} if system is None else {"end": 0.5}
    (pendulum() if system is None else system).to_program(folder, language, **{**arguments, **options})
    build(folder, language)
    return folder


@pytest.fixture(scope="module", params=LANGUAGES)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return program(tmp_path_factory.mktemp("programs") / "pendulum", request.param)


def run_with(folder: Path, *lines: str) -> subprocess.CompletedProcess[str]:
    """Run a program with a parameter file of these lines."""
    (folder / "own.par").write_text("\n".join([*lines, ""]))
    return execute(folder, "own.par", "own.nc")


def test_values_of_the_parameter_file_are_those_of_a_run(built: Path) -> None:
    lines = (
        "units = user # deg, mm, km/h",
        "parameter.m = 2500 g",
        "\tparameter.lambda=450",
        "q.upper = 30 deg\r",
        "u.lower = 60",
        "z.filter = 10 deg",
        "input.motor = 800 N*mm",
        "run.end = 300 ms",
        "run.rows = 20",
    )
    done = run_with(built, *lines)
    assert done.returncode == 0, done.stderr
    found = fb.Trajectory.load(built / "own.nc")
    run = pendulum().simulate(
        np.linspace(0, 0.3, 21),
        q={"upper": np.radians(30)},
        u={"lower": np.radians(60)},
        z={"filter": np.radians(10)},
        parameters={"m": 2.5, "λ": 0.45},
        inputs={"motor": 0.8},
        method="dopri5",
    )
    assert np.allclose(found.t, run.t, atol=1e-15) and np.allclose(found.x, run.x, rtol=1e-7, atol=1e-7)
    assert np.allclose(found["tip"], run["tip"], atol=1e-7) and dict(found.about.parameters) == {"m": 2.5, "λ": 0.45}


@pytest.mark.parametrize("language", LANGUAGES)
def test_steps_end_where_parameters_let_laws_jump(language: str, tmp_path: Path) -> None:
    """A pulse that no step would see, at a time that the parameter file sets."""
    s = ball()
    s.parameter("on", 1.0, "s")
    push = s.input("push", "N")
    s.joint_force("ball", push)
    law = "where(t < on, 0, where(t - on < 0.001, 1e4, 0))"
    folder = program(tmp_path / "p", language, s, end=3.0, inputs={"push": law})
    for on in (1.0, 2.2):
        assert run_with(folder, f"parameter.on = {on} s").returncode == 0
        found = fb.Trajectory.load(folder / "own.nc")
        assert np.isclose(found["u.ball"][-1], 10 - 9.81 * 3, rtol=1e-8)
        assert found["u.ball"][np.searchsorted(found.t, on) - 1] < -9.0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("parameter.mass = 1", r"own\.par:2: there is no 'parameter\.mass'"),
        ("parameter.m = 1 lbs", r"own\.par:2: 'lbs' is no unit of parameter\.m, which is in kg"),
        ("parameter.m = 1 mm", r"own\.par:2: 'mm' is no unit of parameter\.m"),
        ("parameter.m = 2*pi", r"own\.par:2: '\*pi' is no unit"),
        ("parameter.m = nan", r"own\.par:2: 'nan' is not a number"),
        ("parameter.m = 0x10", r"own\.par:2: 'x10' is no unit"),
        ("parameter.m = 1-5", r"own\.par:2: '-5' is no unit"),
        ("parameter.m = ", r"own\.par:2: '' is not a number"),
        ("parameter.m = 1e999", r"own\.par:2: '1e999' is too large"),
        ("parameter.m 1", r"own\.par:2: NAME = VALUE \[UNIT\] is needed, not 'parameter\.m 1'"),
        ("q.upper = 1\nq.upper = 2", r"own\.par:3: 'q\.upper' is given twice"),
        ("units = metric", r"own\.par:2: units is si or user, not 'metric'"),
        ("run.method = euler", r"own\.par:2: run\.method is dopri5 or rk4, not 'euler'"),
        ("run.end = -1 s", r"own\.par: run\.end must be later than the start"),
        ("run.rows = 2.5", r"own\.par: run\.rows must be a whole number"),
        ("run.rtol = -1e-6", r"own\.par: run\.rtol must not be negative"),
        ("run.method = rk4\nrun.step = 0", r"own\.par: run\.method = rk4 needs a positive run\.step"),
        ("x" * 500, r"own\.par:2: 'the line' is too long"),
        ("$(touch evil)", r"own\.par:2: NAME = VALUE"),
    ],
)
def test_nonsense_in_a_parameter_file_is_an_error_with_its_line(built: Path, line: str, message: str) -> None:
    done = run_with(built, "# nonsense", line)
    assert done.returncode == 2 and re.match(message, done.stderr) and not (built / "evil").exists()


def test_programs_say_which_files_are_missing_and_how_they_are_called(built: Path) -> None:
    assert execute(built, "none.par").returncode == 2 and "none.par: the parameter" in execute(built, "none.par").stderr
    (built / "empty.par").write_text("")
    refused = execute(built, "empty.par", "no/such/folder.nc")
    assert refused.returncode == 2 and "no/such/folder.nc: the file cannot be written" in refused.stderr
    assert execute(built, "a", "b", "c").returncode == 2 and "usage" in execute(built, "a", "b", "c").stderr


def test_failed_motions_end_with_their_reason_and_the_rows_so_far(built: Path) -> None:
    done = run_with(built, "run.max_steps = 3")
    found = fb.Trajectory.load(built / "own.nc")
    assert done.returncode == 1 and found.status == -1 and "more steps than run.max_steps" in found.message
    assert found.statistics.steps == 3 and found.t[-1] < 0.5
    assert run_with(built, "input.motor = 1e300", "u.lower = 1e200").returncode == 1
    assert "not finite" in fb.Trajectory.load(built / "own.nc").message


@pytest.mark.parametrize("language", LANGUAGES)
def test_single_precision_computes_the_motion_to_its_digits(language: str, tmp_path: Path) -> None:
    folder = program(tmp_path / "p", language, float32=True, rtol=1e-5, atol=1e-5)
    assert execute(folder).returncode == 0
    run, found = pendulum().simulate(0.5, inputs={"motor": 0.4}), result(folder)
    assert 1e-9 < np.abs(found.x - run.x).max() < 1e-4


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_models_link_into_one_program(language: str, tmp_path: Path) -> None:
    first, second = (
        program(tmp_path / "a", language, prefix="one"),
        program(tmp_path / "b", language, ball(), prefix="two"),
    )
    if language == "c":
        main = (
            '#include <stdio.h>\n#include "one.h"\n#include "two.h"\n'
            "static one_simulation a; static two_simulation b;\n"
            "int main(void) { one_defaults(&a); two_defaults(&b); a.p[ONE_P_M] = 1.0; b.start[TWO_X_Q_BALL] = 2.0;\n"
            'one_simulate(&a); two_simulate(&b); printf("%d %d %.17g", a.status, b.status, b.x[TWO_X_Q_BALL]); }\n'
        )
        command = [*COMPILER, "-I", str(first), "-I", str(second), "-o", "both", "both.c"]
        (tmp_path / "both.c").write_text(main)
    else:
        main = (
            "program both\nuse one, only: s1 => simulation, d1 => set_defaults, r1 => simulate, one_p_m\n"
            "use two, only: s2 => simulation, d2 => set_defaults, r2 => simulate, two_x_q_ball\n"
            "type(s1), save :: a\ntype(s2), save :: b\ncall d1(a)\ncall d2(b)\na%p(one_p_m) = 1\n"
            "b%start(two_x_q_ball) = 2\ncall r1(a)\ncall r2(b)\n"
            "write (*, '(i0, 1x, i0, 1x, g0)') a%status, b%status, b%x(two_x_q_ball)\nend program\n"
        )
        command = [str(FORTRAN), "-I", str(first), "-I", str(second), "-o", "both", "both.f90"]
        (tmp_path / "both.f90").write_text(main)
    objects = [str(p) for folder in (first, second) for p in folder.glob("*.o") if not p.name.endswith("_main.o")]
    done = subprocess.run([*command, *objects, "-lm"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    printed = subprocess.run([tmp_path / "both"], capture_output=True, text=True).stdout.split()
    assert printed[:2] == ["0", "0"] and np.isclose(float(printed[2]), 2 - 0.5 * 9.81 * 0.25, atol=1e-9)


def test_sources_are_ascii_and_allocate_nothing(tmp_path: Path) -> None:
    for language in ("c", "fortran"):
        files = pendulum().to_program(tmp_path / language, language, inputs={"motor": "sin(t)"}, units="user")
        texts = {path.name: path.read_text() for path in files}
        assert all(text.isascii() for text in texts.values())
        assert not any(re.search(r"\b(malloc|calloc|allocate|recursive)\b *[(:]", text) for text in texts.values())
        parameters = texts["two_pendulums_omega.par"]
        assert "units = user" in parameters and "\nq.upper = 0 deg" in parameters and "input.motor" not in parameters
        assert "parameter.lambda = 400 mm\n" in parameters and "parameter.m = 1.5 kg # mass >= 0\n" in parameters
        assert any("digest" in text and "freebody 0" in text for text in texts.values())


def test_units_have_factors_to_those_of_si() -> None:
    units = dict(unit_set("N·m/rad", {}).units)
    assert np.isclose(units["N*m/deg"], 180 / np.pi) and np.isclose(units["kN*mm/rad"], 1.0)
    assert np.isclose(dict(unit_set("m/s", {}).units)["km/h"], 1 / 3.6)
    assert np.isclose(dict(unit_set("kg·m²", {}).units)["g*mm^2"], 1e-9)
    assert np.isclose(dict(unit_set("1/s", {}).units)["1/min"], 1 / 60) and unit_set("", {}).si == ""
    assert unit_set("m/s", {"m/s": "km/h"}).shown == ("km/h", units["N*m/rad"] / 3.6)


def refused(match: str, system: fb.System, **options: Any) -> None:
    with pytest.raises(ArgumentError, match=match):
        system.to_program("unused", **{"end": 1.0, **options})


def test_what_programs_cannot_contain_is_refused_by_name() -> None:
    s, motor = pendulum(), {"motor": 0.0}
    refused(r"cannot contain Python functions \(input 'motor'\)", s, inputs={"motor": lambda t: t})
    refused("the method of a program must be dopri5, rk4 or rodas5p, not dop853", s, inputs=motor, method="dop853")
    with pytest.raises(ArgumentError, match="the method of a program must be dopri5 or rk4, not rodas5p"):
        s.to_program("unused", "fortran", 1.0, inputs=motor, method="rodas5p")
    refused("language must be c or fortran, not 'ada'", s, inputs=motor, language="ada")
    refused("run forward in time only", s, inputs=motor, end=-1.0)
    refused("evenly spaced", s, inputs=motor, end=[0.0, 0.1, 0.5])
    refused("input 'motor' has no value", s)
    refused("'two words' is not a name", s, inputs=motor, prefix="two words")
    refused("units must be 'si', 'user' or a dictionary of units", s, inputs=motor, units="imperial")
    refused("'parsec' cannot replace 'm'", s, inputs=motor, units={"m": "parsec"})
    refused("leave constraints='baumgarte' out", s, inputs=motor, constraints="baumgarte")
    table = ([0.0, 1.0], [0.0, 1.0], "error")
    refused("no value beyond their ends", s, inputs={"motor": table})
    held = ball()
    held.close(held.bodies["ball"], held.ground, fb.Weld(), name="latch", engaged=False)
    refused("event 'catch', which engages", held, events=[fb.Event("q.ball", -1, engage="latch", name="catch")])
    assert BOUNCES[0].reset is not None and not Path("unused").exists()
