"""One translation along a direction fixed in both bodies."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from freebody.geometry.frame import Frame
from freebody.geometry.vector import vector
from freebody.model.joints.base import Joint, Placement, direction, nothing
from freebody.model.joints.column import along


@dataclass(frozen=True)
class Prismatic(Joint):
    """q slides the child along the axis; u = q̇."""

    axis: Any = "z"
    kind: ClassVar[str] = "prismatic"
    options: ClassVar = {"axis": "direction"}

    @property
    def coordinates(self) -> tuple[str, ...]:
        return ("",)

    @property
    def units(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return ("m",), ("m/s",)

    def place(self, parent: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        g = parent.graph
        axis = vector(parent, direction(parent, self.axis, f"joint of '{name}'"))
        return Placement(parent, along(axis, q[0]), [nothing(g)], [axis], nothing(g), nothing(g), [u[0]])
