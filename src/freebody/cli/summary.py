"""What came of a run, for people and as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.api import Trajectory
from freebody.cli.output import Output
from freebody.results.work import UNKNOWN, account

SHOWN = ("q", "u", "z", "output")


def show(out: Output, run: Trajectory, warnings: Sequence[str]) -> None:
    """Tables of the final state and of what the run cost; warnings on standard error."""
    balance = run.energy_balance
    out.tell(**facts(run, warnings))
    last = f"{run.t[-1]:g}" if len(run.t) else "–"
    out.line(f"{run.about.system}: {run.statistics.method} to t = {last} s, {run.message}")
    out.line()
    out.table("Motion", ("name", "start", "end", "least", "most", "unit"), list(_rows(run)), right="1234")
    if len(run.events):
        out.table("Events", ("t", "event"), [(f"{t:.9g}", name) for t, name in run.events], right="0")
    out.table("Energy from start to end", ("", "J"), [(n, f"{x:.6g}") for n, x in account(run)], right="1")
    energy = UNKNOWN if balance is None else balance.text(float(run.t[-1]))
    out.table("Run", ("", ""), [*_cost(run), ("energy error", energy)], right="1")
    for text in warnings:
        out.warning(text)


def _columns(run: Trajectory, groups: Sequence[str] = SHOWN) -> Iterator[tuple[str, NDArray[np.float64], str]]:
    """Each number with its full name, values over time and unit."""
    for v in run.about.variables:
        if v.group in groups:
            values = run[v.key].reshape(len(run.t), -1)
            for k, name in enumerate(v.columns):
                yield name, values[:, k], v.unit


def _rows(run: Trajectory) -> Iterator[tuple[str, ...]]:
    for name, x, unit in _columns(run):
        numbers = (x[0], x[-1], np.min(x), np.max(x)) if len(x) else ()
        yield (name, *(f"{value:.6g}" for value in numbers), unit)


def _cost(run: Trajectory) -> Iterator[tuple[str, str]]:
    s = run.statistics
    counts = {
        "steps": s.steps, "rejected": s.rejected, "evaluations": s.evaluations, "Jacobians": s.jacobians,
        "factorisations": s.factorisations,
    }  # fmt: skip
    yield "saved times", str(len(run.t))
    yield from ((name, str(n)) for name, n in counts.items() if n or name == "steps")
    yield "seconds", f"{s.seconds:.3g}"


def facts(run: Trajectory, warnings: Sequence[str]) -> dict[str, Any]:
    """The run as JSON has it."""
    return {
        "system": run.about.system, "digest": run.about.digest, "status": run.status, "message": run.message,
        "t_start": run.t[0] if len(run.t) else None, "t_end": run.t[-1] if len(run.t) else None, "samples": len(run.t),
        "final": run.final,
        "outputs": {name: x[-1] for name, x, _ in _columns(run, ("output",)) if len(x)},
        "energy_error": run.energy_error, "energy": dict(account(run)), "statistics": asdict(run.statistics),
        "events": [{"t": t, "name": name} for t, name in run.events],
        "parameters": dict(run.about.parameters), "inputs": dict(run.about.inputs),
        "warnings": list(warnings), "files": [],
    }  # fmt: skip
