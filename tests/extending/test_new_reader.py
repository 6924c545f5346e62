"""A reader of files that is defined in this file alone: ``fb.load`` and the command read files with its suffix."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from typer.testing import CliRunner

import freebody as fb
from freebody.cli import app
from freebody.errors import FileError
from freebody.io.limits import contents
from freebody.io.readers import READERS, Reader


def read(path: Path, make: Callable[[str], Any], scale: float = 1.0) -> Any:
    """A chain of rods: each line of the file is a length in m and a mass in kg."""
    s, on = make(path.stem), None
    for k, line in enumerate(contents(path).splitlines(), 1):
        try:
            length, mass = map(float, line.split())
        except ValueError:
            raise FileError(f"{path}: line {k}: a length and a mass are needed, not {line!r}") from None
        length, before = length * scale, 0.0 if on is None else on[1]
        rod = s.body(
            f"rod{k}",
            on=None if on is None else on[0],
            at=(0, 0, -before),
            joint=fb.Revolute("y"),
            mass=mass,
            com=(0, 0, -length / 2),
            inertia=fb.rod(mass, length, "z"),
        )
        on = rod, length
    return s


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The file in io/, and the line in the table."""
    module = ModuleType("freebody.io.chains")
    module.read = read  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(READERS, ".chain", Reader("a file of a chain", "chains", ("scale",)))
    return


def test_files_with_the_suffix_are_read(tmp_path: Path) -> None:
    file = tmp_path / "two.CHAIN"
    file.write_text("1 2\n0.5 1\n")
    s = fb.load(file)
    assert isinstance(s, fb.System)
    assert s.name == "two" and [*s.bodies] == ["rod1", "rod2"]
    twice = fb.load(file, scale=2.0)  # type: ignore[call-arg]
    assert [str(one.bodies["rod2"].spec.at[2]) for one in (s, twice)] == ["-1.0", "-2.0"]
    with pytest.raises(fb.FreebodyError, match=r"there is no option 'scales'; its options: scale\. Did you mean scale"):
        fb.load(file, scales=2.0)  # type: ignore[call-arg]
    with pytest.raises(fb.FreebodyError, match="'floating'"):
        fb.load(file, floating=True)
    file.write_text("1 2\nlong 1\n")
    with pytest.raises(FileError, match="line 2: a length and a mass are needed"):
        fb.load(file)


def test_the_command_reads_them(tmp_path: Path) -> None:
    file = tmp_path / "two.chain"
    file.write_text("1 2\n0.5 1\n")
    done = CliRunner().invoke(app, ["info", str(file)])
    assert done.exit_code == 0, done.output
    assert "rod2" in done.output
