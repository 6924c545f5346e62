"""``freebody equilibrium``: states where nothing changes, and steady motions, with their stability."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Annotated, Any

import typer

from freebody.api import Equations
from freebody.cli import analysis_options, models, options
from freebody.cli.analysis_options import SEARCH, Free, FreeMotion, Hold, InputValue, Rate, Time
from freebody.cli.options import Debug, Json, Model, Physical, Quiet
from freebody.cli.output import RUN, CommandOutput, Failure, library_call, usage
from freebody.cli.run_options import Parameter, Set
from freebody.rounding import rounded_together

if TYPE_CHECKING:
    from freebody.analysis.equilibrium import Equilibrium

Starts = Annotated[
    int | None,
    typer.Option(
        "--starts", metavar="NUMBER", min=1, rich_help_panel=SEARCH, show_default=False,
        help="Search from so many guesses, first that of --set, then random ones, and show all that are found.",
    ),
]  # fmt: skip
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed", metavar="NUMBER", min=0, rich_help_panel=SEARCH, show_default="0", help="Of the random guesses."
    ),
]


def equilibrium(
    model: Model,
    set_: Set = None,
    parameter: Parameter = None,
    input_: InputValue = None,
    time: Time = 0.0,
    hold: Hold = None,
    free: Free = None,
    free_motion: FreeMotion = None,
    rate: Rate = None,
    starts: Starts = None,
    seed: Seed = None,
    physical: Physical = True,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Find an equilibrium, or a steady motion at given speeds, and its stability.

    Examples: freebody equilibrium arm.yaml --set q.upper=0.1   ·   freebody equilibrium arm.yaml --starts 30

    A search that finds no equilibrium ends with exit code 1.
    """
    with CommandOutput("equilibrium", json, quiet, debug) as out:
        out.model = model
        if seed is not None and starts is None:
            raise usage("--seed is for random guesses: add --starts NUMBER")
        system = models.load(model, physical)
        equations = system.derive()
        guess: dict[str, Any] = {
            **options.initial(equations, set_ or []),
            "parameters": options.parameters(parameter or []),
            "inputs": analysis_options.input_values(input_ or [], list(system.inputs)),
            "t": time,
            "hold": hold or [],
            "free": free or [],
            "free_motion": free_motion or [],
            "rates": analysis_options.rates(rate or []),
        }
        with library_call() as warnings:
            if starts is None:
                found = [equations.equilibrium(**guess)]
            else:
                found = equations.equilibria(**guess, starts=starts, seed=seed or 0)
        changed = {*guess["parameters"], *guess["free"]}
        out.add(system=system.name, digest=system.digest(), equilibria=[_facts(one) for one in found])
        out.add(warnings=warnings)
        for k, one in enumerate(found, 1):
            _show(out, one, f"{system.name}{f', {k} of {len(found)}' if len(found) > 1 else ''}", equations, changed)
        out.warnings(warnings)
        if not found:
            raise Failure(
                RUN,
                f"{system.name}: no equilibrium was found from {starts} guesses. Give another --set or more"
                " --starts, or name what may be changed, --free …",
            )


def _show(
    out: CommandOutput, found: "Equilibrium", title: str, equations: Equations, parameters: Collection[str]
) -> None:
    """Tables of the state, of what holds it, and of its eigenvalues. ``parameters`` names those that are shown."""
    from freebody.analysis.linear import eigenvalue_text

    what = "steady motion" if found.rates else "equilibrium"
    family = "" if found.isolated else ", one of a family"
    out.line(f"{title}: {what}{family}, {found.stability}")
    out.line()
    graph = equations.derivation.graph
    rows = [(name, f"{value:.6g}", found.units[name]) for name, value in found.shown.items()]
    rows += [(n, f"{v:.6g}", graph.symbol_named(n).unit) for n, v in found.parameters.items() if n in parameters]
    rows += [(f"rate of q.{name}", f"{value:.6g}", "") for name, value in found.rates.items()]
    multipliers = zip(found.multipliers, rounded_together([*found.multipliers.values()]), strict=True)
    rows += [(f"multiplier.{name}", f"{value:.6g}", "") for name, value in multipliers]
    for name, output in found.outputs.items():
        numbers = [output] if isinstance(output, float) else rounded_together(output.tolist())
        rows.append((f"output.{name}", ", ".join(f"{x:.6g}" for x in numbers), ""))
    out.table("Values", ("name", "value", "unit"), rows, right="1")
    parts = rounded_together([*found.eigenvalues.real, *found.eigenvalues.imag])
    eigenvalues = map(complex, parts[: len(parts) // 2], parts[len(parts) // 2 :])
    upper = sorted((x for x in eigenvalues if x.imag >= 0), key=abs)
    out.table("Stability", ("eigenvalue, 1/s",), [(eigenvalue_text(x),) for x in upper], right="0")
    out.line(f"Largest force or rate that remains: {found.residual:.3g}")


def _facts(found: "Equilibrium") -> dict[str, Any]:
    """An equilibrium as JSON."""
    return {
        "stability": found.stability,
        "isolated": found.isolated,
        "residual": found.residual,
        "q": found.q,
        "u": found.u,
        "z": found.z,
        "inputs": found.inputs,
        "tau": found.tau,
        "parameters": found.parameters,
        "multipliers": found.multipliers,
        "rates": found.rates,
        "outputs": found.outputs,
        "eigenvalues": found.eigenvalues,
    }
