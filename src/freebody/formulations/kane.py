"""Kane's equations, referred to the links' origins, with inertia accumulated from the tips to the root.

M u̇ = f, with f_k = −Σ_B (N_B · ω_k + F_B · v_k) over the bodies: F and N are the inertia force and torque at u̇ = 0,
less the loads (Sayers Eqs 40–46). Sums over bodies that share a partial velocity are formed once, on the way inwards: a
link passes the force F and the torque N + p × F to its parent, and column k of the mass matrix is the force and torque
that u̇_k = 1 alone requires.
"""

from collections.abc import Sequence
from functools import cached_property

from freebody.formulations.derivation import Derivation
from freebody.formulations.entries import DeriveOptions, FormulationEntry, Growth
from freebody.formulations.formulation import Entry, Formulation
from freebody.model.model import Model
from freebody.program.count import operations
from freebody.scalar.node import Node
from freebody.tree.joint_forces import inverse_dynamics
from freebody.tree.mass_matrix import mass_matrix
from freebody.tree.tree import Tree, span


class Kane(Formulation):
    """``by_trace`` computes the diagonal of composite inertias from their trace."""

    def __init__(self, tree: Tree, by_trace: bool = False) -> None:
        super().__init__(tree)
        self.by_trace = by_trace

    @cached_property
    def mass(self) -> dict[Entry, Node]:
        return mass_matrix(self.tree, self.inertias, self.by_trace)

    def inverse(self, accelerations: Sequence[Node]) -> list[Node]:
        """tau by Newton and Euler."""
        return inverse_dynamics(self.tree, self.inertias, accelerations)


def derive(tree: Tree) -> Kane:
    """Kane's equations by the cheaper of the two ways to the diagonal of composite inertias. The second one is derived
    again in a graph of its own, because in the order of the first one's nodes its values would live too long."""
    plain = Kane(tree)
    both = plain.mass, mass_matrix(tree, plain.inertias, by_trace=True)
    costs = [operations(plain.graph, list(entries.values())) for entries in both]
    return plain if costs[0] <= costs[1] else Kane(span(tree.model), by_trace=True)


def equations(model: Model, options: DeriveOptions) -> Derivation:
    """Kane's equations; u̇ from M and f by a solver."""
    matrices = None if options.solver is None else options.solver.matrices_of("kane")
    return Derivation(derive(span(model)), options.small, matrices)


FORMULATION = FormulationEntry(
    "kane", equations, frozenset({"small", "solver", "speeds", "omit"}), Growth(1, seconds=4.4e-4, bytes=2.0e4)
)
