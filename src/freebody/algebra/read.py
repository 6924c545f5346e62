"""Nodes to quotients of polynomials, with every argument of a sine or cosine as whole multiples of a few base angles.

The terms of an argument are its angles: q1, q2, ω·t. An angle's unit is the whole term, or a fraction of it where an
argument needs one (q/2); a coefficient that is not a small fraction (0.3·q) makes an angle of its own. Turns by
multiples of π/2 are exact: the floats nearest to them stand for them.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from freebody.algebra.polynomial import FIELD, GUARD, ONE, WIDTH, Atom, Poly, Ring, number
from freebody.algebra.quotient import Quotient, Quotients
from freebody.errors import ExpressionError
from freebody.scalar.arithmetic import describe
from freebody.scalar.graph import Graph
from freebody.scalar.node import NONE, Node
from freebody.scalar.ops import ABS, ADD, CONST, COS, DIV, MUL, NEG, OPS, POW, SIN, SQRT, SUB, SYMBOL, TAN, WHERE
from freebody.scalar.walk import live, operands, rebuild, uses

FRACTION = 1000  # a larger denominator comes from a float
SQUARES = 1000  # numbers whose squares are looked for in what stands below a root
LARGEST = 64  # of numerators and denominators of coefficients that are counted in units
FINEST = 1024  # parts of a term that are still a unit

AngleTerm = tuple[int, tuple[tuple[int, int], ...]]  # a monomial and the powers of factors behind it
Scales = dict[AngleTerm, int]  # how many parts the unit is of the term


class FinerUnit(Exception):
    """An argument needs a fraction of a unit that was taken whole; its argument is the scale of the term."""


@dataclass(frozen=True, slots=True)
class Angle:
    """unit · node, and the indices of its sine and cosine among the atoms; the node of a constant angle is 1."""

    node: Node
    unit: Fraction
    sine: int
    cosine: int


class Angles:
    """The base angles of a ring."""

    def __init__(self, quotients: Quotients, scales: Scales, write: Callable[[Quotient], Node]) -> None:
        self.quotients, self.ring, self.scales, self.write = quotients, quotients.ring, scales, write
        self.all: list[Angle] = []
        self._index: dict[tuple[AngleTerm, Fraction], int] = {}
        self._multiples: dict[tuple[int, int], tuple[Poly, Poly]] = {}

    def sine_cosine(self, argument: Quotient) -> tuple[Poly, Poly]:
        """sin and cos of an argument, multiplied out."""
        argument = self.quotients.expanded(argument)
        terms = {k: Fraction(c, argument.num.den) for k, c in argument.num.terms.items()}
        turns = 0  # quarter turns, where the constant is the float nearest to a small number of them
        if 0 in terms and not argument.powers and abs(terms[0]) < 1000:
            constant = float(terms[0])
            turns = round(constant / (math.pi / 2))
            if abs(constant - turns * (math.pi / 2)) > 2 * math.ulp(constant):
                turns = 0
        if turns:
            del terms[0]
        s, c = (number(Fraction((0, 1, 0, -1)[n % 4])) for n in (turns, turns + 1))
        for k, coefficient in sorted(terms.items()):
            left = dict(argument.powers)  # the monomial over the factors, atoms on both sides cancelled
            for f in argument.powers:
                factor = self.quotients.factors[f]
                if len(factor) == 1:
                    (unit,) = factor.terms
                    times = min(-left[f], k >> (unit.bit_length() - 1) & FIELD)
                    k, left[f] = k - times * unit, left[f] + times
            term = k, tuple(sorted((f, p) for f, p in left.items() if p))
            s, c = self._sum(s, c, *self._multiple(*self._counted(term, coefficient)))
        return s, c

    def _sum(self, s: Poly, c: Poly, sine: Poly, cosine: Poly) -> tuple[Poly, Poly]:
        """sin and cos of a sum of two angles."""
        mul = self.ring.mul
        return mul(s, cosine).plus(mul(c, sine)), mul(c, cosine).plus(mul(s, sine), -1)

    def _counted(self, term: AngleTerm, coefficient: Fraction) -> tuple[int, int]:
        """A term as a whole multiple of a base angle: the angle's index and the multiple. The sine and cosine of a new
        base angle become atoms."""
        scale = self.scales.setdefault(term, 1)
        finer = math.lcm(scale, coefficient.denominator)
        small = max(abs(coefficient.numerator), coefficient.denominator) <= LARGEST and finer <= FINEST
        if term == (0, ()) or not small:
            unit, n = abs(coefficient), 1 if coefficient > 0 else -1
        elif finer > scale:
            raise FinerUnit({term: finer})
        else:
            unit, n = Fraction(1, scale), int(coefficient * scale)
        if (term, unit) not in self._index:
            node = self.write(Quotient(Poly({term[0]: 1}), dict(term[1])))
            new = self._index[term, unit] = len(self.all)
            sine, cosine = (
                self.ring.atom((term, unit, is_sine), Atom(NONE, new, is_sine)) for is_sine in (True, False)
            )
            self.all.append(Angle(node, unit, sine, cosine))
            self.ring.relate(sine, Poly({0: 1, 2 << cosine * WIDTH: -1}))
        return self._index[term, unit], n

    def _multiple(self, base: int, n: int) -> tuple[Poly, Poly]:
        """sin and cos of n times a base angle, by Chebyshev's recurrence; built up from the largest one known."""
        if n < 0:
            s, c = self._multiple(base, -n)
            return -s, c
        first = self.ring.variable(self.all[base].sine), self.ring.variable(self.all[base].cosine)
        known = self._multiples
        known.setdefault((base, 0), (Poly({}), ONE))
        for m in range(max(m for m in range(n + 1) if (base, m) in known), n):
            known[base, m + 1] = self._sum(*known[base, m], *first)
        return known[base, n]


class QuotientReader:
    """One pass over the nodes that some roots need. ``write`` makes nodes of what stands inside other functions.

    Each shared node is read once; a quotient is dropped after its last use.
    """

    def __init__(self, graph: Graph, limit: int, scales: Scales) -> None:
        self.graph = graph
        self.ring = Ring(graph, limit)
        self.quotients = Quotients(self.ring)
        self.angles = Angles(self.quotients, scales, lambda x: self.write(x))
        self.write: Callable[[Quotient], Node]
        self.left: dict[Node, int] = {}  # uses of each node that are still to come
        self.fresh: set[Node] = set()  # sums whose polynomial nothing else holds
        self.broken = ""  # what has no finite value
        self.values: dict[Node, Quotient] = {}
        self.infinite: set[Node] = set()  # nodes without a finite value, in a branch that is not taken

    def read(self, roots: Sequence[Node]) -> list[Quotient]:
        """The quotients of the roots, positive powers multiplied out."""
        g, self.left = self.graph, uses(self.graph, roots)
        for i in live(g, roots):
            unknown = g.op[i] != WHERE and any(k in self.infinite for k in operands(g, i))
            value = None if unknown or i in g.broken else self._value(i)
            if value is None:
                self.infinite.add(i)
            else:
                self.values[i] = value
            for k in operands(g, i):
                self.left[k] -= 1
                operand = self.values.get(k)
                if operand is not None and value is not None and operand.num.terms is value.num.terms:
                    self.fresh.discard(k)  # its user shares the polynomial, which must not be changed any more
                if not self.left[k]:
                    self.values.pop(k, None)
        for r in roots:
            if r in self.infinite:
                raise ExpressionError(f"closed form: {self.broken} has no finite value. Change what leads to it.")
        return [self.quotients.expanded(self.values[r]) for r in roots]

    def _value(self, i: Node) -> Quotient | None:
        """The quotient of a node from those of its operands; None where it has no finite value."""
        g, quotients, op = self.graph, self.quotients, self.graph.op[i]
        if op in (CONST, SYMBOL):
            return self._atom(i)
        if op not in (NEG, SIN, COS, TAN, SQRT, ABS, ADD, SUB, MUL, DIV, POW):
            return self._other(i)
        x = self.values[g.a[i]]
        if op == NEG:
            return Quotient(-x.num, x.powers)
        if op in (SQRT, ABS):
            return self._surd(op, x)
        if op in (SIN, COS, TAN):
            s, c = self.angles.sine_cosine(x)
            if op == TAN:
                return quotients.mul(Quotient(s), quotients.inverse(Quotient(c), "tan(…)"))
            return Quotient(s if op == SIN else c)
        y = self.values[g.b[i]]
        if op in (ADD, SUB):
            return self._sum(i, x, y)
        if op == MUL:
            return quotients.mul(x, y)
        if op == DIV:
            return quotients.mul(x, quotients.inverse(y, f"{describe(g, g.a[i])}/{describe(g, g.b[i])}"))
        n = y.num.constant if not y.powers else None
        if n is None or n.denominator > 2 or abs(n) >= GUARD:
            return self._other(i)
        base = x if n.denominator == 1 else self._surd(SQRT, x)
        if base is not None and n < 0:
            base = quotients.inverse(base, f"{describe(g, g.a[i])}**({n})")
        if base is None:
            return None
        times = abs(n.numerator)
        return quotients.tidy(
            Quotient(self.ring.power(base.num, times), {f: p * times for f, p in base.powers.items()})
        )

    def _sum(self, i: Node, a: Quotient, b: Quotient) -> Quotient:
        """a ± b, in place of the longer one where nothing else needs that."""
        sign, left = 1 if self.graph.op[i] == ADD else -1, self.graph.a[i]
        if sign > 0 and len(a.num) < len(b.num):
            a, b, left = b, a, self.graph.b[i]
        in_place = self.left[left] == 1 and left in self.fresh
        total = self.quotients.add(a, b, sign, in_place)
        if in_place or (total.num is not a.num and total.num is not b.num):
            self.fresh.add(i)
        return total

    def _atom(self, i: Node) -> Quotient | None:
        """A node as an atom, signs and numbers outside; None if it turned out to have no finite value."""
        if i in self.graph.broken:
            self.broken = self.graph.broken[i]
            return None
        value = self.graph.number(i)
        if value is not None:
            self.ring.floats |= isinstance(value, float)
            return Quotient(number(Fraction(value)))
        minus = self.graph.op[i] == NEG
        node = self.graph.a[i] if minus else i
        atom = self.ring.variable(self.ring.atom(node, Atom(node)))
        return Quotient(-atom if minus else atom)

    def _surd(self, op: int, x: Quotient) -> Quotient | None:
        """√x or |x|: a number is taken out where possible; the square of what stays inside is known."""
        inside = self.quotients.expanded(x)
        build = self.graph.build[op]
        if inside.powers or inside.num.constant is not None:
            return self._atom(build(self.write(inside)))
        factor, common = Fraction(1), inside.num.content
        if common.denominator <= FRACTION:  # floats stay inside
            factor = common if op == ABS else Fraction(_root_in(common.numerator), _root_in(common.denominator))
        p = inside.num.scaled(1 / factor if op == ABS else 1 / factor**2)
        argument = self.write(Quotient(p))
        node = build(argument if op == SQRT else min(argument, self.write(Quotient(-p))))  # |p| is |−p|
        value = self._atom(node)
        index = self.ring.index.get(node)
        if index is not None and index not in self.ring.squares:
            self.ring.relate(index, p if op == SQRT else self.ring.mul(p, p))
        return None if value is None else Quotient(value.num.scaled(factor))

    def _other(self, i: Node) -> Quotient | None:
        """Any function: an atom, known by its arguments. An odd or even one has x or −x inside, whichever was written
        first."""
        g, op = self.graph, OPS[self.graph.op[i]]
        if op.odd or op.even:
            x = self.values[g.a[i]]
            plus, minus = self.write(x), self.write(Quotient(-x.num, x.powers))
            value = self._atom(g.build[g.op[i]](min(plus, minus)))
            return Quotient(-value.num) if value is not None and op.odd and minus < plus else value
        mapped = {k: k if k in self.infinite else self.write(self.values[k]) for k in operands(g, i)}
        node = rebuild(g, i, g, mapped, g.const)
        same = [k for k, new in mapped.items() if new == node and k not in self.infinite]
        return self.values[same[0]] if same else self._atom(node)


def _root_in(n: int) -> int:
    """A number whose square divides n: n's own root, or one made of small primes."""
    root = math.isqrt(n)
    if root * root == n:
        return root
    root = 1
    for k in (2, *range(3, SQUARES, 2)):
        while k * k <= n and n % (k * k) == 0:
            n, root = n // (k * k), root * k
    return root
