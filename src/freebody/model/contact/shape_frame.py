"""The frame of a shape on its body, and directions normal to another one, as numbers or expressions."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from freebody.model.kinds import AXES
from freebody.scalar.expr import Expr, cos, sin, sqrt, where
from freebody.scalar.graph import Graph

Three = tuple[Expr, Expr, Expr]


class ShapeFrame(NamedTuple):
    """The centre of a shape, and the axes of its frame, along the axes of its body."""

    centre: Three
    axes: tuple[Three, Three, Three]

    def direction(self, c: Sequence[Any]) -> Three:
        """A vector given along the axes of the shape, along those of the body."""
        x, y, z = (sum((self.axes[k][i] * c[k] for k in range(1, 3)), self.axes[0][i] * c[0]) for i in range(3))
        return x, y, z

    def point(self, c: Sequence[Any]) -> Three:
        """A point given along the axes of the shape from its centre, from the origin of the body."""
        x, y, z = (a + b for a, b in zip(self.centre, self.direction(c), strict=True))
        return x, y, z


def lifted(graph: Graph, values: Sequence[Any]) -> tuple[Expr, ...]:
    """Numbers and expressions as expressions of a graph."""
    return tuple(x if isinstance(x, Expr) else Expr(graph, graph.const(x)) for x in values)


def frame_of(shape: Any, graph: Graph) -> ShapeFrame:
    """The frame of a shape: R = Rz(yaw) Ry(pitch) Rx(roll) at its centre."""
    centre, (roll, pitch, yaw) = lifted(graph, shape.at), lifted(graph, shape.rpy)
    (cr, sr), (cp, sp), (cy, sy) = ((cos(a), sin(a)) for a in (roll, pitch, yaw))
    x = cy * cp, sy * cp, -sp
    y = cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr
    z = cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr
    return ShapeFrame((centre[0], centre[1], centre[2]), (x, y, z))


def unit(direction: Any, graph: Graph) -> Three:
    """A direction of a field, "z" or three constants, as a vector of length 1."""
    given = AXES[direction] if isinstance(direction, str) else direction
    x, y, z = lifted(graph, given)
    if isinstance(direction, str):
        return x, y, z
    length = sqrt(x * x + y * y + z * z)
    return x / length, y / length, z / length


def tangents(normal: Three) -> tuple[Three, Three]:
    """Two vectors of length 1 with t1 × t2 = normal. They turn with the normal except where its z component changes its
    sign (Duff et al. 2017). Numbers give numbers."""
    g = normal[0].graph
    known = [g.number(x.handle) for x in normal]
    if all(x is not None for x in known):
        n = np.array([float(x) for x in known if x is not None])
        across = np.eye(3)[int(np.argmin(np.abs(n)))] if abs(n[2]) < 1 else np.array([0.0, 1.0, 0.0])
        first = np.cross(across, n)
        first /= np.linalg.norm(first)
        rows = [lifted(g, [float(x) for x in v]) for v in (first, np.cross(n, first))]
        return (rows[0][0], rows[0][1], rows[0][2]), (rows[1][0], rows[1][1], rows[1][2])
    x, y, z = normal
    one = Expr(g, g.one)
    sign = where(z >= 0, one, -one)
    a = -1 / (sign + z)
    b = x * y * a
    return (1 + sign * x * x * a, sign * b, -sign * x), (b, sign + y * y * a, -y)
