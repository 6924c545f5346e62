"""A system near a point, by exact derivatives.

Derivatives by q are along the tangent δ, δq = N(q) δ, unless raw coordinates are asked for. With T = diag(N, 1, 1) the
displacement of the state is T ξ, and from d(T ξ)/dt = A T ξ + B w follow ξ̇ = T⁺ (A T − Ṫ) ξ + T⁺ B w: exact also where
the system moves, for instance −ω × δ for a body that spins. ∂u̇ is M⁻¹ ∂(f − M u̇) at u̇ held, so that no factorisation is
differentiated.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.field import Field, Named, Point, Rows
from freebody.analysis.linear import Linear
from freebody.analysis.zero import vanishing
from freebody.formulations.quantities.derivatives import Inverse
from freebody.formulations.quantities.factor import Factor, dot
from freebody.scalar.derivative import Entries, jacobian, jvp
from freebody.scalar.expr import Expr
from freebody.scalar.walk import substitute

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Symbolic:
    """A, B, C, D as arrays of expressions of the operating point, in the order of the names."""

    A: NDArray[np.object_] = dataclasses.field(repr=False)
    B: NDArray[np.object_] = dataclasses.field(repr=False)
    C: NDArray[np.object_] = dataclasses.field(repr=False)
    D: NDArray[np.object_] = dataclasses.field(repr=False)
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


class Near:
    """The derivatives of a field by its state and chosen inputs, with those of chosen outputs."""

    def __init__(self, field: Field, inputs: Named, outputs: Named, minimal: bool = True) -> None:
        self.field, self.graph = field, field.graph
        self.inputs, self.outputs, self.minimal = inputs, outputs, minimal
        self.sizes = len(field.layout.q), len(field.layout.u), len(field.layout.z)

    def jacobian(self, rest: Sequence[int]) -> Rows:
        """∂(q̇, rest, ż, y)/∂(x, w), the rest being f − M u̇."""
        f = self.field
        roots = [*f.q_dot, *rest, *f.z_dot, *(h for _, h in self.outputs)]
        variables = [*f.x, *(h for _, h in self.inputs)]
        return f.dense(jacobian(self.graph, roots, variables), len(roots), len(variables))

    @cached_property
    def turning(self) -> Entries:
        """Ṅ: by (coordinate, speed), along the motion."""
        f, N = self.field, self.field.tangent
        seeds = dict(zip(f.groups["q"], f.q_dot, strict=True)) | {f.groups["t"][0]: self.graph.one}
        return dict(zip(N, jvp(self.graph, list(N.values()), seeds), strict=True))

    @cached_property
    def plain(self) -> dict[int, int]:
        """For each speed that is the rate of one coordinate, and of no other, this coordinate."""
        N = self.field.tangent
        rows, columns = [i for i, _ in N], [j for _, j in N]
        single = [(i, j) for i, j in N if rows.count(i) == 1 == columns.count(j)]
        return {j: i for i, j in single if N[i, j] == self.graph.one}

    @property
    def states(self) -> tuple[str, ...]:
        """The coordinate's name where a direction is one, along.‹speed› where it is not."""
        layout = self.field.layout
        if not self.minimal:
            return tuple(self.field.keys)
        named = [f"q.{layout.q[self.plain[j]]}" if j in self.plain else f"along.{n}" for j, n in enumerate(layout.u)]
        return (*named, *(f"u.{n}" for n in layout.u), *layout.z)

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        inputs, outputs = (tuple(n for n, _ in named) for named in (self.inputs, self.outputs))
        return {"states": self.states, "inputs": inputs, "outputs": outputs}

    # Numbers

    @property
    def _quick(self) -> bool:
        """Whether −∂τ/∂(q, u) may stand for ∂(f − M u̇): composite bodies give it along the tangent, and much sooner."""
        return self.minimal and not self.field.e.small

    @cached_property
    def _function(self) -> Any:
        f, (n, m, _) = self.field, self.sizes
        N, turning = (f.dense(e, n, m) for e in (f.tangent, self.turning))
        rest = [self.graph.zero] * m if self._quick else f.rest
        made = {"J": self.jacobian(rest), "N": N, "turning": turning, "q_dot": f.q_dot, "z_dot": f.z_dot}
        needed = {"needed": self._needed()} if self._quick else {}
        return f.function("linearised", {"M": f.mass_rows, "rest": f.rest, **made, **needed})

    def _needed(self) -> Rows:
        """∂τ/∂(δ, u, z, w) of inverse dynamics."""
        f, made = self.field, Inverse(self.field.e, self.field.e.accelerations)
        by = [[f.words.bring(row) for row in made.by(what)] for what in ("q", "u", "z", "inputs")]
        places = {h: k for k, h in enumerate(f.groups["inputs"])}
        return [
            [*q, *u, *z, *(self._column(i, h, w, places) for _, h in self.inputs)]
            for i, (q, u, z, w) in enumerate(zip(*by, strict=True))
        ]

    def _column(self, i: int, handle: int, row: Sequence[int], places: Mapping[int, int]) -> int:
        """∂τᵢ by an input; a generalised force is needed the less, the more there is of it."""
        if handle in places:
            return row[places[handle]]
        return self.graph.neg(self.graph.one) if handle == self.field.groups["tau"][i] else self.graph.zero

    def at(self, point: Point) -> Linear:
        """The linear system at a point."""
        n, m, k = self.sizes
        u_dot = np.zeros(m)
        if m:
            start = self._function(point)
            u_dot = np.linalg.solve(start["M"], start["rest"])
        found = self._function(point, u_dot)
        J = found["J"].copy()
        if m and not self._quick:
            J[n : n + m] = np.linalg.solve(found["M"], J[n : n + m])
        rate = np.concatenate([found["q_dot"], u_dot, found["z_dot"]])
        size = n + m + k
        A, B, C, D = J[:size, :size], J[:size, size:], J[size:, :size], J[size:, size:]
        if self.minimal:
            N, turning = (found[name].reshape(n, m) for name in ("N", "turning"))
            A, B, C, rate = _minimal(A, B, C, rate, N, turning)
        if self._quick and m:
            pushed = -np.linalg.solve(found["M"], found["needed"])
            A[m : 2 * m], B[m : 2 * m] = pushed[:, : len(A)], pushed[:, len(A) :]
        return Linear(A, B, C, D, **self.names, at=self._values(point), rate=rate)

    def lift(self, point: Point) -> Array:
        """T at a point."""
        n, m, k = self.sizes
        T = np.zeros((n + m + k, 2 * m + k))
        rows = self.field.dense(self.field.tangent, n, m)
        T[:n, :m] = self.field.function("tangent", {"N": rows})(point)["N"].reshape(n, m)
        T[n:, m:] = np.eye(m + k)
        return T

    def _values(self, point: Point) -> dict[str, float]:
        f = self.field
        names = [*f.keys, *f.layout.inputs]
        values = dict(zip(names, map(float, [*point.x, *point.inputs]), strict=True))
        return values | {n: float(v) for n, v in zip(f.forces, point.tau, strict=True) if v}

    # Expressions

    def symbolic(self, point: Point, values: Mapping[int, int]) -> Symbolic:
        """The same as expressions, ``values`` put in the places of symbols; parameters of the point decide which
        entries are zero everywhere."""
        n, m, k = self.sizes
        size, J = n + m + k, self._solved()
        T, over = self._map(point)
        A, B, C, D = (r for r in _quarters(J, size))
        if self.minimal:
            top = self._top(A, over, point)
            A = [*top, *self._times(A[n:], T)]
            B, C = [*self._times(over, B[:n]), *B[n:]], self._times(C, T)
        blocks = [self._expressions(block, values) for block in (A, B, C, D)]
        width = len(self.states), len(self.inputs)
        shapes = [(width[0], width[0]), width, (len(self.outputs), width[0]), (len(self.outputs), width[1])]
        a, b, c, d = (block.reshape(shape) for block, shape in zip(blocks, shapes, strict=True))
        return Symbolic(a, b, c, d, **self.names)

    def _solved(self) -> Rows:
        """The Jacobian with M⁻¹ on the rows of the speeds, and u̇ put in its symbols' places."""
        f, (n, m, _) = self.field, self.sizes
        factor, J = f.factor, [list(row) for row in self.jacobian(f.rest)]
        columns = [factor.solve([row[j] for row in J[n : n + m]]) for j in range(len(J[0]))] if m else []
        for i in range(m):
            J[n + i] = [column[i] for column in columns]
        held = dict(zip(f.groups["u_dot"], f.u_dot, strict=True))
        flat = iter(substitute(self.graph, [h for row in J for h in row], held))
        return [[next(flat) for _ in row] for row in J]

    def _map(self, point: Point) -> tuple[Rows, Rows]:
        """T, and N⁺ = (NᵀN)⁻¹ Nᵀ."""
        g, f, (n, m, k) = self.graph, self.field, self.sizes
        N = f.dense(f.tangent, n, m)
        T = [[*row, *[g.zero] * (m + k)] for row in N]
        T += [[g.one if j == m + i else g.zero for j in range(2 * m + k)] for i in range(m + k)]
        pairs = {(i, j): self._paired(N, i, j) for i in range(m) for j in range(i + 1)}
        zero = vanishing(f, list(pairs.values()), point)
        square = {key: e for (key, e), gone in zip(pairs.items(), zero, strict=True) if not gone}
        inverse = Factor(g, square, m) if m else None
        columns = [inverse.solve(row) for row in N] if inverse is not None else []
        return T, [[column[i] for column in columns] for i in range(m)]

    def _paired(self, N: Rows, i: int, j: int) -> int:
        """Column i times column j of N; those of two joints share no row."""
        return dot(self.graph, [row[i] for row in N], [row[j] for row in N])

    def _top(self, A: Rows, over: Rows, point: Point) -> Rows:
        """N⁺ (∂q̇/∂q N − Ṅ), 1 and 0: the rows of δ̇."""
        g, f, (n, m, k) = self.graph, self.field, self.sizes
        N, turning = (f.dense(e, n, m) for e in (f.tangent, self.turning))
        led = self._times([row[:n] for row in A[:n]], N)
        moved = [[g.sub(a, b) for a, b in zip(*rows, strict=True)] for rows in zip(led, turning, strict=True)]
        block = self._times(over, moved)
        zero = iter(vanishing(f, [h for row in block for h in row], point))
        block = [[g.zero if next(zero) else h for h in row] for row in block]
        one = [[g.one if i == j else g.zero for j in range(m)] for i in range(m)]
        return [[*a, *b, *[g.zero] * k] for a, b in zip(block, one, strict=True)]

    def _times(self, left: Rows, right: Rows) -> Rows:
        columns = [list(c) for c in zip(*right, strict=True)]
        return [[dot(self.graph, row, column) for column in columns] for row in left]

    def _expressions(self, rows: Rows, values: Mapping[int, int]) -> NDArray[np.object_]:
        g, flat = self.graph, [h for row in rows for h in row]
        made = np.empty(len(flat), object)
        made[:] = [Expr(g, h) for h in substitute(g, flat, values)]
        return made


def _minimal(A: Array, B: Array, C: Array, rate: Array, N: Array, turning: Array) -> tuple[Array, Array, Array, Array]:
    """T⁺ (A T − Ṫ), T⁺ B, C T, T⁺ ẋ."""
    n, m = N.shape
    rest = len(A) - n
    T, turned, over = np.zeros((n + rest, m + rest)), np.zeros((n + rest, m + rest)), np.zeros((m + rest, n + rest))
    T[:n, :m], turned[:n, :m], over[:m, :n] = N, turning, np.linalg.pinv(N) if m else N.T
    T[n:, m:], over[m:, n:] = np.eye(rest), np.eye(rest)
    return over @ (A @ T - turned), over @ B, C @ T, over @ rate


def _quarters(J: Rows, size: int) -> tuple[Rows, Rows, Rows, Rows]:
    top, low = J[:size], J[size:]
    return [r[:size] for r in top], [r[size:] for r in top], [r[:size] for r in low], [r[size:] for r in low]
