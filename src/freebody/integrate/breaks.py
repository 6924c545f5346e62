"""Break points: the times at which a law of t alone jumps or has a kink, computed before the run.

Tables over time and comparisons with time (``where(t > 5, …)``) have them wherever their argument is affine in t,
a + b t with numbers or parameters. A step must end there: a step across a pulse may not see it. Within a span of time
those of other functions of t alone are found too (``abs(sin(3*t))``), by their changes of sign.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil, floor, inf, isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.backends.numpy.interpret import OPERATIONS, table_function
from freebody.program.code import Code
from freebody.program.program import Program
from freebody.scalar import ops
from freebody.scalar.functions import Table
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node, all_nodes
from freebody.scalar.walk import operands

Array = NDArray[np.float64]
COARSE = 1e-3
"""Points of a table are omitted where linear interpolation of the others is this close, as a fraction of the range."""

SIDE, INSTANT = 1e-14, 1e-15
"""How far from a break point f is evaluated at the nearest: a fraction of the time, at least so many seconds."""

KINKS = (*ops.COMPARISONS, ops.ABS, ops.SIGN, ops.MIN, ops.MAX)
"""Operations that jump or bend where their operands are equal, or their only operand is 0."""

MOST_FLOORS = 10_000
"""The most break points of one floor that are listed."""

FEWEST, MOST = 500, 32_000
"""The number of intervals of a span of time in which changes of sign are looked for: doubled until no more are
found."""

BREAKING = frozenset((*KINKS, ops.TABLE))


class Affine(NamedTuple):
    """a + b t."""

    a: float
    b: float = 0.0


def breaks(program: Program, within: tuple[float, float] | None = None, **known: ArrayLike) -> tuple[float, ...]:
    """The break points of a program of time ``t``, in order; those of floor(t), which have no end, and of functions
    that are not affine in t ``within`` a span of time only. ``known`` are the groups that stay constant, by name; an
    unknown value is NaN, and the break points that depend on it are omitted."""
    return tuple(sorted(filter(isfinite, _times(program, within, known))))


def may_break(program: Program) -> bool:
    """Whether a program of time can have break points at all."""
    return bool(_breaking(program, BREAKING | {ops.FLOOR}))


def _breaking(program: Program, breaking: frozenset[Any]) -> list[Code]:
    """The blocks that depend on time and have such operations."""
    found = [code for code in program.blocks if not breaking.isdisjoint(code.op)]
    return [code for code in found if any(address.buffer == "t" for address in code.loads)]


def breaks_depend_on_unknown(program: Program, **known: ArrayLike) -> bool:
    """Whether some break points depend on values of groups that are NaN in ``known``."""
    return any(t != t for t in _times(program, None, known))


def _times(program: Program, within: tuple[float, float] | None, known: Mapping[str, ArrayLike]) -> set[float]:
    """The break points; NaN stands for those that depend on unknown values."""
    blocks = _breaking(program, BREAKING if within is None else BREAKING | {ops.FLOOR})
    values = {name: np.asarray(row, float).reshape(-1) for name, row in known.items()} if blocks else {}
    return {t for code in blocks for t in _block_breaks(code, values, within)}


def _block_breaks(code: Code, known: Mapping[str, Array], within: tuple[float, float] | None) -> Iterator[float]:
    nodes: list[Affine | None] = []
    timed = TimeFunctions(code, nodes)
    for i, op in zip(all_nodes(code), code.op, strict=True):
        arguments = [] if op in (ops.CONST, ops.SYMBOL, ops.CALL) else [nodes[k] for k in operands(code, i)]
        x = [argument for argument in arguments if argument is not None]
        if len(x) < len(arguments):
            nodes.append(None)
            if op in KINKS and within is not None:
                yield from timed.equal(operands(code, i), within)
            continue
        nodes.append(_affine(code, i, x, known))
        if not any(argument.b for argument in x):
            continue
        if op == ops.TABLE:
            yield from ((p - x[0].a) / x[0].b for p in corners(code.tables[code.b[i]]))
        elif op == ops.FLOOR and within is not None:
            low, high = sorted(x[0].a + x[0].b * t for t in within)
            whole = range(ceil(low), floor(high) + 1) if high - low < MOST_FLOORS else ()
            yield from ((n - x[0].a) / x[0].b for n in whole)
        elif op in KINKS:
            first, second = (*x, Affine(0.0))[:2]
            if first.b != second.b:
                yield (second.a - first.a) / (first.b - second.b)


def _affine(code: Code, i: Node, x: Sequence[Affine], known: Mapping[str, Array]) -> Affine | None:
    """Node i as an affine function of t, from its operands; None if it is not one."""
    op = code.op[i]
    if op == ops.CONST:
        return Affine(float(code.numbers[code.a[i]]))
    if op == ops.SYMBOL:
        address = code.loads[code.a[i]]
        if address.buffer == "t":
            return Affine(0.0, 1.0)
        constant = address.buffer in known and address.row < 0
        return Affine(float(known[address.buffer][address.offset])) if constant else None
    if op == ops.CALL:
        return None
    if not any(argument.b for argument in x):
        compute = code.tables[code.b[i]].value if op == ops.TABLE else ops.VALUES[op]
        return Affine(compute(*(argument.a for argument in x)))
    if op == ops.NEG:
        return Affine(-x[0].a, -x[0].b)
    if op in (ops.ADD, ops.SUB):
        sign = 1 if op == ops.ADD else -1
        return Affine(x[0].a + sign * x[1].a, x[0].b + sign * x[1].b)
    if op == ops.MUL and not (x[0].b and x[1].b):
        return Affine(x[0].a * x[1].a, x[0].a * x[1].b + x[0].b * x[1].a)
    if op == ops.DIV and not x[1].b and x[1].a:
        return Affine(x[0].a / x[1].a, x[0].b / x[1].a)
    return None


class TimeFunctions:
    """The nodes of a block as functions of time, where they depend on it alone; ``affine`` are those that are affine,
    which are known first."""

    def __init__(self, code: Code, affine: Sequence[Affine | None]) -> None:
        self.code, self.affine, self._searched = code, affine, set[tuple[Node, ...]]()

    def equal(self, nodes: Sequence[Node], within: tuple[float, float]) -> Iterator[float]:
        """The times within a span at which two nodes are equal, or one is 0."""
        order, (low, high) = self._order(nodes), sorted(within)
        if order is None or low == high or tuple(nodes) in self._searched:
            return
        self._searched.add(tuple(nodes))

        def difference(t: Array) -> Array:
            with np.errstate(all="ignore"):
                values = self._values(order, t)
                return np.asarray(values[nodes[0]] - (values[nodes[1]] if len(nodes) == 2 else 0.0) + 0 * t)

        count, zeros, changes, found = FEWEST, np.empty(0), np.empty((2, 0)), -1
        while count <= MOST and found < len(zeros) + changes.shape[1]:
            found = len(zeros) + changes.shape[1]
            t = np.linspace(low, high, count + 1)
            y = difference(t)
            before, after = y[:-1], y[1:]
            changes = np.array([t[:-1], t[1:]])[:, before * after < 0]
            zeros = np.concatenate([t[1:][(after == 0) & (before != 0)], t[:-1][(before == 0) & (after != 0)]])
            count *= 2
        yield from np.unique(zeros).tolist()
        yield from changes_of_sign(difference, *changes).tolist()

    def _order(self, nodes: Sequence[Node]) -> list[Node] | None:
        """The nodes that some are computed from, in order; None where one depends on more than time."""
        found, waiting = set[Node](), [*nodes]
        while waiting:
            i = waiting.pop()
            if i in found:
                continue
            found.add(i)
            line = self.affine[i]
            if line is None and self.code.op[i] in (ops.SYMBOL, ops.CALL):
                return None
            if line is not None and not (isfinite(line.a) and isfinite(line.b)):
                return None
            waiting += () if line is not None else operands(self.code, i)
        return sorted(found)

    def _values(self, order: Sequence[Node], t: Array) -> dict[Node, Any]:
        code, values = self.code, dict[Node, Any]()
        for i in order:
            line, op = self.affine[i], code.op[i]
            if line is not None:
                values[i] = line.a + line.b * t
                continue
            compute = table_function(code.tables[code.b[i]]) if op == ops.TABLE else OPERATIONS[op]
            values[i] = compute(*(values[k] for k in operands(code, i)))
        return values


def changes_of_sign(f: Callable[[Array], Array], a: Array, b: Array) -> Array:
    """The times between those in a and b, as exact as numbers are, at which a function has another sign."""
    sign = np.sign(f(a))
    while np.any(np.nextafter(a, b) < b):
        middle = a + (b - a) / 2
        same = sign * f(middle) > 0
        a, b = np.where(same, middle, a), np.where(same, b, middle)
    return b


def break_nodes(program: Program, g: Graph, known: Mapping[str, Sequence[Node]]) -> Iterator[Node]:
    """The break points of a program as nodes of another graph, in which ``known`` has the numbers of the groups that
    stay constant; those of floor(t) are not among them. Break points that are not finite do not exist."""
    for code in _breaking(program, BREAKING):
        yield from _block_nodes(code, g, known)


def _block_nodes(code: Code, g: Graph, known: Mapping[str, Sequence[Node]]) -> Iterator[Node]:
    """As ``_block_breaks``: a node is a + b t with two nodes a and b of the graph."""
    nodes: list[tuple[Node, Node] | None] = []
    for i, op in zip(all_nodes(code.op), code.op, strict=True):
        arguments = [] if op in (ops.CONST, ops.SYMBOL, ops.CALL) else [nodes[k] for k in operands(code, i)]
        x = [argument for argument in arguments if argument is not None]
        if len(x) < len(arguments):
            nodes.append(None)
            continue
        nodes.append(_affine_nodes(code, i, x, g, known))
        if all(b == g.zero for _, b in x):
            continue
        if op == ops.TABLE:
            yield from (g.div(g.sub(g.const(p), x[0][0]), x[0][1]) for p in corners(code.tables[code.b[i]]))
        elif op in KINKS:
            (a, b), (c, d) = (*x, (g.zero, g.zero))[:2]
            slope = g.sub(b, d)
            if slope != g.zero:
                yield g.div(g.sub(c, a), slope)


def _affine_nodes(
    code: Code, i: Node, x: Sequence[tuple[Node, Node]], g: Graph, known: Mapping[str, Sequence[Node]]
) -> tuple[Node, Node] | None:
    """Node i as a + b t, from its operands; None if it is not such."""
    op = code.op[i]
    if op == ops.CONST:
        return g.const(code.numbers[code.a[i]]), g.zero
    if op == ops.SYMBOL:
        address = code.loads[code.a[i]]
        if address.buffer == "t":
            return g.zero, g.one
        constant = address.buffer in known and address.row < 0
        return (known[address.buffer][address.offset], g.zero) if constant else None
    if op == ops.CALL:
        return None
    if all(b == g.zero for _, b in x):
        a = [argument for argument, _ in x]
        value = g.table(code.tables[code.b[i]], a[0]) if op == ops.TABLE else g.build[op](*a)
        return value, g.zero
    if op == ops.NEG:
        return g.neg(x[0][0]), g.neg(x[0][1])
    if op in (ops.ADD, ops.SUB):
        return g.build[op](x[0][0], x[1][0]), g.build[op](x[0][1], x[1][1])
    if op == ops.MUL and g.zero in (x[0][1], x[1][1]):
        slope = g.add(g.mul(x[0][0], x[1][1]), g.mul(x[0][1], x[1][0]))
        return g.mul(x[0][0], x[1][0]), slope
    if op == ops.DIV and x[1][1] == g.zero and x[1][0] != g.zero:
        return g.div(x[0][0], x[1][0]), g.div(x[0][1], x[1][0])
    return None


def corners(table: Table) -> list[float]:
    """The points of a table that make its shape: linear interpolation of them is within ``COARSE`` of all the others
    (Douglas & Peucker 1973). A pulse keeps its corners, a finely sampled wave a few dozen points."""
    x, y = np.array([(p, value) for p in table.breaks if isfinite(value := table.value(p))]).reshape(-1, 2).T
    if not len(x):
        return []
    near, selected, todo = COARSE * float(np.ptp(y)), {0, len(x) - 1}, [(0, len(x) - 1)]
    while todo:
        a, b = todo.pop()
        inside = slice(a + 1, b)
        off = np.abs(y[inside] - np.interp(x[inside], x[[a, b]], y[[a, b]]))
        if len(off) and float(off.max()) > near:
            k = a + 1 + int(np.argmax(off))
            selected.add(k)
            todo += [(a, k), (k, b)]
    return [float(x[k]) for k in sorted(selected)]


def segment(points: Sequence[float], t: float, direction: float) -> tuple[float, float, float]:
    """The first and the last time at which f may be evaluated between the break points around t, and the break point
    ahead, for a motion forwards (1) or backwards (−1)."""
    if not points:
        return -inf, inf, direction * inf
    k = bisect_right(points, t) if direction > 0 else bisect_left(points, t)
    before, after = points[k - 1] if k else -inf, points[k] if k < len(points) else inf
    room = (after - before) / 4
    low, high = (
        end + inwards * min(max(SIDE * abs(end), INSTANT), room) if isfinite(end) else end
        for end, inwards in ((before, 1), (after, -1))
    )
    return low, high, after if direction > 0 else before
