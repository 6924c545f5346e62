"""Directions, rotations about them, and the motion along a constant twist (Kwatny & Blankenship 1995, Prop. 1).

A twist (a, b) in the child's frame at the child's origin is a screw motion: a rotation about the axis a/|a| through the
point c = a×b/|a|² of the child, and a translation along the axis. So the motion λ(ε) is a rotation by |a|ε and a
translation by (a·b/|a|)ε; the integral of the paper is c − R c. If a is zero, the motion is a translation along b.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from freebody.errors import ModelError
from freebody.model.joints.base import Placement, constant, scaled, zero_vector
from freebody.model.joints.twists import CLOSE, cross, largest, sampled, vanishes
from freebody.model.kinds import AXES
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.ops import LE
from freebody.spatial.frame import Frame
from freebody.spatial.scalars import Triple, cross3, dot3, transpose
from freebody.spatial.vector import Vector, vector

# Directions


def direction(frame: Frame, given: Any, context: str) -> Triple:
    """The components of a unit vector in a frame, from "x", "-z", … or three numbers or expressions of any length."""
    g = frame.graph
    if isinstance(given, str):
        if given not in AXES:
            raise ModelError(f"{context}: '{given}' is not a direction; use one of {', '.join(AXES)} or three numbers")
        x, y, z = (g.const(v) for v in AXES[given])
        return x, y, z
    if not isinstance(given, Collection) or len(given) != 3:
        raise ModelError(f"{context}: a direction is one of {', '.join(AXES)} or three numbers, not {given!r}")
    x, y, z = (constant(g, v, f"{context}: a direction") for v in given)
    return unit(g, (x, y, z), context)


def unit(g: Graph, v: Triple, context: str) -> Triple:
    """v/|v|; an axis or its negative stays exact."""
    length = g.sqrt(dot3(g, v, v))
    if g.number(length) == 0:
        raise ModelError(f"{context}: a direction must not have length 0")
    x, y, z = (g.div(s, length) for s in v)
    return x, y, z


def principal(g: Graph, axis: Triple) -> tuple[int, int] | None:
    """(index, sign) of a direction along one of the frame's axes; None for any other direction."""
    indices = [k for k, s in enumerate(axis) if s != g.zero]
    if len(indices) == 1 and (sign := g.number(axis[indices[0]])) in (1, -1):
        return indices[0], 1 if sign == 1 else -1
    return None


def align(g: Graph, axis: Triple) -> list[Triple]:
    """The rows of a rotation matrix whose last row is the axis. The first is perpendicular to the frame's axis along
    which the given one has its smallest component; if that depends on parameters, it is chosen once these have
    values."""
    values = [g.number(s) for s in axis]
    if all(v is not None for v in values):
        smallest = min(range(3), key=lambda k: abs(float(values[k] or 0)))
    else:
        smallest = next((k for k in range(3) if values[k] == 0), -1)
    if smallest >= 0:
        x, y, z = (g.one if k == smallest else g.zero for k in range(3))
    else:
        xx, yy, zz = (g.mul(s, s) for s in axis)
        below = g.build[LE]
        x = g.where(below(xx, yy), g.where(below(xx, zz), g.one, g.zero), g.zero)
        y = g.where(below(xx, yy), g.zero, g.where(below(yy, zz), g.one, g.zero))
        z = g.sub(g.sub(g.one, x), y)
    first = unit(g, cross3(g, (x, y, z), axis), "axis")
    return [first, cross3(g, axis, first), axis]


# Rotations


def turn_about(parent: Frame, name: str, axis: Triple, angle: Node) -> tuple[Frame, Vector]:
    """A frame rotated about a direction, and the direction as a vector. About an axis of the frame it is one simple
    rotation, otherwise one about the third axis of an aligned frame."""
    along = principal(parent.graph, axis)
    if along is None:
        return turn_aligned(aligned(parent, name, axis), name, axis, angle)
    index, sign = along
    return parent.turned(name, index, angle if sign > 0 else parent.graph.neg(angle)), vector(parent, axis)


def aligned(parent: Frame, name: str, axis: Triple) -> Frame:
    """A frame whose third axis is along a direction."""
    return parent.oriented(f"{name}'", transpose(align(parent.graph, axis)))


def turn_aligned(start: Frame, name: str, axis: Triple, angle: Node) -> tuple[Frame, Vector]:
    """A frame rotated about the third axis of an aligned one, with the alignment undone; and the axis as a vector."""
    g = start.graph
    frame = start.turned(f"{name}''", 2, angle).oriented(name, align(g, axis))
    return frame, vector(start, (g.zero, g.zero, g.one))


# Screw motions


@dataclass(frozen=True)
class ScrewAxis:
    """A twist as a screw motion: its axis in the child's frame (None for a translation), the rotation and the
    translation along the axis per unit of the coordinate, the point of the axis nearest to the origin (None: the
    origin), and the translation across the axis (or the whole translation, if there is no rotation)."""

    axis: Triple | None
    angle: Node
    pitch: Node
    centre: Triple | None
    across: Triple


def rotation_about(g: Graph, axis: Triple, pitch: Node) -> ScrewAxis:
    """A rotation about a direction through the origin, with a translation along it per radian."""
    return ScrewAxis(axis, g.one, pitch, None, (g.zero, g.zero, g.zero))


def translation_along(g: Graph, direction: Triple) -> ScrewAxis:
    return ScrewAxis(None, g.zero, g.zero, None, direction)


def screw_axis(g: Graph, a: Triple, b: Triple) -> ScrewAxis:
    """The screw axis of a twist."""
    none = (g.zero, g.zero, g.zero)
    if a == none:
        return translation_along(g, b)
    axis, angle = _split_length(g, a)
    pitch = dot3(g, axis, b)
    symbols = [[Expr(g, s) for s in v] for v in (axis, b)]
    if b == none or all(vanishes(cross(e, v), largest(v)) for e, v in sampled(symbols)):
        return ScrewAxis(axis, angle, pitch, None, none)
    cx, cy, cz = (g.div(s, angle) for s in cross3(g, axis, b))
    x, y, z = b if pitch == g.zero else (g.sub(s, g.mul(pitch, e)) for s, e in zip(b, axis, strict=True))
    return ScrewAxis(axis, angle, pitch, (cx, cy, cz), (x, y, z))


def _split_length(g: Graph, a: Triple) -> tuple[Triple, Node]:
    """(a/|a|, |a|). For a along an axis of the frame the direction is exact and the length keeps its sign."""
    indices = [k for k, s in enumerate(a) if s != g.zero]
    if len(indices) == 1:
        length = a[indices[0]]
        number = g.number(length)
        sign = -1 if number is not None and number < 0 else 1
        x, y, z = (g.const(sign) if k == indices[0] else g.zero for k in range(3))
        return (x, y, z), length if sign > 0 else g.neg(length)
    length = g.sqrt(dot3(g, a, a))
    number = g.number(length)
    if number is not None and abs(float(number) - 1) < CLOSE**1.5:
        return a, g.one
    x, y, z = (g.div(s, length) for s in a)
    return (x, y, z), length


def move_along(parent: Frame, name: str, screw: ScrewAxis, q: Node, u: Node) -> Placement:
    """The child after a screw motion by q; q̇ = u."""
    g, none = parent.graph, zero_vector(parent.graph)
    if screw.axis is None:
        d = vector(parent, screw.across)
        return Placement(parent, scaled(d, q), [none], [d], none, none, [u])
    frame, axis = turn_about(parent, name, screw.axis, g.mul(screw.angle, q))
    position, slide, remainder = scaled(axis, g.mul(screw.pitch, q)), scaled(axis, screw.pitch), none
    if screw.centre is not None:
        centre = vector(frame, screw.centre)
        position = position + vector(parent, screw.centre) - centre
        slide = slide + vector(frame, screw.across)
        speed = g.mul(screw.angle, u)
        remainder = scaled(centre, g.mul(speed, speed))
    return Placement(frame, position, [scaled(axis, screw.angle)], [slide], none, remainder, [u])
