"""Surfaces: the signed distance of a point from a solid, and the direction in which it grows, in the solid's frame.

They are exact, inside and outside: a ball of radius r touches where the distance of its centre is r.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from freebody.model.contact.triples import (
    HAIR,
    ShapePose,
    Three,
    clamp,
    direction,
    dot,
    minus,
    tangents_about,
)
from freebody.scalar.expr import Expr, abs_, max, sqrt, where


class Surface(ABC):
    """The surface of a solid whose frame is that of its shape."""

    flat: ClassVar[bool] = False
    """Whether the normal is the same everywhere."""

    @abstractmethod
    def nearest(self, p: Three, radius: Any = 0) -> tuple[Expr, Three]:
        """The distance of a point, negative inside, and the normal there, outwards. ``radius``: of a ball with its
        centre in this point, where that matters."""

    def tangents(self, normal: Three, pose: ShapePose) -> tuple[Three, Three]:
        """Two tangents at a normal, which is along its own axes, along the axes of its body."""
        return tangents_about(pose.out(normal))


@dataclass(frozen=True)
class PlaneSurface(Surface):
    """The plane z = 0; the solid is below."""

    flat: ClassVar[bool] = True

    def nearest(self, p: Three, radius: Any = 0) -> tuple[Expr, Three]:
        return p[2], (0, 0, 1)

    def tangents(self, normal: Three, pose: ShapePose) -> tuple[Three, Three]:
        return pose.out((1, 0, 0)), pose.out((0, 1, 0))


@dataclass(frozen=True)
class BallSurface(Surface):
    """A ball about the origin."""

    radius: Any

    def nearest(self, p: Three, radius: Any = 0) -> tuple[Expr, Three]:
        length, n = direction(p)
        return length - self.radius, n


@dataclass(frozen=True)
class CapsuleSurface(Surface):
    """All points that are not farther than the radius from the z axis between ±half."""

    radius: Any
    half: Any

    def nearest(self, p: Three, radius: Any = 0) -> tuple[Expr, Three]:
        length, n = direction((p[0], p[1], p[2] - clamp(p[2], self.half)))
        return length - self.radius, n


@dataclass(frozen=True)
class BoxSurface(Surface):
    """A box with half edges. Inside of it the normal is that of the nearest face."""

    half: Three

    def nearest(self, p: Three, radius: Any = 0) -> tuple[Expr, Three]:
        beyond = minus(p, tuple(clamp(x, h) for x, h in zip(p, self.half, strict=True)))
        squared = dot(beyond, beyond)
        outside = squared > 0
        length = sqrt(where(outside, squared, 1))
        depths = [abs_(x) - h for x, h in zip(p, self.half, strict=True)]
        least = max(*depths)
        sides = [where(x < 0, -1, 1) for x in p]
        on_x, on_y = least <= depths[0], least <= depths[1]
        face = where(on_x, sides[0], 0), where(on_x, 0, where(on_y, sides[1], 0)), where(max(on_x, on_y), 0, sides[2])
        over = 1 / length
        x, y, z = (where(outside, b * over, f) for b, f in zip(beyond, face, strict=True))
        return where(outside, length, least), (x, y, z)


@dataclass(frozen=True)
class CylinderSurface(Surface):
    """A cylinder about the z axis between ±half."""

    radius: Any
    half: Any

    def nearest(self, p: Three, radius: Any = 0) -> tuple[Expr, Three]:
        x = p[0] + HAIR
        from_axis = sqrt(x * x + p[1] * p[1])
        side, end = from_axis - self.radius, abs_(p[2]) - self.half
        beyond_side, beyond_end = max(side, 0), max(end, 0)
        squared = beyond_side * beyond_side + beyond_end * beyond_end
        outside = squared > 0
        length = sqrt(where(outside, squared, 1))
        over, on_side = 1 / length, end <= side
        radial = where(outside, beyond_side * over, where(on_side, 1, 0)) / from_axis
        along = where(outside, beyond_end * over, where(on_side, 0, 1)) * where(p[2] < 0, -1, 1)
        return where(outside, length, max(side, end)), (radial * x, radial * p[1], along)
