"""An arm that carries a load three times as heavy as its controllers know.

Computed torque inverts a wrong model and keeps an error. Sliding modes with a boundary layer bound it: |e| < φ/λ.
Adaptive control learns the load. A high-gain observer replaces the measured speeds, so that angles alone are measured.
Drawn: the errors of the elbow, the sliding variables with their layer, and the observed speed.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

WAVES = {"shoulder": "0.6*sin(1.3*t) + 0.3*sin(2.9*t)", "elbow": "0.8*cos(1.9*t) - 0.5*sin(0.7*t)"}
RATE, LAYER = 8.0, 0.05
GAINS = {"shoulder": 60.0, "elbow": 25.0}
KNOWN, TRUE = 1.0, 3.0


def system() -> fb.System:
    s = fb.System("arm")
    load = s.parameter("payload", TRUE, unit="kg")
    inertia = fb.rod(2.0, 0.5, "z")
    upper = s.body("shoulder", joint=fb.Revolute("y", damping=0.1), mass=2.0, com=(0, 0, -0.25), inertia=inertia)
    hinge = fb.Revolute("y", armature=0.02)
    lower = s.body("elbow", on=upper, at=(0, 0, -0.5), joint=hinge, mass=0.5, com=(0, 0, -0.2), inertia=(0.01, 0.01, 0))
    s.body("load", on=lower, at=(0, 0, -0.4), joint=fb.Weld(), mass=load)
    for name in WAVES:
        s.joint_force(name, s.input(f"motor.{name}", unit="N·m"))
    return s


def run_of(kind: str) -> tuple[fb.TrackingLaw, fb.Trajectory, dict[str, str]]:
    """A run of the arm under a controller; the last also names the observed speeds."""
    s, speeds = system(), dict[str, str]()
    if kind == "adaptive":
        control = fb.adaptive_control(s, WAVES, RATE, {"shoulder": 30.0, "elbow": 12.0}, 1.0)
    elif kind == "computed torque":
        control = fb.computed_torque(s, WAVES, RATE, parameters={"payload": KNOWN})
    else:
        control = fb.sliding_mode(s, WAVES, RATE, GAINS, LAYER, parameters={"payload": KNOWN})
    law = control.law
    if kind == "sliding mode, angles alone":
        observer = fb.high_gain_observer(s, 4000.0, parameters={"payload": KNOWN})
        law, speeds = observer.in_law(law), observer.u
    for name in WAVES:
        s.output(f"error.{name}", control.error[name])
        s.output(f"s.{name}", control.surface[name])
    times = np.linspace(0, 12, 2401)
    return control, s.simulate(times, q={"shoulder": 0.3, "elbow": 0.6}, inputs=law), speeds


def draw(runs: dict[str, fb.Trajectory], speed: str, path: Path) -> None:
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
    for kind, run in runs.items():
        left.semilogy(run.t, np.abs(run["error.elbow"]) + 1e-9, linewidth=0.8, label=kind)
    left.axhline(LAYER / RATE, color="k", linestyle=":", label="φ/λ")
    left.set(xlabel="t [s]", ylabel="|error| of the elbow [rad]", ylim=(1e-6, 3), title="unknown load")
    left.legend(fontsize="small")
    run = runs["sliding mode"]
    middle.plot(run.t, run["s.shoulder"], label="shoulder")
    middle.plot(run.t, run["s.elbow"], label="elbow")
    middle.axhspan(-LAYER, LAYER, alpha=0.2)
    middle.set(xlabel="t [s]", ylabel="s [rad/s]", xlim=(0, 0.2), title="sliding variables and their layer")
    middle.legend()
    run = runs["sliding mode, angles alone"]
    right.plot(run.t, run["u.elbow"], label="speed of the elbow")
    right.plot(run.t, run[speed], ":", label="observed")
    right.set(xlabel="t [s]", ylabel="rad/s", xlim=(0, 0.5), title="high-gain observer")
    right.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "out") -> Path:
    kinds = ("computed torque", "sliding mode", "sliding mode, angles alone", "adaptive")
    runs, speeds = dict[str, fb.Trajectory](), dict[str, str]()
    print(f"a load of {TRUE:g} kg; the controllers know {KNOWN:g} kg, the adaptive one knows nothing")
    print(f"bound of sliding modes: φ/λ = {LAYER / RATE:g} rad")
    for kind in kinds:
        control, runs[kind], found = run_of(kind)
        speeds |= found
        late = runs[kind].t > 8
        errors = [np.abs(runs[kind][f"error.{n}"][late]).max() for n in control.error]
        print(f"{kind}: largest errors after 8 s {errors[0]:.1e} and {errors[1]:.1e} rad")
    path = Path(folder) / "uncertain_load.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(runs, speeds["elbow"], path)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
