"""Plots of sweeps: cases over time as lines or bands, values of the cases over what was swept, and maps."""

import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody import files
from freebody.errors import ArgumentError
from freebody.keywords import keyword_hints
from freebody.results import RunResult
from freebody.viewer import plots
from freebody.viewer.panels import zeros_text
from freebody.viewer.plots import (
    ALARM,
    COLOURS,
    FAINT,
    INK,
    SUFFIXES,
    alarm,
    axis_text,
    finish_axes,
    legend,
    note,
    note_below,
    save_figure,
    set_value_limits,
    sheet,
    time_span,
    verbatim,
)
from freebody.viewer.sweep_values import FAILED, STATUS, UNFINISHED, CaseCurves, CaseValues, SweepValues

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FEW = 12
"""Cases up to which each has a line, and lines up to which a legend names each."""

MOST = 500
"""Lines that are drawn in a panel."""

PERCENTILES = (0, 5, 50, 95, 100)
STATUS_COLOURS = {0: COLOURS[0], 1: COLOURS[2], FAILED: ALARM, UNFINISHED: FAINT}
MAP = 2.6
"""The height of a map in inches."""

SCALE = "viridis"


@keyword_hints
def plot(
    data: "RunResult | xarray.Dataset",
    *names: str,
    against: str | Sequence[str] | None = None,
    at: str | float | None = None,
    color: str | None = None,
    path: str | Path | None = None,
    size: tuple[float, float] | None = None,
) -> "Figure":
    """A figure of a run (as ``run.plot``) or of the dataset of a sweep; ``path`` (.png, .svg, .pdf) writes it too,
    ``size`` is in inches.

    A panel for each variable shows all cases over time: a line each for up to 12 cases, else their median, the band
    from 5 to 95 % and that of all. ``color`` names what colours a line for each case: a swept value, a variable, or
    "status". ``against`` names a swept value (or a variable), over which the value of each case is drawn: lines for a
    grid, one for each value of the other dimensions, points for samples; two names give a map. The value of a case is
    the variable ``at`` its "end", its "max", "min" or "mean", or a time in s. Cases that failed are named above.
    """
    target = None if path is None else files.target(path, "a picture", SUFFIXES)
    if isinstance(data, RunResult):
        if (against, at, color) != (None, None, None):
            raise ArgumentError("against, at and color are for sweeps; a run has only one case")
        return plots.plot(data, names, path=path, size=size)
    figure = _draw(SweepValues(_dataset(data)), names, against, at, color, size)
    if target is not None:
        save_figure(figure, target)
    return figure


def _dataset(data: Any) -> "xarray.Dataset":
    if "xarray" in sys.modules:
        import xarray

        if isinstance(data, xarray.Dataset):
            return data
        if isinstance(data, xarray.DataArray):
            name = str(data.name)
            raise ArgumentError(f"plot() takes the whole dataset of a sweep, and names: fb.plot(dataset, {name!r})")
    raise ArgumentError(f"plot() takes a run or the dataset of a sweep, not {type(data).__name__}")


def _draw(
    s: SweepValues, names: Sequence[str], against: Any, at: Any, colour: str | None, size: tuple[float, float] | None
) -> "Figure":
    curves = s.curves(names)
    if not curves:
        raise ArgumentError(f"sweep of {s.system}: it has no variables over time; name some in s.sweep(…, record=[…])")
    noise = [curve for curve in curves if curve.noise]
    figure = _drawn(s, [curve for curve in curves if not curve.noise] or noise, against, at, colour, size)
    if len(noise) < len(curves):
        note_below(figure, zeros_text([(curve.label, curve.noise, curve.unit) for curve in noise]))
    return figure


def _drawn(
    s: SweepValues,
    curves: list[CaseCurves],
    against: Any,
    at: Any,
    colour: str | None,
    size: tuple[float, float] | None,
) -> "Figure":
    """The figure of these variables."""
    value_at = "end" if at is None else at
    if against is None:
        if at is not None and colour is None:
            raise ArgumentError("at=… selects the value of a case that is drawn; give against=… or color=… too")
        return _over_time(s, curves, None if colour is None else s.of_cases(colour, value_at), size)
    axes = (against,) if isinstance(against, str) else tuple(against)
    if len(axes) not in (1, 2):
        raise ArgumentError(f"against is the name of one swept value, or of two for a map, not {against!r}")
    xs = [s.of_cases(name, value_at) for name in axes]
    values = [s.reduce(curve, value_at) for curve in curves]
    if len(xs) == 2:
        if colour is not None:
            raise ArgumentError("the colours of a map are values of the variable: leave color out, or one of against")
        return _maps(s, xs[0], xs[1], values, size)
    return _against(s, xs[0], values, None if colour is None else s.of_cases(colour, value_at), size)


# Over time


def _over_time(
    s: SweepValues, curves: list[CaseCurves], colour: CaseValues | None, size: tuple[float, float] | None
) -> "Figure":
    figure, axes = sheet(len(curves), "time [s]", size)
    lines = s.count <= FEW or colour is not None
    cases = np.arange(s.count) if s.count <= MOST else np.unique(np.linspace(0, s.count - 1, MOST).astype(int))
    for ax, curve in zip(axes, curves, strict=True):
        if not np.isfinite(curve.values).any():
            note(ax, "no finite values")
        elif not lines:
            _bands(ax, s, curve, first=ax is axes[0])
        else:
            _lines(ax, s, curve, cases, colour, first=ax is axes[0])
        set_value_limits(ax, [curve.values.ravel()], curve.smallest, curve.unit)
        verbatim(ax.set_ylabel(axis_text(curve.title, curve.unit), fontsize=9, color=INK))
    if colour is not None and not _is_status(colour):
        _colour_bar(figure, axes, colour)
    some = f", {len(cases)} of them drawn" if lines and len(cases) < s.count else ""
    finish_axes(figure, axes, f"{s.system}: {s.count:,} cases{some}")
    for ax in axes:
        ax.set_xlim(*time_span(s.t))
    _name_failures(axes[0], s)
    return figure


def _bands(ax: "Axes", s: SweepValues, curve: CaseCurves, first: bool) -> None:
    """Median and bands, of the cases that have a value at each time."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of times at which no case has a value
        low, p5, middle, p95, high = np.nanpercentile(curve.values, PERCENTILES, axis=0)
    drawn = [
        *ax.plot(s.t, middle, color=COLOURS[0], linewidth=1.5),
        ax.fill_between(s.t, p5, p95, color=COLOURS[0], alpha=0.35, linewidth=0),
        ax.fill_between(s.t, low, high, color=COLOURS[0], alpha=0.15, linewidth=0),
    ]
    if first:
        legend(ax, drawn, ["median", "5 to 95 %", "smallest to largest"], "")


def _lines(ax: "Axes", s: SweepValues, curve: CaseCurves, cases: Any, colour: CaseValues | None, first: bool) -> None:
    """A line for each case; a cross marks where one failed."""
    shades, drawn = _shades(s, colour), dict[str, Any]()
    width = 1.3 if len(cases) <= FEW else 0.8
    for k in cases:
        y = curve.values[k]
        (line,) = ax.plot(s.t, y, color=shades[k], linewidth=width)
        label = s.case_label(k) if colour is None else STATUS.get(int(s.status[k]), "")
        if colour is None or _is_status(colour):
            drawn.setdefault(label, line)
        known = np.flatnonzero(np.isfinite(y))
        if s.status[k] == FAILED and len(known):
            ax.plot(s.t[known[-1]], y[known[-1]], "x", color=ALARM, markersize=5)
    if first and drawn:
        legend(ax, [*drawn.values()], [*drawn], "")


def _shades(s: SweepValues, colour: CaseValues | None) -> list[Any]:
    """The colour of each case."""
    from matplotlib import colormaps

    if colour is None:
        if s.count <= len(COLOURS):
            return list(COLOURS[: s.count])
        return [colormaps[SCALE](k / s.count) for k in range(s.count)]
    if _is_status(colour):
        return [STATUS_COLOURS.get(int(x), FAINT) for x in s.status]
    norm = _norm(colour)
    return [colormaps[SCALE](norm(x)) if np.isfinite(x) else FAINT for x in colour.values]


def _is_status(colour: CaseValues) -> bool:
    return colour.label == "status"


def _norm(colour: CaseValues) -> Any:
    from matplotlib.colors import Normalize

    known = colour.values[np.isfinite(colour.values)]
    return Normalize(float(known.min()), float(known.max())) if len(known) else Normalize(0.0, 1.0)


def _colour_bar(figure: "Figure", axes: "Sequence[Axes] | Axes", colour: CaseValues, drawn: Any = None) -> None:
    from matplotlib.cm import ScalarMappable

    shown = ScalarMappable(_norm(colour), SCALE) if drawn is None else drawn
    bar = figure.colorbar(shown, ax=axes, pad=0.02, aspect=30 if drawn is None else 20)
    bar.ax.tick_params(labelsize=8, color=FAINT, labelcolor=INK)
    bar.outline.set_edgecolor(FAINT)
    bar.ax.ticklabel_format(axis="y", useOffset=False, useMathText=True)
    verbatim(bar.ax.yaxis.label)
    bar.set_label(axis_text(f"{colour.label} {colour.how}".strip(), colour.unit, 40), fontsize=8, color=INK)


def _name_failures(ax: "Axes", s: SweepValues) -> None:
    failure = s.failure()
    if failure:
        alarm(ax, failure, 4.0)


# Over what was swept


def _against(
    s: SweepValues, x: CaseValues, values: list[CaseValues], colour: CaseValues | None, size: tuple[float, float] | None
) -> "Figure":
    figure, axes = sheet(len(values), axis_text(f"{x.label} {x.how}".strip(), x.unit, 60), size)
    for ax, y in zip(axes, values, strict=True):
        ended = s.status != FAILED
        if not np.isfinite(y.values).any():
            note(ax, "no finite values")
        elif colour is not None:
            shades = np.array(_shades(s, colour), object)
            ax.scatter(x.values[ended], y.values[ended], c=list(shades[ended]), s=14, linewidths=0)
        elif x.label in s.dims and s.count // s.data.sizes[x.label] <= MOST:
            _grid_lines(ax, s, x, y, first=ax is axes[0])
        else:
            ax.scatter(x.values[ended], y.values[ended], color=COLOURS[0], s=14, linewidths=0, alpha=0.7)
        ax.plot(x.values[~ended], y.values[~ended], "x", color=ALARM, markersize=5)
        set_value_limits(ax, [y.values], y.smallest, y.unit)
        verbatim(ax.set_ylabel(_two_lines(y), fontsize=9, color=INK))
    if colour is not None and _is_status(colour):
        points = {STATUS[k]: axes[0].scatter([], [], color=STATUS_COLOURS[k], s=14) for k in STATUS if k in s.status}
        legend(axes[0], [*points.values()], [*points], "")
    elif colour is not None:
        _colour_bar(figure, axes, colour)
    finish_axes(figure, axes, f"{s.system}: {s.count:,} cases")
    _name_failures(axes[0], s)
    return figure


def _two_lines(y: CaseValues) -> str:
    return f"{axis_text(y.label, '')}\n{axis_text(y.how, y.unit)}"


def _grid_lines(ax: "Axes", s: SweepValues, x: CaseValues, y: CaseValues, first: bool) -> None:
    """A line with points for each combination of the other dimensions."""
    from matplotlib import colormaps

    axis = s.dims.index(x.label)
    places, rows = (np.moveaxis(v.reshape(s.shape), axis, 0).reshape(s.shape[axis], -1) for v in (x.values, y.values))
    cases = np.moveaxis(np.arange(s.count).reshape(s.shape), axis, 0).reshape(s.shape[axis], -1)[0]
    others = [name for name in s.swept if name != x.label]
    drawn, count = [], rows.shape[1]
    order = np.argsort(places[:, 0], kind="stable")
    for k in range(count):
        shade = COLOURS[k] if count <= len(COLOURS) else colormaps[SCALE](k / count)
        drawn += ax.plot(places[order, k], rows[order, k], marker="o", markersize=3, linewidth=1.2, color=shade)
    if first and count > 1:
        legend(ax, drawn, [", ".join(f"{n} = {s.swept[n][c]:g}" for n in others) for c in cases], "")


def _maps(
    s: SweepValues, x: CaseValues, y: CaseValues, values: list[CaseValues], size: tuple[float, float] | None
) -> "Figure":
    grid = {x.label, y.label} <= set(s.dims) and x.label != y.label
    others = [d for d in s.dims if d not in (x.label, y.label)]
    if grid and any(s.data.sizes[d] > 1 for d in others):
        raise ArgumentError(
            f"sweep of {s.system}: a map has two dimensions; choose values of the others first, such as"
            f" dataset.isel({{{others[0]!r}: 0}})"
        )
    figure, axes = sheet(len(values), axis_text(f"{x.label} {x.how}".strip(), x.unit, 60), size, MAP)
    for ax, z in zip(axes, values, strict=True):
        drawn = _map(ax, s, x, y, z) if grid and min(s.data.sizes[d] for d in (x.label, y.label)) > 1 else None
        if drawn is None:
            drawn = ax.scatter(x.values, y.values, c=z.values, cmap=SCALE, s=22, linewidths=0, plotnonfinite=False)
        failed = s.status == FAILED
        ax.plot(x.values[failed], y.values[failed], "x", color=ALARM, markersize=5)
        verbatim(ax.set_ylabel(axis_text(y.label, y.unit), fontsize=9, color=INK))
        _colour_bar(figure, ax, z, drawn)
    finish_axes(figure, axes, f"{s.system}: {s.count:,} cases")
    _name_failures(axes[0], s)
    return figure


def _map(ax: "Axes", s: SweepValues, x: CaseValues, y: CaseValues, z: CaseValues) -> Any:
    """Coloured rectangles around the points of a grid."""
    order = [s.dims.index(y.label), s.dims.index(x.label)]
    rest = [k for k in range(len(s.dims)) if k not in order]
    cells = z.values.reshape(s.shape).transpose(*order, *rest).reshape(s.shape[order[0]], s.shape[order[1]])
    columns, rows = (np.asarray(s.data[v.label].values, float) for v in (x, y))
    by_row, by_column = np.argsort(rows, kind="stable"), np.argsort(columns, kind="stable")
    if len(np.unique(rows)) < len(rows) or len(np.unique(columns)) < len(columns):
        return None
    cells = np.ma.masked_invalid(cells[by_row][:, by_column])
    return ax.pcolormesh(columns[by_column], rows[by_row], cells, cmap=SCALE, shading="nearest")
