"""One run: a stepper led through the saved times, events, Ctrl-C and what may go wrong, to a trajectory."""

import time
import warnings
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, SimulationWarning
from freebody.integrate.interrupt import Interrupt
from freebody.integrate.plant import Plant, Watch
from freebody.integrate.record import Status
from freebody.integrate.steppers import Stepper, stepper
from freebody.results.interpolation import Knots, max_knots
from freebody.results.trajectory import Events, RunResult, Statistics
from freebody.run.diagnose import Stop, chatters, diagnose
from freebody.run.numbers import shown
from freebody.run.progress import Progress
from freebody.run.recorder import Recorder
from freebody.run.resets import Resets

Array = NDArray[np.float64]
Made = TypeVar("Made", bound=RunResult)
MOST = 2**53
"""The largest ``max_steps``: as far as a float counts."""

TURN = 0.05
"""Seconds a stepper runs before Python looks at Ctrl-C and the progress bar."""

ZENO, INSTANT = 3, 1e-10
"""So many times in a row an event may happen again within (about) so many seconds; more, and it never ends."""

FAILURES = (Status.UNDERFLOW, Status.NOT_FINITE, Status.STALLED)


@dataclass
class Options:
    """How to integrate. ``max_steps`` ends a run that takes more."""

    method: str = "dop853"
    rtol: Any = 1e-8
    atol: Any = 1e-10
    step: float | None = None
    first_step: float | None = None
    max_step: float | None = None
    max_steps: int | None = None
    progress: bool | None = None

    def __post_init__(self) -> None:
        most: Any = self.max_steps
        if most is not None and (type(most) is bool or not isinstance(most, Integral) or not 1 <= int(most) <= MOST):
            raise ArgumentError(f"max_steps is a whole number from 1 on, or left out, not {shown(most)}")


@dataclass
class Diary:
    """What happened on the way."""

    t: list[float] = field(default_factory=list)
    index: list[int] = field(default_factory=list)
    before: list[Array] = field(default_factory=list)
    after: list[Array] = field(default_factory=list)

    def add(self, t: float, index: int, before: Array, after: Array) -> None:
        self.t.append(t)
        self.index.append(index)
        self.before.append(before)
        self.after.append(after)

    def events(self, names: tuple[str, ...], width: int) -> Events:
        rows = (np.array(rows).reshape(len(self.t), width) for rows in (self.before, self.after))
        return Events(names, np.array(self.t), np.array(self.index, np.int64), *rows)


def simulate(
    plant: Plant, x0: Array, times: Array, options: Options, made: type[Made], start: RunResult | None = None,
    refused: str = "",
) -> Made:  # fmt: skip
    """The motion from x0 at times[0], saved at the times. Events that ended the run it starts from do not happen once
    more at its end. A run that is ``refused`` ends where it begins, for this reason."""
    began = time.perf_counter()
    run = _Run(plant, stepper(plant, options, float(times[0]), x0, max_knots(len(x0))), times, options)
    run.goes_on_from(start)
    if refused:
        run.fail(refused)
    else:
        run.go()
    t, x = run.rows()
    s = run.stepper
    statistics = Statistics(
        options.method, s.steps, s.rejected, s.evaluations, s.jacobians, s.factorisations, time.perf_counter() - began
    )
    names = plant.watch.names if plant.watch is not None else ()
    trajectory = made(
        plant.about, t, x, status=run.status, message=run.message, events=run.diary.events(names, x.shape[1]),
        statistics=statistics, recorder=Recorder(plant, options.method), knots=run.knots(),
    )  # fmt: skip
    _watch_limits(plant, trajectory)
    return trajectory


class _Run:
    """The loop around a stepper."""

    def __init__(self, plant: Plant, stepping: Stepper, times: Array, options: Options) -> None:
        self.plant, self.stepper, self.times, self.options = plant, stepping, times, options
        self.diary = Diary()
        self.status, self.message = 0, "reached the end"
        self._last: dict[int, tuple[float, int]] = {}
        self._start = stepping.t, stepping.x.copy()
        self._end: Array | None = None
        self._resets = None if plant.watch is None else Resets(plant, plant.watch, stepping.t)
        self.stepper.save_at(times)

    def goes_on_from(self, other: RunResult | None) -> None:
        """Events of these names that happened where another run ended are over."""
        if other is None or self.plant.watch is None:
            return
        past = {name for t, name in other.events if t == self.stepper.t}
        self.stepper.happened([k for k, name in enumerate(self.plant.watch.names) if name in past])

    def go(self) -> None:
        what, span = f"simulating {self.plant.about.system}", abs(float(self.times[-1] - self.times[0]))
        try:
            with Interrupt(self.stepper.halt) as interrupt, Progress(what, span, self.options.progress) as bar:
                self._loop(bar, interrupt)
        except KeyboardInterrupt:
            self.status, self.message = -2, f"interrupted at t = {self.stepper.t:.6g} s"

    def _loop(self, bar: Progress, interrupt: Interrupt) -> None:
        end, budget, going = float(self.times[-1]), 1000, True
        while going:
            began, before = time.perf_counter(), self.stepper.steps
            status = self.stepper.advance(end, self._allowed(budget))
            self._note_passed()
            going = self._goes_on(status)
            interrupt.settle()
            spent, done = time.perf_counter() - began, self.stepper.steps - before
            budget = max(10, min(10_000_000, int(max(done, 1) * TURN / max(spent, 1e-6))))
            bar(abs(self.stepper.t - float(self.times[0])))

    def _allowed(self, budget: int) -> int:
        """As many steps, but not more than the user allows."""
        most = self.options.max_steps
        return budget if most is None else min(budget, most - self.stepper.steps)

    def _goes_on(self, status: Status) -> bool:
        if status is Status.EVENT and self._resets is not None:
            return self._happened(self._resets)
        if status is Status.STALLED and not (self.stepper.hopeless or chatters(self.plant, self._stop(status))):
            return True
        if status in FAILURES:
            self.fail(diagnose(self.plant, self._stop(status), self.options))
        elif status is not Status.DONE and self.stepper.steps == self.options.max_steps:
            self.fail(diagnose(self.plant, self._stop(Status.BUDGET), self.options))
        return status is not Status.DONE and not self.status

    def _stop(self, status: Status) -> Stop:
        """Where the stepper is, and why."""
        s = self.stepper
        return Stop(status, self._start, s.t, s.x, s.size, float(self.times[-1]))

    def fail(self, message: str) -> None:
        """The run ends here, and the user is told."""
        self.status, self.message = -1, message
        warnings.warn(f"{self.plant.about.system}: {message}", SimulationWarning, stacklevel=2)

    def _note_passed(self) -> None:
        """Events that change nothing."""
        for t, index, x in self.stepper.take_log():
            self.diary.add(t, index, x, x)

    def _happened(self, resets: Resets) -> bool:
        """What stopped the stepper, several events at once perhaps: change the state, end or go on."""
        watch, s = resets.watch, self.stepper
        state = s.x.copy()
        for index in s.together:
            before, state = state, resets.apply(index, s.t, state)
            self._crowded(watch, index, s.t)
            self.diary.add(s.t, index, before, state)
            if watch.terminal[index]:
                self.status, self.message = 1, f"event '{watch.names[index]}' ended the run at t = {s.t:.6g} s"
        if self.status:
            self._end = state
            return False
        for index in s.together:
            resets.watch_rest(index, s.t, s.x, state)
        s.restart(state)
        return True

    def _crowded(self, watch: Watch, index: int, t: float) -> None:
        """Stop where an event follows itself without end."""
        last = self._last.get(index, (-np.inf, 0))
        count = last[1] + 1 if abs(t - last[0]) <= INSTANT * max(1.0, abs(t)) else 0
        self._last[index] = t, count
        if count >= ZENO:
            self.fail(
                f"at t = {t:.6g} s event '{watch.names[index]}' happens again and again without time passing."
                " Make it terminal once the motion is slow, or change its reset so that it leaves the zero."
            )

    def rows(self) -> tuple[Array, Array]:
        """The saved rows. The last of them is the state in which the run ended, after what an event may have done."""
        s, end = self.stepper, self.stepper.x if self._end is None else self._end
        count = self._whole() if self.status == -2 else s.count
        t, x = self.times[:count], s.saved[:count]
        if count and t[-1] == s.t:
            x[-1] = end
        elif count < len(self.times):
            t, x = np.append(t, s.t), np.vstack([x, end])
        return t, x

    def _whole(self) -> int:
        """How many rows were saved before a function of the user's was interrupted, and with it an interpolation."""
        gaps = np.flatnonzero(~np.isfinite(self.stepper.saved[: self.stepper.count]).all(axis=1))
        return int(gaps[0]) if len(gaps) else self.stepper.count

    def knots(self) -> Knots:
        """The ends of the steps, that of the last one too, which an event may have cut short."""
        s, n = self.stepper, len(self.stepper.x)
        rows = s.knots
        if len(rows) and rows[-1, 0] != s.t and not s.knots_full:
            rows = np.vstack([rows, [s.t, *s.x, *self.plant.machine.x_dot(s.t, s.x)]])
        return Knots(rows[:, 0].copy(), rows[:, 1 : n + 1].copy(), rows[:, n + 1 :].copy())


def _watch_limits(plant: Plant, run: RunResult) -> None:
    """Warn where a coordinate leaves its limits; nothing stops it there."""
    limits = plant.limits
    if not limits.names:
        return
    q = plant.machine.limited(run.t, run.x)
    outside = (q < limits.low) | (q > limits.high)
    for k in np.flatnonzero(outside.any(axis=0)).tolist():
        warnings.warn(
            f"{run.about.system}: coordinate '{limits.names[k]}' leaves its limits {limits.low[k]:g} …"
            f" {limits.high[k]:g} at t = {run.t[outside[:, k].argmax()]:.6g} s; limits are watched, not enforced: add"
            " an event or a stop",
            SimulationWarning, stacklevel=3,
        )  # fmt: skip
