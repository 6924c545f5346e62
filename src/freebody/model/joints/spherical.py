"""Three rotations about a point: a quaternion, or three angles in sequence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from freebody.errors import ModelError
from freebody.model.element import Given, field
from freebody.model.joints import manifold, measured, resisted
from freebody.model.joints.base import Array, Joint, Measurement, MotionGroup, Placement, Resisted, zero_vector
from freebody.model.kinds import AxisSequence
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame
from freebody.spatial.scalars import Matrix, cross3
from freebody.spatial.vector import Vector, components, vector

QUATERNION = ("qw", "qx", "qy", "qz")
ANGLES = ("a1", "a2", "a3")
RATES = ("wx", "wy", "wz")


@dataclass(frozen=True)
class Spherical(Joint):
    """q = quaternion (w, x, y, z) from child to parent, or the angles of a sequence of rotations such as "123", each
    about an axis of the frame that the previous ones produced. u = ω of the child relative to the parent, along the
    child's axes."""

    sequence: Given[str | None] = field(
        AxisSequence(), "sequence of rotations such as 123; without it a quaternion", default=None
    )
    kind: ClassVar[str] = "spherical"
    aliases: ClassVar = ("ball",)
    speeds: ClassVar = RATES

    @property
    def coordinates(self) -> tuple[str, ...]:
        return QUATERNION if self.sequence is None else ANGLES

    @property
    def rotation_sequence(self) -> str | None:
        sequence: str | None = self.sequence
        return sequence

    @property
    def units(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return ("",) * 4 if self.sequence is None else ("rad",) * 3, ("rad/s",) * 3

    @property
    def zero(self) -> tuple[float, ...]:
        return (1.0, 0.0, 0.0, 0.0) if self.sequence is None else (0.0,) * 3

    @property
    def motion_groups(self) -> tuple[MotionGroup, ...]:
        """All together."""
        return (MotionGroup(slice(0, len(self.coordinates)), slice(0, 3), self._rates),)

    def _rates(self, g: Graph, q: Sequence[Node], q_dot: Sequence[Node]) -> list[Node]:
        return rotation_speeds(Frame("parent", g), self.sequence, q, q_dot)[1]

    def normalise(self, q: Array) -> Array:
        return q / np.linalg.norm(q) if self.sequence is None else q

    def integrate(self, q: Array, delta: Array) -> Array:
        return manifold.rotate(self.sequence, q, delta)

    def difference(self, start: Array, end: Array) -> Array:
        return manifold.rotation_between(self.sequence, start, end)

    def resists(self, axes: Frame) -> list[Resisted]:
        return resisted.translations(axes.graph)

    def measure(self, parent: Frame, child: Frame, position: Vector, u: Sequence[Node]) -> Measurement:
        coordinates = measured.orientation(parent, child, self.sequence)
        return measured.measurement(coordinates, child, position, [(e, None) for e in axis_vectors(child)], u)

    def place(self, parent: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        frame, q_dot = oriented(parent, name, self.sequence, q, u)
        none = zero_vector(parent.graph)
        return Placement(frame, none, axis_vectors(frame), [none] * 3, none, none, q_dot)


def axis_vectors(frame: Frame) -> list[Vector]:
    g = frame.graph
    return [vector(frame, [g.one if k == i else g.zero for k in range(3)]) for i in range(3)]


def oriented(
    parent: Frame, name: str, sequence: str | None, q: Sequence[Node], w: Sequence[Node]
) -> tuple[Frame, list[Node]]:
    """The child's frame, and q̇ for the angular velocity w along its axes. For a sequence of simple rotations,
    ω = Σ q̇ᵢdᵢ (Sayers Eqs 26–28) is solved in the frame of which d2 and d3 are axes."""
    g = parent.graph
    if sequence is None:
        return parent.oriented(name, rotation_matrix(g, q)), quaternion_rate(g, q, w)
    i = ["123".find(c) for c in sequence]
    if len(i) != 3 or -1 in i or i[0] == i[1] or i[1] == i[2]:
        raise ModelError(
            f"joint of '{name}': '{sequence}' is not a sequence of rotations; use three of 1, 2, 3 such as"
            " '123' or '313'"
        )
    first = parent.turned(f"{name}'", i[0], q[0])
    second = first.turned(f"{name}''", i[1], q[1])
    frame = second.turned(name, i[2], q[2])
    d1 = components(vector(first, [g.one if k == i[0] else g.zero for k in range(3)]), second)
    rotation = components(vector(frame, w), second)
    other = 3 - i[1] - i[2]
    rate1 = g.div(rotation[other], d1[other])
    rate3 = g.sub(rotation[i[2]], g.mul(rate1, d1[i[2]]))
    return frame, [rate1, rotation[i[1]], rate3]


def rotation_speeds(
    parent: Frame, sequence: str | None, q: Sequence[Node], q_dot: Sequence[Node]
) -> tuple[Frame, list[Node]]:
    """The child's frame at coordinates q, and ω along its axes where these change at rates q̇: 2 q* ⊗ q̇ / |q|² of a
    quaternion, of which q need not have unit length; Σ q̇ᵢ dᵢ of a sequence of rotations."""
    g = parent.graph
    if sequence is None:
        (s, x, y, z), (a, *b) = q, q_dot
        square = g.add(g.add(g.mul(s, s), g.mul(x, x)), g.add(g.mul(y, y), g.mul(z, z)))
        scale, around = g.div(g.const(2), square), cross3(g, (x, y, z), (b[0], b[1], b[2]))
        along = [g.sub(g.mul(s, r), g.mul(a, v)) for r, v in zip(b, (x, y, z), strict=True)]
        length = g.sqrt(square)
        frame = parent.oriented("child", rotation_matrix(g, [g.div(c, length) for c in q]))
        return frame, [g.mul(scale, g.sub(m, n)) for m, n in zip(along, around, strict=True)]
    frame, total = parent, zero_vector(g)
    for k, digit in enumerate(sequence):
        axis = "123".index(digit)
        frame = frame.turned(f"child{k}", axis, q[k])
        total = total + axis_vectors(frame)[axis] * Expr(g, q_dot[k])
    return frame, list(components(total, frame))


def rotation_matrix(g: Graph, q: Sequence[Node]) -> Matrix:
    """R of a unit quaternion (w, x, y, z)."""
    w, x, y, z = q
    two = g.const(2)
    xx, yy, zz = (g.mul(two, g.mul(s, s)) for s in (x, y, z))
    xy, xz, yz = (g.mul(two, g.mul(a, b)) for a, b in ((x, y), (x, z), (y, z)))
    wx, wy, wz = (g.mul(two, g.mul(w, s)) for s in (x, y, z))
    one = g.one
    return (
        (g.sub(one, g.add(yy, zz)), g.sub(xy, wz), g.add(xz, wy)),
        (g.add(xy, wz), g.sub(one, g.add(xx, zz)), g.sub(yz, wx)),
        (g.sub(xz, wy), g.add(yz, wx), g.sub(one, g.add(xx, yy))),
    )


def quaternion_rate(g: Graph, q: Sequence[Node], w: Sequence[Node]) -> list[Node]:
    """q̇ = ½ q ⊗ (0, ω), ω in the child."""
    s, x, y, z = q
    m, add, sub, neg = g.mul, g.add, g.sub, g.neg
    a, b, c = (m(g.const(0.5), r) for r in w)
    return [
        neg(add(add(m(x, a), m(y, b)), m(z, c))),
        add(m(s, a), sub(m(y, c), m(z, b))),
        add(m(s, b), sub(m(z, a), m(x, c))),
        add(m(s, c), sub(m(x, b), m(y, a))),
    ]
