"""Sparse polynomials in atoms with rational coefficients; squares of some atoms are replaced, such as sin².

A polynomial is a dict from packed exponents to integers over one denominator: the exponents of all atoms stand side by
side in one integer, ``WIDTH`` bits each, so that monomials are multiplied by adding integers (docs/decisions/012, 017).
Atoms are symbols, sines and cosines of base angles, roots, and whatever else is not a polynomial. sin² is 1 − cos² and
(√x)² is x, so that every element has one form: no atom with such a square appears in a higher power than the first.
"""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

from freebody.errors import ExpressionError
from freebody.scalar.arithmetic import describe
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node

LIMIT = 100_000  # terms of one polynomial
WORK = 500  # products of terms in all, for each term that is allowed
WIDTH = 12
FIELD = (1 << WIDTH) - 1
GUARD = 1 << (WIDTH - 1)  # an exponent that reaches this bit is too large

Terms = dict[int, int | Fraction]


class Poly:
    """Σ terms[k]·xᵏ / den; no term is 0, den > 0."""

    __slots__ = ("den", "terms")

    def __init__(self, terms: dict[int, int], den: int = 1) -> None:
        self.terms, self.den = terms, den

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __len__(self) -> int:
        return len(self.terms)

    def __neg__(self) -> "Poly":
        return Poly({k: -c for k, c in self.terms.items()}, self.den)

    @property
    def constant(self) -> Fraction | None:
        """The value, if this is a number."""
        if not self.terms:
            return Fraction(0)
        return Fraction(self.terms[0], self.den) if len(self.terms) == 1 and 0 in self.terms else None

    @property
    def content(self) -> Fraction:
        """The largest number that leaves integers when the polynomial is divided by it."""
        return Fraction(math.gcd(*self.terms.values()), self.den) if self.terms else Fraction(0)

    @property
    def primitive(self) -> "Poly":
        """The polynomial over its content: integers without a common divisor."""
        common = math.gcd(*self.terms.values())
        return Poly({k: c // common for k, c in self.terms.items()})

    @property
    def monomial(self) -> int:
        """The largest monomial that divides all terms."""
        common = 0
        for index, power in exponents(min(self.terms, default=0)):
            at = index * WIDTH
            common |= min(power, *(k >> at & FIELD for k in self.terms)) << at
        return common

    def scaled(self, factor: Fraction) -> "Poly":
        """The polynomial times a number."""
        if factor == 1:
            return self
        if not factor:
            return ZERO
        return lowest({k: c * factor.numerator for k, c in self.terms.items()}, self.den * factor.denominator)

    def plus(self, b: "Poly", sign: int = 1, in_place: bool = False) -> "Poly":
        """self ± b; ``in_place`` allows to change self."""
        if not self.terms or not b.terms:
            return self if not b.terms else b if sign > 0 else -b
        out, terms, den = self.terms if in_place else dict(self.terms), b.terms, self.den
        if self.den != b.den:
            den = math.lcm(self.den, b.den)
            out = {k: c * (den // self.den) for k, c in self.terms.items()}
            terms = {k: c * (den // b.den) for k, c in b.terms.items()}
        for k, c in terms.items():
            total = out.get(k, 0) + sign * c
            if total:
                out[k] = total
            else:
                del out[k]
        return Poly(out, den)

    def over(self, k: int) -> "Poly":
        """The polynomial over a monomial that divides each of its terms."""
        return Poly({key - k: c for key, c in self.terms.items()}, self.den) if k else self

    def divided(self, by: "Poly", guards: int) -> "Poly | None":
        """self/by if there is no remainder, for a divisor without atoms whose squares are something else.

        Packed exponents in the order of integers are a monomial order. ``guards`` has the highest bit of every field.
        """
        left, out = dict(self.terms), {}
        top = max(by.terms)
        while left:
            k = max(left)
            step = (k | guards) - top
            c = Fraction(left[k], by.terms[top])
            if step & guards != guards or c.denominator != 1:
                return None
            out[step ^ guards] = int(c)
            for key, value in by.terms.items():
                at = (step ^ guards) + key
                left[at] = left.get(at, 0) - int(c) * value
                if not left[at]:
                    del left[at]
        return lowest(out, self.den)


ZERO = Poly({})
ONE = Poly({0: 1})


def number(value: Fraction) -> Poly:
    return Poly({0: value.numerator}, value.denominator) if value else ZERO


def lowest(terms: dict[int, int], den: int) -> Poly:
    """The polynomial with the smallest denominator."""
    if den != 1:
        common = math.gcd(den, *terms.values())
        if common != 1:
            return Poly({k: c // common for k, c in terms.items()}, den // common)
    return Poly(terms, den)


def exponents(k: int) -> list[tuple[int, int]]:
    """The indices of the atoms of a monomial and their exponents."""
    powers, index = [], 0
    while k:
        skip = ((k & -k).bit_length() - 1) // WIDTH
        k, index = k >> skip * WIDTH, index + skip
        powers.append((index, k & FIELD))
        k, index = k >> WIDTH, index + 1
    return powers


@dataclass(frozen=True, slots=True)
class Atom:
    """A node of the graph, or the sine or cosine of a base angle."""

    node: Node
    angle: int = -1
    sine: bool = False


class Ring:
    """Atoms, the squares that are something else, and multiplication; the work is counted and bounded."""

    def __init__(self, graph: Graph, limit: int = LIMIT) -> None:
        self.graph, self.limit, self.left = graph, limit, WORK * limit
        self.atoms: list[Atom] = []
        self.index: dict[Hashable, int] = {}
        self.squares: dict[int, Poly] = {}
        self.trig = 0  # the fields of sines and cosines
        self.high = 0  # the bits that must not be set: exponents too large, squares that are something else
        self.guards = 0  # the highest bit of every field
        self.related = 0  # the fields of atoms with such squares
        self.fractions = False  # whether there are fractions in them
        self.floats = False  # whether a number of the expressions was a float

    def atom(self, key: Hashable, atom: Atom) -> int:
        """The index of an atom, the same every time."""
        index = self.index.get(key)
        if index is None:
            index = self.index[key] = len(self.atoms)
            self.atoms.append(atom)
            self.guards |= GUARD << index * WIDTH
            self.high |= GUARD << index * WIDTH
            if atom.angle >= 0:
                self.trig |= FIELD << index * WIDTH
        return index

    def relate(self, index: int, square: Poly) -> None:
        """Define the square of an atom."""
        self.squares[index] = Poly(dict(square.terms), square.den)
        self.fractions |= square.den != 1
        self.high |= (FIELD - 1) << index * WIDTH
        self.related |= FIELD << index * WIDTH

    def variable(self, index: int) -> Poly:
        return Poly({1 << index * WIDTH: 1})

    def mul(self, a: Poly, b: Poly) -> Poly:
        if not a.terms or not b.terms:
            return ZERO
        if len(a.terms) > len(b.terms):
            a, b = b, a
        self.check(work=len(a.terms) * len(b.terms))
        if len(a.terms) == 1 and 0 in a.terms:
            return b.scaled(Fraction(a.terms[0], a.den))
        out: Terms = {}
        later: Terms = {}  # squares that are something else
        get, high, pairs = out.get, self.high, list(b.terms.items())
        for ka, ca in a.terms.items():
            for kb, cb in pairs:
                k = ka + kb
                if k & high:
                    later[k] = later.get(k, 0) + ca * cb
                else:
                    out[k] = get(k, 0) + ca * cb
        while later:
            k, c = later.popitem()
            if not c:
                continue
            index = ((k & high).bit_length() - 1) // WIDTH
            square = self.squares.get(index)
            if square is None:
                atom = self.atoms[index]
                name = f"{'sin' if atom.sine else 'cos'}(…)" if atom.angle >= 0 else describe(self.graph, atom.node)
                raise ExpressionError(
                    f"a closed form would have {name}**{k >> index * WIDTH & FIELD}; powers up to {GUARD - 1} are"
                    " possible. Give the power a symbol of its own."
                )
            self.check(work=len(square.terms))
            k -= 2 << index * WIDTH
            c = c if square.den == 1 else Fraction(c) / square.den
            for key, factor in square.terms.items():
                into = later if (k + key) & high else out
                into[k + key] = into.get(k + key, 0) + c * factor
        self.check(len(out))
        whole = math.lcm(*(c.denominator for c in out.values())) if self.fractions else 1
        return lowest({k: int(c * whole) for k, c in out.items() if c}, a.den * b.den * whole)

    def power(self, p: Poly, n: int) -> Poly:
        """pⁿ, n ≥ 0, by repeated squaring."""
        result = ONE
        while n:
            if n & 1:
                result = self.mul(result, p)
            n >>= 1
            p = self.mul(p, p) if n else p
        return result

    def check(self, terms: int = 0, work: int = 0) -> None:
        """Count the work; raise an ExpressionError if it is too much, or if a polynomial has too many terms."""
        self.left -= work
        if terms > self.limit:
            problem = f"would have {terms} terms on its way, {self.limit} are allowed"
        elif self.left < 0:
            problem = f"needs more than {WORK * self.limit} products of terms"
        else:
            return
        raise ExpressionError(
            f"a closed form {problem}: multiplied out, the expression is too large to read. Ask for a smaller part of"
            " it, put numbers for parameters (subs), or raise limit."
        )
