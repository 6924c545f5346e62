"""Accelerations of mass centres and forces of joints are eliminated first (Mufti 1983, Eqs 15, 16, 51)."""

from freebody.formulations.entries import Solver
from freebody.formulations.solvers.absolute import Absolute, AbsoluteEquations


class Mixed(Absolute):
    """First r̈ and the forces f of the tree's joints, then ω̇ and the torques of joints."""

    name = "mixed"

    @staticmethod
    def orders(equations: AbsoluteEquations) -> list[tuple[int, ...]]:
        return [equations.in_two_halves()]


SOLVER = Solver("mixed", "gauss", None, Mixed)
