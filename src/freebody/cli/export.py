"""``freebody export``: equations and models for other programs."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from freebody.api import Equations
from freebody.cli import models, options
from freebody.cli.completion import one_of_names
from freebody.cli.derive import Formulation, Small, Solver, Speeds, derived, require_choices
from freebody.cli.options import Debug, Json, Model, Physical, Quiet, one_of
from freebody.cli.output import FILE, CommandOutput, Failure, require_writable, usage, visible, write_file
from freebody.cli.run_options import Input
from freebody.errors import ArgumentError, FileError
from freebody.quantities import listed

LANGUAGES, UNITS, FMI = ("c", "fortran"), ("si", "user"), ("2.0", "3.0")
TEXTS = ("text", "latex", "sympy", "yaml")
"""Formats of one text."""
FORMATS = ("c", "fortran", "program", "fmu", *TEXTS)
FOLDERS = ("c", "fortran", "program")
"""Formats of several files."""
FIRST = "forward_dynamics"


def export(
    model: Model,
    to: Annotated[
        str,
        typer.Option(
            metavar="|".join(FORMATS),
            show_default=False,
            autocompletion=one_of_names(lambda: FORMATS),
            help="C99 or Fortran 2008 with names and comments; a whole simulation program in one of them; an FMU for"
            " other simulators; a listing; LaTeX (amsmath); Python source that makes SymPy expressions; the model"
            " itself as a .yaml file.",
        ),
    ],
    out: Annotated[
        str,
        typer.Option(
            "--out", "-o", metavar="PATH", help="The folder for c, fortran, program; the file for others (- prints)."
        ),
    ] = "-",
    quantity: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            autocompletion=one_of_names(listed),
            help=f"What to export (repeatable): {options.NAMES}. Default: {FIRST}.",
        ),
    ] = None,
    formulation: Formulation = None,
    solver: Solver = None,
    small: Small = "",
    speeds: Speeds = "standard",
    language: Annotated[
        str | None,
        typer.Option(metavar="|".join(LANGUAGES), help="The language of a program: c (the default) or fortran."),
    ] = None,
    until: Annotated[
        float | None,
        typer.Option("--until", "-t", metavar="SECONDS", help="Of a program or an FMU: when its run ends (10)."),
    ] = None,
    inputs: Input = None,
    prefix: Annotated[
        str, typer.Option(metavar="NAME", help="What all names in C, Fortran or a program begin with.")
    ] = "",
    float32: Annotated[
        bool, typer.Option("--float32", help="C, Fortran or a program that computes with numbers of 32 bits.")
    ] = False,
    units: Annotated[
        str | None,
        typer.Option(metavar="|".join(UNITS), help="Of a program: units of its parameter file (user: deg, mm, km/h)."),
    ] = None,
    fmi: Annotated[
        str | None, typer.Option("--fmi", metavar="|".join(FMI), help="Of an FMU: its version (2.0).")
    ] = None,
    platform: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Of an FMU: a platform for which a binary is built (repeatable), such as x86_64-windows; all; none."
            " Default: native.",
        ),
    ] = None,
    physical: Physical = True,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Write the equations, the model, a whole simulation program, or an FMU.

    Examples: freebody export arm.yaml --to c --out code/   ·   freebody export arm.py --to yaml --out arm.yaml   ·
    freebody export arm.yaml --to program --language fortran --out arm/   ·
    freebody export arm.yaml --to fmu --out arm.fmu
    """
    with CommandOutput("export", json, quiet, debug) as output:
        output.model = model
        one_of("--to", to, FORMATS)
        names = list(dict.fromkeys(one_of("--quantity", n, listed()) for n in quantity or [FIRST]))
        _check_options(
            to,
            out,
            {
                "--quantity": quantity,
                "--formulation": formulation,
                "--solver": solver,
                "--small": small,
                "--speeds": speeds != "standard",
                "--language": language,
                "--until": until is not None,
                "--input": inputs,
                "--prefix": prefix,
                "--float32": float32,
                "--units": units,
                "--fmi": fmi,
                "--platform": platform,
            },
        )
        one_of("--fmi", fmi or FMI[0], FMI)
        one_of("--language", language or LANGUAGES[0], LANGUAGES)
        one_of("--units", units or UNITS[0], UNITS)
        require_choices(formulation, solver, speeds)
        _check_prefix(prefix)
        system = models.load(model, physical)
        output.add(system=system.name, format=to)
        output.add(quantities=[] if to in ("yaml", "program", "fmu") else names)
        small_names = [n.strip() for n in small.split(",") if n.strip()]
        equations = None if to == "yaml" else derived(system, formulation, small_names, speeds=speeds, solver=solver)
        if equations is not None and to == "program":
            paths = _program(equations, out, language, until, inputs, prefix, float32, units)
        elif equations is not None and to == "fmu":
            paths = [_fmu(equations, out, until, inputs, prefix, fmi, platform)]
        elif equations is not None and to in FOLDERS:
            write = equations.to_c if to == "c" else equations.to_fortran
            for name in names:
                equations.program(name)
            paths = write_file("--out", Path(out), partial(_sources, write, out, names, prefix, float32))
        elif equations is None and out != "-":
            require_writable("--out", Path(out), (".yaml", ".yml"))
            paths = [write_file("--out", Path(out), lambda: system.save(out))]
        else:
            several = [_text(equations, to, name) for name in names] if equations else [system.to_yaml()]
            content = "\n".join(several)
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


def _check_options(to: str, out: str, given: dict[str, Any]) -> None:
    """Refuse options that say nothing for a format, and a folder that is missing."""
    sources = ("--prefix", "--float32")
    of_program, of_fmu = ("--language", "--until", "--input", "--units"), ("--fmi", "--platform")

    def all_but(*names: str) -> tuple[str, ...]:
        return tuple(name for name in given if name not in names)

    allowed = {
        "yaml": (),
        "program": all_but("--quantity", *of_fmu),
        "fmu": all_but("--quantity", "--language", "--units", "--float32"),
        **dict.fromkeys(("c", "fortran"), all_but(*of_program, *of_fmu)),
    }.get(to, all_but(*sources, *of_program, *of_fmu))
    wrong = next((name for name, value in given.items() if value and name not in allowed), None)
    if wrong is not None:
        simulation = " writes a whole simulation;"
        whole = {"yaml": " writes the whole model;", "program": simulation, "fmu": simulation}.get(to, ":")
        raise usage(f"--to {to}{whole} {wrong} does not go with it")
    if to in FOLDERS and out == "-":
        raise usage(f"--to {to} writes several files: name their folder with --out")
    if to == "fmu" and out == "-":
        raise usage("--to fmu writes a binary file: name it with --out")


def _check_prefix(prefix: str) -> None:
    from freebody.export.write import program_name

    try:
        program_name(prefix or "a", True)
    except ArgumentError as error:
        raise usage(f"--{error}") from error


def _sources(
    write: Callable[..., list[Path]], out: str, names: Sequence[str], prefix: str, float32: bool
) -> list[Path]:
    return [path for name in names for path in write(out, name, prefix, float32)]


def _program(
    equations: Equations,
    out: str,
    language: str | None,
    until: float | None,
    laws: Sequence[str] | None,
    prefix: str,
    float32: bool,
    units: str | None,
) -> list[Path]:
    from freebody.run.inputs import unwritten_names

    given = options.inputs(laws or [], unwritten_names(equations.derivation), zero=True)
    chosen = language or LANGUAGES[0], 10.0 if until is None else until
    try:
        return equations.to_program(
            out, *chosen, inputs=given, prefix=prefix or None, float32=float32, units=units or UNITS[0]
        )
    except FileError as error:
        raise Failure(FILE, f"--out {error}") from error


def _fmu(
    equations: Equations,
    out: str,
    until: float | None,
    laws: Sequence[str] | None,
    prefix: str,
    fmi: str | None,
    platforms: Sequence[str] | None,
) -> Path:
    from freebody.run.inputs import unwritten_names

    require_writable("--out", Path(out), (".fmu",))
    given = options.inputs(laws or [], unwritten_names(equations.derivation), zero=True)
    names = [name for name in platforms or ["native"] if name != "none"]
    end = 10.0 if until is None else until
    return equations.to_fmu(out, fmi or FMI[0], inputs=given, end=end, prefix=prefix or None, platforms=names)


def _text(equations: Equations, to: str, quantity: str) -> str:
    if to == "sympy":
        from freebody.printing.sympy import source

        return source(equations.program(quantity))
    return equations.to_latex(quantity) if to == "latex" else visible(equations.to_text(quantity), "\n")
