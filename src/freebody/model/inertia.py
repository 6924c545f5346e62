"""Inertia of common solids about their mass centres, as 3×3 matrices of scalars; m and sizes may be expressions.

In Python a solid is a function of its mass and sizes. In a file it is an element whose fields are the sizes: its mass
is the body's unless it is given.
"""

from collections.abc import Callable
from dataclasses import MISSING, dataclass, make_dataclass
from functools import wraps
from inspect import signature, unwrap
from math import isfinite
from numbers import Real
from typing import Any, ClassVar

from freebody.errors import ModelError
from freebody.model.element import Element, Family, field
from freebody.model.kinds import Choice, Constant
from freebody.scalar.expr import Expr

AXIS = {"x": 0, "y": 1, "z": 2}
Rows = tuple[tuple[Any, Any, Any], tuple[Any, Any, Any], tuple[Any, Any, Any]]


def diagonal(x: Any, y: Any, z: Any) -> Rows:
    """A diagonal matrix."""
    return (x, 0, 0), (0, y, 0), (0, 0, z)


def _about(axis: str, along: Any, across: Any) -> Rows:
    values = [across] * 3
    values[AXIS[axis]] = along
    return diagonal(*values)


def solid(inertia: Callable[..., Rows]) -> Callable[..., Rows]:
    """The inertia of a solid whose mass and sizes are checked to be numbers or expressions, and its axis to be one."""
    order = signature(inertia)

    @wraps(inertia)
    def checked(*sizes: Any, **named: Any) -> Rows:
        for name, value in order.bind(*sizes, **named).arguments.items():
            if name == "axis" and not (isinstance(value, str) and value in AXIS):
                raise ModelError(f"{inertia.__name__}: axis must be 'x', 'y' or 'z', not {value!r}")
            if name != "axis" and not _scalar(value):
                raise ModelError(
                    f"{inertia.__name__}: {name} must be a number or an expression, such as a parameter, not {value!r}"
                )
        return inertia(*sizes, **named)

    return checked


def _scalar(value: Any) -> bool:
    if isinstance(value, Expr):
        return True
    try:
        return not isinstance(value, bool) and isinstance(value, Real) and isfinite(float(value))
    except OverflowError:
        return False


@solid
def rod(m: Any, length: Any, axis: str = "z") -> Rows:
    """A thin rod along an axis: m l²/12 across it."""
    return _about(axis, 0, m * length**2 / 12)


@solid
def disk(m: Any, radius: Any, axis: str = "z") -> Rows:
    """A thin disk square to an axis: m r²/2 about it, m r²/4 across."""
    return _about(axis, m * radius**2 / 2, m * radius**2 / 4)


@solid
def ring(m: Any, radius: Any, axis: str = "z") -> Rows:
    """A thin ring square to an axis."""
    return _about(axis, m * radius**2, m * radius**2 / 2)


@solid
def cylinder(m: Any, radius: Any, length: Any, axis: str = "z") -> Rows:
    """A solid cylinder along an axis."""
    return _about(axis, m * radius**2 / 2, m * (3 * radius**2 + length**2) / 12)


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
    """A solid box with these edges."""
    return diagonal(m * (y**2 + z**2) / 12, m * (x**2 + z**2) / 12, m * (x**2 + y**2) / 12)


@solid
def cone(m: Any, radius: Any, height: Any, axis: str = "z") -> Rows:
    """A solid cone along an axis (its mass centre is a quarter of the height above the base)."""
    return _about(axis, 3 * m * radius**2 / 10, 3 * m * (4 * radius**2 + height**2) / 80)


@dataclass(frozen=True)
class Solid(Element):
    """The inertia of a solid."""

    law: ClassVar[Callable[..., Rows]]

    def matrix(self, mass: Any) -> Rows:
        """About its mass centre, of its own mass if it has one."""
        sizes = {name: value for name, value in self.__dict__.items() if name != "mass"}
        own = self.__dict__["mass"]
        return type(self).law(mass if own is None else own, **sizes)


def _element(law: Callable[..., Rows]) -> type[Solid]:
    """The element whose fields are what the function of a solid takes."""
    fields: list[Any] = [("mass", Any, field(Constant, "if it is not the body's", default=None, unit="kg"))]
    for name in [*signature(law).parameters][1:]:
        size = field(Choice(("x", "y", "z")), "along which it lies", default="z") if name == "axis" else None
        fields.append((name, Any, size or field(Constant, unit="m")))
    sizes = sorted(fields, key=lambda f: f[2].default is not MISSING)
    inside = {"kind": law.__name__, "law": staticmethod(unwrap(law)), "__doc__": law.__doc__, "__module__": __name__}
    return make_dataclass(law.__name__.title() + "Inertia", sizes, bases=(Solid,), frozen=True, namespace=inside)


SOLIDS = Family("solid", *map(_element, (rod, disk, ring, cylinder, sphere, shell, box, cone)))
