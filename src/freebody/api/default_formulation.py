"""The default formulation: Kane's equations or articulated bodies, whichever computes u̇ in fewer operations. Where the
structure decides, nothing is counted; where both are derived to count them, the choice is stored in the cache."""

from typing import NamedTuple

from freebody.disk_cache import Cache
from freebody.errors import FreebodyError
from freebody.formulations import kane
from freebody.formulations.derivation import UNROLLED, Derivation
from freebody.formulations.formulation import Formulation
from freebody.formulations.recursive import Recursive
from freebody.model.model import Model
from freebody.program.count import operations
from freebody.tree.tree import span

RULES = "1"
"""Raised when choices of older releases must not be used any more."""

FEW = 2
"""Systems with so many speeds and without constraints are derived by Kane's equations without counting. Articulated
bodies need at most a few per cent fewer operations there (969 instead of 1007 for a Custom joint with eight loads)."""

CLOSED = 16
"""Systems with constraints and more speeds than this are derived by articulated bodies: the matrix of speeds and
multipliers is soon so large that eliminating multipliers on the way takes less time."""

FLEXIBLE = 8
"""Systems with flexible bodies and more speeds than this are derived by articulated bodies, which eliminate modes in
the fewest operations (docs/decisions/027)."""

DEEP = 600
"""The sum over all speeds of the squared number of speeds that move each of them, itself included. Eliminations in M
take time in proportion to it. Of 40 random trees, the 14 above this limit all needed fewer operations by articulated
bodies (docs/decisions/032)."""


class FormulationChoice(NamedTuple):
    """A formulation, and why it was chosen."""

    formulation: str
    reason: str


def choose_formulation(model: Model) -> FormulationChoice:
    """The formulation of fewest operations of u̇. What was derived to count them is not used further, so that programs
    do not depend on whether the choice was stored."""
    choice = structural_choice(model)
    if choice is not None:
        return choice
    import hashlib
    import json

    cache, key = Cache(), hashlib.blake2b(f"default {RULES} {model.digest}".encode(), digest_size=32).digest()
    stored = cache.get(key)
    if stored is not None:
        return FormulationChoice(*json.loads(stored))
    choice = counted_choice(model)
    cache.put(key, json.dumps(choice).encode())
    return choice


def structural_choice(model: Model) -> FormulationChoice | None:
    """The choice that needs no counting."""
    depth, deep, speeds = dict[str, int](), 0, 0
    for name, spec in model.bodies.items():
        start, own = depth.get(spec.parent, 0), len(spec.names[1])
        depth[name], speeds = start + own, speeds + own
        deep += sum(k * k for k in range(start + 1, start + own + 1))
    if speeds <= FEW and not model.constraints:
        return FormulationChoice("kane", f"the default for up to {FEW} speeds")
    if model.constraints and speeds > CLOSED:
        return FormulationChoice("aba", f"with constraints and more than {CLOSED} speeds")
    if speeds > FLEXIBLE and any(spec.modal is not None for spec in model.bodies.values()):
        return FormulationChoice("aba", f"with flexible bodies and more than {FLEXIBLE} speeds")
    if deep > DEEP:
        return FormulationChoice("aba", "with so many speeds on each other Kane's equations need more operations")
    return None


def counted_choice(model: Model) -> FormulationChoice:
    """The better of the two; Kane's equations where one of them cannot be derived."""
    by_kane, by_recursion = cost(kane.derive(span(model))), cost(Recursive(span(model), None))
    if by_kane is None or by_recursion is None:
        return FormulationChoice("kane", "articulated bodies cannot be eliminated here" * (by_recursion is None))
    if by_kane <= by_recursion:
        return FormulationChoice("kane", f"{by_kane:,} operations of u̇, by articulated bodies {by_recursion:,}")
    return FormulationChoice("aba", f"{by_recursion:,} operations of u̇, by Kane's equations {by_kane:,}")


def cost(formulation: Formulation) -> int | None:
    """Operations of u̇ under generalised forces, as ``operations["forward_dynamics"]``; None where it cannot be derived
    in this way. No program is made of expressions to count them."""
    derivation = Derivation(formulation)
    try:
        if len(derivation.layout.u) + len(derivation.gamma) > UNROLLED:
            return derivation.operations["forward_dynamics"].total
        return operations(derivation.graph, list(derivation.u_dot(derivation.assembly("count"), derivation.tau)))
    except FreebodyError:
        return None
