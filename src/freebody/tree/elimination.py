"""Elimination from the tips inwards: at each link speeds are eliminated, or their columns carried on.

M δ = right side without M: at each link the columns of the speeds still pending (the wrench at the link's origin that
δ = 1 alone needs) give its rows of M; a link that *condenses* eliminates what is pending there, which changes the
inertia and the force its parent feels (the articulated-body algorithm: Featherstone 1983; Rodriguez, Jain & Kreutz
1991, Eqs 3.6–3.12); one that does not hands the columns on with the composite inertia.

Speeds that several links share (of coupled joints, and a body's own) wait until all their ends have met, at a common
ancestor or at last at the ground, and are one column from there. A constraint's multiplier is such a column too: it
begins as minus its wrench at each of its ends, with a zero on the diagonal, and goes after the speeds it arrives with.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from freebody.errors import ModelError
from freebody.spatial.inertia import ArticulatedInertia, RigidInertia
from freebody.spatial.resolved import Twist, Wrench
from freebody.spatial.scalars import Scalar, Scalars
from freebody.tree.forest import Forest, Link
from freebody.tree.joint_forces import armatures
from freebody.tree.mass import Entries, eliminated, entry, gather
from freebody.tree.passes import inwards, outwards, unknown

Components = tuple[Scalar, ...]
GROUND = -1
"""The index of the ground among the ends of a multiplier."""


class Pending(NamedTuple):
    """A speed or multiplier not eliminated yet: the wrench of δ = 1 where it stands, and how many of its ends have
    met."""

    speed: int
    wrench: Wrench
    ends: int = 1


class Multiplier(NamedTuple):
    """One row of a constraint: its index among the unknowns, behind the speeds, and the wrench that λ = 1 puts on each
    of its ends (the index of a link, or ``GROUND``)."""

    speed: int
    ends: Sequence[tuple[int, Wrench]]


@dataclass(eq=False, slots=True)
class Level:
    """What has reached a link: rigid inertia, articulated inertia (None: none yet), force, pending columns."""

    rigid: RigidInertia
    soft: ArticulatedInertia | None
    force: Wrench
    pending: tuple[Pending, ...] = ()

    def __add__(self, more: "Level") -> "Level":
        soft = self.soft if more.soft is None else more.soft if self.soft is None else self.soft + more.soft
        return Level(self.rigid + more.rigid, soft, self.force + more.force, met(self.pending, more.pending))


def met(some: Sequence[Pending], more: Sequence[Pending]) -> tuple[Pending, ...]:
    """Columns that stand at one link, those of one speed added."""
    made = {c.speed: c for c in some}
    for c in more:
        known = made.get(c.speed)
        made[c.speed] = c if known is None else Pending(c.speed, known.wrench + c.wrench, known.ends + c.ends)
    return tuple(made.values())


class EliminationStep(NamedTuple):
    """Columns eliminated at a link (at the ground: None), in this order; those that wait on; the link's own axes."""

    link: Link | None
    columns: Sequence[Pending]
    waiting: Sequence[Pending]
    axes: Mapping[int, tuple[int, int]]

    @property
    def at(self) -> Link:
        """The link, where there is one: in a tree without shared speeds."""
        if self.link is None:
            raise ModelError("speeds that several joints share are eliminated at the ground, not at one link")
        return self.link


class Elimination:
    """δ of M δ = right side. ``condensing`` are the indices of the links that eliminate what is pending (all of them:
    articulated bodies; none: composite bodies). After ``condense``: ``rows`` of M as they were when eliminated,
    ``right`` sides, ``inverse`` pivots by speed, and the ``groups`` in the order of elimination."""

    def __init__(
        self, forest: Forest, inertias: Sequence[RigidInertia], condensing: Collection[int] | None = None,
        multipliers: Sequence[Multiplier] = (),
    ) -> None:  # fmt: skip
        self.forest, self.links, self.inertias = forest, forest.links, inertias
        self.S: Scalars = forest.graph
        self.condensing = range(len(self.links)) if condensing is None else condensing
        self.multipliers = {row.speed: row for row in multipliers}
        self.ends = Counter(c.speed for link in self.links for c in link.columns)
        self.ends.update(speed for link in self.links if link.inside is not None for speed in link.u)
        self.ends.update({row.speed: len(row.ends) for row in multipliers})
        self.rows: Entries = {}
        self.right: dict[int, Scalar] = {}
        self.inverse: dict[int, Scalar] = {}
        self.groups: list[EliminationStep] = []
        self.tau: Sequence[Scalar] = ()
        self._at_ground: dict[int, Pending] = {}

    def solve(
        self, tau: Sequence[Scalar], forces: Sequence[Wrench] | None = None, modal: Mapping[int, Scalar] | None = None
    ) -> list[Scalar]:
        """δ for generalised forces tau (of a multiplier its residual), less what the forces (each link's own, not
        handed on) and own speeds need."""
        self.condense(tau, forces, modal)
        delta, reached = [self.S.zero] * len(tau), dict[int, Twist]()
        for group in reversed(self.groups):
            self.back(group, delta, reached)
        return delta

    # Inwards

    def condense(
        self, tau: Sequence[Scalar], forces: Sequence[Wrench] | None = None, modal: Mapping[int, Scalar] | None = None
    ) -> list[EliminationStep]:
        """The way inwards."""
        self.begin(tau, modal or {})
        own = [Wrench.zero(link.frame) for link in self.links] if forces is None else forces
        levels = zip(self.links, self.inertias, own, strict=True)
        inwards(self.links, [Level(i, None, F, self.pending(link)) for link, i, F in levels], self.meet)
        return self.finish()

    def finish(self) -> list[EliminationStep]:
        """At the ground what has met only there is eliminated."""
        columns = self._ordered(self._at_ground.values())
        for n, c in enumerate(columns):
            self._eliminate(c, columns[n + 1 :], [], last=True)
        self.groups += [EliminationStep(None, columns, [], {})] if columns else []
        return self.groups

    def begin(self, tau: Sequence[Scalar], modal: Mapping[int, Scalar]) -> None:
        """Rotors stand on the diagonal of M from the start, where they meet constants; multipliers have a zero; bodies
        with speeds of their own add these speeds' block."""
        self.tau = tau
        self.rows = {(k, k): value for k, value in armatures(self.forest).items()}
        self.rows |= {(k, k): self.S.zero for k in self.multipliers}
        for link in self.links:
            for (i, j), value in link.inside.ff.items() if link.inside is not None else ():
                gather(self.S, self.rows, link.u[i], link.u[j], value)
        own = [speed for link in self.links if link.inside is not None for speed in link.u]
        self.right = {k: self.S.sub(tau[k], modal[k]) if k in modal else tau[k] for k in (*own, *self.multipliers)}

    def pending(self, link: Link) -> tuple[Pending, ...]:
        """What is pending at a link of itself: its own speeds, and multipliers with an end on it."""
        own = () if link.inside is None else map(Pending, link.u, link.inside.fr)
        ends = (Pending(row.speed, -W) for row in self.multipliers.values() for k, W in row.ends if k == link.index)
        return (*own, *ends)

    def _ordered(self, columns: Collection[Pending]) -> list[Pending]:
        """A multiplier has no pivot before its speeds are gone."""
        return sorted(columns, key=lambda c: c.speed in self.multipliers)

    def meet(self, link: Link, level: Level) -> Level | None:
        """The step inwards: the link's columns join what has reached it; they are eliminated, or handed on."""
        S, rows, X = self.S, self.rows, link.X
        soft = None if level.soft is None else level.soft + level.rigid.articulated()
        inertia: RigidInertia | ArticulatedInertia = level.rigid if soft is None else soft
        fresh = [Pending(c.speed, inertia.apply(c.twist)) for c in link.columns]
        for speed, H, *_ in link.columns:
            self.right[speed] = S.sub(self.right.get(speed, self.tau[speed]), H.dot(level.force))
            for c in level.pending:
                value = H.dot(c.wrench)
                gather(S, rows, c.speed, speed, S.mul(S.const(2), value) if speed == c.speed else value)
            for c in fresh:
                if speed <= c.speed:
                    gather(S, rows, c.speed, speed, H.dot(c.wrench))
        pending, force = met(level.pending, fresh[::-1]), level.force
        if link.parent is None or link.index in self.condensing:
            soft, force, pending = self._condense(link, inertia, force, pending)
        if link.parent is None:
            self._at_ground |= {c.speed: c for c in pending}  # their rows count there, their wrenches no more
            return None
        rigid = level.rigid.back(X) if soft is None else RigidInertia.zero(X.base)
        pending = tuple([Pending(c.speed, c.wrench.back(X), c.ends) for c in pending])
        return Level(rigid, None if soft is None else soft.back(X), force.back(X), pending)

    def _condense(
        self, link: Link, inertia: RigidInertia | ArticulatedInertia, force: Wrench, pending: Sequence[Pending]
    ) -> tuple[ArticulatedInertia | None, Wrench, tuple[Pending, ...]]:
        """I − Σ F Fᵀ/d and F + Σ F right/d of the columns whose ends have met; the others wait, less their share."""
        S, last = self.S, link.parent is None
        ready = self._ordered([c for c in pending if c.ends == self.ends[c.speed]])
        waiting = [c for c in pending if c.ends < self.ends[c.speed]]
        axes = link.axes
        gone, columns, f = {axis for axis, _ in axes.values()}, list[tuple[Components, Components]](), list(force.c)
        for n in range(len(ready)):
            c = ready[n]
            ready[n + 1 :], waiting = self._eliminate(c, ready[n + 1 :], waiting, last)
            if not last:
                d, right = self.inverse[c.speed], self.right[c.speed]
                ratio = tuple([S.zero if i in gone else S.mul(x, d) for i, x in enumerate(c.wrench.c)])
                columns.append((c.wrench.c, ratio))
                f = [x if i in gone else S.add(x, S.mul(ratio[i], right)) for i, x in enumerate(f)]
        if not last:
            for speed, (axis, sign) in axes.items():
                f[axis] = self.tau[speed] if sign > 0 else S.neg(self.tau[speed])
            waiting = [c._replace(wrench=c.wrench.without(gone)) for c in waiting]
        self.groups.append(EliminationStep(link, ready, waiting, axes))
        soft = None if last else inertia.articulated().less(columns, gone)
        return soft, Wrench(link.frame, tuple(f)), tuple(waiting)

    def _eliminate(
        self, c: Pending, ready: list[Pending], waiting: list[Pending], last: bool
    ) -> tuple[list[Pending], list[Pending]]:
        """Row c out of the rows, right sides and wrenches of those that come later."""
        j, later = c.speed, [k.speed for k in (*ready, *waiting)]
        self.inverse[j], ratio = eliminated(self.S, self.rows, j, later, self.right)
        if last:
            return ready, waiting

        def less(k: Pending) -> Pending:
            return k._replace(wrench=k.wrench - c.wrench.times(ratio[k.speed])) if k.speed in ratio else k

        return [less(k) for k in ready], [less(k) for k in waiting]

    # Outwards

    def back(self, group: EliminationStep, delta: list[Scalar], reached: dict[int, Twist]) -> None:
        """The step outwards: a group's speeds, roots first, from the acceleration V that arrives from the parent. A
        column's part along an own axis is its row of M there, so that own speed and V appear as their sum alone."""
        S, link, rows = self.S, group.link, self.rows
        sub, mul, total = S.sub, S.mul, dict[int, Scalar]()
        V = () if link is None or link.parent is None else self.moved(link.parent, reached, delta).out(link.X).c
        gone = {axis for axis, _ in group.axes.values()}
        for n in range(len(group.columns) - 1, -1, -1):
            c = group.columns[n]
            j, value = c.speed, self.right[c.speed]
            for later in (*group.columns[n + 1 :], *group.waiting):
                k = later.speed
                if entry(j, k) in rows:
                    value = sub(value, mul(rows[entry(j, k)], total.get(k, delta[k])))
            for i, (x, v) in enumerate(zip(c.wrench.c, V, strict=False)):
                value = value if i in gone else sub(value, mul(x, v))
            delta[j] = mul(value, self.inverse[j])
            if V and j in group.axes:
                axis, sign = group.axes[j]
                total[j], delta[j] = delta[j], sub(delta[j], V[axis] if sign > 0 else S.neg(V[axis]))
        if link is not None and V and len(group.axes) == len(link.columns):
            moved = list(V)
            for speed, (axis, sign) in group.axes.items():
                moved[axis] = total[speed] if sign > 0 else S.neg(total[speed])
            reached[link.index] = Twist(link.frame, tuple(moved))

    def moved(self, link: Link, reached: dict[int, Twist], delta: Sequence[Scalar]) -> Twist:
        """δV = φᵀ δV_P + H δ of a link, and of those on the way to it that were not reached yet."""

        def step(one: Link, V: Twist) -> Twist:
            V = V.out(one.X)
            for c in one.columns:
                V = V + c.twist.times(delta[c.speed])
            return V

        return outwards(unknown(link, reached), step, Twist.zero(self.forest.root), reached)[link.index]
