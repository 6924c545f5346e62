"""Internal dynamics of flexible bodies in modal coordinates.

The kinetic energy is that of ``fem/modal_data.py``, and Poincaré's equations of it give all terms, so that
power balances exactly. With dJ(r) = J1(r) + J2(r, s) η_s and sums over repeated modes:

    row r:  M_ff η̈ + F(r)·α + (E + C η)(r)·a + [F1(r, s) − F1(s, r)]·ω η̇_s − ½ ω·dJ(r) ω + K η
    torque: J α + c × a + ω × J ω + F η̈ + F1(r, s) η̇_r η̇_s + dJ(r) η̇_r ω + ω × F η̇
    force:  m a + α × c + ω × (ω × c) + (E + C η) η̈ + 2 ω × (E + C η) η̇ + C(r, s) η̇_r η̇_s

Order "ruthless" leaves out all that depends on the deformation or its rate (Jain & Rodriguez 1992, Eq 8.1). Order
"paper" has the mass matrix and the forces of that paper (Eqs B.8 and B.50 as corrected, ``PaperDynamics``). Bodies that
their joints leave nearly without inertia have further terms (``free_frame_dynamics.py``).
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from freebody.fem.modal_data import ModalData
from freebody.model.joints.flexible import InternalDynamics
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Vec, Wrench
from freebody.spatial.scalars import PAIRS, Scalar, Scalars, Triple, dot

Array = NDArray[np.float64]

# Sums


def weighted(S: Scalars, row: Array, values: Sequence[Scalar]) -> Scalar:
    """Σ row[k] values[k]; entries that are zero cost nothing."""
    total = S.zero
    for factor, x in zip(row, values, strict=True):
        if factor != 0:
            total = S.add(total, S.mul(S.const(float(factor)), x))
    return total


def numbers(S: Scalars, row: Array) -> list[Scalar]:
    """The nodes of some numbers; integers are exact, so that zeros and ones are known as such."""
    return [S.const(int(x) if x.is_integer() else x) for x in row.tolist()]


def constants(S: Scalars, matrix: Array) -> list[list[Scalar]]:
    """The nodes of a matrix of numbers."""
    return [numbers(S, row) for row in matrix]


def quadratic(S: Scalars, matrix: Array, x: Sequence[Scalar]) -> Scalar:
    """xᵀ A x, from the upper triangle of A + Aᵀ."""
    upper = np.triu(matrix + matrix.T, 1) + np.diag(np.diag(matrix))
    return dot(S, [weighted(S, row, x) for row in upper], x)


def affine(S: Scalars, start: Array, slope: Array, x: Sequence[Scalar]) -> list[list[Scalar]]:
    """start + slope x, for matrices and arrays of matrices."""
    return [
        [S.add(value, weighted(S, row, x)) for value, row in zip(numbers(S, values), rows, strict=True)]
        for values, rows in zip(start, slope, strict=True)
    ]


def integral(
    S: Scalars, start: Array, first: Array, second: Array, x: Sequence[Scalar]
) -> tuple[list[Scalar], list[list[Scalar]]]:
    """start + first x + ½ xᵀ second x by components, and its derivatives first + second x."""
    derivatives, half = affine(S, first, second, x), S.const(0.5)
    values = [
        S.add(value, S.mul(half, S.add(weighted(S, row, x), dot(S, now, x))))
        for value, row, now in zip(numbers(S, start), first, derivatives, strict=True)
    ]
    return values, derivatives


def gyroscopic(S: Scalars, skew: Array, w: Triple, x: Sequence[Scalar]) -> list[Scalar]:
    """Σ wᵢ skew[i] x for skew-symmetric matrices, the sum over the matrices first where that is shorter."""
    entries = np.argwhere(np.any(skew, axis=0) & np.tri(len(x), k=-1, dtype=bool))
    if 3 * len(entries) >= np.count_nonzero(skew) + np.count_nonzero(np.any(skew, axis=2)):
        rows = [[weighted(S, line, x) for line in matrix] for matrix in skew]
        return [dot(S, w, column) for column in zip(*rows, strict=True)]
    total = [S.zero] * len(x)
    for r, s in entries.tolist():
        value = weighted(S, skew[:, r, s], w)
        total[r], total[s] = S.add(total[r], S.mul(value, x[s])), S.sub(total[s], S.mul(value, x[r]))
    return total


def second_moments(J: Array) -> Array:
    """Σ = ½ tr(J) 1 − J as (xx, yy, zz, xy, xz, yz) on the last axis."""
    S = 0.5 * np.trace(J, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) - J
    return np.stack([S[..., i, j] for i, j in PAIRS], axis=-1)


# Internal dynamics


class ModalDynamics(InternalDynamics):
    """All terms to second order in η and η̇ together."""

    def __init__(self, data: ModalData, frame: Frame, q: Sequence[Scalar], u: Sequence[Scalar]) -> None:
        self.data, self.frame, self.S, n = data, frame, frame.S, data.n
        self.coordinates, self.rates = q, u
        S0, S1, S2 = map(second_moments, (data.J0, data.J1, data.J2))
        self.F = self.affine(data.F0, data.F1)  # by component and mode, as the next ones
        (x, y, z), self.E = self.integral(data.c0, data.E, data.C)
        (xx, yy, zz, xy, xz, yz), self.dS = self.integral(S0, S1.T, np.moveaxis(S2, -1, 0))  # second moments
        self.rr = RigidInertia.of(frame, self.S.const(data.m), (x, y, z), (xx, yy, zz, xy, xz, yz))
        self.fr = [Wrench(frame, tuple(row[r] for row in (*self.F, *self.E))) for r in range(n)]
        entries = [(i, j) for i in range(n) for j in range(i + 1) if data.M_ff[i, j] != 0]
        self.ff = {(i, j): numbers(self.S, data.M_ff[i, j : j + 1])[0] for i, j in entries}

    def affine(self, start: Array, slope: Array) -> list[list[Scalar]]:
        """start + slope η"""
        return affine(self.S, start, slope, self.coordinates)

    def integral(self, start: Array, first: Array, second: Array) -> tuple[list[Scalar], list[list[Scalar]]]:
        """start + first η + ½ ηᵀ second η, and its derivatives."""
        return integral(self.S, start, first, second, self.coordinates)

    def required(self, w: Vec, alpha: Vec, a: Vec, accelerations: Sequence[Scalar]) -> tuple[list[Scalar], Wrench]:
        S, rates = self.S, self.rates
        forces = [
            S.add(self._inertial(r, alpha, a, accelerations), S.add(bias, self.elastic(r)))
            for r, bias in enumerate(self.modal_bias(w))
        ]
        turning, sliding = (Vec(self.frame, tuple(dot(S, row, rates) for row in x)) for x in (self.F, self.E))
        torque, force = (
            Vec(self.frame, tuple(quadratic(S, x, rates) for x in tensor)) for tensor in (self.data.F1, self.data.C)
        )
        xx, yy, zz, xy, xz, yz = (dot(S, row, rates) for row in self.dS)
        inertia = RigidInertia.of(self.frame, S.zero, (S.zero, S.zero, S.zero), (xx, yy, zz, xy, xz, yz))
        torque = torque + Vec(self.frame, inertia.rotated(w.xyz)) + w.cross(turning)
        force = force + w.cross(sliding).times(S.const(2))
        return forces, self._with_modal_inertia(Wrench.of(torque, force), accelerations)

    def modal_bias(self, w: Vec) -> list[Scalar]:
        """[F1(r, s) − F1(s, r)]·ω η̇_s − ½ ω·dJ(r) ω"""
        S = self.S
        turning = gyroscopic(S, self.data.F1 - self.data.F1.transpose(0, 2, 1), w.xyz, self.rates)
        return [S.sub(x, half_spin(S, w.xyz, [row[r] for row in self.dS])) for r, x in enumerate(turning)]

    def elastic(self, r: int) -> Scalar:
        """K η less the preload."""
        S = self.S
        return S.sub(weighted(S, self.data.K[r], self.coordinates), S.const(float(self.data.preload[r])))

    def _inertial(self, r: int, alpha: Vec, a: Vec, accelerations: Sequence[Scalar]) -> Scalar:
        S = self.S
        return S.add(weighted(S, self.data.M_ff[r], accelerations), dot(S, self.fr[r].c, (*alpha.c, *a.c)))

    def _with_modal_inertia(self, total: Wrench, accelerations: Sequence[Scalar]) -> Wrench:
        """A wrench and what η̈ requires in addition."""
        for F, acceleration in zip(self.fr, accelerations, strict=True):
            total = total + F.times(acceleration)
        return total

    def residual_inertia(self) -> Array | None:
        data, (x, y, z) = self.data, self.data.c0
        arm = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        rigid = np.block([[data.J0, arm], [arm.T, data.m * np.eye(3)]])
        columns = np.vstack([data.F0, data.E])
        try:
            return np.asarray(rigid - columns @ np.linalg.solve(data.M_ff, columns.T))
        except np.linalg.LinAlgError:
            return None

    def stored_energy(self) -> Scalar:
        S, q = self.S, self.coordinates
        return S.sub(S.mul(S.const(0.5), quadratic(S, self.data.K, q)), weighted(S, self.data.preload, q))


def half_spin(S: Scalars, w: Triple, second: Sequence[Scalar]) -> Scalar:
    """½ ω·J ω of second moments."""
    (x, y, z), half = w, S.const(0.5)
    xx, yy, zz = (S.mul(half, S.mul(v, v)) for v in w)
    products = S.add(yy, zz), S.add(xx, zz), S.add(xx, yy), S.mul(x, y), S.mul(x, z), S.mul(y, z)
    return S.sub(dot(S, products[:3], second[:3]), dot(S, products[3:], second[3:]))


class RuthlessDynamics(ModalDynamics):
    """The terms that depend neither on η nor on η̇, besides the elastic forces."""

    def affine(self, start: Array, slope: Array) -> list[list[Scalar]]:
        return constants(self.S, start)

    def integral(self, start: Array, first: Array, second: Array) -> tuple[list[Scalar], list[list[Scalar]]]:
        return numbers(self.S, start), constants(self.S, first)

    def required(self, w: Vec, alpha: Vec, a: Vec, accelerations: Sequence[Scalar]) -> tuple[list[Scalar], Wrench]:
        S = self.S
        forces = list[Scalar]()
        for r in range(self.data.n):
            centrifugal = half_spin(S, w.xyz, [row[r] for row in self.dS])
            forces.append(S.add(self._inertial(r, alpha, a, accelerations), S.sub(self.elastic(r), centrifugal)))
        return forces, self._with_modal_inertia(Wrench.zero(self.frame), accelerations)


class PaperDynamics(ModalDynamics):
    """The terms of Jain & Rodriguez (1992): M of Eqs B.4 and B.8, forces of Eq B.50, both as corrected, without
    geometric stiffening.

    In this paper the inertia of a node and its offset from the mass centre turn at the rate λ η̇ but keep their
    directions in the body's frame, so that M and the forces belong to each other for point masses only. With inertias
    or offsets of nodes, power is not balanced, and the equations do not follow from an energy: B.8 leaves out that they
    turn, which is of first order in M_fr and M_rr, and B.50 contains their rates without the terms of second order in
    λ. Nodes have the velocities (λ η̇, γ η̇), which are fixed in the body's frame.
    """

    variational = False

    def __init__(self, data: ModalData, frame: Frame, q: Sequence[Scalar], u: Sequence[Scalar]) -> None:
        assert data.paper is not None
        self.paper = p = data.paper
        n = data.n
        J1, J2 = p.J1 + p.J1.swapaxes(1, 2), p.J2 + p.J2.swapaxes(0, 1)
        whole = replace(data, E=p.E, C=np.zeros((3, n, n)), F0=p.F0, F1=p.F1, J0=p.J0, J1=J1, J2=J2, M_ff=p.G)
        super().__init__(whole, frame, q, u)
        S = self.S
        c0, c1 = p.m * p.p0, p.m * p.p1
        x, y, z = (S.add(S.const(float(c)), weighted(S, row, q)) for c, row in zip(c0, c1, strict=True))
        self.rr = RigidInertia.of(frame, self.rr.m, (x, y, z), self.rr.second)

    def required(self, w: Vec, alpha: Vec, a: Vec, accelerations: Sequence[Scalar]) -> tuple[list[Scalar], Wrench]:
        S, p, rates, eta = self.S, self.paper, self.rates, self.coordinates
        forces = [
            S.add(self._inertial(r, alpha, a, accelerations), S.add(bias, self.elastic(r)))
            for r, bias in enumerate(self.modal_bias(w))
        ]
        n, turns = self.data.n, np.cross(p.R1.T[:, None], np.eye(3)).swapaxes(1, 2)
        U1, U2 = 2 * p.J1.swapaxes(1, 2) + p.K1 - turns, 2 * p.J2.swapaxes(2, 3) + p.K2  # 2 N + K − R1~
        U = self.affine(U1.reshape(n, 9), np.moveaxis(U2, 1, -1).reshape(n, 9, n))
        spinning = [dot(S, [row[k] for row in U], rates) for k in range(9)]
        turned = [dot(S, spinning[3 * k : 3 * k + 3], w.c) for k in range(3)]
        squares = [
            S.add(quadratic(S, R2, rates), dot(S, [quadratic(S, R, rates) for R in R3], eta))
            for R2, R3 in zip(p.R2, p.R3, strict=True)
        ]
        torque = Vec(self.frame, tuple(map(S.add, turned, squares)))
        sliding = Vec(self.frame, tuple(dot(S, row, rates) for row in self.E))
        force = Vec(self.frame, tuple(quadratic(S, L, rates) for L in p.m * p.L)) + w.cross(sliding).times(S.const(2))
        return forces, self._with_modal_inertia(Wrench.of(torque, force), accelerations)

    def modal_bias(self, w: Vec) -> list[Scalar]:
        """−ω·[S(r) + N(r)] ω − Q(r, s)·ω η̇_s + T3(q, r, s) η̇_q η̇_s (Eq B.28)"""
        S, p = self.S, self.paper
        twice = [x + x.swapaxes(-2, -1) for x in (p.S1 + p.J1, p.S2 + p.J2)]
        spin = self.affine(second_moments(twice[0]), np.moveaxis(second_moments(twice[1]), 1, -1))
        coriolis = [[weighted(S, row, self.rates) for row in Q] for Q in p.Q]
        return [
            S.sub(
                S.sub(quadratic(S, p.T3[:, r], self.rates), half_spin(S, w.xyz, spin[r])),
                dot(S, w.c, [row[r] for row in coriolis]),
            )
            for r in range(self.data.n)
        ]
