"""Exact first derivatives of forward and inverse dynamics.

Inverse dynamics τ(q, u, u̇, …) is differentiated: its inertia part by composite bodies (``partials``), what loads and
joints put on speeds by the rules of differentiation. Forward dynamics follows from ∂u̇/∂x = −M⁻¹ ∂τ/∂x at u̇ held, so no
factorisation is differentiated. Columns by q are along the tangent, q̇ = N(q) δ: one for each free speed.
"""

from collections.abc import Callable, Sequence
from functools import cached_property

from freebody.errors import ArgumentError
from freebody.formulations.equations import Equations
from freebody.program.assemble import Assembly
from freebody.program.program import Program
from freebody.quantities.automatic import Tangent, shortest
from freebody.quantities.factor import factored, small
from freebody.quantities.flows import Flows
from freebody.quantities.newton import inverse_dynamics, loaded, weight
from freebody.quantities.partials import Partials, known
from freebody.quantities.places import require_standard
from freebody.scalar.derivative import Entries
from freebody.scalar.walk import substitute
from freebody.tree.inertia import base
from freebody.tree.mass import mass
from freebody.tree.motion import Motion

Rows = list[list[int]]
Differentiate = Callable[[list[int]], Entries]
SYMBOLS = ("t", "z", "inputs", "parameters")
"""What τ is differentiated by as it is; by q along the tangent, by u and by u̇ (or tau) beside these."""


class Inverse:
    """∂τ/∂x of inverse dynamics at accelerations u̇, which are any nodes."""

    def __init__(self, e: Equations, rates: Sequence[int]) -> None:
        self.e, self.graph, self.rates = e, e.graph, list(rates)
        self.size = len(e.layout.u)

    @cached_property
    def _partials(self) -> Partials:
        return Partials(Motion(self.e.forest, self.rates), base(self.e.forest))

    @cached_property
    def mass(self) -> Entries:
        """M's lower triangle."""
        forest = self.e.forest
        return mass(forest, base(forest)) if forest.shares else Flows(self.e.formulation.motion, base(forest)).mass

    def by(self, what: str) -> Rows:
        """nu rows; a column for each direction of q, each speed, each symbol."""
        if what == "u_dot":
            return self._rows(self.mass | {(j, i): h for (i, j), h in self.mass.items()})
        variables = self.e.groups()[what]
        if what == "q":
            return self._rows(self._felt(Tangent(self.e).derivative, lambda: self._partials.by_q))
        if what == "u":
            return self._rows(self._felt(lambda n: shortest(self.e, n, variables), lambda: self._partials.by_u))
        return self._rows(self._whole(lambda n: shortest(self.e, n, variables)), len(variables))

    def _felt(self, differentiate: Differentiate, inertia: Callable[[], Entries]) -> Entries:
        """The inertia's part by composite bodies, less the loads'; by rules alone where a joint is unlike others."""
        if not known(self.e.forest.links):
            return self._whole(differentiate)
        g, total = self.graph, dict(inertia())
        for key, value in differentiate(loaded(self.e)).items():
            total[key] = g.sub(total.get(key, g.zero), value)
        return total

    def _whole(self, differentiate: Differentiate) -> Entries:
        """Of τ for symbols u̇, in whose places the given ones are put afterwards."""
        held = self.e.accelerations
        entries = differentiate(inverse_dynamics(self.e, held))
        made = substitute(self.graph, list(entries.values()), dict(zip(held, self.rates, strict=True)))
        return dict(zip(entries, made, strict=True))

    def _rows(self, entries: Entries, columns: int | None = None) -> Rows:
        width = self.size if columns is None else columns
        return [[entries.get((i, j), self.graph.zero) for j in range(width)] for i in range(self.size)]


def _width(e: Equations, what: str) -> int:
    """The number of columns of a derivative: a direction for each speed, or a symbol each."""
    return len(e.groups()[what]) if what in SYMBOLS else len(e.layout.u)


def inverse_derivatives(e: Equations, by: tuple[str, ...] = ("q", "u", "u_dot")) -> Program:
    """τ, and ∂τ/∂x for each x."""
    require_standard(e, "inverse_derivatives", exact=True)
    _require(by, ("q", "u", "u_dot", *SYMBOLS))
    a, inverse = e.assembly("inverse_derivatives", "u_dot"), Inverse(e, e.accelerations)
    a.output("tau", inverse_dynamics(e, e.accelerations))
    for what in by:
        rows = inverse.by(what)
        a.output(f"by_{what}", rows, (len(rows), len(rows[0]) if rows else _width(e, what)))
    return a.program()


def forward_derivatives(e: Equations, by: tuple[str, ...] = ("q", "u", "tau")) -> Program:
    """u̇, and ∂u̇/∂x for each x."""
    require_standard(e, "forward_derivatives", exact=True)
    _require(by, ("q", "u", "tau", *SYMBOLS))
    a, M = e.assembly("forward_derivatives", "tau"), Inverse(e, ()).mass
    solver = Written(e, M) if small(M, len(e.layout.u)) else Looped(e, M, a)
    right = [[e.graph.add(f, t)] for f, t in zip(force(e), e.tau, strict=True)]
    rates = [row[0] for row in solver.solve(right, "u_dot")]
    made = Inverse(e, rates)
    a.output("u_dot", rates)
    for what in by:
        rows = solver.inverse() if what == "tau" else solver.solve(made.by(what), what)
        signed = rows if what == "tau" else [[e.graph.neg(h) for h in row] for row in rows]
        a.output(f"by_{what}", signed, (len(rows), len(rows[0]) if rows else _width(e, what)))
    return a.program()


def force(e: Equations) -> list[int]:
    """f of M u̇ = f + tau. Without prescribed motions the inertia forces b at u̇ = 0 are quadratic in u, so that
    b = ½ ∂b/∂u u, and the derivative is needed anyway."""
    links = e.forest.links
    if not known(links) or any(given is not None for link in links for given in link.body.given):
        return e.force
    g, half = e.graph, [e.graph.mul(e.graph.const(0.5), u) for u in e.layout.u_handles]
    total = [g.sub(q, w) for q, w in zip(loaded(e), weight(e), strict=True)]
    for (i, j), entry in Partials(e.formulation.motion, base(e.forest)).by_u.items():
        total[i] = g.sub(total[i], g.mul(entry, half[j]))
    return total


class Written:
    """M⁻¹ B written out, M factored once."""

    def __init__(self, e: Equations, M: Entries) -> None:
        self.factor = factored(e.graph, M, len(e.layout.u))

    def solve(self, B: Rows, what: str) -> Rows:
        columns = [self.factor.solve(column) for column in zip(*B, strict=True)]
        return [[column[i] for column in columns] for i in range(len(B))]

    def inverse(self) -> Rows:
        return self.factor.whole()


class Looped:
    """M⁻¹ B by regions that loop."""

    def __init__(self, e: Equations, M: Entries, a: Assembly) -> None:
        self.graph, self.M, self.a, self.size = e.graph, M, a, len(e.layout.u)

    def solve(self, B: Rows, what: str) -> Rows:
        found: Rows = self.a.solve(f"solve_{what}", self.M, B)
        return found

    def inverse(self) -> Rows:
        g, n = self.graph, self.size
        return self.solve([[g.one if i == j else g.zero for j in range(n)] for i in range(n)], "tau")


def _require(by: Sequence[str], known: Sequence[str]) -> None:
    wrong = [x for x in by if x not in known]
    if wrong:
        raise ArgumentError(f"there are no derivatives by '{wrong[0]}'; there are those by {', '.join(known)}")
