"""All commands together: those of core, and those of wings."""

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import freebody
from freebody import wings
from freebody.cli.bench import bench
from freebody.cli.completion import completion, prepare
from freebody.cli.derive import derive
from freebody.cli.equilibrium import equilibrium
from freebody.cli.export import export
from freebody.cli.ik import ik
from freebody.cli.info import info
from freebody.cli.linearize import linearize
from freebody.cli.modes import modes
from freebody.cli.output import INTERRUPTED, complain
from freebody.cli.simulate import simulate
from freebody.cli.sweep import sweep
from freebody.cli.view import view

EPILOG = "Exit codes: 0 done, 1 the run failed, 2 wrong usage, 3 the model is wrong, 4 a file problem, 130 interrupted."


USAGE_ERROR: Any = typer.BadParameter.__base__
"""Errors in a command line: of click, or of the copy of it inside newer versions of typer."""


class Commands(TyperGroup):
    """All commands. Errors in the command line are printed as all other errors are."""

    def main(self, *args: Any, **options: Any) -> Any:
        prepare()
        try:
            code = super().main(*args, **{**options, "standalone_mode": False})
        except typer.Abort:
            code = INTERRUPTED
        except USAGE_ERROR as error:
            complain(error.format_message())
            context = error.ctx.command_path if error.ctx is not None else "freebody"
            print(f"See '{context} --help'.", file=sys.stderr)
            code = int(error.exit_code)
        sys.exit(code if isinstance(code, int) else 0)


app = typer.Typer(
    name="freebody", cls=Commands, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="rich",
    epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]},
)  # fmt: skip
wing_commands = [place.load() for place in wings.places("command").values()]
for command in (
    info,
    derive,
    simulate,
    sweep,
    view,
    equilibrium,
    ik,
    linearize,
    modes,
    export,
    *wing_commands,
    bench,
    completion,
):
    app.command(epilog=EPILOG)(command)


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and end.")] = False,
) -> None:
    """Multibody dynamics: from a model file to equations of motion, runs, code and figures."""
    if version:
        print(f"freebody {freebody.__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
