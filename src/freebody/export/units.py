"""Units of values in parameter files: those that may stand for a unit of SI, with their factors."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from math import pi

from freebody.backends.ascii_text import ascii_text
from freebody.errors import ArgumentError
from freebody.tables import listed

OTHERS: dict[str, dict[str, float]] = {
    "m": {"mm": 1e-3, "cm": 1e-2, "km": 1e3, "in": 0.0254, "ft": 0.3048},
    "rad": {"deg": pi / 180, "mrad": 1e-3, "rev": 2 * pi},
    "s": {"ms": 1e-3, "min": 60.0, "h": 3600.0},
    "kg": {"g": 1e-3, "t": 1e3, "lb": 0.45359237},
    "N": {"kN": 1e3, "lbf": 4.4482216152605},
    "Pa": {"kPa": 1e3, "MPa": 1e6, "GPa": 1e9, "bar": 1e5},
    "J": {"kJ": 1e3}, "W": {"kW": 1e3}, "Hz": {"kHz": 1e3}, "V": {"mV": 1e-3}, "A": {"mA": 1e-3},
}  # fmt: skip
"""Units in place of those of SI."""

IN_PRODUCTS = {"m": ("mm", "km"), "rad": ("deg",), "s": ("ms", "min", "h"), "kg": ("g", "t"), "N": ("kN",)}
"""Those that may stand in products and quotients."""

WHOLE: dict[str, dict[str, float]] = {
    "m/s": {"ft/s": 0.3048, "kph": 1 / 3.6, "mph": 0.44704}, "rad/s": {"rpm": pi / 30},
    "": {"%": 0.01}, "1": {"%": 0.01},
}  # fmt: skip
"""Further units in place of whole ones."""

USER = {"rad": "deg", "rad/s": "deg/s", "m": "mm", "m/s": "km/h"}
"""The set of user units where no other is given: SI units, and what is written for them."""

MANY = 4
"""In a unit with so many symbols one of them may be replaced, in others two."""


@dataclass(frozen=True)
class UnitSet:
    """The units of a quantity: that of SI first, with factors to it; ``user`` is the index of the user's."""

    units: tuple[tuple[str, float], ...]
    user: int = 0

    @property
    def si(self) -> str:
        return self.units[0][0]

    @property
    def shown(self) -> tuple[str, float]:
        """The user's unit and its factor."""
        return self.units[self.user]


def unit_set(unit: str, user: Mapping[str, str]) -> UnitSet:
    """The units that may stand for one of SI. ``user`` maps units of SI to those of the user."""
    si = ascii_text(unit)
    units = {si: 1.0} | _replaced(si) | WHOLE.get(si, {})
    wanted = {ascii_text(key): ascii_text(value) for key, value in user.items()}.get(si, si)
    if wanted not in units:
        raise ArgumentError(f"units: '{wanted}' cannot replace '{unit}'; choose from {listed(units, 20)}")
    return UnitSet(tuple(units.items()), list(units).index(wanted))


def _replaced(si: str) -> dict[str, float]:
    """A unit with some of its symbols replaced; its powers count."""
    parts = re.split(r"([A-Za-z%]+)", si)
    places = [k for k in range(1, len(parts), 2) if parts[k] in OTHERS]
    symbols = list(dict.fromkeys(parts[k] for k in places))
    below = {k: "/" in "".join(parts[:k]) for k in places}
    found = dict[str, float]()
    alone = len(parts) == 3 and parts[0] == parts[2] == ""
    allowed = {s: {n: x for n, x in OTHERS[s].items() if alone or n in IN_PRODUCTS.get(s, ())} for s in symbols}
    for choice in product(*([(s, 1.0), *allowed[s].items()] for s in symbols)):
        chosen = dict(zip(symbols, choice, strict=True))
        if not 0 < sum(s != name for s, (name, _) in chosen.items()) <= (1 if len(symbols) >= MANY else 2):
            continue
        text, factor = list(parts), 1.0
        for k in places:
            text[k], one = chosen[parts[k]]
            power = re.match(r"\^(-?\d+)", parts[k + 1])
            exponent = int(power[1]) if power else 1
            factor *= one ** (-exponent if below[k] else exponent)
        found["".join(text)] = factor
    return found
