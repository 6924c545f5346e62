"""Many environments side by side, as Gymnasium sees them: simulators in lanes."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as Base
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from freebody.api.equations import Equations
from freebody.api.system import System
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


class VectorEnv(Base[Array, Array, NDArray[Any]]):
    """So many worlds of a system as a vector environment of Gymnasium. Arguments are those of ``Env`` and of
    ``simulators``; functions take observations and actions of all worlds, (worlds, …), and return a number for each.

    A world whose episode has ended begins anew in the next step, which ignores its action and has the reward 0
    (``AutoresetMode.NEXT_STEP``). All worlds draw from one random generator, and laws in t see the time since the last
    ``reset`` of all. Where the motion of a world cannot go on, its episode ends: the observation stays, the reward is
    0, and it is marked in ``info["failed"]``."""

    def __init__(
        self,
        system: System | Equations,
        num_envs: int,
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
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}
        require_no_seed(options)
        self.task = Task(observation, reward, terminated, actions, dt, max_time, start)
        self.simulators = sims = system.simulators(num_envs, **options)
        self.num_envs, space = sims.count, self.task.action_space(sims.settable)
        self.task.check_start(sims.compiled.about.state, list(sims.compiled.parameters))
        self.single_action_space, self._low, self._high, self._names = space, space.low, space.high, list(actions)
        self._most = self.task.steps
        self._whole = self._names == list(sims.settable)
        sims.warns_of_failure = False  # they are marked
        self._judge, self._seen = Judge(self.task, sims), np.empty(0)
        self._seen = self._judge.observe()[0]
        self.single_observation_space = Box(-np.inf, np.inf, self._seen.shape[1:], np.float64)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._count, self._over = np.zeros(self.num_envs), np.zeros(self.num_envs, bool)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin an episode in all worlds."""
        super().reset(seed=seed)
        sims, values = self.simulators, self.task.draw(self.np_random, self.num_envs, options)
        sims.reset(**values, seed=seeds_of(sims, self.np_random, self.num_envs))
        self._count[:], self._over[:] = 0, False
        self._seen = self._judge.observe()[0]
        return self._seen.copy(), {}

    def step(self, actions: Array) -> tuple[Array, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Hold actions (worlds, actions) for ``dt`` seconds."""
        sims, new = self.simulators, self._over
        rows = np.minimum(np.maximum(np.asarray(actions, float), self._low), self._high)
        require_actions(rows, (self.num_envs, len(self._low)))
        sims.set(inputs=rows if self._whole else dict(zip(self._names, rows.T, strict=True)))
        sims.step(self.task.dt)
        self._count += 1
        if begins := bool(new.any()):
            chosen = np.flatnonzero(new)
            drawn = self.task.draw(self.np_random, len(chosen), None)
            sims.reset(chosen, **drawn, seed=seeds_of(sims, self.np_random, len(chosen)))
            self._count[new] = 0
        before = self._seen
        self._seen, values, ends = self._judge(rows)
        reward = np.array(np.broadcast_to(np.asarray(values, float), (self.num_envs,)))
        over = np.array(np.broadcast_to(np.asarray(ends, bool), (self.num_envs,)))
        info: dict[str, Any] = {}
        if sims.messages:
            failed = np.zeros(self.num_envs, bool)
            failed[list(sims.messages)] = True
            self._seen[failed], reward[failed], over[failed] = before[failed], 0.0, True
            info = {"failed": failed, "_failed": failed}
        late = self._count >= self._most
        if begins:
            reward[new], over[new] = 0.0, False
        self._over = over | late
        return self._seen.copy(), reward, over, late, info
