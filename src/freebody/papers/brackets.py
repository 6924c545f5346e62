"""Brackets of velocity fields, [v_i, v_j] = Σ c^k_ij v_k, and the Coriolis matrix C(q, p) that follows from them.

d/dt ∂T/∂p − ∂T/∂p · brackets − v(T) = M ṗ + C p (Kwatny & Blankenship Eq 53b, corrected). With A_ki = v_i(M p)_k and
π = M p, of which ½ Aᵀ p is v(T),

    C = A − ½ Aᵀ − Σ_j p_j c^l_jk M_li,

and another one that gives the same C p has Ṁ − 2C skew:

    C = ½ (Ṁ + A − Aᵀ) + B,   B_kj = −Σ_i c^i_jk π_i = −B_jk.

A bracket that is not a combination of the fields (of a nonholonomic joint) is one of other momenta than π: its terms
are coefficients before rows of a momentum map, of which the rows of M are those of π.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from freebody.algebra import closed_forms
from freebody.formulations.solve import solve_symmetric
from freebody.scalar.derivative import jvp
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.walk import live, somewhere, values
from freebody.spatial.scalars import dot

POINTS = 3  # where identities are tested
NEAR = 1e-9  # the remainder of a target that is not a combination is larger there
SMALL = 1000  # the largest denominator of structure constants that are tried

Array = NDArray[np.float64]
Rows = Sequence[Sequence[Node]]
Structure = dict[tuple[int, int], list[Node]]
"""c^k_ij by (i, j), i < j, listed over k; absent where all are zero."""
Term = tuple[Node, Sequence[Node]]
"""A coefficient, and the row of a momentum map."""


def along(g: Graph, nodes: Sequence[Node], q: Sequence[Node], direction: Sequence[Node]) -> list[Node]:
    """v(nodes): the derivative along a field with these components."""
    return jvp(g, list(nodes), dict(zip(q, direction, strict=True)))


def bracket(g: Graph, v: Sequence[Node], w: Sequence[Node], q: Sequence[Node]) -> list[Node]:
    """[v, w] = (∂w/∂q) v − (∂v/∂q) w."""
    return [g.sub(a, b) for a, b in zip(along(g, w, q, v), along(g, v, q, w), strict=True)]


def columns(V: Rows) -> list[list[Node]]:
    return [list(column) for column in zip(*V, strict=True)]


def structure(g: Graph, V: Rows, q: Sequence[Node]) -> Structure | None:
    """c^k_ij of the columns of V (Eq 38); None where some bracket is not a combination of them."""
    structure_of: Structure = {}
    for fields in blocks(g, V, q):
        block = {k: [row[k] for row in V] for k in fields}
        for i, j in combinations(fields, 2) if not constant(g, block.values()) else ():
            c = combination(g, list(block.values()), bracket(g, block[i], block[j], q))
            if c is None:
                return None
            if any(x != g.zero for x in c):
                of_field = dict(zip(fields, c, strict=True))
                structure_of[i, j] = [of_field.get(k, g.zero) for k in range(len(V[0]))]
    return structure_of


def constant(g: Graph, rows: Iterable[Sequence[int]]) -> bool:
    """Whether all entries are numbers and parameters."""
    return all(g.mask[x] <= PARAMETERS_ONLY for row in rows for x in row)


def blocks(g: Graph, V: Rows, q: Sequence[Node]) -> list[list[int]]:
    """The columns that move or depend on the same coordinates, directly or through others: those of one joint."""
    groups: list[tuple[set[int], list[int]]] = []
    for k, column in enumerate(columns(V)):
        touched = {i for i, x in enumerate(column) if x != g.zero}
        needed = set(live(g, column))
        touched |= {i for i, x in enumerate(q) if x in needed}
        near = [block for block in groups if block[0] & touched]
        groups = [block for block in groups if not block[0] & touched]
        groups.append((touched.union(*(b[0] for b in near)), sorted([k, *(c for b in near for c in b[1])])))
    return [fields for _, fields in groups]


def constants(g: Graph, vectors: Rows, target: Sequence[Node]) -> list[Node] | None:
    """Numbers with Σ cᵢ vectorᵢ = target at all test points; None where there are none."""
    if all(x == g.zero for x in target):
        return [g.zero] * len(vectors)
    points = [_at_a_point(g, vectors, target, seed) for seed in range(POINTS)]
    guess = [Fraction(float(x)).limit_denominator(SMALL) for x in np.linalg.lstsq(*points[0], rcond=None)[0]]
    c = np.array([float(x) for x in guess])
    return [g.const(x) for x in guess] if all(_near(A @ c, b) for A, b in points) else None


def combination(g: Graph, vectors: Rows, target: Sequence[Node]) -> list[Node] | None:
    """Coefficients with Σ cᵢ vectorᵢ = target, numbers where they can be; None where there are none."""
    c = constants(g, vectors, target)
    if c is not None:
        return c
    points = (_at_a_point(g, vectors, target, seed) for seed in range(POINTS))
    if not all(_near(A @ np.linalg.lstsq(A, b, rcond=None)[0], b) for A, b in points):
        return None
    n = len(vectors)  # by the normal equations
    gram = {(i, j): dot(g, vectors[i], vectors[j]) for i in range(n) for j in range(i + 1)}
    short = dict(zip(gram, closed_forms(g, list(gram.values())), strict=True))
    nonzero = {k: h for k, h in short.items() if h != g.zero}
    return closed_forms(g, solve_symmetric(g, nonzero, [dot(g, v, target) for v in vectors]))


def _near(a: Array, b: Array) -> bool:
    return bool(np.abs(a - b).max() <= NEAR * max(1.0, np.abs(b).max()))


def _at_a_point(g: Graph, vectors: Rows, target: Sequence[Node], seed: int) -> tuple[Array, Array]:
    """The vectors as columns and the target, with some value for every symbol."""
    rows = [*vectors, target]
    numbers = iter(values(g, [x for row in rows for x in row], {}, somewhere(seed)))
    at_point = np.array([[float(next(numbers)) for _ in row] for row in rows])
    return at_point[:-1].T, at_point[-1]


@dataclass(frozen=True)
class VelocityFields:
    """The velocity fields of a system: M, V, the symbols q and p, and the momenta of brackets by (i, j), i < j."""

    graph: Graph
    M: Rows
    V: Rows
    q: Sequence[Node]
    p: Sequence[Node]
    terms: Mapping[tuple[int, int], Sequence[Term]]

    def coriolis(self, skew: bool = False) -> list[list[Node]]:
        """C."""
        g, p, half, indices = self.graph, self.p, self.graph.const(Fraction(1, 2)), range(len(self.p))
        momenta = [dot(g, row, p) for row in self.M]
        At = [along(g, momenta, self.q, v) for v in columns(self.V)]
        if skew:
            rate = [along(g, row, self.q, [dot(g, v, p) for v in self.V]) for row in self.M]
            twice = [[g.add(rate[k][i], g.sub(At[i][k], At[k][i])) for i in indices] for k in indices]
            C = [[g.mul(half, x) for x in row] for row in twice]
        else:
            C = [[g.sub(At[i][k], g.mul(half, At[k][i])) for i in indices] for k in indices]
        for (i, j), terms in self.terms.items():
            for c, row in terms:
                if skew:
                    b = g.mul(c, dot(g, row, p))
                    C[j][i], C[i][j] = g.sub(C[j][i], b), g.add(C[i][j], b)
                else:
                    first, second = g.mul(p[i], c), g.neg(g.mul(p[j], c))
                    C[j] = [g.sub(a, g.mul(first, x)) for a, x in zip(C[j], row, strict=True)]
                    C[i] = [g.sub(a, g.mul(second, x)) for a, x in zip(C[i], row, strict=True)]
        return C
