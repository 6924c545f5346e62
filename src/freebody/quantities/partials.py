"""Derivatives of inertia forces by composite bodies: rigid bodies on any joints, and bodies with modes."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from freebody.model.joints.free_frame_dynamics import FreeFrameDynamics
from freebody.model.joints.modal_dynamics import ModalDynamics
from freebody.quantities.coriolis import Carrier, Effect, Flows, Inside, MomentRates, OwnColumn, fixed, parent_turning
from freebody.quantities.forces import without_loads
from freebody.scalar.derivative import Entries, jacobian, jvp
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Vec, Wrench, collected
from freebody.spatial.scalars import dot
from freebody.spatial.vector import Vector, components
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import inertial_wrench
from freebody.tree.tree import Column, Link


def known(links: Sequence[Link]) -> bool:
    """Whether composite bodies give the derivatives: each joint turns and slides along fixed directions or has speeds
    of its own, and what moves inside bodies are modes with all terms. Of one body with modes on which nothing hangs
    they have a third more operations than those by the rules of differentiation, so they are not taken; of several a
    third fewer."""
    flexible = [link for link in links if link.internal_dynamics is not None]
    alone = len(flexible) == 1 and not any(link.parent is not None and link.parent.is_node for link in links)
    return not alone and all(_moves_plainly(link) and _is_known_inside(link) for link in links)


def _is_known_inside(link: Link) -> bool:
    return link.internal_dynamics is None or type(link.internal_dynamics) in (ModalDynamics, FreeFrameDynamics)


def _moves_plainly(link: Link) -> bool:
    placement = link.body.placement
    if link.is_node:
        return placement.exact and placement.undeformed is None
    return _is_simple(link) or not link.shared


def _is_simple(link: Link) -> bool:
    """Whether a joint turns about axes fixed in the child and slides along directions fixed in one of the two."""
    fixed_slides = _slides_in_parent(link) or _fixed_in(link.frame, link.body.placement.slides)
    return fixed_slides and _fixed_in(link.frame, link.body.placement.turns) and not link.is_node


def _slides_in_parent(link: Link) -> bool:
    return _fixed_in(link.base, link.body.placement.slides)


def _fixed_in(frame: Frame, vectors: Sequence[Vector]) -> bool:
    return all(fixed(Vec(frame, components(v, frame))) for v in vectors)


class Partials:
    """The derivatives of the inertia forces τ (weight included) of a motion whose u̇ are given, by composite bodies, for
    a few times the cost of M.

    Let a speed j turn and slide all outboard of its link by δ. A mass point's acceleration, seen in axes that turn
    along, changes by c + e″ × r + 2 e′ × ṙ with e′ = ω_A × e, e″ = U_A e, U = [α]× + ωωᵀ − |ω|² of the parent A, r from
    the link's origin O (the rates are those of the ground), and

        c = U_A l − e × ā_O                     where slides are directions fixed in the parent,
        c = U_A l − e × ā_A + 2 e′ × v          where they are fixed in the child, v the velocity of O on A,

    ā felt accelerations of O and of the point of A at O. A change of u_j changes it by d + E × r + 2 e × ṙ, with
    E = (ω_A + ω_B) × e and d = 2 ω_A × l, or (ω_A + ω_B) × l + e × v. Integrated with J_pᵀ over the composite bodies
    (``Flows``), these are the columns. Rows further in also have the change of the outboard forces, which turn.

    Of any other joint, and of nodes, the components of ω, α and ā_O along axes that turn along are differentiated:
    e′ = δω, e″ = δα + ω × δω, c = δā_O. Modes add their rates to those of moments, and have rows of their own; what
    they require of their body is differentiated by their coordinates and speeds. ``symbols`` are symbols for u̇.
    """

    def __init__(self, motion: Motion, inertias: Sequence[RigidInertia], symbols: Sequence[Node]) -> None:
        self.motion, self._inertias, self._of_symbols = motion, inertias, Motion(motion.tree, symbols)
        self._values = dict(zip(symbols, motion.rates, strict=True))
        flexible = [link for link in motion.tree.links if link.internal_dynamics is not None]
        self.flows = Flows(motion, inertias, {link.index: self._inside(link) for link in flexible})

    @cached_property
    def _through_joints(self) -> list[Wrench]:
        return without_loads(self.motion, self._inertias).through_joints()

    @cached_property
    def by_q(self) -> Entries:
        """∂τ/∂q along q̇ = N δ. A link's own rows turn along with the bodies, except for slides fixed in the parent;
        rows further in do not, and the forces of all outboard bodies turn and move."""
        motion = self.motion

        def effect(link: Link, column: Column) -> Effect:
            if not _is_simple(link):
                return self._of_any_joint(link, column)
            e, l, w = column.twist.angular, column.twist.linear, parent_turning(motion, link)
            parent = motion.ground if link.parent is None else motion.of(link.parent)
            alpha = Vec.zero(link.frame) if link.parent is None else parent.alpha.in_(link.frame)
            e1, in_parent = w.cross(e), _slides_in_parent(link)
            carried = alpha.cross(l) + w.cross(w.cross(l))  # U_A l
            if in_parent:
                c = carried - e.cross(motion.of(link).a)
            else:
                beneath = parent.at(link.X.arm).in_(link.frame)  # ā of the point of the parent at the link's origin
                c = carried - e.cross(beneath) + double(e1).cross(collected(link.frame, link.v_PB))
            e2, twice = alpha.cross(e) + w.cross(e1), double(e1)
            flow = self.flows.all[link.index]
            F = flow.wrench(c, e2) + flow.swept(twice)
            total = self._through_joints[link.index]
            force = F.linear + e.cross(total.linear)
            swung = e.cross(total.angular) + l.cross(total.linear)
            own = Wrench.of(F.angular, force if in_parent else F.linear)
            return Effect(own, Wrench.of(F.angular + swung, force), c, e2, twice)

        return self.flows.matrix(effect, self._of_modes(self.motion.tree.layout.q_handles))

    @cached_property
    def by_u(self) -> Entries:
        """∂τ/∂u, whatever u̇ are."""
        u = self.motion.tree.layout.u_handles

        def effect(link: Link, column: Column) -> Effect:
            if not _is_simple(link):
                F, d, E, twice = self._changed(link, {u[column.speed]: self.motion.graph.one})
                return Effect(F, F, d, E, twice)
            e, l, w = column.twist.angular, column.twist.linear, parent_turning(self.motion, link)
            both = w + self.motion.of(link).w
            if _slides_in_parent(link):
                d = double(w).cross(l)
            else:
                d = both.cross(l) + e.cross(collected(link.frame, link.v_PB))
            flow, E, twice = self.flows.all[link.index], both.cross(e), double(e)
            wrench = flow.wrench(d, E) + flow.swept(twice)
            return Effect(wrench, wrench, d, E, twice)

        return self.flows.matrix(effect, self._of_modes(u))

    # Joints whose directions are not fixed

    @cached_property
    def _directions(self) -> dict[int, dict[Node, Node]]:
        """For each speed j the rates N_j of coordinates."""
        layout, found = self.motion.tree.layout, dict[int, dict[Node, Node]]()
        for (i, j), h in jacobian(self.motion.graph, layout.q_dot, layout.u_handles).items():
            found.setdefault(j, {})[layout.q_handles[i]] = h
        return found

    def _tangents(self, nodes: Sequence[Node], seeds: Mapping[Node, Node]) -> list[Node]:
        """Tangents of nodes of the motion with symbols for u̇, at constant u̇."""
        g = self.motion.graph
        return substitute(g, jvp(g, list(nodes), seeds), self._values)

    def _changed(self, link: Link, seeds: Mapping[Node, Node], turn: Vec | None = None) -> tuple[Wrench, Vec, Vec, Vec]:
        """The change ∫ [r×; 1] (c + e″ × r + 2 e′ × ṙ) dm of a link and all that hangs on it; c, e″, 2 e′. ``turn`` is
        that of the link where its axes stay."""
        m, now = self._of_symbols.of(link), self.motion.of(link)
        tangents = self._tangents([*m.w.c, *m.alpha.c, *m.a.c], seeds)
        w, alpha, c = (_vec(link.frame, tangents[k : k + 3]) for k in (0, 3, 6))
        if turn is not None:
            w, alpha, c = w - turn.cross(now.w), alpha - turn.cross(now.alpha), c - turn.cross(now.a)
        turned, twice, flow = alpha + now.w.cross(w), double(w), self.flows.all[link.index]
        return flow.wrench(c, turned) + flow.swept(twice), c, turned, twice

    def _of_any_joint(self, link: Link, column: Column) -> Effect:
        """A column of ∂τ/∂q: the link's own rows change with their directions too."""
        g, seeds, total = self.motion.graph, self._directions[column.speed], self._through_joints[link.index]
        e, l = column.twist.angular, column.twist.linear
        stays = link.body.placement.axes is not None  # its axes are those of the parent
        F, c, e2, twice = self._changed(link, seeds, e if stays else None)
        swung = e.cross(total.angular) + l.cross(total.linear)
        bent = dict[int, Node]()
        for other in link.columns:
            h = jvp(g, list(other.twist.c), seeds)
            turned, slid = _vec(link.frame, h[:3]), _vec(link.frame, h[3:])
            if stays:
                turned, slid = turned - e.cross(other.twist.angular), slid - e.cross(other.twist.linear)
            bent[other.speed] = g.add(turned.dot(total.angular), slid.dot(total.linear))
        return Effect(F, Wrench.of(F.angular + swung, F.linear + e.cross(total.linear)), c, e2, twice, bent)

    # Modes

    def _required(self, link: Link, w: Vec | None = None) -> list[Node]:
        """The forces that modes require, and torque and force beside those of the deformed body as a rigid one; at
        another ω if that is given."""
        m, inside = self._of_symbols.of(link), link.internal_dynamics
        assert inside is not None
        rates = [self._of_symbols.rates[k] for k in link.u]
        forces, more = inside.required(m.w if w is None else w, m.alpha, m.a, rates)
        return [*forces, *more.c]

    def _inside(self, link: Link) -> Inside:
        """What modes add to the rates of moments, and their rows. A row is ∫ φ·(c + e″ × r + 2 e′ × ṙ) dm, and by
        ω it changes by B, so that ∫ ṙ × φ dm = (B − ∫ r × φ dm × ω)/2."""
        g, n, inside, spin = self.motion.graph, len(link.u), link.internal_dynamics, self.motion.of(link).w
        assert isinstance(inside, ModalDynamics)
        symbols = [g.symbol(f"spin.{link.name}.{k}", Kind.SPEED) for k in range(3)]
        nodes, half = self._required(link, _vec(link.frame, symbols)), g.const(0.5)
        at = dict(zip(symbols, spin.c, strict=True)) | self._values
        by_w = [substitute(g, jvp(g, nodes, {s: g.one}), at) for s in symbols]
        T = [[by_w[j][n + i] for j in range(3)] for i in range(3)]
        trace = g.mul(g.const(0.25), g.add(g.add(T[0][0], T[1][1]), T[2][2]))
        K = [[g.sub(trace if i == j else g.zero, g.mul(half, T[j][i])) for j in range(3)] for i in range(3)]
        x, y, z = ((row[0], row[1], row[2]) for row in K)
        sliding = _vec(link.frame, [dot(g, row, inside.rates) for row in inside.E])
        carriers = list[Carrier]()
        for r, (speed, wrench) in enumerate(zip(link.u, inside.fr, strict=True)):
            B = _vec(link.frame, [column[r] for column in by_w])
            carriers.append(Carrier(speed, wrench, (B - wrench.angular.cross(spin)).times(half), link))
        return Inside(MomentRates(sliding, (x, y, z)), carriers)

    def _of_modes(self, handles: Sequence[Node]) -> Callable[[Link], list[OwnColumn]]:
        """The columns of what modes themselves require of their body, by their coordinates or by their speeds."""
        layout = self.motion.tree.layout
        by_speed = {j: next(iter(seeds)) for j, seeds in self._directions.items() if len(seeds) == 1}

        def columns(link: Link) -> list[OwnColumn]:
            if link.internal_dynamics is None:
                return []
            F, n, found = inertial_wrench(self._inertias[link.index], self._of_symbols.of(link)), len(link.u), []
            nodes = [*self._required(link), *F.c]
            for speed in link.u:
                seed = handles[speed] if handles is layout.u_handles else by_speed[speed]
                changes = self._tangents(nodes, {seed: self.motion.graph.one})
                both = [self.motion.graph.add(a, b) for a, b in zip(changes[n : n + 6], changes[n + 6 :], strict=True)]
                wrench = Wrench.of(_vec(link.frame, both[:3]), _vec(link.frame, both[3:]))
                found.append(OwnColumn(speed, wrench, dict(zip(link.u, changes[:n], strict=True))))
            return found

        return columns


def _vec(frame: Frame, numbers: Sequence[Node]) -> Vec:
    x, y, z = numbers
    return Vec(frame, (x, y, z))


def double(v: Vec) -> Vec:
    return v.times(v.frame.S.const(2))
