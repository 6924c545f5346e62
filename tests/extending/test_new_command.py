"""A command that is defined in this file alone: options, output, JSON and errors are those of the other commands."""

import json as text
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from freebody.cli import app, models
from freebody.cli.command_line import EPILOG
from freebody.cli.options import Debug, Json, Model, Physical, Quiet
from freebody.cli.output import CommandOutput
from freebody.run.bodies import body_infos

MODEL = Path(__file__).parents[2] / "examples" / "models" / "double_pendulum.yaml"


def weigh(
    model: Model, physical: Physical = True, json: Json = False, quiet: Quiet = False, debug: Debug = False
) -> None:
    """Print the mass of a model.

    Example: freebody weigh arm.yaml
    """
    with CommandOutput("weigh", json, quiet, debug) as out:
        out.model = model
        system = models.load(model, physical)
        equations = system.derive()
        mass = sum(body.mass for body in body_infos(equations.derivation, equations.values))
        out.add(system=system.name, mass=mass)
        out.line(f"{system.name}: {mass:g} kg")


@pytest.fixture(autouse=True)
def table() -> Iterator[None]:
    """Its place in the list of commands."""
    app.command(epilog=EPILOG)(weigh)
    yield
    app.registered_commands.pop()


def test_output_json_and_help() -> None:
    run = CliRunner().invoke
    done = run(app, ["weigh", str(MODEL)])
    assert done.exit_code == 0, done.output
    assert done.stdout.strip().endswith(" kg")
    facts = text.loads(run(app, ["weigh", str(MODEL), "--json"]).stdout)
    assert facts["ok"]
    assert facts["command"] == "weigh"
    assert facts["mass"] > 0
    assert "Print the mass of a model." in run(app, ["--help"]).stdout


def test_errors_have_the_exit_codes_of_all_commands(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("bodies: {arm: {joint: elbow}}\n")
    run = CliRunner().invoke
    assert run(app, ["weigh", str(wrong)]).exit_code == 3
    assert run(app, ["weigh", str(tmp_path / "none.yaml")]).exit_code == 4
    assert run(app, ["weigh"]).exit_code == 2
