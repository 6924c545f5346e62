"""The delay of a continuous signal: samples on their way, with cubics through four of them.

The delay lasts a whole number of pieces of three periods. At the beginning of each piece, the four samples of the piece
that comes out are fixed, and in between the output is the cubic through them. So it is computed from samples of one
piece alone, and a jump or kink between two pieces stays sharp."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

from freebody.errors import FieldError
from freebody.model.blocks.base import SignalBlock
from freebody.model.element import Given, field
from freebody.model.kinds import Number, Scalar, ScalarValue, Scope
from freebody.model.sampled.base import (
    LONGEST,
    HeldValue,
    Sampled,
    Samples,
    SampleView,
    Seconds,
    exact,
    sample_number,
)
from freebody.model.signals import SignalView
from freebody.scalar.expr import equal, floor, where

PIECE = 3
"""Periods in a piece."""


@dataclass(frozen=True, eq=False)
class DelayLine(Sampled):
    """The samples of a delayed signal: ``NAME.sample.k`` is the value k samples ago, ``NAME.piece.k`` the samples of
    the piece that comes out, ``NAME.piece.start`` the time at which it began to."""

    input: Any = field(Scalar(), "what is delayed")
    pieces: int = field(Number(), "how many pieces the delay lasts")
    before: float = field(Number(), "value before the first sample")
    kind: ClassVar[str] = "delay line"
    section: ClassVar[str] = "blocks"
    group: ClassVar[str] = "delay"
    rank: ClassVar[int] = 2

    @property
    def own_values(self) -> tuple[HeldValue, ...]:
        samples = [HeldValue(f"{self.name}.sample.{k}", self.before, shown=False) for k in range(PIECE * self.pieces)]
        piece = [HeldValue(f"{self.name}.piece.{k}", self.before, shown=False) for k in range(PIECE + 1)]
        return (*samples, *piece, HeldValue(f"{self.name}.piece.start", 0.0, shown=False))

    @property
    def delayed(self) -> tuple[str, ...]:
        return ()

    def samples(self, view: SampleView) -> Samples:
        n, count = sample_number(self, view.t), PIECE * self.pieces
        line = [view.scalar(self.input), *(view.symbol(f"{self.name}.sample.{k}") for k in range(count))]
        memory = {f"{self.name}.sample.{k}": line[k] for k in range(count)}  # line[k] is k samples old
        begins = equal(n - PIECE * floor((n + 0.5) / PIECE), 0)
        for k in range(PIECE + 1):
            sample, name = line[count - k], f"{self.name}.piece.{k}"
            if k == PIECE:  # the end of the piece before the first sample
                sample = where(equal(n, count - PIECE), self.before, sample)
            memory[name] = where(begins, sample, view.symbol(name))
        start = f"{self.name}.piece.start"
        memory[start] = where(begins, view.t, view.symbol(start))
        return Samples({}, memory)


@dataclass(frozen=True, eq=False)
class Delay(SignalBlock):
    """The input as it was ``time`` seconds ago; ``initial`` is its value before the start. The input is sampled at
    least every ``period`` seconds (more often if the time is not a multiple of three periods h), and the output is a
    cubic through four samples: its error is at most h⁴/24 times the largest fourth derivative of the input. Jumps and
    kinks at multiples of 3 h stay sharp, others are spread over at most 3 h. Steps of a run end at each sample."""

    input: Given[ScalarValue] = field(Scalar(), "what is delayed")
    time: Given[float | str | Fraction] = field(Seconds(), "delay", unit="s")
    period: Given[float | str | Fraction] = field(Seconds(), "longest time between samples", unit="s")
    initial: Given[float] = field(Number(), "value before the start", default=0.0)
    kind: ClassVar[str] = "delay"

    def finalise(self, scope: Scope) -> Self:
        for key in ("time", "period"):
            value = self.__dict__[key]
            if value is None or exact(value) <= 0:
                raise FieldError(f"it is {value}; it must be positive", key)
        if PIECE * self.pieces > LONGEST:
            raise FieldError(
                f"the delay of {float(exact(self.time)):g} s would have {PIECE * self.pieces} samples on their way, and"
                f" at most {LONGEST} are possible; give a longer period",
                "period",
            )
        return self

    @property
    def pieces(self) -> int:
        """How many pieces of three periods the delay lasts."""
        return -(-exact(self.time) // (PIECE * exact(self.period)))

    @property
    def step(self) -> Fraction:
        """The time between samples."""
        return exact(self.time) / (PIECE * self.pieces)

    def held_elements(self, view: SignalView) -> Mapping[str, Sampled]:
        step = f"{self.step.numerator}/{self.step.denominator}"
        line = DelayLine(view.scalar(self.input), self.pieces, self.initial, period=step, name=self.name)
        return {self.name: line}

    def laws(self, view: SignalView) -> tuple[Sequence[Any], Sequence[Any]]:
        """The cubic of Lagrange through the four samples of a piece."""
        a, b, c, d = (view.symbol(f"{self.name}.piece.{k}") for k in range(4))
        x = (view.time - view.symbol(f"{self.name}.piece.start")) / view.scalar(self.step)
        y = -(x - 1) * (x - 2) * (x - 3) / 6 * a + x * (x - 2) * (x - 3) / 2 * b
        return [], [y - x * (x - 1) * (x - 3) / 2 * c + x * (x - 1) * (x - 2) / 6 * d]
