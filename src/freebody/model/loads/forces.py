"""A force through a point, a torque on a body, and a generalised force on a speed of a joint."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from freebody.drawing import GROUND, DrawnArrow, DrawnLoad
from freebody.errors import FieldError, nearest, within
from freebody.model.body import Body, BodyValue, Reference
from freebody.model.element import Given, field
from freebody.model.kinds import Scalar, ScalarValue, Scope, Text
from freebody.model.loads.base import Load, LoadWrench, MotionView, ScalarView, SpeedForce, coinciding_point
from freebody.model.loads.on_speed import LoadOnSpeed
from freebody.model.picture import Picture
from freebody.model.vectors import (
    BodyField,
    PointField,
    PointValue,
    VectorField,
    VectorValue,
    is_normal_vector,
    read_vector,
    scale_vector,
)
from freebody.scalar.expr import Expr
from freebody.spatial.vector import Vector, handle


@dataclass(frozen=True, eq=False)
class Force(Load):
    """A force through a point of a body, with an optional reaction on another body at the same point in space."""

    vector: Given[VectorValue] = field(VectorField(), "force", unit="N")
    at: Given[PointValue] = field(PointField(), "point at which it acts")
    reaction: Given[BodyValue | None] = field(BodyField(), "body on which the reaction acts", default=None)
    kind: ClassVar[str] = "force"

    def vector_basis(self) -> Any:
        return self.at.body

    def wrenches(self, motion: MotionView) -> Iterator[LoadWrench]:
        at, force = motion.point(self.at), motion.vector(self.vector)
        yield LoadWrench(at.body, at, force, None)
        if self.reaction is not None:
            other = motion.body(self.reaction)
            yield LoadWrench(other, coinciding_point(at, other, motion), -force, None)

    def value(self, motion: MotionView) -> Vector:
        return motion.vector(self.vector)

    def drawn(self, picture: Picture) -> DrawnLoad:
        at = picture.anchor(self.at, f"force '{self.name}'")
        arrows = () if at is None else (DrawnArrow("force", at, self.variable),)
        return replace(super().drawn(picture), arrows=arrows)


@dataclass(frozen=True, eq=False)
class Torque(Load):
    """A torque on a body, with an optional reaction on another body. It is a vector, or a value about a direction of
    any length."""

    on: Given[BodyValue] = field(BodyField(), "body on which it acts")
    vector: Given[VectorValue | None] = field(VectorField(), "torque", default=None, unit="N·m")
    value_: Given[ScalarValue | None] = field(
        Scalar(), "value of the torque, with `about` instead of `vector`", default=None, unit="N·m", key="value"
    )
    about: Given[VectorValue | None] = field(VectorField(), "direction of the torque, with `value`", default=None)
    reaction: Given[BodyValue | None] = field(BodyField(), "body on which the reaction acts", default=None)
    kind: ClassVar[str] = "torque"

    def __post_init__(self) -> None:
        if (self.vector is None) == (self.value_ is None) or (self.value_ is None) != (self.about is None):
            raise FieldError("a torque needs a vector, or a value and a direction (about)")

    def finalise(self, scope: Scope) -> Self:
        if self.value_ is None or isinstance(self.value_, str) or not is_normal_vector(self.about):
            return self
        value, length = self.value_, read_vector(self.about, scope).norm()
        size = length.graph.number(length.handle)
        if size == 0:
            raise FieldError("a direction must not have length 0", "about")
        value = value if size == 1 else Expr(length.graph, handle(length.graph, value, "")) / length
        return replace(self, vector=scale_vector(self.about, value, scope), value_=None, about=None)

    def vector_basis(self) -> Any:
        return self.on

    def wrenches(self, motion: MotionView) -> Iterator[LoadWrench]:
        torque = motion.vector(self.vector)
        yield LoadWrench(motion.body(self.on), None, None, torque)
        if self.reaction is not None:
            yield LoadWrench(motion.body(self.reaction), None, None, -torque)

    def value(self, motion: MotionView) -> Vector:
        return motion.vector(self.vector)

    def unit(self, motion: MotionView) -> str:
        return "N·m"

    def drawn(self, picture: Picture) -> DrawnLoad:
        arrows = [DrawnArrow("torque", picture.centre(self.on), self.variable)]
        if self.reaction not in (None, GROUND):
            arrows.append(DrawnArrow("torque", picture.centre(self.reaction), self.variable, -1.0))
        return replace(super().drawn(picture), arrows=tuple(arrows))


def wrong_speed(body: Reference, speeds: Sequence[str], speed: str) -> str:
    """The error text for a speed that the joint of a body does not have."""
    if not isinstance(body, Body):
        return "the ground has no joint; name a body"
    context = f"the {body.spec.joint.kind} joint of '{body.name}'"
    if not speeds:
        return f"{context} has no speeds, so no force can act along one; name another"
    if speeds == ("",):
        return f"{context} has one speed; leave out speed={speed!r}"
    units = dict(zip(speeds, body.spec.freedoms.units[1], strict=True))
    listed = ", ".join(f"'{s}' ({'torque' if 'rad' in unit else 'force'})" for s, unit in units.items())
    near = nearest(speed, speeds, 1)
    wrong = f"has no speed '{speed}'" if speed else f"has {len(speeds)} speeds"
    return f"{context} {wrong}; choose one, such as speed='{(near or speeds)[0]}'. Its speeds are {listed}"


@dataclass(frozen=True, eq=False)
class JointForce(LoadOnSpeed):
    """A generalised force on a speed of a body's joint: a torque about its axis, or a force along it."""

    on: Given[BodyValue] = field(BodyField(), "body on whose joint it acts")
    force: Given[ScalarValue] = field(Scalar(), "generalised force", unit="N·m or N", key="value")
    speed: str = field(Text(), "name of the speed, if the joint has several", default="")
    kind: ClassVar[str] = "joint_force"

    def finalise(self, scope: Scope) -> Self:
        with within("on"):
            body = scope.body(self.on)
        speeds = body.spec.freedoms.speeds if isinstance(body, Body) else ()
        if self.speed not in speeds:
            raise FieldError(wrong_speed(body, speeds, self.speed))
        return self

    @property
    def speed_name(self) -> str:
        """The name of the speed in the system."""
        return f"{self.on}.{self.speed}" if self.speed else str(self.on)

    def joint_force(self, motion: ScalarView) -> SpeedForce:
        return SpeedForce(self.speed_name, motion.scalar(self.force))

    def value(self, motion: MotionView) -> Expr:
        return motion.scalar(self.force)
