"""A program as a module of LLVM IR: a function for each region, and one that calls them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import accumulate

from freebody.backends.function import ON_STACK
from freebody.backends.llvm.ir import IRWriter, attributes, constant, define, global_doubles, global_integers, real
from freebody.backends.llvm.solve import scratch, solve
from freebody.backends.llvm.straight import Helpers, Straight
from freebody.program.code import Code
from freebody.program.program import Block, Program, Scan, Solve, stride, touched
from freebody.scalar.ops import COS, SIN

ALIGN = 64
"""Bytes: the widest vector. ``aligned_alloc`` wants a whole number of them."""

DECLARATIONS = (
    "declare noalias ptr @aligned_alloc(i64, i64) nounwind",
    "declare void @free(ptr) nounwind",
    "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
)
"""What a module needs, once."""


@dataclass(frozen=True)
class Target:
    """What is compiled for: lanes per number, lanes of the machine's vectors, buffers that all lanes share."""

    width: int
    vector: int
    uniform: frozenset[str] = frozenset()


def emit(program: Program, target: Target, name: str = "run", linkage: str = "") -> tuple[str, Helpers]:
    """The module: @name(inputs…, outputs…), a pointer each; and what its helpers need at load time."""
    helpers, outer = Helpers(), [*(g.name for g in program.groups), *(o.name for o in program.outputs)]
    first = program.regions[0] if len(program.regions) == 1 and not program.work else None
    if isinstance(first, Block):
        texts = [_code(f"{linkage} void @{name}", first.code, target, helpers, outer)]
    else:
        tables = {w.name: f"@numbers{k}" for k, w in enumerate(program.tables)}
        target = replace(target, uniform=target.uniform | set(tables))
        texts = [global_doubles(tables[w.name][1:], w.values) for w in program.tables]
        for k, region in enumerate(program.regions):
            if isinstance(region, Solve):
                texts.append(solve(f"region{k}", region, target.width, target.vector))
            elif isinstance(region, Scan):
                texts.append(_scan(f"region{k}", region, target, helpers))
            else:
                texts.append(_code(f"internal void @region{k}", region.code, target, helpers, touched(region)))
        texts += [_run(program, target, f"{linkage} void @{name}", outer, tables)]
    return "\n".join([*DECLARATIONS, *helpers.text(), *texts]), helpers


# Regions


def _arguments(buffers: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Pointer arguments for these buffers: the text for a signature, and each buffer's value."""
    names = {b: f"%p{k}" for k, b in enumerate(buffers)}
    return ", ".join(f"ptr noalias {n}" for n in names.values()), names


def _code(
    head: str,
    code: Code,
    target: Target,
    helpers: Helpers,
    buffers: Sequence[str],
    row: Callable[[IRWriter, int], str] | None = None,
) -> str:
    """The function of a block, or of a kind of steps, where ``row`` writes an index at this step. Scalar code keeps its
    angles in vectors, so it needs the stack and registers of vectors too."""
    (signature, pointers), w = _arguments(buffers), IRWriter()
    indices = {r: row(w, r) for r in code.rows} if row else {}
    Straight(w, helpers, code, target.width, target.vector, pointers, indices, target.uniform).write()
    angles = min(target.vector, 4) if any(op in (SIN, COS) for op in code.op) else 1
    attribute = f"noinline {attributes(target.width if target.width > 1 else angles)}"
    return define(f"{head}({signature}{', i64 %step' if row else ''})", w, attribute)


def _scan(name: str, region: Scan, target: Target, helpers: Helpers) -> str:
    """The functions of a scan: one for each kind of step, and the loop that calls them. An index is computed if it is
    evenly spaced, looked up otherwise."""

    def row(w: IRWriter, r: int) -> str:
        step = stride(region.rows[r])
        if step is None:
            return w.let(f"zext i32 {w.load(f'@{name}.row{r}', '%step', 'i32', 4)} to i64")
        return w.let(f"add i64 {w.let(f'mul i64 %step, {step}')}, {region.rows[r][0]}")

    tables = {r: rows for r, rows in enumerate(region.rows) if stride(rows) is None}
    texts = [global_integers(f"{name}.row{r}", rows, "i32") for r, rows in tables.items()]  # half of the memory of i64
    for kind, code in enumerate(region.codes):
        texts.append(_code(f"internal void @{name}.kind{kind}", code, target, helpers, touched(region), row))
    (signature, pointers), w, kinds = _arguments(touched(region)), IRWriter(), len(region.codes)
    with w.loop(0, region.steps) as step:
        passed = ", ".join([*(f"ptr {p}" for p in pointers.values()), f"i64 {step}"])
        if kinds == 1:
            w(f"call void @{name}.kind0({passed})")
        else:
            kind_of_step = w.load(f"@{name}.kinds", step, "i64")
            label = w.name("kind")
            cases = " ".join(f"i64 {k}, label %{label}.{k}" for k in range(1, kinds))
            w(f"switch i64 {kind_of_step}, label %{label}.0 [ {cases} ]")
            for k in range(kinds):
                w.label(f"{label}.{k}")
                w(f"call void @{name}.kind{k}({passed})")
                w(f"br label %{label}.end")
            w.label(f"{label}.end")
    texts += [global_integers(f"{name}.kinds", region.kinds)] if kinds > 1 else []
    return "\n".join([*texts, define(f"internal void @{name}({signature})", w, "noinline nounwind")])


def _run(program: Program, target: Target, head: str, outer: Sequence[str], tables: dict[str, str]) -> str:
    """The function that calls the regions, with memory for work buffers and for the scratch of solves."""
    signature, pointers = _arguments(outer)
    w, work = IRWriter(), {x.name: x.size for x in program.work if not x.table}
    solves = [scratch(r, target.width, target.vector) for r in program.regions if isinstance(r, Solve)]

    def lost() -> None:
        for o in program.outputs:
            fill_with_nan(w, pointers[o.name], o.size, target.width)

    with memory(w, [*work.values(), *solves], target.width, lost) as parts:
        at = pointers | dict(zip(work, parts, strict=False)) | tables
        scratches = iter(parts[len(work) :])
        for x in program.work:
            if x.zeroed:
                size = 8 * target.width * x.size
                w(f"call void @llvm.memset.p0.i64(ptr {at[x.name]}, i8 0, i64 {size}, i1 false)")
        for k, r in enumerate(program.regions):
            buffers = [r.matrix, r.right, r.result] if isinstance(r, Solve) else touched(r)
            passed = [*(at[b] for b in buffers), *([next(scratches)] if isinstance(r, Solve) else [])]
            w(f"call void @region{k}({', '.join(f'ptr {p}' for p in passed)})")
    return define(f"{head}({signature})", w, attributes(max(target.width, target.vector)))


# Work memory


@contextmanager
def memory(w: IRWriter, sizes: Sequence[int], width: int, lost: Callable[[], None]) -> Iterator[list[str]]:
    """Pointers to as many numbers as ``sizes`` says, on the stack while they are few, else on the heap, for what is
    written inside; if there is no memory, what ``lost`` writes happens instead. Each part is aligned."""
    T, aligned = real(width), [-(-size // 8) * 8 for size in sizes]
    total = sum(aligned)

    def parts(base: str) -> list[str]:
        return [w.element(base, start, T) for start in accumulate(aligned[:-1], initial=0)] if sizes else []

    if 8 * width * total <= ON_STACK:
        yield parts(w.let(f"alloca {T}, i64 {total}, align {ALIGN}") if total else "null")
        return
    base = w.let(f"call ptr @aligned_alloc(i64 {ALIGN}, i64 {8 * width * total})")
    none = w.let(f"icmp eq ptr {base}, null")
    with w.when(w.let(f"xor i1 {none}, true")):
        yield parts(base)
        w(f"call void @free(ptr {base})")
    with w.when(none):
        lost()


def fill_with_nan(w: IRWriter, pointer: str, count: str | int, width: int) -> None:
    """NaN in this many numbers from the pointer on."""
    with w.loop(0, count) as k:
        w.store(constant(float("nan"), width), pointer, k, real(width), 8 * width)
