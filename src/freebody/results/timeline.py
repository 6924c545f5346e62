"""The saved rows of a run and both sides of its jumps, brought into one order."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Places = NDArray[np.intp]


KNOTS, BYTES = 20_000, 8 * 2**20
"""How many ends of steps a run keeps at most, and how much memory they take at most."""


def room(states: int) -> int:
    """How many knots of so many states are kept."""
    return min(KNOTS, BYTES // (8 * (2 * states + 1)))


@dataclass(frozen=True)
class Knots:
    """Where steps ended: times, states and rates in the order of the run. A time comes twice where something jumps."""

    t: Array
    x: Array
    x_dot: Array

    @staticmethod
    def none(states: int) -> "Knots":
        return Knots(np.empty(0), np.empty((0, states)), np.empty((0, states)))

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, places: Places) -> "Knots":
        return Knots(self.t[places], self.x[places], self.x_dot[places])

    def joined(self, others: "Knots", sign: float) -> "Knots":
        """With others in the order of time; of a time that both have, these."""
        more = others[np.flatnonzero(~np.isin(others.t, self.t))]
        pairs = ((self.t, more.t), (self.x, more.x), (self.x_dot, more.x_dot))
        made = Knots(*(np.concatenate(pair) for pair in pairs))
        return made[np.argsort(made.t * sign, kind="stable")]


class Timeline:
    """Saved times and the times of jumps. A run may go backwards in time: ``sign`` is then −1."""

    def __init__(self, t: Array, jumps: Array) -> None:
        self.saved, self.when = t, np.repeat(jumps, 2)
        self.sign = -1.0 if len(t) and t[-1] < t[0] else 1.0
        self.low, self.high = sorted(map(float, t[[0, -1]])) if len(t) else (np.inf, -np.inf)

    def inside(self, times: Array) -> Array | None:
        """The times, if the run covers them; what rounding puts outside is put on the edge."""
        if not len(self.saved):
            return None
        slack = 4 * np.spacing(max(abs(self.low), abs(self.high)))
        covered = np.all((times >= self.low - slack) & (times <= self.high + slack))
        return np.asarray(np.clip(times, self.low, self.high)) if covered else None

    @cached_property
    def t(self) -> Array:
        """All times, that of a jump twice."""
        return self.merge(self.saved, self.when)

    @property
    def along(self) -> Array:
        """The same, so that they grow along the run."""
        return self.t * self.sign

    def merge(self, values: Array, sides: Array | None) -> Array:
        """Values at the saved times and at both sides of the jumps (before, after, before, …), in the order of time."""
        inside, saved, order = self._order
        return values if sides is None or not len(inside) else np.concatenate([sides[inside], values[saved]])[order]

    @cached_property
    def _order(self) -> tuple[Places, Places, Places]:
        """The sides that lie inside the saved times; the saved rows at no jump; the order of both in time."""
        inside = np.flatnonzero((self.when >= self.low) & (self.when <= self.high))
        saved = np.flatnonzero(~np.isin(self.saved, self.when[inside]))
        order = np.argsort(np.concatenate([self.when[inside], self.saved[saved]]) * self.sign, kind="stable")
        return inside, saved, order
