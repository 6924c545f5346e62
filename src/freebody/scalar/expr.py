"""``Expr``: a node of a graph with Python's operators, and the functions of expressions.

``==`` tests whether two expressions are the same node, and raises beside a number, because an expression has no
value yet: ``equal(a, b)`` builds a node that is 0 or 1, as ``<`` and its like do. Operands may be numbers and texts
("m1*l1**2/12") as well.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.errors import ExpressionError, GraphError
from freebody.keywords import keyword_hints
from freebody.scalar import ops
from freebody.scalar.arithmetic import describe
from freebody.scalar.derivative import gradient
from freebody.scalar.functions import Callback, Table
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.numbers import exact
from freebody.scalar.parse import parse
from freebody.scalar.printing import latex, text
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import live, require_finite, substitute, symbols_of, transfer
from freebody.tables import cut, short_formula

if TYPE_CHECKING:
    from freebody.algebra import ClosedForm

LARGEST = 20_000
"""Nodes of expressions that are shown."""


def _method(code: int) -> "Callable[[Expr], Expr]":
    """A function of one argument as a method."""
    return lambda self: _apply(code, self)


def _operator(code: int, reflected: bool = False) -> "Callable[[Expr, Operand], Expr]":
    """An operator as a method; arrays and other types are left to their own operators."""

    def operator(self: "Expr", other: "Operand") -> "Expr":
        if not isinstance(other, _OPERANDS):
            return NotImplemented  # type: ignore[no-any-return]
        return _apply(code, other, self) if reflected else _apply(code, self, other)

    return operator


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Expr:
    """A node of a graph."""

    graph: Graph
    handle: Node

    __add__, __radd__ = _operator(ops.ADD), _operator(ops.ADD, reflected=True)
    __sub__, __rsub__ = _operator(ops.SUB), _operator(ops.SUB, reflected=True)
    __mul__, __rmul__ = _operator(ops.MUL), _operator(ops.MUL, reflected=True)
    __truediv__, __rtruediv__ = _operator(ops.DIV), _operator(ops.DIV, reflected=True)
    __pow__, __rpow__ = _operator(ops.POW), _operator(ops.POW, reflected=True)
    __lt__, __gt__ = _operator(ops.LT), _operator(ops.LT, reflected=True)
    __le__, __ge__ = _operator(ops.LE), _operator(ops.LE, reflected=True)
    __neg__, __abs__, __floor__ = _method(ops.NEG), _method(ops.ABS), _method(ops.FLOOR)

    def __pos__(self) -> "Expr":
        return self

    def __eq__(self, other: object) -> bool:
        """Whether this is the same node, or the node of this number. It raises beside a number where that depends on
        the values of symbols."""
        if isinstance(other, Expr):
            return self.graph is other.graph and self.handle == other.handle
        if not isinstance(other, Real):
            return NotImplemented
        number = self.graph.number(self.handle)
        if number is None:
            raise ExpressionError(
                f"{describe(self.graph, self.handle)} == {other} is neither true nor false before it has a value: write"
                " equal(a, b) (fb.equal), which is 1 or 0, not_equal(a, b) for !=, and where(…) in place of if"
            )
        try:
            return repr(number) == repr(exact(other))  # as stored, by type and bits
        except ExpressionError:
            return False

    def __hash__(self) -> int:
        number = self.graph.number(self.handle)
        return hash((id(self.graph), self.handle)) if number is None else hash(number)

    def __bool__(self) -> bool:
        raise ExpressionError(
            f"{describe(self.graph, self.handle)} is neither true nor false before it has a value:"
            " use where(condition, a, b) in place of if, a*b of and, max(a, b) of or"
        )

    def __float__(self) -> float:
        number = self.graph.number(self.handle)
        if number is None:
            raise ExpressionError(
                f"{describe(self.graph, self.handle)} is not a number: use the functions of freebody"
                " (sin, sqrt, …) on expressions, and subs({symbol: value}) to put in values"
            )
        return float(number)

    # What NumPy calls: methods for arrays of objects, __array_ufunc__ where an Expr stands beside an array

    sqrt, exp, log = _method(ops.SQRT), _method(ops.EXP), _method(ops.LOG)
    sin, cos, tan = _method(ops.SIN), _method(ops.COS), _method(ops.TAN)
    arcsin, arccos, arctan, arctan2 = _method(ops.ASIN), _method(ops.ACOS), _method(ops.ATAN), _operator(ops.ATAN2)
    sinh, cosh, tanh = _method(ops.SINH), _method(ops.COSH), _method(ops.TANH)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **options: Any) -> Any:
        """NumPy's function, element by element over arrays of objects."""
        function = np.frompyfunc(_OURS[ufunc], ufunc.nin, 1) if ufunc in _OURS else ufunc
        boxed = [np.array(x, dtype=object) if isinstance(x, Expr) else x for x in inputs]
        return getattr(function, method)(*boxed, **options)

    def subs(self, values: "Mapping[Expr | str, Operand]") -> "Expr":
        """This expression with other values in place of some nodes, all replaced at once: ``e.subs({x: 2*y})``."""
        replace = {_handle(self, old): _handle(self, new) for old, new in values.items()}
        return _checked(self.graph, substitute(self.graph, [self.handle], replace)[0])

    def diff(self, symbol: "Expr | str") -> "Expr":
        """The derivative with respect to a symbol: a coordinate, a speed, a parameter, t, … or its name."""
        variable = self.graph.named(symbol) if isinstance(symbol, str) else _handle(self, symbol)
        if variable is None:
            raise ExpressionError(f"diff({symbol!r}): there is no symbol of this name")
        for node in symbols_of(self.graph, [self.handle]):
            known = self.graph.symbols[self.graph.a[node]]
            if known.kind is Kind.ACCELERATION and known.name.endswith(")"):
                raise ExpressionError(
                    f"{known.name} is a name for an entry of the equations, whose derivative is not known here: take it"
                    " from s.expressions(), then differentiate"
                )
        return _checked(self.graph, gradient(self.graph, self.handle, [variable])[0])

    def closed_form(self, angles: str = "shortest", limit: int | None = None) -> "ClosedForm":
        """This expression simplified for reading: a polynomial, or a quotient of two, in symbols, sines and cosines
        (docs/closed-forms.md). ``angles``: "shortest", "products" or "sums"; ``limit``: terms allowed on the way."""
        from freebody.algebra import closed_expressions

        return closed_expressions(self.graph, [self.handle], angles, limit)[0]

    def __copy__(self) -> "Expr":
        return self

    def __deepcopy__(self, memo: object) -> "Expr":
        return self

    def __str__(self) -> str:
        return text(self.graph, self.handle)

    def __repr__(self) -> str:
        size = self._size
        return cut(str(self), "str(…)") if size < LARGEST else f"<expression of {size:,} nodes>"

    @property
    def _size(self) -> int:
        """The number of nodes; 0 where there cannot be many."""
        return 0 if self.handle < LARGEST else len(live(self.graph, [self.handle]))

    def _repr_latex_(self) -> str | None:
        return None if self._size >= LARGEST else short_formula(latex(self.graph, self.handle))


def equals_number(value: Any, number: float) -> bool:
    """Whether a scalar is this number, and no expression that depends on symbols."""
    known = value.graph.number(value.handle) if isinstance(value, Expr) else value
    return isinstance(known, Real) and known == number


Operand = Expr | Real | float | str
_OPERANDS = (Expr, Real, str)


def symbol(graph: Graph, name: str, kind: Kind, description: str = "", unit: str = "") -> Expr:
    """A symbol of the graph; the same one every time."""
    return Expr(graph, graph.symbol(name, kind, description, unit))


def symbols(graph: Graph, names: str, kind: Kind) -> tuple[Expr, ...]:
    """Several symbols: ``x, y = symbols(graph, "x y", Kind.COORDINATE)``."""
    return tuple(symbol(graph, name, kind) for name in names.replace(",", " ").split())


# Functions. At least one argument is an Expr; the others may be numbers and texts.


@keyword_hints
def sqrt(x: Expr) -> Expr:
    """√x."""
    return _apply(ops.SQRT, x)


@keyword_hints
def sin(x: Expr) -> Expr:
    """The sine of x."""
    return _apply(ops.SIN, x)


@keyword_hints
def cos(x: Expr) -> Expr:
    """The cosine of x."""
    return _apply(ops.COS, x)


@keyword_hints
def tan(x: Expr) -> Expr:
    """The tangent of x."""
    return _apply(ops.TAN, x)


@keyword_hints
def atan2(y: Operand, x: Operand) -> Expr:
    """The angle in [−π, π] of the point (x, y)."""
    return _apply(ops.ATAN2, y, x)


@keyword_hints
def tanh(x: Expr) -> Expr:
    """The hyperbolic tangent of x."""
    return _apply(ops.TANH, x)


@keyword_hints
def exp(x: Expr) -> Expr:
    """e to the power of x."""
    return _apply(ops.EXP, x)


@keyword_hints
def log(x: Expr) -> Expr:
    """The natural logarithm of x."""
    return _apply(ops.LOG, x)


@keyword_hints
def floor(x: Expr) -> Expr:
    """The largest integer that is not above x."""
    return _apply(ops.FLOOR, x)


@keyword_hints
def min(*values: Operand) -> Expr:
    """The smallest of the values."""
    graph, handles = _handles("min", values)
    return _checked(graph, reduce(graph.build[ops.MIN], handles))


@keyword_hints
def max(*values: Operand) -> Expr:
    """The largest of the values."""
    graph, handles = _handles("max", values)
    return _checked(graph, reduce(graph.build[ops.MAX], handles))


@keyword_hints
def where(condition: Operand, a: Operand, b: Operand) -> Expr:
    """a where the condition is not 0, else b."""
    if isinstance(condition, bool | np.bool_):
        raise ExpressionError(
            f"where({condition}, …): the condition is a value of Python. == compares expressions as"
            " objects: write equal(a, b), or if … else for a choice that is made now"
        )
    return _apply(ops.WHERE, condition, a, b)


@keyword_hints
def equal(a: Operand, b: Operand) -> Expr:
    """1 where a and b have the same value, else 0."""
    return _apply(ops.EQ, a, b)


@keyword_hints
def not_equal(a: Operand, b: Operand) -> Expr:
    """1 where a and b have different values, else 0."""
    return _apply(ops.NE, a, b)


@keyword_hints
def lookup(table: Table, x: Expr) -> Expr:
    """The table's value at x."""
    graph, handles = _handles(table.name, (x,))
    return _checked(graph, graph.table(table, handles[0]))


@keyword_hints
def apply(function: Callback, *arguments: Operand) -> Expr:
    """A user's function of these arguments."""
    graph, handles = _handles(function.name, arguments)
    return _checked(graph, graph.call(function, handles))


asin, acos, atan = _method(ops.ASIN), _method(ops.ACOS), _method(ops.ATAN)
sinh, cosh, abs_, sign = _method(ops.SINH), _method(ops.COSH), _method(ops.ABS), _method(ops.SIGN)

_OURS: dict[np.ufunc, Callable[..., Any]] = {  # where NumPy's loops over objects call bool() or a method of 2 arguments
    np.less: operator.lt, np.less_equal: operator.le, np.greater: operator.gt, np.greater_equal: operator.ge,
    np.minimum: min, np.maximum: max, np.sign: sign, np.arctan2: atan2,
}  # fmt: skip


def _apply(code: int, *arguments: Operand) -> Expr:
    graph, handles = _handles(ops.OPS[code].name, arguments)
    return _checked(graph, graph.build[code](*handles))


def _checked(graph: Graph, handle: Node) -> Expr:
    if graph.broken:
        require_finite(graph, (handle,))
    return Expr(graph, handle)


def _handles(name: str, arguments: Sequence[Operand]) -> tuple[Graph, list[Node]]:
    """The nodes of a function's arguments, in the graph of the first Expr among them; of expressions of a system and of
    its equations, in that of the equations."""
    host = next((x for x in arguments if isinstance(x, Expr)), None)
    if host is None:
        call = f"{name}({', '.join(map(repr, arguments))})"
        raise ExpressionError(f"{call}: no argument is an expression. Use math or numpy for numbers.")
    for x in arguments:
        if isinstance(x, Expr) and x.graph is not host.graph and x.graph.family is host.graph.family:
            host = x if x.graph.generation > host.graph.generation else host
    return host.graph, [_handle(host, x) for x in arguments]


def _handle(host: Expr, value: Operand) -> Node:
    """The node of an operand: an expression, a text or a number; the host has the graph."""
    if isinstance(value, Expr):
        if value.graph is host.graph:
            return value.handle
        if value.graph.family is not host.graph.family:
            ours, theirs = (describe(x.graph, x.handle) for x in (host, value))
            raise GraphError(f"{ours} and {theirs} belong to different graphs: build both in one system")
        return transfer(value.graph, [value.handle], host.graph)[value.handle]
    return parse(host.graph, value) if isinstance(value, str) else host.graph.const(value)
