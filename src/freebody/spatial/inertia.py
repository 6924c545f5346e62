"""Inertia about a frame's origin: of rigid bodies, and of articulated bodies."""

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction

from freebody.spatial.frame import Frame
from freebody.spatial.resolved import Resolved, Transform, Twist, Wrench
from freebody.spatial.scalars import PAIRS, Matrix, Scalar, Scalars, Six, Triple, add3, cross3, full, times3, transpose
from freebody.spatial.turns import Turn


class RigidInertia(Resolved):
    """Mass m, first moment h = ∫ r dm, second moment Σ = ∫ r rᵀ dm (xx, yy, zz, xy, xz, yz) about the frame's origin;
    and tr Σ, which turns do not change (in a plane it is all that is needed). J = tr(Σ) 1 − Σ. Σ needs no minus signs
    when it moves."""

    __slots__ = ()

    @classmethod
    def of(cls, frame: Frame, m: Scalar, h: Triple, second: Six) -> "RigidInertia":
        add = frame.S.add
        return cls(frame, (m, *h, *second, add(add(second[0], second[1]), second[2])))

    @classmethod
    def zero(cls, frame: Frame) -> "RigidInertia":
        return cls(frame, (frame.S.zero,) * 11)

    @property
    def m(self) -> Scalar:
        return self.c[0]

    @property
    def h(self) -> Triple:
        _, x, y, z, *_ = self.c
        return x, y, z

    @property
    def second(self) -> Six:
        _, _, _, _, xx, yy, zz, xy, xz, yz, _ = self.c
        return xx, yy, zz, xy, xz, yz

    @property
    def trace(self) -> Scalar:
        return self.c[10]

    def rotated(self, e: Triple, by_trace: bool = False) -> Triple:
        """J e; J's diagonal from the trace that is carried along, or as sums of two."""
        S, (xx, yy, zz, xy, xz, yz), (x, y, z) = self.frame.S, self.second, e
        add, sub, mul = S.add, S.sub, S.mul
        if by_trace:
            J = sub(self.trace, xx), sub(self.trace, yy), sub(self.trace, zz)
        else:
            J = add(yy, zz), add(xx, zz), add(xx, yy)
        return (
            sub(mul(J[0], x), add(mul(xy, y), mul(xz, z))),
            sub(mul(J[1], y), add(mul(xy, x), mul(yz, z))),
            sub(mul(J[2], z), add(mul(xz, x), mul(yz, y))),
        )

    def apply(self, V: Twist, by_trace: bool = False) -> Wrench:
        """(J e + h × l, m l + e × h): the momentum of a twist, the wrench of an acceleration."""
        V.check(self.frame)
        S, m, h, (e, l) = self.frame.S, self.m, self.h, V.halves
        f = add3(S, (S.mul(m, l[0]), S.mul(m, l[1]), S.mul(m, l[2])), cross3(S, e, h))
        return Wrench(self.frame, add3(S, self.rotated(e, by_trace), cross3(S, h, l)) + f)

    def back(self, X: Transform) -> "RigidInertia":
        """m, h + m p, Σ + p wᵀ + w pᵀ with w = h + ½ m p."""
        self.check(X.tip)
        S, p, m, h, second = X.base.S, X.arm, self.m, self.h, self.second
        add, mul, half, two = S.add, S.mul, S.const(Fraction(1, 2)), S.const(2)
        for turn in X.turns_back:
            h = turn.vector(h)
        w = [add(a, mul(half, mul(m, b))) for a, b in zip(h, p, strict=True)]
        more = [mul(mul(two, a), b) for a, b in zip(p, w, strict=True)]
        more += [add(mul(p[i], w[j]), mul(p[j], w[i])) for i, j in PAIRS[3:]]
        for turn in X.turns_back:
            second = turn.symmetric(second)
        there = [add(a, b) for a, b in zip(second, more, strict=True)]
        first = [add(a, mul(m, b)) for a, b in zip(h, p, strict=True)]
        trace = add(self.trace, add(add(more[0], more[1]), more[2]))
        return RigidInertia(X.base, (m, *first, *there, trace))

    def articulated(self) -> "ArticulatedInertia":
        S, m, (x, y, z), (xx, yy, zz, xy, xz, yz) = self.frame.S, self.m, self.h, self.second
        add, neg, o = S.add, S.neg, S.zero
        J = add(yy, zz), add(xx, zz), add(xx, yy), neg(xy), neg(xz), neg(yz)
        return ArticulatedInertia(self.frame, (*J, o, neg(z), y, z, o, neg(x), neg(y), x, o, m, m, m, o, o, o))


class ArticulatedInertia(Resolved):
    """n = J α + H a, f = Hᵀ α + M a: J and M symmetric (six each), H general (nine, by rows)."""

    __slots__ = ()

    @property
    def parts(self) -> tuple[Six, Matrix, Six]:
        a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u = self.c
        return (a, b, c, d, e, f), ((g, h, i), (j, k, l), (m, n, o)), (p, q, r, s, t, u)

    def entry(self, i: int, j: int) -> Scalar:
        """Of the 6 × 6 matrix."""
        return self.c[INDEX[i, j]]

    def articulated(self) -> "ArticulatedInertia":
        return self

    def apply(self, V: Twist) -> Wrench:
        """The wrench of an acceleration."""
        V.check(self.frame)
        S, (J, H, M), (e, l) = self.frame.S, self.parts, V.halves
        n = add3(S, times3(S, full(J), e), times3(S, H, l))
        return Wrench(self.frame, n + add3(S, times3(S, transpose(H), e), times3(S, full(M), l)))

    def less(
        self, columns: Sequence[tuple[Sequence[Scalar], Sequence[Scalar]]], gone: Collection[int]
    ) -> "ArticulatedInertia":
        """I − Σ (F/d) Fᵀ for pairs F, F/d; rows and columns that are gone are zero."""
        S, c = self.frame.S, list(self.c)
        left = [(k, i, j) for (i, j), k in UPPER.items() if i not in gone and j not in gone]
        for F, ratio in columns:
            for k, i, j in left:
                c[k] = S.sub(c[k], S.mul(ratio[i], F[j]))
        remaining = {k for k, *_ in left}
        return ArticulatedInertia(self.frame, tuple([x if k in remaining else S.zero for k, x in enumerate(c)]))

    def back(self, X: Transform) -> "ArticulatedInertia":
        """About the base's origin, in its axes."""
        self.check(X.tip)
        return ArticulatedInertia(X.base, shifted(X.base.S, *turned(X.turns_back, *self.parts), X.arm))


class Mobility(Resolved):
    """What a body's twist gains from an impulse on it: ω = C n + Bᵀ f, v = B n + A f. It moves outwards as articulated
    inertia moves inwards if slides and turns change places, so A, B, C stand where J, H, M do there."""

    __slots__ = ()

    def entry(self, i: int, j: int) -> Scalar:
        """Of the 6 × 6 matrix, angular part first."""
        return self.c[INDEX[(i + 3) % 6, (j + 3) % 6]]

    @classmethod
    def filled(cls, frame: Frame, entry: Callable[[int, int], Scalar]) -> "Mobility":
        """From the entries of the 6 × 6 matrix, angular part first."""
        return cls(frame, tuple([entry((i + 3) % 6, (j + 3) % 6) for i, j in ENTRIES]))

    def out(self, X: Transform) -> "Mobility":
        """At the tip's origin, along its axes: φᵀ Y φ."""
        self.check(X.base)
        S, (A, B, C) = X.base.S, ArticulatedInertia(self.frame, self.c).parts
        x, y, z = map(S.neg, X.arm)
        at_tip = ArticulatedInertia(X.base, shifted(S, A, B, C, (x, y, z)))
        return Mobility(X.tip, flat(*turned(X.turns_out, *at_tip.parts)))


def turned(turns: Sequence[Turn], J: Six, H: Matrix, M: Six) -> tuple[Six, Matrix, Six]:
    """The three blocks along the axes behind some turns."""
    for turn in turns:
        J, H, M = turn.symmetric(J), turn.matrix(H), turn.symmetric(M)
    return J, H, M


def shifted(S: Scalars, J: Six, H: Matrix, M: Six, p: Triple) -> tuple[Scalar, ...]:
    """About a point from which the origin lies at p: H' = H + [p]× M, J' = J − H [p]× + [p]× H'ᵀ, by components
    J'ᵢⱼ = Jᵢⱼ + Σₖ pₖ (ε_ikl H_jl + ε_jkl H'_il), the terms of each pₖ gathered."""
    if all(map(S.vanishes, p)):
        return flat(J, H, M)
    x, y, z = transpose([cross3(S, p, column) for column in full(M)])
    H_new, out = (add3(S, H[0], x), add3(S, H[1], y), add3(S, H[2], z)), list(J)
    for entry, k, terms in MOMENTS:
        part = S.zero
        for sign, later, i, j in terms:
            part = (S.add if sign > 0 else S.sub)(part, (H_new if later else H)[i][j])
        out[entry] = S.add(out[entry], S.mul(p[k], part))
    xx, yy, zz, xy, xz, yz = out
    return flat((xx, yy, zz, xy, xz, yz), H_new, M)


def flat(J: Six, H: Matrix, M: Six) -> tuple[Scalar, ...]:
    return (*J, *H[0], *H[1], *H[2], *M)


ENTRIES = (*PAIRS, *((i, j) for i in range(3) for j in (3, 4, 5)), *((i + 3, j + 3) for i, j in PAIRS))
"""Where the 21 components stand in the upper half of the 6 × 6 matrix."""

UPPER = dict(sorted((pair, k) for k, pair in enumerate(ENTRIES)))
INDEX = {pair: k for k, (i, j) in enumerate(ENTRIES) for pair in ((i, j), (j, i))}
SIGNS = {(0, 1, 2): 1, (1, 2, 0): 1, (2, 0, 1): 1, (0, 2, 1): -1, (2, 1, 0): -1, (1, 0, 2): -1}
MOMENTS = [
    (entry, k, [(sign, later, r, l) for l in range(3)
                for sign, later, r in ((SIGNS.get((i, k, l), 0), 0, j), (SIGNS.get((j, k, l), 0), 1, i)) if sign])
    for entry, (i, j) in enumerate(PAIRS) for k in range(3)
]  # fmt: skip
