"""Orthonormal modes (M_ff = 1, K diagonal) from any independent shapes, their damping and their list; checks; and modes
that follow their forces quasi-statically."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import FieldError, ModelError
from freebody.fem.modal_data import BodyMode, ModalData

Array = NDArray[np.float64]

SAME = 1e-12
"""Entries of M_ff and K below this, relative to the diagonal, are zero."""
DEPENDENT = 1e-10
"""Shapes are dependent if a combination of them, each of length 1, is shorter than this."""
NOISE = 1e-14
"""Entries of modal integrals below this, relative to the inertia of the body, are zero."""
BUTTERWORTH = float(np.sqrt(0.5))
"""The damping ratio of quasi-static modes."""


@dataclass(frozen=True)
class Damping:
    """Ratios of the critical damping for each mode or for all of them, and a, b of a M + b K."""

    ratios: tuple[float, ...] = ()
    rayleigh: tuple[float, float] = (0.0, 0.0)

    def ratios_of(self, n: int) -> Array:
        """A ratio for each of n modes."""
        if len(self.ratios) not in (0, 1, n):
            raise FieldError(
                f"there are {n} modes and {len(self.ratios)} damping ratios; give one for each mode, or one for all",
                "damping",
            )
        return np.zeros(n) if not self.ratios else np.broadcast_to(np.array(self.ratios), n)

    def matrix(self, omega: Array) -> Array:
        """The damping matrix diag(2 ζ ω) + a + b ω² of orthonormal modes with these frequencies."""
        a, b = self.rayleigh
        return np.diag(2 * self.ratios_of(len(omega)) * omega + a + b * omega**2)


def orthonormal(data: ModalData, kinds: Sequence[str], damping: Damping, count: int | None = None) -> ModalData:
    """The data for the ``count`` lowest orthonormal modes among combinations of the modes of ``data``, sorted by
    frequency. ``kinds`` are those of the modes; groups of modes that are not coupled stay separate."""
    if data.n == 0:
        return data
    massless = positive_modes(data.M_ff)
    if massless is not None:
        raise ModelError(f"mode {massless + 1} moves no mass, alone or combined with others; leave it out")
    vectors, squares, labels = list[Array](), list[float](), list[str]()
    for group in _uncoupled(data.M_ff, data.K):
        M, K = data.M_ff[np.ix_(group, group)], data.K[np.ix_(group, group)]
        T, squared = _eigenvectors(M, K)
        of_group = {kinds[i] for i in group}
        for k in range(len(group)):
            vector = np.zeros(data.n)
            vector[group] = T[:, k]
            vectors.append(vector)
            squares.append(squared[k])
            labels.append(of_group.copy().pop() if len(of_group) == 1 else "")
    order = np.argsort(np.array(squares), kind="stable")[:count]
    omega2 = np.array(squares)[order]
    changed = data.in_basis(np.array(vectors).reshape(-1, data.n)[order].T)
    return listed(replace(changed, M_ff=np.eye(len(order)), K=np.diag(omega2)), [labels[i] for i in order], damping)


def listed(data: ModalData, kinds: Sequence[str], damping: Damping) -> ModalData:
    """Orthonormal modal data with its damping matrix, its list of modes, and without rounding errors in place of 0."""
    data = without_noise(data)
    data = replace(data, D=data.D + damping.matrix(np.sqrt(np.diag(data.K))))
    return replace(data, modes=body_modes(data, kinds))


def body_modes(data: ModalData, kinds: Sequence[str]) -> tuple[BodyMode, ...]:
    """The list of orthonormal modes of these kinds."""
    omega, effective = np.sqrt(np.diag(data.K)), np.vstack([data.F0, data.E]) ** 2
    return tuple(
        BodyMode(kind, float(w), float(d / (2 * w)), effective[:, r].copy())
        for r, (kind, w, d) in enumerate(zip(kinds, omega, np.diag(data.D), strict=True))
    )


def with_quasi_static_modes(data: ModalData, limit: float) -> ModalData:
    """The data with all modes above ``limit`` (rad/s) quasi-static, so that they do not limit the steps of a run. Modes
    are scaled such that M_ff stays 1.

    A mode of frequency ω_r above the limit ω_c gets the added inertia ω_r²/ω_c² along its own speed, as an armature,
    and damping of ratio 1/√2; its own damping is neglected. Its frequency falls to ω_r / √(1 + ω_r²/ω_c²) < ω_c with
    the body's frame fixed, and with any other motion of the frame too: what moves with a mode is never less than the
    added inertia. Stiffness and couplings are not changed, so static deflections are exact and momentum and power
    balance exactly. Below ω_c the mode is a Butterworth filter of its static response: at ω its amplitude is off by
    (ω/ω_c)⁴/2, and it is delayed by √2/ω_c.
    """
    if not (limit > 0 and np.isfinite(limit)):
        raise FieldError(f"{limit:g} is not a frequency; give a positive number in rad/s")
    if len(data.modes) != data.n:
        raise FieldError(
            "the coordinates of this body are displacements of nodes, which have no frequencies; describe it by modes"
        )
    squares = np.diag(data.K)
    above = squares > limit**2
    mass = np.where(above, 1 + squares / limit**2, 1.0)
    K = np.diag(squares / mass)
    omega = np.sqrt(np.diag(K))
    scaled = data.in_basis(np.diag(1 / np.sqrt(mass)))
    D = np.where(above[:, None] | above, np.diag(2 * BUTTERWORTH * omega), scaled.D)
    modes = [
        replace(mode, frequency=float(w), damping=BUTTERWORTH, quasi_static=True) if s else mode
        for mode, w, s in zip(data.modes, omega, above, strict=True)
    ]
    paper = scaled.paper and replace(scaled.paper, G=scaled.paper.G + np.diag(1 - 1 / mass))
    return replace(scaled, M_ff=np.eye(data.n), K=K, D=D, modes=tuple(modes), paper=paper)


def _uncoupled(M: Array, K: Array) -> list[NDArray[np.intp]]:
    """Groups of modes without terms between them in M and K."""
    from scipy.sparse.csgraph import connected_components

    coupled = np.zeros(M.shape, dtype=bool)
    for A in (M, K):
        d = np.sqrt(np.abs(np.diag(A)))
        coupled |= np.abs(A) > SAME * np.outer(d, d)
    count, label = connected_components(coupled, directed=False)
    return [np.flatnonzero(label == k) for k in range(count)]


def _eigenvectors(M: Array, K: Array) -> tuple[Array, Array]:
    """T and ω² with Tᵀ M T = 1 and Tᵀ K T = diag(ω²), by ascending ω²; the largest entry of each column is positive.
    Solved for 1/ω², so that low frequencies are the accurate ones."""
    from scipy.linalg import eigh

    if len(M) == 1:
        return 1 / np.sqrt(M), np.diag(K / M)
    inverse, T = eigh(M, K)
    inverse, T = inverse[::-1], T[:, ::-1]
    T = T / np.sqrt(inverse)
    return T * np.sign(T[np.argmax(np.abs(T), axis=0), range(len(M))]), 1 / inverse


def without_noise(data: ModalData) -> ModalData:
    """The data with rounding errors replaced by 0: entries that are much smaller than the body's inertia allows."""
    size, length = np.sqrt(data.m), np.sqrt(np.trace(data.J0))
    bounds = {
        "c0": size * length,
        "E": size,
        "C": _largest(data.C),
        "F0": length,
        "F1": max(1.0, _largest(data.F1)),
        "J0": length**2,
        "J1": length,
        "J2": max(1.0, _largest(data.J2)),
    }

    def cleaned(x: Array, bound: float) -> Array:
        return np.where(np.abs(x) > NOISE * bound, x, 0.0)

    arrays: dict[str, Any] = {name: cleaned(data.__dict__[name], bound) for name, bound in bounds.items()}
    return replace(data, **arrays)


def _largest(x: Array) -> float:
    return float(np.abs(x).max(initial=0.0))


def check_shapes(shapes: Array, names: Sequence[str], key: str) -> None:
    """Raise if the columns are linearly dependent, or if one of them is zero."""
    sizes = np.linalg.norm(shapes, axis=0)
    if np.any(sizes == 0):
        raise FieldError(f"{names[int(np.argmin(sizes))]} is zero at all nodes; leave it out", key)
    _, values, rows = np.linalg.svd(shapes / sizes, full_matrices=False)
    if len(values) < len(sizes):
        raise FieldError(f"{len(sizes)} modes are more than the {len(shapes)} motions of the nodes; give fewer", key)
    if values[-1] < DEPENDENT:
        involved = [name for name, x in zip(names, rows[-1], strict=True) if abs(x) > 1e-3]
        raise FieldError(f"{', '.join(involved)} are linearly dependent; leave one of them out", key)


def check_stiffness(K: Array, key: str) -> Array:
    """The symmetric stiffness matrix; raises if it is not symmetric and positive definite."""
    size = np.abs(K).max(initial=0.0)
    if np.abs(K - K.T).max(initial=0.0) > 1e-8 * size:
        raise FieldError("the stiffness matrix is not symmetric", key)
    K = (K + K.T) / 2
    d = np.diag(K)
    lowest = d.min(initial=np.inf)
    if lowest > 0:
        scaled = K / np.sqrt(np.outer(d, d))
        lowest = float(np.linalg.eigvalsh(scaled)[0])
        if lowest > NOISE:
            return K
    if lowest < -SAME:
        raise FieldError(
            "the stiffness matrix is indefinite: some deformation releases energy. Check the signs of its"
            " entries and the order of its degrees of freedom",
            key,
        )
    raise FieldError(
        "the stiffness matrix is singular: some motion deforms nothing. Give only modes that deform the"
        " body, or fix the body's frame to a node with frame='…'",
        key,
    )


def check_damping(D: Array, key: str) -> None:
    """Raise if the damping matrix is not symmetric, or if some motion would gain energy from it."""
    size = np.abs(D).max(initial=0.0)
    if np.abs(D - D.T).max(initial=0.0) > 1e-8 * size:
        raise FieldError("the damping matrix is not symmetric", key)
    if size and not np.linalg.eigvalsh((D + D.T) / (2 * size))[0] >= -1e-9:
        raise FieldError(
            "the damping matrix is not positive: some motion of the modes gains energy from it. Check its signs", key
        )


def positive_modes(M: Array) -> int | None:
    """None if the mass matrix of modes is positive definite, else the index of a mode in a motion without mass."""
    d = np.diag(M)
    if d.min(initial=np.inf) <= 0:
        return int(np.argmin(d))
    values, vectors = np.linalg.eigh(M / np.sqrt(np.outer(d, d)))
    return None if values[0] > SAME else int(np.argmax(np.abs(vectors[:, 0])))
