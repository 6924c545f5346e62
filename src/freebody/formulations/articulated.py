"""The formulations by recursion: articulated bodies, which may be a loop over the bodies, and composite bodies."""

from freebody.errors import ModelError
from freebody.formulations.derivation import Derivation
from freebody.formulations.entries import DeriveOptions, FormulationEntry, Growth
from freebody.formulations.recursive import Recursive
from freebody.model.model import Model
from freebody.tree.forest import span


def loops_over_bodies(model: Model, rolled: bool | None) -> Derivation | None:
    """Articulated bodies in a loop, and with constraints the compliance of the trees at these, if that is asked for or
    better than one expression."""
    from freebody.formulations.rolled import MANY, MANY_CLOSED

    forest = span(model)
    if not rolled and len(forest.links) <= (MANY_CLOSED if model.constraints else MANY):
        return None
    from freebody.formulations.rolled.equations import Rolled

    looped = Rolled(forest)
    return looped if rolled or looped.pays else None


def composite(model: Model, options: DeriveOptions) -> Derivation:
    """M by composite bodies, u̇ from it by elimination link by link."""
    matrices = None if options.solver is None else options.solver.matrices_of("crba")
    return Derivation(Recursive(span(model), ()), options.small, matrices)


def articulated(model: Model, options: DeriveOptions) -> Derivation:
    """u̇ by articulated bodies, or by a solver: one with equations of its own, or one of M and f. Without such, in loops
    over the bodies where that is better."""
    solver = options.solver
    if solver is not None and solver.member is not None and solver.home == "aba":
        if options.small:
            raise ModelError(f"small names need M and f, which solver '{solver.name}' does not form: leave it out")
        if options.rolled and options.secondary:
            raise ModelError("rolled=True has no secondary bodies: leave one of them out")
        looped = None if options.rolled is False or options.secondary else loops_over_bodies(model, options.rolled)
        secondary = [options.secondary] if options.secondary else []
        return Derivation(solver.member(span(model), *secondary)) if looped is None else looped
    matrices = None if solver is None else solver.matrices_of("aba")
    looped = loops_over_bodies(model, options.rolled) if not options.small and matrices is None else None
    return Derivation(Recursive(span(model), None), options.small, matrices) if looped is None else looped


COMPOSITE = FormulationEntry(
    "crba", composite, frozenset({"small", "solver", "speeds"}), Growth(2, seconds=3.0e-5, bytes=1.0e3)
)
ARTICULATED = FormulationEntry("aba", articulated, frozenset({"small", "solver", "rolled", "speeds"}))
