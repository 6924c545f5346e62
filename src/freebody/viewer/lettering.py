"""Texts for SVG: escaped, of a known width, cut where they would not fit."""

from html import escape
from unicodedata import combining, east_asian_width

from freebody.results.summary import shorten

NARROW, WIDE = frozenset("iljtfrI.,:;|!'()[]{} ·"), frozenset("mwMW@%&—…")


def plain(text: str, longest: int = 400) -> str:
    """What XML can hold, on one line."""
    return shorten(text, longest)


def escaped(text: str, longest: int = 400) -> str:
    return escape(plain(text, longest))


def width(text: str, size: float) -> float:
    """About how wide a text is in a usual sans-serif of that size."""
    return size * sum(_width(c) for c in text)


def _width(c: str) -> float:
    if combining(c):
        return 0.0
    if east_asian_width(c) in "WF":
        return 1.05
    return 0.32 if c in NARROW else 0.9 if c in WIDE else 0.7 if c.isupper() else 0.58


def fitted(text: str, size: float, room: float) -> str:
    """The text, or as much of its beginning as there is room for, with an ellipsis."""
    text = plain(text)
    if width(text, size) <= room:
        return text
    left, kept = room - width("…", size), 0
    while kept < len(text) and left >= _width(text[kept]) * size:
        left -= _width(text[kept]) * size
        kept += 1
    return f"{text[:kept].rstrip()}…"
