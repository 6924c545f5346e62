"""Expressions as text that is parsed to the same nodes.

Every text is tried in the usual notation (m*l**2/12) and, where that would read as other nodes, literally, operation by
operation; each is parsed again as a check. What is long or deep, or long and used more than once, becomes a definition,
so that no text grows with what it shares.
"""

import re
from collections import ChainMap, Counter
from collections.abc import Mapping, Sequence
from itertools import count
from keyword import iskeyword

from freebody.errors import ExpressionError, FileError, ParseError, Path, spelled
from freebody.io.limits import TEXT
from freebody.model.structure_names import parts_of
from freebody.scalar import notation
from freebody.scalar.functions import Table
from freebody.scalar.graph import Graph
from freebody.scalar.node import NONE, Node
from freebody.scalar.notation import ATOM, LITERAL, POWER, Notation, Piece, form, write, write_number
from freebody.scalar.numbers import Number
from freebody.scalar.ops import CALL, CONST, NEG, POW, SYMBOL, TABLE, WHERE
from freebody.scalar.parse import EXPONENT, FUNCTIONS, parse, tokens
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind
from freebody.scalar.walk import live, operands

LONGEST = 120  # characters of one text
DEEPEST = 16  # levels of one text
SHARED = 40  # characters of what is written again and again
LOCAL = int(Kind.INTERMEDIATE)
EXACT = Notation({**LITERAL.forms, POW: form("@0**@1", POWER, ATOM, ATOM)})
TIDY = Notation(notation.TEXT.forms, gathered=True)


class TextSlot:
    """A scalar that becomes text: its node, its path in the file, and within a law the names of the law's arguments."""

    __slots__ = ("handle", "inside", "path")

    def __init__(self, handle: Node, path: Path, inside: Mapping[Node, str]) -> None:
        self.handle, self.path, self.inside = handle, path, inside

    @property
    def context(self) -> str:
        return spelled(self.path)


class ExpressionTexts:
    """The texts of all scalars of a system, with the definitions and tables that they need."""

    def __init__(self, graph: Graph, slots: Sequence[TextSlot]) -> None:
        self.graph, self.slots = graph, slots
        self.words = {word for slot in slots for word in slot.inside.values()}
        self.taken = {*(s.name for s in graph.symbols), *FUNCTIONS, "pi", "length", "rate", *self.words}
        self.tables: dict[str, Table] = {}
        self.names: dict[Node, str] = {}  # texts of symbols and of definitions
        self.known: dict[str, Node] = {}  # the same the other way, less what belongs to one law
        self.laws = {i: {i: name} for slot in slots for i, name in slot.inside.items()}  # a node's symbols of its law
        self.aliases: dict[str, str] = {}  # definitions that stand for symbols whose names cannot be written
        self.texts: dict[Node, str] = {}  # definitions by node
        self.proved: dict[Node, str] = {}
        self.pieces: dict[Node, Piece] = {}  # in the usual notation
        self.literal: dict[Node, Piece] = {}  # operation by operation, where that was needed
        self.fragile: set[Node] = set()
        self._check()
        self._write(live(graph, [s.handle for s in slots]))

    def value(self, slot: TextSlot) -> int | float | str:
        """A number, or the text of an expression."""
        number = self.graph.number(slot.handle)
        if isinstance(number, int | float):
            return number
        return self._proved(slot.handle, slot.context)

    def definitions(self) -> dict[str, str]:
        """The definitions for the whole system, in an order in which they can be read."""
        return {self.names[i]: t for i, t in self.texts.items() if not self.graph.mask[i] & LOCAL}

    def local(self, slot: TextSlot) -> dict[str, str]:
        """The definitions of one law."""
        needed = live(self.graph, [slot.handle])
        return {self.names[i]: self.texts[i] for i in needed if i in self.texts and self.graph.mask[i] & LOCAL}

    # What cannot be written

    def _check(self) -> None:
        """Refuse users' functions, and symbols of one law outside it."""
        g = self.graph
        for slot in self.slots:
            if not g.calls and not g.mask[slot.handle] & LOCAL:
                continue
            for i in live(g, [slot.handle]):
                if g.op[i] == CALL:
                    raise FileError(
                        f"it calls the Python function '{g.calls[g.a[i]][0].name}', which a file cannot hold; use a"
                        " table, or an expression, or keep the model in Python",
                        key=slot.context,
                    )
                if g.op[i] == SYMBOL and g.mask[i] & LOCAL and i not in slot.inside:
                    raise FileError(
                        f"it uses '{g.symbols[g.a[i]].name}', which is defined in its own law only; use"
                        " a position's norm instead",
                        key=slot.context,
                    )

    # Names

    def _fresh(self, base: str) -> str:
        tries = (base if k == 1 else f"{base}_{k}" for k in count(1))
        name = next(n for n in tries if n not in self.taken)
        self.taken.add(name)
        return name

    def _symbol(self, i: Node) -> str:
        """The name of a symbol, or an alias for a name that cannot be written."""
        if i not in self.names:
            name = self.graph.symbols[self.graph.a[i]].name
            shadowed = name in self.words
            if i in self.laws:
                name = self.laws[i][i]
            elif shadowed or not all(map(can_be_written, parts_of(name))):
                alias = self._fresh(_word(name))
                self.aliases[alias] = name
                name = alias
            self._name(i, name)
        return self.names[i]

    def _name(self, i: Node, name: str) -> None:
        self.names[i] = name
        if i not in self.laws or i in self.texts:
            self.known[name] = i

    def _table(self, i: Node) -> str:
        table = self.graph.tables[self.graph.b[i]]
        for key, known in self.tables.items():
            if known is table or known == table:
                return key
        key = self._fresh(_word(table.name))
        self.tables[key] = table
        return key

    # Pieces of text

    def _write(self, order: Sequence[Node]) -> None:
        g, uses = self.graph, Counter(s.handle for s in self.slots)
        for i in order:
            uses.update(operands(g, i))
        for i in order:
            if g.mask[i] & LOCAL and i not in self.laws:  # what needs a law's arguments belongs to that law
                self.laws[i] = {s: name for k in operands(g, i) for s, name in self.laws.get(k, {}).items()}
            needed = (g.a[i],) if g.op[i] == WHERE else operands(g, i)
            if i in g.broken or any(k in self.fragile for k in needed):
                self.fragile.add(i)  # not finite outside a branch: it cannot stand alone
            self.pieces[i] = self._fitting(i)
            if uses[i] > 1 and self._length(i) > SHARED and i not in self.fragile:
                self._define(i)

    def _fitting(self, i: Node) -> Piece:
        """The text of a node, its longest operands made definitions until it fits."""
        while True:
            made = self._piece(i)
            if made.levels <= DEEPEST and len(made.text) <= LONGEST:
                return made
            inlined = [k for k in operands(self.graph, i) if self._cuttable(k)]
            if not inlined and len(made.text) > TEXT:
                raise self._unwritable(made.text, self._owner(i))
            if not inlined:
                return made
            self._define(max(inlined, key=self._length))

    def _cuttable(self, i: Node) -> bool:
        negative = self.graph.op[i] == NEG and self.pieces[self.graph.a[i]].levels == 0
        return self.pieces[i].levels > 0 and not negative and i not in self.fragile

    def _length(self, i: Node) -> int:
        return len(self.pieces[i].text) if self._cuttable(i) else 0

    def _define(self, i: Node) -> None:
        self.texts[i] = self._proved(i)
        self._name(i, self._fresh(f"d{len(self.texts)}"))
        self.proved[i] = self.names[i]
        self.pieces[i] = Piece(self.names[i], i, constant=self.graph.mask[i] <= PARAMETERS_ONLY)

    def _piece(self, i: Node) -> Piece:
        g, op = self.graph, self.graph.op[i]
        if op in (CONST, SYMBOL):
            return self._leaf(i)
        pieces = [self.pieces[k] for k in operands(g, i)]
        return write(TIDY, op, pieces, i, *([self._table(i)] if op == TABLE else []))

    def _exact(self, root: Node) -> Piece:
        """The text of a node operation by operation, down to leaves and definitions."""
        g, made, named = self.graph, self.literal, self.texts
        for i in live(g, [root], named):
            if i in made and i not in named:
                continue
            op = g.op[i]
            if op in (CONST, SYMBOL) or (i in named and i != root):
                made[i] = self.pieces[i]
                continue
            pieces = [self.pieces[k] if k in named else made[k] for k in operands(g, i)]
            made[i] = write(EXACT, op, pieces, i, *([self._table(i)] if op == TABLE else []))
        return made[root]

    def _leaf(self, i: Node) -> Piece:
        g = self.graph
        if g.op[i] == SYMBOL:
            return Piece(self._symbol(i), i, constant=g.mask[i] <= PARAMETERS_ONLY)
        if i in g.broken:
            return Piece(f"({g.broken[i]})", i)
        return write_number(EXACT, g.numbers[g.a[i]], i)

    # Proof

    def _proved(self, i: Node, context: str = "") -> str:
        """The first of a node's texts that reads as this node."""
        known = self.proved.get(i)
        if known is None:
            known = self.pieces[i].text
            if self._reads(known, i) != i:
                known = self._exact(i).text
                if self._reads(known, i) != i:
                    raise self._unwritable(known, context or self._owner(i))
            self.proved[i] = known
        return known

    def _owner(self, i: Node) -> str:
        """The path of the first scalar that needs a node."""
        return next(slot.context for slot in self.slots if i in live(self.graph, [slot.handle]))

    def _unwritable(self, text: str, context: str) -> FileError:
        shown = text if len(text) <= 80 else f"{text[:79]}…"
        return FileError(
            f"{shown} cannot be written as text: a power is beyond ±{EXPONENT}, or a branch has no finite value;"
            " change it, or keep the model in Python",
            key=context,
        )

    def _reads(self, text: str, i: Node) -> Node:
        laws = self.laws.get(i)
        known = ChainMap({name: symbol for symbol, name in laws.items()}, self.known) if laws else self.known
        try:
            return parse(self.graph, text, known, self.tables)
        except ExpressionError:
            return NONE


def can_be_written(name: str) -> bool:
    """Whether a name can be written in an expression."""
    try:
        found = list(tokens(name))
    except ParseError:
        return False
    return len(found) == 1 and found[0].kind == "name" and "".join(found[0].word.split()) == name


def _word(name: str) -> str:
    """A word similar to a name."""
    made = re.sub(r"\W+", "_", name).strip("_")
    return made if made.isidentifier() and not iskeyword(made) else f"x_{made}"


def exact_text(number: Number) -> int | float | str:
    """A number as it is written to a file: fractions are texts."""
    return number if isinstance(number, int | float) else str(number)
