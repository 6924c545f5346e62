"""Triggers: when a rule of a hybrid system is applied. Times of samples are whole ticks of one clock, so that times
that should be equal are equal numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, inf, lcm

from freebody.errors import ArgumentError


@dataclass(frozen=True)
class Crossing:
    """Where a row of the conditions crosses zero: upwards (``direction`` 1), downwards (−1) or either way (0). A
    ``terminal`` one ends the run. ``solved``: the condition contains accelerations or multipliers, which jump where
    constraints are engaged."""

    row: int
    direction: int = 0
    terminal: bool = False
    solved: bool = False


@dataclass(frozen=True)
class Every:
    """At the times offset + k period, k = 0, 1, …, in seconds."""

    period: Fraction
    offset: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if not self.period > 0:
            raise ArgumentError(f"the period of samples is {self.period} s; it must be positive")


@dataclass(frozen=True)
class At:
    """At these times, in seconds."""

    times: tuple[Fraction, ...]


Trigger = Crossing | Every | At


def seconds(value: float | str | Fraction) -> Fraction:
    """A time as it was written: 0.003 is 3/1000, not the nearest binary number. Otherwise samples of 1 ms and of 3 ms
    would miss each other by a rounding error."""
    return value if isinstance(value, Fraction) else Fraction(repr(value) if isinstance(value, float) else str(value))


class Calendar:
    """The times at which rules with these triggers are due from a start on. A time is a tick of a common clock, a whole
    number; in seconds it is rounded once."""

    def __init__(self, triggers: Sequence[Trigger], start: float) -> None:
        timed = [(k, trigger) for k, trigger in enumerate(triggers) if not isinstance(trigger, Crossing)]
        times = [x for _, t in timed for x in ((t.period, t.offset) if isinstance(t, Every) else t.times)]
        self.ticks_per_second = lcm(*(x.denominator for x in times)) if times else 1
        self.next = inf
        """The next time at which a rule is due, in s; infinite if there is none."""
        self._tick: int | None = None
        self._every, self._at = list[list[int]](), list[tuple[int, int]]()  # (rule, tick, period); (tick, rule)
        if not timed:
            return
        now = Fraction(start) * self.ticks_per_second
        for k, trigger in timed:
            if isinstance(trigger, Every):
                offset, period = (int(x * self.ticks_per_second) for x in (trigger.offset, trigger.period))
                first = offset + max(0, ceil((self._early(now) - offset) / period)) * period
                self._every.append([k, first, period])
            else:
                ticks = (int(x * self.ticks_per_second) for x in trigger.times)
                self._at += [(tick, k) for tick in ticks if tick >= self._early(now)]
        self._at.sort()
        self._advance()

    def _early(self, now: Fraction) -> Fraction:
        """The start as a tick if it is the number nearest to one: a run may begin at a sample."""
        nearest = round(now)
        return Fraction(nearest) if nearest / self.ticks_per_second == float(now / self.ticks_per_second) else now

    def _advance(self) -> None:
        self._tick = min([tick for _, tick, _ in self._every] + [tick for tick, _ in self._at[:1]], default=None)
        self.next = inf if self._tick is None else self._tick / self.ticks_per_second

    @property
    def samples(self) -> list[tuple[int, int, int]]:
        """Rule, next tick and period in ticks of each rule at regular times."""
        return [(rule, tick, period) for rule, tick, period in self._every]

    def move(self, ticks: Sequence[int]) -> None:
        """Set the next ticks of the rules at regular times."""
        for entry, tick in zip(self._every, ticks, strict=True):
            entry[1] = tick
        self._advance()

    def take(self) -> list[int]:
        """The rules that are due at ``next``, in their order. The calendar moves on."""
        tick, rules = self._tick, list[int]()
        for entry in self._every:
            if entry[1] == tick:
                rules.append(entry[0])
                entry[1] += entry[2]
        while self._at and self._at[0][0] == tick:
            rules.append(self._at.pop(0)[1])
        self._advance()
        return sorted(rules)
