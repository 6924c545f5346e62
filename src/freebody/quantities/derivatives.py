"""Exact first derivatives of forward and inverse dynamics.

Inverse dynamics τ(q, u, u̇, …) is differentiated: its inertia part by composite bodies (``Partials``), the forces of
loads and joints by the rules of differentiation. Forward dynamics follows from ∂u̇/∂x = −M⁻¹ ∂τ/∂x at constant u̇, and
with constraints from the larger system of u̇ and λ, so no factorisation is differentiated. Columns by q are along the
tangent, q̇ = N(q) δ: one for each free speed. Where a speed is the rate of one coordinate, that coordinate is the
direction; else q + N δ is substituted for the coordinates, differentiated by δ and evaluated at δ = 0.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial

from freebody.errors import ArgumentError
from freebody.formulations.derivation import Derivation
from freebody.formulations.solve import Factor
from freebody.program.assemble import Assembly
from freebody.program.count import operations
from freebody.program.ldl import eliminate
from freebody.program.program import Program
from freebody.quantities.coriolis import Flows
from freebody.quantities.forces import applied_forces, weight
from freebody.quantities.kinematics import require_standard
from freebody.quantities.mass_inverse import ForceSystem
from freebody.quantities.partials import Partials, known
from freebody.scalar.derivative import Entries, jacobian
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute, symbols_of
from freebody.spatial.scalars import cross3
from freebody.spatial.vector import components
from freebody.tree.inertia import base_inertias
from freebody.tree.joint_forces import inverse_dynamics
from freebody.tree.mass_matrix import mass_matrix
from freebody.tree.motion import Motion
from freebody.tree.working_frames import is_free

Rows = list[list[Node]]
Differentiate = Callable[[list[Node]], Entries]
Jacobian = Callable[..., Entries]
SYMBOLS = ("t", "z", "inputs", "parameters")
"""What τ can be differentiated by as it is; beside these by q along the tangent, by u and by u̇ (or tau)."""


def inverse_derivatives(e: Derivation, by: tuple[str, ...] = ("q", "u", "u_dot")) -> Program:
    """τ, and ∂τ/∂x for each x."""
    require_standard(e, "inverse_derivatives", exact=True)
    _require(by, ("q", "u", "u_dot", *SYMBOLS))
    a, inverse = e.assembly("inverse_derivatives", "u_dot"), Inverse(e, e.accelerations)
    a.output("tau", inverse_dynamics(e.tree, base_inertias(e.tree), e.accelerations))
    for what in by:
        a.output(f"by_{what}", rows := inverse.by(what), (len(rows), _width(e, what)))
    return a.program()


def forward_derivatives(e: Derivation, by: tuple[str, ...] = ("q", "u", "tau")) -> Program:
    """u̇, and ∂u̇/∂x for each x; with constraints also λ and ∂λ/∂x."""
    require_standard(e, "forward_derivatives", exact=True)
    _require(by, ("q", "u", "tau", *SYMBOLS))
    a, n = e.assembly("forward_derivatives", "tau"), len(e.layout.u)
    forward = Forward(e, a)
    a.output("u_dot", forward.u_dot)
    if forward.multipliers:
        a.output("multipliers", forward.multipliers)
    for what in by:
        rows = forward.by(what)
        a.output(f"by_{what}", rows[:n], (n, _width(e, what)))
        if forward.multipliers:
            a.output(f"multipliers_by_{what}", rows[n:], (len(forward.multipliers), _width(e, what)))
    return a.program()


def forward_jacobian(e: Derivation) -> Program:
    """[∂u̇/∂q, ∂u̇/∂u, ∂u̇/∂tau, u̇], nu rows."""
    require_standard(e, "forward_jacobian", exact=True)
    a, n = e.assembly("forward_jacobian", "tau"), len(e.layout.u)
    forward = Forward(e, a)
    parts = [*(forward.by(what)[:n] for what in ("q", "u", "tau")), [[x] for x in forward.u_dot]]
    a.output("jacobian", [[x for part in parts for x in part[i]] for i in range(n)], (n, 3 * n + 1))
    return a.program()


class Forward:
    """u̇, λ and their derivatives, in an assembly with the group tau.

    M u̇ − Gᵀλ = f + tau and −G u̇ = −γ are differentiated at constant u̇ and λ:
    [M −Gᵀ; −G 0] ∂(u̇, λ)/∂x = −∂(M u̇ − f − Gᵀλ, γ − G u̇)/∂x."""

    def __init__(self, e: Derivation, assembly: Assembly) -> None:
        self.e, self.assembly, g = e, assembly, e.graph
        self.system = ForceSystem.of(e, Inverse(e, ()).mass)
        self.factor = self._factor() if self.system.small else None
        right = [[g.add(f, t)] for f, t in zip(_force(e), e.tau, strict=True)]
        solution = [row[0] for row in self._solve([*right, *([g.neg(x)] for x in e.gamma)], "u_dot")]
        n = len(e.layout.u)
        self.u_dot, self.multipliers = solution[:n], solution[n:]
        self.inverse = Inverse(e, self.u_dot)

    def _factor(self) -> Factor:
        """From the tips where that has no fill, though another order may be cheaper for one right side: for many,
        branches on which nothing acts cost least."""
        g, (matrix, size, multipliers) = self.e.graph, self.system
        pattern = list(matrix)
        tips = None if multipliers else eliminate(tuple(reversed(range(size))), pattern)
        if tips is None or sum(map(len, tips.columns)) > sum(i != j for i, j in pattern):
            return self.system.factored(g)
        return Factor(g, matrix, tips)

    def _solve(self, B: Rows, what: str) -> Rows:
        """The inverse times B: with the matrix factored once, or by regions that loop."""
        if self.factor is None:
            looped: Rows = self.assembly.solve(f"solve_{what}", self.system.matrix, B, self.system.multipliers)
            return looped
        columns = [self.factor.solve_sparse(column) for column in zip(*B, strict=True)]
        return [[column[i] for column in columns] for i in range(len(B))]

    def by(self, what: str) -> Rows:
        """Rows of ∂u̇/∂x, and below them of ∂λ/∂x."""
        g, n = self.e.graph, len(self.e.layout.u)
        if what == "tau":
            if self.factor is not None and not self.multipliers:
                return self.factor.inverse_matrix()
            unit = [[g.one if i == j else g.zero for j in range(n)] for i in range(self.system.size)]
            return self._solve(unit, what)
        B = self.inverse.by(what)
        if self.multipliers:
            B = ConstraintParts(self.e, self.u_dot, self.multipliers).subtract(B, what)
        known_columns = self._moved_as_a_whole(what)
        if known_columns:
            B = [[g.zero if j in known_columns else h for j, h in enumerate(row)] for row in B]
        rows = [[g.neg(h) for h in row] for row in self._solve(B, what)]
        for j, column in known_columns.items():
            for row, value in zip(rows, column, strict=True):
                row[j] = value
        return rows

    def _moved_as_a_whole(self, what: str) -> dict[int, list[Node]]:
        """Columns of a free body that carries all others, where applied forces do not depend on its pose or velocity: a
        turn turns gravity alone, which changes v̇ by g × e; a displacement changes nothing; a velocity changes v̇ by
        −ω × e (Galilei)."""
        e, g, n = self.e, self.e.graph, len(self.e.layout.u)
        roots = [link for link in e.tree.links if link.parent is None]
        if what not in ("q", "u") or len(roots) != 1 or self.multipliers or not is_free(roots[0].body):
            return {}
        root = roots[0]
        own = root.body.q if what == "q" else root.body.u[3:]
        gravity, field = components(e.tree.gravity, root.frame), components(e.tree.gravity, e.tree.root)
        used = symbols_of(g, [*applied_forces(e), *field])
        if any(x.handle in used for x in own):
            return {}
        turns, slides = root.u[:3], root.u[3:]

        def column(v_dot: Sequence[Node]) -> list[Node]:
            result = [g.zero] * n
            for k, value in zip(slides, v_dot, strict=True):
                result[k] = value
            return result

        axes = [tuple(g.one if i == k else g.zero for i in range(3)) for k in range(3)]
        if what == "u":
            w = [e.layout.u_handles[k] for k in turns]
            return {slides[k]: column(cross3(g, axes[k], w)) for k in range(3)}
        turned = {turns[k]: column(cross3(g, gravity, axes[k])) for k in range(3)}
        return turned | {k: column([g.zero] * 3) for k in slides}


def _require(by: Sequence[str], allowed: Sequence[str]) -> None:
    wrong = [x for x in by if x not in allowed]
    if wrong:
        raise ArgumentError(f"derivatives by '{wrong[0]}' are not available; choose from {', '.join(allowed)}")


def _width(e: Derivation, what: str) -> int:
    """The number of columns of a derivative: a direction for each speed, or a symbol each."""
    return len(e.groups()[what]) if what in SYMBOLS else len(e.layout.u)


def _force(e: Derivation) -> list[Node]:
    """f of M u̇ = f + tau. Without prescribed motions the inertia forces b at u̇ = 0 are quadratic in u, so that
    b = ½ ∂b/∂u u, and the derivative is needed anyway."""
    links = e.tree.links
    moving = any(given is not None for link in links for given in link.body.prescribed)
    if moving or not known(links) or any(link.internal_dynamics is not None for link in links):
        return e.force
    g, half = e.graph, [e.graph.mul(e.graph.const(0.5), u) for u in e.layout.u_handles]
    total = [g.sub(q, w) for q, w in zip(applied_forces(e), weight(e), strict=True)]
    for (i, j), entry in Partials(e.formulation.motion, base_inertias(e.tree), ()).by_u.items():
        total[i] = g.sub(total[i], g.mul(entry, half[j]))
    return total


class ConstraintParts:
    """∂(Gᵀλ)/∂x and ∂(G u̇ − γ)/∂x at u̇ and λ, which are any nodes."""

    def __init__(self, e: Derivation, u_dot: Sequence[Node], multipliers: Sequence[Node]) -> None:
        self.e, symbols = e, (*e.accelerations, *e.multipliers)
        self.values = dict(zip(symbols, (*u_dot, *multipliers), strict=True))

    @cached_property
    def _nodes(self) -> list[Node]:
        """Gᵀλ and G u̇ − γ with symbols for u̇ and λ."""
        whole = self.e.formulation.equations_of(Motion(self.e.tree, self.e.accelerations))
        return [*self.e.constraints.forces(self.e.multipliers), *whole.accelerations]

    def subtract(self, rows: Rows, what: str) -> Rows:
        """∂(τ − Gᵀλ)/∂x from the rows of ∂τ/∂x, and below them ∂(γ − G u̇)/∂x."""
        e, g = self.e, self.e.graph
        if what == "q":
            entries = tangent_derivative(e, self._nodes)
        else:
            entries = shortest(e, self._nodes, e.groups()[what])
        nodes = substitute(g, list(entries.values()), self.values)
        result = [*map(list, rows), *([g.zero] * _width(e, what) for _ in e.multipliers)]
        for (i, j), node in zip(entries, nodes, strict=True):
            result[i][j] = g.sub(result[i][j], node)
        return result


class Inverse:
    """∂τ/∂x of inverse dynamics at accelerations u̇, which are any nodes. ``jacobian`` are the rules of differentiation:
    by default whichever mode has the fewer operations, of which only one is derived with ``estimated``."""

    def __init__(self, e: Derivation, u_dot: Sequence[Node], jacobian: Jacobian | None = None) -> None:
        self.e, self.graph, self.u_dot, self.jacobian = e, e.graph, list(u_dot), jacobian or shortest

    @cached_property
    def partials(self) -> Partials:
        """Those of inertia forces by composite bodies, of joints for which these are ``known``."""
        return Partials(Motion(self.e.tree, self.u_dot), base_inertias(self.e.tree), self.e.accelerations)

    @cached_property
    def mass(self) -> Entries:
        """M's lower triangle."""
        tree, inertias = self.e.tree, base_inertias(self.e.tree)
        return mass_matrix(tree, inertias) if tree.shares else Flows(self.e.formulation.motion, inertias).mass

    def by(self, what: str) -> Rows:
        """nu rows; a column for each direction of q, each speed, each symbol."""
        if what == "u_dot":
            entries = self.mass | {(j, i): h for (i, j), h in self.mass.items()}
        elif what == "q":
            along = partial(tangent_derivative, self.e, jacobian_of=self.jacobian)
            entries = self._by_state(along, lambda: self.partials.by_q)
        else:
            differentiate = partial(self.jacobian, self.e, variables=self.e.groups()[what])
            by_u = what == "u"
            entries = self._by_state(differentiate, lambda: self.partials.by_u) if by_u else self._whole(differentiate)
        rows, columns = range(len(self.e.layout.u)), range(_width(self.e, what))
        return [[entries.get((i, j), self.graph.zero) for j in columns] for i in rows]

    def _by_state(self, differentiate: Differentiate, inertia: Callable[[], Entries]) -> Entries:
        """The inertia's part by composite bodies, less the applied forces'; by rules alone for other joints."""
        if not known(self.e.tree.links):
            return self._whole(differentiate)
        g, total = self.graph, dict(inertia())
        for key, value in differentiate(applied_forces(self.e)).items():
            total[key] = g.sub(total.get(key, g.zero), value)
        return total

    def _whole(self, differentiate: Differentiate) -> Entries:
        """∂τ for symbols u̇, for which the given accelerations are substituted afterwards."""
        symbols = self.e.accelerations
        entries = differentiate(inverse_dynamics(self.e.tree, base_inertias(self.e.tree), symbols))
        nodes = substitute(self.graph, list(entries.values()), dict(zip(symbols, self.u_dot, strict=True)))
        return dict(zip(entries, nodes, strict=True))


def coordinates_of_speeds(g: Graph, N: Mapping[tuple[int, int], Node]) -> dict[int, int]:
    """By each speed that is the rate of one coordinate, and of no other, this coordinate; N is ∂q̇/∂u."""
    rows, columns = Counter(i for i, _ in N), Counter(j for _, j in N)
    return {j: i for (i, j), h in N.items() if h == g.one and rows[i] == 1 == columns[j]}


def tangent_derivative(e: Derivation, nodes: Sequence[Node], jacobian_of: Jacobian | None = None) -> Entries:
    """∂nodes/∂δ along the directions δ in which q may move, q̇ = N(q) δ."""
    g, layout, displaced = e.graph, e.layout, dict[Node, Node]()
    N = jacobian(g, layout.q_dot, layout.u_handles)
    plain = coordinates_of_speeds(g, N)
    named = [g.symbol(f"tangent.{n}", Kind.COORDINATE, f"displacement along {n}") for n in layout.u]
    for (i, j), entry in N.items():
        if j not in plain:  # q + N δ of the coordinates that are not directions themselves
            q = layout.q_handles[i]
            displaced[q] = g.add(displaced.get(q, q), g.mul(entry, named[j]))
    nodes = substitute(g, list(nodes), displaced) if displaced else list(nodes)
    directions = [layout.q_handles[plain[j]] if j in plain else h for j, h in enumerate(named)]
    entries = (jacobian_of or shortest)(e, nodes, directions)
    zero = dict.fromkeys((h for j, h in enumerate(named) if j not in plain), g.zero)
    return dict(zip(entries, substitute(g, list(entries.values()), zero), strict=True)) if zero else entries


def shortest(e: Derivation, nodes: Sequence[Node], variables: Sequence[Node]) -> Entries:
    """∂nodes/∂variables in forward or reverse mode, whichever has the fewer operations."""
    ways = [jacobian(e.graph, nodes, variables, mode) for mode in ("forward", "reverse")]
    return min(ways, key=lambda way: operations(e.graph, list(way.values())))


def estimated(e: Derivation, nodes: Sequence[Node], variables: Sequence[Node]) -> Entries:
    """∂nodes/∂variables in the mode that probably has the fewer operations, in half the time."""
    return jacobian(e.graph, nodes, variables, "auto")
