"""Numbers on the manifold of orientations: q ⊕ δ and q₁ ⊖ q₀ for joints whose speeds are not the rates of their
coordinates. δ is along the speeds: what constant speeds do in unit time."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def _rotation(sequence: str | None, q: Array) -> Any:
    from scipy.spatial.transform import Rotation

    if sequence is None:
        return Rotation.from_quat(np.asarray(q, float)[[1, 2, 3, 0]])
    return Rotation.from_euler(_axes(sequence), q)


def _coordinates(sequence: str | None, rotation: Any) -> Array:
    made = rotation.as_quat()[[3, 0, 1, 2]] if sequence is None else rotation.as_euler(_axes(sequence))
    return np.asarray(made, float)


def _axes(sequence: str) -> str:
    """Axes that turn along: capital letters."""
    return "".join("XYZ"[int(c) - 1] for c in sequence)


def turned(sequence: str | None, q: Array, delta: Array) -> Array:
    """The orientation after turning by δ (a rotation vector in the child's axes)."""
    from scipy.spatial.transform import Rotation

    made = _coordinates(sequence, _rotation(sequence, q) * Rotation.from_rotvec(delta))
    if sequence is None:
        return -made if made @ np.asarray(q) < 0 else made
    return _nearest(sequence, made, np.asarray(q))


def _nearest(sequence: str, angles: Array, q: Array) -> Array:
    """Of all angles of one orientation, those nearest to q: each has a double, and all come again after 2π."""
    middle = -angles[1] if sequence[0] == sequence[2] else np.pi - angles[1]
    double = np.array([angles[0] + np.pi, middle, angles[2] + np.pi])
    near = [a + 2 * np.pi * np.round((q - a) / (2 * np.pi)) for a in (angles, double)]
    return near[0] if np.linalg.norm(near[0] - q) <= np.linalg.norm(near[1] - q) else near[1]


def turn(sequence: str | None, start: Array, end: Array) -> Array:
    """The rotation vector, in the child's axes, that leads from one orientation to another."""
    return np.asarray((_rotation(sequence, start).inv() * _rotation(sequence, end)).as_rotvec(), float)


def moved(sequence: str | None, q: Array, delta: Array) -> Array:
    """Position and orientation after a twist δ = (turn, shift) in the child's axes: the exponential of SE(3)."""
    place = q[:3] + _rotation(sequence, q[3:]).apply(_mean(delta[:3]) @ delta[3:])
    return np.concatenate([place, turned(sequence, q[3:], delta[:3])])


def move(sequence: str | None, start: Array, end: Array) -> Array:
    """The twist in the child's axes that leads from one pose to another."""
    w = turn(sequence, start[3:], end[3:])
    shift = _rotation(sequence, start[3:]).inv().apply(end[:3] - start[:3])
    return np.concatenate([w, np.linalg.solve(_mean(w), shift)])


def _mean(w: Array) -> Array:
    """∫₀¹ exp(s ŵ) ds: how far a shift in turning axes gets."""
    angle = float(np.linalg.norm(w))
    W = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    if angle < 1e-6:
        return np.asarray(np.eye(3) + W / 2 + W @ W / 6)
    first, second = (1 - np.cos(angle)) / angle**2, (angle - np.sin(angle)) / angle**3
    return np.asarray(np.eye(3) + first * W + second * W @ W)
