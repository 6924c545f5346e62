"""Small tables of results, as text and as HTML for notebooks: names are escaped, long texts shortened, long tables cut
(``TextTable``); elements of HTML with escaped text."""

import re
from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass, fields
from html import escape
from typing import Any

LONGEST = 400
"""Characters of a text that are shown; the middle of a longer one is left out."""

CELL = 80
"""Characters of a cell of a table."""

MOST = 60
"""Rows of a table that are shown."""

FEW = 6
"""Items of a sequence in the repr of what holds it."""

REAL = r"[-−+]?(\d[\d,]*(\.\d*)?(e[-+]?\d+)?|inf|nan)"
NUMBER = re.compile(rf"({REAL}( ?[-+±] ?{REAL}j)?( \(.*\))?|–|)")
"""A cell of a column of numbers."""

PLAIN = "tex2jax_ignore mathjax_ignore"
"""Classes of elements in which notebooks do not look for formulas between dollar signs."""


def shorten(text: str, longest: int = LONGEST) -> str:
    """The text on one line, printable and no longer than that; an ellipsis replaces the middle."""
    shown = "".join(c if c.isprintable() else " " for c in text[: 2 * longest] + text[2 * longest :][-longest:])
    if len(shown) <= longest:
        return shown
    tail = (longest - 1) // 3
    return f"{shown[: longest - 1 - tail]}…{shown[len(shown) - tail :]}"


def listed(names: Iterable[str], most: int = 8) -> str:
    """The first names, and how many more there are."""
    texts = list(names)
    few = ", ".join(shorten(text, CELL) for text in texts[:most])
    return f"{few} and {len(texts) - most} more" if len(texts) > most else few


def counted(number: int, what: str, several: str = "") -> str:
    """ "1 body", "2 bodies", "no bodies"."""
    return f"1 {what}" if number == 1 else f"{f'{number:,}' if number else 'no'} {several or what + 's'}"


# HTML


class Html(str):
    """Text that is HTML already."""


def html(content: object) -> Html:
    """Anything as HTML: what is not HTML already is escaped, put on one line, and freed of what cannot be seen."""
    return content if isinstance(content, Html) else Html(escape(shorten(str(content))))


def join(parts: Iterable[object], between: str = "\n") -> Html:
    return Html(between.join(html(p) for p in parts))


def tag(name: str, *content: object, **attributes: str) -> Html:
    """An element; ``class_`` stands for class."""
    texts = "".join(f' {key.rstrip("_")}="{html(value)}"' for key, value in attributes.items())
    return Html(f"<{name}{texts}>{join(content, '')}</{name}>")


# Tables


@dataclass(frozen=True, repr=False)
class TextTable:
    """A table of texts with a title. Without columns it has no head: names and values side by side. The note follows
    the table."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    def _shown(self) -> tuple[Sequence[Sequence[str]], list[bool], str]:
        """The rows that are shown with shortened cells, which columns are numbers, and the note."""
        rows = [[shorten(cell, CELL if self.columns else LONGEST) for cell in row] for row in self.rows[:MOST]]
        width = len(self.columns) or max(map(len, rows), default=0)
        cells = [[row[k] for row in rows if k < len(row)] for k in range(width)]
        numbers = [bool(self.columns) and any(column) and all(map(NUMBER.fullmatch, column)) for column in cells]
        more = len(self.rows) - len(rows)
        notes = [*([f"{more:,} more rows are not shown."] if more else []), *([self.note] if self.note else [])]
        return rows, numbers, " ".join(notes)

    def __str__(self) -> str:
        rows, numbers, note = self._shown()
        lines = [[shorten(c, CELL) for c in self.columns], *rows] if self.columns else rows
        widths = [max((len(line[k]) for line in lines if k < len(line)), default=0) for k in range(len(numbers))]
        texts = [shorten(self.title)] if self.title else []
        for line in lines:
            cells = zip(line, widths, numbers, strict=False)
            padded = "  ".join(f"{x:>{w}}" if right else f"{x:<{w}}" for x, w, right in cells)
            texts.append(("  " * bool(self.title) + padded).rstrip())
        return "\n".join([*texts, *([note] if note else [])])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows, numbers, note = self._shown()
        sides = [{"style": f"text-align:{'right' if right else 'left'}"} for right in numbers]

        def line(cells: Sequence[str], names: Sequence[str]) -> Html:
            return tag("tr", *(tag(n, c, **side) for n, c, side in zip(names, cells, sides, strict=False)))

        names = ["td"] * len(sides) if self.columns else ["th", *["td"] * len(sides)]
        left = "text-align:left"
        below = [tag("p", note, class_=PLAIN, style=left)] if note else []
        if not rows:
            return join([tag("p", self.title, class_=PLAIN, style=left), *below])
        title = [tag("caption", self.title, style=left)] if self.title else []
        head = [tag("thead", line(self.columns, ["th"] * len(sides)))] if self.columns else []
        body = tag("tbody", *(line(row, names) for row in rows))
        return join([tag("table", *title, *head, body, class_=PLAIN), *below])


class TableRepr:
    """What print, repr and notebooks show as a table, which ``_table`` returns without computing anything long."""

    def _table(self) -> TextTable:
        raise NotImplementedError

    def __repr__(self) -> str:
        return str(self._table())

    def _repr_html_(self) -> str:
        return self._table()._repr_html_()


def field_values(value: Any, shown: bool = False) -> dict[str, Any]:
    """The values of a dataclass by the names of its fields; ``shown``: of those that its repr shows."""
    return {f.name: getattr(value, f.name) for f in fields(value) if f.repr or not shown}


class ShortRepr:
    """A dataclass whose repr has arrays by their shapes and long sequences by their lengths."""

    def __repr__(self) -> str:
        texts = (f"{name}={brief(value)}" for name, value in field_values(self, shown=True).items())
        return f"{type(self).__name__}({', '.join(texts)})"


def brief(value: object) -> str:
    """A value in a few characters."""
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and shape:
        return f"<array {' × '.join(map(str, shape))}>"
    if isinstance(value, Sized) and not isinstance(value, str) and len(value) > FEW:
        return f"<{len(value):,} items>"
    return f"<{type(value).__name__}>" if isinstance(value, TableRepr) else shorten(repr(value), CELL)


def side_by_side(*parts: str) -> Html:
    """Pieces of HTML beside each other, one below the other where there is no room."""
    style = "display:flex;flex-wrap:wrap;gap:0.5em 2em;align-items:flex-start"
    return tag("div", *(tag("div", Html(part)) for part in parts if part), style=style)


# Formulas

FORMULA = 4000
"""Characters of a formula, as LaTeX or text, that are shown."""


def cut(text: str, whole: str) -> str:
    """A text of many lines that ends where it gets too long, with a note what returns the whole."""
    if len(text) <= FORMULA:
        return text
    start = text[:FORMULA]
    return f"{start.rpartition(chr(10))[0] or start} …\n({len(text):,} characters; {whole} returns all of them)"


def short_formula(latex: str) -> str | None:
    """A formula for notebooks; None, so that they show the text instead, where it is too long to be read."""
    return f"$\\displaystyle {latex}$" if len(latex) <= FORMULA else None
