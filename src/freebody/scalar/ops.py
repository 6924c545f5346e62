"""The table of operations: code, name, arity, value on floats, and how each counts.

A node is four integers (op, a, b, c). ``a``, ``b`` and ``c`` are handles of operands as far as the arity goes; the
leaves and the two operations with data of their own have an index into a side table instead:

======== =====================================
CONST    a = index into ``Graph.numbers``
SYMBOL   a = index into ``Graph.symbols``
TABLE    a = argument, b = index into ``Graph.tables``
CALL     a = index into ``Graph.calls`` (function, arguments)
======== =====================================

NaN in an operand that is used gives NaN, in every operation and every backend; also where IEEE 754 and C define another
result: min and max, comparisons, the condition of ``where``, pow(x, 0) and pow(1, x).
"""

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass

(
    CONST, SYMBOL, ADD, SUB, MUL, DIV, NEG, POW, SQRT, SIN, COS, TAN, ASIN, ACOS, ATAN, ATAN2, SINH, COSH, TANH, EXP,
    LOG, ABS, SIGN, MIN, MAX, FLOOR, LT, LE, EQ, NE, WHERE, TABLE, CALL,
) = range(33)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Op:
    """One operation: its name in text, its arity, its value on floats and how it counts."""

    code: int
    name: str
    arity: int
    value: Callable[..., float] | None = None
    cost: str = "call"  # mul, add, div, free or call: the headings of the operation count
    odd: bool = False  # f(−x) = −f(x)
    even: bool = False  # f(−x) = f(x)
    commutes: bool = False


def _quiet(f: Callable[..., float]) -> Callable[..., float]:
    """f with IEEE's answers (NaN, ±∞) where Python's math module raises."""

    def value(*x: float) -> float:
        try:
            return f(*x)
        except ValueError:
            return math.nan
        except (OverflowError, ZeroDivisionError):
            return math.inf

    return value


def divide(a: float, b: float) -> float:
    if b == 0:
        return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1.0, b)
    return a / b


def power(a: float, b: float) -> float:
    if a != a or b != b:
        return math.nan
    try:
        return math.pow(a, b)
    except OverflowError:
        return -math.inf if a < 0 and b % 2 == 1 else math.inf
    except ValueError:
        return math.inf if a == 0 else math.nan


def _sinh(a: float) -> float:
    return math.sinh(a) if abs(a) < 710 else math.copysign(math.inf, a) if a == a else a


def _comparison(holds: Callable[[float, float], bool]) -> Callable[[float, float], float]:
    """1 where it holds, 0 where it does not, NaN where an operand is NaN."""
    return lambda a, b: math.nan if a != a or b != b else float(holds(a, b))


def _table() -> tuple[Op, ...]:
    def call(code: int, name: str, f: Callable[..., float], arity: int = 1, **more: bool) -> Op:
        return Op(code, name, arity, f, "call", **more)

    return (
        Op(CONST, "const", 0, None, "free"),
        Op(SYMBOL, "symbol", 0, None, "free"),
        Op(ADD, "add", 2, lambda a, b: a + b, "add", commutes=True),
        Op(SUB, "sub", 2, lambda a, b: a - b, "add"),
        Op(MUL, "mul", 2, lambda a, b: a * b, "mul", commutes=True),
        Op(DIV, "div", 2, divide, "div"),
        Op(NEG, "neg", 1, lambda a: -a, "free"),
        call(POW, "pow", power, 2),
        call(SQRT, "sqrt", _quiet(math.sqrt)),
        call(SIN, "sin", _quiet(math.sin), odd=True),
        call(COS, "cos", _quiet(math.cos), even=True),
        call(TAN, "tan", _quiet(math.tan), odd=True),
        call(ASIN, "asin", _quiet(math.asin), odd=True),
        call(ACOS, "acos", _quiet(math.acos)),
        call(ATAN, "atan", math.atan, odd=True),
        call(ATAN2, "atan2", math.atan2, 2),
        call(SINH, "sinh", _sinh, odd=True),
        call(COSH, "cosh", _quiet(math.cosh), even=True),
        call(TANH, "tanh", math.tanh, odd=True),
        call(EXP, "exp", _quiet(math.exp)),
        call(LOG, "log", lambda a: -math.inf if a == 0 else math.nan if a < 0 else math.log(a)),
        call(ABS, "abs", abs, even=True),
        call(SIGN, "sign", lambda a: float(a > 0) - float(a < 0) if a == a else math.nan, odd=True),
        call(MIN, "min", lambda a, b: a if a < b or a != a else b, 2),
        call(MAX, "max", lambda a, b: a if a > b or a != a else b, 2),
        call(FLOOR, "floor", lambda a: float(math.floor(a)) if math.isfinite(a) else a),
        call(LT, "lt", _comparison(operator.lt), 2),
        call(LE, "le", _comparison(operator.le), 2),
        call(EQ, "eq", _comparison(operator.eq), 2, commutes=True),
        call(NE, "ne", _comparison(operator.ne), 2, commutes=True),
        call(WHERE, "where", lambda c, a, b: c if c != c else a if c != 0 else b, 3),
        Op(TABLE, "table", 1),
        Op(CALL, "call", -1),
    )


OPS: tuple[Op, ...] = _table()
VALUES: dict[int, Callable[..., float]] = {o.code: o.value for o in OPS if o.value is not None}
"""The operations that are functions of numbers alone."""
ARITY: tuple[int, ...] = tuple(o.arity for o in OPS)
BY_NAME: dict[str, Op] = {o.name: o for o in OPS}
UNARY: tuple[int, ...] = tuple(o.code for o in OPS if o.arity == 1 and o.code not in (NEG, TABLE))
COMPARISONS: frozenset[int] = frozenset((LT, LE, EQ, NE))

assert all(k == o.code for k, o in enumerate(OPS)), "OPS is indexed by op code"
