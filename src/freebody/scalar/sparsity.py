"""Which roots depend on which variables through which nodes, and what a derivative by either mode would cost.

Sets of variables and of roots are the bits of Python integers.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from freebody.scalar.graph import Graph
from freebody.scalar.ops import ADD, NEG, SUB
from freebody.scalar.partials import local
from freebody.scalar.walk import live

LINEAR = frozenset((ADD, SUB, NEG))


class Part(NamedTuple):
    """Rows and columns of a Jacobian that no other rows and columns share, and the nodes between them."""

    rows: list[int]
    columns: list[int]
    nodes: list[int]


class Dependence:
    """What lies between variables and roots.

    ``reach[i]`` has the bits of the variables that node i depends on, ``back[i]`` those of the roots that depend on it;
    only nodes that have both are listed in ``nodes``, operands first, and variables are not nodes.
    """

    def __init__(self, g: Graph, roots: Sequence[int], variables: Sequence[int]) -> None:
        self.g, self.roots, self.variables = g, roots, variables
        self.active: dict[int, tuple[int, ...]] = {}  # which operands of a node's rule depend on variables
        self.edges: dict[int, tuple[int, ...]] = {}  # these operands
        self.reach = {v: 1 << j for j, v in enumerate(variables)}
        self._forward(live(g, roots))
        self.back: dict[int, int] = {r: 1 << k for k, r in enumerate(roots) if r in self.reach}
        self._backward()
        self.nodes = [i for i in self.edges if i in self.back]

    def _forward(self, nodes: Iterable[int]) -> None:
        reach = self.reach
        for i in nodes:
            node = local(self.g, i)
            factors = node.rule.factors
            active = tuple([k for k, j in enumerate(node.ids) if j in reach and factors[k] is not None])
            if active:
                self.active[i], self.edges[i] = active, tuple([node.ids[k] for k in active])
                reach[i] = union([reach[j] for j in self.edges[i]])

    def _backward(self) -> None:
        back = self.back
        for i in reversed(self.edges):
            if i in back:
                for j in self.edges[i]:
                    back[j] = back.get(j, 0) | back[i]

    def parts(self) -> list[Part]:
        """The connected parts of the Jacobian, by their first rows."""
        owner: dict[int, int] = {}
        found: list[Part] = []
        for k, r in enumerate(self.roots):
            if r in self.reach and k not in owner:
                rows, columns = self._connected(k)
                owner.update(dict.fromkeys(rows, len(found)))
                found.append(Part(rows, columns, []))
        for i in self.nodes:
            found[owner[first(self.back[i])]].nodes.append(i)
        return found

    def _connected(self, row: int) -> tuple[list[int], list[int]]:
        rows, columns, new = 1 << row, 0, 1 << row
        while new:
            fresh = union(self.reach[self.roots[k]] for k in bits(new)) & ~columns
            columns |= fresh
            new = union(self.back[self.variables[j]] for j in bits(fresh)) & ~rows
            rows |= new
        return list(bits(rows)), list(bits(columns))

    def forward_cost(self, part: Part) -> int:
        """Multiplications and additions of forward mode: each node scales its operands' tangents and adds them."""
        total = 0
        for i in part.nodes:
            count = [(j in self.edges, self.reach[j].bit_count()) for j in self.edges[i]]
            total += sum(n for _, n in count) - self.reach[i].bit_count()
            total += 0 if self.g.op[i] in LINEAR else sum(n for inner, n in count if inner)
        return total

    def reverse_cost(self, part: Part) -> int:
        """Multiplications and additions of reverse mode: each node scales its adjoints for its operands, which add."""
        total = 0
        for i in part.nodes:
            count, edges = self.back[i].bit_count(), len(self.edges[i])
            total += count * (edges - 1)
            total += 0 if self.g.op[i] in LINEAR or (count == 1 and i in self._roots) else count * edges
        return total

    @cached_property
    def _roots(self) -> set[int]:
        return set(self.roots)


def members(nodes: Iterable[int], sets: Mapping[int, int]) -> dict[int, list[int]]:
    """For each bit the nodes whose set has it, in the order of the nodes."""
    found: dict[int, list[int]] = defaultdict(list)
    for i in nodes:
        for k in bits(sets[i]):
            found[k].append(i)
    return found


def union(sets: Iterable[int]) -> int:
    """All bits of the sets."""
    total = 0
    for s in sets:
        total |= s
    return total


def first(s: int) -> int:
    """The lowest bit of a set."""
    return (s & -s).bit_length() - 1


def bits(s: int) -> Iterator[int]:
    """The bits of a set, lowest first."""
    while s:
        k = first(s)
        yield k
        s ^= 1 << k
