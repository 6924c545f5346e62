"""Equations of motion M(q) ṗ + C(q, p) p + F(q) = Q, q̇ = V(q) p as matrices, for reading and for control."""

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

from freebody.algebra import LIMIT, ClosedForm, check_options, closed_forms
from freebody.errors import ArgumentError, ExpressionError, ModelError
from freebody.formulations.derivation import Derivation
from freebody.keywords import hint_keywords
from freebody.names import TAU
from freebody.papers.brackets import Term, VelocityFields, along, columns, constant, constants
from freebody.papers.matrices import Matrix
from freebody.papers.poincare import Momenta, Poincare
from freebody.program.program import Program
from freebody.quantities.kinematics import require_standard
from freebody.scalar.derivative import jacobian
from freebody.scalar.expr import Expr, equals_number
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.tables import counted, short_formula
from freebody.tree.energy import stored, stored_by_loads, weight
from freebody.tree.inertia import link_inertia
from freebody.tree.joint_forces import armatures
from freebody.tree.tree import Tree, require_unconstrained, span

Rows = list[list[Node]]
PARTS = ("M", "C", "F", "V", "Q")
FEW = 3
"""Speeds up to which notebooks show all matrices."""


@hint_keywords
class MatrixEquations:
    """M(q) ṗ + C(q, p) p + F(q) = Q, q̇ = V(q) p, with p the speeds u (Kwatny & Blankenship Eqs 53a–c): matrices of
    expressions, each derived when it is first asked for. ``q`` and ``p`` are the symbols; F is the gradient of
    ``potential`` along the speeds; Q holds tau (``tau.…``), loads and joint forces other than springs."""

    def __init__(self, derivation: Derivation, skew: bool, angles: str | None, limit: int | None = None) -> None:
        require_standard(derivation, "matrices", exact=True)
        require_unconstrained(derivation.tree, "matrices", "use the quantities 'mass_matrix', 'bias', 'constraint'")
        limit = LIMIT if limit is None else limit
        check_options("shortest" if angles is None else angles, limit)
        self._nodes = MatrixNodes(span(derivation.tree.model), skew, angles, limit)
        self.graph, layout = self._nodes.graph, self._nodes.layout
        self.q = tuple(Expr(self.graph, h) for h in layout.q_handles)
        self.p = tuple(Expr(self.graph, h) for h in layout.u_handles)

    def _expression(self, node: Node) -> Expr:
        return (Expr if self._nodes.angles is None else ClosedForm)(self.graph, node)

    def _matrix(self, rows: list[list[Node]]) -> Matrix:
        return Matrix([self._expression(x) for x in row] for row in rows)

    @cached_property
    def M(self) -> Matrix:
        """The inertia matrix, nu × nu."""
        return self._matrix(self._nodes.M)

    @cached_property
    def C(self) -> Matrix:
        """Coriolis and centrifugal terms, nu × nu."""
        return self._matrix(self._nodes.C)

    @cached_property
    def V(self) -> Matrix:
        """The kinematic matrix, nq × nu; its columns are the vector fields v_k."""
        return self._matrix(self._nodes.V)

    @cached_property
    def F(self) -> tuple[Expr, ...]:
        """v_k(𝒱), the potential's gradient along the speeds."""
        return tuple(self._expression(x) for x in self._nodes.F)

    @cached_property
    def Q(self) -> tuple[Expr, ...]:
        """Generalised forces."""
        return tuple(self._expression(x) for x in self._nodes.Q)

    @cached_property
    def potential(self) -> Expr:
        """𝒱: of uniform gravity (0 at the ground's origin) and of springs."""
        return self._expression(self._nodes.potential)

    def _part(self, name: str) -> Matrix | tuple[Expr, ...]:
        parts: dict[str, Callable[[], Matrix | tuple[Expr, ...]]] = {
            "M": lambda: self.M,
            "C": lambda: self.C,
            "F": lambda: self.F,
            "V": lambda: self.V,
            "Q": lambda: self.Q,
        }
        if name not in parts:
            raise ArgumentError(f"matrix equations have no part {name!r}; there are {', '.join(parts)}")
        return parts[name]()

    def text(self, *parts: str) -> str:
        """The named matrices (all of them by default), an entry a line, zeros left out."""
        texts = []
        for name in parts or PARTS:
            part = self._part(name)
            if isinstance(part, Matrix):
                texts.append(part.text(name))
            else:
                lines = [f"{name}[{k}] = {x}" for k, x in enumerate(part) if not equals_number(x, 0)]
                texts.append("\n".join(lines) or f"{name} = 0")
        return "\n".join(texts)

    def latex(self, *parts: str) -> str:
        """The named matrices (all of them by default), a line each."""
        return "\n".join(f"{part} = {self._grid(part).latex()}" for part in parts or PARTS)

    def _grid(self, part: str) -> Matrix:
        values = self._part(part)
        return values if isinstance(values, Matrix) else Matrix([[x] for x in values])

    def to_sympy(self, *parts: str) -> dict[str, Any]:
        """The named matrices (all of them by default) as SymPy has them."""
        return {part: self._grid(part).to_sympy() for part in parts or PARTS}

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<MatrixEquations M ṗ + C p + F = Q, q̇ = V p with {counted(len(self.p), 'speed')}>"

    def _repr_latex_(self) -> str | None:
        """The equations, unless they are large: closed forms take long then."""
        if len(self.p) > FEW:
            return None
        head = r"\mathbf{M}\,\dot p + \mathbf{C}\,p + F = Q,\quad \dot q = \mathbf{V} p"
        lines = [f"& {head}", *(f"{part} &= {self._grid(part).latex()}" for part in PARTS)]
        return short_formula("\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}")

    def program(self, *parts: str) -> Program:
        """The named matrices (all of them by default) as one program, to be compiled or exported."""
        derivation = Derivation(Poincare(self._nodes.tree))
        a = derivation.assembly("matrices", "tau")
        for part in parts or PARTS:
            rows = [[x.handle for x in row] for row in self._grid(part)]
            a.output(part, rows if isinstance(self._part(part), Matrix) else [row[0] for row in rows])
        return a.program()


class MatrixNodes:
    """M, C, F, V, Q of a tree as nodes. ``skew`` chooses the C with Ṁ − 2C skew; ``angles`` how closed forms write
    sines and cosines, None leaves everything as it was derived."""

    def __init__(self, tree: Tree, skew: bool = False, angles: str | None = "shortest", limit: int = LIMIT) -> None:
        self.tree, self.skew, self.angles, self.limit = tree, skew, angles, limit
        self.graph, self.layout = tree.graph, tree.layout
        self.poincare = Poincare(tree)
        for link in tree.links:
            if any(given is not None for given in link.body.prescribed):
                raise ModelError(
                    f"joint '{link.name}' moves as prescribed, so the kinetic energy is not ½ pᵀM p and has no C(q, p):"
                    " leave its motion free and add a joint force, or use the programs of derive('poincare')"
                )

    def closed_form(self, rows: Sequence[Sequence[Node]]) -> Rows:
        """Entries in closed form."""
        if self.angles is None:
            return [list(row) for row in rows]
        try:
            forms = iter(closed_forms(self.graph, [x for row in rows for x in row], self.angles, self.limit))
        except ExpressionError as error:
            raise ExpressionError(f"{error} Or take them as they were derived: matrices(simplify=False).") from error
        return [[next(forms) for _ in row] for row in rows]

    @cached_property
    def M(self) -> Rows:
        """The inertia matrix, nu × nu."""
        n, mass, zero = len(self.layout.u), self.poincare.mass, self.graph.zero
        lower = self.closed_form([[mass.get((i, j), zero) for j in range(i + 1)] for i in range(n)])
        return [[lower[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]

    @cached_property
    def V(self) -> Rows:
        """q̇ = V p, nq × nu."""
        entries = jacobian(self.graph, self.layout.q_dot, self.layout.u_handles)
        rows, n = range(len(self.layout.q)), range(len(self.layout.u))
        return self.closed_form([[entries.get((i, j), self.graph.zero) for j in n] for i in rows])

    @cached_property
    def C(self) -> Rows:
        """Of M ṗ + C p, nu × nu."""
        layout = self.layout
        fields = VelocityFields(self.graph, self.M, self.V, layout.q_handles, layout.u_handles, self._brackets())
        return self.closed_form(fields.coriolis(self.skew))

    @cached_property
    def potential(self) -> Node:
        """𝒱: of weight and springs."""
        motion = self.poincare.motion
        return self.closed_form([[self.graph.add(stored(motion).handle, weight(motion))]])[0][0]

    @cached_property
    def F(self) -> list[Node]:
        """v_k(𝒱)."""
        return self.closed_form([self._along_fields(self.potential)])[0]

    @cached_property
    def Q(self) -> list[Node]:
        """Loads through partial velocities and joint forces, less the part in 𝒱; and tau."""
        g = self.graph
        in_potential = self._along_fields(stored_by_loads(self.poincare.motion).handle)
        tau = [g.symbol(TAU(n), Kind.INPUT, f"generalised force on {n}") for n in self.layout.u]
        loads = self.closed_form([[g.add(a, b) for a, b in zip(self.poincare.loads, in_potential, strict=True)]])[0]
        return [g.add(a, b) for a, b in zip(loads, tau, strict=True)]

    def _along_fields(self, node: Node) -> list[Node]:
        return [along(self.graph, [node], self.layout.q_handles, v)[0] for v in columns(self.V)]

    def _brackets(self) -> dict[tuple[int, int], list[Term]]:
        """Joint by joint Σ_k c^k_ij h_k = h_i × h_j + v_i(h_j) − v_j(h_i) with numbers c; where there are none, the
        momentum of the link with all that hangs on it along this velocity."""
        g, q, V, brackets = self.graph, self.layout.q_handles, columns(self.V), dict[tuple[int, int], list[Term]]()
        for link in self.tree.links:
            if constant(g, [[row[k] for k in link.u] for row in self.V]):
                continue
            h = [c.twist for c in link.columns]
            for (i, a), (j, b) in combinations(enumerate(link.u), 2):
                changes = along(g, h[j].c, q, V[a]), along(g, h[i].c, q, V[b])
                parts = zip(h[i].cross(h[j]).c, *changes, strict=True)
                target = self.closed_form([[g.sub(g.add(x, first), second) for x, first, second in parts]])[0]
                c = constants(g, [list(twist.c) for twist in h], target)
                rows = [self._bodies[k] for k in link.u] if c is not None else self._momentum_map[link.index]
                pairs = zip(target if c is None else c, rows, strict=True)
                terms: list[Term] = [(x, row) for x, row in pairs if x != g.zero]
                if terms:
                    brackets[a, b] = terms
        return brackets

    @cached_property
    def _bodies(self) -> Rows:
        """M without armatures, which resist their own speeds and no brackets."""
        rotors = armatures(self.tree)
        if not rotors:
            return self.M
        rows = [list(row) for row in self.M]
        for k, value in rotors.items():
            rows[k][k] = self.graph.sub(rows[k][k], value)
        return self.closed_form(rows)

    @cached_property
    def _momentum_map(self) -> list[Rows]:
        """∂g/∂p of every link, 6 × nu; of the bodies without the `base` rewrite, for inertia that a joint cannot
        distinguish from its parent's may have momentum along a bracket."""
        g, u, maps = self.graph, self.layout.u_handles, list[Rows]()
        for m in Momenta(self.poincare.motion, [link_inertia(link) for link in self.tree.links]).momenta:
            entries = jacobian(g, list(m.c), u)
            maps.append(self.closed_form([[entries.get((r, k), g.zero) for k in range(len(u))] for r in range(6)]))
        return maps
