"""Loops closed by a joint, as rows that this file alone defines: what a cut joint resists, written with the motion's
vectors. A row is a wrench of unit multiplier on each of two bodies, a residual φ and its second derivative.

The joint's frame A is fixed in one body, B in the other; they coincide when the joint is at its zero. Two kinds of rows
make every joint: along e, fixed in A, the origin of B does not move (φ = p_AB · e), and about c the frames do not turn
(φ = a · b with a fixed in A, b fixed in B, and c = b × a while the loop is closed).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from freebody.model.body import Point, Reference
from freebody.model.loads.base import LoadWrench
from freebody.scalar.expr import Expr
from freebody.spatial.resolved import Vec, Wrench
from freebody.spatial.vector import Vector, components, vector
from freebody.tree.elimination import GROUND, Multiplier
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import generalised
from freebody.tree.passes import inwards, to_parent

Array = np.ndarray


@dataclass(frozen=True)
class End:
    """A joint's frame in a body: its origin and its axes (the columns of R), along the body's axes."""

    body: str
    p: Array
    R: Array

    def point(self, motion: Motion) -> Point:
        body = motion.body(self.body)
        return Point(body, _constant(body, self.p))

    def axis(self, motion: Motion, n: Sequence[float]) -> Vector:
        """A direction that is fixed in the joint's frame."""
        return _constant(motion.body(self.body), self.R @ n)


@dataclass(frozen=True)
class Row:
    wrenches: tuple[LoadWrench, LoadWrench]
    residual: Expr
    acceleration: Expr

    def multiplier(self, motion: Motion, index: int) -> Multiplier:
        """The row for the elimination: wrenches about the links' origins, in their frames."""
        links, ends = {link.name: link for link in motion.forest.links}, list[tuple[int, Wrench]]()
        for w in self.wrenches:
            link, zero = links.get(w.body.name), Vector(motion.graph, {})
            frame = motion.forest.root if link is None else link.frame
            f = Vec(frame, components(w.force or zero, frame))
            n = Vec(frame, components(w.torque or zero, frame))
            if w.point is not None:
                arm = w.point.offset if link is None else w.point.offset - link.shift
                n = n + Vec(frame, components(arm, frame)).cross(f)
            ends.append((GROUND if link is None else link.index, Wrench.of(n, f)))
        return Multiplier(index, ends)

    def jacobian(self, motion: Motion) -> list[int]:
        """The row of G: the unit wrenches passed inwards."""
        own = [Wrench.zero(link.frame) for link in motion.forest.links]
        for k, W in self.multiplier(motion, 0).ends:
            own[k] = own[k] + W if k != GROUND else own[k]
        return generalised(motion.forest, inwards(motion.forest.links, own, to_parent))


def _constant(body: Reference, xyz: Array) -> Vector:
    g = body.graph
    return vector(body.frame, tuple(g.const(float(x)) for x in xyz))


def _felt(motion: Motion, body: Reference, at: Vector) -> Vector:
    """The felt acceleration of the body-fixed point at a position from the body's origin; of the ground −g."""
    link = motion._links.get(body.name)
    if link is None:
        return motion.minus_g
    return vector(link.frame, motion.of(link).at(components(at - link.shift, link.frame)).c)


def _alpha(motion: Motion, body: Reference) -> Vector:
    link = motion._links.get(body.name)
    return Vector(motion.graph, {}) if link is None else vector(link.frame, motion.of(link).alpha.c)


def along(motion: Motion, A: End, B: End, n: Sequence[float]) -> Row:
    """The origin of B does not move along e in A. With S the point of A's body where B's origin is:
    φ̈ = (a_B − a_S − 2 ω_A × v_SB) · e."""
    P, Q, e = A.point(motion), B.point(motion), A.axis(motion, n)
    S = Point(P.body, motion.position(P.body.origin, Q))
    relative = motion.velocity(Q) - motion.carried_velocity(S)
    felt = _felt(motion, Q.body, Q.offset) - _felt(motion, P.body, S.offset)
    across = motion.angular_velocity(P.body).cross(relative) * 2
    wrenches = LoadWrench(P.body, S, -e, None), LoadWrench(Q.body, Q, e, None)
    return Row(wrenches, motion.position(P, Q).dot(e), (felt - across).dot(e))


def about(motion: Motion, A: End, B: End, c: Sequence[float], a: Sequence[float], b: Sequence[float]) -> Row:
    """The frames do not turn about c, fixed in A: φ = a · b, φ̈ = (α_B − α_A) · c + (ω_B − ω_A) · (ω_A × c)."""
    one, other, axis = motion.body(A.body), motion.body(B.body), A.axis(motion, c)
    w_A, w_B = motion.angular_velocity(one), motion.angular_velocity(other)
    acceleration = (_alpha(motion, other) - _alpha(motion, one)).dot(axis) + (w_B - w_A).dot(w_A.cross(axis))
    wrenches = LoadWrench(one, None, None, -axis), LoadWrench(other, None, None, axis)
    return Row(wrenches, A.axis(motion, a).dot(B.axis(motion, b)), acceleration)


def square(motion: Motion, A: End, B: End, a: Sequence[float], b: Sequence[float]) -> Row:
    """Directions a of A and b of B stay at right angles: φ = a · b, c = b × a,
    φ̈ = (α_B − α_A) · c + (ω_B − ω_A) · ((ω_B × b) × a + b × (ω_A × a))."""
    one, other, x, y = motion.body(A.body), motion.body(B.body), A.axis(motion, a), B.axis(motion, b)
    w_A, w_B, c = motion.angular_velocity(one), motion.angular_velocity(other), y.cross(x)
    rate = w_B.cross(y).cross(x) + y.cross(w_A.cross(x))
    acceleration = (_alpha(motion, other) - _alpha(motion, one)).dot(c) + (w_B - w_A).dot(rate)
    wrenches = LoadWrench(one, None, None, -c), LoadWrench(other, None, None, c)
    return Row(wrenches, x.dot(y), acceleration)


X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
MINUS_X = (-1.0, 0.0, 0.0)
Closure = Callable[[Motion, End, End], list[Row]]


def fixed_axis(motion: Motion, A: End, B: End) -> list[Row]:
    """The axes z of both frames are one direction."""
    return [about(motion, A, B, Y, X, Z), about(motion, A, B, MINUS_X, Y, Z)]


def fixed_axes(motion: Motion, A: End, B: End) -> list[Row]:
    return [about(motion, A, B, *axes) for axes in ((X, Z, Y), (Y, X, Z), (Z, Y, X))]


CLOSURES: dict[str, Closure] = {
    "spherical": lambda m, A, B: [along(m, A, B, e) for e in (X, Y, Z)],
    "revolute": lambda m, A, B: [*(along(m, A, B, e) for e in (X, Y, Z)), *fixed_axis(m, A, B)],
    "universal": lambda m, A, B: [*(along(m, A, B, e) for e in (X, Y, Z)), square(m, A, B, X, Y)],
    "prismatic": lambda m, A, B: [*(along(m, A, B, e) for e in (X, Y)), *fixed_axes(m, A, B)],
    "cylindrical": lambda m, A, B: [*(along(m, A, B, e) for e in (X, Y)), *fixed_axis(m, A, B)],
    "planar": lambda m, A, B: [along(m, A, B, Z), *fixed_axis(m, A, B)],
    "weld": lambda m, A, B: [*(along(m, A, B, e) for e in (X, Y, Z)), *fixed_axes(m, A, B)],
}
"""What each joint resists; axes along z, of the universal joint x in A and y in B."""
FREEDOMS = {"spherical": 3, "revolute": 1, "universal": 2, "prismatic": 1, "cylindrical": 2, "planar": 3, "weld": 0}
