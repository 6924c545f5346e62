"""Fields of sampled elements that hold a value for each of several names."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

from freebody.errors import FieldError, within
from freebody.model.kinds import FieldKind, Schema, Scope, Text, describe
from freebody.scalar.expr import Expr

EVERY = ""
"""The name that stands for all names."""


@dataclass(frozen=True)
class ByName(FieldKind):
    """Values of one kind by name. The normal form is a tuple of pairs. ``alone``: a single value is that of all names;
    ``arguments``: the values may use the arguments of the element."""

    item: FieldKind
    alone: bool = False
    arguments: bool = True
    late = True

    @property
    def takes_arguments(self) -> bool:  # type: ignore[override]
        return self.arguments

    @property
    def type_name(self) -> str:  # type: ignore[override]
        return f"{self.item.type_name} by name" + (", or one for all" if self.alone else "")

    def read(self, value: Any, scope: Scope) -> Any:
        pairs = list[tuple[str, Any]]()
        if not isinstance(value, Mapping) and not is_pairs(value):
            if self.alone:
                return ((EVERY, self.item.read(value, scope)),)
            raise FieldError(f"names with values are needed here, not {describe(value)}")
        for name, item in value.items() if isinstance(value, Mapping) else value:
            with within(name):
                pairs.append((Text().read(name, scope), self.item.read(item, scope)))
        return tuple(pairs)

    def write(self, value: Any, out: Any) -> Any:
        if self.alone and [name for name, _ in value] == [EVERY]:
            return self.item.write(value[0][1], out)
        return {name: self.item.write(item, out.at(name)) for name, item in value}

    def schema(self) -> Schema:
        several = {"type": "object", "additionalProperties": self.item.schema()}
        return {"anyOf": [self.item.schema(), several]} if self.alone else several


def is_pairs(value: Any) -> bool:
    """Whether a value is the normal form of ``ByName``."""
    return isinstance(value, tuple) and all(isinstance(one, tuple) and len(one) == 2 for one in value)


def pairs_of(value: Any) -> dict[str, Any]:
    """The values by name, read or not yet."""
    return dict(value) if isinstance(value, Mapping) or is_pairs(value) else {EVERY: value}


def values_by_name(value: Any, names: Iterable[str]) -> dict[str, Any]:
    """The values of those of the names that have one."""
    given = pairs_of(value)
    every = dict.fromkeys(names, given[EVERY]) if EVERY in given else {}
    return every | {name: value for name, value in given.items() if name != EVERY}


def literal(value: Any) -> float | None:
    """The number that a scalar is; None for what depends on symbols, or is not read yet."""
    if isinstance(value, Expr):
        number = value.graph.number(value.handle)
        return None if number is None else float(number)
    return float(value) if isinstance(value, Real) else None


@dataclass(frozen=True)
class HoldOrGain(FieldKind):
    """The word hold, or a scalar."""

    item: FieldKind
    takes_arguments = True
    late = True
    type_name = "hold, or a scalar"

    def read(self, value: Any, scope: Scope) -> Any:
        return value if value == "hold" else self.item.read(value, scope)

    def write(self, value: Any, out: Any) -> Any:
        return value if isinstance(value, str) else self.item.write(value, out)

    def schema(self) -> Schema:
        return self.item.schema()
