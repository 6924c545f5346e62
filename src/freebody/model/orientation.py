"""Orientations of joints in their parents: a rotation matrix, a rotation about an axis, or several such in sequence."""

from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import FieldError, within
from freebody.model.element import Element, ElementOf, Given, field, schema_of
from freebody.model.joints.axes import direction, turn_about
from freebody.model.kinds import (
    UNPARSED,
    Constant,
    Direction,
    DirectionValue,
    FieldKind,
    ListOf,
    ScalarValue,
    Scope,
    Symbolic,
)
from freebody.numeric import as_python
from freebody.scalar.expr import Expr
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.frame import Frame
from freebody.spatial.scalars import Triple, transpose

ROWS = ListOf(ListOf(Symbolic(PARAMETERS_ONLY), 3), 3)


@dataclass(frozen=True)
class AxisAngle(Element):
    """A rotation about an axis. An orientation is one rotation, a list of rotations, each about an axis of the frame
    after the rotations before it, or the three rows of a rotation matrix."""

    axis: Given[DirectionValue] = field(Direction(), "axis of the rotation")
    angle: Given[ScalarValue] = field(Constant, "angle", unit="rad")


OrientationValue = AxisAngle | Mapping[str, Any] | Sequence[Any] | NDArray[Any]
"""What may be passed as an orientation: the rows of a rotation matrix, (axis, angle), or a list of (axis, angle)."""


class Orientation(FieldKind):
    """The rows of R (from the joint's frame to the parent), {axis: y, angle: 0.3} or (axis, angle), or a list of
    rotations, each about an axis of the frame after the rotations before it. The normal form is the rows."""

    type_name = "orientation"
    symbolic = True

    def read(self, value: Any, scope: Scope) -> Any:
        if _is_axis_angle(value):
            rotation = _axis_angle(value, scope)
            return rotation if scope is UNPARSED else _matrix([rotation], scope)
        if isinstance(value, list | tuple) and any(map(_is_axis_angle, value)):
            rotations = list[AxisAngle]()
            for k, one in enumerate(value):
                with within(k):
                    rotations.append(_axis_angle(one, scope))
            return tuple(rotations) if scope is UNPARSED else _matrix(rotations, scope)
        if scope is UNPARSED:
            return ROWS.read(value, scope)
        if not (_has_length(value, 3) and all(_has_length(row, 3) for row in value)):
            raise FieldError("give three rows of a rotation matrix, (axis, angle), or a list of (axis, angle)")
        rows = ROWS.read(value, scope)
        numbers = [x.graph.number(x.handle) for row in rows for x in row]
        if None not in numbers:
            R = np.array([float(x) for x in numbers]).reshape(3, 3)
            if np.abs(R @ R.T - np.eye(3)).max() > 1e-9:
                raise FieldError("the matrix is not a rotation (its rows are not orthonormal)")
            if np.linalg.det(R) < 0:
                raise FieldError("the matrix is a reflection (determinant −1); a rotation has determinant +1")
        return rows

    def write(self, value: Any, out: Any) -> Any:
        return ROWS.write(value, out)

    def schema(self) -> dict[str, Any]:
        rotation = schema_of(AxisAngle)
        return {"anyOf": [rotation, {"type": "array", "items": rotation}, ROWS.schema()]}


def _has_length(value: Any, count: int) -> bool:
    """Whether this is a sequence (not a text) of this length."""
    return not isinstance(value, str | Mapping) and isinstance(value, Sized) and len(value) == count


def _is_axis_angle(value: Any) -> bool:
    """Whether this is an ``AxisAngle``, its data, or (axis, angle) with a name or three components and a scalar."""
    if isinstance(value, AxisAngle | Mapping):
        return True
    if not isinstance(value, Sequence) or not _has_length(value, 2):
        return False
    axis, angle = value[0], as_python(value[1])
    return (isinstance(axis, str) or _has_length(axis, 3)) and (isinstance(angle, str) or not isinstance(angle, Sized))


def _axis_angle(value: Any, scope: Scope) -> AxisAngle:
    if not isinstance(value, AxisAngle | Mapping):
        if scope is UNPARSED or not _is_axis_angle(value):
            raise FieldError("a rotation is {axis: y, angle: 0.3}")
        value = AxisAngle(*value)
    rotation: AxisAngle = ElementOf(AxisAngle).read(value, scope)
    return rotation


def _matrix(rotations: Sequence[AxisAngle], scope: Scope) -> Any:
    """The rows of R after these rotations."""
    g = scope.graph
    frame = base = Frame("parent", g)
    for rotation in rotations:
        angle = rotation.angle.handle if isinstance(rotation.angle, Expr) else g.const(rotation.angle)
        frame, _ = turn_about(frame, "turned", direction(frame, rotation.axis, "its axis"), angle)
    path, columns = frame.path(base), list[Triple]()
    for k in range(3):
        v = (g.one if k == 0 else g.zero, g.one if k == 1 else g.zero, g.one if k == 2 else g.zero)
        for here, there in pairwise(path):
            v = here.step(there, v)
        columns.append(v)
    return tuple(tuple(Expr(g, x) for x in row) for row in transpose(columns))
