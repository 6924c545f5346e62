"""A four-bar linkage of thin steel strips: coupler and rocker bend, the more the faster the crank turns.

Crank and rocker are on the ground, the coupler is on the crank, and a hinge between the tips of coupler and rocker
closes the loop. Coupler and rocker are beams between hinges, so that modes of pinned beams describe them well: their
frames are the lines through their ends. A motor accelerates the crank to a constant speed.

Printed: the lowest frequencies with the crank held, and for three speeds the largest deflection and bending moment of
the coupler, the torque of the motor, how well the loop stays closed and the power balances. Drawn: the linkage with its
deflections enlarged, the deflection of the coupler's middle, and the motor's torque.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

CRANK, COUPLER, ROCKER, GROUND = 0.15, 0.6, 0.4, 0.5  # m
STRIP = {"EI": (11.25, None), "density": 0.589, "damping": 0.02}  # N·m², kg/m: steel, 25 mm × 3 mm
SPEEDS, RAMP, TURNS, PARTS, ENLARGED = (10.0, 20.0, 30.0), 0.5, 3, 8, 5
ANGLES = {"coupler": -0.5, "rocker": 1.9}  # rad, near which the loop is assembled


def system(held: bool = False) -> fb.System:
    """The linkage in the plane of x and y, without gravity; ``held``: the crank does not move."""
    s = fb.System("flexible four-bar", gravity=(0, 0, 0))
    s.parameter("speed", SPEEDS[0], "rad/s", "of the crank")
    angle = f"1 + speed*where(t < {RAMP}, t**2/(2*{RAMP}), t - {RAMP}/2)"
    crank = s.body(
        "crank",
        joint=fb.Revolute("z", motion="1" if held else angle),
        mass=0.2,
        com=(CRANK / 2, 0, 0),
        inertia=fb.rod(0.2, CRANK, "x"),
    )
    places = {"coupler": (COUPLER, crank, CRANK), "rocker": (ROCKER, s.ground, GROUND)}
    for name, (length, on, at) in places.items():
        nodes = {f"n{k}": length * k / PARTS for k in range(1, PARTS)}
        beam = fb.Beam(length=length, ends="pinned", frame="floating", nodes=nodes, **STRIP)
        hinge = fb.Revolute("z", initial=ANGLES[name])
        strip = s.body(name, on=on, at=(at, 0, 0), joint=hinge, flexible=beam, modes=3)
        for node in (*nodes, "tip"):
            s.output(f"{name} {node}", s.position(strip.node(node).origin))
    coupler, rocker = s.bodies["coupler"], s.bodies["rocker"]
    s.close(coupler.node("tip"), rocker.node("tip"), fb.Revolute("z"), name="pin")
    s.output("crank pin", s.position(coupler.origin))
    s.output("deflection", s.deflection(coupler.node(f"n{PARTS // 2}")).dot(coupler.y))
    s.output("moment", s.section_forces(coupler, at=COUPLER / 2).moment_z)
    s.output("torque", s.reaction_torque(crank).dot(crank.z))
    return s


def simulate(s: fb.System, speed: float) -> fb.Trajectory:
    """Some turns after the start."""
    end = RAMP + 2 * np.pi * TURNS / speed
    return s.simulate(np.linspace(0, end, 1001), parameters={"speed": speed})


def bent(run: fb.Trajectory, name: str, start: np.ndarray, k: int) -> np.ndarray:
    """The line of a strip at a time, its deflections from the straight line enlarged."""
    line = np.array([start, *(run[f"{name} {node}"][k] for node in (*(f"n{j}" for j in range(1, PARTS)), "tip"))])
    straight = start + np.linspace(0, 1, PARTS + 1)[:, None] * (line[-1] - start)
    return (straight + ENLARGED * (line - straight))[:, :2].T


def draw(runs: dict[float, fb.Trajectory], path: Path) -> None:
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
    run, base = runs[SPEEDS[-1]], np.array([GROUND, 0, 0])
    steady = np.flatnonzero(run.t > RAMP)
    for j, k in enumerate(steady[:: len(steady) // (3 * TURNS)][:3]):
        pin = run["crank pin"][k]
        left.plot(*np.array([(0, 0), pin[:2]]).T, "o-", color=f"C{j}", ms=4, lw=2.5)
        for name, start in (("coupler", pin), ("rocker", base)):
            left.plot(*bent(run, name, start, k), color=f"C{j}", lw=1.5)
            left.plot(*start[:2], "o", color=f"C{j}", ms=4)
        left.plot(*run["rocker tip"][k][:2], "o", color=f"C{j}", ms=4)
    left.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title=f"{SPEEDS[-1]:.0f} rad/s, deflections × {ENLARGED}")
    for speed, run in runs.items():
        turns = (run["crank"] - 1) / (2 * np.pi)
        middle.plot(turns, 1000 * run["deflection"], label=f"{speed:.0f} rad/s", lw=1)
        right.plot(turns, run["torque"], lw=1)
    middle.set(xlabel="turns of the crank", ylabel="deflection [mm]", title="middle of the coupler")
    middle.legend()
    right.set(xlabel="turns of the crank", ylabel="torque [N·m]", title="motor")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "out") -> Path:
    held = system(held=True).linearize().eigenvalues
    lowest = np.sort(np.abs(held[held.imag > 1]))[:3] / (2 * np.pi)
    print("lowest frequencies [Hz]:", ", ".join(f"{x:.3f}" for x in lowest))
    s = system()
    runs = {speed: simulate(s, speed) for speed in SPEEDS}
    for speed, run in runs.items():
        deflection, moment = 1000 * np.abs(run["deflection"]).max(), np.abs(run["moment"]).max()
        print(
            f"{speed:.0f} rad/s: deflection {deflection:.2f} mm, moment {moment:.3f} N·m,"
            f" torque {np.abs(run['torque']).max():.2f} N·m; drift {run.drift[0]:.0e} m,"
            f" energy error {run.energy_error:.0e}"
        )
    path = Path(folder) / "flexible_four_bar.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(runs, path)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
