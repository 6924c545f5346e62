"""A symmetric solve as loops in LLVM: full or sparse L D Lᵀ, of which ``program/ldl.py`` is the plan.

The factor is kept in a work buffer of its own. A full one has padded rows, so that for a single state the inner loops
go in whole vectors: what lies left of the pivot's column is multiplied by 0, what lies right of the diagonal is never
read.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import accumulate

from freebody.backends.llvm.ir import Writer, attributes, constant, define, global_integers, real
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


@dataclass
class _Solver(ABC):
    """What both kinds share: the writer, the number's type, and where things are kept (as pointer values)."""

    name: str
    solve: Solve
    w: Writer
    width: int
    vector: int

    def __post_init__(self) -> None:
        self.T, self.align = real(self.width), 8 * self.width
        self.globals: list[str] = []
        self.inverse = self.y = ""

    @abstractmethod
    def fill(self) -> None: ...
    @abstractmethod
    def factor(self) -> None: ...
    @abstractmethod
    def forward(self) -> None: ...
    @abstractmethod
    def backward(self) -> None: ...

    def table(self, what: str, values: list[int]) -> str:
        self.globals.append(global_integers(f"{self.name}.{what}", values or [0]))
        return f"@{self.name}.{what}"

    def integer(self, table: str, index: str) -> str:
        return self.w.load(table, index, "i64")

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

    def spread(self, size: int, places: list[int]) -> None:
        """A into the factor's places, the rest of it 0."""
        place = self.table("place", places)
        with self.w.loop(0, size) as k:
            self.put(constant(0.0, self.width), "%s", k)
        with self.w.loop(0, len(places)) as k:
            self.put(self.get("%a", k), "%s", self.integer(place, k))

    def combine(self, ratio: str, target: str, source: str) -> None:
        """Row ``target`` of y −= ratio · row ``source``."""
        m = self.solve.right_sides
        with self.w.loop(0, m) as j:
            self.reduce(self.y, self.index(target, m, j), ratio, self.get(self.y, self.index(source, m, j)))

    def gather(self, order: str, y: str) -> None:
        """y = b in the order of elimination."""
        n, m = self.solve.size, self.solve.right_sides
        with self.w.loop(0, n) as r, self.w.loop(0, m) as j:
            source = self.index(self.integer(order, r), m, j)
            self.put(self.get("%b", source), y, self.index(r, m, j))

    def scatter(self, order: str, y: str) -> None:
        """x back in the order of the unknowns."""
        n, m = self.solve.size, self.solve.right_sides
        with self.w.loop(0, n) as r, self.w.loop(0, m) as j:
            target = self.index(self.integer(order, r), m, j)
            self.put(self.get(y, self.index(r, m, j)), "%x", target)

    def scale(self, y: str, inverse: str) -> None:
        """y /= D"""
        n, m = self.solve.size, self.solve.right_sides
        with self.w.loop(0, n) as r:
            d = self.get(inverse, r)
            with self.w.loop(0, m) as j:
                k = self.index(r, m, j)
                self.put(self.multiply(self.get(y, k), d), y, k)


def solve(name: str, region: Solve, width: int, vector: int) -> str:
    """@name(A, b, x, scratch)."""
    s = (_Dense if region.plan.dense else _Sparse)(name, region, Writer(), width, vector)
    order = s.table("order", list(region.plan.order))
    s.fill()
    s.factor()
    s.gather(order, s.y)
    s.forward()
    s.scale(s.y, s.inverse)
    s.backward()
    s.scatter(order, s.y)
    signature = "ptr noalias %a, ptr noalias %b, ptr noalias %x, ptr noalias %s"
    lanes = width if width > 1 else vector
    text = define(f"internal void @{name}({signature})", s.w, f"noinline {attributes(lanes)}")
    return "\n".join([*s.globals, text])


class _Sparse(_Solver):
    """Right-looking over the columns of the plan; every position is looked up. Scratch: factor, 1/D, column, y."""

    def __post_init__(self) -> None:
        super().__post_init__()
        plan = self.solve.plan
        n, at, rank = plan.size, plan.position, {u: k for k, u in enumerate(plan.order)}
        self.places = [at[max(rank[i], rank[j]), min(rank[i], rank[j])] for i, j in self.solve.entries]
        self.rows = self.table("rows", [i for c in plan.columns for i in c])
        lengths = [len(c) for c in plan.columns]
        self.begin = self.table("begin", [n, *(n + k for k in accumulate(lengths))])
        self.first = self.table("first", [0, *accumulate(m * (m + 1) // 2 for m in lengths)])
        below = [at[i, j] for c in plan.columns for k, i in enumerate(c) for j in c[: k + 1]]
        self.below = self.table("below", below)
        starts = (plan.entries, plan.entries + n, plan.entries + 2 * n)
        self.inverse, self.column, self.y = (self.w.element("%s", k, self.T) for k in starts)

    def fill(self) -> None:
        self.spread(self.solve.plan.entries, self.places)

    def column_of(self, k: str) -> tuple[str, str]:
        """Where the entries below pivot k begin and end."""
        return self.integer(self.begin, k), self.integer(self.begin, self.index(k, 1))

    def factor(self) -> None:
        w = self.w
        with w.loop(0, self.solve.size) as k:
            d = self.invert(self.get("%s", k))
            self.put(d, self.inverse, k)
            start, end = self.column_of(k)
            base = self.integer(self.first, k)
            with w.loop(0, w.let(f"sub i64 {end}, {start}")) as a:
                self._reduce_row(a, self.index(a, start), base, d)

    def _reduce_row(self, a: str, here: str, base: str, d: str) -> None:
        """Entry a of the column: its ratio to the pivot, and its products with the entries before it."""
        entry = self.get("%s", here)
        self.put(entry, self.column, a)
        ratio = self.multiply(entry, d)
        self.put(ratio, "%s", here)
        row = self.index(self.w.let(f"lshr i64 {self.index(a, a, a)}, 1"), base)
        with self.w.loop(0, self.index(a, 1)) as b:
            self.reduce("%s", self.integer(self.below, self.index(row, b)), ratio, self.get(self.column, b))

    def forward(self) -> None:
        with self.w.loop(0, self.solve.size) as k:
            self._sweep(k, forward=True)

    def backward(self) -> None:
        with self.w.loop(self.solve.size - 1, -1, -1) as k:
            self._sweep(k, forward=False)

    def _sweep(self, k: str, forward: bool) -> None:
        with self.w.loop(*self.column_of(k)) as e:
            row = self.integer(self.rows, self.w.let(f"sub i64 {e}, {self.solve.size}"))
            self.combine(self.get("%s", e), *((row, k) if forward else (k, row)))


class _Dense(_Solver):
    """Right-looking on padded rows: row i of what is left −= (A[i,k]/D[k])·column k. Scratch: rows, column, 1/D, y."""

    def __post_init__(self) -> None:
        super().__post_init__()
        plan = self.solve.plan
        n, rank = plan.size, {u: k for k, u in enumerate(plan.order)}
        self.stride = _stride(n, self.width, self.vector)
        self.chunk = self.vector if self.width == 1 else 1
        self.places = [max(rank[i], rank[j]) * self.stride + min(rank[i], rank[j]) for i, j in self.solve.entries]
        self.column, self.inverse, self.y = (self.w.element("%s", (n + k) * self.stride, self.T) for k in range(3))

    def fill(self) -> None:
        self.spread((self.solve.size + 1) * self.stride, self.places)

    def at(self, i: str, k: str) -> str:
        return self.index(i, self.stride, k)

    def factor(self) -> None:
        w, n = self.w, self.solve.size
        with w.loop(0, n) as k:
            d = self.invert(self.get("%s", self.at(k, k)))
            self.put(d, self.inverse, k)
            self.put(constant(0.0, self.width), self.column, k)
            after = self.index(k, 1)
            with w.loop(after, n) as i:
                self.put(self.get("%s", self.at(i, k)), self.column, i)
            start = w.let(f"and i64 {after}, {-self.chunk}")
            with w.loop(after, n) as i:
                ratio = self.multiply(self.get(self.column, i), d)
                row = w.element("%s", w.let(f"mul i64 {i}, {self.stride}"), self.T)
                self._reduce_row(row, ratio, start, self.index(i, 1))
                self.put(ratio, row, k)

    def _reduce_row(self, row: str, ratio: str, start: str, end: str) -> None:
        """row −= ratio·column, in whole vectors."""
        w, lanes = self.w, self.vector if self.width == 1 else self.width
        V, align = real(lanes), 8 * lanes
        many = w.splat(ratio, self.vector) if self.width == 1 else ratio
        with w.loop(start, end, self.chunk) as j:
            spot = w.element(row, j, self.T)
            c = w.let(f"load {V}, ptr {w.element(self.column, j, self.T)}, align {align}")
            old = w.let(f"load {V}, ptr {spot}, align {align}")
            new = w.let(f"fsub contract {V} {old}, {w.let(f'fmul contract {V} {many}, {c}')}")
            w(f"store {V} {new}, ptr {spot}, align {align}")

    def forward(self) -> None:
        with self.w.loop(0, self.solve.size) as i, self.w.loop(0, i) as k:
            self.combine(self.get("%s", self.at(i, k)), i, k)

    def backward(self) -> None:
        with self.w.loop(self.solve.size - 1, -1, -1) as i, self.w.loop(0, i) as k:
            self.combine(self.get("%s", self.at(i, k)), k, i)
