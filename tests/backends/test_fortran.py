"""The Fortran backend: modules of Fortran 2008 that compile without warnings and compute like the evaluator."""

import ctypes
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from freebody.backends.fortran import FortranSource, emit
from freebody.backends.fortran.language import FUNCTIONS, HELPERS, continued, identifier, number
from freebody.program.evaluate import evaluate
from freebody.program.program import Program
from freebody.program.stage import stage
from tests.backends.pendulum import pendulum
from tests.printing.hostile_names import hostile
from tests.program_cases import CASES, Case

FORTRAN = shutil.which("gfortran")
compiled = pytest.mark.skipif(FORTRAN is None, reason="no gfortran on this machine; apt-get install gfortran")
STRICT = ("-std=f2008", "-Wall", "-pedantic", "-Werror", "-O1", "-ffp-contract=off", "-fPIC")
QUIET = ("-Wno-unused-dummy-argument", "-Wno-unused-parameter", "-Wno-zerotrip", "-Wno-unused-function")
"""Arguments that a subroutine does not need, sizes and indices that only users need, loops without turns."""

FUNCTIONS_OF_USERS = """
function m_drag(v) result(value)
    use iso_fortran_env, only: rk => real64
    real(rk), intent(in) :: v
    real(rk) :: value
    value = 0.3_rk*v*abs(v)
end function
function m_mix(a, b, c) result(value)
    use iso_fortran_env, only: rk => real64
    real(rk), intent(in) :: a, b, c
    real(rk) :: value
    value = sin(a)*b + c
end function
"""


def build(folder: Path, source: FortranSource, *more: str) -> Path:
    """The shared library of a module, compiled with warnings as errors."""
    (path,) = source.write(folder)
    (folder / "users.f90").write_text(FUNCTIONS_OF_USERS)
    library = folder / "m.so"
    steps = (["-c", "-o", "m.o", str(path)], ["-shared", "-o", str(library), "m.o", "users.f90"])
    for command, strict in zip(steps, (STRICT, ("-fPIC",)), strict=True):
        done = subprocess.run(
            [str(FORTRAN), *strict, *QUIET, *more, *command], cwd=folder, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
    return library


def call(function: Any, program: Program, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    groups = [np.array(inputs[g.name], float) for g in program.groups]
    outputs = {o.name: np.full(o.size, -7.0) for o in program.outputs}
    function(*(ctypes.c_void_p(a.ctypes.data) for a in (*groups, *outputs.values())))
    return {o.name: outputs[o.name].reshape(o.shape) for o in program.outputs}


@compiled
@pytest.mark.parametrize("case", CASES, ids=repr)
def test_modules_compute_like_the_evaluator(case: Case, tmp_path: Path) -> None:
    staged = stage(case.program)
    library = ctypes.CDLL(str(build(tmp_path, emit(staged, "m"), "-fcheck=bounds")))
    inputs = case.inputs(np.random.default_rng(3))
    values = dict(inputs)
    if staged.setup is not None:
        values |= call(library["__m_module_MOD_m_setup"], staged.setup, inputs)
    found, wanted = call(library["__m_module_MOD_m"], staged.main, values), evaluate(case.program, inputs)
    for name, value in wanted.values.items():
        assert np.all(np.abs(found[name] - value) <= 4 * wanted.bounds[name] + 1e-300), name


@compiled
def test_pieces_of_long_programs_and_single_precision_compile(tmp_path: Path) -> None:
    case = next(c for c in CASES if c.name == "random100_2500")
    for k, source in enumerate((emit(case.program, "m", chunk=100), emit(stage(case.program), "m", float32=True))):
        (tmp_path / str(k)).mkdir()
        build(tmp_path / str(k), source, "-Wconversion")
    assert "real64" not in source.source and emit(case.program, chunk=100).source.count("end subroutine") == 4


@compiled
def test_nan_in_an_operand_gives_nan(tmp_path: Path) -> None:
    case = CASES[0]
    library = ctypes.CDLL(str(build(tmp_path, emit(case.program, "m"))))
    inputs = case.inputs(np.random.default_rng(5))
    inputs["q"][:] = np.nan
    found, wanted = call(library["__m_module_MOD_m"], case.program, inputs), evaluate(case.program, inputs).values
    for name, value in wanted.items():
        assert np.array_equal(np.isnan(found[name]), np.isnan(value)), name


@compiled
def test_hostile_names_compile(tmp_path: Path) -> None:
    source = emit(stage(hostile()))
    (path,) = source.write(tmp_path)
    done = subprocess.run(
        [str(FORTRAN), *STRICT, *QUIET, "-c", path.name], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_sources_are_ascii_with_short_lines_and_no_code_from_names() -> None:
    for program in (hostile(), pendulum()):
        text = emit(stage(program)).source
        code = "\n".join(line.partition("!")[0] for line in text.splitlines())
        assert text.isascii() and max(map(len, text.splitlines())) <= 132
        assert not re.search(r"\b(evil|system) *\(", code)
        assert all(c.isprintable() or c == "\n" for c in text)


def test_headers_say_version_digest_and_indices() -> None:
    text = emit(stage(pendulum()), "pendulum", prefix="sat").source
    assert re.match(r"! pendulum_module: generated by freebody [\d.]+, digest [0-9a-f]{12} [0-9a-f]{12}\.\n", text)
    assert "integer, parameter :: sat_p_m = 0\n" in text and "sat_u_u2 = 1\n" in text
    assert "!   (2) g (m/s^2): gravity\n" in text


def test_every_operation_has_a_function() -> None:
    assert {name for name, text in FUNCTIONS.items() if text in ("raised", "signum", "whole", "choose")} <= {*HELPERS}


@pytest.mark.parametrize("x", [0.1, 2.0, 1e22, 1e-5, 5e-324, 1.7976931348623157e308, 1 / 3, -0.0, -2.5])
def test_numbers_are_written_exactly(x: float) -> None:
    assert number(x).endswith("_rk") and float(number(x).removesuffix("_rk")).hex() == x.hex()


def test_names_differ_in_any_case_and_long_lines_are_continued() -> None:
    assert (
        identifier("M_AB") == identifier("m_ab") == "m_ab"
        and identifier("2x") == "n2x"
        and identifier("ω̇") == "omegadot"
    )
    source = emit(CASES[1].program, "m").source
    names = re.findall(r"real\(rk\) :: (.*)", source)
    declared = [name.strip() for line in names for name in line.split(",")]
    assert len(declared) == len({*declared})
    whole = f"    x = {' + '.join(['quantity'] * 60)} ! a sum"
    assert all(len(line) <= 132 for line in continued(whole).splitlines())
    assert continued(whole).replace(" &\n        ", " ").splitlines() == ["    ! a sum", whole.partition(" !")[0]]
    literal = f"call put(o, '{'two  words ! ' * 30}')"
    assert continued(literal).replace("&\n&", "") == literal
