"""Motion in a plane: two translations and a rotation about the normal."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from freebody.model.element import Given, field
from freebody.model.joints import measured, resisted
from freebody.model.joints.axes import aligned, direction, principal, turn_about, turn_aligned
from freebody.model.joints.base import Joint, Measurement, Placement, Resisted, combined, zero_vector
from freebody.model.kinds import Direction, DirectionValue
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame
from freebody.spatial.vector import Vector, dot, vector


@dataclass(frozen=True)
class Planar(Joint):
    """q = (x, y, angle): translations along two directions fixed in the parent, then the rotation about the normal;
    u = q̇. With the normal along z the directions are x and y; along x they are y and z; along y they are z and x.

    Equations are derived with two translations and a revolute joint with a massless link between them, which needs
    fewer operations (``stages``).
    """

    normal: Given[DirectionValue] = field(Direction(), "of the plane", default="z")
    kind: ClassVar[str] = "planar"
    coordinates: ClassVar = ("x", "y", "angle")
    units: ClassVar = ("m", "m", "rad"), ("m/s", "m/s", "rad/s")

    @property
    def stages(self) -> tuple[Joint, ...]:
        """The translations, then the rotation."""
        return PlanarTranslation(self.normal, **self.options(0, 2)), PlanarRotation(self.normal, **self.options(2, 3))

    def resists(self, axes: Frame) -> list[Resisted]:
        g = axes.graph
        normal = direction(axes, self.normal, "a closing joint")
        return [*resisted.translations(g, normal), *resisted.tilts(g, normal)]

    def measure(self, parent: Frame, child: Frame, position: Vector, u: Sequence[Node]) -> Measurement:
        normal = direction(parent, self.normal, "a closing joint")
        x, y = PlanarTranslation(self.normal).place(parent, "plane", u[:2], u[:2]).slides
        angle, e = measured.angle_about(parent, child, normal), vector(parent, normal)
        columns = [(None, x), (None, y), (e, None)]
        return measured.measurement([dot(position, x), dot(position, y), angle], child, position, columns, u)

    def place(self, parent: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        outer = PlanarTranslation(self.normal).place(parent, name, q[:2], u[:2])
        return outer.then(PlanarRotation(self.normal).place(outer.frame, name, q[2:], u[2:]), u)


@dataclass(frozen=True)
class PlanarTranslation(Joint):
    """The first stage of a planar joint: q = (x, y), u = q̇. If the normal is not an axis of the parent, the frame is
    aligned with it, and the outboard bodies are computed in this frame: both translations are eliminated along its axes
    before the result is rotated to the parent."""

    normal: Given[DirectionValue] = field(Direction(), "of the plane", default="z")
    kind: ClassVar[str] = "planar translation"
    coordinates: ClassVar = ("x", "y")
    units: ClassVar = ("m", "m"), ("m/s", "m/s")

    def place(self, parent: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        g, none = parent.graph, zero_vector(parent.graph)
        normal = direction(parent, self.normal, f"joint of '{name}'")
        along = principal(g, normal)
        frame, third = (parent, along[0]) if along is not None else (aligned(parent, name, normal), 2)
        slides = [vector(frame, [g.one if k == (third + d) % 3 else g.zero for k in range(3)]) for d in (1, 2)]
        return Placement(frame, combined(g, slides, q), [none, none], slides, none, none, list(u), frame)


@dataclass(frozen=True)
class PlanarRotation(Joint):
    """The second stage of a planar joint: q rotates the child about the normal, u = q̇. If the first stage has aligned
    the frame with the normal, this stage undoes it for the child."""

    normal: Given[DirectionValue] = field(Direction(), "of the plane", default="z")
    kind: ClassVar[str] = "planar rotation"
    coordinates: ClassVar = ("",)

    def place(self, parent: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        none = zero_vector(parent.graph)
        normal = direction(parent, self.normal, f"joint of '{name}'")
        turn = turn_aligned if principal(parent.graph, normal) is None else turn_about
        frame, axis = turn(parent, name, normal, q[0])
        return Placement(frame, none, [axis], [none], none, none, list(u))
