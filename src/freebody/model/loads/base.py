"""The base class of loads. A load computes the forces and torques that it applies to bodies from their motion. Its
fields hold names of bodies and frames; the motion converts them to objects of the derivation."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from numbers import Real
from typing import Any, ClassVar, Protocol

from freebody.drawing import DrawnLoad
from freebody.errors import FieldError
from freebody.model.body import Point, Reference
from freebody.model.element import Element, Family, check_fields, field
from freebody.model.kinds import Scope, Text
from freebody.model.picture import Picture
from freebody.model.vectors import Components, PointSpec
from freebody.names import LOAD
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.walk import values
from freebody.spatial.vector import Vector

LOADS = Family("load")
"""All loads by name; filled in ``loads/__init__.py``."""


class ScalarView(Protocol):
    """What reads the scalars of a load's fields."""

    def scalar(self, value: Any) -> Expr: ...


class MotionView(ScalarView, Protocol):
    """The motion as a load sees it: the bodies, points, vectors and scalars of its fields as objects in the graph of
    the derivation, and their positions and velocities."""

    graph: Graph

    def body(self, name: str) -> Reference: ...
    def point(self, spec: PointSpec) -> Point: ...
    def vector(self, terms: Sequence[Components]) -> Vector: ...
    def position(self, start: Point, end: Point) -> Vector: ...
    def velocity(self, point: Point) -> Vector: ...
    def angular_velocity(self, body: Reference) -> Vector: ...


@dataclass(frozen=True)
class LoadWrench:
    """A force through a point of a body, and a torque on the body."""

    body: Reference
    point: Point | None
    force: Vector | None
    torque: Vector | None


@dataclass(frozen=True)
class SpeedForce:
    """A generalised force along a speed, by the name of the speed."""

    speed: str
    value: Expr


@dataclass(frozen=True, eq=False)
class Load(Element, ABC):
    """Anything that applies forces and torques to bodies."""

    _: KW_ONLY
    name: str = field(Text(), "name", default="", derived=True)

    section: ClassVar[str] = "loads"  # of model files; in others than this one the kind is not written
    acts_on_bodies: ClassVar[bool] = True  # whether it has wrenches; otherwise it acts along the speed of a joint

    def check(self) -> None:
        check_fields(self)

    def joint_force(self, motion: "ScalarView") -> SpeedForce | None:
        """The force along the speed of a joint, of a load that does not act on bodies."""
        return None

    def joint_losses(self, motion: "ScalarView") -> SpeedForce | None:
        """The part of ``joint_force`` that does not follow from the potential: all of it if there is none."""
        return self.joint_force(motion)

    @property
    def summary(self) -> str:
        """What tables show of it beside its kind."""
        return ""

    @property
    def misfit(self) -> Expr | None:
        """By how much the axes of its wheels are off the distance that their radii need, as a fraction of it; None if
        it connects no wheels."""
        return None

    @abstractmethod
    def wrenches(self, motion: MotionView) -> Iterator[LoadWrench]:
        """The forces and torques on each body."""

    @abstractmethod
    def value(self, motion: MotionView) -> Vector | Expr:
        """What a run records: the vector of a force or torque, the force between two points, a joint force."""

    def potential(self, motion: MotionView) -> Expr | None:
        """The potential energy, or None if there is none."""
        return None

    def nonconservative(self, motion: MotionView) -> Iterator[LoadWrench]:
        """The part of the wrenches that does not follow from the potential: all of them if there is none."""
        return self.wrenches(motion)

    def unit(self, motion: MotionView) -> str:
        """The unit of its value."""
        return "N"

    @property
    def variable(self) -> str:
        """The full name of its value among recorded variables."""
        return LOAD(self.name)

    def drawn(self, picture: Picture) -> DrawnLoad:
        """How it is drawn. By default it has no picture."""
        return DrawnLoad(self.name, self.kind)


def coinciding_point(point: Point, body: Reference, motion: MotionView) -> Point:
    """The point of another body that coincides with this point, at which a reaction acts."""
    return Point(body, motion.position(body.origin, point))


def require_positive(value: Any, scope: Scope, what: str, hint: str = "") -> None:
    """Raise if a number, or an expression of parameters at their default values, is not positive."""
    number = None if isinstance(value, Expr | str) else value
    if number is not None and not isinstance(number, Real):
        raise FieldError(f"{what} is {number!r}, not a real number")
    if isinstance(value, Expr) and value.graph.mask[value.handle] <= PARAMETERS_ONLY:
        g = value.graph
        known = {h: x for n, x in scope.values.items() if (h := g.named(n)) is not None}
        number = values(g, [value.handle], known)[0]
    if number is not None and not float(number) > 0:
        raise FieldError(f"{what} is {float(number):g}; it must be positive" + (f". {hint}" if hint else ""))
