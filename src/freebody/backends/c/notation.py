"""How each operation is written in C, and the small functions C lacks."""

import math

from freebody.scalar import ops
from freebody.scalar.notation import LEAVES, LITERAL, Notation, call
from freebody.scalar.numbers import Number

INFIX = (ops.ADD, ops.SUB, ops.MUL, ops.DIV, ops.NEG)

FUNCTIONS = {
    ops.POW: "raised",
    ops.SQRT: "sqrt",
    ops.SIN: "sin",
    ops.COS: "cos",
    ops.TAN: "tan",
    ops.ASIN: "asin",
    ops.ACOS: "acos",
    ops.ATAN: "atan",
    ops.ATAN2: "atan2",
    ops.SINH: "sinh",
    ops.COSH: "cosh",
    ops.TANH: "tanh",
    ops.EXP: "exp",
    ops.LOG: "log",
    ops.ABS: "fabs",
    ops.SIGN: "sign",
    ops.MIN: "least",
    ops.MAX: "most",
    ops.FLOOR: "floor",
    ops.LT: "less",
    ops.LE: "less_equal",
    ops.EQ: "equal",
    ops.NE: "not_equal",
    ops.WHERE: "choose",
}


def _comparison(op: int, sign: str) -> str:
    return (
        f"static double {FUNCTIONS[op]}(double a, double b)\n"
        f"{{\n    return isunordered(a, b) ? NAN : a {sign} b;\n}}\n"
    )


HELPERS = {  # each of them gives NaN for NaN
    ops.POW: "/* a to the power b; unlike pow, NaN also for raised(NaN, 0) and raised(1, NaN). */\n"
    "static double raised(double a, double b)\n{\n    return isunordered(a, b) ? NAN : pow(a, b);\n}\n",
    ops.SIGN: "/* 1, -1, or x itself where it is 0 or NaN. */\n"
    "static double sign(double x)\n{\n    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x;\n}\n",
    ops.MIN: "static double least(double a, double b)\n{\n    return a < b || isnan(a) ? a : b;\n}\n",
    ops.MAX: "static double most(double a, double b)\n{\n    return a > b || isnan(a) ? a : b;\n}\n",
    ops.LT: "/* Comparisons: 1 or 0, NaN if one of the operands is. */\n" + _comparison(ops.LT, "<"),
    ops.LE: _comparison(ops.LE, "<="),
    ops.EQ: _comparison(ops.EQ, "=="),
    ops.NE: _comparison(ops.NE, "!="),
    ops.WHERE: "/* a if the condition c is not 0, else b; NaN if c is NaN. */\n"
    "static double choose(double c, double a, double b)\n{\n    return isnan(c) ? c : c != 0.0 ? a : b;\n}\n",
}


def number(value: Number) -> str:
    """The shortest text that reads back as this double."""
    x = float(value)
    if math.isfinite(x):
        return repr(x)
    return "NAN" if math.isnan(x) else "INFINITY" if x > 0 else "-INFINITY"


C = Notation(
    {
        **{op: LITERAL.forms[op] for op in (*INFIX, ops.TABLE, ops.CALL)},
        **{op: call(name) for op, name in FUNCTIONS.items()},
    },
    number,
)

assert set(C.forms) | LEAVES == {o.code for o in ops.OPS}, "every operation has its C form"
