"""A body with two speeds of its own, as a test alone defines it: sprung particles that slide inside a carrier, a
pendulum on one of them. Beside it the same mechanism with the particles as prismatic children."""

from collections.abc import Sequence
from functools import cached_property

import freebody as fb
from freebody.model.joints.base import Joint
from freebody.scalar.graph import Graph
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Twist, Vec, Wrench
from freebody.spatial.scalars import Scalar
from freebody.spatial.vector import Vector, components, terms
from freebody.tree.forest import Column, Forest, Link, span

STIFFNESS = {"one": 40.0, "two": 25.0}


def carrier(base: Joint) -> fb.System:
    """The particles as prismatic children; a pendulum on the first, an arm on the carrier."""
    s = fb.System("carrier")
    hub = s.body("hub", joint=base, mass=2.0, com=(0.1, -0.2, 0.05), inertia=(0.3, 0.4, 0.5))
    spring = {name: fb.Prismatic(axis, stiffness=STIFFNESS[name]) for name, axis in
              (("one", (0.6, 0.0, 0.8)), ("two", "y"))}  # fmt: skip
    one = s.body("one", on=hub, at=(0.3, 0.1, 0.2), joint=spring["one"], mass=0.7)
    s.body("two", on=hub, at=(-0.2, 0.4, 0), joint=spring["two"], mass=0.4)
    s.body("pendulum", on=one, at=(0.05, 0, 0.1), joint=fb.Revolute("x"), mass=1.1, com=(0, 0.1, -0.4),
           inertia=(0.2, 0.21, 0.05))  # fmt: skip
    s.body("arm", on=hub, at=(0, 0.5, 0), joint=fb.Revolute("z"), mass=0.6, com=(0.2, 0, 0), inertia=(0.01, 0.05, 0.06))
    return s


class Particles:
    """Two particles of masses m at r = p + a η, each on a spring k."""

    def __init__(self, frame: Frame, links: Sequence[Link], k: Sequence[Scalar]) -> None:
        """From the links of the prismatic children: their speeds become the body's own."""
        self.frame, self.k = frame, list(k)
        self.speeds = tuple(link.u[0] for link in links)
        self.eta = [link.body.q[0].handle for link in links]
        self.rates = tuple(link.body.u[0].handle for link in links)
        self.m = [link.body.recipe.mass.handle for link in links]
        self.a = [Vec(frame, components(link.slides[0], frame)) for link in links]
        self.r = [Vec(frame, components(link.position, frame)) for link in links]
        self.fr = tuple(Wrench.of(r.cross(a), a).times(m) for r, a, m in zip(self.r, self.a, self.m, strict=True))
        self.ff = {(speed, speed): m for speed, m in zip(self.speeds, self.m, strict=True)}
        one, two = (self._point(m, r) for m, r in zip(self.m, self.r, strict=True))
        self.rr = one + two

    def _point(self, m: Scalar, r: Vec) -> RigidInertia:
        S, (x, y, z), h = self.frame.S, r.c, r.times(m)
        a, b, c = h.xyz
        second = (S.mul(a, x), S.mul(b, y), S.mul(c, z), S.mul(a, y), S.mul(a, z), S.mul(b, z))
        return RigidInertia.of(self.frame, m, (a, b, c), second)

    def needs(self, w: Vec, alpha: Vec, a: Vec, rates: Sequence[Scalar]) -> tuple[list[Scalar], Wrench]:
        """m (2 ω × a η̇ + a η̈) beside the rigid part; along a, all of it and the spring."""
        S, felt, total = self.frame.S, list[Scalar](), Wrench.zero(self.frame)
        for m, r, e, x, xt, xtt, k in zip(self.m, self.r, self.a, self.eta, self.rates, rates, self.k, strict=True):
            more = (w.cross(e).times(S.mul(S.const(2), xt)) + e.times(xtt)).times(m)
            carried = (a + alpha.cross(r) + w.cross(w.cross(r))).times(m)
            felt.append(S.add(e.dot(carried + more), S.mul(k, x)))
            total = total + Wrench.of(r.cross(more), more)
        return felt, total

    def stored(self) -> Scalar:
        S, total = self.frame.S, self.frame.S.zero
        for k, x in zip(self.k, self.eta, strict=True):
            total = S.add(total, S.mul(S.mul(S.const(0.5), k), S.mul(x, x)))
        return total


class Hanging(Link):
    """A link on a node of its parent that moves along a direction by one of the parent's own speeds."""

    def on(self, node: Link) -> "Hanging":
        """``node``: the prismatic child that is a node now."""
        self.node = node
        return self

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        slide, zero = self.node.slides[0], Vec.zero(self.frame)
        twist = Twist.of(zero, Vec(self.frame, components(slide, self.frame)))
        return (Column(self.node.u[0], twist, (), terms(slide, self.frame)), *super().columns)

    @cached_property
    def relative_velocity(self) -> Vector:
        return self.node.relative_velocity + super().relative_velocity


def inside(system: fb.System) -> Forest:
    """The forest of a ``carrier`` with the particles inside the hub: their links are gone, their speeds are its own."""
    was = span(system)
    g: Graph = was.graph
    hub, one, two, pendulum, arm = was.links
    held = Link(0, hub.body, None, hub.frame, hub.position, hub.free, hub.u)
    held.own = Particles(hub.frame, (one, two), [g.const(STIFFNESS[name]) for name in ("one", "two")])
    place = one.position + pendulum.position
    hanging = Hanging(1, pendulum.body, held, pendulum.frame, place, pendulum.free, pendulum.u).on(one)
    return Forest(was.system, [held, hanging, Link(2, arm.body, held, arm.frame, arm.position, arm.free, arm.u)],
                  was.layout)  # fmt: skip
