"""Solo12: a quadruped of twelve revolute joints and 2.5 kg, on a floating base.

Sizes, masses, mass centres, inertias and (wide) limits: Open Dynamic Robot Initiative, open_robot_actuator_hardware,
"Quadruped robot 12dof v1", and robot_properties_solo. The robot: F. Grimminger et al., "An open torque-controlled
modular robot architecture for legged locomotion research", IEEE Robotics and Automation Letters 5(2), 2020. The right
legs are the left ones mirrored here; on the robot the same parts are turned, which moves mass centres by 0.03 mm.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import freebody as fb

if TYPE_CHECKING:
    from .describe import Part

RADIUS = 0.015
HIP, SIDE = (0.2141, 0.0875), (0.0195, 0.014)  # from the base to the first joint, from there to the second: x, y
LENGTH = 0.16  # of the upper and of the lower leg
LIMITS = (-10, 10, 1000, 1000)
BASE = {
    "mass": 1.25123725,
    "com": (-0.00082966, 0.00000105, -0.0006021),
    "inertia": (0.0026622, -0.00003684, -0.00001716, 0.0138851, -0.00000009, 0.0160537),
}
UPPER = {
    "mass": 0.14737324,
    "com": (0.0000153, 0.0176764, -0.0783823),
    "inertia": (0.0004154, 0, 0.0000001, 0.00041637, -0.00004589, 0.00002982),
}
LOWER = {
    "mass": 0.02318294,
    "com": (0, 0.00776716, -0.07003876),
    "inertia": (0.00008508, 0, 0, 0.0000858, -0.000002, 0.00000139),
}


def leg(name: str, front: int) -> "list[Part]":
    """A left leg, in front (1) or behind (−1); of the shoulder, x and the products with it change sign."""
    from .describe import Part

    shoulder = {
        "mass": 0.14196048,
        "com": (-0.09407251 * front, -0.00438935, 0.00001384 * front),
        "inertia": (0.00002802, 0.00003687 * front, -0.00000009, 0.00038264, 0, 0.0003805),
    }
    x, y = HIP
    dx, dy = SIDE
    return [
        Part(
            f"{name}_SHOULDER",
            "base_link",
            f"{name}_HAA",
            "revolute",
            (x * front, y, 0),
            axis=(1, 0, 0),
            limits=LIMITS,
            **shoulder,
        ),
        Part(
            f"{name}_UPPER_LEG",
            f"{name}_SHOULDER",
            f"{name}_HFE",
            "revolute",
            (-dx * front, dy, 0),
            axis=(0, 1, 0),
            limits=LIMITS,
            **UPPER,
        ),
        Part(
            f"{name}_LOWER_LEG",
            f"{name}_UPPER_LEG",
            f"{name}_KFE",
            "revolute",
            (0, 0.03745, -LENGTH),
            axis=(0, 1, 0),
            limits=LIMITS,
            **LOWER,
        ),
        Part(f"{name}_FOOT", f"{name}_LOWER_LEG", f"{name}_ANKLE", xyz=(0, 0.009, -LENGTH)),
    ]


def parts() -> "list[Part]":
    from .describe import Part, mirrored

    made = [Part("base_link", **BASE)]
    for letter, front in (("F", 1), ("H", -1)):
        left = leg(f"{letter}L", front)
        made += left + [mirrored(part, (f"{letter}L_", f"{letter}R_")) for part in left]
    return made


def system() -> fb.System:
    """The quadruped on a floating base."""
    return fb.load(Path(__file__).with_suffix(".urdf"), floating=True)
