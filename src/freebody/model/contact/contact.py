"""Contact between two shapes: a load with the bristles of friction as states."""

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

from freebody.drawing import Anchor, DrawnArrow, DrawnLoad, DrawnShape
from freebody.errors import FieldError
from freebody.model.body import Point, Reference
from freebody.model.constraints.cut_joint import position_and_twist
from freebody.model.contact.candidate import Candidate, Meeting, RelativePose, Three
from freebody.model.contact.law import RELAXATION, Bristles, Coefficients, PointForces, point_forces
from freebody.model.contact.material import ContactMaterial, MaterialField
from freebody.model.contact.pairs import ShapePair, candidates_of
from freebody.model.contact.shape_on_body import ShapeOnBody, ShapeOnBodyField
from freebody.model.contact.slots import Slot, fill, give_back
from freebody.model.element import Given, field
from freebody.model.kinds import FieldKind, ListOf, OptionalInteger, Scope
from freebody.model.loads.base import Load, LoadWrench, MotionView
from freebody.model.picture import Picture
from freebody.model.signals import OwnSignal, OwnState, SignalSource, SignalView
from freebody.names import CONTACT
from freebody.scalar.expr import Expr, where
from freebody.scalar.expr import max as largest
from freebody.scalar.expr import min as smallest
from freebody.spatial.vector import Vector, components, vector

XYZ = ("x", "y", "z")
WRENCHES = tuple(f"{what}_{part}" for what in ("force", "torque", "loss", "loss_torque") for part in XYZ)
"""Signals for its own wrenches, along the axes of the second body; torques are about the origin of the first."""


class Met(NamedTuple):
    """The forces of all candidates, or of the slots, and where they act."""

    forces: list[PointForces]
    meetings: list[Meeting]
    arms: list[Three]  # from the origin of the first body to the points, along the axes of the second
    gaps: list[Expr]  # of all candidates
    slots: list[Slot] | None

    def of_candidates(self, values: Sequence[Expr], others: Sequence[Expr]) -> list[Expr]:
        """Values of all candidates: where there are slots, ``others`` of those that no slot holds."""
        return list(values) if self.slots is None else give_back(self.slots, values, others)


@dataclass(frozen=True, eq=False)
class Contact(Load, SignalSource):
    """Two shapes that can touch. Where they overlap by x, and separate with the speed v_n, there are a normal force
    k x (1 − d v_n), 0 where it would pull, and friction, whose bristles are states: in sliding μ times the normal
    force, at rest an elastic force up to that.

    ``contact.NAME.force`` is the force on the body of the first shape, along the axes of the ground. ``.normal`` is
    the normal force, ``.gap`` the distance of the shapes (negative where they overlap), ``.slip`` the sliding speed,
    ``.point`` where they touch, ``.stretch`` the elastic stretch of friction, ``.energy`` that of the spring. Where
    shapes can touch at several points these are the whole force, the smallest gap, the largest slip and stretch, and
    each point has ``contact.NAME.POINT.normal`` and ``.gap``. With ``slots`` there are forces at so many of the points
    at a time, those that overlap most; the normal force at the others is 0."""

    between: Given[Sequence[Any]] = field(ListOf(ShapeOnBodyField(), 2), "the two shapes")
    material: Given[ContactMaterial | str] = field(MaterialField(), "material of the pair, or its name")
    points: int | None = field(
        OptionalInteger(), "how fine edges and faces are divided into points; usual numbers by default", default=None
    )
    slots: int | None = field(
        OptionalInteger(),
        "at how many points the shapes have forces at a time; at all of them by default",
        default=None,
    )
    _: KW_ONLY
    symbols: Any = field(FieldKind(), default=None, derived=True, idle=True, silent=True)
    kind: ClassVar[str] = "contact"
    section: ClassVar[str] = "contacts"
    group: ClassVar[str] = "contact"

    def finalise(self, scope: Scope) -> Self:
        first, second = self.between
        if first.body == second.body:
            raise FieldError(f"both shapes are of '{first.body}'; they cannot touch each other", "between")
        if not self.candidates:
            raise FieldError("these two shapes have no point at which they could touch", "between")
        return self

    @property
    def first(self) -> ShapeOnBody:
        """The first shape, as it was declared: its body has the force that is recorded."""
        return self.between[0]  # type: ignore[no-any-return]

    @property
    def second(self) -> ShapeOnBody:
        return self.between[1]  # type: ignore[no-any-return]

    @cached_property
    def pair(self) -> ShapePair:
        """The candidates; the shape of the ground is always their second one."""
        if self.first.body != "ground":
            return candidates_of(self.first.shape, self.second.shape, self.points)
        pair = candidates_of(self.second.shape, self.first.shape, self.points)
        return pair._replace(swapped=not pair.swapped)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The points at which the shapes can touch, each given the placement of ``first_body`` beside
        ``second_body``."""
        return self.pair.candidates

    @property
    def used_slots(self) -> int | None:
        """The slots, where they are fewer than the candidates."""
        return None if self.slots is None or self.slots >= len(self.candidates) else self.slots

    @property
    def first_body(self) -> str:
        """The first body of the candidates; where the pair is swapped, that of the second shape."""
        return str(self.between[self.pair.swapped].body)

    @property
    def second_body(self) -> str:
        return str(self.between[not self.pair.swapped].body)

    @property
    def summary(self) -> str:
        points = f", {len(self.candidates)} points" if len(self.candidates) > 1 else ""
        return f"{self.first.name} on {self.second.name}{points}"

    @property
    def bristles(self) -> tuple[tuple[str, ...], ...]:
        """Of each candidate the names of the states of its sliding friction, along the two tangents; none without
        friction."""
        kinds = ("bristle_1", "bristle_2") if self.material.has_friction else ()
        return tuple(tuple(self.full_name(_joined(c.label, kind)) for kind in kinds) for c in self.candidates)

    # Signals

    def own_states(self) -> Sequence[OwnState]:
        return [OwnState(name, 0.0, "", f"bristle of contact '{self.name}'") for name in self._bristle_names()]

    def _bristle_names(self) -> list[str]:
        material, names = self.material, list[str]()
        kinds = ["bristle_1", "bristle_2"] * material.has_friction
        kinds += ["rolling_1", "rolling_2"] * material.has_rolling_friction
        kinds += ["torsion"] * material.has_torsional_friction
        for candidate in self.candidates:
            names += [_joined(candidate.label, kind) for kind in kinds]
        return names

    def own_signals(self) -> Sequence[OwnSignal]:
        name = f"contact '{self.name}'"
        shown = [
            *(OwnSignal(f"force.{c}", "N", f"force on {self.first.body} at {name}") for c in XYZ),
            OwnSignal("normal", "N", f"normal force of {name}"),
            OwnSignal("gap", "m", f"distance of the shapes of {name}, negative where they overlap"),
            OwnSignal("slip", "m/s", f"sliding speed of {name}, 0 where it is open"),
            *(OwnSignal(f"point.{c}", "m", f"point of {name}") for c in XYZ),
            OwnSignal("stretch", "m", f"elastic stretch of {name}"),
            OwnSignal("energy", "J", f"energy of the spring of {name}"),
        ]
        for label in self._labels:
            shown.append(OwnSignal(f"{label}.normal", "N", f"normal force at {label} of {name}"))
            shown.append(OwnSignal(f"{label}.gap", "m", f"distance at {label} of {name}"))
        return [*shown, *(OwnSignal(f"own_{what}", shown=False) for what in WRENCHES)]

    @property
    def _labels(self) -> list[str]:
        """The labels of the candidates where there are several."""
        return [c.label for c in self.candidates] if len(self.candidates) > 1 else []

    def laws(self, view: SignalView) -> tuple[Sequence[Any], Sequence[Any]]:
        placed = view.placed
        first, second = placed.body(self.first_body), placed.body(self.second_body)
        met = self._meet(view, first, second)
        force = _total([f.force for f in met.forces])
        loss = _total([f.loss for f in met.forces])
        moments = [f.torque for f in met.forces]
        torque = _total([*moments, *(_cross(arm, f.force) for arm, f in zip(met.arms, met.forces, strict=True))])
        lost = _total([*moments, *(_cross(arm, f.loss) for arm, f in zip(met.arms, met.forces, strict=True))])
        sign = -1 if self.pair.swapped else 1
        base, _ = position_and_twist(placed.ground.origin, second.origin)
        at = base + vector(second.frame, [x.handle for x in self._point(met)])
        shown = [
            *self._along_ground(view, vector(second.frame, [(sign * x).handle for x in force])),
            _sum([f.normal for f in met.forces]),
            smallest(*met.gaps),
            largest(*(f.slip for f in met.forces)),
            *self._along_ground(view, at),
            largest(*(f.stretch for f in met.forces)),
            _sum([f.energy for f in met.forces]),
        ]
        normals = met.of_candidates([f.normal for f in met.forces], [gap * 0 for gap in met.gaps])
        for _, normal, gap in zip(self._labels, normals, met.gaps, strict=False):
            shown += [normal, gap]
        return self._rates(view, met), [*shown, *force, *torque, *loss, *lost]

    def _rates(self, view: SignalView, met: Met) -> list[Expr]:
        """The rates of all bristles. Those of candidates that no slot holds relax, as where contacts are open."""
        names, count = self._bristle_names(), sum(self._counts)
        each = [
            met.of_candidates(
                [f.rates[k] for f in met.forces],
                [-self.own(view, name) / RELAXATION for name in names[k::count]],
            )
            for k in range(count)
        ]
        return [rate for rates in zip(*each, strict=True) for rate in rates]

    def _along_ground(self, view: SignalView, v: Vector) -> list[Expr]:
        return [Expr(view.graph, x) for x in components(v, view.placed.ground.frame)]

    def _point(self, met: Met) -> Three:
        """The point of contact; of several, their mean with the normal forces as weights, or that with the smallest
        gap."""
        points = [meeting.point for meeting in met.meetings]
        if len(points) == 1:
            return points[0]
        total = _sum([f.normal for f in met.forces])
        nearest, deepest = points[0], met.meetings[0].penetration
        for point, meeting in zip(points[1:], met.meetings[1:], strict=True):
            deeper = meeting.penetration > deepest
            nearest = tuple(where(deeper, a, b) for a, b in zip(point, nearest, strict=True))  # type: ignore
            deepest = largest(deepest, meeting.penetration)
        divisor = where(total > 0, total, 1)
        sums = [_sum([f.normal * p[i] for f, p in zip(met.forces, points, strict=True)]) for i in range(3)]
        x, y, z = (where(total > 0, s / divisor, n) for s, n in zip(sums, nearest, strict=True))
        return x, y, z

    def _meet(self, view: SignalView, first: Reference, second: Reference) -> Met:
        g = view.graph

        def along(v: Vector) -> Three:
            x, y, z = (Expr(g, h) for h in components(v, second.frame))
            return x, y, z

        position, twist = position_and_twist(second.origin, first.origin)
        origin, w, v = along(position), along(twist.angular), along(twist.linear)
        placement = RelativePose((along(first.x), along(first.y), along(first.z)), origin)
        meetings = [candidate.meet(placement) for candidate in self.candidates]
        arms = [_difference(meeting.point, origin) for meeting in meetings]
        states, counts = iter(self._bristle_names()), self._counts
        own = [[self.own(view, next(states)) for _ in range(sum(counts))] for _ in meetings]
        penetrations = [meeting.penetration for meeting in meetings]
        slots = None
        if self.used_slots is not None:
            slots = fill(self.used_slots, self.candidates, placement, meetings, penetrations, own)
            meetings, own = [slot.meeting for slot in slots], [[*slot.own] for slot in slots]
            arms = [_difference(meeting.point, origin) for meeting in meetings]
        material, forces = self._coefficients(view), list[PointForces]()
        for meeting, arm, bristles in zip(meetings, arms, own, strict=True):
            parts = iter(bristles)
            of_kind = Bristles(*(tuple(next(parts) for _ in range(count)) for count in counts))
            forces.append(point_forces(meeting, _total([v, _cross(w, arm)]), w, material, of_kind))
        return Met(forces, meetings, arms, [-x for x in penetrations], slots)

    @property
    def _counts(self) -> tuple[int, int, int]:
        """The states of each candidate: of sliding, rolling and torsional friction."""
        material = self.material
        return 2 * material.has_friction, 2 * material.has_rolling_friction, 1 * material.has_torsional_friction

    def _coefficients(self, view: SignalView) -> Coefficients:
        m: ContactMaterial = self.material
        friction = None
        if m.has_friction:
            sliding = view.scalar(m.friction)
            rest = sliding if m.static_friction is None else view.scalar(m.static_friction)
            friction = sliding, rest, view.scalar(m.stribeck_velocity)
        return Coefficients(
            view.scalar(m.stiffness),
            view.scalar(m.dissipation),
            friction,
            view.scalar(m.elastic_stretch),
            view.scalar(m.rolling_friction) if m.has_rolling_friction else None,
            view.scalar(m.torsional_friction) if m.has_torsional_friction else None,
        )

    # Load

    def wrenches(self, motion: MotionView) -> Iterator[LoadWrench]:
        return self._wrenches(motion, "force", "torque")

    def nonconservative(self, motion: MotionView) -> Iterator[LoadWrench]:
        return self._wrenches(motion, "loss", "loss_torque")

    def _wrenches(self, motion: MotionView, force: str, torque: str) -> Iterator[LoadWrench]:
        first, second = motion.body(self.first_body), motion.body(self.second_body)
        F, T = (
            vector(second.frame, [motion.scalar(self[f"own_{what}_{c}"]).handle for c in XYZ])
            for what in (force, torque)
        )
        yield LoadWrench(first, first.origin, F, T)
        if self.second_body != "ground":
            there = Point(second, motion.position(second.origin, first.origin))
            yield LoadWrench(second, there, -F, -T)

    def value(self, motion: MotionView) -> Expr:
        return motion.scalar(self["normal"])

    def potential(self, motion: MotionView) -> Expr | None:
        return motion.scalar(self["energy"])

    @property
    def variable(self) -> str:
        return CONTACT(f"{self.name}.force")

    def drawn(self, picture: Picture) -> DrawnLoad:
        """The force on the first shape that is not the ground's, at its centre; and the two shapes, which are coloured
        while they touch, except meshes."""
        first = 0 if self.first.body != "ground" else 1
        at = picture.numbers(self.between[first].shape.at)
        anchor = Anchor(self.between[first].body, (at[0], at[1], at[2]))
        arrow = DrawnArrow("force", anchor, self.variable, -1.0 if first else 1.0)
        normal = CONTACT(f"{self.name}.normal")
        shapes = tuple(
            DrawnShape(one.body, picture.shape(one.shape), normal, bool(one.label))
            for one in self.between
            if one.shape.kind != "mesh"
        )
        return replace(super().drawn(picture), arrows=(arrow,), shapes=shapes)


def _joined(*parts: str) -> str:
    return ".".join(part for part in parts if part)


def _sum(values: Sequence[Expr]) -> Expr:
    return sum(values[1:], start=values[0])


def _total(vectors: Sequence[Three]) -> Three:
    x, y, z = (_sum([v[i] for v in vectors]) for i in range(3))
    return x, y, z


def _difference(a: Three, b: Three) -> Three:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _cross(a: Three, b: Three) -> Three:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
