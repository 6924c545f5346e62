"""An arm of two links that reaches for targets, as an environment of Gymnasium, and a policy that random search trains.

The target is a pair of parameters, drawn anew at each reset. Observations are texts: for each joint the torque with
which a pull of the tip to the target turns it, Jᵀ e, and its speed; the policy has a gain for each of these numbers.
Needs `pip install ".[gym]"`.
"""

from typing import Any

import numpy as np

import freebody as fb
from freebody.gym import VectorEnv

REACH = "(x - tip.x)*(-(tip.y - {y})) + (y - tip.y)*(tip.x - {x})"
AWAY = "sqrt((x - tip.x)**2 + (y - tip.y)**2)"
TASK: dict[str, Any] = {
    "observation": [REACH.format(x="0", y="0"), REACH.format(x="elbow.x", y="elbow.y"), "u.upper", "u.lower"],
    "reward": f"-{AWAY} - 0.01*(shoulder**2 + bend**2)",
    "actions": {"shoulder": (-1, 1), "bend": (-1, 1)},
    "start": {"q.upper": (-3, 3), "q.lower": (-2, 2), "x": (-0.12, 0.12), "y": (-0.12, 0.12)},
    "dt": 0.02,
    "max_time": 3.0,
}


def system() -> fb.System:
    s = fb.System("reacher", gravity=(0, 0, 0))
    s.parameters(x=0.1, y=0.0)  # the target, m
    upper = s.body(
        "upper", joint=fb.Revolute("z", damping=0.005), mass=0.5, com=(0.05, 0, 0), inertia=fb.rod(0.5, 0.1, "x")
    )
    lower = s.body(
        "lower", upper, fb.Revolute("z", damping=0.005), (0.1, 0, 0), mass=0.4, com=(0.055, 0, 0),
        inertia=fb.rod(0.4, 0.11, "x"),
    )  # fmt: skip
    s.joint_force(upper, s.input("shoulder", unit="N*m"))
    s.joint_force(lower, s.input("bend", unit="N*m"))
    s.output("elbow", s.position(lower))
    s.output("tip", s.position(lower.point((0.11, 0, 0))))
    return s


def episode(env: VectorEnv, gains: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The mean reward of each world, and its distance from the target at the end. Gains: a row for each world."""
    seen, _ = env.reset(seed=seed)
    total, late = np.zeros(env.num_envs), np.zeros(env.num_envs, bool)
    while not late.any():
        seen, reward, _, late, _ = env.step(gains[:, [0, 1]] * seen[:, [0, 1]] + gains[:, [2, 3]] * seen[:, [2, 3]])
        total += reward
    return total / env.task.steps, env.simulators.reader([AWAY])()[:, 0]


def train(worlds: int = 256, rounds: int = 8, seed: int = 0) -> np.ndarray:
    env, random, gains, spread = VectorEnv(system(), worlds, **TASK), np.random.default_rng(seed), np.zeros(4), 1.0
    for k in range(rounds):
        tried = gains + spread * random.normal(size=(worlds, 4)) * (20, 20, 0.2, 0.2)
        score, _ = episode(env, tried, k)
        best = np.argsort(score)[-worlds // 8 :]
        gains, spread = tried[best].mean(axis=0), spread * 0.8
        print(f"round {k + 1}: mean reward {score.mean():.3f}, of the best {score[best].mean():.3f}")
    return gains


def main() -> None:
    gains = train()
    env = VectorEnv(system(), 500, **TASK)
    _, away = episode(env, np.tile(gains, (500, 1)), 1000)
    print(f"gains {', '.join(f'{g:.3g}' for g in gains)}")
    print(f"500 new targets: median distance at the end {np.median(away) * 1000:.1f} mm")


if __name__ == "__main__":
    main()
