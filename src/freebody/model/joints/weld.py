"""No degree of freedom."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from freebody.model.joints.base import Joint, Placement, zero_vector
from freebody.spatial.frame import Frame


@dataclass(frozen=True)
class Weld(Joint):
    """The child is fixed to the parent."""

    kind: ClassVar[str] = "weld"
    aliases: ClassVar = ("fixed",)
    coordinates: ClassVar = ()

    def place(self, parent: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        none = zero_vector(parent.graph)
        return Placement(parent, none, [], [], none, none, [])
