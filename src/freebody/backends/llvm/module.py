"""A program as a module of LLVM IR: its regions, the function that runs them, and the loop over a batch."""

from freebody.backends.llvm import region as regions
from freebody.backends.llvm.helpers import Helpers
from freebody.backends.llvm.ir import Writer, attributes, define, real
from freebody.backends.llvm.region import Target
from freebody.backends.llvm.solve import scratch, solve
from freebody.scalar.program import Block, Program, Scan, Solve

ON_STACK = 4096
"""Work buffers of up to this many numbers in all live on the stack; larger ones are taken from the heap."""


def emit(program: Program, target: Target, name: str = "run", linkage: str = "") -> tuple[str, Helpers]:
    """The module: @name(inputs…, outputs…), a pointer each; and what its helpers need at load time."""
    helpers = Helpers()
    if _is_one_block(program):
        texts = [_alone(program, target, helpers, name, linkage)]
    else:
        texts = [_region(f"region{k}", r, target, helpers) for k, r in enumerate(program.regions)]
        texts += [*_heap(), _run(program, target, name, linkage)]
    return "\n".join([*helpers.text(), *texts]), helpers


def _is_one_block(program: Program) -> bool:
    return len(program.regions) == 1 and isinstance(program.regions[0], Block) and not program.work


def _alone(program: Program, target: Target, helpers: Helpers, name: str, linkage: str) -> str:
    """A single block is the function itself."""
    region = program.regions[0]
    assert isinstance(region, Block)
    return regions.block(name, region, target, helpers, linkage, _outer(program))


def _outer(program: Program) -> list[str]:
    """The buffers a caller gives, in order."""
    return [*(g.name for g in program.groups), *(o.name for o in program.outputs)]


def _region(name: str, region: Block | Scan | Solve, target: Target, helpers: Helpers) -> str:
    if isinstance(region, Block):
        return regions.block(name, region, target, helpers)
    if isinstance(region, Scan):
        return regions.scan(name, region, target, helpers)
    return solve(name, region, target.width, target.vector)


def _heap() -> list[str]:
    return [
        "declare noalias ptr @aligned_alloc(i64, i64) nounwind",
        "declare void @free(ptr) nounwind",
        "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
    ]


def _sizes(program: Program, target: Target) -> dict[str, int]:
    """Work buffers and solves' scratch, in numbers, each rounded up to whole vectors."""
    sizes = {w.name: w.size for w in program.work}
    for k, r in enumerate(program.regions):
        if isinstance(r, Solve):
            sizes[f"region{k}"] = scratch(r, target.width, target.vector)
    return {name: -(-size // 8) * 8 for name, size in sizes.items()}


def _run(program: Program, target: Target, name: str, linkage: str) -> str:
    signature, pointers = regions.arguments(_outer(program))
    w, T = Writer(), real(target.width)
    sizes = _sizes(program, target)
    total = sum(sizes.values())
    base = _memory(w, total, target)
    start = 0
    for buffer, size in sizes.items():
        pointers[buffer] = w.element(base, start, T)
        start += size
    for work in program.work:
        if work.zeroed:
            size = 8 * target.width * work.size
            w(f"call void @llvm.memset.p0.i64(ptr {pointers[work.name]}, i8 0, i64 {size}, i1 false)")
    for k, r in enumerate(program.regions):
        w(f"call void @region{k}({_passed(k, r, pointers)})")
    if total > ON_STACK:
        w(f"call void @free(ptr {base})")
    return define(f"{linkage} void @{name}({signature})", w, attributes(max(target.width, target.vector)))


def _memory(w: Writer, total: int, target: Target) -> str:
    """The work memory: stack if it is small."""
    if total == 0:
        return "null"
    if total <= ON_STACK:
        return w.let(f"alloca {real(target.width)}, i64 {total}, align 64")
    return w.let(f"call ptr @aligned_alloc(i64 64, i64 {8 * target.width * total})")


def _passed(k: int, region: Block | Scan | Solve, pointers: dict[str, str]) -> str:
    if isinstance(region, Solve):
        buffers = [region.matrix, region.right, region.result, f"region{k}"]
    else:
        buffers = regions.touched(region)
    return ", ".join(f"ptr {pointers[b]}" for b in buffers)
