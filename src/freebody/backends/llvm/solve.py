"""A symmetric solve as loops in LLVM: full or sparse L D Lᵀ, planned by ``program/ldl.py``.

The factor is kept in a work buffer of its own. A full one has padded rows, so that for a single state the inner loops
go in whole vectors: what lies left of the pivot's column is multiplied by 0, what lies right of the diagonal is never
read. Pivots of multipliers are guarded by a selection in each lane.
"""

from abc import abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from itertools import accumulate

from freebody.backends.llvm.build import Build, Value
from freebody.backends.llvm.ir import attributes, define, global_integers, real
from freebody.program.ldl import PIVOT_TOLERANCE
from freebody.program.program import Solve


def scratch(solve: Solve, width: int, vector: int) -> int:
    """How many numbers the factor and its helpers take."""
    n = solve.size
    if not solve.plan.dense:
        return solve.plan.storage + n + n + n * solve.right_sides
    return (n + 2) * _stride(n, width, vector) + n * solve.right_sides


def _stride(n: int, width: int, vector: int) -> int:
    """A row's length: a multiple of the vector when a number has one lane."""
    step = vector if width == 1 else 1
    return -(-n // step) * step


def solve(name: str, region: Solve, width: int, vector: int) -> str:
    """@name(A, b, x, scratch)."""
    s = (_Dense if region.plan.dense else _Sparse)(name, region, width, vector)
    n, m, T, y, factor = region.size, region.right_sides, s.T, s.y, s["s"]
    order, entries = s.table("order", region.plan.order), s.table("place", s.entries)
    with s.loop(0, s.filled) as k:
        factor.store(s.value(0.0, T), k)
    with s.loop(0, len(s.entries)) as k:
        entry = s["a"].load(k, T)
        factor.store(entry, entries.load(k, "i64"))
    s.factor()
    with s.loop(0, n) as r, s.loop(0, m) as j:  # y = b in the order of elimination
        right = s["b"].load(order.load(r, "i64") * m + j, T)
        y.store(right, r * m + j)
    s.sweep(forward=True)
    with s.loop(0, n) as r:  # y /= D
        d = s.inverse.load(r, T)
        with s.loop(0, m) as j:
            k = r * m + j
            y.store(y.load(k, T) * d, k)
    s.sweep(forward=False)
    with s.loop(0, n) as r, s.loop(0, m) as j:  # x in the order of the unknowns
        target = order.load(r, "i64") * m + j
        s["x"].store(y.load(r * m + j, T), target)
    signature = "ptr noalias %a, ptr noalias %b, ptr noalias %x, ptr noalias %s"
    text = define(f"internal void @{name}({signature})", s.w, f"noinline {attributes(width if width > 1 else vector)}")
    return "\n".join([*s.globals, text])


class _Solver(Build):
    """What both kinds share. In the scratch %s: the factor of ``filled`` numbers, into which the ``entries`` of A go,
    pointers to 1/D (``inverse``), to a copy of the pivot's column (``column``), to the right-hand sides (``y``)."""

    entries: Sequence[int]
    filled: int
    inverse: Value
    column: Value
    y: Value

    def __init__(self, name: str, solve: Solve, width: int, vector: int) -> None:
        super().__init__(name, "void", dict.fromkeys(("a", "b", "x", "s"), "ptr"), width=width)
        self.solve, self.vector, self.T = solve, vector, real(width)
        self.globals: list[str] = []

    @abstractmethod
    def factor(self) -> None: ...
    @abstractmethod
    def sweep(self, forward: bool) -> None:
        """Substitute the solved unknowns of y in the others, forward or backward."""

    def table(self, what: str, values: Sequence[int]) -> Value:
        self.globals.append(global_integers(f"{self.name}.{what}", values or [0]))
        return Value(self, "ptr", f"@{self.name}.{what}")

    def unknowns(self, forward: bool) -> AbstractContextManager[Value]:
        n = self.solve.size
        return self.loop(0, n) if forward else self.loop(n - 1, -1, -1)

    def guarded(self, pivot: Value, scale: Value) -> Value:
        """1/pivot of a multiplier, 0 where the row depends on others (see ``program/ldl.py``)."""
        return self.select(pivot >= scale * PIVOT_TOLERANCE, self.value(0.0, self.T), 1.0 / pivot)

    def combine(self, ratio: Value, target: Value, source: Value) -> None:
        """Row ``target`` of y −= ratio · row ``source``."""
        m, y = self.solve.right_sides, self.y
        with self.loop(0, m) as j:
            k = target * m + j
            known = y.load(source * m + j, self.T)
            y.store(y.load(k, self.T) - ratio * known, k)


class _Sparse(_Solver):
    """Right-looking over the columns of the plan; every position is looked up. Scratch: factor, 1/D, column, y."""

    def __init__(self, name: str, solve: Solve, width: int, vector: int) -> None:
        super().__init__(name, solve, width, vector)
        plan = solve.plan
        n, lengths = plan.size, [len(c) for c in plan.columns]
        self.entries, self.filled = [plan.position[entry] for entry in plan.lower(solve.entries)], plan.storage
        self.rows = self.table("rows", [i for c in plan.columns for i in c])
        self.begin = self.table("begin", list(accumulate(lengths, initial=n)))
        self.first = self.table("first", list(accumulate((m * (m + 1) // 2 for m in lengths), initial=0)))
        self.below = self.table("below", plan.updates)
        self.guards = self.table("guards", plan.guards) if plan.multipliers else None
        self.inverse, self.column, self.y = (self["s"].at(self.filled + k * n, self.T) for k in range(3))

    def column_of(self, k: Value) -> tuple[Value, Value]:
        """Where the entries below pivot k begin and end."""
        return self.begin.load(k, "i64"), self.begin.load(k + 1, "i64")

    def factor(self) -> None:
        """For entry a of a column: its ratio to the pivot, and its products with the entries before it."""
        factor, T = self["s"], self.T
        with self.unknowns(forward=True) as k:
            d = self.pivot(k)
            self.inverse.store(d, k)
            start, end = self.column_of(k)
            base = self.first.load(k, "i64")
            with self.loop(0, end - start) as a:
                here = a + start
                entry = factor.load(here, T)
                self.column.store(entry, a)
                ratio = entry * d
                factor.store(ratio, here)
                row = self.let("i64", f"lshr {a * a + a}, 1") + base
                with self.loop(0, a + 1) as b:
                    changed = self.below.load(row + b, "i64")
                    known = self.column.load(b, T)
                    factor.store(factor.load(changed, T) - ratio * known, changed)

    def pivot(self, k: Value) -> Value:
        """1/D of the k-th unknown. A multiplier's diagonal is what the speeds make of it, the rest is stored apart."""
        known = self["s"].load(k, self.T)
        if self.guards is None:
            return 1.0 / known
        at = self.guards.load(k, "i64")
        rest = self["s"].load(at, self.T)
        return self.select(at.eq(0), 1.0 / known, self.guarded(known + rest, known))

    def sweep(self, forward: bool) -> None:
        with self.unknowns(forward) as k, self.loop(*self.column_of(k)) as e:
            row = self.rows.load(e - self.solve.size, "i64")
            ratio = self["s"].load(e, self.T)
            self.combine(ratio, *((row, k) if forward else (k, row)))


class _Dense(_Solver):
    """Right-looking on padded rows: row i of what is left −= (A[i,k]/D[k])·column k. Scratch: rows, column, 1/D, y."""

    def __init__(self, name: str, solve: Solve, width: int, vector: int) -> None:
        super().__init__(name, solve, width, vector)
        n, self.stride = solve.size, _stride(solve.size, width, vector)
        self.entries = [i * self.stride + j for i, j in solve.plan.lower(solve.entries)]
        self.filled = (n + 1) * self.stride
        self.column, self.inverse, self.y = (self["s"].at((n + k) * self.stride, self.T) for k in range(3))

    def factor(self) -> None:
        n, T = self.solve.size, self.T
        speeds = n - len(self.solve.multipliers)
        self.eliminate(0, speeds, guard=False)
        if speeds < n:
            with self.loop(speeds, n) as k:  # what the speeds alone make of the pivots, until these are known
                self.inverse.store(self["s"].load(k * self.stride + k, T), k)
            self.eliminate(speeds, n, guard=True)

    def eliminate(self, first: int, last: int, guard: bool) -> None:
        """The unknowns first, …, last − 1; multipliers, which are guarded, come after the speeds."""
        factor, n, T = self["s"], self.solve.size, self.T
        step, lanes = (self.vector, self.vector) if self.width == 1 else (1, self.width)
        with self.loop(first, last) as k:
            pivot = factor.load(k * self.stride + k, T)
            d = self.guarded(pivot, self.inverse.load(k, T)) if guard else 1.0 / pivot
            self.inverse.store(d, k)
            self.column.store(self.value(0.0, T), k)
            after = k + 1
            with self.loop(after, n) as i:
                self.column.store(factor.load(i * self.stride + k, T), i)
            start = after & -step
            with self.loop(after, n) as i:
                ratio = self.column.load(i, T) * d
                row, end = factor.at(i * self.stride, T), i + 1
                ratios = self.value(ratio, real(lanes))
                with self.loop(start, end, step) as j:  # row −= ratio·column, in whole vectors
                    part = row.at(j, T)
                    known = self.column.at(j, T).load(0, real(lanes))
                    part.store(part.load(0, real(lanes)) - ratios * known)
                row.store(ratio, k)

    def sweep(self, forward: bool) -> None:
        with self.unknowns(forward) as i, self.loop(0, i) as k:
            ratio = self["s"].load(i * self.stride + k, self.T)
            self.combine(ratio, *((i, k) if forward else (k, i)))
