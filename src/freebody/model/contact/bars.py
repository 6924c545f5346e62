"""Bars, the axes of capsules and cylinders with a radius, where they are nearest to a surface between their ends."""

from dataclasses import dataclass
from typing import Any

from freebody.model.contact.candidate import RelativePose
from freebody.model.contact.features import Feature
from freebody.model.contact.surfaces import BoxSurface, CapsuleSurface, CylinderSurface, Surface
from freebody.model.contact.triples import Three, clamp, dot, minus, plus, times
from freebody.scalar.expr import Expr, abs_, max, min, where

PARALLEL = 1e-9
"""sin² of the angle of two bars below which the nearest point moves towards the middle."""

LEVEL = 1e-8
"""How far the slope of the distance of a bar from a box may be from 0 where all of the bar is nearest, in metres."""

BLEND = 10.0
"""A bar touches between its ends fully where it is deeper there than at them by 1/BLEND of its penetration."""

MARGIN = 1e-8
"""... and not at all where it is deeper by less than this, in metres: on a face, rounding decides which point is
deepest."""

LARGE = 1e30


@dataclass(frozen=True)
class Bar(Feature):
    """The points within the radius of a line of length 2 half. Where its ends are candidates of their own (``ends``),
    it touches only where it is deeper between them than at them: where a bar lies on a face, its ends carry it.

    ``flat``: it is a cylinder, whose rims are candidates and whose side ends where its faces begin."""

    at: Three
    axis: Three
    half: Any
    radius: Any
    label: str = ""
    ends: bool = False
    flat: bool = False

    def touch(self, body: RelativePose, surface: Surface) -> tuple[Expr, Three, Three]:
        centre, axis = body.point(self.at), body.direction(self.axis)
        s = NEAREST[type(surface)](surface, centre, axis, self.half)
        p = plus(centre, times(s, axis))
        distance, n = surface.nearest(p, self.radius)
        x = self.radius - distance
        point = plus(p, times(x / 2 - self.radius, n))
        if self.ends or self.flat:
            tips = (body.point(plus(self.at, times(side * self.half, self.axis))) for side in (-1, 1))
            nearest_tip = min(*(surface.nearest(tip, self.radius)[0] for tip in tips))
            x = min(x, BLEND * (x + nearest_tip - self.radius - MARGIN))
        if self.flat:
            x = min(x, self.half - abs_(s - self.radius * dot(n, axis)))
        return x, n, point


def nearest_to_axis(surface: CapsuleSurface | CylinderSurface, c: Three, a: Three, half: Any) -> Expr:
    """Where a bar is nearest to the z axis between ±half of the surface (Ericson 2005, section 5.1.9). With s along the
    bar and t along the axis, |c + s a − t z|² is least; parallel bars meet near the middle of the first."""
    b, along = a[2], dot(a, c)
    s = clamp((b * c[2] - along) / (a[0] * a[0] + a[1] * a[1] + PARALLEL), half)
    t = clamp(c[2] + s * b, surface.half)
    return clamp(b * t - along, half)


def nearest_to_box(surface: BoxSurface, c: Three, a: Three, half: Any) -> Expr:
    """Where a bar is nearest to a box: the root of f(s) = a·(p − the nearest point of the box), p = c + s a, half the
    derivative of the squared distance. f grows and is straight between the places where p enters and leaves the three
    pairs of faces; where f = 0 over a length, as for a bar that lies on a face, this is its middle."""
    places = list[Any]()
    for ck, ak, hk in zip(c, a, surface.half, strict=True):
        slope = where(abs_(ak) < PARALLEL, PARALLEL, ak)
        places += [clamp((hk - ck) / slope, half), clamp((-hk - ck) / slope, half)]
    low: Any = -half
    high: Any = half
    f_low: Any = -LARGE
    f_high: Any = LARGE
    for s in [*places, half, -half]:
        p = plus(c, times(s, a))
        f = dot(a, minus(p, tuple(clamp(x, h) for x, h in zip(p, surface.half, strict=True))))
        low, f_low = max(low, where(f <= LEVEL, s, -half)), max(f_low, where(f <= LEVEL, f, -LARGE))
        high, f_high = min(high, where(f >= -LEVEL, s, half)), min(f_high, where(f >= -LEVEL, f, LARGE))
    nearest: Expr = low + (high - low) * (2 * LEVEL - f_low) / (f_high - f_low + 4 * LEVEL)
    return nearest


NEAREST: dict[type[Surface], Any] = {
    CapsuleSurface: nearest_to_axis,
    CylinderSurface: nearest_to_axis,
    BoxSurface: nearest_to_box,
}
