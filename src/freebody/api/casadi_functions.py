"""Quantities as functions of CasADi, for optimal control and estimation."""

from collections.abc import Mapping, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any

from freebody.errors import ArgumentError, BackendError, choices
from freebody.extras import install_command
from freebody.keywords import unknown_argument
from freebody.names import ENGAGED
from freebody.quantities import QUANTITIES
from freebody.run.arguments import by_name, require_names
from freebody.run.switching import engaged_at_start

if TYPE_CHECKING:
    from freebody.api.equations import Equations

SYMBOLS = ("SX", "MX")
OWN_ARGUMENTS = ("quantity", "parameters", "free", "symbols", "engaged")


def casadi_function(
    equations: "Equations",
    quantity: str,
    parameters: Mapping[str, float] | None,
    free: Sequence[str],
    symbols: str,
    engaged: Mapping[str, bool] | None,
    arguments: Mapping[str, Any],
) -> Any:
    """The function of ``Equations.to_casadi``."""
    known = QUANTITIES[quantity] if isinstance(quantity, str) and quantity in QUANTITIES else None
    further = list(signature(known.choose).parameters) if known is not None and known.choose is not None else []
    for name in arguments:
        if known is not None and name not in further:
            raise unknown_argument("to_casadi", name, [*OWN_ARGUMENTS, *further])
    if symbols not in SYMBOLS:
        raise ArgumentError(f"symbols: '{symbols}' is not a kind of CasADi's; {choices(list(SYMBOLS))}")
    context = f"system '{equations.derivation.tree.model.name}'"
    free = [free] if isinstance(free, str) else list(free)
    given = by_name(parameters, "parameters", "{'m': 2.0}")
    require_names(list(equations.values), {**given, **dict.fromkeys(free)}, "parameter", context)
    both = [name for name in free if name in given]
    if both:
        raise ArgumentError(f"{context}: parameter '{both[0]}' is free, so that it has no value; leave one of them out")
    try:
        from freebody.printing.casadi import program_to_casadi
    except ImportError:
        raise BackendError(f"to_casadi() needs CasADi: {install_command('casadi')}") from None
    program, layout = equations.program(quantity, **arguments), equations.derivation.layout
    flags = {name: value for name, value in layout.held.items() if ENGAGED.holds(name)}
    flags |= engaged_at_start(equations.derivation, engaged)
    values = {("parameters", name): float(v) for name, v in {**equations.values, **given}.items() if name not in free}
    values |= {("inputs", name): float(value) for name, value in flags.items()}
    groups = list[tuple[str, list[tuple[str, str]]]]()
    for group in program.groups:
        held = layout.held if group.name == "inputs" else ()
        unknown = [(group.name, n) for n in group.elements if (group.name, n) not in values and n not in held]
        groups.append((group.name, unknown))
        groups.append(("held", [("inputs", n) for n in group.elements if n in held and n not in flags]))
    last = [
        (name, sorted(elements, key=lambda e: free.index(e[1]))) for name, elements in groups if name == "parameters"
    ]
    ordered = [*(one for one in groups if one[0] != "parameters"), *last]
    return program_to_casadi(program, [(name, elements) for name, elements in ordered if elements], values, symbols)
