"""The bodies between two bodies of a tree: their poses at sampled coordinates, and the angles by which they turn."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import FieldError
from freebody.model.body import Body, Point, Reference
from freebody.model.kinds import Scope
from freebody.scalar.expr import Expr
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute, symbols_of, values
from freebody.spatial.vector import Vector, components

Array = NDArray[np.float64]
Triple = tuple[Expr, Expr, Expr]
SAMPLES = 4
CLOSE = 1e-9


class TreePath:
    """The path between two bodies over the body, or the ground, that carries both. Arrays of vectors, along the axes of
    that body, have a row for each sample: the zero of all coordinates first, then random ones, with the parameters' own
    values."""

    def __init__(self, scope: Scope, one: Reference, other: Reference, held: Collection[int] = ()) -> None:
        """``held``: coordinates, as nodes, that are zero at all samples."""
        self.graph, self.scope, self._held = one.graph, scope, held
        self._ends = one, other
        up, across = _to_ground(one), _to_ground(other)
        self.top = next(body for body in up if body in across)
        self._arms = up[: up.index(self.top)], across[: across.index(self.top)]
        self.bodies: list[Reference] = [self.top, *self._arms[0][::-1], *self._arms[1][::-1]]
        zero = Vector(self.graph, {})
        self.origins: dict[str, Vector] = {self.top.name: zero}
        self._nodes = list[Node]()
        self._turns: dict[str, tuple[int, int]] = {}
        for body in self.bodies:
            if isinstance(body, Body) and body is not self.top:
                self.origins[body.name] = self.origins[body.parent.name] + body.offset + body.placement.position
            for v in (self.origins[body.name], body.x, body.y, body.z):
                self._nodes += components(v, self.top.frame)
        for body in self.bodies[1:]:
            assert isinstance(body, Body)
            self._turns[body.name] = len(self._nodes), len(body.placement.turns)
            for v in body.placement.turns:
                self._nodes += components(v, self.top.frame)
        self.states = [self._state(k) for k in range(SAMPLES)]
        numbers = np.array([self.numbers(self._nodes, k) for k in range(SAMPLES)])
        if not np.isfinite(numbers).all():
            raise FieldError(
                f"the positions of '{one.name}' and '{other.name}' are not finite at the zero of all"
                " joints and of time; change the prescribed motions between them"
            )
        n = 12 * len(self.bodies)
        poses = numbers[:, :n].reshape(SAMPLES, len(self.bodies), 4, 3)
        self.positions = {body.name: poses[:, k, 0] for k, body in enumerate(self.bodies)}
        self.axes = {body.name: poses[:, k, 1:] for k, body in enumerate(self.bodies)}  # rows: axes of the body
        self.turns = {
            name: numbers[:, i : i + 3 * count].reshape(SAMPLES, count, 3) for name, (i, count) in self._turns.items()
        }

    def _state(self, k: int) -> dict[Node, float]:
        """The values of symbols of the sample k."""
        g, rng, state = self.graph, np.random.default_rng(k), dict[Node, float]()
        for i in symbols_of(g, self._nodes):
            symbol = g.symbols[g.a[i]]
            drawn = 0.0 if k == 0 or i in self._held else float(rng.uniform(-0.8, 0.8))
            state[i] = self.scope.values.get(symbol.name, drawn)
        for body in self.bodies[1:] if k == 0 else ():
            assert isinstance(body, Body)
            zero = body.spec.freedoms.zero
            state |= {q.handle: float(x) for q, x in zip(body.q, zero, strict=True) if q.handle in state}
        return state

    def without_slides(self) -> "TreePath":
        """The same path with all coordinates held at zero that turn nothing."""
        held = set[int]()
        for body in self.bodies[1:]:
            assert isinstance(body, Body)
            for q, turn in zip(body.q, self.turns[body.name].swapaxes(0, 1), strict=False):
                if np.abs(turn).max() < CLOSE:
                    held.add(q.handle)
        return TreePath(self.scope, *self._ends, held)

    def numbers(self, nodes: Sequence[Node], k: int = 0) -> list[float]:
        """The values of nodes at a sample."""
        own = self.scope.values
        return [float(x) for x in values(self.graph, nodes, self.states[k], lambda name: own.get(name, 0.0))]

    def number(self, value: Any) -> float:
        """The value of a scalar of parameters."""
        return self.numbers([value.handle])[0] if isinstance(value, Expr) else float(value)

    def points(self, point: Point) -> Array:
        """The positions of a point that is fixed in a body."""
        at = self.numbers(components(point.offset, point.body.frame))
        return np.asarray(self.positions[point.body.name] + np.array(at) @ self.axes[point.body.name])

    def directions(self, body: Reference, xyz: Sequence[Node]) -> Array:
        """The directions with these components along the axes of a body."""
        return np.asarray(np.array(self.numbers(xyz)) @ self.axes[body.name])

    def seen_from(self, body: Reference, vectors: Array) -> Array:
        """The components of vectors along the axes of a body."""
        return np.asarray(np.einsum("sij,sj->si", self.axes[body.name], vectors))

    def at_zero(self, nodes: Sequence[Node]) -> list[Expr]:
        """Expressions at the zero of all coordinates and of time: they depend on parameters only."""
        g, zero = self.graph, dict[Node, Node]()
        for i in symbols_of(g, list(nodes)):
            if g.symbols[g.a[i]].kind is not Kind.PARAMETER:
                zero[i] = g.const(self.states[0].get(i, 0.0))
        return [Expr(g, h) for h in substitute(g, list(nodes), zero)]

    def components(self, v: Vector, body: Reference) -> Triple:
        """The components of a vector along the axes of a body at the zero of all coordinates."""
        x, y, z = self.at_zero(components(v, body.frame))
        return x, y, z

    def position(self, point: Point) -> Vector:
        """The vector from the origin of the body that carries both to a point."""
        return self.origins[point.body.name] + point.offset

    def between(self, body: Reference, other: Reference) -> tuple[list[Body], list[Body]]:
        """The bodies whose joints move one body relative to another, with the sense (+) and against it (−)."""
        up, across = _to_ground(body), _to_ground(other)
        meet = next(one for one in up if one in across)
        return [b for b in up[: up.index(meet)] if isinstance(b, Body)], [
            b for b in across[: across.index(meet)] if isinstance(b, Body)
        ]

    def angle(self, body: Reference, other: Reference, axis: Array) -> Expr | None:
        """The angle by which a body turns relative to another about an axis: a sum of coordinates; None if nothing
        turns. Raises if a joint between them turns about another axis."""
        total: Expr | None = None
        for sign, bodies in zip((1, -1), self.between(body, other), strict=True):
            for b in bodies:
                for k, turn in enumerate(self.turns[b.name].swapaxes(0, 1)):
                    along = np.einsum("si,si->s", turn, axis)
                    if np.abs(turn).max() < CLOSE:
                        continue
                    joint = b.spec.joint
                    if np.abs(turn - along[:, None] * axis).max() > CLOSE or np.ptp(along) > CLOSE or not joint.rates:
                        raise FieldError(
                            f"the {joint.kind} joint of '{b.name}' turns about another axis than that of the gear, so"
                            f" that its angle is not a sum of coordinates; between '{body.name}' and '{other.name}'"
                            " use joints about parallel axes, such as fb.Revolute and fb.Planar"
                        )
                    ratio = float(along[0])
                    factor: Any = round(ratio) if abs(ratio - round(ratio)) < CLOSE else ratio
                    term = b.q[k] * (sign * factor)
                    total = term if total is None else total + term
        return total


def _to_ground(body: Reference) -> list[Reference]:
    """A body, its parent, and so on to the ground."""
    bodies = [body]
    while isinstance(body, Body):
        body = body.parent
        bodies.append(body)
    return bodies
