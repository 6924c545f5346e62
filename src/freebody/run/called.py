"""Python functions that users pass for a run: the values with which they acted, noted while the run goes on. What is
recorded of the run uses these values, so that no function is called again when results are looked at."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import FunctionError
from freebody.results.interpolation import spline
from freebody.run.arguments import shorten
from freebody.scalar.functions import Callback

Array = NDArray[np.float64]
NOTED = 10_000_000
"""The most numbers that a run notes of a function: times and values."""


class _Notes(local):
    """The calls that a thread notes; None while it notes none."""

    calls: "array[float] | None" = None


class CalledFunction:
    """A user's function of t, or of t and the numbers of the state; ``context`` names its purpose. While a thread
    notes its calls, their times and values are stored."""

    def __init__(self, function: Callable[..., float], context: str) -> None:
        self.function, self.context, self._notes = function, context, _Notes()

    def __call__(self, time: float, *state: float) -> float:
        try:
            value: Any = self.function(time, *state)
        except Exception as error:
            failure = FunctionError.of(self.context, f"at t = {time:g} s", error)
            failure.timed = True
            raise failure from error
        try:
            wrong = isinstance(value, str | bytes) or np.ndim(value) != 0
            number = float("nan" if wrong else value)
        except (TypeError, ValueError):
            wrong = True
        if wrong:
            raise FunctionError(
                f"{self.context}: its function returns {shorten(value)} at t = {time:g} s, where one number is needed"
            )
        calls = self._notes.calls
        if calls is not None and len(calls) < NOTED:
            calls.append(time)
            calls.append(number)
        return value  # type: ignore[no-any-return]

    @contextmanager
    def noting(self) -> Iterator["array[float]"]:
        """Times and values of the calls in this thread, one after the other."""
        self._notes.calls = calls = array("d")
        try:
            yield calls
        finally:
            self._notes.calls = None

    def __reduce__(self) -> tuple[Any, ...]:
        return CalledFunction, (self.function, self.context)


@contextmanager
def noting(callbacks: Sequence[Callback]) -> Iterator[list["array[float]"]]:
    """Times and values of the calls of each of these functions while a run goes on."""
    with ExitStack() as stack:
        functions = [c.function for c in callbacks]
        yield [stack.enter_context(f.noting()) for f in functions if isinstance(f, CalledFunction)]


def call(callbacks: Sequence[Callback], t: float, x: Array) -> list[float]:
    """The values of functions at a time and state."""
    state = x.tolist()
    return [float(c.function(t) if c.arity == 1 else c.function(t, *state)) for c in callbacks]


@dataclass
class CalledValues:
    """The values of functions along a run: at the states that it saved, at the ends of its steps, and on both sides of
    its jumps as they acted; between these by splines over time. ``sign`` is −1 for a run that goes back in time."""

    t: Array
    values: Array
    known: dict[bytes, Array] = field(default_factory=dict)
    sign: float = 1.0

    @classmethod
    def of_run(
        cls,
        callbacks: Sequence[Callback],
        calls: Sequence["array[float]"],
        saved: tuple[Array, Array],
        knots: tuple[Array, Array],
        sides: tuple[Array, Array],
        sign: float,
    ) -> "CalledValues":
        """Values at times and states of a run from its calls, the last at each time. A function is called where it has
        not been: at rows and ends of steps behind a break point, and on both sides of jumps, which share a time."""
        last = [dict(zip(noted[0::2], noted[1::2], strict=True)) for noted in calls]
        jumps, known, times, values = set(sides[0].tolist()), dict[bytes, Array](), list[float](), list[Array]()
        for points in (sides, knots, saved):
            for t, x in zip(points[0].tolist(), points[1], strict=True):
                key = _key(t, x)
                if key in known:
                    continue
                acted = [of.get(t, np.nan) for of in last]
                if t in jumps or np.isnan(acted).any():
                    acted = call(callbacks, t, x)
                known[key] = np.array(acted)
                if points is sides or t not in jumps:
                    times.append(t)
                    values.append(known[key])
        order = np.argsort(np.array(times) * sign, kind="stable")
        rows = np.array(values).reshape(len(times), len(callbacks))
        return cls(np.array(times)[order], rows[order], known, sign)

    def at(self, t: Array, x: Array) -> Array:
        """The values at times and states, a row for each."""
        rows = [self.known.get(_key(time, state)) for time, state in zip(t.tolist(), x, strict=True)]
        between = np.array([row is None for row in rows], bool)
        if between.any() and len(self.t):
            splines = iter(spline(self.t * self.sign, self.values, t[between] * self.sign))
            rows = [next(splines) if row is None else row for row in rows]
        blank = np.full(self.values.shape[1], np.nan)
        return np.array([blank if row is None else row for row in rows]).reshape(len(t), len(blank))


def _key(t: float, x: Array) -> bytes:
    return np.float64(t).tobytes() + np.ascontiguousarray(x, float).tobytes()
