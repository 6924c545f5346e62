"""A crane with two hydraulic cylinders, each of them the same component: a cylinder whose valve is controlled so that
the piston follows a target.

The boom rises and the jib folds out, with a load on a rope. Printed: stiffness and frequency of the closed cylinders
from their oil, by hand and by linearisation, and what became of the pump's energy. Drawn: the crane, the strokes with
their targets, the pressures.
"""

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

BOOM, JIB, ROPE, TOWER = 4.0, 3.0, 2.0, 2.0  # m
AREA, ROD_AREA, BULK_MODULUS = 8e-3, 5e-3, 1.4e9  # m², m², Pa
LIFT = {"closed_length": 1.2, "travel": 1.3}
FOLD = {"closed_length": 1.4, "travel": 1.1}
START: Any = {"boom": 0.3, "jib": -1.2, "load": 0.9}  # rad


@fb.component
def ram(s: fb.System, start: Any, end: Any, target: str, initial: float, **sizes: float) -> None:
    """A cylinder with a valve of 30 ms, whose stroke follows a target at 0.12 m/s at most."""
    s.add(fb.RateLimiter(target, rise=0.12, lag=0.1, initial=initial, unit="m"), "target")
    fields: Any = {"supply": 20e6, "rated_flow": 2e-3, "damping": 3e4, "leakage": 2e-12, "bulk_modulus": BULK_MODULUS}
    pressures: Any = {"initial_a": 10e6, "initial_b": 4e6}
    s.add_together(
        control=fb.PID("target - cylinder.stroke", kp=10, ki=2, limits=(-1, 1)),
        valve=fb.Lag("control", time=0.03),
        cylinder=fb.HydraulicCylinder(
            start, end, AREA, rod_area=ROD_AREA, valve="valve", **fields, **pressures, **sizes
        ),
    )


def system() -> fb.System:
    """Boom, jib and load; angles are positive upwards."""
    s = fb.System("hydraulic crane")
    bodies: Any = {"inertia": (50, 700, 700)}
    boom = s.body("boom", at=(0, 0, TOWER), joint=fb.Revolute("-y", initial=START["boom"]), mass=600,
                  com=(BOOM / 2, 0, 0), **bodies, shape=fb.Box(BOOM, 0.2, 0.25, at=(BOOM / 2, 0, 0)))  # fmt: skip
    jib = s.body("jib", on=boom, at=(BOOM, 0, 0), joint=fb.Revolute("-y", initial=START["jib"]), mass=250,
                 com=(JIB / 2, 0, 0), inertia=(10, 190, 190),
                 shape=fb.Box(JIB, 0.15, 0.2, at=(JIB / 2, 0, 0)))  # fmt: skip
    s.body("load", on=jib, at=(JIB, 0, 0), joint=fb.Revolute("-y", damping=200, initial=START["load"]), mass=400,
           com=(0, 0, -ROPE), shape=fb.Sphere(0.3, at=(0, 0, -ROPE)))  # fmt: skip
    strokes = strokes_at(START)
    ram(s, "lift", s.ground.point((0.5, 0, 0.8)), boom.point((1.4, 0, -0.15)), "where(t < 1, 0.45, 0.75)",
        strokes[0], **LIFT)  # fmt: skip
    ram(s, "fold", boom.point((2.2, 0, 0.25)), jib.point((0, 0, 0.5)), "where(t < 2, 0.85, 0.5)", strokes[1], **FOLD)
    s.output("tip", s.position(jib.point((JIB, 0, 0))))
    s.output("knuckle", s.position(jib))
    s.output("hook", s.position(s.bodies["load"].point((0, 0, -ROPE))))
    return s


def strokes_at(angles: Any) -> tuple[float, float]:
    """The strokes of both cylinders by plane geometry."""

    def turned(x: float, z: float, angle: float) -> np.ndarray:
        return np.array([x * np.cos(angle) - z * np.sin(angle), x * np.sin(angle) + z * np.cos(angle)])

    lift = np.array([0, TOWER]) + turned(1.4, -0.15, angles["boom"]) - (0.5, 0.8)
    fold = np.array([BOOM, 0]) + turned(0, 0.5, angles["jib"]) - (2.2, 0.25)
    return float(np.linalg.norm(lift)) - LIFT["closed_length"], float(np.linalg.norm(fold)) - FOLD["closed_length"]


def stiffness(stroke: float, travel: float) -> float:
    """β (A_a²/V_a + A_b²/V_b) of a closed cylinder."""
    return BULK_MODULUS * (AREA**2 / (1e-4 + AREA * stroke) + ROD_AREA**2 / (1e-4 + ROD_AREA * (travel - stroke)))


def closed_frequency() -> tuple[float, float]:
    """The frequency of the boom alone on its closed cylinder, by linearisation and by hand, in Hz."""
    s = fb.System("boom", gravity=(0, 0, 0))
    at = (0, 0, TOWER)
    boom = s.body("boom", at=at, joint=fb.Revolute("-y"), mass=600, com=(BOOM / 2, 0, 0), inertia=(50, 700, 700))
    ends = s.ground.point((0.5, 0, 0.8)), boom.point((1.4, 0, -0.15))
    s.add(fb.HydraulicCylinder(*ends, AREA, rod_area=ROD_AREA, **LIFT), "lift")
    found = np.abs(s.linearize(at={"q.boom": START["boom"]}).eigenvalues.imag).max()
    nearby = [strokes_at({**START, "boom": START["boom"] + d})[0] for d in (-1e-5, 1e-5)]
    lever, inertia = (nearby[1] - nearby[0]) / 2e-5, 700 + 600 * (BOOM / 2) ** 2
    by_hand = np.sqrt(stiffness(strokes_at(START)[0], LIFT["travel"]) * lever**2 / inertia)
    return float(found / (2 * np.pi)), float(by_hand / (2 * np.pi))


def draw(run: fb.Trajectory, path: Path) -> None:
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
    for t, colour in ((0.0, "0.8"), (4.0, "0.5"), (8.0, "k")):
        at = min(int(np.searchsorted(run.t, t)), len(run.t) - 1)
        line = [(0, 0, 0), (0, 0, TOWER), *(run[name][at] for name in ("knuckle", "tip", "hook"))]
        left.plot([p[0] for p in line], [p[2] for p in line], "o-", color=colour, ms=3)
    left.set(aspect="equal", title="at 0, 4 and 8 s", xlabel="x [m]", ylabel="z [m]")
    for name, colour in (("lift", "C0"), ("fold", "C1")):
        middle.plot(run.t, run[f"output.{name}.cylinder.stroke"], color=colour, label=name)
        middle.plot(run.t, run[f"output.{name}.target"], "--", color=colour, lw=0.8)
        for chamber, style in (("a", "-"), ("b", ":")):
            pressure = run[f"z.{name}.cylinder.pressure_{chamber}"] / 1e6
            right.plot(run.t, pressure, style, color=colour, lw=1, label=f"{name} {chamber}")
    middle.set(title="strokes and targets", xlabel="t [s]", ylabel="m")
    middle.legend()
    right.set(title="pressures", xlabel="t [s]", ylabel="MPa")
    right.legend(fontsize=8)
    figure.savefig(path, dpi=100)


def main(folder: str = "out") -> None:
    found, by_hand = closed_frequency()
    print(f"boom on its closed cylinder: {found:.4f} Hz, by hand {by_hand:.4f} Hz")
    s = system()
    run = s.simulate(np.linspace(0, 8, 801), method="radau", rtol=1e-6, atol=1e-6)
    names = ("input_power", "output_power", "loss")
    work = {
        key: sum(np.trapezoid(run[f"output.{name}.cylinder.{key}"], run.t) for name in ("lift", "fold"))
        for key in names
    }
    print(", ".join(f"{key.split('_')[0]} {value / 1e3:.1f} kJ" for key, value in work.items()))
    lowest = min(run[f"z.{name}.cylinder.pressure_{c}"].min() for name in ("lift", "fold") for c in "ab")
    print(f"lowest pressure {lowest / 1e6:.2f} MPa")
    Path(folder).mkdir(parents=True, exist_ok=True)
    draw(run, Path(folder) / "hydraulic_crane.png")
    print(f"{folder}/hydraulic_crane.png")


if __name__ == "__main__":
    main()
