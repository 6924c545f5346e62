"""Levels of a Lyapunov function in a plane of two states, its region, and runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from freebody import files
from freebody.viewer.plots import ALARM, COLOURS, FAINT, INK, SUFFIXES, WIDTH, save_figure, sheet, verbatim

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]


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
    """Thin lines are levels of V, the thick one the estimate of the region; V̇ > 0 where the plane is shaded."""
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
