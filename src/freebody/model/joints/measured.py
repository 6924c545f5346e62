"""Coordinates of joints from the pose of the child relative to the parent, for loops that joints close."""

from collections.abc import Sequence

from freebody.model.joints.base import Measurement, Placement, zero_vector
from freebody.model.joints.resisted import triad
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.ops import ATAN2, LE
from freebody.spatial.frame import Frame
from freebody.spatial.scalars import Matrix, Triple
from freebody.spatial.vector import Vector, components, dot, vector


def measurement(
    coordinates: Sequence[Node],
    child: Frame,
    position: Vector,
    columns: Sequence[tuple[Vector | None, Vector | None]],
    u: Sequence[Node],
    remainder: Vector | None = None,
) -> Measurement:
    """Coordinates with a placement that has these columns (turn, slide); ``remainder`` is that of the turns."""
    none = zero_vector(child.graph)
    turns, slides = [turn or none for turn, _ in columns], [slide or none for _, slide in columns]
    return Measurement(list(coordinates), Placement(child, position, turns, slides, remainder or none, none, list(u)))


def angle_about(parent: Frame, child: Frame, axis: Triple) -> Node:
    """The angle of the child about an axis that is fixed in both frames, within half a turn."""
    first, second, _ = triad(parent.graph, axis)
    return angle_in(vector(child, first), vector(parent, first), vector(parent, second))


def angle_in(v: Vector, x: Vector, y: Vector) -> Node:
    """The angle of v from x towards y, which have one length and a right angle between them."""
    return v.graph.build[ATAN2](dot(v, y), dot(v, x))


def orientation(parent: Frame, child: Frame, sequence: str | None) -> list[Node]:
    """The unit quaternion with w ≥ 0, or the angles of a sequence of rotations, from child to parent."""
    g = parent.graph
    x, y, z = (components(vector(child, [g.one if k == i else g.zero for k in range(3)]), parent) for i in range(3))
    R = (x[0], y[0], z[0]), (x[1], y[1], z[1]), (x[2], y[2], z[2])
    return _quaternion(g, R) if sequence is None else _angles(g, R, sequence)


def _angles(g: Graph, R: Matrix, sequence: str) -> list[Node]:
    """The angles of R = Rᵢ(a₁) Rⱼ(a₂) Rₖ(a₃), the second one between ±90° or, if i = k, between 0 and 180°."""
    atan2, (i, j, last) = g.build[ATAN2], ("123".index(c) for c in sequence)
    k = 3 - i - j

    def signed(x: Node) -> Node:
        return x if (j - i) % 3 == 1 else g.neg(x)

    if last == i:
        sine = g.sqrt(g.add(g.mul(R[i][j], R[i][j]), g.mul(R[i][k], R[i][k])))
        return [atan2(R[j][i], g.neg(signed(R[k][i]))), atan2(sine, R[i][i]), atan2(R[i][j], signed(R[i][k]))]
    cosine = g.sqrt(g.add(g.mul(R[i][i], R[i][i]), g.mul(R[i][j], R[i][j])))
    return [
        atan2(g.neg(signed(R[j][k])), R[k][k]),
        atan2(signed(R[i][k]), cosine),
        atan2(g.neg(signed(R[i][j])), R[i][i]),
    ]


def _quaternion(g: Graph, R: Matrix) -> list[Node]:
    """4 qₖ (w, x, y, z) is linear in R for each k; the k with the largest 4 qₖ² is taken."""
    add, sub, one = g.add, g.sub, g.one
    xx, yy, zz = R[0][0], R[1][1], R[2][2]
    wx, wy, wz = sub(R[2][1], R[1][2]), sub(R[0][2], R[2][0]), sub(R[1][0], R[0][1])
    xy, yz, zx = add(R[0][1], R[1][0]), add(R[1][2], R[2][1]), add(R[2][0], R[0][2])
    w, x = add(add(one, xx), add(yy, zz)), add(sub(one, yy), sub(xx, zz))
    y, z = add(sub(one, xx), sub(yy, zz)), add(sub(one, xx), sub(zz, yy))
    row, largest = [w, wx, wy, wz], w
    for square, other in ((x, [wx, x, xy, zx]), (y, [wy, xy, y, yz]), (z, [wz, zx, yz, z])):
        keep = g.build[LE](square, largest)
        row = [g.where(keep, a, b) for a, b in zip(row, other, strict=True)]
        largest = g.where(keep, largest, square)
    length = g.mul(g.const(2), g.sqrt(largest))
    length = g.where(g.build[LE](g.zero, row[0]), length, g.neg(length))
    return [g.div(a, length) for a in row]
