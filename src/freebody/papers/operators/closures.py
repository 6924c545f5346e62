"""Closed loops by spatial operators: the constraints of a system at one state, with the symbols of the paper (sections
2.3 and 3), and the six steps of its forward dynamics.

The closure equations are A Ṽ + A_β β = Ũ (Eq 2.16), Ṽ the spatial velocities at the points of closure. The paper has no
equations that contain speeds themselves (gears, expressions), so that A_β is 0 there. The forces f̃ are minus the
multipliers of freebody: 𝓜 β̇ + (A J + A_β)* f̃ = T̂.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from freebody.errors import ArgumentError
from freebody.model.body import Body, Point
from freebody.papers.operators.linear_maps import Array, Blocks, Diagonal, Operator
from freebody.scalar.node import Node
from freebody.spatial.vector import components
from freebody.tables import ShortRepr, counted
from freebody.tree.constraints import ConstraintEquations, wrench_about

if TYPE_CHECKING:
    from freebody.papers.operators.spatial import Operators, PointOfBody

CLOSURE = "closure."
"""The beginning of the names of outputs."""

SMALL = 1e-10
"""Singular values of A Λ A*, relative to the largest, that count as zero: at singular positions, or of equations that
follow from others."""


@dataclass(frozen=True)
class ClosureShape:
    """The names of the closure equations; and for each point of closure its body, and the equations in which it
    occurs: one point for each constraint and each body that the constraint acts on, without the ground."""

    names: tuple[str, ...]
    bodies: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]


class ClosureProgram(NamedTuple):
    """The shape of closure equations, and the nodes of the numbers in ``ClosureNumbers``."""

    shape: ClosureShape
    outputs: dict[str, list[Node]]

    @classmethod
    def of(cls, equations: ConstraintEquations) -> "ClosureProgram":
        g, speeds = equations.motion.graph, len(equations.tree.layout.u)
        rows, points = list(equations.rows.items()), dict[tuple[str, str], Point]()
        for key, row in rows:
            for w in (w for w in row.wrenches if isinstance(w.body, Body)):
                points.setdefault((key.constraint, w.body.name), w.body.origin if w.point is None else w.point)
        members = [[k for k, (key, _) in enumerate(rows) if key.constraint == name] for name, _ in points]
        A = list[Node]()
        for at, some in zip(points.values(), members, strict=True):
            for k in some:
                force, torque = wrench_about(rows[k][1].wrenches, at)
                A += [*components(torque, at.body.frame), *components(force, at.body.frame)]
        forces = [[row.forces[j].handle if j in row.forces else g.zero for j in range(speeds)] for _, row in rows]
        offsets = [g.zero if row.offset is None else g.neg(row.offset.handle) for _, row in rows]
        shape = ClosureShape(equations.names, tuple(body for _, body in points), tuple(map(tuple, members)))
        return cls(
            shape,
            {
                f"{CLOSURE}at": [x for at in points.values() for x in components(at.offset, at.body.frame)],
                f"{CLOSURE}A": A,
                f"{CLOSURE}A_beta": [x for row in forces for x in row],
                f"{CLOSURE}U_tilde": offsets,
                f"{CLOSURE}U": [g.neg(x) for x in equations.accelerations],
                f"{CLOSURE}engaged": [equations.flags.get(k, g.one) for k in range(len(rows))],
            },
        )


@dataclass(frozen=True, repr=False)
class ClosureNumbers(ShortRepr):
    """The numbers of closure equations at one state: the points of closure, (body, position); the wrenches of the
    equations about these points, (torque, force), by (equation, point); A_β, Ũ and U. Equations of constraints that are
    released are left out."""

    names: tuple[str, ...]
    points: "tuple[PointOfBody, ...]"
    cells: Mapping[tuple[int, int], Array]
    A_beta: Array
    U_tilde: Array
    U: Array

    @classmethod
    def of(cls, shape: ClosureShape, outputs: Mapping[str, Array]) -> "ClosureNumbers":
        held = [k for k, flag in enumerate(outputs[f"{CLOSURE}engaged"]) if flag]
        position, wrenches = outputs[f"{CLOSURE}at"].reshape(-1, 3), iter(outputs[f"{CLOSURE}A"].reshape(-1, 6))
        cells = {(k, c): next(wrenches) for c, rows in enumerate(shape.rows) for k in rows}
        cells = {(held.index(k), c): W[None, :] for (k, c), W in cells.items() if k in held}
        points = tuple((body, tuple(map(float, at))) for body, at in zip(shape.bodies, position, strict=True))
        A_beta = outputs[f"{CLOSURE}A_beta"].reshape(len(shape.names), len(outputs["joint_force"]))[held]
        names = tuple(shape.names[k] for k in held)
        return cls(names, points, cells, A_beta, outputs[f"{CLOSURE}U_tilde"][held], outputs[f"{CLOSURE}U"][held])


class Steps(NamedTuple):
    """The six steps of section 3: β̇ᶠ of the trees with free ends (A), α̃ᶠ = J β̇ᶠ at the points of closure (B), Λ (C),
    f̃ (D), β̇ᵉ (E), β̇ (F)."""

    beta_f: Array
    alpha_f: Array
    Lambda: Array
    f: Array
    beta_e: Array
    beta: Array


class Closures:
    """A, J, Λ, U, b and f̃ of the closure equations of a system at one state, each computed when first asked for.
    ``part(bodies)`` has those of a primary or secondary system."""

    def __init__(self, tree: "Operators", numbers: ClosureNumbers, speeds: Collection[int] | None = None) -> None:
        self.tree, self.numbers = tree, numbers
        self.names, self.points = numbers.names, numbers.points
        self.speeds = list(range(len(tree.speeds))) if speeds is None else sorted(speeds)

    def __repr__(self) -> str:
        return f"<{counted(len(self.names), 'closure equation')} at {counted(len(self.points), 'point')}>"

    @cached_property
    def A(self) -> Blocks:
        """A of A Ṽ + A_β β = Ũ (Eq 2.16): one row for each equation, six columns for each point of closure."""
        return Blocks("A", [1] * len(self.names), [6] * len(self.points), self.numbers.cells)

    @cached_property
    def A_beta(self) -> Blocks:
        """A_β: the coefficients of speeds that the equations contain themselves."""
        A_beta = self.numbers.A_beta
        return Blocks("A_β", [len(A_beta)], [len(self.tree.speeds)], {(0, 0): A_beta})

    @cached_property
    def B(self) -> Blocks:
        """Forces at the points of closure, moved to the bodies' origins (Eq 2.13)."""
        return self.tree.B(self.points)

    @cached_property
    def J(self) -> Operator:
        """J = B* φ* H* (Eq 2.14): Ṽ from the free speeds."""
        return self.tree.jacobian(self.points)

    @cached_property
    def G(self) -> Operator:
        """A J + A_β: the matrix of the closure equations, G of the quantity ``constraint``."""
        return self.A @ self.J + self.A_beta if self.numbers.A_beta.any() else self.A @ self.J

    @cached_property
    def V(self) -> Array:
        """Ṽ = B* V, with prescribed speeds."""
        return self.B.T @ self.tree.V

    @property
    def U_tilde(self) -> Array:
        """Ũ of A Ṽ + A_β β = Ũ (Eq 2.16)."""
        return self.numbers.U_tilde

    @property
    def U(self) -> Array:
        """U of (A J + A_β) β̇ = U (Eq 2.17): γ of the quantity ``constraint``."""
        return self.numbers.U

    @cached_property
    def Lambda(self) -> Array:
        """Λ = J 𝓜⁻¹ J* = B* Ω B (Eq 3.10), from the blocks of Ω that the points of closure need."""
        return self.tree.admittance(self.points) if self.points else np.zeros((0, 0))

    @cached_property
    def b(self) -> Operator:
        """b = D^(−1/2) [H ψ B A* + [I − H ψ K] A_β*] (Eq 3.13, where D^(−1/2) is missing)."""
        o, root = self.tree, Diagonal("D^(-1/2)", [_inverse_root(d) for d in self.tree.D.blocks])
        reached = o.H @ o.psi @ self.B @ self.A.T
        return root @ (reached + o.mass_factor_inverse @ self.A_beta.T if self.numbers.A_beta.any() else reached)

    @cached_property
    def compliance(self) -> Array:
        """A Λ A*, of equations that contain speeds G 𝓜⁻¹ G*, which is b* b."""
        if self.numbers.A_beta.any():
            return self.b.T @ (self.b @ np.eye(len(self.names)))
        return self.A @ (self.A @ self.Lambda).T

    def forces(self, residuals: ArrayLike) -> Array:
        """f̃ of A Λ A* f̃ = residuals (Eq 3.11), the smallest one where equations depend on each other."""
        right = np.asarray(residuals, dtype=float)
        return np.asarray(np.linalg.lstsq(self.compliance, right, rcond=SMALL)[0], dtype=float)

    def steps(self, tau: ArrayLike | None = None) -> Steps:
        """The forward dynamics under generalised forces tau, step by step."""
        o = self.tree
        beta_f = o.tree_dynamics(tau)
        alpha_f = self.B.T @ (o.phi.T @ (o.H.T @ beta_f))
        f = self.forces(self.A @ alpha_f + self.A_beta @ beta_f - self.U)
        half = o.mass_factor_inverse
        left = o.H @ (o.psi @ (self.B @ (self.A.T @ f))) + half @ (self.A_beta.T @ f)
        beta_e = -(half.T @ (o.D.inverse @ left))
        return Steps(beta_f, alpha_f, self.Lambda, f, beta_e, beta_f + beta_e)

    def part(self, bodies: Sequence[str]) -> "Closures":
        """The columns of some bodies: A_P and J_P, or A_S and J_S, with ``speeds`` those of their joints."""
        o, b = self.tree, self.tree.bodies
        for name in bodies:
            if name not in o.names:
                raise ArgumentError(f"there is no body '{name}'; there are {', '.join(o.names)}")
        kept = [c for c, (name, _) in enumerate(self.points) if name in bodies]
        cells = {(k, kept.index(c)): W for (k, c), W in self.numbers.cells.items() if c in kept}
        speeds = [j for name in bodies for j in range(*b.rows[o.names.index(name)].indices(len(o.speeds)))]
        A_beta = np.zeros_like(self.numbers.A_beta)
        A_beta[:, speeds] = self.numbers.A_beta[:, speeds]
        n = self.numbers
        points = tuple(self.points[c] for c in kept)
        return Closures(o, ClosureNumbers(n.names, points, cells, A_beta, n.U_tilde, n.U), speeds)


def _inverse_root(d: Array) -> Array:
    """D^(−1/2) of a symmetric positive block."""
    values, vectors = np.linalg.eigh(d)
    return np.asarray(vectors @ np.diag(values**-0.5) @ vectors.T, dtype=float)
