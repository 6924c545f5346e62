"""Hysteresis: the Bouc–Wen law, which is smooth; play between two parts; and a relay with two thresholds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from freebody.errors import FieldError
from freebody.model.blocks.base import SignalBlock, number_of, require_positive_time
from freebody.model.element import Given, field
from freebody.model.kinds import Constant, Number, Scalar, ScalarValue, Scope
from freebody.model.loads.base import require_positive
from freebody.model.signals import OwnState, SignalView
from freebody.scalar.expr import max as larger
from freebody.scalar.expr import min as smaller
from freebody.scalar.expr import where


@dataclass(frozen=True, eq=False)
class Hysteresis(SignalBlock):
    """The law of Bouc and Wen: the output z of a displacement x follows ż = (A − |z|ⁿ (β sign(ẋ z) + γ)) ẋ, from the
    ``rate`` ẋ. It does not depend on how fast x changes. z stays within ±(A/(β + γ))^(1/n), and energy is lost in each
    cycle if β > 0 and −β ≤ γ ≤ β. The state is ``NAME.state``. A spring with hysteresis pulls with
    k (α x + (1 − α) z)."""

    rate: Given[ScalarValue] = field(Scalar(), "rate of the displacement")
    A: Given[ScalarValue] = field(Constant, "slope at z = 0", default=1)
    beta: Given[ScalarValue] = field(Constant, "β", default=0.5)
    gamma: Given[ScalarValue] = field(Constant, "γ", default=0.5)
    n: Given[ScalarValue] = field(Constant, "exponent n, at least 1: how sharply the output bends", default=1)
    initial: Given[float] = field(Number(), "initial output", default=0.0)
    kind: ClassVar[str] = "hysteresis"

    def finalise(self, scope: Scope) -> Self:
        n, beta, gamma = (number_of(x, scope) for x in (self.n, self.beta, self.gamma))
        if n is not None and not n >= 1:
            raise FieldError(f"the exponent is {n:g}; it must be at least 1", "n")
        if beta is not None and gamma is not None and not beta + gamma > 0:
            raise FieldError(
                f"β + γ is {beta + gamma:g}; it must be positive, otherwise the output has no bound", "beta"
            )
        return self

    def own_states(self) -> Sequence[OwnState]:
        return (OwnState("state", self.initial, self.unit, f"state of hysteresis '{self.name}'"),)

    def laws(self, view: SignalView) -> tuple[Sequence[Any], Sequence[Any]]:
        z, v = self.own(view, "state"), view.scalar(self.rate)
        size = abs(z) ** view.scalar(self.n)
        turned = where(v * z > 0, 1, where(v * z < 0, -1, 0))
        shrink = size * (view.scalar(self.beta) * turned + view.scalar(self.gamma))
        return [(view.scalar(self.A) - shrink) * v], [z]


@dataclass(frozen=True, eq=False)
class Backlash(SignalBlock):
    """Play: the output stands still while the input is within ±gap/2 of it, and is moved by the input beyond. It
    follows with a time constant, ẏ = (input − y beyond the gap)/lag: while it is moved at a rate v it is late by
    lag · v. The state is ``NAME.state``."""

    input: Given[ScalarValue] = field(Scalar(), "input")
    gap: Given[ScalarValue] = field(Scalar(), "whole play, in units of the input")
    lag: Given[ScalarValue] = field(Scalar(), "time constant with which the input is followed", default=0.001, unit="s")
    initial: Given[float] = field(Number(), "initial output", default=0.0)
    kind: ClassVar[str] = "backlash"

    def finalise(self, scope: Scope) -> Self:
        require_positive(self.gap, scope, "the gap", "Without play, use the input itself")
        require_positive_time(self.lag, scope, "lag", "the time constant", "an exact play would jump at the start")
        return self

    def own_states(self) -> Sequence[OwnState]:
        return (OwnState("state", self.initial, self.unit, f"state of backlash '{self.name}'"),)

    def laws(self, view: SignalView) -> tuple[Sequence[Any], Sequence[Any]]:
        y, half = self.own(view, "state"), view.scalar(self.gap) / 2
        ahead = view.scalar(self.input) - y
        return [(larger(ahead - half, 0) + smaller(ahead + half, 0)) / view.scalar(self.lag)], [y]


@dataclass(frozen=True, eq=False)
class Relay(SignalBlock):
    """A switch with two thresholds: the output goes to ``on`` where the input rises above ``upper``, to ``off`` where
    it falls below ``lower``, and stays between. The thresholds are exact once the output has settled; it moves with the
    time constant ``lag``, so that nothing jumps: after 5 lags less than 1 % is left, and an input that comes back
    before the output is half-way is not noticed. The state ``NAME.state`` goes from −1 (off) to 1 (on)."""

    input: Given[ScalarValue] = field(Scalar(), "input")
    lower: Given[ScalarValue] = field(Scalar(), "threshold below which it switches off")
    upper: Given[ScalarValue] = field(Scalar(), "threshold above which it switches on")
    off: Given[ScalarValue] = field(Scalar(), "output that is off", default=0)
    on: Given[ScalarValue] = field(Scalar(), "output that is on", default=1)
    lag: Given[ScalarValue] = field(Scalar(), "time constant of the output", default=0.001, unit="s")
    initial: Given[float] = field(Number(), "initial state: −1 for off, 1 for on", default=-1.0)
    kind: ClassVar[str] = "relay"

    def finalise(self, scope: Scope) -> Self:
        low, high = number_of(self.lower, scope), number_of(self.upper, scope)
        if low is not None and high is not None and not low < high:
            raise FieldError(
                f"the lower threshold {low:g} is not below the upper one, {high:g}; with a single threshold the output"
                " would flutter. Give two",
                "lower",
            )
        if self.initial not in (-1.0, 1.0) and not isinstance(self.initial, str):
            raise FieldError(f"the initial state is {self.initial:g}; give −1 for off or 1 for on", "initial")
        require_positive_time(self.lag, scope, "lag", "the time constant", "the output must not jump")
        return self

    def own_states(self) -> Sequence[OwnState]:
        return (OwnState("state", self.initial, "", f"state of relay '{self.name}'"),)

    def laws(self, view: SignalView) -> tuple[Sequence[Any], Sequence[Any]]:
        z, low, high = self.own(view, "state"), view.scalar(self.lower), view.scalar(self.upper)
        on, off = view.scalar(self.on), view.scalar(self.off)
        # the threshold is `lower` where z = 1 and `upper` where z = −1, and moves away from the input while z moves
        threshold = (low + high) / 2 - z * (high - low) / 2
        target = where(view.scalar(self.input) > threshold, 1, -1)
        return [(target - z) / view.scalar(self.lag)], [(on + off) / 2 + z * (on - off) / 2]
