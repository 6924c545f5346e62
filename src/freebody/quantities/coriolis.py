"""C(q, u) of M u̇ + C u + c₀ = …: C = ∫ J_pᵀ J̇_p dm over all mass points, J_p a point's velocity per unit of each speed.

J̇_p is the rate along the motion. So Ṁ = ∫ J̇_pᵀ J_p + J_pᵀ J̇_p dm = C + Cᵀ, and Ṁ − 2C is skew. A point accelerates at
J_p u̇ + J̇_p u + ȯ_p, with o_p what prescribed motions alone make of its velocity; hence C u + c₀, c₀ = ∫ J_pᵀ ȯ_p dm, is
all that velocities add to the inertia forces. Where speeds are the rates of coordinates, C is that of Christoffel's
symbols of the first kind (Echeandia & Wensing 2021).

Composite bodies have, beside m, h and Σ, the rates of their moments: ḣ and K = ∫ r ṙᵀ dm. M = ∫ J_pᵀ J_p dm, and all
that C and the derivatives of M u̇ + … need has the form ∫ J_pᵀ (a + b × r + c × ṙ) dm, over a link and all that hangs on
it, with r from the link's origin and ṙ its rate relative to the ground. A link's origin, axes and inertia are those of
the `base` rewrite: mass that it moves to a parent lies where both bodies move alike, so these integrals are the same.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from freebody.formulations.derivation import Derivation
from freebody.program.program import Program
from freebody.quantities.forces import without_loads
from freebody.quantities.kinematics import Weightless, program, require_standard
from freebody.scalar.derivative import jvp, time_seeds
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Terms, Twist, Vec, Wrench, collected
from freebody.spatial.scalars import Matrix, Scalar, add3, full, times3, transpose
from freebody.spatial.vector import components
from freebody.tree.inertia import base_inertias
from freebody.tree.joint_forces import armatures
from freebody.tree.mass_matrix import add_entry, composites
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import on_speeds
from freebody.tree.passes import inwards
from freebody.tree.tree import Column, Link, require_joints

Entries = dict[tuple[int, int], Node]


def coriolis(e: Derivation) -> Program:
    """C, nu × nu."""
    require_standard(e, "coriolis", exact=True)
    require_joints(e.tree, "coriolis", "use inverse_dynamics and its derivatives")
    g, n, entries = e.graph, len(e.layout.u), coriolis_entries(Flows(e.formulation.motion, base_inertias(e.tree)))
    a = e.assembly("coriolis")
    a.output("C", [[entries.get((i, j), g.zero) for j in range(n)] for i in range(n)], (n, n))
    return a.program()


def coriolis_offset(e: Derivation) -> Program:
    """c₀: the inertia forces at u̇ = 0 without gravity, less C u."""
    require_standard(e, "coriolis_offset", exact=True)
    require_joints(e.tree, "coriolis_offset", "use inverse_dynamics and its derivatives")
    g, offset = e.graph, [e.graph.zero] * len(e.layout.u)
    if any(given is not None for link in e.tree.links for given in link.body.prescribed):
        inertias = base_inertias(e.tree)
        offset = without_loads(Weightless(e.tree), inertias).generalised()
        for (i, j), entry in coriolis_entries(Flows(e.formulation.motion, inertias)).items():
            offset[i] = g.sub(offset[i], g.mul(entry, e.layout.u_handles[j]))
    return program(e, "coriolis_offset", {"c": offset})


def coriolis_entries(flows: "Flows") -> Entries:
    """The entries of C."""

    def effect(link: Link, column: Column) -> "Effect":
        """∫ [r×; 1] (l̇ + ė × r + e × ṙ) dm."""
        flow, e, l = flows.all[link.index], column.twist.angular, column.twist.linear
        e_dot, l_dot = rate(flows.motion, link, e, column.angular), rate(flows.motion, link, l, column.linear)
        wrench = flow.wrench(l_dot, e_dot) + flow.swept(e)
        return Effect(wrench, wrench, l_dot, e_dot, e)

    return flows.matrix(effect)


def rate(motion: Motion, link: Link, v: Vec, parts: Terms) -> Vec:
    """dv/dt in the ground of a vector of a link: ω × v of the body in which v is fixed, plus the rate of its components
    where it is fixed in neither. ``parts`` is the vector in its native form."""
    g, w = motion.graph, motion.of(link).w
    if fixed(v):
        return w.cross(v)
    if fixed(collected(link.base, parts)):
        return parent_turning(motion, link).cross(v)
    layout = motion.tree.layout
    seeds = dict(zip(layout.q_handles, layout.q_dot, strict=True)) | time_seeds(g)
    return w.cross(v) + Vec(link.frame, tuple(jvp(g, list(v.c), seeds)))


def fixed(v: Vec) -> bool:
    """Whether the components are numbers and parameters alone."""
    return all(v.frame.graph.mask[x] <= PARAMETERS_ONLY for x in v.c)


def parent_turning(motion: Motion, link: Link) -> Vec:
    """ω of the parent, in the link's frame."""
    return Vec.zero(link.frame) if link.parent is None else motion.of(link.parent).w.in_(link.frame)


@dataclass(frozen=True)
class MomentRates:
    """ḣ and K of a link and all that hangs on it, about its origin."""

    h_dot: Vec
    K: Matrix

    def __add__(self, more: "MomentRates") -> "MomentRates":
        S = self.h_dot.frame.S
        x, y, z = (add3(S, a, b) for a, b in zip(self.K, more.K, strict=True))
        return MomentRates(self.h_dot + more.h_dot, (x, y, z))


@dataclass(frozen=True)
class Flow:
    """The inertia and moment rates of a link and all that hangs on it, about its origin in its frame."""

    body: RigidInertia
    rates: MomentRates

    def wrench(self, a: Vec, b: Vec) -> Wrench:
        """∫ [r×; 1] (a + b × r) dm."""
        return self.body.apply(Twist.of(b, a))

    def swept(self, c: Vec) -> Wrench:
        """∫ [r×; 1] (c × ṙ) dm: force c × ḣ, torque (tr K − Kᵀ) c."""
        return Wrench.of(self._trace_less(transpose(self.rates.K), c), c.cross(self.rates.h_dot))

    def twist(self, e: Vec, l: Vec) -> Vec:
        """∫ ṙ × (l + e × r) dm = ḣ × l + (tr K − K) e."""
        return self.rates.h_dot.cross(l) + self._trace_less(self.rates.K, e)

    def _trace_less(self, K: Matrix, v: Vec) -> Vec:
        """(tr K − K) v."""
        S = v.frame.S
        return v.times(S.add(S.add(K[0][0], K[1][1]), K[2][2])) - Vec(v.frame, times3(S, K, v.c))


@dataclass(frozen=True)
class Carrier:
    """The unit motion by a speed of everything that it moves, as integrals at a link further in, about its origin in
    its frame: the wrench ∫ [ρ×; 1] J_p dm and the twist ∫ ρ̇ × J_p dm."""

    speed: int
    wrench: Wrench
    twist: Vec
    link: Link  # whose speed it is


@dataclass(frozen=True)
class Effect:
    """A column at the rows of its own link and of links further in (wrenches), and of links further out:
    ∫ J_pᵀ (a + b × ρ + c × ρ̇) dm over everything that their speeds move. ``bent`` is what more there is at the rows of
    its own link."""

    own: Wrench
    inward: Wrench
    a: Vec
    b: Vec
    c: Vec
    bent: Mapping[int, Scalar] = field(default_factory=dict)


@dataclass(frozen=True)
class Inside:
    """What moves inside a body: what it adds to the rates of moments, and the carriers of its speeds."""

    rates: MomentRates
    carriers: Sequence[Carrier]


@dataclass(frozen=True)
class OwnColumn:
    """A column of what moves inside a body: the wrench at the body, and the rows of its own speeds."""

    speed: int
    wrench: Wrench
    rows: Mapping[int, Scalar]


def no_columns(link: Link) -> Sequence[OwnColumn]:
    return ()


class Flows:
    """The composite bodies of a motion with their moment rates, and the matrices that they give."""

    def __init__(
        self, motion: Motion, inertias: Sequence[RigidInertia], insides: Mapping[int, Inside] | None = None
    ) -> None:
        self.motion, self.inertias, self._insides = motion, inertias, insides or {}
        self.graph: Graph = motion.graph
        self.links = motion.tree.links

    @cached_property
    def all(self) -> list[Flow]:
        bodies, rates = composites(self.motion.tree, self.inertias), list[MomentRates]()
        for link in self.links:  # ḣ = ω × h, and row a of K is ω × row a of Σ
            c, w = self.inertias[link.index], self.motion.of(link).w
            x, y, z = (w.cross(Vec(link.frame, row)).xyz for row in full(c.second))
            own, inside = MomentRates(w.cross(Vec(link.frame, c.h)), (x, y, z)), self._insides.get(link.index)
            rates.append(own if inside is None else own + inside.rates)

        def step(link: Link, rates: MomentRates) -> MomentRates | None:
            """About the parent's origin r becomes p + r: K gains p (ḣ + m ṗ)ᵀ + h ṗᵀ."""
            if link.parent is None:
                return None
            g, base, p, body = self.graph, link.X.base, link.X.arm, bodies[link.index]
            h, p_dot, K = Vec(link.frame, body.h).in_(base).c, self.drift(link), rates.K
            h_dot = rates.h_dot.in_(base) + p_dot.times(body.m)
            for turn in link.X.turns_back:
                K = turn.matrix(K)
            gains = [[g.add(g.mul(p[i], h_dot.c[j]), g.mul(h[i], p_dot.c[j])) for j in range(3)] for i in range(3)]
            x, y, z = (add3(g, a, (b[0], b[1], b[2])) for a, b in zip(K, gains, strict=True))
            return MomentRates(h_dot, (x, y, z))

        return [Flow(body, rate) for body, rate in zip(bodies, inwards(self.links, rates, step), strict=True)]

    def drift(self, link: Link) -> Vec:
        """ṗ of the arm from the parent's origin, in the parent's frame: ω_A × p + the slides."""
        base, motion = link.X.base, self.motion
        above = motion.ground if link.parent is None else motion.of(link.parent)
        sliding = Vec(base, components(link.joint_velocity, base))
        return above.w.cross(Vec(base, link.X.arm)) + sliding

    # Columns

    def sweep(self) -> Iterator[tuple[Link, list[Carrier]]]:
        """The links from the tips inwards, each with the carriers of its own speeds and of those further out."""
        waiting = [list[Carrier]() for _ in self.links]
        for link in reversed(self.links):
            flow, here = self.all[link.index], waiting[link.index]
            for c in link.columns:
                e, l = c.twist.angular, c.twist.linear
                here.append(Carrier(c.speed, flow.wrench(l, e), flow.twist(e, l), link))
            here += self._insides[link.index].carriers if link.index in self._insides else ()
            yield link, here
            for one in here:  # at the parent ρ̇ gains ṗ, so the twist gains ṗ × F
                if link.parent is not None:
                    wrench = one.wrench.back(link.X)
                    twist = one.twist.in_(link.X.base) + self.drift(link).cross(wrench.linear)
                    waiting[link.parent.index].append(Carrier(one.speed, wrench, twist, one.link))

    def matrix(
        self,
        effect: Callable[[Link, Column], Effect],
        inside: Callable[[Link], Sequence[OwnColumn]] = no_columns,
    ) -> Entries:
        """The matrix whose columns have these effects, and those of what moves inside bodies; structural zeros are
        absent."""
        g, entries, waiting = self.graph, Entries(), [list[tuple[int, Wrench]]() for _ in self.links]

        def add(i: int, j: int, value: Scalar) -> None:
            entries[i, j] = g.add(entries[i, j], value) if (i, j) in entries else value

        for link, carriers in self.sweep():
            here = waiting[link.index]
            for own in inside(link):
                here.append((own.speed, own.wrench))
                for row, value in own.rows.items():
                    add(row, own.speed, value)
            for speed, wrench in here:
                for row, H, *_ in link.columns:
                    add(row, speed, H.dot(wrench))
            for column in link.columns:
                of_column = effect(link, column)
                for row, H, *_ in link.columns:
                    add(row, column.speed, H.dot(of_column.own))
                for row, value in of_column.bent.items():
                    add(row, column.speed, value)
                for one in carriers:
                    if one.link is not link:
                        value = g.add(of_column.a.dot(one.wrench.linear), of_column.b.dot(one.wrench.angular))
                        add(one.speed, column.speed, g.add(value, of_column.c.dot(one.twist)))
                here.append((column.speed, of_column.inward))
            if link.parent is not None:
                waiting[link.parent.index] += [(speed, wrench.back(link.X)) for speed, wrench in here]
        return {key: value for key, value in sorted(entries.items()) if value != g.zero}

    @cached_property
    def mass(self) -> Entries:
        """M's lower triangle, armatures included; entries that are structurally zero are absent."""
        g, entries = self.graph, Entries()
        for link, carriers in self.sweep():
            for one in carriers:
                for row, value in on_speeds(link, one.wrench):
                    if one.link is not link:
                        both = row == one.speed
                        add_entry(g, entries, one.speed, row, g.mul(g.const(2), value) if both else value)
                    elif row <= one.speed:
                        add_entry(g, entries, one.speed, row, value)
        for speed, value in armatures(self.motion.tree).items():
            add_entry(g, entries, speed, speed, value)
        return {key: value for key, value in sorted(entries.items()) if value != g.zero}
