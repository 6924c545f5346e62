"""The options of ``freebody simulate``."""

from pathlib import Path
from typing import Annotated

import typer

RUNS = (".nc", ".csv", ".parquet")
PICTURES = (".png", ".svg", ".pdf")
PAGES = (".html", ".htm")

START, DRIVE, SOLVER, FILES = "The start", "What acts", "The integrator", "Files"

Until = Annotated[float, typer.Option("--until", "-t", metavar="SECONDS", help="When the run ends.")]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set", "-s", metavar="NAME=VALUE", rich_help_panel=START,
        help="An initial value (repeatable): q.arm=0.3, u.arm=pi/2, a state by its name; q.ball=1,0,0,0 sets all"
        " coordinates of a body.",
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
Method = Annotated[
    str,
    typer.Option(
        "--method", metavar="NAME", rich_help_panel=SOLVER,
        help="dop853 or dopri5 (adaptive), rk4 (with --step); for stiff systems radau, bdf, lsoda, cvode.",
    ),
]  # fmt: skip
Rtol = Annotated[float, typer.Option("--rtol", metavar="X", rich_help_panel=SOLVER, help="Relative tolerance.")]
Atol = Annotated[float, typer.Option("--atol", metavar="X", rich_help_panel=SOLVER, help="Absolute tolerance.")]
Step = Annotated[
    float | None,
    typer.Option("--step", metavar="SECONDS", rich_help_panel=SOLVER, show_default=False, help="The step of rk4."),
]
MaxSteps = Annotated[
    int | None,
    typer.Option(
        "--max-steps", metavar="N", min=1, rich_help_panel=SOLVER, show_default=False,
        help="End a run that takes more steps.",
    ),
]  # fmt: skip
Samples = Annotated[
    int | None,
    typer.Option(
        "--samples", "-n", metavar="N", min=2, show_default="1001", help="How many times to save, evenly spaced."
    ),
]
Save = Annotated[
    list[Path] | None,
    typer.Option(
        "--save", "-o", metavar="PATH", rich_help_panel=FILES,
        help=f"Save the run (repeatable), by the name's ending: {', '.join(RUNS)}.",
    ),
]  # fmt: skip
Plot = Annotated[
    list[Path] | None,
    typer.Option(
        "--plot", metavar="PATH", rich_help_panel=FILES, help=f"Draw the run (repeatable): {', '.join(PICTURES)}."
    ),
]
Show = Annotated[
    list[str] | None,
    typer.Option(
        "--show", metavar="NAME", rich_help_panel=FILES,
        help="What --plot draws (repeatable), as the columns are called: q.arm, energy.total. Default: the motion.",
    ),
]  # fmt: skip
Report = Annotated[
    Path | None,
    typer.Option(
        "--report", metavar="PATH", rich_help_panel=FILES, show_default=False,
        help="Write a page about the model and the run: .html.",
    ),
]  # fmt: skip
