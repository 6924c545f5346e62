"""The base of sampled elements: their times, the values that they hold in between, and delays."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from dataclasses import field as plain_field
from fractions import Fraction
from functools import cached_property
from math import isfinite
from typing import Any, ClassVar, NamedTuple, Protocol

from freebody.drawing import DrawnSensor
from freebody.errors import FieldError, ModelError
from freebody.model.body import Point, Reference
from freebody.model.element import Element, Given, field
from freebody.model.kinds import FieldKind, Integer, Schema, Scope, Text, describe
from freebody.model.loads.base import MotionView
from freebody.model.picture import Picture
from freebody.numeric import as_python
from freebody.scalar.expr import Expr, floor
from freebody.scalar.graph import Graph
from freebody.spatial.vector import Vector

SEED = "noise.seed"
"""The held value from which all random numbers follow; ``seed=`` of runs sets it."""

SHORTEST = Fraction(1, 10**9)
"""The shortest time between samples in s: shorter ones would never end a run."""

LONGEST = 1000
"""The most samples that a delay may last: each is a held value."""


@dataclass(frozen=True)
class Seconds(FieldKind):
    """A time as it was written, so that samples of 1 ms and of 3 ms meet: a number, or a quotient as text ("1/3") or as
    a Fraction. ``optional``: or None."""

    optional: bool = False
    plain = True
    type_name = "time in seconds"
    json_schema: ClassVar[Schema] = {"type": ["number", "string"]}

    def read(self, value: Any, scope: Scope) -> Any:
        value = as_python(value)
        if value is None and self.optional:
            return None
        if isinstance(value, Fraction):
            value = f"{value.numerator}/{value.denominator}" if value.denominator != 1 else int(value)
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise FieldError(f"a number, or a quotient such as '1/3', is needed, not {describe(value)}")
        if isinstance(value, float) and not isfinite(value):
            raise FieldError(f"it is {value}; give a finite number")
        try:
            exact(value)
        except (ValueError, ZeroDivisionError):
            raise FieldError(f"'{value}' is not a number, or a quotient of two such as '1/3'") from None
        return value


def exact(value: float | str) -> Fraction:
    """The number as it was written: 0.003 is 3/1000."""
    return Fraction(repr(value) if isinstance(value, float) else value)


class HeldValue(NamedTuple):
    """A value that an element holds between its samples, by its name in texts."""

    name: str
    initial: float = 0.0
    unit: str = ""
    description: str = ""
    shown: bool = True
    """Whether runs record it."""


class Samples(NamedTuple):
    """What an element computes at a sample, all from the values before it: its ``values``, which appear after the
    delay, by the name of an input or of a held value of its own; and its ``memory``, held values that change at
    once."""

    values: Mapping[str, Expr]
    memory: Mapping[str, Expr] = {}


class HeldView(Protocol):
    """The inputs and held values as symbols of a graph."""

    graph: Graph

    def symbol(self, name: str) -> Expr:
        """An input or a held value."""


class SampleView(HeldView, Protocol):
    """What an element may use in its samples, in the graph of the derivation."""

    def scalar(self, value: Any) -> Expr:
        """A field of the element."""

    @property
    def t(self) -> Expr: ...

    def normal(self, stream: str) -> Expr:
        """A normal random number (mean 0, variance 1) of this sample and of this stream of the element."""

    @property
    def motion(self) -> "WholeMotionView":
        """The motion of the bodies."""

    @property
    def gravity(self) -> Vector: ...

    def joint_variable(self, name: str) -> Expr:
        """A coordinate or a speed by its full name; prescribed and coupled ones too."""

    def reaction(self, name: str, kind: str) -> tuple[Vector, Reference]:
        """The "force" or "torque" of the joint of a body on it, or of a closure on its second body; and that body."""


class WholeMotionView(MotionView, Protocol):
    """The motion of the bodies with their accelerations."""

    def acceleration_of(self, point: Point) -> Vector: ...


@dataclass(frozen=True, eq=False)
class Sampled(Element, ABC):
    """An element that is evaluated every ``period`` seconds (or ``rate`` times a second), the first time at ``offset``.
    What it computes appears ``delay`` seconds, or ``delay_samples`` samples, later, and is held until the next one.

    At an instant, elements with a lower ``rank`` come first (sensors before controllers), then as they were added; each
    sees what those before it have written. ``section`` is the key of its kind in files, ``group`` that of its held
    values in runs."""

    _: KW_ONLY
    period: Given[float | str | Fraction | None] = field(Seconds(True), "time between samples", default=None, unit="s")
    rate: Given[float | str | Fraction | None] = field(
        Seconds(True), "samples per second, in place of the period", default=None, unit="1/s"
    )
    offset: Given[float | str | Fraction] = field(Seconds(), "time of the first sample", default=0, unit="s")
    delay: Given[float | str | Fraction] = field(
        Seconds(), "time after which the values of a sample appear", default=0, unit="s"
    )
    delay_samples: Given[int] = field(Integer(), "the delay in samples, in place of seconds", default=0)
    name: str = field(Text(), "name", default="", derived=True)

    section: ClassVar[str]
    group: ClassVar[str]
    rank: ClassVar[int] = 0

    @property
    def path(self) -> tuple[str, ...]:
        """The keys of its fields in a file."""
        return self.section, self.name

    @property
    @abstractmethod
    def own_values(self) -> tuple[HeldValue, ...]:
        """The held values that belong to it."""

    def units(self, graph: Graph) -> Mapping[str, str]:
        """The units of its own values, by name; the graph has the symbols of the system."""
        return {value.name: value.unit for value in self.own_values}

    @property
    def inputs(self) -> Mapping[str, float]:
        """The inputs of the system that it writes, with their values before the first sample."""
        return {}

    def renamed(self, input_name: Callable[[str], str]) -> Any:
        """The element with other names of the inputs that it writes, where it is added in a component."""
        return self

    @property
    @abstractmethod
    def delayed(self) -> tuple[str, ...]:
        """The names of the values that appear after the delay: inputs and held values of its own."""

    @property
    def is_random(self) -> bool:
        """Whether it uses random numbers."""
        return False

    @abstractmethod
    def samples(self, view: SampleView) -> Samples:
        """What it computes at a sample."""

    def drawn(self, picture: Picture) -> DrawnSensor | None:
        """How it is drawn; None if it has no place of its own."""
        return None

    def check_in_system(self, scope: Scope) -> None:
        """Raise for what cannot be measured or written; all fields have been read, and all bodies are there."""

    # Times

    def finalise(self, scope: Scope) -> Any:
        """Check the times, which are read before anything else."""
        if (self.period is None) == (self.rate is None):
            both = "both are given; leave one out" if self.period is not None else "neither is given"
            raise FieldError(f"it needs a period in seconds, or a rate in samples per second: {both}")
        for key in ("period", "rate", "offset", "delay"):
            value = getattr(self, key)
            if value is not None and (exact(value) < 0 or (exact(value) == 0 and key in ("period", "rate"))):
                raise FieldError(
                    f"{key} is {value}; it must be {'positive' if key in ('period', 'rate') else 'at least 0'}"
                )
        if self.seconds < SHORTEST:
            raise FieldError(
                f"its samples are {float(self.seconds):g} s apart; at least {float(SHORTEST):g} s are needed"
            )
        if self.delay_samples < 0:
            raise FieldError(f"delay_samples is {self.delay_samples}; it must be at least 0")
        if self.delay_samples and exact(self.delay):
            raise FieldError("delay and delay_samples are both given; leave one out")
        if self.registers > LONGEST:
            raise FieldError(f"its delay lasts {self.registers} samples, and at most {LONGEST} are possible")
        return self

    @property
    def seconds(self) -> Fraction:
        """The time between samples."""
        return exact(self.period) if self.period is not None else 1 / exact(self.rate)

    @property
    def first(self) -> Fraction:
        """The time of the first sample."""
        return exact(self.offset)

    @property
    def whole_delay(self) -> tuple[int, Fraction]:
        """The delay as whole periods and the rest in seconds."""
        if self.delay_samples:
            return self.delay_samples, Fraction(0)
        whole, rest = divmod(exact(self.delay), self.seconds)
        return int(whole), rest

    @property
    def registers(self) -> int:
        """How many samples of each value are on their way."""
        whole, rest = self.whole_delay
        return whole + (rest > 0)

    @property
    def times(self) -> str:
        """Its times in words."""
        late = f"{self.delay_samples} samples" if self.delay_samples else f"{self.delay} s" if exact(self.delay) else ""
        parts = f"every {self.period} s" if self.period is not None else f"{self.rate} times a second"
        return parts + (f", from {self.offset} s" if self.first else "") + (f", {late} late" if late else "")

    # Held values

    @cached_property
    def delay_line(self) -> Mapping[str, tuple[str, ...]]:
        """The names of the held values in which each delayed value is on its way, the newest first."""
        return {
            name: tuple(f"{self.name}.delayed.{name}.{k + 1}" for k in range(self.registers)) for name in self.delayed
        }

    @cached_property
    def held(self) -> dict[str, float]:
        """The initial values of all that it holds, by name: its own values, and the delay lines behind them."""
        own = {value.name: value.initial for value in self.own_values}
        before = own | dict(self.inputs)
        return own | {register: before[name] for name, line in self.delay_line.items() for register in line}


@dataclass(frozen=True)
class SampledProgram:
    """What a sampled element does at one kind of instant: new values by name, all from those before."""

    name: str
    period: Fraction
    offset: Fraction
    values: Mapping[str, Expr] = plain_field(default_factory=dict)


def sampled_programs(element: Sampled, view: SampleView) -> list[SampledProgram]:
    """What an element does at its samples, and what it does when a delay that is no multiple of the period is over."""
    return delayed_programs(element, element.samples(view), view)


def delayed_programs(element: Sampled, samples: Samples, view: HeldView) -> list[SampledProgram]:
    """The same for what it computes at a sample."""
    _, rest = element.whole_delay
    unknown = set(samples.values).symmetric_difference(element.delayed)
    if unknown:
        raise ModelError(f"{element.kind} '{element.name}': samples and delayed values differ in {sorted(unknown)}")
    now, late = dict(samples.memory), dict[str, Expr]()
    for name, value in samples.values.items():
        line = element.delay_line[name]
        for k, register in enumerate(line):
            now[register] = view.symbol(line[k - 1]) if k else value
        if rest:
            late[name] = view.symbol(line[-1])
        else:
            now[name] = view.symbol(line[-1]) if line else value
    programs = [SampledProgram(element.name, element.seconds, element.first, now)]
    if late:
        programs.append(SampledProgram(f"{element.name} (delayed)", element.seconds, element.first + rest, late))
    return programs


def sample_number(element: Sampled, t: Expr) -> Expr:
    """The number of a sample, from 0, at its time."""
    g = t.graph
    offset, period = (Expr(g, g.const(x)) for x in (element.first, element.seconds))
    return floor((t - offset) / period + 0.5)


def in_order(elements: Mapping[str, Sampled]) -> list[Sampled]:
    """The elements in the order in which they are sampled at one instant."""
    return sorted(elements.values(), key=lambda element: element.rank)


def held_values(elements: Mapping[str, Sampled]) -> dict[str, float]:
    """The initial values of all that sampled elements hold, by name."""
    seed = {SEED: 0.0} if any(element.is_random for element in elements.values()) else {}
    return seed | {name: value for element in elements.values() for name, value in element.held.items()}
