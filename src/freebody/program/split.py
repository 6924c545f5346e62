"""Division of blocks into functions of bounded size, which exchange values through a work buffer."""

from freebody.program.code import Address, Code, CodeBuilder, Store, computes
from freebody.program.program import Block, Program, Region, Work
from freebody.scalar.node import Node, all_nodes
from freebody.scalar.ops import SYMBOL
from freebody.scalar.walk import operands


def split(program: Program, size: int, buffer: str = "spill") -> Program:
    """The same program with no block of more than ``size`` operations. Compilers are superlinear; this makes them
    linear (docs/decisions/004)."""
    regions: list[Region] = []
    slots = 0
    for region in program.regions:
        if isinstance(region, Block) and len(computes(region.code)) > size:
            pieces, used = _cut(region.code, size, buffer)
            slots = max(slots, used)
            regions += [Block(p) for p in pieces]
        else:
            regions.append(region)
    work = (*program.work, Work(buffer, slots)) if slots else program.work
    return Program(program.name, program.groups, program.outputs, work, tuple(regions))


def _cut(code: Code, size: int, buffer: str) -> tuple[list[Code], int]:
    """The pieces of one block, and how many slots of the buffer they use."""
    work, stored = computes(code), {s.to for s in code.stores}
    early = [
        i for i in all_nodes(code) if code.op[i] == SYMBOL and code.loads[code.a[i]] in stored
    ]  # overwritten later
    piece = dict.fromkeys(early, 0) | {i: k // size for k, i in enumerate(work)}
    last: dict[Node, int] = {}  # the piece in which each value is last used
    for i in piece:
        for k in operands(code, i):
            if k in piece:
                last[k] = max(last.get(k, 0), piece[i])
    # A slot for each value that outlives its piece. One released in piece k is free from piece k + 1 on.
    spilled: dict[Node, Address] = {}
    free: list[int] = []
    ends: dict[int, list[int]] = {}
    slots, current = 0, 0
    for i in piece:
        while current < piece[i]:
            free += ends.pop(current, [])
            current += 1
        if last.get(i, current) > current:
            slot = free.pop() if free else slots
            slots, spilled[i] = max(slots, slot + 1), Address(buffer, slot)
            ends.setdefault(last[i], []).append(slot)
    stores: list[list[Store]] = [[] for _ in range(0, len(work), size)]
    for store in code.stores:
        stores[piece.get(store.value, 0)].append(store)  # with its value; numbers and loads are stored by the first
    pieces = []
    for number, kept in enumerate(stores):
        nodes, builder = [*(early if number == 0 else ()), *work[number * size : (number + 1) * size]], CodeBuilder()
        here = set(nodes)
        needed = [x for i in nodes for x in (*operands(code, i), i)] + [s.value for s in kept]
        for i in dict.fromkeys(needed):
            builder.take(code, i, {} if i in here else spilled)
        pieces.append(builder.code([*kept, *(Store(i, spilled[i]) for i in nodes if i in spilled)]))
    return pieces, slots
