"""One run: a stepper led through the saved times, events, Ctrl-C and what may go wrong, to a trajectory."""

import time
import warnings
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, SimulationWarning
from freebody.results.trajectory import Events, Statistics, Trajectory
from freebody.simulation.diagnose import diagnose
from freebody.simulation.emit_drive import Status
from freebody.simulation.plant import Plant, Watch
from freebody.simulation.progress import Progress
from freebody.simulation.recorder import Recorder
from freebody.simulation.steppers import Stepper, stepper

Array = NDArray[np.float64]
Made = TypeVar("Made", bound=Trajectory)
TURN = 0.05
"""Seconds a stepper runs before Python looks at Ctrl-C and the progress bar."""

ZENO, INSTANT = 3, 1e-10
"""So many times in a row an event may happen again within (about) so many seconds; more, and it never ends."""

REASONS = {
    Status.UNDERFLOW: "the step size fell below what the time can tell apart",
    Status.NOT_FINITE: "the derivative of the state is not finite",
}


@dataclass
class Options:
    """How to integrate."""

    method: str = "dop853"
    rtol: Any = 1e-8
    atol: Any = 1e-10
    step: float | None = None
    first_step: float | None = None
    max_step: float | None = None
    progress: bool | None = None


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


def simulate(plant: Plant, x0: Array, times: Array, options: Options, made: type[Made]) -> Made:
    """The motion from x0 at times[0], saved at the times."""
    start = time.perf_counter()
    run = _Run(plant, stepper(plant, options, float(times[0]), x0), times, options)
    run.go()
    t, x = run.rows()
    s = run.stepper
    statistics = Statistics(
        options.method, s.steps, s.rejected, s.evaluations, s.jacobians, s.factorisations, time.perf_counter() - start
    )
    names = plant.watch.names if plant.watch is not None else ()
    trajectory = made(
        plant.about, t, x, status=run.status, message=run.message, events=run.diary.events(names, x.shape[1]),
        statistics=statistics, recorder=Recorder(plant),
    )  # fmt: skip
    _limits(trajectory)
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
        self.stepper.save_at(times)

    def go(self) -> None:
        span = abs(float(self.times[-1] - self.times[0]))
        try:
            with Progress(f"simulating {self.plant.about.system}", span, self.options.progress) as bar:
                self._loop(bar)
        except KeyboardInterrupt:
            self.status, self.message = -2, f"interrupted at t = {self.stepper.t:.6g} s"

    def _loop(self, bar: Progress) -> None:
        end, budget, going = float(self.times[-1]), 1000, True
        while going:
            began, before = time.perf_counter(), self.stepper.steps
            status = self.stepper.advance(end, budget)
            self._note_passed()
            going = self._goes_on(status)
            spent, done = time.perf_counter() - began, self.stepper.steps - before
            budget = max(10, min(10_000_000, int(max(done, 1) * TURN / max(spent, 1e-6))))
            bar(abs(self.stepper.t - float(self.times[0])))

    def _goes_on(self, status: Status) -> bool:
        if status is Status.EVENT:
            return self._happened()
        if status in REASONS:
            self.status = -1
            self.message = diagnose(self.plant, self._start, self.stepper.t, self.stepper.x, REASONS[status])
            warnings.warn(f"{self.plant.about.system}: {self.message}", SimulationWarning, stacklevel=2)
            return False
        return status is not Status.DONE

    def _note_passed(self) -> None:
        """Events that change nothing."""
        for t, index, x in self.stepper.take_log():
            self.diary.add(t, index, x, x)

    def _happened(self) -> bool:
        """What stopped the stepper, several events at once perhaps: change the state, end or go on."""
        watch, s = self.plant.watch, self.stepper
        assert watch is not None
        state = s.x.copy()
        for index in s.together:
            before, state = state, self._reset(watch, index, s.t, state)
            self._crowded(watch, index, s.t)
            self.diary.add(s.t, index, before, state)
            if watch.terminal[index]:
                self.status, self.message = 1, f"event '{watch.names[index]}' ended the run at t = {s.t:.6g} s"
        if self.status:
            self._end = state
            return False
        s.restart(state)
        return True

    def _reset(self, watch: Watch, index: int, t: float, x: Array) -> Array:
        program = watch.resets[index]
        if program is None:
            return x
        f = self.plant.machine.function(program, "numpy")
        found = f(t=t, x=x, inputs=self.plant.inputs)
        assert isinstance(found, np.ndarray)
        if not np.all(np.isfinite(found)):
            bad, who = self.plant.about.state[int(np.argmax(~np.isfinite(found)))], watch.names[index]
            raise ArgumentError(f"event '{who}' at t = {t:.6g} s sets {bad} to a value that is not finite")
        return found

    def _crowded(self, watch: Watch, index: int, t: float) -> None:
        """Stop where an event follows itself without end."""
        last = self._last.get(index, (-np.inf, 0))
        count = last[1] + 1 if abs(t - last[0]) <= INSTANT * max(1.0, abs(t)) else 0
        self._last[index] = t, count
        if count >= ZENO:
            self.status = -1
            self.message = (
                f"at t = {t:.6g} s event '{watch.names[index]}' happens again and again without time passing."
                " Make it terminal once the motion is slow, or change its reset so that it leaves the zero."
            )
            warnings.warn(f"{self.plant.about.system}: {self.message}", SimulationWarning, stacklevel=2)

    def rows(self) -> tuple[Array, Array]:
        """The saved rows, and the last point where the run ended early."""
        s = self.stepper
        t, x = self.times[: s.count], s.saved[: s.count]
        if s.count < len(self.times) and (not s.count or s.t != t[-1]):
            t, x = np.append(t, s.t), np.vstack([x, s.x if self._end is None else self._end])
        return t, x


def _limits(run: Trajectory) -> None:
    """Say where a coordinate leaves its limits; nothing stops it there."""
    for element in run.about.elements:
        if element.limits is None:
            continue
        low, high = element.limits
        for name in element.q:
            outside = np.flatnonzero((run[f"q.{name}"] < low) | (run[f"q.{name}"] > high))
            if len(outside):
                warnings.warn(
                    f"{run.about.system}: coordinate '{name}' leaves its limits {low:g} … {high:g} at"
                    f" t = {run.t[outside[0]]:.6g} s; limits are watched, not enforced: add an event or a stop",
                    SimulationWarning, stacklevel=3,
                )  # fmt: skip
