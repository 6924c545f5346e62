"""The matrices of M(q) ṗ + C(q, p) p + F(q) = Q for reading and for control, as nodes (Kwatny & Blankenship Eqs 53)."""

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations

from freebody.algebra import LIMIT, closed
from freebody.errors import ExpressionError, ModelError
from freebody.formulations.poincare.equations import Poincare
from freebody.formulations.poincare.momenta import Momenta
from freebody.papers.brackets import along, columns, constant, constants
from freebody.papers.coriolis import Fields, Term
from freebody.scalar.derivative import jacobian
from freebody.scalar.symbol import Kind
from freebody.tree.efforts import armatures
from freebody.tree.energy import stored, weight
from freebody.tree.forest import Forest, Link
from freebody.tree.inertia import own

Matrix = list[list[int]]


class Explicit:
    """M, C, F, V, Q of a forest. ``skew`` chooses the C with Ṁ − 2C skew; ``angles`` how closed forms write sines and
    cosines, None leaves everything as it was derived."""

    def __init__(self, forest: Forest, skew: bool = False, angles: str | None = "shortest", limit: int = LIMIT) -> None:
        self.forest, self.skew, self.angles, self.limit = forest, skew, angles, limit
        self.graph, self.layout = forest.graph, forest.layout
        self.poincare = Poincare(forest)
        self._require_free()

    def _require_free(self) -> None:
        for link in self.forest.links:
            if any(given is not None for given in link.body.given):
                raise ModelError(
                    f"joint '{link.name}' moves as prescribed, so the kinetic energy is not ½ pᵀM p and has no C(q, p):"
                    " leave its motion free and give its effort, or use the programs of derive('poincare')"
                )

    def short(self, rows: Sequence[Sequence[int]]) -> Matrix:
        """Entries in closed form."""
        if self.angles is None:
            return [list(row) for row in rows]
        try:
            made = iter(closed(self.graph, [x for row in rows for x in row], self.angles, self.limit))
        except ExpressionError as error:
            raise ExpressionError(f"{error} Or take them as they were derived: explicit(simplify=False).") from error
        return [[next(made) for _ in row] for row in rows]

    @cached_property
    def M(self) -> Matrix:
        """The inertia matrix, nu × nu."""
        n, mass, zero = len(self.layout.u), self.poincare.mass, self.graph.zero
        lower = self.short([[mass.get((i, j), zero) for j in range(i + 1)] for i in range(n)])
        return [[lower[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]

    @cached_property
    def V(self) -> Matrix:
        """q̇ = V p, nq × nu."""
        found = jacobian(self.graph, self.layout.q_dot, self.layout.u_handles)
        rows, n = range(len(self.layout.q)), range(len(self.layout.u))
        return self.short([[found.get((i, j), self.graph.zero) for j in n] for i in rows])

    @cached_property
    def C(self) -> Matrix:
        """Of M ṗ + C p, nu × nu."""
        layout = self.layout
        fields = Fields(self.graph, self.M, self.V, layout.q_handles, layout.u_handles, self._brackets())
        return self.short(fields.matrix(self.skew))

    @cached_property
    def potential(self) -> int:
        """𝒱: weight, and what springs store."""
        motion = self.poincare.motion
        return self.short([[self.graph.add(stored(motion).handle, weight(motion))]])[0][0]

    @cached_property
    def F(self) -> list[int]:
        """v_k(𝒱)."""
        return self.short([self._along_fields(self.potential)])[0]

    @cached_property
    def Q(self) -> list[int]:
        """Loads through partial velocities and efforts, less what is in 𝒱; and tau."""
        g = self.graph
        taken = self._along_fields(stored(self.poincare.motion).handle)
        tau = [g.symbol(f"tau.{n}", Kind.INPUT, f"generalised force on {n}") for n in self.layout.u]
        rest = self.short([[g.add(a, b) for a, b in zip(self.poincare.loads, taken, strict=True)]])[0]
        return [g.add(a, b) for a, b in zip(rest, tau, strict=True)]

    def _along_fields(self, node: int) -> list[int]:
        return [along(self.graph, [node], self.layout.q_handles, v)[0] for v in columns(self.V)]

    # Brackets, joint by joint

    def _brackets(self) -> dict[tuple[int, int], list[Term]]:
        found: dict[tuple[int, int], list[Term]] = {}
        for link in self.forest.links:
            if not constant(self.graph, [[row[k] for k in link.u] for row in self.V]):
                found |= self._of_joint(link)
        return found

    def _of_joint(self, link: Link) -> dict[tuple[int, int], list[Term]]:
        """Σ_k c^k_ij h_k = h_i × h_j + v_i(h_j) − v_j(h_i) with numbers c; where there are none, the momentum of the
        link with all that hangs on it along this velocity."""
        g, h, found = self.graph, [list(c.twist.c) for c in link.columns], dict[tuple[int, int], list[Term]]()
        for (i, a), (j, b) in combinations(enumerate(link.u), 2):
            target = self._bracket(link, i, j)
            c = constants(g, h, target)
            rows = [self._bodies[k] for k in link.u] if c is not None else self._momentum_map[link.index]
            found[a, b] = [(x, row) for x, row in zip(c if c is not None else target, rows, strict=True) if x != g.zero]
        return {pair: terms for pair, terms in found.items() if terms}

    def _bracket(self, link: Link, i: int, j: int) -> list[int]:
        g, q, h, V = self.graph, self.layout.q_handles, [c.twist for c in link.columns], columns(self.V)
        first, second = (along(g, h[y].c, q, V[link.u[x]]) for x, y in ((i, j), (j, i)))
        parts = zip(h[i].cross(h[j]).c, first, second, strict=True)
        return self.short([[g.sub(g.add(x, a), b) for x, a, b in parts]])[0]

    @cached_property
    def _bodies(self) -> Matrix:
        """M of the bodies alone: rotors (armatures) resist their own speeds and no brackets."""
        rotors = armatures(self.forest)
        if not rotors:
            return self.M
        rows = [list(row) for row in self.M]
        for k, value in rotors.items():
            rows[k][k] = self.graph.sub(rows[k][k], value)
        return self.short(rows)

    @cached_property
    def _momentum_map(self) -> list[Matrix]:
        """∂g/∂p of every link, 6 × nu; of the bodies as they are, for inertia that a joint cannot tell from its
        parent's may have momentum along a bracket."""
        g, u, found = self.graph, self.layout.u_handles, list[Matrix]()
        for m in Momenta(self.poincare.motion, [own(link) for link in self.forest.links]).momenta:
            entries = jacobian(g, list(m.c), u)
            found.append(self.short([[entries.get((r, k), g.zero) for k in range(len(u))] for r in range(6)]))
        return found
