"""A simulation that is advanced step by step: inputs are set in between, and the present is saved and restored."""

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, SimulationError, SimulationWarning, choices, nearest, warn
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.interrupt import Interrupt
from freebody.integrate.steppers import stepper
from freebody.names import INPUT, Q, companions
from freebody.results.interpolation import max_knots
from freebody.results.trajectory import Events, Statistics, UnknownNameError
from freebody.results.work import is_integral
from freebody.run.arguments import number, require_names, shorten
from freebody.run.initial import normalise
from freebody.run.inputs import hold_motion
from freebody.run.loop import Result
from freebody.run.options import LONGEST, RunOptions
from freebody.run.recorder import Recorder
from freebody.run.stepped_motion import SteppedMotion

Array = NDArray[np.float64]
STEPS = 100_000
"""The most steps of one call of compiled code."""

SAME_TIME = 1e-13
"""Times whose difference is this fraction of them, or of 1 s, are the same but for rounding."""


@dataclass(frozen=True)
class Snapshot:
    """All on which the future of a simulator depends: time, state, inputs and held values, parameters, the planned
    step, the events that have just happened, and the conditions of events before something was set since the last step
    (``before``, None where nothing was). It can be pickled."""

    digest: str
    events: tuple[str, ...]
    laws: Mapping[str, str]
    t: float
    x: bytes
    d: bytes
    parameters: Mapping[str, float]
    size: float
    waiting: tuple[int, ...]
    before: bytes | None


class Inputs(MutableMapping[str, float]):
    """The inputs of a simulator by name; those that follow laws cannot be set."""

    def __init__(self, simulator: "Simulator[Result]", names: Sequence[str], laws: Sequence[str]) -> None:
        self._simulator, self.laws = simulator, tuple(laws)
        self._places = {name: simulator.compiled.system.row.index[INPUT(name)] for name in names}

    def __getitem__(self, name: str) -> float:
        return float(self._simulator.compiled.d[self._place(name)])

    def __setitem__(self, name: str, value: float) -> None:
        place = self._place(name)
        if name in self.laws:
            raise ArgumentError(f"input '{name}' follows a law; give it a number in inputs=… to set it between steps")
        self._simulator.change_input(place, number(value, f"input '{name}'"))

    def _place(self, name: str) -> int:
        if name not in self._places:
            system, near = self._simulator.compiled.about.system, nearest(str(name), list(self._places))
            hint = f"did you mean {' or '.join(near)}?" if near else choices(list(self._places))
            raise UnknownNameError(f"system '{system}' has no input '{name}'; {hint}")
        return self._places[name]

    def __delitem__(self, name: str) -> None:
        raise ArgumentError(f"input '{name}' cannot be removed; set it to 0")

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __repr__(self) -> str:
        return repr(dict(self))


Assemble = Callable[[CompiledSystem, float, Array, Array, set[int]], Array]
"""Returns a state that satisfies the constraints and has the values of one state at these indices, from another on."""


class Simulator(Generic[Result]):
    """A compiled system that moves on when it is asked to. Inputs are held between the times at which they are set,
    and are recorded as steps. ``names`` are the inputs, those in ``laws`` follow laws, those in ``moving`` move on with
    the rates that were set; ``assemble`` makes states that
    are set consistent, ``result`` makes a trajectory."""

    def __init__(
        self,
        compiled: CompiledSystem,
        x0: Array,
        options: RunOptions,
        names: Sequence[str],
        laws: Sequence[str],
        assemble: Assemble,
        result: Callable[..., Result],
        moving: Sequence[str] = (),
    ) -> None:
        changing = {n for name in moving for n in (name, *companions(name)[:2])}
        about, free = compiled.about, {INPUT(name) for name in names if name not in laws and name not in changing}
        stepped = tuple(replace(v, steps=True) if v.key in free else v for v in about.variables)
        system = replace(compiled.system, held=compiled.system.row, variables=stepped)
        self.compiled = compiled.with_system(system, replace(about, variables=stepped))
        self._options, self._assemble, self._result = options, assemble, result
        self._inputs = Inputs(self, names, laws)
        places = [[system.row.index[INPUT(n)] for n in (name, *companions(name))] for name in moving]
        self._moving = {place: row for row in places for place in row[:3]}
        self._start(0.0, x0)

    def _start(self, t: float, x: Array, continues: bool = False) -> None:
        integrator = stepper(self.compiled, self._options, t, x, max_knots(len(x)))
        self._motion = SteppedMotion(self.compiled, integrator, self._options, 1.0, continues)
        self._motion.instants.warns_of_failure = False
        self._motion.aim(t, continues)
        self._begun = continues
        self._before: tuple[Array] | None = None
        """The conditions of events before inputs or the state were set, if they were since the last step."""

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(
            "a simulator has machine code and cannot be copied or pickled: pickle what sim.save() returns,"
            " and restore it in another simulator of the same system"
        )

    def __copy__(self) -> "Simulator[Result]":
        raise TypeError("a simulator cannot be copied: make another one, and restore what sim.save() returns")

    def __repr__(self) -> str:
        return f"<Simulator of {self.compiled.about.system} at t = {self.t:g} s>"

    # Moving on

    @property
    def inputs(self) -> Inputs:
        """The inputs by name: read them, and set those that are numbers."""
        return self._inputs

    @property
    def t(self) -> float:
        """The time in s."""
        return self._motion.stepper.t

    @property
    def x(self) -> Array:
        """The state [q, u, z], a copy."""
        end = self._motion.end_state
        return (self._motion.stepper.x if end is None else end).copy()

    @property
    def message(self) -> str:
        """Why the motion has ended; empty while it can go on."""
        return self._motion.instants.message if self._motion.instants.status else ""

    def step(self, dt: float) -> None:
        """Move on by so many seconds."""
        self.run_to(self.t + number(dt, "dt"))

    def run_to(self, t: float) -> None:
        """Move on to a time, through all events and samples on the way. A terminal event ends the motion there; a
        motion that cannot go on raises ``SimulationError`` with the reason."""
        goal, motion = number(t, "t"), self._motion
        if abs(goal) > LONGEST:
            raise ArgumentError(
                f"the time {goal:g} s is too far away: beyond {LONGEST:g} s numbers cannot"
                " resolve fractions of a second"
            )
        if motion.instants.status < 0:
            raise SimulationError(f"{self.compiled.about.system}: {motion.instants.message}")
        if self.message or abs(goal - self.t) <= SAME_TIME * max(1.0, abs(goal)):  # there already, but for rounding
            return
        if goal < self.t:
            raise ArgumentError(
                f"the simulator is at t = {self.t:g} s and moves forward only; restore a snapshot to go back"
            )
        s, before = motion.stepper, self._before
        if before is not None:
            s.set_breaks(self.compiled.breaks)
            s.restart(s.x)
        motion.aim(goal, self._begun)
        first, self._begun, self._before = not self._begun, True, None
        most = self._options.max_steps
        with Interrupt(s.halt) as interrupt:
            going = motion.begin() if first else motion.resume(None if before is None else before[0])
            while going:
                going = motion.advance(STEPS if most is None else min(STEPS, most - s.steps))
                interrupt.settle()
        if motion.instants.status < 0:
            raise SimulationError(f"{self.compiled.about.system}: {motion.instants.message}")

    # Setting

    def _will_change(self) -> None:
        """Remember the conditions of events before something is set."""
        if self._before is None:
            motion = self._motion
            known = motion.instants.conditions(self.t, self.x) if motion.instants.rules else np.empty(0)
            self._before = (np.array(known),)

    def change_input(self, place: int, value: float) -> None:
        """Set a number of the row d."""
        d, row = self.compiled.d, self._moving.get(place)
        if row is not None and d[row[3]] != self.t:
            self._will_change()
            hold_motion(d, row, self.t)
            self._motion.note_held()
        if d[place] != value:
            self._will_change()
            d[place] = value
            self._motion.note_held()

    def set_state(self, values: Mapping[str, float]) -> None:
        """Set coordinates, speeds and extra states by their full names, ``{"q.arm": 0.3}``. They have these values
        afterwards; other coordinates follow where constraints require it. Raises where that is impossible."""
        about, state = self.compiled.about, self.x
        if self.message:
            raise ArgumentError(f"{about.system}: the motion has ended, {self.message}; restore a snapshot first")
        require_names(list(about.state), values, "state", f"system '{about.system}'")
        for name, value in values.items():
            state[about.state.index(name)] = number(value, f"state '{name}'")
        held = {about.state.index(name) for name in values}
        after = self._assemble(self.compiled, self.t, normalise(about, state, "set_state: "), self.x, held)
        self._will_change()
        self._motion.stepper.restart(after)

    # Saving and restoring

    def save(self) -> Snapshot:
        """The present, for ``restore``. The integration begins anew here, with the step that it had planned, so that
        what follows now and what follows after a restore are equal to the bit."""
        s, about = self._motion.stepper, self.compiled.about
        if self.message:
            raise ArgumentError(f"{about.system}: the motion cannot go on, so nothing is saved: {self.message}")
        waiting, numbers, size = tuple(s.waiting), (s.x.tobytes(), self.compiled.d.tobytes()), s.planned
        s.restart(s.x)
        s.mark_events(waiting)
        before = None if self._before is None else self._before[0].tobytes()
        parameters = dict(self.compiled.parameters)
        return Snapshot(about.digest, *self._kind, self.t, *numbers, parameters, size, waiting, before)

    @property
    def _kind(self) -> tuple[tuple[str, ...], dict[str, str]]:
        """The names of its events, and the laws of its inputs."""
        described = self.compiled.about.inputs
        laws = {name: described[name] for name in self._inputs.laws}
        return tuple(rule.name for rule in self._motion.instants.rules), laws

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to what was saved, also by another simulator of the same system with the same parameters and events.
        The trajectory begins there."""
        about, d, (events, laws) = self.compiled.about, self.compiled.d, self._kind
        if not isinstance(snapshot, Snapshot):
            raise ArgumentError(f"{about.system}: restore takes what sim.save() returned, not {shorten(snapshot)}")
        if snapshot.digest != about.digest or len(snapshot.d) != d.nbytes:
            raise ArgumentError(f"{about.system}: the snapshot is of another system")
        if snapshot.parameters != self.compiled.parameters:
            raise ArgumentError(f"{about.system}: the snapshot is of other values of the parameters")
        if snapshot.events != events:
            raise ArgumentError(f"{about.system}: the snapshot is of a simulator with other events")
        for name in sorted({*laws, *snapshot.laws}):
            if (was := snapshot.laws.get(name, "a number")) != (law := laws.get(name, "a number")):
                raise ArgumentError(
                    f"{about.system}: the snapshot is of a simulator whose input '{name}' is {was}; here it is {law}"
                )
        d[:] = np.frombuffer(snapshot.d)
        x = np.frombuffer(snapshot.x).copy()
        self._start(snapshot.t, x, continues=snapshot.t > 0)
        self._motion.stepper.restart(x, None, snapshot.size or None)  # as after saving
        self._motion.stepper.mark_events(snapshot.waiting)
        self._before = None if snapshot.before is None else (np.frombuffer(snapshot.before),)

    # Reading

    def __getitem__(self, name: str) -> float | Array:
        """A coordinate, a speed, an input, an output or anything else that a run records, now."""
        state = self.compiled.about.state
        for key in (name, Q(name)):
            if key in state:
                return float(self.x[state.index(key)])
        now = self._result(
            self.compiled.about,
            np.array([self.t]),
            self.x[None, :],
            recorder=Recorder(self.compiled),
            held=self.compiled.held[None, :],
            events=Events(beside=self._motion.jumps.beside),
        )
        key = now.key(name)
        if key in now.variables and is_integral(now.variables[key]):
            raise ArgumentError(f"'{name}' is integrated along the motion: read it from sim.trajectory()")
        value: float | Array = now[name][0]
        return value

    __iter__ = None
    """A simulator has no items to iterate over; the names are those of its trajectory."""

    def __contains__(self, name: object) -> bool:
        return name in self.compiled.about.state or name in self.trajectory()

    def trajectory(self) -> Result:
        """The motion so far, from the start or the last ``restore`` on, at the ends of steps."""
        motion, s = self._motion, self._motion.stepper
        if s.knots_full:
            warn(
                f"{self.compiled.about.system}: the trajectory of a simulator has {len(s.knots)} starts and ends of"
                " steps at most, and the present state; what is between is left out. To get it in parts, save and"
                " restore from time to time: a restore begins the trajectory anew",
                SimulationWarning,
            )
        knots = motion.knots()
        last = np.append(knots.t[1:] != knots.t[:-1], True) if len(knots) else np.zeros(0, bool)
        t, x = knots.t[last], knots.x[last]
        if len(t) and t[-1] == self.t:
            x[-1] = self.x
        else:
            t, x = np.append(t, self.t), np.vstack([x, self.x[None, :]])
        steps = motion.held_steps()
        return self._result(
            self.compiled.about,
            t,
            x,
            status=motion.instants.status,
            message=self.message or "so far",
            events=motion.happened(),
            statistics=Statistics(
                self._options.method,
                s.steps,
                s.rejected,
                s.evaluations,
                s.jacobians,
                s.factorisations,
                0.0,
                s.projections,
            ),
            recorder=Recorder(self.compiled.copy(), self._options.method),
            knots=knots,
            measures_drift=True,
            held=None if steps is None else steps.at(t, 1.0),
            held_steps=steps,
        )
