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
from freebody.model.body import Body, BodySpec, Coupling, coordinates, name_of
from freebody.names import U_DOT, Q, U
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.walk import transfer


def single_coordinate_spec(bodies: Mapping[str, Body], body: Any, context: str) -> BodySpec:
    """The spec of a body whose joint has one coordinate; raises for any other."""
    name = name_of(body)
    known = bodies.get(name)
    if known is None or (isinstance(body, Body) and known is not body):
        raise ModelError(f"{context}: '{name}' is not a body of this system (its bodies: {', '.join(bodies)})")
    count, kind = len(known.q), known.spec.joint.kind
    if known.spec.modal is not None and known.spec.modal.data.n:
        raise ModelError(
            f"{context}: '{name}' is flexible, and joints of flexible bodies cannot be coupled; constrain its"
            f" coordinate, s.gear('{known.spec.names[0][0]}', …)"
        )
    if count != 1:
        raise ModelError(
            f"{context}: the {kind} joint of '{name}' has {count or 'no'} coordinates; only joints with one (revolute,"
            " prismatic, screw) can be coupled"
        )
    if known.spec.names[0] != (name,):
        raise ModelError(
            f"{context}: the coordinate of the {kind} joint of '{name}' has a name of its own"
            f" ({known.spec.names[0][0]}); only joints whose coordinate has the name of the body (revolute, prismatic,"
            " screw) can be coupled"
        )
    return known.spec


def require_couplable(bodies: Mapping[str, Body], spec: BodySpec, to: str, context: str) -> None:
    """Raise if something else determines the coordinate of a joint that is to be coupled to that of ``to``, or if
    ``to`` is coupled to it, directly or through others."""
    if spec.coupling is not None:
        raise ModelError(f"{context}: it is already coupled to '{spec.coupling.to}'; couple it once")
    if spec.joint.motion is not None:
        raise ModelError(f"{context}: its motion is prescribed; leave out the motion or the coupling")
    if spec.joint.initial is not None:
        raise ModelError(f"{context}: it has an initial value; give the initial value to the joint it is coupled to")
    chain = [to]
    while (coupling := bodies[chain[-1]].spec.coupling) is not None:
        chain.append(coupling.to)
    if chain == [spec.name]:
        raise ModelError(f"{context} to '{to}': a joint cannot be coupled to itself; name another body")
    if chain[-1] == spec.name:
        shown = " → ".join(chain)
        raise ModelError(
            f"{context} to '{to}': '{to}' is already coupled to '{spec.name}' ({shown}); leave out one of these"
            " couplings"
        )


def couplable(bodies: Mapping[str, Body], coordinate: str, to: str) -> bool:
    """Whether a coordinate can be coupled to another: both are the only ones of their joints, and neither an initial
    value, a motion nor another coupling determines the first."""
    if coordinate not in bodies or to not in bodies:
        return False  # a coordinate of several in a joint has a longer name than its body
    spec = bodies[coordinate].spec
    single = all(bodies[name].spec.names[0] == (name,) for name in (coordinate, to))
    return single and spec.coupling is None and spec.joint.motion is None and spec.joint.initial is None


def coupled_to(bodies: Mapping[str, Body], coordinate: str) -> str:
    """The coordinate at the end of the chain of couplings of a coordinate; itself if it is not coupled."""
    return [coordinate, *couplings_from(bodies, coordinate)][-1]


def couplings_from(bodies: Mapping[str, Body], coordinate: str) -> list[str]:
    """The coordinates to which a coordinate is coupled, directly and through others, in this order."""
    chain = list[str]()
    while coordinate in bodies and (coupling := bodies[coordinate].spec.coupling) is not None:
        chain.append(coordinate := coupling.to)
    return chain


def coordinate_of(bodies: Mapping[str, Body], closing: Collection[str], value: Any, context: str) -> str:
    """The name of a coordinate, from itself or from a body whose joint has one. ``closing`` are those of joints that
    close loops."""
    name = name_of(value)
    body = bodies.get(name)
    if body is None or (isinstance(value, Body) and value is not body):
        names = {n for one in bodies.values() for n in one.spec.names[0]} | {*closing}
        if isinstance(value, str) and name in names:
            return name
        raise ModelError(f"{context}: '{name}' is neither a body of this system nor a coordinate of its joints")
    own = body.spec.names[0]
    if isinstance(value, str) and name in own:  # the joint's coordinate of a flexible body, whose modes have more
        return name
    if len(own) != 1:
        has = f"{len(own)} coordinates; name one of them: {', '.join(own)}" if own else "no coordinates; name another"
        raise ModelError(f"{context}: the {body.spec.joint.kind} joint of '{name}' has {has}")
    return own[0]


def resolve_couplings(specs: Mapping[str, BodySpec]) -> dict[str, BodySpec]:
    """The specs with each coupling to a free joint. A coupling to a prescribed joint, or one with ratio 0, becomes a
    prescribed motion."""
    resolved, whole = dict(specs), dict[str, Coupling]()
    for name, spec in specs.items():
        if spec.coupling is None:
            continue
        coupling = _to_a_free_joint(specs, name, whole)
        motion = specs[coupling.to].joint.motion
        if coupling.ratio.graph.number(coupling.ratio.handle) == 0:
            motion = 0
        if motion is None:
            resolved[name] = replace(spec, coupling=coupling)
        else:
            joint = replace(spec.joint, motion=coupling.ratio * motion + coupling.offset)
            resolved[name] = replace(spec, joint=joint, coupling=None)
    return resolved


def _to_a_free_joint(specs: Mapping[str, BodySpec], name: str, whole: dict[str, Coupling]) -> Coupling:
    """The coupling of a joint to the one at the end of its chain; ``whole`` are those that are known already."""
    chain = list[tuple[str, Coupling]]()
    while name not in whole and (coupling := specs[name].coupling) is not None:
        chain.append((name, coupling))
        name = coupling.to
    for one, coupling in reversed(chain):
        whole[one] = coupling.through(whole[coupling.to]) if coupling.to in whole else coupling
    return whole[chain[0][0] if chain else name]


def substitute_dependent(graph: Graph, specs: Mapping[str, BodySpec], nodes: Mapping[Node, Node]) -> dict[Node, Node]:
    """The map of nodes with values in which the coordinates, speeds and accelerations of coupled and prescribed joints
    are substituted."""
    swap: dict[Node, Node] = {}
    for spec in resolve_couplings(specs).values():
        if spec.coupling is None and spec.joint.motion is None:
            continue
        (q_names, u_names), (q, u, prescribed) = spec.names, coordinates(graph, spec)
        if spec.coupling is not None:
            prescribed = (spec.coupling.ratio * Expr(graph, acceleration_symbol(graph, spec.coupling.to)),)
        values = {
            Q(n): x
            for n, x, m in zip(q_names, q, spec.freedoms.coordinate_motions, strict=True)
            if spec.coupling or m is not None
        }
        for name, v, rate in zip(u_names, u, prescribed, strict=True):
            values |= {} if rate is None else {U(name): v, U_DOT(name): rate}
        swap |= {h: value.handle for name, value in values.items() if (h := graph.named(name)) is not None}
    substituted = transfer(graph, list(nodes.values()), graph, swap)
    return {old: substituted[new] for old, new in nodes.items()}
