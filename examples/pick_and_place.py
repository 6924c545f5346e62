"""A robot in space picks up three parts, carries them to other places and leaves them there, one after another.

A part is in the system while the robot holds it and on the way after it: each phase is a system of its own, and each
run continues the one before, `simulate(start=run)`. Where the hand closes on a part at rest, M⁺ u⁺ = M u: the speeds
change at once, the momentum of all does not. Printed: what joined and left, and how momentum and energy changed. Drawn:
the paths of the hand and of the parts, and the momentum over time.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

LINKS = 0.7, 0.6  # m
MASSES = 3.0, 1.0, 2.0  # kg
PARTS = (1.25, 0.4), (1.1, -0.5), (0.9, 0.8)  # where they wait (m)
PLACES = (0.7, 1.0), (1.25, 0.3), (1.2, -0.4)  # where they are left
PHASE = 8.0  # s


def system(held: int | None = None, left: int | None = None) -> fb.System:
    """The robot, with the part that it holds and the one that it has just left. Its motors pull the hand towards a
    target: the torques of a spring from the hand to it, by the transposed Jacobian."""
    s = fb.System("robot", gravity=(0, 0, 0))
    k, c, x, y = s.parameters(k=60.0, c=10.0, x=PARTS[0][0], y=PARTS[0][1])
    bus = s.body("bus", joint=fb.Planar("z"), mass=60.0, inertia=(8, 8, 8))
    arms, at = [bus], (0.2, 0.0, 0.0)
    for name, length in zip(("upper", "lower"), LINKS, strict=True):
        com, inertia = (length / 2, 0, 0), fb.rod(4.0, length, "x")
        arms.append(s.body(name, arms[-1], fb.Revolute("z", damping=c), at, mass=4.0, com=com, inertia=inertia))
        at = (length, 0.0, 0.0)
    hand = arms[-1].point(at)
    pull = (s.ground.vector((x, y, 0)) - s.position(hand)) * k
    for arm in arms[1:]:
        lever = s.position(hand) - s.position(arm)
        s.joint_force(arm, lever.cross(pull).dot(s.ground.vector((0, 0, 1))))
    for number, on, joint, place in ((held, arms[-1], fb.Weld(), at), (left, s.ground, fb.Planar("z"), (0, 0, 0))):
        if number is not None:
            s.body(f"part{number + 1}", on, joint, place, mass=MASSES[number], inertia=(0.02, 0.02, 0.02))
    s.output("hand", s.position(hand))
    s.output("speed", s.velocity(hand))
    return s


def simulate() -> list[fb.Trajectory]:
    """Six phases: the way to a part, then the way with it; the part that was left flies beside the next way."""
    times = np.linspace(0, PHASE, 121)
    runs = [system().simulate(times, q={"upper": 0.6, "lower": -1.2})]
    for k in range(3):
        before, holding = runs[-1], system(held=k)
        alone, loaded = system().derive().compile("numpy"), holding.derive().compile("numpy")
        q, u = ([before.final[f"{group}.{name}"] for name in getattr(alone.equations, group)] for group in "qu")
        u = np.linalg.solve(loaded.mass_matrix(q), alone.mass_matrix(q) @ u)  # the part is at rest
        caught = dict(zip(alone.equations.u, u.tolist(), strict=True))
        place = dict(zip("xy", PLACES[k], strict=True))
        held = holding.simulate(before.t[-1] + times, u=caught, start=before, parameters=place)
        runs.append(held)
        x, y, _, qw, _, _, qz = held[f"pose.part{k + 1}"][-1]
        vx, vy, _ = held["speed"][-1]
        part, rate = f"part{k + 1}", sum(held[f"u.{name}"][-1] for name in ("bus.angle", "upper", "lower"))
        following = dict(zip("xy", PARTS[(k + 1) % 3], strict=True))
        runs.append(
            system(left=k).simulate(
                held.t[-1] + times,
                q={part: [x, y, 2 * np.arctan2(qz, qw)]},
                u={part: [vx, vy, rate]},
                start=held,
                parameters=following,
            )
        )
    return runs


def main(folder: str = "out") -> None:
    runs = simulate()
    for run in runs[1:]:
        print(f"t = {run.t[0]:4.1f} s: {run.joined}")
    misses = [np.hypot(*(runs[2 * k + 1]["hand"][-1][:2] - PLACES[k])) for k in range(3)]
    print(f"parts are left at most {max(misses) * 1000:.2g} mm beside their places")
    figure, (above, below) = plt.subplots(2, figsize=(7, 8), height_ratios=(3, 1))
    for k, run in enumerate(runs):
        path = run["hand"]
        above.plot(path[:, 0], path[:, 1], color=f"C{(k + 1) // 2}", lw=2 if k % 2 else 0.8)
        below.plot(run.t, run["momentum.linear"][:, :2] * 1e6, color=f"C{(k + 1) // 2}")
    above.plot(*np.transpose(PARTS), "ks", label="parts wait")
    above.plot(*np.transpose(PLACES), "k^", label="parts are left")
    above.set(aspect="equal", xlabel="x in m", ylabel="y in m")
    above.legend()
    below.set(xlabel="t in s", ylabel="momentum in 1e-6 kg·m/s")
    Path(folder).mkdir(parents=True, exist_ok=True)
    file = Path(folder) / "pick_and_place.png"
    figure.tight_layout()
    figure.savefig(file)
    print(f"out/{file.name}" if folder == "out" else file)


if __name__ == "__main__":
    main()
