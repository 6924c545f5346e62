"""One run: the loop around a stepper, with saved times, events, Ctrl-C and failures, to a trajectory."""

import time
from array import array
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, FunctionError, SimulationWarning, warn
from freebody.hybrid.triggers import Calendar
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.interrupt import Interrupt
from freebody.integrate.record import Status
from freebody.integrate.steppers import Stepper, release, stepper
from freebody.progress import Progress
from freebody.results.interpolation import Knots, max_knots
from freebody.results.trajectory import Events, HeldSteps, RunResult, Statistics
from freebody.run.called import CalledValues, noting
from freebody.run.diagnose import Stop, chatters, diagnose
from freebody.run.energy_check import warn_of_energy
from freebody.run.indefinite_mass import indefinite_row
from freebody.run.instants import Instants
from freebody.run.large_slopes import warn_of_large_slopes
from freebody.run.options import RunOptions
from freebody.run.rate_jumps import RateJumps
from freebody.run.recorder import Recorder
from freebody.scalar.functions import Callback

Array = NDArray[np.float64]
Result = TypeVar("Result", bound=RunResult)
TURN = 0.05
"""Seconds a stepper runs before Python looks at Ctrl-C and the progress bar."""

VIOLATED = 1e-5
"""How far from an equation that is left out (in rad, or in m) a run may be without a warning."""

RATE_JUMP = "jump of a prescribed rate"
"""The name of the events at which a prescribed motion, or a constraint that depends on time, changes its rate at
once."""

FAILURES = (Status.UNDERFLOW, Status.NOT_FINITE, Status.STALLED, Status.OFF_MANIFOLD)


def run_system(
    compiled: CompiledSystem, x0: Array, times: Array, options: RunOptions, result: type[Result],
    start: RunResult | None = None, refused: str = "", continues: bool = False,
) -> Result:  # fmt: skip
    """The motion from x0 at times[0], saved at the times. Events that ended the run ``start`` do not happen again where
    this one begins, but rates that jump there do; also in a run that ``continues`` a motion without its run. A run that
    is ``refused`` ends where it begins, for this reason."""
    began, room = time.perf_counter(), max_knots(len(x0))
    if len(compiled.system.held) and compiled.system.rules:  # they change d
        compiled = compiled.with_values(compiled.p, compiled.d)
    continues = continues or start is not None
    run = _Run(compiled, stepper(compiled, options, float(times[0]), x0, room), times, options, continues)
    s, past = run.stepper, list[int]()
    if start is not None and run.instants.rules:
        ended = {name for t, name in start.events if t == s.t}
        past = [k for k, rule in enumerate(run.instants.rules) if rule.name in ended]
        s.happened(past)
    called = compiled.system.called
    with noting(called) as calls:
        if refused:
            run.instants.fail(refused)
        else:
            try:
                run.go(past)
            except FunctionError as error:
                raise error.during(f"in the step from t = {s.t:.6g} s") from error.__cause__
    (t, x), events, knots = run.rows(), run.happened(), run.knots()
    states = (knots.t, knots.x) if len(knots) else (t, x)
    if run.instants.status >= 0 and (found := indefinite_row(compiled, *states)):
        run.instants.fail(found.message)
    values = _called_values(called, calls, (t, x), knots, events) if called else None
    seconds = time.perf_counter() - began
    trajectory = result(
        compiled.about, t, x, status=run.instants.status, message=run.instants.message, events=events,
        statistics=Statistics(
            options.method, s.steps, s.rejected, s.evaluations, s.jacobians, s.factorisations, seconds, s.projections
        ),
        recorder=Recorder(compiled, options.method, values), knots=knots, measures_drift=True,
        switches=run.held(len(t)), held_steps=run.held_steps(),
    )  # fmt: skip
    release(compiled, options, s, room)
    _warn_of_limits(compiled, trajectory)
    warn_of_energy(compiled, trajectory, options)
    _warn_of_equations_left_out(compiled, trajectory)
    warn_of_large_slopes(compiled.about.system, compiled.mechanics.programs.bendings, x, t)
    return trajectory


def backwards(compiled: CompiledSystem) -> ArgumentError:
    return ArgumentError(f"{compiled.about.system}: samples go forward in time; let the times of the run increase")


def _called_values(
    called: Sequence[Callback], calls: "list[array[float]]", saved: tuple[Array, Array], knots: Knots, events: Events
) -> CalledValues:
    """The values of the user's functions along a run."""
    jumps, sign = events.jumps, -1.0 if len(saved[0]) and saved[0][-1] < saved[0][0] else 1.0
    both = np.stack([events.before[jumps], events.after[jumps]], 1).reshape(2 * len(jumps), saved[1].shape[1])
    sides = np.repeat(events.t[jumps], 2), both
    return CalledValues.of_run(called, calls, saved, (knots.t, knots.x), sides, sign)


class _Run:
    """The loop around a stepper."""

    def __init__(
        self, compiled: CompiledSystem, stepping: Stepper, times: Array, options: RunOptions, continues: bool
    ) -> None:  # fmt: skip
        self.compiled, self.stepper, self.times, self.options = compiled, stepping, times, options
        sign = -1.0 if times[-1] < times[0] else 1.0
        self.instants = Instants(compiled, stepping.t, sign)
        self._row_held = [(0, stepping.t, compiled.held)]  # from which saved row and time on they hold
        self._start = stepping.t, stepping.x.copy()
        self._end: Array | None = None
        self._jumps = RateJumps(compiled, float(times[0]), float(times[-1]), continues)
        self._goals = [*self._jumps.times, float(times[-1])]
        self._calendar = Calendar([rule.trigger for rule in compiled.system.timed], stepping.t)
        if continues and self._calendar.next == stepping.t:  # applied at the end of what is continued
            self._calendar.take()
        if compiled.system.timed and sign < 0:
            raise backwards(compiled)
        self.stepper.end_steps_at(self._jumps.times)
        self.stepper.save_at(times)

    def go(self, past: list[int]) -> None:
        """Run to the end. Events that have happened already are not among those that engage constraints at the
        start."""
        begin, end, s, most = float(self.times[0]), float(self.times[-1]), self.stepper, self.options.max_steps
        what, steps = f"simulating {self.compiled.about.system}", 1000
        try:
            with Interrupt(s.halt) as interrupt, Progress(what, abs(end - begin), self.options.progress) as bar:
                going = self._at_goal() and self._engage_at_start(past)
                while going:
                    started, before = time.perf_counter(), s.steps
                    status = s.advance(self._goal, steps if most is None else min(steps, most - s.steps))
                    for t, index, x in s.take_log():  # those that change nothing
                        self.instants.events.append(self.instants.unchanged(t, index, x))
                    going = self._goes_on(status)
                    interrupt.settle()
                    spent, done = time.perf_counter() - started, s.steps - before
                    steps = max(10, min(10_000_000, int(max(done, 1) * TURN / max(spent, 1e-6))))
                    bar(abs(s.t - begin))
        except KeyboardInterrupt:
            self.instants.status, self.instants.message = -2, f"interrupted at t = {s.t:.6g} s"

    def _goes_on(self, status: Status) -> bool:
        s, instants = self.stepper, self.instants

        def stop(status: Status) -> Stop:
            return Stop(status, self._start, s.t, s.x, s.size, float(self.times[-1]))

        if status is Status.EVENT and instants.rules:
            return self._cross(s.together)
        if status is Status.STALLED and not (s.hopeless or chatters(self.compiled, stop(status))):
            return True
        if status is Status.UNDEFINED and instants.rules:
            instants.fail(_undefined(instants.rules[s.fired].name, s.t))
        elif status in FAILURES:
            instants.fail(diagnose(self.compiled, stop(status), self.options))
        elif status is not Status.DONE and s.steps == self.options.max_steps:
            instants.fail(diagnose(self.compiled, stop(Status.BUDGET), self.options))
        elif status is Status.DONE and s.t != self.times[-1]:
            return self._at_goal()
        elif status is Status.DONE:
            self._sample()
        return status is not Status.DONE and not instants.status

    @property
    def _goal(self) -> float:
        """The next time at which something is due, or the end."""
        return min(self._goals[0], self._calendar.next) if self._calendar.next < np.inf else self._goals[0]

    def _at_goal(self) -> bool:
        """Apply what is due at this time: timed rules, then jumps of rates; returns whether the run goes on."""
        going = self._sample()
        if going and self._goals[0] == self.stepper.t and len(self._goals) > 1:
            self._jump(self._goals.pop(0))
        return not self.instants.status

    def _sample(self) -> bool:
        """Apply the timed rules that are due, if any; returns whether the run goes on. The row that is saved at this
        time has the held values after them."""
        s, before = self.stepper, self.compiled.held
        if s.t != self._calendar.next:
            return True
        x, crossings = self.instants.sample(self._calendar.take(), s.t, s.x)
        saved = s.count > 0 and self.times[s.count - 1] == s.t
        self._row_held.append((s.count - saved, s.t, self.compiled.held))
        if not (np.array_equal(x, s.x) and np.array_equal(before, self.compiled.held)):
            s.restart(x)
        return self._cross(crossings) if crossings else True

    def _jump(self, t: float) -> None:
        """Apply a jump of the rates of prescribed motions."""
        s, instants = self.stepper, self.instants
        refusal = self._jumps.refuse(t, s.x)
        jump = None if refusal else self._jumps.apply(t, s.x)
        if refusal:
            instants.fail(refusal)
        elif jump is not None:
            happened = instants.unchanged(t, len(instants.rules), s.x.copy())
            facts = {"impulses": jump.impulses, "works": jump.works, "instants": jump.instants}
            instants.events.append(happened._replace(after=jump.x, facts=facts))
            s.restart(jump.x)

    def _engage_at_start(self, past: list[int]) -> bool:
        """Engage what is closed at the start and continues through; returns whether the run goes on."""
        s, known = self.stepper, [*past, *self.instants.sharing(past)]
        first = self.instants.closing(s.t, s.x, known) if self.instants.rules else []
        if not first or s.advance(float(self.times[-1]), 0) in FAILURES:  # saves the state before
            return True
        return self._cross(first, known)

    def _cross(self, crossings: list[int], past: Sequence[int] = ()) -> bool:
        """Apply crossings, and start again from there; returns whether the run goes on."""
        s = self.stepper
        outcome = self.instants.apply(crossings, s.t, s.x, past)
        if len(self.compiled.system.held):
            self._row_held.append((s.count, s.t, self.compiled.held))
        if self.instants.status:
            self._end = outcome.x
            return False
        s.restart(outcome.x)
        s.happened(outcome.waiting)
        return True

    def happened(self) -> Events:
        """The events of the run."""
        rows, names = self.instants.events, tuple(rule.name for rule in self.instants.rules)
        n, k, states = len(rows), len(self.compiled.system.held), len(self._start[1])
        rates_jump = any("instants" in e.facts for e in rows)
        multipliers = [name for info in self.compiled.about.constraints for name in info.multipliers]
        equations = (*multipliers, *(self._jumps.drives if rates_jump else ()))
        widths = {"before": states, "after": states, "held_before": k, "held_after": k}
        before, after, held_before, held_after = (
            np.array([getattr(e, name) for e in rows]).reshape(n, width) for name, width in widths.items()
        )
        impulses = np.zeros((n, len(equations)))
        for row, e in zip(impulses, rows, strict=True):
            values = e.facts.get("impulses", ())
            row[: len(values)] = values
        return Events(
            (*names, RATE_JUMP) if rates_jump else names, np.array([e.t for e in rows]),
            np.array([e.event for e in rows], np.int64), before, after, held_before, held_after, impulses,
            np.array([e.facts.get("lost", 0.0) for e in rows]), equations, self.compiled.system.held.columns,
            works=tuple(e.facts.get("works", {}) for e in rows) if rates_jump else (),
            instants=np.array([e.facts.get("instants", (e.t, e.t)) for e in rows]).reshape(n, 2),
            beside=self._jumps.beside,
        )  # fmt: skip

    def held(self, count: int) -> Array | None:
        """The held values of so many saved rows; None if there are none. The last row is that in which the run
        ended."""
        if not len(self.compiled.system.held):
            return None
        starts, _, values = zip(*self._row_held, strict=True)
        rows = np.array(values)[np.searchsorted(starts, np.arange(count), side="right") - 1]
        if count and self._end is not None:
            rows[-1] = values[-1]
        return rows

    def held_steps(self) -> HeldSteps | None:
        """The held values at all times of the run."""
        if not len(self.compiled.system.held):
            return None
        _, times, values = zip(*self._row_held, strict=True)
        return HeldSteps(np.array(times), np.array(values))

    def rows(self) -> tuple[Array, Array]:
        """The saved rows. The last of them is the state in which the run ended, after the reset of an event."""
        s, end = self.stepper, self.stepper.x if self._end is None else self._end
        count = s.count
        if self.instants.status == -2:  # rows are missing where a user's function was interrupted in an interpolation
            gaps = np.flatnonzero(~np.isfinite(s.saved[:count]).all(axis=1))
            count = int(gaps[0]) if len(gaps) else count
        t, x = self.times[:count], s.saved[:count]
        if count and t[-1] == s.t:
            x[-1] = end
        elif count < len(self.times):
            t, x = np.append(t, s.t), np.vstack([x, end])
        return t, x

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


def _warn_of_limits(compiled: CompiledSystem, run: RunResult) -> None:
    """Warn where a coordinate leaves its limits; nothing stops it there."""
    limits = compiled.mechanics.programs.limits
    if not limits.names:
        return
    q = compiled.mechanics.limited(run.t, run.x)
    outside = (q < limits.low) | (q > limits.high)
    for k in np.flatnonzero(outside.any(axis=0)).tolist():
        warn(
            f"{run.about.system}: coordinate '{limits.names[k]}' leaves its limits {limits.low[k]:g} …"
            f" {limits.high[k]:g} at t = {run.t[outside[:, k].argmax()]:.6g} s; limits are watched, not enforced: add"
            " an event or a stop",
            SimulationWarning,
        )  # fmt: skip


def _warn_of_equations_left_out(compiled: CompiledSystem, run: RunResult) -> None:
    """Warn where an equation does not hold that was left out, since it followed from others near the initial
    coordinates."""
    found = compiled.mechanics.programs.left_out.value
    if found is None or not len(run):
        return
    names, program = found
    reasons = {name: why for c in compiled.about.constraints for name, why in c.omitted.items()}
    inputs = compiled.rows_with_held(run.switches)
    times = run.events.times_of_rows(run.t, run.x)
    rows = {"parameters": compiled.p, "t": times.reshape(-1, 1), "x": run.x}
    rows["inputs"] = compiled.part(program, inputs)
    distances = compiled.gradual(program)(rows, len(run))
    for k in np.flatnonzero((distances > VIOLATED).any(axis=0)).tolist():
        first = int((distances[:, k] > VIOLATED).argmax())
        warn(
            f"{run.about.system}: the equation '{names[k]}' does not hold from t = {run.t[first]:.6g} s on: it is left"
            f" out ({reasons[names[k]]}), and off by {distances[:, k].max():.3g}. Leave the constraint"
            " out if it is not meant to hold; else write its equation so that it differs from the others near the"
            " initial coordinates too",
            SimulationWarning,
        )  # fmt: skip
