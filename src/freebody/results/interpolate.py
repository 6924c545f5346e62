"""Values between rows: cubic Hermite where rates are known, splines where they are not. Times never decrease; where one
comes twice the motion jumps, and what is asked for there is the later value."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def hermite(t: Array, x: Array, rates: Array, times: Array) -> Array:
    """The cubic through x and ẋ at both ends of each interval; its error is at most h⁴/384 max|x⁗|."""
    if len(t) == 1:
        return np.repeat(x, len(times), axis=0)
    k = np.clip(np.searchsorted(t, times, side="right") - 1, 0, len(t) - 2)
    h = (t[k + 1] - t[k])[:, None]
    s = np.divide((times - t[k])[:, None], h, out=np.ones_like(h), where=h > 0)
    a, b = x[k], x[k + 1]
    bend = (s - 1) * ((1 - 2 * s) * (b - a) + h * ((s - 1) * rates[k] + s * rates[k + 1]))
    return np.where(s < 1, a + s * (b - a) + s * bend, b)


def splined(t: Array, values: Array, times: Array) -> Array:
    """Cubic splines (of lower degree where rows are few), each from one jump to the next."""
    jumps = np.flatnonzero(np.diff(t) == 0) + 1
    bounds = [0, *jumps.tolist(), len(t)]
    piece = np.searchsorted(t[jumps], times, side="right")
    found = np.empty((len(times), *values.shape[1:]))
    for k in np.unique(piece):
        rows = slice(bounds[k], bounds[k + 1])
        found[piece == k] = _smooth(t[rows], values[rows], times[piece == k])
    return found


def _smooth(t: Array, values: Array, times: Array) -> Array:
    """One spline; a column with gaps (NaN, infinities) is joined by straight lines, so that its gaps stay where they
    are."""
    columns = values.reshape(len(t), -1)
    found = np.empty((len(times), columns.shape[1]))
    whole = np.isfinite(columns).all(axis=0)
    if whole.any():
        found[:, whole] = _spline(t, columns[:, whole], times)
    for k in np.flatnonzero(~whole):
        found[:, k] = np.interp(times, t, columns[:, k])
    return found.reshape(len(times), *values.shape[1:])


def _spline(t: Array, values: Array, times: Array) -> Array:
    from scipy.interpolate import make_interp_spline

    return np.asarray(make_interp_spline(t, values, min(3, len(t) - 1))(times))


def unwound(q: Array) -> Array:
    """The same rotations, with the signs that let quaternions go from row to row without a jump."""
    turns = np.sum(q[1:] * q[:-1], axis=1) < 0
    signs = np.where(np.cumsum(turns) % 2 == 1, -1.0, 1.0)
    return np.concatenate([q[:1], q[1:] * signs[:, None]])


def united(q: Array) -> Array:
    """Quaternions brought back to unit length."""
    return np.asarray(q / np.linalg.norm(q, axis=1, keepdims=True))
