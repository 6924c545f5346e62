"""The symbolic motion of links and points: angular velocities and remainders outwards in the links' frames, and the
position, velocity and acceleration of any point on request.

A remainder is the part of an acceleration that does not depend on u̇ (Sayers Eqs 32–37). Gravity enters as −g in the
ground's acceleration (Eq 39): a of links is the acceleration minus gravity, as an accelerometer measures it.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from freebody.errors import ModelError
from freebody.model.accelerations import acceleration_symbol
from freebody.model.body import Point, Reference
from freebody.model.builder import ModelBuilder
from freebody.model.constraints import ConstraintRow, RowForm
from freebody.model.vectors import Components, PointSpec
from freebody.scalar.derivative import jacobian, jvp, time_seeds
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute, symbols_of
from freebody.spatial.frame import Frame
from freebody.spatial.resolved import Twist, Vec, collected, meeting
from freebody.spatial.scalars import Matrix, Scalar, Triple, add3, times3
from freebody.spatial.vector import Vector, components, vector
from freebody.tree.passes import outwards, path_to, velocity
from freebody.tree.tree import Link, Tree


class LinkMotion:
    """ω, α and the acceleration minus gravity a of a link's origin in its frame, with U = [α]× + ωωᵀ − |ω|² (Sayers'
    R)."""

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

    @classmethod
    def of_ground(cls, minus_g: Vec) -> "LinkMotion":
        """The ground is at rest; its acceleration minus gravity is −g."""
        return cls(Vec.zero(minus_g.frame), Vec.zero(minus_g.frame), minus_g)

    @classmethod
    def labelled(cls, link: Link, w: Vec, alpha: Vec, a: Vec, whole: bool = False) -> "LinkMotion":
        """A link's motion whose components have labels; ``whole``: with the terms in u̇."""
        suffix = "" if whole else ", without u̇ terms"
        link.label(w, "w", "ω of")
        link.label(alpha, "alpha", "α of", suffix)
        link.label(a, "a", "acceleration minus gravity of", suffix)
        return cls(w, alpha, a)

    def at(self, arm: Triple) -> Vec:
        """a + U r: the acceleration minus gravity of a point that is fixed in the link."""
        return Vec(self.frame, add3(self.frame.S, self.a.xyz, times3(self.frame.S, self.U, arm)))


def accelerate(link: Link, P: LinkMotion, rates: Sequence[Scalar] = ()) -> tuple[Vec, Vec, Vec]:
    """ω = ω_P + ω_PB, α = α_P + ω_P × ω_PB + ᾱ, a = a_P + U_P p + 2 ω_P × v_PB + ā (Sayers Tables 7, 9), where ᾱ and ā
    include H u̇ for the ``rates`` u̇, and without rates are remainders."""
    frame, S = link.frame, link.frame.S
    if link.is_port and P.alpha.is_zero and not rates:
        return _accelerate_node(link, P)
    alpha, a = list(link.alpha_bias), [P.at(link.X.arm), *link.a_bias]
    for c in link.columns if rates else ():
        alpha += [e.times(rates[c.speed]) for e in c.angular]
        a += [l.times(rates[c.speed]) for l in c.linear]
    w_PB, v_PB = link.bias_velocity
    if v_PB:
        where = meeting(v_PB)  # ω passes there on its way to the link
        a.append(P.w.in_(where).cross(collected(where, v_PB)).times(S.const(2)))
    a_B = collected(frame, a)
    w_P = P.w.in_(frame)
    w, across = w_P + w_PB, w_P.cross(w_PB) + collected(frame, alpha)
    return w, P.alpha.in_(frame) + across, a_B


def _accelerate_node(link: Link, P: LinkMotion) -> tuple[Vec, Vec, Vec]:
    """The same for a node of a body without angular acceleration: a = a_P + ω_P × (ω_P × p + 2 v_PB) + ā along the axes
    of the node, where p and v_PB are known."""
    frame, (w_PB, v_PB) = link.frame, link.bias_velocity
    w_P, v = P.w.in_(frame), collected(frame, v_PB)
    around = w_P.cross(w_P.cross(Vec(frame, link.arm_in_frame)) + (v + v))
    alpha, a = collected(frame, link.alpha_bias), collected(frame, [P.a, around, *link.a_bias])
    return w_P + w_PB, w_P.cross(w_PB) + alpha, a


def refer(link: Link, P: LinkMotion) -> tuple[LinkMotion, dict[int, Scalar]]:
    """A link's motion at the reference u̇₀, which leaves no acceleration along the joint's axes (``Link.axes``); and u̇₀
    by index in u."""
    S, (w, alpha, a), reference = link.frame.S, accelerate(link, P), dict[int, Scalar]()
    A = [*alpha.c, *a.c]
    for speed, (axis, sign) in link.axes.items():
        reference[speed] = S.neg(A[axis]) if sign > 0 else A[axis]
        A[axis] = S.zero
    return LinkMotion.labelled(link, w, Vec(link.frame, tuple(A[:3])), Vec(link.frame, tuple(A[3:]))), reference


class Motion:
    """The motion of a tree; everything is computed when it is first needed. With ``accelerations``, a node for each
    u̇, accelerations are whole; without, they are remainders."""

    def __init__(self, tree: Tree, accelerations: Sequence[Node] = ()) -> None:
        self.tree, self.rates = tree, list(accelerations)
        self.graph: Graph = tree.graph
        self._motions: dict[int, LinkMotion] = {}
        self._twists: dict[int, Twist] = {}
        self._links = {link.name: link for link in tree.links}
        self.rows_of_constraints = dict[tuple[str, RowForm], Sequence[ConstraintRow]]()

    @cached_property
    def minus_g(self) -> Vector:
        """−g: the acceleration minus gravity of a body at rest."""
        return -self.tree.gravity

    @cached_property
    def ground(self) -> LinkMotion:
        root = self.tree.root
        return LinkMotion.of_ground(Vec(root, components(self.minus_g, root)))

    def of(self, link: Link) -> LinkMotion:
        """ω, α and a of a link."""
        return outwards(path_to(link, self._motions), self.step, self.ground, self._motions)[link.index]

    def step(self, link: Link, P: LinkMotion) -> LinkMotion:
        return LinkMotion.labelled(link, *accelerate(link, P, self.rates), whole=bool(self.rates))

    def twist(self, link: Link) -> Twist:
        """ω and the velocity of a link's origin."""

        def step(one: Link, V: Twist) -> Twist:
            V = velocity(one, V)
            one.label(V.angular, "w", "ω of")
            return V

        return outwards(path_to(link, self._twists), step, Twist.zero(self.tree.root), self._twists)[link.index]

    # Elements and points

    def body(self, name: str) -> Reference:
        """A body or the ground by its name."""
        return self.tree.placed.body(name)

    def point(self, place: PointSpec) -> Point:
        """The point that an element describes."""
        return self.tree.placed.point(place)

    def vector(self, terms: Sequence[Components]) -> Vector:
        """The vector that an element describes."""
        return self.tree.placed.vector(terms)

    def scalar(self, value: Any) -> Expr:
        """A scalar of an element, as an expression of this graph."""
        return self.tree.placed.scalar(value)

    def position(self, start: Point, end: Point) -> Vector:
        """p from one point to another, by way of their nearest common ancestor."""
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

    def native_angular_velocity(self, body: Reference) -> Vector:
        """ω of a body in the ground as the sum of those of joints, each along the axes that it is written with (Eq
        5)."""
        link, total = self._links.get(body.name), Vector(self.graph, {})
        for each in reversed([] if link is None else link.path_to_root()):
            total = total + each.joint_angular_velocity
        return total

    def angular_acceleration(self, body: Reference) -> Vector:
        """α of a body in the ground."""
        self._require_rates()
        return self.carried_angular_acceleration(body)

    def velocity(self, point: Point) -> Vector:
        """v of a point in the ground; the point may move on its body."""
        carried = self.carried_velocity(point)
        return carried if point.fixed else carried + self.derivative(point.offset, point.body)

    def carried_velocity(self, point: Point) -> Vector:
        """v of the body-fixed point that coincides with a point; the point itself may move on its body."""
        link = self._links.get(point.body.name)
        origin = Vector(self.graph, {}) if link is None else vector(link.frame, self.twist(link).c[3:])
        return origin + self.angular_velocity(point.body).cross(self._arm(point))

    def working_frame(self, body: Reference) -> Frame:
        """The frame, fixed in a body, in which its motion is computed."""
        link = self._links.get(body.name)
        return self.tree.root if link is None else link.frame

    def carried_acceleration(self, point: Point) -> Vector:
        """The acceleration minus gravity of the body-fixed point that coincides with a point; without a node for each
        u̇ its remainder."""
        link = self._links.get(point.body.name)
        if link is None:
            return self.minus_g
        return vector(link.frame, self.of(link).at(components(self._arm(point), link.frame)).c)

    def carried_angular_acceleration(self, body: Reference) -> Vector:
        """α of a body in the ground; without a node for each u̇ its remainder."""
        link = self._links.get(body.name)
        return Vector(self.graph, {}) if link is None else vector(link.frame, self.of(link).alpha.c)

    def acceleration_of(self, point: Point) -> Vector:
        """a + 2 ω × ṙ + r̈ of a point in the ground, without gravity: a is that of the coinciding body-fixed point, r is
        the position in the body, differentiated there."""
        self._require_rates()
        carried = Vector(self.graph, {})
        if point.body.name in self._links:
            carried = self.carried_acceleration(point) - self.minus_g
        if point.fixed:
            return carried
        rate = self.derivative(point.offset, point.body)
        return carried + self.angular_velocity(point.body).cross(rate) * 2 + self.derivative(rate, point.body)

    def _require_rates(self) -> None:
        """Without u̇ there are remainders only, and these are not accelerations."""
        assert self.rates or not self.tree.layout.u, "accelerations need a node for each u̇"

    def derivative(self, v: Vector, body: Reference) -> Vector:
        """dv/dt as seen from a body, for a vector that depends on the state, time and parameters."""
        g, xyz = self.graph, components(v, body.frame)
        unknown = Kind.INPUT | Kind.ACCELERATION | Kind.INTERMEDIATE | (0 if self.rates else Kind.SPEED)
        if any(g.mask[s] & unknown for s in xyz):
            names = [s.name for i in symbols_of(g, xyz) if (s := g.symbols[g.a[i]]).kind & unknown and i not in g.rates]
        else:
            names = []
        if names:
            raise ModelError(
                f"a vector that depends on {', '.join(names)} cannot be differentiated here: that would need rates of"
                " inputs or accelerations, or u̇ where it is not known yet. Differentiate what depends on coordinates,"
                " time, parameters, and for outputs and events on speeds"
            )
        for i in symbols_of(g, xyz):
            if self._symbols_of_constraints.get(i, i) is None:
                raise ModelError(
                    f"a vector that depends on {g.symbols[g.a[i]].name}, of a joint that closes a loop, cannot be"
                    " differentiated here; use the coordinates of the tree"
                )
        return vector(body.frame, jvp(g, list(xyz), self._seeds(self.rates)))

    @cached_property
    def _symbols_of_constraints(self) -> dict[Node, Node | None]:
        """Symbols of constraints with their rates, other than states of the model."""
        symbols, model = dict[Node, Node | None](), self.tree.model
        for constraint in model.constraints.values():
            symbols |= constraint.symbol_rates(self.graph)
        for state in model.states.values():
            symbols.pop(state.symbol.handle, None)
        return symbols

    def _seeds(self, speed_rates: Sequence[Node]) -> dict[Node, Node]:
        """The rates of all variables; those of speeds may be absent."""
        layout, g = self.tree.layout, self.graph
        seeds = dict(zip(layout.q_handles, layout.q_dot, strict=True)) | time_seeds(g)
        seeds |= dict(zip(layout.u_handles, speed_rates, strict=True)) if speed_rates else {}
        seeds |= {symbol: rate for symbol, rate in self._symbols_of_constraints.items() if rate is not None}
        return seeds | {state.symbol.handle: state.rate.handle for state in self.tree.model.states.values()}

    # Scalars of constraints

    @property
    def speed_rates(self) -> Sequence[Node]:
        """u̇ in the accelerations of this motion; empty where they are remainders."""
        return self.rates

    def rate(self, value: Expr) -> Expr:
        """d/dt of a scalar of coordinates, speeds, extra states and time."""
        return Expr(self.graph, jvp(self.graph, [value.handle], self._seeds(self.speed_rates))[0])

    def speed_gradient(self, value: Expr) -> dict[int, Expr]:
        """∂value/∂u by the index of the speed; speeds on which the value does not depend are absent."""
        entries = jacobian(self.graph, [value.handle], self.tree.layout.u_handles)
        return {k: Expr(self.graph, node) for (_, k), node in sorted(entries.items())}

    def at_rest(self, value: Expr) -> Expr:
        """The value at u = 0."""
        g = self.graph
        return Expr(g, substitute(g, [value.handle], dict.fromkeys(self.tree.layout.u_handles, g.zero))[0])


def whole_motion(system: ModelBuilder) -> Motion:
    """The motion of a system in the system's graph, with symbols for u̇."""
    tree = Tree.of(system.described, system.placed)
    return Motion(tree, [acceleration_symbol(system.graph, n) for n in tree.layout.u])
