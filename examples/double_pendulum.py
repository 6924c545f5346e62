"""A double pendulum, its equations, and how far two runs part that begin 0.001 rad from each other.

Two point masses on massless links of 1 m, released at rest with both links level. Printed: the mass matrix in closed
form, the state after 2 s and the error of the energy. Drawn: the path of the tip in both runs, and their distance.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

END = 20.0  # s
APART = 1e-3  # rad, between the two starts


def system() -> fb.System:
    s = fb.System("double pendulum")
    m1, m2, l1, l2 = s.parameters(m1=1.0, m2=1.0, l1=1.0, l2=1.0)
    upper = s.body("upper", joint=fb.Revolute("y"), mass=m1, com=(0, 0, -l1))
    lower = s.body("lower", on=upper, at=(0, 0, -l1), joint=fb.Revolute("y"), mass=m2, com=(0, 0, -l2))
    s.output("tip", s.position(lower.point((0, 0, -l2))))
    return s


def runs(s: fb.System) -> list[fb.Trajectory]:
    """Two runs from rest with links level, the second with its upper link a little lower."""
    times = np.linspace(0, END, 4001)
    return [s.simulate(times, q={"upper": np.pi / 2 - d}, rtol=1e-11, atol=1e-11) for d in (0.0, APART)]


def draw(one: fb.Trajectory, other: fb.Trajectory, path: Path) -> None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
    for run, label in ((one, "from 90°"), (other, f"from 90° − {APART:g} rad")):
        left.plot(run["tip"][:, 0], run["tip"][:, 2], linewidth=0.8, label=label)
    left.set(xlabel="x [m]", ylabel="z [m]", aspect="equal", title=f"path of the tip, {END:g} s")
    left.legend(loc="lower center", bbox_to_anchor=(0.5, 1.08), ncols=2)
    right.semilogy(one.t, np.linalg.norm(one["tip"] - other["tip"], axis=1))
    right.set(xlabel="t [s]", ylabel="distance of the tips [m]", title="two runs part")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "out") -> Path:
    s = system()
    eq = s.derive()
    for (row, column), entry in eq.closed_form("mass_matrix").items():
        print(f"M[{row}, {column}] = {entry}")
    one, other = runs(s)
    at = int(np.searchsorted(one.t, 2.0))
    print("after 2 s:", {n: round(float(one[n][at]), 8) for n in ("upper", "lower", "u.upper", "u.lower")})
    print(f"energy error {one.energy_error:.1e}")
    path = Path(folder) / "double_pendulum.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(one, other, path)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
