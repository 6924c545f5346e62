"""Solo12 falls 5 cm onto its feet and stands by a PD law, with friction between the feet and the floor.

Printed: how deep the knees give way, forces of the feet beside the weight, how far the feet slide, the balance of
energy, and how many times faster than real time the run was computed. Drawn: the robot from its side, the height of its
base, and the forces of the feet. `out/standing_robot.html` is the motion in 3D.
"""

import time
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

ROBOT = Path(__file__).with_name("robots") / "solo12.urdf"
LEGS, PARTS = ("FL", "FR", "HL", "HR"), ("UPPER_LEG", "LOWER_LEG", "FOOT")
POSE = {"SHOULDER": 0.0, "UPPER_LEG": 0.8, "LOWER_LEG": -1.6}
KP, KD = 10.0, 0.3  # N·m/rad, N·m·s/rad
FOOT, DROP, ROLL = 0.016, 0.05, 0.1  # m, m, rad
SHOWN = 1.0  # s


def system() -> fb.System:
    """The robot with a PD law at each joint, and spheres as feet."""
    s = fb.load(ROBOT, floating=True)
    rubber = fb.ContactMaterial(stiffness=2e5, dissipation=0.5, friction=0.7, name="rubber")
    for leg in LEGS:
        for part, angle in POSE.items():
            joint = f"{leg}_{part}"
            s.joint_force(s.bodies[joint], f"{KP}*({angle} - q.{joint}) - {KD}*u.{joint}")
        s.contact(s.bodies[f"{leg}_FOOT"].shape(fb.Sphere(FOOT)), s.ground.plane(), rubber, leg.lower())
    return s


def start() -> dict[str, float]:
    """Standing in the air, level, its feet 5 cm above the floor and more where it is rolled."""
    height = FOOT + 2 * 0.16 * np.cos(POSE["UPPER_LEG"]) + DROP
    pose = {f"{leg}_{part}": angle for leg in LEGS for part, angle in POSE.items()}
    return {
        **pose,
        "base_link.z": height + 0.15 * ROLL,
        "base_link.qw": np.cos(ROLL / 2),
        "base_link.qx": np.sin(ROLL / 2),
    }


def draw(run: fb.Trajectory, path: Path) -> None:
    figure, axes = plt.subplot_mosaic(
        [["side", "side"], ["height", "forces"]], figsize=(9, 6), height_ratios=(1, 1.5), layout="constrained"
    )
    side, height, forces = axes["side"], axes["height"], axes["forces"]
    lowest = int(np.argmin(run["base_link.z"]))
    for k, (at, text) in enumerate(
        ((0, "start"), (lowest, f"lowest, {run.t[lowest]:.2f} s"), (len(run) - 1, "at rest"))
    ):
        base = run["pose.base_link"][at]
        shift = 0.75 * k - base[0]
        for leg, colour in (("FR", "0.7"), ("HR", "0.7"), ("FL", "C0"), ("HL", "C0")):
            x, z = np.array([run[f"pose.{leg}_{part}"][at] for part in PARTS])[:, [0, 2]].T
            side.plot(x + shift, z, "-", color=colour, lw=4, solid_capstyle="round")
            side.add_patch(plt.Circle((x[-1] + shift, z[-1]), FOOT, color=colour))
        side.plot(0.75 * k + np.array([-0.2, 0.2]), [base[2]] * 2, color="0.25", lw=9, solid_capstyle="round")
        side.text(0.75 * k, base[2] + 0.035, text, ha="center")
    side.axhline(0, color="0.5", lw=1)
    side.set(aspect="equal", xlim=(-0.4, 1.9), ylim=(-0.02, 0.4), xlabel="x [m], shifted", ylabel="z [m]")
    height.plot(run.t, run["base_link.z"])
    height.set(title="height of the base", xlabel="t [s]", ylabel="m", xlim=(0, SHOWN))
    for leg in LEGS:
        forces.plot(run.t, run[f"contact.{leg.lower()}.normal"], label=leg, lw=1.2)
    forces.set(title="normal forces of the feet", xlabel="t [s]", ylabel="N", xlim=(0, SHOWN))
    forces.legend()
    figure.savefig(path, dpi=100)
    plt.close(figure)


def main(folder: str = "out") -> Path:
    s, options = system(), {"q": start(), "method": "rodas5p", "rtol": 1e-4, "atol": 1e-6}
    s.simulate(0.01, **options)  # derives and compiles
    clock = time.process_time()
    s.simulate([0.0, 10.0], **options)
    spent = time.process_time() - clock
    run = s.simulate(np.linspace(0, 10, 5001), **(options | {"rtol": 1e-7, "atol": 1e-9}))
    z, feet = run["base_link.z"], [f"contact.{leg.lower()}" for leg in LEGS]
    weight = 9.81 * sum(float(body.spec.mass) for body in s.bodies.values())
    normal = np.array([run[f"{foot}.normal"] for foot in feet])
    print(f"the base starts {z[0]:.3f} m high, falls to {z.min():.3f} m and rests at {z[-1]:.3f} m")
    first = [f"{leg} at {run.t[np.argmax(force > 0)]:.3f} s" for leg, force in zip(LEGS, normal, strict=True)]
    print(f"feet touch: {', '.join(first)}; hardest {normal.max():.1f} N, in all at rest {normal[:, -1].sum():.3f} N")
    late = run.t > 5
    moved = max(np.linalg.norm(np.ptp(run[f"{foot}.point"][late], axis=0)) for foot in feet)
    print(f"weight {weight:.3f} N; from 5 s to 10 s the feet move by {moved:.1e} m")
    print(f"energy error {run.energy_error:.1e}")
    print(f"10 s take {spent * 1e3:.1f} ms of one core: {10 / spent:.0f} times as fast as real time")
    path = Path(folder) / "standing_robot.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(run, path)
    run.at(np.linspace(0, SHOWN, 151)).animate(path.with_suffix(".html"))
    print(f"picture: {path}; motion: {path.with_suffix('.html')}")
    return path


if __name__ == "__main__":
    main()
