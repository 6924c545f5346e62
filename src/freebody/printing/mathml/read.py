r"""The LaTeX notation (``scalar/tex.py``) read back into MathML elements.

That notation is a small closed language: names with subscripts and primes, numbers, \frac, \sqrt, \left … \right,
functions, cases, and escaped \text. Here each of its words has its line in a table, and nothing else is let through.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from html import escape

from freebody.scalar import tex

TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\s+|.", re.DOTALL)
TIMES = '<mo lspace="0" rspace=".14em">&#x2062;</mo>'  # not seen, but spoken
APPLY = "<mo>&#x2061;</mo>"
OPERATORS = {"+": "+", "-": "−", "=": "=", "<": "&lt;", ",": ",", r"\cdot": "·", r"\leq": "≤", r"\neq": "≠"}
FENCES = {"(": "(", ")": ")", "[": "[", "]": "]", "|": "|", r"\lfloor": "⌊", r"\rfloor": "⌋"}
WORDS = ("sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "exp", "ln", "min", "max")
FUNCTIONS = {f"\\{word}": word for word in WORDS}
DOTS = {r"\dot": ".", r"\ddot": ".."}
COMBINING = {"dot": "\u0307", "ddot": "\u0308"}


def greek(word: str) -> str:
    """The letter of a LaTeX name."""
    size = "CAPITAL" if word[0].isupper() else "SMALL"
    return unicodedata.lookup(f"GREEK {size} LETTER {word.upper().replace('LAMBDA', 'LAMDA')}")


LETTERS = {f"\\{w}": greek(w) for w in tex.GREEK} | {r"\infty": "∞", r"\dots": "…"}

_SPECIAL = {escaped: letter for letter, escaped in tex.SPECIAL.items()}
_ESCAPED = re.compile(
    "|".join(map(re.escape, sorted(_SPECIAL, key=len, reverse=True)))
    + r"|\$\\(?P<dots>d?dot)\{(?:\\text\{(?P<any>.)\}|(?P<letter>\\?\w+))\}\$|\$(?P<greek>\\\w+)\$"
)


def plain(text: str) -> str:
    """What ``tex.escape`` was given."""
    return _ESCAPED.sub(_character, text)


def _character(found: re.Match[str]) -> str:
    if found[0] in _SPECIAL:
        return _SPECIAL[found[0]]
    if found["greek"]:
        return LETTERS[found["greek"]]
    letter = found["any"] or LETTERS.get(found["letter"], found["letter"])
    return unicodedata.normalize("NFC", letter + COMBINING[found["dots"]])


def markup(formula: str) -> str:
    """A formula as MathML: one element, or for a sum one for each term, so that a browser may break the line there."""
    terms: list[list[str]] = [[]]
    for piece in Reader(formula).row():
        if piece in ("<mo>+</mo>", "<mo>−</mo>") and terms[-1]:
            terms.append([piece.replace("<mo>", '<mo form="infix" lspace=".22em" rspace=".22em">')])
        else:
            terms[-1].append(piece)
    return "<wbr>".join(f"<math>{''.join(t)}</math>" for t in terms)


def names(formula: str) -> list[str]:
    """The names a formula uses, as the notation writes them."""
    reader = Reader(formula)
    reader.row()
    return reader.names


class Reader:
    """One pass through a formula; the notation bounds its depth, and so the recursion."""

    def __init__(self, formula: str) -> None:
        self.tokens: Sequence[str] = TOKEN.findall(formula)
        self.at, self.names, self._inside = 0, list[str](), 0

    def row(self, *ends: str) -> list[str]:
        """Elements until one of the ends, which stays unread."""
        made, operand, spaced = [], False, False
        while self.at < len(self.tokens) and self.tokens[self.at] not in ends:
            token = self.tokens[self.at]
            if token.isspace():
                self.at, spaced = self.at + 1, True
                continue
            if token in OPERATORS:
                made.append(f"<mo>{OPERATORS[self._next()]}</mo>")
            else:
                made += [TIMES if spaced else APPLY] if operand else []
                made.append(self._scripted())
            operand, spaced = token not in OPERATORS, False
        return made

    def _next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def _take(self, token: str) -> bool:
        """Go past a token if it comes next."""
        found = self.at < len(self.tokens) and self.tokens[self.at] == token
        self.at += found
        return found

    def _group(self) -> str:
        """{…}"""
        self._take("{")
        made = self.row("}")
        self._take("}")
        return made[0] if len(made) == 1 else f"<mrow>{''.join(made)}</mrow>"

    def _raw(self) -> str:
        """{…} as it stands."""
        self._take("{")
        start, depth = self.at, 1
        while depth:
            token = self._next()
            depth += (token == "{") - (token == "}")
        return "".join(self.tokens[start : self.at - 1])

    def _scripted(self) -> str:
        """An element with what stands below and above it."""
        start = self.at
        base, named = self._base()
        below = self._below() if self._take("_") else ""
        primes = 0
        while self._take("'"):
            primes += 1
        if named and not self._inside:
            self.names.append("".join(self.tokens[start : self.at]))
        above = "<mo>′</mo>" * primes + (self._group() if self._take("^") else "")
        return _with_scripts(base, below, above)

    def _below(self) -> str:
        self._inside += 1
        made = self._group()
        self._inside -= 1
        return made

    def _base(self) -> tuple[str, bool]:
        """The next element without scripts, and whether a name begins with it."""
        token = self._next()
        if token[0].isdigit():
            return f"<mn>{token}</mn>", False
        if token.isalpha() or token in LETTERS:
            return f"<mi>{LETTERS.get(token, token)}</mi>", True
        if token in FUNCTIONS:
            return f"<mi>{FUNCTIONS[token]}</mi>", False
        return _COMMANDS[token](self), token in (r"\mathrm", r"\text", *DOTS)

    def _upright(self) -> str:
        word = escape(self._raw())
        return f"<mi>{word}</mi>" if len(word) > 1 else f'<mi mathvariant="normal">{word}</mi>'

    def _text(self) -> str:
        return f"<mtext>{escape(plain(self._raw()))}</mtext>"

    def _dotted(self) -> str:
        dots = DOTS[self.tokens[self.at - 1]]
        return f'<mover>{self._below()}<mo lspace="0" rspace="0" scriptlevel="0">{dots}</mo></mover>'

    def _word(self) -> str:
        r"""& \text{…}, as it stands between a case and its condition."""
        while self._next() != r"\text":
            pass
        return self._text()

    def _fenced(self) -> str:
        opened = FENCES[self._next()]
        made = self.row(r"\right")
        self._next()
        return f"<mrow><mo>{opened}</mo>{''.join(made)}<mo>{FENCES[self._next()]}</mo></mrow>"

    def _cases(self) -> str:
        """A row for each case: the value, then a word and the condition."""
        self._raw()
        rows = []
        while not self._take(r"\end"):
            value = "".join(self.row("&"))
            word = self._word()
            condition = "".join(self.row(r"\\", r"\end"))
            rows.append(f"<mtr><mtd>{value}</mtd><mtd>{word}{condition}</mtd></mtr>")
            self._take(r"\\")
        self._raw()
        return f'<mrow><mo>{{</mo><mtable columnalign="left">{"".join(rows)}</mtable></mrow>'


_COMMANDS: dict[str, Callable[[Reader], str]] = {
    r"\frac": lambda r: f"<mfrac>{r._group()}{r._group()}</mfrac>",
    r"\sqrt": lambda r: f"<msqrt>{r._group()}</msqrt>",
    r"\left": Reader._fenced,
    r"\begin": Reader._cases,
    r"\text": Reader._text,
    r"\mathrm": Reader._upright,
    r"\operatorname": Reader._upright,
    r"\dot": Reader._dotted,
    r"\ddot": Reader._dotted,
}


def _with_scripts(base: str, below: str, above: str) -> str:
    if above.startswith("<mo>"):
        above = f"<mrow>{above}</mrow>"
    if below and above:
        return f"<msubsup>{base}{below}{above}</msubsup>"
    if below or above:
        return f"<msub>{base}{below}</msub>" if below else f"<msup>{base}{above}</msup>"
    return base
