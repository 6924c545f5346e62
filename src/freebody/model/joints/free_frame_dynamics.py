"""Internal dynamics of a flexible body whose joint leaves its frame free, while the modes take nearly all of the body's
inertia about the joint, as cantilever modes do about a hinge at the root.

There a combination of modes is almost a rotation of the whole body, so that η̇ may be as large as ω, and terms such as
η² η̇² are as large as η² ω², which order "full" keeps. The kinetic energy is therefore formed as a sum of squares: of
the mass centre, and of rotation about it at the rate ω_F = ω + A(η) η̇ of the modes together with the frame,

    T = ½ m |v_c|² + ½ ω_F·J_c(η) ω_F + ω_F·X(η) η̇ + ½ η̇ᵀ N η̇      v_c = v + ω × c/m + (E + C η) η̇/m

with J_c to second order in η, A = A0 + A1 η and X = X0 + X1 η to first, and N constant. To first order in η, and to
second order in η and η̇ together, this is the energy of ``modal_dynamics.py``: J_c A + X is the angular momentum F_c of
the modes about the mass centre. A0 and A1 are along the directions D about which the joint lets the body turn, so that
Dᵀ X = 0; A1 only along those with much inertia, because it is a ratio of changes to the inertia of the undeformed body.

    M_ff = N + (E + C η)ᵀ(E + C η)/m + Aᵀ J_c A + Aᵀ X + Xᵀ A
    F = c × (E + C η)/m + J_c A + X      J = J_c − c~ c~/m
    torque: c × f/m + ḣ + ω × h,  h = J_c ω_F + X η̇       f: the force of ``modal_dynamics.py``
    row r:  (E + C η)(r)·f/m + A(r)·ḣ + X(r)·ω̇_F + N η̈ + K η − ½ ω_F·dJ_c(r) ω_F
            + [X1(r, s) − X1(s, r)]·ω_F η̇_s + [A1(r, s) − A1(s, r)]·h η̇_s
"""

from collections.abc import Sequence

import numpy as np

from freebody.model.flexible.modal_data import Array, ModalData
from freebody.model.flexible.nodal_data import about_origin
from freebody.model.joints.modal_dynamics import (
    ModalDynamics,
    gyroscopic,
    half_spin,
    numbers,
    quadratic,
    second_moments,
    weighted,
)
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Vec, Wrench
from freebody.spatial.scalars import PAIRS, Scalar, dot

NOISE = 1e-13
"""Entries below this, relative to the terms that they are differences of, are zero."""
THIN = 0.01
"""About directions with less than this fraction of the largest inertia A does not depend on η."""


class CentralIntegrals:
    """The numbers of the kinetic energy above: A = D (B0 + B1 η), X = X0 + X1 η, N, and the second moments about the
    mass centre, whose inertia is J_c, to second order in η as (S0, S1, S2) of ``integral``."""

    def __init__(self, data: ModalData, D: Array) -> None:
        m, c0, E, C = data.m, data.c0, data.E, data.C
        pairs = np.einsum("a,br->rab", c0, E)
        squares = np.einsum("a,brs->rsab", c0, C) + np.einsum("ar,bs->rsab", E, E)
        J0 = data.J0 - about_origin(np.outer(c0, c0)) / m
        J1 = data.J1 - about_origin(pairs + pairs.swapaxes(1, 2)) / m
        J2 = data.J2 - about_origin(squares + squares.swapaxes(2, 3)) / m
        F0 = data.F0 - np.cross(c0, E, axis=0) / m
        F1 = data.F1 - (np.cross(c0[:, None, None], C, axis=0) + np.cross(E[:, None, :], E[:, :, None], axis=0)) / m
        about = np.einsum("ak,ab,bk->k", D, J0, D)
        thick = about > THIN * np.linalg.eigvalsh(J0)[-1]
        self.B0 = solution(D.T @ J0 @ D, D.T @ F0)
        A, n = D @ self.B0, data.n
        self.X0, X1 = difference(F0, J0 @ A), difference(F1, np.einsum("sab,br->ars", J1, A))
        self.D, self.B1, K = D, np.zeros((len(about), n, n)), D[:, thick]
        self.B1[thick] = solution(K.T @ J0 @ K, K.T @ X1.reshape(3, n * n)).reshape(-1, n, n)
        self.X1 = difference(X1, np.tensordot(J0 @ D, self.B1, 1))
        N = data.M_ff - E.T @ E / m - A.T @ J0 @ A - A.T @ self.X0 - self.X0.T @ A
        size = np.sqrt(np.diag(data.M_ff))
        self.N = np.where(np.abs(N) > NOISE * np.outer(size, size), N, 0.0)
        S0, S1, S2 = map(second_moments, (J0, J1, J2))
        self.S0, self.S1, self.S2 = S0, S1.T, np.moveaxis(S2, -1, 0)


def solution(a: Array, b: Array) -> Array:
    """x of a x = b, for a positive matrix that may be singular."""
    return np.asarray(np.linalg.lstsq(a, b, rcond=NOISE)[0], float)


def difference(a: Array, b: Array) -> Array:
    """a − b, with zeros in place of what rounding leaves."""
    return np.where(np.abs(a - b) > NOISE * np.abs(a).max(initial=0.0), a - b, 0.0)


class FreeFrameDynamics(ModalDynamics):
    """The dynamics with the kinetic energy above; the columns of ``directions`` are those of D."""

    def __init__(
        self, data: ModalData, directions: Array, frame: Frame, q: Sequence[Scalar], u: Sequence[Scalar]
    ) -> None:
        super().__init__(data, frame, q, u)
        S = self.S
        self.numbers = number = CentralIntegrals(data, directions)
        self.D = [Vec(frame, tuple(numbers(S, d))) for d in directions.T]
        self.B = self.affine(number.B0, number.B1)
        (xx, yy, zz, xy, xz, yz), self.dS = self.integral(number.S0, number.S1, number.S2)
        self.central = RigidInertia.of(frame, S.zero, (S.zero, S.zero, S.zero), (xx, yy, zz, xy, xz, yz))
        h, self.centre = self.rr.h, Vec(frame, self.rr.h).times(S.const(1 / data.m))
        xx, yy, zz, xy, xz, yz = (
            S.add(x, S.mul(h[i], self.centre.c[j])) for x, (i, j) in zip(self.central.second, PAIRS, strict=True)
        )
        self.rr = RigidInertia.of(frame, self.rr.m, h, (xx, yy, zz, xy, xz, yz))
        self.X = self.affine(number.X0, number.X1)
        turned = [self._rotated(d) for d in self.D]
        momenta = [Vec(frame, column) for column in zip(*self.E, strict=True)]
        spins = [Vec(frame, column) for column in zip(*self.X, strict=True)]
        self.fr = []
        for r, (spin, momentum) in enumerate(zip(spins, momenta, strict=True)):
            for JD, b in zip(turned, self.B, strict=True):
                spin = spin + JD.times(b[r])
            self.fr.append(Wrench.of(spin + self.centre.cross(momentum), momentum))
        self.ff = self._modal_mass(turned)

    def _modal_mass(self, turned: Sequence[Vec]) -> dict[tuple[int, int], Scalar]:
        """M_ff; its last three terms are Σ bᵀ z + zᵀ b over the directions d, with z = d·X + ½ d·J_c A."""
        S, half, n = self.S, self.S.const(0.5), self.data.n
        bending = [i for i in range(3) if np.any(self.data.C[i])]
        straight = self.data.E[[i for i in range(3) if i not in bending]]
        N, sums = self.numbers.N + straight.T @ straight / self.data.m, list[list[Scalar]]()
        for d in self.D:
            z = [dot(S, d.c, column) for column in zip(*self.X, strict=True)]
            for JD, b in zip(turned, self.B, strict=True):
                part = S.mul(half, d.dot(JD))
                z = [S.add(x, S.mul(y, part)) for x, y in zip(z, b, strict=True)]
            sums.append(z)
        scaled = [[S.mul(S.const(1 / self.data.m), x) for x in self.E[k]] for k in bending]
        entries = dict[tuple[int, int], Scalar]()
        for i in range(n):
            for j in range(i + 1):
                value = numbers(S, N[i, j : j + 1])[0]
                for k, row in zip(bending, scaled, strict=True):
                    value = S.add(value, S.mul(row[i], self.E[k][j]))
                for b, z in zip(self.B, sums, strict=True):
                    value = S.add(value, S.add(S.mul(b[i], z[j]), S.mul(b[j], z[i])))
                if not S.vanishes(value):
                    entries[i, j] = value
        return entries

    def required(self, w: Vec, alpha: Vec, a: Vec, accelerations: Sequence[Scalar]) -> tuple[list[Scalar], Wrench]:
        S, n, rates, frame, data = self.S, self.data.n, self.rates, self.frame, self.data
        momenta, spins = ([Vec(frame, column) for column in zip(*x, strict=True)] for x in (self.E, self.X))
        force = Vec(frame, tuple(quadratic(S, x, rates) for x in data.C))
        force = force + w.cross(_sum(momenta, rates, frame)).times(S.const(2)) + _sum(momenta, accelerations, frame)
        turning = _sum(self.D, [dot(S, b, rates) for b in self.B], frame)  # A η̇ and its rate
        growth = [
            S.add(dot(S, b, accelerations), quadratic(S, x, rates))
            for b, x in zip(self.B, self.numbers.B1, strict=True)
        ]
        turning_rate, w_F = _sum(self.D, growth, frame), w + turning
        xx, yy, zz, xy, xz, yz = (dot(S, row, rates) for row in self.dS)
        growing = RigidInertia.of(frame, S.zero, (S.zero, S.zero, S.zero), (xx, yy, zz, xy, xz, yz))
        change = Vec(frame, tuple(quadratic(S, x, rates) for x in self.numbers.X1)) + _sum(spins, accelerations, frame)
        change = change + Vec(frame, growing.rotated(w_F.xyz)) + self._rotated(turning_rate)  # ḣ − J_c α
        inner = self._rotated(turning) + _sum(spins, rates, frame)  # h − J_c ω
        torque, h = change + w.cross(inner) + self.centre.cross(force), Vec(frame, self.rr.h)
        whole = a.times(S.const(data.m)) + alpha.cross(h) + w.cross(w.cross(h)) + force
        pushed, change, alpha_F = whole.times(S.const(1 / data.m)), change + self._rotated(alpha), alpha + turning_rate
        along = [d.dot(change) for d in self.D]
        X1, B1, spin = self.numbers.X1, np.tensordot(self.numbers.D, self.numbers.B1, 1), inner + self._rotated(w)
        coriolis = [
            S.add(x, y)
            for x, y in zip(
                gyroscopic(S, X1 - X1.transpose(0, 2, 1), w_F.xyz, rates),
                gyroscopic(S, B1 - B1.transpose(0, 2, 1), spin.xyz, rates),
                strict=True,
            )
        ]
        forces = list[Scalar]()
        for r in range(n):
            value = S.add(coriolis[r], S.sub(self.elastic(r), half_spin(S, w_F.xyz, [row[r] for row in self.dS])))
            value = S.add(value, weighted(S, self.numbers.N[r], accelerations))
            value = S.add(value, S.add(pushed.dot(momenta[r]), spins[r].dot(alpha_F)))
            forces.append(S.add(value, dot(S, [b[r] for b in self.B], along)))
        return forces, Wrench.of(torque, force)

    def _rotated(self, e: Vec) -> Vec:
        """J_c e"""
        return Vec(self.frame, self.central.rotated(e.xyz))


def _sum(columns: Sequence[Vec], values: Sequence[Scalar], frame: Frame) -> Vec:
    """Σ columns times values."""
    total = Vec.zero(frame)
    for column, value in zip(columns, values, strict=True):
        total = total + column.times(value)
    return total
