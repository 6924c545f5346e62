"""When M⁻¹ is written out, and which of its entries are computed."""

from collections.abc import Mapping, Sequence

from freebody.formulations.solve import Entry, Factor
from freebody.program.ldl import plan
from freebody.scalar.graph import Graph

LARGEST = 75_000
"""Operations of M⁻¹ up to which it is written out: a chain of 32 hinges, a humanoid of 40."""


def factored(g: Graph, M: Mapping[Entry, int], size: int) -> Factor:
    """M in the order of elimination with the least fill."""
    return Factor(g, M, plan(size, list(M)))


def corner(columns: Sequence[Sequence[int]]) -> list[int]:
    """Of each column what stands above the diagonal and on it."""
    return [columns[j][i] for j in range(len(columns)) for i in range(j + 1)]


def small(M: Mapping[Entry, int], size: int) -> bool:
    """Whether M⁻¹ is better written out than computed by loops."""
    return sum(plan(size, list(M)).operations(size).values()) <= LARGEST
