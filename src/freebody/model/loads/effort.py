"""A generalised force on one speed of a joint."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from freebody.errors import FieldError
from freebody.model.body import Body, Reference
from freebody.model.element import field
from freebody.model.joints.base import scalar
from freebody.model.kinds import Scalar, Scope, Text
from freebody.model.loads.base import Load, Shown, Wrench
from freebody.model.vectors import BodyField
from freebody.scalar.expr import Expr


@dataclass(frozen=True, eq=False)
class Effort(Load):
    """A generalised force on one speed of a body's joint: a torque about its axis, a force along it."""

    on: Any = field(BodyField(), "the body whose joint it acts on")
    force: Any = field(Scalar(), "its value", unit="N·m or N", key="value")
    speed: Any = field(Text(), "which speed of the joint, where it has several", default="")
    kind: ClassVar[str] = "effort"

    def settled(self, scope: Scope) -> Self:
        if not isinstance(self.on, Reference):
            return self
        speeds = self.on.recipe.described.joint.speeds if isinstance(self.on, Body) else ()
        if self.speed not in speeds:
            known = ", ".join(repr(s) for s in speeds) or "none"
            raise FieldError(f"'{self.on.name}' has no speed '{self.speed}', only {known}")
        return self

    @property
    def body(self) -> Body:
        body: Body = self.on
        return body

    @property
    def index(self) -> int:
        """Which of the joint's speeds."""
        return self.body.recipe.described.joint.speeds.index(self.speed)

    @property
    def speed_name(self) -> str:
        """The name of the speed in the system."""
        return self.body.recipe.described.names[1][self.index]

    @property
    def amount(self) -> Expr:
        g = self.body.graph
        return Expr(g, scalar(g, self.force))

    def wrenches(self, motion: Shown) -> Iterator[Wrench]:
        return iter(())

    def value(self, motion: Shown) -> Expr:
        return self.amount

    @property
    def unit(self) -> str:
        return "N·m" if self.body.recipe.described.joint.units[1][self.index] == "rad/s" else "N"
