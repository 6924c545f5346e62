"""The compliance of a tree with free joints: the accelerations of links for wrenches on each other, Υ and Ω.

Ω = ψ* H* D⁻¹ H ψ gives the spatial accelerations of all links for spatial forces on them (Rodriguez, Jain & Kreutz
1991, Eq 3.10). The joints' quantities are those of the elimination of speeds from the tips inwards, one after the
other: h, the twist of the link per unit of a speed; d = h* P h, its hinge inertia (P the articulated inertia);
G = P h/d; τ̄ = 1 − G h*.
"""

from collections.abc import Iterable
from functools import reduce
from typing import NamedTuple

from freebody.spatial.inertia import Mobility
from freebody.spatial.resolved import Twist, Wrench
from freebody.spatial.scalars import Scalar, Scalars
from freebody.tree.elimination import Elimination, EliminationStep
from freebody.tree.mass_matrix import entry
from freebody.tree.passes import outwards, path_to
from freebody.tree.tree import Link


class EliminatedSpeed(NamedTuple):
    """Of a speed that a link eliminated: h, G (without known entries: 1 along its own axis, −1 if that points against
    it, 0 along those of the speeds before), its axis where it has one, 1/d."""

    h: Twist
    G: Wrench
    axis: int | None
    inverse: Scalar


class Compliance:
    """Υ and blocks of Ω of a tree whose speeds an elimination has condensed, without shared speeds."""

    def __init__(self, elimination: Elimination) -> None:
        self.elimination, self.S = elimination, elimination.S
        self.steps = {step.at.index: step for step in elimination.steps}
        self._known: dict[int, Mobility] = {}

    def upsilon(self, link: Link) -> Mobility:
        """Υ(k) = ψ*(p, k) Υ(p) ψ(p, k) + H*(k) D⁻¹(k) H(k), p the parent, at the link's origin: the block of Ω on its
        diagonal (A.3, A.5). Past a joint this is τ̄* Υ τ̄ + h h*/d for each speed, from the last that was eliminated to
        the first."""

        def step(link: Link, Y: Mobility) -> Mobility:
            if link.parent is None:
                return self._at_ground(link)
            Y = Y.out(link.X)
            for speed in reversed(self._speeds(link)):
                Y = self._past_joint(Y, speed)
            return Y

        start = Mobility(self.elimination.tree.root, (self.S.zero,) * 21)
        return outwards(path_to(link, self._known), step, start, self._known)[link.index]

    def carry(self, row: Twist, start: Link, end: Link) -> Twist:
        """r ψ(start, end), from a link to one outboard: r moves as a velocity does, and is r τ̄ past each speed. With
        the rows of Υ(c), c the nearest link that i and j both hang on, Ω(i, j) = ψ*(c, i) Υ(c) ψ(c, j) (A.4 and A.5 for
        trees; 0 where there is no such link)."""
        S = self.S
        for link in [link for link in end.path_to_root() if link.index > start.index][::-1]:
            row = row.out(link.X)
            for h, G, axis, _ in reversed(self._speeds(link)):
                along = row.dot(G)
                if axis is None:
                    row = row - h.times(along)
                else:
                    of_axis = S.neg(S.mul(h.c[axis], along))
                    row = Twist(row.frame, tuple(of_axis if i == axis else x for i, x in enumerate(row.c)))
        return row

    def _speeds(self, link: Link) -> list[EliminatedSpeed]:
        """The speeds that a link eliminated, in this order."""
        step, gone, speeds = self.steps[link.index], set[int](), list[EliminatedSpeed]()
        h, inverse = directions(step), self.elimination.inverse
        for column in step.columns:
            axis = step.axes[column.speed][0] if column.speed in step.axes else None
            gone |= set() if axis is None else {axis}
            G = column.wrench.without(gone).times(inverse[column.speed])
            speeds.append(EliminatedSpeed(h[column.speed], G, axis, inverse[column.speed]))
        return speeds

    def _past_joint(self, Y: Mobility, speed: EliminatedSpeed) -> Mobility:
        """τ̄* Υ τ̄ + h h*/d: where h is an axis, its row and column alone change, whatever they were."""
        S, h, G, axis = self.S, speed.h.c, speed.G.c, speed.axis
        order = (3, 4, 5, 0, 1, 2)
        y = [_sum(S, (S.mul(G[i], Y.entry(i, j)) for i in order)) for j in range(6)]
        diagonal = S.add(_sum(S, (S.mul(G[i], y[i]) for i in order)), speed.inverse)
        if axis is None:
            return Mobility.filled(
                Y.frame,
                lambda i, j: S.add(
                    Y.entry(i, j),
                    S.sub(S.mul(S.mul(diagonal, h[i]), h[j]), S.add(S.mul(h[i], y[j]), S.mul(y[i], h[j]))),
                ),
            )

        def filled(i: int, j: int) -> Scalar:
            if axis not in (i, j):
                return Y.entry(i, j)
            return diagonal if i == j else S.neg(S.mul(h[axis], y[i + j - axis]))

        return Mobility.filled(Y.frame, filled)

    def _at_ground(self, link: Link) -> Mobility:
        """H* D⁻¹ H of a link on the ground, D⁻¹ from its factors: each speed's row from those of later speeds."""
        S, X, step = self.S, dict[tuple[int, int], Scalar](), self.steps[link.index]
        rows, inverse = self.elimination.rows, self.elimination.inverse
        speeds = [column.speed for column in step.columns]
        for n in range(len(speeds) - 1, -1, -1):
            j, later = speeds[n], speeds[n + 1 :]
            ratio = {k: S.mul(rows[entry(j, k)], inverse[j]) for k in later if entry(j, k) in rows}
            for k in later:
                X[j, k] = X[k, j] = S.neg(_sum(S, (S.mul(r, X[i, k]) for i, r in ratio.items())))
            X[j, j] = S.sub(inverse[j], _sum(S, (S.mul(r, X[j, k]) for k, r in ratio.items())))
        h = {speed: twist.c for speed, twist in directions(step).items()}

        def filled(i: int, j: int) -> Scalar:
            return _sum(S, (S.mul(S.mul(h[a][i], h[b][j]), x) for (a, b), x in X.items()))

        return Mobility.filled(link.frame, filled)


def common(one: Link, other: Link) -> Link | None:
    """The nearest link that two links both hang on, themselves included; None: only the ground."""
    path = {link.index for link in one.path_to_root()}
    return next((link for link in other.path_to_root() if link.index in path), None)


def directions(step: EliminationStep) -> dict[int, Twist]:
    """The twist of the link per unit of each speed of its joint."""
    return {c.speed: c.twist for c in step.at.columns}


def _sum(S: Scalars, terms: Iterable[Scalar]) -> Scalar:
    return reduce(S.add, terms, S.zero)
