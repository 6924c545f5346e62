"""``freebody derive``: a listing of the equations, and their operation counts."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from freebody import wings
from freebody.api import Equations, System
from freebody.cli import models, options
from freebody.cli.completion import one_of_names
from freebody.cli.info import operations
from freebody.cli.options import Debug, Json, Model, Physical, Quiet, one_of
from freebody.cli.output import CommandOutput, usage
from freebody.errors import ModelError
from freebody.formulations.table import FORMULATIONS, SPEEDS, solvers, speed_names
from freebody.quantities import listed

FIRST = "forward_dynamics"

Formulation = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        show_default=False,
        autocompletion=one_of_names(lambda: list(FORMULATIONS)),
        help=f"{'; '.join(f'{name}: {FORMULATIONS.about(name)}' for name in FORMULATIONS)}. Default: kane or aba,"
        " whichever has fewer operations.",
    ),
]
Solver = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        show_default=False,
        autocompletion=one_of_names(lambda: solvers),
        help="How the forces of constraints are computed: auto, sparse, tree, … (a wrong name lists them all).",
    ),
]
Small = Annotated[
    str, typer.Option(metavar="A,B,…", help="Names whose products are dropped: exact to first order in them.")
]
Speeds = Annotated[
    str,
    typer.Option(
        metavar="|".join(speed_names()),
        autocompletion=one_of_names(speed_names),
        help="; ".join(["standard: those of the joints", *(f"{n}: {SPEEDS.about(n)}" for n in SPEEDS)]) + ".",
    ),
]


def derive(
    model: Model,
    formulation: Formulation = None,
    solver: Solver = None,
    quantity: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            autocompletion=one_of_names(listed),
            help=f"What to derive (repeatable): {options.NAMES}. Default: {FIRST}.",
        ),
    ] = None,
    small: Small = "",
    speeds: Speeds = "standard",
    count: Annotated[bool, typer.Option("--count", help="Count operations only; no listing.")] = False,
    physical: Physical = True,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Derive the equations of motion: a listing and its operation counts.

    Example: freebody derive arm.yaml --quantity mass_matrix --count
    """
    with CommandOutput("derive", json, quiet, debug) as out:
        out.model = model
        names = [one_of("--quantity", n, listed()) for n in quantity or [FIRST]]
        require_choices(formulation, solver, speeds)
        system = models.load(model, physical)
        small_names = [n.strip() for n in small.split(",") if n.strip()]
        equations = derived(system, formulation, small_names, speeds=speeds, solver=solver)
        costs = {n: equations.operations[n] for n in names}
        quantities: dict[str, dict[str, Any]] = {n: {"operations": operations(cost)} for n, cost in costs.items()}
        choice = equations.derivation.choice
        if out.prints_text and choice and not count:
            out.text(f"# {choice}\n")
        for name in () if count else costs:  # each name once
            quantities[name]["listing"] = listing = equations.to_text(name)
            if out.prints_text:
                out.text(listing + "\n")
        out.add(system=system.name, formulation=choice, quantities=quantities)
        rows = [
            (
                name,
                *(str(n) for n in (c.total, c.mul, c.add, c.div)),
                ", ".join(f"{n} {f}" for f, n in sorted(c.calls.items())) or "–",
            )
            for name, c in costs.items()
        ]
        columns = ("quantity", "operations", "mul", "add", "div", "calls")
        out.table("Operations in one call", columns, rows, right="1234")


def require_choices(formulation: str | None, solver: str | None, speeds: str) -> None:
    """Refuse names of formulations, solvers and speeds that do not exist."""
    if formulation is not None:
        one_of("--formulation", formulation, [*FORMULATIONS], wings.note())
    if solver is not None:
        one_of("--solver", solver, solvers, wings.note())
    one_of("--speeds", speeds, speed_names(), wings.note())


def derived(system: System, formulation: str | None, small: Sequence[str], **options: Any) -> Equations:
    """The equations; a name that cannot be small is an error of the command line, not of the model."""
    equations = system.derive(formulation, **options)
    if not small:
        return equations
    try:
        return system.derive(formulation, small, **options)
    except ModelError as error:
        raise usage(f"--small: {error}") from error
