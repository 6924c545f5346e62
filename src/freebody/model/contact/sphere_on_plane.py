"""Spheres on planes."""

from dataclasses import dataclass
from typing import Any

from freebody.model.contact.candidate import Candidate, Meeting, Placement
from freebody.model.contact.shape_frame import frame_of, lifted, tangents, unit
from freebody.model.shapes import Plane, Sphere


@dataclass(frozen=True)
class SphereOnPlane(Candidate):
    """A sphere of the first body on a plane of the second."""

    sphere: Sphere
    plane: Plane
    label: str = ""

    def meet(self, first: Placement) -> Meeting:
        g = first.origin[0].graph
        frame, (radius,) = frame_of(self.plane, g), lifted(g, [self.sphere.radius])
        normal = frame.direction(unit(self.plane.normal, g))
        centre = first.point(frame_of(self.sphere, g).centre)
        depth = radius - _dot(normal, [a - b for a, b in zip(centre, frame.centre, strict=True)])
        x, y, z = (c - n * (radius - depth / 2) for c, n in zip(centre, normal, strict=True))
        return Meeting(depth, normal, tangents(normal), (x, y, z))


def sphere_on_plane(sphere: Sphere, plane: Plane, points: int | None = None) -> tuple[Candidate, ...]:
    return (SphereOnPlane(sphere, plane),)


def _dot(a: Any, b: Any) -> Any:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
