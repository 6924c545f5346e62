"""What constraints leave free: the rank of G at assembled states, and the speeds that are determined.

Of a few equations it follows from singular values. Of many equations it follows from the regular matrix GᵀG + ε² 1: ε²
times the diagonal of its inverse is the share of each speed that is free; the rank is the number of speeds less the sum
of these, Σ s²/(s² + ε²) over the singular values s.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.tree.assembled_samples import DEPENDENT, AssembledSample, Sampler
from freebody.tree.assembly import ResidualsAt
from freebody.tree.constraints import RowKey

Array = NDArray[np.float64]
EPS = 1e-5
"""ε: singular values far above this number count as different from zero, and those far below as zero."""

UNCERTAIN, SMALL, BLOCK = 0.05, 1e-7, 256
"""How far a sum of shares may be from a whole number, so that it is taken; a share that counts as none; and how many
shares are computed together."""


class ConstraintFreedoms(NamedTuple):
    """The rank of G, the indices in u of the speeds that have no freedom, the rows whose multipliers the motion does
    not determine, and the assembled states by symbol."""

    rank: int
    determined: list[int]
    undetermined: list[RowKey]
    states: Sequence[Mapping[str, float]]


def dense_freedoms(
    sampler: Sampler, constraints: Collection[str], samples: Sequence[AssembledSample]
) -> ConstraintFreedoms:
    """The largest rank of G at some samples, by singular values; where there are none, the number of rows that some
    speed changes."""
    rows = [k for k, key in enumerate(sampler.forms[False].rows) if key.constraint in constraints]
    spaces, n = [_null_space(sample.G[False][rows]) for sample in samples], len(sampler.speeds)
    changed = min(n, sum(k not in sampler.unchanged for k in rows))
    free = {k for Z in spaces for k in np.flatnonzero(np.abs(Z).max(axis=1, initial=0.0) > DEPENDENT)}
    determined = [speed for k, speed in enumerate(sampler.speeds) if spaces and k not in free]
    rank = max((n - Z.shape[1] for Z in spaces), default=changed)
    states = [_by_name(sampler, sample) for sample in samples]
    shares = [np.square(_null_space(sample.G[False][rows].T)).sum(axis=1) for sample in samples]
    return ConstraintFreedoms(rank, determined, _undetermined(sampler, rows, samples, shares, DEPENDENT**2), states)


def _undetermined(
    sampler: Sampler, rows: Sequence[int], samples: Sequence[AssembledSample], shares: Sequence[Array], smallest: float
) -> list[RowKey]:
    """The rows that have a share in multipliers without effect, Gᵀλ = 0, at all samples, and do not vanish."""
    keys, result = list(sampler.forms[False].rows), list[RowKey]()
    for i, k in enumerate(rows):
        sizes = [float(np.linalg.norm(sample.G[False][k])) for sample in samples]
        if samples and min(sizes) > 0 and all(one[i] > smallest for one in shares):
            result.append(keys[k])
    return result


def sparse_freedoms(
    sampler: Sampler, constraints: Collection[str], samples: Sequence[AssembledSample]
) -> ConstraintFreedoms:
    """The same of many equations, at the sample with the largest rank."""
    rows = [k for k, key in enumerate(sampler.forms[False].rows) if key.constraint in constraints]
    shares = [free_shares(sample.G[False][rows]) for sample in samples]
    if not samples or any(abs(one.sum() - round(one.sum())) > UNCERTAIN for one in shares):
        return dense_freedoms(sampler, constraints, samples)
    least = min(shares, key=lambda one: float(one.sum()))
    determined = [speed for k, speed in enumerate(sampler.speeds) if max(one[k] for one in shares) <= SMALL]
    rank = len(sampler.speeds) - round(least.sum())
    loads = [free_shares(sample.G[False][rows].T) for sample in samples]
    undetermined = _undetermined(sampler, rows, samples, loads, SMALL)
    return ConstraintFreedoms(rank, determined, undetermined, [_by_name(sampler, sample) for sample in samples])


def free_shares(G: Array) -> Array:
    """ε² diag((GᵀG + ε² 1)⁻¹): for each column of G the sum of the squares of its components in the null space."""
    factor, n = _normal_factor(G), G.shape[1]
    units = [np.eye(n, min(BLOCK, n - k), -k) for k in range(0, n, BLOCK)]
    return np.concatenate([EPS**2 * np.diag(factor.solve(unit)[k * BLOCK :]) for k, unit in enumerate(units)])


def sparse_step(at: ResidualsAt) -> Array:
    """The step towards φ = 0 of many equations: −(GᵀG + ε² 1)⁻¹ Gᵀφ with G along the directions that are free."""
    G = at.G @ at.free
    return np.asarray(at.free @ _normal_factor(G).solve(-(G.T @ at.phi)))


def _normal_factor(G: Array) -> Any:
    """The sparse factors of GᵀG + ε² 1."""
    from scipy.sparse import csr_array, identity
    from scipy.sparse.linalg import splu

    rows = csr_array(G)
    return splu((rows.T @ rows + EPS**2 * identity(G.shape[1])).tocsc())


def _null_space(G: Array) -> Array:
    """The motions that equations leave free, as orthonormal columns."""
    _, sizes, V = np.linalg.svd(G)
    return np.asarray(V[np.count_nonzero(sizes > DEPENDENT) :].T)


def _by_name(sampler: Sampler, sample: AssembledSample) -> dict[str, float]:
    g = sampler.tree.graph
    return {g.symbols[g.a[h]].name: x for h, x in sample.state.items()}
