"""A governor holds the speed of an engine: balls that fly outwards lift a sleeve, and the sleeve closes the throttle.

The spindle carries two arms with balls at their ends and a sleeve that slides on it; two rods connect the arms to the
sleeve and close two loops. The engine's torque falls with the height of the sleeve. At a constant speed ω the balls are
h = g (m + M) / (m ω²) below the pivots (Porter's governor: balls m, sleeve M, arms and rods of equal length); from this
follow the speeds at which the engine runs under a load. Printed: these speeds and those of a run in which the load
drops. Drawn: the speed and the sleeve in the run, with enough damping of the sleeve and with too little.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

ARM, BALL, SLEEVE, GRAVITY = 0.3, 2.0, 10.0, 9.81  # m, kg, kg, m/s²
FLYWHEEL = 15.0  # kg·m²
OPEN, GAIN = 400.0, 1000.0  # N·m with the sleeve at the pivots' height less 2 ARM; N·m per metre that it rises
BEFORE, AFTER, DROP = 200.0, 150.0, 2.0  # N·m of load, and when it changes, s
DAMPING = {"damped": 100.0, "undamped": 20.0}  # N·s/m, of the sleeve


def system(damping: float = DAMPING["damped"]) -> fb.System:
    """Arms hang on the spindle's axis in the plane of x and z."""
    s = fb.System("governor", gravity=(0, 0, -GRAVITY))
    spindle = s.body("spindle", joint=fb.Revolute("z"), inertia=(FLYWHEEL, FLYWHEEL, FLYWHEEL))
    sleeve = s.body("sleeve", on=spindle, joint=fb.Prismatic("z", initial=-0.45, damping=damping), mass=SLEEVE)
    for name, axis in (("left", "y"), ("right", "-y")):
        arm = s.body(name, on=spindle, joint=fb.Revolute(axis, initial=0.7), mass=BALL, com=(0, 0, -ARM))
        s.rod(arm.point((0, 0, -ARM)), sleeve, ARM, name=f"{name} rod")
        s.output(f"{name} ball", s.position(arm.point((0, 0, -ARM))))
    load = s.input("load", "N·m", "torque that the engine drives")
    s.joint_force(spindle, f"{OPEN} - {GAIN}*(q.sleeve + {2 * ARM})", name="engine")
    s.joint_force(spindle, -load, name="brake")
    return s


def steady_state(load: float) -> tuple[float, float]:
    """Speed and sleeve at which the engine's torque is that of the load: the sleeve is 2 h below the pivots."""
    sleeve = (OPEN - load) / GAIN - 2 * ARM
    return float(np.sqrt(GRAVITY * (BALL + SLEEVE) / BALL / (-sleeve / 2))), sleeve


def drop(damping: float) -> fb.Trajectory:
    """The run in which the load drops, from the steady state before."""
    s, (speed, sleeve) = system(damping), steady_state(BEFORE)
    load = ([0, DROP, DROP + 0.01, 12], [BEFORE, BEFORE, AFTER, AFTER])
    times = np.linspace(0, 12, 1201)
    return s.simulate(times, q={"sleeve": sleeve}, u={"spindle": speed}, inputs={"load": load})


def draw(runs: dict[str, fb.Trajectory], path: Path) -> None:
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
    run = runs["damped"]
    for k, colour in ((0, "0.2"), (-1, "C0")):
        angle, low = run["left"][k], run["sleeve"][k]
        x, z = ARM * np.sin(angle), -ARM * np.cos(angle)
        left.plot([0, x, 0, -x, 0], [0, z, low, z, 0], "-", color=colour)
        left.plot([x, -x], [z, z], "o", ms=12, color=colour, label=f"{run['u.spindle'][k]:.2f} rad/s")
        left.plot([0], [low], "s", ms=9, color=colour)
    left.axvline(0, color="0.8", zorder=0)
    left.set(xlabel="m", ylabel="m", title="balls, arms, rods and sleeve", aspect="equal")
    left.legend(loc="upper right", fontsize=8)
    for name, one in runs.items():
        middle.plot(one.t, one["u.spindle"], label=name)
        right.plot(one.t, 100 * one["sleeve"], label=name)
    middle.axhline(steady_state(AFTER)[0], color="0.6", ls="--", lw=1)
    middle.set(xlabel="t [s]", ylabel="rad/s", title="speed; the load drops at 2 s")
    right.set(xlabel="t [s]", ylabel="cm", title="height of the sleeve")
    right.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "out") -> Path:
    runs = {name: drop(damping) for name, damping in DAMPING.items()}
    run = runs["damped"]
    print(f"{system(0).derive().degrees_of_freedom} degrees of freedom")
    print(f"steady speeds: {steady_state(BEFORE)[0]:.4f} and {steady_state(AFTER)[0]:.4f} rad/s")
    print(f"of the run: {run['u.spindle'][0]:.4f} and {run['u.spindle'][-1]:.4f} rad/s")
    print(f"lengths of the rods are kept to {run.drift[0]:.1e} m")
    for name, damping in DAMPING.items():
        equations, (speed, sleeve) = system(damping).derive(), steady_state(BEFORE)
        steady = equations.equilibrium(
            q={"sleeve": sleeve}, u={"spindle": speed}, inputs={"load": BEFORE}, free=["u.spindle"]
        )
        (swing,) = (x for x in equations.linearize(at=steady).eigenvalues if x.imag > 0)
        growth = "grows" if swing.real > 0 else "decays"
        print(f"{name}: the swing of {swing.imag:.2f} rad/s {growth} as exp({swing.real:.2f} t)")
    path = Path(folder) / "governor.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(runs, path)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
