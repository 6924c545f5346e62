"""The reference evaluator that all backends are compared with; it also computes bounds on rounding errors.

Each value comes with a bound on the rounding error that any correct backend may have made on the way to it (other
order of rounding, fused multiply-add, a library's last digits): each argument is moved by its bound to both sides and
the operation evaluated again. Near a jump (floor, comparison, ``where``) the bound covers both sides of it.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.errors import ArgumentError
from freebody.program.code import Address, Code
from freebody.program.ldl import PIVOT_TOLERANCE
from freebody.program.program import Program, Scan, Solve
from freebody.scalar.node import all_nodes
from freebody.scalar.ops import ADD, CONST, DIV, MUL, NEG, SQRT, SUB, SYMBOL, TABLE, VALUES, WHERE
from freebody.scalar.walk import operands

ROUNDING = 2.0**-53
LIBRARY = 8 * ROUNDING  # what a sine or a power may be off by, relative
LOST = 1e-3  # an argument known no better than this says nothing about a sine
EXACT = frozenset((ADD, SUB, MUL, DIV, SQRT))

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Evaluation:
    """Outputs by name, and by how much each may be off for rounding alone."""

    values: dict[str, Array]
    bounds: dict[str, Array]


def evaluate(program: Program, inputs: Mapping[str, ArrayLike]) -> Evaluation:
    """The program's outputs for one set of inputs, with their rounding bounds."""
    memory = Evaluation(
        {name: np.full(size, math.nan) for name, size in program.sizes.items()},
        {name: np.zeros(size) for name, size in program.sizes.items()},
    )
    for work in program.work:
        if work.zeroed or work.table:
            memory.values[work.name][:] = work.values or 0.0
    for group in program.groups:
        context, size = f"{program.name}: input group '{group.name}'", group.size
        if group.name not in inputs and size:
            raise ArgumentError(f"{context} ({size} numbers) is missing")
        numbers = np.asarray(inputs.get(group.name, ()), dtype=float).reshape(-1)
        if len(numbers) != size:
            raise ArgumentError(f"{context} has {len(numbers)} numbers, {size} are expected")
        memory.values[group.name][:] = numbers
    for region in program.regions:
        if isinstance(region, Solve):
            _solve(region, memory)
        elif isinstance(region, Scan):
            for step, kind in enumerate(region.kinds):
                _run(region.codes[kind], memory, region, step)
        else:
            _run(region.code, memory)
    both = (memory.values, memory.bounds)
    return Evaluation(*({o.key: buffers[o.name].reshape(o.shape) for o in program.outputs} for buffers in both))


def _run(code: Code, memory: Evaluation, scan: Scan | None = None, step: int = 0) -> None:
    def index(address: Address) -> int:
        return address.offset + (scan.rows[address.row][step] if scan is not None and address.row >= 0 else 0)

    v = [0.0] * len(code)
    e = [0.0] * len(code)
    for i, op in zip(all_nodes(code), code.op, strict=True):
        if op == CONST:
            v[i] = float(code.numbers[code.a[i]])
        elif op == SYMBOL:
            buffer, k = code.loads[code.a[i]].buffer, index(code.loads[code.a[i]])
            v[i], e[i] = float(memory.values[buffer][k]), float(memory.bounds[buffer][k])
        else:
            at, f = operands(code, i), VALUES.get(op)
            if f is None:
                f = code.tables[code.b[i]].value if op == TABLE else code.calls[code.a[i]][0].function
            v[i], e[i] = _apply(f, op, [v[k] for k in at], [e[k] for k in at])
    for store in code.stores:
        values, bounds, k = memory.values[store.to.buffer], memory.bounds[store.to.buffer], index(store.to)
        old, slack = (values[k], bounds[k]) if store.add else (0.0, 0.0)
        values[k] = old + v[store.value]
        bounds[k] = slack + e[store.value] + (ROUNDING * abs(values[k]) if store.add else 0.0)


def _apply(f: Callable[..., float], op: int, x: list[float], e: list[float]) -> tuple[float, float]:
    """f(x) and its bound: how far f moves when each argument moves by its own bound, plus f's own rounding."""
    value = float(f(*x))
    bound = 0.0 if op == NEG else (ROUNDING if op in EXACT else LIBRARY) * abs(value)
    for k, error in enumerate(e):
        branch = op == WHERE and k > 0  # one that is not taken may be known to no digit
        if error > LOST * (1 + abs(x[k])) and op not in EXACT and not branch:
            return value, math.inf
        if error:
            moved = [float(f(*x[:k], x[k] + d, *x[k + 1 :])) for d in (-error, error)]
            changes = [0.0 if m == value or (m != m and value != value) else abs(value - m) for m in moved]
            bound += max(math.inf if math.isnan(change) else change for change in changes)
    return value, bound


def _solve(solve: Solve, memory: Evaluation) -> None:
    """x = A⁻¹b by LU with pivoting; the bound is |A⁻¹|(|δA||x| + |δb|) plus the factorisation's own rounding.
    Multipliers of dependent rows are 0, and the system is solved without them. With multipliers L D Lᵀ may have larger
    terms than A, and rounds these."""
    n, m = solve.size, solve.right_sides
    A, dA = np.zeros((n, n)), np.zeros((n, n))
    for full, entries in ((A, memory.values[solve.matrix]), (dA, memory.bounds[solve.matrix])):
        for k, (i, j) in enumerate(solve.entries):
            full[i, j] = full[j, i] = entries[k]
    b, db = (buffers[solve.right][: n * m].reshape(n, m) for buffers in (memory.values, memory.bounds))
    x, inverse = np.zeros_like(b), np.zeros_like(A)
    try:
        kept = _independent(solve, A)
        block = np.ix_(kept, kept)
        x[kept], inverse[block] = np.linalg.solve(A[block], b[kept]), np.linalg.inv(A[block])
        terms = _terms(A, [k for k in solve.plan.order if k in kept]) if solve.multipliers else np.abs(A)
    except np.linalg.LinAlgError:
        x, inverse, terms = np.full_like(b, math.nan), np.full_like(A, math.inf), np.abs(A)
    rounding = 4 * n * ROUNDING * terms
    bound = np.abs(inverse) @ ((dA + rounding) @ np.abs(x) + db) + 4 * ROUNDING * np.abs(x)
    memory.values[solve.result][: n * m] = x.reshape(-1)
    memory.bounds[solve.result][: n * m] = np.nan_to_num(bound, nan=math.inf).reshape(-1)


def _independent(solve: Solve, A: Array) -> list[int]:
    """The unknowns without the multipliers whose rows depend on those of multipliers eliminated before: what is left of
    a row G, orthogonal to these in the metric M⁻¹, is nothing compared with G."""
    kept = [k for k in range(solve.size) if k not in solve.multipliers]
    if not solve.multipliers:
        return kept
    if np.isnan(A).any():
        raise np.linalg.LinAlgError("LAPACK skips zeros, so that NaN would not reach every unknown")
    rows = [k for k in solve.plan.order if k in solve.multipliers]
    G = A[np.ix_(rows, kept)]
    S, chosen = G @ np.linalg.solve(A[np.ix_(kept, kept)], G.T) - A[np.ix_(rows, rows)], list[int]()
    for k in range(len(rows)):
        left = S[k, k] - S[k, chosen] @ np.linalg.solve(S[np.ix_(chosen, chosen)], S[chosen, k])
        if not left <= PIVOT_TOLERANCE * S[k, k]:
            chosen.append(k)
    return [*kept, *(rows[k] for k in chosen)]


def _terms(A: Array, order: list[int]) -> Array:
    """|L||D||Lᵀ| of A, eliminated in this order."""
    left, total = A.copy(), np.zeros_like(A)
    for k in order:
        with np.errstate(all="ignore"):
            term = np.outer(left[k], left[k]) / left[k, k]
        left, total = left - term, total + np.abs(term)
        left[k] = left[:, k] = 0
    return total
