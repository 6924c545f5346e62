"""Linearisation of a system at a point by exact derivatives, in numbers and as expressions of the point.

Derivatives by q are along the tangent δ, δq = N(q) δ, unless raw coordinates are asked for. With T = diag(N, 1, 1) the
displacement of the state is T ξ, and from d(T ξ)/dt = A T ξ + B w follow ξ̇ = T⁺ (A T − Ṫ) ξ + T⁺ B w: exact also where
the system moves, for instance −ω × δ for a body that spins. ∂u̇ is M⁻¹ ∂(f − M u̇) at constant u̇, so that no
factorisation is differentiated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.linear import Linear
from freebody.analysis.state_equations import Named, OperatingPoint, Rows, StateEquations
from freebody.analysis.zero_test import vanishing
from freebody.errors import ArgumentError
from freebody.formulations.solve import dot
from freebody.names import U
from freebody.quantities.derivatives import Inverse
from freebody.quantities.mass_inverse import factored
from freebody.scalar.derivative import Entries, jacobian, jvp
from freebody.scalar.expr import Expr
from freebody.scalar.walk import substitute

Array = NDArray[np.float64]
Exprs = NDArray[np.object_]


class Linearisation:
    """The derivatives of ẋ by the state and chosen inputs, with those of chosen outputs."""

    def __init__(self, state: StateEquations, inputs: Named, outputs: Named, minimal: bool = True) -> None:
        self.state, self.graph = state, state.graph
        self.inputs, self.outputs, self.minimal = inputs, outputs, minimal
        self.sizes = len(state.layout.q), len(state.layout.u), len(state.layout.z)

    @property
    def states(self) -> tuple[str, ...]:
        """The coordinate's name where a direction is one, along.‹speed› where it is not."""
        layout = self.state.layout
        if not self.minimal:
            return tuple(self.state.keys)
        return (*(n for n, _ in self.state.directions), *U.all(layout.u), *layout.z)

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
    def N(self) -> Rows:
        """δq along the directions, nq rows."""
        return self.state.dense(self.state.displacements, self.sizes[0], len(self.state.directions))

    @cached_property
    def N_dot(self) -> Rows:
        """Ṅ along the motion."""
        N = self.state.displacements
        rates: Entries = dict(zip(N, jvp(self.graph, list(N.values()), self.state.along_q), strict=True))
        return self.state.dense(rates, self.sizes[0], len(self.state.directions))

    # Numbers

    @property
    def _by_composite_bodies(self) -> bool:
        """Whether −∂τ/∂(q, u) can replace ∂(f − M u̇): composite bodies give it along the tangent, and much faster."""
        return self.minimal and self.state.holonomic and not self.state.e.small

    @cached_property
    def _function(self) -> Any:
        s, m = self.state, self.sizes[1]
        quick = self._by_composite_bodies
        J = self.jacobian([self.graph.zero] * m if quick else s.residual)
        nodes = {
            "M": s.mass_rows, "residual": s.residual, "J": J, "N": self.N, "N_dot": self.N_dot, "q_dot": s.q_dot,
            "z_dot": s.z_dot, "y_u_dot": self.by_acceleration,
        }  # fmt: skip
        return s.function("linearised", nodes | ({"tau_x": self._inverse_dynamics()} if quick else {}))

    def _inverse_dynamics(self) -> Rows:
        """∂τ/∂(δ, u, z, w); of a generalised force that is an input −1 in its row."""
        s, g, inverse = self.state, self.graph, Inverse(self.state.e, self.state.e.accelerations)
        by = [[s.words.bring(row) for row in inverse.by(what)] for what in ("q", "u", "z", "inputs")]
        column = {h: k for k, h in enumerate(s.groups["inputs"])}

        def by_input(i: int, handle: int, row: Sequence[int]) -> int:
            if handle in column:
                return row[column[handle]]
            return g.neg(g.one) if handle == s.groups["tau"][i] else g.zero

        return [
            [*q, *u, *z, *(by_input(i, h, w) for _, h in self.inputs)]
            for i, (q, u, z, w) in enumerate(zip(*by, strict=True))
        ]

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


@dataclass(frozen=True)
class Symbolic:
    """A, B, C, D as arrays of expressions of the operating point, in the order of the names."""

    A: Exprs = field(repr=False)
    B: Exprs = field(repr=False)
    C: Exprs = field(repr=False)
    D: Exprs = field(repr=False)
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


class SymbolicLinearisation(Linearisation):
    """The derivatives of ẋ as expressions."""

    def symbolic(self, point: OperatingPoint, values: Mapping[int, int]) -> Symbolic:
        """A, B, C, D with ``values`` substituted for symbols; parameters of the point decide which entries are zero
        everywhere."""
        s, (n, m, k) = self.state, self.sizes
        size, J = n + m + k, self._solved()
        A, B = [row[:size] for row in J[:size]], [row[size:] for row in J[:size]]
        C, D = [row[:size] for row in J[size:]], [row[size:] for row in J[size:]]
        if self.minimal:
            g, wide, over = self.graph, len(s.directions), self._pseudo_inverse(point)
            T = [[*row, *[g.zero] * (m + k)] for row in self.N]
            T += [[g.one if j == wide + i else g.zero for j in range(wide + m + k)] for i in range(m + k)]
            A = [*self._direction_rows(A, over, point), *s.times(A[n:], T)]
            B, C = [*s.times(over, B[:n]), *B[n:]], s.times(C, T)
        width, height = (len(self.states), len(self.inputs)), (len(self.states), len(self.outputs))
        shapes = [(i, j) for i in height for j in width]
        a, b, c, d = (self._exprs(m, values, shape) for m, shape in zip((A, B, C, D), shapes, strict=True))
        return Symbolic(a, b, c, d, **self.names)

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
        led = s.times([row[:n] for row in A[:n]], self.N)
        change = [[g.sub(a, b) for a, b in zip(*rows, strict=True)] for rows in zip(led, self.N_dot, strict=True)]
        block = s.times(over, change)
        zero = iter(vanishing(s, [h for row in block for h in row], point))
        block = [[g.zero if next(zero) else h for h in row] for row in block]
        by_u = [[g.one if i == j else g.zero for j in range(m)] for i in range(m)]
        by_u = by_u if s.holonomic else s.times(over, s.dense(s.tangent, n, m))
        return [[*a, *b, *[g.zero] * k] for a, b in zip(block, by_u, strict=True)]

    def _exprs(self, rows: Rows, values: Mapping[int, int], shape: tuple[int, int]) -> Exprs:
        flat = [h for row in rows for h in row]
        array = np.empty(len(flat), object)
        array[:] = [Expr(self.graph, h) for h in substitute(self.graph, flat, values)]
        return array.reshape(shape)
