"""Forces and torques of joints and constraints first (Mufti 1983, Eq 14 and its form with torques after Eq 49)."""

from freebody.formulations.constrained import ConstrainedSystem, augmented
from freebody.formulations.entries import Solver
from freebody.formulations.solve import Factor
from freebody.formulations.solvers.absolute import Absolute, AbsoluteEquations
from freebody.program.ldl import eliminate, plan
from freebody.scalar.node import Node


class HingeForces(Absolute):
    """All accelerations are eliminated: H J⁻¹ Hᵀ λ = γ − H J⁻¹ F, then J δ = F + Hᵀ λ (Eqs 12, 13)."""

    name = "hinge-forces"

    @staticmethod
    def orders(equations: AbsoluteEquations) -> list[tuple[int, ...]]:
        return [equations.bodies_first()]


def solve_by_forces(system: ConstrainedSystem) -> tuple[list[Node], list[Node]]:
    """u̇ and λ of G M⁻¹ Gᵀ λ = γ − G M⁻¹ f and M u̇ = f + Gᵀ λ: all speeds are eliminated before all multipliers."""
    g, mass, force, G, gamma, related = system
    n, matrix = len(force), augmented(g, mass, G, len(force))
    order = (*plan(n, list(mass)).order, *range(n, n + len(G)))
    together = {n + k: [n + i for i in others] for k, others in enumerate(related)}
    factor = Factor(g, matrix, eliminate(order, list(matrix), frozenset(order[n:])), together)
    x = factor.solve([*force, *map(g.neg, gamma)])
    return x[:n], x[n:]


SOLVER = Solver("hinge-forces", "gauss", solve_by_forces, HingeForces)
