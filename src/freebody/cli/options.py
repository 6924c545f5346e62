"""Options that several commands share."""

from typing import Annotated

import typer

from freebody.quantities import listed

Model = Annotated[
    str,
    typer.Argument(
        metavar="MODEL", show_default=False,
        help="A .yaml or .urdf file (robot.urdf:floating for one whose root moves freely), or a Python file that holds"
        " a System: model.py, or model.py:name for one variable or function of it. (A Python file is run.)",
    ),
]  # fmt: skip
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, and nothing else, to standard output.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only (and what --json or export print).")]
Debug = Annotated[bool, typer.Option("--debug", help="Show the Python traceback of an error.")]

NAMES = ", ".join(listed())
"""The quantities, for help texts."""
