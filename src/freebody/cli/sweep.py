"""``freebody sweep``: many runs over initial values, parameters and inputs."""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from freebody import files
from freebody.api import Equations
from freebody.cli import models, options
from freebody.cli.options import Debug, Json, Model, Physical, Quiet
from freebody.cli.output import (
    INTERRUPTED,
    PICTURES,
    RUN,
    CommandOutput,
    Failure,
    library_call,
    require_writable,
    usage,
    write_file,
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
from freebody.cli.simulate import derive_all
from freebody.model.sampled.base import SEED
from freebody.names import ENGAGED
from freebody.rounding import rounded_by_unit
from freebody.tables import counted

if TYPE_CHECKING:
    import xarray

    from freebody.viewer.sweep_values import SweepValues

CASES, PLOT = "The cases", "The plot"
DATASETS = (".nc",)
MOST = 1_000_000
"""Cases of a sweep."""
ENDED = {0: "time", 1: "event", -1: "failure", -2: "Ctrl-C"}
ROWS, COLUMNS = 20, 8
"""Cases, and values of each, that are printed."""

Over = Annotated[
    list[str] | None,
    typer.Option(
        "--over", metavar="NAME=VALUES", rich_help_panel=CASES,
        help="What varies (repeatable): an initial value, a parameter, an input or engaged.‹constraint›; with values"
        " start:stop:count, evenly spaced, or a list: q.arm=0:pi:11, m=1,2,5.",
    ),
]  # fmt: skip
Zip = Annotated[
    bool,
    typer.Option(
        "--zip", rich_help_panel=CASES,
        help="Take the first values of all --over, then the second ones, …, instead of all combinations.",
    ),
]  # fmt: skip
Record = Annotated[
    list[str] | None,
    typer.Option(
        "--record", metavar="NAME", rich_help_panel=CASES,
        help="A variable or a group of them, such as energy, to be recorded beside the states (repeatable). Default:"
        " the outputs.",
    ),
]  # fmt: skip
Store = Annotated[
    Path | None,
    typer.Option(
        "--store", metavar="FOLDER", rich_help_panel=CASES, show_default=False,
        help="Store finished chunks of cases here; the same sweep continues from them.",
    ),
]  # fmt: skip
Chunk = Annotated[
    int | None,
    typer.Option(
        "--chunk", metavar="N", min=1, rich_help_panel=CASES, show_default="1024",
        help="How many cases are computed together, on all cores.",
    ),
]  # fmt: skip
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="ADDRESS", rich_help_panel=CASES, show_default=False,
        help="Run the chunks on the workers of this Dask scheduler.",
    ),
]  # fmt: skip
Save = Annotated[
    list[Path] | None,
    typer.Option(
        "--save", "-o", metavar="PATH", rich_help_panel=FILES, help="Save all cases as a NetCDF file: .nc (repeatable)."
    ),
]
Plot = Annotated[
    list[Path] | None,
    typer.Option(
        "--plot", metavar="PATH", rich_help_panel=FILES, help=f"Draw the cases (repeatable): {', '.join(PICTURES)}."
    ),
]
Show = Annotated[
    list[str] | None,
    typer.Option(
        "--show", metavar="NAME", rich_help_panel=PLOT,
        help="What --plot draws (repeatable). Default: coordinates and what is recorded.",
    ),
]  # fmt: skip
Against = Annotated[
    list[str] | None,
    typer.Option(
        "--against", metavar="NAME", rich_help_panel=PLOT,
        help="Draw a value of each case over this swept value or variable, instead of over time; two for a map.",
    ),
]  # fmt: skip
At = Annotated[
    str | None,
    typer.Option(
        "--at", metavar="end|max|min|mean|SECONDS", rich_help_panel=PLOT, show_default="end",
        help="Which value of each case --against draws.",
    ),
]  # fmt: skip
Color = Annotated[
    str | None,
    typer.Option(
        "--color", metavar="NAME", rich_help_panel=PLOT, show_default=False,
        help="What colours a line for each case: a swept value, a variable, or status.",
    ),
]  # fmt: skip


def sweep(
    model: Model,
    over: Over = None,
    zip_: Zip = False,
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
    record: Record = None,
    chunk: Chunk = None,
    store: Store = None,
    cluster: Cluster = None,
    save: Save = None,
    plot: Plot = None,
    show: Show = None,
    against: Against = None,
    at: At = None,
    color: Color = None,
    physical: Physical = True,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Simulate a model many times over initial values, parameters and inputs.

    Example: freebody sweep arm.yaml --over q.upper=-1:1:21 --over m=1,2,5 --until 5 --save sweep.nc --plot sweep.png

    All cases are computed at once on all cores. If cases fail, the exit code is 1; after Ctrl-C those that are finished
    are kept.
    """
    with CommandOutput("sweep", json, quiet, debug) as out:
        out.model = model
        check_method(method, step, constraints)
        for option, paths, suffixes in (("--save", save, DATASETS), ("--plot", plot, PICTURES)):
            for path in paths or []:
                require_writable(option, path, suffixes)
        drawn = {"--show": show, "--against": against, "--at": at, "--color": color}
        if not plot and (unused := [name for name, given in drawn.items() if given]):
            raise usage(f"{unused[0]} is about what --plot draws; give --plot PATH too")
        system = models.load(model, physical)
        equations = derive_all(system.derive())
        values = varied(equations, over or [], zip_)
        both = [n for n in options.pairs("--input", input_ or [], str.partition) if n in values]
        if both:
            raise usage(f"--input {both[0]}: it varies; remove --input {both[0]}, or --over {both[0]}")
        inputs = options.inputs(
            input_ or [], [n for n in system.free_inputs if n not in values], zero_inputs, system.freeze().driving
        )
        settings: dict[str, Any] = {
            **options.initial(equations, set_ or []),
            "parameters": options.parameters(parameter or []),
            "inputs": inputs,
            "events": [*events_of(event or [], direction or []), *switches_of(engage or [], release or [])],
            "method": method,
            "rtol": rtol,
            "atol": atol,
            "step": step,
            "max_steps": max_steps,
            "constraints": constraints,
            "seed": seed,
            "record": record,
            "chunk": chunk,
            "store": store,
            "cluster": cluster,
            "progress": None if out.prints_text else False,
        }
        if store is not None:
            write_file("--store", store, partial(files.folder, store))
        with library_call() as warnings:
            dataset = equations.sweep(times_of(until, samples), values, not zip_, **settings)
        _finish(out, dataset, values, not zip_, warnings)
        plots = _plots(dataset, plot or [], show or [], against or [], at, color)
        out.write_files([*(("--save", path, partial(_save, dataset, path)) for path in save or []), *plots])
        _require_success(dataset)


def varied(equations: Equations, texts: Sequence[str], side_by_side: bool) -> dict[str, list[float]]:
    """``--over q.arm=0:1:11``: the values of each name, full names for states."""
    if not texts:
        raise usage("--over: name at least one value that varies, such as --over q.arm=0:1:11 or --over m=1,2,5")
    layout = equations.derivation.layout
    known = {"q": layout.q, "u": layout.u, "z": layout.z}
    others = [*layout.parameters, *layout.user_inputs, *(n for n in layout.held if ENGAGED.holds(n))]
    others += ["seed"] if SEED in layout.held else []
    values: dict[str, list[float]] = {}
    for text, row in options.pairs("--over", texts, str.partition).items():
        name = text if text in others else ".".join(options.state_name("--over", text, known, others))
        if name in values:
            raise usage(f"--over: '{name}' is given twice")
        values[name] = _row(row, f"--over {text}")
    cases = 1 if side_by_side else int(np.prod([float(len(row)) for row in values.values()]))
    if cases > MOST:
        raise usage(f"--over: these are {cases} cases; a sweep has at most {MOST}. Take fewer values, or --zip")
    return values


def _row(text: str, context: str) -> list[float]:
    """The values of start:stop:count, or of a list."""
    if ":" not in text:
        return [options.number(part.strip(), context) for part in text.split(",")]
    parts = text.split(":")
    if len(parts) != 3 or "," in text:
        raise usage(f"{context}: '{text}' is neither start:stop:count, such as 0:1:11, nor a list, such as 0,0.5,1")
    start, stop, count = (options.number(part.strip(), context) for part in parts)
    if not (count.is_integer() and 2 <= count <= MOST):
        raise usage(f"{context}: the count of start:stop:count is an integer from 2 to {MOST}, not {parts[2].strip()}")
    return [float(x) for x in np.linspace(start, stop, int(count))]


# Results


def _finish(
    out: CommandOutput, dataset: "xarray.Dataset", values: dict[str, list[float]], grid: bool, warnings: list[str]
) -> None:
    """Facts and tables of the cases; warnings."""
    from freebody.viewer.sweep_values import STATUS, SweepValues

    sweep = SweepValues(dataset)
    ends = {curve.label: sweep.reduce(curve, "end") for curve in sweep.curves([*_variables(dataset)])}
    counts = {how: int(np.sum(sweep.status == status)) for status, how in STATUS.items()}
    out.add(
        system=sweep.system,
        digest=str(dataset.attrs["digest"]),
        over=values,
        grid=grid,
        cases=sweep.count,
        counts=counts,
        status=sweep.status,
        message=dataset["message"].values.ravel(),
        t_end=sweep.last_times,
        final={name: end.values for name, end in ends.items()},
        warnings=warnings,
    )
    ended = ", ".join(f"{n} {how}" for how, n in counts.items() if n)
    shape = " × ".join(f"{len(row)}" for row in values.values()) + " = " if grid and len(values) > 1 else ""
    out.line(f"{sweep.system}: {shape}{counted(sweep.count, 'case')} to t = {sweep.t[-1]:g} s; {ended}")
    out.line()
    _table(out, sweep, {name: (end.unit, end.values) for name, end in ends.items()})
    out.warnings(warnings)


def _variables(dataset: "xarray.Dataset") -> list[str]:
    """The variables over time."""
    return [str(key) for key, v in dataset.data_vars.items() if "time" in v.dims]


def _table(out: CommandOutput, sweep: "SweepValues", ends: dict[str, tuple[str, Any]]) -> None:
    """The first cases with their last values."""
    shown = dict([*ends.items()][:COLUMNS])
    names = [f"{name} [{unit}]" if unit else name for name, (unit, _) in shown.items()]
    units, rows = {name: unit for name, (unit, _) in ends.items()}, []
    for k in range(min(sweep.count, ROWS)):
        last = rounded_by_unit({name: float(values[k]) for name, (_, values) in ends.items()}, units)
        swept = (f"{row[k]:.6g}" for row in sweep.swept.values())
        rows.append((*swept, ENDED[int(sweep.status[k])], *(f"{last[name]:.6g}" for name in shown)))
    columns = (*sweep.swept, "ended by", *names)
    out.table("Last values", columns, rows, right=(k for k in range(len(columns)) if k != len(sweep.swept)))
    left = [f"{counted(sweep.count - ROWS, 'more case')}"] if sweep.count > ROWS else []
    left += [f"{counted(len(ends) - COLUMNS, 'more value')} of each"] if len(ends) > COLUMNS else []
    if left:
        out.line(f"Not shown: {', '.join(left)}; --save and --json have them.")


def _save(dataset: "xarray.Dataset", path: Path) -> None:
    from freebody.results.files import netcdf_bytes

    files.write(path, lambda draft: draft.write_bytes(netcdf_bytes(dataset)))


def _plots(
    dataset: "xarray.Dataset",
    paths: Sequence[Path],
    show: Sequence[str],
    against: Sequence[str],
    at: str | None,
    color: str | None,
) -> Iterator[tuple[str, Path, Callable[[], object]]]:
    if not paths:
        return
    from freebody.viewer.sweep_plots import plot

    os.environ.setdefault("MPLBACKEND", "Agg")
    over = None if not against else against[0] if len(against) == 1 else list(against)
    value = at if at is None or at.isalpha() else options.number(at, "--at")

    def draw(path: Path) -> None:
        with library_call():
            plot(dataset, *show, against=over, at=value, color=color, path=path)

    for path in paths:
        yield "--plot", path, partial(draw, path)


def _require_success(dataset: "xarray.Dataset") -> None:
    """Raise where cases failed, or are not finished."""
    from freebody.viewer.sweep_values import UNFINISHED, SweepValues

    sweep = SweepValues(dataset)
    if failure := sweep.failure():
        interrupted = bool(np.any(sweep.status == UNFINISHED))
        hint = "; --store FOLDER keeps finished chunks for the next time" if interrupted else ""
        raise Failure(INTERRUPTED if interrupted else RUN, f"{sweep.system}: {failure}{hint}")
