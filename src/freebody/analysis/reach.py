"""Subspaces of a linear system, by orthogonal steps: what inputs reach, what outputs see, what outputs can be kept from
seeing (Wonham 1985, ch. 1, 4 and 5)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
INVOLVED = 0.3
EDGE = 1e-9
"""How far left of the imaginary axis, in parts of itself, an eigenvalue decays."""


@dataclass(frozen=True)
class Hidden:
    """A mode that no input reaches (or no output sees): its eigenvector passes the test of Popov, Belevitch and Hautus,
    wᴴ(A − λ) = 0 and wᴴB = 0 (or C w = 0). ``states`` are its largest components."""

    value: complex
    states: tuple[str, ...]
    vector: Complex = field(repr=False, compare=False)


@dataclass(frozen=True)
class Reach:
    """The dimension that is reached (or seen) of all, and the modes that are not."""

    rank: int
    size: int
    hidden: tuple[Hidden, ...]
    what: str

    @property
    def complete(self) -> bool:
        return self.rank == self.size

    @property
    def harmless(self) -> bool:
        """Whether all hidden modes decay: the system is stabilisable (or detectable)."""
        return all(h.value.real < -EDGE * max(1.0, abs(h.value)) for h in self.hidden)

    def __str__(self) -> str:
        head = f"{self.rank} of {self.size} dimensions are {self.what}"
        return "\n".join([head, *(f"  not {h.value:.5g}: {', '.join(h.states)}" for h in self.hidden)])


def reach(A: Array, B: Array, names: Sequence[str], what: str, tolerance: float) -> Reach:
    """The smallest subspace that holds the columns of B and that A maps into itself, and the modes outside of it."""
    V, rest = _krylov(A, B, tolerance)
    values, vectors = np.linalg.eig((rest.T @ A @ rest).T) if rest.size else (np.zeros(0), np.zeros((0, 0)))
    order = sorted(range(len(values)), key=lambda k: (abs(values[k]), values[k].real, values[k].imag))
    whole = np.asarray(rest @ vectors, complex)
    found = [Hidden(complex(values[k]), involved(names, np.abs(whole[:, k])), whole[:, k]) for k in order]
    return Reach(V.shape[1], len(A), tuple(found), what)


def _krylov(A: Array, B: Array, tolerance: float) -> tuple[Array, Array]:
    """Orthonormal bases of the subspace and of its complement: directions are added while A leads out of it."""
    V, fresh = np.zeros((len(A), 0)), _range(B, tolerance * _size(B))
    while fresh.shape[1]:
        V = np.hstack([V, fresh])
        step = A @ fresh
        fresh = _range(step - V @ (V.T @ step), tolerance * _size(A))
    whole = np.linalg.qr(V, mode="complete")[0] if V.shape[1] else np.eye(len(A))
    return V, whole[:, V.shape[1] :]


def zeros(A: Array, B: Array, C: Array, D: Array, tolerance: float) -> Complex:
    """Eigenvalues of the motion within V*, the largest subspace in which the state can be kept while y = 0."""
    n, V = len(A), np.eye(len(A))
    edge = tolerance * max(_size(A), _size(B), _size(C), _size(D))
    while True:
        out = np.eye(n) - V @ V.T
        left, right = np.vstack([out @ A @ V, C @ V]), np.vstack([out @ B, D])
        kept = _kernel(np.hstack([left, right]), edge)[: V.shape[1]]
        smaller = V @ _range(kept, tolerance)
        if smaller.shape[1] == V.shape[1]:
            break
        V = smaller
    if np.linalg.matrix_rank(right, edge) < B.shape[1]:
        raise ArgumentError("the outputs do not depend on all inputs independently, so that zeros are not defined")
    keep = -np.linalg.lstsq(right, left, rcond=None)[0]
    return np.asarray(np.sort_complex(np.linalg.eigvals(V.T @ (A @ V + B @ keep))), complex)


def _range(matrix: Array, edge: float) -> Array:
    """An orthonormal basis of the range, singular values up to the edge left out."""
    if not matrix.size:
        return matrix[:, :0]
    U, s, _ = np.linalg.svd(matrix, full_matrices=False)
    return np.asarray(U[:, s > edge])


def _kernel(matrix: Array, edge: float) -> Array:
    """An orthonormal basis of what a matrix takes to 0."""
    _, s, Vt = np.linalg.svd(matrix)
    rank = int(np.sum(s > edge))
    return np.asarray(Vt[rank:].T)


def _size(matrix: Array) -> float:
    return float(np.linalg.norm(matrix, 2)) if matrix.size else 0.0


def involved(names: Sequence[str], share: Array) -> tuple[str, ...]:
    """The names with the largest shares, largest first: those of at least ``INVOLVED`` times the largest."""
    largest = float(share.max(initial=0.0))
    order = sorted(range(len(share)), key=lambda k: (-round(float(share[k]) / (largest or 1), 6), k))
    return tuple(names[k] for k in order if share[k] >= INVOLVED * largest > 0)
