"""G1: a humanoid of 29 revolute joints and 33 kg, on a floating pelvis.

Sizes, masses, mass centres, inertias and limits: Unitree Robotics, unitree_ros, g1_description, g1_29dof_rev_1_0. The
right arm and leg are the left ones mirrored; hands without fingers.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import freebody as fb

if TYPE_CHECKING:
    from .describe import Part

RADIUS = 0.03
X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
STILL = (0, 0, 0)
HIP, KNEE, ANKLE, ARM, WRIST = (88, 32), (139, 20), (35, 30), (25, 37), (5, 22)  # effort in N m, speed in rad/s

# name, place and turn of the joint in the parent, axis, limits; mass, mass centre, inertia xx, xy, xz, yy, yz, zz
Numbers = tuple[float, ...]
Row = tuple[str, Numbers, Numbers, Numbers, Numbers, float, Numbers, Numbers]
LEG: list[Row] = [
    ("hip_pitch", (0, 0.064452, -0.1027), STILL, Y, (-2.5307, 2.8798, *HIP),
     1.35, (0.002741, 0.047791, -0.02606), (0.001811, 3.68e-05, -3.44e-05, 0.0014193, 0.000171, 0.0012812)),
    ("hip_roll", (0, 0.052, -0.030465), (0, -0.1749, 0), X, (-0.5236, 2.9671, *KNEE),
     1.52, (0.029812, -0.001045, -0.087934), (0.0023773, -3.8e-06, -0.0003908, 0.0024123, 1.84e-05, 0.0016595)),
    ("hip_yaw", (0.025001, 0, -0.12412), STILL, Z, (-2.7576, 2.7576, *HIP),
     1.702, (-0.057709, -0.010981, -0.15078), (0.0057774, -0.0005411, -0.0023948, 0.0076124, -0.0007072, 0.003149)),
    ("knee", (-0.078273, 0.0021489, -0.17734), (0, 0.1749, 0), Y, (-0.087267, 2.8798, *KNEE),
     1.932, (0.005457, 0.003964, -0.12074), (0.011329, 4.82e-05, -4.49e-05, 0.011277, -0.0007146, 0.0015168)),
    ("ankle_pitch", (0, -9.4445e-05, -0.30001), STILL, Y, (-0.87267, 0.5236, *ANKLE),
     0.074, (-0.007269, 0, 0.011137), (8.4e-06, 0, -2.9e-06, 1.89e-05, 0, 1.26e-05)),
    ("ankle_roll", (0, 0, -0.017558), STILL, X, (-0.2618, 0.2618, *ANKLE),
     0.608, (0.026505, 0, -0.016425), (0.0002231, 2e-07, 8.91e-05, 0.0016161, -1e-07, 0.0016667)),
]  # fmt: skip
WAIST: list[Row] = [
    ("waist_yaw", STILL, STILL, Z, (-2.618, 2.618, *HIP),
     0.214, (0.003494, 0.000233, 0.018034), (0.00010673, 2.703e-06, -7.631e-06, 0.00010422, -2.01e-07, 0.0001625)),
    ("waist_roll", (-0.0039635, 0, 0.044), STILL, X, (-0.52, 0.52, *ANKLE),
     0.086, (0, 2.3e-05, 0), (7.079e-06, 0, 0, 6.339e-06, 0, 8.245e-06)),
    ("waist_pitch", STILL, STILL, Y, (-0.52, 0.52, *ANKLE),
     6.78, (0.000931, 0.000346, 0.15082), (0.05905, 3.3302e-05, -0.0017715, 0.047014, -2.2399e-05, 0.025652)),
]  # fmt: skip
SIDE: list[Row] = [
    ("shoulder_pitch", (0.0039563, 0.10022, 0.24778), (0.27931, 5.4949e-05, -0.00019159), Y, (-3.0892, 2.6704, *ARM),
     0.718, (0, 0.035892, -0.011628), (0.0004291, -9.2e-06, 6.4e-06, 0.000453, 2.26e-05, 0.000423)),
    ("shoulder_roll", (0, 0.038, -0.013831), (-0.27925, 0, 0), X, (-1.5882, 2.2515, *ARM),
     0.643, (-0.000227, 0.00727, -0.063243), (0.0006177, -1e-06, 8.7e-06, 0.0006912, -5.3e-06, 0.0003894)),
    ("shoulder_yaw", (0, 0.00624, -0.1032), STILL, Z, (-2.618, 2.618, *ARM),
     0.734, (0.010773, -0.002949, -0.072009), (0.0009988, 7.9e-06, 0.0001412, 0.0010605, -2.86e-05, 0.0004354)),
    ("elbow", (0.015783, 0, -0.080518), STILL, Y, (-1.0472, 2.0944, *ARM),
     0.6, (0.064956, 0.004454, -0.010062), (0.0002891, 6.53e-05, 1.72e-05, 0.0004152, -5.6e-06, 0.0004197)),
    ("wrist_roll", (0.1, 0.00188791, -0.01), STILL, X, (-1.972222054, 1.972222054, *ARM),
     0.08544498, (0.01713944778, 0.00053759094, 4.8864e-07),
     (4.821544023e-05, -4.24511021e-06, 5.10599e-09, 3.722899093e-05, -1.23525e-09, 5.482106541e-05)),
    ("wrist_pitch", (0.038, 0, 0), STILL, Y, (-1.614429558, 1.614429558, *WRIST),
     0.48404956, (0.02299989837, -0.00111685314, -0.00111658096),
     (0.00016579646273, -1.231206746e-05, 1.231699194e-05, 0.0004295405741, 8.1417712e-07, 0.00042953697654)),
    ("wrist_yaw", (0.046, 0, 0), STILL, Z, (-1.614429558, 1.614429558, *WRIST),
     0.08457647, (0.02200381568, 0.00049485096, 0.00053861123),
     (4.929128828e-05, -4.5735494e-07, 4.45867591e-06, 5.973338134e-05, 4.3217198e-07, 3.928083826e-05)),
]  # fmt: skip
PELVIS = {"mass": 3.813, "com": (0, 0, -0.07605), "inertia": (0.010549, 0, 2.1e-06, 0.0093089, 0, 0.0079184)}
HEAD = {
    "mass": 1.036,
    "com": (0.005267, 0.000299, 0.449869),
    "inertia": (0.004085051, -2.543e-06, -6.9455e-05, 0.004185212, -3.726e-06, 0.001807911),
}
HAND = {
    "mass": 0.17,
    "com": (0.05361310808, -0.0029590524, 0.00215413091),
    "inertia": (0.00010099485, 3.618590791e-05, -7.4301519e-07, 0.00028135872, 3.30189743e-06, 0.0002189477),
}


def chain(parent: str, rows: list[Row], before: str = "") -> "list[Part]":
    """Links one after the other."""
    from .describe import Part

    made: list[Part] = []
    for name, xyz, rpy, axis, limits, mass, com, inertia in rows:
        link = "torso_link" if name == "waist_pitch" else f"{before}{name}_link"
        on = made[-1].link if made else parent
        made.append(Part(link, on, f"{before}{name}_joint", "revolute", xyz, rpy, axis, limits, "", mass, com, inertia))
    return made


def parts() -> "list[Part]":
    from .describe import Part, mirrored

    hand = Part("left_hand", "left_wrist_yaw_link", "left_hand_joint", xyz=(0.0415, 0.003, 0), **HAND)
    leg, arm = chain("pelvis", LEG, "left_"), [*chain("torso_link", SIDE, "left_"), hand]
    right = [[mirrored(part, ("left", "right")) for part in side] for side in (leg, arm)]
    head = Part("head_link", "torso_link", "head_joint", xyz=(0.0039635, 0, -0.044), **HEAD)
    return [Part("pelvis", **PELVIS), *leg, *right[0], *chain("pelvis", WAIST), head, *arm, *right[1]]


def system() -> fb.System:
    """The humanoid on a floating pelvis."""
    return fb.load(Path(__file__).with_suffix(".urdf"), floating=True)
