"""The base class of constraints. A constraint is a load of unknown strength: for each of its equations it computes,
from the motion of the bodies, the residual, and the forces and torques that a multiplier λ = 1 applies.

An equation restricts positions, φ(q, t) = 0, and so speeds, G u + offset = 0; or it restricts speeds alone. The forces
of λ are Gᵀλ, and their power on all motions that the constraint allows is zero.
"""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple, Protocol

from freebody.model.body import Point, Reference
from freebody.model.element import Element, Family, field
from freebody.model.kinds import Text
from freebody.model.loads.base import LoadWrench, MotionView
from freebody.model.vectors import PointSpec
from freebody.scalar.expr import Expr
from freebody.spatial.frame import Frame
from freebody.spatial.vector import Vector

CONSTRAINTS = Family("constraint")
"""All constraints by name; filled in ``constraints/__init__.py``."""


class ConstraintMotionView(MotionView, Protocol):
    """The motion as a constraint sees it: that of loads, and accelerations. These hold the terms in u̇ if the motion
    has values for u̇; otherwise they are remainders, as if u̇ were zero (or a reference)."""

    def working_frame(self, body: Reference) -> Frame:
        """The frame, fixed in a body, in which its motion is computed."""

    def carried_velocity(self, point: Point) -> Vector:
        """v of the body-fixed point that coincides with a point."""

    def carried_acceleration(self, point: Point) -> Vector:
        """Acceleration minus gravity of the body-fixed point that coincides with a point."""

    def carried_angular_acceleration(self, body: Reference) -> Vector:
        """α of a body."""

    def rate(self, value: Expr) -> Expr:
        """d/dt of a scalar of coordinates, speeds, extra states and time."""

    def speed_gradient(self, value: Expr) -> dict[int, Expr]:
        """∂value/∂u by the index of the speed; speeds on which the value does not depend are absent."""

    def at_rest(self, value: Expr) -> Expr:
        """The value at u = 0."""


@dataclass(frozen=True)
class ConstraintRow:
    """One equation of a constraint.

    ``wrenches`` and ``forces`` (on speeds, by index) are those of λ = 1, so that the left side of the equation for
    speeds is their power, G u, plus ``offset``. ``residual`` is φ, whose rate this left side is where φ = 0; it is None
    if the equation restricts speeds alone. ``acceleration`` is the rate of the left side. ``unit`` is that of the
    residual, or of the left side where there is none.
    """

    label: str
    wrenches: Sequence[LoadWrench]
    residual: Expr | None
    acceleration: Expr
    unit: str
    forces: Mapping[int, Expr] = dataclasses.field(default_factory=dict)
    offset: Expr | None = None

    def velocity(self, motion: ConstraintMotionView, speeds: Sequence[Expr]) -> Expr:
        """G u + offset."""
        total = Expr(motion.graph, motion.graph.zero) if self.offset is None else self.offset
        for w in self.wrenches:
            if w.force is not None and w.point is not None:
                total = total + w.force.dot(motion.carried_velocity(w.point))
            if w.torque is not None:
                total = total + w.torque.dot(motion.angular_velocity(w.body))
        for k, force in self.forces.items():
            total = total + force * speeds[k]
        return total


class RowForm(NamedTuple):
    """Which of several equivalent forms the equations of a closure take. ``exchanged``: their directions are fixed in
    the second body, not in the first. ``aligned``: where all three translations are resisted, their directions are the
    axes of the body's working frame, as far as the rows that are ``omitted`` (by index) allow it. ``start``: the end of
    another closure at the same place, which stands for the first end in the equations of translations."""

    exchanged: bool = False
    aligned: bool = False
    omitted: frozenset[int] = frozenset()
    start: PointSpec | None = None


@dataclass(frozen=True, eq=False)
class Constraint(Element, ABC):
    """Anything that restricts the motion of bodies by equations."""

    _: KW_ONLY
    name: Any = field(Text(), "name", default="", derived=True)

    @abstractmethod
    def rows(self, motion: ConstraintMotionView, form: "RowForm") -> list[ConstraintRow]:
        """Its equations in a form; constraints other than closures have one form only."""

    def cosines(self, motion: ConstraintMotionView) -> list[Expr]:
        """Cosines that are +1 where the constraint holds as it is meant. Where its equations are satisfied, but bodies
        are half a turn away, some are −1."""
        return []

    @abstractmethod
    def bodies(self) -> tuple[str, ...]:
        """The names of the bodies that it connects, for diagrams; empty if it is an expression."""
