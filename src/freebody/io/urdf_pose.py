"""Poses in plain numbers: rotations whose axes lie along each other are exact, so that frames share them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, sin

Number = int | float
Trio = tuple[Number, Number, Number]
Rows = tuple[Trio, Trio, Trio]
ROUNDING = 1e-15  # of an entry of a rotation
ONE: Rows = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


@dataclass(frozen=True)
class Pose:
    """Where a frame lies in another: R (components here to components there) and the place p of its origin."""

    R: Rows = ONE
    p: Trio = (0, 0, 0)

    def then(self, other: "Pose") -> "Pose":
        """The pose of a frame that lies at ``other`` in this one."""
        x, y, z = (plain(a + b) for a, b in zip(self.p, times(self.R, other.p), strict=True))
        return Pose(clean(product(self.R, other.R)), (x, y, z))


def plain(x: Number) -> Number:
    """A whole number as an exact one."""
    return int(x) if isinstance(x, float) and x.is_integer() and abs(x) < 2**53 else x


def trio(values: Sequence[Number]) -> Trio:
    x, y, z = map(plain, values)
    return x, y, z


def times(A: Rows, v: Sequence[Number]) -> Trio:
    x, y, z = (sum(a * b for a, b in zip(row, v, strict=True)) for row in A)
    return x, y, z


def product(A: Rows, B: Rows) -> Rows:
    return transposed(tuple(times(A, column) for column in transposed(B)))


def transposed(A: Sequence[Sequence[Number]]) -> Rows:
    x, y, z = ((r[0], r[1], r[2]) for r in zip(*A, strict=True))
    return x, y, z


def clean(R: Sequence[Sequence[Number]]) -> Rows:
    """R without what rounding left of zeros; a row of one entry is ± an axis."""
    x, y, z = (_axis(row, ROUNDING) or trio([0 if abs(v) <= ROUNDING else v for v in row]) for row in R)
    return x, y, z


def _axis(row: Sequence[Number], near: float) -> Trio | None:
    """A unit vector whose other parts are this near to 0 as an exact axis."""
    left = [k for k, v in enumerate(row) if abs(v) > near]
    if len(left) != 1:
        return None
    x, y, z = (0 if k != left[0] else 1 if row[k] > 0 else -1 for k in range(3))
    return x, y, z


def turned(rpy: Sequence[float], snap: float) -> Rows:
    """R of roll, pitch and yaw about fixed axes, R = Rz(yaw) Ry(pitch) Rx(roll); angles within ``snap`` of quarter
    turns are taken for these."""
    (cr, sr), (cp, sp), (cy, sy) = (circle(a, snap) for a in rpy)
    R = (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )
    return clean(R)


def circle(angle: float, snap: float) -> tuple[Number, Number]:
    """cos and sin."""
    c, s = cos(angle), sin(angle)
    if abs(c) <= snap:
        return 0, 1 if s > 0 else -1
    return (1 if c > 0 else -1, 0) if abs(s) <= snap else (c, s)


def about(axis: Sequence[float], angle: float, snap: float) -> Rows:
    """R of a turn by an angle about a unit vector (Rodrigues)."""
    x, y, z = axis
    c, s = circle(angle, snap)
    d = 1 - c
    R = (
        (c + d * x * x, d * x * y - s * z, d * x * z + s * y),
        (d * x * y + s * z, c + d * y * y, d * y * z - s * x),
        (d * x * z - s * y, d * y * z + s * x, c + d * z * z),
    )
    return clean(R)


def unit(axis: Sequence[float], snap: float) -> Trio | None:
    """A direction of length 1, along an axis exactly where it is within ``snap``; None of one of length 0."""
    length = hypot(*axis)
    if length == 0:
        return None
    made = [v / length for v in axis]
    return _axis(made, snap) or trio(made)


def conjugated(R: Rows, J: Rows) -> Rows:
    """R J Rᵀ, symmetric to the last bit."""
    M = product(product(R, J), transposed(R))
    xx, yy, zz, xy, xz, yz = (plain(M[i][j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
    return (xx, xy, xz), (xy, yy, yz), (xz, yz, zz)
