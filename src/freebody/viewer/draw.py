"""What stands in a panel: lines in colours all eyes tell apart, names beside them, events across."""

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.results import RunResult
from freebody.results.summary import shorten
from freebody.viewer.panels import Panel
from freebody.viewer.scale import drawable, limits, missing, thin

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#333333")
"""Okabe and Ito's, less the yellow, which paper does not show."""

DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1.5, 1, 1.5)))
INK, PALE, FAINT, ALARM = "#333333", "#e4e4e4", "#888888", "#B00020"
LONGEST = 28
LISTED, MARKED = 24, 40
"""Lines beyond which a legend lists only some; events beyond which there is no line for each."""

ROW = 9.0  # from one row of names of events to the next, in points


def draw(ax: "Axes", run: RunResult, panel: Panel) -> None:
    """Lines, axes and legend of a panel."""
    series, drawn = [line.values(run) for line in panel.lines], []
    marker = "o" if len(run) == 1 else None
    for (t, y), style in zip(series, _styles(panel), strict=True):
        t, y = thin(t, drawable(y))
        drawn += ax.plot(t, y, linewidth=1.3, marker=marker, markersize=4, **style)
    flat = limits([drawable(y) for _, y in series])
    if flat is not None:
        ax.set_ylim(*flat)
    if why := missing([y for _, y in series]):
        note(ax, why)
    unit = f" [{shorten(panel.unit, 10)}]" if panel.unit else ""
    verbatim(ax.set_ylabel(f"{shorten(panel.quantity, 20)}{unit}", fontsize=9, color=INK))
    _legend(ax, drawn, panel)


def _styles(panel: Panel) -> list[dict[str, Any]]:
    """A colour and dashes for each line; along a colour scale where there are too many to tell apart. The total of
    energies is dark."""
    from matplotlib import colormaps

    count, apart = len(panel.lines), list(product(DASHES, COLOURS))
    if count > len(apart):
        return [{"color": colormaps["viridis"](k / count)} for k in range(count)]
    made = [{"color": colour, "linestyle": dashes} for dashes, colour in apart[:count]]
    for style, line in zip(made, panel.lines, strict=True):
        if line.variable.key == "energy.total":
            style["color"] = INK
    return made


def _legend(ax: "Axes", drawn: Sequence[Any], panel: Panel) -> None:
    """Names beside the axes, where they hide nothing; of very many a few, evenly chosen."""
    count, labels = len(drawn), panel.labels
    chosen = range(count) if count <= LISTED else np.linspace(0, count - 1, 11).astype(int)
    texts = [shorten(labels[k], LONGEST) for k in chosen]
    small = len(texts) > 8
    legend = ax.legend(
        [drawn[k] for k in chosen], ["name"] * len(texts), loc="upper left", bbox_to_anchor=(1.0, 1.04), frameon=False,
        fontsize=7 if small else 8, ncols=-(-len(texts) // 12), handlelength=1.8, labelspacing=0.25 if small else 0.4,
        columnspacing=1.0, labelcolor=INK, alignment="left",
    )  # fmt: skip
    for made, label in zip(legend.get_texts(), texts, strict=True):
        verbatim(made).set_text(label or " ")
    legend.set_title(panel.title if count <= LISTED else f"{count} {panel.title or 'lines'}, such as")
    verbatim(legend.get_title()).set(color=FAINT, fontsize=8)


def verbatim(made: Any) -> Any:
    """A text that is shown as it is written, whatever signs of a formula are in it."""
    made.set_parse_math(False)
    made.set_usetex(False)
    return made


def note(ax: "Axes", text: str) -> None:
    ax.set_yticks([])
    ax.text(0.5, 0.5, text, transform=ax.transAxes, ha="center", va="center", color=FAINT, fontsize=9)


def events(axes: "Sequence[Axes]", run: RunResult, span: tuple[float, float]) -> float:
    """Thin dotted lines in every panel, with names above the first; of many only marks at the upper edge, with their
    number. Returns the height of the names in points."""
    inside = [(t, name) for t, name in run.events if span[0] <= t <= span[1]]
    many = len(inside) > MARKED
    for ax in axes:
        ax.vlines(
            [t for t, _ in inside], 0.97 if many else 0, 1, transform=ax.get_xaxis_transform(), color=FAINT, zorder=0.5,
            linewidth=0.5 if many else 0.8, linestyles="-" if many else (0, (1, 2)),
        )  # fmt: skip
    if many:
        names = ", ".join(dict.fromkeys(name for _, name in inside))
        inside = [(span[0], f"{len(inside)} events: {shorten(names, 60)}")]
    places = [((t - span[0]) / (span[1] - span[0]), name) for t, name in inside]
    return _write_names(axes[0], places, 80 if many else 18)


def _write_names(ax: "Axes", places: Sequence[tuple[float, str]], longest: int) -> float:
    """Names above a panel, each in the lowest row in which it meets no other; a name that is shown already is left out
    where the first row has no room for it. Returns the height of the rows in points."""
    ends: list[float] = []  # of each row: how far it is taken
    shown: set[str] = set()
    for place, name in places:
        text = shorten(name, longest)
        width = 0.012 * len(text)
        start = place if place + width <= 1 else place - width
        row = next((k for k, end in enumerate(ends) if start >= end), len(ends))
        if row and name in shown:
            continue
        shown.add(name)
        ends[row:] = [start + width + 0.02, *ends[row + 1 :]]
        side = "left" if start == place else "right"
        label = ax.annotate(
            text, (place, 1), (0, 2 + ROW * row), "axes fraction", "offset points", fontsize=7, color=FAINT, ha=side
        )
        verbatim(label)
    return ROW * len(ends)
