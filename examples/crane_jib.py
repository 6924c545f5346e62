"""A crane with a lattice jib slews by a quarter turn; its load swings afterwards.

The jib is a frame: three chords of tubes, and bars as bracing; its three feet are fixed to the slewing ring. The load
hangs from the tip on a rope that stays taut. The drive follows an angle in time. The longer the manoeuvre takes, the
less the load swings after the stop. The jib gives way, which changes the swing little, but it bends by centimetres.

Printed: the modes of the jib; its deflection under the load by all finite elements and by the modes, and the factor of
the load at which the jib would buckle sideways; for manoeuvres of different durations the swing after the stop with the
flexible jib and with a rigid one. Drawn: the jib from the side and from above with its deformation enlarged, and the
swing and the deflection of the tip for one manoeuvre.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.sparse.linalg import eigsh, splu

import freebody as fb

BAYS, BAY, WIDTH, HEIGHT = 8, 2.0, 1.2, 1.2  # m
LOAD, ROPE, RING = 1000.0, 8.0, 4000.0  # kg, m, kg·m² of the slewing ring
E, G, STEEL = 2.1e11, 8.1e10, 7850.0
ANGLE, REST = np.pi / 2, 15.0  # rad, and s of the run after the manoeuvre


def tube(diameter: float, wall: float) -> dict[str, float]:
    """The section of a tube."""
    area, moment = np.pi * diameter * wall, np.pi * diameter**3 * wall / 8
    return {
        "EA": E * area,
        "EI": E * moment,
        "GJ": G * 2 * moment,
        "density": STEEL * area,
        "polar_inertia": STEEL * 2 * moment,
    }


def jib() -> fb.Frame:
    """Along x, two chords below and one above, which meet at the tip."""
    nodes = {}
    for k in range(BAYS + 1):
        taper = 1 - 0.5 * k / BAYS
        nodes |= {
            f"left {k}": (BAY * k, WIDTH / 2 * taper, 0.0),
            f"right {k}": (BAY * k, -WIDTH / 2 * taper, 0.0),
            f"top {k}": (BAY * k, 0.0, HEIGHT * taper),
        }
    nodes["tip"] = (BAY * (BAYS + 0.5), 0.0, 0.0)
    sides = ("left", "right", "top")
    members = [
        {"nodes": [*(f"{side} {k}" for k in range(BAYS + 1)), "tip"], "section": "chord", "elements": 2}
        for side in sides
    ]
    for k in range(BAYS):
        for one, other in zip(sides, ("right", "top", "left"), strict=True):
            across = (f"{one} {k}", f"{other} {k + 1}") if k % 2 else (f"{other} {k}", f"{one} {k + 1}")
            members += [
                {"nodes": [f"{one} {k + 1}", f"{other} {k + 1}"], "section": "brace"},
                {"nodes": across, "section": "brace"},
            ]
    thin = tube(0.04, 0.003)
    brace = {"EA": thin["EA"], "density": thin["density"]}
    return fb.Frame(
        nodes=nodes,
        sections={"chord": tube(0.09, 0.006), "brace": brace},
        members=members,
        frame=["left 0", "right 0", "top 0"],
        interfaces=["tip"],
        static=["tip"],
        damping=0.01,
    )


JIB = jib().reduce(8)
"""With eight modes, and six static displacements of the tip."""


def system(flexible: bool = True) -> fb.System:
    """The angle of the ring is a smooth function of time; the load swings along the jib and across."""
    s = fb.System("crane", gravity=(0, 0, -9.81))
    s.parameter("duration", 14.0, "s")
    motion = f"{ANGLE}*(min(t/duration, 1) - sin(2*pi*min(t/duration, 1))/(2*pi))"
    ring = s.body("ring", joint=fb.Revolute("z", motion=motion), mass=2000.0, inertia=(RING,) * 3)
    left = (0.0, WIDTH / 2, 0.0)
    body = s.body("jib", on=ring, at=left, flexible=JIB, modes=None if flexible else 0)
    tip = body.node("tip")
    load = s.body(
        "load", on=tip, joint=fb.Universal("y", "x", damping=20.0), mass=LOAD, com=(0, 0, -ROPE), inertia=(50.0,) * 3
    )
    s.output("across", s.deflection(tip).dot(body.y))
    s.output("down", -s.deflection(tip).dot(body.z))
    swing = s.position(load.point((0, 0, -ROPE))) - s.position(tip)
    s.output("swing", swing.dot(body.y))
    return s


def static_deflection() -> tuple[float, float, float]:
    """The deflection of the tip under the load by all elements and by the modes, and the factor at which the jib
    buckles."""
    structure = jib().structure()
    feet = np.concatenate([structure.sets[f"{side} 0"] for side in ("left", "right", "top")])
    free = np.flatnonzero(~np.isin(structure.node, feet))
    weight = np.zeros(structure.size)
    tip = structure.unknown[structure.sets["tip"][0], 2]
    weight[tip] = -9.81 * LOAD
    K = structure.stiffness[free][:, free].tocsc()
    u = np.zeros(structure.size)
    u[free] = splu(K).solve(weight[free])
    assert structure.geometric is not None
    factors = eigsh(structure.geometric(u)[free][:, free], 1, K, which="SA", return_eigenvectors=False)
    data = JIB.reduced.data
    shape = data.nodes["tip"].translations[2]
    return -float(u[tip]), float(9.81 * LOAD * shape @ np.linalg.solve(data.K, shape)), -1 / float(factors[0])


def draw(run: fb.Trajectory, rigid: fb.Trajectory, path: Path) -> None:
    body = JIB.reduced
    at = int(np.argmax(np.abs(run["across"])))
    eta = np.array([run[f"jib.m{k + 1}"][at] for k in range(body.data.n)])
    points = body.mesh.points
    moved = points + 20 * body.mesh.shapes @ eta
    figure, axes = plt.subplots(2, 2, figsize=(11, 5), layout="constrained")
    for (axis, title), column in zip(((axes[0, 0], "from the side"), (axes[1, 0], "from above")), (2, 1), strict=True):
        for place, colour in ((points, "0.75"), (moved, "tab:blue")):
            axis.plot(*place[body.mesh.lines][:, :, (0, column)].T, color=colour, lw=0.8)
        axis.set(aspect="equal", title=f"{title}, deformation × 20 at {run.t[at]:.1f} s", xlabel="m")
    for one, name in ((run, "flexible jib"), (rigid, "rigid jib")):
        axes[0, 1].plot(one.t, one["swing"], label=name, lw=1)
    axes[0, 1].set(title="swing of the load across the jib", ylabel="m")
    axes[0, 1].legend()
    axes[1, 1].plot(run.t, 1000 * run["across"], label="across", lw=1)
    axes[1, 1].plot(run.t, 1000 * run["down"], label="down", lw=1)
    axes[1, 1].set(title="deflection of the tip", xlabel="t [s]", ylabel="mm")
    axes[1, 1].legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "out") -> Path:
    cranes = system(), system(flexible=False)
    at_rest = [s.equilibrium().q for s in cranes]
    modes = cranes[0].bodies["jib"].modes
    print("modes of the jib [Hz]: " + ", ".join(f"{w / (2 * np.pi):.2f}" for w in modes.frequencies[:8]))
    whole, reduced, factor = static_deflection()
    print(
        f"deflection under the load: {1000 * whole:.3f} mm by all elements, {1000 * reduced:.3f} mm by the modes;"
        f" the jib buckles under {factor:.1f} times the load"
    )
    print("duration [s]   swing after the stop [m]: flexible, rigid jib   energy error")
    runs = {}
    for duration in (11.0, 14.0, 17.0):
        times = np.linspace(0, duration + REST, 801)
        runs[duration] = [
            s.simulate(times, q=q, parameters={"duration": duration}, rtol=1e-8)
            for s, q in zip(cranes, at_rest, strict=True)
        ]
        swings = [np.abs(run["swing"][run.t > duration]).max() for run in runs[duration]]
        print(f"{duration:8.1f} {swings[0]:30.3f} {swings[1]:17.3f} {runs[duration][0].energy_error:18.1e}")
    path = Path(folder) / "crane_jib.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(*runs[14.0], path)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
