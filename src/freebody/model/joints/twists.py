"""The algebra of twists (ω, v), six numbers or expressions each: brackets, spans and closures.

Twists with parameters are evaluated at random rational values of these: a polynomial that is zero there is zero
everywhere (Schwartz 1980). Exact numbers are compared exactly, floats with a tolerance.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from freebody.scalar.expr import Expr
from freebody.scalar.numbers import Number
from freebody.scalar.walk import somewhere, values

Twist = tuple[Any, ...]  # six numbers or expressions, the angular part first
CLOSE = 1e-9
"""The relative difference up to which floats count as equal."""
SEEDS = 3
"""The number of points at which parameters are evaluated."""


def cross(a: Sequence[Any], b: Sequence[Any]) -> list[Any]:
    return [a[i] * b[j] - a[j] * b[i] for i, j in ((1, 2), (2, 0), (0, 1))]


def bracket(h: Sequence[Any], k: Sequence[Any]) -> Twist:
    """[h, k] = (h₁×k₁, h₁×k₂ + h₂×k₁): the displacement that the motions along h, k, −h, −k leave, to second order."""
    first, second = cross(h[:3], k[3:]), cross(h[3:], k[:3])
    return (*cross(h[:3], k[:3]), *(as_number(x + y) for x, y in zip(first, second, strict=True)))


def as_number(x: Any) -> Any:
    """The number that an expression is, if it is one; anything else unchanged."""
    number = x.graph.number(x.handle) if isinstance(x, Expr) else x
    return x if number is None else number


def sampled(vectors: Sequence[Sequence[Any]]) -> list[list[list[Number]]]:
    """The vectors with numbers for the parameters, at each sample point; one point is enough without parameters."""

    def at(x: Any, seed: int) -> Number:
        return values(x.graph, [x.handle], {}, somewhere(seed))[0] if isinstance(x, Expr) else x

    symbolic = any(isinstance(x, Expr) for v in vectors for x in v)
    return [[[at(x, seed) for x in v] for v in vectors] for seed in range(SEEDS if symbolic else 1)]


def vanishes(v: Sequence[Number], size: float) -> bool:
    """Whether a vector is zero; floats are compared with the size of what it was computed from."""
    return all(x == 0 or (isinstance(x, float) and abs(x) <= CLOSE * size) for x in v)


def largest(v: Sequence[Number]) -> float:
    return max(abs(float(x)) for x in v)


class Span:
    """A space of vectors, by a basis in echelon form: (row of the leading entry, vector with 1 there)."""

    def __init__(self, vectors: Sequence[Sequence[Number]] = ()) -> None:
        self.basis: list[tuple[int, list[Number]]] = []
        for v in vectors:
            self.add(v)

    def remainder(self, v: Sequence[Number]) -> list[Number]:
        """The vector after elimination with the basis."""
        for row, e in self.basis:
            f = v[row]
            if f != 0:
                v = [x - f * y for x, y in zip(v, e, strict=True)]
        return list(v)

    def contains(self, v: Sequence[Number], size: float = 0.0) -> bool:
        """Whether the vector lies in the space; ``size`` is that of what it was computed from."""
        return vanishes(self.remainder(v), max(size, largest(v)))

    def add(self, v: Sequence[Number]) -> int | None:
        """Extends the space by a vector. Returns the row of its leading entry; None if the space contains it."""
        if self.contains(v):
            return None
        left = self.remainder(v)
        row = max(range(len(left)), key=lambda k: (abs(left[k]) == 1 and left[k] == v[k], abs(float(left[k])), -k))
        self.basis.append((row, [_ratio(x, left[row]) for x in left]))
        return row


def _ratio(a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int and a % b == 0:
        return a // b
    return a / b if isinstance(a, float) or isinstance(b, float) else Fraction(a) / b


def leading(vectors: Sequence[Sequence[Any]]) -> tuple[int, ...] | None:
    """As many rows as there are vectors, in which these are linearly independent; None if they are dependent."""
    found: list[tuple[int, ...]] = []
    for point in sampled(vectors):
        span = Span()
        rows = [row for v in point if (row := span.add(v)) is not None]
        if len(rows) < len(vectors):
            return None
        found.append(tuple(rows))
    return found[0]


def null_space(rows: Sequence[Sequence[Any]]) -> list[Twist]:
    """A basis of the twists p with A p = 0 for the rows of A, by elimination: each has a 1 where all others have 0.
    Pivots are ±1 where possible, then other numbers, then expressions; of floats the largest; of equal ones the last
    column, so that translations follow rotations."""
    left, floats = [list(row) for row in rows], any(isinstance(x, float) for row in rows for x in row)
    if floats:
        sizes = [max((abs(float(x)) for x in row if not isinstance(x, Expr)), default=0.0) for row in left]
        left = [[x / s for x in row] if s else row for row, s in zip(left, sizes, strict=True)]
    solved = dict[int, list[Any]]()  # rows by the column of their pivot, which is 1

    def worth(i: int, j: int) -> tuple[Any, ...]:
        x = left[i][j]
        number = not isinstance(x, Expr)
        return number, (abs(float(x)) if floats else abs(x) == 1) if number else 0, j, -i

    while True:
        places = [(i, j) for i, row in enumerate(left) for j, x in enumerate(row) if not _is_zero(x)]
        if not places:
            break
        i, j = max(places, key=lambda place: worth(*place))
        row = left.pop(i)
        pivot = [_quotient(x, row[j]) for x in row]
        left, solved = [_without(r, pivot, j) for r in left], {k: _without(r, pivot, j) for k, r in solved.items()}
        solved[j] = pivot
    free = [j for j in range(6) if j not in solved]
    return [tuple(_sign_changed(solved[j][f]) if j in solved else int(j == f) for j in range(6)) for f in free]


def _is_zero(x: Any) -> bool:
    points = [point[0] for point in sampled([[x]])]
    return all(vanishes(value, 1.0) for value in points)


def _without(row: Sequence[Any], pivot: Sequence[Any], j: int) -> list[Any]:
    """The row less its part along a pivot's row, with exact zeros where its entries vanish."""
    factor = row[j]
    if not isinstance(factor, Expr) and factor == 0:
        return list(row)
    new = [as_number(x - factor * y) for x, y in zip(row, pivot, strict=True)]
    return [0 if k == j or _is_zero(x) else x for k, x in enumerate(new)]


def _quotient(a: Any, b: Any) -> Any:
    return as_number(a / b) if isinstance(a, Expr) or isinstance(b, Expr) else _ratio(a, b)


def _sign_changed(x: Any) -> Any:
    return as_number(-x) if isinstance(x, Expr) or x != 0 else 0


def escaping(twists: Sequence[Twist]) -> tuple[int, int, Twist] | None:
    """The first two twists (counted from 0) whose bracket is not in the span of all, and the bracket; None if the span
    is a Lie algebra."""
    points = [(point, Span(point)) for point in sampled(twists)]
    for i, j in combinations(range(len(twists)), 2):
        for point, span in points:
            h, k = point[i], point[j]
            if not span.contains(bracket(h, k), largest(h) * largest(k)):
                return i, j, bracket(twists[i], twists[j])
    return None


def closure(twists: Sequence[Twist]) -> list[Twist]:
    """The brackets by which the twists must be extended until their span is a Lie algebra. A bracket of numbers is
    reduced by the other twists and scaled to a leading entry 1."""
    extended = list(twists)
    while (found := escaping(extended)) is not None:
        new = found[2]
        if not any(isinstance(x, Expr) for h in (*extended, new) for x in h):
            reduced = Span([*extended, new]).basis[-1][1]
            new = tuple(0 if vanishes([x], 1.0) else int(x) if x == int(x) else x for x in reduced)
        extended.append(new)
    return extended[len(twists) :]


def commute(twists: Sequence[Twist]) -> bool:
    """Whether all brackets are zero: the order of the motions does not matter, and speeds are the rates of the
    coordinates."""
    pairs = [pair for point in sampled(twists) for pair in combinations(point, 2)]
    return all(vanishes(bracket(h, k), largest(h) * largest(k)) for h, k in pairs)
