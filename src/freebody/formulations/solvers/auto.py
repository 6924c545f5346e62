"""``solver="auto"``: the solver that is expected to be the fastest, from the structure of a model
(docs/decisions/024-choice-of-solver.md)."""

from freebody.formulations.solvers.base import Solver
from freebody.formulations.solvers.table import SOLVERS
from freebody.model.model import Model
from freebody.tree.independence import dependence

CROWDED = 45
"""Above this mean square of pending multipliers a body, bodies on their own cost less than the tree (ladders of rungs
cross over between 42 and 55)."""


def choose_solver(model: Model) -> Solver:
    """The solver for a model with constraints. The tree's elimination carries a multiplier along the loop of its
    constraint; at a body with p multipliers on their way this costs p² operations. Where many loops lie one over
    another, absolute coordinates are cheaper: each body meets only those equations that act on it."""
    pending = pending_multipliers(model)
    squares = sum(p**2 for p in pending.values())
    return SOLVERS["sparse" if squares > CROWDED * len(pending) else "tree"]


def pending_multipliers(model: Model) -> dict[str, int]:
    """For each body, the number of equations of constraints whose loop passes through the joint that carries it."""
    rows = dict.fromkeys(model.constraints, 0)
    result = dependence(model)
    for key in result.names.keys() - result.omitted[False].keys():
        rows[key.constraint] += 1
    pending = dict.fromkeys(model.bodies, 0)
    for name, constraint in model.constraints.items():
        loop = set[str]()
        for end in constraint.bodies():
            loop ^= set(_path(model, end))  # without the bodies that carry both ends
        for body in loop:
            pending[body] += rows[name]
    return pending


def _path(model: Model, body: str) -> list[str]:
    """A body and those that carry it, up to the ground."""
    path = []
    while body in model.bodies:
        path.append(body)
        body = model.bodies[body].parent
    return path
