"""Newton and Euler's tau for given u̇, whole or in parts: of the bodies' inertia and weight, of loads and joints."""

from collections.abc import Sequence
from functools import cached_property

from freebody.formulations.columns import Columns
from freebody.formulations.efforts import armatures, efforts, required
from freebody.formulations.equations import Equations
from freebody.formulations.inwards import Inwards, Push
from freebody.spatial.triples import Triple, cross3, scale3
from freebody.spatial.vector import components, vector
from freebody.tree.inertia import Inertia, base


class Unloaded(Inwards):
    """Inertia and weight alone."""

    @cached_property
    def _loads(self) -> list[Push]:
        z = self.graph.zero
        return [Push((z, z, z), (z, z, z)) for _ in self.links]


def loaded(e: Equations) -> list[int]:
    """What loads, joint springs, dampers, friction and efforts put on each free speed."""
    g, z = e.graph, e.graph.zero
    nothing = Inertia(z, (z, z, z), (z,) * 6, z)
    needed = Inwards(e.formulation.motion, [nothing for _ in e.forest.links]).generalised()
    return [g.sub(q, n) for q, n in zip(efforts(e.forest), needed, strict=True)]


def inverse_dynamics(e: Equations, rates: Sequence[int]) -> list[int]:
    """tau for u̇, O(N)."""
    return required(e.forest, base(e.forest), rates)


def weight(e: Equations) -> list[int]:
    """What holds the bodies up: each composite body's mass and first moment meet −g, turned from link to link."""
    g, inertias = e.graph, base(e.forest)
    inwards = Inwards(e.formulation.motion, inertias)
    bodies, fall, total = Columns(inwards, inertias).composites, list[Triple](), [g.zero] * len(e.layout.u)
    for link, c in zip(e.forest.links, bodies, strict=True):
        up = link.parent
        a = components(inwards.motion.fall if up is None else vector(up.frame, fall[up.index]), link.frame)
        fall.append(a)
        for place, value in zip(link.u, inwards.along(link, Push(scale3(g, c.m, a), cross3(g, c.h, a))), strict=True):
            total[place] = g.add(total[place], value)
    return total


def geared(e: Equations, rates: Sequence[int]) -> list[int]:
    """Armatures times u̇."""
    g, found = e.graph, armatures(e.forest)
    return [g.mul(found[k], r) if k in found else g.zero for k, r in enumerate(rates)]
