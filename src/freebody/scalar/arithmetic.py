"""The identities of the four arithmetic operations: zeros, ones, signs, constants and parameter-only factors.

Each function here makes one constructor of a graph. They are closures over the graph's arrays because they are the
innermost loop of every derivation; integer keys and appends written out halve their time (docs/decisions/001).

A memo maps operands to the result, simplified or not, so the second time costs one look-up. Memos belong to the graph,
so that a fork begins with those of the graph it was made from.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from freebody.scalar import numbers, ops
from freebody.scalar.node import NONE, ONE, ZERO, Node, next_node
from freebody.scalar.ops import ADD, CONST, DIV, MUL, NEG, OPS, SQRT, SUB, VALUES, Op, divide, power

if TYPE_CHECKING:
    from freebody.scalar.graph import Graph

SMALLEST = 2.0**-1022  # the smallest float with all its digits
EXACT = ops.COMPARISONS | {ops.ABS, ops.SIGN, ops.FLOOR, ops.MIN, ops.MAX}  # without rounding on exact numbers


def adder(g: "Graph") -> Callable[[Node, Node], Node]:
    """a + b: x+0, constants, and signs turned into differences."""
    op, A, B, C, mask = g.op, g.a, g.b, g.c, g.mask
    memo = g._sums

    def add(a: Node, b: Node) -> Node:
        if a > b:
            a, b = b, a
        if a == 0:
            return b
        key = a << 32 | b
        i = memo.get(key)
        if i is not None:
            return i
        oa, ob = op[a], op[b]
        if oa == CONST and not g.numbers[A[a]]:
            i = b
        elif ob == CONST and not g.numbers[A[b]]:
            i = a
        elif oa == CONST and ob == CONST:
            i = fold(g, "add", a, b)
        elif ob == NEG:
            i = g.neg(add(A[a], A[b])) if oa == NEG else g.sub(a, A[b])
        elif oa == NEG:
            i = g.sub(b, A[a])
        else:
            i = next_node(op)
            op.append(ADD)
            A.append(a)
            B.append(b)
            C.append(NONE)
            mask.append(mask[a] | mask[b])
        memo[key] = i
        return i

    return add


def subtracter(g: "Graph") -> Callable[[Node, Node], Node]:
    """a − b: a−a, x−0, constants, signs, and −(b−a) where b−a exists."""
    op, A, B, C, mask = g.op, g.a, g.b, g.c, g.mask
    memo = g._differences

    def sub(a: Node, b: Node) -> Node:
        if b == 0:
            return a
        key = a << 32 | b
        i = memo.get(key)
        if i is not None:
            return i
        oa, ob = op[a], op[b]
        if a == b:
            i = ZERO if a not in g.broken else a
        elif ob == CONST and not g.numbers[A[b]]:
            i = a
        elif oa == CONST and not g.numbers[A[a]]:
            i = g.neg(b)
        elif oa == CONST and ob == CONST:
            i = fold(g, "sub", a, b)
        elif ob == NEG:
            i = g.add(a, A[b])
        elif oa == NEG:
            i = g.neg(g.add(A[a], b))
        else:
            mirrored = memo.get(b << 32 | a)
            i = next_node(op) if mirrored is None else g.neg(mirrored)
            if mirrored is None:
                op.append(SUB)
                A.append(a)
                B.append(b)
                C.append(NONE)
                mask.append(mask[a] | mask[b])
        memo[key] = i
        return i

    return sub


def negater(g: "Graph") -> Callable[[Node], Node]:
    """−a: −(−x), and zeros."""
    op, A, B, C, mask = g.op, g.a, g.b, g.c, g.mask
    memo = g._negatives

    def neg(a: Node) -> Node:
        i = memo.get(a)
        if i is not None:
            return i
        if op[a] == NEG:
            i = A[a]
        elif op[a] == CONST and not g.numbers[A[a]]:
            zero = g.numbers[A[a]]
            i = a if isinstance(zero, int) else g.const(-zero)
        else:
            i = next_node(op)
            op.append(NEG)
            A.append(a)
            B.append(NONE)
            C.append(NONE)
            mask.append(mask[a])
        memo[a] = i
        return i

    return neg


def multiplier(g: "Graph") -> Callable[[Node, Node], Node]:
    """a·b: x·0, x·1, constants, signs pulled outwards, parameter-only factors gathered."""
    op, A, B, C, mask, broken = g.op, g.a, g.b, g.c, g.mask, g.broken
    memo = g._products

    def mul(a: Node, b: Node) -> Node:
        if a > b:
            a, b = b, a
        if a < 2 and b not in broken:
            return b if a else ZERO
        key = a << 32 | b
        i = memo.get(key)
        if i is not None:
            return i
        oa, ob, ma, mb = op[a], op[b], mask[a], mask[b]
        if oa == NEG:
            i = mul(A[a], A[b]) if ob == NEG else g.neg(mul(A[a], b))
        elif ob == NEG:
            i = g.neg(mul(a, A[b]))
        elif ma < 2 or mb < 2:
            i = light(g, a, b)
        if i is None:
            i = next_node(op)
            op.append(MUL)
            A.append(a)
            B.append(b)
            C.append(NONE)
            mask.append(ma | mb)
        memo[key] = i
        return i

    return mul


def light(g: "Graph", a: Node, b: Node) -> Node | None:
    """A product with a number or a parameter: x·0, x·1, two numbers, gathered factors; None for anything else."""
    oa, ob = g.op[a], g.op[b]
    if oa == CONST or ob == CONST:
        if oa == ob:
            return fold(g, "mul", a, b)
        number, x = (g.numbers[g.a[a]], b) if oa == CONST else (g.numbers[g.a[b]], a)
        if number == 1:
            return x
        if not number:
            return x if x in g.broken else ZERO
    return gather(g, a, b) if oa in (MUL, DIV) or ob in (MUL, DIV) else None


def gather(g: "Graph", a: Node, b: Node) -> Node | None:
    """p·(r·x) → (p·r)·x and p·(x/r) → (p/r)·x, where p and r change less often than x and p·r is finite."""
    mask = g.mask  # 0 for a number, 1 for parameters only, from 2 on for what changes from call to call
    low, high = min(mask[a], 2), min(mask[b], 2)
    if low > high:
        a, b, low, high = b, a, high, low
    if low == high or g.op[b] not in (MUL, DIV):
        return None
    x, y = g.a[b], g.b[b]
    if mask[x] < high:
        once, varying, join = merge(g, MUL, a, x), y, g.mul if g.op[b] == MUL else g.div
    elif mask[y] < high:
        once, varying, join = merge(g, g.op[b], a, y), x, g.mul
    else:
        return None
    return None if once is None else join(once, varying)


def merge(g: "Graph", op: int, a: Node, b: Node) -> Node | None:
    """a·b or a/b of two factors that are computed once; a·(1/p) is a/p, as a person would write it. None where two
    numbers would overflow or lose digits."""
    if g.op[a] == g.op[b] == CONST:
        broken = a in g.broken or b in g.broken
        value = None if broken else numbers.fold(OPS[op].name, g.numbers[g.a[a]], g.numbers[g.a[b]])
        return None if value is None or abs(float(value)) < SMALLEST else g.const(value)
    if op == DIV:
        return g.div(a, b)
    return g.div(a, g.b[b]) if g.op[b] == DIV and g.a[b] == g.one else g.mul(a, b)


def divider(g: "Graph") -> Callable[[Node, Node], Node]:
    """a/b: x/1, 0/x, constants, signs; what divides by less often changing factors multiplies by their reciprocal."""
    op, A, B, C, mask = g.op, g.a, g.b, g.c, g.mask
    memo = g._quotients

    def div(a: Node, b: Node) -> Node:
        key = a << 32 | b
        i = memo.get(key)
        if i is not None:
            return i
        oa, ob = op[a], op[b]
        if oa == CONST or ob == CONST:
            i = constant_quotient(g, a, b)
        if i is None:
            if oa == NEG:
                i = g.neg(div(A[a], b))
            elif ob == NEG:
                i = g.neg(div(a, A[b]))
            elif mask[b] == 1 and mask[a] > 1:
                i = g.mul(div(ONE, b), a)
            else:
                i = next_node(op)
                op.append(DIV)
                A.append(a)
                B.append(b)
                C.append(NONE)
                mask.append(mask[a] | mask[b])
        memo[key] = i
        return i

    return div


def constant_quotient(g: "Graph", a: Node, b: Node) -> Node | None:
    """0/x, x/1, x/number as a product, number/number; x/0 has no finite value."""
    va, vb = (g.numbers[g.a[k]] if g.op[k] == CONST else None for k in (a, b))
    if vb == 0:
        number = g.number(a)
        return g.fail(f"{describe(g, a)}/0", math.nan if number is None else divide(float(number), float(vb)))
    if va == 0:
        return ZERO
    if vb == 1:
        return a
    if vb is None:
        return None
    if va is not None:
        return fold(g, "div", a, b)
    reciprocal = numbers.fold("div", 1, vb)
    return None if reciprocal is None else g.mul(g.const(reciprocal), a)


def fold(g: "Graph", name: str, a: Node, b: Node) -> Node:
    """Two numbers added, subtracted, multiplied or divided."""
    va, vb = g.numbers[g.a[a]], g.numbers[g.a[b]]
    value = None if a in g.broken or b in g.broken else numbers.fold(name, va, vb)
    if value is None:
        sign = {"add": "+", "sub": "-", "mul": "*", "div": "/"}[name]
        return g.fail(f"{describe(g, a)}{sign}{describe(g, b)}", float(va) * math.inf)
    return g.const(value)


def describe(g: "Graph", handle: Node) -> str:
    """A short text for a node in an error: its number, its symbol, or its kind of operation."""
    if handle in g.broken:
        text = g.broken[handle]
        return f"({text})" if len(text) <= 60 else f"({text[:59]}…)"
    number = g.number(handle)
    if number is not None:
        return str(number)
    if g.op[handle] == 1:
        return g.symbols[g.a[handle]].name
    return f"({OPS[g.op[handle]].name} …)"


def integer_power(g: "Graph", a: Node, n: int) -> Node:
    """aⁿ by repeated squaring; x² is the node x·x."""
    result, square, left = g.one, a, abs(n)
    while left:
        if left & 1:
            result = g.mul(result, square)
        left >>= 1
        if left:
            square = g.mul(square, square)
    return result if n >= 0 else g.div(g.one, result)


def constant_power(g: "Graph", a: Node, b: Node, base: numbers.Number, exponent: numbers.Number) -> Node:
    """A number to the power of a number: exact for integer powers of exact numbers while they fit."""
    value = power(float(base), float(exponent))
    if not all(map(math.isfinite, (base, exponent, value))):
        return g.fail(f"{describe(g, a)}**{describe(g, b)}", value)
    if not isinstance(base, float) and exponent % 1 == 0 and -64 <= exponent <= 64:
        return g.const(Fraction(base) ** int(exponent))
    return g.sqrt(a) if exponent == Fraction(1, 2) else g.const(value)


def function(g: "Graph", op: Op) -> Callable[..., Node]:
    """The constructor of a function: numbers folded, signs through odd and even ones."""
    code = op.code

    def unary(a: Node) -> Node:
        number = g.number(a)
        if number is not None:
            return apply(g, op, (a,), (number,))
        if (op.odd or op.even) and g.op[a] == NEG:
            inner = unary(g.a[a])
            return g.neg(inner) if op.odd else inner
        return g.intern(code, a)

    def binary(a: Node, b: Node) -> Node:
        x, y = g.number(a), g.number(b)
        if x is not None and y is not None:
            return apply(g, op, (a, b), (x, y))
        if op.commutes and a > b:
            a, b = b, a
        return g.intern(code, a, b)

    return binary if op.arity == 2 else unary


def apply(g: "Graph", op: Op, handles: tuple[Node, ...], values: tuple[numbers.Number, ...]) -> Node:
    """A function of numbers; exact results of exact arguments stay exact (sin 0, √¼, |−⅓|)."""
    rounded = op.code not in EXACT or any(isinstance(v, float) for v in values)
    try:
        value = VALUES[op.code](*(map(float, values) if rounded else values))
    except OverflowError:
        value = math.inf
    if not all(map(math.isfinite, (value, *values))):
        return g.fail(f"{op.name}({', '.join(describe(g, h) for h in handles)})", value)
    if any(isinstance(v, float) for v in values):
        return g.const(value)
    if (value == int(value) and abs(value) < 2**53) or (op.code == SQRT and Fraction(value) ** 2 == values[0]):
        return g.const(Fraction(value))
    return g.const(value)
