"""A force through a point of a body."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from freebody.model.body import Reference
from freebody.model.element import field
from freebody.model.loads.base import Load, Shown, Wrench, opposite
from freebody.model.vectors import BodyField, PointField, VectorField
from freebody.spatial.vector import Vector


@dataclass(frozen=True, eq=False)
class Force(Load):
    """A force vector through a point of a body; its reaction through the same place on another."""

    vector: Any = field(VectorField(), "the force", unit="N")
    at: Any = field(PointField(), "where it acts")
    reaction: Any = field(BodyField(), "the body that feels the reaction", default=None)
    kind: ClassVar[str] = "force"

    def carrier(self) -> Reference:
        body: Reference = self.at.body
        return body

    def wrenches(self, motion: Shown) -> Iterator[Wrench]:
        yield Wrench(self.at.body, self.at, self.vector, None)
        if self.reaction is not None:
            yield Wrench(self.reaction, opposite(self.at, self.reaction, motion), -self.vector, None)

    def value(self, motion: Shown) -> Vector:
        force: Vector = self.vector
        return force
