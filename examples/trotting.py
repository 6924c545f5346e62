"""Solo12 trots over the ground: a controller sets the targets of its servos 100 times a second, and implicit steps of
2 ms solve contact and servos together. Then 256 of them trot side by side, each with a rhythm of its own.

Printed: how high the trunk is and how far it came, iterations of a step, and the time of a step of one of many.
"""

import time
from pathlib import Path
from typing import Any

import numpy as np

import freebody as fb

ROBOT = Path(__file__).with_name("robots") / "solo12.urdf"
LEGS, AHEAD = ("FL", "FR", "HL", "HR"), ("FL", "HR")  # legs that are diagonal to each other move together
POSE = {"SHOULDER": 0.0, "UPPER_LEG": 0.8, "LOWER_LEG": -1.6}
KP, KD, FOOT = 12.0, 0.3, 0.016


def robot() -> tuple[fb.System, dict[str, float]]:
    """The robot with feet on the ground, and its standing pose."""
    s = fb.load(ROBOT, floating=True, dynamics=False)
    rubber, ground = fb.ContactMaterial(stiffness=2e4, dissipation=0.5, friction=0.8), s.ground.plane()
    for leg in LEGS:
        s.contact(s.bodies[f"{leg}_FOOT"].shape(fb.Sphere(FOOT)), ground, material=rubber, name=leg.lower())
    return s, {f"{leg}_{part}": angle for leg in LEGS for part, angle in POSE.items()}


def servo(s: fb.System, name: str, target: Any) -> None:
    """A servo at a joint."""
    s.joint_force(s.bodies[name], f"{KP}*({target} - q.{name}) - {KD}*u.{name}")


def controlled() -> tuple[fb.System, dict[str, float]]:
    """The robot with a sampled controller of its gait."""
    s, pose = robot()
    s.parameters(rate=1.75, lift=0.5, stride=0.12)
    law = {}
    for leg in LEGS:
        phase = f"2*pi*rate*t + {np.pi if leg in AHEAD else 0.0}"
        swing = f"max(0, sin({phase}))"
        law[f"target_{leg}_SHOULDER"] = "0"
        law[f"target_{leg}_UPPER_LEG"] = f"{POSE['UPPER_LEG']} + stride*cos({phase}) + lift/2*{swing}"
        law[f"target_{leg}_LOWER_LEG"] = f"{POSE['LOWER_LEG']} - lift*{swing}"
    for name in pose:
        servo(s, name, s.input(f"target_{name}", unit="rad"))
    s.controller("gait", period=0.01, law=law, initial={f"target_{name}": angle for name, angle in pose.items()})
    return s, pose


def targets(names: list[str], t: float, rate: Any, lift: Any, stride: Any) -> np.ndarray:
    """The same gait in numbers: a row for each robot."""
    columns = list[Any]()
    for name in names:
        leg, part = name.split("_", 1)
        phase = 2 * np.pi * rate * t + np.pi * (leg in AHEAD)
        swing = np.maximum(0, np.sin(phase))
        change = {"UPPER_LEG": stride * np.cos(phase) + lift / 2 * swing, "LOWER_LEG": -lift * swing}
        columns.append(POSE[part] + change.get(part, 0 * swing))
    return np.stack(columns, axis=-1)


def main(worlds: int = 256) -> tuple[float, float]:
    """The height of the trunk after 4 s, and how far it came, in m."""
    s, pose = controlled()
    start = {**pose, "base_link.z": 0.24}
    run = s.simulate(4.0, q=start, method="contact", step=2e-3)
    way, height = run["q.base_link.x"], float(run["q.base_link.z"][-1])
    print(f"after 4 s the trunk is {height:.3f} m high and came {way[-1] - way[0]:.2f} m far")
    print(f"iterations of a step: {run.statistics.factorisations / run.statistics.steps:.2f}")
    rates = np.linspace(1.0, 4.0, worlds)
    herd = s.simulators(worlds, q=start, parameters={"rate": rates}, method="contact", step=2e-3)
    clock = time.process_time()
    herd.run_until(4.0)
    spent, best = (time.process_time() - clock) / worlds / 2000, int(np.argmax(herd.q[:, 0]))
    print(
        f"{worlds} robots: {spent * 1e6:.2f} µs a step; with {rates[best]:.2f} Hz one came {herd.q[best, 0]:.2f} m far"
    )
    return height, float(way[-1] - way[0])


if __name__ == "__main__":
    main()
