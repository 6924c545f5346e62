"""M u̇ = f solved symbolically, in the order of elimination that turns out cheapest; zeros of M cost nothing."""

from collections.abc import Mapping, Sequence

from freebody.scalar.count import operations
from freebody.scalar.graph import Graph
from freebody.scalar.ldl import Plan, eliminate, plan
from freebody.scalar.symbol import PARAMETERS_ONLY

Entry = tuple[int, int]


def solved(g: Graph, M: Mapping[Entry, int], f: Sequence[int]) -> list[int]:
    """u̇ by L D Lᵀ: every promising order is tried, and the one with the fewest operations kept."""
    found = [_factored(g, M, f, p) for p in _plans(g, M, len(f))]
    return min(found, key=lambda x: operations(g, x))


def _plans(g: Graph, M: Mapping[Entry, int], n: int) -> list[Plan]:
    """Along the tree from its tips; and with constant pivots first, which need no division (the velocity of a free body
    is one: its block of M is m times 1)."""
    best = plan(n, list(M))
    fixed: list[int] = []
    for i in range(n):
        constant = g.mask[M[i, i]] <= PARAMETERS_ONLY
        if constant and all((max(i, j), min(i, j)) not in M for j in fixed):
            fixed.append(i)
    first = (*fixed, *(i for i in best.order if i not in fixed))
    return [best] if first == best.order else [best, eliminate(first, list(M))]


def _factored(g: Graph, M: Mapping[Entry, int], f: Sequence[int], p: Plan) -> list[int]:
    rank = {unknown: k for k, unknown in enumerate(p.order)}
    A = {(max(rank[i], rank[j]), min(rank[i], rank[j])): h for (i, j), h in M.items()}
    inverse, ratio = [g.zero] * p.size, {}
    for k in range(p.size):
        inverse[k] = g.div(g.one, A[k, k])
        rows = [i for i in p.columns[k] if (i, k) in A]
        for i in rows:
            ratio[i, k] = g.mul(A[i, k], inverse[k])
        for i in rows:
            for j in (j for j in rows if j <= i):
                product = g.mul(ratio[i, k], A[j, k])
                A[i, j] = g.sub(A[i, j], product) if (i, j) in A else g.neg(product)
    return _substituted(g, p.order, ratio, inverse, f)


def _substituted(
    g: Graph, order: Sequence[int], ratio: Mapping[Entry, int], inverse: Sequence[int], f: Sequence[int]
) -> list[int]:
    x = [f[unknown] for unknown in order]
    for i, k in sorted(ratio, key=lambda e: (e[1], e[0])):
        x[i] = g.sub(x[i], g.mul(ratio[i, k], x[k]))
    x = [g.mul(value, d) for value, d in zip(x, inverse, strict=True)]
    for i, k in sorted(ratio, key=lambda e: (-e[1], -e[0])):
        x[k] = g.sub(x[k], g.mul(ratio[i, k], x[i]))
    result = [g.zero] * len(order)
    for place, unknown in enumerate(order):
        result[unknown] = x[place]
    return result
