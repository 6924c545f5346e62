"""No freedom at all."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from freebody.model.joints.base import Joint, Placement, nothing
from freebody.spatial.frame import Frame


@dataclass(frozen=True)
class Weld(Joint):
    """The child is fixed to the parent."""

    kind: ClassVar[str] = "weld"
    aliases: ClassVar = ("fixed",)

    @property
    def coordinates(self) -> tuple[str, ...]:
        return ()

    def place(self, parent: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        g = parent.graph
        return Placement(parent, nothing(g), [], [], nothing(g), nothing(g), [])
