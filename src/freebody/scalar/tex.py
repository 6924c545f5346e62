r"""LaTeX: its notation, and escaping of names and comments.

Names follow the habits of the field: ``q1`` is q₁, ``omega_2`` ω₂, ``u_dot`` and ``u̇`` are \dot{u}, ``bus.x`` is x of
the bus, ``q.arm`` and ``u_dot.arm`` are q and u̇ with the index arm, ``M[1, 0]`` is M₁,₀. Any other name
is put in \text{}, escaped.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from freebody.scalar import notation, ops
from freebody.scalar.notation import ANY, ATOM, CHOICE, COMPARE, NEGATIVE, POWER, PRODUCT, SUM, OperationForm, form
from freebody.scalar.numbers import Number

CAPITAL = "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
SMALL = "alpha beta epsilon zeta eta iota kappa mu nu rho tau chi"
GREEK = frozenset(f"{CAPITAL} {CAPITAL.lower()} {SMALL}".split())
DOTS = {"dot": r"\dot", "ddot": r"\ddot", "\u0307": r"\dot", "\u0308": r"\ddot"}
SPECIAL = {
    "\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}",
    ">": r"\textgreater{}", **{c: f"\\{c}" for c in "{}$&#_%"},
    "−": "$-$", "·": r"$\cdot$", "×": r"$\times$", "∂": r"$\partial$", "²": "$^{2}$", "³": "$^{3}$", "½": r"$\tfrac12$",
}  # fmt: skip


def escape(text: str) -> str:
    """Any text as LaTeX text on one line: nothing in it is a command; Greek and dotted letters become mathematics."""
    line = " ".join("".join(c if c.isprintable() else " " for c in _dotted(text)).split())

    def character(match: re.Match[str]) -> str:
        letter, dots = match.groups()
        if dots and letter.isalpha():
            return f"${DOTS[dots]}{{{_letters(letter)}}}$"
        return f"${_letters(letter)}$" if greek(letter) else SPECIAL.get(letter, letter)

    return re.sub("(.)([\u0307\u0308]?)", character, line)


def _dotted(text: str) -> str:
    """Letters with a dot as letter and dot; other accents stay."""
    parts = ((c, unicodedata.normalize("NFD", c)) for c in unicodedata.normalize("NFC", text))
    return "".join(apart if apart[1:] == "\u0307" else c for c, apart in parts)


def remark(description: str) -> str:
    """A description behind a line of an alignment."""
    return rf" && \text{{{escape(description)}}}" if description else ""


_WORD = "[^\\W_]+[\u0307\u0308]?\\d*"
_NAME = re.compile(rf"((?:{_WORD}(?:_{_WORD})*\.)*)({_WORD}(?:_{_WORD})*)(?:\[([A-Za-z\d,*+ -]+)\])?('*)")
_OF_A_COORDINATE = re.compile(r"(q|u|tau|[quz]_dot)\.(.+)")


class Index(str):
    """The index of an array's element, such as ``1, 0`` or ``6*j2 + 1``."""


@dataclass(frozen=True)
class NameParts:
    """The parts of a name that are written: letters, dots above them, subscripts, primes. ``text`` says that the
    letters are any text, which follows no rule."""

    letters: str
    dots: str = ""
    below: tuple["NameParts | Index", ...] = ()
    primes: int = 0
    text: bool = False


def read_name(raw: str) -> NameParts:
    """The parts of a name."""
    if coordinate := _OF_A_COORDINATE.fullmatch(raw):
        return replace(read_name(coordinate[1]), below=tuple(read_name(x) for x in coordinate[2].split(".") if x))
    match = _NAME.fullmatch(_dotted(raw))
    if not match or raw[0].isdigit():
        return NameParts(raw, text=True)
    owners, last, index, primes = match.groups(default="")
    head, *below = last.split("_")
    dots = below.pop() if below and below[-1] in ("dot", "ddot") else ""
    first = word_name(head)
    subscripts = [*first.below, *map(word_name, below), *([Index(index)] if index else [])]
    subscripts += [NameParts(owner) if "_" in owner else word_name(owner) for owner in owners.split(".") if owner]
    return NameParts(first.letters, first.dots or dots, tuple(subscripts), len(primes))


def word_name(word: str) -> NameParts:
    """A word with its number (or its axis, as in px and qw) as a subscript."""
    if match := re.fullmatch("([pqvw])([wxyz])", word):
        return NameParts(match[1], below=(NameParts(match[2]),))
    if match := re.fullmatch("([^\\W\\d_]+)([\u0307\u0308]?)(\\d*)", word):
        return NameParts(match[1], match[2], (NameParts(match[3]),) if match[3] else ())
    return NameParts(word)


def name(raw: str) -> str:
    """A name in mathematical mode."""
    return _written(read_name(raw))


def _written(part: NameParts | Index) -> str:
    if isinstance(part, Index):
        return re.sub(r"([A-Za-z])(\d+)", r"\1_{\2}", part).replace("*", " ")
    symbol = rf"\text{{{escape(part.letters)}}}" if part.text else _letters(part.letters)
    below = ",".join(map(_written, part.below))
    dotted = f"{DOTS[part.dots]}{{{symbol}}}" if part.dots else symbol
    return dotted + (f"_{{{below}}}" if below else "") + "'" * part.primes


def _letters(word: str) -> str:
    if letter := greek(word):
        return f"\\{letter}"
    if not (word.isascii() and word.isalnum()):
        return rf"\text{{{escape(word)}}}"
    return word if len(word) == 1 or word.isdecimal() else rf"\mathrm{{{word}}}"


def greek(word: str) -> str:
    """The LaTeX name of a Greek letter, given as such a name or as the letter; empty for anything else."""
    if word in GREEK:
        return word
    case, _, letter = (unicodedata.name(word, "") if len(word) == 1 else "").partition(" LETTER ")
    spelled = letter.lower() if case == "GREEK SMALL" else letter.capitalize() if case == "GREEK CAPITAL" else ""
    spelled = spelled.replace("amda", "ambda")
    return spelled if spelled in GREEK else ""


def number(value: Number) -> str:
    """Fractions as fractions, floats with their power of ten."""
    if value < 0:
        return f"-{number(-value)}"
    if isinstance(value, Fraction):
        return rf"\frac{{{value.numerator}}}{{{value.denominator}}}"
    mantissa, e, exponent = str(value).partition("e")
    if not e:
        return {"inf": r"\infty", "nan": r"\mathrm{NaN}"}.get(mantissa, mantissa)
    return (rf"{mantissa} \cdot " if mantissa != "1" else "") + rf"10^{{{int(exponent)}}}"


def join(factors: Sequence[str]) -> str:
    """Factors side by side, with a dot before a number."""
    return factors[0] + "".join((r" \cdot " if f[0] in "0123456789" else " ") + f for f in factors[1:])


def power(base: str, exponent: str) -> str:
    r"""xⁿ; the power of a sine stands where it is expected, \sin^{2}\left(x\right)."""
    function = re.match(r"\\(sin|cos|tan)(?=\\left\()", base)
    at = function.end() if function else len(base)
    return f"{base[:at]}^{{{exponent}}}{base[at:]}"


def _applied(function: str, *arguments: str) -> str:
    return rf"{function}\left({', '.join(arguments)}\right)"


FUNCTIONS = {
    ops.SIN: "sin", ops.COS: "cos", ops.TAN: "tan", ops.ASIN: "arcsin", ops.ACOS: "arccos", ops.ATAN: "arctan",
    ops.SINH: "sinh", ops.COSH: "cosh", ops.TANH: "tanh", ops.EXP: "exp", ops.LOG: "ln", ops.MIN: "min", ops.MAX: "max",
    ops.ATAN2: "atan2", ops.SIGN: "sign",
}  # fmt: skip
OTHERS = {"atan2": r"\operatorname{atan2}", "sign": r"\operatorname{sign}"}  # functions for which TeX has no command

LATEX = notation.Notation(
    {
        **{op: OperationForm(partial(_applied, OTHERS.get(word, f"\\{word}"))) for op, word in FUNCTIONS.items()},
        ops.ADD: form("@0 + @1", SUM, SUM, SUM),
        ops.SUB: form("@0 - @1", SUM, SUM, PRODUCT),
        ops.MUL: form("@0 @1", PRODUCT, PRODUCT, POWER),
        ops.DIV: form(r"\frac{@0}{@1}", PRODUCT),
        ops.NEG: form("-@0", NEGATIVE, PRODUCT),
        ops.POW: OperationForm(power, POWER, (ATOM, ANY)),
        ops.SQRT: form(r"\sqrt{@0}"),
        ops.ABS: form(r"\left|@0\right|"),
        ops.FLOOR: form(r"\left\lfloor @0 \right\rfloor"),
        ops.LT: form("@0 < @1", COMPARE, SUM, SUM),
        ops.LE: form(r"@0 \leq @1", COMPARE, SUM, SUM),
        ops.EQ: form("@0 = @1", COMPARE, SUM, SUM),
        ops.NE: form(r"@0 \neq @1", COMPARE, SUM, SUM),
        ops.WHERE: form(r"\begin{cases} @1 & \text{if } @0 \\ @2 & \text{otherwise} \end{cases}", CHOICE),
        ops.TABLE: OperationForm(_applied),
        ops.CALL: OperationForm(_applied),
    },
    number,
    name=name,
    group=form(r"\left(@0\right)"),
    gathered=True,
    join=join,
    truth=form(r"\left[@0\right]"),
    condition=form(r"@0 \neq 0", COMPARE, SUM),
    longest=240,
)
