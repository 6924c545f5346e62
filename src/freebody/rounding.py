"""Rounding errors in results: numbers so small beside others of their kind that readers are shown 0."""

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite

ROUNDING = 1e-12
"""Numbers that are smaller, relative to the largest of their kind, are rounding errors."""

ANGULAR = ("rad", "rad/s", "rad/s²")
"""Angles have a natural size: they are compared with 1 rad at least. Their rates are compared with 1 rad/s at least; in
runs longer than 1 s, with 1 rad in the time of the run."""


def limit(values: Iterable[float], unit: str, seconds: float = 1.0) -> float:
    """The size below which numbers of one kind are rounding errors, from all of them and their unit."""
    largest = max((abs(x) for x in values if isfinite(x)), default=0.0)
    natural = max(1.0, seconds) ** -ANGULAR.index(unit) if unit in ANGULAR else 0.0
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
