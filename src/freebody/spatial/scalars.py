"""Scalar arithmetic on a graph, and triples or 3 × 3 matrices of scalars without types or frames.

A ``Graph`` implements ``Scalars`` on the handles of nodes; any other class that does can take the same steps.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from freebody.scalar.node import Node

Scalar = Node
Triple = tuple[Scalar, Scalar, Scalar]
Matrix = tuple[Triple, Triple, Triple]
Six = tuple[Scalar, Scalar, Scalar, Scalar, Scalar, Scalar]
"""A symmetric matrix: xx, yy, zz, xy, xz, yz."""

PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""The entries of ``Six``."""


class Scalars(Protocol):
    """Arithmetic, and two questions about structure."""

    zero: Scalar
    one: Scalar

    def const(self, value: Any, /) -> Scalar: ...
    def add(self, a: Scalar, b: Scalar, /) -> Scalar: ...
    def sub(self, a: Scalar, b: Scalar, /) -> Scalar: ...
    def mul(self, a: Scalar, b: Scalar, /) -> Scalar: ...
    def div(self, a: Scalar, b: Scalar, /) -> Scalar: ...
    def neg(self, a: Scalar, /) -> Scalar: ...
    def sqrt(self, a: Scalar, /) -> Scalar: ...
    def sin(self, a: Scalar, /) -> Scalar: ...
    def cos(self, a: Scalar, /) -> Scalar: ...
    def less(self, a: Scalar, b: Scalar, /) -> Scalar: ...

    def where(self, condition: Scalar, a: Scalar, b: Scalar, /) -> Scalar:
        """a where the condition is not zero, else b; the other one may be infinite or NaN."""

    def vanishes(self, a: Scalar, /) -> bool:
        """Whether it is zero in every state: structure, never a value that happens to be 0."""

    def same(self, a: Scalar, b: Scalar, /) -> bool:
        """Whether two are known to be equal in every state."""


def add3(S: Scalars, a: Triple, b: Triple) -> Triple:
    add = S.add
    return add(a[0], b[0]), add(a[1], b[1]), add(a[2], b[2])


def scale3(S: Scalars, s: Scalar, v: Triple) -> Triple:
    mul = S.mul
    return mul(s, v[0]), mul(s, v[1]), mul(s, v[2])


def dot3(S: Scalars, a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    """Σ aᵢbᵢ"""
    add, mul = S.add, S.mul
    return add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]))


def dot(S: Scalars, a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    """Σ aᵢbᵢ of any number of terms."""
    total = S.zero
    for x, y in zip(a, b, strict=True):
        total = S.add(total, S.mul(x, y))
    return total


def cross3(S: Scalars, a: Sequence[Scalar], b: Sequence[Scalar]) -> Triple:
    """a × b"""
    sub, mul, (x, y, z), (u, v, w) = S.sub, S.mul, a, b
    return sub(mul(y, w), mul(z, v)), sub(mul(z, u), mul(x, w)), sub(mul(x, v), mul(y, u))


def times3(S: Scalars, A: Sequence[Sequence[Scalar]], v: Sequence[Scalar]) -> Triple:
    """A v"""
    return dot3(S, A[0], v), dot3(S, A[1], v), dot3(S, A[2], v)


def transpose(A: Sequence[Sequence[Scalar]]) -> Matrix:
    (a, b, c), (d, e, f), (g, h, i) = A
    return (a, d, g), (b, e, h), (c, f, i)


def full(m: Six) -> Matrix:
    """The rows of a symmetric matrix."""
    xx, yy, zz, xy, xz, yz = m
    return (xx, xy, xz), (xy, yy, yz), (xz, yz, zz)
