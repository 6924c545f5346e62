"""Curves of runs in the axes of a user's own figure, in its style."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.errors import ArgumentError
from freebody.results import RunResult
from freebody.tables import listed, shorten
from freebody.viewer.panels import Panel, chart, drawable, missing, thin
from freebody.viewer.plots import axis_text, verbatim

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_into(run: RunResult, ax: Any, names: Sequence[str] = (), groups: Sequence[str] | str = ()) -> None:
    """Draw variables of a run into axes of matplotlib: all that are named into one, or each name and group into its own
    of several; without names the panels that ``plot`` has.

    Axes without labels get them. Lines have the colours of the axes' cycle and the names of the variables, which the
    legend shows; nothing else of the axes is changed.
    """
    groups = (groups,) if isinstance(groups, str) else tuple(groups)
    single, several = _axes(ax)
    items: list[tuple[Sequence[str], Sequence[str]]] = [((name,), ()) for name in names] + [((), (g,)) for g in groups]
    context = f"run of {run.about.system}"
    if single is not None and items:
        content = [_whole(run, names, groups)]
        several = [single]
    elif items:
        content = [_whole(run, *item) for item in items]
        if len(several) != len(items):
            raise ArgumentError(
                f"{context}: there are {len(items)} names and {len(several)} axes; pass an axes for each name, or a"
                " single one for all"
            )
    else:
        usual = chart(run, (), ())
        content = [[panel] for panel in usual.panels]
        several = several if single is None else [single]
        if len(several) != len(content):
            what = listed([axis_text(panel.quantity, panel.unit) for (panel,) in content], 8)
            raise ArgumentError(
                f"{context}: without names there are {len(content)} panels ({what}), but {len(several)} axes; name what"
                " to draw, such as run.plot('q.arm', ax=ax), or pass as many axes"
            )
    if not all(content):
        wanted = [*names, *groups] if single is not None else [[*names, *groups][content.index([])]]
        raise ArgumentError(f"{context}: it has no variables to draw for {listed(list(map(repr, wanted)), 8)}")
    for one, part in zip(several, content, strict=True):
        _draw(one, run, part)
    if not items and usual.note:
        several[-1].plot([], [], " ", label=usual.note)
        verbatim(several[-1].legend().get_texts()[-1])


def _whole(run: RunResult, names: Sequence[str], groups: Sequence[str]) -> list[Panel]:
    """The panels of named variables, also those of rounding errors."""
    named = chart(run, names, groups)
    return [*named.panels, *named.zeros]


def _axes(ax: Any) -> "tuple[Axes | None, list[Axes]]":
    """A single axes, or several as a list."""
    from matplotlib.axes import Axes

    if isinstance(ax, Axes):
        return ax, []
    several = list(np.ravel(np.array(ax, object))) if isinstance(ax, list | tuple | np.ndarray) else []
    if not several or not all(isinstance(one, Axes) for one in several):
        raise ArgumentError(f"ax is an axes of matplotlib, or a sequence of them, not {shorten(repr(ax), 80)}")
    return None, several


def _draw(ax: "Axes", run: RunResult, chosen: Sequence[Panel]) -> None:
    """The curves of panels, with a legend and, where the axes have none, the labels of both axes."""
    units = {panel.unit for panel in chosen}
    names = [curve.name for panel in chosen for curve in panel.curves]
    for panel in chosen:
        for curve in panel.curves:
            t, y = curve.values(run)
            label = curve.name if names.count(curve.name) == 1 else curve.key
            label += f" [{panel.unit}]" if len(units) > 1 and panel.unit else ""
            label += f" ({why})" if (why := missing([y])) else ""
            t, y = thin(t, drawable(y))
            ax.plot(t, y, label=label, marker="o" if len(run) == 1 else None)
    for text in ax.legend().get_texts():
        verbatim(text)
    if not ax.get_ylabel() and len(units) == 1:
        verbatim(ax.set_ylabel(axis_text(chosen[0].quantity, chosen[0].unit)))
    if not ax.get_xlabel() and ax.xaxis.get_tick_params().get("labelbottom", True):  # not between axes that share it
        ax.set_xlabel("time [s]")
