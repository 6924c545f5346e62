"""The formulation by Gauss's principle: u̇ and multipliers together, as a member of the family of solvers derives
them."""

from freebody import wings
from freebody.errors import ModelError
from freebody.formulations.derivation import Derivation
from freebody.formulations.entries import LIMIT, DeriveOptions, FormulationEntry, body_count
from freebody.formulations.formulation import Formulation
from freebody.formulations.friction import needs_expressions
from freebody.formulations.table import SOLVERS
from freebody.model.model import Model
from freebody.tree.tree import span


def gauss(model: Model, options: DeriveOptions) -> Derivation:
    """The equations of a solver, by default those of "sparse"."""
    solver = SOLVERS["sparse"] if options.solver is None else options.solver
    if solver.name == "sparse":
        looped = loops_over_constraints(model, options.rolled)
        if looped is not None:
            return looped
    elif options.rolled:
        raise ModelError("rolled=True needs the formulation 'aba' or solver='sparse', not 'gauss'")
    member = solver.member if solver.home == "gauss" else None
    if solver.name == "tree":
        member = wings.load("gauss", "tree", "derive('gauss', solver='tree')")
    if member is not None:
        return Derivation(member(span(model, staged=False)))
    return Derivation(Formulation(span(model)), (), solver.matrices_of("gauss"))


def loops_over_constraints(model: Model, rolled: bool | None) -> Derivation | None:
    """One sparse system of all bodies and constraints that loops fill, if that is asked for or better than one
    expression."""
    from freebody.formulations.solvers.rolled_sparse import RolledSparse

    if needs_expressions(model, rolled, "solver 'sparse'"):
        return None
    flexible = any(spec.modal is not None for spec in model.bodies.values())
    if rolled is False or (rolled is None and (flexible or body_count(model) <= LIMIT)):
        return None
    looped = RolledSparse(span(model, staged=False))
    return looped if rolled or looped.is_cheaper else None


FORMULATION = FormulationEntry("gauss", gauss, frozenset({"solver", "rolled"}))
