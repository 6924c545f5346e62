"""What beams and the members of frames declare of their cross-sections: the fields, with a value for each plane of
bending or one for both, and their signs; and masses at nodes."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self, dataclass_transform

from freebody.errors import FieldError
from freebody.model.element import Element, Given, field
from freebody.model.kinds import FieldKind, ListOf, Number, OptionalNumber, Scope

ONE_OR_TWO = ListOf(Number(), alone=True)
EACH_PLANE = ListOf(OptionalNumber(), alone=True)
PAIRED = ("EI", "GA", "rotary_inertia")
"""Fields with a value for each plane of bending."""
FIELDS: dict[str, tuple[FieldKind, str, str]] = {
    "EA": (Number(), "axial stiffness", "N"),
    "EI": (ONE_OR_TWO, "bending stiffness, or a pair for bending along y and along z", "N·m²"),
    "GJ": (Number(), "torsional stiffness", "N·m²"),
    "density": (Number(), "mass per length", "kg/m"),
    "GA": (
        ONE_OR_TWO, "shear stiffness, or a pair, of Timoshenko's beam; without it (Euler–Bernoulli) there is no shear",
        "N",
    ),
    "rotary_inertia": (
        ONE_OR_TWO, "moment of inertia per length of the section that rotates in bending, or a pair", "kg·m",
    ),
    "polar_inertia": (Number(), "moment of inertia per length about the axis of the beam", "kg·m"),
}  # fmt: skip
"""The kind, the description and the unit of each field."""


def section_field(key: str, more: str = "", kind: FieldKind | None = None, **options: Any) -> Any:
    """A field of a cross-section; ``more`` is added to its description."""
    usual, text, unit = FIELDS[key]
    return field(kind or usual, text + more, unit=unit, **options)


@dataclass_transform(frozen_default=True, field_specifiers=(field, section_field, dataclasses.field))
@dataclass(frozen=True, eq=False)
class CrossSection(Element):
    """An element with these fields, each in its own order."""

    def check_signs(self, positive: Sequence[str], not_negative: Sequence[str]) -> None:
        """Raise if a field has a wrong sign, or one for each plane of bending has more than two values."""
        for key in (*positive, *not_negative):
            values = self.__dict__[key]
            for x in values if isinstance(values, tuple) else (values,):
                if x is None:
                    continue
                if key in positive and not x > 0:
                    raise FieldError(f"{x:g} is not positive", key)
                if x < 0:
                    raise FieldError(f"{x:g} is negative", key)
        for key in PAIRED:
            values = self.__dict__[key]
            if values is not None and len(values) not in (1, 2):
                raise FieldError(f"one number or two are needed, not {len(values)}", key)

    def of_plane(self, key: str, plane: int) -> float | None:
        """A value for bending along y (0) or z (1), or None."""
        values = self.__dict__[key]
        value = None if values is None else values[min(plane, len(values) - 1)]
        return None if value is None else float(value)


@dataclass(frozen=True, eq=False)
class PointMass(Element):
    """A mass at a node of a beam, with the moments of inertia of a body fixed to the section there."""

    mass: Given[float] = field(Number(), "mass", default=0.0, unit="kg")
    inertia: Given[Sequence[float]] = field(
        ListOf(Number(), 3), "moments of inertia about x, y, z at the node", default=(0.0, 0.0, 0.0), unit="kg·m²"
    )
    kind: ClassVar[str] = "point mass"
    short: ClassVar[str] = "mass"

    def finalise(self, scope: Scope) -> Self:
        for key, x in (("mass", self.mass), *(("inertia", x) for x in self.inertia)):
            if x < 0:
                raise FieldError(f"{x:g} is negative", key)
        return self
