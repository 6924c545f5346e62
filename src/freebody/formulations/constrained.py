"""M u̇ = f + Gᵀλ and G u̇ = γ as one symmetric system: [M −Gᵀ; −G 0] [u̇; λ] = [f; −γ]."""

from collections.abc import Mapping, Sequence

from freebody.formulations.solve import Entry, solve_symmetric
from freebody.scalar.graph import Graph


def augmented(g: Graph, mass: Mapping[Entry, int], G: Sequence[Sequence[int]], n: int) -> dict[Entry, int]:
    """The lower triangle of the matrix; multipliers have no entry on the diagonal."""
    rows = {(n + i, j): g.neg(x) for i, row in enumerate(G) for j, x in enumerate(row) if not g.vanishes(x)}
    return {**mass, **rows}


def solve_constrained(
    g: Graph, mass: Mapping[Entry, int], force: Sequence[int], G: Sequence[Sequence[int]], gamma: Sequence[int]
) -> tuple[list[int], list[int]]:
    """u̇ and λ."""
    n = len(force)
    if not G:
        return solve_symmetric(g, mass, force), []
    right = [*force, *map(g.neg, gamma)]
    x = solve_symmetric(g, augmented(g, mass, G, n), right, range(n, len(right)))
    return x[:n], x[n:]
