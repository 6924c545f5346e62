"""A plant: the programs and values of a simulation, which can be sent to another process and compiled there."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.backends import Bound, Function, compile
from freebody.backends.gradual import GradualFunction
from freebody.errors import ArgumentError
from freebody.integrate.breaks import breaks
from freebody.names import Q, U
from freebody.program.ldl import PIVOT_TOLERANCE
from freebody.program.program import Program
from freebody.results.about import About
from freebody.scalar.functions import Callback

if TYPE_CHECKING:
    from freebody.integrate.compiled import StateFunction
    from freebody.integrate.manifold import Manifold

Array = NDArray[np.float64]
SLOPE, LARGE = 0.2, 0.05
"""Slopes (rad), and deformations as a fraction of a body's size where slopes are not known, up to which mass matrices
are taken to stay positive; descriptions of bodies examine larger ones (``model/free_directions.py``)."""

REPEATED = 20
"""So many runs of a system pay for machine code that computes their energies."""


class SharedCode:
    """What plants of the same programs share: ``functions`` with their programs, by the program's id, the backend (or
    "gradual") and whether they are staged; ``idle`` integrators, which wait for the next run; and how many ``balances``
    of energy were computed."""

    def __init__(self) -> None:
        self.functions = dict[tuple[int, str, bool], tuple[Program, Function | GradualFunction]]()
        self.idle = dict[Hashable, Any]()
        self.balances = 0


@dataclass(frozen=True)
class Event:
    """Something to watch for: ``when`` crosses zero, upwards (direction 1), downwards (−1) or either way (0).

    ``when`` is a text, an expression of the system, or a Python function of (t, x). ``terminal`` ends the run there;
    ``reset`` changes the state, ``{"u.ball": "-0.8*u.ball"}``, and the run goes on.

    ``engage`` and ``release`` are names of constraints that are switched, after a reset. Engaging stops the motion
    across the constraint by an impulse, and closes a ``gap`` (in m or rad) of at most this size. With ``restitution``
    e the bodies rebound with −e times the speed of approach, and the constraint stays released, as long as the rebound
    is faster than ``rest_speed`` (in m/s or rad/s); then it is engaged. An event that has nothing to switch, to reset
    or to end does not happen.
    """

    when: Any
    direction: int = 0
    terminal: bool = False
    reset: Mapping[str, Any] | None = None
    name: str = ""
    engage: str | Sequence[str] = ()
    release: str | Sequence[str] = ()
    restitution: float = 0.0
    gap: float = 1e-3
    rest_speed: float = 1e-3


class SwitchAction(NamedTuple):
    """What an event switches; see ``Event``."""

    engage: tuple[str, ...]
    release: tuple[str, ...]
    restitution: float
    gap: float
    rest_speed: float


@dataclass(frozen=True)
class Watch:
    """The events of a run, compiled to programs: one for all conditions, one for each reset. ``solved`` says whose
    condition contains accelerations, reactions or multipliers."""

    names: tuple[str, ...]
    directions: tuple[int, ...]
    terminal: tuple[bool, ...]
    solved: tuple[bool, ...]
    program: Program
    resets: tuple[Program | None, ...]
    actions: tuple[SwitchAction | None, ...]

    @property
    def stopping(self) -> list[bool]:
        """Whether each event ends a run or changes something."""
        changes = zip(self.terminal, self.resets, self.actions, strict=True)
        return [end or reset is not None or action is not None for end, reset, action in changes]


class SwitchRow(NamedTuple):
    """An equation of a constraint that can be switched."""

    constraint: str
    label: str
    unit: str


@dataclass(frozen=True)
class SwitchProgram:
    """A program with what switching needs to know at a state: ``phi`` and ``velocities`` (G u + offset) of the ``rows``
    of constraints that can be switched, also of those that follow from others; ``cosines`` of closures, those of the
    constraints ``turned``, negative where one is half a turn away; the ``poses`` that the closures ``posed`` would
    capture; and the ``kinetic`` energy. ``states`` are the indices in x of extra states of these closures, with the
    values they have where a pose is captured; ``followers`` those of extra states that follow the coordinates, by
    constraint, whose ``corrections`` the program computes in the same order. ``stiffness`` is K_kk of modes by speed, 0
    for speeds of joints."""

    program: Program
    rows: tuple[SwitchRow, ...]
    turned: tuple[str, ...]
    posed: tuple[str, ...]
    states: tuple[dict[int, float], ...]
    followers: Mapping[str, tuple[int, ...]]
    stiffness: Array


@dataclass(frozen=True)
class Limits:
    """Coordinates with limits. The ``followers``, which are not states (they are prescribed or follow others), come
    last; ``indices`` are the indices of the others in x."""

    names: tuple[str, ...] = ()
    low: Array = field(default_factory=lambda: np.empty(0))
    high: Array = field(default_factory=lambda: np.empty(0))
    indices: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, np.intp))

    @property
    def followers(self) -> tuple[str, ...]:
        return self.names[len(self.indices) :]


class Programs(Mapping[str, Any]):
    """Programs and what belongs to them by name, each derived when it is first needed, and all of them before they are
    pickled."""

    def __init__(self, derive: Mapping[str, Callable[[], Any]]) -> None:
        self._derive, self._derived = dict(derive), dict[str, Any]()

    def __getitem__(self, name: str) -> Any:
        if name not in self._derived:
            self._derived[name] = self._derive[name]()
        return self._derived[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._derive)

    def __len__(self) -> int:
        return len(self._derive)

    def __reduce__(self) -> tuple[Any, ...]:
        derived = dict(self)
        return Programs, ({name: partial(derived.get, name) for name in derived},)


@dataclass(frozen=True, eq=False)
class Bending:
    """A flexible body: the indices of its modal coordinates in x, how they turn points along it, and amplitudes by
    which they deform it by its own size, infinite if its inertia does not depend on them."""

    body: str
    indices: NDArray[np.intp]
    turns: Array  # (points, 3, modes), in rad
    magnitudes: Array

    def slopes(self, x: Array) -> Array:
        """The largest angle by which one of the points turns, in each state."""
        eta, largest = x[:, self.indices], np.zeros(len(x))
        for turn in self.turns:
            largest = np.maximum(largest, np.linalg.norm(eta @ turn.T, axis=1))
        return largest

    def sizes(self, x: Array) -> Array:
        """The deformation in each state as a fraction of the body's size; 0 where it is not known, has no effect, or is
        so small that mass matrices are known to stay positive (``model/free_directions.py``)."""
        sizes = np.linalg.norm(x[:, self.indices] / self.magnitudes, axis=1)
        large = self.slopes(x) > SLOPE if len(self.turns) else sizes > LARGE
        return np.where(np.isfinite(sizes) & large, sizes, 0.0)


@dataclass(frozen=True)
class Plant:
    """The programs of one system with its inputs driven, and the values of their arguments. ``callbacks`` are
    the Python functions that the user passed for the run. ``projects``: states are projected to the constraints;
    ``consistent``: speeds that satisfy these keep the coordinates on them (see ``Manifold``)."""

    about: About
    programs: Programs
    parameters: Mapping[str, float]
    inputs: Array
    slots: tuple[tuple[str, int], ...]  # keys and sizes of the record's quantities
    watch: Watch | None = None
    callbacks: tuple[Callback, ...] = ()
    limits: Limits = field(default_factory=Limits)
    switches: tuple[str, ...] = ()
    """The inputs that events change, behind the others: flags of constraints and captured poses."""
    projects: bool = True
    consistent: bool = True
    called: tuple[Callback, ...] = ()
    """The callbacks in laws of inputs, whose values are the group ``called`` of the record."""
    bendings: tuple[Bending, ...] = ()

    @property
    def state_dot(self) -> Program:
        return cast(Program, self.programs["state_dot"])

    @property
    def record(self) -> Program:
        return cast(Program, self.programs["record"])

    @property
    def bodies(self) -> Program:
        return cast(Program, self.programs["bodies"])

    @property
    def mass_matrix(self) -> Program:
        """Entries of M, or the forces for u̇."""
        return cast(Program, self.programs["mass_matrix"])

    @property
    def mass_entries(self) -> tuple[tuple[int, int], ...]:
        """Rows and columns of these entries, lower triangle; none for forces."""
        return cast(tuple[tuple[int, int], ...], self.programs["mass_entries"])

    @property
    def jacobian(self) -> Program | None:
        return cast(Program | None, self.programs["jacobian"])

    @property
    def project(self) -> Program | None:
        """One Newton correction of a state towards the constraints: of coordinates and extra states, and of the speeds
        at the coordinates it is called with. None for a system without constraints."""
        return cast(Program | None, self.programs.get("project"))

    @property
    def balance(self) -> Program | None:
        """Kinetic and potential energy, and the sum of all powers; None where it would call functions of users."""
        return cast(Program | None, self.programs.get("balance"))

    @property
    def balance_has_work(self) -> bool:
        """Whether any power is not always zero."""
        return any(key.startswith("power.") for key, _ in self.slots)

    @cached_property
    def speeds(self) -> list[int]:
        """The indices of the speeds in x."""
        return [k for k, key in enumerate(self.about.state) if U.holds(key)]

    @cached_property
    def machine(self) -> "Machine":
        return Machine(self)

    @cached_property
    def breaks(self) -> tuple[float, ...]:
        """The times at which laws in t alone jump or have a kink: steps end there."""
        programs = self.state_dot, self.project, None if self.watch is None else self.watch.program
        values = list(self.parameters.values())
        times = (breaks(p, parameters=values, inputs=self.inputs) for p in programs if p is not None)
        return tuple(sorted(set().union(*times)))

    @property
    def all_programs(self) -> dict[str, Program]:
        """The programs that determine the motion and what is recorded of it, by name."""
        programs = {"state_dot": self.state_dot, "record": self.record, "bodies": self.bodies}
        programs |= {} if self.jacobian is None else {"jacobian": self.jacobian}
        programs |= {} if self.project is None else {"project": self.project}
        if self.watch is not None:
            resets = zip(self.watch.names, self.watch.resets, strict=True)
            programs["events"] = self.watch.program
            programs |= {f"reset of {name}": program for name, program in resets if program is not None}
        return programs

    @property
    def user_functions(self) -> list[Callback]:
        """The Python functions that these programs call, each once."""
        blocks = (block for program in self.all_programs.values() for block in program.blocks)
        return list(dict.fromkeys(function for block in blocks for function, _ in block.calls))

    def with_values(self, parameters: ArrayLike, inputs: ArrayLike) -> "Plant":
        """The same programs with other values; compiled code is shared."""
        values = dict(zip(self.parameters, np.asarray(parameters, float).tolist(), strict=True))
        return replace(self, parameters=values, inputs=np.array(inputs, float)).with_code(self.machine.code)

    def with_code(self, code: SharedCode) -> "Plant":
        """Use this compiled code, and add to it what is compiled later."""
        self.__dict__["machine"] = Machine(self, code)
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k != "machine"}


@dataclass
class Machine:
    """A plant's functions, each compiled when first needed: those that run often by LLVM, the others by NumPy."""

    plant: Plant
    code: SharedCode = field(default_factory=SharedCode)

    def free(self, program: Program, backend: str = "numpy", staged: bool = True) -> Function:
        """The program with the parameters as arguments."""
        key = id(program), backend, staged
        if key not in self.code.functions:
            self.code.functions[key] = program, compile(program, backend, staged)
        return cast(Function, self.code.functions[key][1])

    def function(self, program: Program, backend: str = "llvm") -> Bound:
        """The program with the parameters bound."""
        f, values = self.free(program, backend), self.plant.parameters
        return f.bind(values) if values else Bound(f, {})

    @cached_property
    def state_dot(self) -> Bound:
        return self.function(self.plant.state_dot)

    def quick(self, program: Program, *more: str) -> Callable[..., Array]:
        """A program of one output as a fast function of t, x and more groups: compiled code with all other arguments
        held. Each call returns a new array."""
        from freebody.backends.llvm.cpython import address

        f, time, size = self.function(program), np.zeros(1), program.outputs[0].size
        inputs = np.ascontiguousarray(self.plant.inputs, float)
        held = {**f.parameters, "hoisted": f.hoisted, "t": time, "inputs": inputs}
        groups, raw = {g.name: g.size for g in f.staged.main.groups}, f.main.raw  # type: ignore[attr-defined]
        names, varied = list(groups), ("x", *more)
        pointers = [address(held[name]) if name in held else 0 for name in names]
        shapes = [(names.index(name), name, (groups[name],)) for name in varied]

        def call(t: float, *values: Array) -> Array:
            held["t"][0], out, arrays = t, np.empty(size), [np.ascontiguousarray(value, float) for value in values]
            for (k, name, shape), array in zip(shapes, arrays, strict=True):
                if array.shape != shape:  # the code reads from the address, whatever is there
                    raise ArgumentError(f"{program.name}: {name} must have shape {shape}, not {array.shape}")
                pointers[k] = address(array)
            raw(*pointers, address(out))
            return out

        return call

    def rows(self, program: Program, rows: Mapping[str, Array]) -> Any:
        """A program at rows of some groups; the plant's values, or zeros, for the others."""
        f, values = self.free(program), {"parameters": self._values, "inputs": self.plant.inputs, **rows}
        return f(*(values.get(g.name, np.zeros(g.size)) for g in f.groups))

    def balance(self, t: Array, x: Array, inputs: Array) -> Array:
        """Kinetic energy, potential energy and power at rows of states; inputs are one row or a row for each. Machine
        code does this from the call number ``REPEATED`` on."""
        program, values = self.plant.balance, {"t": t.reshape(-1, 1), "x": np.ascontiguousarray(x)}
        assert program is not None, "asked only for plants that have one"
        values["inputs"] = np.ascontiguousarray(inputs, float)
        self.code.balances += 1
        if self.code.balances < REPEATED:
            return self.gradual(program)({**values, "parameters": self._values}, len(t))
        f, rows = self._balance, np.empty((len(t), 3))
        values |= {**f.parameters, "hoisted": f.hoisted}
        f.main.run_batch(len(t), [values.get(g.name, np.zeros(g.size)) for g in f.staged.main.groups], [rows])
        return rows

    @cached_property
    def _balance(self) -> Bound:
        return self.function(cast(Program, self.plant.balance))

    def limited(self, t: Array, x: Array) -> Array:
        """The coordinates with limits along a run: (times, coordinates)."""
        limits = self.plant.limits
        q = x[:, limits.indices]
        if not limits.followers:
            return q
        rows = {"parameters": self._values, "t": t.reshape(-1, 1), "x": x, "inputs": self.plant.inputs}
        return np.hstack([q, self.gradual(self.plant.programs["followers"])(rows, len(t))])

    def gradual(self, program: Program) -> GradualFunction:
        """The program as a function that is called now and then, with the parameters as arguments."""
        key = id(program), "gradual", False
        if key not in self.code.functions:
            self.code.functions[key] = program, GradualFunction(program)
        return cast(GradualFunction, self.code.functions[key][1])

    @cached_property
    def _values(self) -> Array:
        return np.array(list(self.plant.parameters.values()), float)

    def x_dot(self, t: float, x: Array) -> Array:
        return cast(Array, self.state_dot(t=t, x=x, inputs=self.plant.inputs))

    def drift(self, t: Array, x: Array, inputs: Array | None = None) -> tuple[float, float]:
        """The largest |φ| and |G u + offset| at rows of states (and inputs); 0 without constraints."""
        program = self.plant.programs.get("drift")
        if program is None or not len(t):
            return 0.0, 0.0
        rows = {"t": t.reshape(-1, 1), "x": x} | ({} if inputs is None else {"inputs": inputs})
        values = self.rows(program, rows)
        position, speed = (float(np.abs(values[name]).max(initial=0.0)) for name in ("position", "speed"))
        return position, speed

    def constraint(self, t: float, x: Array) -> dict[str, Array] | None:
        """φ, G and γ at one state; None without constraints."""
        program, (n, m) = self.plant.programs.get("constraint"), self._sizes
        if program is None:
            return None
        rows = {"t": np.array([t]), "q": x[:n], "u": x[n : n + m], "z": x[n + m :]}
        return cast(dict[str, Array], self.rows(program, rows))

    def manifold(self, rtol: ArrayLike = 1e-8, atol: ArrayLike = 1e-10) -> "Manifold | None":
        """The manifold of the constraints for these tolerances; None if states are not projected to it."""
        from freebody.integrate.manifold import Manifold

        function, plant = self.project_function, self.plant
        if function is None:
            return None
        return Manifold(function, plant.speeds, plant.about.quaternions, rtol, atol, plant.consistent)

    @property
    def project_function(self) -> "StateFunction | None":
        """The projection to the constraints, for an integrator; None if states are not projected."""
        return self._correction() if self.plant.projects else None

    def _correction(self) -> "StateFunction | None":
        """One correction towards the constraints; None without constraints."""
        from freebody.integrate.compiled import StateFunction

        return None if self._project is None else StateFunction(self._project, self.plant.inputs)

    @cached_property
    def _project(self) -> Bound | None:
        return None if self.plant.project is None else self.function(self.plant.project)

    def project(self, t: float, x: Array) -> Array | None:
        """The state moved to the constraints, its quaternions at unit length; the state itself where there are none,
        None where it cannot reach them."""
        return x if self._manifold is None else self._manifold.project(t, x)

    @cached_property
    def _manifold(self) -> "Manifold | None":
        """The manifold of the constraints, whether or not a run projects its states."""
        from freebody.integrate.manifold import Manifold

        function, plant = self._correction(), self.plant
        if function is None:
            return None
        return Manifold(function, plant.speeds, plant.about.quaternions, consistent=plant.consistent)

    def mass_matrix(self, t: float, x: Array) -> Array:
        """M at one state."""
        n, m = self._sizes
        if self.plant.mass_entries or not m:
            return np.asarray(self.mass_matrices(t, x[None, :], self._values, self.plant.inputs)[0])
        rows = {"t": np.array([t]), "q": x[:n], "u_dot": np.vstack([np.zeros(m), np.eye(m)])}
        forces = self.rows(self.plant.mass_matrix, rows)
        return np.asarray(forces[1:] - forces[0])

    def mass_matrices(self, t: float, x: Array, parameters: Array, inputs: Array) -> Array:
        """M at many states; parameters and inputs are one row for all, or a row for each. Not of rolled equations."""
        n, m = self._sizes
        rows = {"parameters": parameters, "q": x[:, :n], "inputs": inputs, "t": np.array([t])}
        M, (places, entries) = np.zeros((len(x), m * m)), self._mass_places
        M[:, places] = self.gradual(self.plant.mass_matrix)(rows, len(x))[:, entries]
        return M.reshape(len(x), m, m)

    @cached_property
    def _mass_places(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The places of entries in M, row by row, and which entries they are."""
        i, j = np.array(self.plant.mass_entries, np.intp).reshape(-1, 2).T
        m, entries = self._sizes[1], np.arange(len(i))
        return np.concatenate([i * m + j, j * m + i]), np.concatenate([entries, entries])

    @cached_property
    def _sizes(self) -> tuple[int, int]:
        """The numbers of coordinates and speeds."""
        state = self.plant.about.state
        return sum(map(Q.holds, state)), sum(map(U.holds, state))

    @cached_property
    def _jacobian(self) -> Bound:
        if self.plant.jacobian is None:
            raise ArgumentError(f"{self.plant.about.system}: the plan has no Jacobian; plan it for an implicit method")
        return self.function(self.plant.jacobian)

    def jacobian(self, t: float, x: Array) -> Array:
        """∂ẋ/∂x: M⁻¹ applied to the rows of the speeds, or with constraints [M −Gᵀ; G 0]⁻¹, the others as they are."""
        n, m = self._sizes
        solution = self.plant.programs.get("solution")
        values: dict[str, Any] = {"t": t, "x": x, "inputs": self.plant.inputs}
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


def solve_constrained(M: Array, G: Array, force: Array, gamma: Array) -> Array:
    """u̇ of M u̇ = force + Gᵀλ, G u̇ = gamma, for several columns. Rows of G that depend on those before them are left
    out."""
    S = G @ np.linalg.solve(M, G.T)
    kept = independent_rows(S)
    m, rows = len(M), G[kept]
    scale = 1 / np.sqrt(np.maximum(np.diag(M), np.finfo(float).tiny))
    sizes = np.concatenate([scale, 1 / np.sqrt(S[kept, kept])])
    whole = np.block([[M, -rows.T], [rows, np.zeros((len(kept), len(kept)))]]) * sizes[:, None] * sizes
    solution = np.linalg.solve(whole, sizes[:, None] * np.vstack([force, gamma[kept]]))
    return np.asarray((sizes[:, None] * solution)[:m])


def independent_rows(S: Array) -> list[int]:
    """The rows of S = G M⁻¹ Gᵀ that do not depend on those before them, by the rule of eliminations
    (``PIVOT_TOLERANCE``); rows that are zero except for rounding are left out too."""
    kept = list[int]()
    for k in np.flatnonzero(np.diag(S) > PIVOT_TOLERANCE**2 * np.diag(S).max(initial=0.0)).tolist():
        pivot = S[k, k] - S[k, kept] @ np.linalg.solve(S[np.ix_(kept, kept)], S[kept, k])
        kept += [k] if pivot > PIVOT_TOLERANCE * S[k, k] else []
    return kept
