"""A knee: the shank rolls and glides on the thigh as a table of points says, so its axis of rotation wanders.

One coordinate, the flexion; where the shank's origin is at each angle is read from tables, and freebody differentiates
them. Printed: the instant centre of rotation in the thigh, and the moment that holds the shank still; then a swing from
60 degrees of flexion, with its energy. Drawn: the path of the instant centre, the moment, the swing.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

FLEXION = np.radians([0, 15, 30, 45, 60, 75, 90, 105, 120])
BACK = [0.0, -2.9, -6.1, -9.6, -13.0, -16.2, -19.0, -21.3, -23.0]  # mm, of the shank's origin in the thigh
UP = [0.0, 0.1, 0.4, 1.1, 2.2, 3.8, 5.9, 8.3, 10.9]  # mm
MASS, LENGTH = 3.7, 0.43  # kg, m; the foot included


def system() -> fb.System:
    """The shank on a thigh that is held level: x along the thigh, z up."""
    s = fb.System("knee")
    m, l = s.parameters(m=MASS, l=LENGTH)
    back, up = (fb.table(n, FLEXION, np.array(v) / 1000, "cubic") for n, v in (("back", BACK), ("up", UP)))
    joint = fb.Custom(
        position=lambda flexion: (fb.lookup(back, flexion), 0, fb.lookup(up, flexion)),
        turns=[("y", "flexion")],
        coordinates=("flexion",),
        unit="rad",
    )
    s.body("shank", joint=joint, mass=m, com=(0.6 * l, 0, 0), inertia=fb.rod(m, l, "x"))
    return s


def instant_centres(s: fb.System, flexion: np.ndarray) -> np.ndarray:
    """Where in the thigh the shank's velocity is zero, (x, z) [m] for each angle: c = p + ω × v/ω²."""
    f = s.derive().compile()
    found = []
    for angle in flexion:
        twist = f.spatial_velocity([angle], [1.0], "shank", frame="ground")
        w, v = np.asarray(twist)[:3], np.asarray(twist)[3:]
        found.append((f.pose([angle], "shank").p + np.cross(w, v) / (w @ w))[[0, 2]])
    return np.array(found)


def holding_moment(s: fb.System, flexion: np.ndarray) -> np.ndarray:
    """The generalised force that keeps the shank where it is [N m]."""
    f = s.derive().compile()
    return np.array([f.inverse_dynamics([angle], [0.0], [0.0])[0] for angle in flexion])


def draw(s: fb.System, run: fb.Trajectory, path: Path) -> None:
    angles = np.radians(np.linspace(1, 119, 119))
    centres = 1000 * instant_centres(s, angles)
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
    points = left.scatter(*centres.T, c=np.degrees(angles), s=9)
    figure.colorbar(points, ax=left, label="flexion [°]")
    left.set(xlabel="x [mm]", ylabel="z [mm]", title="instant centre of rotation in the thigh", aspect="equal")
    middle.plot(np.degrees(angles), holding_moment(s, angles))
    middle.set(xlabel="flexion [°]", ylabel="moment [N·m]", title="moment that holds the shank")
    right.plot(run.t, np.degrees(run["shank.flexion"]))
    right.set(xlabel="t [s]", ylabel="flexion [°]", title="swing from 60°")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "out") -> Path:
    s = system()
    angles = np.radians(np.arange(10, 120, 20))
    centres, moments = instant_centres(s, angles), holding_moment(s, angles)
    print("flexion   centre of rotation x, z   holding moment")
    for angle, (x, z), moment in zip(angles, centres, moments, strict=True):
        print(f"{np.degrees(angle):5.0f}°  {1000 * x:10.1f} {1000 * z:9.1f} mm   {moment:9.3f} N·m")
    run = s.simulate(1.0, q={"shank.flexion": np.radians(60)})
    end = np.degrees(run["shank.flexion"][-1])
    print(f"swing from 60°: after 1 s at {end:.2f}°, energy kept to {run.energy_error:.1e}")
    path = Path(folder) / "knee.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(s, run, path)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
