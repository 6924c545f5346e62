"""The contract of a formulation: one way to the equations of motion."""

from collections.abc import Mapping, Sequence
from copy import copy
from functools import cached_property
from types import MappingProxyType
from typing import ClassVar, NamedTuple, Self

from freebody.formulations.constrained import ConstrainedSystem, solve_constrained
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.spatial.inertia import RigidInertia
from freebody.tree.constraints import CANONICAL, ClosureForms, ConstraintEquations
from freebody.tree.independence import guarded_rows, omitted_rows
from freebody.tree.inertia import base_inertias
from freebody.tree.joint_forces import joint_forces
from freebody.tree.mass_matrix import mass_matrix
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import NewtonEuler
from freebody.tree.tree import Tree

Entry = tuple[int, int]


class Solution(NamedTuple):
    """u̇, and the multipliers of constraints; and of contacts that slide the factor D by which friction divides the
    normal force, by its symbol."""

    u_dot: list[Node]
    multipliers: list[Node]
    factors: Mapping[Node, Node] = MappingProxyType({})


class AccelerationSystem(NamedTuple):
    """A symmetric system from whose solution x u̇ and the multipliers follow, for many unknowns. ``guarded`` are the
    unknowns whose rows may depend on each other. Each u̇ is a constant and coefficients of x; ``multipliers`` are the
    indices of those of constraints."""

    matrix: Mapping[Entry, Node]
    right: Sequence[Node]
    guarded: Sequence[int]
    u_dot: Sequence[tuple[Node, Mapping[int, Node]]]
    multipliers: Sequence[int]


class Formulation:
    """M and f of M u̇ = f + tau, as nodes of a tree's graph. By default M is formed by composite bodies and f by
    Newton and Euler; each formulation replaces what it computes in its own way.

    One that does not need M computes u̇ or tau itself.
    """

    recursive: ClassVar[bool] = False
    """Whether ``forward`` computes u̇ without M."""

    forms: ClosureForms = CANONICAL
    """The forms of closures."""

    stabilisation: tuple[Node, Node] | None = None
    """The nodes of α and β, if the equations of constraints are stabilised."""

    def __init__(self, tree: Tree) -> None:
        self.tree, self.motion, self.links = tree, Motion(tree), tree.links
        self.graph: Graph = tree.graph

    @cached_property
    def inertias(self) -> Sequence[RigidInertia]:
        return base_inertias(self.tree)

    @cached_property
    def mass(self) -> Mapping[Entry, Node]:
        """M's lower triangle; entries that are structurally zero are absent."""
        return mass_matrix(self.tree, self.inertias)

    @cached_property
    def force(self) -> Sequence[Node]:
        """f: the generalised forces at u̇ = 0 and tau = 0, joint forces − Hᵀ Σ φ F."""
        required = NewtonEuler(self.motion, self.inertias).generalised()
        return [self.graph.sub(e, f) for f, e in zip(required, joint_forces(self.tree), strict=True)]

    @cached_property
    def constraints(self) -> ConstraintEquations:
        """The equations of constraints, with remainders of accelerations."""
        return self.equations_of(self.motion)

    def equations_of(self, motion: Motion) -> ConstraintEquations:
        """The equations of constraints at a motion, without those that follow from others."""
        model, exchanged = self.tree.model, self.forms.exchanged
        omitted, guarded = omitted_rows(model, exchanged), guarded_rows(model, exchanged)
        return ConstraintEquations(motion, omitted, self.forms, self.stabilisation, guarded=guarded)

    def stabilised(self, alpha: Node, beta: Node) -> Self:
        """The same formulation with stabilised constraints (``ConstraintEquations``). What depends on
        their accelerations must not be copied."""
        twin = copy(self)
        twin.stabilisation = alpha, beta
        vars(twin).pop("constraints", None)
        return twin

    @property
    def q_dot(self) -> Sequence[Node]:
        """q̇ from (q, u)."""
        return self.tree.layout.q_dot

    def system(self, tau: Sequence[Node] = ()) -> ConstrainedSystem:
        """M u̇ = f + tau + Gᵀλ and G u̇ = γ under generalised forces tau."""
        g, force, equations = self.graph, self.force, self.constraints
        right = [g.add(f, t) for f, t in zip(force, tau, strict=True)] if tau else force
        gamma = [g.neg(a) for a in equations.accelerations]
        return ConstrainedSystem(g, self.mass, right, equations.jacobian, gamma, equations.related)

    def forward(self, tau: Sequence[Node] = ()) -> Solution:
        """u̇ and the multipliers."""
        return Solution(*solve_constrained(self.system(tau), self.constraints.flags))

    def linear_system(self, tau: Sequence[Node] = ()) -> AccelerationSystem | None:
        """The system that is solved instead of ``forward``, if it has so many unknowns that a program without loops
        would be long; None: it has not."""
        return None

    def correction(self, right: Sequence[Node]) -> list[Node]:
        """The δ of least kinetic energy with G δ = −right: M δ = Gᵀλ."""
        g, equations = self.graph, self.constraints
        none, minus = [g.zero] * len(self.tree.layout.u), [g.neg(r) for r in right]
        system = ConstrainedSystem(g, self.mass, none, equations.jacobian, minus, equations.related)
        return solve_constrained(system, equations.flags)[0]

    def inverse(self, accelerations: Sequence[Node]) -> Sequence[Node] | None:
        """tau at these u̇, computed without M; None: use M u̇ − f."""
        return None
