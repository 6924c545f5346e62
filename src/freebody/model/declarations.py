"""What texts may use by name: parameters, inputs, extra states and tables."""

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from itertools import pairwise
from typing import Any, ClassVar

from freebody.errors import ModelError
from freebody.model.element import Element, field
from freebody.model.kinds import Choice, FieldKind, ListOf, Number, Symbolic, Text
from freebody.scalar.functions import Table, table
from freebody.scalar.symbol import Kind


class Declaration(Element):
    """Something with a symbol of its own; unit and description are the symbol's."""

    section: ClassVar[str]
    symbol_kind: ClassVar[Kind]
    unit: str
    description: str


@dataclass(frozen=True)
class Parameter(Declaration):
    """A constant of the model with its default value."""

    value: Any = field(Number(), "its default")
    unit: Any = field(Text(), "its unit", default="", silent=True)
    description: Any = field(Text(), "what it is", default="", silent=True)
    kind: ClassVar[str] = "parameter"
    short: ClassVar[str] = "value"
    section: ClassVar[str] = "parameters"
    symbol_kind: ClassVar[Kind] = Kind.PARAMETER


@dataclass(frozen=True)
class Input(Declaration):
    """A force, a voltage, anything that comes from outside."""

    unit: Any = field(Text(), "its unit", default="", silent=True)
    description: Any = field(Text(), "what it is", default="", silent=True)
    kind: ClassVar[str] = "input"
    section: ClassVar[str] = "inputs"
    symbol_kind: ClassVar[Kind] = Kind.INPUT


@dataclass(frozen=True)
class State(Declaration):
    """An extra state ż = rate. The rate may use the state itself."""

    _: KW_ONLY
    symbol: Any = field(FieldKind(), default=None, derived=True)
    rate: Any = field(Symbolic(), "its rate of change")
    initial: Any = field(Number(), "its value at the start", default=0.0)
    unit: Any = field(Text(), "its unit", default="", silent=True)
    description: Any = field(Text(), "what it is", default="", silent=True)
    kind: ClassVar[str] = "state"
    short: ClassVar[str] = "rate"
    section: ClassVar[str] = "states"
    symbol_kind: ClassVar[Kind] = Kind.STATE


NUMBERS = ListOf(Number())


@dataclass(frozen=True)
class TableSpec(Element):
    """A curve: points and how they are joined, or the pieces Σ c[k][j]·(x − origin[k])ʲ themselves."""

    x: Any = field(NUMBERS, "where the points are", default=None)
    y: Any = field(NUMBERS, "the values there", default=None)
    method: Any = field(Choice(("linear", "cubic")), "how the points are joined", default="linear")
    outside: Any = field(Choice(("extend", "hold")), "what is beyond the first and the last point", default="extend")
    breaks: Any = field(NUMBERS, "or where the pieces meet", default=None)
    origins: Any = field(NUMBERS, "the origin of each piece", default=None)
    coefficients: Any = field(ListOf(NUMBERS), "the coefficients of each piece", default=None)
    name: Any = field(Text(), "the table's own, where its key differs", default=None)
    kind: ClassVar[str] = "table"

    def __post_init__(self) -> None:
        points, pieces = (self.x, self.y), (self.breaks, self.origins, self.coefficients)
        if None in points and None in pieces:
            raise ModelError("a table needs x and y (or breaks, origins and coefficients)")
        if any(p is not None for p in points) and any(p is not None for p in pieces):
            raise ModelError("a table has x and y, or breaks, origins and coefficients, not both")

    def table(self, key: str) -> Table:
        """The table, whose fields are read."""
        name = key if self.name is None else self.name
        if self.x is not None:
            return table(name, self.x, self.y, self.method, self.outside)
        widths = {len(row) for row in self.coefficients}
        count = len(self.breaks) + 1
        if not count == len(self.origins) == len(self.coefficients) or len(widths) != 1 or 0 in widths or count == 1:
            raise ModelError("n breaks need n + 1 origins and n + 1 rows of coefficients, all of one length")
        if any(not a < b for a, b in pairwise(self.breaks)):
            raise ModelError("the breaks must increase")
        return Table(name, self.breaks, self.origins, self.coefficients)

    @classmethod
    def of(cls, given: Table, key: str) -> "TableSpec":
        """A table by its points where these make it again, else by its pieces."""
        breaks, origins = _floats(given.breaks), _floats(given.origins)
        t = Table(given.name, breaks, origins, tuple(map(_floats, given.coefficients)))
        y, name = (*(row[0] for row in t.coefficients[1:-1]), t.coefficients[-1][0]), None if t.name == key else t.name
        for method in ("linear", "cubic"):
            for outside in ("extend", "hold"):
                if len(breaks) > 1 and repr(table(t.name, breaks, y, method, outside)) == repr(t):
                    return cls(breaks, y, method, outside, name=name)
        return cls(breaks=breaks, origins=origins, coefficients=t.coefficients, name=name)


def _floats(values: Iterable[float]) -> tuple[float, ...]:
    return tuple(map(float, values))
