"""Commands for readers of the papers: ``freebody tables``, Sayers' tables of a model."""

from typing import Annotated

import typer

from freebody.cli import models
from freebody.cli.completion import one_of_names
from freebody.cli.derive import derived
from freebody.cli.options import Debug, Json, Model, Physical, Quiet, one_of
from freebody.cli.output import CommandOutput
from freebody.formulations.entries import STANDARD
from freebody.formulations.table import speed_names


def tables(
    model: Model,
    speeds: Annotated[
        str,
        typer.Option(
            metavar="|".join(speed_names()),
            autocompletion=one_of_names(speed_names),
            help="The speeds in which the kinematics are written.",
        ),
    ] = STANDARD,
    physical: Physical = True,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Print the tables of Sayers (1991): bodies, joints, and the terms of their kinematics.

    Example: freebody tables arm.yaml --speeds mass-centre
    """
    with CommandOutput("tables", json, quiet, debug) as out:
        out.model = model
        one_of("--speeds", speeds, speed_names())
        system = models.load(model, physical)
        text = derived(system, "sayers", (), speeds=speeds).tables()
        out.add(system=system.name, speeds=speeds, tables=text)
        if out.prints_text:
            out.text(text)
