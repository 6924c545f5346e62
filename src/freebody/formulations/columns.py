"""The mass matrix by composite bodies: each speed's column is a force and a torque handed inwards.

The column of speed k is what u̇_k = 1 alone needs; a link with all that hangs on it moves as one body then, so the force
and torque at its origin follow from the composite's inertia, and are handed to the root unchanged.
"""

from collections.abc import Sequence
from functools import cached_property

from freebody.formulations.efforts import armatures
from freebody.formulations.inwards import Inwards, Push
from freebody.scalar.graph import Graph
from freebody.spatial.triples import Triple, add3, cross3, scale3
from freebody.spatial.vector import components
from freebody.tree.forest import Link
from freebody.tree.inertia import Inertia, plus, to_parent


class Columns:
    """M of the links, from their inertias."""

    def __init__(self, inwards: Inwards, inertias: Sequence[Inertia], by_trace: bool = False) -> None:
        self.inwards, self.inertias, self.by_trace = inwards, inertias, by_trace
        self.graph: Graph = inwards.graph
        self.links = inwards.links

    @cached_property
    def composites(self) -> list[Inertia]:
        """Each link with all that hangs on it, about its own origin."""
        total = list(self.inertias)
        for link in reversed(self.links):
            if link.parent is not None:
                handed = to_parent(link, total[link.index], link.parent.frame)
                total[link.parent.index] = plus(self.graph, total[link.parent.index], handed)
        return total

    @cached_property
    def mass(self) -> dict[tuple[int, int], int]:
        """M's lower triangle; entries that are structurally zero are absent."""
        entries: dict[tuple[int, int], int] = {}
        added = armatures(self.inwards.motion.forest)
        for link in self.links:
            for k, place in enumerate(link.u):
                push = self._column(link, k)
                for row, value in zip(link.u, self.inwards.along(link, push), strict=True):
                    if row <= place:
                        gather(self.graph, entries, place, row, value)
                self._inwards(link, place, push, entries)
        for place, value in added.items():
            gather(self.graph, entries, place, place, value)
        return {key: value for key, value in sorted(entries.items()) if value != self.graph.zero}

    def _inwards(self, link: Link, place: int, push: Push, entries: dict[tuple[int, int], int]) -> None:
        while link.parent is not None:
            push, link = self.inwards.handed(link, push), link.parent
            for row, value in zip(link.u, self.inwards.along(link, push), strict=True):
                gather(self.graph, entries, place, row, twice(self.graph, value) if row == place else value)

    def _column(self, link: Link, k: int) -> Push:
        """Force and torque that u̇_k = 1 alone needs: F = m l + e × h, N = J e + h × l."""
        g, c = self.graph, self.composites[link.index]
        e, l = components(link.turns[k], link.frame), components(link.slides[k], link.frame)
        f = add3(g, scale3(g, c.m, l), cross3(g, e, c.h))
        return Push(f, add3(g, rotated(g, c, e, self.by_trace), cross3(g, c.h, l)))


def entry(i: int, j: int) -> tuple[int, int]:
    """Where the lower triangle has a pair."""
    return (i, j) if i >= j else (j, i)


def gather(g: Graph, entries: dict[tuple[int, int], int], i: int, j: int, value: int) -> None:
    """Add to an entry of a symmetric matrix's lower triangle: links that are tied meet in one place."""
    key = entry(i, j)
    entries[key] = g.add(entries[key], value) if key in entries else value


def twice(g: Graph, value: int) -> int:
    """What two columns of one speed are to each other, both ways."""
    return g.mul(g.const(2), value)


def rotated(g: Graph, c: Inertia, e: Triple, by_trace: bool) -> Triple:
    """J e with J = tr(Σ) 1 − Σ; its diagonal from the carried trace, or as sums of two."""
    xx, yy, zz, xy, xz, yz = c.S
    m, add, sub = g.mul, g.add, g.sub
    x, y, z = e
    J = [sub(c.trace, s) for s in (xx, yy, zz)] if by_trace else [add(yy, zz), add(xx, zz), add(xx, yy)]
    return (
        sub(m(J[0], x), add(m(xy, y), m(xz, z))),
        sub(m(J[1], y), add(m(xy, x), m(yz, z))),
        sub(m(J[2], z), add(m(xz, x), m(yz, y))),
    )
