"""Names that any file can hold, for names that users may choose freely."""

import re
import unicodedata
from collections.abc import Iterable

LONGEST = 120


def clean(text: str) -> str:
    """The text as any file can hold it: what is no character, or ends a text, becomes a replacement sign."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def shorten(text: str, longest: int) -> str:
    """On one line, printable, and not longer than that; an ellipsis stands for the middle."""
    shown = "".join(c if c.isprintable() else " " for c in text)
    if len(shown) <= longest:
        return shown
    tail = (longest - 1) // 3
    return f"{shown[: longest - 1 - tail]}…{shown[len(shown) - tail :]}"


def safe(key: str) -> str:
    """A name that NetCDF allows: ASCII letters, digits and ._+-, beginning with a letter, a digit or _. Greek letters
    become their names."""
    spelt = "".join(c if c.isascii() else _spelt(c) for c in key)
    kept = re.sub(r"[^A-Za-z0-9_.+-]", "_", spelt)[:LONGEST]
    return kept if kept[:1].isalnum() or kept[:1] == "_" else f"_{kept}"


def _spelt(letter: str) -> str:
    found = re.fullmatch(r"GREEK (SMALL|CAPITAL) LETTER ([A-Z]+)", unicodedata.name(letter, ""))
    return "_" if found is None else found[2].lower() if found[1] == "SMALL" else found[2].capitalize()


def distinct(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """The names, those that came before with a number added."""
    used, made = set(taken), list[str]()
    for name in names:
        chosen, count = name, 1
        while chosen in used:
            count += 1
            chosen = f"{name}_{count}"
        used.add(chosen)
        made.append(chosen)
    return made
