"""A rotation about an axis and a translation along it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from freebody.model.element import field
from freebody.model.joints.base import Joint, Placement, direction, nothing, turn_about
from freebody.model.joints.column import along
from freebody.model.kinds import Direction
from freebody.spatial.frame import Frame


@dataclass(frozen=True)
class Cylindrical(Joint):
    """q = (angle, distance), u = q̇."""

    axis: Any = field(Direction(), "fixed in both bodies", default="z")
    kind: ClassVar[str] = "cylindrical"

    @property
    def coordinates(self) -> tuple[str, ...]:
        return ("angle", "slide")

    @property
    def units(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return ("rad", "m"), ("rad/s", "m/s")

    def place(self, parent: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        g = parent.graph
        frame, axis = turn_about(parent, name, direction(parent, self.axis, f"joint of '{name}'"), q[0])
        none = nothing(g)
        return Placement(frame, along(axis, q[1]), [axis, none], [none, axis], none, none, list(u))
