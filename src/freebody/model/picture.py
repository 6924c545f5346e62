"""What loads, constraints and sensors need to describe their pictures (``Picture``): their fields as plain numbers."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from freebody.drawing import Anchor, DrawnAxis, DrawnJoint, Triple
from freebody.model.body import Point
from freebody.model.joints.base import Joint
from freebody.model.placed import PlacedBodies
from freebody.model.vectors import PointSpec
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame


class Picture(Protocol):
    """The fields of elements as plain numbers, for values of the parameters. What moves is as in the initial state.
    ``context`` begins the note on what cannot be drawn, as "force 'push'"."""

    @property
    def placed(self) -> PlacedBodies:
        """The bodies in the graph of the derivation."""

    def numbers(self, values: Sequence[Any], known: Mapping[Node, float] | None = None) -> list[float]:
        """Scalars of fields; ``known`` are values of further symbols, by their nodes."""

    def shape(self, shape: Any) -> Mapping[str, Any]:
        """The facts of a shape, as the viewer needs them."""

    def position(self, point: PointSpec | Point) -> Triple:
        """A point along the axes of its body, from its origin."""

    def anchor(self, point: PointSpec | Point, context: str) -> Anchor | None:
        """A point as one that is fixed in its body; None, with a note, if it moves there."""

    def reaction_point(self, name: str) -> Point | None:
        """The point at which the reaction of the joint of a body, or of a constraint, is reported."""

    def ends(self, start: PointSpec, end: PointSpec, context: str) -> tuple[Anchor, Anchor] | None:
        """The anchors of two points; None if one of them moves on its body."""

    def unit(self, body: str, direction: Any, context: str) -> Triple:
        """A direction of a field along the axes of a body, as a unit vector."""

    def centre(self, body: str) -> Anchor:
        """The mass centre of a body; the origin of the ground."""

    def axis(self, speed: str) -> DrawnAxis | None:
        """The axis of a speed of a joint; None if the speed has none, as those of modes."""

    def closing_joint(self, joint: Joint, start: Anchor, end: Anchor, axes: tuple[Frame, Frame]) -> DrawnJoint:
        """A joint that closes a loop between two places, with its axes in both bodies."""
