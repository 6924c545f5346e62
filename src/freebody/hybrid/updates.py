"""Updates and rules: at an instant, (x, d)⁺ = U(t, x, d). Nothing else changes held values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, SampleError
from freebody.hybrid.triggers import Crossing, Trigger
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
    """A program with one output, whose numbers are written to these places of the row [x, d]; without places they are
    all states. It runs in lanes, and can be exported."""

    program: Program
    places: tuple[int, ...] | None = None

    def changes_states(self, count: int) -> bool:
        """Whether it writes to any of so many states."""
        return self.places is None or any(place < count for place in self.places)

    def write(self, values: Array, x: Array, d: Array) -> None:
        """Write the output to the last axis of x and d, in place."""
        if self.places is None:
            x[...] = values
            return
        n = x.shape[-1]
        for k, place in enumerate(self.places):
            target, column = (x, place) if place < n else (d, place - n)
            target[..., column] = values[..., k]


@dataclass(frozen=True, eq=False)
class FunctionUpdate:
    """A Python function of the user, function(t, y) of the time and of the values y of a program, whose results are
    written to these places of the row [x, d], which are held values. It may have a memory, so it is called once at each
    sample, and for nothing else."""

    name: str
    program: Program
    function: Callable[[float, Array], Any]
    places: tuple[int, ...]

    sets: ClassVar[tuple[str, ...]] = ()
    clears: ClassVar[tuple[str, ...]] = ()
    rebounds: ClassVar[bool] = False

    @property
    def programs(self) -> tuple[Program, ...]:
        return (self.program,)

    def __repr__(self) -> str:
        return f"function of {self.name}, {self.places}"

    def changes_states(self, count: int) -> bool:
        return False

    def values(self, t: float, y: Array) -> Array | float:
        """What the function returns, checked; a float where one number is needed."""
        try:
            result = self.function(t, y)
        except Exception as error:
            raise SampleError.of(self.name, f"at t = {t:g} s", error) from error
        count = len(self.places)
        if isinstance(result, float) and count == 1 and isfinite(result):
            return result
        usual = type(result) is np.ndarray and result.dtype == np.float64 and result.shape == (count,)
        if usual and result.dot(result) < np.inf:  # all are finite
            return np.asarray(result)
        try:
            values = np.asarray(result, float).reshape(-1)
        except (TypeError, ValueError):
            values = np.empty(0)
        if len(values) != count:
            raise SampleError(
                f"{self.name}: its function returns {str(result)[:60]!r} at t = {t:g} s, where"
                f" {'one number is' if count == 1 else f'{count} numbers are'} needed"
            )
        if not np.isfinite(values).all():
            raise SampleError(f"{self.name}: its function returns {values.tolist()} at t = {t:g} s; all must be finite")
        return values

    def __call__(self, compiled: Any, t: float, x: Array, d: Array) -> Change:
        """The change at a state."""
        values = self.values(t, np.array(compiled.values(self.program, t, x)))
        d[np.array(self.places) - len(x)] = values
        return Change(x, d)


class NumericUpdate(Protocol):
    """An update by an algorithm, such as Newton's method; it can be pickled, and its repr has its settings.
    ``programs`` are those that it evaluates, ``sets`` and ``clears`` the names of flags (held values of 0 or 1) that it
    may change; one that ``rebounds`` may leave them as they are and turn the motion back instead."""

    @property
    def programs(self) -> tuple[Program, ...]: ...
    @property
    def sets(self) -> tuple[str, ...]: ...
    @property
    def clears(self) -> tuple[str, ...]: ...
    @property
    def rebounds(self) -> bool: ...

    def changes_states(self, count: int) -> bool:
        """Whether it may change any of so many states."""

    def __call__(self, compiled: Any, t: float, x: Array, d: Array) -> Change:
        """The change at a state; ``compiled`` is the compiled system. Raises ``RefusedError`` where there is none."""


Update = ProgramUpdate | FunctionUpdate | NumericUpdate


@dataclass(frozen=True)
class Rule:
    """What happens when: a trigger, and updates that are applied one after another. A rule without updates is only
    recorded, or ends the run."""

    name: str
    trigger: Trigger
    updates: tuple[Update, ...] = ()

    @property
    def crossing(self) -> Crossing:
        """Its trigger, of rules that conditions trigger."""
        assert isinstance(self.trigger, Crossing)
        return self.trigger

    @property
    def stops(self) -> bool:
        """Whether the integration stops there, of rules that conditions trigger."""
        return bool(self.updates) or self.crossing.terminal

    @property
    def programs(self) -> tuple[Program, ...]:
        """The programs of its updates."""
        return tuple(program for update in self.updates for program in _programs(update))

    @property
    def settings(self) -> tuple[str, ...]:
        """What determines it beside its programs."""
        updates = [repr(u.places) if isinstance(u, ProgramUpdate) else repr(u) for u in self.updates]
        return self.name, repr(self.trigger), *updates

    def changes_states(self, count: int) -> bool:
        """Whether it may change any of so many states."""
        return any(update.changes_states(count) for update in self.updates)

    @property
    def resets(self) -> bool:
        """Whether a program sets states or held values."""
        return any(isinstance(update, ProgramUpdate) for update in self.updates)

    @property
    def sets(self) -> tuple[str, ...]:
        """The flags that it may set."""
        return tuple(name for update in self.numeric for name in update.sets)

    @property
    def clears(self) -> tuple[str, ...]:
        """The flags that it may clear."""
        return tuple(name for update in self.numeric for name in update.clears)

    @property
    def changes_flags(self) -> bool:
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


def _programs(update: Update) -> tuple[Program, ...]:
    return (update.program,) if isinstance(update, ProgramUpdate) else update.programs
