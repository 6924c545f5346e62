"""M = L D Lᵀ by nodes, factored once for many right sides; along a tree numbered outwards L has no fill."""

from collections.abc import Mapping, Sequence

from freebody.formulations.solve import Entry
from freebody.scalar.graph import Graph
from freebody.scalar.ldl import plan

LARGEST = 75_000
"""Operations of M⁻¹ up to which it is written out: a chain of 32 hinges, a humanoid of 40."""


class Factor:
    """The factors of a symmetric matrix given by the nodes of its lower triangle. Zeros cost nothing, in the matrix and
    in right sides."""

    def __init__(self, g: Graph, M: Mapping[Entry, int], size: int) -> None:
        self.graph, self.plan = g, plan(size, list(M))
        rank = {unknown: k for k, unknown in enumerate(self.plan.order)}
        A = {(max(rank[i], rank[j]), min(rank[i], rank[j])): h for (i, j), h in M.items()}
        self.inverse = [g.zero] * size
        self.ratio: dict[Entry, int] = {}
        for k in range(size):
            self._eliminate(k, A)

    def _eliminate(self, k: int, A: dict[Entry, int]) -> None:
        g = self.graph
        self.inverse[k] = g.div(g.one, A[k, k])
        below = [i for i in self.plan.columns[k] if (i, k) in A]
        for i in below:
            self.ratio[i, k] = g.mul(A[i, k], self.inverse[k])
            for j in (j for j in below if j <= i):
                product = g.mul(self.ratio[i, k], A[j, k])
                A[i, j] = g.sub(A[i, j], product) if (i, j) in A else g.neg(product)

    def lowered(self, b: Sequence[int]) -> list[int]:
        """y of L y = b, in the order of elimination."""
        g, y = self.graph, [b[unknown] for unknown in self.plan.order]
        for (i, k), ratio in self.ratio.items():
            y[i] = g.sub(y[i], g.mul(ratio, y[k]))
        return y

    def solve(self, b: Sequence[int]) -> list[int]:
        """M⁻¹ b."""
        g = self.graph
        x = [g.mul(value, d) for value, d in zip(self.lowered(b), self.inverse, strict=True)]
        for (i, k), ratio in reversed(self.ratio.items()):
            x[k] = g.sub(x[k], g.mul(ratio, x[i]))
        found = [g.zero] * len(x)
        for place, unknown in enumerate(self.plan.order):
            found[unknown] = x[place]
        return found

    def whole(self) -> list[list[int]]:
        """M⁻¹, of each pair of equal entries the one further in: it needs no other tip."""
        g, n = self.graph, len(self.inverse)
        columns = [self.solve([g.one if i == j else g.zero for i in range(n)]) for j in range(n)]
        return symmetric(columns)

    def seen(self, rows: Sequence[Sequence[int]]) -> list[list[int]]:
        """J M⁻¹ Jᵀ = Yᵀ D⁻¹ Y with L Y = Jᵀ, above the diagonal and on it; below stand zeros."""
        g, Y = self.graph, [self.lowered(row) for row in rows]
        scaled = [[g.mul(x, d) for x, d in zip(y, self.inverse, strict=True)] for y in Y]
        return [[dot(g, y, z) if i <= j else g.zero for i, y in enumerate(Y)] for j, z in enumerate(scaled)]


def corner(columns: Sequence[Sequence[int]]) -> list[int]:
    """Of each column what stands above the diagonal and on it."""
    return [columns[j][i] for j in range(len(columns)) for i in range(j + 1)]


def symmetric(columns: Sequence[Sequence[int]]) -> list[list[int]]:
    """The whole of a symmetric matrix whose corner is given."""
    n = len(columns)
    return [[columns[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]


def small(M: Mapping[Entry, int], size: int) -> bool:
    """Whether M⁻¹ is better written out than computed by loops."""
    return sum(plan(size, list(M)).operations(size).values()) <= LARGEST


def dot(g: Graph, a: Sequence[int], b: Sequence[int]) -> int:
    """Σ aᵢbᵢ"""
    total = g.zero
    for x, y in zip(a, b, strict=True):
        total = g.add(total, g.mul(x, y))
    return total
