"""HTML that no name can break out of: every text is escaped where it becomes part of an element."""

from collections.abc import Iterable, Sequence
from html import escape

from freebody.results.summary import shorten

LONGEST = 400
"""Characters of a text that are shown; the middle of a longer one is left out."""


class Html(str):
    """Text that is HTML already."""


def html(content: object) -> Html:
    """Anything as HTML: what is not HTML already is escaped, put on one line, and freed of what cannot be seen."""
    return content if isinstance(content, Html) else Html(escape(shorten(str(content), LONGEST)))


def join(parts: Iterable[object], between: str = "\n") -> Html:
    return Html(between.join(html(p) for p in parts))


def tag(name: str, *content: object, **attributes: str) -> Html:
    """An element; ``class_`` stands for class."""
    said = "".join(f' {key.rstrip("_")}="{html(value)}"' for key, value in attributes.items())
    return Html(f"<{name}{said}>{join(content, '')}</{name}>")


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], numbers: Sequence[str] = ()) -> Html:
    """A table with a head; the columns named in ``numbers`` are set to the right, units stay on one line."""
    kinds = ["number" if c in numbers else "unit" if c == "unit" else "" for c in columns]
    head = tag("tr", *(_cell("th", c, k) for c, k in zip(columns, kinds, strict=True)))
    body = [tag("tr", *(_cell("td", c, k) for c, k in zip(row, kinds, strict=True))) for row in rows]
    inside = tag("table", tag("thead", head), Html("\n"), tag("tbody", join(body)))
    return tag("div", inside, class_="wide")


def _cell(name: str, content: object, kind: str) -> Html:
    return tag(name, content, class_=kind) if kind else tag(name, content)


def facts(pairs: Iterable[tuple[str, object]]) -> Html:
    """Names and values side by side."""
    return tag("dl", join(tag("div", tag("dt", name), tag("dd", value)) for name, value in pairs), class_="facts")


def fold(summary: object, content: object, opened: bool = False) -> Html:
    """Content behind a line that opens it."""
    inside = join([tag("summary", summary), content])
    return Html(f"<details{' open' if opened else ''}>{inside}</details>")


def note(text: object) -> Html:
    return tag("p", text, class_="note")
