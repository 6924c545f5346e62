"""Expressions as people write them: sums of products in alphabetical order, sin² + cos² as 1, sin/cos as tan."""

from collections import Counter
from collections.abc import Sequence

from freebody.scalar.graph import Graph
from freebody.scalar.ops import ADD, DIV, MUL, NEG, SIN, SUB, TAN
from freebody.scalar.printing import text
from freebody.scalar.walk import live, operands, transfer

MANY = 64
"""Products that are multiplied out; longer ones stay as they are."""
Powers = tuple[tuple[int, int], ...]  # (factor, exponent)
Sum = dict[Powers, int]  # products and how often each is there


def tidied(g: Graph, roots: Sequence[int]) -> tuple[Graph, list[int]]:
    """The same values in a graph of their own, where what comes first in the alphabet is made first."""
    sums = [_shortened(g, _whole(g, root)) for root in roots]
    factors = sorted({f for one in sums for powers in one for f, _ in powers}, key=lambda f: text(g, f))
    fresh = Graph()
    new = {f: transfer(g, [f], fresh)[f] for f in factors}
    return fresh, [_written(fresh, one, new) for one in sums]


def _whole(g: Graph, root: int) -> Sum:
    made: dict[int, Sum] = {}
    for i in live(g, [root]):
        made[i] = _expanded(g, i, made)
    return made[root]


def _expanded(g: Graph, i: int, made: dict[int, Sum]) -> Sum:
    """A node as a sum of products."""
    code, x, number = g.op[i], operands(g, i), g.number(i)
    if isinstance(number, int) and abs(number) < 100:
        return {(): number} if number else {}
    if code == NEG:
        return {p: -n for p, n in made[x[0]].items()}
    if code in (ADD, SUB):
        return _added(made[x[0]], made[x[1]], 1 if code == ADD else -1)
    if code == MUL and len(made[x[0]]) * len(made[x[1]]) <= MANY:
        return _multiplied(made[x[0]], made[x[1]])
    if code == DIV and list(made[x[1]].values()) in ([1], [-1]):
        ((powers, sign),) = made[x[1]].items()
        return _multiplied(made[x[0]], {tuple((f, -n) for f, n in powers): sign})
    return {((i, 1),): 1}


def _added(a: Sum, b: Sum, sign: int) -> Sum:
    total = Counter(a)
    for powers, n in b.items():
        total[powers] += sign * n
    return {powers: n for powers, n in total.items() if n}


def _multiplied(a: Sum, b: Sum) -> Sum:
    total: Sum = {}
    for p, n in a.items():
        for r, m in b.items():
            total = _added(total, {_product(p, r): n * m}, 1)
    return total


def _product(a: Powers, b: Powers) -> Powers:
    powers = Counter(dict(a))
    for f, n in b:
        powers[f] += n
    return tuple(sorted((f, n) for f, n in powers.items() if n))


def _shortened(g: Graph, given: Sum) -> Sum:
    """With sin² + cos² = 1 wherever both are there, and tangents."""
    total = dict(given)
    for powers in [*total]:
        for f, n in powers:
            if g.op[f] == SIN and n >= 2 and powers in total:
                total = _pythagoras(total, powers, f, g.cos(g.a[f]))
    made: Sum = {}
    for powers, n in total.items():
        made = _added(made, {_tangents(g, powers): n}, 1)
    return made


def _pythagoras(total: Sum, powers: Powers, s: int, c: int) -> Sum:
    """n T sin² + n T cos² = n T"""
    rest = _product(powers, ((s, -2),))
    partner = _product(rest, ((c, 2),))
    n = total[powers]
    if total.get(partner) != n:
        return total
    return _added({p: k for p, k in total.items() if p not in (powers, partner)}, {rest: n}, 1)


def _tangents(g: Graph, powers: Powers) -> Powers:
    made = powers
    for f, n in powers:
        c = g.cos(g.a[f]) if g.op[f] == SIN else f
        pairs = min(n, -dict(powers).get(c, 0)) if g.op[f] == SIN else 0
        if pairs > 0:
            made = _product(made, ((f, -pairs), (c, pairs), (g.build[TAN](g.a[f]), pairs)))
    return made


def _written(g: Graph, given: Sum, new: dict[int, int]) -> int:
    """The sum in the fresh graph; a negative product does not come first if there is another."""
    products = [(n, _quotient(g, powers, new)) for powers, n in given.items()]
    total = g.zero
    for n, product in sorted(products, key=lambda one: (one[0] < 0, text(g, one[1]))):
        total = g.add(total, g.mul(g.const(n), product))
    return total


def _quotient(g: Graph, powers: Powers, new: dict[int, int]) -> int:
    above, below = g.one, g.one
    for f, n in sorted(((new[f], n) for f, n in powers)):
        for _ in range(abs(n)):
            above, below = (g.mul(above, f), below) if n > 0 else (above, g.mul(below, f))
    return g.div(above, below)
