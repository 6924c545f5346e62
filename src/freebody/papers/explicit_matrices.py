"""Equations of motion as matrices, for reading and for control."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from freebody.algebra import LIMIT, Closed, check_options
from freebody.errors import ArgumentError
from freebody.formulations.equations import Equations as Catalogue
from freebody.formulations.poincare import Poincare
from freebody.papers.explicit import Explicit as Nodes
from freebody.papers.matrices import Matrix
from freebody.program.program import Program
from freebody.quantities.points import require_standard
from freebody.scalar.expr import Expr
from freebody.tree.forest import span

Part = Matrix | tuple[Expr, ...]
PARTS: dict[str, "Callable[[Explicit], Part]"] = {
    "M": lambda e: e.M, "C": lambda e: e.C, "F": lambda e: e.F, "V": lambda e: e.V, "Q": lambda e: e.Q,
}  # fmt: skip


class Explicit:
    """M(q) ṗ + C(q, p) p + F(q) = Q, q̇ = V(q) p, with p the speeds u (Kwatny & Blankenship Eqs 53a–c): matrices of
    expressions, each derived when it is first asked for. ``q`` and ``p`` are the symbols; F is the gradient of
    ``potential`` along the speeds; Q holds tau (``tau.…``), loads and what joints do beside their springs."""

    def __init__(self, catalogue: Catalogue, skew: bool, angles: str | None, limit: int | None = None) -> None:
        require_standard(catalogue, "explicit", exact=True)
        limit = LIMIT if limit is None else limit
        check_options("shortest" if angles is None else angles, limit)
        self._nodes = Nodes(span(catalogue.forest.system), skew, angles, limit)
        self.graph, layout = self._nodes.graph, self._nodes.layout
        self.q = tuple(Expr(self.graph, h) for h in layout.q_handles)
        self.p = tuple(Expr(self.graph, h) for h in layout.u_handles)

    def _expression(self, node: int) -> Expr:
        return (Expr if self._nodes.angles is None else Closed)(self.graph, node)

    def _matrix(self, rows: list[list[int]]) -> Matrix:
        return Matrix([self._expression(x) for x in row] for row in rows)

    @cached_property
    def M(self) -> Matrix:
        """The inertia matrix, nu × nu."""
        return self._matrix(self._nodes.M)

    @cached_property
    def C(self) -> Matrix:
        """Coriolis and centrifugal terms, nu × nu."""
        return self._matrix(self._nodes.C)

    @cached_property
    def V(self) -> Matrix:
        """The kinematic matrix, nq × nu; its columns are the vector fields v_k."""
        return self._matrix(self._nodes.V)

    @cached_property
    def F(self) -> tuple[Expr, ...]:
        """v_k(𝒱), the potential's gradient along the speeds."""
        return tuple(self._expression(x) for x in self._nodes.F)

    @cached_property
    def Q(self) -> tuple[Expr, ...]:
        """Generalised forces."""
        return tuple(self._expression(x) for x in self._nodes.Q)

    @cached_property
    def potential(self) -> Expr:
        """𝒱: of uniform gravity (0 at the ground's origin) and of springs."""
        return self._expression(self._nodes.potential)

    def _part(self, name: str) -> Part:
        if name not in PARTS:
            raise ArgumentError(f"explicit equations have no part {name!r}; there are {', '.join(PARTS)}")
        return PARTS[name](self)

    # As text

    def text(self, *parts: str) -> str:
        """The named matrices (all of them by default), an entry a line, zeros left out."""
        return "\n".join(self._lines(part) for part in parts or PARTS)

    def _lines(self, part: str) -> str:
        made = self._part(part)
        if isinstance(made, Matrix):
            return made.text(part)
        return "\n".join(f"{part}[{k}] = {x}" for k, x in enumerate(made) if x != 0) or f"{part} = 0"

    def latex(self, *parts: str) -> str:
        """The named matrices (all of them by default), a line each."""
        return "\n".join(f"{part} = {self._grid(part).latex()}" for part in parts or PARTS)

    def _grid(self, part: str) -> Matrix:
        made = self._part(part)
        return made if isinstance(made, Matrix) else Matrix([[x] for x in made])

    def to_sympy(self, *parts: str) -> dict[str, Any]:
        """The named matrices (all of them by default) as SymPy has them."""
        return {part: self._grid(part).to_sympy() for part in parts or PARTS}

    def __str__(self) -> str:
        return self.text()

    def program(self, *parts: str) -> Program:
        """The named matrices (all of them by default) as one program, to be compiled or exported."""
        catalogue = Catalogue(Poincare(self._nodes.forest))
        a = catalogue.assembly("explicit", "tau")
        for part in parts or PARTS:
            rows = [[x.handle for x in row] for row in self._grid(part)]
            a.output(part, rows if isinstance(self._part(part), Matrix) else [row[0] for row in rows])
        return a.program()
