"""linearize: the matrices of a point, their files, and errors."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import loadmat

import freebody as fb
from freebody.errors import AnalysisWarning
from tests.cli.conftest import Run, RunJson
from tests.cli.test_models import refused
from tests.formulations.test_constraints import four_bar

MATRICES = ("A", "B", "C", "D")


def same(found: dict[str, Any], linear: Any) -> None:
    assert [found[name] for name in ("states", "inputs", "outputs")] == [
        list(linear.states),
        list(linear.inputs),
        list(linear.outputs),
    ]
    for name in MATRICES:
        assert np.array_equal(np.array(found[name]).reshape(getattr(linear, name).shape), getattr(linear, name)), name


def test_matrices_are_those_of_python(run_json: RunJson, driven: Path) -> None:
    space: dict[str, Any] = {}
    exec(driven.read_text(), space)
    s = space["system"]()
    found = run_json(
        "linearize",
        driven,
        "--set",
        "charge=0.5",
        "--set",
        "u.arm=2",
        "--input",
        "motor=0.3",
        "--all-states",
        "--output",
        "u.arm**2 + charge",
        "--actuator",
        "tau.arm",
        "--actuator",
        "motor",
    )
    with pytest.warns(AnalysisWarning):
        linear = s.linearize(
            at={"z.charge": 0.5, "u.arm": 2, "motor": 0.3},
            minimal=False,
            outputs=["u.arm**2 + charge"],
            inputs=["tau.arm", "motor"],
        )
    same(found, linear)
    assert found["at"] == linear.at and found["rate"] == linear.rate.tolist()
    assert found["largest_rate"]["state"] == linear.largest_rate.state and "--trim" in found["warnings"][0]


def test_independent_states_of_closed_loops(run_json: RunJson, tmp_path: Path) -> None:
    s, _ = four_bar()
    s.save(tmp_path / "four_bar.yaml")
    crank = next(iter(s.bodies))
    with pytest.warns(AnalysisWarning, match="not an equilibrium"):
        linear = s.linearize(at={f"q.{crank}": 0.7}, independent=[crank])
    found = run_json("linearize", "four_bar.yaml", "--set", f"q.{crank}=0.7", "--independent", crank)
    same(found, linear)
    assert found["dependent"] == list(linear.dependent) and len(found["states"]) == 2


def test_files_have_matrices_and_names(run_json: RunJson, pendulum: Path) -> None:
    found = run_json("linearize", pendulum, "--set", "q.arm=0.1", "--trim", "--save", "arm.npz", "--save", "arm.mat")
    assert found["files"] == ["arm.npz", "arm.mat"]
    with np.load("arm.npz", allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    cells = loadmat("arm.mat")
    for name in MATRICES:
        assert np.array_equal(arrays[name], found[name]) and np.array_equal(cells[name], found[name])
    for name in ("states", "inputs", "outputs"):
        assert arrays[name].tolist() == [text.item() for text in cells[name].ravel()] == found[name]
    assert dict(zip(arrays["at_names"], arrays["at"], strict=True)) == found["at"]
    assert np.array_equal(cells["at"].ravel(), arrays["at"]) and np.array_equal(arrays["rate"], found["rate"])


def test_tables_name_rows_and_columns(run: Run, pendulum: Path, tmp_path: Path) -> None:
    shown = run("linearize", pendulum).stdout
    assert shown.startswith("pendulum: 2 states, 1 input, 3 outputs, near an equilibrium\nStability: undecided\n")
    rows = [line.split() for line in shown.splitlines()]
    assert ["d/dt", "u.arm", "-19.62", "0"] in rows and ["tip.x", "-0.5", "0"] in rows
    long = fb.System("chain")
    body: Any = long.ground
    for k in range(7):
        body = long.body(
            f"b{k}", on=body, at=(0, 0, -1) if k else (0, 0, 0), joint=fb.Revolute("y"), mass=1, com=(0, 0, -1)
        )
    long.save(tmp_path / "chain.yaml")
    assert "A: 14 × 14 numbers; --save and --json have them" in run("linearize", "chain.yaml").stdout


@pytest.mark.parametrize(
    ("options", "code", "part"),
    [
        (["--actuator", "motor"], 2, "has no input 'motor'"),
        (["--output", "q.leg"], 2, "'q.leg'"),
        (["--output", "1 +"], 2, "1 +"),
        (["--hold", "arm"], 2, "--hold is used only with the search for an equilibrium: add --trim"),
        (["--independent", "leg"], 2, "no independent states can be chosen: without constraints all are"),
        (["--input", "motor=1"], 2, "--input: there is no input 'motor'; there are none"),
        (["--set", "q.arm=x"], 2, "--set q.arm: 'x' is not a number"),
        (["--set", "q.arm=0.3", "--hold", "arm", "--trim"], 1, "no equilibrium was found from here"),
        (["--save", "arm.csv"], 2, "the name must end in .npz, .mat"),
        (["--save", "no/arm.mat"], 4, "there is no folder no; make it first"),
    ],
)
def test_wrong_options_are_refused(run: Run, pendulum: Path, options: list[str], code: int, part: str) -> None:
    refused(run("linearize", pendulum, *options), code, part)


def test_linear_systems_are_written_by_python(tmp_path: Path, pendulum: Path) -> None:
    s = fb.System("ünï")
    s.body("arm", joint=fb.Revolute("y"), mass=1, com=(0, 0, -1))
    s.input("Ω")
    linear = s.linearize()
    path = linear.save(tmp_path / "linear.mat")
    assert loadmat(path)["inputs"].ravel()[0].item() == "Ω" and loadmat(path)["B"].shape == (2, 1)
    with pytest.raises(fb.FreebodyError, match=r"a linear system is written as \.npz, \.mat, not as '\.txt'"):
        linear.save(tmp_path / "linear.txt")
