"""Mass and inertia as users give them, checked: symmetric, not negative, and such as a body can have."""

from collections.abc import Mapping, Sequence, Sized
from typing import Any

import numpy as np

from freebody.errors import FieldError
from freebody.model.element import normal_form
from freebody.model.inertia import SOLIDS, Solid
from freebody.model.kinds import UNPARSED, FieldKind, ListOf, Scope, Symbolic, as_list
from freebody.scalar.expr import Expr
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.vector import Dyadic, Vector

SLACK = 1e-9  # relative, of moments as files write them
NANOMETRE = 1e-9  # m
ROUNDING = 1e-15
Row = tuple[Expr, Expr, Expr]
Matrix = tuple[Row, Row, Row]
SYMBOLIC = Symbolic(PARAMETERS_ONLY)
PRODUCTS = [(i, j) for i in range(3) for j in range(3) if i != j]


class Mass(Symbolic):
    """A constant that is not negative."""

    def read(self, given: Any, scope: Scope) -> Any:
        made = super().read(given, scope)
        value = _number(made) if isinstance(made, Expr) else None
        if value is not None and value < 0:
            raise FieldError(f"it is {value}; it cannot be negative")
        return made


class Coordinates(ListOf):
    """Three components along a body's axes."""

    def read(self, given: Any, scope: Scope) -> Any:
        if isinstance(given, Vector):
            raise FieldError("three components along the body's axes are needed, not a vector")
        return super().read(given, scope)


THREE = Coordinates(SYMBOLIC, 3)
ROWS = ListOf(ListOf(SYMBOLIC, 3), 3)


class Inertia(FieldKind):
    """Three moments, three rows, a solid with its sizes such as {rod: {length: l}}, or a function of the body that
    returns a dyadic. The normal form is the rows about the mass centre, which ``about_centre`` finds."""

    type_name = "inertia"

    def read(self, given: Any, scope: Scope) -> Any:
        if isinstance(given, Dyadic):
            raise FieldError("give a dyadic as a function of the body: inertia=lambda b: b.x.outer(b.x)*3 + …")
        if callable(given) and scope is not UNPARSED:
            return given
        if isinstance(given, Solid | Mapping):
            solid = given if isinstance(given, Solid) else SOLIDS.from_data(given)
            return solid if scope is UNPARSED else normal_form(solid, scope, late=False)
        rows = as_list(given, 3)
        if any(isinstance(row, Sized) and not isinstance(row, str) for row in rows):
            return ROWS.read(rows, scope)
        moments = THREE.read(rows, scope)
        if scope is UNPARSED:
            return moments
        zero = Expr(scope.graph, scope.graph.zero)
        return tuple(tuple(x if i == j else zero for j in range(3)) for i, x in enumerate(moments))

    def write(self, value: Any, out: Any) -> Any:
        """Three moments where the products are zero, else the matrix."""
        if all(SYMBOLIC.is_default(value[i][j], 0) for i, j in PRODUCTS):
            return THREE.write([value[k][k] for k in range(3)], out)
        return ROWS.write(value, out)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [THREE.schema(), ROWS.schema(), SOLIDS.schema()]}

    def is_default(self, value: Any, default: Any) -> bool:
        return value is default or all(SYMBOLIC.is_default(x, 0) for row in value for x in row)


def about_centre(
    scope: Scope, given: Any, mass: Expr, com: Sequence[Expr], about: Sequence[Expr] | None, physical: bool
) -> tuple[Matrix, bool]:
    """An inertia that was read, about the mass centre in the body's axes, and whether a body can have it; with
    ``physical`` it must be one that a body can have."""
    if isinstance(given, Solid):
        g, rows = scope.graph, given.matrix(mass)
        given = tuple(tuple(x if isinstance(x, Expr) else Expr(g, g.const(x)) for x in row) for row in rows)
    made: Matrix = given
    _require_symmetric(made)
    if about is not None:
        made = _moved(made, mass, com, about)
    why = impossibility(made, mass, [*com, *(about or ())])
    if why and physical:
        raise FieldError(f"{why}; correct the numbers, or accept them with physical=False")
    return made, not (impossibility(made, mass, com) if about else why)


def _moved(J: Matrix, mass: Expr, com: Sequence[Expr], about: Sequence[Expr]) -> Matrix:
    """From about a point to about the mass centre: J − m(|d|² − d dᵀ)."""
    d = [c - p for c, p in zip(com, about, strict=True)]
    square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    rows = [[J[i][j] - mass * ((square if i == j else 0) - d[i] * d[j]) for j in range(3)] for i in range(3)]
    x, y, z = ((a, b, c) for a, b, c in rows)
    return x, y, z


def _number(x: Expr) -> float | None:
    value = x.graph.number(x.handle)
    return None if value is None else float(value)


def _require_symmetric(J: Matrix) -> None:
    """Entries that mirror each other differ by rounding at most, measured by the largest number of the matrix."""
    pairs = [(i, j) for i, j in ((0, 1), (0, 2), (1, 2)) if J[i][j].handle != J[j][i].handle]
    slack = SLACK * max(abs(_number(x) or 0.0) for row in J for x in row) if pairs else 0.0
    for i, j in pairs:
        a, b = _number(J[i][j]), _number(J[j][i])
        if a is None or b is None or abs(a - b) > slack:
            entries = f"entry {i + 1}{j + 1} is {J[i][j]} but {j + 1}{i + 1} is {J[j][i]}"
            raise FieldError(f"the matrix is not symmetric, {entries}")


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
    moments = _moments(J)
    if moments is None:
        return ""
    low, middle, high = moments
    slack = SLACK * max(abs(low), abs(high)) + _noise(mass, places)
    if low < -slack:
        return f"the principal moment {low:.6g} is negative"
    if high > low + middle + slack:
        shown = ", ".join(f"{m:.6g}" for m in moments)
        rule = "no body has one moment larger than the sum of the others"
        return f"principal moments {shown} break the triangle inequality; {rule}"
    return ""


def _moments(J: Matrix) -> list[float] | None:
    """The principal moments in order; None where some entry is not a number."""
    values = list[list[float]]()
    for row in J:
        numbers = [_number(x) for x in row]
        if None in numbers:
            return None
        values.append([x for x in numbers if x is not None])
    if not any(values[i][j] for i, j in PRODUCTS):
        return sorted(values[k][k] for k in range(3))
    return [float(x) for x in np.linalg.eigvalsh(np.array(values))]
