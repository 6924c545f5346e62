"""One run: the loop around a stepper, with saved times, events, Ctrl-C and failures, to a trajectory."""

import time
from array import array
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from freebody.errors import SimulationWarning, warn
from freebody.integrate.interrupt import Interrupt
from freebody.integrate.plant import Plant, SwitchAction, Watch
from freebody.integrate.record import Status
from freebody.integrate.steppers import Stepper, release, stepper
from freebody.names import ENGAGED
from freebody.progress import Progress
from freebody.results.interpolation import Knots, max_knots
from freebody.results.trajectory import Events, RunResult, Statistics
from freebody.run.called import CalledValues, noting
from freebody.run.diagnose import Stop, chatters, diagnose
from freebody.run.energy_check import warn_of_energy
from freebody.run.events import Resets
from freebody.run.indefinite_mass import indefinite_row
from freebody.run.large_slopes import warn_of_large_slopes
from freebody.run.options import Options
from freebody.run.rate_jumps import RateJumps
from freebody.run.recorder import Recorder
from freebody.run.switching import Switcher, SwitchRefusedError

Array = NDArray[np.float64]
Result = TypeVar("Result", bound=RunResult)
TURN = 0.05
"""Seconds a stepper runs before Python looks at Ctrl-C and the progress bar."""

ZENO, INSTANT = 3, 1e-10
"""How many times in a row an event may repeat within (about) so many seconds; more, and it never ends."""

IMPACTS, APPROACH = 1000, 1e-6
"""How many times bodies that meet at several points may rebound at one of them within an instant, and the speed at
which they meet again, relative to the first."""

VIOLATED = 1e-5
"""How far from an equation that is left out (in rad, or in m) a run may be without a warning."""

RATE_JUMP = "jump of a prescribed rate"
"""The name of the events at which a prescribed motion, or a constraint that depends on time, changes its rate at
once."""

FAILURES = (Status.UNDERFLOW, Status.NOT_FINITE, Status.STALLED, Status.OFF_MANIFOLD)


def run_plant(
    plant: Plant, x0: Array, times: Array, options: Options, result: type[Result], start: RunResult | None = None,
    refused: str = "", continues: bool = False,
) -> Result:  # fmt: skip
    """The motion from x0 at times[0], saved at the times. Events that ended the run ``start`` do not happen again where
    this one begins, but rates that jump there do; also in a run that ``continues`` a motion without its run. A run that
    is ``refused`` ends where it begins, for this reason."""
    began, room = time.perf_counter(), max_knots(len(x0))
    if plant.switches and plant.watch is not None:  # events change its inputs
        plant = plant.with_values(list(plant.parameters.values()), plant.inputs)
    continues = continues or start is not None
    run = _Run(plant, stepper(plant, options, float(times[0]), x0, room), times, options, continues)
    s, names, past = run.stepper, () if plant.watch is None else plant.watch.names, list[int]()
    if start is not None and names:
        ended = {name for t, name in start.events if t == s.t}
        past = [k for k, name in enumerate(names) if name in ended]
        s.happened(past)
    with noting(plant.called) as calls:
        if refused:
            run.fail(refused)
        else:
            run.go(past)
    (t, x), events, knots = run.rows(), run.happened(names), run.knots()
    states = (knots.t, knots.x) if len(knots) else (t, x)
    if run.status >= 0 and (found := indefinite_row(plant, *states)):
        run.fail(found.message)
    called = _called_values(plant, calls, (t, x), knots, events) if plant.called else None
    seconds = time.perf_counter() - began
    trajectory = result(
        plant.about, t, x, status=run.status, message=run.message, events=events,
        statistics=Statistics(
            options.method, s.steps, s.rejected, s.evaluations, s.jacobians, s.factorisations, seconds, s.projections
        ),
        recorder=Recorder(plant, options.method, called), knots=knots, measures_drift=True,
        switches=run.switches(len(t)),
    )  # fmt: skip
    release(plant, options, s, room)
    _warn_of_limits(plant, trajectory)
    warn_of_energy(plant, trajectory, options)
    _warn_of_equations_left_out(plant, trajectory)
    warn_of_large_slopes(plant.about.system, plant.bendings, x, t)
    return trajectory


def _called_values(
    plant: Plant, calls: "list[array[float]]", saved: tuple[Array, Array], knots: Knots, events: Events
) -> CalledValues:
    """The values of the user's functions along a run."""
    jumps, sign = events.jumps, -1.0 if len(saved[0]) and saved[0][-1] < saved[0][0] else 1.0
    both = np.stack([events.before[jumps], events.after[jumps]], 1).reshape(2 * len(jumps), saved[1].shape[1])
    sides = np.repeat(events.t[jumps], 2), both
    return CalledValues.of_run(plant.called, calls, saved, (knots.t, knots.x), sides, sign)


class _Happened(NamedTuple):
    """An event: its time and index, the state and the switches before and after, impulses and lost kinetic energy. A
    jump of rates also has works and the times before and after (``RateJump``)."""

    t: float
    event: int
    before: Array
    after: Array
    switches_before: Array
    switches_after: Array
    impulses: Array
    lost: float = 0.0
    works: Mapping[str, float] = {}
    instants: tuple[float, float] | None = None


class _Run:
    """The loop around a stepper."""

    def __init__(
        self, plant: Plant, stepping: Stepper, times: Array, options: Options, continues: bool
    ) -> None:  # fmt: skip
        self.plant, self.stepper, self.times, self.options = plant, stepping, times, options
        self.events = list[_Happened]()
        self._switcher = Switcher(plant)
        self._row_switches = [(0, self._switcher.values)]  # from which saved row on they hold
        self.status, self.message = 0, "reached the end"
        self._last_events: dict[int, tuple[float, int]] = {}
        self._start = stepping.t, stepping.x.copy()
        self._end: Array | None = None
        self._resets = None if plant.watch is None else Resets(plant, plant.watch, stepping.t)
        self._jumps = RateJumps(plant, float(times[0]), float(times[-1]), continues)
        self._goals = [*self._jumps.times, float(times[-1])]
        self.stepper.end_steps_at(self._jumps.times)
        self.stepper.save_at(times)

    def go(self, past: list[int]) -> None:
        """Run to the end. Events that have happened already are not among those that engage constraints at the
        start."""
        begin, end, s, most = float(self.times[0]), float(self.times[-1]), self.stepper, self.options.max_steps
        what, steps = f"simulating {self.plant.about.system}", 1000
        try:
            with Interrupt(s.halt) as interrupt, Progress(what, abs(end - begin), self.options.progress) as bar:
                if self._goals[0] == begin and len(self._goals) > 1:
                    self._jump(self._goals.pop(0))
                going = not self.status and self._engage_at_start(past)
                while going:
                    started, before = time.perf_counter(), s.steps
                    status = s.advance(self._goals[0], steps if most is None else min(steps, most - s.steps))
                    for t, index, x in s.take_log():  # those that change nothing
                        self.events.append(self._unchanged(t, index, x))
                    going = self._goes_on(status)
                    interrupt.settle()
                    spent, done = time.perf_counter() - started, s.steps - before
                    steps = max(10, min(10_000_000, int(max(done, 1) * TURN / max(spent, 1e-6))))
                    bar(abs(s.t - begin))
        except KeyboardInterrupt:
            self.status, self.message = -2, f"interrupted at t = {s.t:.6g} s"

    def _goes_on(self, status: Status) -> bool:
        s = self.stepper

        def stop(status: Status) -> Stop:
            return Stop(status, self._start, s.t, s.x, s.size, float(self.times[-1]))

        if status is Status.EVENT and self._resets is not None:
            return self._apply_events(self._resets, s.together)
        if status is Status.STALLED and not (s.hopeless or chatters(self.plant, stop(status))):
            return True
        if status is Status.UNDEFINED and self._resets is not None:
            self.fail(_undefined(self._resets.watch, s))
        elif status in FAILURES:
            self.fail(diagnose(self.plant, stop(status), self.options))
        elif status is not Status.DONE and s.steps == self.options.max_steps:
            self.fail(diagnose(self.plant, stop(Status.BUDGET), self.options))
        elif status is Status.DONE and len(self._goals) > 1:
            self._jump(self._goals.pop(0))
            return not self.status
        return status is not Status.DONE and not self.status

    def _jump(self, t: float) -> None:
        """Apply a jump of the rates of prescribed motions."""
        s, names = self.stepper, () if self.plant.watch is None else self.plant.watch.names
        refusal = self._jumps.refuse(t, s.x)
        jump = None if refusal else self._jumps.apply(t, s.x)
        if refusal:
            self.fail(refusal)
        elif jump is not None:
            happened = self._unchanged(t, len(names), s.x.copy())._replace(after=jump.x, impulses=jump.impulses)
            self.events.append(happened._replace(works=jump.works, instants=jump.instants))
            s.restart(jump.x)

    def fail(self, message: str) -> None:
        """End the run with a warning."""
        self.status, self.message = -1, message
        warn(f"{self.plant.about.system}: {message}", SimulationWarning)

    def _engage_at_start(self, past: list[int]) -> bool:
        """Engage what is closed at the start and continues through; returns whether the run goes on."""
        resets, s = self._resets, self.stepper
        if resets is None:
            return True
        known = [*past, *self._switching(resets.watch, past)]
        first = self._closing(resets, s.x, known)
        if not first or s.advance(float(self.times[-1]), 0) in FAILURES:  # saves the state before
            return True
        return self._apply_events(resets, first, known)

    def _apply_events(self, resets: Resets, pending: list[int], past: Sequence[int] = ()) -> bool:
        """Apply events, perhaps several at once, and those that engage what is closed then; returns whether the run
        goes on. A run in which an event repeats without time passing is ended."""
        watch, s, done = resets.watch, self.stepper, list[int]()
        state, t, also, rebounds = s.x.copy(), s.t, set(past), dict[int, float]()
        engaged, let_go = set[str](), dict[str, int]()
        while not self.status and (pending := pending or self._closing(resets, state, [*done, *also])):
            index = pending.pop(0)
            action, approach, limit = watch.actions[index], 0.0, IMPACTS if index in rebounds else ZENO
            if action is not None and action.restitution:
                approach = resets.rate(index, t, state)
            done.append(index)
            last, repeats = self._last_events.get(index, (-np.inf, 0))
            repeats = repeats + 1 if abs(t - last) <= INSTANT * max(1.0, abs(t)) else 0
            self._last_events[index] = t, repeats
            if repeats >= limit:
                self.fail(_endless(watch, index, t))
            try:
                event = self._apply(resets, index, t, state)
            except SwitchRefusedError as error:
                self.fail(f"at t = {t:.6g} s event '{watch.names[index]}': {error}")
                break
            state = event.after
            self.events.append(event)
            if approach and resets.rate(index, t, state) * approach < 0:
                rebounds.setdefault(index, approach)
            pending += [k for k in rebounds if k not in pending and self._meets_again(resets, k, rebounds[k], state)]
            if watch.terminal[index]:
                self.status, self.message = 1, f"event '{watch.names[index]}' ended the run at t = {t:.6g} s"
            if action is not None and np.any(event.switches_before != event.switches_after):
                also |= self._switching(watch, [index])
                engaged |= self._switched(action.engage, event, 1.0)
                released = self._switched(action.release, event, -1.0)
                let_go |= dict.fromkeys(released if watch.solved[index] else released & engaged, index)
                pending += [k for k in self._released_at_once(watch, action, event) if k not in pending]
        if let_go and not self.status:
            self._refuse_to_pass(resets, state, let_go)
        if len(self.plant.switches):
            self._row_switches.append((s.count, self._switcher.values))
        if self.status:
            self._end = state
            return False
        for index in done:
            resets.warn_of_rest(index, t, s.x, state)
        s.restart(state)
        s.happened([*done, *also])
        return True

    def _refuse_to_pass(self, resets: Resets, x: Array, let_go: Mapping[str, int]) -> None:
        """End the run where constraints that an event has released, since their forces would have to pull, or at the
        instant at which they were engaged, do not separate: an event that engages them is at its zero, and the motion
        leaves it in the direction of the event. They can neither hold nor let go."""
        watch, t = resets.watch, self.stepper.t
        leaving = resets.leaving(t, x, self._sign)
        for k, action in enumerate(watch.actions):
            names = [] if action is None else [name for name in action.engage if name in let_go]
            if names and leaving[k] and watch.directions[k] in (0, leaving[k]) and self._would_engage(watch, k):
                releasing, engaging = (f"event '{watch.names[j]}'" for j in (let_go[names[0]], k))
                self.fail(
                    f"at t = {t:.6g} s constraint '{names[0]}' can neither hold nor let go: {releasing} releases it at"
                    f" once, and released it opens in the direction of {engaging}, as bodies that pass through each"
                    " other. Contacts that slide, or strike at several points, do this: hold the normal direction alone"
                    " and describe friction by a force, or use a stiff spring and damper in place of the constraint"
                )
                return

    def _switched(self, names: Sequence[str], event: _Happened, change: float) -> set[str]:
        """Those of the constraints whose flag an event has set (1) or cleared (−1)."""
        changes = event.switches_after - event.switches_before
        first = len(self.plant.inputs) - len(self.plant.switches)
        return {name for name in names if changes[self._switcher.index[ENGAGED(name)] - first] == change}

    def _closing(self, resets: Resets, x: Array, past: Collection[int]) -> list[int]:
        """The first event, if any, that engages a constraint, has not happened yet, and whose condition is zero and
        leaves it in the direction of the event: bodies that touch and would go through each other."""
        watch, t, sign = resets.watch, self.stepper.t, self._sign
        events = [k for k in range(len(watch.names)) if k not in past and self._would_engage(watch, k)]
        if not events:
            return []
        leaving = resets.leaving(t, x, sign)
        return [k for k in events if leaving[k] and watch.directions[k] in (0, leaving[k])][:1]

    def _switching(self, watch: Watch, events: Sequence[int]) -> set[int]:
        """The events that switch a constraint that these events switch too."""
        actions = [watch.actions[k] for k in events]
        names = {name for action in actions if action is not None for name in (*action.engage, *action.release)}
        return {k for k, a in enumerate(watch.actions) if a is not None and names.intersection(a.engage, a.release)}

    def _apply(self, resets: Resets, index: int, t: float, x: Array) -> _Happened:
        """An event applied to a state: its reset, then what it switches."""
        event, action = self._unchanged(t, index, x), resets.watch.actions[index]
        state = resets.apply(index, t, x)
        if action is None:
            return event._replace(after=state)
        switched = self._switcher.apply(action, t, state)
        return event._replace(
            after=switched.x, switches_after=self._switcher.values, impulses=switched.impulses, lost=switched.lost
        )

    def _unchanged(self, t: float, index: int, x: Array) -> _Happened:
        values = self._switcher.values
        return _Happened(t, index, x, x, values, values, np.zeros(len(self._switcher.rows)))

    def _meets_again(self, resets: Resets, index: int, approach: float, x: Array) -> bool:
        """Whether an impact elsewhere turns bodies that have rebounded at this instant towards each other again."""
        return bool(resets.rate(index, self.stepper.t, x) * np.sign(approach) > APPROACH * abs(approach))

    def _released_at_once(self, watch: Watch, action: SwitchAction, event: _Happened) -> list[int]:
        """Events that release what has just been engaged. Their condition is beyond its zero now: a contact that would
        have to pull. One of coordinates and speeds alone must have crossed its zero by the impact."""
        later = [k for k, a in enumerate(watch.actions) if a is not None and {*a.release}.intersection(action.engage)]
        if not later:
            return []
        condition = self.plant.machine.quick(watch.program)
        before, after = (np.array(condition(event.t, x)) for x in (event.before, event.after))

        def crossed(k: int) -> bool:
            along = watch.directions[k] * self._sign
            return bool(along * after[k] > 0 and (watch.solved[k] or along * before[k] <= 0))

        return [k for k in later if crossed(k) and self._has_effect(watch, k)]

    @property
    def _sign(self) -> float:
        """−1 if the run goes back in time, else 1."""
        return -1.0 if self.times[-1] < self.times[0] else 1.0

    def _would_engage(self, watch: Watch, index: int) -> bool:
        action, inputs = watch.actions[index], self.plant.inputs
        return action is not None and any(not inputs[self._switcher.index[ENGAGED(name)]] for name in action.engage)

    def _has_effect(self, watch: Watch, index: int) -> bool:
        action, inputs = watch.actions[index], self.plant.inputs
        return action is not None and any(inputs[self._switcher.index[ENGAGED(name)]] for name in action.release)

    def happened(self, names: tuple[str, ...]) -> Events:
        """The events of the run."""
        rows, n, k, states = self.events, len(self.events), len(self.plant.switches), len(self._start[1])
        rates_jump = any(e.instants is not None for e in rows)
        equations = (*self._switcher.rows, *(self._jumps.drives if rates_jump else ()))
        widths = {"before": states, "after": states, "switches_before": k, "switches_after": k}
        arrays = {name: np.array([getattr(e, name) for e in rows]).reshape(n, width) for name, width in widths.items()}
        impulses = np.zeros((n, len(equations)))
        for row, e in zip(impulses, rows, strict=True):
            row[: len(e.impulses)] = e.impulses
        return Events(
            (*names, RATE_JUMP) if rates_jump else names, np.array([e.t for e in rows]),
            np.array([e.event for e in rows], np.int64), **arrays, impulses=impulses,
            lost=np.array([e.lost for e in rows]), rows=equations, switches=self.plant.switches,
            works=tuple(e.works for e in rows) if rates_jump else (),
            instants=np.array([e.instants or (e.t, e.t) for e in rows]).reshape(n, 2), beside=self._jumps.beside,
        )  # fmt: skip

    def switches(self, count: int) -> Array | None:
        """The switches of so many saved rows; None if there are none. The last row is that in which the run ended."""
        if not len(self.plant.switches):
            return None
        starts, values = zip(*self._row_switches, strict=True)
        rows = np.array(values)[np.searchsorted(starts, np.arange(count), side="right") - 1]
        if count and self._end is not None:
            rows[-1] = values[-1]
        return rows

    def rows(self) -> tuple[Array, Array]:
        """The saved rows. The last of them is the state in which the run ended, after the reset of an event."""
        s, end = self.stepper, self.stepper.x if self._end is None else self._end
        count = s.count
        if self.status == -2:  # rows may be missing where a user's function was interrupted within an interpolation
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
            rows = np.vstack([rows, [s.t, *s.x, *self.plant.machine.x_dot(s.t, s.x)]])
        return Knots(rows[:, 0].copy(), rows[:, 1 : n + 1].copy(), rows[:, n + 1 :].copy())


def _undefined(watch: Watch, s: Stepper) -> str:
    """Why a run ends in which the condition of an event becomes undefined."""
    return (
        f"at t = {s.t:.6g} s the condition of event '{watch.names[s.fired]}' is not a number, so that what it waits for"
        " could pass unseen. Write a condition that is a number wherever the motion goes (in place of"
        " sqrt(q.a) - 1 the difference q.a - 1), or end the run before by a terminal event"
    )


def _endless(watch: Watch, index: int, t: float) -> str:
    """Why a run ends in which an event repeats without time passing."""
    action = watch.actions[index]
    if action is None:
        advice = "Make it terminal once the motion is slow, or change its reset so that it leaves the zero."
    elif action.restitution:
        advice = "Give a larger rest_speed, below which the constraint is engaged."
    else:
        names = ", ".join(f"'{name}'" for name in (*action.engage, *action.release))
        advice = f"Conditions that engage and release {names} hold at the same time; separate them."
    return f"at t = {t:.6g} s event '{watch.names[index]}' happens again and again without time passing. {advice}"


def _warn_of_limits(plant: Plant, run: RunResult) -> None:
    """Warn where a coordinate leaves its limits; nothing stops it there."""
    limits = plant.limits
    if not limits.names:
        return
    q = plant.machine.limited(run.t, run.x)
    outside = (q < limits.low) | (q > limits.high)
    for k in np.flatnonzero(outside.any(axis=0)).tolist():
        warn(
            f"{run.about.system}: coordinate '{limits.names[k]}' leaves its limits {limits.low[k]:g} …"
            f" {limits.high[k]:g} at t = {run.t[outside[:, k].argmax()]:.6g} s; limits are watched, not enforced: add"
            " an event or a stop",
            SimulationWarning,
        )  # fmt: skip


def _warn_of_equations_left_out(plant: Plant, run: RunResult) -> None:
    """Warn where an equation does not hold that was left out, since it followed from others near the initial
    coordinates."""
    found = plant.programs.get("left_out")
    if found is None or not len(run):
        return
    names, program = found
    reasons = {name: why for c in plant.about.constraints for name, why in c.omitted.items()}
    inputs = Recorder(plant).inputs(run.switches)
    times = run.events.times_of_rows(run.t, run.x)
    rows = {"parameters": np.array([*plant.parameters.values()], float), "t": times.reshape(-1, 1), "x": run.x}
    rows["inputs"] = plant.inputs if inputs is None else inputs
    distances = plant.machine.gradual(program)(rows, len(run))
    for k in np.flatnonzero((distances > VIOLATED).any(axis=0)).tolist():
        first = int((distances[:, k] > VIOLATED).argmax())
        warn(
            f"{run.about.system}: the equation '{names[k]}' does not hold from t = {run.t[first]:.6g} s on: it is left"
            f" out ({reasons[names[k]]}), and off by {distances[:, k].max():.3g}. Leave the constraint"
            " out if it is not meant to hold; else write its equation so that it differs from the others near the"
            " initial coordinates too",
            SimulationWarning,
        )  # fmt: skip
