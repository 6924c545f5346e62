"""Newton and Euler: the wrench that each link's motion requires, passed inwards, and the force on each speed; the sum
of the loads on each link."""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import TypeVar

from freebody.model.constraints import ConstraintMotionView
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Vec, Wrench, dotted
from freebody.spatial.scalars import Scalar, add3, cross3, times3
from freebody.spatial.vector import Vector, components
from freebody.tree.motion import LinkMotion, Motion
from freebody.tree.passes import inwards, to_parent
from freebody.tree.tree import Link, Tree

V = TypeVar("V", Vector, Vec)
NO_FORCES: Mapping[int, Scalar] = {}

# Loads


def load_sums(
    tree: Tree, motion: ConstraintMotionView, read: Callable[[Link, Vector], V], about: Callable[[Link], Vector]
) -> list[tuple[V, V]]:
    """For each link the torque and the force of all loads, and of the springs and dampers of constraints. ``read``
    converts a vector for a link; ``about`` is the point of the torque, from the body's origin."""
    nothing = Vector(tree.graph, {})
    total = [(read(link, nothing), read(link, nothing)) for link in tree.links]
    links = {link.name: link for link in tree.links}
    own = (constraint.loads(motion) for constraint in tree.model.constraints.values())
    for wrench in chain(*(load.wrenches(motion) for load in tree.model.loads.values()), *own):
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
    """The loads on each link, about its origin in its frame."""
    return _wrenches(motion, lambda link: link.frame, lambda link: link.shift)


def body_wrenches(motion: Motion) -> list[Wrench]:
    """The loads on each body, about the body's origin along the body's axes."""
    nothing = Vector(motion.graph, {})
    return _wrenches(motion, lambda link: link.body.frame, lambda link: nothing)


def _wrenches(motion: Motion, frame: Callable[[Link], Frame], about: Callable[[Link], Vector]) -> list[Wrench]:
    def read(link: Link, v: Vector) -> Vec:
        return Vec(frame(link), components(v, frame(link)))

    return [Wrench.of(n, f) for n, f in load_sums(motion.tree, motion, read, about)]


def load_forces(motion: Motion) -> list[Scalar]:
    """The generalised forces of loads."""
    return generalised(motion.tree, inwards(motion.tree.links, load_wrenches(motion), to_parent))


# Inertia


def inertial_wrench(inertia: RigidInertia, m: LinkMotion) -> Wrench:
    """The wrench that a motion requires: f = m a + U h, n = ∫ r × U r dm + h × a (Sayers Eqs 40–46); the x part of the
    integral is U_zx Σ_xy − U_yx Σ_xz + U_zy Σ_yy − U_yz Σ_zz + (ω_z² − ω_y²) Σ_yz."""
    inertia.check(m.frame)
    S, h, (xx, yy, zz, xy, xz, yz), a = m.frame.S, inertia.h, inertia.second, m.a.xyz
    mul, add, sub, U, (x2, y2, z2) = S.mul, S.add, S.sub, m.U, m.squares
    f = add3(S, m.a.times(inertia.m).xyz, times3(S, U, h))

    def difference(u: Scalar, x: Scalar, v: Scalar, y: Scalar) -> Scalar:
        return mul(u, sub(x, y)) if S.same(u, v) else sub(mul(u, x), mul(v, y))

    n = (
        add(add(sub(mul(U[2][0], xy), mul(U[1][0], xz)), difference(U[2][1], yy, U[1][2], zz)), mul(sub(z2, y2), yz)),
        add(add(sub(mul(U[0][1], yz), mul(U[2][1], xy)), difference(U[0][2], zz, U[2][0], xx)), mul(sub(x2, z2), xz)),
        add(add(sub(mul(U[1][2], xz), mul(U[0][2], yz)), difference(U[1][0], xx, U[0][1], yy)), mul(sub(y2, x2), xy)),
    )
    return Wrench(m.frame, add3(S, n, cross3(S, h, a)) + f)


def link_wrench(
    link: Link, m: LinkMotion, inertia: RigidInertia, rates: Sequence[Scalar] = ()
) -> tuple[Wrench, dict[int, Scalar]]:
    """The wrench that a link's motion requires, and the force that each of its body's own speeds requires."""
    F = inertial_wrench(inertia, m)
    if link.internal_dynamics is None:
        return F, {}
    forces, more = link.internal_dynamics.required(
        m.w, m.alpha, m.a, [rates[k] if rates else link.frame.S.zero for k in link.u]
    )
    return F + more, dict(zip(link.u, forces, strict=True))


class NewtonEuler:
    """``wrenches``: for each link what its motion requires less its loads (those of the motion by default);
    ``own_forces``: what bodies' own speeds require."""

    def __init__(self, motion: Motion, inertias: Sequence[RigidInertia], loads: Sequence[Wrench] | None = None) -> None:
        self.motion, self.links = motion, motion.tree.links
        self.loads = load_wrenches(motion) if loads is None else loads
        each = [link_wrench(k, motion.of(k), i, motion.rates) for k, i in zip(self.links, inertias, strict=True)]
        self.wrenches = [F - load for (F, _), load in zip(each, self.loads, strict=True)]
        self.own_forces = {speed: force for _, forces in each for speed, force in forces.items()}

    def through_joints(self) -> list[Wrench]:
        """Σ φ F: the wrench that each joint transmits to its link."""

        def step(link: Link, F: Wrench) -> Wrench | None:
            link.label(F.linear, "F", "force through the joint of")
            link.label(F.angular, "N", "torque through the joint of")
            return to_parent(link, F)

        return inwards(self.links, self.wrenches, step)

    def generalised(self) -> list[Scalar]:
        """Hᵀ Σ φ F: the force that each speed requires."""
        return generalised(self.motion.tree, self.through_joints(), self.own_forces)


def on_speeds(link: Link, F: Wrench) -> list[tuple[int, Scalar]]:
    """Hᵀ F: the part of a wrench on a link along each speed of its joint."""
    S, forces = link.frame.S, list[tuple[int, Scalar]]()
    for c in link.columns:
        parts = [dotted(terms, v) for terms, v in ((c.angular, F.angular), (c.linear, F.linear)) if terms]
        forces.append((c.speed, S.add(parts[0], parts[1]) if len(parts) == 2 else parts[0] if parts else S.zero))
    return forces


def generalised(tree: Tree, totals: Sequence[Wrench], more: Mapping[int, Scalar] = NO_FORCES) -> list[Scalar]:
    """Hᵀ F of wrenches that were passed inwards, and ``more`` by speed."""
    g = tree.graph
    forces = [more.get(k, g.zero) for k in range(len(tree.layout.u))]
    for link in tree.links:
        for speed, value in on_speeds(link, totals[link.index]):
            forces[speed] = g.add(forces[speed], value)
    return forces
