"""A symmetric solve as loops in LLVM: full or sparse L D Lᵀ, of which ``scalar/ldl.py`` is the plan.

The factor is kept in a work buffer of its own. A full one has padded rows, so that with one number per lane-less
value the inner loops go in whole vectors: what lies left of the pivot's column is multiplied by 0, what lies right of
the diagonal is never read.
"""

from dataclasses import dataclass

from freebody.backends.llvm.ir import Writer, attributes, constant, define, global_integers, real
from freebody.scalar.program import Solve


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
class _Solver:
    """What both kinds share: the writer, the number's type, and where things are kept (as pointer values)."""

    name: str
    solve: Solve
    w: Writer
    width: int
    vector: int

    def __post_init__(self) -> None:
        self.T, self.align = real(self.width), 8 * self.width
        self.globals: list[str] = []

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
    s = _Solver(name, region, Writer(), width, vector)
    (_dense if region.plan.dense else _sparse)(s)
    signature = "ptr noalias %a, ptr noalias %b, ptr noalias %x, ptr noalias %s"
    lanes = width if width > 1 else vector
    text = define(f"internal void @{name}({signature})", s.w, f"noinline {attributes(lanes)}")
    return "\n".join([*s.globals, text])


def _sparse(s: _Solver) -> None:
    """Right-looking over the columns of the plan; every position is looked up."""
    plan, w = s.solve.plan, s.w
    n, m = plan.size, s.solve.right_sides
    at, rank = plan.position, {u: k for k, u in enumerate(plan.order)}
    places = [at[max(rank[i], rank[j]), min(rank[i], rank[j])] for i, j in s.solve.entries]
    updates = [at[i, j] for rows in plan.columns for b, i in enumerate(rows) for j in rows[: b + 1]]
    order, place = s.table("order", list(plan.order)), s.table("place", places)
    rows, update = s.table("rows", [i for c in plan.columns for i in c]), s.table("update", updates)
    first = [n]
    starts = [0]
    for c in plan.columns:
        first.append(first[-1] + len(c))
        starts.append(starts[-1] + len(c) * (len(c) + 1) // 2)
    begin, where = s.table("begin", first), s.table("where", starts)
    inverse, column, y = (w.element("%s", k, s.T) for k in (plan.entries, plan.entries + n, plan.entries + 2 * n))
    with w.loop(0, plan.entries) as k:
        s.put(constant(0.0, s.width), "%s", k)
    with w.loop(0, len(places)) as k:
        s.put(s.get("%a", k), "%s", s.integer(place, k))
    with w.loop(0, n) as k:
        d = s.invert(s.get("%s", k))
        s.put(d, inverse, k)
        start, end = s.integer(begin, k), s.integer(begin, s.index(k, 1))
        count = w.let(f"sub i64 {end}, {start}")
        with w.loop(0, count) as a:
            here = s.index(a, start)
            c = s.get("%s", here)
            s.put(c, column, a)
            ratio = s.multiply(c, d)
            s.put(ratio, "%s", here)
            base = s.index(w.let(f"lshr i64 {s.index(a, a, a)}, 1"), s.integer(where, k))
            with w.loop(0, s.index(a, 1)) as b:
                s.reduce("%s", s.integer(update, s.index(base, b)), ratio, s.get(column, b))
    s.gather(order, y)
    for forward in (True, False):
        if not forward:
            s.scale(y, inverse)
        with w.loop(0 if forward else n - 1, n if forward else -1, 1 if forward else -1) as k:
            with w.loop(s.integer(begin, k), s.integer(begin, s.index(k, 1))) as e:
                row, ratio = s.integer(rows, w.let(f"sub i64 {e}, {n}")), s.get("%s", e)
                target, source = (row, k) if forward else (k, row)
                with w.loop(0, m) as j:
                    s.reduce(y, s.index(target, m, j), ratio, s.get(y, s.index(source, m, j)))
    s.scatter(order, y)


def _dense(s: _Solver) -> None:
    """Right-looking on padded rows: row i of the trailing part −= (A[i,k]/D[k])·column k."""
    plan, w = s.solve.plan, s.w
    n, m = plan.size, s.solve.right_sides
    chunk = s.vector if s.width == 1 else 1
    V, align = (real(s.vector), 8 * s.vector) if s.width == 1 else (s.T, s.align)
    stride, rank = _stride(n, s.width, s.vector), {u: k for k, u in enumerate(plan.order)}
    places = [max(rank[i], rank[j]) * stride + min(rank[i], rank[j]) for i, j in s.solve.entries]
    order, place = s.table("order", list(plan.order)), s.table("place", places)
    column, inverse, y = (w.element("%s", k * stride, s.T) for k in (n, n + 1, n + 2))
    with w.loop(0, (n + 1) * stride) as k:
        s.put(constant(0.0, s.width), "%s", k)
    with w.loop(0, len(places)) as k:
        s.put(s.get("%a", k), "%s", s.integer(place, k))
    with w.loop(0, n) as k:
        d = s.invert(s.get("%s", s.index(k, stride, k)))
        s.put(d, inverse, k)
        s.put(constant(0.0, s.width), column, k)
        after = s.index(k, 1)
        with w.loop(after, n) as i:
            s.put(s.get("%s", s.index(i, stride, k)), column, i)
        aligned = w.let(f"and i64 {after}, {-chunk}")
        with w.loop(after, n) as i:
            ratio = s.multiply(s.get(column, i), d)
            many = w.splat(ratio, s.vector) if s.width == 1 else ratio
            row = w.element("%s", w.let(f"mul i64 {i}, {stride}"), s.T)
            with w.loop(aligned, s.index(i, 1), chunk) as j:
                c = w.let(f"load {V}, ptr {w.element(column, j, s.T)}, align {align}")
                spot = w.element(row, j, s.T)
                old = w.let(f"load {V}, ptr {spot}, align {align}")
                product = w.let(f"fmul contract {V} {many}, {c}")
                new = w.let(f"fsub contract {V} {old}, {product}")
                w(f"store {V} {new}, ptr {spot}, align {align}")
            s.put(ratio, row, k)
    s.gather(order, y)
    with w.loop(0, n) as i, w.loop(0, i) as k:
        ratio = s.get("%s", s.index(i, stride, k))
        with w.loop(0, m) as j:
            s.reduce(y, s.index(i, m, j), ratio, s.get(y, s.index(k, m, j)))
    s.scale(y, inverse)
    with w.loop(n - 1, -1, -1) as i, w.loop(0, i) as k:
        ratio = s.get("%s", s.index(i, stride, k))
        with w.loop(0, m) as j:
            s.reduce(y, s.index(k, m, j), ratio, s.get(y, s.index(i, m, j)))
    s.scatter(order, y)
