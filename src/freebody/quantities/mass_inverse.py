"""M⁻¹ times vectors, whole, and as seen from points: Λ⁻¹ = J M⁻¹ Jᵀ. With constraints M⁻¹ is the matrix of u̇ per
generalised force, M⁻¹ − M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G M⁻¹: the block of the speeds in the inverse of [M −Gᵀ; −G 0].

Each is built in several ways and the one of fewest operations chosen: from M by L D Lᵀ, and by the articulated-body
recursion, which never forms M and whose cost grows with the number of bodies only (Rodriguez 1991 Eqs 3.6–3.12).
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

from freebody.formulations.constrained import augmented
from freebody.formulations.derivation import UNROLLED, Derivation
from freebody.formulations.solve import Entry, Factor, solve_symmetric, symmetric
from freebody.program.assemble import Assembly
from freebody.program.count import operations
from freebody.program.ldl import plan
from freebody.program.program import Program
from freebody.quantities.kinematics import Axes, Location, matrix, require_standard, wrench_on_link
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.spatial.frame import Frame
from freebody.spatial.resolved import Transform, Twist
from freebody.tree.compliance import Compliance, common
from freebody.tree.elimination import Elimination
from freebody.tree.inertia import base_inertias
from freebody.tree.tree import Link

Square = list[list[Node]]
LARGEST = 75_000
"""Operations of M⁻¹ up to which it is written out: a chain of 32 hinges, a humanoid of 40."""


def factored(g: Graph, M: Mapping[Entry, Node], size: int, multipliers: Sequence[int] = ()) -> Factor:
    """M = L D Lᵀ in the order of elimination with the least fill."""
    return Factor(g, M, plan(size, list(M), multipliers))


class ForceSystem(NamedTuple):
    """The matrix of M u̇ − Gᵀλ = force, −G u̇ = −γ: its lower triangle, its size, and the unknowns that are
    multipliers, behind the speeds."""

    matrix: Mapping[Entry, Node]
    size: int
    multipliers: range

    @classmethod
    def of(cls, e: Derivation, M: Mapping[Entry, Node]) -> "ForceSystem":
        """That of equations, with this M."""
        n, rows = len(e.layout.u), len(e.constraints.rows)
        return cls(augmented(e.graph, M, e.jacobian, n) if rows else M, n + rows, range(n, n + rows))

    @property
    def small(self) -> bool:
        """Whether the inverse is better written out than computed by loops."""
        best = plan(self.size, list(self.matrix), self.multipliers)
        return sum(best.operations(self.size).values()) <= LARGEST

    def factored(self, g: Graph) -> Factor:
        return factored(g, self.matrix, self.size, self.multipliers)

    def forces(self, g: Graph, columns: Sequence[Sequence[Node]]) -> Square:
        """Right sides for columns of generalised forces, one row for each: γ is zero."""
        return [[*column, *[g.zero] * len(self.multipliers)] for column in columns]


def upper(columns: Sequence[Sequence[Node]]) -> list[Node]:
    """The entries above the diagonal and on it, column by column."""
    return [columns[j][i] for j in range(len(columns)) for i in range(j + 1)]


def mass_solve(e: Derivation) -> Program:
    """x = M⁻¹ b."""
    g = e.graph
    b = [g.symbol(f"b.{n}", Kind.INPUT, f"right side of {n}") for n in e.layout.u]
    a = Assembly("mass_solve", g, {**e.groups(), "b": b})
    ways, system = [_by_links(e, b)] if _exact(e) else [], ForceSystem.of(e, e.mass)
    (right,) = system.forces(g, [b])
    if system.size <= UNROLLED:
        ways.append(solve_symmetric(g, system.matrix, right, system.multipliers)[: len(b)] if b else [])
    if not ways:
        ways.append(a.solve("x", system.matrix, right, system.multipliers)[: len(b)])
    a.output("x", min(ways, key=lambda x: operations(g, x)))
    return a.program()


def mass_inverse(e: Derivation) -> Program:
    """M⁻¹, each pair of equal entries computed once."""
    g, n, a, system = e.graph, len(e.layout.u), e.assembly("mass_inverse"), ForceSystem.of(e, e.mass)
    unit = [[g.one if i == j else g.zero for i in range(n)] for j in range(n)]
    right = system.forces(g, unit)
    if system.small:
        factor = system.factored(g)
        ways = [symmetric([factor.solve(column)[:n] for column in right])]
        if _exact(e):
            ways.append(symmetric([_by_links(e, column) for column in unit]))
        inverse = min(ways, key=lambda way: operations(g, upper(way)))
    else:
        inverse = a.solve("inverse", system.matrix, [list(row) for row in zip(*right, strict=True)], system.multipliers)
    a.output("M_inverse", inverse[:n], (n, n))
    return a.program()


def _exact(e: Derivation) -> bool:
    """Whether M is the tree's own: exact, and in standard speeds."""
    return not e.small and e.has_standard_speeds


def _by_links(e: Derivation, right: Sequence[Node]) -> list[Node]:
    """M⁻¹ times a vector by the elimination of speeds and multipliers link by link."""
    multipliers = e.constraints.multipliers(e.tree) if e.tree.model.constraints else []
    elimination = Elimination(e.tree, base_inertias(e.tree), multipliers=multipliers)
    return elimination.solve([*right, *[e.graph.zero] * len(multipliers)])[: len(right)]


def operational_inertia(e: Derivation, places: Sequence[Location]) -> Program:
    """Λ⁻¹ = J M⁻¹ Jᵀ, 6 × 6 for each pair of points: the velocity at one for an impulse at another. By Υ and Ω, best
    for one body; by what unit wrenches leave at the speeds, best for bodies far apart; or from M."""
    require_standard(e, "operational_inertia")
    g, system = e.graph, ForceSystem.of(e, e.mass)
    a, ways = e.assembly("operational_inertia"), list[Square]()
    if _exact(e) and not e.tree.shares and not system.multipliers:
        compliance = PointCompliance(e)
        ways += [compliance.seen(places), compliance.gram(places)]
    if system.small or not ways:
        rows = [row for where in places for row in matrix(e, where.columns(e))]
        ways.append(system.factored(g).congruence(system.forces(g, rows)))
    a.output("inverse", symmetric(min(ways, key=lambda way: operations(g, upper(way)))))
    return a.program()


class PointCompliance:
    """Velocities of points of a tree for impulses at each other, as nodes, by recursion outwards: Υ of links and blocks
    of Ω (``tree.compliance``), or by what unit wrenches leave at the speeds."""

    def __init__(self, e: Derivation) -> None:
        self.e, self.graph = e, e.graph
        self.elimination = Elimination(e.tree, base_inertias(e.tree))
        self.elimination.condense([e.graph.zero] * len(e.layout.u))
        self.compliance = Compliance(self.elimination)

    def gram(self, places: Sequence[Location]) -> Square:
        """J M⁻¹ Jᵀ = Rᵀ D⁻¹ R, R = (1 − H ψ K) Jᵀ (Eq 3.6), above the diagonal and on it; zeros below."""
        g, inverse = self.graph, self.elimination.inverse
        left = [self._left(where, k) for where in places for k in range(6)]
        scaled = [{speed: g.mul(x, inverse[speed]) for speed, x in row.items()} for row in left]
        return [
            [
                _sum(g, (g.mul(x, b[speed]) for speed, x in a.items() if speed in b)) if i <= j else g.zero
                for i, a in enumerate(left)
            ]
            for j, b in enumerate(scaled)
        ]

    def _left(self, where: Location, k: int) -> dict[int, Node]:
        """By speed the part of a unit wrench at a point that reaches it past the free joints outboard of it."""
        F = wrench_on_link(self.e, where, [self.graph.one if i == k else self.graph.zero for i in range(6)])
        return self.elimination.substitute({where.link(self.e).index: F}, {}).right

    def seen(self, places: Sequence[Location]) -> Square:
        """J M⁻¹ Jᵀ of points, above the diagonal and on it; zeros below the blocks on the diagonal."""
        n = len(places)
        whole = [[self.graph.zero] * (6 * n) for _ in range(6 * n)]
        for i, one in enumerate(places):
            there = self._transform(one)
            Y = self.compliance.upsilon(one.link(self.e)).out(there)
            half = [self._components(one, Twist(there.tip, tuple(Y.entry(r, c) for c in range(6)))) for r in range(6)]
            block = [self._components(one, Twist(there.tip, tuple(row))) for row in _transposed(half)]
            for j in range(i, n):
                for r, row in enumerate(block if i == j else self._pair(one, places[j])):
                    whole[6 * j + r][6 * i : 6 * i + 6] = row
        return whole

    def _transform(self, where: Location) -> Transform:
        """From the origin of a point's link to the point, along the link's axes."""
        arm = where.arm(self.e)
        return Transform(arm.frame, Frame(f"{where.body} place", self.graph, arm.frame), arm)

    def _pair(self, one: Location, other: Location) -> Square:
        """The block in the rows of the second point and the columns of the first."""
        meeting = common(one.link(self.e), other.link(self.e))
        if meeting is None:
            return [[self.graph.zero] * 6 for _ in range(6)]
        Y = self.compliance.upsilon(meeting)
        rows = [Twist(meeting.frame, tuple(Y.entry(i, j) for j in range(6))) for i in range(6)]
        half = [self._carried(meeting, one, row) for row in rows]
        return _transposed([self._carried(meeting, other, Twist(meeting.frame, tuple(c))) for c in _transposed(half)])

    def _carried(self, start: Link, where: Location, row: Twist) -> list[Node]:
        """r ψ(start, k) at a point of link k."""
        row = self.compliance.carry(row, start, where.link(self.e))
        return self._components(where, row.out(self._transform(where)))

    def _components(self, where: Location, row: Twist) -> list[Node]:
        """A row along the axes of a point."""
        axes = Axes(where.axes(self.e))
        return [*axes.of(row.angular).c, *axes.of(row.linear).c]


def _sum(g: Graph, terms: Iterable[Node]) -> Node:
    return reduce(g.add, terms, g.zero)


def _transposed(rows: Square) -> Square:
    return [list(column) for column in zip(*rows, strict=True)]
