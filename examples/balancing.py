"""A pole that is balanced on a cart from noisy, sampled measurements of two positions.

Every 10 ms the cart's position (σ = 2 mm) and the pole's angle (σ = 10 mrad) are measured. An extended Kalman filter
estimates positions and speeds, and a state feedback, designed for this period, holds its force until the next sample;
a gust pushes the pole after three seconds. For comparison the same feedback takes speeds from differences of the
measurements. Drawn: the angle, its speed with the estimate and its band of two standard deviations, and the forces.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import freebody as fb

PERIOD, END, GUST = 0.01, 6.0, 3.0
SIGMA = np.array([0.002, 0.01])


def system() -> fb.System:
    s = fb.System("cart-pole")
    force, gust = s.input("force", unit="N"), s.input("gust", unit="N")
    cart = s.body("cart", joint=fb.Prismatic("x", damping=0.5), mass=1.0)
    pole = s.body("pole", on=cart, joint=fb.Revolute("y", damping=0.01), mass=0.2, com=(0, 0, 0.5))
    s.joint_force(cart, force)
    s.force(s.ground.vector((gust, 0, 0)), at=pole.point((0, 0, 0.5)))
    return s


class Record(dict[str, list[float]]):
    """Values by name, sample by sample."""

    def note(self, **values: float) -> None:
        for name, value in values.items():
            self.setdefault(name, []).append(float(value))


def balanced(filtered: bool) -> Record:
    """A run with the filter, or with differences of the measurements."""
    s, random, record = system(), np.random.default_rng(7), Record()
    lin = s.linearize(inputs=["force"])
    K = fb.lqr(
        lin, fb.bryson({"q.cart": 0.5, "q.pole": 0.2, "u.cart": 2, "u.pole": 2}), fb.bryson({"force": 5}), PERIOD
    )
    process = {"force": 1e-4, "gust": 2e-3}
    spread = {"q.cart": 0.1, "q.pole": 0.1, "u.cart": 0.2, "u.pole": 0.2}
    ekf = fb.ExtendedKalmanFilter(s, PERIOD, ["q.cart", "q.pole"], noise=SIGMA**2, process=process, spread=spread)
    sim, last = s.simulator(q={"cart": 0.2, "pole": 0.15}), None
    while sim.t < END - 1e-9:
        y = np.array([sim["q.cart"], sim["q.pole"]]) + SIGMA * random.normal(size=2)
        ekf.update(y)
        speeds = np.zeros(2) if last is None else (y - last) / PERIOD
        estimate, last = ekf.x if filtered else np.concatenate([y, speeds]), y
        force = float(-(K @ estimate)[0])
        sim.inputs["force"] = force
        sim.inputs["gust"] = 2.0 if GUST <= sim.t < GUST + 0.1 else 0.0
        own = dict(zip(ekf.states, ekf.deviations, strict=True))
        record.note(t=sim.t, angle=sim["q.pole"], speed=sim["u.pole"], estimate=estimate[3], force=force)
        record.note(cart=sim["q.cart"], deviation=own["u.pole"])
        ekf.predict({"force": force})
        sim.step(PERIOD)
    return record


def draw(runs: dict[str, Record], path: Path) -> None:
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
    for kind, run in runs.items():
        left.plot(run["t"], run["angle"], label=kind)
        right.step(run["t"], run["force"], where="post", linewidth=0.6, label=kind)
    left.set(xlabel="t [s]", ylabel="angle of the pole [rad]")
    right.set(xlabel="t [s]", ylabel="force [N]")
    run = runs["Kalman filter"]
    t, estimate, band = (np.array(run[name]) for name in ("t", "estimate", "deviation"))
    middle.plot(t, run["speed"], label="speed of the pole")
    middle.plot(t, estimate, linewidth=0.8, label="estimate")
    middle.fill_between(t, estimate - 2 * band, estimate + 2 * band, alpha=0.2, label="± 2σ")
    middle.set(xlabel="t [s]", ylabel="rad/s")
    for axes in (left, middle, right):
        axes.legend(fontsize="small")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "out") -> Path:
    runs = {"differences": balanced(False), "Kalman filter": balanced(True)}
    for kind, run in runs.items():
        quiet = np.array(run["t"]) > GUST + 2
        errors = np.array(run["estimate"]) - np.array(run["speed"])
        force = np.std(np.array(run["force"])[quiet])
        print(f"{kind}: error of the speed {np.std(errors[100:]):.3f} rad/s, force at rest ± {force:.2f} N,", end=" ")
        print(f"angle at rest ± {np.std(np.array(run['angle'])[quiet]) * 1e3:.1f} mrad")
    inside = np.abs(np.array(runs["Kalman filter"]["estimate"]) - runs["Kalman filter"]["speed"])
    share = np.mean(inside < 2 * np.array(runs["Kalman filter"]["deviation"]))
    print(f"{100 * share:.0f} % of the estimates are within two standard deviations")
    path = Path(folder) / "balancing.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(runs, path)
    print(f"picture: {path}")
    return path


if __name__ == "__main__":
    main()
