"""A planetary gearbox: ratio, forces on teeth and pins by hand calculation, natural frequencies, and a torque that
changes its sense, with ideal teeth and with elastic ones that have backlash.

A motor drives the sun, the ring gear is the housing, and the carrier turns a load. With ideal teeth three planets share
the load equally (the values of least norm); with elastic ones their stiffness decides. Printed: the ratio of the speeds
by Willis' equation and of a run, the forces at the teeth and on the pins for a constant torque, and the frequencies of
the elastic gears. Drawn: pitch circles, the tangential force of sun and planet where the torque changes its sense, and
the force on a pin."""

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

SUN, PLANET, WIDTH, DENSITY = 0.030, 0.024, 0.020, 7850.0  # m, kg/m³
RING, REACH = SUN + 2 * PLANET, SUN + PLANET
ANGLE = np.radians(20)
PLANETS, TORQUE, LOAD = 3, 20.0, 0.05  # N·m of the motor, kg·m² on the carrier
ELASTIC = {"stiffness": 2e7, "damping": 2e3, "backlash": 100e-6}  # N/m, N·s/m, m
TURNS = "tanh((0.02 - t)/0.002)"  # the torque changes its sense at 20 ms


def system(stiffness: float | None = None, damping: float = 0.0, backlash: float = 0.0, law: Any = 1) -> fb.System:
    """The gearbox about the z axis; without a stiffness its teeth are ideal. ``law`` times the torque is the
    motor's."""
    s = fb.System("planetary gearbox", gravity=(0, 0, 0))
    disc = {r: DENSITY * np.pi * r**2 * WIDTH for r in (SUN, PLANET)}
    teeth: dict[str, Any] = {"pressure_angle": ANGLE, "stiffness": stiffness, "damping": damping, "backlash": backlash}
    s.body("sun", joint=fb.Revolute("z"), mass=disc[SUN], inertia=fb.cylinder(disc[SUN], SUN, WIDTH, "z"))
    s.body("carrier", joint=fb.Revolute("z"), mass=1.5, inertia=(LOAD, LOAD, LOAD))
    for k in range(PLANETS):
        turn = 2 * np.pi * k / PLANETS
        planet = s.body(
            f"planet{k + 1}",
            on="carrier",
            at=(REACH * np.cos(turn), REACH * np.sin(turn), 0),
            joint=fb.Revolute("z"),
            mass=disc[PLANET],
            inertia=fb.cylinder(disc[PLANET], PLANET, WIDTH, "z"),
        )
        s.gear("sun", planet, radii=(SUN, PLANET), name=f"sun{k + 1}", **teeth)
        s.gear(planet, s.ground, radii=(PLANET, -RING), axes=(None, "z"), name=f"ring{k + 1}", **teeth)
    s.joint_force("sun", f"{TORQUE}*({law})", name="motor")
    return s


def held(torque: float) -> dict[str, np.ndarray]:
    """The reactions of the ideal gearbox whose carrier is held, at rest, under a torque on the sun."""
    s = system(law=torque / TORQUE)
    s.joint_force("carrier", -torque * (1 + RING / SUN), name="brake")
    f, (q, u) = s.derive().compile(), s.assemble()
    return f.least_norm_reactions(q, u, f.forward_dynamics(q, u), multipliers=f.multipliers(q, u))


def frequencies() -> np.ndarray:
    """Of the elastic gearbox without backlash, in Hz; the first is that of its free rotation, 0."""
    modes = system(ELASTIC["stiffness"], law=0).linearize().eigenvalues
    return np.sort(np.unique(np.abs(modes.imag).round(3)))[1:] / (2 * np.pi)


def draw(runs: dict[str, fb.Trajectory], path: Path) -> None:
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
    run = runs["ideal"]
    turns = run["carrier"][-1] + 2 * np.pi * np.arange(PLANETS) / PLANETS
    centres = [(0.0, 0.0), (0.0, 0.0), *(REACH * np.column_stack((np.cos(turns), np.sin(turns))))]
    angles = [run["sun"][-1], 0.0, *(run["carrier"][-1] + run[f"planet{k + 1}"][-1] for k in range(PLANETS))]
    for (x, y), r, angle in zip(centres, [SUN, RING, *[PLANET] * PLANETS], angles, strict=True):
        left.add_patch(plt.Circle((1e3 * x, 1e3 * y), 1e3 * r, fill=False, color="C0"))
        mark = np.array([[0.8, 1.0]]).T * r * np.array([[np.cos(angle), np.sin(angle)]]) + (x, y)
        left.plot(*(1e3 * mark.T), color="C0")
    left.set(xlabel="mm", ylabel="mm", title="pitch circles", aspect="equal", xlim=(-85, 85), ylim=(-85, 85))
    for name, one in runs.items():
        force = one["multiplier.sun1" if name == "ideal" else "load.sun1"]
        middle.plot(1e3 * one.t, force, label=name, lw=1)
        right.plot(1e3 * one.t, np.linalg.norm(one.reactions["planet1.force"], axis=1), label=name, lw=1)
    middle.set(xlabel="t [ms]", ylabel="N", title="tangential force of sun and planet")
    right.set(xlabel="t [ms]", ylabel="N", title="force on a pin")
    middle.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "out") -> Path:
    ideal = system(law=TURNS)
    print(f"{ideal.derive().degrees_of_freedom} degree of freedom")
    times = np.linspace(0, 0.04, 2001)
    runs = {"ideal": ideal.simulate(times), "with backlash": system(**ELASTIC, law=TURNS).simulate(times)}
    run = runs["ideal"]
    print(f"ratio: {run['u.sun'][1000] / run['u.carrier'][1000]:.6f}, by Willis {1 + RING / SUN:.6f}")
    share = TORQUE / (PLANETS * SUN)
    for torque in (TORQUE, -TORQUE):
        sizes = {name: np.linalg.norm(values) for name, values in held(torque).items()}
        print(
            f"{torque:+g} N·m: teeth {sizes['sun1.force']:.3f} N (by hand {share / np.cos(ANGLE):.3f}),"
            f" pins {sizes['planet1.force']:.3f} N (by hand {2 * share:.3f}), sun's bearing {sizes['sun.force']:.1e}"
            " N"
        )
    print(f"frequencies of elastic teeth [Hz]: {', '.join(f'{x:.1f}' for x in frequencies())}")
    loose = runs["with backlash"]
    free = np.count_nonzero(loose["load.sun1"] == 0) * (times[1] - times[0])
    print(f"with backlash the first planet is out of contact with the sun for {1e3 * free:.1f} ms")
    print(
        f"largest force of its teeth: {np.abs(loose['load.sun1']).max():.0f} N,"
        f" ideal {np.abs(run['multiplier.sun1']).max():.0f} N; energy error {loose.energy_error:.1e}"
    )
    path = Path(folder) / "planetary_gearbox.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(runs, path)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
