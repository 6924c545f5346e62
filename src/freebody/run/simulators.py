"""Many simulations of one system side by side: the same steps, each world with its own state, inputs and parameters."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.errors import ArgumentError, SimulationWarning, warn
from freebody.hybrid.triggers import Calendar
from freebody.hybrid.updates import ProgramUpdate
from freebody.hybrid.variables import Variable
from freebody.integrate.breaks import breaks, breaks_depend_on_unknown, segment
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.integrator import Integrator
from freebody.integrate.lane_stepper import LaneStepper
from freebody.integrate.manifold import normalised
from freebody.integrate.steppers import stepper
from freebody.names import Q
from freebody.program.program import Program
from freebody.results.about import About
from freebody.results.trajectory import RunResult, UnknownNameError
from freebody.results.work import is_integral
from freebody.run.arguments import by_name, number, numbers, shorten
from freebody.run.arguments import names as listed
from freebody.run.cases import why_samples_run_singly
from freebody.run.current_values import rows_reader
from freebody.run.held_names import SEED_COLUMN
from freebody.run.initial import InitialValues, given_states, normalise, states_named
from freebody.run.inputs import hold_motion
from freebody.run.options import LONGEST
from freebody.run.rate_jumps import RateJumps
from freebody.run.sampled_rules import seed_place, whole_seed
from freebody.run.simulator import NEAR_SAMPLE, SAME_TIME, STEPS
from freebody.run.simulator_model import SimulatorModel, prefix
from freebody.run.snapshot import Snapshot
from freebody.run.stepped_motion import SteppedMotion

Array = NDArray[np.float64]
Worlds = ArrayLike | slice | None
DIAGNOSED = 20
"""The number of worlds whose failures at one time are diagnosed; it takes some milliseconds each."""


class Simulators:
    """Worlds of a compiled system that move on together, at one time ``t``. Arrays are (worlds, …), in and out.

    What a world does is that of a ``Simulator`` with its values, to the bit."""

    warns_of_failure = True

    def __init__(
        self, compiled: CompiledSystem, x0: Array, d: Array, p: Array, model: SimulatorModel[Any], threads: int
    ) -> None:
        system, about = model.held_inputs(compiled.system, compiled.about)
        self.compiled, self._model, self._threads = compiled.with_system(system, about), model, threads
        self.count, self._free, self._motions = len(x0), model.places(system), model.motions(system)
        self._refuse()
        self._start = x0.copy(), d.copy()
        self._x, self._d, self._p = self._normalised(x0), d.copy(), p
        self._places = {key: k for k, key in enumerate(system.states.columns)}
        self._places |= {Q.strip(key): k for key, k in self._places.items() if Q.holds(key)}
        nothing = {"parameters": np.full(len(compiled.p), np.nan), "inputs": np.full(len(compiled.d), np.nan)}
        self._may_break = any(breaks_depend_on_unknown(p, **nothing) for p in self._breaking)
        self._readers, self._now = dict[str | tuple[str, ...], Callable[[], Any]](), np.zeros(1)
        self._make_stepper()
        self._begin(0.0)

    def _refuse(self) -> None:
        """Refuse what cannot be done side by side."""
        c, o = self.compiled, self._model.options
        who, single = c.about.system, "use single simulators, s.simulator(…)"
        if c.system.crossings:
            name = c.system.crossings[0].name
            raise ArgumentError(
                f"{who}: events ('{name}') are not possible in simulators side by side: leave events out, describe"
                f" contacts with their compliance, s.contact(…), or {single}"
            )
        if not o.in_lanes:
            raise ArgumentError(
                f"{who}: method '{o.method}' is not possible side by side: take 'dop853', or 'rodas5p' for stiff"
                f" systems, or {single}"
            )
        if o.max_steps is not None:
            raise ArgumentError(f"{who}: simulators side by side have no max_steps: leave it out, or {single}")
        if why := why_samples_run_singly(c, o, side_by_side=True):
            raise ArgumentError(f"{who}: not possible side by side: {why}, or {single}")

    def _normalised(self, x: Array) -> Array:
        """States as a single simulator begins with them."""
        quaternions = self.compiled.system.quaternions
        return np.array([normalised(row, quaternions) for row in x]) if quaternions else np.array(x)

    def _make_stepper(self) -> None:
        c, o = self.compiled, self._model.options
        system, rates, project = c.system, c.system.rates.value, c.system.project.value
        part = c.part(rates, self._d)
        self._inputs = self._d if part.shape == self._d.shape else np.ascontiguousarray(part)
        self._unconverged = 0
        self._lanes = LaneStepper(
            o.first_method,
            c.free(rates, "llvm"),
            self._x,
            parameters=self._p,
            inputs=self._inputs,
            rtol=o.rtol,
            atol=o.atol,
            step=o.step,
            first_step=o.first_step,
            max_step=o.max_step,
            quaternions=system.quaternions,
            manifold=c.free(project, "llvm") if project and system.projects else None,
            speeds=system.speeds,
            consistent=system.consistent,
            threads=self._threads,
            stages=c.lane_stages(o.staged) if o.staged else None,
            stiff=c.stiff_lanes(o.stabilises) if o.adaptive else None,
        )

    def _begin(self, t: float) -> None:
        self._t, self._begun = t, t > 0
        self._calendar = Calendar([rule.trigger for rule in self.compiled.system.timed], t)
        if t > 0 and self._calendar.next == t:
            self._calendar.take()
        self.messages: dict[int, str] = {}
        """Why worlds cannot go on, by their index. Their states are NaN until they are reset."""
        self._find_breaks()

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"<Simulators of {self.compiled.about.system}: {self.count} worlds at t = {self._t:g} s>"

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(
            "simulators have machine code and cannot be copied or pickled: pickle what sims.save() returns, and restore"
            " it in others of the same system"
        )

    # Now

    @property
    def t(self) -> float:
        """The time of all worlds in s."""
        return self._t

    @property
    def q(self) -> Array:
        """The coordinates (worlds, coordinates), a copy."""
        return self._x[:, : self.compiled.system.coordinates].copy()

    @property
    def u(self) -> Array:
        """The speeds (worlds, speeds), a copy."""
        n = self.compiled.system.coordinates
        return self._x[:, n : n + len(self.compiled.system.speeds)].copy()

    @property
    def x(self) -> Array:
        """The states [q, u, z] (worlds, states), a copy."""
        return self._x.copy()

    @property
    def settable(self) -> tuple[str, ...]:
        """The names of the inputs that can be set; the others follow laws."""
        return tuple(self._free)

    @property
    def random(self) -> bool:
        """Whether something draws random numbers."""
        return SEED_COLUMN in self.compiled.system.row.index

    @property
    def unconverged(self) -> int:
        """With method "contact": how many steps of all worlds have not converged so far."""
        return self._lanes.unconverged

    # Moving on

    def step(self, dt: float) -> None:
        """Move all worlds on by so many seconds."""
        self.run_until(self._t + number(dt, "dt"))

    def run_until(self, t: float) -> None:
        """Move all worlds on to a time, through all samples on the way. A world that cannot go on has the states NaN
        and its reason in ``messages``; the others go on."""
        goal = number(t, "t")
        if abs(goal) > LONGEST:
            raise ArgumentError(f"the time {goal:g} s is too far away: give at most {LONGEST:g} s")
        if abs(goal - self._t) <= SAME_TIME * max(1.0, abs(goal)):
            return
        if goal < self._t:
            raise ArgumentError(f"the simulators are at t = {self._t:g} s and move forward only; restore a snapshot")
        if abs(goal - self._calendar.next) <= NEAR_SAMPLE * max(1.0, abs(goal)):
            goal = self._calendar.next
        if self._changed:
            self._find_breaks()
        points = self._points(goal)
        self._sample()
        self._begun = True
        while self._t < goal:
            low, high, ahead = segment(points, self._t, 1.0) if points else (-np.inf, np.inf, np.inf)
            end = min(goal, ahead, self._calendar.next)
            self._advance(end, low, high)
            self._sample()

    def _points(self, goal: float) -> tuple[float, ...]:
        """The times at which steps end before a goal."""
        timed = self.compiled.mechanics.programs.timed.value
        if timed is None or not timed.may_jump:
            return self._breaks
        same = np.all(self._d == self._d[:1]) and np.all(np.atleast_2d(self._p) == np.atleast_2d(self._p)[:1])
        jumps = [RateJumps(self._of(k), self._t, goal, self._begun) for k in range(1 if same else self.count)]
        if (when := next((t for j in jumps for t in j.times), None)) is not None:
            raise ArgumentError(
                f"{self.compiled.about.system}: the rate of a prescribed motion jumps at t = {when:g} s, which"
                " is not possible side by side: use single simulators, s.simulator(…)"
            )
        inside = () if self._model.options.step else self._breaks
        return tuple(sorted({*inside, *(t for j in jumps for t in j.points)}))

    @property
    def _breaking(self) -> list[Program]:
        """The programs whose break points end steps; steps of one size stay on their grid."""
        programs = (self.compiled.system.rates.value, self.compiled.system.project.value)
        return [] if self._model.options.step else [p for p in programs if p is not None]

    def _find_breaks(self) -> None:
        """The break points of laws in t, which must be the same in all worlds."""
        self._changed = False
        programs, known = self._breaking, {"parameters": _same(self._p), "inputs": _same(self._inputs)}
        for program in programs:
            if breaks_depend_on_unknown(program, **known):
                raise ArgumentError(
                    f"{self.compiled.about.system}: a law in t jumps or bends at times that differ between the worlds,"
                    " which is not possible side by side: give what it depends on the same value in all worlds, or use"
                    " single simulators, s.simulator(…)"
                )
        self._breaks = tuple(sorted({t for program in programs for t in breaks(program, None, **known)}))

    def _advance(self, end: float, low: float, high: float) -> None:
        """Move on to a time without samples on the way. Worlds that fail side by side are tried by themselves."""
        if self._inputs is not self._d:
            self._inputs[:] = self.compiled.part(self.compiled.system.rates.value, self._d)
        status, failed_before = self._lanes.advance(self._t, end, low, high), self._unconverged
        self._unconverged = self._lanes.unconverged
        if self._unconverged and not failed_before and self.warns_of_failure:
            warn(
                f"{self.compiled.about.system}: {self._unconverged} steps with contact did not converge before"
                f" t = {end:g} s: their impulses are off by up to {100 * self._lanes.mismatch:.2g} % of the largest."
                " Take a shorter step, or a softer material",
                SimulationWarning,
            )
        if status.any():
            before, sizes = self._lanes.before
            stiffness = self._lanes.stiffness_before
            failed = [k for k in np.flatnonzero(status).tolist() if k not in self.messages]
            for count, k in enumerate(failed):
                self._run_alone(k, before[k], float(sizes[k]), stiffness[k], end, count < DIAGNOSED)
            lost = [k for k in failed if k in self.messages]
            if lost and self.warns_of_failure:
                warn(
                    f"{self.compiled.about.system}: {len(lost)} of {self.count} worlds cannot go on; the first, world"
                    f" {lost[0]}: {self.messages[lost[0]]}. Reset them, sims.reset(worlds=[{lost[0]}, …])",
                    SimulationWarning,
                )
        self._t = end

    def _run_alone(self, k: int, x: Array, size: float, stiffness: Array, end: float, diagnose: bool) -> None:
        """Move one world on as a single simulator does; where that is impossible, note the reason."""
        if not diagnose:
            self._x[k], self.messages[k] = np.nan, "it failed with many others"
            return
        one = self._of(k)
        single = stepper(one, self._model.options, self._t, x)
        assert isinstance(single, Integrator)
        single.resume(x, size)
        if self._model.options.adaptive:
            single.stiffness = stiffness
        motion = SteppedMotion(one, single, self._model.options, 1.0, True)
        motion.instants.warns_of_failure = False
        motion.aim(end, True)
        going = True
        while going and np.isfinite(x).all():
            going = motion.advance(STEPS)
        if motion.instants.status or not np.isfinite(x).all():
            self._x[k] = np.nan
            self.messages[k] = motion.instants.message if motion.instants.status else "its state is not finite"
        else:
            self._x[k], self._lanes.h[k] = single.x, single.planned
            if self._model.options.adaptive:
                self._lanes.remember(np.array([k]), single.stiffness[None, :])

    def _of(self, k: int) -> CompiledSystem:
        """The system with the values of one world."""
        return self.compiled.with_values(self._p[k] if self._p.ndim == 2 else self._p, self._d[k])

    def _sample(self) -> None:
        """Apply the timed rules that are due to all worlds."""
        if self._calendar.next != self._t:
            return
        timed = self.compiled.system.timed
        for index in self._calendar.take():
            for update in timed[index].updates:
                assert isinstance(update, ProgramUpdate)
                update.write(np.asarray(self._rows(update.program)), self._x, self._d)

    def _rows(self, program: Program) -> Any:
        """A program at the present states of all worlds."""
        self._now[0] = self._t
        return rows_reader(self.compiled, program, self._now, self._x, self._d, self._p)()

    # Setting

    def set(
        self,
        *,
        worlds: Worlds = None,
        inputs: Any = None,
        parameters: Mapping[str, ArrayLike] | None = None,
        q: InitialValues = None,
        u: InitialValues = None,
        z: InitialValues = None,
    ) -> None:
        """Set inputs, values of parameters and states of all worlds, or of those whose indices (or a mask) are given.

        A value is one for all of them, or an array with one for each. ``inputs`` may be an array (worlds, inputs)."""
        chosen = self._chosen(worlds)
        if inputs is not None:
            self._set_inputs(chosen, inputs)
        if parameters is not None:
            self._set_parameters(chosen, parameters)
            for k in chosen.tolist() if self._model.constrained else ():
                self._x[k] = self._model.moved(self._of(k), self._t, self._x[k], self._x[k], set())
        if q is not None or u is not None or z is not None:
            groups: dict[str, Any] = {"q": q, "u": u, "z": z}
            states = rows_of_states(self.compiled, self._x[chosen], groups)
            given = given_states(self.compiled.about, **groups)
            for k, world in enumerate(chosen.tolist() if self._model.constrained else ()):
                states[k] = self._model.moved(self._of(world), self._t, states[k], self._x[world], given)
            self._x[chosen] = self._normalised(states)
            self._forgive(chosen)

    def _chosen(self, worlds: Worlds) -> NDArray[np.intp]:
        """The indices of worlds."""
        if worlds is None:
            return np.arange(self.count)
        if isinstance(worlds, slice):
            return np.arange(self.count)[worlds]
        try:
            chosen = np.asarray(worlds)
        except (TypeError, ValueError):
            chosen = np.empty(0)
        if chosen.dtype == bool and chosen.shape == (self.count,):
            return np.flatnonzero(chosen)
        if isinstance(worlds, list | tuple) and not worlds:
            return np.empty(0, np.intp)
        whole = np.issubdtype(chosen.dtype, np.integer) and chosen.ndim < 2
        if not whole or np.any((chosen < 0) | (chosen >= self.count)):
            raise ArgumentError(
                f"worlds={shorten(worlds)}: give indices from 0 to {self.count - 1}, or a mask of {self.count} True and"
                " False"
            )
        chosen = np.atleast_1d(chosen)
        if len(chosen) > 1 and len(np.unique(chosen)) < len(chosen):
            raise ArgumentError(f"worlds={shorten(worlds)}: give each world once")
        return chosen

    def _forgive(self, chosen: NDArray[np.intp]) -> None:
        """Worlds with new states can go on."""
        if self.messages:
            for k in chosen.tolist():
                if self.messages.pop(k, None) is not None:
                    self._lanes.h[k] = self._model.options.first_step or 0.0

    def _set_inputs(self, chosen: NDArray[np.intp], inputs: Any) -> None:
        about, whole = self.compiled.about, len(chosen) == self.count
        if isinstance(inputs, Mapping):
            columns = {}
            for name, value in inputs.items():
                if name not in self._free:
                    raise self._model.unknown_input(about, name)
                columns[self._free[name]] = per_world(value, len(chosen), f"input '{name}'")
            self._hold(chosen, [name for name in inputs if name in self._motions])
            for place, column in columns.items():
                self._d[slice(None) if whole else chosen, place] = column
        else:
            rows = numbers(inputs, f"inputs of {about.system}")
            places = list(self._free.values())
            if rows.shape not in ((len(places),), (len(chosen), len(places))):
                raise self._model.wrong_row(about, rows.shape, (len(chosen), len(places)))
            self._hold(chosen, self._motions)
            columns = prefix(places)
            if whole or isinstance(columns, slice):
                self._d[slice(None) if whole else chosen, columns] = rows
            else:
                self._d[np.ix_(chosen, columns)] = rows
        self._changed = self._changed or self._may_break

    def _hold(self, chosen: NDArray[np.intp], names: Iterable[str]) -> None:
        """Let the motions of inputs with rates hold from now on, in worlds in which parts of them are set."""
        rows = {tuple(self._motions[name]) for name in names}
        if rows:
            d = self._d[chosen]
            for row in rows:
                hold_motion(d, row, self._t)
            self._d[chosen] = d

    def _set_parameters(self, chosen: NDArray[np.intp], values: Mapping[str, ArrayLike]) -> None:
        names, several = list(self.compiled.parameters), self._p.ndim == 2
        values = by_name(values, "parameters", "{'m': 1.0}")
        p = np.array(np.broadcast_to(self._p, (self.count, len(names))))
        for name, value in values.items():
            if name not in names:
                self._model.with_parameters(self.compiled, {name: 0.0})  # raises, with the names
            p[chosen, names.index(name)] = per_world(value, len(chosen), f"parameter '{name}'")
        self._model.check_parameters(self.compiled, p[chosen])
        if several:
            self._p[:] = p
            self._lanes.renew(chosen)
        else:
            self._p = p
            self._lanes.set_parameters(p)
        self._readers.clear()
        self._changed = self._changed or self._may_break

    def reset(
        self,
        worlds: Worlds = None,
        *,
        parameters: Mapping[str, ArrayLike] | None = None,
        q: InitialValues = None,
        u: InitialValues = None,
        z: InitialValues = None,
        seed: int | ArrayLike | None = None,
    ) -> None:
        """Set worlds back to their start, with other initial values where some are given, and the inputs of the start.
        All worlds begin at t = 0; those that are chosen begin at the present time, which all have. Parameters that were
        set stay, and others may be set; ``seed`` is another one of random numbers, of each world or of all."""
        chosen, groups = self._chosen(worlds), {"q": q, "u": u, "z": z}
        if parameters is not None:
            self._set_parameters(chosen, parameters)
        states = rows_of_states(self.compiled, self._start[0][chosen], groups)
        given, t = given_states(self.compiled.about, **groups), 0.0 if worlds is None else self._t
        self._d[chosen] = self._start[1][chosen]
        for place in {row[-1] for row in self._motions.values()}:  # what the inputs of the start hold from
            self._d[chosen, place] += t
        if seed is not None:
            seeds = [whole_seed(one) for one in per_world(seed, len(chosen), "seed").reshape(-1).tolist()]
            self._d[chosen, seed_place(self.compiled)] = seeds if len(seeds) > 1 else seeds[0]
        for k, world in enumerate(chosen.tolist() if self._model.constrained else ()):
            base = self._start[0][world]
            states[k], self._d[world] = self._model.start(self._of(world), t, states[k], base, given)
        self._x[chosen] = self._normalised(states)
        self._lanes.h[chosen] = self._model.options.first_step or 0.0
        self._lanes.remember(chosen)
        self._forgive(chosen)
        if worlds is None:
            self._begin(0.0)
        self._changed = self._changed or self._may_break

    # Saving and restoring

    def save(self) -> Snapshot:
        """The present of all worlds, for ``restore``, to the bit."""
        described = self.compiled.about.inputs
        return Snapshot(
            self.compiled.about.digest,
            (),
            {name: described[name] for name in self._model.laws},
            self._t,
            self._x.tobytes(),
            self._d.tobytes(),
            dict(self.compiled.parameters),
            self._lanes.h.tobytes(),
            worlds=np.array(np.broadcast_to(self._p, (self.count, self._p.shape[-1]))).tobytes(),
            stiffness=self._lanes.stiffness.tobytes(),
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to what was saved, also by other simulators of the same system and number of worlds."""
        who = self.compiled.about.system
        if not isinstance(snapshot, Snapshot):
            raise ArgumentError(f"{who}: restore takes what sims.save() returned, not {shorten(snapshot)}")
        if snapshot.worlds is None or len(snapshot.size) != self._lanes.h.nbytes:
            raise ArgumentError(f"{who}: the snapshot is not of {self.count} worlds side by side")
        laws = {name: self.compiled.about.inputs[name] for name in self._model.laws}
        same = (snapshot.digest, len(snapshot.x), len(snapshot.d), dict(snapshot.laws))
        if same != (self.compiled.about.digest, self._x.nbytes, self._d.nbytes, laws):
            raise ArgumentError(f"{who}: the snapshot was taken from another system, or with other laws of its inputs")
        self._x[:] = np.frombuffer(snapshot.x).reshape(self._x.shape)
        self._d[:] = np.frombuffer(snapshot.d).reshape(self._d.shape)
        self._lanes.h[:] = np.frombuffer(snapshot.size)
        known = None if snapshot.stiffness is None else np.frombuffer(snapshot.stiffness).reshape(self.count, -1)
        self._lanes.remember(np.arange(self.count), known if self._model.options.adaptive else None)
        p = np.frombuffer(snapshot.worlds).reshape(self.count, -1)
        if not np.array_equal(p, np.broadcast_to(self._p, p.shape)):
            self._p = p.copy()
            self._lanes.set_parameters(self._p)
            self._readers.clear()
        self._begin(snapshot.t)
        for k in np.flatnonzero(np.isnan(self._x).any(axis=1)).tolist():
            self.messages[k] = "it could not go on when it was saved"

    # Reading

    def __getitem__(self, name: str) -> Array:
        """A coordinate, a speed, an input, an output or anything else that a run records, now, in each world."""
        k = self._places.get(name)
        if k is not None:
            return self._x[:, k].copy()
        known = self._readers.get(name)
        if known is None:
            key, row = self._key(name), self.compiled.system.row.index
            if key in row and key not in self._model.computed:
                return self._d[:, row[key]].copy()
            parts = self._variables[key].parts
            read, shape = self._reader((key,)), (self.count, *([len(parts)] if parts else []))
            known = self._readers[name] = lambda: read().reshape(shape)
        self._now[0] = self._t
        return np.asarray(known())

    def reader(self, names: Sequence[str]) -> Callable[[], Array]:
        """A function without arguments that returns the present values of recorded variables (``"tip"``) and of texts
        (``"cos(q.pole)"``), a row for each world. It is compiled once."""
        key = tuple(self._key(n) if self._known(n) else n for n in listed(names, "what a reader reads"))

        def read() -> Array:
            known = self._readers.get(key)
            if known is None:
                known = self._readers[key] = self._reader(key)
            self._now[0] = self._t
            rows: Array = known()
            return rows

        read()  # raises where a name is wrong
        return read

    def _reader(self, names: tuple[str, ...]) -> Callable[[], Any]:
        return rows_reader(self.compiled, self._program(names), self._now, self._x, self._d, self._p)

    def _program(self, names: tuple[str, ...]) -> Program:
        program = self._model.program(names)
        if program is None:
            raise UnknownNameError(f"{self.compiled.about.system} records nothing but its states")
        return program

    @property
    def _variables(self) -> dict[str, Variable]:
        return {v.key: v for v in self.compiled.about.variables}

    def _known(self, name: str) -> str | None:
        """The full name of a variable; None where there is none."""
        run = RunResult(self.compiled.about, np.zeros(0), np.zeros((0, self._x.shape[1])))
        return run.key(name) if name in run else None

    def _key(self, name: str) -> str:
        run = RunResult(self.compiled.about, np.zeros(0), np.zeros((0, self._x.shape[1])))
        key = run.key(name)
        if is_integral(run.variables[key]):
            raise ArgumentError(f"'{name}' is integrated along a motion, which simulators side by side do not record")
        return key

    __iter__ = None
    """Simulators have no items to iterate over."""

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self._places or self._known(name) is not None)


def _same(rows: Array) -> Array:
    """Values that are the same in all worlds; NaN for the others."""
    several = np.atleast_2d(rows)
    return np.where(np.all(several == several[:1], axis=0), several[0], np.nan) if len(several) else several


def per_world(value: Any, count: int, context: str) -> Array:
    """One number for all of so many worlds, or one for each."""
    row = numbers(value, context)
    if row.shape not in ((), (count,)):
        raise ArgumentError(
            f"{context}: give one number, or one for each of {count} worlds, not an array of {row.shape}"
        )
    return row


def rows_of_states(compiled: CompiledSystem, base: Array, groups: Mapping[str, Any]) -> Array:
    """States of worlds: those of ``base`` with the values for q, u and z. Each value is for all worlds, or has a row
    for each."""
    about, x, count = compiled.about, base.copy(), len(base)
    for group, values in groups.items():
        if values is None:
            continue
        if isinstance(values, Mapping):
            for name, value in values.items():
                row = numbers(value, f"initial {group} '{name}'")
                found = states_named(about, group, str(name), row.ndim == 0)
                x[:, found] = _fit(row, count, len(found), f"{about.system}: {group} of '{name}'")
        else:
            places = list(about.indices[group].values())
            row = numbers(values, f"initial {group} of {about.system}")
            x[:, places] = _fit(row, count, len(places), f"{about.system}: {group}")
    return normalise(about, x)


def values_of_first(about: About, groups: Mapping[str, Any], count: int) -> dict[str, Any]:
    """The initial values of the first of so many worlds, as one simulator takes them."""
    first = dict[str, Any]()
    for group, values in groups.items():
        if not isinstance(values, Mapping):
            row = None if values is None else numbers(values, f"initial {group} of {about.system}")
            first[group] = row if row is None else _first(row, count, len(about.indices[group]), group)
            continue
        first[group] = {}
        for name, value in values.items():
            row = numbers(value, f"initial {group} '{name}'")
            width = len(states_named(about, group, str(name), row.ndim == 0))
            own = _first(row, count, width, f"{about.system}: {group} of '{name}'")
            first[group][name] = own if width > 1 else float(own[0])
    return first


def _first(row: Array, count: int, width: int, context: str) -> Array:
    """The row of the first of so many worlds."""
    rows: Array = np.broadcast_to(_fit(row, count, width, context), (count, width))
    return np.array(rows[0])


def _fit(row: Array, count: int, width: int, context: str) -> Array:
    """Values for so many worlds and states: one row for all, a row for each, or for one state a number for each."""
    if row.shape in ((width,), (count, width)) or (row.ndim == 0 and width == 1):
        return row
    if width == 1 and row.shape == (count,):
        return row[:, None]
    raise ArgumentError(
        f"{context} takes {width} number{'s' * (width > 1)} for all worlds, or an array of shape"
        f" ({count}{f', {width}' * (width > 1)},) with those of each, not one of shape {row.shape}"
    )
