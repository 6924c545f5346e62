"""Numbers in the graph: exact while they fit 64 bits, floats beyond."""

import math
from fractions import Fraction
from numbers import Integral, Rational, Real

from freebody.errors import ExpressionError
from freebody.numeric import as_python

Number = int | Fraction | float
LARGEST = 2**63 - 1


def exact(value: object) -> Number:
    """The number as the graph stores it: int, Fraction or float. Raises an ExpressionError for NaN and infinities."""
    if type(value) is float and math.isfinite(value):
        return value
    value = as_python(value)
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
    if abs(value.numerator) <= LARGEST and value.denominator <= LARGEST:
        return value.numerator if value.denominator == 1 else value
    try:
        return float(value)
    except OverflowError:
        raise ExpressionError("a number too large for a float cannot be part of an expression") from None


def fold(name: str, a: Number, b: Number) -> Number | None:
    """a name b for the four arithmetic operations, exact where both are; None where it has no finite value."""
    if name == "div" and b == 0:
        return None
    exact = not (isinstance(a, float) or isinstance(b, float))
    x, y = (Fraction(a), Fraction(b)) if exact else (float(a), float(b))
    value = x + y if name == "add" else x - y if name == "sub" else x * y if name == "mul" else x / y
    if isinstance(value, Fraction):
        return fit(value)
    return value if math.isfinite(value) else None
