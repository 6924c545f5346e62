"""Linear algebra of constraints at a point: u̇ and λ of M u̇ = f + Gᵀλ, G u̇ = γ, also where rows of G depend on each
other; and the directions in which the state can change while all constraints stay satisfied."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError

Array = NDArray[np.float64]
DEPENDENT = 1e-9
"""Singular values of a matrix with rows of length 1 that are taken as zero."""

EPS = float(np.finfo(float).eps)
NEGATIVE = 1e-12
"""Eigenvalues of a scaled mass matrix below minus this fraction of the largest are negative beyond rounding."""
PIVOT, SMALL = 0.1, 1e-6
"""A state may be independent if its pivot is at least this fraction of the largest; the speed of a coordinate that the
user names if its pivot is larger than the second number."""


class SingularError(ArgumentError):
    """The accelerations, or the directions of motion, are not determined at a point."""


class DeformedError(SingularError):
    """The mass matrix is not positive definite, because flexible bodies are deformed too far."""


class NullSpace:
    """The null space of a matrix G: ``basis`` has orthonormal columns with G basis = 0, ``rank`` is the rank of G.
    Rows are compared at length 1, so that their units do not matter."""

    def __init__(self, G: Array) -> None:
        lengths = np.linalg.norm(G, axis=1, keepdims=True)
        unit = G / np.where(lengths > DEPENDENT * lengths.max(initial=0.0), lengths, np.inf)
        _, s, V = np.linalg.svd(unit) if G.size else (None, np.zeros(0), np.eye(G.shape[1]))
        self.G, self.rank = G, int(np.count_nonzero(s > DEPENDENT))
        self.basis = V[self.rank :].T

    def least_norm(self, right: Array) -> Array:
        """The shortest solution x of G x = right, which must have one."""
        return self._truncated(self.G) @ right

    def least_norm_transposed(self, right: Array) -> Array:
        """The shortest λ for which Gᵀλ is nearest to the right side."""
        return self._truncated(self.G).T @ right

    def _truncated(self, G: Array) -> Array:
        """G⁺ with as many singular values as the rank."""
        if not self.rank:
            return np.zeros(G.T.shape)
        U, s, V = np.linalg.svd(G, full_matrices=False)
        r = self.rank
        return np.asarray((V[:r].T / s[:r]) @ U[:, :r].T)


class Accelerations:
    """Solutions of M u̇ = f + Gᵀλ and G u̇ = γ, which have a unique u̇ where M is positive definite on the null space of
    G, and of all λ the shortest. Speeds are compared in units of their ``sizes``; the matrix of ``kernel`` is that of
    speeds in these units."""

    def __init__(self, system: str, M: Array, G: Array, sizes: Array) -> None:
        self.sizes, self.M, self.kernel = sizes, M * np.outer(sizes, sizes), NullSpace(G * sizes)
        M = self.M
        Z = self.kernel.basis
        self._reduced = Z.T @ M @ Z
        scales = np.sqrt(np.maximum(np.diag(self._reduced), np.finfo(float).tiny))
        values = np.linalg.eigvalsh(self._reduced / np.outer(scales, scales)) if self._reduced.size else np.ones(1)
        if values[0] < -NEGATIVE * values[-1]:
            raise DeformedError(
                f"system '{system}': the mass matrix is not positive definite at this point, so that there is no"
                " linearisation: an inertia is negative, or the deformation of a flexible body is too large for its"
                " inertia. Check the parameters of masses and inertias; for a flexible body check its modal"
                " coordinates, use fewer modes, or divide it into several bodies in a row"
            )
        if not values[0] > EPS * values[-1]:
            free = " in the directions that the constraints leave free" if len(G) else ""
            raise SingularError(
                f"system '{system}': the mass matrix is singular{free} at this point, so that its accelerations are"
                " not determined; check masses, inertias and lengths that are 0 here"
            )

    def solve(self, f: Array, gamma: Array) -> tuple[Array, Array]:
        """u̇ and λ; right sides may be matrices."""
        Z, sizes = self.kernel.basis, self.sizes if f.ndim == 1 else self.sizes[:, None]
        f = f * sizes
        given = self.kernel.least_norm(gamma)
        free = np.linalg.solve(self._reduced, Z.T @ (f - self.M @ given)) if Z.size else Z.T @ f
        u_dot = given + Z @ free
        return u_dot * sizes, self.kernel.least_norm_transposed(self.M @ u_dot - f)


@dataclass(frozen=True)
class Stiffness:
    """Changes of forces and of rates of extra states (rows) with displacements and extra states (columns; the first
    ``displacements`` are displacements), in units of their magnitudes, and by how much each entry may be off."""

    matrix: Array
    errors: Array
    displacements: int

    @property
    def rigid(self) -> int:
        """The number of independent displacements that nothing resists: those of the null space."""
        d = self.displacements
        return nullity(self.matrix, self.errors) - nullity(self.matrix[:, d:], self.errors[:, d:])


def nullity(matrix: Array, errors: Array) -> int:
    """The dimension of the null space of a matrix whose entries are known up to errors: the columns without a pivot
    beyond its error in an elimination with complete pivoting, where the errors are carried along. Rows and columns may
    differ by many orders of magnitude."""
    A, E, rank = matrix.copy(), errors.copy(), 0
    for rank in range(min(A.shape) + 1):
        certain = np.abs(A) > E
        if rank == min(matrix.shape) or not certain.any():
            break
        i, j = np.unravel_index(int(np.argmax(np.where(certain, np.abs(A), -1.0))), A.shape)
        left, top = A[:, j] / A[i, j], A[i] / A[i, j]
        change = np.outer(left, A[i])
        spread = E + np.outer(np.abs(left), E[i]) + np.outer(E[:, j], np.abs(top))
        E = spread + E[i, j] * np.outer(np.abs(left), np.abs(top)) + EPS * (np.abs(A) + np.abs(change))
        A = A - change
        A, E = (np.delete(np.delete(x, i, axis=0), j, axis=1) for x in (A, E))
    return int(matrix.shape[1]) - rank


def independent_speeds(G: Array, names: Sequence[str]) -> list[str]:
    """Speeds that determine all others by G u = 0, in the order of the system, without those whose pivot is small."""
    return [names[k] for k in _pivots(NullSpace(G).basis, (), range(len(names)), names)]


@dataclass(frozen=True)
class Tangent:
    """Small changes of a state that satisfy the constraints: δx = S δx[independent]."""

    S: Array
    independent: list[int]


def tangent(
    H: Array, c: Array, G: Array, others: int, first: Sequence[int], named: Sequence[str], speeds: Sequence[int]
) -> Tangent:
    """The changes ξ of coordinates and η of speeds with H ξ = 0 and c ξ + G η = 0, followed by ``others`` states
    without constraints. ``first`` are indices of states that must be independent, with names of all states ``named``
    for the error; the rest are chosen in the order of the states. ``speeds`` has the index of the speed of each
    direction of ξ, or −1: independent speeds are those of independent directions as far as possible."""
    n, m = H.shape[1], G.shape[1]
    coordinates, rates = NullSpace(H), NullSpace(G)
    wanted_q, wanted_u = [k for k in first if k < n], [k - n for k in first if k >= n]
    chosen_q = _pivots(coordinates.basis, wanted_q, range(n), named)
    of_wanted, of_chosen = ([speeds[k] for k in some if speeds[k] >= 0] for some in (wanted_q, chosen_q))
    order = [*dict.fromkeys([*of_wanted, *of_chosen, *range(m)])]
    chosen_u = _pivots(rates.basis, wanted_u, order, named[n:], len(of_wanted))
    E, F = (k.basis @ np.linalg.inv(k.basis[i]) for k, i in ((coordinates, chosen_q), (rates, chosen_u)))
    E[chosen_q], F[chosen_u] = np.eye(len(chosen_q)), np.eye(len(chosen_u))
    along = c @ E
    forced = -rates.least_norm(along)
    left = np.abs(along + G @ forced).max(initial=0.0)
    if left > 1e-6 * max(1.0, float(np.abs(along).max(initial=0.0))):
        raise SingularError("the equations for speeds have no solution near this point")
    forced = forced - F @ forced[chosen_u]
    forced[chosen_u] = 0.0
    a, b = len(chosen_q), len(chosen_u)
    S = np.zeros((n + m + others, a + b + others))
    S[:n, :a], S[n : n + m, :a], S[n : n + m, a : a + b] = E, forced, F
    S[n + m :, a + b :] = np.eye(others)
    return Tangent(S, [*chosen_q, *(n + k for k in chosen_u), *range(n + m, n + m + others)])


def _pivots(
    basis: Array, wanted: Sequence[int], order: Sequence[int], named: Sequence[str], preferred: int = 0
) -> list[int]:
    """Rows of a basis that are independent, as many as it has columns: those that are wanted, then the first in order
    whose pivot is not much smaller than the largest; the first ``preferred`` ones also with smaller pivots."""
    rest, chosen = basis.copy(), list[int]()

    def take(k: int) -> None:
        chosen.append(k)
        direction = rest[k] / np.linalg.norm(rest[k])
        rest[:] -= np.outer(rest @ direction, direction)

    for k in dict.fromkeys(wanted):
        if np.linalg.norm(rest[k]) <= DEPENDENT:
            others = ", ".join(named[i] for i in chosen)
            why = f"it follows from {others}" if others else "the constraints determine it"
            free = basis.shape[1]
            raise ArgumentError(
                f"'{named[k]}' cannot be an independent state here: {why}. Of {', '.join(named[: len(basis)])},"
                f" {free} are independent; name others, or leave independent=… out"
            )
        take(k)
    while len(chosen) < basis.shape[1]:
        sizes = np.linalg.norm(rest, axis=1)
        likely = [k for k in order[:preferred] if sizes[k] > SMALL]
        take(next(iter(likely), next(k for k in order if sizes[k] >= PIVOT * sizes.max())))
    return sorted(chosen)
