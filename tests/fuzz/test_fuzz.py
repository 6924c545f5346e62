"""Mutated files of every format end in data or in an error that freebody raises: quickly, in bounded memory, without
warnings of other libraries, and without ending the process."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SECONDS = 5.0  # of the processor for one file
GROUPS = {
    "matrices and tables": ".*matrix market|.*table|npy", "bodies": "structure|reduced body|sid|calculix.*",
    "runs": "sealed run|facts of a run", "pictures": "stl.*|obj|glb|gltf|dae", "models": "urdf|yaml",
}  # fmt: skip
MESHES = "mesh .*"


def outcomes(folder: Path, count: int, pattern: str) -> dict[str, Any]:
    """What happened to mutated files in a process of their own."""
    command = [sys.executable, "-m", "tests.fuzz", str(folder), str(count), str(SECONDS), pattern]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    last = (folder / "log").read_text().splitlines()[-1:] if (folder / "log").is_file() else []
    assert done.returncode == 0, f"the process ended at {last}: {done.stderr[-2000:]}"
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def check(found: dict[str, Any], count: int) -> None:
    for name, outcome in found.items():
        assert not outcome["wrong"] and not outcome["slow"], (name, outcome)
        assert outcome["read"] + outcome["refused"] == count + 1, name


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    pytest.importorskip("trimesh")
    pytest.importorskip("meshio")
    return outcomes(tmp_path_factory.mktemp("fuzz"), 300, "|".join([*GROUPS.values(), r"mesh \.msh"]))


def test_mutated_files_are_read_or_refused(few: dict[str, Any]) -> None:
    assert len(few) == 21
    check(few, 300)


@pytest.mark.long
@pytest.mark.parametrize("group", GROUPS)
def test_many_mutated_files_are_read_or_refused(group: str, tmp_path: Path) -> None:
    check(outcomes(tmp_path, 10_000, GROUPS[group]), 10_000)


@pytest.mark.long
def test_what_meshio_reads_is_checked(tmp_path: Path) -> None:
    """Some of meshio's readers do not end; the child process that reads a mesh is ended then."""
    for name, outcome in outcomes(tmp_path, 2000, MESHES).items():
        assert not outcome["wrong"], (name, outcome)
