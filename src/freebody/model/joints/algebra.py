"""Twists (ω, v) as six numbers or expressions: brackets, and exact answers to what lies in the span of what.

With parameters in them, twists are looked at where the parameters have random rational values: a polynomial that
vanishes there vanishes everywhere (Schwartz 1980). Numbers are compared exactly as long as all of them are exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any

from freebody.scalar.expr import Expr
from freebody.scalar.numbers import Number
from freebody.scalar.walk import somewhere, values

Twist = tuple[Any, ...]  # six numbers or expressions, the angular part first
CLOSE = 1e-9
"""Floats that differ by so much of their size are taken for equal."""
SEEDS = 3
"""At how many points parameters are looked at."""


def cross(a: Sequence[Any], b: Sequence[Any]) -> list[Any]:
    return [a[i] * b[j] - a[j] * b[i] for i, j in ((1, 2), (2, 0), (0, 1))]


def bracket(h: Twist, k: Twist) -> Twist:
    """[h, k] = (h₁×k₁, h₁×k₂ + h₂×k₁): how the motion along h, k, −h, −k fails to return."""
    first, second = cross(h[:3], k[3:]), cross(h[3:], k[:3])
    return (*cross(h[:3], k[:3]), *(tidy(x + y) for x, y in zip(first, second, strict=True)))


def tidy(x: Any) -> Any:
    """An expression that is a number as that number."""
    number = x.graph.number(x.handle) if isinstance(x, Expr) else x
    return x if number is None else number


def sampled(twist: Sequence[Any]) -> list[list[Number]]:
    """The entries where the parameters have random values, point by point; numbers are the same at all of them."""
    if not any(isinstance(x, Expr) for x in twist):
        return [[*twist]]
    return [[_at(x, seed) for x in twist] for seed in range(SEEDS)]


def at_each(*twists: Sequence[Any]) -> "list[tuple[list[Number], ...]]":
    """The entries of several twists at the same points, as many as they need."""
    points = [sampled(twist) for twist in twists]
    count = max(map(len, points))
    return list(zip(*(each if len(each) == count else each * count for each in points), strict=True))


def _at(x: Any, seed: int) -> Number:
    if isinstance(x, Expr):
        return values(x.graph, [x.handle], {}, somewhere(seed))[0]
    return x  # type: ignore[no-any-return]


def vanishes(v: Sequence[Number], size: float) -> bool:
    """Whether nothing is left of a vector that was of this size; exact numbers must be exactly 0."""
    return all(x == 0 or (isinstance(x, float) and abs(x) <= CLOSE * size) for x in v)


def largest(v: Sequence[Number]) -> float:
    return max(abs(float(x)) for x in v)


@dataclass
class Span:
    """A space of vectors by a basis in echelon form: (row of the leading entry, vector with 1 there)."""

    basis: list[tuple[int, list[Number]]] = field(default_factory=list)

    def rest(self, v: Sequence[Number]) -> list[Number]:
        """What is left of a vector when its part in the space is taken away."""
        left = list(v)
        for row, e in self.basis:
            f = left[row]
            if f != 0:
                left = [x - f * y for x, y in zip(left, e, strict=True)]
        return left

    def holds(self, v: Sequence[Number], size: float = 0.0) -> bool:
        """Whether the vector lies in the space; ``size`` is that of what it was computed from."""
        return vanishes(self.rest(v), max(size, largest(v)))

    def add(self, v: Sequence[Number]) -> int | None:
        """The row of a further vector's leading entry; None if the space holds it already."""
        if self.holds(v):
            return None
        left = self.rest(v)
        row = max(range(len(left)), key=lambda k: (abs(left[k]) == 1 and left[k] == v[k], abs(float(left[k])), -k))
        lead = left[row]
        self.basis.append((row, [x / lead if isinstance(x, float) else _ratio(x, lead) for x in left]))
        return row


def _ratio(a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int and a % b == 0:
        return a // b
    return a / b if isinstance(b, float) else Fraction(a) / b


@dataclass
class Spans:
    """The space that twists span, at each point of the parameters."""

    every: list[Span] = field(default_factory=lambda: [Span()])  # one is enough while there are numbers alone

    def add(self, twist: Sequence[Any]) -> int | None:
        """The row of its leading entry (at the first point); None if it adds nothing at one of them."""
        points = sampled(twist)
        if len(points) > len(self.every):
            self.every = [Span([*self.every[0].basis]) for _ in points]
        elif len(points) < len(self.every):
            points *= len(self.every)
        rows = [span.add(v) for span, v in zip(self.every, points, strict=True)]
        return None if None in rows else rows[0]

    def hold(self, found: Twist, h: Twist, k: Twist) -> bool:
        """Whether a bracket of two twists, which are in the space themselves, lies in it."""
        points = at_each(found, h, k)
        if len(points) < len(self.every):
            points *= len(self.every)
        return all(
            span.holds(v, largest(a) * largest(b)) for span, (v, a, b) in zip(self.every, points, strict=True)
        )


def leading(twists: Sequence[Sequence[Any]]) -> tuple[int, ...] | None:
    """Rows in which the twists can be told apart, as many as there are twists; None if they depend on each other."""
    spans, rows = Spans(), list[int]()
    for twist in twists:
        row = spans.add(twist)
        if row is None:
            return None
        rows.append(row)
    return tuple(rows)


def escapes(twists: Sequence[Twist]) -> tuple[int, int, Twist] | None:
    """The first two twists (counted from 0) whose bracket leaves the span of all, and the bracket."""
    spans = Spans()
    for twist in twists:
        spans.add(twist)
    for i, j in combinations(range(len(twists)), 2):
        found = bracket(twists[i], twists[j])
        if not spans.hold(found, twists[i], twists[j]):
            return i, j, found
    return None


def closure(twists: Sequence[Twist]) -> list[Twist]:
    """The brackets that must join the twists until none leaves their span."""
    made = list(twists)
    while (found := escapes(made)) is not None:
        made.append(_news(made, found[2]))
    return made[len(twists) :]


def _news(known: Sequence[Twist], twist: Twist) -> Twist:
    """Of a twist of numbers what the known ones do not hold, its largest entry 1; others as they are."""
    if any(isinstance(x, Expr) for h in (*known, twist) for x in h):
        return twist
    span = Span()
    for h in known:
        span.add(h)
    span.add(twist)
    return tuple(0 if vanishes([x], 1.0) else int(x) if x == int(x) else x for x in span.basis[-1][1])


def commute(twists: Sequence[Twist]) -> bool:
    """Whether all brackets vanish: the order of the motions does not matter, and speeds are rates."""
    return all(_zero(bracket(h, k), h, k) for h, k in combinations(twists, 2))


def _zero(found: Twist, h: Twist, k: Twist) -> bool:
    return all(vanishes(v, largest(a) * largest(b)) for v, a, b in at_each(found, h, k))
