"""A simulation that is moved on step by step: inputs are set in between, and the present is saved and restored."""

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, SimulationError, SimulationWarning, warn
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.steppers import stepper
from freebody.names import INPUT, Q
from freebody.results.interpolation import max_knots
from freebody.results.trajectory import Statistics
from freebody.run.arguments import number, require_names
from freebody.run.initial import normalise
from freebody.run.loop import Result
from freebody.run.options import RunOptions
from freebody.run.recorder import Recorder
from freebody.run.stepped_motion import SteppedMotion

Array = NDArray[np.float64]
STEPS = 1_000_000
"""The most steps of one call of compiled code."""


@dataclass(frozen=True)
class Snapshot:
    """All on which the future of a simulator depends: time, state, inputs and held values, parameters, the planned
    step, and the events that have just happened. It can be pickled."""

    digest: str
    t: float
    x: bytes
    d: bytes
    parameters: Mapping[str, float]
    size: float
    waiting: tuple[int, ...]


class Inputs(MutableMapping[str, float]):
    """The inputs of a simulator by name; those that follow laws cannot be set."""

    def __init__(self, simulator: "Simulator[Result]", laws: Sequence[str]) -> None:
        self._simulator, self._laws = simulator, laws
        row = simulator.compiled.system.row
        self._places = {INPUT.strip(key): k for key, k in row.index.items() if INPUT.holds(key)}

    def __getitem__(self, name: str) -> float:
        return float(self._simulator.compiled.d[self._place(name)])

    def __setitem__(self, name: str, value: float) -> None:
        place = self._place(name)
        self._simulator.change({place: number(value, f"input '{name}'")})

    def _place(self, name: str) -> int:
        if name in self._laws:
            raise ArgumentError(f"input '{name}' follows a law; give it a number in inputs=… to set it between steps")
        require_names(list(self._places), {name: 0}, "input", f"system '{self._simulator.compiled.about.system}'")
        return self._places[name]

    def __delitem__(self, name: str) -> None:
        raise ArgumentError(f"input '{name}' cannot be removed; set it to 0")

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._places if name not in self._laws)

    def __len__(self) -> int:
        return len(list(iter(self)))


class Simulator(Generic[Result]):
    """A compiled system that moves on when it is asked to. Inputs are held between the times at which they are set,
    and are recorded as steps."""

    def __init__(
        self, compiled: CompiledSystem, x0: Array, options: RunOptions, laws: Sequence[str], result: type[Result]
    ) -> None:
        self.compiled = compiled.with_system(replace(compiled.system, held=compiled.system.row))
        self._options, self._result = options, result
        self.inputs = Inputs(self, laws)
        self._start(0.0, x0)

    def _start(self, t: float, x: Array, size: float | None = None, continues: bool = False) -> None:
        options = self._options if size is None else replace(self._options, first_step=size)
        integrator = stepper(self.compiled, options, t, x, max_knots(len(x)))
        self._motion = SteppedMotion(self.compiled, integrator, self._options, 1.0, continues)
        self._motion.instants.warns_of_failure = False
        self._motion.aim(t, continues)
        self._changed, self._begun = False, continues

    # Moving on

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
        if goal < self.t:
            raise ArgumentError(f"the simulator is at t = {self.t:g} s and moves forward only; restore a snapshot to go"
                                " back")  # fmt: skip
        if self.message or goal == self.t:
            return
        if self._changed:
            motion.stepper.restart(motion.stepper.x)
            self._changed = False
        motion.aim(goal, self._begun)
        going = motion.resume() if self._begun else motion.begin()
        self._begun = True
        while going:
            going = motion.advance(STEPS)
        if motion.instants.status < 0:
            raise SimulationError(f"{self.compiled.about.system}: {motion.instants.message}")

    # Setting

    def change(self, values: Mapping[int, float]) -> None:
        """Set numbers of the row d, by index."""
        for place, value in values.items():
            self._changed |= bool(self.compiled.d[place] != value)
            self.compiled.d[place] = value
        self._motion.note_held()

    def set_state(self, values: Mapping[str, float]) -> None:
        """Set coordinates, speeds and extra states by their full names, ``{"q.arm": 0.3}``; the state is then
        projected to the constraints."""
        about, state = self.compiled.about, self.x
        require_names(list(about.state), values, "state", f"system '{about.system}'")
        for name, value in values.items():
            state[about.state.index(name)] = number(value, f"state '{name}'")
        after = self.compiled.project(self.t, normalise(about, state, "set_state: "))
        if after is None:
            raise ArgumentError(f"{about.system}: no state near this one satisfies the constraints; set the coordinates"
                                " that follow too, or find a state by assemble")  # fmt: skip
        self._motion.stepper.restart(after)
        self._changed = False

    # Saving and restoring

    def save(self) -> Snapshot:
        """The present, for ``restore``. The integration begins anew here, with the step that it had planned, so that
        what follows now and what follows after a restore are equal to the bit."""
        s, about = self._motion.stepper, self.compiled.about
        if self.message:
            raise ArgumentError(f"{about.system}: the motion cannot go on, so nothing is saved: {self.message}")
        waiting, numbers = tuple(s.waiting), (s.x.tobytes(), self.compiled.d.tobytes())
        s.restart(s.x)
        s.happened(waiting)
        return Snapshot(about.digest, self.t, *numbers, self.compiled.parameters, s.planned, waiting)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to what was saved, also by another simulator of the same system with the same parameters. The
        trajectory begins there."""
        about, d = self.compiled.about, self.compiled.d
        if snapshot.digest != about.digest or len(snapshot.d) != d.nbytes:
            raise ArgumentError(f"{about.system}: the snapshot is of another system")
        if snapshot.parameters != self.compiled.parameters:
            raise ArgumentError(f"{about.system}: the snapshot is of other values of the parameters")
        d[:] = np.frombuffer(snapshot.d)
        x = np.frombuffer(snapshot.x).copy()
        self._start(snapshot.t, x, snapshot.size or None, continues=snapshot.t > 0)
        self._motion.stepper.restart(x)  # as after saving
        self._motion.stepper.happened(snapshot.waiting)

    # Reading

    def __getitem__(self, name: str) -> float | Array:
        """A coordinate, a speed, an input, an output or anything else that a run records, now."""
        state = self.compiled.about.state
        for key in (name, Q(name)):
            if key in state:
                return float(self.x[state.index(key)])
        now = self._result(
            self.compiled.about, np.array([self.t]), self.x[None, :], recorder=Recorder(self.compiled),
            switches=self.compiled.held[None, :],
        )  # fmt: skip
        value: float | Array = now[name][0]
        return value

    def trajectory(self) -> Result:
        """The motion so far, from the start or the last ``restore`` on, at the ends of steps."""
        motion, s = self._motion, self._motion.stepper
        if s.knots_full:
            warn(f"{self.compiled.about.system}: the trajectory of a simulator has {len(s.knots)} steps at most; those"
                 " after them are left out. Save and restore from time to time to get it in parts",
                 SimulationWarning)  # fmt: skip
        knots = motion.knots()
        last = np.append(knots.t[1:] != knots.t[:-1], True) if len(knots) else np.zeros(0, bool)
        t, x = (knots.t[last], knots.x[last]) if len(knots) else (np.array([self.t]), self.x[None, :])
        steps = motion.held_steps()
        return self._result(
            self.compiled.about, t, x, status=motion.instants.status, message=self.message or "so far",
            events=motion.happened(), statistics=Statistics(
                self._options.method, s.steps, s.rejected, s.evaluations, s.jacobians, s.factorisations, 0.0,
                s.projections,
            ),
            recorder=Recorder(self.compiled.with_values(self.compiled.p, self.compiled.d), self._options.method),
            knots=knots, measures_drift=True, switches=None if steps is None else steps.at(t, 1.0), held_steps=steps,
        )  # fmt: skip
