"""Kane's equations as Sayers (1991) forms them: referred to the mass centres of composite bodies, body by body.

M_ij = Σ_B ω_j·I·ω_i + v_j·v_i m and f_i = Σ_B (T − I·α_rem − ω × I·ω)·ω_i + (F − m a_rem)·v_i (Eqs 40–46), with the
terms of Tables 7 and 9. Where a partial velocity comes unchanged from a body further up the tree (its native body), the
products are formed there, where unit vectors still cancel (Eqs 44–46).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

from freebody.formulations.entries import STANDARD
from freebody.formulations.formulation import Entry, Formulation
from freebody.formulations.solve import solve_symmetric
from freebody.model.body import Point
from freebody.papers.partial_velocities import Tables
from freebody.scalar.derivative import gradient, jvp
from freebody.scalar.expr import Expr
from freebody.scalar.node import ZERO, Node
from freebody.scalar.walk import substitute
from freebody.spatial.vector import Vector, dot, meeting
from freebody.tree.joint_forces import armatures, joint_forces
from freebody.tree.newton_euler import load_sums
from freebody.tree.tree import Link, Tree, require_joints, require_uncoupled


class Sayers(Formulation):
    """M, f and q̇ of a tree.

    With ``speeds="mass-centre"`` the speeds u are the paper's: components of v^B* and of ω^B along the axes of a body
    that is nonrecursive in translation or rotation, at the indices of the model's relative speeds.
    """

    def __init__(self, tree: Tree, speeds: str = STANDARD) -> None:
        what, way_out = "Sayers' equations and tables", "derive by 'kane', 'crba', 'aba' or 'cheapest'"
        require_uncoupled(tree, what, way_out)
        require_joints(tree, what, way_out)
        super().__init__(tree)
        self.speeds = speeds
        self.tables = Tables(self.motion, absolute=speeds == "mass-centre")
        self.composites = self.tables.composites

    @cached_property
    def mass(self) -> dict[Entry, Node]:
        """M's lower triangle: ω_j · «I · ω_i»; v_j · «v_i m» if v_i or v_j is native to the body (Eq 43), «v̂_j · v̂_i» m
        elsewhere (Eq 44), the masses of bodies that share the product added first; and the rotors."""
        g, total, shared = self.graph, defaultdict[Entry, Node](_zero), defaultdict[tuple[Entry, int], Node](_zero)
        for link, spin in zip(self.links, self.tables.spins, strict=True):
            inertia = self.composites[link.index].inertia
            for i, w in spin.partials.items() if inertia.parts else ():
                moment = inertia.dot(w)
                for j in (j for j in spin.partials if j <= i):
                    total[i, j] = g.add(total[i, j], dot(spin.partials[j], moment))
        for link, drift in zip(self.links, self.tables.drifts, strict=True):
            m, v = self._mass(link), drift.partials
            for i, j in pairs(v) if m != g.zero else ():
                home = max(drift.native[i].index, drift.native[j].index)
                if home == link.index:
                    total[i, j] = g.add(total[i, j], dot(v[j], v[i] * Expr(g, m)))
                else:
                    shared[(i, j), home] = g.add(shared[(i, j), home], m)
        for ((i, j), home), m in shared.items():
            v = self.tables.drifts[home].partials
            total[i, j] = g.add(total[i, j], g.mul(m, dot(v[j], v[i])))
        for entry, value in self._rotors[0].items():
            total[entry] = g.add(total[entry], value)
        return {key: value for key, value in sorted(total.items()) if value != g.zero}

    def _mass(self, link: Link) -> Node:
        """m^B': a fixed body's mass counts with its parent's (Eq 41)."""
        body = self.composites[link.index]
        return self.graph.zero if body.fixed else body.mass

    @cached_property
    def force(self) -> list[Node]:
        """f: loads less «I · α_rem + ω × I · ω» · ω_i + a_rem · «v_i m» (Eq 46), joint forces and rotors."""
        g, total = self.graph, self._loads()
        for link, spin, drift in zip(self.links, self.tables.spins, self.tables.drifts, strict=True):
            m, inertia = self._mass(link), self.composites[link.index].inertia
            inertial: dict[int, Node] = defaultdict(_zero)
            if inertia.parts:
                moment = inertia.dot(spin.alpha) + spin.w.cross(inertia.dot(spin.w))
                for i, w in spin.partials.items():
                    inertial[i] = dot(moment, w)
            for i, v in drift.partials.items() if m != g.zero else ():
                inertial[i] = g.add(inertial[i], dot(drift.a, v * Expr(g, m)))
            for i, value in inertial.items():
                total[i] = g.sub(total[i], value)
        for i, value in enumerate(self._joint_forces()):
            total[i] = g.add(total[i], value)
        for i, value in self._rotors[1].items():
            total[i] = g.sub(total[i], value)
        return total

    def _loads(self) -> list[Node]:
        """(Σ T) · ω_i + (Σ F) · v̂_i, the torques about B* (Eq 13), v̂_i in the basis of its native body."""
        g, drifts = self.graph, self.tables.drifts
        total = [g.zero] * len(self.tree.layout.u)

        def read(link: Link, v: Vector) -> Vector:
            parts = substitute(g, list(v.parts.values()), self._in_use) if self._in_use else v.parts.values()
            return Vector(g, dict(zip(v.parts, parts, strict=True)))

        wrenches = load_sums(self.tree, self.motion, read, lambda link: drifts[link.index].reference)
        for link, spin, drift, (torque, force) in zip(self.links, self.tables.spins, drifts, wrenches, strict=True):
            turning = torque.within(self.tables.basis(link))
            for i, w in spin.partials.items():
                total[i] = g.add(total[i], dot(turning, w))
            for i in drift.partials if force else ():
                native = drift.native[i]
                total[i] = g.add(total[i], dot(force.within(native.frame), drifts[native.index].partials[i]))
        return total

    def _joint_forces(self) -> list[Node]:
        """Q_i = Σ_k Q_k ∂u_k/∂u_i of the forces Q_k on the model's speeds u_k."""
        g, forces = self.graph, joint_forces(self.tree)
        total = [g.zero] * len(forces)
        for k, value in enumerate(substitute(g, forces, self._in_use)):
            for i, share in self._shares(k).items() if value != g.zero else ():
                total[i] = g.add(total[i], g.mul(value, share))
        return total

    @cached_property
    def _rotors(self) -> tuple[dict[Entry, Node], dict[int, Node]]:
        """Of rotors with inertia D on the model's speeds u_k: Σ D ∂u_k/∂u_i ∂u_k/∂u_j of M, and what f loses by the
        rate of u_k at u̇ = 0."""
        g, layout, mass, force = self.graph, self.tree.layout, dict[Entry, Node](), dict[int, Node]()
        for k, D in armatures(self.tree).items():
            shares = self._shares(k)
            seeds = {**dict(zip(layout.q_handles, self.q_dot, strict=True)), self.tree.t: g.one}
            remainder = g.mul(D, jvp(g, [self.standard[k]], seeds)[0])
            for i, j in pairs(shares):
                mass[i, j] = g.add(mass.get((i, j), g.zero), g.mul(D, g.mul(shares[i], shares[j])))
            for i, share in shares.items():
                force[i] = g.add(force.get(i, g.zero), g.mul(remainder, share))
        return mass, force

    def _shares(self, k: int) -> dict[int, Node]:
        """∂u_k/∂u_i of the model's speed k."""
        rates = gradient(self.graph, self.standard[k], self.tree.layout.u_handles)
        return {i: rate for i, rate in enumerate(rates) if rate != self.graph.zero}

    # Speeds

    @cached_property
    def standard(self) -> list[Node]:
        """The model's speeds as functions of (q, u): of a body whose speeds are those of ω^B, ᴬω^B along its axes
        (Eq 27); of one whose speeds are those of v^B*, the s_j of ``_slides``."""
        speeds, tables = list(self.tree.layout.u_handles), self.tables
        for link in self.links:
            if tables.turns_freely(link):
                for i, t, speed in zip(link.u, link.turns, tables.joint_speeds(link), strict=True):
                    speeds[i] = speed.value if t else speeds[i]
            if tables.slides_freely(link):
                for i, value in self._slides(link).items():
                    speeds[i] = value
        return speeds

    def _slides(self, link: Link) -> dict[int, Node]:
        """ᴬv^B₀ less its prescribed part along the joint's directions d: Σ_j (d_i · d_j) s_j = d_i · ᴬv^B₀ (Eq 23)."""
        body = link.body
        ways = {i: s for i, t, s in zip(link.u, link.turns, link.slides, strict=True) if s and not t}
        d = list(ways.values())
        frame = meeting(unit for way in d for unit in way.parts)
        if frame is None:
            return {}
        relative, prescribed = self.tables.relative_velocity(link), Vector(self.graph, {})
        for slide, speed, given in zip(body.placement.slides, body.rates, body.prescribed, strict=True):
            prescribed = prescribed if given is None else prescribed + slide * speed
        v = (relative - prescribed).within(frame)
        gram = {(i, j): dot(d[i], d[j]) for i, j in pairs(dict(enumerate(d)))}
        entries = {key: value for key, value in gram.items() if value != self.graph.zero}
        return dict(zip(ways, solve_symmetric(self.graph, entries, [dot(v, way) for way in d]), strict=True))

    @cached_property
    def _in_use(self) -> dict[Node, Node]:
        """The model's speeds to their expressions in the speeds in use, where they differ."""
        both = zip(self.tree.layout.u_handles, self.standard, strict=True)
        return {symbol: node for symbol, node in both if symbol != node}

    @cached_property
    def q_dot(self) -> list[Node]:
        """q̇ from (q, u) (Eqs 20–29)."""
        return substitute(self.graph, list(self.tree.layout.q_dot), self._in_use)

    def from_standard(self, q: Sequence[Node], u: Sequence[Node]) -> list[Node]:
        """The speeds in use from the model's: ω^B and v^B* = v^B₀ + ω × r along the body's axes."""
        layout, tables = self.tree.layout, self.tables
        speeds = list(layout.u_handles)
        for link, spin, drift in zip(self.links, tables.spins, tables.drifts, strict=True):
            if tables.turns_freely(link):
                w = self.motion.angular_velocity(link.body)
                speeds = [dot(w, spin.partials[i]) if i in spin.partials else s for i, s in enumerate(speeds)]
            if tables.slides_freely(link):
                v = self.motion.velocity(Point(link.body, drift.reference))
                speeds = [dot(v, drift.partials[i]) if i in drift.partials else s for i, s in enumerate(speeds)]
        return substitute(self.graph, speeds, dict(zip((*layout.q_handles, *layout.u_handles), (*q, *u), strict=True)))


def _zero() -> Node:
    return ZERO


def pairs(keys: Mapping[int, object]) -> list[Entry]:
    """(i, j) with j ≤ i"""
    return [(i, j) for i in keys for j in keys if j <= i]
