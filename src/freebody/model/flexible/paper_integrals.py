"""The modal integrals of Jain & Rodriguez (1992): mass matrix B.4 and B.8, velocity-dependent forces B.50 as corrected.

In the paper the inertia J of a node and its offset p keep their directions in the body's frame while the node turns, so
M and b belong to each other only for point masses: with inertias or offsets, power is not balanced. Geometric
stiffening is left out. V = (η̇, ω, v); M V̇ + b + (K η, 0, 0) = Q, with v̇ the acceleration of the frame's origin.

    M = [[M_ff, Fᵀ, Eᵀ], [F, J, c~], [E, −c~, m]]
    c(η) = c0 + c1 η      F(η) = F0 + F1 η      J(η) = J0 + J1 η + ½ ηᵀ J2 η
    b_η(r) = −ω·(S0_r + S1_rs η_s) ω − Q_rs·ω η̇_s + T_rst η̇_s η̇_t
    b_ω = ω × J(η) ω + (U1_r + U2_rs η_s) ω η̇_r + (R1_rs + R2_rst η_t) η̇_r η̇_s
    b_v = ω × (ω × c(η) + 2 E η̇) + L_rs η̇_r η̇_s

with sums over repeated indices of modes. In the symbols of the paper S0 = S1ᵏ + J1ᵏ, S1 = S2ᵏ + J2ᵏ (symmetric parts),
U1 = 2 J1ᵏᵀ + K1ᵏ − R1ᵏ~, U2 = 2 J2ᵏᵀ + K2ᵏ, R1 = R2ᵏ, R2 = R3ᵏ, T_rst = T3ᵏ(s, r, t).
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PaperIntegrals:
    """The arrays of B.8 and B.50; the first index of a mode is r, then s, then t."""

    m: float
    c0: Array  # (3)
    c1: Array  # (3, n)
    E: Array  # (3, n)
    F0: Array  # (3, n)
    F1: Array  # (3, n, n): F1[:, r, s] is the coefficient of η_s in column r of F
    J0: Array  # (3, 3)
    J1: Array  # (n, 3, 3), symmetric
    J2: Array  # (n, n, 3, 3), symmetric in the modes and in the axes
    M_ff: Array  # (n, n)
    S0: Array  # (n, 3, 3), symmetric
    S1: Array  # (n, n, 3, 3), symmetric in the axes
    Q: Array  # (3, n, n)
    T: Array  # (n, n, n), symmetric in the last two indices
    U1: Array  # (n, 3, 3)
    U2: Array  # (n, n, 3, 3)
    R1: Array  # (3, n, n), symmetric in the modes
    R2: Array  # (3, n, n, n), symmetric in the first two modes
    L: Array  # (3, n, n), symmetric in the modes

    def mass(self, eta: Array) -> Array:
        """M(η) in the order (η̇, ω, v)."""
        F, J, c = self.F0 + self.F1 @ eta, self._inertia(eta), cross_matrix(self.c0 + self.c1 @ eta)
        return np.block([[self.M_ff, F.T, self.E.T], [F, J, c], [self.E, -c, self.m * np.eye(3)]])

    def bias(self, eta: Array, eta_dot: Array, w: Array) -> Array:
        """b(η, η̇, ω) in the order (η̇, ω, v)."""
        S = self.S0 + np.einsum("rsab,s->rab", self.S1, eta)
        U = self.U1 + np.einsum("rsab,s->rab", self.U2, eta)
        b_eta = -(S @ w) @ w - np.einsum("ars,a,s->r", self.Q, w, eta_dot) + self.T @ eta_dot @ eta_dot
        b_w = np.cross(w, self._inertia(eta) @ w) + eta_dot @ (U @ w) + (self.R1 + self.R2 @ eta) @ eta_dot @ eta_dot
        c = self.c0 + self.c1 @ eta
        b_v = np.cross(w, np.cross(w, c) + 2 * self.E @ eta_dot) + self.L @ eta_dot @ eta_dot
        return np.asarray(np.concatenate([b_eta, b_w, b_v]))

    def _inertia(self, eta: Array) -> Array:
        J1, J2 = np.einsum("rab,r->ab", self.J1, eta), np.einsum("rsab,r,s->ab", self.J2, eta, eta)
        return np.asarray(self.J0 + J1 + J2 / 2)

    def along(self, R: Array) -> "PaperIntegrals":
        """The integrals along other axes; R maps components along the body's axes to components along those."""
        vectors = ("c0", "c1", "E", "F0", "F1", "Q", "R1", "R2", "L")
        matrices = ("J0", "J1", "J2", "S0", "S1", "U1", "U2")
        arrays: dict[str, Any] = {name: np.tensordot(R, getattr(self, name), 1) for name in vectors}
        arrays.update({name: R @ getattr(self, name) @ R.T for name in matrices})
        return replace(self, **arrays)

    def in_basis(self, T: Array) -> "PaperIntegrals":
        """The same body for the coordinates ξ of η = T ξ."""

        def one(x: Array) -> Array:
            return np.asarray(np.einsum("rab,rp->pab", x, T))

        def two(x: Array) -> Array:
            return np.asarray(np.einsum("rsab,rp,sq->pqab", x, T, T, optimize=True))

        return replace(
            self,
            c1=self.c1 @ T,
            E=self.E @ T,
            F0=self.F0 @ T,
            F1=T.T @ self.F1 @ T,
            J1=one(self.J1),
            J2=two(self.J2),
            M_ff=T.T @ self.M_ff @ T,
            S0=one(self.S0),
            S1=two(self.S1),
            Q=T.T @ self.Q @ T,
            T=np.einsum("rst,rp,sq,tu->pqu", self.T, T, T, T, optimize=True),
            U1=one(self.U1),
            U2=two(self.U2),
            R1=T.T @ self.R1 @ T,
            R2=np.einsum("arst,rp,sq,tu->apqu", self.R2, T, T, T, optimize=True),
            L=T.T @ self.L @ T,
        )


def cross_matrix(a: Array) -> Array:
    """a~ with a~ b = a × b."""
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
