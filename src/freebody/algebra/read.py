"""Nodes to quotients of polynomials, operands first, each shared node once; what nobody needs any more is forgotten."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from freebody.algebra.angles import Angles, Scales
from freebody.algebra.poly import GUARD, Poly, content, number, scaled
from freebody.algebra.quotient import Quotient, Quotients
from freebody.algebra.ring import Ring
from freebody.errors import ExpressionError
from freebody.scalar import ops
from freebody.scalar.arithmetic import describe
from freebody.scalar.graph import Graph
from freebody.scalar.ops import ABS, ADD, CONST, COS, DIV, MUL, NEG, OPS, POW, SIN, SQRT, SUB, SYMBOL, TAN
from freebody.scalar.walk import live, operands, rebuild, uses

Writer = Callable[[Quotient], int]
FRACTION = 1000  # a larger denominator comes from a float
SQUARES = 1000  # numbers whose squares are looked for in what stands below a root


class Reader:
    """One pass over the nodes that some roots need. ``write`` makes nodes of what stands inside other functions."""

    def __init__(self, graph: Graph, limit: int, scales: Scales) -> None:
        self.graph = graph
        self.ring = Ring(graph, limit)
        self.quotients = Quotients(self.ring)
        self.angles = Angles(self.quotients, scales, lambda x: self.write(x))
        self.write: Writer
        self.fresh: set[int] = set()  # sums whose polynomial nobody else holds
        self.broken = ""  # what has no finite value
        self.known: dict[int, Quotient] = {}
        self.infinite: set[int] = set()  # nodes without a finite value, in a branch that is not taken
        self._readers: dict[int, Callable[[int], Quotient | None]] = {
            CONST: self._number, SYMBOL: lambda i: self._atom(i), NEG: self._negative, ADD: self._sum, SUB: self._sum,
            MUL: lambda i: self.quotients.mul(*self._two(i)), DIV: self._quotient, POW: self._power,
            SIN: lambda i: Quotient(self._angle(i)[0]), COS: lambda i: Quotient(self._angle(i)[1]), TAN: self._tangent,
            SQRT: self._root, ABS: self._root,
        }  # fmt: skip

    def read(self, roots: Sequence[int]) -> list[Quotient]:
        self.left = uses(self.graph, roots)
        for i in live(self.graph, roots):
            value = None if i in self.graph.broken else self._read(i)
            if value is None:
                self.infinite.add(i)
            else:
                self.known[i] = value
            for k in operands(self.graph, i):
                self._release(k, value)
        return [self.quotients.expanded(self._finite(r)) for r in roots]

    def _finite(self, root: int) -> Quotient:
        if root in self.infinite:
            raise ExpressionError(f"closed form: {self.broken} has no finite value. Change what leads to it.")
        return self.known[root]

    def _release(self, k: int, user: Quotient | None) -> None:
        """An operand has been used once more; a polynomial that its user shares is no longer its own."""
        self.left[k] -= 1
        own = self.known.get(k)
        if own is not None and user is not None and own.num.terms is user.num.terms:
            self.fresh.discard(k)
        if not self.left[k]:
            self.known.pop(k, None)

    def _read(self, i: int) -> Quotient | None:
        op = self.graph.op[i]
        if op != ops.WHERE and any(k in self.infinite for k in operands(self.graph, i)):
            return None
        return self._readers.get(op, self._other)(i)

    def _value(self, i: int) -> Quotient:
        return self.known[i]

    def _two(self, i: int) -> tuple[Quotient, Quotient]:
        return self._value(self.graph.a[i]), self._value(self.graph.b[i])

    # Leaves and arithmetic

    def _number(self, i: int) -> Quotient:
        value = self.graph.numbers[self.graph.a[i]]
        self.ring.floats |= isinstance(value, float)
        return Quotient(number(Fraction(value)))

    def _atom(self, i: int) -> Quotient | None:
        """A node as an atom, signs and numbers outside; None if it turned out to have no finite value."""
        if i in self.graph.broken:
            self.broken = self.graph.broken[i]
            return None
        value = self.graph.number(i)
        if value is not None:
            self.ring.floats |= isinstance(value, float)
            return Quotient(number(Fraction(value)))
        if self.graph.op[i] == NEG:
            return Quotient(scaled(self.ring.variable(self.ring.plain(self.graph.a[i])), Fraction(-1)))
        return Quotient(self.ring.variable(self.ring.plain(i)))

    def _negative(self, i: int) -> Quotient:
        a = self._value(self.graph.a[i])
        return Quotient(scaled(a.num, Fraction(-1)), a.powers)

    def _sum(self, i: int) -> Quotient:
        a, b = self._two(i)
        sign = 1 if self.graph.op[i] == ADD else -1
        left = self.graph.a[i], self.graph.b[i]
        if sign > 0 and len(a.num) < len(b.num):
            a, b, left = b, a, left[::-1]
        own = self.left[left[0]] == 1 and left[0] in self.fresh
        made = self.quotients.add(a, b, sign, own)
        if own or (made.num is not a.num and made.num is not b.num):
            self.fresh.add(i)
        return made

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
        return self.angles.sine_cosine(self._value(self.graph.a[i]))

    def _tangent(self, i: int) -> Quotient:
        s, c = self._angle(i)
        return self.quotients.mul(Quotient(s), self.quotients.inverse(Quotient(c), "tan(…)"))

    def _root(self, i: int) -> Quotient | None:
        return self._surd(self.graph.op[i], self._value(self.graph.a[i]))

    def _surd(self, op: int, x: Quotient) -> Quotient | None:
        """√x or |x|: what can be taken out is; the square of what is left is known."""
        inside = self.quotients.expanded(x)
        if inside.powers or inside.num.constant is not None:
            return self._atom(self.graph.build[op](self.write(inside)))
        out, p = (_taken if op == SQRT else _signless)(inside.num)
        node = self._applied(op, p)
        found = self._atom(node)
        place = self.ring.index.get(node)
        if place is not None and place not in self.ring.squares:
            self.ring.relate(place, p if op == SQRT else self.ring.mul(p, p))
        return None if found is None else Quotient(scaled(found.num, out))

    def _applied(self, op: int, p: Poly) -> int:
        """The node of √p or |p|; of the latter, the sign of p is of no account."""
        made = self.write(Quotient(p))
        return self.graph.build[op](made if op == SQRT else min(made, self.write(Quotient(scaled(p, Fraction(-1))))))

    def _other(self, i: int) -> Quotient | None:
        """Any function: an atom, known by what stands inside."""
        g, op = self.graph, OPS[self.graph.op[i]]
        if op.odd or op.even:
            return self._signed(i, op.odd)
        mapped = {k: k if k in self.infinite else self.write(self._value(k)) for k in operands(g, i)}
        made = rebuild(g, i, g, mapped, g.const)
        same = [k for k, node in mapped.items() if node == made and k not in self.infinite]
        return self._value(same[0]) if same else self._atom(made)

    def _signed(self, i: int, odd: bool) -> Quotient | None:
        """An odd or even function: of x and −x the one that was written first stands inside."""
        g, x = self.graph, self._value(self.graph.a[i])
        plus, minus = self.write(x), self.write(Quotient(scaled(x.num, Fraction(-1)), x.powers))
        found = self._atom(g.build[g.op[i]](min(plus, minus)))
        return None if found is None else Quotient(scaled(found.num, Fraction(-1 if odd and minus < plus else 1)))


def _taken(p: Poly) -> tuple[Fraction, Poly]:
    """√p as a number times the root of a polynomial; floats stay inside."""
    whole = content(p)
    if whole.denominator > FRACTION:
        return Fraction(1), p
    k = Fraction(_square_in(whole.numerator), _square_in(whole.denominator))
    return k, scaled(p, 1 / k**2)


def _square_in(n: int) -> int:
    """A number whose square divides n: n's own root, or one made of small primes."""
    root = math.isqrt(n)
    if root * root == n:
        return root
    found = 1
    for k in (2, *range(3, SQUARES, 2)):
        while k * k <= n and n % (k * k) == 0:
            n, found = n // (k * k), found * k
    return found


def _signless(p: Poly) -> tuple[Fraction, Poly]:
    """|p| as a number times the absolute value of a polynomial; floats stay inside."""
    whole = content(p)
    return (whole, scaled(p, 1 / whole)) if whole.denominator <= FRACTION else (Fraction(1), p)
