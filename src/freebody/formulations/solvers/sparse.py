"""The whole system in absolute coordinates by a sparse L D Lᵀ (Mufti 1983, Eqs 10, 49, 63)."""

from freebody.formulations.constrained import solve_constrained
from freebody.formulations.entries import Solver
from freebody.formulations.solvers.absolute import Absolute, AbsoluteEquations


class Sparse(Absolute):
    """In the cheapest order."""

    name = "sparse"

    @staticmethod
    def orders(equations: AbsoluteEquations) -> list[tuple[int, ...]]:
        inwards = equations.inwards()
        orders = [equations.bodies_first(), equations.in_two_halves(), equations.rows_after_their_bodies()]
        return orders if inwards is None else [*orders, inwards]


SOLVER = Solver("sparse", "gauss", solve_constrained, Sparse, loops=True)
