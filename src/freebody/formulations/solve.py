"""M u̇ = f solved: symbolically along the tree for small systems, by a Solve region for large ones."""

from collections.abc import Mapping, Sequence

from freebody.scalar.graph import Graph
from freebody.scalar.ldl import plan

Entry = tuple[int, int]


def solved(g: Graph, M: Mapping[Entry, int], f: Sequence[int]) -> list[int]:
    """u̇ by LᵀDL in the order of least fill; zeros of M cost nothing."""
    n = len(f)
    p = plan(n, list(M))
    rank = {unknown: k for k, unknown in enumerate(p.order)}
    A = {_lower(rank[i], rank[j]): h for (i, j), h in M.items()}
    inverse, ratio = [g.zero] * n, {}
    for k in range(n):
        inverse[k] = g.div(g.one, A[k, k])
        rows = [i for i in p.columns[k] if (i, k) in A]
        for i in rows:
            ratio[i, k] = g.mul(A[i, k], inverse[k])
        for i in rows:
            for j in (j for j in rows if j <= i):
                product = g.mul(ratio[i, k], A[j, k])
                A[i, j] = g.sub(A[i, j], product) if (i, j) in A else g.neg(product)
    return _substituted(g, n, p.order, ratio, inverse, f)


def _substituted(
    g: Graph, n: int, order: Sequence[int], ratio: Mapping[Entry, int], inverse: Sequence[int], f: Sequence[int]
) -> list[int]:
    x = [f[unknown] for unknown in order]
    for i, k in sorted(ratio, key=lambda e: (e[1], e[0])):
        x[i] = g.sub(x[i], g.mul(ratio[i, k], x[k]))
    x = [g.mul(value, d) for value, d in zip(x, inverse, strict=True)]
    for i, k in sorted(ratio, key=lambda e: (-e[1], -e[0])):
        x[k] = g.sub(x[k], g.mul(ratio[i, k], x[i]))
    result = [g.zero] * n
    for place, unknown in enumerate(order):
        result[unknown] = x[place]
    return result


def _lower(i: int, j: int) -> Entry:
    return (i, j) if i >= j else (j, i)
