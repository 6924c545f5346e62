"""An environment: one simulator, as Gymnasium sees it."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from freebody.api.equations import Equations
from freebody.api.system import System
from freebody.api.trajectory import Trajectory
from freebody.errors import SimulationError
from freebody.gym.task import (
    Judge,
    Observation,
    Reward,
    Start,
    Task,
    Terminated,
    require_actions,
    require_no_seed,
    seeds_of,
)

Array = NDArray[np.float64]


class Env(gymnasium.Env[Array, Array]):
    """A system (or its equations) as an environment of Gymnasium.

    ``observation``: names of recorded variables and texts, ``["q.cart", "cos(q.pole)", "tip"]``, or a function of the
    simulator. ``reward``: a text over the state after the step, in which inputs are the actions, a number, or a
    function of observation and action. ``terminated``: a text that is not 0 where the episode ends,
    ``"abs(q.pole) > 0.3"``, or a function of the observation. ``actions``: inputs with their limits,
    ``{"push": (-10, 10)}``, to which actions are limited; they are held for ``dt`` seconds. After ``max_time`` the
    episode is truncated. ``start``: what is drawn at a reset, uniformly: states and parameters by name,
    ``{"q.pole": (-0.05, 0.05), "m": (0.9, 1.1)}``, or a function of a random generator that returns
    ``{"q": {"pole": 0.1}}``, with the keys q, u, z and parameters. ``reset(options=…)`` takes such values too.

    Other arguments are those of ``simulator``: method, step, rtol, inputs, events, … A terminal event ends the episode.
    Where the motion cannot go on, the episode ends too: the observation stays, the reward is 0, and the reason is in
    ``info["failed"]``."""

    def __init__(
        self,
        system: System | Equations,
        *,
        observation: Observation,
        reward: Reward,
        actions: Mapping[str, Any],
        dt: float,
        terminated: Terminated = None,
        max_time: float | None = None,
        start: Start = None,
        **options: Any,
    ) -> None:
        require_no_seed(options)
        self.task = Task(observation, reward, terminated, actions, dt, max_time, start)
        self.simulator = sim = system.simulator(**options)
        self.action_space = space = self.task.action_space(sim.settable)
        self.task.check_start(sim.compiled.about.state, list(sim.compiled.parameters))
        self._low, self._high, self._names = space.low, space.high, list(actions)
        self._most = self.task.steps
        self._whole = self._names == list(sim.settable)
        self._judge, self._count = Judge(self.task, sim), 0
        self._seen = self._judge.observe()[0]
        self.observation_space = Box(-np.inf, np.inf, self._seen.shape, np.float64)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin an episode; a seed makes it and those that follow repeatable."""
        super().reset(seed=seed)
        values = self.task.draw(self.np_random, None, options)
        self.simulator.reset(**values, seed=seeds_of(self.simulator, self.np_random, None))
        self._count, self._seen = 0, self._judge.observe()[0]
        return self._seen.copy(), {}

    def step(self, action: Array) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Hold an action for ``dt`` seconds."""
        sim = self.simulator
        row = np.minimum(np.maximum(np.asarray(action, float), self._low), self._high)
        require_actions(row, self._low.shape)
        sim.set(inputs=row if self._whole else dict(zip(self._names, row.tolist(), strict=True)))
        self._count += 1
        late = self._count >= self._most
        try:
            sim.step(self.task.dt)
        except SimulationError as error:
            return self._seen.copy(), 0.0, True, late, {"failed": str(error)}
        self._seen, reward, over = self._judge(row)
        return self._seen.copy(), float(reward), bool(over) or bool(sim.message), late, {}

    def trajectory(self) -> Trajectory:
        """The episode so far as a run, to plot, to save or to show: ``env.trajectory().animate("episode.html")``."""
        run: Trajectory = self.simulator.trajectory()
        return run
