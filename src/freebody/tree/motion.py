"""The symbolic motion of every link and point: angular velocities and remainders outwards in the links' frames, and the
position, velocity and acceleration of any point on request.

A remainder is what an acceleration holds besides the u̇ (Sayers Eqs 32–37). Gravity enters as −g in the ground's
acceleration (Eq 39), so accelerations here are those that forces feel.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from freebody.errors import ModelError
from freebody.model.accelerations import acceleration_symbol
from freebody.model.body import Point, Reference
from freebody.model.builder import ModelBuilder
from freebody.model.vectors import Components, PointSpec
from freebody.scalar.derivative import jvp
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import symbols_of
from freebody.spatial.frame import Frame
from freebody.spatial.resolved import Twist, Vec, collected, meeting
from freebody.spatial.scalars import Matrix, Scalar, Triple, add3, times3
from freebody.spatial.vector import Vector, components, vector
from freebody.tree.forest import Forest, Link
from freebody.tree.passes import outwards, unknown, velocity

_UNKNOWN = Kind.INPUT | Kind.ACCELERATION | Kind.INTERMEDIATE  # what has no known rate


class Moving:
    """ω, α and the felt acceleration a of a link's origin in its frame, with U = [α]× + ωωᵀ − |ω|² (Sayers' R)."""

    __slots__ = ("U", "a", "alpha", "frame", "squares", "w")

    def __init__(self, w: Vec, alpha: Vec, a: Vec) -> None:
        alpha.check(w.frame)
        a.check(w.frame)
        S, (x, y, z), (p, q, r) = w.frame.S, w.c, alpha.c
        mul, add, sub, neg = S.mul, S.add, S.sub, S.neg
        xx, yy, zz, xy, xz, yz = mul(x, x), mul(y, y), mul(z, z), mul(x, y), mul(x, z), mul(y, z)
        self.frame, self.w, self.alpha, self.a = w.frame, w, alpha, a
        self.squares: Triple = xx, yy, zz
        self.U: Matrix = (
            (neg(add(yy, zz)), sub(xy, r), add(xz, q)),
            (add(xy, r), neg(add(xx, zz)), sub(yz, p)),
            (sub(xz, q), add(yz, p), neg(add(xx, yy))),
        )

    def at(self, arm: Triple) -> Vec:
        """a + U r: the felt acceleration of a point that is fixed in the link."""
        return Vec(self.frame, add3(self.frame.S, self.a.xyz, times3(self.frame.S, self.U, arm)))


def accelerated(link: Link, P: Moving, rates: Sequence[Scalar] = ()) -> tuple[Vec, Vec, Vec]:
    """ω = ω_P + ω_PB, α = α_P + ω_P × ω_PB + ᾱ, a = a_P + U_P p + 2 ω_P × v_PB + ā (Sayers Tables 7, 9), with these u̇
    or, where there are none, without their terms."""
    frame, S = link.frame, link.frame.S
    alpha, a = list(link.turning_bias), [P.at(link.X.arm), *link.sliding_bias]
    for c in link.columns if rates else ():
        alpha += [e.times(rates[c.speed]) for e in c.angular]
        a += [l.times(rates[c.speed]) for l in c.linear]
    if link.sliding:
        where = meeting(link.sliding)  # ω passes there on its way to the link
        a.append(P.w.in_(where).cross(collected(where, link.sliding)).times(S.const(2)))
    felt = collected(frame, a)
    w_P, own = P.w.in_(frame), link.turning
    w, across = w_P + own, w_P.cross(own) + collected(frame, alpha)
    return w, P.alpha.in_(frame) + across, felt


def moved(link: Link, w: Vec, alpha: Vec, a: Vec, whole: bool = False) -> Moving:
    """A link's motion, with names for its components; ``whole``: with the terms in u̇."""
    less = "" if whole else ", less u̇ terms"
    link.label(w, "w", "ω of")
    link.label(alpha, "alpha", "α of", less)
    link.label(a, "a", "felt acceleration of", less)
    return Moving(w, alpha, a)


def referred(link: Link, P: Moving) -> tuple[Moving, dict[int, Scalar]]:
    """A link's motion with u̇₀ in place of u̇, such that it has no acceleration along the axes of its own speeds; u̇₀ by
    index in u."""
    S, (w, alpha, a), chosen = link.frame.S, accelerated(link, P), dict[int, Scalar]()
    A = [*alpha.c, *a.c]
    for speed, (axis, sign) in link.axes.items():
        chosen[speed] = S.neg(A[axis]) if sign > 0 else A[axis]
        A[axis] = S.zero
    return moved(link, w, Vec(link.frame, tuple(A[:3])), Vec(link.frame, tuple(A[3:]))), chosen


def at_rest(root: Frame, fall: Vec) -> Moving:
    """The ground, which feels −g."""
    return Moving(Vec.zero(root), Vec.zero(root), fall.in_(root))


class Motion:
    """What moves how. Everything is computed when it is first asked for."""

    def __init__(self, forest: Forest, accelerations: Sequence[int] = ()) -> None:
        """With ``accelerations``, a node for each u̇, nothing is left out: remainders are whole accelerations."""
        self.forest, self.rates = forest, list(accelerations)
        self.graph: Graph = forest.graph
        self._moving: dict[int, Moving] = {}
        self._twists: dict[int, Twist] = {}
        self._links = {link.name: link for link in forest.links}

    @cached_property
    def fall(self) -> Vector:
        """−g: what a body at rest feels."""
        return -self.forest.gravity

    @cached_property
    def ground(self) -> Moving:
        root = self.forest.root
        return at_rest(root, Vec(root, components(self.fall, root)))

    def of(self, link: Link) -> Moving:
        """ω, α and a of a link, from its parent's."""
        return outwards(unknown(link, self._moving), self.step, self.ground, self._moving)[link.index]

    def step(self, link: Link, P: Moving) -> Moving:
        return moved(link, *accelerated(link, P, self.rates), whole=bool(self.rates))

    def twist(self, link: Link) -> Twist:
        """ω and the velocity of a link's origin."""

        def step(one: Link, V: Twist) -> Twist:
            V = velocity(one, V)
            one.label(V.angular, "w", "ω of")
            return V

        return outwards(unknown(link, self._twists), step, Twist.zero(self.forest.root), self._twists)[link.index]

    # What elements name

    def body(self, name: str) -> Reference:
        """The body of this name, or the ground."""
        return self.forest.placed.body(name)

    def point(self, place: PointSpec) -> Point:
        """The point that an element describes."""
        return self.forest.placed.point(place)

    def vector(self, terms: Sequence[Components]) -> Vector:
        """The vector that an element describes."""
        return self.forest.placed.vector(terms)

    def scalar(self, value: Any) -> Expr:
        """A scalar of an element, as an expression of this graph."""
        return self.forest.placed.scalar(value)

    # Points

    def position(self, start: Point, end: Point) -> Vector:
        """From one point to another, by way of the nearest link that both hang on."""
        one, other = (self._links.get(point.body.name) for point in (start, end))
        back, forth = self._arm(start), self._arm(end)
        while one is not other:
            if one is not None and (other is None or one.index > other.index):
                back, one = back + one.position, one.parent
            elif other is not None:
                forth, other = forth + other.position, other.parent
        return forth - back

    def _arm(self, point: Point) -> Vector:
        """From the origin of a point's link to the point."""
        link = self._links.get(point.body.name)
        return point.offset if link is None else point.offset - link.shift

    def angular_velocity(self, body: Reference) -> Vector:
        """ω of a body in the ground."""
        link = self._links.get(body.name)
        return Vector(self.graph, {}) if link is None else vector(link.frame, self.twist(link).c[:3])

    def angular_acceleration(self, body: Reference) -> Vector:
        """α of a body in the ground, whole."""
        self._require_whole()
        link = self._links.get(body.name)
        return Vector(self.graph, {}) if link is None else vector(link.frame, self.of(link).alpha.c)

    def velocity(self, point: Point) -> Vector:
        """Of a point in the ground, whether it is fixed in its body or moves on it."""
        carried = self.carried_velocity(point)
        return carried if point.fixed else carried + self.derivative(point.offset, point.body)

    def carried_velocity(self, point: Point) -> Vector:
        """Of what is fixed in the body at the place of a point, which may itself move on the body."""
        link = self._links.get(point.body.name)
        origin = Vector(self.graph, {}) if link is None else vector(link.frame, self.twist(link).c[3:])
        return origin + self.angular_velocity(point.body).cross(self._arm(point))

    def acceleration_of(self, point: Point) -> Vector:
        """Of a point in the ground, whole, whether it is fixed in its body or moves on it: a + 2 ω × ṙ + r̈, with a that
        of the body's point where it is and r from the body's origin, differentiated in the body. Gravity is not
        part of it."""
        self._require_whole()
        link, carried = self._links.get(point.body.name), Vector(self.graph, {})
        if link is not None:
            felt = self.of(link).at(components(self._arm(point), link.frame))
            carried = vector(link.frame, felt.c) - self.fall
        if point.fixed:
            return carried
        rate = self.derivative(point.offset, point.body)
        return carried + self.angular_velocity(point.body).cross(rate) * 2 + self.derivative(rate, point.body)

    def _require_whole(self) -> None:
        """A motion without u̇ knows remainders only, and these are not accelerations."""
        assert self.rates or not self.forest.layout.u, "accelerations need a node for each u̇"

    def derivative(self, v: Vector, body: Reference) -> Vector:
        """dv/dt as seen from a body, for a vector that depends on the state, time and parameters."""
        g, xyz = self.graph, components(v, body.frame)
        unknown = _UNKNOWN if self.rates else _UNKNOWN | Kind.SPEED
        if any(g.mask[s] & unknown for s in xyz):
            names = [s.name for i in symbols_of(g, xyz) if (s := g.symbols[g.a[i]]).kind & unknown]
            raise ModelError(
                f"a vector that depends on {', '.join(names)} cannot be differentiated here: that would need rates of"
                " inputs or accelerations, or u̇ where it is not known yet. Differentiate what depends on coordinates,"
                " time, parameters, and for outputs and events on speeds"
            )
        layout = self.forest.layout
        seeds = dict(zip(layout.q_handles, layout.q_dot, strict=True)) | {self.forest.t: g.one}
        seeds |= dict(zip(layout.u_handles, self.rates, strict=True)) if self.rates else {}
        seeds |= {state.symbol.handle: state.rate.handle for state in self.forest.model.states.values()}
        return vector(body.frame, jvp(g, list(xyz), seeds))


def move(forest: Forest) -> Motion:
    """The motion of a forest."""
    return Motion(forest)


def whole_motion(system: ModelBuilder) -> Motion:
    """The motion of a system in its own graph, with symbols for u̇: accelerations are whole."""
    forest = Forest.of(system.described, system.placed)
    return Motion(forest, [acceleration_symbol(system.graph, n) for n in forest.layout.u])
