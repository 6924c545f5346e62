"""A shape that is defined in this file alone is in files, and the viewer draws it."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, pi, sin
from typing import ClassVar

import numpy as np
import pytest

import freebody as fb
from freebody.errors import FieldError
from freebody.io import loads
from freebody.model.element import Given, field
from freebody.model.kinds import ScalarsValue, ScalarValue, Scope, Text
from freebody.model.shapes import (
    CENTRE,
    COLOR,
    NAME,
    OPACITY,
    RPY,
    SHAPES,
    SIZE,
    THREE,
    ColorField,
    ColorValue,
    Facts,
    Opacity,
    ShapeElement,
    surface,
)
from tests.extending.checks import in_files, picture


@dataclass(frozen=True)
class Torus(ShapeElement):
    """A ring with a round section, about its z axis."""

    radius: Given[ScalarValue] = field(SIZE, "radius of the circle at the middle of its section", unit="m")
    thickness: Given[ScalarValue] = field(SIZE, "radius of its section", unit="m")
    at: Given[ScalarsValue] = field(THREE, CENTRE, default=(0, 0, 0), unit="m")
    rpy: Given[ScalarsValue] = field(THREE, RPY, default=(0, 0, 0), unit="rad")
    color: Given[ColorValue | None] = field(ColorField(), f"{COLOR} body", default=None)
    opacity: float = field(Opacity(), OPACITY, default=1.0)
    name: str = field(Text(), NAME, default="")
    kind: ClassVar[str] = "torus"

    def finalise(self, scope: Scope) -> "Torus":
        if self.thickness == 0:
            raise FieldError("a torus needs a thickness that is not 0", "thickness")
        return self

    @classmethod
    def drawn(cls, facts: Facts, around: int = 24, across: int = 12) -> Facts:
        R, r = facts["radius"], facts["thickness"]
        points, triangles = list[tuple[float, float, float]](), list[tuple[int, int, int]]()
        for i in range(around):
            for k in range(across):
                a, b = 2 * pi * i / around, 2 * pi * k / across
                out = R + r * cos(b)
                points.append((out * cos(a), out * sin(a), r * sin(b)))
                next_i, next_k = (i + 1) % around * across, (k + 1) % across
                corner = i * across + k, next_i + k, next_i + next_k, i * across + next_k
                triangles += [(corner[0], corner[1], corner[2]), (corner[0], corner[2], corner[3])]
        return surface(facts, points, triangles)


@pytest.fixture(autouse=True)
def table() -> Iterator[None]:
    """The line in the table."""
    SHAPES.add(Torus)
    yield
    del SHAPES["torus"]


def system() -> fb.System:
    s = fb.System("wheel")
    s.parameter("R", 0.4)
    shape = [Torus("R", 0.1, at=(1, 0, 0), color="teal"), fb.Sphere(0.2)]
    s.body("wheel", joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 1), shape=shape)
    return s


def test_files_digest_and_reference() -> None:
    again = in_files(system(), "torus").bodies["wheel"].spec.shape[0]
    assert type(again) is Torus
    assert (str(again.radius), again.thickness, again.color) == ("R", 0.1, "teal")
    with pytest.raises(fb.FreebodyError, match="a torus needs a thickness"):
        loads("bodies: {a: {joint: hinge, mass: 1, shape: {torus: {radius: 1, thickness: 0}}}}", fb.System)


def test_the_viewer_draws_a_closed_surface_of_its_volume() -> None:
    """By the divergence theorem; with the values of parameters, its place and its colour."""
    _, scene = picture(system())
    ring, ball = (item for item in scene.items if item.layer == "bodies")
    assert ring.color == (0, 128 / 255, 128 / 255) and ball.color is None
    assert np.allclose(ring.transform[:, 3], (1, 0, 0))
    a, b, c = np.moveaxis(np.asarray(ring.geometry.vertices, float)[ring.geometry.triangles], 1, 0)
    volume = np.einsum("ij,ij->", a, np.cross(b, c)) / 6
    assert volume == pytest.approx(2 * pi**2 * 0.4 * 0.1**2, rel=0.06)
    run = system().simulate([0, 0.1], parameters={"R": 0.8})
    facts = run.about.elements[0].shape
    assert facts is not None
    assert np.max(facts["parts"][0]["points"]) == pytest.approx(0.9)
