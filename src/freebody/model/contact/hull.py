"""Convex hulls of meshes as points: all of their corners, or those that keep the shape best."""

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from freebody.errors import FieldError
from freebody.model.shapes import Mesh

Array = NDArray[np.float64]

DIRECTIONS = 2000
"""Directions in which a hull with fewer points is compared with the whole."""

FLAT = 1e-9
"""The thickness, as a part of the size, below which a mesh is flat."""


def hull_of(shape: Mesh, limit: int) -> tuple[tuple[float, float, float], ...]:
    """Points of the convex hull of a mesh, in the frame of the shape, at most ``limit``."""
    scale = shape.scale if isinstance(shape.scale, tuple | list) else (shape.scale,) * 3
    x, y, z = (float(s) for s in scale)
    return _hull(str(shape.file), tuple(shape.folders or ()), (x, y, z), limit)


@lru_cache(maxsize=256)
def _hull(
    file: str, folders: tuple[str, ...], scale: tuple[float, float, float], limit: int
) -> tuple[tuple[float, float, float], ...]:
    from freebody.extras import install_command
    from freebody.mesh_files import MeshError, find_mesh, last_name, read_mesh
    from freebody.mesh_reading import MissingReader, read_triangles

    try:
        places = [Path(folder) for folder in folders]
        parts = [corners.reshape(-1, 3) for corners, _ in read_triangles(read_mesh(find_mesh(file, places), places))]
    except MissingReader as error:
        raise FieldError(f"mesh '{last_name(file)}' {error}; install it: {install_command('viewer')}") from None
    except MeshError as error:
        raise FieldError(f"mesh '{last_name(file)}' {error}, so that it cannot touch anything") from None
    points = np.concatenate([*parts, np.empty((0, 3))]) * scale
    points = np.unique(points[np.isfinite(points).all(1)], axis=0)
    if not len(points):
        raise FieldError(f"mesh '{last_name(file)}' has no points, so that it cannot touch anything")
    return tuple((x, y, z) for x, y, z in extreme(corners_of_hull(points), limit).tolist())


def corners_of_hull(points: Array) -> Array:
    """The corners of the convex hull of points; all of them, where these are in a plane."""
    from scipy.spatial import ConvexHull

    size = np.ptp(points, axis=0).max()
    if np.linalg.svd(points - points.mean(0), compute_uv=False)[-1] <= FLAT * size or len(points) < 4:
        return points
    return np.asarray(points[ConvexHull(points).vertices])


def extreme(points: Array, limit: int) -> Array:
    """At most ``limit`` of the points: each in turn is that by which the hull of those before falls most short, in many
    directions. They are the points with the largest error of the hull along a direction, and so lie apart."""
    if len(points) <= limit:
        return points
    n = _directions(DIRECTIONS)
    along = n @ points.T
    widest, chosen = along.max(1), list[int]()
    reached = np.full(len(n), -np.inf)
    for _ in range(limit):
        worst = int(np.argmax(widest - reached)) if chosen else 0
        chosen.append(int(np.argmax(along[worst])))
        reached = np.maximum(reached, along[:, chosen[-1]])
    return np.asarray(points[sorted(set(chosen))])


def _directions(count: int) -> Array:
    """Directions spread evenly over the sphere (Fibonacci's spiral)."""
    k = np.arange(count) + 0.5
    z, angle = 1 - 2 * k / count, np.pi * (1 + 5**0.5) * k
    r = np.sqrt(1 - z * z)
    return np.column_stack([r * np.cos(angle), r * np.sin(angle), z])
