"""Coordinates coupled to others: who may follow whom, and what a chain of couplings comes to.

A system keeps each coupling as it was given. Its model, which derivations work on, holds no coordinate of a coupled
joint: there q is ratio · q + offset of what is followed at last, and where that moves as prescribed (or the ratio is
0), so does it. Nor does it hold coordinates that are prescribed: these are functions of time there.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from freebody.errors import ModelError
from freebody.model.accelerations import acceleration_symbol
from freebody.model.body import Body, Coupling, Recipe, coordinates, name_of
from freebody.names import U_DOT, Q, U
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.walk import transfer


def single_coordinate_recipe(bodies: Mapping[str, Body], body: Any, who: str) -> Recipe:
    """The recipe of a body whose joint has one coordinate."""
    name = name_of(body)
    found = bodies.get(name)
    if found is None or (isinstance(body, Body) and found is not body):
        raise ModelError(f"{who}: '{name}' is not a body of this system (there are {', '.join(bodies)})")
    count, kind = len(found.q), found.recipe.joint.kind
    if count != 1:
        raise ModelError(
            f"{who}: the {kind} joint of '{name}' has {count or 'no'} coordinates; only joints with one (revolute,"
            " prismatic, screw) can be coupled or followed"
        )
    if found.recipe.names[0] != (name,):
        raise ModelError(
            f"{who}: the coordinate of the {kind} joint of '{name}' has a name of its own ({found.recipe.names[0][0]});"
            " only joints whose coordinate is called as the body (revolute, prismatic, screw) can be coupled or"
            " followed"
        )
    return found.recipe


def require_uncoupled(recipe: Recipe, who: str) -> None:
    """A joint that is to be coupled has nothing else that moves it."""
    joint = recipe.joint
    if recipe.coupling is not None:
        raise ModelError(f"{who}: it is coupled to '{recipe.coupling.to}' already; couple it once")
    if joint.motion is not None:
        raise ModelError(f"{who}: its motion is prescribed; leave out the motion or the coupling")
    if joint.initial is not None:
        raise ModelError(f"{who}: it has an initial value of its own; give one to what it follows instead")


def require_acyclic(bodies: Mapping[str, Body], name: str, to: str, who: str) -> None:
    """What is followed must not follow in turn."""
    line, recipe = [to], bodies[to].recipe
    while recipe.coupling is not None:
        line.append(recipe.coupling.to)
        recipe = bodies[recipe.coupling.to].recipe
    if line == [name]:
        raise ModelError(f"{who}: that is itself; name another")
    if line[-1] == name:
        chain = " → ".join(line)
        raise ModelError(f"{who}: '{to}' follows '{name}' already ({chain}); leave out one of these couplings")


def resolve_couplings(recipes: Mapping[str, Recipe]) -> dict[str, Recipe]:
    """The recipes with each coupling to what is followed at last, and with motions in place of couplings to what is
    prescribed and of those with ratio 0."""
    return {name: recipe if recipe.coupling is None else _last(recipes, recipe) for name, recipe in recipes.items()}


def _last(recipes: Mapping[str, Recipe], recipe: Recipe) -> Recipe:
    coupling: Coupling | None = recipe.coupling
    assert coupling is not None
    while (further := recipes[coupling.to].coupling) is not None:
        coupling = coupling.on(further)
    graph, motion = coupling.ratio.graph, recipes[coupling.to].joint.motion
    if graph.number(coupling.ratio.handle) == 0:
        motion = 0
    if motion is None:
        return replace(recipe, coupling=coupling)
    return replace(recipe, joint=replace(recipe.joint, motion=coupling.ratio * motion + coupling.offset), coupling=None)


def substitute_dependent(graph: Graph, recipes: Mapping[str, Recipe], nodes: Mapping[int, int]) -> dict[int, int]:
    """A map of nodes whose values are written without the coordinates, speeds and accelerations of joints that are
    coupled or move as prescribed."""
    swap: dict[int, int] = {}
    for recipe in resolve_couplings(recipes).values():
        if recipe.coupling is None and recipe.joint.motion is None:
            continue
        (q_names, u_names), (q, u, given) = recipe.names, coordinates(graph, recipe)
        for q_name, u_name, x, v, rate in zip(q_names, u_names, q, u, given, strict=True):
            if recipe.coupling is not None:
                rate = recipe.coupling.ratio * Expr(graph, acceleration_symbol(graph, recipe.coupling.to))
            if rate is not None:
                values = {Q(q_name): x, U(u_name): v, U_DOT(u_name): rate}
                swap |= {h: value.handle for name, value in values.items() if (h := graph.named(name)) is not None}
    again = transfer(graph, list(nodes.values()), graph, swap)
    return {old: again[new] for old, new in nodes.items()}
