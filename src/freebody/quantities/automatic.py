"""Derivatives of any nodes by the rules of differentiation: along the tangent of q, by u, by parameters.

The tangent of q is q̇ = N(q) δ, a direction for each free speed. Where a speed is the rate of one coordinate, that
coordinate is the direction; else q + N δ is put in the coordinates' places, differentiated by δ and taken at δ = 0.
"""

from collections.abc import Sequence
from functools import cached_property

from freebody.formulations.equations import Equations
from freebody.program.count import operations
from freebody.scalar.derivative import Entries, Mode, jacobian
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute

MODES: tuple[Mode, ...] = ("forward", "reverse")


class Tangent:
    """The directions along which q may move."""

    def __init__(self, e: Equations) -> None:
        self.e, self.graph = e, e.graph

    @cached_property
    def map(self) -> Entries:
        """N: ∂q̇/∂u by (coordinate, speed)."""
        return jacobian(self.graph, self.e.layout.q_dot, self.e.layout.u_handles)

    @cached_property
    def plain(self) -> dict[int, int]:
        """For each speed that is the rate of one coordinate, and of nothing else, this coordinate."""
        rows = dict[int, list[int]]()
        for i, j in self.map:
            rows.setdefault(i, []).append(j)
        found = {j: i for i, own in rows.items() for j in own if len(own) == 1 and self.map[i, j] == self.graph.one}
        return {j: i for j, i in found.items() if sum(own == j for _, own in self.map) == 1}

    @cached_property
    def directions(self) -> list[int]:
        """The symbol to differentiate by, for each speed."""
        g, layout = self.graph, self.e.layout
        named = [g.symbol(f"tangent.{n}", Kind.COORDINATE, f"displacement along {n}") for n in layout.u]
        return [layout.q_handles[self.plain[j]] if j in self.plain else named[j] for j in range(len(layout.u))]

    @cached_property
    def moved(self) -> dict[int, int]:
        """q + N δ of the coordinates that are no directions themselves."""
        g, layout, found = self.graph, self.e.layout, dict[int, int]()
        for (i, j), entry in self.map.items():
            if j not in self.plain:
                q = layout.q_handles[i]
                found[q] = g.add(found.get(q, q), g.mul(entry, self.directions[j]))
        return found

    def derivative(self, nodes: Sequence[int]) -> Entries:
        """∂nodes/∂δ."""
        g = self.graph
        made = substitute(g, list(nodes), self.moved) if self.moved else list(nodes)
        entries = shortest(self.e, made, self.directions)
        here = dict.fromkeys((d for j, d in enumerate(self.directions) if j not in self.plain), g.zero)
        return dict(zip(entries, substitute(g, list(entries.values()), here), strict=True)) if here else entries


def shortest(e: Equations, nodes: Sequence[int], variables: Sequence[int]) -> Entries:
    """∂nodes/∂variables in forward or reverse mode, whichever gives the fewer operations."""
    ways = [jacobian(e.graph, nodes, variables, mode) for mode in MODES]
    return min(ways, key=lambda way: operations(e.graph, list(way.values())))
