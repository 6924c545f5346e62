"""Linearisation of a system at a point by exact derivatives, in numbers and as expressions of the point.

Derivatives by q are along the tangent δ, δq = N(q) δ, unless raw coordinates are asked for. With T = diag(N, 1, 1) the
displacement of the state is T ξ, and from d(T ξ)/dt = A T ξ + B w follow ξ̇ = T⁺ (A T − Ṫ) ξ + T⁺ B w: exact also where
the system moves, for instance −ω × δ for a body that spins. ∂u̇ is M⁻¹ ∂(f − M u̇) at constant u̇, so that no
factorisation is differentiated.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.linear import Linear
from freebody.analysis.state_equations import Named, OperatingPoint, Rows, StateEquations, vanishing
from freebody.errors import ArgumentError
from freebody.formulations.solve import dot
from freebody.quantities.derivatives import Inverse
from freebody.quantities.mass_inverse import factored
from freebody.scalar.derivative import Entries, jacobian, jvp
from freebody.scalar.expr import Expr
from freebody.scalar.walk import substitute

Array = NDArray[np.float64]
Exprs = NDArray[np.object_]


@dataclass(frozen=True)
class SymbolicLinear:
    """A, B, C, D as arrays of expressions of the operating point, in the order of the names."""

    A: Exprs = field(repr=False)
    B: Exprs = field(repr=False)
    C: Exprs = field(repr=False)
    D: Exprs = field(repr=False)
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


class Linearisation:
    """The derivatives of ẋ by the state and chosen inputs, with those of chosen outputs. ``states`` names a direction
    of q by its coordinate where it is one, else along.‹speed›."""

    def __init__(self, state: StateEquations, inputs: Named, outputs: Named, minimal: bool = True) -> None:
        self.state, self.graph, self.minimal = state, state.graph, minimal
        self.inputs, self.outputs = inputs, outputs
        self.sizes = len(state.layout.q), len(state.layout.u), len(state.layout.z)

    @property
    def states(self) -> tuple[str, ...]:
        s, n = self.state, self.sizes[0]
        return (*(name for name, _ in s.directions), *s.keys[n:]) if self.minimal else tuple(s.keys)

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        inputs, outputs = (tuple(n for n, _ in named) for named in (self.inputs, self.outputs))
        return {"states": self.states, "inputs": inputs, "outputs": outputs}

    def jacobian(self, residual: Sequence[int]) -> Rows:
        """∂(q̇, residual, ż, y)/∂(x, w), the residual being f − M u̇."""
        s = self.state
        roots = [*s.q_dot, *residual, *s.z_dot, *(h for _, h in self.outputs)]
        variables = [*s.x, *(h for _, h in self.inputs)]
        return s.dense(jacobian(self.graph, roots, variables), len(roots), len(variables))

    @cached_property
    def by_acceleration(self) -> Rows:
        """∂y/∂u̇."""
        nodes, rates = [h for _, h in self.outputs], self.state.groups["u_dot"]
        return self.state.dense(jacobian(self.graph, nodes, rates), len(nodes), len(rates))

    @cached_property
    def _displacements(self) -> Entries:
        """δq along the directions, by (coordinate, direction)."""
        index = {j: k for k, (_, j) in enumerate(self.state.directions)}
        alone = {(-1 - j, k): self.graph.one for j, k in index.items() if j < 0}
        return {(i, index[j]): h for (i, j), h in self.state.tangent.items() if j in index} | alone

    @cached_property
    def N(self) -> Rows:
        """δq along the directions, nq rows."""
        return self.state.dense(self._displacements, self.sizes[0], len(self.state.directions))

    @cached_property
    def N_dot(self) -> Rows:
        """Ṅ along the motion."""
        N = self._displacements
        rates: Entries = dict(zip(N, jvp(self.graph, list(N.values()), self.state.along_q), strict=True))
        return self.state.dense(rates, self.sizes[0], len(self.state.directions))

    # Numbers

    @property
    def _by_composite_bodies(self) -> bool:
        """Whether −∂τ/∂(q, u) can replace ∂(f − M u̇): composite bodies give it along the tangent, and much faster."""
        return self.minimal and self.state.holonomic and not self.state.e.small

    @cached_property
    def _function(self) -> Callable[..., dict[str, Array]]:
        """All that ``at`` needs. ∂τ/∂(δ, u, z, w) has −1 in the row of a generalised force that is an input."""
        s, g, quick = self.state, self.graph, self._by_composite_bodies
        nodes = {
            "M": s.mass_rows, "residual": s.residual,
            "J": self.jacobian([g.zero] * self.sizes[1] if quick else s.residual), "N": self.N, "N_dot": self.N_dot,
            "q_dot": s.q_dot, "z_dot": s.z_dot, "y_u_dot": self.by_acceleration,
        }  # fmt: skip
        if quick:
            inverse, named, minus = Inverse(s.e, s.e.accelerations), s.groups["inputs"], g.neg(g.one)
            by = [[s.scope.copy(row) for row in inverse.by(what)] for what in ("q", "u", "z", "inputs")]
            nodes["tau_x"] = [
                [*q, *u, *z, *(w[named.index(h)] if h in named else minus if h == tau else g.zero
                               for _, h in self.inputs)]
                for q, u, z, w, tau in zip(*by, s.groups["tau"], strict=True)
            ]  # fmt: skip
        return s.function("linearised", nodes)

    def at(self, point: OperatingPoint) -> Linear:
        """The linear system at a point."""
        s, (n, m, k) = self.state, self.sizes
        u_dot, size, quick = np.zeros(m), n + m + k, self._by_composite_bodies
        if m:
            start = self._function(point)
            try:
                u_dot = np.asarray(np.linalg.solve(start["M"], start["residual"]))
            except np.linalg.LinAlgError:
                raise ArgumentError(
                    f"system '{s.name}': the mass matrix is singular at this point, so that its accelerations are not"
                    " determined; look at masses, inertias and lengths that are 0 here"
                ) from None
        values = self._function(point, u_dot)
        J = values["J"].reshape(size + len(self.outputs), size + len(self.inputs)).copy()
        if m and not quick:
            J[n : n + m] = np.linalg.solve(values["M"], J[n : n + m])
        rate = np.concatenate([values["q_dot"], u_dot, values["z_dot"]])
        A, B, C, D = J[:size, :size], J[:size, size:], J[size:, :size], J[size:, size:]
        if self.minimal:
            N, N_dot = (values[name].reshape(n, len(s.directions)) for name in ("N", "N_dot"))
            T = self._with_identity(N)
            T_dot, over = np.zeros_like(T), np.zeros_like(T.T)
            T_dot[:n, : N.shape[1]] = N_dot
            over[: N.shape[1], :n], over[N.shape[1] :, n:] = np.linalg.pinv(N) if N.size else N.T, np.eye(m + k)
            A, B, C, rate = over @ (A @ T - T_dot), over @ B, C @ T, over @ rate
        if quick and m:
            by_tau = -np.linalg.solve(values["M"], values["tau_x"])
            A[m : 2 * m], B[m : 2 * m] = by_tau[:, : len(A)], by_tau[:, len(A) :]
        if m and self.outputs:
            speeds, by_u_dot = slice(len(A) - m - k, len(A) - k), values["y_u_dot"].reshape(len(self.outputs), m)
            C, D = C + by_u_dot @ A[speeds], D + by_u_dot @ B[speeds]
        at = dict(zip([*s.keys, *s.layout.inputs], map(float, [*point.x, *point.inputs]), strict=True))
        at |= {name: float(v) for name, v in zip(s.forces, point.tau, strict=True) if v}
        return Linear(A, B, C, D, **self.names, at=at, rate=rate)

    def _with_identity(self, N: Array) -> Array:
        """T = diag(N, 1)."""
        (rows, columns), others = N.shape, self.sizes[1] + self.sizes[2]
        T = np.zeros((rows + others, columns + others))
        T[:rows, :columns], T[rows:, columns:] = N, np.eye(others)
        return T

    def lift(self, point: OperatingPoint) -> Array:
        """T at a point."""
        N = self.state.function("tangent", {"N": self.N})(point)["N"]
        return self._with_identity(N.reshape(self.sizes[0], len(self.state.directions)))

    # Expressions

    def symbolic(self, point: OperatingPoint, values: Mapping[int, int]) -> SymbolicLinear:
        """A, B, C, D with ``values`` substituted for symbols; parameters of the point decide which entries are zero
        everywhere."""
        g, (n, m, k), J = self.graph, self.sizes, self._solved()
        size = n + m + k
        A, B = [row[:size] for row in J[:size]], [row[size:] for row in J[:size]]
        C, D = [row[:size] for row in J[size:]], [row[size:] for row in J[size:]]
        if self.minimal:
            wide, over = len(self.state.directions), self._pseudo_inverse(point)
            T = [[*row, *[g.zero] * (m + k)] for row in self.N]
            T += [[g.one if j == wide + i else g.zero for j in range(wide + m + k)] for i in range(m + k)]
            A = [*self._direction_rows(A, over, point), *self._times(A[n:], T)]
            B, C = [*self._times(over, B[:n]), *B[n:]], self._times(C, T)

        def exprs(rows: Rows, height: int, width: int) -> Exprs:
            array = np.empty(height * width, object)
            array[:] = [Expr(g, h) for h in substitute(g, [h for row in rows for h in row], values)]
            return array.reshape(height, width)

        states, inputs, outputs = len(self.states), len(self.inputs), len(self.outputs)
        a, b = exprs(A, states, states), exprs(B, states, inputs)
        return SymbolicLinear(a, b, exprs(C, outputs, states), exprs(D, outputs, inputs), **self.names)

    def _times(self, left: Rows, right: Rows) -> Rows:
        columns = [list(c) for c in zip(*right, strict=True)]
        return [[dot(self.graph, row, column) for column in columns] for row in left]

    def _solved(self) -> Rows:
        """The Jacobian with M⁻¹ applied to the rows of the speeds, and u̇ substituted for its symbols."""
        s, g, (n, m, _) = self.state, self.graph, self.sizes
        factor, J = s.factor, [list(row) for row in self.jacobian(s.residual)]
        columns = [factor.solve([row[j] for row in J[n : n + m]]) for j in range(len(J[0]))] if m else []
        for i in range(m):
            J[n + i] = [column[i] for column in columns]
        outputs = len(J) - len(self.outputs)
        for i, row in enumerate(self.by_acceleration):
            through = [dot(g, row, [J[n + k][j] for k in range(m)]) for j in range(len(J[0]))]
            J[outputs + i] = [g.add(a, b) for a, b in zip(J[outputs + i], through, strict=True)]
        u_dot = dict(zip(s.groups["u_dot"], s.u_dot, strict=True))
        flat = iter(substitute(g, [h for row in J for h in row], u_dot))
        return [[next(flat) for _ in row] for row in J]

    def _pseudo_inverse(self, point: OperatingPoint) -> Rows:
        """N⁺ = (NᵀN)⁻¹ Nᵀ; columns of two joints share no row."""
        s, wide = self.state, len(self.state.directions)
        columns = [[row[j] for row in self.N] for j in range(wide)]
        pairs = {(i, j): dot(self.graph, columns[i], columns[j]) for i in range(wide) for j in range(i + 1)}
        zero = vanishing(s, list(pairs.values()), point)
        square = {key: e for (key, e), gone in zip(pairs.items(), zero, strict=True) if not gone}
        solved = [factored(self.graph, square, wide).solve(row) for row in self.N] if wide else []
        return [[column[i] for column in solved] for i in range(wide)]

    def _direction_rows(self, A: Rows, over: Rows, point: OperatingPoint) -> Rows:
        """N⁺ (∂q̇/∂q N − Ṅ), N⁺ ∂q̇/∂u (1 where all is holonomic) and 0: the rows of δ̇."""
        g, s, (n, m, k) = self.graph, self.state, self.sizes
        moving = self._times([row[:n] for row in A[:n]], self.N)
        change = [[g.sub(a, b) for a, b in zip(*rows, strict=True)] for rows in zip(moving, self.N_dot, strict=True)]
        block = self._times(over, change)
        zero = iter(vanishing(s, [h for row in block for h in row], point))
        block = [[g.zero if next(zero) else h for h in row] for row in block]
        by_u = [[g.one if i == j else g.zero for j in range(m)] for i in range(m)]
        by_u = by_u if s.holonomic else self._times(over, s.dense(s.tangent, n, m))
        return [[*a, *b, *[g.zero] * k] for a, b in zip(block, by_u, strict=True)]
