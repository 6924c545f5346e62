"""Numbers as users give them: one rule for initial values, parameters, inputs, tolerances, step sizes and sweeps."""

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError

Array = NDArray[np.float64]
SHOWN = 60
"""Characters of a wrong value that an error shows."""


def plain(value: Any) -> bool:
    """Whether it is one number as it stands: a real number, or an array without axes."""
    return isinstance(value, Real) or (isinstance(value, np.ndarray) and value.ndim == 0)


def number(value: Any, who: str) -> float:
    """One finite number."""
    made = numbers(value, who)
    if made.ndim:
        raise ArgumentError(f"{who}: {shown(value)} is no number but an array of shape {made.shape}")
    return float(made)


def numbers(value: Any, who: str) -> Array:
    """Finite real numbers in any shape. Texts are none, also where they look like one, nor are masked values."""
    if np.ma.is_masked(value):
        raise ArgumentError(f"{who}: {shown(value)} has masked values; fill them, such as with .filled(0.0)")
    made = _floats(value)
    if made is None:
        several = isinstance(value, list | tuple | np.ndarray)
        raise ArgumentError(f"{who}: {shown(value)} {'are no numbers' if several else 'is no number'}")
    if not np.all(np.isfinite(made)):
        raise ArgumentError(f"{who}: {shown(value)} is not finite")
    return made


def _floats(value: Any) -> Array | None:
    try:
        return np.array(value, dtype=float) if np.asarray(value).dtype.kind in tuple("biufO") else None
    except (TypeError, ValueError, OverflowError):
        return None


def shown(value: Any) -> str:
    """A value in an error, cut if it is long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
