"""A PID controller whose derivative is filtered."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from freebody.errors import FieldError
from freebody.model.blocks.base import SignalBlock, number_of, require_positive_time
from freebody.model.element import Given, field
from freebody.model.kinds import ListOf, Number, OptionalScalar, Scalar, ScalarsValue, ScalarValue, Scope
from freebody.model.signals import OwnState, SignalView
from freebody.scalar.expr import equals_number, where
from freebody.scalar.expr import max as larger
from freebody.scalar.expr import min as smaller


@dataclass(frozen=True, eq=False)
class PID(SignalBlock):
    """y = kp e + ki ∫ e dt + kd s/(filter s + 1) e, of an error e = reference − measured. The states are the integral
    ``NAME.integral`` (of e) and the filtered error ``NAME.filtered``; what has no gain has no state.

    With ``limits`` (low, high) the output stays between these, and the integral stands still while the output is at a
    limit and the error would drive it further (conditional integration)."""

    error: Given[ScalarValue] = field(Scalar(), "error: the reference less what is measured")
    kp: Given[ScalarValue] = field(Scalar(), "proportional gain", default=0)
    ki: Given[ScalarValue] = field(Scalar(), "integral gain", default=0, unit="1/s")
    kd: Given[ScalarValue] = field(Scalar(), "derivative gain", default=0, unit="s")
    filter: Given[ScalarValue | None] = field(
        OptionalScalar(), "time constant of the derivative's filter, needed with kd", default=None, unit="s"
    )
    limits: Given[ScalarsValue | None] = field(ListOf(Scalar(), 2), "lowest and highest output", default=None)
    initial: Given[float] = field(Number(), "initial integral of the error", default=0.0)
    kind: ClassVar[str] = "pid"

    def finalise(self, scope: Scope) -> Self:
        if all(equals_number(k, 0) for k in (self.kp, self.ki, self.kd)):
            raise FieldError("it has no gain, so that its output is 0; give kp, ki or kd", "kp")
        if self._derives and self.filter is None:
            raise FieldError(
                "the derivative is that of a filtered error; give the time constant of the filter, such as"
                " a tenth of the fastest motion that is controlled",
                "filter",
            )
        if self.filter is not None:
            require_positive_time(self.filter, scope, "filter", "the time constant", "the error is not differentiated")
        low, high = (number_of(x, scope) for x in self.limits or (None, None))
        if low is not None and high is not None and not low < high:
            raise FieldError(
                f"the lowest output {low:g} is not below the highest, {high:g}; give (low, high)", "limits"
            )
        return self

    @property
    def _derives(self) -> bool:
        return not equals_number(self.kd, 0)

    @property
    def _integrates(self) -> bool:
        return not equals_number(self.ki, 0)

    def own_states(self) -> Sequence[OwnState]:
        states = list[OwnState]()
        if self._integrates:
            states.append(OwnState("integral", self.initial, "", f"integral of the error of '{self.name}'"))
        if self._derives:
            states.append(OwnState("filtered", 0.0, "", f"filtered error of '{self.name}'"))
        return states

    def laws(self, view: SignalView) -> tuple[Sequence[Any], Sequence[Any]]:
        e, rates = view.scalar(self.error), list[Any]()
        y = view.scalar(self.kp) * e
        if self._integrates:
            y = y + view.scalar(self.ki) * self.own(view, "integral")
            rates.append(e)
        if self._derives:
            slope = (e - self.own(view, "filtered")) / view.scalar(self.filter)
            y = y + view.scalar(self.kd) * slope
            rates.append(slope)
        if self.limits is None:
            return rates, [y]
        low, high = map(view.scalar, self.limits)
        if self._integrates:
            push = view.scalar(self.ki) * e
            outwards = where(y > high, push > 0, where(y < low, push < 0, 0))
            rates[0] = where(outwards, 0, e)
        return rates, [larger(low, smaller(high, y))]
