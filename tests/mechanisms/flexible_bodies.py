"""A flexible body defined only in tests: pieces on springs that slide or turn inside it, each of them a node; and the
same mechanism with the pieces as bodies on prismatic and revolute joints."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

import freebody as fb
from freebody.model.element import field
from freebody.model.joints.axes import turn_about, unit
from freebody.model.joints.base import Joint, Placement, scalar, zero_vector
from freebody.model.joints.flexible import Flexible, InternalDynamics, NodeAttachment
from freebody.model.kinds import THREE_CONSTANTS, Constant, Integer, ListOf
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Transform, Twist, Vec, Wrench
from freebody.spatial.scalars import Scalar, Triple
from freebody.spatial.vector import Vector, vector
from tests.mechanisms import random_trees
from tests.mechanisms.build_system import Builder
from tests.mechanisms.random_trees import GROUND, Tree, Twig

SPRINGS = (40.0, 25.0)


@dataclass(frozen=True)
class Pieces(Flexible):
    """Rigid pieces at ``places`` of the body, each on a spring along or about its axis; coordinates m1, m2, … and nodes
    p1, p2, …. Those whose numbers are in ``turning`` turn; inertias are about the mass centres, as moments."""

    kind: ClassVar[str] = "pieces"
    places: Any = field(ListOf(THREE_CONSTANTS), "where they are at η = 0")
    axes: Any = field(ListOf(THREE_CONSTANTS), "the directions in which they move")
    masses: Any = field(ListOf(Constant), "their masses")
    springs: Any = field(ListOf(Constant), "their stiffnesses")
    turning: Any = field(ListOf(Integer()), "the numbers of those that turn, from 1", default=())
    coms: Any = field(ListOf(THREE_CONSTANTS), "their mass centres, at their origins if left out", default=())
    inertias: Any = field(ListOf(THREE_CONSTANTS), "their moments of inertia, points if left out", default=())

    @property
    def coordinates(self) -> tuple[str, ...]:
        return tuple(f"m{k + 1}" for k in range(len(self.masses)))

    @property
    def units(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        q = tuple("rad" if k + 1 in self.turning else "m" for k in range(len(self.masses)))
        return q, tuple(f"{unit}/s" for unit in q)

    @property
    def nodes(self) -> tuple[str, ...]:
        return tuple(f"p{k + 1}" for k in range(len(self.masses)))

    def axis(self, frame: Frame, k: int) -> Triple:
        g = frame.graph
        x, y, z = (scalar(g, v) for v in self.axes[k])
        return unit(g, (x, y, z), "axis")

    def internal_dynamics(self, X: Transform, q: Sequence[Scalar], u: Sequence[Scalar]) -> InternalDynamics:
        return _Moving([_Piece(self, k, X, q[k], u[k]) for k in range(len(self.masses))], X.base)

    def node(self, node: str, body: Frame, name: str, q: Sequence[Node], u: Sequence[int]) -> Placement:
        g, k, none = body.graph, self.nodes.index(node), zero_vector(body.graph)
        place = vector(body, [scalar(g, v) for v in self.places[k]])
        turns, slides = ([none] * len(u) for _ in range(2))
        if k + 1 in self.turning:
            frame, turns[k] = turn_about(body, name, self.axis(body, k), q[k])
            return Placement(frame, place, turns, slides, none, none, [])
        slides[k] = axis = vector(body, self.axis(body, k))
        moved = Vector(g, {e: g.mul(q[k], s) for e, s in axis.parts.items()})
        return Placement(body, place + moved, turns, slides, none, none, [])


class _Piece:
    """A piece at r = p + s η, turned by e η; its inertia about r, in the axes of the frame."""

    def __init__(self, body: Pieces, k: int, X: Transform, q: Scalar, u: Scalar) -> None:
        frame, g = X.base, X.base.graph
        here, none = Frame("piece", g, frame), Vec.zero(frame)
        e = Vec(X.tip, body.axis(X.tip, k)).in_(frame)
        turns = k + 1 in body.turning
        self.q, self.u, self.k = q, u, scalar(g, body.springs[k])
        self.e, self.s = (e, none) if turns else (none, e)
        self.r = Vec(frame, X.arm) + Vec(X.tip, _three(g, body.places[k])).in_(frame) + self.s.times(q)
        tip = Frame("piece's body", g, X.tip)
        if turns:
            tip = turn_about(tip, "piece", body.axis(X.tip, k), q)[0]
        m = scalar(g, body.masses[k])
        c, J = (_three(g, some[k]) if some else (g.zero,) * 3 for some in (body.coms, body.inertias))
        half, total = g.const(0.5), g.add(g.add(*J[:2]), J[2])
        second = [g.add(g.sub(g.mul(half, total), j), g.mul(m, g.mul(x, x))) for x, j in zip(c, J, strict=True)]
        second += [g.mul(m, g.mul(c[i], c[j])) for i, j in ((0, 1), (0, 2), (1, 2))]
        first = (g.mul(m, c[0]), g.mul(m, c[1]), g.mul(m, c[2]))
        made = RigidInertia.of(tip, m, first, tuple(second))  # type: ignore[arg-type]
        self.inertia = made.back(Transform(here, tip, Vec.zero(here)))
        self.X, self.here = Transform(frame, here, self.r), here

    def unit(self) -> Wrench:
        """The momentum of η̇ = 1, about r."""
        return self.inertia.apply(Twist(self.here, self.e.c + self.s.c))

    def required(self, w: Vec, alpha: Vec, a: Vec, rate: Scalar, acceleration: Scalar) -> Wrench:
        """m a + α × h + ω × (ω × h) and J α + ω × J ω + h × a of the piece, about r, at these η̇ and η̈."""
        S, here = w.frame.S, self.here
        a = a + alpha.cross(self.r) + w.cross(w.cross(self.r) + self.s.times(S.mul(S.const(2), rate)))
        a = a + self.s.times(acceleration)
        alpha = alpha + w.cross(self.e.times(rate)) + self.e.times(acceleration)
        w, alpha, a = (v.in_(here) for v in (w + self.e.times(rate), alpha, a))
        J, h = self.inertia.rotated, Vec(here, self.inertia.h)
        force = a.times(self.inertia.m) + alpha.cross(h) + w.cross(w.cross(h))
        return Wrench.of(Vec(here, J(alpha.xyz)) + w.cross(Vec(here, J(w.xyz))) + h.cross(a), force)


class _Moving(InternalDynamics):
    def __init__(self, pieces: Sequence[_Piece], frame: Frame) -> None:
        self.pieces, self.frame = pieces, frame
        self.rates = [p.u for p in pieces]
        self.rr = RigidInertia.zero(frame)
        for p in pieces:
            self.rr = self.rr + p.inertia.back(p.X)
        self.fr = [p.unit().back(p.X) for p in pieces]
        self.ff = {(k, k): self._felt(p, p.unit()) for k, p in enumerate(pieces)}

    def _felt(self, p: _Piece, F: Wrench) -> Scalar:
        return Twist(p.here, p.e.c + p.s.c).dot(F)

    def required(self, w: Vec, alpha: Vec, a: Vec, accelerations: Sequence[Scalar]) -> tuple[Sequence[Scalar], Wrench]:
        S, felt, total = self.frame.S, list[Scalar](), Wrench.zero(self.frame)
        for p, acceleration in zip(self.pieces, accelerations, strict=True):
            whole = p.required(w, alpha, a, p.u, acceleration)
            felt.append(S.add(self._felt(p, whole), S.mul(p.k, p.q)))
            total = total + (whole - p.required(w, alpha, a, S.zero, S.zero)).back(p.X)
        return felt, total

    def stored_energy(self) -> Scalar:
        S, total = self.frame.S, self.frame.S.zero
        for p in self.pieces:
            total = S.add(total, S.mul(S.mul(S.const(0.5), p.k), S.mul(p.q, p.q)))
        return total


def _three(g: Any, values: Sequence[Any]) -> Triple:
    x, y, z = (scalar(g, v) for v in values)
    return x, y, z


# A mechanism with and without


HUB: dict[str, Any] = {"mass": 2.0, "com": (0.1, -0.2, 0.05), "inertia": (0.3, 0.4, 0.5)}
PENDULUM: dict[str, Any] = {
    "joint": fb.Revolute("x"),
    "at": (0.05, 0, 0.1),
    "mass": 1.1,
    "com": (0, 0.1, -0.4),
    "inertia": (0.2, 0.21, 0.05),
}
ARM: dict[str, Any] = {
    "joint": fb.Revolute("z", armature=0.02),
    "at": (0, 0.5, 0),
    "mass": 0.6,
    "com": (0.2, 0, 0),
    "inertia": (0.01, 0.05, 0.06),
}
PLACES, AXES, MASSES = ((0.3, 0.1, 0.2), (-0.2, 0.4, 0)), ((0.6, 0.0, 0.8), (0, 1, 0)), (0.7, 0.4)
TURNED: dict[str, Any] = {
    "coms": ((0.1, 0.2, -0.1), (0.0, 0.1, 0.3)),
    "inertias": ((0.02, 0.03, 0.04), (0.05, 0.04, 0.02)),
}


def carrier(base: Joint, turning: bool = False) -> fb.System:
    """The pieces as children of the hub: a pendulum on the first, an arm on the hub."""
    s = fb.System("carrier")
    hub = s.body("hub", joint=base, **HUB)
    kind = fb.Revolute if turning else fb.Prismatic
    pieces = []
    for k, name in enumerate(("one", "two")):
        more: dict[str, Any] = {"com": TURNED["coms"][k], "inertia": TURNED["inertias"][k]} if turning else {}
        joint = kind(AXES[k], stiffness=SPRINGS[k])
        pieces.append(s.body(name, on=hub, at=PLACES[k], joint=joint, mass=MASSES[k], **more))
    s.body("pendulum", on=pieces[0], **PENDULUM)
    s.body("arm", on=hub, **ARM)
    return s


def flexible(base: Joint, turning: bool = False) -> fb.System:
    """The pieces inside the hub."""
    s = fb.System("carrier")
    hub = s.body("hub", joint=base)
    more = {"turning": (1, 2), **TURNED} if turning else {}
    core = s.body("core", on=hub, joint=Pieces(PLACES, AXES, MASSES, SPRINGS, **more), **HUB)
    s.body("pendulum", on=s.body("node", on=core, joint=NodeAttachment("p1")), **PENDULUM)
    s.body("arm", on=core, **ARM)
    return s


# Random mechanisms with and without


class Twin(Builder):
    """A random tree in which about half of the bodies have pieces, and bodies and loads take hold of these: the pieces
    as children (``inner`` False), or inside. The layout of q and u is the same."""

    def __init__(self, tree: Tree, inner: bool) -> None:
        self.inner, self.holds = inner, Counter[int]()
        self.grips: dict[int, list[Any]] = {}
        super().__init__(tree, fb.System)

    def body(self, i: int) -> Any:
        """The pieces of a body and the body itself in turn."""
        grips = [self.system.ground] if i == GROUND else self.grips[i]
        self.holds[i] += 1
        return grips[self.holds[i] % len(grips)]

    def freedom(self, i: int, k: int) -> tuple[Any, int]:
        return self.system.bodies[f"b{i}"], k

    def _body(self, i: int, twig: Twig) -> None:
        s, rng = self.system, np.random.default_rng([self.tree.seed, i, 8])
        held = {
            "on": self.body(twig.parent),
            "joint": self._joint(twig.hinge),
            "at": self.three(twig.at),
            "orient": self._orient(twig.turns),
        }
        solid = {"mass": self.number(twig.mass), "com": self.three(twig.com), "inertia": self._inertia(twig.inertia)}
        count = int(rng.integers(1, 4)) if rng.random() < 0.5 or i == 0 else 0
        if not count:
            self.grips[i] = [s.body(f"b{i}", **held, **solid)]
            return
        numbers = [[self.three(rng.normal(size=3)) for _ in range(count)] for _ in range(3)]
        places, axes, coms = numbers
        masses, springs = ([self.number(x) for x in rng.uniform(0.3, 2, count)] for _ in range(2))
        inertias = [self.three(x) for x in rng.uniform(0.4, 0.6, (count, 3))]
        turning = [k + 1 for k in range(count) if rng.random() < 0.5]
        drags: dict[str, Any] = {"damping": 0.3, "armature": 0.2, "friction": 0.1} if rng.random() < 0.4 else {}
        value = self.number(1.3)
        if self.inner:
            s.body(f"b{i}", **held)
            joint = Pieces(places, axes, masses, springs, turning, coms, inertias, **drags)
            core = s.body(f"b{i} core", on=f"b{i}", joint=joint, **solid)
            nodes = [s.body(f"b{i} {node}", on=core, joint=NodeAttachment(node)) for node in joint.nodes]
            s.joint_force(core, value, "m1")
            self.grips[i] = [core, *nodes]
            return
        hub = s.body(f"b{i}", **held, **solid)
        pieces = []
        for k in range(count):
            kind = fb.Revolute if k + 1 in turning else fb.Prismatic
            pieces.append(
                s.body(
                    f"b{i} p{k + 1}",
                    on=hub,
                    at=places[k],
                    joint=kind(axes[k], stiffness=springs[k], **drags),
                    mass=masses[k],
                    com=coms[k],
                    inertia=inertias[k],
                )
            )
        s.joint_force(pieces[0], value)
        self.grips[i] = [hub, *pieces]


def twins(seed: int, bodies: int = 4) -> tuple[fb.System, fb.System]:
    """A random mechanism with bodies that have speeds of their own, and the same one without such bodies."""
    tree = random_trees.tree(seed, bodies)
    one, other = (Twin(tree, inner=inner).system for inner in (True, False))
    assert isinstance(one, fb.System) and isinstance(other, fb.System)
    return one, other
