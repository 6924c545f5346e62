"""Equations of motion: what users read, count, compile, simulate and export."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody import wings
from freebody.api.compiled import Compiled, Values
from freebody.api.control import ControlMethods
from freebody.api.derive import derive
from freebody.api.kinematics import KinematicsMethods
from freebody.api.quantities import Inertial
from freebody.api.trajectory import Trajectory
from freebody.backends import engine
from freebody.errors import ArgumentError, ModelError, no_attribute
from freebody.formulations.derivation import Counts, Derivation
from freebody.formulations.omission import unused_coordinates
from freebody.keywords import hint_keywords, unknown_argument
from freebody.model.model import Model
from freebody.program.program import Program
from freebody.quantities import QUANTITIES
from freebody.results import RunResult
from freebody.run.arguments import boolean, by_name, generator, real
from freebody.run.event import Event
from freebody.run.initial import InitialValues
from freebody.run.inputs import InputValues
from freebody.tables import CELL, counted, shorten
from freebody.tree.independence import degrees_of_freedom, dependence

if TYPE_CHECKING:
    import xarray

    from freebody.algebra import ClosedForms
    from freebody.backends import EngineOptions
    from freebody.model.sampled import PythonController
    from freebody.papers.absolute import MuftiEquations
    from freebody.papers.absolute_function import AbsoluteFunction
    from freebody.papers.barycentres import Barycentres
    from freebody.papers.matrix_equations import MatrixEquations
    from freebody.papers.operators import Operators
    from freebody.papers.operators.function import OperatorFunction
    from freebody.program.count import Operations
    from freebody.quantities.regressor import BaseParameters
    from freebody.results import ConstraintInfo
    from freebody.results.assembly import AssemblyResult
    from freebody.run.options import RunKeywords
    from freebody.run.simulator import Simulator
    from freebody.run.simulators import Simulators
    from freebody.tables import TextTable

Array = NDArray[np.float64]
ATTRIBUTES = {
    **{name: f"f = eq.compile(), then f.{name}(…) for numbers; eq.to_text('{name}') to read it" for name in QUANTITIES},
    **dict.fromkeys(("M", "mass"), "eq.matrices().M to read it, eq.compile().mass_matrix(q) for numbers"),
    **dict.fromkeys(("rhs", "ode", "f", "lambdify"), "eq.compile().state_dot(t, x) for ẋ = f(t, x)"),
    **dict.fromkeys(("run", "integrate", "solve"), "eq.simulate(end)"),
    **dict.fromkeys(("linearise", "A", "B"), "eq.linearize(at)"),
    **dict.fromkeys(("ik", "solve_ik", "inverse_kinematic"), "eq.inverse_kinematics({body: pose}, q=guess)"),
    "coordinates": "eq.q", "speeds": "eq.u",
    "report": "eq.tables() for Sayers' tables, s.report('model.html') for a page with the equations",
    **dict.fromkeys(("save", "export"), "eq.to_c(folder), eq.to_program(folder), eq.to_sympy() or eq.to_latex()"),
}  # fmt: skip
"""Attributes of equations in other programs, with what to write."""
OMIT = 8
"""The arguments of ``Equations.derived`` before the omitted coordinates."""
COUNTED = 12
"""Speeds up to which a table of counts derives quantities."""


@hint_keywords
class Equations(ControlMethods, KinematicsMethods):
    """Equations of motion: read them, count them, compile them, export them."""

    def __init__(
        self,
        derivation: Derivation,
        values: Mapping[str, float],
        start: Sequence[float],
        arguments: tuple[Any, ...] = (),
    ) -> None:
        """``arguments``: those of ``derived``, by which the derivation is repeated where the equations are
        unpickled."""
        self.derivation, self._arguments, self.values, self.start = derivation, arguments, dict(values), list(start)

    @classmethod
    def derived(cls, model: Model, *choice: Any) -> "Equations":
        """The equations of a model; ``choice`` are the further arguments of ``derive.derive``."""
        starts = [s.initial for s in model.states.values()]
        return cls(derive(model, *choice), model.parameters, starts, (model, *choice))

    def __reduce__(self) -> tuple[Any, ...]:
        return Equations.derived, self._arguments

    def __copy__(self) -> "Equations":
        return Equations(self.derivation, self.values, self.start, self._arguments)

    def __deepcopy__(self, memo: object) -> "Equations":
        return self.__copy__()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            raise no_attribute(self, name, ATTRIBUTES)

    @property
    def q(self) -> tuple[str, ...]:
        """Names of the coordinates, in order."""
        return self.derivation.layout.q

    @property
    def u(self) -> tuple[str, ...]:
        """Names of the speeds, in order."""
        return self.derivation.layout.u

    @cached_property
    def unused_coordinates(self) -> tuple[str, ...]:
        """The coordinates that nothing depends on, which ``derive(omit=…)`` leaves out of the state: neither
        accelerations, loads, constraints, rates of states and outputs, nor rates of other coordinates that something
        depends on. Loops over many bodies do not tell them apart; derive with ``rolled=False`` to find them there."""
        return unused_coordinates(self.derivation)

    def with_all_coordinates(self) -> "Equations":
        """The same equations without ``omit``."""
        return self._whole if self.derivation.tree.model.omitted else self

    @cached_property
    def _whole(self) -> "Equations":
        return Equations.derived(*self._arguments[:OMIT])

    @property
    def constraints(self) -> "tuple[ConstraintInfo, ...]":
        """The constraints: their kinds and bodies, the names of their multipliers in order, and which of their
        equations are left out, because they follow from others."""
        from freebody.run.bodies import constraint_infos

        return constraint_infos(self.derivation)

    @property
    def degrees_of_freedom(self) -> int:
        """The number of speeds that can be chosen freely: that of all speeds, less the independent equations of
        constraints."""
        return degrees_of_freedom(self.derivation.tree)

    @property
    def determined_speeds(self) -> tuple[str, ...]:
        """The speeds that the constraints leave no freedom. A loop whose speeds are all among them cannot move, unless
        a constraint with time drives it."""
        model = self.derivation.tree.model
        return dependence(model).determined if model.constraints else ()

    def independent_speeds(self, q: ArrayLike, t: float = 0.0, z: ArrayLike | None = None) -> tuple[str, ...]:
        """Speeds that determine all others at coordinates q, as many as there are freedoms. They are chosen in the
        order of the system, without those whose pivot is small; elsewhere the choice may be another one."""
        from freebody.analysis.manifold import independent_speeds
        from freebody.analysis.state_equations import magnitudes

        G = self.compile("numpy").constraint(q, np.zeros(len(self.u)), t, z)["G"]
        sizes = magnitudes(self.derivation.tree)
        return tuple(independent_speeds(G * [sizes.get(name, 1.0) for name in self.u], self.u))

    @cached_property
    def undetermined_reactions(self) -> dict[str, tuple[str, ...]]:
        """The components of reactions that the motion does not determine, since redundant constraints share the load:
        by the name of the joint's body, or of the constraint, as ``force.y``, ``torque.x``, ``drive_force``, or the
        label of a multiplier. ``f.reactions`` returns one of the possible values, ``f.least_norm_reactions`` the
        smallest ones."""
        from freebody.quantities.redundancy import undetermined_reactions

        return undetermined_reactions(self.derivation)

    @property
    def operations(self) -> Counts:
        """Operations of a call of each quantity, by name; what depends on parameters alone is not counted."""
        from freebody.quantities import ListedPrograms, countable

        e = self.derivation
        shown = [name for name in countable(e) if len(e.layout.u) <= COUNTED or e.programs.is_derived(name)]
        return Counts(ListedPrograms(e), shown)

    def program(self, quantity: str = "forward_dynamics", **arguments: Any) -> Program:
        """A quantity's program; those of docs/quantities.md take arguments: body, at, frame; places; by."""
        if not isinstance(quantity, str):
            raise ArgumentError(f"the name of a quantity must be text, not {quantity!r}")
        from freebody.quantities import program

        return program(self.derivation, quantity, **arguments)

    def count(self, quantity: str, **arguments: Any) -> "Operations":
        """Operations of a call; arguments are those of ``program``."""
        from freebody.program.count import count
        from freebody.program.stage import stage

        return count(stage(self.program(quantity, **arguments)).main)

    def inertial_parameters(self, parameters: Values | None = None) -> Inertial:
        """π of tau = Y π + τ₀ (docs/quantities.md)."""
        from freebody.quantities.regressor import names

        return Inertial(names(self.derivation), self.compile("numpy", parameters).inertial_parameters())

    def base_parameters(self, parameters: Values | None = None, seed: int = 0) -> "BaseParameters":
        """The fewest combinations of inertial parameters that tau depends on, determined at random states."""
        from freebody.quantities.regressor import base_parameters, random_regressors

        f, e = self.compile("numpy", parameters), self.derivation
        W = random_regressors(e, lambda t, q, u, u_dot: f.regressor(q, u, u_dot, t), generator(seed))
        return base_parameters(e, W)

    def __str__(self) -> str:
        """The listing of u̇, after a line that names the formulation and why it was chosen."""
        choice = self.derivation.choice
        return (f"# {choice}\n" if choice else "") + self.to_text()

    def __repr__(self) -> str:
        model, sizes = self.derivation.tree.model, [counted(len(self.q), "coordinate"), counted(len(self.u), "speed")]
        sizes += [counted(len(model.constraints), "constraint")] if model.constraints else []
        return f"<Equations of {shorten(model.name, CELL)}: {', '.join(sizes)}>"

    def _repr_html_(self) -> str:
        from freebody.api.notebook import equations_html

        return equations_html(self)

    def roadmap(self) -> "list[TextTable]":
        """Tables of bodies and joints, flexible bodies and their modes, of the index and unit of each coordinate, speed
        and input, of loads, constraints and parameters. Each has a title, columns and rows of text."""
        from freebody.report.roadmap import roadmap
        from freebody.run.bodies import body_infos

        return roadmap(self.derivation, self.values, self.constraints, body_infos(self.derivation, self.values))

    def tables(self) -> str:
        """Sayers' tables of the system (docs/sayers.md): bodies and joints, and the terms of the kinematics, as he
        prints them."""
        tables: str = wings.load("method", "tables", "eq.tables()")(self)
        return tables

    def matrices(
        self, skew: bool = False, simplify: bool = True, angles: str = "shortest", limit: int | None = None
    ) -> "MatrixEquations":
        """M ṗ + C p + F = Q and q̇ = V p as matrices of expressions (docs/poincare.md), with p the speeds. ``skew``
        takes the C for which Ṁ − 2C is skew. Entries stand in closed form (``angles`` and ``limit`` as in
        ``Expr.closed_form``) unless ``simplify=False``."""
        equations: MatrixEquations = wings.load("method", "matrices", "eq.matrices()")(
            self, skew, simplify, angles, limit
        )
        return equations

    def to_standard(self, x: ArrayLike, t: ArrayLike = 0.0, parameters: Values | None = None) -> Array:
        """The standard state of a state x = [q, u, z] with the speeds of these equations, at a time (prescribed motions
        depend on it) and with the parameters' default values or others. ``x`` and ``t`` may have leading batch axes."""
        return self._convert("to_standard", x, t, parameters)

    def from_standard(self, x: ArrayLike, t: ArrayLike = 0.0, parameters: Values | None = None) -> Array:
        """The state x = [q, u, z] with the speeds of these equations, from a standard one; arguments as those of
        ``to_standard``."""
        return self._convert("from_standard", x, t, parameters)

    def _convert(self, quantity: str, x: ArrayLike, t: ArrayLike, parameters: Values | None) -> Array:
        states, times = real(x, f"{quantity}: x"), real(t, f"{quantity}: t")
        n, m = len(self.q), len(self.u)
        size = n + m + len(self.derivation.layout.z)
        if states.ndim == 0 or states.shape[-1] != size:
            raise ArgumentError(
                f"{quantity}: x = [q, u, z] has {size} numbers along its last axis, and an array of"
                f" shape {states.shape} was given"
            )
        try:
            lead = np.broadcast_shapes(states.shape[:-1], times.shape)
        except ValueError:
            raise ArgumentError(
                f"{quantity}: t is one time or one for each state, not {times.shape} of them for"
                f" states of shape {states.shape}"
            ) from None
        rows = np.broadcast_to(states, (*lead, size)).reshape(-1, size).copy()
        f = self.compile("numpy", parameters).function(quantity)
        groups = {"t": np.broadcast_to(times, lead).reshape(-1, 1), "q": rows[:, :n], "u": rows[:, n : n + m]}
        rows[:, n : n + m] = np.asarray(f(*(groups.get(g.name, np.zeros(g.size)) for g in f.groups)))
        return rows.reshape(*lead, size)

    def to_text(self, quantity: str = "forward_dynamics") -> str:
        from freebody.printing import text

        return text.emit(self.program(quantity))

    def to_latex(self, quantity: str = "forward_dynamics") -> str:
        from freebody.printing import latex

        return latex.emit(self.program(quantity))

    def to_sympy(self, quantity: str = "forward_dynamics") -> Any:
        from freebody.printing.sympy import program_to_sympy

        return program_to_sympy(self.program(quantity))

    def closed_form(
        self, quantity: str = "mass_matrix", angles: str = "shortest", limit: int | None = None
    ) -> "ClosedForms":
        """Closed forms for reading (docs/closed-forms.md): of "mass_matrix" by the speeds of row and column (lower
        triangle), or of "force", the f of M u̇ = f + tau, by speed; what is 0 is left out."""
        from freebody.algebra import ClosedForms, closed_expressions

        if not isinstance(quantity, str) or quantity not in ("mass_matrix", "force"):
            raise ModelError(f"closed_form needs 'mass_matrix' or 'force', not {quantity!r}")
        entries = dict(self.derivation.mass) if quantity == "mass_matrix" else dict(enumerate(self.derivation.force))
        names = [tuple(self.u[i] for i in (key if isinstance(key, tuple) else (key,))) for key in entries]
        forms = closed_expressions(self.derivation.graph, list(entries.values()), angles, limit)
        nonzero = {name: form for name, form in zip(names, forms, strict=True) if form.handle}
        return ClosedForms(nonzero, "M" if quantity == "mass_matrix" else "f")

    def to_c(
        self, folder: str | Path, quantity: str = "forward_dynamics", prefix: str = "", float32: bool = False
    ) -> list[Path]:
        """C files for a quantity, written into a folder. ``prefix`` begins all names ("sat": sat_forward_dynamics,
        SAT_P_MB); ``float32`` computes with float."""
        from freebody.backends import c
        from freebody.program.stage import stage

        program, name = self._named(quantity, prefix)
        return list(c.emit(stage(program), name, float32=boolean(float32, "float32"), prefix=prefix).write(folder))

    def to_fortran(
        self, folder: str | Path, quantity: str = "forward_dynamics", prefix: str = "", float32: bool = False
    ) -> list[Path]:
        """A module of Fortran 2008 for a quantity, written into a folder; options as those of ``to_c``."""
        from freebody.backends import fortran
        from freebody.program.stage import stage

        program, name = self._named(quantity, prefix)
        source = fortran.emit(stage(program), name, float32=boolean(float32, "float32"), prefix=prefix)
        return list(source.write(folder))

    def _named(self, quantity: str, prefix: str) -> tuple[Program, str]:
        """A quantity's program, and its name in a source."""
        from freebody.export.write import program_name

        program = self.program(quantity)
        return program, f"{program_name(prefix, True)}_{program.name}" if prefix else program.name

    def to_program(
        self,
        folder: str | Path,
        language: str = "c",
        end: float | ArrayLike = 10.0,
        q: InitialValues = None,
        u: InitialValues = None,
        z: InitialValues = None,
        parameters: Values | None = None,
        inputs: InputValues = None,
        events: Sequence[Event] = (),
        engaged: Mapping[str, bool] | None = None,
        method: str = "dopri5",
        rtol: float | Mapping[str, float] = 1e-8,
        atol: float | Mapping[str, float] = 1e-10,
        step: float | None = None,
        first_step: float | None = None,
        max_step: float | None = None,
        max_steps: int | None = None,
        constraints: str = "projection",
        prefix: str | None = None,
        float32: bool = False,
        units: str | Mapping[str, str] = "si",
        seed: int | None = None,
    ) -> list[Path]:
        """A whole simulation program in "c" (C99) or "fortran" (Fortran 2008), written into a folder: ``make`` builds
        it, and it needs nothing of freebody (docs/programs.md).

        It simulates what ``simulate`` does with these arguments, by "dopri5" or "rk4", and writes a file that
        ``Trajectory.load`` reads. Parameters, inputs that are numbers, the state at the start and the settings of the
        run are read from a parameter file, where values may have units; laws of inputs, events, controllers and
        sensors are compiled in. ``seed`` is that of random numbers, which the parameter file sets too. ``units`` is the
        set in which that file is written: "si", "user" (deg, mm, km/h) or units by those of SI, {"m": "mm"}. ``prefix``
        begins all names (by default the system's name), so that several programs can be linked into one; ``float32``
        computes with numbers of 32 bits.
        """
        from freebody.export.write import write_program
        from freebody.results.drawing_data import to_plain
        from freebody.run.drawing import drawing
        from freebody.run.options import RunOptions
        from freebody.run.simulate import start_of_run

        options = RunOptions(method, rtol, atol, step, first_step, max_step, max_steps, False, constraints, seed=seed)
        initial = {"q": q, "u": u, "z": z}
        begin = start_of_run(
            self.derivation, end, initial, self.values, parameters, inputs, events, None, engaged, options
        )
        if begin.refused:
            raise ArgumentError(f"{begin.compiled.about.system}: {begin.refused}")
        return write_program(
            folder,
            begin.compiled,
            begin.x0,
            begin.times,
            begin.options,
            language=language,
            prefix=prefix,
            float32=boolean(float32, "float32"),
            units=units,
            drawing=to_plain(drawing(self.derivation, begin.compiled.about.parameters)),
        )

    def compile(
        self, backend: str = "llvm", parameters: Values | None = None, **options: "Unpack[EngineOptions]"
    ) -> Compiled:
        """The quantities as functions, with the parameters' default values or others."""
        engine(backend, options)
        values = {**self.values, **by_name(parameters, "parameters", "{'m': 2.0}")}
        return Compiled(self, backend, values, options)

    def barycentres(self, q: ArrayLike, t: float = 0.0, parameters: Values | None = None) -> "Barycentres":
        """Augmented bodies and barycentres at a position, and the matrix K of angular accelerations (docs/solvers.md).
        Roots whose joints have three translations move freely; those of other trees must not slide."""
        bodies: Barycentres = wings.load("method", "barycentres", "eq.barycentres()")(self, q, t, parameters)
        return bodies

    def absolute(
        self,
        q: ArrayLike,
        u: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        t: float = 0.0,
        z: ArrayLike | None = None,
        inputs: ArrayLike | None = None,
        parameters: Values | None = None,
    ) -> "MuftiEquations":
        """The equations in accelerations of mass centres and angular accelerations of bodies at a state, for systems
        whose joints are rotations about points: matrices, right-hand sides, Y and Z (docs/solvers.md)."""
        return self._absolute(q, u, tau, t, z, inputs, parameters)

    @cached_property
    def _absolute(self) -> "AbsoluteFunction":
        function: AbsoluteFunction = wings.load("method", "absolute", "eq.absolute()")(self)
        return function

    def operators(
        self,
        q: ArrayLike,
        u: ArrayLike | None = None,
        t: float = 0.0,
        z: ArrayLike | None = None,
        inputs: ArrayLike | None = None,
        parameters: Values | None = None,
    ) -> "Operators":
        """The spatial operators φ, H, M, P, ψ, Ω, … at a state (docs/operators.md): matrices, and O(N) sweeps."""
        return self._operators(q, u, t, z, inputs, parameters)

    @cached_property
    def _operators(self) -> "OperatorFunction":
        function: OperatorFunction = wings.load("method", "operators", "eq.operators()")(self)
        return function

    def assemble(
        self,
        q: InitialValues = None,
        u: InitialValues = None,
        t: float = 0.0,
        parameters: Values | None = None,
        hold: Sequence[str] | str = (),
        engaged: Mapping[str, bool] | None = None,
        modes: str = "held",
        guess: InitialValues = None,
        inputs: Values | None = None,
    ) -> "AssemblyResult":
        """q and u that satisfy the constraints at a time, near a guess. Those that can be switched count if they are
        engaged at the start of a run; ``engaged`` changes this, {"latch": True}.

        Values by name, ``q={"crank": 0.3}``, are held, and so are those of a whole vector that ``hold`` names ("crank",
        "q.crank", "u.crank"; a body's name stands for all of its coordinates). The others start at the guess: the
        joint's initial value or zero, the vector, or ``guess`` (a vector, or values by name). Values by name are
        reached along a path: the guess is closed, then the held coordinates move to their values, while the others
        follow with the least change; springs and flexible bodies resist it, so that they are not wound where joints can
        follow. At a singular position on the way the path goes straight on; a warning and the result say where
        it is and where other branches lead. An error names the constraint that cannot be satisfied, by how much, and
        what was held; where only a guess on another branch leads to these values, it is in the error.

        The result is the pair q, u, and says what ``moved`` by how much, the energy that springs ``stored``, and the
        ``singular`` positions.

        Flexible bodies keep their deformation and its rate, zero or as given, so that loops are closed by the joints;
        with ``modes="free"`` modal coordinates and speeds change too. ``inputs`` are numbers at this time of inputs
        that move joints.
        """
        from freebody.run.assembly import assemble
        from freebody.run.simulate import require_standard_speeds

        require_standard_speeds(self.derivation)
        return assemble(self.derivation, self.values, q, u, t, parameters, hold, engaged, modes, guess, inputs)

    def simulate(
        self,
        end: float | ArrayLike,
        q: InitialValues = None,
        u: InitialValues = None,
        z: InitialValues = None,
        parameters: Values | None = None,
        inputs: InputValues = None,
        method: str = "dop853",
        rtol: float | Mapping[str, float] = 1e-8,
        atol: float | Mapping[str, float] = 1e-10,
        step: float | None = None,
        first_step: float | None = None,
        max_step: float | None = None,
        max_steps: int | None = None,
        events: Sequence[Event] = (),
        start: RunResult | None = None,
        progress: bool | None = None,
        engaged: Mapping[str, bool] | None = None,
        constraints: str = "projection",
        baumgarte: float | tuple[float, float] | None = None,
        seed: int | None = None,
        controllers: "Mapping[str, PythonController] | None" = None,
    ) -> Trajectory:
        """The motion until a time, or at given times (the first is the start).

        Initial values are passed by name, ``q={"upper": 0.3}``, or as whole vectors; what is left out is the joint's
        initial value or zero, or in a system with constraints what these require (``assemble``). ``inputs`` are
        numbers, texts that may use t, q.…, u.…, states and parameters ("-5*q.arm"), expressions, tables, (times,
        values), or Python functions of t or (t, x), which are slower.
        ``method`` is "dop853", "dopri5" (adaptive), "rk4" (with ``step``), "contact" (with ``step``: implicit
        steps for systems with contact), or for stiff systems "rodas5p", "radau", "bdf", "lsoda", "cvode", "ida".
        Tolerances may be given by name: ``atol={"q.upper": 1e-6}``. ``max_steps`` ends a run that takes more.
        ``start`` is another run, which is continued from its end. ``engaged`` says which constraints hold at the start,
        {"latch": True}; events switch them later.
        ``constraints`` is how the states stay on the constraints: by "projection" after each step, by "baumgarte" terms
        in the equations (``baumgarte`` are their α and β in 1/s, by default the rate at which the motion changes), or
        "none". ``seed`` is that of random numbers, by default 0. ``controllers`` are Python functions that are
        called at samples, {"arm": fb.PythonController(function, period=1e-3, reads=["q.arm"])}.
        """
        from freebody.run.options import RunOptions
        from freebody.run.simulate import simulate

        run = simulate(
            self.derivation,
            Trajectory,
            end,
            {"q": q, "u": u, "z": z},
            self.values,
            parameters,
            inputs,
            events,
            start,
            engaged,
            RunOptions(
                method, rtol, atol, step, first_step, max_step, max_steps, progress, constraints, baumgarte, seed
            ),
            controllers,
        )
        run.equations, run.laws = self, {} if inputs is None else inputs
        return run

    def simulator(
        self,
        q: InitialValues = None,
        u: InitialValues = None,
        z: InitialValues = None,
        parameters: Values | None = None,
        inputs: InputValues = None,
        events: Sequence[Event] = (),
        engaged: Mapping[str, bool] | None = None,
        controllers: "Mapping[str, PythonController] | None" = None,
        **options: "Unpack[RunKeywords]",
    ) -> "Simulator[Trajectory]":
        """A simulation that is advanced step by step from t = 0: ``sim.step(0.01)``, ``sim.run_until(2.0)``.

        Initial values, inputs and events are those of ``simulate``; inputs without a value are 0, and those that are
        numbers are set between steps, ``sim.set(inputs={"motor": 1.0})``: they are held until they are set again.
        ``sim["arm"]`` is a coordinate now, or anything else that a run records; ``sim.t``, ``sim.q``, ``sim.u`` and
        ``sim.x`` are time, coordinates, speeds and the whole state. ``sim.set`` sets parameters and states too.
        ``sim.save()`` returns the present, and ``sim.restore(saved)`` goes back to it, exactly; ``sim.reset()`` goes
        back to the start. ``sim.trajectory()`` is the motion so far. Other options are those of ``simulate``: method,
        rtol, atol, step, max_step, constraints, …
        """
        from freebody.run.options import RunKeywords, RunOptions
        from freebody.run.simulate import simulator

        for name in options:
            if name not in RunKeywords.__annotations__:
                own = ["q", "u", "z", "parameters", "inputs", "events", "engaged", "controllers"]
                raise unknown_argument("simulator", name, [*own, *RunKeywords.__annotations__])

        def trajectory(*values: Any, **named: Any) -> Trajectory:
            run = Trajectory(*values, **named)
            run.equations = self
            return run

        return simulator(
            self.derivation,
            trajectory,
            {"q": q, "u": u, "z": z},
            self.values,
            parameters,
            inputs,
            events,
            engaged,
            RunOptions(**options),
            controllers,
        )

    def simulators(
        self,
        count: int,
        q: InitialValues = None,
        u: InitialValues = None,
        z: InitialValues = None,
        parameters: "Mapping[str, ArrayLike] | None" = None,
        inputs: Any = None,
        engaged: Mapping[str, bool] | None = None,
        threads: int = 0,
        **options: "Unpack[RunKeywords]",
    ) -> "Simulators":
        """So many simulations side by side, worlds, that are advanced together: ``sims.step(0.01)``.

        Arrays are (worlds, …), in and out: ``sims.q``, ``sims["tip"]``, ``sims.set(inputs=…)``. An initial value, a
        parameter or an input is one for all worlds, or an array with one for each. ``sims.reset(worlds)`` lets some of
        them begin again. Each world moves as a simulator with its values does, to the bit; several of them are computed
        at once in the lanes of vectors, and on ``threads`` cores (0: all). Events and the implicit methods of SciPy and
        SUNDIALS are not possible side by side. Other options are those of ``simulate``: method, rtol, atol, step,
        max_step, constraints, …
        """
        from freebody.run.options import RunKeywords, RunOptions
        from freebody.run.simulate import simulators

        for name in options:
            if name not in RunKeywords.__annotations__:
                own = ["q", "u", "z", "parameters", "inputs", "engaged", "threads"]
                raise unknown_argument("simulators", name, [*own, *RunKeywords.__annotations__])
        initial = {"q": q, "u": u, "z": z}
        return simulators(
            self.derivation, count, initial, self.values, parameters, inputs, engaged, threads, RunOptions(**options)
        )

    def sweep(
        self,
        end: float | ArrayLike,
        over: Mapping[str, ArrayLike],
        grid: bool = True,
        q: InitialValues = None,
        u: InitialValues = None,
        z: InitialValues = None,
        parameters: Values | None = None,
        inputs: InputValues = None,
        method: str = "dop853",
        rtol: float | Mapping[str, float] = 1e-8,
        atol: float | Mapping[str, float] = 1e-10,
        step: float | None = None,
        max_step: float | None = None,
        max_steps: int | None = None,
        events: Sequence[Event] = (),
        record: Sequence[str] | str | None = None,
        chunk: int | None = None,
        cluster: Any = None,
        store: str | Path | None = None,
        progress: bool | None = None,
        engaged: Mapping[str, bool] | None = None,
        constraints: str = "projection",
        baumgarte: float | tuple[float, float] | None = None,
        seed: int | None = None,
        controllers: "Mapping[str, PythonController] | None" = None,
    ) -> "xarray.Dataset":
        """Many runs at once, several in each vector register and on all cores, stacked in one xarray dataset.

        ``over`` maps what varies ("q.arm", "u.arm", a parameter, an input, "engaged.latch") to its values: all
        combinations of them, a dimension each ("q.arm.initial", "m"; ".value" is appended to a name that the dataset
        needs itself, such as "time" or "steps"), or with ``grid=False`` samples taken side by side along ``case``.
        Beside the states the outputs are recorded, or what ``record`` names: variables, or groups of them, such as
        "pose", which ``fb.animate`` needs. ``cluster`` is the address of a Dask scheduler (or a client) to run there;
        ``store`` a folder for finished chunks, from which the same sweep continues (not where Python functions are
        called). ``max_steps`` is the limit of each case. ``status`` and ``message`` of the dataset tell how each case
        ended; Ctrl-C ends the sweep and returns the cases that are finished. ``seed`` is that of random numbers; "seed"
        may vary too. Python ``controllers`` are refused: cases would share their memory.
        """
        from freebody.run.options import RunOptions
        from freebody.run.python_controllers import require_no_functions
        from freebody.run.sweep import sweep

        require_no_functions(controllers, f"sweep of {self.derivation.tree.model.name}")
        values = {"q": q, "u": u, "z": z, "parameters": parameters, "inputs": inputs, "engaged": engaged}
        options = RunOptions(
            method, rtol, atol, step, None, max_step, max_steps, progress, constraints, baumgarte, seed
        )
        return sweep(
            self.derivation, end, over, grid, self.values, values, events, record, options, chunk, cluster, store
        )
