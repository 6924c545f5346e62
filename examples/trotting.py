"""Solo12 trots over the ground: a controller sets the targets of its servos 100 times a second, and implicit steps of
2 ms solve contact and servos together. Then 256 of them trot side by side, each with a rhythm of its own.

Printed: how high the trunk is and how far it came, iterations of a step, and the time of a step of one of many. Drawn:
the robot from the side at four times of a stride, the normal forces of its feet, and the way of each of the many.
"""

import time
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
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


def system() -> fb.System:
    return controlled()[0]


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


def draw(run: fb.Trajectory, rates: np.ndarray, ways: np.ndarray, path: Path) -> None:
    figure = plt.figure(figsize=(12, 6), layout="constrained")
    side, forces, herd = (figure.add_subplot(*place) for place in ((2, 1, 1), (2, 2, 3), (2, 2, 4)))
    side.axhline(0, color="0.6", lw=1)
    for count, t in enumerate(np.arange(3.0, 3.5, 0.14)):
        k, shift = int(np.searchsorted(run.t, t)), 0.62 * count
        trunk = run["pose.base_link"][k]
        for leg in LEGS:
            joints = [run[f"pose.{leg}_{part}"][k] for part in ("SHOULDER", "UPPER_LEG", "LOWER_LEG", "FOOT")]
            x, z = np.array([trunk, *joints])[:, [0, 2]].T
            colour = "C0" if leg in AHEAD else "C1"
            side.plot(x - trunk[0] + shift, z, "-o", color=colour, ms=3, lw=2, alpha=0.5 if leg[1] == "R" else 1)
        side.text(shift, 0.3, f"{t:.2f} s", ha="center", size="small")
    side.set(aspect="equal", ylabel="z [m]", ylim=(-0.02, 0.34), xticks=[], title="a stride from the side")
    for k, leg in enumerate(LEGS):
        near = (run.t > 2.8) & (run.t < 4.0)
        load = run[f"contact.{leg.lower()}.normal"][near]
        forces.plot(run.t[near], load + 40 * k, color="C0" if leg in AHEAD else "C1", lw=1)
        forces.text(2.8, 40 * k + 22, leg, size="small")
    forces.set(xlabel="t [s]", ylabel="lines are 40 N apart", yticks=[], title="normal forces of the feet")
    herd.plot(rates, ways, ".", ms=4)
    herd.set(xlabel="strides a second", ylabel="way in 4 s [m]", title=f"{len(rates)} robots side by side")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(worlds: int = 256, folder: str = "out") -> tuple[float, float]:
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
    path = Path(folder) / "trotting.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(run, rates, herd.q[:, 0], path)
    print(f"picture: {path}")
    return height, float(way[-1] - way[0])


if __name__ == "__main__":
    main()
