"""Quantities resolved in a frame: vectors and short sums of them, twists and wrenches, angular part first.

A ``Vec`` has a frame's axes; a ``Twist`` or a ``Wrench`` belongs to its axes *and* its origin. Mixing two frames is an
error: ``Vec.in_`` turns a vector, and a ``Transform`` is the only way between the origins of two frames.
"""

from collections.abc import Sequence
from typing import Self

from freebody.errors import FrameError
from freebody.spatial.frame import Frame
from freebody.spatial.scalars import Scalar, Triple, add3, cross3, dot3


class Resolved:
    """Components in one frame."""

    __slots__ = ("c", "frame")

    def __init__(self, frame: Frame, c: tuple[Scalar, ...]) -> None:
        self.frame, self.c = frame, c

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self.c} in {self.frame.name}"

    def check(self, frame: Frame) -> None:
        """Raise a FrameError if it is in another frame."""
        if self.frame is not frame:
            raise FrameError(
                f"this {type(self).__name__} is in frame '{self.frame.name}', but one in '{frame.name}' is needed;"
                " resolve a Vec by in_(frame), move anything else by a Transform"
            )

    def __add__(self, other: Self) -> Self:
        other.check(self.frame)
        add = self.frame.S.add
        return type(self)(self.frame, tuple([add(a, b) for a, b in zip(self.c, other.c, strict=True)]))

    def __sub__(self, other: Self) -> Self:
        other.check(self.frame)
        sub = self.frame.S.sub
        return type(self)(self.frame, tuple([sub(a, b) for a, b in zip(self.c, other.c, strict=True)]))

    def __neg__(self) -> Self:
        return type(self)(self.frame, tuple(map(self.frame.S.neg, self.c)))

    def times(self, s: Scalar) -> Self:
        """All components times a scalar."""
        mul = self.frame.S.mul
        return type(self)(self.frame, tuple([mul(s, a) for a in self.c]))

    @property
    def is_zero(self) -> bool:
        """Whether all components vanish in every state."""
        return all(map(self.frame.S.vanishes, self.c))


class Vec(Resolved):
    """A free vector."""

    __slots__ = ()

    @classmethod
    def zero(cls, frame: Frame) -> "Vec":
        return cls(frame, (frame.S.zero,) * 3)

    @property
    def xyz(self) -> Triple:
        x, y, z = self.c
        return x, y, z

    def in_(self, frame: Frame) -> "Vec":
        """The same vector along another frame's axes."""
        if frame is self.frame:
            return self
        c = self.xyz
        for turn in self.frame.route(frame):
            c = turn.vector(c)
        return Vec(frame, c)

    def turns(self, frame: Frame) -> int:
        """How many turns its components take on the way to a frame; the first ones may keep a component."""
        way, total = self.frame.route(frame), 0
        for k, x in enumerate(self.c):
            if not frame.S.vanishes(x):
                left, axis = len(way), way[0].keeps(k) if way else None
                while axis is not None:
                    left -= 1
                    axis = way[-left].keeps(axis) if left else None
                total += left
        return total

    def dot(self, other: "Vec") -> Scalar:
        other.check(self.frame)
        return dot3(self.frame.S, self.c, other.c)

    def cross(self, other: "Vec") -> "Vec":
        other.check(self.frame)
        return Vec(self.frame, cross3(self.frame.S, self.c, other.c))


Terms = tuple[Vec, ...]
"""A vector as a short sum of vectors in the frames along one transform, resolved where that costs least."""


def collected(frame: Frame, parts: Sequence[Vec]) -> Vec:
    """A sum in one frame. What lies farthest is turned first and meets the others on its way, so that turns are
    shared."""
    waiting: dict[Frame, Vec] = {}
    for v in parts:
        if not v.is_zero:
            waiting[v.frame] = waiting[v.frame] + v if v.frame in waiting else v
    if len(waiting) < 2:
        return next(iter(waiting.values())).in_(frame) if waiting else Vec.zero(frame)
    routes = {home: home.path(frame) for home in waiting}
    while len(waiting) > 1 or frame not in waiting:
        far = max(waiting, key=lambda f: (len(routes[f]), f.depth, f.name))
        following = routes[far][1]
        routes.setdefault(following, routes[far][1:])
        v = Vec(following, far.step(following, waiting.pop(far).xyz))
        waiting[following] = waiting[following] + v if following in waiting else v
    return waiting[frame]


def meeting(parts: Sequence[Vec]) -> Frame:
    """The frame of one of these vectors in which all can be resolved with the fewest turns."""
    return min({v.frame: None for v in parts}, key=lambda frame: (sum(v.turns(frame) for v in parts), -frame.depth))


def dotted(parts: Terms, v: Vec) -> Scalar:
    """A sum's product with a vector, where the fewest turns are needed."""
    where = meeting((v, *parts))
    return collected(where, parts).dot(v.in_(where))


class Transform:
    """From frame ``base`` to frame ``tip``, whose origin lies at ``arm`` from the base's. Twists go out; wrenches and
    inertias come back."""

    __slots__ = ("arm", "base", "tip", "turns_back", "turns_out")

    def __init__(self, base: Frame, tip: Frame, arm: Vec) -> None:
        self.base, self.tip, self.arm = base, tip, arm.in_(base).xyz
        self.turns_out, self.turns_back = base.route(tip), tip.route(base)


class Pair(Resolved):
    """Two triples, the angular one first."""

    __slots__ = ()

    @classmethod
    def zero(cls, frame: Frame) -> Self:
        return cls(frame, (frame.S.zero,) * 6)

    @classmethod
    def of(cls, angular: Vec, linear: Vec) -> Self:
        linear.check(angular.frame)
        return cls(angular.frame, angular.c + linear.c)

    @property
    def halves(self) -> tuple[Triple, Triple]:
        a, b, c, x, y, z = self.c
        return (a, b, c), (x, y, z)

    @property
    def angular(self) -> Vec:
        return Vec(self.frame, self.c[:3])

    @property
    def linear(self) -> Vec:
        return Vec(self.frame, self.c[3:])


class Wrench(Pair):
    """(n, f): torque about the frame's origin and force; also momenta (L, P) and impulses."""

    __slots__ = ()

    def back(self, X: Transform) -> "Wrench":
        """φ F = (n + p × f, f)"""
        self.check(X.tip)
        S, (n, f) = X.base.S, self.halves
        for turn in X.turns_back:
            f = turn.vector(f)
        for turn in X.turns_back:
            n = turn.vector(n)
        return Wrench(X.base, add3(S, n, cross3(S, X.arm, f)) + f)

    def without(self, axes: set[int]) -> "Wrench":
        """Zero along some of its six axes."""
        return Wrench(self.frame, tuple([self.frame.S.zero if i in axes else x for i, x in enumerate(self.c)]))


class Twist(Pair):
    """(ω, v) of a body, v at the frame's origin; also accelerations (α, a)."""

    __slots__ = ()

    def dot(self, F: Wrench) -> Scalar:
        """The power of a wrench: ω·n + v·f."""
        F.check(self.frame)
        S, (w, v), (n, f) = self.frame.S, self.halves, F.halves
        return S.add(dot3(S, w, n), dot3(S, v, f))

    def out(self, X: Transform) -> "Twist":
        """φᵀ V = (ω, v + ω × p)"""
        self.check(X.base)
        S, (w, v) = X.base.S, self.halves
        v = add3(S, v, cross3(S, w, X.arm))
        for turn in X.turns_out:
            w = turn.vector(w)
        for turn in X.turns_out:
            v = turn.vector(v)
        return Twist(X.tip, w + v)

    def cross(self, other: "Twist") -> "Twist":
        """V × W = (ω × ω', ω × v' + v × ω'): the bracket of two twists."""
        other.check(self.frame)
        S, (w, v), (a, b) = self.frame.S, self.halves, other.halves
        return Twist(self.frame, cross3(S, w, a) + add3(S, cross3(S, w, b), cross3(S, v, a)))

    def cross_dual(self, F: Wrench) -> Wrench:
        """V ×* F = (ω × n + v × f, ω × f): what a wrench (or a momentum) changes at when its frame moves."""
        F.check(self.frame)
        S, (w, v), (n, f) = self.frame.S, self.halves, F.halves
        return Wrench(self.frame, add3(S, cross3(S, w, n), cross3(S, v, f)) + cross3(S, w, f))
