"""Static displacements of a structure by loads, with any linear combinations of its unknowns held, from one factor.

G₀ is the flexibility of the structure on statically determinate supports. With the combinations W x = w prescribed,
the displacements by forces f are x = G₀ (f − Wᵀ λ) + R c, where R are the rigid motions, and λ and c follow from
W x = w and from equilibrium, Rᵀ (f − Wᵀ λ) = 0. If rigid motions remain that W does not hold, forces are first
balanced by the inertia of a rigid acceleration, and the displacements are orthogonal to these motions (inertia relief).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ModelError
from freebody.model.structures.interfaces import TiedStructure
from freebody.model.structures.sparse_cholesky import NotPositiveError, SparseCholesky, product

Array = NDArray[np.float64]
Sparse = Any


class DeterminateSupport:
    """The flexibility G₀: with as many unknowns held as there are rigid motions, those of the first rigid interface or
    the ones that hold the structure best."""

    def __init__(self, tied: TiedStructure, progress: Callable[[float], object]) -> None:
        from scipy.linalg import qr

        self.tied = tied
        self.motions = _orthonormal(tied) if not tied.structure.grounded else np.zeros((tied.size, 0))
        held = np.zeros(tied.size, dtype=bool)
        if self.motions.shape[1]:
            _check_connected(tied)
            if len(tied.hubs):
                held[np.flatnonzero(tied.group == tied.hubs[0])] = True
            else:
                held[qr(self.motions.T, mode="economic", pivoting=True)[2][:6]] = True
        self.free = np.flatnonzero(~held)
        if not len(self.free):
            raise ModelError(
                f"{tied.structure.name}: all its nodes are tied to one interface, so that nothing deforms;"
                " tie fewer nodes"
            )
        A = tied.stiffness[self.free][:, self.free]
        try:
            self.factor = SparseCholesky(A, tied.group[self.free], tied.points, tied.hubs, progress)
        except NotPositiveError as error:
            i = int(self.free[error.row])
            raise ModelError(
                f"{tied.structure.name}: parts of the structure move without deformation, or its stiffness is negative:"
                f" see the node at {np.array2string(tied.points[tied.group[i]], precision=4)}. Mesh and supports must"
                " hold every node; hinges and loose nodes must be removed"
            ) from None

    def solve(self, forces: Array) -> Array:
        """G₀ f."""
        out = np.zeros_like(forces)
        out[self.free] = self.factor.solve(forces[self.free])
        return out


def _orthonormal(tied: TiedStructure) -> Array:
    """The six rigid motions as columns with Rᵀ M R = 1."""
    R = tied.rigid
    mass = np.asarray(R.T @ (tied.mass @ R))
    size = np.sqrt(np.maximum(np.diag(mass), np.finfo(float).tiny))
    try:
        lower = np.linalg.cholesky(mass / np.outer(size, size))
    except np.linalg.LinAlgError:
        raise ModelError(
            f"{tied.structure.name}: its mass has no inertia in some rigid motion; a structure needs"
            " masses that do not lie on one line, or rotary inertia"
        ) from None
    return np.asfortranarray(np.linalg.solve(lower, (R / size).T).T)


def _check_connected(tied: TiedStructure) -> None:
    """An error if the nodes fall into several pieces. Unknowns of a node are together, also where its displacements do
    not depend on each other, as stretching and bending of a plate."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    count, label = connected_components(tied.stiffness, directed=False)
    if count > 1:
        nodes = len(tied.points)
        pairs = coo_matrix((np.ones(tied.size), (tied.group, nodes + label)), shape=(nodes + count, nodes + count))
        pieces = connected_components(pairs, directed=False)[1]
        count, label = len(used := np.unique(pieces[nodes:])), np.searchsorted(used, pieces[nodes:])[label]
    if count > 1:
        sizes = np.bincount(label)
        small = int(np.argmin(sizes))
        at = tied.points[tied.group[int(np.flatnonzero(label == small)[0])]]
        raise ModelError(
            f"{tied.structure.name}: it consists of {count} pieces that are not connected; the smallest"
            f" has {sizes[small]} unknowns, one of them at {np.array2string(at, precision=4)}. Merge"
            " nodes that lie at the same place, and remove loose ones"
        )


@dataclass(frozen=True, eq=False)
class Flexibility:
    """Static displacements with the combinations W x held."""

    support: DeterminateSupport
    W: Sparse  # (w, n)
    GW: Array  # G₀ Wᵀ (n, w)
    inverse: Array  # of the equations for λ and c
    loose: Array  # rigid motions that are not held, with unit mass (n, z)
    heavy: Array  # M times them

    def solve(self, forces: Array, prescribed: Array | None = None) -> tuple[Array, Array]:
        """Displacements by forces (n, or n × m), with W x zero or prescribed; and K times them, which is more accurate
        than the product with the stiffness matrix."""
        R, w = self.support.motions, self.W.shape[0]
        f = forces - product(self.heavy, product(self.loose, forces, transposed=True))
        x = self.support.solve(f)
        held = self.W @ x - (0.0 if prescribed is None else prescribed)
        small = self.inverse @ np.concatenate([held, product(R, f, transposed=True)])
        x = x - product(self.GW, small[:w]) + product(R, small[w:])
        x = x - product(self.loose, product(self.heavy, x, transposed=True))
        return x, np.asarray(f - self.W.T @ small[:w])


def flexibility(support: DeterminateSupport, W: Sparse) -> Flexibility:
    """The flexibility with the combinations W x held."""
    from scipy.linalg import null_space
    from scipy.sparse import csr_matrix

    tied, R = support.tied, support.motions
    W = csr_matrix(W)
    w, r = W.shape[0], R.shape[1]
    GW = support.solve(W.T.toarray()) if w else np.zeros((tied.size, 0))
    S, WR = np.asarray(W @ GW), np.asarray(W @ R)
    size = np.abs(np.diag(S)).max(initial=0.0) or 1.0
    scale = np.concatenate([1 / np.sqrt(np.where(np.diag(S) > 1e-9 * size, np.diag(S), size)), np.ones(r)])
    rows = np.linalg.norm(WR, axis=1)
    N = null_space(WR / np.where(rows > 0, rows, 1.0)[:, None], rcond=1e-9) if w and r else np.eye(r)
    loose = R @ N
    # λ and c: [[W G₀ Wᵀ, −W R], [Rᵀ Wᵀ, N Nᵀ]] (λ, c) = (W G₀ f − w, Rᵀ f), where N Nᵀ excludes the loose motions
    A = np.block([[S, -WR], [WR.T, N @ N.T]])
    inverse = scale[:, None] * np.linalg.inv(scale[:, None] * A * scale) * scale
    columns = (np.asfortranarray(a) for a in (loose, tied.mass @ loose))
    return Flexibility(support, W, np.asfortranarray(GW), inverse, *columns)
