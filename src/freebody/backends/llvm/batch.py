"""A batch over a leading axis: blocks of lanes are turned into vectors, computed, and turned back.

Arrays come as rows, one per state. A block of ``width`` rows is transposed tile by tile in registers, so that each
number of the state becomes a vector over the lanes; the last block is padded with its last row.
"""

from collections.abc import Callable

from freebody.backends.llvm.ir import Writer, attributes, define, real
from freebody.backends.llvm.memory import fill_with_nan, memory
from freebody.backends.llvm.region import Target
from freebody.program.program import Program


def driver(program: Program, target: Target, kernel: str = "run", name: str = "batch") -> str:
    """@batch(n, a pointer and a row length for each input, a pointer for each output).

    A row length of 0 means one row for all states; groups that all lanes share always have it.
    """
    w, width = Writer(), target.width
    moved = {k: g.size for k, g in enumerate(program.groups) if g.name not in target.uniform and g.size}
    sizes = [max(size, width) for size in (*moved.values(), *(o.size for o in program.outputs))]

    def lost() -> None:
        for k, o in enumerate(program.outputs):
            fill_with_nan(w, f"%o{k}", w.let(f"mul i64 %n, {o.size}"), 1)

    with memory(w, sizes, width, lost) as places:
        packed, results = dict(zip(moved, places, strict=False)), places[len(moved) :]
        passed = [packed.get(k, f"%g{k}") for k in range(len(program.groups))] + results
        with w.loop(0, "%n", width) as start:
            left = w.let(f"sub i64 %n, {start}")
            full = w.let(f"icmp sge i64 {left}, {width}")
            for k, size in moved.items():
                _pack_group(w, k, size, packed[k], start, left, full, width)
            w(f"call void @{kernel}({', '.join(f'ptr {p}' for p in passed)})")
            for k, o in enumerate(program.outputs):
                _unpack_output(w, k, o.size, results[k], start, left, full, width)
    arguments = ["i64 %n", *(f"ptr %g{k}, i64 %s{k}" for k, _ in enumerate(program.groups))]
    arguments += [f"ptr %o{k}" for k, _ in enumerate(program.outputs)]
    text = define(f"void @{name}({', '.join(arguments)})", w, attributes(width))
    return "\n".join([_declarations(width), _pack(width), _unpack(width), text])


def _pack_group(w: Writer, k: int, size: int, to: str, start: str, left: str, full: str, width: int) -> None:
    """The block's rows of input k into vectors."""
    stride = f"%s{k}"
    source = w.element(f"%g{k}", w.let(f"mul i64 {start}, {stride}"))
    whole = w.let(f"select i1 {w.let(f'icmp eq i64 {stride}, 0')}, i1 false, i1 {full}")
    with w.when(whole):
        _pack_tiles(w, source, stride, to, size, width)
    with w.when(w.let(f"xor i1 {whole}, true")):
        w(f"call void @pack(ptr {source}, i64 {stride}, ptr {to}, i64 {size}, i64 {left})")


def _unpack_output(w: Writer, k: int, size: int, vectors: str, start: str, left: str, full: str, width: int) -> None:
    """Vectors into the block's rows of output k."""
    to = w.element(f"%o{k}", w.let(f"mul i64 {start}, {size}"))
    with w.when(full):
        _unpack_tiles(w, vectors, to, size, width)
    with w.when(w.let(f"xor i1 {full}, true")):
        w(f"call void @unpack(ptr {vectors}, ptr {to}, i64 {size}, i64 {left})")


def _declarations(width: int) -> str:
    half = width // 2
    T, B = real(half) if half > 1 else "<1 x double>", f"<{half} x i1>"
    return (
        f"declare {T} @llvm.masked.load.v{half}f64.p0(ptr, i32, {B}, {T})\n"
        f"declare void @llvm.masked.store.v{half}f64.p0({T}, ptr, i32, {B})\n"
        "declare i64 @llvm.smin.i64(i64, i64)"
    )


UNROLLED = 4
"""Rows of up to this many tiles are written out; longer ones get a loop (compile time)."""

Tile = Callable[[list[str], str, int, int], None]  # of rows, vectors, the first column, and how many columns there are


def _tiles(w: Writer, rows: list[str], vectors: str, size: int, width: int, tile: Tile) -> None:
    """Every tile of a block of rows; the last one overlaps the one before, so that it stays inside the row."""
    if size <= UNROLLED * width:
        for c in range(0, size - width, width):
            tile(rows, vectors, c, size)
    else:
        with w.loop(0, size - width, width) as at:
            tile([w.element(row, at) for row in rows], w.element(vectors, at, real(width)), 0, width)
    tile(rows, vectors, max(0, size - width), size)


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

    def tile(starts: list[str], vectors: str, c: int, columns: int) -> None:
        halves = [_Half(w, width, columns, c), _Half(w, width, columns, c + h)]
        pairs = [(part, r) for part in halves for r in range(h)]
        joined = [_joined(w, part.load(starts[r]), part.load(starts[r + h]), width) for part, r in pairs]
        for r, value in enumerate(_transpose(w, joined)):
            w.store(value, vectors, c + r, T, 8 * width)

    starts = [w.element(rows, w.let(f"mul i64 {stride}, {r}")) for r in range(width)]
    _tiles(w, starts, to, size, width, tile)


def _unpack_tiles(w: Writer, vectors: str, rows: str, size: int, width: int) -> None:
    """Vectors into a whole block of rows, stored in halves."""
    T, h = real(width), width // 2

    def tile(starts: list[str], vectors: str, c: int, columns: int) -> None:
        turned = _transpose(w, [w.load(vectors, c + r, T, 8 * width) for r in range(width)])
        for k, value in enumerate(turned):
            part, row = _Half(w, width, columns, c + (k // h) * h), k % h
            part.store(_cut(w, value, 0, width), starts[row])
            part.store(_cut(w, value, h, width), starts[row + h])

    _tiles(w, [w.element(rows, r * size) for r in range(width)], vectors, size, width, tile)


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
