"""Bricard's mechanism: a closed chain of six hinges that moves, although counting its freedoms says that it cannot.

Five bars lie along edges of a cube; neighbouring hinges are perpendicular to each other and to the bar between them
(IFToMM's benchmark A04). Five joint angles and five equations of the hinge that closes the loop would leave no freedom;
one of the equations follows from the others, so that one remains. In every position the angles of neighbouring hinges
are related by cos θ + cos φ + cos θ cos φ = 0 (Chen, You and Tarnai 2005). With one hinge in another direction,
``generic()``, the loop is a rigid structure.

Printed: the degrees of freedom of both, the redundant equation, and how a run of 10 s keeps the loop closed, its
energy, and the relation of the angles. Drawn: the mechanism at several times, and the angles of its hinges.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

CORNERS = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)])  # m, the hinges at first
AXES = np.array([(0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)])
MASS, WIDTH = 1.0, 0.1  # kg, m; of a bar with a square section


def chain(axes: np.ndarray, name: str) -> fb.System:
    """Bars from corner to corner, with all axes along those of the ground at first; the last hinge is on the ground."""
    s = fb.System(name, gravity=(0, -9.81, 0))
    on = s.ground
    for k in range(5):
        bar, before = CORNERS[k + 1] - CORNERS[k], CORNERS[k] - CORNERS[max(k - 1, 0)]
        along, across = MASS * WIDTH**2 / 6, MASS * (1 + WIDTH**2) / 12
        inertia = np.where(bar != 0, along, across)
        on = s.body(
            f"bar{k + 1}",
            on=on,
            at=tuple(before),
            joint=fb.Revolute(tuple(axes[k])),
            mass=MASS,
            com=tuple(bar / 2),
            inertia=tuple(inertia),
        )
        s.output(f"hinge{k + 2}", s.position(on.point(tuple(bar))))
    end = CORNERS[5] - CORNERS[4]
    s.close(on.point(tuple(end)), s.ground.point(tuple(CORNERS[5])), fb.Revolute(tuple(axes[5])), name="last hinge")
    return s


def system() -> fb.System:
    """The mechanism that moves."""
    return chain(AXES, "Bricard's mechanism")


def generic() -> fb.System:
    """The same bars with one hinge that is a little off its direction."""
    axes = AXES.astype(float)
    axes[2] = (1, 0.2, 0.1)
    return chain(axes, "six hinges in other directions")


def relation(run: fb.Trajectory) -> np.ndarray:
    """cos θ + cos φ + cos θ cos φ of neighbouring hinges; θ and φ are 90° in the initial position."""
    a, b = np.sin(run["bar1"]), np.sin(run["bar2"])
    return a + b + a * b


def draw(run: fb.Trajectory, path: Path) -> None:
    figure = plt.figure(figsize=(11, 4.2), layout="constrained")
    left, right = figure.add_subplot(1, 2, 1, projection="3d"), figure.add_subplot(1, 2, 2)
    for colour, t in zip(("0.2", "C0", "C1"), (0.0, 0.45, 0.9), strict=True):
        k = int(np.searchsorted(run.t, t))
        points = np.array([CORNERS[0], *(run[f"hinge{i}"][k] for i in range(2, 7))])
        left.plot(points[:, 0], points[:, 2], points[:, 1], "o-", color=colour, label=f"{t:.2f} s")
    left.set(xlabel="x [m]", ylabel="z [m]", zlabel="y [m]", title="six hinges, five bars and the ground")
    left.legend()
    for k, label in ((1, "hinges 1, 3 and 5"), (2, "hinges 2 and 4")):
        right.plot(run.t, np.degrees(run[f"bar{k}"]), label=label)
    right.set(xlabel="t [s]", ylabel="angle [°]", title="angles of the hinges", xlim=(0, 5))
    right.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "out") -> Path:
    s = system()
    equations = s.derive()
    (loop,) = equations.constraints
    print(f"{s.name}: {equations.degrees_of_freedom} degree of freedom")
    print(*(f"redundant: {name}, {reason}" for name, reason in loop.redundant.items()), sep="\n")
    print(f"{generic().name}: {generic().derive().degrees_of_freedom} degrees of freedom")
    run = equations.simulate(np.linspace(0, 10, 1001), rtol=1e-10, atol=1e-11)
    print(f"drift of the loop {run.drift[0]:.1e} m, energy error {run.energy_error:.1e}")
    print(f"cos θ + cos φ + cos θ cos φ is at most {np.abs(relation(run)).max():.1e}")
    path = Path(folder) / "bricard.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(run, path)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
