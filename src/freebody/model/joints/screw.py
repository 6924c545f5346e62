"""A rotation about an axis with a translation along it in proportion."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from freebody.model.element import field
from freebody.model.joints.base import Joint, Placement, constant, direction
from freebody.model.joints.column import moved, turning
from freebody.model.kinds import Constant, Direction
from freebody.spatial.frame import Frame


@dataclass(frozen=True)
class Screw(Joint):
    """q turns the child about the axis and moves it by pitch·q along it (pitch in m/rad); u = q̇."""

    axis: Any = field(Direction(), "fixed in both bodies", default="z")
    pitch: Any = field(Constant, "slide for each radian", default=0, unit="m/rad")
    kind: ClassVar[str] = "screw"
    aliases: ClassVar = ("helical",)

    @property
    def coordinates(self) -> tuple[str, ...]:
        return ("",)

    def place(self, parent: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        g = parent.graph
        axis = direction(parent, self.axis, f"joint of '{name}'")
        pitch = constant(g, self.pitch, f"joint of '{name}': the pitch")
        return moved(parent, name, turning(g, axis, pitch), q[0], u[0])
