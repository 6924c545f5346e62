"""Six freedoms: position and orientation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from freebody.model.element import field
from freebody.model.joints import manifold
from freebody.model.joints.base import Joint, Numbers, Placement, nothing
from freebody.model.joints.spherical import ANGLES, QUATERNION, RATES, axes, oriented
from freebody.model.kinds import AxisSequence
from freebody.spatial.frame import Frame
from freebody.spatial.vector import vector

PLACES = ("x", "y", "z")


@dataclass(frozen=True)
class Free(Joint):
    """q = position of the child's origin in the parent, then the quaternion (or the angles of a sequence);
    u = (ω, v) of the child relative to the parent, both along the child's axes."""

    sequence: Any = field(AxisSequence(), "of angles such as 123; without it a quaternion", default=None)
    kind: ClassVar[str] = "free"
    aliases: ClassVar = ("floating", "6dof")

    @property
    def coordinates(self) -> tuple[str, ...]:
        return PLACES + (QUATERNION if self.sequence is None else ANGLES)

    @property
    def speeds(self) -> tuple[str, ...]:
        return (*RATES, "vx", "vy", "vz")

    @property
    def units(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        turning = ("",) * 4 if self.sequence is None else ("rad",) * 3
        return ("m",) * 3 + turning, ("rad/s",) * 3 + ("m/s",) * 3

    @property
    def zero(self) -> tuple[float, ...]:
        return (0.0,) * 3 + ((1.0, 0.0, 0.0, 0.0) if self.sequence is None else (0.0,) * 3)

    def normalise(self, q: Numbers) -> Numbers:
        return np.concatenate([q[:3], q[3:] / np.linalg.norm(q[3:])]) if self.sequence is None else q

    def integrate(self, q: Numbers, delta: Numbers) -> Numbers:
        return manifold.moved(self.sequence, q, delta)

    def difference(self, start: Numbers, end: Numbers) -> Numbers:
        return manifold.move(self.sequence, start, end)

    def place(self, parent: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        g = parent.graph
        frame, turning = oriented(parent, name, self.sequence, q[3:], u[:3])
        none, own = nothing(g), axes(frame)
        w, v = vector(frame, u[:3]), vector(frame, u[3:])
        moving = [s.handle for s in v.resolve(parent)]
        return Placement(
            frame, vector(parent, q[:3]), [*own, none, none, none], [none, none, none, *own], none, w.cross(v),
            [*moving, *turning],
        )  # fmt: skip

    def kept(self, placement: Placement) -> tuple[str, None]:
        return "none", None
