"""A reader of MathML that does not use LaTeX: it evaluates the formulas as a person reads them."""

import math
import operator
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import pairwise
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np

from freebody.printing import mathml
from tests.program_cases import DRAG, MIX, SPRING, TYRE

TABLES = {t.name: t.value for t in (SPRING, TYRE, SPRING.derivative, TYRE.derivative.derivative)}
FUNCTIONS: dict[str, Callable[..., float]] = {
    **{n: getattr(math, n) for n in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "atan2")},
    "arcsin": math.asin, "arccos": math.acos, "arctan": math.atan, "ln": math.log, "min": min, "max": max,
    "sign": lambda x: float(np.sign(x)), "drag": DRAG.function, "mix": MIX.function, **TABLES,
}  # fmt: skip
COMPARE = {"<": operator.lt, "≤": operator.le, "=": operator.eq, "≠": operator.ne}
APPLY, TIMES = "\u2061", "\u2062"


def key(e: Element) -> str:
    return ElementTree.tostring(e, encoding="unicode")


def operators(row: Sequence[Element], *wanted: str) -> list[int]:
    return [k for k, e in enumerate(row) if e.tag == "mo" and e.text in wanted]


def split(row: Sequence[Element], *wanted: str) -> list[list[Element]]:
    cuts = [-1, *operators(row, *wanted), len(row)]
    return [list(row[a + 1 : b]) for a, b in pairwise(cuts)]


def value(row: Sequence[Element], known: dict[str, float]) -> float:
    """The value of a row of elements: comparisons of sums of products."""
    for k in operators(row, *COMPARE):
        return float(COMPARE[row[k].text or ""](value(row[:k], known), value(row[k + 1 :], known)))
    signs = [row[k].text for k in operators(row, "+", "−")]
    first, *others = split(row, "+", "−")
    total = product(first, known) if first else 0.0
    for sign, term in zip(signs, others, strict=True):
        total += product(term, known) * (1 if sign == "+" else -1)
    return total


def product(row: Sequence[Element], known: dict[str, float]) -> float:
    return reduce(operator.mul, (factor(f, known) for f in split(row, TIMES, "·")))


def factor(row: Sequence[Element], known: dict[str, float]) -> float:
    if operators(row, APPLY):
        head, _, arguments = row
        raised = head.tag == "msup" and "′" not in head[1].itertext()
        power = one(head[1], known) if raised else 1
        word = "".join((head[0] if raised else head).itertext()).replace("′", "'")
        inner = split(list(arguments)[1:-1], ",")
        return float(FUNCTIONS[word](*(value(a, known) for a in inner)) ** power)
    (e,) = row
    return one(e, known)


def one(e: Element, known: dict[str, float]) -> float:
    if key(e) in known:
        return known[key(e)]
    if e.tag == "mn":
        return float(e.text or "")
    if e.tag == "mfrac":
        return one(e[0], known) / one(e[1], known)
    if e.tag == "msup":
        return float(one(e[0], known) ** one(e[1], known))
    if e.tag == "msubsup":
        return float(known[f"<msub>{key(e[0])}{key(e[1])}</msub>"] ** one(e[2], known))
    if e.tag == "msqrt":
        return math.sqrt(value(list(e), known))
    assert e.tag == "mrow", key(e)
    return fenced(list(e), known)


def fenced(row: list[Element], known: dict[str, float]) -> float:
    opened = row[0].text if row[0].tag == "mo" else ""
    if opened == "{":
        cases = [list(tr) for tr in row[1]]
        return next(value(list(v), known) for v, c in cases if len(c) == 1 or value(list(c)[1:], known))
    if opened in ("(", "[", "|", "⌊"):
        inside = value(row[1:-1], known)
        return abs(inside) if opened == "|" else math.floor(inside) if opened == "⌊" else inside
    return value(row, known)


def formulas(text: str) -> list[list[Element]]:
    """The rows of all tables: name, sign, formula, meaning."""
    return [list(tr) for tr in ElementTree.fromstring(f"<p>{text.replace('<wbr>', '')}</p>").iter("tr")]


def joined(cell: Element) -> list[Element]:
    found = [e for math in cell for e in math]
    for e in found:
        if e.attrib.pop("form", None):
            e.attrib.clear()
    return found


def leaf(name: str) -> str:
    """The element of a name."""
    (found,) = ElementTree.fromstring(mathml.markup(mathml.NOTATION.name(name)))
    return key(found)


def read(text: str, known: dict[str, float]) -> dict[str, float]:
    """All values on the page, evaluated line by line."""
    for name, _, formula, _ in formulas(text):
        known[key(joined(name)[0])] = value(joined(formula), known)
    return known
