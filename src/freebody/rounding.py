"""Rounding errors in results: numbers so small beside others of their kind that readers are shown 0."""

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite

ROUNDING = 1e-12
"""Numbers that are smaller, relative to the largest of their kind, are rounding errors."""

RATES = {
    "rad": ("rad", 0), "rad/s": ("rad", 1), "rad/s²": ("rad", 2), "m": ("m", 0), "m/s": ("m", 1), "m/s²": ("m", 2),
}  # fmt: skip
"""Angles and lengths, and how often they are differentiated. They have a natural size: angles are compared with 1 rad
at least, lengths with that of the system. Their rates are compared with this size in 1 s; in runs longer than 1 s, with
this size in the time of the run."""


def limit(values: Iterable[float], unit: str, seconds: float = 1.0, length: float = 0.0) -> float:
    """The size below which numbers of one kind are rounding errors, from all of them and their unit; ``length`` is the
    size of the system, if it is known."""
    largest = max((abs(x) for x in values if isfinite(x)), default=0.0)
    basic, order = RATES.get(unit, ("", 0))
    natural = {"rad": 1.0, "m": length}.get(basic, 0.0) * max(1.0, seconds) ** -order
    return ROUNDING * max(largest, natural)


def rounded(value: float, smallest: float) -> float:
    """The value, or 0 if it is below the limit."""
    return 0.0 if abs(value) < smallest else value


def rounded_together(values: Sequence[float]) -> list[float]:
    """Values of one kind, with rounding errors as 0."""
    smallest = limit(values, "")
    return [rounded(x, smallest) for x in values]


def rounded_by_unit(values: Mapping[str, float], units: Mapping[str, str]) -> dict[str, float]:
    """Values by name, with rounding errors as 0. Those with the same unit are of one kind."""
    limits = {unit: limit((x for n, x in values.items() if units[n] == unit), unit) for unit in {*units.values()}}
    return {name: rounded(x, limits[units[name]]) for name, x in values.items()}
