"""A force through a point of a body."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from freebody.model.element import field
from freebody.model.loads.base import Load, LoadWrench, MotionView, reaction_point
from freebody.model.vectors import BodyField, PointField, VectorField
from freebody.spatial.vector import Vector


@dataclass(frozen=True, eq=False)
class Force(Load):
    """A force vector through a point of a body; its reaction through the same place on another."""

    vector: Any = field(VectorField(), "the force", unit="N")
    at: Any = field(PointField(), "where it acts")
    reaction: Any = field(BodyField(), "the body that feels the reaction", default=None)
    kind: ClassVar[str] = "force"

    def vector_basis(self) -> str:
        body: str = self.at.body
        return body

    def wrenches(self, motion: MotionView) -> Iterator[LoadWrench]:
        at, force = motion.point(self.at), motion.vector(self.vector)
        yield LoadWrench(at.body, at, force, None)
        if self.reaction is not None:
            other = motion.body(self.reaction)
            yield LoadWrench(other, reaction_point(at, other, motion), -force, None)

    def value(self, motion: MotionView) -> Vector:
        return motion.vector(self.vector)
