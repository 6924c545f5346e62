"""Arms with symbols for all parameters: planar chains and the PUMA 560."""

from typing import Any

import freebody as fb

ALONG = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
UP = ((1, 0, 0), (0, 0, -1), (0, 1, 0))  # +90° about x
DOWN = ((1, 0, 0), (0, 0, 1), (0, -1, 0))  # −90° about x


def planar(n: int) -> fb.System:
    """n links in a plane: mass m, length l, mass centre at c, inertia I."""
    s = fb.System(f"planar {n}R", gravity=(0, 0, 0))
    on: Any = s.ground
    at: Any = (0, 0, 0)
    for k in range(1, n + 1):
        m, l, c, inertia = (s.parameter(f"{name}{k}", 1.0 + k / 7) for name in ("m", "l", "c", "I"))
        on = s.body(f"{k}", on=on, at=at, joint=fb.Revolute("z"), mass=m, com=(c, 0, 0), inertia=(9, 9, inertia))
        at = (l, 0, 0)
    return s


def puma() -> fb.System:
    """The PUMA 560 by Craig's modified parameters (a₂, a₃, d₃, d₄), with ten inertial parameters per link."""
    s = fb.System("puma 560")
    a2, a3, d3, d4 = s.parameters(a2=0.4318, a3=0.0203, d3=0.15, d4=0.4318)
    on: Any = s.ground
    places: list[tuple[Any, ...]] = [
        (0, ALONG, 0),
        (0, DOWN, 0),
        (a2, ALONG, d3),
        (a3, DOWN, d4),
        (0, UP, 0),
        (0, DOWN, 0),
    ]
    for k, (a, turn, d) in enumerate(places, 1):
        m, x, y, z = (s.parameter(f"{name}{k}", value) for name, value in zip("mxyz", (1, 0.1, 0.2, 0.3), strict=True))
        xx, yy, zz = (s.parameter(f"I{name}{k}", 0.1) for name in ("xx", "yy", "zz"))
        xy, xz, yz = (s.parameter(f"I{name}{k}", 0.01) for name in ("xy", "xz", "yz"))
        at = (a, turn[1][2] * d, turn[2][2] * d)
        on = s.body(
            f"{k}",
            on=on,
            at=at,
            orient=turn,
            joint=fb.Revolute("z"),
            mass=m,
            com=(x, y, z),
            inertia=((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)),
        )
    return s
