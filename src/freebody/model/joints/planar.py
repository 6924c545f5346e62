"""Motion in a plane: two translations and a rotation about the normal."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from freebody.model.element import field
from freebody.model.joints.base import (
    Joint,
    Placement,
    aligned,
    direction,
    nothing,
    principal,
    turn_about,
    turn_aligned,
)
from freebody.model.joints.column import along, composed
from freebody.model.kinds import Direction
from freebody.spatial.frame import Frame
from freebody.spatial.vector import vector


@dataclass(frozen=True)
class Planar(Joint):
    """q = (x, y, angle): translations along two directions fixed in the parent, then the turn; u = q̇.

    With the normal along z the directions are x and y; along x they are y and z; along y they are z and x.
    Derivations take it as two slides and a hinge with a massless link between them, which costs less (``stages``).
    """

    normal: Any = field(Direction(), "of the plane", default="z")
    kind: ClassVar[str] = "planar"

    @property
    def coordinates(self) -> tuple[str, ...]:
        return ("x", "y", "angle")

    @property
    def units(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return ("m", "m", "rad"), ("m/s", "m/s", "rad/s")

    @property
    def stages(self) -> tuple[Joint, ...]:
        """The translations, then the turn."""
        return Slides(self.normal, **self.options(0, 2)), Turn(self.normal, **self.options(2, 3))

    def place(self, parent: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        slides = Slides(self.normal).place(parent, name, q[:2], u[:2])
        return composed(slides, Turn(self.normal).place(slides.frame, name, q[2:], u[2:]), u)


@dataclass(frozen=True)
class Slides(Joint):
    """The first stage of a planar joint: q = (x, y), u = q̇. The frame that it moves is laid along a skew normal, and
    what hangs there is computed in it: both slides are eliminated along its axes before it is turned to the parent."""

    normal: Any = field(Direction(), "of the plane", default="z")
    kind: ClassVar[str] = "slides in a plane"

    @property
    def coordinates(self) -> tuple[str, ...]:
        return ("x", "y")

    @property
    def units(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return ("m", "m"), ("m/s", "m/s")

    def place(self, parent: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        g = parent.graph
        normal = direction(parent, self.normal, f"joint of '{name}'")
        found = principal(g, normal)
        frame, third = (parent, found[0]) if found is not None else (aligned(parent, name, normal), 2)
        axes = [tuple(g.one if k == (third + d) % 3 else g.zero for k in range(3)) for d in (1, 2)]
        first, second = (vector(frame, axis) for axis in axes)
        none, position = nothing(g), along(first, q[0]) + along(second, q[1])
        return Placement(frame, position, [none, none], [first, second], none, none, list(u), frame)


@dataclass(frozen=True)
class Turn(Joint):
    """The second stage of a planar joint: q turns the child about the normal, u = q̇. It stands on a frame that the
    first stage has laid along a skew normal; the child's is laid back."""

    normal: Any = field(Direction(), "of the plane", default="z")
    kind: ClassVar[str] = "turn in a plane"

    @property
    def coordinates(self) -> tuple[str, ...]:
        return ("",)

    def place(self, parent: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        g, none = parent.graph, nothing(parent.graph)
        normal = direction(parent, self.normal, f"joint of '{name}'")
        turn = turn_aligned if principal(g, normal) is None else turn_about
        frame, axis = turn(parent, name, normal, q[0])
        return Placement(frame, none, [axis], [none], none, none, list(u))
