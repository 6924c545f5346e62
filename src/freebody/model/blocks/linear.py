"""Linear blocks: transfer functions and state-space systems."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from freebody.errors import FieldError
from freebody.model.blocks.base import SignalBlock, number_of
from freebody.model.element import Given, field
from freebody.model.kinds import Constant, ListOf, Number, Scalar, ScalarsValue, ScalarValue, Scope
from freebody.model.signals import OwnSignal, OwnState, SignalView
from freebody.scalar.expr import Expr, equals_number

CONSTANTS = ListOf(Constant)
ROWS = ListOf(CONSTANTS)


@dataclass(frozen=True, eq=False)
class TransferFunction(SignalBlock):
    """y = num(s)/den(s) · input, with the coefficients of the highest power first: ``num=[1], den=[1, 2, 1]`` is
    1/(s² + 2 s + 1). The order of the numerator is at most that of the denominator; if they are equal, the input is fed
    through. Coefficients may be parameters.

    The states ``NAME.x1`` … are those of the observable form: ẋᵢ = xᵢ₊₁ − aᵢ y + (bᵢ) input, y = x₁ + d input."""

    input: Given[ScalarValue] = field(Scalar(), "input")
    num: Given[ScalarsValue] = field(CONSTANTS, "coefficients of the numerator")
    den: Given[ScalarsValue] = field(CONSTANTS, "coefficients of the denominator")
    initial: Given[Sequence[float] | None] = field(
        ListOf(Number()), "initial values of the states; zero by default", default=None
    )
    kind: ClassVar[str] = "transfer_function"

    def finalise(self, scope: Scope) -> Self:
        if not self.num or not self.den:
            raise FieldError("at least one coefficient is needed", "den" if self.num else "num")
        if number_of(self.den[0], scope) == 0:
            raise FieldError("its first coefficient is 0, so that the order is a lower one; leave it out", "den")
        if len(self.num) > len(self.den):
            raise FieldError(
                f"the numerator has the order {len(self.num) - 1}, the denominator {len(self.den) - 1}; the block would"
                " differentiate its input. Add a fast pole, or use the rate of the signal itself",
                "num",
            )
        _require_count(self.initial, len(self.den) - 1)
        return self

    def own_states(self) -> Sequence[OwnState]:
        n = len(self.den) - 1
        initial = (0.0,) * n if self.initial is None else self.initial
        return [OwnState(f"x{k + 1}", x, "", f"state of '{self.name}'") for k, x in enumerate(initial)]

    def laws(self, view: SignalView) -> tuple[Sequence[Any], Sequence[Any]]:
        u, n = view.scalar(self.input), len(self.den) - 1
        leading = view.scalar(self.den[0])
        a = [view.scalar(x) / leading for x in self.den]
        b = [view.scalar(x) / leading for x in (*(0,) * (n + 1 - len(self.num)), *self.num)]
        x = [self.own(view, f"x{k + 1}") for k in range(n)]
        y = x[0] + b[0] * u if n else b[0] * u
        rates = [(x[k + 1] if k + 1 < n else 0) - a[k + 1] * x[0] + (b[k + 1] - a[k + 1] * b[0]) * u for k in range(n)]
        return rates, [y]


@dataclass(frozen=True, eq=False)
class StateSpace(SignalBlock):
    """ẋ = A x + B u, y = C x + D u, with rows of numbers and parameters. The inputs are a list, or one scalar. With one
    output this has the name of the block, several are ``NAME.y1``, ``NAME.y2``, …; the states are ``NAME.x1``, …"""

    input: Given[ScalarValue | ScalarsValue] = field(ListOf(Scalar(), alone=True), "inputs u")
    A: Given[Sequence[ScalarsValue]] = field(ROWS, "rates of the states by the states")
    B: Given[Sequence[ScalarsValue]] = field(ROWS, "rates of the states by the inputs")
    C: Given[Sequence[ScalarsValue]] = field(ROWS, "outputs by the states")
    D: Given[Sequence[ScalarsValue] | None] = field(ROWS, "outputs by the inputs; zero by default", default=None)
    initial: Given[Sequence[float] | None] = field(
        ListOf(Number()), "initial values of the states; zero by default", default=None
    )
    kind: ClassVar[str] = "state_space"

    def finalise(self, scope: Scope) -> Self:
        n, m, p = len(self.A), len(self.input), len(self.C)
        wanted = {"A": (n, n), "B": (n, m), "C": (p, n), "D": (p, m)}
        if not p:
            raise FieldError("it has no rows, so that the block has no output", "C")
        for key, (rows, columns) in wanted.items():
            matrix = self.__dict__[key]
            if matrix is None:
                continue
            widths = sorted({len(row) for row in matrix})
            if len(matrix) != rows or widths not in ([], [columns]):
                found = f"{len(matrix)} × {' or '.join(map(str, widths)) or 0}"
                raise FieldError(
                    f"it is {found}; it must be {rows} × {columns}: there are {n} states, {m} inputs and {p} outputs",
                    key,
                )
        _require_count(self.initial, n)
        return self

    def own_states(self) -> Sequence[OwnState]:
        initial = (0.0,) * len(self.A) if self.initial is None else self.initial
        return [OwnState(f"x{k + 1}", x, "", f"state of '{self.name}'") for k, x in enumerate(initial)]

    def own_signals(self) -> Sequence[OwnSignal]:
        count = len(self.C)
        names = [""] if count == 1 else [f"y{k + 1}" for k in range(count)]
        return [OwnSignal(name, self.unit, f"output of '{self.name}'") for name in names]

    def laws(self, view: SignalView) -> tuple[Sequence[Any], Sequence[Any]]:
        x = [self.own(view, f"x{k + 1}") for k in range(len(self.A))]
        u = [view.scalar(one) for one in self.input]

        def product(rows: Sequence[Sequence[Any]], values: Sequence[Expr]) -> list[Expr]:
            zero = view.scalar(0)
            terms = (
                [view.scalar(c) * v for c, v in zip(row, values, strict=True) if not equals_number(c, 0)]
                for row in rows
            )
            return [sum(row, start=zero) for row in terms]

        rates = [a + b for a, b in zip(product(self.A, x), product(self.B, u), strict=True)]
        outputs = product(self.C, x)
        if self.D is not None:
            outputs = [a + b for a, b in zip(outputs, product(self.D, u), strict=True)]
        return rates, outputs


def _require_count(initial: Sequence[float] | None, n: int) -> None:
    if initial is not None and len(initial) != n:
        raise FieldError(f"{len(initial)} values are given for {n} states", "initial")
