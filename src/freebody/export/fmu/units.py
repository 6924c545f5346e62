"""Units of FMI: a unit by the exponents of the base units of SI, and the units in which values are shown."""

import re
from xml.sax.saxutils import quoteattr

from freebody.export.units import OTHERS, USER

BASES = ("kg", "m", "s", "A", "K", "mol", "cd", "rad")
"""The base units that the standard knows, in the order of its attributes."""

SYMBOLS: dict[str, dict[str, int]] = {
    **{base: {base: 1} for base in BASES},
    "1": {},
    "N": {"kg": 1, "m": 1, "s": -2},
    "J": {"kg": 1, "m": 2, "s": -2},
    "W": {"kg": 1, "m": 2, "s": -3},
    "Pa": {"kg": 1, "m": -1, "s": -2},
    "Hz": {"s": -1},
    "C": {"A": 1, "s": 1},
    "V": {"kg": 1, "m": 2, "s": -3, "A": -1},
    "Ω": {"kg": 1, "m": 2, "s": -3, "A": -2},
    "H": {"kg": 1, "m": 2, "s": -2, "A": -2},
    "F": {"kg": -1, "m": -2, "s": 4, "A": 2},
    "T": {"kg": 1, "s": -2, "A": -1},
}
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


TOKEN = re.compile(r"[·*\s]+|[/()]|[A-Za-zΩ]+|1|\^?[-⁻]?[0-9⁰¹²³⁴⁵⁶⁷⁸⁹]+")
POWER = re.compile(r"\^?([-⁻]?[0-9⁰¹²³⁴⁵⁶⁷⁸⁹]+)")


def exponents(unit: str) -> dict[str, int] | None:
    """The exponents of the base units in a unit such as kg·m²/s or W/(rad/s), or None for one that is not understood. A
    division sign is for the symbol or the parenthesis that follows it."""
    tokens = TOKEN.findall(unit)
    if "".join(tokens) != unit:
        return None
    try:
        powers, rest = _product(tokens)
    except (KeyError, IndexError, AttributeError):
        return None
    return None if rest else {base: powers[base] for base in BASES if powers.get(base)}


def _product(tokens: list[str]) -> tuple[dict[str, int], list[str]]:
    """The exponents of a product up to a closing parenthesis, and the tokens from there on."""
    result, sign = dict[str, int](), 1
    while tokens and tokens[0] != ")":
        token, *tokens = tokens
        if token == "/":
            sign = -1
            continue
        if not token.strip("·* "):
            continue
        if token == "(":
            powers, tokens = _product(tokens)
            tokens = tokens[1:] if tokens[0] == ")" else tokens
        else:
            powers = SYMBOLS[token]
        power = 1
        if tokens and (match := POWER.fullmatch(tokens[0])) is not None:
            power, tokens = int(match[1].translate(SUPERSCRIPTS)), tokens[1:]
        for base, count in powers.items():
            result[base] = result.get(base, 0) + sign * power * count
        sign = 1
    return result, tokens


def shown_unit(unit: str) -> tuple[str, float] | None:
    """The unit in which values of an angle or an angular velocity are shown, and its size."""
    if unit not in ("rad", "rad/s"):
        return None
    name = USER[unit]
    return name, OTHERS["rad"]["deg"]


def unit_definition(unit: str) -> str:
    """The element that defines a unit."""
    inside, powers, shown = "", exponents(unit), shown_unit(unit)
    if powers is not None:
        inside += "<BaseUnit" + "".join(f' {base}="{power}"' for base, power in powers.items()) + "/>"
    if shown is not None:
        inside += f'<DisplayUnit name="{shown[0]}" factor="{1 / shown[1]!r}"/>'
    return f"<Unit name={quoteattr(unit)}>{inside}</Unit>" if inside else f"<Unit name={quoteattr(unit)}/>"
