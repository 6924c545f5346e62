"""One run: the loop around a stepper, with saved times, events, Ctrl-C and failures, to a trajectory."""

import time
from array import array
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from freebody.errors import FunctionError, SampleError, SimulationWarning, warn
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.integrator import Integrator
from freebody.integrate.interrupt import Interrupt
from freebody.integrate.steppers import Stepper, release, stepper
from freebody.progress import Progress
from freebody.results.interpolation import Knots, max_knots
from freebody.results.trajectory import Events, RunResult
from freebody.run.callback_checks import other_values
from freebody.run.called import CalledValues, noting
from freebody.run.contact_checks import warn_of_contacts
from freebody.run.contact_events import warn_of_points_beyond
from freebody.run.energy_check import takes_long_steps, warn_of_energy
from freebody.run.indefinite_mass import indefinite_row
from freebody.run.large_slopes import warn_of_large_slopes
from freebody.run.options import RunOptions
from freebody.run.recorder import Recorder
from freebody.run.stepped_motion import SteppedMotion
from freebody.scalar.functions import Callback

Array = NDArray[np.float64]
Result = TypeVar("Result", bound=RunResult)
TURN = 0.05
"""Seconds a stepper runs before Python looks at Ctrl-C and the progress bar."""

TINY = 1e-6
"""Where steps are shorter than this fraction of a run, functions of users are called again at one state."""

VIOLATED = 1e-5
"""How far from an equation that is left out (in rad, or in m) a run may be without a warning."""


class KnownStiffness:
    """What runs that continue one another hand on of their stiffness; nothing where the first begins."""

    stiffness: Array | None = None


def run_system(
    compiled: CompiledSystem,
    x0: Array,
    times: Array,
    options: RunOptions,
    result: type[Result],
    start: RunResult | None = None,
    refused: str = "",
    continues: bool = False,
    before: Array | None = None,
    carried: KnownStiffness | None = None,
) -> Result:
    """The motion from x0 at times[0], saved at the times. Events that ended the run ``start`` do not happen again where
    this one begins, but rates that jump there do; also in a run that ``continues`` a motion without its run. ``before``
    are the conditions of events before something was set where it begins: those that this has carried across zero
    happen. A run that is ``refused`` ends where it begins, for this reason. ``carried`` is handed from run to run."""
    began, room = time.perf_counter(), max_knots(len(x0))
    if len(compiled.system.held) and compiled.system.rules:  # they change d
        compiled = compiled.with_values(compiled.p, compiled.d)
    continues = continues or start is not None
    stiffness, d = None if carried is None else carried.stiffness, compiled.d.copy()

    def begin(compiled: CompiledSystem, options: RunOptions) -> tuple[_Run, list[int]]:
        run = _Run(compiled, stepper(compiled, options, float(times[0]), x0, room), times, options, continues)
        s, past = run.stepper, list[int]()
        if stiffness is not None and isinstance(s, Integrator):
            s.stiffness = stiffness
        if start is not None and run.instants.rules:
            ended = {name for t, name in start.events if t == s.t}
            past = [k for k, rule in enumerate(run.instants.rules) if rule.name in ended]
            s.mark_events(past)
        return run, past

    def inside() -> Array | None:
        """The states at the Gauss points of steps, by running once more; None where that is not possible."""
        if not isinstance(s, Integrator) or compiled.system.timed or called:
            return None
        own = compiled.with_values(compiled.p, d) if len(compiled.system.held) else compiled
        repeated, past = begin(own, replace(options, progress=False))
        stepping = cast(Integrator, repeated.stepper)
        stepping.keep_inner()
        repeated.go(past, before)
        if repeated.instants.status == -2:
            raise KeyboardInterrupt
        found = stepping.inner if np.array_equal(repeated.knots().x, trajectory.knots.x) else None
        release(compiled, options, stepping, room)
        return found

    run, past = begin(compiled, options)
    s, raised, called = run.stepper, None, compiled.system.called
    if isinstance(s, Integrator) and takes_long_steps(compiled, options):
        s.keep_inner()
    with noting(called) as calls:
        if refused:
            run.instants.fail(refused)
        else:
            if not continues:
                warn_of_points_beyond(run.instants, s.t, x0)
            try:
                run.go(past, before)
            except SampleError as error:
                raised = error
                run.instants.status, run.instants.message = -1, str(error)
            except FunctionError as error:
                raise error.during(f"in the step from t = {s.t:.6g} s") from error.__cause__
    (t, x), events, knots = run.rows(), run.happened(), run.knots()
    inner = s.inner
    states = (knots.t, knots.x) if len(knots) else (t, x)
    if run.instants.status >= 0 and (found := indefinite_row(compiled, *states)):
        run.instants.fail(found.message)
    values = _called_values(called, calls, (t, x), knots, events) if called else None
    seconds = time.perf_counter() - began
    trajectory = result(
        compiled.about,
        t,
        x,
        status=run.instants.status,
        message=run.instants.message,
        events=events,
        statistics=run.statistics(seconds),
        recorder=Recorder(compiled, tuple(s.methods), values),
        knots=knots,
        measures_drift=True,
        held=run.held(len(t)),
        held_steps=run.held_steps(),
    )
    if carried is not None and options.adaptive and isinstance(s, Integrator):
        carried.stiffness = s.stiffness
    if isinstance(s, Integrator) and s.unconverged:
        warn(f"{compiled.about.system}: {unconverged(s.unconverged, s.steps, s.mismatch)}", SimulationWarning)
    release(compiled, options, s, room)
    if raised is not None:
        raised.run = trajectory
        raise raised from raised.__cause__
    checks_of_rows(compiled, trajectory)
    warn_of_energy(compiled, trajectory, options, inner, inside)
    return trajectory


def unconverged(count: int, steps: int, mismatch: float) -> str:
    """A warning for steps with contact that have not converged."""
    return (
        f"{count} of {steps} steps with contact did not converge: their impulses are off by up to {100 * mismatch:.2g}"
        " % of the largest. Take a shorter step, or a softer material"
    )


def checks_of_rows(compiled: CompiledSystem, run: RunResult) -> None:
    """Warn of what the saved states of a run show."""
    if (limits := compiled.mechanics.programs.limits).names:
        for text in limits.texts(run.t, compiled.mechanics.limited(run.t, run.x)):
            warn(f"{run.about.system}: {text}", SimulationWarning)
    _warn_of_equations_left_out(compiled, run)
    warn_of_contacts(compiled, run)
    warn_of_large_slopes(compiled.about.system, compiled.mechanics.programs.bendings, run.x, run.t)


def _called_values(
    called: Sequence[Callback], calls: "list[array[float]]", saved: tuple[Array, Array], knots: Knots, events: Events
) -> CalledValues:
    """The values of the user's functions along a run."""
    jumps, sign = events.jumps, -1.0 if len(saved[0]) and saved[0][-1] < saved[0][0] else 1.0
    both = np.stack([events.before[jumps], events.after[jumps]], 1).reshape(2 * len(jumps), saved[1].shape[1])
    sides = np.repeat(events.t[jumps], 2), both
    return CalledValues.of_run(called, calls, saved, (knots.t, knots.x), sides, sign)


class _Run(SteppedMotion):
    """A motion whose rows are saved at times."""

    def __init__(
        self, compiled: CompiledSystem, stepping: Stepper, times: Array, options: RunOptions, continues: bool
    ) -> None:
        super().__init__(compiled, stepping, options, -1.0 if times[-1] < times[0] else 1.0, continues)
        self.times = times
        self.aim(float(times[-1]), continues)
        self.stepper.save_at(times)

    def go(self, past: list[int], before: Array | None = None) -> None:
        """Run to the end. Events that have happened already are not among those that engage constraints at the
        start."""
        begin, end, s, most = float(self.times[0]), float(self.times[-1]), self.stepper, self.options.max_steps
        what, steps = f"simulating {self.compiled.about.system}", 1000
        try:
            with Interrupt(s.halt) as interrupt, Progress(what, abs(end - begin), self.options.progress) as bar:
                going = self.begin(past) if before is None else self.resume(before)
                while going:
                    started, taken = time.perf_counter(), s.steps
                    going = self.advance(steps if most is None else min(steps, most - s.steps))
                    interrupt.settle()
                    spent, done = time.perf_counter() - started, s.steps - taken
                    steps = max(10, min(10_000_000, int(max(done, 1) * TURN / max(spent, 1e-6))))
                    bar(abs(s.t - begin))
                    tiny = self.compiled.system.callbacks and abs(s.size) < TINY * abs(end - begin)
                    if going and tiny and (why := other_values(self.compiled, s.t, s.x)):
                        self.instants.fail(f"at t = {s.t:.6g} s the run could not go on: {why}.")
                        break
        except KeyboardInterrupt:
            self.instants.status, self.instants.message = -2, f"interrupted at t = {s.t:.6g} s"

    def rows(self) -> tuple[Array, Array]:
        """The saved rows. The last of them is the state in which the run ended, after the reset of an event."""
        s, end = self.stepper, self.stepper.x if self.end_state is None else self.end_state
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


def _warn_of_equations_left_out(compiled: CompiledSystem, run: RunResult) -> None:
    """Warn where an equation does not hold that was left out, since it followed from others near the initial
    coordinates."""
    found = compiled.mechanics.programs.left_out.value
    if found is None or not len(run):
        return
    names, program = found
    reasons = {name: why for c in compiled.about.constraints for name, why in c.omitted.items()}
    inputs = compiled.rows_with_held(run.held_rows)
    times = run.events.times_of_rows(run.t, run.x)
    rows = {"parameters": compiled.p, "t": times.reshape(-1, 1), "x": run.x}
    rows["inputs"] = compiled.part(program, inputs)
    distances = compiled.gradual(program)(rows, len(run))
    for k in np.flatnonzero((distances > VIOLATED).any(axis=0)).tolist():
        first = int((distances[:, k] > VIOLATED).argmax())
        warn(
            f"{run.about.system}: the equation '{names[k]}' does not hold from t = {run.t[first]:.6g} s on: it was left"
            f" out ({reasons[names[k]]}), and is off by {distances[:, k].max():.3g}. Remove the constraint"
            " if it is not meant to hold; else write its equation so that it differs from the others near the"
            " initial coordinates too",
            SimulationWarning,
        )
