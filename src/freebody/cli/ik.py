"""``freebody ik``: coordinates at which bodies reach targets, by inverse kinematics."""

from typing import Annotated, Any

import typer

from freebody.cli import models, options
from freebody.cli.analysis_options import Time
from freebody.cli.options import Debug, Json, Model, Physical, Quiet
from freebody.cli.output import RUN, CommandOutput, Failure, library_call, usage
from freebody.cli.run_options import Parameter, Set
from freebody.names import Q
from freebody.rounding import rounded_together

SEARCH = "The search"

Hold = Annotated[
    list[str] | None,
    typer.Option(
        "--hold", metavar="NAME", rich_help_panel=SEARCH,
        help="A coordinate, or a body with all of its coordinates, that keeps its value (repeatable).",
    ),
]  # fmt: skip
Targets = Annotated[
    list[str],
    typer.Option(
        "--target", metavar="BODY=X,Y,Z[,QW,QX,QY,QZ]", show_default=False,
        help="Where the origin of a body should be, in the ground, and its quaternion (repeatable).",
    ),
]  # fmt: skip
Axes = Annotated[
    list[str] | None,
    typer.Option(
        "--axis", metavar="BODY.z=X,Y,Z", show_default=False,
        help="The direction in the ground of an axis (x, y or z) of a body (repeatable).",
    ),
]  # fmt: skip
Limits = Annotated[bool, typer.Option("--limits/--no-limits", help="Whether limits of joints are kept.")]
Restarts = Annotated[
    int,
    typer.Option("--restarts", metavar="NUMBER", min=0, rich_help_panel=SEARCH, help="Random starts, if it fails."),
]
Seed = Annotated[int, typer.Option("--seed", metavar="NUMBER", min=0, rich_help_panel=SEARCH, help="Of random starts.")]


def ik(
    model: Model,
    target: Targets = [],  # noqa: B006
    axis: Axes = None,
    set_: Set = None,
    parameter: Parameter = None,
    time: Time = 0.0,
    hold: Hold = None,
    limits: Limits = True,
    restarts: Restarts = 0,
    seed: Seed = 0,
    physical: Physical = True,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Find coordinates at which bodies reach targets: inverse kinematics, near the guess of --set.

    Example: freebody ik robot.urdf --target tool0=0.4,0.2,0.3 --axis tool0.z=0,0,-1 --set q.forearm_link=1.5

    If a target is not reached, the closest pose is shown, and the exit code is 1.
    """
    with CommandOutput("ik", json, quiet, debug) as out:
        out.model = model
        targets = _targets(target, axis or [])
        system = models.load(model, physical)
        equations = system.derive()
        initial = options.initial(equations, set_ or [])
        if initial["u"] or initial["z"]:
            raise usage("ik finds coordinates: --set takes coordinates, q.NAME=VALUE")
        values = options.parameters(parameter or [])
        with library_call() as warnings:
            result = equations.inverse_kinematics(
                targets,
                initial["q"],
                limits=limits,
                hold=hold or [],
                t=time,
                parameters=values,
                restarts=restarts,
                seed=seed,
            )
        residuals = {name: residual._asdict() for name, residual in result.residual.items()}
        out.add(system=system.name, digest=system.digest(), reason=result.reason, message=result.message)
        out.add(q=result.by_name, residual=residuals, limits=list(result.limits))
        out.add(singular=[str(lost) for lost in result.singular], warnings=warnings)
        out.line(f"{system.name}: {result.message}")
        out.line()
        unit = {n: u for b in equations.derivation.tree.model.bodies.values()
                for n, u in zip(b.names[0], b.freedoms.units[0], strict=True)}  # fmt: skip
        numbers = rounded_together(result.q.tolist())
        rows = [(Q(name), f"{x:.6g}", unit[name]) for name, x in zip(result.names, numbers, strict=True)]
        out.table("Coordinates", ("name", "value", "unit"), rows, right="1")
        out.warnings(warnings)
        if not result.converged:
            raise Failure(RUN, f"{system.name}: {result.message}. Give another --set, --restarts, or --no-limits")


def _targets(places: list[str], axes: list[str]) -> dict[str, Any]:
    """Targets by body."""
    targets: dict[str, dict[str, Any]] = {}
    for text, value in options.pairs("--target", places, str.rpartition).items():
        numbers = [options.number(part, f"--target {text}") for part in value.split(",")]
        if len(numbers) not in (3, 7):
            raise usage(f"--target {text}: give a position, x,y,z, or a pose, x,y,z,qw,qx,qy,qz, not {value}")
        targets[text] = {"position": numbers[:3]} | ({"rotation": numbers[3:]} if len(numbers) == 7 else {})
    for text, value in options.pairs("--axis", axes, str.rpartition).items():
        body, _, name = text.rpartition(".")
        numbers = [options.number(part, f"--axis {text}") for part in value.split(",")]
        if not body or name not in ("x", "y", "z") or len(numbers) != 3:
            raise usage(f"--axis {text}={value}: give an axis of a body and its direction, tool.z=0,0,-1")
        targets.setdefault(body, {}).setdefault("axis", {})[name] = numbers
    if not targets:
        raise usage("ik needs a target: --target BODY=X,Y,Z or --axis BODY.z=X,Y,Z")
    return targets
