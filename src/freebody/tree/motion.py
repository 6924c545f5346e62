"""The symbolic motion of every link and point: angular velocities and remainders outwards in working frames, and the
position, velocity and acceleration of any point on request.

A remainder is what an acceleration holds besides the u̇ (Sayers Eqs 32–37). Gravity enters as −g in the root's
acceleration (Eq 39), so accelerations here are those that forces feel.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from freebody.errors import ModelError
from freebody.model.accelerations import rate_of_speed
from freebody.model.body import Body, Point, Reference
from freebody.model.system import System
from freebody.scalar.derivative import jvp
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import symbols_of
from freebody.spatial.frame import Frame
from freebody.spatial.triples import Matrix, Triple, add3, cross3, times3
from freebody.spatial.vector import Vector, components, vector
from freebody.tree.forest import Forest, Link

_UNKNOWN = Kind.INPUT | Kind.ACCELERATION | Kind.INTERMEDIATE  # what has no known rate


@dataclass(frozen=True)
class Turning:
    """A link's rotation in its working frame: ω, the remainder of α, and U = [α]× + ωωᵀ − |ω|² (Sayers' R)."""

    w: Triple
    alpha: Triple
    U: Matrix
    squares: Triple


class Motion:
    """What moves how. Everything is computed when it is first asked for."""

    def __init__(self, forest: Forest, accelerations: Sequence[int] = ()) -> None:
        """With ``accelerations``, a node for each u̇, nothing is left out: remainders are whole accelerations."""
        self.forest, self._rates = forest, accelerations
        self._less = "" if accelerations else ", less u̇ terms"
        self.graph: Graph = forest.graph
        self._turning: dict[int, Turning] = {}
        self._acceleration: dict[int, Triple] = {}
        self._velocity: dict[int, Vector] = {}
        self._links = {link.name: link for link in forest.links}

    def know(self, link: Link, w: Triple, alpha: Triple, a: Triple) -> None:
        """Take a link's motion from elsewhere: a rolled program finds it where the step at that link has left it."""
        self._turning[link.index], self._acceleration[link.index] = turning(self.graph, w, alpha), a

    # Rotation

    def turning(self, link: Link) -> Turning:
        """ω and α of a link, from its parent's (Sayers Table 7)."""
        for one in unknown(link, self._turning):
            self._turning[one.index] = self._turn(one)
        return self._turning[link.index]

    def _turn(self, link: Link) -> Turning:
        g = self.graph
        own = components(self.relative_turning(link), link.frame)
        wp = self._from_parent(link, "w")
        w = add3(g, wp, own)
        rest = add3(g, cross3(g, wp, own), components(self._turn_rest(link), link.frame))
        alpha = self.settled(link, add3(g, self._from_parent(link, "alpha"), rest), 0)
        name3(link, w, "w", "ω of")
        name3(link, alpha, "alpha", "α of", self._less)
        return turning(g, w, alpha)

    def _from_parent(self, link: Link, what: str) -> Triple:
        if link.parent is None:
            z = self.graph.zero
            return z, z, z
        return down(link.parent.frame, link.frame, getattr(self.turning(link.parent), what))

    def relative_turning(self, link: Link) -> Vector:
        """ω relative to the parent."""
        return _combine(self.graph, link.body, "turns")

    def relative_velocity(self, link: Link) -> Vector:
        """Of the origin, relative to the parent."""
        return _combine(self.graph, link.body, "slides")

    def _turn_rest(self, link: Link) -> Vector:
        placement = link.body.placement
        return placement.turn_rest + self._driven(link, "turns")

    def _driven(self, link: Link, what: str) -> Vector:
        """Σ of the accelerations that are known times their columns."""
        body, total = link.body, Vector(self.graph, {})
        rates: list[Expr | None] = list(body.given)
        for k, place in zip(link.free, link.u, strict=True):
            rates[k] = Expr(self.graph, self.graph.mul(link.gain, self._rates[place])) if self._rates else None
        for column, rate in zip(getattr(body.placement, what), rates, strict=True):
            total = total + column * rate if rate is not None else total
        return total

    def settled(self, link: Link, rest: Triple, start: int) -> Triple:
        """The remainder of α (start 0) or of the origin's acceleration (3) that is kept: here all of it."""
        return rest

    # Translation

    @cached_property
    def fall(self) -> Vector:
        """−g: what a body at rest feels."""
        return -self.forest.system.gravity

    def acceleration(self, link: Link) -> Triple:
        """The remainder of the origin's acceleration, −g included, in the working frame (Sayers Table 9):
        a_B = a_A + U_A p + 2 ω_A × v + rest."""
        for one in unknown(link, self._acceleration):
            a = self.settled(one, components(self._accelerated(one), one.frame), 3)
            self._acceleration[one.index] = a
            name3(one, a, "a", "felt acceleration of", self._less)
        return self._acceleration[link.index]

    def _accelerated(self, link: Link) -> Vector:
        g, placement = self.graph, link.body.placement
        rest = placement.slide_rest + self._driven(link, "slides")
        if link.parent is None:
            return self.fall + rest
        parent = link.parent
        turning = self.turning(parent)
        carried = add3(g, self.acceleration(parent), times3(g, turning.U, link.arm))
        around = vector(parent.frame, turning.w).cross(self.relative_velocity(link)) * 2
        return vector(parent.frame, carried) + around + rest

    # Points

    def position(self, start: Point, end: Point) -> Vector:
        """From one point to another, by way of the nearest link that both hang on."""
        one, other = (self._links.get(point.body.name) for point in (start, end))
        back, forth = self._arm(start), self._arm(end)
        while one is not other:
            if other is None or (one is not None and one.index > other.index):
                assert one is not None
                back, one = back + one.position, one.parent
            else:
                forth, other = forth + other.position, other.parent
        return forth - back

    def _arm(self, point: Point) -> Vector:
        """From the origin of a point's link to the point."""
        link = self._links.get(point.body.name)
        return point.offset if link is None else point.offset - link.shift

    def angular_velocity(self, body: Reference) -> Vector:
        """ω of a body in the ground."""
        link = self._links.get(body.name)
        return Vector(self.graph, {}) if link is None else vector(link.frame, self.turning(link).w)

    def angular_acceleration(self, body: Reference) -> Vector:
        """α of a body in the ground, whole."""
        self._require_whole()
        link = self._links.get(body.name)
        return Vector(self.graph, {}) if link is None else vector(link.frame, self.turning(link).alpha)

    def velocity(self, point: Point) -> Vector:
        """Of a point in the ground, whether it is fixed in its body or moves on it."""
        carried = self.carried_velocity(point)
        return carried if point.fixed else carried + self.derivative(point.offset, point.body)

    def carried_velocity(self, point: Point) -> Vector:
        """Of what is fixed in the body at the place of a point, which may itself move on the body."""
        return self._origin_velocity(point.body) + self.angular_velocity(point.body).cross(self._arm(point))

    def _origin_velocity(self, body: Reference) -> Vector:
        link = self._links.get(body.name)
        if link is None:
            return Vector(self.graph, {})
        for one in unknown(link, self._velocity):
            total = self.relative_velocity(one)
            if one.parent is not None:
                around = vector(one.parent.frame, self.turning(one.parent).w).cross(one.position)
                total = self._velocity[one.parent.index] + around + total
            self._velocity[one.index] = total.within(one.frame)
        return self._velocity[link.index]

    def acceleration_of(self, point: Point) -> Vector:
        """Of a point in the ground, whole, whether it is fixed in its body or moves on it: a + 2 ω × ṙ + r̈, with a that
        of the body's point where it is and r from the body's origin, differentiated in the body. Gravity is no part of
        it."""
        self._require_whole()
        link, carried = self._links.get(point.body.name), Vector(self.graph, {})
        if link is not None:
            felt = vector(link.frame, add3(self.graph, self.acceleration(link), self._around(link, point)))
            carried = felt - self.fall
        if point.fixed:
            return carried
        rate = self.derivative(point.offset, point.body)
        return carried + self.angular_velocity(point.body).cross(rate) * 2 + self.derivative(rate, point.body)

    def _require_whole(self) -> None:
        """A motion without u̇ knows remainders only, and these are not accelerations."""
        assert self._rates or not self.forest.layout.u, "accelerations need a node for each u̇"

    def derivative(self, v: Vector, body: Reference) -> Vector:
        """dv/dt as seen from a body, for a vector that depends on the state, time and parameters."""
        g, xyz = self.graph, components(v, body.frame)
        unknown = _UNKNOWN if self._rates else _UNKNOWN | Kind.SPEED
        if any(g.mask[s] & unknown for s in xyz):
            names = [s.name for i in symbols_of(g, xyz) if (s := g.symbols[g.a[i]]).kind & unknown]
            raise ModelError(
                f"a vector that depends on {', '.join(names)} cannot be differentiated here: that would need rates of"
                " inputs or accelerations, or u̇ where it is not known yet. Differentiate what depends on coordinates,"
                " time, parameters, and for outputs and events on speeds"
            )
        layout, system = self.forest.layout, self.forest.system
        seeds = dict(zip(layout.q_handles, layout.q_dot, strict=True)) | {system.t.handle: g.one}
        seeds |= dict(zip(layout.u_handles, self._rates, strict=True)) if self._rates else {}
        seeds |= {state.symbol.handle: state.rate.handle for state in system.states.values()}
        return vector(body.frame, jvp(g, list(xyz), seeds))

    def _around(self, link: Link, point: Point) -> Triple:
        return times3(self.graph, self.turning(link).U, components(self._arm(point), link.frame))


def unknown(link: Link, known: Container[int]) -> list[Link]:
    """The links on the way from the root to this one that are not known yet; chains are too long for recursion."""
    links: list[Link] = []
    one: Link | None = link
    while one is not None and one.index not in known:
        links.append(one)
        one = one.parent
    return links[::-1]


def name3(link: Link, v: Triple, letter: str, what: str, more: str = "") -> None:
    """Say what three components are: "ω of camera along c1"."""
    for k, (sign, unit) in enumerate(link.frame.basis):
        along = f"{'−' if sign < 0 else ''}{unit!r}"
        link.graph.label(v[k], f"{letter}_{link.name}_{k + 1}", f"{what} {link.name} along {along}{more}")


def move(forest: Forest) -> Motion:
    """The motion of a forest."""
    return Motion(forest)


def whole_motion(system: System) -> Motion:
    """The motion of a system in its own graph, with symbols for u̇: accelerations are whole."""
    forest = Forest.of(system)
    return Motion(forest, [rate_of_speed(system.graph, n) for n in forest.layout.u])


def turning(g: Graph, w: Triple, alpha: Triple) -> Turning:
    """U from ω and α: its diagonal −(ω_j² + ω_k²), off the diagonal ω_iω_j ∓ α_k."""
    x, y, z = w
    xx, yy, zz = g.mul(x, x), g.mul(y, y), g.mul(z, z)
    xy, xz, yz = g.mul(x, y), g.mul(x, z), g.mul(y, z)
    a, b, c = alpha
    U = (
        (g.neg(g.add(yy, zz)), g.sub(xy, c), g.add(xz, b)),
        (g.add(xy, c), g.neg(g.add(xx, zz)), g.sub(yz, a)),
        (g.sub(xz, b), g.add(yz, a), g.neg(g.add(xx, yy))),
    )
    return Turning(w, alpha, U, (xx, yy, zz))


def _combine(g: Graph, body: Body, what: str) -> Vector:
    """Σ uᵢ columnᵢ of a joint, the prescribed speeds included."""
    total = Vector(g, {})
    for column, speed in zip(getattr(body.placement, what), body.rates, strict=True):
        total = total + column * speed
    return total


def down(parent: Frame, child: Frame, v: Triple) -> Triple:
    """Components in the parent's frame as components in the child's (or the other way round)."""
    for here, there in pairwise(parent.path(child)):
        v = here.step(there, v)
    return v
