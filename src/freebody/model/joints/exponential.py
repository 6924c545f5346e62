"""Numbers of simple joints: motions along twists as 4×4 matrices, and coordinates that lead where a motion leads."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ModelError

Array = NDArray[np.float64]
STEPS = 50


def matrix(twists: Sequence[Sequence[Any]]) -> Array:
    """6×n"""
    return np.array([[float(x) for x in h] for h in twists]).T


def hat(h: Array) -> Array:
    """A twist as a 4×4 matrix."""
    (a, b, c), made = h[:3], np.zeros((4, 4))
    made[:3, :3], made[:3, 3] = [[0, -c, b], [c, 0, -a], [-b, a, 0]], h[3:]
    return made


def exp(h: Array) -> Array:
    from scipy.linalg import expm

    return np.asarray(expm(hat(h)), float)


def log(X: Array) -> Array:
    """The twist whose exponential this is."""
    from scipy.spatial.transform import Rotation

    w = Rotation.from_matrix(X[:3, :3]).as_rotvec()
    angle, W = float(np.linalg.norm(w)), hat(np.array([*w, 0, 0, 0]))[:3, :3]
    if angle < 1e-5:
        mean = np.eye(3) + W / 2 + W @ W / 6
    else:
        mean = np.eye(3) + (1 - np.cos(angle)) / angle**2 * W + (angle - np.sin(angle)) / angle**3 * W @ W
    return np.array([*w, *np.linalg.solve(mean, X[:3, 3])])


def pose(H: Array, q: Array) -> Array:
    """λ(q): the first column nearest to the child."""
    X = np.eye(4)
    for h, x in zip(H.T, q, strict=True):
        X = exp(h * x) @ X
    return X


def axes(H: Array, q: Array) -> Array:
    """B(q): the twist of the child for each unit of a rate."""
    made, inner = np.zeros_like(H), np.eye(4)
    for k, (h, x) in enumerate(zip(H.T, q, strict=True)):
        made[:, k] = unhat(inverse(inner) @ hat(h) @ inner)
        inner = exp(h * x) @ inner
    return made


def inverse(X: Array) -> Array:
    made = np.eye(4)
    made[:3, :3], made[:3, 3] = X[:3, :3].T, -X[:3, :3].T @ X[:3, 3]
    return made


def unhat(P: Array) -> Array:
    return np.array([P[2, 1], P[0, 2], P[1, 0], *P[:3, 3]])


def integrate(H: Array, q: Array, delta: Array) -> Array:
    """Where constant speeds along the first columns lead: the coordinates of λ(q) exp(Hδ), by Newton's method."""
    aim = pose(H, q) @ exp(H[:, : len(delta)] @ delta)
    found = np.array(q, float)
    for _ in range(STEPS):
        left = log(inverse(pose(H, found)) @ aim)
        step = np.linalg.lstsq(axes(H, found), left, rcond=None)[0]
        found = found + step * min(1.0, 1.0 / max(float(np.max(np.abs(step))), 1e-300))
        if np.max(np.abs(step)) < 1e-13:
            return np.asarray(found, float)
    raise ModelError("a simple joint's coordinates are singular on the way; choose another order of the columns")


def difference(H: Array, start: Array, end: Array) -> Array:
    """The constant speeds along all columns that lead from one to the other."""
    way = log(inverse(pose(H, start)) @ pose(H, end))
    return np.asarray(np.linalg.lstsq(H, way, rcond=None)[0], float)


def spread(delta: Array, more: int) -> Array:
    """As many further coordinates as are missing, of the same size."""
    return np.concatenate([delta, delta[np.arange(more) % len(delta)] * 0.7])
