"""The tables of Sayers (1991) for any system, to be read as a dynamicist would: Tables 2 and 7–10, and q̇."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from textwrap import wrap

from freebody.formulations.sayers import Sayers
from freebody.papers.wording import HARD, Cell, Wording, letters
from freebody.scalar.expr import Expr
from freebody.spatial.vector import Vector
from freebody.tree.composite import turns
from freebody.tree.forest import Link
from freebody.tree.tables import Partials, axis

WIDTH, MARGIN = 100, 23
Row = tuple[str, Sequence[Cell]]  # a property and its value for each body

TABLE_7 = (
    ("ω^A'", "rotor: «ω^A·A»; 1 DOF: ««ω^A·A»·B»; 3 DOF: the same, used in q' only"),
    ("ᴬω^B", "Σ u_r d_rot over the joint's speeds"),
    ("ω^B", "rotor, 1 DOF: «ω^A' + ᴬω^B»; 3 DOF: u_1 b1 + u_2 b2 + u_3 b3"),
    ("ω_i^B", "rotor, 1 DOF: «ω_i^A·A» (·B) + ᴬω_i^B; 3 DOF: b1, b2, b3"),
    ("α_rem^B", "rotor, 1 DOF: «α_rem^A·A» (·B) + ω^A' × ᴬω^B; 3 DOF: 0"),
)
TABLE_9 = (
    ("r^A*B₀", "«r^A₀B_j + Σ q d_t» - r^A₀A*"),
    ("v_i^A*B*", "d_t for a slide's own speed, + «ω_i^A·A» × r^A*B₀ + «ω_i^B·B» × r^B₀B*"),
    ("N_i^B", "nonrecursive: B; recursive: N_i^A if v_i^A*B* = 0, else B"),
    ("v_i^B*", "nonrecursive: b1, b2, b3; recursive: «(v_i^A* + v_i^A*B*)·B»"),
    ("R^B", "«(α_rem^B·B) × B + ω^B × (ω^B × B)»"),
    (
        "a_rem^B*",
        "nonrecursive: «ω^B × v^B* - g·B»; recursive: «[a_rem^A* + R^A·r^A*B₀ + R^B·r^B₀B* + 2 ω^A × ᴬv^B₀]·B»",
    ),
)
NOTE = (
    "B* is the mass centre of the composite body; for a fixed body read B₀. With standard speeds all joints follow the"
    " recursive formulas."
)


def report(sayers: Sayers) -> str:
    """Tables 2, 7–10 and the kinematical equations as text of at most 100 columns."""
    tables = _Tables(sayers)
    sections = {
        "Table 2. Body and joint properties": tables.properties(),
        "Table 8. Rotational velocity and acceleration": tables.rotation(),
        "Table 10. Translational velocity and acceleration": tables.translation(),
    }
    rates = [Expr(sayers.graph, h) for h in sayers.q_dot]
    cells = [cell for rows in sections.values() for _, row in rows for cell in row]
    words = Wording(sayers.forest, [*cells, *rates])
    two, eight, ten = (_section(words, title, rows, tables.names(words)) for title, rows in sections.items())
    parts = [
        f"{sayers.forest.system.name}: {sayers.speeds} speeds", _grid(tables.overview(words)), two,
        _formulas("Table 7. Formulas of rotation", TABLE_7), eight,
        _formulas("Table 9. Formulas of translation", TABLE_9), "\n".join(_hanging("", NOTE)), ten,
        _equations("Kinematical equations (Eqs 20-29)", ((f"q{k + 1}'", words(r)) for k, r in enumerate(rates))),
        _equations("Variables", ((s.name, s.text) for s in words.variables)),
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


class _Tables:
    """What stands in the tables, body by body."""

    def __init__(self, sayers: Sayers) -> None:
        self.sayers, self.tables, self.links = sayers, sayers.tables, sayers.links
        self.n = len(sayers.forest.layout.u)

    def names(self, words: Wording) -> list[str]:
        return [words.letters[link.name] for link in self.links]

    def overview(self, words: Wording) -> list[list[str]]:
        """A line for each body: who it is and how it is treated."""
        lines = [["Body", "Name", "Parent", "Level", "Children", "Fixed", "Translation", "Rotation"]]
        for body in self.sayers.composites:
            link = body.link
            children = [words.letters[c.name] for c in self.links if c.parent is link]
            fixed = [words.letters[c.name] for c in body.children]
            parent = words.letters[link.parent.name] if link.parent is not None else "N"
            lines.append([words.letters[link.name], link.name, parent, str(len(link.line())), ", ".join(children),
                          ", ".join(fixed), str(body.translation), str(body.rotation)])  # fmt: skip
        return lines

    def properties(self) -> list[Row]:
        return [
            ("Unit vectors", self._each(lambda link: [axis(link.frame, k) for k in range(3)])),
            ("Composite mass", [Expr(self.sayers.graph, body.mass) for body in self.sayers.composites]),
            ("Inertia dyadic I^Bc*", [body.inertia for body in self.sayers.composites]),
            ("Mass centre r^B₀B*", [body.centre for body in self.sayers.composites]),
            ("Joint point", self._each(self._joint_point)),
            ("Translational q", self._each(lambda link: self._coordinates(link, "m"))),
            ("Translational u", self._each(lambda link: self._speeds(link, self._slides(link)))),
            ("Directions of these q", self._each(self._slide_directions)),
            ("Directions of these u", self._each(lambda link: list(self._slides(link).values()))),
            ("Rotational q", self._each(lambda link: self._coordinates(link, ""))),
            ("Rotational u", self._each(lambda link: self._speeds(link, self._turns(link)))),
            ("Directions of these q", self._each(self._turn_directions)),
            ("Directions of these u", self._each(lambda link: list(self._turns(link).values()))),
        ]  # fmt: skip

    def rotation(self) -> list[Row]:
        spins = self.tables.spins
        return [
            ("ω^A'", [s.carried for s in spins]), ("ᴬω^B", [s.relative for s in spins]), ("ω^B", [s.w for s in spins]),
            ("ω_i^A'", [self._list(s.carried_partials) for s in spins]),
            ("ᴬω_i^B", [self._list(s.own) for s in spins]), ("ω_i^B", [self._list(s.partials) for s in spins]),
            ("α_rem^B", [s.alpha for s in spins]),
        ]  # fmt: skip

    def translation(self) -> list[Row]:
        drifts = self.tables.drifts
        return [
            ("r^A*B₀", [d.arm for d in drifts]), ("v_i^A*B*", [self._list(d.increments) for d in drifts]),
            ("N_i^B", self._each(self._natives)), ("v_i^B*", [self._list(d.partials) for d in drifts]),
            ("a_rem^B*", [d.a for d in drifts]), ("R^B", [self.tables.rotation(link) for link in self.links]),
        ]  # fmt: skip

    def _each(self, what: Callable[[Link], Cell]) -> list[Cell]:
        return [what(link) for link in self.links]

    def _list(self, partials: Partials) -> Cell:
        return [partials.get(i, Vector(self.sayers.graph, {})) for i in range(self.n)]

    def _natives(self, link: Link) -> Cell:
        """N_i^B for every speed; a body that is nonrecursive is native to all its own."""
        names = letters([each.name for each in self.links])
        return [names[body.name] if body is not None else "N" for body in self.tables.natives(link)]

    # Coordinates, speeds and their directions

    def _joint_point(self, link: Link) -> Cell:
        return list(link.body.offset.resolve(link.base))

    def _coordinates(self, link: Link, unit: str) -> list[Expr]:
        """The coordinates that are lengths ("m"), or the others."""
        units = link.body.recipe.joint.units[0]
        return [q for q, of in zip(link.body.q, units, strict=True) if (of == "m") == (unit == "m")]

    def _speeds(self, link: Link, partials: Partials) -> Cell:
        return [Expr(self.sayers.graph, self.sayers.forest.layout.u_handles[i]) for i in partials]

    def _turns(self, link: Link) -> Partials:
        return {i: t for i, t in zip(link.u, link.turns, strict=True) if t}

    def _slides(self, link: Link) -> Partials:
        """The directions of a joint's translational speeds, as they are used."""
        if self.tables.slides_freely(link):
            return self.tables.drifts[link.index].partials
        return {i: s for i, t, s in zip(link.u, link.turns, link.slides, strict=True) if s and not t}

    def _slide_directions(self, link: Link) -> Cell:
        """Of the coordinates: a free joint's are laid along its parent's axes."""
        frame, q = link.base, self._coordinates(link, "m")
        own = [s for t, s in zip(link.body.placement.turns, link.body.placement.slides, strict=True) if s and not t]
        free = link.body.recipe.joint.coordinates[:3] == ("x", "y", "z")
        return [axis(frame, k) for k in range(3)] if free else own[: len(q)]

    def _turn_directions(self, link: Link) -> Cell:
        """Of the angles: the axes of three simple rotations, the second one in the body's basis (Table 4)."""
        if len(turns(link)) < 2:
            return turns(link)
        last, *more = link.frame.line()[1:4]
        found = [axis(f, f.up.axis) for f in (*reversed(more), last) if f.up is not None and f.up.axis is not None]
        if len(found) < 3:
            return "quaternion"
        return [found[0], found[1].within(last), found[2]]


# Layout


def _section(words: Wording, title: str, rows: Iterable[Row], names: Sequence[str]) -> str:
    lines = [title, "-" * len(title)]
    for label, row in rows:
        filled = [(n, text) for n, cell in zip(names, row, strict=True) if (text := words(cell))]
        lines += _block(label, filled)
    return "\n".join(lines)


def _block(label: str, rows: Sequence[tuple[str, str]], margin: int = MARGIN) -> Iterator[str]:
    """The label once, then a name and a wrapped text for each body."""
    wide = max((len(name) for name, _ in rows), default=0) + 2
    for k, (name, text) in enumerate(rows):
        head = (label if k == 0 else "").ljust(margin) + name.ljust(wide)
        yield from _hanging(head, text)


def _hanging(head: str, text: str) -> list[str]:
    """A text behind a head, its further lines below its first."""
    lines = wrap(text, max(WIDTH - len(head), 30), break_long_words=False, break_on_hyphens=False) or [""]
    return [(head if k == 0 else " " * len(head)) + line.replace(HARD, " ") for k, line in enumerate(lines)]


def _formulas(title: str, rows: Iterable[tuple[str, str]]) -> str:
    lines = [title, "-" * len(title)]
    for label, text in rows:
        lines += _hanging(label.ljust(MARGIN), text)
    return "\n".join(lines)


def _equations(title: str, rows: Iterable[tuple[str, str]]) -> str:
    lines = [title, "-" * len(title)]
    for name, text in rows:
        lines += _hanging(f"{name} = ".rjust(9), text)
    return "\n".join(lines)


def _grid(rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as their widest entry."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])
