"""Implicit methods for stiff systems, with exact Jacobians, under the contract of all steppers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.integrate.breaks import segment
from freebody.integrate.emit_control import HOPELESS, PATIENCE, SLOW
from freebody.integrate.emit_drive import Status
from freebody.integrate.emit_events import PARTS, PROBE
from freebody.integrate.engines import Engine, Rates, engine
from freebody.integrate.plant import Plant

Array = NDArray[np.float64]
Hit = tuple[float, int]
"""When, and which event."""

SLOWER = 100
"""Steps of a compiled method in the time of one of these."""

SAME = 4e-15
"""Times that are one moment, as a part of the time: what the search for zeros leaves open."""


class Implicit:
    """A stepper (see ``steppers.Stepper``) around an implicit engine. Quaternions are made unit where rows are saved;
    in between they stay so within the tolerances."""

    def __init__(self, plant: Plant, options: Any, t0: float, x0: Array, knots: int = 0) -> None:
        self.plant, self.options = plant, options
        self.t, self.x, self.size = t0, x0.copy(), 0.0
        self.steps = self.rejected = self.jacobians = self.factorisations = self.count = 0
        self.saved, self._times = np.empty((0, len(x0))), np.empty(0)
        self._log: list[tuple[float, int, Array]] = []
        self._rates = Sided(plant.machine.rates())
        self._watched = None if plant.watch is None else plant.machine.quick(plant.watch.program)
        self._engine: Engine | None = None
        self._pace = Pace(t0)
        self._goal, self._direction, self._halted = t0, 1.0, False
        self._unknown, self._now = set[int](), set[int]()
        self._g = self._signs(t0, self.x)
        self._knots, self._room = list[Array](), knots

    @property
    def evaluations(self) -> int:
        return self._rates.count

    @property
    def hopeless(self) -> bool:
        return self._pace.hopeless

    @property
    def together(self) -> list[int]:
        return sorted(k for k in self._now if self._stops(k))

    @property
    def knots(self) -> Array:
        return np.array(self._knots).reshape(len(self._knots), 2 * len(self.x) + 1)

    @property
    def knots_full(self) -> bool:
        return len(self._knots) >= self._room

    def save_at(self, times: Array) -> None:
        self._times, self.saved, self.count = times, np.empty((len(times), len(self.x))), 0
        while self.count < len(times) and times[self.count] == self.t:
            self._save(self.x)

    def take_log(self) -> list[tuple[float, int, Array]]:
        taken, self._log = self._log, []
        return taken

    def happened(self, events: list[int]) -> None:
        self._unknown |= set(events)

    def restart(self, x: Array) -> None:
        """Go on from another state at the same time."""
        self.x = self._unit(x)
        self._engine, self._unknown = None, set(self._now)
        self._g = self._signs(self.t, self.x)

    def halt(self) -> None:
        self._halted = True

    def advance(self, t_end: float, max_steps: int) -> Status:
        for _ in range(max_steps):
            if self.t == t_end or self._halted:
                break
            if self._engine is None or self.t == self._goal or (self._goal - t_end) * self._direction > 0:
                self._engine = self._start(t_end)
            status = self._step(self._engine)
            if status is None and self._pace.stalled(self.t, self._goal):
                status = Status.STALLED
            if status is not None:
                return status
        self._halted = False
        return Status.DONE if self.t == t_end else Status.BUDGET

    def _start(self, t_end: float) -> Engine:
        """An engine on its way to the end, or to the break point before it."""
        self._direction = 1.0 if t_end >= self.t else -1.0
        low, high, ahead = segment(self.plant.breaks, self.t, self._direction)
        if (low, high) != (self._rates.low, self._rates.high):
            self._pace = Pace(self.t)
        self._rates.low, self._rates.high = low, high
        self._goal = t_end if (ahead - t_end) * self._direction >= 0 else ahead
        jacobian = None if self.plant.jacobian is None else self._rates.sided(self.plant.machine.jacobian)
        made = engine(self._rates, jacobian, self.t, self.x, self._goal, self.options)
        self.jacobians += made.jacobians
        self.factorisations += made.factorisations
        self._keep()
        return made

    def _step(self, engine: Engine) -> Status | None:
        before = engine.jacobians, engine.factorisations
        reached = engine.step(self._goal)
        self.jacobians += engine.jacobians - before[0]
        self.factorisations += engine.factorisations - before[1]
        if reached is None:
            return Status.UNDERFLOW if np.all(np.isfinite(self._rates(self.t, self.x))) else Status.NOT_FINITE
        self.steps += 1
        self.size = reached[0] - self.t
        stop = self._search(engine, *reached)
        t, x = reached if stop is None else (stop, engine.between(stop))
        while self.count < len(self._times) and (self._times[self.count] - t) * self._direction <= 0:
            at = self._times[self.count]
            self._save(x if at == t else engine.between(at))
        self.t, self.x = t, self._unit(x)
        if stop is not None:
            return Status.EVENT
        self._keep()
        return None

    def _keep(self) -> None:
        """A knot, if there is room."""
        if not self.knots_full:
            self._knots.append(np.concatenate([[self.t], self.x, self._rates.quietly(self.t, self.x)]))

    def _save(self, x: Array) -> None:
        self.saved[self.count] = self._unit(x)
        self.count += 1

    def _unit(self, x: Array) -> Array:
        made = np.array(x, float)
        for k in self.plant.about.quaternions:
            made[k : k + 4] /= np.linalg.norm(made[k : k + 4])
        return made

    # Events, as the compiled methods find them (emit_events.py)

    def _stops(self, k: int) -> bool:
        watch = self.plant.watch
        return watch is not None and (watch.terminal[k] or watch.resets[k] is not None)

    def _signs(self, t: float, x: Array) -> Array:
        return np.empty(0) if self._watched is None else self._watched(t, x)

    def _search(self, engine: Engine, t: float, x: Array) -> float | None:
        """The events of the last step, part after part: those that change nothing are logged; of the first that stops
        it is the time."""
        if self._watched is None:
            return None
        a, size = self.t, t - self.t
        inside = self.t + size * np.arange(1, PARTS) / PARTS
        for b, at in zip([*inside.tolist(), t], [*engine.several(inside), x], strict=True):
            ends = self._signs(b, at)
            found = self._settled(engine, self._crossings(engine, (a, b), ends, PROBE * size))
            stop = next((when for when, e in found if self._stops(e)), None)
            for when, e in found:
                if not self._stops(e) and (stop is None or (when - stop) * self._direction <= 0):
                    self._log.append((when, e, self._unit(engine.between(when))))
            if stop is not None:
                self._now = {e for when, e in found if when == stop}
                return stop
            a, self._g, self._unknown = b, ends, set()
        return None

    def _settled(self, engine: Engine, found: list[Hit]) -> list[Hit]:
        """With all that happens where the first event stops at that very time: also what was found a rounding error
        later, or is already across there."""
        stop = next((when for when, k in found if self._stops(k)), None)
        if stop is None:
            return found
        g = self._signs(stop, engine.between(stop))
        across = {k for _, k in found if g[k] * self._g[k] <= 0 and k not in self._unknown}
        with_it = {k for when, k in found if abs(when - stop) <= SAME * abs(stop)} | across
        return [(stop if k in with_it and (when - stop) * self._direction > 0 else when, k) for when, k in found]

    def _crossings(self, engine: Engine, part: tuple[float, float], ends: Array, probe: float) -> list[Hit]:
        """Events inside a part of the last step, in order of time. Where the sign at the start is unknown (the event
        has just happened, or g is 0), it is asked a little behind."""
        watch, (start, end), found = self.plant.watch, part, list[Hit]()
        if watch is None:
            return found
        behind = self._signs(start + probe, engine.between(start + probe)) if self._unsure() else self._g
        for k, direction in enumerate(watch.directions):
            unsure = k in self._unknown or self._g[k] == 0
            a, g0 = (start + probe, behind[k]) if unsure else (start, self._g[k])
            up, down = g0 < 0 <= ends[k], g0 > 0 >= ends[k]
            if (up and direction >= 0) or (down and direction <= 0):
                found.append((self._zero(engine, k, (a, g0), (end, ends[k])), k))
        return sorted(found, key=lambda hit: hit[0] * self._direction)

    def _unsure(self) -> bool:
        return bool(self._unknown) or bool(np.any(self._g == 0))

    def _zero(self, engine: Engine, k: int, a: tuple[float, float], b: tuple[float, float]) -> float:
        """Where event k crosses zero between two times with g of different signs: the first number behind it, about."""
        from scipy.optimize import brentq

        if b[1] == 0:
            return b[0]
        known, small = dict([a, b]), 4e-16 * max(abs(a[0]), abs(b[0]))

        def g(t: float) -> float:
            return float(known[t] if t in known else self._signs(t, engine.between(t))[k])

        found = float(brentq(g, a[0], b[0], xtol=max(small, 1e-300)))
        step = float(np.spacing(found)) * self._direction
        while g(found) * a[1] > 0 and (b[0] - found) * self._direction > 0:
            found, step = found + step, 2 * step
        return found if (b[0] - found) * self._direction > 0 else b[0]


class Pace:
    """How fast a run gets on, over windows of steps: the rule of ``emit_control.stalled``, for steps that take some
    hundred times as long."""

    def __init__(self, t: float) -> None:
        self.t, self.steps, self.left, self.pace = t, PATIENCE / SLOWER, PATIENCE / SLOWER, 0.0
        self.prospect = 0.0

    def stalled(self, t: float, end: float) -> bool:
        """After one more step to t: whether the end is far away at the pace of a window that is full."""
        self.left -= 1
        if self.left > 0:
            return False
        before, self.pace = self.pace, abs(t - self.t) / self.steps
        self.prospect = SLOWER**2 * self.steps * abs(end - t) / self.pace
        self.t, self.steps, self.left = t, 2 * self.steps, 2 * self.steps
        return self.prospect > SLOW and self.pace <= 2 * before

    @property
    def hopeless(self) -> bool:
        return self.prospect > HOPELESS


class Sided:
    """A function of time and state that is asked between two break points only, and counted."""

    def __init__(self, function: Rates) -> None:
        self.function, self.count = function, 0
        self.low, self.high = -np.inf, np.inf

    def __call__(self, t: float, x: Array) -> Array:
        self.count += 1
        return self.quietly(t, x)

    def quietly(self, t: float, x: Array) -> Array:
        """Without being counted."""
        return self.function(min(max(t, self.low), self.high), x)

    def sided(self, other: Rates) -> Rates:
        """Another function, asked at the same times."""
        return lambda t, x: other(min(max(t, self.low), self.high), x)
