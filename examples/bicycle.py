"""The benchmark bicycle of Meijaard, Papadopoulos, Ruina and Schwab (2007): a rigid rider on a frame with a front fork
and two thin wheels that roll without slip.

Four bodies, nine coordinates, six equations of the two contacts, of which two restrict coordinates: three speeds and
seven coordinates are independent. Printed: the matrices of M q̈ + v C₁ q̇ + (g K₀ + v² K₂) q = 0 for roll and steer,
and the speeds between which the bicycle balances itself. Drawn: eigenvalues over the speed, and a run after a push.
"""

import math
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import brentq

import freebody as fb

GRAVITY = 9.81
WHEELBASE, TRAIL, TILT = 1.02, 0.08, math.pi / 10  # m, m, rad of the steer axis from the vertical
REAR, FRONT = 0.3, 0.35  # radii of the wheels, m


def system() -> fb.System:
    """x forward, y to the right, z down; the frame's origin is at the rear contact when the bicycle is upright."""
    s = fb.System("bicycle", gravity=(0, 0, GRAVITY))
    place = s.body("x", joint=fb.Prismatic("x"))
    for name, joint in (("y", fb.Prismatic("y")), ("z", fb.Prismatic("z")), ("yaw", fb.Revolute("z"))):
        place = s.body(name, on=place, joint=joint)
    lean = s.body("roll", on=place, joint=fb.Revolute("x"))
    frame = s.body(
        "pitch",
        on=lean,
        joint=fb.Revolute("y"),
        mass=85,
        com=(0.3, 0, -0.9),
        inertia=[[9.2, 0, 2.4], [0, 11, 0], [2.4, 0, 2.8]],
    )
    rear = s.body("rear", on=frame, at=(0, 0, -REAR), joint=fb.Revolute("y"), mass=2, inertia=(0.0603, 0.12, 0.0603))
    foot = WHEELBASE + TRAIL  # where the steer axis meets the ground
    fork = s.body(
        "steer",
        on=frame,
        at=(foot, 0, 0),
        joint=fb.Revolute((math.sin(TILT), 0, math.cos(TILT))),
        mass=4,
        com=(0.9 - foot, 0, -0.7),
        inertia=[[0.05892, 0, -0.00756], [0, 0.06, 0], [-0.00756, 0, 0.00708]],
    )
    front = s.body(
        "front", on=fork, at=(-TRAIL, 0, -FRONT), joint=fb.Revolute("y"), mass=3, inertia=(0.1405, 0.28, 0.1405)
    )
    s.roll(rear, radius=REAR, axis="y", normal=(0, 0, -1), name="rear contact")
    s.roll(front, radius=FRONT, axis="y", normal=(0, 0, -1), name="front contact")
    return s


def linear(eq: fb.Equations, speed: float) -> tuple[np.ndarray, np.ndarray]:
    """A of the states roll, steer and their rates at an upright ride, and B of torques about the two axes."""
    lin = eq.linearize({"u.x": speed}, inputs=("tau.roll", "tau.steer"), independent=("roll", "steer"))
    k = [lin.states.index(name) for name in ("q.roll", "q.steer", "u.roll", "u.steer")]
    return lin.A[np.ix_(k, k)], lin.B[k]


def matrices(eq: fb.Equations) -> dict[str, np.ndarray]:
    """M, C₁, K₀ and K₂."""
    at_rest, at_one = linear(eq, 0.0), linear(eq, 1.0)
    M = np.linalg.inv(at_rest[1][2:])
    stiffness = [-M @ A[2:, :2] for A, _ in (at_rest, at_one)]
    return {"M": M, "C1": -M @ at_one[0][2:, 2:], "K0": stiffness[0] / GRAVITY, "K2": stiffness[1] - stiffness[0]}


def weave_speed(eq: fb.Equations) -> float:
    """The speed above which the oscillation of roll and steer decays, in m/s."""

    def growth(speed: float) -> float:
        values = np.linalg.eigvals(linear(eq, speed)[0])
        return float(values[np.argmax(values.imag)].real)

    return float(brentq(growth, 3.0, 5.0, xtol=1e-13))


def capsize_speed(eq: fb.Equations) -> float:
    """The speed above which the bicycle falls slowly to one side, in m/s."""
    return float(brentq(lambda speed: np.linalg.det(linear(eq, speed)[0]), 5.0, 7.0, xtol=1e-13))


def draw(eq: fb.Equations, run: fb.Trajectory, path: Path) -> None:
    speeds = np.linspace(0, 10, 201)
    values = np.array([np.sort_complex(np.linalg.eigvals(linear(eq, v)[0])) for v in speeds])
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
    left.axvspan(weave_speed(eq), capsize_speed(eq), color="0.92", label="balances itself")
    left.axhline(0, color="0.6", linewidth=0.8)
    for k in range(4):
        left.plot(speeds, values[:, k].real, "k.", markersize=2, label="real part" if k == 0 else None)
        imaginary = np.where(values[:, k].imag > 1e-9, values[:, k].imag, np.nan)
        left.plot(speeds, imaginary, "C0.", markersize=2, label="imaginary part" if k == 0 else None)
    left.set(xlabel="speed [m/s]", ylabel="eigenvalue [1/s]", ylim=(-10, 10), title="eigenvalues of an upright ride")
    left.legend()
    for name in ("roll", "steer", "yaw"):
        right.plot(run.t, np.degrees(run[name]), label=name)
    right.set(xlabel="t [s]", ylabel="angle [°]", title="after a push to one side at 4.6 m/s")
    right.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "out") -> Path:
    eq = system().derive()
    with np.printoptions(precision=6, suppress=True):
        for name, matrix in matrices(eq).items():
            print(f"{name} =\n{matrix}")
    print(f"weave speed {weave_speed(eq):.10f} m/s, capsize speed {capsize_speed(eq):.10f} m/s")
    run = eq.simulate(5.0, u={"x": 4.6, "roll": 0.5})
    end = np.hypot(run["u.x"][-1], run["u.y"][-1])
    print(f"after a push: energy kept to {run.energy_error:.1e}, speed 4.6 → {end:.4f} m/s")
    path = Path(folder) / "bicycle.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(eq, run, path)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
