"""Loops closed by a joint: the joint connects two bodies that are in the tree already.

The equations of a closure are the motions that its joint resists: by directions that are fixed in the bodies
(``Joint.resists``), or as the complement of the joint's columns at its coordinates (``CutJoint.resisted``). A is the
joint's frame in the first body, B in the second; they coincide when the joint is at its zero.
"""

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

import numpy as np

from freebody.drawing import DrawnConstraint
from freebody.errors import ExpressionError, FieldError
from freebody.model.body import Point, coordinate_names
from freebody.model.constraints.base import Constraint, ConstraintMotionView, ConstraintRow, RowForm
from freebody.model.constraints.complement import far_coordinates, pivot_rows
from freebody.model.constraints.cut_joint import CutJoint, JointFrame, VectorPair
from freebody.model.constraints.point_motion import force_row, relative_motion
from freebody.model.element import Given, MemberOf, field, with_fields
from freebody.model.joints import JOINTS, Revolute, Spherical, Weld, measured
from freebody.model.joints.axes import principal
from freebody.model.joints.base import Array, Joint, Resisted, combined, equal_rates, scalar
from freebody.model.joints.flexible import Flexible, NodeAttachment
from freebody.model.joints.prescribed import motion_laws, motion_mistake
from freebody.model.joints.spherical import rotation_matrix
from freebody.model.kinds import Boolean, FieldKind, Scope
from freebody.model.loads.base import LoadWrench, coinciding_point
from freebody.model.orientation import Orientation, OrientationValue
from freebody.model.picture import Picture
from freebody.model.placed import PlacedBodies
from freebody.model.vectors import PointField, PointSpec, PointValue
from freebody.names import CAPTURED, POSE, Q, U
from freebody.scalar.expr import Expr, atan2, cos, equals_number, sin
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind
from freebody.scalar.walk import float_function, somewhere, symbols_of, values
from freebody.spatial.frame import Frame
from freebody.spatial.scalars import cross3
from freebody.spatial.vector import Vector, components, vector

SAMPLES = (0.0, 0.37, -0.23, 0.81)
"""The columns of a joint must be independent at its initial coordinates and so far from them."""


class Places(Protocol):
    """What turns the points of elements to points of bodies."""

    def point(self, spec: PointSpec) -> Point: ...


@dataclass(frozen=True, eq=False)
class Closure(Constraint):
    """A joint between two bodies that the tree connects already, so that it closes a loop. The joint's frame in each
    body has its origin at the given point and the axes of the body, or those of an orientation there.

    A multiplier is a force or torque of the joint on the second body, along or about a direction of the joint's frame
    in the first body.

    Texts use the joint's coordinates and speeds by the name of the closure: ``q.pin``, ``u.pin``, ``q.guide.slide``.
    Angles of revolute, cylindrical, planar, universal and spherical joints follow from the pose and are within half a
    turn. The coordinates of screw, building-block, simple, compound and custom joints are extra states with the names
    of the coordinates (``pin``), and count on over full turns. Stiffness, damping and friction of the joint act on both
    bodies, and a prescribed motion is one more equation, whose multiplier is the force of the drive.

    With ``capture`` the joint's frame in the second body is where that in the first body is when the closure is
    engaged: a gripper holds a body as it meets it. Until then it is where ``end`` and ``orient_to`` put it."""

    start: Given[PointValue] = field(PointField(), "origin of the joint's frame in the first body", key="from")
    end: Given[PointValue] = field(PointField(), "origin of the joint's frame in the second body", key="to")
    joint: Given[Joint] = field(MemberOf(JOINTS), "joint that closes the loop", default=Weld())
    orient: Given[OrientationValue | None] = field(
        Orientation(), "orientation of the joint in the first body", default=None
    )
    orient_to: Given[OrientationValue | None] = field(
        Orientation(), "orientation of the joint in the second body", default=None
    )
    capture: bool = field(
        Boolean(),
        "whether the pose in which the bodies meet becomes the zero of the joint when it is engaged",
        default=False,
    )
    moves: Any = field(FieldKind(), "whether one of the points moves on its body", default=False, derived=True)
    pivots: Any = field(FieldKind(), "rows of the columns that are solved for the speeds", default=(), derived=True)
    kind: ClassVar[str] = "close"

    def finalise(self, scope: Scope) -> "Closure":
        if not all(isinstance(p, PointSpec) and p.is_read for p in (self.start, self.end)):
            return self
        if self.start.body == self.end.body:
            raise FieldError(
                f"it connects '{self.start.body}' to itself, which is rigid; a loop is closed between two bodies"
            )
        if self.capture and self.engaged is None:
            raise FieldError(
                "capture is for closures that are engaged during a run; give engaged=False, or engaged=True for one"
                " that holds from the start",
                "capture",
            )
        _require_closable(self.joint, self.has_states, scope)
        joint, moves = self.joint, not all(point.point(scope).fixed for point in (self.start, self.end))
        options = [f for f in ("stiffness", "damping", "friction") if not equals_number(joint.__dict__[f], 0)]
        options += ["motion"] * (joint.motion is not None)
        if moves and (self.has_states or options):
            what = f"with {options[0]}" if options else f"of kind {joint.kind}"
            raise FieldError(
                f"a joint {what} cannot close a loop at a point that moves on its body; let a body with a prescribed"
                " motion carry the point"
            )
        if not self.has_states:
            return with_fields(self, {"moves": True}) if moves else self
        pivots = pivot_rows(*_sample_columns(self.joint, scope))
        if pivots is None:
            raise FieldError(
                f"the columns of a {self.joint.kind} joint that closes a loop must be independent at all its"
                " coordinates, and near its initial ones they are not: the number of forces that it resists would"
                " change. Leave out coordinates that repeat others, or put a body with mass on this joint and close the"
                " loop by a weld",
                "joint",
            )
        return with_fields(self, {"pivots": pivots})

    def bodies(self) -> tuple[str, ...]:
        return self.start.body, self.end.body

    def drawn(self, picture: Picture) -> DrawnConstraint:
        A, B = self.frames(picture.placed)
        start, end = (picture.anchor(at.origin, f"constraint '{self.name}'") for at in (A, B))
        drawn = replace(super().drawn(picture), symbol="joint", start=start, end=end)
        if start is None or end is None:
            return drawn
        return replace(drawn, joint=picture.closing_joint(self.joint, start, end, (A.axes, B.axes)))

    def reaction_point(self, placed: PlacedBodies) -> Point:
        """The origin of the joint's frame in the second body."""
        return placed.point(self.end)

    @property
    def multiplier_axes(self) -> str:
        return f"on {self.end.body}, along the axes of the joint's frame in {self.start.body}"

    @property
    def has_states(self) -> bool:
        """Whether the joint's coordinates are extra states."""
        return type(self.joint).measure is Joint.measure

    @property
    def ends(self) -> tuple[PointSpec, PointSpec]:
        return self.start, self.end

    @property
    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names of the joint's coordinates and of its speeds; none if it is at a point that moves on its body."""
        return ((), ()) if self.moves else coordinate_names(self.name, self.joint)

    def frames(self, places: Places) -> tuple[JointFrame, JointFrame]:
        """A and B; the latter at the captured pose, if there is one."""
        A, B = self._described_frames(places)
        if not self.capture:
            return A, B
        g = A.origin.offset.graph
        x, y, z, *turn = (g.symbol(name, Kind.INPUT) for name in self.pose_names)
        origin = Point(B.origin.body, B.origin.offset + B.direction((x, y, z)), B.origin.name, captured=True)
        return A, JointFrame(origin, B.axes.oriented(f"{self.name} captured", rotation_matrix(g, turn)))

    @property
    def captures(self) -> bool:
        return bool(self.capture)

    @property
    def pose_names(self) -> tuple[str, ...]:
        """The inputs of the captured pose; none if no pose is captured."""
        return tuple(CAPTURED(f"{self.name}.{component}") for component in POSE) if self.capture else ()

    def held(self) -> dict[str, float]:
        pose = zip(self.pose_names, (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0), strict=self.capture)
        return super().held() | dict(pose)

    @property
    def captured_states(self) -> dict[str, float]:
        """The extra states of the joint's coordinates, with their values where a pose is captured: the joint's zero."""
        names = self.names[0] if self.capture and self.has_states else ()
        return {name: float(x) for name, x in zip(names, self.joint.zero, strict=False)}

    def meeting_pose(self, motion: ConstraintMotionView) -> list[Node]:
        """The pose that engaging captures: the position of A (3) and its rotation matrix (9, row by row), along the
        axes of B before anything is captured."""
        (A, B), g = self._described_frames(motion), motion.graph
        columns = [
            components(A.direction((x, y, z)), B.axes)
            for x, y, z in ((g.one, g.zero, g.zero), (g.zero, g.one, g.zero), (g.zero, g.zero, g.one))
        ]
        position = components(motion.position(B.origin, A.origin), B.axes)
        return [*position, *(columns[k][i] for i in range(3) for k in range(3))]

    def _described_frames(self, places: Places) -> tuple[JointFrame, JointFrame]:
        """A and B as they are described."""
        frames = []
        for spec, orient in ((self.start, self.orient), (self.end, self.orient_to)):
            point = places.point(spec)
            axes = point.body.frame
            if orient is not None:
                axes = axes.oriented(f"{self.name} in {point.body.name}", [[s.handle for s in row] for row in orient])
            frames.append(JointFrame(point, axes))
        return frames[0], frames[1]

    def cosines(self, motion: ConstraintMotionView) -> list[Expr]:
        """a · b = 0 keeps b in place or reverses it: the cosine of its angle between both frames tells which. If the
        joint's coordinates are states, those of all axes between the frame at these coordinates and the actual one."""
        A, B = self.frames(motion)
        resisted = self.joint.resists(A.axes)
        if resisted is None:
            return self.cut(motion).cosines
        fixed = [r.b for r in resisted if r.along is None and not r.turning]
        return [A.direction(b).dot(B.direction(b)) for b in dict.fromkeys(fixed)]

    def cut(self, motion: ConstraintMotionView) -> CutJoint:
        """The joint at a motion of the bodies."""
        A, B = self.frames(motion)
        P, Q = A.origin, B.origin
        S = coinciding_point(Q, P.body, motion)
        twist = VectorPair(
            motion.angular_velocity(Q.body) - motion.angular_velocity(P.body),
            motion.carried_velocity(Q) - motion.carried_velocity(S),
        )
        states = [motion.graph.by_name[n] for n in self.names[0]] if self.has_states else []
        return CutJoint(self.joint, A, B, motion.position(P, Q), twist, states)

    def rows(self, motion: ConstraintMotionView, form: RowForm) -> list[ConstraintRow]:
        A, B = self.frames(motion)
        resisted = self.joint.resists(A.axes)
        if resisted is None:
            rows = self._complement_rows(motion)
        else:
            rows = self._resisted_rows(motion, form, A, B, resisted)
        return [*rows, *self._motion_rows(motion)]

    def _resisted_rows(
        self, motion: ConstraintMotionView, form: RowForm, A: JointFrame, B: JointFrame, resisted: list[Resisted]
    ) -> list[ConstraintRow]:
        """Equations by directions that are fixed in the bodies."""
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

    def _complement_rows(self, motion: ConstraintMotionView) -> list[ConstraintRow]:
        """Equations by wrenches F at right angles to the columns: φ = F · error, φ̇ = F · V, φ̈ = F · (V̇ − Ḣ w)."""
        cut, rows = self.cut(motion), list[ConstraintRow]()
        rest = _acceleration_less_remainder(motion, cut)
        for name, F in cut.resisted(self.pivots).items():
            unit = "m" if name.startswith("force") else ""
            residual, rate = (Expr(motion.graph, F.dot(twist)) for twist in (cut.error, rest))
            rows.append(ConstraintRow(name, _on_both(motion, cut, F), residual, rate, unit))
        return rows

    def _motion_rows(self, motion: ConstraintMotionView) -> list[ConstraintRow]:
        """Equations of prescribed coordinates, one for each speed: φ̇ = F · V − u(t), with F the dual of the speed, and
        φ = q − law(t). Where speeds are not the rates of coordinates, φ is the displacement along each speed's
        direction from the pose of the law to the actual one: of rotations twice the vector of its quaternion."""
        if self.joint.motion is None:
            return []
        g, cut, rows = motion.graph, self.cut(motion), list[ConstraintRow]()
        rest = _acceleration_less_remainder(motion, cut)
        for group, q, u, u_dot in motion_laws(g, self.joint):
            if group.rates is equal_rates:
                residuals = [g.sub(x, law) for x, law in zip(cut.coordinates[group.coordinates], q, strict=True)]
                units = self.joint.units[0][group.coordinates]
            else:
                residuals, units = self._displacement(cut, q), [u.removesuffix("/s") for u in self.joint.units[1]]
            places = zip(range(len(cut.duals))[group.speeds], residuals, units, u, u_dot, strict=True)
            for k, node, unit, rate, second in places:
                residual, suffix = Expr(g, node), self.joint.speeds[k]
                if unit == "rad" and not self.has_states and group.rates is equal_rates:
                    residual = atan2(sin(residual), cos(residual))  # the angle is within half a turn, the law is not
                rows.append(
                    ConstraintRow(
                        f"motion.{suffix}" if suffix else "motion",
                        _on_both(motion, cut, cut.duals[k]),
                        residual,
                        Expr(g, g.sub(cut.duals[k].dot(rest), second)),
                        unit,
                        offset=Expr(g, g.neg(rate)),
                    )
                )
        return rows

    def _displacement(self, cut: CutJoint, q: Sequence[Node]) -> list[Node]:
        """From the pose of a spherical or free joint at coordinates q to the actual one: the rotation as twice the
        vector of a quaternion, then the translation of a free joint, along the axes of the second body's frame."""
        g, B = cut.graph, cut.B.axes
        law = self.joint.place(cut.A.axes, "the law", q, [g.zero] * len(self.joint.speeds))
        turn = [g.mul(g.const(2), x) for x in measured.orientation(law.frame, B, None)[1:]]
        return [*turn, *components(cut.position - law.position, B)][: len(self.joint.speeds)]

    def symbol_rates(self, graph: Graph) -> dict[Node, Node | None]:
        q, u = ([graph.named(group(n)) for n in names] for group, names in zip((Q, U), self.names, strict=True))
        rates: dict[Node, Node | None] = {h: None for h in (*q, *u) if h is not None}
        if self.joint.rates:
            rates |= {a: b for a, b in zip(q, u, strict=True) if a is not None}
        return rates

    def state_corrections(self, motion: ConstraintMotionView) -> dict[Node, Node]:
        if not self.has_states:
            return {}
        cut = self.cut(motion)
        return dict(zip(cut.states, cut.correction, strict=True))

    # Springs, dampers and friction of the joint

    def loads(self, motion: ConstraintMotionView) -> Iterator[LoadWrench]:
        return self._passive(motion, springs=True)

    def losses(self, motion: ConstraintMotionView) -> Iterator[LoadWrench]:
        return self._passive(motion, springs=not self.joint.elastic(motion.graph))

    def potential(self, motion: ConstraintMotionView) -> Expr | None:
        joint, g = self.joint, motion.graph
        if equals_number(joint.stiffness, 0) or not joint.elastic(g):
            return None
        total = Expr(g, g.zero)
        for q in self.cut(motion).coordinates:
            stretch = Expr(g, joint.stretch(g, q, f"constraint '{self.name}'"))
            total = total + motion.scalar(joint.stiffness) * stretch * stretch / 2
        flag = self.flag(g)
        return total if flag is None else total * flag

    def _passive(self, motion: ConstraintMotionView, springs: bool) -> Iterator[LoadWrench]:
        joint, g = self.joint, motion.graph
        springs = springs and not equals_number(joint.stiffness, 0)
        if not springs and equals_number(joint.damping, 0) and equals_number(joint.friction, 0):
            return
        cut, forces, flag = self.cut(motion), list[Node](), self.flag(g)
        for k in range(len(cut.speeds)):
            force = joint.losses(g, cut.speeds, k)
            if springs:
                stretch = joint.stretch(g, cut.coordinates[k], f"constraint '{self.name}'")
                force = g.sub(force, g.mul(scalar(g, joint.stiffness), stretch))
            forces.append(force if flag is None else g.mul(force, flag.handle))
        parts = [F.angular for F in cut.duals], [F.linear for F in cut.duals]
        yield from _on_both(motion, cut, VectorPair(*(combined(g, part, forces) for part in parts)))


def _require_closable(joint: Joint, has_states: bool, scope: Scope) -> None:
    """Refuse what a joint that closes a loop cannot have."""
    g, kind = scope.graph, joint.kind
    if isinstance(joint, Flexible | NodeAttachment):
        raise FieldError(f"a {kind} joint belongs to one body and cannot close a loop; use a weld", "joint")
    if scalar(g, joint.armature) != g.zero:
        raise FieldError(
            "a joint that closes a loop cannot have an armature: its speed is not one of the system's. Cut the loop at"
            " another joint, or give a body this inertia",
            "joint",
            "armature",
        )
    if joint.limits is not None:
        raise FieldError(
            "limits of a joint that closes a loop are not checked; use an event of its coordinate, such as"
            " 'q.NAME - 1.2'",
            "joint",
            "limits",
        )
    if joint.initial is not None and not has_states:
        raise FieldError(
            f"the coordinates of a {kind} joint that closes a loop follow from those of the tree; leave out initial",
            "joint",
            "initial",
        )
    mistake = motion_mistake(g, joint)
    if not mistake and joint.motion is not None and not joint.rates and has_states:
        mistake = (
            f"the motion of a {kind} joint with three rotations cannot be prescribed where it closes a loop; use a"
            " spherical or a free joint, or let a body with this motion carry a joint that closes the loop"
        )
    if mistake:
        raise FieldError(mistake, "joint", "motion")
    if has_states and joint.quaternions:
        raise FieldError(
            f"a {kind} joint with a quaternion cannot close a loop; give its rotations as a sequence, such as"
            " Spherical('123')",
            "joint",
        )
    if has_states and len(joint.coordinates) != len(joint.speeds):
        raise FieldError(
            f"a {kind} joint with more coordinates than speeds cannot close a loop; keep an expression of speeds at"
            " zero instead (constrain)",
            "joint",
        )


def _sample_columns(joint: Joint, scope: Scope) -> tuple[list[Array], Iterator[Array]]:
    """H near the joint's initial coordinates, and at others if it depends on them, with the default values of the
    parameters, in components along the joint's axes."""
    g = scope.graph.fork()
    known = {h: x for n, x in scope.values.items() if (h := g.named(n)) is not None}
    axes, nothing = Frame("joint", g), [g.zero] * len(joint.speeds)
    start = np.array(joint.zero if joint.initial is None else joint.initial, float)

    def entries(q: Sequence[Node]) -> list[Node]:
        at = joint.place(axes, "a closing joint", q, nothing)
        pairs = zip(at.turns, at.slides, strict=True)
        return [x for turn, slide in pairs for x in (*components(turn, axes), *components(slide, axes))]

    near = list[Array]()
    for step in SAMPLES:
        q = [g.const(float(x)) for x in start + step * (1 + 0.3 * np.arange(len(start)))]
        near.append(np.array(values(g, entries(q), known, somewhere(0)), float).reshape(-1, 6).T)
    symbols = [g.symbol(f"coordinate {k}", Kind.INTERMEDIATE) for k in range(len(start))]
    nodes = entries(symbols)
    if all(g.mask[h] <= PARAMETERS_ONLY for h in nodes):
        return near, iter(())
    others = (i for i in symbols_of(g, nodes) if i not in {*known, *symbols})
    known |= {i: float(somewhere(0)(g.symbols[g.a[i]].name)) for i in others}
    evaluate = float_function(g, nodes)

    def elsewhere() -> Iterator[Array]:
        for q in far_coordinates(start):
            with suppress(ArithmeticError, ValueError, ExpressionError):
                numbers = np.array(evaluate({**known, **dict(zip(symbols, q.tolist(), strict=True))}), float)
                if np.isfinite(numbers).all():
                    yield numbers.reshape(-1, 6).T

    return near, elsewhere()


def _acceleration_less_remainder(motion: ConstraintMotionView, cut: CutJoint) -> VectorPair:
    """V̇ − Ḣ w, with V̇ as A sees it: (α_B − α_A − ω_A × ω, a_B − a_S − 2 ω_A × v) of the motion's accelerations."""
    P, Q, Hw = cut.A.origin, cut.B.origin, cut.remainder
    S = coinciding_point(Q, P.body, motion)
    alpha = motion.carried_angular_acceleration(Q.body) - motion.carried_angular_acceleration(P.body)
    a, w_A = motion.carried_acceleration(Q) - motion.carried_acceleration(S), motion.angular_velocity(P.body)
    alpha, a = alpha - w_A.cross(cut.twist.angular), a - w_A.cross(cut.twist.linear) * 2
    return VectorPair(alpha - Hw.angular, a - Hw.linear)


def _on_both(motion: ConstraintMotionView, cut: CutJoint, F: VectorPair) -> tuple[LoadWrench, LoadWrench]:
    """A wrench on the second body at the joint's origin, and its reaction on the first."""
    P, Q = cut.A.origin, cut.B.origin
    S = coinciding_point(Q, P.body, motion)
    return LoadWrench(P.body, S, -F.linear, -F.angular), LoadWrench(Q.body, Q, F.linear, F.angular)


def attachable(closures: Mapping[str, Constraint], omitted: Container[tuple[str, int]]) -> list[list[str]]:
    """Groups of closures at one place: pins that share a point of a body as their first end. In such a group the
    translations of a pin may be written relative to the second end of another one.

    They always hold, the joints' frames have the axes of their bodies, and the groups are of equal joints, spherical
    ones or hinges, from which no row is ``omitted`` but the translation along a hinge."""
    groups = dict[Any, list[str]]()
    for name, c in closures.items():
        if not isinstance(c, Closure) or c.orient is not None or c.orient_to is not None or c.engaged is not None:
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
    S = P if pinned else coinciding_point(Q, P.body, motion)
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
