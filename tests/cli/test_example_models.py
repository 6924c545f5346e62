"""Every example that describes a model is a MODEL of the command, without a name behind the file."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run, RunJson

EXAMPLES = Path(__file__).parents[2] / "examples"
WITHOUT_MODEL = {"describe.py", "run.py"}
"""The programs that write the files of robots and run the notebooks."""
FILES = sorted(p for p in EXAMPLES.rglob("*.*") if p.suffix in (".py", ".yaml", ".urdf"))


@pytest.fixture(autouse=True)
def modules_as_before() -> Iterator[None]:
    """Examples import from their own folders, which tests of others must not find."""
    path = list(sys.path)
    yield
    sys.path[:] = path


LARGE = {"herd.py", "trotting.py", "squatting.py", "standing_robot.py", "carried_box.py"}
MODELS = [
    pytest.param(f, marks=[pytest.mark.long] * (f.name in LARGE), id=f.name)
    for f in FILES
    if f.name not in WITHOUT_MODEL
]


@pytest.mark.parametrize("file", MODELS)
def test_examples_are_models(file: Path, run: Run, run_json: RunJson) -> None:
    shown = run_json("info", file)
    assert shown["ok"], shown["error"]
    assert shown["bodies"] and shown["operations"]["forward_dynamics"]["total"] > 0
    if file.suffix == ".py" and file.parent == EXAMPLES:
        ended = run_json("simulate", file, "--until", 0.01, "--samples", 3, "--zero-inputs")
        assert ended["ok"], ended["error"]
        assert run("view", file, "page.html").exit_code == 0


def test_a_second_model_of_an_example_is_named(run: Run) -> None:
    assert run("info", EXAMPLES / "feedback_linearisation.py:cart_pole").stdout.startswith("cart-pole:")
