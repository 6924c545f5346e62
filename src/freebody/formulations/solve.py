"""Symmetric systems solved symbolically by L D Lᵀ, in the cheapest order of elimination; zeros cost nothing. Along a
tree numbered outwards L has no fill. Rows of multipliers have no diagonal entry (see ``program/ldl.py``)."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from freebody.program.count import operations
from freebody.program.ldl import LdlPlan, eliminate, plan
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.tree.mass_matrix import InvertPivot, eliminate_row, guarded_inverse, strict_inverse

Entry = tuple[int, int]


def solve_symmetric(
    g: Graph,
    M: Mapping[Entry, Node],
    f: Sequence[Node],
    multipliers: Collection[int] = (),
    related: Mapping[int, Collection[int]] = MappingProxyType({}),
    flags: Mapping[int, Node] = MappingProxyType({}),
) -> list[Node]:
    """M⁻¹ f by the cheaper of two orders: along the tree from its tips; and with constant pivots first, which need no
    division (the velocity of a free body is one: its block of M is m times 1). ``related`` multipliers and their
    ``flags`` are as in ``eliminate_row``."""
    best, fixed = plan(len(f), list(M), multipliers), list[int]()
    for i in (i for i in range(len(f)) if i not in best.multipliers):
        constant = g.mask[M[i, i]] <= PARAMETERS_ONLY
        if constant and all((max(i, j), min(i, j)) not in M for j in fixed):
            fixed.append(i)
    first = (*fixed, *(i for i in best.order if i not in fixed))
    plans = [best] if first == best.order else [best, eliminate(first, list(M), best.multipliers)]
    return min([Factor(g, M, p, related, flags).solve(f) for p in plans], key=lambda x: operations(g, x))


class Factor:
    """L and D of a symmetric matrix M, the nodes of its lower triangle, for many right sides. ``related`` and
    ``invert`` are as in ``eliminate_row``."""

    def __init__(
        self,
        g: Graph,
        M: Mapping[Entry, Node],
        p: LdlPlan,
        related: Mapping[int, Collection[int]] = MappingProxyType({}),
        flags: Mapping[int, Node] = MappingProxyType({}),
        invert: InvertPivot = guarded_inverse,
        regular: int = 0,
    ) -> None:
        """The first ``regular`` pivots of the plan must not vanish (``strict_inverse``)."""
        self.graph, self.plan = g, p
        rank = {unknown: k for k, unknown in enumerate(p.order)}
        A = {(max(rank[i], rank[j]), min(rank[i], rank[j])): h for (i, j), h in M.items()}
        scale = {rank[k]: A.get((rank[k], rank[k]), g.zero) for k in p.multipliers}
        ranked = {rank[k]: [rank[i] for i in others] for k, others in related.items()}
        ranked_flags = {rank[k]: flag for k, flag in flags.items()}
        self.inverse: list[Node] = []
        self.ratio: dict[Entry, Node] = {}
        self._weights = dict[tuple[int, int], dict[int, Node]]()
        for k in range(p.size):
            later, inverted = p.columns[k][::-1], strict_inverse if k < regular else invert
            inverse, ratio = eliminate_row(
                g, A, k, later, scale=scale, related=ranked, flags=ranked_flags, invert=inverted
            )
            self.inverse.append(inverse)
            self.ratio |= {(i, k): ratio[i] for i in reversed(ratio)}

    def substitute(self, b: Sequence[Node]) -> list[Node]:
        """y of L y = b, in the order of elimination."""
        g, y = self.graph, [b[unknown] for unknown in self.plan.order]
        for (i, k), ratio in self.ratio.items():
            y[i] = g.sub(y[i], g.mul(ratio, y[k]))
        return y

    def solve(self, b: Sequence[Node]) -> list[Node]:
        """M⁻¹ b."""
        g = self.graph
        x = [g.mul(value, d) for value, d in zip(self.substitute(b), self.inverse, strict=True)]
        for (i, k), ratio in reversed(self.ratio.items()):
            x[k] = g.sub(x[k], g.mul(ratio, x[i]))
        of_unknown = dict(zip(self.plan.order, x, strict=True))
        return [of_unknown[k] for k in range(len(x))]

    def solve_sparse(self, b: Sequence[Node]) -> list[Node]:
        """M⁻¹ b for a right side with many zeros. Where nothing acts on a branch of the elimination, its unknowns are
        weights times those that it hangs on: the weights are those of all right sides."""
        g, n = self.graph, len(self.inverse)
        y, parent = self.substitute(b), self._parents
        busy = [value != g.zero for value in y]
        for k, above in enumerate(parent):
            if busy[k] and above is not None:
                busy[above] = True
        x, top = [g.zero] * n, dict[int, int]()
        for k in reversed(range(n)):
            above = parent[k]
            if not busy[k] and above is not None:
                top[k] = top.get(above, above)
                for i, weight in self._weights_of(k, top[k]).items():
                    x[k] = g.add(x[k], g.mul(weight, x[i]))
            else:
                x[k] = g.mul(y[k], self.inverse[k])
                for i in self.plan.columns[k]:
                    x[k] = g.sub(x[k], g.mul(self.ratio[i, k], x[i]))
        of_unknown = dict(zip(self.plan.order, x, strict=True))
        return [of_unknown[k] for k in range(n)]

    @cached_property
    def _parents(self) -> list[int | None]:
        """The elimination tree, in the order of elimination: what each unknown hangs on."""
        return [column[0] if column else None for column in self.plan.columns]

    def _weights_of(self, k: int, top: int) -> dict[int, Node]:
        """x_k of a branch on which nothing acts, per unit of each unknown from ``top`` inwards."""
        if (k, top) not in self._weights:
            g, weights = self.graph, dict[int, Node]()
            for i in self.plan.columns[k]:
                ratio = self.ratio[i, k]
                others = {i: g.one} if i >= top else self._weights_of(i, top)
                for at, weight in others.items():
                    weights[at] = g.sub(weights.get(at, g.zero), g.mul(ratio, weight))
            self._weights[k, top] = weights
        return self._weights[k, top]

    def inverse_matrix(self) -> list[list[Node]]:
        """M⁻¹; of each pair of equal entries the one above the diagonal, which needs no other tip."""
        g, n = self.graph, len(self.inverse)
        columns = [self.solve_sparse([g.one if i == j else g.zero for i in range(n)]) for j in range(n)]
        return symmetric(columns)

    def congruence(self, rows: Sequence[Sequence[Node]]) -> list[list[Node]]:
        """J M⁻¹ Jᵀ = Yᵀ D⁻¹ Y with L Y = Jᵀ, above the diagonal and on it; zeros below."""
        g, Y = self.graph, [self.substitute(row) for row in rows]
        scaled = [[g.mul(x, d) for x, d in zip(y, self.inverse, strict=True)] for y in Y]
        return [[dot(g, y, z) if i <= j else g.zero for i, y in enumerate(Y)] for j, z in enumerate(scaled)]


def symmetric(columns: Sequence[Sequence[Node]]) -> list[list[Node]]:
    """A symmetric matrix from the entries above its diagonal and on it."""
    n = len(columns)
    return [[columns[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]


def dot(g: Graph, a: Sequence[Node], b: Sequence[Node]) -> Node:
    """Σ aᵢbᵢ"""
    total = g.zero
    for x, y in zip(a, b, strict=True):
        total = g.add(total, g.mul(x, y))
    return total
