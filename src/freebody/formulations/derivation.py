"""The equations of motion of a system: each quantity is a program, derived when it is first needed."""

from collections.abc import Callable, Container, Hashable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Self

import numpy as np

from freebody.errors import ExpressionError, ModelError, UnknownSymbolsError
from freebody.formulations.constrained import (
    ConstrainedSystem,
    augmented,
    convert_multipliers,
    least_squares_shares,
    solve_constrained,
)
from freebody.formulations.formulation import AccelerationSystem, Entry, Formulation, Solution
from freebody.formulations.friction import friction_rows, with_friction
from freebody.formulations.memo import Memo
from freebody.formulations.omission import omission_error
from freebody.formulations.quantity import Quantity
from freebody.formulations.reactions import joint_reactions, reaction_nodes, require_reactions
from freebody.formulations.structure import structure_node
from freebody.model.accelerations import (
    MULTIPLIER,
    REACTION,
    acceleration_symbol,
    accelerations_in,
    multiplier_symbol,
)
from freebody.model.joints.base import scalar
from freebody.model.structure_names import is_structure
from freebody.names import TAU, Q, U
from freebody.program.assemble import Assembly
from freebody.program.count import Operations, count
from freebody.program.program import Program
from freebody.program.stage import stage
from freebody.scalar.derivative import jvp
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import somewhere, substitute, values
from freebody.spatial.vector import components
from freebody.tables import CELL, TableRepr, TextTable, counted, shorten
from freebody.tree.constraints import ConstraintEquations, RowInfo, RowKey
from freebody.tree.energy import kinetic, potential, whole_momentum
from freebody.tree.independence import UNCHANGED, dependence, guarded_rows, omitted_rows
from freebody.tree.mass_matrix import mass_diagonal
from freebody.tree.tree import Link, Tree, input_groups

STABILISATION = ("baumgarte.alpha", "baumgarte.beta")
"""The inputs α and β of stabilised equations."""

UNROLLED = 32
"""Systems of up to this many speeds are solved symbolically; larger ones by a Solve region."""

SAMPLES = 3
DEPENDENT = 1e-10
"""Columns of a joint are tested for independence at so many states, with this tolerance of the rank."""

InsertLaws = Callable[[Sequence[Node]], Sequence[Node]]
"""Returns the nodes of an assembly's graph for nodes of a derivation, with laws in place of inputs."""


MatrixSolver = Callable[[ConstrainedSystem], tuple[list[Node], list[Node]]]
"""Returns u̇ and λ, as ``solve_constrained`` does."""


class Derivation:
    """The equations of motion of one system. ``programs[name]`` derives a quantity; ``operations[name]`` counts it.
    ``solver`` computes u̇ and the multipliers from M, f, G and γ; by default the formulation does it in its own way.
    ``choice`` says for readers how they were derived, and why in this way."""

    choice: str = ""
    rolled: bool = False
    """Whether accelerations and forces are computed by loops over bodies."""

    def __init__(self, formulation: Formulation, small: Sequence[str] = (), solver: MatrixSolver | None = None) -> None:
        self.formulation, self.solver = formulation, solver
        self.tree: Tree = formulation.tree
        self.graph: Graph = self.tree.graph
        self.layout = self.tree.layout
        self.small = self._small_symbols(small)
        self.programs = ProgramTable(self)
        self.memo = Memo()

    def __repr__(self) -> str:
        name, way = self.tree.model.name, type(self.formulation).__name__
        return f"<{type(self).__name__} of {shorten(name, CELL)} ({way}): {counted(len(self.layout.u), 'speed')}>"

    @property
    def fastest(self) -> "Derivation":
        """The equations for simulations: these, unless others of the system have fewer operations."""
        return self

    @property
    def is_cheaper(self) -> bool:
        """Whether the equations are rolled, for a tree that is better rolled."""
        return False

    @cached_property
    def stabilised(self) -> Self:
        """These equations with stabilised constraints: G u̇ = γ − 2α (G u + offset) − β² φ, where α and β are two more
        inputs, ``STABILISATION``, before the held values."""
        g, twin, cls = self.graph, copy(self), type(self)
        for name in [name for name in vars(self) if isinstance(getattr(cls, name, None), cached_property)]:
            vars(twin).pop(name)
        about = "decay of the equations of constraints"
        alpha, beta = (g.symbol(name, Kind.INPUT, about, "1/s") for name in STABILISATION)
        twin.formulation = self.formulation.stabilised(alpha, beta)
        layout = self.layout
        twin.layout = replace(layout, inputs=(*layout.user_inputs, *STABILISATION, *layout.held))
        twin.programs, twin.memo = ProgramTable(twin), Memo()
        return twin

    @property
    def operations(self) -> "Counts":
        """The cost of each quantity per call, without the work that depends on parameters alone."""
        return Counts(self.programs)

    # M u̇ = f + tau

    @cached_property
    def mass(self) -> dict[Entry, Node]:
        """The lower triangle of M."""
        entries = dict(self.formulation.mass)
        self._require_inertia(entries)
        entries = dict(zip(entries, self._truncate(list(entries.values())), strict=True))
        for (i, j), node in entries.items():
            rows = self.layout.u[i], self.layout.u[j]
            self.graph.label(node, f"M_{i + 1}_{j + 1}", f"mass matrix, row {rows[0]}, column {rows[1]}")
        return entries

    def full_mass(self) -> list[list[Node]]:
        n, zero = len(self.layout.u), self.graph.zero
        return [[self.mass.get((max(i, j), min(i, j)), zero) for j in range(n)] for i in range(n)]

    @cached_property
    def force(self) -> list[Node]:
        """f"""
        nodes = self._truncate(list(self.formulation.force))
        for k, (node, name) in enumerate(zip(nodes, self.layout.u, strict=True)):
            self.graph.label(node, f"f_{k + 1}", f"generalised force on {name}")
        return nodes

    @cached_property
    def q_dot(self) -> list[Node]:
        return self._truncate(list(self.formulation.q_dot))

    @cached_property
    def tau(self) -> list[Node]:
        """The symbols of the generalised forces."""
        return [self.graph.symbol(TAU(n), Kind.INPUT, f"generalised force on {n}") for n in self.layout.u]

    @cached_property
    def accelerations(self) -> list[Node]:
        """The symbols of u̇."""
        return [acceleration_symbol(self.graph, n) for n in self.layout.u]

    def _small_symbols(self, names: Sequence[str]) -> list[Node]:
        """The symbols of which only first-order terms remain: those named, and the speed of a coordinate."""
        symbols: list[Node] = []
        for name in names:
            for body in (link.body for link in self.tree.links):
                if body.name == name and body.coupling is not None:
                    leader = body.coupling.to
                    raise ModelError(f"'{name}' cannot be small on its own: it is coupled to '{leader}'; name that one")
            for closure in self.tree.model.constraints.values():
                if name in (*closure.names[0], *closure.names[1]):
                    raise ModelError(
                        f"'{name}' cannot be small: it is a coordinate of the joint that closes '{closure.name}', and"
                        " follows from coordinates of the tree; name these"
                    )
            handles = [self.graph.named(n) for n in (Q(name), U(name), name)]
            if all(h is None for h in handles):
                raise ModelError(f"'{name}' cannot be small: it is not a coordinate, state, input or parameter here")
            symbols += [h for h in handles if h is not None]
        return symbols

    def _truncate(self, nodes: list[Node]) -> list[Node]:
        if not self.small:
            return nodes
        from freebody.scalar.small import first_order

        return first_order(self.graph, nodes, self.small)

    def _require_inertia(self, entries: Container[Entry]) -> None:
        """Raise for joints that make M singular: columns that depend on each other, unless rotors tell them apart, and
        speeds that no inertia resists."""
        for link in self.tree.links:
            joint = link.body.spec.joint
            rotors = scalar(link.graph, joint.armature) != link.graph.zero
            if joint.composed and len(link.u) > 1 and not rotors:
                rank = max(_rank(link, seed) for seed in range(SAMPLES))
                if rank < len(link.u):
                    raise ModelError(
                        f"joint '{link.name}' ({link.name} on {link.body.parent.name}): its {len(link.u)} speeds move"
                        f" it in {rank} {'ways' if rank != 1 else 'way'} only, so the mass matrix is singular. Leave"
                        " out what repeats, or give the joint an armature."
                    )
        for link in self.tree.links:
            for k, speed in zip(link.free, link.u, strict=True):
                if (speed, speed) not in entries:
                    what = "rotation" if link.body.placement.turns[k] else "translation"
                    name, parent = link.described.name, link.described.parent
                    loops = self._constraints_outboard(link)
                    rest = " or inertia, or use Weld."
                    if loops:
                        rest = (
                            f" or inertia. Constraint '{loops[0]}' does not replace it: its force follows from the"
                            " inertia of what it moves. A link without mass between two points is a rod constraint:"
                            " take the body out, and add s.rod(a, b)."
                        )
                    raise ModelError(
                        f"joint '{name}' ({name} on {parent}): its inertia is 0. It allows {what}"
                        f" ({self.layout.u[speed]}), but {name} and its outboard bodies have no inertia against it."
                        f" Give {name} mass"
                        f"{rest}"
                    )

    def _constraints_outboard(self, link: Link) -> list[str]:
        """The constraints that act on a link's body or on bodies outboard of it."""
        outboard = {link.described.name}
        for other in self.tree.links:  # parents first
            if other.parent is not None and other.parent.described.name in outboard:
                outboard.add(other.described.name)
        return [name for name, c in self.tree.model.constraints.items() if outboard & set(c.bodies())]

    # φ = 0, G u + offset = 0, G u̇ = γ

    @property
    def constraints(self) -> ConstraintEquations:
        """The equations of constraints, in the standard speeds."""
        return self.formulation.constraints

    @cached_property
    def residuals(self) -> list[Node]:
        """φ; zero for equations that restrict speeds alone, and while their constraint is released."""
        residuals = [self.graph.zero if h is None else h for h in self.constraints.residuals]
        return self._truncate(self.constraints.held(residuals))

    @cached_property
    def velocities(self) -> list[Node]:
        """G u + offset; zero while their constraint is released."""
        return self.constraints.held(self._velocities)

    @cached_property
    def jacobian(self) -> list[list[Node]]:
        """G, row by row; zero while their constraint is released."""
        return self.constraints.held_rows(self._jacobian)

    @cached_property
    def gamma(self) -> list[Node]:
        """γ of G u̇ = γ; zero while their constraint is released."""
        return self.constraints.held(self._gamma)

    @cached_property
    def _velocities(self) -> list[Node]:
        return self._truncate(self.in_own_speeds(self.constraints.velocities))

    @cached_property
    def _jacobian(self) -> list[list[Node]]:
        rows = self.constraints.jacobian
        nodes = iter(self._truncate([x for row in rows for x in row]))
        return [[next(nodes) for _ in row] for row in rows]

    @cached_property
    def _gamma(self) -> list[Node]:
        """Minus the rate of G u + offset at u̇ = 0."""
        return self._truncate([self.graph.neg(a) for a in self.constraints.accelerations])

    @property
    def state_corrections(self) -> dict[Node, Node]:
        """For each extra state of a constraint that holds the change towards the value that q requires."""
        return self.constraints.held_state_corrections

    def corrections(self, assembly: Assembly, insert_laws: InsertLaws = list) -> tuple[list[Node], list[Node]]:
        """The changes of coordinates, along q̇ = N δ, and of speeds, that φ = 0 and G u + offset = 0 require: those of
        least kinetic energy."""
        q, u = (self.formulation.correction(values) for values in (self.residuals, self.velocities))
        return list(insert_laws(q)), list(insert_laws(u))

    @cached_property
    def state_rates(self) -> list[Node]:
        """The rates of extra states. In stabilised equations those of constraints also move, at the rate α, towards the
        values that q requires."""
        g, states = self.graph, self.tree.model.states.values()
        rates = [state.rate.handle for state in states]
        if self.formulation.stabilisation is not None:
            corrections, alpha = self.constraints.state_corrections, self.formulation.stabilisation[0]
            handles = [state.symbol.handle for state in states]
            rates = [
                g.add(rate, g.mul(alpha, corrections[h])) if h in corrections else rate
                for rate, h in zip(rates, handles, strict=True)
            ]
        return self.in_own_speeds(rates)

    @cached_property
    def multipliers(self) -> list[Node]:
        """The symbols of λ, one for each row of these equations. Rows of closures may have other directions than those
        that the names of multipliers stand for (``RowForm``); then the symbols have other names."""
        equations, symbols = self.constraints, list[Node]()
        for k, name in enumerate(equations.names):
            own = self.graph.symbol(f"row_multiplier.{k + 1}", Kind.ACCELERATION, f"multiplier of a row of {name}")
            symbols.append(multiplier_symbol(self.graph, name) if equations.canonical else own)
        return symbols

    @cached_property
    def balance(self) -> tuple[list[Node], list[Node]]:
        """f + Gᵀλ − M u̇ and γ − G u̇, zero along the motion at tau = 0, in the symbols of u̇ (``accelerations``) and λ
        (``multipliers``): with both held, their derivatives are the right sides of those of u̇ and λ."""
        g, forces, G = self.graph, list[Node](), self.jacobian
        for i, (f, row) in enumerate(zip(self.force, self.full_mass(), strict=True)):
            for k, multiplier in enumerate(self.multipliers):
                f = g.add(f, g.mul(G[k][i], multiplier))
            for entry, rate in zip(row, self.accelerations, strict=True):
                f = g.sub(f, g.mul(entry, rate))
            forces.append(f)
        accelerations = list[Node]()
        for gamma, row in zip(self.gamma, G, strict=True):
            for entry, rate in zip(row, self.accelerations, strict=True):
                gamma = g.sub(gamma, g.mul(entry, rate))
            accelerations.append(gamma)
        return forces, accelerations

    # Speeds and reactions

    @property
    def has_standard_speeds(self) -> bool:
        """Whether the speeds are the model's. Equations in others say how they follow from each other (``standard``,
        ``from_standard``), and convert what is expressed in the model's (``in_own_speeds``)."""
        return True

    @property
    def standard(self) -> list[Node]:
        """The model's speeds as functions of those of these equations."""
        return list(self.layout.u_handles)

    @property
    def from_standard(self) -> list[Node]:
        """The speeds of these equations as functions of the model's, in the symbols of u."""
        return list(self.layout.u_handles)

    def in_own_speeds(self, nodes: Sequence[Node]) -> list[Node]:
        """Nodes in the model's speeds, their rates, reactions and entries of the equations, as functions of these
        equations' speeds and their rates (``accelerations``)."""
        g, names = self.graph, accelerations_in(self.graph, nodes)
        if any(n.startswith((REACTION, MULTIPLIER)) for n in names):
            every = dict.fromkeys(ConstraintEquations(self.formulation.motion).names, g.zero)
            known = {f"{MULTIPLIER}{name}": node for name, node in (every | self.shared_multipliers).items()}
            if any(n.startswith(REACTION) for n in names):
                known |= reaction_nodes(self.tree, self.shared_reactions)
            require_reactions(self.tree.model.name, names, known)
            symbols = {h: known[n] for n in names if n in known and (h := g.named(n)) is not None}
            nodes = substitute(g, list(nodes), symbols)
        entries = {n: structure_node(self, n) for n in names if is_structure(n)}
        if entries:
            symbols = {h: node for n, node in entries.items() if (h := g.named(n)) is not None}
            nodes = substitute(g, list(nodes), symbols)
        return list(nodes)

    @cached_property
    def reactions(self) -> dict[str, list[Node]]:
        """Reactions by name, in the symbols of u̇ of the standard speeds and of the multipliers."""
        return joint_reactions(self.tree, self.constraints, self.accelerations, self.multipliers)

    @cached_property
    def named_constraints(self) -> ConstraintEquations:
        """The equations of constraints that the names of multipliers stand for."""
        equations = self.constraints
        if equations.canonical:
            return equations
        model = self.tree.model
        return ConstraintEquations(equations.motion, omitted_rows(model), guarded=guarded_rows(model))

    @property
    def row_infos(self) -> dict[str, RowInfo]:
        """What the rows that the names of multipliers stand for restrict, by name."""
        equations = self.named_constraints
        return dict(zip(equations.names, map(RowInfo.of, equations.rows.values()), strict=True))

    @property
    def row_names(self) -> dict[RowKey, str]:
        """The names of the multipliers of these equations' rows."""
        return self.constraints.names_by_row

    @property
    def working(self) -> tuple[ConstraintEquations, list[Node]]:
        """The equations of constraints that may do work, and their multipliers."""
        return self.constraints, self.multipliers

    @cached_property
    def named_multipliers(self) -> dict[str, Node]:
        """The multipliers by name, from those of these equations' rows, whose directions may be others (``RowForm``).
        Rows that are left out have none."""
        nodes = convert_multipliers(self.constraints, self.multipliers, self.named_constraints)
        return dict(zip(self.named_constraints.names, nodes, strict=True))

    @cached_property
    def equations_left_out(self) -> ConstraintEquations:
        """The equations that are left out although some speed changes them, or time: a run measures whether they
        hold."""
        model, used = self.tree.model, self.row_names
        every = dependence(model) if model.constraints else None
        kinds = {name: bool(c.bodies()) for name, c in model.constraints.items()}
        names = () if every is None else every.names
        absent = [key for key in names if key not in used]
        fixed = {key for key in absent if kinds[key.constraint] and every and every.reason(key) == UNCHANGED}
        left_out = [key for key in absent if key not in fixed]
        others = [key for key in names if key not in left_out]
        return ConstraintEquations(self.formulation.motion, others, only={key.constraint for key in left_out})

    @property
    def undetermined_rows(self) -> Sequence[Sequence[RowKey]]:
        """Rows whose multipliers the motion does not determine, those that are left out among them, in groups that
        share loads."""
        return dependence(self.tree.model).undetermined if self.tree.model.constraints else ()

    @cached_property
    def shared_multipliers(self) -> dict[str, Node]:
        """The multipliers by name, of undetermined ones the least-squares share: the smallest Σλ² with the same forces
        Gᵀλ. Rows that are left out have their share too."""
        g, result = self.graph, dict(self.named_multipliers)
        equations = ConstraintEquations(self.formulation.motion)
        for keys in self.undetermined_rows:
            names = [equations.names_by_row[key] for key in keys]
            shares = least_squares_shares(equations, keys, [result.get(name, g.zero) for name in names])
            result |= zip(names, shares, strict=True)
        return result

    @property
    def shared_reactions(self) -> dict[str, list[Node]]:
        """Reactions by name, with the shared multipliers where the motion does not determine them."""
        if not self.undetermined_rows:
            return self.reactions
        equations = ConstraintEquations(self.formulation.motion)
        shares = [self.shared_multipliers.get(name, self.graph.zero) for name in equations.names]
        return joint_reactions(self.tree, equations, self.accelerations, shares)

    @cached_property
    def outputs(self) -> dict[str, list[Node]]:
        """The user's outputs by name, in the formulation's speeds and their rates: one node of a scalar, three of a
        vector, along the ground's axes."""
        placed, root, every = self.tree.placed, self.tree.root, self.tree.model.outputs
        parts = {
            n: components(placed.vector(o.value), root) if o.is_vector else [o.value.handle] for n, o in every.items()
        }
        nodes = iter(self.in_own_speeds([h for some in parts.values() for h in some]))
        return {n: [next(nodes) for _ in some] for n, some in parts.items()}

    # Programs

    def groups(self, *more: str) -> dict[str, list[Node]]:
        """The input groups of every quantity, and "tau", "u_dot" or "multipliers"."""
        groups = input_groups(self.tree, self.layout)
        for name in more:
            match name:
                case "tau":
                    groups[name] = self.tau
                case "u_dot":
                    groups[name] = self.accelerations
                case "multipliers":
                    groups[name] = self.multipliers
                case _:
                    raise KeyError(f"there is no group '{name}'")
        return groups

    def assembly(self, name: str, *more: str) -> Assembly:
        return Assembly(name, self.graph, self.groups(*more))

    def derive(self, name: str) -> Program:
        """The program of a quantity of ``QUANTITIES``."""
        return self.finish(QUANTITIES[name].program(self, {}))

    def finish(self, program: Program) -> Program:
        """A program as it is used; by default as it was derived."""
        return program

    def solution(self, assembly: Assembly, tau: Sequence[Node] = (), insert_laws: InsertLaws = list) -> Solution:
        """u̇ and the multipliers under generalised forces tau, with the friction of contacts that slide."""
        contacts = friction_rows(self)
        if not contacts:
            return self._solution(assembly, tau, insert_laws)
        g, count = assembly.graph, len(self.layout.u)
        return with_friction(g, contacts, count, lambda laws: self._solution(assembly, tau, laws), insert_laws)

    def _solution(self, assembly: Assembly, tau: Sequence[Node], insert_laws: InsertLaws) -> Solution:
        """The formulation's way, or from M, f, G and γ."""
        g, n = self.graph, len(self.layout.u)
        large = self.formulation.linear_system(tau) if self.solver is None else None
        if large is not None:
            return self._solve_region(assembly, large, insert_laws)
        if self.formulation.recursive and not self.small and self.solver is None:
            modes = any(
                link.internal_dynamics is not None for link in self.tree.links
            )  # so many that M would take long
            diagonal = mass_diagonal(self.tree, self.formulation.inertias) if modes else self.formulation.mass
            self._require_inertia(diagonal)
            u_dot, multipliers, _ = self.formulation.forward(tau)
            nodes = list(insert_laws([*u_dot, *multipliers]))
            return Solution(nodes[:n], nodes[n:])
        right = [g.add(f, t) for f, t in zip(self.force, tau, strict=True)] if tau else self.force
        G, gamma = self.jacobian, self.gamma
        if self.solver is not None:
            u_dot, multipliers = self.solver(ConstrainedSystem(g, self.mass, right, G, gamma, self.constraints.related))
            nodes = list(insert_laws([*u_dot, *multipliers]))
            return Solution(nodes[:n], nodes[n:])
        if len(right) + len(gamma) <= UNROLLED:
            equations = self.constraints
            system = ConstrainedSystem(g, self.mass, right, self._jacobian, self._gamma, equations.related)
            u_dot, multipliers = solve_constrained(system, equations.flags)
            nodes = list(insert_laws([*u_dot, *multipliers]))
            return Solution(nodes[:n], nodes[n:])
        matrix = augmented(g, self.mass, G, n)
        matrix = dict(zip(matrix, insert_laws(list(matrix.values())), strict=True))
        right = list(insert_laws([*right, *map(g.neg, gamma)]))
        nodes = assembly.solve("u_dot", matrix, right, range(n, len(right)))
        return Solution(nodes[:n], nodes[n:])

    def _solve_region(self, assembly: Assembly, system: AccelerationSystem, insert_laws: InsertLaws) -> Solution:
        """u̇ and the multipliers by a Solve region."""
        g, u_dot = assembly.graph, list[Node]()
        matrix = dict(zip(system.matrix, insert_laws(list(system.matrix.values())), strict=True))
        x = assembly.solve("accelerations", matrix, insert_laws(list(system.right)), system.guarded)
        for constant, coefficients in system.u_dot:
            total, *factors = insert_laws([constant, *coefficients.values()])
            for index, factor in zip(coefficients, factors, strict=True):
                total = g.add(total, g.mul(factor, x[index]))
            u_dot.append(total)
        return Solution(u_dot, [x[k] for k in system.multipliers])

    def u_dot(self, assembly: Assembly, tau: Sequence[Node] = (), insert_laws: InsertLaws = list) -> list[Node]:
        """u̇ under generalised forces tau."""
        return self.solution(assembly, tau, insert_laws).u_dot

    def insert_u_dot(
        self,
        assembly: Assembly,
        nodes: Sequence[Node],
        solution: Solution | None = None,
        tau: Sequence[Node] = (),
        insert_laws: InsertLaws = list,
    ) -> list[Node]:
        """Nodes of the assembly's graph with u̇ and multipliers in place of their symbols: those of a ``solution`` that
        is known already, else those under tau. Nodes without accelerations stay as they are."""
        g = assembly.graph
        if not any(g.mask[n] & Kind.ACCELERATION for n in nodes):
            return list(nodes)
        u_dot, multipliers, factors = self.solution(assembly, tau, insert_laws) if solution is None else solution
        symbols = insert_laws([*self.accelerations, *self.multipliers])
        return substitute(g, list(nodes), {**factors, **dict(zip(symbols, (*u_dot, *multipliers), strict=True))})


def _rank(link: Link, seed: int) -> int:
    """The rank of a link's columns at a random state; full if they have no values there."""
    both = zip(link.turns, link.slides, strict=True)
    rows = [[*components(e, link.frame), *components(l, link.frame)] for e, l in both]
    try:
        numbers = values(link.graph, [x for row in rows for x in row], {}, somewhere(seed))
    except (ArithmeticError, ValueError, ExpressionError):
        return len(rows)
    columns = np.array(numbers, float).reshape(-1, 6)
    return int(np.linalg.matrix_rank(columns, tol=DEPENDENT)) if np.isfinite(columns).all() else len(rows)


class ProgramTable(Mapping[str, Program]):
    """Quantities by name, each derived once."""

    def __init__(self, derivation: Derivation) -> None:
        self.derivation = derivation
        self._programs: dict[Hashable, Program] = {}

    def is_derived(self, name: str) -> bool:
        """Whether a quantity has been derived."""
        return name in self._programs

    def keep(self, key: Hashable, make: Callable[[Derivation], Program]) -> Program:
        """A quantity that is not in the table, derived once for each key (its name and arguments)."""
        if key not in self._programs:
            try:
                self._programs[key] = make(self.derivation)
            except UnknownSymbolsError as error:
                raise omission_error(self.derivation.tree, error) from None
        return self._programs[key]

    def __getitem__(self, name: str) -> Program:
        if name not in QUANTITIES:
            raise KeyError(f"there is no quantity '{name}'; choose from {', '.join(QUANTITIES)}")
        return self.keep(name, lambda derivation: derivation.derive(name))

    def __contains__(self, name: object) -> bool:
        return name in QUANTITIES

    def __iter__(self) -> Iterator[str]:
        return iter(QUANTITIES)

    def __len__(self) -> int:
        return len(QUANTITIES)


class Counts(TableRepr, Mapping[str, Operations]):
    """Operations per call of each quantity. ``shown`` are the names of those that a table lists, by default those that
    are derived already."""

    def __init__(self, programs: Mapping[str, Program], shown: Sequence[str] = ()) -> None:
        self.programs, self.shown = programs, shown

    def _table(self) -> TextTable:
        rows = list[tuple[str, ...]]()
        for name in self.shown:
            try:
                n = self[name]
            except ModelError:  # a quantity that these equations do not have
                continue
            numbers = (f"{x:,}" for x in (n.total, n.mul, n.add, n.div))
            rows.append((name, *numbers, ", ".join(f"{k} {call}" for call, k in n.calls.items())))
        columns = ("quantity", "operations", "×", "+ −", "÷", "functions") if rows else ()
        others = sum(1 for name in self if name not in self.shown)
        note = f"{counted(others, 'other quantity', 'other quantities')}: eq.operations[name] counts one of them."
        return TextTable("Operations of one call", columns, tuple(rows), note if others else "")

    def __getitem__(self, name: str) -> Operations:
        return count(stage(self.programs[name]).main)

    def __contains__(self, name: object) -> bool:
        return name in self.programs

    def __iter__(self) -> Iterator[str]:
        return iter(self.programs)

    def __len__(self) -> int:
        return len(self.programs)


# The quantities


def _mass_matrix(e: Derivation) -> Program:
    a, n = e.assembly("mass_matrix"), len(e.layout.u)
    a.output("M", e.full_mass(), (n, n))
    return a.program()


def _one_output(
    name: str, output: str, nodes: Callable[[Derivation], Sequence[Node]]
) -> Callable[[Derivation], Program]:
    def derive(e: Derivation) -> Program:
        a = e.assembly(name)
        a.output(output, list(nodes(e)))
        return a.program()

    return derive


def _forward_dynamics(e: Derivation) -> Program:
    a = e.assembly("forward_dynamics", "tau")
    a.output("u_dot", e.u_dot(a, e.tau))
    return a.program()


def _multipliers(e: Derivation) -> Program:
    a = e.assembly("multipliers", "tau")
    a.output("multipliers", e.insert_u_dot(a, list(e.named_multipliers.values()), tau=e.tau))
    return a.program()


def _constraint(e: Derivation) -> Program:
    a, n = e.assembly("constraint"), len(e.layout.u)
    a.output("phi", e.residuals)
    a.output("G", e.jacobian, (len(e.jacobian), n))
    a.output("gamma", e.gamma)
    return a.program()


def _project(e: Derivation) -> Program:
    g, groups = e.graph, e.groups()
    x = [*groups["q"], *groups["u"], *groups["z"]]
    inputs = {"parameters": groups["parameters"], "t": groups["t"], "x": x, "inputs": groups["inputs"]}
    return projection(e, Assembly("project", g, inputs))


def projection(e: Derivation, a: Assembly, insert_laws: InsertLaws = list) -> Program:
    """One correction of a state x = [q, u, z] towards φ = 0 and G u + offset = 0: the smallest changes, measured by the
    kinetic energy, that both equations require at the given q. Extra states of constraints follow q, and move towards
    the values that it requires."""
    g, groups = a.graph, e.groups()
    if not e.has_standard_speeds:
        raise ModelError("projection needs standard speeds: derive again without speeds=…")
    q, u, z = (insert_laws(groups[name]) for name in "quz")
    x = [*q, *u, *z]
    if e.tree.model.constraints:
        corrections, states = e.state_corrections, e.tree.model.states.values()
        own = [state.rate.handle for state in states if state.symbol.handle in corrections]
        delta, change = e.corrections(a, insert_laws)
        speeds = insert_laws(e.layout.u_handles)
        moved = jvp(g, insert_laws([*e.q_dot, *own]), dict(zip(speeds, delta, strict=True)))
        n = len(e.q_dot)
        follow = zip(insert_laws([*corrections]), insert_laws([*corrections.values()]), strict=True)
        changes = {h: g.add(value, rate) for (h, value), rate in zip(follow, moved[n:], strict=True)}
        x = [*map(g.add, x, [*moved[:n], *change]), *(g.add(h, changes[h]) if h in changes else h for h in z)]
    a.output("projected", x)
    return a.program()


def _inverse_dynamics(e: Derivation) -> Program:
    """tau in the formulation's way, or M u̇ − f."""
    g, a = e.graph, e.assembly("inverse_dynamics", "u_dot")
    tau = None if e.small else e.formulation.inverse(e.accelerations)
    if tau is None:
        tau = []
        for row, f in zip(e.full_mass(), e.force, strict=True):
            total = g.neg(f)
            for entry, rate in zip(row, e.accelerations, strict=True):
                total = g.add(total, g.mul(entry, rate))
            tau.append(total)
    a.output("tau", list(tau))
    return a.program()


def _state_dot(e: Derivation) -> Program:
    """ẋ of x = [q, u, z] as a function of (t, x), parameters and inputs."""
    groups = e.groups()
    x = [*groups["q"], *groups["u"], *groups["z"]]
    inputs = {"parameters": groups["parameters"], "t": groups["t"], "x": x, "inputs": groups["inputs"]}
    a = Assembly("state_dot", e.graph, inputs)
    rates = e.in_own_speeds([s.rate.handle for s in e.tree.model.states.values()])
    a.output("x_dot", [*e.q_dot, *e.u_dot(a), *rates])
    return a.program()


def _energies(e: Derivation) -> Program:
    a = e.assembly("energies")
    for name, law in (("kinetic", kinetic), ("potential", potential)):
        a.output(name, e.in_own_speeds([law(e.formulation.motion)])[0])
    return a.program()


def _momenta(e: Derivation) -> Program:
    a, total = e.assembly("momenta"), whole_momentum(e.formulation.motion)
    a.output("linear", e.in_own_speeds(list(total.linear.c)))
    a.output("angular", e.in_own_speeds(list(total.angular.c)))
    return a.program()


def _outputs(e: Derivation) -> Program:
    """The user's outputs; those that use accelerations take u̇ under tau."""
    if not e.outputs:
        raise ModelError(f"system '{e.tree.model.name}' has no outputs; add some with output(name, expression)")
    nodes = [h for some in e.outputs.values() for h in some]
    needs_u_dot = any(e.graph.mask[n] & Kind.ACCELERATION for n in nodes)
    a = e.assembly("outputs", *["tau"][:needs_u_dot])
    outputs = iter(e.insert_u_dot(a, nodes, tau=e.tau if needs_u_dot else ()))
    for name, output in e.tree.model.outputs.items():
        a.user_output(name, [next(outputs) for _ in range(3)] if output.is_vector else next(outputs))
    return a.program()


def _reactions(e: Derivation) -> Program:
    if not e.has_standard_speeds:
        raise ModelError("reactions need standard speeds: derive again without speeds=…")
    a = e.assembly("reactions", "u_dot", "multipliers")
    for name, nodes in e.reactions.items():
        a.user_output(name, nodes)
    return a.program()


_bias = _one_output("bias", "f", lambda e: e.force)
_q_dot = _one_output("q_dot", "q_dot", lambda e: e.q_dot)
_to_standard = _one_output("to_standard", "speeds", lambda e: e.standard)
_from_standard = _one_output("from_standard", "speeds", lambda e: e.from_standard)
LOADED = ("t", "z", "inputs")
PLACED, STATE = ("q", *LOADED), ("q", "u", *LOADED)
QUANTITIES: dict[str, Quantity] = {
    q.name: replace(q, listed=True)
    for q in (
        Quantity("forward_dynamics", _forward_dynamics, ("q", "u", "tau", *LOADED), "u̇ from q, u, τ", result=""),
        Quantity("inverse_dynamics", _inverse_dynamics, ("q", "u", "u_dot", *LOADED), "τ from q, u, u̇", result=""),
        Quantity("mass_matrix", _mass_matrix, PLACED, "M", doc="M of M u̇ = f + tau."),
        Quantity("bias", _bias, ("q", "u", *LOADED), "f", doc="f of M u̇ = f + tau."),
        Quantity("q_dot", _q_dot, STATE, "q̇", doc="q̇ = N(q) u + n."),
        Quantity("state_dot", _state_dot, ("t", "x", "inputs"), "ẋ of [q, u, z]", doc="ẋ of x = [q, u, z]."),
        Quantity("energies", _energies, STATE, "kinetic and potential", result="dict",
                 doc="Kinetic and potential energy."),
        Quantity("momenta", _momenta, STATE, "linear and angular", result="dict",
                 doc="Linear and angular momentum, the latter about the ground's origin."),
        Quantity("outputs", _outputs, ("q", "u", *LOADED, "tau"), "the model's outputs", result=""),
        Quantity("reactions", _reactions, ("q", "u", "u_dot", *LOADED, "multipliers"),
                 "force and torque at every joint", result="dict",
                 doc="The force and torque of each joint on its body, along the body's axes at its origin, and the"
                     " drive forces of prescribed and coupled joints (``body.drive_force``): as tau on the same joint"
                     " left free they give the same motion. With constraints the multipliers are needed, those of"
                     " ``multipliers(q, u, tau)``; of a joint that closes a loop the result has its force and torque on"
                     " its second body, along that body's axes at the joint's origin there."),
        Quantity("multipliers", _multipliers, ("q", "u", "tau", *LOADED), "λ of M u̇ = f + τ + Gᵀλ",
                 doc="The multipliers of the constraints: λ of M u̇ = f + tau + Gᵀλ."),
        Quantity("constraint", _constraint, STATE, "φ, G and γ of G u̇ = γ", result="dict",
                 doc="Of the equations of constraints: the residuals phi, the matrix G, and gamma of G u̇ = gamma. Rows"
                     " of constraints that are released are zero."),
        Quantity("project", _project, ("t", "x", "inputs"), "x moved towards its constraints",
                 doc="One Newton step of a state towards its constraints; repeat it until nothing changes."),
        Quantity("to_standard", _to_standard, STATE, "standard speeds of these equations' own",
                 doc="The standard speeds for u, the speeds of these equations."),
        Quantity("from_standard", _from_standard, STATE, "these equations' own speeds of standard ones",
                 doc="The speeds of these equations for u, the standard speeds."),
    )
}  # fmt: skip
"""The quantities of every formulation; `quantities.QUANTITIES` holds all quantities."""
