"""``freebody linearize``: A, B, C and D near a point."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from freebody.analysis.linear_files import SUFFIXES
from freebody.api import Equations
from freebody.cli import analysis_options, models, options
from freebody.cli.analysis_options import Free, FreeMotion, Hold, InputValue, Rate, Time, Trim
from freebody.cli.options import Debug, Json, Model, Physical, Quiet
from freebody.cli.output import CommandOutput, library_call, require_writable
from freebody.cli.run_options import FILES, Parameter, Set
from freebody.names import U
from freebody.rounding import rounded_by_unit, rounded_together
from freebody.tables import counted

if TYPE_CHECKING:
    from freebody.analysis.linear import Linear

LINEAR = "The linear system"
REST = 1e-12
"""Speeds up to this are 0 but for rounding."""
WIDEST = 12
"""Columns of a matrix that is printed."""

Actuator = Annotated[
    list[str] | None,
    typer.Option(
        "--actuator", metavar="NAME", rich_help_panel=LINEAR,
        help="A column of B (repeatable): an input, a generalised force tau.arm, or tau for all of them. Default: all"
        " inputs; without inputs all generalised forces.",
    ),
]  # fmt: skip
Output = Annotated[
    list[str] | None,
    typer.Option(
        "--output", metavar="NAME", rich_help_panel=LINEAR,
        help="A row of C (repeatable): an output of the model, or an expression. Default: all outputs; without outputs"
        " all states.",
    ),
]  # fmt: skip
Independent = Annotated[
    list[str] | None,
    typer.Option(
        "--independent", metavar="NAME", rich_help_panel=LINEAR,
        help="A coordinate or speed that is one of the independent states of a model with constraints (repeatable).",
    ),
]  # fmt: skip
AllStates = Annotated[
    bool,
    typer.Option(
        "--all-states", rich_help_panel=LINEAR,
        help="Take x = [q, u, z] itself as the state, instead of as few states as describe the motion.",
    ),
]  # fmt: skip
Save = Annotated[
    list[Path] | None,
    typer.Option(
        "--save", "-o", metavar="PATH", rich_help_panel=FILES,
        help=f"Save the matrices and names (repeatable), by the name's ending: {', '.join(SUFFIXES)}.",
    ),
]  # fmt: skip


def linearize(
    model: Model,
    set_: Set = None,
    parameter: Parameter = None,
    input_: InputValue = None,
    time: Time = 0.0,
    trim: Trim = False,
    hold: Hold = None,
    free: Free = None,
    free_motion: FreeMotion = None,
    rate: Rate = None,
    actuator: Actuator = None,
    output: Output = None,
    independent: Independent = None,
    all_states: AllStates = False,
    save: Save = None,
    physical: Physical = True,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Linearise a model near a point: ẋ = A x + B w, y = C x + D w.

    Example: freebody linearize arm.yaml --set q.upper=0.1 --trim --save arm.mat
    """
    with CommandOutput("linearize", json, quiet, debug) as out:
        out.model = model
        for path in save or []:
            require_writable("--save", path, SUFFIXES)
        system = models.load(model, physical)
        equations = system.derive()
        linear, warnings = linearised(
            equations,
            set_,
            parameter,
            input_,
            time,
            trim=trim,
            hold=hold or [],
            free=free or [],
            free_motion=free_motion or [],
            rates=analysis_options.rates(rate or []),
            inputs=actuator,
            outputs=output,
            independent=independent or [],
            minimal=not all_states,
        )
        out.add(system=system.name, digest=system.digest(), **point_facts(linear), **_facts(linear))
        out.add(warnings=warnings)
        _show(out, system.name, linear, equations)
        out.warnings(warnings)
        out.write_files([("--save", path, partial(linear.save, path)) for path in save or []])


def linearised(
    equations: Equations,
    set_: list[str] | None,
    parameter: list[str] | None,
    inputs_at: list[str] | None,
    t: float,
    **settings: Any,
) -> "tuple[Linear, list[str]]":
    """The linear system near the point that options describe, and the texts of warnings."""
    at = analysis_options.point(equations, set_ or [], inputs_at or [], t)
    parameters = options.parameters(parameter or [])
    with library_call() as warnings:
        linear = equations.linearize(at=at, parameters=parameters, **settings)
    return linear, warnings


def _show(out: CommandOutput, name: str, linear: "Linear", equations: Equations) -> None:
    """The point, and the matrices with the names of their rows and columns."""
    named = ("state", linear.states), ("input", linear.inputs), ("output", linear.outputs)
    out.line(f"{name}: {', '.join(counted(len(names), what) for what, names in named)}, near {point_text(linear)}")
    out.line(f"Stability: {linear.stability}")
    out.line()
    units = {n: equations.derivation.graph.symbol_named(n).unit for n in linear.at}
    rows = [(n, f"{value:.6g}", units[n]) for n, value in rounded_by_unit(linear.at, units).items()]
    out.table("Point", ("name", "value", "unit"), rows, right="1")
    rates = [f"d/dt {state}" for state in linear.states]
    _matrix(out, "A", rates, linear.states, linear.A)
    _matrix(out, "B", rates, linear.inputs, linear.B)
    _matrix(out, "C", linear.outputs, linear.states, linear.C)
    _matrix(out, "D", linear.outputs, linear.inputs, linear.D)
    if linear.dependent:
        _matrix(out, "Dependent coordinates and speeds", linear.dependent, linear.states, linear.dependence)


def point_text(linear: "Linear") -> str:
    """What the point is."""
    if linear.largest_rate is not None:
        return "a point that is not an equilibrium"
    moves = any(abs(value) > REST for name, value in linear.at.items() if U.holds(name))
    return "a steady motion" if moves else "an equilibrium"


def _matrix(
    out: CommandOutput, title: str, rows: Sequence[str], columns: Sequence[str], matrix: NDArray[np.float64]
) -> None:
    """A matrix with the names of its rows and columns."""
    if not matrix.size:
        return
    if len(columns) > WIDEST:
        out.line(f"{title}: {len(rows)} × {len(columns)} numbers; --save and --json have them")
        out.line()
        return
    texts = [
        (name, *(f"{x:.5g}" for x in rounded_together(row.tolist()))) for name, row in zip(rows, matrix, strict=True)
    ]
    out.table(title, ("", *columns), texts, right=range(1, len(columns) + 1))


def point_facts(linear: "Linear") -> dict[str, Any]:
    """The point and the stability there as JSON."""
    rate = linear.largest_rate
    return {"at": linear.at, "largest_rate": rate and asdict(rate), "stability": linear.stability}


def _facts(linear: "Linear") -> dict[str, Any]:
    """A linear system as JSON."""
    names = {"states": linear.states, "inputs": linear.inputs, "outputs": linear.outputs}
    matrices = {"A": linear.A, "B": linear.B, "C": linear.C, "D": linear.D}
    rest = {"rate": linear.rate, "dependent": linear.dependent, "dependence": linear.dependence}
    return {**names, **matrices, **rest}
