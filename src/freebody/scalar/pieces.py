"""Pieces of text on their way to an expression: what is inlined, and products gathered from their factors."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from freebody.scalar.notation import ATOM, DIVIDE, NEGATIVE, POWER, PRODUCT, SUM, Form, Notation
from freebody.scalar.numbers import Number
from freebody.scalar.ops import DIV, POW


@dataclass(frozen=True, slots=True)
class Piece:
    """The text of one node: how tightly it holds, how many levels deep it is, whether parameters alone decide it."""

    text: str
    node: int = -1
    hold: int = ATOM
    levels: int = 0
    constant: bool = True
    comparison: bool = False
    product: "Product | None" = None


Factors = tuple[tuple[Piece, int], ...]  # pieces and their powers


@dataclass(frozen=True, slots=True)
class Product:
    """number · Π over / Π under."""

    number: Number = 1
    over: Factors = ()
    under: Factors = ()

    @property
    def exact(self) -> bool:
        return not isinstance(self.number, float)


def number_piece(notation: Notation, value: Number, node: int = -1) -> Piece:
    """A number, in the notation's best form."""
    number = notation.tidy(value)
    text = notation.number(number)
    simple = text.replace(".", "").isalnum()
    hold = ATOM if simple else NEGATIVE if text.startswith("-") else PRODUCT
    return Piece(text, node, hold, product=Product(number))


def wrap(notation: Notation, piece: Piece, need: int) -> str:
    """The text of a piece where it must hold as tightly as ``need``."""
    return piece.text if piece.hold >= need else notation.group.write(piece.text)


def write(notation: Notation, form: Form, pieces: Sequence[Piece], node: int = -1) -> Piece:
    """An operation written by its form."""
    texts = [wrap(notation, p, need) for p, need in zip(pieces, form.needs, strict=False)]
    levels = 1 + max(p.levels for p in pieces)
    return Piece(form.write(*texts), node, form.hold, levels, all(p.constant for p in pieces))


def add(notation: Notation, form: Form, opposite: Form, x: Piece, y: Piece, node: int) -> Piece:
    """x ± y, where a minus sign that y starts with turns the operation into its opposite."""
    turned = y.text.startswith("-") and (y.hold == NEGATIVE or form.needs[1] <= SUM)
    ...
