"""Linear maps as a matrix, for study, and as a product with vectors that never forms it; and those of a tree: one block
for each body, the sweeps that follow from them, and Ω.

Products, sums and transposes of operators are lazy: ``(H @ phi @ M @ phi.T @ H.T) @ x`` applies one factor after the
other, from right to left. A number among operators stands for as many times the identity: ``1 + H @ phi @ K``.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import accumulate, pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.errors import ArgumentError
from freebody.numeric import as_number

Array = NDArray[np.float64]
Cell = tuple[int, int]


class Operator(ABC):
    """A linear map. ``op @ x`` takes a vector or columns; ``op.T`` is the transpose (the paper's op*)."""

    __array_ufunc__ = None  # an array times an operator is the product of the operator
    name: str
    shape: tuple[int, int]

    @property
    @abstractmethod
    def matrix(self) -> Array:
        """The whole matrix, zeros included."""

    @abstractmethod
    def forward(self, x: Array) -> Array:
        """The product with columns, matrix not formed."""

    @abstractmethod
    def backward(self, x: Array) -> Array:
        """The transpose's product with columns, matrix not formed."""

    @property
    def T(self) -> "Operator":
        return Transposed(self)

    @overload
    def __matmul__(self, other: "Operator") -> "Operator": ...
    @overload
    def __matmul__(self, other: ArrayLike) -> Array: ...
    def __matmul__(self, other: Any) -> "Operator | Array":
        if isinstance(other, Operator):
            pair = ((o.factors if isinstance(o, OperatorProduct) else (o,)) for o in (self, other))
            return OperatorProduct(*(factor for factors in pair for factor in factors))
        return self.forward(fitting(self, other))

    def __rmatmul__(self, other: ArrayLike) -> Array:
        return self.backward(fitting(self.T, np.asarray(other, dtype=float).T)).T

    def __add__(self, other: "Operator | float") -> "Operator":
        return OperatorSum(*terms(self, self), *terms(other, self))

    def __sub__(self, other: "Operator | float") -> "Operator":
        return OperatorSum(*terms(self, self), *((-c, o) for c, o in terms(other, self)))

    def __radd__(self, other: float) -> "Operator":
        return OperatorSum(*terms(other, self), *terms(self, self))

    def __rsub__(self, other: float) -> "Operator":
        return OperatorSum(*terms(other, self), *((-c, o) for c, o in terms(self, self)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.matrix, dtype=dtype)

    def __repr__(self) -> str:
        return f"<{self.name}: {self.shape[0]} × {self.shape[1]}>"


class Identity(Operator):
    """1."""

    def __init__(self, size: int) -> None:
        self.name, self.shape = "I", (size, size)

    @property
    def matrix(self) -> Array:
        return np.eye(self.shape[0])

    def forward(self, x: Array) -> Array:
        return x

    backward = forward

    @property
    def T(self) -> Operator:
        return self


class Transposed(Operator):
    """The transpose of an operator: an inward sweep becomes an outward one."""

    def __init__(self, of: Operator) -> None:
        self.of, self.name, self.shape = of, f"{of.name}*", (of.shape[1], of.shape[0])

    @property
    def matrix(self) -> Array:
        return self.of.matrix.T

    def forward(self, x: Array) -> Array:
        return self.of.backward(x)

    def backward(self, x: Array) -> Array:
        return self.of.forward(x)

    @property
    def T(self) -> Operator:
        return self.of


class OperatorProduct(Operator):
    """Operators one after the other, the last one first."""

    def __init__(self, *factors: Operator) -> None:
        for left, right in pairwise(factors):
            if left.shape[1] != right.shape[0]:
                raise ArgumentError(
                    f"{left!r} cannot be multiplied by {right!r}: the number of columns of the first is not the"
                    " number of rows of the second"
                )
        self.factors, self.shape = factors, (factors[0].shape[0], factors[-1].shape[1])
        self.name = " ".join(f"[{f.name}]" if isinstance(f, OperatorSum) else f.name for f in factors)

    @property
    def matrix(self) -> Array:
        return reduce(np.matmul, [f.matrix for f in self.factors])

    def forward(self, x: Array) -> Array:
        return reduce(lambda y, f: f.forward(y), reversed(self.factors), x)

    def backward(self, x: Array) -> Array:
        return reduce(lambda y, f: f.backward(y), self.factors, x)

    @property
    def T(self) -> Operator:
        return OperatorProduct(*(f.T for f in reversed(self.factors)))


class OperatorSum(Operator):
    """Σ number · operator."""

    def __init__(self, *terms: tuple[float, Operator]) -> None:
        first = terms[0][1]
        for _, o in terms:
            if o.shape != first.shape:
                raise ArgumentError(f"{first!r} and {o!r} have different shapes and cannot be added")
        self.terms, self.shape = terms, first.shape
        self.name = ""
        for c, o in terms:
            sign = (" - " if c < 0 else " + ") if self.name else "-" if c <= 0 else ""
            self.name += f"{sign}{'' if abs(c) == 1 else f'{abs(c):g} '}{o.name}"

    @property
    def matrix(self) -> Array:
        return reduce(np.add, [c * o.matrix for c, o in self.terms])

    def forward(self, x: Array) -> Array:
        return reduce(np.add, [c * o.forward(x) for c, o in self.terms])

    def backward(self, x: Array) -> Array:
        return reduce(np.add, [c * o.backward(x) for c, o in self.terms])

    @property
    def T(self) -> Operator:
        return OperatorSum(*((c, o.T) for c, o in self.terms))


def terms(o: "Operator | float", beside: Operator) -> tuple[tuple[float, Operator], ...]:
    """An operator's terms; a number beside a square operator is so many identities."""
    if isinstance(o, Operator):
        return o.terms if isinstance(o, OperatorSum) else ((1.0, o),)
    if as_number(o) is None:
        raise ArgumentError(
            f"{o!r} cannot be added to an operator: add an operator, or a number, which stands for that multiple of"
            " the identity"
        )
    if beside.shape[0] != beside.shape[1]:
        raise ArgumentError(f"{beside!r} is not square: {o} times the identity cannot be added to it")
    return ((float(o), Identity(beside.shape[0])),)


def fitting(o: Operator, x: ArrayLike) -> Array:
    """A vector, or columns, as long as the operator is wide."""
    array = np.asarray(x, dtype=float)
    if array.ndim not in (1, 2) or array.shape[0] != o.shape[1]:
        raise ArgumentError(
            f"{o!r} can be multiplied by {o.shape[1]} numbers or by columns of as many, not by an array of shape"
            f" {array.shape}"
        )
    return array


# Along a tree


def slices(sizes: Sequence[int]) -> list[slice]:
    """Where blocks of these sizes lie in a stacked vector."""
    return [slice(a, b) for a, b in pairwise(accumulate(sizes, initial=0))]


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
    """What every body hands to its parent (E_φ, E_ψ, K): block (parent of k, k). Roots hand nothing on. ``sizes`` are
    those of the bodies' parts of a vector."""

    def __init__(self, name: str, parents: Sequence[int], sizes: Sequence[int], blocks: Sequence[Array]) -> None:
        cells = {(p, k): b for k, (p, b) in enumerate(zip(parents, blocks, strict=True)) if p >= 0}
        super().__init__(name, sizes, [b.shape[1] for b in blocks], cells)
        self.parents, self.sizes = list(parents), list(sizes)


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
        parents, sizes = self.shift.parents, self.shift.sizes
        size, product = sizes[j], np.eye(sizes[j])
        while j != i:
            if parents[j] < 0:
                return np.zeros((sizes[i], size))
            product, j = self.shift.cells[parents[j], j] @ product, parents[j]
        return product

    @property
    def matrix(self) -> Array:
        whole, rows = np.zeros(self.shape), self.shift.rows
        for k, here in enumerate(rows):
            whole[here, here] = np.eye(self.shift.sizes[k])
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
            return np.zeros((self.psi.shift.sizes[i], self.psi.shift.sizes[j]))
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
