"""Vectors, dyadics and scalars of a motion as a dynamicist writes them: b1, c2, …, q7, u7, C7, S7, P1 and Z1.

Bodies go by letters, B for the first; unit vectors by the small letter of the body in which they first appear; N is the
ground. Long or repeated scalars become variables, P where they are constant and Z where they are not. Numbers that are
not exact are shown to six digits.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from freebody.scalar.callback import Callback
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.notation import TEXT
from freebody.scalar.numbers import Number
from freebody.scalar.ops import COS, SIN, SYMBOL
from freebody.scalar.printing import Statement, statements
from freebody.scalar.symbol import PARAMETERS_ONLY, Label
from freebody.scalar.table import Table
from freebody.scalar.walk import live
from freebody.spatial.frame import Frame, Unit
from freebody.spatial.vector import Dyadic, Vector
from freebody.tree.forest import Forest

Cell = str | Expr | Vector | Dyadic | Sequence["Cell"]

LETTERS = "BCDEFGHIJKLMOPRSTVWXY"  # A is any parent, N the ground; Q, U, Z would read as scalars
HARD = "\xa0"  # a space at which no line is broken
LONGEST = 32


def number(value: Number) -> str:
    """Exact numbers as they are, others to six digits."""
    return f"{value:.6g}" if isinstance(value, float) else TEXT.number(value)


NOTATION = replace(TEXT, longest=LONGEST, number=number)


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


class Wording:
    """The texts of some cells of a forest, and the variables they need."""

    def __init__(self, forest: Forest, cells: Iterable[Cell]) -> None:
        self.graph, self.forest = forest.graph, forest
        self.letters = letters([link.name for link in forest.links])
        self.frames = self._frames()
        self.units = self._units()
        self.leaves = self._leaves()
        roots = list(dict.fromkeys(node for cell in cells for node in nodes(cell)))
        self.turns = self._turns(roots)
        first, _ = self._written(roots, self.turns)
        found, texts = self._written(roots, {**self.turns, **self._variables(first)})
        self.texts = dict(zip(roots, texts, strict=True))
        self.variables = [s for s in found if s.node not in self.turns]

    # Names

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

    def _leaves(self) -> dict[int, str]:
        layout = self.forest.layout
        q = {h: f"q{k + 1}" for k, h in enumerate(layout.q_handles)}
        return q | {h: f"u{k + 1}" for k, h in enumerate(layout.u_handles)}

    def _leaf(self, i: int) -> str:
        return self.leaves.get(i) or self.graph.symbols[self.graph.a[i]].name

    def _turns(self, roots: Sequence[int]) -> dict[int, list[Label]]:
        """S7 and C7 for the sine and cosine of q7."""
        g, found = self.graph, {}
        for i in live(g, roots):
            if g.op[i] in (SIN, COS) and g.op[g.a[i]] == SYMBOL and g.a[i] in self.leaves:
                found[i] = [Label(("S" if g.op[i] == SIN else "C") + self.leaves[g.a[i]][1:])]
        return found

    def _variables(self, first: Sequence[Statement]) -> dict[int, list[Label]]:
        """P1, P2, … and Z1, Z2, … for what the printer wants as variables."""
        made, count = dict[int, list[Label]](), {"P": 0, "Z": 0}
        for s in sorted(first, key=lambda s: s.node):
            if s.node not in self.turns:
                letter = "P" if self.graph.mask[s.node] <= PARAMETERS_ONLY else "Z"
                count[letter] += 1
                made[s.node] = [Label(f"{letter}{count[letter]}")]
        return made

    def _written(
        self, roots: Sequence[int], labels: Mapping[int, Sequence[Label]]
    ) -> tuple[list[Statement], list[str]]:
        constant = self.graph.mask
        return statements(
            Labelled(self.graph, labels), roots, self._leaf, NOTATION,
            constant=lambda i: constant[i] <= PARAMETERS_ONLY,
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
        return ", ".join(self._enclosed(part) for part in cell)

    def unit(self, e: Unit) -> str:
        return self.units.get(e) or f"{self.frames[e.frame]}{e.index + 1}"

    def _enclosed(self, cell: Cell) -> str:
        text = self(cell)
        return f"({text})" if isinstance(cell, Vector) and len(cell.parts) > 1 else text

    def _sum(self, terms: Iterable[tuple[int, str]]) -> str:
        """s1 e1 + s2 e2 − …"""
        text = ""
        for s, unit in terms:
            sign, factor = self._factor(s)
            joint = (" + ", " - ") if text else ("", "-")
            text += joint[sign] + factor + unit
        return text or "0"

    def _factor(self, s: int) -> tuple[bool, str]:
        """Whether it is negative, and the rest, with a space behind it where it is not one."""
        text = self.texts[s]
        if _is_sum(text):
            return False, f"({text}){HARD}"
        size = text.removeprefix("-")
        return text.startswith("-"), "" if size == "1" else f"{size}{HARD}"


def letters(names: Sequence[str]) -> dict[str, str]:
    """A letter for each body: its own name if that is one, else the next free one. Many bodies keep their names."""
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
    """Whether a sign stands outside all parentheses, behind the beginning."""
    depth = 0
    for k, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if k and not depth and character in "+-" and text[k - 1] == " ":
            return True
    return False
