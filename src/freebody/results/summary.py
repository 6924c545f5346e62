"""A summary of a run: how it ended, steps and time, energy error."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from freebody.results.about import GROUPS
from freebody.results.work import UNKNOWN
from freebody.tables import TextTable, shorten

if TYPE_CHECKING:
    from freebody.results.trajectory import RunResult

VISIBLE = 1e-6
"""Forces that are smaller, relative to the largest of the same constraint, are errors of the integration."""

LINES = {
    "roll": (
        "pulled wheels",
        "'{}' is held down by up to {:.3g} N: its normal force is negative, and a real wheel would lift off",
        " ({} more wheels likewise)",
    ),
    "rod": (
        "compression",
        "rod '{}' pushes with up to {:.3g} N: a rope or cable would be slack",
        " ({} more rods likewise)",
    ),
}
"""Titles and texts of ``one_sided`` by kind of constraint."""


def text(run: "RunResult") -> str:
    """Lines of text, the facts in two columns."""
    return str(TextTable(f"run of {run.about.system}", (), facts(run, energy=True)))


def html(run: "RunResult") -> str:
    """A small table for notebooks. It shows only what is known already and computes nothing."""
    rows = facts(run, energy="energy_balance" in vars(run))
    return TextTable(f"run of {run.about.system}", (), rows)._repr_html_()


def one_sided(run: "RunResult") -> dict[str, str]:
    """Lines about forces that only one direction allows in reality, where a run has the other: wheels that the plane
    pulls, rods that a rope could not replace. Each names the worst."""
    forces = {kind: dict[str, float]() for kind in LINES}
    for info in run.about.constraints:
        key = f"multiplier.{info.name}.normal" if info.kind == "roll" else f"multiplier.{info.name}"
        if info.kind in forces and key in run.variables and len(run):
            low, size = float(np.min(run[key], initial=0.0)), float(np.abs(run[key]).max())
            if low < -VISIBLE * size:
                forces[info.kind][info.name] = low
    lines = {}
    for kind, (title, one, several) in LINES.items():
        worst = min(forces[kind], key=forces[kind].__getitem__, default=None)
        if worst is not None:
            others = several.format(len(forces[kind]) - 1) if len(forces[kind]) > 1 else ""
            lines[title] = one.format(shorten(worst, 40), -forces[kind][worst]) + others
    return lines


def _contacts(run: "RunResult") -> str:
    """How many contacts there are, the deepest overlap and the longest way of sliding at the saved times."""
    names = [key.removeprefix("contact.").removesuffix(".slip") for key in run.variables if _is_slip(key)]
    if not names or not len(run):
        return ""
    depths = {name: -float(np.min(run[f"contact.{name}.gap"])) for name in names}
    slips = {name: abs(float(np.trapezoid(run[f"contact.{name}.slip"], run.t))) for name in names}
    deepest, longest = max(depths, key=depths.__getitem__), max(slips, key=slips.__getitem__)
    texts = [f"{len(names)} contact{'s' * (len(names) > 1)}"]
    texts += [f"overlap up to {depths[deepest]:.3g} m ('{shorten(deepest, 40)}')"] * (depths[deepest] > 0)
    texts += [f"slides up to {slips[longest]:.3g} m ('{shorten(longest, 40)}')"] * (slips[longest] > 0)
    return ", ".join(texts if depths[deepest] > 0 else [*texts, "none touches"])


def _is_slip(key: str) -> bool:
    return key.startswith("contact.") and key.endswith(".slip")


SHOWN, LITTLE = 3, 1e-3
"""Changes of the method that are named, and seconds of compilation that are not."""


def _changes(methods: Sequence[tuple[float, str]]) -> str:
    """The first changes of the method, and how many there were."""
    changes = methods[1:]
    named = ", ".join(f"{name} from t = {t:.4g} s" for t, name in changes[:SHOWN])
    return named + (f", … ({len(changes)} in all)" if len(changes) > SHOWN else "")


def facts(run: "RunResult", energy: bool) -> tuple[tuple[str, str], ...]:
    """Names and values of a run; those that are empty or 0 are left out."""
    s, events = run.statistics, Counter(name for _, name in run.events).most_common(10)
    groups = Counter(key.split(".", 1)[0] for key in run.about.state)
    states = ((n, GROUPS.get(group, shorten(group, 40))) for group, n in groups.items())
    unit, size = next(((u, x) for u, x in (("s", 1.0), ("ms", 1e-3)) if s.seconds >= x), ("µs", 1e-6))
    lost = float(run.events.lost.sum())
    rows = {
        "times": f"{len(run):,}, from {run.t[0]:g} to {run.t[-1]:g} s" if len(run) else "none",
        "start": "" if run.about.assembly is None else f"assembled: {run.about.assembly}",
        "joined": "" if run.about.joined is None or not energy else str(run.joined or ""),
        "ended": run.message,
        "states": ", ".join(f"{n} {word.removesuffix('s') if n == 1 else word}" for n, word in states),
        "events": ", ".join(f"{n} × {shorten(name, 40)}" for name, n in events),
        "lost": f"{lost:.3g} J of kinetic energy, when constraints were engaged" if lost else "",
        "method": s.method,
        "changes": _changes(s.methods),
        "steps": (f"{s.steps:,}" + (f" ({s.rejected:,} rejected)" if s.rejected else "")) if s.steps else "",
        "step limit": s.limit,
        "evaluations": f"{s.evaluations:,}" if s.evaluations else "",
        "jacobians": f"{s.jacobians:,}" if s.jacobians else "",
        "factorisations": f"{s.factorisations:,}" if s.factorisations else "",
        "projections": f"{s.projections:,}" if s.projections else "",
        "drift": f"{s.drift:.1e}, of speeds {s.speed_drift:.1e}" if run.about.constraints else "",
        "wall time": f"{s.seconds / size:.3g} {unit}" if s.seconds else "",
        "compiling": f"{s.compiling:.3g} s of it, when the method first changed" if s.compiling > LITTLE else "",
    }
    if energy:
        rows |= one_sided(run)
        rows |= {"contacts": _contacts(run)}
    if energy and len(run) and "energy.total" in run:
        balance = run.energy_balance
        rows["energy error"] = UNKNOWN if balance is None else balance.text(float(run.t[-1]))
    return tuple((name, value) for name, value in rows.items() if value)
