"""A cam turns faster and faster, and its follower leaves it.

The cam is a round disc on an eccentric axis; a spring presses the follower's ball on it. Shapes touch with compliance
(Hunt and Crossley's law, friction), so the follower can lift off and strike again. Printed: the speed at which it first
lifts off, with the closed form for this geometry, and the largest force before and after. Drawn: the follower's height
with that of a follower that never leaves the cam, and the force between both.
"""

import math
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

RADIUS, ECCENTRICITY, BALL = 0.03, 0.006, 0.008  # m
MASS, SPRING, PRELOAD = 0.1, 2000.0, 30.0  # kg, N/m, N at the lowest position
SPEED_UP = 60.0  # rad/s²


def system() -> fb.System:
    """The cam about y, and the follower above it."""
    s = fb.System("cam", gravity=(0, 0, 0))
    turn = fb.Revolute("y", motion=f"{SPEED_UP}/2*t**2 + pi/2")
    disc = fb.Cylinder(RADIUS, 0.02, at=(ECCENTRICITY, 0, 0), rpy=(math.pi / 2, 0, 0))
    cam = s.body("cam", joint=turn, mass=0.5, inertia=(1e-3, 1e-3, 1e-3), shape=disc)
    low = RADIUS + BALL - ECCENTRICITY
    slide = fb.Prismatic("z", stiffness=SPRING, rest=low - PRELOAD / SPRING, initial=low)
    follower = s.body("follower", joint=slide, mass=MASS, shape=fb.Sphere(BALL))
    steel = fb.ContactMaterial(stiffness=5e6, dissipation=0.3, friction=0.1)
    s.contact(follower, cam, steel, "touch")
    return s


def height(angle: np.ndarray) -> np.ndarray:
    """Of a follower that stays on the cam, whose centre is ECCENTRICITY away from its axis."""
    x, z = ECCENTRICITY * np.cos(angle), -ECCENTRICITY * np.sin(angle)
    return z + np.sqrt((RADIUS + BALL) ** 2 - x**2)


def critical_speed() -> float:
    """The speed at which the spring no longer holds the follower on the cam: where, as the cam turns at this speed, the
    force m z̈ + spring becomes zero somewhere."""
    angle, h = np.linspace(0, 2 * math.pi, 20001), 1e-4
    curvature = (height(angle + h) - 2 * height(angle) + height(angle - h)) / h**2
    force = PRELOAD + SPRING * (height(angle) - height(np.array([math.pi / 2]))[0])
    return math.sqrt(np.min(np.where(curvature < 0, force / (-MASS * np.minimum(curvature, -1e-12)), np.inf)))


def main(folder: str = "out") -> Path:
    s = system()
    lift = fb.Event("contact.touch.gap - 1e-6", direction=1, name="lifts off")
    end = 1.25 * critical_speed() / SPEED_UP
    run = s.simulate(np.linspace(0, end, 6001), events=[lift], rtol=1e-6, atol=1e-9)
    speed, force = SPEED_UP * run.t, run["contact.touch.normal"]
    first = SPEED_UP * run.t_events[0][0]
    before = run.t < run.t_events[0][0]
    print(f"the follower lifts off at {first:.1f} rad/s; in uniform rotation it would at {critical_speed():.1f} rad/s")
    print(f"largest force before {force[before].max():.0f} N, after {force[~before].max():.0f} N")
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(9, 5.5), sharex=True, layout="constrained")
    angle = SPEED_UP / 2 * run.t**2 + math.pi / 2
    top.plot(speed, 1000 * height(angle), color="0.7", label="on the cam")
    top.plot(speed, 1000 * run["q.follower"], lw=0.8, label="follower")
    top.set(ylabel="height [mm]", title="a follower that leaves its cam")
    top.set_xlim(0.8 * critical_speed(), speed[-1])
    top.legend(loc="upper left")
    bottom.plot(speed, force, lw=0.8)
    for axes in (top, bottom):
        axes.axvline(critical_speed(), color="k", lw=0.8, ls=":")
    bottom.set(xlabel="speed of the cam [rad/s]", ylabel="normal force [N]")
    path = Path(folder) / "cam_follower.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
    plt.close(figure)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
