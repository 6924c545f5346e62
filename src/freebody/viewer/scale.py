"""Numbers made fit to be drawn: what is too large or too many, axes for constants, units as they are written."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MOST = 4000
"""Bins into which longer series are gathered; a picture is not as many pixels wide."""

HUGE, TINY, FLAT = 1e306, 1e-12, 1e-9
"""Beyond the first nothing is drawn, for the margins and ticks of an axis must be numbers too; below the second all is
0; a change below the third, relative to the values, is rounding and drawn as a constant."""

SIGNS = {"**": "^", "^2": "²", "^3": "³", "*": "·"}


def drawable(values: Array) -> Array:
    """The values, with gaps where they are not finite or too large for axes."""
    return np.where(np.abs(values) < HUGE, values, np.nan)


def missing(series: list[Array]) -> str:
    """Why there is nothing to draw; empty where there is something."""
    if any(np.isfinite(drawable(y)).any() for y in series):
        return ""
    if any(np.isfinite(y).any() for y in series):
        return f"all values are beyond {HUGE:g}, too large for an axis"
    return "no finite values" if any(len(y) for y in series) else "no times"


def thin(t: Array, y: Array, most: int = MOST) -> tuple[Array, Array]:
    """A long series by the least and the largest of each bin, in order, so that no peak is lost."""
    if len(t) <= 2 * most:
        return t, y
    edges = np.linspace(0, len(t), most + 1).astype(int)
    lengths = np.diff(edges)
    width = int(lengths.max())
    rows = np.minimum(edges[:-1, None] + np.arange(width), edges[1:, None] - 1)
    bins = y[rows]
    picks = np.stack([rows[np.arange(most), bins.argmin(axis=1)], rows[np.arange(most), bins.argmax(axis=1)]])
    kept = np.unique(np.concatenate([[0, len(t) - 1], picks.ravel()]))
    return t[kept], y[kept]


def limits(series: list[Array]) -> tuple[float, float] | None:
    """Of an axis for values that do not change; None where they do, and the axis finds its own."""
    values = np.concatenate([*series, np.empty(0)])
    values = values[np.isfinite(values)]
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    size = max(abs(low), abs(high))
    if size < TINY:
        return -1.0, 1.0
    middle = (low + high) / 2
    return (middle - size / 2, middle + size / 2) if high - low < FLAT * size else None


def unit_text(unit: str) -> str:
    """m/s^2 as m/s², N*m as N·m."""
    for said, sign in SIGNS.items():
        unit = unit.replace(said, sign)
    return unit
