"""Mass and inertia of bodies: inertia matrices of common solids, the fields of a body, and their checks.

In Python a solid is a function of its mass and sizes, which may be expressions; it returns the matrix about the mass
centre. In a file it is an element whose fields are the sizes; its mass is that of the body unless it is given.
"""

from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import MISSING, dataclass, make_dataclass
from functools import wraps
from inspect import signature, unwrap
from math import isfinite
from typing import Any, ClassVar

import numpy as np

from freebody.errors import FieldError, ModelError
from freebody.keywords import keyword_hints
from freebody.model.element import Element, Family, MemberOf, field
from freebody.model.kinds import UNPARSED, Choice, Constant, FieldKind, ListOf, Scope, Symbolic, as_list, describe
from freebody.numeric import as_number, as_python
from freebody.scalar.expr import Expr
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.vector import Dyadic, Vector

AXIS = {"x": 0, "y": 1, "z": 2}
Rows = tuple[tuple[Any, Any, Any], tuple[Any, Any, Any], tuple[Any, Any, Any]]


@keyword_hints
def diagonal(x: Any, y: Any, z: Any) -> Rows:
    """A diagonal matrix."""
    return (x, 0, 0), (0, y, 0), (0, 0, z)


def _symmetric_about(axis: str, along: Any, across: Any) -> Rows:
    values = [across] * 3
    values[AXIS[axis]] = along
    return diagonal(*values)


def solid(inertia: Callable[..., Rows]) -> Callable[..., Rows]:
    """Decorate the function of a solid: its mass and sizes must be numbers or expressions, its axis x, y or z."""
    order = signature(inertia)

    @wraps(inertia)
    def checked(*sizes: Any, **named: Any) -> Rows:
        for name, value in order.bind(*sizes, **named).arguments.items():
            if name == "axis" and not (isinstance(value, str) and value in AXIS):
                raise ModelError(f"{inertia.__name__}: axis must be 'x', 'y' or 'z', not {value!r}")
            if name != "axis" and not _is_scalar(value):
                raise ModelError(
                    f"{inertia.__name__}: {name} must be a number or an expression, such as a parameter, not {value!r}"
                )
        return inertia(*sizes, **named)

    return keyword_hints(checked)


def _is_scalar(value: Any) -> bool:
    if isinstance(value, Expr):
        return True
    try:
        number = as_number(value)
        return number is not None and isfinite(number)
    except OverflowError:
        return False


@solid
def rod(m: Any, length: Any, axis: str = "z") -> Rows:
    """A thin rod along an axis: 0 about it, m l²/12 about perpendicular axes."""
    return _symmetric_about(axis, 0, m * length**2 / 12)


@solid
def disk(m: Any, radius: Any, axis: str = "z") -> Rows:
    """A thin disk perpendicular to an axis: m r²/2 about it, m r²/4 about perpendicular axes."""
    return _symmetric_about(axis, m * radius**2 / 2, m * radius**2 / 4)


@solid
def ring(m: Any, radius: Any, axis: str = "z") -> Rows:
    """A thin ring perpendicular to an axis: m r² about it, m r²/2 about perpendicular axes."""
    return _symmetric_about(axis, m * radius**2, m * radius**2 / 2)


@solid
def cylinder(m: Any, radius: Any, length: Any, axis: str = "z") -> Rows:
    """A solid cylinder along an axis: m r²/2 about it, m (3 r² + l²)/12 about perpendicular axes."""
    return _symmetric_about(axis, m * radius**2 / 2, m * (3 * radius**2 + length**2) / 12)


@solid
def sphere(m: Any, radius: Any) -> Rows:
    """A solid sphere: 2 m r²/5."""
    s = 2 * m * radius**2 / 5
    return diagonal(s, s, s)


@solid
def shell(m: Any, radius: Any) -> Rows:
    """A thin spherical shell: 2 m r²/3."""
    s = 2 * m * radius**2 / 3
    return diagonal(s, s, s)


@solid
def box(m: Any, x: Any, y: Any, z: Any) -> Rows:
    """A solid box with edges x, y, z: m (y² + z²)/12 about the x axis, and so on."""
    return diagonal(m * (y**2 + z**2) / 12, m * (x**2 + z**2) / 12, m * (x**2 + y**2) / 12)


@solid
def cone(m: Any, radius: Any, height: Any, axis: str = "z") -> Rows:
    """A solid cone along an axis; its mass centre is a quarter of the height above the base."""
    return _symmetric_about(axis, 3 * m * radius**2 / 10, 3 * m * (4 * radius**2 + height**2) / 80)


@dataclass(frozen=True)
class Solid(Element):
    """The inertia of a solid."""

    law: ClassVar[Callable[..., Rows]]

    def matrix(self, mass: Any) -> Rows:
        """The matrix about the mass centre; ``mass`` is used if the solid has no mass of its own."""
        sizes = {name: value for name, value in self.__dict__.items() if name != "mass"}
        given = self.__dict__["mass"]
        return type(self).law(mass if given is None else given, **sizes)


def _element_of(law: Callable[..., Rows]) -> type[Solid]:
    """The element whose fields are the arguments of the function of a solid."""
    fields: list[Any] = [("mass", Any, field(Constant, "mass, if it is not that of the body", default=None, unit="kg"))]
    for name in [*signature(law).parameters][1:]:
        if name == "axis":
            size = field(Choice(("x", "y", "z")), "axis of the solid", default="z")
        else:
            size = field(Constant, f"edge along {name}" if name in AXIS else name, unit="m")
        fields.append((name, Any, size))
    fields.sort(key=lambda f: f[2].default is not MISSING)
    inside = {"kind": law.__name__, "law": staticmethod(unwrap(law)), "__doc__": law.__doc__, "__module__": __name__}
    return make_dataclass(law.__name__.title() + "Inertia", fields, bases=(Solid,), frozen=True, namespace=inside)


SOLIDS = Family("solid", *map(_element_of, (rod, disk, ring, cylinder, sphere, shell, box, cone)))


# Fields of a body

Row = tuple[Expr, Expr, Expr]
Matrix = tuple[Row, Row, Row]
SYMBOLIC = Symbolic(PARAMETERS_ONLY)
OFF_DIAGONAL = [(i, j) for i in range(3) for j in range(3) if i != j]


class Mass(Symbolic):
    """A constant that is not negative."""

    def read(self, value: Any, scope: Scope) -> Any:
        mass = super().read(value, scope)
        number = _number(mass) if isinstance(mass, Expr) else None
        if number is not None and number < 0:
            raise FieldError(f"it is {number}; it cannot be negative")
        return mass


class BodyCoordinates(ListOf):
    """Three components along a body's axes."""

    def read(self, value: Any, scope: Scope) -> Any:
        if isinstance(value, Vector):
            raise FieldError("three components along the body's axes are needed, not a vector")
        return super().read(value, scope)


THREE = BodyCoordinates(SYMBOLIC, 3)
ROWS = ListOf(ListOf(SYMBOLIC, 3), 3)


class Inertia(FieldKind):
    """Three moments, three rows, a solid with its sizes such as {rod: {length: l}}, or a function of the body that
    returns a dyadic. The normal form is the matrix about the mass centre (``about_centre``)."""

    type_name = "inertia"

    def read(self, value: Any, scope: Scope) -> Any:
        if isinstance(value, Dyadic):
            raise FieldError("give a dyadic as a function of the body: inertia=lambda b: b.x.outer(b.x)*3 + …")
        if callable(value) and scope is not UNPARSED:
            return value
        if isinstance(value, Solid | Mapping):
            return MemberOf(SOLIDS).read(value, scope)
        if as_number(value) is not None or (isinstance(value, list | tuple) and len(value) == 6):
            how = "three rows ((Ixx, Ixy, Ixz), (Ixy, Iyy, Iyz), (Ixz, Iyz, Izz))"
            how = f"an inertia is three moments, {how}, or that of a solid, fb.sphere(m, radius)"
            given = "6 numbers" if as_number(value) is None else describe(as_python(value))
            raise FieldError(f"{how}, not {given}")
        rows = as_list(value, 3)
        if any(isinstance(row, Sized) and not isinstance(row, str) for row in rows):
            return ROWS.read(rows, scope)
        moments = THREE.read(rows, scope)
        if scope is UNPARSED:
            return moments
        zero = Expr(scope.graph, scope.graph.zero)
        return tuple(tuple(x if i == j else zero for j in range(3)) for i, x in enumerate(moments))

    def write(self, value: Any, out: Any) -> Any:
        """Three moments if the products of inertia are 0, else the matrix."""
        if all(SYMBOLIC.is_default(value[i][j], 0) for i, j in OFF_DIAGONAL):
            return THREE.write([value[k][k] for k in range(3)], out)
        return ROWS.write(value, out)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [THREE.schema(), ROWS.schema(), SOLIDS.schema()]}

    def is_default(self, value: Any, default: Any) -> bool:
        return value is default or all(SYMBOLIC.is_default(x, 0) for row in value for x in row)


# Checks

RELATIVE = 1e-9  # tolerance for moments as files write them
NANOMETRE = 1e-9  # m
ROUNDING = 1e-15


def about_centre(
    scope: Scope, inertia: Any, mass: Expr, com: Sequence[Expr], about: Sequence[Expr] | None, physical: bool
) -> tuple[Matrix, bool]:
    """The matrix about the mass centre along the body's axes of an inertia that was read (about the point ``about``, if
    there is one), and whether a body can have it. Raises if none can and ``physical`` requires it."""
    if isinstance(inertia, Solid):
        g, rows = scope.graph, inertia.matrix(mass)
        inertia = tuple(tuple(x if isinstance(x, Expr) else Expr(g, g.const(x)) for x in row) for row in rows)
    J: Matrix = inertia
    _require_symmetric(J)
    if about is not None:  # parallel axes: J − m (|d|² − d dᵀ)
        d = [c - p for c, p in zip(com, about, strict=True)]
        square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
        J = tuple(
            tuple(
                J[i][j] - mass * ((square if i == j else 0) - d[i] * d[j])  # type: ignore[assignment]
                for j in range(3)
            )
            for i in range(3)
        )
    why = _impossible(J, mass, [*com, *(about or ())])
    if why and physical:
        raise FieldError(f"{why}; correct the numbers, or accept them with physical=False")
    return J, not (_impossible(J, mass, com) if about else why)


def _number(x: Expr) -> float | None:
    value = x.graph.number(x.handle)
    return None if value is None else float(value)


def _require_symmetric(J: Matrix) -> None:
    """Entries that mirror each other may differ by rounding, relative to the largest entry."""
    pairs = [(i, j) for i, j in ((0, 1), (0, 2), (1, 2)) if J[i][j].handle != J[j][i].handle]
    tolerance = RELATIVE * max(abs(_number(x) or 0.0) for row in J for x in row) if pairs else 0.0
    for i, j in pairs:
        a, b = _number(J[i][j]), _number(J[j][i])
        if a is None or b is None or abs(a - b) > tolerance:
            entries = f"entry {i + 1}{j + 1} is {J[i][j]} but {j + 1}{i + 1} is {J[j][i]}"
            raise FieldError(f"the matrix is not symmetric, {entries}")


def _impossible(J: Matrix, mass: Expr, lengths: Sequence[Expr]) -> str:
    """Why no body can have this inertia, or "": principal moments are not negative, and none exceeds the sum of the
    other two. A matrix with symbols is not checked.

    The tolerance is relative to the largest moment, plus the moment of the mass at a distance of a nanometre, plus the
    rounding of m·l² for the coordinates ``lengths`` of the mass centre and of the reference point.
    """
    values = [[_number(x) for x in row] for row in J]
    if any(v is None for row in values for v in row):
        return ""
    if any(values[i][j] for i, j in OFF_DIAGONAL):
        moments = [float(x) for x in np.linalg.eigvalsh(np.array(values, dtype=float))]
    else:
        moments = sorted(values[k][k] or 0.0 for k in range(3))
    low, middle, high = moments
    m, squares = _number(mass) or 0.0, [v * v for x in lengths if (v := _number(x))]
    tolerance = RELATIVE * max(abs(low), abs(high)) + (m and m * (NANOMETRE**2 + ROUNDING * sum(squares)))
    if low < -tolerance:
        return f"the principal moment {low:.6g} is negative"
    if high > low + middle + tolerance:
        shown = ", ".join(f"{m:.6g}" for m in moments)
        rule = "no body has one moment larger than the sum of the others"
        return f"principal moments {shown} break the triangle inequality; {rule}"
    return ""
