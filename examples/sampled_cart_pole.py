"""How slow may the computer be? A cart-pole is balanced by a sampled controller, whose force acts some samples late.

The gains are those of a quadratic cost for the plant sampled with held inputs. With the delay, the eigenvalues z of the
loop (states, and the forces on their way) say whether it is stable: max |z| < 1. The runs of the whole nonlinear model
follow this linear loop. A driver that knows only multiples of 1 N leaves a limit cycle.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm, solve_discrete_are

import freebody as fb

Array = NDArray[np.float64]
PERIOD = 0.02  # s
STATES = ("q.cart", "q.pole", "u.cart", "u.pole")
LATE = 0, 2, 4, 6  # samples
START = 0.02  # rad


def plant() -> fb.System:
    s = fb.System("cart-pole")
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    s.body("pole", on=cart, joint=fb.Revolute("y"), mass=0.1, com=(0, 0, 0.5), inertia=fb.rod(0.1, 1.0, "z"))
    s.joint_force(cart, s.input("force", unit="N"))
    return s


def sampled_plant() -> tuple[Array, Array]:
    """x⁺ = A x + B w of the plant near the upright position, the force w held for a period."""
    lin = plant().linearize()
    order = [lin.states.index(name) for name in STATES]
    whole = np.zeros((5, 5))
    whole[:4, :4], whole[:4, 4:] = lin.A[np.ix_(order, order)], lin.B[order]
    sampled = expm(whole * PERIOD)
    return sampled[:4, :4], sampled[:4, 4:]


def gains() -> Array:
    """The row K of w = −K x that minimises Σ xᵀQ x + w² for the plant without delay."""
    (A, B), Q = sampled_plant(), np.diag([4.0, 10.0, 0.5, 0.5])
    P = solve_discrete_are(A, B, Q, np.eye(1))
    return np.asarray(np.linalg.solve(1 + B.T @ P @ B, B.T @ P @ A))


def loop(late: int) -> Array:
    """The matrix of the loop whose force acts so many samples late: of [x, forces on their way, the newest first]."""
    (A, B), K, n = sampled_plant(), gains(), 4 + late
    if not late:
        return A - B @ K
    whole = np.zeros((n, n))
    whole[:4, :4], whole[:4, n - 1 :], whole[4, :4] = A, B, -K
    whole[5:, 4 : n - 1] = np.eye(late - 1)
    return whole


def linear_angles(late: int, count: int) -> Array:
    """The angle of the pole at so many samples."""
    state, matrix, angles = np.zeros(4 + late), loop(late), np.empty(count)
    state[1] = START
    for k in range(count):
        angles[k], state = state[1], matrix @ state
    return angles


def system(late: int, step: float = 0.0) -> fb.System:
    """The plant with the controller; ``step`` is the smallest difference of the force."""
    s, K = plant(), gains()[0]
    law = " + ".join(f"{-k!r}*{name}" for k, name in zip(K.tolist(), STATES, strict=True))
    options = {"quantisation": step} if step else {}
    s.controller("balance", period=PERIOD, law={"force": law}, delay_samples=late, **options)
    return s


def main(folder: str = "out") -> list[tuple[float, float]]:
    times = np.linspace(0, 5, 1001)
    runs = {late: system(late).simulate(times, q={"pole": START}) for late in LATE}
    coarse = system(0, 1.0).simulate(times, q={"pole": START})
    rows = []
    for late, run in runs.items():
        every = round(PERIOD / (run.t[1] - run.t[0]))
        error = np.abs(run["pole"][::every][:101] - linear_angles(late, 101)).max()
        rows.append((float(np.abs(np.linalg.eigvals(loop(late))).max()), float(error)))
        print(f"{late * PERIOD * 1000:3.0f} ms late: max |z| = {rows[-1][0]:.4f}; 2 s as linear within {error:.1e} rad")
    swing = np.ptp(coarse["pole"][-200:])
    print(f"with steps of 1 N the pole swings by {np.degrees(swing):.2f}° in the end")
    figure, (angles, forces) = plt.subplots(2, figsize=(8, 6))
    for late, run in runs.items():
        angles.plot(run.t, np.degrees(run["pole"]), label=f"{late * PERIOD * 1000:.0f} ms late")
    angles.plot(coarse.t, np.degrees(coarse["pole"]), "k", lw=0.8, label="steps of 1 N")
    angles.set(ylabel="pole [°]", ylim=(-6, 6))
    angles.legend(loc="lower left", ncols=3)
    for run, label in ((runs[2], "40 ms late"), (coarse, "steps of 1 N")):
        steps = run.staircase("force")
        assert steps is not None
        forces.plot(*steps, label=label)
    forces.set(xlabel="t [s]", ylabel="force [N]", xlim=(0, 1.5), ylim=(-1.1, 1.1))
    forces.legend()
    Path(folder).mkdir(parents=True, exist_ok=True)
    file = Path(folder) / "sampled_cart_pole.png"
    figure.tight_layout()
    figure.savefig(file)
    print(f"out/{file.name}" if folder == "out" else file)
    return rows


if __name__ == "__main__":
    main()
