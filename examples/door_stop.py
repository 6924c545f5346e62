"""A door is thrown open against its stop: a rubber buffer on the floor, and the frame at the other end.

The stop is a spring with Hunt and Crossley's dissipation, f = k x (1 − d v) towards inside. Printed: speeds before and
after the buffer, with the closed form of the law (the closer brakes too); the largest torque; and the force that the
impact puts on the hinges. Drawn: the angle for three rubbers, and the torque of the buffer over its compression.
"""

import math
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

MASS, WIDTH = 25.0, 0.9  # kg, m
OPEN, ARM, RUBBER = math.radians(100), 0.8, 6e4  # where the buffer is: rad, m from the hinge; N/m
SPEED = 3.0  # rad/s, as it is thrown open
DISSIPATION = 0.0, 0.15, 0.6  # s/rad


def system() -> fb.System:
    """The door on its hinge, with a closer (spring and damper), the frame and the buffer."""
    s = fb.System("door")
    s.parameter("d", DISSIPATION[1], "s/rad", "dissipation of the rubber")
    hinge = fb.Revolute("z", limits=(0, OPEN), stiffness=6.0, rest=-0.2, damping=3.0)
    door = s.body(
        "door",
        joint=hinge,
        mass=MASS,
        com=(WIDTH / 2, 0, 0),
        inertia=fb.box(MASS, WIDTH, 0.04, 2.0),
        shape=fb.Box(WIDTH, 0.04, 2.0, at=(WIDTH / 2, 0, 0)),
    )
    s.joint_stop(door, stiffness=RUBBER * ARM**2, dissipation="d")
    s.output("hinge", s.reaction_force(door))
    return s


def rebound(s: float) -> float:
    """e(d v0) of the law: −e s − ln(1 − e s) = s − ln(1 + s), by bisection."""
    low, high = 0.0, min(1.0, 1 / s) if s else 0.0
    if not s:
        return 1.0
    for _ in range(60):
        e = (low + high) / 2
        low, high = (e, high) if -e * s - math.log1p(-e * s) < s - math.log1p(s) else (low, e)
    return low


def main(folder: str = "out") -> Path:
    s = system()
    figure, (angle, hysteresis) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    touch = fb.Event("q.door - 100*pi/180", name="buffer")
    for d in DISSIPATION:
        run = s.simulate(6.0, u={"door": SPEED}, parameters={"d": d}, events=[touch])
        before, after = (states[:, 1] for states in (run.events.before, run.events.after))
        e, expected = -before[1] / before[0], rebound(d * before[0])
        impact = run.at(np.linspace(run.t_events[0][0], run.t_events[0][1], 200))
        torque, hinge = impact["stop.door.force"], np.linalg.norm(impact["hinge"][:, :2], axis=1)
        print(
            f"d = {d:4.2f} s/rad: meets the buffer at {before[0]:.3f} rad/s, leaves it at {-after[1]:.3f} rad/s", end=""
        )
        print(f": e = {e:.3f} (closed form {expected:.3f}); largest torque {-torque.min():.0f} N m", end="")
        print(f", force on the hinges {hinge.max():.0f} N")
        angle.plot(run.t, np.degrees(run["q.door"]), label=f"d = {d:g} s/rad")
        hysteresis.plot(np.degrees(-impact["stop.door.gap"]), -torque, label=f"d = {d:g} s/rad")
    angle.axhline(100, color="0.6", lw=0.8)
    angle.axhline(0, color="0.6", lw=0.8)
    angle.set(xlabel="time [s]", ylabel="angle of the door [°]", title="thrown open, and closed again")
    hysteresis.set(xlabel="compression [°]", ylabel="torque of the buffer [N m]", title="the first impact")
    angle.legend()
    path = Path(folder) / "door_stop.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
    plt.close(figure)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
