"""A four-bar linkage: a crank turns, a rocker swings, and a coupler between them closes the loop.

Crank and rocker are on the ground, the coupler is on the crank; a revolute joint closes the loop between coupler and
rocker. Printed: the degrees of freedom, the equations of the closing joint that are needed, the consistent initial
state, the range of the rocker, and how well the run keeps the loop closed and its energy balanced. Drawn: the linkage
with the path of a point of the coupler, the angle of the rocker, and the force in the closing joint.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

CRANK, COUPLER, ROCKER, GROUND = 0.10, 0.30, 0.25, 0.28  # m; the shortest bar can turn fully
DENSITY = 8.0  # kg/m
SPEED = 20.0  # rad/s, of the crank


def system() -> fb.System:
    """The linkage in the plane of x and z; the bars lie along their x axes, and angles count from x to z."""
    s = fb.System("four-bar")
    joint = fb.Revolute("-y")

    def bar(length: float) -> dict[str, object]:
        m = DENSITY * length
        return {"joint": joint, "mass": m, "com": (length / 2, 0, 0), "inertia": fb.rod(m, length, "x")}

    crank = s.body("crank", **bar(CRANK))
    coupler = s.body("coupler", on=crank, at=(CRANK, 0, 0), **bar(COUPLER))
    rocker = s.body("rocker", at=(GROUND, 0, 0), **bar(ROCKER))
    s.close(coupler.point((COUPLER, 0, 0)), rocker.point((ROCKER, 0, 0)), joint, name="pin")
    s.input("motor", "N·m", "torque on the crank")
    s.joint_force(crank, "motor", name="drive")
    s.output("crank pin", s.position(coupler))
    s.output("rocker pin", s.position(rocker.point((ROCKER, 0, 0))))
    s.output("tracer", s.position(coupler.point((COUPLER / 2, 0, 0.1))))
    return s


def draw(run: fb.Trajectory, path: Path) -> None:
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
    A, B, P = (100 * run[name][:, [0, 2]] for name in ("crank pin", "rocker pin", "tracer"))
    left.plot(*P.T, color="C1", lw=1)
    for k, colour in ((0, "0.2"), (len(run.t) // 8, "0.75")):
        left.plot(*np.array([(0, 0), A[k], P[k], B[k], A[k]]).T, "-", color=colour)
        left.plot(*np.array([B[k], (100 * GROUND, 0)]).T, "-", color=colour)
        left.plot(*np.array([(0, 0), A[k], B[k], (100 * GROUND, 0)]).T, "o", color=colour, ms=4)
    left.set(xlabel="x [cm]", ylabel="z [cm]", title="linkage, and path of a point of the coupler", aspect="equal")
    middle.plot(np.degrees(run["crank"]), np.degrees(run["rocker"]))
    middle.set(xlabel="angle of the crank [°]", ylabel="angle of the rocker [°]", title="swing of the rocker")
    force = np.hypot(run["multiplier.pin.force.x"], run["multiplier.pin.force.z"])
    right.plot(run.t, force)
    right.set(xlabel="t [s]", ylabel="force [N]", title="force in the closing joint", ylim=(0, None))
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "out") -> Path:
    s = system()
    equations = s.derive()
    (pin,) = equations.constraints
    print(f"{len(equations.u)} speeds, {equations.degrees_of_freedom} degree of freedom")
    print(f"equations of the closing joint: {', '.join(pin.multipliers)}; left out: {', '.join(pin.omitted)}")
    guess, motor = {"coupler": -0.5, "rocker": 2.0}, f"-0.02*(u.crank - {SPEED})"
    q, u = s.assemble([1.0, guess["coupler"], guess["rocker"]], [SPEED, 0, 0], hold="crank")
    print("initial angles:", ", ".join(f"{n} {np.degrees(x):.2f}°" for n, x in zip(equations.q, q, strict=True)))
    run = s.simulate(np.linspace(0, 1.0, 501), q=q, u=u, inputs={"motor": motor})
    low, high = np.degrees(run["rocker"].min()), np.degrees(run["rocker"].max())
    print(f"the rocker swings from {low:.2f}° to {high:.2f}°")
    print(f"drift of the loop {run.drift[0]:.1e} m, of its speeds {run.drift[1]:.1e} m/s")
    print(f"energy error {run.energy_error:.1e}")
    path = Path(folder) / "four_bar.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(run, path)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
