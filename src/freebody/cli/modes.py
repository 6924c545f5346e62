"""``freebody modes``: the modes of flexible bodies as tables and as pictures."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from freebody.cli import models
from freebody.cli.options import Debug, Json, Quiet, one_of
from freebody.cli.output import FILE, CommandOutput, Failure, require_writable, usage, write_file
from freebody.errors import FileError
from freebody.model.flexible.mode_table import DRAWN, ModeTable

if TYPE_CHECKING:
    from freebody.viewer.mode_pictures import DrawnMode

PICTURES = (".png", ".svg", ".pdf")
MOST = 60
"""Modes in one picture."""

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE", show_default=False,
        help="A reduced body (.npz or .SID), or a model with flexible bodies: a .yaml file, or a Python file that holds"
        " a System, model.py or model.py:name. (A Python file is run.)",
    ),
]  # fmt: skip
Out = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="FILE", help="Draw the shapes (.png, .svg or .pdf).")
]
OneBody = Annotated[str, typer.Option("--body", "-b", metavar="NAME", help="This body only.", show_default=False)]
Count = Annotated[
    int, typer.Option("--modes", "-n", metavar="NUMBER", help="How many modes of a body are drawn.", min=1)
]


def modes(
    file: File, out: Out = None, body: OneBody = "", count: Count = DRAWN, json: Json = False, quiet: Quiet = False,
    debug: Debug = False,
) -> None:  # fmt: skip
    """Show the modes of flexible bodies: kinds, frequencies, damping ratios, effective masses, and their shapes.

    Examples: freebody modes part.npz -o shapes.png   ·   freebody modes arm.yaml --body boom
    """
    with CommandOutput("modes", json, quiet, debug) as output:
        output.model = file
        if out is not None:
            require_writable("--out", out, PICTURES)
        tables = _tables(file)
        if body:
            tables = {body: tables[one_of("--body", body, [*tables])]}
        shapes = [] if out is None else _shapes(tables, count, out)
        output.add(bodies=[{"name": name, "modes": _facts(table)} for name, table in tables.items()])
        for name, table in tables.items():
            if table:
                output.table(name, table.columns, table.rows(), right="23456789")
            else:
                output.line(f"{name}: no modes")
            output.line()
        if out is not None:
            from freebody.viewer.mode_pictures import plot_shapes

            write_file("--out", out, lambda: plot_shapes(shapes, out))
            output.add(files=[str(out)])
            output.note(f"written: {out}")


def _shapes(tables: Mapping[str, ModeTable], count: int, out: Path) -> "list[DrawnMode]":
    """The shapes to draw."""
    shapes = [shape for name, table in tables.items()
              for shape in table.shapes(count, name if len(tables) > 1 else "")]  # fmt: skip
    if not shapes:
        raise usage(f"--out {out}: there are no modes to draw")
    if len(shapes) > MOST:
        raise usage(f"--out {out}: {len(shapes)} modes are more than the {MOST} of one picture; give --body NAME or"
                    " fewer --modes")  # fmt: skip
    return shapes


def _tables(file: str) -> dict[str, ModeTable]:
    """The modes of each flexible body by its name."""
    from freebody.model.flexible.reduced_body import SUFFIXES, read_reduced
    from freebody.model.structures.refused_files import OTHERS

    if Path(file).suffix.lower() in (*SUFFIXES, *OTHERS):
        try:
            return {Path(file).stem: read_reduced(file).modes}
        except FileError as error:
            raise Failure(FILE, str(error)) from None
    system = models.load(file)
    tables = {name: body.modes for name, body in system.bodies.items() if body.recipe.modal is not None}
    if not tables:
        raise usage(f"{file}: {system.name} has no flexible bodies")
    return tables


def _facts(table: ModeTable) -> list[dict[str, Any]]:
    """The modes as JSON."""
    return [
        {"name": name, "kind": mode.label, "frequency": mode.frequency, "damping": mode.damping,
         "effective_mass": mode.effective_mass}
        for name, mode in zip(table.names, table, strict=True)
    ]  # fmt: skip
