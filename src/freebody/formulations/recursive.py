"""Recursive forward dynamics: from the tips inwards each joint's speeds are eliminated or their columns carried on.

Let u̇ = u̇₀ + δ, with u̇₀ chosen so that Newton and Euler's pass outwards is short (see ``Reference``). Then
M δ = tau − f₀ with f₀ the forces that u̇₀ needs, and M is never formed as a whole: at each link the columns of the
speeds still pending (the force and torque at the link's origin that δ_j = 1 alone needs) give its rows of M; a link
that *condenses* eliminates all pending speeds there, which changes the inertia and the force its parent feels (the
articulated-body algorithm: Featherstone 1983; Rodriguez, Jain & Kreutz 1991, Eqs 3.6–3.12); one that does not hands the
columns on with the composite inertia (the composite-body algorithm). Condensing everywhere or nowhere are the two
classical ways; what is between them is often shorter.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from freebody.formulations.articulated import Articulated, from_entries, handed, joined, rigid
from freebody.formulations.columns import Columns, rotated
from freebody.formulations.efforts import armatures, efforts, with_efforts
from freebody.formulations.inwards import Inwards, Push
from freebody.geometry.frame import Triple, cross3
from freebody.geometry.vector import components
from freebody.kinematics.motion import Motion, add3, down, scale3
from freebody.model.joints.base import scalar
from freebody.scalar.graph import Graph
from freebody.topology.forest import Forest, Link
from freebody.topology.inertia import Inertia, base, plus, to_parent

Six = list[int]


@dataclass
class Column:
    """A pending speed: its place in u, its link, the push of δ = 1 at the link where it now stands."""

    place: int
    link: Link
    push: Push


@dataclass
class Level:
    """What has reached a link from outboard: rigid inertia, articulated inertia, pending columns, force."""

    body: Inertia
    soft: Articulated | None
    force: Push
    columns: list[Column] = field(default_factory=list)


@dataclass(frozen=True)
class Gone:
    """A group of speeds eliminated at a link: its columns, rows of M among them, inverse pivots, right sides."""

    link: Link
    columns: list[Column]
    rows: dict[tuple[int, int], int]
    inverse: dict[int, int]
    right: dict[int, int]
    axes: dict[int, tuple[int, int]]  # of the link's own speeds along its axes: the axis and the sign


class Recursive:
    """M, f, u̇ and tau of a forest. ``condensing`` names the links that eliminate what is pending (all: the articulated
    body algorithm, none: composite bodies); ``inertias`` are those of the base rewrite if not given; ``unit`` is the
    length that the forest counts as 1."""

    def __init__(
        self, forest: Forest, condensing: Collection[str] | None = None, inertias: Sequence[Inertia] | None = None,
        unit: float = 1.0,
    ) -> None:  # fmt: skip
        self.forest, self.motion, self.unit = forest, Motion(forest), unit
        self.graph: Graph = forest.graph
        links = forest.links
        self.condensing = {k.index for k in links if condensing is None or k.name in condensing}
        self._given = inertias

    @cached_property
    def inertias(self) -> list[Inertia]:
        return list(base(self.forest) if self._given is None else self._given)

    @cached_property
    def inwards(self) -> Inwards:
        return Inwards(self.motion, self.inertias)

    @cached_property
    def mass(self) -> dict[tuple[int, int], int]:
        return Columns(self.inwards, self.inertias).mass

    @cached_property
    def force(self) -> list[int]:
        needed = self.inwards.generalised()
        return [self.graph.sub(e, f) for f, e in zip(needed, efforts(self.forest), strict=True)]

    def forward(self, tau: Sequence[int] = ()) -> list[int]:
        """u̇ under generalised forces tau."""
        g, reference = self.graph, Reference(self.forest)
        inwards, own = Inwards(reference, self.inertias), efforts(self.forest)
        right = [g.add(t, e) for t, e in zip(tau, own, strict=True)] if tau else own
        forces = [inwards.own(link) for link in self.forest.links]
        delta = Elimination(inwards, self.inertias, self.condensing).solve(self._referred(right), forces)
        return self._returned([g.add(d, reference.chosen.get(k, g.zero)) for k, d in enumerate(delta)])

    # Free bodies whose columns belong to other speeds than u: (ω, (v + ω × s)/L)

    def _referred(self, tau: Sequence[int]) -> list[int]:
        """Generalised forces on these speeds: (τ_ω − s × τ_v, L τ_v)."""
        g, made = self.graph, list(tau)
        for link, s, unit in self._elsewhere:
            turning, sliding = ([tau[k] for k in link.u[i : i + 3]] for i in (0, 3))
            felt = cross3(g, s, sliding)
            for k in range(3):
                made[link.u[k]] = g.sub(turning[k], felt[k])
                made[link.u[k + 3]] = g.mul(unit, sliding[k])
        return made

    def _returned(self, rates: list[int]) -> list[int]:
        """u̇ of theirs: (ω̇, L v̇ − ω̇ × s)."""
        g = self.graph
        for link, s, unit in self._elsewhere:
            around = cross3(g, [rates[k] for k in link.u[:3]], s)
            for k in range(3):
                place = link.u[k + 3]
                rates[place] = g.sub(g.mul(unit, rates[place]), around[k])
        return rates

    @property
    def _elsewhere(self) -> list[tuple[Link, Triple, int]]:
        """The links with such speeds, their s (in the user's unit) and L."""
        g, L = self.graph, self.graph.const(self.unit if self.unit != 1 else 1)
        found = [link for link in self.forest.links if link.body.moving]
        return [(link, scale3(g, L, components(link.shift, link.frame)), L) for link in found]

    def inverse(self, accelerations: Sequence[int]) -> list[int]:
        """The generalised forces that make these u̇ happen: Newton and Euler, no mass matrix."""
        g, made = self.graph, list(accelerations)
        for link, s, unit in self._elsewhere:
            around = cross3(g, [made[k] for k in link.u[:3]], s)
            for k, place in enumerate(link.u[3:]):
                made[place] = g.div(g.add(made[place], around[k]), unit)
        needed = Inwards(Motion(self.forest, made), self.inertias).generalised()
        for link, s, unit in self._elsewhere:
            sliding = [g.div(needed[k], unit) for k in link.u[3:]]
            felt = cross3(g, s, sliding)
            for k in range(3):
                needed[link.u[k]], needed[link.u[k + 3]] = g.add(needed[link.u[k]], felt[k]), sliding[k]
        return with_efforts(self.forest, needed, accelerations)


class Elimination:
    """δ of M δ = right side, by links: ``condensing`` are the indices of the links that eliminate what is pending."""

    def __init__(self, inwards: Inwards, inertias: Sequence[Inertia], condensing: Collection[int]) -> None:
        self.inwards, self.inertias, self.condensing = inwards, inertias, condensing
        motion = inwards.motion
        self.graph: Graph = motion.graph
        self.links = motion.forest.links
        self.armature = armatures(motion.forest)

    def solve(self, tau: Sequence[int], forces: Sequence[Push]) -> list[int]:
        """δ for generalised forces tau, less what the forces (each link's own, not handed on) need."""
        return self._outwards(self.condensed(tau, forces), len(tau))

    # Inwards

    def condensed(self, tau: Sequence[int], forces: Sequence[Push]) -> list[Gone]:
        """The way inwards: the groups of speeds in the order in which they are eliminated."""
        levels = [Level(i, None, f) for i, f in zip(self.inertias, forces, strict=True)]
        rows: dict[tuple[int, int], int] = {}
        right: dict[int, int] = {}
        groups: list[Gone] = []
        for link in reversed(self.links):
            gone = self.meet(link, levels[link.index], tau, rows, right)
            groups += [gone] if gone is not None else []
            if link.parent is not None:
                self.hand_on(link, levels[link.index], levels[link.parent.index])
        return groups

    def meet(
        self, link: Link, level: Level, tau: Sequence[int], rows: dict[tuple[int, int], int], right: dict[int, int]
    ) -> Gone | None:
        """The step inwards at one link: what has reached it joins its own, and is eliminated where it condenses."""
        if level.soft is not None:
            level.soft = joined(self.graph, level.soft, rigid(self.graph, level.body))
        self._arrive(link, level, tau, rows, right)
        condenses = link.parent is None or link.index in self.condensing
        return self._condense(link, level, tau, rows, right) if condenses else None

    def _arrive(
        self, link: Link, level: Level, tau: Sequence[int], rows: dict[tuple[int, int], int], right: dict[int, int]
    ) -> None:
        """The link's own columns, and its rows of M and of the right side."""
        g = self.graph
        own = [Column(place, link, self._column(link, k, level)) for k, place in enumerate(link.u)]
        for place, felt in zip(link.u, self.inwards.along(link, level.force), strict=True):
            right[place] = g.sub(tau[place], felt)
        for column in (*level.columns, *own):
            for place, value in zip(link.u, self.inwards.along(link, column.push), strict=True):
                if column.link is not link or place <= column.place:
                    rows[column.place, place] = value
        for place in link.u:
            rows[place, place] = g.add(rows[place, place], self.armature.get(place, g.zero))
        level.columns += reversed(own)

    def _column(self, link: Link, k: int, level: Level) -> Push:
        """Force and torque that δ_k = 1 alone needs."""
        g = self.graph
        e, l = components(link.turns[k], link.frame), components(link.slides[k], link.frame)
        if level.soft is not None:
            return level.soft.felt(g, e, l)
        body = level.body
        f = add3(g, scale3(g, body.m, l), cross3(g, e, body.h))
        return Push(f, add3(g, rotated(g, body, e, by_trace=False), cross3(g, body.h, l)))

    def _condense(
        self, link: Link, level: Level, tau: Sequence[int], rows: dict[tuple[int, int], int], right: dict[int, int]
    ) -> Gone:
        """Eliminate the pending speeds, tips first; what the parent feels is changed by each."""
        g, last = self.graph, link.parent is None
        columns, inverse = level.columns, dict[int, int]()
        axes = own_axes(link)
        gone = {axis for axis, _ in axes.values()}
        soft = level.soft or (None if last else rigid(g, level.body))
        I = {} if last or soft is None else {(i, j): soft.entry(i, j) for i in range(6) for j in range(i, 6)}
        force = spatial(level.force)
        for n, column in enumerate(columns):
            j, F = column.place, spatial(column.push)
            inverse[j] = g.div(g.one, rows[j, j])
            later = [c for c in columns[n + 1 :] if (j, c.place) in rows]
            self._eliminate(column, later, rows, inverse, right, last)
            if not last:
                ratio = [g.mul(x, inverse[j]) if i not in gone else g.zero for i, x in enumerate(F)]
                for (a, b), value in I.items():
                    if a not in gone and b not in gone:
                        I[a, b] = g.sub(value, g.mul(ratio[a], F[b]))
                force = [f if i in gone else g.add(f, g.mul(ratio[i], right[j])) for i, f in enumerate(force)]
        if not last:
            level.soft = from_entries(g, I, gone)
            for place, (axis, sign) in axes.items():
                force[axis] = tau[place] if sign > 0 else g.neg(tau[place])
            level.force, level.columns = push_of(force), []
        return Gone(link, columns, rows, inverse, right, axes)

    def _eliminate(
        self, column: Column, later: list[Column], rows: dict[tuple[int, int], int], inverse: dict[int, int],
        right: dict[int, int], last: bool,
    ) -> None:  # fmt: skip
        g, j = self.graph, column.place
        ratio = {c.place: g.mul(rows[j, c.place], inverse[j]) for c in later}
        for n, c in enumerate(later):
            k = c.place
            for other in later[n:]:
                key = k, other.place
                if key not in rows:
                    key = other.place, k
                product = g.mul(ratio[k], rows[j, other.place])
                rows[key] = g.sub(rows[key], product) if key in rows else g.neg(product)
            if not last:
                pairs = zip(spatial(c.push), spatial(column.push), strict=True)
                c.push = push_of([g.sub(x, g.mul(ratio[k], y)) for x, y in pairs])
            right[k] = g.sub(right[k], g.mul(ratio[k], right[j]))

    def hand_on(self, link: Link, level: Level, parent: Level) -> None:
        """What is left at a link, added to what has reached its parent."""
        g = self.graph
        assert link.parent is not None
        if level.soft is not None:
            parent.soft = joined(g, parent.soft, handed(link, level.soft))
        else:
            parent.body = plus(g, parent.body, to_parent(link, level.body, link.parent.frame))
        for column in level.columns:
            column.push = self.inwards.handed(link, column.push)
        parent.columns += level.columns
        handed_on = self.inwards.handed(link, level.force)
        parent.force = Push(add3(g, parent.force.f, handed_on.f), add3(g, parent.force.n, handed_on.n))

    # Outwards

    def _outwards(self, groups: list[Gone], n: int) -> list[int]:
        delta = [self.graph.zero] * n
        reached: dict[int, tuple[Triple, Triple]] = {}
        for group in reversed(groups):
            self.back(group, delta, reached)
        return delta

    def back(self, group: Gone, delta: list[int], reached: dict[int, tuple[Triple, Triple]]) -> None:
        """The step outwards at one link: the speeds of its group, roots first, from the acceleration V that arrives at
        it from the parent. A column's part along an own axis of the link is its row of M there, so that own speed and V
        appear as their sum y alone."""
        g = self.graph
        arriving = None if group.link.parent is None else self._arriving(group.link, reached, delta)
        gone = {axis for axis, _ in group.axes.values()} if arriving is not None else set()
        total: dict[int, int] = {}
        for n in range(len(group.columns) - 1, -1, -1):
            column = group.columns[n]
            j = column.place
            value = group.right[j]
            for later in group.columns[n + 1 :]:
                k = later.place
                if (j, k) in group.rows:
                    value = g.sub(value, g.mul(group.rows[j, k], total.get(k, delta[k])))
            for i, (x, a) in enumerate(zip(spatial(column.push), arriving or [], strict=False)):
                value = value if i in gone else g.sub(value, g.mul(x, a))
            delta[j] = g.mul(value, group.inverse[j])
            if arriving is not None and j in group.axes:
                axis, sign = group.axes[j]
                total[j] = delta[j]
                delta[j] = g.sub(delta[j], arriving[axis] if sign > 0 else g.neg(arriving[axis]))
        if arriving is not None and len(group.axes) == len(group.link.u):
            moved = list(arriving)
            for place, (axis, sign) in group.axes.items():
                moved[axis] = total[place] if sign > 0 else g.neg(total[place])
            reached[group.link.index] = (moved[0], moved[1], moved[2]), (moved[3], moved[4], moved[5])

    def _arriving(self, link: Link, reached: dict[int, tuple[Triple, Triple]], delta: list[int]) -> Six:
        """δα and δa of the parent's motion at the link's origin, in its frame."""
        assert link.parent is not None
        g, parent = self.graph, link.parent
        alpha, a = self.moved(parent, reached, delta)
        there = add3(g, a, cross3(g, alpha, link.arm))
        return [*down(parent.frame, link.frame, alpha), *down(parent.frame, link.frame, there)]

    def moved(self, link: Link, reached: dict[int, tuple[Triple, Triple]], delta: list[int]) -> tuple[Triple, Triple]:
        """δα and δa of a link, its own speeds included."""
        if link.index not in reached:
            g, z = self.graph, self.graph.zero
            moving: Six = [z] * 6 if link.parent is None else self._arriving(link, reached, delta)
            for k, place in enumerate(link.u):
                e, l = components(link.turns[k], link.frame), components(link.slides[k], link.frame)
                moving = [g.add(x, g.mul(c, delta[place])) for x, c in zip(moving, (*e, *l), strict=True)]
            reached[link.index] = (moving[0], moving[1], moving[2]), (moving[3], moving[4], moving[5])
        return reached[link.index]


class Reference(Motion):
    """The motion with u̇₀ in place of u̇: such that a link has no acceleration along the axes its own speeds move it
    along. ``chosen`` holds u̇₀ by place in u, once all links were asked for their accelerations."""

    def __init__(self, forest: Forest) -> None:
        super().__init__(forest)
        self.chosen: dict[int, int] = {}

    def settled(self, link: Link, rest: Triple, start: int) -> Triple:
        g, kept = self.graph, list(rest)
        for place, (axis, sign) in own_axes(link).items():
            if start <= axis < start + 3:
                value = kept[axis - start]
                self.chosen[place] = g.neg(value) if sign > 0 else value
                kept[axis - start] = g.zero
        return kept[0], kept[1], kept[2]


def own_axes(link: Link) -> dict[int, tuple[int, int]]:
    """The link's speeds that move it along one axis of its frame alone, and nothing else with it: a rotor's inertia
    (armature) turns with the joint but not with the link."""
    assert link.body.recipe is not None
    if scalar(link.graph, link.body.recipe.joint.armature) != link.graph.zero:
        return {}
    found = {place: own_axis(link, k) for k, place in enumerate(link.u)}
    return {place: axis for place, axis in found.items() if axis is not None}


def own_axis(link: Link, k: int) -> tuple[int, int] | None:
    """(index, sign) where speed k moves the link along one axis of its frame alone: 0–2 turning, 3–5 sliding."""
    g = link.graph
    both = [*components(link.turns[k], link.frame), *components(link.slides[k], link.frame)]
    found = [i for i, x in enumerate(both) if x != g.zero]
    if len(found) == 1 and g.number(both[found[0]]) in (1, -1):
        return found[0], 1 if g.number(both[found[0]]) == 1 else -1
    return None


def spatial(push: Push) -> Six:
    return [*push.n, *push.f]


def push_of(six: Six) -> Push:
    return Push((six[3], six[4], six[5]), (six[0], six[1], six[2]))
