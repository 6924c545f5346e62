"""The record of programs (benchmarks/record.py): it is reproducible, and regressions are detected."""

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parent.parent / "benchmarks" / "record.py"
FORWARD = ("double pendulum | kane", "forward_dynamics")


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    file = tmp_path_factory.mktemp("record") / "one.json"
    done = run(file, "--only", "double pendulum")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def compared(tmp_path: Path, old: dict[str, Any], new: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    files = tmp_path / "old.json", tmp_path / "new.json"
    for file, content in zip(files, (old, new), strict=True):
        file.write_text(json.dumps(content))
    return run("--compare", *files)


def forward(record: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = record[FORWARD[0]]["programs"][FORWARD[1]]
    return found


def test_every_formulation_and_quantity_is_recorded(record: dict[str, Any], tmp_path: Path) -> None:
    ways = {key.split(" | ")[1] for key in record}
    assert ways == {"kane", "sayers", "poincare", "crba", "aba", "cheapest", "rolled"}
    assert forward(record)["operations"] > 0 and len(forward(record)["digest"]) == 40
    done = compared(tmp_path, record, record)
    assert done.returncode == 0 and "digests that changed: 0" in done.stdout


@pytest.mark.parametrize("what", ["operations", "values", "sizes", "missing", "error"])
def test_regressions_are_detected(record: dict[str, Any], tmp_path: Path, what: str) -> None:
    new = copy.deepcopy(record)
    if what == "operations":
        forward(new)["operations"] += 1
    elif what == "values":
        forward(new)["values"]["u_dot"][0] *= 1 + 1e-11
    elif what == "sizes":
        forward(new)["values"]["u_dot"].append(0.0)
    elif what == "missing":
        del new[FORWARD[0]]["programs"][FORWARD[1]]
    else:
        new[FORWARD[0]] = {"error": "ModelError", "programs": {}}
    done = compared(tmp_path, record, new)
    named = FORWARD[0] if what == "error" else " | ".join(FORWARD)
    assert done.returncode == 1 and named in done.stdout, done.stdout


def test_fewer_operations_and_rounding_are_accepted(record: dict[str, Any], tmp_path: Path) -> None:
    new = copy.deepcopy(record)
    forward(new)["operations"] -= 1
    forward(new)["values"]["u_dot"][0] *= 1 + 4e-16
    assert compared(tmp_path, record, new).returncode == 0
