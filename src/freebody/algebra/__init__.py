"""Closed forms for reading: polynomials and quotients in symbols, sines and cosines, simplified.

Two nodes that are equal as polynomials in symbols, sines and cosines of linear combinations, roots and whatever other
functions they hold have the same closed form, so that questions of equality have exact answers.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from freebody.algebra.polynomial import LIMIT
from freebody.algebra.quotient import Quotient
from freebody.algebra.read import FinerUnit, QuotientReader, Scales
from freebody.algebra.write import FORMS, QuotientWriter
from freebody.errors import ExpressionError
from freebody.scalar import tex
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.notation import TEXT
from freebody.scalar.printing import written
from freebody.scalar.walk import require_finite

__all__ = [
    "LIMIT", "ClosedForm", "check_options", "closed_expressions", "closed_forms", "equal", "is_zero", "latex", "text",
]  # fmt: skip

_INLINE, _INLINE_LATEX = (
    replace(notation, share=False, longest=sys.maxsize, deepest=sys.maxsize) for notation in (TEXT, tex.LATEX)
)


def closed_forms(g: Graph, nodes: Sequence[int], angles: str = "shortest", limit: int = LIMIT) -> list[int]:
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


def is_zero(g: Graph, node: int, limit: int = LIMIT) -> bool:
    """Whether a node is 0 for all values of its symbols, as far as polynomials in its atoms can tell."""
    return not _read(g, [node], "products", limit)[1][0].num


def equal(g: Graph, a: int, b: int, limit: int = LIMIT) -> bool:
    """Whether two nodes are equal for all values of their symbols, as far as polynomials in their atoms can tell."""
    return is_zero(g, g.sub(a, b), limit)


def _read(g: Graph, nodes: Sequence[int], angles: str, limit: int) -> tuple[QuotientWriter, list[Quotient]]:
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


def text(g: Graph, node: int) -> str:
    """A node in one line, whatever it repeats."""
    return written(g, node, _INLINE)[1]


def latex(g: Graph, node: int) -> str:
    """A node as one formula, in LaTeX's mathematical mode."""
    return written(g, node, _INLINE_LATEX)[1]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ClosedForm(Expr):
    """An expression in closed form; what is computed with it is an expression like any other."""

    def __repr__(self) -> str:
        return text(self.graph, self.handle)

    def to_latex(self) -> str:
        """One formula, for LaTeX's mathematical mode."""
        return latex(self.graph, self.handle)

    def _repr_latex_(self) -> str:
        return f"${self.to_latex()}$"


def closed_expressions(g: Graph, nodes: Sequence[int], angles: str, limit: int | None = None) -> list[ClosedForm]:
    """The closed forms of nodes as expressions."""
    return [ClosedForm(g, node) for node in closed_forms(g, nodes, angles, LIMIT if limit is None else limit)]
