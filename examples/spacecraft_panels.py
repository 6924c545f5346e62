"""A spacecraft with two flexible solar panels turns by 60° and comes to rest.

The panels are clamped to opposite sides of a hub that moves freely. Linearised, the motion in the plane of the panels
has the frequencies of two characteristic equations, one for panels that bend to the same side (the hub moves sideways)
and one for panels that bend to opposite sides (the hub rotates). Thrusters turn the hub by a constant torque, then by
its opposite. How much the panels vibrate afterwards depends on the duration: if each half takes whole periods of the
first mode that rotates the hub, this mode is at rest at the end. A torque that varies as a sine leaves less vibration
than one that jumps, but does not remove it.

Printed: the frequencies beside the exact ones; for each manoeuvre the largest deflection of a panel's tip, the largest
one after the manoeuvre, and the differences of angular momentum and impulse of the torque, and of linear momentum and
zero. Drawn: the angle of the hub and the deflection of a tip.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import brentq

import freebody as fb

HUB, INERTIA, SIDE = 200.0, 150.0, 0.8  # kg, kg·m² about each axis, m from the centre to a panel's root
LENGTH, EI, DENSITY = 6.0, 900.0, 1.5  # m, N·m², kg/m
ANGLE, REST = np.pi / 3, 10.0  # rad, and s of the run after the manoeuvre


def system(modes: int = 4) -> fb.System:
    """The panels are along ±x and bend along y; a torque about z acts on the hub."""
    s = fb.System("spacecraft", gravity=(0, 0, 0))
    torque = s.input("torque", "N·m")
    hub = s.body("hub", joint=fb.Free(), mass=HUB, inertia=(INERTIA,) * 3)
    panel = fb.Beam(length=LENGTH, EI=(EI, None), density=DENSITY)
    for name, side in (("left", np.pi), ("right", 0.0)):
        body = s.body(name, on=hub, at=(SIDE * np.cos(side), 0, 0), orient=("z", side), flexible=panel, modes=modes)
        s.output(f"{name} tip", s.deflection(body.node("tip")).dot(body.y))
    s.torque(s.ground.vector((0, 0, torque)), on=hub, name="thrusters")
    s.state("impulse", rate=torque, unit="N·m·s")
    return s


def exact_frequencies(count: int) -> tuple[np.ndarray, np.ndarray]:
    """The lowest roots z = kL of both characteristic equations as frequencies ω = z² √(EI/ρ)/L²: panels that bend to
    the same side, and to opposite sides."""
    a, b, r = HUB / (2 * DENSITY * LENGTH), INERTIA / (2 * DENSITY * LENGTH**3), SIDE / LENGTH

    def same(z: float) -> float:
        return float(a * z * (1 + np.cos(z) * np.cosh(z)) + np.sin(z) * np.cosh(z) + np.cos(z) * np.sinh(z))

    def opposite(z: float) -> float:
        clamped, shear = 1 + np.cos(z) * np.cosh(z), np.sin(z) * np.cosh(z) + np.cos(z) * np.sinh(z)
        moment = np.sin(z) * np.cosh(z) - np.cos(z) * np.sinh(z) + 2 * r * z * np.sin(z) * np.sinh(z)
        return float(b * z**3 * clamped + moment + r**2 * z**2 * shear)

    grid = np.linspace(0.5, 3.3 * (count + 1), 400 * (count + 1))
    roots = []
    for equation in (same, opposite):
        values = np.array([equation(z) for z in grid])
        (changes,) = np.nonzero(values[:-1] * values[1:] < 0)
        roots.append([brentq(equation, grid[k], grid[k + 1], xtol=1e-13) for k in changes[:count]])
    first, second = (np.array(z) ** 2 * np.sqrt(EI / DENSITY) / LENGTH**2 for z in roots)
    return first, second


def frequencies(modes: int) -> np.ndarray:
    """Of the linearised motion, in rad/s."""
    values = system(modes).linearize().eigenvalues
    return np.sort(values.imag[values.imag > 0.1])


def torques() -> dict[str, tuple[str, float]]:
    """The torque and the duration of each manoeuvre."""
    inertia = INERTIA + 2 * DENSITY * ((SIDE + LENGTH) ** 3 - SIDE**3) / 3
    period = float(2 * np.pi / exact_frequencies(1)[1][0])
    result = {}
    for name, duration in (("12 s", 12.0), ("timed", 8 * period)):
        size = 4 * ANGLE * inertia / duration**2
        result[name] = f"where(t < {duration / 2}, {size}, where(t < {duration}, {-size}, 0))", duration
    size = 2 * np.pi * ANGLE * inertia / 12.0**2
    result["smooth"] = f"where(t < 12, {size}*sin(2*pi*t/12), 0)", 12.0
    return result


def turn(torque: str, duration: float) -> fb.Trajectory:
    return system().simulate(np.linspace(0, duration + REST, 1201), inputs={"torque": torque})


def draw(runs: dict[str, fb.Trajectory], path: Path) -> None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3.8), layout="constrained")
    for name, run in runs.items():
        left.plot(run.t, np.degrees(hub_angle(run)), label=name)
        right.plot(run.t, 1000 * run["right tip"], label=name, lw=1)
    left.axhline(np.degrees(ANGLE), color="0.6", ls="--", lw=1)
    left.set(xlabel="t [s]", ylabel="degrees", title="angle of the hub")
    right.set(xlabel="t [s]", ylabel="mm", title="deflection of a panel's tip")
    right.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def hub_angle(run: fb.Trajectory) -> np.ndarray:
    return 2 * np.unwrap(np.arctan2(run["hub.qz"], run["hub.qw"]), period=np.pi)


def main(folder: str = "out") -> Path:
    same, opposite = exact_frequencies(3)
    exact = np.sort(np.concatenate([same, opposite]))
    print("frequencies [rad/s]   4 modes a panel   12 modes     exact")
    for few, many, root in zip(frequencies(4), frequencies(12), exact, strict=False):
        side = "same side" if np.any(same == root) else "opposite sides"
        print(f"{side:<20} {few:16.6f} {many:11.6f} {root:10.6f}")
    print("manoeuvre   duration [s]   largest, last deflection [mm]   angle [°]   momentum errors")
    runs = {}
    for name, (torque, duration) in torques().items():
        run = runs[name] = turn(torque, duration)
        tip, angular = 1000 * np.abs(run["right tip"]), run["momentum.angular"]
        errors = np.abs(angular[:, 2] - run["impulse"]).max(), np.abs(run["momentum.linear"]).max()
        print(
            f"{name:<11} {duration:12.3f} {tip.max():16.2f}, {tip[run.t > duration].max():8.3f}"
            f" {np.degrees(hub_angle(run)[-1]):16.2f} {errors[0]:9.1e}, {errors[1]:.1e}"
        )
    path = Path(folder) / "spacecraft_panels.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(runs, path)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
