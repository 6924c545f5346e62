"""Batches: rows of several states are transposed to vectors, computed, and transposed back.

Arrays come as rows, one per state. A block of ``width`` rows is transposed tile by tile in registers, so that each
number of the state becomes a vector over the lanes; the last block is padded with its last row.
"""

from collections.abc import Callable, Iterable

from freebody.backends.llvm.ir import IRWriter, attributes, define, real
from freebody.backends.llvm.module import Target, fill_with_nan, memory
from freebody.program.program import Program

UNROLLED = 4
"""Rows of up to this many tiles are written out; longer ones get a loop (compile time)."""


def driver(program: Program, target: Target, kernel: str = "run", name: str = "batch") -> str:
    """@batch(n, a pointer and a row length for each input, a pointer for each output).

    A row length of 0 means one row for all states; groups that all lanes share always have it.
    """
    w, width = IRWriter(), target.width
    moved = {k: g.size for k, g in enumerate(program.groups) if g.name not in target.uniform and g.size}
    sizes = [max(size, width) for size in (*moved.values(), *(o.size for o in program.outputs))]

    def lost() -> None:
        for k, o in enumerate(program.outputs):
            fill_with_nan(w, f"%o{k}", w.let(f"mul i64 %n, {o.size}"), 1)

    with memory(w, sizes, width, lost) as parts:
        packed, results = dict(zip(moved, parts, strict=False)), parts[len(moved) :]
        passed = [packed.get(k, f"%g{k}") for k in range(len(program.groups))] + results
        with w.loop(0, "%n", width) as start:
            left = w.let(f"sub i64 %n, {start}")
            full = w.let(f"icmp sge i64 {left}, {width}")
            for k, size in moved.items():
                stride = f"%s{k}"
                rows = w.element(f"%g{k}", w.let(f"mul i64 {start}, {stride}"))
                whole = w.let(f"select i1 {w.let(f'icmp eq i64 {stride}, 0')}, i1 false, i1 {full}")
                with w.when(whole):
                    _pack_tiles(w, rows, stride, packed[k], size, width)
                with w.when(w.let(f"xor i1 {whole}, true")):
                    w(f"call void @pack(ptr {rows}, i64 {stride}, ptr {packed[k]}, i64 {size}, i64 {left})")
            w(f"call void @{kernel}({', '.join(f'ptr {p}' for p in passed)})")
            for k, o in enumerate(program.outputs):
                rows = w.element(f"%o{k}", w.let(f"mul i64 {start}, {o.size}"))
                with w.when(full):
                    _unpack_tiles(w, results[k], rows, o.size, width)
                with w.when(w.let(f"xor i1 {full}, true")):
                    w(f"call void @unpack(ptr {results[k]}, ptr {rows}, i64 {o.size}, i64 {left})")
    arguments = ["i64 %n", *(f"ptr %g{k}, i64 %s{k}" for k, _ in enumerate(program.groups))]
    arguments += [f"ptr %o{k}" for k, _ in enumerate(program.outputs)]
    half = width // 2
    T, B = real(half) if half > 1 else "<1 x double>", f"<{half} x i1>"
    return "\n".join(
        [
            f"declare {T} @llvm.masked.load.v{half}f64.p0(ptr, i32, {B}, {T})",
            f"declare void @llvm.masked.store.v{half}f64.p0({T}, ptr, i32, {B})",
            "declare i64 @llvm.smin.i64(i64, i64)",
            _pack(width),
            _unpack(width),
            define(f"void @{name}({', '.join(arguments)})", w, attributes(width)),
        ]
    )


# The last block, number by number


def _pack(width: int) -> str:
    """@pack(rows, row length, vectors, size, how many rows are left); the last row is repeated."""
    w = IRWriter()
    final = w.let("sub i64 %left, 1")
    with w.loop(0, width) as lane:
        row = w.let(f"call i64 @llvm.smin.i64(i64 {lane}, i64 {final})")
        source = w.element("%from", w.let(f"mul i64 {row}, %stride"))
        with w.loop(0, "%size") as k:
            w.store(w.load(source, k), "%to", w.let(f"add i64 {w.let(f'mul i64 {k}, {width}')}, {lane}"))
    return define("internal void @pack(ptr %from, i64 %stride, ptr %to, i64 %size, i64 %left)", w, "noinline nounwind")


def _unpack(width: int) -> str:
    """@unpack(vectors, rows, size, how many rows are left)."""
    w = IRWriter()
    with w.loop(0, "%left") as lane:
        target = w.element("%to", w.let(f"mul i64 {lane}, %size"))
        with w.loop(0, "%size") as k:
            w.store(w.load("%from", w.let(f"add i64 {w.let(f'mul i64 {k}, {width}')}, {lane}")), target, k)
    return define("internal void @unpack(ptr %from, ptr %to, i64 %size, i64 %left)", w, "noinline nounwind")


# Whole blocks, tile by tile

Tile = Callable[[list[str], str, int, int], None]  # of rows, vectors, the first column, and how many columns there are


def _tiles(w: IRWriter, rows: list[str], vectors: str, size: int, width: int, tile: Tile) -> None:
    """Every tile of a block of rows; the last one overlaps the one before, so that it stays inside the row."""
    if size <= UNROLLED * width:
        for c in range(0, size - width, width):
            tile(rows, vectors, c, size)
    else:
        with w.loop(0, size - width, width) as at:
            tile([w.element(row, at) for row in rows], w.element(vectors, at, real(width)), 0, width)
    tile(rows, vectors, max(0, size - width), size)


def _half(w: IRWriter, row: str, c: int, size: int, lanes: int, value: str = "") -> str:
    """Half a vector of a row, from column ``c`` on, loaded or set to the value: whole, in part where a narrow row ends
    in it, and nothing beyond the row."""
    inside, T = max(0, min(lanes, size - c)), f"<{lanes} x double>"
    if not inside:
        return "zeroinitializer"
    p, flags = w.element(row, c), ", ".join(f"i1 {'true' if k < inside else 'false'}" for k in range(lanes))
    mask = f"i32 8, <{lanes} x i1> <{flags}>"
    if not value:
        partly = f"call {T} @llvm.masked.load.v{lanes}f64.p0(ptr {p}, {mask}, {T} zeroinitializer)"
        return w.let(f"load {T}, ptr {p}, align 8" if inside == lanes else partly)
    partly = f"call void @llvm.masked.store.v{lanes}f64.p0({T} {value}, ptr {p}, {mask})"
    w(f"store {T} {value}, ptr {p}, align 8" if inside == lanes else partly)
    return value


def _pack_tiles(w: IRWriter, rows: str, stride: str, to: str, size: int, width: int) -> None:
    """A whole block of rows into vectors. Rows are loaded in halves, which is the last exchange of a transposition and
    spares the port that shuffles and multiplies."""
    T, h = real(width), width // 2

    def tile(starts: list[str], vectors: str, c: int, columns: int) -> None:
        joined = []
        for first in (c, c + h):
            for r in range(h):
                low, high = (_half(w, row, first, columns, h) for row in (starts[r], starts[r + h]))
                joined.append(_shuffle(w, f"<{h} x double>", low, high, range(width)))
        for r, value in enumerate(_transpose(w, joined)):
            w.store(value, vectors, c + r, T, 8 * width)

    starts = [w.element(rows, w.let(f"mul i64 {stride}, {r}")) for r in range(width)]
    _tiles(w, starts, to, size, width, tile)


def _unpack_tiles(w: IRWriter, vectors: str, rows: str, size: int, width: int) -> None:
    """Vectors into a whole block of rows, stored in halves."""
    T, h = real(width), width // 2

    def tile(starts: list[str], vectors: str, c: int, columns: int) -> None:
        turned = _transpose(w, [w.load(vectors, c + r, T, 8 * width) for r in range(width)])
        for k, value in enumerate(turned):
            first, row = c + (k // h) * h, k % h
            _half(w, starts[row], first, columns, h, _shuffle(w, T, value, "poison", range(h)))
            _half(w, starts[row + h], first, columns, h, _shuffle(w, T, value, "poison", range(h, width)))

    _tiles(w, [w.element(rows, r * size) for r in range(width)], vectors, size, width, tile)


def _transpose(w: IRWriter, rows: list[str]) -> list[str]:
    """The transposed square, but for its quarters: blocks of 1, 2, … exchanged across the diagonal."""
    width, h = len(rows), 1
    T, columns = real(width), range(width)
    while h < width // 2:
        done = list(rows)
        for i in (k for k in columns if not k & h):
            a, b = rows[i], rows[i + h]
            done[i] = _shuffle(w, T, a, b, [x if not x & h else width + x - h for x in columns])
            done[i + h] = _shuffle(w, T, a, b, [x + h if not x & h else width + x for x in columns])
        rows, h = done, 2 * h
    return rows


def _shuffle(w: IRWriter, type_: str, a: str, b: str, lanes: Iterable[int]) -> str:
    chosen = [f"i32 {x}" for x in lanes]
    return w.let(f"shufflevector {type_} {a}, {type_} {b}, <{len(chosen)} x i32> <{', '.join(chosen)}>")
