"""A program with fewer operations: its blocks are read back as graphs, their sums factored."""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

from freebody.program.code import Address, Code, Store, compact, exact_numbers
from freebody.program.factor import WORK, factored
from freebody.program.order import ordered
from freebody.program.program import Block, Program, Region
from freebody.program.stage import Masks, node_masks, settle
from freebody.scalar.graph import Graph
from freebody.scalar.ops import CONST, SYMBOL
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind
from freebody.scalar.walk import computed


def shortened(program: Program, work: int = WORK) -> Program:
    """The same values up to rounding, by as many operations or fewer; ``work`` as for ``factored``."""
    masks = settle(program)
    return replace(program, regions=tuple(_region(r, masks, work) for r in program.regions))


def _region(region: Region, masks: Masks, work: int) -> Region:
    if not isinstance(region, Block):
        return region
    g, roots = read_back(region.code, node_masks(region, 0, masks))
    found = factored(g, roots, work)
    if found is None:
        return region
    stores = [Store(h, s.to, s.add) for h, s in zip(found.roots, region.code.stores, strict=True)]
    loads = {h: _address(found.graph, h, region.code) for h in _symbols(found.graph)}
    exact = exact_numbers(region.code.numbers)
    return Block(compact(found.graph, stores, loads, lambda nodes: ordered(found.graph, nodes, found.time), exact))


def read_back(code: Code, masks: Sequence[int]) -> tuple[Graph, list[int]]:
    """Code as a graph in which each load is a symbol, and what it stores."""
    g, at = Graph(), dict[int, int]()
    for i, op in enumerate(code.op):
        if op == SYMBOL:
            at[i] = g.symbol(str(code.a[i]), Kind.INTERMEDIATE, mask=masks[i] or PARAMETERS_ONLY)
        elif op == CONST:
            value = float(code.numbers[code.a[i]])
            at[i] = g.const(value) if isfinite(value) else g.fail(str(value), value)
        else:
            at[i] = computed(code, i, g, at)
        for label in code.labels.get(i, ()) if g.op[at[i]] != CONST else ():
            g.label(at[i], label.name, label.description)
    return g, [at[s.value] for s in code.stores]


def _symbols(g: Graph) -> list[int]:
    return [i for i in range(len(g)) if g.op[i] == SYMBOL]


def _address(g: Graph, symbol: int, code: Code) -> Address:
    return code.loads[int(g.symbols[g.a[symbol]].name)]
