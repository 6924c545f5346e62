"""Declarations of names that texts may use: parameters, inputs, extra states and tables."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import pairwise
from math import nan, pi
from typing import Any, ClassVar, cast

from freebody.errors import FieldError, ModelError
from freebody.model.element import Element, Given, field
from freebody.model.kinds import Boolean, Choice, FieldKind, Integer, ListOf, Number, ScalarValue, Scope, Symbolic, Text
from freebody.model.units import RATES, read_unit
from freebody.names import companions
from freebody.scalar.expr import Expr
from freebody.scalar.functions import METHODS, OUTSIDE, Table, table
from freebody.scalar.symbol import Kind
from freebody.scalar.units import in_si, to_si


class Declaration(Element):
    """An element with a symbol, which has its unit and description."""

    section: ClassVar[str]
    symbol_kind: ClassVar[Kind]


class UnitText(Text):
    """The unit of a symbol, whose values are in SI units: units with another factor, such as N/mm, are refused."""

    type_name = "unit"

    def read(self, value: Any, scope: Scope) -> Any:
        unit = super().read(value, scope)
        converted = to_si(unit) if unit else None
        if converted is not None and converted[0] != 1:
            raise FieldError(
                f"values are in SI units, and nothing is converted: 1 {unit} = {in_si(1, unit)}. Give the value in"
                f" {converted[1]}; a formula that needs {unit} converts it, and the description can name {unit}"
            )
        return read_unit(unit)


@dataclass(frozen=True)
class Parameter(Declaration):
    """A constant of the model with its default value."""

    value: Given[float] = field(Number(), "default value")
    unit: str = field(UnitText(), "unit", default="", silent=True)
    description: str = field(Text(), "description", default="", silent=True)
    kind: ClassVar[str] = "parameter"
    short: ClassVar[str] = "value"
    section: ClassVar[str] = "parameters"
    symbol_kind: ClassVar[Kind] = Kind.PARAMETER


@dataclass(frozen=True)
class Input(Declaration):
    """A quantity from outside, such as a force or a voltage; a run gives its values."""

    unit: str = field(UnitText(), "unit", default="", silent=True)
    description: str = field(Text(), "description", default="", silent=True)
    rates: bool = field(Boolean(), "whether its rates are known, so that it can move a joint", default=False)
    kind: ClassVar[str] = "input"
    section: ClassVar[str] = "inputs"
    symbol_kind: ClassVar[Kind] = Kind.INPUT

    def companions(self, name: str) -> "dict[str, Input]":
        """The inputs beside an input with rates: its rate, its acceleration, and the time from which numbers of all
        three hold."""
        if not self.rates:
            return {}
        rate_unit = RATES.get(self.unit, "")
        fields = (rate_unit, "rate of"), (RATES.get(rate_unit, ""), "acceleration of"), ("s", "start of the numbers of")
        return {n: Input(unit, f"{what} {name}") for n, (unit, what) in zip(companions(name), fields, strict=True)}


@dataclass(frozen=True)
class State(Declaration):
    """An extra state z with ż = rate, such as of an actuator or a filter. The rate may depend on extra states."""

    _: KW_ONLY
    symbol: Any = field(FieldKind(), default=None, derived=True)
    rate: Given[ScalarValue] = field(Symbolic(), "rate of change")
    initial: Given[float] = field(Number(), "initial value", default=0.0)
    unit: str = field(UnitText(), "unit", default="", silent=True)
    description: str = field(Text(), "description", default="", silent=True)
    kind: ClassVar[str] = "state"
    short: ClassVar[str] = "rate"
    section: ClassVar[str] = "states"
    symbol_kind: ClassVar[Kind] = Kind.STATE


@dataclass(frozen=True)
class Filter(Element):
    """A signal through a low-pass filter, (s²/ω² + 2ζ s/ω + 1) y = signal, of order 3 with the factor (s/ω + 1) too.
    It becomes extra states: the value, its rate, and of order 3 its acceleration."""

    signal: Given[ScalarValue] = field(Symbolic(), "what is filtered")
    frequency: Given[ScalarValue] = field(Symbolic(magnitude=True), "ω/(2π)", unit="Hz")
    damping: Given[ScalarValue] = field(Symbolic(magnitude=True), "ζ, of critical damping", default=1)
    order: Given[int] = field(Integer(), "2 or 3", default=2)
    initial: Given[float] = field(Number(), "initial value", default=0.0)
    unit: str = field(UnitText(), "unit of the signal", default="", silent=True)
    description: str = field(Text(), "description", default="", silent=True)
    kind: ClassVar[str] = "filter"

    def states(self, name: str) -> dict[str, State]:
        """The extra states, with rates that are still to be defined."""
        if self.order not in (2, 3):
            raise FieldError(f"it is 2 or 3, not {self.order}; a filter of order 1 has no acceleration", "order")
        units = [self.unit, rate_unit := RATES.get(self.unit, ""), RATES.get(rate_unit, "")]
        names = [name, *companions(name)[:2]][: self.order]
        states = [State(rate=0, unit=unit) for unit in units[: self.order]]
        states[0] = replace(states[0], initial=self.initial, description=self.description)
        return dict(zip(names, states, strict=True))

    def rates(self, states: Sequence[Expr]) -> list[Any]:
        """The rates of the states, once the fields are read."""
        signal, frequency, damping = (cast(Expr, x) for x in (self.signal, self.frequency, self.damping))
        w, (y, *rates) = frequency * (2 * pi), states
        factors = [2 * damping] if len(rates) == 1 else [1 + 2 * damping] * 2
        last = (signal - y) * w
        for factor, rate in zip(factors, rates, strict=True):
            last = (last - factor * rate) * w
        return [*rates, last]


NUMBERS = ListOf(Number())


@dataclass(frozen=True)
class TableSpec(Element):
    """A function of one variable: points that are interpolated, or the polynomials Σⱼ c[k][j]·(x − origin[k])ʲ."""

    x: Given[Sequence[float] | None] = field(NUMBERS, "points", default=None)
    y: Given[Sequence[float] | None] = field(NUMBERS, "values at the points", default=None)
    method: Given[str] = field(Choice(METHODS), "interpolation", default="linear")
    outside: Given[str] = field(
        Choice(OUTSIDE), "beyond the end points: the end's value, its slope, or no value", default="hold"
    )
    breaks: Given[Sequence[float] | None] = field(
        NUMBERS, "instead of x and y: the points between the polynomials", default=None
    )
    origins: Given[Sequence[float] | None] = field(NUMBERS, "origin of each polynomial", default=None)
    coefficients: Given[Sequence[Sequence[float]] | None] = field(
        ListOf(NUMBERS), "coefficients of each polynomial, from the constant one", default=None
    )
    name: Given[str | None] = field(Text(), "name of the table, if it is not its key", default=None)
    kind: ClassVar[str] = "table"

    def __post_init__(self) -> None:
        points, pieces = (self.x, self.y), (self.breaks, self.origins, self.coefficients)
        if None in points and None in pieces:
            raise ModelError("a table needs x and y (or breaks, origins and coefficients)")
        if any(p is not None for p in points) and any(p is not None for p in pieces):
            raise ModelError("a table has x and y, or breaks, origins and coefficients, not both")

    def table(self, key: str) -> Table:
        """The table of these fields, which have been read."""
        name = key if self.name is None else self.name
        if self.x is not None:
            return table(name, self.x, self.y, cast(Any, self.method), self.outside)
        widths = {len(row) for row in self.coefficients}
        count = len(self.breaks) + 1
        if not count == len(self.origins) == len(self.coefficients) or len(widths) != 1 or 0 in widths or count == 1:
            raise ModelError("n breaks need n + 1 origins and n + 1 rows of coefficients, all of one length")
        if any(not a < b for a, b in pairwise(self.breaks)):
            raise ModelError("the breaks must increase")
        rows = self.coefficients
        if self.outside == "error":
            none = (nan,) * len(rows[0])
            rows = (none, *rows[1:-1], none)
        return Table(name, self.breaks, self.origins, rows)

    @classmethod
    def of(cls, source: Table, key: str) -> "TableSpec":
        """A table by its points, if they give the same table again; else by its polynomials."""
        breaks, origins, *rows = (tuple(map(float, v)) for v in (source.breaks, source.origins, *source.coefficients))
        t, name = Table(source.name, breaks, origins, tuple(rows)), None if source.name == key else source.name
        x, y = (origins[1:-1], rows[1:-1]) if t.has_ends else (breaks, rows[1:])
        values, ends = tuple(row[0] for row in y), OUTSIDE[2:] if t.has_ends else OUTSIDE[:2]
        for method in METHODS if len(x) > 1 and all(a < b for a, b in pairwise(x)) else ():
            for outside in ends:
                if repr(table(t.name, x, values, method, outside)) == repr(t):
                    return cls(x, values, method, outside, name=name)
        if t.has_ends:
            none = (0.0,) * len(rows[0])
            pieces = (none, *rows[1:-1], none)
            return cls(breaks=breaks, outside="error", origins=origins, coefficients=pieces, name=name)
        return cls(breaks=breaks, origins=origins, coefficients=t.coefficients, name=name)
