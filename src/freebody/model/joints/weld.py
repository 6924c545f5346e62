"""No degree of freedom."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from freebody.model.joints import measured, resisted
from freebody.model.joints.base import Joint, Measurement, Placement, Resisted, zero_vector
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame
from freebody.spatial.vector import Vector


@dataclass(frozen=True)
class Weld(Joint):
    """The child is fixed to the parent."""

    kind: ClassVar[str] = "weld"
    aliases: ClassVar = ("fixed",)
    coordinates: ClassVar = ()

    def resists(self, axes: Frame) -> list[Resisted]:
        return [*resisted.translations(axes.graph), *resisted.rotations(axes.graph)]

    def measure(self, parent: Frame, child: Frame, position: Vector, u: Sequence[Node]) -> Measurement:
        return measured.measurement([], child, position, [], u)

    def place(self, parent: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        none = zero_vector(parent.graph)
        return Placement(parent, none, [], [], none, none, [])
