"""How operations are written: tables from operation to text, all read by one printer (``scalar/printing.py``).

A ``Form`` writes one operation from the texts of its operands and says how tightly the result holds together; a
``Notation`` is a form for every operation, plus numbers, names and parentheses. There are two ways of writing:

- *literal*: every operation as it stands, in its order, so that a compiler computes exactly what the graph says;
- *gathered*: products are collected into m*l**2/12, sums lose what parentheses a reader can spare.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from freebody.scalar.numbers import Number
from freebody.scalar.ops import ADD, CALL, CONST, DIV, EQ, LE, LT, MUL, NE, NEG, OPS, POW, SUB, SYMBOL, TABLE

ANY, CHOICE, COMPARE, SUM, NEGATIVE, PRODUCT, POWER, ATOM = range(8)  # how tightly a text holds together

LEAVES = frozenset((CONST, SYMBOL))


@dataclass(frozen=True, slots=True)
class Form:
    """How an operation is written; operand k stands without parentheses if it holds at least as ``needs[k]`` says."""

    write: Callable[..., str]
    hold: int = ATOM
    needs: tuple[int, ...] = (ANY, ANY, ANY)


def form(template: str, hold: int = ATOM, *needs: int) -> Form:
    """The form of a template whose operands are written @0, @1 and @2."""
    escaped = template.replace("{", "{{").replace("}", "}}")
    for k in "012":
        escaped = escaped.replace(f"@{k}", f"{{{k}}}")
    return Form(escaped.format, hold, needs or (ANY, ANY, ANY))


def call(name: str) -> Form:
    """The form name(x, y, …)."""
    return Form(lambda *x: f"{name}({', '.join(x)})")


def applied(name: str, *arguments: str) -> str:
    """A table or a user's function at its arguments."""
    return f"{name}({', '.join(arguments)})"


PARENTHESES = form("(@0)")


def identity(name: str) -> str:
    return name


def same(number: Number) -> Number:
    return number


@dataclass(frozen=True)
class Notation:
    """One way of writing. The forms of TABLE and CALL get the function's name first.

    ``minus`` is how a negative text begins, ``atomic`` tells whether the text of a number stands alone under a power.
    ``truth`` writes a comparison used as a number, ``condition`` a number used as a condition, where these differ from
    the comparison or the number itself. ``tidy`` may find a nicer number of the same value. A text of more than
    ``longest`` characters or ``deepest`` levels is cut by variables; without ``share`` nothing else becomes one,
    and factors stay in the order in which they were multiplied.
    """

    forms: Mapping[int, Form]
    number: Callable[[Number], str]
    name: Callable[[str], str] = identity
    group: Form = PARENTHESES
    gathered: bool = False
    join: Callable[[Sequence[str]], str] = "*".join
    minus: str = "-"
    atomic: Callable[[str], object] = re.compile(r"[\w.+-]+").fullmatch
    truth: Form | None = None
    condition: Form | None = None
    tidy: Callable[[Number], Number] = same
    longest: int = 100
    deepest: int = 12
    share: bool = True

    def __post_init__(self) -> None:
        missing = [o.name for o in OPS if o.code not in LEAVES and o.code not in self.forms]
        assert not missing, f"this notation cannot write {', '.join(missing)}"


def quoted(name: str) -> str:
    """A name as it is, or between quotes where it could be read as something else (``a + b``, ``2``)."""
    body = re.sub(r"(\[[\w ,+*-]+\])?'*$", "", name)
    first, *others = body.split(".")
    usual = first.isidentifier() and all(w.isidentifier() or w.isalnum() for w in others)
    return name if usual else f"`{name}`"


def plain(number: Number) -> str:
    """Integers and fractions exactly, floats by the shortest text that gives the same float."""
    return str(number)


def short(number: Number) -> Number:
    """A float as the fraction it was: 0.08333333333333333 is 1/12 and 0.75 is 3/4, but 0.1 and 9.81 are themselves."""
    if not isinstance(number, float) or not math.isfinite(number) or abs(number) > 2**53:
        return number
    if number.is_integer():
        return int(number) if number or math.copysign(1.0, number) > 0 else number
    fraction = Fraction(number).limit_denominator(1000)
    nicer = fraction.denominator <= 4 or len(str(fraction)) + 8 < len(str(number))
    return fraction if nicer and float(fraction) == number else number


def _literal() -> dict[int, Form]:
    """Infix arithmetic with parentheses by precedence, everything else a call by the operation's name."""
    forms = {o.code: call(o.name) for o in OPS if o.code not in LEAVES}
    forms |= {
        ADD: form("@0 + @1", SUM, SUM, PRODUCT),
        SUB: form("@0 - @1", SUM, SUM, PRODUCT),
        MUL: form("@0*@1", PRODUCT, PRODUCT, POWER),
        DIV: form("@0/@1", PRODUCT, PRODUCT, POWER),
        NEG: form("-@0", NEGATIVE, PRODUCT),
        LT: form("@0 < @1", COMPARE, SUM, SUM),
        LE: form("@0 <= @1", COMPARE, SUM, SUM),
        EQ: form("@0 == @1", COMPARE, SUM, SUM),
        NE: form("@0 != @1", COMPARE, SUM, SUM),
        TABLE: Form(applied),
        CALL: Form(applied),
    }
    return forms


LITERAL = Notation(_literal(), plain)

TEXT = Notation(
    {
        **LITERAL.forms,
        ADD: form("@0 + @1", SUM, SUM, SUM),
        POW: form("@0**@1", POWER, ATOM, ATOM),
    },
    plain,
    name=quoted,
    gathered=True,
)
