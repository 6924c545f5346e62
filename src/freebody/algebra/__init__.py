"""Closed forms for reading: polynomials and quotients in symbols, sines and cosines, simplified.

Two nodes that are equal as polynomials in symbols, sines and cosines of linear combinations, roots and whatever other
functions they hold have the same closed form, so that questions of equality have exact answers.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from freebody.algebra.polynomial import LIMIT
from freebody.algebra.quotient import Quotient
from freebody.algebra.read import FinerUnit, QuotientReader, Scales
from freebody.algebra.write import FORMS, QuotientWriter
from freebody.errors import ExpressionError
from freebody.scalar import tex
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.notation import TEXT
from freebody.scalar.printing import written
from freebody.scalar.walk import live, require_finite
from freebody.tables import cut, short_formula

__all__ = [
    "LIMIT", "ClosedForm", "ClosedForms", "check_options", "closed_expressions", "closed_forms", "equal", "is_zero",
    "latex", "latex_matrix", "one_line", "text",
]  # fmt: skip

READABLE = 60
"""Nodes of an expression that is written in one line of a table."""

_INLINE, _INLINE_LATEX = (
    replace(notation, share=False, longest=sys.maxsize, deepest=sys.maxsize) for notation in (TEXT, tex.LATEX)
)


def closed_forms(g: Graph, nodes: Sequence[Node], angles: str = "shortest", limit: int = LIMIT) -> list[Node]:
    """The closed forms of nodes, as nodes of the same graph.

    ``angles`` chooses how sines and cosines are written: "products" of those of single angles, "sums" (no products of
    them at all: Fourier's form), or "shortest", term by term whatever leaves less to read. ``limit`` is the number of
    terms that a polynomial may have on the way.
    """
    check_options(angles, limit)
    writer, values = _read(g, nodes, angles, limit)
    return [writer.write(value) for value in values]


def check_options(angles: str, limit: int) -> None:
    """Raise an ExpressionError for an unknown form of sines and cosines, or a limit below one term."""
    if not isinstance(angles, str) or angles not in FORMS:
        raise ExpressionError(f"angles={angles!r} is not known: there are {', '.join(map(repr, FORMS))}")
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise ExpressionError(f"limit must be a number of terms, an integer from 1 on, not {limit!r}")


def is_zero(g: Graph, node: Node, limit: int = LIMIT) -> bool:
    """Whether a node is 0 for all values of its symbols, as far as polynomials in its atoms can tell."""
    return not _read(g, [node], "products", limit)[1][0].num


def equal(g: Graph, a: Node, b: Node, limit: int = LIMIT) -> bool:
    """Whether two nodes are equal for all values of their symbols, as far as polynomials in their atoms can tell."""
    return is_zero(g, g.sub(a, b), limit)


def _read(g: Graph, nodes: Sequence[Node], angles: str, limit: int) -> tuple[QuotientWriter, list[Quotient]]:
    """The quotients of nodes; read again with smaller units where an argument needs a fraction of an angle."""
    require_finite(g, nodes, "closed form")
    scales: Scales = {}
    while True:
        reader = QuotientReader(g, limit, dict(scales))
        writer = QuotientWriter(reader, angles)
        reader.write = writer.write
        try:
            return writer, reader.read(nodes)
        except FinerUnit as finer:
            scales = reader.angles.scales | finer.args[0]


def text(g: Graph, node: Node) -> str:
    """A node in one line, whatever it repeats."""
    return written(g, node, _INLINE)[1]


def one_line(x: Expr) -> str:
    """An expression in one line, for tables; one of many operations only as words."""
    short = str(x)
    if "\n" not in short:
        return short
    return text(x.graph, x.handle) if len(live(x.graph, [x.handle])) <= READABLE else "a longer expression"


def latex(g: Graph, node: Node) -> str:
    """A node as one formula, in LaTeX's mathematical mode."""
    return written(g, node, _INLINE_LATEX)[1]


def latex_matrix(rows: Iterable[Iterable[Expr]]) -> str:
    """A bmatrix of expressions, each as one formula."""
    lines = (" & ".join(latex(x.graph, x.handle) for x in row) for row in rows)
    return "\\begin{bmatrix}\n" + " \\\\\n".join(lines) + "\n\\end{bmatrix}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ClosedForm(Expr):
    """An expression in closed form; what is computed with it is an expression like any other."""

    def __str__(self) -> str:
        return text(self.graph, self.handle)

    def __repr__(self) -> str:
        return cut(str(self), "str(…)")

    def to_latex(self) -> str:
        """One formula, for LaTeX's mathematical mode."""
        return latex(self.graph, self.handle)

    def _repr_latex_(self) -> str | None:
        return short_formula(self.to_latex())


class ClosedForms(dict[tuple[str, ...], ClosedForm]):
    """Closed forms by name. ``symbol`` stands for what they are, ``whole`` is a call that returns them."""

    def __init__(self, forms: Mapping[tuple[str, ...], ClosedForm], symbol: str) -> None:
        super().__init__(forms)
        self.symbol = symbol

    def __repr__(self) -> str:
        lines = (f"{self.symbol}[{', '.join(names)}] = {form}" for names, form in self.items())
        return cut("\n".join(lines) or f"{self.symbol} = 0", "str() of each entry")

    def _repr_latex_(self) -> str | None:
        """Each form on a line of its own."""
        lines = []
        for names, form in self.items():
            index = ",".join(tex.name(name) for name in names)
            lines.append(f"{self.symbol}_{{{index}}} &= {form.to_latex()}")
        aligned = " \\\\\n".join(lines) or f"{self.symbol} &= 0"
        return short_formula(f"\\begin{{aligned}}\n{aligned}\n\\end{{aligned}}")


def closed_expressions(g: Graph, nodes: Sequence[Node], angles: str, limit: int | None = None) -> list[ClosedForm]:
    """The closed forms of nodes as expressions."""
    return [ClosedForm(g, node) for node in closed_forms(g, nodes, angles, LIMIT if limit is None else limit)]
