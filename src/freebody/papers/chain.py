"""A serial chain from its joints and bodies, as Kwatny & Blankenship build it (section III B, C): no system, no names
but those of its coordinates.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from freebody.model.joints.base import Joint, Placement
from freebody.scalar.derivative import jacobian
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.spatial.frame import Frame
from freebody.spatial.resolved import Transform, Twist, Vec, Wrench
from freebody.spatial.triples import Triple, add3, times3
from freebody.spatial.vector import components

Matrix = list[list[int]]


@dataclass(frozen=True)
class Segment:
    """A body of a chain: its mass centre and its outboard joint from its inboard joint, mass, inertia about the mass
    centre; all in its own axes."""

    com: Triple
    end: Triple
    mass: int
    inertia: Sequence[Sequence[int]]


class Chain:
    """Joints and bodies in turn, from the ground outwards; ``q`` are the coordinates of all joints."""

    def __init__(self, graph: Graph, joints: Sequence[Joint], bodies: Sequence[Segment], q: Sequence[int]) -> None:
        self.graph, self.joints, self.bodies, self.q = graph, joints, bodies, q
        self.places: list[Placement] = []
        self.speeds: list[list[int]] = []
        frame, left = Frame("N", graph), list(q)
        for k, joint in enumerate(joints):
            own, left = left[: len(joint.coordinates)], left[len(joint.coordinates) :]
            speeds = [graph.symbol(f"{k}.{n}", Kind.SPEED) for n in joint.speeds]
            self.places.append(joint.place(frame, f"B{k + 1}", own, speeds))
            self.speeds.append(speeds)
            frame = self.places[-1].frame

    def parent(self, k: int) -> Frame:
        return self.places[k - 1].frame if k else self.places[0].frame.root

    @cached_property
    def V(self) -> list[Matrix]:
        """Γ of each joint: q̇ = V p by blocks (Eq 25)."""
        return [self._block(place.q_dot, speeds) for place, speeds in zip(self.places, self.speeds, strict=True)]

    def _block(self, rates: Sequence[int], speeds: Sequence[int]) -> Matrix:
        entries = jacobian(self.graph, rates, speeds)
        return [[entries.get((i, j), self.graph.zero) for j in range(len(speeds))] for i in range(len(rates))]

    @cached_property
    def X(self) -> list[Matrix]:
        """The configuration matrix of each joint (Eq 1): child to parent."""
        g, found = self.graph, list[Matrix]()
        for k, place in enumerate(self.places):
            axes = [Vec(place.frame, tuple(g.one if i == n else g.zero for i in range(3))) for n in range(3)]
            columns = [axis.in_(self.parent(k)).c for axis in axes]
            R = [[column[row] for column in columns] for row in range(3)]
            found.append(homogeneous(g, R, components(place.position, self.parent(k))))
        return found

    @cached_property
    def H(self) -> list[list[Twist]]:
        """The columns of each joint map, in the child's frame (Eq 9)."""
        return [
            [
                Twist(place.frame, components(t, place.frame) + components(s, place.frame))
                for t, s in zip(place.turns, place.slides, strict=True)
            ]
            for place in self.places
        ]

    @cached_property
    def columns(self) -> list[list[Twist]]:
        """Φ H by rows: for each body the velocity (ω, v) that each speed inboard of it gives (Eqs 47–51)."""
        found: list[list[Twist]] = []
        for k, own in enumerate(self.H):
            inboard = [V.out(self._transform(k)) for V in found[-1]] if found else []
            found.append(inboard + own)
        return found

    def _transform(self, k: int) -> Transform:
        """φ(k, k−1): from the body before, to the origin of body k and into its axes (Eq 46)."""
        before = self.parent(k)
        arm = add3(self.graph, self.bodies[k - 1].end, components(self.places[k].position, before))
        return Transform(before, self.places[k].frame, Vec(before, arm))

    @cached_property
    def M(self) -> Matrix:
        """Hᵀ Φᵀ M Φ H (Eq 52b), summed over the bodies; each at its mass centre, where its inertia is diag(I, m 1)."""
        g, n = self.graph, sum(len(h) for h in self.H)
        total = [[g.zero] * n for _ in range(n)]
        for body, columns, place in zip(self.bodies, self.columns, self.places, strict=True):
            centre = Frame(f"{place.frame.name} centre", g, place.frame)
            X = Transform(place.frame, centre, Vec(place.frame, body.com))
            moved = [V.out(X) for V in columns]
            momenta = [Wrench(centre, times3(g, body.inertia, V.c[:3]) + V.linear.times(body.mass).c) for V in moved]
            for i, V in enumerate(moved):
                for j in range(i + 1):
                    total[i][j] = g.add(total[i][j], V.dot(momenta[j]))
        return [[total[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]


def homogeneous(g: Graph, R: Sequence[Sequence[int]], p: Sequence[int]) -> Matrix:
    return [[*row, x] for row, x in zip(R, p, strict=True)] + [[g.zero, g.zero, g.zero, g.one]]


def product(g: Graph, A: Sequence[Sequence[int]], B: Sequence[Sequence[int]]) -> Matrix:
    """A B"""
    made: Matrix = []
    for row in A:
        made.append([])
        for column in zip(*B, strict=True):
            total = g.zero
            for x, y in zip(row, column, strict=True):
                total = g.add(total, g.mul(x, y))
            made[-1].append(total)
    return made


def poses(g: Graph, X: Sequence[Sequence[Sequence[int]]], ends: Sequence[Triple]) -> list[Matrix]:
    """Each body's configuration matrix in the ground: joints and arms in turn."""
    one, zero = g.one, g.zero
    unit = ((one, zero, zero), (zero, one, zero), (zero, zero, one))
    found: list[Matrix] = []
    here = homogeneous(g, unit, (zero, zero, zero))
    for joint, end in zip(X, ends, strict=True):
        found.append(product(g, here, joint))
        here = product(g, found[-1], homogeneous(g, unit, end))
    return found
