"""Coordinates of no interest (Sayers 1991, n ≠ ν): those that nothing depends on, and equations without their rates."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from freebody.errors import ModelError, UnknownSymbolsError, nearest
from freebody.formulations.samples import programs_of_samples
from freebody.model.model import Model
from freebody.names import Q
from freebody.program.program import Program
from freebody.scalar.node import Node
from freebody.scalar.walk import symbols_of
from freebody.spatial.vector import Vector
from freebody.tables import listed

if TYPE_CHECKING:
    from freebody.formulations.derivation import Derivation
    from freebody.tree.tree import Tree

ADVICE = "derive again without omit=…"


def unused_coordinates(e: "Derivation") -> tuple[str, ...]:
    """The coordinates that nothing depends on: neither accelerations, rates of states, constraints, loads and outputs,
    nor rates of coordinates that something depends on. Rolled equations do not tell them apart and have none."""
    if e.rolled:
        return ()
    needed, rates = set(_uses(e)), _rates(e)
    while more := {name for n in needed for name in rates.get(n, ())} - needed:
        needed |= more
    return tuple(name for name in e.layout.q if name not in needed)


def omit(model: Model, e: "Derivation", names: Sequence[str]) -> Model:
    """A model without the named coordinates among its states; a body's name stands for all of its coordinates. ``e``
    are its equations with all of them. Raises for a coordinate that something depends on."""
    chosen = _chosen(e, names)
    uses, rates = _uses(e), _rates(e)
    for name in chosen:
        if name in uses:
            raise ModelError(f"coordinate '{name}' cannot be omitted: {uses[name]} on it")
        keepers = [n for n in e.layout.q if n not in chosen and name in rates[n]]
        if keepers:
            raise ModelError(
                f"coordinate '{name}' cannot be omitted: the rate of '{keepers[0]}' depends on it; omit '{keepers[0]}'"
                " too, or none of them"
            )
    return model.omitting(chosen)


def omission_error(tree: "Tree", error: UnknownSymbolsError) -> Exception:
    """The error of a program that needs omitted coordinates, which says so; any other as it is."""
    used = [name for name in tree.model.omitted if Q(name) in error.symbols]
    if not used:
        return error
    return ModelError(f"'{error.what}' depends on {_coordinates(used)}, omitted here; {ADVICE}")


def _coordinates(names: Sequence[str]) -> str:
    return f"coordinate{'s' if len(names) > 1 else ''} {listed(list(map(repr, names)))}"


def _chosen(e: "Derivation", names: Sequence[str]) -> list[str]:
    chosen = list[str]()
    for given in names:
        name = Q.strip(given) if Q.holds(given) else given
        spec = e.tree.model.bodies.get(name)
        own = [n for n in (spec.names[0] if spec is not None else ()) if n in e.layout.q]
        found = own or [n for n in e.layout.q if n == name]
        if not found:
            near = nearest(name, e.layout.q, 1)
            hint = f"did you mean '{near[0]}'?" if near else f"there are {listed(list(e.layout.q))}"
            raise ModelError(f"omit: '{given}' is not a coordinate that is a state; {hint}")
        chosen += found
    return list(dict.fromkeys(chosen))


def _uses(e: "Derivation") -> dict[str, str]:
    """For each coordinate that something other than rates of coordinates depends on, what does."""
    uses, model, g = dict[str, str](), e.tree.model, e.graph
    coordinates = dict(zip(e.layout.q_handles, e.layout.q, strict=True))

    def note(nodes: Iterable[Node], text: str) -> None:
        for h in symbols_of(g, list(nodes)):
            if h in coordinates:
                uses.setdefault(coordinates[h], text)

    for name, load in model.loads.items():
        value = load.value(e.formulation.motion)
        note(value.parts.values() if isinstance(value, Vector) else [value.handle], f"load '{name}' depends")
    for name, state in model.states.items():
        note(e.in_own_speeds([state.rate.handle]), f"the rate of state '{name}' depends")
    for name, nodes in e.outputs.items():
        note(nodes, f"output '{name}' depends")
    for name, programs in programs_of_samples(e).items():
        nodes = [x.handle for program in programs for x in program.values.values()]
        note(e.in_own_speeds(nodes), f"{model.sampled[name].group} '{name}' depends")
    for spec in (link.body.spec for link in e.tree.links):
        if spec.joint.limits is not None:
            uses |= {n: "limits of its joint depend" for n in spec.names[0] if n in e.layout.q}
    if model.constraints:
        for name in _coordinates_of(e, e.programs["constraint"]):
            uses.setdefault(name, "constraints depend")
    for name in _coordinates_of(e, e.programs["forward_dynamics"]):
        uses.setdefault(name, "accelerations depend")
    return uses


def _coordinates_of(e: "Derivation", program: Program) -> list[str]:
    """The coordinates that a program reads."""
    read = {a.offset for block in program.blocks for a in block.loads if a.buffer == "q"}
    return [name for k, name in enumerate(e.layout.q) if k in read]


def _rates(e: "Derivation") -> Mapping[str, frozenset[str]]:
    """For each coordinate those on which its rate depends."""
    coordinates = dict(zip(e.layout.q_handles, e.layout.q, strict=True))
    return {
        name: frozenset(coordinates[h] for h in symbols_of(e.graph, [rate]) if h in coordinates)
        for name, rate in zip(e.layout.q, e.q_dot, strict=True)
    }
