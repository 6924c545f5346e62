"""Loops closed by a joint: the joint connects two bodies that are in the tree already.

The equations of a closure are the motions that its joint resists (``Joint.resists``). A is the joint's frame in the
first body, B in the second; they coincide when the joint is at its zero.
"""

from collections.abc import Collection, Container, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from freebody.errors import FieldError
from freebody.model.body import Point
from freebody.model.constraints.base import Constraint, ConstraintMotionView, ConstraintRow, RowForm
from freebody.model.constraints.point_motion import force_row, relative_motion
from freebody.model.element import MemberOf, field
from freebody.model.joints import JOINTS, Revolute, Spherical, Weld
from freebody.model.joints.axes import principal
from freebody.model.joints.base import Resisted
from freebody.model.kinds import Scope
from freebody.model.loads.base import LoadWrench
from freebody.model.orientation import Orientation
from freebody.model.placed import PlacedBodies
from freebody.model.vectors import PointField, PointSpec
from freebody.scalar.expr import Expr
from freebody.spatial.frame import Frame
from freebody.spatial.scalars import Triple, cross3
from freebody.spatial.vector import Vector, components, vector


@dataclass(frozen=True)
class JointFrame:
    """A joint's frame in one of its bodies."""

    origin: Point
    axes: Frame

    def direction(self, xyz: Triple) -> Vector:
        return vector(self.axes, xyz)


@dataclass(frozen=True, eq=False)
class Closure(Constraint):
    """A joint between two bodies that the tree connects already, so that it closes a loop. The joint's frame in each
    body has its origin at the given point and the axes of the body, or those of an orientation there.

    A multiplier is a force or torque of the joint on the second body, along or about a direction of the joint's frame
    in the first body."""

    start: Any = field(PointField(), "origin of the joint's frame in the first body", key="from")
    end: Any = field(PointField(), "origin of the joint's frame in the second body", key="to")
    joint: Any = field(MemberOf(JOINTS), "joint that closes the loop", default=Weld())
    orient: Any = field(Orientation(), "orientation of the joint in the first body", default=None)
    orient_to: Any = field(Orientation(), "orientation of the joint in the second body", default=None)
    kind: ClassVar[str] = "close"

    def finalise(self, scope: Scope) -> "Closure":
        ends = self.start, self.end
        if all(isinstance(p, PointSpec) and p.is_read for p in ends) and self.start.body == self.end.body:
            raise FieldError(
                f"it connects '{self.start.body}' to itself, which is rigid; a loop is closed between two bodies"
            )
        return self

    def bodies(self) -> tuple[str, ...]:
        return self.start.body, self.end.body

    def reaction_point(self, placed: PlacedBodies) -> Point:
        """The origin of the joint's frame in the second body."""
        return placed.point(self.end)

    def frames(self, motion: ConstraintMotionView) -> tuple[JointFrame, JointFrame]:
        """A and B."""
        frames = []
        for spec, orient in ((self.start, self.orient), (self.end, self.orient_to)):
            point = motion.point(spec)
            axes = point.body.frame
            if orient is not None:
                axes = axes.oriented(f"{self.name} in {point.body.name}", [[s.handle for s in row] for row in orient])
            frames.append(JointFrame(point, axes))
        return frames[0], frames[1]

    def cosines(self, motion: ConstraintMotionView) -> list[Expr]:
        """a · b = 0 keeps b in place or reverses it: the cosine of its angle between both frames tells which."""
        A, B = self.frames(motion)
        fixed = [r.b for r in self.joint.resists(A.axes) if r.along is None and not r.turning]
        return [A.direction(b).dot(B.direction(b)) for b in dict.fromkeys(fixed)]

    def rows(self, motion: ConstraintMotionView, form: RowForm) -> list[ConstraintRow]:
        A, B = self.frames(motion)
        resisted = self.joint.resists(A.axes)
        first, second = (B, A) if form.exchanged else (A, B)
        P, Q = first, second  # of translations
        if form.start is not None:
            other = motion.point(form.start)
            start = JointFrame(other, other.body.frame)
            P, Q = (B, start) if form.exchanged else (start, B)
        directions = {k: P.direction(r.along) for k, r in enumerate(resisted) if r.along is not None}
        pinned = len(directions) == 3
        if pinned and form.aligned:
            directions = _aligned(directions, motion.working_frame(P.origin.body), form.omitted)
        rows = list[ConstraintRow]()
        for k, r in enumerate(resisted):
            if k in directions:
                row = _along(motion, P.origin, Q.origin, directions[k], r.label, pinned)
                rows.append(_negative(row) if form.exchanged else row)
            elif r.turning:
                rows.append(_between(motion, A, B, r))
            else:
                row = _about(motion, first, second, r)
                rows.append(_negative(row) if form.exchanged else row)
        return rows


def attachable(closures: Mapping[str, Constraint], omitted: Container[tuple[str, int]]) -> list[list[str]]:
    """Groups of closures at one place: pins that share a point of a body as their first end. In such a group the
    translations of a pin may be written relative to the second end of another one.

    The joints' frames have the axes of their bodies, and the groups are of equal joints, spherical ones or hinges, from
    which no row is ``omitted`` but the translation along a hinge."""
    groups = dict[Any, list[str]]()
    for name, c in closures.items():
        if not isinstance(c, Closure) or c.orient is not None or c.orient_to is not None:
            continue
        missing = [k for k in range(3) if (name, k) in omitted]
        hinge = isinstance(c.joint, Revolute) and c.joint.axis in ("x", "y", "z")
        along = ["xyz".index(c.joint.axis)] if hinge and missing else []
        if missing == along and (hinge or isinstance(c.joint, Spherical)):
            key = type(c.joint), tuple(along), c.start.body, _place(c.start)
            groups.setdefault(key, []).append(name)
    return [names for names in groups.values() if len(names) > 1]


def _place(point: PointSpec) -> tuple[Any, ...]:
    """A point as a value that can be compared."""
    return tuple((term.frame, *(x.handle if isinstance(x, Expr) else x for x in term.xyz)) for term in point.at)


def _aligned(directions: Mapping[int, Vector], frame: Frame, omitted: Collection[int]) -> dict[int, Vector]:
    """Three directions at right angles, turned so that they are axes of a frame. Those of omitted rows must stay: it is
    done only if each of these is an axis of the frame already."""
    g, axes, kept = frame.graph, dict[int, Vector](), dict[int, Vector]()
    for k, e in directions.items():
        along = principal(g, components(e, frame))
        if along is not None:
            axes[along[0]] = kept[k] = e
    if not kept or any(k in directions and k not in kept for k in omitted):
        return dict(directions)
    others = [vector(frame, [g.one if i == k else g.zero for i in range(3)]) for k in range(3) if k not in axes]
    return {k: kept[k] if k in kept else others.pop(0) for k in directions}


def _along(motion: ConstraintMotionView, P: Point, Q: Point, e: Vector, label: str, pinned: bool) -> ConstraintRow:
    """The point Q does not move along e, fixed in the body of P: φ = p_PQ · e. With S the point of that body where Q
    is, φ̇ = (v_Q − v_S) · e and φ̈ = (a_Q − a_S − 2 ω × v_SQ) · e. If the points stay together (``pinned``), S is P, and
    v_SQ is zero. Points that move on their bodies: see ``relative_motion``."""
    if not (P.fixed and Q.fixed):
        p, _, a = relative_motion(motion, P, Q)
        return force_row(motion, P, Q, e, label, p.dot(e), a.dot(e))
    S = P if pinned else Point(P.body, motion.position(P.body.origin, Q))
    a = motion.carried_acceleration(Q) - motion.carried_acceleration(S)
    if not pinned:
        relative = motion.velocity(Q) - motion.carried_velocity(S)
        a = a - motion.angular_velocity(P.body).cross(relative) * 2
    wrenches = LoadWrench(P.body, S, -e, None), LoadWrench(Q.body, Q, e, None)
    return ConstraintRow(label, wrenches, motion.position(P, Q).dot(e), a.dot(e), "m")


def _about(motion: ConstraintMotionView, A: JointFrame, B: JointFrame, r: Resisted) -> ConstraintRow:
    """The frames do not turn about c = b × a: φ = a · b, a and c fixed in A, b in B.
    φ̇ = (ω_B − ω_A) · c, φ̈ = (α_B − α_A) · c + (ω_B − ω_A) · (ω_A × c)."""
    one, other, g = A.origin.body, B.origin.body, motion.graph
    c = A.direction(cross3(g, r.b, r.a))
    w_A, w_B = motion.angular_velocity(one), motion.angular_velocity(other)
    alpha = motion.carried_angular_acceleration(other) - motion.carried_angular_acceleration(one)
    acceleration = alpha.dot(c) + (w_B - w_A).dot(w_A.cross(c))
    wrenches = LoadWrench(one, None, None, -c), LoadWrench(other, None, None, c)
    return ConstraintRow(r.label, wrenches, A.direction(r.a).dot(B.direction(r.b)), acceleration, "")


def _between(motion: ConstraintMotionView, A: JointFrame, B: JointFrame, r: Resisted) -> ConstraintRow:
    """The angle between a, fixed in A, and b, fixed in B, stays: φ = a · b − its value at zero, c = b × a,
    φ̈ = (α_B − α_A) · c + (ω_B − ω_A) · ((ω_B × b) × a + b × (ω_A × a))."""
    one, other, g = A.origin.body, B.origin.body, motion.graph
    a, b = A.direction(r.a), B.direction(r.b)
    w_A, w_B, c = motion.angular_velocity(one), motion.angular_velocity(other), b.cross(a)
    alpha = motion.carried_angular_acceleration(other) - motion.carried_angular_acceleration(one)
    rate = w_B.cross(b).cross(a) + b.cross(w_A.cross(a))
    at_zero = g.zero
    for x, y in zip(r.a, r.b, strict=True):
        at_zero = g.add(at_zero, g.mul(x, y))
    wrenches = LoadWrench(one, None, None, -c), LoadWrench(other, None, None, c)
    residual = a.dot(b) - Expr(g, at_zero)
    return ConstraintRow(r.label, wrenches, residual, alpha.dot(c) + (w_B - w_A).dot(rate), "")


def _negative(row: ConstraintRow) -> ConstraintRow:
    """Minus the row, so that λ > 0 acts on the second body in the same sense in both forms."""
    wrenches = [
        LoadWrench(w.body, w.point, None if w.force is None else -w.force, None if w.torque is None else -w.torque)
        for w in row.wrenches
    ]
    residual, offset = (None if value is None else -value for value in (row.residual, row.offset))
    forces = {k: -force for k, force in row.forces.items()}
    return ConstraintRow(row.label, wrenches, residual, -row.acceleration, row.unit, forces, offset)
