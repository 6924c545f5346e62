"""States that satisfy the constraints of a system: rough coordinates and speeds are made consistent, those that are
held stay as they are."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from freebody.backends import Function, compile
from freebody.backends.gradual import GradualFunction
from freebody.errors import ArgumentError
from freebody.formulations.derivation import Derivation
from freebody.formulations.rolled import Rolled
from freebody.model.constraints import Closure
from freebody.model.cut_coordinates import settled_states
from freebody.names import ENGAGED, Q, U
from freebody.program.program import Program
from freebody.results.about import About
from freebody.run import arguments
from freebody.run.bodies import body_infos
from freebody.run.initial import (
    STIFF,
    InitialValues,
    default_state,
    given_states,
    initial_state,
    modal_states,
    modal_stiffness,
    state_keys,
    states_named,
)
from freebody.run.inputs import parameter_values
from freebody.run.rolled_assembly import RolledAssembler
from freebody.run.switching import engaged_at_start
from freebody.scalar.derivative import jacobian
from freebody.scalar.expr import Expr, where
from freebody.tree.assembled_samples import pose_numbers
from freebody.tree.assembly import ResidualsAt, angular_speeds, assemble_coordinates, move
from freebody.tree.constraints import ConstraintEquations
from freebody.tree.forest import quaternions
from freebody.tree.independence import dependence

Array = NDArray[np.float64]
Held = Collection[int]
"""Indices in x of the coordinates and speeds that stay as they are."""

CLOSED = 1e-9
"""The largest residual of an assembled state, as a fraction of the largest derivative in its row of G."""

SETTLED = 1e-14
"""The largest residual that is taken for rounding, as a fraction of the same derivative, times 1 + |q| or 1 + |u|."""

DEPENDENT = 1e-10
"""Singular values of G below this fraction of the largest are taken as zero."""

MODES = ("held", "free")
"""Whether flexible bodies keep their deformation in an assembly, or bend to satisfy the constraints."""

SPREADS = (0.05, 0.2, 0.2, 0.8, 0.8, 0.8, 3.0, 3.0, 3.0, 3.0)
"""How far from the guess (in rad, or in lengths of the mechanism) the search begins again where it fails, or where it
closes a joint half a turn away."""

LIGHT = 1e-6
"""The smallest weight of a speed, as a fraction of the largest."""

MANY = 100
"""From so many states on, machine code is compiled for their assembly."""

CHUNK = 1024
"""States that are inspected together."""


def assemble(
    e: Derivation, defaults: Mapping[str, float], q: InitialValues, u: InitialValues, t: Any,
    parameters: Mapping[str, float] | None, hold: Any, engaged: Any = None, modes: Any = "held",
) -> tuple[Array, Array]:  # fmt: skip
    """q and u that satisfy the constraints (see ``Equations.assemble``)."""
    if not isinstance(modes, str) or modes not in MODES:
        raise ArgumentError(f"modes must be 'held' or 'free', not {arguments.shorten(modes)}")
    values, time = parameter_values(e, defaults, parameters), arguments.number(t, "t")
    about = About(e.forest.model.name, "", body_infos(e, values), (), state_keys(e), quaternions(e.forest))
    x = initial_state(about, default_state(e), q=q, u=u)
    held = given_states(about, **{group: v for group, v in (("q", q), ("u", u)) if isinstance(v, Mapping)})
    for name in arguments.names(hold, "hold"):
        groups = [g for g in (Q, U) if g.holds(name)] or [Q] + [U] * (u is not None)
        held |= {k for g in groups for k in states_named(about, g.letter, g.strip(name))}
    inputs = dict(zip(e.layout.inputs, e.layout.default_inputs, strict=True)) | engaged_at_start(e, engaged)
    row, free = np.array(list(values.values())), modes == "free"
    x = Assembler(e).state(x, held, row, time, np.array([*inputs.values()]), bend=free).x
    n, m = len(e.layout.q), len(e.layout.u)
    return x[:n], x[n : n + m]


def assemble_cases(
    e: Derivation, x: Array, held: Held, parameters: Array, inputs: Array, t: float
) -> tuple[Array, Array, NDArray[np.object_]]:
    """Initial states of many cases that satisfy the constraints, their inputs with captured poses, and for each case
    why there is no state, "" where there is one. ``parameters`` and ``inputs`` are one row for all cases, or a row for
    each."""
    refused = np.full(len(x), "", object)
    if not e.forest.model.constraints:
        return x, inputs, refused
    if isinstance(e, Rolled) and RolledAssembler.supports(e):
        return _assemble_rolled(e, x, held, parameters, inputs, t)

    def of(rows: Array, k: int | slice) -> Array:
        return np.asarray(rows[k] if rows.ndim == 2 else rows)

    states, equations = x.copy(), assembly_equations(e)
    parts = [slice(k, k + CHUNK) for k in range(0, len(x), CHUNK)]
    satisfied = [equations.satisfied(x[k], of(parameters, k), t, of(inputs, k)) for k in parts]
    others = np.flatnonzero(~np.concatenate([*satisfied, np.ones(0, bool)]))
    assembler, captures = Assembler(e, len(others)), bool(equations.pose_inputs)
    inputs = np.array(np.broadcast_to(inputs, (len(x), inputs.shape[-1]))) if captures else inputs
    for k in others.tolist():
        try:
            state = assembler.state(x[k], held, of(parameters, k), t, of(inputs, k))
        except ArgumentError as error:
            refused[k] = str(error)
            continue
        states[k] = state.x
        if captures:
            inputs[k] = state.inputs
    return states, inputs, refused


def _assemble_rolled(
    e: Rolled, x: Array, held: Held, parameters: Array, inputs: Array, t: float
) -> tuple[Array, Array, NDArray[np.object_]]:
    """``assemble_cases`` of loops over bodies."""
    assembler, states, refused = Assembler(e), x.copy(), np.full(len(x), "", object)
    for k in range(len(x)):
        own = [np.asarray(rows[k] if rows.ndim == 2 else rows) for rows in (parameters, inputs)]
        try:
            states[k] = assembler.state(x[k], held, own[0], t, own[1]).x
        except ArgumentError as error:
            refused[k] = str(error)
    return states, inputs, refused


class AssemblyRow(NamedTuple):
    """An equation: its constraint, its label there, whether it restricts coordinates, whether φ depends on any of them,
    and the units of φ and of G u."""

    constraint: str
    label: str
    holonomic: bool
    moves: bool
    unit: str
    rate_unit: str

    def __str__(self) -> str:
        return f"constraint '{self.constraint}'" + (f" ({self.label})" if self.label else "")


class AssemblyEquations:
    """The equations of all constraints, also of those that follow from others, as programs that are derived when they
    are first needed."""

    def __init__(self, e: Derivation) -> None:
        self.e, equations = e, ConstraintEquations(e.formulation.motion)
        self.equations, self.angles = equations, angular_speeds(e.forest)
        self.stiffness = modal_stiffness(e)
        g, self.turned = e.graph, list[str]()
        self.residuals = [g.zero if h is None else h for h in equations.residuals]
        for name, constraint in e.forest.model.constraints.items():
            cosines = constraint.cosines(e.formulation.motion)
            self.residuals += [g.sub(cosine.handle, g.one) for cosine in cosines]
            self.turned += [name] * len(cosines)
        names, sizes = [key.constraint for key in equations.rows], dependence(e.forest.model).sizes
        self._terms = np.array([sizes.get(key, 0.0) for key in equations.rows])
        self._first = np.array([k for k, name in enumerate(names) if name not in names[:k]], np.intp)
        self._constraint = np.searchsorted(self._first, np.arange(len(names)), side="right") - 1
        corrections, states = equations.state_corrections, e.forest.model.states.values()
        self.has_states = bool(corrections)
        self._corrections = [corrections.get(state.symbol.handle, g.zero) for state in states]
        every, inputs = e.forest.model.constraints, e.layout.inputs
        self._closures = [c for c in every.values() if isinstance(c, Closure) and c.capture]
        self.pose_inputs = {c.name: [inputs.index(n) for n in c.pose_names] for c in self._closures}
        z = list(e.layout.z)
        self.posed_states = {c.name: {z.index(n): x for n, x in c.captured_states.items()} for c in self._closures}
        self.flag_inputs = {name: inputs.index(ENGAGED(name)) for name, c in every.items() if c.engaged is not None}
        self._functions = dict[str, Function]()

    @cached_property
    def _gradients(self) -> dict[tuple[int, int], int]:
        """∂φ/∂q, the entries that are not zero."""
        return jacobian(self.e.graph, self.residuals, self.e.layout.q_handles)

    @cached_property
    def rows(self) -> list[AssemblyRow]:
        changing, rows = {i for i, _ in self._gradients}, list[AssemblyRow]()
        for k, (key, row) in enumerate(self.equations.rows.items()):
            holonomic, unit = row.residual is not None, row.unit
            rate = (f"{unit}/s" if unit else "1/s") if holonomic else unit
            rows.append(AssemblyRow(key.constraint, row.label, holonomic, k in changing, unit, rate))
        return rows

    def scales(self, G: Array) -> Array:
        """The size of each equation: its largest derivative, or that of others of the same constraint where its own is
        rounding; of equations that no speed changes that of their terms. G may be one matrix or several."""
        sizes = np.abs(G).max(axis=-1, initial=0.0)
        largest = np.maximum.reduceat(sizes, self._first, axis=-1)[..., self._constraint]
        sizes = np.maximum(np.where(sizes > DEPENDENT * largest, sizes, largest), self._terms)
        return np.where(sizes > 0, sizes, 1.0)

    def function(self, backend: str) -> Function:
        """φ, the gaps that users measure, and ∂φ/∂q; G u + offset and G, N of q̇ = N u + n, and the diagonal of M. (G is
        the derivative of φ where φ = 0 only.) Behind the other residuals are those that closures are half a turn away:
        cosines minus 1, which are −2 there. ``corrections`` are those of extra states of constraints, at the given
        coordinates; ``poses`` those that closures would capture."""
        if backend not in self._functions:
            self._functions[backend] = compile(self._program, backend, staged=False)
        return self._functions[backend]

    @cached_property
    def _program(self) -> Program:
        e, equations, every = self.e, self.equations, range(len(self.residuals))
        a, zero = e.assembly("assembly"), e.graph.zero
        m, n, nq = len(equations.rows), len(e.layout.u), len(e.layout.q)
        rates = jacobian(e.graph, e.q_dot, e.layout.u_handles)
        a.output("phi", self.residuals)
        gaps = [row.residual if row.gap is None else row.gap for row in equations.rows.values()]
        a.output("gaps", [zero if gap is None else gap.handle for gap in gaps])
        a.output("gradients", [[self._gradients.get((i, j), zero) for j in range(nq)] for i in every], (len(every), nq))
        a.output("offset", equations.velocities)
        a.output("G", equations.jacobian, (m, n))
        a.output("N", [[rates.get((i, j), zero) for j in range(n)] for i in range(nq)], (nq, n))
        a.output("inertia", [e.mass.get((k, k), zero) for k in range(n)])
        a.output("corrections", self._corrections)
        poses = [c.meeting_pose(e.formulation.motion) for c in self._closures]
        a.output("poses", poses, (len(poses), 12))
        return a.program()

    def satisfied(self, x: Array, parameters: Array, t: float, inputs: Array | None = None) -> NDArray[np.bool_]:
        """Whether states (a row each) satisfy the constraints except for rounding, so that nothing has to be assembled.
        ``parameters`` and ``inputs`` are one row for all states, or a row for each."""
        n, m = len(self.e.layout.q), len(self.e.layout.u)
        rows = {"parameters": parameters, "t": np.array([t]), "q": x[:, :n], "u": x[:, n : n + m], "z": x[:, n + m :]}
        rows["inputs"] = np.array(self.e.layout.default_inputs) if inputs is None else inputs
        return np.asarray(self._distance(rows, len(x))[:, 0] <= SETTLED)

    @cached_property
    def _distance(self) -> GradualFunction:
        """How far a state is from the constraints, as one number: the sum of |φ| and |G u + offset|, each divided by
        the size of its row of G and by 1 + Σ|q| or 1 + Σ|u|, of the corrections of extra states, and of 1 for each
        closure that is half a turn away. It is NaN where one of them or a size is. Constraints that are released do not
        count."""
        g, equations, constraint = self.e.graph, self.equations, [key.constraint for key in self.equations.rows]
        zero, one = Expr(g, g.zero), Expr(g, g.one)

        def size(handles: Iterable[int]) -> Expr:
            return sum((abs(Expr(g, h)) for h in handles if not g.vanishes(h)), zero)

        sizes = [size(row) for row in equations.jacobian]
        wholes = dict.fromkeys(constraint, zero)
        for own, name in zip(sizes, constraint, strict=True):
            wholes[name] += own
        q, u = one + size(self.e.layout.q_handles), one + size(self.e.layout.u_handles)
        states = zip(self._corrections, self.e.groups()["z"], strict=True)
        distance = sum((size([c]) / (one + size([z])) for c, z in states if not g.vanishes(c)), zero)
        flags = {name: c.flag(g) for name, c in self.e.forest.model.constraints.items()}

        def held(value: Expr, name: str) -> Expr:
            flag = flags[name]
            return value if flag is None else value * flag

        rows = zip(sizes, constraint, self.residuals, equations.velocities, self._terms.tolist(), strict=False)
        for own, name, phi, speed, terms in rows:
            whole = wholes[name]
            scale = where(own <= DEPENDENT * whole, where(whole <= 0, one, whole), own)
            scale = one * terms if terms else scale
            distance += held(size([phi]) / (scale * q) + size([speed]) / (scale * u), name)
        for cosine, name in zip(self.residuals[len(sizes) :], self.turned, strict=True):
            distance += held(where(Expr(g, cosine) > -1, zero, one), name)
        a = self.e.assembly("distance")
        a.output("distance", [distance.handle])
        return GradualFunction(a.program())


def assembly_equations(e: Derivation) -> AssemblyEquations:
    return e.memo.get("assembly", lambda: AssemblyEquations(e))


class AssembledState(NamedTuple):
    """A state x that satisfies the constraints, and the inputs with the poses that were captured there."""

    x: Array
    inputs: Array


class Assembler:
    """Makes states consistent with the constraints of equations. ``count`` is the number of states to come."""

    def __init__(self, e: Derivation, count: int = 1) -> None:
        self.e, self.forest = e, e.forest
        self.n, self.m = len(e.layout.q), len(e.layout.u)
        self.rolled: RolledAssembler | None = None
        if e.forest.model.constraints and isinstance(e, Rolled) and RolledAssembler.supports(e):
            self.rolled = e.memo.get("rolled assembly", lambda: RolledAssembler(e))
        dense = e.forest.model.constraints and self.rolled is None
        self.equations = assembly_equations(e) if dense else None
        self.backend = "llvm" if count >= MANY else "numpy"
        self.modal = modal_states(e)

    def state(
        self, x: Array, held: Held, parameters: Array, t: float, inputs: Array | None = None,
        keep: Collection[str] = (), bend: bool = False,
    ) -> AssembledState:  # fmt: skip
        """The state x = [q, u, z] moved to the constraints that are engaged, and its speeds changed as little as they
        require; raises an error that names a constraint if there is none with what is held. Closures that capture a
        pose do so at the assembled coordinates and do not change these, except those that ``keep`` their pose. Modal
        coordinates and speeds are held too unless flexible bodies may ``bend``."""
        equations = self.equations
        inputs = np.array(self.e.layout.default_inputs if inputs is None else inputs, float)
        modal = set[int]() if bend else self.modal.difference(held)
        if self.rolled is not None:
            return AssembledState(self.rolled.state(x, held, parameters, t, inputs, modal), inputs)
        if equations is None or equations.satisfied(x[None, :], parameters, t, inputs)[0]:
            return AssembledState(x, inputs)
        posed = {name for name in equations.pose_inputs if name not in keep}
        problem = _Problem(self, equations, x, held, modal, parameters, t, inputs, posed)
        q, at = problem.coordinates()
        if posed:
            at = problem.capture(q, at)
        return AssembledState(np.concatenate([q, problem.speeds(at), problem.z]), inputs)


class _Problem:
    """The assembly of one state. ``held`` are the states that the user gives, ``modal`` those of modes that are held as
    well."""

    def __init__(
        self, assembler: Assembler, equations: AssemblyEquations, x: Array, held: Held, modal: set[int],
        parameters: Array, t: float, inputs: Array, posed: Collection[str],
    ) -> None:  # fmt: skip
        self.of, self.equations, n, m = assembler, equations, assembler.n, assembler.m
        released = {name for name, k in equations.flag_inputs.items() if not inputs[k]}
        open_, self.posed = released.union(posed), posed
        names = [row.constraint for row in equations.rows]
        self.engaged = np.array([name not in released for name in names])
        self.positioned = np.array([name not in open_ for name in (*names, *equations.turned)])
        self.inputs = inputs
        self.function, self.rows = equations.function(assembler.backend), equations.rows
        self.guess, self.u, self.z, self.held = x[:n], x[n : n + m], x[n + m :], sorted({*held, *modal})
        self.modal = modal
        self.held_q = [k for k in self.held if k < n]
        for k in quaternions(assembler.forest):
            if any(k <= i < k + 4 for i in self.held_q):
                self.held_q = sorted({*self.held_q, k, k + 1, k + 2, k + 3})
        self.held_u = [k - n for k in self.held if n <= k < n + m]
        self.values = {"parameters": parameters, "t": np.array([t]), "inputs": inputs}
        self.sizes: Array | None = None  # of the equations at the guess, by which residuals are divided
        self.t = t

    def at(self, q: Array) -> dict[str, Array]:
        """The program at u = 0, where G u + offset is the offset, and at extra states of constraints that follow q.
        Rows of constraints that are released are zero."""
        f = self.function

        def evaluate(z: Array) -> dict[str, Array]:
            values = {**self.values, "q": q, "z": z}
            with np.errstate(all="ignore"):
                return cast(dict[str, Array], f(*(values.get(g.name, np.zeros(g.size)) for g in f.groups)))

        if self.equations.has_states:
            self.z = settled_states(lambda z: evaluate(z)["corrections"], self.z)
        at = evaluate(self.z)
        for names, rows in ((("phi", "gradients"), self.positioned), (("G", "offset"), self.engaged)):
            if not rows.all():
                at |= {name: np.where(rows if at[name].ndim == 1 else rows[:, None], at[name], 0.0) for name in names}
        return at

    def capture(self, q: Array, at: Mapping[str, Array]) -> dict[str, Array]:
        """The program's values after the engaged closures have captured their poses."""
        self.z = self.z.copy()
        for (name, indices), pose in zip(self.equations.pose_inputs.items(), at["poses"], strict=True):
            if name in self.posed and self.inputs[self.equations.flag_inputs[name]]:
                self.inputs[indices] = pose_numbers(pose)
                for state, value in self.equations.posed_states[name].items():
                    self.z[state] = value
        return self.at(q)

    def weights(self, at: Mapping[str, Array]) -> Array:
        """√M_kk of each speed: steps are the shortest in this measure, whatever the units. Modes weigh √K_kk instead,
        the softest one STIFF times √M_kk: bodies bend where joints do not suffice, with little strain energy."""
        inertia = np.maximum(np.where(np.isfinite(at["inertia"]), at["inertia"], 0.0), 0.0)
        largest = float(inertia.max(initial=0.0)) or 1.0
        inertia, K = np.maximum(inertia, LIGHT * largest), self.equations.stiffness
        if K.any():
            inertia = np.maximum(inertia, STIFF**2 * K / np.min(K[K > 0] / inertia[K > 0]))
        return np.sqrt(inertia)

    def position(self, q: Array) -> ResidualsAt:
        at = self.at(q)
        free = np.diag(1 / self.weights(at))
        if self.held_q:
            _, s, V = np.linalg.svd(at["N"][self.held_q] @ free)
            free = free @ V[np.count_nonzero(s > DEPENDENT * s.max(initial=0.0)) :].T
        if self.sizes is None:
            sizes = np.append(self.equations.scales(at["G"]), np.ones(len(self.equations.turned)))
            self.sizes = np.where(np.isfinite(sizes), sizes, 1.0)
        return ResidualsAt(at["phi"] / self.sizes, at["gradients"] @ at["N"] / self.sizes[:, None], free)

    def move(self, q: Array, delta: Array) -> Array:
        moved = move(self.of.forest, q, delta)
        moved[self.held_q] = self.guess[self.held_q]
        return moved

    # Coordinates

    def coordinates(self) -> tuple[Array, dict[str, Array]]:
        """The coordinates, and the program's values at them."""
        first: dict[str, Array] | None = None
        for start in self.starts():
            q, _ = assemble_coordinates(self.position, self.move, start, self.equations.angles)
            at = self.at(q)
            if self.off(at) is None and np.all(at["phi"][len(self.rows) :] > -1):
                return q, at
            first = first or at
            if not self.worth_repeating(at):
                break
        assert first is not None
        raise self.failure(first)

    def starts(self) -> Iterator[Array]:
        """The guess, and coordinates around it."""
        yield self.guess
        at = self.at(self.guess)
        lengths = np.abs((at["gradients"] @ at["N"])[:, self.equations.angles])
        length = float(np.where(np.isfinite(lengths), lengths, 0.0).max(initial=0.0)) or 1.0
        for seed, spread in enumerate(SPREADS):
            delta = spread * np.random.default_rng(seed).uniform(-1, 1, self.of.m)
            free = self.position(self.guess).free
            delta = free @ np.linalg.pinv(free) @ np.where(self.equations.angles, delta, length * delta)
            yield self.move(self.guess, delta)

    def off(self, at: Mapping[str, Array]) -> int | None:
        """The equation of coordinates with the largest residual; None if all are satisfied."""
        sizes = np.abs(at["phi"][: len(self.rows)]) / self.equations.scales(at["G"])
        k = int(np.argmax(np.where(np.isfinite(sizes), sizes, np.inf)))
        return None if sizes[k] <= CLOSED else k

    def worth_repeating(self, at: Mapping[str, Array]) -> bool:
        """Whether other coordinates may satisfy what these do not."""
        k = self.off(at)
        return len(self.held_q) < self.of.n and (k is None or self.rows[k].moves)

    def failure(self, at: Mapping[str, Array]) -> ArgumentError:
        k, system = self.off(at), f"{self.of.forest.model.name}"
        if k is None:
            name = self.equations.turned[int(np.argmin(at["phi"][len(self.rows) :]))]
            return ArgumentError(
                f"{system}: constraint '{name}' closes here only half a turn away: the axes of its joint in the two"
                f" bodies are opposite{self.with_held(self.held_q)}. Give a guess nearer to the closed position, or"
                " turn one side of the joint by orient or orient_to"
            )
        row, gap = self.rows[k], at["gaps"][k]
        off = f"is off by {abs(gap):.3g} {row.unit}".rstrip() if np.isfinite(gap) else "has no finite value"
        if not row.moves:
            return ArgumentError(
                f"{system}: {row} contradicts the joints: it {off}, and no coordinate changes it. Move one of its"
                " points, or take a joint that leaves this motion free"
                if self.of.forest.model.constraints[row.constraint].bodies()
                else f"{system}: {row} cannot be satisfied: it {off}, and no coordinate changes it. Write an expression"
                " of coordinates that can be zero, or leave the constraint out"
            )
        if self.held_q:
            return ArgumentError(
                f"{system}: {row} cannot be satisfied: it {off}{self.with_held(self.held_q)}."
                f" {self.advice(self.held_q, 'free one of these, so that it can adjust', 'change lengths')}"
            )
        return ArgumentError(
            f"{system}: {row} cannot be satisfied: it {off} at the nearest state that was reached from the guess. Give"
            " a guess nearer to an assembled state, or change lengths; it may contradict other constraints"
        )

    def with_held(self, indices: Collection[int]) -> str:
        keys = state_keys(self.of.e)
        given = ", ".join(keys[k] for k in indices if k not in self.modal)
        parts = [f"{given} held as given"] if given else []
        parts += ["the modes of flexible bodies held"] if self.modal.intersection(indices) else []
        return f", with {' and '.join(parts)}" if parts else ""

    def advice(self, indices: Collection[int], free: str, *others: str) -> str:
        """What to do about states that are held: ``free`` those that the user gives, let bodies bend, or others."""
        bend = ["let flexible bodies bend (q, u = s.assemble(…, modes='free'))"]
        parts = [free] if not self.modal.issuperset(indices) else []
        text = ", or ".join([*parts, *(bend if self.modal.intersection(indices) else []), *others])
        return text[0].upper() + text[1:]

    # Speeds

    def speeds(self, at: Mapping[str, Array]) -> Array:
        """G u + offset = 0, with the smallest change of the speeds that are not held."""
        G, offset, u = at["G"], at["offset"], self.u.copy()
        wrong = ~(np.isfinite(G).all(axis=1) & np.isfinite(offset))
        if wrong.any():
            raise ArgumentError(
                f"{self.of.forest.model.name}: {self.rows[int(np.argmax(wrong))]} has no finite rate in this position,"
                " such as the root of a quantity that is 0, or a wheel that lies flat. Begin in another position"
            )
        free = np.array([k for k in range(self.of.m) if k not in self.held_u], np.intp)
        weights = self.weights(at)[free]
        undefined = ~np.isfinite(np.column_stack([G, offset])).all(axis=1)
        if undefined.any():
            row, model = self.rows[int(undefined.argmax())], self.of.forest.model
            smooth = ", or write an equation that is smooth where it holds: q.a - q.b, not sqrt(abs(q.a - q.b))"
            raise ArgumentError(
                f"{model.name}: the derivatives of {row} are not finite at these coordinates, so that no force can keep"
                " it. Give coordinates away from this position"
                + ("" if model.constraints[row.constraint].bodies() else smooth)
            )
        scales = self.equations.scales(G)
        inverse = np.linalg.pinv(G[:, free] / weights / scales[:, None], rcond=DEPENDENT)
        for _ in range(2):  # once more, against rounding
            u[free] -= (inverse @ ((G @ u + offset) / scales)) / weights
        left = np.abs(G @ u + offset)
        sizes = left / (scales * max(1.0, float(np.abs(u).max(initial=0.0))))
        k = int(np.argmax(sizes))
        if sizes[k] <= CLOSED:
            return u
        row, held = self.rows[k], [self.of.n + i for i in self.held_u]
        how = f"changes at {left[k]:.3g} {row.rate_unit}" if row.holonomic else f"is off by {left[k]:.3g} {row.unit}"
        advice = "Constraints or prescribed motions contradict each other; change one"
        advice = self.advice(held, "free one of these") if held else advice
        raise ArgumentError(
            f"{self.of.forest.model.name}: {row} does not allow these speeds: it {how.rstrip()}{self.with_held(held)}."
            f" {advice}"
        )
