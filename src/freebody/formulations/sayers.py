"""Kane's equations as Sayers (1991) forms them: referred to the mass centres of composite bodies, body by body.

M_ij = Σ_B ω_j·I·ω_i + v_j·v_i m and f_i = Σ_B (T − I·α_rem − ω × I·ω)·ω_i + (F − m a_rem)·v_i (Eqs 40–46), with the
terms of Tables 7 and 9. Where a partial velocity comes unchanged from a body further up the tree (its native body), the
products are formed there, where unit vectors still cancel (Eqs 44–46).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

from freebody.errors import ModelError
from freebody.formulations.formulation import Formulation, Speeds
from freebody.formulations.solve import Entry, solved
from freebody.model.body import Point
from freebody.scalar.derivative import gradient, jvp
from freebody.scalar.graph import Graph
from freebody.scalar.walk import substitute
from freebody.spatial.vector import Vector, dot, meeting
from freebody.tree.composite import Composite
from freebody.tree.forest import Link, require_joints, require_uncoupled
from freebody.tree.joint_forces import armatures, joint_forces
from freebody.tree.motion import Motion
from freebody.tree.newton import load_sums
from freebody.tree.partial_velocities import Tables, scaled


class Sayers(Formulation):
    """M, f and q̇ of a motion, as nodes of its graph.

    With ``speeds="mass-centre"`` the speeds u are the paper's: components of v^B* and of ω^B along the axes of a body
    that is nonrecursive in translation or rotation, in the places where the model's layout has the relative ones.
    """

    def __init__(self, motion: Motion, speeds: Speeds = "standard") -> None:
        if speeds not in ("standard", "mass-centre"):
            raise ModelError(f"speeds '{speeds}' are unknown; use 'standard' or 'mass-centre'")
        what, way_out = "Sayers' equations and tables", "derive by 'kane', 'crba', 'aba' or 'cheapest'"
        require_uncoupled(motion.forest, what, way_out)
        require_joints(motion.forest, what, way_out)
        self.motion, self.forest, self.speeds = motion, motion.forest, speeds
        self.graph: Graph = motion.graph
        self.links = motion.forest.links
        self.tables = Tables(motion, absolute=speeds == "mass-centre")

    @property
    def composites(self) -> list[Composite]:
        return self.tables.composites

    # The mass matrix

    @cached_property
    def mass(self) -> dict[Entry, int]:
        """M's lower triangle; entries that are structurally zero are absent (Eqs 43, 44)."""
        total: dict[Entry, int] = defaultdict(int)
        for link in self.links:
            self._turned(link, total)
        self._moved(total)
        for entry, value in self._armature[0].items():
            total[entry] = self.graph.add(total[entry], value)
        return {key: value for key, value in sorted(total.items()) if value != self.graph.zero}

    def _turned(self, link: Link, total: dict[Entry, int]) -> None:
        """ω_j · «I · ω_i»"""
        g, inertia = self.graph, self.composites[link.index].inertia
        partials = self.tables.spins[link.index].partials
        for i, w in partials.items() if inertia.parts else ():
            moment = inertia.dot(w)
            for j in (j for j in partials if j <= i):
                total[i, j] = g.add(total[i, j], dot(partials[j], moment))

    def _moved(self, total: dict[Entry, int]) -> None:
        """v_j · «v_i m» where v_i or v_j is native to the body (Eq 43); «v̂_j · v̂_i» m elsewhere (Eq 44), the masses of
        bodies that share the product added first."""
        g, shared = self.graph, defaultdict[tuple[Entry, int], int](int)
        for link in self.links:
            m, drift = self._mass(link), self.tables.drifts[link.index]
            for i, j in pairs(drift.partials) if m != g.zero else ():
                home = max(drift.native[i].index, drift.native[j].index)
                if home == link.index:
                    product = dot(drift.partials[j], scaled(drift.partials[i], m))
                    total[i, j] = g.add(total[i, j], product)
                else:
                    shared[(i, j), home] = g.add(shared[(i, j), home], m)
        for ((i, j), home), m in shared.items():
            v = self.tables.drifts[home].partials
            total[i, j] = g.add(total[i, j], g.mul(m, dot(v[j], v[i])))

    def _mass(self, link: Link) -> int:
        """m^B': a fixed body's mass counts with its parent's (Eq 41)."""
        body = self.composites[link.index]
        return self.graph.zero if body.fixed else body.mass

    # The force array

    @cached_property
    def force(self) -> list[int]:
        """f: loads less inertia forces that remain when all u̇ are zero (Eq 46)."""
        g, total = self.graph, self._loads()
        for link in self.links:
            for i, value in self._inertia(link).items():
                total[i] = g.sub(total[i], value)
        for i, value in enumerate(self._joint_forces):
            total[i] = g.add(total[i], value)
        for i, value in self._armature[1].items():
            total[i] = g.sub(total[i], value)
        return total

    def _inertia(self, link: Link) -> dict[int, int]:
        """«I · α_rem + ω × I · ω» · ω_i + a_rem · «v_i m»"""
        g, spin, drift = self.graph, self.tables.spins[link.index], self.tables.drifts[link.index]
        m, inertia = self._mass(link), self.composites[link.index].inertia
        total: dict[int, int] = defaultdict(int)
        if inertia.parts:
            moment = inertia.dot(spin.alpha) + spin.w.cross(inertia.dot(spin.w))
            for i, w in spin.partials.items():
                total[i] = dot(moment, w)
        if m != g.zero:
            for i, v in drift.partials.items():
                total[i] = g.add(total[i], dot(drift.a, scaled(v, m)))
        return total

    def _loads(self) -> list[int]:
        """(Σ T) · ω_i + (Σ F) · v̂_i, the torques about B* (Eq 13), v̂_i in the basis of its native body."""
        g, total = self.graph, [self.graph.zero] * len(self.forest.layout.u)
        for link, (torque, force) in zip(self.links, self._wrenches(), strict=True):
            spin, drift = self.tables.spins[link.index], self.tables.drifts[link.index]
            turning = torque.within(self.tables.basis(link))
            for i, w in spin.partials.items():
                total[i] = g.add(total[i], dot(turning, w))
            for i in drift.partials if force else ():
                native = drift.native[i]
                v = self.tables.drifts[native.index].partials[i]
                total[i] = g.add(total[i], dot(force.within(native.frame), v))
        return total

    def _wrenches(self) -> list[tuple[Vector, Vector]]:
        """The torque about B* and the force that loads put on each link."""

        def read(link: Link, v: Vector) -> Vector:
            return self._converted(v)

        return load_sums(self.forest, self.motion, read, lambda link: self.tables.drifts[link.index].reference)

    @cached_property
    def _joint_forces(self) -> list[int]:
        """What joints and users put on speeds: Q_i = Σ_k Q_k ∂u_k/∂u_i, u_k being the model's speeds."""
        g, given = self.graph, joint_forces(self.forest)
        total = [g.zero] * len(given)
        for k, value in enumerate(substitute(g, given, self._renamed)):
            for i, rate in self._shares(k).items() if value != g.zero else ():
                total[i] = g.add(total[i], g.mul(value, rate))
        return total

    @cached_property
    def _armature(self) -> tuple[dict[Entry, int], dict[int, int]]:
        """Rotors' inertia D on the model's speeds u_k: Σ D ∂u_k/∂u_i ∂u_k/∂u_j of M, and what of f it takes away."""
        g, mass, force = self.graph, dict[Entry, int](), dict[int, int]()
        for k, D in armatures(self.forest).items():
            shares, rest = self._shares(k), g.mul(D, self._drift(k))
            for i, j in pairs(shares):
                mass[i, j] = g.add(mass.get((i, j), g.zero), g.mul(D, g.mul(shares[i], shares[j])))
            for i, share in shares.items():
                force[i] = g.add(force.get(i, g.zero), g.mul(rest, share))
        return mass, force

    # Speeds

    @cached_property
    def standard(self) -> list[int]:
        """The model's speeds as functions of (q, u)."""
        speeds = list(self.forest.layout.u_handles)
        for link in self.links:
            for k, value in {**self._turning(link), **self._sliding(link)}.items():
                speeds[k] = value
        return speeds

    def _turning(self, link: Link) -> dict[int, int]:
        """ᴬω^B along the body's axes (Eq 27), where the speeds are those of ω^B."""
        if not self.tables.turns_freely(link):
            return {}
        speeds = zip(link.u, link.turns, self.tables.joint_speeds(link), strict=True)
        return {i: speed.value for i, t, speed in speeds if t}

    def _sliding(self, link: Link) -> dict[int, int]:
        """ᴬv^B₀ along the joint's directions d, where the speeds are those of v^B*: Σ_j (d_i · d_j) s_j = d_i · ᴬv^B₀
        (Eq 23), ᴬv^B₀ less what is prescribed of it."""
        if not self.tables.slides_freely(link):
            return {}
        ways = {i: s for i, t, s in zip(link.u, link.turns, link.slides, strict=True) if s and not t}
        d = list(ways.values())
        frame = meeting(unit for way in d for unit in way.parts)
        if frame is None:
            return {}
        v = (self.tables.relative_velocity(link) - self._prescribed(link)).within(frame)
        gram = {(i, j): dot(d[i], d[j]) for i, j in pairs(dict(enumerate(d)))}
        entries = {key: value for key, value in gram.items() if value != self.graph.zero}
        return dict(zip(ways, solved(self.graph, entries, [dot(v, way) for way in d]), strict=True))

    def _prescribed(self, link: Link) -> Vector:
        """The part of ᴬv^B₀ that belongs to prescribed speeds."""
        body, total = link.body, Vector(self.graph, {})
        for slide, speed, given in zip(body.placement.slides, body.rates, body.prescribed, strict=True):
            total = total if given is None else total + slide * speed
        return total

    @cached_property
    def _renamed(self) -> dict[int, int]:
        """The model's speeds to what they are here, where they differ."""
        both = zip(self.forest.layout.u_handles, self.standard, strict=True)
        return {symbol: node for symbol, node in both if symbol != node}

    def _converted(self, v: Vector) -> Vector:
        """A vector of the motion in terms of the speeds used here."""
        parts = substitute(self.graph, list(v.parts.values()), self._renamed) if self._renamed else v.parts.values()
        return Vector(self.graph, dict(zip(v.parts, parts, strict=True)))

    def _shares(self, k: int) -> dict[int, int]:
        """∂u_k/∂u_i of the model's speed k."""
        rates = gradient(self.graph, self.standard[k], self.forest.layout.u_handles)
        return {i: rate for i, rate in enumerate(rates) if rate != self.graph.zero}

    def _drift(self, k: int) -> int:
        """The rate of the model's speed k while u stands still."""
        layout, g = self.forest.layout, self.graph
        return jvp(g, [self.standard[k]], {**dict(zip(layout.q_handles, self.q_dot, strict=True)),
                                           self.forest.t: g.one})[0]  # fmt: skip

    @cached_property
    def q_dot(self) -> list[int]:
        """q̇ from (q, u) (Eqs 20–29)."""
        return substitute(self.graph, list(self.forest.layout.q_dot), self._renamed)

    def to_standard(self, q: Sequence[int], u: Sequence[int]) -> list[int]:
        """The model's speeds at nodes q, u: v^B₀ = v^B* − ω × r, both less what the parent has."""
        return substitute(self.graph, self.standard, self._at(q, u))

    def from_standard(self, q: Sequence[int], u: Sequence[int]) -> list[int]:
        """The speeds used here from the model's: v^B* = v^B₀ + ω × r."""
        return substitute(self.graph, self._own, self._at(q, u))

    def _at(self, q: Sequence[int], u: Sequence[int]) -> Mapping[int, int]:
        layout = self.forest.layout
        return dict(zip((*layout.q_handles, *layout.u_handles), (*q, *u), strict=True))

    @cached_property
    def _own(self) -> list[int]:
        """The speeds used here as functions of the model's."""
        speeds = list(self.forest.layout.u_handles)
        for link in self.links:
            spin, drift = self.tables.spins[link.index], self.tables.drifts[link.index]
            if self.tables.turns_freely(link):
                w = self.motion.angular_velocity(link.body)
                speeds = [dot(w, spin.partials[i]) if i in spin.partials else s for i, s in enumerate(speeds)]
            if self.tables.slides_freely(link):
                v = self.motion.velocity(Point(link.body, drift.reference))
                speeds = [dot(v, drift.partials[i]) if i in drift.partials else s for i, s in enumerate(speeds)]
        return speeds


def pairs(keys: Mapping[int, object]) -> list[Entry]:
    """(i, j) with j ≤ i"""
    return [(i, j) for i in keys for j in keys if j <= i]
