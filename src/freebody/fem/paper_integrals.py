"""The modal integrals of Jain & Rodriguez (1992) by the paper's names (Eqs B.4, B.5, B.7), with M_m (Eq B.8) and b_m
(Eq B.50 as corrected) by orders of the deformation.

In the paper the inertia J of a node and its offset p keep their directions in the body's frame while the node turns, so
M and b belong to each other only for point masses: with inertias or offsets, power is not balanced. Geometric
stiffening is left out. V = (η̇, ω, v); M V̇ + b + (K η, 0, 0) = Q, with v̇ the acceleration of the frame's origin.

Sums over the nodes j: m(j) its mass, J(j) its inertia about its own origin, p(j) from there to its mass centre, l₀(j)
its position, λ and γ its slopes and translations for each mode, a~ b = a × b.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MOST = 64
"""The most modes for which the integrals are computed: some have three indices of modes."""

NEEDED = (
    "the integrals of Jain and Rodriguez (Eq B.4), which follow from nodes with masses. The modal data of this body was"
    " given as integrals; use order='full' or order='ruthless', or describe the body by nodes"
)


@dataclass(frozen=True, eq=False)
class PaperIntegrals:
    """The integrals of Eq B.4. Modes are the indices of an array in the order of the paper: ``F1[:, r, s]`` is the
    vector F₁(r, s), ``S2[r, s]`` the matrix S₂(r, s), ``T3[q, r, s]`` the number T₃(q, r, s). Columns of vectors are
    the matrices of Eq B.7."""

    m: float  # Σ m
    p0: Array  # (3): Σ m [p + l₀] / m
    p1: Array  # (3, n): Σ m γ_r / m
    E: Array  # (3, n): Σ m [γ_r − p~ λ_r]
    F0: Array  # (3, n): Σ J λ_r + m [l₀~ + p~] γ_r − m l₀~ p~ λ_r
    F1: Array  # (3, n, n): Σ m γ_s~ [γ_r − p~ λ_r]
    G: Array  # (n, n): Σ λ_r·J λ_s + m λ_r·p~ γ_s + m λ_s·p~ γ_r + m γ_r·γ_s
    J0: Array  # (3, 3): Σ J − m [l₀~ l₀~ + p~ l₀~ + l₀~ p~], the first sign corrected
    J1: Array  # (n, 3, 3): −Σ m γ_r~ [l₀~ + p~]
    J2: Array  # (n, n, 3, 3): −Σ m γ_r~ γ_s~; J₂(r, s) = J₂(s, r)*
    S1: Array  # (n, 3, 3): Σ [m p~ λ_r]~ l₀~ − J λ_r~
    S2: Array  # (n, n, 3, 3): Σ [m p~ λ_r]~ γ_s~
    K1: Array  # (n, 3, 3): Σ 2 l₀~ [m p~ λ_r]~ − J λ_r~ + λ_r~ J
    R1: Array  # (3, n): Σ J λ_r
    R2: Array  # (3, n, n): Σ [λ_r~ J − m l₀~ λ_r~ p~] λ_s
    R3: Array  # (3, n, n, n): −Σ m γ_q~ λ_r~ p~ λ_s
    W1: Array  # (3, n, n): Σ λ_r~ m p~ γ_s
    W2: Array  # (3, n, n): Σ λ_r~ J λ_s
    L: Array  # (3, n, n): −Σ m λ_r~ p~ λ_s / m
    T1: Array  # (3, n, n): Σ [m γ_r~ p~ + J λ_r~] λ_s
    T2: Array  # (3, n, n): Σ [m p~ γ_r~ − λ_r~ J] λ_s
    T3: Array  # (n, n, n): Σ λ_q·[m γ_r~ p~ + J λ_r~] λ_s

    @property
    def K2(self) -> Array:
        """K₂(r, s) = Σ 2 γ_s~ [m p~ λ_r]~ = 2 S₂(r, s)*: (n, n, 3, 3)."""
        return 2 * self.S2.swapaxes(2, 3)

    @property
    def Q(self) -> Array:
        """Q(r, s) of Eq B.29 as corrected, T₁(s, r) + T₂(s, r) + W₁(r, s) + W₂(r, s) + 2 F₁(s, r): (3, n, n)."""
        return (self.T1 + self.T2 + 2 * self.F1).swapaxes(1, 2) + self.W1 + self.W2

    def p(self, eta: Array) -> Array:
        """p = p₀ + Σ p₁(s) η_s (Eq B.5): (3)."""
        return np.asarray(self.p0 + self.p1 @ eta)

    def F(self, eta: Array) -> Array:
        """F(r) = F₀(r) + Σ F₁(r, s) η_s: (3, n)."""
        return np.asarray(self.F0 + self.F1 @ eta)

    def N(self, eta: Array) -> Array:
        """N(r) = [J₁(r) + Σ J₂(r, s) η_s]*: (n, 3, 3)."""
        return (self.J1 + _sum(self.J2, eta)).swapaxes(1, 2)

    def J(self, eta: Array) -> Array:
        """J = J₀ + Σ [J₁(r) + J₁(r)*] η_r + ΣΣ J₂(r, s) η_r η_s: (3, 3)."""
        first = np.tensordot(eta, self.J1, 1)
        return np.asarray(self.J0 + first + first.T + np.tensordot(eta, _sum(self.J2, eta), 1))

    def S(self, eta: Array) -> Array:
        """S(r) = S₁(r) + Σ S₂(r, s) η_s: (n, 3, 3)."""
        return np.asarray(self.S1 + _sum(self.S2, eta))

    def K(self, eta: Array) -> Array:
        """K(r) = K₁(r) + Σ K₂(r, s) η_s: (n, 3, 3)."""
        return np.asarray(self.K1 + _sum(self.K2, eta))

    def R(self, eta: Array) -> Array:
        """R(r, s) = R₂(r, s) + Σ R₃(q, r, s) η_q: (3, n, n)."""
        return np.asarray(self.R2 + np.einsum("aqrs,q->ars", self.R3, eta))

    def mass_orders(self, eta: Array) -> list[Array]:
        """M_m⁰, M_m¹, M_m² of Eq B.8 in the order (η̇, ω, v): the parts of order 0, 1 and 2 in the deformation."""
        m, n = self.m, len(self.G)
        F1, first, none = self.F1 @ eta, np.tensordot(eta, self.J1, 1), np.zeros((3, n))
        c, moved, zero = m * cross_matrix(self.p0), m * cross_matrix(self.p1 @ eta), np.zeros((3, 3))
        second = np.tensordot(eta, _sum(self.J2, eta), 1)
        return [
            np.block([[self.G, self.F0.T, self.E.T], [self.F0, self.J0, c], [self.E, -c, m * np.eye(3)]]),
            np.block([[0 * self.G, F1.T, none.T], [F1, first + first.T, moved], [none, -moved, zero]]),
            np.block([[0 * self.G, none.T, none.T], [none, second, zero], [none, zero, zero]]),
        ]

    def mass(self, eta: Array) -> Array:
        """M_m (Eq B.8) in the order (η̇, ω, v)."""
        return np.asarray(sum(self.mass_orders(eta)))

    def bias_orders(self, eta: Array, eta_dot: Array, w: Array) -> list[Array]:
        """b_m⁰, b_m¹, b_m², b_m³ of Eq B.50 as corrected in the order (η̇, ω, v): the parts of order 0 to 3 in (η, η̇),
        with ω of order 0. Printed are, in the modal rows of b¹, {S₂ + J₂} η without ω; in the row of ω, K(r) in place
        of K₁(r) in b¹, and J₂(r, s) in place of 2 J₂(r, s)* + K₂(r, s) in b²."""
        n, x, none = len(self.G), np.cross, np.zeros(3)

        def spin(matrices: Array) -> Array:
            """−ω*[…]ω for each mode."""
            return -(matrices @ w) @ w

        J1, rate = np.tensordot(eta, self.J1, 1), np.tensordot(eta_dot, self.J1, 1)
        both = _sum(self.J2, eta)
        b0 = [spin(self.S1 + self.J1), x(w, self.J0 @ w), self.m * x(w, x(w, self.p0))]
        b1 = [
            spin(_sum(self.S2 + self.J2, eta)) - np.einsum("ars,a,s->r", self.Q, w, eta_dot),
            x(w, (J1 + J1.T) @ w) + (2 * rate.T + np.tensordot(eta_dot, self.K1, 1)) @ w + x(w, self.R1 @ eta_dot),
            x(w, self.m * x(w, self.p1 @ eta) + 2 * self.E @ eta_dot),
        ]
        b2 = [
            np.einsum("qrs,q,s->r", self.T3, eta_dot, eta_dot),
            x(w, np.tensordot(eta, both, 1) @ w)
            + np.tensordot(eta_dot, 2 * both.swapaxes(1, 2) + _sum(self.K2, eta), 1) @ w
            + self.R2 @ eta_dot @ eta_dot,
            self.m * self.L @ eta_dot @ eta_dot,
        ]
        b3 = [np.zeros(n), np.einsum("aqrs,q,r,s->a", self.R3, eta, eta_dot, eta_dot), none]
        return [np.concatenate(rows) for rows in (b0, b1, b2, b3)]

    def bias(self, eta: Array, eta_dot: Array, w: Array) -> Array:
        """b_m (Eqs B.28, B.41, B.49, B.50) in the order (η̇, ω, v)."""
        return np.asarray(sum(self.bias_orders(eta, eta_dot, w)))

    def along(self, R: Array) -> "PaperIntegrals":
        """The integrals along other axes; R maps components along the body's axes to components along those."""
        vectors = ("p0", "p1", "E", "F0", "F1", "R1", "R2", "R3", "W1", "W2", "L", "T1", "T2")
        matrices = ("J0", "J1", "J2", "S1", "S2", "K1")
        arrays: dict[str, Any] = {name: np.tensordot(R, self.__dict__[name], 1) for name in vectors}
        arrays.update({name: R @ self.__dict__[name] @ R.T for name in matrices})
        return replace(self, **arrays)

    def in_basis(self, T: Array) -> "PaperIntegrals":
        """The same body for the coordinates ξ of η = T ξ."""
        modes = {
            "p1": (1,),
            "E": (1,),
            "F0": (1,),
            "R1": (1,),
            "J1": (0,),
            "S1": (0,),
            "K1": (0,),
            "G": (0, 1),
            "J2": (0, 1),
            "S2": (0, 1),
            "F1": (1, 2),
            "R2": (1, 2),
            "W1": (1, 2),
            "W2": (1, 2),
            "L": (1, 2),
            "T1": (1, 2),
            "T2": (1, 2),
            "R3": (1, 2, 3),
            "T3": (0, 1, 2),
        }
        arrays = dict[str, Any]()
        for name, places in modes.items():
            x = self.__dict__[name]
            for place in places:
                x = np.moveaxis(np.tensordot(x, T, (place, 0)), -1, place)
            arrays[name] = x
        return replace(self, **arrays)


def _sum(matrices: Array, eta: Array) -> Array:
    """Σ matrices[r, s] η_s: (n, 3, 3)."""
    return np.asarray(np.einsum("rsab,s->rab", matrices, eta))


def cross_matrix(a: Array) -> Array:
    """a~ with a~ b = a × b."""
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
