"""Plans of L D Lᵀ factorisations: order of elimination, fill and cost.

A = L D Lᵀ without pivoting, right-looking: for each pivot k, with rows i, j of column k,
A[i,j] −= A[i,k]·A[j,k]/D[k]. The pattern is known beforehand, so everything but the numbers is decided here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

Entry = tuple[int, int]

PIVOT_TOLERANCE = 1e-12
"""A multiplier's pivot counts as zero where it is smaller than this times what the speeds alone make of it: its row
depends on those of other multipliers."""


@dataclass(frozen=True)
class LdlPlan:
    """The factorisation of one pattern: ``order[k]`` is the unknown eliminated k-th; ``columns[k]`` the rows below
    pivot k, fill included, in elimination order."""

    order: tuple[int, ...]
    columns: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        return len(self.order)

    @cached_property
    def position(self) -> dict[Entry, int]:
        """Where (row, column), row ≥ column in elimination order, is stored: diagonals first, then column by column."""
        position = {(k, k): k for k in range(self.size)}
        for k, rows in enumerate(self.columns):
            for i in rows:
                position[i, k] = len(position)
        return position

    def lower(self, entries: Sequence[Entry]) -> list[Entry]:
        """Entries of the matrix as (row, column) in elimination order, row ≥ column."""
        rank = {unknown: k for k, unknown in enumerate(self.order)}
        return [(max(rank[i], rank[j]), min(rank[i], rank[j])) for i, j in entries]

    @property
    def updates(self) -> list[int]:
        """The positions that eliminating each pivot changes: for each of its rows, those of the rows up to it."""
        at = self.position
        return [at[i, j] for rows in self.columns for k, i in enumerate(rows) for j in rows[: k + 1]]

    @property
    def dense(self) -> bool:
        """Worth treating as full: at least half of the lower triangle is there."""
        n = self.size
        return 2 * self.entries >= n * (n + 1) // 2

    @property
    def entries(self) -> int:
        """How many numbers the factor has, the diagonal included."""
        return self.size + sum(map(len, self.columns))

    def operations(self, right_sides: int) -> dict[str, int]:
        """Multiplications, additions and divisions of factoring once and solving for the right-hand sides."""
        below = [len(c) for c in self.columns]
        inner = sum(m * (m + 1) // 2 for m in below)
        sweep = 2 * sum(below) * right_sides
        return {"mul": inner + sum(below) + sweep + self.size * right_sides, "add": inner + sweep, "div": self.size}


def plan(size: int, pattern: Sequence[Entry]) -> LdlPlan:
    """The cheapest of three orders: reversed (no fill for a tree numbered outwards, and the simplest pivots first), as
    given, and minimum degree (next what has fewest neighbours; ties by number)."""
    natural = tuple(range(size))

    def cost(plan: LdlPlan) -> int:
        return sum(plan.operations(1).values())

    best = min((eliminate(order, pattern) for order in (natural[::-1], natural)), key=cost)
    if best.dense or best.entries == size + sum(i != j for i, j in set(pattern)):
        return best
    near, left, order = _neighbours(size, pattern), set(natural), []
    while left:
        k = min(left, key=lambda i: (len(near[i]), i))
        order.append(k)
        left.remove(k)
        for i in near[k]:
            near[i] |= near[k]
            near[i] -= {i, k}
    return min(best, eliminate(tuple(order), pattern), key=cost)


def eliminate(order: tuple[int, ...], pattern: Sequence[Entry]) -> LdlPlan:
    """The columns of L for an order, fill included."""
    rank = {unknown: k for k, unknown in enumerate(order)}
    near = _neighbours(len(order), [(rank[i], rank[j]) for i, j in pattern])
    columns = []
    for k in range(len(order)):
        rows = sorted(i for i in near[k] if i > k)
        columns.append(tuple(rows))
        if rows:
            near[rows[0]] |= set(rows[1:])  # fill reaches later columns through the first row: the elimination tree
    return LdlPlan(order, tuple(columns))


def _neighbours(size: int, pattern: Sequence[Entry]) -> list[set[int]]:
    near: list[set[int]] = [set() for _ in range(size)]
    for i, j in pattern:
        if i != j:
            near[i].add(j)
            near[j].add(i)
    return near
