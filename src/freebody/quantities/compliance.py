"""Velocities of points of a tree for impulses at each other, by recursion outwards: Υ and Ω.

Ω = ψ* H* D⁻¹ H ψ gives the spatial velocities of all links for spatial impulses on them (Rodriguez, Jain & Kreutz 1991,
Eq 3.10). On its diagonal is Υ(k) = ψ*(p, k) Υ(p) ψ(p, k) + H*(k) D⁻¹(k) H(k), p the parent (A.3, A.5); the block of two
links is ψ*(c, i) Υ(c) ψ(c, j) with c the nearest link that both hang on (0 where there is none).

The joints' quantities are those of the elimination of speeds from the tips inwards, one after the other: h, the twist
of the link per unit of a speed; d = h* P h, its hinge inertia (P the articulated inertia); G = P h/d.
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import NamedTuple

from freebody.formulations.derivation import Derivation
from freebody.quantities.kinematics import wrench_on_link
from freebody.quantities.points import Axes, Location
from freebody.scalar.graph import Graph
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import Mobility
from freebody.spatial.resolved import Transform, Twist, Wrench
from freebody.tree.elimination import Elimination, EliminationStep
from freebody.tree.forest import Link
from freebody.tree.inertia import base
from freebody.tree.mass import entry
from freebody.tree.passes import outwards, unknown

Square = list[list[int]]


class EliminatedSpeed(NamedTuple):
    """Of a speed that a link eliminated: h, G (without known entries: 1 along its own axis, −1 if that points against
    it, 0 along those of the speeds before), its axis where it has one, 1/d."""

    h: Twist
    G: Wrench
    axis: int | None
    inverse: int


class Compliance:
    """Υ of links and blocks of Ω, as nodes. ``groups`` holds by link the speeds that it eliminates."""

    def __init__(self, e: Derivation) -> None:
        self.e, self.graph = e, e.graph
        self.elimination = Elimination(e.forest, base(e.forest))
        groups = self.elimination.condense([e.graph.zero] * len(e.layout.u))
        self.groups = {group.at.index: group for group in groups}
        self._known: dict[int, Mobility] = {}

    def speed(self, group: EliminationStep, n: int) -> EliminatedSpeed:
        """The nth speed that a link eliminated."""
        column, axes = group.columns[n], group.axes
        inverse = self.elimination.inverse[column.speed]
        gone = {axes[c.speed][0] for c in group.columns[: n + 1] if c.speed in axes}
        axis = axes[column.speed][0] if column.speed in axes else None
        G = column.wrench.without(gone).times(inverse)
        return EliminatedSpeed(_directions(group)[column.speed], G, axis, inverse)

    # J M⁻¹ Jᵀ by unit wrenches

    def gram(self, places: Sequence[Location]) -> Square:
        """J M⁻¹ Jᵀ = Rᵀ D⁻¹ R, R = (1 − H ψ K) Jᵀ (Eq 3.6), above the diagonal and on it; zeros below."""
        g, inverse = self.graph, self.elimination.inverse
        left = [self._left(where, k) for where in places for k in range(6)]
        scaled = [{speed: g.mul(x, inverse[speed]) for speed, x in row.items()} for row in left]
        return [
            [_sum(g, (g.mul(x, b[speed]) for speed, x in a.items() if speed in b)) if i <= j else g.zero
             for i, a in enumerate(left)] for j, b in enumerate(scaled)
        ]  # fmt: skip

    def _left(self, where: Location, k: int) -> dict[int, int]:
        """By speed the part of a unit wrench at a point that reaches it past the free joints outboard of it."""
        g, left = self.graph, dict[int, int]()
        F = wrench_on_link(self.e, where, [g.one if i == k else g.zero for i in range(6)])
        for link in where.link(self.e).line():
            group = self.groups[link.index]
            if link.parent is None:
                return left | self._left_at_ground(group, F)
            for n, column in enumerate(group.columns):
                h, G, axis, _ = self.speed(group, n)
                z = left[column.speed] = h.dot(F)
                F = (F - G.times(z)).without(set() if axis is None else {axis})
            F = F.back(link.X)
        return left

    def _left_at_ground(self, group: EliminationStep, F: Wrench) -> dict[int, int]:
        """At a link on the ground: L⁻¹ of the generalised forces on its speeds."""
        g, rows, inverse = self.graph, self.elimination.rows, self.elimination.inverse
        h, speeds = _directions(group), [column.speed for column in group.columns]
        left: dict[int, int] = {speed: h[speed].dot(F) for speed in speeds}
        for n, j in enumerate(speeds):
            for k in (k for k in speeds[n + 1 :] if entry(j, k) in rows):
                left[k] = g.sub(left[k], g.mul(g.mul(rows[entry(j, k)], inverse[j]), left[j]))
        return left

    # Υ

    def of(self, link: Link) -> Mobility:
        """Υ of a link, at its origin."""
        start = Mobility(self.e.forest.root, (self.graph.zero,) * 21)
        return outwards(unknown(link, self._known), self._step, start, self._known)[link.index]

    def _step(self, link: Link, Y: Mobility) -> Mobility:
        """ψ*(p, k) Υ(p) ψ(p, k) + H* D⁻¹ H (A.3): τ̄* Υ τ̄ + h h*/d for each speed, from the last that was eliminated to
        the first."""
        group = self.groups[link.index]
        if link.parent is None:
            return self._at_ground(group)
        Y = Y.out(link.X)
        for n in range(len(group.columns) - 1, -1, -1):
            Y = self._past_joint(Y, self.speed(group, n))
        return Y

    def _past_joint(self, Y: Mobility, speed: EliminatedSpeed) -> Mobility:
        """τ̄* Υ τ̄ + h h*/d, τ̄ = 1 − G h*: where h is an axis, its row and column alone change, whatever they were."""
        g, h, G, axis = self.graph, speed.h.c, speed.G.c, speed.axis
        order = (3, 4, 5, 0, 1, 2)
        y = [_sum(g, (g.mul(G[i], Y.entry(i, j)) for i in order)) for j in range(6)]
        own = g.add(_sum(g, (g.mul(G[i], y[i]) for i in order)), speed.inverse)
        if axis is None:
            return Mobility.filled(Y.frame, lambda i, j: g.add(Y.entry(i, j), g.sub(
                g.mul(g.mul(own, h[i]), h[j]), g.add(g.mul(h[i], y[j]), g.mul(y[i], h[j])))))  # fmt: skip

        def filled(i: int, j: int) -> int:
            if axis not in (i, j):
                unchanged: int = Y.entry(i, j)
                return unchanged
            return own if i == j else g.neg(g.mul(h[axis], y[i + j - axis]))

        return Mobility.filled(Y.frame, filled)

    def _at_ground(self, group: EliminationStep) -> Mobility:
        """H* D⁻¹ H of a link on the ground, D⁻¹ from its factors: each speed's row from those of later speeds."""
        g, X, rows, inverse = self.graph, dict[tuple[int, int], int](), self.elimination.rows, self.elimination.inverse
        speeds = [column.speed for column in group.columns]
        for n in range(len(speeds) - 1, -1, -1):
            j, later = speeds[n], speeds[n + 1 :]
            ratio = {k: g.mul(rows[entry(j, k)], inverse[j]) for k in later if entry(j, k) in rows}
            for k in later:
                X[j, k] = X[k, j] = g.neg(_sum(g, (g.mul(r, X[i, k]) for i, r in ratio.items())))
            X[j, j] = g.sub(inverse[j], _sum(g, (g.mul(r, X[j, k]) for k, r in ratio.items())))
        h = {speed: twist.c for speed, twist in _directions(group).items()}

        def filled(i: int, j: int) -> int:
            return _sum(g, (g.mul(g.mul(h[a][i], h[b][j]), x) for (a, b), x in X.items()))

        return Mobility.filled(group.at.frame, filled)

    # Ω

    def seen(self, places: Sequence[Location]) -> Square:
        """J M⁻¹ Jᵀ of points, above the diagonal and on it; zeros below the blocks on the diagonal."""
        n = len(places)
        whole = [[self.graph.zero] * (6 * n) for _ in range(6 * n)]
        for i in range(n):
            for j in range(i, n):
                block = self._own(places[i]) if i == j else self._pair(places[i], places[j])
                for r in range(6):
                    whole[6 * j + r][6 * i : 6 * i + 6] = block[r]
        return whole

    def _own(self, where: Location) -> Square:
        """Υ at a point."""
        there = self._transform(where)
        Y = self.of(where.link(self.e)).out(there)
        half = [self._components(where, Twist(there.tip, tuple(Y.entry(i, j) for j in range(6)))) for i in range(6)]
        return [self._components(where, Twist(there.tip, tuple(row))) for row in _transposed(half)]

    def _transform(self, where: Location) -> Transform:
        """From the origin of a point's link to the point, along the link's axes."""
        arm = where.arm(self.e)
        return Transform(arm.frame, Frame(f"{where.body} place", self.graph, arm.frame), arm)

    def _pair(self, one: Location, other: Location) -> Square:
        """The block in the rows of the second point and the columns of the first."""
        first, second = (where.link(self.e) for where in (one, other))
        common = {link.index for link in first.line()}
        meeting = next((link for link in second.line() if link.index in common), None)
        if meeting is None:
            return [[self.graph.zero] * 6 for _ in range(6)]
        Y = self.of(meeting)
        rows = [Twist(meeting.frame, tuple(Y.entry(i, j) for j in range(6))) for i in range(6)]
        half = [self._carried(meeting, one, row) for row in rows]
        return _transposed([self._carried(meeting, other, Twist(meeting.frame, tuple(c))) for c in _transposed(half)])

    def _carried(self, start: Link, where: Location, row: Twist) -> list[int]:
        """r ψ(start, k) at a point of link k: r moves as a velocity does, and r τ̄ past each speed of a joint."""
        g = self.graph
        for link in [link for link in where.link(self.e).line() if link.index > start.index][::-1]:
            row, group = row.out(link.X), self.groups[link.index]
            for n in range(len(group.columns) - 1, -1, -1):
                h, G, axis, _ = self.speed(group, n)
                along = row.dot(G)
                if axis is None:
                    row = row - h.times(along)
                else:
                    own = g.neg(g.mul(h.c[axis], along))
                    row = Twist(row.frame, tuple(own if i == axis else x for i, x in enumerate(row.c)))
        return self._components(where, row.out(self._transform(where)))

    def _components(self, where: Location, row: Twist) -> list[int]:
        """A row along the axes of a point."""
        axes = Axes(where.axes(self.e))
        return [*axes.of(row.angular).c, *axes.of(row.linear).c]


def _directions(group: EliminationStep) -> dict[int, Twist]:
    """The twist of the link per unit of each speed of its joint."""
    return {c.speed: c.twist for c in group.at.columns}


def _sum(g: Graph, terms: Iterable[int]) -> int:
    return reduce(g.add, terms, g.zero)


def _transposed(rows: Square) -> Square:
    return [list(column) for column in zip(*rows, strict=True)]
