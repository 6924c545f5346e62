"""Numbers as the graph keeps them: exact while they fit 64 bits, floats beyond."""

import math
from fractions import Fraction
from numbers import Integral, Rational, Real

from freebody.errors import ExpressionError

Number = int | Fraction | float
LARGEST = 2**63 - 1


def exact(value: object) -> Number:
    """The number as the graph keeps it: int, Fraction or float; NaN and infinities are refused."""
    if type(value) is float and math.isfinite(value):
        return value
    if isinstance(value, bool | Integral):
        return fit(Fraction(int(value)))
    if isinstance(value, Rational):
        return fit(Fraction(int(value.numerator), int(value.denominator)))
    if not isinstance(value, Real):
        raise ExpressionError(f"{value!r} ({type(value).__name__}) is not a real number")
    number = float(value)
    if not math.isfinite(number):
        raise ExpressionError(f"{number} cannot be part of an expression: only finite numbers can")
    return number


def fit(value: Fraction) -> Number:
    """A fraction in its simplest exact type, or the nearest float when it does not fit 64 bits."""
    if abs(value.numerator) > LARGEST or value.denominator > LARGEST:
        return _nearest(value)
    return value.numerator if value.denominator == 1 else value


def _nearest(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        raise ExpressionError("a number too large for a float cannot be part of an expression") from None


def fold(name: str, a: Number, b: Number) -> Number | None:
    """a name b for the four arithmetic operations, exact where both are; None where it has no finite value."""
    if name == "div" and b == 0:
        return None
    if isinstance(a, float) or isinstance(b, float):
        return _fold_floats(name, float(a), float(b))
    x, y = Fraction(a), Fraction(b)
    return fit(x + y if name == "add" else x - y if name == "sub" else x * y if name == "mul" else x / y)


def _fold_floats(name: str, a: float, b: float) -> float | None:
    value = a + b if name == "add" else a - b if name == "sub" else a * b if name == "mul" else a / b
    return value if math.isfinite(value) else None
