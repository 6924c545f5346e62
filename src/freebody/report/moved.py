"""A run on a page: how it went, what moved, what happened, what drove it."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np

from freebody.report.html import Html, facts, fold, html, join, note, table, tag
from freebody.results import RunResult
from freebody.results.about import GROUPS
from freebody.results.summary import facts as known
from freebody.results.work import account

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLOTTED = {
    "q": "Coordinates", "u": "Speeds", "z": "States", "output": "Outputs", "energy": "Energies", "input": "Inputs",
    "load": "Loads", "work": "Works", "power": "Powers", "momentum": "Momenta",
}  # fmt: skip
FOLDED = ("load", "work", "power", "momentum")
CHANGING = ("input", "load")
"""Groups of which only what changes is drawn."""

HEAVIEST = 400_000
"""Bytes of a drawing beyond which a picture of dots is smaller."""

ENERGY = (
    "The energy error is the largest difference between the change of the total energy since the start and the work of"
    " loads, drives and joints, relative to the largest of these. It shows how well the run was integrated."
)

MOST = 200
"""Rows of a table that are shown."""


# How it went


def warnings(run: RunResult) -> list[str]:
    """What a reader should know before believing the numbers."""
    found = [] if run.success else [run.message]
    found += [w for e in run.about.elements if e.limits is not None for w in _outside(run, e.q, *e.limits)]
    lost = [key for k, key in enumerate(run.about.state) if not np.all(np.isfinite(run.x[:, k]))]
    return [*found, *([f"{', '.join(lost[:10])}: not finite at some times"] if lost else [])]


def _outside(run: RunResult, coordinates: Sequence[str], low: float, high: float) -> Iterator[str]:
    """Coordinates that leave their limits."""
    for name in (n for n in coordinates if f"q.{n}" in run):
        outside = np.flatnonzero((run[f"q.{name}"] < low) | (run[f"q.{name}"] > high))
        if len(outside):
            yield (
                f"Coordinate {name} leaves its limits {low:g} … {high:g} at t = {run.t[outside[0]]:.6g} s; limits are"
                " watched, not enforced."
            )


def summary(run: RunResult, more: Sequence[tuple[str, object]] = ()) -> Html:
    """The facts of the run, its status first, and its warnings."""
    said = [(name, value) for name, value in known(run, energy=True) if name not in ("ended", "states")]
    status = tag("span", run.message or "done", class_=f"status {'good' if run.success else 'bad'}")
    warned = [tag("p", w) for w in warnings(run)]
    box = [tag("div", *warned, class_="warnings")] if warned else []
    return join([*box, facts([("status", status), *more, *said]), *_energy(run)])


def _energy(run: RunResult) -> list[Html]:
    """Where the energy went."""
    rows = [(name, f"{x:.6g}") for name, x in account(run)]
    return [note(ENERGY), *([fold("Energy from start to end", table(("", "J"), rows))] if rows else [])]


# What moved


def plots(run: RunResult) -> Html:
    """A figure for each group that is there."""
    from freebody.viewer.plots import plot

    chosen = {g: _shown(run, g) for g in PLOTTED} if len(run) else {}
    figures = [_figure(g, names, picture(plot(run, names))) for g, names in chosen.items() if names]
    return join(figures) if figures else note("Nothing was saved, so there is nothing to draw.")


def _shown(run: RunResult, group: str) -> list[str]:
    """The variables of a group that are worth a line."""
    keys = [v.key for v in run.about.variables if v.group == group]
    return [k for k in keys if group not in CHANGING or np.any(run[k] != run[k][:1])]


def _figure(group: str, keys: Sequence[str], source: str) -> Html:
    title = PLOTTED[group]
    words = f"{title} over time: {', '.join(keys[:30])}{' …' if len(keys) > 30 else ''}"
    image = Html(f'<img alt="{html(words)}" src="{source}">')
    return fold(title, tag("figure", image)) if group in FOLDED else tag("figure", tag("h3", title), image)


def picture(figure: "Figure") -> str:
    """A figure as a data address: a drawing, or dots where these are smaller."""
    from matplotlib import rc_context

    figure.suptitle("")
    with rc_context({"svg.hashsalt": "freebody", "svg.fonttype": "path"}):
        drawn = _saved(figure, "svg")
    kind, data = ("svg+xml", drawn) if len(drawn) <= HEAVIEST else ("png", _saved(figure, "png"))
    return f"data:image/{kind};base64,{b64encode(data).decode()}"


def _saved(figure: "Figure", kind: str) -> bytes:
    held = BytesIO()
    more = {"metadata": {"Date": None}} if kind == "svg" else {"dpi": 160}
    figure.savefig(held, format=kind, transparent=True, **more)
    return held.getvalue()


def states(run: RunResult) -> Html:
    """The state at the start and the end, and between which values it was."""
    columns = ("state", "unit", "start", "end", "least", "most")
    rows = [
        (key, run.variables[key].unit if key in run.variables else "", *map(_number, _range(run.x[:, k])))
        for k, key in enumerate(run.about.state[:MOST])
    ]
    return join([table(columns, rows, columns[2:]), *_cut(len(run.about.state))])


def _range(values: np.ndarray) -> tuple[float, ...]:
    return (values[0], values[-1], values.min(), values.max()) if len(values) else (np.nan,) * 4


def _number(value: float) -> str:
    return f"{value:.4g}".replace("-", "−")


def _cut(rows: int) -> list[Html]:
    return [note(f"{rows - MOST:,} more are not shown.")] if rows > MOST else []


# What happened


def events(run: RunResult) -> Html:
    """When each event happened, and what it changed."""
    rows = [(f"{t:.9g}", name, _change(run, k)) for k, (t, name) in enumerate(run.events) if k < MOST]
    return join([table(("time [s]", "event", "changed"), rows, ("time [s]",)), *_cut(len(run.events))])


def _change(run: RunResult, k: int) -> str:
    before, after = run.events.before[k], run.events.after[k]
    places = np.flatnonzero(before != after)
    told = [f"{run.about.state[i]} from {_number(before[i])} to {_number(after[i])}" for i in places[:6]]
    return ", ".join([*told, *["…"][: len(places) > 6]]) or "nothing"


# What drove it


def inputs(run: RunResult) -> Html:
    """How each input was driven."""
    units = {v.name: (v.unit, v.description) for v in run.about.variables if v.group == "input"}
    rows = [(name, *units.get(name, ("", "")), _law(said)) for name, said in run.about.inputs.items()]
    return table(("input", "unit", "meaning", "driven by"), rows)


def _law(said: str) -> Html:
    return tag("code", said.removeprefix("law ")) if said.startswith("law ") else html(said)


def recorded(run: RunResult) -> Html:
    """What the run holds, by group."""
    rows = []
    for group, word in GROUPS.items():
        found = [v.name for v in run.about.variables if v.group == group]
        if found:
            rows.append((word, f"{len(found)}", f"{', '.join(found[:30])}{' …' if len(found) > 30 else ''}"))
    return table(("group", "how many", "names"), rows, ("how many",))
