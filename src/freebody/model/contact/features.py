"""Features of a shape that touch surfaces: balls (points, where the radius is 0) and rims."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from freebody.model.contact.candidate import Candidate, Meeting, RelativePose
from freebody.model.contact.surfaces import Surface
from freebody.model.contact.triples import ShapePose, Three, clamp, cross, dot, minus, plus, tangents_about, times
from freebody.scalar.expr import Expr, sqrt, where

ROUNDING = 1e-4
"""The tilt of a rim, in radians, below which its lowest point moves from the rim to the centre of its disc."""

CORRECTIONS = 6
"""How often the point of a rim that is nearest to a curved surface is improved."""

LONGEST = 5.0
"""The longest step of a secant, in units of the last one."""


class Feature(ABC):
    """A part of a shape, along the axes of its body, that is nowhere hollow."""

    label: str

    @abstractmethod
    def touch(self, body: RelativePose, surface: Surface) -> tuple[Expr, Three, Three]:
        """The penetration, the normal of the surface, and the point half way, in the frame of the surface."""


@dataclass(frozen=True)
class Ball(Feature):
    """A ball, or a point."""

    at: Three
    radius: Any = 0
    label: str = ""

    def touch(self, body: RelativePose, surface: Surface) -> tuple[Expr, Three, Three]:
        centre = body.point(self.at)
        distance, n = surface.nearest(centre, self.radius)
        x = self.radius - distance
        return x, n, plus(centre, times(x / 2 - self.radius, n))


@dataclass(frozen=True)
class Rim(Feature):
    """A circle about an axis, at the point where it is nearest to a surface. The first guess is the point nearest to
    the tangent plane below its centre, the second the point nearest to that of the surface; then corrections go to the
    zero of the slope of the distance along the circle, by the secant of the last two slopes where it rises.

    With the tilt θ of the axis from the normal that point is r sin θ/√(sin²θ + ε²) from the centre: where the disc lies
    flat the point moves through its centre to the other side without a jump."""

    at: Three
    axis: Three
    radius: Any
    label: str = ""

    def touch(self, body: RelativePose, surface: Surface) -> tuple[Expr, Three, Three]:
        centre, axis = body.point(self.at), body.direction(self.axis)
        _, n = surface.nearest(centre)
        s = dot(axis, n)
        arm = times(self.radius / sqrt(1 + ROUNDING**2 - s * s), minus(times(s, axis), n))
        distance, n = surface.nearest(plus(centre, arm))
        if surface.flat:
            return -distance, n, plus(plus(centre, arm), times(-distance / 2, n))
        best: tuple[Any, ...] = (distance, *n, *arm)
        before, slope = arm, dot(n, cross(axis, arm))
        arm = self._on_rim(axis, minus(arm, times(distance, n)))
        for _ in range(CORRECTIONS):
            distance, n = surface.nearest(plus(centre, arm))
            best = tuple(
                where(distance < best[0], new, old) for new, old in zip((distance, *n, *arm), best, strict=True)
            )
            tangent, last, moved = cross(axis, arm), slope, minus(arm, before)
            slope = dot(n, tangent)
            curved = dot(tangent, moved) * (slope - last) > 0
            step = clamp(slope / where(curved, slope - last, 1), LONGEST)
            x, y, z = (where(curved, r - step * d, r - distance * c) for r, d, c in zip(arm, moved, n, strict=True))
            before, arm = arm, self._on_rim(axis, (x, y, z))
        distance, n, arm = best[0], (best[1], best[2], best[3]), (best[4], best[5], best[6])
        return -distance, n, plus(plus(centre, arm), times(-distance / 2, n))

    def _on_rim(self, axis: Three, towards: Three) -> Three:
        """The point of the rim in this direction, from its centre."""
        across = minus(towards, times(dot(axis, towards), axis))
        return times(self.radius / sqrt(dot(across, across) + (ROUNDING * self.radius) ** 2), across)


@dataclass(frozen=True)
class Touch(Candidate):
    """A feature of one body against a surface of the other; ``of_first``: the feature is on the first body."""

    feature: Feature
    surface: Surface
    pose: ShapePose
    of_first: bool = True
    label: str = ""

    def meet(self, first: RelativePose) -> Meeting:
        pose = self.pose
        if self.of_first:
            x_axis, y_axis, z_axis = (pose.into(axis) for axis in first.axes)
            body = RelativePose((x_axis, y_axis, z_axis), pose.local(first.origin))
            x, n, point = self.feature.touch(body, self.surface)
            return meeting(x, pose.out(n), self.surface.tangents(n, pose), pose.point(point))
        a, b, c = (first.direction([row[k] for row in pose.R]) for k in range(3))  # the axes of the surface
        origin = first.point(pose.at)
        back = ShapePose(((a[0], b[0], c[0]), (a[1], b[1], c[1]), (a[2], b[2], c[2])), origin)
        nowhere = (-dot(a, origin), -dot(b, origin), -dot(c, origin))
        x, n, point = self.feature.touch(RelativePose(back.R, nowhere), self.surface)
        normal = times(-1, back.out(n))
        return meeting(x, normal, tangents_about(normal), back.point(point))


def meeting(x: Expr, normal: Three, tangents: tuple[Three, Three], point: Three) -> Meeting:
    """A meeting, with numbers as expressions."""
    zero = Expr(x.graph, x.graph.zero)
    n, t1, t2, k = ((zero + v[0], zero + v[1], zero + v[2]) for v in (normal, *tangents, point))
    return Meeting(x, n, (t1, t2), k)


def ring(pose: ShapePose, radius: Any, z: Any, count: int, label: str) -> list[Ball]:
    """Points of a circle in a plane of constant z of a shape."""
    angles = [2 * math.pi * k / count for k in range(count)]
    places = [(radius * math.cos(a), radius * math.sin(a), z) for a in angles]
    return [Ball(pose.point(p), 0, f"{label}_{k}") for k, p in enumerate(places)]
