"""The tokens of an expression given as text: numbers, names, operators and brackets, with limits on their size."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from keyword import kwlist
from typing import NamedTuple

from freebody.errors import ParseError

LENGTH = 20_000  # characters
NESTING = 100  # brackets, signs, powers and conditions inside each other; dots in a name
DIGITS = 40  # in one number, its exponent included

_SPACE = r"[ \t\r\n\f]"
_LETTER = r"[A-Za-z_\x80-\U0010ffff]"
_NAME = rf"{_LETTER}(?:{_LETTER}|[0-9])*"
_WORDS = frozenset(("and", "or", "not", "if", "else"))
_RESERVED = frozenset(kwlist)
_HINTS = {
    "^": "write ** for a power",
    "=": "write == to compare",
    "!": "write 'not', or != to compare",
    "~": "write 'not'",
    "&": "write 'and'",
    "|": "write 'or'",
    "%": "write x - m*floor(x/m) for a remainder",
    "'": "write names without quotes",
    '"': "write names without quotes",
    "[": "use round brackets",
    "{": "use round brackets",
    ".": "a dot stands inside a number or between the parts of a name",
    "True": "write 1",
    "False": "write 0",
}


class Token(NamedTuple):
    """A number, a (dotted) name or a sign; the words and, or, not, if, else are signs."""

    kind: str
    word: str
    column: int


@cache
def _token() -> re.Pattern[str]:
    """The pattern of a token, compiled on first use: that takes a tenth of the time of importing the library."""
    return re.compile(
        rf"(?P<space>{_SPACE}+)"
        r"|(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
        rf"|(?P<name>{_NAME}(?:{_SPACE}*\.{_SPACE}*{_NAME})*)"
        r"|(?P<sign>\*\*|<=|>=|==|!=|[-+*/<>(),])"
    )


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text; raises a ParseError at a character that belongs to none."""
    if len(text) > LENGTH:
        raise ParseError(f"the text has {len(text)} characters, more than {LENGTH}: give it in parts", text, LENGTH)
    column, token = 0, _token()
    while column < len(text):
        match = token.match(text, column)
        if match is None:
            raise _foreign(text, column)
        kind, word = match.lastgroup, match.group()
        if kind == "number":
            _check_number(text, word, column)
        elif kind == "name" and word not in _WORDS:
            _check_name(text, word, column)
        if kind != "space":
            yield Token("sign" if word in _WORDS else str(kind), word, column)
        column = match.end()


def _check_number(text: str, word: str, column: int) -> None:
    if len(word) > DIGITS and sum(map(str.isdigit, word)) > DIGITS:
        raise ParseError(f"a number has more than {DIGITS} digits: round it", text, column)
    if word[0] == "0" and word.isdigit() and word.lstrip("0"):
        raise ParseError(f"{short(word)} starts with zeros: leave them out", text, column)
    after = text[column + len(word) : column + len(word) + 1]
    if after.isidentifier():
        raise ParseError(f"{word} runs into {after!r}: write * or a space between", text, column + len(word))


def _check_name(text: str, word: str, column: int) -> None:
    if word.isascii() and word.isidentifier() and word not in _RESERVED:
        return
    if word.count(".") > NESTING:
        raise ParseError(f"a name has more than {NESTING} dots", text, column)
    for part in re.finditer(_NAME, word):
        start = column + part.start()
        if not part.group().isidentifier():
            wrong = (k for k, c in enumerate(part.group()) if not f"a{c}".isidentifier())
            raise _foreign(text, start + next(wrong, 0))
        if unicodedata.normalize("NFKC", part.group()) in _RESERVED:
            hint = _HINTS.get(part.group(), "use another name")
            raise ParseError(f"{part.group()!r} is a reserved word and cannot be a name: {hint}", text, start)


def _foreign(text: str, column: int) -> ParseError:
    """The error for a character that no token has."""
    c = text[column]
    shown = f"'{c}'" if c.isascii() and c.isprintable() else f"{c!r} ({unicodedata.name(c, 'unnamed')})"
    hint = _HINTS.get(c, "use names, numbers, + - * / ** and brackets")
    return ParseError(f"{shown} has no meaning in an expression: {hint}", text, column)


def short(word: str) -> str:
    """A word in quotes for an error text, cut if it is long."""
    return repr(word if len(word) <= 40 else word[:39] + "…")
