"""Runs as figures: lines over time with their units, for reports and notebooks."""

from collections.abc import Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody import files
from freebody.results import RunResult
from freebody.results.summary import shorten
from freebody.viewer.draw import ALARM, FAINT, INK, PALE, draw, events, note, verbatim
from freebody.viewer.panels import panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg", ".pdf")
WIDTH, HEIGHT, MARGIN = 8.0, 1.9, 0.9


def plot(
    run: RunResult, names: Sequence[str] | str = (), *, path: str | Path | None = None,
    groups: Sequence[str] | str = (), size: tuple[float, float] | None = None,
) -> "Figure":  # fmt: skip
    """A figure of a run; ``path`` (.png, .svg, .pdf) writes it too, ``size`` is in inches.

    Without names it shows coordinates, speeds, states, energies, outputs, and inputs that change, each by unit. A name
    is a variable, a part of one ("tip.x"), a body (its coordinates) or a group ("q", "energies"); so are ``groups``.
    Dotted lines mark events.
    """
    target = None if path is None else files.target(path, "a picture", SUFFIXES)
    chosen = panels(run, _several(names), _several(groups))
    figure, axes = _sheet(max(len(chosen), 1), size)
    for ax, panel in zip(axes, chosen, strict=False):
        draw(ax, run, panel)
    if not chosen:
        note(axes[0], "nothing to draw")
    _finish(figure, axes, run)
    if target is not None:
        _write(figure, target)
    return figure


def _several(names: Any) -> Sequence[str]:
    return tuple(names) if isinstance(names, list | tuple) else (names,)


def _write(figure: "Figure", path: Path) -> None:
    kind = path.suffix.lower()[1:]
    metadata = {"Date": None} if kind == "svg" else None
    files.write(path, lambda draft: figure.savefig(draft, format=kind, dpi=200, metadata=metadata))


def png(figure: "Figure") -> bytes:
    """The figure as a picture, for notebooks."""
    held = BytesIO()
    figure.savefig(held, format="png")
    return held.getvalue()


def _sheet(count: int, size: tuple[float, float] | None) -> "tuple[Figure, list[Axes]]":
    """A figure with axes one below the other, in two columns where there are many; pyplot does not know of it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    columns = 1 if count <= 5 else 2
    rows = -(-count // columns)
    usual = WIDTH * (1 + 0.6 * (columns - 1)), HEIGHT * rows + MARGIN
    figure = Figure(figsize=size or usual, dpi=110, layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    figure._repr_png_ = partial(png, figure)  # type: ignore[attr-defined]
    grid, axes = figure.add_gridspec(rows, columns), list["Axes"]()
    for k in range(count):
        axes.append(figure.add_subplot(grid[k % rows, k // rows], sharex=axes[0] if axes else None))
        lowest = k % rows == rows - 1 or k == count - 1
        axes[k].tick_params(labelbottom=lowest)
        axes[k].xaxis.set_in_layout(k % rows == rows - 1)
        if lowest:
            verbatim(axes[k].set_xlabel("time [s]", fontsize=9, color=INK))
    return figure, axes


def _finish(figure: "Figure", axes: "Sequence[Axes]", run: RunResult) -> None:
    """Grids, events, the title."""
    span = _span(run)
    for ax in axes:
        ax.set_facecolor("white")
        ax.set_xlim(*span)
        ax.grid(True, color=PALE, linewidth=0.6)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
        ax.spines[["left", "bottom"]].set_color(FAINT)
        ax.tick_params(labelsize=8, color=FAINT, labelcolor=INK)
        if ax.get_yticks().size:
            ax.ticklabel_format(axis="y", scilimits=(-3, 4), useMathText=True)
            ax.yaxis.get_offset_text().set_fontsize(8)
    figure.align_ylabels(axes)
    names = events(axes, run, span)
    title = shorten(run.about.system, 80)
    verbatim(figure.suptitle(title or " ", fontsize=11, color=INK, x=0.01, ha="left"))
    if not run.success:
        said = fill(shorten(run.message, 300), 105)
        verbatim(axes[0].set_title(said, fontsize=8, color=ALARM, loc="left", pad=5 + max(names, 9.0)))


def _span(run: RunResult) -> tuple[float, float]:
    """From the first time to the last, or something around a single one."""
    t = run.t[np.isfinite(run.t)]
    low, high = (float(t.min()), float(t.max())) if len(t) else (0.0, 1.0)
    room = max(abs(low), 1.0) * 0.05 if high - low <= 1e-12 * abs(low) else 0.0
    return low - room, high + room
