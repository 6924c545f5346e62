"""How joints give way to impulses, and what unit wrenches leave at each speed.

The joints' quantities are those of the elimination of speeds from the tips inwards, one after the other: h, what a
speed moves its link along; d = h* P h, what it resists with (P the articulated inertia); G = P h/d. Spatial vectors
have slides and forces first here.
"""

from collections.abc import Iterable, Sequence
from functools import reduce

from freebody.formulations.columns import entry
from freebody.formulations.elimination import Elimination, Gone, spatial
from freebody.formulations.equations import Equations
from freebody.formulations.inwards import Inwards, Push
from freebody.formulations.quantities.kinematics import pushed
from freebody.formulations.quantities.places import Where, link_of
from freebody.scalar.graph import Graph
from freebody.spatial.triples import Triple
from freebody.spatial.vector import components
from freebody.tree.forest import Link
from freebody.tree.inertia import base

Six = list[int]
Square = list[Six]


class Yielding:
    """The joints of a tree when all of them are free. ``gone`` says by link what became of its speeds."""

    def __init__(self, e: Equations) -> None:
        self.e, self.graph, inertias = e, e.graph, base(e.forest)
        z, links = self.graph.zero, e.forest.links
        none = Push((z, z, z), (z, z, z))
        self._inwards = Inwards(e.formulation.motion, inertias)
        elimination = Elimination(self._inwards, inertias, range(len(links)))
        groups = elimination.condensed([z] * len(e.layout.u), [none] * len(links))
        self.gone = {group.at.index: group for group in groups}

    def speed(self, group: Gone, n: int) -> tuple[Six, Six, int | None, int]:
        """h, G, axis and 1/d of the nth speed that a link eliminated. G leaves out what is known: 1 along the own axis
        (−1 for one that points against it), 0 along those of the speeds before."""
        g, column = self.graph, group.columns[n]
        inverse, link = group.inverse[column.place], group.at
        h = directions(link)[column.place]
        gone = {group.axes[c.place][0] for c in group.columns[: n + 1] if c.place in group.axes}
        G = [g.zero if i in gone else g.mul(x, inverse) for i, x in enumerate(spatial(column.push))]
        axis = (group.axes[column.place][0] + 3) % 6 if column.place in group.axes else None
        return h, [*G[3:], *G[:3]], axis, inverse

    def gram(self, places: Sequence[Where]) -> Square:
        """J M⁻¹ Jᵀ = Rᵀ D⁻¹ R, R = (1 − H ψ K) Jᵀ (Eq 3.6), above the diagonal and on it; below stand zeros."""
        g = self.graph
        inverse = {place: d for group in self.gone.values() for place, d in group.inverse.items()}
        left = [self._left(where, k) for where in places for k in range(6)]
        scaled = [{place: g.mul(x, inverse[place]) for place, x in row.items()} for row in left]
        return [
            [total(g, (g.mul(x, b[place]) for place, x in a.items() if place in b)) if i <= j else g.zero
             for i, a in enumerate(left)] for j, b in enumerate(scaled)
        ]  # fmt: skip

    def _left(self, where: Where, k: int) -> dict[int, int]:
        """By speeds: what is left for it of a unit wrench at a place, when all outboard of it has given way."""
        g, left = self.graph, dict[int, int]()
        push = pushed(self.e, where, [g.one if i == k else g.zero for i in range(6)])
        force = [*push.f, *push.n]
        for link in link_of(self.e, where).line():
            group = self.gone[link.index]
            if link.parent is None:
                return left | self._rest(group, force)
            for n, column in enumerate(group.columns):
                h, G, axis, _ = self.speed(group, n)
                z = left[column.place] = dot(g, h, force)
                force = [g.sub(f, g.mul(x, z)) for f, x in zip(force, G, strict=True)]
                force = [g.zero if i == axis else f for i, f in enumerate(force)]
            handed = self._inwards.handed(link, Push(three(force[:3]), three(force[3:])))
            force = [*handed.f, *handed.n]
        return left

    def _rest(self, group: Gone, force: Six) -> dict[int, int]:
        """At a link on the ground: L⁻¹ of what its speeds feel."""
        g = self.graph
        h = directions(group.at)
        places = [column.place for column in group.columns]
        left = {place: dot(g, h[place], force) for place in places}
        for n, j in enumerate(places):
            for k in (k for k in places[n + 1 :] if entry(j, k) in group.rows):
                left[k] = g.sub(left[k], g.mul(g.mul(group.rows[entry(j, k)], group.inverse[j]), left[j]))
        return left


def directions(link: Link) -> dict[int, Six]:
    """Of each speed of a joint what it moves its link along, slides first."""
    both = zip(link.u, link.slides, link.turns, strict=True)
    return {place: [*components(s, link.frame), *components(t, link.frame)] for place, s, t in both}


def dot(g: Graph, a: Sequence[int], b: Sequence[int]) -> int:
    return total(g, (g.mul(x, y) for x, y in zip(a, b, strict=True)))


def total(g: Graph, terms: Iterable[int]) -> int:
    return reduce(g.add, terms, g.zero)


def three(values: Sequence[int]) -> Triple:
    x, y, z = values
    return x, y, z
