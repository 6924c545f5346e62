"""Tables: a curve through points, as a piecewise polynomial whose derivative is again one.

Tyre and spring curves are tables. A table is kept as pieces: from ``breaks[k-1]`` to ``breaks[k]`` the value is
Σ coefficients[k][j]·(x − origins[k])ʲ; the first and the last piece reach to ∓∞.
"""

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

from freebody.errors import ExpressionError

Rows = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Table:
    """A piecewise polynomial of x; equal tables are one table."""

    name: str
    breaks: tuple[float, ...]
    origins: tuple[float, ...]
    coefficients: Rows

    @property
    def degree(self) -> int:
        return len(self.coefficients[0]) - 1

    def value(self, x: float) -> float:
        """The curve at x."""
        if math.isnan(x):
            return x
        k = bisect_right(self.breaks, x)
        step, total = x - self.origins[k], 0.0
        for c in reversed(self.coefficients[k]):
            total = total * step + c
        return total

    @cached_property
    def derivative(self) -> "Table":
        """dy/dx; at a break of a curve with kinks, the slope to its right."""
        rows = tuple(tuple(j * c for j, c in enumerate(row) if j) or (0.0,) for row in self.coefficients)
        return Table(f"{self.name}'", self.breaks, self.origins, rows)


def table(
    name: str,
    x: Sequence[float],
    y: Sequence[float],
    method: Literal["linear", "cubic"] = "linear",
    outside: Literal["extend", "hold"] = "extend",
) -> Table:
    """The curve through (x, y): straight lines, or monotone cubics (Fritsch & Butland 1984) without overshoot.

    Beyond its ends it goes on straight with the end's slope (``extend``) or stays at the end's value (``hold``).
    """
    if not isinstance(name, str):
        raise ExpressionError(f"the name of a table must be text, not {name!r}")
    xs, ys = _points(name, x, y)
    words = isinstance(method, str) and isinstance(outside, str)
    if not words or method not in ("linear", "cubic") or outside not in ("extend", "hold"):
        raise ExpressionError(f"table '{name}': method is 'linear' or 'cubic' and outside is 'extend' or 'hold'")
    rows = _lines(xs, ys) if method == "linear" else _cubics(xs, ys)
    width = len(rows[0])
    first, last = (_slope(rows[0], 0.0), _slope(rows[-1], xs[-1] - xs[-2])) if outside == "extend" else (0.0, 0.0)
    ends = [(value, slope, *(0.0,) * (width - 2)) for value, slope in ((ys[0], first), (ys[-1], last))]
    return Table(name, tuple(xs), (xs[0], *xs), (ends[0], *rows, ends[1]))


def _numbers(name: str, letter: str, values: Any) -> list[float]:
    try:
        if isinstance(values, str | bytes | Mapping):
            raise TypeError
        return [float(v) for v in values]
    except (TypeError, ValueError, OverflowError, ExpressionError):
        raise ExpressionError(f"table '{name}': {letter} must be a row of numbers, not {values!r}"[:300]) from None


def _points(name: str, x: Sequence[float], y: Sequence[float]) -> tuple[list[float], list[float]]:
    xs, ys = (_numbers(name, letter, values) for letter, values in (("x", x), ("y", y)))
    if len(xs) != len(ys) or len(xs) < 2:
        raise ExpressionError(f"table '{name}' needs as many y as x, at least two: got {len(xs)} x and {len(ys)} y")
    if not all(map(math.isfinite, xs + ys)):
        raise ExpressionError(f"table '{name}' holds a value that is not finite")
    for k, (left, right) in enumerate(pairwise(xs)):
        if not left < right:
            raise ExpressionError(f"table '{name}': x must increase, but x[{k + 1}] = {right} follows {left}")
    return xs, ys


def _lines(xs: list[float], ys: list[float]) -> Rows:
    points = pairwise(zip(xs, ys, strict=True))
    return tuple((y0, (y1 - y0) / (x1 - x0)) for (x0, y0), (x1, y1) in points)


def _cubics(xs: list[float], ys: list[float]) -> Rows:
    """Hermite cubics on slopes that keep the data's monotonicity."""
    h = [b - a for a, b in pairwise(xs)]
    d = [(b - a) / s for (a, b), s in zip(pairwise(ys), h, strict=True)]
    slopes = _slopes(h, d)
    rows = zip(ys, pairwise(slopes), h, d, strict=False)
    return tuple((y, m0, (3 * t - 2 * m0 - m1) / s, (m0 + m1 - 2 * t) / (s * s)) for y, (m0, m1), s, t in rows)


def _slopes(h: list[float], d: list[float]) -> list[float]:
    if len(h) == 1:
        return [d[0], d[0]]
    inner = [_mean(h[k - 1], h[k], d[k - 1], d[k]) for k in range(1, len(h))]
    return [_end(h[0], h[1], d[0], d[1]), *inner, _end(h[-1], h[-2], d[-1], d[-2])]


def _mean(h0: float, h1: float, d0: float, d1: float) -> float:
    """The weighted harmonic mean of the neighbours' slopes; 0 at a turning point."""
    if d0 * d1 <= 0:
        return 0.0
    w0, w1 = 2 * h1 + h0, h1 + 2 * h0
    return (w0 + w1) / (w0 / d0 + w1 / d1)


def _end(h0: float, h1: float, d0: float, d1: float) -> float:
    """The slope of the parabola through the first three points, limited so that it does not overshoot."""
    slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1)
    if slope * d0 <= 0:
        return 0.0
    return 3 * d0 if d0 * d1 <= 0 and abs(slope) > abs(3 * d0) else slope


def _slope(row: tuple[float, ...], step: float) -> float:
    return sum(j * c * step ** (j - 1) for j, c in enumerate(row) if j)
