"""The records of programs and of runs (benchmarks/record.py): they are reproducible, and differences are detected."""

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow
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


BOUNCES = "methods: bounces, dop853"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("runs")
    for name in ("one", "two"):
        done = run(folder / f"{name}.json", "--runs", "--only", "dop853")
        assert done.returncode == 0, done.stderr
    done = run("--compare", folder / "one.json", folder / "two.json")
    assert done.returncode == 0 and "arrays that differ: 0" in done.stdout, done.stdout
    found: dict[str, Any] = json.loads((folder / "one.json").read_text())
    return found


def test_runs_are_recorded_with_their_events(runs: dict[str, Any]) -> None:
    arrays = runs["runs"][BOUNCES]
    assert len(runs["runs"]) == 6 and not [name for name, found in runs["runs"].items() if "error" in found]
    assert arrays["x"]["shape"] == [6, 2] and arrays["events.t"]["shape"] == [1]
    assert arrays["events.names"]["values"] == ["bounce"] and arrays["end"]["values"][0] == "0"


@pytest.mark.parametrize("what", ["bit", "shape", "message", "missing array", "missing run", "more"])
def test_differences_of_runs_are_detected(runs: dict[str, Any], tmp_path: Path, what: str) -> None:
    new = copy.deepcopy(runs)
    arrays = new["runs"][BOUNCES]
    if what == "bit":
        arrays["x"]["digest"] = "0" * 20
    elif what == "shape":
        arrays["x"]["shape"] = [12]
    elif what == "message":
        arrays["end"] |= {"values": ["1", *arrays["end"]["values"][1:]], "digest": ""}
    elif what == "missing array":
        del arrays["events.t"]
    elif what == "missing run":
        del new["runs"][BOUNCES]
    else:
        arrays["new"] = arrays["x"]
    done = compared(tmp_path, runs, new)
    assert done.returncode == 1 and BOUNCES in done.stdout, done.stdout


def test_records_of_runs_and_of_programs_are_not_compared(
    runs: dict[str, Any], record: dict[str, Any], tmp_path: Path
) -> None:
    done = compared(tmp_path, runs, record)
    assert done.returncode == 2 and "one record is of runs, the other of programs" in done.stderr
