"""Orientations as users give them: a matrix, an axis with an angle, or several of these in turn."""

from collections.abc import Sized
from typing import TYPE_CHECKING, Any

from freebody.errors import ModelError
from freebody.model.joints.base import direction, turn_about
from freebody.scalar.expr import Expr
from freebody.spatial.triples import transpose

if TYPE_CHECKING:
    from freebody.model.system import System

Rows = list[list[Expr]]


def rows(s: "System", name: str, given: Any) -> Rows:
    """The three rows of R (joint's frame to parent) from rows, from (axis, angle), or from a list of such turns."""
    if _is_turn(given):
        return _turned(s, name, [given])
    if isinstance(given, list | tuple) and given and all(map(_is_turn, given)):
        return _turned(s, name, list(given))
    if _holds(given, 3) and all(_holds(r, 3) for r in given):
        matrix = [[s._constant(x, f"orientation of '{name}'") for x in r] for r in given]
        _orthogonal(name, matrix)
        return matrix
    raise ModelError(f"orientation of '{name}': give three rows of a rotation matrix, (axis, angle), or several such")


def _holds(given: Any, count: int) -> bool:
    """Whether this is a sequence (not a text) of so many."""
    return not isinstance(given, str) and isinstance(given, Sized) and len(given) == count


def _is_turn(given: Any) -> bool:
    """(axis, angle): the axis is a name or three components, the angle a scalar, which may be a text."""
    if not _holds(given, 2):
        return False
    axis, angle = given
    return (isinstance(axis, str) or _holds(axis, 3)) and (isinstance(angle, str) or not isinstance(angle, Sized))


def _turned(s: "System", name: str, turns: list[Any]) -> Rows:
    g, frame = s.graph, s.ground.frame
    for axis, angle in turns:
        value = s._constant(angle, f"orientation of '{name}'").handle
        frame, _ = turn_about(frame, f"{name} turned", direction(frame, axis, f"orientation of '{name}'"), value)
    columns = []
    for k in range(3):
        v = tuple(g.one if i == k else g.zero for i in range(3))
        for here, there in zip(frame.path(s.ground.frame), frame.path(s.ground.frame)[1:], strict=False):
            v = here.step(there, (v[0], v[1], v[2]))
        columns.append((v[0], v[1], v[2]))
    return [[Expr(g, x) for x in row] for row in transpose(columns)]


def _orthogonal(name: str, matrix: Rows) -> None:
    """Numbers must make a rotation: R Rᵀ = 1 and det R = 1."""
    values = [[x.graph.number(x.handle) for x in row] for row in matrix]
    if any(v is None for row in values for v in row):
        return
    R = [[float(v or 0) for v in row] for row in values]
    for i in range(3):
        for j in range(3):
            product = sum(R[i][k] * R[j][k] for k in range(3))
            if abs(product - (i == j)) > 1e-9:
                raise ModelError(f"orientation of '{name}': the matrix is no rotation (its rows are not orthonormal)")
    a, b, c = R
    det = sum(a[i] * (b[(i + 1) % 3] * c[(i + 2) % 3] - b[(i + 2) % 3] * c[(i + 1) % 3]) for i in range(3))
    if det < 0:
        raise ModelError(f"orientation of '{name}': the matrix mirrors (determinant −1); rotations have +1")
