"""Operators of blocks along a tree: one block for each body, the sweeps that follow from them, and Ω."""

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise

import numpy as np

from freebody.papers.operators.algebra import Array, Operator

Cell = tuple[int, int]


def slices(sizes: Sequence[int]) -> list[slice]:
    """Where blocks of these sizes lie in a stacked vector."""
    ends = list(accumulate(sizes, initial=0))
    return [slice(a, b) for a, b in pairwise(ends)]


class Blocks(Operator):
    """A matrix of few blocks: H, M, E_φ, K, B, … A product touches each of them once."""

    def __init__(self, name: str, rows: Sequence[int], columns: Sequence[int], cells: Mapping[Cell, Array]) -> None:
        self.name, self.shape, self.cells = name, (sum(rows), sum(columns)), dict(cells)
        self.rows, self.columns = slices(rows), slices(columns)

    def block(self, i: int, j: int) -> Array:
        """The block in row i, column j."""
        r, c = self.rows[i], self.columns[j]
        cell = self.cells.get((i, j))
        return np.zeros((r.stop - r.start, c.stop - c.start)) if cell is None else cell

    @property
    def matrix(self) -> Array:
        whole = np.zeros(self.shape)
        for (i, j), cell in self.cells.items():
            whole[self.rows[i], self.columns[j]] = cell
        return whole

    def forward(self, x: Array) -> Array:
        y = np.zeros((self.shape[0], *x.shape[1:]))
        for (i, j), cell in self.cells.items():
            y[self.rows[i]] += cell @ x[self.columns[j]]
        return y

    def backward(self, x: Array) -> Array:
        y = np.zeros((self.shape[1], *x.shape[1:]))
        for (i, j), cell in self.cells.items():
            y[self.columns[j]] += cell.T @ x[self.rows[i]]
        return y


class Diagonal(Blocks):
    """One block per body: it meets its own body's part of a vector and no other."""

    def __init__(self, name: str, blocks: Sequence[Array]) -> None:
        cells = {(k, k): b for k, b in enumerate(blocks)}
        super().__init__(name, [b.shape[0] for b in blocks], [b.shape[1] for b in blocks], cells)
        self.blocks = list(blocks)

    @property
    def inverse(self) -> "Diagonal":
        """Block by block."""
        return Diagonal(f"{self.name}⁻¹", [np.asarray(np.linalg.inv(b), dtype=float) for b in self.blocks])


class Shift(Blocks):
    """What every body hands to its parent (E_φ, E_ψ, K): block (parent of k, k). Roots hand nothing on."""

    def __init__(self, name: str, parents: Sequence[int], blocks: Sequence[Array]) -> None:
        cells = {(p, k): b for k, (p, b) in enumerate(zip(parents, blocks, strict=True)) if p >= 0}
        super().__init__(name, [6] * len(blocks), [b.shape[1] for b in blocks], cells)
        self.parents = list(parents)


class Transition(Operator):
    """φ = (I − E_φ)⁻¹ = I + E_φ + E_φ² + … of a shift (Eqs 2.4, 2.9, 3.3): block (i, j) is the product of the shift's
    blocks on the way from j inwards to i, and 0 where i is not on j's way to the ground (Eq 2.10)."""

    def __init__(self, name: str, shift: Shift) -> None:
        self.name, self.shift, self.shape = name, shift, shift.shape

    @property
    def inverse(self) -> Operator:
        """I − E_φ."""
        return 1 - self.shift

    def block(self, i: int, j: int) -> Array:
        product, parents = np.eye(6), self.shift.parents
        while j != i:
            if parents[j] < 0:
                return np.zeros((6, 6))
            product, j = self.shift.cells[parents[j], j] @ product, parents[j]
        return product

    @property
    def matrix(self) -> Array:
        whole, rows = np.zeros(self.shape), self.shift.rows
        for k, here in enumerate(rows):
            whole[here, here] = np.eye(6)
            i = k
            while self.shift.parents[i] >= 0:
                p = self.shift.parents[i]
                whole[rows[p], here] = self.shift.cells[p, i] @ whole[rows[i], here]
                i = p
        return whole

    def forward(self, x: Array) -> Array:
        """Inwards: y(p) = x(p) + Σ E(p, k) y(k) over the children, as f in Eq 2.1."""
        y, rows = x.copy(), self.shift.rows
        for (p, k), cell in reversed(self.shift.cells.items()):
            y[rows[p]] += cell @ y[rows[k]]
        return y

    def backward(self, x: Array) -> Array:
        """Outwards: y(k) = x(k) + E*(p, k) y(p) from the parent, as V and α in Eq 2.1."""
        y, rows = x.copy(), self.shift.rows
        for (p, k), cell in self.shift.cells.items():
            y[rows[k]] += cell.T @ y[rows[p]]
        return y


class OmegaOperator(Operator):
    """Ω = ψ* H* D⁻¹ H ψ (Eq 3.10). A product is two sweeps; block (i, j), with the nearest common ancestor c of both,
    is ψ*(c, i) Υ(c) ψ(c, j), and 0 between trees that share only the ground."""

    def __init__(self, psi: Transition, middle: Diagonal, upsilon: Diagonal) -> None:
        self.name, self.shape = "Ω", psi.shape
        self.psi, self.upsilon, self._swept = psi, upsilon, psi.T @ middle @ psi

    def common(self, i: int, j: int) -> int:
        """The nearest body on the way of both to the ground; −1 is the ground. Parents have smaller numbers."""
        while i != j:
            i, j = (self.psi.shift.parents[i], j) if i > j else (i, self.psi.shift.parents[j])
        return i

    def block(self, i: int, j: int) -> Array:
        c = self.common(i, j)
        if c < 0:
            return np.zeros((6, 6))
        return self.psi.block(c, i).T @ self.upsilon.blocks[c] @ self.psi.block(c, j)

    @property
    def matrix(self) -> Array:
        n = len(self.upsilon.blocks)
        return np.block([[self.block(i, j) for j in range(n)] for i in range(n)])

    def forward(self, x: Array) -> Array:
        return self._swept.forward(x)

    backward = forward

    @property
    def T(self) -> Operator:
        return self
