"""A generalised force on one speed of a joint."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from freebody.errors import FieldError, within
from freebody.model.body import Body
from freebody.model.element import field
from freebody.model.kinds import Scalar, Scope, Text
from freebody.model.loads.base import Load, LoadWrench, MotionView
from freebody.model.vectors import BodyField
from freebody.names import U
from freebody.scalar.expr import Expr


@dataclass(frozen=True, eq=False)
class JointForce(Load):
    """A generalised force on one speed of a body's joint: a torque about its axis, a force along it."""

    on: Any = field(BodyField(), "the body whose joint it acts on")
    force: Any = field(Scalar(), "its value", unit="N·m or N", key="value")
    speed: Any = field(Text(), "which speed of the joint, where it has several", default="")
    kind: ClassVar[str] = "joint_force"

    def finalise(self, scope: Scope) -> Self:
        with within("on"):
            body = scope.body(self.on)
        speeds = body.recipe.joint.speeds if isinstance(body, Body) else ()
        if self.speed not in speeds:
            known = ", ".join(repr(s) for s in speeds) or "none"
            raise FieldError(f"'{body.name}' has no speed '{self.speed}', only {known}")
        return self

    @property
    def speed_name(self) -> str:
        """The name of the speed in the system."""
        return f"{self.on}.{self.speed}" if self.speed else str(self.on)

    def wrenches(self, motion: MotionView) -> Iterator[LoadWrench]:
        return iter(())

    def value(self, motion: MotionView) -> Expr:
        return motion.scalar(self.force)

    def unit(self, motion: MotionView) -> str:
        """N·m or N, as the speed is in rad/s or in m/s."""
        speed = motion.graph.symbol_named(U(self.speed_name))
        return "N·m" if speed.unit == "rad/s" else "N"
