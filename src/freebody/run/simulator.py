"""A simulation that is advanced step by step: inputs are set in between, and the present is saved and restored."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.errors import ArgumentError, SimulationError, SimulationWarning, warn
from freebody.hybrid.variables import Variable
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.contact_method import CONTACT
from freebody.integrate.integrator import Integrator
from freebody.integrate.interrupt import Interrupt
from freebody.integrate.record import Status, view
from freebody.integrate.steppers import Stepper, release, stepper
from freebody.names import Q
from freebody.results.interpolation import max_knots
from freebody.results.trajectory import Events
from freebody.results.work import is_integral
from freebody.run.arguments import names as listed
from freebody.run.arguments import number, numbers, shorten
from freebody.run.current_values import Read, reader
from freebody.run.held_names import SEED_COLUMN
from freebody.run.initial import InitialValues, given_states, initial_state
from freebody.run.inputs import hold_motion
from freebody.run.loop import Result, unconverged
from freebody.run.options import LONGEST, RunOptions
from freebody.run.recorder import Recorder
from freebody.run.sampled_rules import seed_place, whole_seed
from freebody.run.simulator_model import SimulatorModel, prefix
from freebody.run.snapshot import Snapshot
from freebody.run.step_derivatives import StepDerivatives, step_derivatives
from freebody.run.stepped_motion import SteppedMotion

Array = NDArray[np.float64]
InputChanges = Mapping[str, float] | ArrayLike | None
FLOAT64 = np.dtype(np.float64)
STEPS = 100_000
"""The most steps of one call of compiled code."""

SAME_TIME = 1e-13
"""Times whose difference is this fraction of them, or of 1 s, are the same but for rounding."""

NEAR_SAMPLE = 1e-12
"""The same for a time to move to and the next sample: sums of steps miss samples by rounding."""


class Simulator(Generic[Result]):
    """A compiled system that moves on when it is asked to. Inputs are held between the times at which they are set,
    and are recorded as steps. Each call of ``step`` and ``run_until`` begins anew from the state, with the step size
    that the last one has planned: the future depends on nothing else."""

    def __init__(self, compiled: CompiledSystem, x0: Array, model: SimulatorModel[Result]) -> None:
        system, about = model.held_inputs(compiled.system, compiled.about)
        self.compiled, self._model = compiled.with_system(system, about), model
        self._options: RunOptions = model.options
        self._free, self._motions = model.places(system), model.motions(system)
        self._columns = prefix(list(self._free.values()))
        self._start, self._room = (x0.copy(), self.compiled.d.copy()), max_knots(len(x0))
        self._begin(0.0, x0)

    def _begin(self, t: float, x: Array, continues: bool = False) -> None:
        """Let a motion begin; ``continues``: what happens at this time has happened."""
        integrator = stepper(self.compiled, self._options, t, x, self._room)
        self._motion = motion = SteppedMotion(self.compiled, integrator, self._options, 1.0, continues)
        motion.instants.warns_of_failure = False
        motion.aim(t, continues)
        self._begun, self._changed = continues, False
        self._notes, self._more_notes = list[tuple[float, bytes]](), self._room
        self._before: tuple[Array] | None = None
        """The conditions of events before inputs or the state were set, if they were since the last step."""
        self._now, self._stride = np.array([t]), integrator.stride()
        self._watches, self._breaks_move = bool(motion.instants.rules), self.compiled.breaks_move
        self._point_to(integrator.state if isinstance(integrator, Integrator) else integrator.x.copy())
        self._settle()

    def _point_to(self, state: Array) -> None:
        """Read the state from this array from now on."""
        n, system = self.compiled.system.coordinates, self.compiled.system
        self._state, self._x, self._d = state, view(state), view(self.compiled.d)
        self._q, self._u = state[:n], state[n : n + len(system.speeds)]
        states = {key: k for k, key in enumerate(system.states.columns)}
        bare = {Q.strip(key): k for key, k in states.items() if Q.holds(key)}
        self._places = {**bare, **states}
        self._readers = dict[str | tuple[str, ...], Read]()

    def _settle(self) -> None:
        """Note where the motion has come to, after anything but a stride."""
        motion = self._motion
        if motion.end_state is not None:
            self._point_to(motion.end_state.copy())
        elif not isinstance(motion.stepper, Integrator):
            self._state[:] = motion.stepper.x
        self._t = motion.stepper.t
        self._reach = motion.reach if self._begun and self._before is None else -np.inf

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(
            "a simulator has machine code and cannot be copied or pickled: pickle what sim.save() returns,"
            " and restore it in another simulator of the same system"
        )

    def __copy__(self) -> "Simulator[Result]":
        raise TypeError("a simulator cannot be copied: make another one, and restore what sim.save() returns")

    def __repr__(self) -> str:
        return f"<Simulator of {self.compiled.about.system} at t = {self.t:g} s>"

    # Now

    @property
    def t(self) -> float:
        """The time in s."""
        return self._t

    @property
    def q(self) -> Array:
        """The coordinates, a copy."""
        return self._q.copy()

    @property
    def u(self) -> Array:
        """The speeds, a copy."""
        return self._u.copy()

    @property
    def x(self) -> Array:
        """The state [q, u, z], a copy."""
        return self._state.copy()

    @property
    def settable(self) -> tuple[str, ...]:
        """The names of the inputs that can be set; the others follow laws."""
        return tuple(self._free)

    @property
    def random(self) -> bool:
        """Whether something draws random numbers."""
        return SEED_COLUMN in self.compiled.system.row.index

    @property
    def message(self) -> str:
        """Why the motion has ended; empty while it can go on."""
        return self._motion.instants.message if self._motion.instants.status else ""

    @property
    def unconverged(self) -> int:
        """With method "contact": how many steps have not converged so far."""
        s = self._stepper
        return s.unconverged if isinstance(s, Integrator) else 0

    def derivatives(self) -> StepDerivatives:
        """With method "contact": the derivatives of the next step by the state and by the inputs, A and B; also where
        contacts stick, slide or are open. Coordinates of quaternions count as four numbers."""
        if self._options.method != CONTACT.name or self._options.step is None:
            raise ArgumentError(
                f"{self.compiled.about.system}: derivatives of a step need steps with contact: s.simulator(…,"
                " method='contact', step=2e-3)"
            )
        return step_derivatives(self.compiled, self._t, self.x, self._options.step)

    # Moving on

    def step(self, dt: float) -> None:
        """Move on by so many seconds."""
        if type(dt) is float and dt / (1.0 + self._t) > SAME_TIME and (goal := self._t + dt) < self._reach:
            if self._changed:
                self._note_inputs()
            status = self._stride(goal)
            if status or self._watches:
                self._continue(Status(status), goal)
            else:
                self._t = goal
            return
        self.run_until(self._t + number(dt, "dt"))

    def run_until(self, t: float) -> None:
        """Move on to a time, through all events and samples on the way. A terminal event ends the motion there; a
        motion that cannot go on raises ``SimulationError`` with the reason."""
        goal, motion = number(t, "t"), self._motion
        if abs(goal) > LONGEST:
            raise ArgumentError(
                f"the time {goal:g} s is too large: beyond {LONGEST:g} s, floating-point numbers do not resolve"
                " fractions of a second"
            )
        self._raise_failure()
        if self.message or abs(goal - self.t) <= SAME_TIME * max(1.0, abs(goal)):  # there already, but for rounding
            return
        if goal < self.t:
            raise ArgumentError(
                f"the simulator is at t = {self.t:g} s and moves forward only; restore a snapshot to go back"
            )
        if abs(goal - motion.next_sample) <= NEAR_SAMPLE * max(1.0, abs(goal)):
            goal = motion.next_sample
        s, before, first = motion.stepper, self._before, not self._begun
        if self._changed:
            self._note_inputs()
        self._give_notes()
        if before is not None:
            s.restart(s.x)
        motion.aim(goal, self._begun)
        s.begin_anew()
        self._begun, self._before = True, None
        with Interrupt(s.halt) as interrupt:
            self._advance(motion.begin() if first else motion.resume(None if before is None else before[0]), interrupt)

    def _continue(self, status: Status, goal: float) -> None:
        """Go on to a time where a stride has stopped before it, or may have met events that change nothing."""
        motion = self._motion
        self._give_notes()
        with Interrupt(motion.stepper.halt) as interrupt:
            self._advance(motion.take_over(status, goal), interrupt)

    def _advance(self, going: bool, interrupt: Interrupt) -> None:
        motion, most = self._motion, self._options.max_steps
        s = motion.stepper
        try:
            while going:
                going = motion.advance(STEPS if most is None else min(STEPS, most - s.steps))
                interrupt.settle()
        finally:
            self._settle()
        self._raise_failure()

    def _raise_failure(self) -> None:
        if self._motion.instants.status < 0:
            raise SimulationError(f"{self.compiled.about.system}: {self.message}")

    def _note_inputs(self) -> None:
        """Record the inputs that were set, and find the break points that move with them."""
        self._changed = False
        if self._more_notes:
            self._more_notes -= 1
            self._notes.append((self._t, self._d.tobytes()))
        if self._breaks_move:
            self._motion.stepper.set_breaks(self.compiled.breaks)

    def _give_notes(self) -> None:
        """Let the motion know the inputs that were set, before it records changes of its own."""
        for t, d in self._notes:
            self._motion.note_held(t, np.frombuffer(d))
        self._notes.clear()

    # Setting

    def set(
        self,
        *,
        inputs: InputChanges = None,
        parameters: Mapping[str, float] | None = None,
        q: InitialValues = None,
        u: InitialValues = None,
        z: InitialValues = None,
    ) -> None:
        """Set inputs, which are held until they are set again; values of parameters; coordinates, speeds and extra
        states, as the initial values of ``simulate``. Inputs are given by name, or all of them in a row.

        States that are set have these values afterwards; other coordinates follow where constraints require it, and an
        error says so where that is impossible. If what is set moves the condition of an event across zero, the event
        occurs. Parameters compile nothing; the trajectory begins anew with them."""
        if inputs is not None:
            free = self._free
            if type(inputs) is not dict:
                inputs = self._row_of_inputs(inputs)
            else:
                for name, value in inputs.items():
                    if name not in free or not isinstance(value, float) or value - value != 0.0:
                        inputs = self._checked(inputs)
                        break
            if self._watches:
                self._will_change()
            if self._motions:
                for name in inputs if type(inputs) is dict else self._motions:
                    if name in self._motions:
                        hold_motion(self.compiled.d, self._motions[name], self._t)
            if type(inputs) is dict:
                for name, value in inputs.items():
                    self._d[free[name]] = value
            else:
                self.compiled.d[self._columns] = inputs
            self._changed = True
        if parameters is not None:
            self._set_parameters(parameters)
        if q is not None or u is not None or z is not None:
            self._set_state({"q": q, "u": u, "z": z})

    def _checked(self, inputs: Mapping[str, Any]) -> dict[str, float]:
        """Inputs by name as finite numbers."""
        for name in inputs:
            if name not in self._free:
                raise self._model.unknown_input(self.compiled.about, name)
        return {name: number(value, f"input '{name}'") for name, value in inputs.items()}

    def _row_of_inputs(self, row: Any) -> Any:
        """All inputs as a row of finite numbers; those of a mapping by name."""
        if isinstance(row, Mapping):
            return self._checked(row)
        count = len(self._free)
        if type(row) is np.ndarray and row.dtype is FLOAT64 and row.shape == (count,):
            square = row.dot(row)
            if square < np.inf:  # all are finite
                return row
        row = numbers(row, f"inputs of {self.compiled.about.system}")
        if row.shape != (count,):
            raise self._model.wrong_row(self.compiled.about, row.shape, (count,))
        return row

    def _will_change(self) -> None:
        """Remember the conditions of events before something is set."""
        if self._before is None:
            motion = self._motion
            known = motion.instants.conditions(self.t, self.x) if motion.instants.rules else np.empty(0)
            self._before, self._reach = (np.array(known),), -np.inf

    def _set_parameters(self, values: Any) -> None:
        self._require_going("parameters")
        compiled, saved = self._model.with_parameters(self.compiled, values), self.save()
        x = self._model.moved(compiled, self.t, self.x, self.x, set())
        self._resume(replace(saved, x=x.tobytes()), compiled)

    def _set_state(self, groups: dict[str, InitialValues]) -> None:
        self._require_going("states")
        about = self.compiled.about
        state, given = initial_state(about, self.x, **groups), given_states(about, **groups)
        after = self._model.moved(self.compiled, self.t, state, self.x, given)
        self._will_change()
        self._stepper.restart(after)
        self._settle()

    @property
    def _stepper(self) -> Stepper:
        return self._motion.stepper

    def _require_going(self, what: str) -> None:
        if self.message:
            raise ArgumentError(
                f"{self.compiled.about.system}: the motion has ended, {self.message}: restore a snapshot or reset the"
                f" simulator before you set {what}"
            )

    def reset(
        self,
        *,
        parameters: Mapping[str, float] | None = None,
        q: InitialValues = None,
        u: InitialValues = None,
        z: InitialValues = None,
        seed: int | None = None,
    ) -> None:
        """Go back to the start, t = 0, with other initial values where some are given, and the inputs of the start.
        Parameters that were set stay, and others may be set; ``seed`` is another one of random numbers."""
        self._release()
        if parameters is not None:
            self.compiled = self._model.with_parameters(self.compiled, parameters)
        about, groups = self.compiled.about, {"q": q, "u": u, "z": z}
        x, given = initial_state(about, self._start[0], **groups), given_states(about, **groups)
        self.compiled.d[:] = self._start[1]
        if seed is not None:
            self.compiled.d[seed_place(self.compiled)] = whole_seed(seed)
        x0, d = self._model.start(self.compiled, 0.0, x, self._start[0], given)
        self.compiled.d[:] = d
        self._begin(0.0, x0)

    def _release(self) -> None:
        """Let the next motion use the integrator of this one."""
        release(self.compiled, self._options, self._stepper, self._room)

    # Saving and restoring

    def save(self) -> Snapshot:
        """The present, for ``restore``: what follows now and what follows after a restore are equal to the bit."""
        s, about = self._stepper, self.compiled.about
        if self.message:
            raise ArgumentError(
                f"{about.system}: the motion cannot continue, so that its state cannot be saved: {self.message}"
            )
        if functions := self.compiled.system.functions:
            raise ArgumentError(
                f"{about.system}: {functions[0]} is a Python function, whose memory is not known, so that the present"
                " cannot be saved; describe the controller in the model, s.controller(…)"
            )
        x, waiting = self.x, tuple(s.waiting)
        if not isinstance(s, Integrator):  # as it will after a restore, which may project the state
            s.resume(x, 0.0)
            s.mark_events(waiting)
            self._settle()
        before = None if self._before is None else self._before[0].tobytes()
        return Snapshot(
            about.digest,
            *self._kind,
            self.t,
            x.tobytes(),
            self.compiled.d.tobytes(),
            dict(self.compiled.parameters),
            np.array([s.planned]).tobytes(),
            waiting,
            before,
            stiffness=s.stiffness.tobytes() if isinstance(s, Integrator) else None,
        )

    @property
    def _kind(self) -> tuple[tuple[str, ...], dict[str, str]]:
        """The names of its events, and the laws of its inputs."""
        system, described = self.compiled.system, self.compiled.about.inputs
        return tuple(rule.name for rule in system.crossings), {name: described[name] for name in self._model.laws}

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to what was saved, also by another simulator of the same system with the same events, with the values
        of parameters that it had. The trajectory begins there."""
        about, (events, laws) = self.compiled.about, self._kind
        if not isinstance(snapshot, Snapshot):
            raise ArgumentError(
                f"{about.system}: restore needs a snapshot that sim.save() returned, not {shorten(snapshot)}"
            )
        sizes_differ = (len(snapshot.d), len(snapshot.x)) != (self.compiled.d.nbytes, self._state.nbytes)
        if snapshot.worlds is not None:
            raise ArgumentError(
                f"{about.system}: the snapshot is of simulators side by side, and this is a single one; restore it in"
                " s.simulators(…) with as many worlds"
            )
        if snapshot.digest != about.digest or sizes_differ:
            raise ArgumentError(
                f"{about.system}: the snapshot was taken from another system; restore it in a simulator of that system"
            )
        if snapshot.events != events:
            raise ArgumentError(
                f"{about.system}: the snapshot was taken with other events; restore it in a simulator with the same"
                " events"
            )
        for name in sorted({*laws, *snapshot.laws}):
            if (was := snapshot.laws.get(name, "a number")) != (law := laws.get(name, "a number")):
                raise ArgumentError(
                    f"{about.system}: input '{name}' is {was} in the snapshot and {law} in this simulator; restore it"
                    " in a simulator with the same inputs"
                )
        other = dict(snapshot.parameters) != self.compiled.parameters
        self._resume(snapshot, self._model.with_parameters(self.compiled, snapshot.parameters) if other else None)

    def _resume(self, snapshot: Snapshot, changed: CompiledSystem | None) -> None:
        """Go on from a snapshot, with a system of other values of parameters if there is one."""
        self._release()
        self.compiled = changed or self.compiled
        self.compiled.d[:] = np.frombuffer(snapshot.d)
        self._begin(snapshot.t, np.frombuffer(snapshot.x).copy(), continues=snapshot.t > 0)
        self._stepper.resume(np.frombuffer(snapshot.x), float(np.frombuffer(snapshot.size)[0]))
        self._stepper.mark_events(snapshot.waiting)
        if snapshot.stiffness is not None and self._options.adaptive and isinstance(self._stepper, Integrator):
            self._stepper.stiffness = np.frombuffer(snapshot.stiffness)
        self._before = None if snapshot.before is None else (np.frombuffer(snapshot.before),)
        self._settle()

    # Reading

    def __getitem__(self, name: str) -> float | Array:
        """A coordinate, a speed, an input, an output or anything else that a run records, now."""
        k = self._places.get(name)
        if k is not None:
            value: float = self._x[k]
            return value
        known = self._readers.get(name)
        now: float | Array = self._read(name) if known is None else known()
        return now

    def _read(self, name: str) -> Any:
        """A value that is read for the first time."""
        key, variables, row = self._key(name), self._variables, self.compiled.system.row.index
        if key in row and key not in self._model.computed:
            d, place = self._d, row[key]
            self._readers[name] = lambda: d[place]
        else:
            self._readers[name] = self._reader((key,), () if not variables[key].parts else (1,))
        return self._readers[name]()

    def reader(self, names: Sequence[str]) -> Read:
        """A function without arguments that returns the present values of recorded variables (``"tip"``) and of texts
        (``"cos(q.pole)"``) in one row. It is compiled once, and quicker than several single values."""
        some = listed(names, "what a reader reads")
        key = tuple(self._key(name) if self._find(name) else name for name in some)

        def read() -> Array:
            known = self._readers.get(key)
            if known is None:
                known = self._readers[key] = self._reader(key, (1,))
            row: Array = known()
            return row

        read()  # raises where a name is wrong
        return read

    def _reader(self, names: tuple[str, ...], shape: tuple[int, ...]) -> Read:
        program = self._model.program(names)
        if program is None:
            return lambda: self._recorded(names[0])
        read, time, jumps = (
            reader(self.compiled, program, self._now, self._state, shape),
            view(self._now),
            self._motion.jumps,
        )

        def current() -> Any:
            time[0] = self._t
            return read()

        def at_side() -> Any:  # of a jump of rates
            time[0] = self._motion.jumps.beside.get(self._t, self._t)
            return read()

        return at_side if jumps.possible else current

    @property
    def _variables(self) -> dict[str, Variable]:
        return {v.key: v for v in self.compiled.about.variables}

    def _recorded(self, key: str) -> Any:
        """A variable by the record of all."""
        return self._present()[key][0]

    def _present(self) -> Result:
        """The present as a run of one row."""
        motion = self._motion
        return self._result(
            np.array([self.t]),
            self.x[None, :],
            recorder=Recorder(self.compiled),
            held=self.compiled.held[None, :],
            events=Events(beside=motion.jumps.beside),
        )

    def _result(self, t: Array, x: Array, **values: Any) -> Result:
        return self._model.result(self.compiled.about, t, x, **values)

    def _find(self, name: str) -> str | None:
        now = self._present()
        return now.key(name) if name in now else None

    def _key(self, name: str) -> str:
        """The full name of a variable that can be read; an error for another."""
        now = self._present()
        key = now.key(name)
        if is_integral(now.variables[key]):
            raise ArgumentError(f"'{name}' is integrated along the motion: read it from sim.trajectory()")
        return key

    __iter__ = None
    """A simulator has no items to iterate over; the names are those of its trajectory."""

    def __contains__(self, name: object) -> bool:
        return name in self._places or name in self._present()

    def trajectory(self) -> Result:
        """The motion so far, from the start, or the last ``restore`` or change of parameters on, at the ends of
        steps."""
        motion = self._motion
        s = motion.stepper
        if s.knots_full:
            warn(
                f"{self.compiled.about.system}: the trajectory of a simulator contains the first {len(s.knots)}"
                " starts and ends of steps and the present state; those in between are missing. To record all of"
                " them, call sim.restore(sim.save()) from time to time: a restore starts a new trajectory",
                SimulationWarning,
            )
        if self.unconverged:
            text = unconverged(self.unconverged, s.steps, s.mismatch if isinstance(s, Integrator) else 0.0)
            warn(f"{self.compiled.about.system}: {text}", SimulationWarning)
        self._give_notes()
        if self._changed or not self._more_notes:
            motion.note_held(self._t, self.compiled.held)
        knots = motion.knots()
        last = np.append(knots.t[1:] != knots.t[:-1], True) if len(knots) else np.zeros(0, bool)
        t, x = knots.t[last], knots.x[last]
        if len(t) and t[-1] == self.t:
            x[-1] = self.x
        else:
            t, x = np.append(t, self.t), np.vstack([x, self.x[None, :]])
        steps = motion.held_steps()
        return self._result(
            t,
            x,
            status=motion.instants.status,
            message=self.message or "so far",
            events=motion.happened(),
            statistics=motion.statistics(),
            recorder=Recorder(self.compiled.copy(), tuple(s.methods)),
            knots=knots,
            measures_drift=True,
            held=None if steps is None else steps.at(t, 1.0),
            held_steps=steps,
        )
