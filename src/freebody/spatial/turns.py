"""Rotations between neighbouring frames, and how they transform vectors, symmetric and general matrices.

A turn takes components in a frame to components in the next one: v to R v, a matrix H to R H Rᵀ.
"""

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from freebody.scalar.graph import Graph
from freebody.spatial.scalars import Matrix, Scalar, Scalars, Six, Triple, dot3, full, times3, transpose

ROUNDING = 1e-14
"""Entries of a product of rotations this near to 0 or ±1 are set to it."""


class AxisTurn:
    """A turn by an angle about coordinate axis ``axis``: Euler's simple rotation."""

    def __init__(
        self, S: Scalars, axis: int, angle: Scalar, opposite: "AxisTurn | None" = None, joins: bool = False
    ) -> None:
        """``opposite``: the turn by the same angle that this one undoes. ``joins``: it becomes one turn with a
        neighbour about the same axis. That saves its sine and cosine if nothing is computed between them."""
        self.S, self.axis, self.angle, self._opposite, self.joins = S, axis, angle, opposite, joins

    @cached_property
    def s(self) -> Scalar:
        return self.S.sin(self.angle) if self._opposite is None else self.S.neg(self._opposite.s)

    @cached_property
    def c(self) -> Scalar:
        return self.S.cos(self.angle) if self._opposite is None else self._opposite.c

    @cached_property
    def back(self) -> "AxisTurn":
        """The turn the other way; sine and cosine are those of this one, whatever a graph makes of −angle."""
        if self._opposite is not None:
            return self._opposite
        return AxisTurn(self.S, self.axis, self.angle, self, self.joins)

    @property
    def arguments(self) -> tuple[Scalar, ...]:
        """What defines it; nothing is computed from it yet."""
        return (self.angle,)

    @property
    def entries(self) -> tuple[Scalar, ...]:
        """What its matrix is made of."""
        return self.s, self.c

    @property
    def rows(self) -> Matrix:
        """R"""
        S, k = self.S, self.axis
        rows = [[S.one if i == j else S.zero for j in range(3)] for i in range(3)]
        a, b = (k + 1) % 3, (k + 2) % 3
        rows[a][a], rows[a][b], rows[b][a], rows[b][b] = self.c, S.neg(self.s), self.s, self.c
        x, y, z = ((r[0], r[1], r[2]) for r in rows)
        return x, y, z

    def keeps(self, k: int) -> int | None:
        """The axis there that axis k here is, up to its sign."""
        return k if k == self.axis else None

    def then(self, other: "Turn") -> "AxisTurn | None":
        """Both turns as one, where one of them joins, they have the same axis, and both undo a turn or neither does."""
        if not isinstance(other, AxisTurn) or other.axis != self.axis or not (self.joins or other.joins):
            return None
        if (self._opposite is None) != (other._opposite is None):
            return None
        both = AxisTurn(self.S, self.axis, self.S.add(self.angle, other.angle))
        return both if self._opposite is None else both.back

    def pair(self, x: Scalar, y: Scalar) -> tuple[Scalar, Scalar]:
        if self.S.vanishes(x) and self.S.vanishes(y):
            return x, y  # no sine is needed
        S, s, c, mul = self.S, self.s, self.c, self.S.mul
        return S.sub(mul(c, x), mul(s, y)), S.add(mul(s, x), mul(c, y))

    def vector(self, v: Triple) -> Triple:
        k = self.axis
        a, b = self.pair(v[k - 2], v[k - 1])
        return (v[0], a, b) if k == 0 else (b, v[1], a) if k == 1 else (a, b, v[2])

    def symmetric(self, m: Six) -> Six:
        """By double angles: A = s²(mⱼⱼ − mᵢᵢ) − 2sc mᵢⱼ, m'ᵢᵢ = mᵢᵢ + A, m'ⱼⱼ = mⱼⱼ − A."""
        S, s, c, k = self.S, self.s, self.c, self.axis
        add, sub, mul, i, j = S.add, S.sub, S.mul, (k + 1) % 3, (k + 2) % 3
        ij, ik, jk = 2 + i + j, 2 + i + k, 2 + j + k  # xy, xz, yz stand at 3, 4, 5
        ss, sc, D = mul(s, s), mul(s, c), sub(m[j], m[i])
        A = sub(mul(ss, D), mul(add(sc, sc), m[ij]))
        out = list(m)
        out[i], out[j] = add(m[i], A), sub(m[j], A)
        out[ij] = sub(mul(sub(S.one, add(ss, ss)), m[ij]), mul(sc, D))
        out[ik], out[jk] = self.pair(m[ik], m[jk])
        return out[0], out[1], out[2], out[3], out[4], out[5]

    def matrix(self, H: Matrix) -> Matrix:
        """With D = H_bb − H_aa, T = H_ab + H_ba: aa gains s²D − scT, ab loses s²T + scD."""
        S, s, c, k = self.S, self.s, self.c, self.axis
        add, sub, mul, a, b = S.add, S.sub, S.mul, (k + 1) % 3, (k + 2) % 3
        ss, sc, D, T = mul(s, s), mul(s, c), sub(H[b][b], H[a][a]), add(H[a][b], H[b][a])
        A, B = sub(mul(ss, D), mul(sc, T)), add(mul(ss, T), mul(sc, D))
        out = [list(row) for row in H]
        out[a][a], out[a][b] = add(H[a][a], A), sub(H[a][b], B)
        out[b][a], out[b][b] = sub(H[b][a], B), sub(H[b][b], A)
        out[k][a], out[k][b] = self.pair(H[k][a], H[k][b])
        out[a][k], out[b][k] = self.pair(H[a][k], H[b][k])
        x, y, z = ((r[0], r[1], r[2]) for r in out)
        return x, y, z


class MatrixTurn:
    """A turn by a matrix R, whose exact zeros and ones cost nothing."""

    axis = None
    angle = None

    def __init__(self, S: Scalars, rows: Matrix) -> None:
        self.S, self.rows = S, rows

    @cached_property
    def back(self) -> "MatrixTurn":
        return MatrixTurn(self.S, transpose(self.rows))

    @property
    def entries(self) -> tuple[Scalar, ...]:
        x, y, z = self.rows
        return x + y + z

    arguments = entries

    def then(self, other: "Turn") -> "MatrixTurn | None":
        """Both turns as one, where their entries are numbers."""
        first, second = self.numbers, other.numbers if isinstance(other, MatrixTurn) else None
        if first is None or second is None:
            return None
        rows = (second @ first).tolist()
        near = [[round(v) if abs(v - round(v)) < ROUNDING else v for v in row] for row in rows]
        x, y, z = ((self.S.const(a), self.S.const(b), self.S.const(c)) for a, b, c in near)
        return MatrixTurn(self.S, (x, y, z))

    @cached_property
    def numbers(self) -> NDArray[np.float64] | None:
        """R, where all entries are numbers."""
        S = self.S
        values = [S.number(x) for x in self.entries] if isinstance(S, Graph) else [None]
        return None if None in values else np.array([float(v or 0) for v in values]).reshape(3, 3)

    @property
    def is_identity(self) -> bool:
        """Whether it changes nothing."""
        return self.numbers is not None and np.array_equal(self.numbers, np.eye(3))

    def keeps(self, k: int) -> int | None:
        rows = [i for i in range(3) if not self.S.vanishes(self.rows[i][k])]
        return rows[0] if len(rows) == 1 else None

    def vector(self, v: Triple) -> Triple:
        return times3(self.S, self.rows, v)

    def symmetric(self, m: Six) -> Six:
        S, (x, y, z), (P, Q, T) = self.S, self.rows, self._left(full(m))
        xx, xy, xz = dot3(S, x, P), dot3(S, y, P), dot3(S, z, P)
        yy, yz = dot3(S, y, Q), dot3(S, z, Q)
        return xx, yy, dot3(S, z, T), xy, xz, yz

    def matrix(self, H: Matrix) -> Matrix:
        P, Q, T = self._left(H)
        return self.vector(P), self.vector(Q), self.vector(T)

    def _left(self, H: Matrix) -> Matrix:
        """R H"""
        x, y, z = transpose(H)
        return transpose((self.vector(x), self.vector(y), self.vector(z)))


Turn = AxisTurn | MatrixTurn


def joined(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """Turns with the same effect, neighbours in one where they can be, and without those that undo each other."""
    result = list[Turn]()
    for turn in turns:
        both = result[-1].then(turn) if result else None
        if both is None:
            result.append(turn)
            continue
        result.pop()
        if isinstance(both, AxisTurn) or not both.is_identity:
            result.append(both)
    return tuple(result)
