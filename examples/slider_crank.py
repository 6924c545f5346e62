"""A spatial slider-crank: the crank turns about x, and the slider moves along x. A ball joint connects the rod to the
crank and a universal joint connects it to the slider (IFToMM's spatial rigid slider-crank mechanism).

Crank and slider are on the ground, the rod is on the crank; the universal joint closes the loop. Printed: the degrees
of freedom, the speeds that follow from 6 rad/s of the crank, how well the run keeps loop and energy, and the operations
of the accelerations by two solvers. Drawn: the mechanism, the slider's position, the crank's speed.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

CRANK, ROD, SPEED = 0.08, 0.3, 6.0  # m, m, rad/s
PIVOT = np.array([0, 0.1, 0.12])  # m; on the crank's axis
PIN = PIVOT + np.array([0, 0, CRANK])
END = np.array([0.2, 0, 0])  # on the slider's line, at the distance of the rod from the pin
MASSES = {"crank": 0.12, "rod": 0.5, "slider": 2.0}  # kg


def system() -> fb.System:
    """All frames are parallel to the ground's in the initial position."""
    s = fb.System("spatial slider-crank")
    along = (END - PIN) / ROD
    across = np.cross([1, 0, 0], along)
    across /= np.linalg.norm(across)
    rod_inertia = 0.004 * np.eye(3) - 0.0036 * np.outer(along, along)
    crank = s.body(
        "crank",
        at=tuple(PIVOT),
        joint=fb.Revolute("x"),
        mass=MASSES["crank"],
        com=(0, 0, CRANK / 2),
        inertia=(1e-4, 1e-4, 1e-5),
    )
    rod = s.body(
        "rod",
        on=crank,
        at=(0, 0, CRANK),
        joint=fb.Spherical(),
        mass=MASSES["rod"],
        com=tuple(ROD / 2 * along),
        inertia=rod_inertia,
    )
    slider = s.body("slider", joint=fb.Prismatic("x", initial=END[0]), mass=MASSES["slider"], inertia=(1e-4,) * 3)
    frame = np.column_stack([(1, 0, 0), across, np.cross([1, 0, 0], across)])  # x of the slider, y across the rod
    s.close(slider, rod.point(tuple(ROD * along)), fb.Universal("x", "y"), orient=frame, orient_to=frame, name="fork")
    s.output("pin", s.position(rod))
    s.output("rod centre velocity", s.velocity(rod.point(tuple(ROD / 2 * along))))
    s.output("rod angular velocity", s.angular_velocity(rod))
    return s


def draw(run: fb.Trajectory, path: Path) -> None:
    figure = plt.figure(figsize=(12, 3.8), layout="constrained")
    left = figure.add_subplot(1, 3, 1, projection="3d")
    for k in range(0, 101, 20):
        end = (run["slider"][k], 0, 0)
        left.plot(*np.array([PIVOT, run["pin"][k], end]).T, "o-", ms=3, color=plt.cm.viridis(k / 120))
    left.set(xlabel="x [m]", ylabel="y [m]", title="crank and rod, z [m] upwards")
    for place, key, label in ((2, "slider", "position of the slider [m]"), (3, "u.crank", "crank's speed [rad/s]")):
        axes = figure.add_subplot(1, 3, place)
        axes.plot(run.t, run[key])
        axes.set(xlabel="t [s]", ylabel=label)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "out") -> Path:
    s = system()
    equations = s.derive()
    print(f"{len(equations.u)} speeds, {equations.degrees_of_freedom} degree of freedom")
    run = equations.simulate(np.linspace(0, 5, 501), u={"crank": SPEED}, rtol=1e-9, atol=1e-10)
    print(f"slider at {run['slider'][0]:.3f} m with {run['u.slider'][0]:.3f} m/s")
    print("rod's angular velocity:", ", ".join(f"{x:.3f}" for x in run["rod angular velocity"][0]), "rad/s")
    print(f"drift of the loop {run.drift[0]:.1e} m, energy error {run.energy_error:.1e}")
    for solver in ("tree", "sparse"):
        print(f"u̇ by solver {solver}: {s.derive(solver=solver).operations['forward_dynamics'].total} operations")
    path = Path(folder) / "slider_crank.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(run, path)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
