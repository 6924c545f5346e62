"""How points of a tree answer to impulses at each other, by recursion outwards: the paper's Υ and Ω.

Ω = ψ* H* D⁻¹ H ψ gives the spatial velocities of all links for spatial impulses on them (Rodriguez, Jain & Kreutz 1991,
Eq 3.10). On its diagonal stands Υ(k) = ψ*(p, k) Υ(p) ψ(p, k) + H*(k) D⁻¹(k) H(k), p the parent (A.3, A.5); the block of
two links is ψ*(c, i) Υ(c) ψ(c, j) with c the nearest link that both hang on (0 where there is none).

"""

from collections.abc import Sequence

from freebody.formulations.equations import Equations
from freebody.quantities.places import Axes, Where, arm_of, link_of
from freebody.quantities.yielding import Speed, Square, Yielding, directions, total
from freebody.scalar.graph import Graph
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import Mobility
from freebody.spatial.resolved import Transform, Twist
from freebody.tree.elimination import Elimination, Group
from freebody.tree.forest import Link
from freebody.tree.mass import entry
from freebody.tree.passes import outwards, unknown


class Compliance(Yielding):
    """Υ of links and blocks of Ω, as nodes."""

    def __init__(self, e: Equations) -> None:
        super().__init__(e)
        self._known: dict[int, Mobility] = {}

    # Υ

    def of(self, link: Link) -> Mobility:
        """Υ of a link, at its origin."""
        start = Mobility(self.e.forest.root, (self.graph.zero,) * 21)
        return outwards(unknown(link, self._known), self._step, start, self._known)[link.index]

    def _step(self, link: Link, Y: Mobility) -> Mobility:
        """ψ*(p, k) Υ(p) ψ(p, k) + H* D⁻¹ H (A.3): τ̄* Υ τ̄ + h h*/d for each speed, from the last that was eliminated to
        the first."""
        group = self.gone[link.index]
        if link.parent is None:
            return _rooted(self.graph, self.elimination, group)
        Y = Y.out(link.X)
        for n in range(len(group.columns) - 1, -1, -1):
            Y = self._given_way(Y, self.speed(group, n))
        return Y

    def _given_way(self, Y: Mobility, speed: Speed) -> Mobility:
        """τ̄* Υ τ̄ + h h*/d, τ̄ = 1 − G h*: where h is an axis, its row and column alone change, whatever they were."""
        g, h, G, axis = self.graph, speed.h.c, speed.G.c, speed.axis
        order = (3, 4, 5, 0, 1, 2)
        y = [total(g, (g.mul(G[i], Y.entry(i, j)) for i in order)) for j in range(6)]
        own = g.add(total(g, (g.mul(G[i], y[i]) for i in order)), speed.inverse)
        if axis is None:
            return Mobility.filled(Y.frame, lambda i, j: g.add(Y.entry(i, j), g.sub(
                g.mul(g.mul(own, h[i]), h[j]), g.add(g.mul(h[i], y[j]), g.mul(y[i], h[j])))))  # fmt: skip

        def entry(i: int, j: int) -> int:
            if axis not in (i, j):
                found: int = Y.entry(i, j)
                return found
            return own if i == j else g.neg(g.mul(h[axis], y[i + j - axis]))

        return Mobility.filled(Y.frame, entry)

    # Ω

    def seen(self, places: Sequence[Where]) -> Square:
        """J M⁻¹ Jᵀ of places, above the diagonal and on it; below the blocks on it stand zeros."""
        n = len(places)
        made = [[self.graph.zero] * (6 * n) for _ in range(6 * n)]
        for i in range(n):
            for j in range(i, n):
                block = self._own(places[i]) if i == j else self._pair(places[i], places[j])
                for r in range(6):
                    made[6 * j + r][6 * i : 6 * i + 6] = block[r]
        return made

    def _own(self, where: Where) -> Square:
        """Υ at a place."""
        there = self._at(where)
        Y = self.of(link_of(self.e, where)).out(there)
        half = [self._told(where, Twist(there.tip, tuple(Y.entry(i, j) for j in range(6)))) for i in range(6)]
        return [self._told(where, Twist(there.tip, tuple(row))) for row in _transposed(half)]

    def _at(self, where: Where) -> Transform:
        """From the origin of a place's link to the place, along the link's axes."""
        arm = arm_of(self.e, where)
        return Transform(arm.frame, Frame(f"{where.body} place", self.graph, arm.frame), arm)

    def _pair(self, one: Where, other: Where) -> Square:
        """What stands in the rows of the second place and the columns of the first."""
        first, second = (link_of(self.e, where) for where in (one, other))
        common = {link.index for link in first.line()}
        meeting = next((link for link in second.line() if link.index in common), None)
        if meeting is None:
            return [[self.graph.zero] * 6 for _ in range(6)]
        Y = self.of(meeting)
        rows = [Twist(meeting.frame, tuple(Y.entry(i, j) for j in range(6))) for i in range(6)]
        half = [self._felt(meeting, one, row) for row in rows]
        return _transposed([self._felt(meeting, other, Twist(meeting.frame, tuple(c))) for c in _transposed(half)])

    def _felt(self, start: Link, where: Where, row: Twist) -> list[int]:
        """r ψ(start, k) at a place of link k: r moves as a velocity does, and what joints let go is not felt."""
        end = link_of(self.e, where)
        for link in [link for link in end.line() if link.index > start.index][::-1]:
            row = self._let_go(self.gone[link.index], row.out(link.X))
        return self._told(where, row.out(self._at(where)))

    def _let_go(self, group: Group, row: Twist) -> Twist:
        """r τ̄ for each speed of a joint."""
        g = self.graph
        for n in range(len(group.columns) - 1, -1, -1):
            h, G, axis, _ = self.speed(group, n)
            felt = row.dot(G)
            if axis is None:
                row = row - h.times(felt)
            else:
                own = g.neg(g.mul(h.c[axis], felt))
                row = Twist(row.frame, tuple(own if i == axis else x for i, x in enumerate(row.c)))
        return row

    def _told(self, where: Where, row: Twist) -> list[int]:
        """A row along the axes of a place."""
        axes = Axes(where.axes(self.e))
        return [*axes.of(row.angular).c, *axes.of(row.linear).c]


def _rooted(g: Graph, elimination: Elimination, group: Group) -> Mobility:
    """H* D⁻¹ H of a link on the ground, D⁻¹ from its factors: each speed's row from those of the speeds behind it."""
    X, rows, inverse = dict[tuple[int, int], int](), elimination.rows, elimination.inverse
    speeds = [column.speed for column in group.columns]
    for n in range(len(speeds) - 1, -1, -1):
        j, later = speeds[n], speeds[n + 1 :]
        ratio = {k: g.mul(rows[entry(j, k)], inverse[j]) for k in later if entry(j, k) in rows}
        for k in later:
            X[j, k] = X[k, j] = g.neg(total(g, (g.mul(r, X[i, k]) for i, r in ratio.items())))
        X[j, j] = g.sub(inverse[j], total(g, (g.mul(r, X[j, k]) for k, r in ratio.items())))
    h = {speed: twist.c for speed, twist in directions(group).items()}

    def filled(i: int, j: int) -> int:
        return total(g, (g.mul(g.mul(h[a][i], h[b][j]), x) for (a, b), x in X.items()))

    return Mobility.filled(group.at.frame, filled)


def _transposed(rows: Square) -> Square:
    return [list(column) for column in zip(*rows, strict=True)]
