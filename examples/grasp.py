"""Two arms of a satellite catch a payload, hold it and let it go: constraints that events engage and release.

Each hand has a grip, a weld that captures the pose in which hand and payload meet; one compiled program serves all four
topologies. Printed: the events with the kinetic energy that is lost, how well momentum and energy are kept across them,
and how far the accelerations in each topology are from equations that are derived for it alone. Drawn: the motion seen
from above, the energies, and the forces in the grips.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

REACH, RELEASE = 0.04, 5.0  # the distance at which a hand closes (m), and the time at which both open (s)
SIDES = {"left": 1, "right": -1}
POSTURE = {"upper": 0.6537, "fore": -1.4406}  # rad, of the left arm
POSE = ("x", "y", "z", "qw", "qx", "qy", "qz")


def system(fixed: Mapping[str, tuple[Any, Any]] | None = None) -> fb.System:
    """The satellite and the payload. ``fixed``: for hands that always hold the payload, the position and orientation of
    the grip in the payload, in place of grips that can be switched."""
    s = fb.System("satellite", gravity=(0, 0, 0))
    hull = s.body("hull", joint=fb.Free(), mass=40.0, inertia=(4.0, 5.0, 6.0))
    payload = s.body("payload", joint=fb.Free(), mass=8.0, inertia=(0.5, 0.3, 0.6))
    for side, y in SIDES.items():
        hinges = [fb.Revolute("z", rest=angle * y, stiffness=20.0, damping=4.0) for angle in POSTURE.values()]
        wrist = fb.Spherical(damping=0.5)
        upper = s.body(
            f"{side}_upper",
            hull,
            hinges[0],
            (0.2, 0.3 * y, 0),
            mass=2.0,
            com=(0.25, 0, 0),
            inertia=fb.rod(2.0, 0.5, "x"),
        )
        fore = s.body(
            f"{side}_fore", upper, hinges[1], (0.5, 0, 0), mass=1.5, com=(0.2, 0, 0), inertia=fb.rod(1.5, 0.4, "x")
        )
        hand = s.body(
            f"{side}_hand", fore, wrist, (0.4, 0, 0), mass=0.5, com=(0.05, 0, 0), inertia=(0.001, 0.002, 0.002)
        )
        tip, handle = hand.point((0.1, 0, 0)), payload.point((-0.1, 0.25 * y, 0))
        gap = s.position(handle) - s.position(tip)
        s.output(f"{side}_gap", fb.sqrt(gap.dot(gap)))
        s.output(f"{side}_tip", s.position(tip))
        s.output(f"{side}_elbow", s.position(fore))
        s.output(f"{side}_shoulder", s.position(upper))
        if fixed is None:
            s.close(tip, payload, name=f"{side}_grip", engaged=False, capture=True)
        elif side in fixed:
            at, orientation = fixed[side]
            s.close(tip, payload.point(at), orient_to=orientation, name=f"{side}_grip")
    return s


def simulate(s: fb.System) -> fb.Trajectory:
    """The payload drifts towards the hands, is caught by one after the other, and released."""
    near = {side: f"where(t < {RELEASE}, {side}_gap, 1) - {REACH}" for side in SIDES}
    events = [fb.Event(near[side], -1, engage=f"{side}_grip", name=f"{side} grasp") for side in SIDES]
    events.append(fb.Event(f"t - {RELEASE}", release=[f"{side}_grip" for side in SIDES], name="release"))
    q = {f"{side}_{part}": angle * y for side, y in SIDES.items() for part, angle in POSTURE.items()}
    u = {"payload.vx": -0.25, "payload.vz": 0.001, "payload.wz": 0.03, "hull.wz": 0.002}
    return s.simulate(np.linspace(0, 9.0, 901), q=q | {"payload.x": 1.6}, u=u, events=events)


def welds(switches: Mapping[str, float]) -> dict[str, tuple[Any, Any]]:
    """Position and orientation in the payload of the grips that are engaged."""
    found = {}
    for side in (side for side in SIDES if switches[f"engaged.{side}_grip"]):
        x, y, z, *turn = (switches[f"captured.{side}_grip.{c}"] for c in POSE)
        found[side] = (x, y, z), rotation(*turn)
    return found


def differences(s: fb.System, run: fb.Trajectory) -> dict[str, float]:
    """For the topology after each event: the largest difference of u̇ from equations derived for it alone."""
    f, found = s.derive().compile(), dict[str, float]()
    for k, (_, name) in enumerate(run.events):
        switches = dict(zip(run.events.held, run.events.held_after[k], strict=True))
        alone, n = system(welds(switches)).derive(), len(f.equations.q)
        q, u = np.split(run.events.after[k], [n])
        u_dot = f.forward_dynamics(q, u, inputs=switches)
        found[name] = float(np.abs(u_dot - alone.compile().forward_dynamics(q, u)).max())
    return found


def rotation(w: float, x: float, y: float, z: float) -> np.ndarray:
    """The matrix of a unit quaternion."""
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


def draw(run: fb.Trajectory, path: Path) -> None:
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
    for t, colour in ((0.0, "0.8"), (run.events.t[1], "0.2")):
        k = int(np.searchsorted(run.t, t))
        for side in SIDES:
            points = [run[f"{side}_{name}"][k, :2] for name in ("shoulder", "elbow", "tip")]
            left.plot(*np.array(points).T, "o-", color=colour, ms=3)
        left.plot(*run["pose.payload"][k, :2], "s", color=colour, ms=12)
    left.plot(*run["pose.payload"][:, :2].T, color="C1", lw=1)
    left.set(xlabel="x [m]", ylabel="y [m]", title="arms and payload, and its path", aspect="equal")
    for name in ("kinetic", "potential"):
        middle.plot(*run.series(f"energy.{name}"), label=name)
    middle.set(xlabel="t [s]", ylabel="energy [J]", title="energy")
    middle.legend()
    for side in SIDES:
        t, x = run.series(f"multiplier.{side}_grip.force.x")
        right.plot(t, np.hypot(x, run.series(f"multiplier.{side}_grip.force.y")[1]), label=side)
    right.set(xlabel="t [s]", ylabel="force [N]", title="forces in the grips")
    right.legend()
    for axes in (middle, right):
        for t in run.events.t:
            axes.axvline(t, color="0.7", lw=0.8, zorder=0)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "out") -> Path:
    s = system()
    run = simulate(s)
    apart = differences(s, run)
    for (t, name), lost in zip(run.events, run.events.lost, strict=True):
        print(f"{t:.3f} s: {name}, {1000 * lost:.3f} mJ lost; u̇ differs by {apart[name]:.1e} from this topology alone")
    for name in ("linear", "angular"):
        jumps = np.abs(np.diff(run.sides[f"momentum.{name}"], axis=0)[::2]).max()
        change = np.ptp(run.momenta[name], axis=0).max()
        print(f"{name} momentum changes by {jumps:.1e} at the events, by {change:.1e} in all")
    print(f"energy error {run.energy_error:.1e}")
    path = Path(folder) / "grasp.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(run, path)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
