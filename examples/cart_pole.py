"""A cart that balances a pole, as an environment of Gymnasium, and a policy that random search trains.

Many worlds are stepped side by side, each with a policy of its own: four gains on the state. The best of each round are
averaged, and the next round tries policies around them. Needs `pip install ".[gym]"`.
"""

from typing import Any

import numpy as np

import freebody as fb
from freebody.gym import Env, VectorEnv

TASK: dict[str, Any] = {
    "observation": ["q.cart", "q.pole", "u.cart", "u.pole"],
    "reward": "1 - 0.01*q.cart**2 - 0.001*push**2",
    "terminated": "(abs(q.pole) > 0.2) + (abs(q.cart) > 2.4)",
    "actions": {"push": (-10, 10)},
    "start": {"q.pole": (-0.05, 0.05), "u.cart": (-0.05, 0.05), "length": (0.4, 0.6)},
    "dt": 0.02,
    "max_time": 10.0,
    "method": "rk4",
    "step": 0.02,
}


def system() -> fb.System:
    s = fb.System("cart-pole")
    length = s.parameter("length", 0.5)  # to the mass centre of the pole, m
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    s.body("pole", on=cart, joint=fb.Revolute("y"), mass=0.1, com=(0, 0, length), inertia=(0.0083, 0.0083, 0))
    s.joint_force(cart, s.input("push", unit="N"))
    return s


def train(worlds: int = 128, rounds: int = 6, seed: int = 0) -> np.ndarray:
    """The gains of a policy: push = gains · observation."""
    env, random, gains, spread = VectorEnv(system(), worlds, **TASK), np.random.default_rng(seed), np.zeros(4), 20.0
    for k in range(rounds):
        tried = gains + spread * random.normal(size=(worlds, 4))
        seen, _ = env.reset(seed=k)
        score, alive = np.zeros(worlds), np.ones(worlds, bool)
        while alive.any():
            seen, reward, over, late, _ = env.step((tried * seen).sum(1, keepdims=True))
            score += reward * alive
            alive &= ~(over | late)
        best = np.argsort(score)[-worlds // 16 :]
        gains, spread = tried[best].mean(axis=0), spread * 0.7
        print(f"round {k + 1}: the best worlds have {score[best].mean():.0f} of 500 points")
    return gains


def main() -> None:
    gains, env, points = train(), Env(system(), **TASK), 0.0
    seen, _ = env.reset(seed=100)
    over = late = False
    while not (over or late):
        seen, reward, over, late, _ = env.step(gains @ seen[:, None])
        points += reward
    run = env.trajectory()
    print(f"push = {' + '.join(f'{g:.1f} {n}' for g, n in zip(gains, TASK['observation'], strict=True))}")
    print(f"a new episode: {points:.0f} points in {run.t[-1]:.2f} s, largest angle {np.abs(run['pole']).max():.3f} rad")


if __name__ == "__main__":
    main()
