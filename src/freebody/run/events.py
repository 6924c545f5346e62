"""Events: their conditions, resets and switched constraints as programs, and resets applied to the state."""

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, SimulationWarning, warn
from freebody.integrate.plant import Event, Plant, SwitchAction, Watch
from freebody.model.accelerations import accelerations_in
from freebody.names import ENGAGED, Z
from freebody.program.program import Program
from freebody.run.arguments import boolean, is_number, names, number, require_names, shorten
from freebody.run.initial import normalise, state_keys
from freebody.run.inputs import RunScope
from freebody.run.programs import RunPrograms
from freebody.run.switching import CLOSED, require_switchable
from freebody.scalar.ops import EQ, LE, LT, NE

Array = NDArray[np.float64]
STILL = 1e-6
"""g has come to rest where its rate is this fraction of what it was."""

PROJECTED = 1e-6
"""The relative change by the projection to constraints up to which a value that a reset sets counts as unchanged."""

INSTANT, SHORT = 1e-8, 1e-4
"""How far a state is followed to see how g continues, as fractions of the time since the run began: for a rate, and for
the direction afterwards."""

LEAVING, VISIBLE = tuple(10.0**k for k in range(-8, -2)), 1e-13
"""After how many seconds g is compared with its value now, until it differs by more than rounding: by this fraction of
the largest state, and of 1."""


def compile_events(programs: RunPrograms, events: Sequence[Any]) -> Watch:
    """The programs of events; events with a fault are refused."""
    for event in events:
        if not isinstance(event, Event):
            how = "; write fb.Event('q.a - 1'), an expression that crosses zero" if isinstance(event, str) else ""
            raise ArgumentError(f"each of the events must be an Event(when, …), not {shorten(event)}{how}")
        if not isinstance(event.name, str | None):
            raise ArgumentError(f"the name of an event must be text, not {shorten(event.name)}")
        boolean(event.terminal, "terminal of an event")
    titles = [event.name or f"event{k + 1}" for k, event in enumerate(events)]
    conditions, scope = list[int](), programs.scope
    for k, (name, event) in enumerate(zip(titles, events, strict=True)):
        if name in titles[:k]:
            raise ArgumentError(f"two events are called '{name}'; give each its own name, Event(…, name=…)")
        if not isinstance(event.direction, Real) or event.direction not in (-1, 0, 1):
            raise ArgumentError(f"event '{name}': direction is −1, 0 or 1, not {event.direction!r}")
        conditions.append(scope.node(event.when, f"event '{name}'", crosses=True, accelerations=True))
        if scope.graph.op[conditions[-1]] in (LT, LE, EQ, NE):
            raise never_crosses(name, event.when)
    resets = tuple(_reset(programs, event, name) for event, name in zip(events, titles, strict=True))
    actions = tuple(_action(programs, event, name) for event, name in zip(events, titles, strict=True))
    for k, (event, action) in enumerate(zip(events, actions, strict=True)):
        if action is not None and event.reset is None and not event.terminal:
            conditions[k] = _while_useful(scope, action, conditions[k])
    directions, terminal = tuple(int(e.direction) for e in events), tuple(bool(e.terminal) for e in events)
    solved = tuple(bool(accelerations_in(scope.graph, [node])) for node in conditions)
    return Watch(tuple(titles), directions, terminal, solved, programs.conditions(conditions), resets, actions)


def _action(programs: RunPrograms, event: Event, name: str) -> SwitchAction | None:
    """What an event switches, checked."""
    who = f"event '{name}'"
    engage, release = (names(v, f"{who}: {what}") for v, what in ((event.engage, "engage"), (event.release, "release")))
    for what, value in (("restitution", event.restitution), ("gap", event.gap), ("rest_speed", event.rest_speed)):
        if number(value, f"{who}: {what}") < 0:
            raise ArgumentError(f"{who}: {what} is {value:g}; it must not be negative")
    if event.restitution > 1:
        raise ArgumentError(f"{who}: restitution is {event.restitution:g}; more than 1 would add energy at each impact")
    if event.restitution and not engage:
        raise ArgumentError(f"{who}: restitution belongs to constraints that are engaged; name them, engage=…")
    for listed, what in ((engage, "engage"), (release, "release")):
        require_switchable(programs.e, listed, f"{who}: {what}")
        twice = [n for k, n in enumerate(listed) if n in listed[:k]]
        if twice:
            raise ArgumentError(f"{who}: {what} names '{twice[0]}' twice; name each constraint once")
    both = [n for n in engage if n in release]
    if both:
        raise ArgumentError(f"{who} engages and releases '{both[0]}' at once; use two events")
    if not engage and not release:
        return None
    return SwitchAction(tuple(engage), tuple(release), float(event.restitution), float(event.gap),
                        float(event.rest_speed))  # fmt: skip


def _while_useful(scope: RunScope, action: SwitchAction, condition: int) -> int:
    """The condition of an event, and a constant while it has nothing to switch: a contact that is engaged stays at the
    zero of its condition."""
    g, left = scope.graph, scope.graph.zero
    for name in action.engage:
        left = g.add(left, g.sub(g.one, scope.names[ENGAGED(name)]))
    for name in action.release:
        left = g.add(left, scope.names[ENGAGED(name)])
    return g.where(left, condition, g.one)


def never_crosses(name: str, what: Any) -> ArgumentError:
    return ArgumentError(
        f"event '{name}': {what} is true or false and never crosses zero; write the difference of the two sides and a"
        " direction (a > b becomes 'a - b', direction=1)"
    )


def _reset(programs: RunPrograms, event: Event, name: str) -> Program | None:
    if event.reset is None:
        return None
    keys = state_keys(programs.e)
    indices = {key: k for k, key in enumerate(keys)} | {Z.strip(key): k for k, key in enumerate(keys) if Z.holds(key)}
    require_names(list(indices), event.reset, "state to reset", f"event '{name}'")
    changes = {}
    for key, value in event.reset.items():
        who = f"event '{name}', reset of {key}"
        value = number(value, who) if is_number(value) else value
        changes[indices[key]] = programs.scope.node(value, who, accelerations=True)
    return programs.reset(changes)


class Resets:
    """The resets of a plant's events, for a run that began at ``start``."""

    def __init__(self, plant: Plant, watch: Watch, start: float) -> None:
        self.plant, self.watch, self.start = plant, watch, start
        self._warned, self._changed = set[int](), set[int]()

    def apply(self, index: int, t: float, x: Array) -> Array:
        """The state after an event, its quaternions at unit length, projected to the constraints."""
        program = self.watch.resets[index]
        if program is None:
            return x
        who = f"event '{self.watch.names[index]}' at t = {t:.6g} s"
        after = np.asarray(self.plant.machine.function(program, "numpy")(t=t, x=x, inputs=self.plant.inputs))
        if not np.all(np.isfinite(after)):
            bad = self.plant.about.state[int(np.argmax(~np.isfinite(after)))]
            raise ArgumentError(f"{who} sets {bad} to a value that is not finite")
        state = self.plant.machine.project(t, normalise(self.plant.about, after, f"{who} resets: "))
        if state is None:
            raise ArgumentError(
                f"{who} sets a state from which the constraints cannot be reached; reset states that agree with them,"
                " or speeds alone"
            )
        self._warn_of_changed_values(index, who, x, after, state)
        return state

    def _warn_of_changed_values(self, index: int, who: str, before: Array, after: Array, state: Array) -> None:
        """Warn where the projection changes a value that a reset sets, once for each event."""
        moved = np.abs(state - after) > PROJECTED * np.maximum(np.abs(after), np.abs(after - before))
        if index in self._changed or not np.any(moved & (after != before)):
            return
        self._changed.add(index)
        k = int(np.argmax(np.where(after != before, np.abs(state - after), 0.0)))
        warn(
            f"{who} sets {self.plant.about.state[k]} to {after[k]:.6g}, which the constraints change to {state[k]:.6g}:"
            " a state after a reset is projected to the nearest that satisfies them. Reset the states that follow too",
            SimulationWarning,
        )  # fmt: skip

    def rate(self, index: int, t: float, x: Array) -> float:
        """The rate of the condition of an event at a state."""
        h = INSTANT * max(abs(t - self.start), 1.0)
        step, g = h * self.plant.machine.x_dot(t, x), self.plant.machine.quick(self.watch.program)
        return float(g(t + h, x + step)[index] - g(t - h, x - step)[index]) / (2 * h)

    def leaving(self, t: float, x: Array, sign: float) -> Array:
        """The direction, −1 or 1, in which each condition that is zero leaves its zero; 0 where it is not zero, or
        stays. ``sign`` is −1 in runs that go back in time."""
        f, condition = self.plant.machine.x_dot, self.plant.machine.quick(self.watch.program)
        now = np.array(condition(t, x))
        direction, known = np.zeros(len(now)), ~(np.abs(now) <= CLOSED)
        for seconds in LEAVING:
            if known.all():
                break
            h = sign * seconds
            later = x + h * f(t + h / 2, x + h / 2 * f(t, x))
            change = sign * (np.array(condition(t + h, later)) - now)
            left = ~known & (np.abs(change) > VISIBLE * (1 + np.abs(x).max(initial=0.0)))
            direction[left], known = np.sign(change[left]), known | left
        return direction

    def warn_of_rest(self, index: int, t: float, before: Array, after: Array) -> None:
        """Warn where the reset of an event stops the motion at the zero of g and the motion then continues through it:
        the event is not located again, since g leaves its zero on the far side."""
        span, f = t - self.start, self.plant.machine.x_dot
        if index in self._warned or self.watch.resets[index] is None or span == 0:
            return
        condition = self.plant.machine.quick(self.watch.program)

        def change(x: Array, h: float) -> float:
            """How much g changes within a time h from x, by the midpoint rule."""
            later = x + h * f(t + h / 2, x + h / 2 * f(t, x))
            return float(condition(t + h, later)[index] - condition(t, x)[index])

        rate = change(before, INSTANT * span)
        still = abs(change(after, INSTANT * span)) <= STILL * abs(rate)
        if not (still and change(after, SHORT * span) * rate > 0):
            return
        self._warned.add(index)
        warn(
            f"{self.plant.about.system}: at t = {t:.6g} s event '{self.watch.names[index]}' stops the motion at its"
            " zero, and from there it continues through, unnoticed: a reset holds nothing. A contact that comes to rest"
            " is a constraint that an event engages (engage=…, restitution=…); or use a terminal event, or a stiff"
            " spring and damper in place of the reset",
            SimulationWarning,
        )  # fmt: skip
