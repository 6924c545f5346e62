"""A program as a module of LLVM IR: its regions, the function that runs them, and the loop over a batch."""

from collections.abc import Mapping
from dataclasses import replace

from freebody.backends.llvm import region as regions
from freebody.backends.llvm.helpers import Helpers
from freebody.backends.llvm.ir import Writer, attributes, define, global_doubles
from freebody.backends.llvm.memory import DECLARATIONS, fill_with_nan, memory
from freebody.backends.llvm.region import Target
from freebody.backends.llvm.solve import scratch, solve
from freebody.backends.regions import touched
from freebody.program.program import Block, Program, Scan, Solve


def emit(program: Program, target: Target, name: str = "run", linkage: str = "") -> tuple[str, Helpers]:
    """The module: @name(inputs…, outputs…), a pointer each; and what its helpers need at load time."""
    helpers = Helpers()
    if _is_one_block(program):
        texts = [_alone(program, target, helpers, name, linkage)]
    else:
        tables = {w.name: f"numbers{k}" for k, w in enumerate(program.tables)}
        target = replace(target, uniform=target.uniform | set(tables))
        texts = [global_doubles(tables[w.name], w.values) for w in program.tables]
        texts += [_region(f"region{k}", r, target, helpers) for k, r in enumerate(program.regions)]
        texts += [_run(program, target, name, linkage, tables)]
    return "\n".join([*DECLARATIONS, *helpers.text(), *texts]), helpers


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


def _sizes(program: Program, target: Target) -> dict[str | int, int]:
    """Work buffers by name, and solves' scratch by the number of the region, in numbers."""
    solves = [(k, r) for k, r in enumerate(program.regions) if isinstance(r, Solve)]
    work: dict[str | int, int] = {w.name: w.size for w in program.work if not w.table}
    return work | {k: scratch(r, target.width, target.vector) for k, r in solves}


def _run(program: Program, target: Target, name: str, linkage: str, tables: Mapping[str, str]) -> str:
    signature, outer = regions.arguments(_outer(program))
    w, sizes = Writer(), _sizes(program, target)

    def lost() -> None:
        for o in program.outputs:
            fill_with_nan(w, outer[o.name], o.size, target.width)

    with memory(w, list(sizes.values()), target.width, lost) as places:
        pointers = dict(zip((*outer, *sizes), (*outer.values(), *places), strict=True))
        pointers |= {work: f"@{table}" for work, table in tables.items()}
        for work in program.work:
            if work.zeroed:
                size = 8 * target.width * work.size
                w(f"call void @llvm.memset.p0.i64(ptr {pointers[work.name]}, i8 0, i64 {size}, i1 false)")
        for k, r in enumerate(program.regions):
            w(f"call void @region{k}({_passed(k, r, pointers)})")
    return define(f"{linkage} void @{name}({signature})", w, attributes(max(target.width, target.vector)))


def _passed(k: int, region: Block | Scan | Solve, pointers: Mapping[str | int, str]) -> str:
    buffers: list[str | int] = [*touched(region)]
    if isinstance(region, Solve):
        buffers = [region.matrix, region.right, region.result, k]
    return ", ".join(f"ptr {pointers[b]}" for b in buffers)
