"""The UR5 of Universal Robots: an arm of six revolute joints, with numbers for parameters.

Lengths: Universal Robots, "DH parameters for calculations of kinematics and dynamics". Its standard parameters are
a = (0, −.425, −.39225, 0, 0, 0), d = (.089159, 0, 0, .10915, .09465, .0823), alpha = (90°, 0, 0, 90°, −90°, 0); with
each link's frame at its own joint (modified parameters) a and alpha belong to the next joint. Masses, mass centres in
these frames and inertias of cylinders: Universal_Robots_ROS2_Description, config/ur5/physical_parameters.yaml; its
forearm weighs 2.33 kg by now, but its inertia is that of the older 2.275 kg, kept here. Limits: config/ur5/
joint_limits.yaml there.
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

    name: str
    a: float
    turn: tuple[tuple[int, ...], ...]
    d: float
    mass: float
    com: tuple[float, float, float]
    inertia: tuple[float, float, float]  # about the mass centre, kg m2

    @property
    def at(self) -> tuple[float, ...]:
        """The joint's origin in the parent: a x + d z, z being the last column of the turn."""
        return (self.a, self.turn[1][2] * self.d, self.turn[2][2] * self.d)


LINKS = (
    Link("shoulder", 0, ALONG, 0.089159, 3.7, (0, -0.00193, -0.02561), (0.0149723583, 0.0149723583, 0.01040625)),
    Link("upper_arm", 0, UP, 0, 8.393, (-0.2125, 0, 0.11336), (0.0151074, 0.1338858354, 0.1338858354)),
    Link("forearm", -0.425, ALONG, 0, 2.275, (-0.24225, 0, 0.0265), (0.004095, 0.0312168035, 0.0312168035)),
    Link("wrist_1", -0.39225, ALONG, 0.10915, 1.219, (0, -0.01634, -0.0018), (0.0020138896, 0.0020138896, 0.0021942)),
    Link("wrist_2", 0, UP, 0.09465, 1.219, (0, 0.01634, -0.0018), (0.0018310396, 0.0018310396, 0.0021942)),
    Link("wrist_3", 0, DOWN, 0.0823, 0.1879, (0, 0, -0.001159), (8.06247583e-05, 8.06247583e-05, 0.0001321171875)),
)
RADIUS = 0.045
JOINTS = ("shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", "wrist_3")


def system() -> fb.System:
    """The arm on the ground, its first axis upright."""
    s = fb.System("ur5")
    on: Any = s.ground
    for link in LINKS:
        on = s.body(
            link.name,
            on=on,
            at=link.at,
            orient=link.turn,
            joint=fb.Revolute("z"),
            mass=link.mass,
            com=link.com,
            inertia=link.inertia,
        )
    return s


def parts() -> "list[Part]":
    """The arm for a URDF file, on a base without inertia and with a frame for tools."""
    from .describe import Part, quarter

    made, on = [Part("base_link")], "base_link"
    for k, (link, joint) in enumerate(zip(LINKS, JOINTS, strict=True)):
        x, y, z = link.inertia
        reach, effort = pi if joint == "elbow" else 2 * pi, 150 if k < 3 else 28
        made.append(
            Part(
                f"{link.name}_link",
                on,
                f"{joint}_joint",
                "revolute",
                link.at,
                quarter(link.turn),
                (0, 0, 1),
                (-reach, reach, effort, pi),
                mass=link.mass,
                com=link.com,
                inertia=(x, 0, 0, y, 0, z),
            )
        )
        on = made[-1].link
    return [*made, Part("tool0", on, "tool0_fixed_joint")]
