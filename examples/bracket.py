"""A motor with an unbalanced rotor runs up on a bracket, which is a solid of finite elements.

The bracket is an angle of aluminium, meshed with hexahedra. It is bolted down at four places under its foot, and the
motor sits on a patch of its wall. Both are sets of nodes that are tied rigidly. The structure is reduced to eight modes
of vibration and the static displacements of the seat (Craig–Bampton). Motor and rotor are rigid bodies on the node
"seat"; the speed of the rotor increases steadily through the lowest resonances.

Printed: the structure, the frequencies of the bracket alone and with the motor, and the speed of the rotor at which the
motor moves most. Drawn: the shape of the first mode with the motor, and the motion of the motor while the rotor runs
up.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection
from skfem import MeshHex

import freebody as fb

FOOT, WIDTH, WALL, THICKNESS = 0.16, 0.12, 0.18, 0.01  # m
ALUMINIUM = {"young": 7e10, "poisson": 0.33, "density": 2700.0}
MOTOR, ROTOR, OFFSET = 2.0, 0.6, 5e-5  # kg, kg, m: the mass centre of the rotor is beside its axis
END, FASTEST = 6.0, 2 * np.pi * 120  # s, rad/s


def angle() -> fb.Structure:
    """The bracket: a foot in the plane z = 0 and a wall at x = 0."""
    x = np.r_[0.0, np.linspace(THICKNESS, FOOT, 8)]
    y = np.linspace(-WIDTH / 2, WIDTH / 2, 9)
    z = np.r_[0.0, np.linspace(THICKNESS, WALL, 9)]
    box = MeshHex.init_tensor(x, y, z)
    middle = box.p[:, box.t].mean(1)
    mesh = box.restrict(np.flatnonzero((middle[0] < THICKNESS) | (middle[2] < THICKNESS)))

    def bolts(p: np.ndarray) -> np.ndarray:
        near = [np.hypot(p[:, 0] - bx, p[:, 1] - by) < 0.016 for bx in (0.05, 0.13) for by in (-0.04, 0.04)]
        return np.any(near, axis=0) & (p[:, 2] < 1e-9)

    def seat(p: np.ndarray) -> np.ndarray:
        return (p[:, 0] < 1e-9) & (np.abs(p[:, 1]) < 0.031) & (np.abs(p[:, 2] - 0.13) < 0.035)

    return fb.solid_structure(mesh, **ALUMINIUM, sets={"bolts": bolts, "seat": seat}, name="bracket")


def reduced(structure: fb.Structure) -> fb.ReducedBody:
    """The bracket by eight modes with the bolts and the seat as interfaces."""
    return structure.reduce(8, interfaces={"bolts": "bolts", "seat": "seat"}, frame="bolts", damping=0.01)


def system(bracket: fb.ReducedBody | None = None) -> fb.System:
    """The bracket with a motor before its wall, whose rotor turns about x faster and faster."""
    bracket = bracket or reduced(angle())
    s = fb.System("bracket", gravity=(0, 0, 0))
    seat = s.body("bracket", joint=fb.Weld(), flexible=bracket).node("seat")
    motor = s.body("motor", on=seat, mass=MOTOR, com=(-0.05, 0, 0), inertia=(0.002, 0.003, 0.003))
    s.body(
        "rotor",
        on=motor,
        at=(-0.05, 0, 0),
        joint=fb.Revolute("x", motion=f"{FASTEST / END / 2}*t**2"),
        mass=ROTOR,
        com=(0, 0, OFFSET),
        inertia=(1e-4, 2e-4, 2e-4),
    )
    s.output("motion", s.deflection(seat))
    return s


def frequencies(system: fb.System, count: int) -> np.ndarray:
    """The lowest frequencies in Hz of the linearised motion."""
    values = system.linearize().eigenvalues
    return np.sort(np.abs(values[values.imag > 1.0]))[:count] / (2 * np.pi)


def turns(run: fb.Trajectory) -> np.ndarray:
    """The speed of the rotor in revolutions per second."""
    return FASTEST / END * np.asarray(run.t) / (2 * np.pi)


def draw(bracket: fb.ReducedBody, run: fb.Trajectory, path: Path) -> None:
    figure = plt.figure(figsize=(11, 4.2), layout="constrained")
    left, right = figure.add_subplot(1, 2, 1, projection="3d"), figure.add_subplot(1, 2, 2)
    mesh = bracket.reduced.mesh
    shape = mesh.shapes[:, :, 0]
    size = np.linalg.norm(shape, axis=1)
    points = mesh.points + shape * 0.05 / size.max()
    colours = plt.get_cmap("viridis")(size[mesh.triangles].mean(1) / size.max())
    left.add_collection3d(Poly3DCollection(points[mesh.triangles], facecolors=colours))
    left.add_collection3d(Line3DCollection(mesh.points[mesh.lines], colors="0.6", linewidths=0.7))
    low, high = points.min(0), points.max(0)
    left.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
    left.set_title("first mode, and the shape at rest")
    left.set_box_aspect(high - low)
    left.set_axis_off()
    for k, axis in enumerate("xyz"):
        right.plot(turns(run), 1e3 * run["motion"][:, k], label=axis, linewidth=0.8)
    right.set(xlabel="speed of the rotor, rev/s", ylabel="motion of the seat, mm", title="run-up")
    right.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "out") -> Path:
    structure = angle()
    print(structure)
    bracket = reduced(structure)
    alone = [mode.frequency / (2 * np.pi) for mode in bracket.modal_data().modes[:4]]
    s = system(bracket)
    loaded = frequencies(s, 4)
    print("bracket alone:  ", ", ".join(f"{f:.1f}" for f in alone), "Hz")
    print("with the motor: ", ", ".join(f"{f:.1f}" for f in loaded), "Hz")
    run = s.simulate(np.linspace(0, END, 4801))
    size = np.linalg.norm(run["motion"], axis=1)
    print(f"largest motion of the seat: {1e3 * size.max():.3f} mm at {turns(run)[size.argmax()]:.1f} rev/s")
    path = Path(folder) / "bracket.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(bracket, run, path)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
