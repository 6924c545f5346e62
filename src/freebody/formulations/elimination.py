"""Elimination from the tips inwards: at each link speeds are eliminated, or their columns carried on.

M δ = right side without M: at each link the columns of the speeds still pending (the force and torque at the link's
origin that δ_j = 1 alone needs) give its rows of M; a link that *condenses* eliminates all pending speeds there, which
changes the inertia and the force its parent feels (the articulated-body algorithm: Featherstone 1983; Rodriguez, Jain &
Kreutz 1991, Eqs 3.6–3.12); one that does not hands the columns on with the composite inertia (the composite-body
algorithm). Tied joints share a speed: their columns wait until all of them have met, at a common ancestor or at last at
the ground, and are one column from there.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from freebody.formulations.articulated import Articulated, from_entries, handed, joined, rigid
from freebody.formulations.columns import entry, gather, rotated, twice
from freebody.formulations.efforts import armatures
from freebody.formulations.inwards import Inwards, Push
from freebody.model.joints.base import scalar
from freebody.scalar.graph import Graph
from freebody.spatial.triples import Triple, add3, cross3, scale3
from freebody.spatial.vector import components
from freebody.tree.forest import Link
from freebody.tree.inertia import Inertia, plus, to_parent
from freebody.tree.motion import down

Six = list[int]


@dataclass
class Column:
    """A pending speed: its place in u, the push of δ = 1 at the link where it now stands, and of how many joints."""

    place: int
    push: Push
    joints: int = 1


@dataclass
class Level:
    """What has reached a link from outboard: rigid inertia, articulated inertia, pending columns, force."""

    body: Inertia
    soft: Articulated | None
    force: Push
    columns: list[Column] = field(default_factory=list)


@dataclass(frozen=True)
class Gone:
    """A group of speeds eliminated at a link (or at the ground): their columns, those that wait on, rows of M among
    them, inverse pivots, right sides."""

    link: Link | None
    columns: list[Column]
    waiting: list[Column]
    rows: dict[tuple[int, int], int]
    inverse: dict[int, int]
    right: dict[int, int]
    axes: dict[int, tuple[int, int]]  # of the link's own speeds along its axes: the axis and the sign

    @property
    def at(self) -> Link:
        """The link, where there is one: in a tree without tied joints."""
        assert self.link is not None
        return self.link


class Elimination:
    """δ of M δ = right side, by links: ``condensing`` are the indices of the links that eliminate what is pending."""

    def __init__(self, inwards: Inwards, inertias: Sequence[Inertia], condensing: Collection[int]) -> None:
        self.inwards, self.inertias, self.condensing = inwards, inertias, condensing
        motion = inwards.motion
        self.graph: Graph = motion.graph
        self.links = motion.forest.links
        self.armature = armatures(motion.forest)
        self.joints = Counter(place for link in self.links for place in link.u)  # that move by each speed

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
        ground: list[Column] = []
        for link in reversed(self.links):
            gone = self.meet(link, levels[link.index], tau, rows, right)
            groups += [gone] if gone is not None else []
            if link.parent is not None:
                self.hand_on(link, levels[link.index], levels[link.parent.index])
            else:
                ground = self._merged(ground, levels[link.index].columns)
        return [*groups, self._settle(ground, rows, right)] if ground else groups

    def _settle(self, columns: list[Column], rows: dict[tuple[int, int], int], right: dict[int, int]) -> Gone:
        """Eliminate at the ground what has met only there."""
        inverse = dict[int, int]()
        for n, column in enumerate(columns):
            inverse[column.place] = self.graph.div(self.graph.one, rows[column.place, column.place])
            later = [c for c in columns[n + 1 :] if entry(column.place, c.place) in rows]
            self._eliminate(column, later, rows, inverse, right, last=True)
        return Gone(None, columns, [], rows, inverse, right, {})

    def _merged(self, columns: list[Column], more: Sequence[Column]) -> list[Column]:
        """Columns that stand at one link, those of one speed added."""
        g, made = self.graph, list(columns)
        places = {c.place: k for k, c in enumerate(made)}
        for one in more:
            k = places.get(one.place)
            if k is None:
                made.append(one)
            else:
                a, b = made[k].push, one.push
                push = Push(add3(g, a.f, b.f), add3(g, a.n, b.n))
                made[k] = Column(one.place, push, made[k].joints + one.joints)
        return made

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
        own = [Column(place, self._column(link, k, level)) for k, place in enumerate(link.u)]
        for place, felt in zip(link.u, self.inwards.along(link, level.force), strict=True):
            right[place] = g.sub(right.get(place, tau[place]), felt)
        for column in level.columns:
            for place, value in zip(link.u, self.inwards.along(link, column.push), strict=True):
                gather(g, rows, column.place, place, twice(g, value) if place == column.place else value)
        for column in own:
            for place, value in zip(link.u, self.inwards.along(link, column.push), strict=True):
                if place <= column.place:
                    gather(g, rows, column.place, place, value)
        for place in link.u if link.body.tie is None else ():
            rows[place, place] = g.add(rows[place, place], self.armature.get(place, g.zero))
        level.columns = self._merged(level.columns, own[::-1])

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
        """Eliminate the pending speeds, tips first; what the parent feels is changed by each. Those of tied joints wait
        until all have met."""
        g, last = self.graph, link.parent is None
        columns = [c for c in level.columns if c.joints == self.joints[c.place]]
        waiting = [c for c in level.columns if c.joints < self.joints[c.place]]
        inverse = dict[int, int]()
        axes = own_axes(link)
        gone = {axis for axis, _ in axes.values()}
        soft = level.soft or (None if last else rigid(g, level.body))
        I = {} if last or soft is None else {(i, j): soft.entry(i, j) for i in range(6) for j in range(i, 6)}
        force = spatial(level.force)
        for n, column in enumerate(columns):
            j, F = column.place, spatial(column.push)
            inverse[j] = g.div(g.one, rows[j, j])
            later = [c for c in (*columns[n + 1 :], *waiting) if entry(j, c.place) in rows]
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
            for c in waiting:
                c.push = push_of([g.zero if i in gone else x for i, x in enumerate(spatial(c.push))])
            level.force = push_of(force)
        level.columns = waiting
        return Gone(link, columns, waiting, rows, inverse, right, axes)

    def _eliminate(
        self, column: Column, later: list[Column], rows: dict[tuple[int, int], int], inverse: dict[int, int],
        right: dict[int, int], last: bool,
    ) -> None:  # fmt: skip
        g, j = self.graph, column.place
        ratio = {c.place: g.mul(rows[entry(j, c.place)], inverse[j]) for c in later}
        for n, c in enumerate(later):
            k = c.place
            for other in later[n:]:
                key = entry(k, other.place)
                product = g.mul(ratio[k], rows[entry(j, other.place)])
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
        parent.columns = self._merged(parent.columns, level.columns)
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
        link = group.link
        arriving = None if link is None or link.parent is None else self._arriving(link, reached, delta)
        gone = {axis for axis, _ in group.axes.values()} if arriving is not None else set()
        total: dict[int, int] = {}
        for n in range(len(group.columns) - 1, -1, -1):
            column = group.columns[n]
            j = column.place
            value = group.right[j]
            for later in (*group.columns[n + 1 :], *group.waiting):
                k = later.place
                if entry(j, k) in group.rows:
                    value = g.sub(value, g.mul(group.rows[entry(j, k)], total.get(k, delta[k])))
            for i, (x, a) in enumerate(zip(spatial(column.push), arriving or [], strict=False)):
                value = value if i in gone else g.sub(value, g.mul(x, a))
            delta[j] = g.mul(value, group.inverse[j])
            if arriving is not None and j in group.axes:
                axis, sign = group.axes[j]
                total[j] = delta[j]
                delta[j] = g.sub(delta[j], arriving[axis] if sign > 0 else g.neg(arriving[axis]))
        if link is not None and arriving is not None and len(group.axes) == len(link.u):
            moved = list(arriving)
            for place, (axis, sign) in group.axes.items():
                moved[axis] = total[place] if sign > 0 else g.neg(total[place])
            reached[link.index] = (moved[0], moved[1], moved[2]), (moved[3], moved[4], moved[5])

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


def own_axes(link: Link) -> dict[int, tuple[int, int]]:
    """The link's speeds that move it along one axis of its frame alone, and nothing else with it: a rotor's inertia
    (armature) turns with the joint but not with the link, and a speed that is shared moves others too."""
    if link.shared or scalar(link.graph, link.body.recipe.joint.armature) != link.graph.zero:
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
