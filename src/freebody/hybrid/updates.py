"""Updates and rules: at an instant, (x, d)⁺ = U(t, x, d). Nothing else changes held values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.hybrid.triggers import Crossing
from freebody.program.program import Program

Array = NDArray[np.float64]


class Change(NamedTuple):
    """The state and the row of inputs and held values after an update, and what else the update knows of it (impulses,
    lost energy), by name."""

    x: Array
    d: Array
    facts: Mapping[str, Any] = {}


class RefusedError(ArgumentError):
    """An update that is not possible at a state. The run ends there with this reason."""


@dataclass(frozen=True)
class ProgramUpdate:
    """A program whose output are the states after the update."""

    program: Program


@runtime_checkable
class NumericUpdate(Protocol):
    """An update by an algorithm, such as Newton's method; it can be pickled. ``sets`` and ``clears`` are the names of
    flags (held values of 0 or 1) that it may change; one that ``rebounds`` may leave them as they are and turn the
    motion back instead."""

    @property
    def sets(self) -> tuple[str, ...]: ...
    @property
    def clears(self) -> tuple[str, ...]: ...
    @property
    def rebounds(self) -> bool: ...

    def __call__(self, compiled: Any, t: float, x: Array, d: Array) -> Change:
        """The change at a state; ``compiled`` is the compiled system. Raises ``RefusedError`` where there is none."""


Update = ProgramUpdate | NumericUpdate


@dataclass(frozen=True)
class Rule:
    """What happens when: a trigger, and updates that are applied one after another. A rule without updates is only
    recorded, or ends the run."""

    name: str
    trigger: Crossing
    updates: tuple[Update, ...] = ()

    @property
    def stops(self) -> bool:
        """Whether the integration stops there."""
        return bool(self.updates) or self.trigger.terminal

    @property
    def program(self) -> Program | None:
        """The program of its update of the states, if there is one."""
        return next((update.program for update in self.updates if isinstance(update, ProgramUpdate)), None)

    @property
    def sets(self) -> tuple[str, ...]:
        """The flags that it may set."""
        return tuple(name for update in self.numeric for name in update.sets)

    @property
    def clears(self) -> tuple[str, ...]:
        """The flags that it may clear."""
        return tuple(name for update in self.numeric for name in update.clears)

    @property
    def switches(self) -> bool:
        """Whether it may change flags."""
        return any(update.sets or update.clears for update in self.numeric)

    @property
    def rebounds(self) -> bool:
        """Whether it may turn the motion back."""
        return any(update.rebounds for update in self.numeric)

    @property
    def numeric(self) -> tuple[NumericUpdate, ...]:
        """Its updates by algorithms."""
        return tuple(update for update in self.updates if not isinstance(update, ProgramUpdate))
