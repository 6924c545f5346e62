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
from freebody.scalar.ops import ABS, ADD, CONST, COS, DIV, MUL, NEG, OPS, POW, SIN, SQRT, SUB, SYMBOL, TAN, WHERE
from freebody.scalar.walk import live, operands, rebuild, uses

FRACTION = 1000  # a larger denominator comes from a float
SQUARES = 1000  # numbers whose squares are looked for in what stands below a root
LARGEST = 64  # of numerators and denominators of coefficients that are counted in units
FINEST = 1024  # parts of a term that are still a unit

AngleTerm = tuple[int, tuple[tuple[int, int], ...]]  # a monomial and the powers of factors behind it
Scales = dict[AngleTerm, int]  # how many parts the unit is of the term


class FinerUnit(Exception):
    """An argument needs a fraction of a unit that was taken whole."""

    def __init__(self, term: AngleTerm, scale: int) -> None:
        super().__init__(term, scale)
        self.term, self.scale = term, scale


@dataclass(frozen=True, slots=True)
class Angle:
    """unit · node, and the indices of its sine and cosine among the atoms; the node of a constant angle is 1."""

    node: int
    unit: Fraction
    sine: int
    cosine: int


class Angles:
    """The base angles of a ring."""

    def __init__(self, quotients: Quotients, scales: Scales, write: Callable[[Quotient], int]) -> None:
        self.quotients, self.ring, self.scales, self.write = quotients, quotients.ring, scales, write
        self.all: list[Angle] = []
        self._index: dict[tuple[AngleTerm, Fraction], int] = {}
        self._multiples: dict[tuple[int, int], tuple[Poly, Poly]] = {}

    def sine_cosine(self, argument: Quotient) -> tuple[Poly, Poly]:
        """sin and cos of an argument, multiplied out."""
        argument = self.quotients.expanded(argument)
        terms = {k: Fraction(c, argument.num.den) for k, c in argument.num.terms.items()}
        turns = _quarter_turns(terms[0]) if 0 in terms and not argument.powers else 0
        if turns:
            del terms[0]
        s, c = (number(Fraction((0, 1, 0, -1)[n % 4])) for n in (turns, turns + 1))
        for k, coefficient in sorted(terms.items()):
            s, c = self._sum(s, c, *self._multiple(*self._counted(self._term(k, argument.powers), coefficient)))
        return s, c

    def _sum(self, s: Poly, c: Poly, sine: Poly, cosine: Poly) -> tuple[Poly, Poly]:
        """sin and cos of a sum of two angles."""
        mul = self.ring.mul
        return mul(s, cosine).plus(mul(c, sine)), mul(c, cosine).plus(mul(s, sine), -1)

    def _term(self, k: int, powers: dict[int, int]) -> AngleTerm:
        """A term of an argument: its monomial over the factors, atoms on both sides cancelled."""
        left = dict(powers)
        for f in powers:
            factor = self.quotients.factors[f]
            if len(factor) == 1:
                (unit,) = factor.terms
                times = min(-left[f], k >> (unit.bit_length() - 1) & FIELD)
                k, left[f] = k - times * unit, left[f] + times
        return k, tuple(sorted((f, p) for f, p in left.items() if p))

    def _counted(self, term: AngleTerm, coefficient: Fraction) -> tuple[int, int]:
        """A term as a whole multiple of a base angle: the angle's index and the multiple."""
        scale = self.scales.setdefault(term, 1)
        finer = math.lcm(scale, coefficient.denominator)
        small = max(abs(coefficient.numerator), coefficient.denominator) <= LARGEST and finer <= FINEST
        if term == (0, ()) or not small:
            return self._base(term, abs(coefficient)), 1 if coefficient > 0 else -1
        if finer > scale:
            raise FinerUnit(term, finer)
        return self._base(term, Fraction(1, scale)), int(coefficient * scale)

    def _base(self, term: AngleTerm, unit: Fraction) -> int:
        """The index of a base angle; a new one gets its sine and cosine as atoms."""
        if (term, unit) not in self._index:
            node = self.write(Quotient(Poly({term[0]: 1}), dict(term[1])))
            new = self._index[term, unit] = len(self.all)
            sine, cosine = (self.ring.atom((term, unit, is_sine), Atom(-1, new, is_sine)) for is_sine in (True, False))
            self.all.append(Angle(node, unit, sine, cosine))
            self.ring.relate(sine, Poly({0: 1, 2 << cosine * WIDTH: -1}))
        return self._index[term, unit]

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


def _quarter_turns(constant: Fraction) -> int:
    """How many quarter turns this is; 0 if it is not the float nearest to a small number of them."""
    n = round(float(constant) / (math.pi / 2)) if abs(constant) < 1000 else 0
    return n if abs(float(constant) - n * (math.pi / 2)) <= 2 * math.ulp(float(constant)) else 0


class QuotientReader:
    """One pass over the nodes that some roots need. ``write`` makes nodes of what stands inside other functions.

    Each shared node is read once; a quotient is dropped after its last use.
    """

    def __init__(self, graph: Graph, limit: int, scales: Scales) -> None:
        self.graph = graph
        self.ring = Ring(graph, limit)
        self.quotients = Quotients(self.ring)
        self.angles = Angles(self.quotients, scales, lambda x: self.write(x))
        self.write: Callable[[Quotient], int]
        self.left: dict[int, int] = {}  # uses of each node that are still to come
        self.fresh: set[int] = set()  # sums whose polynomial nothing else holds
        self.broken = ""  # what has no finite value
        self.values: dict[int, Quotient] = {}
        self.infinite: set[int] = set()  # nodes without a finite value, in a branch that is not taken
        self._readers: dict[int, Callable[[int], Quotient | None]] = {
            CONST: self._atom, SYMBOL: self._atom, NEG: self._negative, ADD: self._sum, SUB: self._sum,
            MUL: lambda i: self.quotients.mul(*self._two(i)), DIV: self._quotient, POW: self._power,
            SIN: lambda i: Quotient(self._angle(i)[0]), COS: lambda i: Quotient(self._angle(i)[1]), TAN: self._tangent,
            SQRT: lambda i: self._surd(SQRT, self.values[graph.a[i]]),
            ABS: lambda i: self._surd(ABS, self.values[graph.a[i]]),
        }  # fmt: skip

    def read(self, roots: Sequence[int]) -> list[Quotient]:
        """The quotients of the roots, positive powers multiplied out."""
        g, self.left = self.graph, uses(self.graph, roots)
        for i in live(g, roots):
            unknown = g.op[i] != WHERE and any(k in self.infinite for k in operands(g, i))
            value = None if unknown or i in g.broken else self._readers.get(g.op[i], self._other)(i)
            if value is None:
                self.infinite.add(i)
            else:
                self.values[i] = value
            for k in operands(g, i):
                self._release(k, value)
        for r in roots:
            if r in self.infinite:
                raise ExpressionError(f"closed form: {self.broken} has no finite value. Change what leads to it.")
        return [self.quotients.expanded(self.values[r]) for r in roots]

    def _release(self, k: int, user: Quotient | None) -> None:
        """Count one use of an operand; a polynomial that its user shares cannot be changed in place any more."""
        self.left[k] -= 1
        operand = self.values.get(k)
        if operand is not None and user is not None and operand.num.terms is user.num.terms:
            self.fresh.discard(k)
        if not self.left[k]:
            self.values.pop(k, None)

    def _two(self, i: int) -> tuple[Quotient, Quotient]:
        return self.values[self.graph.a[i]], self.values[self.graph.b[i]]

    # Leaves and arithmetic

    def _atom(self, i: int) -> Quotient | None:
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

    def _negative(self, i: int) -> Quotient:
        a = self.values[self.graph.a[i]]
        return Quotient(-a.num, a.powers)

    def _sum(self, i: int) -> Quotient:
        (a, b), left = self._two(i), self.graph.a[i]
        sign = 1 if self.graph.op[i] == ADD else -1
        if sign > 0 and len(a.num) < len(b.num):
            a, b, left = b, a, self.graph.b[i]
        in_place = self.left[left] == 1 and left in self.fresh
        total = self.quotients.add(a, b, sign, in_place)
        if in_place or (total.num is not a.num and total.num is not b.num):
            self.fresh.add(i)
        return total

    def _quotient(self, i: int) -> Quotient:
        a, b = self._two(i)
        what = f"{describe(self.graph, self.graph.a[i])}/{describe(self.graph, self.graph.b[i])}"
        return self.quotients.mul(a, self.quotients.inverse(b, what))

    def _power(self, i: int) -> Quotient | None:
        a, b = self._two(i)
        n = b.num.constant if not b.powers else None
        if n is None or n.denominator > 2 or abs(n) >= GUARD:
            return self._other(i)
        base = a if n.denominator == 1 else self._surd(SQRT, a)
        if base is None:
            return None
        if n < 0:
            base = self.quotients.inverse(base, f"{describe(self.graph, self.graph.a[i])}**({n})")
        return self.quotients.power(base, abs(n.numerator))

    # Functions

    def _angle(self, i: int) -> tuple[Poly, Poly]:
        return self.angles.sine_cosine(self.values[self.graph.a[i]])

    def _tangent(self, i: int) -> Quotient:
        s, c = self._angle(i)
        return self.quotients.mul(Quotient(s), self.quotients.inverse(Quotient(c), "tan(…)"))

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

    def _other(self, i: int) -> Quotient | None:
        """Any function: an atom, known by its arguments."""
        g, op = self.graph, OPS[self.graph.op[i]]
        if op.odd or op.even:
            return self._signed(i, op.odd)
        mapped = {k: k if k in self.infinite else self.write(self.values[k]) for k in operands(g, i)}
        node = rebuild(g, i, g, mapped, g.const)
        same = [k for k, new in mapped.items() if new == node and k not in self.infinite]
        return self.values[same[0]] if same else self._atom(node)

    def _signed(self, i: int, odd: bool) -> Quotient | None:
        """An odd or even function: of x and −x the one that was written first stands inside."""
        g, x = self.graph, self.values[self.graph.a[i]]
        plus, minus = self.write(x), self.write(Quotient(-x.num, x.powers))
        value = self._atom(g.build[g.op[i]](min(plus, minus)))
        return Quotient(-value.num) if value is not None and odd and minus < plus else value


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
