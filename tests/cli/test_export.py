"""export: exported files contain the equations of the model; bench: it measures all quantities."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from freebody.printing.addresses import AddressNames
from freebody.printing.sympy import program_to_sympy, source
from freebody.program.evaluate import evaluate
from freebody.program.program import Program
from tests.cli.conftest import Run
from tests.cli.test_info_derive import system
from tests.cli.test_models import refused
from tests.flexible.reduced_bodies import random_reduced
from tests.printing.hostile_names import hostile as hostile_program
from tests.program_cases import CASES, Case

RunJson = Callable[..., dict[str, Any]]
SMALL = [c for c in CASES if c.name not in ("dense23", "random100_2500", "every_operation", "sparse16", "sparse19")]


def made(text: str) -> dict[str, Any]:
    """The variables that a source defines when it is executed."""
    space: dict[str, Any] = {}
    exec(text, space)
    return space


def computed(space: dict[str, Any], values: dict[str, float]) -> dict[str, np.ndarray]:
    """The outputs of a source for numbers by name, with replacements applied in order."""
    known = {symbol: values[name] for name, symbol in space["symbols"].items()}
    for symbol, expression in space["replacements"]:
        known[symbol] = float(expression.xreplace(known))
    found = {name: expression.xreplace(known) for name, expression in space["outputs"].items()}
    return {n: np.array(x.tolist() if hasattr(x, "tolist") else [x], float).ravel() for n, x in found.items()}


def named(program: Program, inputs: dict[str, np.ndarray]) -> dict[str, float]:
    places = AddressNames(program).elements
    return {n: float(v) for g, names in places.items() for n, v in zip(names, inputs[g], strict=True)}


@pytest.mark.parametrize("case", SMALL, ids=repr)
def test_sympy_source_defines_the_same_expressions(case: Case) -> None:
    space, (replacements, outputs) = made(source(case.program)), program_to_sympy(case.program)
    assert [s.name for s, _ in space["replacements"]] == [s.name for s, _ in replacements]
    inputs = case.inputs(np.random.default_rng(1))
    wanted = evaluate(case.program, inputs)
    found = computed(space, named(case.program, inputs))
    assert set(found) == set(outputs)
    for name, values in found.items():
        assert np.allclose(values, np.ravel(wanted.values[name]), rtol=1e-10, atol=1e-10)


def test_every_operation_can_be_written_as_source() -> None:
    """Tables and user functions stay functions by name; everything else is the same expression."""
    case = next(c for c in CASES if c.name == "every_operation")
    space, (replacements, outputs) = made(source(case.program)), program_to_sympy(case.program)
    for (symbol, found), (same, wanted) in zip(space["replacements"], replacements, strict=True):
        assert symbol == same and (found == wanted or found.equals(wanted))
    assert space["outputs"]["one"] == outputs["one"]
    assert {"spring", "tyre", "drag", "mix"} <= set(space)


def test_hostile_names_are_not_executed() -> None:
    text = source(hostile_program())
    assert text.isascii()
    space = made(text)
    assert "*/ evil()" in space["symbols"] and "ω̇" in space["symbols"]
    assert len(set(space["symbols"].values())) == len(space["symbols"])


def test_sympy_source_matches_the_compiled_values(run: Run, pendulum: Path) -> None:
    space = made(run("export", pendulum, "--to", "sympy").stdout)
    q, u, tau, m, l = 0.4, -0.3, 0.7, 2.0, 0.5
    values = {"q.arm": q, "u.arm": u, "tau.arm": tau, "m": m, "l": l}
    by_hand = -9.81 / l * np.sin(q) + tau / (m * l**2)
    assert computed(space, values)["u_dot"] == pytest.approx([by_hand])
    at = {symbol: values[name] for name, symbol in space["symbols"].items()}
    assert float(space["expanded"]()["u_dot"].subs(at)[0]) == pytest.approx(by_hand)


def test_text_and_latex_match_the_equations(run: Run, run_json: RunJson, pendulum: Path, tmp_path: Path) -> None:
    eq = system(pendulum).derive()
    assert run("export", pendulum, "--to", "text", "--quantity", "bias").stdout == eq.to_text("bias")
    result = run("export", pendulum, "--to", "latex", "--out", "eq.tex")
    assert (result.stdout, result.stderr) == ("", "written: eq.tex\n")
    assert (tmp_path / "eq.tex").read_text() == eq.to_latex()
    found = run_json("export", pendulum, "--to", "latex")
    assert found["text"] == eq.to_latex() and (found["format"], found["files"]) == ("latex", [])


def test_c_is_written_to_a_folder(run_json: RunJson, pendulum: Path, tmp_path: Path) -> None:
    found = run_json("export", pendulum, "--to", "c", "--out", "code", "--quantity", "mass_matrix")
    assert sorted(found["files"]) == ["code/mass_matrix.c", "code/mass_matrix.h"]
    assert all((tmp_path / f).is_file() for f in found["files"]) and found["quantities"] == ["mass_matrix"]


@pytest.mark.paper("000", "38")
def test_several_quantities_and_choices_of_derivation_are_exported(
    run: Run, run_json: RunJson, pendulum: Path, tmp_path: Path
) -> None:
    names = ["--quantity", "mass_matrix", "--quantity", "bias"]
    found = run_json("export", pendulum, "--to", "fortran", "--out", "code", *names, "--prefix", "arm", "--float32")
    assert sorted(found["files"]) == ["code/arm_bias_module.f90", "code/arm_mass_matrix_module.f90"]
    assert "arm_q_arm = 0" in (tmp_path / "code/arm_bias_module.f90").read_text()
    eq = system(pendulum).derive("aba", small=["arm"])
    text = run("export", pendulum, "--to", "text", "--formulation", "aba", "--small", "arm", *names).stdout
    assert text == "\n".join(eq.to_text(name) for name in ("mass_matrix", "bias"))


def test_programs_are_written_to_a_folder(run_json: RunJson, pendulum: Path, tmp_path: Path) -> None:
    found = run_json("export", pendulum, "--to", "program", "--out", "p", "--until", "2", "--units", "user")
    assert "p/Makefile" in found["files"] and found["quantities"] == []
    (parameters,) = (tmp_path / "p").glob("*.par")
    assert "run.end = 2 s" in parameters.read_text() and "units = user" in parameters.read_text()


def test_fmus_are_written_to_a_file(run: Run, run_json: RunJson, pendulum: Path, tmp_path: Path) -> None:
    found = run_json("export", pendulum, "--to", "fmu", "--out", "a.fmu", "--fmi", "3.0", "--platform", "none")
    assert found["files"] == ["a.fmu"] and found["quantities"] == []
    with zipfile.ZipFile(tmp_path / "a.fmu") as archive:
        assert 'fmiVersion="3.0"' in archive.read("modelDescription.xml").decode()
        assert not [name for name in archive.namelist() if name.startswith("binaries")]
    refused(run("export", pendulum, "--to", "fmu"), 2, "--to fmu writes a binary file: name it with --out")
    refused(run("export", pendulum, "--to", "fmu", "--out", "a.zip"), 2, ".fmu")
    refused(run("export", pendulum, "--to", "fmu", "--out", "a.fmu", "--fmi", "1.0"), 2, "choose from 2.0, 3.0")
    refused(run("export", pendulum, "--to", "fmu", "--out", "a.fmu", "--units", "si"), 2, "--units does not go with it")
    refused(run("export", pendulum, "--to", "program", "--out", "p", "--fmi", "2.0"), 2, "--fmi does not go with it")


def test_inputs_that_controllers_write_are_left_to_them(run: Run, pendulum: Path, tmp_path: Path) -> None:
    s = system(pendulum)
    s.input("drive", "N·m")
    s.joint_force("arm", "drive")
    s.controller("hold", rate=100, law={"drive": "-2*q.arm"})
    s.save(tmp_path / "held.yaml")
    assert run("export", "held.yaml", "--to", "program", "--out", "p", "--until", "2").exit_code == 0
    assert "\ninput.drive = 0 N*m" in next((tmp_path / "p").glob("*.par")).read_text()


def test_model_exported_as_yaml_is_the_same_model(run: Run, run_json: RunJson, pendulum: Path) -> None:
    assert run("export", pendulum, "--to", "yaml", "--out", "arm.yaml", "--quiet").output == ""
    assert run_json("info", "arm.yaml")["digest"] == run_json("info", pendulum)["digest"]
    runs = [run_json("simulate", m, "-t", "1", "--set", "q.arm=1")["final"] for m in ("arm.yaml", pendulum)]
    assert runs[0] == pytest.approx(runs[1])


def test_impossible_exports_are_refused(run: Run, pendulum: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    refused(run("export", pendulum, "--to", "c"), 2, "name their folder with --out")
    refused(run("export", pendulum, "--to", "ada"), 2, "choose from c, fortran, program, fmu, text, latex, sympy")
    refused(run("export", pendulum, "--to", "fortran"), 2, "name their folder with --out")
    refused(run("export", pendulum, "--to", "text", "--units", "user"), 2, "--to text: --units does not go with it")
    refused(run("export", pendulum, "--to", "program", "-o", "p", "--quantity", "bias"), 2, "a whole simulation")
    refused(run("export", pendulum, "--to", "c", "-o", "p", "--formulation", "euler"), 2, "there is no 'euler'")
    refused(run("export", pendulum, "--to", "program", "-o", "p", "--language", "ada"), 2, "choose from c, fortran")
    refused(
        run("export", pendulum, "--to", "program", "-o", "p", "--prefix", "a b"), 2, "--prefix: 'a b' is not a name"
    )
    refused(run("export", pendulum, "--to", "program", "-o", "taken"), 4, "taken: it cannot be written")
    late = ("--to", "program", "-o", "p", "--until", "-1")
    refused(run("export", pendulum, *late), 3, "programs run forward in time only")
    refused(run("export", pendulum, "--to", "yaml", "--quantity", "bias"), 2, "--to yaml writes the whole model")
    refused(run("export", pendulum, "--to", "text", "--out", "no/eq.txt"), 4, "there is no folder no")
    refused(run("export", pendulum, "--to", "text", "--out", tmp_path), 4, "it is a folder")
    refused(run("export", pendulum, "--to", "c", "--out", "taken"), 4, "--out taken: it cannot be written")


def test_bench_measures_everything(run: Run, run_json: RunJson, pendulum: Path) -> None:
    found = run_json("bench", pendulum)
    names = ("derive_s", "compile_s", "call_ns", "code_ns", "batch_ns", "batch_all_cores_ns", "dop853_steps_per_s")
    assert all(found[n] > 0 for n in (*names, "rk4_steps_per_s", "operations", "batch"))
    assert found["operations"] == system(pendulum).derive().operations["forward_dynamics"].total
    assert "steps/s" in run("bench", pendulum).stdout


def test_reduced_bodies_are_written_beside_the_model(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    random_reduced(1).save(tmp_path / "part.npz")
    text = "bodies: {part: {joint: revolute, flexible: {type: reduced, file: part.npz}}}"
    (tmp_path / "model.yaml").write_text(text)
    (tmp_path / "out").mkdir()
    assert run("export", tmp_path / "model.yaml", "--to", "yaml", "--out", tmp_path / "out/copy.yaml").exit_code == 0
    assert (tmp_path / "out/copy.part.npz").read_bytes() == (tmp_path / "part.npz").read_bytes()
    digests = [run_json("info", tmp_path / name)["digest"] for name in ("model.yaml", "out/copy.yaml")]
    assert digests[0] == digests[1]
