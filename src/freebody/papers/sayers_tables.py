"""The tables of Sayers (1991) for any system: Tables 2 and 7–10, and q̇.

Bodies have letters, B for the first; unit vectors the small letter of the body in which they first appear (b1, c2, …);
N is the ground. Coordinates, speeds, sines and cosines are q7, u7, S7, C7. Long or repeated scalars become variables, P
where they are constant and Z where they are not. Numbers that are not exact are shown to six digits.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from textwrap import wrap

from freebody.papers.composite import turns
from freebody.papers.partial_velocities import Partials, axis
from freebody.papers.sayers import Sayers
from freebody.scalar.expr import Expr
from freebody.scalar.node import Node
from freebody.scalar.notation import TEXT
from freebody.scalar.ops import COS, SIN, SYMBOL
from freebody.scalar.printing import Statement, statements
from freebody.scalar.symbol import PARAMETERS_ONLY, Label
from freebody.scalar.walk import live
from freebody.spatial.frame import Unit
from freebody.spatial.vector import Dyadic, Vector, sum_of_terms
from freebody.tree.tree import Tree

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
    ("ᴬω^B", "rotor, 1 DOF: Σ u_r d_rot over the joint's speeds; 3 DOF: no increment, 0"),
    ("ω^B", "rotor, 1 DOF: «ω^A' + ᴬω^B»; 3 DOF: u_1 b1 + u_2 b2 + u_3 b3"),
    ("ω_i^B", "rotor, 1 DOF: «ω_i^A·A» (·B) + ᴬω_i^B; 3 DOF: b1, b2, b3"),
    ("α_rem^B", "rotor, 1 DOF: «α_rem^A·A» (·B) + ω^A' × ᴬω^B; 3 DOF: 0"),
    ("α_rem^AB", "rotor, 1 DOF: ω^A' × ᴬω^B; 3 DOF: no increment, 0"),
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
PROPERTIES = (
    "Unit vectors", "Composite mass", "Inertia dyadic I^Bc*", "Mass centre r^B₀B*", "Joint point", "Translational q",
    "Translational u", "Directions of these q", "Directions of these u", "Rotational q", "Rotational u",
    "Directions of these q", "Directions of these u",
)  # fmt: skip
NOTE = (
    "B* is the mass centre of the composite body; for a fixed body read B₀. With standard speeds all joints follow the"
    " recursive formulas."
)


def tables(sayers: Sayers) -> str:
    """Tables 2, 7–10 and the kinematical equations as text of at most 100 columns."""
    sections = {
        "Table 2. Body and joint properties": _properties(sayers),
        "Table 8. Rotational velocity and acceleration": _rotation(sayers),
        "Table 10. Translational velocity and acceleration": _translation(sayers),
    }
    rates = [Expr(sayers.graph, h) for h in sayers.q_dot]
    cells = [cell for rows in sections.values() for _, row in rows for cell in row]
    notation = SayersNotation(sayers.tree, [*cells, *rates])
    names = [notation.letters[link.name] for link in sayers.links]
    two, eight, ten = (_section(notation, title, rows, names) for title, rows in sections.items())
    parts = [
        f"{sayers.tree.model.name}: {sayers.speeds} speeds",
        _overview(sayers, notation.letters),
        two,
        _list("Table 7. Formulas of rotation", ((label.ljust(MARGIN), text) for label, text in TABLE_7)),
        eight,
        _list("Table 9. Formulas of translation", ((label.ljust(MARGIN), text) for label, text in TABLE_9)),
        "\n".join(_hanging("", NOTE)),
        ten,
        _list(
            "Kinematical equations (Eqs 20-29)", ((f"q{k + 1}' = ".rjust(9), notation(r)) for k, r in enumerate(rates))
        ),
        _list("Variables", ((f"{s.name} = ".rjust(9), s.text) for s in notation.variables)),
    ]
    return "\n\n".join(parts) + "\n"


# What stands in the tables, body by body


def _overview(sayers: Sayers, letters: Mapping[str, str]) -> str:
    """A line for each body: its name, parent, level, children and treatment; columns as wide as their widest entry."""
    rows = [["Body", "Name", "Parent", "Level", "Children", "Fixed", "Translation", "Rotation"]]
    for body in sayers.composites:
        link = body.link
        children = ", ".join(letters[c.name] for c in sayers.links if c.parent is link)
        fixed = ", ".join(letters[c.name] for c in body.children)
        parent = letters[link.parent.name] if link.parent is not None else "N"
        rows.append(
            [
                letters[link.name],
                link.name,
                parent,
                str(len(link.path_to_root())),
                children,
                fixed,
                str(body.translation),
                str(body.rotation),
            ]
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def _properties(sayers: Sayers) -> list[Row]:
    """Table 2. The coordinates of a free joint are along its parent's axes; the axes of three angles are those of three
    simple rotations, the second one in the body's basis (Table 4)."""
    columns: list[list[Cell]] = []
    for link, body in zip(sayers.links, sayers.composites, strict=True):
        placement, joint = link.body.placement, link.body.spec.joint
        of_slides = [q for q, unit in zip(link.body.q, joint.units[0], strict=True) if unit == "m"]
        of_turns = [q for q, unit in zip(link.body.q, joint.units[0], strict=True) if unit != "m"]
        slides: Partials = {i: s for i, t, s in zip(link.u, link.turns, link.slides, strict=True) if s and not t}
        if sayers.tables.slides_freely(link):
            slides = sayers.tables.drifts[link.index].partials
        spins = {i: t for i, t in zip(link.u, link.turns, strict=True) if t}
        along = [s for t, s in zip(placement.turns, placement.slides, strict=True) if s and not t][: len(of_slides)]
        if joint.coordinates[:3] == ("x", "y", "z"):
            along = [axis(link.base, k) for k in range(3)]
        about: Cell = turns(link)
        if len(turns(link)) > 1:
            last, *more = link.frame.line()[1:4]
            axes = [axis(f, f.up.axis) for f in (*reversed(more), last) if f.up is not None and f.up.axis is not None]
            about = "quaternion" if len(axes) < 3 else [axes[0], axes[1].within(last), axes[2]]
        speeds = [[Expr(sayers.graph, sayers.tree.layout.u_handles[i]) for i in of] for of in (slides, spins)]
        columns.append(
            [
                [axis(link.frame, k) for k in range(3)],
                Expr(sayers.graph, body.mass),
                body.inertia,
                body.centre,
                list(link.body.offset.resolve(link.base)),
                of_slides,
                speeds[0],
                along,
                list(slides.values()),
                of_turns,
                speeds[1],
                about,
                list(spins.values()),
            ]
        )
    return list(zip(PROPERTIES, zip(*columns, strict=True), strict=True))


def _rotation(sayers: Sayers) -> list[Row]:
    """Table 8. Three rotations whose speeds are components of ω^B add nothing to the parent's."""
    spins, nothing = sayers.tables.spins, sayers.tables.nothing
    free = [sayers.tables.turns_freely(link) for link in sayers.links]
    return [
        ("ω^A'", [s.carried for s in spins]),
        ("ᴬω^B", [nothing if is_free else s.relative for s, is_free in zip(spins, free, strict=True)]),
        ("ω^B", [s.w for s in spins]),
        ("ω_i^A'", [_by_speed(sayers, s.carried_partials) for s in spins]),
        ("ᴬω_i^B", [_by_speed(sayers, s.own) for s in spins]),
        ("ω_i^B", [_by_speed(sayers, s.partials) for s in spins]),
        ("α_rem^B", [s.alpha for s in spins]),
        ("α_rem^AB", [s.increment for s in spins]),
    ]


def _translation(sayers: Sayers) -> list[Row]:
    """Table 10. A body that is nonrecursive is native (N_i^B) to all its own speeds."""
    tables, drifts, names = sayers.tables, sayers.tables.drifts, letters([link.name for link in sayers.links])
    natives = [["N" if body is None else names[body.name] for body in tables.natives(link)] for link in sayers.links]
    return [
        ("r^A*B₀", [d.arm for d in drifts]),
        ("v_i^A*B*", [_by_speed(sayers, d.increments) for d in drifts]),
        ("N_i^B", natives),
        ("v_i^B*", [_by_speed(sayers, d.partials) for d in drifts]),
        ("a_rem^B*", [d.a for d in drifts]),
        ("R^B", [tables.rotation(link) for link in sayers.links]),
    ]


def _by_speed(sayers: Sayers, partials: Partials) -> Cell:
    return [partials.get(i, Vector(sayers.graph, {})) for i in range(len(sayers.tree.layout.u))]


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


# Notation


class SayersNotation:
    """The texts of some cells of a tree as a dynamicist writes them, and the variables they need."""

    def __init__(self, tree: Tree, cells: Iterable[Cell]) -> None:
        self.graph, self.tree = tree.graph, tree
        self.letters = letters([link.name for link in tree.links])
        self.frames = {tree.root: "n"}  # frames within a joint keep their marks: b', b''
        self.units = {e: f"n{k + 1}" for k, (_, e) in enumerate(tree.root.basis)}  # each named where it first appears
        for link in tree.links:
            letter, frame = self.letters[link.name], link.body.frame
            small = letter.lower() if len(letter) == 1 else letter
            while frame not in self.frames:
                self.frames[frame] = small + frame.name.removeprefix(link.name) if len(letter) == 1 else frame.name
                frame = frame.parent or tree.root
            for k, (sign, e) in enumerate(link.frame.basis):
                if sign > 0 and e not in self.units:
                    self.units[e] = f"{small}{k + 1}"
        g, labels, count = self.graph, dict[Node, list[Label]](), {"P": 0, "Z": 0}
        groups = (("q", tree.layout.q_handles), ("u", tree.layout.u_handles))
        leaves = {h: f"{letter}{k + 1}" for letter, group in groups for k, h in enumerate(group)}
        roots = list(dict.fromkeys(node for cell in cells for node in nodes(cell)))
        for i in live(g, roots):  # S7 and C7 for the sine and cosine of q7
            if g.op[i] in (SIN, COS) and g.op[g.a[i]] == SYMBOL and g.a[i] in leaves:
                labels[i] = [Label(("S" if g.op[i] == SIN else "C") + leaves[g.a[i]][1:])]

        def written() -> tuple[list[Statement], list[str]]:
            """The variables that the labels leave to the printer, and the texts of the roots."""
            variables, texts = statements(
                labelled,
                roots,
                lambda i: leaves.get(i) or g.symbols[g.a[i]].name,
                NUMBERS,
                constant=lambda i: g.mask[i] <= PARAMETERS_ONLY,
            )
            return [s for s in variables if s.node not in turning], texts

        labelled, turning = g.fork(), set(labels)
        labelled.labels = labels
        for s in sorted(written()[0], key=lambda s: s.node):
            letter = "P" if g.mask[s.node] <= PARAMETERS_ONLY else "Z"
            count[letter] += 1
            labels[s.node] = [Label(f"{letter}{count[letter]}")]
        self.variables, texts = written()
        self.texts = dict(zip(roots, texts, strict=True))

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

    def _sum(self, terms: Iterable[tuple[Node, str]]) -> str:
        """s1 e1 + s2 e2 − …"""
        return sum_of_terms(((self.texts[s], unit) for s, unit in terms), HARD)


def letters(names: Sequence[str]) -> dict[str, str]:
    """A letter for each body: its own name if that is one, else the next free one; of many bodies their names."""
    named = {n: n.upper() for n in names if len(n) == 1 and n.upper() in LETTERS}
    free = [letter for letter in LETTERS if letter not in named.values()]
    others = [n for n in names if n not in named]
    if len(others) > len(free) or len(set(named.values())) < len(named):
        return {n: n for n in names}
    return named | dict(zip(others, free, strict=False))


def nodes(cell: Cell) -> Iterable[Node]:
    """The scalars of a cell."""
    if isinstance(cell, Expr):
        return [cell.handle]
    if isinstance(cell, Vector | Dyadic):
        return cell.parts.values()
    return [] if isinstance(cell, str) else [node for part in cell for node in nodes(part)]
