"""Programs to SymPy."""

from collections.abc import Sequence
from typing import Any

import sympy

from freebody.printing.addresses import AddressNames
from freebody.printing.sympy.write import number, write
from freebody.program.code import Address, Code
from freebody.program.ldl import Entry
from freebody.program.program import Program, Scan, Solve
from freebody.scalar import ops
from freebody.scalar.notation import short
from freebody.scalar.printing import Names
from freebody.scalar.walk import uses

Replacements = list[tuple[Any, Any]]  # symbols and their values


def program_to_sympy(program: Program) -> tuple[Replacements, dict[str, Any]]:
    """All of a program as SymPy's cse() would give it: replacements in order, and outputs by name in terms of them.

    Scans are unrolled; a solve becomes the steps of its factorisation. Vectors and matrices are SymPy's. Fractions are
    exact; floats that are short fractions are written as these, as in listings.
    """
    run = _Unrolled(program)
    for region in program.regions:
        if isinstance(region, Solve):
            run.solve(region)
        else:
            scan = region if isinstance(region, Scan) else None
            for step, kind in enumerate(scan.kinds if scan else (0,)):
                run.code(region.codes[kind], scan, step)
    return run.replacements, {o.name: _shaped(run.memory[o.name], o.shape) for o in program.outputs}


def _shaped(values: list[Any], shape: tuple[int, ...]) -> Any:
    if len(shape) in (1, 2):
        return sympy.ImmutableMatrix(shape[0], shape[1] if len(shape) == 2 else 1, values)
    return sympy.ImmutableDenseNDimArray(values, shape) if shape else values[0]


class _Unrolled:
    """A program run on SymPy expressions; what is used again becomes a replacement."""

    def __init__(self, program: Program) -> None:
        places = AddressNames(program)
        self.names = Names(labels=(x[0].name for code in program.blocks for x in code.labels.values()))
        self.memory: dict[str, list[Any]] = {b: [sympy.S.Zero] * size for b, size in program.sizes.items()}
        for group, names in places.elements.items():
            self.memory[group] = [sympy.Symbol(self.names.leaf(name), real=True) for name in names]
        for work in program.tables:
            self.memory[work.name] = [number(short(v)) for v in work.values]
        self.replacements: Replacements = []

    def keep(self, value: Any, label: str = "") -> Any:
        """A symbol for the value; names, numbers and their negatives stay as they are."""
        if value.is_Atom or (-value).is_Atom:
            return value
        symbol = sympy.Symbol(self.names.take(label) if label else self.names.next(), real=True)
        self.replacements.append((symbol, value))
        return symbol

    def code(self, code: Code, scan: Scan | None, step: int) -> None:
        """One run of a code: every load before any store."""

        def place(address: Address) -> int:
            return address.offset + (scan.rows[address.row][step] if scan and address.row >= 0 else 0)

        used = uses(code, [s.value for s in code.stores])
        values: list[Any] = []
        for i, op in enumerate(code.op):
            if op == ops.SYMBOL:
                address = code.loads[code.a[i]]
                values.append(self.memory[address.buffer][place(address)])
            else:
                values.append(number(short(code.numbers[code.a[i]])) if op == ops.CONST else write(code, i, values))
                labels = code.labels.get(i, ())
                if labels or used.get(i, 0) > 1:
                    values[i] = self.keep(values[i], labels[0].name if labels else "")
        for store in code.stores:
            buffer, k = self.memory[store.to.buffer], place(store.to)
            buffer[k] = self.keep(buffer[k] + values[store.value] if store.add else values[store.value])

    def solve(self, solve: Solve) -> None:
        """A = L D Lᵀ in the planned order, then both sweeps for each right-hand side."""
        plan, m = solve.plan, solve.right_sides
        rank = {unknown: k for k, unknown in enumerate(plan.order)}
        a = dict.fromkeys(plan.position, sympy.S.Zero)
        for (i, j), value in zip(solve.entries, self.memory[solve.matrix], strict=False):
            a[max(rank[i], rank[j]), min(rank[i], rank[j])] = value
        right = self.memory[solve.right]
        x = [[right[unknown * m + r] for r in range(m)] for unknown in plan.order]
        self._factor(plan.columns, a, x)
        for k, unknown in enumerate(plan.order):
            self.memory[solve.result][unknown * m : (unknown + 1) * m] = x[k]

    def _factor(self, columns: Sequence[Sequence[int]], a: dict[Entry, Any], x: list[list[Any]]) -> None:
        for k, rows in enumerate(columns):
            below = {i: a[i, k] for i in rows}
            for i in rows:
                a[i, k] = self.keep(below[i] / a[k, k])
                for j in (j for j in rows if j <= i):
                    a[i, j] = self.keep(a[i, j] - a[i, k] * below[j])
                x[i] = [self.keep(p - a[i, k] * q) for p, q in zip(x[i], x[k], strict=True)]
        for k in reversed(range(len(columns))):
            for r, right in enumerate(x[k]):
                known = sympy.Add(*(a[i, k] * x[i][r] for i in columns[k]))
                x[k][r] = self.keep(right / a[k, k] - known)
