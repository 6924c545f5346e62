"""Expressions to SymPy and back, node by node."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any

import sympy
from sympy.core.function import AppliedUndef
from sympy.functions.elementary.piecewise import ExprCondPair

from freebody.errors import ExpressionError
from freebody.scalar import ops
from freebody.scalar.expr import Expr
from freebody.scalar.functions import Callback, Table
from freebody.scalar.graph import Graph
from freebody.scalar.numbers import Number
from freebody.scalar.walk import Nodes, live, operands

Values = Mapping[int, Any] | Sequence[Any]  # the SymPy expressions of nodes
Builder = Callable[[Graph, Any, Mapping[Any, int]], int]  # a node, from a SymPy expression whose arguments are done


# To SymPy


def _choice(condition: Any, a: Any, b: Any) -> Any:
    return sympy.Piecewise((a, condition), (b, True), evaluate=False)


def _relation(kind: Any) -> Callable[[Any, Any], Any]:
    """A comparison as a number, 1 or 0."""
    return lambda a, b: _choice(kind(a, b, evaluate=False), sympy.S.One, sympy.S.Zero)


RELATIONS = {ops.LT: sympy.Lt, ops.LE: sympy.Le, ops.EQ: sympy.Eq, ops.NE: sympy.Ne}
FUNCTIONS = {
    ops.SIN: sympy.sin, ops.COS: sympy.cos, ops.TAN: sympy.tan, ops.ASIN: sympy.asin, ops.ACOS: sympy.acos,
    ops.ATAN: sympy.atan, ops.ATAN2: sympy.atan2, ops.SINH: sympy.sinh, ops.COSH: sympy.cosh, ops.TANH: sympy.tanh,
    ops.EXP: sympy.exp, ops.LOG: sympy.log, ops.ABS: sympy.Abs, ops.SIGN: sympy.sign, ops.FLOOR: sympy.floor,
}  # fmt: skip
WRITERS: dict[int, Callable[..., Any]] = {
    ops.ADD: lambda a, b: a + b,
    ops.SUB: lambda a, b: a - b,
    ops.MUL: lambda a, b: a * b,
    ops.DIV: lambda a, b: a / b,
    ops.NEG: lambda a: -a,
    ops.POW: sympy.Pow,
    ops.SQRT: sympy.sqrt,
    ops.MIN: lambda a, b: sympy.Min(a, b, evaluate=False),
    ops.MAX: lambda a, b: sympy.Max(a, b, evaluate=False),
    ops.WHERE: _choice,
    **FUNCTIONS,
    **{op: _relation(kind) for op, kind in RELATIONS.items()},
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


def write(nodes: Nodes, i: int, values: Values) -> Any:
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


def _condition(nodes: Nodes, i: int, values: Values) -> Any:
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


# From SymPy


def from_sympy(
    graph: Graph,
    expression: Any,
    symbols: Mapping[Any, Any] | None = None,
    functions: Mapping[str, Table | Callback] | None = None,
) -> int:
    """The node of a SymPy expression.

    ``symbols`` maps SymPy symbols (or whole expressions such as q(t), or names) to nodes; a symbol it does not hold is
    looked up in the graph by name. ``functions`` gives tables and user functions by name, beside those the graph uses.
    """
    nodes = {k: v.handle if isinstance(v, Expr) else int(v) for k, v in (symbols or {}).items()}
    return _SympyReader(graph, nodes, functions or {}).read(sympy.sympify(expression))


class _SympyReader:
    """A walk over a SymPy expression, operands first."""

    def __init__(self, graph: Graph, symbols: Mapping[Any, int], functions: Mapping[str, Table | Callback]) -> None:
        self.graph, self.symbols = graph, symbols
        self.functions: dict[str, Table | Callback] = {t.name: t for t in graph.tables}
        self.functions |= {f.name: f for f, _ in graph.calls}
        self.functions |= functions
        self.done: dict[Any, int] = {k: v for k, v in symbols.items() if isinstance(k, sympy.Basic)}

    def read(self, expression: Any) -> int:
        """The node of an expression, without recursion."""
        todo = [expression]
        while todo:
            e = todo.pop()
            if e in self.done:
                continue
            build = self._builder(e)
            missing = [a for a in e.args if a not in self.done]
            if missing:
                todo += [e, *missing]
            else:
                self.done[e] = build(self.graph, e, self.done)
        return self.done[expression]

    def _builder(self, e: Any) -> Builder:
        if isinstance(e, sympy.Symbol):
            return self._symbol
        if isinstance(e, AppliedUndef):
            return self._call(e)
        build = next((BUILDERS[c] for c in type(e).__mro__ if c in BUILDERS), None)
        if build is None:
            raise ExpressionError(f"SymPy's {type(e).__name__} in {_brief(e)} has no counterpart here: rewrite it")
        return build

    def _symbol(self, graph: Graph, e: Any, done: Mapping[Any, int]) -> int:
        handle = self.symbols.get(e.name, graph.named(e.name))
        if handle is None:
            raise ExpressionError(f"SymPy's symbol '{e.name}' is not known: name its node in symbols={{'{e.name}': …}}")
        return handle

    def _call(self, e: Any) -> Builder:
        """A table or a user's function, by name."""
        name = e.func.__name__
        function = self.functions.get(name)
        if function is None:
            raise ExpressionError(f"{_brief(e)} is not known: give functions={{'{name}': …}}, or symbols={{{e}: …}}")
        if isinstance(function, Callback):
            return lambda g, e, done: g.call(function, [done[a] for a in e.args])
        if len(e.args) != 1:
            raise ExpressionError(f"table '{name}' takes 1 argument, {len(e.args)} were given")
        return lambda g, e, done: g.table(function, done[e.args[0]])


def _brief(e: Any, most: int = 60) -> str:
    text = str(e) if e.count_ops() < 100 else type(e).__name__
    return text if len(text) <= most else f"{text[:most]}…"


def _number(g: Graph, e: Any, done: Mapping[Any, int]) -> int:
    return g.const(Fraction(int(e.p), int(e.q)) if isinstance(e, sympy.Rational) else float(e))


def _product(g: Graph, e: Any, done: Mapping[Any, int]) -> int:
    """Factors with negative powers go below the line."""
    below = [a for a in e.args if isinstance(a, sympy.Pow) and a.exp.is_Number and a.exp.is_negative]
    over = reduce(g.mul, (done[a] for a in e.args if a not in below), g.one)
    under = reduce(g.mul, (g.pow(done[a.base], _number(g, -a.exp, done)) for a in below), g.one)
    return g.div(over, under)


def _pieces(g: Graph, e: Any, done: Mapping[Any, int]) -> int:
    """The last piece must hold everywhere."""
    if e.args[-1].cond != sympy.true:
        raise ExpressionError(f"{_brief(e)} is not defined everywhere: give it a last piece (…, True)")
    value = done[e.args[-1].expr]
    for piece in reversed(e.args[:-1]):
        value = g.where(done[piece.cond], done[piece.expr], value)
    return value


def _chain(op: int) -> Builder:
    """An operation of two operands over all of them."""
    return lambda g, e, done: reduce(g.build[op], (done[a] for a in e.args))


def _plain(op: int, *order: int) -> Builder:
    """An operation of the same operands, or of these."""
    return lambda g, e, done: g.build[op](*(done[e.args[k]] for k in order or range(len(e.args))))


def _quotient(over: int | None, under: int) -> Builder:
    """over(x)/under(x), or 1/under(x)."""
    return lambda g, e, done: g.div(
        g.one if over is None else g.build[over](done[e.args[0]]), g.build[under](done[e.args[0]])
    )


BUILDERS: dict[Any, Builder] = {
    sympy.Rational: _number,
    sympy.Float: _number,
    sympy.NumberSymbol: _number,
    sympy.Add: _chain(ops.ADD),
    sympy.Mul: _product,
    sympy.Pow: _plain(ops.POW),
    sympy.Min: _chain(ops.MIN),
    sympy.Max: _chain(ops.MAX),
    sympy.sec: _quotient(None, ops.COS),
    sympy.csc: _quotient(None, ops.SIN),
    sympy.cot: _quotient(ops.COS, ops.SIN),
    sympy.ceiling: lambda g, e, done: g.neg(g.build[ops.FLOOR](g.neg(done[e.args[0]]))),
    sympy.Gt: _plain(ops.LT, 1, 0),
    sympy.Ge: _plain(ops.LE, 1, 0),
    sympy.And: _chain(ops.MUL),
    sympy.Or: _chain(ops.MAX),
    sympy.Not: lambda g, e, done: g.sub(g.one, done[e.args[0]]),
    type(sympy.true): lambda g, e, done: g.one,
    type(sympy.false): lambda g, e, done: g.zero,
    sympy.ITE: _plain(ops.WHERE),
    sympy.Piecewise: _pieces,
    ExprCondPair: lambda g, e, done: done[e.expr],  # _pieces looks inside
    **{kind: _plain(op) for op, kind in RELATIONS.items()},
    **{function: _plain(op) for op, function in FUNCTIONS.items()},
}
