"""The inertial-parameter regressor: τ = Y(q, u, u̇) π + τ₀.

π holds ten numbers for each body, in the order of bodies: m, the first moment h = m r (x, y, z) and the inertia matrix
(xx, xy, yy, xz, yz, zz), both about the body's origin along its axes; J_xy is the matrix's entry, minus the product of
inertia. Weight is part of Y π. τ₀ is the tau of bodies without mass: armatures times u̇ less the forces of loads, joint
springs, dampers, friction and users' joint forces on the speeds.

The base parameters are the combinations of π that motion can distinguish, found by numbers. Columns of Y are taken in
the order of π, bodies from the root outwards. One that is a combination of earlier ones at every state adds nothing,
and its parameter joins theirs. So a parameter that a joint cannot distinguish from its parent's goes to the parent
(Gautier & Khalil 1990), as in the `base` rewrite, and parameters that no motion shows are left out.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.formulations.derivation import Derivation
from freebody.program.program import Program
from freebody.quantities.forces import applied_forces
from freebody.quantities.kinematics import Axes, include, program, require_standard
from freebody.scalar.node import Node
from freebody.spatial.resolved import Twist, Vec, Wrench
from freebody.spatial.scalars import dot3
from freebody.spatial.vector import components
from freebody.tables import TableRepr, TextTable
from freebody.tree.joint_forces import armatures
from freebody.tree.motion import LinkMotion, Motion
from freebody.tree.passes import outwards
from freebody.tree.tree import Link, require_joints

Array = NDArray[np.float64]
Regressor = Callable[[Array, Array, Array, Array], Array]
LETTERS = ("m", "hx", "hy", "hz", "Jxx", "Jxy", "Jyy", "Jxz", "Jyz", "Jzz")
Q = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)]
"""The inertia matrix' entries in the order of π."""

LOST = 1e-8
"""A column of which less than this part is left when all earlier ones are subtracted is dependent (measured on arms and
random trees: below 1e-14 or above 5e-3)."""


def regressor(e: Derivation) -> Program:
    """Y, nu × 10 for each body."""
    require_standard(e, "regressor", exact=True)
    rows, a = regressor_rows(e), e.assembly("regressor", "u_dot")
    a.output("Y", rows, (len(rows), len(LETTERS) * len(e.tree.bodies)))
    return a.program()


def regressor_rows(e: Derivation) -> list[list[Node]]:
    """Y in the symbols of u̇."""
    require_joints(e.tree, "regressor", "use inverse_dynamics and its derivatives")
    motion, n, blocks = Motion(e.tree, e.accelerations), len(e.layout.u), list[dict[int, list[Node]]]()

    def step(link: Link, before: dict[int, Twist]) -> dict[int, Twist]:
        columns = {speed: V.out(link.X) for speed, V in before.items()}
        for c in link.columns:
            include(columns, c.speed, c.twist)
        return columns

    # ∂(ω, v)/∂u of the origins, carried outwards from joint to joint
    origins = outwards(e.tree.links, step, dict[int, Twist]())
    for *_, link in e.tree.bodies:  # wrenches of unit parameters times each column at the origin, in the body's axes
        axes, back, m = Axes(link.body.frame), Vec(link.frame, components(-link.shift, link.frame)), motion.of(link)
        wrenches = unit_wrenches(LinkMotion(axes.of(m.w), axes.of(m.alpha), axes.of(m.at(back.xyz))))
        blocks.append({})
        for speed, V in origins[link.index].items():
            at_origin = Twist.of(axes.of(V.angular), axes.of(V.linear + V.angular.cross(back)))
            blocks[-1][speed] = [at_origin.dot(F) for F in wrenches]
    none = [e.graph.zero] * len(LETTERS)
    return [[x for block in blocks for x in block.get(k, none)] for k in range(n)]


def regressor_offset(e: Derivation) -> Program:
    """τ₀."""
    require_standard(e, "regressor_offset", exact=True)
    require_joints(e.tree, "regressor_offset", "use inverse_dynamics and its derivatives")
    g, armature = e.graph, armatures(e.tree)
    inertia = [g.mul(armature[k], r) if k in armature else g.zero for k, r in enumerate(e.accelerations)]
    tau = [g.sub(i, f) for i, f in zip(inertia, applied_forces(e), strict=True)]
    return program(e, "regressor_offset", {"tau": tau}, "u_dot")


def inertial_parameters(e: Derivation) -> Program:
    """π: m, m r and J + m (r·r 1 − r rᵀ) of each body."""
    require_joints(e.tree, "inertial_parameters", "take masses and inertias from the system itself")
    g, pi = e.graph, list[Node]()
    for *_, link in e.tree.bodies:
        spec = link.body.spec
        m, r = spec.mass.handle, [s.handle for s in spec.com]
        h = [g.mul(m, x) for x in r]
        square = dot3(g, h, r)
        pi += [m, *h]
        for i, j in Q:
            steiner = g.sub(square if i == j else g.zero, g.mul(h[i], r[j]))
            pi.append(g.add(spec.inertia[i][j].handle, steiner))
    return program(e, "inertial_parameters", {"pi": pi})


def names(e: Derivation) -> tuple[str, ...]:
    """Of the entries of π: "forearm.hx"."""
    return tuple(f"{link.name}.{letter}" for *_, link in e.tree.bodies for letter in LETTERS)


def unit_wrenches(m: LinkMotion) -> list[Wrench]:
    """The wrench that each parameter alone needs: m a, U h and h × a, J α + ω × J ω. For unit J the last are
    off-diagonal products of ω and entries of U = [α]× + ωωᵀ − |ω|² (ij: ω_iω_j ∓ α_k)."""
    S, U, none = m.frame.S, m.U, Vec.zero(m.frame)
    units = [Vec(m.frame, tuple(S.one if i == k else S.zero for i in range(3))) for k in range(3)]
    first = [Wrench.of(unit.cross(m.a), Vec(m.frame, (U[0][k], U[1][k], U[2][k]))) for k, unit in enumerate(units)]
    (xx, yy, zz), (ax, ay, az), (x, y, z) = m.squares, m.alpha.c, m.w.c
    xy, xz, yz, n = S.mul(x, y), S.mul(x, z), S.mul(y, z), S.neg
    rows = [
        (ax, xz, n(xy)),
        (n(U[2][0]), U[2][1], S.sub(xx, yy)),
        (n(yz), ay, xy),
        (U[1][0], S.sub(zz, xx), n(U[1][2])),
        (S.sub(yy, zz), n(U[0][1]), U[0][2]),
        (yz, n(xz), az),
    ]
    return [Wrench.of(none, m.a), *first, *(Wrench.of(Vec(m.frame, row), none) for row in rows)]


# Base parameters


@dataclass(frozen=True, repr=False)
class BaseParameters(TableRepr):
    """``combination`` @ π are the base parameters; ``independent`` are the indices of π that name them, so that
    Y π = Y[:, independent] @ (combination @ π) at every state."""

    names: tuple[str, ...]
    independent: tuple[int, ...]
    combination: Array

    def __len__(self) -> int:
        return len(self.independent)

    def of(self, pi: ArrayLike) -> Array:
        """The base parameters of a set of inertial parameters."""
        values: Array = self.combination @ np.asarray(pi, dtype=float)
        return values

    def columns(self, Y: ArrayLike) -> Array:
        """The regressor's independent columns."""
        return np.asarray(Y, dtype=float)[..., list(self.independent)]

    @property
    def texts(self) -> tuple[str, ...]:
        """Each as a formula: "forearm.hx + 0.392 wrist_1.m"."""

        def term(factor: float, name: str) -> str:
            sign, size = " - " if factor < 0 else " + ", abs(factor)
            return f"{sign}{name}" if abs(size - 1) < 1e-12 else f"{sign}{size:.6g} {name}"

        return tuple(
            self.names[k] + "".join(term(row[j], self.names[j]) for j in np.flatnonzero(row) if j != k)
            for k, row in zip(self.independent, self.combination, strict=True)
        )

    def __str__(self) -> str:
        return "\n".join(self.texts)

    def _table(self) -> TextTable:
        rows = tuple((self.names[k], text) for k, text in zip(self.independent, self.texts, strict=True))
        title = f"{len(self)} base parameters of {len(self.names)} inertial parameters"
        return TextTable(title, ("parameter", "combination"), rows)


def base_parameters(e: Derivation, W: Array) -> BaseParameters:
    """The base parameters from the regressors of many states, one above the other."""
    size = np.linalg.norm(W, axis=0)
    seen = size > LOST * size.max(initial=0.0)
    independent, basis = list[int](), np.zeros((W.shape[0], 0))
    for k in np.flatnonzero(seen):  # Gram and Schmidt, twice for rounding's sake
        left = W[:, k] / size[k]
        for _ in range(2):
            left = left - basis @ (basis.T @ left)
        length = np.linalg.norm(left)
        if length > LOST:
            independent.append(int(k))
            basis = np.column_stack([basis, left / length])
    others = [k for k in range(W.shape[1]) if k not in independent]
    combination = np.zeros((len(independent), W.shape[1]))
    combination[range(len(independent)), independent] = 1.0
    if independent and others:
        scale = size[independent]
        part = np.linalg.lstsq(W[:, independent] / scale, W[:, others], rcond=None)[0] / scale[:, None]
        combination[:, others] = np.where(np.abs(part) > LOST * np.abs(part).max(axis=0, initial=0.0), part, 0.0)
        combination[:, ~seen] = 0.0
    return BaseParameters(names(e), tuple(independent), combination)


def random_regressors(e: Derivation, Y: Regressor, random: np.random.Generator) -> Array:
    """Regressors Y(t, q, u, u̇) at random states, one above the other, with at least four rows to a column."""
    columns = len(names(e))
    number = -(-4 * columns // max(len(e.layout.u), 1))
    return Y(*random_states(e, number, random)).reshape(-1, columns)


def random_states(e: Derivation, number: int, random: np.random.Generator) -> tuple[Array, Array, Array, Array]:
    """Random t, q, u and u̇: coordinates at random displacements from zero."""

    def coordinates() -> Array:
        parts: list[Array] = []
        for link in e.tree.links:
            joint = link.body.spec.joint
            q = joint.sample(random.uniform(-1.5, 1.5, len(joint.speeds)))
            parts.append(np.array([x for x, is_state in zip(q, link.body.is_state, strict=True) if is_state]))
        return np.concatenate(parts)

    q = np.array([coordinates() for _ in range(number)])
    u, u_dot = random.normal(size=(2, number, len(e.layout.u)))
    return random.uniform(0, 10, number), q, 2 * u, 4 * u_dot
