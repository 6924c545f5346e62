"""Closed forms as users meet them: expressions that print in one piece, whatever they repeat."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from freebody.algebra import closed
from freebody.algebra.ring import LIMIT
from freebody.scalar import tex
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.notation import TEXT, Notation
from freebody.scalar.printing import written


def whole(notation: Notation) -> Notation:
    """The notation without variables of its own."""
    return replace(notation, share=False, longest=sys.maxsize, deepest=sys.maxsize)


INLINE, INLINE_LATEX = whole(TEXT), whole(tex.LATEX)


def text(g: Graph, node: int) -> str:
    """A node in one line."""
    return written(g, node, INLINE)[1]


def latex(g: Graph, node: int) -> str:
    """A node as one formula, in LaTeX's mathematical mode."""
    return written(g, node, INLINE_LATEX)[1]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Closed(Expr):
    """An expression that stands in closed form; what is computed with it is an expression like any other."""

    def __str__(self) -> str:
        return text(self.graph, self.handle)

    def __repr__(self) -> str:
        return text(self.graph, self.handle)

    def to_latex(self) -> str:
        """One formula, for LaTeX's mathematical mode."""
        return latex(self.graph, self.handle)

    def _repr_latex_(self) -> str:
        return f"${self.to_latex()}$"


def closed_expressions(g: Graph, nodes: Sequence[int], angles: str, limit: int | None = None) -> list[Closed]:
    """The closed forms of nodes."""
    return [Closed(g, node) for node in closed(g, nodes, angles, LIMIT if limit is None else limit)]
