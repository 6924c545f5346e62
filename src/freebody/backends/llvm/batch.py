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
            w(f"call void @pack{size}(ptr {source}, i64 {stride}, ptr {packed[k]}, i64 {left}, i1 {whole})")
        w(f"call void @{kernel}({', '.join(passed)})")
        for k, _, size in outputs:
            to = w.element(f"%o{k}", w.let(f"mul i64 {start}, {size}"))
            w(f"call void @unpack{size}(ptr {results[k]}, ptr {to}, i64 {left}, i1 {full})")
    arguments = ["i64 %n", *(f"ptr %g{k}, i64 %s{k}" for k, *_ in inputs), *(f"ptr %o{k}" for k, *_ in outputs)]
    text = define(f"void @{name}({', '.join(arguments)})", w, attributes(target.width))
    packs = [_pack(size, target.width) for size in sorted({size for *_, size, _ in moved})]
    unpacks = [_unpack(size, target.width) for size in sorted({size for *_, size in outputs})]
    return "\n".join([_declarations(target.width), *packs, *unpacks, text])


def _padded(size: int, width: int) -> int:
    return max(size, width)


def _declarations(width: int) -> str:
    T, B = real(width), f"<{width} x i1>"
    return (
        f"declare {T} @llvm.masked.load.v{width}f64.p0(ptr, i32, {B}, {T})\n"
        f"declare void @llvm.masked.store.v{width}f64.p0({T}, ptr, i32, {B})\n"
        "declare i64 @llvm.smin.i64(i64, i64)"
    )


def _columns(size: int, width: int) -> list[int]:
    """Where the tiles of a row begin; the last one overlaps the one before, so that it stays inside the row."""
    return [0] if size <= width else [*range(0, size - width, width), size - width]


def _mask(size: int, width: int) -> str:
    """The lanes a tile may touch in the user's rows; a narrow row is less than a vector."""
    return "<" + ", ".join(f"i1 {'true' if k < size else 'false'}" for k in range(width)) + ">"


def _pack(size: int, width: int) -> str:
    """@pack(rows, row length, to, how many rows are left, whether whole tiles can be used)."""
    w, T, B = Writer(), real(width), f"<{width} x i1>"
    with w.when("%whole"):
        for c in _columns(size, width):
            rows = [w.element(w.element("%from", w.let(f"mul i64 %stride, {r}")), c) for r in range(width)]
            masked = f"i32 8, {B} {_mask(size, width)}, {T} zeroinitializer"
            tile = [w.let(f"call {T} @llvm.masked.load.v{width}f64.p0(ptr {p}, {masked})") for p in rows]
            for r, value in enumerate(_transpose(w, tile)):
                w.store(value, "%to", c + r, T, 8 * width)
    with w.when(w.let("xor i1 %whole, true")):
        final = w.let("sub i64 %left, 1")
        with w.loop(0, width) as lane:
            row = w.let(f"call i64 @llvm.smin.i64(i64 {lane}, i64 {final})")
            source = w.element("%from", w.let(f"mul i64 {row}, %stride"))
            with w.loop(0, size) as k:
                w.store(w.load(source, k), "%to", w.let(f"add i64 {w.let(f'mul i64 {k}, {width}')}, {lane}"))
    signature = f"internal void @pack{size}(ptr %from, i64 %stride, ptr %to, i64 %left, i1 %whole)"
    return define(signature, w, f"noinline {attributes(width)}")


def _unpack(size: int, width: int) -> str:
    """@unpack(vectors, rows, how many rows are left, whether whole tiles can be used)."""
    w, T, B = Writer(), real(width), f"<{width} x i1>"
    with w.when("%whole"):
        for c in _columns(size, width):
            tile = [w.load("%from", c + r, T, 8 * width) for r in range(width)]
            for r, value in enumerate(_transpose(w, tile)):
                masked = f"ptr {w.element('%to', r * size + c)}, i32 8, {B} {_mask(size, width)}"
                w(f"call void @llvm.masked.store.v{width}f64.p0({T} {value}, {masked})")
    with w.when(w.let("xor i1 %whole, true")), w.loop(0, "%left") as lane:
        target = w.element("%to", w.let(f"mul i64 {lane}, {size}"))
        with w.loop(0, size) as k:
            w.store(w.load("%from", w.let(f"add i64 {w.let(f'mul i64 {k}, {width}')}, {lane}")), target, k)
    signature = f"internal void @unpack{size}(ptr %from, ptr %to, i64 %left, i1 %whole)"
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
