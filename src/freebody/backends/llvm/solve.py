"""A symmetric solve as loops in LLVM: full or sparse L D Lᵀ, of which ``program/ldl.py`` is the plan.

The factor is kept in a work buffer of its own. A full one has padded rows, so that for a single state the inner loops
go in whole vectors: what lies left of the pivot's column is multiplied by 0, what lies right of the diagonal is never
read.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import accumulate

from freebody.backends.llvm.ir import IRWriter, attributes, constant, define, global_integers, real
from freebody.program.program import Solve


def scratch(solve: Solve, width: int, vector: int) -> int:
    """How many numbers the factor and its helpers take."""
    n = solve.size
    if not solve.plan.dense:
        return solve.plan.entries + n + n + n * solve.right_sides
    return (n + 2) * _stride(n, width, vector) + n * solve.right_sides


def _stride(n: int, width: int, vector: int) -> int:
    """A row's length: a multiple of the vector when a number has one lane."""
    step = vector if width == 1 else 1
    return -(-n // step) * step


def solve(name: str, region: Solve, width: int, vector: int) -> str:
    """@name(A, b, x, scratch)."""
    s = (_Dense if region.plan.dense else _Sparse)(name, region, width, vector)
    w, n, m = s.w, region.size, region.right_sides
    order, entries = s.table("order", region.plan.order), s.table("place", s.entries)
    with w.loop(0, s.filled) as k:
        s.put(constant(0.0, width), "%s", k)
    with w.loop(0, len(s.entries)) as k:
        s.put(s.get("%a", k), "%s", w.load(entries, k, "i64"))
    s.factor()
    with w.loop(0, n) as r, w.loop(0, m) as j:  # y = b in the order of elimination
        source = s.index(w.load(order, r, "i64"), m, j)
        s.put(s.get("%b", source), s.y, s.index(r, m, j))
    s.forward()
    with w.loop(0, n) as r:  # y /= D
        d = s.get(s.inverse, r)
        with w.loop(0, m) as j:
            k = s.index(r, m, j)
            s.put(s.multiply(s.get(s.y, k), d), s.y, k)
    s.backward()
    with w.loop(0, n) as r, w.loop(0, m) as j:  # x in the order of the unknowns
        target = s.index(w.load(order, r, "i64"), m, j)
        s.put(s.get(s.y, s.index(r, m, j)), "%x", target)
    signature = "ptr noalias %a, ptr noalias %b, ptr noalias %x, ptr noalias %s"
    text = define(f"internal void @{name}({signature})", w, f"noinline {attributes(width if width > 1 else vector)}")
    return "\n".join([*s.globals, text])


class _Solver(ABC):
    """What both kinds share. In the scratch %s: the factor of ``filled`` numbers, into which the ``entries`` of A go,
    pointers to 1/D (``inverse``), to a copy of the pivot's column (``column``), to the right-hand sides (``y``)."""

    entries: Sequence[int]
    filled: int
    inverse: str
    column: str
    y: str

    def __init__(self, name: str, solve: Solve, width: int, vector: int) -> None:
        self.name, self.solve, self.width, self.vector = name, solve, width, vector
        self.w, self.T, self.align = IRWriter(), real(width), 8 * width
        self.globals: list[str] = []
        rank = {unknown: k for k, unknown in enumerate(solve.plan.order)}
        self.lower = [(max(rank[i], rank[j]), min(rank[i], rank[j])) for i, j in solve.entries]

    @abstractmethod
    def factor(self) -> None: ...
    @abstractmethod
    def forward(self) -> None: ...
    @abstractmethod
    def backward(self) -> None: ...

    def table(self, what: str, values: Sequence[int]) -> str:
        self.globals.append(global_integers(f"{self.name}.{what}", values or [0]))
        return f"@{self.name}.{what}"

    def get(self, pointer: str, index: str | int) -> str:
        return self.w.load(pointer, index, self.T, self.align)

    def put(self, value: str, pointer: str, index: str | int) -> None:
        self.w.store(value, pointer, index, self.T, self.align)

    def multiply(self, a: str, b: str) -> str:
        return self.w.let(f"fmul contract {self.T} {a}, {b}")

    def reduce(self, pointer: str, index: str, a: str, b: str) -> None:
        """pointer[index] −= a·b"""
        old = self.get(pointer, index)
        self.put(self.w.let(f"fsub contract {self.T} {old}, {self.multiply(a, b)}"), pointer, index)

    def invert(self, pivot: str) -> str:
        return self.w.let(f"fdiv {self.T} {constant(1.0, self.width)}, {pivot}")

    def index(self, *terms: str | int) -> str:
        """a + b, or a·b + c, of integers."""
        *factors, last = terms
        first = str(factors[0]) if len(factors) == 1 else self.w.let(f"mul i64 {factors[0]}, {factors[1]}")
        return self.w.let(f"add i64 {first}, {last}")

    def combine(self, ratio: str, target: str, source: str) -> None:
        """Row ``target`` of y −= ratio · row ``source``."""
        m = self.solve.right_sides
        with self.w.loop(0, m) as j:
            self.reduce(self.y, self.index(target, m, j), ratio, self.get(self.y, self.index(source, m, j)))


class _Sparse(_Solver):
    """Right-looking over the columns of the plan; every position is looked up. Scratch: factor, 1/D, column, y."""

    def __init__(self, name: str, solve: Solve, width: int, vector: int) -> None:
        super().__init__(name, solve, width, vector)
        plan = solve.plan
        n, at, lengths = plan.size, plan.position, [len(c) for c in plan.columns]
        self.entries, self.filled = [at[entry] for entry in self.lower], plan.entries
        self.rows = self.table("rows", [i for c in plan.columns for i in c])
        self.begin = self.table("begin", list(accumulate(lengths, initial=n)))
        self.first = self.table("first", list(accumulate((m * (m + 1) // 2 for m in lengths), initial=0)))
        self.below = self.table("below", [at[i, j] for c in plan.columns for k, i in enumerate(c) for j in c[: k + 1]])
        starts = (plan.entries, plan.entries + n, plan.entries + 2 * n)
        self.inverse, self.column, self.y = (self.w.element("%s", k, self.T) for k in starts)

    def column_of(self, k: str) -> tuple[str, str]:
        """Where the entries below pivot k begin and end."""
        return self.w.load(self.begin, k, "i64"), self.w.load(self.begin, self.index(k, 1), "i64")

    def factor(self) -> None:
        """For entry a of a column: its ratio to the pivot, and its products with the entries before it."""
        w = self.w
        with w.loop(0, self.solve.size) as k:
            d = self.invert(self.get("%s", k))
            self.put(d, self.inverse, k)
            start, end = self.column_of(k)
            base = w.load(self.first, k, "i64")
            with w.loop(0, w.let(f"sub i64 {end}, {start}")) as a:
                here = self.index(a, start)
                entry = self.get("%s", here)
                self.put(entry, self.column, a)
                ratio = self.multiply(entry, d)
                self.put(ratio, "%s", here)
                row = self.index(w.let(f"lshr i64 {self.index(a, a, a)}, 1"), base)
                with w.loop(0, self.index(a, 1)) as b:
                    changed = w.load(self.below, self.index(row, b), "i64")
                    self.reduce("%s", changed, ratio, self.get(self.column, b))

    def forward(self) -> None:
        with self.w.loop(0, self.solve.size) as k:
            self._sweep(k, forward=True)

    def backward(self) -> None:
        with self.w.loop(self.solve.size - 1, -1, -1) as k:
            self._sweep(k, forward=False)

    def _sweep(self, k: str, forward: bool) -> None:
        with self.w.loop(*self.column_of(k)) as e:
            row = self.w.load(self.rows, self.w.let(f"sub i64 {e}, {self.solve.size}"), "i64")
            self.combine(self.get("%s", e), *((row, k) if forward else (k, row)))


class _Dense(_Solver):
    """Right-looking on padded rows: row i of what is left −= (A[i,k]/D[k])·column k. Scratch: rows, column, 1/D, y."""

    def __init__(self, name: str, solve: Solve, width: int, vector: int) -> None:
        super().__init__(name, solve, width, vector)
        self.stride = _stride(solve.size, width, vector)
        self.entries, self.filled = [i * self.stride + j for i, j in self.lower], (solve.size + 1) * self.stride
        starts = ((solve.size + k) * self.stride for k in range(3))
        self.column, self.inverse, self.y = (self.w.element("%s", start, self.T) for start in starts)

    def at(self, i: str, k: str) -> str:
        return self.index(i, self.stride, k)

    def factor(self) -> None:
        w, n, chunk = self.w, self.solve.size, self.vector if self.width == 1 else 1
        with w.loop(0, n) as k:
            d = self.invert(self.get("%s", self.at(k, k)))
            self.put(d, self.inverse, k)
            self.put(constant(0.0, self.width), self.column, k)
            after = self.index(k, 1)
            with w.loop(after, n) as i:
                self.put(self.get("%s", self.at(i, k)), self.column, i)
            start = w.let(f"and i64 {after}, {-chunk}")
            with w.loop(after, n) as i:
                ratio = self.multiply(self.get(self.column, i), d)
                row = w.element("%s", w.let(f"mul i64 {i}, {self.stride}"), self.T)
                self._reduce_row(row, ratio, start, self.index(i, 1), chunk)
                self.put(ratio, row, k)

    def _reduce_row(self, row: str, ratio: str, start: str, end: str, chunk: int) -> None:
        """row −= ratio·column, in whole vectors."""
        w, lanes = self.w, self.vector if self.width == 1 else self.width
        V, align = real(lanes), 8 * lanes
        ratios = w.splat(ratio, self.vector) if self.width == 1 else ratio
        with w.loop(start, end, chunk) as j:
            address = w.element(row, j, self.T)
            c = w.let(f"load {V}, ptr {w.element(self.column, j, self.T)}, align {align}")
            old = w.let(f"load {V}, ptr {address}, align {align}")
            new = w.let(f"fsub contract {V} {old}, {w.let(f'fmul contract {V} {ratios}, {c}')}")
            w(f"store {V} {new}, ptr {address}, align {align}")

    def forward(self) -> None:
        with self.w.loop(0, self.solve.size) as i, self.w.loop(0, i) as k:
            self.combine(self.get("%s", self.at(i, k)), i, k)

    def backward(self) -> None:
        with self.w.loop(self.solve.size - 1, -1, -1) as i, self.w.loop(0, i) as k:
            self.combine(self.get("%s", self.at(i, k)), k, i)
