"""Three rotations about a point: a quaternion, or three angles in sequence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from freebody.errors import ModelError
from freebody.model.element import field
from freebody.model.joints import manifold
from freebody.model.joints.base import Joint, Numbers, Placement, nothing
from freebody.model.kinds import AxisSequence
from freebody.scalar.graph import Graph
from freebody.spatial.frame import Frame
from freebody.spatial.scalars import Matrix
from freebody.spatial.vector import Vector, components, vector

QUATERNION = ("qw", "qx", "qy", "qz")
ANGLES = ("a1", "a2", "a3")
RATES = ("wx", "wy", "wz")


@dataclass(frozen=True)
class Spherical(Joint):
    """q = quaternion (w, x, y, z) from child to parent, or the angles of a sequence such as "123" about the axes of the
    frames as they turn; u = ω of the child relative to the parent, along the child's axes."""

    sequence: Any = field(AxisSequence(), "of angles such as 123; without it a quaternion", default=None)
    kind: ClassVar[str] = "spherical"
    aliases: ClassVar = ("ball",)

    @property
    def coordinates(self) -> tuple[str, ...]:
        return QUATERNION if self.sequence is None else ANGLES

    @property
    def speeds(self) -> tuple[str, ...]:
        return RATES

    @property
    def units(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return ("",) * 4 if self.sequence is None else ("rad",) * 3, ("rad/s",) * 3

    @property
    def zero(self) -> tuple[float, ...]:
        return (1.0, 0.0, 0.0, 0.0) if self.sequence is None else (0.0,) * 3

    def normalise(self, q: Numbers) -> Numbers:
        return q / np.linalg.norm(q) if self.sequence is None else q

    def integrate(self, q: Numbers, delta: Numbers) -> Numbers:
        return manifold.turned(self.sequence, q, delta)

    def difference(self, start: Numbers, end: Numbers) -> Numbers:
        return manifold.turn(self.sequence, start, end)

    def place(self, parent: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        g = parent.graph
        frame, q_dot = oriented(parent, name, self.sequence, q, u)
        none = nothing(g)
        return Placement(frame, none, axes(frame), [none] * 3, none, none, q_dot)


def axes(frame: Frame) -> list[Vector]:
    g = frame.graph
    return [vector(frame, [g.one if k == i else g.zero for k in range(3)]) for i in range(3)]


def oriented(
    parent: Frame, name: str, sequence: str | None, q: Sequence[int], w: Sequence[int]
) -> tuple[Frame, list[int]]:
    """The child's frame, and q̇ for the angular velocity w along its axes."""
    if sequence is None:
        return parent.oriented(name, matrix(parent.graph, q)), quaternion_rate(parent.graph, q, w)
    return _by_angles(parent, name, _indices(sequence, name), q, w)


def _indices(sequence: str, name: str) -> tuple[int, int, int]:
    i = tuple("123".find(c) for c in sequence)
    if len(i) != 3 or -1 in i or i[0] == i[1] or i[1] == i[2]:
        raise ModelError(
            f"joint of '{name}': '{sequence}' is not a sequence of rotations; give three of 1, 2, 3 such as"
            " '123' or '313'"
        )
    return i[0], i[1], i[2]


def _by_angles(
    parent: Frame, name: str, i: tuple[int, int, int], q: Sequence[int], w: Sequence[int]
) -> tuple[Frame, list[int]]:
    """Three simple rotations. ω = Σ q̇ᵢdᵢ (Sayers Eqs 26–28), solved where d2 and d3 are axes of one frame."""
    g = parent.graph
    first = parent.turned(f"{name}'", i[0], q[0])
    second = first.turned(f"{name}''", i[1], q[1])
    frame = second.turned(name, i[2], q[2])
    d1 = components(vector(first, [g.one if k == i[0] else g.zero for k in range(3)]), second)
    turning = components(vector(frame, w), second)
    other = 3 - i[1] - i[2]
    rate1 = g.div(turning[other], d1[other])
    rate3 = g.sub(turning[i[2]], g.mul(rate1, d1[i[2]]))
    return frame, [rate1, turning[i[1]], rate3]


def matrix(g: Graph, q: Sequence[int]) -> Matrix:
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


def quaternion_rate(g: Graph, q: Sequence[int], w: Sequence[int]) -> list[int]:
    """q̇ = ½ q ⊗ (0, ω), ω in the child."""
    s, x, y, z = q
    half = [g.mul(g.const(0.5), r) for r in w]
    m, add, sub, neg = g.mul, g.add, g.sub, g.neg
    a, b, c = half
    return [
        neg(add(add(m(x, a), m(y, b)), m(z, c))),
        add(m(s, a), sub(m(y, c), m(z, b))),
        add(m(s, b), sub(m(z, a), m(x, c))),
        add(m(s, c), sub(m(x, b), m(y, a))),
    ]
