"""A ball rolls in a bowl of hills: a heightfield, bilinear between the points of its grid, and friction.

Printed: energies at the start and at the end, what friction and dissipation took, and how well the balance holds; the
longest flight and slide; and the speed at the lowest point beside that of a ball that rolls without losses. Drawn: the
path of the ball on the relief, its energies, and how near it is to rolling without slip.
"""

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

MASS, RADIUS = 0.2, 0.05  # kg, m
SPACING, SIZE = 0.025, 3.0  # m
START, END = (0.9, 0.9), 10.0  # m, s


def height(x: Any, y: Any) -> Any:
    return 0.1 * (x**2 + y**2) + 0.05 * np.cos(3.2 * x + 0.5) * np.cos(3.6 * y - 0.4)


def centre(x: float, y: float) -> np.ndarray:
    """The centre of a ball that touches the hills at (x, y)."""
    h = 1e-6
    slopes = [(height(x + h, y) - height(x - h, y)) / (2 * h), (height(x, y + h) - height(x, y - h)) / (2 * h)]
    normal = np.array([-slopes[0], -slopes[1], 1.0])
    return np.array([x, y, height(x, y)]) + RADIUS * normal / np.linalg.norm(normal)


def system() -> fb.System:
    s = fb.System("ball on hills")
    x, y, z = centre(*START)
    bands = [fb.Sphere(RADIUS, color="tomato"), fb.Cylinder(1.04 * RADIUS, 0.02, color="white", name="band")]
    ball = s.body("ball", joint=fb.Free(initial=(x, y, z, 1, 0, 0, 0)), mass=MASS, inertia=fb.sphere(MASS, RADIUS),
                  shape=bands)  # fmt: skip
    grid = np.arange(-SIZE / 2, SIZE / 2 + SPACING / 2, SPACING)
    hills = fb.Heightfield(height(grid[:, None], grid), SPACING, color="darkseagreen", name="hills")
    rubber = fb.ContactMaterial(stiffness=2e3, dissipation=1.0, friction=0.4, name="rubber")
    s.contact(ball.shape("sphere"), s.ground.shape(hills), rubber, "hills")
    return s


def draw(run: fb.Trajectory, path: Path) -> None:
    figure, axes = plt.subplot_mosaic(
        [["relief", "energy"], ["relief", "normal"]], figsize=(10, 5.4), width_ratios=(1.35, 1), layout="constrained"
    )
    relief, energy, normal = axes["relief"], axes["energy"], axes["normal"]
    grid = np.linspace(-SIZE / 2, SIZE / 2, 301)
    heights = height(grid[:, None], grid).T
    shown = relief.contourf(grid, grid, heights, 24, cmap="gist_earth", alpha=0.8)
    relief.contour(grid, grid, heights, 24, colors="k", linewidths=0.3, alpha=0.5)
    relief.plot(run["ball.x"], run["ball.y"], color="tomato", lw=2)
    for k, text in ((0, "start"), (-1, "end")):
        place = run["ball.x"][k], run["ball.y"][k]
        relief.add_patch(plt.Circle(place, RADIUS, fc="tomato", ec="k"))
        relief.annotate(text, place, xytext=(7, 4), textcoords="offset points")
    relief.set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title="path of the ball in 10 s")
    figure.colorbar(shown, ax=relief, label="height [m]", shrink=0.8)
    for name in ("total", "kinetic", "potential"):
        energy.plot(run.t, run[f"energy.{name}"], label=name, lw=1.2)
    energy.plot(run.t, -run["work.load.hills"], label="taken by losses", lw=1.2)
    energy.set(title="energy", ylabel="J", ylim=(-0.02, 1.35 * run["energy.total"][0]))
    energy.legend(fontsize=8, ncols=2, loc="upper center")
    normal.plot(run.t, run["contact.hills.normal"] / (9.81 * MASS), lw=0.6)
    normal.set(title="normal force over the weight", xlabel="t [s]", ylim=(0, 2))
    figure.savefig(path, dpi=100)
    plt.close(figure)


def longest(t: np.ndarray, holds: np.ndarray) -> float:
    """The longest time during which something holds, in s."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], holds.astype(int), [0]])))
    spans = [t[min(b, len(t) - 1)] - t[a] for a, b in edges.reshape(-1, 2)]
    return float(max(spans, default=0.0))


def main(folder: str = "out") -> Path:
    s = system()
    run = s.simulate(np.linspace(0, END, 2001), method="dopri5", rtol=1e-6, atol=1e-8)
    energy, taken = run["energy.total"], -run["work.load.hills"][-1]
    print(f"energy: {energy[0]:.4f} J at the start, {energy[-1]:.4f} J at the end, losses {taken:.4f} J, ", end="")
    print(f"off balance by {abs(energy[-1] - energy[0] + taken):.1e} J")
    gap, slip = run["contact.hills.gap"], run["contact.hills.slip"]
    print(
        f"longest flight {1e3 * longest(run.t, gap > 0):.0f} ms, longest slide {1e3 * longest(run.t, slip > 0):.0f} ms"
    )
    fastest = int(np.argmax(run["energy.kinetic"]))
    drop = run["ball.z"][0] - run["ball.z"][fastest]
    speed = float(np.linalg.norm([run[f"u.ball.v{c}"][fastest] for c in "xyz"]))
    rolling = np.sqrt(10 / 7 * 9.81 * drop)
    print(
        f"fastest at {run.t[fastest]:.2f} s: {speed:.3f} m/s, without losses and spin √(10/7 g h) = {rolling:.3f} m/s"
    )
    path = Path(folder) / "ball_on_heightfield.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(run, path)
    run.at(np.linspace(0, END, 401)).animate(path.with_suffix(".html"))
    print(f"picture: {path}; motion: {path.with_suffix('.html')}")
    return path


if __name__ == "__main__":
    main()
