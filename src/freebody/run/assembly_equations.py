"""The equations of all constraints as programs, with what else an assembly needs at a configuration: springs, masses,
captured poses."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from freebody.backends import Function, compile
from freebody.backends.gradual import GradualFunction
from freebody.formulations.derivation import Derivation
from freebody.names import ENGAGED
from freebody.program.program import Program
from freebody.run.initial import modal_stiffness
from freebody.scalar.derivative import jacobian
from freebody.scalar.expr import Expr, where
from freebody.scalar.node import Node
from freebody.tree.assembly import DEPENDENT, angular_coordinates, angular_speeds, lengths
from freebody.tree.constraints import ConstraintEquations
from freebody.tree.energy import springs
from freebody.tree.independence import dependence

Array = NDArray[np.float64]

DIFFERENCE = 1e-5
"""The change of coordinates for differences of the gradient of springs."""

SETTLED = 1e-14
"""The largest residual that is taken for rounding, as a fraction of the same derivative, times 1 + |q| or 1 + |u|."""


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
        self.equations, self.angles = equations, angular_speeds(e.tree)
        self.turning, self.lengths = angular_coordinates(e.tree), lengths(e.tree)
        self.modal_stiffness = modal_stiffness(e)
        g, self.turned = e.graph, list[str]()
        self.residuals = [g.zero if h is None else h for h in equations.residuals]
        for name, constraint in e.tree.model.constraints.items():
            cosines = constraint.cosines(e.formulation.motion)
            self.residuals += [g.sub(cosine.handle, g.one) for cosine in cosines]
            self.turned += [name] * len(cosines)
        names, sizes = [key.constraint for key in equations.rows], dependence(e.tree.model).sizes
        self._terms = np.array([sizes.get(key, 0.0) for key in equations.rows])
        self._first = np.array([k for k, name in enumerate(names) if name not in names[:k]], np.intp)
        self._constraint = np.searchsorted(self._first, np.arange(len(names)), side="right") - 1
        corrections, states = equations.state_corrections, e.tree.model.states.values()
        self.has_states = bool(corrections)
        self._corrections = [corrections.get(state.symbol.handle, g.zero) for state in states]
        every, inputs = e.tree.model.constraints, e.layout.inputs
        self._closures = [c for c in every.values() if c.captures]
        self.pose_inputs = {c.name: [inputs.index(n) for n in c.pose_names] for c in self._closures}
        z = list(e.layout.z)
        self.posed_states = {c.name: {z.index(n): x for n, x in c.captured_states.items()} for c in self._closures}
        self.flag_inputs = {name: inputs.index(ENGAGED(name)) for name, c in every.items() if c.engaged is not None}
        self._functions = dict[str, Function]()

    @cached_property
    def _gradients(self) -> dict[tuple[int, int], Node]:
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

    @cached_property
    def springs(self) -> "SpringEnergies | None":
        """The springs of the system, without those of flexible bodies; None if there are none."""
        found = SpringEnergies(self.e)
        return found if found.names else None

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

        def size(handles: Iterable[Node]) -> Expr:
            return sum((abs(Expr(g, h)) for h in handles if not g.vanishes(h)), zero)

        sizes = [size(row) for row in equations.jacobian]
        wholes = dict.fromkeys(constraint, zero)
        for own, name in zip(sizes, constraint, strict=True):
            wholes[name] += own
        q, u = one + size(self.e.layout.q_handles), one + size(self.e.layout.u_handles)
        states = zip(self._corrections, self.e.groups()["z"], strict=True)
        distance = sum((size([c]) / (one + size([z])) for c, z in states if not g.vanishes(c)), zero)
        flags = {name: c.flag(g) for name, c in self.e.tree.model.constraints.items()}
        of_rows = [self.e.tree.model.constraints[key.constraint].row_flag(g, key.row) for key in equations.rows]

        def held(value: Expr, flag: Expr | None) -> Expr:
            return value if flag is None else value * flag

        rows = zip(sizes, constraint, of_rows, self.residuals, equations.velocities, self._terms.tolist(), strict=False)
        for own, name, flag, phi, speed, terms in rows:
            whole = wholes[name]
            scale = where(own <= DEPENDENT * whole, where(whole <= 0, one, whole), own)
            scale = one * terms if terms else scale
            distance += held(size([phi]) / (scale * q) + size([speed]) / (scale * u), flag)
        for cosine, name in zip(self.residuals[len(sizes) :], self.turned, strict=True):
            distance += held(where(Expr(g, cosine) > -1, zero, one), flags[name])
        a = self.e.assembly("distance")
        a.output("distance", [distance.handle])
        return GradualFunction(a.program())


class SpringEnergies:
    """The energies of springs, by name, and their stiffness."""

    def __init__(self, e: Derivation) -> None:
        g, energies = e.graph, dict[str, Expr]()
        for name, energy in springs(e.formulation.motion):
            energies[name] = energies[name] + energy if name in energies else energy
        energies = {name: energy for name, energy in energies.items() if not g.vanishes(energy.handle)}
        self.names = tuple(energies)
        handles = [energy.handle for energy in energies.values()]
        total = sum(energies.values(), Expr(g, g.zero))
        gradient = jacobian(g, [total.handle], e.layout.q_handles)
        a = e.assembly("springs")
        a.output("energies", handles)
        a.output("gradient", [gradient.get((0, j), g.zero) for j in range(len(e.layout.q))])
        self.program = a.program()

    @cached_property
    def _function(self) -> Function:
        return compile(self.program, "numpy", staged=False)

    def at(self, values: Mapping[str, Array], q: Array) -> tuple[Array, Array]:
        """The energies and their gradient, at coordinates or at rows of them."""
        shape = q.shape[:-1]
        rows = {**values, "q": q}
        groups = (rows.get(g.name, np.zeros(g.size)) for g in self._function.groups)
        with np.errstate(all="ignore"):
            at = cast(dict[str, Array], self._function(*(np.broadcast_to(r, (*shape, r.shape[-1])) for r in groups)))
        return at["energies"], at["gradient"]

    def stiffness(self, values: Mapping[str, Array], q: Array, N: Array) -> Array:
        """The second derivatives of the energies along the speeds, by differences of the gradient."""
        n = N.shape[1]
        ends = q + DIFFERENCE * np.concatenate([N.T, -N.T])
        gradient = self.at(values, ends)[1]
        K = (gradient[:n] - gradient[n:]) @ N / (2 * DIFFERENCE)
        return np.where(np.isfinite(K), (K + K.T) / 2, 0.0)


def assembly_equations(e: Derivation) -> AssemblyEquations:
    return e.memo.get("assembly", lambda: AssemblyEquations(e))
