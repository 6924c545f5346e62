"""Options of the commands that integrate: initial values, inputs, events, integrators; and their values."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
import typer

from freebody.cli import options
from freebody.cli.completion import one_of_names
from freebody.cli.output import usage
from freebody.run.event import Event
from freebody.run.options import WAYS, RunOptions

START, DRIVE, SOLVER, FILES = "The start", "What acts", "The integrator", "Files"
"""Panels of options in help texts."""

DEFAULTS = RunOptions()
"""The values of options that are not given."""


def _methods() -> list[str]:
    from freebody.integrate.steppers import METHODS

    return list(METHODS)


def _ways() -> list[str]:
    return list(WAYS)


Until = Annotated[float, typer.Option("--until", "-t", metavar="SECONDS", help="When the run ends.")]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set", "-s", metavar="NAME=VALUE", rich_help_panel=START,
        help="An initial value, or one of the point or the guess (repeatable): q.arm=0.3, u.arm=pi/2, a state by its"
        " name; q.ball=1,0,0,0 sets all coordinates of a body.",
    ),
]  # fmt: skip
Parameter = Annotated[
    list[str] | None,
    typer.Option(
        "--parameter", "-p", metavar="NAME=VALUE", rich_help_panel=START,
        help="Another value for a parameter (repeatable): m=2.",
    ),
]  # fmt: skip
Input = Annotated[
    list[str] | None,
    typer.Option(
        "--input", "-i", metavar="NAME=LAW", rich_help_panel=DRIVE,
        help="What drives an input (repeatable): a number, or a law that may use t, q.…, u.…, states and parameters:"
        " motor='2*sin(t) - u.arm'.",
    ),
]  # fmt: skip
ZeroInputs = Annotated[
    bool, typer.Option("--zero-inputs", help="Inputs that are not given are 0.", rich_help_panel=DRIVE)
]
Law = Annotated[
    list[str] | None,
    typer.Option(
        "--event", metavar="LAW", rich_help_panel=DRIVE,
        help="End the run where this crosses zero (repeatable): 'q.ball - 0.1'.",
    ),
]  # fmt: skip
Direction = Annotated[
    list[int] | None,
    typer.Option(
        "--direction", metavar="-1|0|1", min=-1, max=1, rich_help_panel=DRIVE,
        help="How it crosses: downwards, either way (the default), upwards; one for all events, or one for each.",
    ),
]  # fmt: skip
Engage = Annotated[
    list[str] | None,
    typer.Option(
        "--engage", metavar="NAME=LAW", rich_help_panel=DRIVE,
        help="Engage a constraint of the model where a law crosses zero (repeatable): contact='q.stone'.",
    ),
]  # fmt: skip
Release = Annotated[
    list[str] | None,
    typer.Option(
        "--release", metavar="NAME=LAW", rich_help_panel=DRIVE,
        help="Release a constraint where a law crosses zero (repeatable): contact='multiplier.contact'.",
    ),
]  # fmt: skip
Method = Annotated[
    str,
    typer.Option(
        "--method", metavar="NAME", rich_help_panel=SOLVER, autocompletion=one_of_names(_methods),
        help=RunOptions.help("method"),
    ),
]  # fmt: skip
Rtol = Annotated[float, typer.Option("--rtol", metavar="X", rich_help_panel=SOLVER, help=RunOptions.help("rtol"))]
Atol = Annotated[float, typer.Option("--atol", metavar="X", rich_help_panel=SOLVER, help=RunOptions.help("atol"))]
Step = Annotated[
    float | None,
    typer.Option("--step", metavar="SECONDS", rich_help_panel=SOLVER, show_default=False, help=RunOptions.help("step")),
]
Constraints = Annotated[
    str,
    typer.Option(
        "--constraints", metavar="NAME", rich_help_panel=SOLVER, autocompletion=one_of_names(_ways),
        help=RunOptions.help("constraints"),
    ),
]  # fmt: skip
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed", metavar="N", min=0, rich_help_panel=SOLVER, show_default=False, help=RunOptions.help("seed")
    ),
]
MaxSteps = Annotated[
    int | None,
    typer.Option(
        "--max-steps", metavar="N", min=1, rich_help_panel=SOLVER, show_default=False,
        help=RunOptions.help("max_steps"),
    ),
]  # fmt: skip
Samples = Annotated[
    int | None,
    typer.Option(
        "--samples", "-n", metavar="N", min=2, show_default="1001", help="How many times to save, evenly spaced."
    ),
]


def check_method(name: str, step: float | None, constraints: str) -> None:
    options.one_of("--method", name, _methods())
    options.one_of("--constraints", constraints, _ways())
    fixed = name in ("rk4", "contact")
    if fixed and step is None:
        raise usage(f"--method {name} takes steps of one size: give --step SECONDS")
    if not fixed and step is not None:
        raise usage(f"--step is for --method rk4 and contact; {name} chooses its steps by --rtol and --atol")


def times_of(until: float, samples: int | None) -> Any:
    if samples is None:
        return until
    if until == 0:
        raise usage("--samples: a run until 0 s has one time only; leave --samples out, or give another --until")
    return np.linspace(0.0, until, samples)


def events_of(laws: Sequence[str], directions: Sequence[int]) -> list[Event]:
    """Events that end the run; one direction may stand for all."""
    if len(directions) > len(laws) or len(directions) not in (0, 1, len(laws)):
        raise usage(f"--direction: {len(directions)} for {len(laws)} --event; give one for each, or one for all")
    twice = next((law for k, law in enumerate(laws) if law in laws[:k]), None)
    if twice is not None:
        raise usage(f"--event {twice}: it is given twice; once is enough, and --direction 0 takes both ways")
    every = list(directions) if len(directions) == len(laws) else [*directions, 0][:1] * len(laws)
    return [Event(law, way, terminal=True, name=law) for law, way in zip(laws, every, strict=True)]


def switches_of(engage: Sequence[str], release: Sequence[str]) -> list[Event]:
    """Events that switch constraints where a law crosses zero, either way."""
    engaging, releasing = (
        options.pairs(option, texts, str.partition) for option, texts in (("--engage", engage), ("--release", release))
    )
    return [
        *(Event(law, engage=name, name=f"engage {name}") for name, law in engaging.items()),
        *(Event(law, release=name, name=f"release {name}") for name, law in releasing.items()),
    ]
