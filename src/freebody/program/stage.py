"""Staging: what depends on parameters alone is computed once, by a setup program, and handed on as a group ``hoisted``.

Masks flow from the input groups through every node and buffer; a loop's carried values are iterated until they settle.
A node whose mask is within ``PARAMETER`` moves to the setup program; where something that stays needs it, the setup
stores it and the main program loads it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from freebody.program.code import Address, Code, CodeBuilder, Store, clean
from freebody.program.dead import sweep
from freebody.program.program import Block, Group, Output, Program, Region, Scan, Solve
from freebody.scalar.ops import ARITY, SYMBOL
from freebody.scalar.symbol import EVERYTHING, PARAMETERS_ONLY
from freebody.scalar.walk import live, operands

HOISTED = "hoisted"
Masks = dict[str, NDArray[np.int64]]


@dataclass(frozen=True)
class Staged:
    """``setup`` (from parameters to ``hoisted``; None if there is nothing to hoist) and ``main`` (everything else)."""

    setup: Program | None
    main: Program


def stage(program: Program) -> Staged:
    """Split a program into what is done once per parameter set and what is done per call."""
    masks = settle(program)
    moved = [_Hoist(program, region, masks) for region in program.regions]
    size = 0
    for hoist in moved:
        size = hoist.place(size)
    if size == 0:
        return Staged(None, program)
    return Staged(_setup(program, moved, size), _main(program, moved, size))


def _setup(program: Program, moved: "list[_Hoist]", size: int) -> Program:
    groups = tuple(g for g in program.groups if g.fixed)
    regions = tuple(r for r in (h.setup() for h in moved) if r is not None)
    name = f"{program.name}_setup"
    return sweep(Program(name, groups, (Output(HOISTED, (size,)),), program.work, regions))


def _main(program: Program, moved: "list[_Hoist]", size: int) -> Program:
    names = {k: n for h in moved for k, n in h.names()}
    group = Group(HOISTED, tuple(names.get(k, f"{HOISTED}[{k}]") for k in range(size)), PARAMETERS_ONLY)
    regions = tuple(h.main() for h in moved)
    return sweep(Program(program.name, _ordered(program.groups, group), program.outputs, program.work, regions))


def _ordered(groups: tuple[Group, ...], hoisted: Group) -> tuple[Group, ...]:
    """Parameters, what was hoisted, then what changes per call: so that binding fixes the leading arguments."""
    fixed = tuple(g for g in groups if g.fixed)
    return (*fixed, hoisted, *(g for g in groups if not g.fixed))


# Masks


def settle(program: Program) -> Masks:
    """For every number of every buffer, what it depends on."""
    masks: Masks = {name: np.zeros(size, np.int64) for name, size in program.sizes.items()}
    for group in program.groups:
        masks[group.name][:] = group.mask
    for output in program.outputs:
        masks[output.name][:] = EVERYTHING  # the setup program does not have it, so what reads it stays
    before = -1
    while (now := sum(int(m.sum()) for m in masks.values())) != before:
        before = now
        for region in program.regions:
            _flow(region, masks)
    return masks


def _flow(region: Region, masks: Masks) -> None:
    if isinstance(region, Solve):
        masks[region.result][:] = EVERYTHING
        return
    for kind, code in enumerate(region.codes):
        mask = node_masks(region, kind, masks)
        for store in code.stores:
            masks[store.to.buffer][_places(region, kind, store.to)] |= mask[store.value]


def node_masks(region: Block | Scan, kind: int, masks: Masks) -> list[int]:
    """What each node of a code depends on, over all the steps it runs in."""
    code = region.codes[kind]
    mask = [0] * len(code)
    for i, op in enumerate(code.op):
        if op == SYMBOL:
            address = code.loads[code.a[i]]
            mask[i] = int(np.bitwise_or.reduce(masks[address.buffer][_places(region, kind, address)], initial=0))
        for k in operands(code, i):
            mask[i] |= mask[k]
    return mask


def _places(region: Block | Scan, kind: int, address: Address) -> NDArray[np.int64]:
    """Everywhere an address points to, over the steps of this kind."""
    if isinstance(region, Block) or address.row < 0:
        return np.array([address.offset])
    return region.places(kind, address)


# Moving


class _Hoist:
    """One region taken apart: which nodes move, where their values are kept, and the two regions that result."""

    def __init__(self, program: Program, region: Region, masks: Masks) -> None:
        self.region = region
        self.work = {w.name for w in program.work if not w.table}
        codes = () if isinstance(region, Solve) else region.codes
        self.masks = [node_masks(region, k, masks) for k in range(len(codes))]  # type: ignore[arg-type]
        self.frontiers = [self._frontier(code, mask) for code, mask in zip(codes, self.masks, strict=True)]
        self.start = 0
        self.starts: tuple[int, ...] = ()

    def _frontier(self, code: Code, mask: list[int]) -> list[int]:
        """The moved nodes that something staying behind, or a store, needs. Parameters themselves are not moved."""
        moves = [m <= PARAMETERS_ONLY and self._worth(code, i) for i, m in enumerate(mask)]
        needed = {k for i in range(len(code)) if not moves[i] for k in operands(code, i) if moves[k]}
        return sorted(needed | {s.value for s in code.stores if moves[s.value]})

    def _worth(self, code: Code, i: int) -> bool:
        """An operation, or a load from a work buffer; numbers, tables and inputs are where they are needed anyway."""
        return bool(ARITY[code.op[i]]) or (code.op[i] == SYMBOL and code.loads[code.a[i]].buffer in self.work)

    def place(self, start: int) -> int:
        """Take slots of ``hoisted`` from ``start`` on, one row per step for a scan; the next free one is returned."""
        self.start = start
        if isinstance(self.region, Scan):
            ends = np.cumsum([0, *(len(self.frontiers[k]) for k in self.region.kinds)]) + start
            self.starts = tuple(int(x) for x in ends[:-1])
            return int(ends[-1])
        return start + sum(map(len, self.frontiers))

    def names(self) -> Iterator[tuple[int, str]]:
        """Slots of values that have a name."""
        if isinstance(self.region, Block):
            labels = self.region.code.labels
            yield from ((self.start + k, labels[i][0].name) for k, i in enumerate(self.frontiers[0]) if i in labels)

    def _slots(self, kind: int) -> Mapping[int, Address]:
        if isinstance(self.region, Scan):
            row = len(self.region.rows)
            return {i: Address(HOISTED, k, row) for k, i in enumerate(self.frontiers[kind])}
        return {i: Address(HOISTED, self.start + k) for k, i in enumerate(self.frontiers[kind])}

    def _rebuilt(self, codes: tuple[Code, ...]) -> Region:
        if isinstance(self.region, Scan):
            return Scan(self.region.name, codes, self.region.kinds, (*self.region.rows, self.starts))
        return Block(codes[0])

    def setup(self) -> Region | None:
        """The region reduced to what moves: its values to ``hoisted``, and to the work buffers others read."""
        if isinstance(self.region, Solve):
            return None
        return self._rebuilt(tuple(self._setup_code(code, k) for k, code in enumerate(self.region.codes)))

    def _setup_code(self, code: Code, kind: int) -> Code:
        kept = [s for s in code.stores if self.masks[kind][s.value] <= PARAMETERS_ONLY and s.to.buffer in self.work]
        return clean(code, [*kept, *(Store(i, a) for i, a in self._slots(kind).items())])

    def main(self) -> Region:
        """The region with what moved replaced by loads."""
        if isinstance(self.region, Solve):
            return self.region
        return self._rebuilt(tuple(self._main_code(code, k) for k, code in enumerate(self.region.codes)))

    def _main_code(self, code: Code, kind: int) -> Code:
        loads = self._slots(kind)
        builder = CodeBuilder()
        for i in live(code, [s.value for s in code.stores], loads):
            builder.take(code, i, loads)
        return builder.code([Store(builder.at[s.value], s.to, s.add) for s in code.stores])
