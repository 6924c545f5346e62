"""Linearisations as expressions of the operating point."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.field import Point, Rows
from freebody.analysis.linearise import Near
from freebody.analysis.zero import vanishing
from freebody.formulations.solve import dot
from freebody.quantities.factor import factored
from freebody.scalar.expr import Expr
from freebody.scalar.walk import substitute


@dataclass(frozen=True)
class Symbolic:
    """A, B, C, D as arrays of expressions of the operating point, in the order of the names."""

    A: NDArray[np.object_] = field(repr=False)
    B: NDArray[np.object_] = field(repr=False)
    C: NDArray[np.object_] = field(repr=False)
    D: NDArray[np.object_] = field(repr=False)
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


class Written(Near):
    """The derivatives of a field, written out."""

    def symbolic(self, point: Point, values: Mapping[int, int]) -> Symbolic:
        """The same as expressions, ``values`` put in the places of symbols; parameters of the point decide which
        entries are zero everywhere."""
        n, m, k = self.sizes
        size, J = n + m + k, self._solved()
        T, over = self._map(point)
        A, B, C, D = (r for r in _quarters(J, size))
        if self.minimal:
            top = self._top(A, over, point)
            A = [*top, *self._times(A[n:], T)]
            B, C = [*self._times(over, B[:n]), *B[n:]], self._times(C, T)
        blocks = [self._expressions(block, values) for block in (A, B, C, D)]
        width = len(self.states), len(self.inputs)
        shapes = [(width[0], width[0]), width, (len(self.outputs), width[0]), (len(self.outputs), width[1])]
        a, b, c, d = (block.reshape(shape) for block, shape in zip(blocks, shapes, strict=True))
        return Symbolic(a, b, c, d, **self.names)

    def _solved(self) -> Rows:
        """The Jacobian with M⁻¹ on the rows of the speeds, and u̇ put in its symbols' places."""
        f, (n, m, _) = self.field, self.sizes
        factor, J = f.factor, [list(row) for row in self.jacobian(f.rest)]
        columns = [factor.solve([row[j] for row in J[n : n + m]]) for j in range(len(J[0]))] if m else []
        for i in range(m):
            J[n + i] = [column[i] for column in columns]
        for i, row in enumerate(self.felt):
            moved = [dot(self.graph, row, [J[n + k][j] for k in range(m)]) for j in range(len(J[0]))]
            J[i - len(self.felt)] = [self.graph.add(a, b) for a, b in zip(J[i - len(self.felt)], moved, strict=True)]
        held = dict(zip(f.groups["u_dot"], f.u_dot, strict=True))
        flat = iter(substitute(self.graph, [h for row in J for h in row], held))
        return [[next(flat) for _ in row] for row in J]

    def _map(self, point: Point) -> tuple[Rows, Rows]:
        """T, and N⁺ = (NᵀN)⁻¹ Nᵀ."""
        g, f, (n, m, k) = self.graph, self.field, self.sizes
        wide = len(f.directions)
        N = f.dense(f.ways, n, wide)
        T = [[*row, *[g.zero] * (m + k)] for row in N]
        T += [[g.one if j == wide + i else g.zero for j in range(wide + m + k)] for i in range(m + k)]
        pairs = {(i, j): self._paired(N, i, j) for i in range(wide) for j in range(i + 1)}
        zero = vanishing(f, list(pairs.values()), point)
        square = {key: e for (key, e), gone in zip(pairs.items(), zero, strict=True) if not gone}
        inverse = factored(g, square, wide) if wide else None
        columns = [inverse.solve(row) for row in N] if inverse is not None else []
        return T, [[column[i] for column in columns] for i in range(wide)]

    def _paired(self, N: Rows, i: int, j: int) -> int:
        """Column i times column j of N; those of two joints share no row."""
        return dot(self.graph, [row[i] for row in N], [row[j] for row in N])

    def _top(self, A: Rows, over: Rows, point: Point) -> Rows:
        """N⁺ (∂q̇/∂q N − Ṅ), N⁺ ∂q̇/∂u (1 where all is holonomic) and 0: the rows of δ̇."""
        g, f, (n, m, k) = self.graph, self.field, self.sizes
        N, turning = (f.dense(e, n, len(f.directions)) for e in (f.ways, self.turning))
        led = self._times([row[:n] for row in A[:n]], N)
        moved = [[g.sub(a, b) for a, b in zip(*rows, strict=True)] for rows in zip(led, turning, strict=True)]
        block = self._times(over, moved)
        zero = iter(vanishing(f, [h for row in block for h in row], point))
        block = [[g.zero if next(zero) else h for h in row] for row in block]
        one = [[g.one if i == j else g.zero for j in range(m)] for i in range(m)]
        one = one if f.holonomic else self._times(over, f.dense(f.tangent, n, m))
        return [[*a, *b, *[g.zero] * k] for a, b in zip(block, one, strict=True)]

    def _times(self, left: Rows, right: Rows) -> Rows:
        columns = [list(c) for c in zip(*right, strict=True)]
        return [[dot(self.graph, row, column) for column in columns] for row in left]

    def _expressions(self, rows: Rows, values: Mapping[int, int]) -> NDArray[np.object_]:
        g, flat = self.graph, [h for row in rows for h in row]
        made = np.empty(len(flat), object)
        made[:] = [Expr(g, h) for h in substitute(g, flat, values)]
        return made


def _quarters(J: Rows, size: int) -> tuple[Rows, Rows, Rows, Rows]:
    top, low = J[:size], J[size:]
    return [r[:size] for r in top], [r[size:] for r in top], [r[:size] for r in low], [r[size:] for r in low]
