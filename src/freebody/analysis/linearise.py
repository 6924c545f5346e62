"""A system near a point, by exact derivatives.

Derivatives by q are along the tangent δ, δq = N(q) δ, unless raw coordinates are asked for. With T = diag(N, 1, 1) the
displacement of the state is T ξ, and from d(T ξ)/dt = A T ξ + B w follow ξ̇ = T⁺ (A T − Ṫ) ξ + T⁺ B w: exact also where
the system moves, for instance −ω × δ for a body that spins. ∂u̇ is M⁻¹ ∂(f − M u̇) at u̇ held, so that no factorisation is
differentiated.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.field import Field, Named, Point, Rows
from freebody.analysis.linear import Linear
from freebody.errors import ArgumentError
from freebody.quantities.derivatives import Inverse
from freebody.scalar.derivative import Entries, jacobian, jvp

Array = NDArray[np.float64]


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
    def felt(self) -> Rows:
        """∂y/∂u̇: what outputs feel of accelerations."""
        nodes, rates = [h for _, h in self.outputs], self.field.groups["u_dot"]
        return self.field.dense(jacobian(self.graph, nodes, rates), len(nodes), len(rates))

    @cached_property
    def turning(self) -> Entries:
        """Ṅ: by (coordinate, direction), along the motion."""
        f, N = self.field, self.field.ways
        seeds = dict(zip(f.groups["q"], f.q_dot, strict=True)) | {f.groups["t"][0]: self.graph.one}
        return dict(zip(N, jvp(self.graph, list(N.values()), seeds), strict=True))

    @property
    def states(self) -> tuple[str, ...]:
        """The coordinate's name where a direction is one, along.‹speed› where it is not."""
        layout = self.field.layout
        if not self.minimal:
            return tuple(self.field.keys)
        return (*(n for n, _ in self.field.directions), *(f"u.{n}" for n in layout.u), *layout.z)

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        inputs, outputs = (tuple(n for n, _ in named) for named in (self.inputs, self.outputs))
        return {"states": self.states, "inputs": inputs, "outputs": outputs}

    @property
    def _quick(self) -> bool:
        """Whether −∂τ/∂(q, u) may stand for ∂(f − M u̇): composite bodies give it along the tangent, and much sooner."""
        return self.minimal and self.field.holonomic and not self.field.e.small

    @cached_property
    def _function(self) -> Any:
        f, (n, m, _) = self.field, self.sizes
        N, turning = (f.dense(e, n, len(f.directions)) for e in (f.ways, self.turning))
        rest = [self.graph.zero] * m if self._quick else f.rest
        made = {"J": self.jacobian(rest), "N": N, "turning": turning, "q_dot": f.q_dot, "z_dot": f.z_dot}
        made["felt"] = self.felt
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
            u_dot = self._accelerated(start["M"], start["rest"])
        found = self._function(point, u_dot)
        size = n + m + k
        J = found["J"].reshape(size + len(self.outputs), size + len(self.inputs)).copy()
        if m and not self._quick:
            J[n : n + m] = np.linalg.solve(found["M"], J[n : n + m])
        rate = np.concatenate([found["q_dot"], u_dot, found["z_dot"]])
        A, B, C, D = J[:size, :size], J[:size, size:], J[size:, :size], J[size:, size:]
        if self.minimal:
            N, turning = (found[name].reshape(n, len(self.field.directions)) for name in ("N", "turning"))
            A, B, C, rate = _minimal(A, B, C, rate, N, turning)
        if self._quick and m:
            pushed = -np.linalg.solve(found["M"], found["needed"])
            A[m : 2 * m], B[m : 2 * m] = pushed[:, : len(A)], pushed[:, len(A) :]
        if m and self.outputs:
            speeds, felt = slice(len(A) - m - k, len(A) - k), found["felt"].reshape(len(self.outputs), m)
            C, D = C + felt @ A[speeds], D + felt @ B[speeds]
        return Linear(A, B, C, D, **self.names, at=self._values(point), rate=rate)

    def _accelerated(self, M: Array, rest: Array) -> Array:
        try:
            return np.asarray(np.linalg.solve(M, rest))
        except np.linalg.LinAlgError:
            raise ArgumentError(
                f"system '{self.field.name}': the mass matrix is singular at this point, so that its accelerations are"
                " not determined; look at masses, inertias and lengths that are 0 here"
            ) from None

    def lift(self, point: Point) -> Array:
        """T at a point."""
        n, m, k = self.sizes
        wide = len(self.field.directions)
        T = np.zeros((n + m + k, wide + m + k))
        rows = self.field.dense(self.field.ways, n, wide)
        T[:n, :wide] = self.field.function("tangent", {"N": rows})(point)["N"].reshape(n, wide)
        T[n:, wide:] = np.eye(m + k)
        return T

    def _values(self, point: Point) -> dict[str, float]:
        f = self.field
        names = [*f.keys, *f.layout.inputs]
        values = dict(zip(names, map(float, [*point.x, *point.inputs]), strict=True))
        return values | {n: float(v) for n, v in zip(f.forces, point.tau, strict=True) if v}


def _minimal(A: Array, B: Array, C: Array, rate: Array, N: Array, turning: Array) -> tuple[Array, Array, Array, Array]:
    """T⁺ (A T − Ṫ), T⁺ B, C T, T⁺ ẋ."""
    n, m = N.shape
    rest = len(A) - n
    T, turned, over = np.zeros((n + rest, m + rest)), np.zeros((n + rest, m + rest)), np.zeros((m + rest, n + rest))
    T[:n, :m], turned[:n, :m], over[:m, :n] = N, turning, np.linalg.pinv(N) if m else N.T
    T[n:, m:], over[m:, n:] = np.eye(rest), np.eye(rest)
    return over @ (A @ T - turned), over @ B, C @ T, over @ rate
