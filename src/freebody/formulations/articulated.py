"""The formulations by recursion: articulated bodies, which may be a loop over the bodies, and composite bodies."""

from freebody.errors import ModelError
from freebody.formulations.derivation import Derivation
from freebody.formulations.entries import DeriveOptions, FormulationEntry, Growth
from freebody.formulations.friction import needs_expressions
from freebody.formulations.recursive import Recursive
from freebody.model.model import Model
from freebody.tree.tree import Tree, span


def may_be_loops(tree: Tree, rolled: bool | None) -> bool:
    """Whether u̇ may be better computed in loops over the bodies, or is to be."""
    from freebody.formulations.rolled import MANY, MANY_CLOSED

    if rolled is not None:
        return rolled
    return len(tree.links) > (MANY_CLOSED if tree.model.constraints else MANY)


def composite(model: Model, options: DeriveOptions) -> Derivation:
    """M by composite bodies, u̇ from it by elimination link by link."""
    matrices = None if options.solver is None else options.solver.matrices_of("crba")
    return Derivation(Recursive(span(model), ()), options.small, matrices)


def articulated(model: Model, options: DeriveOptions) -> Derivation:
    """u̇ by articulated bodies, or by a solver: one with equations of its own, or one of M and f. Without such, in loops
    over the bodies where that is better; with constraints these take the compliance of the trees."""
    small, rolled, solver, secondary = options.small, options.rolled, options.solver, options.secondary
    own = solver if solver is not None and solver.member is not None and solver.home == "aba" else None
    if own is not None and small:
        raise ModelError(
            f"small=… needs M and f, which solver '{own.name}' does not compute: leave small or the solver out"
        )
    if own is not None and rolled and secondary:
        raise ModelError("rolled=True does not support secondary=…: leave one of them out")
    matrices = None if solver is None or own is not None else solver.matrices_of("aba")
    tree = span(model)
    unrolled = needs_expressions(model, rolled, "formulation 'aba'")
    if not small and not secondary and matrices is None and not unrolled and may_be_loops(tree, rolled):
        from freebody.formulations.rolled.equations import Rolled

        looped = Rolled(tree)
        if rolled or looped.is_cheaper:
            return looped
        tree = span(model)  # without what the loops left in its graph
    if own is not None and own.member is not None:
        return Derivation(own.member(tree, secondary) if secondary else own.member(tree))
    return Derivation(Recursive(tree, None), small, matrices)


COMPOSITE = FormulationEntry(
    "crba", composite, frozenset({"small", "solver", "speeds", "omit"}), Growth(2, seconds=3.0e-5, bytes=1.0e3)
)
ARTICULATED = FormulationEntry("aba", articulated, frozenset({"small", "solver", "rolled", "speeds", "omit"}))
