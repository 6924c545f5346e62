"""The tables of Sayers (1991) for any system: Tables 2 and 7–10, and q̇, in the notation of a dynamicist.

Bodies have letters, B for the first; unit vectors the small letter of the body in which they first appear (b1, c2, …);
N is the ground. Coordinates, speeds, sines and cosines are q7, u7, S7, C7. Long or repeated scalars become variables, P
where they are constant and Z where they are not. Numbers that are not exact are shown to six digits.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from freebody.formulations.sayers import Sayers
from freebody.scalar.expr import Expr
from freebody.scalar.functions import Callback, Table
from freebody.scalar.graph import Graph
from freebody.scalar.notation import TEXT
from freebody.scalar.numbers import Number
from freebody.scalar.ops import COS, SIN, SYMBOL
from freebody.scalar.printing import Statement, statements
from freebody.scalar.symbol import PARAMETERS_ONLY, Label
from freebody.scalar.walk import live
from freebody.spatial.frame import Frame, Unit
from freebody.spatial.vector import Dyadic, Vector
from freebody.tree.composite import turns
from freebody.tree.forest import Forest, Link
from freebody.tree.partial_velocities import Partials, axis

Cell = str | Expr | Vector | Dyadic | Sequence["Cell"]
Row = tuple[str, Sequence[Cell]]
"""A property and its value for each body."""
LETTERS = "BCDEFGHIJKLMOPRSTVWXY"  # A is any parent, N the ground; Q, U, Z would read as scalars
HARD = "\xa0"  # a space at which no line is broken
WIDTH, MARGIN, LONGEST = 100, 23, 32
NUMBERS = replace(
    TEXT, longest=LONGEST, number=lambda x: f"{x:.6g}" if isinstance(x, float) else TEXT.number(x)
)  # fmt: skip

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
    notation = SayersNotation(sayers.forest, [*cells, *rates])
    two, eight, ten = (_section(notation, title, rows, tables.names(notation)) for title, rows in sections.items())
    parts = [
        f"{sayers.forest.model.name}: {sayers.speeds} speeds", _grid(tables.overview(notation)), two,
        _list("Table 7. Formulas of rotation", ((label.ljust(MARGIN), text) for label, text in TABLE_7)), eight,
        _list("Table 9. Formulas of translation", ((label.ljust(MARGIN), text) for label, text in TABLE_9)),
        "\n".join(_hanging("", NOTE)), ten,
        _list("Kinematical equations (Eqs 20-29)",
              ((f"q{k + 1}' = ".rjust(9), notation(r)) for k, r in enumerate(rates))),
        _list("Variables", ((f"{s.name} = ".rjust(9), s.text) for s in notation.variables)),
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


class _Tables:
    """What stands in the tables, body by body."""

    def __init__(self, sayers: Sayers) -> None:
        self.sayers, self.tables, self.links = sayers, sayers.tables, sayers.links
        self.n = len(sayers.forest.layout.u)

    def names(self, notation: "SayersNotation") -> list[str]:
        return [notation.letters[link.name] for link in self.links]

    def overview(self, notation: "SayersNotation") -> list[list[str]]:
        """A line for each body: its name, parent, level, children and treatment."""
        lines = [["Body", "Name", "Parent", "Level", "Children", "Fixed", "Translation", "Rotation"]]
        for body in self.sayers.composites:
            link = body.link
            children = [notation.letters[c.name] for c in self.links if c.parent is link]
            fixed = [notation.letters[c.name] for c in body.children]
            parent = notation.letters[link.parent.name] if link.parent is not None else "N"
            lines.append([notation.letters[link.name], link.name, parent, str(len(link.line())), ", ".join(children),
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
            ("ω_i^A'", [self._partials(s.carried_partials) for s in spins]),
            ("ᴬω_i^B", [self._partials(s.own) for s in spins]), ("ω_i^B", [self._partials(s.partials) for s in spins]),
            ("α_rem^B", [s.alpha for s in spins]),
        ]  # fmt: skip

    def translation(self) -> list[Row]:
        drifts = self.tables.drifts
        return [
            ("r^A*B₀", [d.arm for d in drifts]), ("v_i^A*B*", [self._partials(d.increments) for d in drifts]),
            ("N_i^B", self._each(self._natives)), ("v_i^B*", [self._partials(d.partials) for d in drifts]),
            ("a_rem^B*", [d.a for d in drifts]), ("R^B", [self.tables.rotation(link) for link in self.links]),
        ]  # fmt: skip

    def _each(self, what: Callable[[Link], Cell]) -> list[Cell]:
        return [what(link) for link in self.links]

    def _partials(self, partials: Partials) -> Cell:
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
        """The directions of the coordinates: a free joint's are along its parent's axes."""
        frame, q = link.base, self._coordinates(link, "m")
        own = [s for t, s in zip(link.body.placement.turns, link.body.placement.slides, strict=True) if s and not t]
        free = link.body.recipe.joint.coordinates[:3] == ("x", "y", "z")
        return [axis(frame, k) for k in range(3)] if free else own[: len(q)]

    def _turn_directions(self, link: Link) -> Cell:
        """The axes of the angles: of three simple rotations, the second one in the body's basis (Table 4)."""
        if len(turns(link)) < 2:
            return turns(link)
        last, *more = link.frame.line()[1:4]
        axes = [axis(f, f.up.axis) for f in (*reversed(more), last) if f.up is not None and f.up.axis is not None]
        return "quaternion" if len(axes) < 3 else [axes[0], axes[1].within(last), axes[2]]


# Layout


def _section(notation: "SayersNotation", title: str, rows: Iterable[Row], names: Sequence[str]) -> str:
    """For each property its label once, then a name and a wrapped text for each body."""
    lines = [title, "-" * len(title)]
    for label, row in rows:
        filled = [(n, text) for n, cell in zip(names, row, strict=True) if (text := notation(cell))]
        wide = max((len(name) for name, _ in filled), default=0) + 2
        for k, (name, text) in enumerate(filled):
            lines += _hanging((label if k == 0 else "").ljust(MARGIN) + name.ljust(wide), text)
    return "\n".join(lines)


def _hanging(head: str, text: str) -> list[str]:
    """A text behind a head, its further lines below its first."""
    lines = wrap(text, max(WIDTH - len(head), 30), break_long_words=False, break_on_hyphens=False) or [""]
    return [(head if k == 0 else " " * len(head)) + line.replace(HARD, " ") for k, line in enumerate(lines)]


def _list(title: str, rows: Iterable[tuple[str, str]]) -> str:
    return "\n".join([title, "-" * len(title), *(line for head, text in rows for line in _hanging(head, text))])


def _grid(rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as their widest entry."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


# Notation


@dataclass(frozen=True)
class Labelled:
    """A graph seen with other labels than its own."""

    graph: Graph
    labels: Mapping[int, Sequence[Label]]

    @property
    def op(self) -> Sequence[int]:
        return self.graph.op

    @property
    def a(self) -> Sequence[int]:
        return self.graph.a

    @property
    def b(self) -> Sequence[int]:
        return self.graph.b

    @property
    def c(self) -> Sequence[int]:
        return self.graph.c

    @property
    def numbers(self) -> Sequence[Number]:
        return self.graph.numbers

    @property
    def tables(self) -> Sequence[Table]:
        return self.graph.tables

    @property
    def calls(self) -> Sequence[tuple[Callback, tuple[int, ...]]]:
        return self.graph.calls


class SayersNotation:
    """The texts of some cells of a forest as a dynamicist writes them, and the variables they need."""

    def __init__(self, forest: Forest, cells: Iterable[Cell]) -> None:
        self.graph, self.forest = forest.graph, forest
        self.letters = letters([link.name for link in forest.links])
        self.frames = self._frames()
        self.units = self._units()
        q, u = forest.layout.q_handles, forest.layout.u_handles
        self.leaves = {h: f"{letter}{k + 1}" for letter, group in (("q", q), ("u", u)) for k, h in enumerate(group)}
        roots = list(dict.fromkeys(node for cell in cells for node in nodes(cell)))
        self.turns = self._turns(roots)
        first, _ = self._written(roots, self.turns)
        variables, texts = self._written(roots, {**self.turns, **self._variables(first)})
        self.texts = dict(zip(roots, texts, strict=True))
        self.variables = [s for s in variables if s.node not in self.turns]

    def _frames(self) -> dict[Frame, str]:
        """The letters of unit vectors by frame; frames within a joint keep their marks (b', b'')."""
        names = {self.forest.root: "n"}
        for link in self.forest.links:
            frame: Frame | None = link.body.frame
            while frame is not None and frame not in names:
                letter = self.letters[link.name]
                names[frame] = letter.lower() + frame.name.removeprefix(link.name) if len(letter) == 1 else frame.name
                frame = frame.parent
        return names

    def _units(self) -> dict[Unit, str]:
        """The axes of N and of the bodies, each named where it first appears as one."""
        names = {e: f"n{k + 1}" for k, (_, e) in enumerate(self.forest.root.basis)}
        for link in self.forest.links:
            for k, (sign, e) in enumerate(link.frame.basis):
                if sign > 0 and e not in names:
                    letter = self.letters[link.name]
                    names[e] = f"{letter.lower() if len(letter) == 1 else letter}{k + 1}"
        return names

    def _turns(self, roots: Sequence[int]) -> dict[int, list[Label]]:
        """S7 and C7 for the sine and cosine of q7."""
        g, labels = self.graph, {}
        for i in live(g, roots):
            if g.op[i] in (SIN, COS) and g.op[g.a[i]] == SYMBOL and g.a[i] in self.leaves:
                labels[i] = [Label(("S" if g.op[i] == SIN else "C") + self.leaves[g.a[i]][1:])]
        return labels

    def _variables(self, first: Sequence[Statement]) -> dict[int, list[Label]]:
        """P1, P2, … and Z1, Z2, … for the nodes that the printer writes as variables."""
        labels, count = dict[int, list[Label]](), {"P": 0, "Z": 0}
        for s in sorted(first, key=lambda s: s.node):
            if s.node not in self.turns:
                letter = "P" if self.graph.mask[s.node] <= PARAMETERS_ONLY else "Z"
                count[letter] += 1
                labels[s.node] = [Label(f"{letter}{count[letter]}")]
        return labels

    def _written(
        self, roots: Sequence[int], labels: Mapping[int, Sequence[Label]]
    ) -> tuple[list[Statement], list[str]]:
        g = self.graph
        return statements(
            Labelled(g, labels), roots, lambda i: self.leaves.get(i) or g.symbols[g.a[i]].name, NUMBERS,
            constant=lambda i: g.mask[i] <= PARAMETERS_ONLY,
        )  # fmt: skip

    # Texts

    def __call__(self, cell: Cell) -> str:
        """The text of a cell."""
        if isinstance(cell, str):
            return cell
        if isinstance(cell, Expr):
            return self.texts[cell.handle]
        if isinstance(cell, Vector):
            return self._sum((s, self.unit(e)) for e, s in cell.parts.items())
        if isinstance(cell, Dyadic):
            return self._sum((s, f"({self.unit(a)}{HARD}{self.unit(b)})") for (a, b), s in cell.parts.items())
        sums = [isinstance(part, Vector) and len(part.parts) > 1 for part in cell]
        return ", ".join(f"({self(part)})" if is_sum else self(part) for part, is_sum in zip(cell, sums, strict=True))

    def unit(self, e: Unit) -> str:
        return self.units.get(e) or f"{self.frames[e.frame]}{e.index + 1}"

    def _sum(self, terms: Iterable[tuple[int, str]]) -> str:
        """s1 e1 + s2 e2 − …"""
        total = ""
        for s, unit in terms:
            text = self.texts[s]
            negative, size = text.startswith("-") and not _is_sum(text), text.removeprefix("-")
            factor = f"({text}){HARD}" if _is_sum(text) else "" if size == "1" else f"{size}{HARD}"
            total += ((" + ", " - ") if total else ("", "-"))[negative] + factor + unit
        return total or "0"


def letters(names: Sequence[str]) -> dict[str, str]:
    """A letter for each body: its own name if that is one, else the next free one; of many bodies their names."""
    own = {n: n.upper() for n in names if len(n) == 1 and n.upper() in LETTERS}
    free = [letter for letter in LETTERS if letter not in own.values()]
    others = [n for n in names if n not in own]
    if len(others) > len(free) or len(set(own.values())) < len(own):
        return {n: n for n in names}
    return own | dict(zip(others, free, strict=False))


def nodes(cell: Cell) -> Iterable[int]:
    """The scalars of a cell."""
    if isinstance(cell, Expr):
        return [cell.handle]
    if isinstance(cell, Vector | Dyadic):
        return cell.parts.values()
    return [] if isinstance(cell, str) else [node for part in cell for node in nodes(part)]


def _is_sum(text: str) -> bool:
    """Whether a sign is outside all parentheses, after the beginning."""
    depth = 0
    for k, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if k and not depth and character in "+-" and text[k - 1] == " ":
            return True
    return False
