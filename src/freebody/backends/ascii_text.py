"""Texts in ASCII, for sources: Greek letters are spelled, powers written with ^, accents left out."""

import re
import unicodedata

SIGNS = {
    "·": "*", "⋅": "*", "×": "x", "−": "-", "–": "-", "—": "-", "…": "...", "°": "deg", "√": "sqrt", "∂": "d",
    "≤": "<=", "≥": ">=", "≠": "!=", "→": "->", "∞": "inf", "µ": "u", "Ω": "Ohm", "\u2126": "Ohm", "ᵀ": "^T",
    "’": "'", "‘": "'", "“": '"', "”": '"',
}  # fmt: skip
"""Signs with what is written for them."""

MARKS = {"\N{COMBINING DOT ABOVE}": "dot", "\N{COMBINING DIAERESIS}": "ddot"}
"""Accents that have a meaning."""

POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+")


def ascii_text(text: str) -> str:
    """A text that reads like this one and has printable ASCII characters only."""
    powers = RAISED.sub(lambda m: "^" + m[0].translate(POWERS), text)
    signs = "".join(SIGNS.get(c, c) for c in powers)
    shown = "".join(c if c.isprintable() else " " for c in signs)
    return spell(shown, "?")


def spell(text: str, other: str = "_") -> str:
    """The text with Greek letters and marks spelled; characters that are not ASCII become ``other``."""
    spelled = ""
    for c in unicodedata.normalize("NFKD", text):
        if unicodedata.combining(c):
            spelled += MARKS.get(c, "")
        elif c.isascii():
            spelled += c
        else:
            script, *_, letter = unicodedata.name(c, "_").replace("LAMDA", "LAMBDA").split()
            spelled += other if script != "GREEK" else letter.capitalize() if c.isupper() else letter.lower()
    return spelled
