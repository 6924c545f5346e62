"""Tasks: what an agent observes and does, what it is rewarded for, how an episode begins and ends."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import ArrayLike, NDArray

from freebody.errors import ArgumentError, choices
from freebody.names import Q, U, Z
from freebody.run.arguments import by_name, names, number, numbers, shorten
from freebody.run.simulator import Simulator
from freebody.run.simulators import Simulators

Array = NDArray[np.float64]
Observation = Sequence[str] | Callable[[Any], ArrayLike]
Reward = str | float | Callable[[Array, Array], Any]
Terminated = str | Callable[[Array], Any] | None
Start = Mapping[str, Any] | Callable[[np.random.Generator], Mapping[str, Any]] | None
GROUPS = {"q": Q, "u": U, "z": Z}
KEYS = (*GROUPS, "parameters")


@dataclass(frozen=True)
class Task:
    """The description of an environment, as ``Env`` explains it."""

    observation: Observation
    reward: Reward
    terminated: Terminated
    actions: Mapping[str, Any]
    dt: float
    max_time: float | None
    start: Start

    def __post_init__(self) -> None:
        if not callable(self.observation):
            names(self.observation, "observation")
            if isinstance(self.observation, str) or not self.observation:
                raise ArgumentError("observation is a list of names and texts, or a function of the simulator")
        if not (isinstance(self.reward, str | int | float) or callable(self.reward)):
            raise ArgumentError(
                f"reward is a text, a number, or a function of observation and action, not {shorten(self.reward)}"
            )
        if not (self.terminated is None or isinstance(self.terminated, str) or callable(self.terminated)):
            raise ArgumentError(
                f"terminated is a text, such as 'abs(q.pole) > 0.3', or a function of the observation, not"
                f" {shorten(self.terminated)}"
            )
        if not isinstance(self.actions, Mapping) or not self.actions:
            raise ArgumentError("actions are inputs with their limits, such as actions={'push': (-10, 10)}")
        if isinstance(self.reward, int | float):
            number(self.reward, "reward")
        if self.dt is None:
            raise ArgumentError("dt is the time in seconds for which an action is held, such as dt=0.02, not None")
        for name, value in (("dt", self.dt), ("max_time", self.max_time)):
            if value is not None and number(value, name) <= 0:
                raise ArgumentError(f"{name} = {value} is not a time: give a positive number of seconds")

    @property
    def steps(self) -> float:
        """How many steps an episode takes at most."""
        return np.inf if self.max_time is None else max(1.0, round(self.max_time / self.dt))

    def action_space(self, known: Sequence[str]) -> Any:
        """The inputs that are actions, between their limits."""
        for name in self.actions:
            if name not in known:
                raise ArgumentError(f"actions: there is no input '{name}' that can be set; {choices(list(known))}")
        limits = np.array([numbers(pair, f"limits of action '{name}'") for name, pair in self.actions.items()])
        if limits.shape != (len(self.actions), 2) or np.any(limits[:, 0] >= limits[:, 1]):
            raise ArgumentError("the limits of each action are two numbers, the lower one first: {'push': (-10, 10)}")
        return Box(limits[:, 0], limits[:, 1], dtype=np.float64)

    def draw(self, random: np.random.Generator, count: int | None, options: Mapping[str, Any] | None) -> dict[str, Any]:
        """Initial values of q, u, z and parameters: drawn for one world, or for so many, and those of ``options``."""
        values: dict[str, dict[str, Any]] = {key: {} for key in KEYS}
        if callable(self.start) and count is not None:
            several = [_named(self.start(random)) for _ in range(count)]
            for key in KEYS:
                values[key] = {name: np.array([one[key][name] for one in several]) for name in several[0][key]}
        elif callable(self.start):
            values |= _named(self.start(random))
        for name, limits in {} if self.start is None or callable(self.start) else self.start.items():
            key, short = next(((k, g.strip(name)) for k, g in GROUPS.items() if g.holds(name)), ("parameters", name))
            low, high = np.broadcast_to(np.asarray(limits, float), (2,))
            values[key][short] = random.uniform(low, high, count)
        for key, own in _named(options or {}).items():
            values[key] |= own
        return {key: own or None for key, own in values.items()}

    def check_start(self, states: Sequence[str], parameters: Sequence[str]) -> None:
        """Refuse a start whose names are not known."""
        if not isinstance(self.start, Mapping | None) and not callable(self.start):
            raise ArgumentError(
                "start is values by name, such as {'q.pole': (-0.05, 0.05)}, or a function of a random generator, not"
                f" {shorten(self.start)}"
            )
        for name, limits in {} if self.start is None or callable(self.start) else self.start.items():
            if name not in states and name not in parameters:
                known = choices([*states, *parameters])
                raise ArgumentError(f"start: '{name}' is not a state or a parameter; {known}")
            row = numbers(limits, f"start of '{name}'")
            if row.shape not in ((), (2,)) or (row.ndim and row[0] > row[1]):
                raise ArgumentError(f"start of '{name}' is a number or (lowest, highest), not {shorten(limits)}")


def require_actions(row: Array, shape: tuple[int, ...]) -> None:
    """Refuse actions of another shape."""
    if row.shape != shape:
        raise ArgumentError(f"an action is an array of shape {shape} here, not one of shape {row.shape}")


def require_no_seed(options: Mapping[str, Any]) -> None:
    """Refuse a seed of an environment: each reset draws another one."""
    if options.get("seed") is not None:
        raise ArgumentError(
            f"seed={shorten(options['seed'])}: pass the seed to env.reset(seed=…), which draws all others"
        )


def seeds_of(sim: Simulator[Any] | Simulators, random: np.random.Generator, count: int | None) -> Any:
    """A seed for what is random in a simulator, such as the noise of sensors, or in so many worlds; None where nothing
    is."""
    return random.integers(2**31, size=count) if sim.random else None


def _named(values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Initial values by group, from what a start function or the options of a reset give."""
    if not isinstance(values, Mapping) or any(key not in KEYS for key in values):
        raise ArgumentError(
            f"initial values are given as {{'q': {{name: value}}, …}} with the keys {', '.join(KEYS)}, not"
            f" {shorten(values)}"
        )
    return {key: by_name(values.get(key), f"initial values: {key}", "{'pole': 0.1}") for key in KEYS}


class Judge:
    """Observations, rewards and ends of a simulator, or of simulators side by side, now. What is written as text is
    computed by one compiled program."""

    def __init__(self, task: Task, sim: Simulator[Any] | Simulators) -> None:
        self._task, self._sim = task, sim
        texts: list[str] = [] if callable(task.observation) else list(task.observation)
        ends = [text for text in (task.reward, task.terminated) if isinstance(text, str)]
        self._read, self._tail = sim.reader([*texts, *ends]) if texts or ends else None, len(ends)

    def observe(self) -> tuple[Array, Array | None]:
        """The observation, and the row that is read for it and for what is judged."""
        row = None if self._read is None else np.asarray(self._read())
        if callable(self._task.observation):
            return np.asarray(self._task.observation(self._sim), float), row
        assert row is not None
        return row[..., : row.shape[-1] - self._tail].copy(), row

    def __call__(self, action: Array) -> tuple[Array, Any, Any]:
        """Observation, reward and whether the episode has ended, after an action."""
        (seen, row), task = self.observe(), self._task
        reward: Any = task.reward
        if isinstance(reward, str):
            assert row is not None
            reward = row[..., row.shape[-1] - self._tail]
        elif callable(reward):
            reward = self._returned(reward(seen, action), "reward")
        over: Any = False
        if isinstance(task.terminated, str):
            assert row is not None
            over = row[..., -1] != 0
        elif task.terminated is not None:
            over = self._returned(task.terminated(seen), "terminated")
        return seen, reward, over

    def _returned(self, value: Any, what: str) -> Any:
        """What a function of the user has returned: a number, or one for each world."""
        shape = (self._sim.count,) if isinstance(self._sim, Simulators) else ()
        if value is None or np.shape(value) not in ((), shape):
            wanted = f"a number, or an array of shape {shape}," if shape else "a number"
            raise ArgumentError(f"{what}: the function must return {wanted} and it returned {shorten(value)}")
        return value
