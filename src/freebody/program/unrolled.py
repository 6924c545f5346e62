"""Programs run on the expressions of another library: scans are unrolled, solves become the steps of factorisations."""

from abc import ABC, abstractmethod
from typing import Any

from freebody.program.code import Address, Code
from freebody.program.program import Program, Scan, Solve
from freebody.scalar import ops
from freebody.scalar.node import Node, all_nodes
from freebody.scalar.numbers import Number
from freebody.scalar.walk import uses


class Unrolled(ABC):
    """The values of a program's buffers as expressions; ``run`` fills those of the outputs.

    ``memory`` holds the buffers by name. A subclass fills those of the input groups before it calls ``run``.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.memory: dict[str, list[Any]] = {b: [self.number(0)] * size for b, size in program.sizes.items()}
        for work in program.tables:
            self.memory[work.name] = [self.number(v) for v in work.values]

    @abstractmethod
    def number(self, value: Number) -> Any:
        """A constant."""

    @abstractmethod
    def write(self, code: Code, i: Node, values: list[Any]) -> Any:
        """An operation, from the values of its operands."""

    @abstractmethod
    def guarded_inverse(self, pivot: Any, scale: Any) -> Any:
        """1/D of a multiplier; 0 where its row depends on others (see ``program/ldl.py``)."""

    def keep(self, value: Any, label: str = "") -> Any:
        """What stands for a value that is used more than once."""
        return value

    def run(self) -> None:
        """All regions, in order."""
        for region in self.program.regions:
            if isinstance(region, Solve):
                self._solve(region)
            else:
                scan = region if isinstance(region, Scan) else None
                for step, kind in enumerate(scan.kinds if scan else (0,)):
                    self._code(region.codes[kind], scan, step)

    def _code(self, code: Code, scan: Scan | None, step: int) -> None:
        """One run of a code: every load before any store."""

        def index(address: Address) -> int:
            return address.offset + (scan.rows[address.row][step] if scan and address.row >= 0 else 0)

        used = uses(code, [s.value for s in code.stores])
        values: list[Any] = []
        for i, op in zip(all_nodes(code), code.op, strict=True):
            if op == ops.SYMBOL:
                address = code.loads[code.a[i]]
                values.append(self.memory[address.buffer][index(address)])
            elif op == ops.CONST:
                values.append(self.number(code.numbers[code.a[i]]))
            else:
                values.append(self.write(code, i, values))
                labels = code.labels.get(i, ())
                if labels or used.get(i, 0) > 1:
                    values[i] = self.keep(values[i], labels[0].name if labels else "")
        for store in code.stores:
            buffer, k = self.memory[store.to.buffer], index(store.to)
            buffer[k] = self.keep(buffer[k] + values[store.value] if store.add else values[store.value])

    def _solve(self, solve: Solve) -> None:
        """A = L D Lᵀ in the planned order, then both sweeps for each right-hand side."""
        plan, m = solve.plan, solve.right_sides
        rank = {unknown: k for k, unknown in enumerate(plan.order)}
        a = dict.fromkeys(plan.position, self.number(0))
        for (i, j), value in zip(solve.entries, self.memory[solve.matrix], strict=False):
            a[max(rank[i], rank[j]), min(rank[i], rank[j])] = value
        right = self.memory[solve.right]
        x = [[right[unknown * m + r] for r in range(m)] for unknown in plan.order]
        columns, inverse = plan.columns, list[Any]()
        scale = {rank[i]: a[rank[i], rank[i]] for i in plan.multipliers}
        for k, rows in enumerate(columns):
            below = {i: a[i, k] for i in rows}
            inverse.append(self.keep(self.guarded_inverse(a[k, k], scale[k])) if k in scale else 1 / a[k, k])
            for i in rows:
                a[i, k] = self.keep(below[i] * inverse[k])
                if i in scale and k not in scale:
                    scale[i] = self.keep(scale[i] - a[i, k] * below[i])
                for j in (j for j in rows if j <= i):
                    a[i, j] = self.keep(a[i, j] - a[i, k] * below[j])
                x[i] = [self.keep(p - a[i, k] * q) for p, q in zip(x[i], x[k], strict=True)]
        for k in reversed(range(len(columns))):
            for r, right_side in enumerate(x[k]):
                known = sum((a[i, k] * x[i][r] for i in columns[k]), start=self.number(0))
                x[k][r] = self.keep(right_side * inverse[k] - known)
        for k, unknown in enumerate(plan.order):
            self.memory[solve.result][unknown * m : (unknown + 1) * m] = x[k]
