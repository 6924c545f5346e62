"""Checks of arguments: numbers, names, values by name, True or False, seeds."""

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, choices
from freebody.numeric import as_boolean, as_integer, as_python

Array = NDArray[np.float64]
SHOWN = 60
"""Characters of a wrong value that an error shows."""


def is_number(value: Any) -> bool:
    """Whether it is a real number, or an array without axes."""
    return isinstance(as_python(value), Real)


def number(value: Any, context: str) -> float:
    """One finite number."""
    array = numbers(value, context)
    if array.ndim:
        raise ArgumentError(f"{context}: {shorten(value)} is not a number but an array of shape {array.shape}")
    return float(array)


def numbers(value: Any, context: str) -> Array:
    """Finite real numbers in any shape."""
    array = real(value, context)
    if not np.isfinite(array).all():
        raise ArgumentError(f"{context}: {shorten(value)} is not finite")
    return array


def real(value: Any, context: str) -> Array:
    """Real numbers in any shape; they may be NaN or infinite. Texts are refused, also those that look like a number,
    and so are masked values."""
    if type(value) is float:
        return np.array(value)
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise ArgumentError(f"{context}: {shorten(value)} has masked values; fill them, such as with .filled(0.0)")
    try:
        array = np.array(value)
        if array.dtype == np.float64:
            return array
        if array.dtype.kind in "biufO":
            return np.array(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        pass
    several = isinstance(value, list | tuple | np.ndarray)
    raise ArgumentError(f"{context}: {shorten(value)} {'are not numbers' if several else 'is not a number'}")


def names(value: Any, context: str) -> list[str]:
    """One name, or several in a list, tuple or set."""
    several = [value] if isinstance(value, str) else value
    if not isinstance(several, list | tuple | set | frozenset) or not all(isinstance(name, str) for name in several):
        raise ArgumentError(f"{context} must be a name or a list of names, not {shorten(value)}")
    return list(several)


def by_name(value: Any, context: str, example: str) -> dict[str, Any]:
    """Values by name; None stands for no values."""
    if value is not None and (not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value)):
        raise ArgumentError(f"{context} must be values by name, such as {example}, not {shorten(value)}")
    return dict(value or {})


def require_names(known: tuple[str, ...] | list[str], values: Mapping[str, Any], what: str, context: str) -> None:
    """Refuse values whose names are not known."""
    if not isinstance(values, Mapping):
        raise ArgumentError(f"{context}: give each {what} by its name, {{name: value}}, not {values!r}")
    unknown = [n for n in values if n not in known]
    if unknown:
        raise ArgumentError(f"{context} has no {what} '{unknown[0]}'; {choices(list(known))}")


def boolean(value: Any, context: str) -> bool:
    """True or False; other values that Python would convert are refused."""
    switch = as_boolean(value)
    if switch is None:
        raise ArgumentError(f"{context} must be True or False, not {shorten(value)}")
    return switch


def is_positive_integer(value: Any, most: float = np.inf) -> bool:
    return 1 <= (as_integer(value) or 0) <= most


def generator(seed: Any) -> "np.random.Generator":
    """The random number generator of a seed."""
    number = as_integer(seed)
    if number is None or number < 0:
        raise ArgumentError(f"seed must be an integer from 0 on, not {shorten(seed)}")
    return np.random.default_rng(number)


def shorten(value: Any) -> str:
    """The repr of a value for an error text, cut if it is long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
