"""Unit quaternions of rotation matrices, as numbers."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def quaternions(R: Array) -> Array:
    """(w, x, y, z) of rotation matrices, each from the largest of its four components."""
    xx, yy, zz = R[:, 0, 0], R[:, 1, 1], R[:, 2, 2]
    squares = np.stack([1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz], axis=1)
    products = np.empty((len(R), 4, 4))
    products[:, range(4), range(4)] = squares
    for i, j, r, c, sign in (
        (0, 1, 2, 1, -1),
        (0, 2, 0, 2, -1),
        (0, 3, 1, 0, -1),
        (1, 2, 0, 1, 1),
        (1, 3, 0, 2, 1),
        (2, 3, 1, 2, 1),
    ):
        products[:, i, j] = products[:, j, i] = R[:, r, c] + sign * R[:, c, r]
    rows = products[np.arange(len(R)), np.argmax(squares, axis=1)]
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))
