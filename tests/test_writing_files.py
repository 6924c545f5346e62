"""All functions that write files follow one rule: into an existing folder, completely or not at all."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import freebody as fb
from freebody import files
from freebody.errors import FileError


@pytest.fixture(scope="module")
def world() -> Any:
    s = fb.System("pendulum")
    s.body("arm", joint="revolute", mass=1, com=(1, 0, 0))
    return s, s.derive(), s.simulate(0.1)


WRITERS: dict[str, Callable[[Any, Any], Any]] = {
    "model.yaml": lambda w, p: w[0].save(p),
    "model.html": lambda w, p: w[0].report(p),
    "tree.svg": lambda w, p: w[0].diagram().save(p),
    "run.nc": lambda w, p: w[2].save(p),
    "run.parquet": lambda w, p: w[2].save(p),
    "run.csv": lambda w, p: w[2].save(p),
    "run.html": lambda w, p: w[2].report(p),
    "run.png": lambda w, p: w[2].plot("arm", path=p),
    "code": lambda w, p: w[1].to_c(p),
    "store": lambda w, p: w[1].sweep(0.1, {"q.arm": [0.1, 0.2]}, store=p),
}
EACH = pytest.mark.parametrize("name", WRITERS)


@EACH
def test_files_are_written_to_an_existing_folder(world: Any, tmp_path: Path, name: str) -> None:
    WRITERS[name](world, tmp_path / name)
    assert (tmp_path / name).exists() and len(list(tmp_path.iterdir())) == 1
    WRITERS[name](world, str(tmp_path / name))
    assert len(list(tmp_path.iterdir())) == 1


@EACH
def test_missing_folders_are_refused_and_not_created(world: Any, tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError, match=r"it cannot be written: there is no folder .*nowhere; create it first"):
        WRITERS[name](world, tmp_path / "nowhere" / name)
    assert not list(tmp_path.iterdir())


@EACH
def test_names_that_are_too_long_are_refused(world: Any, tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError, match="it cannot be written: File name too long"):
        WRITERS[name](world, tmp_path / f"{'a' * 300}{name}")
    assert not list(tmp_path.iterdir())


@EACH
@pytest.mark.parametrize("path", [None, 5, b"model.yaml", ["model.yaml"], "a\0b"], ids=repr)
def test_writing_refuses_values_that_are_not_paths(world: Any, name: str, path: Any) -> None:
    if path is None and name in ("run.png", "store"):
        return  # None means that no file is written
    with pytest.raises(FileError, match=r"a path (is text or a pathlib|cannot hold the character)"):
        WRITERS[name](world, path)


@EACH
def test_full_disk_keeps_the_old_file(world: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def full(self: Path, target: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    WRITERS[name](world, tmp_path / name)
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    monkeypatch.setattr(Path, "replace", full)
    if name == "store":  # everything is stored already
        WRITERS[name](world, tmp_path / name)
    else:
        with pytest.raises(FileError, match=r"it cannot be written: No space left on device"):
            WRITERS[name](world, tmp_path / name)
    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before


FULL = """
import resource, signal, sys
from pathlib import Path
import freebody as fb
s = fb.System("pendulum")
s.body("arm", joint="revolute", mass=1, com=(1, 0, 0))
run = s.simulate(0.1, progress=False)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
for name in ("run.nc", "run.parquet", "run.csv", "run.html"):
    try:
        (run.report if name == "run.html" else run.save)(Path(sys.argv[1], name))
    except fb.errors.FileError as error:
        print(name, str(error).split(": ")[-1])
"""


@pytest.mark.slow
def test_a_disk_that_becomes_full_is_an_error_and_ends_nothing(tmp_path: Path) -> None:
    """A limit of the size of files stands in for a full disk; HDF5 crashes where it writes there itself."""
    done = subprocess.run([sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    names = ("run.nc", "run.parquet", "run.csv", "run.html")
    assert done.stdout.splitlines() == [f"{name} File too large" for name in names]
    assert not [*tmp_path.iterdir()]


KILLED = """
import os, signal, sys
from pathlib import Path
from freebody import files
def fill(draft):
    draft.write_bytes(b"half")
    if sys.argv[2] == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    print("writing", flush=True)
    sys.stdin.read()
files.write(Path(sys.argv[1]) / "x.txt", fill)
"""


@pytest.mark.slow
def test_what_killed_processes_leave_is_removed_at_the_next_write(tmp_path: Path) -> None:
    """The files of processes that are still writing stay."""

    def begin(what: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-c", KILLED, str(tmp_path), what]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    with begin("wait") as writer:
        assert writer.stdout is not None and writer.stdin is not None
        assert writer.stdout.readline() == "writing\n"
        with begin("kill") as killed:
            killed.wait()
        other = tmp_path / ".partial"
        other.write_text("of a user")
        assert len([*tmp_path.iterdir()]) == 3
        files.write_text(tmp_path / "y.txt", "whole")
        left = {path.name for path in tmp_path.iterdir()}
        assert len(left) == 3 and {"y.txt", ".partial"} < left  # and the file of the first process
        writer.stdin.close()
        writer.wait()
    assert {path.name for path in tmp_path.iterdir()} == {"x.txt", "y.txt", ".partial"}
    assert (tmp_path / "x.txt").read_bytes() == b"half"


@pytest.mark.parametrize("kind", ["a named pipe", "a directory"])
def test_only_regular_files_are_opened(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x"
    os.mkfifo(path) if kind == "a named pipe" else path.mkdir()
    with pytest.raises(OSError, match=f"it is {kind}, not a regular file|Is a directory"):
        files.open_regular(path)


@pytest.mark.parametrize("path", [None, 5, b"x.yaml", ["x"], {}], ids=repr)
@pytest.mark.parametrize("read", [fb.load, fb.Trajectory.load])
def test_reading_refuses_values_that_are_not_paths(read: Any, path: Any) -> None:
    with pytest.raises(FileError, match=r"a path is text or a pathlib\.Path, not "):
        read(path)
