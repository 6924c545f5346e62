"""Inertia that is no longer a rigid body's: what is felt at a link's origin when joints outboard give way.

Force and torque follow from the accelerations as N = J α + H a, F = Hᵀ α + M a, with J and M symmetric. A rigid body
has J = tr(Σ) 1 − Σ, H = [h]×, M = m 1.
"""

from dataclasses import dataclass

from freebody.formulations.inwards import Push
from freebody.scalar.graph import Graph
from freebody.spatial.frame import Frame
from freebody.spatial.scalars import Scalar
from freebody.spatial.triples import PAIRS, Six, Triple, cross3, dot3, transpose
from freebody.tree.forest import Link
from freebody.tree.inertia import PLACE, Inertia, carry, six

Matrix = list[list[int]]
CYCLE = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
SIGN = dict.fromkeys(CYCLE, 1) | {(a, c, b): -1 for a, b, c in CYCLE}
"""The sign of a permutation of three axes."""


@dataclass(frozen=True)
class Articulated:
    """J, H and M about a link's origin, in its working frame."""

    J: Six
    H: Matrix
    M: Six

    def entry(self, i: int, j: int) -> Scalar:
        """Of the 6×6 matrix, angular part first."""
        i, j = min(i, j), max(i, j)
        if j < 3:
            return self.J[PLACE[i, j]]
        return self.H[i][j - 3] if i < 3 else self.M[PLACE[i - 3, j - 3]]

    def felt(self, g: Graph, e: Triple, l: Triple) -> Push:
        """Force and torque of the acceleration α = e, a = l."""
        n = [g.add(_row(g, self.J, k, e), dot3(g, self.H[k], l)) for k in range(3)]
        f = [g.add(dot3(g, [row[k] for row in self.H], e), _row(g, self.M, k, l)) for k in range(3)]
        return Push((f[0], f[1], f[2]), (n[0], n[1], n[2]))


def _row(g: Graph, S: Six, k: int, v: Triple) -> Scalar:
    return dot3(g, [S[PLACE[k, j]] for j in range(3)], v)


def rigid(g: Graph, body: Inertia) -> Articulated:
    xx, yy, zz, xy, xz, yz = body.S
    x, y, z = body.h
    neg, zero = g.neg, g.zero
    J = six([g.add(yy, zz), g.add(xx, zz), g.add(xx, yy), neg(xy), neg(xz), neg(yz)])
    H = [[zero, neg(z), y], [z, zero, neg(x)], [neg(y), x, zero]]
    return Articulated(J, H, (body.m, body.m, body.m, zero, zero, zero))


def joined(g: Graph, a: Articulated | None, b: Articulated) -> Articulated:
    if a is None:
        return b
    J, M = (six([g.add(p, q) for p, q in zip(s, t, strict=True)]) for s, t in ((a.J, b.J), (a.M, b.M)))
    return Articulated(J, [[g.add(p, q) for p, q in zip(r, s, strict=True)] for r, s in zip(a.H, b.H, strict=True)], M)


def from_entries(g: Graph, entries: dict[tuple[int, int], int], gone: set[int]) -> Articulated:
    """From the upper half of a 6×6 matrix; rows and columns that are gone are zero."""

    def at(i: int, j: int) -> int:
        return g.zero if i in gone or j in gone else entries[min(i, j), max(i, j)]

    J, M = six([at(i, j) for i, j in PAIRS]), six([at(i + 3, j + 3) for i, j in PAIRS])
    return Articulated(J, [[at(i, j + 3) for j in range(3)] for i in range(3)], M)


def handed(link: Link, inertia: Articulated) -> Articulated:
    """About the parent's origin, in the parent's frame."""
    assert link.parent is not None
    g, parent = link.graph, link.parent.frame
    J, M = carry(link.frame, parent, inertia.J), carry(link.frame, parent, inertia.M)
    return shifted(g, Articulated(J, carried(link.frame, parent, inertia.H), M), link.arm)


def shifted(g: Graph, inertia: Articulated, p: Triple) -> Articulated:
    """About a point from which the origin lies at p: H' = H + [p]× M, J' = J − H [p]× + [p]× H'ᵀ."""
    J, H, M = inertia.J, inertia.H, inertia.M
    full = [[M[PLACE[i, j]] for j in range(3)] for i in range(3)]
    columns = [cross3(g, p, column) for column in zip(*full, strict=True)]
    moved = [[g.add(H[i][j], columns[j][i]) for j in range(3)] for i in range(3)]
    return Articulated(six([_moment(g, J[k], p, H, moved, i, j) for k, (i, j) in enumerate(PAIRS)]), moved, M)


def _moment(g: Graph, start: int, p: Triple, H: Matrix, moved: Matrix, i: int, j: int) -> int:
    """J'ᵢⱼ, the terms of each pₖ gathered: J' = J + Σₖ pₖ (ε_ikl H_jl + ε_jkl H'_il)."""
    total = start
    for k in range(3):
        part = g.zero
        for l in range(3):
            for sign, term in ((SIGN.get((i, k, l), 0), H[j][l]), (SIGN.get((j, k, l), 0), moved[i][l])):
                part = g.add(part, term) if sign > 0 else g.sub(part, term) if sign < 0 else part
        total = g.add(total, g.mul(p[k], part))
    return total


def carried(start: Frame, end: Frame, H: Matrix) -> Matrix:
    """A general 3×3 matrix from one frame to another, step by step."""
    for turn in start.route(end):
        x, y, z = turn.matrix(transpose(transpose(H)))
        H = [list(x), list(y), list(z)]
    return H
