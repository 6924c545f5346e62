"""Staging: a setup program computes what depends on parameters alone and passes it to the main program as group
``hoisted``; and removal of outputs that are not requested.

Masks flow from the input groups through every node and buffer; a loop's carried values are iterated until they settle.
A node whose mask is within ``PARAMETER`` moves to the setup program; where something that stays needs it, the setup
stores it and the main program loads it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from freebody.program.code import Address, Code, Store, clean
from freebody.program.program import Block, Group, Output, Program, Region, Scan, Solve, Work, buffers_of
from freebody.scalar.node import Node, all_nodes
from freebody.scalar.ops import ARITY, SYMBOL
from freebody.scalar.symbol import EVERYTHING, PARAMETERS_ONLY
from freebody.scalar.walk import operands

HOISTED = "hoisted"
Masks = dict[str, NDArray[np.int64]]


# Dead code


def select(program: Program, outputs: Iterable[str]) -> Program:
    """The program that computes only these outputs; another one that a region reads becomes a work buffer."""
    wanted = set(outputs)
    selected = tuple(o for o in program.outputs if o.key in wanted)
    others = tuple(Work(o.name, o.size) for o in program.outputs if o.key not in wanted)
    return sweep(Program(program.name, program.groups, selected, (*program.work, *others), program.regions))


def sweep(program: Program) -> Program:
    """The program without dead code: stores to work buffers that nothing reads, and what only they need, are removed
    until nothing more is unused."""
    while True:
        alive = {b for region in program.regions for b in buffers_of(region)[0]} | {o.name for o in program.outputs}
        regions: list[Region] = []
        for region in program.regions:
            if isinstance(region, Solve):
                regions += [region] if region.result in alive else []
                continue
            stores = [[s for s in code.stores if s.to.buffer in alive] for code in region.codes]
            if any(stores):
                both = zip(region.codes, stores, strict=True)
                codes = [code if len(live) == len(code.stores) else clean(code, live) for code, live in both]
                regions.append(_rebuilt(region, codes))
        work = tuple(w for w in program.work if w.name in alive)
        swept = Program(program.name, program.groups, program.outputs, work, tuple(regions))
        if swept == program:
            return program
        program = swept


def _rebuilt(region: Block | Scan, codes: Iterable[Code], *rows: tuple[int, ...]) -> Region:
    """The region with other codes; a scan with more index lists."""
    if isinstance(region, Scan):
        return Scan(region.name, tuple(codes), region.kinds, (*region.rows, *rows))
    return Block(*codes)


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
                    masks[store.to.buffer][region.indices(kind, store.to)] |= mask[store.value]
    return masks


def node_masks(region: Block | Scan, kind: int, masks: Masks) -> list[int]:
    """The dependency mask of each node of a code, over all the steps it runs in."""
    code = region.codes[kind]
    mask = [0] * len(code)
    for i, op in zip(all_nodes(code), code.op, strict=True):
        if op == SYMBOL:
            address = code.loads[code.a[i]]
            mask[i] = int(np.bitwise_or.reduce(masks[address.buffer][region.indices(kind, address)], initial=0))
        for k in operands(code, i):
            mask[i] |= mask[k]
    return mask


# Stages


@dataclass(frozen=True)
class Staged:
    """``setup`` (from parameters to ``hoisted``; None if there is nothing to hoist) and ``main`` (everything else)."""

    setup: Program | None
    main: Program


def stage(program: Program, hoisted: str = HOISTED) -> Staged:
    """Split a program into what is done once per parameter set and what is done per call; ``hoisted`` is the name of
    the group that the one passes to the other."""
    masks, work = settle(program), {w.name for w in program.work if not w.table}
    names: dict[int, str] = {}  # of hoisted values that have a label
    parts = []
    size = 0
    for number, region in enumerate(program.regions):
        if isinstance(region, Solve):
            continue
        masks_of = [node_masks(region, kind, masks) for kind in range(len(region.codes))]
        nodes = [_frontier(*both, work) for both in zip(region.codes, masks_of, strict=True)]
        rows: tuple[tuple[int, ...], ...] = ()
        if isinstance(region, Scan):  # one row of slots per step
            slots = [{i: Address(hoisted, k, len(region.rows)) for k, i in enumerate(chosen)} for chosen in nodes]
            *starts, size = (int(end) for end in np.cumsum([size, *(len(nodes[kind]) for kind in region.kinds)]))
            rows = (tuple(starts),)
        else:
            slots, labels = [{i: Address(hoisted, size + k) for k, i in enumerate(nodes[0])}], region.code.labels
            names |= {a.offset: labels[i][0].name for i, a in slots[0].items() if i in labels}
            size += len(nodes[0])
        parts.append((number, region, rows, list(zip(region.codes, masks_of, slots, strict=True))))
    if size == 0:
        return Staged(None, program)
    setups: list[Region] = []
    mains = list(program.regions)
    for number, block, rows, codes in parts:
        early = []
        for code, mask, slot in codes:
            stores = [s for s in code.stores if mask[s.value] <= PARAMETERS_ONLY and s.to.buffer in work]
            early.append(clean(code, [*stores, *(Store(i, a) for i, a in slot.items())]))
        setups.append(_rebuilt(block, early, *rows))
        mains[number] = _rebuilt(block, [clean(code, loads=slot) for code, _, slot in codes], *rows)
    fixed = tuple(g for g in program.groups if g.fixed)
    setup = Program(f"{program.name}_setup", fixed, (Output(hoisted, (size,)),), program.work, tuple(setups))
    group = Group(hoisted, tuple(names.get(k, f"{hoisted}[{k}]") for k in range(size)), PARAMETERS_ONLY)
    groups = (*fixed, group, *(g for g in program.groups if not g.fixed))  # so that binding fixes leading arguments
    main = Program(program.name, groups, program.outputs, program.work, tuple(mains))
    return Staged(sweep(setup), sweep(main))


def _frontier(code: Code, mask: list[int], work: set[str]) -> list[Node]:
    """The nodes that move to the setup program and that a node staying behind, or a store, needs. Operations and loads
    from work buffers move; numbers, tables and inputs are available everywhere."""
    moved = [
        mask[i] <= PARAMETERS_ONLY and (bool(ARITY[op]) or (op == SYMBOL and code.loads[code.a[i]].buffer in work))
        for i, op in zip(all_nodes(code), code.op, strict=True)
    ]
    needed = {k for i in all_nodes(code) if not moved[i] for k in operands(code, i) if moved[k]}
    return sorted(needed | {s.value for s in code.stores if moved[s.value]})
