"""A first-order lag, and a rate limiter, which is a lag whose rate is limited."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from freebody.model.blocks.base import SignalBlock, require_positive_time
from freebody.model.element import Given, field
from freebody.model.kinds import Number, Scalar, ScalarValue, Scope
from freebody.model.loads.base import require_positive
from freebody.model.signals import OwnState, SignalView
from freebody.scalar.expr import max as larger
from freebody.scalar.expr import min as smaller


@dataclass(frozen=True, eq=False)
class Lag(SignalBlock):
    """A first-order lag: ẏ = (gain · input − y)/time. The state ``NAME.state`` is the output."""

    input: Given[ScalarValue] = field(Scalar(), "what is filtered")
    time: Given[ScalarValue] = field(Scalar(), "time constant", unit="s")
    gain: Given[ScalarValue] = field(Scalar(), "gain at rest", default=1)
    initial: Given[float] = field(Number(), "initial output", default=0.0)
    kind: ClassVar[str] = "lag"

    def finalise(self, scope: Scope) -> Self:
        require_positive_time(self.time, scope, "time", "the time constant", "without a lag, use the input itself")
        return self

    def own_states(self) -> Sequence[OwnState]:
        return (OwnState("state", self.initial, self.unit, f"state of lag '{self.name}'"),)

    def laws(self, view: SignalView) -> tuple[Sequence[Any], Sequence[Any]]:
        y = self.own(view, "state")
        return [(view.scalar(self.gain) * view.scalar(self.input) - y) / view.scalar(self.time)], [y]


@dataclass(frozen=True, eq=False)
class RateLimiter(SignalBlock):
    """The output follows the input, and rises and falls no faster than given: ẏ = (input − y)/lag, between −fall and
    rise. A signal within the limits is followed with the delay ``lag``; where the rate is limited, that is exact."""

    input: Given[ScalarValue] = field(Scalar(), "what is followed")
    rise: Given[ScalarValue] = field(Scalar(), "largest rate, in units of the input per second")
    fall: Given[ScalarValue | None] = field(
        Scalar(), "largest rate downwards, a positive number; by default that upwards", default=None
    )
    lag: Given[ScalarValue] = field(Scalar(), "time constant with which the input is followed", default=0.001, unit="s")
    initial: Given[float] = field(Number(), "initial output", default=0.0)
    kind: ClassVar[str] = "rate_limiter"

    def finalise(self, scope: Scope) -> Self:
        require_positive(self.rise, scope, "the largest rate", "A limit of 0 would hold the output")
        if self.fall is not None:
            require_positive(self.fall, scope, "the largest rate downwards", "It is the size of the rate")
        why = "an exact limiter would have to differentiate its input"
        require_positive_time(self.lag, scope, "lag", "the time constant", why)
        return self

    def own_states(self) -> Sequence[OwnState]:
        return (OwnState("state", self.initial, self.unit, f"state of rate limiter '{self.name}'"),)

    def laws(self, view: SignalView) -> tuple[Sequence[Any], Sequence[Any]]:
        y, rise = self.own(view, "state"), view.scalar(self.rise)
        fall = rise if self.fall is None else view.scalar(self.fall)
        return [larger(-fall, smaller(rise, (view.scalar(self.input) - y) / view.scalar(self.lag)))], [y]
