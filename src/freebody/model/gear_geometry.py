"""The geometry of two wheels at sampled coordinates: their centres and axes, the body that carries both, and angles."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import FieldError, within
from freebody.model.body import Body, Point, Reference
from freebody.model.joints.axes import direction
from freebody.model.kinds import Scope
from freebody.model.tree_path import CLOSE, TreePath
from freebody.model.vectors import PointSpec
from freebody.model.wheel_pairs import Triple, WheelPair
from freebody.scalar.expr import Expr
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.spatial.vector import components, vector

Array = NDArray[np.float64]


class Wheel:
    """One of the wheels: its centre, its axis along the axes of its body (a rack: the direction in which it slides),
    and its radius, None of a rack."""

    def __init__(self, scope: Scope, spec: PointSpec, axis: Any, radius: Any, which: int) -> None:
        self.centre: Point = spec.point(scope)
        self.body: Reference = self.centre.body
        self.radius, self.is_rack = radius, radius is None
        if not self.centre.fixed:
            raise FieldError(
                f"the centre on '{self.body.name}' depends on time or coordinates; give a point that is"
                " fixed in its body",
                "from" if which == 0 else "to",
            )
        if axis is not None:
            self.axis = direction(self.body.frame, axis, "axes")
        else:
            with within("axes"):
                self.axis = self._joint_axis(which)

    @property
    def direction(self) -> Triple:
        """Its axis as expressions."""
        x, y, z = (Expr(self.body.graph, h) for h in self.axis)
        return x, y, z

    def _joint_axis(self, which: int) -> Any:
        """The axis about which the joint of the body turns, or along which it slides."""
        moves, kind = list[Any](), "no joint"
        if isinstance(self.body, Body):
            placement, kind = self.body.placement, f"a {self.body.spec.joint.kind} joint"
            some = placement.slides if self.is_rack else placement.turns
            moves = [components(v, self.body.frame) for v in some if v]
        g = self.body.graph
        if len(moves) == 1 and all(g.mask[h] <= PARAMETERS_ONLY for h in moves[0]):
            return direction(self.body.frame, tuple(Expr(g, h) for h in moves[0]), "axes")
        example = '(None, "z")' if which else '("z", None)'
        what = "slides along one direction" if self.is_rack else "turns about one axis"
        raise FieldError(
            f"'{self.body.name}' has {kind}, which is not one that {what}; give the axis along the axes of"
            f" the body, axes={example}"
        )


class PairGeometry:
    """Two wheels at sampled coordinates, and symbolically in their carrier."""

    def __init__(self, scope: Scope, pair: WheelPair) -> None:
        specs, axes = (pair.start, pair.end), pair.axes
        if pair.radii[0] is None and pair.radii[1] is None:
            raise FieldError("both radii are missing; a rack meshes with a gear: give the radius of the gear", "radii")
        radii = [None if r is None else symbolic(scope, r) for r in pair.radii]
        self.wheels = [Wheel(scope, *one, k) for k, one in enumerate(zip(specs, axes, radii, strict=True))]
        self.one, self.other = self.wheels
        if self.one.body is self.other.body:
            raise FieldError(f"both wheels belong to '{self.one.body.name}'; name two bodies that turn differently")
        self.path = TreePath(scope, self.one.body, self.other.body)
        self._sample()

    def _sample(self) -> None:
        path = self.path
        self.centres = [path.points(w.centre) for w in self.wheels]
        self.directions = [path.directions(w.body, w.axis) for w in self.wheels]
        self.distance = self.centres[1] - self.centres[0]

    def exchange(self) -> None:
        """Let the second wheel be the first."""
        self.wheels.reverse()
        self.one, self.other = self.wheels
        self._sample()

    @property
    def names(self) -> str:
        return f"'{self.one.body.name}' and '{self.other.body.name}'"

    def carrier(self, *fixed: Array) -> Reference | None:
        """The body in which vectors are fixed at all coordinates; None if there is none. Positions are differences from
        the first centre, which is fixed there across the axis of its wheel."""
        for body in self.path.bodies:
            from_body = self.centres[0] - self.path.positions[body.name]
            axis = self.directions[0]
            across = from_body - axis * np.einsum("si,si->s", from_body, axis)[:, None]
            seen = [self.path.seen_from(body, v) for v in (across, *fixed)]
            if all(np.ptp(v, axis=0).max() < CLOSE * max(1.0, float(np.abs(v).max())) for v in seen):
                return body
        return None

    @property
    def across(self) -> Array:
        """The vectors from the first centre to the second, across the first axis."""
        D, n = self.distance, self.directions[0]
        return np.asarray(D - n * np.einsum("si,si->s", D, n)[:, None])

    def carrier_of_parallel(self, elastic: bool) -> tuple[Reference, bool]:
        """The carrier of wheels on parallel axes, about the first of which both angles count from here on; and whether
        the joints keep the distance of the axes. Where they do not, ``elastic`` forces move them."""
        self.directions[1] = self.directions[0]
        carrier = self.carrier(self.directions[0], self.across)
        if carrier is not None:
            return carrier, True
        if elastic:
            self.path = self.path.without_slides()
            self._sample()
            self.directions[1] = self.directions[0]
            carrier = self.carrier(self.directions[0], self.across)
        if carrier is None:
            raise FieldError(
                f"the joints between {self.names} do not keep the distance of their axes, or their directions, so that"
                " the forces that push the teeth apart, or the pull of the belt, would move them. Use revolute joints"
                " with parallel axes; for axes on springs give a stiffness"
            )
        return carrier, False

    def in_carrier(self, carrier: Reference) -> tuple[Triple, Triple, Triple, Triple]:
        """The centres, from the carrier's origin, and the axes, along the carrier's axes at the zero of coordinates."""
        path, result = self.path, list[Triple]()
        for w in self.wheels:
            result.append(path.components(path.position(w.centre) - path.origins[carrier.name], carrier))
        for w in self.wheels:
            result.append(path.components(vector(w.body.frame, w.axis), carrier))
        return result[0], result[1], result[2], result[3]

    def arm(self, k: int, point: Triple, centre: Triple, carrier: Reference) -> Triple | None:
        """The vector from a wheel's centre to a point of the carrier; None if the centre moves in the carrier."""
        moved = self.path.seen_from(carrier, self.centres[k] - self.path.positions[carrier.name])
        if np.ptp(moved, axis=0).max() > CLOSE * max(1.0, float(np.abs(moved).max())):
            return None
        return minus(point, centre)

    @property
    def _moves_as_one(self) -> bool:
        """Whether the wheels do not move relative to each other."""
        path, one, other = self.path, self.one.body, self.other.body
        seen = [path.seen_from(one, path.axes[other.name][:, k]) for k in range(3)]
        return all(np.ptp(v, axis=0).max() < CLOSE for v in seen)

    def angle(self, k: int, carrier: Reference) -> Expr:
        """The angle of a wheel relative to the carrier."""
        body = self.wheels[k].body
        angle = self.path.angle(body, carrier, self.directions[k])
        if angle is None and carrier in (self.one.body, self.other.body) and self._moves_as_one:
            raise FieldError(f"{self.names} turn together, as parts of one shaft; name bodies of two shafts")
        if angle is None:
            raise FieldError(
                f"'{body.name}' does not turn in '{carrier.name}', where the axes of both wheels are fixed, so that the"
                " other wheel could not turn either; name bodies of two shafts that turn about their own axes"
            )
        return angle


# Vectors of expressions


def symbolic(scope: Scope, value: Any) -> Expr:
    """A scalar as an expression."""
    return value if isinstance(value, Expr) else Expr(scope.graph, scope.graph.const(value))


def minus(a: Triple, b: Triple) -> Triple:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def plus(a: Triple, b: Triple) -> Triple:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def times(factor: Any, a: Triple) -> Triple:
    return factor * a[0], factor * a[1], factor * a[2]


def dot(a: Triple, b: Triple) -> Expr:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Triple, b: Triple) -> Triple:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
