"""Joint coordinates: multipliers are eliminated with the tree's speeds, in the formulation's own way."""

from freebody.formulations.solvers.base import Solver
from freebody.papers.solvers.barycentric import FirstBody

SOLVER = Solver("tree", "joint coordinates; multipliers are eliminated with the tree's speeds", "aba", gauss=FirstBody,
                loops=True)  # fmt: skip
