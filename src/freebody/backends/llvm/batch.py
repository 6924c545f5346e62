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
            shared = w.let(f"icmp eq i64 {stride}, 0")
            source = w.element(pointer, w.let(f"mul i64 {start}, {stride}"))
            whole = w.let(f"select i1 {shared}, i1 false, i1 {full}")
            w(f"call void @pack(ptr {source}, i64 {stride}, ptr {packed[k]}, i64 {size}, i64 {left}, i1 {whole})")
        w(f"call void @{kernel}({', '.join(passed)})")
        for k, _, size in outputs:
            to = w.element(f"%o{k}", w.let(f"mul i64 {start}, {size}"))
            w(f"call void @unpack(ptr {results[k]}, ptr {to}, i64 {size}, i64 {left}, i1 {full})")
    arguments = ["i64 %n", *(f"ptr %g{k}, i64 %s{k}" for k, *_ in inputs), *(f"ptr %o{k}" for k, *_ in outputs)]
    text = define(f"void @{name}({', '.join(arguments)})", w, attributes(target.width))
    return "\n".join([_masked(target.width), _tile(target.width), _pack(target.width), _unpack(target.width), text])


def _padded(size: int, width: int) -> int:
    return max(size, width)


def _masked(width: int) -> str:
    T, B = real(width), f"<{width} x i1>"
    return (
        f"declare {T} @llvm.masked.load.v{width}f64.p0(ptr, i32, {B}, {T})\n"
        f"declare void @llvm.masked.store.v{width}f64.p0({T}, ptr, i32, {B})"
    )


def _tile(width: int) -> str:
    """@tile(from, its row length, to, its row length, mask of loads, mask of stores): a square, transposed."""
    w, T, B = Writer(), real(width), f"<{width} x i1>"
    rows = []
    for r in range(width):
        p = w.element("%from", w.let(f"mul i64 %in, {r}"))
        load = f"call {T} @llvm.masked.load.v{width}f64.p0(ptr {p}, i32 8, {B} %loads, {T} zeroinitializer)"
        rows.append(w.let(load))
    rows = _transpose(w, rows)
    for r, value in enumerate(rows):
        p = w.element("%to", w.let(f"mul i64 %out, {r}"))
        w(f"call void @llvm.masked.store.v{width}f64.p0({T} {value}, ptr {p}, i32 8, {B} %stores)")
    signature = f"internal void @tile(ptr %from, i64 %in, ptr %to, i64 %out, {B} %loads, {B} %stores)"
    return define(signature, w, f"noinline {attributes(width)}")


def _transpose(w: Writer, rows: list[str]) -> list[str]:
    """The transposed square: blocks of 1, 2, 4, … exchanged across the diagonal."""
    width, h = len(rows), 1
    while h < width:
        done = list(rows)
        for i in (k for k in range(width) if not k & h):
            done[i] = _shuffle(w, rows[i], rows[i + h], [x if not x & h else width + x - h for x in range(width)])
            done[i + h] = _shuffle(w, rows[i], rows[i + h], [x + h if not x & h else width + x for x in range(width)])
        rows, h = done, 2 * h
    return rows


def _shuffle(w: Writer, a: str, b: str, lanes: list[int]) -> str:
    T, picked = real(len(lanes)), ", ".join(f"i32 {x}" for x in lanes)
    return w.let(f"shufflevector {T} {a}, {T} {b}, <{len(lanes)} x i32> <{picked}>")


def _first(w: Writer, width: int, size: str) -> str:
    """A mask of the first ``size`` lanes."""
    numbers = ", ".join(f"i64 {k}" for k in range(width))
    one = w.let(f"insertelement <{width} x i64> poison, i64 {size}, i32 0")
    many = w.let(f"shufflevector <{width} x i64> {one}, <{width} x i64> poison, <{width} x i32> zeroinitializer")
    return w.let(f"icmp ult <{width} x i64> <{numbers}>, {many}")


def _tiles(w: Writer, width: int) -> str:
    """A loop over the columns of a block, ``width`` at a time; the last tile overlaps so that it stays inside."""
    last = w.let(f"sub i64 %size, {width}")
    return w.let(f"call i64 @llvm.smax.i64(i64 {last}, i64 0)")


def _pack(width: int) -> str:
    """@pack(rows, row length, to, size, how many rows are left, whether whole tiles can be used)."""
    w, T, B = Writer(), real(width), f"<{width} x i1>"
    every = "<" + ", ".join(["i1 true"] * width) + ">"
    mask, last = _first(w, width, "%size"), _tiles(w, width)
    with w.when("%whole"), w.loop(0, "%size", width) as c:
        at = w.let(f"call i64 @llvm.smin.i64(i64 {c}, i64 {last})")
        to = w.element("%to", at, T)
        w(f"call void @tile(ptr {w.element('%from', at)}, i64 %stride, ptr {to}, i64 {width}, {B} {mask}, {B} {every})")
    rest = w.let("xor i1 %whole, true")
    with w.when(rest):
        final = w.let("sub i64 %left, 1")
        with w.loop(0, width) as lane:
            row = w.let(f"call i64 @llvm.smin.i64(i64 {lane}, i64 {final})")
            source = w.element("%from", w.let(f"mul i64 {row}, %stride"))
            with w.loop(0, "%size") as c:
                place = w.let(f"add i64 {w.let(f'mul i64 {c}, {width}')}, {lane}")
                w.store(w.load(source, c), "%to", place)
    signature = "internal void @pack(ptr %from, i64 %stride, ptr %to, i64 %size, i64 %left, i1 %whole)"
    smax = "declare i64 @llvm.smax.i64(i64, i64)\ndeclare i64 @llvm.smin.i64(i64, i64)\n"
    return smax + define(signature, w, f"noinline {attributes(width)}")


def _unpack(width: int) -> str:
    """@unpack(vectors, rows, size, how many rows are left, whether whole tiles can be used)."""
    w, T, B = Writer(), real(width), f"<{width} x i1>"
    every = "<" + ", ".join(["i1 true"] * width) + ">"
    mask, last = _first(w, width, "%size"), _tiles(w, width)
    with w.when("%whole"), w.loop(0, "%size", width) as c:
        at = w.let(f"call i64 @llvm.smin.i64(i64 {c}, i64 {last})")
        source = w.element("%from", at, T)
        w(f"call void @tile(ptr {source}, i64 {width}, ptr {w.element('%to', at)}, i64 %size, {B} {every}, {B} {mask})")
    rest = w.let("xor i1 %whole, true")
    with w.when(rest):
        with w.loop(0, "%left") as lane:
            target = w.element("%to", w.let(f"mul i64 {lane}, %size"))
            with w.loop(0, "%size") as c:
                place = w.let(f"add i64 {w.let(f'mul i64 {c}, {width}')}, {lane}")
                w.store(w.load("%from", place), target, c)
    signature = "internal void @unpack(ptr %from, ptr %to, i64 %size, i64 %left, i1 %whole)"
    return define(signature, w, f"noinline {attributes(width)}")
