"""Symbols: the named leaves of expressions, and the groups on which a value depends."""

from dataclasses import dataclass
from enum import IntFlag

from freebody.errors import ExpressionError


class Kind(IntFlag):
    """What a symbol stands for; the same bits make the dependency mask of every node."""

    PARAMETER = 1
    TIME = 2
    COORDINATE = 4
    SPEED = 8
    STATE = 16
    INPUT = 32
    INTERMEDIATE = 64
    ACCELERATION = 128


PARAMETERS_ONLY = int(Kind.PARAMETER)
EVERYTHING = 127
"""All that a state's derivative may depend on. What depends on accelerations is known only after these."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named leaf. An intermediate carries the mask of what it was computed from."""

    name: str
    kind: Kind
    description: str = ""
    unit: str = ""
    mask: int = 0

    def __post_init__(self) -> None:
        if not self.name or not self.name.isprintable() or self.name != self.name.strip():
            raise ExpressionError(f"{self.name!r} is not a usable symbol name: give it visible characters only")
        if self.mask == 0:
            object.__setattr__(self, "mask", usual_mask(self.kind))


def usual_mask(kind: Kind) -> int:
    """What a symbol of this kind depends on, if nothing else is known."""
    return EVERYTHING if kind is Kind.INTERMEDIATE else int(kind)


@dataclass(frozen=True, slots=True)
class Label:
    """The name a formulation gave to a node, and what it is ("ω of camera along c1")."""

    name: str
    description: str = ""
