"""Pictures of analyses: bifurcation diagrams, which are branches over a parameter with their stability by the kind of
line and the points where it changes; and levels of a Lyapunov function in a plane of two states."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody import files
from freebody.viewer.plots import ALARM, COLOURS, FAINT, INK, SUFFIXES, WIDTH, save_figure, sheet, verbatim

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
LINES = {"stable": "-", "unstable": (0, (5, 2)), "undecided": (0, (1, 1.5))}
MARKERS = {"fold": "s", "pitchfork": "o", "transcritical": "D", "branch point": "X", "hopf": "^"}
OTHER = "v"


class DrawnBranch(NamedTuple):
    """Values of the parameter and of what is drawn, and the stability at each."""

    x: Array
    y: Array
    stability: Sequence[str]


class DrawnPoint(NamedTuple):
    """A bifurcation."""

    x: float
    y: float
    kind: str


def bifurcation_diagram(
    branches: Sequence[DrawnBranch], points: Sequence[DrawnPoint], below: str, beside: str, path: str | Path | None
) -> "Figure":
    """A figure; ``path`` writes it too."""
    target = None if path is None else files.target(path, "a picture", SUFFIXES)
    figure, (ax,) = sheet(1, below, (WIDTH * 0.8, 4.0))
    named = dict[str, Any]()
    for branch in branches:
        start = 0
        for stability, group in groupby(branch.stability):
            end = start + len(list(group))
            part, start = slice(max(0, start - 1), end), end
            if part.stop - part.start < 2:
                continue
            (line,) = ax.plot(
                branch.x[part], branch.y[part], linestyle=LINES[stability], color=COLOURS[0], linewidth=1.4
            )
            named.setdefault(stability, line)
    for k, kind in enumerate(dict.fromkeys(point.kind for point in points)):
        x, y = ([p[i] for p in points if p.kind == kind] for i in (0, 1))
        colour, marker = COLOURS[1 + k % (len(COLOURS) - 1)], MARKERS.get(kind, OTHER)
        (named[kind],) = ax.plot(x, y, linestyle="", markersize=7, marker=marker, color=colour)
    ax.legend(list(named.values()), list(named), fontsize=8, frameon=False, labelcolor=INK)
    verbatim(ax.set_ylabel(beside, fontsize=9, color=INK))
    ax.grid(alpha=0.25)
    ax.tick_params(labelsize=8)
    if target is not None:
        save_figure(figure, target)
    return figure


def lyapunov_plot(
    x: Array,
    y: Array,
    V: Array,
    rate: Array,
    level: float,
    names: Sequence[str],
    runs: Sequence[tuple[Array, ...]],
    path: str | Path | None,
) -> "Figure":
    """Runs among levels of a Lyapunov function: thin lines, and a thick one for the estimate of its region; V̇ > 0
    where the plane is shaded."""
    target = None if path is None else files.target(path, "a picture", SUFFIXES)
    figure, (ax,) = sheet(1, names[0], (WIDTH * 0.7, 4.4))
    with np.errstate(all="ignore"):
        ax.contour(x, y, V, levels=12, colors=FAINT, linewidths=0.6)
        if np.nanmax(rate) > 1e-9 * np.nanmax(np.abs(rate)):
            ax.contourf(
                x, y, rate, levels=[1e-9 * np.nanmax(np.abs(rate)), np.nanmax(rate)], colors=[ALARM], alpha=0.15
            )
        if np.isfinite(level) and np.nanmin(V) < level < np.nanmax(V):
            ax.contour(x, y, V, levels=[level], colors=COLOURS[0], linewidths=2)
    for a, b in runs:
        ax.plot(a, b, color=COLOURS[2], linewidth=1)
    ax.set_xlim(x.min(), x.max())
    ax.set_ylim(y.min(), y.max())
    verbatim(ax.set_ylabel(names[1], fontsize=9, color=INK))
    ax.tick_params(labelsize=8)
    if target is not None:
        save_figure(figure, target)
    return figure
