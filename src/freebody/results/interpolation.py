"""Interpolation between the saved times of a run: splines between jumps, and unit quaternions.

Times never decrease along a run; a time that occurs twice is a jump, at which the later value holds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.tables import ShortRepr

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

KNOTS, BYTES = 20_000, 8 * 2**20
"""The largest number of knots that a run stores, and the largest memory they take."""


def max_knots(states: int) -> int:
    """How many knots with this number of states are stored."""
    return min(KNOTS, BYTES // (8 * (2 * states + 1)))


@dataclass(frozen=True, repr=False)
class Knots(ShortRepr):
    """Times, states and rates at the ends of the integrator's steps, in the order of the run."""

    t: Array
    x: Array
    x_dot: Array

    @staticmethod
    def none(states: int) -> "Knots":
        return Knots(np.empty(0), np.empty((0, states)), np.empty((0, states)))

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, rows: Indices) -> "Knots":
        return Knots(self.t[rows], self.x[rows], self.x_dot[rows])

    def joined(self, others: "Knots", sign: float) -> "Knots":
        """These and others in the order of time; at a time that both have, these."""
        more = others[np.flatnonzero(~np.isin(others.t, self.t))]
        pairs = ((self.t, more.t), (self.x, more.x), (self.x_dot, more.x_dot))
        both = Knots(*(np.concatenate(pair) for pair in pairs))
        return both[np.argsort(both.t * sign, kind="stable")]


class Timeline:
    """Saved times and the times of jumps. A run may go backwards in time: ``sign`` is then −1."""

    def __init__(self, t: Array, jumps: Array) -> None:
        self.saved, self.jumps = t, np.repeat(jumps, 2)
        self.sign = -1.0 if len(t) and t[-1] < t[0] else 1.0
        self.low, self.high = sorted(map(float, t[[0, -1]])) if len(t) else (np.inf, -np.inf)

    def inside(self, times: Array) -> Array | None:
        """The times, if the run covers them; times that rounding puts outside are moved to the edge."""
        if not len(self.saved):
            return None
        slack = 4 * np.spacing(max(abs(self.low), abs(self.high)))
        covered = np.all((times >= self.low - slack) & (times <= self.high + slack))
        return np.asarray(np.clip(times, self.low, self.high)) if covered else None

    @cached_property
    def t(self) -> Array:
        """All times, those of jumps twice."""
        return self.merge(self.saved, self.jumps)

    def merge(self, values: Array, sides: Array | None) -> Array:
        """Values at the saved times and at both sides of the jumps (before, after, before, …), in the order of time."""
        inside, saved, order = self._order
        return values if sides is None or not len(inside) else np.concatenate([sides[inside], values[saved]])[order]

    @cached_property
    def _order(self) -> tuple[Indices, Indices, Indices]:
        """The sides within the saved times; the saved rows at no jump; the order of both in time."""
        inside = np.flatnonzero((self.jumps >= self.low) & (self.jumps <= self.high))
        saved = np.flatnonzero(~np.isin(self.saved, self.jumps[inside]))
        order = np.argsort(np.concatenate([self.jumps[inside], self.saved[saved]]) * self.sign, kind="stable")
        return inside, saved, order


class Pieces:
    """The rows of increasing times between jumps."""

    def __init__(self, t: Array) -> None:
        starts = np.flatnonzero(np.diff(t) == 0) + 1
        self.jumps = t[starts]
        self.rows = [slice(a, b) for a, b in pairwise([0, *starts.tolist(), len(t)])]

    def of(self, times: Array) -> Iterator[tuple[slice, NDArray[np.bool_]]]:
        """Rows, and which of the times lie between them."""
        piece = np.searchsorted(self.jumps, times, side="right")
        for k in np.unique(piece):
            yield self.rows[k], piece == k


class HermiteCurve:
    """The cubic through x and ẋ at both ends of each interval; its error is at most h⁴/384 max|x⁗|. A rate that is not
    finite, as where a run failed, is replaced by the slope of the chord next to it."""

    def __init__(self, t: Array, x: Array, rates: Array) -> None:
        self.t, self.x, self.rates, self.pieces = t, x, rates, Pieces(t)
        self._cubics: dict[int, Any] = {}

    def __call__(self, times: Array) -> Array:
        from scipy.interpolate import CubicHermiteSpline

        values = np.empty((len(times), *self.x.shape[1:]))
        for rows, here in self.pieces.of(times):
            values[here] = self.x[rows][-1]
            inside = here & (times < self.t[rows][-1])
            if inside.any():
                finite = np.isfinite(self.x[rows]).all()
                if finite and rows.start not in self._cubics:
                    self._cubics[rows.start] = CubicHermiteSpline(self.t[rows], self.x[rows], self._slopes(rows))
                values[inside] = self._cubics[rows.start](times[inside]) if finite else self._local(rows, times[inside])
        return values

    def _slopes(self, rows: slice) -> Array:
        """The rates, and those of chords where rates are not finite."""
        rates = self.rates[rows]
        if np.isfinite(rates).all():
            return rates
        t, x = self.t[rows], self.x[rows]
        chords = np.diff(x, axis=0) / np.diff(t).reshape(-1, *[1] * (x.ndim - 1))
        return np.where(np.isfinite(rates), rates, np.concatenate([chords[:1], chords]))

    def _local(self, rows: slice, times: Array) -> Array:
        """The same cubics, where NaN and infinities of a failed run concern only the intervals beside them."""
        t, x, rates = self.t[rows], self.x[rows], self._slopes(rows)
        k = np.clip(np.searchsorted(t, times, side="right") - 1, 0, len(t) - 2)
        h = (t[k + 1] - t[k])[:, None]
        s = (times - t[k])[:, None] / h
        ends = (1 + 2 * s) * (1 - s) ** 2 * x[k] + s**2 * (3 - 2 * s) * x[k + 1]
        return np.asarray(ends + h * (s * (1 - s) ** 2 * rates[k] + s**2 * (s - 1) * rates[k + 1]))


def spline(t: Array, values: Array, times: Array) -> Array:
    """Cubic splines (of lower degree where rows are few); a column with NaN or infinities is joined by straight lines,
    so that its gaps stay where they are."""
    from scipy.interpolate import make_interp_spline

    columns = values.reshape(len(t), -1)
    result = np.empty((len(times), columns.shape[1]))
    for rows, here in Pieces(t).of(times):
        finite = np.isfinite(columns[rows]).all(axis=0)
        if finite.any():
            degree = min(3, len(t[rows]) - 1)
            result[np.ix_(here, finite)] = make_interp_spline(t[rows], columns[rows][:, finite], degree)(times[here])
        for k in np.flatnonzero(~finite):
            result[here, k] = np.interp(times[here], t[rows], columns[rows, k])
    return result.reshape(len(times), *values.shape[1:])


def unwound(q: Array) -> Array:
    """The same rotations, with the signs that let quaternions change from row to row without a jump."""
    turns = np.sum(q[1:] * q[:-1], axis=1) < 0
    signs = np.where(np.cumsum(turns) % 2 == 1, -1.0, 1.0)
    return np.concatenate([q[:1], q[1:] * signs[:, None]])


def normalised(q: Array) -> Array:
    """Quaternions of unit length."""
    return np.asarray(q / np.linalg.norm(q, axis=1, keepdims=True))
