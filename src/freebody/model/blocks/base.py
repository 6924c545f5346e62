"""The base class of blocks: laws with an input, an output and extra states, such as filters and controllers. Texts and
expressions read the output by the name of the block."""

from abc import ABC
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from freebody.errors import FieldError
from freebody.model.element import Element, Family, Given, check_fields, field
from freebody.model.kinds import FieldKind, Scope, Text
from freebody.model.signals import OwnSignal, SignalSource, SignalView
from freebody.model.units import OutputUnit
from freebody.scalar.expr import Expr
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.walk import values

BLOCKS = Family("block")
"""All blocks by name; filled in ``blocks/__init__.py``."""


@dataclass(frozen=True, eq=False)
class SignalBlock(Element, SignalSource, ABC):
    """A law of signals. Its output has the name of the block."""

    _: KW_ONLY
    unit: Given[str] = field(OutputUnit(), "unit of the output", default="")
    name: str = field(Text(), "name", default="", derived=True)
    symbols: Any = field(FieldKind(), default=None, derived=True, idle=True, silent=True)

    several: ClassVar[bool] = False  # whether it may have several outputs

    def check(self) -> None:
        check_fields(self)

    def own_signals(self) -> Sequence[OwnSignal]:
        return (OwnSignal("", self.unit, f"output of {self.kind} '{self.name}'"),)

    @property
    def output(self) -> Expr:
        """The output, as an expression of the system to which the block was added."""
        return self[""]


def number_of(value: Any, scope: Scope) -> float | None:
    """A constant at the default values of parameters; None while it is not known."""
    if isinstance(value, str) or value is None:
        return None
    if not isinstance(value, Expr):
        return float(value)
    if value.graph.mask[value.handle] > PARAMETERS_ONLY:
        return None
    g = value.graph
    known = {h: x for n, x in scope.values.items() if (h := g.named(n)) is not None}
    return float(values(g, [value.handle], known)[0])


def require(condition: bool, message: str, key: str) -> None:
    """Raise an error of a field unless a condition holds."""
    if not condition:
        raise FieldError(message, key)


def require_positive_time(value: Any, scope: Scope, key: str, what: str, why: str) -> None:
    """Raise if a time constant is known and not positive."""
    number = number_of(value, scope)
    if number is not None and not number > 0:
        raise FieldError(f"{what} is {number:g} s; it must be positive: {why}", key)


__all__ = ["BLOCKS", "SignalBlock", "SignalView", "number_of", "require", "require_positive_time"]
