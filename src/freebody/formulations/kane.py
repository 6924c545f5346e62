"""Kane's equations, referred to the links' origins, with inertia accumulated from the tips to the root.

M u̇ = f, with f_k = −Σ_B (N_B · ω_k + F_B · v_k) over the bodies: F and N are what is left of inertia force and torque
when u̇ = 0, less the loads (Sayers Eqs 40–46). Sums over bodies that share a partial velocity are formed once, on the
way inwards: a link hands its parent the force F and the torque N + p × F, and the column of the mass matrix of speed k
is the force and torque that u̇_k = 1 alone needs.
"""

from functools import cached_property

from freebody.formulations.efforts import armatures, efforts
from freebody.formulations.inwards import Inwards, Push
from freebody.formulations.solve import operations
from freebody.geometry.frame import Triple, cross3
from freebody.geometry.vector import components
from freebody.kinematics.motion import Motion, add3, move, scale3
from freebody.scalar.graph import Graph
from freebody.topology.forest import Link, span
from freebody.topology.inertia import Inertia, base, plus, to_parent


class Kane:
    """M, f and q̇ of a motion, as nodes of its graph."""

    def __init__(self, motion: Motion, by_trace: bool = False) -> None:
        self.motion, self.forest, self.by_trace = motion, motion.forest, by_trace
        self.graph: Graph = motion.graph
        self.links = motion.forest.links

    @cached_property
    def inertias(self) -> list[Inertia]:
        return base(self.forest)

    @cached_property
    def inwards(self) -> Inwards:
        return Inwards(self.motion, self.inertias)

    # The force array

    @cached_property
    def force(self) -> list[int]:
        """f: the generalised forces that remain when all u̇ are zero."""
        force = [self.graph.zero] * sum(len(link.u) for link in self.links)
        for link in self.links:
            for k, value in zip(link.u, self.inwards.along(link, self.inwards.pushes[link.index]), strict=True):
                force[k] = self.graph.neg(value)
        return [self.graph.add(f, e) for f, e in zip(force, efforts(self.forest), strict=True)]

    # The mass matrix

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
        added = armatures(self.forest)
        for link in self.links:
            for k, place in enumerate(link.u):
                push = self._column(link, k)
                for row, value in zip(link.u, self.inwards.along(link, push), strict=True):
                    if row <= place:
                        entries[place, row] = value
                entries[place, place] = self.graph.add(entries[place, place], added.get(place, self.graph.zero))
                self._inwards(link, place, push, entries)
        return {key: value for key, value in sorted(entries.items()) if value != self.graph.zero}

    def _inwards(self, link: Link, place: int, push: Push, entries: dict[tuple[int, int], int]) -> None:
        while link.parent is not None:
            push, link = self.inwards.handed(link, push), link.parent
            for row, value in zip(link.u, self.inwards.along(link, push), strict=True):
                entries[place, row] = value

    def _column(self, link: Link, k: int) -> Push:
        """Force and torque that u̇_k = 1 alone needs: F = m l + e × h, N = J e + h × l."""
        g, c = self.graph, self.composites[link.index]
        e, l = components(link.turns[k], link.frame), components(link.slides[k], link.frame)
        f = add3(g, scale3(g, c.m, l), cross3(g, e, c.h))
        return Push(f, add3(g, rotated(g, c, e, self.by_trace), cross3(g, c.h, l)))


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


def derive(motion: Motion) -> Kane:
    """Kane's equations, with the cheaper of the two ways to the diagonal of the composites' inertia. The second is
    derived again in a graph of its own, lest its nodes stand in the order of the first's (they would live too long)."""
    plain, traced = Kane(motion), Kane(motion, by_trace=True)
    costs = [operations(k.graph, list(k.mass.values())) for k in (plain, traced)]
    return plain if costs[0] <= costs[1] else Kane(move(span(motion.forest.system)), by_trace=True)

