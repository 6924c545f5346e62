"""The solvers by name."""

from freebody.errors import ModelError
from freebody.formulations.constrained import solve_constrained
from freebody.formulations.solvers.barycentric import Barycentric, FirstBody
from freebody.formulations.solvers.base import Solver
from freebody.formulations.solvers.compliance import ComplianceEquations
from freebody.formulations.solvers.hinge_forces import HingeForces, solve_by_forces
from freebody.formulations.solvers.independent import solve_independent
from freebody.formulations.solvers.mixed import Mixed
from freebody.formulations.solvers.null_space import DAlembert, solve_null_space
from freebody.formulations.solvers.penalty import solve_penalty
from freebody.formulations.solvers.relative import Relative
from freebody.formulations.solvers.sparse import Sparse

SOLVERS = {
    solver.name: solver
    for solver in (
        Solver("sparse", "accelerations of all bodies and multipliers of all joints by one sparse L D Lᵀ", "gauss",
               solve_constrained, Sparse, loops=True),
        Solver("hinge-forces", "forces of joints and constraints first, accelerations from them", "gauss",
               solve_by_forces, HingeForces),
        Solver("mixed", "accelerations of mass centres and forces of joints are eliminated first", "gauss", None,
               Mixed),
        Solver("tree", "joint coordinates; multipliers are eliminated with the tree's speeds", "aba",
               gauss=FirstBody, loops=True),
        Solver("compliance", "trees with free ends, then the compliance A Λ A* at closures", "aba",
               member=ComplianceEquations, loops=True),
        Solver("barycentric", "angular accelerations of bodies, with augmented bodies about their barycentres", "gauss",
               member=Barycentric),
        Solver("relative", "rotations of joints: the matrix of augmented bodies, projected along paths", "gauss",
               member=Relative),
        Solver("null-space", "d'Alembert: M on the null space of G", "gauss", solve_null_space, DAlembert),
        Solver("independent", "independent speeds, chosen at each state by pivots", "kane", solve_independent),
        Solver("penalty", "a penalty that steps of the augmented Lagrangian remove", "kane", solve_penalty),
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
