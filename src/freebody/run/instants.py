"""Instants: the one place where time stands still while rules change the state and the held values.

Crossings that stopped the integration are applied in order, each with its updates and a projection; then what they
cause: rebounds that meet again, contacts that would pull, contacts that are closed and would go through, until nothing
is left. The integration starts again from there; conditions that have happened wait until they leave their zero.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, RunEndedWarning, SimulationWarning, warn
from freebody.hybrid.updates import Change, ProgramUpdate, RefusedError, Rule, Update
from freebody.integrate.compiled_system import CompiledSystem
from freebody.run.initial import normalise
from freebody.run.switching import CLOSED

Array = NDArray[np.float64]
STILL = 1e-6
"""A condition has come to rest where its rate is this fraction of what it was."""

PROJECTED = 1e-6
"""The relative change by the projection to constraints up to which a value that a reset sets counts as unchanged."""

INSTANT, SHORT = 1e-8, 1e-4
"""How far a state is followed to see how a condition continues, as fractions of the time since the run began: for a
rate, and for the direction afterwards."""

LEAVING, VISIBLE = tuple(10.0**k for k in range(-8, -2)), 1e-13
"""After how many seconds a condition is compared with its value now, until it differs by more than rounding: by this
fraction of the largest state, and of 1."""

ZENO, SAME_TIME = 3, 1e-10
"""How many times in a row an event may repeat within (about) so many seconds; more, and it never ends."""

IMPACTS, APPROACH = 1000, 1e-6
"""How many times bodies that meet at several points may rebound at one of them within an instant, and the speed at
which they meet again, relative to the first."""


class Happened(NamedTuple):
    """An event: its time and index, the state and the held values before and after, and facts that its updates know:
    impulses, lost kinetic energy, works, and the times on both sides at which laws are evaluated."""

    t: float
    event: int
    before: Array
    after: Array
    held_before: Array
    held_after: Array
    facts: Mapping[str, Any] = {}


class Outcome(NamedTuple):
    """The state after an instant, and the crossings that wait until they leave their zero."""

    x: Array
    waiting: list[int]


class Instants:
    """Applies the rules of a compiled system at instants of a run that began at ``start`` and goes in the direction
    ``sign``. ``events`` are what happened; ``status`` is not 0 where the run ends, for the reason in ``message``. The
    crossings are named by the rows of their conditions."""

    def __init__(self, compiled: CompiledSystem, start: float, sign: float) -> None:
        self.compiled, self.start, self.sign = compiled, start, sign
        self.rules: tuple[Rule, ...] = compiled.system.crossings
        self.events = list[Happened]()
        self.status, self.message, self.warns_of_failure = 0, "reached the end", True
        self._last = dict[int, tuple[float, int]]()
        self._warned, self._changed = set[int](), set[int]()
        timed, n = enumerate(compiled.system.timed), len(compiled.system.states)
        self._jumping = {k for k, rule in timed if rule.changes_states(n)}

    def fail(self, message: str) -> None:
        """End the run, with a warning unless the one who runs it raises an error."""
        self.status, self.message = -1, message
        if self.warns_of_failure:
            warn(f"{self.compiled.about.system}: {message}", RunEndedWarning)

    def unchanged(self, t: float, index: int, x: Array) -> Happened:
        """An event that changes nothing."""
        held = self.compiled.held
        return Happened(t, index, x, x, held, held)

    def sharing(self, indices: Collection[int]) -> set[int]:
        """The crossings that switch a flag that these switch too."""
        flags = {name for k in indices for name in (*self.rules[k].sets, *self.rules[k].clears)}
        return {k for k, rule in enumerate(self.rules) if flags.intersection(rule.sets, rule.clears)}

    def apply(self, pending: list[int], t: float, x: Array, past: Sequence[int] = ()) -> Outcome:
        """Apply crossings, perhaps several at once, and what they cause. A run in which one repeats without time
        passing ends."""
        pending, state, done, also = list(pending), x.copy(), list[int](), set(past)
        rebounds, engaged, let_go = dict[int, float](), set[str](), dict[str, int]()
        while not self.status and (pending := pending or self.closing(t, state, [*done, *also])):
            index = pending.pop(0)
            rule, limit = self.rules[index], IMPACTS if index in rebounds else ZENO
            approach = self.rate(index, t, state) if rule.rebounds else 0.0
            done.append(index)
            if self._repeats(index, t) >= limit:
                self.fail(_endless(rule, t))
            try:
                event = self._apply(index, rule, t, state)
            except RefusedError as error:
                self.fail(f"at t = {t:.6g} s event '{rule.name}': {error}")
                break
            state = event.after
            self.events.append(event)
            if approach and self.rate(index, t, state) * approach < 0:
                rebounds.setdefault(index, approach)
            pending += [k for k in rebounds if k not in pending and self._meets_again(k, t, rebounds[k], state)]
            if rule.crossing.terminal:
                self.status, self.message = 1, f"event '{rule.name}' ended the run at t = {t:.6g} s"
            if rule.changes_flags and np.any(event.held_before != event.held_after):
                also |= self.sharing([index])
                engaged |= self._switched(rule.sets, event, 1.0)
                released = self._switched(rule.clears, event, -1.0)
                let_go |= dict.fromkeys(released if rule.crossing.solved else released & engaged, index)
                pending += [k for k in self._released_at_once(rule, event) if k not in pending]
        if let_go and not self.status:
            self._refuse_to_pass(t, state, let_go)
        if not self.status:
            for index in done:
                self._warn_of_rest(index, t, x, state)
        return Outcome(state, [*done, *also])

    def sample(self, due: Sequence[int], t: float, x: Array) -> tuple[Array, list[int]]:
        """Apply timed rules (their indices among these) in order, each to what those before it have left; those that
        change the state are events too. Returns the state, and the crossings whose conditions they have carried across
        zero."""
        timed, state = self.compiled.system.timed, x
        before = self.conditions(t, x) if self.rules else np.empty(0)
        for index in due:
            if index not in self._jumping:
                for update in timed[index].updates:
                    self._update(update, t, state)
                continue
            try:
                event = self._apply(len(self.rules) + index, timed[index], t, state)
            except RefusedError as error:
                self.fail(f"at t = {t:.6g} s '{timed[index].name}': {error}")
                return state, []
            if event.facts or not np.array_equal(event.after, state):
                self.events.append(event)
            state = event.after
        return state, self.carried(before, self.conditions(t, state) if self.rules else np.empty(0))

    def carried(self, before: Array, after: Array) -> list[int]:
        """The crossings whose conditions went to zero or across it between these values, at one time."""
        crossed = ((before < 0) & (after >= 0)) | ((before > 0) & (after <= 0))
        ways = np.sign(after - before) * self.sign
        return [k for k in np.flatnonzero(crossed).tolist() if self.rules[k].crossing.direction in (0, ways[k])]

    def _repeats(self, index: int, t: float) -> int:
        """How many times a crossing has now happened again without time passing."""
        last, repeats = self._last.get(index, (-np.inf, 0))
        repeats = repeats + 1 if abs(t - last) <= SAME_TIME * max(1.0, abs(t)) else 0
        self._last[index] = t, repeats
        return repeats

    def _apply(self, index: int, rule: Rule, t: float, x: Array) -> Happened:
        """A rule applied to a state by its updates, one after another."""
        event, compiled, state = self.unchanged(t, index, x), self.compiled, x
        facts = dict[str, Any]()
        for update in rule.updates:
            change = self._update(update, t, state)
            state = change.x
            facts |= change.facts
            if isinstance(update, ProgramUpdate) and update.changes_states(len(x)):
                context = f"event '{rule.name}' at t = {t:.6g} s"
                state = self._projected(context, t, change.x)
                self._warn_of_changed_values(index, context, x, change.x, state)
        return event._replace(after=state, held_after=compiled.held, facts=facts)

    def _update(self, update: Update, t: float, x: Array) -> Change:
        """Apply an update to a state and to the held values: nothing else writes these."""
        change = self.compiled.apply(update, t, x)
        if self.compiled.system.held:
            self.compiled.d[:] = change.d
        return change

    def _projected(self, context: str, t: float, after: Array) -> Array:
        """The state that an update sets, its quaternions at unit length, projected to the constraints."""
        about = self.compiled.about
        if not np.all(np.isfinite(after)):
            bad = about.state[int(np.argmax(~np.isfinite(after)))]
            raise ArgumentError(f"{context} sets {bad} to a value that is not finite")
        state = self.compiled.project(t, normalise(about, after, f"{context} resets: "))
        if state is None:
            raise ArgumentError(
                f"{context} sets a state from which the constraints cannot be reached; reset states that agree with"
                " them, or speeds alone"
            )
        return state

    def _warn_of_changed_values(self, index: int, context: str, before: Array, after: Array, state: Array) -> None:
        """Warn where the projection changes a value that a reset sets, once for each event."""
        moved = np.abs(state - after) > PROJECTED * np.maximum(np.abs(after), np.abs(after - before))
        if index in self._changed or not np.any(moved & (after != before)):
            return
        self._changed.add(index)
        k = int(np.argmax(np.where(after != before, np.abs(state - after), 0.0)))
        warn(
            f"{context} sets {self.compiled.about.state[k]} to {after[k]:.6g}, which the constraints change to"
            f" {state[k]:.6g}: a state after a reset is projected to the nearest that satisfies them. Reset the states"
            " that follow too",
            SimulationWarning,
        )

    # How conditions continue

    @cached_property
    def conditions(self) -> Callable[..., Array]:
        """The conditions at a time and a state."""
        return self.compiled.conditions()

    def rate(self, index: int, t: float, x: Array) -> float:
        """The rate of a condition at a state."""
        h = INSTANT * max(abs(t - self.start), 1.0)
        step, g = h * self.compiled.x_dot(t, x), self.conditions
        return float(g(t + h, x + step)[index] - g(t - h, x - step)[index]) / (2 * h)

    def leaving(self, t: float, x: Array) -> Array:
        """The direction, −1 or 1, in which each condition that is zero leaves its zero; 0 where it is not zero, or
        stays."""
        f, g, sign = self.compiled.x_dot, self.conditions, self.sign
        now = np.array(g(t, x))
        direction, known = np.zeros(len(now)), ~(np.abs(now) <= CLOSED)
        for seconds in LEAVING:
            if known.all():
                break
            h = sign * seconds
            later = x + h * f(t + h / 2, x + h / 2 * f(t, x))
            change = sign * (np.array(g(t + h, later)) - now)
            left = ~known & (np.abs(change) > VISIBLE * (1 + np.abs(x).max(initial=0.0)))
            direction[left], known = np.sign(change[left]), known | left
        return direction

    def closing(self, t: float, x: Array, past: Collection[int]) -> list[int]:
        """The first crossing, if any, that sets a flag, has not happened yet, and whose condition is zero and leaves it
        in its direction: bodies that touch and would go through each other."""
        indices = [k for k in range(len(self.rules)) if k not in past and self._would_set(k)]
        if not indices:
            return []
        leaving = self.leaving(t, x)
        return [k for k in indices if leaving[k] and self.rules[k].crossing.direction in (0, leaving[k])][:1]

    def _would_set(self, index: int) -> bool:
        row, d = self.compiled.system.row.index, self.compiled.d
        return any(not d[row[name]] for name in self.rules[index].sets)

    def _would_clear(self, index: int) -> bool:
        row, d = self.compiled.system.row.index, self.compiled.d
        return any(d[row[name]] for name in self.rules[index].clears)

    def _switched(self, names: Sequence[str], event: Happened, change: float) -> set[str]:
        """Those of the flags that an event has set (1) or cleared (−1)."""
        changes, index = event.held_after - event.held_before, self.compiled.system.held.index
        return {name for name in names if changes[index[name]] == change}

    def _meets_again(self, index: int, t: float, approach: float, x: Array) -> bool:
        """Whether an impact elsewhere turns bodies that have rebounded at this instant towards each other again."""
        return bool(self.rate(index, t, x) * np.sign(approach) > APPROACH * abs(approach))

    def _released_at_once(self, rule: Rule, event: Happened) -> list[int]:
        """Crossings that clear what has just been set. Their condition is beyond its zero now: a contact that would
        have to pull. One of coordinates and speeds alone must have crossed its zero by the impact."""
        later = [k for k, other in enumerate(self.rules) if {*other.clears}.intersection(rule.sets)]
        if not later:
            return []
        before, after = (np.array(self.conditions(event.t, x)) for x in (event.before, event.after))

        def crossed(k: int) -> bool:
            trigger = self.rules[k].crossing
            along = trigger.direction * self.sign
            return bool(along * after[k] > 0 and (trigger.solved or along * before[k] <= 0))

        return [k for k in later if crossed(k) and self._would_clear(k)]

    def _refuse_to_pass(self, t: float, x: Array, let_go: Mapping[str, int]) -> None:
        """End the run where constraints that an event has released, since their forces would have to pull, or at the
        instant at which they were engaged, do not separate: an event that engages them is at its zero, and the motion
        leaves it in the direction of the event. They can neither hold nor let go."""
        leaving = self.leaving(t, x)
        for k, rule in enumerate(self.rules):
            flags = [name for name in rule.sets if name in let_go]
            if flags and leaving[k] and rule.crossing.direction in (0, leaving[k]) and self._would_set(k):
                releasing, engaging = (f"event '{self.rules[j].name}'" for j in (let_go[flags[0]], k))
                self.fail(
                    f"at t = {t:.6g} s constraint '{_constraint(flags[0])}' can neither hold nor let go: {releasing}"
                    f" releases it at once, and released it opens in the direction of {engaging}, as bodies that pass"
                    " through each other. Contacts that slide, or strike at several points, do this: describe them by"
                    " s.point_contact(…, friction=…), which sticks or slides, or with their compliance, s.contact(…)"
                )
                return

    def _warn_of_rest(self, index: int, t: float, before: Array, after: Array) -> None:
        """Warn where a reset stops the motion at the zero of its condition and the motion then continues through it:
        the crossing is not located again, since the condition leaves its zero on the far side."""
        span, f = t - self.start, self.compiled.x_dot
        if index in self._warned or not self.rules[index].resets or span == 0:
            return
        condition = self.conditions

        def change(x: Array, h: float) -> float:
            """How much the condition changes within a time h from x, by the midpoint rule."""
            later = x + h * f(t + h / 2, x + h / 2 * f(t, x))
            return float(condition(t + h, later)[index] - condition(t, x)[index])

        rate = change(before, INSTANT * span)
        still = abs(change(after, INSTANT * span)) <= STILL * abs(rate)
        if not (still and change(after, SHORT * span) * rate > 0):
            return
        self._warned.add(index)
        warn(
            f"{self.compiled.about.system}: at t = {t:.6g} s event '{self.rules[index].name}' stops the motion at its"
            " zero, and from there it continues through, unnoticed: a reset holds nothing. A contact that comes to rest"
            " is a constraint that an event engages (engage=…, restitution=…); or use a terminal event, or a stiff"
            " spring and damper in place of the reset",
            SimulationWarning,
        )


def _constraint(flag: str) -> str:
    return flag.partition(".")[2]


def _endless(rule: Rule, t: float) -> str:
    """Why a run ends in which an event repeats without time passing."""
    if not rule.changes_flags:
        advice = "Make it terminal once the motion is slow, or change its reset so that it leaves the zero."
    elif rule.rebounds:
        advice = "Give a larger rest_speed, below which the constraint is engaged."
    else:
        names = ", ".join(f"'{_constraint(name)}'" for name in (*rule.sets, *rule.clears))
        advice = f"Conditions that engage and release {names} hold at the same time; separate them."
    return f"at t = {t:.6g} s event '{rule.name}' happens again and again without time passing. {advice}"
