"""Coordinates with limits, and whether a run leaves them: limits are watched, not enforced."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Limits:
    """Coordinates with limits. The ``followers``, which are not states (they are prescribed or follow others), come
    last; ``indices`` are the indices of the others in x."""

    names: tuple[str, ...] = ()
    low: Array = field(default_factory=lambda: np.empty(0))
    high: Array = field(default_factory=lambda: np.empty(0))
    indices: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, np.intp))

    @property
    def followers(self) -> tuple[str, ...]:
        return self.names[len(self.indices) :]

    def outside(self, q: Array) -> NDArray[np.bool_]:
        """Whether coordinates (states, coordinates) are outside their limits."""
        return np.asarray((q < self.low) | (q > self.high))

    def texts(self, t: Array, q: Array) -> list[str]:
        """What to say of each coordinate that leaves its limits, with the first of the times at which it does."""
        outside = self.outside(q)
        return [
            f"coordinate '{self.names[k]}' leaves its limits {self.low[k]:g} … {self.high[k]:g} at"
            f" t = {t[outside[:, k].argmax()]:.6g} s; limits are watched, not enforced: for stops there load"
            " or make the system with limits='stop', or add them by s.joint_stop(…)"
            for k in np.flatnonzero(outside.any(axis=0)).tolist()
        ]
