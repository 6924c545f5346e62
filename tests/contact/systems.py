"""Systems with contacts that tests share."""

from typing import Any

import numpy as np

import freebody as fb

G = 9.81


def cuboid(size: tuple[float, float, float], mass: float) -> tuple[float, float, float]:
    """The moments of inertia of a solid box."""
    a, b, c = size
    return mass / 12 * (b * b + c * c), mass / 12 * (a * a + c * c), mass / 12 * (a * a + b * b)


def ball(material: fb.ContactMaterial, gravity: Any = (0, 0, -G), radius: float = 0.1, mass: float = 1.0) -> fb.System:
    """A solid ball above the floor."""
    s = fb.System("ball", gravity=gravity)
    inertia = (0.4 * mass * radius**2,) * 3
    body = s.body("ball", joint=fb.Free(), mass=mass, inertia=inertia, shape=fb.Sphere(radius))
    s.contact(body, s.ground.plane(), material, "floor")
    return s


def block(angle: float, material: fb.ContactMaterial) -> fb.System:
    """A block with points at its four lower corners on a slope, in axes along the slope."""
    size = (0.2, 0.2, 0.1)
    s = fb.System("block", gravity=(G * np.sin(angle), 0, -G * np.cos(angle)))
    body = s.body("block", joint=fb.Free(), mass=2.0, inertia=cuboid(size, 2.0))
    for k, (x, y) in enumerate([(-0.1, -0.1), (-0.1, 0.1), (0.1, -0.1), (0.1, 0.1)]):
        s.contact(body.shape(fb.Sphere(0, at=(x, y, -0.05))), s.ground.plane(), material, f"c{k}")
    return s


def pair() -> fb.System:
    """Two balls that overlap each other and a tilted plane, with all kinds of friction and parameters."""
    s = fb.System("pair")
    s.parameters(k=50.0, mu=0.4, r=0.3)
    kinds: dict[str, Any] = {
        "static_friction": 0.7,
        "stribeck_velocity": 0.5,
        "rolling_friction": 0.1,
        "torsional_friction": "0.1*r",
    }
    paste = fb.ContactMaterial("k", dissipation=0.1, friction="mu", **kinds, name="paste")
    a = s.body("a", joint=fb.Free(), mass=1.0, com=(0.1, 0, 0.05), inertia=(0.1, 0.2, 0.25), shape=fb.Sphere("r"))
    b = s.body("b", on=a, at=(0.2, 0.1, 0), joint=fb.Spherical(), mass=0.5, inertia=(0.1, 0.1, 0.15))
    c = s.body(
        "c", joint=fb.Free(), mass=2.0, inertia=(0.1, 0.2, 0.2), shape=fb.Sphere(0.5, at=(0.1, 0, 0), name="pad")
    )
    s.contact(a, s.ground.plane(normal=(0.1, 0.2, 1), at=(0, 0, -0.1), rpy=(0.1, 0.2, 0)), paste, "floor")
    s.contact(b.shape(fb.Sphere(0.25, at=(0, 0.1, 0))), c.shape("pad"), paste, "touch")
    return s
