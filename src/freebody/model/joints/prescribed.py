"""Prescribed motions of joints: coordinates as functions of time, of inputs with rates and of extra states (filters),
the speeds and their rates that follow.

Quaternions are scaled to unit length. Where the speeds are not the rates of the coordinates, u follows from q and q̇
(``Joint.motion_groups``), and u̇ is its derivative.
"""

from collections.abc import Iterator
from typing import NamedTuple

from freebody.errors import ModelError
from freebody.model.joints.base import Joint, MotionGroup, scalar
from freebody.scalar.derivative import jvp, time_seeds
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind
from freebody.scalar.walk import symbols_of
from freebody.tables import counted

TIMELY = PARAMETERS_ONLY | Kind.TIME | Kind.STATE | Kind.INPUT
"""What prescribed motions may depend on."""


class MotionLaw(NamedTuple):
    """The prescribed coordinates of a group, their speeds, and the rates of these, as nodes."""

    group: MotionGroup
    coordinates: list[Node]
    speeds: list[Node]
    accelerations: list[Node]


def motion_mistake(g: Graph, joint: Joint) -> str:
    """Why a joint cannot move as it is prescribed; empty if it can."""
    motions, count = joint.coordinate_motions, len(joint.coordinates)
    if joint.motion is None:
        return ""
    if not joint.motion_groups:
        return (
            f"the motion of a {joint.kind} joint cannot be prescribed: its speeds are not the rates of its coordinates."
            " Use a joint of another kind, or a compound of joints of one freedom each"
        )
    if len(motions) != count:
        return f"{counted(count, 'coordinate')} need as many motions, not {len(motions)}; use None for a free one"
    for group in joint.motion_groups:
        given = [motion is not None for motion in motions[group.coordinates]]
        if any(given) and not all(given):
            names = ", ".join(joint.coordinates[group.coordinates])
            return (
                f"the coordinates {names} of a {joint.kind} joint are prescribed together or not at all, since each of"
                " its speeds depends on several of them. Use a compound of simpler joints to leave some of them free"
            )
    if any(g.mask[scalar(g, m)] & ~TIMELY for m in motions if m is not None):
        return "a prescribed motion may depend on t, parameters, inputs with rates and extra states only"
    for k in joint.quaternions if motions[0] is not None else ():
        if all(g.number(scalar(g, m)) == 0 for m in motions[k : k + 4]):
            return "its quaternion is zero; (1, 0, 0, 0) is no rotation"
    return ""


def motion_laws(g: Graph, joint: Joint) -> Iterator[MotionLaw]:
    """The prescribed coordinates of a joint, with their derivatives by time."""
    motions = joint.coordinate_motions
    for group in joint.motion_groups:
        if any(motion is None for motion in motions[group.coordinates]):
            continue
        q = [scalar(g, motion) for motion in motions[group.coordinates]]
        u = group.rates(g, q, rates(g, q))
        starts = range(len(motions))[group.coordinates]
        for k in (starts.index(k) for k in joint.quaternions if k in starts):
            q[k : k + 4] = unit_quaternion(g, q[k : k + 4])
        yield MotionLaw(group, q, u, rates(g, u))


def rates(g: Graph, nodes: list[Node]) -> list[Node]:
    """d/dt of nodes of t, parameters, inputs with rates and extra states."""
    seeds = time_seeds(g)
    for i in symbols_of(g, nodes):
        symbol = g.symbols[g.a[i]]
        if symbol.kind is Kind.INPUT and i not in seeds:
            raise ModelError(
                f"its motion depends on the input '{symbol.name}', whose rate is not known. Declare an input with"
                f" rates, s.input('{symbol.name}', rates=True), or let a filter supply them:"
                f" motion=s.filter('smooth', '{symbol.name}', frequency=5)"
            )
        if symbol.kind is Kind.STATE and i not in seeds:
            raise ModelError(
                f"its motion depends on the extra state '{symbol.name}', whose rate is not known yet; define the rate"
                " before the joint"
            )
    result = jvp(g, nodes, seeds)
    if any(g.mask[node] & ~TIMELY for node in result):
        raise ModelError(
            "its motion depends on extra states whose rates depend on coordinates or speeds: a prescribed motion"
            " follows from t, inputs, and extra states of these. Let a controller or a law of an input set the signal"
            " of a filter, or drive the joint by a force"
        )
    return result


def unit_quaternion(g: Graph, q: list[Node]) -> list[Node]:
    square = g.zero
    for x in q:
        square = g.add(square, g.mul(x, x))
    length = g.sqrt(square)
    return [g.div(x, length) for x in q]
