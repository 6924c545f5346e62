"""What NumPy lacks or does otherwise with NaN. The text of this file stands at the beginning of every source that is
emitted."""

from typing import Any

import numpy as np


def known(value: Any, a: Any, b: Any) -> Any:
    """The value as a number; NaN where a or b is NaN."""
    return np.where(np.isnan(a) | np.isnan(b), np.nan, value)


def less(a: Any, b: Any) -> Any:
    return known(a < b, a, b)


def less_equal(a: Any, b: Any) -> Any:
    return known(a <= b, a, b)


def equal(a: Any, b: Any) -> Any:
    return known(a == b, a, b)


def not_equal(a: Any, b: Any) -> Any:
    return known(a != b, a, b)


def choose(c: Any, a: Any, b: Any) -> Any:
    """a where c is not 0, else b; NaN where c is NaN."""
    return known(np.where(c != 0.0, a, b), c, c)


def power(a: Any, b: Any) -> Any:
    """a to the power b; NaN also for NaN to the power 0 and 1 to the power NaN."""
    return known(np.power(a, b), a, b)


def curve(breaks: Any, origins: Any, coefficients: Any, x: Any) -> Any:
    """A piecewise polynomial: the piece by search, its value by Horner's rule."""
    piece = np.searchsorted(breaks, x, side="right")
    away, value = x - np.take(origins, piece), 0.0
    for row in coefficients[::-1]:
        value = value * away + np.take(row, piece)
    return value


def solve(entries: Any, size: Any, right_sides: Any, matrix: Any, right: Any) -> Any:
    """The numbers of x in A x = b, A symmetric, for each state."""
    shape = np.broadcast_shapes(*{np.shape(value) for value in (*matrix, *right)})
    A, b = np.zeros((size, size, *shape)), np.empty((size * right_sides, *shape))
    for (i, j), value in zip(entries, matrix, strict=True):
        A[i, j] = A[j, i] = value
    for k, value in enumerate(right):
        b[k] = value
    b = b.reshape(size, right_sides, *shape)
    x = each(np.moveaxis(A, (0, 1), (-2, -1)), np.moveaxis(b, (0, 1), (-2, -1)))
    return [*np.moveaxis(x, (-2, -1), (0, 1)).reshape(size * right_sides, *shape)]


def each(A: Any, b: Any) -> Any:
    """x of A x = b; NaN for the states in which A is singular."""
    try:
        return np.linalg.solve(A, b)
    except np.linalg.LinAlgError:
        return np.full_like(b, np.nan) if A.ndim == 2 else np.stack([each(*pair) for pair in zip(A, b, strict=True)])
