"""The law of contact at fixed steps: impulses at the velocity that contact has at the end of a step.

Along the normal γ = h k (x − h v)₊ (1 − d v)₊, Hunt and Crossley's force at the penetration of the end; along the
tangents γ = −Π(h k_t z + h (h k_t + c_t) v), where z is the stretch of a tangential spring and Π the projection to the
disc of radius B, the largest friction: the convex law of Cundall and Strack. z sticks or slips with the contact:
z + h v, or B/(h k_t) in the direction of the slip; it is zero while the contact is open. The state of a contact is the
deflection w = h k_t z/B of its bristles, that of the law without steps (``model.contact``), with B at the same moment.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from freebody.scalar.expr import Expr, exp, sqrt, where

TINY = 1e-300
"""Keeps the direction of a slip of length 0 finite."""

SETTLING = 1e-3
"""Seconds: the damping of a tangential spring over its stiffness."""


class LinearImpulse(NamedTuple):
    """γ to first order about a velocity v: γ + S v − S v' at v', with S = [normal; along 1 − removed w wᵀ], w the
    ``direction`` of the friction; ``constant`` is γ + S v."""

    constant: Sequence[Expr]
    normal: Expr
    along: Expr
    removed: Expr
    direction: tuple[Expr, Expr]
    roots: tuple[Expr, Expr]
    """√normal and √along"""
    sticks: Expr

    def impulse(self, v: Sequence[Expr]) -> list[Expr]:
        result = [self.constant[0] - self.normal * v[0]]
        if len(v) == 3:
            a, b = self.direction
            across = self.removed * (a * v[1] + b * v[2])
            result.append(self.constant[1] - self.along * v[1] + across * a)
            result.append(self.constant[2] - self.along * v[2] + across * b)
        return result

    def columns(self) -> list[list[Expr]]:
        """The columns of L, S = L Lᵀ. What slips resists across its direction only."""
        (n, c), (a, b), zero = self.roots, self.direction, self.normal * 0
        first = where(self.sticks, c, -c * b), where(self.sticks, zero, c * a)
        return [[n, zero, zero], [zero, *first], [zero, zero, where(self.sticks, c, zero)]]


class ImpulseLaw(Protocol):
    """What a step needs of the law of one candidate or stop."""

    def impulse(self, h: Expr, x: Expr, v: Sequence[Expr], bound: Expr) -> list[Expr]: ...
    def linear(self, h: Expr, x: Expr, v: Sequence[Expr], bound: Expr, before: Sequence[Expr]) -> LinearImpulse: ...
    def bound(self, normal: Expr, v: Sequence[Expr]) -> Expr: ...


@dataclass(frozen=True)
class StopLaw:
    """The law along the normal: ``stiffness`` k and ``dissipation`` d."""

    stiffness: Expr
    dissipation: Expr

    def _parts(self, h: Expr, x: Expr, v: Sequence[Expr]) -> tuple[Expr, Expr]:
        depth, damping, zero = x - h * v[0], 1 - self.dissipation * v[0], h * 0
        return where(depth > 0, depth, zero), where(damping > 0, damping, zero)

    def impulse(self, h: Expr, x: Expr, v: Sequence[Expr], bound: Expr) -> list[Expr]:
        """γ at the velocity v of a contact of penetration x."""
        depth, damping = self._parts(h, x, v)
        return [h * self.stiffness * depth * damping]

    def _normal(self, h: Expr, x: Expr, v: Sequence[Expr], before: Sequence[Expr]) -> tuple[Expr, Expr]:
        """γ + s v and s = −∂γ/∂v along the normal; of a contact that is open but was closed at another velocity,
        ``before``, the stiffness where it closes, so that iterations do not close and open contacts in turn."""
        depth, damping = self._parts(h, x, v)
        hk, closed = h * self.stiffness, where(depth > 0, 1, where(x - h * before[0] > 0, 1, 0))
        slope = (hk * h) * damping + (hk * self.dissipation) * depth
        s = where(closed > 0, where(damping > 0, slope, h * 0), h * 0)
        return hk * (depth * damping) + s * v[0], s

    def linear(self, h: Expr, x: Expr, v: Sequence[Expr], bound: Expr, before: Sequence[Expr]) -> LinearImpulse:
        constant, s = self._normal(h, x, v, before)
        zero = h * 0
        return LinearImpulse([constant], s, zero, zero, (zero, zero), (zero, zero), zero)

    def bound(self, normal: Expr, v: Sequence[Expr]) -> Expr:
        return normal * 0


@dataclass(frozen=True)
class SpringLaw(StopLaw):
    """The law of a candidate, with friction: of sliding, at rest (None: the same), the speed over which one passes to
    the other, and the stiffness of the tangential spring. ``spring`` is h k_t z at the start of the step."""

    friction: Expr
    static_friction: Expr | None
    stribeck_velocity: Expr | None
    tangential_stiffness: Expr
    spring: tuple[Expr, Expr]

    def _trial(self, h: Expr, v: Sequence[Expr], bound: Expr) -> tuple[Expr, Expr, Expr, Expr]:
        """The impulse of the spring as if it stuck: both components, its size, and whether it sticks."""
        damped = self._damped(h)
        a, b = (s + damped * w for s, w in zip(self.spring, v[1:], strict=True))
        size = sqrt(a * a + b * b + TINY)
        return a, b, size, size <= bound

    def _damped(self, h: Expr) -> Expr:
        """h (h k_t + c_t)"""
        return h * self.tangential_stiffness * (h + SETTLING)

    def impulse(self, h: Expr, x: Expr, v: Sequence[Expr], bound: Expr) -> list[Expr]:
        a, b, size, sticks = self._trial(h, v, bound)
        part = where(sticks, 1, bound / size)
        return [*super().impulse(h, x, v, bound), -(part * a), -(part * b)]

    def linear(self, h: Expr, x: Expr, v: Sequence[Expr], bound: Expr, before: Sequence[Expr]) -> LinearImpulse:
        constant, s = self._normal(h, x, v, before)
        a, b, size, sticks = self._trial(h, v, bound)
        inverse, damped = 1 / size, self._damped(h)
        direction, force = (a * inverse, b * inverse), where(sticks, size, bound)
        c, d = (s + damped * w for s, w in zip(self.spring, before[1:], strict=True))
        sticks = where(sticks, 1, where(a * c + b * d < 0, 1, 0))  # also where the slip has turned round in between
        along = damped * where(sticks, 1, bound * inverse)
        removed = where(sticks, h * 0, along)
        across = force + removed * (direction[0] * v[1] + direction[1] * v[2])
        tangents = [along * w - across * e for w, e in zip(v[1:], direction, strict=True)]
        return LinearImpulse([constant, *tangents], s, along, removed, direction, (_root(s), _root(along)), sticks)

    def bound(self, normal: Expr, v: Sequence[Expr]) -> Expr:
        """The largest friction at this normal impulse and slip."""
        if self.static_friction is None or self.stribeck_velocity is None:
            return self.friction * normal
        slip = (v[1] * v[1] + v[2] * v[2]) / (self.stribeck_velocity * self.stribeck_velocity)
        return (self.friction + (self.static_friction - self.friction) * exp(-slip)) * normal

    def bristles(self, h: Expr, x: Expr, v: Sequence[Expr], bound: Expr) -> tuple[Expr, Expr]:
        """w at the step's end."""
        a, b, size, sticks = self._trial(h, v, bound)
        limit = self.bound(StopLaw.impulse(self, h, x, v, bound)[0], v)
        stretch = h * h * self.tangential_stiffness
        c, d = (s + stretch * w for s, w in zip(self.spring, v[1:], strict=True))
        length = sqrt(c * c + d * d + TINY)
        stuck = 1 / where(length < limit, limit, length)
        closed, inverse = limit > 0, 1 / size
        first, second = (where(closed, where(sticks, s * stuck, f * inverse), h * 0) for s, f in ((c, a), (d, b)))
        return first, second


def _root(x: Expr) -> Expr:
    """√x, whose derivative at 0 is 0."""
    return where(x > 0, sqrt(where(x > 0, x, 1)), x)
