"""Linear maps as a matrix, for study, and as a product with vectors that never forms it.

Products, sums and transposes of operators are lazy: ``(H @ phi @ M @ phi.T @ H.T) @ x`` applies one factor after the
other, from right to left. A number among operators stands for as many times the identity: ``1 + H @ phi @ K``.
"""

from abc import ABC, abstractmethod
from functools import reduce
from itertools import pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.errors import ArgumentError

Array = NDArray[np.float64]


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
            return OperatorProduct(*factors(self), *factors(other))
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
                raise ArgumentError(f"{left!r} cannot be multiplied by {right!r}: columns and rows do not fit")
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
                raise ArgumentError(f"{first!r} and {o!r} have different shapes and no sum")
        self.terms, self.shape = terms, first.shape
        self.name = "".join(_signed(k, c, o) for k, (c, o) in enumerate(terms))

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


def factors(o: Operator) -> tuple[Operator, ...]:
    return o.factors if isinstance(o, OperatorProduct) else (o,)


def terms(o: "Operator | float", beside: Operator) -> tuple[tuple[float, Operator], ...]:
    """An operator's terms; a number beside a square operator is so many identities."""
    if isinstance(o, Operator):
        return o.terms if isinstance(o, OperatorSum) else ((1.0, o),)
    if not isinstance(o, int | float):
        raise ArgumentError(f"an operator and {o!r} have no sum: add an operator, or a number for so many identities")
    if beside.shape[0] != beside.shape[1]:
        raise ArgumentError(f"{beside!r} is not square: {o} times the identity cannot be added to it")
    return ((float(o), Identity(beside.shape[0])),)


def fitting(o: Operator, x: ArrayLike) -> Array:
    """A vector, or columns, as long as the operator is wide."""
    array = np.asarray(x, dtype=float)
    if array.ndim not in (1, 2) or array.shape[0] != o.shape[1]:
        raise ArgumentError(f"{o!r} takes {o.shape[1]} numbers, or columns of as many, not shape {array.shape}")
    return array


def _signed(k: int, c: float, o: Operator) -> str:
    sign = "" if k == 0 and c > 0 else "-" if k == 0 else " - " if c < 0 else " + "
    return f"{sign}{'' if abs(c) == 1 else f'{abs(c):g} '}{o.name}"
