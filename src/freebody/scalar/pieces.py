"""Texts of operations, sums and products, from the texts of their operands.

A product is stored as number · Π over / Π under, so that the graph's (1/12)·(m·(l·l)) is written m*l**2/12.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from freebody.scalar.notation import ANY, ATOM, NEGATIVE, POWER, PRODUCT, SUM, Form, Notation
from freebody.scalar.numbers import Number
from freebody.scalar.ops import ADD, DIV, NEG, POW, SUB


@dataclass(slots=True)
class Piece:
    """The text of a node: how tightly it holds, how many levels deep it is, whether parameters alone decide it."""

    text: str
    node: int = -1
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

    @property
    def exact(self) -> bool:
        return not isinstance(self.number, float)


def write_number(notation: Notation, value: Number, node: int = -1) -> Piece:
    """A number, in the notation's best form."""
    number = notation.tidy(value)
    text = notation.number(number)
    if text.startswith(notation.minus):
        hold = NEGATIVE
    else:
        hold = ATOM if notation.atomic(text) else PRODUCT if isinstance(number, Fraction) else POWER
    return Piece(text, node, hold, product=TextProduct(number))


def write(notation: Notation, form: Form, pieces: Sequence[Piece], node: int = -1, *before: str) -> Piece:
    """An operation in its form; ``before`` is the function's name, which the forms of TABLE and CALL get first."""
    needed = [(p, form.needs[k] if k < len(form.needs) else ANY) for k, p in enumerate(pieces)]
    texts = [wrap(notation, p, need) for p, need in needed]
    joins = form.hold in (SUM, PRODUCT)  # a sum in a sum, or a product in a product, adds no level
    levels = max(p.levels + (not (joins and p.hold == form.hold >= need)) for p, need in needed)
    return Piece(form.write(*before, *texts), node, form.hold, levels, all(p.constant for p in pieces))


def wrap(notation: Notation, piece: Piece, need: int) -> str:
    """The text of a piece where it must hold as tightly as ``need``."""
    return piece.text if piece.hold >= need else notation.group.write(piece.text)


def write_sum(notation: Notation, op: int, x: Piece, y: Piece, node: int) -> Piece:
    """x ± y. A minus sign that y starts with is taken out: a + (−b) is written a - b."""
    if y.hold == NEGATIVE or (op == ADD and y.hold == SUM and y.text.startswith(notation.minus)):
        op, y = ADD + SUB - op, replace(y, text=y.text.removeprefix(notation.minus), hold=PRODUCT)
    return write(notation, notation.forms[op], (x, y), node)


def multiply(x: Piece, y: Piece) -> TextProduct:
    """x·y; of two numbers that cannot be joined exactly the second stays in parentheses. x·x doubles the power of a
    single factor, and squares anything else as a whole."""
    p, q = _product(x), _product(y)
    if x.node == y.node:
        single = p.number == 1 and not p.under and len(p.over) == 1
        base, power = p.over[0] if single else (x, 1)
        return TextProduct(over=((base, 2 * power),))
    if p.number != 1 and q.number != 1 and not (p.exact and q.exact):
        q = TextProduct(over=((y, 1),))
    number = p.number if q.number == 1 else q.number if p.number == 1 else p.number * q.number
    return TextProduct(number, _joined(p.over, q.over), _joined(p.under, q.under))


def divide(x: Piece, y: Piece) -> TextProduct:
    """x/y; a quotient below the line stays in parentheses."""
    p, q = _product(x), _product(y)
    if q.under or q.number == 0 or not (q.number == 1 or (p.exact and q.exact)):
        q = TextProduct(over=((y, 1),))
    number = p.number if q.number == 1 else Fraction(p.number) / Fraction(q.number)
    return TextProduct(number, p.over, _joined(p.under, q.over))


def _product(x: Piece) -> TextProduct:
    return x.product or TextProduct(over=((x, 1),))


def _joined(x: Factors, y: Factors) -> Factors:
    powers = {p.node: (p, n) for p, n in x}
    for p, n in y:
        powers[p.node] = (p, n + powers[p.node][1]) if p.node in powers else (p, n)
    return tuple(powers.values())


def write_product(notation: Notation, product: TextProduct, node: int) -> Piece:
    """The product in one line: numbers, parameters, then other factors; names before functions before sums."""
    number = -product.number if product.number < 0 else product.number
    above, below = (number, 1) if isinstance(number, float) else (number.numerator, number.denominator)
    whole = _side(notation, above, product.over)
    if below != 1 or product.under:
        whole = write(notation, notation.forms[DIV], (whole, _side(notation, below, product.under)))
    if product.number < 0:
        whole = write(notation, notation.forms[NEG], (whole,))
    return replace(whole, node=node, product=product)


def _side(notation: Notation, number: Number, factors: Factors) -> Piece:
    """Numerator or denominator."""

    def order(factor: tuple[Piece, int]) -> tuple[bool, int, int]:
        piece, _ = factor
        rank = 0 if piece.levels == 0 else 1 if piece.hold >= POWER else 2
        return not piece.constant, rank, piece.node if notation.share else 0

    pieces = [write_number(notation, number)] if number != 1 or not factors else []
    for base, power in sorted(factors, key=order):
        raised = (base, write_number(notation, power))
        pieces.append(base if power == 1 else write(notation, notation.forms[POW], raised))
    if len(pieces) == 1:
        return pieces[0]
    text = notation.join([wrap(notation, p, POWER) for p in pieces])
    return Piece(text, -1, PRODUCT, 1 + max(p.levels for p in pieces), all(p.constant for p in pieces))
