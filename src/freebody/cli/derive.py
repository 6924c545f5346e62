"""``freebody derive``: equations to read, and what they cost."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from freebody.api import Equations, System
from freebody.api.system import FORMULATIONS
from freebody.cli import models, options
from freebody.cli.failure import usage
from freebody.cli.given import one_of
from freebody.cli.info import operations
from freebody.cli.options import Debug, Json, Model, Quiet
from freebody.cli.output import Output
from freebody.errors import ModelError
from freebody.program.count import Operations
from freebody.quantities import listed

SPEEDS = ("standard", "mass-centre")
FIRST = "forward_dynamics"


def derive(
    model: Model,
    formulation: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(FORMULATIONS), show_default=False,
            help="kane: fewest operations, the default for up to 50 bodies; aba: loops, the default for more; sayers:"
            " the paper's own way.",
        ),
    ] = None,
    quantity: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help=f"What to derive (repeatable): {options.NAMES}. Default: {FIRST}."),
    ] = None,
    small: Annotated[
        str, typer.Option(metavar="A,B,…", help="Names whose products are dropped: exact to first order in them.")
    ] = "",
    speeds: Annotated[
        str, typer.Option(metavar="|".join(SPEEDS), help="Which speeds: the joints', or Sayers' of mass centres.")
    ] = "standard",
    count: Annotated[bool, typer.Option("--count", help="Count operations only; no listing.")] = False,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Derive the equations of motion: a listing to read, and what it costs.

    Example: freebody derive arm.yaml --quantity mass_matrix --count
    """
    with Output("derive", json, quiet, debug) as out:
        out.model = model
        names = [one_of("--quantity", n, listed()) for n in quantity or [FIRST]]
        if formulation is not None:
            one_of("--formulation", formulation, FORMULATIONS)
        one_of("--speeds", speeds, SPEEDS)
        system = models.load(model)
        equations = derived(system, formulation, [n.strip() for n in small.split(",") if n.strip()], speeds)
        _show(out, equations, names, count)


def derived(system: System, formulation: str | None, small: Sequence[str], speeds: str) -> Equations:
    """The equations; a name that cannot be small is the command line's mistake, not the model's."""
    chosen: Any = speeds
    made = system.derive(formulation, speeds=chosen)
    if not small:
        return made
    try:
        return system.derive(formulation, small, chosen)
    except ModelError as error:
        raise usage(f"--small: {error}") from error


def _show(out: Output, equations: Equations, names: Sequence[str], count: bool) -> None:
    found: dict[str, dict[str, Any]] = {}
    costs = {n: equations.operations[n] for n in names}
    for name, cost in costs.items():
        found[name] = {"operations": operations(cost)}
        if not count:
            found[name]["listing"] = equations.to_text(name)
            if out.talks:
                out.text(found[name]["listing"] + "\n")
    out.tell(system=equations.derivation.forest.model.name, quantities=found)
    columns = ("quantity", "operations", "mul", "add", "div", "calls")
    out.table("Operations in one call", columns, [_row(n, c) for n, c in costs.items()], right="1234")


def _row(name: str, cost: Operations) -> tuple[str, ...]:
    calls = ", ".join(f"{n} {f}" for f, n in sorted(cost.calls.items()))
    return (name, *(str(n) for n in (cost.total, cost.mul, cost.add, cost.div)), calls or "–")
