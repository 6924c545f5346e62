"""Exact first derivatives of forward and inverse dynamics.

Inverse dynamics τ(q, u, u̇, …) is differentiated: its inertia part by composite bodies (``partials``), the forces of
loads and joints by the rules of differentiation. Forward dynamics follows from ∂u̇/∂x = −M⁻¹ ∂τ/∂x at constant u̇, so no
factorisation is differentiated. Columns by q are along the tangent, q̇ = N(q) δ: one for each free speed. Where a speed
is the rate of one coordinate, that coordinate is the direction; else q + N δ is substituted for the coordinates,
differentiated by δ and evaluated at δ = 0.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial

from freebody.errors import ArgumentError
from freebody.formulations.derivation import Derivation
from freebody.program.assemble import Assembly
from freebody.program.count import operations
from freebody.program.program import Program
from freebody.quantities.flows import Flows
from freebody.quantities.forces import applied_forces, inverse_dynamics, weight
from freebody.quantities.mass_inverse import factored, small
from freebody.quantities.partials import Partials, known
from freebody.quantities.points import require_standard
from freebody.scalar.derivative import Entries, jacobian
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute
from freebody.tree.inertia import base
from freebody.tree.mass import mass
from freebody.tree.motion import Motion

Rows = list[list[int]]
Differentiate = Callable[[list[int]], Entries]
SYMBOLS = ("t", "z", "inputs", "parameters")
"""What τ can be differentiated by as it is; beside these by q along the tangent, by u and by u̇ (or tau)."""


def inverse_derivatives(e: Derivation, by: tuple[str, ...] = ("q", "u", "u_dot")) -> Program:
    """τ, and ∂τ/∂x for each x."""
    require_standard(e, "inverse_derivatives", exact=True)
    _require(by, ("q", "u", "u_dot", *SYMBOLS))
    a, inverse = e.assembly("inverse_derivatives", "u_dot"), Inverse(e, e.accelerations)
    a.output("tau", inverse_dynamics(e, e.accelerations))
    for what in by:
        a.output(f"by_{what}", rows := inverse.by(what), (len(rows), _width(e, what)))
    return a.program()


def forward_derivatives(e: Derivation, by: tuple[str, ...] = ("q", "u", "tau")) -> Program:
    """u̇, and ∂u̇/∂x for each x."""
    require_standard(e, "forward_derivatives", exact=True)
    _require(by, ("q", "u", "tau", *SYMBOLS))
    g, a = e.graph, e.assembly("forward_derivatives", "tau")
    solve = _mass_solver(e, Inverse(e, ()).mass, a)
    right = [[g.add(f, t)] for f, t in zip(_force(e), e.tau, strict=True)]
    u_dot = [row[0] for row in solve(right, "u_dot")]
    inverse = Inverse(e, u_dot)
    a.output("u_dot", u_dot)
    for what in by:
        rows = solve(None, what) if what == "tau" else solve(inverse.by(what), what)
        signed = rows if what == "tau" else [[g.neg(h) for h in row] for row in rows]
        a.output(f"by_{what}", signed, (len(rows), _width(e, what)))
    return a.program()


def _require(by: Sequence[str], allowed: Sequence[str]) -> None:
    wrong = [x for x in by if x not in allowed]
    if wrong:
        raise ArgumentError(f"there are no derivatives by '{wrong[0]}'; there are those by {', '.join(allowed)}")


def _width(e: Derivation, what: str) -> int:
    """The number of columns of a derivative: a direction for each speed, or a symbol each."""
    return len(e.groups()[what]) if what in SYMBOLS else len(e.layout.u)


def _mass_solver(e: Derivation, M: Entries, a: Assembly) -> Callable[[Rows | None, str], Rows]:
    """M⁻¹ B as a function of B, or M⁻¹ for None: written out with M factored once, or by regions that loop."""
    g, n = e.graph, len(e.layout.u)
    factor = factored(g, M, n) if small(M, n) else None

    def solve(B: Rows | None, what: str) -> Rows:
        if factor is None:
            unit = [[g.one if i == j else g.zero for j in range(n)] for i in range(n)]
            looped: Rows = a.solve(f"solve_{what}", M, unit if B is None else B)
            return looped
        if B is None:
            return factor.whole()
        columns = [factor.solve(column) for column in zip(*B, strict=True)]
        return [[column[i] for column in columns] for i in range(len(B))]

    return solve


def _force(e: Derivation) -> list[int]:
    """f of M u̇ = f + tau. Without prescribed motions the inertia forces b at u̇ = 0 are quadratic in u, so that
    b = ½ ∂b/∂u u, and the derivative is needed anyway."""
    links = e.forest.links
    if not known(links) or any(given is not None for link in links for given in link.body.prescribed):
        return e.force
    g, half = e.graph, [e.graph.mul(e.graph.const(0.5), u) for u in e.layout.u_handles]
    total = [g.sub(q, w) for q, w in zip(applied_forces(e), weight(e), strict=True)]
    for (i, j), entry in Partials(e.formulation.motion, base(e.forest)).by_u.items():
        total[i] = g.sub(total[i], g.mul(entry, half[j]))
    return total


class Inverse:
    """∂τ/∂x of inverse dynamics at accelerations u̇, which are any nodes."""

    def __init__(self, e: Derivation, u_dot: Sequence[int]) -> None:
        self.e, self.graph, self.u_dot = e, e.graph, list(u_dot)

    @cached_property
    def _partials(self) -> Partials:
        return Partials(Motion(self.e.forest, self.u_dot), base(self.e.forest))

    @cached_property
    def mass(self) -> Entries:
        """M's lower triangle."""
        forest = self.e.forest
        return mass(forest, base(forest)) if forest.shares else Flows(self.e.formulation.motion, base(forest)).mass

    def by(self, what: str) -> Rows:
        """nu rows; a column for each direction of q, each speed, each symbol."""
        if what == "u_dot":
            entries = self.mass | {(j, i): h for (i, j), h in self.mass.items()}
        elif what == "q":
            entries = self._by_state(Tangent(self.e).derivative, lambda: self._partials.by_q)
        else:
            differentiate = partial(shortest, self.e, variables=self.e.groups()[what])
            by_u = what == "u"
            entries = self._by_state(differentiate, lambda: self._partials.by_u) if by_u else self._whole(differentiate)
        rows, columns = range(len(self.e.layout.u)), range(_width(self.e, what))
        return [[entries.get((i, j), self.graph.zero) for j in columns] for i in rows]

    def _by_state(self, differentiate: Differentiate, inertia: Callable[[], Entries]) -> Entries:
        """The inertia's part by composite bodies, less the applied forces'; by rules alone for other joints."""
        if not known(self.e.forest.links):
            return self._whole(differentiate)
        g, total = self.graph, dict(inertia())
        for key, value in differentiate(applied_forces(self.e)).items():
            total[key] = g.sub(total.get(key, g.zero), value)
        return total

    def _whole(self, differentiate: Differentiate) -> Entries:
        """∂τ for symbols u̇, for which the given accelerations are substituted afterwards."""
        symbols = self.e.accelerations
        entries = differentiate(inverse_dynamics(self.e, symbols))
        nodes = substitute(self.graph, list(entries.values()), dict(zip(symbols, self.u_dot, strict=True)))
        return dict(zip(entries, nodes, strict=True))


def coordinates_of_speeds(g: Graph, N: Mapping[tuple[int, int], int]) -> dict[int, int]:
    """By each speed that is the rate of one coordinate, and of no other, this coordinate; N is ∂q̇/∂u."""
    rows, columns = Counter(i for i, _ in N), Counter(j for _, j in N)
    return {j: i for (i, j), h in N.items() if h == g.one and rows[i] == 1 == columns[j]}


class Tangent:
    """The directions δ along which q may move, q̇ = N(q) δ."""

    def __init__(self, e: Derivation) -> None:
        self.e, self.graph = e, e.graph

    @cached_property
    def map(self) -> Entries:
        """N: ∂q̇/∂u by (coordinate, speed)."""
        return jacobian(self.graph, self.e.layout.q_dot, self.e.layout.u_handles)

    @cached_property
    def plain(self) -> dict[int, int]:
        """By each speed that is the rate of one coordinate, and of no other, this coordinate."""
        return coordinates_of_speeds(self.graph, self.map)

    @cached_property
    def directions(self) -> list[int]:
        """The symbol to differentiate by, for each speed."""
        g, layout = self.graph, self.e.layout
        named = [g.symbol(f"tangent.{n}", Kind.COORDINATE, f"displacement along {n}") for n in layout.u]
        return [layout.q_handles[self.plain[j]] if j in self.plain else named[j] for j in range(len(layout.u))]

    @cached_property
    def displaced(self) -> dict[int, int]:
        """q + N δ of the coordinates that are not directions themselves."""
        g, layout, displaced = self.graph, self.e.layout, dict[int, int]()
        for (i, j), entry in self.map.items():
            if j not in self.plain:
                q = layout.q_handles[i]
                displaced[q] = g.add(displaced.get(q, q), g.mul(entry, self.directions[j]))
        return displaced

    def derivative(self, nodes: Sequence[int]) -> Entries:
        """∂nodes/∂δ."""
        g = self.graph
        displaced = substitute(g, list(nodes), self.displaced) if self.displaced else list(nodes)
        entries = shortest(self.e, displaced, self.directions)
        zero = dict.fromkeys((d for j, d in enumerate(self.directions) if j not in self.plain), g.zero)
        return dict(zip(entries, substitute(g, list(entries.values()), zero), strict=True)) if zero else entries


def shortest(e: Derivation, nodes: Sequence[int], variables: Sequence[int]) -> Entries:
    """∂nodes/∂variables in forward or reverse mode, whichever has the fewer operations."""
    ways = [jacobian(e.graph, nodes, variables, mode) for mode in ("forward", "reverse")]
    return min(ways, key=lambda way: operations(e.graph, list(way.values())))
