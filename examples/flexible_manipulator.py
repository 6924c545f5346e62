"""A space manipulator with two flexible links moves a payload; its base floats freely.

The links are beams that bend in and across the plane of the motion and twist. The payload, a rigid body, is on the node
at the tip of the second link, the second link on the node at the tip of the first. Motors at shoulder and elbow follow
smooth paths by feedback of their angles; nothing else acts, so that the momenta of the whole system stay zero and the
base reacts to every motion. The same motors on rigid links show what flexibility changes.

Printed: the lowest frequencies with the motors locked and with their feedback, the largest deflections, how far the
payload is from that of rigid links at the end and later, momenta and energy balance. Drawn: the manipulator at several
times, and the deflections of the tips.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

BASE, PAYLOAD = 400.0, 60.0  # kg
LENGTH, DENSITY = 4.0, 3.0  # m, kg/m, of each link
STIFFNESS: dict[str, float | tuple[float, float]] = {"EI": (5e3, 4e3), "GJ": 3e3}  # N·m²
GAINS = {"shoulder": (6000.0, 5000.0), "elbow": (2500.0, 1500.0)}  # N·m/rad, N·m·s/rad
START, TURN, DURATION, END = {"shoulder": -0.5, "elbow": 1.6}, {"shoulder": 1.2, "elbow": -1.0}, 6.0, 12.0


def system(flexible: bool = True, motors: bool = True) -> fb.System:
    """The base, two links along x that turn about z, and the payload."""
    s = fb.System("manipulator", gravity=(0, 0, 0))
    base = s.body("base", joint=fb.Free(), mass=BASE, inertia=(70.0, 80.0, 90.0))
    on, at = base, (0.6, 0, 0)
    for name in ("shoulder", "elbow"):
        hinge = fb.Revolute("z", initial=START[name]) if motors else fb.Weld()
        orient = None if motors else ("z", START[name])
        if flexible:
            beam = fb.Beam(length=LENGTH, density=DENSITY, polar_inertia=0.05, torsion=1, damping=0.005, **STIFFNESS)
            link = s.body(
                name,
                on=on,
                at=at,
                orient=orient,
                joint=hinge,
                mass=4.0,
                inertia=(0.3, 0.3, 0.3),
                flexible=beam,
                modes=4,
            )
            tip = link.node("tip")
            for axis in "yz":
                s.output(f"{name} {axis}", s.deflection(tip).dot(getattr(link, axis)))
            on, at = tip, (0.0, 0, 0)
        else:
            mass, length = DENSITY * LENGTH, LENGTH
            on = s.body(
                name,
                on=on,
                at=at,
                orient=orient,
                joint=hinge,
                mass=4.0 + mass,
                com=(length / 2 * mass / (4.0 + mass), 0, 0),
                inertia=rod_inertia(),
            )
            at = (length, 0, 0)
        if motors:
            stiffness, damping = GAINS[name]
            part = f"where(t < {DURATION}, t/{DURATION} - sin(2*pi*t/{DURATION})/(2*pi), 1)"
            error = f"(q.{name} - {START[name]} - {TURN[name]}*{part})"
            s.joint_force(s.bodies[name], f"-{stiffness}*{error} - {damping}*u.{name}", name=f"{name} motor")
    payload = s.body("payload", on=on, at=at, mass=PAYLOAD, com=(0.4, 0, 0.3), inertia=(8.0, 10.0, 9.0))
    s.output("elbow place", s.position(s.bodies["elbow"].origin))
    s.output("payload place", s.position(payload.point((0.4, 0, 0.3))))
    return s


def rod_inertia() -> tuple[float, float, float]:
    """Of a rigid link about its mass centre."""
    mass, drive = DENSITY * LENGTH, 4.0
    centre = LENGTH / 2 * mass / (mass + drive)
    across = mass * LENGTH**2 / 12 + mass * (LENGTH / 2 - centre) ** 2 + drive * centre**2 + 0.3
    return 0.05 * LENGTH + 0.3, across, across


def frequencies(system: fb.System, count: int) -> np.ndarray:
    """The lowest frequencies in Hz of the linearised motion."""
    values = system.linearize().eigenvalues
    return np.sort(np.abs(values[values.imag > 1e-2]))[:count] / (2 * np.pi)


def simulate(flexible: bool) -> fb.Trajectory:
    return system(flexible).simulate(np.linspace(0, END, 481))


def draw(runs: dict[str, fb.Trajectory], path: Path) -> None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained", width_ratios=(1, 1.2))
    for name, colour, style in (("rigid", "0.6", "--"), ("flexible", "C0", "-")):
        run = runs[name]
        for k in np.flatnonzero(np.isin(run.t, [0, 3, END])):
            places = [
                run["pose.base"][k, :3],
                run["pose.shoulder"][k, :3],
                run["elbow place"][k],
                run["payload place"][k],
            ]
            x, y, _ = np.transpose(places)
            left.plot(x, y, style, color=colour, lw=1.5 if k else 2.5)
            left.plot(x[-1:], y[-1:], "s", color=colour, ms=8)
            left.plot(x[:1], y[:1], "o", color=colour, ms=10)
    left.set(xlabel="x [m]", ylabel="y [m]", title="base, links and payload (dashed: rigid links)", aspect="equal")
    for name in ("shoulder y", "elbow y", "shoulder z", "elbow z"):
        right.plot(runs["flexible"].t, 1000 * runs["flexible"][name], label=name, lw=1)
    right.axvline(DURATION, color="0.7", ls=":", lw=1)
    right.set(xlabel="t [s]", ylabel="mm", title="deflections of the links' tips")
    right.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "out") -> Path:
    print("lowest frequencies [Hz]")
    for name, motors in (("motors locked", False), ("with feedback", True)):
        print(f"  {name}: " + ", ".join(f"{x:.3f}" for x in frequencies(system(motors=motors), 5)))
    runs = {"flexible": simulate(True), "rigid": simulate(False)}
    run = runs["flexible"]
    for name in ("shoulder", "elbow"):
        y, z = (1000 * np.abs(run[f"{name} {axis}"]) for axis in "yz")
        print(
            f"{name}: turned by {run[name][-1] - run[name][0]:.4f} rad, its tip deflected by at most {y.max():.1f} mm"
            f" in and {z.max():.1f} mm across the plane"
        )
    apart = 1000 * np.linalg.norm(run["payload place"] - runs["rigid"]["payload place"], axis=1)
    print(f"payload from that of rigid links: at most {apart.max():.1f} mm, {apart[-1]:.2f} mm at the end")
    moved = np.linalg.norm(run["pose.base"][-1, :3])
    turned = 2 * np.degrees(np.arctan2(run["base.qz"][-1], run["base.qw"][-1]))
    print(f"base moved by {moved:.3f} m and turned by {turned:.2f}°")
    momenta = [np.abs(run[f"momentum.{kind}"]).max() for kind in ("linear", "angular")]
    print(f"momenta {momenta[0]:.1e} kg·m/s, {momenta[1]:.1e} kg·m²/s; energy error {run.energy_error:.1e}")
    path = Path(folder) / "flexible_manipulator.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(runs, path)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
