"""Scalars as rows of NumPy arrays: the steps of mechanics on numbers, without a graph."""

import operator
from typing import Any

import numpy as np

Scalar = Any  # a row, which takes the place of a node


class NumpyScalars:
    """Rows with one number for each state of a batch. A Python float is the same in all states and known at
    construction, so 0 and 1 cost nothing, as in a graph; a row of zeros does not vanish."""

    zero, one = 0.0, 1.0

    def const(self, value: Any, /) -> Scalar:
        return float(value)

    def add(self, a: Scalar, b: Scalar, /) -> Scalar:
        if type(a) is float and a == 0:
            return b
        return a if type(b) is float and b == 0 else a + b

    def sub(self, a: Scalar, b: Scalar, /) -> Scalar:
        if type(a) is float and a == 0:
            return -b
        return a if type(b) is float and b == 0 else a - b

    def mul(self, a: Scalar, b: Scalar, /) -> Scalar:
        if type(a) is float and a in (0, 1):
            return b if a else 0.0
        if type(b) is float and b in (0, 1):
            return a if b else 0.0
        return a * b

    def div(self, a: Scalar, b: Scalar, /) -> Scalar:
        with np.errstate(divide="ignore", invalid="ignore"):
            return _known(np.divide(a, b))

    neg = staticmethod(operator.neg)

    def sqrt(self, a: Scalar, /) -> Scalar:
        return _known(np.sqrt(a))

    def sin(self, a: Scalar, /) -> Scalar:
        return _known(np.sin(a))

    def cos(self, a: Scalar, /) -> Scalar:
        return _known(np.cos(a))

    def less(self, a: Scalar, b: Scalar, /) -> Scalar:
        return _known(np.less(a, b) * 1.0)

    def where(self, condition: Scalar, a: Scalar, b: Scalar, /) -> Scalar:
        return (a if condition else b) if type(condition) is float else np.where(condition, a, b)

    def vanishes(self, a: Scalar, /) -> bool:
        return type(a) is float and a == 0

    same = staticmethod(operator.is_)


def _known(x: Any) -> Scalar:
    """Convert NumPy's scalars to float, so that they count as known."""
    return float(x) if np.ndim(x) == 0 else x
