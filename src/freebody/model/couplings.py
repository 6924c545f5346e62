"""Joints whose coordinate is coupled to that of another joint: checks, and the couplings of a model.

A system stores each coupling as it was given. Its model, from which equations are derived, has no coordinates of
coupled or prescribed joints. There q is ratio · q + offset of the free joint at the end of the chain of couplings; if
that joint is prescribed, or the ratio is 0, the coupled joint is prescribed too. Prescribed coordinates are functions
of time.
"""

from collections.abc import Collection, Mapping
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
    """The recipe of a body whose joint has one coordinate; raises for any other."""
    name = name_of(body)
    known = bodies.get(name)
    if known is None or (isinstance(body, Body) and known is not body):
        raise ModelError(f"{who}: '{name}' is not a body of this system (there are {', '.join(bodies)})")
    count, kind = len(known.q), known.recipe.joint.kind
    if known.recipe.modal is not None and known.recipe.modal.data.n:
        raise ModelError(
            f"{who}: '{name}' is flexible, and joints of flexible bodies cannot be coupled; constrain its"
            f" coordinate, s.gear('{known.recipe.names[0][0]}', …)"
        )
    if count != 1:
        raise ModelError(
            f"{who}: the {kind} joint of '{name}' has {count or 'no'} coordinates; only joints with one (revolute,"
            " prismatic, screw) can be coupled"
        )
    if known.recipe.names[0] != (name,):
        raise ModelError(
            f"{who}: the coordinate of the {kind} joint of '{name}' has a name of its own ({known.recipe.names[0][0]});"
            " only joints whose coordinate has the name of the body (revolute, prismatic, screw) can be coupled"
        )
    return known.recipe


def require_couplable(bodies: Mapping[str, Body], recipe: Recipe, to: str, who: str) -> None:
    """Raise if something else determines the coordinate of a joint that is to be coupled to that of ``to``, or if
    ``to`` is coupled to it, directly or through others."""
    if recipe.coupling is not None:
        raise ModelError(f"{who}: it is already coupled to '{recipe.coupling.to}'; couple it once")
    if recipe.joint.motion is not None:
        raise ModelError(f"{who}: its motion is prescribed; leave out the motion or the coupling")
    if recipe.joint.initial is not None:
        raise ModelError(f"{who}: it has an initial value; give the initial value to the joint it is coupled to")
    chain = [to]
    while (coupling := bodies[chain[-1]].recipe.coupling) is not None:
        chain.append(coupling.to)
    if chain == [recipe.name]:
        raise ModelError(f"{who} to '{to}': a joint cannot be coupled to itself; name another body")
    if chain[-1] == recipe.name:
        shown = " → ".join(chain)
        raise ModelError(
            f"{who} to '{to}': '{to}' is already coupled to '{recipe.name}' ({shown}); leave out one of these couplings"
        )


def couplable(bodies: Mapping[str, Body], coordinate: str, to: str) -> bool:
    """Whether a coordinate can be coupled to another: both are the only ones of their joints, and neither an initial
    value, a motion nor another coupling determines the first."""
    if coordinate not in bodies or to not in bodies:
        return False  # a coordinate of several in a joint has a longer name than its body
    recipe = bodies[coordinate].recipe
    single = all(bodies[name].recipe.names[0] == (name,) for name in (coordinate, to))
    return single and recipe.coupling is None and recipe.joint.motion is None and recipe.joint.initial is None


def coupled_to(bodies: Mapping[str, Body], coordinate: str) -> str:
    """The coordinate at the end of the chain of couplings of a coordinate; itself if it is not coupled."""
    while coordinate in bodies and (coupling := bodies[coordinate].recipe.coupling) is not None:
        coordinate = coupling.to
    return coordinate


def coordinate_of(bodies: Mapping[str, Body], closing: Collection[str], value: Any, who: str) -> str:
    """The name of a coordinate, from itself or from a body whose joint has one. ``closing`` are those of joints that
    close loops."""
    name = name_of(value)
    body = bodies.get(name)
    if body is None or (isinstance(value, Body) and value is not body):
        names = {n for one in bodies.values() for n in one.recipe.names[0]} | {*closing}
        if isinstance(value, str) and name in names:
            return name
        raise ModelError(f"{who}: '{name}' is neither a body of this system nor a coordinate of its joints")
    own = body.recipe.names[0]
    if isinstance(value, str) and name in own:  # the joint's coordinate of a flexible body, whose modes have more
        return name
    if len(own) != 1:
        has = f"{len(own)} coordinates; name one of them: {', '.join(own)}" if own else "no coordinates; name another"
        raise ModelError(f"{who}: the {body.recipe.joint.kind} joint of '{name}' has {has}")
    return own[0]


def resolve_couplings(recipes: Mapping[str, Recipe]) -> dict[str, Recipe]:
    """The recipes with each coupling to a free joint. A coupling to a prescribed joint, or one with ratio 0, becomes a
    prescribed motion."""
    resolved, whole = dict(recipes), dict[str, Coupling]()
    for name, recipe in recipes.items():
        if recipe.coupling is None:
            continue
        coupling = _to_a_free_joint(recipes, name, whole)
        motion = recipes[coupling.to].joint.motion
        if coupling.ratio.graph.number(coupling.ratio.handle) == 0:
            motion = 0
        if motion is None:
            resolved[name] = replace(recipe, coupling=coupling)
        else:
            joint = replace(recipe.joint, motion=coupling.ratio * motion + coupling.offset)
            resolved[name] = replace(recipe, joint=joint, coupling=None)
    return resolved


def _to_a_free_joint(recipes: Mapping[str, Recipe], name: str, whole: dict[str, Coupling]) -> Coupling:
    """The coupling of a joint to the one at the end of its chain; ``whole`` are those that are known already."""
    chain = list[tuple[str, Coupling]]()
    while name not in whole and (coupling := recipes[name].coupling) is not None:
        chain.append((name, coupling))
        name = coupling.to
    for one, coupling in reversed(chain):
        whole[one] = coupling.through(whole[coupling.to]) if coupling.to in whole else coupling
    return whole[chain[0][0] if chain else name]


def substitute_dependent(graph: Graph, recipes: Mapping[str, Recipe], nodes: Mapping[int, int]) -> dict[int, int]:
    """The map of nodes with values in which the coordinates, speeds and accelerations of coupled and prescribed joints
    are substituted."""
    swap: dict[int, int] = {}
    for recipe in resolve_couplings(recipes).values():
        if recipe.coupling is None and recipe.joint.motion is None:
            continue
        (q_names, u_names), (q, u, prescribed) = recipe.names, coordinates(graph, recipe)
        for q_name, u_name, x, v, rate in zip(q_names, u_names, q, u, prescribed, strict=True):
            if recipe.coupling is not None:
                rate = recipe.coupling.ratio * Expr(graph, acceleration_symbol(graph, recipe.coupling.to))
            if rate is not None:
                values = {Q(q_name): x, U(u_name): v, U_DOT(u_name): rate}
                swap |= {h: value.handle for name, value in values.items() if (h := graph.named(name)) is not None}
    substituted = transfer(graph, list(nodes.values()), graph, swap)
    return {old: substituted[new] for old, new in nodes.items()}
