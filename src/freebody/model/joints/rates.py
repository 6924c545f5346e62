"""q̇ of a joint whose speeds are quasi-velocities: Γ(ε)β of Kwatny & Blankenship's Prop. 2.

B(ε) ε̇ = H β, with B's columns the axes of the motions one after another. As long as the turns' axes are independent the
turns are found first, in the frame in the middle of them, where two of the three axes are at rest; then the slides, in
the frame where most of them are. Otherwise all are found together in the child's frame. Which rows suffice is known
beforehand, because the columns of B and of H span the same space.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from freebody.model.joints.base import nothing
from freebody.model.joints.column import along
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.walk import somewhere, values
from freebody.spatial.frame import Frame
from freebody.spatial.vector import Vector, components

Plan = tuple[tuple[int, ...] | None, tuple[int, ...]]
"""Rows for the turns (None: not apart) and rows for the slides (or for all)."""


@dataclass(frozen=True)
class Step:
    """One column in its place: the frame that it leads to, how far that is from the one before, its turn and slide."""

    frame: Frame
    position: Vector
    turn: Vector
    slide: Vector


class Rates:
    """The rates of coordinates ``q`` whose motions are ``steps``, the one nearest to the child first, for a twist of
    the child: (ω, v of its origin)."""

    def __init__(self, steps: Sequence[Step], q: Sequence[int], w: Vector, v: Vector) -> None:
        self.steps, self.q, self.w, self.v = steps, q, w, v
        self.graph: Graph = w.graph
        self.turning = [i for i, s in enumerate(steps) if s.turn]
        self.sliding = [i for i, s in enumerate(steps) if not s.turn]
        self.arms = self._arms()

    def _arms(self) -> list[Vector]:
        """From each step's origin to the child's."""
        made, arm = list[Vector](), nothing(self.graph)
        for step in self.steps:
            made.append(arm)
            arm = arm + step.position
        return made

    def found(self, plan: Plan) -> list[int]:
        turns, slides = plan
        if turns is None:
            return self._together(slides)
        rates = dict(zip(self.turning, self._turns(turns), strict=True))
        if self.sliding:
            rates |= dict(zip(self.sliding, self._slides(self._left(rates), slides), strict=True))
        return [rates[i] for i in range(len(self.steps))]

    def _left(self, rates: Mapping[int, int]) -> Vector:
        """v less what the turns make of it: ω × arm as far as they have one arm in common, the rest one by one."""
        if not rates:
            return self.v
        common = self.arms[self.turning[0]]
        left = self.v - self.w.cross(common)
        for i, rate in rates.items():
            left = left - along(self.steps[i].slide + self.steps[i].turn.cross(self.arms[i] - common), rate)
        return left

    def _slide(self, i: int) -> Vector:
        """v of the child's origin for each unit of a rate."""
        return self.steps[i].slide + self.steps[i].turn.cross(self.arms[i])

    def _turns(self, rows: Sequence[int]) -> list[int]:
        if not self.turning:
            return []
        frame = self.steps[self.turning[len(self.turning) // 2]].frame
        return self._solved(frame, [self.steps[i].turn for i in self.turning], self.w, rows)

    def _slides(self, left: Vector, rows: Sequence[int]) -> list[int]:
        frames = [self.steps[i].frame for i in self.sliding]
        frame = max(dict.fromkeys(frames), key=frames.count)
        return self._solved(frame, [self.steps[i].slide for i in self.sliding], left, rows)

    def _solved(self, frame: Frame, columns: Sequence[Vector], right: Vector, rows: Sequence[int]) -> list[int]:
        made = [components(c, frame) for c in columns]
        whole = components(right, frame)
        return solve(self.graph, [[c[k] for c in made] for k in rows], [whole[k] for k in rows], self.q)

    def _together(self, rows: Sequence[int]) -> list[int]:
        frame = self.steps[0].frame
        pairs = [(self.steps[i].turn, self._slide(i)) for i in range(len(self.steps))]
        made = [[*components(t, frame), *components(s, frame)] for t, s in pairs]
        whole = [*components(self.w, frame), *components(self.v, frame)]
        return solve(self.graph, [[c[k] for c in made] for k in rows], [whole[k] for k in rows], self.q)


def solve(g: Graph, matrix: Sequence[Sequence[int]], right: Sequence[int], q: Sequence[int]) -> list[int]:
    """x of A x = b by elimination. Divisors are plain numbers where they can be, and never such as vanish at q = 0,
    where the matrix is regular."""
    A, b, n = [list(row) for row in matrix], list(right), len(right)
    order, rows, columns = list[tuple[int, int]](), list(range(n)), list(range(n))
    while columns:
        i, j = _divisor(g, A, rows, columns, q)
        rows.remove(i)
        columns.remove(j)
        order.append((i, j))
        for k in rows:
            _eliminate(g, A, b, (i, j), k, columns)
    x = [g.zero] * n
    for i, j in reversed(order):
        left = b[i]
        for k in range(n):
            left = left if k == j or A[i][k] == g.zero or x[k] == g.zero else g.sub(left, g.mul(A[i][k], x[k]))
        x[j] = g.div(left, A[i][j])
    return x


def _eliminate(
    g: Graph, A: list[list[int]], b: list[int], pivot: tuple[int, int], k: int, columns: Sequence[int]
) -> None:
    """Row k less a multiple of the divisor's row, and the divisor's column gone from all rows below."""
    i, j = pivot
    if A[k][j] == g.zero:
        return
    factor = g.div(A[k][j], A[i][j])
    b[k] = g.sub(b[k], g.mul(factor, b[i]))
    for c in columns:
        A[k][c] = g.sub(A[k][c], g.mul(factor, A[i][c]))
    A[k][j] = g.zero


def _divisor(
    g: Graph, A: Sequence[Sequence[int]], rows: Sequence[int], columns: Sequence[int], q: Sequence[int]
) -> tuple[int, int]:
    """The entry to divide by: of the plainest ones that do not vanish at q = 0 the one that fills least (Markowitz)."""
    places = [(i, j) for i in rows for j in columns if A[i][j] != g.zero]
    at_zero = values(g, [A[i][j] for i, j in places], dict.fromkeys(q, 0), somewhere(0))
    sound = [p for p, v in zip(places, at_zero, strict=True) if abs(float(v)) > 1e-9]

    def cost(p: tuple[int, int]) -> tuple[int, int]:
        wide = sum(A[p[0]][c] != g.zero for c in columns) - 1
        deep = sum(A[r][p[1]] != g.zero for r in rows) - 1
        return _plainness(g, A[p[0]][p[1]]), wide * deep

    return min(sound, key=cost)


def _plainness(g: Graph, x: int) -> int:
    number = g.number(x)
    if number is not None:
        return 0 if abs(number) == 1 else 1
    return 2 if g.mask[x] <= PARAMETERS_ONLY else 3
