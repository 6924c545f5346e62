"""Printing of nodes: infix text with the fewest parentheses, divided into named variables.

A variable is introduced where a node is used twice or more, is labelled by a formulation, or would make a text of more
than 100 characters or 12 levels. Leaves, numbers and their negatives never become variables. The printer goes through
the nodes in order, operands first, and never recurses.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from freebody.scalar import tex
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.notation import LEAVES, TEXT, Notation, OperationForm, Piece, write, write_form, write_number
from freebody.scalar.ops import CALL, COMPARISONS, CONST, COS, MUL, NEG, OPS, SIN, SYMBOL, TABLE, WHERE
from freebody.scalar.symbol import PARAMETERS_ONLY, Label
from freebody.scalar.walk import Nodes, live, operands


@dataclass(frozen=True, slots=True)
class Statement:
    """name = text, for a node, and what it is."""

    name: str
    text: str
    description: str
    node: Node


class UniqueNames:
    """Names for leaves and variables, as a notation writes them, each once.

    ``labels`` are those of later parts: no variable without a label takes their names.
    """

    def __init__(self, write: Callable[[str], str] = str, labels: Iterable[str] = ()) -> None:
        self.write = write
        self.taken: set[str] = set()
        self.functions = {write(o.name) for o in OPS}
        self.announced = {write(name) for name in labels}
        self.leaves: dict[str, str] = {}
        self.written: set[str] = set()  # the texts of leaves
        self.tried: Counter[str] = Counter()

    def leaf(self, name: str) -> str:
        """The text of a leaf, the same every time."""
        if name not in self.leaves:
            text = self.write(name)
            self.leaves[name] = self.take(name) if text in self.written or text in self.taken else text
            self.written.add(self.leaves[name])
        return self.leaves[name]

    def take(self, name: str) -> str:
        """The name, with a number behind it if it is taken."""
        text = self.write(name)
        while self._known(text):
            self.tried[name] += 1
            text = self.write(f"{name}_{self.tried[name] + 1}")
        self.taken.add(text)
        return text

    def next(self) -> str:
        """t1, t2, …"""
        text = ""
        while not text or self._known(text) or text in self.announced:
            self.tried[""] += 1
            text = self.write(f"t{self.tried['']}")
        self.taken.add(text)
        return text

    def _known(self, text: str) -> bool:
        return text in self.taken or text in self.written or text in self.functions


def statements(
    nodes: Nodes,
    roots: Sequence[Node],
    leaf: Callable[[Node], str],
    notation: Notation = TEXT,
    names: UniqueNames | None = None,
    function: Callable[[Node], str] | None = None,
    constant: Callable[[Node], bool] = lambda handle: False,
) -> tuple[list[Statement], list[str]]:
    """The variables that the roots need, in an order in which they can be computed, and the texts of the roots.

    ``leaf`` names a symbol's (or load's) node and ``function`` a TABLE's or CALL's; the notation writes both names.
    ``constant`` says which leaves are parameters: these come first in products.
    """

    def own_name(i: Node) -> str:
        return nodes.tables[nodes.b[i]].name if nodes.op[i] == TABLE else nodes.calls[nodes.a[i]][0].name

    printer = _Printer(nodes, leaf, notation, names or UniqueNames(notation.name), function or own_name, constant)
    return printer.run(roots)


@dataclass
class _Printer:
    """One pass over the nodes that some roots need."""

    nodes: Nodes
    leaf: Callable[[Node], str]
    notation: Notation
    names: UniqueNames
    function: Callable[[Node], str]
    constant: Callable[[Node], bool]
    pieces: dict[Node, Piece] = field(default_factory=dict)
    labelled: dict[Node, str] = field(default_factory=dict)
    statements: list[Statement] = field(default_factory=list)

    def run(self, roots: Sequence[Node]) -> tuple[list[Statement], list[str]]:
        nodes, notation, op, labels = self.nodes, self.notation, self.nodes.op, self.nodes.labels
        order = live(nodes, roots)
        for i in order:  # leaves and labels get their names before any other variable
            if op[i] == SYMBOL:
                self.names.leaf(self.leaf(i))
        for i in order:
            if i in labels and op[i] not in LEAVES:
                self.labelled[i] = self.names.take(labels[i][0].name)
        uses, left = Counter(roots), Counter(roots)
        for i in order:
            used = operands(nodes, i)
            left.update(used)
            uses.update(set(used) if op[i] == MUL and notation.gathered else used)  # x·x is x**2 where powers are
        whole = not notation.share and notation.longest == sys.maxsize
        for i in order:
            self.pieces[i] = self._piece(i)
            if i in self.labelled:
                wanted = not (op[i] == NEG and op[nodes.a[i]] in LEAVES)
            else:
                wanted = uses[i] > 1 and self.pieces[i].levels > 0 and not self._signed(i)
            if wanted and notation.share:
                self._introduce(i)
            for k in operands(nodes, i) if whole else ():
                left[k] -= 1
                if not left[k]:  # in a long sum each operand holds the text of all terms before it
                    del self.pieces[k]
        return self.statements, [self._value(self.pieces[r]).text for r in roots]

    def _signed(self, i: Node) -> bool:
        """Whether this is the negative of a name or a number."""
        return self.nodes.op[i] == NEG and self.pieces[self.nodes.a[i]].levels == 0

    def _piece(self, i: Node) -> Piece:
        """The text of a node, its operands cut off into variables until it fits."""
        op, notation, used = self.nodes.op[i], self.notation, operands(self.nodes, i)
        if op == CONST:
            return write_number(notation, self.nodes.numbers[self.nodes.a[i]], i)
        if op == SYMBOL:
            return Piece(self.names.leaf(self.leaf(i)), i, constant=self.constant(i))
        name = (notation.name(self.function(i)),) if op in (TABLE, CALL) else ()
        while True:
            pieces = [self._value(self.pieces[k]) for k in used]
            if op == WHERE and self.pieces[used[0]].comparison:
                pieces[0] = self.pieces[used[0]]
            elif op == WHERE:
                pieces[0] = self._as(notation.condition, pieces[0])
            piece = write(notation, op, pieces, i, *name)
            deep = piece.levels > notation.deepest
            inlined = [k for k in used if self.pieces[k].levels and not self._signed(k)]
            if not inlined or not (deep or len(piece.text) > notation.longest):
                return replace(piece, comparison=True) if op in COMPARISONS else piece
            self._introduce(max(inlined, key=lambda k: self.pieces[k].levels if deep else len(self.pieces[k].text)))

    def _value(self, piece: Piece) -> Piece:
        """A piece used as a number."""
        return self._as(self.notation.truth, piece) if piece.comparison else piece

    def _as(self, form: OperationForm | None, piece: Piece) -> Piece:
        return piece if form is None else write_form(self.notation, form, [piece], piece.node)

    def _introduce(self, i: Node) -> None:
        """Make a node a variable."""
        piece, nodes, a = self._value(self.pieces[i]), self.nodes, self.nodes.a[i]
        if i in self.labelled:
            name = self.labelled[i]
        elif nodes.op[i] in (SIN, COS) and nodes.op[a] == SYMBOL:  # s_q1 and c_q1 for the sine and cosine of q1
            angle = re.sub(r"\W+", "_", self.leaf(a)).strip("_")
            name = self.names.take(f"{'s' if nodes.op[i] == SIN else 'c'}_{angle}")
        else:
            name = self.names.next()
        self.statements.append(Statement(name, piece.text, describe(self.nodes.labels.get(i, ())), i))
        self.pieces[i] = Piece(name, i, constant=piece.constant)


def describe(labels: Sequence[Label]) -> str:
    """The description of a node: of its first label, and the other labels behind it."""
    if not labels:
        return ""
    others = [f"also {x.name}" + (f" ({x.description})" if x.description else "") for x in labels[1:]]
    return "; ".join([*([labels[0].description] if labels[0].description else []), *others])


def written(graph: Graph, handle: Node, notation: Notation) -> tuple[list[Statement], str]:
    """The variables of an expression and its text; a label of the whole is left out."""
    variables, (last,) = statements(
        graph,
        [handle],
        lambda i: graph.symbols[graph.a[i]].name,
        notation,
        constant=lambda i: graph.mask[i] <= PARAMETERS_ONLY,
    )
    labelled = variables and variables[-1].node == handle
    return (variables[:-1], variables[-1].text) if labelled else (variables, last)


def text(graph: Graph, handle: Node) -> str:
    """An expression in one line, or its variables line by line and the expression last."""
    variables, last = written(graph, handle, TEXT)
    lines = [f"{s.name} = {s.text}" + (f"  # {s.description}" if s.description else "") for s in variables]
    return "\n".join([*lines, last])


def latex(graph: Graph, handle: Node) -> str:
    """An expression in LaTeX's mathematical mode; where it needs variables, an ``aligned`` with the expression last."""
    variables, last = written(graph, handle, tex.LATEX)
    if not variables:
        return last
    lines = [f"{s.name} &= {s.text}" + tex.remark(s.description) for s in variables]
    return "\n".join([r"\begin{aligned}", *(f"{line} \\\\" for line in lines), f"& {last}", r"\end{aligned}"])
