"""Programs as functions of CasADi: the same operations on its scalar symbols, from which it takes exact derivatives.

Tables are choices between their polynomials. Python functions have no expression that could be differentiated.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import casadi

from freebody.errors import ArgumentError
from freebody.program.code import Code
from freebody.program.ldl import PIVOT_TOLERANCE
from freebody.program.program import Program
from freebody.program.unrolled import Unrolled
from freebody.scalar import ops
from freebody.scalar.functions import Table
from freebody.scalar.node import Node
from freebody.scalar.numbers import Number
from freebody.scalar.walk import operands
from freebody.tables import listed

WRITERS: dict[int, Callable[..., Any]] = {
    ops.ADD: lambda a, b: a + b,
    ops.SUB: lambda a, b: a - b,
    ops.MUL: lambda a, b: a * b,
    ops.DIV: lambda a, b: a / b,
    ops.NEG: lambda a: -a,
    ops.POW: lambda a, b: a**b,
    ops.SQRT: casadi.sqrt,
    ops.SIN: casadi.sin,
    ops.COS: casadi.cos,
    ops.TAN: casadi.tan,
    ops.ASIN: casadi.asin,
    ops.ACOS: casadi.acos,
    ops.ATAN: casadi.atan,
    ops.ATAN2: casadi.atan2,
    ops.SINH: casadi.sinh,
    ops.COSH: casadi.cosh,
    ops.TANH: casadi.tanh,
    ops.EXP: casadi.exp,
    ops.LOG: casadi.log,
    ops.ABS: casadi.fabs,
    ops.SIGN: casadi.sign,
    ops.MIN: casadi.fmin,
    ops.MAX: casadi.fmax,
    ops.FLOOR: casadi.floor,
    ops.LT: lambda a, b: a < b,
    ops.LE: lambda a, b: a <= b,
    ops.EQ: lambda a, b: a == b,
    ops.NE: lambda a, b: a != b,
    ops.WHERE: casadi.if_else,
}
OTHERS = frozenset((ops.CONST, ops.SYMBOL, ops.TABLE, ops.CALL))

assert all((o.code in WRITERS) != (o.code in OTHERS) for o in ops.OPS), "every operation is written in one way"

ZERO = ("t", "tau", "inputs")
"""The inputs that a call by name may leave out: they are 0."""

Groups = Sequence[tuple[str, Sequence[tuple[str, str]]]]
"""The inputs of a function: each by its name with its elements, as groups of the program and their elements."""


def program_to_casadi(
    program: Program, groups: Groups, values: Mapping[tuple[str, str], float], symbols: str = "SX"
) -> casadi.Function:
    """The program as a CasADi function of these groups, with the outputs of the program. The other elements of its
    groups have values. ``symbols`` are those of its expressions: "SX", or "MX" for a call of the former in them."""
    called = {f.description or f.name: None for code in program.blocks for f, _ in code.calls}
    if called:
        raise ArgumentError(
            f"{program.name}: CasADi needs expressions, and cannot differentiate Python functions ({listed(called)}):"
            " replace each by a text or a table"
        )
    inputs = [casadi.vertcat(*(casadi.SX.sym(name) for _, name in elements)) for _, elements in groups]
    known: dict[tuple[str, str], Any] = dict(values)
    for vector, (_, elements) in zip(inputs, groups, strict=True):
        known.update(zip(elements, casadi.vertsplit(vector), strict=True))
    run = _UnrolledInCasadi(program)
    for group in program.groups:
        run.memory[group.name] = [casadi.SX(known[group.name, name]) for name in group.elements]
    run.run()
    outputs = []
    for o in program.outputs:
        rows, columns = _matrix(o.shape)
        outputs.append(casadi.reshape(casadi.vertcat(*run.memory[o.name]), columns, rows).T)
    names, results = [name for name, _ in groups], [o.name for o in program.outputs]
    defaults = {"default_in": [0.0 if name in ZERO else float("nan") for name in names]}
    f = casadi.Function(program.name, inputs, outputs, names, results, defaults)
    if symbols == "SX":
        return f
    arguments = [casadi.MX.sym(name, len(elements)) for name, elements in groups]
    return casadi.Function(program.name, arguments, f.call(arguments), names, results, defaults)


def _matrix(shape: tuple[int, ...]) -> tuple[int, int]:
    """Rows and columns of an output; of one with more axes, rows of all its matrices one below the other."""
    if len(shape) < 2:
        return (shape[0] if shape else 1), 1
    rows = 1
    for size in shape[:-1]:
        rows *= size
    return rows, shape[-1]


class _UnrolledInCasadi(Unrolled):
    """A program run on CasADi's scalar expressions."""

    def number(self, value: Number) -> Any:
        return casadi.SX(float(value))

    def write(self, code: Code, i: Node, values: list[Any]) -> Any:
        arguments = [values[k] for k in operands(code, i)]
        if code.op[i] == ops.TABLE:
            return _table(code.tables[code.b[i]], arguments[0])
        return WRITERS[code.op[i]](*arguments)

    def guarded_inverse(self, pivot: Any, scale: Any) -> Any:
        return casadi.if_else(pivot < PIVOT_TOLERANCE * scale, 1 / pivot, 0)


def _table(table: Table, x: Any) -> Any:
    """The polynomial of the piece in which x is: first its coefficients are chosen, so that it is computed once."""
    chosen = list(
        zip(*([origin, *row] for origin, row in zip(table.origins, table.coefficients, strict=True)), strict=True)
    )
    origin, *coefficients = (_piece(x, table.breaks, column) for column in chosen)
    step, total = x - origin, casadi.SX(0)
    for c in reversed(coefficients):
        total = total * step + c
    return total


def _piece(x: Any, breaks: Sequence[float], column: Sequence[float]) -> Any:
    """column[k] for x from breaks[k − 1] to breaks[k], by halving."""
    if all(value == column[0] for value in column):
        return casadi.SX(column[0])
    half = len(breaks) // 2
    return casadi.if_else(
        x < breaks[half],
        _piece(x, breaks[:half], column[: half + 1]),
        _piece(x, breaks[half + 1 :], column[half + 1 :]),
    )
