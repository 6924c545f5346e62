"""Plans of L D Lᵀ factorisations: order of elimination, fill and cost.

A = L D Lᵀ without pivoting, right-looking: for each pivot k, with rows i, j of column k,
A[i,j] −= A[i,k]·A[j,k]/D[k]. The pattern is known beforehand, so everything but the numbers is decided here.

Some unknowns may be multipliers, [M −Gᵀ; −G 0][u̇; λ] = [f; −γ] with M positive definite: their rows have no diagonal
entry. A multiplier is eliminated after all the speeds in its row, which make its pivot −G M⁻¹ Gᵀ ≤ 0. Where its row
depends on those of multipliers eliminated before, the pivot is zero up to rounding; then 1/D and the multiplier are 0.
If all unknowns are multipliers, the matrix is −G M⁻¹ Gᵀ: the speeds are eliminated already.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import count

Entry = tuple[int, int]

PIVOT_TOLERANCE = 1e-10
"""A multiplier's pivot counts as zero where it is smaller than this times what the speeds alone make of it (in unrolled
eliminations: of it and of those with which it belongs together): its row vanishes, or depends on those of other
multipliers."""

FILL, FILL_FACTOR = 32_768, 8
"""Given orders whose factors have more entries than the first, plus the second times those of the pattern, are not
compared with minimum degree: finding their fill may take longer than everything else."""


@dataclass(frozen=True)
class LdlPlan:
    """The factorisation of one pattern: ``order[k]`` is the unknown eliminated k-th; ``columns[k]`` the rows below
    pivot k, fill included, in elimination order; ``multipliers`` are the unknowns with a guarded pivot."""

    order: tuple[int, ...]
    columns: tuple[tuple[int, ...], ...]
    multipliers: frozenset[int] = frozenset()

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

    @property
    def guards(self) -> list[int]:
        """For each pivot that is a multiplier's, the position where the sum of what other multipliers add to it is
        stored, so that the diagonal is what the speeds alone make of it; 0 for a speed's."""
        after = count(self.entries)
        return [next(after) if unknown in self.multipliers else 0 for unknown in self.order]

    def lower(self, entries: Sequence[Entry]) -> list[Entry]:
        """Entries of the matrix as (row, column) in elimination order, row ≥ column."""
        rank = {unknown: k for k, unknown in enumerate(self.order)}
        return [(max(rank[i], rank[j]), min(rank[i], rank[j])) for i, j in entries]

    @property
    def updates(self) -> list[int]:
        """The positions that eliminating each pivot changes: for each of its rows, those of the rows up to it."""
        at, guards = self.position, self.guards
        return [
            guards[i] if i == j and guards[k] and guards[i] else at[i, j]
            for k, rows in enumerate(self.columns)
            for n, i in enumerate(rows)
            for j in rows[: n + 1]
        ]

    @property
    def dense(self) -> bool:
        """Worth treating as full: at least half of the lower triangle is there, and the multipliers come last, so that
        after the speeds the diagonal is what they alone make of all multipliers' pivots."""
        return self.half_full and self.multipliers.issuperset(self.order[self.size - len(self.multipliers) :])

    @property
    def half_full(self) -> bool:
        n = self.size
        return 2 * self.entries >= n * (n + 1) // 2

    @property
    def entries(self) -> int:
        """How many numbers the factor has, the diagonal included."""
        return self.size + sum(map(len, self.columns))

    @property
    def storage(self) -> int:
        """How many numbers a sparse factorisation stores."""
        return self.entries + len(self.multipliers)

    def operations(self, right_sides: int) -> dict[str, int]:
        """Multiplications, additions and divisions of factoring once and solving for the right-hand sides. Guarding a
        pivot is a multiplication by the tolerance, and in a sparse factor an addition of what is stored apart."""
        below = [len(c) for c in self.columns]
        inner = sum(m * (m + 1) // 2 for m in below)
        sweep = 2 * sum(below) * right_sides
        guarded = len(self.multipliers)
        mul = inner + sum(below) + sweep + self.size * right_sides + guarded
        return {"mul": mul, "add": inner + sweep + (0 if self.dense else guarded), "div": self.size}


def plan(size: int, pattern: Sequence[Entry], multipliers: Collection[int] = ()) -> LdlPlan:
    """The cheapest of three orders: reversed (no fill for a tree numbered outwards, and the simplest pivots first), as
    given, and minimum degree (next what has fewest neighbours; ties by number). Multipliers follow the last of their
    speeds, or all speeds where this is cheaper. Orders with very much fill are not considered."""
    guarded, limit = frozenset(multipliers), FILL + FILL_FACTOR * len(pattern)
    best = _cheapest(size, pattern, guarded, limit)
    if not guarded:
        return best
    order = tuple(sorted(best.order, key=guarded.__contains__))
    last = _eliminate_within(order, pattern, guarded, max(limit, 2 * best.entries))
    if last is None or (best.half_full and last.dense):
        return best if last is None else last
    return min(best, last, key=_cost)


def _cost(plan: LdlPlan) -> int:
    return sum(plan.operations(1).values())


def _cheapest(size: int, pattern: Sequence[Entry], multipliers: frozenset[int], limit: int) -> LdlPlan:
    natural, near = tuple(range(size)), _neighbours(size, pattern)
    speeds = {k: near[k] - multipliers for k in multipliers}

    def postponed(order: Sequence[int]) -> tuple[int, ...]:
        """The order with each multiplier after the last of its speeds."""
        rank = {unknown: k for k, unknown in enumerate(order)}
        key = {k: (max((rank[i] for i in speeds[k]), default=-1), 1) if k in speeds else (rank[k], 0) for k in natural}
        return tuple(sorted(natural, key=key.__getitem__))

    tried = (_eliminate_within(postponed(order), pattern, multipliers, limit) for order in (natural[::-1], natural))
    plans = [plan for plan in tried if plan is not None]
    best = min(plans, key=_cost, default=None)
    if best is not None and (best.dense or best.entries == size + sum(i != j for i, j in set(pattern))):
        return best
    fewest = eliminate(_minimum_degree(near, speeds), pattern, multipliers)
    return fewest if best is None else min(best, fewest, key=_cost)


def _minimum_degree(near: list[set[int]], speeds: Mapping[int, Collection[int]]) -> tuple[int, ...]:
    """The order in which the unknown with the fewest neighbours is next; ties by number. ``near`` are the neighbours of
    each unknown, and are changed: eliminating an unknown makes its neighbours those of each other, which takes as long
    as the factorisation has updates. A multiplier is not eligible before all its ``speeds`` are eliminated."""
    waiting = {k: len(some) for k, some in speeds.items()}
    rows = [list[int]() for _ in near]  # for each speed the multipliers that wait for it
    for k, some in speeds.items():
        for i in some:
            rows[i].append(k)
    heap = [(len(some), k) for k, some in enumerate(near) if not waiting.get(k)]
    heapify(heap)
    order, gone = list[int](), [False] * len(near)
    while heap:
        degree, k = heappop(heap)
        if gone[k] or degree != len(near[k]):
            continue  # an entry from before its neighbours changed
        order.append(k)
        gone[k] = True
        for i in near[k]:
            near[i] |= near[k]
            near[i] -= {i, k}
        for i in rows[k]:
            waiting[i] -= 1
        for i in {*near[k], *rows[k]}:
            if not waiting.get(i):
                heappush(heap, (len(near[i]), i))
    return tuple(order)


def minimum_degree(size: int, pattern: Sequence[Entry], after: Mapping[int, Collection[int]]) -> tuple[int, ...]:
    """The order in which the unknown with the fewest neighbours is next, each one ``after`` some others."""
    return _minimum_degree(_neighbours(size, pattern), after)


def eliminate(order: tuple[int, ...], pattern: Sequence[Entry], multipliers: frozenset[int] = frozenset()) -> LdlPlan:
    """The columns of L for an order, fill included."""
    plan = _eliminate_within(order, pattern, multipliers, None)
    assert plan is not None, "there is no limit"
    return plan


def _eliminate_within(
    order: tuple[int, ...], pattern: Sequence[Entry], multipliers: frozenset[int], limit: int | None
) -> LdlPlan | None:
    """``eliminate``; None if the columns have more entries than the limit."""
    rank = {unknown: k for k, unknown in enumerate(order)}
    near, columns, entries = [set[int]() for _ in order], list[tuple[int, ...]](), 0
    for i, j in pattern:
        if i != j:
            near[min(rank[i], rank[j])].add(max(rank[i], rank[j]))
    for k in range(len(order)):
        rows = sorted(near[k])
        columns.append(tuple(rows))
        entries += len(rows)
        if limit is not None and entries > limit:
            return None
        if rows:
            near[rows[0]].update(rows[1:])  # fill reaches later columns through the first row: the elimination tree
    return LdlPlan(order, tuple(columns), multipliers)


def _neighbours(size: int, pattern: Sequence[Entry]) -> list[set[int]]:
    near: list[set[int]] = [set() for _ in range(size)]
    for i, j in pattern:
        if i != j:
            near[i].add(j)
            near[j].add(i)
    return near
