"""Notations of operations: tables from operation to text, and how texts of operands are combined.

An ``OperationForm`` writes one operation from the texts of its operands and says how tightly the result holds together;
a ``Notation`` is a form for every operation, plus numbers, names and parentheses. There are two ways of writing:

- *literal*: every operation as it stands, in its order, so that a compiler computes exactly what the graph says;
- *gathered*: products are collected into m*l**2/12, sums lose what parentheses a reader can spare.

A gathered product is stored as number · Π over / Π under, so that the graph's (1/12)·(m·(l·l)) is written m*l**2/12.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from freebody.scalar.node import NONE, Node
from freebody.scalar.numbers import Number
from freebody.scalar.ops import ADD, CALL, CONST, DIV, EQ, LE, LT, MUL, NE, NEG, OPS, POW, SUB, SYMBOL, TABLE

ANY, CHOICE, COMPARE, SUM, NEGATIVE, PRODUCT, POWER, ATOM = range(8)  # how tightly a text holds together

LEAVES = frozenset((CONST, SYMBOL))


@dataclass(frozen=True, slots=True)
class OperationForm:
    """How an operation is written; operand k stands without parentheses if it holds at least as ``needs[k]`` says."""

    write: Callable[..., str]
    hold: int = ATOM
    needs: tuple[int, ...] = (ANY, ANY, ANY)


def form(template: str, hold: int = ATOM, *needs: int) -> OperationForm:
    """The form of a template whose operands are written @0, @1 and @2."""
    escaped = template.replace("{", "{{").replace("}", "}}")
    for k in "012":
        escaped = escaped.replace(f"@{k}", f"{{{k}}}")
    return OperationForm(escaped.format, hold, needs or (ANY, ANY, ANY))


def applied(name: str, *arguments: str) -> str:
    """A table or a user's function at its arguments."""
    return f"{name}({', '.join(arguments)})"


def call(name: str) -> OperationForm:
    """The form name(x, y, …)."""
    return OperationForm(partial(applied, name))


PARENTHESES = form("(@0)")


@dataclass(frozen=True)
class Notation:
    """One way of writing. The forms of TABLE and CALL get the function's name first.

    ``minus`` is how a negative text begins, ``atomic`` tells whether the text of a number stands alone under a power.
    ``truth`` writes a comparison used as a number, ``condition`` a number used as a condition, where these differ from
    the comparison or the number itself. ``tidy`` may find a nicer number of the same value. A text of more than
    ``longest`` characters or ``deepest`` levels is cut by variables; without ``share`` nothing else becomes one,
    and factors stay in the order in which they were multiplied.
    """

    forms: Mapping[int, OperationForm]
    number: Callable[[Number], str] = str
    name: Callable[[str], str] = str
    group: OperationForm = PARENTHESES
    gathered: bool = False
    join: Callable[[Sequence[str]], str] = "*".join
    minus: str = "-"
    atomic: Callable[[str], object] = re.compile(r"[\w.+-]+").fullmatch
    truth: OperationForm | None = None
    condition: OperationForm | None = None
    tidy: Callable[[Number], Number] = lambda number: number
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


def short(number: Number) -> Number:
    """A float as the fraction it was: 0.08333333333333333 is 1/12 and 0.75 is 3/4, but 0.1 and 9.81 are themselves."""
    if not isinstance(number, float) or not math.isfinite(number) or abs(number) > 2**53:
        return number
    if number.is_integer():
        return int(number) if number or math.copysign(1.0, number) > 0 else number
    fraction = Fraction(number).limit_denominator(1000)
    nicer = fraction.denominator <= 4 or len(str(fraction)) + 8 < len(str(number))
    return fraction if nicer and float(fraction) == number else number


LITERAL = Notation(
    {
        **{o.code: call(o.name) for o in OPS if o.code not in LEAVES},
        ADD: form("@0 + @1", SUM, SUM, PRODUCT),
        SUB: form("@0 - @1", SUM, SUM, PRODUCT),
        MUL: form("@0*@1", PRODUCT, PRODUCT, POWER),
        DIV: form("@0/@1", PRODUCT, PRODUCT, POWER),
        NEG: form("-@0", NEGATIVE, PRODUCT),
        LT: form("@0 < @1", COMPARE, SUM, SUM),
        LE: form("@0 <= @1", COMPARE, SUM, SUM),
        EQ: form("@0 == @1", COMPARE, SUM, SUM),
        NE: form("@0 != @1", COMPARE, SUM, SUM),
        TABLE: OperationForm(applied),
        CALL: OperationForm(applied),
    }
)
"""Infix arithmetic with parentheses by precedence, everything else a call by the operation's name."""

TEXT = Notation(
    {**LITERAL.forms, ADD: form("@0 + @1", SUM, SUM, SUM), POW: form("@0**@1", POWER, ATOM, ATOM)},
    name=quoted,
    gathered=True,
)


# Texts from the texts of operands


@dataclass(slots=True)
class Piece:
    """The text of a node: how tightly it holds, how many levels deep it is, whether parameters alone decide it."""

    text: str
    node: Node = NONE
    hold: int = ATOM
    levels: int = 0
    constant: bool = True
    comparison: bool = False
    product: "TextProduct | None" = None


Factors = tuple[tuple[Piece, int], ...]  # pieces and their powers


@dataclass(slots=True)
class TextProduct:
    """number · Π over / Π under."""

    number: Number = 1
    over: Factors = ()
    under: Factors = ()


def write_number(notation: Notation, value: Number, node: Node = NONE) -> Piece:
    """A number, in the notation's best form."""
    number = notation.tidy(value)
    text = notation.number(number)
    if text.startswith(notation.minus):
        hold = NEGATIVE
    else:
        hold = ATOM if notation.atomic(text) else PRODUCT if isinstance(number, Fraction) else POWER
    return Piece(text, node, hold, product=TextProduct(number))


def write_form(
    notation: Notation, form: OperationForm, pieces: Sequence[Piece], node: Node = NONE, *name: str
) -> Piece:
    """Operands in a form; ``name`` is the function's, which the forms of TABLE and CALL get first."""
    needed = [(p, form.needs[k] if k < len(form.needs) else ANY) for k, p in enumerate(pieces)]
    texts = [p.text if p.hold >= need else notation.group.write(p.text) for p, need in needed]
    joins = form.hold in (SUM, PRODUCT)  # a sum in a sum, or a product in a product, adds no level
    levels = max(p.levels + (not (joins and p.hold == form.hold >= need)) for p, need in needed)
    return Piece(form.write(*name, *texts), node, form.hold, levels, all(p.constant for p in pieces))


def write(notation: Notation, op: int, pieces: Sequence[Piece], node: Node, *name: str) -> Piece:
    """An operation on its operands; ``name`` is that of a table or a user's function."""
    if notation.gathered and op in (MUL, DIV):
        return _write_product(notation, _product(op, *pieces), node)
    if notation.gathered and op in (ADD, SUB):  # a + (−b) is written a - b
        x, y = pieces
        if y.hold == NEGATIVE or (op == ADD and y.hold == SUM and y.text.startswith(notation.minus)):
            y = replace(y, text=y.text.removeprefix(notation.minus), hold=PRODUCT)
            op, pieces = ADD + SUB - op, (x, y)
    return write_form(notation, notation.forms[op], pieces, node, *name)


def _product(op: int, x: Piece, y: Piece) -> TextProduct:
    """x·y or x/y. x·x doubles the power of a single factor, and squares anything else as a whole. The second of two
    numbers that cannot be joined exactly, and a quotient below the line, stay in parentheses."""
    p, q = (z.product or TextProduct(over=((z, 1),)) for z in (x, y))
    if op == MUL and x.node == y.node:
        base, power = p.over[0] if p.number == 1 and not p.under and len(p.over) == 1 else (x, 1)
        return TextProduct(over=((base, 2 * power),))
    exact = not isinstance(p.number, float) and not isinstance(q.number, float)
    if op == MUL:
        if p.number != 1 and q.number != 1 and not exact:
            q = TextProduct(over=((y, 1),))
        number = p.number if q.number == 1 else q.number if p.number == 1 else p.number * q.number
        return TextProduct(number, _joined(p.over, q.over), _joined(p.under, q.under))
    if q.under or q.number == 0 or not (q.number == 1 or exact):
        q = TextProduct(over=((y, 1),))
    number = p.number if q.number == 1 else Fraction(p.number) / Fraction(q.number)
    return TextProduct(number, p.over, _joined(p.under, q.over))


def _joined(x: Factors, y: Factors) -> Factors:
    powers = {p.node: (p, n) for p, n in x}
    for p, n in y:
        powers[p.node] = (p, n + powers[p.node][1]) if p.node in powers else (p, n)
    return tuple(powers.values())


def _write_product(notation: Notation, product: TextProduct, node: Node) -> Piece:
    """The product in one line: numbers, parameters, then other factors; names before functions before sums."""

    def order(factor: tuple[Piece, int]) -> tuple[bool, int, int]:
        piece, _ = factor
        rank = 0 if piece.levels == 0 else 1 if piece.hold >= POWER else 2
        return not piece.constant, rank, piece.node if notation.share else 0

    def side(number: Number, factors: Factors) -> Piece:
        pieces = [write_number(notation, number)] if number != 1 or not factors else []
        for base, power in sorted(factors, key=order):
            raised = (base, write_number(notation, power))
            pieces.append(base if power == 1 else write_form(notation, notation.forms[POW], raised))
        if len(pieces) == 1:
            return pieces[0]
        text = notation.join([p.text if p.hold >= POWER else notation.group.write(p.text) for p in pieces])
        return Piece(text, NONE, PRODUCT, 1 + max(p.levels for p in pieces), all(p.constant for p in pieces))

    number = -product.number if product.number < 0 else product.number
    above, below = (number, 1) if isinstance(number, float) else (number.numerator, number.denominator)
    whole = side(above, product.over)
    if below != 1 or product.under:
        whole = write_form(notation, notation.forms[DIV], (whole, side(below, product.under)))
    if product.number < 0:
        whole = write_form(notation, notation.forms[NEG], (whole,))
    return replace(whole, node=node, product=product)
