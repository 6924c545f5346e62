"""The tip of a two-link arm led around a circle by exact linearisation, and what the same idea does to a cart-pole.

For the arm nothing is left inside: two outputs of degree 2 use up its four states. For the cart-pole with the cart as
output the pole is left, and it falls: the zeros of the linearisation say so beforehand. Drawn: the path of the tip, its
distance from where it should be, and the torques.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

POLES = (-6.0, -8.0)


def system() -> fb.System:
    """Two links, a motor at each joint; "tip" is the end of the second."""
    s = fb.System("arm")
    shoulder, elbow = s.input("shoulder", unit="N·m"), s.input("elbow", unit="N·m")
    upper = s.body("upper", joint=fb.Revolute("y"), mass=2.0, com=(0, 0, -0.25), inertia=fb.rod(2.0, 0.5, "z"))
    lower = s.body(
        "lower",
        on=upper,
        at=(0, 0, -0.5),
        joint=fb.Revolute("y"),
        mass=1.0,
        com=(0, 0, -0.2),
        inertia=fb.rod(1.0, 0.4, "z"),
    )
    s.joint_force(upper, shoulder)
    s.joint_force(lower, elbow)
    s.output("tip", s.position(lower.point((0, 0, -0.4))))
    return s


def cart_pole() -> fb.System:
    s = fb.System("cart-pole")
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    s.body("pole", on=cart, joint=fb.Revolute("y"), mass=0.2, com=(0, 0, 0.5))
    s.joint_force(cart, s.input("F", unit="N"))
    return s


def circle() -> fb.Trajectory:
    """The arm's run: from rest, away from the circle, onto it."""
    s = system()
    io = s.input_output({"x": "tip.x", "z": "tip.z"})
    law = io.track({"x": "0.35 + 0.15*cos(3*t)", "z": "-0.5 + 0.15*sin(3*t)"}, POLES)
    print(f"arm: {io}")
    return s.simulate(4.0, q={"upper": -0.2, "lower": 1.3}, inputs=law)


def draw(run: fb.Trajectory, error: np.ndarray, path: Path) -> None:
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
    left.plot(run["tip"][:, 0], run["tip"][:, 2], label="tip")
    turn = np.linspace(0, 2 * np.pi, 200)
    left.plot(0.35 + 0.15 * np.cos(turn), -0.5 + 0.15 * np.sin(turn), "k:", label="circle")
    left.set(xlabel="x [m]", ylabel="z [m]", title="path of the tip", aspect="equal", ylim=(-0.95, -0.25))
    left.legend(loc="lower right")
    middle.semilogy(run.t, error)
    middle.set(xlabel="t [s]", ylabel="distance [m]", title="distance from the circle's point")
    for name in ("shoulder", "elbow"):
        right.plot(run.t, run[name], label=name)
    right.set(xlabel="t [s]", ylabel="torque [N·m]", title="motors")
    right.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "out") -> Path:
    run = circle()
    x, _, z = run["tip"].T
    error = np.hypot(x - 0.35 - 0.15 * np.cos(3 * run.t), z + 0.5 - 0.15 * np.sin(3 * run.t))
    print(f"distance from the circle's point: {error[0]:.3f} m at first, {error[-1]:.1e} m after {run.t[-1]:g} s")
    s = cart_pole()
    io, up = s.input_output({"place": "q.cart"}), s.equilibrium(q={"pole": 0.1})
    inside = io.zero_dynamics(up)
    print(f"cart-pole: {io}; {inside.phase}, zeros {np.round(inside.eigenvalues.real, 3)}")
    print(f"with the cart held still the pole moves by u' = {io.reduced().rates['u.pole']}")
    path = Path(folder) / "feedback_linearisation.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(run, error, path)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
