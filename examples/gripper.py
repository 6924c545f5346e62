"""A gripper closes on a box, lifts it and holds it: friction between moving bodies at fixed steps of 2 ms.

The fingers are pressed together by a force, the hand follows a height. Printed for three forces: how high the box is
at the end, how far it slid in the fingers, and what it takes by Coulomb's law, m (g + a)/(2 μ).
"""

import numpy as np

import freebody as fb

MASS, SIDE, FRICTION = 0.5, 0.06, 0.6  # kg, m
LIFT, START, TIME = 0.2, 1.0, 1.0  # m; s, when the hand rises, and for how long
G = 9.81


def system() -> fb.System:
    s = fb.System("gripper")
    s.parameter("grip", 8.0, "N", "force of a finger")
    rubber = fb.ContactMaterial(stiffness=2e4, dissipation=1.0, friction=FRICTION)
    box = s.body("box", joint=fb.Free(), mass=MASS, inertia=fb.box(MASS, SIDE, SIDE, SIDE))
    skin = box.shape(fb.Box(SIDE, SIDE, SIDE))
    s.contact(skin, s.ground.plane(), material=rubber, name="floor")
    hand = s.body("hand", joint=fb.Prismatic("z"), mass=1.0, inertia=(1e-3, 1e-3, 1e-3))
    part = f"min(max((t - {START})/{TIME}, 0), 1)"
    height = f"{LIFT}*({part})**2*(3 - 2*({part}))"
    s.joint_force(hand, f"4000*({height} - q.hand) - 200*u.hand + {G}*(1 + 0.2)")
    for name, side in (("left", -1), ("right", 1)):
        at = (side * (SIDE / 2 + 0.03), 0, SIDE / 2)
        finger = s.body(name, on=hand, at=at, joint=fb.Prismatic("x"), mass=0.1, inertia=(1e-5, 1e-5, 1e-5))
        s.joint_force(finger, f"{-side}*grip - 2*u.{name}")
        for k, y in enumerate((-0.015, 0.015)):
            tip = finger.shape(fb.Sphere(0.008, at=(0, y, 0)))
            s.contact(tip, skin, material=rubber, name=f"{name}{k}")
    return s


def main() -> dict[float, tuple[float, float]]:
    """By the force of a finger: the height of the box above the floor at the end, and how far it slid, in m."""
    equations, found = system().derive(), {}
    fastest = 6 * LIFT / TIME**2  # the largest acceleration of the hand
    needed = MASS * (G + fastest) / (2 * FRICTION)
    print(
        f"a finger needs {MASS * G / (2 * FRICTION):.2f} N to hold the box, {needed:.2f} N where it is lifted fastest"
    )
    for grip in (3.0, 4.4, 8.0):
        run = equations.simulate(
            np.linspace(0, 3, 301), q={"box.z": SIDE / 2}, parameters={"grip": grip}, method="contact", step=2e-3
        )
        height = float(run["q.box.z"][-1]) - SIDE / 2
        found[grip] = height, float(run["q.hand"][-1]) - height
        force = sum(run[f"contact.left{k}.normal"][200:].mean() for k in range(2))
        print(f"{grip:g} N: the box ends {height:.3f} m above the floor, {found[grip][1] * 1e3:.1f} mm below the hand;"
              f" a finger presses with {force:.2f} N")  # fmt: skip
    return found


if __name__ == "__main__":
    main()
