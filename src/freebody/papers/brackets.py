"""Brackets of vector fields, and fields as combinations of others: [v_i, v_j] = Σ c^k_ij v_k."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from freebody.algebra import closed
from freebody.formulations.solve import solved
from freebody.scalar.derivative import jvp
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.values import somewhere, values
from freebody.scalar.walk import live

POINTS = 3  # where identities are tried
NEAR = 1e-9  # what is left there of a target that is no combination is larger
SMALL = 1000  # the largest denominator of structure constants that are tried

Array = NDArray[np.float64]
Rows = Sequence[Sequence[int]]
Structure = dict[tuple[int, int], list[int]]
"""c^k_ij by (i, j), i < j, listed over k; absent where all are zero."""


def along(g: Graph, nodes: Sequence[int], q: Sequence[int], direction: Sequence[int]) -> list[int]:
    """v(nodes): the derivative along a field with these components."""
    return jvp(g, list(nodes), dict(zip(q, direction, strict=True)))


def bracket(g: Graph, v: Sequence[int], w: Sequence[int], q: Sequence[int]) -> list[int]:
    """[v, w] = (∂w/∂q) v − (∂v/∂q) w."""
    return [g.sub(a, b) for a, b in zip(along(g, w, q, v), along(g, v, q, w), strict=True)]


def columns(V: Rows) -> list[list[int]]:
    return [list(column) for column in zip(*V, strict=True)]


def structure(g: Graph, V: Rows, q: Sequence[int]) -> Structure | None:
    """c^k_ij of the columns of V (Eq 38); None where some bracket is no combination of them."""
    found: Structure = {}
    for fields in blocks(g, V, q):
        own = {k: [row[k] for row in V] for k in fields}
        for i, j in combinations(fields, 2) if not constant(g, own.values()) else ():
            c = combination(g, list(own.values()), bracket(g, own[i], own[j], q))
            if c is None:
                return None
            if any(x != g.zero for x in c):
                found[i, j] = spread(g, len(V[0]), fields, c)
    return found


def spread(g: Graph, n: int, places: Sequence[int], values: Sequence[int]) -> list[int]:
    """Values at some places among zeros."""
    full = [g.zero] * n
    for place, value in zip(places, values, strict=True):
        full[place] = value
    return full


def constant(g: Graph, rows: Iterable[Sequence[int]]) -> bool:
    """Whether all entries are numbers and parameters."""
    return all(g.mask[x] <= PARAMETERS_ONLY for row in rows for x in row)


def blocks(g: Graph, V: Rows, q: Sequence[int]) -> list[list[int]]:
    """The columns that move or depend on the same coordinates, directly or through others: those of one joint."""
    found: list[tuple[set[int], list[int]]] = []
    for k, column in enumerate(columns(V)):
        touched = {i for i, x in enumerate(column) if x != g.zero}
        needed = set(live(g, column))
        touched |= {i for i, x in enumerate(q) if x in needed}
        near = [block for block in found if block[0] & touched]
        found = [block for block in found if not block[0] & touched]
        found.append((touched.union(*(b[0] for b in near)), sorted([k, *(c for b in near for c in b[1])])))
    return [fields for _, fields in found]


def constants(g: Graph, vectors: Rows, target: Sequence[int]) -> list[int] | None:
    """Numbers with Σ cᵢ vectorᵢ = target wherever it is tried, None where there are none."""
    if all(x == g.zero for x in target):
        return [g.zero] * len(vectors)
    points = [_at_a_point(g, vectors, target, seed) for seed in range(POINTS)]
    guess = [Fraction(float(x)).limit_denominator(SMALL) for x in _fitted(*points[0])]
    c = np.array([float(x) for x in guess])
    return [g.const(x) for x in guess] if all(_near(A @ c, b) for A, b in points) else None


def combination(g: Graph, vectors: Rows, target: Sequence[int]) -> list[int] | None:
    """Coefficients with Σ cᵢ vectorᵢ = target, numbers where they can be; None where there are none."""
    c = constants(g, vectors, target)
    if c is not None:
        return c
    points = (_at_a_point(g, vectors, target, seed) for seed in range(POINTS))
    within = all(_near(A @ _fitted(A, b), b) for A, b in points)
    return _projected(g, vectors, target) if within else None


def _fitted(A: Array, b: Array) -> Array:
    found: Array = np.linalg.lstsq(A, b, rcond=None)[0].astype(float)
    return found


def _near(a: Array, b: Array) -> bool:
    return bool(np.abs(a - b).max() <= NEAR * max(1.0, np.abs(b).max()))


def _projected(g: Graph, vectors: Rows, target: Sequence[int]) -> list[int]:
    """By the normal equations."""
    n = len(vectors)
    gram = {(i, j): _dot(g, vectors[i], vectors[j]) for i in range(n) for j in range(i + 1)}
    short = dict(zip(gram, closed(g, list(gram.values())), strict=True))
    found = solved(g, {k: h for k, h in short.items() if h != g.zero}, [_dot(g, v, target) for v in vectors])
    return closed(g, found)


def _at_a_point(g: Graph, vectors: Rows, target: Sequence[int], seed: int) -> tuple[Array, Array]:
    """The vectors as columns and the target, with some value for every symbol."""
    rows = [*vectors, target]
    numbers = iter(values(g, [x for row in rows for x in row], {}, somewhere(seed)))
    made = np.array([[float(next(numbers)) for _ in row] for row in rows])
    return made[:-1].T, made[-1]


def _dot(g: Graph, a: Sequence[int], b: Sequence[int]) -> int:
    total = g.zero
    for x, y in zip(a, b, strict=True):
        total = g.add(total, g.mul(x, y))
    return total
