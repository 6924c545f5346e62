"""Inverse kinematics in closed form, of textbooks, for tests; and the systems that they are of."""

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

import freebody as fb
from freebody.model.body import Point

Array = NDArray[np.float64]
UR5 = (
    (0.089159, 0.0, np.pi / 2),
    (0.0, -0.425, 0.0),
    (0.0, -0.39225, 0.0),
    (0.10915, 0.0, np.pi / 2),
    (0.09465, 0.0, -np.pi / 2),
    (0.0823, 0.0, 0.0),
)
"""d, a and α of Denavit and Hartenberg."""


def _link(theta: float, d: float, a: float, alpha: float) -> Array:
    c, s, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    return np.array([[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]])


def ur5_solutions(R: Array, p: Array) -> Array:
    """The up to eight positions of a UR5 for a pose of its flange, as rows."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    a2, a3, d4, d6 = UR5[1][1], UR5[2][1], UR5[3][0], UR5[5][0]
    x, y = (p - d6 * R[:, 2])[:2]
    rows = []
    for shoulder, wrist, elbow in product((1, -1), repeat=3):
        t1 = np.arctan2(y, x) + shoulder * np.arccos(d4 / np.hypot(x, y)) + np.pi / 2
        s1, c1 = np.sin(t1), np.cos(t1)
        t5 = wrist * np.arccos((p[0] * s1 - p[1] * c1 - d4) / d6)
        s5 = np.sin(t5)
        t6 = np.arctan2((-R[0, 1] * s1 + R[1, 1] * c1) / s5, (R[0, 0] * s1 - R[1, 0] * c1) / s5)
        outer = _link(t5, *UR5[4]) @ _link(t6, *UR5[5])
        T14 = np.linalg.inv(_link(t1, *UR5[0])) @ T @ np.linalg.inv(outer)
        u, v = (T14 @ (0, -d4, 0, 1))[:2]
        cosine = (u * u + v * v - a2 * a2 - a3 * a3) / (2 * a2 * a3)
        if abs(cosine) > 1:
            continue
        t3 = elbow * np.arccos(cosine)
        t2 = np.arctan2(v, u) - np.arctan2(a3 * np.sin(t3), a2 + a3 * np.cos(t3))
        T34 = np.linalg.inv(_link(t2, *UR5[1]) @ _link(t3, *UR5[2])) @ T14
        rows.append((t1, t2, t3, np.arctan2(T34[1, 0], T34[0, 0]), t5, t6))
    return np.array(rows)


def planar(*lengths: float, limits: tuple[float, float] | None = None) -> fb.System:
    """An arm of bars in the plane xy; the last bar's tip is the point of ``tip``."""
    s, on, at = fb.System("planar arm"), None, (0.0, 0.0, 0.0)
    for k, length in enumerate(lengths):
        inertia = fb.rod(1.0, length, "x")
        place: dict[str, Any] = {} if on is None else {"on": on, "at": at}
        joint = fb.Revolute("z", limits=limits)
        on = s.body(f"bar{k + 1}", joint=joint, mass=1.0, com=(length / 2, 0, 0), inertia=inertia, **place)
        at = (length, 0.0, 0.0)
    return s


def tip(s: fb.System, length: float) -> Point:
    return [*s.bodies.values()][-1].point((length, 0, 0))


def planar_solution(l1: float, l2: float, x: float, y: float, elbow: float) -> Array:
    """The angles of an arm of two bars for a position of its tip; ``elbow`` is the sign of the second angle."""
    q2 = elbow * np.arccos((x * x + y * y - l1 * l1 - l2 * l2) / (2 * l1 * l2))
    return np.array([np.arctan2(y, x) - np.arctan2(l2 * np.sin(q2), l1 + l2 * np.cos(q2)), q2])


BASE, PLATFORM, UPPER, ROD = 0.2, 0.06, 0.25, 0.55
"""Of a delta robot, in m: the radii of its base and platform, the lengths of its arms and rods."""

HALF = 0.03
"""Half the distance of the two rods of an arm."""


def delta() -> fb.System:
    """A delta robot: three arms on the base, each joined to the platform by two rods."""
    s = fb.System("delta robot")
    platform = s.body("platform", joint=fb.Free(initial=(0, 0, -0.5, 1, 0, 0, 0)), mass=0.3, inertia=(1e-3,) * 3)
    for k in range(3):
        a = 2 * np.pi * k / 3
        c, si = np.cos(a), np.sin(a)
        arm = s.body(
            f"arm{k}",
            at=(BASE * c, BASE * si, 0),
            orient=("z", a),
            joint=fb.Revolute("y", initial=0.3),
            mass=0.2,
            com=(UPPER / 2, 0, 0),
            inertia=(1e-4, 1e-3, 1e-3),
        )
        for side in (1, -1):
            near = platform.point((PLATFORM * c - side * HALF * si, PLATFORM * si + side * HALF * c, 0))
            s.rod(arm.point((UPPER, side * HALF, 0)), near, length=ROD, name=f"rod{k}{'ab'[side < 0]}")
    return s


def delta_angles(p: Array) -> Array:
    """The angles of the arms for a position of the platform: arms outwards."""
    angles = []
    for k in range(3):
        a = 2 * np.pi * k / 3
        x, y = p[0] * np.cos(a) + p[1] * np.sin(a), -p[0] * np.sin(a) + p[1] * np.cos(a)
        x, z = x + PLATFORM - BASE, p[2]
        # (x − U cos q)² + y² + (z + U sin q)² = L²:  A cos q + B sin q = C
        A, B, C = 2 * UPPER * x, -2 * UPPER * z, x * x + y * y + z * z + UPPER**2 - ROD**2
        angles.append(np.arctan2(B, A) - np.arccos(C / np.hypot(A, B)))
    return np.array(angles)
