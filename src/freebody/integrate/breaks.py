"""Break points: the times at which a law of t alone jumps or has a kink, computed before the run.

Tables over time and comparisons with time (``where(t > 5, …)``) have them wherever their argument is affine in t,
a + b t with numbers or parameters. A step must end there: a step across a pulse may not see it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor, inf, isfinite
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.program.code import Code
from freebody.program.program import Program
from freebody.scalar import ops
from freebody.scalar.functions import Table
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

BREAKING = frozenset((*KINKS, ops.TABLE))


class Affine(NamedTuple):
    """a + b t."""

    a: float
    b: float = 0.0


def breaks(program: Program, within: tuple[float, float] | None = None, **known: ArrayLike) -> tuple[float, ...]:
    """The break points of a program of time ``t``, in order; those of floor(t), which have no end, ``within`` a span of
    time only. ``known`` are the groups that stay constant, by name; an unknown value is NaN, and the break points that
    depend on it are omitted."""
    values = {name: np.asarray(row, float).reshape(-1) for name, row in known.items()}
    timed = (code for code in program.blocks if any(address.buffer == "t" for address in code.loads))
    breaking = BREAKING if within is None else BREAKING | {ops.FLOOR}
    times = {t for code in timed if not breaking.isdisjoint(code.op) for t in _block_breaks(code, values, within)}
    return tuple(sorted(filter(isfinite, times)))


def _block_breaks(code: Code, known: Mapping[str, Array], within: tuple[float, float] | None) -> Iterator[float]:
    nodes: list[Affine | None] = []
    for i, op in zip(all_nodes(code), code.op, strict=True):
        arguments = [] if op in (ops.CONST, ops.SYMBOL, ops.CALL) else [nodes[k] for k in operands(code, i)]
        x = [argument for argument in arguments if argument is not None]
        if len(x) < len(arguments):
            nodes.append(None)
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
    k = bisect_right(points, t) if direction > 0 else bisect_left(points, t)
    before, after = points[k - 1] if k else -inf, points[k] if k < len(points) else inf
    room = (after - before) / 4
    low, high = (
        end + inwards * min(max(SIDE * abs(end), INSTANT), room) if isfinite(end) else end
        for end, inwards in ((before, 1), (after, -1))
    )
    return low, high, after if direction > 0 else before
