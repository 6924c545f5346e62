"""The Franka Emika Panda: an arm of seven revolute joints, with numbers for parameters.

Lengths: Franka Control Interface documentation, "Denavit–Hartenberg parameters" (Craig's convention: each link's frame
is at its own joint). Masses, mass centres and inertias: C. Gaz, M. Cognetti, A. Oliva, P. Robuffo Giordano, A. De Luca,
"Dynamic identification of the Franka Emika Panda robot with retrieval of feasible parameters using penalty-based
optimization", IEEE Robotics and Automation Letters 4(4), 2019, as franka_description gives them. No friction.
The hand and its fingers, in the URDF file alone: Franka Control Interface documentation and franka_description.
"""

from math import pi
from typing import TYPE_CHECKING, Any, NamedTuple

import freebody as fb

if TYPE_CHECKING:
    from .describe import Part

ALONG = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
UP = ((1, 0, 0), (0, 0, -1), (0, 1, 0))  # +90° about x
DOWN = ((1, 0, 0), (0, 0, 1), (0, -1, 0))  # −90° about x


class Link(NamedTuple):
    """A link on the one before: its joint lies at a along that one's x, turned about it, then d along the new z."""

    a: float
    turn: tuple[tuple[int, ...], ...]
    d: float
    mass: float
    com: tuple[float, float, float]
    inertia: tuple[float, ...]  # xx, yy, zz, xy, xz, yz about the mass centre, kg m2

    @property
    def at(self) -> tuple[float, ...]:
        """The joint's origin in the parent: a x + d z, z being the last column of the turn."""
        return (self.a, self.turn[1][2] * self.d, self.turn[2][2] * self.d)

    @property
    def matrix(self) -> list[list[float]]:
        xx, yy, zz, xy, xz, yz = self.inertia
        return [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]


LINKS = (
    Link(0, ALONG, 0.333, 4.970684, (0.003875, 0.002081, -0.04762),
         (0.70337, 0.70661, 0.0091170, -0.00013900, 0.0067720, 0.019169)),
    Link(0, DOWN, 0, 0.646926, (-0.003141, -0.02872, 0.003495),
         (0.0079620, 0.028110, 0.025995, -0.0039250, 0.010254, 0.00070400)),
    Link(0, UP, 0.316, 3.228604, (0.027518, 0.039252, -0.066502),
         (0.037242, 0.036155, 0.010830, -0.0047610, -0.011396, -0.012805)),
    Link(0.0825, UP, 0, 3.587895, (-0.05317, 0.104419, 0.027454),
         (0.025853, 0.019552, 0.028323, 0.0077960, -0.0013320, 0.0086410)),
    Link(-0.0825, DOWN, 0.384, 1.225946, (-0.011953, 0.041065, -0.038437),
         (0.035549, 0.029474, 0.0086270, -0.0021170, -0.0040370, 0.00022900)),
    Link(0, UP, 0, 1.666555, (0.060149, -0.014117, -0.010517),
         (0.0019640, 0.0043540, 0.0054330, 0.00010900, -0.0011580, 0.00034100)),
    Link(0.088, UP, 0, 0.735522, (0.010517, -0.004252, 0.061597),
         (0.012516, 0.010027, 0.0048150, -0.00042800, -0.0011960, -0.00074100)),
)  # fmt: skip
RADIUS = 0.05
LIMITS = (
    (-2.8973, 2.8973, 87, 2.175), (-1.7628, 1.7628, 87, 2.175), (-2.8973, 2.8973, 87, 2.175),
    (-3.0718, -0.0698, 87, 2.175), (-2.8973, 2.8973, 12, 2.61), (-0.0175, 3.7525, 12, 2.61),
    (-2.8973, 2.8973, 12, 2.61),
)  # fmt: skip
FINGER = {"mass": 0.015, "inertia": (2.375e-6, 0, 0, 2.375e-6, 0, 7.5e-7)}


def system() -> fb.System:
    """The arm on the ground, its first axis upright."""
    s = fb.System("panda")
    on: Any = s.ground
    for k, link in enumerate(LINKS):
        on = s.body(
            f"link{k + 1}",
            on=on,
            at=link.at,
            orient=link.turn,
            joint=fb.Revolute("z"),
            mass=link.mass,
            com=link.com,
            inertia=link.matrix,
        )
    return s


def parts() -> "list[Part]":
    """The arm for a URDF file, with the hand and two fingers of which the second mimics the first."""
    from .describe import Part, quarter

    made, on = [Part("panda_link0")], "panda_link0"
    for k, (link, limits) in enumerate(zip(LINKS, LIMITS, strict=True)):
        xx, yy, zz, xy, xz, yz = link.inertia
        made.append(
            Part(
                f"panda_link{k + 1}",
                on,
                f"panda_joint{k + 1}",
                "revolute",
                link.at,
                quarter(link.turn),
                (0, 0, 1),
                limits,
                mass=link.mass,
                com=link.com,
                inertia=(xx, xy, xz, yy, yz, zz),
            )
        )
        on = made[-1].link
    first, second = (f"panda_finger_joint{k}" for k in (1, 2))
    slide: Any = {"kind": "prismatic", "xyz": (0, 0, 0.0584), "limits": (0, 0.04, 100, 0.2), **FINGER}
    hand = Part(
        "panda_hand",
        "panda_link8",
        "panda_hand_joint",
        rpy=(0, 0, -pi / 4),
        mass=0.73,
        com=(-0.01, 0, 0.03),
        inertia=(0.001, 0, 0, 0.0025, 0, 0.0017),
    )
    return [
        *made,
        Part("panda_link8", on, "panda_joint8", xyz=(0, 0, 0.107)),
        hand,
        Part("panda_leftfinger", "panda_hand", first, axis=(0, 1, 0), **slide),
        Part("panda_rightfinger", "panda_hand", second, axis=(0, -1, 0), mimics=first, **slide),
    ]
