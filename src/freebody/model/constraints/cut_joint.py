"""A joint that closes a loop, between two frames that move with the tree: its coordinates and speeds, the wrenches
along its speeds, and the wrenches that it resists.

Twists are those of the second body relative to the first, V = (ω, v), with v at the origin of the joint's frame in the
second body. With H the joint's columns, V = H w at the joint's speeds w, and w = (Hᵀ H)⁻¹ Hᵀ V. Wrenches F act on the
second body at this origin, and −F acts on the first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from freebody.model.body import Body, Point
from freebody.model.constraints.complement import complement
from freebody.model.joints.base import Joint, Placement, combined, zero_vector
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame
from freebody.spatial.scalars import Triple
from freebody.spatial.vector import Vector, components, dot, vector


@dataclass(frozen=True)
class JointFrame:
    """A joint's frame in one of its bodies."""

    origin: Point
    axes: Frame

    def direction(self, xyz: Triple) -> Vector:
        return vector(self.axes, xyz)


class VectorPair(NamedTuple):
    """A twist (ω, v) or a wrench (torque, force)."""

    angular: Vector
    linear: Vector

    def dot(self, other: "VectorPair") -> Node:
        return self.angular.graph.add(dot(self.angular, other.angular), dot(self.linear, other.linear))


@dataclass(frozen=True)
class CutJoint:
    """A joint between A and B. ``position`` leads from A's origin to B's, ``twist`` is V. ``states`` are the joint's
    coordinates, if they do not follow from the pose."""

    joint: Joint
    A: JointFrame
    B: JointFrame
    position: Vector
    twist: VectorPair
    states: Sequence[Node] = ()

    @property
    def graph(self) -> Graph:
        return self.position.graph

    def _placed(self, u: Sequence[Node]) -> tuple[list[Node], Placement]:
        measurement = self.joint.measure(self.A.axes, self.B.axes, self.position, u)
        if measurement is not None:
            return measurement
        return list(self.states), self.joint.place(self.A.axes, "a closing joint", self.states, u)

    @cached_property
    def _at_rest(self) -> tuple[list[Node], Placement]:
        return self._placed([self.graph.zero] * len(self.joint.speeds))

    @property
    def coordinates(self) -> list[Node]:
        return self._at_rest[0]

    @cached_property
    def columns(self) -> list[VectorPair]:
        """H"""
        placement = self._at_rest[1]
        return [VectorPair(turn, slide) for turn, slide in zip(placement.turns, placement.slides, strict=True)]

    @cached_property
    def speeds(self) -> list[Node]:
        """w"""
        return self._along(self.twist)

    @cached_property
    def placement(self) -> Placement:
        """The placement at the present coordinates and speeds; its remainders are those of V̇ = H ẇ + remainders."""
        return self._placed(self.speeds)[1]

    @cached_property
    def remainder(self) -> VectorPair:
        return VectorPair(self.placement.turn_remainder, self.placement.slide_remainder)

    @cached_property
    def duals(self) -> list[VectorPair]:
        """The wrenches of unit forces along the speeds: the columns of H (Hᵀ H)⁻¹."""
        g, n, wrenches = self.graph, len(self.columns), list[VectorPair]()
        for k in range(n):
            factors = self._solve([g.one if i == k else g.zero for i in range(n)])
            wrenches.append(VectorPair(*(combined(g, part, factors) for part in self._parts())))
        return wrenches

    @cached_property
    def error(self) -> VectorPair:
        """The small rotation and the translation from the pose at the joint's coordinates to the actual one."""
        g, placement = self.graph, self._at_rest[1]
        frame, turn = placement.frame, zero_vector(g)
        for k in range(3):
            e = [g.one if i == k else g.zero for i in range(3)]
            turn = turn + vector(frame, e).cross(vector(self.B.axes, e))
        return VectorPair(turn / 2, self.position - placement.position)

    @property
    def cosines(self) -> list[Expr]:
        """The cosines of the angles between the axes at the joint's coordinates and the actual ones."""
        g, frame, cosines = self.graph, self._at_rest[1].frame, list[Expr]()
        for k in range(3):
            e = [g.one if i == k else g.zero for i in range(3)]
            cosines.append(vector(frame, e).dot(vector(self.B.axes, e)))
        return cosines

    @property
    def correction(self) -> list[Node]:
        """The changes of the coordinates towards the actual pose: those at the speeds (Hᵀ H)⁻¹ Hᵀ error."""
        return list(self._placed(self._along(self.error))[1].q_dot)

    def matrix(self) -> list[list[Node]]:
        """The columns in components along the axes of A."""
        axes = self.A.axes
        return [[*components(c.angular, axes), *components(c.linear, axes)] for c in self.columns]

    def resisted(self, pivots: Sequence[int]) -> dict[str, VectorPair]:
        """Wrenches that span the complement of the columns, 6 − r of them by name; ``pivots`` as ``pivot_rows`` finds
        them."""
        start = self.joint.zero if self.joint.initial is None else self.joint.initial
        near = dict(zip(self.states, map(float, start), strict=False))
        rows, axes = complement(self.graph, self.matrix(), pivots, near), self.A.axes
        return {name: VectorPair(vector(axes, row[:3]), vector(axes, row[3:])) for name, row in rows.items()}

    def _parts(self) -> tuple[list[Vector], list[Vector]]:
        return [c.angular for c in self.columns], [c.linear for c in self.columns]

    def _along(self, twist: VectorPair) -> list[Node]:
        """(Hᵀ H)⁻¹ Hᵀ V"""
        return self._solve([column.dot(twist) for column in self.columns])

    def _solve(self, right: Sequence[Node]) -> list[Node]:
        """(Hᵀ H)⁻¹ right, by L D Lᵀ."""
        g, n, x = self.graph, len(right), list(right)
        L = [[self.columns[i].dot(self.columns[j]) for j in range(i + 1)] for i in range(n)]
        for k in range(n):
            for i in range(k + 1, n):
                factor = g.div(L[i][k], L[k][k])
                for j in range(k + 1, i + 1):
                    L[i][j] = g.sub(L[i][j], g.mul(factor, L[j][k]))
                x[i] = g.sub(x[i], g.mul(factor, x[k]))
        for k in reversed(range(n)):
            for i in range(k + 1, n):
                x[k] = g.sub(x[k], g.mul(L[i][k], x[i]))
            x[k] = g.div(x[k], L[k][k])
        return x


# The motion of one body relative to another, from the bodies alone


def position_and_twist(start: Point, end: Point) -> tuple[Vector, VectorPair]:
    """The position of a point from another, and the twist of its body relative to the other's: a sum over the joints
    between them."""
    g = end.offset.graph
    back, forth = start.offset, end.offset
    w, v, one, other = zero_vector(g), zero_vector(g), start.body, end.body
    outer, inner = list[tuple[Body, Vector]](), list[tuple[Body, Vector]]()  # with the arms from their origins
    while one is not other:
        if isinstance(other, Body) and not (isinstance(one, Body) and one.index > other.index):
            inner.append((other, forth))
            forth, other = forth + other.offset + other.placement.position, other.parent
        else:
            assert isinstance(one, Body)
            outer.append((one, back))
            back, one = back + one.offset + one.placement.position, one.parent
    position = forth - back
    for bodies, sign in ((inner, 1), (outer, -1)):
        for body, arm in bodies:
            speeds = [u.handle for u in body.rates]
            turn, slide = (combined(g, some, speeds) for some in (body.placement.turns, body.placement.slides))
            moved = slide + turn.cross(arm if sign > 0 else arm + position)
            w, v = w + turn * sign, v + moved * sign
    return position, VectorPair(w, v)
