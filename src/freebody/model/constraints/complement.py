"""The complement of a joint's columns H: six-vectors at right angles to them, the wrenches that the joint resists.

With r rows of H as pivots, eᵢ − Σ xⱼ eⱼ over the pivots j is at right angles to H for each other row i. This takes the
fewest operations, and fails where the minor of the pivots vanishes. Where each choice of pivots does so at some
coordinates (a rail that bends by a right angle), reflections Q = H₁ H₂ … turn the columns to r axes instead
(Householder 1958), and the other columns of Q are the complement: of length 1 and at right angles to each other
everywhere.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from freebody.model.joints.base import Array
from freebody.model.joints.simple import solve
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.numbers import Number
from freebody.scalar.ops import LE
from freebody.spatial.scalars import cross3, dot

COMPONENTS = ("torque.x", "torque.y", "torque.z", "force.x", "force.y", "force.z")
"""The components of a wrench along the axes of a joint's frame."""

HALVES = range(3), range(3, 6)

INDEPENDENT = 1e-7
"""What is left of a column of H outside the span of the others, at least."""

FAR = np.pi, 41
"""How far from the initial coordinates minors are examined, in rad or m, and at how many others."""

STEADY = 0.05
"""Pivots are used if their minor, relative to the volume of the columns, is nowhere smaller and has one sign."""

Row = list[Node]


def pivot_rows(
    near: Sequence[Array], far: Iterable[Array] = (), rows: Iterable[int] = range(6)
) -> tuple[int, ...] | None:
    """The rows of H that are solved for its speeds, best conditioned at the worst of several states; () where each
    choice has a minor that vanishes at some of the states that are ``far`` from these, or between them; None where the
    rank of H is not the number of its columns at each of those that are ``near``."""
    if not near or any(np.linalg.matrix_rank(H, tol=INDEPENDENT) < H.shape[1] for H in near):
        return None
    choices, n = list(combinations(rows, near[0].shape[1])), near[0].shape[1]
    first = max(choices, key=lambda pivots: min(abs(np.linalg.det(H[list(pivots)])) for H in near))
    parts = _parts_with_pivots(near)
    if not parts:
        return first
    every = [*near, *(H for H in far if np.linalg.matrix_rank(H, tol=STEADY * np.abs(H).max()) == n)]
    best = max([first, *choices], key=lambda pivots: _smallest_minor(every, parts, pivots))
    return next((some for some in (first, best) if _smallest_minor(every, parts, some) > STEADY), ())


def far_coordinates(start: Array) -> Array:
    """Coordinates around those at the start, one set in each row: at equal distances if there is one, else random."""
    size, count = FAR
    if len(start) == 1:
        return start + np.linspace(-size, size, count)[:, None]
    return np.asarray(start + np.random.default_rng(0).uniform(-size, size, (count, len(start))))


def _parts_with_pivots(near: Sequence[Array]) -> list[tuple[list[int], range]]:
    """The columns, with the range of their rows, whose complement needs pivots: all of them, or, if none of them both
    turns and slides, one that turns alone, or slides alone (``complement``)."""
    sizes = np.max([np.abs(H) for H in near], axis=0)
    halves = [[k for k in range(sizes.shape[1]) if sizes[rows, k].any()] for rows in map(list, HALVES)]
    if set(halves[0]) & set(halves[1]):
        return [(list(range(sizes.shape[1])), range(6))]
    return [(columns, rows) for columns, rows in zip(halves, HALVES, strict=True) if len(columns) == 1]


def _smallest_minor(samples: Sequence[Array], parts: Sequence[tuple[list[int], range]], pivots: Sequence[int]) -> float:
    """The smallest size of the minors of pivots, relative to the volume of the columns; 0 if their signs differ."""
    smallest = 1.0
    for columns, rows in parts:
        own = [i for i in pivots if i in rows]
        if len(own) != len(columns):
            return 0.0
        volumes = [np.sqrt(np.linalg.det(H[:, columns].T @ H[:, columns])) for H in samples]
        minors = [np.linalg.det(H[np.ix_(own, columns)]) / v for H, v in zip(samples, volumes, strict=True)]
        smallest = min(smallest, max(min(minors), min(-m for m in minors)))
    return smallest


def complement(
    g: Graph,
    columns: Sequence[Sequence[Node]],
    pivots: Sequence[int],
    near: Mapping[Node, Number],
    rows: Collection[int] = range(6),
) -> dict[str, Row]:
    """Six-vectors at right angles to the columns by the name of their main component: 6 − r of them, or as many less as
    ``rows`` leaves out, in which the columns are zero. ``pivots`` as ``pivot_rows`` finds them; ``near`` are values of
    nodes at which these are sound. If no column both turns and slides, they are found for the two halves separately."""
    groups = [[c for c in columns if any(c[i] != g.zero for i in half)] for half in HALVES]
    if sum(map(len, groups)) > len(columns):
        return _complement_in(g, columns, rows, pivots, near)
    result = dict[str, Row]()
    for half, group in zip(HALVES, groups, strict=True):
        own = [i for i in half if i in rows]
        if len(group) == 2 and len(own) == 3:  # the cross product, which is never zero
            normal = cross3(g, *([c[i] for i in half] for c in group))
            name, _ = COMPONENTS[half.start].split(".")
            result[name] = [normal[i - half.start] if i in half else g.zero for i in range(6)]
        else:
            result |= _complement_in(g, group, own, [i for i in pivots if i in half], near)
    return result


def _complement_in(
    g: Graph,
    columns: Sequence[Sequence[Node]],
    rows: Collection[int],
    pivots: Sequence[int],
    near: Mapping[Node, Number],
) -> dict[str, Row]:
    """For each row i that is not a pivot: eᵢ − Σ xⱼ eⱼ over the pivots j, with Σ xⱼ Hⱼ = Hᵢ for the rows of H."""
    if len(pivots) < len(columns) and len(columns) < len(rows):
        return _reflected(g, columns, rows)
    result = dict[str, Row]()
    for i in rows:
        if i not in pivots and len(columns) < len(rows):
            row, right = _unit(g, i), [c[i] for c in columns]
            x = solve(g, [[c[j] for c in columns] for j in pivots], right, range(len(columns)), near)
            for j, factor in zip(pivots, x, strict=True):
                row[j] = g.neg(factor)
            result[COMPONENTS[i]] = row
    return result


def _reflected(g: Graph, columns: Sequence[Sequence[Node]], rows: Collection[int]) -> dict[str, Row]:
    """Q eᵢ for each row i to whose axis no column is turned. The reflection of a column of length 1, n, to the axis p
    is y − v (v · y)/(1 + |n_p|) with v = n ± e_p and the sign of n_p, whose divisor is not less than 1."""
    reflections, remaining = list[tuple[Row, Node]](), list(rows)
    for column in columns:
        rest = [x if i in remaining else g.zero for i, x in enumerate(_turned(g, reflections, column))]
        p = next(i for i in remaining if rest[i] != g.zero)
        remaining.remove(p)
        length = g.sqrt(dot(g, rest, rest))
        n = [g.div(x, length) for x in rest]
        sign = g.where(g.build[LE](g.zero, n[p]), g.one, g.neg(g.one))
        divisor = g.add(g.one, g.mul(sign, n[p]))
        n[p] = g.add(n[p], sign)
        reflections.append((n, divisor))
    return {COMPONENTS[i]: _turned(g, reflections[::-1], _unit(g, i)) for i in remaining}


def _turned(g: Graph, reflections: Iterable[tuple[Row, Node]], y: Sequence[Node]) -> Row:
    """A six-vector after reflections, one after another."""
    result = list(y)
    for v, divisor in reflections:
        factor = g.div(dot(g, v, result), divisor)
        result = [g.sub(x, g.mul(factor, a)) for x, a in zip(result, v, strict=True)]
    return result


def _unit(g: Graph, i: int) -> Row:
    return [g.one if k == i else g.zero for k in range(6)]
