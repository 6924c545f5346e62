"""Points at which the search of least-squares problems ends: whether they are minima, by second derivatives, and the
closing of their constraints."""

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.inverse_kinematics_result import AT_LIMIT, tangent
from freebody.integrate.least_squares import FREE, LeastSquares

Array = NDArray[np.float64]
DIFFERENCE, CURVED = 1e-5, 1e-7
"""The step of differences of gradients; eigenvalues below minus this fraction of the largest second derivative show
that a stationary point is no minimum."""

UNPUSHED = 1e-6
"""Coordinates at a limit may leave it where the gradient, as a fraction of the residual, is below this."""


OPEN, CLOSINGS = 1e-6, 4
"""The largest residual of constraints of a guess that needs not be assembled, and of a result that Newton steps can
close; how many."""


def close(p: LeastSquares, closed: float) -> None:
    """Close what is left open where a search ended early, by Newton steps of the coordinates off their limits."""
    for _ in range(CLOSINGS):
        p.evaluate(p.q)
        if not p.m or not closed < np.abs(p.phi).max() <= OPEN:
            return
        free, change = inside(p), np.zeros(p.n)
        change[free] = -np.linalg.lstsq(p.G[:, free], p.phi, rcond=1e-10)[0]
        p.q[:] = p.move(p.q.copy(), change)


def inside(p: LeastSquares) -> NDArray[np.bool_]:
    """The columns that are free and whose coordinates are off their limits, at q."""
    free = np.asarray(p.start_status[: p.n] == FREE)
    for c in np.flatnonzero((p.index >= 0) & free):
        x, near = p.q[p.index[c]], AT_LIMIT * (1 + abs(p.q[p.index[c]]))
        free[c] = x - p.low[c] > near and p.high[c] - x > near
    return free


def downwards(p: LeastSquares) -> Array | None:
    """The direction of columns along which the residual decreases to second order at a stationary point q; None
    where there is none: at a minimum."""
    q = p.q.copy()
    p.evaluate(q)
    weight = p.weight
    gradient, G = p.J.T @ (weight * p.residual), p.G.copy()
    free = p.start_status[: p.n] == FREE
    pushed = gradient
    if p.m:
        forces = np.linalg.lstsq(G[:, free].T, -gradient[free], rcond=1e-10)[0]
        pushed = gradient + G.T @ forces
    free &= inside(p) | (np.abs(pushed) <= UNPUSHED * p.record["cost"] ** 0.5)
    along = tangent(G[:, free])
    Z = np.zeros((p.n, along.shape[1]))
    Z[free] = along
    if not Z.shape[1]:
        return None
    forces = np.linalg.lstsq(G[:, free].T, -gradient[free], rcond=1e-10)[0] if p.m else np.zeros(0)

    def slope(delta: Array) -> Array:
        p.evaluate(p.move(q, delta))
        return np.asarray(Z.T @ (p.J.T @ (weight * p.residual) + p.G.T @ forces))

    rows = [(slope(DIFFERENCE * z) - slope(-DIFFERENCE * z)) / (2 * DIFFERENCE) for z in Z.T]
    p.q[:] = q
    H = np.array(rows)
    values, vectors = np.linalg.eigh((H + H.T) / 2)
    lowest, vector = float(values[0]), vectors[:, 0]
    if not lowest < -CURVED * max(1e-3, float(np.abs(H).max())):
        return None
    direction = Z @ vector
    return np.asarray(direction / np.abs(direction).max())
