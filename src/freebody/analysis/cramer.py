"""Small linear systems as expressions, by Cramer's rule: no pivot is chosen, so that nothing but the determinant is
divided by, and what is written is valid wherever the matrix has an inverse."""

from collections.abc import Sequence

from freebody.errors import ArgumentError
from freebody.scalar.graph import Graph

Rows = Sequence[Sequence[int]]
LARGEST = 8


def determinant(g: Graph, rows: Rows) -> int:
    """By minors of the last rows, each once; zeros cost nothing."""
    minors = {0: g.one}
    for row in reversed(rows):
        larger: dict[int, int] = {}
        for used, minor in minors.items():
            for j, entry in enumerate(row):
                if entry != g.zero and not used >> j & 1:
                    term = g.mul(entry, minor)
                    before = (used & ((1 << j) - 1)).bit_count()
                    key = used | 1 << j
                    larger[key] = _signed(g, larger.get(key, g.zero), term, before)
        minors = larger
    return minors.get((1 << len(rows)) - 1, g.zero)


def _signed(g: Graph, total: int, term: int, swaps: int) -> int:
    return g.sub(total, term) if swaps % 2 else g.add(total, term)


def solved(g: Graph, rows: Rows, right: Sequence[int]) -> list[int]:
    """x of A x = b."""
    n = len(rows)
    if n > LARGEST:
        raise ArgumentError(f"{n} linear equations are too many to be solved as expressions; {LARGEST} is the most")
    whole, found = determinant(g, rows), list[int]()
    if whole == g.zero:
        raise ArgumentError("these linear equations have no solution: their determinant is 0 everywhere")
    for j in range(n):
        put = [[b if k == j else a for k, a in enumerate(row)] for row, b in zip(rows, right, strict=True)]
        found.append(g.div(determinant(g, put), whole))
    return found
