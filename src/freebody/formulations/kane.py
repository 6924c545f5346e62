"""Kane's equations, referred to the links' origins, with inertia accumulated from the tips to the root.

M u̇ = f, with f_k = −Σ_B (N_B · ω_k + F_B · v_k) over the bodies: F and N are what is left of inertia force and torque
when u̇ = 0, less the loads (Sayers Eqs 40–46). Sums over bodies that share a partial velocity are formed once, on the
way inwards: a link hands its parent the force F and the torque N + p × F, and the column of the mass matrix of speed k
is the force and torque that u̇_k = 1 alone needs.
"""

from dataclasses import dataclass
from functools import cached_property

from freebody.geometry.frame import Triple, cross3
from freebody.geometry.vector import components, dot, vector
from freebody.kinematics.motion import Motion, Turning, add3, down, name3, scale3, sub3, times3
from freebody.model.joints.base import scalar
from freebody.model.loads import Effort
from freebody.scalar.graph import Graph
from freebody.scalar.ops import OPS, TANH
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.walk import live
from freebody.topology.forest import Link
from freebody.topology.inertia import Inertia, Six, base, plus, to_parent


@dataclass(frozen=True)
class Push:
    """A force and a torque about a link's origin, in its working frame."""

    f: Triple
    n: Triple


class Kane:
    """M, f and q̇ of a motion, as nodes of its graph."""

    def __init__(self, motion: Motion, by_trace: bool = False) -> None:
        self.motion, self.forest, self.by_trace = motion, motion.forest, by_trace
        self.graph: Graph = motion.graph
        self.links = motion.forest.links

    @cached_property
    def inertias(self) -> list[Inertia]:
        return base(self.forest)

    # The force array

    @cached_property
    def force(self) -> list[int]:
        """f: the generalised forces that remain when all u̇ are zero."""
        total = [self._own(link) for link in self.links]
        force = [self.graph.zero] * sum(len(link.u) for link in self.links)
        for link in reversed(self.links):
            push = total[link.index]
            name3(link, push.f, "F", "force through the joint of")
            name3(link, push.n, "N", "torque through the joint of")
            for k, value in zip(link.u, self._along(link, push), strict=True):
                force[k] = self.graph.neg(value)
            if link.parent is not None:
                i = link.parent.index
                total[i] = self._sum(total[i], self._handed(link, push))
        return [self.graph.add(f, e) for f, e in zip(force, self._efforts(), strict=True)]

    def _own(self, link: Link) -> Push:
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
        g, z = self.graph, self.graph.zero
        total = [Push((z, z, z), (z, z, z)) for _ in self.links]
        index = {link.name: link for link in self.links}
        for load in self.forest.system.loads.values():
            for wrench in load.wrenches(self.motion):
                link = index.get(wrench.body.name)
                if link is None:
                    continue
                push = total[link.index]
                if wrench.torque is not None:
                    push = Push(push.f, add3(g, push.n, components(wrench.torque, link.frame)))
                if wrench.force is not None and wrench.point is not None:
                    f, r = components(wrench.force, link.frame), components(wrench.point.offset, link.frame)
                    push = Push(add3(g, push.f, f), add3(g, push.n, cross3(g, r, f)))
                total[link.index] = push
        return total

    def _efforts(self) -> list[int]:
        """Generalised forces of the joints themselves: springs, dampers, friction, and what the user put there."""
        g = self.graph
        efforts = [g.zero] * sum(len(link.u) for link in self.links)
        for link in self.links:
            for place, k in zip(link.u, link.free, strict=True):
                efforts[place] = g.add(efforts[place], joint_effort(link, k))
        index = {link.name: link for link in self.links}
        for load in self.forest.system.loads.values():
            if isinstance(load, Effort) and load.index in (on := index[load.body.name]).free:
                place = on.u[on.free.index(load.index)]
                efforts[place] = g.add(efforts[place], load.value.handle)
        return efforts

    def _along(self, link: Link, push: Push) -> list[int]:
        """The part of a push that each free speed of the link feels."""
        g = self.graph
        f, n = vector(link.frame, push.f), vector(link.frame, push.n)
        return [g.add(dot(t, n), dot(s, f)) for t, s in zip(link.turns, link.slides, strict=True)]

    def _handed(self, link: Link, push: Push) -> Push:
        """A push about the parent's origin, in the parent's frame."""
        assert link.parent is not None
        g, parent = self.graph, link.parent.frame
        f = down(link.frame, parent, push.f)
        n = add3(g, down(link.frame, parent, push.n), cross3(g, components(link.position, parent), f))
        return Push(f, n)

    def _sum(self, a: Push, b: Push) -> Push:
        return Push(add3(self.graph, a.f, b.f), add3(self.graph, a.n, b.n))

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
        for link in self.links:
            for k, place in enumerate(link.u):
                push = self._column(link, k)
                for row, value in zip(link.u, self._along(link, push), strict=True):
                    if row <= place:
                        entries[place, row] = value
                entries[place, place] = self.graph.add(entries[place, place], armature(link))
                self._inwards(link, place, push, entries)
        return {key: value for key, value in sorted(entries.items()) if value != self.graph.zero}

    def _inwards(self, link: Link, place: int, push: Push, entries: dict[tuple[int, int], int]) -> None:
        while link.parent is not None:
            push, link = self._handed(link, push), link.parent
            for row, value in zip(link.u, self._along(link, push), strict=True):
                entries[place, row] = value

    def _column(self, link: Link, k: int) -> Push:
        """Force and torque that u̇_k = 1 alone needs: F = m l + e × h, N = J e + h × l."""
        g, c = self.graph, self.composites[link.index]
        e, l = components(link.turns[k], link.frame), components(link.slides[k], link.frame)
        f = add3(g, scale3(g, c.m, l), cross3(g, e, c.h))
        return Push(f, add3(g, rotated(g, c, e, self.by_trace), cross3(g, c.h, l)))


def moment(g: Graph, t: Turning, S: Six) -> Triple:
    """The torque ∫ r × U r dm: its x part is U_zx Σ_xy − U_yx Σ_xz + U_zy Σ_yy − U_yz Σ_zz + (ω_z² − ω_y²) Σ_yz."""
    xx, yy, zz, xy, xz, yz = S
    U, (x2, y2, z2) = t.U, t.squares
    m, add, sub = g.mul, g.add, g.sub
    return (
        add(add(sub(m(U[2][0], xy), m(U[1][0], xz)), sub(m(U[2][1], yy), m(U[1][2], zz))), m(sub(z2, y2), yz)),
        add(add(sub(m(U[0][1], yz), m(U[2][1], xy)), sub(m(U[0][2], zz), m(U[2][0], xx))), m(sub(x2, z2), xz)),
        add(add(sub(m(U[1][2], xz), m(U[0][2], yz)), sub(m(U[1][0], xx), m(U[0][1], yy))), m(sub(y2, x2), xy)),
    )


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


def joint_effort(link: Link, k: int) -> int:
    """−stiffness (q − rest) − damping u − friction tanh(u/ε) on one speed of a joint."""
    g, body = link.graph, link.body
    assert body.recipe is not None
    joint = body.recipe.joint
    u = body.u[k].handle
    total = g.neg(g.mul(scalar(g, joint.damping), u))
    if joint.stiffness != 0:
        total = g.sub(total, g.mul(scalar(g, joint.stiffness), g.sub(body.q[k].handle, scalar(g, joint.rest))))
    if joint.friction != 0:
        total = g.sub(total, g.mul(scalar(g, joint.friction), g.build[TANH](g.mul(g.const(1000), u))))
    return total


def armature(link: Link) -> int:
    """What a joint adds to the diagonal of the mass matrix."""
    assert link.body.recipe is not None
    return scalar(link.graph, link.body.recipe.joint.armature)


def derive(motion: Motion) -> Kane:
    """Kane's equations, with the cheaper of the two ways to the diagonal of the composites' inertia."""
    plain, traced = Kane(motion), Kane(motion, by_trace=True)
    return min(plain, traced, key=lambda k: operations(k.graph, list(k.mass.values())))


def operations(g: Graph, roots: list[int]) -> int:
    """Additions, multiplications and divisions behind these nodes that depend on more than parameters."""
    return sum(g.mask[i] > PARAMETERS_ONLY and OPS[g.op[i]].cost in ("add", "mul", "div") for i in live(g, roots))
