"""The load contract: each load knows its own law and says, from the motion it is shown, which forces and torques it
puts on bodies. A load holds names of bodies and frames; the motion says what they stand for."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Protocol

from freebody.model.body import Point, Reference
from freebody.model.element import Element, Family, field
from freebody.model.kinds import Text
from freebody.model.vectors import Components, PointSpec
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.spatial.vector import Vector

LOADS = Family("load")
"""All loads by their words; filled in ``loads/__init__.py``."""


class MotionView(Protocol):
    """What a load may ask of the motion: the bodies, points, vectors and scalars that its fields describe, as objects
    in the graph of the derivation, and how they move."""

    graph: Graph

    def body(self, name: str) -> Reference: ...
    def point(self, place: PointSpec) -> Point: ...
    def vector(self, terms: Sequence[Components]) -> Vector: ...
    def scalar(self, value: Any) -> Expr: ...
    def position(self, start: Point, end: Point) -> Vector: ...
    def velocity(self, point: Point) -> Vector: ...
    def angular_velocity(self, body: Reference) -> Vector: ...


@dataclass(frozen=True)
class LoadWrench:
    """A force through a point of a body and a torque on it."""

    body: Reference
    point: Point | None
    force: Vector | None
    torque: Vector | None


@dataclass(frozen=True, eq=False)
class Load(Element, ABC):
    """Anything that pushes or turns bodies."""

    _: KW_ONLY
    name: Any = field(Text(), "what it is called", default="", derived=True)

    @abstractmethod
    def wrenches(self, motion: MotionView) -> Iterator[LoadWrench]:
        """What it does to which bodies."""

    @abstractmethod
    def value(self, motion: MotionView) -> Vector | Expr:
        """What it is at the moment: the vector of a force or torque, the pull between two points, a joint force."""

    def potential(self, motion: MotionView) -> Expr | None:
        """The energy stored in it, where it stores what it takes."""
        return None

    def nonconservative(self, motion: MotionView) -> Iterator[LoadWrench]:
        """The part of its wrenches whose work does not go into its potential: all of them, where it has none."""
        return self.wrenches(motion)

    def unit(self, motion: MotionView) -> str:
        """Of its value."""
        return "N"


def reaction_point(point: Point, body: Reference, motion: MotionView) -> Point:
    """The point of another body that lies where this one is now: where a reaction acts."""
    return Point(body, motion.position(body.origin, point))
