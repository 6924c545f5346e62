"""A torque on a body."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from freebody.errors import FieldError
from freebody.model.element import field
from freebody.model.kinds import Scalar, Scope
from freebody.model.loads.base import Load, LoadWrench, MotionView
from freebody.model.vectors import BodyField, VectorField, is_normal_vector, scale_vector
from freebody.spatial.vector import Vector


@dataclass(frozen=True, eq=False)
class Torque(Load):
    """A torque vector on a body, or a value about a direction, and its reaction on another body."""

    on: Any = field(BodyField(), "the body that it turns")
    vector: Any = field(VectorField(), "the torque", default=None, unit="N·m")
    value_: Any = field(Scalar(), "or its value", default=None, unit="N·m", key="value")
    about: Any = field(VectorField(), "and the direction that it is about", default=None)
    reaction: Any = field(BodyField(), "the body that feels the reaction", default=None)
    kind: ClassVar[str] = "torque"

    def __post_init__(self) -> None:
        if (self.vector is None) == (self.value_ is None) or (self.value_ is None) != (self.about is None):
            raise FieldError("a torque has a vector, or a value and the direction it is about")

    def finalise(self, scope: Scope) -> Self:
        if self.value_ is None or isinstance(self.value_, str) or not is_normal_vector(self.about):
            return self
        return replace(self, vector=scale_vector(self.about, self.value_, scope), value_=None, about=None)

    def vector_basis(self) -> str:
        body: str = self.on
        return body

    def wrenches(self, motion: MotionView) -> Iterator[LoadWrench]:
        torque = motion.vector(self.vector)
        yield LoadWrench(motion.body(self.on), None, None, torque)
        if self.reaction is not None:
            yield LoadWrench(motion.body(self.reaction), None, None, -torque)

    def value(self, motion: MotionView) -> Vector:
        return motion.vector(self.vector)

    def unit(self, motion: MotionView) -> str:
        return "N·m"
