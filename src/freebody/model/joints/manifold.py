"""Numeric integration on manifolds: q ⊕ δ and q₁ ⊖ q₀ for joints whose speeds are not the rates of their coordinates.

δ is a displacement along the speeds: what constant speeds do in unit time. Orientations are SciPy's ``Rotation``, from
a quaternion (w, x, y, z) or from the angles of a ``sequence`` such as "123"; a pose is (rotation, position).
"""

from typing import Any

import numpy as np

from freebody.errors import ModelError
from freebody.model.joints.base import Array

Pose3 = tuple[Any, Array]
ITERATIONS = 50


def exp(twist: Array) -> Pose3:
    """The pose after a motion along a twist (ω, v) in unit time: the exponential of SE(3)."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_rotvec(twist[:3]), _mean_rotation(twist[:3]) @ twist[3:]


def log(pose: Pose3) -> Array:
    """The twist whose exponential is this pose."""
    w = pose[0].as_rotvec()
    return np.concatenate([w, np.linalg.solve(_mean_rotation(w), pose[1])])


def _mean_rotation(w: Array) -> Array:
    """∫₀¹ exp(s ŵ) ds, which maps a velocity in rotating axes to the displacement."""
    angle = float(np.linalg.norm(w))
    W = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    if angle < 1e-5:
        return np.asarray(np.eye(3) + W / 2 + W @ W / 6)
    first, second = (1 - np.cos(angle)) / angle**2, (angle - np.sin(angle)) / angle**3
    return np.asarray(np.eye(3) + first * W + second * W @ W)


def relative(start: Pose3, end: Pose3) -> Pose3:
    """The second pose relative to the first."""
    back = start[0].inv()
    return back * end[0], back.apply(end[1] - start[1])


# Quaternions and sequences of angles


def rotation(sequence: str | None, q: Array) -> Any:
    from scipy.spatial.transform import Rotation

    if sequence is None:
        return Rotation.from_quat(np.asarray(q, float)[[1, 2, 3, 0]])
    return Rotation.from_euler(_body_axes(sequence), q)


def _body_axes(sequence: str) -> str:
    """SciPy's name of a sequence of rotations about body-fixed axes: capital letters."""
    return "".join("XYZ"[int(c) - 1] for c in sequence)


def rotate(sequence: str | None, q: Array, delta: Array) -> Array:
    """The orientation after a rotation by the rotation vector δ in the child's axes. Of the coordinates of one
    orientation, those nearest to q are returned: angles have a second solution, and all repeat after 2π."""
    from scipy.spatial.transform import Rotation

    result, q = rotation(sequence, q) * Rotation.from_rotvec(delta), np.asarray(q)
    if sequence is None:
        quaternion = np.asarray(result.as_quat()[[3, 0, 1, 2]], float)
        return -quaternion if quaternion @ q < 0 else quaternion
    angles = result.as_euler(_body_axes(sequence))
    middle = -angles[1] if sequence[0] == sequence[2] else np.pi - angles[1]
    second = np.array([angles[0] + np.pi, middle, angles[2] + np.pi])
    near = [a + 2 * np.pi * np.round((q - a) / (2 * np.pi)) for a in (angles, second)]
    return min(near, key=lambda a: float(np.linalg.norm(a - q)))


def rotation_between(sequence: str | None, start: Array, end: Array) -> Array:
    """The rotation vector, in the child's axes, that leads from one orientation to another."""
    return np.asarray((rotation(sequence, start).inv() * rotation(sequence, end)).as_rotvec(), float)


def displace(sequence: str | None, q: Array, delta: Array) -> Array:
    """Position and orientation after the motion along a twist δ in the child's axes."""
    shift = exp(delta)[1]
    return np.concatenate([q[:3] + rotation(sequence, q[3:]).apply(shift), rotate(sequence, q[3:], delta[:3])])


def displacement_between(sequence: str | None, start: Array, end: Array) -> Array:
    """The twist in the child's axes that leads from one position and orientation to another."""
    first, last = ((rotation(sequence, q[3:]), q[:3]) for q in (start, end))
    return log(relative(first, last))


# Products of exponentials: motions along the columns of a constant map H, the first nearest to the child


def product(H: Array, q: Array) -> tuple[Pose3, Array]:
    """The pose λ(q) = exp(h_r q_r) ⋯ exp(h₁ q₁), and the matrix B(q) of the child's twist B q̇."""
    R, p = exp(np.zeros(6))
    B = np.zeros_like(H)
    for k, (h, x) in enumerate(zip(H.T, q, strict=True)):
        B[:, k] = np.concatenate([R.inv().apply(h[:3]), R.inv().apply(h[3:] + np.cross(h[:3], p))])
        outer, shift = exp(h * x)
        R, p = outer * R, outer.apply(p) + shift
    return (R, p), B


def integrate_product(H: Array, q: Array, delta: Array) -> Array:
    """The coordinates of λ(q) exp(Hδ), by Newton's method; δ are speeds along the first columns."""
    (R, p), _ = product(H, q)
    turn, shift = exp(H[:, : len(delta)] @ delta)
    target, found = (R * turn, p + R.apply(shift)), np.array(q, float)
    for _ in range(ITERATIONS):
        pose, B = product(H, found)
        step = np.linalg.lstsq(B, log(relative(pose, target)), rcond=None)[0]
        size = float(np.max(np.abs(step)))
        found = found + step * min(1.0, 1.0 / max(size, 1e-300))
        if size < 1e-13:
            return np.asarray(found, float)
    raise ModelError("the coordinates of a simple joint are singular on the path; choose another order of its columns")


def product_difference(H: Array, start: Array, end: Array) -> Array:
    """The constant speeds along all columns that lead from one position to another."""
    path = log(relative(product(H, start)[0], product(H, end)[0]))
    return np.asarray(np.linalg.lstsq(H, path, rcond=None)[0], float)
