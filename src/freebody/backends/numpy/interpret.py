"""A program on arrays without source: its operations one by one, for programs that are called a few times."""

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.backends.numpy import helpers
from freebody.program.code import Address, Code
from freebody.program.ldl import PIVOT_TOLERANCE
from freebody.program.program import Program, Scan, Solve
from freebody.scalar import ops
from freebody.scalar.functions import Callback

LARGE = 100
"""Unknowns of a sparse solve above which it is not treated as full."""

FUNCTIONS = {
    "pow": "power", "sqrt": "sqrt", "sin": "sin", "cos": "cos", "tan": "tan", "asin": "arcsin", "acos": "arccos",
    "atan": "arctan", "atan2": "arctan2", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "exp": "exp", "log": "log",
    "abs": "absolute", "sign": "sign", "min": "minimum", "max": "maximum", "floor": "floor", "lt": "less",
    "le": "less_equal", "eq": "equal", "ne": "not_equal", "where": "choose",
}  # fmt: skip
"""What computes an operation: a function of ``helpers`` or else of NumPy."""

OPERATIONS: dict[int, Callable[..., Any]] = {
    ops.ADD: operator.add, ops.SUB: operator.sub, ops.MUL: operator.mul, ops.DIV: operator.truediv,
    ops.NEG: operator.neg,
}  # fmt: skip
OPERATIONS |= {ops.BY_NAME[op].code: getattr(helpers, f, None) or getattr(np, f) for op, f in FUNCTIONS.items()}
assert {*OPERATIONS, ops.CONST, ops.SYMBOL, ops.TABLE, ops.CALL} == {o.code for o in ops.OPS}, "every operation"

Memory = dict[str, list[Any]]


def interpret(
    program: Program, inputs: Sequence[NDArray[np.float64]], functions: Mapping[Callback, Callable[..., Any]]
) -> list[list[Any]]:
    """The elements of each output; those of inputs are numbers, or arrays over the states. The operations, and their
    order, are those of the source that ``emit`` writes."""
    memory: Memory = {group.name: list(values) for group, values in zip(program.groups, inputs, strict=True)}
    memory |= {output.name: [None] * output.size for output in program.outputs}
    for work in program.work:
        first = np.float64(0.0) if work.zeroed else None
        memory[work.name] = list(np.array(work.values)) if work.table else [first] * work.size
    for region in program.regions:
        if isinstance(region, Solve):
            solver, arguments = solve_call(region)
            n, m = region.size, region.right_sides
            matrix, right = memory[region.matrix][: len(region.entries)], memory[region.right][: n * m]
            memory[region.result][: n * m] = getattr(helpers, solver)(*arguments, matrix, right, PIVOT_TOLERANCE)
            continue
        constants = [[np.float64(x) for x in code.numbers] for code in region.codes]
        tables = [[table_function(t) for t in code.tables] for code in region.codes]
        steps = enumerate(region.kinds) if isinstance(region, Scan) else [(0, 0)]
        rows = region.rows if isinstance(region, Scan) else ()
        for step, kind in steps:
            starts = [row[step] for row in rows]
            run_code(region.codes[kind], constants[kind], tables[kind], functions, memory, starts)
    return [memory[output.name] for output in program.outputs]


def run_code(
    code: Code,
    constants: Sequence[Any],
    tables: Sequence[Callable[[Any], Any]],
    functions: Mapping[Callback, Callable[..., Any]],
    memory: Memory,
    starts: Sequence[int],
) -> None:
    """One code, at a step of a scan whose indices are ``starts``."""

    def index(address: Address) -> int:
        return address.offset + (starts[address.row] if address.row >= 0 else 0)

    values: list[Any] = []
    push, mul, add, sub, symbol, const = values.append, ops.MUL, ops.ADD, ops.SUB, ops.SYMBOL, ops.CONST
    for op, a, b, c in zip(code.op, code.a, code.b, code.c, strict=True):
        if op == mul:
            push(values[a] * values[b])
        elif op == add:
            push(values[a] + values[b])
        elif op == sub:
            push(values[a] - values[b])
        elif op == symbol:
            push(memory[code.loads[a].buffer][index(code.loads[a])])
        elif op == const:
            push(constants[a])
        elif op == ops.TABLE:
            push(tables[b](values[a]))
        elif op == ops.CALL:
            function, arguments = code.calls[a]
            push(functions[function](*(values[k] for k in arguments)))
        else:
            push(OPERATIONS[op](*(values[k] for k in (a, b, c)[: ops.ARITY[op]])))
    for store in code.stores:
        buffer, k = memory[store.to.buffer], index(store.to)
        buffer[k] = buffer[k] + values[store.value] if store.add else values[store.value]


def solve_call(region: Solve) -> tuple[str, tuple[Any, ...]]:
    """The function of ``helpers`` that computes a solve, and its arguments before matrix, right side and tolerance."""
    plan, multipliers = region.plan, tuple(k for k in region.plan.order if k in region.multipliers)
    if region.size > LARGE and not plan.dense:
        place = [plan.position[entry] for entry in plan.lower(region.entries)]
        return "sparse", (plan.order, place, plan.columns, plan.updates, plan.guards, region.right_sides)
    return "solve", (region.entries, region.size, region.right_sides, multipliers)


def table_function(table: Any) -> Callable[[Any], Any]:
    """A table as a function of arrays."""
    rows = [np.array(row) for row in zip(*table.coefficients, strict=True)]
    return partial(helpers.curve, np.array(table.breaks), np.array(table.origins), rows)
