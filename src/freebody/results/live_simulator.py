"""What a live view needs of a simulation that it shows and controls."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Adjustable:
    """A number that a user may change while a simulation runs: its name, its unit, the range of its slider, and its
    initial value."""

    name: str
    unit: str
    low: float
    high: float
    initial: float
    description: str = ""


@dataclass(frozen=True)
class PullForce:
    """A force along the ground's axes on a point of a body, and the point in the ground."""

    force: Array
    point: Array


class LiveSimulator(ABC):
    """A simulation that is advanced step by step. Bodies are numbered in the order of ``bodies``; positions and
    directions are along the ground's axes unless others are named.

    A method that cannot do what it is asked raises ``ArgumentError`` and leaves everything as it was."""

    title: str
    bodies: Sequence[str]
    inputs: Sequence[Adjustable]
    parameters: Sequence[Adjustable]
    coordinates: Sequence[Adjustable]
    t: float

    @property
    @abstractmethod
    def engaged(self) -> Mapping[str, bool]:
        """Whether each constraint that can be switched is engaged."""

    @abstractmethod
    def advance(self, duration: float) -> str:
        """Simulate for so many seconds. Returns why it could not reach the end, or "" if it did; the state is then that
        at which it stopped."""

    @abstractmethod
    def reset(self) -> None:
        """The state and the held values at the start; inputs and parameters stay as they are."""

    @abstractmethod
    def poses(self) -> tuple[Array, Array]:
        """The positions (n, 3) and unit quaternions (n, 4), w first, of the bodies."""

    @abstractmethod
    def energies(self) -> tuple[float, float]:
        """The kinetic and the potential energy."""

    @abstractmethod
    def value(self, key: str) -> float:
        """A coordinate, speed, extra state, or flag of a constraint by its full name ("q.arm", "engaged.latch"); NaN
        for other variables."""

    @abstractmethod
    def set_input(self, name: str, value: float) -> None: ...

    @abstractmethod
    def set_parameter(self, name: str, value: float) -> None:
        """Another value of a parameter; the state stays, or is assembled again where constraints depend on it."""

    @abstractmethod
    def set_coordinate(self, name: str, value: float) -> None:
        """Another value of a coordinate; the others follow as constraints require, and all speeds become zero."""

    @abstractmethod
    def coordinate(self, name: str) -> float:
        """The present value of one of ``coordinates``."""

    @abstractmethod
    def engage(self, constraint: str, engaged: bool) -> None: ...

    @abstractmethod
    def pull(self, body: int, point: Array, target: Array, frequency: float) -> None:
        """Pull a point of a body, given along the body's axes, towards a target in the ground, until ``release``. It
        follows as a mass on a damped spring with this natural frequency in Hz does, in each direction in which it can
        move."""

    @abstractmethod
    def release(self) -> None: ...

    @property
    @abstractmethod
    def pulling(self) -> PullForce | None:
        """The force of ``pull`` at present."""
