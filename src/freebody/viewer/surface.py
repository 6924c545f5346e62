"""Surfaces of finite elements and files for drawing: triangles turned alike, and vertices divided at sharp edges"""

from math import cos

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
CREASE = 0.6
"""Edges with a larger angle (rad) between their triangles are sharp."""


def turned_alike(triangles: Indices) -> Indices:
    """The triangles (m, 3) with their corners in an order such that neighbours have the same side up, as the first one
    of each connected part has it. Edges of three and more triangles connect nothing. A surface with one side, such as a
    Möbius strip, stays as it is.

    In the graph with two nodes for each triangle, as it is and reversed, an edge connects those that agree; its
    components are the two ways to turn each part.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    triangles = np.asarray(triangles, np.int64).reshape(-1, 3)
    first, second, same = _neighbours(triangles)
    n, a, b = len(triangles), first // 3, second // 3
    swapped = same.astype(np.int64)  # both run along their edge in the same direction
    rows, columns = np.concatenate([a, a + n]), np.concatenate([b + n * swapped, b + n * (1 - swapped)])
    graph = coo_array((np.ones(len(rows), bool), (rows, columns)), shape=(2 * n, 2 * n))
    label = connected_components(graph, directed=False)[1].reshape(2, n)
    return np.where((label[0] > label[1])[:, None], triangles[:, ::-1], triangles)


def drawn_surface(points: Array, triangles: Indices) -> tuple[Indices, Indices]:
    """Vertices (k,), as indices of points, and triangles (m, 3) of vertices, with the same side up. A point at which
    smooth parts of the surface meet in sharp edges is a vertex of each part, so that each has its own normal there."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    triangles = turned_alike(triangles)
    corners = points[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.linalg.norm(normals, axis=1, keepdims=True)
    normals /= np.where(size > 0, size, 1.0)
    first, second, same = _neighbours(triangles)
    smooth = ~same & (np.einsum("ij,ij->i", normals[first // 3], normals[second // 3]) >= cos(CREASE))
    first, second = first[smooth], second[smooth]
    rows = np.concatenate([first, _following(first)])
    columns = np.concatenate([_following(second), second])
    graph = coo_array((np.ones(len(rows), bool), (rows, columns)), shape=(triangles.size, triangles.size))
    label = connected_components(graph, directed=False)[1]
    _, one, which = np.unique(label, return_index=True, return_inverse=True)
    return triangles.ravel()[one], which.reshape(-1, 3).astype(np.int64)


def _neighbours(triangles: Indices) -> tuple[Indices, Indices, NDArray[np.bool_]]:
    """The pairs of sides at which exactly two triangles meet, and whether both run in the same direction. Side 3t + k
    is that of triangle t from its corner k to the next one."""
    start, end = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    low, high = np.minimum(start, end), np.maximum(start, end)
    order = np.lexsort((high, low))
    low, high = low[order], high[order]
    starts = np.flatnonzero(np.r_[True, (low[1:] != low[:-1]) | (high[1:] != high[:-1])][: len(order)])
    pairs = starts[np.diff(np.r_[starts, len(order)]) == 2]
    first, second = order[pairs], order[pairs + 1]
    other = first // 3 != second // 3
    first, second = first[other], second[other]
    return first, second, start[first] == start[second]


def _following(sides: Indices) -> Indices:
    """The sides of the same triangles that come after these."""
    return np.asarray(3 * (sides // 3) + (sides + 1) % 3)
