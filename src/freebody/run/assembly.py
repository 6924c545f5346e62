"""States that satisfy the constraints of a system: rough coordinates and speeds are made consistent, those that are
held stay as they are."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from freebody.backends import Function, compile
from freebody.errors import ArgumentError
from freebody.formulations.derivation import Derivation
from freebody.model.cut_coordinates import settled_states
from freebody.names import Q, U
from freebody.results.about import About
from freebody.run import arguments
from freebody.run.bodies import body_infos
from freebody.run.initial import InitialValues, default_state, given_states, initial_state, state_keys, states_named
from freebody.run.inputs import parameter_values
from freebody.scalar.derivative import jacobian
from freebody.tree.assembly import ResidualsAt, angular_speeds, assemble_coordinates, move
from freebody.tree.constraints import ConstraintEquations
from freebody.tree.forest import quaternions

Array = NDArray[np.float64]
Held = Collection[int]
"""Indices in x of the coordinates and speeds that stay as they are."""

CLOSED = 1e-9
"""The largest residual of an assembled state, as a fraction of the largest derivative in its row of G."""

DEPENDENT = 1e-10
"""Singular values of G below this fraction of the largest are taken as zero."""

SPREADS = (0.05, 0.2, 0.2, 0.8, 0.8, 0.8, 3.0, 3.0, 3.0, 3.0)
"""How far from the guess (in rad, or in lengths of the mechanism) the search begins again where it fails, or where it
closes a joint half a turn away."""

LIGHT = 1e-6
"""The smallest weight of a speed, as a fraction of the largest."""

MANY = 100
"""From so many states on, machine code is compiled for their assembly."""


def assemble(
    e: Derivation, defaults: Mapping[str, float], q: InitialValues, u: InitialValues, t: Any,
    parameters: Mapping[str, float] | None, hold: Any,
) -> tuple[Array, Array]:  # fmt: skip
    """q and u that satisfy the constraints (see ``Equations.assemble``)."""
    values, time = parameter_values(e, defaults, parameters), arguments.number(t, "t")
    about = About(e.forest.model.name, "", body_infos(e, values), (), state_keys(e), quaternions(e.forest))
    x = initial_state(about, default_state(e), q=q, u=u)
    held = given_states(about, **{group: v for group, v in (("q", q), ("u", u)) if isinstance(v, Mapping)})
    for name in arguments.names(hold, "hold"):
        groups = [g for g in (Q, U) if g.holds(name)] or [Q] + [U] * (u is not None)
        held |= {k for g in groups for k in states_named(about, g.letter, g.strip(name))}
    x = Assembler(e).state(x, held, np.array(list(values.values())), time)
    n, m = len(e.layout.q), len(e.layout.u)
    return x[:n], x[n : n + m]


def assemble_cases(
    e: Derivation, x: Array, held: Held, parameters: Array, t: float
) -> tuple[Array, NDArray[np.object_]]:
    """Initial states of many cases that satisfy the constraints, and for each case why there is none, "" where there
    is one. ``parameters`` are one row for all cases, or a row for each."""
    refused = np.full(len(x), "", object)
    if not e.forest.model.constraints:
        return x, refused
    assembler, states = Assembler(e, len(x)), x.copy()
    for k in range(len(x)):
        try:
            states[k] = assembler.state(x[k], held, parameters[k] if parameters.ndim == 2 else parameters, t)
        except ArgumentError as error:
            refused[k] = str(error)
    return states, refused


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
    """The equations of all constraints, also of those that follow from others, as a program: φ and ∂φ/∂q, G u + offset
    and G, N of q̇ = N u + n, and the diagonal of M. (G is the derivative of φ where φ = 0 only.) Behind the other
    residuals are those that closures are half a turn away: cosines minus 1, which are −2 there. ``corrections`` are
    those of extra states of constraints, at the given coordinates."""

    def __init__(self, e: Derivation) -> None:
        equations = ConstraintEquations(e.formulation.motion)
        self.rows = list[AssemblyRow]()
        g, self.turned = e.graph, list[str]()
        residuals = [g.zero if h is None else h for h in equations.residuals]
        for name, constraint in e.forest.model.constraints.items():
            cosines = constraint.cosines(e.formulation.motion)
            residuals += [g.sub(cosine.handle, g.one) for cosine in cosines]
            self.turned += [name] * len(cosines)
        gradients = jacobian(g, residuals, e.layout.q_handles)
        changing = {i for i, _ in gradients}
        for k, (key, row) in enumerate(equations.rows.items()):
            holonomic, unit = row.residual is not None, row.unit
            rate = (f"{unit}/s" if unit else "1/s") if holonomic else unit
            self.rows.append(AssemblyRow(key.constraint, row.label, holonomic, k in changing, unit, rate))
        names = [row.constraint for row in self.rows]
        self.constraint = np.array([names.index(name) for name in names], np.intp)
        a, zero = e.assembly("assembly"), g.zero
        m, n, nq = len(self.rows), len(e.layout.u), len(e.layout.q)
        rates = jacobian(g, e.q_dot, e.layout.u_handles)
        every = range(len(residuals))
        a.output("phi", residuals)
        a.output("gradients", [[gradients.get((i, j), zero) for j in range(nq)] for i in every], (len(every), nq))
        a.output("offset", equations.velocities)
        a.output("G", equations.jacobian, (m, n))
        a.output("N", [[rates.get((i, j), zero) for j in range(n)] for i in range(nq)], (nq, n))
        a.output("inertia", [e.mass.get((k, k), zero) for k in range(n)])
        corrections, states = equations.state_corrections, e.forest.model.states.values()
        self.has_states = bool(corrections)
        a.output("corrections", [corrections.get(state.symbol.handle, zero) for state in states])
        self.program, self._functions = a.program(), dict[str, Function]()

    def function(self, backend: str) -> Function:
        if backend not in self._functions:
            self._functions[backend] = compile(self.program, backend, staged=False)
        return self._functions[backend]


class Assembler:
    """Makes states consistent with the constraints of equations. ``count`` is the number of states to come."""

    def __init__(self, e: Derivation, count: int = 1) -> None:
        self.e, self.forest = e, e.forest
        self.n, self.m = len(e.layout.q), len(e.layout.u)
        self.rows: Sequence[AssemblyRow] = ()
        if e.forest.model.constraints:
            self.equations = e.memo.get("assembly", lambda: AssemblyEquations(e))
            self.function = self.equations.function("llvm" if count >= MANY else "numpy")
            self.rows = self.equations.rows
            self.angles = angular_speeds(e.forest)
            self.follows = self.equations.has_states

    def state(self, x: Array, held: Held, parameters: Array, t: float) -> Array:
        """The state x = [q, u, z] moved to the constraints, and its speeds changed as little as they require; raises an
        error that names a constraint if there is none with what is held."""
        if not self.rows:
            return x
        problem = _Problem(self, x, held, parameters, t)
        q, at = problem.coordinates()
        return np.concatenate([q, problem.speeds(at), problem.z])


class _Problem:
    """The assembly of one state."""

    def __init__(self, assembler: Assembler, x: Array, held: Held, parameters: Array, t: float) -> None:
        self.of, n, m = assembler, assembler.n, assembler.m
        self.guess, self.u, self.z, self.held = x[:n], x[n : n + m], x[n + m :], sorted(held)
        self.held_q = [k for k in self.held if k < n]
        for k in quaternions(assembler.forest):
            if any(k <= i < k + 4 for i in self.held_q):
                self.held_q = sorted({*self.held_q, k, k + 1, k + 2, k + 3})
        self.held_u = [k - n for k in self.held if n <= k < n + m]
        self.values = {"parameters": parameters, "t": np.array([t])}
        self.t = t

    def at(self, q: Array) -> dict[str, Array]:
        """The program at u = 0, where G u + offset is the offset, and at extra states of constraints that follow q."""
        f = self.of.function

        def evaluate(z: Array) -> dict[str, Array]:
            values = {**self.values, "q": q, "z": z}
            with np.errstate(all="ignore"):
                return cast(dict[str, Array], f(*(values.get(g.name, np.zeros(g.size)) for g in f.groups)))

        if self.of.follows:
            self.z = settled_states(lambda z: evaluate(z)["corrections"], self.z)
        return evaluate(self.z)

    def weights(self, at: Mapping[str, Array]) -> Array:
        """√M_kk of each speed: steps are the shortest in this measure, whatever the units."""
        inertia = np.maximum(np.where(np.isfinite(at["inertia"]), at["inertia"], 0.0), 0.0)
        largest = float(inertia.max(initial=0.0)) or 1.0
        return np.sqrt(np.maximum(inertia, LIGHT * largest))

    def position(self, q: Array) -> ResidualsAt:
        at = self.at(q)
        free = np.diag(1 / self.weights(at))
        if self.held_q:
            _, s, V = np.linalg.svd(at["N"][self.held_q] @ free)
            free = free @ V[np.count_nonzero(s > DEPENDENT * s.max(initial=0.0)) :].T
        return ResidualsAt(at["phi"], at["gradients"] @ at["N"], free)

    def move(self, q: Array, delta: Array) -> Array:
        moved = move(self.of.forest, q, delta)
        moved[self.held_q] = self.guess[self.held_q]
        return moved

    # Coordinates

    def coordinates(self) -> tuple[Array, dict[str, Array]]:
        """The coordinates, and the program's values at them."""
        first: dict[str, Array] | None = None
        for start in self.starts():
            q, _ = assemble_coordinates(self.position, self.move, start, self.of.angles)
            at = self.at(q)
            if self.off(at) is None and np.all(at["phi"][len(self.of.rows) :] > -1):
                return q, at
            first = first or at
            if not self.worth_repeating(at):
                break
        assert first is not None
        raise self.failure(first)

    def starts(self) -> Iterator[Array]:
        """The guess, and coordinates around it."""
        yield self.guess
        lengths = np.abs(self.position(self.guess).G[:, self.of.angles])
        length = float(np.where(np.isfinite(lengths), lengths, 0.0).max(initial=0.0)) or 1.0
        for seed, spread in enumerate(SPREADS):
            delta = spread * np.random.default_rng(seed).uniform(-1, 1, self.of.m)
            free = self.position(self.guess).free
            delta = free @ np.linalg.pinv(free) @ np.where(self.of.angles, delta, length * delta)
            yield self.move(self.guess, delta)

    def scales(self, G: Array) -> Array:
        """The size of each equation: its largest derivative, or that of others of the same constraint where its own is
        rounding."""
        sizes, constraint = np.abs(G).max(axis=1, initial=0.0), self.of.equations.constraint
        largest = np.zeros(len(sizes))
        np.maximum.at(largest, constraint, sizes)
        sizes = np.where(sizes > DEPENDENT * largest[constraint], sizes, largest[constraint])
        return np.where(sizes > 0, sizes, 1.0)

    def off(self, at: Mapping[str, Array]) -> int | None:
        """The equation of coordinates with the largest residual; None if all are satisfied."""
        sizes = np.abs(at["phi"][: len(self.of.rows)]) / self.scales(at["G"])
        k = int(np.argmax(np.where(np.isfinite(sizes), sizes, np.inf)))
        return None if sizes[k] <= CLOSED else k

    def worth_repeating(self, at: Mapping[str, Array]) -> bool:
        """Whether other coordinates may satisfy what these do not."""
        k = self.off(at)
        return len(self.held_q) < self.of.n and (k is None or self.of.rows[k].moves)

    def failure(self, at: Mapping[str, Array]) -> ArgumentError:
        k, system = self.off(at), f"{self.of.forest.model.name}"
        if k is None:
            name = self.of.equations.turned[int(np.argmin(at["phi"][len(self.of.rows) :]))]
            return ArgumentError(
                f"{system}: constraint '{name}' closes here only half a turn away: the axes of its joint in the two"
                f" bodies are opposite{self.with_held(self.held_q)}. Give a guess nearer to the closed position, or"
                " turn one side of the joint by orient or orient_to"
            )
        row, phi = self.of.rows[k], at["phi"][k]
        off = f"is off by {abs(phi):.3g} {row.unit}".rstrip() if np.isfinite(phi) else "has no finite value"
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
                f"{system}: {row} cannot be satisfied: it {off}{self.with_held(self.held_q)}. Free one of these, so"
                " that it can adjust, or change lengths"
            )
        return ArgumentError(
            f"{system}: {row} cannot be satisfied: it {off} at the nearest state that was reached from the guess. Give"
            " a guess nearer to an assembled state, or change lengths; it may contradict other constraints"
        )

    def with_held(self, indices: Collection[int]) -> str:
        keys = state_keys(self.of.e)
        return f", with {', '.join(keys[k] for k in indices)} held as given" if indices else ""

    # Speeds

    def speeds(self, at: Mapping[str, Array]) -> Array:
        """G u + offset = 0, with the smallest change of the speeds that are not held."""
        G, offset, u = at["G"], at["offset"], self.u.copy()
        free = np.array([k for k in range(self.of.m) if k not in self.held_u], np.intp)
        weights = self.weights(at)[free]
        inverse = np.linalg.pinv(G[:, free] / weights, rcond=DEPENDENT)
        for _ in range(2):  # once more, against rounding
            u[free] -= (inverse @ (G @ u + offset)) / weights
        left = np.abs(G @ u + offset)
        sizes = left / (self.scales(G) * max(1.0, float(np.abs(u).max(initial=0.0))))
        k = int(np.argmax(sizes))
        if sizes[k] <= CLOSED:
            return u
        row, held = self.of.rows[k], [self.of.n + i for i in self.held_u]
        how = f"changes at {left[k]:.3g} {row.rate_unit}" if row.holonomic else f"is off by {left[k]:.3g} {row.unit}"
        advice = "Free one of these" if held else "Constraints or prescribed motions contradict each other; change one"
        raise ArgumentError(
            f"{self.of.forest.model.name}: {row} does not allow these speeds: it {how.rstrip()}{self.with_held(held)}."
            f" {advice}"
        )
