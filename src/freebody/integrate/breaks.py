"""Break points: the times at which a law in t alone jumps or has a kink, known before the run.

Tables over time and comparisons with time (``where(t > 5, …)``) have them wherever their argument is a line in t,
a + b t with numbers or parameters. A step must end there: one that reaches across knows nothing of a pulse inside it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from math import inf, isfinite, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.program.code import Code
from freebody.program.program import Program
from freebody.scalar import ops
from freebody.scalar.functions import Table
from freebody.scalar.walk import operands

Array = NDArray[np.float64]
COARSE = 1e-3
"""Points of a table are left out where the others, joined by lines, stay this near, as a part of the table's range."""

SIDE, INSTANT = 1e-14, 1e-15
"""How far beside a break point its side begins: a part of the time, at least so many seconds."""


class Line(NamedTuple):
    """a + b t."""

    a: float
    b: float


ZERO = Line(0.0, 0.0)
KINKS = (*ops.COMPARISONS, ops.ABS, ops.SIGN, ops.MIN, ops.MAX)
"""Operations that jump or bend where their operands are equal, or the one they have is 0."""

BREAKING = frozenset((*KINKS, ops.TABLE))


def breaks(program: Program, **known: ArrayLike) -> tuple[float, ...]:
    """The break points of a program of time ``t``, in order. ``known`` are the groups that stay as they are, by name;
    a value that is not known is NaN, and so is every break that depends on it: it is left out."""
    values = {name: np.asarray(row, float).reshape(-1) for name, row in known.items()}
    codes = (code for code in program.blocks if _knows_time(code) and not BREAKING.isdisjoint(code.op))
    return tuple(sorted({when for code in codes for when in _of(code, values) if isfinite(when)}))


def _knows_time(code: Code) -> bool:
    return any(place.buffer == "t" for place in code.loads)


def _of(code: Code, known: Mapping[str, Array]) -> Iterator[float]:
    lines: list[Line | None] = []
    for i, op in enumerate(code.op):
        given = [] if op in (ops.CONST, ops.SYMBOL, ops.CALL) else [lines[k] for k in operands(code, i)]
        lines.append(_line(code, i, given, known))
        if None in given or not any(line.b for line in given if line is not None):
            continue
        known_lines = [line for line in given if line is not None]
        if op == ops.TABLE:
            x = known_lines[0]
            yield from ((p - x.a) / x.b for p in corners(code.tables[code.b[i]]))
        elif op in KINKS:
            yield _zero(*known_lines)


def _zero(x: Line, y: Line = ZERO) -> float:
    """Where two lines meet."""
    return (y.a - x.a) / (x.b - y.b) if x.b != y.b else nan


def _line(code: Code, i: int, given: Sequence[Line | None], known: Mapping[str, Array]) -> Line | None:
    """A node as a line in t, None where it is none."""
    op = code.op[i]
    if op == ops.CONST:
        return Line(float(code.numbers[code.a[i]]), 0.0)
    if op == ops.SYMBOL:
        return _load(code, i, known)
    if op == ops.CALL or None in given:
        return None
    x = [line for line in given if line is not None]
    if not any(line.b for line in x):
        return Line(_value(code, i, [line.a for line in x]), 0.0)
    return _combined(op, x)


def _load(code: Code, i: int, known: Mapping[str, Array]) -> Line | None:
    place = code.loads[code.a[i]]
    if place.buffer == "t":
        return Line(0.0, 1.0)
    return Line(float(known[place.buffer][place.offset]), 0.0) if place.buffer in known and place.row < 0 else None


def _value(code: Code, i: int, x: Sequence[float]) -> float:
    compute = code.tables[code.b[i]].value if code.op[i] == ops.TABLE else ops.VALUES[code.op[i]]
    return compute(*x)


def _combined(op: int, x: Sequence[Line]) -> Line | None:
    """What is a line again."""
    if op == ops.NEG:
        return Line(-x[0].a, -x[0].b)
    if op in (ops.ADD, ops.SUB):
        sign = 1 if op == ops.ADD else -1
        return Line(x[0].a + sign * x[1].a, x[0].b + sign * x[1].b)
    if op == ops.MUL and not (x[0].b and x[1].b):
        return Line(x[0].a * x[1].a, x[0].a * x[1].b + x[0].b * x[1].a)
    if op == ops.DIV and not x[1].b and x[1].a:
        return Line(x[0].a / x[1].a, x[0].b / x[1].a)
    return None


def corners(table: Table) -> list[float]:
    """The points of a table that make its shape: joined by lines they stay within ``COARSE`` of all the others (Douglas
    & Peucker 1973). A pulse keeps its corners, a finely sampled wave a few dozen points."""
    x = np.array(table.breaks)
    y = np.array([table.value(p) for p in table.breaks])
    near, kept, todo = COARSE * float(np.ptp(y)), {0, len(x) - 1}, [(0, len(x) - 1)]
    while todo:
        a, b = todo.pop()
        inside = slice(a + 1, b)
        off = np.abs(y[inside] - np.interp(x[inside], x[[a, b]], y[[a, b]]))
        if len(off) and float(off.max()) > near:
            k = a + 1 + int(np.argmax(off))
            kept.add(k)
            todo += [(a, k), (k, b)]
    return [float(x[k]) for k in sorted(kept)]


class Segment(NamedTuple):
    """A stretch between break points: the times at which f may be asked, and the break point ahead."""

    low: float
    high: float
    goal: float


def segment(points: Sequence[float], t: float, direction: float) -> Segment:
    """Where a motion at time t goes on to, forwards (1) or backwards (−1)."""
    k = bisect_right(points, t) if direction > 0 else bisect_left(points, t)
    before, after = points[k - 1] if k else -inf, points[k] if k < len(points) else inf
    room = (after - before) / 4
    low, high = before + _side(before, room), after - _side(after, room)
    return Segment(low, high, after if direction > 0 else before)


def _side(when: float, room: float) -> float:
    return min(max(SIDE * abs(when), INSTANT), room) if isfinite(when) else 0.0
