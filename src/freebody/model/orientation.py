"""Orientations of joints in their parents: a matrix, an axis with an angle, or several of these in turn."""

from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from freebody.errors import LOCATED, FieldError, located
from freebody.model.element import Element, field, from_data, normal_form, schema_of
from freebody.model.joints.axes import direction, turn_about
from freebody.model.kinds import UNPARSED, Constant, Direction, FieldKind, ListOf, Scope, Symbolic
from freebody.scalar.expr import Expr
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.frame import Frame
from freebody.spatial.scalars import Triple, transpose

ROWS = ListOf(ListOf(Symbolic(PARAMETERS_ONLY), 3), 3)


@dataclass(frozen=True)
class AxisAngle(Element):
    """A rotation about an axis."""

    axis: Any = field(Direction(), "about which it turns")
    angle: Any = field(Constant, "by how much", unit="rad")


class Orientation(FieldKind):
    """Three rows of R (joint's frame to parent), {axis: y, angle: 0.3} or (axis, angle), or several turns one after
    another, each about axes of the frame as it has turned. The normal form is the rows."""

    type_name = "orientation"
    symbolic = True

    def read(self, given: Any, scope: Scope) -> Any:
        if _is_turn(given):
            turn = _turn(given, scope)
            return turn if scope is UNPARSED else _turned([turn], scope)
        if isinstance(given, list | tuple) and any(map(_is_turn, given)):
            turns = list[AxisAngle]()
            try:
                for one in given:
                    turns.append(_turn(one, scope))
            except LOCATED as error:
                raise located(error, len(turns)) from None
            return tuple(turns) if scope is UNPARSED else _turned(turns, scope)
        if scope is not UNPARSED and not (_holds(given, 3) and all(_holds(row, 3) for row in given)):
            raise FieldError("give three rows of a rotation matrix, (axis, angle), or several such")
        rows = ROWS.read(given, scope)
        if scope is not UNPARSED:
            _require_rotation(rows)
        return rows

    def write(self, value: Any, out: Any) -> Any:
        return ROWS.write(value, out)

    def schema(self) -> dict[str, Any]:
        turn = schema_of(AxisAngle)
        return {"anyOf": [turn, {"type": "array", "items": turn}, ROWS.schema()]}


def _holds(given: Any, count: int) -> bool:
    """Whether this is a sequence (not a text) of so many."""
    return not isinstance(given, str | Mapping) and isinstance(given, Sized) and len(given) == count


def _is_turn(given: Any) -> bool:
    """A turn, its keys with values, or (axis, angle): the axis is a name or three components, the angle a scalar, which
    may be a text."""
    if isinstance(given, AxisAngle | Mapping):
        return True
    if not isinstance(given, Sequence) or not _holds(given, 2):
        return False
    axis, angle = given
    return (isinstance(axis, str) or _holds(axis, 3)) and (isinstance(angle, str) or not isinstance(angle, Sized))


def _turn(given: Any, scope: Scope) -> AxisAngle:
    if isinstance(given, Mapping):
        turn = from_data(AxisAngle, given)
    elif isinstance(given, AxisAngle):
        turn = given
    elif scope is UNPARSED or not _is_turn(given):
        raise FieldError("a turn is {axis: y, angle: 0.3}")
    else:
        turn = AxisAngle(*given)
    return turn if scope is UNPARSED else normal_form(turn, scope, late=False)


def _turned(turns: Sequence[AxisAngle], scope: Scope) -> Any:
    """The rows of R after these turns."""
    g = scope.graph
    frame = base = Frame("parent", g)
    for turn in turns:
        angle = turn.angle.handle if isinstance(turn.angle, Expr) else g.const(turn.angle)
        frame, _ = turn_about(frame, "turned", direction(frame, turn.axis, "its axis"), angle)
    path, columns = frame.path(base), list[Triple]()
    for k in range(3):
        v = (g.one if k == 0 else g.zero, g.one if k == 1 else g.zero, g.one if k == 2 else g.zero)
        for here, there in pairwise(path):
            v = here.step(there, v)
        columns.append(v)
    return tuple(tuple(Expr(g, x) for x in row) for row in transpose(columns))


def _require_rotation(rows: Any) -> None:
    """Numbers must make a rotation: R Rᵀ = 1 and det R = 1."""
    values = [[x.graph.number(x.handle) for x in row] for row in rows]
    if any(v is None for row in values for v in row):
        return
    R = [[float(v or 0) for v in row] for row in values]
    for i in range(3):
        for j in range(3):
            product = sum(R[i][k] * R[j][k] for k in range(3))
            if abs(product - (i == j)) > 1e-9:
                raise FieldError("the matrix is not a rotation (its rows are not orthonormal)")
    a, b, c = R
    det = sum(a[i] * (b[(i + 1) % 3] * c[(i + 2) % 3] - b[(i + 2) % 3] * c[(i + 1) % 3]) for i in range(3))
    if det < 0:
        raise FieldError("the matrix mirrors (determinant −1); rotations have +1")
