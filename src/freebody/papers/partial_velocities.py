"""Angular velocities, partial velocities and acceleration remainders of every link (Sayers 1991, Tables 7 and 9).

The formulas are the paper's, in vectors and dyadics, with three extensions. A joint may have any set of turns and
slides, so the sums run over all its speeds; prescribed speeds enter ω, v and the remainders but have no partials; and
with the model's speeds, which are relative to the parent, every joint is recursive. « » costs nothing here: equal
expressions are one node of the graph, so the brackets only say in which basis a vector is written.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from freebody.papers.composite import Category, composite, plane, translations
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.walk import substitute
from freebody.spatial.frame import Frame
from freebody.spatial.resolved import Vec
from freebody.spatial.vector import Dyadic, Vector, components, dot, dyadic, vector
from freebody.tree.motion import LinkMotion, Motion
from freebody.tree.tree import Link

Partials = Mapping[int, Vector]  # by the index of the speed; those that are zero are absent


@dataclass(frozen=True)
class Spin:
    """A column of Table 7. A rotor's vectors are in its parent's basis, all others in the body's."""

    carried: Vector  # ω^A'
    relative: Vector  # ᴬω^B
    w: Vector  # ω^B
    carried_partials: Partials  # ω_i^A'
    own: Partials  # ᴬω_i^B
    partials: Partials  # ω_i^B
    alpha: Vector  # α_rem^B
    increment: Vector  # α_rem^AB, what the joint adds to α_rem^A


@dataclass(frozen=True)
class Drift:
    """A column of Table 9; * is the mass centre of the composite body, or the origin of a fixed one."""

    arm: Vector  # r^A*B₀
    reference: Vector  # r^B₀B*
    increments: Partials  # v_i^A*B*
    native: Mapping[int, Link]  # N_i^B where v_i^B* is not zero
    partials: Partials  # v_i^B*
    a: Vector  # a_rem^B*, −g included


@dataclass(frozen=True)
class JointSpeed:
    """A joint's speed as a function of the speeds in use: its value, its partials by the index of the speed, and the
    part of its rate that does not depend on u̇. If the speed in use is the joint's, the partial is 1 and the rest 0."""

    value: Node
    partials: Mapping[int, Node]
    remainder: Node


class Tables:
    """Tables 7 and 9 of a motion. With ``absolute`` speeds (the paper's choice), three rotations have the components of
    ω^B, and a body that is nonrecursive in translation has those of v^B*, along the body's axes as speeds."""

    def __init__(self, motion: Motion, absolute: bool = False) -> None:
        self.motion, self.tree, self.absolute = motion, motion.tree, absolute
        self.graph: Graph = motion.graph
        self.nothing = Vector(motion.graph, {})
        self.composites = composite(motion.tree)
        self.spins: list[Spin] = []
        self.drifts: list[Drift] = []
        self._rotations: dict[int, Dyadic] = {}
        self._velocities: dict[int, Vector] = {}
        for link in self.tree.links:
            self.spins.append(self._free_spin(link) if self.turns_freely(link) else self._spin(link))
            self.drifts.append(self._free_drift(link) if self.slides_freely(link) else self._drift(link))

    def turns_freely(self, link: Link) -> bool:
        """Whether the link's speeds are components of ω^B."""
        return self.absolute and self.composites[link.index].rotation is Category.NONRECURSIVE

    def slides_freely(self, link: Link) -> bool:
        """Whether the link's speeds are components of v^B*."""
        return self.absolute and self.composites[link.index].translation is Category.NONRECURSIVE

    def basis(self, link: Link) -> Frame:
        """The frame in which rotational quantities of a link are written (Table 7)."""
        rotor = self.composites[link.index].rotation is Category.ROTOR
        return link.base if rotor else link.frame

    def _carry(self, link: Link, v: Vector) -> Vector:
        """«v · A» for a rotor, ««v · A» · B» for any other body."""
        return v.within(link.base).within(self.basis(link))

    def _along(self, partials: Partials) -> Vector:
        """Σ u_i partial_i"""
        total = self.nothing
        for i, v in partials.items():
            total = total + v * Expr(self.graph, self.tree.layout.u_handles[i])
        return total

    def _w(self, link: Link) -> Vector:
        """«ω^B · B»"""
        return self.spins[link.index].w.within(link.frame)

    # Table 7

    def _parent_spin(self, link: Link) -> Spin:
        """The parent's column; the ground's is zero (Eqs 34, 35)."""
        if link.parent is not None:
            return self.spins[link.parent.index]
        return Spin(self.nothing, self.nothing, self.nothing, {}, {}, {}, self.nothing, self.nothing)

    def _spin(self, link: Link) -> Spin:
        """Columns 0 DOF, rotor and 1 DOF: ω^B = ω^A' + ᴬω^B, α_rem^B = α_rem^A' + ω^A' × ᴬω^B + the joint's."""
        A, basis = self._parent_spin(link), self.basis(link)
        carried, relative = self._carry(link, A.w), link.joint_angular_velocity.within(basis)
        inherited = {i: self._carry(link, w) for i, w in A.partials.items()}
        own = {i: t.within(basis) for i, t in zip(link.u, link.turns, strict=True) if t}
        increment = carried.cross(relative) + joint_remainders(link)[0].within(basis)
        alpha, partials = self._carry(link, A.alpha) + increment, joined(inherited, own)
        return Spin(carried, relative, carried + relative, inherited, own, partials, alpha, increment)

    def _free_spin(self, link: Link) -> Spin:
        """Column 3 DOF: ω^B = Σ u_i b_i, and no remainder."""
        own = {i: t for i, t in zip(link.u, link.turns, strict=True) if t}
        w, carried = self._along(own), self._carry(link, self._parent_spin(link).w)
        return Spin(carried, w - carried, w, {}, {}, own, self.nothing, self.nothing)

    # Table 9

    def _arm(self, link: Link) -> Vector:
        """r^A*B₀ = r^A₀B₀ − r^A₀A*, in A's basis."""
        reference = self.composites[link.parent.index].reference if link.parent is not None else self.nothing
        return (link.position - reference).within(link.base)

    def _free_drift(self, link: Link) -> Drift:
        """Column nonrecursive: v^B* = Σ u_i b_i along the body's axes (in a plane the two that lie in it),
        a_rem = ω^B × v^B* − g."""
        normal = plane(link)
        first = 0 if normal is None else normal + 1
        axes = zip(translations(link), ((first + k) % 3 for k in range(3)), strict=False)
        partials = {link.u[k]: axis(link.frame, n) for k, n in axes}
        a = self._w(link).cross(self._along(partials)) + self.motion.minus_g.within(link.frame)
        reference, native = self.composites[link.index].reference, dict.fromkeys(partials, link)
        return Drift(self._arm(link), reference, partials, native, partials, a)

    def _drift(self, link: Link) -> Drift:
        """Column recursive: v_i^B* = v_i^A* + v_i^A*B*."""
        arm, reference = self._arm(link), self.composites[link.index].reference
        increments = self._increments(link, arm, reference)
        above = self.drifts[link.parent.index] if link.parent is not None else None
        native = {**(above.native if above is not None else {}), **dict.fromkeys(increments, link)}
        total = joined(above.partials if above is not None else {}, increments)
        partials = {i: v.within(link.frame) for i, v in total.items()}
        return Drift(arm, reference, increments, native, partials, self._remainder(link, arm, reference))

    def _increments(self, link: Link, arm: Vector, reference: Vector) -> Partials:
        """v_i^A*B* = «ω_i^A · A» × r^A*B₀ + «ω_i^B · B» × r^B₀B*, and the direction of the speed for a slide."""
        total: dict[int, Vector] = {}
        if arm:
            above = self._parent_spin(link).partials
            total = joined(total, {i: w.within(link.base).cross(arm) for i, w in above.items()})
        if reference:
            own = self.spins[link.index].partials
            total = joined(total, {i: w.within(link.frame).cross(reference) for i, w in own.items()})
        for speed, slide in self._slides(link):
            total = joined(total, {i: slide * Expr(self.graph, share) for i, share in speed.partials.items()})
        return {i: v for i, v in total.items() if v}

    def _remainder(self, link: Link, arm: Vector, reference: Vector) -> Vector:
        """a_rem^A* + R^A · r^A*B₀ + R^B · r^B₀B* + 2 ω^A × ᴬv^B₀ + the joint's remainder, in B's basis."""
        total = self._in_use(link, joint_remainders(link)[1])
        for speed, slide in self._slides(link):
            total = total + slide * Expr(self.graph, speed.remainder)
        if link.parent is None:
            total = total + self.motion.minus_g
        else:
            w = self._w(link.parent)
            total = total + self.drifts[link.parent.index].a + w.cross(self.relative_velocity(link)) * 2
            total = total + self.rotation(link.parent).dot(arm) if arm else total
        total = total + self.rotation(link).dot(reference) if reference else total
        return total.within(link.frame)

    def natives(self, link: Link) -> list[Link | None]:
        """N_i^B of every speed: the body furthest up the tree whose partial velocity equals this one's; None for N."""
        if self.slides_freely(link):
            return [link] * len(self.tree.layout.u)
        above: list[Link | None] = [None] * len(self.tree.layout.u)
        above = self.natives(link.parent) if link.parent is not None else above
        own = self.drifts[link.index].increments
        return [link if i in own else body for i, body in enumerate(above)]

    def rotation(self, link: Link) -> Dyadic:
        """R^B = (α_rem · B) × B + ω × (ω × B): the acceleration R · r of a point at r."""
        if link.index not in self._rotations:
            spin = self.spins[link.index]
            w, alpha = (Vec(link.frame, components(v, link.frame)) for v in (spin.w, spin.alpha))
            self._rotations[link.index] = dyadic(link.frame, LinkMotion(w, alpha, Vec.zero(link.frame)).U)
        return self._rotations[link.index]

    # The joint's speeds, in which its slides and remainders are written

    def joint_speeds(self, link: Link) -> list[JointSpeed]:
        """The link's free speeds. If the speeds in use are those of ω^B, a turn about the body's axis b_k has the speed
        b_k · (ω^B − ω^A), whose rate is b_k · (α^B − α^A − ω^A × ᴬω^B)."""
        g, handles = self.graph, self.tree.layout.u_handles
        speeds = [JointSpeed(handles[i], {i: g.one}, g.zero) for i in link.u]
        if self.turns_freely(link):
            spin, A = self.spins[link.index], self._parent_spin(link)
            partials = joined(spin.partials, {i: self._carry(link, -w) for i, w in A.partials.items()})
            alpha = -(self._carry(link, A.alpha) + spin.carried.cross(spin.relative))
            for k, t in enumerate(link.turns):
                if t:
                    shares = {i: dot(w, t) for i, w in partials.items()}
                    shares = {i: share for i, share in shares.items() if share != g.zero}
                    speeds[k] = JointSpeed(dot(spin.relative, t), shares, dot(alpha, t))
        return speeds

    def _slides(self, link: Link) -> list[tuple[JointSpeed, Vector]]:
        """The link's free speeds that move its origin, and the directions."""
        if not any(link.slides):
            return []
        return [(speed, slide) for speed, slide in zip(self.joint_speeds(link), link.slides, strict=True) if slide]

    def _in_use(self, link: Link, v: Vector) -> Vector:
        """A vector written in the joint's speeds, converted to the speeds in use."""
        if not self.turns_freely(link):
            return v
        speeds = zip((self.tree.layout.u_handles[i] for i in link.u), self.joint_speeds(link), strict=True)
        parts = substitute(self.graph, list(v.parts.values()), {u: speed.value for u, speed in speeds})
        return Vector(self.graph, dict(zip(v.parts, parts, strict=True)))

    # Velocities, for the kinematical equations of nonrecursive bodies

    def velocity(self, link: Link) -> Vector:
        """v^B* = v^A* + ω^A × r^A*B₀ + ᴬv^B₀ + ω^B × r^B₀B*, in B's basis."""
        if link.index not in self._velocities:
            drift = self.drifts[link.index]
            if self.slides_freely(link):
                total = self._along(drift.partials)
            else:
                around = self._w(link).cross(drift.reference)
                total = self._carried_velocity(link) + self.relative_velocity(link) + around
            self._velocities[link.index] = total.within(link.frame)
        return self._velocities[link.index]

    def _carried_velocity(self, link: Link) -> Vector:
        """v^A* + ω^A × r^A*B₀: of the point of A that is at B₀."""
        if link.parent is None:
            return self.nothing
        w = self._w(link.parent)
        return self.velocity(link.parent) + w.cross(self.drifts[link.index].arm)

    def relative_velocity(self, link: Link) -> Vector:
        """ᴬv^B₀ = v^B* − ω^B × r^B₀B* − v^A* − ω^A × r^A*B₀ (Eq 22, with the last term that a turning parent needs)."""
        if not self.slides_freely(link):
            return self._in_use(link, link.joint_velocity)
        around = self._w(link).cross(self.drifts[link.index].reference)
        return self.velocity(link) - around - self._carried_velocity(link)


def joint_remainders(link: Link) -> tuple[Vector, Vector]:
    """The angular and the linear acceleration of a joint at free u̇ = 0, prescribed accelerations included."""
    body, placement = link.body, link.body.placement
    turn, slide = placement.turn_remainder, placement.slide_remainder
    for given, t, s in zip(body.prescribed, placement.turns, placement.slides, strict=True):
        if given is not None:
            turn, slide = turn + t * given, slide + s * given
    return turn, slide


def joined(a: Partials, b: Partials) -> dict[int, Vector]:
    """The sums of two sets of partials."""
    total = dict(a)
    for i, v in b.items():
        total[i] = total[i] + v if i in total else v
    return dict(sorted(total.items()))


def axis(frame: Frame, k: int) -> Vector:
    """Unit vector k of a frame."""
    g = frame.graph
    return vector(frame, [g.one if i == k else g.zero for i in range(3)])
