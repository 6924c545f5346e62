"""What a text must be before Python's parser sees it: known tokens in a possible order, and sizes within limits."""

import ast
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from keyword import kwlist

from freebody.errors import ParseError

LENGTH = 20_000  # characters
NESTING = 100  # brackets in brackets; signs, nots and powers in a row; conditions in a row; dots in a name
DEPTH = 2_200  # operations one inside another: a sum of n terms is n − 1 deep
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


@dataclass(frozen=True, slots=True)
class Token:
    """A number, a (dotted) name or a sign; the words and, or, not, if, else are signs."""

    kind: str
    word: str
    column: int


@dataclass(slots=True)
class Level:
    """What is between two brackets, as far as it is read."""

    column: int
    call: bool
    sums: int = 0  # binary + and −
    run: int = 0  # other operators since the last of these
    longest: int = 0  # the longest such run
    row: int = 0  # signs, nots and powers in a row
    conditions: int = 0
    inner: int = 0  # the height of the tallest bracket inside

    def settle(self) -> None:
        """End the run of operators."""
        self.longest, self.run, self.row = max(self.longest, self.run), 0, 0

    @property
    def height(self) -> int:
        """How many operations are at most one inside another."""
        return self.sums + max(self.longest, self.run) + self.inner


def tree(text: str) -> ast.expr:
    """Python's syntax tree of the text, whose columns are one more than the text's; nothing is evaluated."""
    check(text)
    line = re.sub(_SPACE, " ", text)
    try:
        return ast.parse(f"({line})", mode="eval").body
    except SyntaxError as error:
        raise ParseError(f"this is no expression: {error.msg}", text, (error.offset or 2) - 2) from None
    except (RecursionError, MemoryError, ValueError):
        raise ParseError("the expression is too deep for Python's parser: give it in parts", text, 0) from None


def check(text: str) -> None:
    """Refuse a text that is too long or too deep, or that has foreign or misplaced tokens."""
    if len(text) > LENGTH:
        raise ParseError(f"the text has {len(text)} characters, more than {LENGTH}: give it in parts", text, LENGTH)
    order = _Order(text)
    for token in tokens(text):
        order.take(token)
    order.end()


@cache
def _token() -> re.Pattern[str]:
    """Compiled when the first text is read: it takes a tenth of the time that importing the library takes."""
    return re.compile(
        rf"(?P<space>{_SPACE}+)"
        r"|(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
        rf"|(?P<name>{_NAME}(?:{_SPACE}*\.{_SPACE}*{_NAME})*)"
        r"|(?P<sign>\*\*|<=|>=|==|!=|[-+*/<>(),])"
    )


def tokens(text: str) -> Iterator[Token]:
    """The text cut into tokens; a character that belongs to none is an error."""
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
    if sum(map(str.isdigit, word)) > DIGITS:
        raise ParseError(f"a number has more than {DIGITS} digits: round it", text, column)
    if word.isdigit() and word.lstrip("0") not in ("", word):
        raise ParseError(f"{short(word)} starts with zeros: leave them out", text, column)
    after = text[column + len(word) : column + len(word) + 1]
    if after.isidentifier():
        raise ParseError(f"{word} runs into {after!r}: write * or a space between", text, column + len(word))


def _check_name(text: str, word: str, column: int) -> None:
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
    """The error for a character that is in no expression."""
    c = text[column]
    shown = f"'{c}'" if c.isascii() and c.isprintable() else f"{c!r} ({unicodedata.name(c, 'unnamed')})"
    hint = _HINTS.get(c, "use names, numbers, + - * / ** and brackets")
    return ParseError(f"{shown} has no meaning in an expression: {hint}", text, column)


class _Order:
    """Whether operands and operators follow each other as they can, and how deep they go."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.levels = [Level(0, False)]
        self.wanted = True  # an operand must come next
        self.last = Token("sign", "", 0)

    def take(self, token: Token) -> None:
        """The next token in its place."""
        if token.kind != "sign":
            self.operand(token)
        elif token.word == "(":
            self.open(token)
        elif token.word in (")", ","):
            self.close(token)
        elif self.wanted or token.word == "not":
            self.prefix(token)
        else:
            self.infix(token)
        self.last = token

    def operand(self, token: Token) -> None:
        if not self.wanted:
            raise self.error(f"an operator is missing before {short(token.word)}", token.column)
        self.wanted = False

    def open(self, token: Token) -> None:
        call = not self.wanted and self.last.kind == "name"
        if not self.wanted and not call:
            raise self.error("an operator is missing before '('", token.column)
        if len(self.levels) > NESTING:
            raise self.error(f"brackets go more than {NESTING} deep: give it in parts", token.column)
        self.levels.append(Level(token.column, call))
        self.wanted = True

    def close(self, token: Token) -> None:
        """The end of an argument or of a bracket."""
        level = self.levels[-1]
        if self.wanted:
            raise self.error(f"something is missing before '{token.word}'", token.column)
        if token.word == ",":
            if not level.call:
                raise self.error("',' stands only between the arguments of a function", token.column)
            level.settle()
            level.conditions = 0
            self.wanted = True
            return
        if len(self.levels) == 1:
            raise self.error("')' closes nothing: there is no '(' before it", token.column)
        self.levels.pop()
        self.levels[-1].inner = max(self.levels[-1].inner, level.height + 1)
        self.measure(token)

    def prefix(self, token: Token) -> None:
        if not self.wanted:
            raise self.error(f"an operator is missing before '{token.word}'", token.column)
        if token.word not in ("+", "-", "not"):
            raise self.error(f"something is missing before '{token.word}'", token.column)
        self.levels[-1].run += 1
        self.levels[-1].row += 1
        self.measure(token)

    def infix(self, token: Token) -> None:
        level = self.levels[-1]
        row = level.row + 1 if token.word == "**" else 0
        if token.word in ("+", "-", "and", "or"):
            level.settle()
            level.sums += token.word in ("+", "-")
        else:
            level.run += 1
        level.row = row
        level.conditions += token.word == "if"
        self.wanted = True
        self.measure(token)

    def measure(self, token: Token) -> None:
        level = self.levels[-1]
        if max(level.row, level.conditions) > NESTING:
            raise self.error(f"over {NESTING} signs, powers or conditions in a row: give it in parts", token.column)
        if level.height > DEPTH:
            raise self.error(f"over {DEPTH} operations are one inside another: give it in parts", token.column)

    def end(self) -> None:
        """Nothing may be left open."""
        if len(self.levels) > 1:
            raise self.error("'(' is never closed", self.levels[-1].column)
        if self.wanted:
            ends = "the text ends where something must follow" if self.last.word else "the text is empty"
            raise self.error(f"{ends}: give an expression such as m*l**2/12", len(self.text))

    def error(self, message: str, column: int) -> ParseError:
        return ParseError(message, self.text, column)


def short(word: str) -> str:
    """A word in quotes for an error, cut if it is long."""
    return repr(word if len(word) <= 40 else word[:39] + "…")
