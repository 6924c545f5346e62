"""Newton and Euler: the wrench that each link's motion needs, handed inwards, and what speeds feel of it; the sum of
what loads put on links."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from freebody.model.loads import MotionView
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Vec, Wrench, dotted
from freebody.spatial.scalars import Scalar, add3, cross3, times3
from freebody.spatial.vector import Vector, components
from freebody.tree.forest import Forest, Link
from freebody.tree.motion import Motion, Moving
from freebody.tree.passes import handed, inwards

NONE: Mapping[int, Scalar] = {}


# Loads




V = TypeVar("V", Vector, Vec)


def load_sums(
    forest: Forest, motion: MotionView, read: Callable[[Link, Vector], V], about: Callable[[Link], Vector]
) -> list[tuple[V, V]]:
    """Torque about a point of each link and force, of all loads. ``read`` gives a vector as it is wanted at a link,
    ``about`` the point, from the body's origin."""
    nothing = Vector(forest.graph, {})
    total = [(read(link, nothing), read(link, nothing)) for link in forest.links]
    links = {link.name: link for link in forest.links}
    for load in forest.model.loads.values():
        for wrench in load.wrenches(motion):
            link = links.get(wrench.body.name)
            if link is None:
                continue
            torque, force = total[link.index]
            if wrench.torque is not None:
                torque = torque + read(link, wrench.torque)
            if wrench.force is not None and wrench.point is not None:
                f = read(link, wrench.force)
                torque, force = torque + read(link, wrench.point.offset - about(link)).cross(f), force + f
            total[link.index] = torque, force
    return total


def load_wrenches(motion: Motion) -> list[Wrench]:
    """What loads put on each link, about its origin."""
    return _wrenches(motion, lambda link: link.frame, lambda link: link.shift)


def body_wrenches(motion: Motion) -> list[Wrench]:
    """What loads put on each body, about its own origin along its own axes."""
    nothing = Vector(motion.graph, {})
    return _wrenches(motion, lambda link: link.body.frame, lambda link: nothing)


def _wrenches(motion: Motion, frame: Callable[[Link], Frame], about: Callable[[Link], Vector]) -> list[Wrench]:
    def read(link: Link, v: Vector) -> Vec:
        return Vec(frame(link), components(v, frame(link)))

    return [Wrench.of(n, f) for n, f in load_sums(motion.forest, motion, read, about)]


def load_forces(motion: Motion) -> list[Scalar]:
    """What loads put on each speed."""
    return generalised(motion.forest, inwards(motion.forest.links, load_wrenches(motion), handed))


# Inertia


def needed(inertia: RigidInertia, m: Moving) -> Wrench:
    """What a motion needs: f = m a + U h, n = ∫ r × U r dm + h × a (Sayers Eqs 40–46); the x part of the integral is
    U_zx Σ_xy − U_yx Σ_xz + U_zy Σ_yy − U_yz Σ_zz + (ω_z² − ω_y²) Σ_yz."""
    inertia.check(m.frame)
    S, h, (xx, yy, zz, xy, xz, yz), a = m.frame.S, inertia.h, inertia.second, m.a.xyz
    mul, add, sub, U, (x2, y2, z2) = S.mul, S.add, S.sub, m.U, m.squares
    f = add3(S, m.a.times(inertia.m).xyz, times3(S, U, h))

    def apart(u: Scalar, x: Scalar, v: Scalar, y: Scalar) -> Scalar:
        return mul(u, sub(x, y)) if S.same(u, v) else sub(mul(u, x), mul(v, y))

    n = (
        add(add(sub(mul(U[2][0], xy), mul(U[1][0], xz)), apart(U[2][1], yy, U[1][2], zz)), mul(sub(z2, y2), yz)),
        add(add(sub(mul(U[0][1], yz), mul(U[2][1], xy)), apart(U[0][2], zz, U[2][0], xx)), mul(sub(x2, z2), xz)),
        add(add(sub(mul(U[1][2], xz), mul(U[0][2], yz)), apart(U[1][0], xx, U[0][1], yy)), mul(sub(y2, x2), xy)),
    )
    return Wrench(m.frame, add3(S, n, cross3(S, h, a)) + f)


def own_wrench(
    link: Link, m: Moving, inertia: RigidInertia, rates: Sequence[Scalar] = ()
) -> tuple[Wrench, dict[int, Scalar]]:
    """What one link's motion needs; and by own speed what a body needs that has such."""
    F = needed(inertia, m)
    if link.inside is None:
        return F, {}
    felt, more = link.inside.needs(m.w, m.alpha, m.a, [rates[k] if rates else link.frame.S.zero for k in link.u])
    return F + more, dict(zip(link.u, felt, strict=True))


class Newton:
    """Inertia forces of a motion less the loads (none: inertia and weight alone), from the tips inwards."""

    def __init__(self, motion: Motion, inertias: Sequence[RigidInertia], loads: Sequence[Wrench] | None = None) -> None:
        """``loads`` are those of the motion if not given."""
        self.motion, self.links = motion, motion.forest.links
        self.loads = load_wrenches(motion) if loads is None else loads
        made = [own_wrench(k, motion.of(k), i, motion.rates) for k, i in zip(self.links, inertias, strict=True)]
        self.own = [F - load for (F, _), load in zip(made, self.loads, strict=True)]
        self.modal = {speed: value for _, felt in made for speed, value in felt.items()}

    def through_joints(self) -> list[Wrench]:
        """What each joint must pass on to its link and all that hangs on it."""
        return inwards(self.links, self.own, _labelled)

    def generalised(self) -> list[Scalar]:
        """What each speed needs."""
        return generalised(self.motion.forest, self.through_joints(), self.modal)


def _labelled(link: Link, F: Wrench) -> Wrench | None:
    link.label(F.linear, "F", "force through the joint of")
    link.label(F.angular, "N", "torque through the joint of")
    return handed(link, F)


def felt(link: Link, F: Wrench) -> list[tuple[int, Scalar]]:
    """Hᵀ F: the part of a wrench on a link that each speed across its joint feels."""
    S, found = link.frame.S, list[tuple[int, Scalar]]()
    for c in link.columns:
        parts = [dotted(terms, v) for terms, v in ((c.angular, F.angular), (c.linear, F.linear)) if terms]
        found.append((c.speed, S.add(parts[0], parts[1]) if len(parts) == 2 else parts[0] if parts else S.zero))
    return found


def generalised(forest: Forest, total: Sequence[Wrench], more: Mapping[int, Scalar] = NONE) -> list[Scalar]:
    """What each speed feels of wrenches that were handed inwards."""
    g = forest.graph
    made = [more.get(k, g.zero) for k in range(len(forest.layout.u))]
    for link in forest.links:
        for speed, value in felt(link, total[link.index]):
            made[speed] = g.add(made[speed], value)
    return made
