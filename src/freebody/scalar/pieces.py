"""Pieces of text on their way into an expression: single operations, sums, and products gathered from their factors.

A product is kept as number · Π over / Π under, so that the graph's (1/12)·(m·(l·l)) is written m*l**2/12.
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
    product: "Product | None" = None


Factors = tuple[tuple[Piece, int], ...]  # pieces and their powers


@dataclass(slots=True)
class Product:
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
    return Piece(text, node, hold, product=Product(number))


def write(notation: Notation, form: Form, pieces: Sequence[Piece], node: int = -1, *before: str) -> Piece:
    """An operation in its form; ``before`` is the function's name, which the forms of TABLE and CALL get first."""
    needed = [(p, form.needs[k] if k < len(form.needs) else ANY) for k, p in enumerate(pieces)]
    texts = [wrap(notation, p, need) for p, need in needed]
    levels = max(p.levels + _deeper(form, p, need) for p, need in needed)
    return Piece(form.write(*before, *texts), node, form.hold, levels, all(p.constant for p in pieces))


def wrap(notation: Notation, piece: Piece, need: int) -> str:
    """The text of a piece where it must hold as tightly as ``need``."""
    return piece.text if piece.hold >= need else notation.group.write(piece.text)


def _deeper(form: Form, piece: Piece, need: int) -> bool:
    """A term of a sum, or a factor of a product, that is one itself adds no level to it."""
    return not (form.hold in (SUM, PRODUCT) and piece.hold == form.hold >= need)


def write_sum(notation: Notation, op: int, x: Piece, y: Piece, node: int) -> Piece:
    """x ± y. A minus sign that y starts with is taken out: a + (−b) is written a - b."""
    opened = y.hold == NEGATIVE or (op == ADD and y.hold == SUM and y.text.startswith(notation.minus))
    if opened:
        op, y = ADD + SUB - op, replace(y, text=y.text.removeprefix(notation.minus), hold=PRODUCT)
    return write(notation, notation.forms[op], (x, y), node)


def multiply(x: Piece, y: Piece) -> Product:
    """x·y; of two numbers that cannot be joined exactly the second stays in parentheses."""
    if x.node == y.node:
        return _square(x)
    p, q = _product(x), _product(y)
    if p.number != 1 and q.number != 1 and not (p.exact and q.exact):
        q = Product(over=((y, 1),))
    number = p.number if q.number == 1 else q.number if p.number == 1 else p.number * q.number
    return Product(number, _joined(p.over, q.over), _joined(p.under, q.under))


def divide(x: Piece, y: Piece) -> Product:
    """x/y; a quotient below the line stays in parentheses."""
    p, q = _product(x), _product(y)
    if q.under or q.number == 0 or not (q.number == 1 or (p.exact and q.exact)):
        q = Product(over=((y, 1),))
    number = p.number if q.number == 1 else Fraction(p.number) / Fraction(q.number)
    return Product(number, p.over, _joined(p.under, q.over))


def _product(x: Piece) -> Product:
    return x.product or Product(over=((x, 1),))


def _square(x: Piece) -> Product:
    """x·x: the power of a single factor doubles, anything else is squared as a whole."""
    p = _product(x)
    if p.number != 1 or p.under or len(p.over) != 1:
        return Product(over=((x, 2),))
    base, power = p.over[0]
    return Product(over=((base, 2 * power),))


def _joined(x: Factors, y: Factors) -> Factors:
    powers = {p.node: (p, n) for p, n in x}
    for p, n in y:
        powers[p.node] = (p, n + powers[p.node][1]) if p.node in powers else (p, n)
    return tuple(powers.values())


def write_product(notation: Notation, product: Product, node: int) -> Piece:
    """The product in one line: numbers, then parameters, then the rest; names before functions before sums."""
    number = -product.number if product.number < 0 else product.number
    above, below = (number, 1) if isinstance(number, float) else (number.numerator, number.denominator)
    whole = _side(notation, above, product.over)
    if below != 1 or product.under:
        whole = write(notation, notation.forms[DIV], (whole, _side(notation, below, product.under)))
    if product.number < 0:
        whole = write(notation, notation.forms[NEG], (whole,))
    return replace(whole, node=node, product=product)


def _side(notation: Notation, number: Number, factors: Factors) -> Piece:
    """What stands above or below the line."""
    pieces = [write_number(notation, number)] if number != 1 or not factors else []
    pieces += [_power(notation, p, n) for p, n in sorted(factors, key=_order if notation.share else _rank)]
    if len(pieces) == 1:
        return pieces[0]
    text = notation.join([wrap(notation, p, POWER) for p in pieces])
    return Piece(text, -1, PRODUCT, 1 + max(p.levels for p in pieces), all(p.constant for p in pieces))


def _power(notation: Notation, base: Piece, power: int) -> Piece:
    return base if power == 1 else write(notation, notation.forms[POW], (base, write_number(notation, power)))


def _order(factor: tuple[Piece, int]) -> tuple[bool, int, int]:
    return *_rank(factor), factor[0].node


def _rank(factor: tuple[Piece, int]) -> tuple[bool, int]:
    piece, _ = factor
    return not piece.constant, 0 if piece.levels == 0 else 1 if piece.hold >= POWER else 2
