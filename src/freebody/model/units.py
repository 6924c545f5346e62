"""Units as labels: how they are written, and those that follow from what an expression is.

Units are those of the SI with its prefixes, and a few others in use (deg, min, h, rpm, bar, …). They are labels of
results: nothing is converted.
"""

import re
from collections.abc import Iterable

from freebody.errors import FieldError, nearest
from freebody.model.accelerations import REACTION
from freebody.model.element import expressions
from freebody.model.kinds import Scope, Text
from freebody.names import U_DOT, U
from freebody.scalar import ops
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Symbol
from freebody.spatial.vector import MeasuredExpr, Vector

PREFIXED = (
    "m",
    "g",
    "s",
    "A",
    "K",
    "mol",
    "cd",
    "rad",
    "Hz",
    "N",
    "Pa",
    "J",
    "W",
    "C",
    "V",
    "F",
    "Ω",
    "S",
    "Wb",
    "T",
    "H",
    "lm",
    "lx",
    "L",
    "bar",
    "eV",
    "Wh",
)
PREFIXES = ("", "f", "p", "n", "µ", "m", "c", "d", "h", "k", "M", "G", "T", "P")
OTHERS = ("1", "%", "sr", "deg", "°", "rev", "rpm", "°C", "min", "h", "d", "t", "dB")
SYMBOLS = {*OTHERS, *(prefix + unit for unit in PREFIXED for prefix in PREFIXES)}
USUAL = (
    "m", "mm", "m/s", "m/s²", "rad", "deg", "rad/s", "rad/s²", "N", "kN", "N·m", "N/m", "N·s/m", "N·m/rad", "N·m·s/rad",
    "kg", "kg·m²", "kg/m", "kg·m/s", "kg·m²/s", "J", "W", "kW", "Pa", "MPa", "Hz", "s", "V", "A", "m²", "m³", "1/s",
)  # fmt: skip
"""Units that are proposed in place of unknown ones."""

WORDS = {
    "metre": "m", "meter": "m", "millimetre": "mm", "millimeter": "mm", "radian": "rad", "degree": "deg", "newton": "N",
    "newton·metre": "N·m", "newton·meter": "N·m", "joule": "J", "watt": "W", "pascal": "Pa", "hertz": "Hz", "gram": "g",
    "second": "s", "sec": "s", "minute": "min", "hour": "h", "kilogram": "kg", "volt": "V", "ampere": "A", "amp": "A",
    "kelvin": "K", "percent": "%", "celsius": "°C", "ohm": "Ω", "litre": "L", "liter": "L",
    "Nm": "N·m", "Nms": "N·m·s", "kgm": "kg·m", "kgm²": "kg·m²", "mps": "m/s", "rads": "rad", "degs": "deg",
    "μm": "µm", "um": "µm", "l": "L", "Kg": "kg", "KG": "kg", "sqm": "m²",
}  # fmt: skip
"""What is written for units, with the unit."""

LONGEST = 60
"""The most characters of a unit."""

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
FACTOR = re.compile(r"√?(?P<symbol>[^\W\d_⁰¹²³⁴⁵⁶⁷⁸⁹]+|%|°C?|1)[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]*")
PRODUCT = re.compile(r"[^·/()]+([·/]([^·/()]+|\([^·/()]+(·[^·/()]+)*\)))*")
RATES = {"m": "m/s", "m/s": "m/s²", "rad": "rad/s", "rad/s": "rad/s²"}
"""The units of rates."""

WRENCHES = {"force": "N", "torque": "N·m"}
"""The units of the parts of a reaction."""

KEPT = (ops.NEG, ops.ABS, ops.ADD, ops.SUB, ops.MIN, ops.MAX)
"""Operations whose result has the unit that all operands have."""


class OutputUnit(Text):
    """A unit, or None where it follows from what it is the unit of."""

    type_name = "unit"

    def read(self, value: object, scope: Scope) -> str | None:
        return None if value is None else read_unit(super().read(value, scope))


def read_unit(text: str) -> str:
    """A unit with the signs that freebody writes: N*m as N·m, m/s^2 and m/s**2 as m/s². An unknown one raises."""
    unit = re.sub(r"(?:\*\*|\^)\(?(-?\d+)\)?", lambda m: m[1].translate(SUPERSCRIPTS), text.strip())
    unit = re.sub(r"\s*[*·⋅ ]\s*", "·", re.sub(r"\s*/\s*", "/", unit)).replace("μ", "µ").replace("\u2126", "Ω")
    unknown = [factor for factor in re.split(r"[·/()]+", unit) if factor and not _is_known(factor)]
    if len(unit) > LONGEST or unknown or (unit and PRODUCT.fullmatch(unit) is None):
        raise FieldError(f"'{text[:LONGEST]}' is not a unit. {_proposal(unit, unknown)}")
    return unit


def _is_known(factor: str) -> bool:
    match = FACTOR.fullmatch(factor)
    return match is not None and match["symbol"] in SYMBOLS


def _proposal(unit: str, unknown: list[str]) -> str:
    """What may be meant: the unit with its unknown factors replaced by what they stand for, or units alike."""
    close = list[str]()
    if len(unit) <= LONGEST:
        changed = unit
        for factor in unknown:
            changed = changed.replace(factor, _meaning(factor))
        repaired = changed != unit and all(map(_is_known, re.split(r"[·/()]+", changed)))
        close = [changed] if repaired else nearest(unit, USUAL)
    if close:
        return f"Did you mean {' or '.join(close)}?"
    usual = "N·m (or N*m), m/s² (m/s^2), kg·m²/s, 1/s, deg, %"
    return f"Units are those of the SI, such as {usual}; they are labels, and nothing is converted"


def _meaning(factor: str) -> str:
    """The unit that a word or a symbol with other letters or digits stands for."""
    if factor in WORDS:
        return WORDS[factor]
    singular = factor.lower().removesuffix("s")
    alike = [symbol for symbol in sorted(SYMBOLS, key=len) if symbol.lower() == factor.lower()]
    raised = re.sub(r"(?<=\D)\d$", lambda m: m[0].translate(SUPERSCRIPTS), factor)
    return WORDS.get(singular) or next(iter(alike), raised)


# Units that follow


def unit_of(value: object) -> str:
    """The unit of an expression or a vector, where it follows from what it is: that of a symbol (a coordinate, a speed,
    an input, …), of sums and differences of such with one unit, of a vector that was asked of the system, and of its
    components. Empty where it is not known: products and other functions have none."""
    if isinstance(value, Vector | MeasuredExpr) and value.unit:
        return value.unit
    if isinstance(value, Vector):
        return _common(unit_of(Expr(value.graph, s)) for s in value.parts.values())
    if isinstance(value, Expr):
        return _unit_of_node(value)
    return _common(unit_of(x) for x in expressions(value) if x.graph.number(x.handle) != 0)


def _unit_of_node(x: Expr) -> str:
    """The unit of an expression, from its symbols."""
    g, units, todo, seen = x.graph, set[str](), [x.handle], set[int]()
    while todo:
        node = todo.pop()
        if node in seen:
            continue
        seen.add(node)
        if g.op[node] in KEPT:
            todo += [g.a[node], *([g.b[node]] if ops.OPS[g.op[node]].arity == 2 else [])]
        else:
            units.add(_unit_of_symbol(g, g.symbols[g.a[node]]) if g.op[node] == ops.SYMBOL else "")
    return _common(units)


def _unit_of_symbol(g: Graph, symbol: Symbol) -> str:
    """The unit of a symbol; those of accelerations and reactions follow from their names."""
    if U_DOT.holds(symbol.name):
        speed = g.named(U(U_DOT.strip(symbol.name)))
        return "" if speed is None else RATES.get(g.symbols[g.a[speed]].unit, "")
    if symbol.name.startswith(REACTION):
        return next((unit for part, unit in WRENCHES.items() if f".{part}." in symbol.name), "")
    return symbol.unit


def _common(units: Iterable[str]) -> str:
    """The unit that all have; empty where they differ."""
    different = {*units}
    return different.pop() if len(different) == 1 else ""
