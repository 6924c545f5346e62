"""From a start of a run to the folder of a simulation program."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from freebody import files
from freebody.backends.ascii_text import spell
from freebody.backends.c.language import RESERVED, identifier
from freebody.errors import ArgumentError
from freebody.export.description import METHODS, STIFF, Simulation, either, tolerances
from freebody.export.refusals import require_exportable
from freebody.export.units import USER
from freebody.integrate.compiled_system import CompiledSystem
from freebody.run.options import BAUMGARTE, RunOptions

EVEN = 1e-12
"""How far saved times may be from even ones, as a fraction of the run."""

LONGEST = 40
"""Characters of a program's name, which begins all its names."""


def writers() -> dict[str, Callable[[Simulation], dict[str, str]]]:
    """What writes the files of a program, by language."""
    from freebody.export.c_program import c_files
    from freebody.export.fortran_program import fortran_files

    return {"c": c_files, "fortran": fortran_files}


LANGUAGES = ("c", "fortran")


def write_program(
    folder: Any,
    compiled: CompiledSystem,
    x0: Any,
    times: Any,
    options: RunOptions,
    *,
    language: str,
    prefix: str | None,
    float32: bool,
    units: str | Mapping[str, str],
    drawing: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Write the program of a run that begins with this state; returns its files."""
    if language not in LANGUAGES:
        raise ArgumentError(f"language must be {' or '.join(LANGUAGES)}, not {language!r}")
    methods = METHODS if language == "fortran" else (*METHODS, STIFF)
    simulation = description(compiled, x0, times, options, prefix, float32, units, drawing, methods=methods)
    texts = writers()[language](simulation)
    where = files.folder(folder)
    return [files.write_text(where / name, content) for name, content in texts.items()]


def description(
    compiled: CompiledSystem,
    x0: Any,
    times: Any,
    options: RunOptions,
    prefix: str | None,
    float32: bool,
    units: str | Mapping[str, str],
    drawing: Mapping[str, Any] | None,
    what: str = "a program",
    methods: Sequence[str] = (*METHODS, STIFF),
) -> Simulation:
    """What the program (``what``, in words) contains; what it cannot contain is refused."""
    context = compiled.about.system
    start, end = float(times[0]), float(times[-1])
    if options.method not in methods:
        raise ArgumentError(f"{context}: the method of {what} must be {either(methods)}, not {options.method}")
    if options.constraints == BAUMGARTE:
        raise ArgumentError(
            f"{context}: programs satisfy constraints by projection only; leave out constraints='baumgarte'"
        )
    if not end > start:
        raise ArgumentError(f"{context}: programs run forward in time only; give an end later than {start:g} s")
    even = np.linspace(start, end, len(times))
    if np.abs(even - times).max() > EVEN * max(abs(start), abs(end)):
        raise ArgumentError(f"{context}: programs save evenly spaced rows only; give numpy.linspace(0, end, rows + 1)")
    require_exportable(compiled, start, end, float32, what)
    (rtol, rtol_each), (atol, atol_each) = tolerances(options.rtol), tolerances(options.atol)
    settings = {
        "end": end,
        "rows": len(times) - 1,
        "step": options.step or (end - start) / 1000,
        "rtol": rtol,
        "atol": atol,
        "first_step": options.first_step or 0.0,
        "max_step": options.max_step or 0.0,
        "max_steps": options.max_steps or 0,
    }
    n = len(x0)
    return Simulation(
        program_name(context if prefix is None else prefix, prefix is not None),
        compiled,
        np.array(x0, float),
        start,
        settings,
        options.method,
        np.broadcast_to(rtol_each, n),
        np.broadcast_to(atol_each, n),
        *user_units(units),
        drawing,
        float32,
    )


def program_name(name: str, given: bool) -> str:
    """The name with which all names of a program begin."""
    word = identifier(name).lower()[:LONGEST].strip("_")
    if given and (not isinstance(name, str) or spell(name) != name or word != name.lower()):
        raise ArgumentError(
            f"prefix: {name!r} is not a name in C and Fortran; use letters, digits and _, such as 'sat'"
        )
    return f"{word}_model" if word in RESERVED else word


def user_units(units: Any) -> tuple[Mapping[str, str], bool]:
    """The units of the user by those of SI that they replace, and whether the parameter file is written in them."""
    if isinstance(units, str) and units in ("si", "user"):
        return USER, units == "user"
    if isinstance(units, Mapping) and all(isinstance(x, str) for pair in units.items() for x in pair):
        return dict(units), True
    raise ArgumentError(
        f"units must be 'si', 'user' or a dictionary of units that replace SI units, such as {{'rad': 'deg'}}, not"
        f" {units!r}"
    )
