"""A batch over a leading axis: blocks of lanes are turned into vectors, computed, and turned back.

Arrays come as rows, one per state. A block of ``width`` rows is transposed tile by tile in registers, so that each
number of the state becomes a vector over the lanes; the last block is padded with its last row.
"""

from freebody.backends.llvm.ir import Writer, attributes, define, real
from freebody.backends.llvm.region import Target
from freebody.scalar.program import Program


def driver(program: Program, target: Target, kernel: str = "run", name: str = "batch") -> str:
    """@batch(n, a pointer and a row length for each input, a pointer for each output).

    A row length of 0 means one row for all states; groups that all lanes share always have it.
    """
    w, T = Writer(), real(target.width)
    inputs = [(k, g.name, g.size) for k, g in enumerate(program.groups)]
    outputs = [(k, o.name, o.size) for k, o in enumerate(program.outputs)]
    moved = [(f"%g{k}", f"%s{k}", size, k) for k, group, size in inputs if group not in target.uniform and size]
    packed = {k: w.let(f"alloca {T}, i64 {_padded(size, target.width)}, align 64") for *_, size, k in moved}
    results = {k: w.let(f"alloca {T}, i64 {_padded(size, target.width)}, align 64") for k, _, size in outputs}
    passed = [f"ptr {packed.get(k, f'%g{k}')}" for k, *_ in inputs] + [f"ptr {results[k]}" for k, *_ in outputs]
    with w.loop(0, "%n", target.width) as start:
        left = w.let(f"sub i64 %n, {start}")
        full = w.let(f"icmp sge i64 {left}, {target.width}")
        for pointer, stride, size, k in moved:
            source = w.element(pointer, w.let(f"mul i64 {start}, {stride}"))
            whole = w.let(f"select i1 {w.let(f'icmp eq i64 {stride}, 0')}, i1 false, i1 {full}")
            with w.when(whole):
                _pack_tiles(w, source, stride, packed[k], size, target.width)
            with w.when(w.let(f"xor i1 {whole}, true")):
                w(f"call void @pack(ptr {source}, i64 {stride}, ptr {packed[k]}, i64 {size}, i64 {left})")
        w(f"call void @{kernel}({', '.join(passed)})")
        for k, _, size in outputs:
            to = w.element(f"%o{k}", w.let(f"mul i64 {start}, {size}"))
            with w.when(full):
                _unpack_tiles(w, results[k], to, size, target.width)
            with w.when(w.let(f"xor i1 {full}, true")):
                w(f"call void @unpack(ptr {results[k]}, ptr {to}, i64 {size}, i64 {left})")
    arguments = ["i64 %n", *(f"ptr %g{k}, i64 %s{k}" for k, *_ in inputs), *(f"ptr %o{k}" for k, *_ in outputs)]
    text = define(f"void @{name}({', '.join(arguments)})", w, attributes(target.width))
    return "\n".join([_declarations(target.width), _pack(target.width), _unpack(target.width), text])


def _padded(size: int, width: int) -> int:
    return max(size, width)


def _declarations(width: int) -> str:
    half = width // 2
    T, B = real(half) if half > 1 else "<1 x double>", f"<{half} x i1>"
    return (
        f"declare {T} @llvm.masked.load.v{half}f64.p0(ptr, i32, {B}, {T})\n"
        f"declare void @llvm.masked.store.v{half}f64.p0({T}, ptr, i32, {B})\n"
        "declare i64 @llvm.smin.i64(i64, i64)"
    )


def _columns(size: int, width: int) -> list[int]:
    """Where the tiles of a row begin; the last one overlaps the one before, so that it stays inside the row."""
    return [0] if size <= width else [*range(0, size - width, width), size - width]


class _Half:
    """Half a vector of a row, from column ``c`` on: whole, in part (a narrow row ends in it), or beyond the row."""

    def __init__(self, w: Writer, width: int, size: int, c: int) -> None:
        self.w, self.lanes, self.c = w, width // 2, c
        self.there = max(0, min(self.lanes, size - c))
        self.T = f"<{self.lanes} x double>"
        flags = ", ".join(f"i1 {'true' if k < self.there else 'false'}" for k in range(self.lanes))
        self.mask = f"i32 8, <{self.lanes} x i1> <{flags}>"

    def load(self, row: str) -> str:
        if not self.there:
            return "zeroinitializer"
        p, name = self.w.element(row, self.c), f"llvm.masked.load.v{self.lanes}f64.p0"
        if self.there == self.lanes:
            return self.w.let(f"load {self.T}, ptr {p}, align 8")
        return self.w.let(f"call {self.T} @{name}(ptr {p}, {self.mask}, {self.T} zeroinitializer)")

    def store(self, value: str, row: str) -> None:
        if not self.there:
            return
        p, name = self.w.element(row, self.c), f"llvm.masked.store.v{self.lanes}f64.p0"
        if self.there == self.lanes:
            self.w(f"store {self.T} {value}, ptr {p}, align 8")
        else:
            self.w(f"call void @{name}({self.T} {value}, ptr {p}, {self.mask})")


def _pack_tiles(w: Writer, rows: str, stride: str, to: str, size: int, width: int) -> None:
    """A whole block of rows into vectors. Rows are loaded in halves, which is the last exchange of a transposition and
    spares the port that shuffles and multiplies."""
    T, h = real(width), width // 2
    starts = [w.element(rows, w.let(f"mul i64 {stride}, {r}")) for r in range(width)]
    for c in _columns(size, width):
        halves = [_Half(w, width, size, c), _Half(w, width, size, c + h)]
        tile = [_joined(w, part.load(starts[r]), part.load(starts[r + h]), width) for part in halves for r in range(h)]
        for r, value in enumerate(_transpose(w, tile)):
            w.store(value, to, c + r, T, 8 * width)


def _unpack_tiles(w: Writer, vectors: str, rows: str, size: int, width: int) -> None:
    """Vectors into a whole block of rows, stored in halves."""
    T, h = real(width), width // 2
    starts = [w.element(rows, r * size) for r in range(width)]
    for c in _columns(size, width):
        tile = _transpose(w, [w.load(vectors, c + r, T, 8 * width) for r in range(width)])
        for k, value in enumerate(tile):
            part, row = _Half(w, width, size, c + (k // h) * h), k % h
            part.store(_cut(w, value, 0, width), starts[row])
            part.store(_cut(w, value, h, width), starts[row + h])


def _joined(w: Writer, a: str, b: str, width: int) -> str:
    lanes = ", ".join(f"i32 {k}" for k in range(width))
    half = f"<{width // 2} x double>"
    return w.let(f"shufflevector {half} {a}, {half} {b}, <{width} x i32> <{lanes}>")


def _cut(w: Writer, value: str, start: int, width: int) -> str:
    lanes = ", ".join(f"i32 {start + k}" for k in range(width // 2))
    return w.let(f"shufflevector {real(width)} {value}, {real(width)} poison, <{width // 2} x i32> <{lanes}>")


def _pack(width: int) -> str:
    """@pack(rows, row length, to, size, how many rows are left): number by number, the last row repeated."""
    w = Writer()
    final = w.let("sub i64 %left, 1")
    with w.loop(0, width) as lane:
        row = w.let(f"call i64 @llvm.smin.i64(i64 {lane}, i64 {final})")
        source = w.element("%from", w.let(f"mul i64 {row}, %stride"))
        with w.loop(0, "%size") as k:
            w.store(w.load(source, k), "%to", w.let(f"add i64 {w.let(f'mul i64 {k}, {width}')}, {lane}"))
    return define("internal void @pack(ptr %from, i64 %stride, ptr %to, i64 %size, i64 %left)", w, "noinline nounwind")


def _unpack(width: int) -> str:
    """@unpack(vectors, rows, size, how many rows are left): number by number."""
    w = Writer()
    with w.loop(0, "%left") as lane:
        target = w.element("%to", w.let(f"mul i64 {lane}, %size"))
        with w.loop(0, "%size") as k:
            w.store(w.load("%from", w.let(f"add i64 {w.let(f'mul i64 {k}, {width}')}, {lane}")), target, k)
    return define("internal void @unpack(ptr %from, ptr %to, i64 %size, i64 %left)", w, "noinline nounwind")


def _transpose(w: Writer, rows: list[str]) -> list[str]:
    """The transposed square, but for its quarters: blocks of 1, 2, … exchanged across the diagonal."""
    width, h = len(rows), 1
    while h < width // 2:
        done = list(rows)
        for i in (k for k in range(width) if not k & h):
            done[i] = _shuffle(w, rows[i], rows[i + h], [x if not x & h else width + x - h for x in range(width)])
            done[i + h] = _shuffle(w, rows[i], rows[i + h], [x + h if not x & h else width + x for x in range(width)])
        rows, h = done, 2 * h
    return rows


def _shuffle(w: Writer, a: str, b: str, lanes: list[int]) -> str:
    T, picked = real(len(lanes)), ", ".join(f"i32 {x}" for x in lanes)
    return w.let(f"shufflevector {T} {a}, {T} {b}, <{len(lanes)} x i32> <{picked}>")
