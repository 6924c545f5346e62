"""The partial derivatives of every operation, and the arithmetic of tangents and adjoints.

A rule gives the differential of a node n of operands x as

    dn = (Σₖ cₖ·dxₖ)/d      or, for the selectors,      dn = dx₁ where the condition is not zero, else dx₂

with factors cₖ and one common divisor d, which are nodes again; so a derivative can be differentiated. At a point where
an operation has no derivative the rule takes a side: |x|′ = 0 at 0, min and max follow the operand they return, floor,
sign and comparisons are flat, a table has the slope to its right.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from freebody.scalar import ops
from freebody.scalar.functions import Callback
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.walk import operands

Factor = Callable[..., Node]  # of the graph, the node and its operands

DEEPEST = 8  # guards that a product is carried through
_HALF = Fraction(1, 2)


class PartialRule(NamedTuple):
    """dn = (Σₖ factors[k]·dxₖ)/divisor; None is a derivative that is zero. A condition chooses between the last two."""

    factors: tuple[Factor | None, ...]
    divisor: Factor | None = None
    condition: Factor | None = None


def _one(g: Graph, n: Node, *x: Node) -> Node:
    return g.one


def _minus(g: Graph, n: Node, *x: Node) -> Node:
    return g.neg(g.one)


def _square(g: Graph, x: Node) -> Node:
    return g.mul(x, x)


FLAT = PartialRule((None, None, None))
SQUARE = PartialRule((lambda g, n, a: g.mul(g.const(2), a),))  # x·x
RECIPROCAL = PartialRule((lambda g, n, b: g.neg(_square(g, n)),))  # 1/x

RULES: dict[int, PartialRule] = {
    **dict.fromkeys((ops.CONST, ops.SYMBOL, ops.SIGN, ops.FLOOR, *ops.COMPARISONS), FLAT),
    ops.ADD: PartialRule((_one, _one)),
    ops.SUB: PartialRule((_one, _minus)),
    ops.MUL: PartialRule((lambda g, n, a, b: b, lambda g, n, a, b: a)),
    ops.DIV: PartialRule((_one, lambda g, n, a, b: g.neg(n)), lambda g, n, a, b: b),
    ops.NEG: PartialRule((_minus,)),
    ops.POW: PartialRule(
        (
            lambda g, n, a, b: g.mul(b, g.pow(a, g.sub(b, g.one))),  # finite at a = 0 for b ≥ 1, unlike n·b/a
            lambda g, n, a, b: g.mul(n, g.build[ops.LOG](a)),
        )
    ),
    ops.SQRT: PartialRule((lambda g, n, a: g.const(_HALF),), lambda g, n, a: n),
    ops.SIN: PartialRule((lambda g, n, a: g.cos(a),)),
    ops.COS: PartialRule((lambda g, n, a: g.neg(g.sin(a)),)),
    ops.TAN: PartialRule((lambda g, n, a: g.add(g.one, _square(g, n)),)),
    ops.ASIN: PartialRule((_one,), lambda g, n, a: g.sqrt(g.sub(g.one, _square(g, a)))),
    ops.ACOS: PartialRule((_minus,), lambda g, n, a: g.sqrt(g.sub(g.one, _square(g, a)))),
    ops.ATAN: PartialRule((_one,), lambda g, n, a: g.add(g.one, _square(g, a))),
    ops.ATAN2: PartialRule(
        (lambda g, n, a, b: b, lambda g, n, a, b: g.neg(a)),
        lambda g, n, a, b: g.add(_square(g, a), _square(g, b)),
    ),
    ops.SINH: PartialRule((lambda g, n, a: g.build[ops.COSH](a),)),
    ops.COSH: PartialRule((lambda g, n, a: g.build[ops.SINH](a),)),
    ops.TANH: PartialRule((lambda g, n, a: g.sub(g.one, _square(g, n)),)),
    ops.EXP: PartialRule((lambda g, n, a: n,)),
    ops.LOG: PartialRule((_one,), lambda g, n, a: a),
    ops.ABS: PartialRule((lambda g, n, a: g.build[ops.SIGN](a),)),
    ops.MIN: PartialRule((_one, _one), condition=lambda g, n, a, b: g.build[ops.LT](a, b)),
    ops.MAX: PartialRule((_one, _one), condition=lambda g, n, a, b: g.build[ops.LT](b, a)),
    ops.WHERE: PartialRule((None, _one, _one), condition=lambda g, n, c, a, b: c),
}


assert RULES.keys() | {ops.TABLE, ops.CALL} == {o.code for o in ops.OPS}, "every operation has its derivative"


class Local(NamedTuple):
    """A node with its rule, the operands that the rule names, and the values n and x of node and operands."""

    g: Graph
    rule: PartialRule
    ids: tuple[Node, ...]
    n: Node
    x: tuple[Node, ...]

    def factor(self, k: int) -> Node:
        """cₖ."""
        factor = self.rule.factors[k]
        return self.g.zero if factor is None else factor(self.g, self.n, *self.x)

    def divisor(self) -> Node:
        """d."""
        return self.g.one if self.rule.divisor is None else self.rule.divisor(self.g, self.n, *self.x)

    def condition(self) -> Node | None:
        """What chooses between the last two operands; None where nothing is chosen."""
        return None if self.rule.condition is None else self.rule.condition(self.g, self.n, *self.x)

    def partial(self, k: int, alone: bool = True) -> Node:
        """∂n/∂xₖ; unless it is needed alone, the reciprocal of the divisor is shared with the other operands."""
        c, d = self.factor(k), self.divisor()
        return self.g.div(c, d) if alone else self.g.mul(c, self.g.div(self.g.one, d))


def local(g: Graph, i: Node) -> Local:
    """A node with its rule. x² and xⁿ have one operand, d(xⁿ) = n·xⁿ⁻¹·dx; other products have two."""
    code, x = g.op[i], operands(g, i)
    rule = RULES.get(code, FLAT)
    if code == ops.MUL and (x[0] == x[1] or ops.MUL in (g.op[x[0]], g.op[x[1]])):
        base, n = power(g, i)
        if n > 2:
            rule, x = PartialRule((lambda g, _, a: g.mul(g.const(n), g.pow(a, g.const(n - 1))),)), (base,)
        elif x[0] == x[1]:
            rule, x = SQUARE, x[:1]
    elif code == ops.DIV and x[0] == g.one:
        rule, x = RECIPROCAL, x[1:]
    elif code == ops.TABLE:
        slope = g.tables[g.b[i]].derivative
        if any(map(any, slope.coefficients)):
            rule = PartialRule((lambda g, n, a: g.table(slope, a),))
    elif code == ops.CALL:
        rule = PartialRule(tuple(partial(_call_partial, g.calls[g.a[i]][0], k) for k in range(len(x))))
    return Local(g, rule, x, i, x)


def _call_partial(function: Callback, k: int, g: Graph, n: Node, *x: Node) -> Node:
    return g.call(function.partial(k), x)


def power(g: Graph, i: Node) -> tuple[Node, int]:
    """(x, n) where node i is xⁿ, made of a few products of x alone; (i, 1) for any other node."""
    base = i
    for _ in range(DEEPEST):
        base = g.a[base] if g.op[base] == ops.MUL else base
    products, todo = {i}, [i]
    while todo:
        k = todo.pop()
        if g.op[k] != ops.MUL or len(products) > 2 * DEEPEST:
            return i, 1
        fresh = {g.a[k], g.b[k]} - products - {base}
        products |= fresh
        todo.extend(fresh)
    exponent = {base: 1}
    for k in sorted(products):
        exponent[k] = exponent[g.a[k]] + exponent[g.b[k]]
    return base, exponent[i]


# A tangent or an adjoint that is zero in one branch of ``where`` is guarded by its condition. Products are taken inside
# the guard, so that an infinite partial in the branch not taken does no harm: there is no 0·∞.


def times(g: Graph, p: Node, t: Node) -> Node:
    """p·t, inside the guards of t."""
    if p == g.one:
        return t
    return inside(g, t, lambda v: g.mul(p, v)) if g.op[t] == ops.WHERE else g.mul(p, t)


def over(g: Graph, t: Node, d: Node) -> Node:
    """t/d, inside the guards of t."""
    return inside(g, t, lambda v: g.div(v, d)) if g.op[t] == ops.WHERE else g.div(t, d)


def plus(g: Graph, s: Node, t: Node, depth: int = DEEPEST) -> Node:
    """s + t; two guarded by one condition make one choice."""
    if s == g.zero or t == g.zero:
        return t if s == g.zero else s
    if g.op[s] != ops.WHERE or g.op[t] != ops.WHERE or g.a[s] != g.a[t] or depth == 0:
        return g.add(s, t)
    if g.zero not in (g.b[s], g.c[s], g.b[t], g.c[t]):
        return g.add(s, t)
    return choose(g, g.a[s], plus(g, g.b[s], g.b[t], depth - 1), plus(g, g.c[s], g.c[t], depth - 1))


def choose(g: Graph, condition: Node, s: Node, t: Node) -> Node:
    """s where the condition is not zero, else t."""
    return s if s == t else g.where(condition, s, t)


def inside(g: Graph, t: Node, f: Callable[[Node], Node]) -> Node:
    """f(t) for a linear f, applied within the guards; past the deepest, to the whole."""
    guards: list[tuple[Node, bool]] = []
    value = t
    while g.op[value] == ops.WHERE and g.zero in (g.b[value], g.c[value]):
        if len(guards) == DEEPEST:
            return f(t)
        first = g.c[value] == g.zero
        guards.append((g.a[value], first))
        value = g.b[value] if first else g.c[value]
    value = f(value)
    for condition, first in reversed(guards):
        value = choose(g, condition, value, g.zero) if first else choose(g, condition, g.zero, value)
    return value
