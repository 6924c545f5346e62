"""Six degrees of freedom: position and orientation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from freebody.model.element import Given, field
from freebody.model.joints import manifold, measured
from freebody.model.joints.base import Array, Joint, Measurement, MotionGroup, Placement, Resisted, zero_vector
from freebody.model.joints.spherical import ANGLES, QUATERNION, RATES, axis_vectors, oriented, rotation_speeds
from freebody.model.kinds import AxisSequence
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame
from freebody.spatial.vector import Vector, components, vector


@dataclass(frozen=True)
class Free(Joint):
    """q = position of the child's origin in the parent, then the quaternion or the angles of a sequence as for a
    spherical joint. u = (ω, v) of the child relative to the parent, both along the child's axes."""

    sequence: Given[str | None] = field(
        AxisSequence(), "sequence of rotations such as 123; without it a quaternion", default=None
    )
    kind: ClassVar[str] = "free"
    aliases: ClassVar = ("floating", "6dof")
    speeds: ClassVar = (*RATES, "vx", "vy", "vz")

    @property
    def coordinates(self) -> tuple[str, ...]:
        return ("x", "y", "z", *(QUATERNION if self.sequence is None else ANGLES))

    @property
    def rotation_sequence(self) -> str | None:
        sequence: str | None = self.sequence
        return sequence

    @property
    def units(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        orientation = ("",) * 4 if self.sequence is None else ("rad",) * 3
        return ("m",) * 3 + orientation, ("rad/s",) * 3 + ("m/s",) * 3

    @property
    def zero(self) -> tuple[float, ...]:
        return (0.0,) * 3 + ((1.0, 0.0, 0.0, 0.0) if self.sequence is None else (0.0,) * 3)

    @property
    def motion_groups(self) -> tuple[MotionGroup, ...]:
        """All together: the velocity is along the child's axes."""
        return (MotionGroup(slice(0, len(self.coordinates)), slice(0, 6), self._rates),)

    def _rates(self, g: Graph, q: Sequence[Node], q_dot: Sequence[Node]) -> list[Node]:
        parent = Frame("parent", g)
        frame, w = rotation_speeds(parent, self.sequence, q[3:], q_dot[3:])
        return [*w, *components(vector(parent, q_dot[:3]), frame)]

    def normalise(self, q: Array) -> Array:
        return np.concatenate([q[:3], q[3:] / np.linalg.norm(q[3:])]) if self.sequence is None else q

    def integrate(self, q: Array, delta: Array) -> Array:
        return manifold.displace(self.sequence, q, delta)

    def difference(self, start: Array, end: Array) -> Array:
        return manifold.displacement_between(self.sequence, start, end)

    def resists(self, axes: Frame) -> list[Resisted]:
        return []

    def measure(self, parent: Frame, child: Frame, position: Vector, u: Sequence[Node]) -> Measurement:
        none, unit_vectors = [zero_vector(parent.graph)] * 3, axis_vectors(child)
        coordinates = [*components(position, parent), *measured.orientation(parent, child, self.sequence)]
        remainder = vector(child, u[:3]).cross(vector(child, u[3:]))
        turns, slides = [*unit_vectors, *none], [*none, *unit_vectors]
        return Measurement(coordinates, Placement(child, position, turns, slides, none[0], remainder, list(u)))

    def place(self, parent: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        frame, rotation_rates = oriented(parent, name, self.sequence, q[3:], u[:3])
        none, unit_vectors = [zero_vector(parent.graph)] * 3, axis_vectors(frame)
        w, v = vector(frame, u[:3]), vector(frame, u[3:])
        q_dot = [*components(v, parent), *rotation_rates]
        turns, slides = [*unit_vectors, *none], [*none, *unit_vectors]
        return Placement(frame, vector(parent, q[:3]), turns, slides, none[0], w.cross(v), q_dot)

    def parent_inertia(self, placement: Placement) -> tuple[str, None]:
        return "none", None
