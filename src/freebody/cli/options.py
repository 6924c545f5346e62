"""Options that several commands share, and the values of options: numbers, name=value, initial values, choices."""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import typer

from freebody.api import Equations
from freebody.cli.completion import files_with
from freebody.cli.output import usage
from freebody.errors import ExpressionError, choices, nearest
from freebody.io.readers import READERS
from freebody.names import companions
from freebody.quantities import listed
from freebody.scalar.graph import Graph
from freebody.scalar.parse import parse

MODELS = (*READERS, ".py")
"""Suffixes of models."""

Model = Annotated[
    str,
    typer.Argument(
        metavar="MODEL", show_default=False, autocompletion=files_with(*MODELS),
        help="A .yaml or .urdf file (robot.urdf:floating for one whose root moves freely), or a Python file that holds"
        " a System: model.py, or model.py:name for one variable or function of it. (A Python file is run.)",
    ),
]  # fmt: skip
Physical = Annotated[
    bool,
    typer.Option(
        "--physical/--no-physical",
        help="Whether inertias in a .urdf file that no body can have are an error, or are taken as they are.",
    ),
]  # fmt: skip
Motors = Annotated[
    bool,
    typer.Option(
        "--motors",
        help="Give each joint of a .urdf file a motor with the file's limits, driven by the input command.BODY.",
    ),
]
Hold = Annotated[
    list[str] | None,
    typer.Option(
        "--hold", metavar="JOINT=VALUE",
        help="Let motors hold the joints of a .urdf file by PD control (repeatable): a joint at a value, the others at"
        " zero; --hold zero for all of them at zero.",
    ),
]  # fmt: skip
Stops = Annotated[
    bool,
    typer.Option("--stops", help="Give each joint with limits a stop there, instead of watching the limits."),
]
Meshes = Annotated[
    list[Path] | None,
    typer.Option("--meshes", "-m", metavar="FOLDER", help="A folder with files of meshes (repeatable)."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, and nothing else, to standard output.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only (and what --json or export print).")]
Debug = Annotated[bool, typer.Option("--debug", help="Show the Python traceback of an error.")]

NAMES = ", ".join(listed())
"""The quantities, for help texts."""


def unknown(option: str, name: str, known: Sequence[str], what: str = "", note: str = "") -> Exception:
    """The error for a name that is not among the known ones."""
    near = nearest(name, known, 1)
    hint = f" (did you mean '{near[0]}'?)" if near else ""
    more = f". {note}" if note else ""
    return usage(f"{option}: there is no {what}'{name}'{hint}; {choices(known)}{more}")


def one_of(option: str, value: str, choices: Sequence[str], note: str = "") -> str:
    """The value, which must be one of the choices; a note ends the error for another one."""
    if value not in choices:
        raise unknown(option, value, choices, note=note)
    return value


def number(text: str, context: str) -> float:
    """A number, or arithmetic that gives one: 0.3, 1e-3, pi/4."""
    try:
        value: Any = float(text)
    except ValueError:
        graph = Graph()
        try:
            value = graph.number(parse(graph, text, {}))
        except ExpressionError as error:
            raise usage(f"{context}: '{text}' is not a number: {error}") from error
        if value is None:
            raise usage(f"{context}: '{text}' is not a number") from None
    if not isfinite(value):
        raise usage(f"{context}: {text} is not finite")
    return float(value)


def pairs(option: str, texts: Sequence[str], split: Callable[[str, str], tuple[str, str, str]]) -> dict[str, str]:
    """Texts name=value by name."""
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in split(text, "="))
        if not (name and equals and value):
            raise usage(f"{option} {text}: write {option} name=value")
        if name in values:
            raise usage(f"{option}: '{name}' is given twice")
        values[name] = value
    return values


def held(texts: Sequence[str] | None) -> bool | dict[str, float]:
    """``--hold elbow=0.5`` and ``--hold zero``."""
    named = [text for text in texts or () if text != "zero"]
    values = {n: number(v, f"--hold {n}") for n, v in pairs("--hold", named, str.partition).items()}
    return values or bool(texts)


def parameters(texts: Sequence[str]) -> dict[str, float]:
    """``--parameter m=2``."""
    return {n: number(v, f"--parameter {n}") for n, v in pairs("--parameter", texts, str.partition).items()}


def inputs(
    texts: Sequence[str], names: Sequence[str], zero: bool, moving: Sequence[str] = ()
) -> dict[str, float | str]:
    """``--input motor="sin(t)"``: numbers and laws; with ``zero``, missing ones are 0. Those beside the inputs that are
    ``moving`` joints may be left out."""
    values: dict[str, float | str] = {}
    for name, text in pairs("--input", texts, str.partition).items():
        if name not in names:
            raise unknown("--input", name, names, "input ")
        try:
            values[name] = float(text)
        except ValueError:
            values[name] = text
    beside = {one for name in moving for one in companions(name)}
    missing = [n for n in names if n not in values and n not in beside]
    if missing and not zero:
        raise usage(
            f"inputs without a value: {', '.join(missing)}. Give each a number or a law,"
            f" --input {missing[0]}=0 or --input {missing[0]}='sin(t)', or set all of them to 0 by --zero-inputs"
        )
    return values | dict.fromkeys(missing, 0.0)


def initial(equations: Equations, texts: Sequence[str]) -> dict[str, dict[str, Any]]:
    """``--set q.upper=0.3``: values by group (q, u, z) and name. The name of a body with several coordinates stands for
    all of them, with values separated by commas."""
    layout, specs = equations.derivation.layout, [k.described for *_, k in equations.derivation.tree.bodies]
    several = [[r.name for r in specs if len(r.names[k]) > 1] for k in (0, 1)]
    known = {"q": [*layout.q, *several[0]], "u": [*layout.u, *several[1]], "z": layout.z}
    values: dict[str, dict[str, Any]] = {group: {} for group in known}
    for text, value in pairs("--set", texts, str.rpartition).items():
        group, name = state_name("--set", text, known)
        rows = [number(part, f"--set {text}") for part in value.split(",")]
        values[group][name] = rows if len(rows) > 1 else rows[0]
    return values


def state_name(
    option: str, text: str, known: Mapping[str, Sequence[str]], others: Sequence[str] = ()
) -> tuple[str, str]:
    """Group (q, u, z) and name of q.upper, or of upper if it is unique. ``others`` are further names that the option
    takes, for errors."""
    group, _, name = text.partition(".")
    if name in known.get(group, ()):
        return group, name
    groups = [g for g, names in known.items() if text in names]
    if len(groups) > 1:
        raise usage(f"{option}: '{text}' may be {' or '.join(f'{g}.{text}' for g in groups)}; write one of them")
    if not groups:
        raise unknown(option, text, [*(f"{g}.{n}" for g, names in known.items() for n in names), *others])
    return groups[0], text
