"""The table of operations: code, name, arity, value on floats, and cost.

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
    CONST,
    SYMBOL,
    ADD,
    SUB,
    MUL,
    DIV,
    NEG,
    POW,
    SQRT,
    SIN,
    COS,
    TAN,
    ASIN,
    ACOS,
    ATAN,
    ATAN2,
    SINH,
    COSH,
    TANH,
    EXP,
    LOG,
    ABS,
    SIGN,
    MIN,
    MAX,
    FLOOR,
    LT,
    LE,
    EQ,
    NE,
    WHERE,
    TABLE,
    CALL,
) = range(33)


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


def _comparison(holds: Callable[[float, float], bool]) -> Callable[[float, float], float]:
    """1 where it holds, 0 where it does not, NaN where an operand is NaN."""
    return lambda a, b: math.nan if a != a or b != b else float(holds(a, b))


OPS: tuple[Op, ...] = (
    Op(CONST, "const", 0, None, "free"),
    Op(SYMBOL, "symbol", 0, None, "free"),
    Op(ADD, "add", 2, lambda a, b: a + b, "add", commutes=True),
    Op(SUB, "sub", 2, lambda a, b: a - b, "add"),
    Op(MUL, "mul", 2, lambda a, b: a * b, "mul", commutes=True),
    Op(DIV, "div", 2, divide, "div"),
    Op(NEG, "neg", 1, lambda a: -a, "free"),
    Op(POW, "pow", 2, power),
    Op(SQRT, "sqrt", 1, _quiet(math.sqrt)),
    Op(SIN, "sin", 1, _quiet(math.sin), odd=True),
    Op(COS, "cos", 1, _quiet(math.cos), even=True),
    Op(TAN, "tan", 1, _quiet(math.tan), odd=True),
    Op(ASIN, "asin", 1, _quiet(math.asin), odd=True),
    Op(ACOS, "acos", 1, _quiet(math.acos)),
    Op(ATAN, "atan", 1, math.atan, odd=True),
    Op(ATAN2, "atan2", 2, math.atan2),
    Op(SINH, "sinh", 1, lambda a: math.sinh(a) if abs(a) < 710 or a != a else math.copysign(math.inf, a), odd=True),
    Op(COSH, "cosh", 1, _quiet(math.cosh), even=True),
    Op(TANH, "tanh", 1, math.tanh, odd=True),
    Op(EXP, "exp", 1, _quiet(math.exp)),
    Op(LOG, "log", 1, lambda a: -math.inf if a == 0 else math.nan if a < 0 else math.log(a)),
    Op(ABS, "abs", 1, abs, even=True),
    Op(SIGN, "sign", 1, lambda a: float(a > 0) - float(a < 0) if a == a else math.nan, odd=True),
    Op(MIN, "min", 2, lambda a, b: a if a < b or a != a else b),
    Op(MAX, "max", 2, lambda a, b: a if a > b or a != a else b),
    Op(FLOOR, "floor", 1, lambda a: float(math.floor(a)) if math.isfinite(a) else a),
    Op(LT, "lt", 2, _comparison(operator.lt)),
    Op(LE, "le", 2, _comparison(operator.le)),
    Op(EQ, "eq", 2, _comparison(operator.eq), commutes=True),
    Op(NE, "ne", 2, _comparison(operator.ne), commutes=True),
    Op(WHERE, "where", 3, lambda c, a, b: c if c != c else a if c != 0 else b),
    Op(TABLE, "table", 1),
    Op(CALL, "call", -1),
)
VALUES: dict[int, Callable[..., float]] = {o.code: o.value for o in OPS if o.value is not None}
"""The operations that are functions of numbers alone."""
ARITY: tuple[int, ...] = tuple(o.arity for o in OPS)
BY_NAME: dict[str, Op] = {o.name: o for o in OPS}
UNARY: tuple[int, ...] = tuple(o.code for o in OPS if o.arity == 1 and o.code not in (NEG, TABLE))
COMPARISONS: frozenset[int] = frozenset((LT, LE, EQ, NE))

assert all(k == o.code for k, o in enumerate(OPS)), "OPS is indexed by op code"
