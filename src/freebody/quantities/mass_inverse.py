"""M⁻¹ times vectors, whole, and as seen from points: Λ⁻¹ = J M⁻¹ Jᵀ.

Each is built in several ways and the one of fewest operations chosen: from M by L D Lᵀ, and by the articulated-body
recursion, which never forms M and whose cost grows with the number of bodies only (Rodriguez 1991 Eqs 3.6–3.12).
"""

from collections.abc import Mapping, Sequence

from freebody.formulations.derivation import UNROLLED, Derivation
from freebody.formulations.solve import Entry, Factor, solved, symmetric
from freebody.program.assemble import Assembly
from freebody.program.count import operations
from freebody.program.ldl import plan
from freebody.program.program import Program
from freebody.quantities.compliance import Compliance
from freebody.quantities.points import Location, matrix, require_standard
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.tree.elimination import Elimination
from freebody.tree.inertia import base

Square = list[list[int]]
LARGEST = 75_000
"""Operations of M⁻¹ up to which it is written out: a chain of 32 hinges, a humanoid of 40."""


def factored(g: Graph, M: Mapping[Entry, int], size: int) -> Factor:
    """M = L D Lᵀ in the order of elimination with the least fill."""
    return Factor(g, M, plan(size, list(M)))


def small(M: Mapping[Entry, int], size: int) -> bool:
    """Whether M⁻¹ is better written out than computed by loops."""
    return sum(plan(size, list(M)).operations(size).values()) <= LARGEST


def upper(columns: Sequence[Sequence[int]]) -> list[int]:
    """The entries above the diagonal and on it, column by column."""
    return [columns[j][i] for j in range(len(columns)) for i in range(j + 1)]


def mass_solve(e: Derivation) -> Program:
    """x = M⁻¹ b."""
    g = e.graph
    b = [g.symbol(f"b.{n}", Kind.INPUT, f"right side of {n}") for n in e.layout.u]
    a = Assembly("mass_solve", g, {**e.groups(), "b": b})
    ways = [_by_links(e, b)] if _exact(e) else []
    if len(b) <= UNROLLED:
        ways.append(solved(g, e.mass, b) if b else [])
    a.output("x", min(ways, key=lambda x: operations(g, x)) if ways else e.solve(a, b))
    return a.program()


def mass_inverse(e: Derivation) -> Program:
    """M⁻¹, each pair of equal entries computed once."""
    g, n, a = e.graph, len(e.layout.u), e.assembly("mass_inverse")
    unit = [[g.one if i == j else g.zero for i in range(n)] for j in range(n)]
    if small(e.mass, n):
        ways = [factored(g, e.mass, n).whole()]
        if _exact(e):
            ways.append(symmetric([_by_links(e, column) for column in unit]))
        inverse = min(ways, key=lambda way: operations(g, upper(way)))
    else:
        inverse = a.solve("inverse", e.mass, unit)
    a.output("M_inverse", inverse, (n, n))
    return a.program()


def _exact(e: Derivation) -> bool:
    """Whether M is the tree's own: exact, and in standard speeds."""
    return not e.small and e.standard == list(e.layout.u_handles)


def _by_links(e: Derivation, right: Sequence[int]) -> list[int]:
    """M⁻¹ times a vector by the elimination of speeds link by link."""
    return Elimination(e.forest, base(e.forest)).solve(right)


def operational_inertia(e: Derivation, places: Sequence[Location]) -> Program:
    """Λ⁻¹ = J M⁻¹ Jᵀ, 6 × 6 for each pair of points: the velocity at one for an impulse at another. By Υ and Ω, best
    for one body; by what unit wrenches leave at the speeds, best for bodies far apart; or from M."""
    require_standard(e, "operational_inertia")
    a, ways = e.assembly("operational_inertia"), list[Square]()
    if _exact(e) and not e.forest.shares:
        compliance = Compliance(e)
        ways += [compliance.seen(places), compliance.gram(places)]
    if small(e.mass, len(e.layout.u)) or not ways:
        rows = [row for where in places for row in matrix(e, where.columns(e))]
        ways.append(factored(e.graph, e.mass, len(e.layout.u)).seen(rows))
    a.output("inverse", symmetric(min(ways, key=lambda way: operations(e.graph, upper(way)))))
    return a.program()
