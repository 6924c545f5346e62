"""A humanoid, G1 with 29 joints and 33 kg, squats on its feet: implicit steps of 2 ms with contact.

Servos at all joints follow targets; each foot has four points. Printed: how deep it squats, the largest force of a foot
over its weight, how far the feet slipped, and how much faster than real time it runs. Drawn: the robot from the side at
four times, its height, and the normal forces under heels and toes.
"""

import time
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

ROBOT = Path(__file__).with_name("robots") / "g1.urdf"
SOLE = [(-0.05, 0.025), (-0.05, -0.025), (0.12, 0.03), (0.12, -0.03)]  # on the link of the ankle, m
HEEL, RADIUS = -0.03, 0.005
KP, KD = 500.0, 15.0
SQUAT = {"hip_pitch": -1.0, "knee": 2.0, "ankle_pitch": -1.0}  # of the angle that bends
END = 4.0


def humanoid() -> tuple[fb.System, dict[str, float]]:
    """The robot and the pose in which it begins."""
    s = fb.load(ROBOT, floating=True, dynamics=False)
    s.parameters(depth=0.35, rate=0.5)
    bend, bent = "0.15 + depth*(1 - cos(2*pi*rate*t))", 0.15
    rubber, ground, pose = fb.ContactMaterial(stiffness=2e5, dissipation=0.5, friction=0.8), s.ground.plane(), {}
    for name, body in s.bodies.items():
        if len(body.u) != 1:
            continue
        share = next((x for part, x in SQUAT.items() if f"{part}_link" in name), 0.0)
        pose[name] = share * bent
        s.joint_force(body, f"{KP}*({share}*({bend}) - q.{name}) - {KD}*u.{name}")
    for side in ("left", "right"):
        foot = s.bodies[f"{side}_ankle_roll_link"]
        for k, (x, y) in enumerate(SOLE):
            s.contact(foot.shape(fb.Sphere(RADIUS, at=(x, y, HEEL))), ground, material=rubber, name=f"{side}{k}")
    return s, pose


def system() -> fb.System:
    return humanoid()[0]


def draw(run: fb.Trajectory, path: Path) -> None:
    figure, (side, height, forces) = plt.subplots(1, 3, figsize=(12, 4), layout="constrained", width_ratios=(2, 1, 1))
    side.axhline(0, color="0.6", lw=1)
    chain = "ankle_roll_link", "knee_link", "hip_pitch_link"
    for count, t in enumerate((0.0, 0.5, 1.0, 1.5)):
        k, shift = int(np.searchsorted(run.t, t)), 0.6 * count
        for name, colour in (("left", "C0"), ("right", "C1")):
            bodies = [*(f"{name}_{part}" for part in chain), "pelvis"]
            x, z = np.array([run[f"pose.{body}"][k] for body in bodies])[:, [0, 2]].T
            side.plot(x + shift, z, "-o", color=colour, ms=4, lw=2)
        upper = np.array([run[f"pose.{body}"][k] for body in ("pelvis", "torso_link")])[:, [0, 2]]
        side.plot(upper[:, 0] + shift, upper[:, 1] + [0, 0.3], "-", color="0.3", lw=3)
        side.text(shift, 1.25, f"{t:.1f} s", ha="center", size="small")
    side.set(aspect="equal", ylabel="z [m]", ylim=(-0.05, 1.35), xticks=[], title="from the side")
    height.plot(run.t, run["q.pelvis.z"])
    height.set(xlabel="t [s]", ylabel="height of the pelvis [m]")
    for name, points in (("heels", (0, 1)), ("toes", (2, 3))):
        load = sum(run[f"contact.{foot}{k}.normal"] for foot in ("left", "right") for k in points)
        forces.plot(run.t, load, label=name)
    forces.set(xlabel="t [s]", ylabel="normal force [N]", ylim=(0, None))
    forces.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "out") -> tuple[float, float]:
    """How deep it squats and how far its feet slip, in m."""
    s, pose = humanoid()
    equations = s.derive()
    row, f = [pose.get(name, 0.0) for name in equations.q], equations.compile()
    row[equations.q.index("pelvis.qw")] = 1.0
    soles = [(f"{foot}_ankle_roll_link", (x, y, HEEL)) for foot in ("left", "right") for x, y in SOLE]
    lowest = min(f.pose(row, body, at=at).p[2] for body, at in soles)
    start = {**pose, "pelvis.z": RADIUS - lowest}
    simulator = equations.simulator(q=start, method="contact", step=2e-3)
    clock = time.process_time()
    simulator.run_until(END)
    spent = time.process_time() - clock
    run = simulator.trajectory()
    height, weight = run["q.pelvis.z"], 9.81 * sum(float(b.spec.mass) for b in s.bodies.values())
    feet = sum(run[f"contact.left{k}.normal"] for k in range(4))
    place = run["pose.left_ankle_roll_link"][:, :2]
    slip = float(np.linalg.norm(place - place[len(place) // 8], axis=1)[len(place) // 8 :].max())
    print(f"the pelvis goes down by {height.max() - height.min():.3f} m and ends {height[-1]:.3f} m high")
    print(f"a foot carries up to {feet.max() / weight:.2f} of the weight and slips by {slip * 1e3:.1f} mm")
    print(f"{END / spent:.0f} times as fast as real time")
    path = Path(folder) / "squatting.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(run, path)
    print(f"picture: {path}")
    return float(height.max() - height.min()), slip


if __name__ == "__main__":
    main()
