"""How each operation is written in C, and the small functions C lacks."""

import math

from freebody.scalar import ops
from freebody.scalar.notation import CHOICE, COMPARE, LEAVES, LITERAL, SUM, Notation, call, form
from freebody.scalar.numbers import Number

INFIX = (ops.ADD, ops.SUB, ops.MUL, ops.DIV, ops.NEG, ops.LT, ops.LE, ops.EQ, ops.NE)

FUNCTIONS = {
    ops.POW: "pow",
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
}

HELPERS = {
    ops.SIGN: "/* 1, -1, or x itself where it is 0 or NaN. */\n"
    "static double sign(double x)\n{\n    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x;\n}\n",
    ops.MIN: "static double least(double a, double b)\n{\n    return a < b ? a : b;\n}\n",
    ops.MAX: "static double most(double a, double b)\n{\n    return a > b ? a : b;\n}\n",
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
        ops.WHERE: form("@0 ? @1 : @2", CHOICE, COMPARE, COMPARE, COMPARE),
    },
    number,
    truth=form("(double)(@0)"),
    condition=form("@0 != 0.0", COMPARE, SUM),
)

assert set(C.forms) | LEAVES == {o.code for o in ops.OPS}, "every operation has its C form"
