"""``freebody simulate``: a run, its files, and its summary."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from freebody.api import Equations, Trajectory
from freebody.cli import models, options
from freebody.cli.options import Debug, Hold, Json, Model, Motors, Physical, Quiet, Stops
from freebody.cli.output import (
    INTERRUPTED,
    PICTURES,
    RUN,
    CommandOutput,
    Failure,
    library_call,
    require_writable,
    usage,
)
from freebody.cli.run_options import (
    DEFAULTS,
    FILES,
    Atol,
    Constraints,
    Direction,
    Engage,
    Input,
    Law,
    MaxSteps,
    Method,
    Parameter,
    Release,
    Rtol,
    Samples,
    Seed,
    Set,
    Step,
    Until,
    ZeroInputs,
    check_method,
    events_of,
    switches_of,
    times_of,
)
from freebody.errors import ArgumentError
from freebody.files import PAGES
from freebody.results.event_texts import event_effects
from freebody.results.run_rounding import RunRounding, account_texts
from freebody.results.work import UNKNOWN, account
from freebody.rounding import rounded

RUNS = (".nc", ".csv", ".parquet")

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

SUMMARY = ("q", "u", "z", "output")
"""Groups of variables in the table of the motion."""


def simulate(
    model: Model,
    until: Until = 10.0,
    samples: Samples = None,
    set_: Set = None,
    parameter: Parameter = None,
    input_: Input = None,
    zero_inputs: ZeroInputs = False,
    event: Law = None,
    direction: Direction = None,
    engage: Engage = None,
    release: Release = None,
    method: Method = DEFAULTS.method,
    rtol: Rtol = DEFAULTS.rtol,
    atol: Atol = DEFAULTS.atol,
    step: Step = None,
    max_steps: MaxSteps = None,
    constraints: Constraints = DEFAULTS.constraints,
    seed: Seed = None,
    save: Save = None,
    plot: Plot = None,
    show: Show = None,
    report: Report = None,
    motors: Motors = False,
    hold: Hold = None,
    stops: Stops = False,
    physical: Physical = True,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Simulate a model, and save, plot or report the run.

    Example: freebody simulate arm.yaml --until 5 --set q.upper=0.3 --input motor='2*sin(t)' --save run.nc

    A run that fails ends with exit code 1; what was computed until then is saved.
    """
    with CommandOutput("simulate", json, quiet, debug) as out:
        out.model = model
        check_method(method, step, constraints)
        pages = [report] if report else []
        for option, paths, suffixes in (("--save", save, RUNS), ("--plot", plot, PICTURES), ("--report", pages, PAGES)):
            for path in paths or []:
                require_writable(option, path, suffixes)
        if show and not plot:
            raise usage("--show says what --plot draws; give --plot PATH too")
        system = models.load(model, physical, motors, options.held(hold), stops)
        equations = derive_all(system.derive())
        settings: dict[str, Any] = {
            **options.initial(equations, set_ or []),
            "parameters": options.parameters(parameter or []),
            "inputs": options.inputs(input_ or [], system.free_inputs, zero_inputs, system.freeze().driving),
            "events": [*events_of(event or [], direction or []), *switches_of(engage or [], release or [])],
            "method": method,
            "rtol": rtol,
            "atol": atol,
            "step": step,
            "max_steps": max_steps,
            "constraints": constraints,
            "seed": seed,
            "progress": None if out.prints_text else False,
        }
        with library_call() as warnings:
            run = equations.simulate(times_of(until, samples), **settings)
        _summarise(out, run, warnings)
        out.write_files(_files(run, save or [], plot or [], show or [], pages))
        if not run.success:
            raise Failure(INTERRUPTED if run.status == -2 else RUN, f"{run.about.system}: {run.message}")


def derive_all(equations: Equations) -> Equations:
    """The equations with M, f and q̇ (of many bodies ẋ) derived, so that an error after this is not one of the model."""
    if equations.derivation.rolled:
        equations.program("state_dot")
    else:
        derivation = equations.derivation
        _ = derivation.mass, derivation.force, derivation.q_dot
    return equations


def _files(
    run: Trajectory, save: Sequence[Path], plot: Sequence[Path], show: Sequence[str], pages: Sequence[Path]
) -> Iterator[tuple[str, Path, Callable[[], object]]]:
    """What is written, by option, the files with numbers first."""
    for path in save:
        yield "--save", path, partial(run.save, path)
    if plot:
        os.environ.setdefault("MPLBACKEND", "Agg")
        try:
            names = [run.key(name) for name in show]
        except ArgumentError as error:
            raise usage(f"--show: {error}") from error
        for path in plot:
            yield "--plot", path, partial(run.plot, *names, path=path)
    for path in pages:
        yield "--report", path, partial(run.report, path)


def _summarise(out: CommandOutput, run: Trajectory, messages: Sequence[str]) -> None:
    """Tables of the motion, the energy and the cost of the run; warnings on standard error."""
    s, balance = run.statistics, run.energy_balance
    out.add(**_facts(run, messages))
    last = f"{run.t[-1]:g}" if len(run.t) else "–"
    out.line(f"{run.about.system}: {s.method} to t = {last} s, {run.message}")
    out.line()
    motion = []
    for name, x, unit, smallest in _columns(run, SUMMARY):
        numbers = (x[0], x[-1], np.min(x), np.max(x)) if len(x) else ()
        motion.append((name, *(f"{rounded(value, smallest):.6g}" for value in numbers), unit))
    out.table("Motion", ("name", "start", "end", "min", "max", "unit"), motion, right="1234")
    if len(run.events):
        effects = [", ".join(texts) for texts in event_effects(run)]
        events = [(f"{t:.9g}", name, text) for (t, name), text in zip(run.events, effects, strict=True)]
        out.table("Events", ("t", "event", "effect"), events, right="0")
    out.table("Energy from start to end", ("", "J"), account_texts(run), right="1")
    counts = {
        "steps": s.steps,
        "rejected": s.rejected,
        "evaluations": s.evaluations,
        "Jacobians": s.jacobians,
        "factorisations": s.factorisations,
        "projections": s.projections,
    }
    cost = [("saved times", str(len(run.t))), *((n, str(k)) for n, k in counts.items() if k or n == "steps")]
    energy = UNKNOWN if balance is None else balance.text(float(run.t[-1]))
    out.table("Run", ("", ""), [*cost, ("seconds", f"{s.seconds:.3g}"), ("energy error", energy)], right="1")
    out.warnings(messages)


def _columns(run: Trajectory, groups: Sequence[str]) -> Iterator[tuple[str, NDArray[np.float64], str, float]]:
    """Each number with its full name, values over time and unit, and the size below which they are rounding errors."""
    rounding = RunRounding(run)
    for v in run.about.variables:
        if v.group in groups:
            values = run[v.key].reshape(len(run.t), -1)
            for k, name in enumerate(v.columns):
                yield name, values[:, k], v.unit, rounding.limit(v, k if v.parts else None)


def _facts(run: Trajectory, messages: Sequence[str]) -> dict[str, Any]:
    """The run as JSON."""
    return {
        "system": run.about.system,
        "digest": run.about.digest,
        "status": run.status,
        "message": run.message,
        "t_start": run.t[0] if len(run.t) else None,
        "t_end": run.t[-1] if len(run.t) else None,
        "samples": len(run.t),
        "final": run.final,
        "outputs": {name: x[-1] for name, x, *_ in _columns(run, ("output",)) if len(x)},
        "energy_error": run.energy_error,
        "energy": dict(account(run)),
        "statistics": asdict(run.statistics),
        "events": [{"t": t, "name": name} for t, name in run.events],
        "parameters": dict(run.about.parameters),
        "inputs": dict(run.about.inputs),
        "warnings": list(messages),
    }
