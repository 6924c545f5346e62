"""M⁻¹ times vectors, whole, and as seen from points: Λ⁻¹ = J M⁻¹ Jᵀ.

Each is built in several ways and the one of fewest operations kept: from M by L D Lᵀ, and by the articulated-body
recursion, which never forms M and whose cost grows with the number of bodies only (Rodriguez 1991 Eqs 3.6–3.12).
"""

from collections.abc import Sequence

from freebody.formulations.equations import UNROLLED, Equations
from freebody.formulations.solve import solved, symmetric
from freebody.program.assemble import Assembly
from freebody.program.count import operations
from freebody.program.program import Program
from freebody.quantities.compliance import Compliance
from freebody.quantities.factor import corner, factored, small
from freebody.quantities.places import Columns, Where, require_standard
from freebody.scalar.symbol import Kind
from freebody.tree.elimination import Elimination
from freebody.tree.inertia import base

Square = list[list[int]]


def mass_solve(e: Equations) -> Program:
    """x = M⁻¹ b."""
    g = e.graph
    b = [g.symbol(f"b.{n}", Kind.INPUT, f"right side of {n}") for n in e.layout.u]
    a = Assembly("mass_solve", g, {**e.groups(), "b": b})
    ways = [_by_links(e, b)] if _exact(e) else []
    if len(b) <= UNROLLED:
        ways.append(solved(g, e.mass, b) if b else [])
    a.output("x", min(ways, key=lambda x: operations(g, x)) if ways else e.solve(a, b))
    return a.program()


def mass_inverse(e: Equations) -> Program:
    """M⁻¹, each pair of equal entries computed once."""
    a = e.assembly("mass_inverse")
    n = len(e.layout.u)
    a.output("M_inverse", inverse(e, a), (n, n))
    return a.program()


def inverse(e: Equations, a: Assembly) -> Square:
    """The nodes of M⁻¹."""
    g, n = e.graph, len(e.layout.u)
    unit = [[g.one if i == j else g.zero for i in range(n)] for j in range(n)]
    if not small(e.mass, n):
        found: Square = a.solve("inverse", e.mass, unit)
        return found
    ways = [factored(g, e.mass, n).whole()]
    if _exact(e):
        ways.append(symmetric([_by_links(e, column) for column in unit]))
    return min(ways, key=lambda way: operations(g, corner(way)))


def _exact(e: Equations) -> bool:
    """Whether M is the tree's own: exact, and in standard speeds."""
    return not e.small and e.standard == list(e.layout.u_handles)


def _by_links(e: Equations, right: Sequence[int]) -> list[int]:
    """M⁻¹ right, every link condensing."""
    return Elimination(e.forest, base(e.forest)).solve(right)


# From points


def operational_inertia(e: Equations, places: Sequence[Where]) -> Program:
    """Λ⁻¹ = J M⁻¹ Jᵀ, 6 × 6 for each pair of places: how the velocity at one answers to an impulse at another."""
    require_standard(e, "operational_inertia")
    a = e.assembly("operational_inertia")
    ways = [*_by_recursion(e, places)] if _exact(e) and not e.forest.shares else []
    if small(e.mass, len(e.layout.u)) or not ways:
        rows = [row for where in places for row in _rows(e, where)]
        ways.append(factored(e.graph, e.mass, len(e.layout.u)).seen(rows))
    a.output("inverse", symmetric(min(ways, key=lambda way: operations(e.graph, corner(way)))))
    return a.program()


def _by_recursion(e: Equations, places: Sequence[Where]) -> tuple[Square, Square]:
    """By Υ and Ω, best for one body; and from what unit wrenches leave at the speeds, best for bodies far apart."""
    made = Compliance(e)
    return made.seen(places), made.gram(places)


def _rows(e: Equations, where: Where) -> Square:
    columns = Columns(e, where).all
    return [[columns[k].c[row] if k in columns else e.graph.zero for k in range(len(e.layout.u))] for row in range(6)]
