"""Constraints whose equations depend on the motion of the bodies that they connect alone: their patterns, by which
constraints that differ only in numbers and in the names of their bodies are equal."""

from dataclasses import dataclass
from typing import Any

from freebody.model.constraints.base import Constraint
from freebody.model.constraints.closure import Closure
from freebody.model.element import MemberOf, Pattern, split, values_of
from freebody.model.joints.base import scalar
from freebody.model.kinds import Direction, Scalar
from freebody.model.orientation import Orientation
from freebody.model.placed import FrameAddress, PlacedBodies
from freebody.model.vectors import BodyField, Components, PointField, PointSpec
from freebody.scalar.expr import Expr
from freebody.scalar.node import Node
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.vector import components

NAME = "constraint"
"""The name of a constraint in its pattern."""

EXACT = (0, 1, -1)
"""Entries of orientations that belong to the pattern."""


@dataclass(frozen=True)
class LocalConstraint:
    """A constraint without its scalars and its flag, and with numbers in place of the names of its bodies."""

    pattern: Pattern
    exact: tuple[int | None, ...]
    bodies: tuple[str, ...]
    scalars: list[Node]


def local(constraint: Constraint, placed: PlacedBodies) -> LocalConstraint | None:
    """The pattern of a constraint whose equations depend on the motion of its bodies alone; None of others: those with
    laws, points that move on their bodies, prescribed motions, and coordinates of closing joints among the states."""
    if isinstance(constraint, Closure) and (
        constraint.has_states or constraint.moves or constraint.capture or constraint.joint.motion is not None
    ):
        return None
    g = placed.graph
    bodies, scalars, parts, exact = list[str](), list[Any](), list[tuple[str, Any]](), list[int | None]()

    def number(name: str) -> str:
        if name == "ground":
            return name
        if name not in bodies:
            bodies.append(name)
        return str(bodies.index(name))

    for f, value in values_of(constraint):
        if f.name == "name":
            parts.append((f.name, NAME))
        elif f.name == "engaged":
            parts.append((f.name, None))
        elif isinstance(f.kind, PointField):
            own = number(value.body)
            scalars += [Expr(g, h) for h in components(placed.vector(value.at), placed.body(value.body).frame)]
            axes = Pattern(FrameAddress, (("body", own), ("back", 0)))
            at = Pattern(Components, (("frame", axes), ("xyz", (...,) * 3)))
            parts.append((f.name, Pattern(PointSpec, (("body", own), ("at", (at,)), ("name", "")))))
        elif isinstance(f.kind, BodyField):
            parts.append((f.name, number(value)))
        elif isinstance(f.kind, Orientation) and value is not None:
            entries = [x for row in value for x in row]
            numbers = [g.number(scalar(g, x)) for x in entries]
            exact += [int(x) if x in EXACT else None for x in numbers]
            scalars += entries
            parts.append((f.name, ((...,) * 3,) * 3))
        elif isinstance(f.kind, MemberOf):
            parts.append((f.name, split(value, scalars)))
        elif isinstance(f.kind, Scalar | Direction):
            parts.append((f.name, f.kind.split(value, scalars)))
        elif f.derived or isinstance(value, bool | None):
            parts.append((f.name, value))
        else:
            return None
    handles = [scalar(g, x) for x in scalars]
    if any(g.mask[h] > PARAMETERS_ONLY for h in handles):
        return None
    return LocalConstraint(Pattern(type(constraint), tuple(parts)), tuple(exact), tuple(bodies), handles)
