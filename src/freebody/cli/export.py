"""``freebody export``: equations and models for other programs."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from freebody.api import System
from freebody.cli import files, models, options
from freebody.cli.failure import usage
from freebody.cli.given import one_of
from freebody.cli.options import Debug, Json, Model, Quiet
from freebody.cli.output import Output, visible
from freebody.quantities import listed


def _text(system: System, quantity: str) -> str:
    return visible(system.derive().to_text(quantity), "\n")


def _latex(system: System, quantity: str) -> str:
    return system.derive().to_latex(quantity)


def _sympy(system: System, quantity: str) -> str:
    from freebody.printing.sympy import source

    return source(system.derive().program(quantity))


def _yaml(system: System, quantity: str) -> str:
    from freebody.io import dumps

    return dumps(system)


TEXTS: dict[str, Callable[[System, str], str]] = {"text": _text, "latex": _latex, "sympy": _sympy, "yaml": _yaml}
"""What becomes one text."""
FORMATS = ("c", *TEXTS)
FIRST = "forward_dynamics"


def export(
    model: Model,
    to: Annotated[
        str,
        typer.Option(
            metavar="|".join(FORMATS), show_default=False,
            help="C99 with names and comments; a listing; LaTeX (amsmath); Python source that makes SymPy expressions;"
            " the model itself as a .yaml file.",
        ),
    ],
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="PATH", help="The folder for C; the file for the others (- prints).")
    ] = "-",
    quantity: Annotated[str, typer.Option(metavar="NAME", help=f"What to export: {options.NAMES}.")] = FIRST,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:  # fmt: skip
    """Write the equations, or the model, for another program.

    Examples: freebody export arm.yaml --to c --out code/   ·   freebody export arm.py --to yaml --out arm.yaml
    """
    with Output("export", json, quiet, debug) as output:
        output.model = model
        one_of("--to", to, FORMATS)
        one_of("--quantity", quantity, listed())
        if to == "yaml" and quantity != FIRST:
            raise usage("--to yaml writes the whole model; --quantity does not go with it")
        if to == "c" and out == "-":
            raise usage("--to c writes several files: name their folder with --out")
        made = models.load(model)
        output.tell(system=made.name, format=to, quantity=None if to == "yaml" else quantity)
        (_code if to == "c" else _one)(output, made, to, quantity, out)


def _code(output: Output, system: System, to: str, quantity: str, out: str) -> None:
    program = system.derive()
    program.program(quantity)
    paths = files.written("--out", Path(out), lambda: program.to_c(out, quantity))
    _wrote(output, paths)


def _one(output: Output, system: System, to: str, quantity: str, out: str) -> None:
    content = TEXTS[to](system, quantity)
    if out == "-":
        output.tell(text=content, files=[])
        output.text(content)
    else:
        files.text("--out", Path(out), content)
        _wrote(output, [Path(out)])


def _wrote(output: Output, paths: list[Path]) -> None:
    output.tell(files=[str(p) for p in paths])
    output.note(f"written: {', '.join(str(p) for p in paths)}")
