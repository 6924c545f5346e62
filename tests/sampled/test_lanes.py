"""Random sensors and controllers have one motion in every kind of run: single, swept, stepped, side by side, loaded."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb

KEYS = [
    "q.a",
    "u.a",
    "motor",
    "second",
    "ang",
    "imu.gyro.y",
    "imu.drift.gyro.y",
    "imu.accel.z",
    "sp",
    "c.i",
    "outer.ref",
]
RATES: list[Any] = [50, 75, Fraction(400, 3), 200]
END, GAINS, SEEDS = 0.3, [5.0, 8.0], [3, 4]


def model(kind: str, seed: int) -> tuple[fb.System, dict[str, float]]:
    """A slider-crank, a pendulum with an oblique joint, or one with a quaternion, with samples at random rates."""
    random, s, start = np.random.default_rng(seed), fb.System("m"), {"a": 0.4}
    s.parameters(k=8.0, g1=float(random.uniform(0.5, 2)))
    motor, second, wind = s.input("motor"), s.input("second"), s.input("wind")
    moments = (0.03, 0.05, 0.04)
    if kind == "loop":
        a = s.body("a", joint=fb.Revolute("y", damping=0.1), mass=1.0, com=(0.25, 0, 0), inertia=moments)
        rod = fb.Revolute("y", damping=0.05)
        b = s.body("b", on=a, at=(0.5, 0, 0), joint=rod, mass=0.7, com=(0.5, 0, 0), inertia=moments)
        slide = s.body("slide", joint=fb.Prismatic("x", damping=0.3), mass=0.5)
        s.close(b.point((1.0, 0, 0)), slide, fb.Revolute("y"))
        turn = np.arcsin(0.5 * np.sin(start["a"]))
        start |= {"b": float(-start["a"] - turn), "slide": float(0.5 * np.cos(start["a"]) + np.cos(turn))}
    else:
        a = s.body("a", joint=fb.Revolute("y", damping=0.1), mass=1.0, com=(0, 0, -0.5), inertia=moments)
        joint = fb.Spherical() if kind == "quaternion" else fb.Revolute((0.6, 0.8, 0), damping=0.05)
        b = s.body("b", on=a, at=(0, 0, -1), joint=joint, mass=0.5, com=(0.02, 0.01, -0.3), inertia=moments)
    s.joint_force(a, motor + wind + 0.1 * second)
    s.sensor(
        "ang", fb.Encoder(a, counts=500, rate=RATES[random.integers(4)], delay=[0, 0.0021, 0.013][random.integers(3)])
    )
    errors = {"noise_density": {"gyro": 1e-3, "accel": 1e-2}, "bias_walk": {"gyro": 1e-3}}
    s.sensor("imu", fb.IMU(b.point((0, 0, -0.1)), rate=RATES[random.integers(4)], **errors))
    s.sensor(
        "sp", of="u.a", rate=RATES[random.integers(4)], noise="0.01 + 0.01*abs(u.a)", resolution=1e-3, delay_samples=1
    )
    s.controller("outer", rate=20, offset=0.01, states={"ref": "0.9*ref + 0.1*sin(3*t)"})
    s.controller(
        "c",
        law={"motor": "k*(outer.ref - ang) - g1*sp + i"},
        states={"i": "i + 0.1*(outer.ref - ang)"},
        rate=RATES[random.integers(4)],
        delay=[0, 0.0033, 0.02][random.integers(3)],
        saturation=(-8, 8),
        anti_windup={"i": "hold"},
        rate_limit=500,
    )
    s.controller("d", law={"second": "motor/10 - imu.gyro.y/5"}, period="1/75", delay_samples=1, quantisation=0.01)
    return s, start


@pytest.mark.parametrize("method", ["dop853", "dopri5", "rodas5p", "radau"])
@pytest.mark.parametrize("kind", ["tree", "loop", "quaternion"])
def test_every_kind_of_run_is_the_same(kind: str, method: str, tmp_path: Path) -> None:
    s, start = model(kind, 1)
    options: dict[str, Any] = {"q": start, "inputs": {"wind": 0.7}, "method": method}
    loaded, t = fb.load(s.save(tmp_path / "m.yaml")), [0.0, END]

    def single(system: Any, case: int) -> list[float]:
        run = system.simulate(t, parameters={"k": GAINS[case]}, seed=SEEDS[case], **options)
        return [run[key][-1] for key in KEYS]

    rows = np.array([single(s, 0), single(s, 1)])
    assert np.isfinite(rows).all() and np.all(rows[0, :3] != rows[1, :3])
    assert single(loaded, 0) == rows[0].tolist()
    sweep = s.sweep(t, {"k": GAINS, "seed": SEEDS}, grid=False, record=KEYS, **options)
    names = [next(str(name) for name in sweep if str(name) == key or str(name).endswith(f".{key}")) for key in KEYS]
    assert np.array_equal(np.array([sweep[name].values[:, -1] for name in names]).T, rows)
    sim = s.simulator(parameters={"k": GAINS[0]}, seed=SEEDS[0], **options)
    sim.run_until(END)
    assert [sim[key] for key in KEYS] == rows[0].tolist()
    sim.reset()
    sim.step(END / 3)
    saved = sim.save().save(tmp_path / "now.npz")
    sim.step(END / 3)
    stepped = [sim[key] for key in KEYS]
    other = s.simulator(**{**options, "inputs": {"wind": 0.0}})
    other.restore(fb.Snapshot.load(saved))
    other.step(END / 3)
    assert [other[key] for key in KEYS] == stepped
    if method == "radau":
        return
    sims = s.simulators(2, parameters={"k": GAINS}, **options)
    sims.reset(seed=SEEDS)
    sims.run_until(END)
    assert np.array_equal(np.array([sims[key] for key in KEYS]).T, rows)
    sims.reset(seed=SEEDS)
    sims.step(END / 3)
    sims.step(END / 3)
    assert [sims[key][0] for key in KEYS] == stepped
