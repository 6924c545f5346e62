"""Blocks cut into pieces of bounded size; what one piece needs of an earlier one is in a work buffer."""

from freebody.program.code import Address, Code, CodeBuilder, Store, computes
from freebody.program.program import Block, Program, Region, Work
from freebody.scalar.ops import SYMBOL
from freebody.scalar.walk import operands


def split(program: Program, size: int, buffer: str = "spill") -> Program:
    """The same program with no block of more than ``size`` operations. Compilers are superlinear; this makes them
    linear (docs/decisions/004)."""
    regions: list[Region] = []
    slots = 0
    for region in program.regions:
        if isinstance(region, Block) and len(computes(region.code)) > size:
            pieces, used = cut(region.code, size, buffer)
            slots = max(slots, used)
            regions += [Block(p) for p in pieces]
        else:
            regions.append(region)
    work = (*program.work, Work(buffer, slots)) if slots else program.work
    return Program(program.name, program.groups, program.outputs, work, tuple(regions))


def cut(code: Code, size: int, buffer: str) -> tuple[list[Code], int]:
    """The pieces of one block, and how many slots of the buffer they use; a slot is used again when its value is
    no longer needed."""
    work, stored = computes(code), {s.to for s in code.stores}
    early = [i for i, op in enumerate(code.op) if op == SYMBOL and code.loads[code.a[i]] in stored]  # overwritten later
    piece = dict.fromkeys(early, 0) | {i: k // size for k, i in enumerate(work)}
    nodes = [[*(early if k == 0 else ()), *work[k : k + size]] for k in range(0, len(work), size)]
    last: dict[int, int] = {}  # the piece in which each value is last used
    for i in piece:
        for k in operands(code, i):
            if k in piece:
                last[k] = max(last.get(k, 0), piece[i])
    slot, slots = _slots(piece, last)
    stores: list[list[Store]] = [[] for _ in nodes]
    for store in code.stores:
        stores[piece.get(store.value, 0)].append(store)  # with its value; numbers and loads are stored by the first
    spilled = {i: Address(buffer, k) for i, k in slot.items()}
    return [_piece(code, *both, spilled) for both in zip(nodes, stores, strict=True)], slots


def _slots(piece: dict[int, int], last: dict[int, int]) -> tuple[dict[int, int], int]:
    """A slot for each value that outlives its piece. A slot released in piece k is free from piece k+1 on."""
    slot: dict[int, int] = {}
    free: list[int] = []
    ends: dict[int, list[int]] = {}
    slots, current = 0, 0
    for i in piece:
        while current < piece[i]:
            free += ends.pop(current, [])
            current += 1
        if last.get(i, current) > current:
            slot[i] = free.pop() if free else slots
            slots = max(slots, slot[i] + 1)
            ends.setdefault(last[i], []).append(slot[i])
    return slot, slots


def _piece(code: Code, nodes: list[int], stores: list[Store], spilled: dict[int, Address]) -> Code:
    """The code of these nodes and stores; what it needs of earlier pieces is loaded from the buffer."""
    builder = CodeBuilder()
    here = set(nodes)

    def need(i: int) -> None:
        if i not in builder.at:
            builder.take(code, i, {} if i in here else spilled)

    for i in nodes:
        for operand in operands(code, i):
            need(operand)
        need(i)
    for s in stores:
        need(s.value)
    return builder.code([*builder.moved(stores), *(Store(builder.at[i], spilled[i]) for i in nodes if i in spilled)])
