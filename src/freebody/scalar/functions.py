"""Functions that users define: tables (curves through points) and Python callables, both with derivatives.

Tyre and spring curves are tables, piecewise polynomials whose derivatives are tables again. From ``breaks[k-1]`` to
``breaks[k]`` the value is Σ coefficients[k][j]·(x − origins[k])ʲ; the first and the last piece extend to ∓∞.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

from freebody.errors import ExpressionError, FunctionError, renamed
from freebody.keywords import keyword_hints

Rows = tuple[tuple[float, ...], ...]
Outside = Literal["hold", "extrapolate", "error"]
OUTSIDE: tuple[Outside, ...] = ("hold", "extrapolate", "error")
"""What a table is beyond its end points."""

Method = Literal["linear", "cubic", "spline"]
METHODS: tuple[Method, ...] = ("linear", "cubic", "spline")
"""How points are joined."""

MARGIN = 1e-12
"""How far beyond its end points, as a fraction of its range, a table with "error" still has values: rounding."""


@dataclass(frozen=True)
class Table:
    """A piecewise polynomial of x; equal tables are one table."""

    name: str
    breaks: tuple[float, ...]
    origins: tuple[float, ...]
    coefficients: Rows

    @property
    def degree(self) -> int:
        return len(self.coefficients[0]) - 1

    @property
    def has_ends(self) -> bool:
        """Whether it has no value (NaN) beyond its first and its last break."""
        return math.isnan(self.coefficients[0][0])

    def value(self, x: float) -> float:
        """The curve at x."""
        if math.isnan(x):
            return x
        k = bisect_right(self.breaks, x)
        step, total = x - self.origins[k], 0.0
        for c in reversed(self.coefficients[k]):
            total = total * step + c
        return total

    @cached_property
    def derivative(self) -> "Table":
        """dy/dx; at a break of a curve with kinks, the slope to its right."""
        rows = tuple(tuple(j * c for j, c in enumerate(row) if j) or (0.0,) for row in self.coefficients)
        if self.has_ends:
            none = (math.nan,) * len(rows[0])
            rows = (none, *rows[1:-1], none)
        return Table(f"{self.name}'", self.breaks, self.origins, rows)


@keyword_hints
def table(
    name: str,
    x: Sequence[float],
    y: Sequence[float],
    method: Method = "linear",
    outside: Outside = "hold",
) -> Table:
    """The curve through (x, y): straight lines; monotone cubics without overshoot (SciPy's PCHIP), whose curvature
    jumps at the points; or the cubic spline, whose curvature is continuous. A spline that is held beyond its ends has
    slope 0 there, others are "not-a-knot" (SciPy's CubicSpline).

    Beyond its ends it stays at the end's value ("hold"), continues straight with the end's slope ("extrapolate"), or
    has no value ("error"): functions return NaN there, and a run ends with an error that names the table.
    """
    if not isinstance(name, str):
        raise ExpressionError(f"the name of a table must be text, not {name!r}")
    columns: list[list[float]] = []
    for letter, values in (("x", x), ("y", y)):
        try:
            if isinstance(values, str | bytes | Mapping):
                raise TypeError
            columns.append([float(v) for v in values])
        except (TypeError, ValueError, OverflowError, ExpressionError):
            raise ExpressionError(f"table '{name}': {letter} must be a row of numbers, not {values!r}"[:300]) from None
    xs, ys = columns
    if len(xs) != len(ys) or len(xs) < 2:
        raise ExpressionError(f"table '{name}' needs as many y as x, at least two: got {len(xs)} x and {len(ys)} y")
    if not all(map(math.isfinite, xs + ys)):
        raise ExpressionError(f"table '{name}' holds a value that is not finite")
    for k, (left, right) in enumerate(pairwise(xs)):
        if not left < right:
            raise ExpressionError(f"table '{name}': x must increase, but x[{k + 1}] = {right} follows {left}")
    texts = isinstance(method, str) and isinstance(outside, str)
    if not texts or method not in METHODS or outside not in OUTSIDE:
        hint = f". {now}" if isinstance(outside, str) and (now := renamed(outside, OUTSIDE)) else ""
        raise ExpressionError(
            f"table '{name}': method is 'linear', 'cubic' or 'spline', and outside is 'hold', 'extrapolate' or"
            f" 'error'{hint}"
        )
    if method == "linear":
        points = pairwise(zip(xs, ys, strict=True))
        rows: Rows = tuple((y0, (y1 - y0) / (x1 - x0)) for (x0, y0), (x1, y1) in points)
    elif method == "spline":
        from scipy.interpolate import CubicSpline

        ends = "clamped" if outside == "hold" else "not-a-knot"
        rows = tuple(map(tuple, CubicSpline(xs, ys, bc_type=ends).c[::-1].T.tolist()))
    else:
        from scipy.interpolate import PchipInterpolator

        rows = tuple(map(tuple, PchipInterpolator(xs, ys).c[::-1].T.tolist()))
    flat = (0.0,) * (len(rows[0]) - 2)
    if outside == "error":
        none, margin = (math.nan,) * len(rows[0]), MARGIN * (xs[-1] - xs[0])
        breaks = (xs[0] - margin, *xs[1:], xs[-1] + margin)
        return Table(name, breaks, (xs[0], *xs, xs[-1]), (none, *rows, (ys[-1], 0.0, *flat), none))
    first, last = rows[0][1], sum(j * c * (xs[-1] - xs[-2]) ** (j - 1) for j, c in enumerate(rows[-1]) if j)
    if outside == "hold":
        first = last = 0.0
    return Table(name, tuple(xs), (xs[0], *xs), ((ys[0], first, *flat), *rows, (ys[-1], last, *flat)))


@dataclass(frozen=True, eq=False)
class Callback:
    """A named callable of ``arity`` floats; two callbacks are equal only if they are the same object.

    ``derivative`` is a tuple of callbacks, ∂f/∂x_i of the same arguments, which may have derivatives of their own.
    ``vectorised``: the callable takes NumPy arrays as well as floats.
    """

    name: str
    function: Callable[..., float]
    arity: int
    derivative: tuple["Callback", ...] = ()
    vectorised: bool = False
    description: str = ""

    def number(self, x: Sequence[float]) -> float:
        """What the function returns, as a number."""
        try:
            value = self.function(*x)
        except FunctionError:
            raise
        except Exception as error:
            raise FunctionError.of(self._who, f"for {_listed(x)}", error) from error
        try:
            return float(value)
        except (TypeError, ValueError):
            raise FunctionError(
                f"{self._who}: its function returns {repr(value)[:80]} for {_listed(x)}, where one number is needed"
            ) from None

    @property
    def _who(self) -> str:
        return f"function '{self.name}'" + (f" ({self.description})" if self.description else "")

    def partial(self, index: int) -> "Callback":
        """∂f/∂x_index as a callback."""
        if not self.derivative:
            raise ExpressionError(
                f"{self.name}() has no derivative: give callback(…, derivative=…) one callable for each argument"
            )
        return self.derivative[index]


def _listed(x: Sequence[float]) -> str:
    """The first arguments of a call, in brackets."""
    return f"({', '.join(f'{v:g}' for v in x[:3])}{', …' if len(x) > 3 else ''})"


@keyword_hints
def callback(
    name: str,
    function: Callable[..., float],
    arity: int = 1,
    derivative: Callable[..., float] | Callback | Sequence[Callable[..., float] | Callback] = (),
    *,
    vectorised: bool = False,
    description: str = "",
) -> Callback:
    """A user's function for use in expressions: ``f = callback("drag", lambda v: …, derivative=lambda v: …)``."""
    if not name.isidentifier():
        raise ExpressionError(f"{name!r} cannot name a function: use letters, digits and underscores")
    if not callable(function) or arity < 1:
        raise ExpressionError(f"{name}: a callable and a number of arguments ≥ 1 are needed, not {function!r}, {arity}")
    several = tuple(derivative) if isinstance(derivative, Sequence) else (derivative,)
    if several and len(several) != arity:
        raise ExpressionError(f"{name}() has {arity} arguments but {len(several)} derivatives: give one for each")
    partials = tuple(
        d
        if isinstance(d, Callback)
        else Callback(f"d{name}_d{k}", d, arity, (), vectorised, f"∂{name}/∂ argument {k + 1}")
        for k, d in enumerate(several)
    )
    return Callback(name, function, arity, partials, vectorised, description)
