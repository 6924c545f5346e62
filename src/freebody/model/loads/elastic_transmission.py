"""Gears and belts that are elastic: the mesh, or the spans of the belt, are springs with dampers, so that teeth may
have backlash, and axes may be on springs."""

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar, NamedTuple

from freebody.drawing import DrawnLoad
from freebody.errors import FieldError
from freebody.model.body import Point
from freebody.model.element import Given, field
from freebody.model.kinds import Scalar, ScalarValue, Scope
from freebody.model.loads.base import Load, LoadWrench, MotionView, require_positive
from freebody.model.picture import Picture
from freebody.model.transmissions import belt_transmission, gear_transmission
from freebody.model.wheel_outlines import wheels_and_lines
from freebody.model.wheel_pairs import BeltFields, TeethAngles, Transmission, WheelPair, carried
from freebody.scalar.expr import Expr, atan2, cos, equals_number, sqrt, tan, where
from freebody.scalar.expr import max as largest
from freebody.scalar.symbol import PARAMETERS_ONLY


class Kinematics(NamedTuple):
    """The slip s and its rate; the distance d of the axes and its rate, where the joints do not keep it, negative in a
    ring gear; and the wrenches of a force λ along s, and of a force along d."""

    slip: Expr
    slip_rate: Expr
    distance: Expr | None
    distance_rate: Expr | None
    along_slip: tuple[LoadWrench, ...]
    along_distance: tuple[LoadWrench, ...]


class Forces(NamedTuple):
    """The force along the slip, that along the distance, and the stored energy."""

    slip: Expr
    distance: Expr
    energy: Expr


@dataclass(frozen=True, eq=False)
class ElasticTransmission(WheelPair, Load):
    """A transmission between two wheels with a stiffness and a damping."""

    stiffness: Given[ScalarValue | None] = field(
        Scalar(),
        "stiffness of the mesh along the normal of the teeth, or of each span of a belt",
        default=None,
        unit="N/m",
    )
    damping: Given[ScalarValue] = field(Scalar(), "damping coefficient", default=0, unit="N·s/m")

    def check_stiffness(self, scope: Scope) -> None:
        """Raise if a stiffness or a damping is missing or negative."""
        if self.stiffness is None:
            raise FieldError("the stiffness is missing; give stiffness=… in N/m", "stiffness")
        require_positive(self.stiffness, scope, "the stiffness")
        if not isinstance(self.damping, Expr | str) and self.damping < 0:
            raise FieldError(f"the damping is {float(self.damping):g}; it must not be negative", "damping")

    def forces(self, motion: MotionView, x: Kinematics, damping: Expr) -> Forces:
        """The forces for a damping coefficient."""
        raise NotImplementedError

    def wrenches(self, motion: MotionView) -> Iterator[LoadWrench]:
        x = kinematics(self, motion)
        forces = self.forces(motion, x, motion.scalar(self.damping))
        yield from _scaled(x, forces.slip, forces.distance)

    def value(self, motion: MotionView) -> Expr:
        """The tangential force of gears, or the difference of the tensions of a belt."""
        return self.forces(motion, kinematics(self, motion), motion.scalar(self.damping)).slip

    @property
    def elastic(self) -> tuple[Any, ...]:
        """The scalars on which the stored energy depends; there is none where they depend on more than parameters."""
        return (self.stiffness,)

    def potential(self, motion: MotionView) -> Expr | None:
        if any(motion.graph.mask[motion.scalar(x).handle] > PARAMETERS_ONLY for x in self.elastic):
            return None
        return self.forces(motion, kinematics(self, motion), _zero(motion)).energy

    def nonconservative(self, motion: MotionView) -> Iterator[LoadWrench]:
        """What damping adds, if the spring has a potential."""
        if self.potential(motion) is None:
            yield from self.wrenches(motion)
        elif not equals_number(self.damping, 0):
            x = kinematics(self, motion)
            forces = self.forces(motion, x, motion.scalar(self.damping))
            elastic = self.forces(motion, x, _zero(motion))
            yield from _scaled(x, forces.slip - elastic.slip, forces.distance - elastic.distance)

    def drawn(self, picture: Picture) -> DrawnLoad:
        wheels, lines = wheels_and_lines(self, picture)
        return replace(super().drawn(picture), variable=self.variable, wheels=wheels, lines=lines)


def _zero(motion: MotionView) -> Expr:
    return Expr(motion.graph, motion.graph.zero)


def _scaled(x: Kinematics, slip: Expr, distance: Expr) -> Iterator[LoadWrench]:
    for wrenches, factor in ((x.along_slip, slip), (x.along_distance, distance)):
        for w in wrenches:
            force, torque = (None if v is None else v * factor for v in (w.force, w.torque))
            yield LoadWrench(w.body, w.point, force, torque)


def kinematics(pair: WheelPair, motion: MotionView) -> Kinematics:
    """The slip and the distance of two wheels, and the wrenches that are their conjugates."""
    t: Transmission = pair.transmission
    return _kept(pair, t, motion) if t.kept else _moving(pair, t, motion)


def _kept(pair: WheelPair, t: Transmission, motion: MotionView) -> Kinematics:
    """Points and directions are fixed in the carrier; the force along d is the side force."""
    carrier = motion.body(t.carrier)
    wrenches, sides = list[LoadWrench](), list[LoadWrench]()
    for w, centre in zip(t.wheels, (pair.start, pair.end), strict=True):
        force, torque, side = (carried(motion, carrier, v) for v in (w.force, w.torque, w.side))
        c = motion.point(centre)
        if w.arm is None:
            arm = motion.position(c, Point(carrier, carried(motion, carrier, w.point)))
        else:
            arm = carried(motion, carrier, w.arm)
        at = Point(c.body, c.offset + arm)
        wrenches.append(LoadWrench(c.body, at, force, torque if torque else None))
        sides.append(LoadWrench(c.body, at, side, None))
    return Kinematics(motion.scalar(t.slip), _power(pair, wrenches, motion), None, None, tuple(wrenches), tuple(sides))


def _moving(pair: WheelPair, t: Transmission, motion: MotionView) -> Kinematics:
    """With D from the first centre to the second, across the axis n: d = ±|D|, e = D/d, t = n × e, and ψ the angle of D
    in the carrier. The slip is −r₁ (θ₁ − ψ) − r₂ (θ₂ − ψ), so that λ is a torque −rᵢ λ on each wheel and a force (r₁ +
    r₂) λ t/d on the second one, and of helical gears −λ tan β n at the mesh point."""
    assert t.parallel is not None
    carrier, wheels = motion.body(t.carrier), t.parallel
    n, e0 = carried(motion, carrier, wheels.axis), carried(motion, carrier, wheels.line)
    r1, r2 = (motion.scalar(r) for r in wheels.radii)
    a, b = motion.point(pair.start), motion.point(pair.end)
    whole = motion.position(a, b)
    beside = n * whole.dot(n)  # of centres that move apart along the axis
    D = whole - beside
    x, y = e0.dot(D) * wheels.sign, n.cross(e0).dot(D) * wheels.sign
    d = sqrt(x * x + y * y) * wheels.sign
    e = D / d
    push = n.cross(e) * ((r1 + r2) / d)
    at = Point(a.body, a.offset + beside)
    wrenches = [LoadWrench(a.body, at, -push, n * -r1), LoadWrench(b.body, b, push, n * -r2)]
    if not equals_number(wheels.lead, 0):
        axial, mesh = n * motion.scalar(wheels.lead), D / (r1 + r2)
        wrenches += [
            LoadWrench(a.body, Point(a.body, at.offset + mesh * r1), axial, None),
            LoadWrench(b.body, Point(b.body, b.offset - mesh * r2), -axial, None),
        ]
    apart = [LoadWrench(a.body, at, -e, None), LoadWrench(b.body, b, e, None)]
    slip = motion.scalar(t.slip) + (r1 + r2) * atan2(y, x)
    return Kinematics(
        slip, _power(pair, wrenches, motion), d, _power(pair, apart, motion), tuple(wrenches), tuple(apart)
    )


def _power(pair: WheelPair, wrenches: Sequence[LoadWrench], motion: MotionView) -> Expr:
    """Σ F·v + T·ω, with v of the points of the bodies where the forces act."""
    total, centres = _zero(motion), {c.body: motion.point(c) for c in (pair.start, pair.end)}
    for w in wrenches:
        omega, c = motion.angular_velocity(w.body), centres[w.body.name]
        if w.force is not None and w.point is not None:
            total = total + w.force.dot(motion.velocity(c) + omega.cross(w.point.offset - c.offset))
        if w.torque is not None:
            total = total + w.torque.dot(omega)
    return total


@dataclass(frozen=True, eq=False)
class ElasticGear(TeethAngles, ElasticTransmission):
    """Two gears with elastic teeth, or a gear and a rack: ``gear`` with a stiffness. Its value is the tangential force
    F, with the sign of that constraint's multiplier.

    The slip s of the pitch circles compresses the teeth in contact by δ = |s| cos α cos β, less half the backlash,
    along the normal of their flanks. The normal force is k δ + c δ̇ and never pulls; without backlash the teeth stay in
    contact on one flank or the other. If the joints do not keep the distance d of parallel axes, both flanks are
    examined at the working pressure angle cos α′ = r cos α/d of involute teeth: δ changes with d as the gap of each
    flank, r cos α (inv α′ − inv α), and its force acts along the line of action. A stiffness that depends on
    coordinates, as for a mesh whose stiffness varies with each tooth, stores no energy: its power counts as that of the
    load."""

    backlash: Given[ScalarValue] = field(Scalar(), "play of the teeth along the pitch circles", default=0, unit="m")
    _: KW_ONLY
    kind: ClassVar[str] = "elastic_gear"

    @property
    def elastic(self) -> tuple[Any, ...]:
        return self.stiffness, self.backlash

    def finalise(self, scope: Scope) -> "ElasticGear":
        if not self.is_read or self.transmission is not None or isinstance(self.stiffness, str):
            return self
        self.check_angles()
        self.check_stiffness(scope)
        if not isinstance(self.backlash, Expr | str) and self.backlash < 0:
            raise FieldError(f"the backlash is {float(self.backlash):g} m; it must not be negative", "backlash")
        transmission = gear_transmission(scope, self, self.pressure_angle, self.helix_angle, elastic=True)
        return replace(self, transmission=transmission)

    def forces(self, motion: MotionView, x: Kinematics, damping: Expr) -> Forces:
        k, alpha, beta = (motion.scalar(v) for v in (self.stiffness, self.pressure_angle, self.helix_angle))
        normal = cos(alpha) * cos(beta)
        if x.distance is None and equals_number(self.backlash, 0):
            s = normal * x.slip
            force = -normal * (k * s + damping * normal * x.slip_rate)
            return Forces(force, abs(force), k * s * s / 2)
        gap, slope = normal * motion.scalar(self.backlash) / 2, _zero(motion)
        if x.distance is not None and x.distance_rate is not None:
            more, slope = self._gap(motion, x.distance, alpha, beta)
            gap = gap + more
        loads, energy = list[Expr](), _zero(motion)
        for sign in (-1, 1):
            delta = sign * normal * x.slip - gap
            rate = sign * normal * x.slip_rate
            rate = rate if x.distance_rate is None else rate - slope * x.distance_rate
            pressed = largest(delta, 0)
            loads.append(where(delta > 0, largest(k * delta + damping * rate, 0), 0))
            energy = energy + k * pressed * pressed / 2
        driven, coasting = loads
        force = normal * (driven - coasting)
        both = driven + coasting
        return Forces(force, normal * both if x.distance is None else slope * both, energy)

    def _gap(self, motion: MotionView, d: Expr, alpha: Expr, beta: Expr) -> tuple[Expr, Expr]:
        """The gap of each flank at a distance of the axes, normal to the teeth, and its slope: with R = r cos α′₀ the
        sum of the base radii and inv α = tan α − α, cos β_b R (inv α′ − inv α′₀) and cos β_b sin α′."""
        wheels = self.transmission.parallel
        r = motion.scalar(wheels.radii[0]) + motion.scalar(wheels.radii[1])
        tangent = tan(alpha) / cos(beta)
        transverse = atan2(tangent, 1)
        base = r * cos(transverse)
        tilt = cos(beta) * cos(alpha) / cos(transverse)
        height = sqrt(largest(d * d - base * base, 0))
        working = height / abs(base)
        gap = tilt * base * (working - atan2(working, 1) - tangent + transverse)
        return gap, tilt * height / abs(d)


@dataclass(frozen=True, eq=False)
class ElasticBelt(BeltFields, ElasticTransmission):
    """A belt or chain on two pulleys whose spans are springs with the given stiffness and damping, and the given
    pretension at the zero of all joints: ``belt`` with a stiffness. A span never pushes. Its value is the difference of
    the tensions, with the sign of that constraint's multiplier. The pulleys may be on springs: spans become longer with
    the distance of the axes."""

    _: KW_ONLY
    kind: ClassVar[str] = "elastic_belt"

    def finalise(self, scope: Scope) -> "ElasticBelt":
        if not self.is_read or self.transmission is not None or isinstance(self.stiffness, str):
            return self
        self.check_pretension()
        self.check_stiffness(scope)
        return replace(self, transmission=belt_transmission(scope, self, self.crossed, elastic=True))

    def forces(self, motion: MotionView, x: Kinematics, damping: Expr) -> Forces:
        """T = max(0, T₀ + k x + c ẋ) of each span, with x = ∓s + g(d) − g(d₀); g = h − C arctan(h/C), h² = d² − C² and
        g′ = h/d for C = |r₁ ∓ r₂|."""
        k, initial = motion.scalar(self.stiffness), motion.scalar(self.pretension)
        longer = rate = slope = _zero(motion)
        if x.distance is not None and x.distance_rate is not None:
            wheels = self.transmission.parallel
            C = abs(motion.scalar(wheels.radii[0]) + motion.scalar(wheels.radii[1]))
            (g, slope), (g0, _) = (_span(d, C) for d in (x.distance, motion.scalar(wheels.distance)))
            longer, rate = g - g0, slope * x.distance_rate
        tensions, energy = list[Expr](), _zero(motion)
        for sign in (-1, 1):
            elastic = initial + k * (longer + sign * x.slip)
            tensions.append(largest(elastic + damping * (rate + sign * x.slip_rate), 0))
            stretched = largest(elastic, 0)
            energy = energy + stretched * stretched / (2 * k)
        tight, slack = tensions
        both = tight + slack
        return Forces(tight - slack, both if x.distance is None else -slope * both, energy)


def _span(d: Expr, C: Expr) -> tuple[Expr, Expr]:
    """g(d) and its slope."""
    h = sqrt(d * d - C * C)
    return h - C * atan2(h, C), h / d
