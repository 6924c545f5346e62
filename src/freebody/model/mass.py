"""Mass and inertia as users give them, checked: symmetric, not negative, and such as a body can have."""

from collections.abc import Sequence, Sized
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.errors import ModelError
from freebody.model.body import three
from freebody.scalar.expr import Expr
from freebody.spatial.vector import Dyadic

if TYPE_CHECKING:
    from freebody.model.system import System

SLACK = 1e-9  # relative, of moments as files write them
NANOMETRE = 1e-9  # m
ROUNDING = 1e-15
Row = tuple[Expr, Expr, Expr]
Matrix = tuple[Row, Row, Row]


def matrix(
    s: "System", name: str, given: Any, mass: Expr, com: tuple[Expr, ...], about: Any, physical: bool = True
) -> Matrix:
    """The inertia about the mass centre in the body's axes; with ``physical`` it must be one that a body can have."""
    who = f"inertia of '{name}'"
    made = _rows(s, who, given)
    _symmetric(who, made)
    point = [s._constant(v, who) for v in three((0, 0, 0) if about is None else about, who)]
    if about is not None:
        made = _moved(s, made, mass, com, point)
    why = impossibility(made, mass, [*com, *point]) if physical else ""
    if why:
        raise ModelError(f"{who}: {why}; correct the numbers, or accept them with physical=False")
    return made


def _rows(s: "System", who: str, given: Any) -> Matrix:
    if isinstance(given, Dyadic):
        raise ModelError(f"{who}: give a dyadic as a function of the body: inertia=lambda b: b.x.outer(b.x)*3 + …")
    if given is None:
        given = (0, 0, 0)
    rows = list(three(given, who))
    if not isinstance(rows[0], Sized) or isinstance(rows[0], str):
        rows = [[rows[i] if i == j else 0 for j in range(3)] for i in range(3)]
    x, y, z = (s._trio(r, who) for r in rows)
    return x, y, z


def _moved(s: "System", J: Matrix, mass: Expr, com: tuple[Expr, ...], about: list[Expr]) -> Matrix:
    """From about a point to about the mass centre: J − m(|d|² − d dᵀ)."""
    d = [c - p for c, p in zip(com, about, strict=True)]
    square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    rows = [[J[i][j] - mass * ((square if i == j else 0) - d[i] * d[j]) for j in range(3)] for i in range(3)]
    x, y, z = (s._trio(r, "inertia") for r in rows)
    return x, y, z


def _number(x: Expr) -> float | None:
    value = x.graph.number(x.handle)
    return None if value is None else float(value)


def not_negative(x: Expr, who: str) -> None:
    value = _number(x)
    if value is not None and value < 0:
        raise ModelError(f"{who} is {value}; it cannot be negative")


def _symmetric(who: str, J: Matrix) -> None:
    """Entries that mirror each other differ by rounding at most, measured by the largest number of the matrix."""
    slack = SLACK * max(abs(_number(x) or 0.0) for row in J for x in row)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        a, b = _number(J[i][j]), _number(J[j][i])
        different = abs(a - b) > slack if a is not None and b is not None else J[i][j] != J[j][i]
        if different:
            entries = f"entry {i + 1}{j + 1} is {J[i][j]} but {j + 1}{i + 1} is {J[j][i]}"
            raise ModelError(f"{who}: the matrix is not symmetric, {entries}")


def _noise(mass: Expr, places: Sequence[Expr]) -> float:
    """The moment below which differences are ignored for a body of this mass: that of its mass a nanometre
    away, and what rounding leaves of mass·distance² where the mass centre or the point of reference lie off
    the origin."""
    m, lengths = _number(mass) or 0.0, [_number(x) or 0.0 for x in places]
    return m and m * (NANOMETRE**2 + ROUNDING * sum(x * x for x in lengths))


def impossibility(J: Matrix, mass: Expr, places: Sequence[Expr]) -> str:
    """Why no body has this inertia, if none has: moments are not negative, and none is larger than the other two
    together. What cannot be seen beside the largest moment, the mass and the places of the mass centre and of the point
    of reference is 0; expressions that are not numbers are not judged."""
    values = [[_number(x) for x in row] for row in J]
    if any(v is None for row in values for v in row):
        return ""
    moments = np.linalg.eigvalsh(np.array(values, dtype=float))
    slack = SLACK * float(np.abs(moments).max()) + _noise(mass, places)
    if moments[0] < -slack:
        return f"the principal moment {moments[0]:.6g} is negative"
    if moments[2] > moments[0] + moments[1] + slack:
        shown = ", ".join(f"{m:.6g}" for m in moments)
        rule = "no body has one moment larger than the sum of the others"
        return f"principal moments {shown} break the triangle inequality; {rule}"
    return ""
