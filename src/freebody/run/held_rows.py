"""The held values of a run as they change: from which saved row, and from which time on they hold."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Number = TypeVar("Number", np.float64, np.int64)


class HeldRows:
    """Rows of held values, each from a saved row and a time on."""

    def __init__(self, t: float, values: Array) -> None:
        """The values at the start."""
        self._starts, self._times, self._values = list[NDArray[np.int64]](), list[Array](), list[Array]()
        self.add(0, t, values)

    def add(self, row: int, t: float, values: Array) -> None:
        """Values that hold from this saved row and time on."""
        self.extend(np.array([row]), np.array([t]), values[None, :])

    def extend(self, rows: NDArray[np.int64], times: Array, values: Array) -> None:
        """Several of them."""
        self._starts.append(rows)
        self._times.append(times)
        self._values.append(values)

    def before(self, t: float) -> Array:
        """The values just before a time, in a motion forward in time."""
        return np.asarray(self.values[max(0, int(np.searchsorted(self.times, t)) - 1)])

    @property
    def rows(self) -> NDArray[np.int64]:
        """The saved rows from which they hold."""
        return _whole(self._starts)

    @property
    def times(self) -> Array:
        return _whole(self._times)

    @property
    def values(self) -> Array:
        return _whole(self._values)


def _whole(parts: list[NDArray[Number]]) -> NDArray[Number]:
    """The parts as one array, which replaces them."""
    if len(parts) > 1:
        parts[:] = [np.concatenate(parts)]
    return parts[0]
