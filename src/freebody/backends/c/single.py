"""C that computes with float, from C that computes with double: types, numbers and functions of <math.h> change."""

import re

from freebody.backends.c.language import FUNCTIONS

FUNCTIONS_OF_C = {*FUNCTIONS.values()} - {
    "raised",
    "sign",
    "least",
    "most",
    "less",
    "less_equal",
    "equal",
    "not_equal",
    "choose",
} | {"pow"}
TOKENS = re.compile(
    r"""(?P<kept>/\*.*?\*/|"[^"\n]*")"""
    r"""|(?P<number>(?<![\w.])(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?(?![\w.]))"""
    r"""|(?P<word>[A-Za-z_]\w*)""",
    re.DOTALL,
)
LARGEST = 3.4028234663852886e38


def single(text: str) -> str:
    """The text of a file in single precision; comments stay as they are but for the type that they name."""

    def change(match: re.Match[str]) -> str:
        kept, number, word = match["kept"], match["number"], match["word"]
        if kept is not None:
            return kept.replace("arrays of double", "arrays of float")
        if number is not None:
            return "INFINITY" if float(number) > LARGEST else f"{number}f"
        return "float" if word == "double" else f"{word}f" if word in FUNCTIONS_OF_C else word

    return TOKENS.sub(change, text)
