"""How joints give way to impulses, and what unit wrenches leave at each speed.

The joints' quantities are those of the elimination of speeds from the tips inwards, one after the other: h, what a
speed moves its link along; d = h* P h, what it resists with (P the articulated inertia); G = P h/d.
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import NamedTuple

from freebody.formulations.equations import Equations
from freebody.quantities.kinematics import placed
from freebody.quantities.places import Where, link_of
from freebody.scalar.graph import Graph
from freebody.spatial.resolved import Twist, Wrench
from freebody.tree.elimination import Elimination, Group
from freebody.tree.inertia import base
from freebody.tree.mass import entry

Square = list[list[int]]


class Speed(NamedTuple):
    """Of a speed that a link eliminated: h, G (less what is known: 1 along the own axis, −1 for one that points against
    it, 0 along those of the speeds before), the own axis where there is one, 1/d."""

    h: Twist
    G: Wrench
    axis: int | None
    inverse: int


class Yielding:
    """The joints of a tree when all of them are free. ``gone`` says by link what became of its speeds."""

    def __init__(self, e: Equations) -> None:
        self.e, self.graph = e, e.graph
        self.elimination = Elimination(e.forest, base(e.forest))
        groups = self.elimination.condense([e.graph.zero] * len(e.layout.u))
        self.gone = {group.at.index: group for group in groups}

    def speed(self, group: Group, n: int) -> Speed:
        """The nth speed that a link eliminated."""
        column, axes = group.columns[n], group.axes
        inverse = self.elimination.inverse[column.speed]
        gone = {axes[c.speed][0] for c in group.columns[: n + 1] if c.speed in axes}
        axis = axes[column.speed][0] if column.speed in axes else None
        return Speed(directions(group)[column.speed], column.wrench.without(gone).times(inverse), axis, inverse)

    def gram(self, places: Sequence[Where]) -> Square:
        """J M⁻¹ Jᵀ = Rᵀ D⁻¹ R, R = (1 − H ψ K) Jᵀ (Eq 3.6), above the diagonal and on it; below stand zeros."""
        g, inverse = self.graph, self.elimination.inverse
        left = [self._left(where, k) for where in places for k in range(6)]
        scaled = [{speed: g.mul(x, inverse[speed]) for speed, x in row.items()} for row in left]
        return [
            [total(g, (g.mul(x, b[speed]) for speed, x in a.items() if speed in b)) if i <= j else g.zero
             for i, a in enumerate(left)] for j, b in enumerate(scaled)
        ]  # fmt: skip

    def _left(self, where: Where, k: int) -> dict[int, int]:
        """By speeds: what is left for it of a unit wrench at a place, when all outboard of it has given way."""
        g, left = self.graph, dict[int, int]()
        F = placed(self.e, where, [g.one if i == k else g.zero for i in range(6)])
        for link in link_of(self.e, where).line():
            group = self.gone[link.index]
            if link.parent is None:
                return left | self._rest(group, F)
            for n, column in enumerate(group.columns):
                h, G, axis, _ = self.speed(group, n)
                z = left[column.speed] = h.dot(F)
                F = (F - G.times(z)).without(set() if axis is None else {axis})
            F = F.back(link.X)
        return left

    def _rest(self, group: Group, F: Wrench) -> dict[int, int]:
        """At a link on the ground: L⁻¹ of what its speeds feel."""
        g, rows, inverse = self.graph, self.elimination.rows, self.elimination.inverse
        h, speeds = directions(group), [column.speed for column in group.columns]
        left: dict[int, int] = {speed: h[speed].dot(F) for speed in speeds}
        for n, j in enumerate(speeds):
            for k in (k for k in speeds[n + 1 :] if entry(j, k) in rows):
                left[k] = g.sub(left[k], g.mul(g.mul(rows[entry(j, k)], inverse[j]), left[j]))
        return left


def directions(group: Group) -> dict[int, Twist]:
    """Of each speed of a joint what it moves its link along."""
    return {c.speed: c.twist for c in group.at.columns}


def total(g: Graph, terms: Iterable[int]) -> int:
    return reduce(g.add, terms, g.zero)
