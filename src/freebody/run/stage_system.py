"""The linear system of the stages of Rosenbrock methods, (1 − G J) U = R, as programs of a mechanical system.

Unknowns are increments U of q, u and z, and of multipliers l. Rows of speeds are multiplied by M, so that ∂u̇/∂x is
never formed; u̇ and λ are held at their values at the start of the step:

    [ 1 − G ∂q̇/∂q   −G N                          ] [Uq]   [Rq   ]     B = ∂(f + Gcᵀλ − M u̇)/∂x, Z = ∂ż/∂x
    [ −G B_q         M − G B_u   −G B_z     −Gcᵀ   ] [Uu] = [M Ru ]     Γ = ∂(γ − Gc u̇)/∂x
    [ −G Z_q         −G Z_u      1 − G Z_z         ] [Uz]   [Rz   ]
    [ −G Γ_q         Gc − G Γ_u  −G Γ_z     0      ] [l ]   [Gc Ru]

with Gc the Jacobian of the constraints. The right side also has the weight G h d_i times the derivatives by time. For
h → 0 the matrix is that of u̇ and λ. The pivots of q are 1 where q̇ does not depend on q: these drop out at no cost,
which leaves M − G B_u − G² B_q N with the pattern of M.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from freebody.errors import ArgumentError, ExpressionError
from freebody.formulations.derivation import Derivation
from freebody.formulations.friction import rubbing
from freebody.hybrid.system import StageSystem
from freebody.program.assemble import Assembly
from freebody.program.count import count
from freebody.program.ldl import Entry
from freebody.program.lu import LuFactors, operations
from freebody.program.program import Program
from freebody.quantities.derivatives import Inverse, estimated
from freebody.quantities.forces import applied_forces
from freebody.quantities.partials import known
from freebody.run.programs import RunPrograms
from freebody.run.recursive_stages import lacking
from freebody.scalar.derivative import Dependence, Entries, jacobian
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.ops import ABS
from freebody.scalar.symbol import Kind
from freebody.tree.tree import quaternions

Number = float | int
"""A constant, or the index of an entry."""


class StageEntries:
    """The numbers of the linear system at a state, each once: ``nodes`` in the graph of a run's programs; derivatives
    ``J`` of (q̇, f + Gcᵀλ − M u̇, ż, γ − Gc u̇) by x, ``M``, ``Gc``, and the derivatives ``by_time``: constants (floats)
    or indices of nodes."""

    def __init__(self, run: RunPrograms) -> None:
        e, g = run.e, run.graph
        self.graph, self.nodes, self._index = g, list[Node](), dict[Node, int]()
        self.coordinates, self.speeds, self.multipliers = len(e.layout.q), len(e.layout.u), len(e.multipliers)
        self.states = self.coordinates + self.speeds + len(e.layout.z)
        every = derivatives(run)
        rows = range(self.states + self.multipliers)
        self.J = {at: self._place(x) for at, x in every.items() if at[1] < self.states}
        self.by_time = [self._place(every.get((i, self.states), g.zero)) for i in rows]
        mass = run.insert_laws([e.mass[at] for at in e.mass])
        self.M = {at: self._place(x) for at, x in zip(e.mass, mass, strict=True) if x != g.zero}
        self.M |= {(j, i): x for (i, j), x in self.M.items()}
        at = [(i, j) for i, row in enumerate(e.jacobian) for j in range(len(row))]
        entries = run.insert_laws([e.jacobian[i][j] for i, j in at])
        self.Gc = {k: self._place(x) for k, x in zip(at, entries, strict=True) if x != g.zero}

    def on_speeds(self) -> list[Entry]:
        """The places of M in the matrix."""
        return [(self.coordinates + i, self.coordinates + j) for i, j in self.M]

    def _place(self, node: Node) -> Number:
        number = self.graph.number(node)
        if number is not None:
            return float(number)
        if node not in self._index:
            self._index[node] = len(self.nodes)
            self.nodes.append(node)
        return self._index[node]


def derivatives(run: RunPrograms) -> dict[Entry, Node]:
    """The derivatives of (q̇, f + Gcᵀλ − M u̇, ż, γ − Gc u̇) by x and, in the last column, by t, under the laws of the
    run's inputs, in its graph: of the inertia forces by composite bodies where that is possible (``Partials``)."""
    e = run.e
    own, nq, nu = e.graph, len(e.layout.q), len(e.layout.u)
    partials = dict[Entry, Node]()
    (by_q, by_u, others), turned = _of_inertia(e), directions(e)
    for row, functions, columns, variables in _by_rules(run, others, turned):
        for (i, j), h in jacobian(own, functions, variables).items():
            at = row + i, columns[j]
            partials[at] = own.add(partials.get(at, own.zero), h)
    partials = _of_unit_quaternions(e, partials)
    inertial = {(i, nq + j): h for (i, j), h in by_u.items()}
    for (j, k), turn in turned.items():
        for i in range(nu):
            if (i, j) in by_q:
                inertial[i, k] = own.add(inertial.get((i, k), own.zero), own.mul(by_q[i, j], turn))
    for (i, k), h in inertial.items():
        at = nq + i, k
        partials[at] = own.sub(partials.get(at, own.zero), h)
    return _under_laws(run, {at: h for at, h in partials.items() if h != own.zero}, nq + nu + len(e.layout.z))


class _Part(NamedTuple):
    """Functions that are differentiated by the rules of differentiation: the first of their rows, the columns of the
    variables."""

    row: int
    functions: Sequence[Node]
    columns: Sequence[int]
    variables: Sequence[Node]


def _by_rules(run: RunPrograms, others: Sequence[Sequence[Node]], turned: Entries) -> list[_Part]:
    """What is differentiated by the rules of differentiation: all but inertia forces, ``others`` among them."""
    e = run.e
    forces, accelerations = e.balance
    groups, nq, nu = e.groups(), len(e.layout.q), len(e.layout.u)
    driven = [h for n, h in zip(e.layout.inputs, groups["inputs"], strict=True) if n in run.laws]
    variables = [*groups["q"], *groups["u"], *groups["z"], *groups["t"], *driven]
    every, first = range(len(variables)), nq + nu + len(groups["z"])
    by_bodies = [*sorted({i for _, i in turned}), *range(nq, nq + nu)]
    parts: list[tuple[int, Sequence[Node], Sequence[int]]]
    parts = [(0, e.q_dot, every), (nq + nu, e.state_rates, every), (first, accelerations, every)]
    parts.append((nq, forces, [k for k in every if k not in by_bodies]))
    parts += [(nq, functions, by_bodies) for functions in others]
    return [_Part(row, functions, columns, [variables[k] for k in columns]) for row, functions, columns in parts]


def why_too_costly(run: RunPrograms) -> str:
    """Why ``method="auto"`` does not derive and compile the linear system of a run's equations; empty where that takes
    a second or a few. The operations of derivatives by the rules of differentiation are counted before these are
    derived, so that equal systems have equal runs."""
    e = run.e
    if e.is_cheaper:
        return ""
    operations = 0
    for part in _by_rules(run, [applied_forces(e)], directions(e)):
        between = Dependence(e.graph, part.functions, part.variables)
        operations += sum(min(between.forward_cost(one), between.reverse_cost(one)) for one in between.parts())
    if operations <= AFFORDABLE:
        return ""
    model = e.tree.model
    steps = ", or method='contact', which needs none" if model.contacts else ""
    return (
        f"{model.name}: its exact Jacobian has about {float(f'{operations:.2g}'):,.0f} operations, more than"
        f" {AFFORDABLE:,}, and takes long to derive and compile: choose method='rodas5p' for long or many runs{steps}"
    )


def _of_inertia(e: Derivation) -> tuple[Entries, Entries, list[list[Node]]]:
    """The derivatives by directions of q and by u of forces of inverse dynamics, and the forces that they leave out: of
    inertia forces by composite bodies where that is possible, else of all but those of constraints."""
    inverse, held = Inverse(e, e.accelerations, estimated), [e.constraints.forces(e.multipliers)] * bool(e.multipliers)
    if known(e.tree.links):
        return inverse.partials.by_q, inverse.partials.by_u, [applied_forces(e), *held]
    by_q, by_u = (
        {(i, j): h for i, row in enumerate(inverse.by(what)) for j, h in enumerate(row) if h != e.graph.zero}
        for what in ("q", "u")
    )
    return by_q, by_u, held


def directions(e: Derivation) -> dict[Entry, Node]:
    """∂δ/∂q of the directions in which q may move, q̇ = N(q) δ: the inverse of N, and of a quaternion of unit length, of
    which it keeps the length, 4 Nᵀ. Coordinates whose part of N is neither, nor square and small, are left out."""
    g, N = e.graph, jacobian(e.graph, e.q_dot, e.layout.u_handles)
    quaternion, result = {k + c for k in quaternions(e.tree) for c in range(4)}, dict[Entry, Node]()
    for rows, columns in _coupled(N):
        part = [[N.get((i, j), g.zero) for j in columns] for i in rows]
        inverse = list[list[Node]]()
        if (len(rows), len(columns)) == (4, 3) and quaternion.issuperset(rows):
            inverse = [[g.mul(g.const(4), part[i][j]) for i in range(4)] for j in range(3)]
        elif len(rows) == len(columns) <= SMALL:
            inverse = _inverse(g, part)
        for j, row in zip(columns, inverse, strict=False):
            result |= {(j, i): h for i, h in zip(rows, row, strict=True) if h != g.zero}
    return result


def _coupled(N: Mapping[Entry, Node]) -> list[tuple[list[int], list[int]]]:
    """The rows and columns of each part of a matrix that shares neither with the others."""
    parts = list[tuple[set[int], set[int]]]()
    for i, j in N:
        own = [part for part in parts if i in part[0] or j in part[1]]
        parts = [part for part in parts if part not in own]
        parts.append(({i}.union(*(rows for rows, _ in own)), {j}.union(*(columns for _, columns in own))))
    return [(sorted(rows), sorted(columns)) for rows, columns in parts]


def _inverse(g: Graph, A: list[list[Node]]) -> list[list[Node]]:
    """The inverse of a small matrix, by cofactors."""
    n = len(A)

    def determinant(rows: list[int], columns: list[int]) -> Node:
        if not rows:
            return g.one
        total = g.zero
        for k, j in enumerate(columns):
            term = g.mul(A[rows[0]][j], determinant(rows[1:], columns[:k] + columns[k + 1 :]))
            total = g.sub(total, term) if k % 2 else g.add(total, term)
        return total

    every = list(range(n))
    over = g.div(g.one, determinant(every, every))

    def entry(i: int, j: int) -> Node:
        minor = determinant([k for k in every if k != j], [k for k in every if k != i])
        return g.mul(g.neg(minor) if (i + j) % 2 else minor, over)

    return [[entry(i, j) for j in every] for i in every]


def _of_unit_quaternions(e: Derivation, partials: dict[Entry, Node]) -> dict[Entry, Node]:
    """The derivatives of functions of q/|q| of each quaternion q, at |q| = 1: J (1 − q qᵀ). Rates of other formulations
    than that of the balance agree with it only where quaternions are of unit length, so stages normalise them."""
    g, result, x = e.graph, dict(partials), e.layout.q_handles
    for start in quaternions(e.tree):
        columns = range(start, start + 4)
        for i in sorted({i for i, j in partials if j in columns}):
            row = [partials.get((i, j), g.zero) for j in columns]
            along = g.zero
            for h, j in zip(row, columns, strict=True):
                along = g.add(along, g.mul(h, x[j]))
            for h, j in zip(row, columns, strict=True):
                result[i, j] = g.sub(h, g.mul(along, x[j]))
    return {at: h for at, h in result.items() if h != g.zero}


def _under_laws(run: RunPrograms, partials: dict[Entry, Node], states: int) -> dict[Entry, Node]:
    """Derivatives by x, t and the inputs that follow laws, as derivatives by x and t, by the chain rule."""
    g, nodes = run.graph, run.insert_laws(list(partials.values()))
    entries = dict(zip(partials, nodes, strict=True))
    result = {at: h for at, h in entries.items() if at[1] <= states}
    if not run.laws:
        return result
    names = [n for n in run.e.layout.inputs if n in run.laws]
    slopes = jacobian(g, [run.laws[n] for n in names], [*run.groups(g)["x"], *run.groups(g)["t"]])
    by_law = [{k: slope for (law, k), slope in slopes.items() if law == one} for one in range(len(names))]
    for (i, j), h in entries.items():
        for k, slope in by_law[j - states - 1].items() if j > states else ():
            result[i, k] = g.add(result.get((i, k), g.zero), g.mul(h, slope))
    return result


def stage_system(run: RunPrograms) -> StageSystem:
    """The programs of the linear system."""
    e, system = run.e, run.e.tree.model.name
    instead = "use method='radau', 'bdf' or 'cvode', which compute it by differences"
    for name in rubbing(e.tree.model):
        raise ArgumentError(
            f"{system}: method='rodas5p' does not know how the friction of contact '{name}' depends on its normal"
            " force; use method='dop853' or 'dopri5', or describe the contact with its compliance, s.contact(…)"
        )
    if e.is_cheaper:
        recursive = "" if lacking(e) else "use method='esdirk54', which is made for stiff joints of many bodies, or "
        raise ArgumentError(
            f"{system}: method='rodas5p' needs the exact Jacobian, which is not available for rolled equations of many"
            f" bodies ({len(e.layout.u)} speeds); {recursive}{instead}"
        )
    try:
        k = StageEntries(run)
    except ExpressionError as error:
        raise ArgumentError(
            f"{system}: method='rodas5p' needs the exact Jacobian: {error}. Write it as a text or a table, give"
            f" its derivatives by fb.callback(…, derivative=…), or {instead}"
        ) from error
    groups = run.groups(run.graph, "u_dot", "multipliers")
    groups["solution"] = [*groups.pop("u_dot"), *groups.pop("multipliers")]
    a = Assembly("entries", run.graph, groups)
    a.output("entries", k.nodes or [run.graph.zero])
    solution, entries = run.stage_solution() if k.multipliers else None, a.program()
    if k.multipliers or operations([*k.J, *k.on_speeds()], k.states) <= CLEAR * STRAIGHT:
        straight = _Elimination(k, dense=False)
        if straight.is_cheap:
            return straight.system(solution, entries)
    return _Elimination(k, dense=True).system(solution, entries)


AFFORDABLE = 100_000
"""The most operations of derivatives that ``method="auto"`` derives and compiles by itself, in some seconds."""

SMALL = 3
"""The most unknowns of a matrix whose inverse is written out."""

STRAIGHT = 2000
"""The most operations of a factorisation in straight-line code: beyond it loops over a full matrix are faster."""

CLEAR = 3
"""By so much an estimate of the operations exceeds that number where the count would too."""

FEW = 4
"""An entry of a full matrix is changed in a fraction of the time of one in straight-line code: extra states that change
fewer entries than one part in so many are eliminated before."""

ROW = 8
"""The length of rows of a full matrix is a multiple of this: whole vectors."""

VANISHING = 1e-10
"""A pivot of a speed that is smaller than this fraction of M's diagonal counts as zero: the step is rejected. Those of
M itself, which remain for short steps, are larger where its digits suffice (``checks.LOST``): 2e-6 in a chain of 100.
"""


class _Elimination:
    """The programs that factor and solve, in a graph of their own. With ``dense`` only unknowns with the pivot 1 and
    extra states with few others are eliminated in straight-line code; the full matrix of the others has one more row,
    of their smallest pivots."""

    def __init__(self, k: StageEntries, dense: bool) -> None:
        self.k, self.dense = k, dense
        g = self.graph = Graph()
        self.entries = [g.symbol(f"entry.{i}", Kind.STATE) for i in range(max(len(k.nodes), 1))]
        self.settings = [g.symbol(f"setting.{name}", Kind.STATE) for name in ("G", "time")]
        self._given = {*self.entries, *self.settings}
        nq, n = k.coordinates, k.states
        A = {(i, i): g.one for i in (*range(nq), *range(nq + k.speeds, n))}
        A |= {(nq + i, nq + j): self._number(x) for (i, j), x in k.M.items()}
        for (i, j), x in k.Gc.items():
            A[n + i, nq + j] = self._number(x)
            A[nq + j, n + i] = g.neg(self._number(x))
        for at, x in k.J.items():
            A[at] = g.sub(A.get(at, g.zero), g.mul(self.settings[0], self._number(x)))
        multipliers = range(n, n + k.multipliers)
        scales = self._scales = {nq + i: self._number(k.M[i, i]) for i in range(k.speeds) if (i, i) in k.M}
        if dense:
            self.factors = LuFactors(g, A, n, may=self._is_sparse)
        else:
            self.factors = LuFactors(g, A, n + k.multipliers, multipliers, scales, VANISHING)

        self.stored = dict[Node, Node]()
        """What ``solve`` reads in place of numbers of the factors."""
        self.rest = [[self.factors.rest.get((i, j), g.zero) for j in self.factors.left] for i in self.factors.left]
        self.factors.substitute(self._symbol)
        self.factor = self._factor()

    def _is_sparse(self, unknown: int, pivot: Node, changes: int, left: int) -> bool:
        """Whether an unknown is better eliminated before the full matrix is formed: one with the pivot 1, or an extra
        state, such as a bristle, that changes a small part of it."""
        return pivot == self.graph.one or (unknown >= self.k.coordinates + self.k.speeds and FEW * changes <= left**2)

    def _number(self, x: Number) -> Node:
        return self.graph.const(x) if isinstance(x, float) else self.entries[x]

    def _symbol(self, x: Node) -> Node:
        g = self.graph
        if g.number(x) is not None or x in self._given:
            return x
        if x not in self.stored:
            self.stored[x] = g.symbol(f"factor.{len(self.stored)}", Kind.STATE)
        return self.stored[x]

    @property
    def _groups(self) -> dict[str, list[Node]]:
        return {"entries": self.entries, "settings": self.settings}

    def _factor(self) -> Program:
        """The numbers of the factors, and the full matrix that remains."""
        a, zero, count = Assembly("factor", self.graph, self._groups), self.graph.zero, len(self.rest)
        a.output("factor", list(self.stored) or [zero])
        if self.rest:
            width, rows = -(-count // ROW) * ROW, [*self.rest, self._least_pivots()]
            a.output("rest", [[*row, *[zero] * (width - count)] for row in rows], (count + 1, width))
        return a.program()

    def _least_pivots(self) -> list[Node]:
        """The pivots of the full matrix below which they count as zero."""
        g = self.graph
        scales = (self._scales.get(i, g.zero) for i in self.factors.left)
        return [g.mul(g.const(VANISHING), g.build[ABS](scale)) for scale in scales]

    @property
    def is_cheap(self) -> bool:
        """Whether straight-line code is faster than a full matrix, which systems with constraints do not have."""
        counts = count(self.factor)
        return bool(self.k.multipliers) or counts.mul + counts.add + counts.div <= STRAIGHT

    def system(self, solution: Program | None, entries: Program) -> StageSystem:
        g, n, factors = self.graph, self.k.states, self.factors
        groups = self._groups | {"factor": list(self.stored.values()) or [g.symbol("factor.none", Kind.STATE)]}
        R = [g.symbol(f"right.{i}", Kind.STATE) for i in range(n)]
        first = factors.forward(self._right(R))
        solve = Assembly("solve", g, {**groups, "right": R})
        if not self.rest:
            solve.output("increments", factors.backward(first)[:n])
            return StageSystem(solution, entries, self.factor, solve.program())
        order = [*factors.left, *(i for i in range(n) if i not in factors.left)]
        values = [g.symbol(f"value.{i}", Kind.STATE) for i in range(n)]
        solve.output("forward", [first[i] for i in order])
        backward = Assembly("backward", g, {**groups, "values": values})
        backward.output("increments", factors.backward([values[order.index(i)] for i in range(n)]))
        return StageSystem(solution, entries, self.factor, solve.program(), backward.program())

    def _right(self, R: list[Node]) -> list[Node]:
        """The right side of the eliminated system: rows of speeds times M, those of multipliers Gc Ru, and the
        derivatives by time."""
        g, k, nq = self.graph, self.k, self.k.coordinates
        right = [*R[:nq], *[g.zero] * k.speeds, *R[nq + k.speeds :], *[g.zero] * k.multipliers]
        for rows, first in ((k.M, nq), (k.Gc, k.states)):
            for (i, j), x in rows.items():
                right[first + i] = g.add(right[first + i], g.mul(self._number(x), R[nq + j]))
        for i, x in enumerate(k.by_time):
            right[i] = g.add(right[i], g.mul(self.settings[1], self._number(x)))
        return right
