"""Derivation by formulation: the default one, the cheapest with its cache, warnings of those that take long."""

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from freebody.api.default_formulation import FormulationChoice, choose_formulation
from freebody.errors import ModelError, SlowWarning, warn
from freebody.formulations import kane
from freebody.formulations.derivation import Derivation
from freebody.model.model import Model
from freebody.numeric import as_python
from freebody.tree.tree import Tree, span

if TYPE_CHECKING:
    from freebody.formulations.choose import Candidate, Target
    from freebody.formulations.derivation import MatrixSolver
    from freebody.formulations.formulation import Formulation, Speeds
    from freebody.formulations.solvers.base import Solver

FORMULATIONS = ("kane", "crba", "aba", "cheapest", "sayers", "poincare", "gauss")
RULES = "9"
"""Raised when choices of older releases must not be used any more."""

METHODS = {
    "kane": "Kane's equations", "crba": "composite bodies", "aba": "articulated bodies",
    "cheapest": "fewest operations of a search", "sayers": "Sayers' method", "poincare": "Poincaré's equations",
    "gauss": "Gauss's principle",
}  # fmt: skip
"""Names of the formulations for readers."""

LONG, MUCH = 30.0, 4e9
"""Seconds and bytes above which a user is warned."""

PAIRS = {"kane": (4.4e-4, 2.0e4), "poincare": (4.4e-4, 2.0e4), "cheapest": (4.4e-4, 2.0e4)}
"""Seconds and bytes for each body and each of its ancestors, itself included: an entry of M."""

TRIPLES = {"crba": (3.0e-5, 1.0e3), "sayers": (1.9e-4, 4.5e3)}
"""For each body and each pair of its ancestors: M eliminated entry by entry, Sayers' kinematics."""


def derive(
    model: Model,
    formulation: str | None,
    small: Sequence[str],
    speeds: "Speeds",
    search: int,
    rolled: bool | None,
    solver: str | None,
    secondary: Sequence[str],
) -> Derivation:
    """The equations of motion, which say by which method they were derived and why; see ``System.derive``."""
    derivation = equations_of_motion(model, formulation, small, speeds, search, rolled, solver, secondary)
    if not derivation.choice:
        method = METHODS["sayers" if speeds != "standard" else formulation or "sayers"]
        how = [method] if formulation is not None or speeds != "standard" else []
        derivation.choice = ", ".join(how if solver is None else [*how, f"solver '{solver}'"])
    return derivation


def equations_of_motion(
    model: Model,
    formulation: str | None,
    small: Sequence[str],
    speeds: "Speeds",
    search: int,
    rolled: bool | None,
    solver: str | None,
    secondary: Sequence[str],
) -> Derivation:
    """The equations of motion; see ``System.derive``. By default they are Kane's or those of articulated bodies,
    whichever have fewer operations of u̇ (``default_formulation``); for many bodies those of articulated bodies in a
    loop (docs/decisions/015), or one sparse system, where many loops of many bodies overlap
    (docs/decisions/024)."""
    from freebody.formulations.rolled import MANY, MANY_CLOSED
    from freebody.formulations.solvers.table import AUTO, find_solver

    if not isinstance(speeds, str):
        raise ModelError(f"speeds is 'standard' or 'mass-centre', not {speeds!r}")
    rolled = as_python(rolled)
    if not isinstance(rolled, bool | None):
        raise ModelError(f"rolled must be True, False or None, not {rolled!r}")
    chosen = None if solver is None else find_solver(solver)
    plain = not small and not secondary and not rolled and speeds == "standard"
    if solver == AUTO and formulation is None and model.constraints and plain:
        return automatic(model, search, rolled)
    if solver is None and formulation is None and len(model.bodies) > MANY_CLOSED and model.constraints and plain:
        from freebody.formulations.solvers.auto import is_crowded

        if rolled is None and is_crowded(model):
            return automatic(model, search, rolled)
    if secondary and (chosen is None or chosen.name != "compliance"):
        raise ModelError(f"secondary=… needs solver='compliance', not {solver!r}")
    if formulation is None and chosen is not None:
        formulation = chosen.home
    if formulation is None:
        if small or speeds != "standard" or not model.bodies:
            choice = FormulationChoice("kane", "")
        elif rolled or len(model.bodies) > MANY:
            choice = FormulationChoice("aba", "" if rolled else f"for more than {MANY} bodies")
        else:
            choice = choose_formulation(model)
        options = small, speeds, search, rolled, solver, secondary
        derivation = equations_of_motion(model, choice.formulation, *options)
        if speeds == "standard":
            derivation.choice = METHODS[choice.formulation] + (f": {choice.reason}" if choice.reason else "")
        return derivation
    if not isinstance(formulation, str) or formulation not in FORMULATIONS:
        raise ModelError(f"there is no formulation {formulation!r}; there are {', '.join(FORMULATIONS)}")
    absolute = formulation == "gauss" and (chosen is None or chosen.name == "sparse")
    if rolled and formulation != "aba" and not absolute:
        raise ModelError(f"rolled=True needs the formulation 'aba' or solver='sparse', not '{formulation}'")
    if not model.bodies:
        raise ModelError(f"system '{model.name}' has no bodies; add some with body(…)")
    if formulation == "gauss" and speeds != "standard":
        raise ModelError("'gauss' has the standard speeds only: derive again without speeds=…")
    formulation = formulation if speeds == "standard" else "sayers"
    warn_of_size(model, formulation)
    if chosen is not None:
        chosen.require_size(model)
    if formulation == "gauss":
        looped = None if small or not absolute else absolute_loops(model, rolled)
        return gauss(model, chosen, small) if looped is None else looped
    if chosen is not None and chosen.member is not None and formulation == chosen.home:
        if small:
            raise ModelError(f"small names need M and f, which solver '{chosen.name}' does not form: leave it out")
        if rolled and secondary:
            raise ModelError("rolled=True has no secondary bodies: leave one of them out")
        looped = None if rolled is False or secondary else loops_over_bodies(model, rolled)
        if looped is not None:
            return looped
        tree = span(model)
        return Derivation(with_secondary(tree, secondary) if secondary else chosen.member(tree))
    matrices = None if chosen is None else matrix_solver(chosen, formulation)
    if formulation == "kane":
        return Derivation(kane.derive(span(model)), small, matrices)
    if formulation == "sayers":
        from freebody.formulations.sayers import Sayers

        return Derivation(Sayers(span(model, staged=speeds == "standard"), speeds), small, matrices)
    if formulation == "poincare":
        from freebody.formulations.poincare import Poincare

        return Derivation(Poincare(span(model)), small, matrices)
    if formulation == "cheapest":
        return cheapest(model, small, search)
    from freebody.formulations.recursive import Recursive

    if formulation == "aba" and not small and matrices is None:
        looped = loops_over_bodies(model, rolled)
        if looped is not None:
            return looped
    return Derivation(Recursive(span(model), () if formulation == "crba" else None), small, matrices)


def loops_over_bodies(model: Model, rolled: bool | None) -> Derivation | None:
    """Articulated bodies in a loop, and with constraints the compliance of the trees at these, if that is asked for or
    better than one expression."""
    from freebody.formulations.rolled import MANY, MANY_CLOSED

    tree = span(model)
    if not rolled and len(tree.links) <= (MANY_CLOSED if model.constraints else MANY):
        return None
    from freebody.formulations.rolled.equations import Rolled

    looped = Rolled(tree)
    return looped if rolled or looped.is_cheaper else None


def absolute_loops(model: Model, rolled: bool | None) -> Derivation | None:
    """One sparse system of all bodies and constraints that loops fill, if that is asked for or better than one
    expression."""
    from freebody.formulations.solvers.base import LIMIT, body_count
    from freebody.formulations.solvers.rolled_sparse import RolledSparse

    flexible = any(spec.modal is not None for spec in model.bodies.values())
    if rolled is False or (rolled is None and (flexible or body_count(model) <= LIMIT)):
        return None
    looped = RolledSparse(span(model, staged=False))
    return looped if rolled or looped.is_cheaper else None


def with_secondary(tree: Tree, secondary: Sequence[str]) -> "Formulation":
    """Equations of a primary and a secondary system."""
    from freebody.formulations.solvers.compliance import ComplianceEquations, require_secondary

    require_secondary(tree.model, secondary)
    return ComplianceEquations(tree, secondary)


def automatic(model: Model, search: int, rolled: bool | None) -> Derivation:
    """The equations by the first solver of those that suit the structure which accepts the system."""
    from freebody.formulations.solvers.auto import choose_solvers

    *first, last = choose_solvers(model)
    for solver in first:
        with suppress(ModelError):
            return derive(model, None, (), "standard", search, rolled, solver.name, ())
    return derive(model, None, (), "standard", search, rolled, last.name, ())


def gauss(model: Model, solver: "Solver | None", small: Sequence[str]) -> Derivation:
    """Equations of Gauss's principle, as a member of the family of solvers derives them."""
    from freebody.formulations.formulation import Formulation
    from freebody.formulations.solvers.table import SOLVERS

    if small:
        raise ModelError("small names need M and f, which 'gauss' does not form: derive('kane', small=…)")
    solver = SOLVERS["sparse"] if solver is None else solver
    member = solver.member if solver.home == "gauss" else solver.gauss
    if member is not None:
        return Derivation(member(span(model, staged=False)))
    return Derivation(Formulation(span(model)), (), matrix_solver(solver, "gauss"))


def matrix_solver(solver: "Solver", formulation: str) -> "MatrixSolver | None":
    """How M, f, G and γ of a formulation are solved; None: in the formulation's own way."""
    if solver.name == "tree":
        return None
    if formulation == "cheapest":
        raise ModelError(
            f"'cheapest' searches among programs of solver 'tree'; for '{solver.name}' name another"
            " formulation, or none"
        )
    if solver.matrices is None:
        raise ModelError(
            f"solver '{solver.name}' has equations of its own, and cannot solve those of '{formulation}':"
            f" derive('{solver.home}', solver='{solver.name}')"
        )
    return solver.matrices


def cheapest(model: Model, small: Sequence[str], search: int) -> Derivation:
    """Equations by the smallest programs that a search of this length finds, or has found before."""
    import hashlib
    import json

    from freebody.disk_cache import Cache
    from freebody.formulations.choose import EVALUATIONS, Candidate, Cheapest
    from freebody.progress import Progress

    if search not in list(EVALUATIONS):
        raise ModelError(f"search is one of {', '.join(map(str, EVALUATIONS))}, not {search!r}")
    cache, digest = Cache(), model.digest

    def key(quantity: "Target") -> bytes:
        return hashlib.blake2b(f"choice {RULES} {digest} {quantity} {search}".encode(), digest_size=32).digest()

    def recall(quantity: "Target") -> "Candidate | None":
        stored = cache.get(key(quantity))
        return None if stored is None else Candidate.from_plain(json.loads(stored))

    def store(quantity: "Target", choice: "Candidate") -> None:
        cache.put(key(quantity), json.dumps(choice.to_plain()).encode())

    bar = Progress(f"looking for the cheapest equations of {model.name}", EVALUATIONS[search])
    return Cheapest(model, small, search, recall, store, lambda spent, _: bar(spent))


def warn_of_size(model: Model, formulation: str) -> None:
    """Warn where the derivation will take long, with an estimate from the tree and an alternative."""
    depths = dict[str, int]()  # for each body, the number of bodies from the ground to it
    for name, spec in model.bodies.items():
        depths[name] = depths.get(spec.parent, 0) + 1
    if formulation in PAIRS:
        number, (each_s, each_bytes) = sum(depths.values()), PAIRS[formulation]
    elif formulation in TRIPLES:
        number, (each_s, each_bytes) = sum(d * d for d in depths.values()), TRIPLES[formulation]
    else:
        return
    seconds, size = each_s * number, each_bytes * number
    if seconds > LONG or size > MUCH:
        duration = f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} minutes"
        warn(
            f"{model.name}: deriving '{formulation}' for {len(depths)} bodies, up to {max(depths.values())} one on"
            f" another, takes about {duration} and {size / 1e9:.2g} GB. Leave the formulation out, or take"
            " derive('aba', rolled=True): loops over the bodies are derived in about a second.",
            SlowWarning,
        )
