"""Traversals of a graph without recursion: nodes in order, copying to another graph, and evaluation."""

import math
import operator
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Protocol

from freebody.errors import ExpressionError
from freebody.scalar.functions import Callback, Table
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.numbers import Number, fold
from freebody.scalar.ops import ADD, ARITY, CALL, CONST, DIV, MUL, NEG, SUB, SYMBOL, TABLE, VALUES, WHERE
from freebody.scalar.symbol import Label

FLOATS: dict[int, Callable[..., float]] = {ADD: operator.add, SUB: operator.sub, MUL: operator.mul, NEG: operator.neg}
ARITHMETIC = {ADD: "add", SUB: "sub", MUL: "mul", DIV: "div"}
DIFFERENCE = 1e-7
"""The step of differences for the derivatives of functions, relative to an argument above 1."""

Draw = Callable[[str], Number]  # a number for the symbol of a name


class Nodes(Protocol):
    """What a graph and straight-line code have in common."""

    @property
    def op(self) -> Sequence[int]: ...
    @property
    def a(self) -> Sequence[Node]: ...
    @property
    def b(self) -> Sequence[Node]: ...
    @property
    def c(self) -> Sequence[Node]: ...
    @property
    def numbers(self) -> Sequence[Number]: ...
    @property
    def tables(self) -> Sequence[Table]: ...
    @property
    def calls(self) -> Sequence[tuple[Callback, tuple[Node, ...]]]: ...
    @property
    def labels(self) -> Mapping[Node, Sequence[Label]]: ...


def operands(g: Nodes, handle: Node) -> tuple[Node, ...]:
    """The nodes a node is computed from."""
    n = ARITY[g.op[handle]]
    if n == 2:
        return (g.a[handle], g.b[handle])
    if n == 1:
        return (g.a[handle],)
    if n == 0:
        return ()
    return (g.a[handle], g.b[handle], g.c[handle]) if n == 3 else g.calls[g.a[handle]][1]


def live(g: Nodes, roots: Iterable[Node], leaves: Container[Node] = ()) -> list[Node]:
    """Every node the roots need, the roots included, operands first; what only ``leaves`` need is left out."""
    seen = dict.fromkeys(roots, True)
    nodes = list(seen)
    op, A, B = g.op, g.a, g.b
    for i in nodes:  # which grows on the way
        n = ARITY[op[i]]
        if n == 0 or i in leaves:
            continue
        for k in (A[i], B[i]) if n == 2 else (A[i],) if n == 1 else operands(g, i):
            if k not in seen:
                seen[k] = True
                nodes.append(k)
    nodes.sort()
    return nodes


def symbols_of(g: Graph, roots: Iterable[Node]) -> list[Node]:
    """The symbols that the roots depend on, in the order of their handles."""
    return [i for i in live(g, roots) if g.op[i] == SYMBOL]


def transfer(
    source: Graph,
    roots: Sequence[Node],
    target: Graph,
    replace: Mapping[Node, Node] | None = None,
    number: Callable[[object], Node] | None = None,
) -> dict[Node, Node]:
    """Rebuild what the roots need in the target graph: a map from old handles to new.

    ``replace`` gives target nodes to use in place of source nodes (what only they needed is not rebuilt); ``number``
    makes the constants (default: as they are). Labels are copied, except to numbers.
    """
    done, make = dict(replace or {}), number or target.const
    for i in live(source, roots, done):
        if i in done:
            continue
        done[i] = rebuild(source, i, target, done, make)
        if i in source.labels and target.op[done[i]] != CONST:
            for label in source.labels[i]:
                target.label(done[i], label.name, label.description)
    return done


def rebuild(source: Graph, i: Node, target: Graph, done: Mapping[Node, Node], make: Callable[[object], Node]) -> Node:
    """One node of the source from operands already in the target."""
    code = source.op[i]
    if code == CONST:
        number = source.numbers[source.a[i]]
        return target.fail(source.broken[i], float(number)) if i in source.broken else make(number)
    if code == SYMBOL:
        s = source.symbols[source.a[i]]
        return target.symbol(s.name, s.kind, s.description, s.unit, s.mask)
    return computed(source, i, target, done)


def computed(source: Nodes, i: Node, target: Graph, done: Mapping[Node, Node]) -> Node:
    """One operation of the source on operands already in the target."""
    code = source.op[i]
    if code == TABLE:
        return target.table(source.tables[source.b[i]], done[source.a[i]])
    if code == CALL:
        function, arguments = source.calls[source.a[i]]
        return target.call(function, [done[k] for k in arguments])
    n, make = ARITY[code], target.build[code]
    if n == 2:
        return make(done[source.a[i]], done[source.b[i]])
    return make(done[source.a[i]]) if n == 1 else make(*[done[k] for k in operands(source, i)])


def substitute(g: Graph, roots: Sequence[Node], replace: Mapping[Node, Node]) -> list[Node]:
    """The roots with some nodes replaced by others of the same graph."""
    done = transfer(g, roots, g, replace)
    return [done[r] for r in roots]


def require_finite(g: Graph, roots: Sequence[Node], what: str = "expression") -> None:
    """Raise an ExpressionError if a root needs a value that is not finite, except inside a branch of ``where``."""
    if not g.broken:
        return
    seen = set(roots) - g.finite
    todo = list(seen)
    while todo:
        i = todo.pop()
        if i in g.broken:
            raise ExpressionError(f"{what}: {g.broken[i]} has no finite value. Change the numbers that lead to it.")
        needed = (g.a[i],) if g.op[i] == WHERE else operands(g, i)
        fresh = [k for k in needed if k not in seen and k not in g.finite]
        seen.update(fresh)
        todo.extend(fresh)
    g.finite |= seen


def uses(g: Nodes, roots: Sequence[Node]) -> dict[Node, int]:
    """How often each live node is used; being a root is one use."""
    count = dict.fromkeys(live(g, roots), 0)
    for i in count:
        for k in operands(g, i):
            count[k] += 1
    for r in roots:
        count[r] += 1
    return count


def values(g: Graph, roots: Sequence[Node], known: Mapping[Node, Number], draw: Draw | None = None) -> list[Number]:
    """The values of the roots where some nodes are ``known``; other symbols are drawn. They are exact where only the
    four operations on exact numbers lead to them, and floats elsewhere."""
    value: dict[Node, Number] = dict(known)
    for i in live(g, roots, known):
        code, a = g.op[i], g.a[i]
        if i in value:
            continue
        if code == SYMBOL:
            if draw is None:
                raise ExpressionError(f"'{g.symbols[a].name}' has no value here")
            value[i] = draw(g.symbols[a].name)
        elif code == CONST:
            value[i] = g.numbers[a]
        elif code == NEG:
            value[i] = -value[a]
        elif code in ARITHMETIC and (exact := fold(ARITHMETIC[code], value[a], value[g.b[i]])) is not None:
            value[i] = exact
        elif code == TABLE:
            value[i] = g.tables[g.b[i]].value(float(value[a]))
        else:
            function = g.calls[a][0].function if code == CALL else VALUES[code]
            value[i] = float(function(*(float(value[k]) for k in operands(g, i))))
    return [value[r] for r in roots]


def float_function(g: Graph, roots: Sequence[Node]) -> Callable[[Mapping[Node, float]], list[float]]:
    """The roots as a function of the values of symbols (by handle), for many evaluations: ten times faster than
    ``values``, and in floats throughout."""
    at, symbols, numbers = dict[Node, int](), list[tuple[int, Node]](), list[float]()
    steps = list[tuple[int, Callable[..., float], list[int]]]()
    for i in live(g, roots):
        code, at[i] = g.op[i], len(numbers)
        numbers.append(float(g.numbers[g.a[i]]) if code == CONST else 0.0)
        if code == SYMBOL:
            symbols.append((at[i], i))
        elif code == TABLE:
            steps.append((at[i], g.tables[g.b[i]].value, [at[g.a[i]]]))
        elif code != CONST:
            function = g.calls[g.a[i]][0].function if code == CALL else FLOATS.get(code) or VALUES[code]
            steps.append((at[i], function, [at[k] for k in operands(g, i)]))
    results = [at[r] for r in roots]

    def evaluate(known: Mapping[Node, float]) -> list[float]:
        value = list(numbers)
        for k, i in symbols:
            if i not in known:
                raise ExpressionError(f"'{g.symbols[g.a[i]].name}' has no value here")
            value[k] = known[i]
        for k, function, arguments in steps:
            if len(arguments) == 2:
                a, b = arguments
                value[k] = function(value[a], value[b])
            else:
                value[k] = function(*[value[a] for a in arguments])
        return [value[r] for r in results]

    return evaluate


def rounding_sizes(g: Graph, roots: Sequence[Node], known: Mapping[Node, float]) -> list[tuple[float, float]]:
    """For each root its value where the symbols are ``known``, and the size of the terms that it is a sum of: its
    rounding error in units of the last place, where all errors are independent. Errors of operands are propagated by
    the derivatives, as the root of a sum of squares, so that those of rotations do not grow along a chain. A value far
    below 1e-12 of its size is only what rounding leaves."""
    order = live(g, roots)
    value, size = dict(zip(order, float_function(g, order)(known), strict=True)), dict[Node, float]()
    for i in order:
        below = operands(g, i)
        slopes = _slopes(g, i, [value[k] for k in below], value[i])
        size[i] = math.hypot(value[i], *(slope * size[k] for slope, k in zip(slopes, below, strict=True) if size[k]))
    return [(value[r], size[r]) for r in roots]


def _slopes(g: Graph, i: Node, x: Sequence[float], value: float) -> list[float]:
    """The derivatives of an operation with respect to its operands; of functions by differences."""
    code = g.op[i]
    if code in (ADD, SUB, NEG):
        return [1.0] * len(x)
    if code == MUL:
        return [x[1], x[0]]
    if code == DIV:
        return [1 / x[1], value / x[1]] if x[1] else [math.inf] * 2
    if code == WHERE:
        return [0.0, 1.0, 0.0] if x[0] else [0.0, 0.0, 1.0]
    if code == TABLE:
        function: Callable[..., float] = g.tables[g.b[i]].value
    elif x:
        function = g.calls[g.a[i]][0].function if code == CALL else VALUES[code]
    slopes = list[float]()
    for k, argument in enumerate(x):
        step = DIFFERENCE * max(1.0, abs(argument))
        slopes.append((function(*x[:k], argument + step, *x[k + 1 :]) - value) / step)
    return slopes


def somewhere(seed: int) -> Draw:
    """Random fractions, the same for a symbol each time: a polynomial that is 0 there is very likely 0 everywhere."""
    return lambda name: Fraction(Random(f"{seed} {name}").randint(211, 499), 331)
