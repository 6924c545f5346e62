"""Quotients of polynomials back to nodes, in an order that a person would choose and that is always the same."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from freebody.algebra import merge, trig
from freebody.algebra.cancel import lowest_terms
from freebody.algebra.collect import Collector, Term
from freebody.algebra.order import Order
from freebody.algebra.poly import Poly, exponents, scaled
from freebody.algebra.quotient import Quotient
from freebody.algebra.read import Reader
from freebody.errors import ExpressionError
from freebody.scalar.arithmetic import integer_power
from freebody.scalar.ops import ADD, MUL, SUB

ROUND = 1000  # denominators up to this are written as fractions where floats are about
LARGE = 10**6  # integers up to this are written in quotients where floats are about

Form = Callable[[trig.Powers, trig.Parts], trig.Sum]
FORMS: dict[str, Form] = {"products": trig.products, "sums": trig.fourier, "shortest": merge.shortest}


@dataclass(frozen=True, slots=True)
class Row:
    """The terms of a sum, who gathers them, and the nodes of their factors by rank."""

    terms: list[Term]
    collector: Collector
    factors: list[int]


class Writer:
    """Nodes for what a reader has read; sines and cosines in one of the forms."""

    def __init__(self, reader: Reader, angles: str) -> None:
        self.reader, self.ring, self.graph = reader, reader.ring, reader.graph
        self.form = FORMS[angles]
        self.order = Order(reader)
        self._forms: dict[frozenset[tuple[trig.Monomial, Fraction]], trig.Sum] = {}

    def write(self, value: Quotient) -> int:
        """The node of a quotient."""
        above = self.reader.quotients.settled(value)
        if not above.powers:
            return self._sum(self._row(above.num))
        num, den = lowest_terms(self.reader, above.num, self.reader.quotients.below(above))
        factor = self._common(num, den)
        return self.graph.div(self._sum(self._row(scaled(num, factor))), self._sum(self._row(scaled(den, factor))))

    def _common(self, num: Poly, den: Poly) -> Fraction:
        """What to multiply both sides with: integers without a common divisor, the first term below positive; among
        floats that are no short fractions that term is 1. The numbers are those that will be read, which do not depend
        on the units in which angles were counted on the way."""
        below = self._row(den).terms
        first = min(below, key=lambda t: t.key).number
        numbers = [t.number for t in (*below, *self._row(num).terms)]
        shared = Fraction(math.gcd(*(n.numerator for n in numbers)), math.lcm(*(n.denominator for n in numbers)))
        if self.ring.floats and max(abs(n) for n in numbers) > LARGE * shared:
            return 1 / first
        return (1 if first > 0 else -1) / shared

    # Terms

    def _row(self, p: Poly) -> Row:
        """The terms of a polynomial, sines and cosines in their form."""
        parts = [(rest, self._form(powers)) for rest, powers in self._parted(p).items()]
        found = [(c, rest, waves) for rest, form in parts for waves, c in form.items()]
        plain = sorted({a for _, rest, _ in found for a, _ in exponents(rest)}, key=self.order.atom)
        trigonometric = sorted({(v, kind) for _, _, waves in found for v, kind, _ in waves})
        factors = [self.ring.atoms[a].node for a in plain] + [self._wave(v, kind) for v, kind in trigonometric]
        names: dict[object, int] = {x: k for k, x in enumerate([*plain, *trigonometric])}
        collector = Collector(len(plain), not (self.ring.floats and any(c.denominator > ROUND for c, _, _ in found)))
        terms = [
            collector.term(c, {names[a]: e for a, e in exponents(rest)} | {names[v, k]: e for v, k, e in waves})
            for c, rest, waves in found
        ]
        return Row(terms, collector, factors)

    def _parted(self, p: Poly) -> dict[int, trig.Powers]:
        """What stands with each product of other atoms: powers of sines and cosines."""
        groups: dict[int, trig.Powers] = {}
        self.order.refresh(self._forms)
        for k, c in p.terms.items():
            waves = k & self.ring.trig
            groups.setdefault(k ^ waves, {})[self.order.monomial(waves)] = Fraction(c, p.den)
        return groups

    def _form(self, powers: trig.Powers) -> trig.Sum:
        """Sines and cosines in their form; found once for each sum up to a number before it."""
        first = powers[min(powers)]
        whole = {m: c / first for m, c in powers.items()}
        key = frozenset(whole.items())
        if key not in self._forms:
            self._forms[key] = self.form(whole, self.order.parts)
        return {waves: c * first for waves, c in self._forms[key].items()}

    def _wave(self, vector: trig.Vector, kind: int) -> int:
        """The sine or cosine of an angle."""
        terms = [(n * self.order.ranked[a].unit, self.order.ranked[a].node) for a, n in vector]
        argument = self._chain([(c < 0, self._scaled(abs(c), node)) for c, node in terms])
        return self.graph.sin(argument) if kind == trig.SIN else self.graph.cos(argument)

    # Nodes

    def _sum(self, row: Row) -> int:
        if not row.terms:
            return self.graph.zero
        whole = row.collector.collected(row.terms)
        node = self._node(whole, row.factors)
        return self.graph.neg(node) if whole.number < 0 else node

    def _node(self, t: Term, nodes: Sequence[int]) -> int:
        """A term without its sign."""
        factors = [(nodes[r], p) for r, p in sorted(t.powers.items())]
        if t.inner:
            factors.append((self._chain([(x.number < 0, self._node(x, nodes)) for x in t.inner]), 1))
        return self._scaled(abs(t.number), self._product(factors))

    def _product(self, factors: Sequence[tuple[int, int]]) -> int:
        """A product in just this order: the graph's own constructors would put what is older first."""
        made = [integer_power(self.graph, factor, power) for factor, power in factors]
        made = [x for x in made if x != self.graph.one] or [self.graph.one]
        return reduce(lambda a, b: self.graph.intern(MUL, a, b), made)

    def _chain(self, terms: Sequence[tuple[bool, int]]) -> int:
        """A sum in just this order."""
        (minus, node), *others = terms
        node = self.graph.neg(node) if minus else node
        for minus, x in others:
            node = self.graph.intern(SUB if minus else ADD, node, x)
        return node

    def _scaled(self, number: Fraction, node: int) -> int:
        return self.graph.mul(self._constant(number), node)

    def _constant(self, number: Fraction) -> int:
        """A number: a fraction, or a float where floats were given and no short fraction is meant."""
        short = not self.ring.floats or number.denominator <= ROUND
        try:
            return self.graph.const(number if short else float(number))
        except (OverflowError, ExpressionError):
            raise ExpressionError(
                f"a closed form has a number of {len(str(int(number)))} digits, too large for a float. Use other units."
            ) from None
