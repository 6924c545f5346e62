"""C(q, p) with d/dt ∂T/∂p − ∂T/∂p · brackets − v(T) = M ṗ + C p, as a matrix (Kwatny & Blankenship Eq 53b, corrected).

With A_ki = v_i(M p)_k and π = M p, of which ½ Aᵀ p is v(T),

    C = A − ½ Aᵀ − Σ_j p_j c^l_jk M_li,

and another one that gives the same C p has Ṁ − 2C skew:

    C = ½ (Ṁ + A − Aᵀ) + B,   B_kj = −Σ_i c^i_jk π_i = −B_jk.

A bracket that is no combination of the fields (a joint that is not holonomic) is one of other momenta than π: its terms
are coefficients before rows of a momentum map, of which the rows of M are those of π.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from freebody.papers.brackets import Rows, Structure, along, columns
from freebody.scalar.graph import Graph

Term = tuple[int, Sequence[int]]  # a coefficient, and the row of a momentum map


@dataclass(frozen=True)
class Fields:
    """The velocity fields of a system: M, V, the symbols q and p, and the momenta of brackets by (i, j), i < j."""

    graph: Graph
    M: Rows
    V: Rows
    q: Sequence[int]
    p: Sequence[int]
    terms: Mapping[tuple[int, int], Sequence[Term]]

    def product(self, row: Sequence[int]) -> int:
        """row · p."""
        g, total = self.graph, self.graph.zero
        for x, y in zip(row, self.p, strict=True):
            total = g.add(total, g.mul(x, y))
        return total

    def matrix(self, skew: bool = False) -> list[list[int]]:
        """C."""
        return self._skew() if skew else self._printed()

    def _gradients(self) -> list[list[int]]:
        """Aᵀ: row i holds v_i(M p)."""
        momenta = [self.product(row) for row in self.M]
        return [along(self.graph, momenta, self.q, v) for v in columns(self.V)]

    def _printed(self) -> list[list[int]]:
        g, At = self.graph, self._gradients()
        n, half = len(At), g.const(Fraction(1, 2))
        C = [[g.sub(At[i][k], g.mul(half, At[k][i])) for i in range(n)] for k in range(n)]
        for (i, j), terms in self.terms.items():
            for c, row in terms:
                self._subtract(C[j], g.mul(self.p[i], c), row)
                self._subtract(C[i], g.neg(g.mul(self.p[j], c)), row)
        return C

    def _subtract(self, row: list[int], factor: int, other: Sequence[int]) -> None:
        for k, x in enumerate(other):
            row[k] = self.graph.sub(row[k], self.graph.mul(factor, x))

    def _skew(self) -> list[list[int]]:
        g, At = self.graph, self._gradients()
        n, half = len(At), g.const(Fraction(1, 2))
        rate = [along(g, row, self.q, [self.product(v) for v in self.V]) for row in self.M]
        twice = [[g.add(rate[k][i], g.sub(At[i][k], At[k][i])) for i in range(n)] for k in range(n)]
        C = [[g.mul(half, x) for x in row] for row in twice]
        for (i, j), terms in self.terms.items():
            for c, row in terms:
                b = g.mul(c, self.product(row))
                C[j][i], C[i][j] = g.sub(C[j][i], b), g.add(C[i][j], b)
        return C


def of_structure(g: Graph, c: Structure, M: Rows) -> dict[tuple[int, int], list[Term]]:
    """The terms of brackets that are combinations of the fields."""
    return {pair: [(x, M[k]) for k, x in enumerate(row) if x != g.zero] for pair, row in c.items()}
