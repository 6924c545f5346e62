"""A quadruped of four equal legs, each of them the same component: thigh and shank with servos, and a foot that the
ground pushes.

The robot falls a few centimetres, stands, crouches and rises again. Printed: names of one leg, and the share of the
weight on each foot. Drawn: the robot in three positions, the height of its base, and the power of the knees.
"""

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

THIGH, SHANK = 0.25, 0.25  # m
STIFFNESS, DAMPING, FRICTION = 6000.0, 120.0, 0.8  # N/m, N·s/m and friction of the ground
LEGS = {"front left": (0.2, 0.12), "front right": (0.2, -0.12), "rear left": (-0.2, 0.12), "rear right": (-0.2, -0.12)}


@fb.component
def leg(s: fb.System, on: fb.System, at: Any, bend: Any) -> None:
    """A leg whose knee is bent by an angle, with the foot below the hip."""
    s.body("thigh", on=on, at=at, joint=fb.Revolute("y", initial=-0.4), mass=0.8, com=(0, 0, -THIGH / 2),
           inertia=(0.004, 0.004, 0.0005), shape=fb.Capsule(0.02, THIGH, at=(0, 0, -THIGH / 2)))  # fmt: skip
    shank = s.body("shank", on="thigh", at=(0, 0, -THIGH), joint=fb.Revolute("y", initial=0.8), mass=0.3,
                   com=(0, 0, -SHANK / 2), inertia=(0.0015, 0.0015, 0.0001),
                   shape=fb.Capsule(0.012, SHANK, at=(0, 0, -SHANK / 2)))  # fmt: skip
    gears: Any = {"gear": 9, "inertia": 8e-5, "efficiency": 0.9, "max_torque": 4.0}
    s.add(fb.RateLimiter(bend, rise=2.0, lag=0.02, initial=0.8), "bend")
    s.add(fb.Servo("thigh", position="-bend/2", kp=250, kd=6, **gears), "hip")
    s.add(fb.Servo("shank", position="bend", kp=250, kd=6, **gears), "knee")
    foot = shank.point((0, 0, -SHANK))
    p, v = s.position(foot), s.velocity(foot)
    height, sink = p.dot(s.ground.z), v.dot(s.ground.z)
    normal = fb.where(height < 0, fb.max(0, -STIFFNESS * height - DAMPING * sink), 0)
    slip = [FRICTION * normal * fb.tanh(v.dot(axis) / 0.02) for axis in (s.ground.x, s.ground.y)]
    s.force(normal * s.ground.z - slip[0] * s.ground.x - slip[1] * s.ground.y, at=foot, name="contact")
    s.output("load", normal, unit="N")
    s.output("foot", p)


def system() -> fb.System:
    s = fb.System("quadruped")
    height = 2 * THIGH * np.cos(0.4) + 0.03
    base = s.body("base", joint=fb.Free(initial=(0, 0, height, 1, 0, 0, 0)), mass=9.0, inertia=(0.07, 0.2, 0.24),
                  shape=fb.Box(0.5, 0.22, 0.1))  # fmt: skip
    for name, (x, y) in LEGS.items():
        leg(s, name, on=base, at=(x, y, 0), bend="where(t < 1, 0.8, where(t < 2, 1.8, 0.6))")
    return s


def draw(run: fb.Trajectory, path: Path) -> None:
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
    for k, (t, colour) in enumerate(((0.9, "0.75"), (1.9, "C0"), (2.9, "k"))):
        at, shift = int(np.searchsorted(run.t, t)), 0.75 * k
        for name in ("front left", "rear left"):
            x, _, z = run["pose.base"][at][:3]
            hip = np.array([x + LEGS[name][0], z])
            knee = run[f"pose.{name}.shank"][at][[0, 2]]
            foot = run[f"output.{name}.foot"][at][[0, 2]]
            line = np.array([hip, knee, foot])
            left.plot(line[:, 0] + shift, line[:, 1], "o-", color=colour, lw=2, ms=4)
        left.plot([x - 0.25 + shift, x + 0.25 + shift], [z, z], color=colour, lw=6, solid_capstyle="round")
    left.axhline(0, color="0.6", lw=1)
    left.set(aspect="equal", title="standing, crouching, risen", xlabel="x [m], shifted", ylabel="z [m]")
    middle.plot(run.t, run["q.base.z"])
    middle.set(title="height of the base", xlabel="t [s]", ylabel="m")
    for name in LEGS:
        right.plot(run.t, run[f"output.{name}.knee.input_power"], label=name, lw=1)
    right.set(title="power of the knees", xlabel="t [s]", ylabel="W", ylim=(-25, 35))
    right.legend(fontsize=8)
    figure.savefig(path, dpi=100)


def main(folder: str = "out") -> None:
    s = system()
    print("one leg:", ", ".join(name for name in (*s.bodies, *s.loads, *s.blocks) if name.startswith("rear left.")))
    run = s.simulate(np.linspace(0, 3, 601), rtol=1e-6, atol=1e-7)
    weight = 9.81 * sum(float(body.spec.mass) for body in s.bodies.values())
    at = int(np.searchsorted(run.t, 0.98))
    shares = {name: run[f"output.{name}.load"][at] / weight for name in LEGS}
    print("weight on the feet:", ", ".join(f"{name} {100 * share:.1f} %" for name, share in shares.items()))
    Path(folder).mkdir(parents=True, exist_ok=True)
    draw(run, Path(folder) / "quadruped.png")
    print(f"{folder}/quadruped.png")


if __name__ == "__main__":
    main()
