"""A program with fewer operations: its blocks are read back as graphs, their sums factored."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite

from freebody.program.code import Code, Store, compact, exact_numbers
from freebody.program.factor import WORK, factored
from freebody.program.program import Block, Program, Region
from freebody.program.stage import node_masks, settle
from freebody.scalar.graph import Graph
from freebody.scalar.ops import ARITY, CONST, SYMBOL
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind
from freebody.scalar.walk import computed, operands


def shortened(program: Program, work: int = WORK) -> Program:
    """The same values up to rounding, by as many operations or fewer; ``work`` as for ``factored``."""
    masks = settle(program)

    def shorten(region: Region) -> Region:
        if not isinstance(region, Block):
            return region
        code = region.code
        graph, roots = read_back(code, node_masks(region, 0, masks))
        result = factored(graph, roots, work)
        if result is None:
            return region
        g = result.graph
        stores = [Store(h, s.to, s.add) for h, s in zip(result.roots, code.stores, strict=True)]
        loads = {i: code.loads[int(g.symbols[g.a[i]].name)] for i in range(len(g)) if g.op[i] == SYMBOL}
        exact = exact_numbers(code.numbers)
        return Block(compact(g, stores, loads, lambda nodes: ordered(g, nodes, result.time), exact))

    return replace(program, regions=tuple(map(shorten, program.regions)))


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


def ordered(g: Graph, nodes: Sequence[int], time: Mapping[int, int]) -> list[int]:
    """The nodes (operands first, all that are needed) in an order in which values do not wait long, for a processor has
    few registers. Nodes are ordered by ``time``, that of the algorithm they stem from; what only one node needs, and
    what takes values that others need too, comes just before that node."""
    turn = dict[int, int]()
    for i in nodes:
        turn[i] = max([time.get(i, 0), *(turn[k] for k in operands(g, i) if k in turn)])
    early = sorted(nodes, key=lambda i: (turn[i], i))
    position = {i: k for k, i in enumerate(early)}
    users: dict[int, set[int]] = {i: set() for i in early if ARITY[g.op[i]]}
    for i in early:
        for k in operands(g, i):
            if k in users:
                users[k].add(i)
    late = dict[int, tuple[int, bool, int]]()
    for i in early:
        alone = len(users.get(i, ())) == 1 and all(len(users[k]) > 1 for k in operands(g, i) if k in users)
        late[i] = position[min(users[i])] if alone else position[i], not alone, position[i]
    return sorted(early, key=late.__getitem__)
