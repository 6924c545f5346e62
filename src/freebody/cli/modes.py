"""``freebody modes``: the modes of a machine, or those of its flexible bodies, as tables, pages and pictures."""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from freebody import files
from freebody.cli import analysis_options, models
from freebody.cli.analysis_options import Free, FreeMotion, Hold, InputValue, Rate, Time, Trim
from freebody.cli.completion import files_with
from freebody.cli.linearize import linearised, point_facts, point_text
from freebody.cli.options import MODELS, Debug, Json, Meshes, Physical, Quiet, one_of
from freebody.cli.output import (
    FILE,
    PICTURES,
    CommandOutput,
    Failure,
    library_call,
    require_writable,
    usage,
)
from freebody.cli.run_options import FILES, Parameter, Set
from freebody.errors import FileError
from freebody.files import PAGES
from freebody.model.flexible.mode_table import DRAWN, ModeTable
from freebody.tables import counted

if TYPE_CHECKING:
    from freebody.analysis.linear import Mode, Modes
    from freebody.drawing import DrawnMode

MOST = 60
"""Modes in one picture."""
SHOWN = 30
"""Modes in a page."""
TABLES = (".csv",)

File = Annotated[
    str,
    typer.Argument(
        metavar="MODEL", show_default=False, autocompletion=files_with(*MODELS, ".npz", ".SID"),
        help="A .yaml or .urdf file, or a Python file that holds a System: model.py or model.py:name (a Python file is"
        " run); or a reduced body: .npz or .SID.",
    ),
]  # fmt: skip
Out = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", metavar="PATH", rich_help_panel=FILES, show_default=False,
        help="A page with the modes in motion, .html; of flexible bodies the shapes, .png, .svg or .pdf.",
    ),
]  # fmt: skip
Save = Annotated[
    Path | None,
    typer.Option("--save", metavar="PATH", rich_help_panel=FILES, show_default=False, help="Save the table: .csv."),
]
Bodies = Annotated[
    list[str] | None,
    typer.Option(
        "--body", "-b", metavar="NAME", show_default=False,
        help="Show the own modes of this flexible body, with its frame fixed, instead of those of the machine"
        " (repeatable).",
    ),
]  # fmt: skip
Count = Annotated[
    int | None,
    typer.Option(
        "--modes", "-n", metavar="NUMBER", min=1, rich_help_panel=FILES,
        show_default=f"{SHOWN} in a page, {DRAWN} of a body in a picture", help="How many modes --out shows.",
    ),
]  # fmt: skip


def modes(
    model: File,
    body: Bodies = None,
    set_: Set = None,
    parameter: Parameter = None,
    input_: InputValue = None,
    time: Time = 0.0,
    trim: Trim = False,
    hold: Hold = None,
    free: Free = None,
    free_motion: FreeMotion = None,
    rate: Rate = None,
    out: Out = None,
    save: Save = None,
    count: Count = None,
    meshes: Meshes = None,
    physical: Physical = True,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Show the modes of a machine near a point: frequencies, damping ratios and what moves; or of a flexible body.

    Examples: freebody modes arm.yaml --trim -o modes.html   ·   freebody modes arm.yaml --body boom -o shapes.png

    At a point that is not an equilibrium a warning says so; --trim searches one.
    """
    with CommandOutput("modes", json, quiet, debug) as output:
        output.model = model
        of_body = bool(body) or _is_reduced(model)
        _check_files(out, save, of_body)
        if out is None and (unused := [name for name, given in (("--modes", count), ("--meshes", meshes)) if given]):
            raise usage(f"{unused[0]} is about what --out shows; give --out PATH too")
        if of_body:
            near = {
                "--set": set_,
                "--parameter": parameter,
                "--input": input_,
                "--time": time,
                "--trim": trim,
                "--hold": hold,
                "--free": free,
                "--free-motion": free_motion,
                "--rate": rate,
                "--meshes": meshes,
                "--no-physical": _is_reduced(model) and not physical,
            }
            if unused := [name for name, given in near.items() if given]:
                raise usage(f"the own modes of a body do not depend on {unused[0]}; leave it out, or leave --body out")
            _of_bodies(output, _tables(model, body or [], physical), out, save, count or DRAWN)
            return
        system = models.load(model, physical)
        linear, warnings = linearised(
            system.derive(),
            set_,
            parameter,
            input_,
            time,
            trim=trim,
            hold=hold or [],
            free=free or [],
            free_motion=free_motion or [],
            rates=analysis_options.rates(rate or []),
        )
        found, folders = linear.modes(), files.folders_of(meshes or [])
        output.add(system=system.name, digest=system.digest(), **point_facts(linear), rigid=found.rigid)
        output.add(modes=[_mode(mode) for mode in found], warnings=warnings)
        output.line(f"{system.name}: {counted(len(found), 'mode')} near {point_text(linear)}; {linear.stability}")
        output.line()
        table = found._table()
        output.table("Modes", table.columns, table.rows, right="01234")
        output.warnings(warnings)

        def animate(path: Path) -> None:
            with library_call():
                found.animate(path, count or SHOWN, meshes=folders)

        _write(output, out, animate, save, _machine_rows(found))


def _check_files(out: Path | None, save: Path | None, of_body: bool) -> None:
    if out is not None and not of_body and out.suffix.lower() in PICTURES:
        raise usage(
            f"--out {out}: the modes of a machine are shown in motion, in a page ({', '.join(PAGES)}). For a picture of"
            " the shapes of a flexible body, add --body NAME"
        )
    if out is not None:
        require_writable("--out", out, PICTURES if of_body else PAGES)
    if save is not None:
        require_writable("--save", save, TABLES)


def _write(
    output: CommandOutput,
    out: Path | None,
    draw: Callable[[Path], None],
    save: Path | None,
    rows: Iterable[Sequence[object]],
) -> None:
    """The table and the page or picture."""

    def table(path: Path) -> None:
        text = StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        files.write(path, lambda draft: draft.write_text(text.getvalue(), encoding="utf-8"))

    wanted = (("--save", save, table), ("--out", out, draw))
    output.write_files((option, path, partial(write, path)) for option, path, write in wanted if path is not None)


# Modes of a machine


def _mode(mode: "Mode") -> dict[str, Any]:
    return {
        "eigenvalue": mode.value,
        "frequency": mode.frequency,
        "damping": mode.damping,
        "time": mode.time,
        "states": mode.states,
        "displacements": mode.displacements,
        "kinetic": mode.kinetic,
        "strain": mode.strain,
    }


def _machine_rows(found: "Modes") -> Iterator[Sequence[object]]:
    yield "real [1/s]", "imaginary [rad/s]", "frequency [rad/s]", "damping", "time [s]", "states"
    for mode in found:
        value = mode.value
        yield value.real, value.imag, mode.frequency, mode.damping, mode.time, "; ".join(mode.states)


# Modes of flexible bodies


def _of_bodies(
    output: CommandOutput, tables: Mapping[str, ModeTable], out: Path | None, save: Path | None, count: int
) -> None:
    """A table for each body, and a picture of all."""
    shapes = [] if out is None else _shapes(tables, count, out)
    output.add(bodies=[{"name": name, "modes": _body_facts(table)} for name, table in tables.items()])
    for name, table in tables.items():
        if table:
            output.table(name, table.columns, table.rows(), right="23456789")
        else:
            output.line(f"{name}: no modes")
        output.line()

    def draw(path: Path) -> None:
        from freebody.viewer.mode_pictures import plot_shapes

        plot_shapes(shapes, path)

    _write(output, out, draw, save, _body_rows(tables))


def _is_reduced(model: str) -> bool:
    """Whether the file is that of a reduced body, or of another program that writes such files."""
    from freebody.io.other_formats import FEM_FORMATS
    from freebody.io.reduced_files import FORMATS

    return Path(model).suffix.lower() in (*FORMATS, *FEM_FORMATS)


def _shapes(tables: Mapping[str, ModeTable], count: int, out: Path) -> "list[DrawnMode]":
    """The shapes to draw."""
    shapes = [shape for name, table in tables.items() for shape in table.shapes(count, name if len(tables) > 1 else "")]
    if not shapes:
        raise usage(f"--out {out}: there are no modes to draw")
    if len(shapes) > MOST:
        raise usage(
            f"--out {out}: {len(shapes)} modes are more than the {MOST} of one picture; give fewer --body, or"
            " fewer --modes"
        )
    return shapes


def _tables(model: str, bodies: Sequence[str], physical: bool) -> dict[str, ModeTable]:
    """The modes of each of the flexible bodies by its name."""
    from freebody.io.reduced_files import read_reduced

    if _is_reduced(model):
        try:
            tables = {Path(model).stem: read_reduced(model).modes}
        except FileError as error:
            raise Failure(FILE, str(error)) from None
    else:
        system = models.load(model, physical)
        tables = {name: body.modes for name, body in system.bodies.items() if body.spec.modal is not None}
        if not tables:
            raise usage(
                f"--body: {system.name} has no flexible bodies; without --body the modes of the machine are shown"
            )
    return {name: tables[one_of("--body", name, [*tables])] for name in bodies} or tables


def _body_facts(table: ModeTable) -> list[dict[str, Any]]:
    """The modes of a body as JSON."""
    return [
        {
            "name": name,
            "kind": mode.label,
            "frequency": mode.frequency,
            "damping": mode.damping,
            "effective_mass": mode.effective_mass,
        }
        for name, mode in zip(table.names, table, strict=True)
    ]


def _body_rows(tables: Mapping[str, ModeTable]) -> Iterator[Sequence[object]]:
    about, along = [f"inertia {axis} [kg m²]" for axis in "xyz"], [f"mass {axis} [kg]" for axis in "xyz"]
    yield "body", "name", "kind", "frequency [rad/s]", "damping", *about, *along
    for body, table in tables.items():
        for mode in _body_facts(table):
            values = [mode[key] for key in ("name", "kind", "frequency", "damping")]
            yield body, *values, *(float(x) for x in mode["effective_mass"])
