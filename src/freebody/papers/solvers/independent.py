"""Independent speeds: each row of G gives one speed as a function of the others, u = E u_i + c, and its unknown u̇ is
eliminated from M u̇ = f.

Which one is decided at each state: the speed with the largest entry of the row, after elimination of those before. The
program makes the choice by comparisons. When another speed becomes the better one there is no event and no jump: the
state has all speeds, and u̇ is the same whichever of them are independent. Where a row has a number as an entry, its
speed is taken at all states.
"""

from collections.abc import Mapping

from freebody.formulations.constrained import ConstrainedSystem
from freebody.formulations.entries import Solver
from freebody.papers.solvers.projection import RowDirection, Sparse, solve_by_projection
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.ops import ABS, EQ, MAX

SMALLEST = 1e-8
"""The largest entry of a row that depends on others, relative to the rows before the elimination."""

CONSTANT = 0.01
"""The smallest number that is taken as pivot at all states."""


class FixedSpeed(RowDirection):
    """One speed at all states."""

    def __init__(self, S: Graph, speed: int) -> None:
        self.S, self.unknown, self.speed = S, speed, speed

    def dot(self, x: Mapping[int, Node]) -> Node:
        return x.get(self.speed, self.S.zero)

    def move(self, x: Sparse, distance: Node) -> None:
        x[self.speed] = self.S.add(x[self.speed], distance)


class LargestEntry(RowDirection):
    """The speed with the largest entry of a row at the state."""

    def __init__(self, S: Graph, g: Sparse) -> None:
        self.S, self.speeds = S, list(g)
        self.larger, size = list[Node](), S.build[ABS](g[self.speeds[0]])
        for k in self.speeds[1:]:
            other = S.build[ABS](g[k])
            self.larger.append(S.less(size, other))
            size = S.build[MAX](size, other)
        self.size = size
        self.chosen = self.dot({k: S.const(k) for k in self.speeds})

    def dot(self, x: Mapping[int, Node]) -> Node:
        S, first, *others = self.S, *self.speeds
        value = x.get(first, S.zero)
        for k, larger in zip(others, self.larger, strict=True):
            if not S.same(value, x.get(k, S.zero)):
                value = S.where(larger, x.get(k, S.zero), value)
        return value

    def move(self, x: Sparse, distance: Node) -> None:
        S, moved = self.S, self.S.add(self.dot(x), distance)
        for k in self.speeds:
            x[k] = S.where(S.build[EQ](self.chosen, S.const(k)), moved, x[k])


def pivot(S: Graph, g: Sparse, scale: Node) -> tuple[RowDirection, Node]:
    """The speed that a row determines."""
    numbers = {k: abs(float(value)) for k, x in g.items() if (value := S.number(x)) is not None}
    largest = max(numbers, key=lambda k: (numbers[k] == 1, numbers[k]), default=None)
    if largest is not None and numbers[largest] >= CONSTANT:
        return FixedSpeed(S, largest), S.div(S.one, g[largest])
    if not g:
        return FixedSpeed(S, 0), S.zero
    d = LargestEntry(S, g)
    safe = S.less(S.mul(S.const(SMALLEST), scale), d.size)
    return d, S.where(safe, S.div(S.one, d.dot(g)), S.zero)


def solve_independent(system: ConstrainedSystem) -> tuple[list[Node], list[Node]]:
    """u̇ and λ by independent speeds."""
    return solve_by_projection(system, pivot)


SOLVER = Solver("independent", "kane", solve_independent)
