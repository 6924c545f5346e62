"""The equations of Mufti (1983) in accelerations of mass centres and angular accelerations of bodies, in numbers at one
state: all matrices and right-hand sides of Eqs 10, 49, 51, 63 and 73, for reading and computing.

Vectors are along the ground's axes. Bodies whose motion is prescribed altogether are external (Remark 3): they are no
vertices of the graph, and the joint that attaches a tree to one, or to the ground, is hinge 0, with S in place of C. A
tree whose root moves freely has no such joint. Corrected misprints: L̃ and ĥ in Eq 10, minus in Eq 42, L̃ in H of Eq 72;
J of Eq 73 is Zᵀ diag(M, I) Z, which is that of Eq 70 where cut hinges connect bodies of the tree.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import block_diag, cholesky, null_space, solve_triangular

from freebody.errors import ModelError
from freebody.papers.barycentres import Barycentres
from freebody.papers.topology import Topology

Array = NDArray[np.float64]


class SystemOfEquations(NamedTuple):
    """``matrix`` x = ``right``; ``parts`` are the names of the unknowns in x with their numbers."""

    matrix: Array
    right: Array
    parts: tuple[tuple[str, int], ...]

    def solve(self) -> dict[str, Array]:
        """The unknowns by name; the least-squares ones of least norm where the matrix is singular."""
        x = np.linalg.lstsq(self.matrix, self.right, rcond=None)[0]
        ends = np.cumsum([size for _, size in self.parts])[:-1]
        return dict(zip((name for name, _ in self.parts), np.split(x, ends), strict=True))


@dataclass(frozen=True, eq=False)
class Factors:
    """The matrices of the appendix for H (M × N, rank K) and a positive definite J, by QR or by singular values. Y and
    Z are those of the general solution x = Y b + Z x′ of Hᵀ x = b (A-6, A-10), with Zᵀ H = 0; ``root`` is that of
    Hᵀ J⁻¹ H = rootᵀ root: R of A-5, or S Wᵀ of A-11."""

    H: Array
    J: Array
    rank: int
    Y: Array
    Z: Array
    root: Array

    @classmethod
    def qr(cls, H: ArrayLike, J: ArrayLike) -> "Factors":
        """Case 1: H of full rank. A-4, A-5; H = Q R, Y = Q R⁻ᵀ, Z = Q′."""
        H, J = np.asarray(H, float), np.asarray(J, float)
        rank, n = int(np.linalg.matrix_rank(H)), H.shape[1]
        if rank < n:
            raise ModelError(
                f"H has rank {rank}, and {n} columns: the constraints depend on each other. Use singular values (svd)"
            )
        Q, R = np.linalg.qr(H, mode="complete")
        root = np.linalg.qr(solve_triangular(cholesky(J, lower=True), H, lower=True)).R
        return cls(H, J, rank, solve_triangular(R[:n], Q[:, :n].T).T, Q[:, n:], root)

    @classmethod
    def svd(cls, H: ArrayLike, J: ArrayLike) -> "Factors":
        """Case 2: H of any rank. H = V S Wᵀ (A-9), Y = V S⁻¹ Wᵀ, Z = V′; D^(-½) L⁻¹ H = V S Wᵀ (before A-11)."""
        H, J = np.asarray(H, float), np.asarray(J, float)
        V, s, W = np.linalg.svd(H)
        rank = int(np.linalg.matrix_rank(H))
        Y = V[:, :rank] / s[:rank] @ W[:rank]
        _, s, W = np.linalg.svd(solve_triangular(cholesky(J, lower=True), H, lower=True))
        return cls(H, J, rank, Y, V[:, rank:], s[:rank, None] * W[:rank])

    def solution(self, b: ArrayLike, free: ArrayLike = 0.0) -> Array:
        """x = Y b + Z x′ (A-6, A-10)."""
        return np.asarray(self.Y @ np.asarray(b) + self.Z @ np.broadcast_to(free, self.Z.shape[1]))

    def solve(self, u: ArrayLike) -> Array:
        """x of Hᵀ J⁻¹ H x = u: by the Cholesky factor R, or W S⁻² Wᵀ u (A-12), that of least norm."""
        if self.rank == self.H.shape[1] and np.allclose(self.root, np.triu(self.root)):
            return np.asarray(solve_triangular(self.root, solve_triangular(self.root, u, trans="T")))
        s = np.linalg.norm(self.root, axis=1)
        W = self.root / s[:, None]
        return np.asarray(W.T @ ((W @ np.asarray(u)) / s**2))

    def accelerations(self, right: ArrayLike, b: ArrayLike) -> Array:
        """a of J a = right + H λ under Hᵀ a = b, by d'Alembert's principle: a = Y b + Z x′ with Zᵀ J Z x′ =
        Zᵀ (right − J Y b) (A-2, Eq 40-c)."""
        particular = self.solution(b)
        free = np.linalg.solve(self.Z.T @ self.J @ self.Z, self.Z.T @ (np.asarray(right) - self.J @ particular))
        return self.solution(b, free)


@dataclass(frozen=True, eq=False)
class CutHinges:
    """Hinges that close loops, in the order of ``topology.cuts``: ``L`` (n × cuts × 3); the directions q of constraint
    torques of each (3 × n′); ``u3`` and ``u4`` of their equations."""

    L: Array
    q: tuple[Array, ...]
    u3: Array
    u4: Array


@dataclass(frozen=True, eq=False)
class MuftiEquations:
    """The quantities of the report at one state. ``mass``, ``centres`` (r), ``inertia`` (R I Rᵀ) and ω of the bodies;
    ``force`` F and ``torque`` G on them, with gravity, and those of springs, dampers and ``tau`` in the joints.
    ``axes`` are the p of each joint (3 × n_j), ``relative_rates`` γ̇, ``bias`` Ṗ γ̇, ``outer`` the acceleration of the
    point of hinge 0 on the external body (zero for other joints)."""

    at: Barycentres
    w: Array
    force: Array
    torque: Array
    kept: NDArray[np.bool_]
    axes: tuple[Array, ...]
    relative_rates: Array
    bias: Array
    outer: Array
    cut: CutHinges

    def __repr__(self) -> str:
        n, cuts = len(self.at.mass), len(self.topology.cuts)
        return f"MuftiEquations({n} bodies, {int(self.kept.sum())} hinges, {cuts} cut hinges)"

    @property
    def topology(self) -> Topology:
        """The graph, with S, T, C = ``incidence`` and C* = ``cut_incidence``."""
        return self.at.topology

    # Matrices of the tree

    @cached_property
    def M(self) -> Array:
        """3n × 3n"""
        return _times3(np.diag(self.at.mass))

    @cached_property
    def I(self) -> Array:  # noqa: E743 (the paper's letter)
        """diag(R I Rᵀ), 3n × 3n"""
        return np.asarray(block_diag(*self.at.inertia))

    @cached_property
    def C(self) -> Array:
        """3n × 3 hinges: C of a free tree, S of one that is attached."""
        return _times3(self.topology.S[:, self.kept])

    @cached_property
    def C_cut(self) -> Array:
        """C*, 3n × 3 cuts"""
        return _times3(self.topology.cut_incidence)

    @cached_property
    def L_tilde(self) -> Array:
        """L̃, 3n × 3 hinges"""
        return _tilde(self.at.L[:, self.kept])

    @cached_property
    def L_cut(self) -> Array:
        """L̃*, 3n × 3 cuts"""
        return _tilde(self.cut.L)

    @cached_property
    def T2(self) -> Array:
        """3 hinges × 3n, with T₂ C = 1; T of a tree that is attached."""
        return _times3(self.topology.path[self.kept])

    @cached_property
    def E(self) -> Array:
        """T₁ᵀ (T₁ M T₁ᵀ)⁻¹ T₁ (3n × 3n), T₁ the rows of free roots; zero where there are none."""
        T1 = _times3(self.topology.path[~self.kept])
        return np.asarray(T1.T @ np.linalg.solve(T1 @ self.M @ T1.T, T1)) if len(T1) else np.zeros_like(self.M)

    @cached_property
    def B(self) -> Array:
        """T₂ μ = T₂ − T₂ M E (Eqs 20, 26)"""
        return np.asarray(self.T2 - self.T2 @ self.M @ self.E)

    @cached_property
    def A(self) -> Array:
        """(Cᵀ M⁻¹ C)⁻¹ = B M Bᵀ (Eqs 21, 27)"""
        return np.asarray(self.B @ self.M @ self.B.T)

    @cached_property
    def mu(self) -> Array:
        """μ = 1 − M E (Eq 26)"""
        return np.asarray(np.eye(len(self.M)) - self.M @ self.E)

    @cached_property
    def D_tilde(self) -> Array:
        """D̃, 3n × 3n"""
        return _tilde(self.at.D)

    @cached_property
    def K(self) -> Array:
        """I + D̃ M D̃ᵀ (Eqs 28, 35), 3n × 3n"""
        return _blocks(self.at.K)

    @cached_property
    def N(self) -> Array:
        """n × n × 3: N_ij = −Σ_k m_k d̃_ik (ω_j × (ω_j × d_jk)) for i ≠ j (Eqs 34, 38)."""
        around = np.cross(self.w[:, None], np.cross(self.w[:, None], self.at.D))
        N: Array = -np.einsum("k,ijkx->ijx", self.at.mass, np.cross(self.at.D[:, None], around[None]))
        N[np.diag_indices(len(N))] = 0.0
        return N

    @cached_property
    def P(self) -> Array:
        """diag(p) of the joints' axes, 3 hinges × Σ n_j (Eq 54)"""
        return np.asarray(_diagonal(*self.axes))

    @cached_property
    def Q(self) -> Array:
        """diag(q) of the directions that joints resist, 3 hinges × Σ n′_j (Eq 46)"""
        return np.asarray(_diagonal(*(null_space(p.T) if p.size else np.eye(3) for p in self.axes)))

    @cached_property
    def Q_cut(self) -> Array:
        """Those of cut hinges, 3 cuts × Σ n′"""
        return np.asarray(_diagonal(*self.cut.q))

    @cached_property
    def Z(self) -> Array:
        """(1, 0; −(L̃T₂)ᵀ, E)ᵀ of Eq 40-d, its columns the accelerations r̈₁ of free roots, then ω̇: Zᵀ (C; L̃) = 0."""
        n = len(self.M)
        ones = -_times3(self.topology.path[~self.kept]).T
        return np.block([[ones, -(self.L_tilde @ self.T2).T], [np.zeros((n, ones.shape[1])), np.eye(n)]])

    # Right-hand sides

    @cached_property
    def u1(self) -> Array:
        """F"""
        return self.force.ravel()

    @cached_property
    def u2(self) -> Array:
        """G + C g − ĥ"""
        return self.torque.ravel() - np.cross(self.w, np.einsum("ixy,iy->ix", self.at.inertia, self.w)).ravel()

    @cached_property
    def u3(self) -> Array:
        """(L̂)ᵀ 1, plus the acceleration of the point of hinge 0 on the external body"""
        return _hat(self.w, self.at.L[:, self.kept]) + self.outer[self.kept].ravel()

    @cached_property
    def u4(self) -> Array:
        """Q̇ᵀ Cᵀ ω = Qᵀ Ṗ γ̇"""
        return np.asarray(self.Q.T @ self.bias[self.kept].ravel())

    @cached_property
    def u2_bar(self) -> Array:
        """ū₂ = D̃ u₁ + u₂ + D̃ M Bᵀ u₃ (Eqs 28, 38)"""
        return np.asarray(self.D_tilde @ (self.u1 + self.M @ self.B.T @ self.u3) + self.u2)

    # Equations

    @property
    def eq10(self) -> SystemOfEquations:
        """Trees of ball joints: r̈, ω̇ and the hinge forces f."""
        self._require(not self.Q.size, "10", "joints that resist rotations have torques; use eq49")
        return self.eq49

    @property
    def eq49(self) -> SystemOfEquations:
        """Trees: r̈, ω̇, hinge forces f and torques λ."""
        self._require(not self.topology.cuts, "49", "cut hinges have forces; use eq63 or eq73")
        return self._lagrangian(self.H, self.u3, self.u4)

    @property
    def eq51(self) -> SystemOfEquations:
        """Trees: ω̇ and the torques λ of joints."""
        self._require(not self.topology.cuts, "51", "cut hinges have forces; use eq63 or eq73")
        CQ, zero = self.C @ self.Q, np.zeros((self.Q.shape[1],) * 2)
        matrix = np.block([[self.K, -CQ], [-CQ.T, zero]])
        return SystemOfEquations(
            matrix, np.r_[self.u2_bar, self.u4], (("omega_dot", len(self.K)), ("lambda", len(zero)))
        )

    @property
    def eq63(self) -> SystemOfEquations:
        """Closed chains: r̈, ω̇, the forces of all hinges, those of the tree first, and their torques."""
        return self._lagrangian(self.H, np.r_[self.u3, self.cut.u3], np.r_[self.u4, self.cut.u4])

    @property
    def eq73(self) -> SystemOfEquations:
        """Closed chains in r̈₁ of free roots and ω̇, torques of the tree's joints, forces and torques of cut hinges."""
        top = np.vstack([np.zeros_like(self.C), self.C])  # torques act on ω̇
        cut = np.vstack([self.C_cut, self.L_cut]), np.vstack([np.zeros_like(self.C_cut), self.C_cut]) @ self.Q_cut
        inertia, drift = block_diag(self.M, self.I), np.r_[-self.T2.T @ self.u3, np.zeros(len(self.M))]
        H = self.Z.T @ np.hstack([top @ self.Q, *cut])
        J, right = self.Z.T @ inertia @ self.Z, self.Z.T @ (np.r_[self.u1, self.u2] - inertia @ drift)
        lower = np.r_[self.u4, self.cut.u3 + cut[0].T @ drift, self.cut.u4]
        matrix = np.block([[J, -H], [-H.T, np.zeros((H.shape[1],) * 2)]])
        free = len(J) - len(self.M)
        sizes = free, len(self.M), self.Q.shape[1], self.C_cut.shape[1], self.Q_cut.shape[1]
        names = "r1_ddot", "omega_dot", "lambda", "f_cut", "lambda_cut"
        return SystemOfEquations(matrix, np.r_[right, lower], tuple(zip(names, sizes, strict=True)))

    # The appendix

    @cached_property
    def H(self) -> Array:
        """(C_c, 0; L̃_c, C_c Q) of Eqs 14, 49 and 64: forces of all hinges, then torques."""
        C, zero = np.hstack([self.C, self.C_cut]), np.zeros
        torques = np.hstack([self.C @ self.Q, self.C_cut @ self.Q_cut])
        L = np.hstack([self.L_tilde, self.L_cut])
        return np.block([[C, zero((len(C), torques.shape[1]))], [L, torques]])

    @cached_property
    def qr(self) -> Factors:
        """A-1 … A-6 for H of full rank and J = diag(M, I)."""
        return Factors.qr(self.H, block_diag(self.M, self.I))

    @cached_property
    def svd(self) -> Factors:
        """A-7 … A-12 for H of any rank and J = diag(M, I)."""
        return Factors.svd(self.H, block_diag(self.M, self.I))

    def _lagrangian(self, H: Array, forces: Array, torques: Array) -> SystemOfEquations:
        n, m, zero = len(self.M), H.shape[1], np.zeros
        J = block_diag(self.M, self.I)
        matrix = np.block([[J, -H], [-H.T, zero((m, m))]])
        parts = ("r_ddot", n), ("omega_dot", n), ("f", len(forces)), ("lambda", len(torques))
        return SystemOfEquations(matrix, np.r_[self.u1, self.u2, forces, torques], parts)

    def _require(self, holds: bool, equation: str, why: str) -> None:
        if not holds:
            raise ModelError(f"Eq {equation}: {why}")


def _diagonal(*parts: Array) -> Array:
    return np.asarray(block_diag(*parts), float) if parts else np.zeros((0, 0))


def _times3(C: ArrayLike) -> Array:
    return np.asarray(np.kron(np.asarray(C, float), np.eye(3)))


def _blocks(A: Array) -> Array:
    """A matrix of 3 × 3 blocks, n × m × 3 × 3, as one matrix."""
    return A.transpose(0, 2, 1, 3).reshape(3 * A.shape[0], 3 * A.shape[1])


def _tilde(L: Array) -> Array:
    return _blocks(np.cross(L[..., None, :], np.eye(3)).swapaxes(-1, -2))


def _hat(w: Array, L: Array) -> Array:
    """(L̂)ᵀ 1: Σ ω × (ω × L) over bodies, for each joint"""
    return np.asarray(np.cross(w[:, None], np.cross(w[:, None], L)).sum(axis=0).ravel())
