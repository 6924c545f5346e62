"""Stepped motion: a stepper between instants, and what happened. Runs and simulators move through time by it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.hybrid.triggers import Calendar
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.record import Status
from freebody.integrate.steppers import Stepper, names_of
from freebody.results.interpolation import Knots
from freebody.results.trajectory import Events, HeldSteps, Statistics
from freebody.run.diagnose import Stop, chatters, diagnose, stays_explicit
from freebody.run.held_rows import HeldRows
from freebody.run.instants import Happened, Instants
from freebody.run.options import LONGEST, RunOptions
from freebody.run.rate_jumps import RateJumps

if TYPE_CHECKING:
    from freebody.integrate.samples import SampleLoop

Array = NDArray[np.float64]
RATE_JUMP = "jump of a prescribed rate"
"""The name of the events at which a prescribed motion, or a constraint that depends on time, changes its rate at
once."""

NEAR = 1e-11
"""How near to a sample strides end, as a fraction of the time and of 1 s; it is met by other steps."""

FAILURES = (Status.UNDERFLOW, Status.NOT_FINITE, Status.STALLED, Status.OFF_MANIFOLD)


class SteppedMotion:
    """A compiled system that moves through time with a stepper, in the direction ``sign``. At an instant the order is:
    timed rules, the crossings that they cause, jumps of prescribed rates; crossings where they stop the integration.
    A motion that ``continues`` another does not repeat what that one has done at its end."""

    times: Array = np.empty(0)
    """The times to save, as far as the stepper knows them."""

    def __init__(
        self,
        compiled: CompiledSystem,
        stepping: Stepper,
        options: RunOptions,
        sign: float = 1.0,
        continues: bool = False,
    ) -> None:
        self.compiled, self.stepper, self.options = compiled, stepping, options
        self.instants = Instants(compiled, stepping.t, sign)
        self._held = HeldRows(stepping.t, compiled.held)
        self._start = stepping.t, stepping.x.copy()
        self.end_state: Array | None = None
        """The state in which the motion ended at an event."""
        self._calendar = Calendar([rule.trigger for rule in compiled.system.timed], stepping.t)
        if continues and self._calendar.next == stepping.t:  # applied at the end of what is continued
            self._calendar.take()
        self._jumped = np.nan  # the time of the last jump of rates
        if compiled.system.timed and sign < 0:
            raise backwards(compiled)
        self._samples = _sample_loop(compiled, stepping, self._calendar)

    def aim(self, end: float, continues: bool) -> None:
        """Move to this time next; ``continues``: rates that jump where the motion is now jump in what comes."""
        self.jumps = RateJumps(self.compiled, self.stepper.t, end, continues)
        self._goals = [*(t for t in self.jumps.times if t != self._jumped), end]
        self.stepper.end_steps_at(self.jumps.points)

    def begin(self, past: Sequence[int] = ()) -> bool:
        """Apply what is due where the motion begins, and engage what is closed there and continues through, unless it
        has happened already; returns whether the motion goes on."""
        return self._at_goal() and self._engage_at_start(past)

    def resume(self, before: Array | None = None) -> bool:
        """Apply what is due at this time, where a motion goes on to another end; returns whether it does. ``before``
        are the conditions before d or the state were set from outside: those that this has carried across zero happen
        now, and what is closed now and continues through is engaged."""
        if before is not None and self.instants.rules:
            crossed = self.instants.carried(before, self.instants.conditions(self.stepper.t, self.stepper.x))
            if not (self._cross(crossed) if crossed else self._engage_at_start(())):
                return False
        return self._at_goal()

    def note_held(self, t: float, held: Array) -> None:
        """Record held values that were set from outside at a time."""
        self._held.add(self.stepper.count, t, held)

    @property
    def next_sample(self) -> float:
        """The next time at which timed rules are due."""
        return self._calendar.next

    @property
    def reach(self) -> float:
        """The time before which nothing is due, so that the stepper may stride; −∞ where it may not."""
        if self.instants.status or self.jumps.possible or self.options.max_steps is not None:
            return -np.inf
        sample = min(self._calendar.next, LONGEST)
        return min(sample - NEAR * max(1.0, sample), self.stepper.reach)

    def take_over(self, status: Status, end: float) -> bool:
        """Go on to this time where a stride of the stepper has ended with a status; returns whether it is not there
        yet."""
        self.aim(end, True)
        self._take_log()
        return self._goes_on(status)

    def advance(self, most: int) -> bool:
        """Take at most so many steps towards the end, through all instants on the way; returns whether the motion goes
        on."""
        status = self._advance(most)
        self._take_log()
        return self._goes_on(status)

    def _take_log(self) -> None:
        """Note the events that change nothing, with what was held then: samples may have come since."""
        for t, index, x in self.stepper.take_log():
            held = self._held.before(t) if self._samples is not None else self.compiled.held
            self.instants.events.append(Happened(t, index, x, x, held, held))

    def _advance(self, most: int) -> Status:
        """Take at most so many steps to the next time at which something is due that Python applies."""
        if self._samples is None:
            return self.stepper.advance(min(self._goals[0], self._calendar.next), most)
        loop, compiled = self._samples, self.compiled
        loop.begin()
        status = loop.integrator.advance(self._goals[0], most, loop)
        loop.end()
        times, rows, d = loop.take()
        if len(times):
            saved = (rows > 0) & (self.times[np.maximum(rows - 1, 0)] == times) if len(self.times) else 0
            self._held.extend(rows - saved, times, d[:, compiled.system.held_places])
        if loop.error is not None:
            error, loop.error = loop.error, None
            self._restart(self.stepper.x)
            raise error
        return status

    def _goes_on(self, status: Status) -> bool:
        s, instants = self.stepper, self.instants

        def stop(status: Status) -> Stop:
            return Stop(status, self._start, s.t, s.x, s.size, self._goals[-1], s.methods[-1][1], s.refusal)

        if status is Status.EVENT and instants.rules:
            return self._cross(s.together)
        if status is Status.CARRIED and self._samples is not None:
            crossed = instants.carried(self._samples.before, self._samples.after)
            return self._cross(crossed) if crossed else True
        if status is Status.STALLED and not (s.cannot_finish or chatters(self.compiled, stop(status))):
            return True
        if status is Status.UNDEFINED and instants.rules:
            instants.fail(_undefined(instants.rules[s.fired].name, s.t))
        elif status in FAILURES:
            instants.fail(diagnose(self.compiled, stop(status), self.options))
        elif status is not Status.DONE and s.steps == self.options.max_steps:
            instants.fail(diagnose(self.compiled, stop(Status.BUDGET), self.options))
        elif status is Status.DONE and s.t != self._goals[-1]:
            return self._at_goal()
        elif status is Status.DONE:
            self._sample()
        return status is not Status.DONE and not instants.status

    def _at_goal(self) -> bool:
        """Apply what is due at this time: timed rules, then jumps of rates; returns whether the run goes on."""
        going = self._sample()
        if going and self._goals[0] == self.stepper.t and len(self._goals) > 1:
            self._jump(self._goals.pop(0))
        return not self.instants.status

    def _sample(self) -> bool:
        """Apply the timed rules that are due, if any; returns whether the run goes on. The row that is saved at this
        time has the held values after them, unless they change the state: then it is the row before."""
        s = self.stepper
        if s.t != self._calendar.next:
            return True
        x, crossings = self.instants.sample(self._calendar.take(), s.t, s.x)
        jumps = not np.array_equal(x, s.x)
        if jumps and s.t == self._start[0] and s.advance(self._goals[-1], 0) in FAILURES:  # saves the state before
            return not self.instants.status
        saved = s.count > 0 and self.times[s.count - 1] == s.t and not jumps
        self._held.add(s.count - saved, s.t, self.compiled.held)
        self._restart(x)
        return self._cross(crossings) if crossings else not self.instants.status

    def _restart(self, x: Array) -> None:
        """Start again from a state after rules were applied."""
        s = self.stepper
        if self.compiled.breaks_move:
            s.set_breaks(self.compiled.breaks)
            s.end_steps_at(self.jumps.times)
        s.restart(x)

    def _jump(self, t: float) -> None:
        """Apply a jump of the rates of prescribed motions."""
        s, instants = self.stepper, self.instants
        self._jumped = t
        refusal = self.jumps.refuse(t, s.x)
        jump = None if refusal else self.jumps.apply(t, s.x)
        if refusal:
            instants.fail(refusal)
        elif jump is not None:
            index = len(self.compiled.system.rules)
            happened = instants.unchanged(t, index, s.x.copy())
            facts = {"impulses": jump.impulses, "works": jump.works, "instants": jump.instants}
            instants.events.append(happened._replace(after=jump.x, facts=facts))
            s.restart(jump.x)

    def _engage_at_start(self, past: Sequence[int]) -> bool:
        """Engage what is closed at the start and continues through; returns whether the run goes on."""
        s, known = self.stepper, [*past, *self.instants.sharing(past)]
        first = self.instants.closing(s.t, s.x, known) if self.instants.rules else []
        if not first or s.advance(self._goals[-1], 0) in FAILURES:  # saves the state before
            return True
        return self._cross(first, known)

    def _cross(self, crossings: list[int], past: Sequence[int] = ()) -> bool:
        """Apply crossings, and start again from there; returns whether the run goes on."""
        s = self.stepper
        outcome = self.instants.apply(crossings, s.t, s.x, past)
        if len(self.compiled.system.held):
            self._held.add(s.count, s.t, self.compiled.held)
        if self.instants.status:
            self.end_state = outcome.x
            return False
        self._restart(outcome.x)
        s.mark_events(outcome.waiting)
        return True

    def statistics(self, seconds: float = 0.0) -> Statistics:
        """What the motion cost so far."""
        s = self.stepper
        return Statistics(
            names_of(tuple(s.methods)),
            s.steps,
            s.rejected,
            s.evaluations,
            s.jacobians,
            s.factorisations,
            seconds,
            s.projections,
            limit=f"stability keeps the steps short, and {stays_explicit(s.refusal)}" if s.refusal else "",
            methods=tuple(s.methods),
            compiling=s.compiling,
        )

    def happened(self) -> Events:
        """The events of the run."""
        rows = self.instants.events
        names = tuple(rule.name for rule in (*self.instants.rules, *self.compiled.system.timed))
        multipliers = tuple(name for info in self.compiled.about.constraints for name in info.multipliers)
        n, k, states = len(rows), len(self.compiled.system.held), len(self._start[1])
        if not rows:
            x, d = np.empty((0, states)), np.empty((0, k))
            impulses, held = np.empty((0, len(multipliers))), self.compiled.system.held.columns
            none = np.empty(0), np.empty(0, np.int64), x, x, d, d, impulses, np.empty(0), multipliers, held
            return Events(names, *none, beside=self.jumps.beside)
        rates_jump = any("instants" in e.facts for e in rows)
        equations = (*multipliers, *(self.jumps.drives if rates_jump else ()))
        widths = {"before": states, "after": states, "held_before": k, "held_after": k}
        before, after, held_before, held_after = (
            np.array([getattr(e, name) for e in rows]).reshape(n, width) for name, width in widths.items()
        )
        impulses = np.zeros((n, len(equations)))
        for row, e in zip(impulses, rows, strict=True):
            values = e.facts.get("impulses", ())
            row[: len(values)] = values
        return Events(
            (*names, RATE_JUMP) if rates_jump else names,
            np.array([e.t for e in rows]),
            np.array([e.event for e in rows], np.int64),
            before,
            after,
            held_before,
            held_after,
            impulses,
            np.array([e.facts.get("lost", 0.0) for e in rows]),
            equations,
            self.compiled.system.held.columns,
            works=tuple(e.facts.get("works", {}) for e in rows) if rates_jump else (),
            instants=np.array([e.facts.get("instants", (e.t, e.t)) for e in rows]).reshape(n, 2),
            beside=self.jumps.beside,
        )

    def held(self, count: int) -> Array | None:
        """The held values of so many saved rows; None if there are none. The last row is the state in which the run
        ended, after what happened there."""
        if not len(self.compiled.system.held):
            return None
        values = self._held.values
        rows = values[np.searchsorted(self._held.rows, np.arange(count), side="right") - 1]
        rows[-1:] = values[-1]
        return rows

    def held_steps(self) -> HeldSteps | None:
        """The held values at all times of the run."""
        if not len(self.compiled.system.held):
            return None
        return HeldSteps(self.compiled.system.held.columns, self._held.times, self._held.values)

    def knots(self) -> Knots:
        """The ends of the steps, also of the last one, which an event may have cut short."""
        s, n = self.stepper, len(self.stepper.x)
        rows = s.knots
        if len(rows) and rows[-1, 0] != s.t and not s.knots_full:
            rows = np.vstack([rows, [s.t, *s.x, *self.compiled.x_dot(s.t, s.x)]])
        return Knots(rows[:, 0].copy(), rows[:, 1 : n + 1].copy(), rows[:, n + 1 :].copy())


def _undefined(event: str, t: float) -> str:
    """Why a run ends in which the condition of an event becomes undefined."""
    return (
        f"at t = {t:.6g} s the condition of event '{event}' is not a number, so that what it waits for"
        " could pass unseen. Write a condition that is a number wherever the motion goes (in place of"
        " sqrt(q.a) - 1 the difference q.a - 1), or end the run before by a terminal event"
    )


def _sample_loop(compiled: CompiledSystem, stepping: Stepper, calendar: Calendar) -> "SampleLoop | None":
    """The loop over samples in machine code, where one is possible."""
    if not compiled.system.timed:
        return None
    from freebody.integrate.samples import sample_loop

    return sample_loop(compiled, stepping, calendar)


def backwards(compiled: CompiledSystem) -> ArgumentError:
    return ArgumentError(
        f"{compiled.about.system}: systems with samples run forward in time only; give increasing times"
    )
