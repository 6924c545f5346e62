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


def solve(entries: Any, size: Any, right_sides: Any, rows: Any, matrix: Any, right: Any, least: Any) -> Any:
    """The numbers of x in A x = b, A symmetric, for each state; ``rows`` are multipliers, see ``constrained``."""
    shape = np.broadcast_shapes(*{np.shape(value) for value in (*matrix, *right)})
    A, b = np.zeros((size, size, *shape)), np.empty((size * right_sides, *shape))
    for (i, j), value in zip(entries, matrix, strict=True):
        A[i, j] = A[j, i] = value
    for k, value in enumerate(right):
        b[k] = value
    b = b.reshape(size, right_sides, *shape)
    A, b = np.moveaxis(A, (0, 1), (-2, -1)), np.moveaxis(b, (0, 1), (-2, -1))
    x = constrained(A, b, [*rows], least) if rows else each(A, b)
    return [*np.moveaxis(x, (-2, -1), (0, 1)).reshape(size * right_sides, *shape)]


def constrained(A: Any, b: Any, rows: Any, least: Any) -> Any:
    """x of A x = b with multipliers, whose rows have no diagonal entry, or multipliers alone. These are eliminated from
    C = -G inv(M) G' in this order; one is 0 where its pivot is smaller than ``least`` times its entry in C: its row
    depends on others."""
    speeds, m = [k for k in range(b.shape[-2]) if k not in rows], len(rows)
    G = np.ascontiguousarray(A[..., rows, :][..., speeds])  # so that one state has the products of many, to the bit
    free = each(A[..., speeds, :][..., speeds], np.concatenate([np.swapaxes(G, -2, -1), b[..., speeds, :]], -1))
    C, y = A[..., rows, :][..., rows] - G @ free[..., :m], b[..., rows, :] - G @ free[..., m:]
    scale = np.diagonal(C, axis1=-2, axis2=-1).copy()
    for k in range(m):
        pivot = C[..., k, k]
        inverse = np.where(pivot >= least * scale[..., k], 0.0, 1.0 / pivot)[..., None]
        ratio = (C[..., k + 1 :, k] * inverse)[..., None]
        C[..., k + 1 :, k + 1 :] -= ratio * C[..., k, None, k + 1 :]
        y[..., k + 1 :, :] -= ratio * y[..., k, None, :]
        y[..., k, :] *= inverse
        C[..., k + 1 :, k] = ratio[..., 0]
    for k in range(m - 1, 0, -1):
        y[..., :k, :] -= C[..., k, :k, None] * y[..., k, None, :]
    x = np.empty_like(b)
    x[..., speeds, :], x[..., rows, :] = free[..., m:] - free[..., :m] @ y, y
    return x


def sparse(
    order: Any, place: Any, rows: Any, below: Any, guards: Any, right_sides: Any, matrix: Any, right: Any, least: Any
) -> Any:
    """The numbers of x in A x = b by L D L', eliminated in this order: ``place`` says where the entries of A are in the
    factor (D, L column by column, and for multipliers a number each at ``guards``), ``rows`` which rows each column
    has, ``below`` what each column changes."""
    shape, n = np.broadcast_shapes(*{np.shape(value) for value in (*matrix, *right)}), len(order)
    factor, inverse = np.zeros((n + sum(map(len, rows)) + np.count_nonzero(guards), *shape)), np.empty((n, *shape))
    y, columns, start, first = np.empty((n, right_sides, *shape)), [], n, 0
    for k, value in zip(place, matrix, strict=True):
        factor[k] = value
    for k, unknown in enumerate(order):
        for side in range(right_sides):
            y[k, side] = right[unknown * right_sides + side]
    for k, some in enumerate(rows):
        pivot = factor[k] + factor[guards[k]] if guards[k] else factor[k]
        inverse[k] = 1.0 / pivot if not guards[k] else np.where(pivot >= least * factor[k], 0.0, 1.0 / pivot)
        column = factor[start : start + len(some)]
        i, j = np.tril_indices(len(some))
        ratio, chosen = column * inverse[k], [*some]
        factor[below[first : first + len(i)]] -= ratio[i] * column[j]
        y[chosen] -= ratio[:, None] * y[k]
        columns.append((chosen, ratio[:, None]))
        start, first = start + len(some), first + len(i)
    y *= inverse[:, None]
    for k in range(n - 1, -1, -1):
        chosen, ratio = columns[k]
        y[k] -= (ratio * y[chosen]).sum(axis=0)
    x = np.empty_like(y)
    x[[*order]] = y
    return [*x.reshape(n * right_sides, *shape)]


def each(A: Any, b: Any) -> Any:
    """x of A x = b; NaN for the states in which A is singular."""
    try:
        return np.linalg.solve(A, b)
    except np.linalg.LinAlgError:
        return np.full_like(b, np.nan) if A.ndim == 2 else np.stack([each(*pair) for pair in zip(A, b, strict=True)])
