"""Quotients of polynomials back to nodes: common factors before sums, in an order that depends on names alone."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

from freebody.algebra import trig
from freebody.algebra.polynomial import ONE, Poly, exponents
from freebody.algebra.quotient import Quotient
from freebody.algebra.read import Angle, QuotientReader
from freebody.errors import ExpressionError
from freebody.scalar.arithmetic import integer_power
from freebody.scalar.node import Node
from freebody.scalar.ops import ADD, MUL, SUB, SYMBOL

ROUND = 1000  # denominators up to this are written as fractions where there are floats
LARGE = 10**6  # integers up to this are written in quotients where there are floats
LEAST = (1, 3, 3)  # factors that parentheses must save: in a sum by itself, and inside other parentheses

FORMS: dict[str, Callable[[trig.Powers, trig.Parts], trig.Sum]] = {
    "products": trig.products, "sums": trig.fourier, "shortest": trig.shortest,
}  # fmt: skip

RankPowers = dict[int, int]  # of factors, by their rank
Handle = tuple[tuple[int, int], ...]  # ranks and powers


@dataclass(frozen=True, slots=True)
class Summand:
    """number · Π factorᵖ · (sum of inner terms), the last only where there are some; terms are ordered by ``key``.

    Factors are known by their rank in the order of reading: symbols and other nodes, then sines and cosines.
    """

    number: Fraction
    powers: RankPowers
    key: tuple[Any, ...]
    inner: "tuple[Summand, ...]" = ()


@dataclass(frozen=True, slots=True)
class Row:
    """The terms of a sum and the nodes of their factors by rank. Ranks from ``functions`` on are sines and cosines;
    ``exact`` says that all numbers are fractions."""

    terms: list[Summand]
    factors: list[Node]
    functions: int
    exact: bool

    def collected(self, terms: Sequence[Summand], depth: int = 0) -> Summand:
        """The sum of terms as a product: what all have in common, and the remainder by what appears most often. Of the
        numbers, the largest is taken out of integers or of fractions with one denominator; −1 if all are < 0."""
        if len(terms) == 1:
            return terms[0]
        numbers, powers = [t.number for t in terms], _common(terms)
        below = {n.denominator for n in numbers}
        number = Fraction(-1 if all(n < 0 for n in numbers) else 1)
        if len({abs(n) for n in numbers}) == 1 or (len(below) == 1 and self.exact):  # the largest common number
            number *= Fraction(math.gcd(*(n.numerator for n in numbers)), below.pop())
        left = [{r: p - powers.get(r, 0) for r, p in t.powers.items() if p > powers.get(r, 0)} for t in terms]
        remainders = [Summand(t.number / number, p, t.key) for t, p in zip(terms, left, strict=True)]
        inner = sorted(self._gathered(remainders, max(depth, bool(powers))), key=lambda t: t.key)
        front = next((k for k, t in enumerate(inner) if t.number > 0), 0)  # a positive term in front if there is one
        ordered = (inner[front], *inner[:front], *inner[front + 1 :])
        return Summand(number, powers, min(t.key for t in terms), ordered)

    def _gathered(self, terms: Sequence[Summand], depth: int) -> list[Summand]:
        """Terms grouped by what saves most factors, then the others by what saves most of theirs: a power of an atom
        (x² is another one than x), or all their waves."""
        collected: list[Summand] = []
        left = list(terms)
        while depth < len(LEAST):
            groups: dict[Handle, list[Summand]] = {}
            for t in left:
                waves = tuple(sorted((r, p) for r, p in t.powers.items() if r >= self.functions))
                atoms = [((r, p),) for r, p in t.powers.items() if r < self.functions]
                for handle in [*atoms, waves] if waves else atoms:
                    groups.setdefault(handle, []).append(t)
            best = min(groups, key=lambda h: (-_saved(groups[h]), h), default=())
            if not best or _saved(groups[best]) < LEAST[depth]:
                break
            collected.append(self.collected(groups[best], depth + 1))
            gone = set(map(id, groups[best]))
            left = [t for t in left if id(t) not in gone]
        return [*collected, *left]


def _saved(terms: Sequence[Summand]) -> int:
    """How many factors need not be written if what these terms have in common stands before them."""
    return (len(terms) - 1) * len(_common(terms)) if len(terms) > 1 else 0


def _common(terms: Sequence[Summand]) -> RankPowers:
    powers = dict(terms[0].powers)
    for t in terms[1:]:
        powers = {r: min(p, t.powers[r]) for r, p in powers.items() if r in t.powers}
    return powers


class QuotientWriter:
    """Nodes for what a reader has read; sines and cosines in one of the forms."""

    def __init__(self, reader: QuotientReader, angles: str) -> None:
        self.reader, self.ring, self.graph = reader, reader.ring, reader.graph
        self.form = FORMS[angles]
        self.angles: list[Angle] = []  # in the order in which they are read
        self._rank: dict[int, int] = {}  # of the reader's angles
        self._parts: dict[int, int] = {}  # by rank, the denominators of units
        self._monomials: dict[int, trig.Monomial] = {}
        self._forms: dict[frozenset[tuple[trig.Monomial, Fraction]], trig.Sum] = {}

    def write(self, value: Quotient) -> Node:
        """The node of a quotient. Both sides have integers without a common divisor, the first term below positive;
        among floats that are not short fractions that term is 1. The numbers are those that will be read, which do not
        depend on the units in which angles were counted on the way."""
        num, den = self.reader.quotients.sides(value)
        if den is ONE:
            return self._sum(self._row(num))
        below = self._row(den).terms
        first = min(below, key=lambda t: t.key).number
        numbers = [t.number for t in (*below, *self._row(num).terms)]
        factor = Fraction(math.lcm(*(n.denominator for n in numbers)), math.gcd(*(n.numerator for n in numbers)))
        if self.ring.floats and max(abs(n) for n in numbers) * factor > LARGE:
            factor = 1 / first
        elif first < 0:
            factor = -factor
        return self.graph.div(self._sum(self._row(num.scaled(factor))), self._sum(self._row(den.scaled(factor))))

    def _row(self, p: Poly) -> Row:
        """The terms of a polynomial, sines and cosines in their form."""
        groups: dict[int, trig.Powers] = {}  # powers of sines and cosines, by the product of other atoms before them
        self._rank_angles()
        for key, c in p.terms.items():
            packed = key & self.ring.trig
            groups.setdefault(key ^ packed, {})[self._monomial(packed)] = Fraction(c, p.den)
        terms = []
        for plain, powers in groups.items():  # the form of each sum is computed once, up to a factor
            first = powers[min(powers)]
            monic = {m: c / first for m, c in powers.items()}
            known = frozenset(monic.items())
            if known not in self._forms:
                self._forms[known] = self.form(monic, self._parts)
            terms += [(c * first, plain, waves) for waves, c in self._forms[known].items()]
        used = {a for _, plain, _ in terms for a, _ in exponents(plain)}
        atoms = sorted(used, key=lambda a: self._node_key(self.ring.atoms[a].node))
        functions = sorted({(v, kind) for _, _, waves in terms for v, kind, _ in waves})
        factors = [self.ring.atoms[a].node for a in atoms]
        for vector, kind in functions:
            parts = [(n * self.angles[a].unit, self.angles[a].node) for a, n in vector]
            argument = self._chain([(c < 0, self._scaled(abs(c), node)) for c, node in parts])
            factors.append(self.graph.sin(argument) if kind == trig.SIN else self.graph.cos(argument))
        rank: dict[object, int] = {x: k for k, x in enumerate([*atoms, *functions])}
        row = Row([], factors, len(atoms), not (self.ring.floats and any(c.denominator > ROUND for c, _, _ in terms)))
        for number, plain, waves in terms:
            ranks = {rank[a]: e for a, e in exponents(plain)} | {rank[v, kind]: e for v, kind, e in waves}
            degree = sum(e for _, _, e in waves)  # terms without sines and cosines first, then those of lower degree
            names = sorted((r, -e) for r, e in ranks.items())
            row.terms.append(Summand(number, ranks, (degree, sum(ranks.values()) - degree, names)))
        return row

    def _node_key(self, node: Node) -> tuple[Any, ...]:
        """Symbols by kind, then other nodes by operation, each in the order in which they were first written."""
        known = self.graph.op[node] == SYMBOL
        return (not known, int(self.graph.symbols[self.graph.a[node]].kind) if known else self.graph.op[node], node)

    def _rank_angles(self) -> None:
        """Rank the angles anew if there are more than before: some are met while others are written."""
        angles = self.reader.angles.all
        if len(angles) == len(self.angles):
            return
        self._forms.clear()
        self._monomials.clear()
        order = sorted(range(len(angles)), key=lambda a: (self._node_key(angles[a].node), angles[a].unit))
        self._rank = {a: k for k, a in enumerate(order)}
        self.angles = [angles[a] for a in order]
        self._parts = {k: angle.unit.denominator for k, angle in enumerate(self.angles)}

    def _monomial(self, waves: int) -> trig.Monomial:
        """A product of sines and cosines, unpacked."""
        if waves not in self._monomials:
            powers: dict[int, list[int]] = {}
            for index, e in exponents(waves):
                atom = self.ring.atoms[index]
                powers.setdefault(self._rank[atom.angle], [0, 0])[0 if atom.sine else 1] = e
            self._monomials[waves] = tuple(sorted((a, s, c) for a, (s, c) in powers.items()))
        return self._monomials[waves]

    def _sum(self, row: Row) -> Node:
        if not row.terms:
            return self.graph.zero
        whole = row.collected(row.terms)
        node = self._node(whole, row.factors)
        return self.graph.neg(node) if whole.number < 0 else node

    def _node(self, t: Summand, nodes: Sequence[Node]) -> Node:
        """A term without its sign."""
        factors = [integer_power(self.graph, nodes[r], p) for r, p in sorted(t.powers.items())]
        if t.inner:
            factors.append(self._chain([(x.number < 0, self._node(x, nodes)) for x in t.inner]))
        factors = [x for x in factors if x != self.graph.one] or [self.graph.one]
        product = reduce(lambda a, b: self.graph.intern(MUL, a, b), factors)  # g.mul would put older factors first
        return self._scaled(abs(t.number), product)

    def _chain(self, terms: Sequence[tuple[bool, Node]]) -> Node:
        """A sum in just this order."""
        (minus, node), *others = terms
        node = self.graph.neg(node) if minus else node
        for minus, x in others:
            node = self.graph.intern(SUB if minus else ADD, node, x)
        return node

    def _scaled(self, number: Fraction, node: Node) -> Node:
        """A node times a number: a fraction, or a float where there are floats and the fraction is not short."""
        short = not self.ring.floats or number.denominator <= ROUND
        try:
            return self.graph.mul(self.graph.const(number if short else float(number)), node)
        except (OverflowError, ExpressionError):
            raise ExpressionError(
                f"a closed form has a number of {len(str(int(number)))} digits, too large for a float. Use other units."
            ) from None
