"""Derivation by formulation and solver: those that are named, or the ones that suit the model; and warnings of those
that take long."""

from collections.abc import Sequence
from contextlib import suppress

from freebody import wings
from freebody.api.default_formulation import FormulationChoice, choose_formulation
from freebody.errors import ModelError, SlowWarning, warn
from freebody.formulations.derivation import Derivation
from freebody.formulations.entries import STANDARD, DeriveOptions, FormulationEntry
from freebody.formulations.omission import omit
from freebody.formulations.table import AUTO, FORMULATIONS, SPEEDS, find_solver, speed_names
from freebody.model.model import Model
from freebody.numeric import as_python

LONG, MUCH = 30.0, 4e9
"""Seconds and bytes above which a user is warned."""


def derive(
    model: Model,
    formulation: str | None,
    small: Sequence[str],
    speeds: str,
    search: int,
    rolled: bool | None,
    solver: str | None,
    secondary: Sequence[str],
    omitted: Sequence[str] = (),
) -> Derivation:
    """The equations of motion, which say by which method they were derived and why; see ``System.derive``. By default
    they are Kane's or those of articulated bodies, whichever have fewer operations of u̇ (``default_formulation``); for
    many bodies those of articulated bodies in a loop (docs/decisions/015), or one sparse system, where many loops of
    many bodies overlap (docs/decisions/024)."""
    if not isinstance(speeds, str):
        raise ModelError(f"speeds must be 'standard' or 'mass-centre', not {speeds!r}")
    if speeds != STANDARD and speeds not in SPEEDS:
        text = f"speeds {speeds!r} are unknown; use {' or '.join(map(repr, speed_names()))}"
        raise ModelError(f"{text}. {wings.note()}" if wings.note() else text)
    rolled = as_python(rolled)
    if not isinstance(rolled, bool | None):
        raise ModelError(f"rolled must be True, False or None, not {rolled!r}")
    if omitted:
        if rolled:
            raise ModelError("rolled=True computes the rates of all coordinates: leave out omit=…, or rolled=True")
        full = derive(model, formulation, small, speeds, search, False, solver, secondary)
        model, rolled = omit(model, full, omitted), False
    options = DeriveOptions(small, speeds, search, rolled, find_solver(solver), secondary, omitted)
    unnamed = formulation is None and options.solver is None
    if unnamed and is_automatic(model, options, asked=solver == AUTO):
        return automatic(model, options)
    if secondary and (options.solver is None or not options.solver.secondary):
        raise ModelError(f"secondary=… needs solver='compliance', not {solver!r}")
    choice = default(model, options) if unnamed else None
    named = options.solver.home if formulation is None and options.solver is not None else formulation
    entry = FORMULATIONS.find(named if choice is None else choice.formulation)
    require(model, entry, options)
    if speeds != STANDARD:
        entry = SPEEDS[speeds]
    warn_of_size(model, entry)
    derivation = entry.derive(model, options)
    if choice is not None and speeds == STANDARD:
        derivation.choice = FORMULATIONS.about(entry.name) + (f": {choice.reason}" if choice.reason else "")
    else:
        how = [FORMULATIONS.about(entry.name)] if formulation is not None or speeds != STANDARD else []
        derivation.choice = ", ".join(how if solver is None else [*how, f"solver '{solver}'"])
    return derivation


def is_automatic(model: Model, options: DeriveOptions, asked: bool) -> bool:
    """Whether the solver is chosen from the structure: where that is asked for, and where many loops of many bodies
    overlap."""
    from freebody.formulations.rolled import MANY_CLOSED

    if not model.constraints or options.small or options.secondary or options.rolled or options.speeds != STANDARD:
        return False
    if asked:
        return True
    if len(model.bodies) <= MANY_CLOSED or options.rolled is not None:
        return False
    from freebody.formulations.solvers.auto import is_crowded

    return is_crowded(model)


def automatic(model: Model, options: DeriveOptions) -> Derivation:
    """The equations by the first solver of those that suit the structure which accepts the system."""
    from freebody.formulations.solvers.auto import choose_solvers

    *first, last = choose_solvers(model)
    for solver in first:
        with suppress(ModelError):
            return derive(model, None, (), STANDARD, options.search, options.rolled, solver.name, ())
    return derive(model, None, (), STANDARD, options.search, options.rolled, last.name, ())


def default(model: Model, options: DeriveOptions) -> FormulationChoice:
    """The formulation where neither it nor a solver is named, and why."""
    from freebody.formulations.rolled import MANY

    if options.small or options.speeds != STANDARD or not model.bodies:
        return FormulationChoice("kane", "")
    if options.rolled or len(model.bodies) > MANY:
        return FormulationChoice("aba", "" if options.rolled else f"for more than {MANY} bodies")
    return choose_formulation(model)


def require(model: Model, entry: FormulationEntry, options: DeriveOptions) -> None:
    """Raise for a model without bodies, and for options that a formulation does not honour."""
    if options.rolled and "rolled" not in entry.honours:
        raise ModelError(f"rolled=True needs the formulation 'aba' or solver='sparse', not '{entry.name}'")
    if not model.bodies:
        raise ModelError(f"system '{model.name}' has no bodies; add some with body(…)")
    if options.speeds != STANDARD and "speeds" not in entry.honours:
        raise ModelError(f"'{entry.name}' has the standard speeds only: derive again without speeds=…")
    if options.small and "small" not in entry.honours:
        raise ModelError(f"small=… needs M and f, which '{entry.name}' does not compute: derive('kane', small=…)")
    if options.omit and "omit" not in entry.honours:
        raise ModelError(f"'{entry.name}' needs all coordinates: derive again without omit=…")
    if options.solver is not None:
        options.solver.require_size(model)


def warn_of_size(model: Model, entry: FormulationEntry) -> None:
    """Warn where the derivation will take long, with an estimate from the tree and an alternative."""
    if entry.growth is None:
        return
    depths = dict[str, int]()  # for each body, the number of bodies from the ground to it
    for name, spec in model.bodies.items():
        depths[name] = depths.get(spec.parent, 0) + 1
    seconds, size = entry.growth.estimate([*depths.values()])
    if seconds > LONG or size > MUCH:
        duration = f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} minutes"
        warn(
            f"{model.name}: deriving '{entry.name}' for {len(depths)} bodies, up to {max(depths.values())} one on"
            f" another, takes about {duration} and {size / 1e9:.2g} GB. Leave the formulation out, or take"
            " derive('aba', rolled=True): loops over the bodies are derived in about a second.",
            SlowWarning,
        )
