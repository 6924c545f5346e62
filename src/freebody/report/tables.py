"""The system on a page: its tree as a drawing, and its roadmap as tables."""

from collections.abc import Mapping, Sequence

from freebody.report.html import Html, fold, join, table, tag
from freebody.report.roadmap import Table
from freebody.results import About, BodyInfo

Values = Mapping[str, float]
BODIES = "Bodies and joints"
NUMBERS = ("index", "value", "default", "mass")
NARROW = ("Coordinates q", "Speeds u", "Inputs", "Loads", "Outputs")
"""Tables that stand side by side."""

LONG = 60
"""Rows beyond which a table is folded."""


def tree(elements: Sequence[BodyInfo], tables: Sequence[Table]) -> Html:
    """The tree of bodies and joints, and the table of them beside it where there is room."""
    from freebody.viewer.diagram import diagram

    drawn = tag("div", Html(diagram(elements).svg), class_="diagram")
    listed = [_titled(t) for t in tables if t.title == BODIES]
    return tag("div", drawn, *listed, class_="pair")


def known(about: About) -> list[Table]:
    """The roadmap as far as a file knows it."""
    hung = tuple((b.name, b.parent, b.joint, ", ".join(b.q) or "–", ", ".join(b.u) or "–", f"{b.mass:g}")
                 for b in about.elements)  # fmt: skip
    values = tuple((n, f"{v:g}") for n, v in about.parameters.items())
    titles = {"q": "Coordinates q", "u": "Speeds u", "z": "States z", "output": "Outputs"}
    tables = [
        Table(BODIES, ("body", "on", "joint", "q", "u", "mass"), hung),
        *(Table(title, ("index", "name", "unit"), _indexed(about, group)) for group, title in titles.items()),
        Table("Parameters", ("name", "value"), values),
    ]
    return [t for t in tables if t.rows]


def _indexed(about: About, group: str) -> tuple[tuple[str, ...], ...]:
    found = (v for v in about.variables if v.group == group)
    return tuple((str(k), v.name, v.unit) for k, v in enumerate(found))


def changed(given: Table, values: Values, defaults: Values) -> Table:
    """Parameters with their defaults beside them, where some were given another value."""
    other = {n for n in values if n in defaults and values[n] != defaults[n]}
    if given.title != "Parameters" or not other:
        return given
    rows = tuple((*row[:2], f"{defaults[row[0]]:g}" if row[0] in other else "", *row[2:]) for row in given.rows)
    return Table(given.title, (*given.columns[:2], "default", *given.columns[2:]), rows)


def laid(tables: Sequence[Table]) -> Html:
    """All other tables, narrow ones side by side."""
    narrow = [_titled(t) for t in tables if t.title in NARROW]
    wide = [_titled(t) for t in tables if t.title not in (*NARROW, BODIES)]
    return join([tag("div", join(narrow), class_="pair"), *wide])


def _titled(given: Table) -> Html:
    made = table(given.columns, given.rows, NUMBERS)
    if len(given.rows) > LONG:
        made = fold(f"{len(given.rows):,} rows", made)
    return tag("div", tag("h3", given.title), made)
