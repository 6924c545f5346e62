"""1024 robots Solo12 side by side as one environment of Gymnasium, in lanes with contact.

Actions are the targets of their servos, and the reward is how far they walk. A random search over the gait of
`trotting.py` (rhythm, lift, stride) picks the best of them. Needs `pip install ".[gym]"`.
"""

import time
from typing import Any

import numpy as np
import trotting

import freebody as fb
from freebody.gym import VectorEnv

WORLDS, EPISODE = 1024, 2.0


def robot() -> tuple[fb.System, dict[str, float]]:
    """Solo12 with servos whose targets are inputs."""
    s, pose = trotting.robot()
    for name in pose:
        trotting.servo(s, name, s.input(f"target_{name}", unit="rad"))
    return s, pose


def system() -> fb.System:
    return robot()[0]


def environment(worlds: int = WORLDS) -> tuple[VectorEnv, list[str]]:
    s, pose = robot()
    task: dict[str, Any] = {
        "observation": ["q.base_link.x", "q.base_link.z", "u.base_link.vx"],
        "reward": "u.base_link.vx",
        "terminated": "q.base_link.z < 0.12",
        "actions": {f"target_{name}": (angle - 1.2, angle + 1.2) for name, angle in pose.items()},
        "start": {"q.base_link.z": (0.235, 0.245), **{f"q.{name}": (x, x) for name, x in pose.items()}},
        "dt": 0.01,
        "max_time": EPISODE,
    }
    return VectorEnv(s, worlds, **task, method="contact", step=2e-3), list(pose)


def main(worlds: int = WORLDS) -> float:
    """The best distance in m."""
    envs, names = environment(worlds)
    rng = np.random.default_rng(0)
    gaits = {"rate": rng.uniform(1.0, 4.0, worlds), "lift": rng.uniform(0.1, 0.8, worlds),
             "stride": rng.uniform(0.0, 0.3, worlds)}  # fmt: skip
    seen, _ = envs.reset(seed=1)
    alive, way, steps = np.ones(worlds, bool), np.zeros(worlds), round(EPISODE / 0.01)
    clock = time.perf_counter()
    for k in range(steps - 1):
        seen, _, over, late, _ = envs.step(trotting.targets(names, k * 0.01, **gaits))
        alive &= ~(over | late)
        way = np.where(alive, seen[:, 0], way)
    spent = time.perf_counter() - clock
    best = int(np.argmax(way * alive))
    print(f"{worlds} robots, {EPISODE:g} s: {spent:.2f} s, {worlds * steps * 5 / spent:.2g} steps a second")
    print(f"{alive.mean():.0%} still walk; the best came {way[best]:.2f} m far:", end=" ")
    print(", ".join(f"{name} {gait[best]:.2f}" for name, gait in gaits.items()))
    return float(way[best])


if __name__ == "__main__":
    main()
