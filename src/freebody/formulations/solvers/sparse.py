"""The whole system in absolute coordinates by a sparse L D Lᵀ (Mufti 1983, Eqs 10, 49, 63)."""

from freebody.formulations.constrained import solve_constrained
from freebody.formulations.solvers.absolute import Absolute, AbsoluteEquations
from freebody.formulations.solvers.base import Solver
from freebody.formulations.solvers.hinge_forces import HingeForces
from freebody.formulations.solvers.mixed import Mixed


class Sparse(Absolute):
    """In the cheapest order, also among those of other members."""

    name = "sparse"

    @staticmethod
    def orders(equations: AbsoluteEquations) -> list[tuple[int, ...]]:
        inwards = equations.inwards()
        orders = [*HingeForces.orders(equations), *Mixed.orders(equations), equations.rows_after_their_bodies()]
        return orders if inwards is None else [*orders, inwards]


SOLVER = Solver(
    "sparse",
    "accelerations of all bodies and multipliers of all joints by one sparse L D Lᵀ",
    "gauss",
    solve_constrained,
    Sparse,
    loops=True,
)
