"""Cholesky factors of large stiffness matrices, by dense blocks.

SciPy's only factorisation of sparse matrices, SuperLU, neither uses the symmetry nor more than one core. The stiffness
of a solid has dense rows, so its factor is mostly dense blocks: here the nodes are ordered by nested dissection of
their positions, and every part of the dissection is one dense step (multifrontal method). benchmarks/structures.py
measures both.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ModelError

Array = NDArray[np.float64]
Indices = NDArray[np.intp]
LEAF = 60
"""Nodes of a part that is not dissected any more."""
RUNS = 1000
"""Rectangles up to which a block is added by rectangles, and not entry by entry."""
SINGULAR = 1e-11
"""Pivots below this, relative to the diagonal of the matrix, belong to motions without stiffness."""


@dataclass(frozen=True)
class Part:
    """A part of the dissection: the rows that are eliminated in it and later rows that they are coupled with."""

    start: int
    end: int
    border: Indices  # ascending


class SparseCholesky:
    """The factor of a symmetric positive definite matrix. ``group`` is the node of each row, ``positions`` are the
    nodes' positions, ``last`` are nodes that are eliminated at the end because they are coupled with many others.
    ``progress`` is called with the fraction that is done."""

    def __init__(
        self, A: Any, group: Indices, positions: Array, last: Indices, progress: Callable[[float], object]
    ) -> None:
        used, group = np.unique(group, return_inverse=True)
        positions, last = positions[used], np.flatnonzero(np.isin(used, last))
        nodes, ends, children = dissection(_graph(A, group, len(used)), positions, last)
        rank = np.empty(len(used), dtype=np.intp)
        rank[nodes] = np.arange(len(nodes))
        self.permutation = np.argsort(rank[group], kind="stable")
        counts = np.bincount(rank[group], minlength=len(nodes))
        row_ends = np.concatenate([[0], np.cumsum(counts)])[ends]
        permuted = A[self.permutation][:, self.permutation].tocsr()
        self.parts, self.blocks = list[Part](), list[tuple[Array, Array]]()
        self.size = A.shape[0]
        try:
            self._factor(permuted, row_ends, children, progress)
        except _NotPositive as error:
            raise NotPositiveError(int(self.permutation[error.row])) from None

    @property
    def entries(self) -> int:
        """The number of stored numbers."""
        return sum(a.size + b.size for a, b in self.blocks)

    def _factor(
        self, A: Any, row_ends: Indices, children: list[list[int]], progress: Callable[[float], object]
    ) -> None:
        from scipy.linalg.blas import dsyrk, dtrsm
        from scipy.linalg.lapack import dpotrf

        updates = dict[int, tuple[Indices, Array]]()
        start, diagonal = 0, A.diagonal()
        for k, end in enumerate(row_ends):
            own = end - start
            rows = A[start:end]
            at = np.repeat(np.arange(own), np.diff(rows.indptr))
            inside, later = (rows.indices >= start) & (rows.indices < end), rows.indices >= end
            inner = [updates.pop(c) for c in children[k] if c in updates]
            below = [rows.indices[later], *(index[np.searchsorted(index, end) :] for index, _ in inner)]
            border = np.unique(np.concatenate(below)).astype(np.intp)
            # lower triangles of the rows and columns that are eliminated, of the rows below them, and of the rest
            F11, F21 = np.zeros((own, own), order="F"), np.zeros((len(border), own), order="F")
            F22 = np.zeros((len(border), len(border)), order="F")
            F11[rows.indices[inside] - start, at[inside]] = rows.data[inside]
            F21[np.searchsorted(border, rows.indices[later]), at[later]] = rows.data[later]
            for index, update in inner:
                cut = int(np.searchsorted(index, end))
                eliminated, rest = index[:cut] - start, np.searchsorted(border, index[cut:])
                _add(F11, eliminated, eliminated, update[:cut, :cut], lower=True)
                _add(F21, rest, eliminated, update[cut:, :cut])
                _add(F22, rest, rest, update[cut:, cut:], lower=True)
            L11, failed = dpotrf(F11, lower=1, clean=1, overwrite_a=1)
            size, pivots = diagonal[start:end], np.diag(L11) ** 2
            if failed or (pivots <= SINGULAR * size).any():
                raise _NotPositive(start + (failed - 1 if failed else int(np.argmin(pivots / size))))
            if len(border):
                F21 = dtrsm(1.0, L11, F21, side=1, lower=1, trans_a=1, overwrite_b=1)
                updates[k] = border, dsyrk(-1.0, F21, 1.0, F22, lower=1, overwrite_c=1)
            self.parts.append(Part(start, end, border))
            self.blocks.append((L11, F21))
            start = end
            progress(k / len(row_ends))

    def solve(self, b: Array) -> Array:
        """The solution for one right-hand side (N) or several (N, m)."""
        from scipy.linalg.blas import dtrsm, dtrsv

        single = b.size == self.size
        x = b.ravel()[self.permutation] if single else np.array(b[self.permutation], order="F")
        for part, (L11, L21) in zip(self.parts, self.blocks, strict=True):
            own = x[part.start : part.end]
            own = dtrsv(L11, own, lower=1) if single else dtrsm(1.0, L11, own, lower=1)
            x[part.start : part.end] = own
            if len(part.border):
                x[part.border] -= product(L21, own)
        for part, (L11, L21) in zip(reversed(self.parts), reversed(self.blocks), strict=True):
            own = x[part.start : part.end]
            if len(part.border):
                own = own - product(L21, x[part.border], transposed=True)
            own = dtrsv(L11, own, lower=1, trans=1) if single else dtrsm(1.0, L11, own, lower=1, trans_a=1)
            x[part.start : part.end] = own
        out = np.empty_like(x)
        out[self.permutation] = x
        return out.reshape(b.shape)


def product(A: Array, x: Array, transposed: bool = False) -> Array:
    """A x or Aᵀ x for an array that is stored by columns, by SciPy's routines. NumPy's products have threads of their
    own, and the two sets of threads wait for each other if products alternate with SciPy's solutions."""
    from scipy.linalg.blas import dgemm, dgemv

    if 0 in A.shape:
        return np.zeros((A.shape[1 if transposed else 0], *x.shape[1:]))
    return np.asarray(dgemv(1.0, A, x, trans=transposed) if x.ndim == 1 else dgemm(1.0, A, x, trans_a=transposed))


class NotPositiveError(ModelError):
    """The matrix is not positive definite at this row."""

    def __init__(self, row: int) -> None:
        super().__init__(f"the stiffness matrix is not positive definite at its row {row + 1}")
        self.row = row


class _NotPositive(Exception):
    def __init__(self, row: int) -> None:
        self.row = row


def _add(to: Array, rows: Indices, columns: Indices, block: Array, lower: bool = False) -> None:
    """Add a block to rows and columns, which ascend, of an array that is stored by columns; of a symmetric one at least
    the ``lower`` triangle."""
    places = [np.split(np.arange(len(x)), np.flatnonzero(np.diff(x) != 1) + 1) for x in (rows, columns)]
    if len(places[0]) * len(places[1]) > RUNS:
        to.T[np.ix_(columns, rows)] += block.T
        return
    for j in places[1]:
        for i in places[0]:
            if len(i) and len(j) and not (lower and rows[i[-1]] < columns[j[0]]):
                part = to[rows[i[0]] : rows[i[-1]] + 1, columns[j[0]] : columns[j[-1]] + 1]
                part += block[i[0] : i[-1] + 1, j[0] : j[-1] + 1]


def _graph(A: Any, group: Indices, count: int) -> Any:
    """The graph of nodes that share entries of the matrix."""
    from scipy.sparse import csr_matrix

    one = csr_matrix((np.ones(len(group), dtype=np.int32), (group, np.arange(len(group)))), shape=(count, len(group)))
    pattern = csr_matrix((np.ones(A.nnz, dtype=np.int32), A.indices, A.indptr), shape=A.shape)
    return (one @ pattern @ one.T).tocsr()


def dissection(graph: Any, positions: Array, last: Indices) -> tuple[Indices, Indices, list[list[int]]]:
    """Nested dissection: an order of the nodes in which each part comes after those that it separates, the end of each
    part in that order, and the parts that are its children."""
    import sys

    n = len(positions)
    order, ends, children = list[Indices](), list[int](), list[list[int]]()
    mark = np.zeros(n, dtype=np.int8)

    def add(nodes: Indices, inner: list[int]) -> int:
        order.append(nodes)
        ends.append((ends[-1] if ends else 0) + len(nodes))
        children.append(inner)
        return len(ends) - 1

    def beside(some: Indices, others: Indices) -> NDArray[np.bool_]:
        """Which of some nodes are neighbours of others."""
        mark[others] = 1
        rows = graph[some]
        hit = np.concatenate([[0], np.cumsum(mark[rows.indices])])
        mark[others] = 0
        return np.asarray(hit[rows.indptr[1:]] > hit[rows.indptr[:-1]])

    def dissect(nodes: Indices) -> list[int]:
        """The parts of these nodes; returns those that no other of them contains."""
        if len(nodes) > LEAF:
            x = positions[nodes]
            x = x[:, np.argmax(np.ptp(x, axis=0))]
            left = x < np.median(x)
            if left.any():
                a, b = nodes[left], nodes[~left]
                of_a, of_b = beside(a, b), beside(b, a)
                cut, a, b = (a[of_a], a[~of_a], b) if of_a.sum() < of_b.sum() else (b[of_b], a, b[~of_b])
                inner = [part for side in (a, b) if len(side) for part in dissect(side)]
                return [add(cut, inner)] if len(cut) else inner
        return [add(nodes, [])]

    top = np.setdiff1d(np.arange(n), last)
    depth = sys.getrecursionlimit()
    sys.setrecursionlimit(max(depth, 10_000))
    try:
        inner = dissect(top) if len(top) else []
    finally:
        sys.setrecursionlimit(depth)
    if len(last):
        add(np.asarray(last), inner)
    return np.concatenate(order), np.array(ends), children
