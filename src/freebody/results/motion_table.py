"""The poses of a system as a table of operations, for viewers that let a reader set the coordinates.

Row k of the table computes value k from earlier values. Viewers evaluate it as data; it is never turned into code.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
OPERATIONS = (
    "number", "input", "add", "sub", "mul", "div", "neg", "pow", "sqrt", "sin", "cos", "tan", "asin", "acos",
    "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "abs", "sign", "min", "max", "floor",
    "lt", "le", "eq", "ne", "where",
)  # fmt: skip
"""The operation of a row is an index into these. ``number`` and ``input`` take the entry ``a`` of the numbers or of the
inputs; comparisons are 1 or 0; ``where`` is b where a is not 0, else c."""


@dataclass(frozen=True)
class MovableCoordinate:
    """A coordinate that a reader can set: its name, the body that it moves, its unit, its range on a slider, its
    initial value. ``quaternion`` is true for the first of four components of a unit quaternion, which the viewer sets
    together. ``follows``: it has no slider, for the residuals determine it from the other coordinates. Changes that
    keep the residuals at zero are the smallest ones in units of ``scale``. ``limited``: its range is that of its
    joint, which it must not leave."""

    name: str
    body: str
    unit: str
    low: float
    high: float
    initial: float
    quaternion: bool = False
    follows: bool = False
    scale: float = 1.0
    limited: bool = False


@dataclass(frozen=True, eq=False)
class MotionTable:
    """Operations as rows (``op``, ``a``, ``b``, ``c``), indices of the rows that are outputs, and the coordinates,
    which are the inputs in order. ``poses`` has 12 outputs for each body: its rotation matrix row by row, then its
    position. ``residuals`` are zero where the constraints hold and quaternions in them have unit length, and ``slopes``
    are their derivatives: triples of a residual, a coordinate and a row. Residuals may depend on each other."""

    op: NDArray[np.uint8]
    a: NDArray[np.uint32]
    b: NDArray[np.uint32]
    c: NDArray[np.uint32]
    numbers: Array
    coordinates: Sequence[MovableCoordinate]
    poses: NDArray[np.uint32]  # (bodies, 12)
    residuals: NDArray[np.uint32]
    slopes: NDArray[np.uint32]  # (…, 3)
