"""Model files and a fixture that runs the command."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from freebody.cli import app

Run = Callable[..., Any]
RunJson = Callable[..., dict[str, Any]]

PENDULUM = """
import freebody as fb

s = fb.System("pendulum")
m, l = s.parameters(m=2.0, l=0.5)
arm = s.body("arm", joint=fb.Revolute("y"), mass=m, com=(0, 0, -l))
s.output("tip", s.position(arm.point((0, 0, -l))))
"""
DRIVEN = """
import freebody as fb

print("a model may print")


def system():
    s = fb.System("driven")
    motor, brake = s.input("motor", "N·m", "what turns it"), s.input("brake")
    arm = s.body("arm", joint=fb.Revolute("z"), inertia=(1, 1, 1))
    s.state("charge", rate="-charge + motor", initial=0.25, unit="C")
    s.joint_force(arm, motor - brake, name="drive")
    ball = s.body("ball", joint=fb.Free(), mass=1, inertia=(1, 1, 1))
    return s
"""
BALL = """
import freebody as fb

s = fb.System("falling")
s.body("ball", joint=fb.Prismatic("z", initial=1.0, limits=(0.0, 5.0)), mass=3)
"""
BLOWN = """
import freebody as fb

s = fb.System("blown")
arm = s.body("arm", joint=fb.Revolute("z"), inertia=(1, 1, 1))
s.joint_force(arm, "u.arm**2")
"""
HOSTILE = r"""
import freebody as fb

s = fb.System("[red]evil[/red] \x1b[31m two\nerror: lines \u202e :smile:")
a = s.body("[bold]a[/bold]", joint=fb.Revolute("y"), mass=1, com=(0, 0, 1), inertia=(1, 1, 1))
b = s.body("b'] = __import__('os')", on=a, at=(0, 0, 1), joint=fb.Revolute("x"), mass=1, com=(0, 0, 1))
s.output("[/] \x1b[2J", 1)
s.force(a.x * "t", at=a, name="\x07[/link]")
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(sys.modules["freebody.cli.bench"], "PATIENCE", 0.02)
    return lambda *given: CliRunner().invoke(app, [str(x) for x in given])


@pytest.fixture
def run_json(run: Run) -> RunJson:
    """The result of --json; nothing else may be on standard output."""

    def tell(*given: object) -> dict[str, Any]:
        found = json.loads(run(*given, "--json").stdout, parse_constant=_refuse)
        assert isinstance(found, dict)
        return found

    return tell


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


def _file(name: str, text: str) -> Any:
    @pytest.fixture(name=name)
    def made(tmp_path: Path) -> Path:
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        return path

    return made


pendulum = _file("pendulum", PENDULUM)
driven = _file("driven", DRIVEN)
ball = _file("ball", BALL)
blown = _file("blown", BLOWN)
hostile = _file("hostile", HOSTILE)
