"""Accelerations of mass centres and forces of joints are eliminated first (Mufti 1983, Eqs 15, 16, 51)."""

from freebody.formulations.solvers.absolute import Absolute, AbsoluteEquations
from freebody.formulations.solvers.base import Solver
from freebody.formulations.solvers.bodies import ANGULAR, LINEAR


class Mixed(Absolute):
    """First r̈, then the forces f of the tree's joints: what is left are ω̇ and the torques of joints, with the matrix
    I + L̃ (CᵀM⁻¹C)⁻¹ L̃ᵀ (Eqs 16, 51); and last the multipliers of the loops (Eq 73)."""

    name = "mixed"

    @staticmethod
    def orders(equations: AbsoluteEquations) -> list[tuple[int, ...]]:
        rows, moving = equations.rows, equations.bodies.moving
        linear, angular = ([k for body in moving for k in body.indices(half)] for half in (LINEAR, ANGULAR))
        angular += equations.bodies.modes.values()
        forces = [k for k in equations.joint_rows if rows[k].anchors and rows[k].anchors.issubset(linear)]
        torques = [k for k in equations.joint_rows if k not in forces]
        loops = [k for k in range(len(rows)) if k not in equations.joint_rows]
        after_r, after_w, last = map(equations.multipliers, (forces, torques, loops))
        return [equations.in_stages(linear, after_r, angular, after_w, last)]


SOLVER = Solver(
    "mixed", "accelerations of mass centres and forces of joints are eliminated first", "gauss", None, Mixed
)
