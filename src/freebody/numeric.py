"""Numbers that users pass: scalars of NumPy and arrays without axes are numbers like those of Python"""

from numbers import Real
from operator import index
from typing import Any, SupportsIndex

import numpy as np


def as_python(value: Any) -> Any:
    """A scalar of NumPy, or an array without axes, as the Python object of its value; other values unchanged."""
    if isinstance(value, np.generic) or (type(value) is np.ndarray and value.ndim == 0):
        scalar = value.item()
        return float(scalar) if isinstance(scalar, np.floating) else scalar  # of extended precision
    return value


def as_integer(value: Any) -> int | None:
    """An integer, or None for anything else; True and False are not integers."""
    value = as_python(value)
    if isinstance(value, bool | np.ndarray) or not isinstance(value, SupportsIndex):
        return None
    return index(value)


def as_number(value: Any) -> float | None:
    """A real number as a float, which may be NaN or infinite, or None for anything else, also for True and False."""
    value = as_python(value)
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def as_boolean(value: Any) -> bool | None:
    """True or False, or None for anything else."""
    value = as_python(value)
    return value if isinstance(value, bool) else None
