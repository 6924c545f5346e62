"""Tables of one or two variables."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Self

from freebody.errors import ExpressionError, FieldError
from freebody.model.blocks.base import SignalBlock
from freebody.model.element import Given, field
from freebody.model.kinds import Choice, ListOf, Number, Scalar, ScalarValue, Scope
from freebody.model.signals import SignalView
from freebody.scalar.expr import lookup
from freebody.scalar.expr import max as larger
from freebody.scalar.expr import min as smaller
from freebody.scalar.functions import OUTSIDE, Table, table

NUMBERS = ListOf(Number())
MOST = 64
"""Rows of a table of two variables: each becomes a curve, with a share of the value."""


@dataclass(frozen=True, eq=False)
class Lookup(SignalBlock):
    """A curve through points (x, y): straight lines, or monotone cubics without overshoot (SciPy's PCHIP). Beyond the
    points it holds its last value, continues straight with the slope there, or has no value, which ends a run with an
    error."""

    input: Given[ScalarValue] = field(Scalar(), "variable")
    x: Given[Sequence[float]] = field(NUMBERS, "points")
    y: Given[Sequence[float]] = field(NUMBERS, "values at the points")
    method: Given[str] = field(Choice(("linear", "cubic")), "interpolation", default="linear")
    outside: Given[str] = field(Choice(OUTSIDE), "beyond the points", default="hold")
    kind: ClassVar[str] = "lookup"

    def finalise(self, scope: Scope) -> Self:
        self._table()
        return self

    def _table(self) -> Table:
        try:
            return table(self.name or self.kind, self.x, self.y, self.method, self.outside)
        except ExpressionError as error:
            raise FieldError(str(error)) from None

    def laws(self, view: SignalView) -> tuple[Sequence[Any], Sequence[Any]]:
        return [], [lookup(self._table(), view.scalar(self.input))]


@dataclass(frozen=True, eq=False)
class Lookup2D(SignalBlock):
    """A surface through a grid: ``values[j][i]`` is the value at (x[i], y[j]). "linear" is bilinear in each cell;
    "cubic" is the product of cubic splines in both directions (SciPy's not-a-knot splines), twice differentiable, which
    may overshoot. Beyond the grid it holds the value at the border."""

    input: Given[ScalarValue] = field(Scalar(), "first variable")
    second: Given[ScalarValue] = field(Scalar(), "second variable")
    x: Given[Sequence[float]] = field(NUMBERS, "points of the first variable")
    y: Given[Sequence[float]] = field(NUMBERS, "points of the second variable")
    values: Given[Sequence[Sequence[float]]] = field(ListOf(NUMBERS), "values, a row for each y")
    method: Given[str] = field(Choice(("linear", "cubic")), "interpolation", default="linear")
    kind: ClassVar[str] = "lookup_2d"

    def finalise(self, scope: Scope) -> Self:
        for key, points in (("x", self.x), ("y", self.y)):
            if len(points) < 2 or any(not a < b for a, b in pairwise(points)):
                raise FieldError("at least two points are needed, which increase", key)
        if len(self.y) > MOST:
            raise FieldError(f"{len(self.y)} rows are too many; a table of two variables has at most {MOST}", "y")
        widths = sorted({len(row) for row in self.values})
        if len(self.values) != len(self.y) or widths != [len(self.x)]:
            found = f"{len(self.values)} rows of {' or '.join(map(str, widths)) or 'no'} values"
            raise FieldError(f"{len(self.y)} rows of {len(self.x)} values are needed, not {found}", "values")
        return self

    def laws(self, view: SignalView) -> tuple[Sequence[Any], Sequence[Any]]:
        """Σⱼ wⱼ(y) fⱼ(x): the curve fⱼ through each row, times the curve wⱼ that is 1 at y[j] and 0 at the others."""
        x, y = (
            larger(points[0], smaller(points[-1], view.scalar(value)))
            for value, points in ((self.input, self.x), (self.second, self.y))
        )
        total = view.scalar(0)
        for j, row in enumerate(self.values):
            share = [float(k == j) for k in range(len(self.y))]
            rows = (
                self._curve(f"{self.name}.row{j + 1}", self.x, row),
                self._curve(f"{self.name}.w{j + 1}", self.y, share),
            )
            total = total + lookup(rows[0], x) * lookup(rows[1], y)
        return [], [total]

    def _curve(self, name: str, x: Sequence[float], y: Sequence[float]) -> Table:
        if self.method == "linear":
            return table(name, x, y)
        from scipy.interpolate import CubicSpline

        pieces = CubicSpline(x, y).c[::-1].T.tolist()
        ends = [[y[0], 0.0, 0.0, 0.0], [y[-1], 0.0, 0.0, 0.0]]
        return Table(name, tuple(x), (x[0], *x), tuple(map(tuple, [ends[0], *pieces, ends[1]])))
