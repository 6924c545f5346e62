"""No degree of freedom."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from freebody.model.joints import resisted
from freebody.model.joints.base import Joint, Placement, Resisted, zero_vector
from freebody.spatial.frame import Frame


@dataclass(frozen=True)
class Weld(Joint):
    """The child is fixed to the parent."""

    kind: ClassVar[str] = "weld"
    aliases: ClassVar = ("fixed",)
    coordinates: ClassVar = ()

    def resists(self, axes: Frame) -> list[Resisted]:
        return [*resisted.translations(axes.graph), *resisted.rotations(axes.graph)]

    def place(self, parent: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        none = zero_vector(parent.graph)
        return Placement(parent, none, [], [], none, none, [])
