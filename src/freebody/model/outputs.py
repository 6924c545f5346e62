"""Outputs: quantities that are computed along the motion, with their units."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from freebody.errors import within
from freebody.model.element import Element, Given, field, from_data, schema_of, to_data
from freebody.model.kinds import UNPARSED, FieldKind, ScalarValue, Scope
from freebody.model.units import OutputUnit, unit_of
from freebody.model.vectors import OutputField, VectorValue
from freebody.spatial.vector import MeasuredExpr

VALUE = OutputField()


@dataclass(frozen=True, eq=False)
class OutputSpec(Element):
    """A scalar or a vector with its unit. In the normal form the unit is a text, which is empty where it is not
    known."""

    value: Given[ScalarValue | VectorValue] = field(VALUE, "scalar or vector that is computed along the motion")
    unit: Given[str | None] = field(OutputUnit(), "unit; by default that of the value, where it is known", default=None)
    kind: ClassVar[str] = "output"

    @property
    def is_vector(self) -> bool:
        return isinstance(self.value, tuple)

    @property
    def names(self) -> tuple[str, ...]:
        """What follows its name in the names of its numbers in texts."""
        return (".x", ".y", ".z") if self.is_vector else ("",)


def read_output(value: Any, unit: str | None, scope: Scope) -> OutputSpec:
    """The output of a value; without a unit its own, where that is known."""
    result = VALUE.evaluate(value, scope)
    with within("unit"):
        label = OutputUnit().read(unit, scope)
    if label is None:
        label = unit_of(value if isinstance(value, MeasuredExpr) else result)
    return OutputSpec(VALUE.normal(result, scope), label)


class OutputEntry(FieldKind):
    """An output in a file: a value, or {value, unit}."""

    type_name = "scalar, vector or {value, unit}"

    def read(self, given: Any, scope: Scope) -> Any:
        if isinstance(given, Mapping) and ("value" in given or "unit" in given):
            return from_data(OutputSpec, given)
        return VALUE.read(given, UNPARSED)

    def write(self, value: Any, out: Any) -> Any:
        if value.unit == unit_of(value.value):
            return VALUE.write(value.value, out)
        return to_data(value, out)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [*VALUE.schema()["anyOf"], schema_of(OutputSpec)]}
