"""Linearisation of a system at a point by exact derivatives, in numbers and as expressions of the point.

Derivatives by q are along the tangent δ, δq = N(q) δ, unless raw coordinates are asked for. With T = diag(N, 1, 1) the
displacement of the state is T ξ, and from d(T ξ)/dt = A T ξ + B w follow ξ̇ = T⁺ (A T − Ṫ) ξ + T⁺ B w: exact also where
the system moves, for instance −ω × δ for a body that spins. ∂u̇ is M⁻¹ ∂(f − M u̇) at constant u̇, so that no
factorisation is differentiated.

With constraints, ∂u̇ and ∂λ solve M ∂u̇ − Gᵀ ∂λ = ∂(f + Gᵀλ − M u̇), G ∂u̇ = ∂(γ − G u̇) at constant u̇ and λ. Changes of the
state that satisfy the constraints are ξ = S y for the changes y = P ξ of independent states, where P selects some of ξ.
As P is constant, ẏ = P (A S y + B w), also where the system moves.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from freebody.algebra import latex_matrix
from freebody.analysis.linear import LARGEST, LargestRate, Linear, linear_text
from freebody.analysis.manifold import Accelerations, NullSpace, SingularError, Stiffness, tangent
from freebody.analysis.mode_shapes import BodyEnergies, SmallMotions
from freebody.analysis.state_equations import Named, OperatingPoint, Rows, StateEquations, vanishing
from freebody.errors import ArgumentError
from freebody.formulations.derivation import Derivation
from freebody.formulations.solve import dot
from freebody.names import Q, U
from freebody.quantities.derivatives import Inverse, estimated
from freebody.quantities.mass_inverse import factored
from freebody.run.assembly import Assembler
from freebody.scalar.derivative import Entries, jacobian, jvp
from freebody.scalar.expr import Expr
from freebody.scalar.node import Node
from freebody.scalar.walk import substitute
from freebody.tables import short_formula
from freebody.tree.tree import require_unconstrained

Array = NDArray[np.float64]
Exprs = NDArray[np.object_]
UNCERTAIN, SAMPLES, ROUNDING = 1e-11, 3, 1e-14
"""An entry of a stiffness matrix is known up to its changes under ``SAMPLES`` changes of the coordinates by the first
fraction of their magnitudes, and up to the last fraction of its terms."""

STILL, STEADY = 1e-8, 1e-6
"""A rate is zero below the first fraction of the terms that it consists of, as for equilibria; and the rate of an
acceleration as the coordinates move below the second, or below the first while the fastest moves by its magnitude."""

NOISE = 1e-12
"""Components of directions below this fraction of the largest are rounding errors."""

NEAR, NEIGHBOURS = 1e-3, 2
"""How far from a point, and how often, the rank of G is compared with that at the point."""


@dataclass(frozen=True, repr=False)
class SymbolicLinear:
    """A, B, C, D as arrays of expressions of the operating point, in the order of the names."""

    A: Exprs
    B: Exprs
    C: Exprs
    D: Exprs
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Symbolic{linear_text(self.states, self.inputs, self.outputs)}"

    def _repr_latex_(self) -> str | None:
        matrices = {name: getattr(self, name) for name in "ABCD"}
        if sum(matrix.size for matrix in matrices.values()) > LARGEST**2:
            return None
        texts = [f"{name} = {latex_matrix(matrix.tolist())}" for name, matrix in matrices.items() if matrix.size]
        return short_formula(",\\quad ".join(texts))


class Linearisation:
    """The derivatives of ẋ by the state and chosen inputs, with those of chosen outputs. ``states`` names a direction
    of q by its coordinate where it is one, else along.‹speed›. With constraints the minimal states are independent ones
    of these, among them those that ``independent`` names: a coordinate "crank" (or "q.crank"), a speed "u.crank"."""

    def __init__(
        self,
        state: StateEquations,
        inputs: Named,
        outputs: Named,
        minimal: bool = True,
        independent: Sequence[str] = (),
    ) -> None:
        self.state, self.graph, self.minimal = state, state.graph, minimal
        self.inputs, self.outputs = inputs, outputs
        self.sizes = len(state.layout.q), len(state.layout.u), len(state.layout.z)
        self.independent = [self._index(name) for name in independent]

    def _index(self, name: str) -> int:
        """The index of a minimal state that a name of ``independent`` stands for."""
        known = self.states[: len(self.states) - self.sizes[2]]
        if not self.constrained or not self.minimal:
            why = "minimal=False has all states" if self.constrained else "without constraints all are"
            raise ArgumentError(f"system '{self.state.name}': no independent states can be chosen: {why}")
        if name not in known and Q(name) not in known:
            raise ArgumentError(
                f"system '{self.state.name}': '{name}' cannot be an independent state; choose from {', '.join(known)}"
            )
        return known.index(name if name in known else Q(name))

    @property
    def constrained(self) -> bool:
        return bool(self.state.e.tree.model.constraints)

    @property
    def states(self) -> tuple[str, ...]:
        s, n = self.state, self.sizes[0]
        return (*(name for name, _ in s.directions), *s.keys[n:]) if self.minimal else tuple(s.keys)

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        inputs, outputs = (tuple(n for n, _ in named) for named in (self.inputs, self.outputs))
        return {"states": self.states, "inputs": inputs, "outputs": outputs}

    def jacobian(self, residual: Sequence[Node]) -> Rows:
        """∂(q̇, residual, ż, y)/∂(x, w), the residual being f − M u̇."""
        s = self.state
        roots = [*s.q_dot, *residual, *s.z_dot, *(h for _, h in self.outputs)]
        variables = [*s.x, *(h for _, h in self.inputs)]
        return s.dense(jacobian(self.graph, roots, variables), len(roots), len(variables))

    @cached_property
    def body_energies(self) -> BodyEnergies:
        return BodyEnergies(self.state)

    @cached_property
    def by_acceleration(self) -> Rows:
        """∂y/∂(u̇, λ)."""
        nodes, groups = [h for _, h in self.outputs], self.state.groups
        unknowns = [*groups["u_dot"], *groups["multipliers"]]
        return self.state.dense(jacobian(self.graph, nodes, unknowns), len(nodes), len(unknowns))

    @cached_property
    def by_state(self) -> Rows:
        """∂(γ − G u̇, G u + offset, φ, corrections of states that follow q)/∂x."""
        s = self.state
        roots = [*s.gamma_residual, *s.velocities, *s.residuals, *s.corrections.values()]
        return s.dense(jacobian(self.graph, roots, s.x), len(roots), len(s.x))

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
            "M": s.mass_rows,
            "G": s.constraint_matrix,
            "residual": s.residual,
            "gamma": s.gamma_residual,
            "J": self.jacobian(s.constraint_forces if quick else s.residual),
            "K": self.by_state,
            "N": self.N,
            "N_dot": self.N_dot,
            "q_dot": s.q_dot,
            "z_dot": s.z_dot,
            "y_u_dot": self.by_acceleration,
        }
        if quick:
            named, minus = s.groups["inputs"], g.neg(g.one)
            by_state = iter(s.scope.copy([h for row in inverse_by_state(s.e) for h in row]))
            rows = [[next(by_state) for _ in row] for row in inverse_by_state(s.e)]
            width = len(rows[0]) - len(named) if rows else 0
            nodes["tau_x"] = [
                [
                    *row[:width],
                    *(
                        row[width + named.index(h)] if h in named else minus if h == tau else g.zero
                        for _, h in self.inputs
                    ),
                ]
                for row, tau in zip(rows, s.groups["tau"], strict=True)
            ]
        return s.function("linearised", nodes)

    def at(self, point: OperatingPoint) -> Linear:
        """The linear system at a point, which must satisfy the constraints (``assembled``)."""
        s, (n, m, k), p, rows = self.state, self.sizes, len(self.outputs), len(self.state.row_names)
        accelerations, u_dot, point = self._accelerations(point)
        values = self._function(point, u_dot)
        A, B, C, D, K = self._derivatives(values, self.minimal)
        rate, width = np.concatenate([values["q_dot"], u_dot, values["z_dot"]]), len(A)
        if self.minimal:
            N = values["N"].reshape(n, len(s.directions))
            rate = np.concatenate([self._inverse(N) @ rate[:n], rate[n:]])
        speeds = slice(width - m - k, width - k)
        A[speeds], lambda_x = accelerations.solve(A[speeds], K[:rows])
        B[speeds], lambda_w = accelerations.solve(B[speeds], np.zeros((rows, len(self.inputs))))
        by_u_dot, by_multiplier = np.split(values["y_u_dot"].reshape(p, m + rows), [m], axis=1)
        C = C + by_u_dot @ A[speeds] + by_multiplier @ lambda_x
        D = D + by_u_dot @ B[speeds] + by_multiplier @ lambda_w
        at = dict(zip([*s.keys, *s.layout.inputs], map(float, [*point.x, *point.inputs]), strict=True))
        at = {name: value for name, value in at.items() if name not in s.e.tree.model.internal}
        at |= {name: float(v) for name, v in zip(s.forces, point.tau, strict=True) if v}
        largest = self._largest_rate(point, A, rate)
        inputs, outputs = self.names["inputs"], self.names["outputs"]
        if not self.constrained or not self.minimal:
            motions = SmallMotions(self.body_energies, point, np.eye(width)) if self.minimal else None
            stiffness = partial(self.stiffness, point, u_dot, accelerations.kernel)
            return Linear(
                A,
                B,
                C,
                D,
                self.states,
                inputs,
                outputs,
                at,
                rate,
                motions=motions,
                stiffness=stiffness,
                largest_rate=largest,
            )
        S, chosen = self._tangent(point, accelerations.kernel, K[rows:])
        dependent = [i for i in range(width) if i not in chosen]
        states, others = (tuple(self.states[i] for i in some) for some in (chosen, dependent))
        return Linear(
            (A @ S)[chosen],
            B[chosen],
            C @ S,
            D,
            states,
            inputs,
            outputs,
            at,
            rate[chosen],
            others,
            S[dependent],
            SmallMotions(self.body_energies, point, S),
            partial(self.stiffness, point, u_dot, accelerations.kernel),
            largest,
        )

    def _largest_rate(self, point: OperatingPoint, A: Array, rate: Array) -> LargestRate | None:
        """What changes most at a point, in units of its magnitude; None at an equilibrium and in a steady motion. There
        u̇ and ż are zero, and remain so while the coordinates move: the rows of A for speeds and extra states give zero
        for the rates of the coordinates."""
        s, (_, m, k) = self.state, self.sizes
        wide = len(rate) - m - k
        q_sizes = self._state_sizes[:wide] if self.minimal else np.array([s.magnitudes[name] for name in s.layout.q])
        sizes, rows = np.concatenate([q_sizes, self._state_sizes[-m - k or len(rate) :]]), slice(wide, None)
        reach = np.maximum(sizes, np.abs(point.x) if len(sizes) == len(point.x) else 0.0)
        changes = np.where(np.abs(rate) > STILL * (sizes + np.abs(A) @ reach), np.abs(rate) / sizes, 0.0)
        changes[:wide] = 0.0
        if not changes.any():
            effect = A[rows, :wide] * rate[:wide]
            fastest = np.max(np.abs(rate[:wide]) / sizes[:wide], initial=0.0)
            zero = STILL * fastest * (sizes[rows] + np.abs(A[rows]) @ reach)
            moved = np.abs(effect.sum(axis=1)) > STEADY * np.abs(effect).sum(axis=1) + zero
            if moved.any():
                changes[:wide] = np.abs(rate[:wide]) / sizes[:wide] * (np.abs(effect[moved]).max(axis=0) > 0)
        if not changes.any():
            return None
        index = int(np.argmax(changes))
        return LargestRate(self.states[index], float(rate[index]), self._unit(index))

    def _unit(self, index: int) -> str:
        """The unit of the rate of a state."""
        state, graph = self.states[index], self.state.e.graph
        symbol = self.state.layout.u[self.state.directions[index][1]] if state.startswith("along.") else ""
        unit = graph.symbol_named(U(symbol) if symbol else state).unit
        return unit if symbol else {"rad/s": "rad/s²", "m/s": "m/s²"}.get(unit, f"{unit or '1'}/s")

    def _accelerations(self, point: OperatingPoint) -> tuple[Accelerations, Array, OperatingPoint]:
        """The linear algebra of accelerations at a point, u̇, and the point with the multipliers there."""
        s, m, rows = self.state, self.sizes[1], len(self.state.row_names)
        start = self._function(replace(point, multipliers=np.zeros(rows)))
        accelerations = Accelerations(s.name, start["M"].reshape(m, m), start["G"].reshape(rows, m), s.speed_sizes)
        u_dot, multipliers = accelerations.solve(start["residual"], start["gamma"])
        return accelerations, u_dot, replace(point, multipliers=multipliers)

    def _derivatives(self, values: Mapping[str, Array], minimal: bool) -> tuple[Array, Array, Array, Array, Array]:
        """A, B, C, D at constant u̇ and λ, where rows of the speeds are those of f + Gᵀλ − M u̇; and the derivatives of
        the constraints by the states."""
        s, (n, m, k), p = self.state, self.sizes, len(self.outputs)
        size = n + m + k
        J, K = values["J"].reshape(size + p, size + len(self.inputs)), values["K"].reshape(len(self.by_state), size)
        A, B, C, D = J[:size, :size].copy(), J[:size, size:].copy(), J[size:, :size], J[size:, size:]
        if minimal:
            N, N_dot = (values[name].reshape(n, len(s.directions)) for name in ("N", "N_dot"))
            T = self._with_identity(N)
            T_dot, over = np.zeros_like(T), np.zeros_like(T.T)
            T_dot[:n, : N.shape[1]] = N_dot
            over[: N.shape[1], :n], over[N.shape[1] :, n:] = self._inverse(N), np.eye(m + k)
            A, B, C, K = over @ (A @ T - T_dot), over @ B, C @ T, K @ T
        width = len(A)
        speeds = slice(width - m - k, width - k)
        if self._by_composite_bodies:
            by_tau = values["tau_x"].reshape(m, width + len(self.inputs))
            A[speeds], B[speeds] = A[speeds] - by_tau[:, :width], B[speeds] - by_tau[:, width:]
        return A, B, C, D, K

    def _inverse(self, N: Array) -> Array:
        return np.asarray(np.linalg.pinv(N)) if N.size else N.T

    def stiffness(self, point: OperatingPoint, u_dot: Array, free: NullSpace) -> Stiffness:
        """How generalised forces, in the directions that constraints leave ``free``, and rates of extra states change
        with displacements and with extra states. An entry is uncertain by what a change of the coordinates by
        ``UNCERTAIN`` of their magnitudes makes of it, and by rounding."""
        s, (_, m, k), wide = self.state, self.sizes, len(self.state.directions)
        _, _, _, _, K = self._derivatives(self._function(point, u_dot), minimal=True)
        rows, size = len(s.row_names), wide + m + k
        S, chosen = self._tangent(point, free, K[rows:]) if self.constrained else (np.eye(size), [*range(size)])
        columns = [j for j, i in enumerate(chosen) if i < wide or i >= wide + m]
        extra = [i for i in chosen if i >= wide + m]
        reach = np.zeros((free.basis.shape[1] + len(extra), size))
        reach[: free.basis.shape[1], wide : wide + m] = without_noise(free.basis.T) * s.speed_sizes
        reach[free.basis.shape[1] :, extra] = np.eye(len(extra))
        sizes = self._state_sizes[chosen]
        S = without_noise(S[:, columns] * sizes[columns] / self._state_sizes[:, None])
        S *= self._state_sizes[:, None]

        def at(q: Array) -> Array:
            A, *_ = self._derivatives(self._function(replace(point, q=q), u_dot), minimal=True)
            return A

        here, random = at(point.q), np.random.default_rng(5)
        magnitudes = np.array([s.magnitudes[name] for name in s.layout.q])
        steps = [UNCERTAIN * magnitudes * random.choice((-1.0, 1.0), len(magnitudes)) for _ in range(SAMPLES)]
        changes = [np.abs(reach @ (at(point.q + step) - here) @ S) for step in steps]
        rounding = ROUNDING * np.abs(reach) @ np.abs(here) @ np.abs(S)
        return Stiffness(reach @ here @ S, np.max(changes, axis=0, initial=0.0) + rounding, len(columns) - len(extra))

    def _tangent(self, point: OperatingPoint, rates: NullSpace, K: Array) -> tuple[Array, list[int]]:
        """S, and the indices of the independent states. K is ∂(G u + offset, φ, corrections)/∂ξ."""
        s, n, rows = self.state, len(self.state.directions), len(rates.G)
        followers = [n + self.sizes[1] + k for k in s.corrections]
        K, by_followers = np.split(K, [len(K) - len(followers)])
        speeds, sizes = [j if j >= 0 else -1 for _, j in s.directions], self._state_sizes
        H, c = K[rows:, :n] * sizes[:n], K[:rows, :n] * sizes[:n]
        try:
            result = tangent(H, c, rates.G, self.sizes[2], self.independent, self.states, speeds)
        except SingularError:
            raise self._singular(point, rates.rank) from None
        except ArgumentError as error:
            raise ArgumentError(f"system '{s.name}': {error}") from None
        S = result.S * sizes[:, None] / sizes[result.independent]
        if rates.rank < rows:
            self._require_regular(point, rates.rank, S)
        S[followers] = -np.linalg.solve(by_followers[:, followers], by_followers[:, :n]) @ S[:n]
        kept = [j for j, k in enumerate(result.independent) if k not in followers]
        return S[:, kept], [result.independent[j] for j in kept]

    @cached_property
    def _state_sizes(self) -> Array:
        """The magnitudes of the minimal states: directions of q, speeds, extra states."""
        s, q = self.state, self.state.layout.q
        along = [s.speed_sizes[j] if j >= 0 else s.magnitudes[q[-1 - j]] for _, j in s.directions]
        return np.array([*along, *s.speed_sizes, *[1.0] * self.sizes[2]])

    def _rank(self, G: Array) -> int:
        return NullSpace(G * self.state.speed_sizes).rank

    def _require_regular(self, point: OperatingPoint, rank: int, S: Array) -> None:
        """Raise where the rank of G is larger at neighbouring states: the motion may branch here."""
        s, random, (n, _, _) = self.state, np.random.default_rng(11), self.sizes
        N = self.lift(point)[:n, : len(s.directions)]
        along = N @ S[: len(s.directions)]
        for _ in range(NEIGHBOURS):
            step = along @ random.uniform(-1, 1, along.shape[1])
            q = point.q + NEAR * step / max(1.0, float(np.abs(step).max(initial=0.0)))
            for k in s.quaternions:
                q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
            try:
                there = assembled(s, replace(point, q=q, u=np.zeros_like(point.u)), (), bend=True)
            except ArgumentError:
                raise self._singular(point, rank) from None
            if self._rank(self._constraint_matrix(there)["G"].reshape(-1, self.sizes[1])) > rank:
                raise self._singular(point, rank)

    @cached_property
    def _constraint_matrix(self) -> Callable[..., dict[str, Array]]:
        return self.state.function("constraint_matrix", {"G": self.state.constraint_matrix})

    def _singular(self, point: OperatingPoint, rank: int) -> SingularError:
        s, G = self.state, self._constraint_matrix(point)["G"].reshape(-1, self.sizes[1])
        weak = min(range(len(G)), key=lambda k: (-self._rank(np.delete(G, k, axis=0)), -k))
        return SingularError(
            f"system '{s.name}': the constraints are singular at this point: their {len(G)} equations have rank"
            f" {rank} here and a higher rank at neighbouring points, because {s.row_names[weak]} follows from the"
            " others at"
            " this point only. The system may leave this position in several ways and has no linearisation; take a"
            " neighbouring point"
        )

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

    def symbolic(self, point: OperatingPoint, values: Mapping[Node, Node]) -> SymbolicLinear:
        """A, B, C, D with ``values`` substituted for symbols; parameters of the point decide which entries are zero
        everywhere."""
        numbers = "leave out symbolic=True, which returns numbers at a point"
        require_unconstrained(self.state.e.tree, "linearize(symbolic=True)", numbers)
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


def inverse_by_state(e: Derivation) -> Rows:
    """∂τ/∂(δ, u, z, inputs) of inverse dynamics at symbols u̇, in nodes of the equations; derived once for all
    equilibria and linearisations."""

    def derive() -> Rows:
        inverse = Inverse(e, e.accelerations, estimated)
        parts = [inverse.by(what) for what in ("q", "u", "z", "inputs")]
        return [[h for part in parts for h in part[i]] for i in range(len(e.layout.u))]

    return e.memo.get("inverse dynamics by state", derive)


def without_noise(directions: Array) -> Array:
    """Directions in units of magnitudes, without components that are rounding errors."""
    return np.where(np.abs(directions) > NOISE * np.abs(directions).max(initial=0.0), directions, 0.0)


def assembled(
    s: StateEquations, point: OperatingPoint, held: Collection[int], bend: bool = False, base: Array | None = None
) -> OperatingPoint:
    """The point moved to the constraints; the states with indices ``held`` stay as they are, and those of modes unless
    flexible bodies may ``bend``. Held coordinates move to their values from those in the state ``base``."""
    values, keep = (point.parameters, float(point.t), point.inputs), [*s.e.tree.model.constraints]
    return point.at_state(Assembler(s.e).state(point.x, held, *values, keep=keep, bend=bend, base=base).x)
