"""The solvers by name."""

from freebody.errors import ModelError
from freebody.formulations.constrained import solve_constrained
from freebody.formulations.solvers.base import Solver
from freebody.formulations.solvers.compliance import ComplianceEquations

SOLVERS = {
    solver.name: solver
    for solver in (
        Solver("sparse", "the whole matrix [M −Gᵀ; −G 0] by a sparse L D Lᵀ", "kane", solve_constrained, loops=True),
        Solver("tree", "joint coordinates; multipliers are eliminated with the tree's speeds", "aba", loops=True),
        Solver("compliance", "trees with free ends, then the compliance A Λ A* at closures", "aba",
               member=ComplianceEquations, loops=True),
    )
}  # fmt: skip
"""All members of the family; each is one line here."""

AUTO = "auto"
solvers = (AUTO, *SOLVERS)
"""The names that ``derive(solver=…)`` accepts."""


def find_solver(name: object) -> Solver | None:
    """The solver of this name; None for the automatic choice."""
    if name is None or name == AUTO:
        return None
    if not isinstance(name, str) or name not in SOLVERS:
        raise ModelError(f"there is no solver {name!r}; there are {', '.join(solvers)}")
    return SOLVERS[name]
