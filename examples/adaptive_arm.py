"""A PUMA 560 whose controller does not know its masses, mass centres and inertias.

Adaptive computed torque begins with all 36 base parameters at zero and estimates them while the arm follows sums of
sines, from the errors alone: neither accelerations are measured nor is anything inverted. The estimates converge
because the motion excites them all. Drawn: the errors of the joints, the Lyapunov function V of errors and estimates
with what its decrease adds up to, and the estimates relative to the true values.
`python examples/adaptive_arm.py [seconds]`
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from robots import puma560

import freebody as fb

BANDWIDTH, RATE = 5.0, 1.0
"""Of the errors and of the estimates, 1/s."""
GAINS = (40.0, 24.0, 8.0, 1.2, 0.2, 0.1)
LARGE = 0.1
"""Parameters above this are drawn."""


def system() -> fb.System:
    """The arm with a motor at each joint."""
    s = puma560.system()
    for name in list(s.bodies):
        s.joint_force(s.bodies[name], s.input(f"motor.{name}", unit="N·m"), name=f"drive.{name}")
    return s


def references(names: list[str]) -> dict[str, str]:
    """Three sines for each joint."""
    rng = np.random.default_rng(0)
    waves = {n: rng.uniform((0.2, 0.5, 0), (0.5, 3, 6), (3, 3)) for n in names}
    return {n: " + ".join(f"{a:.2f}*sin({w:.2f}*t + {p:.2f})" for a, w, p in rows) for n, rows in waves.items()}


def adapted(seconds: float) -> tuple[fb.TrackingLaw, fb.Trajectory]:
    s = system()
    names = list(s.bodies)
    control = fb.adaptive_control(
        s, references(names), BANDWIDTH, dict(zip(names, GAINS, strict=True)), RATE, window=20.0
    )
    s.state("decrease", rate=control.decrease)
    s.output("V", control.lyapunov)
    for name, error in control.error.items():
        s.output(f"error.{name}", error)
    times = np.linspace(0, seconds, 1 + round(20 * seconds))
    return control, s.simulate(times, inputs=control.law, rtol=1e-7, atol=1e-9)


def draw(control: fb.TrackingLaw, run: fb.Trajectory, path: Path) -> None:
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
    for name in control.error:
        left.semilogy(run.t, np.abs(run[f"error.{name}"]) + 1e-9, linewidth=0.6, label=name)
    left.set(xlabel="t [s]", ylabel="|error| [rad]", title="errors of the joints", ylim=(1e-6, 1))
    left.legend(ncols=2, fontsize="small")
    middle.semilogy(run.t, run["V"], label="V")
    middle.semilogy(run.t, run["V"][0] + run["decrease"], "k:", label="V(0) − ∫ sᵀKs dt")
    middle.set(xlabel="t [s]", title="Lyapunov function")
    middle.legend()
    for name, true in control.estimates.items():
        if abs(true) > LARGE:
            right.plot(run.t, run[name] / true, linewidth=0.8, label=name.removeprefix("estimate."))
    right.set(xlabel="t [s]", ylabel="estimate / true value", title="estimates", ylim=(-0.5, 2.5))
    right.legend(fontsize="small", ncols=2)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(seconds: float = 60.0, folder: str = "out") -> Path:
    control, run = adapted(seconds)
    V, found = run["V"], {name: run[name][-1] for name in control.estimates}
    first, last = (
        max(np.abs(run[f"error.{n}"][part]).max() for n in control.error) for part in (slice(0, 40), slice(-40, None))
    )
    print(f"{len(found)} base parameters, all estimates 0 at first")
    print(f"largest error of a joint: {first:.3g} rad in the first two seconds, {last:.2g} rad in the last two")
    print(f"V from {V[0]:.4g} to {V[-1]:.2g}; largest increase {np.diff(V).max():.1e}")
    print(f"V − V(0) and −∫ sᵀKs dt differ by {np.abs(V - V[0] - run['decrease']).max():.1e}\n")
    print(f"{'base parameter':<24} {'true':>10} {'estimate':>10}")
    for name, true in control.estimates.items():
        if abs(true) > LARGE:
            print(f"{name.removeprefix('estimate.'):<24} {true:10.4f} {found[name]:10.4f}")
    path = Path(folder) / "adaptive_arm.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(control, run, path)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
