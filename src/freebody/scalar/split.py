"""Blocks cut into pieces of bounded size; what one piece needs of an earlier one waits in a work buffer."""

from freebody.scalar.code import Address, Code, CodeBuilder, Store, computes
from freebody.scalar.ops import CONST, SYMBOL
from freebody.scalar.program import Block, Program, Region, Work
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
    if not slots:
        return program
    return Program(program.name, program.groups, program.outputs, (*program.work, Work(buffer, slots)), tuple(regions))


def cut(code: Code, size: int, buffer: str) -> tuple[list[Code], int]:
    """The pieces of one block, and how many slots of the buffer they use; a slot is used again when its value is
    no longer needed."""
    work = computes(code)
    piece = {i: k // size for k, i in enumerate(work)}
    last = _last_use(code, piece)
    slot, slots = _slots(work, piece, last)
    pieces = []
    for k in range(0, len(work), size):
        pieces.append(_piece(code, work[k : k + size], k // size, piece, slot, buffer))
    return pieces, slots


def _last_use(code: Code, piece: dict[int, int]) -> dict[int, int]:
    last: dict[int, int] = {}
    for i in piece:
        for k in operands(code, i):
            if k in piece:
                last[k] = max(last.get(k, 0), piece[i])
    return last


def _slots(work: list[int], piece: dict[int, int], last: dict[int, int]) -> tuple[dict[int, int], int]:
    """A slot for each value that outlives its piece. A slot given up in piece k is free from piece k+1 on."""
    slot: dict[int, int] = {}
    free: list[int] = []
    ends: dict[int, list[int]] = {}
    slots, current = 0, 0
    for i in work:
        while current < piece[i]:
            free += ends.pop(current, [])
            current += 1
        if last.get(i, current) > current:
            slot[i] = free.pop() if free else slots
            slots = max(slots, slot[i] + 1)
            ends.setdefault(last[i], []).append(slot[i])
    return slot, slots


def _piece(code: Code, nodes: list[int], k: int, piece: dict[int, int], slot: dict[int, int], buffer: str) -> Code:
    builder = CodeBuilder()
    here = set(nodes)

    def need(i: int) -> None:
        if i not in builder.at:
            builder.take(code, i, {i: Address(buffer, slot[i])} if i in slot and i not in here else {})

    for i in nodes:
        for operand in operands(code, i):
            need(operand)
        builder.take(code, i, {})
    stores = [s for s in code.stores if _belongs(code, s, k, piece)]
    for s in stores:
        need(s.value)
    moved = [Store(builder.at[s.value], s.to, s.add) for s in stores]
    kept = [Store(builder.at[i], Address(buffer, slot[i])) for i in nodes if i in slot]
    return builder.code([*moved, *kept])


def _belongs(code: Code, store: Store, k: int, piece: dict[int, int]) -> bool:
    """A store goes with the piece that computes its value; numbers and loads are stored by the first."""
    return k == (0 if code.op[store.value] in (CONST, SYMBOL) else piece[store.value])
