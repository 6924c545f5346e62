"""Staging: what depends on parameters alone is computed once, by a setup program, and passed on as group ``hoisted``.

Masks flow from the input groups through every node and buffer; a loop's carried values are iterated until they settle.
A node whose mask is within ``PARAMETER`` moves to the setup program; where something that stays needs it, the setup
stores it and the main program loads it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from freebody.program.code import Address, Code, Store, clean
from freebody.program.dead import sweep
from freebody.program.program import Block, Group, Output, Program, Region, Scan, Solve
from freebody.scalar.ops import ARITY, SYMBOL
from freebody.scalar.symbol import EVERYTHING, PARAMETERS_ONLY
from freebody.scalar.walk import operands

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
    hoists = [_Hoist(program, region, masks) for region in program.regions]
    size = 0
    for hoist in hoists:
        size = hoist.allocate(size)
    if size == 0:
        return Staged(None, program)
    fixed = tuple(g for g in program.groups if g.fixed)
    output = Output(HOISTED, (size,))
    regions = tuple(r for r in (h.setup() for h in hoists) if r is not None)
    setup = Program(f"{program.name}_setup", fixed, (output,), program.work, regions)
    names = {k: n for h in hoists for k, n in h.names()}
    group = Group(HOISTED, tuple(names.get(k, f"{HOISTED}[{k}]") for k in range(size)), PARAMETERS_ONLY)
    groups = (*fixed, group, *(g for g in program.groups if not g.fixed))  # so that binding fixes leading arguments
    main = Program(program.name, groups, program.outputs, program.work, tuple(h.main() for h in hoists))
    return Staged(sweep(setup), sweep(main))


# Masks


def settle(program: Program) -> Masks:
    """The dependency mask of every number of every buffer."""
    masks: Masks = {name: np.zeros(size, np.int64) for name, size in program.sizes.items()}
    for group in program.groups:
        masks[group.name][:] = group.mask
    for output in program.outputs:
        masks[output.name][:] = EVERYTHING  # the setup program does not have it, so what reads it stays
    before = -1
    while (now := sum(int(m.sum()) for m in masks.values())) != before:
        before = now
        for region in program.regions:
            if isinstance(region, Solve):
                masks[region.result][:] = EVERYTHING
                continue
            for kind, code in enumerate(region.codes):
                mask = node_masks(region, kind, masks)
                for store in code.stores:
                    masks[store.to.buffer][_indices(region, kind, store.to)] |= mask[store.value]
    return masks


def node_masks(region: Block | Scan, kind: int, masks: Masks) -> list[int]:
    """The dependency mask of each node of a code, over all the steps it runs in."""
    code = region.codes[kind]
    mask = [0] * len(code)
    for i, op in enumerate(code.op):
        if op == SYMBOL:
            address = code.loads[code.a[i]]
            mask[i] = int(np.bitwise_or.reduce(masks[address.buffer][_indices(region, kind, address)], initial=0))
        for k in operands(code, i):
            mask[i] |= mask[k]
    return mask


def _indices(region: Block | Scan, kind: int, address: Address) -> NDArray[np.int64]:
    """The indices that an address points to, over the steps of this kind."""
    if isinstance(region, Block) or address.row < 0:
        return np.array([address.offset])
    return region.indices(kind, address)


# Moving


class _Hoist:
    """One region in two: which nodes move, where their values are stored, and the two regions that result."""

    def __init__(self, program: Program, region: Region, masks: Masks) -> None:
        self.region = region
        self.work = {w.name for w in program.work if not w.table}
        codes = () if isinstance(region, Solve) else region.codes
        self.masks = [node_masks(region, k, masks) for k in range(len(codes))]  # type: ignore[arg-type]
        self.frontiers = [self._frontier(code, mask) for code, mask in zip(codes, self.masks, strict=True)]
        self.start = 0
        self.starts: tuple[int, ...] = ()

    def _frontier(self, code: Code, mask: list[int]) -> list[int]:
        """The moved nodes that a node staying behind, or a store, needs. Operations and loads from work buffers are
        moved; numbers, tables and inputs are available everywhere."""

        def moves(i: int) -> bool:
            op = code.op[i]
            loaded = op == SYMBOL and code.loads[code.a[i]].buffer in self.work
            return mask[i] <= PARAMETERS_ONLY and (bool(ARITY[op]) or loaded)

        moved = [moves(i) for i in range(len(code))]
        needed = {k for i in range(len(code)) if not moved[i] for k in operands(code, i) if moved[k]}
        return sorted(needed | {s.value for s in code.stores if moved[s.value]})

    def allocate(self, start: int) -> int:
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

    def _rebuilt(self, codes: Iterable[Code]) -> Region:
        if isinstance(self.region, Scan):
            return Scan(self.region.name, tuple(codes), self.region.kinds, (*self.region.rows, self.starts))
        return Block(*codes)

    def setup(self) -> Region | None:
        """The region reduced to what moves: its values to ``hoisted``, and to the work buffers that others read."""
        if isinstance(self.region, Solve):
            return None

        def code(kind: int, code: Code) -> Code:
            mask, work = self.masks[kind], self.work
            stores = [s for s in code.stores if mask[s.value] <= PARAMETERS_ONLY and s.to.buffer in work]
            return clean(code, [*stores, *(Store(i, a) for i, a in self._slots(kind).items())])

        return self._rebuilt(code(k, c) for k, c in enumerate(self.region.codes))

    def main(self) -> Region:
        """The region with what moved replaced by loads."""
        if isinstance(self.region, Solve):
            return self.region
        return self._rebuilt(clean(c, loads=self._slots(k)) for k, c in enumerate(self.region.codes))
