"""``freebody simulate``: a run, its files, and its summary."""

import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from freebody.api import Equations, Trajectory
from freebody.cli import models, options
from freebody.cli.options import Debug, Json, Model, Quiet
from freebody.cli.output import INTERRUPTED, RUN, CommandOutput, Failure, require_writable, usage, write_file
from freebody.errors import ArgumentError, ExpressionError, SimulationWarning
from freebody.files import PAGES
from freebody.integrate.plant import Event
from freebody.results.event_texts import event_effects
from freebody.results.run_rounding import RunRounding, account_texts
from freebody.results.work import UNKNOWN, account
from freebody.rounding import rounded

RUNS = (".nc", ".csv", ".parquet")
PICTURES = (".png", ".svg", ".pdf")

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
        "--method", metavar="NAME", rich_help_panel=SOLVER,
        help="dop853 or dopri5 (adaptive), rk4 (with --step); for stiff systems radau, bdf, lsoda, cvode, ida.",
    ),
]  # fmt: skip
Rtol = Annotated[float, typer.Option("--rtol", metavar="X", rich_help_panel=SOLVER, help="Relative tolerance.")]
Atol = Annotated[float, typer.Option("--atol", metavar="X", rich_help_panel=SOLVER, help="Absolute tolerance.")]
Step = Annotated[
    float | None,
    typer.Option("--step", metavar="SECONDS", rich_help_panel=SOLVER, show_default=False, help="The step of rk4."),
]
Constraints = Annotated[
    str,
    typer.Option(
        "--constraints", metavar="NAME", rich_help_panel=SOLVER,
        help="How states stay on the constraints of closed loops: projection, baumgarte or none.",
    ),
]  # fmt: skip
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

SUMMARY = ("q", "u", "z", "output")
"""Groups of variables in the table of the motion."""


def simulate(
    model: Model, until: Until = 10.0, samples: Samples = None, set_: Set = None, parameter: Parameter = None,
    input_: Input = None, zero_inputs: ZeroInputs = False, event: Law = None, direction: Direction = None,
    engage: Engage = None, release: Release = None, method: Method = "dop853", rtol: Rtol = 1e-8, atol: Atol = 1e-10,
    step: Step = None, max_steps: MaxSteps = None,
    constraints: Constraints = "projection", save: Save = None, plot: Plot = None, show: Show = None,
    report: Report = None, json: Json = False, quiet: Quiet = False, debug: Debug = False,
) -> None:  # fmt: skip
    """Simulate a model, and save, plot or report the run.

    Example: freebody simulate arm.yaml --until 5 --set q.upper=0.3 --input motor='2*sin(t)' --save run.nc

    A run that fails ends with exit code 1; what was computed until then is saved.
    """
    with CommandOutput("simulate", json, quiet, debug) as out:
        out.model = model
        _check_method(method, step, constraints)
        pages = [report] if report else []
        for option, paths, suffixes in (("--save", save, RUNS), ("--plot", plot, PICTURES), ("--report", pages, PAGES)):
            for path in paths or []:
                require_writable(option, path, suffixes)
        if show and not plot:
            raise usage("--show says what --plot draws; give --plot PATH too")
        system = models.load(model)
        equations = derive_all(system.derive())
        settings = {
            **options.initial(equations, set_ or []), "parameters": options.parameters(parameter or []),
            "inputs": options.inputs(input_ or [], list(system.inputs), zero_inputs),
            "events": [*_events(event or [], direction or []), *_switches(engage or [], release or [])],
            "method": method, "rtol": rtol, "atol": atol,
            "step": step, "max_steps": max_steps, "constraints": constraints,
            "progress": None if out.talks else False,
        }  # fmt: skip
        run, messages = _simulate(equations, _times(until, samples), settings)
        _summarise(out, run, messages)
        _write_files(out, run, save or [], plot or [], show or [], pages)
        if not run.success:
            raise Failure(INTERRUPTED if run.status == -2 else RUN, f"{run.about.system}: {run.message}")


def _check_method(name: str, step: float | None, constraints: str) -> None:
    from freebody.integrate.steppers import METHODS
    from freebody.run.options import WAYS

    options.one_of("--method", name, list(METHODS))
    options.one_of("--constraints", constraints, list(WAYS))
    if name == "rk4" and step is None:
        raise usage("--method rk4 takes steps of one size: give --step SECONDS")
    if name != "rk4" and step is not None:
        raise usage(f"--step is for --method rk4; {name} chooses its steps by --rtol and --atol")


def derive_all(equations: Equations) -> Equations:
    """The equations with M, f and q̇ (of many bodies ẋ) derived, so that an error after this is not one of the model."""
    if equations.derivation.rolled:
        equations.program("state_dot")
    else:
        derivation = equations.derivation
        _ = derivation.mass, derivation.force, derivation.q_dot
    return equations


def _times(until: float, samples: int | None) -> Any:
    if samples is None:
        return until
    if until == 0:
        raise usage("--samples: a run until 0 s has one time only; leave --samples out, or give another --until")
    return np.linspace(0.0, until, samples)


def _events(laws: Sequence[str], directions: Sequence[int]) -> list[Event]:
    """Events that end the run; one direction may stand for all."""
    if len(directions) > len(laws) or len(directions) not in (0, 1, len(laws)):
        raise usage(f"--direction: {len(directions)} for {len(laws)} --event; give one for each, or one for all")
    twice = next((law for k, law in enumerate(laws) if law in laws[:k]), None)
    if twice is not None:
        raise usage(f"--event {twice}: it is given twice; once is enough, and --direction 0 takes both ways")
    every = list(directions) if len(directions) == len(laws) else [*directions, 0][:1] * len(laws)
    return [Event(law, way, terminal=True, name=law) for law, way in zip(laws, every, strict=True)]


def _switches(engage: Sequence[str], release: Sequence[str]) -> list[Event]:
    """Events that switch constraints where a law crosses zero, either way."""
    engaging, releasing = (options.pairs(option, texts, str.partition)
                           for option, texts in (("--engage", engage), ("--release", release)))  # fmt: skip
    return [
        *(Event(law, engage=name, name=f"engage {name}") for name, law in engaging.items()),
        *(Event(law, release=name, name=f"release {name}") for name, law in releasing.items()),
    ]


def _simulate(equations: Equations, times: Any, options: Mapping[str, Any]) -> tuple[Trajectory, list[str]]:
    """The run, and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            run = equations.simulate(times, **options)
        except (ArgumentError, ExpressionError) as error:
            raise usage(str(error)) from error
    messages = dict.fromkeys(str(w.message) for w in caught if issubclass(w.category, SimulationWarning))
    return run, [text for text in messages if not text.endswith(run.message)]


def _write_files(
    out: CommandOutput, run: Trajectory, save: Sequence[Path], plot: Sequence[Path], show: Sequence[str],
    pages: Sequence[Path],
) -> None:  # fmt: skip
    """One file after the other, those with the numbers first."""
    written: list[str] = []

    def write(option: str, path: Path, action: Callable[[], object]) -> None:
        write_file(option, path, action)
        written.append(str(path))
        out.add(files=list(written))

    for path in save:
        write("--save", path, partial(run.save, path))
    if plot:
        os.environ.setdefault("MPLBACKEND", "Agg")
        try:
            names = [run.key(name) for name in show]
        except ArgumentError as error:
            raise usage(f"--show: {error}") from error
        for path in plot:
            write("--plot", path, partial(run.plot, *names, path=path))
    for path in pages:
        write("--report", path, partial(run.report, path))
    if written:
        out.note(f"written: {', '.join(written)}")


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
        "steps": s.steps, "rejected": s.rejected, "evaluations": s.evaluations, "Jacobians": s.jacobians,
        "factorisations": s.factorisations, "projections": s.projections,
    }  # fmt: skip
    cost = [("saved times", str(len(run.t))), *((n, str(k)) for n, k in counts.items() if k or n == "steps")]
    energy = UNKNOWN if balance is None else balance.text(float(run.t[-1]))
    out.table("Run", ("", ""), [*cost, ("seconds", f"{s.seconds:.3g}"), ("energy error", energy)], right="1")
    for text in messages:
        out.warning(text)


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
        "system": run.about.system, "digest": run.about.digest, "status": run.status, "message": run.message,
        "t_start": run.t[0] if len(run.t) else None, "t_end": run.t[-1] if len(run.t) else None, "samples": len(run.t),
        "final": run.final,
        "outputs": {name: x[-1] for name, x, *_ in _columns(run, ("output",)) if len(x)},
        "energy_error": run.energy_error, "energy": dict(account(run)), "statistics": asdict(run.statistics),
        "events": [{"t": t, "name": name} for t, name in run.events],
        "parameters": dict(run.about.parameters), "inputs": dict(run.about.inputs),
        "warnings": list(messages), "files": [],
    }  # fmt: skip
