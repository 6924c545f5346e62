"""Samples in machine code, beside a compiled integrator: between them Python is not entered, except for functions of
users."""

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.backends.llvm import jit
from freebody.backends.llvm.build import module
from freebody.backends.llvm.cpython import address
from freebody.hybrid.triggers import Calendar, Every
from freebody.hybrid.updates import FunctionUpdate, ProgramUpdate
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.emit_samples import LOG_HEAD, MOVING, PLAN, TICK, WORDS, samples
from freebody.integrate.integrator import Integrator
from freebody.integrate.record import Record, Status
from freebody.integrate.steppers import Stepper
from freebody.once import once

Array = NDArray[np.float64]
CALLS = int(Status.CALLS)
ROOM = 1024
"""Rows of the log of samples."""


class SampleLoop:
    """The timed rules of a system as a loop around an integrator. Rows of the log are taken by ``take``."""

    def __init__(self, compiled: CompiledSystem, integrator: Integrator, calendar: Calendar) -> None:
        self.calendar, self.integrator, self.d = calendar, integrator, compiled.d
        self.error: Exception | None = None
        """What a user's function raised."""
        self._plan, self._log = Record(PLAN), np.empty((ROOM, len(compiled.d) + LOG_HEAD))
        count = len(compiled.system.crossings)
        self.before, self.after = np.zeros(count), np.zeros(count)
        n, rows, self._alive = len(compiled.system.states), list[list[int]](), list[Any]()
        self._calls = dict[int, tuple[FunctionUpdate, Array, Any]]()
        for rule, (_, tick, period) in zip(compiled.system.timed, calendar.samples, strict=True):
            for update in rule.updates:
                assert isinstance(update, ProgramUpdate | FunctionUpdate) and update.places is not None
                f, places = compiled.state_function(update.program), np.array(update.places, np.int64) - n
                out, targets = np.empty(f.results), address(compiled.d) + 8 * places
                waits = isinstance(update, FunctionUpdate)
                if isinstance(update, FunctionUpdate):
                    self._calls[len(rows)] = update, out, _whole_slice(places)
                words = [tick, period, f.address, f.context, address(out), len(targets), address(targets), int(waits)]
                rows.append(words)
                self._alive += [f, out, targets]
        self._rules = [k for k, rule in enumerate(compiled.system.timed) for _ in rule.updates]
        self._table, p = np.array(rows, np.int64).reshape(-1, WORDS), self._plan
        self._tick, self._count = p.integers("tick"), p.integers("count")
        p["tick"] = -1  # not known yet
        p["ticks_per_second"], p["rows"], p["width"] = calendar.ticks_per_second, len(rows), len(compiled.d)
        p["room"], p["count"], p["row"] = ROOM, 0, MOVING
        p["table"], p["d"] = self._table, compiled.d
        p["log"], p["before"], p["after"] = self._log, self.before, self.after
        self._call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)(_library().address("samples"))

    def begin(self) -> None:
        """The times of the next samples are those of the calendar, if that has moved."""
        if self._tick.item() == self.calendar.tick:
            return
        ticks = np.array([tick for _, tick, _ in self.calendar.samples], np.int64)
        self._table[:, TICK] = ticks[self._rules]
        self._plan["tick"] = int(ticks.min())

    def end(self) -> None:
        """The calendar is where the samples are."""
        if self._tick.item() == self.calendar.tick:
            return
        ticks = dict(zip(self._rules, self._table[:, TICK].tolist(), strict=True))
        self.calendar.move([ticks[k] for k in range(len(ticks))])

    def __call__(self, goal: float) -> int:
        """Move on to a time, through all samples up to there."""
        plan, call, calls, d, s = self._plan, self._call, self._calls, self.d, self.integrator.record_address
        plan["end"], plan["entry"] = goal, self.integrator.entry
        time, row, address = self.integrator.clock, plan.integers("row"), plan.address
        status = call(s, address)
        while status == CALLS:
            update, y, places = calls[row.item() - 1]
            try:
                d[places] = update.values(time.item(), y.copy())
            except Exception as error:
                self.error = error
                plan["row"], plan["tick"] = MOVING, int(self._table[:, TICK].min())  # what is still due comes next
                return Status.RAISED
            status = call(s, address)
        return int(status)

    def take(self) -> tuple[Array, NDArray[np.int64], Array]:
        """The log since the last call: times of samples, how many rows had been saved, and d behind them."""
        log = self._log[: self._count.item()].copy()
        self._count[0] = 0
        return log[:, 0], log[:, 1].astype(np.int64), log[:, LOG_HEAD:]


def _whole_slice(places: NDArray[np.int64]) -> Any:
    """Places as a slice where they follow one another, which is written faster."""
    first, count = int(places[0]), len(places)
    return slice(first, first + count) if np.array_equal(places, np.arange(first, first + count)) else places


def sample_loop(compiled: CompiledSystem, stepping: Stepper, calendar: Calendar) -> SampleLoop | None:
    """The loop of a system around a compiled integrator, where one is possible."""
    possible = isinstance(stepping, Integrator) and can_loop(compiled)
    return SampleLoop(compiled, stepping, calendar) if possible and isinstance(stepping, Integrator) else None


def can_loop(compiled: CompiledSystem) -> bool:
    """Whether all timed rules, of which there are some, write to held values alone, at regular times, by programs or
    functions, and no break point moves with them."""
    rules = compiled.system.timed
    regular = all(isinstance(rule.trigger, Every) and rule.updates for rule in rules)
    updates = [update for rule in rules for update in rule.updates]
    plain = all(isinstance(update, ProgramUpdate | FunctionUpdate) for update in updates)
    calls = any(block.calls for rule in rules for program in rule.programs for block in program.blocks)
    changes = any(rule.changes_states(len(compiled.system.states)) for rule in rules)
    return bool(rules) and regular and plain and not changes and not calls and not compiled.breaks_move


@once
def _library() -> jit.Library:
    return jit.load(lambda: module([samples()]), level=2, passes=True)
