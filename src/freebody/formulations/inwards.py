"""Newton and Euler from the tips inwards: what every joint must pass on to what hangs on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from freebody.scalar.graph import Graph
from freebody.spatial.frame import Frame
from freebody.spatial.triples import Six, Triple, add3, cross3, dot3, scale3, sub3, times3
from freebody.spatial.vector import Vector, components, dot, vector
from freebody.tree.forest import Link
from freebody.tree.inertia import Inertia
from freebody.tree.motion import Motion, Turning, down, name3


@dataclass(frozen=True)
class Push:
    """A force and a torque about a link's origin, in its working frame."""

    f: Triple
    n: Triple


class Inwards:
    """Forces and torques of inertia, less the loads, handed from link to parent."""

    def __init__(self, motion: Motion, inertias: list[Inertia]) -> None:
        self.motion, self.inertias = motion, inertias
        self.graph: Graph = motion.graph
        self.links = motion.forest.links

    @cached_property
    def pushes(self) -> list[Push]:
        """What each joint must pass on to its link and all that hangs on it."""
        total = [self.own(link) for link in self.links]
        for link in reversed(self.links):
            push = total[link.index]
            name3(link, push.f, "F", "force through the joint of")
            name3(link, push.n, "N", "torque through the joint of")
            if link.parent is not None:
                i = link.parent.index
                total[i] = self._sum(total[i], self.handed(link, push))
        return total

    def own(self, link: Link) -> Push:
        """Inertia force and torque of one link, less what loads put on it."""
        g, inertia = self.graph, self.inertias[link.index]
        a, turning = self.motion.acceleration(link), self.motion.turning(link)
        f = add3(g, scale3(g, inertia.m, a), times3(g, turning.U, inertia.h))
        n = add3(g, moment(g, turning, inertia.S), cross3(g, inertia.h, a))
        load = self._loads[link.index]
        return Push(sub3(g, f, load.f), sub3(g, n, load.n))

    @cached_property
    def _loads(self) -> list[Push]:
        """What loads put on each link, about its origin in its working frame."""
        return loaded(self.motion, [link.frame for link in self.links])

    def generalised(self) -> list[int]:
        """What each free speed feels of the pushes."""
        felt = [self.graph.zero] * len(self.motion.forest.layout.u)
        for link in self.links:
            for k, value in zip(link.u, self.along(link, self.pushes[link.index]), strict=True):
                felt[k] = self.graph.add(felt[k], value)
        return felt

    def along(self, link: Link, push: Push) -> list[int]:
        """The part of a push that each free speed of the link feels."""
        felt = zip(link.feels, link.turns, link.slides, strict=True)
        return [self.graph.add(part(link, e, t, push.n), part(link, l, s, push.f)) for (e, l), t, s in felt]

    def handed(self, link: Link, push: Push) -> Push:
        """A push about the parent's origin, in the parent's frame."""
        assert link.parent is not None
        g, parent = self.graph, link.parent.frame
        f = down(link.frame, parent, push.f)
        n = add3(g, down(link.frame, parent, push.n), cross3(g, link.arm, f))
        return Push(f, n)

    def _sum(self, a: Push, b: Push) -> Push:
        return Push(add3(self.graph, a.f, b.f), add3(self.graph, a.n, b.n))


def loaded(motion: Motion, frames: Sequence[Frame]) -> list[Push]:
    """What loads put on each link, about its origin, in these frames."""
    g, z, links = motion.graph, motion.graph.zero, motion.forest.links
    total = [Push((z, z, z), (z, z, z)) for _ in links]
    index = {link.name: link for link in links}
    for load in motion.forest.system.loads.values():
        for wrench in load.wrenches(motion):
            link = index.get(wrench.body.name)
            if link is None:
                continue
            push, frame = total[link.index], frames[link.index]
            if wrench.torque is not None:
                push = Push(push.f, add3(g, push.n, components(wrench.torque, frame)))
            if wrench.force is not None and wrench.point is not None:
                f = components(wrench.force, frame)
                r = components(wrench.point.offset - link.shift, frame)
                push = Push(add3(g, push.f, f), add3(g, push.n, cross3(g, r, f)))
            total[link.index] = push
    return total


def part(link: Link, own: Triple | None, v: Vector, push: Triple) -> int:
    """A direction's part of a push; one that lies in another frame is met where the fewest turns are needed."""
    return dot(v, vector(link.frame, push)) if own is None else dot3(link.graph, own, push)


def moment(g: Graph, t: Turning, S: Six) -> Triple:
    """The torque ∫ r × U r dm: its x part is U_zx Σ_xy − U_yx Σ_xz + U_zy Σ_yy − U_yz Σ_zz + (ω_z² − ω_y²) Σ_yz."""
    xx, yy, zz, xy, xz, yz = S
    U, (x2, y2, z2) = t.U, t.squares
    m, add, sub = g.mul, g.add, g.sub

    def apart(u: int, x: int, v: int, y: int) -> int:
        return m(u, sub(x, y)) if u == v else sub(m(u, x), m(v, y))

    return (
        add(add(sub(m(U[2][0], xy), m(U[1][0], xz)), apart(U[2][1], yy, U[1][2], zz)), m(sub(z2, y2), yz)),
        add(add(sub(m(U[0][1], yz), m(U[2][1], xy)), apart(U[0][2], zz, U[2][0], xx)), m(sub(x2, z2), xz)),
        add(add(sub(m(U[1][2], xz), m(U[0][2], yz)), apart(U[1][0], xx, U[0][1], yy)), m(sub(y2, x2), xy)),
    )
