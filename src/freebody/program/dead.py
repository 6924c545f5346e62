"""Dead code: stores to work buffers that nothing reads, what only they need, and outputs that are not wanted."""

from collections.abc import Iterable

from freebody.program.code import clean
from freebody.program.program import Block, Program, Region, Scan, Solve, Work, buffers_of


def select(program: Program, outputs: Iterable[str]) -> Program:
    """The program that computes only these outputs; another one that a region reads becomes a work buffer."""
    wanted = set(outputs)
    selected = tuple(o for o in program.outputs if o.name in wanted)
    others = tuple(Work(o.name, o.size) for o in program.outputs if o.name not in wanted)
    return sweep(Program(program.name, program.groups, selected, (*program.work, *others), program.regions))


def sweep(program: Program) -> Program:
    """The program without dead code: regions, stores and work buffers are removed until nothing more is unused."""
    while True:
        read = {b for region in program.regions for b in buffers_of(region)[0]}
        alive = read | {o.name for o in program.outputs}
        regions = tuple(r for r in (_prune(region, alive) for region in program.regions) if r is not None)
        work = tuple(w for w in program.work if w.name in alive)
        swept = Program(program.name, program.groups, program.outputs, work, regions)
        if swept == program:
            return program
        program = swept


def _prune(region: Region, alive: set[str]) -> Region | None:
    """The region without stores to buffers that are not alive; None when nothing is left of it."""
    if isinstance(region, Solve):
        return region if region.result in alive else None
    live = [[s for s in code.stores if s.to.buffer in alive] for code in region.codes]
    if not any(live):
        return None
    codes = tuple(
        code if len(stores) == len(code.stores) else clean(code, stores)
        for code, stores in zip(region.codes, live, strict=True)
    )
    return Block(codes[0]) if isinstance(region, Block) else Scan(region.name, codes, region.kinds, region.rows)
