"""Motion in a plane: two translations and a rotation about the normal."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from freebody.model.element import field
from freebody.model.joints.base import Joint, Placement, align, direction, nothing, principal, turn_about
from freebody.model.joints.column import along
from freebody.model.kinds import Direction
from freebody.spatial.frame import Frame
from freebody.spatial.vector import vector


@dataclass(frozen=True)
class Planar(Joint):
    """q = (x, y, angle): translations along two directions fixed in the parent, then the turn; u = q̇.

    With the normal along z the directions are x and y; along x they are y and z; along y they are z and x.
    """

    normal: Any = field(Direction(), "of the plane", default="z")
    kind: ClassVar[str] = "planar"

    @property
    def coordinates(self) -> tuple[str, ...]:
        return ("x", "y", "angle")

    @property
    def units(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return ("m", "m", "rad"), ("m/s", "m/s", "rad/s")

    def place(self, parent: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        g = parent.graph
        normal = direction(parent, self.normal, f"joint of '{name}'")
        frame, axis = turn_about(parent, name, normal, q[2])
        found = principal(g, normal)
        if found is not None:
            rows = [tuple(g.one if k == (found[0] + d) % 3 else g.zero for k in range(3)) for d in (1, 2)]
        else:
            rows = list(align(g, normal)[:2])
        first, second = (vector(parent, row) for row in rows)
        none, position = nothing(g), along(first, q[0]) + along(second, q[1])
        return Placement(frame, position, [none, none, axis], [first, second, none], none, none, list(u))
