"""Options of the commands that analyse a model near a point: the point, and the search for an equilibrium."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from freebody.api import Equations
from freebody.cli import options
from freebody.cli.run_options import START

SEARCH = "The search for an equilibrium"

InputValue = Annotated[
    list[str] | None,
    typer.Option(
        "--input", "-i", metavar="NAME=VALUE", rich_help_panel=START,
        help="The value of an input (repeatable): motor=0.5. Inputs that are not given are 0.",
    ),
]  # fmt: skip
Time = Annotated[
    float,
    typer.Option("--time", metavar="SECONDS", rich_help_panel=START, help="The time, for motions that depend on it."),
]
Trim = Annotated[
    bool,
    typer.Option("--trim", rich_help_panel=SEARCH, help="First search an equilibrium from the point, and take that."),
]
Hold = Annotated[
    list[str] | None,
    typer.Option(
        "--hold", metavar="NAME", rich_help_panel=SEARCH,
        help="A coordinate, or a body with all of its coordinates, that keeps its value (repeatable).",
    ),
]  # fmt: skip
Free = Annotated[
    list[str] | None,
    typer.Option(
        "--free", metavar="NAME", rich_help_panel=SEARCH,
        help="What may be changed to get an equilibrium (repeatable): an input, a parameter, a speed u.arm, a"
        " generalised force tau.arm, or tau for all of them.",
    ),
]  # fmt: skip
FreeMotion = Annotated[
    list[str] | None,
    typer.Option(
        "--free-motion", metavar="NAME", rich_help_panel=SEARCH,
        help="A coordinate or body that may move although forces depend on it (repeatable).",
    ),
]  # fmt: skip
Rate = Annotated[
    list[str] | None,
    typer.Option(
        "--rate", metavar="NAME=VALUE", rich_help_panel=SEARCH,
        help="The rate that a coordinate must have (repeatable): q.chassis.z=0. Each needs a speed in --free.",
    ),
]  # fmt: skip


def input_values(texts: Sequence[str], names: Sequence[str]) -> dict[str, float]:
    """``--input motor=0.5``: numbers by name."""
    values = options.pairs("--input", texts, str.partition)
    for name in values:
        if name not in names:
            raise options.unknown("--input", name, names, "input ")
    return {name: options.number(text, f"--input {name}") for name, text in values.items()}


def rates(texts: Sequence[str]) -> dict[str, float]:
    """``--rate q.chassis.z=0``: numbers by name."""
    return {n: options.number(v, f"--rate {n}") for n, v in options.pairs("--rate", texts, str.rpartition).items()}


def point(equations: Equations, set_: Sequence[str], inputs: Sequence[str], t: float) -> dict[str, Any]:
    """The values of a point by full name, as ``linearize`` takes them."""
    state = options.initial(equations, set_)
    values = {f"{group}.{name}": value for group, some in state.items() for name, value in some.items()}
    return {**values, **input_values(inputs, equations.derivation.layout.user_inputs), "t": t}
