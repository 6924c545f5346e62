"""The inertial parameters of an arm, from its motion and its motors' torques.

A UR5 follows sums of sines under a controller; its motors' torques are measured with noise. tau = Y π is linear in the
bodies' masses, first moments and inertias π, but of the 60 numbers only 36 combinations, the base parameters, change
anything. Weighted least squares finds them, and how sure it is. Drawn: the measured torques, and how far each parameter
is from its true value. `python examples/identification.py [samples]`
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from robots import ur5

import freebody as fb

SECONDS, STEP = 20.0, 0.1
NOISE = np.array([1.0, 1.0, 1.0, 0.1, 0.1, 0.1])
"""Standard deviation of each motor's measured torque, N·m."""
SURE = 4.0
"""Standard deviations within which all parameters should be found."""


def system() -> fb.System:
    """The arm with a motor at each joint."""
    s = ur5.system()
    for name in list(s.bodies):
        s.joint_force(s.bodies[name], s.input(f"motor.{name}", unit="N·m"), name=f"drive.{name}")
    return s


def laws(names: list[str], rng: np.random.Generator) -> dict[str, str]:
    """Each motor pulls its joint to a sum of sines of its own, heavy joints harder."""
    made = {}
    for name, stiff in zip(names, (4000, 4000, 2000, 200, 200, 100), strict=True):
        sines = [f"{a:.3f}*sin({w:.3f}*t + {p:.3f})" for a, w, p in rng.uniform((0.2, 0.5, 0), (0.6, 3, 6), (4, 3))]
        made[f"motor.{name}"] = f"{stiff}*({' + '.join(sines)} - q.{name}) - {stiff / 20}*u.{name}"
    return made


def measured(samples: int, rng: np.random.Generator) -> tuple[fb.Equations, dict[str, np.ndarray]]:
    """q, u, u̇ of a run and the torques with their noise."""
    s = system()
    eq, names = s.derive(), list(s.bodies)
    times = np.concatenate([[0.0], np.linspace(1.0, SECONDS, samples)])  # the first second settles
    run = eq.simulate(times, inputs=laws(names, rng))
    held = {letter: np.stack([run[f"{letter}.{n}"] for n in names], axis=1)[1:] for letter in ("q", "u", "u_dot")}
    tau = np.stack([run[f"drive.{n}"] for n in names], axis=1)[1:]
    return eq, {**held, "tau": tau + NOISE * rng.normal(size=tau.shape)}


def identified(eq: fb.Equations, data: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The base parameters of the model, those found in the data, and their standard deviations."""
    base = eq.base_parameters()
    Y = base.columns(eq.compile().regressor(data["q"], data["u"], data["u_dot"]))
    W, b = (Y / NOISE[:, None]).reshape(-1, len(base)), (data["tau"] / NOISE).ravel()
    found = np.linalg.lstsq(W, b, rcond=None)[0]
    sigma = np.sqrt(np.diag(np.linalg.inv(W.T @ W)))
    return base.of(eq.inertial_parameters().values), found, sigma


def shown(text: str, width: int = 62) -> str:
    return text if len(text) <= width else f"{text[: width - 2]} …"


def draw(data: dict[str, np.ndarray], distance: np.ndarray, path: Path) -> None:
    """``distance``: of each parameter from its true value, in standard deviations."""
    figure, (above, below) = plt.subplots(2, 1, figsize=(10, 6), layout="constrained")
    times = np.linspace(1.0, SECONDS, len(data["tau"]))
    above.plot(times, data["tau"], linewidth=0.7, label=[f"motor {k + 1}" for k in range(len(NOISE))])
    above.set(xlabel="t [s]", ylabel="torque [N·m]", title="measured torques")
    above.legend(ncols=6, loc="lower center", bbox_to_anchor=(0.5, -0.35))
    below.bar(np.arange(1, len(distance) + 1), distance)
    below.axhspan(-SURE, SURE, alpha=0.1)
    below.set(xlabel="base parameter", ylabel="(found − true)/σ", title="errors in standard deviations")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(samples: int = 2000, folder: str = "out") -> int:
    """Prints the table and returns 1 if a parameter is far from where it should be."""
    rng = np.random.default_rng(0)
    eq, data = measured(samples, rng)
    true, found, sigma = identified(eq, data)
    print(f"{10 * len(eq.u)} inertial parameters, {len(true)} base parameters, {samples} samples\n")
    print(f"{'base parameter':<62} {'true':>10} {'found':>10} {'± 1σ':>9}")
    for row in zip(eq.base_parameters().texts, true, found, sigma, strict=True):
        print(f"{shown(row[0]):<62} {row[1]:10.5f} {row[2]:10.5f} {row[3]:9.1e}")
    worst = float(np.max(np.abs(found - true) / sigma))
    verdict = "all within" if worst < SURE else "NOT all within"
    print(f"\n{verdict} {SURE:g} standard deviations; the farthest: {worst:.1f}")
    path = Path(folder) / "identification.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(data, (found - true) / sigma, path)
    print(f"picture: {path}")
    return int(worst >= SURE)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
