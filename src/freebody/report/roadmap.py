"""The roadmap of a system: bodies, joints, where each coordinate and speed stands in q and u, loads, parameters."""

from collections.abc import Mapping
from dataclasses import dataclass

from freebody.formulations.equations import Equations
from freebody.scalar.graph import Graph
from freebody.tree.forest import Link


@dataclass(frozen=True)
class Table:
    """A table of texts with a title."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def roadmap(e: Equations, values: Mapping[str, float]) -> list[Table]:
    """The tables that have something to say."""
    tables = [
        Table("Bodies and joints", ("body", "on", "joint", "q", "u", "mass"), _bodies(e)),
        Table("Coordinates q", ("index", "name", "unit"), _indexed(e, "q", e.layout.q)),
        Table("Speeds u", ("index", "name", "unit"), _indexed(e, "u", e.layout.u)),
        Table("States z", ("index", "name", "unit", "rate", "meaning"), _states(e)),
        Table("Inputs", ("index", "name", "unit", "meaning"), _symbols(e, e.layout.inputs)),
        Table("Loads", ("name", "kind"), _loads(e)),
        Table("Parameters", ("name", "value", "unit", "meaning"), _parameters(e, values)),
        Table("Outputs", ("name", "kind"), _outputs(e)),
    ]
    return [t for t in tables if t.rows]


def _bodies(e: Equations) -> tuple[tuple[str, ...], ...]:
    return tuple(_body(e, stages) for stages in e.forest.bodies)


def _body(e: Equations, stages: list[Link]) -> tuple[str, ...]:
    body = stages[-1].body
    recipe = body.recipe.described
    q = [n for n in recipe.names[0] if n in e.layout.q]
    how = ", prescribed" if sum(len(link.free) for link in stages) < len(recipe.names[1]) else ""
    joint = recipe.joint.kind + (how if body.tie is None else f", tied to {body.tie.to}")
    places = (_range(e.layout.q, q), _range(e.layout.u, [n for n in recipe.names[1] if n in e.layout.u]))
    return (recipe.name, recipe.parent, joint, *places, str(recipe.mass))


def _range(names: tuple[str, ...], own: list[str]) -> str:
    if not own:
        return "–"
    first, last = names.index(own[0]), names.index(own[-1])
    return str(first) if first == last else f"{first}–{last}"


def _unit(g: Graph, name: str) -> tuple[str, str]:
    symbol = g.symbol_named(name)
    return symbol.unit, symbol.description


def _indexed(e: Equations, letter: str, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple((str(k), n, _unit(e.graph, f"{letter}.{n}")[0]) for k, n in enumerate(names))


def _states(e: Equations) -> tuple[tuple[str, ...], ...]:
    rows = []
    for k, (name, state) in enumerate(e.forest.model.states.items()):
        unit, meaning = _unit(e.graph, name)
        rate = str(state.rate)
        rows.append((str(k), name, unit, rate if "\n" not in rate else "a longer expression", meaning))
    return tuple(rows)


def _symbols(e: Equations, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple((str(k), n, *_unit(e.graph, n)) for k, n in enumerate(names))


def _loads(e: Equations) -> tuple[tuple[str, ...], ...]:
    return tuple((n, load.kind) for n, load in e.forest.model.loads.items())


def _parameters(e: Equations, values: Mapping[str, float]) -> tuple[tuple[str, ...], ...]:
    return tuple((n, f"{values[n]:g}", *_unit(e.graph, n)) for n in e.layout.parameters)


def _outputs(e: Equations) -> tuple[tuple[str, ...], ...]:
    outputs = e.forest.model.outputs.items()
    return tuple((n, "vector" if isinstance(v, tuple) else "scalar") for n, v in outputs)
