"""Brackets of vector fields, and fields as combinations of others: [v_i, v_j] = Σ c^k_ij v_k."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np

from freebody.formulations.solve import solved
from freebody.scalar.closed import closed, is_zero
from freebody.scalar.derivative import jvp
from freebody.scalar.graph import Graph
from freebody.scalar.ops import SYMBOL
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.walk import live, substitute

NEAR = 1e-9  # what is left of a target at one point, if it is no combination, is larger
SMALL = 1000  # the largest denominator of structure constants that are tried

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


def combination(g: Graph, vectors: Rows, target: Sequence[int]) -> list[int] | None:
    """Coefficients with Σ cᵢ vectorᵢ = target for all values of the symbols, None where there are none. Constants that
    are right at one point are tried first."""
    if all(x == g.zero for x in target):
        return [g.zero] * len(vectors)
    numbers = _at_a_point(g, [*vectors, target])
    A, b = np.transpose(numbers[:-1]), np.array(numbers[-1])
    c = np.linalg.lstsq(A, b, rcond=None)[0]
    if np.abs(A @ c - b).max() > NEAR * max(1.0, np.abs(b).max()):
        return None
    guess = [g.const(Fraction(float(x)).limit_denominator(SMALL)) for x in c]
    rest = [g.sub(_dot(g, guess, row), t) for row, t in zip(zip(*vectors, strict=True), target, strict=True)]
    return guess if all(is_zero(g, r) for r in rest) else _projected(g, vectors, target)


def _projected(g: Graph, vectors: Rows, target: Sequence[int]) -> list[int]:
    """By the normal equations."""
    n = len(vectors)
    gram = {(i, j): _dot(g, vectors[i], vectors[j]) for i in range(n) for j in range(i + 1)}
    short = dict(zip(gram, closed(g, list(gram.values())), strict=True))
    found = solved(g, {k: h for k, h in short.items() if h != g.zero}, [_dot(g, v, target) for v in vectors])
    return closed(g, found)


def _at_a_point(g: Graph, rows: Rows) -> list[list[float]]:
    """Numbers, with some value for every symbol."""
    flat, draw = [x for row in rows for x in row], Random(1)
    values = {i: g.const(draw.uniform(0.3, 1.2)) for i in live(g, flat) if g.op[i] == SYMBOL}
    numbers = iter([float(g.number(x) or 0) for x in substitute(g, flat, values)])
    return [[next(numbers) for _ in row] for row in rows]


def _dot(g: Graph, a: Sequence[int], b: Sequence[int]) -> int:
    total = g.zero
    for x, y in zip(a, b, strict=True):
        total = g.add(total, g.mul(x, y))
    return total
