"""Arguments of users: one rule each for numbers, names, values by name, True or False, and seeds."""

from collections.abc import Mapping
from numbers import Integral, Real
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
        raise ArgumentError(f"{who}: {shown(value)} is not a number but an array of shape {made.shape}")
    return float(made)


def numbers(value: Any, who: str) -> Array:
    """Finite real numbers in any shape."""
    made = real(value, who)
    if not np.isfinite(made).all():
        raise ArgumentError(f"{who}: {shown(value)} is not finite")
    return made


def real(value: Any, who: str) -> Array:
    """Real numbers in any shape, NaN and infinity among them. Texts are refused, also where they look like a number,
    and so are masked values."""
    if type(value) is float:
        return np.array(value)
    if np.ma.is_masked(value):
        raise ArgumentError(f"{who}: {shown(value)} has masked values; fill them, such as with .filled(0.0)")
    made = _floats(value)
    if made is None:
        several = isinstance(value, list | tuple | np.ndarray)
        raise ArgumentError(f"{who}: {shown(value)} {'are not numbers' if several else 'is not a number'}")
    return made


def _floats(value: Any) -> Array | None:
    try:
        return np.array(value, dtype=float) if np.asarray(value).dtype.kind in tuple("biufO") else None
    except (TypeError, ValueError, OverflowError):
        return None


def names(value: Any, who: str) -> list[str]:
    """One name, or several in a list or tuple."""
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list | tuple | set | frozenset) or not all(isinstance(name, str) for name in listed):
        raise ArgumentError(f"{who} must be a name or a list of names, not {shown(value)}")
    return list(listed)


def by_name(value: Any, who: str, example: str) -> dict[str, Any]:
    """Values by name; None stands for none of them."""
    if value is not None and (not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value)):
        raise ArgumentError(f"{who} must be values by name, such as {example}, not {shown(value)}")
    return dict(value or {})


def switch(value: Any, who: str) -> bool:
    """True or False; other values that Python takes for either are refused."""
    if not isinstance(value, bool | np.bool_):
        raise ArgumentError(f"{who} must be True or False, not {shown(value)}")
    return bool(value)


def seeded(seed: Any) -> "np.random.Generator":
    """The random numbers of a seed."""
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        raise ArgumentError(f"seed must be an integer from 0 on, not {shown(seed)}")
    return np.random.default_rng(int(seed))


def shown(value: Any) -> str:
    """A value in an error, cut if it is long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
