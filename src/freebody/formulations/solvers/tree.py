"""Joint coordinates: multipliers are eliminated with the tree's speeds, in the formulation's own way."""

from freebody.formulations.solvers.barycentric import FirstBody
from freebody.formulations.solvers.base import Solver

SOLVER = Solver(
    "tree", "joint coordinates; multipliers are eliminated with the tree's speeds", "aba", gauss=FirstBody, loops=True
)
