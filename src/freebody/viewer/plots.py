"""Plots of runs: curves over time with units and events, for reports and notebooks."""

from collections.abc import Sequence
from functools import partial
from io import BytesIO
from itertools import product
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody import files
from freebody.results import RunResult
from freebody.results.event_texts import event_labels
from freebody.tables import shorten
from freebody.viewer.panels import Array, Chart, Panel, chart, drawable, limits, missing, rounding_alone, thin

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg", ".pdf")
WIDTH, HEIGHT, MARGIN = 8.0, 1.9, 0.9
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#333333")
"""The colours of Okabe and Ito, which colour-blind readers can distinguish, without the yellow, invisible on paper."""

DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1.5, 1, 1.5)))
INK, PALE, FAINT, ALARM = "#333333", "#e4e4e4", "#888888", "#B00020"
LONGEST = 28
LISTED, MARKED = 24, 40
"""With more curves a legend lists only some; with more events there is no line for each."""

ROW, NAMED_ROWS = 9.0, 4  # from one row of names of events to the next, in points; the most rows
LETTER = 0.088
"""The width of a letter of these names beside that of the axes, for a figure of one column that is 1 inch wide."""


def plot(
    run: RunResult,
    names: Sequence[str] | str = (),
    *,
    path: str | Path | None = None,
    groups: Sequence[str] | str = (),
    size: tuple[float, float] | None = None,
) -> "Figure":
    """A figure of a run; ``path`` (.png, .svg, .pdf) writes it too, ``size`` is in inches.

    Without names it shows coordinates, speeds, states, energies, outputs, and inputs that change, each by unit. Curves
    of one unit have several panels where some change by more than 100 times as much as others. A name is a variable, a
    part of one ("tip.x"), a body (its coordinates) or a group ("q", "energies"); so are ``groups``. Dotted lines mark
    events. Variables that are rounding errors share the panel of others of their unit, or are named below the figure.
    """
    target = None if path is None else files.target(path, "a picture", SUFFIXES)
    content = chart(run, *(tuple(n) if isinstance(n, list | tuple) else (n,) for n in (names, groups)))
    figure = figure_of(run, content, size)
    if target is not None:
        save_figure(figure, target)
    return figure


def figure_of(
    run: RunResult, content: Chart, size: tuple[float, float] | None = None, columns: int | None = None
) -> "Figure":
    """A figure with the panels of a chart, in two columns where there are many unless ``columns`` is given."""
    figure, axes = sheet(max(len(content.panels), 1), "time [s]", size, columns=columns)
    for ax, panel in zip(axes, content.panels, strict=False):
        _draw(ax, run, panel)
    if not content.panels:
        note(axes[0], "nothing to draw")
    _finish(figure, axes, run)
    note_below(figure, content.note)
    return figure


def save_figure(figure: "Figure", target: Path) -> None:
    """Write a figure in the format of the file's suffix."""
    suffix = target.suffix.lower()[1:]
    metadata = {"Date": None} if suffix == "svg" else None
    files.write(target, lambda draft: figure.savefig(draft, format=suffix, dpi=200, metadata=metadata))


def png(figure: "Figure") -> bytes:
    """The figure as a picture, for notebooks; figures that hold this function can be pickled."""
    picture = BytesIO()
    figure.savefig(picture, format="png")
    return picture.getvalue()


def blank_figure(size: tuple[float, float]) -> "Figure":
    """An empty figure of this size in inches, which notebooks show; pyplot does not know of it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, dpi=110, layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    figure._repr_png_ = partial(png, figure)  # type: ignore[attr-defined]
    return figure


def sheet(
    count: int, below: str, size: tuple[float, float] | None, height: float = HEIGHT, columns: int | None = None
) -> "tuple[Figure, list[Axes]]":
    """A figure with axes one below the other, in two columns where there are many, and a text below the lowest."""
    columns = columns or (1 if count <= 5 else 2)
    rows = -(-count // columns)
    usual = WIDTH * (1 + 0.6 * (columns - 1)), height * rows + MARGIN
    figure = blank_figure(size or usual)
    grid, axes = figure.add_gridspec(rows, columns), list["Axes"]()
    for k in range(count):
        axes.append(figure.add_subplot(grid[k % rows, k // rows], sharex=axes[0] if axes else None))
        lowest = k % rows == rows - 1 or k == count - 1
        axes[k].tick_params(labelbottom=lowest)
        axes[k].xaxis.set_in_layout(k % rows == rows - 1)
        if lowest:
            verbatim(axes[k].set_xlabel(below, fontsize=9, color=INK))
    return figure, axes


def _draw(ax: "Axes", run: RunResult, panel: Panel) -> None:
    """The curves, axes and legend of a panel."""
    series, drawn = [curve.values(run) for curve in panel.curves], []
    marker = "o" if len(run) == 1 else None
    for (t, y), style in zip(series, _styles(panel), strict=True):
        t, y = thin(t, drawable(y))
        drawn += ax.plot(t, y, linewidth=1.3, marker=marker, markersize=4, **style)
    values = [drawable(y) for _, y in series]
    set_value_limits(ax, values, panel.smallest, panel.unit)
    if why := missing([y for _, y in series]):
        note(ax, why)
    verbatim(ax.set_ylabel(axis_text(panel.quantity, panel.unit), fontsize=9, color=INK))
    legend(ax, drawn, panel.labels, panel.title)


def set_value_limits(ax: "Axes", values: list[Array], smallest: float, unit: str) -> None:
    """Limits of the values' axis where they do not change; a text where they are rounding errors alone."""
    flat = limits(values, smallest)
    if flat is not None:
        ax.set_ylim(*flat)
    if rounding_alone(values, smallest):
        unit = f" {shorten(unit, 10)}" if unit else ""
        verbatim(
            ax.text(
                0.01,
                0.95,
                f"zero: rounding errors below {smallest:.1g}{unit}",
                transform=ax.transAxes,
                va="top",
                color=FAINT,
                fontsize=8,
            )
        )


def axis_text(quantity: str, unit: str, longest: int = 20) -> str:
    """A quantity with its unit, short enough for an axis."""
    return shorten(quantity, longest) + (f" [{shorten(unit, 10)}]" if unit else "")


def _styles(panel: Panel) -> list[dict[str, Any]]:
    """A colour and dashes for each curve; along a colour scale where there are too many to distinguish. The total of
    energies alone is dark."""
    from matplotlib import colormaps

    total = any(curve.variable.key == "energy.total" for curve in panel.curves)
    colours = [colour for colour in COLOURS if not total or colour != INK]
    count, distinct = len(panel.curves), list(product(DASHES, colours))
    if count > len(distinct):
        return [{"color": colormaps["viridis"](k / count)} for k in range(count)]
    styles = [{"color": colour, "linestyle": dashes} for dashes, colour in distinct[:count]]
    for style, curve in zip(styles, panel.curves, strict=True):
        if curve.variable.key == "energy.total":
            style["color"] = INK
    return styles


def legend(ax: "Axes", drawn: Sequence[Any], labels: Sequence[str], title: str) -> None:
    """Names beside the axes, where they hide nothing; of very many a few, evenly chosen."""
    count = len(drawn)
    chosen = range(count) if count <= LISTED else np.linspace(0, count - 1, 11).astype(int)
    texts = [shorten(labels[k], LONGEST) for k in chosen]
    small = len(texts) > 8
    entries = ax.legend(
        [drawn[k] for k in chosen],
        ["name"] * len(texts),
        loc="upper left",
        bbox_to_anchor=(1.0, 1.04),
        frameon=False,
        fontsize=7 if small else 8,
        ncols=-(-len(texts) // 12),
        handlelength=1.8,
        labelspacing=0.25 if small else 0.4,
        columnspacing=1.0,
        labelcolor=INK,
        alignment="left",
    )
    for entry, label in zip(entries.get_texts(), texts, strict=True):
        verbatim(entry).set_text(label or " ")
    entries.set_title(title if count <= LISTED else f"{count} {title or 'lines'}, such as")
    verbatim(entries.get_title()).set(color=FAINT, fontsize=8)


def verbatim(text: Any) -> Any:
    """A text of matplotlib that is shown as it is written, without mathtext or TeX."""
    text.set_parse_math(False)
    text.set_usetex(False)
    return text


def note(ax: "Axes", text: str) -> None:
    """A text in place of curves."""
    ax.set_yticks([])
    ax.text(0.5, 0.5, text, transform=ax.transAxes, ha="center", va="center", color=FAINT, fontsize=9)


def note_below(figure: "Figure", text: str) -> None:
    """A line of small text below the axes; nothing where there is no text."""
    if text:
        width = int(14 * figure.get_figwidth())
        verbatim(figure.supxlabel(fill(text, width), x=0.01, ha="left", fontsize=8, color=FAINT))


def finish_axes(figure: "Figure", axes: "Sequence[Axes]", title: str) -> None:
    """Grids, ticks with three labels at least, the title."""
    from matplotlib.ticker import MaxNLocator

    for ax in axes:
        ax.set_facecolor("white")
        ax.grid(True, color=PALE, linewidth=0.6)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
        ax.spines[["left", "bottom"]].set_color(FAINT)
        ax.tick_params(labelsize=8, color=FAINT, labelcolor=INK)
        if ax.get_yticks().size:
            ax.ticklabel_format(axis="y", scilimits=(-3, 4), useMathText=True, useOffset=False)
            ax.ticklabel_format(axis="x", scilimits=(-3, 8), useMathText=True, useOffset=False)
            ax.xaxis.get_offset_text().set_fontsize(8)
            ax.yaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 2.5, 5, 10], min_n_ticks=3))
            ax.yaxis.get_offset_text().set_fontsize(8)
    figure.align_ylabels(axes)
    verbatim(figure.suptitle(shorten(title, 80) or " ", fontsize=11, color=INK, x=0.01, ha="left"))


def alarm(ax: "Axes", message: str, above: float) -> None:
    """A message in red above the axes, so many points higher than usual."""
    verbatim(ax.set_title(fill(shorten(message, 300), 105), fontsize=8, color=ALARM, loc="left", pad=5 + above))


def time_span(times: Array) -> tuple[float, float]:
    """The limits of an axis of time."""
    t = times[np.isfinite(times)]
    low, high = (float(t.min()), float(t.max())) if len(t) else (0.0, 1.0)
    margin = max(abs(low), 1.0) * 0.05 if high - low <= 1e-12 * abs(low) else 0.0  # around a single time
    return low - margin, high + margin


def _finish(figure: "Figure", axes: "Sequence[Axes]", run: RunResult) -> None:
    """Grids, events, the title."""
    span = time_span(run.t)
    finish_axes(figure, axes, run.about.system)
    for ax in axes:
        ax.set_xlim(*span)
    height = _events(axes, run, span)
    if not run.success:
        alarm(axes[0], run.message, max(height, 9.0))


def _events(axes: "Sequence[Axes]", run: RunResult, span: tuple[float, float]) -> float:
    """Thin dotted lines in every panel, with names above the uppermost ones; of many only marks at the upper edge, with
    their number. Each name is in the lowest row in which it meets no other; a name that is shown already is omitted
    where the first row has no room for it. Beyond some rows a note counts the rest. Returns the height of the rows in
    points."""
    inside = [(t, label) for t, label in event_labels(run) if span[0] <= t <= span[1]]
    many = len(inside) > MARKED
    for ax in axes:
        ax.vlines(
            [t for t, _ in inside],
            0.97 if many else 0,
            1,
            transform=ax.get_xaxis_transform(),
            color=FAINT,
            zorder=0.5,
            linewidth=0.5 if many else 0.8,
            linestyles="-" if many else (0, (1, 2)),
        )
    if many:
        names = ", ".join(dict.fromkeys(name for _, name in inside))
        inside = [(span[0], f"{len(inside)} events: {shorten(names, 60)}")]
    tops = [ax for ax in axes if ax.get_subplotspec().rowspan.start == 0]  # type: ignore[union-attr]
    letter = LETTER * len(tops) / axes[0].figure.get_figwidth()  # type: ignore[union-attr]
    ends: list[float] = []  # of the names in each row
    shown: set[str] = set()
    texts: list[tuple[float, int, str, str]] = []
    for t, label in inside:
        x, text = (t - span[0]) / (span[1] - span[0]), shorten(label, 80 if many else 40)
        width = letter * len(text)
        start = x if x + width <= 1 or x < width else x - width
        row = next((k for k, end in enumerate(ends) if start >= end), len(ends))
        if row == NAMED_ROWS or (row and label in shown):
            continue
        shown.add(label)
        ends[row:] = [start + width + 0.02, *ends[row + 1 :]]
        texts.append((x, row, text, "left" if start == x else "right"))
    unnamed = len([label for _, label in inside if label not in shown])
    if unnamed:
        texts.append((0.0, len(ends), f"no room for the names of {unnamed} of {len(inside)} events", "left"))
        ends.append(0.0)
    for x, row, text, side in texts:
        offset = 0, 2 + ROW * row
        for ax in tops:
            verbatim(
                ax.annotate(text, (x, 1), offset, "axes fraction", "offset points", fontsize=7, color=FAINT, ha=side)
            )
    return ROW * len(ends)
