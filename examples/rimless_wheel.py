"""The simplest passive walker: a wheel without a rim rolls down a slope on its six spokes.

Each spoke has a foot, a contact of a point with friction. A step ends where the next foot strikes: its impulse stops
it, the foot behind lets go, and the wheel turns about the new foot. What gravity gives in a step, the impact takes, so
that the speed goes to one value. Printed: this speed, with the closed form of McGeer (1990), and the friction that the
feet need. Drawn: the wheel, its speed from two starts, and the ratio of friction and normal force.
"""

import math
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

SPOKES, LENGTH, MASS, GYRATION = 6, 1.0, 1.0, 0.3  # m, kg, m
SLOPE, FRICTION = 0.25, 0.9  # rad
HALF = math.pi / SPOKES  # half the angle between spokes


def system() -> fb.System:
    """The wheel in the plane of x (down the slope) and z."""
    s = fb.System("wheel", gravity=(9.81 * math.sin(SLOPE), 0, -9.81 * math.cos(SLOPE)))
    J = MASS * GYRATION**2
    x = s.body("x", joint=fb.Prismatic("x"))
    z = s.body("z", on=x, joint=fb.Prismatic("z"))
    spokes = [
        fb.Cylinder(0.01, LENGTH, at=(LENGTH / 2 * math.sin(a), 0, LENGTH / 2 * math.cos(a)), rpy=(0, a, 0))
        for a in angles()
    ]
    wheel = s.body("wheel", on=z, joint=fb.Revolute("y"), mass=MASS, inertia=(J / 2, J, J / 2), shape=spokes)
    for k, a in enumerate(angles()):
        foot = wheel.point((LENGTH * math.sin(a), 0, LENGTH * math.cos(a)))
        s.point_contact(foot, friction=FRICTION, name=f"foot{k}")
    return s


def angles() -> list[float]:
    """The directions of the spokes, from the vertical; two of them stand on the slope."""
    return [HALF + 2 * HALF * k for k in range(SPOKES)]


def fixed_point() -> float:
    """The speed after an impact that repeats itself: ω⁺ = η ω⁻, and a step gains 4 g l sin α sin γ/(l² + r²)."""
    l, r = LENGTH, GYRATION
    eta = (l * l * math.cos(2 * HALF) + r * r) / (l * l + r * r)
    gain = 4 * 9.81 * l * math.sin(HALF) * math.sin(SLOPE) / (l * l + r * r)
    return eta * math.sqrt(gain / (1 - eta * eta))


def run_from(s: "fb.System | fb.Equations", speed: float) -> fb.Trajectory:
    """A run that begins after an impact, turning about the foot in front."""
    h, b = LENGTH * math.cos(HALF), LENGTH * math.sin(HALF)
    return s.simulate(8.0, q={"z": h}, u={"wheel": speed, "x": speed * h, "z": speed * b})


def main(folder: str = "out") -> Path:
    s = system().derive("aba")
    figure, (picture, speeds, forces) = plt.subplots(
        1, 3, figsize=(13, 3.6), layout="constrained", width_ratios=(1.6, 1, 1)
    )
    limit = fixed_point()
    for speed in (0.7 * limit, 1.8 * limit):
        run = run_from(s, speed)
        steps = run.events.after[1:, 5]
        print(f"from {speed:.3f} rad/s: after {len(steps)} steps {steps[-1]:.6f} rad/s", end="; ")
        speeds.plot(run.t, run["u.wheel"], label=f"from {speed:.2f} rad/s")
    print(f"closed form {limit:.6f} rad/s")
    normal = sum(run[f"multiplier.foot{k}.normal"] for k in range(SPOKES))
    along = sum(run[f"multiplier.foot{k}.t1"] for k in range(SPOKES))
    ratio = np.abs(along[1:] / normal[1:])
    print(f"the feet need a friction of {ratio.max():.3f}, and have {FRICTION}")
    forces.plot(run.t[1:], ratio, lw=0.8)
    forces.set(xlabel="t [s]", ylabel="friction / normal force", title="what the feet need")
    speeds.axhline(limit, color="0.6", lw=0.8)
    speeds.set(xlabel="t [s]", ylabel="speed [rad/s]", title="to one speed")
    speeds.legend()
    for k in range(0, 400, 40):
        for a in angles():
            x, z, turn = run["q.x"][k], run["q.z"][k], run["q.wheel"][k] + a
            ends = [x, x + LENGTH * math.sin(turn)], [z, z + LENGTH * math.cos(turn)]
            picture.plot(*ends, color=f"{0.8 - k / 600}", lw=0.7)
    picture.axhline(0, color="k", lw=0.8)
    picture.set(aspect="equal", xlabel="down the slope [m]", ylabel="z [m]", title="the wheel")
    path = Path(folder) / "rimless_wheel.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
    plt.close(figure)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
