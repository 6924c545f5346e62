"""Fortran as a target: valid identifiers and comments for any name, notation of operations, parts of a module."""

import math
import re
import textwrap
from collections.abc import Iterable, Sequence

from freebody.backends.ascii_text import ascii_text, spell
from freebody.backends.lines import literal
from freebody.scalar.numbers import Number

WIDTH = 120  # of a line
LONGEST = 50  # of an identifier, which may have 63 characters; numbers may follow
CHUNK_OF_DATA = 100
"""Numbers in one statement: a statement has at most 256 lines."""

# Intrinsic procedures that the code calls, names of kinds, our own helpers. Fortran has no reserved words otherwise.
_WORDS = """
abs acos aimag aint all allocated any asin atan atan2 char cmplx cos cosh count dble dim epsilon exp floor huge iachar
index int ior ishft kind len log log10 max maxval merge min minval mod modulo nearest nint not null pack present
product real shape sign sin sinh size spacing spread sqrt sum tan tanh tiny transfer transpose trim ubound verify
rk int32 int64 real32 real64 iso_fortran_env nan infinity
raised signum least most less less_equal equal not_equal choose whole
if do end else then call case select return exit cycle use module contains function subroutine integer logical
character type class implicit none data save parameter result interface import stop go to while where
"""
RESERVED = frozenset(_WORDS.split())


def identifier(name: str) -> str:
    """A Fortran identifier that reads like the name, in lower case, since Fortran does not tell cases apart."""
    word = re.sub(r"[^A-Za-z0-9]+", "_", spell(name.replace("'", "_prime"))).strip("_").lower()[:LONGEST].rstrip("_")
    return word if word[:1].isalpha() else f"n{word}"


def comment(text: str) -> str:
    """A text that may stand in a comment, in ASCII."""
    return ascii_text(text).rstrip()


def indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" if line else "" for line in lines]


# Operations

FUNCTIONS = {
    "pow": "raised", "sqrt": "sqrt", "sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin", "acos": "acos",
    "atan": "atan", "atan2": "atan2", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "exp": "exp", "log": "log",
    "abs": "abs", "sign": "signum", "min": "least", "max": "most", "floor": "whole", "lt": "less", "le": "less_equal",
    "eq": "equal", "ne": "not_equal", "where": "choose",
}  # fmt: skip


def _helper(name: str, arguments: str, body: Sequence[str], about: str) -> str:
    lines = [f"real(rk), intent(in) :: {arguments}", "real(rk) :: value", *body]
    head = f"elemental function {name}({arguments}) result(value)"
    return "\n".join([f"! {about}", head, *indented(lines), f"end function {name}", ""])


def _comparison(name: str, sign: str) -> str:
    body = [f"value = merge(1.0_rk, 0.0_rk, a {sign} b)", "if (a /= a .or. b /= b) value = nan"]
    return _helper(name, "a, b", body, f"1 if a {sign} b, else 0; NaN if one of them is.")


HELPERS = {
    "pow": _helper(
        "raised", "a, b", ["if (a /= a .or. b /= b) then", "    value = nan", "else", "    value = a**b", "end if"],
        "a to the power b; NaN also for raised(NaN, 0) and raised(1, NaN).",
    ),
    "sign": _helper(
        "signum", "x", ["value = x", "if (x > 0) value = 1.0_rk", "if (x < 0) value = -1.0_rk"],
        "1, -1, or x itself where it is 0 or NaN.",
    ),
    "min": _helper("least", "a, b", ["value = b", "if (a < b .or. a /= a) value = a"], "The smaller; NaN if one is."),
    "max": _helper("most", "a, b", ["value = b", "if (a > b .or. a /= a) value = a"], "The larger; NaN if one is."),
    "floor": _helper("whole", "x", ["value = aint(x)", "if (value > x) value = value - 1"], "The next integer below."),
    "lt": _comparison("less", "<"),
    "le": _comparison("less_equal", "<="),
    "eq": _comparison("equal", "=="),
    "ne": _comparison("not_equal", "/="),
    "where": _helper(
        "choose", "c, a, b", ["value = a", "if (c == 0) value = b", "if (c /= c) value = c"],
        "a if the condition c is not 0, else b; NaN if c is NaN.",
    ),
}  # fmt: skip
"""Functions that Fortran lacks, by operation; each of them gives NaN for NaN."""


def number(value: Number) -> str:
    """The shortest text that reads back as this number."""
    x = float(value)
    if math.isfinite(x):
        text = repr(x)
        return f"{text if '.' in text or 'e' in text else text + '.0'}_rk"
    return "nan" if math.isnan(x) else "infinity" if x > 0 else "-infinity"


F2008 = literal(FUNCTIONS, number)


# Pieces of a module


def continued(line: str) -> str:
    """A statement over several lines if it is long; a comment behind it stands before it then. A line with texts is
    cut anywhere, since blanks in texts count."""
    if len(line) <= WIDTH:
        return line
    indent = " " * (len(line) - len(line.lstrip()))
    code, mark, about = line.partition("! ")
    if "'" in code:
        return "&\n&".join(line[k : k + WIDTH] for k in range(0, len(line), WIDTH))
    comments = textwrap.wrap(about, WIDTH - 2 - len(indent)) if mark else []
    lines = [f"{indent}! {part}" for part in comments]
    if code.strip():
        parts = textwrap.wrap(
            code.strip(),
            WIDTH - 4,
            initial_indent=indent,
            subsequent_indent=indent + "    ",
            break_on_hyphens=False,
            break_long_words=False,
        )
        pieces = [part[k : k + WIDTH - 4] for part in parts for k in range(0, len(part), WIDTH - 4)]
        starts = [k == 0 for part in parts for k in range(0, len(part), WIDTH - 4)]
        text = pieces[0]
        for piece, start in zip(pieces[1:], starts[1:], strict=True):
            text += f" &\n{piece}" if start else f"&\n&{piece}"
        lines.append(text)
    return "\n".join(lines)


def procedure(name: str, arguments: Sequence[str], body: Iterable[str], about: str = "") -> str:
    """A subroutine, with a comment before it."""
    head = f"subroutine {name}({', '.join(arguments)})"
    lines = [*([f"! {comment(about)}"] if about else []), head, *indented(body), f"end subroutine {name}", ""]
    return "\n".join(map(continued, lines))


def integers(name: str, values: Sequence[int]) -> list[str]:
    """A constant array of integers, from 0 on."""
    return _array("integer", name, [str(v) for v in values] or ["0"])


def reals(name: str, values: Sequence[float]) -> list[str]:
    """A constant array of numbers, from 0 on."""
    return _array("real(rk)", name, [number(v) for v in values] or ["0.0_rk"])


def _array(kind: str, name: str, texts: Sequence[str]) -> list[str]:
    lines = [f"{kind}, save :: {name}(0:{len(texts) - 1})"]
    for start in range(0, len(texts), CHUNK_OF_DATA):
        part = texts[start : start + CHUNK_OF_DATA]
        lines.append(f"data {name}({start}:{start + len(part) - 1}) / {', '.join(part)} /")
    return lines
