"""The order of straight-line code: values should not wait long, for a processor has few registers.

Nodes come with a time, that of the algorithm they stem from, and take their turn by it; what only one node needs, and
what takes values that others need too, is left until just before that node.
"""

from collections.abc import Mapping, Sequence

from freebody.scalar.graph import Graph
from freebody.scalar.ops import ARITY
from freebody.scalar.walk import operands


def ordered(g: Graph, nodes: Sequence[int], time: Mapping[int, int]) -> list[int]:
    """The nodes (operands first, all that are needed) in the order in which they are best computed."""
    turn = dict[int, int]()
    for i in nodes:
        turn[i] = max([time.get(i, 0), *(turn[k] for k in operands(g, i) if k in turn)])
    early = sorted(nodes, key=lambda i: (turn[i], i))
    return _late(g, early)


def _late(g: Graph, nodes: Sequence[int]) -> list[int]:
    place = {i: k for k, i in enumerate(nodes)}
    users: dict[int, set[int]] = {i: set() for i in nodes if ARITY[g.op[i]]}
    for i in nodes:
        for k in operands(g, i):
            if k in users:
                users[k].add(i)
    turn = dict[int, tuple[int, bool, int]]()
    for i in nodes:
        alone = len(users.get(i, ())) == 1 and all(len(users[k]) > 1 for k in operands(g, i) if k in users)
        turn[i] = place[min(users[i])] if alone else place[i], not alone, place[i]
    return sorted(nodes, key=turn.__getitem__)
