"""How points of a tree answer to impulses at each other, by recursion outwards: the paper's Υ and Ω.

Ω = ψ* H* D⁻¹ H ψ gives the spatial velocities of all links for spatial impulses on them (Rodriguez, Jain & Kreutz 1991,
Eq 3.10). On its diagonal stands Υ(k) = ψ*(p, k) Υ(p) ψ(p, k) + H*(k) D⁻¹(k) H(k), p the parent (A.3, A.5); the block of
two links is ψ*(c, i) Υ(c) ψ(c, j) with c the nearest link that both hang on (0 where there is none).

Υ moves as an articulated inertia does if slides and turns change places, so it is kept as one: J is what slides answer
to forces, M what turns answer to torques, H what slides answer to torques.
"""

from collections.abc import Sequence

from freebody.formulations.articulated import Articulated, carried, from_entries, shifted
from freebody.formulations.columns import entry
from freebody.formulations.elimination import Gone
from freebody.formulations.equations import Equations
from freebody.formulations.quantities.places import Axes, Where, link_of
from freebody.formulations.quantities.yielding import Six, Square, Yielding, directions, dot, three, total
from freebody.scalar.graph import Graph
from freebody.spatial.triples import Triple, add3, cross3
from freebody.spatial.vector import components
from freebody.tree.forest import Link
from freebody.tree.inertia import carry
from freebody.tree.motion import down, unknown

Entries = dict[tuple[int, int], int]


class Compliance(Yielding):
    """Υ of links and blocks of Ω, as nodes."""

    def __init__(self, e: Equations) -> None:
        super().__init__(e)
        self._known: dict[int, Articulated] = {}

    # Υ

    def of(self, link: Link) -> Articulated:
        """Υ of a link, at its origin, along its working frame."""
        for one in unknown(link, self._known):
            if one.parent is None:
                entries = _rooted(self.graph, self.gone[one.index])
            else:
                entries = self._passed(self.gone[one.index], self._arriving(one, self._known[one.parent.index]))
            self._known[one.index] = from_entries(self.graph, entries, set())
        return self._known[link.index]

    def _arriving(self, link: Link, there: Articulated) -> Entries:
        """The parent's Υ at the link's origin, along its frame."""
        assert link.parent is not None
        g, parent = self.graph, link.parent.frame
        x, y, z = map(g.neg, link.arm)
        moved = shifted(g, there, (x, y, z))
        J, M = carry(parent, link.frame, moved.J), carry(parent, link.frame, moved.M)
        made = Articulated(J, carried(parent, link.frame, moved.H), M)
        return {(i, j): made.entry(i, j) for i in range(6) for j in range(i, 6)}

    def _passed(self, group: Gone, Y: Entries) -> Entries:
        """τ̄* Υ τ̄ + h h*/d for each speed, from the last that was eliminated to the first."""
        for n in range(len(group.columns) - 1, -1, -1):
            Y = self._given_way(Y, *self.speed(group, n))
        return Y

    def _given_way(self, Y: Entries, h: Six, G: Six, axis: int | None, inverse: int) -> Entries:
        """τ̄* Υ τ̄ + h h*/d, τ̄ = 1 − G h*: where h is an axis, its row and column alone change, whatever they were."""
        g = self.graph
        y = [total(g, (g.mul(G[i], Y[min(i, j), max(i, j)]) for i in range(6))) for j in range(6)]
        own = g.add(dot(g, G, y), inverse)
        if axis is not None:
            sign = h[axis]
            made = {pair: g.neg(g.mul(sign, y[sum(pair) - axis])) if axis in pair else x for pair, x in Y.items()}
            return made | {(axis, axis): own}
        made = dict(Y)
        for i, j in Y:
            rest = g.sub(g.mul(g.mul(own, h[i]), h[j]), g.add(g.mul(h[i], y[j]), g.mul(y[i], h[j])))
            made[i, j] = g.add(Y[i, j], rest)
        return made

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
        g = self.graph
        x, y, z = map(g.neg, _arm(self.e, where))
        moved = shifted(g, self.of(link_of(self.e, where)), (x, y, z))
        half = [self._told(where, [moved.entry(i, j) for j in range(6)]) for i in range(6)]
        return [self._told(where, row) for row in _transposed(half)]

    def _pair(self, one: Where, other: Where) -> Square:
        """What stands in the rows of the second place and the columns of the first."""
        first, second = (link_of(self.e, where) for where in (one, other))
        common = {link.index for link in first.line()}
        meeting = next((link for link in second.line() if link.index in common), None)
        if meeting is None:
            return [[self.graph.zero] * 6 for _ in range(6)]
        Y = self.of(meeting)
        half = [self._felt(meeting, one, [Y.entry(i, j) for j in range(6)]) for i in range(6)]
        return _transposed([self._felt(meeting, other, row) for row in _transposed(half)])

    def _felt(self, start: Link, where: Where, row: Six) -> Six:
        """r ψ(start, k) at a place of link k: r moves as a velocity does, and what joints let go is not felt."""
        g, end = self.graph, link_of(self.e, where)
        for link in [link for link in end.line() if link.index > start.index][::-1]:
            assert link.parent is not None
            row = _moved(g, row, link.arm)
            row = [x for part in (row[:3], row[3:]) for x in down(link.parent.frame, link.frame, three(part))]
            row = self._let_go(self.gone[link.index], row)
        return self._told(where, _moved(g, row, _arm(self.e, where)))

    def _let_go(self, group: Gone, row: Six) -> Six:
        """r τ̄ for each speed of a joint."""
        g = self.graph
        for n in range(len(group.columns) - 1, -1, -1):
            h, G, axis, _ = self.speed(group, n)
            felt = dot(g, row, G)
            if axis is not None:
                row = [g.neg(g.mul(h[axis], felt)) if i == axis else x for i, x in enumerate(row)]
            else:
                row = [g.sub(x, g.mul(felt, c)) for x, c in zip(row, h, strict=True)]
        return row

    def _told(self, where: Where, row: Six) -> Six:
        """A row along the axes of a place, turns first."""
        axes, frame = Axes(where.axes(self.e)), link_of(self.e, where).frame
        return [*axes.of(frame, three(row[3:])), *axes.of(frame, three(row[:3]))]


def _arm(e: Equations, where: Where) -> Triple:
    """From the origin of a place's link to the place, along the link's frame."""
    link = link_of(e, where)
    return components(where.point(e).offset - link.shift, link.frame)


def _moved(g: Graph, row: Six, arm: Triple) -> Six:
    """v + ω × arm, and ω."""
    return [*add3(g, three(row[:3]), cross3(g, row[3:], arm)), *row[3:]]


def _rooted(g: Graph, group: Gone) -> Entries:
    """H* D⁻¹ H of a link on the ground, D⁻¹ from its factors: each speed's row from those of the speeds behind it."""
    link, X = group.at, dict[tuple[int, int], int]()
    places = [column.place for column in group.columns]
    for n in range(len(places) - 1, -1, -1):
        j, later = places[n], places[n + 1 :]
        ratio = {k: g.mul(group.rows[entry(j, k)], group.inverse[j]) for k in later if entry(j, k) in group.rows}
        for k in later:
            X[j, k] = X[k, j] = g.neg(total(g, (g.mul(r, X[i, k]) for i, r in ratio.items())))
        X[j, j] = g.sub(group.inverse[j], total(g, (g.mul(r, X[j, k]) for k, r in ratio.items())))
    h = directions(link)
    made = dict.fromkeys(((i, j) for i in range(6) for j in range(i, 6)), g.zero)
    for i, j in made:
        made[i, j] = total(g, (g.mul(g.mul(h[a][i], h[b][j]), x) for (a, b), x in X.items()))
    return made


def _transposed(rows: Square) -> Square:
    return [list(column) for column in zip(*rows, strict=True)]
