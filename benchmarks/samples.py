"""Figures of sampled controllers and sensors: what a sample costs inside a run, over the integration itself.

    python benchmarks/samples.py

The integration takes the same steps without the controller: one between two samples, by ``max_step``.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import timing
from numpy.typing import NDArray

import freebody as fb

Array = NDArray[np.float64]
Row = tuple[str, float, float | None, dict]
END, RATE, ROUNDS = 10.0, 1000, 15
TIMES = np.array([0.0, END])


def pendulum() -> fb.System:
    s = fb.System("pendulum")
    s.input("motor")
    s.body("arm", joint=fb.Revolute("y"), mass=1, com=(0.3, 0, 0), inertia=(0.1,) * 3)
    s.joint_force("arm", "motor")
    return s


def floats(t: float, y: Array) -> float:
    q, u = y.tolist()
    return 3 * (1 - q) - 0.5 * u


GAINS = np.array([[-3.0, -0.5]])


def vectors(t: float, y: Array) -> Array:
    return GAINS @ y


def samples() -> list[Row]:
    """A law at 1 kHz as text and as Python functions: microseconds a sample, over the integration."""
    free, text = pendulum().derive(), pendulum()
    text.controller("pd", rate=RATE, law={"motor": "3*(1 - q.arm) - 0.5*u.arm"})
    controlled = text.derive()

    def python(function: Callable[..., Any]) -> Callable[[], Any]:
        controllers = {"pd": fb.PythonController(function, rate=RATE, reads=["q.arm", "u.arm"])}
        return lambda: free.simulate(TIMES, controllers=controllers)

    rivals: dict[str, Callable[[], Any]] = {
        "integration": lambda: free.simulate(TIMES, inputs={"motor": 0.1}, max_step=1 / RATE),
        "text": lambda: controlled.simulate(TIMES),
        "Python, floats": python(floats),
        "Python, NumPy": python(vectors),
    }
    runs = {name: run() for name, run in rivals.items()}
    times = timing.seconds(rivals, rounds=ROUNDS)
    count, base = END * RATE, times["integration"]["median"]
    rows = []
    for name, target in (("text", 1.0), ("Python, floats", 6.0), ("Python, NumPy", 6.0)):
        value = (times[name]["median"] - base) / count * 1e6
        more = {"seconds": times, "steps": {n: run.statistics.steps for n, run in runs.items()}}
        rows.append((f"a law at 1 kHz inside a run, over the integration, µs a sample: {name}", value, target, more))
    return rows


def sensors() -> list[Row]:
    """Sensors at 1 kHz: microseconds a sample, over the integration. The IMU has six channels with noise and drift."""
    errors: dict[str, Any] = {"noise_density": 1e-3, "bias_walk": 1e-4}
    kinds: dict[str, Callable[[Any], Any]] = {
        "a speed with noise": lambda arm: fb.Tachometer(arm, rate=RATE, noise=0.01),
        "an encoder": lambda arm: fb.Encoder(arm, rate=RATE, counts=4096),
        "an IMU without errors": lambda arm: fb.IMU(arm.point((0.6, 0, 0)), rate=RATE),
        "an IMU, 12 random numbers": lambda arm: fb.IMU(arm.point((0.6, 0, 0)), rate=RATE, **errors),
    }
    free = pendulum().derive()
    rivals: dict[str, Callable[[], Any]] = {
        "integration": lambda: free.simulate(TIMES, inputs={"motor": 0.1}, max_step=1 / RATE)
    }
    for name, make in kinds.items():
        s = pendulum()
        s.sensor("sensor", make(s.bodies["arm"]))
        equations = s.derive()
        rivals[name] = lambda equations=equations: equations.simulate(TIMES, inputs={"motor": 0.1})  # type: ignore[misc]
    runs = {name: run() for name, run in rivals.items()}
    times = timing.seconds(rivals, rounds=ROUNDS)
    count, base = END * RATE, times["integration"]["median"]
    rows = []
    for name in kinds:
        value = (times[name]["median"] - base) / count * 1e6
        more = {"seconds": times, "steps": {n: run.statistics.steps for n, run in runs.items()}}
        target = 2.0 if "random" in name else 1.0
        rows.append((f"{name} at 1 kHz inside a run, over the integration, µs a sample", value, target, more))
    return rows


JOBS = {"sampled controllers": samples, "sensors": sensors}

if __name__ == "__main__":
    for name, value, target, _ in [*samples(), *sensors()]:
        print(f"{name}: {value:.2f} (at most {target:g})")
