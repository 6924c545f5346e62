"""Unrolled L U factorisations of sparse matrices whose pattern is known, with pivots on the diagonal.

Rows are not exchanged, so that order and fill are decided when programs are derived: next is the unknown whose
elimination changes the fewest entries, one with the pivot 1 first. Multipliers have no diagonal entry of their own and
wait for all other unknowns in their row; where a multiplier's row depends on those before, its pivot is zero but for
rounding, and 1/pivot and the multiplier are 0.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

from freebody.program.ldl import PIVOT_TOLERANCE, Entry
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.ops import ABS


def operations(pattern: Collection[Entry], size: int, multipliers: Collection[int] = ()) -> int:
    """About how many operations the factorisation of a matrix with entries in these places has."""
    held = frozenset(multipliers)
    rows, columns = ([{k} for k in range(size)] for _ in range(2))
    for i, j in pattern:
        rows[i].add(j)
        columns[j].add(i)
    left, total = set(range(size)), 0
    while left:
        ready = [p for p in left if p not in held or rows[p] <= held]
        p = min(ready, key=lambda k: (len(rows[k]) - 1) * (len(columns[k]) - 1))
        left.discard(p)
        below, right = columns[p] - {p}, rows[p] - {p}
        total += len(below) * (1 + 2 * len(right))
        for i in below:
            rows[i].discard(p)
            rows[i] |= right
        for j in right:
            columns[j].discard(p)
            columns[j] |= below
    return total


class LuFactors:
    """A = L U of a matrix of nodes, of which ``multipliers`` are the unknowns with a guarded pivot. ``lower`` are the
    entries of L below its unit diagonal, ``upper`` those of U right of its diagonal, ``inverse`` the inverse pivots;
    all by indices of the matrix. A pivot of an unknown in ``scales`` that is smaller than ``vanishing`` times its scale
    counts as zero, so that the solution is not finite. ``left`` are the unknowns that are not eliminated: those that
    ``may`` refuses with their pivot, the entries that their elimination would change, and the number of unknowns that
    are left; ``rest`` is the matrix that remains of them."""

    def __init__(
        self,
        g: Graph,
        matrix: Mapping[Entry, Node],
        size: int,
        multipliers: Collection[int] = (),
        scales: Mapping[int, Node] | None = None,
        vanishing: float = 0.0,
        may: Callable[[int, Node, int, int], bool] = lambda unknown, pivot, changes, left: True,
    ) -> None:
        self.graph, self.size, self.multipliers = g, size, frozenset(multipliers)
        self._scales, self._vanishing = dict(scales or {}), vanishing
        self.order = list[int]()
        self.lower, self.upper, self.inverse = dict[Entry, Node](), dict[Entry, Node](), dict[int, Node]()
        self.rest = {at: x for at, x in matrix.items() if x != g.zero}
        self._rows, self._columns = ([set[int]() for _ in range(size)] for _ in range(2))
        for i, j in self.rest:
            self._rows[i].add(j)
            self._columns[j].add(i)
        self._alone = dict[int, Node]()
        """What the other unknowns alone make of a multiplier's pivot."""
        left = set(range(size))
        while True:
            ready = [p for p in left if self._is_ready(p)]
            candidates = [p for p in ready if may(p, self.rest.get((p, p), g.zero), self._changes(p), len(left))]
            if not candidates:
                break
            unknown = min(candidates, key=self._cost)
            left.discard(unknown)
            self._eliminate(unknown)
        self.left = sorted(left)

    def _is_ready(self, p: int) -> bool:
        return p not in self.multipliers or self._rows[p] <= self.multipliers

    def _changes(self, p: int) -> int:
        return (len(self._rows[p]) - 1) * (len(self._columns[p]) - 1)

    def _cost(self, p: int) -> tuple[int, bool, int]:
        return self._changes(p), self.rest.get((p, p)) != self.graph.one, p

    def _eliminate(self, p: int) -> None:
        g, A = self.graph, self.rest
        self.order.append(p)
        pivot = A.get((p, p), g.zero)
        if p in self._scales and g.number(pivot) is None:
            least = g.mul(g.const(self._vanishing), g.build[ABS](self._scales[p]))
            pivot = g.where(g.less(least, g.build[ABS](pivot)), pivot, g.zero)
        inverse = g.one if pivot == g.one else g.zero if pivot == g.zero else g.div(g.one, pivot)
        if p in self.multipliers and pivot != g.zero:
            small = g.mul(g.const(PIVOT_TOLERANCE), g.build[ABS](self._alone.get(p, g.zero)))
            inverse = g.where(g.less(small, g.build[ABS](pivot)), inverse, g.zero)
        self.inverse[p] = inverse
        below, right = sorted(self._columns[p] - {p}), sorted(self._rows[p] - {p})
        for j in right:
            self.upper[p, j] = A[p, j]
            self._columns[j].discard(p)
        for i in below:
            ratio = self.lower[i, p] = g.mul(A[i, p], inverse)
            self._rows[i].discard(p)
            for j in right:
                change = g.mul(ratio, A[p, j])
                A[i, j] = g.sub(A.get((i, j), g.zero), change)
                if i == j and i in self.multipliers and p not in self.multipliers:
                    self._alone[i] = g.sub(self._alone.get(i, g.zero), change)
                self._rows[i].add(j)
                self._columns[j].add(i)

    def substitute(self, replace: Callable[[Node], Node]) -> None:
        """Replace the numbers of the factors, such as by symbols for what another program computes."""
        for entries in (self.lower, self.upper):
            for at, x in entries.items():
                entries[at] = replace(x)
        self.inverse = {p: replace(x) for p, x in self.inverse.items()}

    def forward(self, right: Sequence[Node]) -> list[Node]:
        """L⁻¹ times a right side; of unknowns that are not eliminated, the right side of what remains."""
        g, y, columns = self.graph, list(right), dict[int, list[int]]()
        for i, p in self.lower:
            columns.setdefault(p, []).append(i)
        for p in self.order:
            for i in columns.get(p, []):
                y[i] = g.sub(y[i], g.mul(self.lower[i, p], y[p]))
        return y

    def backward(self, y: Sequence[Node]) -> list[Node]:
        """U⁻¹ times what ``forward`` returned, with the values of the unknowns that are not eliminated in their
        places."""
        g, x, rows = self.graph, list(y), dict[int, list[int]]()
        for p, j in self.upper:
            rows.setdefault(p, []).append(j)
        for p in reversed(self.order):
            for j in rows.get(p, []):
                x[p] = g.sub(x[p], g.mul(self.upper[p, j], x[j]))
            x[p] = g.mul(x[p], self.inverse[p])
        return x
