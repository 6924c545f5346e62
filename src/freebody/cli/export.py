"""``freebody export``: equations and models for other programs."""

from pathlib import Path
from typing import Annotated

import typer

from freebody.api import System
from freebody.cli import models, options
from freebody.cli.completion import one_of_names
from freebody.cli.options import Debug, Json, Model, Physical, Quiet, one_of
from freebody.cli.output import CommandOutput, require_writable, usage, visible, write_file
from freebody.quantities import listed

TEXTS = ("text", "latex", "sympy", "yaml")
"""Formats of one text."""
FORMATS = ("c", *TEXTS)
FIRST = "forward_dynamics"


def export(
    model: Model,
    to: Annotated[
        str,
        typer.Option(
            metavar="|".join(FORMATS),
            show_default=False,
            autocompletion=one_of_names(lambda: FORMATS),
            help="C99 with names and comments; a listing; LaTeX (amsmath); Python source that makes SymPy expressions;"
            " the model itself as a .yaml file.",
        ),
    ],
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="PATH", help="The folder for C; the file for the others (- prints).")
    ] = "-",
    quantity: Annotated[
        str,
        typer.Option(metavar="NAME", autocompletion=one_of_names(listed), help=f"What to export: {options.NAMES}."),
    ] = FIRST,
    physical: Physical = True,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Write the equations, or the model, for another program.

    Examples: freebody export arm.yaml --to c --out code/   ·   freebody export arm.py --to yaml --out arm.yaml
    """
    with CommandOutput("export", json, quiet, debug) as output:
        output.model = model
        one_of("--to", to, FORMATS)
        one_of("--quantity", quantity, listed())
        if to == "yaml" and quantity != FIRST:
            raise usage("--to yaml writes the whole model; --quantity does not go with it")
        if to == "c" and out == "-":
            raise usage("--to c writes several files: name their folder with --out")
        system = models.load(model, physical)
        output.add(system=system.name, format=to, quantity=None if to == "yaml" else quantity)
        if to == "c":
            equations = system.derive()
            equations.program(quantity)
            paths = write_file("--out", Path(out), lambda: equations.to_c(out, quantity))
        elif to == "yaml" and out != "-":
            require_writable("--out", Path(out), (".yaml", ".yml"))
            paths = [write_file("--out", Path(out), lambda: system.save(out))]
        else:
            content = _text(system, to, quantity)
            if out == "-":
                output.add(text=content, files=[])
                output.text(content)
                return
            paths = [Path(out)]
            require_writable("--out", paths[0])
            encoded = content.encode("utf-8", errors="backslashreplace")
            write_file("--out", paths[0], lambda: paths[0].write_bytes(encoded))
        output.add(files=[str(p) for p in paths])
        output.note(f"written: {', '.join(str(p) for p in paths)}")


def _text(system: System, to: str, quantity: str) -> str:
    if to == "yaml":
        return system.to_yaml()
    if to == "sympy":
        from freebody.printing.sympy import source

        return source(system.derive().program(quantity))
    equations = system.derive()
    return equations.to_latex(quantity) if to == "latex" else visible(equations.to_text(quantity), "\n")
