"""The base class of constraints. A constraint is a load of unknown strength: for each of its equations it computes,
from the motion of the bodies, the residual, and the forces and torques that a multiplier λ = 1 applies.

An equation restricts positions, φ(q, t) = 0, and so speeds, G u + offset = 0; or it restricts speeds alone. The forces
of λ are Gᵀλ, and their power on all motions that the constraint allows is zero.
"""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from freebody.drawing import DrawnConstraint
from freebody.errors import FieldError
from freebody.model.body import Point, Reference
from freebody.model.declarations import State
from freebody.model.element import Element, Family, Given, check_fields, expressions, field
from freebody.model.joints.base import Joint
from freebody.model.kinds import Boolean, Scope, Text
from freebody.model.loads.base import LoadWrench, MotionView
from freebody.model.picture import Picture
from freebody.model.placed import PlacedBodies
from freebody.model.vectors import PointSpec
from freebody.names import ENGAGED
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import symbols_of
from freebody.spatial.frame import Frame
from freebody.spatial.vector import Vector

if TYPE_CHECKING:
    from freebody.model.constraints.cut_joint import CutJoint

CONSTRAINTS = Family("constraint")
"""All constraints by name; filled in ``constraints/__init__.py``."""

GEOMETRY = Kind.PARAMETER | Kind.TIME | Kind.COORDINATE | Kind.INTERMEDIATE
"""Kinds of symbols that points and lengths of constraints may depend on (intermediate: arguments of a law)."""


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
class SideForces:
    """Forces that a multiplier λ brings along and that do no work on any motion which the joints of the tree allow, so
    that reactions alone contain them: those that push the teeth of gears apart, and the pull of belts. They are the
    ``wrenches`` times max(|λ|, ``least``)."""

    wrenches: tuple[LoadWrench, ...]
    least: Expr | None = None


@dataclass(frozen=True)
class ConstraintRow:
    """One equation of a constraint.

    ``wrenches`` and ``forces`` (on speeds, by index) are those of λ = 1, so that the left side of the equation for
    speeds is their power, G u, plus ``offset``. ``residual`` is φ, whose rate this left side is where φ = 0; it is None
    if the equation restricts speeds alone. ``acceleration`` is the rate of the left side. ``unit`` is that of the
    residual, or of the left side where there is none. ``gap`` is what a user measures where the equation does not hold,
    if that is another expression than the residual. ``side`` are forces that follow |λ|.
    """

    label: str
    wrenches: Sequence[LoadWrench]
    residual: Expr | None
    acceleration: Expr
    unit: str
    forces: Mapping[int, Expr] = dataclasses.field(default_factory=dict)
    offset: Expr | None = None
    gap: Expr | None = None
    side: SideForces | None = None

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
    """Anything that restricts the motion of bodies by equations.

    One whose ``engaged`` is True or False can be switched during a run: while it is released, its equations do not hold
    and its multipliers are zero. Its flag is an input, 1 or 0."""

    _: KW_ONLY
    name: str = field(Text(), "name", default="", derived=True)
    engaged: Given[bool | None] = field(
        Boolean(),
        "whether it holds at the start of a run that can switch it; it always holds if left out",
        default=None,
    )

    def check(self) -> None:
        check_fields(self)

    @property
    def joint(self) -> Joint | None:
        """The joint by which it closes a loop; None of other constraints."""
        return None

    @property
    def ends(self) -> tuple[PointSpec, PointSpec] | None:
        """The origins of this joint's frames in both bodies."""
        return None

    @property
    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names of this joint's coordinates and of its speeds."""
        return (), ()

    def cut(self, motion: ConstraintMotionView) -> "CutJoint | None":
        """The motion of this joint between both bodies."""
        return None

    @property
    def expressions(self) -> tuple[Any, ...]:
        """The expressions that it keeps at zero, if a user wrote them; vectors are zero in all components."""
        return ()

    @property
    def summary(self) -> str:
        """What tables show of it beside its kind and its bodies."""
        return ""

    @property
    def misfit(self) -> Expr | None:
        """By how much the axes of its wheels are off the distance that their radii need, as a fraction of it; None if
        it connects no wheels."""
        return None

    @property
    def captures(self) -> bool:
        """Whether the pose in which its bodies meet becomes its zero when it is engaged."""
        return False

    @property
    def pose_names(self) -> tuple[str, ...]:
        """The inputs that hold the captured pose: x, y, z and the quaternion."""
        return ()

    @property
    def captured_states(self) -> dict[str, float]:
        """The extra states of its joint with the values that they have where a pose is captured."""
        return {}

    def meeting_pose(self, motion: ConstraintMotionView) -> list[Node]:
        """The pose that it would capture: the position and the rows of the rotation matrix."""
        return []

    @abstractmethod
    def rows(self, motion: ConstraintMotionView, form: RowForm) -> list[ConstraintRow]:
        """Its equations in a form; constraints other than closures have one form only."""

    def flag(self, graph: Graph) -> Expr | None:
        """The input that is 1 while it is engaged and 0 while it is released; None if it always holds."""
        if self.engaged is None:
            return None
        return Expr(graph, graph.symbol(ENGAGED(self.name), Kind.INPUT))

    def row_flag(self, graph: Graph, row: int) -> Expr | None:
        """The flag of one of its equations; they have the same unless a constraint says otherwise."""
        return self.flag(graph)

    def held(self) -> dict[str, float]:
        """The inputs that change when it is switched, with their values at the start."""
        return {} if self.engaged is None else {ENGAGED(self.name): float(self.engaged)}

    def cosines(self, motion: ConstraintMotionView) -> list[Expr]:
        """Cosines that are +1 where the constraint holds as it is meant. Where its equations are satisfied, but bodies
        are half a turn away, some are −1."""
        return []

    def reaction_point(self, placed: PlacedBodies) -> Point | None:
        """The point of its second body at which its force and torque on this body are reported, ``reaction.name``; None
        if only its multipliers are."""
        return None

    @property
    def multiplier_axes(self) -> str:
        """In words, the axes along which its multipliers are forces and torques, where they are not those of
        ``reaction_point``; "" if they are."""
        return ""

    def state_corrections(self, motion: ConstraintMotionView) -> dict[Node, Node]:
        """For extra states that belong to the constraint: the changes towards the values that the coordinates
        require."""
        return {}

    @property
    def state_names(self) -> tuple[str, ...]:
        """The names of extra states that belong to the constraint."""
        return ()

    def states(self, placed: PlacedBodies) -> dict[str, State]:
        """These states, in a graph with the bodies."""
        return {}

    def symbol_rates(self, graph: Graph) -> dict[Node, Node | None]:
        """The symbols that stand for quantities of the constraint in the graph of a system that is not frozen, with
        their rates; None where the rate has no symbol."""
        return {}

    def loads(self, motion: ConstraintMotionView) -> Iterator[LoadWrench]:
        """The forces and torques of its springs, dampers and friction."""
        return iter(())

    def losses(self, motion: ConstraintMotionView) -> Iterator[LoadWrench]:
        """The part of these loads that does not follow from the potential."""
        return iter(())

    def potential(self, motion: ConstraintMotionView) -> Expr | None:
        """The potential energy of its springs, or None if there is none."""
        return None

    def drawn(self, picture: Picture) -> DrawnConstraint:
        """How it is drawn. By default it has no picture."""
        return DrawnConstraint(self.name, self.kind, switched=self.engaged is not None)

    @abstractmethod
    def bodies(self) -> tuple[str, ...]:
        """The names of the bodies that it connects, for diagrams; empty if it is an expression."""


# Checks of fields


def require_kinds(element: Constraint, allowed: int) -> None:
    """Raise if an expression of a constraint depends on other kinds of symbols than those allowed."""
    for x in expressions(element):
        g = x.graph
        names = [s.name for i in symbols_of(g, [x.handle]) if not (s := g.symbols[g.a[i]]).kind & allowed]
        if names:
            speeds = ", speeds" if allowed & Kind.SPEED else ""
            raise FieldError(
                f"a constraint ({element.kind}) may depend on coordinates{speeds}, parameters and time, not on"
                f" {', '.join(names)}, because the rates of its equations must be known and linear in the speeds. For"
                " a motion that an input drives, use a load, or a law of time"
            )


def require_fixed(spec: Any, scope: Scope) -> None:
    """Raise if a point that has been read moves on its body."""
    if isinstance(spec, PointSpec) and spec.is_read and not spec.point(scope).fixed:
        raise FieldError(
            f"the point on '{spec.body}' depends on time or coordinates, and must be fixed in its body here; let a body"
            " with a prescribed motion carry the point"
        )


def require_two_bodies(one: Any, other: Any, consequence: str) -> None:
    """Raise if two points that have been read belong to the same body."""
    if all(isinstance(p, PointSpec) and p.is_read for p in (one, other)) and one.body == other.body:
        raise FieldError(f"both points belong to '{one.body}', which is rigid: {consequence}; name two bodies")
