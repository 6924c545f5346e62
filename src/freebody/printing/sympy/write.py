"""Nodes to SymPy."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy

from freebody.scalar import ops
from freebody.scalar.graph import Graph
from freebody.scalar.numbers import Number
from freebody.scalar.printing import Printable
from freebody.scalar.walk import live, operands

Values = Mapping[int, Any] | Sequence[Any]  # the SymPy expressions of nodes


def _relation(kind: Any) -> Callable[[Any, Any], Any]:
    """A comparison as a number, 1 or 0."""
    return lambda a, b: _choice(kind(a, b, evaluate=False), sympy.S.One, sympy.S.Zero)


def _choice(condition: Any, a: Any, b: Any) -> Any:
    return sympy.Piecewise((a, condition), (b, True), evaluate=False)


RELATIONS = {ops.LT: sympy.Lt, ops.LE: sympy.Le, ops.EQ: sympy.Eq, ops.NE: sympy.Ne}
WRITERS: dict[int, Callable[..., Any]] = {
    ops.ADD: lambda a, b: a + b,
    ops.SUB: lambda a, b: a - b,
    ops.MUL: lambda a, b: a * b,
    ops.DIV: lambda a, b: a / b,
    ops.NEG: lambda a: -a,
    ops.POW: sympy.Pow,
    ops.SQRT: sympy.sqrt,
    ops.SIN: sympy.sin,
    ops.COS: sympy.cos,
    ops.TAN: sympy.tan,
    ops.ASIN: sympy.asin,
    ops.ACOS: sympy.acos,
    ops.ATAN: sympy.atan,
    ops.ATAN2: sympy.atan2,
    ops.SINH: sympy.sinh,
    ops.COSH: sympy.cosh,
    ops.TANH: sympy.tanh,
    ops.EXP: sympy.exp,
    ops.LOG: sympy.log,
    ops.ABS: sympy.Abs,
    ops.SIGN: sympy.sign,
    ops.MIN: lambda a, b: sympy.Min(a, b, evaluate=False),
    ops.MAX: lambda a, b: sympy.Max(a, b, evaluate=False),
    ops.FLOOR: sympy.floor,
    **{op: _relation(kind) for op, kind in RELATIONS.items()},
    ops.WHERE: _choice,
}
OTHERS = frozenset((ops.CONST, ops.SYMBOL, ops.TABLE, ops.CALL))

assert all((o.code in WRITERS) != (o.code in OTHERS) for o in ops.OPS), "every operation is written in one way"


def to_sympy(graph: Graph, handles: Sequence[int]) -> list[Any]:
    """The expressions as SymPy has them."""
    symbol = [sympy.Symbol(s.name, real=True) for s in graph.symbols]
    values: dict[int, Any] = {}
    for i in live(graph, handles):
        values[i] = symbol[graph.a[i]] if graph.op[i] == ops.SYMBOL else write(graph, i, values)
    return [values[h] for h in handles]


def write(nodes: Printable, i: int, values: Values) -> Any:
    """One node from its operands; anything but a symbol."""
    op = nodes.op[i]
    if op == ops.CONST:
        return number(nodes.numbers[nodes.a[i]])
    arguments = [values[k] for k in operands(nodes, i)]
    if op in (ops.TABLE, ops.CALL):
        name = nodes.tables[nodes.b[i]].name if op == ops.TABLE else nodes.calls[nodes.a[i]][0].name
        return sympy.Function(name, real=True)(*arguments)
    if op == ops.WHERE:
        arguments[0] = _condition(nodes, nodes.a[i], values)
    return WRITERS[op](*arguments)


def _condition(nodes: Printable, i: int, values: Values) -> Any:
    """A node as a condition: a comparison as it is, a number by being other than 0."""
    relation = RELATIONS.get(nodes.op[i])
    if relation is None:
        return sympy.Ne(values[i], 0, evaluate=False)
    return relation(*(values[k] for k in operands(nodes, i)), evaluate=False)


def number(value: Number) -> Any:
    """A number as SymPy has it: fractions exactly."""
    if isinstance(value, float):
        return sympy.Float(value)
    return sympy.Rational(value.numerator, value.denominator)
