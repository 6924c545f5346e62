"""A simulation that is advanced step by step while inputs, parameters and a pulling force change."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil, log10, pi
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.errors import ArgumentError, FunctionError, SimulationWarning
from freebody.formulations.derivation import Derivation
from freebody.hybrid.system import Deferred
from freebody.model.pull import PullInputs
from freebody.names import ENGAGED, companions
from freebody.results.limits import Limits
from freebody.results.live_simulator import Adjustable, LiveSimulator, PullForce
from freebody.results.trajectory import RunResult
from freebody.run.arguments import by_name, number, numbers, require_names
from freebody.run.assembly import Assembler, base_state
from freebody.run.build import build, run_programs
from freebody.run.callback_checks import check_callbacks
from freebody.run.cases import Cases
from freebody.run.checks import check_bodies, check_mass_matrices
from freebody.run.display_state import DisplayState
from freebody.run.event import Event
from freebody.run.initial import InitialValues, default_state, given_states, initial_state, warn_of_degrees
from freebody.run.inputs import (
    InputValues,
    hold_motion,
    named_inputs,
    parameter_values,
    unwritten_inputs,
    unwritten_names,
)
from freebody.run.loop import KnownStiffness, run_system
from freebody.run.motion_table import movable_coordinates
from freebody.run.options import RunOptions
from freebody.run.sampled_rules import seeded
from freebody.run.switching import Engage, engaged_at_start
from freebody.spatial.quaternions import quaternions

Array = NDArray[np.float64]
BODY = 18
"""Numbers of a body in the program of a live view: pose (12) and velocities (6)."""

HELD = 0.01
"""Seconds for which a pulling force is held; it is then computed from the motion again."""

MAX_STEPS = 100_000
"""Steps of one call of ``advance``: a motion that needs more cannot be shown while it is computed."""

FASTEST = 20.0
"""The acceleration in m/s² that an input has at the ends of its slider; that of angles is this divided by the typical
length."""

ANGLES = "roll", "pitch", "yaw"
"""Rotations about the parent's x, y and z axes, one after another, for joints whose coordinates are quaternions."""


class Grip(NamedTuple):
    """A pull: the body's index, the point along its axes, the target in the ground, the frequency in rad/s."""

    body: int
    point: Array
    target: Array
    frequency: float


class LiveSimulation(LiveSimulator):
    """A simulation of equations of a model ``with_pull``. ``ranges`` are those of sliders by name; the other arguments
    are those of ``Equations.simulate``. Inputs without a value are zero; those that follow laws cannot be adjusted."""

    def __init__(
        self,
        e: Derivation,
        pull: PullInputs,
        initial: Mapping[str, InitialValues],
        parameters: Mapping[str, float] | None,
        inputs: InputValues,
        events: Sequence[Event],
        engaged: Mapping[str, bool] | None,
        ranges: Mapping[str, ArrayLike] | None,
        options: RunOptions,
    ) -> None:
        self.e, model = e, e.tree.model
        self._options = replace(options, max_steps=options.max_steps or MAX_STEPS, progress=False)
        if not self._options.projects:
            raise ArgumentError("a live view keeps constraints by projection: leave constraints=… out")
        names = [n for part in pull for n in part]
        own = [n for n in e.layout.user_inputs if n not in names]
        given = dict(zip(own, inputs, strict=False)) if isinstance(inputs, list | tuple | np.ndarray) else inputs
        if given is not inputs and inputs is not None and len(inputs) != len(own):
            raise ArgumentError(
                f"system '{model.name}' has {len(own)} inputs ({', '.join(own) or 'none'}), and"
                f" {len(inputs)} were given: give each by its name"
            )
        named = named_inputs(e, given)
        require_names(own, named, "input", f"system '{model.name}'")
        values = parameter_values(e, model.parameters, parameters)
        driven = unwritten_inputs(e, {**dict.fromkeys(unwritten_names(e), 0.0), **named})
        held = {**e.layout.held, **engaged_at_start(e, engaged), **seeded(e, options.seed)}
        built = build(e, values, driven, events, self._options.exact, held, True, self._options.dae)
        # limits are not watched: a warning in each frame helps nobody; inputs are changed in place
        unlimited = replace(built.system.mechanics, limits=Limits())
        self.compiled = built.with_system(replace(built.system, mechanics=unlimited))
        self.title, self.bodies = model.name, [element.name for element in built.about.elements]
        self._index = {n: k for k, n in enumerate((*e.layout.user_inputs, *e.layout.held))}
        self._force, self._at, self._shares = ([self._index[n] for n in part] for part in pull)
        programs = run_programs(e, driven)
        self._program, self._switching = programs.live(), Deferred(programs.switching)
        self._options = self._options.for_run(np.zeros(1), built.about)
        self._assembler, self._grip, self._pulled = Assembler(e, 1000, branches=False), None, None
        self._starting_held = self.compiled.held
        self._given = given_states(built.about, **initial)
        self._initial = initial_state(built.about, default_state(e), **initial)
        warn_of_degrees(e, built.about, initial.get("q"))
        self._base = base_state(built.about, default_state(e), **initial)
        self._bind()
        self.reset()
        check_callbacks(self.compiled, self.t, self.x, self.t + 1.0)
        limits = self._ranges(ranges, [*own, *values])
        moving = [(n, *companions(n)) for n in model.driving if isinstance(driven[n], Real)]
        self._moving = {n: [self._index[one] for one in names] for names in moving for n in names[:3]}
        starts = {names[-1] for names in moving}
        self.inputs = [self._input(n, limits) for n in own if isinstance(driven.get(n), Real) and n not in starts]
        self.parameters = [self._parameter(n, values[n], limits) for n in values]
        movable = list(self._movable())
        self.coordinates, self._coordinates = [one for one, _ in movable], {one.name: k for one, k in movable}

    # State

    _grip: Grip | None
    _pulled: PullForce | None
    _before: Array | None = None
    """The conditions of events before inputs were set, if they were since the last frame."""

    def _bind(self) -> None:
        """Functions of the present compiled system; those of another one hold its parameters and inputs."""
        compiled = self.compiled
        self._now, self._rates = compiled.raw_call(self._program), compiled.raw_call(compiled.system.rates.value)
        self._shown: tuple[float, bytes, Array] | None = None

    @property
    def _row(self) -> Array:
        return self.compiled.p

    @property
    def _state(self) -> DisplayState:
        return DisplayState(self.e, self.compiled.parameters, self.x, self.compiled.d)

    def reset(self) -> None:
        self.compiled.d[self.compiled.system.held_places] = self._starting_held
        self._place(0.0, self._initial, self._given, self._base, bend=False, capture=True)

    def _place(
        self, t: float, x: Array, held: set[int], base: Array | None = None, *, bend: bool, capture: bool = False
    ) -> None:
        """Move to a state, made consistent with the constraints. Held coordinates move there from ``base``."""
        keep = () if capture else tuple(self.engaged)
        now = self.compiled.mechanics.inputs_at(t)
        self.x, inputs = self._assembler.state(x, held, self._row, t, now, keep, bend, base)[:2]
        self.compiled.d[:] = self.compiled.mechanics.numbers_of(inputs, self.compiled.d)
        self.t, self._shown, self._before, self._stiffness = t, None, None, KnownStiffness()

    def advance(self, duration: float) -> str:
        end, grip = self.t + duration, self._grip
        if self.t == 0.0 and (refused := self._refusal(end)):
            return refused
        parts = 1 if grip is None else max(1, ceil(duration / HELD - 1e-9))
        inertia = None if grip is None else self._felt_inertia(grip)
        for time in np.linspace(self.t, end, parts + 1)[1:]:
            if grip is not None and inertia is not None:
                try:
                    self._apply(grip, inertia)
                except ArgumentError as error:
                    return str(error)
            message = self._run(float(time))
            if message:
                return message
        return ""

    def _refusal(self, end: float) -> str:
        """Why no motion begins at the present state, "" if one does: a mass matrix that is singular."""
        case = Cases(self.x[None, :], self._row, self.compiled.d)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SimulationWarning)
            return str(check_mass_matrices(self.e, self.compiled, case, np.array([self.t, end]), self._options)[0])

    def _run(self, end: float) -> str:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SimulationWarning)  # the message of the run has it
            times = np.array([self.t, end])
            try:
                options, goes_on, before = self._options, self.t > 0, self._before
                run = run_system(
                    self.compiled,
                    self.x,
                    times,
                    options,
                    RunResult,
                    continues=goes_on,
                    before=before,
                    carried=self._stiffness,
                )
            except FunctionError as error:  # shown in the page
                return str(error)
        if run.status == -2:  # Ctrl-C
            raise KeyboardInterrupt
        x, self._before = run.x[-1], None
        if run.status < 0 or not np.all(np.isfinite(x)):
            return run.message
        self.t, self.x, self._shown = float(run.t[-1]), x.copy(), None
        if run.held_rows is not None:
            self.compiled.d[self.compiled.system.held_places] = run.held_rows[-1]
        return run.message if run.status else ""

    # What is shown

    def _values(self) -> Array:
        """The program of the live view at the present state."""
        state = self.x.tobytes()
        if self._shown is None or self._shown[:2] != (self.t, state):
            self._shown = self.t, state, self._now(self.t, self.x)
        return self._shown[2]

    def _body(self, k: int) -> tuple[Array, Array]:
        """R and p of a body."""
        row = self._values()[BODY * k : BODY * (k + 1)]
        return row[:9].reshape(3, 3), row[9:12]

    def poses(self) -> tuple[Array, Array]:
        rows = self._values()[:-2].reshape(-1, BODY)
        return rows[:, 9:12].copy(), quaternions(rows[:, :9].reshape(-1, 3, 3))

    def energies(self) -> tuple[float, float]:
        kinetic, potential = self._values()[-2:].tolist()
        return kinetic, potential

    def value(self, key: str) -> float:
        if key in self.compiled.about.state:
            return float(self.x[self.compiled.about.state.index(key)])
        return float(self.compiled.d[self._index[key]]) if key in self.compiled.system.held.columns else np.nan

    @property
    def engaged(self) -> Mapping[str, bool]:
        return {
            ENGAGED.strip(n): bool(self.compiled.d[self._index[n]])
            for n in self.compiled.system.held.columns
            if ENGAGED.holds(n)
        }

    # What a user changes

    def set_input(self, name: str, value: float) -> None:
        require_names([i.name for i in self.inputs], {name: value}, "input", f"system '{self.title}'")
        new = number(value, f"input '{name}'")
        if self._before is None and self.compiled.system.conditions is not None:
            self._before = self.compiled.conditions()(self.t, self.x)
        if name in self._moving:
            hold_motion(self.compiled.d, self._moving[name], self.t)
        self.compiled.d[self._index[name]] = new

    def set_parameter(self, name: str, value: float) -> None:
        values = parameter_values(self.e, self.compiled.parameters, {name: value})
        before, state, row = self.compiled, self.x, np.array([*values.values()])
        check_bodies(before, row, self.e.tree.model.parameters)
        self.compiled = before.with_values(row, before.d)
        try:
            self._place(self.t, self.x, set(), bend=True)
            self._require_motion()
        except ArgumentError:
            self.compiled, self.x, self._shown = before, state, None
            raise
        self._bind()

    def _require_motion(self) -> None:
        if refused := self._refusal(self.t + 1):
            raise ArgumentError(refused)

    def set_coordinate(self, name: str, value: float) -> None:
        require_names(list(self._coordinates), {name: value}, "coordinate", f"system '{self.title}'")
        angle, first = number(value, f"coordinate '{name}'"), self._coordinates[name]
        x, held, part = self.x.copy(), {first}, name.rpartition(".")[2]
        x[self.compiled.system.speeds] = 0.0
        if first in self.compiled.about.quaternions and part in ANGLES:
            angles = angles_of(x[first : first + 4])
            angles[ANGLES.index(part)] = angle
            x[first : first + 4], held = quaternion_of(angles), set(range(first, first + 4))
        else:
            x[first] = angle
        self._place(self.t, x, held, self.x, bend=False)

    def coordinate(self, name: str) -> float:
        first, part = self._coordinates[name], name.rpartition(".")[2]
        if first in self.compiled.about.quaternions and part in ANGLES:
            return float(angles_of(self.x[first : first + 4])[ANGLES.index(part)])
        return float(self.x[first])

    def engage(self, constraint: str, engaged: bool) -> None:
        require_names(
            list(self.engaged), {constraint: engaged}, "constraint that can be switched", f"system '{self.title}'"
        )
        names = (constraint,)
        update = Engage(
            names if engaged else (), () if engaged else names, self._switching, self.compiled.system.mechanics
        )
        change = self.compiled.apply(update, self.t, self.x)
        self.x, self.compiled.d[:], self._shown = change.x.copy(), change.d, None

    # Pulling

    def pull(self, body: int, point: Array, target: Array, frequency: float) -> None:
        at, to = (numbers(place, "a point of a pull") for place in (point, target))
        right = (at.shape, to.shape) == ((3,), (3,)) and 0 <= body < len(self.bodies) and 0 < frequency < np.inf
        if not right:
            raise ArgumentError(
                "a pull needs the index of a body, a point and a target of three numbers each, and a positive frequency"
            )
        self._grip = Grip(body, at, to, 2 * pi * frequency)
        self._apply(self._grip, self._felt_inertia(self._grip))

    def release(self) -> None:
        self._grip = self._pulled = None
        self.compiled.d[[*self._force, *self._at, *self._shares]] = 0.0

    @property
    def pulling(self) -> PullForce | None:
        if self._grip is None or self._pulled is None:
            return None
        R, p = self._body(self._grip.body)
        return PullForce(self._pulled.force, p + R @ self._grip.point)

    def set_force(self, body: int, point: ArrayLike, force: ArrayLike) -> None:
        """A force along the ground's axes on a point of a body, which is given along the body's axes."""
        inputs = self.compiled.d
        inputs[self._force], inputs[self._at], inputs[self._shares] = force, point, 0.0
        inputs[self._shares[body]] = 1.0

    def _apply(self, grip: Grip, inertia: Array) -> None:
        """Set the force of a pull at the present state: m (ω² d − 2 ω v), with d from the point to the target and m the
        inertia that is felt at the point."""
        R, p = self._body(grip.body)
        point, w = p + R @ grip.point, grip.frequency
        with np.errstate(all="ignore"):
            force = inertia @ (w**2 * (grip.target - point) - 2 * w * point_velocity(self._values(), grip))
        if not np.all(np.isfinite(force)):
            self.release()
            raise ArgumentError("the force of a pull is too large: drag it less far")
        self.set_force(grip.body, grip.point, force)
        self._pulled = PullForce(force, point)

    def _felt_inertia(self, grip: Grip) -> Array:
        """The matrix m such that a force m a on the point gives it the acceleration a, in directions in which it can
        move. In others, and where it would be larger, it is the mass of the whole system."""
        heaviest = sum(element.mass for element in self.compiled.about.elements) or 1.0
        mobility, n, state = np.empty((3, 3)), self.compiled.system.speeds, self.x.copy()

        def accelerations(force: Array) -> Array:
            self.set_force(grip.body, grip.point, force)
            return self._rates(self.t, self.x)[n]

        def velocity(u: Array | float) -> Array:
            state[n] = u
            return point_velocity(self._now(self.t, state), grip)

        free, still = accelerations(np.zeros(3)), velocity(0.0)
        for k, force in enumerate(heaviest * np.eye(3)):
            mobility[:, k] = (velocity(accelerations(force) - free) - still) / heaviest
        if not np.all(np.isfinite(mobility)):
            return heaviest * np.eye(3)
        values, axes = np.linalg.eigh((mobility + mobility.T) / 2)
        return np.asarray((axes / np.maximum(values, 1 / heaviest)) @ axes.T)

    # Ranges of sliders

    def _ranges(self, ranges: Any, names: list[str]) -> dict[str, tuple[float, float]]:
        limits, context = by_name(ranges, "ranges", "{'motor': (-5, 5)}"), f"system '{self.title}'"
        require_names(names, limits, "input or parameter", context)
        pairs = dict[str, tuple[float, float]]()
        for name, pair in limits.items():
            row = numbers(pair, f"ranges: '{name}'")
            if row.shape != (2,) or not row[0] < row[1]:
                raise ArgumentError(f"ranges: '{name}' needs two numbers, the lower one first, not {pair!r}")
            pairs[name] = float(row[0]), float(row[1])
        return pairs

    def _input(self, name: str, ranges: Mapping[str, tuple[float, float]]) -> Adjustable:
        """By default, an input may accelerate the speed that it affects most by FASTEST."""
        symbol, k = self.e.graph.symbol_named(name), self._index[name]
        initial = float(self.compiled.d[k])
        if name not in ranges:
            effect = -self._rates(self.t, self.x)
            self.compiled.d[k] = initial + 1.0
            effect += self._rates(self.t, self.x)
            self.compiled.d[k] = initial
            units = {v.key: v.unit for v in self.compiled.about.variables}
            angular = np.array([units.get(key, "") != "m/s" for key in self.compiled.about.state])
            largest = np.max(np.abs(effect) * np.where(angular, self._state.size, 1.0), initial=0.0)
            most = round_up(FASTEST / largest if np.isfinite(largest) and largest > 0 else 10.0)
            most = max(most, round_up(2 * abs(initial)))
            ranges = {name: (-most, most)}
        low, high = ranges[name]
        return Adjustable(name, symbol.unit, min(low, initial), max(high, initial), initial, symbol.description)

    def _parameter(self, name: str, value: float, ranges: Mapping[str, tuple[float, float]]) -> Adjustable:
        """By default, from a tenth of the value to three times the value."""
        handle = self.e.graph.named(name)
        symbol = None if handle is None else self.e.graph.symbol_named(name)
        low, high = ranges.get(name) or sorted((0.1 * value, 3 * value) if value else (-1.0, 1.0))
        about = ("", "") if symbol is None else (symbol.unit, symbol.description)
        return Adjustable(name, about[0], min(low, value), max(high, value), value, about[1])

    def _movable(self) -> Iterator[tuple[Adjustable, int]]:
        """The coordinates that a user may set, with their index in x. Quaternions are three angles."""
        for k, one in enumerate(movable_coordinates(self._state)):
            if one.quaternion:
                angles = angles_of(self.x[k : k + 4])
                for angle, part in zip(angles.tolist(), ANGLES, strict=True):
                    yield Adjustable(f"{one.body}.{part}", "rad", -pi, pi, angle), k
            elif not any(j < k < j + 4 for j in self.compiled.about.quaternions):
                yield Adjustable(one.name, one.unit, one.low, one.high, one.initial), k


def point_velocity(values: Array, grip: Grip) -> Array:
    """v + ω × r of the point of a pull, from the program of the live view."""
    row = values[BODY * grip.body : BODY * (grip.body + 1)]
    (x, y, z), (a, b, c) = row[:9].reshape(3, 3) @ grip.point, row[12:15]
    return np.asarray(row[15:18] + np.array((b * z - c * y, c * x - a * z, a * y - b * x)))


def round_up(value: float) -> float:
    """The next of 1, 2, 5, 10, 20, … (and of 0.5, 0.2, …)."""
    if not value > 0:
        return 1.0
    power = 10.0 ** np.floor(log10(value))
    return float(next(k * power for k in (1.0, 2.0, 5.0, 10.0) if k * power >= value * (1 - 1e-12)))


def angles_of(q: Array) -> Array:
    """Roll, pitch and yaw of a unit quaternion: R = Rz(yaw) Ry(pitch) Rx(roll)."""
    w, x, y, z = q.tolist()
    roll = np.arctan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
    pitch = np.arcsin(np.clip(2 * (w * y - z * x), -1, 1))
    return np.array([roll, pitch, np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))])


def quaternion_of(angles: ArrayLike) -> Array:
    """The unit quaternion of roll, pitch and yaw."""
    (a, b, c), (r, p, y) = np.cos(np.asarray(angles) / 2), np.sin(np.asarray(angles) / 2)
    return np.array([a * b * c + r * p * y, r * b * c - a * p * y, a * p * c + r * b * y, a * b * y - r * p * c])
