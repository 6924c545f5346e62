"""Triples of expressions or numbers, and the frame of a shape in its body."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from freebody.errors import FieldError
from freebody.model.kinds import AXES
from freebody.scalar.expr import Expr, max, min, sqrt

Three = tuple[Any, Any, Any]
"""Three expressions or numbers."""

HAIR = 1e-15
"""Metres by which a difference is moved, so that where it vanishes it has a direction; below all rounding."""

POLE = (-0.3914, -0.5371, -0.7472)
"""About the only normal at which tangents cannot turn continuously; far from the directions that models have."""

ROUNDING = 1e-14
"""Entries of a rotation this near to 0 or ±1 are set to it, so that they cost nothing."""


def dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def plus(a: Sequence[Any], b: Sequence[Any]) -> Three:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def minus(a: Sequence[Any], b: Sequence[Any]) -> Three:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def times(s: Any, a: Sequence[Any]) -> Three:
    return s * a[0], s * a[1], s * a[2]


def cross(a: Sequence[Any], b: Sequence[Any]) -> Three:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def clamp(x: Expr, limit: Any) -> Expr:
    """x, but not beyond ±limit."""
    return max(min(x, limit), -limit)


def direction(d: Sequence[Any], across: int = 0) -> tuple[Any, Three]:
    """The length of d and d/|d|. Where d vanishes, this is the coordinate axis ``across``."""
    moved = [x + HAIR if k == across else x for k, x in enumerate(d)]
    length = sqrt(dot(moved, moved))
    over = 1 / length
    return length, times(over, moved)


@dataclass(frozen=True)
class ShapePose:
    """The axes of a shape, as columns of ``R``, and its centre, along the axes of its body: numbers, or expressions."""

    R: tuple[Three, Three, Three]
    at: Three

    def out(self, v: Sequence[Any]) -> Three:
        """A vector along the axes of the shape, along those of the body."""
        return dot(self.R[0], v), dot(self.R[1], v), dot(self.R[2], v)

    def into(self, v: Sequence[Any]) -> Three:
        """A vector along the axes of the body, along those of the shape."""
        x, y, z = (self.R[0][k] * v[0] + self.R[1][k] * v[1] + self.R[2][k] * v[2] for k in range(3))
        return x, y, z

    def point(self, c: Sequence[Any]) -> Three:
        """A point from the centre of the shape and along its axes, from the origin of the body and along its axes."""
        return plus(self.out(c), self.at)

    def local(self, p: Sequence[Any]) -> Three:
        """A point from the origin of the body and along its axes, from the centre of the shape and along its axes."""
        return self.into(minus(p, self.at))


def pose_of(shape: Any) -> ShapePose:
    """The pose of a shape whose frame is that of its fields ``at`` and ``rpy``, and its z axis along its axis or its
    normal, if it has one."""
    z = getattr(shape, "axis", None) or getattr(shape, "normal", None)
    if any(isinstance(a, Expr) for a in (*shape.rpy, *(() if z is None else z))):
        raise FieldError(
            f"contacts need the rotation of the {shape.kind} as numbers; its place and its sizes may be expressions"
        )
    roll, pitch, yaw = (float(a) for a in shape.rpy)
    (cr, sr), (cp, sp), (cy, sy) = ((math.cos(a), math.sin(a)) for a in (roll, pitch, yaw))
    R = np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )
    if z is not None:
        R = R @ _along(np.array([float(c) for c in (AXES[z] if isinstance(z, str) else z)]))
    rows = [[float(round(x)) if abs(x - round(x)) < ROUNDING else float(x) for x in row] for row in R]
    a, b, c = ((row[0], row[1], row[2]) for row in rows)
    x, y, z = (v if isinstance(v, Expr) else float(v) for v in shape.at)
    return ShapePose((a, b, c), (x, y, z))


def _along(z: np.ndarray) -> np.ndarray:
    """The axes of a frame with this z axis, as columns; those of an extrusion, where it is along a coordinate axis."""
    z = z / np.linalg.norm(z)
    k = int(np.argmax(np.abs(z)))
    x = np.eye(3)[k - 2 if z[k] > 0 else k - 1]
    x = x - z * (x @ z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def tangents_about(normal: Three, pole: Sequence[float] = POLE) -> tuple[Three, Three]:
    """Two vectors of length 1 with t1 × t2 = normal, that turn with the normal on the shortest way from −pole. They are
    smooth except at the pole."""
    e = -np.array(pole) / np.linalg.norm(pole)
    if abs(e[2]) == 1:
        a, b = np.array([1.0, 0, 0]), np.array([0, e[2], 0])
    else:
        a = np.cross([0, 0, 1.0], e)
        a /= np.linalg.norm(a)
        b = np.cross(e, a)
    away, *across = ([float(x) for x in v] for v in (e, a, b))
    halfway = plus(away, normal)
    over = 1 / max(1 + dot(away, normal), HAIR)
    first, second = (minus(t, times(dot(t, normal) * over, halfway)) for t in across)
    return first, second
