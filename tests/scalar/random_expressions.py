"""Random expressions for laws of the scalar package: specs that are built in a graph or evaluated directly.

A spec is a list of steps, operands before users, so it needs no recursion. Values are mpmath numbers, so laws can be
checked beyond rounding. ``None`` is an undefined value (√−1, 1/0); it propagates, except through a condition that does
not select it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any, TypeAlias

import mpmath

from freebody.scalar import ops, walk
from freebody.scalar.functions import Callback, Table, callback, table
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind

mp = mpmath.mp.clone()
mp.dps = 60
Value: TypeAlias = Any  # mpmath.mpf | None
Number = int | Fraction | float
Data = Number | str | Table | Callback | None

KINDS = {"x": Kind.COORDINATE, "y": Kind.COORDINATE, "v": Kind.SPEED, "p": Kind.PARAMETER, "r": Kind.PARAMETER}
TABLES = (
    table("lines", [-2.0, -0.5, 0.25, 3.0], [1.0, -0.5, 0.75, 0.5]),
    table("curve", [-1.0, 0.0, 0.5, 2.0], [0.0, 0.5, 2.0, 2.5], "cubic", outside="hold"),
)
_PRODUCT = callback("product", lambda a, b: a * mp.sin(b), 2, [
    callback("product_a", lambda a, b: mp.sin(b), 2, [lambda a, b: mp.mpf(0), lambda a, b: mp.cos(b)]),
    callback("product_b", lambda a, b: a * mp.cos(b), 2, [lambda a, b: mp.cos(b), lambda a, b: -a * mp.sin(b)]),
])  # fmt: skip
_DAMPER = callback("damper", lambda a: a / (1 + a * a), 1, callback(
    "damper_a", lambda a: (1 - a * a) / (1 + a * a) ** 2, 1, lambda a: 2 * a * (a * a - 3) / (1 + a * a) ** 3
))  # fmt: skip
CALLBACKS = (_PRODUCT, _DAMPER)


@dataclass(frozen=True)
class Step:
    """One operation on earlier steps; a leaf has a number or the name of a symbol, a table or a call has its own
    data."""

    code: int
    operands: tuple[int, ...] = ()
    data: Data = None


@dataclass
class ExpressionSpec:
    """Steps in order of evaluation; later steps mostly use the last ones."""

    steps: list[Step] = field(default_factory=list)

    def put(self, code: int, *operands: int, data: Data = None) -> int:
        self.steps.append(Step(code, operands, data))
        return len(self.steps) - 1


def spec(rng: Random, size: int, numbers: Sequence[Number], codes: Sequence[int]) -> ExpressionSpec:
    """The symbols, some numbers, and then ``size`` operations, some of which repeat or negate a step."""
    r = ExpressionSpec()
    for name in KINDS:
        r.put(ops.SYMBOL, data=name)
    for number in rng.choices(numbers, k=6):
        r.put(ops.CONST, data=number)
    for _ in range(size):
        _grow(r, rng, numbers, codes)
    return r


def _grow(r: ExpressionSpec, rng: Random, numbers: Sequence[Number], codes: Sequence[int]) -> None:
    last, chance = len(r.steps) - 1, rng.random()

    def pick() -> int:
        return rng.randint(max(0, last - 9) if rng.random() < 0.7 else 0, last)

    if chance < 0.05:
        r.steps.append(r.steps[pick()])
    elif chance < 0.1:
        r.put(ops.NEG, pick())
    elif chance < 0.13:
        same = pick()
        r.put(rng.choice((ops.SUB, ops.ADD, ops.MUL, ops.DIV)), same, same)
    else:
        _put(r, rng.choice(codes), pick, rng, numbers)


def _put(r: ExpressionSpec, code: int, pick: Callable[[], int], rng: Random, numbers: Sequence[Number]) -> None:
    if code == ops.POW and rng.random() < 0.8:
        exponent = rng.choice((0, 1, 2, 3, 4, 5, 7, -1, -2, -3, 2.0, 0.5, Fraction(1, 2), -0.5, 1.5, Fraction(-1, 3)))
        r.put(ops.POW, pick(), r.put(ops.CONST, data=exponent))
    elif code == ops.TABLE:
        r.put(code, pick(), data=rng.choice(TABLES))
    elif code == ops.CALL:
        function = rng.choice(CALLBACKS)
        r.put(code, *(pick() for _ in range(function.arity)), data=function)
    elif code == ops.CONST:
        r.put(code, data=rng.choice(numbers))
    else:
        r.put(code, *(pick() for _ in range(ops.ARITY[code])))


def build(g: Graph, r: ExpressionSpec) -> list[Node]:
    """The nodes of the steps in a graph."""
    handles: list[Node] = []
    for step in r.steps:
        handles.append(_node(g, step, [handles[k] for k in step.operands]))
    return handles


def _node(g: Graph, step: Step, operands: list[Node]) -> Node:
    if isinstance(step.data, str):
        return g.symbol(step.data, KINDS[step.data])
    if isinstance(step.data, Table):
        return g.table(step.data, operands[0])
    if isinstance(step.data, Callback):
        return g.call(step.data, operands)
    return g.const(step.data) if step.code == ops.CONST else g.build[step.code](*operands)


# Values


def number(value: object) -> mpmath.mpf:
    """A random exact number."""
    if isinstance(value, Fraction):
        return mp.mpf(value.numerator) / value.denominator
    return mp.mpf(value)


def value(code: int, data: object, x: Sequence[Value]) -> Value:
    """The value of one operation on values."""
    if code == ops.WHERE:
        return None if x[0] is None else x[1] if x[0] != 0 else x[2]
    if any(v is None for v in x):
        return None
    if isinstance(data, Table):
        return _look_up(data, x[0])
    if isinstance(data, Callback):
        return mp.mpf(data.function(*x))
    try:
        result = VALUES[code](*x)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return result if isinstance(result, mp.mpf) else None


def _look_up(t: Table, x: mpmath.mpf) -> mpmath.mpf:
    k = sum(x >= b for b in t.breaks)
    return mp.polyval(list(reversed(t.coefficients[k])), x - t.origins[k])


def _power(a: mpmath.mpf, b: mpmath.mpf) -> Value:
    if abs(b) > 2000 or (a == 0 and b < 0) or (a < 0 and b != mp.floor(b)):
        return None
    return mp.power(a, b)


def _truth(test: bool) -> mpmath.mpf:
    return mp.one if test else mp.zero


VALUES: dict[int, Callable[..., Value]] = {
    ops.ADD: lambda a, b: a + b,
    ops.SUB: lambda a, b: a - b,
    ops.MUL: lambda a, b: a * b,
    ops.DIV: lambda a, b: a / b,
    ops.NEG: lambda a: -a,
    ops.POW: _power,
    ops.SQRT: mp.sqrt,
    ops.SIN: mp.sin,
    ops.COS: mp.cos,
    ops.TAN: mp.tan,
    ops.ASIN: mp.asin,
    ops.ACOS: mp.acos,
    ops.ATAN: mp.atan,
    ops.ATAN2: lambda a, b: mp.atan2(a, b) if a != 0 or b > 0 else None,  # −0.0 has its own sign
    ops.SINH: lambda a: mp.sinh(a) if abs(a) < 700 else None,
    ops.COSH: lambda a: mp.cosh(a) if abs(a) < 700 else None,
    ops.TANH: mp.tanh,
    ops.EXP: lambda a: mp.exp(a) if abs(a) < 700 else None,
    ops.LOG: lambda a: mp.log(a) if a > 0 else None,
    ops.ABS: abs,
    ops.SIGN: mp.sign,
    ops.MIN: lambda a, b: a if a < b else b,
    ops.MAX: lambda a, b: a if a > b else b,
    ops.FLOOR: mp.floor,
    ops.LT: lambda a, b: _truth(a < b),
    ops.LE: lambda a, b: _truth(a <= b),
    ops.EQ: lambda a, b: _truth(a == b),
    ops.NE: lambda a, b: _truth(a != b),
}


def evaluate(g: Graph, roots: Iterable[Node], point: Mapping[str, Value]) -> dict[int, Value]:
    """The values of the roots and of all they need."""
    known: dict[int, Value] = {}
    for i in walk.live(g, roots):
        known[i] = _evaluate(g, i, known, point)
    return known


def _evaluate(g: Graph, i: Node, known: Mapping[int, Value], point: Mapping[str, Value]) -> Value:
    code = g.op[i]
    if code == ops.CONST:
        return None if i in g.broken else number(g.numbers[g.a[i]])
    if code == ops.SYMBOL:
        return point[g.symbols[g.a[i]].name]
    data = g.tables[g.b[i]] if code == ops.TABLE else g.calls[g.a[i]][0] if code == ops.CALL else None
    return value(code, data, [known[k] for k in walk.operands(g, i)])


def values(r: ExpressionSpec, point: Mapping[str, Value], after: Callable[[Step, Value], Value]) -> list[Value]:
    """The values of all steps; ``after`` may change each of them."""
    known: list[Value] = []
    for step in r.steps:
        known.append(after(step, _step_value(step, known, point)))
    return known


def _step_value(step: Step, known: Sequence[Value], point: Mapping[str, Value]) -> Value:
    if step.code == ops.SYMBOL:
        return point[str(step.data)]
    if step.code == ops.CONST:
        return number(step.data)
    return value(step.code, step.data, [known[k] for k in step.operands])
