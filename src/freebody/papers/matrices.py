"""Matrices of expressions: indexed like nested lists, printed as text, LaTeX or SymPy."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, overload

import numpy as np

from freebody.algebra import ClosedForm, closed_forms, latex_matrix
from freebody.errors import ArgumentError
from freebody.keywords import hint_keywords
from freebody.scalar.expr import Expr, equals_number
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.ops import OPS
from freebody.scalar.walk import live
from freebody.spatial.vector import handle
from freebody.tables import cut, short_formula

Row = tuple[Expr, ...]


@hint_keywords
class Matrix(Sequence[Row]):
    """Rows of expressions: ``A[i]`` is a row, ``A[i, j]`` an entry."""

    def __init__(self, rows: Iterable[Iterable[Expr]]) -> None:
        self.rows: tuple[Row, ...] = tuple(tuple(row) for row in rows)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0]) if self.rows else 0

    def __len__(self) -> int:
        return len(self.rows)

    @overload  # type: ignore[override]
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: tuple[int, int]) -> Expr: ...
    def __getitem__(self, index: int | tuple[int, int]) -> Row | Expr:
        return self.rows[index[0]][index[1]] if isinstance(index, tuple) else self.rows[index]

    def text(self, name: str = "") -> str:
        """An entry a line, those that are 0 left out."""
        entries = ((i, j, x) for i, row in enumerate(self) for j, x in enumerate(row))
        lines = [f"{name}[{i}, {j}] = {x}" for i, j, x in entries if not equals_number(x, 0)]
        return "\n".join(lines) or f"{name} = 0"

    def latex(self) -> str:
        """A bmatrix."""
        return latex_matrix(self)

    def to_sympy(self) -> Any:
        """SymPy's matrix of the same entries."""
        import sympy

        from freebody.printing.sympy import to_sympy

        flat = [x for row in self for x in row]
        return sympy.Matrix(*self.shape, to_sympy(flat[0].graph, [x.handle for x in flat]) if flat else [])

    @property
    def operations(self) -> int:
        """Additions, multiplications and divisions of all entries, what they share counted once."""
        flat = [x for row in self for x in row]
        needed = live(flat[0].graph, [x.handle for x in flat]) if flat else []
        return sum(OPS[flat[0].graph.op[i]].cost in ("add", "mul", "div") for i in needed)

    def closed_form(self, angles: str = "shortest") -> "Matrix":
        """Every entry in closed form."""
        return shown(self.rows[0][0].graph, [[x.handle for x in row] for row in self], angles)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return cut(self.text(), "str(…)")

    def _repr_latex_(self) -> str | None:
        return short_formula(self.latex())


def shown(g: Graph, rows: Sequence[Sequence[Node]], angles: str | None = None) -> Matrix:
    """Nodes as a matrix; with ``angles`` in closed form."""
    if angles is None:
        return Matrix([Expr(g, x) for x in row] for row in rows)
    forms = iter(closed_forms(g, [x for row in rows for x in row], angles))
    return Matrix([ClosedForm(g, next(forms)) for _ in row] for row in rows)


def graph_of(*values: Any) -> Graph | None:
    """The graph of the first expression in nested sequences."""
    for x in values:
        if isinstance(x, Expr):
            return x.graph
        if isinstance(x, Sequence) and not isinstance(x, str):
            graph = graph_of(*x)
            if graph is not None:
                return graph
    return None


def entries(value: Any, context: str) -> list[Any]:
    """The entries of a list, a tuple or an array."""
    single = isinstance(value, str | bytes | Mapping) or (isinstance(value, np.ndarray) and value.ndim == 0)
    if single or not isinstance(value, Iterable):
        raise ArgumentError(f"{context} must be a list, not {value!r}")
    return list(value)


def handles(g: Graph, rows: Sequence[Sequence[Any]], context: str) -> list[list[Node]]:
    """The nodes of nested sequences of expressions, texts and numbers, all rows of one length."""
    listed = [entries(row, f"a row of {context}") for row in entries(rows, context)]
    nodes = [[handle(g, x, f"{context} holds scalars") for x in row] for row in listed]
    if len({len(row) for row in nodes}) > 1:
        raise ArgumentError(
            f"{context}: its rows have {', '.join(str(len(row)) for row in nodes)} entries; make them equally long"
        )
    return nodes
