"""How other libraries write the state of one joint: coordinates by functions, speeds by an orthogonal matrix X(q).

With ours v = X u: their accelerations are X u̇ + Ẋ u (``bias``), their generalised forces X tau, their mass matrix
X M Xᵀ; back it is Xᵀ. All functions take arrays whose last axis is the joint's.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Map = Callable[[Array], Array]


@dataclass(frozen=True)
class Part:
    """One joint: ``to`` and ``back`` for coordinates; ``X`` (None: unchanged) and Ẋu (None: zero) as functions of our
    q and (q, u)."""

    nq: int
    nv: int
    to: Map
    back: Map
    X: Map | None = None
    bias: Callable[[Array, Array], Array] | None = None


def same(n: int) -> Part:
    return Part(n, n, lambda q: q, lambda q: q)


def circle() -> Part:
    """An angle as (cos, sin)."""
    return Part(2, 1, _point, lambda q: np.arctan2(q[..., 1:], q[..., :1]))


def _point(angle: Array) -> Array:
    return np.concatenate([np.cos(angle), np.sin(angle)], axis=-1)


def plane() -> Part:
    """(x, y, angle) as (x, y, cos, sin), with the velocity along the axes of the child: v = Rᵀ(ẋ, ẏ)."""

    def to(q: Array) -> Array:
        return np.concatenate([q[..., :2], _point(q[..., 2:])], axis=-1)

    def back(q: Array) -> Array:
        return np.concatenate([q[..., :2], np.arctan2(q[..., 3:], q[..., 2:3])], axis=-1)

    def bias(q: Array, u: Array) -> Array:
        w, (x, y) = u[..., 2], np.moveaxis(applied(_upright(q), u)[..., :2], -1, 0)
        return np.stack([w * y, -w * x, np.zeros_like(w)], axis=-1)

    return Part(4, 3, to, back, _upright, bias)


def _upright(q: Array) -> Array:
    c, s = np.cos(q[..., 2]), np.sin(q[..., 2])
    made = np.zeros((*c.shape, 3, 3))
    made[..., 0, 0], made[..., 0, 1], made[..., 1, 0], made[..., 1, 1], made[..., 2, 2] = c, s, -s, c, 1
    return made


def picked(order: Sequence[int], X: Map | None = None, bias: Callable[[Array, Array], Array] | None = None) -> Part:
    """Our coordinates in another order; ``X`` may change the speeds."""
    places, back = list(order), np.argsort(order).tolist()
    return Part(len(places), {4: 3, 7: 6}[len(places)], lambda q: q[..., places], lambda q: q[..., back], X, bias)


def matrix(quaternion: Array) -> Array:
    """R of quaternions (w, x, y, z), of any length but 0: 2 (q qᵀ + …)/|q|² − 1."""
    q = quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True)
    w, v = q[..., :1, None], q[..., 1:]
    x, y, z = np.moveaxis(v, -1, 0)
    o = np.zeros_like(x)
    skew = np.stack([o, -z, y, z, o, -x, -y, x, o], axis=-1).reshape(*x.shape, 3, 3)
    return np.asarray(np.eye(3) + 2 * w * skew + 2 * skew @ skew)


def _swapped(q: Array) -> Array:
    """(ω, v) in the child as (v, ω) in the child."""
    made = np.zeros((*q.shape[:-1], 6, 6))
    made[..., :3, 3:] = made[..., 3:, :3] = np.eye(3)
    return made


def _linear_first(q: Array) -> Array:
    """(ω, v) in the child as (v in the parent, ω in the child)."""
    made = _swapped(q)
    made[..., :3, 3:] = matrix(q[..., 3:])
    return made


def _in_parent(q: Array) -> Array:
    """(ω, v) in the child as (ω, v) in the parent."""
    made = np.zeros((*q.shape[:-1], 6, 6))
    made[..., :3, :3] = made[..., 3:, 3:] = matrix(q[..., 3:])
    return made


def _linear_first_bias(q: Array, u: Array) -> Array:
    return np.concatenate([_carried(q, u), np.zeros_like(u[..., 3:])], axis=-1)


def _in_parent_bias(q: Array, u: Array) -> Array:
    return np.concatenate([np.zeros_like(u[..., :3]), _carried(q, u)], axis=-1)


def _carried(q: Array, u: Array) -> Array:
    """R (ω × v): what the rate of v in the parent holds besides R v̇."""
    return applied(matrix(q[..., 3:]), np.cross(u[..., :3], u[..., 3:]))


def applied(A: Array, v: Array) -> Array:
    """A v along the last axes."""
    return np.asarray((A @ v[..., None])[..., 0])


WRITTEN: dict[str, dict[str, Part]] = {
    "pinocchio": {
        "circle": circle(), "planar": plane(), "spherical": picked([1, 2, 3, 0]),
        "free": picked([0, 1, 2, 4, 5, 6, 3], _swapped),
    },
    "mujoco": {
        "spherical": picked([0, 1, 2, 3]),
        "free": picked([0, 1, 2, 3, 4, 5, 6], _linear_first, _linear_first_bias),
    },
    "drake": {"free": picked([3, 4, 5, 6, 0, 1, 2], _in_parent, _in_parent_bias)},
}  # fmt: skip
"""Joints that a library writes otherwise; all others have the same coordinates and speeds everywhere."""
