"""Units other than those of SI: what to write in place of numbers with such units.

All numbers are in SI units and radians. Nothing is converted; errors show the number to write.
"""

import re
from fractions import Fraction
from math import pi

FOOT, POUND, STANDARD_GRAVITY = Fraction(3048, 10000), Fraction(45359237, 10**8), Fraction(980665, 10**5)
UNITS: dict[str, tuple[Fraction | float, str]] = {
    **dict.fromkeys(("m", "kg", "s", "N", "J", "W", "Pa", "Hz", "rad", "A", "V", "K"), (Fraction(1), "")),
    "Nm": (Fraction(1), "N·m"), "Ns": (Fraction(1), "N·s"),
    "mm": (Fraction(1, 1000), "m"), "cm": (Fraction(1, 100), "m"), "dm": (Fraction(1, 10), "m"),
    "km": (Fraction(1000), "m"), **dict.fromkeys(("µm", "μm", "um"), (Fraction(1, 10**6), "m")),
    **dict.fromkeys(("inch", "inches"), (FOOT / 12, "m")), **dict.fromkeys(("ft", "feet"), (FOOT, "m")),
    "g": (Fraction(1, 1000), "kg"), "mg": (Fraction(1, 10**6), "kg"), "tonne": (Fraction(1000), "kg"),
    **dict.fromkeys(("lb", "lbs", "lbm"), (POUND, "kg")), "lbf": (POUND * STANDARD_GRAVITY, "N"),
    **dict.fromkeys(("kgf", "kp"), (STANDARD_GRAVITY, "N")),
    "ms": (Fraction(1, 1000), "s"), **dict.fromkeys(("µs", "μs", "us"), (Fraction(1, 10**6), "s")),
    "min": (Fraction(60), "s"), **dict.fromkeys(("h", "hr", "hour", "hours"), (Fraction(3600), "s")),
    "kN": (Fraction(1000), "N"), "mN": (Fraction(1, 1000), "N"), "MN": (Fraction(10**6), "N"),
    "Nmm": (Fraction(1, 1000), "N·m"), "kNm": (Fraction(1000), "N·m"), "kPa": (Fraction(1000), "Pa"),
    "MPa": (Fraction(10**6), "Pa"), "GPa": (Fraction(10**9), "Pa"), "bar": (Fraction(10**5), "Pa"),
    "kJ": (Fraction(1000), "J"), "kW": (Fraction(1000), "W"), "MW": (Fraction(10**6), "W"),
    "kHz": (Fraction(1000), "Hz"),
    **dict.fromkeys(("deg", "°", "degree", "degrees"), (pi / 180, "rad")), "mrad": (Fraction(1, 1000), "rad"),
    **dict.fromkeys(("rpm", "RPM"), (pi / 30, "rad/s")), **dict.fromkeys(("rev", "turn", "turns"), (2 * pi, "rad")),
    **dict.fromkeys(("kph", "kmh"), (Fraction(5, 18), "m/s")), "mph": (Fraction(44704, 100000), "m/s"),
}  # fmt: skip
"""Factors to SI units, and these units; an empty text stands for the unit itself."""

LONGEST = 40
"""Characters of a text that can be a number with a unit."""

POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
QUANTITY = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,2})?)\s*([^\W\d_°].*|°.*)")


def to_si(unit: str) -> tuple[Fraction | float, str] | None:
    """The factor of a unit such as "N/mm" or "kg/m^3" to SI, and its unit there; None where a part of it is unknown."""
    factor: Fraction | float = Fraction(1)
    names = list[str]()
    parts = unit.strip().replace("**", "^").replace(" per ", "/").split("/")
    for k, part in enumerate(parts):
        for symbol in re.split(r"[·⋅*\s]+", part.strip().strip("()")):
            match = re.fullmatch(r"([^\W\d_]+|°|1)\^?\(?(-?\d?)\)?", symbol.translate(POWERS))
            if match is None or (match[1] not in UNITS and match[1] != "1"):
                return None
            if match[1] == "1":
                continue
            power, (one, name) = int(match[2]) if match[2] not in ("", "-") else 1, UNITS[match[1]]
            factor = factor * one ** (-power if k else power)
            shown = name or match[1]
            shown = f"({shown})" if power != 1 and not shown.isalpha() else shown
            names.append(("/" if k else "·") + shown + ("" if power == 1 else f"^{power}"))
    text = "".join(sorted(names, key=lambda name: name[0] == "/"))
    return factor, text.removeprefix("·") if text[:1] == "·" else f"1{text}"


def in_si(number: float | str, unit: str) -> str:
    """A number with a unit in SI, such as "10000 N/m"; an empty text where the unit is not known."""
    converted = to_si(unit)
    if converted is None:
        return ""
    factor, name = converted
    product = Fraction(str(number)) * factor if isinstance(factor, Fraction) else float(number) * factor
    value = float(product)
    return f"{int(value) if value.is_integer() and abs(value) < 1e15 else repr(value)} {name}"


def unit_hint(text: str) -> str:
    """A sentence about a text that is a number with a unit; empty for other texts."""
    match = QUANTITY.fullmatch(text) if len(text) <= LONGEST else None
    converted = in_si(match[1], match[2]) if match else ""
    if match is None or not converted:
        return ""
    number, shown = converted.split()[0], text.strip()
    same = "" if converted == shown else f"; {shown} = {converted}"
    angle = f" or {match[1]}*pi/180" if match[2].strip() in ("deg", "°", "degree", "degrees") else ""
    return f"numbers are in SI units and written without a unit{same}: write {number}{angle}"


def name_hint(name: str) -> str:
    """A sentence about a name that is not declared and may be meant as a unit; empty for other names."""
    converted = in_si(1, name) if len(name) > 1 and name in UNITS else ""
    if not converted:
        return ""
    unit = "a unit of SI" if converted == f"1 {name}" else f"a unit, 1 {name} = {converted}"
    return f" If {unit} is meant: numbers are in SI units and written without a unit."
