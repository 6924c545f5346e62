"""The ring of closed forms: polynomials in atoms, where some squares are something else.

Atoms are symbols, sines and cosines of base angles, roots, and whatever else is no polynomial. sin² is 1 − cos² and
(√x)² is x, so that every element has one form: no atom with such a square appears in a higher power than the first.
"""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

from freebody.algebra.poly import FIELD, GUARD, ONE, WIDTH, ZERO, Poly, lowest, scaled
from freebody.errors import ExpressionError
from freebody.scalar.arithmetic import describe
from freebody.scalar.graph import Graph

LIMIT = 100_000  # terms of one polynomial
WORK = 500  # products of terms in all, for each term that is allowed

Terms = dict[int, int | Fraction]


@dataclass(frozen=True, slots=True)
class Atom:
    """A node of the graph, or the sine or cosine of a base angle."""

    node: int
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

    # Atoms

    def atom(self, key: Hashable, atom: Atom) -> int:
        """The place of an atom, the same every time."""
        place = self.index.get(key)
        if place is None:
            place = self.index[key] = len(self.atoms)
            self.atoms.append(atom)
            self.guards |= GUARD << place * WIDTH
            self.high |= GUARD << place * WIDTH
            if atom.angle >= 0:
                self.trig |= FIELD << place * WIDTH
        return place

    def plain(self, node: int) -> int:
        return self.atom(node, Atom(node))

    def relate(self, place: int, square: Poly) -> None:
        """Say what the square of an atom is."""
        self.squares[place] = Poly(dict(square.terms), square.den)
        self.fractions |= square.den != 1
        self.high |= (FIELD - 1) << place * WIDTH
        self.related |= FIELD << place * WIDTH

    def variable(self, place: int) -> Poly:
        return Poly({1 << place * WIDTH: 1})

    # Products

    def mul(self, a: Poly, b: Poly) -> Poly:
        if not a.terms or not b.terms:
            return ZERO
        if len(a.terms) > len(b.terms):
            a, b = b, a
        self._spend(len(a.terms) * len(b.terms))
        if len(a.terms) == 1 and 0 in a.terms:
            return scaled(b, Fraction(a.terms[0], a.den))
        return lowest(*self._whole(self._product(a.terms, b.terms), a.den * b.den))

    def _whole(self, terms: Terms, den: int) -> tuple[dict[int, int], int]:
        """Integers again, where squares have brought in fractions."""
        below = math.lcm(*(c.denominator for c in terms.values())) if self.fractions else 1
        return {k: int(c * below) for k, c in terms.items() if c}, den * below

    def _product(self, few: dict[int, int], many: dict[int, int]) -> Terms:
        out: Terms = {}
        later: Terms = {}
        get, high = out.get, self.high
        pairs = list(many.items())
        for ka, ca in few.items():
            for kb, cb in pairs:
                k = ka + kb
                if k & high:
                    later[k] = later.get(k, 0) + ca * cb
                else:
                    out[k] = get(k, 0) + ca * cb
        self._reduce(later, out)
        self.check(len(out))
        return out

    def _reduce(self, later: Terms, out: Terms) -> None:
        """Write squares as what they are until none is left."""
        while later:
            k, c = later.popitem()
            if not c:
                continue
            place = ((k & self.high).bit_length() - 1) // WIDTH
            square = self.squares.get(place)
            if square is None:
                self._too_high(place, k)
            else:
                self._put(k - (2 << place * WIDTH), c, square, later, out)

    def _put(self, k: int, c: int | Fraction, square: Poly, later: Terms, out: Terms) -> None:
        self._spend(len(square.terms))
        c = c if square.den == 1 else Fraction(c) / square.den
        for key, factor in square.terms.items():
            into = later if (k + key) & self.high else out
            into[k + key] = into.get(k + key, 0) + c * factor

    def power(self, p: Poly, n: int) -> Poly:
        """pⁿ, n ≥ 0, by repeated squaring."""
        result = ONE
        while n:
            if n & 1:
                result = self.mul(result, p)
            n >>= 1
            p = self.mul(p, p) if n else p
        return result

    # Bounds

    def _spend(self, work: int) -> None:
        self.left -= work
        if self.left < 0:
            raise ExpressionError(
                f"a closed form needs more than {WORK * self.limit} products of terms: multiplied out, the expression"
                " is too large to read. Ask for a smaller part of it, put numbers for parameters (subs), or raise"
                " limit."
            )

    def check(self, terms: int) -> None:
        if terms > self.limit:
            raise ExpressionError(
                f"a closed form would have {terms} terms on its way, {self.limit} are allowed: multiplied out, the"
                " expression is too large to read. Ask for a smaller part of it, put numbers for parameters (subs), or"
                " raise limit."
            )

    def _too_high(self, place: int, k: int) -> None:
        power = k >> place * WIDTH & FIELD
        atom = self.atoms[place]
        name = f"{'sin' if atom.sine else 'cos'}(…)" if atom.angle >= 0 else describe(self.graph, atom.node)
        raise ExpressionError(
            f"a closed form would have {name}**{power}; powers up to {GUARD - 1} can be had. Give the power a symbol of"
            " its own."
        )
