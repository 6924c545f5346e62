"""Names and texts of the user's in C: whatever they hold, they become plain identifiers and harmless comments."""

import re
import unicodedata

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

_MARKS = {"'": "_prime", "\N{COMBINING DOT ABOVE}": "dot", "\N{COMBINING DIAERESIS}": "ddot"}


def identifier(name: str) -> str:
    """A C identifier that reads like the name: Greek letters are spelled, other characters become _."""
    spelled = "".join(map(_spelled, unicodedata.normalize("NFKD", name)))
    word = re.sub(r"[^A-Za-z0-9]+", "_", spelled).strip("_")
    return word if word[:1].isalpha() else f"n{word}"


def _spelled(c: str) -> str:
    """A character in letters, digits and underscores."""
    if c in _MARKS or unicodedata.combining(c):
        return _MARKS.get(c, "")
    if c.isascii():
        return c
    script, *_, letter = unicodedata.name(c, "_").split()
    return "_" if script != "GREEK" else letter.capitalize() if c.isupper() else letter.lower()


def comment(text: str) -> str:
    """A text that may stand inside a comment of one line: it cannot end it, begin another or go on behind it."""
    shown = "".join(c if c.isprintable() else " " for c in text)
    harmless = shown.replace("\\", "\N{SET MINUS}").replace("??", "? ?")
    return re.sub(r"\*(?=/)|/(?=\*)", r"\g<0> ", harmless).rstrip()
