"""A hybrid system with numbers: its programs as compiled functions, and the row d that they read."""

from collections.abc import Callable, Hashable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Unpack, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.backends import Bound, EngineOptions, Function, compile
from freebody.backends.gradual import GradualFunction
from freebody.errors import ArgumentError
from freebody.hybrid.system import HybridSystem, StageSystem, StepSystem
from freebody.hybrid.updates import Change, ProgramUpdate, Update
from freebody.integrate.breaks import breaks, breaks_depend_on_unknown
from freebody.integrate.contact_method import CONTACT
from freebody.integrate.mechanics import MechanicsFunctions, solve_constrained
from freebody.integrate.rosenbrock import RODAS5P
from freebody.program.program import Program
from freebody.progress import Progress
from freebody.results.about import About

if TYPE_CHECKING:
    from freebody.integrate.compiled import StageCode, StageFunctions, StateFunction, StepCode, StepFunctions
    from freebody.integrate.lanes import LaneStages, LaneSteps, StiffLanes
    from freebody.integrate.manifold import Manifold

Array = NDArray[np.float64]
PARTS, LONG = 150, 15_000
"""Operations in one function of a program that runs once a step: as fast as in longer functions, and compiled in less
time; and operations of the program from which on it is compiled without optimisation, in a third of the time. It then
takes 1.3 to 1.5 times as long, a tenth more for a step."""

DERIVED, ENTERED = 0.4, 0.8
"""The parts of the time to derive and compile linear systems of many entries after which these are derived, and their
entries compiled."""


class CompiledSystem:
    """A system with values of its parameters and of d = [inputs, held values], which compiled code reads in place. Each
    function is compiled when it is first needed: those that run often by LLVM, the others by NumPy. Systems that
    differ in numbers share what is compiled. ``about`` describes the system to results.

    Only updates, and those who own a compiled system alone, write to ``d``."""

    def __init__(
        self,
        system: HybridSystem,
        about: About,
        parameters: Mapping[str, float],
        d: ArrayLike,
        like: "CompiledSystem | None" = None,
    ) -> None:
        self.system, self.about, self.parameters = system, about, dict(parameters)
        self.d = np.array(d, float)
        self.p = np.array(list(self.parameters.values()), float)
        self.functions: dict[tuple[int, str, bool], tuple[Program, Function | GradualFunction]]
        self.idle: dict[Hashable, Any]
        """Integrators that wait for the next run."""
        self._calls = dict[int, Callable[..., Array]]()
        self._breaks: tuple[bytes, tuple[float, ...]] | None = None
        self.functions, self.idle = ({}, {}) if like is None else (like.functions, like.idle)

    def __reduce__(self) -> tuple[Any, ...]:
        """Programs and numbers; code is compiled where it arrives."""
        return CompiledSystem, (self.system, self.about, self.parameters, self.d)

    def with_values(self, parameters: ArrayLike, d: ArrayLike) -> "CompiledSystem":
        """The same with other numbers."""
        values = dict(zip(self.parameters, np.asarray(parameters, float).tolist(), strict=True))
        return CompiledSystem(self.system, self.about, values, d, self)

    def with_system(self, system: HybridSystem, about: About | None = None) -> "CompiledSystem":
        """Another system with the same numbers, whose programs are compiled already if they are the same."""
        return CompiledSystem(system, about or self.about, self.parameters, self.d, self)

    def copy(self) -> "CompiledSystem":
        """The same with a row d of its own."""
        return CompiledSystem(self.system, self.about, self.parameters, self.d, self)

    @cached_property
    def scratch(self) -> "CompiledSystem":
        """A copy for updates, which evaluate at other values of d and write them there first."""
        return self.copy()

    def field(self) -> "StateFunction":
        """ẋ as machine code for an integrator."""
        from freebody.integrate.compiled import StateFunction

        return StateFunction(self.rates, self.part(self.rates.program))

    def part(self, program: Program, d: Array | None = None) -> Array:
        """The first part of d, or of rows of it, that a program reads: one that uses no held values behind them need
        not be derived again because they exist."""
        sizes = [group.size for group in program.groups if group.name == "inputs"]
        row = self.d if d is None else d
        return row[..., : sizes[0]] if sizes else row

    @property
    def held(self) -> Array:
        """The held values, a copy."""
        if self.system.held is self.system.row:
            return self.d.copy()
        return self.d[self.system.held_places]

    def rows_with_held(self, held: Array | None) -> Array | None:
        """Rows d with these rows of held values; None without them."""
        if held is None:
            return None
        rows = np.tile(self.d, (len(held), 1))
        rows[:, self.system.held_places] = held
        return rows

    @cached_property
    def mechanics(self) -> MechanicsFunctions:
        return MechanicsFunctions(self)

    # Functions

    def free(
        self, program: Program, backend: str = "numpy", staged: bool = True, **options: Unpack[EngineOptions]
    ) -> Function:
        """The program with the parameters as arguments; ``options`` are always the same for one program."""
        key = id(program), backend, staged
        if key not in self.functions:
            self.functions[key] = program, compile(program, backend, staged, **options)
        return cast(Function, self.functions[key][1])

    def gradual(self, program: Program) -> GradualFunction:
        """The program as a function that is called now and then, with the parameters as arguments."""
        key = id(program), "gradual", False
        if key not in self.functions:
            self.functions[key] = program, GradualFunction(program)
        return cast(GradualFunction, self.functions[key][1])

    def function(self, program: Program, backend: str = "llvm") -> Bound:
        """The program with the parameters bound."""
        return self._bound(self.free(program, backend))

    def _bound(self, f: Function) -> Bound:
        return f.bind(self.parameters) if self.parameters else Bound(f, {})

    def state_function(self, program: Program) -> "StateFunction":
        """The program as machine code for an integrator."""
        from freebody.integrate.compiled import StateFunction

        return StateFunction(self.function(program), self.part(program))

    def _step_code(self, steps: StepSystem) -> "StepCode":
        from freebody.integrate.compiled import StepCode

        iterate, law, end = (self.free(program, "llvm", False) for program in (steps.iterate, steps.law, steps.end))
        return StepCode(iterate, law, end, steps.rows, steps.bounds)

    def _stage_code(self, stages: StageSystem) -> "StageCode":
        from freebody.integrate.compiled import StageCode

        factor, solve = self._once_a_step(stages.factor, False), self.free(stages.solve, "llvm", False)
        backward = None if stages.backward is None else self.free(stages.backward, "llvm", False)
        return StageCode(factor, solve, backward, self.system.coordinates)

    def stage_functions(self, method: str, progress: bool | None = False) -> "StageFunctions | StepFunctions":
        """The linear system of the stages of an implicit method, or steps with contact, as machine code. ``progress``
        shows a bar while systems of many entries are derived and compiled (None: on terminals)."""
        from freebody.integrate.compiled import StepFunctions

        if method == CONTACT.name:
            steps = self.system.contact_steps.value
            return StepFunctions(self.state_function(steps.free), self._step_code(steps))
        with Progress(f"deriving and compiling {method} for {self.about.system}", 1.0, progress) as bar:
            stages = self.system.stages_of(method).value
            bar(DERIVED)
            self._once_a_step(stages.entries)
            bar(ENTERED)
            return self._stage_functions(stages)

    def stiff_functions(self) -> "StageFunctions":
        """The linear system of the stages of rodas5p as machine code."""
        return self._stage_functions(self.system.stages_of(RODAS5P.name).value)

    def _stage_functions(self, stages: StageSystem) -> "StageFunctions":
        from freebody.integrate.compiled import StageFunctions, StateFunction

        solution = None if stages.solution is None else self.state_function(stages.solution)
        entries = StateFunction(self._bound(self._once_a_step(stages.entries)), self.part(stages.entries))
        return StageFunctions(solution, entries, self._stage_code(stages))

    def _once_a_step(self, program: Program, staged: bool = True) -> Function:
        """A program that runs once a step."""
        level = 0 if sum(map(len, program.blocks)) > LONG else 1
        return self.free(program, "llvm", staged, level=level, chunk=PARTS)

    def why_not_stiff(self, stabilises: bool) -> str:
        """Why a run cannot change to a stiff method by itself; empty where it can. ``stabilises``: constraints are."""
        if not stabilises:
            return self.system.too_costly.value or self.system.stages_of(RODAS5P.name).refusal
        return (
            f"{self.about.system}: constraints='baumgarte' change the motion off the constraints: choose"
            " method='rodas5p' by name, or leave constraints out"
        )

    def stiff_lanes(self, stabilises: bool) -> "StiffLanes":
        """What lanes need to change to the stiff method."""
        from freebody.integrate.costs import enough_steps, relative_cost
        from freebody.integrate.lanes import StiffLanes

        return StiffLanes(
            lambda: self.why_not_stiff(stabilises) or self._lane_stages(self.system.stages_of(RODAS5P.name).value),
            partial(relative_cost, self.system),
            enough_steps(self.system),
        )

    def lane_stages(self, method: str) -> "LaneStages | LaneSteps":
        """What the steps of a method in lanes need, with the parameters as arguments."""
        from freebody.integrate.lanes import LaneSteps

        if method == CONTACT.name:
            steps = self.system.contact_steps.value
            return LaneSteps(self.free(steps.free, "llvm"), self._step_code(steps))
        return self._lane_stages(self.system.stages_of(method).value)

    def _lane_stages(self, stages: StageSystem) -> "LaneStages":
        from freebody.integrate.lanes import LaneStages

        solution = None if stages.solution is None else self.free(stages.solution, "llvm")
        return LaneStages(solution, self._once_a_step(stages.entries), self._stage_code(stages))

    def raw_call(self, program: Program, *more: str) -> Callable[..., Array]:
        """A program of one output as a fast function of t, x and more groups: compiled code at the present d. Each call
        returns a new array. One thread at a time may call it."""
        from freebody.backends.llvm.cpython import address

        f, time, size = self.function(program), np.zeros(1), program.outputs[0].size
        constant = {**f.parameters, "hoisted": f.hoisted, "t": time, "inputs": self.d}
        groups, raw = {g.name: g.size for g in f.staged.main.groups}, f.main.raw  # type: ignore[attr-defined]
        names, varied = list(groups), ("x", *more)
        pointers = [address(constant[name]) if name in constant else 0 for name in names]
        shapes = [(names.index(name), name, (groups[name],)) for name in varied]

        def call(t: float, *values: Array) -> Array:
            constant["t"][0], out, arrays = t, np.empty(size), [np.ascontiguousarray(value, float) for value in values]
            for (k, name, shape), array in zip(shapes, arrays, strict=True):
                if array.shape != shape:  # the code reads from the address, whatever is there
                    raise ArgumentError(f"{program.name}: {name} must have shape {shape}, not {array.shape}")
                pointers[k] = address(array)
            raw(*pointers, address(out))
            return out

        return call

    def rows(self, program: Program, rows: Mapping[str, Array]) -> Any:
        """A program at rows of some groups; the system's values, or zeros, for the others."""
        f, values = self.free(program), {"parameters": self.p, "inputs": self.d, **rows}
        values["inputs"] = self.part(program, values["inputs"])
        return f(*(values.get(g.name, np.zeros(g.size)) for g in f.groups))

    @cached_property
    def rates(self) -> Bound:
        return self.function(self.system.rates.value)

    def x_dot(self, t: float, x: Array) -> Array:
        return cast(Array, self.rates(t=t, x=x, inputs=self.part(self.rates.program)))

    def conditions(self) -> Callable[..., Array]:
        """The conditions of crossings as a function of t and x; a new one for each run, since runs in several threads
        may share this system."""
        assert self.system.conditions is not None, "called for systems with conditions only"
        return self.raw_call(self.system.conditions)

    @property
    def breaks(self) -> tuple[float, ...]:
        """The times at which laws in t alone jump or have a kink, for the present d: steps end there."""
        key = self.d.tobytes()
        if self._breaks is None or self._breaks[0] != key:
            times = (breaks(p, parameters=self.p, inputs=self.part(p)) for p in self._breaking)
            self._breaks = key, tuple(sorted(set().union(*times)))
        return self._breaks[1]

    @property
    def _breaking(self) -> list[Program]:
        """The programs whose break points end steps."""
        programs = self.system.rates.value, self.system.project.value, self.system.conditions
        return [program for program in programs if program is not None]

    @cached_property
    def breaks_move(self) -> bool:
        """Whether break points depend on held values: they are found anew where rules have changed these."""
        d = self.d.copy()
        d[self.system.held_places] = np.nan
        known = ((p, {"parameters": self.p, "inputs": self.part(p, d)}) for p in self._breaking)
        return bool(self.system.held) and any(breaks_depend_on_unknown(p, **values) for p, values in known)

    def timed_breaks(self, begin: float, end: float) -> tuple[float, ...]:
        """The break points of prescribed motions, and of constraints that depend on time, those that are found within a
        span of time only among them."""
        timed = self.mechanics.programs.timed.value
        if timed is None:
            return ()
        return breaks(timed.program, (begin, end), parameters=self.p, inputs=self.part(timed.program))

    # Constraints

    def manifold(self, rtol: ArrayLike = 1e-8, atol: ArrayLike = 1e-10) -> "Manifold | None":
        """The manifold of the constraints for these tolerances; None if states are not projected to it."""
        return self._manifold(self.project_function, rtol, atol)

    @property
    def project_function(self) -> "StateFunction | None":
        """The projection to the constraints, for an integrator; None if states are not projected."""
        return self._correction() if self.system.projects else None

    def _correction(self) -> "StateFunction | None":
        """One correction towards the constraints; None without constraints."""
        from freebody.integrate.compiled import StateFunction

        return None if self._project is None else StateFunction(self._project, self.part(self._project.program))

    @cached_property
    def _project(self) -> Bound | None:
        program = self.system.project.value
        return None if program is None else self.function(program)

    def project(self, t: float, x: Array) -> Array | None:
        """The state moved to the constraints, its quaternions at unit length; the state itself where there are none,
        None where it cannot reach them."""
        return x if self._always is None else self._always.project(t, x)

    @cached_property
    def _always(self) -> "Manifold | None":
        """The manifold of the constraints, whether or not a run projects its states."""
        return self._manifold(self._correction())

    def _manifold(
        self, function: "StateFunction | None", rtol: ArrayLike = 1e-8, atol: ArrayLike = 1e-10
    ) -> "Manifold | None":
        from freebody.integrate.manifold import Manifold

        if function is None:
            return None
        s = self.system
        return Manifold(function, s.speeds, s.quaternions, rtol, atol, s.consistent)

    # Implicit methods

    @cached_property
    def _jacobian(self) -> Bound:
        program = self.system.jacobian.value
        if program is None:
            raise ArgumentError(f"{self.about.system}: there is no Jacobian; build the system for an implicit method")
        return self.function(program)

    def jacobian(self, t: float, x: Array) -> Array:
        """∂ẋ/∂x: M⁻¹ applied to the rows of the speeds, or with constraints [M −Gᵀ; G 0]⁻¹, the others as they are."""
        n, m = self.system.coordinates, len(self.system.speeds)
        solution = self.mechanics.programs.solution.value
        values: dict[str, Any] = {"t": t, "x": x, "inputs": self.part(self.system.rates.value)}
        values |= {"u_dot": self.x_dot(t, x)[n : n + m]} if solution is None else self.function(solution)(**values)
        result = cast(dict[str, Array], self._jacobian(**values))
        J = result["J"].reshape(-1, len(x))
        if m:
            try:
                if solution is None:
                    J[n : n + m] = np.linalg.solve(result["M"], J[n : n + m])
                else:
                    J[n : n + m] = solve_constrained(result["M"], result["G"], J[n : n + m], J[len(x) :])
            except np.linalg.LinAlgError:  # singular: no step can be taken, and the run reports why
                J[n : n + m] = np.nan
        return J[: len(x)]

    # Updates

    def apply(self, update: Update, t: float, x: Array) -> Change:
        """(x, d)⁺ by an update; ``d`` itself stays as it is."""
        if isinstance(update, ProgramUpdate):
            values = self._values(update, t, x)
            after, d = x.copy(), self.d.copy()
            update.write(values, after, d)
            return Change(after, d)
        return update(self, t, x, self.d.copy())

    def _values(self, update: ProgramUpdate, t: float, x: Array) -> Array:
        """The output of an update: by NumPy for a reset, which is rare, by machine code for samples."""
        if update.places is None:
            inputs = self.part(update.program)
            return np.asarray(self.function(update.program, "numpy")(t=t, x=x, inputs=inputs))
        return self.values(update.program, t, x)

    def values(self, program: Program, t: float, x: Array) -> Array:
        """The output of a program at a state, by machine code."""
        if id(program) not in self._calls:
            self._calls[id(program)] = self.raw_call(program)
        return self._calls[id(program)](t, x)
