"""Closed loops by the compliance of their trees (Rodriguez, Jain & Kreutz 1991, sections 2.3 and 3).

With [M −Gᵀ; −G 0] [u̇; λ] = [f; −γ], G = A J and λ = −f̃ of the paper (Eq 2.17), in six steps: (A) the motion of the tree
with free ends, M u̇ᶠ = f; (B) the accelerations that it has at the closures, G u̇ᶠ − γ; (C) the compliance
A Λ A* = G M⁻¹ Gᵀ; (D) A Λ A* λ = γ − G u̇ᶠ; (E) the right sides of the correction, M u̇ᵉ = Gᵀλ; (F) the sum u̇ᶠ + u̇ᵉ, in
one pass outwards. M is not formed. Bodies that share only the ground have nothing in common before step (D), and which
closures hold matters in step (D) alone.

With a secondary system, named trees of bodies on the ground, its u̇_S are unknowns of step (D) beside λ. Where A_P Λ_P
A_P* of the primary system is invertible, λ is eliminated first, and an equation for each u̇_S is left (after Eq 3.11):
[M_S + J_S* A_S* (A_P Λ_P A_P*)⁻¹ A_S J_S] u̇_S = T_S − J_S* A_S* (A_P Λ_P A_P*)⁻¹ (G_P u̇ᶠ_P − γ).

There are two ways through these steps, and the one of fewest operations is chosen: by Υ and Ω (Eqs 3.8–3.12, A.2–A.6),
and by b = [1 − H ψ K] Gᵀ (Eq 3.13, with D⁻¹ instead of two factors D^(−1/2), and with γ, which is missing there).
"""

from collections.abc import Mapping, Sequence
from functools import cache, reduce
from typing import NamedTuple

from freebody.errors import ModelError
from freebody.formulations.entries import Solver
from freebody.formulations.formulation import Solution
from freebody.formulations.recursive import Recursive, ReferenceMotion
from freebody.formulations.solve import Entry, Factor
from freebody.model.model import Model
from freebody.program.count import operations
from freebody.program.ldl import LdlPlan, eliminate, plan
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.spatial.resolved import Twist, Wrench
from freebody.tree.compliance import Compliance, common
from freebody.tree.constraints import ConstraintEquations
from freebody.tree.elimination import GROUND, Elimination, Multiplier
from freebody.tree.independence import independent_rows
from freebody.tree.joint_forces import joint_forces
from freebody.tree.newton_euler import NewtonEuler
from freebody.tree.tree import Link, Tree


class ComplianceEquations(Recursive):
    """u̇ and multipliers of a tree by steps (A) to (F). ``secondary`` are the names of the bodies of the secondary
    system (``require_secondary``); ``ways`` are those through the steps that are compared, by default all that apply:
    Υ belongs to one link, and speeds that several links share to none."""

    def __init__(self, tree: Tree, secondary: Sequence[str] = (), ways: "Sequence[type[FactorSteps]]" = ()) -> None:
        super().__init__(tree)
        if secondary:
            require_secondary(tree.model, secondary)
        self.ways = ways or ([FactorSteps] if tree.shares else [FactorSteps, OmegaSteps])
        self.secondary = {link.index for link in tree.links if link.described.name in secondary}
        self.secondary_speeds = sorted({k for index in self.secondary for k in tree.links[index].u})

    def forward(self, tau: Sequence[Node] = ()) -> Solution:
        g, motion = self.graph, ReferenceMotion(self.tree, self._to_user)
        newton, own = NewtonEuler(motion, self.inertias), joint_forces(self.tree)
        right = self._to_columns([g.add(t, e) for t, e in zip(tau, own, strict=True)] if tau else own)
        equations = self.equations_of(motion)
        rows = self._multipliers(equations)
        related = {k: [i - len(right) for i in row.related] for k, row in enumerate(rows)}
        secondary, solutions = self._secondary_system(right, newton, equations), list[Solution]()
        for steps in self.ways:
            elimination = Elimination(self.tree, self.inertias)
            elimination.condense(right, newton.wrenches, newton.own_forces)  # (A)
            closed = steps(elimination, [self._primary_part(row) for row in rows])
            residuals = list(map(g.add, equations.accelerations, closed.accelerations()))  # (B)
            compliance = closed.compliance()  # (C)
            multipliers, delta_S = closure_forces(g, compliance, residuals, secondary, related, equations.flags)  # (D)
            for speed, value in closed.correction(multipliers).items():  # (E)
                elimination.right[speed] = g.add(elimination.right[speed], value)
            delta, _ = elimination.expand()  # (F)
            rates = [g.add(delta_S.get(k, d), motion.reference.get(k, g.zero)) for k, d in enumerate(delta)]
            solutions.append(Solution(self._to_user(rates), multipliers))
        return min(solutions, key=lambda s: operations(g, [*s.u_dot, *s.multipliers]))

    def _primary_part(self, row: Multiplier) -> Multiplier:
        """A row without its forces on the secondary system."""
        forces = {k: f for k, f in row.forces.items() if k not in self.secondary_speeds}
        return row._replace(ends=[(k, W) for k, W in row.ends if k not in self.secondary], forces=forces)

    def _secondary_system(
        self, right: Sequence[Node], newton: NewtonEuler, equations: ConstraintEquations
    ) -> "SecondarySystem":
        """M_S, the forces on its speeds at the reference motion, A_S J_S, and the rows that A_P J_P has independent."""
        speeds, required = self.secondary_speeds, newton.generalised() if self.secondary else []
        at = {speed: k for k, speed in enumerate(speeds)}
        mass = {(at[i], at[j]): x for (i, j), x in (self.mass if speeds else {}).items() if i in at and j in at}
        G = [[row[speed] for speed in speeds] for row in equations.jacobian] if speeds else []
        primary = [k for k in range(len(self.tree.layout.u)) if k not in at]
        regular = independent_rows(self.tree.model, primary) if speeds and G else []
        first = [k for k, key in enumerate(equations.rows) if key in regular]
        return SecondarySystem(speeds, mass, [self.graph.sub(right[k], required[k]) for k in speeds], G, first)


class SecondarySystem(NamedTuple):
    """M_S δ_S = force + (A_S J_S)ᵀ λ of the secondary ``speeds``; ``first`` are the rows that are eliminated before
    δ_S."""

    speeds: Sequence[int]
    mass: Mapping[Entry, Node]
    force: Sequence[Node]
    G: Sequence[Sequence[Node]]
    first: Sequence[int]


class FactorSteps:
    """Steps (B), (C) and (E) by b = [1 − H ψ K] Gᵀ: what the forces of each row leave at the speeds of the tree past
    the free joints outboard of them. A Λ A* = b* D⁻¹ b, and G u̇ᶠ = b* D⁻¹ [1 − H ψ K] f."""

    def __init__(self, elimination: Elimination, rows: Sequence[Multiplier]) -> None:
        self.elimination, self.rows, self.graph = elimination, rows, elimination.tree.graph
        self.loads = [_loads(row.ends) for row in rows]
        each = zip(self.loads, rows, strict=True)
        self.b = [elimination.substitute(loads, row.forces).right for loads, row in each]

    def accelerations(self) -> list[Node]:
        """G δᶠ of each row."""
        scaled = {
            speed: self.graph.mul(x, self.elimination.inverse[speed]) for speed, x in self.elimination.right.items()
        }
        return [_product(self.graph, b, scaled) for b in self.b]

    def compliance(self) -> dict[Entry, Node]:
        """The lower triangle of A Λ A* = G M⁻¹ Gᵀ."""
        return {(k, l): self.entry(k, l) for k in range(len(self.rows)) for l in range(k + 1)}

    def entry(self, k: int, l: int) -> Node:
        """Rows k and l of A Λ A*."""
        g = self.graph
        return _product(
            g, self.b[k], {speed: g.mul(x, self.elimination.inverse[speed]) for speed, x in self.b[l].items()}
        )

    def correction(self, multipliers: Sequence[Node]) -> dict[int, Node]:
        """[1 − H ψ K] Gᵀλ by speed."""
        g, total = self.graph, dict[int, Node]()
        for b, multiplier in zip(self.b, multipliers, strict=True):
            for speed, x in b.items():
                total[speed] = g.add(total.get(speed, g.zero), g.mul(x, multiplier))
        return total


class OmegaSteps(FactorSteps):
    """Steps (B), (C) and (E) by Υ and Ω: G δᶠ from the accelerations of links; A Λ A* = W* Ω W, W the wrenches of rows
    at the links, with Ω(i, j) = ψ*(c, i) Υ(c) ψ(c, j) (rows that put forces on speeds: by b); and the pass of A.6."""

    def __init__(self, elimination: Elimination, rows: Sequence[Multiplier]) -> None:
        super().__init__(elimination, rows)
        self.links, self.upsilon = elimination.links, Compliance(elimination).upsilon
        self.arrived = [
            {i: elimination.substitute({i: W}, {}).arrived for i, W in loads.items()} for loads in self.loads
        ]
        self.moved = cache(self._moved)

    def accelerations(self) -> list[Node]:
        g, (delta, known), result = self.graph, self.elimination.expand(), list[Node]()
        for row, loads in zip(self.rows, self.loads, strict=True):
            parts = [self.elimination.acceleration(self.links[i], known, delta).dot(W) for i, W in loads.items()]
            parts += [g.mul(force, delta[speed]) for speed, force in row.forces.items()]
            result.append(reduce(g.add, parts, g.zero))
        return result

    def entry(self, k: int, l: int) -> Node:
        if self.rows[k].forces or self.rows[l].forces:
            return super().entry(k, l)
        total = self.graph.zero
        for i in self.loads[k]:
            for j in self.loads[l]:
                c = common(self.links[i], self.links[j])
                if c is not None:
                    total = self.graph.add(total, self.moved(l, j, c).dot(self.arrived[k][i][c.index]))
        return total

    def _moved(self, row: int, end: int, c: Link) -> Twist:
        """Υ(c) ψ(c, j) W(j) of one end of a row."""
        g, Y, z = self.graph, self.upsilon(c), self.arrived[row][end][c.index].c
        return Twist(c.frame, tuple(reduce(g.add, [g.mul(Y.entry(i, j), z[j]) for j in range(6)]) for i in range(6)))

    def correction(self, multipliers: Sequence[Node]) -> dict[int, Node]:
        g, loads, forces = self.graph, dict[int, Wrench](), dict[int, Node]()
        for row, some, multiplier in zip(self.rows, self.loads, multipliers, strict=True):
            for i, W in some.items():
                loads[i] = loads[i] + W.times(multiplier) if i in loads else W.times(multiplier)
            for speed, force in row.forces.items():
                forces[speed] = g.add(forces.get(speed, g.zero), g.mul(force, multiplier))
        return self.elimination.substitute(loads, forces).right


def closure_forces(
    g: Graph,
    compliance: Mapping[Entry, Node],
    residuals: Sequence[Node],
    secondary: SecondarySystem,
    related: Mapping[int, Sequence[int]],
    flags: Mapping[int, Node],
) -> tuple[list[Node], dict[int, Node]]:
    """λ of A Λ A* λ = −residuals (Eq 3.11), and δ_S by speed. Pivots are guarded: the multiplier of a row that depends
    on those before it, always or at a singular position, is 0, and that of a constraint that is released (``flags``).

    With a secondary system this is [−A_P Λ_P A_P*, −A_S J_S; −(A_S J_S)ᵀ, M_S] [λ; δ_S] = [residuals; force_S]. Rows
    that are independent in the primary system are eliminated before δ_S, and must be so everywhere; the others after.
    """
    n, matrix = len(residuals), {key: g.neg(x) for key, x in compliance.items()}
    matrix |= {(n + i, n + j): x for (i, j), x in secondary.mass.items()}
    matrix |= {(n + i, k): g.neg(x) for k, row in enumerate(secondary.G) for i, x in enumerate(row)}
    matrix = {key: x for key, x in matrix.items() if not g.vanishes(x)}
    right, guarded = [*residuals, *secondary.force], frozenset(range(n))
    if secondary.speeds:
        first, last = secondary.first, [k for k in range(n) if k not in secondary.first]
        order = (*first, *range(n + len(secondary.speeds) - 1, n - 1, -1), *last)
        planned = eliminate(order, list(matrix), guarded)
    else:
        cheapest = plan(n, list(matrix))
        planned = LdlPlan(cheapest.order, cheapest.columns, guarded)
    x = Factor(g, matrix, planned, related, flags, regular=len(secondary.first)).solve(right)
    return x[:n], dict(zip(secondary.speeds, x[n:], strict=True))


def require_secondary(model: Model, names: Sequence[str]) -> None:
    """Raise for bodies that are no secondary system: this is whole trees of bodies on the ground, not all of them."""
    bodies = model.bodies
    for name in names:
        if name not in bodies:
            raise ModelError(f"secondary: there is no body '{name}'; choose from {', '.join(bodies)}")
    if len(bodies) == len(set(names)):
        raise ModelError("secondary names all bodies; leave out those of the primary system")
    for name, spec in bodies.items():
        pairs = [(spec.parent, "is on")] if spec.parent in bodies else []
        pairs += [] if spec.coupling is None else [(spec.coupling.to, "is coupled to")]
        for other, how in pairs:
            if (name in names) is not (other in names):
                one, rest = (name, other) if name in names else (other, name)
                raise ModelError(
                    f"secondary: '{name}' {how} '{other}', but only '{one}' is named. A secondary system has joints"
                    f" with the ground only, and is coupled to the primary one by constraints: name '{rest}' too, or"
                    f" give '{one}' a joint on the ground and replace this one by s.close(…)"
                )


def _loads(ends: Sequence[tuple[int, Wrench]]) -> dict[int, Wrench]:
    """The wrenches of a row by link, without the ground's."""
    loads = dict[int, Wrench]()
    for k, W in ends:
        if k != GROUND:
            loads[k] = loads[k] + W if k in loads else W
    return loads


def _product(g: Graph, a: Mapping[int, Node], b: Mapping[int, Node]) -> Node:
    """Σ aᵢbᵢ over the indices of both."""
    return reduce(g.add, [g.mul(x, b[speed]) for speed, x in a.items() if speed in b], g.zero)


SOLVER = Solver("compliance", "aba", member=ComplianceEquations, secondary=True, loops=True)
