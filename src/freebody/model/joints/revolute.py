"""One rotation about an axis fixed in both bodies."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from freebody.geometry.frame import Frame
from freebody.model.joints.base import Joint, Placement, direction, nothing, turn_about


@dataclass(frozen=True)
class Revolute(Joint):
    """q turns the child about the axis; u = q̇."""

    axis: Any = "z"
    kind: ClassVar[str] = "revolute"
    options: ClassVar = {"axis": "direction"}

    @property
    def coordinates(self) -> tuple[str, ...]:
        return ("",)

    def place(self, parent: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        g = parent.graph
        frame, axis = turn_about(parent, name, direction(parent, self.axis, f"joint of '{name}'"), q[0])
        return Placement(frame, nothing(g), [axis], [nothing(g)], nothing(g), nothing(g), [u[0]])
