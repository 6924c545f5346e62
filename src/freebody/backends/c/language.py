"""C as a target: valid identifiers and comments for any name, notation of operations, parts of a file."""

import math
import re
import textwrap
from collections.abc import Iterable, Sequence

from freebody.backends.ascii_text import ascii_text, spell
from freebody.backends.lines import literal
from freebody.scalar import ops
from freebody.scalar.numbers import Number

WIDTH = 110  # of a line

# Keywords of C and C++, names that <math.h>, <stdlib.h> and <string.h> declare, macros of compilers, our own helpers.
_WORDS = """
auto break case char const continue default do double else enum extern float for goto if inline int long register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while alignas alignof
asm and and_eq atomic bitand bitor bool catch char8_t char16_t char32_t class compl concept consteval constexpr
constinit const_cast co_await co_return co_yield decltype delete dynamic_cast explicit export false friend mutable
namespace new noexcept not not_eq nullptr operator or or_eq private protected public reinterpret_cast requires
static_assert static_cast template this thread_local throw true try typeid typename typeof using virtual wchar_t xor
xor_eq

acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp10 exp2 expm1 fabs fdim floor fma
fmax fmin fmod frexp gamma hypot ilogb j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround
modf nan nearbyint nextafter nexttoward pow pow10 remainder remquo rint round scalb scalbln scalbn significand sin
sincos sinh sqrt tan tanh tgamma trunc y0 y1 yn signgam isnan isinf isfinite isnormal signbit fpclassify
INFINITY NAN HUGE_VAL HUGE DOMAIN SING OVERFLOW UNDERFLOW PLOSS TLOSS MAXFLOAT X_TLOSS math_errhandling
M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2

abort abs atexit atof atoi atol atoll bsearch calloc div exit free getenv labs llabs ldiv lldiv malloc mblen mbtowc
qsort rand random realloc srand srandom strtod strtol strtoul system wctomb NULL RAND_MAX EXIT_SUCCESS EXIT_FAILURE
size_t ptrdiff_t div_t ldiv_t memcpy memmove memset memcmp memchr strcat strchr strcmp strcpy strlen strncat strncmp
strncpy strstr strtok index rindex bcopy bcmp bzero main printf scanf puts putc getc read write open close exec fork
kill link pause pipe signal sleep stat time clock wait select send connect accept bind listen socket remove rename

linux unix i386 errno assert complex imaginary I EOF FILE stdin stdout stderr step entry
isunordered isgreater isgreaterequal isless islessequal islessgreater
least most sign raised less less_equal equal not_equal choose memory
"""
RESERVED = frozenset(_WORDS.split())


def identifier(name: str) -> str:
    """A C identifier that reads like the name: Greek letters are spelled, other characters become _."""
    word = re.sub(r"[^A-Za-z0-9]+", "_", spell(name.replace("'", "_prime"))).strip("_")
    return word if word[:1].isalpha() else f"n{word}"


def comment(text: str) -> str:
    """A text in ASCII that may stand inside a comment of one line: it cannot end it, begin another or go on behind
    it."""
    harmless = ascii_text(text).replace("\\", "|").replace("??", "? ?")
    return re.sub(r"\*(?=/)|/(?=\*)", r"\g<0> ", harmless).rstrip()


# Operations

FUNCTIONS = {
    "pow": "raised", "sqrt": "sqrt", "sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin", "acos": "acos",
    "atan": "atan", "atan2": "atan2", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "exp": "exp", "log": "log",
    "abs": "fabs", "sign": "sign", "min": "least", "max": "most", "floor": "floor", "lt": "less", "le": "less_equal",
    "eq": "equal", "ne": "not_equal", "where": "choose",
}  # fmt: skip


def _helper(head: str, value: str, about: str = "") -> str:
    return (f"/* {about} */\n" if about else "") + f"static double {head}\n{{\n    return {value};\n}}\n"


def _comparison(name: str, sign: str, about: str = "") -> str:
    return _helper(f"{name}(double a, double b)", f"isunordered(a, b) ? NAN : a {sign} b", about)


HELPERS = {
    ops.POW: _helper(
        "raised(double a, double b)", "isunordered(a, b) ? NAN : pow(a, b)",
        "a to the power b; unlike pow, NaN also for raised(NaN, 0) and raised(1, NaN).",
    ),
    ops.SIGN: _helper(
        "sign(double x)", "x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x", "1, -1, or x itself where it is 0 or NaN."
    ),
    ops.MIN: _helper("least(double a, double b)", "a < b || isnan(a) ? a : b"),
    ops.MAX: _helper("most(double a, double b)", "a > b || isnan(a) ? a : b"),
    ops.LT: _comparison("less", "<", "Comparisons: 1 or 0, NaN if one of the operands is."),
    ops.LE: _comparison("less_equal", "<="),
    ops.EQ: _comparison("equal", "=="),
    ops.NE: _comparison("not_equal", "!="),
    ops.WHERE: _helper(
        "choose(double c, double a, double b)", "isnan(c) ? c : c != 0.0 ? a : b",
        "a if the condition c is not 0, else b; NaN if c is NaN.",
    ),
}  # fmt: skip
"""Functions that C lacks; each of them gives NaN for NaN."""


def number(value: Number) -> str:
    """The shortest text that reads back as this double."""
    x = float(value)
    if math.isfinite(x):
        return repr(x)
    return "NAN" if math.isnan(x) else "INFINITY" if x > 0 else "-INFINITY"


C99 = literal(FUNCTIONS, number)


# Pieces of a file


def prototype(name: str, arguments: Sequence[str], result: str = "void") -> str:
    """result name(arguments), over several lines if it is long."""
    line = f"{result} {name}({', '.join(arguments)})"
    return line if len(line) <= WIDTH else f"{result} {name}(\n    " + ",\n    ".join(arguments) + ")"


def pointer(name: str, written: bool = False) -> str:
    """An array that is an argument."""
    return f"double *restrict {name}" if written else f"const double *restrict {name}"


def indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" if line else "" for line in lines]


def define(head: str, body: Iterable[str], about: str = "") -> str:
    """A function, with a comment before it."""
    return "\n".join([*([f"/* {comment(about)} */"] if about else []), head, "{", *indented(body), "}", ""])


def integers(name: str, values: Sequence[int]) -> str:
    """A constant array of integers."""
    return _array("int", name, [str(v) for v in values] or ["0"])


def doubles(name: str, values: Sequence[float]) -> str:
    """A constant array of numbers."""
    return _array("double", name, [number(v) for v in values] or ["0.0"])


def _array(kind: str, name: str, texts: Sequence[str]) -> str:
    head, whole = f"static const {kind} {name}[{len(texts)}] = {{", ", ".join(texts)
    if len(head) + len(whole) <= WIDTH:
        return f"{head}{whole}}};"
    lines = textwrap.wrap(whole, WIDTH - 8, break_on_hyphens=False)
    return "\n".join([head, *(f"        {line}" for line in lines), "    };"])
