"""Optimal control by CasADi and IPOPT: a cart-pole swings up, an arm moves from pose to pose, and so does a five-bar.

Each is solved by direct collocation (Hermite–Simpson) with exact first and second derivatives of freebody's equations.
The inputs that were found are then simulated: the motion ends where the optimiser says. Needs
`pip install ".[casadi]"`.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import casadi
import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

QUIET = {"print_time": False, "ipopt.print_level": 0, "ipopt.sb": "yes"}


@dataclass
class Motion:
    """What the optimiser found: times, states and inputs at the ends of intervals, iterations and seconds."""

    t: np.ndarray
    x: np.ndarray
    inputs: np.ndarray
    iterations: int
    seconds: float


def transfer(
    eq: fb.Equations, start: Sequence[float], goal: Mapping[int, float], end: float, intervals: int, limit: float
) -> Motion:
    """The motion of least ∫ Σ w² dt from a state to the given components of another; inputs w change linearly within
    an interval."""
    f = eq.to_casadi("state_dot")
    n, m, h = len(start), len(eq.inputs), end / intervals
    x0, x1, w0, w1 = casadi.MX.sym("x0", n), casadi.MX.sym("x1", n), casadi.MX.sym("w0", m), casadi.MX.sym("w1", m)
    f0, f1 = (f(x=x, inputs=w)["x_dot"] for x, w in ((x0, w0), (x1, w1)))
    middle = f(x=(x0 + x1) / 2 + h / 8 * (f0 - f1), inputs=(w0 + w1) / 2)["x_dot"]
    defect = casadi.Function("defect", [x0, x1, w0, w1], [x1 - x0 - h / 6 * (f0 + 4 * middle + f1)]).expand()
    problem = casadi.Opti()
    x, w = problem.variable(n, intervals + 1), problem.variable(m, intervals + 1)
    problem.subject_to(casadi.vec(defect.map(intervals)(x[:, :-1], x[:, 1:], w[:, :-1], w[:, 1:])) == 0)
    problem.subject_to(x[:, 0] == start)
    for k, value in goal.items():
        problem.subject_to(x[k, -1] == value)
        problem.set_initial(x[k, :], np.linspace(start[k], value, intervals + 1)[None, :])
    for k in set(range(n)) - set(goal):
        problem.set_initial(x[k, :], start[k])
    problem.subject_to(problem.bounded(-limit, casadi.vec(w), limit))
    ends, inner = casadi.sumsqr(w[:, :-1]) + casadi.sumsqr(w[:, 1:]), casadi.sum1(casadi.sum2(w[:, :-1] * w[:, 1:]))
    problem.minimize((ends + inner) * h / 3)
    problem.solver("ipopt", QUIET)
    begin = time.perf_counter()
    found = problem.solve()
    seconds = time.perf_counter() - begin
    times = np.linspace(0, end, intervals + 1)
    states, inputs = (np.reshape(found.value(v), (-1, intervals + 1)).T for v in (x, w))
    return Motion(times, states, inputs, found.stats()["iter_count"], seconds)


def simulate(eq: fb.Equations, motion: Motion) -> fb.Trajectory:
    """The run under the inputs that were found."""
    q, u = np.split(motion.x[0], [len(eq.q)])
    inputs = {name: (motion.t, column) for name, column in zip(eq.inputs, motion.inputs.T, strict=True)}
    return eq.simulate(np.linspace(0, motion.t[-1], 201), q=q, u=u, inputs=inputs, rtol=1e-10, atol=1e-12)


def system() -> fb.System:
    """A cart with a pole."""
    s = fb.System("cart-pole")
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    s.body("pole", on=cart, joint=fb.Revolute("y"), mass=0.3, com=(0, 0, -0.5))
    s.joint_force(cart, s.input("force", "N"))
    return s


def arm() -> fb.System:
    """Three links on a turning base."""
    s, on = fb.System("arm"), None
    for k, (axis, length, mass) in enumerate((("z", 0.3, 8.0), ("y", 0.5, 5.0), ("y", 0.4, 3.0))):
        place = {"at": (0, 0, (0.3, 0.3, 0.5)[k])} if on is not None else {}
        rod = fb.rod(mass, length, "z")
        on = s.body(f"link{k}", on=on, joint=fb.Revolute(axis), mass=mass, com=(0, 0, length / 2), inertia=rod, **place)
        s.joint_force(on, s.input(f"motor{k}", "N·m"))
    return s


def five_bar() -> fb.System:
    """Two motors in the ground, two bars on each side, and a pin between them: a closed loop with two freedoms."""
    s, joint = fb.System("five-bar"), fb.Revolute("-y")

    def bar(length: float) -> dict[str, object]:
        m = 4.0 * length
        return {"joint": joint, "mass": m, "com": (length / 2, 0, 0), "inertia": fb.rod(m, length, "x")}

    left = s.body("left", at=(-0.1, 0, 0), **bar(0.25))
    right = s.body("right", at=(0.1, 0, 0), **bar(0.25))
    far_left = s.body("far_left", on=left, at=(0.25, 0, 0), **bar(0.35))
    far_right = s.body("far_right", on=right, at=(0.25, 0, 0), **bar(0.35))
    s.close(far_left.point((0.35, 0, 0)), far_right.point((0.35, 0, 0)), joint, name="pin")
    s.joint_force(left, s.input("motor_left", "N·m"))
    s.joint_force(right, s.input("motor_right", "N·m"))
    s.output("tool", s.position(far_left.point((0.35, 0, 0))))
    return s


def travel_error(motion: Motion, run: fb.Trajectory, n: int) -> float:
    """The distance from the goal at which the run ends, as a fraction of the travel of the coordinates."""
    end = np.array([run.x[-1][:n], motion.x[-1, :n], motion.x[0, :n]])
    return float(np.linalg.norm(end[0] - end[1]) / np.linalg.norm(end[1] - end[2]))


def problems() -> dict[str, tuple[fb.Equations, Motion]]:
    """The three problems, solved."""
    found = {}
    eq = system().derive()
    found["cart-pole"] = eq, transfer(eq, [0, 0, 0, 0], {0: 0.0, 1: np.pi, 2: 0.0, 3: 0.0}, 2.0, 60, 20.0)
    eq = arm().derive()
    goal = {0: 1.5, 1: 1.0, 2: -1.6, 3: 0.0, 4: 0.0, 5: 0.0}
    found["arm"] = eq, transfer(eq, [0, 0.3, 0.4, 0, 0, 0], goal, 0.8, 40, 100.0)
    eq = five_bar().derive()
    q, u = eq.assemble({"left": 2.2, "right": 0.9}, guess={"far_left": -1.4, "far_right": 1.4})
    index = {name: k for k, name in enumerate(eq.q)}
    goal = {index["left"]: 1.7, index["right"]: 0.5, 4 + index["left"]: 0.0, 4 + index["right"]: 0.0}
    found["five-bar"] = eq, transfer(eq, [*q, *u], goal, 0.3, 60, 20.0)
    return found


def main(folder: str = "out") -> Path:
    figure, axes = plt.subplots(2, 3, figsize=(12, 6), layout="constrained", sharex="col")
    for (name, (eq, motion)), column in zip(problems().items(), axes.T, strict=True):
        run = simulate(eq, motion)
        error = travel_error(motion, run, len(eq.q))
        print(f"{name}: {motion.iterations} iterations, {motion.seconds:.2f} s; the run misses by {error:.1e}")
        for k, coordinate in enumerate(eq.q):
            column[0].plot(run.t, run.x[:, k], color=f"C{k}", label=coordinate)
            column[0].plot(motion.t, motion.x[:, k], ".", color=f"C{k}", ms=4)
        column[1].plot(motion.t, motion.inputs, label=list(eq.inputs))
        column[0].set(title=f"{name}, {motion.iterations} iterations", ylabel="coordinates [m, rad]")
        column[1].set(xlabel="t [s]", ylabel="inputs [N, N·m]")
        for one in column:
            one.legend(fontsize="x-small", framealpha=0.5)
    figure.suptitle("optimised (points), and simulated with the inputs that were found (lines)")
    path = Path(folder) / "optimal_control.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
    plt.close(figure)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
