"""A Stewart platform: six legs of variable length carry a platform, which follows a circle and tilts.

Each leg is a cylinder on a universal joint and a piston that slides in it; ball joints connect the pistons to the
platform and close six loops. The inverse dynamics with ``actuated=`` computes the forces of the pistons for a
motion of the platform. A simulation under these forces with a weak feedback returns the motion; without the
computed forces the same feedback does not. Drawn: platform and legs, the forces, and the distance from the path.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

FEET = [(1.2 * np.cos(a), 1.2 * np.sin(a), 0.0) for a in np.radians([10, 110, 130, 230, 250, 350])]  # m
TIPS = [(0.7 * np.cos(a), 0.7 * np.sin(a), 0.0) for a in np.radians([50, 70, 170, 190, 290, 310])]
LEGS = range(6)
PERIOD, RADIUS, HEIGHT, TILT = 2.0, 0.15, 1.2, 0.2  # s, m, m, rad
STIFFNESS, DAMPING = 2000.0, 300.0  # N/m, N·s/m of the feedback of each leg
TIMES = np.linspace(0, PERIOD, 81)


def system() -> fb.System:
    s = fb.System("Stewart platform")
    platform = s.body(
        "platform",
        joint=fb.Free(initial=(RADIUS, 0, HEIGHT, 1, 0, 0, 0)),
        mass=50.0,
        com=(0, 0, 0.1),
        inertia=(4.0, 4.0, 7.0),
    )
    for k, (foot, tip) in enumerate(zip(FEET, TIPS, strict=True)):
        leg = np.add((RADIUS, 0, HEIGHT), tip) - foot
        length = np.linalg.norm(leg)
        towards = (-np.arctan2(leg[1], leg[2]), np.arcsin(leg[0] / length))
        cylinder = s.body(
            f"cylinder{k}",
            at=foot,
            joint=fb.Universal("x", "y", initial=towards),
            mass=4.0,
            com=(0, 0, 0.3),
            inertia=(0.2, 0.2, 0.01),
        )
        piston = s.body(
            f"piston{k}",
            on=cylinder,
            joint=fb.Prismatic("z", initial=length),
            mass=2.0,
            com=(0, 0, -0.4),
            inertia=(0.1, 0.1, 0.005),
        )
        s.close(piston, platform.point(tip), fb.Spherical(), name=f"ball{k}")
        force, length, rate = (s.input(f"{name}{k}") for name in ("force", "length", "rate"))  # N, m, m/s
        feedback = STIFFNESS * (length - piston.q[0]) + DAMPING * (rate - piston.u[0])
        s.joint_force(piston, force + feedback, name=f"actuator{k}")
    s.output("centre", s.position(platform))
    return s


def motion(t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The platform's coordinates, speeds and their rates: a circle, and a tilt about x that comes and goes."""
    w = 2 * np.pi / PERIOD
    c, si = np.cos(w * t), np.sin(w * t)
    angle, rate, second = TILT * (1 - c) / 2, TILT * w * si / 2, TILT * w**2 * c / 2
    p, v, a = RADIUS * np.array([[c, si, 0], [-w * si, w * c, 0], [-(w**2) * c, -(w**2) * si, 0]])
    R = np.array([[1, 0, 0], [0, np.cos(angle), -np.sin(angle)], [0, np.sin(angle), np.cos(angle)]])
    omega = np.array([rate, 0, 0])
    q = np.array([*np.add(p, (0, 0, HEIGHT)), np.cos(angle / 2), np.sin(angle / 2), 0, 0])
    u = np.array([*omega, *R.T @ v])
    return q, u, np.array([second, 0, 0, *R.T @ a - np.cross(omega, R.T @ v)])  # components along the platform's axes


def inverse_dynamics(equations: fb.Equations) -> dict[str, np.ndarray]:
    """Lengths of the pistons, their rates, and their forces at TIMES."""
    f, pistons = equations.compile(), [f"piston{k}" for k in LEGS]
    at_q, at_u = ([names.index(n) for n in pistons] for names in (equations.q, equations.u))
    none, q = np.zeros(3 * len(LEGS)), equations.assemble()[0]
    result: dict[str, list[np.ndarray]] = {"length": [], "rate": [], "force": []}
    for t in TIMES:
        pose, twist, acceleration = motion(t)
        q, _ = equations.assemble([*pose, *q[7:]], hold="platform")
        G = f.constraint(q, np.zeros(len(equations.u)))["G"]
        u = np.array([*twist, *np.linalg.solve(G[:, 6:], -G[:, :6] @ twist)])
        gamma = f.constraint(q, u)["gamma"]
        u_dot = np.array([*acceleration, *np.linalg.solve(G[:, 6:], gamma - G[:, :6] @ acceleration)])
        tau = f.inverse_dynamics(q, u, u_dot, actuated=pistons, inputs=none)
        feedback = -STIFFNESS * q[at_q] - DAMPING * u[at_u]  # with inputs of zero it acts against the legs
        for name, values in (("length", q[at_q]), ("rate", u[at_u]), ("force", tau[at_u] + feedback)):
            result[name].append(values)
    return {name: np.array(rows) for name, rows in result.items()}


def follow(equations: fb.Equations, plan: dict[str, np.ndarray]) -> fb.Trajectory:
    """The run under a plan's forces, with feedback of lengths and rates."""
    laws = {f"{name}{k}": fb.table(f"{name}{k}", TIMES, plan[name][:, k], "cubic") for name in plan for k in LEGS}
    speeds = dict(zip(equations.u[:6], motion(0.0)[1], strict=True))
    return equations.simulate(TIMES, u=speeds, inputs=laws)


def distance(run: fb.Trajectory) -> np.ndarray:
    """Of the platform from its path, m."""
    return np.linalg.norm(run["centre"] - [motion(t)[0][:3] for t in run.t], axis=1)


def draw(run: fb.Trajectory, blind: fb.Trajectory, plan: dict[str, np.ndarray], path: Path) -> None:
    figure = plt.figure(figsize=(12, 4), layout="constrained")
    left = figure.add_subplot(1, 3, 1, projection="3d")
    for k in LEGS:
        tip = np.add(motion(0.0)[0][:3], TIPS[k])
        left.plot(*np.array([FEET[k], tip]).T, color="0.3")
    left.plot(*np.add(motion(0.0)[0][:3], [*TIPS, TIPS[0]]).T, color="C0")
    left.plot(*run["centre"].T, color="C1")
    left.set(xlabel="x [m]", ylabel="y [m]", title="legs, platform and its path, z [m] upwards")
    middle, right = figure.add_subplot(1, 3, 2), figure.add_subplot(1, 3, 3)
    middle.plot(TIMES, plan["force"])
    middle.set(xlabel="t [s]", ylabel="force [N]", title="forces of the pistons")
    right.semilogy(run.t[1:], 1000 * distance(run)[1:], label="with computed forces")
    right.semilogy(blind.t[1:], 1000 * distance(blind)[1:], label="feedback alone")
    right.set(xlabel="t [s]", ylabel="mm", title="distance of the platform from its path")
    right.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "out") -> Path:
    equations = system().derive()
    print(f"{len(equations.u)} speeds, {equations.degrees_of_freedom} degrees of freedom")
    plan = inverse_dynamics(equations)
    print(f"forces of the pistons from {plan['force'].min():.1f} to {plan['force'].max():.1f} N")
    run, blind = follow(equations, plan), follow(equations, {**plan, "force": np.zeros_like(plan["force"])})
    far, blind_far = 1000 * distance(run).max(), 1000 * distance(blind).max()
    print(f"distance from the path: {far:.1e} mm, by feedback alone {blind_far:.1f} mm")
    print(f"drift of the loops {run.drift[0]:.1e} m")
    path = Path(folder) / "stewart.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(run, blind, plan, path)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
