"""M u̇ = f + Gᵀλ and G u̇ = γ, reduced to the motions that the constraints allow, one row of G after another.

A row g·u̇ = γ is removed along a direction d with δ = g·d ≠ 0: u̇ = T x + d γ/δ with T = 1 − d gᵀ/δ, so that gᵀT = 0.
Then x satisfies TᵀM T x = Tᵀ(f − M d γ/δ), and the later rows become Tᵀgⱼ = gⱼ − (gⱼ·d/δ) g. TᵀM T is singular along
d; μ ĝĝᵀ with ĝ = g/δ and μ = d·M d is added, which changes nothing but x along d, so that the matrix stays positive
definite: M − ĝvᵀ − vĝᵀ with v = M d − μ ĝ. Where a row depends on those before it, 1/δ is taken as 0, which skips it.
A unit vector d takes its unknown out of the system instead, and the matrix becomes smaller.

The multiplier λ′ of the removed row is d·(M u̇ − f)/δ, with M, f and u̇ before its removal; it belongs to g as it is
then, so that λⱼ of later rows count for it as well: λ = λ′ − Σ (gⱼ·d/δ) λⱼ.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from freebody.formulations.constrained import ConstrainedSystem
from freebody.formulations.solve import solve_symmetric
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.ops import ABS, MAX
from freebody.tree.mass_matrix import Entries, entry

Sparse = dict[int, Node]
"""The entries of a vector that are not structurally zero, by index."""


class RowDirection(ABC):
    """A direction d."""

    unknown: int | None = None
    """The index of a unit vector that is the same at all states."""

    @abstractmethod
    def dot(self, x: Mapping[int, Node]) -> Node:
        """d·x"""

    @abstractmethod
    def move(self, x: Sparse, distance: Node) -> None:
        """x ← x + d · distance"""


Choice = Callable[[Graph, Sparse, Node], tuple[RowDirection, Node]]
"""Returns the direction for a row and 1/δ, or 0 where the row depends on others. The last argument is the largest entry
of the rows of one constraint in one unit before any was removed: what rounding is compared with."""


@dataclass
class Removal:
    """A row that is removed, and what is needed to recover u̇ and λ."""

    row: int
    g: Sparse
    gamma: Node
    d: RowDirection
    inverse: Node  # 1/δ
    Md: Sparse
    force: Node  # d·f
    ratios: Sparse  # gⱼ·d/δ of the later rows


def solve_by_projection(system: ConstrainedSystem, choose: Choice) -> tuple[list[Node], list[Node]]:
    """u̇ and λ; ``choose`` selects the direction of each row."""
    S, n = system.graph, len(system.force)
    M, f = dict(system.mass), dict(enumerate(system.force))
    rows = {k: {j: x for j, x in enumerate(row) if not S.vanishes(x)} for k, row in enumerate(system.G)}
    gamma, scales = list(system.gamma), _scales(system, rows)
    removals = list[Removal]()
    while rows:
        k = min(rows, key=lambda k: (len(rows[k]), k))
        g = rows.pop(k)
        d, inverse = choose(S, g, scales[k])
        if S.vanishes(inverse):
            continue
        Md = _products(S, M, d)
        step = Removal(k, g, gamma[k], d, inverse, Md, d.dot(f), {})
        for j, other in rows.items():
            ratio = S.mul(d.dot(other), inverse)
            if not S.vanishes(ratio):
                step.ratios[j], gamma[j] = ratio, S.sub(gamma[j], S.mul(ratio, gamma[k]))
                rows[j] = {i: x for i, x in _minus(S, other, ratio, g).items() if i != d.unknown}
        _reduce(S, M, f, step)
        removals.append(step)
    left = sorted(f)
    place = {unknown: i for i, unknown in enumerate(left)}
    matrix = {(place[i], place[j]): x for (i, j), x in sorted(M.items()) if not S.vanishes(x)}
    x = dict.fromkeys(range(n), S.zero) | dict(zip(left, solve_symmetric(S, matrix, [f[i] for i in left]), strict=True))
    multipliers = dict.fromkeys(range(len(gamma)), S.zero)
    for step in reversed(removals):
        step.d.move(x, S.mul(S.sub(step.gamma, inner(S, step.g, x)), step.inverse))
        value = S.mul(S.sub(inner(S, step.Md, x), step.force), step.inverse)
        multipliers[step.row] = S.sub(value, inner(S, step.ratios, multipliers))
    return [x[k] for k in range(n)], [multipliers[k] for k in range(len(gamma))]


def _reduce(S: Graph, M: Entries, f: Sparse, step: Removal) -> None:
    """M and f after the removal of a row."""
    mu, right, p = step.d.dot(step.Md), S.mul(step.gamma, step.inverse), step.d.unknown
    unit = {i: S.mul(x, step.inverse) for i, x in step.g.items() if i != p}
    share = mu if p is None else S.mul(S.const(Fraction(1, 2)), mu)
    v = _minus(S, {i: x for i, x in step.Md.items() if i != p}, share, unit)
    for i, x in unit.items():
        for j, y in v.items():
            product = S.mul(x, y)
            key = entry(i, j)
            M[key] = S.sub(M.get(key, S.zero), S.mul(S.const(2), product) if i == j else product)
    along = S.sub(step.force, S.mul(mu, right))
    f |= dict.fromkeys(f, S.zero) | _minus(S, _minus(S, f, right, step.Md), along, unit)
    if p is not None:
        del f[p]
        for key in [key for key in M if p in key]:
            del M[key]


def _scales(system: ConstrainedSystem, rows: Mapping[int, Sparse]) -> list[Node]:
    """For each row the largest entry of those with which it belongs together."""
    S = system.graph
    sizes = [reduce(S.build[MAX], [S.build[ABS](x) for x in rows[k].values()], S.zero) for k in rows]
    return [reduce(S.build[MAX], [sizes[i] for i in others]) for others in system.related]


def _products(S: Graph, M: Entries, d: RowDirection) -> Sparse:
    """M d"""
    rows = dict[int, Sparse]()
    for (i, j), x in M.items():
        rows.setdefault(i, {})[j] = rows.setdefault(j, {})[i] = x
    products = {i: d.dot(row) for i, row in sorted(rows.items())}
    return {i: x for i, x in products.items() if not S.vanishes(x)}


def _minus(S: Graph, a: Mapping[int, Node], ratio: Node, b: Mapping[int, Node]) -> Sparse:
    """a − ratio b"""
    result = {k: S.sub(a.get(k, S.zero), S.mul(ratio, b[k])) if k in b else a[k] for k in sorted(a.keys() | b.keys())}
    return {k: x for k, x in result.items() if not S.vanishes(x)}


def inner(S: Graph, a: Mapping[int, Node], b: Mapping[int, Node]) -> Node:
    """a·b"""
    total = S.zero
    for k in sorted(a.keys() & b.keys()):
        total = S.add(total, S.mul(a[k], b[k]))
    return total
