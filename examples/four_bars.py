"""Many four-bar linkages in a row, each sharing a bar with the next (IFToMM's benchmark A02).

Bars of 1 m and 1 kg stand upright and start with 1 m/s at their tips. The row has one freedom, except where all bars
lie flat: there it has one more for each four-bar, and every run passes through. All cranks turn alike, so that
θ̈ = c g sin θ with c = ((N + 1)/2 + N) / ((N + 1)/3 + N), whose solution is an elliptic function. Printed: the error of
runs of 1, 10 and 40 four-bars, and their steps. Drawn: a row at several times, and the errors.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import ellipj

import freebody as fb

TIMES = np.linspace(0, 3, 301)


def system(count: int = 10) -> fb.System:
    """Cranks on the ground, and couplers between their ends; a joint at the end of each coupler closes a loop."""
    s = fb.System(f"{count} four-bars")
    upright = {"joint": fb.Revolute("y"), "mass": 1, "com": (0, 0, 0.5), "inertia": fb.rod(1, 1, "z")}
    lying = {"joint": fb.Revolute("y"), "mass": 1, "com": (0.5, 0, 0), "inertia": fb.rod(1, 1, "x")}
    left = s.body("crank0", **upright)
    for k in range(1, count + 1):
        coupler = s.body(f"coupler{k}", on=left, at=(0, 0, 1), **lying)
        left = s.body(f"crank{k}", at=(k, 0, 0), **upright)
        s.close(coupler.point((1, 0, 0)), left.point((0, 0, 1)), fb.Revolute("y"), name=f"pin{k}")
    return s


def exact(count: int, t: np.ndarray) -> np.ndarray:
    """θ of θ̈ = c g sin θ, θ(0) = 0, θ̇(0) = 1: tan(θ/2) is the quotient of two elliptic functions of t/2."""
    m = 4 * 9.81 * ((count + 1) / 2 + count) / ((count + 1) / 3 + count)
    sn, cn, _, _ = ellipj(t / 2 * np.sqrt(1 + m), m / (1 + m))
    return np.unwrap(2 * np.arctan2(sn / np.sqrt(1 + m), cn))


def simulate(count: int) -> fb.Trajectory:
    s = system(count)
    speeds = {name: -1.0 if name.startswith("coupler") else 1.0 for name in s.bodies}
    return s.simulate(TIMES, u=speeds, rtol=1e-9, atol=1e-10)


def draw(runs: dict[int, fb.Trajectory], path: Path) -> None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 3.8), layout="constrained")
    run, count = runs[10], 4
    for colour, t in zip(("0.2", "C0", "C1"), (0.0, 0.45, 0.75), strict=True):
        theta = run["crank0"][int(np.searchsorted(run.t, t))]
        feet = np.arange(count + 1)
        tips = np.array([feet + np.sin(theta), np.full(count + 1, np.cos(theta))])
        left.plot(*tips, "o-", ms=3, color=colour, label=f"{t:.2f} s")
        left.plot([feet, tips[0]], [np.zeros(count + 1), tips[1]], "-", color=colour)
    left.set(xlabel="x [m]", ylabel="z [m]", title="the first four of ten four-bars", aspect="equal")
    left.legend(loc="lower left", fontsize=8)
    for n, one in runs.items():
        right.semilogy(one.t[1:], np.abs(one["crank0"] - exact(n, one.t))[1:] + 1e-16, label=f"N = {n}")
    right.set(xlabel="t [s]", ylabel="rad", title="error of the first crank's angle")
    right.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "out") -> Path:
    runs = {count: simulate(count) for count in (1, 10, 40)}
    for count, run in runs.items():
        error = np.abs(run["crank0"] - exact(count, run.t)).max()
        print(f"N = {count}: error {error:.1e} rad in {run.statistics.steps} steps, drift {run.drift[0]:.1e} m")
    path = Path(folder) / "four_bars.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(runs, path)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
