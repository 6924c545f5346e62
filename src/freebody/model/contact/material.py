"""Materials of contacts: how stiff two shapes are where they touch, how much energy an impact takes, and friction."""

from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar, Self

from freebody.errors import FieldError, within
from freebody.model.element import (
    Element,
    Given,
    check_fields,
    field,
    fields_of,
    from_data,
    normal_form,
    schema_of,
    to_data,
)
from freebody.model.kinds import UNPARSED, Constant, FieldKind, OptionalScalar, Scalar, ScalarValue, Scope, Text
from freebody.model.loads.base import require_positive
from freebody.scalar.expr import Expr, equals_number
from freebody.scalar.symbol import PARAMETERS_ONLY

MAGNITUDE = Scalar(PARAMETERS_ONLY, magnitude=True)
OPTIONAL = OptionalScalar(PARAMETERS_ONLY, magnitude=True)


@dataclass(frozen=True)
class ContactMaterial(Element):
    """What two shapes are made of where they touch: one material for the pair.

    With the penetration x and the speed v_n at which the shapes separate, the normal force is k x (1 − d v_n), and 0
    where that would pull (Hunt and Crossley 1975). The loss of an impact depends on d and the speed before it.
    Friction is at most μ times the normal force: ``static_friction`` at rest, ``friction`` in sliding much faster than
    ``stribeck_velocity``. Up to the ``elastic_stretch`` the surfaces stick and yield elastically."""

    stiffness: Given[ScalarValue] = field(Constant, "k: normal force by penetration", unit="N/m")
    dissipation: Given[ScalarValue] = field(MAGNITUDE, "d: 0 for impacts without loss", default=0, unit="s/m")
    friction: Given[ScalarValue] = field(MAGNITUDE, "coefficient of friction in sliding", default=0)
    static_friction: Given[ScalarValue | None] = field(
        OPTIONAL, "coefficient of friction at rest; that of sliding by default", default=None
    )
    stribeck_velocity: Given[ScalarValue] = field(
        Constant, "sliding speed in which static friction falls to that of sliding", default=0.01, unit="m/s"
    )
    elastic_stretch: Given[ScalarValue] = field(
        Constant, "by how much the surfaces yield before they slide (adaptive integrators)", default=5e-4, unit="m"
    )
    tangential_stiffness: Given[ScalarValue | None] = field(
        OPTIONAL, "tangential force by stretch (fixed steps); as the stiffness by default", default=None, unit="N/m"
    )
    rolling_friction: Given[ScalarValue] = field(
        MAGNITUDE, "torque against rolling, by the normal force", default=0, unit="m"
    )
    torsional_friction: Given[ScalarValue] = field(
        MAGNITUDE, "torque against turning about the normal, by the normal force", default=0, unit="m"
    )
    name: str = field(Text(), "name, by which files share it", default="", derived=True, silent=True)
    kind: ClassVar[str] = "contact material"

    def check(self) -> None:
        check_fields(self)

    def finalise(self, scope: Scope) -> Self:
        for key in ("stiffness", "stribeck_velocity", "elastic_stretch"):
            with within(key):
                require_positive(self.__dict__[key], scope, "it")
        static, sliding = self.static_friction, self.friction
        numbers = not any(value is None or isinstance(value, Expr | str) for value in (static, sliding))
        if numbers and static < sliding:
            raise FieldError(
                f"the static friction {float(static):g} is below the friction {float(sliding):g}; swap them",
                "static_friction",
            )
        return self

    @property
    def has_friction(self) -> bool:
        return not equals_number(self.friction, 0) or self.static_friction is not None

    @property
    def has_torsional_friction(self) -> bool:
        return not equals_number(self.torsional_friction, 0)

    @property
    def has_rolling_friction(self) -> bool:
        return not equals_number(self.rolling_friction, 0)


def same_material(one: ContactMaterial, other: ContactMaterial) -> bool:
    """Whether two materials in normal form have equal numbers and expressions; names do not count."""
    pairs = [(one.__dict__[f.name], other.__dict__[f.name]) for f in fields_of(ContactMaterial) if not f.derived]
    return all(
        a is b
        or (isinstance(a, Expr) and isinstance(b, Expr) and a.graph is b.graph and a.handle == b.handle)
        or (isinstance(a, Real) and isinstance(b, Real) and a == b)
        for a, b in pairs
    )


class MaterialField(FieldKind):
    """A material, or the name of one of the model's materials."""

    type_name = "contact material"

    def read(self, value: Any, scope: Scope) -> Any:
        if isinstance(value, str):
            return value if scope is UNPARSED else scope.contact_material(value)
        material = value if isinstance(value, ContactMaterial) else from_data(ContactMaterial, value)
        if scope is UNPARSED:
            return material
        material = normal_form(material, scope, late=False)
        return scope.share_material(material) if material.name else material

    def write(self, value: Any, out: Any) -> Any:
        return value.name or to_data(value, out)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "string", "description": "the name of a material"}, schema_of(ContactMaterial)]}
