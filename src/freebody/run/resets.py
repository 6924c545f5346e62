"""What events do to the state: resets, checked; and the contact that comes to rest, which no reset can hold."""

import warnings

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, SimulationWarning
from freebody.integrate.plant import Plant, Watch
from freebody.run.initial import whole

Array = NDArray[np.float64]
STILL = 1e-6
"""g has come to rest where its rate is this part of what it was."""

INSTANT, SHORT = 1e-8, 1e-4
"""How far a state is followed to see where it goes, as parts of the time since the run began: for a rate, for more."""


class Resets:
    """The resets of a plant's events, for a run that began at ``start``."""

    def __init__(self, plant: Plant, watch: Watch, start: float) -> None:
        self.plant, self.watch, self.start = plant, watch, start
        self._warned: set[int] = set()

    def apply(self, index: int, t: float, x: Array) -> Array:
        """The state after an event, its quaternions at unit length."""
        program = self.watch.resets[index]
        if program is None:
            return x
        who = f"event '{self.watch.names[index]}' at t = {t:.6g} s"
        f = self.plant.machine.function(program, "numpy")
        found = np.asarray(f(t=t, x=x, inputs=self.plant.inputs))
        if not np.all(np.isfinite(found)):
            bad = self.plant.about.state[int(np.argmax(~np.isfinite(found)))]
            raise ArgumentError(f"{who} sets {bad} to a value that is not finite")
        return whole(self.plant.about, found, f"{who} resets: ")

    def watch_rest(self, index: int, t: float, before: Array, after: Array) -> None:
        """Warn where an event's reset stops the motion at its zero and the motion then goes on through it: the event is
        not found again, for g leaves its zero on the far side."""
        if index in self._warned or self.watch.resets[index] is None or not self._sinks(index, t, before, after):
            return
        self._warned.add(index)
        name = self.watch.names[index]
        warnings.warn(
            f"{self.plant.about.system}: at t = {t:.6g} s event '{name}' stops the motion at its zero, and from there"
            " it goes on through, unnoticed: a reset holds nothing. A contact that comes to rest needs a terminal"
            " event, or a stiff spring and damper in place of the reset",
            SimulationWarning, stacklevel=2,
        )  # fmt: skip

    def _sinks(self, k: int, t: float, before: Array, after: Array) -> bool:
        span = t - self.start
        if span == 0:
            return False
        zero = self._g(k, t, before), self._g(k, t, after)
        rates = [self._g(k, *self._moved(t, x, INSTANT * span)) - g for x, g in zip((before, after), zero, strict=True)]
        deeper = self._g(k, *self._moved(t, after, SHORT * span)) - zero[1]
        return abs(rates[1]) <= STILL * abs(rates[0]) and deeper * rates[0] > 0

    def _g(self, k: int, t: float, x: Array) -> float:
        return float(self.plant.machine.quick(self.watch.program)(t, x)[k])

    def _moved(self, t: float, x: Array, h: float) -> tuple[float, Array]:
        """The state a little later, by the midpoint rule."""
        rates = self.plant.machine.x_dot
        return t + h, x + h * rates(t + h / 2, x + h / 2 * rates(t, x))
